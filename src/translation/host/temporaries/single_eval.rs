//! Function references in the subscripts of designators. The statement written may name a designator more than once, and gfortran
//! 12 evaluates the structures around an array component again for each use of its descriptor (measured for any kind of use): each
//! such subscript goes into a variable of the BLOCK around the statement first, so that the function is called once.

use crate::ast::{Expr, Span};
use crate::host::context::rules::Values;
use crate::host::context::{Held, HostRewriter};
use crate::map::Rule;
use crate::sema::expression::typed::*;
use crate::sema::model::*;

impl HostRewriter<'_> {
    /// Runs `f` where the text of a designator is made that stands in the statement written more than once.
    pub(in crate::translation::host) fn repeated<R>(
        &mut self,
        f: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let outer = std::mem::replace(&mut self.repeats, true);
        let result = f(self);
        self.repeats = outer;
        result
    }

    /// The text of a designator that may be repeated.
    pub(in crate::translation::host) fn repeated_text(&mut self, e: &TExpr) -> String {
        self.with_edits(e.span, |p| p.repeated(|p| p.subscripts(e)))
    }

    /// The text of a value that may be repeated: one that refers to functions gets a name.
    pub(in crate::translation::host) fn repeated_value(&mut self, e: &Expr) -> Option<String> {
        let t = self.expr(e);
        if let Some(name) = self.held_at(t.span) {
            return Some(name);
        }
        if t.is_designator() {
            return self.calls(&t).then(|| self.repeated_text(&t));
        }
        if self.held.is_none() || !self.calls(&t) {
            return None;
        }
        let text = self.value_text(e);
        let name = self.held_name("source");
        self.hold_variable(Held {
            name: name.clone(),
            declaration: String::new(),
            set: vec![format!("associate ({name} => {text})")],
            release: Vec::new(),
            end: Some("end associate".to_owned()),
            at: Some(t.span),
        });
        Some(name)
    }

    /// The designator is evaluated more than once, in the text or by gfortran.
    pub(in crate::translation::host) fn evaluated_again(&self, e: &TExpr) -> bool {
        self.repeats || self.owners.may_own(&e.ty) || self.of_described_component(e)
    }

    /// A device, managed, unified or pinned component that has a descriptor, or a part of one.
    fn of_described_component(&self, e: &TExpr) -> bool {
        let described = self.model.component(e).is_some_and(|f| {
            !matches!(f.space, Space::Host | Space::Thread) && f.attrs.is_dynamic()
        });
        described || e.base().is_some_and(|b| self.of_described_component(b))
    }

    /// A reference of a function that need not be pure is part of the expression.
    fn calls(&self, e: &TExpr) -> bool {
        e.any(&mut |e| match &e.kind {
            TExprKind::Call { procedure, .. } | TExprKind::BoundCall { procedure, .. } => {
                self.model.procedure(*procedure).is_none_or(|p| !p.pure)
            }
            TExprKind::StatementFunctionCall { .. } | TExprKind::Runtime { .. } => true,
            _ => false,
        })
    }

    /// Puts the name of a variable in place of a subscript that refers to functions. False if there is none or no variable can
    /// be made.
    pub(in crate::translation::host) fn hold_subscript(&mut self, x: &TExpr) -> bool {
        let integer = matches!(x.ty, Type::Integer(_));
        if self.held.is_none() || x.rank != 0 || !integer || !self.calls(x) {
            return false;
        }
        let name = match self.held_at(x.span) {
            Some(name) => name,
            None => {
                let text = self.with_edits(x.span, |p| p.ordinary(|p| p.value(x)));
                let name = self.held_name("at");
                let of = self.local_type(&x.ty);
                self.hold_variable(Held {
                    name: name.clone(),
                    declaration: format!("{of} :: {name}"),
                    set: vec![format!("{name} = {text}")],
                    release: Vec::new(),
                    end: None,
                    at: Some(x.span),
                });
                name
            }
        };
        self.edits.replace(Rule::HostTemporary, x.span, name);
        true
    }

    /// Runs `f` for what stands inside a subscript: a designator there has its own uses.
    pub(in crate::translation::host) fn ordinary(&mut self, f: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.repeats, false);
        f(self);
        self.repeats = outer;
    }

    /// The variable that already holds what is written at a place.
    fn held_at(&self, at: Span) -> Option<String> {
        let mut all = self.held.iter().flatten();
        all.find(|h| h.at == Some(at)).map(|h| h.name.clone())
    }
}
