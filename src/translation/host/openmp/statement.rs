//! Directives for statements that are none any more when they have been translated: a CUF loop is a launch, a transfer is a call.

use crate::ast::{ProgramUnit, Span, Stmt, StmtKind};
use crate::host::context::HostRewriter;
use crate::host::openmp::directive::{Directives, first_behind};
use crate::map::Rule;

impl HostRewriter<'_> {
    pub(super) fn directed_statements(&mut self, unit: &ProgramUnit, directives: &Directives) {
        for d in &directives.all {
            let next = first_behind(&unit.body, d.span.end);
            let gone = if d.is_loop() {
                device_loop(next, d.collapsed())
                    .map(|_| "`do` loop, but the CUF loop after it becomes a kernel launch")
            } else if d.words.first() == Some(&"atomic") {
                next.filter(|s| self.becomes_call(s.span))
                    .map(|_| "assignment, but the one after it becomes a transfer of device data")
            } else if !d.is_end() && d.has_word("workshare") {
                let behind = |e: &&_| {
                    let e: &super::directive::Directive = e;
                    e.span.start > d.span.start && e.has_word("workshare")
                };
                let end = directives.all.iter().find(behind);
                let part = Span {
                    start: d.span.end,
                    end: end.map_or(unit.end.start, |e| e.span.start),
                };
                self.becomes_call(part).then_some(
                    "array assignment, but one of those in it becomes a transfer of device data",
                )
            } else {
                None
            };
            if let Some(why) = gone {
                let shown = self.slice(d.span).trim();
                let start = d.span.end - self.slice(d.span).trim_start().len() as u32;
                let span = Span {
                    start,
                    end: start + shown.len() as u32,
                };
                self.finding(
                    "CUF0458",
                    span,
                    format!("OpenMP directive requires a host {why}"),
                );
            }
        }
    }

    /// Hints of gfortran's for a loop are comments before a CUF loop.
    pub(super) fn hints_of_loops(&mut self, unit: &ProgramUnit) {
        let mut at = unit.header.end;
        while at < unit.end.start {
            let next = self.line_end(at);
            let line = self.slice(Span {
                start: at,
                end: next,
            });
            let hint = line.trim_start();
            if hint
                .get(..5)
                .is_some_and(|s| s.eq_ignore_ascii_case("!gcc$"))
                && device_loop(first_behind(&unit.body, at), 1).is_some()
            {
                let sign = at + (line.len() - hint.len()) as u32 + 1;
                self.edits.insert(Rule::CufLoopLaunch, sign, " ");
            }
            at = next.max(at + 1);
        }
    }

    /// Whether a statement in this part of the text is a call where it was none.
    fn becomes_call(&self, part: Span) -> bool {
        let mut texts = self.edits.texts(part);
        texts.any(|t| t.trim_start().starts_with("call "))
    }
}

/// The CUF loop among the `depth` loops that begin with `stmt`.
fn device_loop(stmt: Option<&Stmt>, depth: usize) -> Option<&Stmt> {
    match &stmt?.kind {
        StmtKind::CufKernel(_) => stmt,
        StmtKind::Do(d) if depth > 1 => device_loop(d.body.first(), depth - 1),
        _ => None,
    }
}
