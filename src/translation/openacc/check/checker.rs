//! What the rules share: the directive that is being checked, and the sink of findings.

use std::collections::{BTreeMap, BTreeSet};

use super::super::clause::ClauseKind;
use super::super::directive::{Directive, Kind};
use super::super::regions::Region;
use super::FileRegions;
use crate::ast::{Expr, ExprKind, ProgramUnit, Span};
use crate::sema::Finding;
use crate::sema::expression::typed::TExpr;
use crate::sema::model::{FileId, Model, ScopeId, Space, SymbolId, SymbolKind};

/// What directives say of names of the whole program.
#[derive(Default)]
pub(super) struct Known {
    /// Variables in `declare` directives.
    pub declared: BTreeSet<SymbolId>,
    /// Procedures with a `routine` directive, and the widest loop that their callers leave to them.
    pub routines: BTreeMap<SymbolId, Option<ClauseKind>>,
}

impl Known {
    pub fn collect(&mut self, model: &Model, f: &FileRegions<'_>) {
        for r in f.regions.iter().flat_map(|u| &u.regions) {
            let d = r.directive;
            let Some(scope) = model.scope_at(f.file, d.span.start) else {
                continue;
            };
            match d.kind {
                Kind::Declare => {
                    let names = d.clauses.iter().flat_map(|c| c.exprs());
                    let names = names.filter_map(Expr::base_name);
                    let symbols = names.filter_map(|n| model.lookup(scope, &n.text));
                    self.declared.extend(symbols);
                }
                Kind::Routine => {
                    let symbols: Vec<SymbolId> = match d.arguments.is_empty() {
                        true => model[scope].symbol.into_iter().collect(),
                        false => {
                            let names = d.arguments.iter().filter_map(|i| i.word());
                            names.filter_map(|n| model.lookup(scope, n)).collect()
                        }
                    };
                    let levels = [ClauseKind::Gang, ClauseKind::Worker, ClauseKind::Vector];
                    let level = levels.into_iter().find(|l| d.has(*l));
                    self.routines
                        .extend(symbols.into_iter().map(|s| (s, level)));
                }
                _ => {}
            }
        }
    }
}

pub(super) struct Checker<'a> {
    pub model: &'a Model,
    pub file: FileId,
    pub text: &'a str,
    pub known: &'a Known,
    pub unit: &'a ProgramUnit,
    /// Of the directive or statement that is being checked.
    pub scope: ScopeId,
    /// The regions around, outermost first.
    pub chain: Vec<&'a Region<'a>>,
    pub findings: Vec<Finding>,
}

impl<'a> Checker<'a> {
    pub fn report(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
    ) -> &mut Finding {
        let finding = Finding::new(code, self.file, span, message);
        self.findings.push(finding);
        let last = self.findings.len() - 1;
        &mut self.findings[last]
    }

    pub fn slice(&self, span: Span) -> &'a str {
        self.text
            .get(span.start as usize..span.end as usize)
            .unwrap_or_default()
    }

    /// The text of an expression without blanks, folded: the same for the same designator.
    pub fn folded(&self, span: Span) -> String {
        let kept = self.slice(span).chars();
        let kept = kept.filter(|c| !c.is_whitespace() && *c != '&');
        kept.collect::<String>().to_ascii_lowercase()
    }

    pub fn typed(&self, e: &Expr) -> TExpr {
        self.model.expr(self.scope, e)
    }

    pub fn designator(&self, e: &Expr) -> TExpr {
        self.model.designator(self.scope, e)
    }

    /// The variable that a designator is a part of; an associate name is the variable of its selector.
    pub fn root_symbol(&self, e: &Expr) -> Option<SymbolId> {
        let name = e.base_name()?;
        let symbol = self.model.lookup(self.scope, &name.text)?;
        self.model.stands_for(symbol).last()
    }

    /// The compute construct around.
    pub fn construct(&self) -> Option<&'a Region<'a>> {
        let mut all = self.chain.iter().rev();
        all.find(|r| r.directive.kind.is_compute()).copied()
    }

    /// Data that device code reaches by their declaration.
    pub fn is_on_device(&self, symbol: SymbolId) -> bool {
        let space = match &self.model[symbol].kind {
            SymbolKind::Variable(v) => Some(v.space),
            SymbolKind::Associate { space, .. } => *space,
            _ => None,
        };
        matches!(
            space,
            Some(
                Space::Device | Space::Managed | Space::Unified | Space::Constant | Space::Texture
            )
        )
    }
}

/// A constant, perhaps with a sign, as it is written.
pub(super) fn is_name(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Name(_))
}

/// `a`, `b`, and `c`.
pub(super) fn listed(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|n| format!("`{n}`")).collect();
    match &quoted[..] {
        [] => String::new(),
        [one] => one.clone(),
        [one, two] => format!("{one} and {two}"),
        [all @ .., last] => format!("{}, and {last}", all.join(", ")),
    }
}

/// The directive as a note names it.
pub(super) fn name_of(d: &Directive) -> &'static str {
    d.kind.name()
}
