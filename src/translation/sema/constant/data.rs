//! Values that DATA gives to variables of device code (Fortran 2018 8.6.7).

use std::collections::BTreeMap;

use crate::ast::{self, DataSet, ExprKind};
use crate::sema::constant::fold::{self, MAX_ELEMENTS};
use crate::sema::expression::typed::TExprKind;
use crate::sema::expression::typer::Typer;
use crate::sema::model::*;

/// The numbers of elements and of values of a set that has too few or too many values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mismatch {
    pub elements: usize,
    pub values: usize,
}

/// The objects of a set as they are walked.
struct Objects<'m> {
    typer: Typer<'m>,
    /// Of each array, the position of each element.
    arrays: BTreeMap<SymbolId, Constant>,
    /// What the next value is for: the variable and the position in it; None is a part of something that is not followed.
    found: Vec<(SymbolId, Option<usize>)>,
}

impl Model {
    /// The constant that DATA makes of a variable; elements without a value are zero, of which the standard says nothing.
    pub(super) fn data_value(&self, s: SymbolId) -> Option<Constant> {
        let v = self.variable(s)?;
        let scope = self[s].scope;
        let zero = zero(&v.ty)?;
        let whole = match v.dims.is_empty() {
            true => zero,
            false => self.shaped(scope, &v.dims, zero)?,
        };
        let (mut items, shape) = match whole {
            Constant::Array(items, shape) => (items, Some(shape)),
            one => (vec![one], None),
        };
        let name = &self[s].name;
        for set in &self[scope].data {
            if !set.names().iter().any(|n| n.text == *name) {
                continue;
            }
            let objects = self.objects(scope, set)?;
            let values = self.listed_values(scope, set)?;
            // Another number of values is reported by the check.
            for ((of, position), value) in objects.into_iter().zip(values) {
                if of == s {
                    *items.get_mut(position?)? = converted(&value, &v.ty)?;
                }
            }
        }
        match shape {
            Some(shape) => Some(Constant::Array(items, shape)),
            None => items.pop(),
        }
    }

    /// What is wrong with the number of values of a set, as far as that is known.
    pub fn data_mismatch(&self, scope: ScopeId, set: &DataSet) -> Option<Mismatch> {
        let elements = self.objects(scope, set)?.len();
        let values = self.listed_values(scope, set)?.len();
        (elements != values).then_some(Mismatch { elements, values })
    }

    /// What the values of a set are for, one after the other.
    fn objects(&self, scope: ScopeId, set: &DataSet) -> Option<Vec<(SymbolId, Option<usize>)>> {
        let mut objects = Objects {
            typer: Typer::of_constant(self, scope),
            arrays: BTreeMap::new(),
            found: Vec::new(),
        };
        for o in &set.objects {
            objects.add(o)?;
        }
        Some(objects.found)
    }

    /// The values of a set, repeated as it says; they have the types that are written.
    fn listed_values(&self, scope: ScopeId, set: &DataSet) -> Option<Vec<(Type, Constant)>> {
        let mut out = Vec::new();
        for v in &set.values {
            let mut typer = Typer::of_constant(self, scope);
            let t = typer.expr(&v.value);
            let value = typer.constant_of(&t)?.into_owned();
            if matches!(value, Constant::Array(..)) {
                return None;
            }
            let n = match &v.repeat {
                Some(r) => usize::try_from(self.const_int(scope, r)?).ok()?,
                None => 1,
            };
            if n.checked_add(out.len())? > 2 * MAX_ELEMENTS {
                return None;
            }
            out.extend(std::iter::repeat_n((t.ty, value), n));
        }
        Some(out)
    }
}

impl Objects<'_> {
    fn add(&mut self, object: &ast::Expr) -> Option<()> {
        match &object.kind {
            ExprKind::ImpliedDo(d) => self.repeated(d),
            _ => self.one(object),
        }
    }

    fn repeated(&mut self, d: &ast::ImpliedDo) -> Option<()> {
        let var = self.typer.m.lookup(self.typer.scope, &d.var.text)?;
        let from = self.typer.expr(&d.from).as_integer()?;
        let to = self.typer.expr(&d.to).as_integer()?;
        let step = match &d.step {
            Some(s) => self.typer.expr(s).as_integer().filter(|s| *s != 0)?,
            None => 1,
        };
        let span = to.checked_sub(from)?.checked_add(step)?;
        let count = span.checked_div(step)?.max(0);
        for i in 0..count {
            self.typer.unrollable = self.typer.unrollable.checked_sub(1)?;
            self.typer.env.push((var, from + i * step));
            let done = d.items.iter().try_for_each(|item| self.add(item));
            self.typer.env.pop();
            done?;
        }
        Some(())
    }

    fn one(&mut self, object: &ast::Expr) -> Option<()> {
        let t = self.typer.expr(object);
        let root = self
            .typer
            .m
            .lookup(self.typer.scope, &object.base_name()?.text)?;
        match &t.kind {
            TExprKind::Variable(s) if t.rank == 0 => self.found.push((*s, Some(0))),
            TExprKind::Variable(s) => {
                let Constant::Array(all, _) = self.positions(*s)? else {
                    return None;
                };
                let all = all.len();
                self.found.extend((0..all).map(|i| (*s, Some(i))));
            }
            TExprKind::Index { base, subs } => match &base.kind {
                TExprKind::Variable(s) => {
                    let Constant::Array(items, shape) = self.positions(*s)? else {
                        return None;
                    };
                    let (items, shape) = (items.clone(), shape.clone());
                    let bounds = self.typer.constant_bounds(base)?;
                    let part = self.typer.selection(&items, &shape, &bounds, subs)?;
                    let one = |c: &Constant| match c {
                        Constant::Integer(i, _) => usize::try_from(*i).ok(),
                        _ => None,
                    };
                    match &part {
                        Constant::Array(all, _) => {
                            self.found.extend(all.iter().map(|c| (*s, one(c))));
                        }
                        c => self.found.push((*s, one(c))),
                    }
                }
                _ if t.rank == 0 => self.found.push((root, None)),
                _ => return None,
            },
            _ if t.rank == 0 => self.found.push((root, None)),
            _ => return None,
        }
        (self.found.len() <= 2 * MAX_ELEMENTS).then_some(())
    }

    /// An array of the shape of a variable, whose elements are their positions.
    fn positions(&mut self, s: SymbolId) -> Option<&Constant> {
        if !self.arrays.contains_key(&s) {
            let m = self.typer.m;
            let of = m.shaped(m[s].scope, m.dims(s), Constant::Integer(0, 8))?;
            let Constant::Array(items, shape) = of else {
                return None;
            };
            let numbered = (0..items.len() as i128).map(|i| Constant::Integer(i, 8));
            self.arrays
                .insert(s, Constant::Array(numbered.collect(), shape));
        }
        self.arrays.get(&s)
    }
}

/// What a variable that is given no value begins with.
fn zero(ty: &Type) -> Option<Constant> {
    Some(match ty {
        Type::Integer(k) => Constant::Integer(0, *k),
        Type::Real(k) => Constant::Real(0.0, *k),
        Type::Complex(k) => Constant::Complex(0.0, 0.0, *k),
        Type::Logical(k) => Constant::Logical(false, *k),
        Type::Character(_) => fold::convert(&Constant::Character(String::new()), ty)?,
        // Has a value only where all of it is given.
        Type::Derived(t) => Constant::Structure(*t, Vec::new()),
        _ => return None,
    })
}

fn converted((of, value): &(Type, Constant), ty: &Type) -> Option<Constant> {
    match (of, value) {
        (Type::Boz, Constant::Integer(v, _)) => fold::boz_as(*v, ty),
        _ => fold::convert(value, ty),
    }
}
