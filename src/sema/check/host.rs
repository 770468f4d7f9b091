//! Rules of statements in host code (guide 2.7, 3.4, 3.5).

use super::*;
use crate::sema::call::ResolvedCall;
use crate::sema::intrinsics::is_inquiry;

/// Actual arguments of a runtime procedure with their keywords.
type RuntimeArgs = Vec<(Option<String>, TExpr)>;

impl Checker<'_> {
    pub(super) fn host_stmt(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::Assign { lhs, rhs } => self.host_assignment(lhs, rhs),
            StmtKind::Call(call) => self.host_call(call, s.span),
            StmtKind::Deallocate { options, .. } => {
                for o in options {
                    if let Some(k) = o
                        .keyword
                        .as_ref()
                        .filter(|k| !matches!(k.text.as_str(), "stat" | "errmsg"))
                    {
                        self.report(
                            "CUF0350",
                            k.span,
                            format!("deallocate has no {}= specifier", k.text),
                        );
                    }
                }
            }
            StmtKind::Read { items, .. } => {
                for i in items {
                    let t = self.expr(i);
                    if self.is_device(&t) {
                        let name = self.root_name(&t);
                        self.report(
                            "CUF0351",
                            t.span,
                            format!("device variable '{name}' cannot stand in an input list"),
                        );
                    }
                }
            }
            _ => {}
        }
        for e in expressions(s) {
            let t = self.expr(e);
            self.host_expr(&t);
        }
    }

    /// References in host code that only device code may make, and intrinsics that would have to run on the device.
    pub(super) fn host_expr(&mut self, t: &TExpr) {
        let mut found: Vec<(&'static str, Span, String)> = Vec::new();
        let mut calls: Vec<(SymbolId, Vec<Option<TExpr>>, Span)> = Vec::new();
        let mut runtime: Vec<(String, RuntimeArgs)> = Vec::new();
        walk(t, &mut |e| match &e.kind {
            TExprKind::Call {
                procedure,
                target,
                args,
                ..
            } => {
                if matches!(target, ProcedureTarget::Device) {
                    let name = &self.model[*procedure].spelling;
                    found.push((
                        "CUF0352",
                        e.span,
                        format!("device function '{name}' is called from host code"),
                    ));
                }
                calls.push((*procedure, args.clone(), e.span));
            }
            TExprKind::Builtin { .. } => {
                let name = self.slice(e.span);
                found.push((
                    "CUF0353",
                    e.span,
                    format!("'{name}' is only defined in device code"),
                ));
            }
            TExprKind::Runtime { module, name, args } => {
                if module == "cudadevice" {
                    found.push((
                        "CUF0354",
                        e.span,
                        format!("{name} is only available in device code"),
                    ));
                }
                runtime.push((name.clone(), args.clone()));
            }
            TExprKind::Intrinsic { name, args }
                if !is_inquiry(name) && !self.is_overloaded(name) =>
            {
                for a in args.iter().flatten() {
                    if a.rank > 0 && self.is_device(a) {
                        let shown = self.root_name(a);
                        found.push((
                            "CUF0355",
                            a.span,
                            format!("argument '{shown}' of {name} is a device array: {name} runs on the host"),
                        ));
                    }
                }
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
                        format!("'{name}' is only defined in device code"),
                    ));
                }
            }
            _ => {}
        });
        for (code, span, message) in found {
            self.report(code, span, message);
        }
        for (p, args, span) in calls {
            self.host_actuals(p, &args, span, false);
        }
        for (name, args) in runtime {
            self.runtime_actuals(&name, &args);
        }
    }

    /// Intrinsics that cudafor or cutensorex overload for device arrays in this scope (guide 4, decisions 37 and 53).
    /// Under cutensorex elemental ones may stand in the arguments of the overloaded.
    fn is_overloaded(&self, name: &str) -> bool {
        let in_cudafor = matches!(
            name,
            "sum"
                | "maxval"
                | "minval"
                | "maxloc"
                | "minloc"
                | "any"
                | "all"
                | "count"
                | "merge"
                | "pack"
                | "product"
                | "findloc"
        );
        let mut at = Some(self.scope);
        while let Some(s) = at {
            let scope = &self.model[s];
            if scope
                .uses
                .iter()
                .any(|u| u == "cutensorex" || (u == "cudafor" && in_cudafor))
            {
                return true;
            }
            at = scope.parent;
        }
        false
    }

    fn host_assignment(&mut self, lhs: &ast::Expr, rhs: &ast::Expr) {
        let l = self.expr(lhs);
        let r = self.expr(rhs);
        let mut operands = Vec::new();
        arithmetic_operands(&r, &mut operands);
        let device: Vec<&TExpr> = operands
            .iter()
            .copied()
            .filter(|e| self.is_device(e))
            .collect();
        let is_transfer = matches!(
            strip(&r).kind,
            TExprKind::Variable(_) | TExprKind::Index { .. } | TExprKind::Component { .. }
        );
        let overloaded = self.is_overloaded("matmul");
        if overloaded {
            return;
        }
        if self.is_device(&l)
            && !is_transfer
            && let Some(d) = device.first()
        {
            let (target, name) = (self.root_name(&l), self.root_name(d));
            self.report_help(
                "CUF0356",
                d.span,
                format!("device operand '{name}' in an expression that is assigned to device variable '{target}'"),
                "compute it in a kernel or CUF loop, or copy the operand to the host first",
            );
        } else if let [first, second, ..] = device.as_slice() {
            let (a, b) = (self.root_name(first), self.root_name(second));
            self.report_help(
                "CUF0357",
                second.span,
                format!("two device operands, '{a}' and '{b}', in one expression of host code"),
                "at most one operand can be device data: copy the other to the host first",
            );
        }
        if l.rank >= 0
            && r.rank > 0
            && l.rank != r.rank
            && (self.is_device(&l) || self.is_device(strip(&r)))
            && !matches!(r.ty, Type::Unknown)
            && !matches!(l.ty, Type::Derived(_) | Type::Class(_))
        {
            self.report(
                "CUF0358",
                rhs.span,
                format!(
                    "the sides of this assignment differ in rank: {} and {}",
                    l.rank, r.rank
                ),
            );
        }
    }

    fn host_call(&mut self, call: &Call, span: Span) {
        if let Some(l) = &call.launch {
            self.launch(call, l);
        }
        match self.model.call(self.scope, call) {
            ResolvedCall::User {
                procedure,
                target,
                args,
                ..
            } => {
                let name = self.model[procedure].spelling.clone();
                let written = self.slice(call.callee.span).to_owned();
                let kernel = matches!(
                    target,
                    ProcedureTarget::Global | ProcedureTarget::GridGlobal
                );
                match (kernel, call.launch.is_some()) {
                    (true, false) => self.report_help(
                        "CUF0341",
                        call.callee.span,
                        format!("kernel '{written}' is called without an execution configuration"),
                        "write call name<<<grid, block>>>(...)",
                    ),
                    (false, true) => {
                        let known = self
                            .model
                            .procedure(procedure)
                            .is_some_and(|p| p.body.is_some());
                        if known {
                            self.report(
                                "CUF0342",
                                call.callee.span,
                                format!(
                                    "'{name}' is not a kernel and cannot be launched with <<<...>>>"
                                ),
                            );
                        } else {
                            self.no_interface(&name, call.callee.span);
                        }
                    }
                    (false, false) if target == ProcedureTarget::Device => {
                        self.report(
                            "CUF0352",
                            call.callee.span,
                            format!("device subroutine '{name}' is called from host code"),
                        );
                    }
                    _ => {}
                }
                let external = self
                    .model
                    .procedure(procedure)
                    .is_some_and(|p| p.body.is_none() && p.kind == ProcedureKind::External);
                if kernel && call.launch.is_some() && external {
                    self.no_interface(&name, call.callee.span);
                    return;
                }
                if kernel
                    && let Some(p) = self.model.procedure(procedure)
                    && call.args.len() > p.dummies.len()
                {
                    self.report(
                        "CUF0343",
                        span,
                        format!(
                            "kernel '{name}' takes {} arguments: {} argument values were given",
                            p.dummies.len(),
                            call.args.len()
                        ),
                    );
                }
                args.iter().flatten().for_each(|a| self.host_expr(a));
                self.host_actuals(procedure, &args, span, kernel);
            }
            ResolvedCall::Runtime { module, name, args } => {
                if module == "cudadevice" {
                    self.report(
                        "CUF0354",
                        call.callee.span,
                        format!("{name} is only available in device code"),
                    );
                }
                args.iter().for_each(|(_, a)| self.host_expr(a));
                self.runtime_actuals(&name, &args);
            }
            ResolvedCall::Unknown { name, args } => {
                if call.launch.is_some() {
                    self.no_interface(&name, call.callee.span);
                }
                args.iter().for_each(|(_, a)| self.host_expr(a));
            }
            ResolvedCall::Intrinsic { args, .. } | ResolvedCall::Bound { args, .. } => {
                args.iter().flatten().for_each(|a| self.host_expr(a));
            }
        }
    }

    fn no_interface(&mut self, name: &str, span: Span) {
        self.report_help(
            "CUF0344",
            span,
            format!("'{name}' is launched as a kernel, but has no explicit interface here"),
            "use the module it stands in, or write an interface block",
        );
    }

    fn launch(&mut self, call: &Call, l: &Launch) {
        let positional = l.args.iter().filter(|a| a.keyword.is_none()).count();
        if positional < 2 {
            self.report(
                "CUF0345",
                l.span,
                "the execution configuration lacks the block: <<<grid, block>>>",
            );
        }
        if l.args.len() > 4 {
            self.report(
                "CUF0345",
                l.span,
                "the execution configuration has more than grid, block, bytes and stream",
            );
        }
        for (i, a) in l.args.iter().enumerate().filter(|(i, _)| *i < 2) {
            let t = self.expr(&a.value);
            if matches!(
                t.ty,
                Type::Real(_) | Type::Complex(_) | Type::Logical(_) | Type::Character(_)
            ) {
                let what = if i == 0 { "grid" } else { "block" };
                self.report(
                    "CUF0346",
                    a.value.span,
                    format!(
                        "the {what} must be integer or type(dim3), not {}",
                        self.model.type_name(&t.ty)
                    ),
                );
            }
        }
        let _ = call;
    }
}

pub(super) fn strip(e: &TExpr) -> &TExpr {
    match &e.kind {
        TExprKind::Paren(inner) => strip(inner),
        _ => e,
    }
}

/// Designators that are operands of the arithmetic itself: not actual arguments, not subscripts.
fn arithmetic_operands<'e>(e: &'e TExpr, out: &mut Vec<&'e TExpr>) {
    match &e.kind {
        TExprKind::Variable(_)
        | TExprKind::Index { .. }
        | TExprKind::Component { .. }
        | TExprKind::ComplexPart { .. } => out.push(e),
        TExprKind::Unary { operand, .. } | TExprKind::Paren(operand) => {
            arithmetic_operands(operand, out)
        }
        TExprKind::Binary { lhs, rhs, .. } => {
            arithmetic_operands(lhs, out);
            arithmetic_operands(rhs, out);
        }
        _ => {}
    }
}
