//! Source text.
mod span;
pub use span::Span;
