//! Comparison of designators: which denote the same elements, and which surely others.

use crate::ast::Intent;
use crate::lower::context::Cx;
use crate::sema::expression::typed::*;
use crate::sema::model::*;

/// By which other names than its own data may be reached.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    Own,
    /// Pointers may point to it.
    Target,
    /// It is reached through a pointer, which may point to any target.
    Pointer,
}

impl Cx<'_, '_> {
    /// Two designators may denote data of each other: parts of one variable, targets that a pointer leads to, dummies that may be
    /// given the same data (F2018 15.5.2.13).
    pub fn may_share(&self, a: &TExpr, b: &TExpr) -> bool {
        let (Some(r), Some(s)) = (a.root(), b.root()) else {
            return false;
        };
        pointer_leads(self.reach(a), self.reach(b)) || self.are_one(r, s)
    }

    /// A procedure that gets the value may reach data of the designator by pointers in it.
    pub fn leads_to(&self, value: &TExpr, data: &TExpr) -> bool {
        self.model().has_pointers(&value.ty) && self.reach(data) != Reach::Own
    }

    /// Two variables, or data that they lead to by pointers, may be of each other.
    pub fn may_alias(&self, a: SymbolId, b: SymbolId) -> bool {
        let reach = |s| match self.leads_elsewhere(s) {
            true => Reach::Pointer,
            false => self.reach_of(s),
        };
        pointer_leads(reach(a), reach(b)) || self.are_one(a, b)
    }

    /// Two designators of one variable surely have no element in common.
    pub fn are_apart(&self, a: &TExpr, b: &TExpr) -> bool {
        let through = pointer_leads(self.reach(a), self.reach(b));
        disjoint(a, b, &|x| through && self.is_pointer_component(x))
    }

    fn is_pointer_component(&self, x: &TExpr) -> bool {
        let component = self.model().component(x);
        component.is_some_and(|f| f.attrs.has(VarAttrs::POINTER))
    }

    fn reach(&self, t: &TExpr) -> Reach {
        let mut at = Some(t);
        while let Some(x) = at {
            if self.is_pointer_component(x) {
                return Reach::Pointer;
            }
            at = x.base();
        }
        t.root().map_or(Reach::Own, |s| self.reach_of(s))
    }

    fn reach_of(&self, s: SymbolId) -> Reach {
        match &self.model()[s].kind {
            SymbolKind::Associate { expr, outer, .. } => {
                self.reach(&self.model().expr(*outer, expr))
            }
            SymbolKind::Variable(v) if v.attrs.has(VarAttrs::POINTER) => Reach::Pointer,
            SymbolKind::Variable(v)
                if v.attrs.has(VarAttrs::TARGET) || self.model().has_address_pointers =>
            {
                Reach::Target
            }
            _ => Reach::Own,
        }
    }

    /// The variable is a structure from which pointers lead on, as far as its type tells.
    fn leads_elsewhere(&self, s: SymbolId) -> bool {
        let variable = self.model().variable(self.origin(s));
        variable.is_some_and(|v| self.model().has_pointers(&v.ty))
    }

    /// Two names of variables that may stand for the same data without a pointer.
    fn are_one(&self, a: SymbolId, b: SymbolId) -> bool {
        let (a, b) = (self.origin(a), self.origin(b));
        let both = |holds: &dyn Fn(&Variable) -> bool| {
            [a, b]
                .iter()
                .all(|s| self.model().variable(*s).is_some_and(holds))
        };
        // Assumed-size shared arrays begin at one address (guide 3.2.6).
        let overlaid = |v: &Variable| {
            let assumed = matches!(v.dims.last(), Some(Dim::AssumedSize { .. }));
            v.space == Space::Shared && v.dummy.is_none() && assumed
        };
        a == b
            || both(&|v| v.attrs.has(VarAttrs::IN_EQUIVALENCE))
            || both(&overlaid)
            || both(&|v| v.attrs.has(VarAttrs::TARGET))
                && (self.may_be_given(a, b) || self.may_be_given(b, a))
    }

    /// The dummy, a target, may be given the data of the other variable, and be changed by that name, too.
    fn may_be_given(&self, dummy: SymbolId, other: SymbolId) -> bool {
        let model = self.model();
        let open = |v: &Variable| {
            v.dummy.is_some() && !v.attrs.has(VarAttrs::VALUE) && v.intent != Some(Intent::In)
        };
        let inside = || {
            let mut at = Some(model[other].scope);
            while let Some(s) = at {
                if s == model[dummy].scope {
                    return true;
                }
                at = model[s].parent;
            }
            false
        };
        model.variable(dummy).is_some_and(open)
            && (model.variable(other).is_some_and(open) || !inside())
    }
}

/// One of them is a pointer, the other one something that it may point to.
fn pointer_leads(a: Reach, b: Reach) -> bool {
    a != Reach::Own && b != Reach::Own && (a == Reach::Pointer || b == Reach::Pointer)
}

/// A procedure of the program or of the device library is called.
pub fn calls(e: &TExpr) -> bool {
    e.any(&mut |x| {
        matches!(
            x.kind,
            TExprKind::Call { .. } | TExprKind::BoundCall { .. } | TExprKind::Runtime { .. }
        )
    })
}

/// Two designators or expressions that are written the same.
pub fn same(a: &TExpr, b: &TExpr) -> bool {
    if a.value.is_some() && a.value == b.value && a.rank == 0 {
        return true;
    }
    match (&a.kind, &b.kind) {
        (TExprKind::Variable(x), TExprKind::Variable(y)) => x == y,
        (TExprKind::Paren(x), _) => same(x, b),
        (_, TExprKind::Paren(y)) => same(a, y),
        (TExprKind::Index { base: x, subs: s }, TExprKind::Index { base: y, subs: t }) => {
            same(x, y) && s.len() == t.len() && s.iter().zip(t).all(|(s, t)| same_subscript(s, t))
        }
        (
            TExprKind::Component {
                base: x, index: i, ..
            },
            TExprKind::Component {
                base: y, index: j, ..
            },
        ) => i == j && same(x, y),
        (
            TExprKind::ComplexPart {
                base: x,
                imaginary: i,
            },
            TExprKind::ComplexPart {
                base: y,
                imaginary: j,
            },
        ) => i == j && same(x, y),
        (TExprKind::Unary { op: o, operand: x }, TExprKind::Unary { op: p, operand: y }) => {
            o == p && same(x, y)
        }
        (
            TExprKind::Binary {
                op: o,
                lhs: a1,
                rhs: a2,
            },
            TExprKind::Binary {
                op: p,
                lhs: b1,
                rhs: b2,
            },
        ) => o == p && same(a1, b1) && same(a2, b2),
        (
            TExprKind::Builtin {
                var: v,
                component: c,
            },
            TExprKind::Builtin {
                var: w,
                component: d,
            },
        ) => v == w && c == d,
        _ => false,
    }
}

/// Two elements or ranges that are written the same.
fn same_subscript(s: &Subscript, t: &Subscript) -> bool {
    let opt = |a: &Option<TExpr>, b: &Option<TExpr>| match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => same(a, b),
        _ => false,
    };
    match (s, t) {
        (Subscript::Element(x), Subscript::Element(y)) => same(x, y),
        (
            Subscript::Range {
                lo: a,
                hi: b,
                step: c,
            },
            Subscript::Range {
                lo: d,
                hi: e,
                step: f,
            },
        ) => opt(a, d) && opt(b, e) && opt(c, f),
        _ => false,
    }
}

/// Two designators of the same variable that cannot share an element: other components, or constant subscripts apart. What `leads`
/// anywhere, says nothing of what it is a part of.
pub fn disjoint(a: &TExpr, b: &TExpr, leads: &dyn Fn(&TExpr) -> bool) -> bool {
    let disjoint = |x, y| disjoint(x, y, leads);
    match (&a.kind, &b.kind) {
        (
            TExprKind::Component {
                base: x, index: i, ..
            },
            TExprKind::Component {
                base: y, index: j, ..
            },
        ) => {
            if leads(a) || leads(b) {
                return false;
            }
            // A parent component holds inherited ones.
            let apart = i != j && ![*i, *j].contains(&PARENT_COMPONENT);
            (apart && same(x, y)) || disjoint(x, y)
        }
        (TExprKind::Index { base: x, subs: s }, TExprKind::Index { base: y, subs: t }) => {
            disjoint(x, y)
                || (same(x, y)
                    && s.iter()
                        .zip(t)
                        .any(|(s, t)| match (span_of(s), span_of(t)) {
                            (Some((a, b)), Some((c, d))) => b < c || d < a,
                            _ => false,
                        }))
        }
        (TExprKind::Index { base, .. }, _) if matches!(b.kind, TExprKind::Component { .. }) => {
            disjoint(base, b)
        }
        (_, TExprKind::Index { base, .. }) if matches!(a.kind, TExprKind::Component { .. }) => {
            disjoint(a, base)
        }
        _ => false,
    }
}

/// Two sections of one array, of the same range in the same dimensions: an element of the one is at most the element at the
/// same position of the other.
pub fn aligned(a: &TExpr, b: &TExpr) -> bool {
    match (&a.kind, &b.kind) {
        (
            TExprKind::Component {
                base: x, index: i, ..
            },
            TExprKind::Component {
                base: y, index: j, ..
            },
        ) => i == j && aligned(x, y),
        (TExprKind::Index { base: x, subs: s }, TExprKind::Index { base: y, subs: t }) => {
            let range = |s: &Subscript| matches!(s, Subscript::Range { .. });
            let fits = |(s, t): (&Subscript, &Subscript)| match (s, t) {
                (Subscript::Element(_), Subscript::Element(_)) => true,
                _ => range(s) && same_subscript(s, t),
            };
            same(x, y) && s.len() == t.len() && s.iter().any(range) && s.iter().zip(t).all(fits)
        }
        _ => false,
    }
}

/// Smallest and largest subscript, if constant.
fn span_of(s: &Subscript) -> Option<(i128, i128)> {
    match s {
        Subscript::Element(e) => e.as_integer().map(|v| (v, v)),
        Subscript::Range {
            lo: Some(lo),
            hi: Some(hi),
            ..
        } => {
            let (a, b) = (lo.as_integer()?, hi.as_integer()?);
            Some((a.min(b), a.max(b)))
        }
        _ => None,
    }
}
