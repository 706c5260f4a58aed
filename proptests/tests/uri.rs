//! Root URIs under the law that holds them against three other readers.

use std::collections::BTreeSet;

use arbitrary::{Arbitrary, Unstructured};
use mcp_roots_proptests::laws::{self, Divergence};
use mcp_roots_proptests::uri::{self, Authority, DOTS, HOSTS, Host, Ipv6, Piece, Port, SLIPS, Segment, Uri};
use mcp_roots_proptests::{Accepted, Case, Core, Door, PLANTED, Refusal, Validator, Verdict, detect};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

fn runner() -> TestRunner {
    let config = Config { failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

/// As many as the property test draws by default, the same each time.
fn drawn() -> impl Iterator<Item = Uri> {
    let mut runner = runner();
    (0..detect::CASES).map(move |_| uri::uri().new_tree(&mut runner).expect("it draws").current())
}

fn is_valid(uri: &str) -> bool {
    let doc = serde_json::json!({"roots": [{"uri": uri}]});
    mcp_roots::validate_response(&doc).is_ok()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: detect::CASES, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn uris_and_near_misses_are_judged_right(uri in uri::uri()) {
        laws::root_uri_judged_right(&Core, &uri.text());
        prop_assert!(uri.slip.is_some() || is_valid(&uri.text()));
    }

    #[test]
    fn any_text_is_judged_right(start in prop_oneof!["file://", "(?i:file):[/\\\\]{0,3}", ""], rest in ".{0,12}") {
        laws::root_uri_judged_right(&Core, &(start + &rest));
    }

    #[test]
    fn marks_of_uris_in_any_order_are_judged_right(rest in r"[a-cvC0-9:/?#@\[\].%|\\2eEF ']{0,16}") {
        laws::root_uri_judged_right(&Core, &format!("file://{rest}"));
    }
}

#[test]
fn the_committed_uris_are_judged_as_it_is_said() {
    let examples = uri::examples().unwrap();
    let mut differ = BTreeSet::new();
    for example in &examples {
        let said: BTreeSet<_> =
            example.differs.iter().map(|name| Divergence::named(name).expect(name)).collect();
        let needed: BTreeSet<_> = laws::root_uri_judged_right(&Core, &example.text).into_iter().collect();
        assert_eq!(needed, said, "{example:?}");
        differ.extend(needed);
        let doc = serde_json::json!({"roots": [{"uri": example.text}]});
        let verdict = mcp_roots::validate_response(&doc);
        let verdict =
            verdict.map_or_else(|error| format!("reject {}", error.rule()), |_| "accept".to_owned());
        assert_eq!(verdict, example.expect, "{example:?}");
        assert!(example.shows.len() > 5, "{example:?}");
    }
    assert_eq!(examples.len(), EXAMPLES);
    assert_eq!(examples.iter().map(|example| &example.text).collect::<BTreeSet<_>>().len(), EXAMPLES);
    assert_eq!(differ, Divergence::ALL.iter().copied().collect(), "each divergence has an example");
}

/// The committed URIs only become more.
const EXAMPLES: usize = 157;

#[test]
fn every_divergence_names_its_clauses() {
    for divergence in Divergence::ALL {
        let clause = divergence.clause();
        assert!(clause.contains("RFC 3986") || clause.starts_with("U1"), "{clause}");
        assert!(
            ["state", "parser", "set has it", "serializer", "shorten"]
                .iter()
                .any(|part| clause.contains(part)),
            "{clause}"
        );
        assert_eq!(Divergence::named(&format!("{divergence:?}")), Some(*divergence));
    }
    assert_eq!(Divergence::ALL.len(), 31);
}

/// What a model has, by name.
fn parts_of(uri: &Uri) -> Vec<String> {
    let mut parts = Vec::new();
    let mut pieces = |place: &str, pieces: &[Piece]| {
        for piece in pieces {
            parts.push(match piece {
                Piece::Plain(_) => format!("{place}: plain"),
                Piece::Encoded(_, is_upper) => format!("{place}: encoded, upper case {is_upper}"),
                Piece::Mark(_) => format!("{place}: mark"),
            });
        }
    };
    if let Authority::Server { user, host, .. } = &uri.authority {
        pieces("user", user.as_deref().unwrap_or(&[]));
        match host {
            Host::Name(name) => pieces("name", name),
            Host::IpvFuture(_, address) => pieces("IPvFuture", address),
            _ => {}
        }
    }
    for segment in &uri.segments {
        if let Segment::Any(segment) = segment {
            pieces("segment", segment);
        }
    }
    pieces("query", uri.query.as_deref().unwrap_or(&[]));
    pieces("fragment", uri.fragment.as_deref().unwrap_or(&[]));
    for segment in &uri.segments {
        parts.push(match segment {
            Segment::Any(pieces) if pieces.is_empty() => "segment: empty".to_owned(),
            Segment::Any(_) => "segment".to_owned(),
            Segment::Dots(which) => format!("segment {}", DOTS[usize::from(*which) % DOTS.len()]),
            Segment::Drive(_) => "segment: a drive".to_owned(),
        });
    }
    match &uri.authority {
        Authority::Empty => parts.push("no authority".to_owned()),
        Authority::Drive(_) => parts.push("authority: a drive".to_owned()),
        Authority::Server { host, port, .. } => {
            parts.push(match host {
                Host::Name(pieces) if pieces.is_empty() => "host: empty".to_owned(),
                Host::Name(_) => "host: a name".to_owned(),
                Host::Known(which) => format!("host: {}", HOSTS[usize::from(*which) % HOSTS.len()]),
                Host::Ipv4(_) => "host: IPv4".to_owned(),
                Host::Ipv6(Ipv6 { omitted, has_ipv4, .. }) => {
                    format!("host: IPv6, abbreviated {}, with IPv4 {has_ipv4}", omitted.is_some())
                }
                Host::IpvFuture(..) => "host: IPvFuture".to_owned(),
            });
            parts.push(match port {
                None => "no port".to_owned(),
                Some(Port::Empty) => "port: empty".to_owned(),
                Some(Port::Number(_)) => "port".to_owned(),
                Some(Port::Zeros(..)) => "port: leading zeros".to_owned(),
                Some(Port::Long(_)) => "port: long".to_owned(),
            });
        }
    }
    if let Some(slip) = &uri.slip {
        parts.push(format!("slip {:?}", slip.how()));
    }
    parts
}

/// All that models can have: four kinds of pieces in each of the six that are made of them, segments,
/// authorities, hosts, ports and slips.
fn possible_parts() -> usize {
    6 * 4 + (3 + DOTS.len()) + 2 + (8 + HOSTS.len()) + 5 + SLIPS.len()
}

/// Draws until all are drawn; gives the parts that were met and the divergences, and panics unless
/// both valid and invalid strings have a share.
fn reach(drawn: impl Iterator<Item = Uri>) -> (BTreeSet<String>, BTreeSet<Divergence>) {
    let (mut parts, mut divergences) = (BTreeSet::new(), BTreeSet::new());
    let (mut count, mut valid, mut same) = (0, 0, 0);
    for uri in drawn {
        let text = uri.text();
        let needed = laws::root_uri_judged_right(&Core, &text);
        count += 1;
        valid += usize::from(is_valid(&text));
        same += usize::from(needed.is_empty());
        assert!(uri.slip.is_some() || is_valid(&text), "{text}");
        parts.extend(parts_of(&uri));
        divergences.extend(needed);
    }
    let share = 100 * valid / count;
    assert!((40..=75).contains(&share), "{share} % are valid");
    let share = 100 * same / count;
    assert!((10..=70).contains(&share), "{share} % are judged the same by all");
    (parts, divergences)
}

#[test]
fn the_strategy_reaches_every_part_every_near_miss_and_every_divergence() {
    let (parts, divergences) = reach(drawn());
    assert_eq!(divergences, Divergence::ALL.iter().copied().collect());
    assert_eq!(parts.len(), possible_parts(), "{parts:?}");
}

#[test]
fn a_fuzzers_bytes_reach_every_part_every_near_miss_and_every_divergence() {
    let mut state = 1_u64;
    let mut bytes = move || -> Vec<u8> {
        let byte = |_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state.to_be_bytes()[0]
        };
        (0..120).map(byte).collect()
    };
    let drawn = (0..12_000).map(|_| Uri::arbitrary(&mut Unstructured::new(&bytes())).expect("it draws"));
    let (parts, divergences) = reach(drawn);
    assert_eq!(divergences, Divergence::ALL.iter().copied().collect());
    assert_eq!(parts.len(), possible_parts(), "{parts:?}");
}

#[test]
fn every_abbreviation_of_an_ipv6_address_is_valid() {
    let mut count = 0;
    for has_ipv4 in [false, true] {
        let groups: u8 = if has_ipv4 { 6 } else { 8 };
        let omissions =
            (0..groups).flat_map(|first| (0..groups - first).map(move |more| Some((first, more))));
        for omitted in omissions.chain([None]) {
            for (is_upper, is_padded) in [(false, false), (false, true), (true, false), (true, true)] {
                let groups = [0x2001, 0xdb8, 0, 0xa, 0, 0, 0xc000, 0x0201];
                let address = Ipv6 { groups, omitted, has_ipv4, is_upper, is_padded }.text();
                let uri = format!("file://[{address}]/a");
                laws::root_uri_judged_right(&Core, &uri);
                assert!(is_valid(&uri), "{uri}");
                count += 1;
            }
        }
    }
    assert_eq!(count, 4 * (36 + 1 + 21 + 1));
}

#[test]
fn ipv6_addresses_of_any_length_are_judged_right() {
    let (mut count, mut valid) = (0, 0);
    for groups in 0..10 {
        for tail in ["", "192.0.2.1"] {
            for gap in (0..=groups).map(Some).chain([None]) {
                let group = |range: std::ops::Range<usize>| vec!["1"; range.len()];
                let join = |mut front: Vec<&'static str>, tail: &'static str| {
                    front.extend((!tail.is_empty()).then_some(tail));
                    front.join(":")
                };
                let address = match gap {
                    Some(gap) => format!("{}::{}", join(group(0..gap), ""), join(group(gap..groups), tail)),
                    None => join(group(0..groups), tail),
                };
                let uri = format!("file://[{address}]");
                laws::root_uri_judged_right(&Core, &uri);
                count += 1;
                valid += usize::from(is_valid(&uri));
            }
        }
    }
    assert_eq!((count, valid), (2 * (55 + 10), 36 + 1 + 21 + 1));
}

/// Judges a document's only URI as it likes.
struct Judge {
    name: &'static str,
    accepts: fn(&str) -> bool,
}

impl Validator for Judge {
    fn judge(&self, case: &Case<'_>, door: Door) -> Option<Verdict> {
        let doc: serde_json::Value = serde_json::from_slice(case.doc).ok()?;
        let uri = doc["roots"][0]["uri"].as_str().expect("a URI");
        let verdict = Core.judge(case, door)?;
        Some(match ((self.accepts)(uri), verdict.is_accept()) {
            (true, false) => Verdict::Accept(Accepted { roots: vec![(uri.to_owned(), None)] }),
            (false, true) => {
                Verdict::Reject(Refusal { rule: "U2".to_owned(), at: "/roots/0/uri".to_owned() })
            }
            _ => verdict,
        })
    }
}

const WRONG: &[Judge] = &[
    Judge { name: "a raw space is accepted", accepts: |uri| is_valid(&uri.replace(' ', "%20")) },
    Judge { name: "%zz is accepted", accepts: |uri| is_valid(&uri.replace("%zz", "%20")) },
    Judge {
        name: "a percent-encoding cut off is accepted",
        accepts: |uri| is_valid(uri.strip_suffix("%2").unwrap_or(uri)),
    },
    Judge {
        name: "a bracket in a path is accepted",
        accepts: |uri| {
            is_valid(uri) || uri.starts_with("file:///") && is_valid(&uri.replace(['[', ']'], "x"))
        },
    },
    Judge {
        name: "IPvFuture is refused",
        accepts: |uri| is_valid(uri) && !uri.to_lowercase().contains("[v"),
    },
    Judge {
        name: "a port of more than five digits is refused",
        accepts: |uri| {
            let authority = uri.get(7..).unwrap_or("").split(['/', '?', '#']).next().unwrap_or("");
            let port = authority.rsplit_once(':').map_or("", |(_, port)| port);
            is_valid(uri) && !(port.len() > 5 && port.bytes().all(|byte| byte.is_ascii_digit()))
        },
    },
    Judge { name: "an empty port is refused", accepts: |uri| is_valid(uri) && !uri.ends_with(':') },
    Judge {
        name: "a user is refused",
        accepts: |uri| is_valid(uri) && !uri.split('/').nth(2).unwrap_or("").contains('@'),
    },
    Judge { name: "a second fragment is accepted", accepts: |uri| is_valid(&uri.replace("##", "#")) },
    Judge { name: "a zone id is accepted", accepts: |uri| is_valid(&uri.replace("%25eth0]", "]")) },
    Judge {
        name: "an octet may have a leading zero",
        accepts: |uri| is_valid(&uri.replace("::01.", "::1.")),
    },
    Judge {
        name: "`::` may stand for nothing",
        accepts: |uri| is_valid(uri) || uri.contains("[1:2:3:4:5:6:7::8]"),
    },
    Judge { name: "a drive may have a bar", accepts: |uri| is_valid(&uri.replace("C|", "C:")) },
    Judge { name: "a backslash is a slash", accepts: |uri| is_valid(&uri.replace('\\', "/")) },
    Judge { name: "a line break is dropped", accepts: |uri| is_valid(&uri.replace(['\t', '\n', '\r'], "")) },
    Judge { name: "blanks are trimmed", accepts: |uri| is_valid(uri.trim_matches(|c| c <= ' ')) },
    Judge {
        name: "letters beyond ASCII are accepted",
        accepts: |uri| is_valid(&uri.replace(|c: char| !c.is_ascii(), "x")),
    },
    Judge {
        name: "the prefix is compared without case",
        accepts: |uri| {
            let is_prefix = uri.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("file://"));
            is_valid(uri) || is_prefix && is_valid(&format!("file://{}", &uri[7..]))
        },
    },
    Judge {
        name: "any scheme is accepted",
        accepts: |uri| is_valid(uri) || is_valid(&uri.replacen("http", "file", 1)),
    },
    Judge {
        name: "the URL Standard decides",
        accepts: |uri| url::Url::parse(uri).is_ok_and(|url| url.scheme() == "file"),
    },
];

fn finds(validator: &dyn Validator, uri: &str) -> bool {
    detect::quietly(|| drop(laws::root_uri_judged_right(validator, uri))).is_err()
}

#[test]
fn a_wrong_judge_of_uris_is_found() {
    let right = Judge { name: "right", accepts: is_valid };
    assert!(drawn().all(|uri| !finds(&right, &uri.text())));
    for judge in WRONG {
        assert!(drawn().any(|uri| finds(judge, &uri.text())), "{}", judge.name);
    }
    assert_eq!(WRONG.len(), 20);
}

#[test]
fn every_planted_fault_of_a_uri_is_found() {
    let committed: Vec<String> = uri::examples().unwrap().into_iter().map(|example| example.text).collect();
    let mut found = 0;
    for planted in PLANTED.iter().filter(|planted| planted.rule.starts_with('U')) {
        let is_found =
            committed.iter().any(|uri| finds(planted, uri)) || drawn().any(|uri| finds(planted, &uri.text()));
        assert!(is_found, "{}", planted.name);
        found += 1;
    }
    assert!(found >= 28, "{found}");
}

#[test]
fn a_failing_uri_shrinks_to_one_that_can_be_read() {
    let lax = WRONG.iter().find(|judge| judge.name == "a backslash is a slash").expect("it is there");
    let outcome = runner().run(&uri::uri(), |uri| {
        if finds(lax, &uri.text()) { Err(TestCaseError::fail("lax")) } else { Ok(()) }
    });
    let Err(proptest::test_runner::TestError::Fail(_, uri)) = outcome else { panic!("{outcome:?}") };
    assert!(uri.text().len() <= 12, "{:?}", uri.text());
}
