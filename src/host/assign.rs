//! Assignment: transfers between host and device (guide 3.4).

use super::Pass;
use crate::ast::{Expr, ExprKind, Span};
use crate::sema::model::*;
use crate::sema::typed::*;

impl Pass<'_> {
    pub(super) fn assignment(&mut self, lhs: &Expr, rhs: &Expr, statement: Span) {
        let l = self.expr(lhs);
        let r = self.expr(rhs);
        if self.defined_assignment(&l, &r) {
            self.subscripts(&l);
            self.runtime_actual(&r, false);
            return;
        }
        if let Type::Derived(t) = l.ty
            && !self.is_device(&l)
            && self.owns_device_data(t)
        {
            self.owner_assignment(t, &l, &r, (lhs, rhs), statement);
            return;
        }
        let source = strip_parens(&r);
        let gap = Span {
            start: lhs.span.end,
            end: rhs.span.start,
        };
        if self.is_device(&l) {
            let routine = if self.is_device(source) {
                "cuf_d2d"
            } else {
                "cuf_h2d"
            };
            self.transfer(routine, &l, gap, &r, rhs);
        } else if self.is_device(source) {
            if r.rank > 0 && self.may_reallocate(&l) {
                let (to, from) = (
                    self.designator_text(lhs),
                    self.slice(source.span).to_owned(),
                );
                let indent = self.indent_at(statement.start);
                self.edits.insert(
                    statement.start,
                    format!(
                        "if (allocated({to}) .and. .not. cuf_conforms({to}, {from})) deallocate({to})\n\
                         {indent}if (.not. allocated({to})) allocate({to}, mold={from})\n{indent}"
                    ),
                );
            }
            self.transfer("cuf_d2h", &l, gap, &r, rhs);
        } else {
            self.subscripts(&l);
            self.value_as(&r, &l.ty);
        }
    }

    /// `lhs = rhs` becomes `call routine(lhs, rhs)`.
    fn transfer(&mut self, routine: &str, l: &TExpr, gap: Span, r: &TExpr, rhs: &Expr) {
        self.unit.runtime = true;
        self.edits.insert(l.span.start, format!("call {routine}("));
        self.whole_base(l);
        self.subscripts(l);
        self.edits.replace(gap, ", ");
        if let (ExprKind::Boz { .. }, Some(convert)) = (&rhs.kind, boz_conversion(&l.ty)) {
            self.edits.replace(
                rhs.span,
                format!("{}({}, {})", convert.0, self.slice(rhs.span), convert.1),
            );
        } else if routine == "cuf_h2d" {
            self.value(r);
        } else {
            self.whole_base(strip_parens(r));
            self.subscripts(r);
        }
        self.edits.insert(r.span.end, ")");
    }

    /// The left side is a whole allocatable of the host, which intrinsic assignment (re)allocates (F2018 10.2.1.3).
    pub(super) fn may_reallocate(&self, l: &TExpr) -> bool {
        let attrs = match &l.kind {
            TExprKind::Variable(s) => self.model.variable(*s).map(|v| (v.attrs, v.space)),
            TExprKind::Component { of, index, .. } => self
                .model
                .components_of(*of)
                .get(*index)
                .map(|f| (f.attrs, f.space)),
            _ => None,
        };
        l.rank > 0
            && attrs.is_some_and(|(a, s)| {
                a.has(VarAttrs::ALLOCATABLE) && matches!(s, Space::Host | Space::Thread)
            })
    }

    /// A user's ASSIGNMENT(=) takes this pair of derived types.
    fn defined_assignment(&self, l: &TExpr, r: &TExpr) -> bool {
        let derived = |t: &Type| matches!(t, Type::Derived(_) | Type::Class(_));
        if !derived(&l.ty) && !derived(&r.ty) {
            return false;
        }
        let Some(g) = self.model.lookup(self.scope, "assignment(=)") else {
            return false;
        };
        let SymbolKind::Generic(g) = &self.model[g].kind else {
            return false;
        };
        g.specifics.iter().any(|s| {
            let dummies = self.dummies(*s);
            let matches = |i: usize, e: &TExpr| {
                dummies
                    .get(i)
                    .copied()
                    .flatten()
                    .and_then(|d| self.model.variable(d))
                    .is_some_and(|v| same_type(&v.ty, &e.ty))
            };
            matches(0, l) && matches(1, r)
        })
    }
}

fn same_type(a: &Type, b: &Type) -> bool {
    match (a, b) {
        (Type::Derived(x) | Type::Class(x), Type::Derived(y) | Type::Class(y)) => x == y,
        (Type::Character(_), Type::Character(_)) => true,
        _ => a == b,
    }
}

pub(super) fn strip_parens(e: &TExpr) -> &TExpr {
    match &e.kind {
        TExprKind::Paren(inner) => strip_parens(inner),
        _ => e,
    }
}

/// Conversion function and kind for a BOZ constant assigned to data of a type.
fn boz_conversion(ty: &Type) -> Option<(&'static str, u8)> {
    match ty {
        Type::Integer(k) => Some(("int", *k)),
        Type::Real(k) => Some(("real", *k)),
        _ => None,
    }
}
