//! Device data in the expressions of clauses (`num_threads(d(2))`): elements and scalars are transferred, other uses are refused.

use crate::ast::Span;
use crate::host::context::HostRewriter;
use crate::host::context::memory::{allocation_space, is_generic_type};
use crate::host::context::names::{ASSOCIATED, CUF};
use crate::host::openmp::directive::{
    Directive, Directives, LISTS, Values, identifiers, items, parenthesis,
};
use crate::intrinsics::{self, Inquiry};
use crate::sema::model::*;

/// Clauses whose items are places: only their subscripts are expressions.
const PLACES: [&str; 12] = [
    "depend",
    "map",
    "to",
    "from",
    "linear",
    "aligned",
    "affinity",
    "use_device_ptr",
    "use_device_addr",
    "is_device_ptr",
    "has_device_addr",
    "nontemporal",
];

/// A designator in a text.
struct Designator {
    end: usize,
    /// It is in device memory.
    device: bool,
    /// A scalar whose value the runtime can transfer.
    scalar: bool,
}

impl HostRewriter<'_> {
    /// The clauses of directives in whose expressions there is device data, by their places.
    pub(super) fn clause_values(&mut self, directives: &Directives) -> Values {
        let mut values = Values::new();
        for d in &directives.all {
            if matches!(d.words[..], ["threadprivate" | "declare", ..]) {
                continue;
            }
            for c in &d.clauses {
                let Some(list) = c.arguments else { continue };
                let name = c.name.as_str();
                if LISTS.contains(&name) || d.words.contains(&name) {
                    continue;
                }
                let text = d.slice(list);
                let places = PLACES.contains(&name);
                if let Some(new) = self.clause_value(d, list.start, text, places) {
                    let head = d.slice(Span {
                        start: c.span.start,
                        end: list.start,
                    });
                    values.insert(c.span.start, format!("{head}{new})"));
                }
            }
        }
        values
    }

    /// An expression with transfers; None if it needs none.
    fn clause_value(
        &mut self,
        d: &Directive,
        start: u32,
        text: &str,
        places: bool,
    ) -> Option<String> {
        let mut out = String::new();
        let (mut done, mut changed) = (0, false);
        let words: Vec<Span> = identifiers(text, 0, text.len()).collect();
        for w in words {
            let (from, to) = (w.start as usize, w.end as usize);
            if from < done {
                continue;
            }
            let before = text[..from].trim_end();
            let word = &text[from..to];
            if before.ends_with('%') || quoted(text, from) {
                continue;
            }
            let folded = word.to_ascii_lowercase();
            let Some(symbol) = self.symbol_at(word, d.span.start) else {
                let meant = intrinsics::find(&folded).map(|(i, _)| i);
                if meant == Some(Inquiry::Allocated.into()) && self.inquires_pointer(d, &text[to..])
                {
                    out.push_str(&text[done..from]);
                    out.push_str(ASSOCIATED);
                    (done, changed) = (to, true);
                }
                continue;
            };
            self.note_variable(symbol);
            let Some(designator) = self.designator_in(symbol, text, to) else {
                continue;
            };
            let depth = before.matches('(').count()
                - before.matches(')').count().min(before.matches('(').count());
            let place = places && depth == 0;
            let asked = before.strip_suffix('(').is_some_and(|b| {
                let name = b.trim_end();
                let from = name.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_');
                let name = &name[from.map_or(0, |i| i + 1)..];
                let found = intrinsics::find(&name.to_ascii_lowercase());
                found.is_some_and(|(i, _)| i.is_inquiry())
            });
            let device = designator.device && !place && !asked;
            if device && !designator.scalar {
                let at = Span {
                    start: start + w.start,
                    end: start + designator.end as u32,
                };
                let shown = text[from..designator.end].trim();
                self.finding(
                    "CUF0463",
                    at,
                    format!("device variable `{shown}` in the expression of an OpenMP clause\nhelp: assign the value to a host variable before the directive"),
                );
                return None;
            }
            out.push_str(&text[done..from]);
            if device {
                out.push_str(&format!("{CUF}host("));
                self.unit.runtime = true;
            }
            // Subscripts of any of its parts may be device data, too.
            let rest = &text[to..designator.end];
            let new = self.clause_value(d, start + w.end, rest, false);
            changed |= new.is_some();
            out.push_str(word);
            out.push_str(new.as_deref().unwrap_or(rest));
            if device {
                out.push(')');
                changed = true;
            }
            done = designator.end;
        }
        out.push_str(&text[done..]);
        changed.then_some(out)
    }

    /// `allocated(x)` of what is a pointer now.
    fn inquires_pointer(&self, d: &Directive, rest: &str) -> bool {
        let Some((open, close)) = parenthesis(rest, 0) else {
            return false;
        };
        let name = rest[open + 1..close].trim();
        let symbol = self.symbol_at(name, d.span.start);
        symbol
            .and_then(|s| self.model.variable(s))
            .is_some_and(|v| allocation_space(v.space).is_some())
    }

    /// The designator that begins with a variable's name, which ends at `at`.
    fn designator_in(&self, symbol: SymbolId, text: &str, at: usize) -> Option<Designator> {
        let v = self.model.variable(symbol)?;
        let (mut ty, mut rank, mut device) = (&v.ty, v.dims.len(), Model::is_device_space(v.space));
        let (mut end, mut scalar) = (at, true);
        loop {
            match parenthesis(text, end).filter(|_| rank > 0) {
                Some((open, close)) => {
                    let inner = &text[open + 1..close];
                    let subscripts = items(inner);
                    let section = subscripts
                        .iter()
                        .any(|s| inner[s.start as usize..s.end as usize].contains(':'));
                    scalar &= subscripts.len() == rank && !section;
                    end = close + 1;
                }
                None => scalar &= rank == 0,
            }
            let rest = &text[end..];
            let Some(component) = rest.trim_start().strip_prefix('%') else {
                break;
            };
            let start = text.len() - component.trim_start().len();
            let name = identifiers(text, start, text.len()).next()?;
            let field = match ty {
                Type::Derived(t) | Type::Class(t) => {
                    let word = text[name.start as usize..name.end as usize].to_ascii_lowercase();
                    let fields = self.model.components_of(*t);
                    fields.into_iter().find(|f| f.name == word)?
                }
                _ => return None,
            };
            (ty, rank, end) = (&field.ty, field.dims.len(), name.end as usize);
            device |= Model::is_device_space(field.space);
        }
        Some(Designator {
            end,
            device,
            scalar: scalar && is_generic_type(ty),
        })
    }
}

/// A place in a character constant.
fn quoted(text: &str, at: usize) -> bool {
    let mut quote = None;
    for c in text[..at].chars() {
        match (quote, c) {
            (None, '\'' | '"') => quote = Some(c),
            (Some(q), _) if q == c => quote = None,
            _ => {}
        }
    }
    quote.is_some()
}
