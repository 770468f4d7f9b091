//! Procedures as arguments: a dummy procedure is a template parameter, so that the call is resolved when C++ is compiled.

use crate::ast::Span;
use crate::ir::{self, *};
use crate::lower::context::LoweringContext;
use crate::lower::context::rules::Expressions;
use crate::lower::context::state::LoopIndex;
use crate::lower::program::effects::is_dummy_procedure;
use crate::sema::expression::typed::*;
use crate::sema::model::*;

impl LoweringContext<'_, '_> {
    /// The name of a device procedure as an actual argument.
    pub fn procedure_actual(&mut self, a: Option<&TExpr>, span: Span) -> Expr {
        let Some(TExprKind::ProcedureName(f)) = a.map(|a| &a.kind) else {
            return self.refuse_expr(
                a.map_or(span, |a| a.span),
                "CUF0384",
                "procedure argument in device code must be the name of a device procedure",
            );
        };
        let model = self.model();
        if is_dummy_procedure(model, *f) {
            return Expr::name(&self.local_name(*f), ir::Type::Auto);
        }
        let source = self
            .sh
            .analysis
            .body_of(model, *f)
            .and_then(|b| self.sh.analysis.procs.get(&b).copied())
            .filter(|s| {
                matches!(
                    s.target,
                    ProcedureTarget::Device | ProcedureTarget::HostDevice
                )
            });
        let Some(source) = source else {
            return self.refuse_expr(
                span,
                "CUF0431",
                format!(
                    "`{}` is not a device procedure of the program and cannot be an argument in device code",
                    model[*f].spelling
                ),
            );
        };
        self.needs_procedure(source.file, source.scope);
        let callee = Ident {
            space: Namespaces::Unit(self.sh.namespace_of(source.scope)),
            name: self
                .sh
                .procedure_name(source.symbol.unwrap_or(*f), source.scope),
        };
        let args = self.hidden_actuals(source.scope, span);
        if args.is_empty() {
            return Expr::new(ExprKind::Name(callee), ir::Type::Auto);
        }
        Expr::new(ExprKind::Bound { callee, args }, ir::Type::Auto)
    }

    /// A reference of a dummy procedure. What it does to its arguments is not known: they are passed as places where they
    /// are, which fits parameters by value and by reference.
    pub fn invoke_dummy(
        &mut self,
        procedure: SymbolId,
        args: &[Option<TExpr>],
        ix: &[LoopIndex],
        ty: ir::Type,
    ) -> Expr {
        let model = self.model();
        let dummies = model
            .procedure(procedure)
            .map(|p| p.dummies.clone())
            .unwrap_or_default();
        let mut out = Vec::new();
        for (i, a) in args.iter().enumerate() {
            let Some(a) = a else {
                out.push(Expr::new(ExprKind::Null, ir::Type::Auto));
                continue;
            };
            let dummy = dummies.get(i).copied().flatten();
            let known = dummy.and_then(|d| model.variable(d).cloned().map(|v| (d, v)));
            out.push(match known {
                Some((d, v)) if v.dims.is_empty() => self.scalar_actual(d, &v, a, ix),
                Some((d, v)) => self.array_actual(d, &v, a),
                None if matches!(a.kind, TExprKind::ProcedureName(_)) => {
                    self.procedure_actual(Some(a), a.span)
                }
                None => self.unknown_actual(a, ix),
            });
        }
        Expr::call(Callee::Dummy(self.local_name(procedure)), out, ty)
    }

    /// An actual for a procedure with an implicit interface: scalars and the first elements of arrays by reference.
    fn unknown_actual(&mut self, a: &TExpr, ix: &[LoopIndex]) -> Expr {
        let elem = self.storage_type(&a.ty).unwrap_or(ir::Type::Unknown);
        if a.rank > 0 {
            let pointer = ir::Type::Pointer {
                to: Box::new(elem),
                restrict: false,
            };
            let whole = self.section(a);
            return Expr::call(
                Function::Packed,
                vec![
                    self.place_text(),
                    Expr::call(Function::View, vec![whole], ir::Type::Auto),
                ],
                ir::Type::Auto,
            )
            .method(Method::Data, Vec::new(), pointer);
        }
        let v = self.val(a, ix);
        if a.is_designator() && v.ty.plain() == &elem {
            return v.into_place();
        }
        let name = self.numbered("t");
        self.before(ir::Stmt::declare(
            elem.clone(),
            &name,
            Init::Value(crate::lower::value::convert::convert(v, &elem)),
        ));
        Expr::name(&name, elem)
    }
}
