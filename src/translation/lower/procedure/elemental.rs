//! Call statements, and what is done to arrays by an elemental subroutine: by one of the program (also as a defined assignment), or
//! MVBITS. As in an assignment, operands have the values they have before the first element is changed (F2018 10.2.1.4, 15.8.3).

use crate::ast::Span;
use crate::ir;
use crate::lower::context::LoweringContext;
use crate::lower::context::rules::Arrays;
use crate::lower::context::state::LoopIndex;
use crate::lower::value::array::is_character;
use crate::lower::value::text::character_object;
use crate::sema::expression::typed::*;
use crate::sema::model::SymbolId;

impl LoweringContext<'_, '_> {
    /// A call statement of a device procedure.
    pub fn call_user(
        &mut self,
        procedure: SymbolId,
        args: &[Option<TExpr>],
        span: Span,
    ) -> Vec<ir::Stmt> {
        self.sequence(args.iter().flatten());
        let p = self.model().procedure(procedure);
        if p.is_some_and(|p| p.elemental) && args.iter().flatten().any(|a| a.rank > 0) {
            self.operands_before(procedure, args);
            return self.elementwise(args, |cx, ix| {
                let call = cx.invoke(procedure, args, ix, ir::Type::Void, span);
                vec![ir::Stmt::expr(call)]
            });
        }
        let call = self.invoke(procedure, args, &[], ir::Type::Void, span);
        vec![ir::Stmt::expr(call)]
    }

    /// A loop nest over the elements of the arrays among the arguments.
    pub fn elementwise(
        &mut self,
        args: &[Option<TExpr>],
        f: impl FnOnce(&mut Self, &[LoopIndex]) -> Vec<ir::Stmt>,
    ) -> Vec<ir::Stmt> {
        let mut arrays = args.iter().flatten().filter(|a| a.rank > 0);
        let first = arrays.clone().next();
        let Some(shape) = arrays.find(|a| a.is_designator()).or(first) else {
            return f(self, &[]);
        };
        let ranges = self.ranges(shape);
        self.nest(&ranges, f)
    }

    /// Evaluates what calls of the elemental subroutine for some elements could change for others.
    pub fn operands_before(&mut self, procedure: SymbolId, args: &[Option<TExpr>]) {
        let model = self.model();
        let body = self.sh.analysis.body_of(model, procedure);
        let changes = |i| body.is_none_or(|b| self.sh.analysis.dummy_modified(model, b, i));
        let given = args.iter().enumerate();
        let changed: Vec<&TExpr> = given
            .filter_map(|(i, a)| a.as_ref().filter(|a| a.is_designator() && changes(i)))
            .collect();
        // An impure one may change data that no argument is.
        let pure = !self.has_effect_beyond_arguments(procedure);
        let operands: Vec<&TExpr> = args.iter().flatten().collect();
        self.freeze_all(&changed, &operands);
        for a in operands.into_iter().filter(|a| !a.is_designator()) {
            if !pure || self.calls_with_effect(a) || changed.iter().any(|c| self.conflicts(c, a)) {
                self.evaluate_operand(a);
            }
        }
    }

    /// Evaluates an operand now, for all its uses in the statement.
    pub fn evaluate_operand(&mut self, e: &TExpr) {
        if e.value.is_some() || self.hoisted.holding(e.span).is_some() {
            return;
        }
        if e.rank > 0 {
            let t = self.materialise(e);
            self.hoisted.hold(e.span, t);
            return;
        }
        if matches!(e.kind, TExprKind::Null | TExprKind::ProcedureName(_)) {
            return;
        }
        let v = self.value(e);
        let v = match is_character(&e.ty) {
            true => character_object(v),
            false => v,
        };
        if v.ty == ir::Type::Text {
            self.refuse(
                e.span,
                "CUF0421",
                "character argument of non-constant length is modified by an elemental call\nnote: this is not supported in device code\nhelp: assign it to a variable first",
            );
            return;
        }
        self.hold(e, v);
    }

    /// The right side of a defined assignment counts as if it stood in parentheses (F2018 10.2.1.5): it has its value whatever the
    /// subroutine does to the left side.
    pub fn right_side(&self, l: &TExpr, r: &TExpr) -> TExpr {
        match self.may_share(l, r) {
            true => TExpr {
                kind: TExprKind::Paren(Box::new(r.clone())),
                ..r.clone()
            },
            false => r.clone(),
        }
    }
}
