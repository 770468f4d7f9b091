//! Binding labels of module variables and kernels: two global entities may not have the same one (F2018 19.2). The linker does not see those of
//! device data, which have no C name (decision 1003).

use std::collections::BTreeMap;

use super::checker::*;

/// A variable with a label.
pub(super) struct Labelled {
    label: String,
    file: FileId,
    name: Span,
    spelling: String,
    on_device: bool,
}

impl Checker<'_> {
    /// The variables of a module that have labels.
    pub(super) fn labelled(&self, unit: &ProgramUnit, scope: ScopeId) -> Vec<Labelled> {
        let mut out = Vec::new();
        for d in &unit.spec {
            let (attrs, entities) = match &d.kind {
                DeclKind::Type(t) => (&t.attrs, &t.entities),
                DeclKind::Attributes { attrs, entities } => (attrs, entities),
                _ => continue,
            };
            let bound = attrs.iter().find_map(|a| match &a.kind {
                AttrKind::Bind(name) => Some((a.span, name)),
                _ => None,
            });
            let Some((at, given)) = bound.filter(|_| unit.kind == UnitKind::Module) else {
                continue;
            };
            for e in entities {
                let symbol = self.model[scope].names.get(e.name.text.as_str());
                let Some(v) = symbol.and_then(|s| self.model.variable(*s)) else {
                    continue;
                };
                let label = match given {
                    Some(x) => match self.model.expr(scope, x).value {
                        Some(Constant::Character(text)) => text.trim().to_owned(),
                        _ => continue,
                    },
                    // The label of a BIND statement is not read.
                    None if self.slice(at).contains('=') || self.slice(d.span).contains('=') => {
                        continue;
                    }
                    None => e.name.text.to_string(),
                };
                if !label.is_empty() {
                    out.push(Labelled {
                        label,
                        file: self.file,
                        name: e.name.span,
                        spelling: self.slice(e.name.span).to_owned(),
                        on_device: v.space != Space::Host,
                    });
                }
            }
        }
        out
    }
}

/// The variables with a label that another one has, too.
pub(super) fn duplicates(all: &[Labelled]) -> Vec<Finding> {
    let mut first: BTreeMap<&str, &Labelled> = BTreeMap::new();
    let mut out = Vec::new();
    for v in all {
        let Some(other) = first.get(v.label.as_str()) else {
            first.insert(&v.label, v);
            continue;
        };
        if v.on_device || other.on_device {
            out.push(Finding {
                code: "CUF0488",
                message: format!(
                    "variables `{}` and `{}` have the same binding label, \"{}\"",
                    other.spelling, v.spelling, v.label
                ),
                file: v.file,
                span: v.name,
                notes: vec![(
                    other.file,
                    other.name,
                    format!("the declaration of `{}`", other.spelling),
                )],
                facts: Default::default(),
                proposal: None,
                help: Some(
                    "use the module of one of them where the other is needed, or give them different labels"
                        .to_owned(),
                ),
                warning: false,
            });
        }
    }
    out
}

/// What glibc 2.36 exports under names of users (`nm -D` of libc and libm), and `main`.
const C_LIBRARY: &str = include_str!("c_library.txt");

/// How names of other libraries begin that every program is linked with.
const OTHERS: [&str; 6] = ["cuda", "cuf_", "GOMP_", "omp_", "_gfortran_", "__"];

/// What a binding label of a kernel means to the linker besides the kernel; None: nothing.
fn other_meaning(model: &Model, label: &str) -> Option<&'static str> {
    let external = label.strip_suffix('_');
    if C_LIBRARY.split_whitespace().any(|name| name == label) {
        Some("which is a function of the C library")
    } else if OTHERS.iter().any(|start| label.starts_with(start)) {
        Some("which is a name of the compiler or of CUDA")
    } else if external.is_some_and(|name| model.externals.contains_key(name)) {
        Some("which is the linker's name of an external procedure")
    } else {
        None
    }
}

/// Kernels with one label: each would be the other.
pub(super) fn duplicate_kernels(model: &Model) -> Vec<Finding> {
    let mut first: BTreeMap<&str, (FileId, SymbolId)> = BTreeMap::new();
    let mut out = Vec::new();
    for s in model
        .scopes
        .iter()
        .filter(|s| s.kind == ScopeKind::Procedure)
    {
        let Some((symbol, label)) = labelled_kernel(model, s) else {
            continue;
        };
        let Some((file, other)) = first.get(label) else {
            first.insert(label, (s.file, symbol));
            continue;
        };
        let (a, b) = (&model[*other].spelling, &model[symbol].spelling);
        let message = format!("kernels `{a}` and `{b}` have the same binding label, \"{label}\"");
        let mut finding = Finding::new("CUF0488", s.file, model[symbol].span, message);
        finding.notes = vec![(
            *file,
            model[*other].span,
            format!("the definition of `{a}`"),
        )];
        finding.help = Some("give them different labels".to_owned());
        out.push(finding);
    }
    out
}

/// A kernel with its binding label.
fn labelled_kernel<'m>(model: &'m Model, s: &Scope) -> Option<(SymbolId, &'m str)> {
    let symbol = s.symbol?;
    let p = model.procedure(symbol)?;
    let kernel = matches!(
        p.target,
        ProcedureTarget::Global | ProcedureTarget::GridGlobal
    );
    let label = p.bind_name.as_deref().filter(|l| kernel && !l.is_empty())?;
    Some((symbol, label))
}

/// Kernels with a name of a library that every program is linked with: the linker would give one the other's place.
pub(super) fn kernels_of_libraries(model: &Model) -> Vec<Finding> {
    let of_scope = |s: &Scope| {
        let (symbol, label) = labelled_kernel(model, s)?;
        let meaning = other_meaning(model, label)?;
        let name = &model[symbol].spelling;
        let message = format!("kernel `{name}` has the binding label \"{label}\", {meaning}");
        let mut finding = Finding::new("CUF0500", s.file, model[symbol].span, message);
        finding.help = Some("give it another label with `bind(C, name=...)`".to_owned());
        Some(finding)
    };
    let kinds = [ScopeKind::Procedure, ScopeKind::InterfaceBody];
    let scopes = model.scopes.iter().filter(|s| kinds.contains(&s.kind));
    scopes.filter_map(of_scope).collect()
}
