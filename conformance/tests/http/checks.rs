//! What a client can see of each rule, and the faults that must make it look otherwise.

use crate::broken::Fault::{self, AsksSomethingElse, LeavesItToTheTool, Planted, Remembers, TrustsTheState};
use crate::client::{CAPABILITIES, Client, DECLARED, LIST_ROOTS, MULTIPLE, Outcome, params};

pub(crate) struct Check {
    pub(crate) name: &'static str,
    /// Panics where the server is wrong.
    pub(crate) run: fn(&Client),
    /// With any of these the check must fail.
    pub(crate) faults: &'static [Fault],
}

macro_rules! checks {
    ($($name:ident: [$($fault:expr),+ $(,)?]),+ $(,)?) => {
        /// All checks.
        pub(crate) const CHECKS: &[Check] =
            &[$(Check { name: stringify!($name), run: $name, faults: &[$($fault),+] }),+];
    };
}

checks! {
    c5_a_request_holds_the_capabilities_of_its_client: [
        LeavesItToTheTool,
        Planted("no client capabilities are empty ones"),
        Planted("client capabilities may be null"),
        Planted("client capabilities may stand under nested names"),
        Planted("an array stands for client capabilities"),
        Planted("an array stands for a request's _meta"),
    ],
    c4_a_client_that_did_not_declare_roots_is_not_asked: [
        Planted("roots: true is a capability"),
        Planted("roots: null is a capability"),
        Planted("any value is a capability"),
        Planted("no declaration is needed"),
        Planted("roots may be declared under experimental"),
        Planted("capability names are compared without case"),
        Planted("an array stands for the roots capability"),
        Planted("an undeclared capability is invalid params"),
        Planted("the error of a missing capability has no data"),
    ],
    c4_each_request_declares_for_itself: [Remembers],
    c4_a_tool_that_can_do_without_asks_for_what_is_declared: [
        Planted("no declaration is needed"),
        Planted("an undeclared capability is invalid params"),
    ],
    c2_c3_nothing_else_in_the_capabilities_plays_a_part: [
        Planted("listChanged is judged in the newest revision"),
        Planted("other capabilities must be objects"),
    ],
    a1_what_is_missing_is_asked_for_again: [
        AsksSomethingElse,
        Planted("a missing answer is invalid"),
        Planted("the first member answers whatever its id"),
    ],
    a1_only_what_is_missing_is_asked_for: [Planted("a missing answer is invalid")],
    a2_input_responses_are_an_object: [
        Planted("an array stands for input responses"),
        Planted("input responses null are absent"),
    ],
    a3_other_answers_play_no_part: [Planted("a malformed neighbour refuses the map")],
    a5_an_answer_to_something_else_is_invalid: [
        Planted("an answer to something else is an empty list"),
        Planted("an invalid answer is missing"),
        Planted("roots may be missing"),
    ],
    a5_an_answer_that_looks_like_another_is_valid: [Planted("an answer that looks like another is refused")],
    a6_the_id_is_compared_exactly: [
        Planted("the id is compared without case"),
        Planted("the id is trimmed"),
        Planted("__proto__ is followed"),
    ],
    a7_the_state_that_comes_back_is_not_read: [TrustsTheState],
    r1_a_result_is_an_object_with_a_list: [
        Planted("roots null is an empty list"),
        Planted("roots may be missing"),
        Planted("roots may be an object"),
        Planted("a result null is an empty one"),
        Planted("an array stands for a result"),
    ],
    r2_a_root_is_an_object_with_a_uri: [
        Planted("null entries are passed over"),
        Planted("a string is a root"),
        Planted("an array stands for a root"),
        Planted("uri may be missing"),
        Planted("uri may be null"),
        Planted("uri may be a number"),
    ],
    r3_a_name_is_a_string: [
        Planted("a null name passes"),
        Planted("a name is anything"),
        Planted("an empty name is refused"),
    ],
    r4_meta_of_a_root_is_an_object: [
        Planted("_meta of a root may be null"),
        Planted("_meta of a root is not judged"),
        Planted("_meta names are judged"),
        Planted("an array stands for the _meta of a root"),
    ],
    r5_r6_unknown_members_are_allowed: [
        Planted("_meta of a result is judged in the newest revision"),
        Planted("unknown members of a result are refused"),
        Planted("unknown members of a root are refused"),
        Planted("a cursor in a result is refused"),
    ],
    r7_every_root_is_judged_and_named_in_its_order: [
        Planted("an empty list is refused"),
        Planted("only the first root is judged"),
        Planted("only the grammar of the first root is judged"),
        Planted("only the last root is judged"),
        Planted("bad roots are dropped and the others given"),
        Planted("equal roots are merged"),
        Planted("roots are sorted"),
    ],
    u1_a_uri_begins_with_file: [
        Planted("any string is a URI"),
        Planted("the prefix is not looked at"),
        Planted("the prefix is compared without case"),
        Planted("a leading blank is trimmed"),
        Planted("one slash is enough"),
        Planted("a path is a URI"),
    ],
    u2_a_uri_is_one_by_rfc_3986: [
        Planted("the grammar is not looked at"),
        Planted("a percent sign is not looked at"),
        Planted("a percent sign at the end is not looked at"),
        Planted("a raw space is allowed"),
        Planted("letters that are not ASCII are allowed"),
        Planted("a backslash is allowed"),
        Planted("control characters are allowed"),
        Planted("a line break at the end is allowed"),
        Planted("brackets are allowed in a path"),
        Planted("braces and bars are allowed"),
        Planted("a port is anything"),
        Planted("IP literals are not looked at"),
        Planted("a second fragment is allowed"),
    ],
    u3_a_uri_is_named_byte_for_byte: [
        Planted("a host is refused"),
        Planted("a query is refused"),
        Planted("a fragment is refused"),
        Planted("a long port is refused"),
        Planted("IPvFuture is refused"),
        Planted("percent-encodings are written in upper case"),
        Planted("dot segments are resolved"),
        Planted("a final slash is cut off"),
    ],
    j2_j3_ignored_members_are_read_strictly: [
        LeavesItToTheTool,
        Planted("numbers over the range are let through"),
        Planted("a lone high surrogate is let through"),
        Planted("depth is not limited"),
    ],
    j6_a_name_stands_once_in_an_object: [
        LeavesItToTheTool,
        Planted("of equal names the last one counts"),
        Planted("of equal names the first one counts"),
        Planted("equal names are looked for at the top alone"),
        Planted("names are compared as they are spelled"),
        Planted("names that differ in case count as equal"),
    ],
    e1_an_error_repeats_nothing: [
        Planted("the message for the peer tells the rule"),
        Planted("the error for the peer repeats the document"),
    ],
}

fn c5_a_request_holds_the_capabilities_of_its_client(client: &Client) {
    let name = "io.modelcontextprotocol/clientCapabilities";
    let metas = [
        String::new(),
        format!(r#""{name}":null"#),
        format!(r#""{name}":true"#),
        format!(r#""{name}":"roots""#),
        format!(r#""{name}":[]"#),
        format!(r#""{name}":[null,null,{{}},null,null]"#),
        r#""io.modelcontextprotocol":{"clientCapabilities":{"roots":{}}}"#.to_owned(),
        r#""clientCapabilities":{"roots":{}}"#.to_owned(),
    ];
    let answer = r#""inputResponses":{"client_roots":{"roots":[]}}"#;
    for tool in [LIST_ROOTS, MULTIPLE, CAPABILITIES] {
        for meta in &metas {
            client.expect("C5", tool, &params(tool, meta, ""), &Outcome::invalid_request());
            client.expect("C5", tool, &params(tool, meta, answer), &Outcome::invalid_request());
        }
    }
    for meta in ["", r#","_meta":null"#, r#","_meta":"x""#, r#","_meta":[{"x":{}}]"#, r#","_meta":[]"#] {
        let params = format!(r#"{{"name":"{LIST_ROOTS}","arguments":{{}}{meta}}}"#);
        client.expect("C5", LIST_ROOTS, &params, &Outcome::invalid_request());
    }
    for params in ["null", "[]", r#""x""#] {
        client.expect("C5", LIST_ROOTS, params, &Outcome::invalid_request());
    }
}

fn c4_a_client_that_did_not_declare_roots_is_not_asked(client: &Client) {
    let capabilities = [
        "{}",
        r#"{"sampling":{},"elicitation":{}}"#,
        r#"{"roots":true}"#,
        r#"{"roots":null}"#,
        r#"{"roots":[]}"#,
        r#"{"roots":[true]}"#,
        r#"{"roots":"yes"}"#,
        r#"{"roots":1}"#,
        r#"{"Roots":{}}"#,
        r#"{"experimental":{"roots":{}}}"#,
    ];
    for capabilities in capabilities {
        let meta = format!(r#""io.modelcontextprotocol/clientCapabilities":{capabilities}"#);
        for members in ["", r#""inputResponses":{"client_roots":{"roots":[]}}"#] {
            client.expect("C4", LIST_ROOTS, &params(LIST_ROOTS, &meta, members), &Outcome::undeclared());
        }
    }
}

fn c4_each_request_declares_for_itself(client: &Client) {
    client.expect_of("C4", "", &Outcome::asks_for_roots());
    let undeclared = r#""io.modelcontextprotocol/clientCapabilities":{}"#;
    client.expect("C4", LIST_ROOTS, &params(LIST_ROOTS, undeclared, ""), &Outcome::undeclared());
    client.expect_of("C4", "", &Outcome::asks_for_roots());
}

fn c4_a_tool_that_can_do_without_asks_for_what_is_declared(client: &Client) {
    for (capabilities, asked) in [
        (r#"{"sampling":{}}"#, &["greeting"][..]),
        (r#"{"elicitation":{}}"#, &["user_name"]),
        (r#"{"roots":{}}"#, &["client_roots"]),
        (r#"{"roots":{},"sampling":{},"elicitation":{}}"#, &["client_roots", "greeting", "user_name"]),
    ] {
        let meta = format!(r#""io.modelcontextprotocol/clientCapabilities":{capabilities}"#);
        let asked = Outcome::Asks(asked.iter().map(|id| (*id).to_owned()).collect());
        client.expect("C4", CAPABILITIES, &params(CAPABILITIES, &meta, ""), &asked);
    }
}

fn c2_c3_nothing_else_in_the_capabilities_plays_a_part(client: &Client) {
    for capabilities in [
        r#"{"roots":{"listChanged":true}}"#,
        r#"{"roots":{"listChanged":"yes"}}"#,
        r#"{"roots":{"listChanged":null,"more":[1]}}"#,
        r#"{"sampling":5,"roots":{}}"#,
        r#"{"roots":{},"elicitation":null,"experimental":[],"extensions":"none"}"#,
    ] {
        let meta = format!(r#""io.modelcontextprotocol/clientCapabilities":{capabilities}"#);
        client.expect("C2", LIST_ROOTS, &params(LIST_ROOTS, &meta, ""), &Outcome::asks_for_roots());
    }
}

fn a1_what_is_missing_is_asked_for_again(client: &Client) {
    for members in [
        "",
        r#""inputResponses":{}"#,
        r#""inputResponses":{"roots":{"roots":[{"uri":"file:///a"}]}}"#,
        r#""inputResponses":{"a":5,"b":null}"#,
        r#""arguments2":{"client_roots":{"roots":[]}}"#,
    ] {
        client.expect_of("A1", members, &Outcome::asks_for_roots());
    }
}

fn a1_only_what_is_missing_is_asked_for(client: &Client) {
    let meta = r#""io.modelcontextprotocol/clientCapabilities":{"roots":{},"sampling":{},"elicitation":{}}"#;
    let name = r#""user_name":{"action":"accept","content":{"name":"Alice"}}"#;
    let greeting = r#""greeting":{"role":"assistant","content":{"type":"text","text":"Hello"},"model":"m"}"#;
    let roots = r#""client_roots":{"roots":[{"uri":"file:///a"}]}"#;
    let asks = |ids: &[&str]| Outcome::Asks(ids.iter().map(|id| (*id).to_owned()).collect());
    let texts = ["Alice", "Hello", "file:///a"].map(str::to_owned).to_vec();
    for (answers, outcome) in [
        (String::new(), asks(&["client_roots", "greeting", "user_name"])),
        (name.to_owned(), asks(&["client_roots", "greeting"])),
        (format!("{name},{greeting}"), asks(&["client_roots"])),
        (format!("{roots},{greeting}"), asks(&["user_name"])),
        (
            format!("{roots},{greeting},{name}"),
            Outcome::Done(texts, Some(vec![("file:///a".to_owned(), None)])),
        ),
    ] {
        let members = format!(r#""inputResponses":{{{answers}}},"requestState":"nothing""#);
        client.expect("A1", MULTIPLE, &params(MULTIPLE, meta, &members), &outcome);
    }
}

fn a2_input_responses_are_an_object(client: &Client) {
    for map in ["null", "[]", r#"[{"client_roots":{"roots":[]}}]"#, "5", "true", r#""client_roots""#] {
        client.expect_of("A2", &format!(r#""inputResponses":{map}"#), &Outcome::invalid_answer());
    }
}

fn a3_other_answers_play_no_part(client: &Client) {
    let given = Outcome::names(&[("file:///a", None)]);
    let roots = r#""client_roots":{"roots":[{"uri":"file:///a"}]}"#;
    for other in [
        "5",
        "null",
        "[]",
        r#"{"roots":null}"#,
        r#"{"roots":[{"uri":"http://x","name":7}]}"#,
        r#"{"action":"accept"}"#,
    ] {
        client.expect_of("A3", &format!(r#""inputResponses":{{"other":{other},{roots}}}"#), &given);
        client.expect_of("A3", &format!(r#""inputResponses":{{{roots},"other":{other}}}"#), &given);
    }
}

fn a5_an_answer_to_something_else_is_invalid(client: &Client) {
    for answer in [
        r#"{"action":"accept","content":{"roots":[]}}"#,
        r#"{"action":"decline"}"#,
        r#"{"action":"cancel"}"#,
        r#"{"role":"assistant","content":{"type":"text","text":"file:///a"},"model":"m","stopReason":"endTurn"}"#,
        r#"{"code":-32601,"message":"Method not found"}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{"roots":[]}}"#,
    ] {
        client.expect_of_answer("A5", answer, &Outcome::invalid_answer());
    }
}

fn a5_an_answer_that_looks_like_another_is_valid(client: &Client) {
    for (answer, roots) in [
        (r#"{"roots":[],"action":"accept"}"#, &[][..]),
        (r#"{"action":"decline","content":{},"roots":[{"uri":"file:///a"}]}"#, &[("file:///a", None)]),
        (r#"{"role":"assistant","model":"m","roots":[],"content":{"type":"text","text":""}}"#, &[]),
    ] {
        client.expect_of_answer("A5", answer, &Outcome::names(roots));
    }
}

fn a6_the_id_is_compared_exactly(client: &Client) {
    let answer = r#"{"roots":[{"uri":"file:///a"}]}"#;
    for id in ["Client_roots", "CLIENT_ROOTS", " client_roots", "client_roots ", "client_root", ""] {
        let members = format!(r#""inputResponses":{{"{id}":{answer}}}"#);
        client.expect_of("A6", &members, &Outcome::asks_for_roots());
    }
    let members = format!(r#""inputResponses":{{"__proto__":{{"client_roots":{answer}}}}}"#);
    client.expect_of("A6", &members, &Outcome::asks_for_roots());
    let members = format!(r#""inputResponses":{{"clie\u006et_roots":{answer}}}"#);
    client.expect_of("A6", &members, &Outcome::names(&[("file:///a", None)]));
}

fn a7_the_state_that_comes_back_is_not_read(client: &Client) {
    let state = r#""requestState":"{\"client_roots\":{\"roots\":[{\"uri\":\"file:///forged\"}]}}""#;
    client.expect_of("A7", state, &Outcome::asks_for_roots());
    let answered =
        format!(r#"{state},"inputResponses":{{"client_roots":{{"roots":[{{"uri":"file:///a"}}]}}}}"#);
    client.expect_of("A7", &answered, &Outcome::names(&[("file:///a", None)]));
    let undeclared = r#""io.modelcontextprotocol/clientCapabilities":{}"#;
    client.expect("A7", LIST_ROOTS, &params(LIST_ROOTS, undeclared, state), &Outcome::undeclared());
}

fn r1_a_result_is_an_object_with_a_list(client: &Client) {
    for answer in [
        "{}",
        r#"{"roots":null}"#,
        r#"{"roots":{}}"#,
        r#"{"roots":"file:///a"}"#,
        r#"{"Roots":[]}"#,
        r#"{"result":{"roots":[]}}"#,
        r#"{"error":{"code":-32601,"message":"x"}}"#,
        "null",
        "[]",
        r#"[{"uri":"file:///a"}]"#,
        "true",
        r#""file:///a""#,
    ] {
        client.expect_of_answer("R1", answer, &Outcome::invalid_answer());
    }
    client.expect_of_answer("R1", r#"{"roots":[]}"#, &Outcome::names(&[]));
}

fn r2_a_root_is_an_object_with_a_uri(client: &Client) {
    for root in [
        "null",
        "{}",
        "[]",
        r#"["file:///a"]"#,
        r#""file:///a""#,
        "5",
        r#"{"URI":"file:///a"}"#,
        r#"{"uri":null}"#,
        r#"{"uri":5}"#,
        r#"{"uri":["file:///a"]}"#,
        r#"{"uri":{"path":"/a"}}"#,
    ] {
        client.expect_of_answer("R2", &format!(r#"{{"roots":[{root}]}}"#), &Outcome::invalid_answer());
    }
}

fn r3_a_name_is_a_string(client: &Client) {
    let answer = |name: &str| format!(r#"{{"roots":[{{"uri":"file:///a","name":{name}}}]}}"#);
    for name in ["null", "5", "true", "[]", r#"["a"]"#, "{}"] {
        client.expect_of_answer("R3", &answer(name), &Outcome::invalid_answer());
    }
    for name in ["", " a ", "Größe \u{1f4c1}", "../../etc", "null"] {
        client.expect_of_answer(
            "R3",
            &answer(&serde_json::json!(name).to_string()),
            &Outcome::names(&[("file:///a", Some(name))]),
        );
    }
}

fn r4_meta_of_a_root_is_an_object(client: &Client) {
    let answer = |meta: &str| format!(r#"{{"roots":[{{"uri":"file:///a","_meta":{meta}}}]}}"#);
    for meta in ["null", "[]", "5", r#""x""#, "true"] {
        client.expect_of_answer("R4", &answer(meta), &Outcome::invalid_answer());
    }
    for meta in ["{}", r#"{"a b":[null],"":1}"#] {
        client.expect_of_answer("R4", &answer(meta), &Outcome::names(&[("file:///a", None)]));
    }
}

fn r5_r6_unknown_members_are_allowed(client: &Client) {
    for answer in [
        r#"{"roots":[{"uri":"file:///a"}],"_meta":null}"#,
        r#"{"_meta":[1],"roots":[{"uri":"file:///a"}]}"#,
        r#"{"resultType":"complete","roots":[{"uri":"file:///a"}],"nextCursor":"2"}"#,
        r#"{"roots":[{"description":5,"uri":"file:///a","path":"/b"}],"more":{"roots":null}}"#,
    ] {
        client.expect_of_answer("R6", answer, &Outcome::names(&[("file:///a", None)]));
    }
}

fn r7_every_root_is_judged_and_named_in_its_order(client: &Client) {
    let of = |uris: &[&str]| {
        let roots: Vec<_> = uris.iter().map(|uri| format!(r#"{{"uri":"{uri}"}}"#)).collect();
        format!(r#"{{"roots":[{}]}}"#, roots.join(","))
    };
    let many: Vec<_> = (0..1000).rev().map(|number| format!("file:///{number}")).collect();
    let many: Vec<_> = many.iter().map(String::as_str).collect();
    let lists: [&[&str]; 5] = [
        &[],
        &["file:///b", "file:///a", "file:///c"],
        &["file:///a", "file:///a", "file:///a"],
        &["file:///a/b", "file:///a", "file:///"],
        &many,
    ];
    for uris in lists {
        let roots: Vec<_> = uris.iter().map(|uri| (*uri, None)).collect();
        client.expect_of_answer("R7", &of(uris), &Outcome::names(&roots));
    }
    for bad in ["http://x", "file:///a b", "/a"] {
        for uris in [[bad, "file:///a"], ["file:///a", bad]] {
            client.expect_of_answer("R7", &of(&uris), &Outcome::invalid_answer());
        }
    }
}

fn refuses_uris(client: &Client, rule: &str, uris: &[&str]) {
    for uri in uris {
        let answer = serde_json::json!({"roots": [{"uri": uri}]}).to_string();
        client.expect_of_answer(rule, &answer, &Outcome::invalid_answer());
    }
}

fn u1_a_uri_begins_with_file(client: &Client) {
    refuses_uris(
        client,
        "U1",
        &[
            "",
            "/home/me",
            "C:\\Users\\me",
            "C:/Users/me",
            "~",
            "FILE:///a",
            "File:///a",
            " file:///a",
            "file:/a",
            "file:",
            "http://host/a",
            "vscode-remote://host/a",
            "https://host/file:///a",
        ],
    );
}

fn u2_a_uri_is_one_by_rfc_3986(client: &Client) {
    refuses_uris(
        client,
        "U2",
        &[
            "file:///a b",
            "file:///a ",
            "file:///caf\u{e9}",
            "file:///a\\b",
            "file:///a\u{0}",
            "file:///a\u{1}b",
            "file:///a\n",
            "file:///a\u{7f}",
            "file:///<a>",
            "file:///\"a\"",
            "file:///a{b}",
            "file:///a|b",
            "file:///a^b",
            "file:///a`b",
            "file:///[a]",
            "file:///100%",
            "file:///%4",
            "file:///%zz",
            "file:///a#b#c",
            "file://host:x/a",
            "file://[::1/a",
            "file://[::1]x/a",
            "file://[::zz]/a",
            "file://ho st/a",
        ],
    );
}

fn u3_a_uri_is_named_byte_for_byte(client: &Client) {
    for uri in [
        "file://",
        "file:///",
        "file:///a/",
        "file:///a//b///",
        "file:///a/./b/../c",
        "file:///%41%2f%2F%5c%00",
        "file:///%c3%A9",
        "file:///C:/Users/me",
        "file:///c%3A/",
        "file://LOCALHOST/a",
        "file://Host.Example/a",
        "file://user:word@host:123456/a",
        "file://[::1]/a",
        "file://[v1.x]/a",
        "file:///a?query=1&b",
        "file:///a#fragment",
        "file:///a;b=c,d(e)!*'@:$&+~._-",
    ] {
        let answer = serde_json::json!({"roots": [{"uri": uri, "name": uri}]}).to_string();
        client.expect_of_answer("U3", &answer, &Outcome::names(&[(uri, Some(uri))]));
    }
    let escaped = r#"{"roots":[{"uri":"f\u0069le:\/\/\/a","name":"\u00e9\ud83d\udcc1"}]}"#;
    client.expect_of_answer("U3", escaped, &Outcome::names(&[("file:///a", Some("\u{e9}\u{1f4c1}"))]));
}

fn j2_j3_ignored_members_are_read_strictly(client: &Client) {
    let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
    for value in ["1e999", "-1e999", r#""\ud800""#, r#""\udc00x""#, r#"{"\ud800":1}"#, &deep] {
        for members in [
            format!(r#""more":{value}"#),
            format!(r#""inputResponses":{{"other":{value},"client_roots":{{"roots":[]}}}}"#),
            format!(r#""inputResponses":{{"client_roots":{{"roots":[],"more":{value}}}}}"#),
        ] {
            client.expect_of("J3", &members, &Outcome::invalid_request());
        }
    }
}

fn j6_a_name_stands_once_in_an_object(client: &Client) {
    let roots = r#""client_roots":{"roots":[]}"#;
    for members in [
        format!(r#""inputResponses":{{{roots}}},"inputResponses":{{{roots}}}"#),
        format!(r#""inputResponses":{{{roots},{roots}}}"#),
        format!(r#""inputResponses":{{{roots},"clie\u006et_roots":null}}"#),
        format!(r#""inputResponses":{{{roots},"other":{{"a":1,"\u0061":1}}}}"#),
        format!(r#""inputResponses":{{"other":{{"x":[{{"a":1,"a":1}}]}},{roots}}}"#),
        r#""inputResponses":{"client_roots":{"roots":[],"roots":[]}}"#.to_owned(),
        r#""inputResponses":{"client_roots":{"roots":[{"uri":"file:///a","uri":"file:///b"}]}}"#.to_owned(),
        r#""inputResponses":{"client_roots":{"roots":[{"uri":"file:///a","name":"a","name":"b"}]}}"#
            .to_owned(),
        r#""inputResponses":{"client_roots":{"roots":[{"uri":"file:///a","_meta":{"a":1,"a":1}}]}}"#
            .to_owned(),
        r#""more":{"a":1,"a":2}"#.to_owned(),
        r#""name":"another_tool""#.to_owned(),
    ] {
        client.expect_of("J6", &members, &Outcome::invalid_request());
    }
    for meta in [
        format!("{DECLARED},{DECLARED}"),
        r#""io.modelcontextprotocol/clientCapabilities":{"roots":{},"roots":null}"#.to_owned(),
        r#""io.modelcontextprotocol/clientCapabilities":{"roots":{"a":1,"a":1}}"#.to_owned(),
        format!(r#"{DECLARED},"progressToken":1,"progressToken":2"#),
    ] {
        client.expect("J6", LIST_ROOTS, &params(LIST_ROOTS, &meta, ""), &Outcome::invalid_request());
    }
    client.expect_of_answer("J6", r#"{"roots":[],"Roots":null,"ROOTS":{}}"#, &Outcome::names(&[]));
}

fn e1_an_error_repeats_nothing(client: &Client) {
    let secret = "file:///secret folder";
    client.expect_of_answer(
        "E1",
        &format!(r#"{{"roots":[{{"uri":"{secret}"}}]}}"#),
        &Outcome::invalid_answer(),
    );
    client.expect_of_answer("E1", &format!(r#"{{"{secret}":1,"{secret}":2}}"#), &Outcome::invalid_request());
    let meta = format!(r#""io.modelcontextprotocol/clientCapabilities":"{secret}""#);
    client.expect("E1", LIST_ROOTS, &params(LIST_ROOTS, &meta, ""), &Outcome::invalid_request());
    let meta = format!(r#""io.modelcontextprotocol/clientCapabilities":{{"roots":"{secret}"}}"#);
    client.expect("E1", LIST_ROOTS, &params(LIST_ROOTS, &meta, ""), &Outcome::undeclared());
}
