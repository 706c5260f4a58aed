#![doc = include_str!("../README.md")]

mod divergence;
pub mod laws;
mod schema;

pub use divergence::{Divergence, Seen, divergences};
pub use schema::{Objection, definitions, objections, text};
