//! Procedures that a type that owns device data has for FINAL and for polymorphic objects: a CLASS object is freed and copied by
//! procedures bound to its dynamic type, wherever that is declared.

use super::super::names::{ALLOCATED, COPY, CUF, FINISH, FINISH_EACH, OBJECT, RELEASE, X};
use super::templates::{ClassCopy, ClassRelease, Final};
use super::{Part, guarded, select_type};
use crate::ast::{Binding, DerivedTypeDef};
use crate::host::generated;
use crate::host::pass::Pass;
use crate::sema::model::*;

/// Bindings that all types of a family have: name, verb of the procedure.
const BINDINGS: [(&str, &str); 4] = [
    (RELEASE, "class_release"),
    (COPY, "class_copy"),
    (FINISH, "class_finish"),
    (FINISH_EACH, "class_each"),
];

impl Pass<'_> {
    /// The definition of a type: FINAL procedures that generated code calls leave it, bindings of generated procedures come.
    pub(in crate::host) fn owner_definition(&mut self, def: &DerivedTypeDef, t: TypeId) {
        self.check_home(t, def.name.span);
        self.check_assignments(t);
        if self.owns_device_data(t) {
            for b in &def.bindings {
                if let Binding::Final { statement, .. } = b {
                    self.delete_statement(*statement);
                }
            }
        }
        if !self.has_bindings(t) || self.is_internal(t) {
            return;
        }
        let mut lines = Vec::new();
        if def.contains.is_none() {
            lines.push("contains".to_owned());
        }
        for (binding, verb) in &BINDINGS[..self.bindings_of(t)] {
            lines.push(format!(
                "  procedure, public :: {binding} => {}",
                self.helper_name(verb, t)
            ));
        }
        self.insert_before_line(def.end.start, &lines, 0);
    }

    /// Intrinsic assignment of a structure uses the assignments that are bound to the types of its components (F2018 10.2.1.3), also
    /// where generated code only moves or resets a value.
    fn check_assignments(&mut self, t: TypeId) {
        for (f, part) in self.parts(t) {
            let (Part::Structure(c, _) | Part::Class(c)) = part else {
                continue;
            };
            if self.model.binding(c, "assignment(=)").is_some() {
                self.finding(
                    "CUF0423",
                    f.span,
                    format!("the component '{}' owns device data, and an assignment is bound to its type: make that an interface assignment(=) of the module, or a subroutine that is called", f.spelling),
                );
            }
        }
    }

    /// How many of the bindings the types of a family have.
    fn bindings_of(&self, t: TypeId) -> usize {
        if self.finalizable_family(t) {
            BINDINGS.len()
        } else {
            2
        }
    }

    fn finalizable_family(&self, t: TypeId) -> bool {
        self.family(self.root_type(t))
            .iter()
            .any(|x| self.finalizable(*x))
    }

    /// [`Self::finish`] of a polymorphic object by the procedure bound to its type.
    pub(super) fn finish_bound(&mut self, object: &str, ty: &Type, rank: i8) -> Vec<String> {
        let Type::Class(t) = *ty else {
            return Vec::new();
        };
        let binding = match (self.finalizable_family(t), rank) {
            (false, _) => RELEASE,
            (true, 0) => FINISH,
            (true, _) => {
                let whole = self
                    .family(t)
                    .into_iter()
                    .find(|x| self.final_ranks(*x).contains(&(rank as usize)));
                if let Some(x) = whole {
                    let message = format!(
                        "an array of class({}): a FINAL procedure of '{}' takes whole arrays, which is not called for polymorphic ones: make it elemental",
                        self.model[t].name, self.model[x].name
                    );
                    self.finding("CUF0423", self.statement, message);
                }
                FINISH_EACH
            }
        };
        vec![format!("call {object}%{binding}()")]
    }

    /// Statements that free what a part owns and give it its initial value, without finalisation.
    pub(super) fn free(&mut self, object: &str, ty: &Type) -> Vec<String> {
        match self.dispatch(ty) {
            Some(super::Dispatch::Bound) => vec![format!("call {object}%{CUF}release()")],
            Some(super::Dispatch::Static(t)) => {
                vec![format!("call {}({object})", self.helper("release", t))]
            }
            Some(super::Dispatch::Select(types)) => {
                let mut cases = Vec::new();
                for t in types {
                    let call = format!("call {}({CUF}object)", self.helper("release", t));
                    cases.push((self.type_here(t), vec![call]));
                }
                select_type(OBJECT, object, &cases)
            }
            None => Vec::new(),
        }
    }

    /// The procedures bound to a type.
    pub(super) fn bound_procedures(&mut self, t: TypeId) -> Vec<(String, Vec<String>)> {
        if !self.has_bindings(t) || self.is_internal(t) {
            return Vec::new();
        }
        let mut all = vec![
            self.bound_release(t, "class_release", true, None),
            self.bound_copy(t),
        ];
        if self.finalizable_family(t) {
            let own = self.finalizable(t);
            let scalar = own.then(|| self.final_procedure(t, 0));
            let each = own.then(|| self.helper("final", t));
            all.push(self.bound_release(t, "class_finish", false, scalar));
            all.push(self.bound_release(t, "class_each", true, each));
        }
        all
    }

    fn bound_release(
        &self,
        t: TypeId,
        verb: &str,
        elemental: bool,
        finalise: Option<String>,
    ) -> (String, Vec<String>) {
        let owns = self.owns_device_data(t);
        let text = generated::lines(&ClassRelease {
            of: self.of(t, verb),
            elemental,
            finalises: verb != "class_release",
            finalise,
            release: owns.then(|| self.helper_name("release", t)),
        });
        (verb.to_owned(), text)
    }

    fn bound_copy(&self, t: TypeId) -> (String, Vec<String>) {
        let owns = self.owns_device_data(t);
        let verb = "class_copy";
        let text = generated::lines(&ClassCopy {
            of: self.of(t, verb),
            copy: owns.then(|| self.helper_name("copy", t)),
        });
        (verb.to_owned(), text)
    }

    /// Ranks for which the type or a parent has a FINAL procedure of its own, not an elemental one.
    fn final_ranks(&self, t: TypeId) -> Vec<usize> {
        let mut ranks: Vec<usize> = Vec::new();
        let mut at = Some(t);
        while let Some(t) = at {
            let own = self.model[t].finals.iter();
            ranks.extend(own.filter_map(|f| self.final_rank(*f)));
            at = self.owning_parent(t);
        }
        ranks.sort_unstable();
        ranks.dedup();
        ranks
    }

    /// Rank that a FINAL procedure is for; None for all (elemental).
    fn final_rank(&self, procedure: SymbolId) -> Option<usize> {
        let p = self.model.procedure(procedure)?;
        let dummy = p.dummies.first().copied().flatten()?;
        (!p.elemental).then(|| self.model.dims(dummy).len())
    }

    /// The name of the procedure that finalises objects of a rank.
    pub(super) fn final_procedure(&mut self, t: TypeId, rank: i8) -> String {
        let rank = rank.max(0) as usize;
        if self.final_ranks(t).contains(&rank) {
            self.helper(&format!("final{rank}"), t)
        } else {
            self.helper("final", t)
        }
    }

    /// The procedures that finalise a type (F2018 7.5.6.2): its own FINAL procedure, then the components, then the parent.
    pub(super) fn final_procedures(&mut self, t: TypeId) -> Vec<(String, Vec<String>)> {
        if !self.finalizable(t) {
            return Vec::new();
        }
        let parts = self.final_parts(t);
        let ranks = self.final_ranks(t);
        let own = |pass: &Self, rank: Option<usize>| {
            let finals = pass.model[t].finals.iter();
            let f = finals.copied().find(|f| pass.final_rank(*f) == rank)?;
            Some(pass.model[f].spelling.to_string())
        };
        let mut all = Vec::new();
        let mut add = |verb: &str, template: Final| {
            all.push((verb.to_owned(), generated::lines(&template)));
        };
        let parent = self.owning_parent(t).filter(|p| self.finalizable(*p));
        let each = Final {
            of: self.of(t, "final"),
            elemental: true,
            shape: String::new(),
            own: own(self, None),
            parts: parts.clone(),
            parent: parent.map(|p| (self.helper("final", p), self.parent_object(t, p, X))),
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
                        vec![format!("call {}({X})", self.helper_name("parts_final", t))]
                    }
                    _ => Vec::new(),
                },
                parent: parent.map(|p| {
                    let callee = self.final_procedure(p, rank as i8);
                    (callee, self.parent_object(t, p, X))
                }),
            };
            add(&verb, whole);
        }
        all
    }

    /// Statements that finalise the components of x.
    fn final_parts(&mut self, t: TypeId) -> Vec<String> {
        let mut lines = Vec::new();
        for (f, part) in self.parts(t) {
            let path = format!("{X}%{}", f.spelling);
            let allocated = f.attrs.has(VarAttrs::ALLOCATABLE).then_some(ALLOCATED);
            match part {
                Part::Structure(inner, _) if self.finalizable(inner) => {
                    let callee = self.final_procedure(inner, f.dims.len() as i8);
                    lines.extend(guarded(
                        allocated,
                        &path,
                        vec![format!("call {callee}({path})")],
                    ));
                }
                Part::Class(c) if self.finalizable_family(c) => {
                    let calls = self.finish(&path, &f.ty, f.dims.len() as i8, allocated);
                    lines.extend(calls);
                }
                _ => {}
            }
        }
        lines
    }
}
