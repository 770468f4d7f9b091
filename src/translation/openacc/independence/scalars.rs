//! The scalars that a loop assigns: which of them an iteration assigns before it reads them, and which are accumulated into.

use std::collections::BTreeSet;

use super::{Independent, Proof, Reason};
use crate::ast::{BinaryOp, Do, DoControl, Expr, IfBranch, Stmt, StmtKind, UnaryOp};
use crate::intrinsics::{Bits, Choice, Intrinsic};
use crate::sema::expression::typed::{TExpr, TExprKind};
use crate::sema::model::{ScopeId, Space, SymbolId, Type, VarAttrs};

/// Scalars that are certainly assigned; None where control does not come.
type Assigned = Option<BTreeSet<SymbolId>>;

/// Sorts the scalars that the loop assigns.
pub(super) fn classify(proof: &Proof<'_>, d: &Do) -> Result<Independent, Reason> {
    let mut written = BTreeSet::new();
    for a in proof.accesses.all.iter().filter(|a| a.is_write) {
        let whole = matches!(a.place.kind, TExprKind::Variable(_));
        if whole && proof.accesses.is_scalar(a.root) && !proof.is_own(a.root) {
            written.insert(a.root);
        }
    }
    for a in proof.accesses.all.iter().filter(|a| a.is_write) {
        let index = a.root == proof.index || proof.accesses.counting.contains(&a.root);
        if index {
            return Err(Reason {
                span: a.place.span,
                text: format!("loop variable `{}` is assigned", proof.name(a.root)),
            });
        }
    }
    let counting = &proof.accesses.counting;
    let tracked: BTreeSet<SymbolId> = written.union(counting).copied().collect();
    let mut flow = Flow {
        proof,
        tracked: &tracked,
        read_first: BTreeSet::new(),
        ends: None,
        depth: 0,
    };
    let end = flow.block(&d.body, Some(BTreeSet::new()));
    let always = both(end, flow.ends.take()).unwrap_or_default();
    let read_first = flow.read_first;
    if let Some(s) = counting.iter().find(|s| read_first.contains(s)) {
        return Err(Reason {
            span: d.header,
            text: format!(
                "`{}` is read before the inner loop that counts it",
                proof.name(*s)
            ),
        });
    }
    let mut out = Independent::default();
    for s in &written {
        let attributes = proof.attributes(*s);
        let space = proof
            .model
            .variable(*s)
            .map(|v| v.space)
            .unwrap_or_default();
        let first = proof
            .accesses
            .all
            .iter()
            .find(|a| a.is_write && a.root == *s);
        let span = first.map_or(d.header, |a| a.place.span);
        if space != Space::Host || attributes.has(VarAttrs::POINTER) {
            return Err(Reason {
                span,
                text: format!(
                    "all iterations assign the one variable `{}`",
                    proof.name(*s)
                ),
            });
        }
        if !read_first.contains(s) {
            match always.contains(s) {
                true => out.private.push(*s),
                false => out.conditional.push(*s),
            }
            continue;
        }
        match reduction(proof, d, *s) {
            Some(op) => out.reductions.push((*s, op)),
            None => {
                return Err(Reason {
                    span,
                    text: format!(
                        "`{}` carries a value from one iteration to the next",
                        proof.name(*s)
                    ),
                });
            }
        }
    }
    Ok(out)
}

struct Flow<'p, 'a> {
    proof: &'p Proof<'a>,
    /// Scalars that are assigned, and the variables of inner loops.
    tracked: &'p BTreeSet<SymbolId>,
    /// Scalars that an iteration may read before it assigns them.
    read_first: BTreeSet<SymbolId>,
    /// What is assigned wherever an iteration ends early.
    ends: Assigned,
    /// Of inner loops.
    depth: usize,
}

impl Flow<'_, '_> {
    fn block(&mut self, body: &[Stmt], mut assigned: Assigned) -> Assigned {
        for s in body {
            assigned = self.statement(s, assigned);
        }
        assigned
    }

    fn reads(&mut self, scope: ScopeId, e: &Expr, assigned: &Assigned) {
        let t = self.proof.model.expr(scope, e);
        self.typed_reads(&t, assigned);
    }

    fn typed_reads(&mut self, t: &TExpr, assigned: &Assigned) {
        // Where control does not come, nothing is read; a label would bring it, and is refused.
        let Some(known) = assigned else { return };
        t.walk(&mut |x| {
            if let TExprKind::Variable(s) = x.kind
                && self.tracked.contains(&s)
                && !known.contains(&s)
            {
                self.read_first.insert(s);
            }
        });
    }

    fn statement(&mut self, s: &Stmt, assigned: Assigned) -> Assigned {
        let scope = self.proof.accesses.inner_scope(s.span.start);
        match &s.kind {
            StmtKind::Assign { lhs, rhs } => {
                self.reads(scope, rhs, &assigned);
                let l = self.proof.model.designator(scope, lhs);
                if let TExprKind::Variable(v) = l.kind {
                    return assigned.map(|mut known| {
                        known.insert(v);
                        known
                    });
                }
                self.typed_reads(&l, &assigned);
                assigned
            }
            StmtKind::If {
                branches,
                else_block,
                ..
            } => {
                let otherwise = else_block.as_ref().map(|e| &e.body[..]);
                self.branches(scope, branches, otherwise, assigned)
            }
            StmtKind::LogicalIf { cond, stmt } => {
                self.reads(scope, cond, &assigned);
                let then = self.statement(stmt, assigned.clone());
                both(then, assigned)
            }
            StmtKind::Select(sel) => {
                self.reads(scope, &sel.selector, &assigned);
                let mut out = assigned.clone();
                for c in &sel.cases {
                    let then = self.block(&c.body, assigned.clone());
                    out = both(then, out);
                }
                out
            }
            StmtKind::Cycle(name) | StmtKind::Exit(name) => {
                if self.depth == 0 || name.is_some() {
                    self.ends = both(assigned, self.ends.take());
                }
                None
            }
            StmtKind::Block { body, .. } => self.block(body, assigned),
            StmtKind::Do(inner) => {
                for e in s.expressions() {
                    self.reads(scope, e, &assigned);
                }
                let counted = match &inner.control {
                    DoControl::Counted { var, .. } => self.proof.model.lookup(scope, &var.text),
                    _ => None,
                };
                let assigned = assigned.map(|mut known| {
                    known.extend(counted);
                    known
                });
                // It may have no iterations.
                self.depth += 1;
                self.block(&inner.body, assigned.clone());
                self.depth -= 1;
                assigned
            }
            // Masked assignments, and whatever else: it assigns no scalar as a whole.
            _ => {
                for e in s.expressions() {
                    self.reads(scope, e, &assigned);
                }
                for b in s.blocks() {
                    self.block(b, assigned.clone());
                }
                assigned
            }
        }
    }

    fn branches(
        &mut self,
        scope: ScopeId,
        branches: &[IfBranch],
        otherwise: Option<&[Stmt]>,
        assigned: Assigned,
    ) -> Assigned {
        let mut out = None;
        for b in branches {
            self.reads(scope, &b.cond, &assigned);
            let then = self.block(&b.body, assigned.clone());
            out = both(then, out);
        }
        let rest = match otherwise {
            Some(body) => self.block(body, assigned),
            None => assigned,
        };
        both(out, rest)
    }
}

/// What is assigned on both paths.
fn both(a: Assigned, b: Assigned) -> Assigned {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.intersection(&b).copied().collect()),
        (a, b) => a.or(b),
    }
}

/// The operator of all statements that mention a scalar, if they accumulate into it.
fn reduction(proof: &Proof<'_>, d: &Do, s: SymbolId) -> Option<&'static str> {
    let ty = &proof.model.variable(s)?.ty;
    let mut found = None;
    let valid = d.body.iter().all(|x| updates(proof, x, s, ty, &mut found));
    found.filter(|_| valid)
}

/// All mentions of the scalar in a statement accumulate into it with one operator.
fn updates(
    proof: &Proof<'_>,
    x: &Stmt,
    s: SymbolId,
    ty: &Type,
    found: &mut Option<&'static str>,
) -> bool {
    let model = proof.model;
    let scope = proof.accesses.inner_scope(x.span.start);
    if let StmtKind::Assign { lhs, rhs } = &x.kind {
        let l = model.designator(scope, lhs);
        let r = model.expr(scope, rhs);
        if !matches!(l.kind, TExprKind::Variable(v) if v == s) {
            return !mentions(&l, s) && !mentions(&r, s);
        }
        let op = operator(&r, s).filter(|op| accepts(op, ty) && keeps(&r, ty));
        let agrees = op.is_some() && found.is_none_or(|f| Some(f) == op);
        *found = op;
        return agrees;
    }
    let reads = |e: &&Expr| mentions(&model.expr(scope, e), s);
    if x.expressions().iter().any(reads) {
        return false;
    }
    let mut blocks = x.blocks().into_iter().flatten();
    blocks.all(|x| updates(proof, x, s, ty, found))
}

/// The value is not converted on its way: an integer that reals are added to loses fractions in each iteration.
fn keeps(r: &TExpr, ty: &Type) -> bool {
    &r.ty == ty && r.rank == 0
}

fn mentions(e: &TExpr, s: SymbolId) -> bool {
    e.any(&mut |x| matches!(x.kind, TExprKind::Variable(v) if v == s))
}

fn is(e: &TExpr, s: SymbolId) -> bool {
    matches!(e.unparenthesised().kind, TExprKind::Variable(v) if v == s)
}

/// The operator of `s op e`, `e op s`, or `f(s, e)`, where `e` does not mention `s`.
fn operator(r: &TExpr, s: SymbolId) -> Option<&'static str> {
    let r = r.unparenthesised();
    match &r.kind {
        TExprKind::Binary { op, lhs, rhs } => {
            let op = *op;
            let name = match op {
                BinaryOp::Add | BinaryOp::Sub => "+",
                BinaryOp::Mul => "*",
                BinaryOp::And => ".and.",
                BinaryOp::Or => ".or.",
                BinaryOp::Eqv => ".eqv.",
                BinaryOp::Neqv => ".neqv.",
                _ => return None,
            };
            if is(lhs, s) {
                return (!mentions(rhs, s)).then_some(name);
            }
            if is(rhs, s) && op != BinaryOp::Sub {
                return (!mentions(lhs, s)).then_some(name);
            }
            // `s + a - b`: the sum is on the left.
            let chain = !mentions(rhs, s) && operator(lhs, s) == Some(name);
            chain.then_some(name)
        }
        TExprKind::Intrinsic { intrinsic, args } => {
            let name = match intrinsic {
                Intrinsic::Choice(Choice::Max) => "max",
                Intrinsic::Choice(Choice::Min) => "min",
                Intrinsic::Bits(Bits::Iand) => "iand",
                Intrinsic::Bits(Bits::Ior) => "ior",
                Intrinsic::Bits(Bits::Ieor) => "ieor",
                _ => return None,
            };
            let all = || args.iter().flatten();
            let own = all().filter(|a| is(a, s)).count();
            let others = all().filter(|a| !is(a, s)).any(|a| mentions(a, s));
            (own == 1 && !others).then_some(name)
        }
        TExprKind::Unary {
            op: UnaryOp::Plus,
            operand,
        } => operator(operand, s),
        _ => None,
    }
}

fn accepts(op: &str, ty: &Type) -> bool {
    match op {
        "+" | "*" => matches!(ty, Type::Integer(_) | Type::Real(_) | Type::Complex(_)),
        "max" | "min" => matches!(ty, Type::Integer(_) | Type::Real(_)),
        "iand" | "ior" | "ieor" => matches!(ty, Type::Integer(_)),
        _ => matches!(ty, Type::Logical(_)),
    }
}
