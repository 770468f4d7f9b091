//! Rules of pointers, allocation and shapes of data in several memories (guide 2.7, 3.2, 3.4).

use super::checker::*;

impl Checker<'_> {
    /// `p => t`: the host cannot reach device memory through a pointer of its own, nor kernels host memory.
    pub(super) fn pointer_assignment(&mut self, lhs: &ast::Expr, rhs: &ast::Expr) {
        let typed = |e| self.model.designator(self.scope, e);
        let (p, t) = (typed(lhs), typed(rhs));
        self.polymorphic_half(&p.ty, &t);
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
            Space::Device | Space::Managed => {
                matches!(at, Space::Host | Space::Pinned) && !self.model.reaches(&t)
            }
            _ => false,
        };
        if wrong {
            let (pointer, target) = (self.root_name(&p), self.root_name(&t));
            self.report_help(
                "CUF0390",
                rhs.span,
                format!(
                    "pointer `{pointer}` points to {} data, but target `{target}` is {} data",
                    space_name(of),
                    space_name(at)
                ),
                "declare the pointer with the memory attribute of its target",
            );
        } else if self.context == CodeContext::Host
            && !matches!(at, Space::Host | Space::Pinned)
            && !self.may_be_target(&t)
        {
            // The host code makes pointers of such data, so the Fortran compiler would not see it.
            let name = self.root_name(&t);
            self.report(
                "CUF0397",
                rhs.span,
                format!("`{name}` has neither the `target` nor the `pointer` attribute"),
            );
        }
    }

    fn may_be_target(&self, t: &TExpr) -> bool {
        let may = |a: VarAttrs| a.has(VarAttrs::TARGET) || a.has(VarAttrs::POINTER);
        match &t.kind {
            TExprKind::Variable(s) => self.model.variable(*s).is_none_or(|v| may(v.attrs)),
            TExprKind::Component { base, .. } => {
                let field = self.model.component(t);
                field.is_none_or(|f| f.attrs.has(VarAttrs::POINTER)) || self.may_be_target(base)
            }
            TExprKind::Index { base, .. }
            | TExprKind::Substring { base, .. }
            | TExprKind::ComplexPart { base, .. } => self.may_be_target(base),
            _ => true,
        }
    }

    /// Objects with a memory attribute become pointers in the host code: it would not see that one is no allocatable.
    pub(super) fn allocate_objects(&mut self, a: &Allocate) {
        let sourced = a.options.iter().any(|o| {
            o.keyword
                .as_ref()
                .is_some_and(|k| matches!(k.text.as_str(), "source" | "mold"))
        });
        for o in &a.options {
            if o.keyword.as_ref().is_some_and(|k| k.text == "pinned") {
                let t = self.expr(&o.value);
                if !matches!(t.ty, Type::Logical(_) | Type::Unknown) {
                    // The statement that sets it would convert, and say nothing.
                    let is = self.model.type_name(&t.ty);
                    let message = format!("`pinned=` requires a logical variable, not {is}");
                    self.report("CUF0389", o.span, message);
                }
            }
        }
        self.stream_of_host_data(a);
        for o in &a.objects {
            if self.allocatable_object(&o.object, o.span) {
                self.allocated_shape(o, sourced);
            }
        }
    }

    /// Host data keeps its ALLOCATE statement, and standard Fortran has no `stream=`. (`pinned=` tells that it is not.)
    fn stream_of_host_data(&mut self, a: &Allocate) {
        let of_host = a.objects.iter().find_map(|o| {
            let t = self.expr(&o.object);
            (self.model.space(&t) == Some(Space::Host)).then(|| self.slice(t.span).to_owned())
        });
        let Some(name) = of_host else { return };
        for k in a.options.iter().filter_map(|o| o.keyword.as_ref()) {
            if k.text == "stream" {
                let message =
                    format!("`stream=` is valid only for device data, but `{name}` is host data");
                self.report("CUF0350", k.span, message);
            }
        }
    }

    pub(super) fn deallocate_objects(&mut self, objects: &[ast::Expr]) {
        for o in objects {
            self.allocatable_object(o, o.span);
        }
    }

    /// False if it is refused, or is none of the objects that the Fortran compiler does not see as they are.
    fn allocatable_object(&mut self, object: &ast::Expr, at: Span) -> bool {
        let t = self.expr(object);
        let attrs = self.model.declared(&t).map(|d| d.attrs);
        let fixed = |a: VarAttrs| !a.is_dynamic();
        let pointers = self
            .model
            .space(&t)
            .is_some_and(|s| !matches!(s, Space::Host | Space::Thread));
        if self.descriptor_in_device_memory(&t) {
            return false;
        }
        if pointers && attrs.is_some_and(fixed) {
            let name = self.slice(t.span).to_owned();
            self.report(
                "CUF0389",
                at,
                format!("`{name}` is neither allocatable nor a pointer"),
            );
            return false;
        }
        if pointers && attrs.is_some_and(|a| a.has(VarAttrs::ALLOCATABLE)) {
            return self.changeable(&t);
        }
        pointers
    }

    /// Reports an allocatable or pointer component of a structure in device memory: what it is associated with stands
    /// there, where only device code can look it up or change it.
    fn descriptor_in_device_memory(&mut self, t: &TExpr) -> bool {
        let mut at = Some(t);
        while let Some(e) = at {
            if let TExprKind::Component { base, name, .. } = &e.kind
                && self.is_device(base)
                && self
                    .model
                    .component(e)
                    .is_some_and(|f| f.attrs.is_dynamic())
            {
                let (name, root) = (name.clone(), self.slice(base.span).to_owned());
                self.report_help(
                    "CUF0349",
                    e.span,
                    format!("`{name}` is an allocatable or pointer component of `{root}`, which is in device memory"),
                    "declare the structure with the `managed` attribute or none, and its components with the memory attribute they need",
                );
                return true;
            }
            at = e.base();
        }
        false
    }

    /// The sides of a transfer have the same extents and types that convert into each other.
    pub(super) fn transfer_sides(&mut self, l: &TExpr, r: &TExpr, at: Span) {
        let r = r.unparenthesised();
        // Of what the host computes the Fortran compiler knows the shape; it does not see what is assigned to device data.
        let sides = self.is_device(l) || self.is_device(r) && r.is_designator();
        let unreachable =
            |c: &mut Self, e: &TExpr| e.is_designator() && c.descriptor_in_device_memory(e);
        if unreachable(self, l) || unreachable(self, r) {
            return;
        }
        if !sides || !l.is_designator() {
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
                        "left-hand side has {a} elements in a dimension, but right-hand side has {b}"
                    ),
                );
                return;
            }
        }
    }

    /// Constant extents of a whole array that is not allocated later, or of a section.
    fn extents(&self, t: &TExpr) -> Vec<Option<i64>> {
        let s = match &t.kind {
            TExprKind::Variable(s) => *s,
            TExprKind::Index { base, subs } => return self.section_extents(base, subs),
            TExprKind::ArrayConstructor { items } => {
                let scalars = items
                    .iter()
                    .all(|i| i.rank == 0 && !matches!(i.kind, TExprKind::ImpliedDo { .. }));
                return vec![scalars.then_some(items.len() as i64)];
            }
            _ => return Vec::new(),
        };
        let bounds = self.model.dims_of(s);
        bounds
            .iter()
            .map(|b| Some((b.upper? - b.lower? + 1).max(0)))
            .collect()
    }

    fn section_extents(&self, base: &TExpr, subs: &[Subscript]) -> Vec<Option<i64>> {
        let bounds = match base.kind {
            TExprKind::Variable(s) => self.model.dims_of(s),
            _ => Vec::new(),
        };
        let folded = |e: &Option<TExpr>, default: Option<i64>| match e {
            Some(e) => e.as_integer().and_then(|v| i64::try_from(v).ok()),
            None => default,
        };
        let mut extents = Vec::new();
        for (i, s) in subs.iter().enumerate() {
            let Subscript::Range { lo, hi, step } = s else {
                if matches!(s, Subscript::Vector(_)) {
                    extents.push(None);
                }
                continue;
            };
            let declared = bounds.get(i);
            let lo = folded(lo, declared.and_then(|b| b.lower));
            let hi = folded(hi, declared.and_then(|b| b.upper));
            let step = folded(step, Some(1));
            let count = |lo: i64, hi: i64, step: i64| {
                let span = hi.checked_sub(lo)?.checked_add(step)?;
                Some(span.checked_div(step)?.max(0))
            };
            extents.push(match (lo, hi, step) {
                (Some(lo), Some(hi), Some(step)) => count(lo, hi, step),
                _ => None,
            });
        }
        extents
    }
}
