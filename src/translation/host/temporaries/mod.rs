//! What a statement holds while it runs, in variables of a BLOCK around it: function results that own device memory and are
//! not assigned (operands, arguments, output items), and contiguous copies of actual arguments.

pub(in crate::translation::host) mod copy_in;
pub(in crate::translation::host) mod described;
pub(in crate::translation::host) mod implied_do;
pub(in crate::translation::host) mod single_eval;
pub(in crate::translation::host) mod vector_subscript;

use crate::ast::{Span, Stmt, StmtKind};
use crate::host::context::memory::allocation_space;
use crate::host::context::names;
use crate::host::context::names::ALLOCATED;
use crate::host::context::rules::Values;
use crate::host::context::{Exit, Held, HostRewriter, Within};
use crate::map::Rule;
use crate::sema::expression::typed::*;
use crate::sema::model::*;

/// Statements one level deeper, each followed by the indentation of the next.
pub(in crate::translation::host) fn joined(lines: &[String], indent: &str) -> String {
    let line = |l: &String| {
        let whole = crate::host::context::edit::wrap_line(&format!("{indent}  {l}"));
        // The first one is indented already.
        let whole = whole.strip_prefix(indent).unwrap_or(&whole);
        format!("{whole}\n{indent}")
    };
    lines.iter().map(line).collect()
}

/// What a function result owns.
enum Owned {
    /// A structure with device components.
    Structure,
    /// It is a pointer to device (managed, pinned) memory in the code written, and was allocatable or of fixed shape.
    Memory,
}

impl HostRewriter<'_> {
    /// Walks a statement that can be put into a BLOCK; the results it needs to hold are held around it.
    pub(in crate::translation::host) fn holding(
        &mut self,
        statement: Span,
        walk: impl FnOnce(&mut Self),
    ) {
        if self.within != Within::Ordinary {
            return walk(self);
        }
        let mark = self.edits.mark();
        let held = self.held_by(walk);
        self.enclose(statement, mark, &held, &[]);
    }

    /// What the statement holds that `walk` walks.
    pub(in crate::translation::host) fn held_by(
        &mut self,
        walk: impl FnOnce(&mut Self),
    ) -> Vec<Held> {
        let outer = self.held.replace(Vec::new());
        walk(self);
        std::mem::replace(&mut self.held, outer).unwrap_or_default()
    }

    /// Puts a statement, the edits of which were made after `mark`, into a BLOCK with what it holds. `released`: statements that follow
    /// the releases.
    pub(in crate::translation::host) fn enclose(
        &mut self,
        statement: Span,
        mark: usize,
        held: &[Held],
        released: &[String],
    ) {
        if held.is_empty() {
            return;
        }
        self.unit.runtime = true;
        let indent = self.indent_at(statement.start);
        let only_before =
            |h: &Held| h.declaration.is_empty() && h.release.is_empty() && h.end.is_none();
        if released.is_empty() && held.iter().all(only_before) {
            let lines = held.iter().flat_map(|h| &h.set);
            let text: String = lines.map(|l| format!("{l}\n{indent}")).collect();
            let rule = Rule::HostTemporary;
            return self.edits.insert_at(rule, mark, statement.start, text);
        }
        let declarations = held.iter().map(|h| &h.declaration);
        let head: Vec<String> = declarations
            .filter(|d| !d.is_empty())
            .chain(held.iter().flat_map(|h| &h.set))
            .cloned()
            .collect();
        let head = joined(&head, &indent);
        self.edits.insert_at(
            Rule::HostTemporary,
            mark,
            statement.start,
            format!("block\n{indent}{head}  "),
        );
        let tail: Vec<String> = held
            .iter()
            .flat_map(|h| &h.release)
            .chain(released)
            .chain(held.iter().rev().filter_map(|h| h.end.as_ref()))
            .cloned()
            .collect();
        let tail = joined(&tail, &indent);
        self.edits.insert(
            Rule::HostTemporary,
            statement.end,
            format!("\n{indent}{tail}end block"),
        );
    }

    /// Walks a construct whose first statement, which `head` walks, can hold something until the construct ends. Statements of its
    /// `body` that leave it free that before they go.
    pub(in crate::translation::host) fn holding_around(
        &mut self,
        s: &Stmt,
        head: impl FnOnce(&mut Self),
        body: impl FnOnce(&mut Self),
    ) {
        if self.within != Within::Ordinary {
            head(self);
            return body(self);
        }
        let mark = self.edits.mark();
        let held = self.held_by(head);
        if held.is_empty() {
            return self.without_holding(body);
        }
        let releases = held.iter().flat_map(|h| &h.release);
        let frame = Exit {
            statements: releases.cloned().collect(),
            labels: self.labels_of(s),
            held: held.iter().map(|h| h.name.clone()).collect(),
            ..Exit::default()
        };
        // EXIT and CYCLE that name the construct itself, or mean it as a loop, do not leave the BLOCK around it.
        let own = usize::from(s.name.is_some() || matches!(s.kind, StmtKind::Do(_)));
        let at = self.exits.len().saturating_sub(own);
        self.exits.insert(at, frame);
        self.without_holding(body);
        self.exits.remove(at);
        self.enclose(s.named_span(), mark, &held, &[]);
    }

    /// Runs `f` where no result can be held: it is evaluated more than once.
    pub(in crate::translation::host) fn without_holding(&mut self, f: impl FnOnce(&mut Self)) {
        let outer = self.held.take();
        f(self);
        self.held = outer;
    }

    pub(in crate::translation::host) fn hold_variable(&mut self, variable: Held) {
        if let Some(all) = &mut self.held {
            all.push(variable);
        }
    }

    /// Holds a host copy of an array; the assignments of a WHERE construct have it from the construct.
    pub(in crate::translation::host) fn hold_host_copy(&mut self, copy: Held) {
        match &mut self.held {
            Some(all) => all.push(copy),
            None => self.copies.get_or_insert_default().push(copy),
        }
    }

    /// Walks the assignments of a WHERE construct, where nothing but host copies of arrays can be held.
    pub(in crate::translation::host) fn masked(&mut self, walk: impl FnOnce(&mut Self)) {
        if self.within != Within::Ordinary {
            return self.without_holding(walk);
        }
        // Together with what the mask holds, so that the names differ.
        let held = self.held.take().unwrap_or_default();
        let outer = self.copies.replace(held);
        walk(self);
        self.held = std::mem::replace(&mut self.copies, outer);
    }

    /// Puts the name of a variable in place of a function reference whose result owns device memory.
    pub(in crate::translation::host) fn hold(&mut self, e: &TExpr) -> bool {
        let Some((function, owned)) = self.owned_result(e) else {
            return false;
        };
        if self.held.is_none() {
            let name = self.model[function].spelling.clone();
            self.finding("CUF0423", e.span, format!("result of `{name}` owns device memory that could not be freed here\nhelp: assign it to a variable first"));
            return false;
        }
        if self.given_recursive(e) {
            let name = self.model[function].spelling.clone();
            self.finding("CUF0423", e.span, format!("result of `{name}` owns device memory and has a recursive type\nnote: the type has an allocatable component of the same type\nhelp: use a subroutine with an `intent(out)` argument"));
        }
        let text = self.with_edits(e.span, |p| p.call_reference(e));
        let name = self.held_name(&self.model[function].name);
        let rank = e.rank.max(0) as usize;
        let colons = match rank {
            0 => String::new(),
            _ => format!("({})", vec![":"; rank].join(",")),
        };
        let held = match owned {
            Owned::Structure => {
                let ty = self.owner_type_text(&e.ty);
                let allocatable = rank > 0 || !matches!(e.ty, Type::Derived(_));
                let (attribute, set) = match e.ty {
                    Type::Derived(t) if rank == 0 => {
                        let give = self.helper("move", t);
                        ("", format!("call {give}({name}, {text})"))
                    }
                    // A plain copy takes over the device memory.
                    Type::Derived(t) if !self.assigned_by_user(t) => {
                        (", allocatable", format!("{name} = {text}"))
                    }
                    _ => (", allocatable", format!("allocate({name}, source={text})")),
                };
                let inquiry = allocatable.then_some(ALLOCATED);
                Held {
                    declaration: format!("{ty}{attribute} :: {name}{colons}"),
                    set: vec![set],
                    release: self.finish(&name, &e.ty, e.rank, inquiry),
                    end: None,
                    at: None,
                    name: name.clone(),
                }
            }
            Owned::Memory => {
                let contiguous = if rank == 0 { "" } else { ", contiguous" };
                let ty = self.local_type(&e.ty);
                Held {
                    declaration: format!("{ty}, pointer{contiguous} :: {name}{colons}"),
                    set: vec![format!("{name} => {text}")],
                    release: vec![self.release_text(&name, &e.ty)],
                    end: None,
                    at: None,
                    name: name.clone(),
                }
            }
        };
        self.hold_variable(held);
        self.edits.replace(Rule::HostTemporary, e.span, name);
        true
    }

    /// A name for a variable that the current statement holds.
    pub(in crate::translation::host) fn held_name(&self, stem: &str) -> String {
        let mut name = names::derived(stem);
        let around: Vec<&String> = self.exits.iter().flat_map(|e| &e.held).collect();
        let mine = || self.held.iter().chain(&self.copies).flatten();
        while mine().any(|h| h.name == name) || around.contains(&&name) {
            name.push('_');
        }
        name
    }

    /// A type in a declaration; a derived type may go by another name here.
    pub(in crate::translation::host) fn local_type(&mut self, ty: &Type) -> String {
        match ty {
            Type::Derived(t) if !self.model[*t].external => format!("type({})", self.type_here(*t)),
            ty => self.model.type_name(ty),
        }
    }

    /// Puts the name of a pointer in place of a reference of a pointer function whose value is a structure: the text may be
    /// needed more than once.
    pub(in crate::translation::host) fn hold_pointer(&mut self, whole: &TExpr) -> bool {
        let e = whole.unparenthesised();
        let pointer = self
            .result_variable(e)
            .is_some_and(|v| v.attrs.has(VarAttrs::POINTER));
        let (TExprKind::Call { procedure, .. } | TExprKind::BoundCall { procedure, .. }) = &e.kind
        else {
            return false;
        };
        if !pointer || self.held.is_none() {
            return false;
        }
        let text = self.with_edits(e.span, |p| p.call_reference(e));
        let name = self.held_name(&self.model[*procedure].name);
        let colons = match e.rank.max(0) {
            0 => String::new(),
            n => format!("({})", vec![":"; n as usize].join(",")),
        };
        let ty = self.owner_type_text(&e.ty);
        self.hold_variable(Held {
            declaration: format!("{ty}, pointer :: {name}{colons}"),
            set: vec![format!("{name} => {text}")],
            release: Vec::new(),
            end: None,
            at: None,
            name: name.clone(),
        });
        self.edits.replace(Rule::HostTemporary, whole.span, name);
        true
    }

    fn owned_result(&self, e: &TExpr) -> Option<(SymbolId, Owned)> {
        let (TExprKind::Call { procedure, .. } | TExprKind::BoundCall { procedure, .. }) = &e.kind
        else {
            return None;
        };
        let v = self.result_variable(e)?;
        if self.owners.owner_variable(v) {
            return Some((*procedure, Owned::Structure));
        }
        let gives_memory = !v.attrs.has(VarAttrs::POINTER) && allocation_space(v.space).is_some();
        gives_memory.then_some((*procedure, Owned::Memory))
    }

    /// A function result whose type contains itself, which gfortran 12 copies wrongly and frees on its own.
    pub(in crate::translation::host) fn given_recursive(&self, e: &TExpr) -> bool {
        let derived = match e.ty {
            Type::Derived(t) => self.owners.owns_device_data(t) && self.owners.contains_itself(t),
            _ => false,
        };
        let result = self.result_variable(e);
        derived && result.is_some_and(|v| !v.attrs.has(VarAttrs::POINTER))
    }
}
