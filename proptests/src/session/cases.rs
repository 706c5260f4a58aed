//! Committed sequences of events: `corpus/session.toml`.

use std::collections::BTreeMap;
use std::{fs, io};

use mcp_roots::Revision;
use serde::Deserialize;

use super::{Event, Session, Step, Trace, session_follows_the_rules};
use crate::corpus;

/// A sequence of events, and what is expected after each.
#[derive(Debug, Clone)]
pub struct Sequence {
    /// Its name.
    pub name: String,
    /// By whose rules.
    pub revision: Revision,
    /// The rules that it bears on.
    pub cites: Vec<String>,
    /// What it shows.
    pub shows: String,
    /// What goes wrong where a session does otherwise.
    pub misjudged: String,
    /// Where it comes from.
    pub source: String,
    /// The events, each with `REPLY; VIEW`.
    pub steps: Vec<(Event, String)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    revision: Option<String>,
    cites: Vec<String>,
    shows: String,
    misjudged: String,
    source: String,
    steps: String,
}

/// Loads the committed sequences.
///
/// # Errors
///
/// Where the file cannot be read or is malformed.
///
/// ```
/// assert!(mcp_roots_proptests::session::load()?.len() >= 30);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn load() -> io::Result<Vec<Sequence>> {
    let wrong = |text: String| io::Error::new(io::ErrorKind::InvalidData, text);
    let text = fs::read_to_string(corpus::folder().join("session.toml"))?;
    let tables: BTreeMap<String, Table> =
        toml::from_str(&text).map_err(|error| wrong(format!("session.toml: {error}")))?;
    let sequence = |(name, table): (String, Table)| {
        let Table { revision, cites, shows, misjudged, source, steps } = table;
        let about = |text: String| wrong(format!("session.toml: {name}: {text}"));
        let revision = revision.as_deref().unwrap_or("2025-11-25");
        let revision = revision.parse().map_err(|error| about(format!("{revision}: {error}")))?;
        let step = |line: &str| {
            let (event, expected) =
                line.split_once(" => ").ok_or_else(|| about(format!("{line}: EVENT => REPLY; VIEW")))?;
            Ok((event.trim().parse().map_err(about)?, expected.trim().to_owned()))
        };
        let steps =
            steps.lines().filter(|line| !line.trim().is_empty()).map(step).collect::<io::Result<_>>()?;
        Ok(Sequence { name, revision, cites, shows, misjudged, source, steps })
    };
    tables.into_iter().map(sequence).collect()
}

/// What is wrong with the sequences themselves: those that say too little, rules that none stands for.
///
/// ```
/// use mcp_roots_proptests::session;
/// assert!(session::complaints(&session::load()?).is_empty());
/// # Ok::<(), std::io::Error>(())
/// ```
#[must_use]
pub fn complaints(sequences: &[Sequence]) -> Vec<String> {
    let mut complaints = Vec::new();
    for Sequence { name, cites, shows, misjudged, source, steps, .. } in sequences {
        for (is_right, complaint) in [
            (!steps.is_empty(), "it has no steps"),
            (shows.len() > 10 && misjudged.len() > 10, "it does not say what it shows and what goes wrong"),
            (corpus::is_known_source(source), "the source is of no known kind"),
            (
                !cites.is_empty() && cites.iter().all(|rule| corpus::is_in_the_book(rule)),
                "it cites no rule of the book",
            ),
        ] {
            if !is_right {
                complaints.push(format!("session/{name}: {complaint}"));
            }
        }
    }
    for rule in corpus::SESSION_RULES {
        if !sequences.iter().any(|sequence| sequence.cites.iter().any(|cited| cited == rule)) {
            complaints.push(format!("no sequence cites {rule}"));
        }
    }
    complaints
}

/// Holds a session, one that nothing has happened in, against a sequence: reply and view after each
/// event, and every law.
///
/// # Panics
///
/// Where the session is wrong.
///
/// ```
/// use mcp_roots_proptests::Door;
/// use mcp_roots_proptests::session::{self, CoreSession};
/// for sequence in session::load()? {
///     session::replay(&mut || Box::new(CoreSession::new(sequence.revision, Door::Str)), &sequence);
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn replay(session: &mut dyn FnMut() -> Box<dyn Session>, sequence: &Sequence) {
    let events: Vec<_> = sequence.steps.iter().map(|(event, _)| event.clone()).collect();
    let trace = Trace::of(&mut *session(), sequence.revision, &events);
    for (Step { event, reply, view }, (_, expected)) in trace.steps.iter().zip(&sequence.steps) {
        let given = format!("{reply}; {view}");
        assert!(
            given == *expected,
            "{}: after {event}\nexpected {expected}\ngot      {given}\n{}\n{trace:?}",
            sequence.name,
            sequence.misjudged
        );
    }
    session_follows_the_rules(&mut *session(), sequence.revision, &events);
}
