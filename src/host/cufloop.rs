//! CUF loops in host code (guide 2.11): a call of the generated launcher; the loop goes, or stays beside it under a macro.

use std::collections::BTreeSet;

use super::edit::wrap_line;
use super::names;
use super::names::{CUF, INT, LBOUND, LOGICAL};
use super::pass::Pass;
use crate::abi::*;
use crate::ast::*;
use crate::sema::call::ResolvedCall;
use crate::sema::model::*;
use crate::sema::typed::*;

/// Host code has the procedure, and can pass these arguments: not an element of a pointer for an array.
fn on_host(target: ProcedureTarget, args: &[Option<TExpr>]) -> bool {
    matches!(target, ProcedureTarget::Host | ProcedureTarget::HostDevice)
        && args.iter().flatten().all(|a| a.rank == 0)
}

impl Pass<'_> {
    pub(super) fn cuf_loop(&mut self, k: &CufKernel, span: Span) {
        let Some(launcher) = self.signatures.get(&LauncherOf::Loop(k.directive)).copied() else {
            return; // not translated: the lowering has said why
        };
        self.unit.runtime = true;
        self.unit.shims = true;
        let depth = launcher
            .params
            .iter()
            .filter(|p| p.passing == Passing::Range)
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
                self.delete_statement(k.directive);
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
        let remark = format!("! CUF loop: {}, {kernel}", self.device_file);
        // A comment behind the loop goes with it.
        let after = self.slice(Span {
            start: end,
            end: self.line_end(end),
        });
        let end = match after.trim_start().starts_with('!') || after.trim().is_empty() {
            true => end + after.trim_end().len() as u32,
            false => end,
        };
        let text = format!("{remark}\n{indent}{}", call.trim_start());
        let all = Span { start, end };
        let kept = self.keeps(k, all).then(|| {
            let host = format!("call {CUF}open_device()\n{indent}{}", self.slice(all));
            let host = format!("{indent}{host}\n{indent}call {CUF}close_device()");
            format!("#ifdef CUF_HOST_LOOPS\n{host}\n#else\n{indent}{text}\n#endif")
        });
        self.edits.replace_or_keep(all, text, kept);
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

    pub(super) fn loop_actual(&mut self, p: &LauncherParam) -> String {
        match &p.source {
            ParamSource::Operand { array, through } => self.operand_text(array, through),
            ParamSource::LoopRange { from, to, step } => {
                let values: Vec<_> = [Some(from), Some(to), step.as_ref()]
                    .into_iter()
                    .flatten()
                    .map(|e| self.value_text(e))
                    .collect();
                format!("{CUF}range({})", values.join(", "))
            }
            ParamSource::Captured(e) => {
                let t = self.expr(e);
                if matches!(p.passing, Passing::Descriptor) {
                    self.reached(&t);
                }
                // What an associate name of the loop stands for is written nowhere.
                let written = self
                    .slice(e.span)
                    .replace(char::is_whitespace, "")
                    .replace('&', "");
                let spelled = self.spelled(e).filter(|s| *s != written.to_lowercase());
                match &p.passing {
                    Passing::Descriptor => {
                        let name = spelled.unwrap_or_else(|| self.designator_text(e));
                        let whole = match t.kind {
                            TExprKind::Variable(s) => Some(s),
                            _ => None,
                        };
                        self.descriptor(&name, whole)
                    }
                    Passing::Address => {
                        let name = spelled.unwrap_or_else(|| self.designator_text(e));
                        format!("{CUF}address({name})")
                    }
                    Passing::Value(Type::Logical(_)) => {
                        let value = spelled.unwrap_or_else(|| self.value_text(e));
                        format!("{LOGICAL}({value}, 1)")
                    }
                    Passing::Value(_)
                    | Passing::HostValue
                    | Passing::OptionalValue
                    | Passing::Range => spelled.unwrap_or_else(|| self.value_text(e)),
                    Passing::Reference { .. } => {
                        if let Some(root) = t.root() {
                            self.note_variable(root);
                        }
                        spelled.unwrap_or_else(|| self.designator_text(e))
                    }
                }
            }
            ParamSource::Hidden(s) | ParamSource::Dummy(s) => {
                let name = match self.visible_name(self.scope, *s) {
                    Some(name) => name,
                    None => {
                        let (statement, text, is_actual) = self.unseen_data(*s);
                        self.unit.extra_uses.insert(statement);
                        if is_actual {
                            return text;
                        }
                        text
                    }
                };
                match p.passing {
                    Passing::Descriptor => self.descriptor(&name, Some(*s)),
                    _ => format!("{CUF}address({name})"),
                }
            }
        }
    }

    /// A designator of names, components and elements, folded and without blanks; None for other expressions.
    fn spelled(&self, e: &Expr) -> Option<String> {
        Some(match &e.kind {
            ExprKind::Name(n) => n.text.to_string(),
            ExprKind::Component { base, name } => format!("{}%{}", self.spelled(base)?, name.text),
            ExprKind::Ref { base, args } => {
                let text = |a: &Arg| {
                    self.slice(a.span)
                        .replace(char::is_whitespace, "")
                        .replace('&', "")
                };
                let args: Vec<String> = args.iter().map(text).collect();
                format!("{}({})", self.spelled(base)?, args.join(",")).to_lowercase()
            }
            _ => return None,
        })
    }

    /// An array as an argument, with its lower bounds where they are not known to be 1.
    pub(super) fn descriptor(&self, name: &str, variable: Option<SymbolId>) -> String {
        let from_one = variable
            .and_then(|s| self.model.variable(s))
            .is_some_and(|v| {
                let moving = v.attrs.is_dynamic();
                v.dims.iter().all(|d| match d {
                    Dim::Explicit { lower, .. } | Dim::AssumedSize { lower } => lower.is_none(),
                    Dim::Colon { lower } => lower.is_none() && v.dummy.is_some() && !moving,
                    Dim::AssumedRank => false,
                })
            });
        if from_one {
            format!("{CUF}array({name})")
        } else {
            format!("{CUF}array({name}, {LBOUND}({name}))")
        }
    }
}
