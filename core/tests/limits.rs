//! What no document in a file shows: size, depth, time, identity, and what callers get.

use std::time::{Duration, Instant};

use mcp_roots::{Changes, RootsSession, RootsView, roots_input, validate_request, validate_response};
use mcp_roots::{
    Document, Error, Failure, FilePath, Held, NoFilePath, Platform, Revision, Root, client_capabilities,
    list, require, response, supported,
};
use serde_json::{Value, json};

fn fault(error: &Error) -> (&'static str, &str) {
    (error.rule(), error.at())
}

/// In an ignored member, `[` so many times.
fn nested(depth: usize) -> String {
    format!(r#"{{"roots":[],"deep":{}{}}}"#, "[".repeat(depth), "]".repeat(depth))
}

#[test]
fn j3_127_levels_are_accepted_and_128_refused() {
    assert!(validate_response(&nested(126)).is_ok());
    for depth in [127, 128, 1000, 1_000_000] {
        assert_eq!(fault(&validate_response(&nested(depth)).unwrap_err()), ("J2", ""));
    }
}

#[test]
fn j4_a_value_100_000_deep_is_judged_without_harm() {
    // Not by `json!`, which copies what it is given, a stack frame a level.
    let object = |members: Vec<(&str, Value)>| {
        Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    };
    let mut deep = Value::Null;
    for level in 0..100_000 {
        deep = if level % 2 == 0 { Value::Array(vec![deep]) } else { object(vec![("a", deep)]) };
    }
    let root = object(vec![("uri", "file:///a".into()), ("ignored", deep)]);
    let result = object(vec![("roots", Value::Array(vec![root]))]);
    assert_eq!(validate_response(&result).unwrap().roots().len(), 1);
    let map = object(vec![("client_roots", Value::Null), ("other", result)]);
    assert_eq!(fault(&response(&map, "client_roots", &list()).unwrap_err()), ("R1", "/client_roots"));
    let meta = json!({"io.modelcontextprotocol/clientCapabilities": {"roots": {}}});
    let params = object(vec![("_meta", meta), ("inputResponses", map)]);
    let error = roots_input(&params, "client_roots").unwrap_err();
    assert_eq!(fault(&error), ("R1", "/inputResponses/client_roots"));
    let mut session = RootsSession::new(Revision::V2025_11_25);
    let handshake = object(vec![("capabilities", json!({"roots": {}})), ("ignored", params)]);
    session.on_initialize(&handshake).unwrap();
    session.on_initialized();
    assert!(session.ask(1).is_some());
    let good = object(vec![("roots", Value::Array(Vec::new())), ("z", handshake)]);
    let message = object(vec![("id", 1.into()), ("result", good)]);
    assert!(session.on_response(&message).unwrap());
    assert_eq!(session.view(), RootsView::Current(&[], Changes::Unannounced));
    // To drop it, level by level, since dropping it whole takes a stack frame a level.
    let mut rest = message;
    while let Some(next) = match rest {
        Value::Array(items) => items.into_iter().next(),
        Value::Object(members) => {
            // Above, the deepest member is always the last.
            let deeper = |value: &Value| value.is_array() || value.is_object();
            members.into_iter().map(|(_, value)| value).rfind(deeper)
        }
        _ => None,
    } {
        rest = next;
    }
}

/// An object with so many members besides `roots`.
fn many_members(count: usize, name: impl Fn(usize) -> String) -> String {
    let members: Vec<String> = (0..count).map(|index| format!(r#""{}":0"#, name(index))).collect();
    format!(r#"{{"roots":[],{}}}"#, members.join(","))
}

#[test]
fn j4_many_names_take_no_quadratic_time_however_they_are_chosen() {
    let time = |text: &str| {
        let start = Instant::now();
        assert!(validate_response(text).is_ok());
        start.elapsed()
    };
    let names: [fn(usize) -> String; 4] = [
        |index| format!("member-{index}"),
        |index| format!("{index:06}-the same end"),
        |index| format!("{}{index}", "a long common beginning ".repeat(4)),
        // Equal in every eighth byte and after it.
        |index| format!("{index:08}{index:08}"),
    ];
    for name in names {
        let small = many_members(2_000, name);
        let large = many_members(100_000, name);
        let fastest = |text: &str| (0..5).map(|_| time(text)).min().unwrap_or(Duration::MAX);
        let ratio = fastest(&large).as_secs_f64() / fastest(&small).as_secs_f64();
        // Fifty times the members: linear is 50, quadratic 2,500.
        assert!(ratio < 500.0, "{ratio}");
    }
}

#[test]
fn j6_the_last_of_100_000_names_is_still_compared_with_the_first() {
    let text = many_members(100_000, |index| format!("{}", index % 99_999));
    assert_eq!(fault(&validate_response(&text).unwrap_err()), ("J6", ""));
    // A duplicate comes before a fault that follows it, and not before one that it follows.
    for count in [2, 8, 9, 10, 40, 1000] {
        let twice = many_members(count, |index| format!("{}", index % (count - 1)));
        let members = twice.trim_start_matches(r#"{"roots":[],"#).trim_end_matches('}');
        let before = format!(r#"{{{members},"roots":7}}"#);
        let after = format!(r#"{{"roots":7,{members}}}"#);
        assert_eq!(fault(&validate_response(&before).unwrap_err()), ("J6", ""), "{count}");
        assert_eq!(fault(&validate_response(&after).unwrap_err()), ("R1", "/roots"), "{count}");
    }
}

#[test]
fn j6_names_with_escapes_are_compared_by_what_they_say_at_every_depth() {
    let inner = r#"{"\u0061":{"\n":0,"b":0},"\u0062":{"\n":0}}"#;
    for count in [1, 20] {
        let others: Vec<String> = (0..count).map(|index| format!(r#""\u00e9{index}":{inner}"#)).collect();
        let others = others.join(",");
        for (twice, is_valid) in [
            (r#""\u0061":0,"b":0"#, true),
            (r#""\u0061":0,"a":0"#, false),
            (r#""a":0,"\u0061":0"#, false),
            (r#""\u0061":0,"\u0061":0"#, false),
            (r#""c":{"\u0061":0,"a":0}"#, false),
            (r#""c":{"\u0061":{"a":0}}"#, true),
        ] {
            for members in [format!("{twice},{others}"), format!("{others},{twice}")] {
                let verdict = validate_response(&format!(r#"{{"roots":[],{members}}}"#)).map(drop);
                let expected = if is_valid { Ok(()) } else { Err(("J6", "")) };
                assert_eq!(verdict.as_ref().map(drop).map_err(fault), expected, "{members}");
            }
        }
    }
}

#[test]
fn r7_the_last_of_many_roots_is_given_and_its_faults_are_placed() {
    for count in [256, 300, 1001, 70_000] {
        let roots = vec![r#"{"uri":"file:///a"}"#; count].join(",");
        assert_eq!(validate_response(&format!(r#"{{"roots":[{roots}]}}"#)).unwrap().roots().len(), count);
        let error = validate_response(&format!(r#"{{"roots":[{roots},{{}}]}}"#)).unwrap_err();
        assert_eq!(fault(&error), ("R2", &*format!("/roots/{count}")));
    }
}

#[test]
fn a4_and_c1_the_request_is_judged_in_every_form() {
    let map = r#"{"client_roots":{"roots":[]}}"#;
    let bad = json!({"method": "roots/list", "id": 1});
    let bad_text = bad.to_string();
    for (request, rule) in [
        (Document::from(&bad), "Q3"),
        (Document::from(&bad_text), "Q3"),
        (Document::from(b"\xff"), "J1"),
        (Document::Absent, "Q2"),
    ] {
        assert_eq!(fault(&response(map, "client_roots", request).unwrap_err()), ("A4", ""));
        // The request comes first, whatever the capabilities are.
        let error = require(request, "[").unwrap_err();
        assert_eq!((error.rule(), error.code()), (rule, -32602));
    }
    assert_eq!(require(&bad, "{}").unwrap_err().rule(), "Q3");
    assert_eq!(fault(&require(r#"{"method":"x"}"#, b"\xff").unwrap_err()), ("Q2", "/method"));
    let good = json!({"method": "roots/list"});
    assert!(response(map, "client_roots", &good).unwrap().is_some() && supported(&good, r#"{"roots":{}}"#));
}

#[test]
fn e2_a_long_id_stands_whole_in_the_place() {
    let id = "an id ".repeat(100);
    let map = json!({ &id: null });
    assert_eq!(fault(&response(&map, &id, &list()).unwrap_err()), ("R1", &*format!("/{id}")));
}

#[test]
fn equal_answers_are_equal_wherever_they_stand() {
    let answer = |map| response(map, "a", &list()).unwrap();
    assert_eq!(answer(r#"{"a":{"roots":[]}}"#), answer(r#"{"b":0,"a":{"roots":[]}}"#));
    assert_ne!(answer(r#"{"a":{"roots":[]}}"#), answer(r#"{"a":{"roots":[],"n":0}}"#));

    let result = |text| Revision::default().validate_response_leniently(text).unwrap();
    let texts =
        [r#"{"roots":[{"uri":"x:"}]}"#, r#" {"roots":[{"uri":"x:"}]}"#, r#"{"roots":[{"uri":"y:"}]}"#];
    for (left, one) in texts.into_iter().enumerate() {
        for (right, other) in texts.into_iter().enumerate() {
            assert_eq!(result(one) == result(other), left == right, "{one} {other}");
        }
    }
}

#[test]
fn e2_an_error_says_rule_place_and_what_is_asked_for() {
    let error = validate_response(r#"{"roots":[{"uri":"/home/me"}]}"#).unwrap_err();
    assert_eq!(error.to_string(), r#"U1 at "/roots/0/uri": the uri of a root must begin with file://"#);
}

#[test]
fn j5_what_is_kept_is_the_callers_own() {
    let text = String::from(r#" {"roots":[{"uri":"file:///a","name":"A"}], "n": 1.50e0 } "#);
    let result = validate_response(&text).unwrap();
    let Document::Text(kept) = result.document() else { panic!("text") };
    assert!(std::ptr::eq(kept, text.as_str()));
    assert!(text.as_bytes().as_ptr_range().contains(&result.roots()[0].uri().as_ptr()), "borrowed");
    assert!(text.as_bytes().as_ptr_range().contains(&result.roots()[0].name().unwrap().as_ptr()), "borrowed");

    let map = format!("{{\"\\u0061\":[], \"b\" :\n{text},\"c\":{{}}}}");
    let result = response(map.as_bytes(), "b", &list()).unwrap().unwrap();
    assert_eq!(result.document(), Document::Text(text.trim()));

    let value: Value = serde_json::from_str(&map).unwrap();
    let result = response(&value, "b", &list()).unwrap().unwrap();
    let Document::Value(kept) = result.document() else { panic!("a value") };
    assert!(std::ptr::eq(kept, &raw const value["b"]));
}

#[test]
fn j5_the_kept_answer_is_found_behind_any_neighbours() {
    let neighbours = [
        r#""a":"}],{\"""#,
        r#""b" : [1,{"client_roots":{}}]"#,
        r#""c":-0.5e+1"#,
        r#""":null"#,
        r#""{":true"#,
    ];
    for first in 0..neighbours.len() {
        let (before, after) = neighbours.split_at(first);
        let members = [before, &[r#""client_roots"	: {"roots":[ ]}"#], after].concat();
        let map = format!(" {{ {} }} ", members.join(" , "));
        let result = response(&map, "client_roots", &list()).unwrap().unwrap();
        assert_eq!(result.document(), Document::Text(r#"{"roots":[ ]}"#));
        let meta = map.replace("client_roots\"	", "io.modelcontextprotocol\\/clientCapabilities\"	");
        assert_eq!(client_capabilities(&meta).unwrap(), Document::Text(r#"{"roots":[ ]}"#));
    }
}

#[test]
fn a1_absent_input_responses_are_missing_and_absent_documents_are_refused() {
    let none = None::<&Value>;
    assert_eq!(response(none, "client_roots", &list()), Ok(None));
    // The request is not looked at where there is no answer (A4).
    assert_eq!(response(Document::Absent, "client_roots", "no request"), Ok(None));
    assert_eq!(response("{}", "client_roots", "no request"), Ok(None));
    assert_eq!(fault(&response(&Value::Null, "client_roots", &list()).unwrap_err()), ("A2", ""));
    assert_eq!(fault(&validate_response(none).unwrap_err()), ("R1", ""));
    assert_eq!(fault(&validate_request(none).unwrap_err()), ("Q2", ""));
    assert_eq!(fault(&Revision::V2025_11_25.validate_request(none).unwrap_err()), ("Q5", ""));
    assert_eq!(fault(&require(&list(), none).unwrap_err()), ("C1", ""));
    assert_eq!(fault(&client_capabilities(none).unwrap_err()), ("C5", ""));
}

#[test]
fn a6_the_id_is_compared_exactly_and_stands_escaped_in_the_place() {
    for (id, at) in
        [("", "/"), ("a/b~c", "/a~1b~0c"), ("$serde_json::private::Number", "/$serde_json::private::Number")]
    {
        let map = json!({ id: {"roots": [{"uri": ""}]} });
        for error in
            [response(&map, id, &list()).unwrap_err(), response(&map.to_string(), id, &list()).unwrap_err()]
        {
            assert_eq!(fault(&error), ("U1", &*format!("{at}/roots/0/uri")));
        }
        assert_eq!(response(&map, &format!("{id} "), &list()), Ok(None));
    }
}

#[test]
fn c4_the_error_for_the_peer_is_fixed() {
    let data = json!({"code": -32021, "message": "Missing required client capability", "data": {"requiredCapabilities": {"roots": {}}}});
    for capabilities in ["{}", r#"{"roots":null}"#, "7"] {
        assert_eq!(require(&list(), capabilities).unwrap_err().to_json_rpc(), data);
    }
    let c3 = Revision::V2025_06_18.require(&list(), r#"{"roots":{"listChanged":0}}"#).unwrap_err();
    assert_eq!((c3.rule(), c3.to_json_rpc()), ("C3", data));
    // What breaks J, and a request that is none, are not C4.
    for (request, capabilities, rule) in [
        (r#"{"method":"roots/list"}"#, "{", "J2"),
        (r#"{"method":"roots/list"}"#, r#"{"roots":{},"roots":{}}"#, "J6"),
        (r#"{"method":"roots/list","id":1}"#, "{}", "Q3"),
    ] {
        let error = require(request, capabilities).unwrap_err();
        assert_eq!(
            (error.rule(), error.to_json_rpc()),
            (rule, json!({"code": -32602, "message": "Invalid params"}))
        );
        assert!(!supported(request, capabilities));
    }
}

#[test]
fn e3_an_error_does_not_grow_with_the_document() {
    let long = "secret ".repeat(100_000);
    let size = |doc: &str| {
        let error = validate_response(doc).unwrap_err();
        error.to_string().len() + error.to_json_rpc().to_string().len() + format!("{error:?}").len()
    };
    let bad = |text: &str| format!(r#"{{"{text}":"{text}","roots":[{{"{text}":0,"uri":"{text}"}}]}}"#);
    assert_eq!(size(&bad(&long)), size(&bad("x")));
}

#[test]
fn q1_the_request_built_is_accepted_wherever_a_bare_one_is_asked_for() {
    let request = serde_json::to_string(&list()).unwrap();
    assert_eq!(request, r#"{"method":"roots/list","params":{}}"#);
    validate_request(&list()).unwrap();
    validate_request(&request).unwrap();
    for revision in Revision::ALL {
        assert!(revision.supported(&list(), r#"{"roots":{}}"#));
        assert!(revision.supported(&serde_json::to_value(list()).unwrap(), r#"{"roots":{}}"#));
    }
}

#[test]
fn revisions_have_names_and_an_order() {
    for revision in Revision::ALL {
        assert_eq!(revision.to_string().parse(), Ok(revision));
    }
    assert!(Revision::ALL.is_sorted());
    for unknown in ["", "2026-07-29", "2026-07-28 ", "latest"] {
        assert!(unknown.parse::<Revision>().is_err());
    }
}

#[test]
fn the_free_functions_are_those_of_the_newest_revision() {
    let result = r#"{"roots":[],"_meta":0}"#;
    assert_eq!(validate_response(result), Revision::V2026_07_28.validate_response(result));
    assert!(Revision::V2025_11_25.validate_response(result).is_err());
    let capabilities = r#"{"roots":{"listChanged":0}}"#;
    assert!(supported(&list(), capabilities) && require(&list(), capabilities).is_ok());
    let wire = r#"{"jsonrpc":"2.0","id":1,"method":"roots/list"}"#;
    assert!(validate_request(wire).is_err() && Revision::V2024_11_05.validate_request(wire).is_ok());
}

#[test]
fn an_answer_that_is_shown_shows_no_other_answer() {
    let map = r#"{"client_roots":{"roots":[{"uri":"file:///a"}]},"login":{"content":{"password":"secret"}}}"#;
    for document in [Document::Text(map), Document::Value(&serde_json::from_str(map).unwrap())] {
        let answer = response(document, "client_roots", &list()).unwrap();
        let shown = format!("{answer:?}");
        assert!(!shown.contains("secret"), "{shown}");
        assert_eq!(shown.matches("file:///a").count(), 2, "the root, and the document kept: {shown}");
    }
}

#[test]
fn u5_a_path_is_given_in_every_form_that_it_has() {
    let path = |uri, platform| FilePath::of_uri(uri, platform).unwrap();
    let [posix, windows] =
        [Platform::Posix, Platform::Windows].map(|platform| path("file:///C:/a%20b", platform));
    assert_eq!((posix.platform(), posix.as_str()), (Platform::Posix, Some("/C:/a b")));
    assert_eq!((windows.platform(), windows.as_str()), (Platform::Windows, Some(r"C:\a b")));
    assert_eq!(path("file:///%FF", Platform::Posix).as_str(), None);

    let (of_host, of_other) =
        if Platform::HOST == Platform::Posix { (posix, windows) } else { (windows, posix) };
    assert_eq!(of_host.as_path().and_then(std::path::Path::to_str), of_host.as_str());
    assert_eq!(of_other.as_path(), None);
}

#[test]
fn u5_a_path_is_shown_in_ascii_and_a_reason_names_its_rule() {
    let path = FilePath::of_uri("file:///a%FF", Platform::Posix).unwrap();
    assert_eq!(format!("{path:?}"), r#"FilePath(Posix, "/a\xff")"#);
    let reasons = NoFilePath::ALL.map(|reason| reason.to_string());
    for (reason, shown) in NoFilePath::ALL.iter().zip(&reasons) {
        assert!(shown.starts_with(&format!("{}: ", reason.rule())) && shown.len() > 10, "{shown}");
        assert_eq!(reasons.iter().filter(|other| *other == shown).count(), 1, "{shown}");
    }
    let rule = |uri| FilePath::of_uri(uri, Platform::Posix).unwrap_err().rule();
    assert_eq!([rule("x:"), rule("file:///["), rule("file:///?")], ["U1", "U2", "U5"]);

    let result = validate_response(r#"{"roots":[{"uri":"file:///a"},{"uri":"file:///?"}]}"#).unwrap();
    let paths = result.roots().iter().map(|root: &Root<'_>| root.file_path(Platform::Posix));
    assert!(paths.eq([FilePath::of_path("/a", Platform::Posix), Err(NoFilePath::Query)]));
}

#[test]
fn a_revision_is_shown_as_it_is_written_and_one_that_is_none_by_name() {
    for revision in Revision::ALL {
        assert_eq!(revision.to_string().parse(), Ok(revision));
    }
    let error = "2025-01-01".parse::<Revision>().unwrap_err();
    assert!(error.to_string().contains("revision"), "{error}");
}

#[test]
fn the_code_of_an_error_is_an_integer_that_f64_tells_from_its_neighbours() {
    let largest = (1_i64 << 53) - 1;
    for (code, expected) in
        [(largest, Some(largest)), (-largest, Some(-largest)), (largest + 1, None), (-largest - 1, None)]
    {
        let mut session = RootsSession::new(Revision::V2025_11_25);
        session.on_initialize(r#"{"capabilities":{"roots":{}}}"#).unwrap();
        session.on_initialized();
        session.ask(1).unwrap();
        let response = format!(r#"{{"jsonrpc":"2.0","id":1,"error":{{"code":{code},"message":""}}}}"#);
        assert!(session.on_response(&response).unwrap());
        assert_eq!(session.view(), RootsView::Failed(&Failure::Error(expected), Held::Nothing), "{code}");
    }
}
