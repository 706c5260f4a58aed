//! The commands that do again what fuzzing did.

use std::time::Duration;

use crate::adapter::{Launch, START_LIMIT, TIME_LIMIT};
use crate::fuzz::{CASES, Options};

/// How a run, or a case of it, is done again.
///
/// ```
/// use mcp_roots_harness::{adapter::Launch, fuzz::Options, replay::Replay};
/// let options = Options { fail_fast: true, exact: true, ..Options::new(7, 0, 500) };
/// let replay = Replay::new(&options, &Launch::new(vec!["./adapter".into()]));
/// assert_eq!(replay.run(500), "mcp-roots fuzz --seed 7 --exact --cases 500 --fail-fast -- ./adapter");
/// assert_eq!(replay.case(31), "mcp-roots fuzz --seed 7 --exact --case 31 -- ./adapter");
/// ```
#[derive(Debug, Clone)]
pub struct Replay {
    /// What draws and judges a case alike.
    of_a_case: String,
    /// What else makes the run.
    of_the_run: String,
    /// The number of the case, where it is the only one.
    only: Option<u64>,
    command: String,
}

impl Replay {
    /// Of a run with these options.
    #[must_use]
    pub fn new(options: &Options, launch: &Launch) -> Self {
        let mut of_a_case = format!("mcp-roots fuzz --seed {}", options.seed);
        let mut add = |flag: &str, values: Vec<String>| {
            if !values.is_empty() {
                of_a_case.extend([" --", flag, " ", &values.join(",")]);
            }
        };
        add("target", options.targets.iter().map(ToString::to_string).collect());
        add("revision", options.revisions.iter().map(ToString::to_string).collect());
        let other = |limit: Duration, usual| (limit != usual).then(|| limit.as_secs_f64().to_string());
        add("time-limit", other(launch.time_limit, TIME_LIMIT).into_iter().collect());
        add("start-limit", other(launch.start_limit, START_LIMIT).into_iter().collect());
        for (is_set, flag) in [(options.exact, " --exact"), (options.fail_decided, " --fail-decided")] {
            of_a_case += if is_set { flag } else { "" };
        }
        let mut of_the_run = String::from(if options.fail_fast { " --fail-fast" } else { "" });
        if options.jobs > 1 {
            of_the_run.extend([" --jobs ", &options.jobs.to_string()]);
        }
        let only = (options.cases == 1).then_some(options.first);
        Self { of_a_case, of_the_run, only, command: launch.to_string() }
    }

    /// The command that draws so many cases again: of a run that its time or a signal ended, those that were
    /// asked until then.
    #[must_use]
    pub fn run(&self, cases: u64) -> String {
        let Self { of_a_case, of_the_run, only, command } = self;
        match only {
            Some(number) => self.case(*number),
            None if cases == CASES => format!("{of_a_case}{of_the_run} -- {command}"),
            None => format!("{of_a_case} --cases {cases}{of_the_run} -- {command}"),
        }
    }

    /// The command that draws and makes small a single case again.
    #[must_use]
    pub fn case(&self, number: u64) -> String {
        format!("{} --case {number} -- {}", self.of_a_case, self.command)
    }
}
