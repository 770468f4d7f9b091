//! CUDA C++ of the user's own for the cpu target: text to text, without files and without a compiler.
//!
//! g++ compiles the result with the headers in `runtime-headers/cpu/cuda`. What the language of CUDA has beside C++ is rewritten, and
//! everything else stays as it is, on its line:
//!
//! * `k<T><<<grid, block, bytes, stream>>>(x)` becomes `(::cuf::own::configured(grid, block, bytes, stream), k<T>(x))`: the compiler
//!   chooses the kernel and converts the arguments;
//! * the body of a kernel becomes a closure over its parameters, which that call hands over to the threads of the grid;
//! * device variables are registered by name behind their declarations;
//! * `extern __shared__ T s[];` becomes a pointer to the dynamic shared memory of the block;
//! * what cannot be emulated becomes an error of the compiler, at its place and only where the preprocessor keeps it.

mod kernels;
mod launches;
mod refusals;
mod scopes;
mod shared;
#[cfg(test)]
mod tests;
mod tokens;
mod variables;

use std::collections::BTreeSet;
use std::ops::Range;

use launches::Launch;
use tokens::{Kind, Token, tokens};

/// The folder below the output folder with the sources and headers for the cpu target, under their own names.
pub const FOLDER: &str = "cuf_cpu";

/// The macros of a text that stand for `__global__`, as in `#define KERNEL __global__ void`.
pub fn kernel_macros(text: &str) -> BTreeSet<String> {
    kernels::macros(&Code::new(text))
}

/// Specifiers with parentheses behind them.
const ALIGNMENTS: [&str; 3] = ["__align__", "alignas", "__attribute__"];

/// The text of a header for the cpu target. `name`: the user's file, for messages; `macros`: see [`kernel_macros`], those of all files.
pub fn header(text: &str, name: &str, macros: &BTreeSet<String>) -> String {
    format!("#line 1 {}\n{}", quoted(name), translated(text, macros))
}

/// The same for a source, which includes CUDA's runtime header by itself.
pub fn source(text: &str, name: &str, macros: &BTreeSet<String>) -> String {
    let text = header(text, name, macros);
    format!("#define CUF_OWN_CUDA 1\n#include <cuda_runtime.h>\n{text}")
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
}

fn translated(text: &str, macros: &BTreeSet<String>) -> String {
    let code = Code::new(text);
    let mut edits = Vec::new();
    let kernels = kernels::rewrite(&code, macros, &mut edits);
    shared::rewrite(&code, &mut edits);
    variables::rewrite(&code, &mut edits);
    refusals::rewrite(&code, &mut edits);
    let launches = launches::find(&code, &kernels, &mut edits);
    edits.sort_by_key(|e| (e.start, e.end));
    let rendering = Rendering {
        text,
        edits,
        launches,
    };
    rendering.render(0, text.len(), true)
}

/// A text and its tokens.
struct Code<'a> {
    text: &'a str,
    tokens: Vec<Token>,
}

impl<'a> Code<'a> {
    fn new(text: &'a str) -> Code<'a> {
        Code {
            text,
            tokens: tokens(text),
        }
    }

    fn text(&self, at: usize) -> &'a str {
        let token = self.tokens.get(at);
        token.map_or("", |t| &self.text[t.start..t.end])
    }

    fn is_name(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|t| t.kind == Kind::Name)
    }

    fn is_symbol(&self, at: usize, symbol: u8) -> bool {
        self.tokens
            .get(at)
            .is_some_and(|t| t.kind == Kind::Symbol(symbol))
    }

    /// Whether these characters of punctuation follow each other without anything between.
    fn is_joined(&self, at: usize, symbols: &[u8]) -> bool {
        let end = at + symbols.len();
        self.tokens.len() >= end
            && (at..end).zip(symbols).all(|(k, s)| self.is_symbol(k, *s))
            && (at + 1..end).all(|k| self.tokens[k - 1].end == self.tokens[k].start)
    }

    /// Whether both tokens are of one directive, or of none.
    fn together(&self, a: usize, b: usize) -> bool {
        let directive = |at: usize| self.tokens.get(at).map(|t| t.directive);
        directive(a).is_some() && directive(a) == directive(b)
    }

    /// The tokens behind `at` that can belong to one construct with it: not those of directives, unless it is in one itself, and of
    /// conditionals only those of the first branch, or of its own.
    fn following(&self, at: usize) -> impl Iterator<Item = usize> {
        let (directive, alternative) =
            (self.tokens.get(at)).map_or((0, false), |start| (start.directive, start.alternative));
        let rest = at + 1..self.tokens.len();
        rest.take_while(move |&k| directive == 0 || self.tokens[k].directive == directive)
            .filter(move |&k| {
                let token = self.tokens[k];
                token.directive == directive && (alternative || !token.alternative)
            })
    }

    /// The first token of the declaration that the specifier at `at` is in.
    fn statement_start(&self, at: usize) -> usize {
        let mut start = at;
        while let Some(before) = start.checked_sub(1).filter(|k| self.together(*k, at)) {
            let aligned = || {
                let open = self.open_of(before)?;
                let word = open.checked_sub(1)?;
                ALIGNMENTS.contains(&self.text(word)).then_some(word)
            };
            start = match self.tokens[before].kind {
                Kind::Name if self.tokens[at].directive == 0 || !self.is_defined(before) => before,
                Kind::Symbol(b')') => match aligned() {
                    Some(word) => word,
                    None => break,
                },
                _ => break,
            };
        }
        start
    }

    /// Whether the name is that of the macro which its directive defines, or the word before it.
    fn is_defined(&self, at: usize) -> bool {
        self.text(at) == "define" || at > 0 && self.text(at - 1) == "define"
    }

    /// The bracket that closes the one at `open`.
    fn close_of(&self, open: usize) -> Option<usize> {
        let mut depth = 1_usize;
        for k in self.following(open) {
            match self.tokens[k].kind {
                Kind::Symbol(b'(' | b'[' | b'{') => depth += 1,
                Kind::Symbol(b')' | b']' | b'}') => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Some(k);
            }
        }
        None
    }

    /// The bracket that opens what the one at `close` closes.
    fn open_of(&self, close: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for k in (0..=close).rev() {
            if !self.together(k, close) {
                return None;
            }
            match self.tokens[k].kind {
                Kind::Symbol(b')' | b']' | b'}') => depth += 1,
                Kind::Symbol(b'(' | b'[' | b'{') => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Some(k);
            }
        }
        None
    }
}

/// A replacement of bytes of the text.
struct Edit {
    start: usize,
    end: usize,
    text: String,
}

impl Edit {
    fn insertion(at: usize, text: impl Into<String>) -> Edit {
        Edit {
            start: at,
            end: at,
            text: text.into(),
        }
    }

    /// Replaces the bytes, whose line breaks stay.
    fn replacement(code: &Code<'_>, start: usize, end: usize, text: impl Into<String>) -> Edit {
        let mut text = text.into();
        let gone = &code.text[start..end];
        let breaks = gone.matches('\n').count();
        let spliced = gone.contains("\\\n") || gone.contains("\\\r\n");
        text.push_str(&if spliced { "\\\n" } else { "\n" }.repeat(breaks));
        Edit { start, end, text }
    }
}

/// The text with its edits, in order, and launches.
struct Rendering<'a> {
    text: &'a str,
    edits: Vec<Edit>,
    launches: Vec<Launch>,
}

impl Rendering<'_> {
    /// `whole`: an insertion at the beginning belongs to the part.
    fn render(&self, start: usize, end: usize, whole: bool) -> String {
        let mut out = String::with_capacity(end - start + 64);
        let mut at = start;
        let before = |e: &Edit| e.start < start || !whole && (e.start, e.end) == (start, start);
        let mut edits = self.edits.partition_point(before);
        let mut launches = self.launches.partition_point(|l| l.callee.start < start);
        loop {
            let edit = self.edits.get(edits).filter(|e| e.end <= end);
            let launch = self.launches.get(launches);
            let launch = launch.filter(|l| l.arguments.end <= end);
            match (edit, launch) {
                (Some(edit), launch) if launch.is_none_or(|l| edit.start <= l.callee.start) => {
                    if edit.start >= at {
                        out += &self.text[at..edit.start];
                        out += &edit.text;
                        at = edit.end;
                    }
                    edits += 1;
                }
                (_, Some(launch)) => {
                    out += &self.text[at..launch.callee.start];
                    out += &self.launch(launch);
                    at = launch.arguments.end;
                    edits = self.edits.partition_point(|e| e.start < at);
                    launches = self.launches.partition_point(|l| l.callee.start < at);
                }
                _ => break,
            }
        }
        out += &self.text[at..end];
        out
    }

    fn launch(&self, launch: &Launch) -> String {
        let part = |range: &Range<usize>, whole| self.render(range.start, range.end, whole);
        let between = &self.text[launch.callee.end..launch.configuration.start - 3];
        let before = &self.text[launch.configuration.end + 3..launch.arguments.start];
        // What is inserted before the launch is there already.
        let callee = part(&launch.callee, false);
        let configuration = part(&launch.configuration, true);
        let arguments = part(&launch.arguments, true);
        match launch.elsewhere {
            true => format!(
                "::cuf::own::launcher({configuration})({callee}){between}{before}{arguments}"
            ),
            false => format!(
                "(::cuf::own::configured({configuration}), {callee}{between}{before}{arguments})"
            ),
        }
    }
}
