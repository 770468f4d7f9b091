//! Structure constructors, and procedures bound to types.

use super::constant::filled;
use super::convert::convert;
use crate::ast::{self, Span, Word};
use crate::ir::{self, *};
use crate::lower::context::rules::Expressions;
use crate::lower::context::{Entity, LoweringContext};
use crate::sema::expression::typed::*;
use crate::sema::model::{self, *};

impl LoweringContext<'_, '_> {
    /// Structure constructor; components without a value have their default.
    pub fn structure(&mut self, of: TypeId, args: &[Option<TExpr>], span: Span) -> Expr {
        if self.storage_type(&model::Type::Derived(of)).is_none() {
            return self.refuse_expr(
                span,
                "CUF0403",
                "values of this type are not supported in device code",
            );
        }
        let fields: Vec<_> = self
            .model()
            .components_of(of)
            .into_iter()
            .cloned()
            .collect();
        let mut values = Vec::new();
        for (f, a) in fields.iter().zip(args) {
            let field_type = self.storage_type(&f.ty).unwrap_or(ir::Type::Unknown);
            let moves = f.attrs.is_dynamic();
            values.push(match (a.as_ref(), f.dims.is_empty()) {
                (Some(a), true) if moves => self.place(a).address(),
                (Some(a), true) => self.value_as(a, &field_type),
                (Some(a), false) if !moves => self.materialise_for(a, of, f),
                (None, _) if f.attrs.has(VarAttrs::POINTER) && f.dims.is_empty() => {
                    Expr::new(ExprKind::Null, ir::Type::Auto)
                }
                (None, _) if f.init.is_some() && !f.attrs.has(VarAttrs::POINTER) => {
                    let home = self.field_scope(of, f);
                    match self.component_default(home, f) {
                        Some(value) => value,
                        None => return Expr::new(ExprKind::Null, ir::Type::Auto),
                    }
                }
                (None, true) if self.model().has_default_init(&f.ty) => {
                    Expr::new(ExprKind::Construct(Vec::new()), field_type)
                }
                (None, false) if self.model().has_default_init(&f.ty) && !moves => {
                    Expr::new(ExprKind::List(Vec::new()), ir::Type::Auto)
                }
                _ => {
                    return self.refuse_expr(
                        span,
                        "CUF0414",
                        format!(
                            "value of component `{}` is not supported in device code",
                            f.name
                        ),
                    );
                }
            });
        }
        self.structure_of(of, &mut values.into_iter())
    }

    /// The initial value that a component's declaration states; None if there is none, or reported.
    pub fn component_default(&mut self, scope: ScopeId, f: &Field) -> Option<Expr> {
        let Some(ast::Init::Value(e)) = f.init.as_deref() else {
            return None;
        };
        let elem = self.storage_type(&f.ty)?;
        let t = self.model().expr(scope, e);
        if f.dims.is_empty() {
            return Some(self.of_scope(scope, |cx| cx.initialiser(&t, &elem)));
        }
        if t.rank <= 0 {
            let v = self.of_scope(scope, |cx| cx.initialiser(&t, &elem));
            let n = self
                .fixed_dims(scope, &f.dims)?
                .iter()
                .map(FixedDim::extent)
                .product();
            return Some(filled(v, n));
        }
        let value = t.value.clone();
        let value = value.or_else(|| (self.model().value_of(scope, f.ty.clone(), &f.dims, e)).1);
        let Some(c) = &value else {
            self.refuse(
                f.span,
                "CUF0414",
                format!(
                    "initial value of component `{}` cannot be evaluated at compile time",
                    f.name
                ),
            );
            return None;
        };
        Some(self.literal(c, &f.ty, t.span))
    }

    /// A scalar that data begins with. There is no statement before it: a structure is written as the constant it is, with no
    /// temporaries for the arrays in it.
    pub fn initialiser(&mut self, t: &TExpr, elem: &ir::Type) -> Expr {
        match (&t.value, &t.ty) {
            (Some(c), model::Type::Derived(_)) => self.literal(c, &t.ty, t.span),
            _ => self.value_as(t, elem),
        }
    }

    /// An array argument of a structure constructor as a value of the component's type.
    pub fn materialise_for(&mut self, a: &TExpr, of: TypeId, f: &Field) -> Expr {
        let home = self.field_scope(of, f);
        let Some(dims) = self.fixed_dims(home, &f.dims) else {
            return self.refuse_expr(
                a.span,
                "CUF0414",
                format!("component `{}` has no constant shape", f.name),
            );
        };
        let elem = self.storage_type(&f.ty).unwrap_or(ir::Type::Unknown);
        let name = self.numbered("t");
        let bounds = dims
            .iter()
            .map(|d| (Some(Expr::int(d.lo)), Some(Expr::int(d.hi))))
            .collect::<Vec<_>>();
        let ranges: Vec<_> = dims
            .iter()
            .map(|d| (Expr::int(d.lo), Expr::int(d.hi)))
            .collect();
        let ty = ir::Type::Fixed {
            elem: Box::new(elem.clone()),
            dims,
        };
        self.before(ir::Stmt::declare(ty.clone(), &name, Init::None));
        let t = Entity {
            expr: Expr::name(&name, ty),
            bounds,
            optional: None,
        };
        let place = t.clone();
        let loops = self.nest(&ranges, |cx, ix| {
            let v = cx.val(a, ix);
            let lhs = cx.element_of(&place, ix);
            vec![ir::Stmt::assign(lhs, convert(v, &elem))]
        });
        loops.into_iter().for_each(|s| self.before(s));
        t.expr
    }

    /// A structure as one of an ancestor's type: its parent component.
    pub fn as_ancestor(&mut self, e: Expr, from: TypeId, to: TypeId) -> Expr {
        let mut at = from;
        let mut e = e;
        while at != to
            && let Some(p) = self.model()[at].parent
        {
            e = self.parent_part(e, p);
            at = p;
        }
        e
    }

    /// An extension of the declared type of the passed object has a procedure of its own for this binding.
    pub fn overridden(&self, procedure: SymbolId, args: &[Option<TExpr>]) -> bool {
        let model = self.model();
        let is_it = |b: &TypeBinding| matches!(b, TypeBinding::Specific { procedure: Some(p), .. } if *p == procedure);
        let names = |t: TypeId| -> Vec<Word> {
            let mut out = Vec::new();
            let mut at = Some(t);
            while let Some(x) = at {
                out.extend(
                    model[x]
                        .bindings
                        .iter()
                        .filter(|(_, b)| is_it(b))
                        .map(|(n, _)| n.clone()),
                );
                at = model[x].parent;
            }
            out
        };
        let receivers = args.iter().flatten().filter_map(|a| match a.ty {
            model::Type::Class(t) => Some(t),
            _ => None,
        });
        for t in receivers {
            let bound = names(t);
            let other = model.descendants(t).into_iter().any(|x| {
                let differs = |n: &Word| model[x].bindings.get(n).is_some_and(|b| !is_it(b));
                bound.iter().any(differs)
            });
            if other {
                return true;
            }
        }
        false
    }
}
