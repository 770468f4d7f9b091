//! Whether the iterations of a loop are provably independent: for `kernels` and `auto` (OpenACC 2.5.2, 2.9.7).
//!
//! A loop is independent if its iterations can run in any order: no iteration touches what another one writes. What cannot be proved is
//! a [`Reason`]. Array elements are compared by their subscripts (`subscripts`), scalars by the order in which an iteration
//! reads and writes them (`scalars`).

mod accesses;
mod scalars;
mod subscripts;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use crate::ast::{DoControl, Span, Stmt, StmtKind};
use crate::sema::expression::typed::TExpr;
use crate::sema::model::{FileId, Model, ScopeId, SymbolId, SymbolKind, VarAttrs};

use accesses::{Access, Accesses};

/// A loop whose iterations are independent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Independent {
    /// Scalars that the loop accumulates into, with the operator of a `reduction` clause.
    pub reductions: Vec<(SymbolId, &'static str)>,
    /// Scalars that each iteration assigns, before it reads them.
    pub private: Vec<SymbolId>,
    /// Scalars that some iterations assign, before they read them: the last value is that of an iteration that is not known.
    pub conditional: Vec<SymbolId>,
}

/// Why a loop is not known to be independent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    pub span: Span,
    /// The end of a sentence: `the loop runs sequentially because ...`.
    pub text: String,
}

/// Whether the iterations of `loop` are independent. Variables in `own` have a copy for each iteration. `scope` is that of the loop.
///
/// # Errors
/// Why this cannot be proved.
pub fn independent(
    model: &Model,
    file: FileId,
    scope: ScopeId,
    s: &Stmt,
    own: &BTreeSet<SymbolId>,
) -> Result<Independent, Reason> {
    let refused = |span, text: &str| {
        let text = text.to_owned();
        Err(Reason { span, text })
    };
    let StmtKind::Do(d) = &s.kind else {
        return refused(s.span, "it is not a `do` loop");
    };
    let var = match &d.control {
        DoControl::Counted { var, .. } => var,
        // The program asserts it.
        DoControl::Concurrent(_) => return Ok(Independent::default()),
        _ => {
            return refused(
                d.header,
                "the number of its iterations is not known before it starts",
            );
        }
    };
    let Some(index) = model.lookup(scope, &var.text) else {
        return refused(var.span, "its variable is not known");
    };
    let mut accesses = Accesses::new(model, file, scope);
    accesses.collect(d, s.name.as_deref())?;
    let proof = Proof {
        model,
        index,
        loop_span: s.span,
        own,
        accesses: &accesses,
    };
    proof.associate_names()?;
    proof.aliases()?;
    proof.calls()?;
    let scalars = scalars::classify(&proof, d)?;
    proof.arrays(&scalars)?;
    Ok(scalars)
}

/// What is asked of the accesses of a loop.
pub(super) struct Proof<'a> {
    model: &'a Model,
    index: SymbolId,
    loop_span: Span,
    own: &'a BTreeSet<SymbolId>,
    accesses: &'a Accesses<'a>,
}

impl Proof<'_> {
    fn name(&self, s: SymbolId) -> &str {
        &self.model[s].spelling
    }

    fn attributes(&self, s: SymbolId) -> VarAttrs {
        self.model.variable(s).map(|v| v.attrs).unwrap_or_default()
    }

    /// Each iteration has one of its own: a clause says so, it counts an inner loop, or a BLOCK in the loop declares it.
    fn is_own(&self, s: SymbolId) -> bool {
        let scope = &self.model[self.model[s].scope];
        let inside = scope.file == self.accesses.file
            && scope.span.start >= self.loop_span.start
            && scope.span.end <= self.loop_span.end
            && !self.attributes(s).has(VarAttrs::SAVE)
            && !self.attributes(s).has(VarAttrs::POINTER);
        inside || s == self.index || self.own.contains(&s) || self.accesses.counting.contains(&s)
    }

    /// Associate names for what the loop assigns, or for what pointers may lead to.
    fn associate_names(&self) -> Result<(), Reason> {
        for r in &self.accesses.all {
            if matches!(self.model[r.root].kind, SymbolKind::Variable(_)) {
                continue;
            }
            let last = self.model.stands_for(r.root).last();
            let is_safe = last.is_some_and(|s| {
                let a = self.attributes(s);
                matches!(self.model[s].kind, SymbolKind::Variable(_))
                    && !a.has(VarAttrs::POINTER)
                    && !a.has(VarAttrs::TARGET)
                    && !self.accesses.varying.contains(&s)
            });
            if !is_safe {
                return Err(Reason {
                    span: r.place.span,
                    text: format!(
                        "`{}` may be a name for data that the loop assigns",
                        self.name(r.root)
                    ),
                });
            }
        }
        Ok(())
    }

    /// Variables of which a name of another one may denote parts.
    fn aliases(&self) -> Result<(), Reason> {
        let loose = |s: SymbolId| {
            let a = self.attributes(s);
            a.has(VarAttrs::POINTER) || a.has(VarAttrs::TARGET)
        };
        for w in self.accesses.all.iter().filter(|a| a.is_write) {
            if self.is_own(w.root) {
                continue;
            }
            let attributes = self.attributes(w.root);
            let name = self.name(w.root);
            let refused = |text: String| {
                Err(Reason {
                    span: w.place.span,
                    text,
                })
            };
            if !matches!(self.model[w.root].kind, SymbolKind::Variable(_)) {
                return refused(format!("`{name}` is a name for another variable"));
            }
            let shared = [
                VarAttrs::IN_EQUIVALENCE,
                VarAttrs::CRAY_POINTEE,
                VarAttrs::VOLATILE,
            ];
            if shared.iter().any(|a| attributes.has(*a)) {
                return refused(format!("`{name}` may share memory with other variables"));
            }
            if self.leads_elsewhere(&w.place) {
                return refused(format!(
                    "the target of a pointer component of `{name}` is assigned"
                ));
            }
            for r in &self.accesses.all {
                if r.root == w.root || self.is_own(r.root) {
                    continue;
                }
                let both = loose(w.root)
                    && loose(r.root)
                    && (attributes.has(VarAttrs::POINTER)
                        || self.attributes(r.root).has(VarAttrs::POINTER)
                        || self.is_dummy(w.root)
                        || self.is_dummy(r.root));
                let through = loose(w.root) && self.leads_elsewhere(&r.place);
                let pointer = |s: SymbolId| self.attributes(s).has(VarAttrs::POINTER);
                let by_address = self.model.has_address_pointers
                    && (pointer(w.root) || pointer(r.root) || self.leads_elsewhere(&r.place));
                if both || through || by_address {
                    let other = self.name(r.root);
                    return refused(format!(
                        "`{name}` and `{other}` may be the same data: they are pointers or targets"
                    ));
                }
            }
        }
        Ok(())
    }

    fn is_dummy(&self, s: SymbolId) -> bool {
        self.model.variable(s).is_some_and(|v| v.dummy.is_some())
    }

    /// The designator goes through a pointer component.
    fn leads_elsewhere(&self, e: &TExpr) -> bool {
        let pointer = |x: &TExpr| {
            let field = self.model.component(x);
            field.is_some_and(|f| f.attrs.has(VarAttrs::POINTER))
        };
        pointer(e) || e.base().is_some_and(|b| self.leads_elsewhere(b))
    }

    /// Functions that the loop calls see no variable that it writes.
    fn calls(&self) -> Result<(), Reason> {
        let calls = &self.accesses.calls;
        let internal = calls.iter().find(|c| c.is_internal);
        let Some(call) = internal.or(calls.first()) else {
            return Ok(());
        };
        for w in self.accesses.all.iter().filter(|a| a.is_write) {
            let symbol = &self.model[w.root];
            let local =
                self.model.unit_scope(self.accesses.scope) == self.model.unit_scope(symbol.scope);
            let attributes = self.attributes(w.root);
            let seen = !local
                || call.is_internal
                || attributes.has(VarAttrs::POINTER)
                || attributes.has(VarAttrs::TARGET)
                || attributes.has(VarAttrs::IN_COMMON);
            if seen && !self.is_own(w.root) {
                return Err(Reason {
                    span: call.span,
                    text: format!(
                        "a function is called that may read `{}`, which the loop assigns",
                        self.name(w.root)
                    ),
                });
            }
        }
        Ok(())
    }

    /// No iteration touches an element that another one writes.
    fn arrays(&self, scalars: &Independent) -> Result<(), Reason> {
        let handled = |s: SymbolId| {
            self.is_own(s)
                || scalars.private.contains(&s)
                || scalars.conditional.contains(&s)
                || scalars.reductions.iter().any(|r| r.0 == s)
        };
        for w in self.accesses.all.iter().filter(|a| a.is_write) {
            if handled(w.root) {
                continue;
            }
            let of_root = self.accesses.all.iter().filter(|r| r.root == w.root);
            for r in of_root {
                if !self.apart(&w.place, &r.place) {
                    return Err(self.conflict(w, r));
                }
            }
        }
        Ok(())
    }

    fn conflict(&self, w: &Access, r: &Access) -> Reason {
        let name = self.name(w.root);
        let text = match (w.place.span == r.place.span, r.is_write) {
            (true, _) => format!("iterations may assign the same element of `{name}`"),
            (false, true) => {
                format!(
                    "two statements may assign the same element of `{name}` in different iterations"
                )
            }
            (false, false) => {
                format!("an iteration may read an element of `{name}` that another one assigns")
            }
        };
        Reason {
            span: r.place.span,
            text,
        }
    }
}
