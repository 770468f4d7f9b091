//! Branches out of constructs and into them.

use std::collections::BTreeMap;

use super::super::directive::Kind;
use super::super::regions::{Body, Region, UnitRegions};
use super::checker::Checker;
use crate::ast::{Name, Span, Stmt, StmtKind};

/// Code of branches that leave or enter a construct.
const BRANCH: &str = "CUF0519";

/// A construct of OpenACC and the statements inside.
struct Construct {
    name: &'static str,
    start: u32,
    end: u32,
    /// Of a loop that is divided among threads: leaving it is leaving the construct.
    is_divided: bool,
}

impl Construct {
    fn holds(&self, at: u32) -> bool {
        self.start <= at && at < self.end
    }
}

/// A loop or named construct around a statement.
struct Around<'a> {
    name: Option<&'a Name>,
    is_loop: bool,
    span: Span,
}

impl<'a> Checker<'a> {
    pub(super) fn branches(&mut self, u: &UnitRegions<'a>) {
        let mut constructs = Vec::new();
        for r in &u.regions {
            r.for_each(&mut |r| constructs.extend(construct(r)));
        }
        if constructs.is_empty() {
            return;
        }
        let mut labels = BTreeMap::new();
        u.unit
            .body
            .iter()
            .for_each(|s| collect_labels(s, &mut labels));
        let mut around = Vec::new();
        for s in &u.unit.body {
            self.branch(s, &constructs, &labels, &mut around);
        }
    }

    fn branch(
        &mut self,
        s: &'a Stmt,
        constructs: &[Construct],
        labels: &BTreeMap<u32, u32>,
        around: &mut Vec<Around<'a>>,
    ) {
        let at = s.span.start;
        let inside = || constructs.iter().rev().filter(|c| c.holds(at));
        match &s.kind {
            StmtKind::Return(_) => {
                if let Some(c) = inside().next() {
                    let name = c.name;
                    self.leaves(s.span, "return", name);
                }
            }
            StmtKind::Exit(name) | StmtKind::Cycle(name) => {
                let is_exit = matches!(s.kind, StmtKind::Exit(_));
                let target = around.iter().rev().find(|a| match name {
                    Some(n) => a.name.is_some_and(|own| own.text == n.text),
                    None => a.is_loop,
                });
                let target = target.map(|a| a.span);
                let left = inside().find(|c| match target {
                    // The construct begins in what is left, or is divided among threads.
                    Some(t) if is_exit => t.start <= c.start && (t.start < c.start || c.is_divided),
                    Some(t) => t.start < c.start,
                    None => true,
                });
                let name = left.map(|c| c.name);
                if let Some(name) = name {
                    self.leaves(s.span, if is_exit { "exit" } else { "cycle" }, name);
                }
            }
            StmtKind::Goto(label) => self.jump(s.span, &[*label], constructs, labels),
            StmtKind::ComputedGoto { labels: all, .. }
            | StmtKind::AssignedGoto { labels: all, .. } => {
                self.jump(s.span, all, constructs, labels)
            }
            StmtKind::ArithmeticIf { labels: all, .. } => {
                self.jump(s.span, all, constructs, labels)
            }
            _ => {}
        }
        let is_loop = matches!(s.kind, StmtKind::Do(_));
        let opens = is_loop || s.name.is_some();
        if opens {
            around.push(Around {
                name: s.name.as_deref(),
                is_loop,
                span: s.span,
            });
        }
        for b in s.blocks() {
            for s in b {
                self.branch(s, constructs, labels, around);
            }
        }
        if opens {
            around.pop();
        }
    }

    fn leaves(&mut self, span: Span, word: &str, name: &str) {
        let message = format!(
            "`{word}` leaves a `{name}` construct\nnote: a program must not branch out of a construct or out of a \
             loop that is divided among threads (OpenACC 2.5.1, 2.6.5, 2.9)\nhelp: let the construct run to its \
             end, and branch after it"
        );
        self.report(BRANCH, span, message);
    }

    fn jump(
        &mut self,
        span: Span,
        targets: &[u32],
        constructs: &[Construct],
        labels: &BTreeMap<u32, u32>,
    ) {
        for t in targets {
            let Some(to) = labels.get(t).copied() else {
                continue;
            };
            let left = constructs
                .iter()
                .rev()
                .find(|c| c.holds(span.start) && !c.holds(to));
            if let Some(name) = left.map(|c| c.name) {
                self.leaves(span, "goto", name);
                return;
            }
            let entered = constructs
                .iter()
                .find(|c| c.holds(to) && !c.holds(span.start));
            if let Some(c) = entered {
                let message = format!(
                    "branch to label {t} enters a `{}` construct\nhelp: branch to a statement before the construct",
                    c.name
                );
                self.report(BRANCH, span, message);
                return;
            }
        }
    }
}

/// What must not be left.
fn construct(r: &Region<'_>) -> Vec<Construct> {
    let d = r.directive;
    let name = d.kind.name();
    let from = |s: &Stmt, is_divided| Construct {
        name,
        start: s.span.start,
        end: s.span.end,
        is_divided,
    };
    match r.body {
        Body::Loop(s) => {
            let sequential = d.has(super::super::ClauseKind::Seq) || d.kind == Kind::SerialLoop;
            let mut out = vec![from(s, !sequential || d.kind != Kind::Loop)];
            let depth = d.clause(super::super::ClauseKind::Collapse);
            let mut inner = s;
            // The other loops of the nest; how many there are is checked elsewhere.
            if depth.is_some()
                && let StmtKind::Do(l) = &inner.kind
                && let Some(next) = l.body.iter().find(|s| matches!(s.kind, StmtKind::Do(_)))
            {
                inner = next;
                out.push(from(inner, !sequential));
            }
            out
        }
        Body::Statements(all) if d.kind.is_block() => match (all.first(), all.last()) {
            (Some(first), Some(last)) => vec![Construct {
                name,
                start: first.start(),
                end: last.span.end,
                is_divided: false,
            }],
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

fn collect_labels(s: &Stmt, out: &mut BTreeMap<u32, u32>) {
    if let Some(l) = &s.label {
        out.insert(l.value, s.span.start);
    }
    if let StmtKind::Do(d) = &s.kind
        && let Some(label) = d.label
    {
        // The END DO that the label names is inside its loop.
        out.entry(label)
            .or_insert(d.end.start.min(d.end.end.saturating_sub(1)));
    }
    for b in s.blocks() {
        b.iter().for_each(|s| collect_labels(s, out));
    }
}
