//! DO in all forms, and the statements that leave or continue it.

use crate::ast::{self, DoControl, Name, Span, Stmt};
use crate::ir::{self, *};
use crate::lower::context::layout::plain_constant;
use crate::lower::context::rules::{Designators, Statements};
use crate::lower::context::{Entity, Frame, FrameKind, LoweringContext};
use crate::lower::program::synchronise::count_turns;
use crate::lower::value::convert::{convert, subscript};
use crate::sema::expression::typed::*;
use crate::sema::model::{self, SymbolId};

/// With longer steps a loop may overflow before it passes an ordinary limit.
const GIANT_STEP: i128 = 1 << 20;

/// Beyond this constant limit a loop in steps of a block, or of a grid's extent along y or z (65535 at most), might overflow.
const LIMIT_OF_BLOCKS: i128 = (1 << 31) - 1 - 65536;

/// A counted loop with its control evaluated.
struct Counted<'s> {
    stmt: &'s Stmt,
    construct: &'s ast::Do,
    /// The loop variable.
    place: Expr,
    ty: ir::Type,
    lo: Expr,
    hi: Expr,
    /// What `hi` was made of.
    limit: TExpr,
    step: Option<TExpr>,
}

impl Counted<'_> {
    /// The step of a loop that ends as C++ loops do: a constant, with no overflow on the way to the limit.
    fn plain_step(&self) -> Option<i128> {
        let step = self.step.as_ref().map_or(Some(1), TExpr::as_integer)?;
        // The largest number of the kind as a limit would never be passed; in a short kind, or with giant steps, any limit
        // may be near that.
        let overflows = match (&self.ty, self.limit.as_integer()) {
            (ir::Type::Int(k), Some(v)) => {
                let max = (1i128 << (u32::from(*k) * 8 - 1)) - 1;
                v > max - step.abs() || v < -max + step.abs()
            }
            (ir::Type::Int(1 | 2), None) => true,
            (ir::Type::Int(_), None) => step.abs() > GIANT_STEP,
            _ => return None,
        };
        (step != 0 && !overflows).then_some(step)
    }

    fn limit_has_variable(&self) -> bool {
        let mut found = false;
        self.hi.walk(&mut |e| found |= *e == self.place);
        found
    }
}

impl LoweringContext<'_, '_> {
    pub fn push_frame(&mut self, name: Option<&Name>, kind: FrameKind) {
        self.frames.push(Frame {
            name: name.map(|n| n.text.to_string()),
            kind,
            exit_label: None,
            cycle_label: None,
        });
    }

    /// A named construct that is no loop, which EXIT may leave.
    pub fn frame_block(
        &mut self,
        s: &Stmt,
        f: impl FnOnce(&mut Self) -> Vec<ir::Stmt>,
    ) -> Vec<ir::Stmt> {
        let Some(name) = &s.name else { return f(self) };
        self.push_frame(Some(name), FrameKind::Block);
        let mut out = f(self);
        if let Some(Frame {
            exit_label: Some(l),
            ..
        }) = self.frames.pop()
        {
            out.push(StmtKind::Label(l).into());
        }
        out
    }

    /// Lowers a loop body inside a frame; a jump label for CYCLE goes to its end, one for EXIT comes back.
    fn loop_body(
        &mut self,
        s: &Stmt,
        body: &[Stmt],
        start: u32,
        end: u32,
    ) -> (Vec<ir::Stmt>, Option<String>) {
        self.push_frame(s.name.as_deref(), FrameKind::Loop);
        let mut out = self.body(body, start, end);
        let frame = self.frames.pop();
        let (cycle, exit) = frame.map_or((None, None), |f| (f.cycle_label, f.exit_label));
        if let Some(l) = cycle {
            out.push(StmtKind::Label(l).into());
        }
        (out, exit)
    }

    pub fn do_construct(&mut self, s: &Stmt, d: &ast::Do) -> Vec<ir::Stmt> {
        let mut out = self.do_loop(s, d);
        if self.facts.volatile && count_turns(&mut out, &mut |stem| self.numbered(stem)) {
            out = vec![StmtKind::Block(out).into()];
        }
        out
    }

    fn do_loop(&mut self, s: &Stmt, d: &ast::Do) -> Vec<ir::Stmt> {
        match &d.control {
            DoControl::Counted {
                var,
                from,
                to,
                step,
            } => self.counted_do(s, d, var, [from, to], step.as_ref()),
            DoControl::While(c) => {
                let t = self.typed(c);
                let (pre, cond) = self.with_hoisted(|cx| cx.condition(&t));
                let (mut body, exit) = self.loop_body(s, &d.body, d.header.end, d.end.start);
                let kind = if pre.is_empty() {
                    StmtKind::While {
                        cond: Some(cond),
                        body,
                    }
                } else {
                    let mut all = pre;
                    all.push(ir::Stmt::when(cond.not(), vec![StmtKind::Break.into()]));
                    all.append(&mut body);
                    StmtKind::While {
                        cond: None,
                        body: all,
                    }
                };
                after_loop(vec![kind.into()], exit)
            }
            DoControl::Forever => {
                let (body, exit) = self.loop_body(s, &d.body, d.header.end, d.end.start);
                after_loop(vec![StmtKind::While { cond: None, body }.into()], exit)
            }
            DoControl::Concurrent(h) => {
                let inner =
                    crate::lower::program::effects::inner_scope(self.model(), self.scope, s.span);
                let first = self.first_values(h, inner);
                let outer = std::mem::replace(&mut self.scope, inner);
                if !h.local.is_empty() {
                    self.prepare_loops(inner, &d.body);
                }
                let levels = self.levels(&[], h, &d.body, true, s.span);
                let mut exit = None;
                let out = self.level_loops(&levels, &mut |cx| {
                    let mut all = match h.local.is_empty() {
                        true => Vec::new(),
                        false => cx.iteration_locals(inner, &first),
                    };
                    let (mut body, e) = cx.loop_body(s, &d.body, d.header.end, d.end.start);
                    exit = e;
                    all.append(&mut body);
                    all
                });
                self.scope = outer;
                after_loop(out, exit)
            }
        }
    }

    /// The outer values of LOCAL_INIT variables, which the iterations' own ones hide.
    fn first_values(&mut self, h: &ast::LoopHeader, inner: model::ScopeId) -> Vec<(String, Expr)> {
        let mut first = Vec::new();
        for (name, _) in h.local.iter().filter(|(_, initial)| *initial) {
            let Some(s) = self.model().lookup(self.scope, &name.text) else {
                continue;
            };
            let outer = self.entity(s, name.span).expr;
            match outer.ty.plain() {
                ir::Type::LocalArray { .. } | ir::Type::View { .. } | ir::Type::Array { .. } => {
                    self.refuse(
                        name.span,
                        "CUF0442",
                        format!(
                            "LOCAL_INIT of the array {}, whose shape is not constant",
                            name.text
                        ),
                    );
                }
                _ => {
                    let value = self.temporary(outer);
                    let own = self.model().lookup(inner, &name.text).unwrap_or(s);
                    first.push((self.local_name(own), value));
                }
            }
        }
        first
    }

    /// Declares the variables that every iteration of DO CONCURRENT has for itself.
    fn iteration_locals(
        &mut self,
        scope: model::ScopeId,
        first: &[(String, Expr)],
    ) -> Vec<ir::Stmt> {
        let mut out = self.locals(scope);
        for s in &mut out {
            let StmtKind::Declare(d) = &mut s.kind else {
                continue;
            };
            for n in &mut d.names {
                if let Some((_, value)) = first.iter().find(|(name, _)| *name == n.name) {
                    n.init = Init::Value(value.clone());
                }
            }
        }
        out
    }

    fn counted_do(
        &mut self,
        s: &Stmt,
        d: &ast::Do,
        var: &Name,
        control: [&ast::Expr; 2],
        step: Option<&ast::Expr>,
    ) -> Vec<ir::Stmt> {
        let Some((symbol, ty)) = self.loop_variable(var) else {
            return Vec::new();
        };
        let declared = self.loops.locals.contains(&symbol) || self.loops.unread.contains(&s.span);
        let [lo, limit] = control.map(|e| self.typed(e));
        let step = step.map(|e| self.typed(e));
        self.sequence([&lo, &limit].into_iter().chain(&step));
        // A limit that is held before the loop comes after what the first value does.
        let held = self.calls_with_effect(&lo) && !self.stable(&limit);
        let lo = self.bound_value(&lo, &ty);
        let lo = if held { self.temporary(lo) } else { lo };
        let hi = self.bound_value(&limit, &ty);

        let saved = declared.then(|| {
            let name = self.local_name(symbol);
            let ent = Entity {
                expr: Expr::name(&name, ty.clone()),
                bounds: Vec::new(),
                optional: None,
            };
            self.vars.insert(symbol, ent)
        });
        let place = self.entity(symbol, var.span).expr;
        let name = match &place.kind {
            ExprKind::Name(i) if i.space == Namespaces::Local => Some(i.name.clone()),
            _ => None,
        };
        let counted = Counted {
            stmt: s,
            construct: d,
            place,
            ty,
            lo,
            hi,
            limit,
            step,
        };
        let block_step = self.block_step(&counted);
        let out = match (counted.plain_step(), block_step, name) {
            (Some(step), _, Some(name)) => self.plain_for(counted, name, declared, step, None),
            (None, Some(by), Some(name)) => self.plain_for(counted, name, declared, 1, Some(by)),
            (None, None, Some(name)) if declared => self.range_loop(counted, name),
            (_, _, name) => self.trip_count_loop(counted, name),
        };
        if let Some(old) = saved {
            match old {
                Some(o) => self.vars.insert(symbol, o),
                None => self.vars.remove(&symbol),
            };
        }
        out
    }

    /// The variable of a loop and the type of its values; None: it was refused.
    fn loop_variable(&mut self, var: &Name) -> Option<(SymbolId, ir::Type)> {
        let Some(symbol) = self.model().lookup(self.scope, &var.text) else {
            self.refuse(
                var.span,
                "CUF0409",
                format!("loop variable `{}` is not declared", var.text),
            );
            return None;
        };
        let model_ty = self.model().type_of(symbol);
        let ty = self.value_type(&model_ty)?;
        if !matches!(ty, ir::Type::Int(_) | ir::Type::Real(4 | 8)) {
            self.refuse(
                var.span,
                "CUF0444",
                "loop variable must be an integer or a real of kind 4 or 8",
            );
            return None;
        }
        Some((symbol, ty))
    }

    /// A step made of the block's extents, which is positive and at most the number of its threads, or the grid's extent along y or
    /// z: as small as a constant one.
    fn block_step(&mut self, c: &Counted<'_>) -> Option<Expr> {
        let t = c.step.as_ref()?;
        if c.ty != ir::Type::Int(4) || c.limit.as_integer().is_some_and(|v| v > LIMIT_OF_BLOCKS) {
            return None;
        }
        let step = self.bound_value(t, &c.ty).unsigned_as_is().clone();
        let mut axes = Vec::new();
        let blocks = matches!(
            step.kind,
            ExprKind::Builtin(Builtin::GridDim, Axis::Y | Axis::Z)
        );
        (blocks || block_extents(&step, &mut axes)).then_some(step)
    }

    /// `for (i = lo; i <= hi; i += step)`; `by` is the step where it is no constant.
    fn plain_for(
        &mut self,
        c: Counted<'_>,
        name: String,
        declared: bool,
        step: i128,
        by: Option<Expr>,
    ) -> Vec<ir::Stmt> {
        // A named constant keeps its name.
        let named = c.step.as_ref().filter(|t| plain_constant(t));
        let constant = i64::try_from(step).unwrap_or(1);
        let of_itself = c.limit_has_variable();
        let hi = if self.stable(&c.limit)
            || c.hi.as_int().is_some()
            || !of_itself && self.loop_invariant(&c.limit, &c.hi, c.stmt.span)
        {
            c.hi
        } else {
            self.temporary(c.hi)
        };
        let (body, exit) = self.do_body(c.stmt, c.construct);
        let op = if constant < 0 {
            ir::BinaryOp::Ge
        } else {
            ir::BinaryOp::Le
        };
        let cond = Expr::binary(op, Expr::name(&name, c.ty.clone()), hi, ir::Type::Bool);
        let step = match by.or_else(|| named.map(|t| self.bound_value(t, &c.ty))) {
            Some(named) if named.as_int().is_none() => Step::Expr(named),
            _ => Step::By(constant),
        };
        let f = For {
            var: name,
            declare: declared.then_some(c.ty),
            from: Some(c.lo),
            cond,
            step,
            body,
        };
        after_loop(vec![StmtKind::For(Box::new(f)).into()], exit)
    }

    /// `for (int i : cuf::do_range(lo, hi, step))`
    fn range_loop(&mut self, c: Counted<'_>, name: String) -> Vec<ir::Stmt> {
        let step = match &c.step {
            Some(t) => self.bound_value(t, &c.ty),
            None => Expr::int(1),
        };
        let (body, exit) = self.do_body(c.stmt, c.construct);
        let f = ForEach {
            vars: vec![name],
            ty: c.ty,
            // The range makes unsigned values signed.
            range: Expr::call(
                Function::DoRange,
                [c.lo, c.hi, step]
                    .map(|e| e.unsigned_as_is().clone())
                    .into(),
                ir::Type::Auto,
            ),
            maybe_unused: false,
            body,
        };
        after_loop(vec![StmtKind::ForEach(Box::new(f)).into()], exit)
    }

    fn do_body(&mut self, s: &Stmt, d: &ast::Do) -> (Vec<ir::Stmt>, Option<String>) {
        self.loop_body(s, &d.body, d.header.end, d.end.start)
    }

    fn bound_value(&mut self, t: &TExpr, ty: &ir::Type) -> Expr {
        let v = self.value_as(t, ty);
        subscript(v)
    }

    /// A loop that counts its iterations, as the standard defines them (F2018 11.1.7.4).
    fn trip_count_loop(&mut self, c: Counted<'_>, name: Option<String>) -> Vec<ir::Stmt> {
        let wide = ir::Type::Int(8);
        // The bounds are evaluated before the loop variable gets its first value.
        let of_itself = c.limit_has_variable();
        let Counted {
            place, ty, lo, hi, ..
        } = c;
        let ty = &ty;
        let step = match &c.step {
            Some(t) => {
                let v = self.bound_value(t, ty);
                if v.as_int().is_some() {
                    v
                } else {
                    self.temporary(v)
                }
            }
            None => convert(Expr::int(1), ty),
        };
        let hi = if hi.as_int().is_some() || hi.is_simple() && !of_itself {
            hi
        } else {
            self.temporary(hi)
        };
        let count = self.numbered("trips");
        self.before(ir::Stmt::assign(place.clone(), lo.clone()));
        let trips = if let ir::Type::Real(_) = ty {
            // The trip count of a real loop truncates (F77 11.10.3); the variable is incremented, not recomputed.
            let sub = Expr::binary(ir::BinaryOp::Sub, hi, place.clone(), ty.clone());
            let sum = Expr::binary(ir::BinaryOp::Add, sub, step.clone(), ty.clone());
            let ratio = Expr::binary(ir::BinaryOp::Div, sum, step.clone(), ty.clone());
            convert(ratio, &wide)
        } else {
            let bounds = Expr::new(
                ExprKind::Construct(vec![place.clone(), hi, step.clone()]),
                ir::Type::Class(Class::LoopBounds),
            );
            bounds.method(Method::Count, Vec::new(), wide.clone())
        };
        let (mut body, exit) = self.do_body(c.stmt, c.construct);
        let cond = Expr::binary(
            ir::BinaryOp::Gt,
            Expr::name(&count, wide.clone()),
            Expr::int(0),
            ir::Type::Bool,
        );
        let step_kind = match &name {
            Some(_) => Step::Counted {
                count: count.clone(),
                by: step.clone(),
            },
            None => Step::By(-1),
        };
        // The loop variable of the C++ loop is the counter; the step advances both.
        let (var, declare, from, step_kind) = match name {
            Some(n) => (n, None, None, step_kind),
            None => {
                let sum = Expr::binary(ir::BinaryOp::Add, place.clone(), step, ty.clone());
                body.push(ir::Stmt::assign(place, sum));
                (count.clone(), None, None, Step::By(-1))
            }
        };
        self.before(ir::Stmt::declare(wide, &count, Init::Value(trips)));
        let f = For {
            var,
            declare,
            from,
            cond,
            step: step_kind,
            body,
        };
        after_loop(vec![StmtKind::For(Box::new(f)).into()], exit)
    }

    fn frame_index(&self, name: Option<&Name>, exit: bool) -> Option<usize> {
        self.frames.iter().rposition(|f| match name {
            Some(n) => {
                f.name.as_deref() == Some(&n.text)
                    && (exit || matches!(f.kind, FrameKind::Loop | FrameKind::Mapped { .. }))
            }
            None => matches!(f.kind, FrameKind::Loop | FrameKind::Mapped { .. }),
        })
    }

    /// A loop whose iterations threads share is among the constructs from the one at `from` on.
    pub fn is_in_shared_loop(&self, from: usize) -> bool {
        let mut inner = self.frames.iter().skip(from);
        inner.any(|f| matches!(f.kind, FrameKind::Mapped { .. }))
    }

    pub fn cycle(&mut self, name: Option<&Name>, span: Span) -> Vec<ir::Stmt> {
        let Some(at) = self.frame_index(name, false) else {
            self.refuse(span, "CUF0445", "CYCLE outside of a loop");
            return Vec::new();
        };
        if self.is_in_shared_loop(at + 1) {
            self.refuse(
                span,
                "CUF0543",
                "`cycle` leaves a loop whose iterations the threads of a block share",
            );
        }
        if let FrameKind::Mapped { innermost: false } = self.frames[at].kind {
            self.refuse(
                span,
                "CUF0445",
                "CYCLE of an outer mapped loop of a CUF kernel",
            );
        }
        let direct = self.frames[at + 1..]
            .iter()
            .all(|f| !matches!(f.kind, FrameKind::Loop | FrameKind::Mapped { .. }));
        if direct {
            return vec![StmtKind::Continue.into()];
        }
        if self.frames[at].cycle_label.is_none() {
            let l = self.fresh(&format!(
                "cycle_{}",
                self.frames[at].name.clone().unwrap_or_default()
            ));
            self.frames[at].cycle_label = Some(l);
        }
        let l = self.frames[at].cycle_label.clone().unwrap_or_default();
        vec![StmtKind::Goto(l).into()]
    }

    pub fn exit(&mut self, name: Option<&Name>, span: Span) -> Vec<ir::Stmt> {
        let Some(at) = self.frame_index(name, true) else {
            self.refuse(span, "CUF0445", "EXIT outside of a loop");
            return Vec::new();
        };
        if matches!(self.frames[at].kind, FrameKind::Mapped { .. }) {
            self.refuse(
                span,
                "CUF0445",
                "EXIT out of a mapped loop of a CUF kernel: its iterations run in parallel",
            );
            return Vec::new();
        }
        if self.is_in_shared_loop(at + 1) {
            self.refuse(
                span,
                "CUF0543",
                "`exit` leaves a loop whose iterations the threads of a block share",
            );
        }
        let direct = self.frames[at].kind == FrameKind::Loop
            && self.frames[at + 1..]
                .iter()
                .all(|f| f.kind == FrameKind::Block);
        if direct {
            return vec![StmtKind::Break.into()];
        }
        if self.frames[at].exit_label.is_none() {
            let l = self.fresh(&format!(
                "exit_{}",
                self.frames[at].name.clone().unwrap_or_default()
            ));
            self.frames[at].exit_label = Some(l);
        }
        let l = self.frames[at].exit_label.clone().unwrap_or_default();
        vec![StmtKind::Goto(l).into()]
    }
}

/// A product of different extents of the block.
fn block_extents(e: &Expr, axes: &mut Vec<Axis>) -> bool {
    match &e.kind {
        ExprKind::Builtin(Builtin::BlockDim, axis) if !axes.contains(axis) => {
            axes.push(*axis);
            true
        }
        ExprKind::Binary {
            op: ir::BinaryOp::Mul,
            lhs,
            rhs,
        } => block_extents(lhs, axes) && block_extents(rhs, axes),
        _ => false,
    }
}

pub(in crate::translation::lower) fn after_loop(
    mut out: Vec<ir::Stmt>,
    exit: Option<String>,
) -> Vec<ir::Stmt> {
    if let Some(l) = exit {
        out.push(StmtKind::Label(l).into());
    }
    out
}

/// An EXIT in the statements that leaves a loop around them.
pub(in crate::translation::lower) fn leaves_loop(body: &[Stmt]) -> bool {
    body.iter().any(|s| match &s.kind {
        ast::StmtKind::Exit(_) => true,
        // An EXIT inside an inner loop leaves that one, unless it is named.
        ast::StmtKind::Do(d) => named_exit(&d.body),
        _ => s.blocks().into_iter().any(leaves_loop),
    })
}

fn named_exit(body: &[Stmt]) -> bool {
    body.iter().any(|s| {
        matches!(s.kind, ast::StmtKind::Exit(Some(_))) || s.blocks().into_iter().any(named_exit)
    })
}
