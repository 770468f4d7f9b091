//! OpenMP directives as data: the construct that a directive names, its clauses, and the part of the program that belongs to it.

use std::collections::BTreeMap;

use crate::ast::{ProgramUnit, Span, Stmt, StmtKind};
use crate::host::context::HostRewriter;
use crate::map::Rule;
use crate::sema::model::SymbolId;

/// Texts of clauses that changed, by their places.
pub(super) type Values = BTreeMap<u32, String>;

/// Clauses whose lists name variables.
pub(super) const LISTS: [&str; 7] = [
    "private",
    "firstprivate",
    "lastprivate",
    "shared",
    "reduction",
    "copyin",
    "copyprivate",
];

/// Words that name constructs; those that begin like a shorter one come first.
const WORDS: [&str; 38] = [
    "threadprivate",
    "metadirective",
    "cancellation",
    "distribute",
    "taskgroup",
    "taskyield",
    "workshare",
    "taskloop",
    "taskwait",
    "critical",
    "parallel",
    "requires",
    "sections",
    "barrier",
    "declare",
    "dispatch",
    "ordered",
    "section",
    "assume",
    "atomic",
    "cancel",
    "depobj",
    "masked",
    "master",
    "single",
    "target",
    "update",
    "enter",
    "flush",
    "point",
    "scope",
    "teams",
    "data",
    "exit",
    "loop",
    "scan",
    "simd",
    "task",
];

/// The same, of two or three letters.
const SHORT_WORDS: [&str; 3] = ["end", "do", "tile"];

/// Directive names with an argument list of their own.
const WITH_LIST: [&str; 3] = ["threadprivate", "critical", "flush"];

/// A directive with its continuation lines.
pub(super) struct Directive {
    /// All its lines.
    pub span: Span,
    /// Of the same length, with blanks for what continues it and for comments.
    pub text: String,
    /// The words that name it: `parallel do` is two.
    pub words: Vec<&'static str>,
    pub clauses: Vec<Clause>,
}

/// One clause of a directive. Places are those of the file.
#[derive(Clone)]
pub(super) struct Clause {
    pub name: String,
    pub span: Span,
    /// What the parentheses contain.
    pub arguments: Option<Span>,
}

impl Directive {
    /// The text of a part of the directive.
    pub fn slice(&self, part: Span) -> &str {
        let at = |offset: u32| offset.saturating_sub(self.span.start) as usize;
        self.text
            .get(at(part.start)..at(part.end))
            .unwrap_or_default()
    }

    pub fn is_end(&self) -> bool {
        self.words.first() == Some(&"end")
    }

    pub fn has_word(&self, word: &str) -> bool {
        self.words.contains(&word)
    }

    /// The innermost construct that the directive names, without SIMD.
    pub fn innermost(&self) -> &'static str {
        let words = self.words.iter().rev();
        let mut but_simd = words.filter(|w| **w != "simd" || self.words.len() == 1);
        but_simd.next().copied().unwrap_or_default()
    }

    /// It names other constructs, but begins none.
    pub fn is_standalone(&self) -> bool {
        let first = self.words.first().copied().unwrap_or_default();
        ["declare", "cancel", "cancellation", "end"].contains(&first)
    }

    /// A DO loop follows.
    pub fn is_loop(&self) -> bool {
        let loops = ["do", "loop", "simd", "taskloop", "distribute", "tile"];
        !self.is_standalone() && loops.contains(&self.innermost())
    }

    /// A structured block follows, which ends with a directive.
    fn is_block(&self) -> bool {
        let blocks = [
            "parallel",
            "sections",
            "single",
            "task",
            "taskgroup",
            "critical",
            "ordered",
            "master",
            "masked",
            "workshare",
            "target",
            "teams",
            "scope",
        ];
        let innermost = self.innermost();
        let alone = innermost == "ordered" && self.clause("depend").is_some();
        (blocks.contains(&innermost) || self.words == ["target", "data"])
            && !self.is_standalone()
            && !alone
    }

    pub fn clause(&self, name: &str) -> Option<&Clause> {
        self.clauses.iter().find(|c| c.name == name)
    }

    /// The text in the parentheses of a clause, in lower case.
    pub fn clause_argument(&self, name: &str) -> Option<String> {
        let list = self.clause(name)?.arguments?;
        Some(self.slice(list).trim().to_ascii_lowercase())
    }

    /// How many nested loops the directive takes as one.
    pub fn collapsed(&self) -> usize {
        let depth = self
            .clause_argument("collapse")
            .and_then(|n| n.parse().ok());
        depth.unwrap_or(1)
    }
}

/// A directive that begins a construct, and where that ends.
pub(super) struct Construct {
    /// Its place among the directives.
    pub directive: usize,
    /// The directive that ends it.
    pub end: Option<usize>,
    /// What lies between.
    pub body: Span,
    /// The construct around it.
    pub parent: Option<usize>,
}

/// The directives of a unit's own body.
pub(super) struct Directives {
    pub all: Vec<Directive>,
    pub constructs: Vec<Construct>,
}

impl Directives {
    pub fn of_construct(&self, c: usize) -> Option<(&Construct, &Directive)> {
        let construct = self.constructs.get(c)?;
        Some((construct, self.all.get(construct.directive)?))
    }
}

impl HostRewriter<'_> {
    /// The directives in a unit's own body; none if they are comments.
    pub(super) fn openmp_directives(&self, unit: &ProgramUnit) -> Directives {
        let mut all = Vec::new();
        let end = unit
            .procedures
            .first()
            .map_or(unit.end.start, |p| p.span.start);
        let mut at = if self.openmp { unit.header.end } else { end };
        while at < end {
            let mut next = self.line_end(at);
            let part = |next: u32| {
                let end = next.min(end);
                self.slice(Span { start: at, end })
            };
            let mut text = part(next);
            if is_directive(text) {
                while goes_on(text) && next < end {
                    next = self.line_end(next);
                    text = part(next);
                }
                let span = Span {
                    start: at,
                    end: next,
                };
                all.push(parsed(span, joined(text)));
            }
            at = next.max(at + 1);
        }
        let constructs = constructs(unit, &all);
        Directives { all, constructs }
    }

    /// The symbol that a name means at a place.
    pub(super) fn symbol_at(&self, name: &str, at: u32) -> Option<SymbolId> {
        let scope = self.model.scope_at(self.file, at).unwrap_or(self.scope);
        self.model.lookup(scope, &name.to_ascii_lowercase())
    }

    /// Statements at the beginning of a line, before all that others put there.
    pub(super) fn openmp_lines(&mut self, line: u32, beside: u32, calls: &[String]) {
        let next = self.indent_at(line);
        let indent = match next.is_empty() {
            true => self.indent_at(beside),
            false => next,
        };
        let text: String = calls.iter().map(|c| format!("{indent}{c}\n")).collect();
        self.edits.insert_foremost(Rule::OpenMp, line, text);
    }

    /// The first statements of a loop's body.
    pub(super) fn openmp_body(&mut self, header: Span, calls: &[String]) {
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
}

/// Which directives begin constructs, and where these end.
fn constructs(unit: &ProgramUnit, all: &[Directive]) -> Vec<Construct> {
    let mut found: Vec<Construct> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for (k, d) in all.iter().enumerate() {
        let body = Span {
            start: d.span.end,
            end: d.span.end,
        };
        if d.is_loop() {
            let end = first_behind(&unit.body, d.span.end).map_or(d.span.end, |s| s.span.end);
            found.push(Construct {
                directive: k,
                end: None,
                body: Span { end, ..body },
                parent: None,
            });
        } else if d.is_block() {
            open.push(found.len());
            found.push(Construct {
                directive: k,
                end: None,
                body,
                parent: None,
            });
        } else if d.is_end() {
            let words = d.words.get(1..).unwrap_or_default();
            let same = |c: &usize| {
                all.get(found[*c].directive)
                    .is_some_and(|b| b.words == words)
            };
            if let Some(at) = open.iter().rposition(&same) {
                let c = open[at];
                open.truncate(at);
                found[c].end = Some(k);
                found[c].body.end = d.span.start;
            } else {
                // The end of a loop, which stands right behind it.
                let last = (0..found.len()).rev().find(same);
                if let Some(c) = last
                    && found[c].end.is_none()
                    && found[c].body.end <= d.span.start
                {
                    found[c].end = Some(k);
                }
            }
        }
    }
    // A BLOCK construct needs no directive at its end.
    for c in open {
        let behind = first_behind(&unit.body, found[c].body.start);
        if let Some(s) = behind
            && matches!(s.kind, StmtKind::Block { .. })
        {
            found[c].body.end = s.span.end;
        }
    }
    for c in 0..found.len() {
        let at = all[found[c].directive].span.start;
        let around = |p: &usize| found[*p].body.start <= at && at < found[*p].body.end;
        found[c].parent = (0..c).rev().find(around);
    }
    found
}

/// The first statement behind `at`, at whatever depth.
pub(super) fn first_behind(block: &[Stmt], at: u32) -> Option<&Stmt> {
    let behind = block.iter().filter(|s| s.span.end > at);
    behind.into_iter().find_map(|s| match s.start() >= at {
        true => Some(s),
        false => s.blocks().into_iter().find_map(|b| first_behind(b, at)),
    })
}

/// A line that begins with the sentinel of OpenMP.
fn is_directive(line: &str) -> bool {
    let start = line.trim_start().get(..5);
    start.is_some_and(|d| d.eq_ignore_ascii_case("!$omp"))
}

/// A directive line with a continuation mark continues after any blank lines and comments.
fn goes_on(text: &str) -> bool {
    let mut last = text.lines().rev().map(|l| code_of(l).trim());
    last.find(|l| !l.is_empty())
        .is_some_and(|l| l.ends_with('&'))
}

/// A line of a directive without the comment at its end.
fn code_of(line: &str) -> &str {
    let sentinel = match is_directive(line) {
        true => line.len() - line.trim_start().len() + 5,
        false => 0,
    };
    let mut quote = None;
    for (i, c) in line.char_indices().skip_while(|(i, _)| *i < sentinel) {
        match (quote, c) {
            (None, '!') => return &line[..i],
            (None, '\'' | '"') => quote = Some(c),
            (Some(q), _) if q == c => quote = None,
            _ => {}
        }
    }
    line
}

/// The lines of a directive as one of the same length: what continues it becomes blanks, and so do comments.
fn joined(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (k, line) in text.split_inclusive('\n').enumerate() {
        let code = code_of(line);
        let marker = line.len() - line.trim_start().len() + 5;
        match is_directive(line) && k > 0 {
            true => {
                out.push_str(&" ".repeat(marker));
                out.push_str(&code[marker.min(code.len())..].replace(['&', '\n', '\r'], " "));
            }
            false => out.push_str(&code.replace(['&', '\n', '\r'], " ")),
        }
        out.push_str(&" ".repeat(line.len() - code.len()));
    }
    out
}

/// The words that a word of the source is made of: `paralleldo`, `enddo`.
fn words_in(word: &str) -> Option<Vec<&'static str>> {
    let mut rest = word;
    let mut found = Vec::new();
    while !rest.is_empty() {
        let all = WORDS.iter().chain(&SHORT_WORDS);
        let (word, after) = all
            .into_iter()
            .find_map(|w| Some((*w, rest.strip_prefix(w)?)))?;
        found.push(word);
        rest = after;
    }
    Some(found)
}

fn parsed(span: Span, text: String) -> Directive {
    let mut words: Vec<&'static str> = Vec::new();
    let mut clauses = Vec::new();
    let mut named = true;
    let mut at = text.find('$').map_or(text.len(), |i| i + 4);
    let place = |offset: usize| span.start + offset as u32;
    while let Some(word) = identifiers(&text, at.min(text.len()), text.len()).next() {
        let (start, end) = (word.start as usize, word.end as usize);
        let name = text[start..end].to_ascii_lowercase();
        let arguments = parenthesis(&text, end);
        at = arguments.map_or(end, |(_, close)| close + 1);
        let parts = words_in(&name).filter(|_| named).filter(|parts| {
            let listed = parts.last().is_some_and(|w| WITH_LIST.contains(w));
            // ORDERED is a clause of loops, too.
            let clause = parts[0] == "ordered" && !matches!(words[..], [] | ["end"]);
            (arguments.is_none() || listed) && !clause
        });
        named = parts.is_some();
        words.extend(parts.into_iter().flatten());
        if named && arguments.is_none() {
            continue;
        }
        named = false;
        clauses.push(Clause {
            name,
            span: Span {
                start: place(start),
                end: place(at),
            },
            arguments: arguments.map(|(open, close)| Span {
                start: place(open + 1),
                end: place(close),
            }),
        });
    }
    Directive {
        span,
        text,
        words,
        clauses,
    }
}

/// The parentheses that follow a place, after blanks.
pub(super) fn parenthesis(text: &str, at: usize) -> Option<(usize, usize)> {
    let rest = text.get(at..)?;
    let open = at + (rest.len() - rest.trim_start().len());
    if !text[open..].starts_with('(') {
        return None;
    }
    let (mut depth, mut quote) = (0, None);
    for (i, c) in text[open..].char_indices() {
        match (quote, c) {
            (Some(q), _) if q == c => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(c),
            (None, '(' | '[') => depth += 1,
            (None, ')' | ']') => {
                depth -= 1;
                if depth == 0 {
                    return Some((open, open + i));
                }
            }
            _ => {}
        }
    }
    None
}

/// The items of a list, by commas outside of parentheses.
pub(super) fn items(list: &str) -> Vec<Span> {
    let mut found = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (i, c) in list.char_indices().chain([(list.len(), ',')]) {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth == 0 || i == list.len() => {
                let item = &list[start..i];
                let blanks = item.len() - item.trim_start().len();
                found.push(Span {
                    start: (start + blanks) as u32,
                    end: (start + item.trim_end().len().max(blanks)) as u32,
                });
                start = i + 1;
            }
            _ => {}
        }
    }
    found.retain(|s| s.end > s.start);
    found
}

/// Names and numbers in a part of a text.
pub(in crate::translation::host) fn identifiers(
    line: &str,
    start: usize,
    end: usize,
) -> impl Iterator<Item = Span> + '_ {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut at = start;
    std::iter::from_fn(move || {
        let skip = line.get(at..end)?.find(is_part)?;
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

    fn of(text: &str) -> Directive {
        let span = Span {
            start: 0,
            end: text.len() as u32,
        };
        parsed(span, joined(text))
    }

    #[test]
    fn words_and_clauses() {
        let d = of(
            "!$omp paralleldo simd ordered private(a, b(1:(2))) & ! private(c)\n!$omp& if(x > (y)) nowait\n",
        );
        assert_eq!(d.words, ["parallel", "do", "simd"]);
        assert_eq!(d.innermost(), "do");
        let clauses: Vec<&str> = d.clauses.iter().map(|c| d.slice(c.span)).collect();
        assert_eq!(
            clauses,
            ["ordered", "private(a, b(1:(2)))", "if(x > (y))", "nowait"]
        );
        assert_eq!(
            of("!$omp end single copyprivate(a)").words,
            ["end", "single"]
        );
        assert_eq!(of("!$OMP ENDPARALLELDO").words, ["end", "parallel", "do"]);
        let d = of("!$omp threadprivate(/c/, x)");
        assert_eq!((d.words.len(), d.clauses.len()), (1, 1));
        assert_eq!(of("!$omp do collapse(2)").collapsed(), 2);
        assert_eq!(
            of("!$omp cancel parallel if(x)").words,
            ["cancel", "parallel"]
        );
    }

    #[test]
    fn items_of_lists() {
        let list = "a, b(1, 2) ,c";
        let texts: Vec<&str> = items(list)
            .iter()
            .map(|s| &list[s.start as usize..s.end as usize])
            .collect();
        assert_eq!(texts, ["a", "b(1, 2)", "c"]);
    }
}
