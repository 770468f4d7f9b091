//! Which clauses a directive accepts, how often, and with which arguments.

use super::super::clause::{Argument, ClauseKind, accepted};
use super::super::directive::{Clause, Directive, Item, Kind, Value};
use super::checker::{Checker, listed, name_of};
use crate::ast::Expr;
use crate::sema::model::Type;

/// Code of clauses that a directive does not accept.
const NOT_ACCEPTED: &str = "CUF0513";
/// Code of clauses that are repeated, missing, or have wrong arguments.
const ARGUMENTS: &str = "CUF0514";
/// Code of values of `async`.
const QUEUE: &str = "CUF0525";

impl Checker<'_> {
    pub(super) fn clauses(&mut self, d: &Directive) {
        let accepted = accepted(d.kind);
        let name = name_of(d);
        let mut seen: Vec<ClauseKind> = Vec::new();
        for c in &d.clauses {
            if !accepted.contains(&c.kind) {
                let rule = match accepted.is_empty() {
                    true => format!("`{name}` has no clauses"),
                    false => {
                        let names: Vec<&str> =
                            accepted.iter().map(|k| written(*k, d.kind)).collect();
                        format!("`{name}` accepts {}", listed(&names))
                    }
                };
                let message = format!(
                    "directive `{name}` does not accept clause `{}`\nnote: {rule}\nhelp: remove the clause",
                    c.word.text
                );
                self.report(NOT_ACCEPTED, c.span, message);
                continue;
            }
            if seen.contains(&c.kind) && !c.kind.may_repeat() {
                let message = format!(
                    "clause `{0}` is given twice\nnote: a directive accepts one clause `{0}`\nhelp: remove one of \
                     the two",
                    c.word.text
                );
                self.report(ARGUMENTS, c.span, message);
            }
            seen.push(c.kind);
            self.argument_count(c);
            self.modifiers(c);
            self.values(c);
        }
        self.required(d, &seen);
        self.queues(&d.arguments);
    }

    fn argument_count(&mut self, c: &Clause) {
        let word = &c.word.text;
        let message = match (c.kind.argument(), c.items.len()) {
            (Argument::None, _) if c.has_list => {
                format!("clause `{word}` does not accept arguments\nhelp: remove the parentheses")
            }
            (Argument::One, n) if n != 1 => {
                format!("clause `{word}` requires one argument, but {n} are given")
            }
            (Argument::AtMostOne, n) if c.has_list && n != 1 => format!(
                "clause `{word}` accepts one argument, but {n} are given\nhelp: write one, or remove the parentheses"
            ),
            (Argument::Variables, 0) => format!(
                "clause `{word}` requires a list of variables\nhelp: write the variables in parentheses: `{word}(a, b)`"
            ),
            (Argument::Values, 0) => format!(
                "clause `{word}` requires arguments\nhelp: write them in parentheses after `{word}`"
            ),
            (Argument::Optional, 0) if c.has_list => {
                format!("list of clause `{word}` is empty\nhelp: remove the parentheses")
            }
            _ => return,
        };
        self.report(ARGUMENTS, c.span, message);
    }

    fn modifiers(&mut self, c: &Clause) {
        let word = &c.word.text;
        let known: &[&str] = match c.kind {
            ClauseKind::Reduction => return,
            ClauseKind::Copyin => &["readonly"],
            ClauseKind::Copyout | ClauseKind::Create => &["zero"],
            ClauseKind::Collapse => &["force"],
            ClauseKind::Gang => &["num", "static", "dim"],
            ClauseKind::Worker => &["num"],
            ClauseKind::Vector => &["length"],
            ClauseKind::Wait => &["devnum", "queues"],
            _ => &[],
        };
        let all = c
            .modifier
            .iter()
            .chain(c.items.iter().filter_map(|i| i.modifier.as_ref()));
        for m in all {
            if known.contains(&m.text.as_str()) {
                continue;
            }
            let rule = match known.is_empty() {
                true => format!("note: `{word}` accepts no modifiers"),
                false => format!("note: `{word}` accepts {}", listed(known)),
            };
            let message = format!("`{}` is not a modifier of clause `{word}`\n{rule}", m.text);
            self.report(ARGUMENTS, m.span, message);
        }
    }

    fn values(&mut self, c: &Clause) {
        match c.kind {
            ClauseKind::If | ClauseKind::SelfClause => {
                for e in c.exprs() {
                    self.expects(c, e, "logical", |t| matches!(t, Type::Logical(_)));
                }
            }
            ClauseKind::Async => self.async_value(c),
            ClauseKind::Wait => self.queues(&c.items),
            ClauseKind::NumGangs
            | ClauseKind::NumWorkers
            | ClauseKind::VectorLength
            | ClauseKind::Gang
            | ClauseKind::Worker
            | ClauseKind::Vector
            | ClauseKind::DeviceNum
            | ClauseKind::DefaultAsync
            | ClauseKind::Tile
            | ClauseKind::Collapse => {
                for e in c.exprs() {
                    self.expects(c, e, "integer", |t| matches!(t, Type::Integer(_)));
                    let positive =
                        !matches!(c.kind, ClauseKind::DeviceNum | ClauseKind::DefaultAsync);
                    let value = self.model.const_int(self.scope, e);
                    if positive && value.is_some_and(|v| v < 1) {
                        let message = format!(
                            "argument of `{}` must be positive, but `{}` is not",
                            c.word.text,
                            self.slice(e.span)
                        );
                        self.report(ARGUMENTS, e.span, message);
                    }
                }
            }
            ClauseKind::Default => {
                let word = c.items.first().and_then(Item::word);
                if !matches!(word, Some("none" | "present")) && c.items.len() == 1 {
                    let message = "argument of `default` must be `none` or `present`";
                    self.report(ARGUMENTS, c.span, message);
                }
            }
            _ => {}
        }
        // Only where sizes and gangs are hints may a star stand.
        let star = c.items.iter().find(|i| matches!(i.value, Value::Star));
        let allowed = matches!(
            c.kind,
            ClauseKind::Tile | ClauseKind::Gang | ClauseKind::DeviceType
        );
        if let Some(i) = star.filter(|_| !allowed) {
            let message = format!("`*` is not an argument of clause `{}`", c.word.text);
            self.report(ARGUMENTS, i.span, message);
        }
    }

    fn expects(&mut self, c: &Clause, e: &Expr, what: &str, fits: impl Fn(&Type) -> bool) {
        let t = self.typed(e);
        if matches!(t.ty, Type::Unknown | Type::Opaque(_)) || fits(&t.ty) && t.rank <= 0 {
            return;
        }
        let array = if t.rank > 0 { "an array of " } else { "" };
        let message = format!(
            "argument of `{}` must be a scalar of type `{what}`, but `{}` is {array}`{}`",
            c.word.text,
            self.slice(e.span),
            self.model.type_name(&t.ty)
        );
        self.report(ARGUMENTS, e.span, message);
    }

    /// Queues are numbers from 0, or the special values -1 and -2.
    fn async_value(&mut self, c: &Clause) {
        let Some(e) = c.value() else { return };
        self.expects(c, e, "integer", |t| matches!(t, Type::Integer(_)));
        if let Some(v) = self.model.const_int(self.scope, e)
            && v < -2
        {
            let message = format!(
                "queue `{}` of clause `async` is negative\nnote: queues have numbers from 0; `acc_async_noval` and \
                 `acc_async_sync` are the only negative values (OpenACC 2.16)",
                self.slice(e.span)
            );
            self.report(QUEUE, e.span, message);
        }
    }

    /// The arguments of `wait`.
    fn queues(&mut self, items: &[Item]) {
        for i in items {
            let Some(e) = i.expr() else { continue };
            if let Some(v) = self.model.const_int(self.scope, e)
                && v < -2
            {
                let message = format!(
                    "queue `{}` is negative\nnote: queues have numbers from 0; `acc_async_noval` and \
                     `acc_async_sync` are the only negative values (OpenACC 2.16)",
                    self.slice(e.span)
                );
                self.report(QUEUE, e.span, message);
            }
        }
    }

    fn required(&mut self, d: &Directive, seen: &[ClauseKind]) {
        use ClauseKind::*;
        let any: &[ClauseKind] = match d.kind {
            Kind::Data => &[
                Copy, Copyin, Copyout, Create, NoCreate, Present, Deviceptr, Attach, Default,
            ],
            Kind::EnterData => &[Copyin, Create, Attach],
            Kind::ExitData => &[Copyout, Delete, Detach],
            Kind::HostData => &[UseDevice],
            Kind::Update => &[Host, Device],
            Kind::Declare => &[
                Copy,
                Copyin,
                Copyout,
                Create,
                Present,
                Deviceptr,
                DeviceResident,
                Link,
            ],
            Kind::Set => &[DefaultAsync, DeviceNum, DeviceType],
            _ => &[],
        };
        let name = name_of(d);
        let wrong = d.is_incomplete
            || d.clauses
                .iter()
                .any(|c| !accepted(d.kind).contains(&c.kind));
        if !any.is_empty() && !wrong && !any.iter().any(|k| seen.contains(k)) {
            let names: Vec<&str> = any.iter().map(|k| written(*k, d.kind)).collect();
            let message = match &names[..] {
                [one] => format!("directive `{name}` requires clause `{one}`"),
                _ => format!(
                    "directive `{name}` requires a clause that says what it does\nnote: it requires at least one of {}",
                    listed(&names)
                ),
            };
            // Code that compiles everywhere has it: a region without effect does no harm.
            self.report(ARGUMENTS, d.words, message).warning = d.kind == Kind::Data;
        }
        if d.kind == Kind::Cache && d.arguments.is_empty() {
            let message =
                "directive `cache` requires a list of variables\nhelp: write `cache(a(i))`";
            self.report(ARGUMENTS, d.words, message);
        }
    }
}

/// The name of a clause on a directive.
fn written(kind: ClauseKind, on: Kind) -> &'static str {
    match (kind, on) {
        (ClauseKind::Host, Kind::Update) => "self",
        _ => kind.name(),
    }
}
