//! Interface bodies of external kernels and device procedures against the definitions. Nothing else compares them: the launch takes the types of
//! the interface body, and the kernel reads what it gets by its own.

use super::checker::*;
use crate::sema::model::externals::{Difference, contradiction};

impl Checker<'_> {
    /// The interface body of `scope` says what the definition says, if the program has one.
    pub(super) fn agrees_with_definition(&mut self, unit: &ProgramUnit, scope: ScopeId) {
        let model = self.model;
        let external = |s: &SymbolId| {
            let p = model.procedure(*s)?;
            let plain = p.kind == ProcedureKind::External && p.bind_name.is_none();
            plain.then_some(p)
        };
        let Some((body, defined)) = self.model[scope].symbol.and_then(|s| {
            let defined = *model.externals.get(model[s].name.as_str())?;
            Some((external(&s)?, defined)).filter(|_| defined != s)
        }) else {
            return;
        };
        let Some(definition) = external(&defined).filter(|d| {
            d.body
                .is_some_and(|b| model[b].kind == ScopeKind::Procedure)
        }) else {
            return;
        };
        let Some(difference) = contradiction(model, body, definition) else {
            return;
        };
        let name = self.slice(unit.name.span).to_owned();
        let dummy = |p: &Procedure, k: usize| p.dummies.get(k).copied().flatten();
        let (at, there) = match difference {
            Difference::Type(Some(k)) | Difference::ArgPassing(k) => {
                (dummy(body, k), dummy(definition, k))
            }
            Difference::Type(None) => (body.result, definition.result),
            Difference::Target | Difference::Count => (None, None),
        };
        let said = |s: Option<SymbolId>| {
            let v = s.and_then(|s| Some((s, model.variable(s)?)));
            v.map_or_else(String::new, |(s, v)| {
                let value = if v.attrs.has(VarAttrs::VALUE) {
                    ", value"
                } else {
                    ""
                };
                let name = &model[s].spelling;
                format!("`{}{value} :: {name}`", model.type_name(&v.ty))
            })
        };
        let (ours, theirs) = (said(at), said(there));
        let (count, number) = (body.dummies.len(), definition.dummies.len());
        let (what, definition_has) = match difference {
            Difference::Target => (
                format!("interface body and definition of `{name}` have different `attributes`"),
                format!("the definition of `{name}`"),
            ),
            Difference::Count => (
                format!(
                    "interface body of `{name}` has {count} dummy arguments, but the definition has {number}"
                ),
                format!("the definition of `{name}`"),
            ),
            Difference::Type(_) => (
                format!(
                    "interface body of `{name}` declares {ours}, but the definition declares {theirs}"
                ),
                format!("the definition of `{name}`: {theirs}"),
            ),
            Difference::ArgPassing(_) => (
                format!(
                    "interface body of `{name}` passes {ours} differently from the definition, {theirs}"
                ),
                format!("the definition of `{name}`: {theirs}"),
            ),
        };
        let place = |s: Option<SymbolId>| s.map(|s| model[s].span).filter(|s| s.end > s.start);
        let span = place(at).unwrap_or(unit.name.span);
        let (file, definition_span) = (model[model[defined].scope].file, model[defined].span);
        let home = definition.body.map_or(file, |b| model[b].file);
        let other = place(there).unwrap_or(definition_span);
        let finding = self.report("CUF0464", span, what);
        finding.notes.push((home, other, definition_has));
        finding.help = Some("make the interface body agree with the definition, or use the module that has the kernel".to_owned());
    }
}
