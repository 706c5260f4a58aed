//! Sees to it that no adapter outlives the harness, however that ends.
//!
//! A second process holds the reading end of a pipe, on which it is told of every adapter. When the
//! pipe closes, the harness is gone, by its own will or not, and whoever is still on the list is
//! killed with all its children. It works for `SIGKILL` too, which no handler could see.

use std::io::{self, BufRead, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};

/// The name of the subcommand that runs [`watch`].
pub const SUBCOMMAND: &str = "watchdog";

/// The harness's end of the pipe.
#[derive(Debug, Clone)]
pub struct Watchdog(Arc<Mutex<ChildStdin>>);

impl Watchdog {
    /// Starts the second process: a program that calls [`watch`] when its only argument is
    /// [`SUBCOMMAND`].
    ///
    /// # Errors
    ///
    /// Where it cannot be started.
    pub fn start(program: &Path) -> io::Result<Self> {
        let mut command = Command::new(program);
        command.arg(SUBCOMMAND).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = in_a_group(&mut command).spawn()?;
        let pipe = child.stdin.take().ok_or_else(|| io::Error::other("it has no input"))?;
        Ok(Self(Arc::new(Mutex::new(pipe))))
    }

    pub(crate) fn watch(&self, child: &Child) {
        self.tell(&format!("+{}\n", child.id()));
    }

    pub(crate) fn forget(&self, child: &Child) {
        self.tell(&format!("-{}\n", child.id()));
    }

    fn tell(&self, line: &str) {
        // A watchdog that is gone is no reason to stop: adapters then still see their input end.
        if let Ok(mut pipe) = self.0.lock() {
            let _ = pipe.write_all(line.as_bytes());
        }
    }
}

/// Reads the list until it ends, and kills who is still on it.
pub fn watch(list: impl BufRead) {
    let mut watched = Vec::new();
    for line in list.lines().map_while(Result::ok) {
        match line.split_at_checked(1) {
            Some(("+", id)) => watched.push(id.to_owned()),
            Some((_, id)) => watched.retain(|other| other != id),
            None => {}
        }
    }
    for id in watched.iter().filter_map(|id| id.parse().ok()) {
        kill_group(id);
    }
}

/// Gives the process that a command starts a group of its own, so that it can be killed with its
/// children.
pub(crate) fn in_a_group(command: &mut Command) -> &mut Command {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    command
}

/// Kills a process and its children.
pub(crate) fn kill_group(id: u32) {
    #[cfg(unix)]
    if let Some(group) = i32::try_from(id).ok().and_then(rustix::process::Pid::from_raw) {
        // It may have ended by itself.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    #[cfg(not(unix))]
    let _ = id;
}
