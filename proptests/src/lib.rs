//! x
#![allow(missing_docs)]
mod case;
pub mod corpus;
mod json;
pub mod laws;
pub mod reference;
pub use case::{Accepted, Case, Core, Door, Kept, Refusal, Target, Validator, Verdict};
pub use json::{Json, Style};
