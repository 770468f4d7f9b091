//! INCLUDE lines and `#include` directives in host code: they stay, and the files that they include come along: as they are where nothing of
//! them changed, else with the edits.
//!
//! What comes out is read again, and compared with the text in which the files' lines stand.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::cpp::Preprocessor;
use super::directives::directive;
use super::include;
use super::line::{Files, Options, UserFile};
use super::preprocessing_record::ItemKind;
use super::restore::{ByteRange, Layout, Restored, user_file};
use super::text::{Position, SourceText, encode};

/// How deep files that stay may include each other.
const MAX_DEPTH: usize = 16;

/// Host code with the lines that include files.
pub struct Folded {
    pub text: Restored,
    pub included: Vec<CopiedInclude>,
}

/// A file that host code includes and that comes along.
pub struct CopiedInclude {
    pub path: PathBuf,
    /// The file with its edits; None: as the user has it.
    pub edited: Option<Restored>,
}

/// Which included files can come along with host code.
#[derive(Clone, Copy)]
pub struct CopiedIncludes<'a> {
    /// The output has a place for it.
    pub has_place: &'a dyn Fn(&Path) -> bool,
    /// See [`included_once`].
    pub once: &'a BTreeSet<PathBuf>,
}

impl SourceText {
    /// Host code with the lines that include files in the place of those files' lines, and the files; None if none can come along.
    /// `layout`: where the lines of the edited text come from; `preprocessed`: this one is for the preprocessor. `options` and `files` are
    /// those that the source was read with.
    pub fn folded(
        &self,
        of: &Restored,
        layout: &Layout,
        preprocessed: bool,
        (options, files): (&Options, Files<'_>),
        along: CopiedIncludes<'_>,
    ) -> Option<Folded> {
        let elsewhere = |p: &Option<Position>| p.as_ref().is_some_and(|p| p.file != self.path);
        if self.fixed || !of.positions.iter().any(elsewhere) {
            return None;
        }
        let before = self.reading(&of.text, preprocessed, options, files)?;
        // Where edited files are read otherwise, those that are the user's may still stay.
        for once in [along.once, &BTreeSet::new()] {
            let folded = self.folded_text(
                of,
                layout,
                (options, files),
                CopiedIncludes { once, ..along },
            );
            let Some(folded) = folded else { continue };
            let edited: BTreeMap<&Path, Vec<u8>> = (folded.included.iter())
                .filter_map(|c| Some((&*c.path, self.encoded(&c.edited.as_ref()?.text))))
                .collect();
            let files = |p: &Path| edited.get(p).cloned().or_else(|| files(p));
            let now = self.reading(&folded.text.text, preprocessed, options, &files);
            if now.as_ref() == Some(&before) {
                return Some(folded);
            }
            if edited.is_empty() {
                return None;
            }
        }
        None
    }

    fn folded_text(
        &self,
        of: &Restored,
        layout: &Layout,
        (options, files): (&Options, Files<'_>),
        along: CopiedIncludes<'_>,
    ) -> Option<Folded> {
        let main = self.origins.runs().map(|(_, o)| &o.file);
        let main = main.into_iter().find(|f| f.path == self.path)?;
        let mut extents: BTreeMap<&Path, (usize, usize)> = BTreeMap::new();
        for (at, position) in of.positions.iter().enumerate() {
            if let Some(p) = position {
                extents.entry(&p.file).or_insert((at, at)).1 = at;
            }
        }
        let named = of.text.lines().filter_map(|l| include::named(l, options));
        let mut before: BTreeMap<&Path, (usize, usize)> = BTreeMap::new();
        let mut line = 0;
        for (lines, origin) in self.origins.runs() {
            let next = line + lines as usize;
            before.entry(&origin.file.path).or_insert((line, next)).1 = next;
            line = next;
        }
        let mut fold = Fold {
            of,
            layout,
            named: named.filter_map(|n| Path::new(n).file_name()).collect(),
            before,
            lines: of.text.lines().collect(),
            extents,
            folder: self.path.parent().unwrap_or(Path::new("")),
            options,
            files,
            latin1: self.latin1,
            along,
            read: BTreeMap::new(),
        };
        let includes = fold.includes_of(main);
        let all = 0..fold.lines.len();
        let (piece, with) = fold.piece(main, &includes, all, 0);
        let end = match of.text.contains("\r\n") {
            true => "\r\n",
            false => "\n",
        };
        let last = if of.text.ends_with('\n') { end } else { "" };
        let mut text = piece.into_text(end, last);
        text.kept.clone_from(&of.kept);
        let user = with.user.into_iter().map(|path| (path, None));
        let edited = with.edited.into_iter();
        let edited = edited.map(|(path, piece)| (path, Some(piece.into_text("\n", "\n"))));
        let included = user.chain(edited);
        let included = included.map(|(path, edited)| CopiedInclude { path, edited });
        let included: Vec<CopiedInclude> = included.collect();
        (!included.is_empty()).then_some(Folded { text, included })
    }

    /// As the text is written.
    fn encoded(&self, text: &str) -> Vec<u8> {
        match self.latin1 {
            true => encode(text),
            false => text.as_bytes().to_vec(),
        }
    }

    /// The lines of a text as they are parsed; None if gfortran's preprocessor may read one otherwise.
    fn reading(
        &self,
        text: &str,
        preprocessed: bool,
        options: &Options,
        files: Files<'_>,
    ) -> Option<Vec<String>> {
        let mut lines = user_file(&self.path, text.to_owned()).lines();
        let mut problems = Vec::new();
        if preprocessed {
            let mut p = Preprocessor::new(options, self.is_cuda, files, self.latin1);
            p.doubts = Some(BTreeSet::new());
            lines = p.run(lines);
            if p.doubts.is_some_and(|d| !d.is_empty()) {
                return None;
            }
            problems = p.problems;
        }
        let (lines, _) = include::expand(lines, options, files, self.latin1, &mut problems);
        let texts = lines.into_iter().map(|l| l.text.trim_end().to_owned());
        problems.is_empty().then(|| texts.collect())
    }
}

/// A file's lines that include a file, with what they include, by the line's number.
type Includes = BTreeMap<u32, PathBuf>;

struct Fold<'a> {
    of: &'a Restored,
    layout: &'a Layout,
    /// Names of files that are included in branches that were left out, or are compiled without the macro of the program's CUDA Fortran.
    named: BTreeSet<&'a OsStr>,
    /// The first line of a file in the text before the edits, and the line behind its last one.
    before: BTreeMap<&'a Path, (usize, usize)>,
    lines: Vec<&'a str>,
    /// The first and the last line that is one of a file.
    extents: BTreeMap<&'a Path, (usize, usize)>,
    folder: &'a Path,
    options: &'a Options,
    files: Files<'a>,
    latin1: bool,
    along: CopiedIncludes<'a>,
    /// Files that were asked for; None: a compiler may find another one, or read it otherwise.
    read: BTreeMap<PathBuf, Option<(Arc<UserFile>, Includes)>>,
}

/// Lines that are put together.
#[derive(Default)]
struct Piece {
    text: Vec<String>,
    positions: Vec<Option<Position>>,
    lines: Vec<Option<(u32, bool)>>,
}

impl Piece {
    fn push_line(&mut self, line: &str, position: Option<Position>, of: Option<(u32, bool)>) {
        self.text.push(line.to_owned());
        self.positions.push(position);
        self.lines.push(of);
    }

    fn drop_last(&mut self, lines: usize) {
        let rest = self.text.len().saturating_sub(lines);
        self.text.truncate(rest);
        self.positions.truncate(rest);
        self.lines.truncate(rest);
    }

    fn into_text(self, end: &str, last: &str) -> Restored {
        Restored {
            text: self.text.join(end) + last,
            positions: self.positions,
            lines: self.lines,
            kept: BTreeSet::new(),
        }
    }
}

/// The files that come along.
#[derive(Default)]
struct With {
    user: BTreeSet<PathBuf>,
    edited: BTreeMap<PathBuf, Piece>,
}

impl With {
    fn take_in(&mut self, other: With) {
        self.user.extend(other.user);
        self.edited.extend(other.edited);
    }
}

/// Lines that a file was included for.
struct Inclusion {
    lines: Range<usize>,
    with: With,
}

impl Fold<'_> {
    /// The lines of a range as the text of the file that they came from or are included by, and what comes along.
    fn piece(
        &mut self,
        file: &UserFile,
        includes: &Includes,
        range: Range<usize>,
        depth: usize,
    ) -> (Piece, With) {
        let (mut out, mut with) = (Piece::default(), With::default());
        let (mut at, mut last) = (range.start, 0);
        // Lines that are nobody's begin here.
        let mut free = at;
        while at < range.end {
            let position = self.position(at).cloned();
            let own = position.as_ref().filter(|p| p.file == file.path);
            last = own.map_or(last, |p| p.line);
            let mut found = None;
            if own.is_none() {
                for (line, path) in includes.range(last + 1..) {
                    let unchanged = position.as_ref();
                    let unchanged = unchanged.and_then(|_| self.unchanged(path, at, range.end));
                    let inclusion = unchanged.or_else(|| {
                        let is_directive = file.line(*line).trim_start().starts_with('#');
                        let around = (free..at, at..range.end);
                        self.edited(path, is_directive, around, depth)
                    });
                    if let Some(inclusion) = inclusion {
                        found = Some((*line, inclusion));
                        break;
                    }
                }
            }
            let Some((line, inclusion)) = found else {
                free = if position.is_some() { at + 1 } else { free };
                out.push_line(self.lines[at], position, self.of_line(at));
                at += 1;
                continue;
            };
            out.drop_last(at - inclusion.lines.start);
            let own = file.line(line);
            let text = match own.trim_start().starts_with('#') {
                true => directive(own),
                false => own.to_owned(),
            };
            let position = Position {
                file: file.path.clone(),
                line,
                column: 1,
            };
            out.push_line(&text, Some(position), None);
            with.take_in(inclusion.with);
            (at, last) = (inclusion.lines.end, line);
            free = at;
        }
        (out, with)
    }

    fn is_once(&self, path: &Path) -> bool {
        self.along.once.contains(&include::lexical(path))
    }

    fn position(&self, at: usize) -> Option<&Position> {
        self.of.positions.get(at).and_then(Option::as_ref)
    }

    fn of_line(&self, at: usize) -> Option<(u32, bool)> {
        self.of.lines.get(at).copied().flatten()
    }

    /// The lines of a file, all of which stand from `at` on as the user has them.
    fn unchanged(&mut self, path: &Path, at: usize, limit: usize) -> Option<Inclusion> {
        let mut user = BTreeSet::new();
        let end = self.matched_until(path, at, &mut user, 0)?;
        let with = With {
            user,
            ..With::default()
        };
        (at < end && end <= limit).then_some(Inclusion {
            lines: at..end,
            with,
        })
    }

    /// Where the lines of a file end, all of which stand from `at` on as the user has them; `with` gets the file and those that it includes.
    fn matched_until(
        &mut self,
        path: &Path,
        at: usize,
        with: &mut BTreeSet<PathBuf>,
        depth: usize,
    ) -> Option<usize> {
        if depth > MAX_DEPTH {
            return None;
        }
        let (file, includes) = self.includable(path)?;
        with.insert(path.to_owned());
        let mut at = at;
        for line in 1..=file.text.lines().count() as u32 {
            let here = self.position(at);
            let is_here = here.is_some_and(|p| p.file == path && p.line == line)
                && self.lines.get(at) == Some(&file.line(line));
            match includes.get(&line) {
                _ if is_here => at += 1,
                Some(included) => at = self.matched_until(included, at, with, depth + 1)?,
                None => return None,
            }
        }
        Some(at)
    }

    /// The lines of a file that is included nowhere else, as its text, with those that were inserted in it. `free`: lines before them that are
    /// nobody's; `rest`: from its first line on, or from the first of those that took the place of all of its lines.
    fn edited(
        &mut self,
        path: &Path,
        is_directive: bool,
        (free, rest): (Range<usize>, Range<usize>),
        depth: usize,
    ) -> Option<Inclusion> {
        let replaced = self.position(rest.start).is_none();
        let is_past = |(first, _): &(usize, usize)| replaced || *first < rest.start;
        let is_past = self.extents.get(path).is_some_and(is_past);
        let elsewhere = path.file_name().is_some_and(|n| self.named.contains(n));
        if depth > MAX_DEPTH || is_past || elsewhere || !self.is_once(path) {
            return None;
        }
        let (file, includes) = self.includable(path)?;
        let reached = self.reached(path);
        let own = self.own_lines(&reached);
        // A file that is included elsewhere, too, may begin or end what is this one's, or stand beside it.
        let (mut core, mut whole) = (None, rest.start);
        for at in rest.clone() {
            match self.position(at) {
                None => continue,
                Some(p) if !reached.contains(&p.file) => break,
                Some(p) if self.is_once(&p.file) => core = Some(at + 1),
                Some(_) => {}
            }
            whole = at + 1;
        }
        // Nothing of it is left, but something stands for it.
        let core = match replaced {
            true if self.is_own(&own, rest.start) => rest.start,
            true => return None,
            false => core?,
        };
        let is_inside = |f: &PathBuf| {
            let extent = self.extents.get(&**f).filter(|_| self.is_once(f));
            extent.is_none_or(|(first, last)| rest.start <= *first && *last < core)
        };
        if !reached.iter().all(is_inside) {
            return None;
        }
        let ends = [whole, core];
        for end in ends
            .into_iter()
            .skip(usize::from(replaced || whole == core))
        {
            let lines = self.with_inserted(&own, &free, rest.start..end, rest.end);
            let Some(lines) = self.balanced(&free, lines, rest.end) else {
                continue;
            };
            let (piece, mut with) = self.piece(&file, &includes, lines.clone(), depth + 1);
            let mut places = piece.positions.iter().flatten();
            let is_own = |p: Option<&Position>| p.is_none_or(|p| p.file == path);
            if !is_own(places.next()) || end > core && !is_own(places.next_back()) {
                continue;
            }
            // gfortran does not preprocess what INCLUDE lines include.
            if !is_directive && piece.text.iter().any(|l| l.starts_with('#')) {
                return None;
            }
            match file.text.lines().eq(piece.text.iter().map(String::as_str)) {
                true => drop(with.user.insert(path.to_owned())),
                false => drop(with.edited.insert(path.to_owned(), piece)),
            }
            return Some(Inclusion { lines, with });
        }
        None
    }

    /// The lines of the edited text that take the place of these files, which are included in one place alone.
    fn own_lines(&self, files: &BTreeSet<PathBuf>) -> Range<u32> {
        let files = files.iter().filter(|f| self.is_once(f));
        let ranges: Vec<_> = files.filter_map(|f| self.before.get(&**f)).collect();
        let (Some(first), Some(next)) = (
            ranges.iter().map(|r| r.0).min(),
            ranges.iter().map(|r| r.1).max(),
        ) else {
            return 0..0;
        };
        // What takes the place of several lines is that of the first one's file.
        let begins = |p: &&ByteRange| !p.inside;
        let places = &self.layout.places;
        let start = places.iter().take(next).skip(first).find(begins);
        let behind = places.iter().skip(next).find(begins);
        let (Some(start), Some(behind)) = (start, behind) else {
            return 0..0;
        };
        start.inner..behind.outer
    }

    fn is_own(&self, own: &Range<u32>, at: usize) -> bool {
        self.of_line(at).is_some_and(|(k, _)| own.contains(&k))
    }

    /// `core` with what was inserted around it that is among the lines `own` of the edited text.
    fn with_inserted(
        &self,
        own: &Range<u32>,
        free: &Range<usize>,
        core: Range<usize>,
        limit: usize,
    ) -> Range<usize> {
        let is_own = |at: &usize| self.is_own(own, *at);
        let behind = (core.end..limit).take_while(|at| self.position(*at).is_none());
        let start = free.clone().find(is_own).unwrap_or(core.start);
        let end = behind.filter(is_own).last().map_or(core.end, |at| at + 1);
        start..end
    }

    /// The fewest lines around `core` with whole statements and conditionals, of those that are nobody's.
    fn balanced(
        &self,
        free: &Range<usize>,
        core: Range<usize>,
        limit: usize,
    ) -> Option<Range<usize>> {
        let goes_on = |at: usize| self.lines.get(at).is_some_and(|l| is_continued(l));
        let is_free = |at: usize| at < limit && self.position(at).is_none();
        let Range { mut start, mut end } = core;
        while start > free.start && goes_on(start - 1) {
            start -= 1;
        }
        while is_free(end) && goes_on(end - 1) {
            end += 1;
        }
        while depth(&self.lines[start..end]).is_none() {
            start = start.checked_sub(1).filter(|s| *s >= free.start)?;
        }
        while depth(&self.lines[start..end]) != Some(0) {
            is_free(end).then_some(())?;
            end += 1;
        }
        Some(start..end)
    }

    /// A file, and those that it includes, be it in branches that were left out.
    fn reached(&mut self, path: &Path) -> BTreeSet<PathBuf> {
        let mut found = BTreeSet::from([path.to_owned()]);
        let mut open = vec![path.to_owned()];
        while let Some(next) = open.pop() {
            let (_, includes) = self.includable(&next).unzip();
            let includes = includes.into_iter().flat_map(BTreeMap::into_values);
            open.extend(includes.filter(|p| found.insert(p.clone())));
        }
        found
    }

    /// A file in the folder of the source or below it, which gfortran finds from its place in the output.
    fn includable(&mut self, path: &Path) -> Option<(Arc<UserFile>, Includes)> {
        if !self.read.contains_key(path) {
            let below = path.strip_prefix(self.folder).ok();
            let below = below.filter(|b| b.components().all(|c| matches!(c, Component::Normal(_))));
            let below = below.filter(|_| (self.along.has_place)(path));
            let bytes = below.and_then(|_| (self.files)(path));
            let plain = |b: &Vec<u8>| !b.starts_with(b"\xef\xbb\xbf") && !b.contains(&b'\r');
            let file = bytes.filter(plain);
            let file = file.map(|b| UserFile::new(path.to_owned(), &b, self.latin1));
            let found = file.map(|f| (Arc::clone(&f), self.includes_of(&f)));
            self.read.insert(path.to_owned(), found);
        }
        self.read.get(path).cloned().flatten()
    }

    /// The lines of a file that include one, by its name.
    fn includes_of(&self, file: &UserFile) -> Includes {
        // gfortran looks for what INCLUDE lines name from the folder of the source alone.
        let beside = file.path.parent().unwrap_or(Path::new("")) == self.folder;
        let found = include::named_files(file, self.options, &|p| (self.files)(p));
        let found = found.into_iter().filter(|(line, _)| {
            let is_directive = file.line(*line).trim_start().starts_with('#');
            beside || is_directive
        });
        found.collect()
    }
}

/// The statement goes on in the next line.
fn is_continued(line: &str) -> bool {
    let line = line.trim();
    line.ends_with('&') && (!line.starts_with('!') || line.starts_with("!$"))
}

/// How many conditionals lines leave open; None if they close one, or are in another branch of one, that they do not open.
fn depth(lines: &[&str]) -> Option<usize> {
    let mut depth = 0usize;
    for line in lines {
        let Some(word) = line.trim_start().strip_prefix('#').map(str::trim_start) else {
            continue;
        };
        match word.get(..2) {
            Some("if") => depth += 1,
            Some("en") => depth = depth.checked_sub(1)?,
            Some("el") if depth == 0 => return None,
            _ => {}
        }
    }
    Some(depth)
}

/// The files that a program includes in one place alone, be it one that was left out: an edited one can stand in for the user's.
pub fn included_once<'t>(
    sources: impl Iterator<Item = &'t SourceText>,
    options: &Options,
    files: Files<'_>,
) -> BTreeSet<PathBuf> {
    let mut read: BTreeMap<PathBuf, Arc<UserFile>> = BTreeMap::new();
    let mut given: BTreeSet<PathBuf> = BTreeSet::new();
    // What a macro names is not seen in the lines.
    let mut often: BTreeSet<PathBuf> = BTreeSet::new();
    for source in sources {
        given.insert(include::lexical(&source.path));
        let items = source.trace.as_deref().map_or(&[][..], |t| &t.items);
        let of_lines = source.origins.runs().map(|(_, o)| &o.file);
        for file in of_lines.chain(items.iter().map(|i| &i.file)) {
            let path = include::lexical(&file.path);
            read.entry(path).or_insert_with(|| Arc::clone(file));
        }
        let by_macro = items.iter().filter_map(|i| match &i.kind {
            ItemKind::Include(path) if !i.text().any(|l| l.contains('"')) => Some(path),
            _ => None,
        });
        often.extend(by_macro.map(|p| include::lexical(p)));
    }
    if read.keys().all(|p| given.contains(p)) {
        return BTreeSet::new();
    }
    // The file that includes each.
    let mut by: BTreeMap<PathBuf, &Path> = BTreeMap::new();
    for (path, file) in &read {
        for included in include::named_files(file, options, files).into_values() {
            let included = include::lexical(&included);
            if by.insert(included.clone(), path).is_some() {
                often.insert(included);
            }
        }
    }
    let is_once = |path: &Path| {
        let mut path = path;
        for _ in 0..MAX_DEPTH {
            match by.get(path) {
                _ if often.contains(path) => return false,
                Some(holder) => path = holder,
                None => return given.contains(path),
            }
        }
        false
    };
    let all = by.keys().filter(|p| !given.contains(*p) && is_once(p));
    all.cloned().collect()
}
