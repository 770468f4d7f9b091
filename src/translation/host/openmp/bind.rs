//! The pointers that stand for module data are THREADPRIVATE, for each thread has a current device of its own: parallel regions bind
//! them.

use crate::ast::{ProgramUnit, Span, Stmt, StmtKind};
use crate::host::context::HostRewriter;
use crate::host::openmp::directive::{Directive, Directives};

impl HostRewriter<'_> {
    /// The calls of the bind procedures at the beginning of the parallel regions of a unit, but for those that have been
    /// rewritten with the calls.
    pub(super) fn openmp_binds(
        &mut self,
        unit: &ProgramUnit,
        directives: &Directives,
        rewritten: &[usize],
        calls: &[String],
    ) {
        if calls.is_empty() {
            return;
        }
        for (k, d) in directives.all.iter().enumerate() {
            if d.is_standalone() || !d.has_word("parallel") || rewritten.contains(&k) {
                continue;
            }
            if d.is_loop() {
                if let Some(header) = first_loop(&unit.body, d.span.end, d.collapsed()) {
                    self.openmp_body(header, calls);
                }
            } else if d.has_word("sections") {
                self.openmp_sections(d, &directives.all[k + 1..], calls);
            } else if !d.has_word("workshare") {
                self.openmp_lines(d.span.end, d.span.start, calls);
            }
        }
    }

    /// The first statements of each section: those before the first SECTION directive are one, too.
    fn openmp_sections(&mut self, region: &Directive, later: &[Directive], calls: &[String]) {
        let mut start = region;
        for d in later {
            let is_end = d.is_end() && d.has_word("sections");
            if d.words != ["section"] && !is_end {
                continue;
            }
            let between = self.slice(Span {
                start: start.span.end,
                end: d.span.start,
            });
            let code = |l: &str| !l.trim().is_empty() && !l.trim_start().starts_with('!');
            if between.lines().any(code) {
                self.openmp_lines(start.span.end, start.span.start, calls);
            }
            start = d;
            if is_end {
                return;
            }
        }
    }
}

/// The DO statement of the innermost of `depth` nested loops, the outermost of which is the first behind `at`.
fn first_loop(block: &[Stmt], at: u32, depth: usize) -> Option<Span> {
    for stmt in block.iter().filter(|s| s.span.end > at) {
        if let StmtKind::Do(d) = &stmt.kind
            && stmt.span.start >= at
        {
            return match depth {
                0 | 1 => Some(d.header),
                _ => first_loop(&d.body, at, depth - 1),
            };
        }
        let inner = stmt.blocks().into_iter();
        if let Some(found) = inner.filter_map(|b| first_loop(b, at, depth)).next() {
            return Some(found);
        }
    }
    None
}
