//! Mistakes that people who know C make in Fortran, and constructs that are not closed: said at their place, instead of what the parser
//! finds after it. Only a text with syntax errors is looked at.

mod declarations;
mod expressions;
pub(super) mod lines;
mod loops;
pub(super) mod rules;
pub(super) mod structure;
mod words;

use super::builder::{About, SyntaxError};
use crate::ast::{Lost, Proposal, Span};
use lines::{Statement, statements};

/// A mistake in a statement: byte offsets in its text.
struct Found {
    from: usize,
    to: usize,
    /// Headline and help (`diag::parts`).
    message: String,
    /// What to put in the place of a range, and whether nothing else can be meant.
    change: Option<(usize, usize, String, bool)>,
    /// The parser understands nothing after it.
    spoils_rest: bool,
    about: About,
}

impl Found {
    fn new(from: usize, to: usize, message: impl Into<String>) -> Found {
        Found {
            from,
            to,
            message: message.into(),
            change: None,
            spoils_rest: false,
            about: About::Statement,
        }
    }

    /// A construct or procedure is not closed as it should be.
    fn of_construct(mut self) -> Found {
        self.about = About::Construct;
        self
    }

    /// With what takes the place of the mistake.
    fn replaced(mut self, by: impl Into<String>, is_safe: bool) -> Found {
        self.change = Some((self.from, self.to, by.into(), is_safe));
        self
    }
}

/// The errors of a text, with mistakes in the place of what follows from them.
pub(super) fn explained(text: &str, errors: Vec<SyntaxError>) -> Vec<SyntaxError> {
    // For the parser `i++` continues in the next line, `call k(a)<<<1, 1>>>` calls a function's result, and a `&` is blank.
    let accepted = |line: &str| {
        let line = line.trim();
        let increment = line.ends_with("++") || line.ends_with("--");
        let address = line.contains("(&") && !line.ends_with("(&");
        let arguments_first = line.contains("<<<") && line.ends_with(">>>");
        (increment || arguments_first || address) && !line.contains('!')
    };
    if errors.is_empty() && !text.lines().any(accepted) {
        return errors;
    }
    let all = statements(text);
    let mut out: Vec<SyntaxError> = Vec::new();
    let mut starts: Vec<u32> = errors.iter().map(|e| e.span.start).collect();
    starts.sort_unstable();
    // Where the parser's errors say nothing: from, to; both only grow.
    let mut shadows: Vec<(u32, u32)> = Vec::new();
    for (i, s) in all.iter().enumerate() {
        let next = all.get(i + 1).map_or(u32::MAX, Statement::end);
        let at_or_after = starts.partition_point(|start| *start < s.start());
        let suspect = starts.get(at_or_after).is_some_and(|start| *start <= next);
        let same_line = |from: u32| {
            let between = text.get(from as usize..s.start() as usize);
            between.is_some_and(|t| !t.contains('\n'))
        };
        if shadows.last().is_some_and(|(from, _)| same_line(*from)) {
            continue;
        }
        let found = match errors.is_empty() {
            true => rules::accepted(s),
            false => rules::mistake(s, suspect),
        };
        let Some(found) = found else {
            continue;
        };
        let spoils_rest = found.spoils_rest;
        shadows.push((s.start(), if spoils_rest { u32::MAX } else { next }));
        out.push(error_of(s, found, text));
        if spoils_rest {
            break;
        }
    }
    // With the place from which on everything follows from an open construct.
    let explained = |e: &SyntaxError, open: Option<u32>| {
        let at = e.span.start;
        let before = shadows.partition_point(|(from, _)| *from <= at);
        let covers = |k: usize| shadows.get(k).is_some_and(|(_, to)| at <= *to);
        before.checked_sub(1).is_some_and(covers)
            || open.is_some_and(|from| from <= at)
            || e.about == About::Unit
                && (before < shadows.len() || open.is_some_and(|from| at < from))
    };
    let rest: Vec<SyntaxError> = errors.into_iter().filter(|e| !explained(e, None)).collect();
    let open = match rest.is_empty() {
        true => None,
        false => structure::unclosed(&all),
    };
    let from = open.as_ref().map(|(i, _)| all[*i].start());
    if let Some((i, found)) = open {
        out.push(error_of(&all[i], found, text));
    }
    out.extend(rest.into_iter().filter(|e| !explained(e, from)));
    out.sort_by_key(|e| e.span.start);
    out
}

fn error_of(s: &Statement, found: Found, text: &str) -> SyntaxError {
    let span = s.span(found.from, found.to);
    let proposal = found.change.and_then(|(from, to, with, is_safe)| {
        let span = s.span(from, to);
        let old = text.get(span.start as usize..span.end as usize)?;
        // Within one line: nothing between the two ends that the statement leaves out.
        (old.len() == to - from).then_some(Proposal {
            span,
            text: with,
            is_safe,
        })
    });
    let span = Span {
        start: span.start,
        end: span.end.max(span.start),
    };
    SyntaxError {
        span,
        lost: Lost::at(span),
        message: format!("syntax error: {}", found.message),
        proposal,
        about: found.about,
    }
}

#[cfg(test)]
mod tests;
