//! Loops whose iterations the threads of a block share (OpenACC `loop vector`): each thread executes every so many, and results of
//! reductions go to all of them.

use std::collections::BTreeSet;

use crate::ast::{self, CufKernel, Stmt};
use crate::ir::{self, *};
use crate::lower::context::{Entity, LoweringContext};
use crate::lower::cufloop::cufdo::{self, Mapped};
use crate::lower::cufloop::scalars::{self, Reduced, Scalars};
use crate::lower::value::convert::{convert, subscript};
use crate::sema::expression::typed::*;
use crate::sema::model::SymbolId;

/// Variables of which an iteration has something of its own, and what they are outside of the loop.
type Shadowed = Vec<(SymbolId, Option<Entity>)>;

impl LoweringContext<'_, '_> {
    /// The loop with its reductions.
    pub fn shared_loop(&mut self, s: &Stmt, clauses: &CufKernel) -> Vec<ir::Stmt> {
        let Some(block) = self.block.take() else {
            self.refuse(
                clauses.directive,
                "CUF0542",
                "threads cannot share the iterations of this loop\nnote: each thread executes the statements around it by itself\nhelp: write `gang` in the directive of the loop around it, or leave out this directive",
            );
            return Vec::new();
        };
        let stale = block.plan.stale.get(&(s.span.start, s.span.end)).cloned();
        self.block = Some(block);
        let known: Vec<SymbolId> = self.vars.keys().copied().collect();
        let saved = self.vars.clone();
        // What is declared around the loop is not the iteration's own.
        let unit = std::mem::replace(&mut self.unit_scope, self.scope);
        let mut shadowed = Shadowed::new();
        let out = self.shared_iterations(s, clauses, &stale.unwrap_or_default(), &mut shadowed);
        self.unit_scope = unit;
        // Captured data stay known: by what they are outside of the loop.
        for (v, outside) in shadowed.into_iter().rev() {
            match outside {
                Some(e) => self.vars.insert(v, e),
                None => self.vars.remove(&v),
            };
        }
        for v in known {
            if let Some(e) = saved.get(&v) {
                self.vars.insert(v, e.clone());
            }
        }
        out.unwrap_or_default()
    }

    fn shared_iterations(
        &mut self,
        s: &Stmt,
        clauses: &CufKernel,
        stale: &BTreeSet<SymbolId>,
        shadowed: &mut Shadowed,
    ) -> Option<Vec<ir::Stmt>> {
        let k = CufKernel {
            body: Some(Box::new(Stmt {
                directive: None,
                ..s.clone()
            })),
            ..clauses.clone()
        };
        let depth = match &k.depth {
            None => 1,
            Some(e) => usize::try_from(self.model().const_int(self.scope, e)?).ok()?,
        };
        let file = self.file;
        if let Err(e) = self.model().loop_nest(file, self.scope, &k, depth) {
            self.refuse(
                k.directive,
                "CUF0542",
                format!(
                    "the loops of this directive do not form a nest: {}",
                    e.reason
                ),
            );
            return None;
        }
        let (mapped, innermost) = cufdo::nest(self, file, &k, depth)?;
        let statements = innermost.statements();
        let first: Vec<_> = mapped
            .iter()
            .map(|m| (m.variable, self.typed(m.from)))
            .collect();
        let found = scalars::classify(self, &k, &first, &statements);
        let Some(found) = found else {
            self.failed = true;
            return None;
        };
        for v in found.restarted.iter().filter(|v| stale.contains(v)) {
            let name = self.model()[*v].spelling.clone();
            self.refuse(
                s.span,
                "CUF0543",
                format!("`{name}` is undefined before this loop: it was assigned in a loop whose iterations the threads of a block share"),
            );
        }
        let results = self.result_places(&found.reductions)?;
        let around = self.head_of(&mapped);
        let around_types = self.index_entities(&mapped);
        let mut body = self.own_variables(&k, &found, &mapped, shadowed);
        for (r, part) in found.reductions.iter().zip(&results) {
            if let Some(root) = r.target.root() {
                let outside = self.vars.insert(root, scalar(&part.1, &r.ty));
                shadowed.push((root, outside));
            }
        }
        let block = self.block.take();
        body.extend(cufdo::iteration(self, &innermost));
        self.block = block;
        let mut out = Vec::new();
        for (r, (_, part)) in found.reductions.iter().zip(&results) {
            let start = identity(r);
            out.push(ir::Stmt::declare(r.ty.clone(), part, Init::Value(start)));
        }
        out.push(self.loop_over(&mapped, around, around_types, body));
        for (r, (place, part)) in found.reductions.iter().zip(&results) {
            let ty = place.ty.plain().clone();
            let before = convert(place.clone(), &r.ty);
            let all = Expr::call_of(
                Function::BlockReduce,
                vec![TemplateArg::Operation(r.op)],
                vec![before, Expr::name(part, r.ty.clone())],
                r.ty.clone(),
            );
            out.push(ir::Stmt::assign(place.clone(), convert(all, &ty)));
        }
        Some(out)
    }

    /// The variables of the reductions, and what the parts of a thread are called.
    fn result_places(&mut self, reductions: &[Reduced]) -> Option<Vec<(Expr, String)>> {
        let mut out = Vec::new();
        for r in reductions {
            if !matches!(r.target.kind, TExprKind::Variable(_)) {
                self.refuse(
                    r.target.span,
                    "CUF0540",
                    "reduction of a component is not supported in a loop whose iterations the threads of a block share\nhelp: use a scalar variable",
                );
                return None;
            }
            let place = self.place(&r.target);
            let name = self.fresh(&format!("{}_part", r.name));
            out.push((place, name));
        }
        Some(out)
    }

    /// First value, limit and step of each loop, evaluated once before them.
    fn head_of(&mut self, mapped: &[Mapped<'_>]) -> Vec<[Expr; 3]> {
        let mut out = Vec::new();
        for m in mapped {
            let ty = self.model().type_of(m.variable);
            let ty = self.value_type(&ty).unwrap_or(ir::Type::Int(4));
            let bound = |cx: &mut Self, e: &ast::Expr| {
                let t = cx.typed(e);
                let v = subscript(cx.value_as(&t, &ty));
                match v.as_int().is_some() || cx.stable(&t) {
                    true => v,
                    false => cx.temporary(v),
                }
            };
            let from = self.typed(m.from);
            let from = subscript(self.value_as(&from, &ty));
            let to = bound(self, m.to);
            let step = match m.step {
                Some(e) => bound(self, e),
                None => Expr::int(1),
            };
            out.push([from, to, step]);
        }
        out
    }

    /// The loop variables are the thread's own, in the loop; their types.
    fn index_entities(&mut self, mapped: &[Mapped<'_>]) -> (Expr, ir::Type) {
        cufdo::indices(self, mapped, Function::ThreadStride)
    }

    fn loop_over(
        &mut self,
        mapped: &[Mapped<'_>],
        heads: Vec<[Expr; 3]>,
        (mut range, ty): (Expr, ir::Type),
        body: Vec<ir::Stmt>,
    ) -> ir::Stmt {
        if let ([m], [[from, to, step]]) = (mapped, &heads[..])
            && step.as_int() == Some(1)
            && matches!(ty, ir::Type::Int(4 | 8))
        {
            let number = self.thread_number();
            let from = from.clone().plus(number);
            let name = Expr::name(&m.name, ty.clone());
            return StmtKind::For(Box::new(For {
                var: m.name.clone(),
                declare: Some(ty),
                from: Some(from),
                cond: Expr::binary(ir::BinaryOp::Le, name, to.clone(), ir::Type::Bool),
                step: self.thread_step(),
                body,
            }))
            .into();
        }
        if let ExprKind::Call { args, .. } = &mut range.kind {
            let wide = |e: Expr| convert(e.unsigned_as_is().clone(), &ir::Type::Int(8));
            args.extend(heads.into_iter().map(|head| {
                Expr::new(
                    ExprKind::Construct(head.map(wide).into()),
                    ir::Type::Class(Class::LoopBounds),
                )
            }));
        }
        StmtKind::ForEach(Box::new(ForEach {
            vars: mapped.iter().map(|m| m.name.clone()).collect(),
            ty,
            range,
            maybe_unused: false,
            body,
        }))
        .into()
    }

    /// What an iteration has for itself: copies of what it may read before it assigns it, and variables that have another use outside.
    fn own_variables(
        &mut self,
        k: &CufKernel,
        found: &Scalars,
        mapped: &[Mapped<'_>],
        shadowed: &mut Shadowed,
    ) -> Vec<ir::Stmt> {
        let mut out = scalars::restart(self, &found.restarted, k.directive);
        let named = k.local.iter();
        let named: Vec<_> = named
            .filter_map(|n| self.model().lookup(self.scope, &n.0.text))
            .collect();
        let scalars = found.private.iter().filter_map(|(t, _)| t.root());
        let all: BTreeSet<SymbolId> = scalars.chain(named).collect();
        for v in all {
            let of_loop = mapped.iter().any(|m| m.variable == v);
            if of_loop || found.restarted.contains(&v) || self.loops.locals.contains(&v) {
                continue;
            }
            let Some(variable) = self.model().variable(v).cloned() else {
                continue;
            };
            let at = self.model()[v].span;
            let ty = self.variable_type(v, &variable, at);
            let own = matches!(ty, ir::Type::Fixed { .. }) || variable.dims.is_empty();
            if !own {
                let spelling = self.model()[v].spelling.clone();
                self.refuse(
                    k.directive,
                    "CUF0544",
                    format!("array `{spelling}` is private to an iteration, but does not have a constant shape\nhelp: declare it with constant bounds"),
                );
                continue;
            }
            let spelling = self.model()[v].spelling.clone();
            let name = self.fresh(&format!("own_{spelling}"));
            let bounds = match variable.dims.is_empty() {
                true => Vec::new(),
                false => self.declared_bounds(v),
            };
            let mut declaration = ir::Stmt::declare(ty.clone(), &name, Init::None);
            if let StmtKind::Declare(d) = &mut declaration.kind {
                d.maybe_unused = true;
            }
            out.push(declaration);
            let own = Entity {
                expr: Expr::name(&name, ty),
                bounds,
                optional: None,
            };
            shadowed.push((v, self.vars.insert(v, own)));
        }
        out
    }
}

fn scalar(name: &str, ty: &ir::Type) -> Entity {
    Entity {
        expr: Expr::name(name, ty.clone()),
        bounds: Vec::new(),
        optional: None,
    }
}

/// What a thread's part of a reduction begins with.
fn identity(r: &Reduced) -> Expr {
    let number = matches!(r.ty, ir::Type::Int(_) | ir::Type::Real(4 | 8));
    match r.op {
        ReductionOp::Add | ReductionOp::BitOr | ReductionOp::BitXor if number => {
            convert(Expr::int(0), &r.ty)
        }
        ReductionOp::Mul if number => convert(Expr::int(1), &r.ty),
        op => Expr::call_of(
            Callee::Identity(op),
            vec![TemplateArg::Type(r.ty.clone())],
            Vec::new(),
            r.ty.clone(),
        ),
    }
}
