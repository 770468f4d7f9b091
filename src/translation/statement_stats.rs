//! The account of statements: every statement of a file is kept, translated or refused, and the sum is the file.

use crate::ast::*;
use crate::map::Disposition;

/// Statements of one file by what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StatementCounts {
    /// In the host code as they were.
    pub kept: usize,
    /// Written anew, on either side.
    pub translated: usize,
    /// Named in an error.
    pub refused: usize,
}

/// Places of a text, to be asked whether one of them touches a span.
pub struct Places {
    /// By their start.
    spans: Vec<Span>,
    /// The furthest end of the spans up to each.
    reach: Vec<u32>,
}

impl Places {
    pub fn new(spans: &[Span]) -> Places {
        let mut spans = spans.to_vec();
        spans.sort_by_key(|e| e.start);
        let mut furthest = 0;
        let reach = spans
            .iter()
            .map(|s| {
                furthest = s.end.max(furthest);
                furthest
            })
            .collect();
        Places { spans, reach }
    }

    /// One of the places has a byte in common with `s`, or an end.
    pub fn touch(&self, s: &Span) -> bool {
        let n = self.spans.partition_point(|e| e.start <= s.end);
        n > 0 && self.reach[n - 1] >= s.start
    }
}

impl StatementCounts {
    /// Counts statements.
    pub fn of(statements: &[(Span, Disposition)]) -> StatementCounts {
        let count = |fate| statements.iter().filter(|s| s.1 == fate).count();
        StatementCounts {
            kept: count(Disposition::Kept),
            translated: count(Disposition::Translated),
            refused: count(Disposition::Refused),
        }
    }
}

/// The statements of a text, and what was made of it.
pub struct Reading<'a> {
    /// As far as they reach without regard to their meaning, and the CUF directives; in order.
    pub statements: Vec<Span>,
    pub tree: &'a File,
    /// The parser understood all of it.
    pub whole: bool,
}

/// The statements of a text, each once and in its order, with what becomes of them. `edited` are the places that the host pass changed, `refused`
/// those that errors name. Statements of kernels, device procedures and CUF loops lie inside an edit: that of the whole.
pub fn fates(of: Reading<'_>, edited: &[Span], refused: &Places) -> Vec<(Span, Disposition)> {
    let mut edited = edited.to_vec();
    for u in &of.tree.units {
        device_parts(u, &mut edited);
    }
    let edited = Places::new(&edited);
    // What the parser could not read is not in the tree.
    let read = match of.whole {
        true => None,
        false => Some(Places::new(&places::statements(of.tree))),
    };
    let fate = |s: &Span| {
        if refused.touch(s) || read.as_ref().is_some_and(|r| !r.touch(s)) {
            Disposition::Refused
        } else if edited.touch(s) {
            Disposition::Translated
        } else {
            Disposition::Kept
        }
    };
    of.statements.into_iter().map(|s| (s, fate(&s))).collect()
}

/// Kernels, device procedures and CUF loops: written anew, also where an error keeps them from it.
fn device_parts(u: &ProgramUnit, out: &mut Vec<Span>) {
    let has = |w: &str| u.prefix.attributes.iter().any(|a| a.text == w);
    if has("global") || has("grid_global") || has("device") && !has("host") {
        out.push(u.span);
        return;
    }
    fn loops(stmts: &[Stmt], out: &mut Vec<Span>) {
        for s in stmts {
            if let StmtKind::CufKernel(k) = &s.kind {
                let end = k.body.as_ref().map_or(k.directive.end, |b| b.span.end);
                let start = match &k.body {
                    Some(b) if k.apart => b.span.start,
                    _ => k.directive.start,
                };
                out.push(k.directive);
                out.push(Span { start, end });
            }
        }
    }
    loops(&u.body, out);
    u.procedures.iter().for_each(|p| device_parts(p, out));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_statement_counts_once() {
        let text = "program p\n  integer :: i\n  do i = 1, 3\n    if (i == 2) then\n      print *, i\n    end if\n  end do\nend program\n";
        let (tree, errors) = crate::syntax::parse(text);
        assert!(errors.is_empty());
        let at = |w: &str| {
            let start = text.find(w).unwrap_or(0) as u32;
            Span {
                start,
                end: start + w.len() as u32,
            }
        };
        let of = Reading {
            statements: places::statements(&tree),
            tree: &tree,
            whole: true,
        };
        let all = fates(of, &[at("print")], &Places::new(&[at("integer")]));
        assert!(all.is_sorted_by(|a, b| a.0.end <= b.0.start));
        assert_eq!(
            StatementCounts::of(&all),
            StatementCounts {
                kept: 6,
                translated: 1,
                refused: 1
            }
        );
    }
}
