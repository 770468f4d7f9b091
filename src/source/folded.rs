//! INCLUDE lines and `#include` directives in host code: they stay where nothing of the file that they include changed, which then comes along.
//!
//! What comes out is read again, and compared with the text in which the files' lines stand.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::choice::directive;
use super::cpp::Preprocessor;
use super::include::{self, find};
use super::line::{Files, Options, UserFile};
use super::restore::{Restored, user_file};
use super::text::{Position, SourceText};

/// How deep files that stay may include each other.
const MAX_DEPTH: usize = 16;

impl SourceText {
    /// Host code with the lines that include files in the place of those files' lines, where these are the user's, and the files; None if
    /// there are none. `preprocessed`: the text is for the preprocessor. `options` and `files` are those that the source was read with.
    pub fn folded(
        &self,
        of: &Restored,
        preprocessed: bool,
        options: &Options,
        files: Files<'_>,
    ) -> Option<(Restored, Vec<PathBuf>)> {
        let elsewhere = |p: &Option<Position>| p.as_ref().is_some_and(|p| p.file != self.path);
        if self.fixed || !of.positions.iter().any(elsewhere) {
            return None;
        }
        let main = self.origins.runs().map(|(_, o)| &o.file);
        let main = Arc::clone(main.into_iter().find(|f| f.path == self.path)?);
        let mut fold = Fold {
            of,
            lines: of.text.lines().collect(),
            folder: self.path.parent().unwrap_or(Path::new("")),
            main: &main,
            options,
            files,
            latin1: self.latin1,
            read: BTreeMap::new(),
        };
        let (restored, includes) = fold.folded_text()?;
        let now = self.reading(&restored.text, preprocessed, options, files)?;
        let before = self.reading(&of.text, preprocessed, options, files)?;
        (now == before).then_some((restored, includes))
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
            let mut p = Preprocessor::new(options, files, self.latin1);
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
    lines: Vec<&'a str>,
    folder: &'a Path,
    main: &'a Arc<UserFile>,
    options: &'a Options,
    files: Files<'a>,
    latin1: bool,
    /// Files that were asked for; None: a compiler may find another one, or read it otherwise.
    read: BTreeMap<PathBuf, Option<(Arc<UserFile>, Includes)>>,
}

impl<'a> Fold<'a> {
    /// The text with all that can be folded, and the files that come along; None if nothing can.
    fn folded_text(&mut self) -> Option<(Restored, Vec<PathBuf>)> {
        let including = self.includes_of(self.main);
        let mut text: Vec<String> = Vec::new();
        let mut out = Restored {
            kept: self.of.kept.clone(),
            ..Restored::default()
        };
        let mut used = BTreeSet::new();
        let (mut at, mut last) = (0, 0);
        while at < self.lines.len() {
            let position = self.of.positions.get(at).cloned().flatten();
            let own = position.as_ref().filter(|p| p.file == self.main.path);
            last = own.map_or(last, |p| p.line);
            let mut found = None;
            if position.is_some() && own.is_none() {
                for (line, path) in including.range(last + 1..) {
                    let mut with = BTreeSet::new();
                    if let Some(end) = self
                        .matched_until(path, at, &mut with, 0)
                        .filter(|e| *e > at)
                    {
                        found = Some((*line, end, with));
                        break;
                    }
                }
            }
            match found {
                Some((line, end, with)) => {
                    let own = self.main.line(line);
                    text.push(match own.trim_start().starts_with('#') {
                        true => directive(own),
                        false => own.to_owned(),
                    });
                    out.positions.push(Some(Position {
                        file: self.main.path.clone(),
                        line,
                        column: 1,
                    }));
                    out.lines.push(None);
                    used.extend(with);
                    (at, last) = (end, line);
                }
                None => {
                    text.push(self.lines[at].to_owned());
                    out.positions.push(position);
                    out.lines.push(self.of.lines.get(at).copied().flatten());
                    at += 1;
                }
            }
        }
        let end = match self.of.text.contains("\r\n") {
            true => "\r\n",
            false => "\n",
        };
        out.text = text.join(end);
        if self.of.text.ends_with('\n') {
            out.text.push_str(end);
        }
        (!used.is_empty()).then(|| (out, used.into_iter().collect()))
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
            let here = self.of.positions.get(at).and_then(Option::as_ref);
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

    /// A file in the folder of the source or below it, which gfortran finds from its place in the output.
    fn includable(&mut self, path: &Path) -> Option<(Arc<UserFile>, Includes)> {
        if !self.read.contains_key(path) {
            let below = path.strip_prefix(self.folder).ok();
            let below = below.filter(|b| b.components().all(|c| matches!(c, Component::Normal(_))));
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
        let named = |line: &str| {
            let body = line.trim_start();
            if let Some(word) = body.strip_prefix('#') {
                let rest = word.trim_start().strip_prefix("include")?;
                let name = rest.trim_start().strip_prefix('"')?;
                return name.split('"').next().map(str::to_owned);
            }
            let name = include::file_name(body, self.options);
            name.filter(|_| beside).map(str::to_owned)
        };
        let lines = file.text.lines().zip(1..);
        let of_line = lines.filter_map(|(text, line)| {
            let files = |p: &Path| (self.files)(p);
            let (path, _) = find(&named(text)?, &file.path, self.options, &files)?;
            Some((line, path))
        });
        of_line.collect()
    }
}
