//! Assignment: transfers between host and device (guide 3.4).

use super::Pass;
use super::alloc::{BoundsText, allocation_space};
use crate::ast::{Expr, ExprKind, Span};
use crate::sema::model::*;
use crate::sema::typed::*;

impl Pass<'_> {
    pub(super) fn assignment(&mut self, lhs: &Expr, rhs: &Expr, statement: Span) {
        let l = self.expr(lhs);
        let r = self.expr(rhs);
        if self.defined_assignment(&l, &r) {
            self.subscripts(&l);
            self.runtime_actual(&r);
            return;
        }
        if let Type::Derived(t) = l.ty
            && !self.is_device(&l)
            && self.owns_device_data(t)
        {
            self.deep_assignment(t, &l, &r, lhs, rhs, statement);
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
            if self.may_reallocate(&l) {
                let (to, from) = (
                    self.designator_text(lhs),
                    self.slice(source.span).to_owned(),
                );
                self.edits.insert(
                    statement.start,
                    format!(
                        "if (.not. cuf_conforms({to}, {from})) allocate({to}, mold={from})\n{}",
                        self.indent_at(statement.start)
                    ),
                );
            }
            self.transfer("cuf_d2h", &l, gap, &r, rhs);
        } else {
            self.subscripts(&l);
            self.value(&r);
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
    fn may_reallocate(&self, l: &TExpr) -> bool {
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

    /// The type has allocatable components that became pointers: intrinsic assignment copies their data, not the pointers
    /// (F2018 10.2.1.3, decision 22).
    fn owns_device_data(&self, t: TypeId) -> bool {
        self.model.components_of(t).iter().any(|f| match f.ty {
            Type::Derived(inner) if is_part(f) && inner != t => self.owns_device_data(inner),
            _ => became_pointer(f),
        })
    }

    /// `a = b` of a type with device components: the old data is freed, the pointers are copied with everything else, then
    /// each gets memory and data of its own. A function result hands its data over.
    fn deep_assignment(
        &mut self,
        t: TypeId,
        l: &TExpr,
        r: &TExpr,
        lhs: &Expr,
        rhs: &Expr,
        statement: Span,
    ) {
        let mut components = Vec::new();
        if l.rank != 0 || !self.owned_components(t, "", &mut components) {
            self.finding(
                "CUF0414",
                statement,
                "assignment of arrays of a type with device components is not supported: assign the elements in a loop",
            );
            return;
        }
        self.unit.runtime = true;
        let to = self.designator_text(lhs);
        let indent = self.indent_at(statement.start);
        let source = strip_parens(r);
        let copies = source.is_designator();
        let from = if copies {
            self.designator_text(rhs)
        } else {
            self.value_text(rhs)
        };
        let mut lines = Vec::new();
        for (path, ty, _) in &components {
            lines.push(self.release_text(&format!("{to}{path}"), ty));
        }
        lines.push(format!("{to} = {from}"));
        if copies {
            for (path, ty, space) in &components {
                let (a, b) = (format!("{to}{path}"), format!("{from}{path}"));
                let rank = path_rank(self.model, t, path);
                let each = |f: &str| (1..=rank).map(|d| format!("{f}({b}, {d})")).collect();
                let bounds = BoundsText {
                    upper: each("ubound"),
                    lower: each("lbound"),
                    wide: false,
                };
                lines.push(format!("nullify({a})"));
                lines.push(format!("if (associated({b})) then"));
                lines.push(format!(
                    "  {}",
                    self.allocate_text(&a, ty, &bounds, space, "")
                ));
                lines.push(if space.is_empty() {
                    format!("  call cuf_d2d({a}, {b})")
                } else {
                    format!("  {a} = {b}")
                });
                lines.push("end if".to_owned());
            }
        }
        self.edits
            .replace(statement, lines.join(&format!("\n{indent}")));
    }

    /// Paths (`%x%y`), types and spaces of the owned components; false if one stands in an array of structures.
    fn owned_components(
        &self,
        t: TypeId,
        prefix: &str,
        out: &mut Vec<(String, Type, &'static str)>,
    ) -> bool {
        for f in self.model.components_of(t) {
            let path = format!("{prefix}%{}", f.spelling);
            match f.ty {
                Type::Derived(inner)
                    if is_part(f) && inner != t && self.owns_device_data(inner) =>
                {
                    if !f.dims.is_empty() || !self.owned_components(inner, &path, out) {
                        return false;
                    }
                }
                _ if became_pointer(f) => {
                    out.push((path, f.ty.clone(), allocation_space(f.space).unwrap_or("")));
                }
                _ => {}
            }
        }
        true
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

/// The component was allocatable and is a pointer in the code written.
fn became_pointer(f: &Field) -> bool {
    f.attrs.has(VarAttrs::ALLOCATABLE) && allocation_space(f.space).is_some()
}

/// The component is a part of the structure itself, neither allocatable nor pointer.
fn is_part(f: &Field) -> bool {
    !f.attrs.has(VarAttrs::ALLOCATABLE) && !f.attrs.has(VarAttrs::POINTER)
}

/// Rank of the component at a path like `%a%b` of a type.
fn path_rank(model: &Model, t: TypeId, path: &str) -> usize {
    let mut at = t;
    let mut rank = 0;
    for name in path.split('%').filter(|n| !n.is_empty()) {
        let fields = model.components_of(at);
        let Some(f) = fields.iter().find(|f| f.spelling == name) else {
            return rank;
        };
        rank = f.dims.len();
        if let Type::Derived(inner) = f.ty {
            at = inner;
        }
    }
    rank
}
