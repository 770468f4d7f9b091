//! Designators in host code: where their data lives, and what of their text has to change wherever they stand.

use crate::ast::{AllocateObject, DimSpec, Span};
use crate::host::context::HostRewriter;
use crate::host::context::rules::Values;
use crate::map::Rule;
use crate::sema::expression::typed::*;
use crate::sema::model::*;

impl HostRewriter<'_> {
    /// Memory that host code must not touch.
    pub(in crate::translation::host) fn is_device(&self, e: &TExpr) -> bool {
        match &e.kind {
            TExprKind::Paren(inner) => self.is_device(inner),
            _ => {
                self.model.space(e).is_some_and(Model::is_device_space) || self.is_device_result(e)
            }
        }
    }

    /// A reference of a function whose result has the device attribute.
    pub(in crate::translation::host) fn is_device_result(&self, e: &TExpr) -> bool {
        self.model
            .result_space(e)
            .is_some_and(Model::is_device_space)
    }

    pub(in crate::translation::host) fn is_managed(&self, e: &TExpr) -> bool {
        e.is_designator() && matches!(self.model.space(e), Some(Space::Managed | Space::Unified))
    }

    /// The object was an allocatable and is a pointer in the host code written (device, managed, unified and pinned data).
    pub(in crate::translation::host) fn became_pointer(&self, e: &TExpr) -> bool {
        let space = self.whole_allocatable(e);
        space.is_some_and(|s| !matches!(s, Space::Host | Space::Thread))
    }

    /// Reports an object of which gfortran makes no right descriptor, and of which no copy can be held.
    pub(in crate::translation::host) fn undescribed(&mut self, span: Span) {
        let name = self.slice(span);
        self.finding(
            "CUF0459",
            span,
            format!("`{name}` cannot be passed to the CUDA runtime\nnote: gfortran describes its memory incorrectly"),
        );
    }

    /// Reports substrings on the device whose descriptor gfortran makes with the length of the elements.
    fn refuse_text_of_components(&mut self, a: &TExpr) {
        if is_text_of_components(a) && (self.is_device(a) || self.is_managed(a)) {
            self.undescribed(a.span);
        }
    }

    /// `p%x` of a whole pointer or allocatable array p becomes `p(:)%x`: gfortran 12 moves p's base address when such a
    /// component is passed to an any-type dummy.
    pub(in crate::translation::host) fn whole_base(&mut self, a: &TExpr) {
        self.refuse_text_of_components(a);
        let mut at = a;
        loop {
            at = match &at.kind {
                TExprKind::Component { base, .. } | TExprKind::ComplexPart { base, .. } => {
                    // A component of array elements has its rank from them.
                    let whole = match &base.kind {
                        TExprKind::Variable(_) => true,
                        TExprKind::Component { base: outer, .. } => outer.rank <= 0,
                        _ => false,
                    };
                    if whole && base.rank > 0 {
                        let colons = vec![":"; base.rank as usize].join(",");
                        self.edits
                            .insert(Rule::Argument, base.span.end, format!("({colons})"));
                    }
                    base
                }
                TExprKind::Index { base, .. }
                | TExprKind::Substring { base, .. }
                | TExprKind::Paren(base) => base,
                _ => return,
            };
        }
    }

    /// A variable or component with the POINTER attribute.
    pub(in crate::translation::host) fn is_pointer(&self, object: &TExpr) -> bool {
        self.model.has_attribute(object, VarAttrs::POINTER)
    }

    /// The result variable of the function that an expression refers to.
    pub(in crate::translation::host) fn result_variable(&self, e: &TExpr) -> Option<&Variable> {
        let (TExprKind::Call { procedure, .. } | TExprKind::BoundCall { procedure, .. }) = &e.kind
        else {
            return None;
        };
        let result = self.model.procedure(*procedure)?.result?;
        self.model.variable(result)
    }

    /// Memory of a whole allocatable variable or component.
    pub(in crate::translation::host) fn whole_allocatable(&self, l: &TExpr) -> Option<Space> {
        let declared = self.model.declared(l)?;
        let allocatable = declared.attrs.has(VarAttrs::ALLOCATABLE);
        allocatable.then_some(declared.space)
    }

    /// Device data in parentheses would be read by the host: the parentheses go.
    pub(in crate::translation::host) fn without_parentheses(&mut self, r: &TExpr, inner: &TExpr) {
        if r.span != inner.span {
            self.edits.delete(
                Rule::Argument,
                Span {
                    start: r.span.start,
                    end: inner.span.start,
                },
            );
            self.edits.delete(
                Rule::Argument,
                Span {
                    start: inner.span.end,
                    end: r.span.end,
                },
            );
        }
    }

    pub(in crate::translation::host) fn allocate_object(&mut self, o: &AllocateObject) {
        let t = self.expr(&o.object);
        self.subscripts(&t);
        for d in o.bounds.iter().flat_map(|b| &b.dims) {
            if let DimSpec::Explicit { lower, upper } = d {
                for e in lower.as_deref().into_iter().chain([upper]) {
                    let t = self.expr(e);
                    self.value(&t);
                }
            }
        }
    }

    pub(in crate::translation::host) fn space_of(&self, e: &TExpr) -> Space {
        self.model.space(e).unwrap_or(Space::Host)
    }
}

/// Substrings of the elements of an array component, whose length gfortran 12 always takes for that of the elements.
fn is_text_of_components(e: &TExpr) -> bool {
    let TExprKind::Substring { base, .. } = &e.kind else {
        return false;
    };
    let TExprKind::Index { base, .. } = &base.kind else {
        return false;
    };
    e.rank > 0 && matches!(base.kind, TExprKind::Component { .. })
}
