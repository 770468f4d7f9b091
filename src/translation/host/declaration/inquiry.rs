//! Shapes that declarations ask for: a device array of explicit shape is a pointer in host code, which has no target yet where specification
//! expressions are evaluated, and never is a constant. What is declared answers (docs/decisions.md, 850).

use crate::ast::{Decl, Expr, ExprKind, Span};
use crate::host::context::HostRewriter;
use crate::host::context::edit::join_lines;
use crate::host::context::memory::allocation_space;
use crate::host::context::names::{INT, MAX, MERGE};
use crate::intrinsics::{self, Dummy, Inquiry, Intrinsic};
use crate::map::Rule;
use crate::sema::expression::typed::*;
use crate::sema::model::*;

/// A declared dimension as text.
struct Bounds {
    /// None if it is 1.
    lower: Option<String>,
    upper: String,
    kind: u8,
}

impl HostRewriter<'_> {
    /// Puts what is declared in the place of inquiries about device arrays in a declaration of `scope`.
    pub(in crate::translation::host) fn declared_shapes(&mut self, d: &Decl, scope: ScopeId) {
        for e in d.expressions() {
            if asks_for_shape(e) {
                let typed = self.model.expr(scope, e);
                self.shapes_in(&typed, scope);
            }
        }
    }

    /// The same in one expression.
    pub(in crate::translation::host) fn shapes_in(&mut self, e: &TExpr, scope: ScopeId) {
        match self.declared_shape(e, scope) {
            Some(text) => {
                self.unit.runtime |= self.taken.hides_intrinsics();
                self.edits.replace(Rule::Attributes, e.span, text);
            }
            None => e.for_each_child(&mut |c| self.shapes_in(c, scope)),
        }
    }

    /// The text of a declaration with the edits made so far.
    pub(in crate::translation::host) fn edited(&self, span: Span) -> String {
        join_lines(&self.edits.apply(self.text, span))
    }

    fn declared_shape(&mut self, e: &TExpr, scope: ScopeId) -> Option<String> {
        let TExprKind::Intrinsic {
            intrinsic: Intrinsic::Inquiry(inquiry),
            args,
        } = &e.kind
        else {
            return None;
        };
        let asked = args.first()?.as_ref()?;
        let kind = Intrinsic::Inquiry(*inquiry).argument(Dummy::Kind, args);
        if !asked.any(&mut |x| matches!(x.kind, TExprKind::Variable(s) if self.has_late_shape(s))) {
            return None;
        }
        if let Some(value) = &e.value {
            return constant(value);
        }
        let TExprKind::Variable(s) = asked.kind else {
            return None;
        };
        // Arrays of scopes around this one have been allocated.
        let v = self.model.variable(s)?;
        if self.model[s].scope != scope {
            return None;
        }
        // Its own bounds stand before the question (F2018 10.1.11); circles have no answer.
        let before = |d: &Dim| match d {
            Dim::Explicit { lower, upper } => {
                let mut both = lower.iter().map(|l| &**l).chain([upper]);
                both.all(|b| b.span.end <= e.span.start)
            }
            _ => false,
        };
        if !v.dims.iter().all(before) {
            return None;
        }
        let bounds: Vec<Bounds> = (v.dims.iter())
            .map(|d| self.declared_bounds(d, scope))
            .collect::<Option<_>>()?;
        let one = |b: &Bounds| match inquiry {
            Inquiry::Lbound => Some(b.lower()),
            Inquiry::Ubound => Some(b.upper()),
            Inquiry::Size | Inquiry::Shape => Some(b.extent()),
            _ => None,
        };
        let parts: Vec<String> = bounds.iter().map(one).collect::<Option<_>>()?;
        let dim = match inquiry {
            Inquiry::Shape => None,
            _ => args.get(1).and_then(Option::as_ref),
        };
        let text = match dim {
            Some(d) => {
                let d = usize::try_from(d.as_integer()?).ok()?;
                parts.get(d.checked_sub(1)?)?.clone()
            }
            None if *inquiry == Inquiry::Size => parts.join("*"),
            None => format!("[{}]", parts.join(", ")),
        };
        Some(match kind {
            Some(k) => format!("{INT}({text}, {})", self.slice(k.span)),
            None if bounds.iter().any(|b| b.kind != 4) => format!("{INT}({text})"),
            None if parts.len() > 1 && dim.is_none() => format!("({text})"),
            None => text,
        })
    }

    /// A device array that becomes a pointer and gets its shape at run time.
    fn has_late_shape(&self, s: SymbolId) -> bool {
        self.model.variable(s).is_some_and(|v| {
            allocation_space(v.space).is_some()
                && v.dummy.is_none()
                && !v.dims.is_empty()
                && !v.attrs.is_dynamic()
                && !v.attrs.has(VarAttrs::CRAY_POINTEE)
        })
    }

    fn declared_bounds(&mut self, d: &Dim, scope: ScopeId) -> Option<Bounds> {
        let Dim::Explicit { lower, upper } = d else {
            return None;
        };
        let mut kind = 4;
        let mut bound = |e: &Expr| {
            let typed = self.model.expr(scope, e);
            if let Type::Integer(k) = typed.ty {
                kind = kind.max(k);
            }
            let text = self.with_edits(e.span, |p| p.shapes_in(&typed, scope));
            match e.kind {
                ExprKind::Name(_) | ExprKind::Integer { .. } | ExprKind::Ref { .. } => text,
                _ => format!("({text})"),
            }
        };
        let lower = lower.as_deref().map(&mut bound);
        let upper = bound(upper);
        let lower = lower.filter(|l| l != "1");
        Some(Bounds { lower, upper, kind })
    }
}

impl Bounds {
    fn number(&self, n: u8) -> String {
        match self.kind {
            4 => n.to_string(),
            k => format!("{n}_{k}"),
        }
    }

    fn extent(&self) -> String {
        let none = self.number(0);
        match &self.lower {
            Some(l) => format!("{MAX}({} - {l} + 1, {none})", self.upper),
            None => format!("{MAX}({}, {none})", self.upper),
        }
    }

    /// Of an empty dimension 1 (F2018 16.9.109).
    fn lower(&self) -> String {
        match &self.lower {
            Some(l) => format!("{MERGE}({l}, {}, {l} <= {})", self.number(1), self.upper),
            None => self.number(1),
        }
    }

    /// Of an empty dimension 0 (F2018 16.9.196).
    fn upper(&self) -> String {
        match &self.lower {
            Some(l) => format!(
                "{MERGE}({}, {}, {l} <= {})",
                self.upper,
                self.number(0),
                self.upper
            ),
            None => self.extent(),
        }
    }
}

/// Somewhere the name of an inquiry is referred to: what has none need not be read again.
fn asks_for_shape(e: &Expr) -> bool {
    let inquiry = |n: &crate::ast::Name| {
        matches!(
            intrinsics::find(&n.text),
            Some((Intrinsic::Inquiry(_), None))
        )
    };
    let mut found =
        matches!(&e.kind, ExprKind::Ref { base, .. } if base.as_name().is_some_and(inquiry));
    e.for_each_child(&mut |c| found = found || asks_for_shape(c));
    found
}

/// A constant as Fortran writes it: what inquiries give.
fn constant(value: &Constant) -> Option<String> {
    match value {
        Constant::Integer(v, 4) => Some(v.to_string()),
        Constant::Integer(v, k) => Some(format!("{v}_{k}")),
        Constant::Array(items, extents) if extents.len() == 1 => {
            let items: Option<Vec<String>> = items.iter().map(constant).collect();
            Some(format!("[{}]", items?.join(", ")))
        }
        _ => None,
    }
}
