//! What all builders of the typed tree share: the text, errors, names, ways through the concrete tree.

use rustc_hash::FxHashSet;

use super::tree::Node;
use crate::ast::*;

/// A syntax error or a limit that was exceeded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    pub span: Span,
    /// Headline, notes and help (`diag::parts`).
    pub message: String,
    pub proposal: Option<Proposal>,
    pub(super) about: About,
    /// What has no meaning because of it.
    pub lost: Lost,
}

/// How much of the text an error is about: recovery compares the errors of structure before and after a repair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum About {
    Statement,
    /// A construct or procedure that is not closed as it should be, or a missing part of a statement.
    Construct,
    /// A program unit as a whole.
    Unit,
}

/// Nesting of expressions and constructs beyond which the tree is not built (no real program comes near it; the stack of
/// the analysis is sized for it).
const MAX_DEPTH: usize = 2_000;

pub(super) struct Builder<'t> {
    pub(super) text: &'t str,
    pub(super) errors: Vec<SyntaxError>,
    pub(super) depth: usize,
    /// The names so far.
    pub(super) words: FxHashSet<Word>,
    /// Reads the units that interface blocks hold, which stand above everything that a unit is made of.
    pub(super) unit: fn(&mut Self, Node<'_>) -> Option<ProgramUnit>,
}

impl<'t> Builder<'t> {
    pub(super) fn new(text: &'t str, unit: fn(&mut Self, Node<'_>) -> Option<ProgramUnit>) -> Self {
        Builder {
            text,
            errors: Vec::new(),
            depth: 0,
            words: FxHashSet::default(),
            unit,
        }
    }

    pub(super) fn span(node: Node<'_>) -> Span {
        Span {
            start: node.start_byte() as u32,
            end: node.end_byte() as u32,
        }
    }

    pub(super) fn text(&self, node: Node<'_>) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    pub(super) fn slice(&self, span: Span) -> &'t str {
        self.text
            .get(span.start as usize..span.end as usize)
            .unwrap_or_default()
    }

    pub(super) fn lower(&self, node: Node<'_>) -> String {
        self.text(node).to_ascii_lowercase()
    }

    pub(super) fn name(&mut self, node: Node<'_>) -> Name {
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
    pub(super) fn word(&mut self, text: &str) -> Word {
        if let Some(known) = self.words.get(text) {
            return known.clone();
        }
        let word = Word::from(text);
        self.words.insert(word.clone());
        word
    }

    pub(super) fn error(&mut self, span: Span, message: impl Into<String>) {
        self.errors.push(error(span, message));
    }

    pub(super) fn error_about(&mut self, about: About, span: Span, message: impl Into<String>) {
        self.errors.push(SyntaxError {
            about,
            ..error(span, message)
        });
    }

    /// A node without the line end, comments and semicolons that the grammar counts to it.
    pub(super) fn statement_span(node: Node<'_>) -> Span {
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
    pub(super) fn nested<T>(
        &mut self,
        node: Node<'_>,
        f: impl FnOnce(&mut Self) -> T,
    ) -> Option<T> {
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
    pub(super) fn children<'n>(node: Node<'n>) -> Vec<Node<'n>> {
        Self::syntax_of(node).filter(|c| c.is_named()).collect()
    }

    /// All children, anonymous ones included, without comments.
    pub(super) fn tokens<'n>(node: Node<'n>) -> Vec<Node<'n>> {
        Self::syntax_of(node).collect()
    }

    /// Without comments and lines of the preprocessor ([`Builder::scan`] reads those).
    pub(super) fn syntax_of<'n>(node: Node<'n>) -> impl Iterator<Item = Node<'n>> {
        node.children().filter(|c| c.is_syntax())
    }

    pub(super) fn first<'n>(node: Node<'n>, kind: &str) -> Option<Node<'n>> {
        Self::syntax_of(node).find(|c| c.kind() == kind && c.is_named())
    }

    pub(super) fn has_token(node: Node<'_>, kind: &str) -> bool {
        Self::syntax_of(node).any(|t| t.kind() == kind)
    }

    pub(super) fn unknown_directive(&mut self, span: Span) {
        let shown: String = first_line(self.slice(span)).chars().take(40).collect();
        self.error(
            span,
            format!(
                "syntax error: `{shown}` is not a CUF directive\nhelp: write `!$cuf kernel do`, with a number of loops and `<<<grid, block>>>`"
            ),
        );
    }
}

pub(super) fn error(span: Span, message: impl Into<String>) -> SyntaxError {
    SyntaxError {
        span,
        message: message.into(),
        proposal: None,
        about: About::Statement,
        lost: Lost::at(span),
    }
}

/// The list without room for more: trees are kept, and lists are short.
pub(super) fn exact<T>(mut list: Vec<T>) -> Vec<T> {
    list.shrink_to_fit();
    list
}

pub(super) fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default().trim_end()
}
