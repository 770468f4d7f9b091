//! Dummies of kernels and device procedures: parameters, and the names that the body knows them by.

use crate::ir::{self, *};
use crate::lower::context::layout::parameter_name;
use crate::lower::context::*;
use crate::lower::program::synchronise::Sync;
use crate::lower::value::algebra::SmallArray;
use crate::sema::model::{self, *};

/// A dummy with data, and what its procedure does with it.
struct Dummy {
    symbol: SymbolId,
    variable: Variable,
    /// The type of an element, as it is stored.
    elem: ir::Type,
    name: String,
    /// It is one of a kernel, which has the address of everything that is not passed by value.
    kernel: bool,
    /// The procedure changes it.
    changed: bool,
    restrict: bool,
}

impl Dummy {
    /// The type of an element that the procedure sees.
    fn seen(&self) -> ir::Type {
        match self.changed {
            true => self.elem.clone(),
            false => self.elem.clone().constant(),
        }
    }

    fn pointer(&self, restrict: bool) -> ir::Type {
        ir::Type::Pointer {
            to: Box::new(self.seen()),
            restrict,
        }
    }

    fn has_attr(&self, attr: VarAttrs) -> bool {
        self.variable.attrs.has(attr)
    }
}

/// What the dummies of a procedure become: parameters, and declarations at the beginning of the body.
pub(in crate::translation::lower) struct DummyCode<'o> {
    pub params: &'o mut Vec<Param>,
    pub body: &'o mut Vec<ir::Stmt>,
}

impl DummyCode<'_> {
    fn param(&mut self, name: &str, ty: ir::Type) {
        self.params.push(Param {
            name: name.to_owned(),
            ty,
        });
    }
}

/// A scalar that is always there.
fn scalar(expr: Expr) -> Entity {
    Entity {
        expr,
        bounds: Vec::new(),
        optional: None,
    }
}

const MOST_INT: i64 = i32::MAX as i64;

/// The class of an array whose elements' places are ints; of one dimension it makes no difference.
pub(super) fn indexed_by_int(array: &ir::Type) -> ir::Type {
    match array {
        ir::Type::Array { elem, rank } if *rank > 1 => ir::Type::Class(Class::ExplicitShape {
            elem: elem.clone(),
            rank: *rank,
            index: IndexType::Int,
        }),
        t => t.clone(),
    }
}

impl LoweringContext<'_, '_> {
    pub(in crate::translation::lower) fn dummy(
        &mut self,
        d: SymbolId,
        kernel: bool,
        out: &mut DummyCode<'_>,
    ) {
        let info = &self.model()[d];
        let span = info.span;
        if crate::lower::program::effects::is_dummy_procedure(self.model(), d) {
            self.procedure_dummy(d, kernel, out.params);
            return;
        }
        let Some(v) = self.model().variable(d).cloned() else {
            return;
        };
        let name = self.local_name(d);
        if crate::lower::context::query::has_varying_length(&v.ty) {
            self.text_dummy(d, &v, &name, out.params, out.body);
            return;
        }
        let Some(elem) = self.storage_type(&v.ty) else {
            let ty = self.model().type_name(&v.ty);
            self.refuse(
                span,
                "CUF0403",
                format!("dummy argument `{name}` has {ty}, which is not supported in device code"),
            );
            return;
        };
        let x = Dummy {
            symbol: d,
            elem,
            name,
            kernel,
            changed: self.facts.modified.contains(&d),
            restrict: self.may_restrict(d),
            variable: v,
        };
        let dims = &x.variable.dims;
        if x.variable.attrs.is_dynamic() && !kernel {
            let (elem, name) = (x.elem, &x.name);
            self.movable_dummy(d, &x.variable, elem, name, out.params, out.body);
        } else if dims.is_empty() {
            self.scalar_dummy(x, out);
        } else if dims.iter().any(|x| matches!(x, Dim::AssumedRank)) {
            self.refuse(
                span,
                "CUF0403",
                format!(
                    "rank of dummy argument `{}` must be known in device code",
                    x.name
                ),
            );
        } else if dims.iter().any(|x| matches!(x, Dim::Colon { .. })) {
            self.view_dummy(x, out);
        } else {
            self.array_dummy(x, out);
        }
    }

    /// An array whose shape comes with the argument.
    fn view_dummy(&mut self, x: Dummy, out: &mut DummyCode<'_>) {
        let bounds = self.declared_bounds(x.symbol);
        let ty = ir::Type::View {
            elem: Box::new(x.seen()),
            rank: x.variable.dims.len(),
        };
        let from_one = |b: &(Option<Expr>, _)| b.0.as_ref().and_then(Expr::as_int) == Some(1);
        if x.variable.attrs.is_dynamic() || bounds.iter().all(from_one) {
            out.param(&x.name, ty.clone());
        } else {
            let param = self.fresh(&parameter_name(&x.name));
            out.param(&param, ty.clone());
            let lowers = self.lower_bounds_now(x.symbol);
            let init = Expr::name(&param, ty.clone()).method(Method::Rebased, lowers, ty.clone());
            out.body
                .push(ir::Stmt::declare(ty.clone(), &x.name, Init::Value(init)));
        }
        let entity = Entity {
            expr: Expr::name(&x.name, ty),
            bounds,
            optional: x.has_attr(VarAttrs::OPTIONAL).then(|| x.name.clone()),
        };
        self.vars.insert(x.symbol, entity);
    }

    /// An array of explicit shape or assumed size: its address, from which the body makes an array.
    fn array_dummy(&mut self, x: Dummy, out: &mut DummyCode<'_>) {
        let bounds = self.declared_bounds(x.symbol);
        let param = self.fresh(&parameter_name(&x.name));
        let pointer = x.pointer(x.restrict);
        out.param(&param, pointer.clone());
        if let Some(ty) = self.small_dummy(&x) {
            // A value of a few numbers, as local arrays are: the operations of small arrays are for it, too.
            let whole = Expr::call_of(
                Function::As,
                vec![TemplateArg::Type(ty.plain().clone())],
                vec![Expr::name(&param, pointer)],
                ty.clone(),
            );
            let reference = match &ty {
                ir::Type::Const(_) => ir::Type::Auto.constant(),
                _ => ir::Type::Auto,
            };
            out.body.push(ir::Stmt::declare(
                ir::Type::Ref(Box::new(reference)),
                &x.name,
                Init::Value(whole),
            ));
            let entity = Entity {
                expr: Expr::name(&x.name, ty),
                bounds,
                optional: None,
            };
            self.vars.insert(x.symbol, entity);
            return;
        }
        let ty = ir::Type::Array {
            elem: Box::new(x.seen()),
            rank: x.variable.dims.len(),
        };
        let mut args = vec![Expr::name(&param, pointer)];
        args.extend(self.bounds_args(x.symbol));
        let scope = self.model()[x.symbol].scope;
        let few = self.fixed_dims(scope, &x.variable.dims).is_some_and(|d| {
            let extents = d.iter().map(|d| i128::from(d.extent().max(1)));
            let fits = d.iter().all(|d| d.lo > -MOST_INT && d.hi < MOST_INT);
            fits && d.last().is_some_and(|d| d.extent() > 1)
                && extents.product::<i128>() < i128::from(MOST_INT)
        });
        let class = match few {
            true => indexed_by_int(&ty),
            false => ty.clone(),
        };
        out.body
            .push(ir::Stmt::declare(class, &x.name, Init::Args(args)));
        let entity = Entity {
            expr: Expr::name(&x.name, ty),
            bounds,
            optional: x.has_attr(VarAttrs::OPTIONAL).then_some(param),
        };
        self.vars.insert(x.symbol, entity);
    }

    /// The type of a dummy of a device procedure that is a small array. One whose last extent is 1 may be FORTRAN 77's way to write an assumed
    /// size.
    fn small_dummy(&mut self, x: &Dummy) -> Option<ir::Type> {
        let v = &x.variable;
        let plain = !x.kernel
            && ![VarAttrs::OPTIONAL, VarAttrs::VOLATILE, VarAttrs::TARGET]
                .into_iter()
                .any(|a| v.attrs.has(a));
        let scope = self.model()[x.symbol].scope;
        let dims = plain.then(|| self.fixed_dims(scope, &v.dims))??;
        let whole = dims.last().is_some_and(|d| d.extent() > 1);
        let elem = Box::new(x.elem.plain().clone());
        let ty = ir::Type::Fixed { elem, dims };
        let small = whole && SmallArray::of(&ty).is_some();
        let constant = matches!(x.seen(), ir::Type::Const(_));
        small.then(|| if constant { ty.constant() } else { ty })
    }

    fn scalar_dummy(&mut self, x: Dummy, out: &mut DummyCode<'_>) {
        let d = x.symbol;
        let value = x.has_attr(VarAttrs::VALUE);
        let entity = if x.has_attr(VarAttrs::OPTIONAL) {
            if x.kernel && value {
                let span = self.model()[d].span;
                let message = format!(
                    "dummy argument `{}` of a kernel cannot be both `optional` and `value`",
                    x.name
                );
                self.refuse(span, "CUF0456", message);
            }
            if value && !x.kernel {
                self.optional_copy(x, out);
                return;
            }
            let ty = x.pointer(false);
            out.param(&x.name, ty.clone());
            Entity {
                optional: Some(x.name.clone()),
                ..scalar(Expr::name(&x.name, ty).deref(x.elem))
            }
        } else if value || (!x.kernel && self.dummy_by_value(d)) {
            let ty = match x.elem {
                ir::Type::Logical(_) if !self.facts.by_reference.contains(&d) => ir::Type::Bool,
                t => t,
            };
            out.param(&x.name, ty.clone());
            scalar(Expr::name(&x.name, ty))
        } else if !x.kernel {
            out.param(&x.name, ir::Type::Ref(Box::new(x.seen())));
            scalar(Expr::name(&x.name, x.elem))
        } else {
            // Data in device memory; a reference reads like the Fortran variable.
            let param = self.fresh(&parameter_name(&x.name));
            let ty = x.pointer(x.restrict);
            out.param(&param, ty.clone());
            if self.facts.mentioned.contains(&d) {
                let reference = ir::Type::Ref(Box::new(x.seen()));
                let place = Expr::name(&param, ty).deref(x.elem.clone());
                out.body
                    .push(ir::Stmt::declare(reference, &x.name, Init::Value(place)));
            }
            scalar(Expr::name(&x.name, x.elem))
        };
        self.vars.insert(d, entity);
    }

    /// An optional dummy passed by value: the address of the actual, which may be that of the caller's variable or of a dummy that
    /// was passed on, or null; the body has a copy from its beginning on.
    fn optional_copy(&mut self, x: Dummy, out: &mut DummyCode<'_>) {
        let param = self.fresh(&parameter_name(&x.name));
        let copy = self.fresh(&format!("{}_copy", x.name));
        let argument = ir::Type::Pointer {
            to: Box::new(x.elem.clone().constant()),
            restrict: false,
        };
        out.param(&param, argument.clone());
        let class = ir::Type::Class(Class::OptionalValue(Box::new(x.elem.clone())));
        let from = vec![Expr::name(&param, argument)];
        let held = ir::Stmt::declare(class.clone(), &copy, Init::Args(from));
        let ty = x.pointer(false);
        let of_copy = Expr::name(&copy, class).method(Method::Pointer, Vec::new(), ty.clone());
        let mut pointer = ir::Stmt::declare(ty.clone(), &x.name, Init::Value(of_copy));
        if let StmtKind::Declare(d) = &mut pointer.kind {
            d.maybe_unused = true;
        }
        out.body.extend([held, pointer]);
        let entity = Entity {
            optional: Some(x.name.clone()),
            ..scalar(Expr::name(&x.name, ty).deref(x.elem))
        };
        self.vars.insert(x.symbol, entity);
    }

    /// A scalar dummy of a device procedure that the procedure never changes is passed by value, unless other threads may change
    /// what it stands for while the procedure runs.
    pub fn dummy_by_value(&self, d: SymbolId) -> bool {
        let model = self.model();
        let Some(v) = model.variable(d) else {
            return false;
        };
        if v.attrs.has(VarAttrs::VALUE) {
            return true;
        }
        if v.attrs.is_dynamic()
            || v.attrs.has(VarAttrs::OPTIONAL)
            || !v.dims.is_empty()
            || v.attrs.has(VarAttrs::VOLATILE)
            // Changed by another name of its target (F2018 15.5.2.13).
            || v.attrs.has(VarAttrs::TARGET)
        {
            return false;
        }
        let intrinsic = matches!(
            v.ty,
            model::Type::Integer(_)
                | model::Type::Real(_)
                | model::Type::Complex(_)
                | model::Type::Logical(_)
        );
        intrinsic
            && self
                .sh
                .analysis
                .facts
                .get(&model[d].scope)
                .is_some_and(|f| !f.modified.contains(&d) && f.sync == Sync::Never)
    }

    /// `auto f`
    pub fn procedure_dummy(&mut self, d: SymbolId, kernel: bool, params: &mut Vec<Param>) {
        let span = self.model()[d].span;
        let name = self.local_name(d);
        if kernel {
            self.refuse(
                span,
                "CUF0384",
                format!("dummy argument `{name}` of a kernel cannot be a procedure\nnote: host code cannot pass a device procedure"),
            );
            return;
        }
        params.push(Param {
            name,
            ty: ir::Type::Auto,
        });
    }
}
