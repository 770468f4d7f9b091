//! One mistake, one message: findings of later passes that only echo an error of an earlier one are left out.

use std::collections::BTreeSet;

use rayon::prelude::*;

use crate::ast::Span;
use crate::sema::model::{FileId, Model, ScopeKind, SymbolKind};
use crate::sema::{Finding, Input, intrinsics, runtime_modules};

/// Codes of the lowering that name a declaration: uses of what is declared there would be refused again.
const DECLARATIONS: [&str; 4] = ["CUF0403", "CUF0405", "CUF0406", "CUF0410"];

/// Rules about the use of a variable whose memory was declared wrongly.
const ECHOES: [&str; 4] = ["CUF0355", "CUF0356", "CUF0357", "CUF0358"];

/// Words of a statement that are no names of the program.
const NO_NAMES: [&str; 13] = [
    "call",
    "and",
    "or",
    "not",
    "eqv",
    "neqv",
    "true",
    "false",
    "threadidx",
    "blockidx",
    "blockdim",
    "griddim",
    "warpsize",
];

/// The program units of a file that have a syntax error.
enum Broken {
    /// There is an error outside of all units.
    All,
    /// Their places, in order.
    Units(Vec<Span>),
}

impl Broken {
    fn new(input: &Input<'_>, errors: &[Span]) -> Broken {
        let units: Vec<Span> = input.ast.units.iter().map(|u| u.span).collect();
        let mut broken: Vec<Span> = Vec::new();
        for e in errors {
            let Some(unit) = covering(&units, e.start) else {
                return Broken::All;
            };
            broken.push(unit);
        }
        broken.sort_by_key(|s| s.start);
        broken.dedup();
        Broken::Units(broken)
    }

    fn contains(&self, at: u32) -> bool {
        match self {
            Broken::All => true,
            Broken::Units(units) => covering(units, at).is_some(),
        }
    }
}

/// The one of the spans, which do not overlap and are in order, that holds an offset.
fn covering(spans: &[Span], at: u32) -> Option<Span> {
    let after = spans.partition_point(|s| s.end < at);
    spans.get(after).copied().filter(|s| s.start <= at)
}

/// Leaves out
/// - what was found in a program unit that has a syntax error, since declarations may be missing from its tree;
/// - what a pass after the checks found in a statement that the checks refuse;
/// - device data that is refused again where it is used, after an error at its declaration;
/// - all but the first of what device code needs of a module that is not in the program.
///
/// `syntax`: places of the syntax errors of each file. `later`: findings of lowering and host pass.
pub fn without_echoes(
    model: &Model,
    inputs: &[Input<'_>],
    syntax: &[Vec<Span>],
    checks: Vec<Finding>,
    later: Vec<Finding>,
) -> Vec<Finding> {
    let broken_units: Vec<Broken> = inputs
        .iter()
        .zip(syntax)
        .map(|(input, errors)| Broken::new(input, errors))
        .collect();
    let broken = |f: &Finding| {
        let file = broken_units.get(f.file.0 as usize);
        file.is_some_and(|b| b.contains(f.span.start))
    };
    let starts: Vec<Vec<u32>> = inputs
        .par_iter()
        .map(|i| {
            i.text
                .match_indices('\n')
                .map(|(n, _)| n as u32 + 1)
                .collect()
        })
        .collect();
    let line = |file: FileId, at: u32| {
        let starts = starts.get(file.0 as usize).map_or(&[][..], Vec::as_slice);
        let before = starts.partition_point(|s| *s <= at);
        let start = before.checked_sub(1).and_then(|i| starts.get(i));
        (file, start.copied().unwrap_or(0))
    };
    let checks: Vec<Finding> = checks.into_iter().filter(|f| !broken(f)).collect();
    let refused: BTreeSet<_> = checks
        .iter()
        .filter(|f| !f.warning)
        .map(|f| line(f.file, f.span.start))
        .collect();
    let mut declarations = refused.clone();
    declarations.extend(
        later
            .iter()
            .filter(|f| DECLARATIONS.contains(&f.code))
            .map(|f| line(f.file, f.span.start)),
    );
    let declared_wrong = |f: &Finding| {
        let text = inputs.get(f.file.0 as usize).map_or("", |i| i.text);
        let name: String = text
            .get(f.span.start as usize..f.span.end as usize)
            .unwrap_or_default()
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric() || *c == '_')
            .collect::<String>()
            .to_ascii_lowercase();
        let scope = model.scope_at(f.file, f.span.start);
        let symbol = scope.and_then(|s| model.lookup(s, &name));
        symbol.is_some_and(|s| {
            let at = &model[s];
            let declared = line(f.file, at.span.start);
            // Not from another file: this one must have an error of its own to have no output.
            model[at.scope].file == f.file
                && declared != line(f.file, f.span.start)
                && declarations.contains(&declared)
        })
    };
    // A name that is wrong for a better known reason, too.
    let better: BTreeSet<_> = checks
        .iter()
        .filter(|f| !f.code.starts_with("CUF02"))
        .map(|f| (f.file, f.span.start))
        .collect();
    let refused_locals: BTreeSet<_> = checks
        .iter()
        .filter(|f| {
            matches!(
                f.code,
                "CUF0306" | "CUF0307" | "CUF0313" | "CUF0314" | "CUF0322" | "CUF0323"
            )
        })
        .map(|f| model.scope_at(f.file, f.span.start))
        .collect();
    let mut out: Vec<Finding> = checks
        .into_iter()
        .filter(|f| {
            let unknown = f.code == "CUF0201" && better.contains(&(f.file, f.span.start));
            let echo = ECHOES.contains(&f.code) && declared_wrong(f);
            !unknown && !echo
        })
        .collect();
    let mut unknown = BTreeSet::new();
    out.extend(later.into_iter().filter_map(|f| {
        if broken(&f) || refused.contains(&line(f.file, f.span.start)) {
            return None;
        }
        match from_unknown_module(model, inputs, &f) {
            Some((module, name)) if !f.warning => {
                unknown.insert((f.file, module.clone())).then(|| Finding {
                    code: "CUF0204",
                    message: format!("`{name}` is not declared: it may come from the module {module}, which is not among the sources"),
                    help: Some("translate the file with that module together with this one".to_owned()),
                    notes: Vec::new(),
                    ..f
                })
            }
            _ => Some(f),
        }
    }).filter(|f| {
        let echo = match f.code {
            "CUF0411" => declared_wrong(f),
            "CUF0307" | "CUF0406" | "CUF0410" | "CUF0431" | "CUF0434" => refused_locals.contains(&model.scope_at(f.file, f.span.start)),
            _ => false,
        };
        !echo
    }));
    out
}

/// The modules that are not in the program, and the name that device code needs of it, if that is why `f` was found.
fn from_unknown_module(
    model: &Model,
    inputs: &[Input<'_>],
    f: &Finding,
) -> Option<(String, String)> {
    let scope = model.scope_at(f.file, f.span.start)?;
    let mut around = vec![scope];
    while let Some(parent) = model[*around.last()?].parent {
        around.push(parent);
    }
    if !around.iter().any(|s| model[*s].open_ended) {
        return None;
    }
    let text = inputs.get(f.file.0 as usize)?.text;
    // An operand may be beyond the span: to the end of the line.
    let found = text.get(f.span.start as usize..)?.lines().next()?;
    let found = found.split('!').next().unwrap_or_default();
    let found = found.replace('%', "%0"); // components are no names of the scope
    let mut words = found.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let name = words.find(|w| {
        let name = w.to_ascii_lowercase();
        w.starts_with(|c: char| c.is_ascii_alphabetic())
            && !NO_NAMES.contains(&name.as_str())
            && intrinsics::find(&name).is_none()
            && model
                .lookup(scope, &name)
                .is_none_or(|s| matches!(model[s].kind, SymbolKind::Unknown))
    })?;
    let modules: BTreeSet<String> = around
        .iter()
        .flat_map(|s| &model[*s].uses)
        .filter(|m| {
            runtime_modules::find(m).is_none()
                && !model
                    .scopes
                    .iter()
                    .any(|s| s.kind == ScopeKind::Module && s.name == **m)
        })
        .map(|m| format!("`{m}`"))
        .collect();
    if modules.is_empty() {
        return None;
    }
    let modules: Vec<String> = modules.into_iter().collect();
    Some((modules.join(" or "), name.to_owned()))
}
