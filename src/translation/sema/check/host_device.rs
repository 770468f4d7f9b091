//! Rules of procedures of host and device (guide 2.5.4): what they name is there on both sides.

use super::checker::*;
use crate::libraries::builtins;
use crate::sema::expression::call::ResolvedCall;

/// Modules of which all procedures and variables are the device's.
const DEVICE_MODULES: &[&str] = &["cudadevice", "cooperative_groups", "wmma", "curand_device"];

impl Checker<'_> {
    /// What a statement of such a procedure names that the host does not have.
    pub(super) fn both_sides(&mut self, s: &Stmt) {
        if let StmtKind::Call(call) = &s.kind {
            match self.model.call(self.scope, call) {
                ResolvedCall::Runtime { module, name, args } => {
                    args.iter().for_each(|(_, a)| self.device_names(a));
                    self.only_on_device(&module, &name, call.callee.span);
                }
                ResolvedCall::User {
                    procedure, args, ..
                }
                | ResolvedCall::Bound {
                    procedure: Some(procedure),
                    args,
                    ..
                } => {
                    args.iter().flatten().for_each(|a| self.device_names(a));
                    self.device_procedure(procedure, call.callee.span);
                }
                _ => {}
            }
        }
        for e in s.expressions() {
            let t = self.expr(e);
            self.device_names(&t);
        }
    }

    fn device_names(&mut self, t: &TExpr) {
        let mut runtime = Vec::new();
        let mut procedures = Vec::new();
        let mut builtins = Vec::new();
        t.walk(&mut |e| match &e.kind {
            TExprKind::Runtime { module, name, .. } => {
                runtime.push((module.clone(), name.clone(), e.span));
            }
            TExprKind::Call { procedure, .. } | TExprKind::BoundCall { procedure, .. } => {
                procedures.push((*procedure, e.span));
            }
            TExprKind::Builtin { .. } => builtins.push(e.span),
            _ => {}
        });
        for (module, name, span) in runtime {
            self.only_on_device(&module, &name, span);
        }
        for (procedure, span) in procedures {
            self.device_procedure(procedure, span);
        }
        for span in builtins {
            let name = self.slice(span).to_owned();
            self.report_help(
                "CUF0353",
                span,
                format!(
                    "`{name}` is defined only in device code, but this procedure also runs on the host"
                ),
                "pass it as an argument, or declare the procedure `attributes(device)` only",
            );
        }
    }

    fn only_on_device(&mut self, module: &str, name: &str, span: Span) {
        // Nor does nvcc take them in a function of host and device, whichever version the host has.
        if DEVICE_MODULES.contains(&module) && name != "on_device" {
            self.report_help(
                "CUF0354",
                span,
                format!(
                    "`{name}` is available only in device code, but this procedure also runs on the host"
                ),
                "declare the procedure `attributes(device)` only",
            );
        }
    }

    /// What there is to say of a function of cudadevice in host code that does not have it.
    pub(super) fn only_device_has(&self, module: &str, name: &str) -> Option<String> {
        if module != "cudadevice" || self.host_has(module, name) {
            return None;
        }
        Some(match builtins::host_name(module, name) {
            Some(_) => format!("`{name}` is not declared in host code\nhelp: add `use cudadevice`"),
            None => format!("`{name}` is available only in device code"),
        })
    }

    /// A procedure of a device module that host code has: where it uses the module, as guide 3.8 wants, or by a name that means nothing else.
    pub(super) fn host_has(&self, module: &str, name: &str) -> bool {
        let mut scopes = std::iter::successors(Some(self.scope), |s| self.model[*s].parent);
        builtins::host_name(module, name).is_some()
            && (name.starts_with('_')
                || scopes.any(|s| self.model[s].uses.iter().any(|u| u == module)))
    }

    fn device_procedure(&mut self, procedure: SymbolId, span: Span) {
        let target = self.model.procedure(procedure).map(|p| p.target);
        if target == Some(ProcedureTarget::Device) {
            let name = self.model[procedure].spelling.clone();
            self.report_help(
                "CUF0352",
                span,
                format!(
                    "device procedure `{name}` is called from a procedure that also runs on the host"
                ),
                "declare the callee `attributes(host, device)`, or the caller `attributes(device)`",
            );
        }
    }
}
