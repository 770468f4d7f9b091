//! The last round: what is left of parameters becomes their values.

use std::collections::BTreeSet;

use super::{Round, fits, is_parameter};
use crate::ast::{Component, ExprKind, Span};
use crate::sema::model::{FileId, Type};
use crate::source::Rewrite;

impl Round<'_, '_> {
    /// Makes types without parameters of all definitions: their values stand in their places.
    pub(super) fn finish(&mut self) -> Result<(), String> {
        for (key, wanted, values) in &self.state.assumed {
            let mut all = (self.state.used.iter()).filter(|(k, v)| k == key && fits(v, wanted));
            if all.any(|(_, v)| v != values) {
                return Err(key.clone());
            }
        }
        for (t, d) in &self.defs {
            let values = self.defaults(*t);
            if values.len() != self.parameters(*t).len() {
                return Err(d.key.clone());
            }
            let out = &mut self.out[d.file];
            let list = Span {
                start: d.def.name.span.end,
                end: d.def.header.end,
            };
            let text = &*self.files[d.file].source.text;
            let rest = text
                .get(list.start as usize..list.end as usize)
                .unwrap_or_default();
            if rest.trim_start().starts_with('(') {
                out.push(Rewrite::new(list, String::new()));
            }
            let mut names: BTreeSet<u32> = BTreeSet::new();
            let mut gone = Vec::new();
            for c in &d.def.components {
                let Component::Data(c) = c else { continue };
                names.extend(c.entities.iter().map(|e| e.name.span.start));
                if c.attrs.iter().any(|a| is_parameter(&a.kind)) {
                    gone.push(c.span);
                    out.push(Rewrite::new(c.span, String::new()));
                }
            }
            for n in &self.mentions[d.file].names {
                let at = n.span.start;
                let inside = d.def.header.end <= at && at < d.def.end.start;
                let gone = gone.iter().any(|g| g.start <= at && at < g.end);
                if let Some(v) = values.get(n.text.as_str())
                    && inside
                    && !gone
                    && !names.contains(&at)
                {
                    out.push(Rewrite::new(n.span, literal(*v)));
                }
            }
        }
        self.inquiries();
        Ok(())
    }

    /// The values of parameters of objects: `x%k`.
    fn inquiries(&mut self) {
        let parameters = self.defs.values().flat_map(|d| &d.own);
        let known: BTreeSet<&str> = parameters.map(|p| p.entity.name.text.as_str()).collect();
        for (file, m) in self.mentions.iter().enumerate() {
            for e in &m.parts {
                let ExprKind::Component { base, name } = &e.kind else {
                    continue;
                };
                let scope = self.model.scope_at(FileId(file as u32), e.span.start);
                let Some(scope) = scope.filter(|_| known.contains(name.text.as_str())) else {
                    continue;
                };
                let (Type::Derived(t) | Type::Class(t)) = self.model.expr(scope, base).ty else {
                    continue;
                };
                if self.defs.contains_key(&t)
                    && let Some(v) = self.defaults(t).get(name.text.as_str())
                {
                    self.out[file].push(Rewrite::new(e.span, literal(*v)));
                }
            }
        }
    }
}

fn literal(v: i64) -> String {
    match v {
        0.. => v.to_string(),
        _ => format!("({v})"),
    }
}
