//! The preprocessor, as `cpp -traditional-cpp` works for gfortran, with `##` pasting as nvfortran's accepts it.
//!
//! Lines stay lines: an expansion never changes where a line came from.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::expression::evaluate;
use super::include::find;
use super::{Files, Line, Options, Problem, decode, split};

const MAX_INCLUDE_DEPTH: usize = 64;
/// Length of an expanded line beyond which expansion stops, bytes.
const MAX_EXPANSION: usize = 1 << 20;
/// Lines in all files together.
const MAX_LINES: usize = 4_000_000;
/// Nested expansions of macros.
const MAX_MACRO_DEPTH: usize = 64;

/// A macro; None for parameters means object-like.
#[derive(Clone, Debug)]
struct Macro {
    parameters: Option<Vec<String>>,
    body: String,
}

pub(super) struct Preprocessor<'a> {
    options: &'a Options,
    files: Files<'a>,
    macros: BTreeMap<String, Macro>,
    /// One line of text per conditional and include, for the report.
    pub resolved: Vec<String>,
    pub problems: Vec<Problem>,
    out: Vec<Line>,
}

/// An open conditional.
struct Conditional {
    /// The lines around it are read.
    outer: bool,
    /// A branch has been taken already.
    taken: bool,
    /// The current branch is read.
    active: bool,
    line: u32,
}

impl<'a> Preprocessor<'a> {
    pub fn new(options: &'a Options, files: Files<'a>) -> Self {
        let mut p = Preprocessor {
            options,
            files,
            macros: BTreeMap::new(),
            resolved: Vec::new(),
            problems: Vec::new(),
            out: Vec::new(),
        };
        // What nvfortran defines when it compiles CUDA Fortran (guide 2.13; nvfortran -dM).
        for (name, value) in [
            ("_CUDA", "1"),
            ("__NVCOMPILER", "1"),
            ("__NVCOMPILER_LLVM__", "1"),
            ("__PGI", "1"),
            ("__PGLLVM__", "1"),
            ("__linux__", "1"),
            ("__linux", "1"),
            ("linux", "1"),
            ("__unix__", "1"),
            ("__unix", "1"),
            ("unix", "1"),
            ("__x86_64__", "1"),
            ("__x86_64", "1"),
            ("__LP64__", "1"),
        ] {
            p.define(name, None, value);
        }
        if options.openmp {
            p.define("_OPENMP", None, "202011");
        }
        for (name, value) in &options.macros {
            match value {
                Some(v) => p.define(name, None, v),
                None => {
                    p.macros.remove(name);
                }
            }
        }
        p
    }

    fn define(&mut self, name: &str, parameters: Option<Vec<String>>, body: &str) {
        self.macros.insert(
            name.to_owned(),
            Macro {
                parameters,
                body: body.to_owned(),
            },
        );
    }

    pub fn run(&mut self, lines: Vec<Line>) -> Vec<Line> {
        self.file(lines, 0);
        std::mem::take(&mut self.out)
    }

    fn problem(&mut self, line: &Line, code: &'static str, message: impl Into<String>) {
        self.problems.push(Problem {
            file: line.origin.file.to_path_buf(),
            line: line.origin.line,
            code,
            message: message.into(),
        });
    }

    fn file(&mut self, lines: Vec<Line>, depth: usize) {
        let mut open: Vec<Conditional> = Vec::new();
        let mut in_comment = false;
        let mut iter = lines.into_iter();
        while let Some(mut line) = iter.next() {
            if self.out.len() > MAX_LINES {
                self.problem(&line, "CUF0007", "the preprocessed text is too long");
                return;
            }
            if line.text.trim_start().starts_with('#') {
                // In a macro body an empty comment pastes what stands beside it, after the arguments are in.
                line.text = line.text.replace("/**/", "##");
            }
            line.text = strip_c_comments(&line.text, &mut in_comment);
            let active = open.iter().all(|c| c.active);
            let Some(directive) = line
                .text
                .trim_start()
                .strip_prefix('#')
                .map(str::trim_start)
            else {
                if active {
                    let text = self.expand(&line.text, &line, 0, &[]);
                    self.out.push(Line {
                        text,
                        origin: line.origin,
                    });
                }
                continue;
            };
            let mut directive = directive.to_owned();
            while directive.ends_with('\\') {
                directive.pop();
                match iter.next() {
                    Some(next) => directive.push_str(&next.text),
                    None => break,
                }
            }
            let word: String = directive
                .chars()
                .take_while(|c| c.is_ascii_alphanumeric())
                .collect();
            let rest = directive[word.len()..].trim().to_owned();
            match word.as_str() {
                "if" | "ifdef" | "ifndef" => {
                    let value = active && self.condition(&word, &rest, &line);
                    if active {
                        self.note(&line, &word, &rest, value);
                    }
                    open.push(Conditional {
                        outer: active,
                        taken: value,
                        active: value,
                        line: line.origin.line,
                    });
                }
                "elif" | "else" => match open.last() {
                    None => self.problem(&line, "CUF0004", format!("#{word} without #if")),
                    Some(c) => {
                        let possible = c.outer && !c.taken;
                        let value =
                            possible && (word == "else" || self.condition("if", &rest, &line));
                        if possible {
                            self.note(&line, &word, &rest, value);
                        }
                        if let Some(c) = open.last_mut() {
                            c.active = value;
                            c.taken |= value;
                        }
                    }
                },
                "endif" => {
                    if open.pop().is_none() {
                        self.problem(&line, "CUF0004", "#endif without #if");
                    }
                }
                _ if !active => {}
                "define" => self.define_directive(&rest),
                "undef" => {
                    self.macros
                        .remove(rest.split_whitespace().next().unwrap_or_default());
                }
                "include" => self.include(&rest, &line, depth),
                "error" => self.problem(&line, "CUF0004", format!("#error {rest}")),
                // Line markers, #line, #pragma, #warning, #ident: nothing of the program.
                _ => {}
            }
        }
        if let Some(c) = open.last() {
            let at = c.line;
            if let Some(l) = self.out.last().cloned() {
                self.problem(
                    &Line {
                        origin: super::Origin {
                            line: at,
                            ..l.origin
                        },
                        text: String::new(),
                    },
                    "CUF0004",
                    "#if without #endif",
                );
            }
        }
    }

    fn note(&mut self, line: &Line, word: &str, rest: &str, taken: bool) {
        let what = if taken { "taken" } else { "not taken" };
        let file = line.origin.file.display();
        self.resolved.push(
            format!("{file}:{}: #{word} {rest}: {what}", line.origin.line).replace(" : ", ": "),
        );
    }

    fn condition(&mut self, word: &str, rest: &str, line: &Line) -> bool {
        let name = rest.split_whitespace().next().unwrap_or_default();
        match word {
            "ifdef" => self.macros.contains_key(name),
            "ifndef" => !self.macros.contains_key(name),
            _ => {
                let without = self.replace_defined(rest);
                let expanded = self.expand(&without, line, 0, &[]);
                match evaluate(&expanded) {
                    Ok(v) => v != 0,
                    Err(e) => {
                        self.problem(line, "CUF0004", format!("#if {rest}: {e}"));
                        false
                    }
                }
            }
        }
    }

    /// `defined(X)` and `defined X` as 1 or 0.
    fn replace_defined(&self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some(at) = rest.find("defined") {
            let before_ok = !rest[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
            out.push_str(&rest[..at]);
            rest = &rest[at + 7..];
            if !before_ok {
                out.push_str("defined");
                continue;
            }
            let t = rest.trim_start();
            let (name, after) = match t.strip_prefix('(') {
                Some(inner) => match inner.find(')') {
                    Some(close) => (inner[..close].trim(), &inner[close + 1..]),
                    None => (inner.trim(), ""),
                },
                None => {
                    let end = t
                        .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
                        .unwrap_or(t.len());
                    (&t[..end], &t[end..])
                }
            };
            out.push_str(if self.macros.contains_key(name) {
                " 1 "
            } else {
                " 0 "
            });
            rest = after;
        }
        out.push_str(rest);
        out
    }

    fn define_directive(&mut self, rest: &str) {
        let end = rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
            .unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        if name.is_empty() {
            return;
        }
        if let Some(list) = after.strip_prefix('(')
            && let Some(close) = list.find(')')
        {
            let parameters = list[..close]
                .split(',')
                .map(|p| p.trim().to_owned())
                .filter(|p| !p.is_empty())
                .collect();
            let body = list[close + 1..].trim().to_owned();
            self.define(name, Some(parameters), &body);
            return;
        }
        let body = after.trim().to_owned();
        self.define(name, None, &body);
    }

    fn include(&mut self, rest: &str, line: &Line, depth: usize) {
        let expanded = if rest.starts_with(['"', '<']) {
            rest.to_owned()
        } else {
            self.expand(rest, line, 0, &[])
        };
        let name = expanded
            .trim()
            .trim_start_matches(['"', '<'])
            .split(['"', '>'])
            .next()
            .unwrap_or_default()
            .to_owned();
        if depth >= MAX_INCLUDE_DEPTH {
            self.problem(line, "CUF0006", format!("'{name}' is included too deeply"));
            return;
        }
        match find(&name, &line.origin.file, self.options, self.files) {
            Some((path, bytes)) => {
                self.resolved.push(format!(
                    "{}:{}: #include {name}",
                    line.origin.file.display(),
                    line.origin.line
                ));
                let file: Arc<Path> = Arc::from(path.as_path());
                self.file(split(&decode(&bytes), &file), depth + 1);
            }
            None => self.problem(
                line,
                "CUF0005",
                format!("include file '{name}' was not found"),
            ),
        }
    }

    /// Expands the macros in a line; strings and comments stay as they are.
    fn expand(&self, text: &str, line: &Line, depth: usize, active: &[&str]) -> String {
        if depth > MAX_MACRO_DEPTH {
            return text.to_owned();
        }
        let mut out = String::with_capacity(text.len());
        let mut quote: Option<char> = None;
        let mut i = 0;
        while i < text.len() {
            if out.len() > MAX_EXPANSION {
                return out;
            }
            let rest = &text[i..];
            let Some(c) = rest.chars().next() else { break };
            if let Some(q) = quote {
                out.push(c);
                if c == q {
                    quote = None;
                }
                i += c.len_utf8();
            } else if c == '!'
                && depth == 0
                && !rest.starts_with("!$")
                && !rest.starts_with("!@")
                && !rest.starts_with("!=")
            {
                out.push_str(rest);
                break;
            } else if c == '\'' || c == '"' {
                quote = Some(c);
                out.push(c);
                i += 1;
            } else if c.is_ascii_digit() {
                // A number with its letters: 1d0 holds no identifier.
                let end = rest
                    .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.'))
                    .unwrap_or(rest.len());
                // `1.eq.X`: stop at the dot before a letter.
                let end = rest[..end].find('.').map_or(end, |d| d + 1);
                out.push_str(&rest[..end]);
                i += end;
            } else if c.is_ascii_alphabetic() || c == '_' {
                let end = rest
                    .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
                    .unwrap_or(rest.len());
                let word = &rest[..end];
                i += end;
                i += self.word(word, &text[i..], line, depth, active, &mut out);
            } else {
                out.push(c);
                i += c.len_utf8();
            }
        }
        out
    }

    /// Expands one identifier; gives how much of `after` (its arguments) was consumed.
    fn word(
        &self,
        word: &str,
        after: &str,
        line: &Line,
        depth: usize,
        active: &[&str],
        out: &mut String,
    ) -> usize {
        match word {
            "__LINE__" => {
                out.push_str(&line.origin.line.to_string());
                return 0;
            }
            "__FILE__" => {
                out.push_str(&format!("\"{}\"", line.origin.file.display()));
                return 0;
            }
            _ => {}
        }
        let Some(m) = self.macros.get(word).filter(|_| !active.contains(&word)) else {
            out.push_str(word);
            return 0;
        };
        let mut inner: Vec<&str> = active.to_vec();
        inner.push(word);
        match &m.parameters {
            None => {
                out.push_str(&self.expand(&paste(&m.body), line, depth + 1, &inner));
                0
            }
            Some(parameters) => match arguments(after) {
                Some((args, used)) => {
                    let args: Vec<String> = args
                        .iter()
                        .map(|a| self.expand(a.trim(), line, depth + 1, active))
                        .collect();
                    let body = substitute(&m.body, parameters, &args);
                    out.push_str(&self.expand(&body, line, depth + 1, &inner));
                    used
                }
                None => {
                    out.push_str(word);
                    0
                }
            },
        }
    }
}

/// Removes `##` and the blanks around it.
fn paste(body: &str) -> String {
    if !body.contains("##") {
        return body.to_owned();
    }
    body.split("##").map(str::trim).collect::<Vec<_>>().concat()
}

/// Puts arguments for parameters, also inside quotes (traditional stringification).
fn substitute(body: &str, parameters: &[String], args: &[String]) -> String {
    let mut out = String::new();
    let mut rest = body;
    while let Some(c) = rest.chars().next() {
        if c.is_ascii_alphabetic() || c == '_' {
            let end = rest
                .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
                .unwrap_or(rest.len());
            let word = &rest[..end];
            match parameters.iter().position(|p| p == word) {
                Some(k) => {
                    // `#x` makes a string of the argument.
                    if out.ends_with('#') && !out.ends_with("##") {
                        out.pop();
                        out.push_str(&format!(
                            "\"{}\"",
                            args.get(k).map(String::as_str).unwrap_or_default()
                        ));
                    } else {
                        out.push_str(args.get(k).map(String::as_str).unwrap_or_default());
                    }
                }
                None => out.push_str(word),
            }
            rest = &rest[end..];
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    paste(&out)
}

/// The arguments in parentheses after a function-like macro's name, and how many bytes they take.
fn arguments(after: &str) -> Option<(Vec<String>, usize)> {
    let open = after.len() - after.trim_start().len();
    if !after[open..].starts_with('(') {
        return None;
    }
    let mut depth = 0usize;
    let mut args = vec![String::new()];
    let mut quote = None;
    for (i, c) in after[open..].char_indices() {
        if let Some(q) = quote {
            if c == q {
                quote = None;
            }
            args.last_mut()?.push(c);
            continue;
        }
        match c {
            '\'' | '"' => {
                quote = Some(c);
                args.last_mut()?.push(c);
            }
            '(' | '[' => {
                depth += 1;
                if depth > 1 {
                    args.last_mut()?.push(c);
                }
            }
            ')' | ']' => {
                depth -= 1;
                if depth == 0 {
                    return Some((args, open + i + 1));
                }
                args.last_mut()?.push(c);
            }
            ',' if depth == 1 => args.push(String::new()),
            _ => args.last_mut()?.push(c),
        }
    }
    None
}

/// Removes `/* */` outside of strings and Fortran comments; traditional preprocessing leaves nothing in its place.
fn strip_c_comments(text: &str, in_comment: &mut bool) -> String {
    if !*in_comment && !text.contains("/*") {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut quote: Option<char> = None;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if *in_comment {
            match rest.find("*/") {
                Some(i) => {
                    *in_comment = false;
                    rest = &rest[i + 2..];
                }
                None => return out,
            }
            continue;
        }
        if quote.is_none() && rest.starts_with("/*") && rest.contains("*/") {
            *in_comment = true;
            rest = &rest[2..];
            continue;
        }
        if quote.is_none() && rest.starts_with("/*") && text.trim_start().starts_with("/*") {
            *in_comment = true;
            rest = &rest[2..];
            continue;
        }
        match quote {
            Some(q) if c == q => quote = None,
            Some(_) => {}
            None if c == '\'' || c == '"' => quote = Some(c),
            None if c == '!' => {
                out.push_str(rest);
                return out;
            }
            None => {}
        }
        out.push(c);
        rest = &rest[c.len_utf8()..];
    }
    out
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use super::super::{Options, split};
    use super::Preprocessor;

    fn run(text: &str) -> Vec<String> {
        let options = Options::default();
        let none = |_: &Path| None;
        let mut p = Preprocessor::new(&options, &none);
        let file: Arc<Path> = Arc::from(Path::new("a.CUF"));
        p.run(split(text, &file))
            .into_iter()
            .map(|l| l.text)
            .collect()
    }

    #[test]
    fn conditionals() {
        let got = run(
            "#ifdef _CUDA\na\n#else\nb\n#endif\n#if defined(X) || 2 > 1 && !defined Y\nc\n#elif 1\nd\n#endif\n",
        );
        assert_eq!(got, ["a", "c"]);
    }

    #[test]
    fn macros() {
        let got = run(
            "#define N 3\n#define ADD(a,b) (a + b)\n#define CAT(x,y) x/**/y\n#define P(x) x##_p\n\
                       n = N*ADD(N, f(1,2)) ! N\ncall CAT(s,ub)\nP(q) = 'N'\n",
        );
        assert_eq!(got, ["n = 3*(3 + f(1,2)) ! N", "call sub", "q_p = 'N'"]);
    }

    #[test]
    fn recursion_ends() {
        assert_eq!(run("#define A B\n#define B A\nA\n"), ["A"]);
    }
}
