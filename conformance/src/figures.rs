//! What the official runner found, read from the files that it writes.
//!
//! Its exit status does not tell: a warning, a server that is not there and a scenario that was skipped
//! all can end in 0.

use std::fmt::Write as _;
use std::path::Path;

use serde::Deserialize;

/// The scenarios, each with the number of checks that the pinned runner makes of it.
///
/// ```
/// assert_eq!(mcp_roots_conformance::figures::scenarios().count(), 6);
/// ```
pub fn scenarios() -> impl Iterator<Item = (&'static str, usize)> {
    let line = |line: &'static str| {
        line.split_once(' ').and_then(|(name, checks)| Some((name, checks.parse().ok()?)))
    };
    include_str!("../scenarios.txt").lines().filter_map(line)
}

/// How the checks of one scenario ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Figures {
    /// All checks that were made.
    pub checks: usize,
    /// Those that failed.
    pub failures: usize,
    /// Those that ended in a warning.
    pub warnings: usize,
    /// Those that ended in anything else but success.
    pub others: usize,
}

#[derive(Deserialize)]
struct Check {
    status: String,
}

impl Figures {
    /// Reads a `checks.json`.
    ///
    /// # Errors
    ///
    /// Where it is not an array of objects with a status.
    ///
    /// ```
    /// use mcp_roots_conformance::figures::Figures;
    /// let figures = Figures::read(r#"[{"status": "SUCCESS"}, {"status": "WARNING"}]"#)?;
    /// assert_eq!((figures.checks, figures.warnings), (2, 1));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn read(checks: &str) -> Result<Self, serde_json::Error> {
        let mut figures = Self::default();
        for check in serde_json::from_str::<Vec<Check>>(checks)? {
            figures.checks += 1;
            match &*check.status {
                "SUCCESS" => {}
                "FAILURE" => figures.failures += 1,
                "WARNING" => figures.warnings += 1,
                _ => figures.others += 1,
            }
        }
        Ok(figures)
    }

    /// What is wrong with these figures, where so many checks are to be made; `None` if nothing is.
    ///
    /// ```
    /// use mcp_roots_conformance::figures::Figures;
    /// let figures = Figures { checks: 3, ..Figures::default() };
    /// assert_eq!(figures.complaint(3), None);
    /// assert_eq!(figures.complaint(4).unwrap(), "3 checks, not 4");
    /// ```
    #[must_use]
    pub fn complaint(self, checks: usize) -> Option<String> {
        let Self { failures, warnings, others, .. } = self;
        if failures + warnings + others > 0 {
            return Some(format!("{failures} failures, {warnings} warnings, {others} neither nor success"));
        }
        (self.checks == 0 || self.checks != checks).then(|| format!("{} checks, not {checks}", self.checks))
    }
}

/// A table of the figures in a folder of results, and what is wrong with them.
///
/// The results of a scenario are in a folder of its name, in which the runner made exactly one folder
/// with a `checks.json`.
#[must_use]
pub fn report(results: &Path) -> (String, Vec<String>) {
    let mut table = "| scenario | checks | failures | warnings |\n| --- | --- | --- | --- |\n".to_owned();
    let mut complaints = Vec::new();
    for (scenario, checks) in scenarios() {
        let figures = found(&results.join(scenario));
        let Figures { checks: made, failures, warnings, .. } = figures.clone().unwrap_or_default();
        let _ = writeln!(table, "| {scenario} | {made} | {failures} | {warnings} |");
        let complaint = figures.map_or_else(Some, |figures| figures.complaint(checks));
        complaints.extend(complaint.map(|complaint| format!("{scenario}: {complaint}")));
    }
    (table, complaints)
}

fn found(folder: &Path) -> Result<Figures, String> {
    let runs = std::fs::read_dir(folder).map_err(|error| format!("no results: {error}"))?;
    let runs: Vec<_> = runs.filter_map(|run| Some(run.ok()?.path().join("checks.json"))).collect();
    let [checks] = &*runs else { return Err(format!("{} results, not one", runs.len())) };
    let text =
        std::fs::read_to_string(checks).map_err(|error| format!("no checks, perhaps skipped: {error}"))?;
    Figures::read(&text).map_err(|error| format!("no list of checks: {error}"))
}
