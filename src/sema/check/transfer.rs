//! Rules of pointers, allocation and shapes of data in several memories (guide 2.7, 3.2, 3.4).

use super::declaration::space_name;
use super::host::strip;
use super::*;

impl Checker<'_> {
    /// `p => t`: the host cannot reach device memory through a pointer of its own, nor kernels host memory.
    pub(super) fn pointer_assignment(&mut self, lhs: &ast::Expr, rhs: &ast::Expr) {
        let (p, t) = (self.expr(lhs), self.expr(rhs));
        let (Some(of), Some(at)) = (self.model.space(&p), self.model.space(&t)) else {
            return;
        };
        if !t.is_designator() || !p.is_designator() {
            return;
        }
        let wrong = match of {
            Space::Host | Space::Pinned => {
                matches!(at, Space::Device | Space::Constant | Space::Shared)
            }
            Space::Device | Space::Managed => matches!(at, Space::Host | Space::Pinned),
            _ => false,
        };
        if wrong {
            let (pointer, target) = (self.root_name(&p), self.root_name(&t));
            self.report_help(
                "CUF0390",
                rhs.span,
                format!(
                    "'{pointer}' points to {} data, but '{target}' is {} data",
                    space_name(of),
                    space_name(at)
                ),
                "give the pointer the attribute of its target",
            );
        }
    }

    /// Objects with a memory attribute become pointers in the host code: it would not see that one is no allocatable.
    pub(super) fn allocate_objects(&mut self, a: &Allocate) {
        for o in &a.objects {
            let t = self.expr(&o.object);
            let fixed = |attrs: VarAttrs| {
                !attrs.has(VarAttrs::ALLOCATABLE) && !attrs.has(VarAttrs::POINTER)
            };
            if let TExprKind::Variable(s) = t.kind
                && let Some(v) = self.model.variable(s)
                && Model::is_device_space(v.space)
                && fixed(v.attrs)
            {
                let name = self.root_name(&t);
                self.report(
                    "CUF0389",
                    o.span,
                    format!("'{name}' is neither allocatable nor a pointer"),
                );
            }
        }
    }

    /// The sides of a transfer have the same extents and types that convert into each other.
    pub(super) fn transfer_sides(&mut self, l: &TExpr, r: &TExpr, at: Span) {
        let r = strip(r);
        if !self.is_device(l) && !self.is_device(r) || !l.is_designator() || !r.is_designator() {
            return;
        }
        let class = |t: &Type| match t {
            Type::Integer(_) | Type::Real(_) | Type::Complex(_) => Some(0),
            Type::Logical(_) => Some(1),
            Type::Character(_) => Some(2),
            _ => None,
        };
        if let (Some(a), Some(b)) = (class(&l.ty), class(&r.ty))
            && a != b
        {
            let message = format!(
                "{} cannot be assigned to {}",
                self.model.type_name(&r.ty),
                self.model.type_name(&l.ty)
            );
            self.report("CUF0359", at, message);
            return;
        }
        for (a, b) in self.extents(l).iter().zip(self.extents(r)) {
            if let (Some(a), Some(b)) = (a, b)
                && *a != b
            {
                self.report(
                    "CUF0359",
                    at,
                    format!(
                        "the sides of this assignment have {a} and {b} elements in a dimension"
                    ),
                );
                return;
            }
        }
    }

    /// Constant extents of a whole array that is not allocated later.
    fn extents(&self, t: &TExpr) -> Vec<Option<i64>> {
        let TExprKind::Variable(s) = t.kind else {
            return Vec::new();
        };
        let bounds = self.model.dims_of(s);
        bounds
            .iter()
            .map(|b| Some((b.upper? - b.lower? + 1).max(0)))
            .collect()
    }
}
