//! Generated documents whose verdict is known.

use std::fmt;

use arbitrary::Unstructured;
use mcp_roots::Revision;
use serde::Deserialize;

use crate::model::Model;
use crate::{Case, FLAWS, Flaw, Style, Target, Verdict};

/// A verdict that is known beforehand, as manifests spell it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum Expected {
    /// `accept`
    Accept,
    /// `missing`
    Missing,
    /// `reject RULE PLACE`
    Reject {
        /// The rule's id.
        rule: String,
        /// JSON pointer to the place, perhaps empty.
        at: String,
    },
}

impl Expected {
    /// Whether a verdict is this one.
    ///
    /// ```
    /// use mcp_roots_proptests::{Expected, Verdict};
    /// assert!(Expected::Missing.is(&Verdict::Missing));
    /// ```
    #[must_use]
    pub fn is(&self, verdict: &Verdict) -> bool {
        match (self, verdict) {
            (Self::Accept, Verdict::Accept(_)) | (Self::Missing, Verdict::Missing) => true,
            (Self::Reject { rule, at }, Verdict::Reject(refusal)) => {
                (rule, at) == (&refusal.rule, &refusal.at)
            }
            _ => false,
        }
    }
}

impl TryFrom<String> for Expected {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let words: Vec<&str> = text.splitn(3, ' ').collect();
        match words[..] {
            ["accept"] => Ok(Self::Accept),
            ["missing"] => Ok(Self::Missing),
            ["reject", rule] => Ok(Self::Reject { rule: rule.to_owned(), at: String::new() }),
            ["reject", rule, at] => Ok(Self::Reject { rule: rule.to_owned(), at: at.to_owned() }),
            _ => Err(format!("{text:?} is not accept, missing, or reject RULE PLACE")),
        }
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Accept => formatter.write_str("accept"),
            Self::Missing => formatter.write_str("missing"),
            Self::Reject { rule, at } if at.is_empty() => write!(formatter, "reject {rule}"),
            Self::Reject { rule, at } => write!(formatter, "reject {rule} {at}"),
        }
    }
}

/// A generated document, and what is known of it.
#[derive(Clone, PartialEq)]
pub struct Sample {
    /// What it is judged as.
    pub target: Target,
    /// By the rules of which revision.
    pub revision: Revision,
    /// The document.
    pub doc: Vec<u8>,
    /// The request it is judged with, if not the bare one.
    pub request: Option<&'static str>,
    /// What is wrong with it; `None` if it is valid.
    pub flaw: Option<&'static Flaw>,
    /// The verdict it must get; `None` where none is known beforehand.
    pub expected: Option<Expected>,
}

impl Sample {
    /// A valid document.
    ///
    /// ```
    /// use mcp_roots::Revision;
    /// use mcp_roots_proptests::model::{InputResponses, Model};
    /// use mcp_roots_proptests::{Expected, Sample, Style};
    /// let empty = Model::InputResponses(InputResponses::default());
    /// assert_eq!(Sample::valid(&empty, Revision::default(), Style::PLAIN).expected, Some(Expected::Missing));
    /// ```
    #[must_use]
    pub fn valid(model: &Model, revision: Revision, style: Style) -> Self {
        let is_missing = matches!(model, Model::InputResponses(map) if map.answer.is_none());
        let is_asked_badly = is_missing && matches!(model, Model::InputResponses(map) if map.is_asked_badly);
        Self {
            target: model.target(),
            revision,
            doc: model.json(revision).write(style),
            request: is_asked_badly.then_some(r#"{"id":1,"method":"roots/list"}"#),
            flaw: None,
            expected: Some(if is_missing { Expected::Missing } else { Expected::Accept }),
        }
    }

    /// A document that a fuzzer's bytes describe: a valid one, or, as often, one with a flaw.
    ///
    /// # Errors
    ///
    /// Where the bytes do not suffice.
    ///
    /// ```
    /// use mcp_roots_proptests::{Core, Sample, Target, laws};
    /// let bytes = [0x5a; 256];
    /// let sample = Sample::arbitrary(Target::Response, &mut arbitrary::Unstructured::new(&bytes))?;
    /// laws::gets_what_is_known(&Core, &sample);
    /// # Ok::<(), arbitrary::Error>(())
    /// ```
    pub fn arbitrary(target: Target, u: &mut Unstructured<'_>) -> arbitrary::Result<Self> {
        let revisions: Vec<_> =
            Revision::ALL.into_iter().filter(|revision| target.exists_in(*revision)).collect();
        let revision = *u.choose(&revisions)?;
        let flaws: Vec<_> = FLAWS.iter().filter(|flaw| flaw.applies(target, revision)).collect();
        let flaw = if u.arbitrary()? { Some(*u.choose(&flaws)?) } else { None };
        let (dice, style) = (u.arbitrary()?, u.arbitrary()?);
        let model = match target {
            Target::Response => Model::Response(u.arbitrary()?),
            Target::Request => Model::Request(u.arbitrary()?),
            Target::Capabilities => Model::Capabilities(u.arbitrary()?),
            Target::InputResponses => Model::InputResponses(u.arbitrary()?),
            Target::RequestMeta => Model::RequestMeta(u.arbitrary()?),
        };
        Ok(match flaw {
            Some(flaw) => flaw.put(&model, revision, style, dice),
            None => Self::valid(&model, revision, style),
        })
    }

    /// The sample as a case.
    ///
    /// ```
    /// use mcp_roots::Revision;
    /// use mcp_roots_proptests::model::{ListRootsResult, Model};
    /// use mcp_roots_proptests::{Sample, Style};
    /// let model = Model::Response(ListRootsResult::default());
    /// let sample = Sample::valid(&model, Revision::default(), Style::PLAIN);
    /// assert_eq!(sample.case().doc, br#"{"roots":[]}"#);
    /// ```
    #[must_use]
    pub fn case(&self) -> Case<'_> {
        let request = self.request.map(str::as_bytes);
        Case { revision: self.revision, request, ..Case::new(self.target, &self.doc) }
    }
}

impl fmt::Debug for Sample {
    /// The case, and what is known of it.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flaw = self.flaw.map_or("no flaw", |flaw| flaw.name);
        match &self.expected {
            Some(expected) => write!(formatter, "{flaw}, so {expected}: {:?}", self.case()),
            None => write!(formatter, "{:?}", self.case()),
        }
    }
}
