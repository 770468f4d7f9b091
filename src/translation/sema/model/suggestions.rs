//! Help for names that stand for nothing: the name that was probably meant, among those of the same kind, or what Fortran has in
//! the place of a name of C.

use super::{CodeContext, Model, ProcedureKind, ProcedureTarget, ScopeId, SymbolId, SymbolKind};
use crate::ast::{Proposal, Span};
use crate::intrinsics::{Intrinsic, of_c};
use crate::sema::expression::typed::BuiltinVar;
use crate::sema::library::{runtime_api, runtime_constants, runtime_modules};
use crate::sema::{Finding, Input};
use crate::suggest::{nearest, spelled_like};

/// What a name is used as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    /// `call name`
    Call,
    /// `call name<<<...>>>`
    Launch,
    /// `name(...)`: a function or an array.
    Reference,
    /// A variable or a constant.
    Value,
    /// `type(name)`
    Type,
}

/// Adds help to a finding about a name that stands for nothing.
pub fn suggest(model: &Model, input: &Input<'_>, f: &mut Finding) {
    if !matches!(f.code, "CUF0201" | "CUF0203" | "CUF0344" | "CUF0430") || f.proposal.is_some() {
        return;
    }
    let Some((at, usage)) = named(input.text, f) else {
        return;
    };
    let word = &input.text[at.start as usize..at.end as usize];
    let Some(scope) = model.scope_at(f.file, f.span.start) else {
        return;
    };
    let symbol = model.lookup(scope, &word.to_ascii_lowercase());
    if symbol.is_some_and(|s| is_declared(model, s)) {
        return;
    }
    if !model.uses_part_of(scope, "cudafor") && is_of_cudafor(&word.to_ascii_lowercase()) {
        f.help = Some("add `use cudafor`, which provides this name".to_owned());
        return;
    }
    let (text, help) = match of_c(word) {
        Some(fortran) if fortran.contains(|c: char| !c.is_ascii_alphanumeric()) => {
            f.help = Some(format!("write `{fortran}`"));
            return;
        }
        Some(fortran) => (fortran.to_owned(), format!("write `{fortran}`")),
        None => {
            let names = candidates(model, scope, usage);
            let Some(near) = nearest(word, names.iter().map(String::as_str)) else {
                return;
            };
            let near = match near.bytes().any(|b| b.is_ascii_uppercase()) {
                true => near.to_owned(),
                false => spelled_like(word, near),
            };
            let help = format!("did you mean `{near}`?");
            (near, help)
        }
    };
    f.help = Some(help);
    f.proposal = Some(Proposal {
        span: at,
        text,
        // A function of C converts its arguments, an intrinsic procedure does not.
        is_safe: false,
    });
}

/// The name that a finding is about, and what it is used as.
fn named(text: &str, f: &Finding) -> Option<(Span, Use)> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut start = f.span.start as usize;
    let rest = text.get(start..)?;
    if rest
        .get(..5)
        .is_some_and(|t| t.eq_ignore_ascii_case("call "))
    {
        start += 5 + rest[5..].len() - rest[5..].trim_start().len();
    }
    let rest = text.get(start..)?;
    let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
    if length == 0 {
        return None;
    }
    let after = rest[length..].trim_start_matches(' ');
    let before = text[..start].trim_end_matches(' ');
    let word_before = before.rsplit(|c| !is_word(c)).next().unwrap_or_default();
    let called = word_before.eq_ignore_ascii_case("call");
    let usage = match f.code {
        "CUF0203" => Use::Type,
        "CUF0344" => Use::Launch,
        _ if called && after.starts_with("<<<") => Use::Launch,
        _ if called => Use::Call,
        _ if after.starts_with('(') => Use::Reference,
        _ => Use::Value,
    };
    let span = Span {
        start: start as u32,
        end: (start + length) as u32,
    };
    Some((span, usage))
}

/// Module `cudafor` has the name: a type, a procedure or a constant.
fn is_of_cudafor(name: &str) -> bool {
    let Some(module) = runtime_modules::find("cudafor") else {
        return false;
    };
    runtime_api::find(name).is_some()
        || module.types.iter().any(|t| t.name == name)
        || module.subroutines.contains(&name)
        || module.functions.iter().any(|f| f.0 == name)
        || runtime_constants::CONSTANTS.iter().any(|c| c.0 == name)
}

/// The name stands for something that the program declares.
fn is_declared(model: &Model, s: SymbolId) -> bool {
    match &model[s].kind {
        SymbolKind::Unknown => false,
        SymbolKind::Procedure(p) => p.kind != ProcedureKind::External,
        _ => true,
    }
}

/// The names that could stand where a name is used so.
fn candidates(model: &Model, scope: ScopeId, usage: Use) -> Vec<String> {
    let mut names = Vec::new();
    for s in model.around(scope) {
        names.extend(s.names.values().copied());
        for o in &s.opened {
            names.extend(model[o.module].exports.values().copied());
        }
    }
    let fits = |s: &SymbolId| is_declared(model, *s) && fits(model, *s, usage);
    let spelled = |s: SymbolId| match model[s].spelling.is_empty() {
        true => model[s].name.to_string(),
        false => model[s].spelling.to_string(),
    };
    let mut out: Vec<String> = names.into_iter().filter(fits).map(spelled).collect();
    out.extend(predefined(model, scope, usage).map(str::to_owned));
    out
}

fn fits(model: &Model, s: SymbolId, usage: Use) -> bool {
    match (&model[s].kind, usage) {
        (SymbolKind::Procedure(p), Use::Launch) => {
            matches!(
                p.target,
                ProcedureTarget::Global | ProcedureTarget::GridGlobal
            )
        }
        (SymbolKind::Procedure(p), Use::Call) => p.result.is_none(),
        (SymbolKind::Procedure(p), Use::Reference) => p.result.is_some(),
        (SymbolKind::Generic(_), Use::Launch | Use::Call | Use::Reference)
        | (SymbolKind::DerivedType(_), Use::Type | Use::Reference)
        | (SymbolKind::StatementFunction(_), Use::Reference)
        | (SymbolKind::Parameter(_), Use::Reference | Use::Value)
        | (SymbolKind::Associate { .. }, Use::Reference | Use::Value) => true,
        (SymbolKind::Variable(v), Use::Reference) => !v.dims.is_empty(),
        (SymbolKind::Variable(_), Use::Value) => true,
        _ => false,
    }
}

/// The names of the language and of the modules of CUDA that are visible.
fn predefined(model: &Model, scope: ScopeId, usage: Use) -> Box<dyn Iterator<Item = &'static str>> {
    let device = model[scope].context != CodeContext::Host;
    let cuda = device || model.uses_part_of(scope, "cudafor");
    let module = cuda.then(|| runtime_modules::find("cudafor")).flatten();
    let of_device = runtime_modules::cudadevice_names().filter(move |_| device);
    let intrinsics = |subroutine: bool| {
        let all = Intrinsic::ALL.iter();
        all.filter(move |i| i.is_subroutine() == subroutine)
            .map(|i| i.name())
    };
    match usage {
        Use::Launch => Box::new(std::iter::empty()),
        Use::Type => Box::new(module.into_iter().flat_map(|m| m.types).map(|t| t.name)),
        Use::Call => Box::new(
            of_device
                .filter(|(_, result)| result.is_empty())
                .map(|(name, _)| name)
                .chain(module.into_iter().flat_map(|m| m.subroutines).copied())
                .chain(intrinsics(true)),
        ),
        Use::Reference => Box::new(
            of_device
                .filter(|(_, result)| !result.is_empty())
                .map(|(name, _)| name)
                .chain(module.into_iter().flat_map(|m| m.functions).map(|f| f.0))
                .chain(
                    module
                        .into_iter()
                        .flat_map(|_| runtime_api::PROCEDURES)
                        .map(|p| p.name),
                )
                .chain(intrinsics(false)),
        ),
        Use::Value => Box::new(
            ["threadIdx", "blockIdx", "blockDim", "gridDim", "warpsize"]
                .into_iter()
                .filter(move |_| device)
                .chain(
                    module
                        .into_iter()
                        .flat_map(|_| runtime_constants::CONSTANTS)
                        .map(|c| c.0),
                ),
        ),
    }
}

/// Why an expression without a value is not translated, as far as its text shows it.
pub fn untranslatable(text: &str) -> String {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let (name, rest) = text.split_at(end.unwrap_or(text.len()));
    if let Some((condition, values)) = text.split_once('?')
        && let Some((yes, no)) = values.split_once(':')
        && !text.contains(['\'', '"'])
    {
        let (yes, no, condition) = (yes.trim(), no.trim(), condition.trim());
        return format!(
            "conditional expression with `?` is not supported in device code\nhelp: write `merge({yes}, {no}, {condition})`"
        );
    }
    if !name.is_empty() && rest.starts_with('[') {
        let subscripts = rest
            .trim_start_matches('[')
            .split(']')
            .next()
            .unwrap_or_default();
        return format!(
            "subscript of `{name}` is in brackets, which coindex a coarray\nnote: coarrays are not supported in device code\nhelp: write `{name}({subscripts})`"
        );
    }
    if let (true, Some(component)) = (
        BuiltinVar::named(&name.to_ascii_lowercase()).is_some(),
        rest.trim_start().strip_prefix('%'),
    ) {
        let component = component.trim();
        return format!(
            "`{name}` has no component `{component}`\nhelp: its components are `x`, `y`, and `z`"
        );
    }
    "this expression cannot be translated in device code".to_owned()
}
