//! Calls of the procedures of types that own device data, by the dynamic type of an object.

use super::templates::Of;
use crate::host::context::HostRewriter;
use crate::host::context::names::*;
use crate::host::lifetime::types::Dispatch;
use crate::sema::model::*;

impl HostRewriter<'_> {
    pub(in crate::translation::host) fn dispatch(&self, ty: &Type) -> Option<Dispatch> {
        match *ty {
            Type::Derived(t) => Some(Dispatch::Static(t)),
            Type::Class(t) if self.owners.has_bindings(t) => Some(Dispatch::Bound),
            Type::Class(t) => Some(match &self.owners.family(t)[..] {
                [one] => Dispatch::Static(*one),
                all => Dispatch::Select(
                    all.iter()
                        .copied()
                        .filter(|t| self.owners.owns_device_data(*t))
                        .collect(),
                ),
            }),
            Type::ClassStar => {
                let all = (0..self.model.types.len() as u32).map(TypeId);
                let known = |t: &TypeId| {
                    self.owners.owns_device_data(*t)
                        && !self.model[*t].is_abstract
                        && self.nameable(*t)
                };
                Some(Dispatch::Select(all.filter(known).collect()))
            }
            _ => None,
        }
    }

    /// Statements that end the life of the value of an object: it is finalised (F2018 7.5.6.2), what it owns is freed, and
    /// it has the initial value of its type. Empty for types that own nothing. `inquiry`: it may have no value.
    pub(in crate::translation::host) fn finish(
        &mut self,
        object: &str,
        ty: &Type,
        rank: i8,
        inquiry: Option<&str>,
    ) -> Vec<String> {
        if !self.owners.may_own(ty) {
            return Vec::new();
        }
        let mut lines = Vec::new();
        match self.dispatch(ty) {
            Some(Dispatch::Static(t)) => lines.extend(self.finish_static(object, t, rank)),
            Some(Dispatch::Bound) => lines.extend(self.finish_bound(object, ty, rank)),
            Some(Dispatch::Select(types)) => {
                let mut cases = Vec::new();
                for t in types {
                    let calls = self.finish_static(OBJECT, t, rank);
                    let name = self.type_here(t);
                    cases.push((name, calls));
                }
                lines = select_type(OBJECT, object, &cases);
            }
            None => {}
        }
        guarded(inquiry, object, lines)
    }

    pub(super) fn finish_static(&mut self, object: &str, t: TypeId, rank: i8) -> Vec<String> {
        let mut lines = Vec::new();
        if self.owners.finalizable(t) {
            let name = self.final_procedure(t, rank);
            lines.push(format!("call {name}({object})"));
        }
        lines.push(format!("call {}({object})", self.helper("release", t)));
        lines
    }

    /// Statements that copy what `from` owns to `to`, which has its dynamic type and nothing of its own to lose.
    pub(in crate::translation::host) fn copy_value(
        &mut self,
        (to, to_type): (&str, &Type),
        (from, from_type): (&str, &Type),
    ) -> Vec<String> {
        if let Type::Derived(t) = *to_type {
            return vec![format!("call {}({to}, {from})", self.helper("copy", t))];
        }
        let known = match *from_type {
            Type::Derived(t) => Some(t),
            _ => None,
        };
        match (self.dispatch(to_type), known) {
            (Some(Dispatch::Static(t)), _) => {
                vec![format!("call {}({to}, {from})", self.helper("copy", t))]
            }
            (Some(Dispatch::Bound), _) => vec![format!("call {to}%{CUF}copy({from})")],
            (Some(Dispatch::Select(types)), known) => {
                let types: Vec<TypeId> = types
                    .into_iter()
                    .filter(|t| known.is_none_or(|k| k == *t))
                    .collect();
                let mut cases = Vec::new();
                for t in types {
                    let copy = self.helper("copy", t);
                    let name = self.type_here(t);
                    let calls = if known.is_some() {
                        vec![format!("call {copy}({CUF}to, {from})")]
                    } else {
                        select_type(
                            FROM,
                            from,
                            &[(
                                name.clone(),
                                vec![format!("call {copy}({CUF}to, {CUF}from)")],
                            )],
                        )
                    };
                    cases.push((name, calls));
                }
                select_type(TO, to, &cases)
            }
            (None, _) => Vec::new(),
        }
    }

    /// [`Self::finish`] of a polymorphic object by the procedure bound to its type.
    pub(super) fn finish_bound(&mut self, object: &str, ty: &Type, rank: i8) -> Vec<String> {
        let Type::Class(t) = *ty else {
            return Vec::new();
        };
        let binding = match (self.owners.finalizable_family(t), rank) {
            (false, _) => RELEASE,
            (true, 0) => FINISH,
            (true, _) => {
                let whole = self
                    .owners
                    .family(t)
                    .into_iter()
                    .find(|x| self.owners.final_ranks(*x).contains(&(rank as usize)));
                if let Some(x) = whole {
                    let message = format!(
                        "array of `class({})` cannot be finalized\nnote: a `final` procedure of `{}` accepts whole arrays only\nhelp: make that procedure `elemental`",
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
            Some(Dispatch::Bound) => vec![format!("call {object}%{CUF}release()")],
            Some(Dispatch::Static(t)) => {
                vec![format!("call {}({object})", self.helper("release", t))]
            }
            Some(Dispatch::Select(types)) => {
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

    /// The name of the procedure that finalises objects of a rank.
    pub(super) fn final_procedure(&mut self, t: TypeId, rank: i8) -> String {
        let rank = rank.max(0) as usize;
        if self.owners.final_ranks(t).contains(&rank) {
            self.helper(&format!("final{rank}"), t)
        } else {
            self.helper("final", t)
        }
    }

    /// What the templates say of a type and the procedure of it that a verb names.
    pub(in crate::translation::host) fn of(&self, t: TypeId, verb: &str) -> Of {
        Of {
            name: self.model[t].name.clone(),
            procedure: self.owners.helper_name(verb, t),
            // Only a type that contains itself needs more than the plain prefix.
            recursive: self.owners.contains_itself(t),
            is_abstract: self.model[t].is_abstract,
        }
    }

    /// A user's ASSIGNMENT(=) for two values of the type is known where the generated procedures stand: `a = b` would mean it.
    pub(in crate::translation::host) fn assigned_by_user(&self, t: TypeId) -> bool {
        let bound = self.model[t]
            .bindings
            .iter()
            .any(|(n, _)| n.starts_with("assignment"));
        let generic = self.model.lookup(self.owners.home(t), "assignment(=)");
        let specifics = match generic.map(|g| &self.model[g].kind) {
            Some(SymbolKind::Generic(g)) => &g.specifics[..],
            _ => &[],
        };
        let takes_two = |s: &SymbolId| {
            let dummies = self.dummies(*s);
            dummies.len() == 2
                && dummies.iter().all(|d| {
                    d.and_then(|d| self.model.variable(d)).is_some_and(
                        |v| matches!(v.ty, Type::Derived(x) | Type::Class(x) if x == t),
                    )
                })
        };
        bound || specifics.iter().any(takes_two)
    }
}

/// SELECT TYPE with a case for each type; nothing without cases.
pub(super) fn select_type(
    name: &str,
    selector: &str,
    cases: &[(String, Vec<String>)],
) -> Vec<String> {
    if cases.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![format!("select type ({name} => {selector})")];
    for (of, calls) in cases {
        lines.push(format!("type is ({of})"));
        lines.extend(indented(calls));
    }
    lines.push("end select".to_owned());
    lines
}

/// Statements under the condition that an object has a value.
pub(super) fn guarded(inquiry: Option<&str>, object: &str, lines: Vec<String>) -> Vec<String> {
    let Some(inquiry) = inquiry else {
        return lines;
    };
    match &lines[..] {
        [] => lines,
        [one] => vec![format!("if ({inquiry}({object})) {one}")],
        all => {
            let mut out = vec![format!("if ({inquiry}({object})) then")];
            out.extend(indented(all));
            out.push("end if".to_owned());
            out
        }
    }
}

/// The bounds of an array, in parentheses; nothing for a scalar.
pub(super) fn bounds_of(name: &str, rank: usize) -> String {
    let bounds: Vec<String> = (1..=rank)
        .map(|d| format!("{LBOUND}({name}, {d}):{UBOUND}({name}, {d})"))
        .collect();
    match bounds.is_empty() {
        true => String::new(),
        false => format!("({})", bounds.join(", ")),
    }
}

pub(super) fn indented(lines: &[String]) -> Vec<String> {
    lines.iter().map(|l| format!("  {l}")).collect()
}
