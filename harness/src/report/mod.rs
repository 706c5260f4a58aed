//! Reports: as text for people, as JSON for programs, as `JUnit` for CI.

mod junit;
pub(crate) mod text;

use std::io::{self, Write};

use crate::replay::Replay;
use crate::{check, fuzz};

/// How a report is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// One JSON object, as `REPORT.md` describes it.
    Json,
    /// XML, as CI systems read it.
    Junit,
}

/// Writes what came of a check.
///
/// # Errors
///
/// Where it cannot be written.
pub fn check(report: &check::Report, format: Format, to: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Text => text::check(report, to),
        Format::Json => json(report, to),
        Format::Junit => junit::check(report, to),
    }
}

/// Writes what came of fuzzing; `replay` has the commands that draw the same cases again.
///
/// # Errors
///
/// Where it cannot be written.
pub fn fuzz(report: &fuzz::Report, replay: &Replay, format: Format, to: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Text => text::fuzz(report, replay, to),
        Format::Json => json(report, to),
        Format::Junit => junit::fuzz(report, replay, to),
    }
}

/// Writes that there is no report, and why, as `JUnit`: CI systems read no file where they do not get one. The other
/// formats have nothing to say it in.
///
/// # Errors
///
/// Where it cannot be written.
///
/// ```
/// use mcp_roots_harness::report::{Format, trouble};
/// let mut xml = Vec::new();
/// trouble("mcp-roots check", "cannot run adapter", Format::Junit, &mut xml)?;
/// let xml = String::from_utf8(xml).unwrap();
/// assert!(xml.contains("errors=\"1\"") && xml.contains("cannot run adapter"), "{xml}");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn trouble(run: &str, why: &str, format: Format, to: &mut dyn Write) -> io::Result<()> {
    if format == Format::Junit { junit::trouble(run, why, to) } else { Ok(()) }
}

/// So many of something, in words.
///
/// ```
/// use mcp_roots_harness::report::counted;
/// assert_eq!((&*counted(1, "document"), &*counted(2, "document")), ("1 document", "2 documents"));
/// ```
#[must_use]
pub fn counted(count: impl TryInto<u64>, what: &str) -> String {
    let count = count.try_into().unwrap_or(u64::MAX);
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn json(report: &impl serde::Serialize, to: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *to, report)?;
    writeln!(to)
}
