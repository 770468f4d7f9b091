//! Intrinsic assignment of values that own device data (F2018 10.2.1.3): the device data is copied, or taken over from a function
//! result, which nobody needs any more.

use crate::ast::Span;
use crate::host::context::edit::wrap_line;
use crate::host::context::names::{ALLOCATED, ANY, CUF, MOVE_ALLOC, SHAPE, VALUE};
use crate::host::context::rules::Values;
use crate::host::context::{HostRewriter, Within};
use crate::host::lifetime::calls::{bounds_of, guarded, indented};
use crate::host::lifetime::sourced::source_bounds;
use crate::host::temporaries::copy_in::has_vector_subscript;
use crate::map::Rule;
use crate::sema::expression::typed::*;
use crate::sema::model::*;

/// Why a function result is not taken.
const RECURSIVE_RESULT: &str = "cannot be assigned a function result\nnote: its type has an allocatable component of the same type\nhelp: use a subroutine with an `intent(out)` argument";

/// The right side as text.
enum Value {
    /// A function result: its data changes hands.
    Given(String),
    /// Anything else: its data stays where it is.
    Lent(String),
}

impl HostRewriter<'_> {
    /// `a = b` where values of the left side's type may own device data. False if none does.
    pub(in crate::translation::host) fn owner_assignment(
        &mut self,
        l: &TExpr,
        r: &TExpr,
        statement: Span,
    ) -> bool {
        if r.unparenthesised().is_designator() && self.unlimited_component(&r.ty, r.span) {
            return true;
        }
        let takes_part = match l.ty {
            Type::ClassStar => self.owners.may_own(&r.ty),
            _ => self.owners.may_own(&l.ty),
        };
        if !takes_part || self.is_device(l) {
            return false;
        }
        let refused = match () {
            _ if self.within != Within::Ordinary => Some((
                "CUF0394",
                "cannot be assigned in `where`, `forall`, or `do concurrent`\nhelp: write a `do` loop",
            )),
            _ if self.given_recursive(r.unparenthesised()) => Some(("CUF0423", RECURSIVE_RESULT)),
            _ if has_vector_subscript(l) => Some((
                "CUF0423",
                "cannot be assigned through a vector subscript\nhelp: write a `do` loop",
            )),
            _ => None,
        };
        if let Some((code, why)) = refused {
            let name = self.slice(l.span);
            self.finding(code, l.span, format!("`{name}` owns device data and {why}"));
            return true;
        }
        self.unit.runtime = true;
        let to = self.repeated_text(l);
        let lines = match l.ty {
            Type::Derived(t) => self.assign_structure(t, l, r.unparenthesised(), &to),
            _ => self.assign_polymorphic(l, r.unparenthesised(), &to),
        };
        let separator = format!("\n{}", self.indent_at(statement.start));
        let lines: Vec<String> = lines.iter().map(|l| wrap_line(l)).collect();
        self.edits
            .replace(Rule::Owner, statement, lines.join(&separator));
        true
    }

    fn assign_structure(&mut self, t: TypeId, l: &TExpr, source: &TExpr, to: &str) -> Vec<String> {
        let value = self.owner_value(source, l);
        let finalizable = self.owners.finalizable(t);
        let allocatable = self.whole_allocatable(l).is_some();
        let shaped = allocatable && source.rank > 0;
        let given = matches!(value, Value::Given(_));
        let overlaps = l.rank > 0 && self.may_overlap(l, source);
        // gfortran 12 does not free the host components of an array result that is an actual argument.
        if !(finalizable || shaped || overlaps || given && (allocatable || l.rank > 0)) {
            let mut lines = Vec::new();
            if allocatable && l.rank == 0 {
                lines.push(format!("if (.not. {ALLOCATED}({to})) allocate({to})"));
            }
            lines.push(match value {
                Value::Given(from) => format!("call {}({to}, {from})", self.helper("move", t)),
                Value::Lent(from) => format!("call {}({to}, {from})", self.helper("copy", t)),
            });
            return lines;
        }
        // The right side in a variable of its own first.
        let rank = source.rank.max(0) as usize;
        let name = self.type_here(t);
        let mut lines = Vec::new();
        if rank == 0 {
            lines.push(format!("type({name}) :: {CUF}value"));
            lines.push(match value {
                Value::Given(from) => {
                    format!("call {}({CUF}value, {from})", self.helper("move", t))
                }
                Value::Lent(from) => {
                    format!("call {}({CUF}value, {from})", self.helper("copy", t))
                }
            });
        } else {
            lines.push(format!(
                "type({name}), allocatable :: {CUF}value({})",
                vec![":"; rank].join(",")
            ));
            match value {
                Value::Given(from) if self.assigned_by_user(t) => {
                    lines.push(format!("allocate({CUF}value, source={from})"))
                }
                Value::Given(from) => lines.push(format!("{CUF}value = {from}")),
                Value::Lent(from) => {
                    lines.push(format!(
                        "allocate({CUF}value{})",
                        source_bounds(&from, source)
                    ));
                    let copy = self.helper("copy", t);
                    lines.push(format!("call {copy}({CUF}value, {from})"));
                }
            }
        }
        let mut old = Vec::new();
        if finalizable {
            old.push(format!("call {}({to})", self.final_procedure(t, l.rank)));
        }
        if shaped {
            let release = self.helper("release", t);
            old.push(format!(
                "if ({ANY}({SHAPE}({to}) /= {SHAPE}({CUF}value))) then"
            ));
            old.push(format!("  call {release}({to})"));
            old.push(format!("  deallocate({to})"));
            old.push("end if".to_owned());
        }
        lines.extend(guarded(allocatable.then_some(ALLOCATED), to, old));
        if allocatable && (shaped || l.rank == 0) {
            let shape = bounds_of(VALUE, rank);
            lines.push(format!(
                "if (.not. {ALLOCATED}({to})) allocate({to}{shape})"
            ));
        }
        if source.rank == l.rank {
            let give = self.helper("move", t);
            lines.push(format!("call {give}({to}, {CUF}value)"));
        } else {
            let copy = self.helper("copy", t);
            lines.push(format!("call {copy}({to}, {CUF}value)"));
            lines.push(format!("call {}({CUF}value)", self.helper("release", t)));
        }
        block(lines)
    }

    /// Assignment to a polymorphic allocatable, which takes the type of the value.
    fn assign_polymorphic(&mut self, l: &TExpr, source: &TExpr, to: &str) -> Vec<String> {
        let from = self.lent_text(source);
        let shape = source_bounds(&from, source);
        let colons = match source.rank.max(0) {
            0 => String::new(),
            n => format!("({})", vec![":"; n as usize].join(",")),
        };
        let mut lines = vec![format!(
            "{}, allocatable :: {CUF}value{colons}",
            self.owner_type_text(&l.ty)
        )];
        let shaped = format!("{CUF}value{shape}");
        let copy = self.allocated_copy(
            (VALUE, &shaped, &l.ty),
            (&from, &source.ty),
            "",
            source.span,
        );
        lines.extend(copy.allocation);
        lines.extend(copy.lines);
        lines.extend(self.finish(to, &l.ty, l.rank, Some(ALLOCATED)));
        lines.push(format!("call {MOVE_ALLOC}({CUF}value, {to})"));
        block(lines)
    }

    fn owner_value(&mut self, source: &TExpr, l: &TExpr) -> Value {
        let keeps = match (&source.ty, &l.ty) {
            (Type::Derived(s), Type::Derived(t)) => s == t && !self.owners.finalizable(*t),
            _ => false,
        };
        if keeps && source.rank == l.rank && self.gives(source) {
            let text = self.with_edits(source.span, |p| p.given(source));
            return Value::Given(text);
        }
        Value::Lent(self.lent_text(source))
    }

    /// The value is made of nothing but function results that nobody else knows.
    fn gives(&self, e: &TExpr) -> bool {
        match &e.kind {
            TExprKind::Call { .. } | TExprKind::BoundCall { .. } => {
                self.result_variable(e).is_some_and(|v| {
                    !v.attrs.has(VarAttrs::POINTER) && matches!(v.ty, Type::Derived(_))
                })
            }
            TExprKind::ArrayConstructor { items } | TExprKind::ImpliedDo { items, .. } => {
                !items.is_empty() && items.iter().all(|i| self.gives(i))
            }
            TExprKind::Paren(inner) => self.gives(inner),
            _ => false,
        }
    }

    /// Walks a value for which [`Self::gives`] holds: the results in it are not freed.
    fn given(&mut self, e: &TExpr) {
        match &e.kind {
            TExprKind::ArrayConstructor { items } => items.iter().for_each(|i| self.given(i)),
            TExprKind::ImpliedDo {
                items,
                from,
                to,
                step,
                ..
            } => self.without_holding(|p| {
                items.iter().for_each(|i| p.given(i));
                [from, to].into_iter().for_each(|b| p.value(b));
                step.iter().for_each(|s| p.value(s));
            }),
            TExprKind::Paren(inner) => self.given(inner),
            _ => self.call_reference(e),
        }
    }

    /// Elements that the value is made of may be elements of the array on the left, at other places.
    fn may_overlap(&self, l: &TExpr, source: &TExpr) -> bool {
        let reached = |s: SymbolId| match &self.model[s].kind {
            SymbolKind::Variable(v) => {
                v.attrs.has(VarAttrs::POINTER) || v.attrs.has(VarAttrs::TARGET)
            }
            _ => true,
        };
        let Some(root) = l.root() else {
            return true;
        };
        let pointed = reached(root) || self.behind_pointer(l);
        source.any(&mut |e| match &e.kind {
            TExprKind::Variable(s) => *s == root || pointed && reached(*s),
            TExprKind::Component { .. } => pointed && self.is_pointer(e),
            TExprKind::Call { .. } | TExprKind::BoundCall { .. } => self
                .result_variable(e)
                .is_some_and(|v| v.attrs.has(VarAttrs::POINTER)),
            _ => false,
        })
    }

    fn behind_pointer(&self, e: &TExpr) -> bool {
        self.is_pointer(e) || e.base().is_some_and(|b| self.behind_pointer(b))
    }
}

fn block(lines: Vec<String>) -> Vec<String> {
    let mut all = vec!["block".to_owned()];
    all.extend(indented(&lines));
    all.push("end block".to_owned());
    all
}
