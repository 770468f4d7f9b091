//! How external procedures take their arguments, as definitions and interface bodies have it: what separately compiled files must
//! agree upon.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::sema::model::*;

/// What the definition of an external procedure says of its dummies, by their positions.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
pub struct DefinedDummies {
    /// Arrays of explicit shape or assumed size.
    pub sequences: BTreeSet<usize>,
    /// Device data of an intrinsic type that is passed by address, without an explicit interface too; with the type.
    pub device: BTreeMap<usize, String>,
    /// The other dummies of an intrinsic type.
    pub host: BTreeMap<usize, String>,
    /// A letter for each dummy, see [`externals`].
    pub form: String,
}

impl DefinedDummies {
    /// Adds what is known from another place.
    pub fn extend(&mut self, other: DefinedDummies) {
        self.sequences.extend(other.sequences);
        self.device.extend(other.device);
        self.host.extend(other.host);
        if self.form.is_empty() {
            self.form = other.form;
        }
    }
}

/// The definitions of external procedures, by the procedure's name.
pub type Sequences = BTreeMap<String, DefinedDummies>;

/// The external procedures of a file: name, and a letter for each dummy (see [`externals`]).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Externals {
    /// Those with their body in the file.
    pub defined: BTreeMap<String, String>,
    /// Those that interface bodies describe.
    pub described: BTreeMap<String, String>,
    /// What is to be known of those defined where there is no interface, or one that differs.
    pub sequences: Sequences,
    /// Those that interface bodies describe as a definition outside the program has it (CUF0216), with the arrays passed by address, and
    /// those called without an interface that such a definition tells about (CUF0360).
    pub adapted: Sequences,
    /// Those called without an interface that the program does not define.
    pub unseen: BTreeSet<String>,
}

/// The external procedures that a file defines or describes, but those with a binding label.
///
/// The letters: `a` an address, `d` a descriptor (assumed shape or rank, ALLOCATABLE, POINTER), `v` a value, `p` a procedure, `*` an
/// alternate return. Of kernels and device procedures the types are said, too: `global(a real(4), v integer(4))`; `*` is any type.
pub fn externals(model: &Model, file: FileId) -> Externals {
    let mut found = Externals::default();
    for scope in model.scopes_of(file) {
        let scope = &model[*scope];
        let Some(symbol) = scope.symbol else { continue };
        let Some(p) = model.procedure(symbol) else {
            continue;
        };
        if p.kind != ProcedureKind::External || p.bind_name.is_some() {
            continue;
        }
        let name = model[symbol].name.to_string();
        match scope.kind {
            ScopeKind::InterfaceBody => {
                let sequences = positions(model, p, |v| v.attrs.has(VarAttrs::BY_ADDRESS));
                if !sequences.is_empty() && !model.externals.contains_key(name.as_str()) {
                    let adapted = DefinedDummies {
                        sequences,
                        ..DefinedDummies::default()
                    };
                    found.adapted.insert(name.clone(), adapted);
                }
                found.described.insert(name, forms(model, p));
            }
            ScopeKind::Procedure => {
                let known = DefinedDummies {
                    sequences: positions(model, p, is_sequence),
                    device: intrinsic_types(model, p, |v| {
                        device_by_address(v) && v.space != Space::Constant
                    }),
                    host: intrinsic_types(model, p, |v| !device_by_address(v)),
                    form: forms(model, p),
                };
                found.sequences.insert(name.clone(), known);
                found.defined.insert(name, forms(model, p));
            }
            _ => {}
        };
    }
    let defined = |name: &str| {
        let p = model.externals.get(name).and_then(|s| model.procedure(*s));
        p.is_some_and(|p| p.body.is_some())
    };
    for symbol in model.symbols_of(file) {
        let Some(p) = model.procedure(*symbol) else {
            continue;
        };
        let name = model[*symbol].name.as_str();
        let unseen = p.kind == ProcedureKind::External && p.body.is_none();
        if !unseen || p.bind_name.is_some() || defined(name) {
            continue;
        }
        found.unseen.insert(name.to_owned());
        if let Some(known) = model.outside.get(name).filter(|k| !k.device.is_empty()) {
            found.described.insert(name.to_owned(), known.form.clone());
            let adapted = found.adapted.entry(name.to_owned()).or_default();
            adapted.device.clone_from(&known.device);
            adapted.host.clone_from(&known.host);
            adapted.form.clone_from(&known.form);
        }
    }
    found
}

/// Dummies with device data whose address is passed, also where nothing says how: a descriptor, a value or an absent argument would have
/// to be known.
pub fn device_by_address(v: &Variable) -> bool {
    Model::is_device_space(v.space) && !needs_interface(v)
}

/// A dummy argument of which the caller has to know more than its address (F2018 15.4.2.2).
fn needs_interface(v: &Variable) -> bool {
    let described = |d: &Dim| matches!(d, Dim::Colon { .. });
    let other = [
        VarAttrs::POINTER,
        VarAttrs::ALLOCATABLE,
        VarAttrs::OPTIONAL,
        VarAttrs::VALUE,
        VarAttrs::TARGET,
    ];
    v.dims.iter().any(described) || other.iter().any(|a| v.attrs.has(*a))
}

/// The types of the chosen dummies of a subroutine of the host, if they are intrinsic, by position.
fn intrinsic_types(
    model: &Model,
    p: &Procedure,
    which: impl Fn(&Variable) -> bool,
) -> BTreeMap<usize, String> {
    let dummies = p.dummies.iter().flatten();
    let mut variables = dummies.filter_map(|d| model.variable(*d));
    if !matches!(p.target, ProcedureTarget::Host) || p.is_function || variables.any(needs_interface)
    {
        return BTreeMap::new();
    }
    let intrinsic = |v: &&Variable| {
        use Type::{Complex, Integer, Logical, Real};
        matches!(v.ty, Integer(_) | Real(_) | Complex(_) | Logical(_))
    };
    let known = |d: Option<SymbolId>| {
        let v = model.variable(d?)?;
        let fits = Some(v).filter(|v| which(v)).filter(intrinsic)?;
        Some(model.type_name(&fits.ty))
    };
    let dummies = p.dummies.iter().enumerate();
    dummies.filter_map(|(k, d)| Some((k, known(*d)?))).collect()
}

/// The external procedures that a file defines and calls without an explicit interface, by name.
pub fn called_unseen(model: &Model, file: FileId) -> BTreeSet<String> {
    let is_here = |s: SymbolId| {
        let body = model.procedure(s).and_then(|p| p.body);
        body.is_some_and(|scope| model[scope].file == file)
    };
    let defined = |scope: &ScopeId| {
        let name = model[*scope].name.as_str();
        model.externals.get(name).is_some_and(|s| is_here(*s))
    };
    if !model.scopes_of(file).iter().any(defined) {
        return BTreeSet::new();
    }
    let symbols = model.symbols_of(file).iter();
    let called = symbols.filter(|s| model.definition(**s).is_some_and(is_here));
    called.map(|s| model[*s].name.to_string()).collect()
}

/// A dummy whose address is passed, and no bounds.
pub fn is_sequence(v: &Variable) -> bool {
    matches!(
        v.dims.last(),
        Some(Dim::Explicit { .. } | Dim::AssumedSize { .. })
    )
}

/// Where the dummies stand that are chosen.
pub fn positions(
    model: &Model,
    p: &Procedure,
    which: impl Fn(&Variable) -> bool,
) -> BTreeSet<usize> {
    let dummies = p.dummies.iter().enumerate();
    let chosen = dummies.filter(|(_, d)| d.and_then(|d| model.variable(d)).is_some_and(&which));
    chosen.map(|(k, _)| k).collect()
}

fn forms(model: &Model, p: &Procedure) -> String {
    let form = |dummy: &Option<SymbolId>| match dummy {
        None => '*',
        Some(d) => model.variable(*d).map_or('p', form_of),
    };
    let Some(head) = device_word(p.target) else {
        return p.dummies.iter().map(form).collect();
    };
    let typed = |d: &Option<SymbolId>| {
        let ty = d.and_then(|d| compared_type(model, d));
        let ty = ty.unwrap_or_else(|| "*".to_owned());
        format!("{} {ty}", form(d))
    };
    let result = p.result.and_then(|r| compared_type(model, r));
    let result = result.map(|r| format!("result {r}"));
    let all: Vec<String> = p.dummies.iter().map(typed).chain(result).collect();
    format!("{head}({})", all.join(", "))
}

/// Whether an interface body that takes its arguments as `described` says is one of the procedure that is `defined` so.
pub fn agree(described: &str, defined: &str) -> bool {
    let (Some((head, body)), Some((other, definition))) =
        (described.split_once('('), defined.split_once('('))
    else {
        return described == defined;
    };
    let same = |(a, b): (&str, &str)| {
        a == b || a.get(..1) == b.get(..1) && (a.ends_with(" *") || b.ends_with(" *"))
    };
    let fits = |a: &str, b: &str| same((a.trim_end_matches(')'), b.trim_end_matches(')')));
    let (body, definition) = (body.split(", "), definition.split(", "));
    let count = body.clone().count() == definition.clone().count();
    head == other && count && body.zip(definition).all(|(a, b)| fits(a, b))
}

/// Where an interface body and a definition differ.
pub enum Difference {
    /// One is of a procedure of the host.
    Target,
    /// The number of dummy arguments, or a result that only one has.
    Count,
    /// The result, or what is at a position of the list of dummies.
    Type(Option<usize>),
    /// One is a value and the other is not, or has bounds and the other has not.
    ArgPassing(usize),
}

/// How the interface body of an external kernel or device procedure contradicts its definition. What gfortran sees by itself in
/// procedures of the host is not looked at.
pub fn contradiction(
    model: &Model,
    body: &Procedure,
    definition: &Procedure,
) -> Option<Difference> {
    let words = (device_word(body.target), device_word(definition.target));
    match words {
        (None, None) => return None,
        (a, b) if a != b => return Some(Difference::Target),
        _ => {}
    }
    if body.dummies.len() != definition.dummies.len()
        || body.result.is_some() != definition.result.is_some()
    {
        return Some(Difference::Count);
    }
    let differ = |a: SymbolId, b: SymbolId| {
        let types = compared_type(model, a).zip(compared_type(model, b));
        types.is_some_and(|(a, b)| a != b)
    };
    let pairs = body.dummies.iter().zip(&definition.dummies).enumerate();
    for (k, (a, b)) in pairs {
        let (Some(a), Some(b)) = (*a, *b) else {
            continue;
        };
        if differ(a, b) {
            return Some(Difference::Type(Some(k)));
        }
        if let (Some(v), Some(w)) = (model.variable(a), model.variable(b))
            && form_of(v) != form_of(w)
        {
            return Some(Difference::ArgPassing(k));
        }
    }
    let results = body.result.zip(definition.result);
    results
        .is_some_and(|(a, b)| differ(a, b))
        .then_some(Difference::Type(None))
}

/// The attribute of a procedure that device code has; none of a procedure of the host.
fn device_word(target: ProcedureTarget) -> Option<&'static str> {
    match target {
        ProcedureTarget::Host | ProcedureTarget::HostDevice => None,
        ProcedureTarget::Global | ProcedureTarget::GridGlobal => Some("global"),
        ProcedureTarget::Device => Some("device"),
    }
}

/// The type of a dummy or result as text, None if it is not known or does not matter.
fn compared_type(model: &Model, symbol: SymbolId) -> Option<String> {
    let v = model.variable(symbol)?;
    let ignores = [VarAttrs::IGNORE_TYPE, VarAttrs::IGNORE_KIND];
    match &v.ty {
        Type::Unknown | Type::AssumedType | Type::ClassStar => None,
        _ if ignores.iter().any(|i| v.attrs.has(*i)) => None,
        Type::Character(_) => Some("character".to_owned()),
        ty => Some(model.type_name(ty)),
    }
}

fn form_of(v: &Variable) -> char {
    let moves = [VarAttrs::ALLOCATABLE, VarAttrs::POINTER];
    let open = |d: &Dim| matches!(d, Dim::Colon { .. } | Dim::AssumedRank);
    if v.attrs.has(VarAttrs::VALUE) {
        'v'
    } else if moves.iter().any(|m| v.attrs.has(*m)) || v.dims.iter().any(open) {
        'd'
    } else {
        'a'
    }
}
