//! Syntax errors, said so that the place and the cause can be found; comments, which stand anywhere.

use super::builder::{About, Builder, first_line};
use super::decl::{ATTRIBUTES, is_attribute};
use super::tree::{Node, Tree};
use crate::ast::*;
use crate::suggest::nearest;

impl Builder<'_> {
    /// Comments in order, and a report of every error node (outermost only).
    pub(super) fn scan(&mut self, tree: &Tree) -> Vec<Comment> {
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
                    self.error(span, "a CUF directive cannot appear here");
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
                        "preprocessor line in a file that is not preprocessed\nhelp: pass `--cpp`",
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
                    what => format!("syntax error: `{what}` is missing here"),
                };
                self.error_about(About::Construct, Self::span(node), message);
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
        let is_unit =
            !is_end && at == span && opens_unit(&shown) && self.slice(span).lines().count() > 3;
        let about = match (is_unit, is_end || shown.starts_with("end")) {
            (true, _) => About::Unit,
            (false, true) => About::Construct,
            (false, false) => About::Statement,
        };
        let message = if shown.is_empty() {
            "syntax error".to_owned()
        } else if is_end {
            format!("syntax error: `{shown}` does not close the construct that is open here")
        } else if is_unit {
            format!("syntax error in the unit `{shown}`, or its `end` statement is missing")
        } else if let Some(word) = reduce_clause(&shown) {
            format!(
                "syntax error at `{shown}`\nnote: `{word}` requires `+`, `*`, `max`, `min`, `iand`, `ior`, `ieor`, `.and.`, `.or.`, `.eqv.`, or `.neqv.`, a colon, and variables"
            )
        } else if let Some(word) = not_an_attribute(line, &shown) {
            let near = nearest(word, ATTRIBUTES);
            let more = match (near, line.contains("::")) {
                (Some(near), true) => format!("\nhelp: did you mean `{near}`?"),
                (None, true) => String::new(),
                (_, false) => "\nhelp: write the names of variables after the type without a comma, or after `::`".to_owned(),
            };
            format!("syntax error: `{word}` is not an attribute{more}")
        } else {
            format!("syntax error at `{shown}`")
        };
        self.error_about(
            about,
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
    (declares && end > 0 && !is_attribute(&word[..end])).then(|| &word[..end])
}

/// The statement begins a program unit.
fn opens_unit(statement: &str) -> bool {
    let openers = ["module", "program", "submodule", "subroutine", "function"];
    let first = statement.split_whitespace().next().unwrap_or_default();
    openers.iter().any(|w| first.eq_ignore_ascii_case(w))
}
