//! OpenMP directives of host code that name device data: an allocatable became a pointer, and a PRIVATE pointer begins undefined
//! where a PRIVATE allocatable begins unallocated.

use super::Pass;
use super::alloc::allocation_space;
use crate::ast::{ProgramUnit, Span};
use crate::sema::model::*;

/// Clauses that give each thread (or the end of the region) a copy.
const CLAUSES: [&str; 4] = ["private", "firstprivate", "lastprivate", "reduction"];

/// One name of a clause's list.
struct Item {
    span: Span,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// No device data, or a pointer in the source.
    Other,
    Allocatable,
    /// Of fixed shape, or a scalar.
    Fixed,
}

impl Pass<'_> {
    /// The clauses of the directives in a unit's own body.
    pub(super) fn openmp_clauses(&mut self, unit: &ProgramUnit) {
        let end = unit
            .procedures
            .first()
            .map_or(unit.end.start, |p| p.span.start);
        let mut at = unit.header.end;
        while at < end {
            let mut next = self.line_end(at) + 1;
            let line = |next: u32, pass: &Self| {
                let end = (next - 1).min(end);
                pass.slice(Span { start: at, end }).to_owned()
            };
            let mut text = line(next, self);
            if is_directive(&text) {
                while text.trim_end().ends_with('&') && next <= end {
                    next = self.line_end(next - 1) + 1;
                    text = line(next, self);
                }
                for (word, list) in clauses(&joined(&text)) {
                    let shift = |s: Span| Span {
                        start: s.start + at,
                        end: s.end + at,
                    };
                    let items = list.into_iter().map(shift).collect();
                    self.openmp_clause(shift(word), items);
                }
            }
            at = next;
        }
    }

    fn openmp_clause(&mut self, word: Span, names: Vec<Span>) {
        let clause = self.slice(word).to_ascii_lowercase();
        let items: Vec<Item> = names
            .into_iter()
            .map(|span| Item {
                span,
                kind: self.kind_of_item(span),
            })
            .collect();
        let Some(device) = items.iter().find(|i| i.kind != Kind::Other) else {
            return;
        };
        let refused = items.iter().find(|i| i.kind == Kind::Fixed);
        if let Some(i) = refused.or((clause != "private").then_some(device)) {
            let name = self.slice(i.span);
            self.finding(
                "CUF0419",
                i.span,
                format!("device data '{name}' in a {clause} clause: declare it in a BLOCK of the region, or in a procedure that the region calls"),
            );
            return;
        }
        // A copy of the pointer, which is not associated outside of the region.
        let text = |kind: fn(Kind) -> bool| -> Vec<&str> {
            let chosen = items.iter().filter(|i| kind(i.kind));
            chosen.map(|i| self.slice(i.span)).collect()
        };
        let moved = text(|k| k == Kind::Allocatable).join(", ");
        let kept = text(|k| k != Kind::Allocatable).join(", ");
        let end = items.last().map_or(word.end, |i| i.span.end);
        let clause = match kept.is_empty() {
            true => format!("firstprivate({moved}"),
            false => format!("private({kept}) firstprivate({moved}"),
        };
        self.edits.replace(
            Span {
                start: word.start,
                end,
            },
            clause,
        );
    }

    fn kind_of_item(&self, span: Span) -> Kind {
        let name = self.slice(span).to_ascii_lowercase();
        let variable = self
            .model
            .lookup(self.scope, &name)
            .and_then(|s| self.model.variable(s));
        match variable {
            Some(v) if self.owner_variable(v) => Kind::Fixed,
            Some(v) if allocation_space(v.space).is_none() => Kind::Other,
            Some(v) if v.attrs.has(VarAttrs::POINTER) => Kind::Other,
            Some(v) if v.attrs.has(VarAttrs::ALLOCATABLE) => Kind::Allocatable,
            Some(_) => Kind::Fixed,
            None => Kind::Other,
        }
    }
}

fn is_directive(line: &str) -> bool {
    let start = line.trim_start().get(..5);
    start.is_some_and(|d| d.eq_ignore_ascii_case("!$omp"))
}

/// The lines of a directive as one of the same length: what continues it becomes blanks.
fn joined(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (k, line) in text.split_inclusive('\n').enumerate() {
        let marker = line.len() - line.trim_start().len() + 5;
        let body = match is_directive(line) && k > 0 {
            true => " ".repeat(marker) + &line[marker..],
            false => line.to_owned(),
        };
        out.push_str(&body.replace(['&', '\n', '\r'], " "));
    }
    out
}

/// The clauses in a line that give copies: the word, and the names of the list as far as it stands in the line.
fn clauses(line: &str) -> Vec<(Span, Vec<Span>)> {
    let mut found = Vec::new();
    let mut words = identifiers(line, 0, line.len()).peekable();
    while let Some(word) = words.next() {
        let text = line[word.start as usize..word.end as usize].to_ascii_lowercase();
        let rest = &line[word.end as usize..];
        let open = rest.len() - rest.trim_start().len();
        if !CLAUSES.contains(&text.as_str()) || !rest[open..].starts_with('(') {
            continue;
        }
        let start = word.end as usize + open + 1;
        let end = line[start..].find(')').map_or(line.len(), |i| start + i);
        // `reduction(+: a, b)`
        let start = line[start..end].rfind(':').map_or(start, |i| start + i + 1);
        found.push((word, identifiers(line, start, end).collect()));
        while words.next_if(|w| (w.start as usize) < end).is_some() {}
    }
    found
}

fn identifiers(line: &str, start: usize, end: usize) -> impl Iterator<Item = Span> + '_ {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut at = start;
    std::iter::from_fn(move || {
        let skip = line[at..end].find(is_part)?;
        let from = at + skip;
        let length = line[from..end].find(|c| !is_part(c)).unwrap_or(end - from);
        at = from + length;
        Some(Span {
            start: from as u32,
            end: at as u32,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_clauses() {
        let line =
            "!$omp parallel default(shared) private(a, b_1) reduction(max: c) threadprivate(x)";
        let names: Vec<Vec<&str>> = clauses(line)
            .iter()
            .map(|(w, l)| {
                let all = std::iter::once(w).chain(l);
                all.map(|s| &line[s.start as usize..s.end as usize])
                    .collect()
            })
            .collect();
        assert_eq!(names, [vec!["private", "a", "b_1"], vec!["reduction", "c"]]);
    }
}
