//! DO CONCURRENT of the host: gfortran 12 knows neither a type for the indices nor locality clauses.

use crate::ast::*;
use crate::host::context::HostRewriter;
use crate::host::context::names::CUF;
use crate::map::Rule;
use crate::sema::model::*;

impl HostRewriter<'_> {
    /// Takes the clauses and the type out of the header. LOCAL and LOCAL_INIT become variables of a BLOCK in the loop, typed indices
    /// those of a BLOCK around it. The others say what holds in iterations that are executed one by one.
    pub(super) fn locality(&mut self, d: &Do, h: &LoopHeader, s: &Stmt) {
        let clauses = Span {
            start: h.span.end,
            end: d.header.end,
        };
        if clauses.start < clauses.end && !self.slice(clauses).trim().is_empty() {
            self.edits.replace(Rule::Dialect, clauses, "");
        }
        let indent = self.indent_at(s.span.start);
        if h.type_spec.is_some() {
            self.typed_indices(d, h, s, &indent);
        }
        if h.local.is_empty() {
            return;
        }
        let mut head = String::new();
        let mut outer = Vec::new();
        let mut first = String::new();
        for (name, initial) in &h.local {
            let Some(symbol) = self.model.lookup(self.scope, &name.text) else {
                continue;
            };
            let own = &name.text;
            if *initial {
                outer.push(format!("{CUF}outer_{own} => {own}"));
                first.push_str(&format!("\n{indent}  {own} = {CUF}outer_{own}"));
            }
            let ty = self.owner_type_text(&self.model.type_of(symbol));
            let shape = self.local_shape(symbol);
            head.push_str(&format!("\n{indent}  {ty} :: {own}{shape}"));
        }
        let (mut open, mut close) = (String::new(), String::new());
        if !outer.is_empty() {
            open = format!("\n{indent}  associate ({})", outer.join(", "));
            close = format!("\n{indent}  end associate");
        }
        let open = format!("{open}\n{indent}  block{head}{first}");
        self.edits.insert(Rule::Dialect, d.header.end, open);
        let close = format!("end block{close}\n{indent}");
        self.edits.insert(Rule::Dialect, d.end.start, close);
    }

    fn typed_indices(&mut self, d: &Do, h: &LoopHeader, s: &Stmt, indent: &str) {
        let inner = self.model.scope_at(self.file, s.span.start + 1);
        let inner = inner.unwrap_or(self.scope);
        let names: Vec<_> = h.indices.iter().map(|i| &i.0).collect();
        let ty = names
            .first()
            .and_then(|n| self.model.lookup(inner, &n.text))
            .map(|s| self.model.type_of(s));
        let (Some(ty), Some(first)) = (ty, names.first()) else {
            return;
        };
        let text = self.slice(h.span);
        let Some(open) = text.find('(') else { return };
        let spec = Span {
            start: h.span.start + open as u32 + 1,
            end: first.span.start,
        };
        self.edits.replace(Rule::Dialect, spec, "");
        let ty = self.owner_type_text(&ty);
        let names: Vec<&str> = names.iter().map(|n| &*n.text).collect();
        let start = s.named_span().start;
        let declared = names.join(", ");
        let before = format!("block\n{indent}{ty} :: {declared}\n{indent}");
        self.edits.insert_first(Rule::Dialect, start, before);
        let end = format!("\n{indent}end block");
        self.edits.insert(Rule::Dialect, d.end.end, end);
    }

    /// `(n, 0:m)` of an array.
    fn local_shape(&self, symbol: SymbolId) -> String {
        let dims = self.model.dims(symbol);
        let scope = self.model[symbol].scope;
        let text = |e: &Expr| match self.model.const_int(scope, e) {
            Some(n) => n.to_string(),
            None => self.slice(e.span).to_owned(),
        };
        let all: Vec<String> = dims
            .iter()
            .map(|d| match d {
                Dim::Explicit { lower, upper } => {
                    let lower = lower.as_ref().map(|l| format!("{}:", text(l)));
                    format!("{}{}", lower.unwrap_or_default(), text(upper))
                }
                _ => ":".to_owned(),
            })
            .collect();
        match all.is_empty() {
            true => String::new(),
            false => format!("({})", all.join(", ")),
        }
    }
}
