//! The parts of the program that directives govern.

use super::directive::{AtomicKind, Directive, Ended, Kind};
use crate::ast::{DeclKind, DoControl, File, ProgramUnit, Span, Stmt, StmtKind};
use crate::sema::Finding;
use crate::sema::model::FileId;
use crate::source::Rewrite;

/// Code of directives that stand in the wrong place.
const PLACE: &str = "CUF0512";

/// The directives of a program unit or procedure, without those of its procedures.
#[derive(Debug)]
pub struct UnitRegions<'a> {
    pub unit: &'a ProgramUnit,
    pub regions: Vec<Region<'a>>,
}

/// A directive and what it governs.
#[derive(Debug)]
pub struct Region<'a> {
    pub directive: &'a Directive,
    pub body: Body<'a>,
    pub end: Option<&'a Directive>,
    /// Inside it, in order.
    pub children: Vec<Region<'a>>,
}

/// The statements that a directive governs.
#[derive(Clone, Copy, Debug)]
pub enum Body<'a> {
    /// Of a directive that stands alone, or of a loop directive without a loop.
    None,
    /// The loop that follows.
    Loop(&'a Stmt),
    /// The statements up to the end, or the BLOCK construct, or those of an atomic operation.
    Statements(&'a [Stmt]),
}

impl<'a> Body<'a> {
    /// The statements.
    pub fn statements(self) -> &'a [Stmt] {
        match self {
            Body::None => &[],
            Body::Loop(s) => std::slice::from_ref(s),
            Body::Statements(all) => all,
        }
    }
}

impl Region<'_> {
    /// From the directive to its end or the last of its statements.
    pub fn span(&self) -> Span {
        let start = self.directive.span.start;
        let last = self.body.statements().last().map(|s| s.span.end);
        let end = self.end.map(|e| e.span.end).or(last);
        Span {
            start,
            end: end
                .unwrap_or(self.directive.span.end)
                .max(self.directive.span.end),
        }
    }

    /// Calls `f` for the region and all inside it.
    pub fn for_each<'r>(&'r self, f: &mut dyn FnMut(&'r Self)) {
        f(self);
        self.children.iter().for_each(|c| c.for_each(f));
    }
}

/// Pairs the directives of a file, in order, with their ends and with the statements that they govern. Program units without directives
/// have no entry.
pub fn regions<'a>(
    file: FileId,
    tree: &'a File,
    directives: &'a [Directive],
) -> (Vec<UnitRegions<'a>>, Vec<Finding>) {
    let mut placer = Placer {
        file,
        directives,
        next: 0,
        units: Vec::new(),
        findings: Vec::new(),
    };
    for u in &tree.units {
        placer.unit(u);
    }
    placer.stray(u32::MAX);
    placer.units.sort_by_key(|u| u.unit.span.start);
    placer.findings.sort_by_key(|f| f.span.start);
    (placer.units, placer.findings)
}

/// Blanks in place of the outermost compute constructs of a text.
pub fn without_constructs(text: &str, units: &[UnitRegions<'_>]) -> Vec<Rewrite> {
    fn outermost<'r>(r: &'r Region<'_>, out: &mut Vec<&'r Region<'r>>) {
        // In `host_data`, host variables stand for device data.
        match r.directive.kind.is_compute() || r.directive.kind == Kind::HostData {
            true => out.push(r),
            false => r.children.iter().for_each(|c| outermost(c, out)),
        }
    }
    let mut all = Vec::new();
    for r in units.iter().flat_map(|u| &u.regions) {
        outermost(r, &mut all);
    }
    let blanked = all.into_iter().map(|r| {
        let span = r.span();
        let old = text.get(span.start as usize..span.end as usize);
        let kept = old.unwrap_or_default().chars().filter(|c| *c == '\n');
        Rewrite::new(span, kept.collect())
    });
    let mut out: Vec<Rewrite> = blanked.collect();
    out.sort_by_key(|r| r.span.start);
    out
}

struct Placer<'a> {
    file: FileId,
    directives: &'a [Directive],
    /// The first directive that has no place yet.
    next: usize,
    units: Vec<UnitRegions<'a>>,
    findings: Vec<Finding>,
}

/// A construct that is open.
struct Open<'a> {
    directive: &'a Directive,
    /// The number of statements of the block before it.
    first: usize,
    children: Vec<Region<'a>>,
    /// How many children there were when its first statement had been read.
    in_first: Option<usize>,
}

impl<'a> Placer<'a> {
    fn peek(&self, before: u32) -> Option<&'a Directive> {
        let d = self.directives.get(self.next)?;
        (d.span.start < before).then_some(d)
    }

    fn report(&mut self, span: Span, message: impl Into<String>) {
        self.findings
            .push(Finding::new(PLACE, self.file, span, message));
    }

    /// Directives up to a place that are in no program unit.
    fn stray(&mut self, before: u32) {
        while let Some(d) = self.peek(before) {
            self.next += 1;
            let message = format!(
                "directive `{}` is outside of program units\nhelp: move it into the program unit that it is about",
                d.kind.name()
            );
            self.report(d.span, message);
        }
    }

    fn unit(&mut self, u: &'a ProgramUnit) {
        self.stray(u.span.start);
        let mut regions = Vec::new();
        // Interface bodies are program units among the declarations.
        for d in &u.spec {
            if let DeclKind::Interface(i) = &d.kind {
                for b in &i.bodies {
                    let before = self.declarative(b.span.start);
                    regions.extend(before);
                    self.unit(b);
                }
            }
        }
        let end = u.contains.map_or(u.end.start, |c| c.start);
        self.sequence(&u.body, end, &mut regions);
        for p in &u.procedures {
            self.unit(p);
        }
        if u.contains.is_some() {
            self.stray(u.end.start);
        }
        if !regions.is_empty() {
            self.units.push(UnitRegions { unit: u, regions });
        }
    }

    /// Directives among declarations.
    fn declarative(&mut self, before: u32) -> Vec<Region<'a>> {
        let mut out = Vec::new();
        while let Some(d) = self.peek(before) {
            self.next += 1;
            out.push(alone(d));
        }
        out
    }

    /// The directives of a block of statements that ends at `end`.
    fn sequence(&mut self, block: &'a [Stmt], end: u32, out: &mut Vec<Region<'a>>) {
        let mut stack: Vec<Open<'a>> = Vec::new();
        let mut at = 0;
        loop {
            let before = block.get(at).map_or(end, Stmt::start);
            if let Some(d) = self.peek(before) {
                self.next += 1;
                self.directive(d, block, &mut at, &mut stack, out);
                continue;
            }
            let Some(s) = block.get(at) else { break };
            at += 1;
            let mut inside = Vec::new();
            self.statement(s, &mut inside);
            match stack.last_mut() {
                Some(o) => {
                    o.children.extend(inside);
                    o.in_first.get_or_insert(o.children.len());
                }
                None => out.extend(inside),
            }
        }
        while let Some(open) = stack.pop() {
            let rest = self.unclosed(open, block, at);
            into(&mut stack, out).extend(rest);
        }
    }

    fn directive(
        &mut self,
        d: &'a Directive,
        block: &'a [Stmt],
        at: &mut usize,
        stack: &mut Vec<Open<'a>>,
        out: &mut Vec<Region<'a>>,
    ) {
        match d.kind {
            Kind::End(ended) => self.end(d, ended, block, *at, stack, out),
            k if k.is_block() => stack.push(Open {
                directive: d,
                first: *at,
                children: Vec::new(),
                in_first: None,
            }),
            k if k.is_loop() => {
                let region = self.loop_region(d, block, at);
                into(stack, out).push(region);
            }
            Kind::Atomic(kind) => {
                let region = self.atomic(d, kind, block, at);
                into(stack, out).push(region);
            }
            _ => into(stack, out).push(alone(d)),
        }
    }

    fn loop_region(&mut self, d: &'a Directive, block: &'a [Stmt], at: &mut usize) -> Region<'a> {
        let mut region = alone(d);
        let next = block.get(*at);
        let follows = next.filter(|s| {
            let between = self.directives.get(self.next);
            matches!(s.kind, StmtKind::Do(_)) && between.is_none_or(|d| d.span.start >= s.start())
        });
        let Some(s) = follows else {
            let message = format!(
                "directive `{0}` is not followed by a `do` loop\nnote: `{0}` applies to the `do` loop on the next \
                 lines (OpenACC 2.9)\nhelp: move the directive directly before the loop",
                d.kind.name()
            );
            self.report(d.span, message);
            return region;
        };
        *at += 1;
        region.body = Body::Loop(s);
        self.statement(s, &mut region.children);
        region.end = self.own_end(d, block.get(*at));
        region
    }

    /// The directive that follows at once, if it ends the construct. `end loop` has no meaning.
    fn own_end(&mut self, d: &Directive, next: Option<&Stmt>) -> Option<&'a Directive> {
        let end = self.directives.get(self.next)?;
        let Kind::End(ended) = end.kind else {
            return None;
        };
        let is_next = next.is_none_or(|s| end.span.start < s.start());
        // A loop may be the last statement of a `parallel`.
        let own = match ended {
            Ended::Parallel | Ended::Kernels | Ended::Serial => {
                d.kind.is_loop() && d.kind != Kind::Loop
            }
            _ => true,
        };
        let ends = is_next && own && d.kind.is_ended_by(ended);
        self.next += usize::from(ends);
        ends.then_some(end)
    }

    fn atomic(
        &mut self,
        d: &'a Directive,
        kind: AtomicKind,
        block: &'a [Stmt],
        at: &mut usize,
    ) -> Region<'a> {
        let mut region = alone(d);
        let before = self
            .directives
            .get(self.next)
            .map_or(u32::MAX, |d| d.span.start);
        let most = match kind {
            AtomicKind::Capture => 2,
            _ => 1,
        };
        let rest = block.get(*at..).unwrap_or_default();
        let count = rest
            .iter()
            .take(most)
            .take_while(|s| s.start() < before)
            .count();
        if let Some(statements) = rest.get(..count).filter(|s| !s.is_empty()) {
            region.body = Body::Statements(statements);
            *at += count;
            for s in statements {
                self.statement(s, &mut region.children);
            }
        }
        region.end = self.own_end(d, block.get(*at));
        region
    }

    fn end(
        &mut self,
        d: &'a Directive,
        ended: Ended,
        block: &'a [Stmt],
        at: usize,
        stack: &mut Vec<Open<'a>>,
        out: &mut Vec<Region<'a>>,
    ) {
        let found = stack
            .iter()
            .rposition(|o| o.directive.kind.is_ended_by(ended));
        let Some(found) = found else {
            if ended != Ended::Loop {
                self.unopened(d, ended, stack.last().map(|o| o.directive));
            }
            return;
        };
        while stack.len() > found + 1 {
            if let Some(open) = stack.pop() {
                let rest = self.unclosed(open, block, at);
                into(stack, out).extend(rest);
            }
        }
        if let Some(open) = stack.pop() {
            into(stack, out).push(Region {
                directive: open.directive,
                body: Body::Statements(block.get(open.first..at).unwrap_or_default()),
                end: Some(d),
                children: open.children,
            });
        }
    }

    fn unopened(&mut self, d: &Directive, ended: Ended, open: Option<&Directive>) {
        let name = d.kind.name();
        let of = name.strip_prefix("end ").unwrap_or(name);
        let mut message = format!("`{name}` does not close an open construct");
        match open {
            Some(o) => {
                let open = o.kind.name();
                message += &format!("\nhelp: close `{open}` with `!$acc end {open}`");
            }
            None if ended == Ended::Atomic => {
                message += "\nnote: `atomic` applies to the next statement, `atomic capture` to the next two \
                    (OpenACC 2.12)";
            }
            None => {
                message += &format!(
                    "\nnote: `{of}` and its end must be in the same block of statements\nhelp: remove \
                     `{name}`, or begin the construct with `!$acc {of}`"
                );
            }
        }
        self.report(d.span, message);
    }

    /// What a construct without an end makes: the region of a BLOCK that follows it, else an error; and what was read after that.
    fn unclosed(&mut self, open: Open<'a>, block: &'a [Stmt], at: usize) -> Vec<Region<'a>> {
        let d = open.directive;
        let first = block.get(open.first..at).unwrap_or_default().first();
        let mut children = open.children;
        if let Some(s) = first.filter(|s| matches!(s.kind, StmtKind::Block { .. })) {
            let rest = children.split_off(open.in_first.unwrap_or_default().min(children.len()));
            let mut out = vec![Region {
                directive: d,
                body: Body::Statements(std::slice::from_ref(s)),
                end: None,
                children,
            }];
            out.extend(rest);
            return out;
        }
        let name = d.kind.name();
        let message = format!(
            "construct `{name}` is not closed\nnote: the end must be in the same block of statements \
             as the beginning\nhelp: add `!$acc end {name}` after the last statement of the construct"
        );
        self.report(d.span, message);
        children
    }

    /// The directives inside a statement.
    fn statement(&mut self, s: &'a Stmt, out: &mut Vec<Region<'a>>) {
        if self.peek(s.span.end).is_none() {
            return;
        }
        if let StmtKind::CufKernel(k) = &s.kind {
            if let Some(body) = &k.body {
                self.within(s, body.start());
                self.statement(body, out);
            }
            return self.within(s, s.span.end);
        }
        for (start, block, end) in blocks(s) {
            self.within(s, start);
            self.sequence(block, end, out);
        }
        self.within(s, s.span.end);
    }

    /// Directives before an offset that are between the lines of a statement.
    fn within(&mut self, s: &Stmt, before: u32) {
        while let Some(d) = self.peek(before) {
            self.next += 1;
            let mut finding = Finding::new(
                PLACE,
                self.file,
                d.span,
                format!(
                    "directive `{}` is inside a statement\nhelp: move it before the statement",
                    d.kind.name()
                ),
            );
            finding
                .notes
                .push((self.file, s.span, "the statement is".to_owned()));
            self.findings.push(finding);
        }
    }
}

fn alone(d: &Directive) -> Region<'_> {
    Region {
        directive: d,
        body: Body::None,
        end: None,
        children: Vec::new(),
    }
}

/// Where the next region goes.
fn into<'s, 'a>(
    stack: &'s mut [Open<'a>],
    out: &'s mut Vec<Region<'a>>,
) -> &'s mut Vec<Region<'a>> {
    match stack.last_mut() {
        Some(o) => &mut o.children,
        None => out,
    }
}

/// The variable of the loop has that name.
pub fn counts(s: &Stmt, name: &str) -> bool {
    let StmtKind::Do(d) = &s.kind else {
        return false;
    };
    match &d.control {
        DoControl::Counted { var, .. } => var.text.eq_ignore_ascii_case(name),
        DoControl::Concurrent(h) => {
            let mut names = h.indices.iter().map(|i| &i.0.text);
            names.any(|n| n.eq_ignore_ascii_case(name))
        }
        DoControl::While(_) | DoControl::Forever => false,
    }
}

/// The loops around a place, the outermost first.
pub fn loops_around(statements: &[Stmt], at: u32) -> Vec<&Stmt> {
    let mut out = Vec::new();
    let mut blocks = vec![statements];
    while let Some(all) = blocks.pop() {
        let around = |s: &&Stmt| s.span.start < at && at < s.span.end;
        let Some(s) = all.iter().find(around) else {
            continue;
        };
        if matches!(s.kind, StmtKind::Do(_)) {
            out.push(s);
        }
        blocks = s.blocks();
    }
    out
}

/// The blocks of a construct with the places between which their statements and directives stand.
fn blocks(s: &Stmt) -> Vec<(u32, &[Stmt], u32)> {
    // The statements that begin and end blocks.
    let mut headers: Vec<Span> = Vec::new();
    match &s.kind {
        StmtKind::If {
            branches,
            else_block,
            end,
        } => {
            headers.extend(branches.iter().map(|b| b.header));
            headers.extend(else_block.iter().map(|e| e.header));
            headers.push(*end);
        }
        StmtKind::Do(d) => {
            // The statement with the label is the last of the body.
            let labelled = d.body.last().is_some_and(|l| l.span.end >= d.end.start);
            let end = match labelled {
                true => Span {
                    start: d.end.end,
                    end: d.end.end,
                },
                false => d.end,
            };
            headers = vec![d.header, end];
        }
        StmtKind::Select(sel) => {
            headers.extend(sel.cases.iter().map(|c| c.header));
            headers.push(sel.end);
        }
        StmtKind::Where {
            branches,
            end: Some(end),
        } => {
            headers.extend(branches.iter().map(|b| b.header));
            headers.push(*end);
        }
        StmtKind::Forall {
            header,
            end: Some(end),
            ..
        } => headers = vec![header.span, *end],
        StmtKind::Associate { header, end, .. }
        | StmtKind::Block { header, end, .. }
        | StmtKind::OtherBlock { header, end, .. } => headers = vec![*header, *end],
        _ => {}
    }
    let ends = headers.iter().skip(1).map(|h| h.start);
    let starts = headers.iter().map(|h| h.end);
    let ranges = starts.zip(ends).zip(s.blocks());
    ranges
        .map(|((from, to), block)| (from, block, to))
        .collect()
}
