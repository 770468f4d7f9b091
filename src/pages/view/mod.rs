//! The page that shows a translation side by side: one HTML file with the sources, what became of them, and why.
//!
//! What the page knows comes as data from the translation: its source map, its facts, its diagnostics. The script (templates/view/*.js)
//! draws it; nothing in a source can become markup ([`json`]) or a script (the page's policy allows none but its own).

pub mod command;
mod cpp;
mod files;
mod graph;
pub mod hints;
mod json;
mod links;
mod page;
pub mod ptxas;
mod rationale;
mod text;
mod vlq;

pub use page::{Subject, page};
