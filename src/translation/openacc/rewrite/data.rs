//! Data directives, updates and waits, as calls of the runtime (OpenACC 2.6, 2.7, 2.14, 2.16).

use super::rewriter::{Listed, Rewriter};
use crate::ast::{Expr, Span};
use crate::sema::expression::typed::{Subscript, TExpr, TExprKind};
use crate::sema::model::{SymbolId, Type};
use crate::translation::openacc::clause::ClauseKind;
use crate::translation::openacc::directive::{Clause, Directive, Kind, Value};
use crate::translation::openacc::lines::joined;

/// The calls for the clauses of a construct.
#[derive(Debug, Default)]
pub(super) struct Calls {
    pub enter: Vec<String>,
    pub exit: Vec<String>,
}

/// The procedure of the runtime that a clause of a construct means, without its prefix.
fn structured(c: &Clause) -> Option<&'static str> {
    let zero = c.modifier.as_ref().is_some_and(|m| m.text == "zero");
    Some(match (c.kind, zero) {
        (ClauseKind::Copy, _) => "copy",
        (ClauseKind::Copyin, _) => "copyin",
        (ClauseKind::Copyout, false) => "copyout",
        (ClauseKind::Copyout, true) => "copyout_zero",
        (ClauseKind::Create, false) => "create",
        (ClauseKind::Create, true) => "create_zero",
        (ClauseKind::Present, _) => "present",
        (ClauseKind::NoCreate, _) => "no_create",
        _ => return None,
    })
}

/// What ends the life of data with that procedure.
fn ending(stem: &str) -> &str {
    stem.strip_suffix("_zero").unwrap_or(stem)
}

impl<'a> Rewriter<'a> {
    /// The queue of a directive: None if it is synchronous.
    pub(super) fn queue(&self, d: &Directive) -> Option<String> {
        let c = d.clause(ClauseKind::Async)?;
        Some(match c.value() {
            Some(e) => self.text_of(e),
            None => "-1".to_owned(),
        })
    }

    /// The calls for the data clauses of a construct, whose designators are listed from here on. `all`: for `present`, too; the launcher
    /// of a compute construct looks at whole variables by itself.
    pub(super) fn clauses(&mut self, d: &Directive, queue: Option<&str>, all: bool) -> Calls {
        let mut calls = Calls::default();
        for c in &d.clauses {
            if c.kind == ClauseKind::Deviceptr {
                for e in c.exprs() {
                    self.list(e, false);
                }
                continue;
            }
            if c.kind == ClauseKind::Attach {
                for e in c.exprs() {
                    calls.enter.extend(self.attach(e, "attach", ""));
                    calls.exit.extend(self.attach(e, "detach", ""));
                }
                continue;
            }
            let Some(stem) = structured(c) else { continue };
            for item in &c.items {
                let Value::Expr(e) = &item.value else {
                    continue;
                };
                let on_device = self.typed(e).is_some_and(|t| self.is_on_device(&t));
                self.list(e, !on_device);
                if on_device {
                    continue;
                }
                if c.kind == ClauseKind::Present && !all {
                    if self.is_part(e) {
                        calls.enter.extend(self.runtime_call("part", e, ""));
                        calls.exit.extend(self.runtime_call("end_part", e, ""));
                    }
                    continue;
                }
                let queue = queue.map_or(String::new(), |q| format!(", async={q}"));
                calls.enter.extend(self.runtime_call(stem, e, &queue));
                calls.enter.extend(self.attach(e, "attach", ""));
                calls.exit.extend(self.attach(e, "detach", ""));
                calls
                    .exit
                    .extend(self.runtime_call(&format!("end_{}", ending(stem)), e, &queue));
            }
        }
        // What is detached is detached before anything is copied.
        calls.exit.sort_by_key(|l| !l.contains("cuf_acc_detach("));
        calls
    }

    /// An element or a section that is not the whole array.
    fn is_part(&self, e: &Expr) -> bool {
        let of_all = |s: &Subscript| {
            matches!(
                s,
                Subscript::Range {
                    lo: None,
                    hi: None,
                    ..
                }
            )
        };
        self.typed(e).is_some_and(
            |t| matches!(&t.kind, TExprKind::Index { subs, .. } if !subs.iter().all(of_all)),
        )
    }

    pub(super) fn list(&mut self, e: &Expr, is_mapped: bool) {
        let Some(t) = self.typed(e) else { return };
        let Some(root) = t.root() else { return };
        let mut path = Vec::new();
        let mut at = Some(&t);
        while let Some(x) = at {
            if let TExprKind::Component { name, .. } = &x.kind {
                path.push(name.clone());
            }
            at = x.base();
        }
        path.reverse();
        self.listed.push(Listed {
            root,
            path,
            is_mapped,
        });
    }

    /// `call cuf_acc_STEM(designator, place)`, if the variable is an argument that is there.
    fn runtime_call(&mut self, stem: &str, e: &Expr, more: &str) -> Option<String> {
        self.uses_runtime = true;
        let text = self.text_of(e);
        let place = self.place(e.span.start, &text);
        let guard = self.guard(e);
        let object = self.as_object(e, &text);
        Some(format!(
            "{guard}call cuf_acc_{stem}({object}, {place}{more})"
        ))
    }

    /// The condition under which an optional argument is there.
    fn guard(&self, e: &Expr) -> String {
        let root = self.typed(e).and_then(|t| t.root());
        match root.filter(|r| self.is_optional(*r)) {
            Some(r) => format!("if (present({})) ", self.model[r].spelling),
            None => String::new(),
        }
    }

    /// Attaches the data of a component to its object, or detaches them.
    fn attach(&mut self, e: &Expr, stem: &str, more: &str) -> Option<String> {
        let t = self.typed(e)?;
        let (parent, parent_ty) = self.object_of(&t)?;
        self.uses_runtime = true;
        let text = self.text_of(e);
        let place = self.place(e.span.start, &text);
        let guard = self.guard(e);
        let parent = match &parent_ty {
            ty if self.is_object(ty) => format!("cuf_acc_object({})", self.text_of_span(parent)),
            _ => self.text_of_span(parent),
        };
        let text = self.as_object(e, &text);
        Some(format!(
            "{guard}call cuf_acc_{stem}({parent}, {text}, {place}{more})"
        ))
    }

    /// Of the data of an allocatable or pointer component, the object that it belongs to.
    fn object_of(&self, t: &TExpr) -> Option<(Span, Type)> {
        let mut at = t;
        loop {
            match &at.kind {
                TExprKind::Component { base, .. } => {
                    let field = self.model.component(at)?;
                    let object = || (base.span, base.ty.clone());
                    return field.attrs.is_dynamic().then(object);
                }
                _ => at = at.base()?,
            }
        }
    }

    /// Objects of which gfortran gives no descriptor to C: of CLASS, and of types with procedures (F2018 15.5.2.4).
    fn is_object(&self, ty: &Type) -> bool {
        match ty {
            Type::Class(_) | Type::ClassStar => true,
            Type::Derived(t) => {
                let chain = std::iter::successors(Some(*t), |t| self.model[*t].parent);
                chain.take(64).any(|t| {
                    let of = &self.model[t];
                    !of.bindings.is_empty() || !of.finals.is_empty()
                })
            }
            _ => false,
        }
    }

    /// The actual argument for a variable: its range, if it is such an object.
    pub(super) fn object_text(&self, s: SymbolId, text: &str) -> String {
        match (
            self.is_object(&self.model.type_of(s)),
            self.model.dims(s).len(),
        ) {
            (true, 0) => format!("cuf_acc_object({text})"),
            (true, _) => format!("cuf_acc_objects({text})"),
            _ => text.to_owned(),
        }
    }

    /// The actual argument for a designator: its range, if it is such an object.
    pub(super) fn as_object(&self, e: &Expr, text: &str) -> String {
        match self.typed(e) {
            Some(t) if self.is_object(&t.ty) && t.rank == 0 => format!("cuf_acc_object({text})"),
            Some(t) if self.is_object(&t.ty) => format!("cuf_acc_objects({text})"),
            _ => text.to_owned(),
        }
    }

    fn text_of_span(&self, span: Span) -> String {
        joined(self.slice(span))
    }

    /// The calls that wait for queues before a directive.
    pub(super) fn waits(&mut self, d: &Directive, queue: Option<&str>) -> Vec<String> {
        let mut out = Vec::new();
        for c in d.clauses.iter().filter(|c| c.kind == ClauseKind::Wait) {
            let queues: Vec<String> = queues(&c.items).map(|e| self.text_of(e)).collect();
            out.extend(waiting(&queues, queue));
        }
        self.uses_runtime |= !out.is_empty();
        out
    }

    /// The lines for a directive that stands alone.
    pub(super) fn executable(&mut self, d: &Directive) -> Vec<String> {
        let queue = self.queue(d);
        let mut lines = self.waits(d, queue.as_deref());
        let mut more = queue
            .as_ref()
            .map_or(String::new(), |q| format!(", async={q}"));
        match d.kind {
            Kind::Init | Kind::Shutdown | Kind::Set => lines.extend(self.device_calls(d)),
            Kind::Wait => {
                let queues: Vec<String> = queues(&d.arguments).map(|e| self.text_of(e)).collect();
                self.uses_runtime = true;
                lines.extend(waiting(&queues, queue.as_deref()));
            }
            Kind::Update => {
                if d.has(ClauseKind::IfPresent) {
                    more += ", if_present=.true.";
                }
                for c in &d.clauses {
                    let stem = match c.kind {
                        ClauseKind::Host => "update_self",
                        ClauseKind::Device => "update_device",
                        _ => continue,
                    };
                    for e in c.exprs() {
                        lines.extend(self.runtime_call(stem, e, &more));
                    }
                }
            }
            Kind::EnterData => {
                for c in &d.clauses {
                    let stem = match structured(c) {
                        Some(s @ ("copyin" | "create" | "create_zero")) => format!("enter_{s}"),
                        _ if c.kind == ClauseKind::Attach => {
                            for e in c.exprs() {
                                lines.extend(self.attach(e, "attach", ""));
                            }
                            continue;
                        }
                        _ => continue,
                    };
                    for e in self.host_items(c) {
                        lines.extend(self.runtime_call(&stem, &e, &more));
                        lines.extend(self.attach(&e, "attach", ""));
                    }
                }
            }
            _ => {
                if d.has(ClauseKind::Finalize) {
                    more += ", finalize=.true.";
                }
                let finalize = match d.has(ClauseKind::Finalize) {
                    true => ", finalize=.true.",
                    false => "",
                };
                for c in &d.clauses {
                    let stem = match c.kind {
                        ClauseKind::Copyout => "exit_copyout",
                        ClauseKind::Delete => "exit_delete",
                        ClauseKind::Detach => {
                            for e in c.exprs() {
                                lines.extend(self.attach(e, "detach", finalize));
                            }
                            continue;
                        }
                        _ => continue,
                    };
                    for e in self.host_items(c) {
                        lines.extend(self.attach(&e, "detach", finalize));
                        lines.extend(self.runtime_call(stem, &e, &more));
                    }
                }
            }
        }
        match d.clause(ClauseKind::If).and_then(Clause::value) {
            Some(c) => conditional(&self.text_of(c), lines),
            None => lines,
        }
    }

    /// `init`, `shutdown` and `set` as calls of module `openacc`.
    fn device_calls(&mut self, d: &Directive) -> Vec<String> {
        let value = |k| d.clause(k).and_then(Clause::value).map(|e| self.text_of(e));
        let mut calls = Vec::new();
        if let Some(n) = value(ClauseKind::DeviceNum) {
            calls.push(("acc_set_device_num", format!("{n}, acc_device_nvidia")));
        }
        if let Some(q) = value(ClauseKind::DefaultAsync) {
            calls.push(("acc_set_default_async", q));
        }
        match d.kind {
            Kind::Init => calls.push(("acc_init", "acc_device_nvidia".to_owned())),
            Kind::Shutdown => calls.push(("acc_shutdown", "acc_device_nvidia".to_owned())),
            _ => {}
        }
        if calls.is_empty() {
            return Vec::new();
        }
        let mut lines = vec!["block".to_owned(), "  use openacc".to_owned()];
        lines.extend(
            calls
                .iter()
                .map(|(name, args)| format!("  call {name}({args})")),
        );
        lines.push("end block".to_owned());
        lines
    }

    /// The arguments of a clause that are host data.
    fn host_items(&self, c: &Clause) -> Vec<Expr> {
        let host = |e: &&Expr| !self.typed(e).is_some_and(|t| self.is_on_device(&t));
        c.exprs().filter(host).cloned().collect()
    }

    /// Whether a clause of this construct or of one around it lists the variable, or what of it the path names.
    pub(super) fn is_listed(&self, root: SymbolId, path: &[String]) -> bool {
        self.listed
            .iter()
            .any(|l| l.root == root && path.starts_with(&l.path))
    }
}

/// The numbers of queues: `wait(devnum: 0: queues: 1, 2)` names a device, too.
fn queues(items: &[super::super::directive::Item]) -> impl Iterator<Item = &Expr> {
    let device = |m: &crate::ast::Name| m.text == "devnum";
    let items = items
        .iter()
        .filter(move |i| !i.modifier.as_ref().is_some_and(device));
    items.filter_map(|i| i.expr())
}

fn waiting(queues: &[String], queue: Option<&str>) -> Vec<String> {
    match (queues, queue) {
        ([], None) => vec!["call cuf_acc_wait_all()".to_owned()],
        ([], Some(q)) => vec![format!("call cuf_acc_wait_all_async({q})")],
        (all, None) => all
            .iter()
            .map(|w| format!("call cuf_acc_wait({w})"))
            .collect(),
        (all, Some(q)) => {
            let line = |w| format!("call cuf_acc_wait_async({w}, {q})");
            all.iter().map(line).collect()
        }
    }
}

/// The lines under a condition.
pub(super) fn conditional(condition: &str, lines: Vec<String>) -> Vec<String> {
    if lines.is_empty() {
        return lines;
    }
    let mut out = vec![format!("if ({condition}) then")];
    out.extend(lines.into_iter().map(|l| format!("  {l}")));
    out.push("end if".to_owned());
    out
}
