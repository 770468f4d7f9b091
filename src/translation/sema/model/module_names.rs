//! Names that come from modules: what a module exports, what a scope has from those that it uses.

use crate::sema::library::runtime_modules;
use crate::sema::model::*;

impl Model {
    /// A public entity of a module by its name there.
    pub fn export(&self, module: ScopeId, name: &str) -> Option<SymbolId> {
        let m = &self[module];
        if let Some(s) = m.exports.get(name) {
            return Some(*s);
        }
        if m.names.contains_key(name) {
            return None;
        }
        let mut open = m.reexported.iter().filter(|o| !o.hides(name));
        open.find_map(|o| self[o.module].exports.get(name).copied())
    }

    /// The intrinsic procedure that a module of the runtime overloads, of the module or of one that re-exports it. Only USE and access
    /// statements that name it have it as an entity of the module: elsewhere the intrinsic is known anyway, and its name may be one of
    /// the program's.
    pub fn overload(&self, module: ScopeId, name: &str) -> Option<SymbolId> {
        let m = &self[module];
        let mut open = m.reexported.iter().filter(|o| !o.hides(name));
        let again = || open.find_map(|o| self[o.module].overloads.get(name));
        m.overloads.get(name).or_else(again).copied()
    }

    /// The same of the modules used in a scope without ONLY.
    pub fn overload_in(&self, scope: ScopeId, name: &str) -> Option<SymbolId> {
        let mut open = self[scope].opened.iter().filter(|o| !o.hides(name));
        open.find_map(|o| self.overload(o.module, name))
    }

    /// The symbol is an intrinsic procedure that a module of the runtime overloads.
    pub fn is_overload(&self, s: SymbolId) -> bool {
        let symbol = &self[s];
        self[symbol.scope].overloads.get(&symbol.name) == Some(&s)
    }

    /// The runtime modules among the modules used here without ONLY, those that other modules re-export included.
    pub(in crate::translation::sema) fn opened_runtime(
        &self,
        scope: ScopeId,
    ) -> impl Iterator<Item = ScopeId> {
        self[scope].opened.iter().flat_map(|o| {
            let m = &self[o.module];
            let own = (m.kind == ScopeKind::External).then_some(o.module);
            own.into_iter().chain(m.reexported.iter().map(|o| o.module))
        })
    }

    /// What USE gives a scope itself under a name, without declarations and host association.
    pub fn lookup_used(&self, scope: ScopeId, name: &str) -> Option<SymbolId> {
        let s = &self[scope];
        if let Some(id) = s.used.get(name) {
            return Some(*id);
        }
        self.opened_export(s, name).map(|(found, _)| found)
    }

    /// What the modules that a scope uses as a whole give it under a name, and whether it only [comes along](Model::comes_along).
    pub fn opened_export(&self, s: &Scope, name: &str) -> Option<(SymbolId, bool)> {
        let mut along = None;
        for o in s.opened.iter().filter(|o| !o.hides(name)) {
            let Some(found) = self.export(o.module, name) else {
                continue;
            };
            if !self.comes_along(o.module, name, found) && !self.is_data_type(found) {
                return Some((found, false));
            }
            along = along.or(Some((found, true)));
        }
        along
    }

    /// One of the constants of CUDA's types of data, or `cudaDataType`: programs have constants of their own with such names, which come first.
    pub fn is_data_type(&self, symbol: SymbolId) -> bool {
        let s = &self[symbol];
        self[s.scope].kind == ScopeKind::External && is_data_type_name(&s.name)
    }

    /// The names of CUDA's types of data that a module exports, those of modules that it re-exports included.
    pub fn data_type_names(&self, module: ScopeId) -> impl Iterator<Item = &Word> {
        let again = self[module].reexported.iter().map(|o| o.module);
        let modules = std::iter::once(module).chain(again);
        let exported = modules.flat_map(|m| &self[m].exports);
        let of_cuda = exported.filter(|(n, s)| is_data_type_name(n) && self.is_data_type(**s));
        of_cuda.map(|(n, _)| n)
    }

    /// The name of a module is one of `iso_c_binding` that it has only by using `cudafor` (decision 1010). Any other meaning of the name
    /// comes first: programs have kinds and types of their own with such names.
    pub fn comes_along(&self, module: ScopeId, name: &str, symbol: SymbolId) -> bool {
        let iso = |m: ScopeId| self.is_runtime_module(m, "iso_c_binding");
        if !iso(self[symbol].scope) || iso(module) {
            return false;
        }
        let m = &self[module];
        let itself = |o: &Opened| iso(o.module) && !o.hides(name);
        m.kind == ScopeKind::External
            || !m.exports.contains_key(name) && !m.reexported.iter().any(itself)
    }

    /// A module of the runtime gives a name the meaning that it has there: the module is used in the scope or around it, as a whole
    /// and without another name for it, or with ONLY and the name; by itself or through modules that re-export it.
    pub fn opens(&self, scope: ScopeId, module: &str, name: &str) -> bool {
        let is = |m: ScopeId| self.is_runtime_module(m, module);
        let of = |s: Option<&SymbolId>| s.is_some_and(|s| is(self[*s].scope));
        self.around(scope).any(|s| {
            let mut open = s.opened.iter().filter(|o| !o.hides(name));
            of(s.used.get(name))
                || open.any(|o| {
                    let m = &self[o.module];
                    let again = |r: &Opened| is(r.module) && !r.hides(name);
                    is(o.module) || of(m.exports.get(name)) || m.reexported.iter().any(again)
                })
        })
    }

    /// A module of the runtime is used in the scope or around it, in whatever form, or some of its names come from another module.
    pub fn uses_part_of(&self, scope: ScopeId, module: &str) -> bool {
        let is = |m: &ScopeId| self.is_runtime_module(*m, module);
        let by_name = self.modules.get(module).is_some_and(is);
        self.around(scope).any(|s| {
            by_name && s.uses.iter().any(|u| u == module)
                || s.used.values().any(|u| is(&self[*u].scope))
                || s.opened
                    .iter()
                    .any(|o| self[o.module].brings.iter().any(is))
        })
    }

    fn is_runtime_module(&self, m: ScopeId, name: &str) -> bool {
        self[m].kind == ScopeKind::External && self[m].name == name
    }

    /// The scope and those around it, outwards.
    pub fn around(&self, scope: ScopeId) -> impl Iterator<Item = &Scope> {
        let ids = std::iter::successors(Some(scope), |s| self[*s].parent);
        ids.map(|s| &self[s])
    }

    /// A library module used in the scope or around it claims the name by its prefix.
    pub(in crate::translation::sema) fn may_be_library(&self, scope: ScopeId, name: &str) -> bool {
        let mut at = Some(scope);
        while let Some(s) = at {
            let claims = self.opened_runtime(s).any(|m| {
                runtime_modules::find(&self[m].name)
                    .is_some_and(|e| e.prefixes.iter().any(|p| name.starts_with(p)))
            });
            if claims {
                return true;
            }
            at = self[s].parent;
        }
        false
    }

    /// The derived type a name means in a scope.
    pub fn lookup_type(&self, scope: ScopeId, name: &str) -> Option<TypeId> {
        match &self[self.lookup(scope, name)?].kind {
            SymbolKind::DerivedType(t) => Some(*t),
            SymbolKind::Generic(g) => g.of_type,
            _ => None,
        }
    }

    /// Type of a code of the tables of runtime modules: `i4`, `r8`, `z8`, `l4`, `c*`, `c256`, `t:dim3`.
    pub(in crate::translation::sema) fn type_of_code(&self, code: &str) -> Type {
        if let Some(name) = code.strip_prefix("t:") {
            return match self.external_types.get(name) {
                Some(t) => Type::Derived(*t),
                None => Type::Opaque(name.to_owned()),
            };
        }
        let (letter, rest) = code.split_at(code.len().min(1));
        let kind = rest.parse::<u16>().ok();
        match (letter, kind) {
            ("i", Some(k)) => Type::Integer(k as u8),
            ("r", Some(k)) => Type::Real(k as u8),
            ("z", Some(k)) => Type::Complex(k as u8),
            ("l", Some(k)) => Type::Logical(k as u8),
            ("c", Some(n)) => Type::Character(CharacterLength::Constant(n.into())),
            ("c", None) => Type::Character(CharacterLength::Other),
            _ => Type::Unknown,
        }
    }

    /// Result code of a function of a runtime module; library functions return a default integer status.
    pub(in crate::translation::sema) fn runtime_result(
        &self,
        module: &str,
        name: &str,
    ) -> &'static str {
        if module == "cudadevice" {
            return runtime_modules::cudadevice(name).unwrap_or("");
        }
        let Some(e) = runtime_modules::find(module) else {
            return "";
        };
        e.functions
            .iter()
            .find(|f| f.0 == name)
            .map_or("i4", |f| f.1)
    }
}

fn is_data_type_name(name: &str) -> bool {
    name.starts_with("cuda_r_") || name.starts_with("cuda_c_") || name == "cudadatatype"
}
