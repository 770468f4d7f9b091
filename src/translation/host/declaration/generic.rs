//! Generic procedures whose specifics differ by memory attributes only (guide 3.2.2): standard Fortran cannot tell them
//! apart, so all but one leave the generic and are called by their own names.

use askama::Template;

use crate::ast::{Binding, DerivedTypeDef, Name, ProgramUnit, Span, UnitKind};
use crate::host::context::HostRewriter;
use crate::host::context::generated;
use crate::host::context::names;
use crate::host::context::rules::Values;
use crate::host::declaration::specifics::is_operation;
use crate::map::Rule;
use crate::sema::expression::typed::*;
use crate::sema::model::*;

/// A public generic of one private procedure.
#[derive(Template)]
#[template(path = "host/handle.f90", escape = "fortran")]
struct Handle<'a> {
    name: String,
    specific: &'a str,
}

impl HostRewriter<'_> {
    /// Bindings of device procedures leave the type: those procedures are no host code.
    pub(in crate::translation::host) fn bindings(&mut self, t: &DerivedTypeDef) {
        let Some(id) = self.defined_type(&t.name.text) else {
            return;
        };
        let gone = |pass: &Self, binding: &str| {
            matches!(
                pass.model.binding(id, binding),
                Some(TypeBinding::Specific { procedure: Some(p), .. }) if pass.is_device_only(*p)
            )
        };
        let mut statements: Vec<(Span, Vec<(Span, bool)>)> = Vec::new();
        for b in &t.bindings {
            let (statement, items) = match b {
                Binding::Procedure {
                    name,
                    target,
                    statement,
                    ..
                } => {
                    let end = target.as_ref().map_or(name.span.end, |t| t.span.end);
                    let span = Span {
                        start: name.span.start,
                        end,
                    };
                    (*statement, vec![(span, gone(self, &name.text))])
                }
                Binding::Generic {
                    spec,
                    targets,
                    statement,
                } => {
                    let all = self.model.generic_targets(id, &spec.text);
                    let stay: Vec<String> = all.into_iter().filter(|n| !gone(self, n)).collect();
                    let ambiguous = self.ambiguous_bindings(id, &stay);
                    let left = |n: &&Name| ambiguous.iter().any(|a| *a == *n.text);
                    let named = |n: &&Name| {
                        left(n) || is_operation(&spec.text) && self.takes_memory(id, &n.text)
                    };
                    let named: Vec<&Name> = targets.iter().filter(named).collect();
                    for n in named {
                        let name = self.binding_name(id, &n.text);
                        if *name != *n.text {
                            let own = format!("; generic, public :: {name} => {}", n.text);
                            self.edits.insert(Rule::Interface, statement.end, own);
                        }
                    }
                    let leaves = |n: &Name| gone(self, &n.text) || left(&n);
                    (
                        *statement,
                        targets.iter().map(|n| (n.span, leaves(n))).collect(),
                    )
                }
                Binding::Final { .. } => continue,
            };
            match statements.last_mut() {
                Some((last, list)) if *last == statement => list.extend(items),
                _ => statements.push((statement, items)),
            }
        }
        for (statement, items) in statements {
            self.thin_out(statement, &items);
        }
    }

    /// The type that a name means here.
    pub(in crate::translation::host) fn defined_type(&self, name: &str) -> Option<TypeId> {
        match self
            .model
            .lookup(self.scope, name)
            .map(|s| &self.model[s].kind)
        {
            Some(SymbolKind::DerivedType(id)) => Some(*id),
            Some(SymbolKind::Generic(g)) => g.of_type,
            _ => None,
        }
    }

    /// The bindings that leave a generic binding, which another one makes ambiguous to standard Fortran. Host versions stay.
    fn ambiguous_bindings(&self, of: TypeId, targets: &[String]) -> Vec<String> {
        let specific = |n: &&String| match self.model.binding(of, n) {
            Some(TypeBinding::Specific { procedure, .. }) => *procedure,
            _ => None,
        };
        let gone = self.ambiguous(
            targets.iter().filter_map(|n| specific(&n)).collect(),
            None,
            |_| false,
        );
        let left = |n: &&String| specific(n).is_some_and(|p| gone.contains(&p));
        targets.iter().filter(left).cloned().collect()
    }

    /// What references call a binding that had to leave its generic: one that may be private has a generic of its own.
    fn binding_name(&self, of: TypeId, binding: &str) -> String {
        match self.model.binding(of, binding) {
            Some(TypeBinding::Specific { private: true, .. }) => {
                let d = &self.model[of];
                let unit = self.model.unit_symbol(d.scope);
                names::global("cuf_of", &unit, &format!("{}_{binding}", d.name))
            }
            _ => binding.to_owned(),
        }
    }

    fn takes_memory(&self, of: TypeId, binding: &str) -> bool {
        matches!(
            self.model.binding(of, binding),
            Some(TypeBinding::Specific { procedure: Some(p), .. }) if self.has_memory_dummies(*p)
        )
    }

    /// How a defined operation or assignment that a type binds is written by name, where its procedure had to leave the generic
    /// binding or takes data of the device: the place of the passed object among the operands, and the binding.
    fn bound_operation(
        &self,
        procedure: SymbolId,
        operands: &[Option<TExpr>],
    ) -> Option<(usize, String)> {
        let places = operands.iter().enumerate();
        let of_type = places.filter_map(|(i, x)| match x.as_ref().map(|x| &x.ty) {
            Some(Type::Derived(t) | Type::Class(t)) => Some((i, *t)),
            _ => None,
        });
        for (place, of) in of_type {
            let family = std::iter::successors(Some(of), |t| self.model[*t].parent).take(64);
            for home in family {
                for (key, b) in &self.model[home].bindings {
                    if !matches!(b, TypeBinding::Generic(_)) || !is_operation(key) {
                        continue;
                    }
                    let targets = self.model.generic_targets(home, key);
                    let left = self.ambiguous_bindings(home, &targets);
                    let named = |n: &&String| left.contains(n) || self.takes_memory(home, n);
                    let called = |n: &&String| self.passes(of, n, procedure) == Some(place);
                    if let Some(n) = targets.iter().filter(named).find(called) {
                        return Some((place, self.binding_name(home, n)));
                    }
                }
            }
        }
        None
    }

    /// The place of the passed object among the arguments, if the binding is to this procedure.
    fn passes(&self, of: TypeId, binding: &str, procedure: SymbolId) -> Option<usize> {
        match self.model.binding(of, binding)? {
            TypeBinding::Specific {
                procedure: Some(p),
                nopass: false,
                pass,
                ..
            } if *p == procedure => match pass {
                None => Some(0),
                Some(name) => {
                    let is = |d: &Option<SymbolId>| d.is_some_and(|d| self.model[d].name == *name);
                    self.dummies(procedure).iter().position(is)
                }
            },
            _ => None,
        }
    }

    /// A defined operation or assignment of a type's binding becomes a reference of the binding by name. False if it stays.
    pub(in crate::translation::host) fn name_bound_operation(
        &mut self,
        procedure: SymbolId,
        operands: &[Option<TExpr>],
        whole: Span,
        call: bool,
    ) -> bool {
        let Some((place, name)) = self.bound_operation(procedure, operands) else {
            return false;
        };
        let dummies = self.dummies(procedure);
        let Some(object) = operands.get(place).and_then(Option::as_ref) else {
            return false;
        };
        // A value has no bindings: the procedure is called by its own name.
        let called = object.is_designator();
        let texts: Vec<String> = operands
            .iter()
            .zip(&dummies)
            .filter_map(|(x, d)| x.as_ref().map(|x| (x, *d)))
            .map(|(x, d)| {
                let text = self.with_edits(x.span, |p| p.actual(x, d));
                // The subroutine gets the value, not the variable (F2018 15.4.3.4.3).
                let value = call && x.span.end == whole.end && x.is_designator();
                match value && !self.is_device(x) && !called {
                    true => format!("({text})"),
                    false => text,
                }
            })
            .collect();
        let verb = if call { "call " } else { "" };
        let text = match texts.get(place) {
            Some(object) if called => {
                let others = texts.iter().enumerate().filter(|(i, _)| *i != place);
                let others: Vec<&str> = others.map(|(_, t)| t.as_str()).collect();
                format!("{verb}{object}%{name}({})", others.join(", "))
            }
            _ => {
                let name = self.specific_name(procedure);
                format!("{verb}{name}({})", texts.join(", "))
            }
        };
        self.edits.replace(Rule::Interface, whole, text);
        true
    }

    /// Names the specific binding in a reference through a generic binding that it had to leave. It dispatches as the generic does.
    pub(in crate::translation::host) fn name_binding(
        &mut self,
        of: TypeId,
        procedure: SymbolId,
        name: Span,
    ) {
        let written = self.slice(name).to_ascii_lowercase();
        if !matches!(
            self.model.binding(of, &written),
            Some(TypeBinding::Generic(_))
        ) {
            return;
        }
        let is_specific = |n: &&String| {
            let b = self.model.binding(of, n);
            matches!(b, Some(TypeBinding::Specific { procedure: Some(p), .. }) if *p == procedure)
        };
        // Ambiguous where the generic is declared, however the procedures are overridden.
        let declares = |t: &TypeId| self.model[*t].bindings.get(written.as_str()).is_some();
        let mut family = std::iter::successors(Some(of), |t| self.model[*t].parent).take(64);
        let home = family.find(declares).unwrap_or(of);
        let left = self.ambiguous_bindings(home, &self.model.generic_targets(home, &written));
        let specific = left.iter().find(is_specific);
        let specific = specific.map(|n| self.binding_name(home, n));
        if let Some(specific) = specific {
            self.edits.replace(Rule::Interface, name, specific);
        }
    }

    /// Names the specific in a reference through a generic that it had to leave.
    pub(in crate::translation::host) fn name_specific(
        &mut self,
        generic: Option<SymbolId>,
        procedure: SymbolId,
        name: Span,
        args: &[Option<TExpr>],
    ) {
        let Some(g) = generic else { return };
        let gone = self.ambiguous_specifics(g);
        if !gone.contains(&procedure) {
            let SymbolKind::Generic(generic) = &self.model[g].kind else {
                return;
            };
            let alone = generic
                .specifics
                .iter()
                .all(|s| *s == procedure || gone.contains(s));
            let same = self.model[g].name == self.model[procedure].name;
            // A private procedure has a name elsewhere only if it had to leave.
            let named = !self.model[procedure].private;
            let others = generic.specifics.iter();
            let takes_all = others
                .filter(|s| **s != procedure && !gone.contains(s))
                .any(|s| self.takes_any_type(*s));
            let differs = takes_all || self.differs_from_dummies(procedure, args);
            if alone && same || !named || !differs {
                return;
            }
        }
        let specific = self.specific_name(procedure);
        self.edits.replace(Rule::Interface, name, specific);
    }

    /// A dummy takes data of any type, also in the eyes of the Fortran compiler.
    fn takes_any_type(&self, procedure: SymbolId) -> bool {
        let dummies = self.dummies(procedure);
        let mut all = (dummies.iter().flatten()).filter_map(|d| self.model.variable(*d));
        all.any(|v| v.attrs.has(VarAttrs::IGNORE_TYPE) && !v.attrs.has(VarAttrs::VALUE))
    }

    /// Type, kind or rank of an actual argument differ from the dummy's, which ignores that (`ignore_tkr`): the Fortran compiler would not find
    /// the specific by a generic name.
    fn differs_from_dummies(&self, procedure: SymbolId, args: &[Option<TExpr>]) -> bool {
        let dummies = self.dummies(procedure);
        args.iter().zip(dummies).any(|(a, d)| {
            let (Some(a), Some(v)) = (a, d.and_then(|d| self.model.variable(d))) else {
                return false;
            };
            let ignores = [
                VarAttrs::IGNORE_TYPE,
                VarAttrs::IGNORE_KIND,
                VarAttrs::IGNORE_RANK,
            ];
            // An element that begins an array is written as a section.
            let section = matches!(a.kind, TExprKind::Index { .. })
                && matches!(v.dims[..], [Dim::AssumedSize { .. }]);
            let rank = match a.rank {
                0 if section => 1,
                rank => rank,
            };
            let other_rank = usize::try_from(rank) != Ok(v.dims.len());
            let other_type = !v.attrs.has(VarAttrs::VALUE) && a.ty != v.ty;
            match v.ty == Type::AssumedType {
                true => other_rank,
                false => ignores.iter().any(|i| v.attrs.has(*i)) && (other_rank || other_type),
            }
        })
    }

    /// The name of a procedure in this scope, which gets it by USE where it has none.
    pub(in crate::translation::host) fn specific_name(&mut self, procedure: SymbolId) -> String {
        if let Some(name) = self.visible_name(self.scope, procedure) {
            return name;
        }
        if let Some(name) = self.namesake(procedure) {
            return name;
        }
        let specific = &self.model[procedure];
        let module = &self.model[specific.scope].name;
        let name = self.handle(procedure);
        let item = match specific.private {
            true => name.clone(),
            false => format!("{name} => {}", specific.spelling),
        };
        self.unit
            .extra_uses
            .insert(format!("use {module}, only: {item}"));
        name
    }

    /// The specific of a generic that has its name, if there is one.
    pub(in crate::translation::host) fn namesake_in(&self, symbol: SymbolId) -> SymbolId {
        let SymbolKind::Generic(g) = &self.model[symbol].kind else {
            return symbol;
        };
        let named = |s: &&SymbolId| self.model[**s].name == self.model[symbol].name;
        g.specifics.iter().find(named).copied().unwrap_or(symbol)
    }

    /// The name of a procedure that means here the generic of that name, of which only the procedure is left.
    fn namesake(&self, procedure: SymbolId) -> Option<String> {
        let own = &self.model[procedure];
        let found = self.model.lookup(self.scope, &own.name)?;
        let SymbolKind::Generic(g) = &self.model[found].kind else {
            return None;
        };
        let gone = self.ambiguous_specifics(found);
        let left = |s: &&SymbolId| !gone.contains(s);
        let mut left = g.specifics.iter().filter(left);
        (left.next() == Some(&procedure) && left.next().is_none()).then(|| own.spelling.to_string())
    }

    /// What a procedure is called where its own name may mean something else.
    fn handle(&self, procedure: SymbolId) -> String {
        let specific = &self.model[procedure];
        let unit = self.model.unit_symbol(specific.scope);
        names::global("cuf_of", &unit, &specific.name)
    }

    /// Generics of one procedure each for the PRIVATE procedures of a module that had to leave a generic: other units cannot
    /// name them otherwise.
    pub(in crate::translation::host) fn handles(&mut self, unit: &ProgramUnit, scope: ScopeId) {
        if unit.kind != UnitKind::Module {
            return;
        }
        let mut left: Vec<SymbolId> = Vec::new();
        for (_, s) in self.model[scope].exports.iter() {
            let own = |p: &SymbolId| self.model[*p].private && self.model[*p].scope == scope;
            left.extend(self.ambiguous_specifics(*s).into_iter().filter(own));
        }
        left.sort_unstable();
        left.dedup();
        let indent = self.indent_at(unit.end.start) + "  ";
        let mut text = String::new();
        for p in left {
            let handle = Handle {
                name: self.handle(p),
                specific: &self.model[p].spelling,
            };
            for line in generated::lines(&handle) {
                text.push_str(&format!("{indent}{line}\n"));
            }
        }
        if !text.is_empty() {
            self.end_specification(unit, &text);
        }
    }

    /// A defined operation whose procedure had to leave the generic becomes a reference of that procedure.
    pub(in crate::translation::host) fn name_operation(
        &mut self,
        generic: SymbolId,
        procedure: SymbolId,
        operation: Span,
        operands: &[Option<TExpr>],
    ) {
        if !self.ambiguous_specifics(generic).contains(&procedure) {
            return;
        }
        let name = self.specific_name(procedure);
        let between = |start, end| Span { start, end };
        match operands {
            [Some(l), Some(r)] => {
                self.edits
                    .insert(Rule::Interface, operation.start, format!("{name}("));
                self.edits
                    .replace(Rule::Interface, between(l.span.end, r.span.start), ", ");
            }
            [Some(one)] => self.edits.replace(
                Rule::Interface,
                between(operation.start, one.span.start),
                format!("{name}("),
            ),
            _ => return,
        }
        self.edits.insert(Rule::Interface, operation.end, ")");
    }
}
