//! OpenMP directives of host code that name device data: an allocatable became a pointer, and a PRIVATE pointer begins undefined
//! where a PRIVATE allocatable begins unallocated. The pointers that stand for module data are THREADPRIVATE, for each thread has
//! a current device of its own: parallel regions bind them.

use crate::ast::{ProgramUnit, Span, Stmt, StmtKind};
use crate::host::context::Pass;
use crate::host::context::memory::allocation_space;
use crate::map::Rule;
use crate::sema::model::*;

/// Clauses that give each thread (or the end of the region) a copy.
const CLAUSES: [&str; 6] = [
    "private",
    "firstprivate",
    "lastprivate",
    "reduction",
    "shared",
    "threadprivate",
];

/// Words that name constructs; clauses follow them.
const CONSTRUCTS: [&str; 16] = [
    "parallel",
    "paralleldo",
    "parallelsections",
    "parallelworkshare",
    "do",
    "loop",
    "simd",
    "sections",
    "workshare",
    "master",
    "masked",
    "taskloop",
    "target",
    "teams",
    "distribute",
    "single",
];

/// Those among them that a DO loop follows.
const LOOPS: [&str; 6] = ["do", "paralleldo", "loop", "simd", "taskloop", "distribute"];

/// A directive with its continuation lines.
struct Directive {
    /// All its lines.
    span: Span,
    /// Of the same length, with blanks for what continues it.
    text: String,
}

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
    /// The same of a module.
    Bound,
    /// A structure of the host that owns device data.
    Owner,
}

impl Kind {
    /// A copy for each thread would have to be made here.
    fn is_fixed(self) -> bool {
        matches!(self, Kind::Fixed | Kind::Bound | Kind::Owner)
    }
}

impl Pass<'_> {
    /// The directives in a unit's own body.
    fn openmp_directives(&self, unit: &ProgramUnit) -> Vec<Directive> {
        let end = unit
            .procedures
            .first()
            .map_or(unit.end.start, |p| p.span.start);
        let mut found = Vec::new();
        let mut at = unit.header.end;
        while at < end {
            let mut next = self.line_end(at);
            let line = |next: u32| {
                let end = next.min(end);
                self.slice(Span { start: at, end })
            };
            let mut text = line(next);
            if is_directive(text) {
                while text.trim_end().ends_with('&') && next < end {
                    next = self.line_end(next);
                    text = line(next);
                }
                found.push(Directive {
                    span: Span {
                        start: at,
                        end: next,
                    },
                    text: joined(text),
                });
            }
            at = next.max(at + 1);
        }
        found
    }

    /// The clauses of the directives in a unit's own body.
    pub(in crate::host) fn openmp_clauses(&mut self, unit: &ProgramUnit) {
        for d in self.openmp_directives(unit) {
            for (word, list) in clauses(&d.text) {
                let shift = |s: Span| Span {
                    start: s.start + d.span.start,
                    end: s.end + d.span.start,
                };
                let items = list.into_iter().map(shift).collect();
                self.openmp_clause(shift(word), items);
            }
        }
    }

    /// Directives for statements that are none any more when they have been translated: a CUF loop is a launch, a transfer is a call.
    pub(in crate::host) fn directed_statements(&mut self, unit: &ProgramUnit) {
        let directives = match self.openmp {
            true => self.openmp_directives(unit),
            false => Vec::new(),
        };
        for d in &directives {
            let words = construct(&d.text);
            let has = |names: &[&str]| words.iter().any(|w| names.contains(&w.as_str()));
            let is = |name: &str| words_of(&d.text).first().is_some_and(|w| w == name);
            let next = first_behind(&unit.body, d.span.end);
            let gone = if has(&LOOPS) || is("tile") || is("unroll") {
                device_loop(next, collapsed(&d.text))
                    .map(|_| "a DO loop, and the CUF loop is a launch")
            } else if is("atomic") {
                next.filter(|s| self.becomes_call(s.span))
                    .map(|_| "an assignment, and this one is a transfer")
            } else if has(&["workshare", "parallelworkshare"]) {
                let end = directives.iter().find(|e| {
                    e.span.start > d.span.start && words_of(&e.text).concat().contains("workshare")
                });
                let part = Span {
                    start: d.span.end,
                    end: end.map_or(unit.end.start, |e| e.span.start),
                };
                self.becomes_call(part)
                    .then_some("assignments of arrays, and one of these is a transfer")
            } else {
                None
            };
            if let Some(why) = gone {
                let shown = self.slice(d.span).trim();
                let start = d.span.end - self.slice(d.span).trim_start().len() as u32;
                let span = Span {
                    start,
                    end: start + shown.len() as u32,
                };
                self.finding("CUF0458", span, format!("this directive is for {why}"));
            }
        }
        self.hints_of_loops(unit);
    }

    /// Hints of gfortran's for a loop are comments before a CUF loop.
    fn hints_of_loops(&mut self, unit: &ProgramUnit) {
        let mut at = unit.header.end;
        while at < unit.end.start {
            let next = self.line_end(at);
            let line = self.slice(Span {
                start: at,
                end: next,
            });
            let hint = line.trim_start();
            if hint
                .get(..5)
                .is_some_and(|s| s.eq_ignore_ascii_case("!gcc$"))
                && device_loop(first_behind(&unit.body, at), 1).is_some()
            {
                let sign = at + (line.len() - hint.len()) as u32 + 1;
                self.edits.insert(Rule::CufLoopLaunch, sign, " ");
            }
            at = next.max(at + 1);
        }
    }

    /// Whether a statement in this part of the text is a call where it was none.
    fn becomes_call(&self, part: Span) -> bool {
        let mut texts = self.edits.texts(part);
        texts.any(|t| t.trim_start().starts_with("call "))
    }

    /// The calls of the bind procedures at the beginning of the parallel regions of a unit.
    pub(in crate::host) fn openmp_binds(&mut self, unit: &ProgramUnit, calls: &[String]) {
        if !self.openmp || calls.is_empty() {
            return;
        }
        let directives = self.openmp_directives(unit);
        for (k, d) in directives.iter().enumerate() {
            let words = construct(&d.text);
            if !words.iter().any(|w| w.starts_with("parallel")) {
                continue;
            }
            let has = |names: &[&str]| words.iter().any(|w| names.contains(&w.as_str()));
            if has(&["do", "paralleldo", "loop", "distribute", "taskloop"]) {
                let depth = collapsed(&d.text);
                if let Some(header) = first_loop(&unit.body, d.span.end, depth) {
                    self.openmp_body(header, calls);
                }
            } else if has(&["sections", "parallelsections"]) {
                self.openmp_sections(d, &directives[k + 1..], calls);
            } else if !has(&["workshare", "parallelworkshare"]) {
                self.openmp_lines(d.span.end, d.span.start, calls);
            }
        }
    }

    /// The first statements of each section: those before the first SECTION directive are one, too.
    fn openmp_sections(&mut self, region: &Directive, later: &[Directive], calls: &[String]) {
        let mut start = region;
        for d in later {
            let words = words_of(&d.text);
            let is_section = words.first().is_some_and(|w| w == "section");
            let is_end = words.first().is_some_and(|w| w.starts_with("end"))
                && words.iter().any(|w| w.ends_with("sections"));
            if !is_section && !is_end {
                continue;
            }
            let between = self.slice(Span {
                start: start.span.end,
                end: d.span.start,
            });
            let code = |l: &str| !l.trim().is_empty() && !l.trim_start().starts_with('!');
            if between.lines().any(code) {
                self.openmp_lines(start.span.end, start.span.start, calls);
            }
            start = d;
            if is_end {
                return;
            }
        }
    }

    /// The first statements of a loop's body.
    fn openmp_body(&mut self, header: Span, calls: &[String]) {
        let line = self.line_end(header.end);
        let rest = self.slice(Span {
            start: header.end,
            end: line,
        });
        if rest.trim_start().starts_with(';') {
            let text = format!("; {}", calls.join("; "));
            self.edits.insert(Rule::OpenMp, header.end, text);
        } else {
            self.openmp_lines(line, header.start, calls);
        }
    }

    /// Statements at the beginning of a line, before all that others put there.
    fn openmp_lines(&mut self, line: u32, beside: u32, calls: &[String]) {
        let next = self.indent_at(line);
        let indent = match next.is_empty() {
            true => self.indent_at(beside),
            false => next,
        };
        let text: String = calls.iter().map(|c| format!("{indent}{c}\n")).collect();
        self.edits.insert_foremost(Rule::OpenMp, line, text);
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
        if clause == "shared" {
            self.openmp_shared(word, &items);
            return;
        }
        // A THREADPRIVATE structure begins in each thread with its default values: its pointers are not associated.
        let threadprivate = clause == "threadprivate";
        let refused =
            (items.iter()).find(|i| i.kind.is_fixed() && !(threadprivate && i.kind == Kind::Owner));
        if threadprivate && refused.is_none() {
            return;
        }
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
            Rule::OpenMp,
            Span {
                start: word.start,
                end,
            },
            clause,
        );
    }

    /// What is THREADPRIVATE is in no list of shared variables.
    fn openmp_shared(&mut self, word: Span, items: &[Item]) {
        if !self.openmp || items.iter().all(|i| i.kind != Kind::Bound) {
            return;
        }
        let kept: Vec<&str> = (items.iter().filter(|i| i.kind != Kind::Bound))
            .map(|i| self.slice(i.span))
            .collect();
        let end = items.last().map_or(word.end, |i| i.span.end);
        let mut clause = Span {
            start: word.start,
            end,
        };
        if !kept.is_empty() {
            let text = format!("shared({}", kept.join(", "));
            self.edits.replace(Rule::OpenMp, clause, text);
            return;
        }
        let after = self.text.get(end as usize..).unwrap_or_default();
        clause.end = end + after.find(')').map_or(0, |i| i as u32 + 1);
        let before = self.text.get(..word.start as usize).unwrap_or_default();
        if let Some(text) = before.trim_end_matches([' ', '\t']).strip_suffix(',') {
            clause.start = text.len() as u32;
        }
        self.edits.delete(Rule::OpenMp, clause);
    }

    fn kind_of_item(&self, span: Span) -> Kind {
        let name = self.slice(span).to_ascii_lowercase();
        let symbol = self.model.lookup(self.scope, &name);
        if symbol.is_some_and(|s| self.is_bound(s)) {
            return Kind::Bound;
        }
        let variable = symbol.and_then(|s| self.model.variable(s));
        match variable {
            Some(v) if self.owners.owner_variable(v) => Kind::Owner,
            Some(v) if allocation_space(v.space).is_none() => Kind::Other,
            Some(v) if v.attrs.has(VarAttrs::POINTER) => Kind::Other,
            Some(v) if v.attrs.has(VarAttrs::ALLOCATABLE) => Kind::Allocatable,
            Some(_) => Kind::Fixed,
            None => Kind::Other,
        }
    }
}

/// The first statement behind `at`, at whatever depth.
fn first_behind(block: &[Stmt], at: u32) -> Option<&Stmt> {
    let behind = block.iter().filter(|s| s.span.end > at);
    behind.into_iter().find_map(|s| match s.start() >= at {
        true => Some(s),
        false => s.blocks().into_iter().find_map(|b| first_behind(b, at)),
    })
}

/// The CUF loop among the `depth` loops that begin with `stmt`.
fn device_loop(stmt: Option<&Stmt>, depth: usize) -> Option<&Stmt> {
    match &stmt?.kind {
        StmtKind::CufKernel(_) => stmt,
        StmtKind::Do(d) if depth > 1 => device_loop(d.body.first(), depth - 1),
        _ => None,
    }
}

/// The names after the sentinel, in lower case.
fn words_of(directive: &str) -> Vec<String> {
    let start = directive
        .find('$')
        .map_or(0, |i| i + 4)
        .min(directive.len());
    identifiers(directive, start, directive.len())
        .map(|w| directive[w.start as usize..w.end as usize].to_ascii_lowercase())
        .collect()
}

/// The names that say which construct a directive begins.
fn construct(directive: &str) -> Vec<String> {
    let words = words_of(directive).into_iter();
    words
        .take_while(|w| CONSTRUCTS.contains(&w.as_str()))
        .collect()
}

/// How many nested loops a directive takes as one.
fn collapsed(directive: &str) -> usize {
    let words = words_of(directive);
    let at = words.iter().position(|w| w == "collapse");
    let depth = at.and_then(|k| words.get(k + 1)?.parse().ok());
    depth.unwrap_or(1)
}

/// The DO statement of the innermost of `depth` nested loops, the outermost of which is the first behind `at`.
fn first_loop(block: &[Stmt], at: u32, depth: usize) -> Option<Span> {
    for stmt in block.iter().filter(|s| s.span.end > at) {
        if let StmtKind::Do(d) = &stmt.kind
            && stmt.span.start >= at
        {
            return match depth {
                0 | 1 => Some(d.header),
                _ => first_loop(&d.body, at, depth - 1),
            };
        }
        let inner = stmt.blocks().into_iter();
        if let Some(found) = inner.filter_map(|b| first_loop(b, at, depth)).next() {
            return Some(found);
        }
    }
    None
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
        let lists = [
            vec!["private", "a", "b_1"],
            vec!["reduction", "c"],
            vec!["threadprivate", "x"],
        ];
        assert_eq!(names, lists);
        assert_eq!(construct(line), ["parallel"]);
        assert_eq!(collapsed("!$omp parallel do collapse(2)"), 2);
    }
}
