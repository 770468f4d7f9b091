//! The preprocessor's lines in the text that was edited: its directives, the branches it left out, and the lines that stayed as they
//! were, with their macros.
//!
//! What comes out is preprocessed again, and compared with the text that it stands for. A line that differs, or that gfortran's
//! preprocessor may read otherwise ([`traditional`](super::traditional)), is written with its macros expanded; where that does not
//! help, with its words in another case ([`respell`](super::avoid_macros)), and where that does not either, all of the file is.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use super::avoid_macros::{macro_names, respelled};
use super::cpp::Preprocessor;
use super::directives::{asked, directive};
use super::feature_macro::{ConditionalStack, Guard, is_guarded, other_branch, without};
use super::line::{Files, Line, Options, UserFile, line_starts};
use super::preprocessing_record::{self, Item, ItemKind, Trace};
use super::text::{Position, SourceText};

/// Where the lines of the edited text come from, and where those of the text before it have gone.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// For each line of the edited text the line of the text before it (from 0) that it is a copy of.
    pub copies: Vec<Option<u32>>,
    /// Likewise that it stands for: that it has code of, or is in the place of.
    pub stands_for: Vec<Option<u32>>,
    /// For each line of the text before it, and for its end, its place in the edited text.
    pub places: Vec<ByteRange>,
}

/// Where what stands before a line goes in the edited text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByteRange {
    /// Before which line of the edited text (from 0), and before what is inserted there for the program unit.
    pub outer: u32,
    /// The same behind that.
    pub inner: u32,
    /// The line has gone with lines around it.
    pub inside: bool,
}

/// An edited text with the preprocessor's lines.
#[derive(Debug, Default)]
pub struct Restored {
    pub text: String,
    /// For each line its place in a user's file, if it is one of the user's.
    pub positions: Vec<Option<Position>>,
    /// For each line the line of the edited text that it is, and whether it is written as the user has it, with its macros.
    pub lines: Vec<Option<(u32, bool)>>,
    /// The lines of branches left out that it has, by file.
    pub kept: BTreeSet<(PathBuf, u32)>,
}

impl Restored {
    /// A text without such lines, whose lines have these places.
    pub fn plain(text: &str, positions: Vec<Option<Position>>) -> Restored {
        Restored {
            text: text.to_owned(),
            lines: (0..positions.len() as u32)
                .map(|k| Some((k, false)))
                .collect(),
            positions,
            kept: BTreeSet::new(),
        }
    }
}

/// Stands above a branch that is kept as it is, with names of CUDA.
const MARK: &str = "! cuf2cu: CUDA Fortran that was left out and is not translated";

/// The same above one with what is no Fortran, or is a comment to its compilers.
const REFUSED: &str = "#error \"cuf2cu: CUDA Fortran that was left out and is not translated: translate again with these macros\"";

/// A line of the text that is put together.
enum Put {
    /// For the preprocessor, or left out by it; with its place if it is the user's.
    Kept(Option<Position>),
    /// A line of the edited text, and whether it is written as the user has it.
    Code(usize, bool),
}

impl SourceText {
    /// For each line of an edited text its place in a user's file, if it stands for one of the user's.
    pub fn positions(&self, layout: &Layout) -> Vec<Option<Position>> {
        let lines = layout.stands_for.iter();
        lines.map(|l| self.line_position((*l)?)).collect()
    }

    /// The edited text `edited` with the preprocessor's lines; None if that cannot be had, or there are none. `options` and `files`
    /// are those that the file was read with. With a `guard` what changed outside of its macro is under it (free form only).
    pub fn restored(
        &self,
        edited: &str,
        layout: &Layout,
        (options, files): (&Options, Files<'_>),
        guard: Option<Guard<'_>>,
    ) -> Option<Restored> {
        let trace = self.trace.as_deref()?;
        let guard = guard.filter(|g| !self.fixed && is_guarded(trace, g.name));
        let gone = gone_groups(trace, layout);
        if !self.problems.is_empty() {
            return None;
        }
        let mut lines: Vec<Cow<'_, str>> = edited.lines().map(Cow::Borrowed).collect();
        if layout.copies.len() != lines.len() || layout.places.len() != trace.lines.len() + 1 {
            return None;
        }
        let kept = kept_items(trace, layout, &gone);
        let mut expanded = BTreeSet::new();
        let names = macro_names(trace, options);
        // The second time the doubtful lines are expanded, and after that spelled otherwise.
        for _ in 0..4 {
            let now: Vec<&str> = lines.iter().map(|l| &**l).collect();
            let (text, put) = put_together(trace, layout, &now, &kept, &expanded, guard);
            let doubts = self.doubts(&text, &put, &now, options, files)?;
            if doubts.is_empty() {
                let end = if edited.contains("\r\n") {
                    "\r\n"
                } else {
                    "\n"
                };
                let mut text = text.join(end);
                if edited.is_empty() || edited.ends_with('\n') {
                    text.push_str(end);
                }
                let items = trace.items.iter().zip(&kept);
                let skipped = items
                    .filter(|(item, at)| at.is_some() && matches!(item.kind, ItemKind::Skipped(_)));
                let lines = put.iter().map(|p| match p {
                    Put::Kept(_) => None,
                    Put::Code(k, own) => Some((*k as u32, *own)),
                });
                let lines = lines.collect();
                let positions = put.into_iter().map(|p| match p {
                    Put::Kept(position) => position,
                    Put::Code(k, _) => self.line_position(layout.stands_for.get(k).copied()??),
                });
                return Some(Restored {
                    text,
                    positions: positions.collect(),
                    lines,
                    kept: skipped
                        .map(|(item, _)| (item.file.path.clone(), item.first))
                        .collect(),
                });
            }
            for line in doubts {
                match put.get(line) {
                    Some(Put::Code(k, true)) => {
                        expanded.insert(*k);
                    }
                    Some(Put::Code(k, false)) => {
                        let line = lines.get_mut(*k)?;
                        *line = Cow::Owned(respelled(line, &names)?);
                    }
                    _ => return None,
                }
            }
        }
        None
    }

    /// The lines (from 0) of a text put together that do not mean what they should; None if more than single lines differ.
    fn doubts(
        &self,
        text: &[String],
        put: &[Put],
        lines: &[&str],
        options: &Options,
        files: Files<'_>,
    ) -> Option<BTreeSet<usize>> {
        let file = user_file(&self.path, text.join("\n"));
        let mut p = Preprocessor::new(options, self.is_cuda, files, self.latin1);
        p.doubts = Some(BTreeSet::new());
        let read = p.run(file.lines());
        if !p.problems.is_empty() {
            return None;
        }
        let place = |line: u32| line as usize - 1;
        let doubts = p.doubts.unwrap_or_default();
        let mut doubts: BTreeSet<usize> = doubts.into_iter().map(place).collect();
        let code = put.iter().enumerate().filter_map(|(i, p)| match p {
            Put::Code(k, _) => Some((i, *k)),
            Put::Kept(_) => None,
        });
        let code: Vec<(usize, usize)> = code.collect();
        let of_line: BTreeMap<usize, usize> = code.iter().copied().collect();
        // Some loops are kept under a macro.
        let own = user_file(&self.path, lines.join("\n"));
        let no_macros = Options::default();
        let wanted = match lines.iter().any(|l| l.starts_with('#')) {
            true => Preprocessor::new(&no_macros, self.is_cuda, files, false).run(own.lines()),
            false => own.lines(),
        };
        let ours: Vec<&Line> = (read.iter())
            .filter(|l| Arc::ptr_eq(&l.origin.file, &file))
            .collect();
        let given = |l: &&Line| of_line.get(&place(l.origin.line)).copied();
        let sequence = |l: &Line| place(l.origin.line);
        if !ours
            .iter()
            .map(given)
            .eq(wanted.iter().map(|l| Some(sequence(l))))
        {
            return None;
        }
        for (line, want) in ours.iter().zip(&wanted) {
            if line.text.trim_end() != want.text.trim_end() {
                doubts.insert(place(line.origin.line));
            }
        }
        Some(doubts)
    }
}

pub(super) fn user_file(path: &std::path::Path, text: String) -> Arc<UserFile> {
    let starts = line_starts(&text).into();
    Arc::new(UserFile {
        path: path.to_owned(),
        text: text.into(),
        starts,
        encoding: Default::default(),
        disk_starts: Default::default(),
    })
}

/// The conditionals that are written without their directives: those of which a part has gone.
pub(super) fn gone_groups(trace: &Trace, layout: &Layout) -> BTreeSet<u32> {
    let inside = |(_, k): &(&Item, usize)| layout.places.get(*k).is_none_or(|p| p.inside);
    let items = trace.items.iter().zip(next_lines(trace));
    let gone = items.filter(inside);
    gone.filter_map(|(item, _)| item.group()).collect()
}

/// For each item the first line of the text that comes after it.
fn next_lines(trace: &Trace) -> Vec<usize> {
    (0..trace.items.len() as u32)
        .map(|i| trace.lines.partition_point(|l| *l < i))
        .collect()
}

/// For each item the line of the edited text that it stands before; None if it is left out.
fn kept_items(trace: &Trace, layout: &Layout, gone: &BTreeSet<u32>) -> Vec<Option<u32>> {
    let next = next_lines(trace);
    let stays = |item: &Item| match item.kind {
        // Where files begin and end no conditional goes on.
        ItemKind::Definition | ItemKind::Include(_) | ItemKind::IncludeEnd => true,
        // Lines are counted anew.
        ItemKind::Idle => !is_line_number(item),
        _ => item.group().is_some_and(|g| !gone.contains(&g)),
    };
    let mut out = vec![None; trace.items.len()];
    let mut behind = 0;
    let mut i = 0;
    while i < trace.items.len() {
        let k = next[i];
        let end = (i..trace.items.len()).find(|j| next[*j] != k);
        let end = end.unwrap_or(trace.items.len());
        let stays = |j: &usize| stays(&trace.items[*j]);
        let range: Vec<usize> = (i..end).filter(stays).collect();
        let outer = outermost(range.iter().map(|j| &trace.items[*j].kind));
        // Definitions inside of what has gone come behind it.
        while behind < k || layout.places.get(behind).is_some_and(|p| p.inside) {
            behind += 1;
        }
        let place = layout.places.get(behind);
        for (n, j) in range.into_iter().enumerate() {
            out[j] = place.map(|p| if n < outer { p.outer } else { p.inner });
        }
        i = end;
    }
    out
}

/// `#line 12`, `# 12 "file"`
fn is_line_number(item: &Item) -> bool {
    let text = item.file.line(item.first).trim_start();
    let word = text.strip_prefix('#').unwrap_or(text).trim_start();
    word.starts_with("line") || word.starts_with(|c: char| c.is_ascii_digit())
}

/// How many of the items stand before the place that the fewest conditionals and included files enclose.
fn outermost<'a>(items: impl Iterator<Item = &'a ItemKind>) -> usize {
    let (mut depth, mut least, mut best) = (0i32, 0, 0);
    let mut count = 0;
    for kind in items {
        count += 1;
        match kind {
            ItemKind::Open(_) | ItemKind::Include(_) => depth += 1,
            ItemKind::Close(_) | ItemKind::IncludeEnd => depth -= 1,
            _ => continue,
        }
        if depth < least {
            (least, best) = (depth, count);
        }
    }
    best
}

/// One step of putting the text together.
enum Step {
    /// A line for the preprocessor, or left out by it.
    Item(usize),
    /// A line of the edited text that is one of the user's.
    Copy(usize),
    /// Another one.
    New(usize),
    /// A line of the text before that has gone.
    Old(usize),
}

/// All lines that take part, in their order.
fn steps(trace: &Trace, layout: &Layout, lines: &[&str], kept: &[Option<u32>]) -> Vec<Step> {
    let copied: BTreeSet<u32> = layout.copies.iter().copied().flatten().collect();
    let mut steps = Vec::new();
    let mut items = (kept.iter().enumerate())
        .filter_map(|(i, at)| Some((i, (*at)? as usize)))
        .peekable();
    let mut old = 0;
    let mut gone = |steps: &mut Vec<Step>, until: &dyn Fn(usize) -> bool| {
        while old < trace.lines.len() && until(old) {
            if !copied.contains(&(old as u32)) {
                steps.push(Step::Old(old));
            }
            old += 1;
        }
    };
    // Behind the last line there may be items too.
    let places = lines.iter().zip(&layout.copies).map(Some).chain([None]);
    for (k, line) in places.enumerate() {
        while let Some((i, _)) = items.next_if(|(_, at)| *at <= k) {
            gone(&mut steps, &|o| trace.lines[o] < i as u32);
            steps.push(Step::Item(i));
        }
        match line {
            Some((text, Some(of))) => {
                let of = *of as usize;
                gone(&mut steps, &|o| o <= of);
                // Without the sentinel it is a line for all compilers.
                match is_conditional_line(trace, of) && !has_sentinel(text) {
                    true => steps.extend([Step::New(k), Step::Old(of)]),
                    false => steps.push(Step::Copy(k)),
                }
            }
            Some((_, None)) => steps.push(Step::New(k)),
            None => {}
        }
    }
    gone(&mut steps, &|_| true);
    steps
}

/// The user's line has the sentinel of conditional compilation (guide 2.7).
fn is_conditional_line(trace: &Trace, line: usize) -> bool {
    own_line(trace, line).is_some_and(has_sentinel)
}

fn has_sentinel(line: &str) -> bool {
    let start = line.trim_start().get(..5);
    start.is_some_and(|s| s.eq_ignore_ascii_case("!@cuf"))
}

/// The lines of the text put together.
fn put_together(
    trace: &Trace,
    layout: &Layout,
    lines: &[&str],
    kept: &[Option<u32>],
    expanded: &BTreeSet<usize>,
    guard: Option<Guard<'_>>,
) -> (Vec<String>, Vec<Put>) {
    let mut out = Out::default();
    let mut around = ConditionalStack::default();
    let without = guard.map(|g| without(trace, g.name));
    let marked = cuda_branches(trace);
    let steps = steps(trace, layout, lines, kept);
    // Where the lines of the last item begin, and where they end if it opens a conditional, with its number.
    let (mut before, mut opened) = (0, None);
    let mut at = 0;
    while let Some(step) = steps.get(at) {
        at += 1;
        match *step {
            Step::Item(i) if trace.items[i].is_border() => out.border = out.text.len(),
            Step::Item(i) => {
                let item = &trace.items[i];
                around.pass(item);
                // In a branch for builds without CUDA it is a remark.
                let is_plain = guard.is_some_and(|g| around.excludes(g.name));
                // All that a conditional was around has gone.
                if matches!(item.kind, ItemKind::Close(_))
                    && opened == Some((out.text.len(), item.group()))
                    && !matches!(trace.items[i - 1].kind, ItemKind::Open(_))
                {
                    let lines = out.text.len() - before;
                    out.drop_last(lines);
                    opened = None;
                    continue;
                }
                before = out.text.len();
                match marked.get(&i) {
                    Some(true) if !is_plain => out.keep(REFUSED.to_owned(), None),
                    Some(_) => out.keep(MARK.to_owned(), None),
                    None => {}
                }
                for (n, line) in item.text().enumerate() {
                    let line = match n {
                        0 if line.trim_start().starts_with('#') => directive(line),
                        _ => line.to_owned(),
                    };
                    let position = Position {
                        file: item.file.path.clone(),
                        line: item.first + n as u32,
                        column: 1,
                    };
                    out.keep(line, Some(position));
                }
                let opens = matches!(item.kind, ItemKind::Open(_));
                opened = opens.then_some((out.text.len(), item.group()));
            }
            Step::Copy(k) => {
                let own = layout.copies[k].and_then(|of| own_line(trace, of as usize));
                match own.filter(|own| *own != lines[k] && !expanded.contains(&k)) {
                    Some(own) => out.code(k, own, true),
                    None => out.code(k, lines[k], false),
                }
            }
            Step::New(_) | Step::Old(_) => {
                let first = at - 1;
                while matches!(steps.get(at), Some(Step::New(_) | Step::Old(_))) {
                    at += 1;
                }
                let run = &steps[first..at];
                let guard = guard.filter(|g| !around.defines(g.name));
                let old = without.as_deref().map(|w| old_lines(trace, run, kept, w));
                out.changed(lines, run, old.unwrap_or_default(), guard);
            }
        }
    }
    (out.text, out.put)
}

/// The text that is put together.
#[derive(Default)]
struct Out {
    text: Vec<String>,
    put: Vec<Put>,
    /// How many lines there were where the last included file began or ended.
    border: usize,
}

impl Out {
    fn drop_last(&mut self, lines: usize) {
        self.text.truncate(self.text.len() - lines);
        self.put.truncate(self.text.len());
    }

    fn keep(&mut self, line: String, position: Option<Position>) {
        self.text.push(line);
        self.put.push(Put::Kept(position));
    }

    fn code(&mut self, k: usize, line: &str, own: bool) {
        self.text.push(line.to_owned());
        self.put.push(Put::Code(k, own));
    }

    /// The last line closes a conditional with this directive and no other branch, not far above.
    fn ends_branch_of(&self, open: &str) -> bool {
        let mut above = self.text.iter().rev();
        if above.next().map(String::as_str) != Some("#endif") || self.border == self.text.len() {
            return false;
        }
        let mut depth = 1;
        for line in above.take(100).filter(|l| l.starts_with('#')) {
            let word = line[1..].trim_start();
            match word.get(..2) {
                Some("en") => depth += 1,
                Some("if") => depth -= 1,
                Some("el") if depth == 1 => return false,
                _ => {}
            }
            if depth == 0 {
                return line.trim_end() == open;
            }
        }
        false
    }

    /// Lines that came and lines that went, in the two branches of a conditional if there is a `guard`.
    fn changed(&mut self, lines: &[&str], run: &[Step], old: Vec<&str>, guard: Option<Guard<'_>>) {
        let new = run.iter().filter_map(|s| match s {
            Step::New(k) => Some(*k),
            _ => None,
        });
        let new: Vec<usize> = new.collect();
        let texts: Vec<&str> = new.iter().map(|k| lines[*k]).collect();
        let other = guard.map(|g| other_branch(g, old, &texts));
        let other = other.unwrap_or_default();
        // A directive of gfortran's is no comment.
        let code = |l: &&str| {
            let l = l.trim_start();
            !l.is_empty() && (!l.starts_with('!') || l.starts_with("!GCC$"))
        };
        let both = guard.filter(|_| !other.is_empty() || texts.iter().any(code));
        if let Some(g) = both {
            let word = if new.is_empty() { "ifndef" } else { "ifdef" };
            let open = format!("#{word} {}", g.name);
            // Right behind a branch of the same condition it goes on.
            match self.ends_branch_of(&open) {
                true => self.drop_last(1),
                false => self.keep(open, None),
            }
        }
        for (k, line) in new.iter().zip(texts) {
            self.code(*k, line, false);
        }
        if both.is_some() {
            if !other.is_empty() {
                if !new.is_empty() {
                    self.keep("#else".to_owned(), None);
                }
                other.into_iter().for_each(|l| self.keep(l, None));
            }
            self.keep("#endif".to_owned(), None);
        }
    }
}

/// The user's lines that have gone, as they are without the macro of a guard: `without` tells of each item whether it is compiled then.
fn old_lines<'t>(
    trace: &'t Trace,
    run: &[Step],
    kept: &[Option<u32>],
    without: &[bool],
) -> Vec<&'t str> {
    let items: Vec<usize> = (run.iter())
        .filter_map(|s| match s {
            Step::Old(o) => trace.lines.get(*o).map(|i| *i as usize),
            _ => None,
        })
        .collect();
    let (Some(first), Some(last)) = (items.first(), items.last()) else {
        return Vec::new();
    };
    let gone: BTreeSet<usize> = items.iter().copied().collect();
    let is_old = |i: &usize| match trace.items[*i].kind {
        ItemKind::Code => gone.contains(i),
        _ => kept[*i].is_none(),
    };
    let old = (*first..=*last).filter(|i| without[*i] && is_old(i));
    old.flat_map(|i| trace.items[i].text()).collect()
}

/// The first items of the branches left out that hold CUDA Fortran, and whether it is more than names.
pub(super) fn cuda_branches(trace: &Trace) -> BTreeMap<usize, bool> {
    let mut found = BTreeMap::new();
    let mut first = 0;
    for (i, item) in trace.items.iter().enumerate() {
        let ItemKind::Skipped(_) = item.kind else {
            first = i + 1;
            continue;
        };
        if item.text().any(preprocessing_record::is_cuda_fortran) {
            // `#if 0` is never taken.
            let directive = first.checked_sub(1).and_then(|d| trace.items.get(d));
            let can_be_taken = directive
                .is_none_or(|d| !matches!(d.kind, ItemKind::Open(_)) || !asked(d).is_empty());
            *found.entry(first).or_default() |=
                can_be_taken && item.text().any(preprocessing_record::is_of_language);
        }
    }
    found
}

/// The user's line that became a line of the text, if it alone did.
fn own_line(trace: &Trace, line: usize) -> Option<&str> {
    let at = *trace.lines.get(line)?;
    let alone = |other: Option<&u32>| other != Some(&at);
    let before = line.checked_sub(1).and_then(|l| trace.lines.get(l));
    let item = trace.items.get(at as usize)?;
    let single = alone(before) && alone(trace.lines.get(line + 1)) && item.first == item.last;
    (single && item.kind == ItemKind::Code).then(|| item.file.line(item.first))
}
