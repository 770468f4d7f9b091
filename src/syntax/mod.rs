//! Concrete syntax (tree-sitter) to the typed syntax tree. The only module that knows tree-sitter.

mod construct;
mod decl;
mod definition;
mod directive;
mod expr;
mod io;
mod keywords;
mod pieces;
mod stmt;
mod tree;
mod unit;

use pieces::Piece;
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use tree::{Node, Place, Tree};

use crate::ast::*;

/// A syntax error or a limit that was exceeded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    pub span: Span,
    pub message: String,
}

/// Nesting of expressions and constructs beyond which the tree is not built (no real program comes near it; the stack of
/// the analysis is sized for it).
const MAX_DEPTH: usize = 2_000;

/// Bytes of the pieces that a long text is parsed in: enough to keep a thread busy, few enough for the concrete tree, which
/// takes some sixty times the text, to be small.
const PIECE: usize = 32 << 10;

/// Parses free-form text. Never fails: what is not Fortran is reported and left out of the tree.
pub fn parse(text: &str) -> (File, Vec<SyntaxError>) {
    parse_by(text, PIECE)
}

/// Parses a text in pieces of about `size` bytes if it is longer than two of them; the result does not depend on it.
fn parse_by(text: &str, size: usize) -> (File, Vec<SyntaxError>) {
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
        && let Some(pieces) = pieces::split(&masked, size)
        && let Some(file) = join(parsed, &masked, &pieces)
    {
        return (file, Vec::new());
    }
    let Some(tree) = Tree::parse(&masked, Place::default()) else {
        return (
            File::default(),
            vec![error(Span::default(), "the file could not be parsed")],
        );
    };
    let mut builder = Builder::new(parsed);
    let comments = builder.scan(&tree);
    let units = builder.file_units(tree.root());
    (
        File {
            units,
            comments: exact(comments),
        },
        builder.errors,
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
    let mut builder = Builder::new(text);
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

fn error(span: Span, message: impl Into<String>) -> SyntaxError {
    SyntaxError {
        span,
        message: message.into(),
    }
}

struct Builder<'t> {
    text: &'t str,
    errors: Vec<SyntaxError>,
    depth: usize,
    /// The names so far.
    words: FxHashSet<Word>,
}

impl<'t> Builder<'t> {
    fn new(text: &'t str) -> Self {
        Builder {
            text,
            errors: Vec::new(),
            depth: 0,
            words: FxHashSet::default(),
        }
    }

    fn span(node: Node<'_>) -> Span {
        Span {
            start: node.start_byte() as u32,
            end: node.end_byte() as u32,
        }
    }

    fn text(&self, node: Node<'_>) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    fn slice(&self, span: Span) -> &'t str {
        self.text
            .get(span.start as usize..span.end as usize)
            .unwrap_or_default()
    }

    fn lower(&self, node: Node<'_>) -> String {
        self.text(node).to_ascii_lowercase()
    }

    fn name(&mut self, node: Node<'_>) -> Name {
        let text = self.text(node);
        let text = if text.bytes().any(|b| b.is_ascii_uppercase()) {
            self.word(&text.to_ascii_lowercase())
        } else {
            self.word(text)
        };
        Name {
            text,
            span: Self::span(node),
        }
    }

    /// The word of a text: one for all names that are the same.
    fn word(&mut self, text: &str) -> Word {
        if let Some(known) = self.words.get(text) {
            return known.clone();
        }
        let word = Word::from(text);
        self.words.insert(word.clone());
        word
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.errors.push(error(span, message));
    }

    /// A node without the line end, comments and semicolons that the grammar counts to it.
    fn statement_span(node: Node<'_>) -> Span {
        let end = node
            .children()
            .filter(|c| c.end_byte() > c.start_byte() && !matches!(c.kind(), "comment" | ";" | "&"))
            .map(|c| c.end_byte())
            .max()
            .unwrap_or(node.end_byte());
        Span {
            start: node.start_byte() as u32,
            end: end as u32,
        }
    }

    /// Runs `f` one level deeper; at the limit reports and gives None.
    fn nested<T>(&mut self, node: Node<'_>, f: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= MAX_DEPTH {
            self.error(
                Self::span(node),
                format!("nested more than {MAX_DEPTH} levels deep"),
            );
            return None;
        }
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        Some(result)
    }

    /// Named children without comments.
    fn children<'n>(node: Node<'n>) -> Vec<Node<'n>> {
        Self::syntax_of(node).filter(|c| c.is_named()).collect()
    }

    /// All children, anonymous ones included, without comments.
    fn tokens<'n>(node: Node<'n>) -> Vec<Node<'n>> {
        Self::syntax_of(node).collect()
    }

    /// Without comments and lines of the preprocessor ([`Builder::scan`] reads those).
    fn syntax_of<'n>(node: Node<'n>) -> impl Iterator<Item = Node<'n>> {
        node.children().filter(|c| c.is_syntax())
    }

    fn first<'n>(node: Node<'n>, kind: &str) -> Option<Node<'n>> {
        Self::syntax_of(node).find(|c| c.kind() == kind && c.is_named())
    }

    fn has_token(node: Node<'_>, kind: &str) -> bool {
        Self::syntax_of(node).any(|t| t.kind() == kind)
    }

    /// Comments in order, and a report of every error node (outermost only).
    fn scan(&mut self, tree: &Tree) -> Vec<Comment> {
        let mut comments = Vec::new();
        let mut next = 0;
        // An error node around whole statements: reported at the errors inside it, if there are any.
        let mut outer: Option<(usize, Node<'_>, usize)> = None;
        for (at, node) in tree.nodes().enumerate() {
            if at < next {
                continue;
            }
            if let Some((end, node, before)) = outer
                && at >= end
            {
                self.report_outer(node, before);
                outer = None;
            }
            let mut descend = true;
            if node.kind() == "comment" {
                let span = Self::span(node);
                let line = self.text.get(..span.start as usize).unwrap_or_default();
                let before = &line[line.rfind('\n').map_or(0, |i| i + 1)..];
                comments.push(Comment {
                    span,
                    own_line: before.trim().is_empty(),
                });
                // Where no statement may stand a directive is a comment for the parser.
                let text = self.slice(span);
                if outer.is_none()
                    && text
                        .get(..5)
                        .is_some_and(|t| t.eq_ignore_ascii_case("!$cuf"))
                {
                    self.error(span, "a CUF directive cannot stand here");
                }
                descend = false;
            } else if matches!(
                node.kind(),
                "custom_directive" | "multiline_preproc_comment"
            ) {
                self.report_error(node);
                descend = false;
            } else if node.kind().starts_with("preproc_") {
                let mut span = Self::span(node);
                let line = first_line(self.slice(span));
                span.end = span.start + line.len() as u32;
                // A line marker (`# 12 "file"`) says nothing that is needed.
                let word = line.trim_start_matches(['#', ' ', '\t']);
                if !word.starts_with(|c: char| c.is_ascii_digit()) {
                    self.error(
                        span,
                        "a preprocessor line in a file that is not preprocessed (option --cpp)",
                    );
                }
                descend = false;
            } else if node.is_error() && self.slice(Self::span(node)).lines().nth(3).is_some() {
                if outer.is_none() {
                    outer = Some((node.end_of_subtree(), node, self.errors.len()));
                }
            } else if node.is_error() {
                // What follows from an error before it: an END for which nothing is open any more.
                let before = outer.map_or(usize::MAX, |o| o.2);
                if self.errors.len() <= before || !self.stands_after_end(node) {
                    self.report_error(node);
                }
                descend = false;
            } else if node.is_missing() {
                let message = match node.kind() {
                    ";" => "syntax error: the statement should end here".to_owned(),
                    what => format!("syntax error: '{what}' is missing here"),
                };
                self.error(Self::span(node), message);
            }
            if !descend {
                next = node.end_of_subtree();
            }
        }
        if let Some((_, node, before)) = outer {
            self.report_outer(node, before);
        }
        comments
    }

    /// Reports an error node of several statements if nothing inside it was, since there were `before` errors.
    fn report_outer(&mut self, node: Node<'_>, before: usize) {
        if self.errors.len() == before {
            self.report_error(node);
        }
    }

    /// The line of a node begins with the word END.
    fn stands_after_end(&self, node: Node<'_>) -> bool {
        let before = self.text.get(..node.start_byte()).unwrap_or_default();
        let line = before.rsplit('\n').next().unwrap_or_default();
        line.trim().eq_ignore_ascii_case("end")
    }

    fn unknown_directive(&mut self, span: Span) {
        let shown: String = first_line(self.slice(span)).chars().take(40).collect();
        self.error(
            span,
            format!("syntax error: '{shown}' is not a CUF directive"),
        );
    }

    /// Reports an error node at the statement that the parser could not read: the first line of it that is not a comment.
    fn report_error(&mut self, node: Node<'_>) {
        let span = Self::span(node);
        // A node that covers whole units begins far before the mistake: its innermost error, if any, is the place.
        let mut at = span;
        if self.slice(span).lines().count() > 3
            && let Some(inner) = node.children().find(|c| c.is_error())
        {
            at = Self::span(inner);
        }
        let text = self.slice(at);
        let skip = text.len() - text.trim_start().len();
        let mut start = at.start as usize + skip;
        let mut end = start + first_line(text.trim_start()).len();
        let before = self.text.get(..start).unwrap_or_default();
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        let line = first_line(self.text.get(line_start..).unwrap_or_default());
        let indent = line.len() - line.trim_start().len();
        let is_end = before[line_start..].trim().eq_ignore_ascii_case("end");
        if is_end {
            start = line_start + indent;
            end = line_start + line.len();
        }
        let shown: String = self
            .text
            .get(start..end)
            .unwrap_or_default()
            .chars()
            .take(40)
            .collect();
        let message = if shown.is_empty() {
            "syntax error".to_owned()
        } else if is_end {
            format!("syntax error: '{shown}' does not close the construct that is open here")
        } else if at == span && opens_unit(&shown) && self.slice(span).lines().count() > 3 {
            format!("syntax error in the unit '{shown}', or its END statement is missing")
        } else if let Some(word) = reduce_clause(&shown) {
            format!(
                "syntax error at '{shown}': {word} takes +, *, max, min, iand, ior, ieor, .and., .or., .eqv. or .neqv. and, after a colon, variables"
            )
        } else if let Some(word) = not_an_attribute(line, &shown) {
            let more = match line.contains("::") {
                true => "",
                false => ": the names of variables follow the type without a comma, or after '::'",
            };
            format!("syntax error: '{word}' is no attribute{more}")
        } else {
            format!("syntax error at '{shown}'")
        };
        self.error(
            Span {
                start: start as u32,
                end: end as u32,
            },
            message,
        );
    }
}

/// The text begins a clause of a CUF directive.
fn reduce_clause(text: &str) -> Option<&'static str> {
    ["reduction", "reduce"].into_iter().find(|w| {
        text.get(..w.len())
            .is_some_and(|t| t.eq_ignore_ascii_case(w))
            && text[w.len()..].trim_start().starts_with('(')
    })
}

/// The word after a comma behind the type of a declaration, where an attribute should stand (`real, x, y`).
fn not_an_attribute<'s>(line: &str, rest: &'s str) -> Option<&'s str> {
    const TYPES: [&str; 8] = [
        "real",
        "integer",
        "complex",
        "logical",
        "character",
        "double",
        "type",
        "class",
    ];
    let first: String = line
        .trim_start()
        .chars()
        .take_while(char::is_ascii_alphabetic)
        .collect();
    let word = rest.strip_prefix(',')?.trim_start();
    let end = word
        .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .unwrap_or(word.len());
    let declares = TYPES.iter().any(|t| first.eq_ignore_ascii_case(t));
    (declares && end > 0 && !decl::is_attribute(&word[..end])).then(|| &word[..end])
}

/// The list without room for more: trees are kept, and lists are short.
fn exact<T>(mut list: Vec<T>) -> Vec<T> {
    list.shrink_to_fit();
    list
}

/// The statement begins a program unit.
fn opens_unit(statement: &str) -> bool {
    let openers = ["module", "program", "submodule", "subroutine", "function"];
    let first = statement.split_whitespace().next().unwrap_or_default();
    openers.iter().any(|w| first.eq_ignore_ascii_case(w))
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default().trim_end()
}

#[cfg(test)]
mod tests;
