//! Constants: values of expressions, bounds and shapes, parts of named constants (elements, sections, components).

pub(in crate::translation::sema) mod data;
pub(in crate::translation::sema) mod fold;
pub(in crate::translation::sema) mod intrinsic_fold;
mod precise;

use std::borrow::Cow;
use std::cell::RefCell;

use crate::ast::{self, Init};
use crate::sema::constant::intrinsic_fold::array;
use crate::sema::expression::typed::{Subscript, TExpr, TExprKind};
use crate::sema::expression::typer::Typer;
use crate::sema::model::*;

/// Types within types whose default values are evaluated.
const MAX_NESTED: usize = 16;

/// Folded bounds of one dimension; None where they are not constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// 1 if not written, for explicit shape and assumed shape.
    pub lower: Option<i64>,
    pub upper: Option<i64>,
}

thread_local! {
    /// Where the dimensions stand whose bounds this thread is folding.
    static FOLDING: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

/// Dimensions whose bounds are being folded, until it is dropped.
struct Open;

impl Open {
    /// None for dimensions that are being folded already.
    fn begin(dims: usize) -> Option<Open> {
        let is_new = FOLDING.with_borrow_mut(|all| {
            let is_new = !all.contains(&dims);
            is_new.then(|| all.push(dims));
            is_new
        });
        is_new.then(|| Open)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        FOLDING.with_borrow_mut(|all| all.pop());
    }
}

impl Model {
    /// The value that a constant or an initialised variable of this type and shape has by an expression, and the type with the
    /// length that the value gives it.
    pub fn value_of(
        &self,
        scope: ScopeId,
        mut ty: Type,
        dims: &[Dim],
        init: &ast::Expr,
    ) -> (Type, Option<Constant>) {
        let mut typer = Typer::of_constant(self, scope);
        let t = typer.expr(init);
        let initial = typer.constant_of(&t).map(Cow::into_owned);
        if ty == Type::Character(CharacterLength::Other) {
            ty = t.ty.clone();
            if let Some(Constant::Character(s)) = &initial {
                ty = Type::Character(CharacterLength::Constant(s.chars().count() as i64));
            }
        }
        let mut value = match (t.ty, initial) {
            (Type::Boz, Some(Constant::Integer(v, _))) => fold::boz_as(v, &ty),
            (_, Some(v)) => fold::convert(&v, &ty),
            _ => None,
        };
        if !dims.is_empty() {
            value = value.and_then(|v| self.shaped(scope, dims, v));
        } else if matches!(value, Some(Constant::Array(..))) {
            value = None;
        }
        (ty, value)
    }

    /// The constant that a variable is initialised with.
    pub fn initial_value(&self, s: SymbolId) -> Option<Constant> {
        let v = self.variable(s)?;
        if v.attrs.has(VarAttrs::IN_DATA) {
            return self.data_value(s);
        }
        let ast::Init::Value(init) = v.init.as_deref()? else {
            return None;
        };
        self.value_of(self[s].scope, v.ty.clone(), &v.dims, init).1
    }

    /// Value of a constant integer expression.
    pub fn const_int(&self, scope: ScopeId, expr: &ast::Expr) -> Option<i64> {
        let value = self.expr(scope, expr).as_integer();
        // Of arrays that are worked with only where the value is asked for.
        let value = value.or_else(|| match expr.kind {
            ast::ExprKind::Ref { .. } | ast::ExprKind::Binary { .. } => {
                Typer::of_constant(self, scope).expr(expr).as_integer()
            }
            _ => None,
        });
        value.and_then(|v| i64::try_from(v).ok())
    }

    /// Folded bounds of every dimension of a variable or named constant.
    pub fn dims_of(&self, symbol: SymbolId) -> Vec<Bounds> {
        let scope = self[symbol].scope;
        self.bounds(scope, self.dims(symbol))
    }

    /// Folded bounds of dimensions whose expressions belong to `scope`. Those that are asked for in themselves (`a(size(a))`) are unknown.
    pub fn bounds(&self, scope: ScopeId, dims: &[Dim]) -> Vec<Bounds> {
        let unknown = Bounds {
            lower: None,
            upper: None,
        };
        let folded = Open::begin(dims.as_ptr() as usize);
        if folded.is_none() {
            return vec![unknown; dims.len()];
        }
        let low = |e: &Option<Box<ast::Expr>>| match e {
            None => Some(1),
            Some(e) => self.const_int(scope, e),
        };
        dims.iter()
            .map(|d| match d {
                Dim::Explicit { lower, upper } => Bounds {
                    lower: low(lower),
                    upper: self.const_int(scope, upper),
                },
                Dim::Colon { lower } | Dim::AssumedSize { lower } => Bounds {
                    lower: low(lower),
                    upper: None,
                },
                Dim::AssumedRank => unknown,
            })
            .collect()
    }

    /// An array constant in the declared shape: a scalar is spread.
    pub fn shaped(&self, scope: ScopeId, dims: &[Dim], value: Constant) -> Option<Constant> {
        let implied = dims.iter().any(|d| !matches!(d, Dim::Explicit { .. }));
        if implied {
            // `dimension(*)`: the shape is the value's.
            return matches!(value, Constant::Array(..)).then_some(value);
        }
        let shape: Option<Vec<i64>> = self
            .bounds(scope, dims)
            .iter()
            .map(|b| Some(b.upper?.checked_sub(b.lower?)?.checked_add(1)?.max(0)))
            .collect();
        let shape = shape?;
        let n = shape
            .iter()
            .try_fold(1i64, |n, e| n.checked_mul(*e))
            .and_then(|n| usize::try_from(n).ok())
            .filter(|n| *n <= crate::sema::constant::fold::MAX_ELEMENTS)?;
        match value {
            Constant::Array(items, _) => {
                (items.len() == n).then_some(Constant::Array(items, shape))
            }
            one => Some(Constant::Array(vec![one; n], shape)),
        }
    }
}

impl Typer<'_> {
    /// The value of an expression whose node holds none because it is an array: whole named constants of any size and their
    /// parts. Code that uses an array refers to it by name, so only constant expressions ask for this.
    pub(in crate::translation::sema) fn constant_of<'t>(
        &'t self,
        t: &'t TExpr,
    ) -> Option<Cow<'t, Constant>> {
        if let Some(v) = &t.value {
            return Some(Cow::Borrowed(v));
        }
        match &t.kind {
            TExprKind::Variable(s) => match &self.m[*s].kind {
                SymbolKind::Parameter(p) => p.value.as_ref().map(Cow::Borrowed),
                _ => None,
            },
            TExprKind::Paren(inner) => self.constant_of(inner),
            TExprKind::Index { base, subs } => self.part(base, subs).map(Cow::Owned),
            TExprKind::Substring { base, lo, hi } => {
                let base = self.constant_of(base)?;
                let bound = |e: &Option<Box<TExpr>>| match e {
                    Some(e) => Some(Some(i64::try_from(e.as_integer()?).ok()?)),
                    None => Some(None),
                };
                let (from, to) = (bound(lo)?.unwrap_or(1), bound(hi)?);
                fold::map(&base, &|c| fold::substring(c, from, to)).map(Cow::Owned)
            }
            TExprKind::Component { base, index, .. } => match self.constant_of(base)?.as_ref() {
                Constant::Structure(_, parts) => parts.get(*index).cloned().map(Cow::Owned),
                Constant::Array(items, shape) => {
                    let part = |c: &Constant| match c {
                        Constant::Structure(_, parts) => parts
                            .get(*index)
                            .filter(|p| !matches!(p, Constant::Array(..)))
                            .cloned(),
                        _ => None,
                    };
                    let parts: Option<Vec<Constant>> = items.iter().map(part).collect();
                    Some(Cow::Owned(Constant::Array(parts?, shape.clone())))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The value of a component in a constant structure: what is given, else its default, in its type and shape.
    pub(in crate::translation::sema) fn component_value(
        &self,
        of: TypeId,
        index: usize,
        given: Option<&TExpr>,
        depth: usize,
    ) -> Option<Constant> {
        let fields = self.m.components_of(of);
        let field = fields.get(index)?;
        if field.attrs.is_dynamic() || depth > MAX_NESTED {
            return None;
        }
        let value = match (given, field.init.as_deref(), &field.ty) {
            (Some(g), ..) => self.constant_of(g)?.into_owned(),
            (None, Some(Init::Value(e)), _) => {
                let mut typer = Typer::of_constant(self.m, self.m[of].scope);
                let t = typer.expr(e);
                typer.constant_of(&t)?.into_owned()
            }
            (None, None, Type::Derived(inner)) => {
                let parts: Option<Vec<Constant>> = (0..self.m.components_of(*inner).len())
                    .map(|i| self.component_value(*inner, i, None, depth + 1))
                    .collect();
                Constant::Structure(*inner, parts?)
            }
            _ => return None,
        };
        let value = fold::convert(&value, &field.ty)?;
        match field.dims.is_empty() {
            true => (!matches!(value, Constant::Array(..))).then_some(value),
            false => self.m.shaped(self.m[of].scope, &field.dims, value),
        }
    }

    /// Bounds of a whole array with constant explicit shape, or of an array value.
    pub(in crate::translation::sema) fn constant_bounds(
        &self,
        x: &TExpr,
    ) -> Option<Vec<(i64, i64)>> {
        let of = |scope, dims: &[Dim]| -> Option<Vec<(i64, i64)>> {
            if dims.is_empty() || dims.iter().any(|d| !matches!(d, Dim::Explicit { .. })) {
                return None;
            }
            self.m
                .bounds(scope, dims)
                .iter()
                .map(|b| Some((b.lower?, b.upper?)))
                .collect()
        };
        match &x.kind {
            TExprKind::Variable(s) => match &self.m[*s].kind {
                SymbolKind::Variable(v) => of(self.m[*s].scope, &v.dims),
                SymbolKind::Parameter(p) => {
                    of(self.m[*s].scope, &p.dims).or_else(|| match &p.value {
                        Some(Constant::Array(_, shape)) => {
                            Some(shape.iter().map(|n| (1, *n)).collect())
                        }
                        _ => None,
                    })
                }
                _ => None,
            },
            TExprKind::Component {
                base,
                of: ty,
                index,
                ..
            } if base.rank == 0 => {
                let fields = self.m.components_of(*ty);
                of(self.m[*ty].scope, &fields.get(*index)?.dims)
            }
            _ => match &x.value {
                Some(Constant::Array(_, shape)) => Some(shape.iter().map(|n| (1, *n)).collect()),
                _ => None,
            },
        }
    }

    /// An element or a section of a constant array, with constant subscripts within its bounds.
    fn part(&self, base: &TExpr, subs: &[Subscript]) -> Option<Constant> {
        if let TExprKind::Component {
            base: structures,
            of,
            index,
            ..
        } = &base.kind
            && structures.rank > 0
        {
            return self.part_of_each(structures, (*of, *index), subs);
        }
        let whole = self.constant_of(base)?;
        let Constant::Array(items, shape) = whole.as_ref() else {
            return None;
        };
        self.selection(items, shape, &self.constant_bounds(base)?, subs)
    }

    /// The same element of a component in every structure of an array.
    fn part_of_each(
        &self,
        structures: &TExpr,
        (of, index): (TypeId, usize),
        subs: &[Subscript],
    ) -> Option<Constant> {
        let all = self.constant_of(structures)?;
        let Constant::Array(all, extents) = all.as_ref() else {
            return None;
        };
        let fields = self.m.components_of(of);
        let dims = &fields.get(index)?.dims;
        let bounds: Option<Vec<(i64, i64)>> = (self.m.bounds(self.m[of].scope, dims).iter())
            .map(|b| Some((b.lower?, b.upper?)))
            .collect();
        let bounds = bounds?;
        let one = |c: &Constant| match c {
            Constant::Structure(_, parts) => match parts.get(index)? {
                Constant::Array(items, shape) => self.selection(items, shape, &bounds, subs),
                _ => None,
            },
            _ => None,
        };
        let parts: Option<Vec<Constant>> = all.iter().map(one).collect();
        let parts = parts.filter(|p| !p.iter().any(|c| matches!(c, Constant::Array(..))))?;
        Some(Constant::Array(parts, extents.clone()))
    }

    /// What subscripts select of the elements of an array with these bounds.
    fn selection(
        &self,
        items: &[Constant],
        shape: &[i64],
        bounds: &[(i64, i64)],
        subs: &[Subscript],
    ) -> Option<Constant> {
        if subs.len() != shape.len() || bounds.len() != shape.len() {
            return None;
        }
        let mut positions = Vec::with_capacity(subs.len());
        let mut extents = Vec::new();
        for ((sub, extent), (lower, _)) in subs.iter().zip(shape).zip(bounds) {
            let along = self.selected(sub, *lower, *extent)?;
            if !matches!(sub, Subscript::Element(_)) {
                extents.push(along.len() as i64);
            }
            positions.push(along);
        }
        match array::section(items, shape, &positions, extents)? {
            Constant::Array(mut one, extents) if extents.is_empty() => one.pop(),
            all => Some(all),
        }
    }

    /// The places (from 0) that a subscript selects in a dimension.
    fn selected(&self, sub: &Subscript, lower: i64, extent: i64) -> Option<Vec<i64>> {
        let value = |e: &TExpr| i64::try_from(e.as_integer()?).ok();
        match sub {
            Subscript::Element(e) => Some(vec![value(e)?.checked_sub(lower)?]),
            Subscript::Vector(v) => match self.constant_of(v)?.as_ref() {
                Constant::Array(items, _) => items
                    .iter()
                    .map(|i| match i {
                        Constant::Integer(i, _) => i64::try_from(*i).ok()?.checked_sub(lower),
                        _ => None,
                    })
                    .collect(),
                _ => None,
            },
            Subscript::Range { lo, hi, step } => {
                let given = |e: &Option<TExpr>, default: i64| match e {
                    Some(e) => value(e),
                    None => Some(default),
                };
                let step = given(step, 1).filter(|s| *s != 0)?;
                let upper = lower.checked_add(extent)?.checked_sub(1)?;
                let (first, last) = if step > 0 {
                    (lower, upper)
                } else {
                    (upper, lower)
                };
                let (lo, hi) = (given(lo, first)?, given(hi, last)?);
                let count = hi
                    .checked_sub(lo)?
                    .checked_add(step)?
                    .checked_div(step)?
                    .max(0);
                if count > extent {
                    return None;
                }
                (0..count)
                    .map(|k| lo.checked_add(k.checked_mul(step)?)?.checked_sub(lower))
                    .collect()
            }
        }
    }
}
