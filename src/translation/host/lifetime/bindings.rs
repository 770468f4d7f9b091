//! Procedures that a type that owns device data has for FINAL and for polymorphic objects: a CLASS object is freed and copied by
//! procedures bound to its dynamic type, wherever that is declared.

use super::templates::{ClassCopy, ClassRelease, Final};
use crate::ast::{Binding, DerivedTypeDef, Span};
use crate::host::context::HostRewriter;
use crate::host::context::generated;
use crate::host::context::names::{ALLOCATED, COPY, FINISH, FINISH_EACH, RELEASE, X};
use crate::host::lifetime::calls::guarded;
use crate::host::lifetime::types::Part;
use crate::map::Rule;
use crate::sema::model::*;

/// Bindings that all types of a family have: name, verb of the procedure.
const BINDINGS: [(&str, &str); 4] = [
    (RELEASE, "class_release"),
    (COPY, "class_copy"),
    (FINISH, "class_finish"),
    (FINISH_EACH, "class_each"),
];

/// The key of generic bindings for assignment.
const ASSIGNMENT: &str = "assignment(=)";

impl HostRewriter<'_> {
    /// The definition of a type: FINAL procedures that generated code calls leave it, bindings of generated procedures come.
    pub(in crate::translation::host) fn owner_definition(
        &mut self,
        def: &DerivedTypeDef,
        t: TypeId,
    ) {
        self.check_home(t, def.name.span);
        self.check_assignments(t);
        if self.owners.owns_device_data(t) {
            for b in &def.bindings {
                if let Binding::Final { statement, .. } = b {
                    self.delete_statement(Rule::Owner, *statement);
                }
            }
        }
        if !self.owners.has_bindings(t) || self.owners.is_internal(t) {
            return;
        }
        let mut lines = Vec::new();
        if def.contains.is_none() {
            lines.push("contains".to_owned());
        }
        for (binding, verb) in &BINDINGS[..self.bindings_of(t)] {
            lines.push(format!(
                "  procedure, public :: {binding} => {}",
                self.owners.helper_name(verb, t)
            ));
        }
        self.insert_before_line(Rule::Owner, def.end.start, &lines, 0);
    }

    /// Intrinsic assignment of a structure uses the assignments that are bound to the types of its components (F2018 10.2.1.3), also
    /// where generated code only moves or resets a value.
    fn check_assignments(&mut self, t: TypeId) {
        for (f, part) in self.owners.parts(t) {
            let bound = match part {
                Part::Structure(c, _) => self.assigned_by_binding(c),
                Part::Class(c) => self.model.binding(c, ASSIGNMENT).is_some(),
                _ => false,
            };
            if bound {
                self.finding(
                    "CUF0423",
                    f.span,
                    format!("component `{}` owns device data and its type has a type-bound assignment\nnote: this is not supported\nhelp: use a module `interface assignment(=)` or a subroutine", f.spelling),
                );
            }
        }
    }

    /// Whether an assignment that is bound to the type takes a value of the type: `x = y` for two objects of it is not intrinsic.
    fn assigned_by_binding(&self, t: TypeId) -> bool {
        let takes = |d: &Option<SymbolId>| {
            let v = d.and_then(|d| self.model.variable(d));
            v.is_none_or(|v| match v.ty {
                Type::Derived(of) | Type::Class(of) => self.model.extends(t, of),
                Type::ClassStar | Type::Unknown => true,
                _ => false,
            })
        };
        let names = self.model.generic_targets(t, ASSIGNMENT);
        names.iter().any(|n| match self.model.binding(t, n) {
            Some(TypeBinding::Specific {
                procedure: Some(p), ..
            }) => (self.model.procedure(*p)).is_none_or(|p| p.dummies.iter().all(takes)),
            _ => true,
        })
    }

    /// How many of the bindings the types of a family have.
    fn bindings_of(&self, t: TypeId) -> usize {
        if self.owners.finalizable_family(t) {
            BINDINGS.len()
        } else {
            2
        }
    }

    /// The procedures bound to a type.
    pub(super) fn bound_procedures(&mut self, t: TypeId) -> Vec<(String, Vec<String>)> {
        if !self.owners.has_bindings(t) || self.owners.is_internal(t) {
            return Vec::new();
        }
        let mut all = vec![
            self.bound_release(t, "class_release", true, None),
            self.bound_copy(t),
        ];
        if self.owners.finalizable_family(t) {
            let own = self.owners.finalizable(t);
            let scalar = own.then(|| self.final_procedure(t, 0));
            let each = own.then(|| self.helper("final", t));
            all.push(self.bound_release(t, "class_finish", false, scalar));
            all.push(self.bound_release(t, "class_each", true, each));
        }
        all
    }

    fn bound_release(
        &mut self,
        t: TypeId,
        verb: &str,
        elemental: bool,
        finalise: Option<String>,
    ) -> (String, Vec<String>) {
        let owns = self.owners.owns_device_data(t);
        let text = generated::lines(&ClassRelease {
            of: self.of(t, verb),
            elemental,
            finalises: verb != "class_release",
            finalise,
            release: owns.then(|| self.helper("release", t)),
        });
        (verb.to_owned(), text)
    }

    fn bound_copy(&mut self, t: TypeId) -> (String, Vec<String>) {
        let owns = self.owners.owns_device_data(t);
        let verb = "class_copy";
        let text = generated::lines(&ClassCopy {
            of: self.of(t, verb),
            copy: owns.then(|| self.helper("copy", t)),
        });
        (verb.to_owned(), text)
    }

    /// The procedures that finalise a type (F2018 7.5.6.2): its own FINAL procedure, then the components, then the parent.
    pub(super) fn final_procedures(&mut self, t: TypeId) -> Vec<(String, Vec<String>)> {
        if !self.owners.finalizable(t) {
            return Vec::new();
        }
        let parts = self.final_parts(t);
        let ranks = self.owners.final_ranks(t);
        let own = |pass: &Self, rank: Option<usize>| {
            let finals = pass.model[t].finals.iter();
            let f = finals
                .copied()
                .find(|f| pass.owners.final_rank(*f) == rank)?;
            Some(pass.model[f].spelling.to_string())
        };
        let mut all = Vec::new();
        let mut add = |verb: &str, template: Final| {
            all.push((verb.to_owned(), generated::lines(&template)));
        };
        let parent = self
            .owners
            .owning_parent(t)
            .filter(|p| self.owners.finalizable(*p));
        let each = Final {
            of: self.of(t, "final"),
            elemental: true,
            shape: String::new(),
            own: own(self, None),
            parts: parts.clone(),
            parent: parent.map(|p| (self.helper("final", p), self.owners.parent_object(t, p, X))),
        };
        add("final", each);
        let shared = !parts.is_empty() && ranks.iter().any(|r| *r > 0);
        if shared {
            let each = Final {
                of: self.of(t, "parts_final"),
                elemental: true,
                shape: String::new(),
                own: None,
                parts: parts.clone(),
                parent: None,
            };
            add("parts_final", each);
        }
        for rank in ranks {
            let verb = format!("final{rank}");
            let whole = Final {
                of: self.of(t, &verb),
                elemental: false,
                shape: match rank {
                    0 => String::new(),
                    n => format!("({})", vec![":"; n].join(", ")),
                },
                own: own(self, Some(rank)).or_else(|| own(self, None)),
                parts: match rank {
                    0 => parts.clone(),
                    _ if shared => {
                        vec![format!(
                            "call {}({X})",
                            self.owners.helper_name("parts_final", t)
                        )]
                    }
                    _ => Vec::new(),
                },
                parent: parent.map(|p| {
                    let callee = self.final_procedure(p, rank as i8);
                    (callee, self.owners.parent_object(t, p, X))
                }),
            };
            add(&verb, whole);
        }
        all
    }

    /// Statements that finalise the components of x.
    fn final_parts(&mut self, t: TypeId) -> Vec<String> {
        let mut lines = Vec::new();
        for (f, part) in self.owners.parts(t) {
            let path = format!("{X}%{}", f.spelling);
            let allocated = f.attrs.has(VarAttrs::ALLOCATABLE).then_some(ALLOCATED);
            match part {
                Part::Structure(inner, _) if self.owners.finalizable(inner) => {
                    let callee = self.final_procedure(inner, f.dims.len() as i8);
                    lines.extend(guarded(
                        allocated,
                        &path,
                        vec![format!("call {callee}({path})")],
                    ));
                }
                Part::Class(c) if self.owners.finalizable_family(c) => {
                    let calls = self.finish(&path, &f.ty, f.dims.len() as i8, allocated);
                    lines.extend(calls);
                }
                _ => {}
            }
        }
        lines
    }

    /// Reports a type that owns device data where procedures of the type cannot stand beside it.
    pub(super) fn check_home(&mut self, t: TypeId, at: Span) {
        if !self.owners.owns_device_data(t) {
            return;
        }
        let home = self.owners.home(t);
        let parent = self.model[home].parent.map(|p| self.model[p].kind);
        let inside = matches!(parent, Some(ScopeKind::Program | ScopeKind::Procedure));
        if inside
            || !matches!(
                self.model[home].kind,
                ScopeKind::Module
                    | ScopeKind::Submodule
                    | ScopeKind::Program
                    | ScopeKind::Procedure
            )
        {
            self.finding(
                "CUF0414",
                at,
                "type with allocatable device components cannot be declared in an internal procedure\nhelp: move it to the enclosing module or program",
            );
        } else if self.owners.is_internal(t) && self.owners.has_bindings(t) {
            self.finding(
                "CUF0414",
                at,
                "extension of a type with allocatable device components must be declared in a module\nhelp: move it to a module",
            );
        }
    }
}
