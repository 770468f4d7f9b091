//! A file as it was read: its text and its tree.

use std::path::Path;

use crate::ast;
use crate::source::statements::spans;
use crate::source::{self, SourceError, SourceText};
use crate::statement_stats::Reading;
use crate::syntax;

pub(super) struct Parsed {
    pub(super) source: SourceText,
    pub(super) tree: ast::File,
    pub(super) errors: Vec<syntax::SyntaxError>,
    /// Of the user's file.
    pub(super) lines: usize,
}

impl Parsed {
    pub(super) fn reading(&self) -> Reading<'_> {
        Reading {
            // As the user wrote them.
            statements: spans(self.source.host()),
            tree: &self.tree,
            whole: self.errors.is_empty(),
        }
    }
}

pub(super) fn parse(
    path: &Path,
    bytes: Vec<u8>,
    options: &source::Options,
    include: source::Files<'_>,
) -> Result<Parsed, SourceError> {
    let mut source = source::load(path, &bytes, options, include)?;
    let (mut tree, mut errors) = syntax::parse(&source.text);
    if !errors.is_empty() {
        // Perhaps blanks stand inside words of fixed form, or none between words.
        let options = source::Options {
            respace: true,
            ..options.clone()
        };
        let respaced = source::load(path, &bytes, &options, include)?;
        if respaced.text != source.text {
            let (other, remaining) = syntax::parse(&respaced.text);
            if remaining.len() < errors.len() {
                (source, tree, errors) = (respaced, other, remaining);
            }
        }
    }
    tree.mark_structures(&source.structure_types);
    Ok(Parsed {
        source,
        tree,
        errors,
        lines: bytes.split_inclusive(|b| *b == b'\n').count(),
    })
}
