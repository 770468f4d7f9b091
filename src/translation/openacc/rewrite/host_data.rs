//! `host_data`: variables that are device data between two directives (OpenACC 2.8; guide 3.2.3, table 2). A pointer to the copy on the
//! device stands for each of them.

use std::collections::BTreeMap;

use super::rewriter::Rewriter;
use crate::ast::places::Mentions;
use crate::ast::{Expr, Span, Stmt, StmtKind};
use crate::sema::expression::call::ResolvedCall;
use crate::sema::expression::typed::{TExpr, TExprKind};
use crate::sema::model::{Dim, ProcedureTarget, Space, SymbolId, SymbolKind};
use crate::translation::openacc::clause::ClauseKind;
use crate::translation::openacc::directive::Clause;
use crate::translation::openacc::regions::Region;

impl<'a> Rewriter<'a> {
    pub(super) fn host_data(&mut self, r: &Region<'a>) {
        let d = r.directive;
        if let Some(c) = d.clause(ClauseKind::If).and_then(Clause::value) {
            let value = self.typed(c).and_then(|t| t.as_condition());
            if value == Some(false) {
                self.remove(d);
                self.children(r);
                if let Some(e) = r.end {
                    self.remove(e);
                }
                return;
            }
            if value.is_none() {
                self.report(c.span, "CUF0531", "`host_data` with a condition that is not constant is not supported\nhelp: write the statements in an `if` construct, once with `host_data` and once without");
            }
        }
        let mut declarations = Vec::new();
        let mut sets = Vec::new();
        let mut names: BTreeMap<SymbolId, String> = BTreeMap::new();
        let plain = self.plain_arguments(r.body.statements());
        let mut addresses: BTreeMap<SymbolId, String> = BTreeMap::new();
        let if_present = match d.has(ClauseKind::IfPresent) {
            true => ", if_present=.true.",
            false => "",
        };
        let uses = d.clauses.iter().filter(|c| c.kind == ClauseKind::UseDevice);
        for e in uses.flat_map(Clause::exprs) {
            let Some(t) = self.typed(e) else { continue };
            if e.as_name().is_none() {
                self.report(e.span, "CUF0531", "`use_device` of a component or section is not supported\nhelp: use a pointer that is associated with it");
                continue;
            }
            let Some(s) = t.root().filter(|_| !self.is_on_device(&t)) else {
                continue;
            };
            if names.contains_key(&s) {
                continue;
            }
            let Some(ty) = self.type_text(&t.ty) else {
                let name = &self.model[s].spelling;
                let message =
                    format!("`use_device` of `{name}`: variables of this type are not supported");
                self.report(e.span, "CUF0531", message);
                continue;
            };
            let name = self.name(&self.model[s].name.clone());
            let rank = t.rank.max(0) as usize;
            let colons = match rank {
                0 => String::new(),
                n => format!("({})", vec![":"; n].join(",")),
            };
            let contiguous = if rank > 0 { ", contiguous" } else { "" };
            declarations.push(format!(
                "  {ty}, device, pointer{contiguous} :: {name}{colons}"
            ));
            sets.extend(self.set_pointer(s, e, &name, if_present));
            if plain.iter().any(|(of, _)| *of == s) {
                let address = self.name(&format!("{}_address", self.model[s].name));
                declarations.push(format!("  {ty}, pointer{contiguous} :: {address}{colons}"));
                sets.extend(self.set_pointer(s, e, &address, if_present));
                addresses.insert(s, address);
            }
            names.insert(s, name);
        }
        self.uses_runtime = true;
        let mut lines = vec![
            "block".to_owned(),
            "  use, intrinsic :: iso_c_binding, only: c_f_pointer".to_owned(),
        ];
        lines.extend(declarations);
        lines.extend(sets.into_iter().map(|l| format!("  {l}")));
        self.replace_lines(d.span, &lines);
        self.rename(r, &names, &addresses, &plain);
        self.children(r);
        if let Some(e) = r.end {
            self.replace_lines(e.span, &["end block".to_owned()]);
        } else {
            let indent = self.indent(d.span.start);
            self.insert_after(r.span().end, indent, &["end block".to_owned()]);
        }
    }

    /// The statements that let the pointer point to the copy of a variable.
    fn set_pointer(&self, s: SymbolId, e: &Expr, name: &str, more: &str) -> Vec<String> {
        let spelling = self.text_of(e);
        let place = self.place(e.span.start, &spelling);
        let device = format!("cuf_acc_device({spelling}, {place}{more})");
        let dims = self.model.dims(s);
        if dims.is_empty() {
            return vec![format!("call c_f_pointer({device}, {name})")];
        }
        let is_open = |d: &Dim| matches!(d, Dim::AssumedSize { .. });
        let shape = match dims.iter().any(is_open) {
            false => format!("shape({spelling})"),
            // How long the last dimension is, is not known.
            true => {
                let extents = (1..dims.len()).map(|k| format!("size({spelling}, {k}), "));
                format!("[{}1]", extents.collect::<String>())
            }
        };
        let mut lines = vec![format!("call c_f_pointer({device}, {name}, {shape})")];
        let from_one = |d: &Dim| match d {
            Dim::Explicit { lower, .. } | Dim::AssumedSize { lower } => lower.is_none(),
            Dim::Colon { lower } => lower.is_none() && !self.is_dynamic(s),
            Dim::AssumedRank => true,
        };
        if !dims.iter().all(from_one) {
            let bounds = (1..=dims.len()).map(|k| format!("lbound({spelling}, {k}):"));
            let bounds = bounds.collect::<Vec<_>>().join(", ");
            lines.push(format!("{name}({bounds}) => {name}"));
        }
        lines
    }

    /// Replaces the names inside a region.
    fn rename(
        &mut self,
        r: &Region<'a>,
        names: &BTreeMap<SymbolId, String>,
        addresses: &BTreeMap<SymbolId, String>,
        plain: &[(SymbolId, Span)],
    ) {
        let statements = r.body.statements();
        let (Some(first), Some(last)) = (statements.first(), statements.last()) else {
            return;
        };
        let span = Span {
            start: first.span.start,
            end: last.span.end,
        };
        let mentions = Mentions::of_statements(statements);
        let mut found = Vec::new();
        for n in mentions.names {
            if n.span.start < span.start || n.span.end > span.end {
                continue;
            }
            let Some(scope) = self.scope(n.span.start) else {
                continue;
            };
            let Some(s) = self.model.lookup(scope, &n.text) else {
                continue;
            };
            let inside = |(of, at): &(SymbolId, Span)| {
                *of == s && at.start <= n.span.start && n.span.end <= at.end
            };
            let names = match plain.iter().any(inside) {
                true => addresses,
                false => names,
            };
            if let Some(new) = names.get(&s) {
                found.push((n.span, new.clone()));
            }
        }
        found.sort_by_key(|f| f.0.start);
        found.dedup_by_key(|f| f.0.start);
        for (at, new) in found {
            self.out.push(crate::source::Rewrite::new(at, new));
        }
    }

    /// Actual arguments, and their places, whose dummies have no attribute of CUDA: such a procedure gets the address.
    fn plain_arguments(&self, statements: &[Stmt]) -> Vec<(SymbolId, Span)> {
        let mut out = Vec::new();
        statements.iter().for_each(|s| self.plain_in(s, &mut out));
        out
    }

    fn plain_in(&self, s: &Stmt, out: &mut Vec<(SymbolId, Span)>) {
        let Some(scope) = self.scope(s.span.start) else {
            return;
        };
        let mut add =
            |generic: Option<SymbolId>, dummies: &[Option<SymbolId>], args: &[Option<TExpr>]| {
                for (i, a) in args.iter().enumerate() {
                    if a.as_ref().is_some_and(|a| self.takes_device(generic, i, a)) {
                        continue;
                    }
                    let dummy = dummies.get(i).copied().flatten();
                    let space = dummy.and_then(|d| self.model.variable(d)).map(|v| v.space);
                    // What has no explicit interface gets an address, too.
                    let takes_address = matches!(space, Some(Space::Host) | None);
                    if let Some(a) = a
                        && let Some(root) = a.root()
                        && takes_address
                    {
                        out.push((root, a.span));
                    }
                }
            };
        if let StmtKind::Call(call) = &s.kind
            && let ResolvedCall::User {
                procedure,
                args,
                generic,
                ..
            } = self.model.call(scope, call)
            && let Some(p) = self.model.procedure(procedure)
            && !p.external_module
            && p.target == ProcedureTarget::Host
        {
            add(generic, &p.dummies, &args);
        }
        for e in s.expressions() {
            self.model.expr(scope, e).walk(&mut |t| {
                if let TExprKind::Call {
                    procedure,
                    args,
                    target: ProcedureTarget::Host,
                    generic,
                } = &t.kind
                    && let Some(p) = self.model.procedure(*procedure)
                    && !p.external_module
                {
                    add(*generic, &p.dummies, args);
                }
            });
        }
        for b in s.blocks() {
            b.iter().for_each(|s| self.plain_in(s, out));
        }
    }

    /// A specific procedure of the generic takes such an argument in device memory, which is nearer than one without attribute (guide
    /// 3.2.3, table 2).
    fn takes_device(&self, generic: Option<SymbolId>, position: usize, a: &TExpr) -> bool {
        let Some(SymbolKind::Generic(g)) = generic.map(|g| &self.model[g].kind) else {
            return false;
        };
        g.specifics.iter().any(|s| {
            let dummies = self.model.procedure(*s).map(|p| &p.dummies);
            let dummy = dummies.and_then(|d| d.get(position).copied().flatten());
            dummy.and_then(|d| self.model.variable(d)).is_some_and(|v| {
                v.space == Space::Device
                    && v.ty == a.ty
                    && (v.dims.len() == a.rank.max(0) as usize
                        || v.dims.is_empty() == (a.rank == 0))
            })
        })
    }
}
