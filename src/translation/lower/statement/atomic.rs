//! Assignments that a directive makes atomic (OpenACC 2.12): an operation of the device where it has one, a loop of compare-and-swap in
//! the runtime otherwise.

use crate::ast::{Atomic, BinaryOp as B, Span, Stmt, StmtKind as Ast};
use crate::intrinsics::{Bits, Choice, Intrinsic};
use crate::ir::{self, *};
use crate::lower::context::LoweringContext;
use crate::lower::program::sharing::is_private_data;
use crate::lower::value::convert::convert;
use crate::sema::expression::dependence::same;
use crate::sema::expression::typed::*;
use crate::sema::model::{Space, SymbolId, Type};

/// `x = x op e`, taken apart.
struct Update {
    function: Function,
    value: TExpr,
    /// Where the variable stands among its operands.
    old: Span,
}

impl LoweringContext<'_, '_> {
    /// An assignment under `!$cuf atomic`; a capture takes the second one with it.
    pub fn atomic_assignment(&mut self, s: &Stmt, atomic: &Atomic) -> Vec<ir::Stmt> {
        let Some((lhs, rhs)) = self.sides(s) else {
            return Vec::new();
        };
        match atomic {
            Atomic::Update => {
                let Some((_, call)) = self.atomic_update(&lhs, &rhs, s.span) else {
                    return Vec::new();
                };
                vec![ir::Stmt::expr(call)]
            }
            Atomic::Write => {
                let call = self.atomic_write(&lhs, &rhs, s.span);
                call.map(ir::Stmt::expr).into_iter().collect()
            }
            Atomic::Read => {
                if !self.is_atomic_target(&rhs) {
                    return Vec::new();
                }
                let place = self.place(&rhs);
                let ty = place.ty.plain().clone();
                let value = Expr::call(Function::AtomicLoad, vec![place], ty);
                self.store_captured(&lhs, value)
            }
            Atomic::Capture(second) => match self.sides(second) {
                Some(second_sides) => self.capture_statements(s, (lhs, rhs), second_sides),
                None => Vec::new(),
            },
            // Done with the first one.
            Atomic::Captured => Vec::new(),
        }
    }

    fn sides(&self, s: &Stmt) -> Option<(TExpr, TExpr)> {
        match &s.kind {
            Ast::Assign { lhs, rhs } => Some((self.typed(lhs), self.typed(rhs))),
            _ => None,
        }
    }

    /// `v = x` and an update or write of `x`, in either order.
    fn capture_statements(
        &mut self,
        s: &Stmt,
        first: (TExpr, TExpr),
        second: (TExpr, TExpr),
    ) -> Vec<ir::Stmt> {
        let is = |a: &TExpr, b: &TExpr| {
            self.scan()
                .is(a.unparenthesised(), &self.scan().resolved(b))
        };
        // `v = x; x = x op e` or `v = x; x = e`
        if is(&first.1, &second.0) && !is(&first.0, &second.0) {
            let update = match self.mentions_variable(&second.0, &second.1) {
                true => self
                    .atomic_update(&second.0, &second.1, s.span)
                    .map(|(_, call)| call),
                false => self.atomic_write(&second.0, &second.1, s.span),
            };
            return match update {
                Some(old) => self.store_captured(&first.0, old),
                None => Vec::new(),
            };
        }
        // `x = x op e; v = x`
        if is(&second.1, &first.0) && !is(&second.0, &first.0) {
            let Some((update, call)) = self.atomic_update(&first.0, &first.1, s.span) else {
                return Vec::new();
            };
            let ty = call.ty.clone();
            let old = self.temporary(call);
            self.hoisted.hold_value(update.old, &old);
            let new = self.value_as(&first.1, &ty);
            return self.store_captured(&second.0, new);
        }
        self.refuse(
            s.span,
            "CUF0541",
            "`atomic capture` requires an update and a read of one variable\nhelp: write `v = x` before or after `x = x + e`, or `v = x` before `x = e`",
        );
        Vec::new()
    }

    fn store_captured(&mut self, target: &TExpr, value: Expr) -> Vec<ir::Stmt> {
        let place = self.place(target);
        let ty = place.ty.plain().clone();
        vec![ir::Stmt::assign(place, convert(value, &ty))]
    }

    fn mentions_variable(&self, x: &TExpr, e: &TExpr) -> bool {
        let scan = self.scan();
        scan.mentions(&scan.resolved(x), e)
    }

    fn atomic_write(&mut self, x: &TExpr, rhs: &TExpr, at: Span) -> Option<Expr> {
        if !self.is_atomic_target(x) {
            return None;
        }
        if self.mentions_variable(x, rhs) {
            self.refuse(
                at,
                "CUF0541",
                "the value of an `atomic write` cannot depend on the variable\nhelp: write `atomic update` or `atomic capture`",
            );
            return None;
        }
        let place = self.place(x);
        let ty = place.ty.plain().clone();
        let value = self.value_as(rhs, &ty);
        Some(Expr::call(Function::AtomicExch, vec![place, value], ty))
    }

    /// The call that updates the variable and gives its old value.
    fn atomic_update(&mut self, x: &TExpr, rhs: &TExpr, at: Span) -> Option<(Update, Expr)> {
        if !self.is_atomic_target(x) {
            return None;
        }
        let Some(update) = self.update_of(x, rhs) else {
            self.refuse(
                at,
                "CUF0541",
                "the assignment does not have a form that can be atomic\nhelp: write `x = x op e`, `x = e op x`, or `x = max(x, e)`, where `e` does not contain `x` and `op` is `+`, `-`, `*`, `/`, `.and.`, `.or.`, `.eqv.`, or `.neqv.`",
            );
            return None;
        };
        if rhs.ty != x.ty {
            let (wide, narrow) = (
                self.model().type_name(&rhs.ty),
                self.model().type_name(&x.ty),
            );
            self.refuse(
                at,
                "CUF0540",
                format!("atomic update of a `{narrow}` variable has type `{wide}`\nhelp: convert the other operand to `{narrow}`"),
            );
            return None;
        }
        let place = self.place(x);
        let ty = place.ty.plain().clone();
        let value = self.value_as(&update.value, &ty);
        // The new value is computed from it, too.
        let value = match value.is_simple() || value.as_int().is_some() {
            true => value,
            false => self.hold(&update.value, value),
        };
        let call = Expr::call(update.function, vec![place, value], ty);
        Some((update, call))
    }

    /// Checks type and memory of the variable.
    fn is_atomic_target(&mut self, x: &TExpr) -> bool {
        let designator = x.unparenthesised();
        if !designator.is_designator() || designator.rank != 0 {
            self.refuse(
                x.span,
                "CUF0541",
                "an atomic operation requires a scalar variable or an array element",
            );
            return false;
        }
        let component = matches!(designator.kind, TExprKind::Component { .. });
        let fits = match designator.ty {
            Type::Integer(k) | Type::Real(k) | Type::Logical(k) => k == 4 || k == 8,
            // A component may lie at an address that 8 bytes at once cannot have.
            Type::Complex(k) => k == 4 && !component,
            _ => false,
        };
        if !fits {
            let ty = self.model().type_name(&designator.ty);
            self.refuse(
                x.span,
                "CUF0540",
                format!("atomic operations on type `{ty}` are not supported\nnote: the device has atomic operations on 4 and 8 bytes\nhelp: use a variable of kind 4 or 8"),
            );
            return false;
        }
        let resolved = self.scan().resolved(designator).into_owned();
        let model = self.model();
        // An array component is on the device by itself.
        let array = match &resolved.kind {
            TExprKind::Index { base, .. } => base.as_ref(),
            _ => &resolved,
        };
        let is_inner = |s: SymbolId| {
            let inside = self.capture.as_ref().is_some_and(|c| c.inside.contains(&s));
            inside || self.scan().is_inner(s)
        };
        let is_shared = !resolved.root().is_some_and(is_inner) && self.is_present(array);
        let own = is_private_data(model, &resolved)
            && model.space(&resolved) != Some(Space::Shared)
            && !self.in_device_memory(&resolved)
            && !self.is_present(&resolved)
            && !is_shared;
        if own {
            let name = self.captured_name(&resolved);
            self.refuse(
                x.span,
                "CUF0541",
                format!("`{name}` is private to a thread and cannot be updated atomically\nhelp: declare it with the `device` attribute"),
            );
        }
        !own
    }

    fn update_of(&self, x: &TExpr, rhs: &TExpr) -> Option<Update> {
        let rhs = rhs.unparenthesised();
        let is_x = |e: &TExpr| {
            let e = e.unparenthesised();
            let scan = self.scan();
            e.is_designator() && same(&scan.resolved(e), &scan.resolved(x))
        };
        let clean = |e: &TExpr| !self.mentions_variable(x, e);
        let number = matches!(x.ty, Type::Integer(_) | Type::Real(_) | Type::Complex(_));
        let logical = matches!(x.ty, Type::Logical(_));
        let update = |function, old: &TExpr, value: &TExpr| {
            Some(Update {
                function,
                value: value.clone(),
                old: old.span,
            })
        };
        match &rhs.kind {
            TExprKind::Binary {
                op,
                lhs,
                rhs: right,
            } => {
                if is_x(lhs) && clean(right) {
                    let function = match op {
                        B::Add if number => Function::AtomicAdd,
                        B::Sub if number => Function::AtomicSub,
                        B::Mul if number => Function::AtomicMul,
                        B::Div if number => Function::AtomicDiv,
                        _ if logical => logical_function(*op)?,
                        _ => return None,
                    };
                    return update(function, lhs, right);
                }
                if is_x(right) && clean(lhs) {
                    let function = match op {
                        B::Add if number => Function::AtomicAdd,
                        B::Sub if number => Function::AtomicSubFrom,
                        B::Mul if number => Function::AtomicMul,
                        B::Div if number => Function::AtomicDivInto,
                        _ if logical => logical_function(*op)?,
                        _ => return None,
                    };
                    return update(function, right, lhs);
                }
                // `x + a + b` adds `a + b`, `x - a - b` subtracts it.
                let TExprKind::Binary { op: inner, .. } = &lhs.kind else {
                    return None;
                };
                let joined = match (inner, op) {
                    (B::Add, B::Add | B::Sub) => *op,
                    (B::Sub, B::Sub) => B::Add,
                    (B::Sub, B::Add) => B::Sub,
                    (B::Mul, B::Mul) | (B::And, B::And) | (B::Or, B::Or) => *op,
                    (B::Eqv, B::Eqv) | (B::Neqv, B::Neqv) => *op,
                    _ => return None,
                };
                let first = self.update_of(x, lhs).filter(|_| clean(right))?;
                let from_left = matches!(
                    first.function,
                    Function::AtomicSubFrom | Function::AtomicDivInto
                );
                let value = TExpr {
                    kind: TExprKind::Binary {
                        op: joined,
                        lhs: Box::new(first.value),
                        rhs: right.clone(),
                    },
                    span: Span {
                        start: right.span.start,
                        end: right.span.start,
                    },
                    ..rhs.clone()
                };
                (!from_left).then_some(Update { value, ..first })
            }
            TExprKind::Intrinsic { intrinsic, args } => {
                let function = match intrinsic {
                    Intrinsic::Choice(Choice::Max) => Function::AtomicMax,
                    Intrinsic::Choice(Choice::Min) => Function::AtomicMin,
                    Intrinsic::Bits(Bits::Iand) => Function::AtomicAnd,
                    Intrinsic::Bits(Bits::Ior) => Function::AtomicOr,
                    Intrinsic::Bits(Bits::Ieor) => Function::AtomicXor,
                    _ => return None,
                };
                let (own, others): (Vec<_>, Vec<_>) = args.iter().flatten().partition(|a| is_x(a));
                let [old] = own[..] else { return None };
                if others.is_empty() || !others.iter().all(|e| clean(e)) {
                    return None;
                }
                if let [one] = others[..] {
                    return update(function, old, one);
                }
                let value = TExpr {
                    kind: TExprKind::Intrinsic {
                        intrinsic: *intrinsic,
                        args: others.iter().map(|e| Some((*e).clone())).collect(),
                    },
                    span: Span {
                        start: rhs.span.end,
                        end: rhs.span.end,
                    },
                    ..rhs.clone()
                };
                Some(Update {
                    function,
                    value,
                    old: old.span,
                })
            }
            _ => None,
        }
    }
}

fn logical_function(op: B) -> Option<Function> {
    Some(match op {
        B::And => Function::AtomicLogicalAnd,
        B::Or => Function::AtomicLogicalOr,
        B::Eqv => Function::AtomicEqv,
        B::Neqv => Function::AtomicNeqv,
        _ => return None,
    })
}
