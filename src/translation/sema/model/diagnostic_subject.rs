//! What findings are about: found in the tree by their places, once all passes have reported.

use std::collections::BTreeMap;

use super::suggestions::suggest;
use super::{FileId, Model, ScopeKind, SymbolId, SymbolKind};
use crate::ast::Span;
use crate::ast::places::Index;
use crate::intrinsics;
use crate::sema::expression::typed::BuiltinVar;
use crate::sema::library::runtime_modules;
use crate::sema::{Finding, Input};

/// What a finding is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The statement that it stands in; None in what is no statement of the tree.
    pub statement: Option<Span>,
    /// What the name at its place denotes.
    pub symbol: Option<SymbolId>,
    /// The statement that declares the symbol, if that is in the same file.
    pub declaration: Option<Span>,
    /// Names at its place that stand for nothing, and were reported where they first occur.
    pub undeclared: Vec<SymbolId>,
    /// What may have caused it.
    pub missing: Option<Missing>,
}

/// A name that may come from a module that is not in the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// As the program spells it.
    pub name: String,
    /// The modules, each in quotes, joined with "or".
    pub modules: String,
}

/// States the facts of all findings, and what may have been meant by names that stand for nothing.
pub fn state(model: &Model, inputs: &[Input<'_>], findings: &mut [Finding]) {
    let mut indices: BTreeMap<FileId, Index<'_>> = BTreeMap::new();
    for f in findings {
        let Some(input) = inputs.get(f.file.0 as usize) else {
            continue;
        };
        let index = indices
            .entry(f.file)
            .or_insert_with(|| Index::new(input.ast));
        f.facts = facts(model, input, index, f);
        suggest(model, input, f);
    }
}

fn facts(model: &Model, input: &Input<'_>, index: &Index<'_>, f: &Finding) -> Facts {
    let statement = index.statement(f.span.start);
    let Some(scope) = model.scope_at(f.file, f.span.start) else {
        return Facts {
            statement,
            ..Facts::default()
        };
    };
    let names = index.names(f.span);
    let symbol = names
        .first()
        .filter(|n| n.span.start == f.span.start)
        .and_then(|n| model.lookup(scope, &n.text));
    let declaration = symbol
        .filter(|s| model[model[*s].scope].file == f.file)
        .and_then(|s| index.statement(model[s].span.start));
    let unknown = |s: &SymbolId| matches!(model[*s].kind, SymbolKind::Unknown);
    let undeclared = names
        .iter()
        .filter_map(|n| model.lookup(scope, &n.text))
        .filter(unknown)
        .collect();
    // An operand may be beyond the place: to the end of the statement.
    let to = statement.map_or(f.span.end, |s| s.end.max(f.span.end));
    let rest = Span {
        start: f.span.start,
        end: to,
    };
    let missing = missing_modules(model, f).and_then(|modules| {
        let name = index.names(rest).iter().find(|n| {
            BuiltinVar::named(&n.text).is_none()
                && intrinsics::find(&n.text).is_none()
                && model.lookup(scope, &n.text).as_ref().is_none_or(unknown)
        })?;
        let spelled = input
            .text
            .get(name.span.start as usize..name.span.end as usize);
        Some(Missing {
            name: spelled.unwrap_or(&name.text).to_owned(),
            modules,
        })
    });
    Facts {
        statement,
        symbol,
        declaration,
        undeclared,
        missing,
    }
}

/// The modules used around a finding that are not in the program; None if there are none.
fn missing_modules(model: &Model, f: &Finding) -> Option<String> {
    let mut around = vec![model.scope_at(f.file, f.span.start)?];
    while let Some(parent) = model[*around.last()?].parent {
        around.push(parent);
    }
    if !around.iter().any(|s| model[*s].open_ended) {
        return None;
    }
    let given = |m: &str| {
        let mut units = model.units_by_name.get(m).into_iter().flatten();
        units.any(|s| model[*s].kind == ScopeKind::Module)
    };
    let mut modules: Vec<String> = around
        .iter()
        .flat_map(|s| &model[*s].uses)
        .filter(|m| runtime_modules::find(m).is_none() && !given(m))
        .map(|m| format!("`{m}`"))
        .collect();
    modules.sort_unstable();
    modules.dedup();
    (!modules.is_empty()).then(|| modules.join(" or "))
}
