//! Rules of statements in device code (guide 2.5, 3.6).

use super::checker::*;
use crate::intrinsics::{Inquiry, Intrinsic, Shape, Subroutine};
use crate::sema::expression::call::ResolvedCall;
use crate::sema::model::suggestions::untranslatable;

impl Checker<'_> {
    /// PRINT and WRITE of device code are list-directed.
    pub(super) fn device_output(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::Print { format, .. } if !matches!(format.kind, ExprKind::Star { .. }) => {
                self.report_help(
                    "CUF0331",
                    s.span,
                    "`print` in device code must be list-directed",
                    "write `print *, ...`",
                );
            }
            StmtKind::Write { control, .. } => self.device_write(control, s.span),
            _ => {}
        }
    }

    pub(super) fn device_stmt(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::Read { .. } => {
                self.report("CUF0330", s.span, "`read` is not allowed in device code\nhelp: read in host code, and pass the values to the kernel");
            }
            StmtKind::Io { word, .. } => {
                self.report(
                    "CUF0330",
                    s.span,
                    format!("`{word}` is not allowed in device code\nhelp: move it to host code"),
                );
            }
            StmtKind::Print { .. } | StmtKind::Write { .. } => self.device_output(s),
            StmtKind::Entry(_) => {
                self.report(
                    "CUF0332",
                    s.span,
                    "`entry` is not allowed in a device procedure",
                );
            }
            StmtKind::Decl(d) => match &d.kind {
                DeclKind::Data(sets) => sets.iter().for_each(|s| self.standard_data(s, d.span)),
                DeclKind::Attributes { attrs, .. }
                    if attrs.iter().any(|a| matches!(a.kind, AttrKind::Save)) =>
                {
                    self.report(
                        "CUF0322",
                        d.span,
                        "`save` is not allowed in a device procedure",
                    );
                }
                _ => {}
            },
            StmtKind::Format => {
                self.report("CUF0330", s.span, "`format` is not allowed in device code");
            }
            StmtKind::Other => {
                let word = self
                    .slice(s.span)
                    .split_whitespace()
                    .next()
                    .unwrap_or_default()
                    .to_ascii_lowercase();
                if word == "pause" {
                    self.report("CUF0330", s.span, "`pause` is not allowed in device code");
                }
            }
            StmtKind::Assign { lhs, rhs } => {
                let (l, r) = (self.expr(lhs), self.expr(rhs));
                self.device_target(&l);
                self.do_variable(lhs);
                self.standard_assignment(&l, &r);
                for (e, t) in [(lhs, l), (rhs, r)] {
                    self.device_expr(&t);
                    self.unknown_components(e, &t);
                }
                return;
            }
            StmtKind::Do(d) => {
                self.device_targets(s);
                if let DoControl::Counted { var, .. } = &d.control {
                    self.do_variable(&ast::Expr {
                        kind: ExprKind::Name(var.clone()),
                        span: var.span,
                    });
                }
            }
            StmtKind::Call(call) => self.device_call(call, s.span),
            StmtKind::CufKernel(k) => {
                self.report(
                    "CUF0333",
                    k.directive,
                    "a CUF loop is not allowed in device code",
                );
            }
            _ => {}
        }
        self.standard_labels(s);
        for e in s.expressions() {
            let t = self.expr(e);
            self.standard_value(s, &t);
            self.device_expr(&t);
            self.unknown_components(e, &t);
        }
    }

    /// The variable that an assignment or DO statement gives a value.
    pub(super) fn device_targets(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::Assign { lhs, .. } => {
                let t = self.expr(lhs);
                self.device_target(&t);
            }
            StmtKind::Do(d) => {
                if let DoControl::Counted { var, .. } = &d.control {
                    let t = self.expr(&ast::Expr {
                        kind: ExprKind::Name(var.clone()),
                        span: var.span,
                    });
                    self.device_target(&t);
                }
            }
            _ => {}
        }
    }

    /// What an assignment in device code may change.
    pub(super) fn device_target(&mut self, t: &TExpr) {
        if matches!(t.kind, TExprKind::Builtin { .. }) {
            let name = self.slice(t.span).to_owned();
            self.report(
                "CUF0336",
                t.span,
                format!("`{name}` is a predefined variable and cannot be modified\nhelp: assign to a variable of your own"),
            );
            return;
        }
        let name = self.root_name(t);
        self.texture_target(t);
        if self.model.space(t) == Some(Space::Constant) {
            self.report(
                "CUF0334",
                t.span,
                format!("constant variable `{name}` cannot be modified in device code\nhelp: assign it in host code, before the launch"),
            );
        } else {
            self.changeable(t);
        }
    }

    fn device_write(&mut self, control: &[Arg], span: Span) {
        let unit = control.first();
        let unit_ok = unit.is_some_and(|u| {
            matches!(u.value.kind, ExprKind::Star { .. })
                || self.model.const_int(self.scope, &u.value) == Some(6)
        });
        let is_internal =
            unit.is_some_and(|u| matches!(self.expr(&u.value).ty, Type::Character(_)));
        let format_ok = control.get(1).is_some_and(|f| {
            matches!(f.value.kind, ExprKind::Star { .. })
                && f.keyword
                    .as_ref()
                    .is_none_or(|k| k.text == "fmt" || k.text == "nml")
        });
        if is_internal || !unit_ok || !format_ok || control.len() > 2 {
            self.report_help(
                "CUF0331",
                span,
                "`write` in device code must be list-directed to unit `*`",
                "write `write(*, *) ...`",
            );
        }
    }

    fn device_call(&mut self, call: &Call, span: Span) {
        match self.model.call(self.scope, call) {
            ResolvedCall::User {
                procedure,
                target,
                args,
                ..
            } => {
                self.device_callee(procedure, target, span, call.launch.is_some());
                self.changed_actuals(procedure, &args);
                self.arguments(procedure, &args, span);
                if let Some(p) = self.model.procedure(procedure)
                    && p.is_function
                    && p.body.is_some()
                {
                    let name = self.model[procedure].spelling.clone();
                    let message =
                        format!("`{name}` is a function and cannot be invoked with `call`");
                    self.report("CUF0210", span, message);
                }
                args.iter().flatten().for_each(|a| self.device_expr(a));
            }
            ResolvedCall::Intrinsic { intrinsic, args } => {
                let here = matches!(
                    intrinsic,
                    Intrinsic::Subroutine(Subroutine::Mvbits | Subroutine::MoveAlloc)
                );
                if !here {
                    self.report(
                        "CUF0338",
                        span,
                        format!(
                            "intrinsic subroutine `{intrinsic}` is not available in device code"
                        ),
                    );
                } else {
                    self.fits_dummies(intrinsic, &args, span);
                }
                args.iter().flatten().for_each(|a| self.device_expr(a));
            }
            ResolvedCall::Bound {
                procedure, args, ..
            } => {
                if let Some(p) = procedure {
                    self.changed_actuals(p, &args);
                    self.arguments(p, &args, span);
                }
                args.iter().flatten().for_each(|a| self.device_expr(a))
            }
            ResolvedCall::Runtime { args, .. } | ResolvedCall::Unknown { args, .. } => {
                args.iter().for_each(|(_, a)| self.device_expr(a));
            }
        }
    }

    fn device_callee(
        &mut self,
        procedure: SymbolId,
        target: ProcedureTarget,
        span: Span,
        launch: bool,
    ) {
        let p = match self.model.procedure(procedure) {
            Some(p)
                if matches!(
                    p.kind,
                    // An internal one of a device subprogram is refused itself.
                    ProcedureKind::Module | ProcedureKind::External
                ) =>
            {
                p
            }
            _ => return,
        };
        if self.model.is_acc_on_device(procedure) {
            return;
        }
        let name = self.model[procedure].spelling.clone();
        let kernel = matches!(
            target,
            ProcedureTarget::Global | ProcedureTarget::GridGlobal
        );
        if target == ProcedureTarget::Host && p.body.is_some() && !p.external_module {
            self.report_help(
                "CUF0337",
                span,
                format!("host procedure `{name}` is called from device code"),
                "declare it `attributes(device)` or `attributes(host, device)`",
            );
        } else if kernel && !launch {
            self.report(
                "CUF0341",
                span,
                format!(
                    "kernel `{name}` is called without an execution configuration\nhelp: write `call {name}<<<grid, block>>>(...)`"
                ),
            );
        }
    }

    fn is_in_common(&self, s: SymbolId) -> bool {
        let in_common = |v: &Variable| v.attrs.has(VarAttrs::IN_COMMON);
        self.model.variable(s).is_some_and(in_common) && !self.model.is_reached_module_data(s)
    }

    pub(super) fn device_expr(&mut self, t: &TExpr) {
        self.mixed_constructors(t, true);
        self.mixed_arguments(t);
        let mut found: Vec<(&'static str, Span, String)> = Vec::new();
        let mut calls: Vec<(SymbolId, ProcedureTarget, Span)> = Vec::new();
        let mut changes = Vec::new();
        t.walk(&mut |e| match &e.kind {
            TExprKind::Variable(s) => {
                if self.is_host_data(*s) {
                    let name = self.root_name(e);
                    found.push((
                        "CUF0339",
                        e.span,
                        format!("host variable `{name}` is used in device code\nhelp: pass it as an argument, or declare it with the `device` or `managed` attribute"),
                    ));
                } else if self.is_in_common(*s) {
                    let name = self.root_name(e);
                    found.push((
                        "CUF0313",
                        e.span,
                        format!("`{name}` is in a common block, which is host data and not accessible in device code"),
                    ));
                }
            }
            TExprKind::Unknown => {
                let text = self.slice(e.span);
                if text.contains(['[', '?']) && !text.starts_with(['[', '(', '\'', '"']) {
                    found.push(("CUF0409", e.span, untranslatable(text)));
                }
            }
            TExprKind::Call {
                procedure,
                target,
                args,
                ..
            } => {
                calls.push((*procedure, *target, e.span));
                changes.push((*procedure, args));
            }
            TExprKind::BoundCall {
                procedure, args, ..
            } => changes.push((*procedure, args)),
            TExprKind::Runtime {
                name: atomic, args, ..
            } if atomic.starts_with("atomic") => {
                found.extend(self.atomic_types(atomic, args));
                if let Some((_, a)) = args.first()
                    && let Some((code, why)) = self.model.unchangeable(a)
                {
                    let name = self.root_name(a);
                    found.push(match code {
                        "CUF0335" => (
                            "CUF0470",
                            a.span,
                            format!("`{name}` {why} and cannot be modified by `{atomic}`"),
                        ),
                        _ => (
                            code,
                            a.span,
                            format!("`{name}` {why} and cannot be modified by `{atomic}`"),
                        ),
                    });
                } else if let Some((_, a)) = args.first()
                    && self.model.space(a) == Some(Space::Thread)
                    && a.root()
                        .and_then(|r| self.model.variable(r))
                        .is_some_and(|v| v.dummy.is_none() && !v.attrs.has(VarAttrs::CRAY_POINTEE))
                {
                    let name = self.root_name(a);
                    found.push((
                        "CUF0340",
                        a.span,
                        format!(
                            "atomic operation on `{name}`, which is private to the thread\nnote: an atomic operation requires device or shared data"
                        ),
                    ));
                }
            }
            _ => {}
        });
        for (code, span, message) in found {
            self.report(code, span, message).warning = code == "CUF0470";
        }
        for (p, target, span) in calls {
            self.device_callee(p, target, span, false);
        }
        for (p, args) in changes {
            self.changed_actuals(p, args);
        }
        t.walk(&mut |e| self.standard_node(e));
    }

    /// What an atomic function works on (guide 3.6.7, tables 11 to 13). Bits of integer(8) are an extension.
    fn atomic_types(
        &self,
        function: &str,
        args: &[(Option<String>, TExpr)],
    ) -> Option<(&'static str, Span, String)> {
        let (_, mem) = args.first()?;
        let name = |e: &TExpr| self.model.type_name(&e.ty);
        if matches!(mem.ty, Type::Unknown | Type::Opaque(_)) {
            return None;
        }
        let (fits, takes) = match function {
            "atomicand" | "atomicor" | "atomicxor" => (
                matches!(mem.ty, Type::Integer(4 | 8)),
                "integer(4) and integer(8)",
            ),
            "atomicinc" | "atomicdec" => (mem.ty == Type::Integer(4), "integer(4)"),
            _ => (
                matches!(mem.ty, Type::Integer(4 | 8) | Type::Real(4 | 8)),
                "integers and reals of kinds 4 and 8",
            ),
        };
        if !fits {
            let message = format!("`{function}` requires {takes}, not {}", name(mem));
            return Some(("CUF0420", mem.span, message));
        }
        let other = args.iter().skip(1).map(|(_, a)| a).find(|a| {
            a.ty != mem.ty && !matches!(a.ty, Type::Unknown | Type::Opaque(_) | Type::Boz)
        })?;
        (function == "atomiccas").then(|| {
            let (is, wanted) = (name(other), name(mem));
            let message = format!("arguments of `atomiccas` must have the same type: one is {is}, but the first is {wanted}");
            ("CUF0420", other.span, message)
        })
    }

    /// Data of the host that device code cannot reach: not a dummy, not local, without CUDA attribute.
    pub(super) fn is_host_data(&self, s: SymbolId) -> bool {
        let Some(v) = self.model.variable(s) else {
            return false;
        };
        matches!(v.space, Space::Host | Space::Pinned)
            && !self.model.is_reached_module_data(s)
            && v.dummy.is_none()
            && matches!(
                self.model[self.model[s].scope].kind,
                ScopeKind::Module | ScopeKind::Submodule | ScopeKind::Program
            )
    }
}

impl Checker<'_> {
    /// Cray pointers of device code (guide 3.6.11: not supported). nvfortran takes them, and programs reach by them the shared memory of other
    /// blocks (guide 3.8.2) and structures whose addresses they keep as `type(c_devptr)`: those whose values are surely addresses are allowed.
    pub(super) fn cray_pointers(&mut self, spec: &[Decl], body: &[Stmt]) {
        if !self.in_device_code() {
            return;
        }
        for d in spec {
            let DeclKind::CrayPointer(pairs) = &d.kind else {
                continue;
            };
            let is_shared = |name: &str| {
                let symbol = self.model.lookup(self.scope, name);
                let variable = symbol.and_then(|s| self.model.variable(s));
                variable.is_some_and(|v| v.space == Space::Shared)
            };
            let refused = pairs.iter().filter(|(pointer, pointee)| {
                !is_shared(&pointee.name.text) && !self.is_given_addresses(&pointer.text, body)
            });
            let names: Vec<&str> = refused.map(|(p, _)| self.slice(p.span)).collect();
            if !names.is_empty() {
                let message = format!(
                    "Cray pointer `{}` has no supported value in a device procedure\nnote: its value must come from `loc`, `cluster_map_shared_rank`, or `transfer` of a `type(c_devptr)`",
                    names.join("', '")
                );
                self.report("CUF0323", d.span, message);
            }
        }
    }

    /// All that is assigned to a Cray pointer in these statements are addresses, and something is.
    fn is_given_addresses(&self, name: &str, body: &[Stmt]) -> bool {
        let mut given = Vec::new();
        assigned_to(name, body, &mut given);
        !given.is_empty()
            && given.into_iter().all(|rhs| {
                // A block around the statement may have names of its own.
                let scope = self.model.scope_at(self.file, rhs.span.start);
                let value = self.model.expr(scope.unwrap_or(self.scope), rhs);
                is_address(self.model, &value)
            })
    }
}

fn assigned_to<'s>(name: &str, body: &'s [Stmt], out: &mut Vec<&'s Expr>) {
    for s in body {
        if let StmtKind::Assign { lhs, rhs } = &s.kind
            && lhs.as_name().is_some_and(|n| n.text == name)
        {
            out.push(rhs);
        }
        for b in s.blocks() {
            assigned_to(name, b, out);
        }
    }
}

fn is_address(model: &Model, e: &TExpr) -> bool {
    match &e.kind {
        TExprKind::Paren(inner) => is_address(model, inner),
        TExprKind::Runtime { name, .. } => name == "cluster_map_shared_rank",
        TExprKind::Intrinsic {
            intrinsic: Intrinsic::Inquiry(Inquiry::Loc),
            ..
        } => true,
        TExprKind::Intrinsic {
            intrinsic: Intrinsic::Shape(Shape::Transfer),
            args,
        } => {
            let source = args.first().and_then(Option::as_ref);
            source.is_some_and(|s| s.rank == 0 && model.is_c_address(&s.ty))
        }
        _ => false,
    }
}
