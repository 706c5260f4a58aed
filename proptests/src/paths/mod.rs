//! File paths of roots (U5) and boundaries (B): who is asked, and what he is held against.
//!
//! Whatever reads a `file://` URI as a path, or tells inside from outside, is a [`Paths`]. Its
//! [`laws`] take a [`Question`]; [`hostile`] makes questions, and [`corpus`] keeps them.
//!
//! ```
//! use mcp_roots::{NoFilePath, Platform};
//! use mcp_roots_proptests::paths::{Paths, Question, laws};
//!
//! /// Compares strings.
//! struct Naive;
//!
//! impl Paths for Naive {
//!     fn path_of_uri(&self, uri: &str, _: Platform) -> Result<Vec<u8>, NoFilePath> {
//!         Ok(uri.strip_prefix("file://").ok_or(NoFilePath::NotFile)?.into())
//!     }
//!
//!     fn contains(&self, root: &str, candidate: &str, _: Platform) -> bool {
//!         candidate.starts_with(root)
//!     }
//! }
//!
//! let uris = ["file:///srv/app", "file:///srv/app-secrets", "file:///srv/app-secrets/key"];
//! let question = Question { uris, platform: Platform::Posix };
//! assert!(laws::all(&mcp_roots_proptests::Core, &question) > 5);
//! assert!(std::panic::catch_unwind(|| laws::a_sibling_is_outside(&Naive, &question)).is_err());
//! ```

pub mod corpus;
pub mod detect;
pub mod hostile;
pub mod laws;
mod planted;
pub mod reference;
mod url;

use std::fmt;

use mcp_roots::{FilePath, NoFilePath, Platform};

pub use planted::{PLANTED, Planted};
pub use url::{Divergence, divergence};

use crate::Core;

/// Somebody who makes file paths of URIs: the core, or another implementation on trial.
pub trait Paths {
    /// The path that a URI stands for, without dot segments, empty ones and a separator at its end; of
    /// Windows with backslashes and an upper-case drive.
    ///
    /// # Errors
    ///
    /// The first reason why there is none.
    fn path_of_uri(&self, uri: &str, platform: Platform) -> Result<Vec<u8>, NoFilePath>;

    /// The same of an absolute path; `None` for an implementation that takes none.
    fn path_of_path(&self, _path: &[u8], _platform: Platform) -> Option<Result<Vec<u8>, NoFilePath>> {
        None
    }

    /// The forms in which the path of a URI is given, or the words for why there is none; `None` for an
    /// implementation that has no others than octets, and no words.
    fn forms(&self, _uri: &str, _platform: Platform) -> Option<Result<Forms, String>> {
        None
    }

    /// Whether the candidate is inside the root.
    fn contains(&self, root: &str, candidate: &str, platform: Platform) -> bool;

    /// Whether a candidate that is named as a path is; `None` for an implementation that takes none.
    fn contains_path(&self, _root: &str, _candidate: &[u8], _platform: Platform) -> Option<bool> {
        None
    }
}

/// The forms of a path beside its octets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forms {
    /// As text, if it is UTF-8.
    pub text: Option<String>,
    /// Its segments, of Windows with the drive as the first.
    pub segments: Vec<Vec<u8>>,
    /// For a log.
    pub debug: String,
}

impl Paths for Core {
    fn path_of_uri(&self, uri: &str, platform: Platform) -> Result<Vec<u8>, NoFilePath> {
        FilePath::of_uri(uri, platform).map(|path| path.as_bytes().to_vec())
    }

    fn path_of_path(&self, path: &[u8], platform: Platform) -> Option<Result<Vec<u8>, NoFilePath>> {
        Some(FilePath::of_path(path, platform).map(|path| path.as_bytes().to_vec()))
    }

    fn forms(&self, uri: &str, platform: Platform) -> Option<Result<Forms, String>> {
        let forms = |path: FilePath| Forms {
            text: path.as_str().map(str::to_owned),
            segments: path.segments().map(<[u8]>::to_vec).collect(),
            debug: format!("{path:?}"),
        };
        Some(FilePath::of_uri(uri, platform).map(forms).map_err(|reason| reason.to_string()))
    }

    fn contains(&self, root: &str, candidate: &str, platform: Platform) -> bool {
        mcp_roots::contains(root, candidate, platform)
    }

    fn contains_path(&self, root: &str, candidate: &[u8], platform: Platform) -> Option<bool> {
        Some(mcp_roots::contains_path(root, candidate, platform))
    }
}

/// One question: URIs, and whose paths they are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Question<'a> {
    /// A root, a candidate, and a candidate for the candidate.
    pub uris: [&'a str; 3],
    /// Whose paths.
    pub platform: Platform,
}

impl<'a> Question<'a> {
    /// Of a root and a candidate.
    ///
    /// ```
    /// use mcp_roots::Platform;
    /// use mcp_roots_proptests::paths::Question;
    /// let question = Question::new("file:///a", "file:///a/b", Platform::Posix);
    /// assert_eq!(question.uris[1], "file:///a/b");
    /// ```
    #[must_use]
    pub const fn new(root: &'a str, candidate: &'a str, platform: Platform) -> Self {
        Self { uris: [root, candidate, root], platform }
    }

    /// Of lines of a text, an absent one being empty: what a fuzzer of bytes asks, for both platforms.
    ///
    /// ```
    /// use mcp_roots_proptests::paths::Question;
    /// let [posix, _] = Question::of_lines("file:///a\nfile:///a/b");
    /// assert_eq!(posix.uris, ["file:///a", "file:///a/b", ""]);
    /// ```
    #[must_use]
    pub fn of_lines(text: &'a str) -> [Self; 2] {
        let mut lines = text.splitn(3, '\n');
        let uris = [(); 3].map(|()| lines.next().unwrap_or_default());
        Platform::ALL.map(|platform| Self { uris, platform })
    }
}

impl fmt::Debug for Question<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?}", self.platform)?;
        for (what, uri) in ["root", "candidate", "third"].into_iter().zip(self.uris) {
            write!(formatter, "\n  {what:<9} {uri:?}")?;
        }
        Ok(())
    }
}

/// A path, readably: as text where it is text, else with octets as `\xNN`.
///
/// ```
/// assert_eq!(mcp_roots_proptests::paths::shown(b"/a\xff"), r"/a\xff");
/// ```
#[must_use]
pub fn shown(path: &[u8]) -> String {
    std::str::from_utf8(path).map_or_else(|_| path.escape_ascii().to_string(), str::to_owned)
}
