//! What harness and adapter say to each other: version 1 of the protocol of `ADAPTERS.md`.

use std::io::Write as _;
use std::str::FromStr;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use mcp_roots::Revision;
use mcp_roots_proptests::{Case, Target};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The version of the protocol.
pub const VERSION: u64 = 1;

/// The first line to an adapter, with its line break.
///
/// ```
/// assert_eq!(mcp_roots_harness::protocol::greeting(), b"{\"hello\":{\"protocol\":1}}\n");
/// ```
#[must_use]
pub fn greeting() -> Vec<u8> {
    format!("{}\n", json!({"hello": {"protocol": VERSION}})).into_bytes()
}

/// What an adapter says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hello {
    /// The implementation's name.
    pub name: String,
    /// Its version; empty where the adapter says none.
    pub version: String,
    /// Its language; empty where the adapter says none.
    pub language: String,
    /// What it can judge.
    pub targets: Vec<Target>,
    /// By the rules of which revisions.
    pub revisions: Vec<Revision>,
}

impl Hello {
    /// Reads an adapter's first line.
    ///
    /// # Errors
    ///
    /// What is wrong with it, in a line.
    ///
    /// ```
    /// use mcp_roots_harness::protocol::Hello;
    /// let line = br#"{"hello":{"protocol":1,"name":"mine","targets":["response"],"revisions":["2026-07-28"]}}"#;
    /// assert_eq!(Hello::read(line).unwrap().name, "mine");
    /// assert!(Hello::read(b"Starting ...").is_err());
    /// ```
    pub fn read(line: &[u8]) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Said {
            protocol: Value,
            name: String,
            #[serde(default)]
            version: String,
            #[serde(default)]
            language: String,
            targets: Vec<String>,
            revisions: Vec<String>,
        }
        let line: Value = serde_json::from_slice(line).map_err(|error| format!("it is not JSON: {error}"))?;
        let hello = line.get("hello").filter(|hello| hello.is_object());
        let hello = hello.ok_or("it is not an object with a member \"hello\" that is an object")?;
        let said = Said::deserialize(hello).map_err(|error| error.to_string())?;
        if said.protocol != json!(VERSION) {
            return Err(format!("it speaks protocol {}, and the harness {VERSION}", said.protocol));
        }
        if said.targets.is_empty() || said.revisions.is_empty() {
            return Err("it names no target or no revision that it supports".to_owned());
        }
        Ok(Self {
            name: said.name,
            version: said.version,
            language: said.language,
            targets: parsed(&said.targets)?,
            revisions: parsed(&said.revisions)?,
        })
    }

    /// Whether a case is among what the adapter supports.
    ///
    /// ```
    /// use mcp_roots_harness::protocol::Hello;
    /// use mcp_roots_proptests::{Case, Target};
    /// let line = br#"{"hello":{"protocol":1,"name":"mine","targets":["response"],"revisions":["2026-07-28"]}}"#;
    /// let hello = Hello::read(line)?;
    /// assert!(hello.supports(&Case::new(Target::Response, b"{}")));
    /// assert!(!hello.supports(&Case::new(Target::Request, b"{}")));
    /// # Ok::<(), String>(())
    /// ```
    #[must_use]
    pub fn supports(&self, case: &Case<'_>) -> bool {
        self.targets.contains(&case.target) && self.revisions.contains(&case.revision)
    }
}

fn parsed<T: FromStr>(names: &[String]) -> Result<Vec<T>, String>
where
    T::Err: std::fmt::Display,
{
    names.iter().map(|name| name.parse().map_err(|error: T::Err| error.to_string())).collect()
}

/// Adds a case to what is to be written: a line of JSON.
///
/// ```
/// use mcp_roots_harness::protocol;
/// use mcp_roots_proptests::{Case, Target};
/// let mut lines = Vec::new();
/// protocol::write_case(&mut lines, 7, &Case::new(Target::Response, b"[]"));
/// assert_eq!(lines, b"{\"id\":7,\"target\":\"response\",\"revision\":\"2026-07-28\",\"doc\":\"[]\"}\n");
/// protocol::write_case(&mut lines, 8, &Case::new(Target::Response, "\u{2028}😀".as_bytes()));
/// assert!(lines.trim_ascii_end().ends_with(br#""doc":"\u2028\ud83d\ude00"}"#));
/// ```
pub fn write_case(lines: &mut Vec<u8>, id: u64, case: &Case<'_>) {
    let Case { target, revision, .. } = case;
    write!(lines, r#"{{"id":{id},"target":"{target}","revision":"{revision}","#).expect("memory takes all");
    match std::str::from_utf8(case.doc) {
        Ok(text) => write_member(lines, "doc", text),
        Err(_) => write_member(lines, "doc_base64", &BASE64_STANDARD.encode(case.doc)),
    }
    if let Some(request) = case.request {
        lines.push(b',');
        write_member(lines, "request", &String::from_utf8_lossy(request));
    }
    lines.extend(b"}\n");
}

/// Only ASCII is written: some readers of lines take U+2028 for the end of one, and some do not read UTF-8.
fn write_member(lines: &mut Vec<u8>, name: &str, text: &str) {
    write!(lines, "\"{name}\":").expect("memory takes all");
    if text.is_ascii() {
        return serde_json::to_writer(lines, text).expect("memory takes all");
    }
    let written = serde_json::to_string(text).expect("memory takes all");
    for character in written.chars() {
        if character.is_ascii() {
            lines.push(character as u8);
        } else {
            for unit in character.encode_utf16(&mut [0; 2]) {
                let digit = |shift: u16| b"0123456789abcdef"[usize::from(*unit >> shift & 0xf)];
                lines.extend([b'\\', b'u', digit(12), digit(8), digit(4), digit(0)]);
            }
        }
    }
}

/// What an adapter can say of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Said {
    /// The document is valid.
    Accept,
    /// It is refused.
    Reject,
    /// There is no answer under the id (A1).
    Missing,
    /// The implementation has no judgement on this.
    Unsupported,
}

impl Said {
    /// The word in the protocol.
    ///
    /// ```
    /// assert_eq!(mcp_roots_harness::protocol::Said::Accept.name(), "accept");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Accept => "accept",
            Self::Reject => "reject",
            Self::Missing => "missing",
            Self::Unsupported => "unsupported",
        }
    }
}

/// An adapter's answer to a case.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Answer {
    /// The case's number.
    pub id: u64,
    /// The verdict.
    pub verdict: Said,
    /// Why a document is refused, in the implementation's own words.
    #[serde(default)]
    pub detail: String,
    /// Why the implementation has no judgement.
    #[serde(default)]
    pub reason: String,
    /// The rule broken, where the adapter knows our rules.
    pub rule: Option<String>,
    /// The JSON pointer to the fault, where the adapter gives one.
    pub at: Option<String>,
    /// The roots that were read, where the adapter gives them.
    pub roots: Option<Vec<Root>>,
}

/// A root that an implementation has read.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct Root {
    /// Its URI.
    pub uri: String,
    /// Its name, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl Answer {
    /// Reads a line of an adapter.
    ///
    /// # Errors
    ///
    /// What is wrong with it, in a line.
    ///
    /// ```
    /// use mcp_roots_harness::protocol::{Answer, Said};
    /// assert_eq!(Answer::read(br#"{"id":1,"verdict":"accept"}"#).unwrap().verdict, Said::Accept);
    /// assert!(Answer::read(br#"{"id":1,"verdict":"unsupported"}"#).is_err(), "a reason is needed");
    /// assert!(Answer::read(br#"[1,"accept"]"#).is_err());
    /// let answer = Answer::read(br#"{"id":1,"verdict":"reject","detail":"got \ud800\\"}"#).unwrap();
    /// assert_eq!(answer.detail, "got \u{fffd}\\");
    /// ```
    pub fn read(line: &[u8]) -> Result<Self, String> {
        // A derived reader would take an array for an object (J7).
        if line.trim_ascii_start().first() != Some(&b'{') {
            return Err("not a JSON object".to_owned());
        }
        // A detail may repeat what is not even text in the document.
        let answer: Self = serde_json::from_slice(line)
            .or_else(|error| serde_json::from_slice(&without_lone_surrogates(line)).map_err(|_| error))
            .map_err(|error| error.to_string())?;
        if answer.verdict == Said::Unsupported && answer.reason.is_empty() {
            return Err("unsupported without a reason".to_owned());
        }
        Ok(answer)
    }
}

/// The line with U+FFFD for escapes of surrogates that have no partner.
fn without_lone_surrogates(line: &[u8]) -> Vec<u8> {
    let unit = |at: usize| {
        let digits = line.get(at..at + 6)?.strip_prefix(b"\\u")?;
        u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    };
    let mut cleaned = Vec::with_capacity(line.len());
    let mut index = 0;
    while index < line.len() {
        let (length, is_lone) = match (unit(index), unit(index + 6)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => (12, false),
            (Some(0xd800..=0xdfff), _) => (6, true),
            _ if line[index] == b'\\' => (2, false),
            _ => (1, false),
        };
        let end = line.len().min(index + length);
        cleaned.extend(if is_lone { br"\ufffd" } else { &line[index..end] });
        index = end;
    }
    cleaned
}
