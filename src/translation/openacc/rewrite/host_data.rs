//! `host_data`: variables that are device data between two directives (OpenACC 2.8; guide 3.2.3, table 2). A pointer to the copy on the
//! device stands for each of them.

use super::rewriter::Rewriter;
use crate::ast::places::Mentions;
use crate::ast::{Expr, Span, Stmt, StmtKind};
use crate::sema::expression::call::ResolvedCall;
use crate::sema::expression::typed::{Subscript, TExpr, TExprKind};
use crate::sema::model::{Dim, ProcedureTarget, Space, SymbolId, SymbolKind};
use crate::translation::openacc::clause::ClauseKind;
use crate::translation::openacc::directive::Clause;
use crate::translation::openacc::regions::Region;

/// A variable or component of `use_device`.
#[derive(Debug)]
struct Used {
    root: SymbolId,
    /// What is written behind the name of the variable, without blanks, in lower case.
    rest: String,
    /// The pointer to device data.
    name: String,
    /// The pointer with the same address for procedures without attributes.
    address: Option<String>,
}

/// An actual argument whose dummy has no attribute of CUDA.
#[derive(Debug)]
struct Plain {
    root: SymbolId,
    span: Span,
    /// An element that stands for an array: where its first subscript ends. Elements of pointers cannot be such arguments.
    element: Option<u32>,
}

/// A designator without the name at its beginning.
fn rest_of(text: &str) -> String {
    let rest = text.find(['%', '(']).and_then(|at| text.get(at..));
    let rest = rest.unwrap_or_default().chars();
    rest.filter(|c| !c.is_whitespace())
        .map(|c| c.to_ascii_lowercase())
        .collect()
}

/// How many bytes of a text that begin a designator's rest are the one given, with blanks between.
fn length_of(rest: &str, text: &str) -> Option<usize> {
    let mut wanted = rest.chars().peekable();
    for (at, c) in text.char_indices() {
        let Some(next) = wanted.peek() else {
            // A longer name is another component.
            let ends = rest.is_empty() || !(c.is_ascii_alphanumeric() || c == '_');
            return ends.then_some(if rest.is_empty() { 0 } else { at });
        };
        if c.to_ascii_lowercase() == *next {
            wanted.next();
        } else if !(c == ' ' || c == '\t') {
            return None;
        }
    }
    match (wanted.next(), rest.is_empty()) {
        (Some(_), _) => None,
        (None, true) => Some(0),
        (None, false) => Some(text.len()),
    }
}

impl<'a> Rewriter<'a> {
    pub(super) fn host_data(&mut self, r: &Region<'a>) {
        let d = r.directive;
        let mut condition = None;
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
                condition = Some(self.text_of(c));
            }
        }
        let mut declarations = Vec::new();
        let mut sets = Vec::new();
        let mut found: Vec<Used> = Vec::new();
        let plain = self.plain_arguments(r.body.statements());
        let mut more = match d.has(ClauseKind::IfPresent) {
            true => ", if_present=.true.".to_owned(),
            false => String::new(),
        };
        if let Some(c) = condition {
            let when = self.name("when");
            declarations.push(format!("  logical :: {when}"));
            sets.push(format!("{when} = {c}"));
            more += &format!(", when={when}");
        }
        let uses = d.clauses.iter().filter(|c| c.kind == ClauseKind::UseDevice);
        for e in uses.flat_map(Clause::exprs) {
            let Some(t) = self.typed(e) else { continue };
            let is_whole = matches!(t.kind, TExprKind::Variable(_) | TExprKind::Component { .. });
            if !is_whole {
                self.report(e.span, "CUF0531", "`use_device` of an array section is not supported\nhelp: list the array, and write the section where it is used");
                continue;
            }
            let Some(root) = t.root().filter(|_| !self.is_on_device(&t)) else {
                continue;
            };
            let used = |of: &Used| of.root == root && of.rest == rest_of(&self.text_of(e));
            if found.iter().any(used) {
                continue;
            }
            let text = self.text_of(e);
            let Some(ty) = self.type_text(&t.ty) else {
                let message =
                    format!("`use_device` of `{text}`: variables of this type are not supported");
                self.report(e.span, "CUF0531", message);
                continue;
            };
            let stem = text
                .rsplit('%')
                .next()
                .unwrap_or_default()
                .trim()
                .to_ascii_lowercase();
            let name = self.name(&stem);
            let rank = t.rank.max(0) as usize;
            let colons = match rank {
                0 => String::new(),
                n => format!("({})", vec![":"; n].join(",")),
            };
            let contiguous = if rank > 0 { ", contiguous" } else { "" };
            declarations.push(format!(
                "  {ty}, device, pointer{contiguous} :: {name}{colons}"
            ));
            sets.extend(self.set_pointer(&t, e, &name, &more));
            let address = plain.iter().any(|p| p.root == root).then(|| {
                let address = self.name(&format!("{stem}_address"));
                declarations.push(format!("  {ty}, pointer{contiguous} :: {address}{colons}"));
                sets.extend(self.set_pointer(&t, e, &address, &more));
                address
            });
            found.push(Used {
                root,
                rest: rest_of(&text),
                name,
                address,
            });
        }
        self.uses_runtime = true;
        let mut lines = vec![
            "block".to_owned(),
            "  use, intrinsic :: iso_c_binding, only: c_f_pointer".to_owned(),
        ];
        lines.extend(declarations);
        lines.extend(sets.into_iter().map(|l| format!("  {l}")));
        self.replace_lines(d.span, &lines);
        self.rename(r, &found, &plain);
        self.children(r);
        if let Some(e) = r.end {
            self.replace_lines(e.span, &["end block".to_owned()]);
        } else {
            let indent = self.indent(d.span.start);
            self.insert_after(r.span().end, indent, &["end block".to_owned()]);
        }
    }

    /// The statements that let the pointer point to the copy of a variable or component.
    fn set_pointer(&self, t: &TExpr, e: &Expr, name: &str, more: &str) -> Vec<String> {
        let spelling = self.text_of(e);
        let place = self.place(e.span.start, &spelling);
        let device = format!("cuf_acc_device({spelling}, {place}{more})");
        let declared = self.model.declared(t);
        let dims = match &t.kind {
            TExprKind::Variable(s) => self.model.dims(*s),
            _ => declared.as_ref().map_or(&[][..], |d| d.dims),
        };
        let rank = t.rank.max(0) as usize;
        if rank == 0 {
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
        let is_dynamic = declared.is_some_and(|d| d.attrs.is_dynamic());
        let from_one = |d: &Dim| match d {
            Dim::Explicit { lower, .. } | Dim::AssumedSize { lower } => lower.is_none(),
            Dim::Colon { lower } => lower.is_none() && !is_dynamic,
            Dim::AssumedRank => true,
        };
        // The bounds of an ASSOCIATE name are those of what it stands for.
        if dims.len() != rank || !dims.iter().all(from_one) {
            let bounds = (1..=rank).map(|k| format!("lbound({spelling}, {k}):"));
            let bounds = bounds.collect::<Vec<_>>().join(", ");
            lines.push(format!("{name}({bounds}) => {name}"));
        }
        lines
    }

    /// Replaces the designators inside a region.
    fn rename(&mut self, r: &Region<'a>, all: &[Used], plain: &[Plain]) {
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
            let behind = self.slice(Span {
                start: n.span.end,
                end: span.end,
            });
            let matches = all.iter().filter(|u| u.root == s);
            let matches = matches.filter_map(|u| Some((length_of(&u.rest, behind)?, u)));
            let Some((length, used)) = matches.max_by_key(|m| m.0) else {
                continue;
            };
            let inside = |p: &&Plain| {
                p.root == s && p.span.start <= n.span.start && n.span.end <= p.span.end
            };
            let argument = plain.iter().find(inside);
            let new = match argument {
                Some(_) => used.address.as_ref().unwrap_or(&used.name),
                None => &used.name,
            };
            if let Some(end) = argument
                .filter(|p| p.span.start == n.span.start)
                .and_then(|p| p.element)
            {
                self.insert(end, ":".to_owned());
            }
            let at = Span {
                start: n.span.start,
                end: n.span.end + length as u32,
            };
            found.push((at, new.clone()));
        }
        found.sort_by_key(|f| f.0.start);
        found.dedup_by_key(|f| f.0.start);
        for (at, new) in found {
            self.out.push(crate::source::Rewrite::new(at, new));
        }
    }

    /// Actual arguments, and their places, whose dummies have no attribute of CUDA: such a procedure gets the address.
    fn plain_arguments(&self, statements: &[Stmt]) -> Vec<Plain> {
        let mut out = Vec::new();
        statements.iter().for_each(|s| self.plain_in(s, &mut out));
        out
    }

    fn plain_in(&self, s: &Stmt, out: &mut Vec<Plain>) {
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
                    let dummy = dummy.and_then(|d| self.model.variable(d));
                    let space = dummy.map(|v| v.space);
                    // What has no explicit interface gets an address, too.
                    let takes_address = matches!(space, Some(Space::Host) | None);
                    if let Some(a) = a
                        && let Some(root) = a.root()
                        && takes_address
                    {
                        let is_array = dummy.is_some_and(|v| !v.dims.is_empty());
                        let element = match &a.kind {
                            TExprKind::Index { subs, .. } if a.rank == 0 && is_array => {
                                subs.first().and_then(|s| match s {
                                    Subscript::Element(e) => Some(e.span.end),
                                    _ => None,
                                })
                            }
                            _ => None,
                        };
                        out.push(Plain {
                            root,
                            span: a.span,
                            element,
                        });
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
