//! Judges documents for anyone who asks: JSON Lines in, JSON Lines out.
//!
//! A case is `{"id": any, "target": "request" | "capabilities" | "response" | "input_responses" |
//! "request_meta", "doc": "<the document's text>"}`, with `doc_base64` in place of `doc` for bytes,
//! and optionally `revision` (default 2026-07-28), `door` ("text", the default, or "value") and
//! `request` (a document's text, default the bare request), which `capabilities` and
//! `input_responses` are judged with. The id asked for in input responses is `client_roots`.
//!
//! The answer is `{"id", "verdict": "accept" | "reject" | "missing" | "unsupported"}`, with `rule`
//! and `at` for a rejection. `unsupported` is a document that cannot reach the value door, or a
//! target that the revision lacks. A document with a member name twice is refused on its way to the
//! value door (J6), since a `Value` would drop one of the two without a word. A line that is no case
//! gets the verdict `error` and a `detail`.

use std::io::{BufRead, Write};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use mcp_roots::{Document, Error, Revision, client_capabilities, list, response};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    #[serde(default)]
    id: Value,
    target: Target,
    doc: Option<String>,
    doc_base64: Option<String>,
    revision: Option<String>,
    #[serde(default)]
    door: Door,
    request: Option<String>,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "snake_case")]
enum Target {
    Request,
    Capabilities,
    Response,
    InputResponses,
    RequestMeta,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "snake_case")]
enum Door {
    #[default]
    Text,
    Value,
}

enum Verdict {
    Accept,
    Missing,
    Unsupported,
    Reject(Error),
}

impl Case {
    fn verdict(&self) -> Result<Verdict, String> {
        let revision = match &self.revision {
            Some(name) => name.parse::<Revision>().map_err(|error| error.to_string())?,
            None => Revision::default(),
        };
        let bytes = match (&self.doc, &self.doc_base64) {
            (Some(text), None) => text.clone().into_bytes(),
            (None, Some(base64)) => BASE64_STANDARD.decode(base64).map_err(|error| error.to_string())?,
            _ => return Err("a case has either doc or doc_base64".to_owned()),
        };
        Ok(match self.door {
            Door::Text => self.judge(revision, Document::from(&bytes)),
            Door::Value => match serde_json::from_slice::<Value>(&bytes) {
                Ok(value) => match duplicate(&bytes) {
                    Some(error) => Verdict::Reject(error),
                    None => self.judge(revision, Document::from(&value)),
                },
                Err(_) => Verdict::Unsupported,
            },
        })
    }

    fn judge(&self, revision: Revision, document: Document<'_>) -> Verdict {
        let bare = list();
        let request = self.request.as_ref().map_or_else(|| Document::from(&bare), Document::from);
        let accepted = match self.target {
            Target::Request => revision.validate_request(document),
            Target::Capabilities => revision.require(request, document),
            Target::Response => revision.validate_response(document).map(drop),
            Target::InputResponses | Target::RequestMeta if revision.is_initialize_era() => {
                return Verdict::Unsupported;
            }
            Target::InputResponses => match response(document, "client_roots", request) {
                Ok(None) => return Verdict::Missing,
                other => other.map(drop),
            },
            Target::RequestMeta => client_capabilities(document).map(drop),
        };
        accepted.map_or_else(Verdict::Reject, |()| Verdict::Accept)
    }
}

/// Finds a member name that stands twice in an object: read as input responses without the answer, it
/// can break J alone.
fn duplicate(json: &[u8]) -> Option<Error> {
    let longer_than_any_name = "-".repeat(json.len());
    response(json, &longer_than_any_name, &list()).err().filter(|error| error.rule() == "J6")
}

fn answer(line: &[u8]) -> Value {
    let error = |detail: String| json!({"id": null, "verdict": "error", "detail": detail});
    // A derived struct would take an array for an object, here as anywhere (J7).
    let case = serde_json::from_slice::<serde_json::Map<String, Value>>(line)
        .and_then(|members| serde_json::from_value::<Case>(Value::Object(members)));
    match case.map_err(|error| error.to_string()).and_then(|case| Ok((case.verdict()?, case.id))) {
        Ok((Verdict::Accept, id)) => json!({"id": id, "verdict": "accept"}),
        Ok((Verdict::Missing, id)) => json!({"id": id, "verdict": "missing"}),
        Ok((Verdict::Unsupported, id)) => json!({"id": id, "verdict": "unsupported"}),
        Ok((Verdict::Reject(fault), id)) => {
            json!({"id": id, "verdict": "reject", "rule": fault.rule(), "at": fault.at()})
        }
        Err(detail) => error(detail),
    }
}

fn main() -> std::io::Result<()> {
    let (stdin, mut stdout) = (std::io::stdin().lock(), std::io::stdout().lock());
    for line in stdin.split(b'\n') {
        writeln!(stdout, "{}", answer(&line?))?;
        stdout.flush()?;
    }
    Ok(())
}
