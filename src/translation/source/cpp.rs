//! The preprocessor, as `cpp -traditional-cpp` works for gfortran, with `##` pasting as nvfortran's accepts it.
//!
//! Lines stay lines: an expansion never changes where a line came from.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::expression::evaluate;
use super::include::{find, is_foreign_header};
use super::line::{Finder, Line, Options, Origin, Problem, Skipped, Stretch, UserFile};
use super::macros::{EMPTY_COMMENT, Failure, Macros, Place, without_comments};
use super::preprocessing_record::{self, Item, ItemKind};
use super::traditional;

const MAX_INCLUDE_DEPTH: usize = 64;
/// Lines in all files together.
const MAX_LINES: usize = 4_000_000;
/// nvfortran's macros for tensor cores, when the program has no copy of the file: the type as a parameterised one.
const CUF_MACROS: &str = "#define WMMASubMatrix(matrix, m, n, k, kind, layout) \
    type(WMMASubMatrix(matrix, m, n, k, kind, layout))\n";
/// Files included, with repetition.
const MAX_INCLUDES: usize = 20_000;
/// Continuation lines that one macro's arguments span.
const MAX_JOINED: usize = 256;

/// Of [`PREDEFINED`], the one that nvfortran defines only for CUDA Fortran.
pub const CUDA: &str = "_CUDA";

/// What nvfortran defines when it compiles CUDA Fortran (guide 2.13; nvfortran -dM), as 1.
pub(super) const PREDEFINED: [&str; 14] = [
    CUDA,
    "__NVCOMPILER",
    "__NVCOMPILER_LLVM__",
    "__PGI",
    "__PGLLVM__",
    "__linux__",
    "__linux",
    "linux",
    "__unix__",
    "__unix",
    "unix",
    "__x86_64__",
    "__x86_64",
    "__LP64__",
];

/// The release of nvfortran whose options `cuf2cu fc` takes: build tools and sources choose by it.
const VERSION: [(&str, &str); 3] = [
    ("__NVCOMPILER_MAJOR__", "25"),
    ("__NVCOMPILER_MINOR__", "9"),
    ("__NVCOMPILER_PATCHLEVEL__", "0"),
];

/// `_OPENACC` as nvfortran defines it: the version of November 2017 (2.6).
const OPENACC: &str = "201711";

/// All that nvfortran defines, with the values.
fn predefined() -> impl Iterator<Item = (&'static str, &'static str)> {
    PREDEFINED.iter().map(|name| (*name, "1")).chain(VERSION)
}

/// What gfortran defines and nvfortran does not (gfortran -cpp -dM -E), with any options.
const GNU: [&str; 54] = [
    "_LANGUAGE_FORTRAN",
    "_LP64",
    "__ASSOCIATIVE_MATH__",
    "__ATOMIC_ACQUIRE",
    "__ATOMIC_ACQ_REL",
    "__ATOMIC_CONSUME",
    "__ATOMIC_RELAXED",
    "__ATOMIC_RELEASE",
    "__ATOMIC_SEQ_CST",
    "__BIGGEST_ALIGNMENT__",
    "__BYTE_ORDER__",
    "__CHAR_BIT__",
    "__FAST_MATH__",
    "__FINITE_MATH_ONLY__",
    "__FLOAT_WORD_ORDER__",
    "__GFC_INT_16__",
    "__GFC_INT_1__",
    "__GFC_INT_2__",
    "__GFC_INT_8__",
    "__GFC_REAL_10__",
    "__GFC_REAL_16__",
    "__GFORTRAN__",
    "__GNUC_MINOR__",
    "__GNUC_PATCHLEVEL__",
    "__GNUC__",
    "__NO_INLINE__",
    "__NO_MATH_ERRNO__",
    "__NO_SIGNED_ZEROS__",
    "__NO_TRAPPING_MATH__",
    "__OPTIMIZE_SIZE__",
    "__OPTIMIZE__",
    "__ORDER_BIG_ENDIAN__",
    "__ORDER_LITTLE_ENDIAN__",
    "__ORDER_PDP_ENDIAN__",
    "__PIC__",
    "__PIE__",
    "__RECIPROCAL_MATH__",
    "__SANITIZE_ADDRESS__",
    "__SANITIZE_THREAD__",
    "__SIZEOF_DOUBLE__",
    "__SIZEOF_FLOAT__",
    "__SIZEOF_INT__",
    "__SIZEOF_LONG_DOUBLE__",
    "__SIZEOF_LONG_LONG__",
    "__SIZEOF_LONG__",
    "__SIZEOF_POINTER__",
    "__SIZEOF_SHORT__",
    "__SIZEOF_SIZE_T__",
    "__STDC_HOSTED__",
    "__STDC_IEC_559_COMPLEX__",
    "__STDC_IEC_559__",
    "__VERSION__",
    "__pic__",
    "__pie__",
];

/// The options with which gfortran's preprocessor reads these texts as nvfortran's does: macros of either that stand in them.
pub fn predefinitions<'t>(texts: impl Iterator<Item = &'t [u8]>) -> Vec<String> {
    let mut found = BTreeSet::new();
    for text in texts {
        let words = text.split(|b| !(b.is_ascii_alphanumeric() || *b == b'_'));
        for word in words {
            let is = |name: &&&str| name.as_bytes() == word;
            let own = predefined().find(|(name, _)| name.as_bytes() == word);
            found.extend(own.map(|(name, value)| format!("-D{name}={value}")));
            found.extend(GNU.iter().find(is).map(|n| format!("-U{n}")));
        }
    }
    found.into_iter().collect()
}

/// The value of a macro that nvfortran defines.
pub fn predefined_value(name: &str) -> Option<String> {
    let mut all = predefined();
    all.find(|(own, _)| *own == name)
        .map(|(_, value)| value.to_string())
}

/// A macro that compilers define.
pub fn is_predefined(name: &str) -> bool {
    predefined().any(|(own, _)| own == name) || GNU.contains(&name) || name == "_OPENMP"
}

pub(super) struct Preprocessor<'a> {
    options: &'a Options,
    files: Finder<'a>,
    macros: Macros,
    /// Branches not taken, for the report; those inside them are not named.
    pub skipped: Vec<Skipped>,
    pub problems: Vec<Problem>,
    out: Vec<Line>,
    /// Files included so far.
    includes: usize,
    /// The file is read as Latin-1, and with it all that it includes.
    latin1: bool,
    /// All that was read, in order.
    pub items: Vec<Item>,
    /// Conditionals so far.
    conditionals: u32,
    /// Lines (of the file given) that gfortran's preprocessor may read in another way; they are looked for if this is not None.
    pub doubts: Option<BTreeSet<u32>>,
}

/// An open conditional.
struct Conditional {
    /// The lines around it are read.
    outer: bool,
    /// A branch has been taken already.
    taken: bool,
    /// The current branch is read.
    active: bool,
    /// `#else` has been seen.
    last: bool,
    line: Origin,
    /// The current branch among those left out, if it is one and not inside another.
    skipped: Option<usize>,
    /// Its number, if it is not in a branch that is left out.
    group: u32,
}

impl<'a> Preprocessor<'a> {
    pub fn new(options: &'a Options, is_cuda: bool, files: Finder<'a>, latin1: bool) -> Self {
        let mut p = Preprocessor {
            options,
            files,
            macros: Macros::default(),
            skipped: Vec::new(),
            problems: Vec::new(),
            out: Vec::new(),
            includes: 0,
            latin1,
            items: Vec::new(),
            conditionals: 0,
            doubts: None,
        };
        for (name, value) in predefined() {
            if is_cuda || name != CUDA {
                p.macros.define(name, value);
            }
        }
        if options.openmp {
            p.macros.define("_OPENMP", "202011");
        }
        if options.openacc {
            p.macros.define("_OPENACC", OPENACC);
        }
        for (name, value) in &options.macros {
            match value {
                // `-D 'F(x)=2*x'`
                Some(v) if name.contains('(') => {
                    if p.macros.define_from(&format!("{name} {v}")).is_err() {
                        p.macros.define(name, v);
                    }
                }
                Some(v) => p.macros.define(name, v),
                None => p.macros.undefine(name),
            }
        }
        p
    }

    pub fn run(&mut self, lines: Vec<Line>) -> Vec<Line> {
        self.file(lines, 0);
        std::mem::take(&mut self.out)
    }

    fn problem(&mut self, line: &Line, code: &'static str, message: impl Into<String>) {
        self.problems.push(Problem::new(line, code, message));
    }

    /// Takes the comments of C out of a line that `rest` follow.
    fn strip(&mut self, line: &mut Line, rest: &[Line], state: &mut Between) {
        let before = state.comment;
        let closes = || rest.iter().any(|l| l.text.contains("*/"));
        let stripped = strip_c_comments(&line.text, state, closes);
        self.doubt(
            |_| {
                let read = stripped.replace(EMPTY_COMMENT, "");
                traditional::strips_otherwise(&line.text, before, &read, state.comment)
            },
            line.origin.line,
        );
        line.text = stripped;
    }

    fn file(&mut self, lines: Vec<Line>, depth: usize) {
        let mut open: Vec<Conditional> = Vec::new();
        let mut state = Between::default();
        let mut iter = lines.into_iter();
        while let Some(mut line) = iter.next() {
            if self.out.len() > MAX_LINES {
                self.problem(&line, "CUF0007", "preprocessed source is too large");
                return;
            }
            let mut directive_end = line.origin.line;
            if !state.comment && line.text.trim_start().starts_with('#') {
                while line.text.ends_with('\\')
                    && let Some(next) = iter.next()
                {
                    line.text.pop();
                    line.text.push_str(&next.text);
                    directive_end = next.origin.line;
                }
            }
            self.doubt(
                |_| traditional::is_doubtful_line(&line.text),
                line.origin.line,
            );
            self.strip(&mut line, iter.as_slice(), &mut state);
            let active = open.last().is_none_or(|c| c.active);
            let Some(directive) = line
                .text
                .trim_start()
                .strip_prefix('#')
                .map(str::trim_start)
            else {
                if active {
                    self.code(line, &mut iter);
                } else if let Some(group) = hiding(&open) {
                    self.item(&line.origin, line.origin.line, ItemKind::Skipped(group));
                }
                continue;
            };
            let directive = directive.trim_end_matches('\\').to_owned();
            let word: String = directive
                .chars()
                .take_while(|c| c.is_ascii_alphanumeric())
                .collect();
            let rest = directive[word.len()..].trim().to_owned();
            // nvfortran takes #DEFINE too.
            let word = word.to_ascii_lowercase();
            self.directive_item(&word, &line.origin, directive_end, &open);
            match word.as_str() {
                "if" | "ifdef" | "ifndef" => {
                    let value = active && self.condition(&word, &rest, &line);
                    let skip = active && !value;
                    open.push(Conditional {
                        group: self.conditionals,
                        outer: active,
                        taken: value,
                        active: value,
                        last: false,
                        line: line.origin.clone(),
                        skipped: skip.then(|| self.skip(&line, &word, &rest, directive_end)),
                    });
                }
                "elif" | "else" => match open.last() {
                    None => self.problem(&line, "CUF0004", format!("#{word} without #if")),
                    Some(c) if c.last => {
                        self.problem(&line, "CUF0004", format!("#{word} after #else"));
                    }
                    Some(c) => {
                        let possible = c.outer && !c.taken;
                        let value =
                            possible && (word == "else" || self.condition("if", &rest, &line));
                        self.skip_ends(c.skipped, &line);
                        let skip = c.outer && !value;
                        let skipped = skip.then(|| self.skip(&line, &word, &rest, directive_end));
                        if let Some(c) = open.last_mut() {
                            c.active = value;
                            c.taken |= value;
                            c.last = word == "else";
                            c.skipped = skipped;
                        }
                    }
                },
                "endif" => match open.pop() {
                    Some(c) => self.skip_ends(c.skipped, &line),
                    None => self.problem(&line, "CUF0004", "#endif without #if"),
                },
                _ if !active => {}
                "define" => {
                    if let Err(e) = self.macros.define_from(&rest) {
                        self.problem(&line, "CUF0004", e);
                    }
                    self.doubt(|p| p.macros.is_refused(&rest), line.origin.line);
                }
                "undef" => self
                    .macros
                    .undefine(rest.split_whitespace().next().unwrap_or_default()),
                "include" => self.include(&rest, &line, depth),
                "error" => self.problem(&line, "CUF0004", format!("#error {rest}")),
                // Nothing of the program.
                "" | "line" | "pragma" | "warning" | "ident" => {}
                _ if word.bytes().all(|b| b.is_ascii_digit()) => {}
                _ => self.problem(
                    &line,
                    "CUF0004",
                    format!("#{word} is not a preprocessor directive"),
                ),
            }
        }
        if let Some(c) = open.pop() {
            let line = Line {
                origin: c.line,
                text: String::new(),
            };
            self.problem(&line, "CUF0004", "#if without #endif");
        }
    }

    /// A branch that is left out begins after a directive that ends on the line `end`; gives its place in the list.
    fn skip(&mut self, line: &Line, word: &str, rest: &str, end: u32) -> usize {
        self.skipped.push(Skipped {
            file: line.origin.file.path.clone(),
            line: line.origin.line,
            directive: format!("#{word} {rest}").trim_end().to_owned(),
            first: end + 1,
            last: u32::MAX,
            cuda_fortran: false,
            kept: false,
        });
        self.skipped.len() - 1
    }

    /// The branch ends before `line`.
    fn skip_ends(&mut self, skipped: Option<usize>, line: &Line) {
        if let Some(s) = skipped.and_then(|i| self.skipped.get_mut(i)) {
            s.last = line.origin.line - 1;
            let mut lines = (s.first..=s.last).map(|l| line.origin.file.line(l));
            s.cuda_fortran = lines.any(preprocessing_record::is_cuda_fortran);
        }
    }

    fn condition(&mut self, word: &str, rest: &str, line: &Line) -> bool {
        let name = rest.split_whitespace().next().unwrap_or_default();
        match word {
            "ifdef" => self.macros.is_defined(name),
            "ifndef" => !self.macros.is_defined(name),
            _ => {
                let file = line.origin.file.path.to_string_lossy();
                let place = Place {
                    file: &file,
                    line: line.origin.line,
                };
                let (expanded, unlike) = match self.macros.expand_condition(rest, &place) {
                    Ok(t) => t,
                    Err(f) => {
                        self.failed(&f, line);
                        return false;
                    }
                };
                match evaluate(&expanded, &|name| self.macros.is_defined(name)) {
                    Ok((v, lenient)) => {
                        self.doubt(|_| unlike || lenient, line.origin.line);
                        v.is_true()
                    }
                    Err(e) => {
                        self.problem(line, "CUF0004", format!("#if {rest}: {e}"));
                        false
                    }
                }
            }
        }
    }

    fn include(&mut self, rest: &str, line: &Line, depth: usize) {
        let expanded = if rest.starts_with(['"', '<']) {
            rest.to_owned()
        } else {
            self.expand(rest, line)
        };
        let name = expanded
            .trim()
            .trim_start_matches(['"', '<'])
            .split(['"', '>'])
            .next()
            .unwrap_or_default()
            .to_owned();
        self.includes += 1;
        if depth >= MAX_INCLUDE_DEPTH || self.includes > MAX_INCLUDES {
            self.problem(line, "CUF0006", format!("`{name}` is included too deeply"));
            return;
        }
        if let Some((path, bytes)) = find(&name, &line.origin.file.path, self.options, self.files) {
            self.item(
                &line.origin,
                line.origin.line,
                ItemKind::Include(path.clone()),
            );
            let file = UserFile::new(path, &bytes, self.latin1);
            self.file(file.lines(), depth + 1);
            self.item(&line.origin, line.origin.line, ItemKind::IncludeEnd);
        } else if name == "cuf_macros.CUF" {
            let file = UserFile::new(name.into(), CUF_MACROS.as_bytes(), false);
            self.file(file.lines(), depth + 1);
        } else if is_foreign_header(&name) {
            // The Fortran compiler finds it, with an INCLUDE line as well.
            self.item(&line.origin, line.origin.line, ItemKind::Code);
            self.out.push(Line {
                text: format!("      include '{name}'"),
                origin: line.origin.clone(),
            });
        } else {
            self.problem(line, "CUF0005", format!("include file `{name}` not found"));
        }
    }

    /// The expansion of a line's text; as it is, with a problem, if it cannot be expanded.
    fn expand(&mut self, text: &str, line: &Line) -> String {
        match self.try_expand(text, line, &mut Vec::new()) {
            Ok(t) => t,
            Err(f) => {
                self.failed(&f, line);
                text.to_owned()
            }
        }
    }

    fn try_expand(
        &self,
        text: &str,
        line: &Line,
        stretches: &mut Vec<Stretch>,
    ) -> Result<String, Failure> {
        let file = line.origin.file.path.to_string_lossy();
        let place = Place {
            file: &file,
            line: line.origin.line,
        };
        self.macros.expand(text, &place, stretches)
    }

    fn failed(&mut self, failure: &Failure, line: &Line) {
        match failure {
            Failure::Unclosed(name) => self.problem(
                line,
                "CUF0004",
                format!("the arguments of macro {name} do not end"),
            ),
            Failure::Arguments(name, want, got) => self.problem(
                line,
                "CUF0004",
                format!("macro {name} takes {want} arguments, here are {got}"),
            ),
            Failure::Limit => self.problem(
                line,
                "CUF0007",
                "the macros on this line expand too far or too deeply",
            ),
        }
    }

    /// Expands a line of code, with the lines that it continues on if they hold a macro's arguments.
    fn code(&mut self, mut line: Line, rest: &mut std::vec::IntoIter<Line>) {
        let mut stretches = Vec::new();
        let mut joined = 0;
        let mut last = line.origin.line;
        let written = self.doubts.is_some().then(|| line.text.clone());
        loop {
            stretches.clear();
            match self.try_expand(&line.text, &line, &mut stretches) {
                Ok(text) => {
                    if !stretches.is_empty() {
                        line.origin.stretches = Some(stretches.into());
                    }
                    line.text = text;
                    break;
                }
                Err(Failure::Unclosed(_))
                    if joined < MAX_JOINED && may_follow(rest.as_slice().first()) =>
                {
                    let Some(next) = rest.next() else { break };
                    joined += 1;
                    last = next.origin.line;
                    // Where Fortran continues the line the ampersands go, too: cpp would leave them in the argument.
                    if let Some(kept) = line.text.trim_end().strip_suffix('&').map(str::len) {
                        line.text.truncate(kept);
                    }
                    let more = next.text.trim_start();
                    line.text.push_str(more.strip_prefix('&').unwrap_or(more));
                }
                Err(f) => {
                    self.failed(&f, &line);
                    line.text = without_comments(&line.text);
                    break;
                }
            }
        }
        if let Some(written) = written {
            let doubt = |p: &Self| {
                let file = line.origin.file.path.to_string_lossy();
                let place = Place {
                    file: &file,
                    line: line.origin.line,
                };
                joined > 0 || !traditional::agrees(&p.macros, &place, &written, &line.text)
            };
            self.doubt(doubt, line.origin.line);
        }
        self.item(&line.origin, last, ItemKind::Code);
        self.out.push(line);
    }

    fn doubt(&mut self, is_doubtful: impl FnOnce(&Self) -> bool, line: u32) {
        if self.doubts.is_some()
            && is_doubtful(self)
            && let Some(doubts) = &mut self.doubts
        {
            doubts.insert(line);
        }
    }

    fn item(&mut self, at: &Origin, last: u32, kind: ItemKind) {
        self.items.push(Item {
            file: Arc::clone(&at.file),
            first: at.line,
            last,
            kind,
        });
    }

    /// Notes a directive, but for `#include`. Directives of conditionals in a branch that is left out are lines of that.
    fn directive_item(&mut self, word: &str, at: &Origin, last: u32, open: &[Conditional]) {
        let opens = matches!(word, "if" | "ifdef" | "ifndef");
        self.conditionals += u32::from(opens);
        let of = |c: &Conditional| if c.outer { Some(c.group) } else { None };
        let inner = |kind: fn(u32) -> ItemKind| match open.last().and_then(of) {
            Some(group) => Some(kind(group)),
            None => hiding(open).map(ItemKind::Skipped),
        };
        let active = open.last().is_none_or(|c| c.active);
        let kind = match word {
            _ if opens && active => Some(ItemKind::Open(self.conditionals)),
            "elif" | "else" => inner(ItemKind::Middle),
            "endif" => inner(ItemKind::Close),
            _ if !active => hiding(open).map(ItemKind::Skipped),
            "define" | "undef" | "warning" => Some(ItemKind::Definition),
            "include" => None,
            _ => Some(ItemKind::Idle),
        };
        if let Some(kind) = kind {
            self.item(at, last, kind);
        }
    }
}

/// The outermost conditional whose branch that is being read is left out.
fn hiding(open: &[Conditional]) -> Option<u32> {
    open.iter().find(|c| !c.active).map(|c| c.group)
}

/// The line can hold more arguments of a macro: it is no directive.
fn may_follow(line: Option<&Line>) -> bool {
    line.is_some_and(|l| !l.text.trim_start().starts_with('#'))
}

/// What a line leaves open for the next.
#[derive(Default)]
struct Between {
    /// A comment of C.
    comment: bool,
    /// A text of Fortran, with its delimiter, that `&` continues.
    text: Option<char>,
}

/// Removes `/* */` outside of strings and Fortran comments, which directives have none of; traditional preprocessing leaves nothing in its
/// place, but a blank in directives other than `#define`. `closes`: a comment that begins here may end on a later line.
fn strip_c_comments(text: &str, state: &mut Between, closes: impl Fn() -> bool) -> String {
    let starts = text.trim_start();
    let continued = state.text.filter(|_| starts.starts_with('&'));
    // Lines of comment may stand inside of a continued text.
    if !starts.is_empty() && !starts.starts_with('!') {
        state.text = None;
    }
    let may_continue = text.trim_end().ends_with('&') && !starts.starts_with('#');
    if !state.comment && !may_continue && !text.contains("/*") {
        return text.to_owned();
    }
    let directive = Some(starts).filter(|_| !state.comment);
    let directive = directive.and_then(|s| s.strip_prefix('#'));
    let defines = directive.is_some_and(|d| {
        let word = d.trim_start().get(..6);
        word.is_some_and(|w| w.eq_ignore_ascii_case("define"))
    });
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut out = String::with_capacity(text.len());
    let mut quote = continued;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if state.comment {
            match rest.find("*/") {
                Some(i) => {
                    state.comment = false;
                    rest = &rest[i + 2..];
                    if directive.is_some() && !defines {
                        out.push(' ');
                    } else if defines || out.ends_with(is_word) && rest.starts_with(is_word) {
                        // The two stay words of their own until their macros are expanded.
                        out.push(EMPTY_COMMENT);
                    }
                }
                None => return out,
            }
            continue;
        }
        let ends = || {
            let directive = starts.starts_with(['/', '#']);
            rest.contains("*/") || directive || closes()
        };
        if quote.is_none() && rest.starts_with("/*") && ends() {
            state.comment = true;
            rest = &rest[2..];
            continue;
        }
        match quote {
            Some(q) if c == q => quote = None,
            Some(_) => {}
            None if c == '\'' || c == '"' => quote = Some(c),
            None if c == '!' && directive.is_none() => {
                out.push_str(rest);
                return out;
            }
            None => {}
        }
        out.push(c);
        rest = &rest[c.len_utf8()..];
    }
    if may_continue {
        state.text = quote;
    }
    out
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::line::{Options, UserFile};
    use super::Preprocessor;

    fn run(text: &str) -> Vec<String> {
        let options = Options::default();
        let none = |_: &Path| None;
        let mut p = Preprocessor::new(&options, true, &none, false);
        let file = UserFile::new("a.CUF".into(), text.as_bytes(), false);
        p.run(file.lines()).into_iter().map(|l| l.text).collect()
    }

    #[test]
    fn conditionals() {
        let got = run(
            "#ifdef _CUDA\na\n#else\nb\n#endif\n#if defined(X) || 2 > 1 && !defined Y\nc\n#elif 1\nd\n#endif\n",
        );
        assert_eq!(got, ["a", "c"]);
    }

    #[test]
    fn an_exclamation_mark_negates() {
        let got = run("#define N 2\n#if ! defined X && N > 1 && !(N == 3)\na\n#endif\n");
        assert_eq!(got, ["a"]);
    }

    #[test]
    fn arguments_on_several_lines() {
        let got = run(
            "#define ADD(a,b) (a+b)\nx = ADD(1,\n  2)\ny = ADD(1, &\n  & 2)\nADD(\n#undef ADD\n",
        );
        assert_eq!(got, ["x = (1+2)", "y = (1+  2)", "ADD("]);
    }

    #[test]
    fn macros() {
        let got = run(
            "#define N 3\n#define ADD(a,b) (a + b)\n#define CAT(x,y) x/**/y\n#define P(x) x##_p\n\
                       n = N*ADD(N, f(1,2)) ! N\ncall CAT(s,ub)\nP(q) = 'N'\n",
        );
        assert_eq!(got, ["n = 3*(3 +  f(1,2)) ! N", "call sub", "q_p = 'N'"]);
    }

    #[test]
    fn comments_of_c_behind_continued_texts() {
        let got = run(
            "s = 'ab&\n\n ! it's\n  &c' /* 1 */\nt = \"/* 2 &\n  & */\"/* 3 */\nu = 'x' & /* 4 */\n // 'y'\n",
        );
        let want = "s = 'ab&\n\n ! it's\n  &c' \nt = \"/* 2 &\n  & */\"\nu = 'x' & \n // 'y'";
        assert_eq!(got, want.split('\n').collect::<Vec<_>>());
    }

    #[test]
    fn branches_left_out_are_named() {
        let options = Options::default();
        let none = |_: &Path| None;
        let mut p = Preprocessor::new(&options, true, &none, false);
        let text = "#ifdef A\na\n#ifdef B\nb\n#endif\n#elif 1 && \\\n 1\nc\n#elif 1\nd\ne\n#else\nf\n#endif\n";
        let file = UserFile::new("a.CUF".into(), text.as_bytes(), false);
        p.run(file.lines());
        let got: Vec<(u32, &str, u32, u32)> = p
            .skipped
            .iter()
            .map(|s| (s.line, s.directive.as_str(), s.first, s.last))
            .collect();
        let want = [
            (1, "#ifdef A", 2, 5),
            (9, "#elif 1", 10, 11),
            (12, "#else", 13, 13),
        ];
        assert_eq!(got, want);
    }

    #[test]
    fn recursion_ends() {
        assert_eq!(run("#define A B\n#define B A\nA\n"), ["A"]);
    }
}
