//! Rules of expressions in host code (guide 3.4).

use super::checker::*;
use crate::intrinsics::Intrinsic;

/// Actual arguments of a runtime procedure with their keywords.
type RuntimeArgs = Vec<(Option<String>, TExpr)>;

impl Checker<'_> {
    /// Polymorphic data of the device where the host needs its value: only SELECT TYPE says what is copied. (gfortran has no descriptor
    /// for C of CLASS(t).)
    pub(super) fn values_without_type(&mut self, t: &TExpr, value: bool) {
        match &t.kind {
            TExprKind::Intrinsic {
                intrinsic: Intrinsic::Inquiry(_),
                args,
            } => args
                .iter()
                .flatten()
                .for_each(|a| self.values_without_type(a, false)),
            TExprKind::Call { args, .. } | TExprKind::BoundCall { args, .. } => args
                .iter()
                .flatten()
                .for_each(|a| self.values_without_type(a, false)),
            TExprKind::Runtime { args, .. } => args
                .iter()
                .for_each(|(_, a)| self.values_without_type(a, false)),
            _ if value && self.is_polymorphic_on_device(t) => {
                let (name, ty) = (self.root_name(t), self.model.type_name(&t.ty));
                self.report_help(
                    "CUF0471",
                    t.span,
                    format!("`{name}` has type `{ty}` and is in device memory, so host code cannot read it"),
                    "use it in a block of select type, where it has a type",
                );
            }
            TExprKind::Index { base, subs } => {
                self.values_without_type(base, value);
                for s in subs {
                    match s {
                        Subscript::Element(e) | Subscript::Vector(e) => {
                            self.values_without_type(e, true);
                        }
                        Subscript::Range { lo, hi, step } => [lo, hi, step]
                            .into_iter()
                            .flatten()
                            .for_each(|e| self.values_without_type(e, true)),
                    }
                }
            }
            TExprKind::Component { base, .. } => self.values_without_type(base, false),
            _ => {
                let mut inside = Vec::new();
                t.for_each_child(&mut |e| inside.push(e));
                inside
                    .into_iter()
                    .for_each(|e| self.values_without_type(e, true));
            }
        }
    }

    fn is_polymorphic_on_device(&self, t: &TExpr) -> bool {
        match t.ty {
            Type::ClassStar => self.is_device(t),
            Type::Class(_) => self.is_device(t) && t.is_designator(),
            _ => false,
        }
    }

    /// References in host code that only device code may make, and intrinsics that would have to run on the device.
    pub(super) fn host_expr(&mut self, t: &TExpr) {
        let mut found: Vec<(&'static str, Span, String)> = Vec::new();
        let mut subscripted: Vec<(&TExpr, &TExpr, &[Subscript])> = Vec::new();
        let mut calls: Vec<(SymbolId, Vec<Option<TExpr>>, Span)> = Vec::new();
        let mut runtime: Vec<(String, RuntimeArgs, Span)> = Vec::new();
        let reduced = self.reduced(t);
        t.walk(&mut |e| match &e.kind {
            TExprKind::Call {
                procedure,
                target,
                args,
                ..
            } => {
                if matches!(
                    target,
                    ProcedureTarget::Global | ProcedureTarget::GridGlobal
                ) {
                    let name = &self.model[*procedure].spelling;
                    found.push((
                        "CUF0341",
                        e.span,
                        format!("kernel `{name}` is referenced as a function\nhelp: write `call {name}<<<grid, block>>>(...)`"),
                    ));
                } else if matches!(target, ProcedureTarget::Device) {
                    let name = &self.model[*procedure].spelling;
                    found.push((
                        "CUF0352",
                        e.span,
                        format!("device function `{name}` is called from host code\nhelp: declare it `attributes(host, device)`, or call it in a kernel"),
                    ));
                }
                calls.push((*procedure, args.clone(), e.span));
            }
            TExprKind::BoundCall {
                procedure, args, ..
            } => {
                if self
                    .model
                    .procedure(*procedure)
                    .is_some_and(|p| p.target == ProcedureTarget::Device)
                {
                    let name = &self.model[*procedure].spelling;
                    found.push((
                        "CUF0352",
                        e.span,
                        format!("device function `{name}` is called from host code\nhelp: declare it `attributes(host, device)`, or call it in a kernel"),
                    ));
                }
                calls.push((*procedure, args.clone(), e.span));
            }
            TExprKind::Builtin { .. } => {
                let name = self.slice(e.span);
                found.push((
                    "CUF0353",
                    e.span,
                    format!("`{name}` is defined only in device code"),
                ));
            }
            TExprKind::Runtime { module, name, args } => {
                if let Some(message) = self.only_device_has(module, name) {
                    found.push(("CUF0354", e.span, message));
                }
                runtime.push((name.clone(), args.clone(), e.span));
            }
            TExprKind::Intrinsic { intrinsic, args }
                if self.is_of_host(*intrinsic, e.span, &reduced) =>
            {
                for a in args.iter().flatten() {
                    if a.rank > 0 && self.is_device(a) {
                        let shown = self.root_name(a);
                        found.push((
                            "CUF0355",
                            a.span,
                            format!("argument `{shown}` of `{intrinsic}` is a device array, but `{intrinsic}` runs on the host"),
                        ));
                    }
                }
            }
            TExprKind::Index { base, subs } if self.is_device(base) => {
                subscripted.push((e, base, subs));
            }
            TExprKind::Unknown => {
                let name = self
                    .slice(e.span)
                    .split(['(', '%', ' '])
                    .next()
                    .unwrap_or_default()
                    .to_ascii_lowercase();
                if matches!(
                    name.as_str(),
                    "threadidx" | "blockidx" | "blockdim" | "griddim"
                ) {
                    found.push((
                        "CUF0353",
                        e.span,
                        format!("`{name}` is defined only in device code"),
                    ));
                }
            }
            _ => {}
        });
        for (code, span, message) in found {
            self.report(code, span, message);
        }
        self.overloaded_arguments(t);
        for (e, base, subs) in subscripted {
            self.subscripts(e, base, subs);
        }
        for (p, args, span) in calls {
            self.host_actuals(p, &args, span, false);
            self.changed_copies(p, &args);
        }
        for (name, args, span) in runtime {
            self.runtime_actuals(&name, &args, span);
        }
    }

    /// Arguments of functions that a module overloads for device data, of which the Fortran compiler may see nothing.
    fn overloaded_arguments(&mut self, t: &TExpr) {
        let mut found = Vec::new();
        t.walk(&mut |e| {
            if let TExprKind::Intrinsic { intrinsic, args } = &e.kind
                && self.is_overloaded(*intrinsic)
                && args.iter().flatten().any(|a| self.is_device(a))
            {
                found.push((*intrinsic, args.clone()));
            }
        });
        for (i, args) in found {
            self.intrinsic_dummies(i, &args, false);
        }
    }

    /// A reference runs on the host: it is not overloaded, and not in an argument of those that are.
    fn is_of_host(&self, i: Intrinsic, at: Span, reduced: &[Span]) -> bool {
        let inner = i.is_elemental() && is_within(at, reduced);
        !i.is_inquiry() && !self.is_overloaded(i) && !inner
    }

    /// The overloaded functions in an expression in whose arguments elemental functions are computed.
    fn reduced(&self, t: &TExpr) -> Vec<Span> {
        let mut spans = Vec::new();
        t.walk(&mut |e| {
            if let TExprKind::Intrinsic { intrinsic, .. } = &e.kind
                && !intrinsic.is_elemental()
                && self.is_overloaded(*intrinsic)
            {
                spans.push(e.span);
            }
        });
        spans
    }
}

fn is_within(inner: Span, outer: &[Span]) -> bool {
    let mut outer = outer.iter();
    outer.any(|o| inner.start >= o.start && inner.end <= o.end)
}
