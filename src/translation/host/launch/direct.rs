//! Kernels that the program calls by the interface of their launcher: where all dummies cross as C has them, nothing is left for a
//! Fortran procedure to do, and the module takes the launcher under the kernel's name, `use cuf_heat_shims, only: step => cuf_heat__step`.

use std::collections::{BTreeMap, BTreeSet};

use crate::abi::*;
use crate::ast::*;
use crate::host::context::HostRewriter;
use crate::host::launch::shims;
use crate::sema::model::dialect::MemoryMode;
use crate::sema::model::*;

/// The declaration of a launcher's parameter that is the kernel's dummy.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Type and attributes.
    pub head: String,
    /// An array is of assumed size: its address crosses, which holds for explicit shapes too.
    pub is_array: bool,
}

/// For the symbols of launchers that are called as kernels their parameters.
pub type Direct = BTreeMap<String, Vec<Parameter>>;

/// What keeps kernels from being called by the interface of their launcher, in the whole program.
#[derive(Debug, Default)]
pub struct Barred {
    /// The procedures that a generic name or a type's binding stands for: these have to be Fortran's own (F2018 C1509).
    specifics: BTreeSet<SymbolId>,
    /// The parameters of derived types: gfortran takes one for the function of that name.
    parameters: BTreeSet<Word>,
}

impl Barred {
    pub fn of(model: &Model) -> Barred {
        let generics = model.symbols.iter().filter_map(|s| match &s.kind {
            SymbolKind::Generic(g) => Some(&g.specifics),
            _ => None,
        });
        let bindings = model.types.iter().flat_map(|t| t.bindings.values());
        let bound = bindings.filter_map(|b| match b {
            TypeBinding::Specific { procedure, .. } => *procedure,
            TypeBinding::Generic(_) => None,
        });
        let with_parameters = model.types.iter().filter(|t| t.parameters);
        let parameters = with_parameters.flat_map(|t| &t.components);
        Barred {
            specifics: generics.flatten().copied().chain(bound).collect(),
            parameters: parameters.map(|f| f.name.as_str().into()).collect(),
        }
    }
}

impl HostRewriter<'_> {
    /// The parameters of a kernel's launcher as the kernel's dummies; None where a Fortran procedure has to be between them: something
    /// is converted, has a descriptor, or comes from the module, or the kernel's name is one of a generic. In a conditional of the
    /// preprocessor another branch may define the name.
    pub(in crate::translation::host) fn direct(
        &self,
        unit: &ProgramUnit,
        scope: ScopeId,
        launcher: &LauncherSignature,
    ) -> Option<Vec<Parameter>> {
        let barred = self.direct_but?;
        let kernel = self.model[scope].symbol?;
        let parent = self.model[scope].parent?;
        let own = self.model[parent].kind == ScopeKind::Module
            && unit.kind == UnitKind::Subroutine
            && !unit.prefix.words.iter().any(|w| w.text == "module");
        if !own
            || barred.parameters.contains(self.model[kernel].name.as_str())
            || barred.specifics.contains(&kernel)
            || (self.conditional)(unit.span.start)
            || launcher.params.len() != unit.dummies.len()
        {
            return None;
        }
        let pairs = launcher.params.iter().zip(&unit.dummies);
        pairs.map(|(p, d)| self.direct_parameter(p, d)).collect()
    }

    fn direct_parameter(&self, p: &LauncherParam, dummy: &Dummy) -> Option<Parameter> {
        let (Dummy::Name(name), ParamSource::Dummy(symbol)) = (dummy, &p.source) else {
            return None;
        };
        // Calls may have its name as a keyword.
        if p.name != name.text.as_str() || shims::is_taken(&p.name) {
            return None;
        }
        let v = self.model.variable(*symbol)?;
        let other = [
            VarAttrs::OPTIONAL,
            VarAttrs::IGNORE_TYPE,
            VarAttrs::IGNORE_KIND,
            VarAttrs::IGNORE_RANK,
        ];
        if other.into_iter().any(|a| v.attrs.has(a)) || v.attrs.is_dynamic() {
            return None;
        }
        let interoperable = match v.ty {
            Type::Integer(k) => matches!(k, 1 | 2 | 4 | 8),
            Type::Real(k) | Type::Complex(k) => matches!(k, 4 | 8),
            _ => false,
        };
        let dense = |d: &Dim| matches!(d, Dim::Explicit { .. } | Dim::AssumedSize { .. });
        if !interoperable || !v.dims.iter().all(dense) {
            return None;
        }
        let ty = shims::value_type(&v.ty);
        let attributes = match (&p.passing, v.attrs.has(VarAttrs::VALUE), v.intent) {
            (ArgPassing::Value(of), true, _) if *of == v.ty && v.dims.is_empty() => ", value",
            (ArgPassing::Address, false, Some(Intent::In)) => ", intent(in)",
            (ArgPassing::Address, false, Some(Intent::InOut)) => ", intent(inout)",
            // Its definition status on the host means nothing.
            (ArgPassing::Address, false, Some(Intent::Out) | None) => "",
            _ => return None,
        };
        // A variable of the host escapes by it.
        let by_address = matches!(p.passing, ArgPassing::Address);
        let target = match self.model.dialect.memory {
            MemoryMode::Managed | MemoryMode::Unified if by_address => ", target",
            _ => "",
        };
        Some(Parameter {
            head: format!("{ty}{attributes}{target}"),
            is_array: !v.dims.is_empty(),
        })
    }
}
