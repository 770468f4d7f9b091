//! Questions that other passes ask the model.

use std::collections::HashSet;

use super::model::*;
use super::typed::{Subscript, TExpr, TExprKind};
use super::typer::Typer;
use std::borrow::Cow;

use super::fold;
use crate::ast::{self, Span};

/// Folded bounds of one dimension; None where they are not constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// 1 if not written, for explicit shape and assumed shape.
    pub lower: Option<i64>,
    pub upper: Option<i64>,
}

/// Data declared like this lies side by side whatever the program does (F2018 8.5.7).
pub fn surely_dense(attrs: VarAttrs, dims: &[Dim], dummy: bool) -> bool {
    let assumed = dims
        .iter()
        .any(|d| matches!(d, Dim::Colon { .. } | Dim::AssumedRank));
    attrs.has(VarAttrs::CONTIGUOUS)
        || (!attrs.has(VarAttrs::POINTER)
            && (attrs.has(VarAttrs::ALLOCATABLE) || !(assumed && dummy)))
}

impl Variable {
    /// Data without a memory attribute: the host's in host code, that of a procedure for host and device too.
    pub fn is_hosts(&self) -> bool {
        matches!(self.space, Space::Host | Space::Thread)
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

    /// Why device code cannot change what the designator denotes: the code of the rule and the end of a sentence. None if it may.
    pub fn unchangeable(&self, e: &TExpr) -> Option<(&'static str, &'static str)> {
        match self.space(e) {
            Some(Space::Constant) => Some(("CUF0334", "is constant data")),
            Some(Space::Texture) => Some(("CUF0334", "is a texture")),
            _ => self
                .is_read_only(e)
                .then_some(("CUF0335", "has intent(in)")),
        }
    }

    /// A dummy with INTENT(IN), or a part of one that is not behind a pointer.
    fn is_read_only(&self, e: &TExpr) -> bool {
        match &e.kind {
            TExprKind::Variable(s) => match &self[*s].kind {
                SymbolKind::Variable(v) => {
                    v.dummy.is_some()
                        && v.intent == Some(ast::Intent::In)
                        && !v.attrs.has(VarAttrs::POINTER)
                }
                SymbolKind::Associate { expr, outer, .. } => {
                    self.is_read_only(&self.expr(*outer, expr))
                }
                _ => false,
            },
            TExprKind::Component {
                base, of, index, ..
            } => {
                let fields = self.components_of(*of);
                let field = fields.get(*index);
                field.is_some_and(|f| !f.attrs.has(VarAttrs::POINTER)) && self.is_read_only(base)
            }
            _ => e.base().is_some_and(|b| self.is_read_only(b)),
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
    pub(super) fn holder<'e>(&self, mut e: &'e TExpr) -> &'e TExpr {
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
        let mut at = Some(scope);
        while let Some(id) = at {
            let s = &self[id];
            if let Some(found) = s.names.get(name) {
                return Some(*found);
            }
            if !s.opened.is_empty()
                && let Some(found) = self.lookup_used(id, name)
            {
                return Some(found);
            }
            at = s.parent;
        }
        None
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

    /// The path of a named program unit in one word, which no other unit of the program has, nor its beginning before an
    /// underscore: generated names are made of it and the name of what is in the unit.
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
        let begins =
            |(at, _): (usize, &str)| at > 0 && self.units_by_name.contains_key(&own.name[..at]);
        if rank > 0 || own.name.contains("__") || own.name.match_indices('_').any(begins) {
            symbol.push('_');
        }
        symbol
    }

    /// A symbol and, if it is an associate name, the roots of the designators that it stands for, one behind the other.
    pub fn stands_for(&self, symbol: SymbolId) -> impl Iterator<Item = SymbolId> {
        std::iter::successors(Some(symbol), |s| match &self[*s].kind {
            SymbolKind::Associate { expr, outer, .. } => self.expr(*outer, expr).root(),
            _ => None,
        })
    }

    /// Types a designator, a target or an actual argument as seen in `scope`: the name of a function is that function.
    pub fn designator(&self, scope: ScopeId, expr: &ast::Expr) -> TExpr {
        Typer::new(self, scope).expr(expr)
    }

    /// Types an expression as seen in `scope`, where a value is wanted.
    pub fn expr(&self, scope: ScopeId, expr: &ast::Expr) -> TExpr {
        Typer::new(self, scope).value(expr)
    }

    /// The module of the program or of the runtime that a file means by a name.
    pub fn module_of(&self, file: FileId, name: &str) -> Option<ScopeId> {
        let used = self.files.get(file.0 as usize)?.modules_used.get(name);
        used.or_else(|| self.modules.get(name)).copied()
    }

    /// The value that a constant or an initialised variable of this type and shape has by an expression, and the type with the
    /// length that the value gives it.
    pub(super) fn value_of(
        &self,
        scope: ScopeId,
        mut ty: Type,
        dims: &[Dim],
        init: &ast::Expr,
    ) -> (Type, Option<Constant>) {
        let mut typer = Typer::of_constant(self, scope);
        let t = typer.expr(init);
        let initial = typer.constant_of(&t).map(Cow::into_owned);
        if ty == Type::Character(CharacterLength::Other) {
            ty = t.ty.clone();
            if let Some(Constant::Character(s)) = &initial {
                ty = Type::Character(CharacterLength::Constant(s.chars().count() as i64));
            }
        }
        let mut value = match (t.ty, initial) {
            (Type::Boz, Some(Constant::Integer(v, _))) => fold::boz_as(v, &ty),
            (_, Some(v)) => fold::convert(&v, &ty),
            _ => None,
        };
        if !dims.is_empty() {
            value = value.and_then(|v| self.shaped(scope, dims, v));
        } else if matches!(value, Some(Constant::Array(..))) {
            value = None;
        }
        (ty, value)
    }

    /// The constant that a variable is initialised with.
    pub fn initial_value(&self, s: SymbolId) -> Option<Constant> {
        let v = self.variable(s)?;
        let ast::Init::Value(init) = v.init.as_deref()? else {
            return None;
        };
        self.value_of(self[s].scope, v.ty.clone(), &v.dims, init).1
    }

    /// Value of a constant integer expression.
    pub fn const_int(&self, scope: ScopeId, expr: &ast::Expr) -> Option<i64> {
        self.expr(scope, expr)
            .as_integer()
            .and_then(|v| i64::try_from(v).ok())
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

    /// Folded bounds of every dimension of a variable or named constant.
    pub fn dims_of(&self, symbol: SymbolId) -> Vec<Bounds> {
        let scope = self[symbol].scope;
        self.bounds(scope, self.dims(symbol))
    }

    /// A procedure that is not Fortran uses the address of the actual argument after the call, too: its dummy is ASYNCHRONOUS
    /// (F2018 8.5.4), so that no copy may be passed.
    pub fn keeps_address(&self, dummy: SymbolId) -> bool {
        let kept = |v: &Variable| v.attrs.has(VarAttrs::ASYNCHRONOUS);
        self.variable(dummy).is_some_and(kept)
            && self[self[dummy].scope].kind == ScopeKind::InterfaceBody
    }

    /// The section of a variable of constant shape has elements that do not lie side by side in their order, whatever the program does.
    pub fn surely_has_gaps(&self, e: &TExpr) -> bool {
        let TExprKind::Index { base, subs } = &e.kind else {
            return false;
        };
        let TExprKind::Variable(root) = base.kind else {
            return false;
        };
        let length = |b: &Bounds| b.upper?.checked_sub(b.lower?)?.checked_add(1);
        let mut partial = false;
        for (s, bounds) in subs.iter().zip(self.dims_of(root)) {
            let (count, step) = match s {
                Subscript::Element(_) => (Some(1), 1),
                Subscript::Vector(_) => (None, 1),
                Subscript::Range { lo, hi, step } => {
                    let integer = |e: &TExpr| e.as_integer().and_then(|i| i64::try_from(i).ok());
                    let step = step.as_ref().map_or(Some(1), integer);
                    let end = |written: &Option<TExpr>, own: Option<i64>| match written {
                        Some(e) => integer(e),
                        None => own,
                    };
                    let (first, last) = match step {
                        Some(s) if s < 0 => (bounds.upper, bounds.lower),
                        _ => (bounds.lower, bounds.upper),
                    };
                    let count = |lo: i64, hi: i64, step: i64| {
                        let steps = hi.checked_sub(lo)?.checked_div(step)?;
                        Some(steps.checked_add(1)?.max(0))
                    };
                    let ends = end(lo, first).zip(end(hi, last)).zip(step);
                    let count = ends.and_then(|((lo, hi), step)| count(lo, hi, step));
                    (count, step.unwrap_or(1))
                }
            };
            if (partial || step != 1) && count.is_some_and(|c| c > 1) {
                return true;
            }
            partial |= matches!((count, length(&bounds)), (Some(c), Some(all)) if c < all);
        }
        false
    }

    /// Folded bounds of dimensions whose expressions belong to `scope`.
    pub fn bounds(&self, scope: ScopeId, dims: &[Dim]) -> Vec<Bounds> {
        let low = |e: &Option<Box<ast::Expr>>| match e {
            None => Some(1),
            Some(e) => self.const_int(scope, e),
        };
        dims.iter()
            .map(|d| match d {
                Dim::Explicit { lower, upper } => Bounds {
                    lower: low(lower),
                    upper: self.const_int(scope, upper),
                },
                Dim::Colon { lower } | Dim::AssumedSize { lower } => Bounds {
                    lower: low(lower),
                    upper: None,
                },
                Dim::AssumedRank => Bounds {
                    lower: None,
                    upper: None,
                },
            })
            .collect()
    }

    /// An array constant in the declared shape: a scalar is spread.
    pub fn shaped(&self, scope: ScopeId, dims: &[Dim], value: Constant) -> Option<Constant> {
        let implied = dims.iter().any(|d| !matches!(d, Dim::Explicit { .. }));
        if implied {
            // `dimension(*)`: the shape is the value's.
            return matches!(value, Constant::Array(..)).then_some(value);
        }
        let shape: Option<Vec<i64>> = self
            .bounds(scope, dims)
            .iter()
            .map(|b| Some(b.upper?.checked_sub(b.lower?)?.checked_add(1)?.max(0)))
            .collect();
        let shape = shape?;
        let n = shape
            .iter()
            .try_fold(1i64, |n, e| n.checked_mul(*e))
            .and_then(|n| usize::try_from(n).ok())
            .filter(|n| *n <= super::fold::MAX_ELEMENTS)?;
        match value {
            Constant::Array(items, _) => {
                (items.len() == n).then_some(Constant::Array(items, shape))
            }
            one => Some(Constant::Array(vec![one; n], shape)),
        }
    }

    /// A variable of this type begins with a value that the type states (F2018 7.5.4.6).
    pub fn has_default_init(&self, ty: &Type) -> bool {
        let (Type::Derived(t) | Type::Class(t)) = ty else {
            return false;
        };
        let mut seen = HashSet::from([*t]);
        let mut todo = vec![*t];
        while let Some(t) = todo.pop() {
            for f in self.components_of(t) {
                if f.init.is_some() {
                    return true;
                }
                // What a pointer or an allocatable gets later is no part of the value.
                let own = !f.attrs.is_dynamic();
                if let Type::Derived(c) | Type::Class(c) = f.ty
                    && own
                    && seen.insert(c)
                {
                    todo.push(c);
                }
            }
        }
        false
    }

    /// All components of a type, those of its parents first (the order of [`super::typed::TExprKind::Component`]).
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

    /// Data in this space is in the device's memory and not addressable by host code.
    pub fn is_device_space(space: Space) -> bool {
        matches!(
            space,
            Space::Device | Space::Constant | Space::Shared | Space::Texture
        )
    }

    /// A component of the type, of its parents or of a component's type is device, managed, ... data.
    pub fn contains_device_component(&self, ty: TypeId) -> bool {
        let mut seen = HashSet::from([ty]);
        let mut todo = vec![ty];
        while let Some(t) = todo.pop() {
            for f in self.components_of(t) {
                if f.space != Space::Host && f.space != Space::Thread {
                    return true;
                }
                if let Type::Derived(c) | Type::Class(c) = f.ty
                    && seen.insert(c)
                {
                    todo.push(c);
                }
            }
        }
        false
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
