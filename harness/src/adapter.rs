//! An adapter: another program that is asked for verdicts through its standard input and output.
//!
//! Cases are written ahead of their answers, and answers come in order, so that the first case without
//! an answer is the one that a crash or a hang is about.

use std::ffi::OsString;
use std::fmt;
use std::io::{self, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use mcp_roots_proptests::Case;
use serde::Serialize;

use crate::interrupt::Interrupt;
use crate::protocol::{self, Answer, Hello};
use crate::report::text::printable;
use crate::watchdog::{self, Watchdog};

/// So many cases are under way at most.
const WINDOW: usize = 512;
/// The longest line that an adapter may write, in bytes, without its end.
pub const LONGEST_LINE: usize = 1 << 20;
/// So much of what an adapter writes to its standard error is kept, in bytes: the end of it.
const KEPT_OF_STDERR: usize = 4096;
/// So much of a line that makes no sense is shown, in bytes.
const SHOWN: usize = 200;
/// An adapter that has ended is given so long to be seen to,
const GRACE: Duration = Duration::from_millis(500);
/// and where another process holds its output, so long for what it may have written.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// So often somebody who waits for an answer looks whether the run is to end.
const LOOK: Duration = Duration::from_millis(50);

/// How long one answer may take, if nothing else is said,
pub const TIME_LIMIT: Duration = Duration::from_secs(5);
/// and the greeting.
pub const START_LIMIT: Duration = Duration::from_secs(30);

/// When the harness stops to ask an adapter: after so many hangs in a row,
pub const HANGS: usize = 10;
/// or failures of any kind in a row,
pub const FAILURES: usize = 200;
/// or offences against the protocol in all.
pub const OFFENCES: usize = 20;

/// The command that starts an adapter, and how long it may take.
#[derive(Debug, Clone)]
pub struct Launch {
    /// The program, and what follows it.
    pub command: Vec<OsString>,
    /// How long one answer may take.
    pub time_limit: Duration,
    /// How long it may take until the adapter has said what it is.
    pub start_limit: Duration,
    /// Who kills the adapter if the harness cannot.
    pub watchdog: Option<Watchdog>,
    /// When this is set, the adapter is killed, and is not asked any more.
    pub interrupt: Interrupt,
}

impl Launch {
    /// A command, with the usual limits.
    ///
    /// ```
    /// use mcp_roots_harness::adapter::{Launch, TIME_LIMIT};
    /// assert_eq!(Launch::new(vec!["./adapter".into()]).time_limit, TIME_LIMIT);
    /// ```
    #[must_use]
    pub fn new(command: Vec<OsString>) -> Self {
        let (time_limit, start_limit) = (TIME_LIMIT, START_LIMIT);
        Self { command, time_limit, start_limit, watchdog: None, interrupt: Interrupt::default() }
    }
}

/// The command, as a shell takes it.
///
/// ```
/// use mcp_roots_harness::adapter::Launch;
/// let launch = Launch::new(vec!["node".into(), "my adapter.js".into()]);
/// assert_eq!(launch.to_string(), "node 'my adapter.js'");
/// ```
impl fmt::Display for Launch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = self.command.iter().map(|word| quoted(&word.to_string_lossy()));
        formatter.write_str(&words.collect::<Vec<_>>().join(" "))
    }
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"./_-+=:,@%".contains(&byte);
    if !word.is_empty() && word.bytes().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Why there is no adapter to ask.
#[derive(Debug)]
pub enum StartError {
    /// The program cannot be run.
    Program(String),
    /// It does not say what it should.
    Handshake(String),
    /// The run was ended before it had said anything.
    Interrupted,
}

impl fmt::Display for StartError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Program(what) | Self::Handshake(what) => formatter.write_str(what),
            Self::Interrupted => formatter.write_str("interrupted before the adapter was asked"),
        }
    }
}

impl std::error::Error for StartError {}

/// What came of a case.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The adapter answered.
    Answer(Answer),
    /// It failed to.
    Failure(Failure),
    /// It was not asked: it had failed too often, or the run was to end.
    NotAsked,
}

/// How an adapter failed to answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// In which way.
    pub kind: FailureKind,
    /// What happened, in a line.
    pub what: String,
    /// The end of what it wrote to its standard error.
    pub stderr: String,
}

/// A way not to answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailureKind {
    /// The program ended.
    Crash,
    /// The time limit passed.
    Hang,
    /// A line that is no answer.
    Garbage,
    /// An answer to a case that was not the next one.
    WrongNumber,
    /// A second answer to a case.
    AnsweredTwice,
    /// A line longer than [`LONGEST_LINE`].
    LongLine,
}

impl FailureKind {
    /// All kinds.
    pub const ALL: [Self; 6] =
        [Self::Crash, Self::Hang, Self::Garbage, Self::WrongNumber, Self::AnsweredTwice, Self::LongLine];

    /// The name in reports.
    ///
    /// ```
    /// assert_eq!(mcp_roots_harness::adapter::FailureKind::WrongNumber.name(), "wrong-number");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Crash => "crash",
            Self::Hang => "hang",
            Self::Garbage => "garbage",
            Self::WrongNumber => "wrong-number",
            Self::AnsweredTwice => "answered-twice",
            Self::LongLine => "long-line",
        }
    }

    /// Whether it is the protocol that was not kept, rather than the implementation that failed.
    #[must_use]
    pub const fn is_offence(self) -> bool {
        !matches!(self, Self::Crash | Self::Hang)
    }
}

/// An adapter that can be asked, restarted whenever it fails.
#[derive(Debug)]
pub struct Adapter {
    launch: Launch,
    hello: Hello,
    running: Option<Running>,
    next_id: u64,
    failures: Failures,
    waited: Duration,
}

/// How often an adapter failed: what decides whether it is asked any more.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Failures {
    hangs_in_a_row: usize,
    in_a_row: usize,
    offences: usize,
}

impl Adapter {
    /// Starts an adapter and hears what it is.
    ///
    /// # Errors
    ///
    /// Where the program cannot be run, or does not greet as it should.
    pub fn start(launch: Launch) -> Result<Self, StartError> {
        let (running, hello) = Running::start(&launch)?;
        Ok(Self {
            launch,
            hello,
            running: Some(running),
            next_id: 1,
            failures: Failures::default(),
            waited: Duration::ZERO,
        })
    }

    /// What the adapter said of itself.
    #[must_use]
    pub const fn hello(&self) -> &Hello {
        &self.hello
    }

    /// How long the harness had nothing to do but wait for answers.
    #[must_use]
    pub const fn waited(&self) -> Duration {
        self.waited
    }

    /// Whether the adapter failed so often that it is not asked any more: after [`HANGS`],
    /// [`FAILURES`] or [`OFFENCES`].
    #[must_use]
    pub const fn has_given_up(&self) -> bool {
        let Failures { hangs_in_a_row, in_a_row, offences } = self.failures;
        hangs_in_a_row >= HANGS || in_a_row >= FAILURES || offences >= OFFENCES
    }

    /// Asks for verdicts on cases; what came of each, in their order.
    pub fn ask(&mut self, cases: &[Case<'_>]) -> Vec<Outcome> {
        let mut outcomes = vec![Outcome::NotAsked; cases.len()];
        let mut done = 0;
        while done < cases.len() && !self.has_given_up() && !self.launch.interrupt.is_set() {
            if self.running.is_none() {
                match Running::start(&self.launch) {
                    Ok((running, _)) => self.running = Some(running),
                    Err(StartError::Interrupted) => break,
                    Err(error) => {
                        let what = format!("it does not start again: {error}");
                        let failure = Failure { kind: FailureKind::Crash, what, stderr: String::new() };
                        self.count(failure.kind);
                        outcomes[done] = Outcome::Failure(failure);
                        done += 1;
                        continue;
                    }
                }
            }
            if let Err((index, kind, what)) = self.exchange(cases, &mut done, &mut outcomes) {
                let running = self.running.take();
                if self.launch.interrupt.is_set() {
                    break;
                }
                let stderr = running.map(Running::end).unwrap_or_default();
                let what = if kind == FailureKind::Crash { stderr.0 } else { what };
                self.count(kind);
                outcomes[index] = Outcome::Failure(Failure { kind, what, stderr: stderr.1 });
                // A second answer is the fault of an earlier case: this one has not had its turn.
                if index == done {
                    done += 1;
                }
            }
        }
        outcomes
    }

    /// Asks from the case `done` on until all is answered or something goes wrong: with which case,
    /// and what.
    fn exchange(
        &mut self,
        cases: &[Case<'_>],
        done: &mut usize,
        outcomes: &mut [Outcome],
    ) -> Result<(), (usize, FailureKind, String)> {
        let running = self.running.as_mut().expect("it runs");
        let (first, base) = (*done, self.next_id);
        let mut sent = first;
        while *done < cases.len() {
            if sent < cases.len() && sent - *done <= WINDOW / 2 {
                let mut lines = Vec::new();
                while sent < cases.len() && sent - *done < WINDOW {
                    protocol::write_case(&mut lines, self.next_id, &cases[sent]);
                    self.next_id += 1;
                    sent += 1;
                }
                running.write(lines);
            }
            let before = Instant::now();
            let line = running.line(self.launch.time_limit);
            self.waited += before.elapsed();
            let answer = line.and_then(|line| {
                Answer::read(&line).map_err(|why| (FailureKind::Garbage, format!("{why}: {}", shown(&line))))
            });
            let answer = answer.map_err(|(kind, what)| (*done, kind, what))?;
            let awaited = base + (*done - first) as u64;
            if answer.id < awaited {
                let what = format!("a second answer under the number {}", answer.id);
                let again = answer.id.checked_sub(base).and_then(|index| usize::try_from(index).ok());
                return Err((again.map_or(*done, |index| first + index), FailureKind::AnsweredTwice, what));
            }
            if answer.id != awaited {
                let what = format!("the answer has the number {}, its case {awaited}", answer.id);
                return Err((*done, FailureKind::WrongNumber, what));
            }
            outcomes[*done] = Outcome::Answer(answer);
            *done += 1;
            (self.failures.hangs_in_a_row, self.failures.in_a_row) = (0, 0);
        }
        Ok(())
    }

    /// How often it failed so far.
    #[must_use]
    pub const fn failures(&self) -> Failures {
        self.failures
    }

    /// Forgets the failures since then, which do not count towards giving up: they were asked for.
    pub const fn forgive(&mut self, then: Failures) {
        self.failures = then;
    }

    fn count(&mut self, kind: FailureKind) {
        let Failures { hangs_in_a_row, in_a_row, offences } = &mut self.failures;
        *in_a_row += 1;
        *hangs_in_a_row = if kind == FailureKind::Hang { *hangs_in_a_row + 1 } else { 0 };
        *offences += usize::from(kind.is_offence());
    }

    /// Ends the adapter's input, and hears whether it has something left to say, which is a failure
    /// of the last case.
    pub fn finish(&mut self) -> Option<Failure> {
        let mut running = self.running.take()?;
        running.input = None;
        let line = running.line(GRACE);
        let (_, stderr) = running.end();
        let (kind, what) = match line {
            Err((FailureKind::Crash | FailureKind::Hang, _)) => return None,
            Err(other) => other,
            Ok(line) => match Answer::read(&line) {
                Ok(Answer { id, .. }) if id < self.next_id => {
                    (FailureKind::AnsweredTwice, format!("a second answer under the number {id}"))
                }
                Ok(Answer { id, .. }) => (FailureKind::WrongNumber, format!("no case has the number {id}")),
                Err(why) => (FailureKind::Garbage, format!("{why}: {}", shown(&line))),
            },
        };
        Some(Failure { kind, what, stderr })
    }
}

/// The process of an adapter.
#[derive(Debug)]
struct Running {
    child: Child,
    watchdog: Option<Watchdog>,
    interrupt: Interrupt,
    /// Lines to be written; the pipe closes with it.
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<Vec<u8>>,
    /// What has come, and how much of it is used.
    pending: Vec<u8>,
    used: usize,
    /// Since when its program is seen to have ended by itself, and how.
    ended: Option<(Instant, ExitStatus)>,
    is_killed: bool,
    stderr: Arc<Mutex<Vec<u8>>>,
    stderr_reader: JoinHandle<()>,
}

impl Running {
    fn start(launch: &Launch) -> Result<(Self, Hello), StartError> {
        let (program, arguments) = launch
            .command
            .split_first()
            .ok_or_else(|| StartError::Program("no command is given".to_owned()))?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = watchdog::in_a_group(&mut command).spawn().map_err(|error| {
            StartError::Program(format!("cannot run {}: {error}", program.to_string_lossy()))
        })?;
        if let Some(watchdog) = &launch.watchdog {
            watchdog.watch(&child);
        }
        let (input, lines) = mpsc::channel();
        let (chunks, output) = mpsc::sync_channel(16);
        let (to, from) = (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
        let (errors, stderr) = (child.stderr.take().expect("piped"), Arc::default());
        // The threads end with the pipes. Nobody waits for those two: a grandchild may hold them open.
        thread::spawn(move || write(to, &lines));
        thread::spawn(move || read(from, &chunks));
        let stderr_reader = thread::spawn({
            let stderr = Arc::clone(&stderr);
            move || keep_end(errors, &stderr)
        });
        let mut running = Self {
            child,
            watchdog: launch.watchdog.clone(),
            interrupt: launch.interrupt.clone(),
            input: Some(input),
            output,
            pending: Vec::new(),
            used: 0,
            ended: None,
            is_killed: false,
            stderr,
            stderr_reader,
        };
        running.write(protocol::greeting());
        let line = running.line(launch.start_limit);
        let hello = line.and_then(|line| {
            Hello::read(&line).map_err(|why| {
                (FailureKind::Garbage, format!("its first line is no greeting: {why}: {}", shown(&line)))
            })
        });
        match hello {
            Ok(hello) => Ok((running, hello)),
            Err(_) if launch.interrupt.is_set() => Err(StartError::Interrupted),
            Err((kind, what)) => {
                let (ended, stderr) = running.end();
                let what = match kind {
                    FailureKind::Crash => format!("it ended before it had greeted ({ended})"),
                    FailureKind::Hang => {
                        format!(
                            "no greeting within {:?}: does it write its lines at once?",
                            launch.start_limit
                        )
                    }
                    _ => what,
                };
                let stderr = if stderr.is_empty() { stderr } else { format!("\n{stderr}") };
                Err(StartError::Handshake(format!("the adapter {launch}: {what}{stderr}")))
            }
        }
    }

    fn write(&self, lines: Vec<u8>) {
        // If the writer has ended, so has the adapter: its output will tell.
        if let Some(input) = &self.input {
            let _ = input.send(lines);
        }
    }

    /// The next line, without its end.
    fn line(&mut self, limit: Duration) -> Result<Vec<u8>, (FailureKind, String)> {
        let deadline = Instant::now() + limit;
        let mut looked_at = 0;
        loop {
            let rest = &self.pending[self.used..];
            let end = rest[looked_at..].iter().position(|byte| *byte == b'\n');
            let length = end.map_or(rest.len(), |end| looked_at + end);
            if length > LONGEST_LINE {
                let what = format!("a line longer than {LONGEST_LINE} bytes: {}", shown(rest));
                return Err((FailureKind::LongLine, what));
            }
            if end.is_some() {
                let line = &rest[..length];
                let line = line.strip_suffix(b"\r").unwrap_or(line).to_vec();
                self.used += length + 1;
                return Ok(line);
            }
            looked_at = length;
            if self.interrupt.is_set() {
                return Err((FailureKind::Hang, "the run is to end".to_owned()));
            }
            self.pending.drain(..std::mem::take(&mut self.used));
            let left = deadline.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left.min(LOOK)) {
                Ok(chunk) => self.pending.extend(chunk),
                Err(RecvTimeoutError::Timeout) => {
                    self.look();
                    let is_over = |(since, _): (Instant, _)| left <= LOOK || since.elapsed() >= LAST_WORDS;
                    if self.ended.is_some_and(is_over) {
                        return Err((FailureKind::Crash, String::new()));
                    }
                    if left <= LOOK {
                        return Err((FailureKind::Hang, format!("no answer within {limit:?}")));
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return Err((FailureKind::Crash, String::new())),
            }
        }
    }

    /// Sees whether the program has ended.
    fn look(&mut self) {
        if self.ended.is_none()
            && let Ok(Some(status)) = self.child.try_wait()
        {
            self.ended = Some((Instant::now(), status));
        }
    }

    /// Ends the process; how it ended, and the end of its standard error.
    fn end(mut self) -> (String, String) {
        let deadline = Instant::now() + GRACE;
        let is_time_left = || Instant::now() < deadline;
        let is_at_end = matches!(self.output.try_recv(), Err(mpsc::TryRecvError::Disconnected));
        while is_at_end && self.ended.is_none() && is_time_left() {
            self.look();
            thread::sleep(Duration::from_millis(1));
        }
        self.kill();
        while !self.stderr_reader.is_finished() && is_time_left() {
            thread::sleep(Duration::from_millis(1));
        }
        let ended = match self.ended {
            Some((_, status)) if is_at_end => status.to_string(),
            Some((_, status)) => format!("{status}; another process holds its output"),
            None => "its output ended".to_owned(),
        };
        let stderr = self.stderr.lock().unwrap_or_else(PoisonError::into_inner);
        (ended, String::from_utf8_lossy(&stderr).trim_end().to_owned())
    }

    fn kill(&mut self) {
        if std::mem::replace(&mut self.is_killed, true) {
            return;
        }
        watchdog::kill_group(self.child.id());
        if let Some(watchdog) = self.watchdog.take() {
            watchdog.forget(&self.child);
        }
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
    }
}

fn write(mut to: ChildStdin, lines: &Receiver<Vec<u8>>) {
    for lines in lines {
        if to.write_all(&lines).is_err() {
            return;
        }
    }
}

fn read(mut from: ChildStdout, chunks: &SyncSender<Vec<u8>>) {
    let mut buffer = vec![0; 1 << 16];
    loop {
        match from.read(&mut buffer) {
            Ok(0) => return,
            Ok(count) => {
                if chunks.send(buffer[..count].to_vec()).is_err() {
                    return;
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}

fn keep_end(mut from: ChildStderr, kept: &Mutex<Vec<u8>>) {
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = from.read(&mut buffer) {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(&buffer[..count]);
        let excess = kept.len().saturating_sub(KEPT_OF_STDERR);
        kept.drain(..excess);
    }
}

/// The beginning of a line, as it can be printed.
fn shown(line: &[u8]) -> String {
    let more = if line.len() > SHOWN { " ..." } else { "" };
    format!("{}{more}", printable(&String::from_utf8_lossy(&line[..line.len().min(SHOWN)])))
}
