//! The server over HTTP, end to end, and the same checks against servers that break a rule.

mod broken;
mod checks;
mod client;

use broken::{Decider, Judge};
use checks::CHECKS;
use client::{Client, DECLARED, LIST_ROOTS, params};
use mcp_roots_conformance::{Roots, Server, Strict};
use mcp_roots_proptests::detect::quietly;
use mcp_roots_proptests::{PLANTED, Planted};

const README: &str = include_str!("../../README.md");

fn with_server<T>(roots: impl Roots, test: impl FnOnce(&Client) -> T) -> T {
    let server = Server::start(roots).expect("there is a port");
    test(&Client::new(server.url()))
}

#[test]
fn every_check_passes() {
    let sent = with_server(Strict, |client| {
        for check in CHECKS {
            (check.run)(client);
        }
        client.sent.get()
    });
    assert_eq!((CHECKS.len(), sent), (25, 286));
    assert!(README.contains(&format!("{sent} requests in {} checks", CHECKS.len())));
}

/// What the servers with a fault are made of is right where it has none.
#[test]
fn every_check_passes_against_the_reference() {
    with_server(Judge(&Planted::NONE), |client| {
        for check in CHECKS {
            (check.run)(client);
        }
    });
}

#[test]
fn each_check_fails_against_a_server_that_breaks_its_rule() {
    let mut broken = 0;
    for check in CHECKS {
        for fault in check.faults {
            let decider = Decider(fault.decider());
            let failure = with_server(decider, |client| quietly(|| (check.run)(client)));
            let message = failure.expect_err(&format!("{} does not see {fault:?}", check.name));
            // It fails by what it saw, not because it saw nothing.
            assert!(message.contains(": not ") && message.contains("\n but "), "{}: {message}", check.name);
            broken += 1;
        }
    }
    assert_eq!(broken, 103);
    assert!(README.contains(&format!("{broken} pairs of a check and a fault")));
}

/// How much of all that can be wrong with a judge shows over HTTP. The rest is of other revisions and
/// documents, or about what only the developer sees.
#[test]
fn most_planted_faults_show() {
    let shows = |planted: &'static Planted| {
        with_server(Judge(planted), |client| {
            CHECKS.iter().any(|check| quietly(|| (check.run)(client)).is_err())
        })
    };
    let unseen: Vec<_> = PLANTED.iter().filter(|planted| !shows(planted)).collect();
    let seen = PLANTED.len() - unseen.len();
    println!("{seen} of {} show; these do not:", PLANTED.len());
    for Planted { rule, name, .. } in unseen {
        println!("{rule} {name}");
    }
    assert!(seen >= 96);
}

/// The envelope is the SDK's to judge: whatever is wrong with it, no tool is called.
#[test]
fn the_sdk_refuses_what_is_no_request() {
    let params = params(LIST_ROOTS, DECLARED, "");
    let with = |members: &str| {
        format!(r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{params}{members}}}"#)
    };
    // One octet that is not UTF-8, in the envelope and in an ignored string of `params`.
    let not_utf8 = |text: &str| text.bytes().map(|byte| if byte == b'~' { 0xff } else { byte }).collect();
    let bodies = [
        Vec::new(),
        b"\xef\xbb\xbf{}".to_vec(),
        not_utf8(&with(r#","x":"~""#)),
        not_utf8(&with("").replace(r#""arguments":{}"#, r#""arguments":{"x":"~"}"#)),
        with("").as_bytes()[1..].to_vec(),
        with(",").into_bytes(),
        format!("{} x", with("")).into_bytes(),
        with(r#","x":NaN"#).into_bytes(),
        with("/*c*/").into_bytes(),
        with(&format!(r#","params":{params}"#)).into_bytes(),
        with(&format!(r#","p\u0061rams":{params}"#)).into_bytes(),
        with(r#","id":8"#).into_bytes(),
        with(r#","method":"tools/list""#).into_bytes(),
        format!("[{}]", with("")).into_bytes(),
        format!(r#"[7,"tools/call",{params}]"#).into_bytes(),
        with(&format!(r#","x":{}{}"#, "[".repeat(200), "]".repeat(200))).into_bytes(),
    ];
    with_server(Strict, |client| {
        for body in &bodies {
            let (status, text) = client.post(LIST_ROOTS, body);
            assert_eq!(status, 415, "{text}\n of {}", body.escape_ascii());
            assert!(text.starts_with("fail to deserialize request body"), "{text}");
        }
        assert_eq!(client.sent.get(), 16);
    });
}
