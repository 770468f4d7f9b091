//! CUF loops in host code (guide 2.11): a call of the generated launcher; the loop goes, or stays beside it under a macro.

use std::collections::BTreeSet;

use crate::abi::*;
use crate::ast::*;
use crate::host::context::HostRewriter;
use crate::host::context::edit::wrap_line;
use crate::host::context::names;
use crate::host::context::names::{CUF, INT};
use crate::host::context::rules::Values;
use crate::map::Rule;
use crate::sema::expression::call::ResolvedCall;
use crate::sema::expression::typed::*;
use crate::sema::model::*;

/// Host code has the procedure, and can pass these arguments: not an element of a pointer for an array.
fn on_host(target: ProcedureTarget, args: &[Option<TExpr>]) -> bool {
    matches!(target, ProcedureTarget::Host | ProcedureTarget::HostDevice)
        && args.iter().flatten().all(|a| a.rank == 0)
}

impl HostRewriter<'_> {
    pub(in crate::translation::host) fn cuf_loop(&mut self, k: &CufKernel, span: Span) {
        let Some(launcher) = self.signatures.get(&LauncherOf::Loop(k.directive)).copied() else {
            return; // not translated: the lowering has said why
        };
        self.unit.runtime = true;
        self.unit.shims = true;
        let depth = launcher
            .params
            .iter()
            .filter(|p| p.passing == ArgPassing::Range)
            .count();
        let mut args = vec![self.loop_configuration(k, depth)];
        for p in &launcher.params {
            let text = self.loop_actual(p);
            args.push(text);
        }
        let end = k
            .body
            .as_ref()
            .map_or(k.directive.end, |b| b.span.end.max(span.end));
        let start = match &k.body {
            Some(b) if k.apart => {
                self.delete_statement(Rule::CufLoopLaunch, k.directive);
                b.span.start
            }
            _ => k.directive.start,
        };
        let indent = self.indent_at(start);
        let call = wrap_line(&format!(
            "{indent}call {}({})",
            names::marked(&launcher.symbol),
            args.join(", ")
        ));
        let kernel = launcher.kernel.as_deref().unwrap_or_default();
        let what = match k.mapping.origin() {
            LoopOrigin::CufLoop => "CUF loop",
            LoopOrigin::Construct => "OpenACC",
        };
        let remark = format!("! {what}: {}, {kernel}", self.device_file);
        // A comment behind the loop stands behind the call.
        let after = self.slice(Span {
            start: end,
            end: self.line_end(end),
        });
        let (end, comment) = match after.trim_start().starts_with('!') || after.trim().is_empty() {
            true => (end + after.trim_end().len() as u32, after.trim_end()),
            false => (end, ""),
        };
        let text = format!("{remark}\n{indent}{}{comment}", call.trim_start());
        let all = Span { start, end };
        let kept = self.keeps(k, all).then(|| {
            let host = format!("call {CUF}open_device()\n{indent}{}", self.slice(all));
            let host = format!("{indent}{host}\n{indent}call {CUF}close_device()");
            format!("#ifdef CUF_HOST_LOOPS\n{host}\n#else\n{indent}{text}\n#endif")
        });
        self.edits
            .replace_or_keep(Rule::CufLoopLaunch, all, text, kept);
        self.end_line(end);
    }

    /// The loop is to stay as code of the host, and can: nothing else stands on its lines, and what it calls is there.
    fn keeps(&mut self, k: &CufKernel, lines: Span) -> bool {
        let Some(body) = k.body.as_deref().filter(|_| self.keep_loops) else {
            return false;
        };
        let before = self.slice(Span {
            start: self.line_start(lines.start),
            end: lines.start,
        });
        let after = self.slice(Span {
            start: lines.end,
            end: self.line_end(lines.end),
        });
        let alone = before.trim().is_empty() && after.trim().is_empty();
        let mut variables = BTreeSet::new();
        let keeps = alone && self.host_runs(body, &mut variables);
        if keeps {
            variables.iter().for_each(|s| self.note_variable(*s));
        }
        keeps
    }

    /// Host code can execute the statement: it has no device procedures, predefined variables of kernels, and types that gfortran lacks.
    /// Collects the variables.
    fn host_runs(&self, s: &Stmt, variables: &mut BTreeSet<SymbolId>) -> bool {
        let scope = self.model.scope_at(self.file, s.span.start);
        let scope = scope.unwrap_or(self.scope);
        let called = match &s.kind {
            StmtKind::Call(call) => match self.model.call(scope, call) {
                ResolvedCall::User { target, args, .. } => on_host(target, &args),
                ResolvedCall::Intrinsic { .. } => true,
                _ => false,
            },
            _ => true,
        };
        let mut fits = |e: &Expr| {
            !self.model.expr(scope, e).any(&mut |t| {
                if let TExprKind::Variable(v) = &t.kind {
                    variables.insert(*v);
                }
                match &t.kind {
                    TExprKind::Call { target, args, .. } => !on_host(*target, args),
                    TExprKind::BoundCall { .. }
                    | TExprKind::Runtime { .. }
                    | TExprKind::Builtin { .. }
                    | TExprKind::Unknown => true,
                    _ => matches!(t.ty, Type::Real(2)),
                }
            })
        };
        called
            && s.expressions().into_iter().all(&mut fits)
            && s.blocks()
                .iter()
                .all(|b| b.iter().all(|s| self.host_runs(s, variables)))
    }

    fn loop_configuration(&mut self, k: &CufKernel, depth: usize) -> String {
        let Some(l) = &k.launch else {
            return format!("{CUF}loop()");
        };
        // One star, or one for each loop: all of it is left to the launcher.
        let free = |items: &[Expr]| {
            (items.len() <= 1 || items.len() >= depth)
                && items
                    .iter()
                    .all(|e| matches!(e.kind, ExprKind::Star { .. }))
        };
        let mut args = Vec::new();
        if !free(&l.grid) {
            args.push(format!(
                "grid={}",
                self.loop_tuple(&l.grid, l.grid_is_tuple)
            ));
        }
        if !free(&l.block) {
            args.push(format!(
                "block={}",
                self.loop_tuple(&l.block, l.block_is_tuple)
            ));
        }
        if let Some(b) = &l.bytes {
            args.push(format!("bytes={}", self.value_text(b)));
        }
        if let Some(e) = &l.stream {
            args.push(format!("stream={}", self.value_text(e)));
        }
        format!("{CUF}loop({})", args.join(", "))
    }

    /// A launch dimension: tuples as an array, `*` as 0; a variable of type dim3 as it is.
    fn loop_tuple(&mut self, items: &[Expr], is_tuple: bool) -> String {
        if let ([one], false) = (items, is_tuple) {
            let t = self.expr(one);
            if matches!(t.ty, Type::Derived(_) | Type::Opaque(_)) {
                let name = self.value_text(one);
                return format!("[{name}%x, {name}%y, {name}%z]");
            }
        }
        let mut parts = Vec::new();
        for e in items {
            let t = self.expr(e);
            parts.push(match &e.kind {
                ExprKind::Star { .. } => "0".to_owned(),
                _ if matches!(t.ty, Type::Integer(4)) => self.value_text(e),
                _ => format!("{INT}({}, 4)", self.value_text(e)),
            });
        }
        if parts.is_empty() {
            parts.push("0".to_owned());
        }
        format!("[{}]", parts.join(", "))
    }
}
