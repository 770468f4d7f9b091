//! The lists of specific procedures in interface blocks.

use crate::ast::{Interface, Name, Span};
use crate::host::context::{HostRewriter, list as joined};
use crate::map::Rule;
use crate::sema::model::*;

impl<'a> HostRewriter<'a> {
    /// A name in the list of a generic has no specific left there.
    pub(in crate::translation::host) fn specific_leaves(
        &self,
        name: SymbolId,
        ambiguous: &[SymbolId],
    ) -> bool {
        let leaves = |s: &SymbolId| self.is_device_only(*s) || ambiguous.contains(s);
        match self.several(name) {
            Some(several) => several.iter().all(leaves),
            None => leaves(&self.namesake_in(name)),
        }
    }

    /// The procedures that a name of a library stands for in a list of the program's.
    fn several(&self, name: SymbolId) -> Option<&'a [SymbolId]> {
        let own = !self.model.is_foreign(self.scope);
        self.model.library_specifics(name).filter(|_| own)
    }

    /// Takes the names that are `gone` out of the lists of an interface block, and writes those of libraries as standard Fortran wants them.
    pub(in crate::translation::host) fn specific_lists(
        &mut self,
        i: &Interface,
        scope: ScopeId,
        gone: &[bool],
        ambiguous: &[SymbolId],
    ) {
        for list in &i.lists {
            let within = |n: &Name| list.start <= n.span.start && n.span.end <= list.end;
            let names: Vec<(Span, bool)> = (i.procedures.iter().zip(gone.iter().copied()))
                .filter(|(n, _)| within(n))
                .map(|(n, gone)| (n.span, gone))
                .collect();
            self.thin_out(*list, &names);
            let stay = i.procedures.iter().zip(gone.iter());
            let stay = stay
                .filter(|(n, gone)| within(n) && !**gone)
                .map(|(n, _)| n);
            let stay: Vec<&Name> = stay.collect();
            for n in &stay {
                self.library_specific(n, scope, ambiguous);
            }
            self.external_specifics(*list, stay.into_iter(), scope);
        }
    }

    /// A name of a library that stands for several procedures, which no generic can list, becomes their names.
    fn library_specific(&mut self, name: &Name, scope: ScopeId, ambiguous: &[SymbolId]) {
        let model = self.model;
        let symbol = model.lookup(scope, &name.text);
        let Some(several) = symbol.and_then(|s| self.several(s)) else {
            return;
        };
        let mut names = Vec::new();
        for s in several.iter().filter(|s| !ambiguous.contains(s)) {
            let seen = self.visible_name(scope, *s);
            names.push(seen.unwrap_or_else(|| {
                let (module, name) = (&model[model[*s].scope].name, &model[*s].spelling);
                let brought = format!("use {module}, only: {name}");
                self.unit.extra_uses.insert(brought);
                name.to_string()
            }));
        }
        self.edits
            .replace(Rule::Interface, name.span, joined(names));
    }

    /// MODULE PROCEDURE that lists external procedures, as nvfortran takes it, is PROCEDURE (F2018 C1510).
    fn external_specifics<'n>(
        &mut self,
        list: Span,
        mut names: impl Iterator<Item = &'n Name>,
        scope: ScopeId,
    ) {
        let external = |n: &Name| {
            let s = self.model.lookup(scope, &n.text)?;
            if self.several(s).is_some() {
                return Some(true);
            }
            let p = self.model.procedure(self.namesake_in(s))?;
            Some(p.kind == ProcedureKind::External)
        };
        let module = self.slice(list).get(..6);
        if module.is_some_and(|w| w.eq_ignore_ascii_case("module"))
            && names.any(|n| external(n) == Some(true))
        {
            let blanks = |at: u32| {
                let rest = self.text.get(at as usize..).unwrap_or_default();
                (rest.len() - rest.trim_start_matches([' ', '\t']).len()) as u32
            };
            let end = list.start + 6;
            self.edits.delete(
                Rule::Interface,
                Span {
                    start: list.start,
                    end: end + blanks(end),
                },
            );
        }
    }
}
