//! Deciders that are wrong on purpose.

use std::collections::BTreeMap;
use std::sync::Mutex;

use mcp_roots_conformance::{CLIENT_ROOTS, Input, Refusal, Root, Roots, Strict};
use mcp_roots_proptests::{Accepted, Case, Door, Kept, Planted, Target, Validator, Verdict};
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// What is wrong with a decider.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Fault {
    /// The fault of this name in the reference judge.
    Planted(&'static str),
    /// A client that declared roots once is asked ever after.
    Remembers,
    /// Roots in the `requestState` count as an answer.
    TrustsTheState,
    /// The user is asked, not the client.
    AsksSomethingElse,
    /// A request that is itself invalid is refused no sooner than a tool needs roots.
    LeavesItToTheTool,
}

impl Fault {
    pub(crate) fn decider(self) -> Box<dyn Roots> {
        match self {
            Self::Planted(name) => {
                Box::new(Judge(Planted::named(name).expect("there is a fault of this name")))
            }
            Self::Remembers => Box::new(Remembers(Mutex::default())),
            Self::TrustsTheState => Box::new(TrustsTheState),
            Self::AsksSomethingElse => Box::new(AsksSomethingElse),
            Self::LeavesItToTheTool => Box::new(LeavesItToTheTool),
        }
    }
}

/// Whoever decides, decides.
pub(crate) struct Decider(pub(crate) Box<dyn Roots>);

impl Roots for Decider {
    fn decide(&self, params: &str) -> Result<Input, Refusal> {
        self.0.decide(params)
    }
}

/// Decides by the reference judge, right or with a fault.
pub(crate) struct Judge(pub(crate) &'static Planted);

impl Roots for Judge {
    fn decide(&self, params: &str) -> Result<Input, Refusal> {
        // All of it is read by J, as it is where no answer is found in a map.
        let whole =
            Case { id: "no member has this name", ..Case::new(Target::InputResponses, params.as_bytes()) };
        self.ask(&whole)
            .map(drop)
            .or_else(|refusal| if refusal.is_of_request { Err(refusal) } else { Ok(()) })?;

        let members: BTreeMap<String, &RawValue> = serde_json::from_str(params).unwrap_or_default();
        let member = |name| members.get(name).map_or("", |value| value.get());
        let meta = Case::new(Target::RequestMeta, or(member("_meta"), "null").as_bytes());
        self.ask(&meta)?;
        let capabilities = match self.0.kept(&meta, Door::Bytes) {
            Some(Kept::Text(text)) => text,
            _ => "{}".to_owned(),
        };
        self.ask(&Case::new(Target::Capabilities, capabilities.as_bytes()))?;
        let answers = Case::new(Target::InputResponses, or(member("inputResponses"), "{}").as_bytes());
        Ok(match self.ask(&answers)? {
            None => Input::Required(json!(mcp_roots::list())),
            Some(Accepted { roots }) => {
                Input::Given(roots.into_iter().map(|(uri, name)| Root { uri, name }).collect())
            }
        })
    }
}

impl Judge {
    /// What is accepted of a case; `None` if it is missing.
    fn ask(&self, case: &Case<'_>) -> Result<Option<Accepted>, Refusal> {
        match self.0.judge(case, Door::Bytes).expect("bytes are judged") {
            Verdict::Accept(accepted) => Ok(Some(accepted)),
            Verdict::Missing => Ok(None),
            Verdict::Reject(refusal) => {
                let words = self.0.words(case, Door::Bytes).expect("a refusal has words");
                Err(Refusal::new(&refusal.rule, words.json_rpc))
            }
        }
    }
}

fn or<'a>(text: &'a str, other: &'a str) -> &'a str {
    if text.is_empty() { other } else { text }
}

struct Remembers(Mutex<bool>);

impl Roots for Remembers {
    fn decide(&self, params: &str) -> Result<Input, Refusal> {
        let decision = Strict.decide(params);
        let mut declared = self.0.lock().unwrap();
        *declared |= decision.is_ok();
        match decision {
            Err(refusal) if *declared && refusal.error["code"] == -32021 => {
                Ok(Input::Required(json!(mcp_roots::list())))
            }
            other => other,
        }
    }
}

struct TrustsTheState;

impl Roots for TrustsTheState {
    fn decide(&self, params: &str) -> Result<Input, Refusal> {
        let state = serde_json::from_str::<Value>(params).ok();
        let state = state.and_then(|params| Some(params.get("requestState")?.as_str()?.to_owned()));
        match mcp_roots::response(
            state.as_ref().map_or("{}", |state| state),
            CLIENT_ROOTS,
            &mcp_roots::list(),
        ) {
            Ok(Some(result)) => {
                let root = |root: &mcp_roots::Root<'_>| Root { uri: root.uri().to_owned(), name: None };
                Ok(Input::Given(result.roots().iter().map(root).collect()))
            }
            _ => Strict.decide(params),
        }
    }
}

struct AsksSomethingElse;

impl Roots for AsksSomethingElse {
    fn decide(&self, params: &str) -> Result<Input, Refusal> {
        Ok(match Strict.decide(params)? {
            Input::Required(_) => {
                let schema = json!({"type": "object", "properties": {}});
                let params = json!({"message": "Which folders?", "requestedSchema": schema});
                Input::Required(json!({"method": "elicitation/create", "params": params}))
            }
            given @ Input::Given(_) => given,
        })
    }
}

struct LeavesItToTheTool;

impl Roots for LeavesItToTheTool {
    fn decide(&self, params: &str) -> Result<Input, Refusal> {
        Strict.decide(params).map_err(|refusal| Refusal { is_of_request: false, ..refusal })
    }
}
