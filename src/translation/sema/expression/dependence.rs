//! Comparison of designators: which denote the same elements, and which surely others.

use crate::sema::expression::typed::*;

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
        (
            TExprKind::Intrinsic {
                intrinsic: i,
                args: x,
            },
            TExprKind::Intrinsic {
                intrinsic: j,
                args: y,
            },
        ) => {
            let both = |(x, y): (&Option<TExpr>, &Option<TExpr>)| match (x, y) {
                (Some(x), Some(y)) => same(x, y),
                (None, None) => true,
                _ => false,
            };
            i == j && x.len() == y.len() && x.iter().zip(y).all(both)
        }
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
