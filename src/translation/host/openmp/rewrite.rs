//! Directives with clauses of their own, and the regions that they begin.

use crate::ast::{DoControl, ProgramUnit, Span, Stmt, StmtKind};
use crate::host::context::edit::join_lines;
use crate::host::context::{HostRewriter, list};
use crate::host::openmp::directive::{
    Clause, Construct, Directive, Directives, LISTS, Values, first_behind, identifiers,
};
use crate::host::openmp::region::{ENDS, LAST, Lines, OTHER};
use crate::host::openmp::sharing::{Item, Share, list_of};
use crate::map::Rule;
use crate::sema::model::*;

/// The longest line of a directive.
const WIDTH: usize = 100;

/// Clauses that belong to PARALLEL where that is parted from the loop or the sections in it.
const OF_PARALLEL: [&str; 8] = [
    "if",
    "num_threads",
    "default",
    "shared",
    "copyin",
    "proc_bind",
    "private",
    "firstprivate",
];

/// The clauses of a directive: name and text.
type Texts = Vec<(String, String)>;

/// Where constructs are rewritten.
struct Surroundings<'d> {
    unit: &'d ProgramUnit,
    directives: &'d Directives,
    values: &'d Values,
    /// They bind module data.
    calls: &'d [String],
}

/// A construct that is rewritten.
struct Rewriting<'d> {
    construct: &'d Construct,
    directive: &'d Directive,
    /// The words of the directive, without SIMD.
    words: Vec<&'static str>,
    copies: Vec<Item>,
    /// Of COPYIN and COPYPRIVATE.
    sources: Vec<Item>,
    /// Whether only gfortran takes the names of the copies as they are meant.
    gnu: bool,
    indent: String,
}

impl Rewriting<'_> {
    /// Empty texts for both ends of the construct.
    fn texts(&self) -> (Text, Text) {
        let text = || Text {
            indent: self.indent.clone(),
            text: String::new(),
        };
        (text(), text())
    }
}

impl HostRewriter<'_> {
    /// Gives the constructs of a unit the copies of device data that they ask for. `calls` bind module data. The places of the directives
    /// of parallel regions that have these calls.
    pub(super) fn share(
        &mut self,
        unit: &ProgramUnit,
        directives: &Directives,
        values: &Values,
        calls: &[String],
    ) -> Vec<usize> {
        let around = Surroundings {
            unit,
            directives,
            values,
            calls,
        };
        let mut rewritten = Vec::new();
        let mut done = Vec::new();
        for (c, construct) in directives.constructs.iter().enumerate() {
            done.push(construct.directive);
            done.extend(construct.end);
            let Some((_, directive)) = directives.of_construct(c) else {
                continue;
            };
            let Some(items) = self.copied_items(unit, directives, c) else {
                continue;
            };
            let copied = |i: &Item| matches!(i.share, Share::CopyIn | Share::CopyPrivate);
            let (sources, copies): (Vec<Item>, Vec<Item>) = items.into_iter().partition(copied);
            if copies.is_empty() && sources.is_empty() {
                self.rewrite_clauses(directive, values);
                if let Some(end) = construct.end.and_then(|e| directives.all.get(e)) {
                    self.rewrite_clauses(end, values);
                }
                continue;
            }
            self.unit.runtime = true;
            if directive.has_word("parallel") {
                rewritten.push(construct.directive);
            }
            let rewriting = Rewriting {
                construct,
                directive,
                words: (directive.words.iter().copied())
                    .filter(|w| *w != "simd")
                    .collect(),
                gnu: self.needs_gfortran(directives, c, &copies),
                copies,
                sources,
                indent: self.indent_at(directive.span.start),
            };
            self.rewrite_construct(&around, rewriting);
            self.declare_implicit(unit, construct.body);
        }
        for (k, d) in directives.all.iter().enumerate() {
            if d.words == ["threadprivate"] {
                self.threadprivate(d);
            } else if !done.contains(&k) {
                self.rewrite_clauses(d, values);
            }
        }
        rewritten
    }

    /// A directive whose construct stays as it is.
    fn rewrite_clauses(&mut self, d: &Directive, values: &Values) {
        let clauses = self.clause_texts(d, values, &[]);
        let same = |(c, text): (&Clause, &(String, String))| d.slice(c.span) == text.1;
        if clauses.len() == d.clauses.len() && d.clauses.iter().zip(&clauses).all(same) {
            return;
        }
        let clauses = clauses.into_iter().map(|(_, text)| text);
        let indent = self.indent_at(d.span.start);
        let text = directive_text(&indent, &d.words.join(" "), clauses);
        self.edits.replace(Rule::OpenMp, d.span, text);
    }

    /// The clauses of a directive by their names, without the variables of `copies`, and without those that are THREADPRIVATE now.
    fn clause_texts(&self, d: &Directive, values: &Values, copies: &[&Item]) -> Texts {
        let mut texts = Texts::new();
        for c in &d.clauses {
            let name = c.name.clone();
            let Some(arguments) = c.arguments.filter(|_| LISTS.contains(&name.as_str())) else {
                let text = values.get(&c.span.start).cloned();
                texts.push((name, text.unwrap_or_else(|| d.slice(c.span).to_owned())));
                continue;
            };
            let (_, items) = list_of(d, arguments);
            let goes = |at: &Span| {
                let symbol = self.symbol_at(d.slice(*at), d.span.start);
                let copied = copies.iter().any(|i| Some(i.symbol) == symbol);
                copied || name == "shared" && symbol.is_some_and(|s| self.is_bound(s))
            };
            let kept: Vec<&str> = items
                .iter()
                .filter(|at| !goes(at))
                .map(|at| d.slice(*at))
                .collect();
            if kept.len() == items.len() {
                texts.push((name, d.slice(c.span).to_owned()));
            } else if let (Some(first), false) = (items.first(), kept.is_empty()) {
                let head = d.slice(Span {
                    start: c.span.start,
                    end: first.start,
                });
                texts.push((name, format!("{}{})", head.trim_start(), kept.join(", "))));
            }
        }
        texts
    }

    fn rewrite_construct(&mut self, around: &Surroundings, r: Rewriting) {
        let d = r.directive;
        let all: Vec<&Item> = r.copies.iter().chain(&r.sources).collect();
        let mut clauses = self.clause_texts(d, around.values, &all);
        let end = r.construct.end.and_then(|e| around.directives.all.get(e));
        let end_clauses = end.map_or(Vec::new(), |e| self.clause_texts(e, around.values, &all));
        if d.has_word("simd") {
            // A loop whose copies are pointers is run one iteration after another.
            let of_simd = ["safelen", "simdlen", "aligned", "nontemporal"];
            clauses.retain(|(name, _)| !of_simd.contains(&name.as_str()));
        }
        if d.has_word("parallel") && restricts(d) {
            let outside = r.copies.iter().filter(|i| !self.is_bound(i.symbol));
            let mut shared: Vec<String> = outside.map(|i| i.name.clone()).collect();
            if r.words.len() > 1 {
                shared.extend(self.handed_on_by_host(d, &all));
            }
            if !shared.is_empty() {
                clauses.push(("shared".to_owned(), format!("shared({})", list(shared))));
            }
        }
        let (before, after) = match r.words[..] {
            ["task"] => self.rewrite_task(&r, clauses, end_clauses),
            ["single"] => self.rewrite_single(&r, clauses, end_clauses),
            ["parallel", ..] => self.rewrite_parallel(around, &r, clauses, end_clauses),
            ["scope"] => self.rewrite_scope(&r, clauses, end_clauses),
            _ => self.rewrite_shared_work(around, &r, clauses, end_clauses),
        };
        self.edits.replace(Rule::OpenMp, d.span, before.text);
        match end {
            Some(e) => self.edits.replace(Rule::OpenMp, e.span, after.text),
            None => self.end_region(r.construct.body.end, d, after.text),
        }
    }

    fn rewrite_task(&mut self, r: &Rewriting, mut clauses: Texts, end: Texts) -> (Text, Text) {
        let (mut before, mut after) = r.texts();
        let outer = self.task_copies(&r.copies, r.gnu);
        let inner = self.task_region(&r.copies);
        clauses.push(Self::clause("firstprivate", &r.copies));
        before.add_lines(&outer.before);
        before.directive("task", clauses);
        before.add_lines(&inner.before);
        after.add_lines(&inner.after);
        after.directive("end task", end);
        after.add_lines(&outer.after);
        (before, after)
    }

    fn rewrite_single(&mut self, r: &Rewriting, clauses: Texts, mut end: Texts) -> (Text, Text) {
        let (mut before, mut after) = r.texts();
        let region = self.some_region(&r.copies, 0, r.gnu);
        let hands_on = !r.sources.is_empty();
        let outer = match hands_on {
            true => self.source_of_values(&r.sources, false),
            false => Lines::default(),
        };
        before.add_lines(&outer.before);
        before.directive("single", clauses);
        before.add_lines(&region.before);
        if hands_on {
            after.add_lines(&self.values_given(&r.sources));
            end.push(Self::clause("copyprivate", &r.sources));
        }
        after.add_lines(&region.after);
        after.directive("end single", end);
        if hands_on {
            after.add_lines(&self.values_taken(&r.sources));
        }
        after.add_lines(&outer.after);
        (before, after)
    }

    fn rewrite_scope(&mut self, r: &Rewriting, clauses: Texts, end: Texts) -> (Text, Text) {
        let (mut before, mut after) = r.texts();
        let region = self.region(&r.copies, 0, r.gnu);
        before.directive("scope", clauses);
        before.add_lines(&region.before);
        after.add_lines(&region.after);
        after.directive("end scope", end);
        (before, after)
    }

    /// PARALLEL, from which DO or SECTIONS is parted.
    fn rewrite_parallel(
        &mut self,
        around: &Surroundings,
        r: &Rewriting,
        mut clauses: Texts,
        end: Texts,
    ) -> (Text, Text) {
        let (mut before, mut after) = r.texts();
        let work = r.words.get(1).copied();
        let loops = self.last_values(around.unit, r);
        let region = self.some_region(&r.copies, loops.len(), r.gnu);
        let mut outer = Lines::default();
        if !r.sources.is_empty() {
            outer = self.source_of_values(&r.sources, true);
            clauses.push(Self::clause("firstprivate", &r.sources));
        }
        let (of_parallel, rest): (Texts, Texts) =
            (clauses.into_iter()).partition(|c| work.is_none() || of_parallel(c, r.directive));
        before.add_lines(&outer.before);
        before.directive("parallel", of_parallel);
        before.add_lines(around.calls);
        if !r.sources.is_empty() {
            before.add_lines(&["continue".to_owned()]);
            before.add_lines(&self.values_from_master(&r.sources));
        }
        before.add_lines(&region.before);
        before.add_lines(&loops);
        if let Some(work) = work {
            self.begin_work(around, r, (&mut before, work), rest);
            after.directive(&format!("end {work} nowait"), Texts::new());
        }
        after.add_lines(&region.after);
        after.directive("end parallel", end);
        after.add_lines(&outer.after);
        (before, after)
    }

    /// DO and SECTIONS, around which the copies live.
    fn rewrite_shared_work(
        &mut self,
        around: &Surroundings,
        r: &Rewriting,
        clauses: Texts,
        end: Texts,
    ) -> (Text, Text) {
        let (mut before, mut after) = r.texts();
        let nowait = clauses.iter().chain(&end).any(|(name, _)| name == "nowait");
        let work = r.words.first().copied();
        let loops = self.last_values(around.unit, r);
        let region = self.region(&r.copies, loops.len(), r.gnu);
        before.add_lines(&region.before);
        before.add_lines(&loops);
        self.begin_work(around, r, (&mut before, work.unwrap_or_default()), clauses);
        if let (Some(work), true) = (work, r.construct.end.is_some()) {
            after.directive(&format!("end {work}"), end);
        }
        after.add_lines(&region.after);
        if work.is_some() && !nowait && r.copies.iter().any(Item::is_handed_on) {
            after.add_lines(&["!$omp barrier".to_owned()]);
        }
        (before, after)
    }

    /// The directive of a loop or of sections; none for SIMD, which is left out.
    fn begin_work(
        &mut self,
        around: &Surroundings,
        r: &Rewriting,
        (before, work): (&mut Text, &str),
        clauses: Texts,
    ) {
        let last = r.copies.iter().any(Item::is_last);
        if last && !work.is_empty() {
            // No thread hands its values on before all have looked at the variables outside.
            before.add_lines(&["!$omp barrier".to_owned()]);
        }
        if !work.is_empty() {
            before.directive(work, clauses);
        }
        if last {
            self.mark_last(around, r, before);
        }
    }

    fn clause(name: &str, copies: &[Item]) -> (String, String) {
        let text = format!("{name}({})", Self::aliases(copies));
        (name.to_owned(), text)
    }

    /// A region whose end no directive marks.
    fn end_region(&mut self, end: u32, d: &Directive, text: String) {
        let line = self.line_end(end);
        let rest = self.slice(Span {
            start: end,
            end: line,
        });
        let rest = rest.trim_start();
        if !rest.is_empty() && !rest.starts_with('!') {
            let message = "OpenMP region with copies of device data ends in the middle of a line\nhelp: end it with a directive";
            self.finding("CUF0419", d.span, message);
            return;
        }
        self.edits.insert_foremost(Rule::OpenMp, line, text);
    }

    fn some_region(&mut self, copies: &[Item], loops: usize, gnu: bool) -> Lines {
        match copies.is_empty() {
            true => Lines::default(),
            false => self.region(copies, loops, gnu),
        }
    }

    /// COPYIN: all but the master thread take values over.
    fn values_from_master(&mut self, sources: &[Item]) -> Vec<String> {
        let mut lines = vec![
            "block".to_owned(),
            format!("  logical :: {OTHER}"),
            format!("  {OTHER} = .true."),
            "  !$omp master".to_owned(),
            format!("  {OTHER} = .false."),
            "  !$omp end master".to_owned(),
        ];
        let taken = self.values_taken(sources);
        lines.extend(taken.iter().map(|l| format!("  {l}")));
        lines.push("end block".to_owned());
        lines
    }

    /// Host variables of a combined construct's loop that the parallel region has to share.
    fn handed_on_by_host(&self, d: &Directive, copied: &[&Item]) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for c in &d.clauses {
            if !["lastprivate", "reduction", "linear"].contains(&c.name.as_str()) {
                continue;
            }
            for at in c.arguments.into_iter().flat_map(|l| list_of(d, l).1) {
                let text = d.slice(at);
                let Some(root) = identifiers(text, 0, text.len()).next() else {
                    continue;
                };
                let root = text[root.start as usize..root.end as usize].to_owned();
                let symbol = self.symbol_at(&root, d.span.start);
                if !copied.iter().any(|i| Some(i.symbol) == symbol) && !names.contains(&root) {
                    names.push(root);
                }
            }
        }
        names
    }

    /// Statements that note the last values of the variables of a directive's loops.
    fn last_values(&mut self, unit: &ProgramUnit, r: &Rewriting) -> Vec<String> {
        let mut lines = Vec::new();
        if !r.directive.is_loop() || !r.copies.iter().any(Item::is_last) {
            return lines;
        }
        let mut outer: Vec<String> = Vec::new();
        let mut stmt = first_behind(&unit.body, r.directive.span.end);
        for k in 1..=r.directive.collapsed() {
            let Some((var, from, to, step, body)) = counted(stmt) else {
                let message =
                    "`lastprivate` copies of device data require `do` loops with a counter";
                self.finding("CUF0419", r.directive.span, message);
                return Vec::new();
            };
            let text = |span: Span| join_lines(&self.edits.apply(self.text, span));
            let (low, high) = (text(from), text(to));
            let value = match step {
                None => high.clone(),
                Some(step) => {
                    let step = text(step);
                    format!("({low}) + ((({high}) - ({low}))/({step}))*({step})")
                }
            };
            let depends = identifiers(&value, 0, value.len())
                .any(|w| outer.contains(&value[w.start as usize..w.end as usize].to_lowercase()));
            if depends {
                let message =
                    "`lastprivate` copies of device data require loops with independent bounds";
                self.finding("CUF0419", r.directive.span, message);
                return Vec::new();
            }
            lines.push(format!("    {ENDS}({k}) = {value}"));
            outer.push(var.to_lowercase());
            stmt = body.first();
        }
        lines
    }

    /// Notes in the loop's body, or in the last section, that this thread has the last values.
    fn mark_last(&mut self, around: &Surroundings, r: &Rewriting, before: &mut Text) {
        let (unit, directives) = (around.unit, around.directives);
        if r.directive.is_loop() {
            let mut stmt = first_behind(&unit.body, r.directive.span.end);
            let mut tests = Vec::new();
            let mut header = None;
            for k in 1..=r.directive.collapsed() {
                let Some((var, .., body)) = counted(stmt) else {
                    return;
                };
                tests.push(format!("{var} == {ENDS}({k})"));
                if let Some(StmtKind::Do(d)) = stmt.map(|s| &s.kind) {
                    header = Some(d.header);
                }
                stmt = body.first();
            }
            if let Some(header) = header {
                let test = format!("if ({}) {LAST} = .true.", tests.join(" .and. "));
                self.openmp_body(header, &[test]);
            }
            return;
        }
        let body = r.construct.body;
        let mut sections = directives.all.iter().filter(|d| d.words == ["section"]);
        let last = sections.rfind(|d| {
            let at = d.span.start;
            body.start <= at && at < body.end
        });
        let set = format!("{LAST} = .true.");
        match last {
            Some(d) => self.openmp_lines(d.span.end, d.span.start, &[set]),
            None => before.add_lines(&[set]),
        }
    }

    /// Names that no statement declares belong to the unit; gfortran 12 takes those that it meets first in a BLOCK for variables of that.
    fn declare_implicit(&mut self, unit: &ProgramUnit, body: Span) {
        let mut lines = String::new();
        for (_, symbol, _) in self.names_in(body) {
            let (s, v) = (&self.model[symbol], self.model.variable(symbol));
            let local = |v: &&Variable| !v.declared && v.dummy.is_none() && !v.is_result;
            if s.scope == self.scope
                && let Some(v) = v.filter(local)
                && self.implicit.insert(symbol)
            {
                lines.push_str(&format!("  {} :: {}\n", self.local_type(&v.ty), s.name));
            }
        }
        if !lines.is_empty() {
            self.end_specification(unit, &lines);
        }
    }
}

/// Lines and directives in their order.
struct Text {
    indent: String,
    text: String,
}

impl Text {
    fn add_lines(&mut self, lines: &[String]) {
        for l in lines {
            self.text.push_str(&self.indent);
            self.text.push_str(l);
            self.text.push('\n');
        }
    }

    fn directive(&mut self, name: &str, clauses: Texts) {
        let clauses = clauses.into_iter().map(|(_, text)| text);
        self.text += &directive_text(&self.indent, name, clauses);
    }
}

/// A directive, continued where it is long.
fn directive_text(indent: &str, name: &str, clauses: impl Iterator<Item = String>) -> String {
    let mut text = format!("{indent}!$omp {name}");
    let mut width = text.len();
    for clause in clauses {
        let clause = clause.split_whitespace().collect::<Vec<_>>().join(" ");
        if width + clause.len() + 1 > WIDTH {
            text.push_str(&format!(" &\n{indent}!$omp&"));
            width = indent.len() + 6;
        }
        width += clause.len() + 1;
        text.push(' ');
        text.push_str(&clause);
    }
    text.push('\n');
    text
}

/// DEFAULT asks for the names of shared variables.
fn restricts(d: &Directive) -> bool {
    d.clause_argument("default").is_some_and(|a| a != "shared")
}

/// Whether a clause of a combined construct is one of PARALLEL. What is LASTPRIVATE, too, stays with that.
fn of_parallel((name, text): &(String, String), d: &Directive) -> bool {
    let last = d.clause("lastprivate").is_some();
    match name.as_str() {
        "firstprivate" if last => text.starts_with("firstprivate(\u{1}"),
        name => OF_PARALLEL.contains(&name),
    }
}

/// Variable, bounds and body of a DO loop that counts.
type Counted<'s> = (&'s str, Span, Span, Option<Span>, &'s [Stmt]);

fn counted(stmt: Option<&Stmt>) -> Option<Counted<'_>> {
    let StmtKind::Do(d) = &stmt?.kind else {
        return None;
    };
    let DoControl::Counted {
        var,
        from,
        to,
        step,
    } = &d.control
    else {
        return None;
    };
    let step = step.as_ref().map(|s| s.span);
    Some((var.text.as_str(), from.span, to.span, step, &d.body))
}
