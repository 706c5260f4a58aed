//! The end of a run before its time: the first signal asks for it, and a second one is not argued with.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// So often it is looked whether there was a signal.
const LOOK: Duration = Duration::from_millis(50);
/// Signals that come within so long are one.
const TOGETHER: Duration = Duration::from_secs(1);

/// Whether a run is to end, and by which signal; all clones are of the same run.
///
/// ```
/// use mcp_roots_harness::interrupt::Interrupt;
/// let interrupt = Interrupt::default();
/// assert_eq!((interrupt.is_set(), interrupt.status()), (false, None));
/// interrupt.set(15);
/// assert_eq!((interrupt.is_set(), interrupt.clone().status()), (true, Some(143)));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<AtomicUsize>);

impl Interrupt {
    /// One that `SIGINT` and `SIGTERM` set. Another of them ends this process at once, and with it, by the
    /// watchdog, every adapter; but not within a second, since some programs signal a process and its group.
    ///
    /// # Errors
    ///
    /// Where the signals cannot be caught.
    #[cfg(unix)]
    pub fn by_signals() -> io::Result<Self> {
        use signal_hook::consts::{SIGINT, SIGTERM};
        use signal_hook::flag;

        let interrupt = Self::default();
        let is_set: Arc<AtomicBool> = Arc::default();
        for signal in [SIGINT, SIGTERM] {
            flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&is_set))?;
            flag::register_usize(
                signal,
                Arc::clone(&interrupt.0),
                usize::try_from(signal).unwrap_or_default(),
            )?;
        }
        // It ends with the process.
        thread::spawn({
            let interrupt = interrupt.clone();
            move || {
                while !interrupt.is_set() {
                    thread::sleep(LOOK);
                }
                thread::sleep(TOGETHER);
                is_set.store(true, Ordering::Relaxed);
            }
        });
        Ok(interrupt)
    }

    /// One that nothing sets: here signals end the process as they do any other.
    ///
    /// # Errors
    ///
    /// None.
    #[cfg(not(unix))]
    pub fn by_signals() -> io::Result<Self> {
        Ok(Self::default())
    }

    /// Ends the run, as that signal would.
    pub fn set(&self, signal: u8) {
        self.0.store(signal.into(), Ordering::Relaxed);
    }

    /// Whether the run is to end.
    #[must_use]
    pub fn is_set(&self) -> bool {
        self.status().is_some()
    }

    /// The exit status of a program that ended by the signal, as shells have it: 128 and its number.
    #[must_use]
    pub fn status(&self) -> Option<u8> {
        match self.0.load(Ordering::Relaxed) {
            0 => None,
            signal => u8::try_from(128 + signal).ok(),
        }
    }
}
