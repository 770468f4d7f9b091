//! One mistake, one message: findings that only echo an error of an earlier pass, or one of a declaration, are left out. What an
//! error spoils and which codes echo it stands in the registry of codes; what a finding is about, in its facts.

use std::collections::BTreeSet;

use crate::ast::{Lost, Span};
use crate::diag::codes::{self, CascadeOf, Code, Invalidates};
use crate::sema::model::{FileId, Model, ScopeId, SymbolId};
use crate::sema::{Finding, Input, state_facts};

/// The program units of a file that have a syntax error.
enum Broken {
    /// There is an error outside of all units.
    All,
    /// Their places, in order.
    Units(Vec<Span>),
}

impl Broken {
    fn new(input: &Input<'_>, errors: &[Lost]) -> Broken {
        let units: Vec<Span> = input.ast.units.iter().map(|u| u.span).collect();
        let mut broken: Vec<Span> = Vec::new();
        for e in errors.iter().filter(|e| e.span.is_none()) {
            let Some(unit) = covering(&units, e.at.start) else {
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

/// A statement: its file and where it begins.
type Statement = (FileId, u32);

/// What the errors so far leave without meaning.
#[derive(Default)]
struct Spoilt {
    /// Refused by the checks: later passes say nothing of them.
    statements: BTreeSet<Statement>,
    /// Statements whose declarations are refused.
    declarations: BTreeSet<Statement>,
    /// Scopes whose data is refused.
    procedures: BTreeSet<Option<ScopeId>>,
    /// Names reported as not declared.
    undeclared: BTreeSet<SymbolId>,
    /// Places of errors of the checks that are no echoes of others at the place.
    checked: BTreeSet<Statement>,
    /// Such places of all errors.
    places: BTreeSet<Statement>,
    /// Files with errors that are no echoes of others in the file.
    files: BTreeSet<FileId>,
}

impl Spoilt {
    fn new(model: &Model, checks: &[Finding], later: &[Finding]) -> Spoilt {
        let mut spoilt = Spoilt::default();
        for (f, is_check) in checks
            .iter()
            .map(|f| (f, true))
            .chain(later.iter().map(|f| (f, false)))
            .filter(|(f, _)| !f.warning)
        {
            let spoils = entry(f).map_or(Invalidates::Statement, |c| c.spoils);
            if is_check {
                spoilt.statements.insert(statement(f));
                if spoils == Invalidates::Procedure {
                    let scope = model.scope_at(f.file, f.span.start);
                    spoilt.procedures.insert(scope);
                }
                if f.code == UNDECLARED {
                    spoilt.undeclared.extend(f.facts.symbol);
                }
            }
            if is_check || spoils != Invalidates::Statement {
                spoilt.declarations.insert(statement(f));
            }
            if echo(f) != CascadeOf::OfFile {
                spoilt.files.insert(f.file);
            }
            if echo(f) != CascadeOf::OfPlace {
                spoilt.places.insert((f.file, f.span.start));
                if is_check {
                    spoilt.checked.insert((f.file, f.span.start));
                }
            }
        }
        spoilt
    }

    /// The finding, of a check or of a later pass, is an echo by the rule of its code.
    fn is_echo(&self, model: &Model, f: &Finding, is_check: bool) -> bool {
        match echo(f) {
            CascadeOf::Never => false,
            CascadeOf::OfPlace if is_check => self.checked.contains(&(f.file, f.span.start)),
            CascadeOf::OfPlace => self.places.contains(&(f.file, f.span.start)),
            CascadeOf::OfFile => self.files.contains(&f.file),
            CascadeOf::OfProcedure if is_check => false,
            CascadeOf::OfProcedure => {
                let scope = model.scope_at(f.file, f.span.start);
                self.procedures.contains(&scope)
            }
            // Not from another file: this one must have an error of its own to have no output.
            CascadeOf::OfDeclaration => f.facts.declaration.is_some_and(|d| {
                let declared = (f.file, d.start);
                declared != statement(f) && self.declarations.contains(&declared)
            }),
        }
    }
}

/// A name without declaration.
const UNDECLARED: &str = "CUF0201";

/// A name that may come from a module that is not in the program.
const MISSING: &str = "CUF0204";

fn entry(f: &Finding) -> Option<&'static Code> {
    codes::find(f.code)
}

fn echo(f: &Finding) -> CascadeOf {
    entry(f).map_or(CascadeOf::Never, |c| c.echo)
}

fn statement(f: &Finding) -> Statement {
    let at = f.facts.statement.map_or(f.span.start, |s| s.start);
    (f.file, at)
}

/// Leaves out
/// - what was found in a program unit that has a syntax error, since declarations may be missing from its tree;
/// - what a pass after the checks found in a statement that the checks refuse, or about a name that they do not know;
/// - what the registry of codes says to be an echo of another error;
/// - all but the first of what device code needs of a module that is not in the program.
///
/// `syntax`: places of the syntax errors of each file. `later`: findings of lowering and host pass.
pub fn without_echoes(
    model: &Model,
    inputs: &[Input<'_>],
    syntax: &[Vec<Lost>],
    mut checks: Vec<Finding>,
    mut later: Vec<Finding>,
) -> Vec<Finding> {
    let broken_units: Vec<Broken> = inputs
        .iter()
        .zip(syntax)
        .map(|(input, errors)| Broken::new(input, errors))
        .collect();
    let whole = |f: &Finding| {
        let file = broken_units.get(f.file.0 as usize);
        !file.is_some_and(|b| b.contains(f.span.start))
    };
    checks.retain(whole);
    later.retain(whole);
    state_facts(model, inputs, &mut checks);
    state_facts(model, inputs, &mut later);
    let meant = |f: &Finding| !is_lost(inputs, syntax, f);
    checks.retain(meant);
    later.retain(meant);
    let spoilt = Spoilt::new(model, &checks, &later);
    let all: Vec<Finding> = checks.iter().chain(&later).cloned().collect();
    checks.retain(|f| !spoilt.is_echo(model, f, true));
    let mut modules = BTreeSet::new();
    let mut out = checks;
    for f in later {
        let unknown = f.facts.undeclared.iter();
        if spoilt.statements.contains(&statement(&f))
            || unknown.into_iter().any(|s| spoilt.undeclared.contains(s))
            || spoilt.is_echo(model, &f, false)
        {
            continue;
        }
        match f.facts.missing.clone().filter(|_| !f.warning) {
            None => out.push(f),
            Some(cause) => {
                if modules.insert((f.file, cause.modules.clone())) {
                    out.push(of_missing_module(f, &cause.name, &cause.modules));
                }
            }
        }
    }
    never_all(all, out)
}

/// Echoes have a cause: where the errors of a file were all left out, each as the echo of another, they are all kept.
fn never_all(all: Vec<Finding>, mut kept: Vec<Finding>) -> Vec<Finding> {
    let files = |list: &[Finding]| -> BTreeSet<FileId> {
        list.iter().filter(|f| !f.warning).map(|f| f.file).collect()
    };
    let (before, after) = (files(&all), files(&kept));
    let silenced: BTreeSet<FileId> = before.difference(&after).copied().collect();
    let silent = |f: &Finding| silenced.contains(&f.file);
    kept.retain(|f| !silent(f));
    kept.extend(all.into_iter().filter(silent));
    kept
}

/// The finding is in text that a syntax error leaves out of the tree, or about a name that may be declared there.
fn is_lost(inputs: &[Input<'_>], syntax: &[Vec<Lost>], f: &Finding) -> bool {
    if syntax.iter().all(Vec::is_empty) {
        return false;
    }
    let statement = f.facts.statement.unwrap_or(f.span);
    let covers = |s: Span, at: u32| s.start <= at && at < s.end.max(s.start + 1);
    let text = inputs.get(f.file.0 as usize).and_then(|i| {
        let from = statement.start.min(f.span.start) as usize;
        let end = statement.end.max(f.span.end) as usize;
        i.text.get(from..end)
    });
    let words: BTreeSet<String> = text
        .unwrap_or_default()
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .map(str::to_ascii_lowercase)
        .collect();
    syntax.iter().enumerate().any(|(file, errors)| {
        let here = file == f.file.0 as usize;
        errors.iter().any(|e| {
            let within = |s: Option<Span>| here && s.is_some_and(|s| covers(s, f.span.start));
            let counts = e.scope.is_none() || within(e.scope);
            within(e.span)
                || f.warning && within(e.scope)
                || counts && e.names.iter().any(|n| words.contains(n))
        })
    })
}

/// What the user has to do is to give the module, whatever the pass found.
fn of_missing_module(f: Finding, name: &str, modules: &str) -> Finding {
    Finding {
        code: MISSING,
        message: format!(
            "`{name}` is not declared: it may come from the module {modules}, which is not among the sources"
        ),
        help: Some("translate the file with that module together with this one".to_owned()),
        notes: Vec::new(),
        ..f
    }
}
