//! Binding labels of module variables: two global entities may not have the same one (F2018 19.2). The linker does not see those of device
//! data, which have no C name (decision 1003).

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

/// Functions of the C library (not intrinsic procedures of Fortran) that a kernel could have the name of.
const C_LIBRARY: &str = "abort abs accept access bind bsearch ceil close connect copysign cos div dup exit exp floor fma fmax \
    fmin fork free gamma getenv index ioctl j0 j1 jn kill link listen log lseek malloc memcpy memmove \
    memset nice open pause pipe poll pow printf puts qsort raise rand random read remove rename round \
    select send signal sin sleep sqrt sync system time truncate wait write";

/// Kernels with the name of a function of the C library: the linker would give one the other's place.
pub(super) fn kernels_of_the_c_library(model: &Model) -> Vec<Finding> {
    let of_scope = |s: &Scope| {
        let symbol = s.symbol?;
        let p = model.procedure(symbol)?;
        let kernel = matches!(
            p.target,
            ProcedureTarget::Global | ProcedureTarget::GridGlobal
        );
        let label = p.bind_name.as_deref().filter(|_| kernel)?;
        if !C_LIBRARY.split(' ').any(|name| name == label) {
            return None;
        }
        let name = &model[symbol].spelling;
        let message = format!(
            "kernel `{name}` has the binding label \"{label}\", which is a function of the C library"
        );
        let mut finding = Finding::new("CUF0500", s.file, model[symbol].span, message);
        finding.help = Some("give it another label with `bind(C, name=...)`".to_owned());
        Some(finding)
    };
    let kinds = [ScopeKind::Procedure, ScopeKind::InterfaceBody];
    let scopes = model.scopes.iter().filter(|s| kinds.contains(&s.kind));
    scopes.filter_map(of_scope).collect()
}
