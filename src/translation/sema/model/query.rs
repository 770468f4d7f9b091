//! Questions that other passes ask the model.

use crate::ast::{self, Arg};
use crate::sema::constant::Bounds;
use crate::sema::expression::generic::{Actual, Unresolved};
use crate::sema::expression::typed::{BuiltinVar, Subscript, TExpr, TExprKind};
use crate::sema::expression::typer::Typer;
use crate::sema::model::*;

/// Data declared like this lies side by side whatever the program does (F2018 8.5.7).
pub fn surely_dense(attrs: VarAttrs, dims: &[Dim], dummy: bool) -> bool {
    let assumed = dims
        .iter()
        .any(|d| matches!(d, Dim::Colon { .. } | Dim::AssumedRank));
    attrs.has(VarAttrs::CONTIGUOUS)
        || (!attrs.has(VarAttrs::POINTER)
            && (attrs.has(VarAttrs::ALLOCATABLE) || !(assumed && dummy)))
}

/// How a whole variable or a component is declared.
#[derive(Clone, Copy, Debug)]
pub struct Declared<'m> {
    pub ty: &'m Type,
    pub attrs: VarAttrs,
    pub space: Space,
    pub dims: &'m [Dim],
    /// A dummy argument.
    pub dummy: bool,
}

impl Declared<'_> {
    /// See [`surely_dense`].
    pub fn surely_dense(&self) -> bool {
        surely_dense(self.attrs, self.dims, self.dummy)
    }
}

impl Model {
    /// Notes that one generic holds the procedures of another.
    pub(in crate::translation::sema) fn link_generics(&mut self, a: SymbolId, b: SymbolId) {
        for (x, y) in [(a, b), (b, a)] {
            self.generic_kin.entry(x).or_default().push(y);
        }
    }

    /// The generics of all scopes that have procedures in common because one was made of the other: this one and all its kin.
    pub fn kin(&self, generic: SymbolId) -> Vec<SymbolId> {
        let mut all = vec![generic];
        let mut next = 0;
        while let Some(g) = all.get(next) {
            for k in self.generic_kin.get(g).into_iter().flatten() {
                if !all.contains(k) {
                    all.push(*k);
                }
            }
            next += 1;
        }
        all
    }

    /// The component that an expression is as a whole.
    pub fn component(&self, e: &TExpr) -> Option<&Field> {
        let TExprKind::Component { of, index, .. } = &e.kind else {
            return None;
        };
        self.components_of(*of).get(*index).copied()
    }

    /// The declaration of what an expression is as a whole: a variable or a component, not a part of one. None for values and
    /// associate names.
    pub fn declared(&self, e: &TExpr) -> Option<Declared<'_>> {
        if let TExprKind::Variable(s) = e.kind {
            let v = self.variable(s)?;
            return Some(Declared {
                ty: &v.ty,
                attrs: v.attrs,
                space: v.space,
                dims: &v.dims,
                dummy: v.dummy.is_some(),
            });
        }
        let f = self.component(e)?;
        Some(Declared {
            ty: &f.ty,
            attrs: f.attrs,
            space: f.space,
            dims: &f.dims,
            dummy: false,
        })
    }

    /// A whole variable or component with an attribute.
    pub fn has_attribute(&self, e: &TExpr, attribute: VarAttrs) -> bool {
        self.declared(e).is_some_and(|d| d.attrs.has(attribute))
    }

    /// Why device code cannot change what the designator denotes: the code of the rule and the end of a sentence. None if it may.
    pub fn unchangeable(&self, e: &TExpr) -> Option<(&'static str, &'static str)> {
        match self.space(e) {
            Some(Space::Constant) => Some(("CUF0334", "is constant data")),
            Some(Space::Texture) => Some(("CUF0334", "is a texture")),
            _ => self
                .is_read_only(e)
                .then_some(("CUF0335", "has intent(in)")),
        }
    }

    /// A dummy with INTENT(IN), or a part of one that is not behind a pointer.
    fn is_read_only(&self, e: &TExpr) -> bool {
        match &e.kind {
            TExprKind::Variable(s) => match &self[*s].kind {
                SymbolKind::Variable(v) => {
                    v.dummy.is_some()
                        && v.intent == Some(ast::Intent::In)
                        && !v.attrs.has(VarAttrs::POINTER)
                }
                SymbolKind::Associate { expr, outer, .. } => {
                    self.is_read_only(&self.expr(*outer, expr))
                }
                _ => false,
            },
            TExprKind::Component { base, .. } => {
                let field = self.component(e);
                field.is_some_and(|f| !f.attrs.has(VarAttrs::POINTER)) && self.is_read_only(base)
            }
            _ => e.base().is_some_and(|b| self.is_read_only(b)),
        }
    }

    /// A symbol and, if it is an associate name, the roots of the designators that it stands for, one behind the other.
    pub fn stands_for(&self, symbol: SymbolId) -> impl Iterator<Item = SymbolId> {
        std::iter::successors(Some(symbol), |s| match &self[*s].kind {
            SymbolKind::Associate { expr, outer, .. } => self.expr(*outer, expr).root(),
            _ => None,
        })
    }

    /// Types a designator, a target or an actual argument as seen in `scope`: the name of a function is that function.
    pub fn designator(&self, scope: ScopeId, expr: &ast::Expr) -> TExpr {
        Typer::new(self, scope).expr(expr)
    }

    /// Types an expression as seen in `scope`, where a value is wanted.
    pub fn expr(&self, scope: ScopeId, expr: &ast::Expr) -> TExpr {
        Typer::new(self, scope).value(expr)
    }

    /// The predefined variable that a USE statement takes from a module of the runtime.
    pub fn predefined(&self, s: SymbolId) -> Option<BuiltinVar> {
        let symbol = &self[s];
        let named = matches!(symbol.kind, SymbolKind::Unknown)
            && self[symbol.scope].kind == ScopeKind::External;
        BuiltinVar::named(&symbol.name).filter(|_| named)
    }

    /// The designator denotes memory without gaps, whatever the program does.
    pub fn surely_contiguous(&self, a: &TExpr) -> bool {
        match &a.kind {
            TExprKind::Variable(s) => match &self[*s].kind {
                SymbolKind::Variable(v) => surely_dense(v.attrs, &v.dims, v.dummy.is_some()),
                SymbolKind::Associate { expr, outer, .. } => {
                    let selector = self.expr(*outer, expr);
                    selector.is_designator() && self.surely_contiguous(&selector)
                }
                _ => false,
            },
            TExprKind::Component { base, .. } => {
                let declared = self.declared(a);
                base.rank <= 0 && declared.is_some_and(|d| d.surely_dense())
            }
            TExprKind::Index { base, subs } => {
                if !self.surely_contiguous(base) {
                    return false;
                }
                // Leading whole dimensions, one range, then elements.
                let mut open = true;
                subs.iter().all(|s| match s {
                    Subscript::Range { lo, hi, step }
                        if step.as_ref().is_none_or(|s| s.as_integer() == Some(1)) =>
                    {
                        let whole = lo.is_none() && hi.is_none();
                        let fits = open;
                        open = open && whole;
                        fits
                    }
                    Subscript::Range { .. } | Subscript::Vector(_) => false,
                    Subscript::Element(_) => {
                        open = false;
                        true
                    }
                })
            }
            _ => false,
        }
    }

    /// The section of a variable of constant shape has elements that do not lie side by side in their order, whatever the program does.
    pub fn surely_has_gaps(&self, e: &TExpr) -> bool {
        let TExprKind::Index { base, subs } = &e.kind else {
            return false;
        };
        let TExprKind::Variable(root) = base.kind else {
            return false;
        };
        let length = |b: &Bounds| b.upper?.checked_sub(b.lower?)?.checked_add(1);
        let mut partial = false;
        for (s, bounds) in subs.iter().zip(self.dims_of(root)) {
            let (count, step) = match s {
                Subscript::Element(_) => (Some(1), 1),
                Subscript::Vector(_) => (None, 1),
                Subscript::Range { lo, hi, step } => {
                    let integer = |e: &TExpr| e.as_integer().and_then(|i| i64::try_from(i).ok());
                    let step = step.as_ref().map_or(Some(1), integer);
                    let end = |written: &Option<TExpr>, own: Option<i64>| match written {
                        Some(e) => integer(e),
                        None => own,
                    };
                    let (first, last) = match step {
                        Some(s) if s < 0 => (bounds.upper, bounds.lower),
                        _ => (bounds.lower, bounds.upper),
                    };
                    let count = |lo: i64, hi: i64, step: i64| {
                        let steps = hi.checked_sub(lo)?.checked_div(step)?;
                        Some(steps.checked_add(1)?.max(0))
                    };
                    let ends = end(lo, first).zip(end(hi, last)).zip(step);
                    let count = ends.and_then(|((lo, hi), step)| count(lo, hi, step));
                    (count, step.unwrap_or(1))
                }
            };
            if (partial || step != 1) && count.is_some_and(|c| c > 1) {
                return true;
            }
            partial |= matches!((count, length(&bounds)), (Some(c), Some(all)) if c < all);
        }
        false
    }

    /// The actual arguments of a reference as written.
    pub(in crate::translation::sema) fn actuals(
        &self,
        scope: ScopeId,
        args: &[Arg],
    ) -> Vec<Actual> {
        Typer::new(self, scope).actuals(args)
    }

    /// Why a reference to a generic has no specific procedure although one accepts its arguments but for their memory; `launched`: of a kernel.
    pub fn memory_mismatch(
        &self,
        scope: ScopeId,
        generic: SymbolId,
        args: &[Arg],
        launched: bool,
    ) -> Option<Unresolved> {
        self.unresolved_by_memory(scope, generic, &self.actuals(scope, args), launched)
    }
}
