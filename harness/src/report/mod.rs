//! Reports: as text for people, as JSON for programs, as `JUnit` for CI.

mod junit;
pub(crate) mod text;

use std::io::{self, Write};

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

/// Writes what came of fuzzing; `replay` is the command that draws the same cases again.
///
/// # Errors
///
/// Where it cannot be written.
pub fn fuzz(report: &fuzz::Report, replay: &str, format: Format, to: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Text => text::fuzz(report, replay, to),
        Format::Json => json(report, to),
        Format::Junit => junit::fuzz(report, to),
    }
}

fn json(report: &impl serde::Serialize, to: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *to, report)?;
    writeln!(to)
}
