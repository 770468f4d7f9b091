//! How values of the host's scalars move through one iteration of a CUF loop (guide 2.11.2).
//!
//! A scalar that is assigned has one copy in each iteration, which begins with the host's value. Followed is, on all paths through
//! the iteration, whether a scalar may be read while it still has that value, and on which scalars' first values its last value
//! depends. A last value that depends on the scalar's own first value is carried from one iteration to the next, and so are those of
//! several scalars that depend on each other in a circle.

mod facts;
mod loops;
mod origins;
mod path;
mod state;
mod values;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use self::path::{Choice, Origins, Path, compare, merged};
pub use self::state::{FirstRead, parts};
use self::state::{Flow, Frame, PATIENCE, jumps};
use super::scan::{Scan, holds, own_exprs};
use crate::ast::{self, Span, Stmt, StmtKind as Ast};
use crate::sema::expression::dependence::same;
use crate::sema::expression::typed::*;
use crate::sema::model::*;

/// What was found of the scalars, by number.
#[derive(Default)]
pub struct Findings {
    pub first_reads: BTreeMap<usize, FirstRead>,
    /// Scalars whose value is carried over iterations, with the scalar that it comes from.
    pub carried: BTreeMap<usize, usize>,
}

/// Follows the scalars through the statements of an iteration.
pub fn follow(
    at: Scan<'_>,
    cells: &[TExpr],
    varying: &BTreeSet<SymbolId>,
    mapped: &[(SymbolId, TExpr)],
    places: &super::mentions::Places,
    body: &[Stmt],
) -> Findings {
    let mut flow = Flow::new(cells, varying, mapped, places, Vec::new());
    let ends = flow.run(at, body);
    let mut from = vec![Origins::new(); cells.len()];
    for end in &ends {
        for (sources, cell) in from.iter_mut().zip(&end.cells) {
            sources.add(&cell.origins);
        }
    }
    Findings {
        first_reads: flow.first_reads,
        carried: circles(&from),
    }
}

/// The scalars that depend on themselves, at once or through others, with the first one in the circle before them; `from`: on which
/// ones each depends.
fn circles(from: &[Origins]) -> BTreeMap<usize, usize> {
    let mut found = BTreeMap::new();
    for (n, sources) in from.iter().enumerate() {
        // All that depend on this one.
        let mut after = vec![false; from.len()];
        let mut grown = vec![n];
        while let Some(x) = grown.pop() {
            for (m, others) in from.iter().enumerate() {
                if let Some(known) = after.get_mut(m)
                    && !*known
                    && others.contains(x)
                {
                    *known = true;
                    grown.push(m);
                }
            }
        }
        let of_circle = |s: &usize| *s == n || after.get(*s) == Some(&true);
        if let Some(source) = sources.iter().find(of_circle) {
            found.insert(n, source);
        }
    }
    found
}

impl<'f> Flow<'f> {
    /// All states at the end of the statements.
    fn run(&mut self, at: Scan<'_>, body: &[Stmt]) -> Vec<Path> {
        loop {
            self.grown = false;
            self.ends.clear();
            self.frames.clear();
            let mut ends = self.block(at, body, vec![Path::new(self.cells.len())]);
            // A jump backwards lands where the statements have been followed already.
            if !self.grown {
                ends.append(&mut self.ends);
                return ends;
            }
        }
    }

    fn typed(&mut self, at: Scan<'_>, e: &ast::Expr) -> Rc<TExpr> {
        let key = (at.scope, e.span);
        let entry = self.typed.entry(key);
        Rc::clone(entry.or_insert_with(|| Rc::new(at.typed(e))))
    }

    fn stands_in(&self, span: Span) -> bool {
        let first = self.places.partition_point(|p| *p < span.start);
        self.places.get(first).is_some_and(|p| *p < span.end)
    }

    fn merged(&self, paths: Vec<Path>) -> Vec<Path> {
        merged(paths, self.steps < PATIENCE)
    }

    fn block(&mut self, at: Scan<'_>, body: &[Stmt], mut paths: Vec<Path>) -> Vec<Path> {
        for s in body {
            let landed = s.label.as_ref().and_then(|l| self.landings.get(&l.value));
            if let Some(landed) = landed {
                let depth = paths.first().map_or(1, |p| p.control.len());
                paths.push(landed.clone().landed(depth));
            }
            if !paths.is_empty() {
                self.steps += paths.len();
                compare(&mut paths);
                paths = self.stmt(at, s, paths);
                paths = self.merged(paths);
            }
        }
        paths
    }

    fn stmt(&mut self, at: Scan<'_>, s: &Stmt, mut paths: Vec<Path>) -> Vec<Path> {
        match &s.kind {
            Ast::Assign { lhs, rhs } => {
                let (l, r) = (self.typed(at, lhs), self.typed(at, rhs));
                let defined = at.model.defined_assignment(at.scope, &l, &r);
                for p in &mut paths {
                    if let Some(procedure) = defined {
                        let args = [Some((*l).clone()), Some((*r).clone())];
                        self.called_procedure(at, procedure, &args, p, &mut Origins::new());
                    } else {
                        self.assignment(at, &l, &r, p);
                    }
                }
                paths
            }
            Ast::Call(c) => {
                let call = at.model.call(at.scope, c);
                for p in &mut paths {
                    self.call(at, &call, p);
                }
                paths
            }
            Ast::LogicalIf { cond, stmt } => {
                let body = std::slice::from_ref(&**stmt);
                self.choice(at, s, &[(cond, body)], None, paths)
            }
            Ast::If {
                branches,
                else_block,
                ..
            } => {
                let branches: Vec<_> = branches.iter().map(|b| (&b.cond, &b.body[..])).collect();
                let otherwise = else_block.as_ref().map(|e| &e.body[..]);
                self.framed(s, paths, |f, paths| {
                    f.choice(at, s, &branches, otherwise, paths)
                })
            }
            Ast::Select(sel) => self.framed(s, paths, |f, paths| f.select(at, s, sel, paths)),
            Ast::Do(d) => self.do_construct(at, s, d, paths),
            Ast::Block { body, .. } | Ast::Associate { body, .. } => {
                self.head(at, s, &mut paths);
                self.framed(s, paths, |f, paths| f.block(at.inside(s), body, paths))
            }
            Ast::Where { .. } | Ast::Forall { .. } | Ast::OtherBlock { .. } => {
                self.read_all(at.inside(s), s, &mut paths);
                let mut after = paths.clone();
                for b in s.blocks() {
                    paths = self.block(at.inside(s), b, paths);
                    after.extend(paths.clone());
                }
                after
            }
            Ast::Cycle(name) => self.jump(name.as_ref(), true, paths),
            Ast::Exit(name) => self.jump(name.as_ref(), false, paths),
            Ast::Goto(label) => self.land(&[*label], paths),
            Ast::ComputedGoto { labels, .. } | Ast::AssignedGoto { labels, .. } => {
                self.read_all(at, s, &mut paths);
                self.land(labels, paths.clone());
                paths
            }
            Ast::ArithmeticIf { labels, .. } => {
                self.read_all(at, s, &mut paths);
                self.land(labels, paths)
            }
            Ast::Return(_) => {
                self.ends.append(&mut paths);
                paths
            }
            Ast::Stop { .. } => Vec::new(),
            Ast::PointerAssign { lhs, rhs } => {
                let (l, r) = (self.typed(at, lhs), self.typed(at, rhs));
                for p in &mut paths {
                    let mut origins = p.decided_by();
                    self.value(at, &r, p, &mut origins);
                    self.write(at, &l, &origins, false, p);
                }
                paths
            }
            _ => {
                self.read_all(at, s, &mut paths);
                paths
            }
        }
    }

    /// A construct that EXIT may name.
    fn framed(
        &mut self,
        s: &Stmt,
        paths: Vec<Path>,
        f: impl FnOnce(&mut Self, Vec<Path>) -> Vec<Path>,
    ) -> Vec<Path> {
        let Some(name) = &s.name else {
            return f(self, paths);
        };
        let depth = paths.first().map_or(1, |p| p.control.len());
        self.frames.push(Frame {
            name: Some(name.text.clone()),
            is_loop: false,
            exits: Vec::new(),
            cycles: Vec::new(),
        });
        let mut after = f(self, paths);
        for mut p in self.frames.pop().into_iter().flat_map(|f| f.exits) {
            p.leave(depth, true);
            after.push(p);
        }
        after
    }

    fn jump(&mut self, name: Option<&ast::Name>, cycle: bool, paths: Vec<Path>) -> Vec<Path> {
        let meant = |f: &&mut Frame| match name {
            Some(n) => f.name.as_ref() == Some(&n.text),
            None => f.is_loop,
        };
        match self.frames.iter_mut().rev().find(meant) {
            Some(f) if cycle => f.cycles.extend(paths),
            Some(f) => f.exits.extend(paths),
            // Of the mapped loops: the iteration ends.
            None => self.ends.extend(paths),
        }
        Vec::new()
    }

    fn land(&mut self, labels: &[u32], paths: Vec<Path>) -> Vec<Path> {
        for p in paths {
            let p = p.landed(1);
            for l in labels {
                match self.landings.get_mut(l) {
                    Some(known) => {
                        let old = known.clone();
                        known.join(&p);
                        self.grown |= !known.same_state(&old);
                    }
                    None => {
                        self.landings.insert(*l, p.clone());
                        self.grown = true;
                    }
                }
            }
        }
        Vec::new()
    }

    /// IF constructs and statements.
    fn choice(
        &mut self,
        at: Scan<'_>,
        s: &Stmt,
        branches: &[(&ast::Expr, &[Stmt])],
        otherwise: Option<&[Stmt]>,
        paths: Vec<Path>,
    ) -> Vec<Path> {
        let depth = paths.first().map_or(1, |p| p.control.len());
        let mut after = Vec::new();
        let mut rest = paths;
        for p in &mut rest {
            p.enter(Origins::new());
        }
        let mut choice = Choice::Uniform;
        for (cond, body) in branches {
            let c = self.typed(at, cond);
            if self.is_of_first(&c) {
                choice = Choice::First;
            } else if !self.is_uniform(at, &c) && choice == Choice::Uniform {
                choice = Choice::Varying;
            }
            let mut taken = Vec::new();
            let mut next = Vec::new();
            for mut p in rest {
                let mut origins = Origins::new();
                self.value(at, &c, &mut p, &mut origins);
                if let Some(last) = p.control.last_mut() {
                    last.add(&origins);
                }
                match p.facts.known(&c) {
                    Some(true) => taken.push(p),
                    Some(false) => next.push(p),
                    None => {
                        let mut other = p.clone();
                        p.facts.assume(&c, true);
                        other.facts.assume(&c, false);
                        taken.push(p);
                        next.push(other);
                    }
                }
            }
            after.extend(self.block(at, body, taken));
            rest = next;
        }
        after.extend(match otherwise {
            Some(body) => self.block(at, body, rest),
            None => rest,
        });
        self.close(at, s, depth, choice, &mut after);
        after
    }

    fn select(
        &mut self,
        at: Scan<'_>,
        s: &Stmt,
        sel: &ast::Select,
        mut paths: Vec<Path>,
    ) -> Vec<Path> {
        let depth = paths.first().map_or(1, |p| p.control.len());
        let selector = self.typed(at, &sel.selector);
        let choice = match self.is_uniform(at, &selector) {
            true => Choice::Uniform,
            false => Choice::Varying,
        };
        for p in &mut paths {
            let mut origins = Origins::new();
            self.value(at, &selector, p, &mut origins);
            p.enter(origins);
        }
        let inner = at.inside(s);
        let mut after = Vec::new();
        let mut all = false;
        for c in &sel.cases {
            let mut taken = paths.clone();
            match &c.guard {
                ast::CaseGuard::Default => all = true,
                ast::CaseGuard::Values(values) => {
                    if let [one] = &values[..] {
                        let value = self.typed(inner, one);
                        taken.retain(|p| {
                            let equal = comparison(&selector, &value);
                            p.facts.known(&equal) != Some(false)
                        });
                        for p in &mut taken {
                            p.facts.assume(&comparison(&selector, &value), true);
                        }
                        for p in &mut paths {
                            p.facts.assume(&comparison(&selector, &value), false);
                        }
                    }
                }
                _ => {}
            }
            after.extend(self.block(inner, &c.body, taken));
        }
        if !all {
            after.extend(paths);
        }
        self.close(at, s, depth, choice, &mut after);
        after
    }

    /// The end of a construct that chooses: what it gives a value on some paths and not on these.
    fn close(&mut self, at: Scan<'_>, s: &Stmt, depth: usize, choice: Choice, paths: &mut [Path]) {
        let assigned = self.assigned_in(at, s);
        let keep = jumps(s);
        for p in paths {
            p.leave(depth, keep);
            for n in assigned.iter() {
                if let Some(c) = p.cells.get_mut(*n).filter(|c| c.initial) {
                    c.leave(choice, s.span);
                }
            }
        }
    }

    /// The scalars that a statement, or one inside it, may assign.
    fn assigned_in(&mut self, at: Scan<'_>, s: &Stmt) -> Rc<BTreeSet<usize>> {
        if let Some(known) = self.changes.get(&s.span) {
            return Rc::clone(known);
        }
        let mut changed = Vec::new();
        at.changed_scalars(std::slice::from_ref(s), self.varying, &mut changed);
        let mut found = BTreeSet::new();
        for t in &changed {
            let of_root = t.root().and_then(|r| self.by_root.get(&r));
            let hit = |n: &&usize| {
                let cell = self.cells.get(**n);
                cell.is_some_and(|c| holds(t, c) || holds(c, t))
            };
            found.extend(of_root.into_iter().flatten().filter(hit));
        }
        let found = Rc::new(found);
        self.changes.insert(s.span, Rc::clone(&found));
        found
    }

    /// The condition is true in the first iteration of a mapped loop alone.
    fn is_of_first(&self, e: &TExpr) -> bool {
        let TExprKind::Binary {
            op: ast::BinaryOp::Eq,
            lhs,
            rhs,
        } = &e.unparenthesised().kind
        else {
            return false;
        };
        let is = |a: &TExpr, b: &TExpr| {
            self.mapped.iter().any(|(s, from)| {
                matches!(a.unparenthesised().kind, TExprKind::Variable(x) if x == *s)
                    && same(b, from)
            })
        };
        is(lhs, rhs) || is(rhs, lhs)
    }

    /// The value is the same in all iterations.
    fn is_uniform(&self, at: Scan<'_>, e: &TExpr) -> bool {
        !e.any(&mut |x| match &x.kind {
            TExprKind::Variable(s) => self.varying.contains(s) || at.is_inner(*s),
            TExprKind::Call { .. }
            | TExprKind::BoundCall { .. }
            | TExprKind::Runtime { .. }
            | TExprKind::StatementFunctionCall { .. }
            | TExprKind::Builtin { .. }
            | TExprKind::Unknown => true,
            _ => false,
        })
    }

    /// What a BLOCK or ASSOCIATE evaluates at its beginning.
    fn head(&mut self, at: Scan<'_>, s: &Stmt, paths: &mut [Path]) {
        let inner = at.inside(s);
        match &s.kind {
            Ast::Block { .. } => {
                for e in inner.declared() {
                    let t = self.typed(inner, e);
                    for p in paths.iter_mut() {
                        self.value(inner, &t, p, &mut Origins::new());
                    }
                }
            }
            Ast::Associate { items, .. } => {
                for (name, e) in items {
                    let t = self.typed(at, e);
                    let symbol = at.model.lookup(inner.scope, &name.text);
                    for p in paths.iter_mut() {
                        let mut origins = Origins::new();
                        if t.is_designator() {
                            let d = at.resolved(&t).into_owned();
                            self.subscripts(at, &d, p, &mut origins);
                        } else {
                            self.value(at, &t, p, &mut origins);
                            if let Some(s) = symbol {
                                origins.add(&p.decided_by());
                                p.others.insert(s, origins);
                            }
                        }
                    }
                }
            }
            _ => {}
        }
    }

    fn read_all(&mut self, at: Scan<'_>, s: &Stmt, paths: &mut [Path]) {
        for e in own_exprs(s) {
            let t = self.typed(at, e);
            for p in paths.iter_mut() {
                self.value(at, &t, p, &mut Origins::new());
            }
        }
    }
}

/// `a == b`
fn comparison(a: &TExpr, b: &TExpr) -> TExpr {
    let logical = matches!(a.ty, Type::Logical(_));
    let op = if logical {
        ast::BinaryOp::Eqv
    } else {
        ast::BinaryOp::Eq
    };
    TExpr {
        kind: TExprKind::Binary {
            op,
            lhs: Box::new(a.clone()),
            rhs: Box::new(b.clone()),
        },
        ty: a.ty.clone(),
        rank: 0,
        value: None,
        span: a.span,
    }
}
