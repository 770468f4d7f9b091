//! Concrete syntax (tree-sitter) to the typed syntax tree. The only module that knows tree-sitter.

mod builder;
mod chunks;
mod colour;
mod construct;
mod decl;
mod definition;
mod directive;
mod errors;
mod expr;
mod habits;
mod io;
mod keywords;
mod recovery;
mod stmt;
mod tree;
mod types;
mod unit;

pub use builder::SyntaxError;
use builder::{Builder, error, exact};
use chunks::Piece;
pub use colour::{Colour, colours};
use rayon::prelude::*;
use tree::{Place, Tree};

use crate::ast::*;

/// Bytes of the pieces that a long text is parsed in: enough to keep a thread busy, few enough for the concrete tree, which
/// takes some sixty times the text, to be small.
const PIECE: usize = 32 << 10;

/// Parses free-form text. Never fails: what is not Fortran is reported and left out of the tree.
pub fn parse(text: &str) -> (File, Vec<SyntaxError>) {
    parse_by(text, PIECE)
}

/// Parses a text in pieces of about `size` bytes if it is longer than two of them; the result does not depend on it. Where there
/// are errors, the rest is parsed without their causes.
fn parse_by(text: &str, size: usize) -> (File, Vec<SyntaxError>) {
    let parsed = parse_once(text, size);
    match parsed.1.is_empty() {
        true => parsed,
        false => recovery::recovered(text, parsed, |t| parse_once(t, size)),
    }
}

fn parse_once(text: &str, size: usize) -> (File, Vec<SyntaxError>) {
    // The last statement needs its line end.
    let terminated;
    let parsed = if text.ends_with('\n') {
        text
    } else {
        terminated = format!("{text}\n");
        &terminated
    };
    let masked = keywords::mask(parsed);
    if parsed.len() > 2 * size
        && let Some(pieces) = chunks::split(&masked, size)
        && let Some(file) = join(parsed, &masked, &pieces)
    {
        return (file, Vec::new());
    }
    let Some(tree) = Tree::parse(&masked, Place::default()) else {
        return (
            File::default(),
            vec![error(Span::default(), "file could not be parsed")],
        );
    };
    let mut builder = Builder::new(parsed, Builder::unit);
    let comments = builder.scan(&tree);
    let units = builder.file_units(tree.root());
    (
        File {
            units,
            comments: exact(comments),
        },
        habits::explained(parsed, builder.errors),
    )
}

/// Parses the pieces and puts the trees together; None if there is anything wrong in any of them.
fn join(text: &str, masked: &str, pieces: &[Piece]) -> Option<File> {
    let parts: Option<Vec<File>> = pieces
        .par_iter()
        .map(|p| parse_piece(text, masked, p))
        .collect();
    let mut file = File::default();
    for (piece, part) in pieces.iter().zip(parts?) {
        match piece {
            Piece::Procedures(_) => file.units.last_mut()?.procedures.extend(part.units),
            _ => file.units.extend(part.units),
        }
        file.comments.extend(part.comments);
    }
    // Those at the end of a module came with its beginning.
    file.comments.sort_by_key(|c| c.span.start);
    file.units
        .iter_mut()
        .for_each(|u| u.procedures.shrink_to_fit());
    Some(file)
}

/// Parses a piece of the masked text; its spans are those of the whole text.
fn parse_piece(text: &str, masked: &str, piece: &Piece) -> Option<File> {
    let own;
    let (part, place) = match piece {
        Piece::Units(range) | Piece::Procedures(range) => {
            (masked.get(range.clone())?, Place::at(range.start))
        }
        Piece::Module { head, tail } => {
            own = [masked.get(head.clone())?, masked.get(tail.clone())?].concat();
            (own.as_str(), Place::around(head, tail))
        }
    };
    let tree = Tree::parse(part, place)?;
    let mut builder = Builder::new(text, Builder::unit);
    builder.depth = usize::from(matches!(piece, Piece::Procedures(_)));
    let comments = builder.scan(&tree);
    let units = builder.file_units(tree.root());
    let whole = Builder::children(tree.root()).len() == units.len();
    let expected = match piece {
        Piece::Units(_) => true,
        Piece::Module { .. } => {
            matches!(units.as_slice(), [u] if u.contains.is_some() && u.procedures.is_empty())
        }
        Piece::Procedures(_) => units.iter().all(|u| {
            matches!(
                u.kind,
                UnitKind::Subroutine | UnitKind::Function | UnitKind::ModuleProcedure
            )
        }),
    };
    (whole && expected && builder.errors.is_empty()).then_some(File { units, comments })
}

#[cfg(test)]
mod tests;
