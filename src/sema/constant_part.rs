//! Values of parts of named constants: elements, sections, components.

use std::borrow::Cow;

use super::fold;
use super::intrinsic_fold::array;
use super::model::{Constant, SymbolKind, Type, TypeId};
use super::typed::{Subscript, TExpr, TExprKind};
use super::typer::Typer;
use crate::ast::Init;

/// Types within types whose default values are evaluated.
const MAX_NESTED: usize = 16;

impl Typer<'_> {
    /// The value of an expression whose node holds none because it is an array: whole named constants of any size and their
    /// parts. Code that uses an array refers to it by name, so only constant expressions ask for this.
    pub(super) fn constant_of<'t>(&'t self, t: &'t TExpr) -> Option<Cow<'t, Constant>> {
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
    pub(super) fn component_value(
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

    /// An element or a section of a constant array, with constant subscripts within its bounds.
    fn part(&self, base: &TExpr, subs: &[Subscript]) -> Option<Constant> {
        let whole = self.constant_of(base)?;
        let Constant::Array(items, shape) = whole.as_ref() else {
            return None;
        };
        let bounds = self.constant_bounds(base)?;
        if subs.len() != shape.len() || bounds.len() != shape.len() {
            return None;
        }
        let mut positions = Vec::with_capacity(subs.len());
        let mut extents = Vec::new();
        for ((sub, extent), (lower, _)) in subs.iter().zip(shape).zip(&bounds) {
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
