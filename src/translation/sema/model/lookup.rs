//! What the model says of names, symbols and designators without typing an expression.

use std::collections::HashSet;

use crate::ast::Span;
use crate::sema::expression::typed::{TExpr, TExprKind};
use crate::sema::model::*;

impl Variable {
    /// Data without a memory attribute: the host's in host code, that of a procedure for host and device too.
    pub fn is_hosts(&self) -> bool {
        matches!(self.space, Space::Host | Space::Thread)
    }

    /// Its value may change without a mention of its name.
    pub fn may_have_other_names(&self) -> bool {
        let shared = [
            VarAttrs::TARGET,
            VarAttrs::POINTER,
            VarAttrs::VOLATILE,
            VarAttrs::IN_EQUIVALENCE,
        ];
        shared.iter().any(|a| self.attrs.has(*a))
    }
}

impl Model {
    /// The scope is none of the program's own: of the runtime, or of a module of CUDA's libraries.
    pub fn is_foreign(&self, scope: ScopeId) -> bool {
        let scope = &self[scope];
        let library = |f: &FileInfo| f.library;
        scope.kind == ScopeKind::External
            || self.files.get(scope.file.0 as usize).is_some_and(library)
    }

    /// The procedures of a library behind one name of it.
    pub fn library_specifics(&self, symbol: SymbolId) -> Option<&[SymbolId]> {
        match &self[symbol].kind {
            SymbolKind::Generic(g) if self.is_foreign(self[symbol].scope) => {
                let namesake = |s: &SymbolId| self[*s].name == self[symbol].name;
                (!g.specifics.iter().any(namesake)).then_some(&g.specifics)
            }
            _ => None,
        }
    }

    /// The designators are elements or parts of one variable, or of one component with a memory of its own.
    pub fn same_data(&self, a: &TExpr, b: &TExpr) -> bool {
        match (&self.holder(a).kind, &self.holder(b).kind) {
            (TExprKind::Variable(x), TExprKind::Variable(y)) => x == y,
            (
                TExprKind::Component {
                    base: x,
                    of: s,
                    index: i,
                    ..
                },
                TExprKind::Component {
                    base: y,
                    of: t,
                    index: j,
                    ..
                },
            ) => s == t && i == j && self.same_data(x, y),
            _ => false,
        }
    }

    /// What lies in one piece in memory, of which the designator is a part.
    pub(in crate::translation::sema) fn holder<'e>(&self, mut e: &'e TExpr) -> &'e TExpr {
        loop {
            e = match &e.kind {
                TExprKind::Index { base, .. }
                | TExprKind::Substring { base, .. }
                | TExprKind::ComplexPart { base, .. }
                | TExprKind::Paren(base) => base,
                TExprKind::Component {
                    base, of, index, ..
                } => match self.components_of(*of).get(*index) {
                    Some(f) if f.space == Space::Host && !f.attrs.is_dynamic() => base,
                    _ => return e,
                },
                _ => return e,
            };
        }
    }

    /// The symbol a name means in a scope: declared here, by USE, or by host association.
    pub fn lookup(&self, scope: ScopeId, name: &str) -> Option<SymbolId> {
        let mut along = None;
        for s in self.around(scope) {
            if let Some(found) = s.names.get(name) {
                return Some(*found);
            }
            let used = self.opened_export(s, name);
            match used {
                Some((found, false)) => return Some(found),
                Some((found, true)) => along = along.or(Some(found)),
                None => {}
            }
        }
        along
    }

    /// The innermost scope at a byte offset of a file (procedure, BLOCK, ASSOCIATE, ...).
    /// None outside of all program units.
    pub fn scope_at(&self, file: FileId, offset: u32) -> Option<ScopeId> {
        let mut list = &self.files.get(file.0 as usize)?.units;
        let mut found = None;
        loop {
            let after = list.partition_point(|s| self[*s].span.start <= offset);
            let Some(s) = after.checked_sub(1).and_then(|i| list.get(i)) else {
                return found;
            };
            if self[*s].span.end < offset {
                return found;
            }
            found = Some(*s);
            list = &self[*s].children;
        }
    }

    /// The scopes directly in a scope that have exactly this place.
    pub fn children_at(&self, scope: ScopeId, span: Span) -> impl Iterator<Item = ScopeId> {
        let children = &self[scope].children;
        let first = children.partition_point(|c| self[*c].span.start < span.start);
        let rest = children.get(first..).unwrap_or_default().iter().copied();
        rest.take_while(move |c| self[*c].span.start == span.start)
            .filter(move |c| self[*c].span == span)
    }

    /// The program unit around a scope: a submodule is a unit of its own.
    pub fn unit_of(&self, scope: ScopeId) -> ScopeId {
        let mut at = scope;
        while let Some(p) = self[at].parent {
            if self[at].kind == ScopeKind::Submodule {
                break;
            }
            at = p;
        }
        at
    }

    /// The path of a named program unit in one word, which no other unit of the program has. Generated names are made of it, an underscore,
    /// and the name of what is in the unit; those of different units differ.
    pub fn unit_symbol(&self, unit: ScopeId) -> String {
        let own = &self[unit];
        if own.kind == ScopeKind::Submodule {
            let mut module = unit;
            while let Some(p) = self[module].parent {
                module = p;
            }
            // The module may be nowhere; that has its own message.
            let of = match self[module].kind {
                ScopeKind::Submodule => self[module].name.clone(),
                _ => self.unit_symbol(module),
            };
            return format!("{of}__{}_", own.name);
        }
        let program = own.kind == ScopeKind::Program;
        // Programs come after all others, the rest in the order of the files.
        let before = |u: &ScopeId| match (self[*u].kind == ScopeKind::Program, program) {
            (false, true) => true,
            (true, false) => false,
            _ => *u < unit,
        };
        let namesakes = self.units_by_name.get(own.name.as_str());
        let rank = namesakes.map_or(0, |all| {
            all.iter().filter(|u| **u != unit && before(u)).count()
        });
        let mut symbol = own.name.clone();
        if rank > 0 {
            symbol.push_str(&format!("__{}", rank + 1));
        }
        let begins = |(at, _): (usize, &str)| {
            let units = self.units_by_name.get(&own.name[..at]);
            let rest = &own.name[at + 1..];
            units.is_some_and(|all| all.iter().any(|u| self.has_name_from(*u, rest)))
        };
        if rank > 0 || own.name.contains("__") || own.name.match_indices('_').any(begins) {
            symbol.push('_');
        }
        symbol
    }

    /// The unit, or what is in it, has a name that begins so. Other units need not differ from its symbol: those of files that are compiled
    /// by themselves do not know of it.
    fn has_name_from(&self, unit: ScopeId, beginning: &str) -> bool {
        let own = &self[unit];
        own.name.starts_with(beginning)
            || own.names.keys().any(|n| n.starts_with(beginning))
            || own
                .children
                .iter()
                .any(|c| self.has_name_from(*c, beginning))
    }

    /// The names of the variables of a common block that a scope knows, in their order.
    pub fn common_variables(&self, scope: ScopeId, block: &str) -> Vec<Word> {
        let visible = |of: &ScopeId, names: &[Word]| {
            let same = |n: &Word| {
                let own = self.lookup(*of, n);
                own.is_some() && own == self.lookup(scope, n)
            };
            names.iter().all(same)
        };
        let named = self.commons.iter().filter(|c| c.1 == block);
        let found = named.filter(|(of, _, names)| visible(of, names));
        found.flat_map(|c| c.2.iter().cloned()).collect()
    }

    /// The module of the program or of the runtime that a file means by a name.
    pub fn module_of(&self, file: FileId, name: &str) -> Option<ScopeId> {
        let used = self.files.get(file.0 as usize)?.modules_used.get(name);
        used.or_else(|| self.modules.get(name)).copied()
    }

    /// Memory space of a designator; None for a value.
    pub fn space(&self, expr: &TExpr) -> Option<Space> {
        match &expr.kind {
            TExprKind::Variable(s) => match &self[*s].kind {
                SymbolKind::Variable(v) => Some(v.space),
                SymbolKind::Associate { space, .. } => *space,
                _ => None,
            },
            TExprKind::Component {
                base, of, index, ..
            } => {
                let field = self.components_of(*of).get(*index).copied();
                let apart = |f: &Field| f.attrs.is_dynamic();
                match field.map(|f| f.space) {
                    Some(Space::Host) | None => match self.space(base) {
                        // The host allocates it where it allocates anything.
                        Some(Space::Managed | Space::Unified | Space::Pinned)
                            if field.is_some_and(apart) =>
                        {
                            Some(Space::Host)
                        }
                        of_base => of_base,
                    },
                    own => own,
                }
            }
            TExprKind::Index { base, .. }
            | TExprKind::Substring { base, .. }
            | TExprKind::ComplexPart { base, .. } => self.space(base),
            _ => None,
        }
    }

    /// The variable behind a symbol, if it is one.
    pub fn variable(&self, symbol: SymbolId) -> Option<&Variable> {
        match &self[symbol].kind {
            SymbolKind::Variable(v) => Some(v),
            _ => None,
        }
    }

    /// The procedure behind a symbol, if it is one.
    pub fn procedure(&self, symbol: SymbolId) -> Option<&Procedure> {
        match &self[symbol].kind {
            SymbolKind::Procedure(p) => Some(p),
            _ => None,
        }
    }

    /// The external procedure of the program that a name without explicit interface means.
    pub fn definition(&self, procedure: SymbolId) -> Option<SymbolId> {
        let p = self.procedure(procedure)?;
        if p.body.is_some() || p.kind != ProcedureKind::External {
            return None;
        }
        let defined = *self.externals.get(self[procedure].name.as_str())?;
        self.procedure(defined)?.body.map(|_| defined)
    }

    /// Declared dimensions of a variable or named constant; empty for everything else.
    pub fn dims(&self, symbol: SymbolId) -> &[Dim] {
        match &self[symbol].kind {
            SymbolKind::Variable(v) => &v.dims,
            SymbolKind::Parameter(p) => &p.dims,
            _ => &[],
        }
    }

    /// Declared type of a variable, named constant or function result.
    pub fn type_of(&self, symbol: SymbolId) -> Type {
        match &self[symbol].kind {
            SymbolKind::Variable(v) => v.ty.clone(),
            SymbolKind::Parameter(p) => p.ty.clone(),
            SymbolKind::StatementFunction(f) => f.ty.clone(),
            SymbolKind::Procedure(p) => p.result.map_or(Type::Unknown, |r| self.type_of(r)),
            _ => Type::Unknown,
        }
    }

    /// A procedure that is not Fortran uses the address of the actual argument after the call, too: its dummy is ASYNCHRONOUS
    /// (F2018 8.5.4), so that no copy may be passed.
    pub fn keeps_address(&self, dummy: SymbolId) -> bool {
        let kept = |v: &Variable| v.attrs.has(VarAttrs::ASYNCHRONOUS);
        self.variable(dummy).is_some_and(kept)
            && self[self[dummy].scope].kind == ScopeKind::InterfaceBody
    }

    /// A variable of this type begins with a value that the type states (F2018 7.5.4.6).
    pub fn has_default_init(&self, ty: &Type) -> bool {
        let (Type::Derived(t) | Type::Class(t)) = ty else {
            return false;
        };
        // What a pointer or an allocatable gets later is no part of the value.
        self.has_component(*t, |f| f.init.is_some(), |f| !f.attrs.is_dynamic())
    }

    /// Pointers or allocatables are part of the value, which the host's compiler has to set up.
    pub fn has_dynamic(&self, ty: &Type) -> bool {
        let (Type::Derived(t) | Type::Class(t)) = ty else {
            return false;
        };
        self.has_component(*t, |f| f.attrs.is_dynamic(), |f| !f.attrs.is_dynamic())
    }

    /// Allocatable components of the host are part of the value.
    pub fn has_host_allocatable(&self, t: TypeId) -> bool {
        let of_host = |f: &Field| {
            f.attrs.has(VarAttrs::ALLOCATABLE) && matches!(f.space, Space::Host | Space::Thread)
        };
        self.has_component(t, of_host, |f| !f.attrs.is_dynamic())
    }

    /// The type or one that it extends has KIND or LEN parameters.
    pub fn has_parameters(&self, t: TypeId) -> bool {
        let mut at = Some(t);
        // A type that extends itself is reported elsewhere.
        for _ in 0..64 {
            let Some(t) = at else { return false };
            if self[t].parameters {
                return true;
            }
            at = self[t].parent;
        }
        false
    }

    /// Pointers lead on from data of this type.
    pub fn has_pointers(&self, ty: &Type) -> bool {
        match ty {
            Type::Derived(t) => {
                let leads = |f: &Field| {
                    let unknown = matches!(f.ty, Type::Class(_) | Type::ClassStar);
                    f.attrs.has(VarAttrs::POINTER) || unknown
                };
                self.has_component(*t, leads, |_| true)
            }
            // Those of an extension are not known.
            Type::Class(_) | Type::ClassStar => true,
            _ => false,
        }
    }

    /// A component of the type, of its parents or of the type of a component that is one to go `into` is as asked for.
    pub fn has_component(
        &self,
        ty: TypeId,
        wanted: impl Fn(&Field) -> bool,
        into: impl Fn(&Field) -> bool,
    ) -> bool {
        let mut seen = HashSet::from([ty]);
        let mut todo = vec![ty];
        while let Some(t) = todo.pop() {
            for f in self.components_of(t) {
                if wanted(f) {
                    return true;
                }
                if let Type::Derived(c) | Type::Class(c) = f.ty
                    && into(f)
                    && seen.insert(c)
                {
                    todo.push(c);
                }
            }
        }
        false
    }

    /// All components of a type, those of its parents first (the order of [`crate::sema::expression::typed::TExprKind::Component`]).
    /// The parent component itself is not in the list.
    pub fn components_of(&self, ty: TypeId) -> Vec<&Field> {
        let mut chain = vec![ty];
        let mut seen = HashSet::new();
        let mut at = self[ty].parent;
        while let Some(p) = at {
            // A type that extends itself is diagnosed when it is declared.
            if p == ty || !seen.insert(p) {
                break;
            }
            chain.push(p);
            at = self[p].parent;
        }
        chain
            .iter()
            .rev()
            .flat_map(|t| &self[*t].components)
            .collect()
    }

    /// `type(c_ptr)` or `type(c_devptr)`: an address.
    pub fn is_c_address(&self, ty: &Type) -> bool {
        let Type::Derived(t) = ty else { return false };
        matches!(self[*t].name.as_str(), "c_ptr" | "c_devptr")
    }

    /// Data in this space is in the device's memory and not addressable by host code.
    pub fn is_device_space(space: Space) -> bool {
        matches!(
            space,
            Space::Device | Space::Constant | Space::Shared | Space::Texture
        )
    }

    /// A component of the type, of its parents or of a component's type is device, managed, ... data.
    pub fn contains_device_component(&self, ty: TypeId) -> bool {
        let elsewhere = |f: &Field| f.space != Space::Host && f.space != Space::Thread;
        self.has_component(ty, elsewhere, |_| true)
    }

    /// The type as Fortran writes it: `real(8)`, `type(particle)`.
    pub fn type_name(&self, ty: &Type) -> String {
        match ty {
            Type::Integer(k) => format!("integer({k})"),
            Type::Real(k) => format!("real({k})"),
            Type::Complex(k) => format!("complex({k})"),
            Type::Logical(k) => format!("logical({k})"),
            Type::Character(CharacterLength::Constant(n)) => format!("character(len={n})"),
            Type::Character(CharacterLength::Other) => "character(len=*)".to_owned(),
            Type::Derived(t) => format!("type({})", self[*t].name),
            Type::Class(t) => format!("class({})", self[*t].name),
            Type::ClassStar => "class(*)".to_owned(),
            Type::AssumedType => "type(*)".to_owned(),
            Type::Boz => "a BOZ constant".to_owned(),
            Type::Opaque(n) => format!("type({n})"),
            Type::Unknown => "unknown type".to_owned(),
        }
    }

    /// The innermost procedure, program or module scope around (and including) a scope: skips BLOCK, ASSOCIATE and types.
    pub fn unit_scope(&self, scope: ScopeId) -> ScopeId {
        let mut at = scope;
        while matches!(
            self[at].kind,
            ScopeKind::Block | ScopeKind::Associate | ScopeKind::DerivedType
        ) {
            match self[at].parent {
                Some(p) => at = p,
                None => break,
            }
        }
        at
    }
}
