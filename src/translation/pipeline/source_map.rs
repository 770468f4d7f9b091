//! The source map of a file: see [`map`](crate::map).

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::abi::{LauncherOf, LauncherSignature};
use crate::ast::Span;
use crate::emit::cpp::{self, Tags};
use crate::host::{self, EditSegment};
use crate::map::{Disposition, FileMap, FileOutput, OutputKind, Place, Rule, Segment, Statement};
use crate::sema::model::Model;
use crate::source::{DiskRange, Position, Restored, SourceText};

/// The host code, and what was done to it after the edits.
pub(super) struct HostText<'a> {
    /// With its edits, and where its bytes come from.
    pub edited: &'a str,
    pub trail: &'a [EditSegment],
    pub restored: Option<&'a WithLines>,
    /// The edited files that it includes, by their places below the output folder.
    pub included: &'a [(PathBuf, WithLines)],
}

/// The host code with the preprocessor's lines.
pub(super) struct WithLines {
    pub text: String,
    pub lines: Vec<Known>,
}

/// What is known of a line of it.
pub(super) enum Known {
    /// A line of the text before.
    Code(u32),
    /// The same as the user has it, and its place.
    Own(u32, Option<Position>),
    /// For the preprocessor, or left out by it.
    Kept(Option<Position>),
}

impl WithLines {
    pub fn new(restored: &Restored) -> WithLines {
        let lines = restored.lines.iter().zip(&restored.positions);
        let known = |(of, position): (&Option<(u32, bool)>, &Option<Position>)| match of {
            Some((k, false)) => Known::Code(*k),
            Some((k, true)) => Known::Own(*k, position.clone()),
            None => Known::Kept(position.clone()),
        };
        WithLines {
            text: restored.text.clone(),
            lines: lines.map(known).collect(),
        }
    }

    /// The parts of the text, of which `all` are those of the text before, which has the lines `edited`.
    fn parts(&self, all: &[Part], edited: &[(usize, &str)]) -> Vec<Part> {
        let mut out = Vec::new();
        for ((start, line), known) in lines(&self.text).zip(&self.lines) {
            let trimmed = part_of(start, line, Span::default(), Rule::Preprocessor);
            match known {
                Known::Code(k) => {
                    let (from, inside) = of_line(all, edited, *k);
                    out.extend(inside.iter().map(|p| Part {
                        start: start + (p.start - from),
                        end: start + (p.end - from),
                        line: None,
                        ..*p
                    }));
                }
                // As the user has it, with its macros.
                Known::Own(k, position) => {
                    let (_, inside) = of_line(all, edited, *k);
                    let mut places = inside.iter().map(|p| p.from);
                    let from = places.find(|f| f.start < f.end).unwrap_or_default();
                    out.extend(trimmed.map(|part| Part {
                        from,
                        rule: Rule::Copied,
                        line: position.clone(),
                        ..part
                    }));
                }
                Known::Kept(position) => out.extend(trimmed.map(|part| Part {
                    line: position.clone(),
                    ..part
                })),
            }
        }
        out
    }
}

/// A part of an output before places are looked up.
struct Part {
    start: usize,
    end: usize,
    rule: Rule,
    /// In the text that was parsed; empty: none.
    from: Span,
    /// It stands for the statement that holds it.
    whole: bool,
    /// It is this line of the user's as it is.
    line: Option<Position>,
}

/// Builds the map of one file.
pub(super) struct Builder<'a> {
    source: &'a SourceText,
    statements: &'a [(Span, Disposition)],
    rules: Vec<BTreeSet<Rule>>,
    map: FileMap,
    numbers: BTreeMap<String, u32>,
}

impl<'a> Builder<'a> {
    pub fn new(source: &'a SourceText, statements: &'a [(Span, Disposition)]) -> Builder<'a> {
        Builder {
            source,
            statements,
            rules: vec![BTreeSet::new(); statements.len()],
            map: FileMap::default(),
            numbers: BTreeMap::new(),
        }
    }

    /// Device code: `written` is `plain` as it was printed, perhaps with lines for compilers; `tagged` the same with marks.
    pub fn device(&mut self, kind: OutputKind, written: &str, tagged: &str, tags: &Tags) {
        let (plain, runs) = tags.take(tagged);
        let parts: Vec<Part> = runs
            .iter()
            .map(|r| Part {
                start: r.start,
                end: r.end,
                rule: r.origin.rule.unwrap_or(Rule::Frame),
                from: Span {
                    start: r.origin.start,
                    end: r.origin.end,
                },
                whole: r.whole,
                line: None,
            })
            .collect();
        let same = cpp::soft(written);
        debug_assert!(*same == plain || same.lines().count() > plain.lines().count());
        let parts = with_lines(&same, &plain, parts);
        self.output(kind, written, parts);
    }

    /// The interfaces of launchers.
    pub fn shims(&mut self, text: &str, launchers: &[LauncherSignature], model: &Model) {
        let places: BTreeMap<&str, Span> = launchers
            .iter()
            .map(|l| (l.symbol.as_str(), place_of(l, model)))
            .collect();
        let mut parts = Vec::new();
        let mut current = Span::default();
        for (start, line) in lines(text) {
            let name = host::shims::begins(line);
            if let Some(span) = name.and_then(|n| places.get(n)) {
                current = *span;
            }
            let known = current.start < current.end;
            parts.extend(part_of(
                start,
                line,
                current,
                match known {
                    true => Rule::Shim,
                    false => Rule::Frame,
                },
            ));
            if host::shims::ends(line) {
                current = Span::default();
            }
        }
        self.output(OutputKind::Shims, text, parts);
    }

    /// The host code as it is written.
    pub fn host(&mut self, written: &str, host: &HostText<'_>) {
        let mut parts = Vec::new();
        for s in host.trail {
            self.stretch(s, &mut parts);
        }
        let Some(restored) = host.restored else {
            let parts = with_lines(written, host.edited, parts);
            return self.output(OutputKind::HostFortran, written, parts);
        };
        let edited: Vec<(usize, &str)> = lines(host.edited).collect();
        let out = restored.parts(&parts, &edited);
        let out = with_lines(written, &restored.text, out);
        self.output(OutputKind::HostFortran, written, out);
        for (place, text) in host.included {
            let segments = self.segments(&text.text, text.parts(&parts, &edited));
            let path = place.to_string_lossy().replace('\\', "/");
            self.map.outputs.push(FileOutput {
                kind: OutputKind::IncludedFortran,
                path: Some(path),
                segments,
            });
        }
    }

    /// Host code that is the user's file, line by line: each statement, and what is between them, by itself.
    pub fn unchanged(&mut self, written: &str) {
        let source = self.source;
        let mut statements = Vec::new();
        for n in 0..self.statements.len() {
            let range = self.whole(n);
            let own = range.filter(|r| r.file == source.path.as_path());
            statements.extend(own.map(|r| (r.start, r.end, n)));
        }
        let mut bytes = Bytes::new(written, source.latin1);
        let mut segments = Vec::new();
        for (n, (start, line)) in lines(written).enumerate() {
            let position = Position {
                file: source.path.clone(),
                line: n as u32 + 1,
                column: 1,
            };
            let code = line.trim_start_matches('\u{feff}');
            let start = start + (line.len() - code.len());
            let Some(part) = part_of(start, code, Span::default(), Rule::Copied) else {
                continue;
            };
            let Some(range) = source.line_on_disk(&position) else {
                continue;
            };
            let (first, last) = (bytes.at(part.start), bytes.at(part.end));
            let place = self.place(&range);
            let mut at = range.start;
            while at < range.end {
                let next = statements.partition_point(|s: &(u32, u32, usize)| s.1 <= at);
                let (end, statement) = match statements.get(next) {
                    Some((start, end, n)) if *start <= at => (*end, Some(*n)),
                    Some((start, ..)) => (*start, None),
                    None => (range.end, None),
                };
                let end = end.min(range.end);
                let of = |offset: u32| (first + (offset - range.start)).min(last);
                if let Some(rules) = statement.and_then(|s| self.rules.get_mut(s)) {
                    rules.insert(Rule::Copied);
                }
                segments.push(Segment {
                    start: of(at),
                    end: of(end),
                    rule: Rule::Copied,
                    statement: statement.map(|s| s as u32),
                    place: Some(Place {
                        start: at,
                        end,
                        ..place
                    }),
                    expanded: false,
                });
                at = end;
            }
        }
        segments.retain(|s| s.start < s.end);
        self.map.add(OutputKind::HostFortran, segments);
    }

    /// A stretch of host code: of a copy each statement, and what is between them, by itself.
    fn stretch(&self, s: &EditSegment, parts: &mut Vec<Part>) {
        if !s.copied {
            let from = match s.of_unit || s.rule == Rule::Continuation {
                true => Span::default(),
                false if s.from.start < s.from.end => s.from,
                false => self.beside(s.from.start),
            };
            parts.push(Part {
                start: s.start as usize,
                end: s.end as usize,
                rule: s.rule,
                from,
                whole: false,
                line: None,
            });
            return;
        }
        let mut at = s.from.start;
        while at < s.from.end {
            let next = self.statements.partition_point(|(span, _)| span.end <= at);
            let end = match self.statements.get(next) {
                Some((span, _)) if span.start <= at => span.end.min(s.from.end),
                Some((span, _)) => span.start.min(s.from.end),
                None => s.from.end,
            };
            let start = (s.start + (at - s.from.start)) as usize;
            parts.push(Part {
                start,
                end: start + (end - at) as usize,
                rule: Rule::Copied,
                from: Span { start: at, end },
                whole: false,
                line: None,
            });
            at = end;
        }
    }

    /// The statement that an insertion belongs to.
    fn beside(&self, at: u32) -> Span {
        let next = self.statements.partition_point(|(span, _)| span.end < at);
        match self.statements.get(next) {
            Some((span, _)) if span.start <= at => *span,
            // On a line of its own before the statement.
            Some((span, _)) if self.blank(at, span.start) => *span,
            _ => Span::default(),
        }
    }

    fn blank(&self, from: u32, to: u32) -> bool {
        let text = self.source.text.get(from as usize..to as usize);
        text.is_some_and(|t| t.trim().is_empty())
    }

    fn output(&mut self, kind: OutputKind, written: &str, parts: Vec<Part>) {
        let segments = self.segments(written, parts);
        self.map.add(kind, segments);
    }

    /// The parts of an output with their places, as bytes of the file.
    fn segments(&mut self, written: &str, parts: Vec<Part>) -> Vec<Segment> {
        let mut bytes = Bytes::new(written, self.source.latin1);
        let mut segments = Vec::with_capacity(parts.len());
        for p in parts {
            let text = written.get(p.start..p.end).unwrap_or_default();
            let begin = p.start + (text.len() - text.trim_start().len());
            let end = p.start + text.trim_end().len();
            if begin >= end {
                continue;
            }
            let statement = self.statement_at(p.from);
            if let Some(rules) = statement.and_then(|s| self.rules.get_mut(s)) {
                rules.insert(p.rule);
            }
            let (place, expanded) = match &p.line {
                Some(position) => {
                    let range = self.source.line_on_disk(position);
                    (range.map(|r| self.place(&r)), false)
                }
                None => self.placed(&p, statement, begin - p.start, end - p.start),
            };
            segments.push(Segment {
                start: bytes.at(begin),
                end: bytes.at(end),
                rule: p.rule,
                statement: statement.map(|s| s as u32),
                place,
                expanded,
            });
        }
        segments
    }

    /// The statement that holds the beginning of a place.
    fn statement_at(&self, from: Span) -> Option<usize> {
        if from.start >= from.end {
            return None;
        }
        let next = self
            .statements
            .partition_point(|(s, _)| s.end <= from.start);
        let (span, _) = self.statements.get(next)?;
        (span.start <= from.start || span.start < from.end && self.blank(from.start, span.start))
            .then_some(next)
    }

    /// The place of a part, inside its statement, and whether it was expanded. Of copies only what is not blank, from `begin` to `end`.
    fn placed(
        &mut self,
        p: &Part,
        statement: Option<usize>,
        begin: usize,
        end: usize,
    ) -> (Option<Place>, bool) {
        let mut from = p.from;
        if p.rule == Rule::Copied && (from.end - from.start) as usize == p.end - p.start {
            from.end = from.start + end as u32;
            from.start += begin as u32;
        }
        if let Some((span, _)) = statement.and_then(|s| self.statements.get(s)) {
            let inside = span.start <= from.start && from.end <= span.end;
            if !inside || p.whole {
                from = *span;
            }
        }
        match self.source.on_disk(from.start, from.end) {
            Some(range) => (Some(self.place(&range)), range.expanded),
            None => (None, false),
        }
    }

    /// A whole statement in its file.
    fn whole(&self, n: usize) -> Option<DiskRange<'a>> {
        let (span, _) = self.statements.get(n)?;
        let next = self.statements.get(n + 1).map(|(next, _)| next.start);
        self.source.statement_on_disk(span.start, span.end, next)
    }

    fn place(&mut self, range: &DiskRange<'_>) -> Place {
        let path = range.file.to_string_lossy();
        let file = match self.numbers.get(&*path) {
            Some(n) => *n,
            None => {
                let n = self.map.file(&path);
                self.numbers.insert(path.into_owned(), n);
                n
            }
        };
        Place {
            file,
            start: range.start,
            end: range.end,
        }
    }

    pub fn finish(mut self) -> FileMap {
        let rules = std::mem::take(&mut self.rules);
        for (n, rules) in rules.into_iter().enumerate() {
            let Some(range) = self.whole(n) else {
                continue;
            };
            let statement = Statement {
                place: self.place(&range),
                line: range.line,
                fate: self.statements[n].1,
                expanded: range.expanded,
                rules: rules.into_iter().collect(),
            };
            self.map.statements.push(statement);
        }
        self.map
    }
}

/// What a launcher launches.
fn place_of(l: &LauncherSignature, model: &Model) -> Span {
    match l.of {
        LauncherOf::Kernel(scope) => {
            let symbol = model[scope].symbol;
            symbol.map_or(Span::default(), |s| model[s].span)
        }
        LauncherOf::Loop(span) | LauncherOf::Operation(span) => span,
        LauncherOf::Address(variable) => model[variable].span,
    }
}

/// The lines of a text without their ends, with their offsets.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        (start, line.trim_end_matches(['\n', '\r']))
    })
}

/// Where a line of a text begins, and its parts.
fn of_line<'p>(parts: &'p [Part], lines: &[(usize, &str)], k: u32) -> (usize, &'p [Part]) {
    let Some((from, text)) = lines.get(k as usize) else {
        return (0, &[]);
    };
    let first = parts.partition_point(|p| p.start < *from);
    let last = parts.partition_point(|p| p.start < from + text.len());
    (*from, &parts[first..last])
}

/// What is not blank of a line.
fn part_of(start: usize, line: &str, from: Span, rule: Rule) -> Option<Part> {
    let end = start + line.trim_end().len();
    let start = start + (line.len() - line.trim_start().len());
    (start < end).then_some(Part {
        start,
        end,
        rule,
        from,
        whole: false,
        line: None,
    })
}

/// The parts of `before` in `after`, which has more lines.
fn with_lines(after: &str, before: &str, parts: Vec<Part>) -> Vec<Part> {
    if after == before {
        return parts;
    }
    let mut old = lines(before).peekable();
    let mut parts = parts.into_iter().peekable();
    let mut out = Vec::new();
    for (start, line) in lines(after) {
        let Some((from, _)) = old.next_if(|(_, l)| *l == line) else {
            out.extend(part_of(start, line, Span::default(), Rule::LineTable));
            continue;
        };
        while let Some(p) = parts.next_if(|p| p.start < from + line.len()) {
            out.push(Part {
                start: start + (p.start - from),
                end: start + (p.end - from),
                ..p
            });
        }
    }
    out
}

/// From offsets in a text, in order, to bytes of its file.
struct Bytes<'t> {
    text: &'t str,
    latin1: bool,
    at: usize,
    bytes: u32,
}

impl<'t> Bytes<'t> {
    fn new(text: &'t str, latin1: bool) -> Self {
        Bytes {
            text,
            latin1,
            at: 0,
            bytes: 0,
        }
    }

    fn at(&mut self, offset: usize) -> u32 {
        if !self.latin1 {
            return offset as u32;
        }
        let size = |c: char| match u8::try_from(c) {
            Ok(_) => 1,
            Err(_) => c.len_utf8() as u32,
        };
        let more = self.text.get(self.at..offset).unwrap_or_default();
        self.bytes += more.chars().map(size).sum::<u32>();
        self.at = offset.max(self.at);
        self.bytes
    }
}
