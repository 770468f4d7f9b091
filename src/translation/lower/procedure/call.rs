//! References of the user's procedures: how actual arguments meet dummies, array-valued functions, hidden arguments.

use crate::ast::{Intent, Span};
use crate::ir::{self, *};
use crate::lower::context::CallBelow;
use crate::lower::context::rules::{Arrays, Expressions, References};
use crate::lower::context::state::LoopIndex;
use crate::lower::context::{Entity, KnownBounds, LoweringContext};
use crate::lower::value::convert::convert;
use crate::sema::expression::typed::*;
use crate::sema::model::sides::{ACC_DEVICES, Side};
use crate::sema::model::*;

impl LoweringContext<'_, '_> {
    /// Value of a function reference at a position (elemental or scalar), or of the element of its array result.
    pub fn function(
        &mut self,
        e: &TExpr,
        procedure: SymbolId,
        args: &[Option<TExpr>],
        ix: &[LoopIndex],
    ) -> Expr {
        if let Some(asked) = self.model().acc_on_device(e) {
            return match self.model().value_on(e, Side::Device) {
                Some(v) => Expr::bool(v),
                None => {
                    let asked = self.val(asked, ix);
                    let is = |n: i64| {
                        let n = Expr::int(n);
                        Expr::binary(ir::BinaryOp::Eq, asked.clone(), n, ir::Type::Bool)
                    };
                    let [a, b] = ACC_DEVICES.map(is);
                    Expr::binary(ir::BinaryOp::Or, a, b, ir::Type::Bool)
                }
            };
        }
        let elemental = self
            .model()
            .procedure(procedure)
            .is_some_and(|p| p.elemental);
        if !ix.is_empty() && !elemental {
            let t = self.materialise(e);
            return self.element_of(&t, ix);
        }
        let ty = self.value_type(&e.ty).unwrap_or(ir::Type::Unknown);
        let pointer = self
            .model()
            .procedure(procedure)
            .and_then(|p| p.result)
            .and_then(|r| self.model().variable(r))
            .is_some_and(|v| v.attrs.has(VarAttrs::POINTER));
        if pointer {
            let elem = self.storage_type(&e.ty).unwrap_or(ir::Type::Unknown);
            let result = ir::Type::Pointer {
                to: Box::new(elem.clone()),
                restrict: false,
            };
            return self.invoke(procedure, args, ix, result, e.span).deref(elem);
        }
        self.invoke(procedure, args, ix, ty, e.span)
    }

    /// The C++ call of a device procedure.
    pub fn invoke(
        &mut self,
        procedure: SymbolId,
        args: &[Option<TExpr>],
        ix: &[LoopIndex],
        ty: ir::Type,
        span: Span,
    ) -> Expr {
        let model = self.model();
        let name = model[procedure].spelling.clone();
        if crate::lower::program::effects::is_dummy_procedure(model, procedure) {
            return self.invoke_dummy(procedure, args, ix, ty);
        }
        if self.sh.analysis.body_of(model, procedure).is_none()
            && let Some(e) = self.foreign(procedure, args, ix, &ty)
        {
            return e;
        }
        let Some(body) = self.sh.analysis.body_of(model, procedure) else {
            return self.refuse_expr(
                span,
                "CUF0430",
                format!("procedure `{name}` has no body in the program and cannot be called from device code\nhelp: move it to a module, or translate the file that contains it together with this one"),
            );
        };
        let Some(source) = self.sh.analysis.procs.get(&body).copied() else {
            return Expr::int(0);
        };
        let symbol = source.symbol.unwrap_or(procedure);
        let Some(p) = model.procedure(symbol) else {
            return Expr::int(0);
        };
        if !matches!(
            p.target,
            ProcedureTarget::Device | ProcedureTarget::HostDevice
        ) {
            return self.refuse_expr(
                span,
                "CUF0431",
                format!("`{name}` is not a device procedure and cannot be called from device code"),
            );
        }
        self.needs_procedure(source.file, body);
        let dummies = p.dummies.clone();
        let mut out = Vec::new();
        for (i, d) in dummies.iter().enumerate() {
            let Some(d) = d else {
                return self.refuse_expr(
                    span,
                    "CUF0307",
                    "device procedure cannot have an alternate return",
                );
            };
            let actual = args.get(i).and_then(Option::as_ref);
            if crate::lower::program::effects::is_dummy_procedure(model, *d) {
                out.push(self.procedure_actual(actual, span));
                continue;
            }
            let Some(v) = model.variable(*d).cloned() else {
                return self.refuse_expr(
                    span,
                    "CUF0409",
                    format!("arguments of `{name}` are not known"),
                );
            };
            if let Some(a) = actual
                // What changes behind a pointer component of an INTENT(IN) dummy is another's.
                && v.intent != Some(Intent::In)
                && self.sh.analysis.dummy_modified(model, body, i)
            {
                self.changed_actual(*d, a);
            }
            let v = match actual {
                None => Expr::new(ExprKind::Null, ir::Type::Auto),
                Some(a) if v.dims.is_empty() => self.scalar_actual(*d, &v, a, ix),
                Some(a) => self.array_actual(*d, &v, a),
            };
            out.push(v);
        }
        out.extend(self.hidden_actuals(body, span));
        let callee = Ident {
            space: Namespaces::Unit(self.sh.namespace_of(source.scope)),
            name: self.sh.procedure_name(symbol, body),
        };
        Expr::call(Callee::Procedure(callee), out, ty)
    }

    /// The code refers to a procedure with its body in a file.
    pub fn needs_procedure(&self, file: FileId, body: ScopeId) {
        self.sh.needs.borrow_mut().insert((self.file, file));
        let below = CallBelow::of(self.sh, self.file, self.scope, body);
        self.sh.below.borrow_mut().extend(below);
    }

    /// An actual argument that the procedure changes.
    fn changed_actual(&mut self, dummy: SymbolId, a: &TExpr) {
        let model = self.model();
        let dummy = &model[dummy].spelling;
        if let Some((code, why)) = model.unchangeable(a) {
            let name = a.root().map_or("", |r| &model[r].spelling);
            let message = format!(
                "`{name}` {why} and cannot be passed to dummy argument `{dummy}`, which is modified"
            );
            match code {
                // A dummy without INTENT takes it (F2018 8.5.10), and the C++ parameter is one that may change.
                "CUF0335" => self.sh.warn(self.file, a.span, "CUF0470", message),
                _ => self.refuse(a.span, code, message),
            }
        } else if matches!(a.kind, TExprKind::Constant { .. }) {
            let message = format!(
                "expression is passed to dummy argument `{dummy}`, which is modified\nhelp: pass a variable"
            );
            self.sh.warn(self.file, a.span, "CUF0393", message);
        }
    }

    /// A device procedure of C or CUDA C++ with an interface that has BIND(C).
    fn foreign(
        &mut self,
        procedure: SymbolId,
        args: &[Option<TExpr>],
        ix: &[LoopIndex],
        ty: &ir::Type,
    ) -> Option<Expr> {
        let model = self.model();
        let p = model.procedure(procedure)?;
        let name = p.bind_name.clone()?;
        if !matches!(
            p.target,
            ProcedureTarget::Device | ProcedureTarget::HostDevice
        ) {
            return None;
        }
        let mut params = Vec::new();
        let mut out = Vec::new();
        for (i, d) in p.dummies.clone().into_iter().enumerate() {
            let d = d?;
            let v = model.variable(d)?.clone();
            let elem = self.storage_type(&v.ty)?;
            let a = args.get(i)?.as_ref()?;
            let pointer = ir::Type::Pointer {
                to: Box::new(elem.clone()),
                restrict: false,
            };
            let (param, value) = if v.attrs.has(VarAttrs::VALUE) && v.dims.is_empty() {
                let t = if elem.is_logical() {
                    ir::Type::Bool
                } else {
                    elem.clone()
                };
                let value = self.val(a, ix);
                (t.clone(), convert(value, &t))
            } else if v.dims.iter().any(|x| matches!(x, Dim::Colon { .. })) {
                return None;
            } else if v.dims.is_empty() {
                let place = if a.is_designator() {
                    self.place(a)
                } else {
                    self.temporary_place(a, &elem)
                };
                (pointer, place.address())
            } else {
                (pointer, self.array_actual(d, &v, a))
            };
            params.push(Param {
                name: crate::ir::names::safe(&model[d].name),
                ty: param,
            });
            out.push(value);
        }
        let proc = ir::Proc {
            c_name: None,
            remarks: Vec::new(),
            name: name.clone(),
            kind: ProcKind::Device,
            result: ty.clone(),
            params,
            body: Vec::new(),
            names: Vec::new(),
        };
        self.sh
            .externals
            .borrow_mut()
            .insert((self.file, name.clone()), proc);
        Some(Expr::call(Callee::External(name), out, ty.clone()))
    }
}

impl References for LoweringContext<'_, '_> {
    fn array_result(&mut self, e: &TExpr, procedure: SymbolId) -> (ir::Type, KnownBounds) {
        let elem = self.storage_type(&e.ty).unwrap_or(ir::Type::Unknown);
        let result = self.model().procedure(procedure).and_then(|p| p.result);
        let folded = result.map(|r| self.model().dims_of(r)).unwrap_or_default();
        let mut dims = Vec::new();
        let mut bounds = Vec::new();
        for b in &folded {
            let (Some(lo), Some(hi)) = (b.lower, b.upper) else {
                continue;
            };
            dims.push(FixedDim {
                lower: (lo != 1).then(|| Expr::int(lo)),
                upper: Expr::int(hi),
                lo,
                hi,
            });
            bounds.push((Some(Expr::int(lo)), Some(Expr::int(hi))));
        }
        let ty = if dims.len() == folded.len() && !dims.is_empty() {
            ir::Type::Fixed {
                elem: Box::new(elem),
                dims,
            }
        } else {
            let attributes = result.and_then(|r| self.model().variable(r));
            let has = |a| attributes.is_some_and(|v| v.attrs.has(a));
            let pointer = has(VarAttrs::POINTER);
            let own = !pointer && !has(VarAttrs::ALLOCATABLE);
            bounds = folded
                .iter()
                .map(|b| (b.lower.filter(|_| own).map(Expr::int), None))
                .collect();
            let (elem, rank) = (Box::new(elem), folded.len());
            if pointer {
                ir::Type::View { elem, rank }
            } else {
                ir::Type::LocalArray { elem, rank }
            }
        };
        (ty, bounds)
    }

    fn array_call(&mut self, e: &TExpr, ty: ir::Type) -> Expr {
        match &e.kind {
            TExprKind::Call {
                procedure, args, ..
            } => self.invoke(*procedure, args, &[], ty, e.span),
            _ => self.materialise(e).expr,
        }
    }

    fn array_function(&mut self, e: &TExpr, procedure: SymbolId, args: &[Option<TExpr>]) -> Entity {
        let (ty, bounds) = self.array_result(e, procedure);
        let value = self.invoke(procedure, args, &[], ty.clone(), e.span);
        let name = self.numbered("t");
        self.before(
            StmtKind::Declare(Declare {
                ty: ir::Type::Auto,
                qualifier: Qualifier::Const,
                names: vec![Declarator {
                    name: name.clone(),
                    init: Init::Value(value),
                }],
                maybe_unused: false,
            })
            .into(),
        );
        Entity {
            expr: Expr::name(&name, ty),
            bounds,
            optional: None,
        }
    }
}
