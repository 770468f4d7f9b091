//! Folded constants as literals, and the values of named constants.

use super::convert::{convert, real_literal, wrap};
use crate::ast::Span;
use crate::intrinsics::{Intrinsic, Shape};
use crate::ir::{self, *};
use crate::lower::context::LoweringContext;
use crate::sema::expression::typed::*;
use crate::sema::model::{self, *};

impl LoweringContext<'_, '_> {
    /// A folded scalar as a literal.
    pub fn literal(&mut self, c: &Constant, ty: &model::Type, span: Span) -> Expr {
        match c {
            Constant::Integer(v, k) => Expr::int_of(wrap(*v, (*k).clamp(1, 8)), (*k).clamp(1, 8)),
            Constant::Real(v, k) => real_literal(*v, *k),
            Constant::Complex(re, im, k) => {
                let part = |v: f64| match real_literal(v, *k).kind {
                    ExprKind::Real(v) => v,
                    _ => v,
                };
                Expr::new(
                    ExprKind::Complex(part(*re), part(*im)),
                    ir::Type::Complex(*k),
                )
            }
            Constant::Logical(b, _) => Expr::bool(*b),
            Constant::Character(s) => {
                let n = s.chars().count() as i64;
                Expr::new(ExprKind::Str(s.clone()), ir::Type::Character(n))
            }
            Constant::Structure(t, parts) => {
                let fields: Vec<_> = self
                    .model()
                    .components_of(*t)
                    .into_iter()
                    .cloned()
                    .collect();
                let mut values = Vec::new();
                for (p, f) in parts.iter().zip(&fields) {
                    let v = self.literal(p, &f.ty, span);
                    // A scalar is the value of all elements; braces would set the first alone.
                    let dims = match p {
                        Constant::Array(..) => None,
                        _ if f.dims.is_empty() => None,
                        _ => self.fixed_dims(self.field_scope(*t, f), &f.dims),
                    };
                    values.push(match (self.storage_type(&f.ty), dims) {
                        (Some(ty), Some(dims)) => {
                            filled(convert(v, &ty), dims.iter().map(FixedDim::extent).product())
                        }
                        (Some(ty), None) if f.dims.is_empty() => convert(v, &ty),
                        _ => v,
                    });
                }
                self.structure_of(*t, &mut values.into_iter())
            }
            Constant::Array(items, _) => {
                let Some(elem) = self.storage_type(ty) else {
                    return self.refuse_expr(
                        span,
                        "CUF0403",
                        "arrays of this type are not supported in device code (guide 3.6.1)",
                    );
                };
                let items = items
                    .iter()
                    .map(|i| {
                        let v = self.literal(i, ty, span);
                        convert(v, &elem)
                    })
                    .collect();
                Expr::new(
                    ExprKind::List(vec![Expr::new(ExprKind::List(items), ir::Type::Auto)]),
                    ir::Type::Auto,
                )
            }
        }
    }

    /// `T{parent{...}, own...}` of the components of a type in order.
    pub fn structure_of(&mut self, of: TypeId, values: &mut dyn Iterator<Item = Expr>) -> Expr {
        let ty = self
            .storage_type(&model::Type::Derived(of))
            .unwrap_or(ir::Type::Unknown);
        let d = &self.model()[of];
        let mut out = Vec::new();
        if let Some(p) = d.parent {
            out.push(self.structure_of(p, values));
        }
        out.extend(values.take(d.components.len()));
        // The members of dim3 are unsigned: its constructor converts, braces would not.
        let kind = if d.external {
            ExprKind::Object
        } else {
            ExprKind::Construct
        };
        Expr::new(kind(out), ty)
    }

    /// Type and value of a named constant; what is wrong with one of another file is said at its use.
    pub fn constant_value(&mut self, s: SymbolId, used: Span) -> Option<(ir::Type, Expr)> {
        let (of, value) = match &self.model()[s].kind {
            SymbolKind::Parameter(p) => (&p.ty, p.value.clone()),
            // An initialised variable that nothing changes.
            SymbolKind::Variable(v) => (&v.ty, self.model().initial_value(s)),
            _ => return None,
        };
        let symbol = &self.model()[s];
        let span = match self.model()[symbol.scope].file == self.file {
            true => symbol.span,
            false => used,
        };
        let name = symbol.spelling.clone();
        let Some(elem) = self.storage_type(of) else {
            self.refuse(
                span,
                "CUF0403",
                format!("type of constant `{name}` is not supported in device code"),
            );
            return None;
        };
        let Some(value) = value else {
            if let Some(v) = self.bit_pattern(s, &elem) {
                return Some((elem, v));
            }
            let message = match self.model().variable(s).is_some() {
                true => format!(
                    "initial value of variable `{name}` is not a constant expression\nhelp: declare it without a value, and assign the value in a statement: `{name} = ...`"
                ),
                false => format!("value of constant `{name}` cannot be evaluated at compile time"),
            };
            self.refuse(span, "CUF0409", message);
            return None;
        };
        if let Constant::Array(_, extents) = &value {
            let folded = self.model().dims_of(s);
            let dims = extents
                .iter()
                .enumerate()
                .map(|(d, n)| {
                    let lo = folded.get(d).and_then(|b| b.lower).unwrap_or(1);
                    let hi = lo + n - 1;
                    FixedDim {
                        lower: (lo != 1).then(|| Expr::int(lo)),
                        upper: Expr::int(hi),
                        lo,
                        hi,
                    }
                })
                .collect();
            let list = self.literal(&value, of, span);
            return Some((
                ir::Type::Fixed {
                    elem: Box::new(elem),
                    dims,
                },
                list,
            ));
        }
        let ty = if elem.is_logical() {
            ir::Type::Bool
        } else {
            elem
        };
        let v = self.literal(&value, of, span);
        Some((ty.clone(), super::convert::convert(v, &ty)))
    }

    /// `transfer(constant, mold)` as the value of a scalar constant, which often makes a NaN: left to the C++ compiler.
    pub fn bit_pattern(&mut self, s: SymbolId, elem: &ir::Type) -> Option<Expr> {
        let SymbolKind::Parameter(p) = &self.model()[s].kind else {
            return None;
        };
        let init = p.init.as_ref().filter(|_| p.dims.is_empty())?;
        let t = self.model().expr(self.model()[s].scope, init);
        let TExprKind::Intrinsic {
            intrinsic: Intrinsic::Shape(Shape::Transfer),
            args,
        } = &t.kind
        else {
            return None;
        };
        let source = args.first()?.as_ref()?;
        let held = self.storage_type(&source.ty)?;
        let size = |ty: &ir::Type| crate::lower::context::layout::size_of(ty).as_int();
        let same = size(&held).is_some() && size(&held) == size(elem);
        (t.ty == p.ty && source.rank == 0 && source.value.is_some() && same)
            .then(|| self.value_as(&t, elem))
    }
}

/// The initialiser of an array that has the same value everywhere.
pub fn filled(v: Expr, n: i64) -> Expr {
    let items = vec![v; usize::try_from(n).unwrap_or(0)];
    Expr::new(
        ExprKind::List(vec![Expr::new(ExprKind::List(items), ir::Type::Auto)]),
        ir::Type::Auto,
    )
}
