//! Names in C++: which ones a runtime header offers, which of them a text mentions.

use std::collections::BTreeSet;

use crate::driver::toolchain::Target;

/// A token, as far as names matter.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Token<'a> {
    Name(&'a str),
    /// `::`
    Scope,
    Text,
    Symbol(char),
}

/// The names of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// In namespace `cuf` or one inside it.
    pub cuf: BTreeSet<String>,
    /// All others; of a text also those that belong to nothing in particular.
    pub global: BTreeSet<String>,
    /// Namespaces, of a header.
    pub spaces: BTreeSet<String>,
    /// Beginnings of names that macros put together, of a header: `__fadd_` of `__fadd_##suffix`.
    pub pasted: BTreeSet<String>,
}

impl Names {
    /// A macro may put the name together.
    pub fn pastes(&self, name: &str) -> bool {
        let rest = |p: &String| name.strip_prefix(p.as_str());
        let word = |r: &str| !r.is_empty() && r.bytes().all(|c| c.is_ascii_alphanumeric());
        self.pasted.iter().filter_map(rest).any(word)
    }
}

/// A header that a file includes, with the targets for which it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Include {
    /// As it stands between the quotes.
    pub path: String,
    pub cuda: bool,
    pub cpu: bool,
    /// Only where something is checked while the program runs.
    pub checks: bool,
}

impl Include {
    pub fn serves(&self, target: Target) -> bool {
        match target {
            Target::Cuda => self.cuda,
            Target::Cpu => self.cpu,
        }
    }
}

/// What stands on a line for the preprocessor, as far as the choice of files depends on it.
pub enum Directive<'a> {
    If(Branch),
    Else,
    EndIf,
    Include(&'a str),
    Other,
}

/// The target that a condition asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Branch {
    Only(Target),
    /// Something is checked while the program runs.
    Checks,
    Any,
}

/// The directive of a line, if it is one. Conditions of other things than the target count as true in both branches.
pub fn directive(line: &str) -> Option<Directive<'_>> {
    let text = line.strip_prefix('#')?.trim_start();
    if let Some(condition) = text.strip_prefix("if") {
        let branch = match condition.trim() {
            "defined(CUF_TARGET_CPU)" => Branch::Only(Target::Cpu),
            "!defined(CUF_TARGET_CPU)" => Branch::Only(Target::Cuda),
            "defined(CUF_CHECK)" => Branch::Checks,
            _ => Branch::Any,
        };
        return Some(Directive::If(branch));
    }
    Some(match text {
        _ if text.starts_with("else") || text.starts_with("elif") => Directive::Else,
        _ if text.starts_with("endif") => Directive::EndIf,
        _ => match text.strip_prefix("include \"") {
            Some(rest) => Directive::Include(rest.split('"').next().unwrap_or(rest)),
            None => Directive::Other,
        },
    })
}

/// The headers that a file includes by a name in quotes.
pub fn includes(text: &str) -> Vec<Include> {
    let mut open: Vec<Branch> = Vec::new();
    let mut found = Vec::new();
    for line in text.lines() {
        match directive(line) {
            Some(Directive::If(branch)) => open.push(branch),
            Some(Directive::Else) => {
                if let Some(branch) = open.last_mut() {
                    *branch = match *branch {
                        Branch::Only(Target::Cpu) => Branch::Only(Target::Cuda),
                        Branch::Only(Target::Cuda) => Branch::Only(Target::Cpu),
                        Branch::Checks | Branch::Any => Branch::Any,
                    };
                }
            }
            Some(Directive::EndIf) => {
                open.pop();
            }
            Some(Directive::Include(path)) => found.push(Include {
                path: path.to_owned(),
                cuda: !open.contains(&Branch::Only(Target::Cpu)),
                cpu: !open.contains(&Branch::Only(Target::Cuda)),
                checks: open.contains(&Branch::Checks),
            }),
            Some(Directive::Other) | None => {}
        }
    }
    found
}

/// The names that a text mentions, with those of its `include` lines left out.
pub fn mentions(text: &str) -> Names {
    let tokens = tokens(text, true);
    let mut names = Names::default();
    for (i, token) in tokens.iter().enumerate() {
        let Token::Name(name) = token else { continue };
        let into = match &tokens[..i] {
            // Of `cuf::op_max::identity` the class alone.
            [.., Token::Name("cuf"), Token::Scope] => &mut names.cuf,
            [.., Token::Scope] => continue,
            _ => &mut names.global,
        };
        into.insert((*name).to_owned());
    }
    names
}

/// The names that a header declares outside of classes and functions: functions, types, concepts, variables, macros, namespaces.
///
/// Too many are harmless. What a macro declares counts if its name is an argument of the macro, or if it begins as CUDA's names do.
pub fn offers(text: &str) -> Names {
    let mut names = Names {
        pasted: pasted(text),
        ..Names::default()
    };
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("#define ") {
            names
                .global
                .extend(identifiers(rest).next().map(str::to_owned));
        }
    }
    let tokens = tokens(text, false);
    // Of each open namespace or linkage block: whether it is in `cuf`.
    let mut open: Vec<bool> = Vec::new();
    let mut start = 0;
    let mut i = 0;
    while let Some(token) = tokens.get(i) {
        let inside = open.last().copied().unwrap_or(false);
        let declaration = &tokens[start..i];
        let into = if inside {
            &mut names.cuf
        } else {
            &mut names.global
        };
        match token {
            Token::Symbol('{') => match opened(declaration) {
                Some((before, path)) => {
                    declared(before, into);
                    open.push(inside || path.first() == Some(&"cuf"));
                    names.spaces.extend(path.into_iter().map(str::to_owned));
                    start = i + 1;
                }
                None => {
                    declared(declaration, into);
                    i = after_braces(&tokens, i);
                    start = i;
                    continue;
                }
            },
            Token::Symbol('}') => {
                // What macros declare need not end with a semicolon.
                declared(declaration, into);
                open.pop();
                start = i + 1;
            }
            Token::Symbol(';') => {
                declared(declaration, into);
                start = i + 1;
            }
            _ => {}
        }
        i += 1;
    }
    names
}

/// What stands before `##` in names of CUDA's form, `__fadd_##suffix`. The compiler's own (`__builtin_`) come from no header.
fn pasted(text: &str) -> BTreeSet<String> {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let heads = text.split("##").map(|part| {
        let rest = part.trim_end_matches(word);
        &part[rest.len()..]
    });
    heads
        .filter(|h| h.starts_with("__") && h.ends_with('_') && *h != "__builtin_")
        .map(str::to_owned)
        .collect()
}

/// If these tokens before a brace open a namespace or a linkage block: what stands before them, and the names of the namespaces.
fn opened<'a, 't>(tokens: &'a [Token<'t>]) -> Option<(&'a [Token<'t>], Vec<&'t str>)> {
    if let [before @ .., Token::Name("extern"), Token::Text] = tokens {
        return Some((before, Vec::new()));
    }
    let at = tokens.iter().position(|t| *t == Token::Name("namespace"))?;
    let names = tokens[at + 1..].iter().filter_map(|t| match t {
        Token::Name(name) => Some(*name),
        _ => None,
    });
    Some((&tokens[..at], names.collect()))
}

/// The index behind the brace that closes the one at `open`.
fn after_braces(tokens: &[Token<'_>], open: usize) -> usize {
    let mut depth = 0;
    for (i, token) in tokens.iter().enumerate().skip(open) {
        match token {
            Token::Symbol('{') => depth += 1,
            Token::Symbol('}') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return i + 1;
        }
    }
    tokens.len()
}

/// Adds what one declaration declares.
fn declared(tokens: &[Token<'_>], names: &mut BTreeSet<String>) {
    if tokens.starts_with(&[Token::Name("using"), Token::Name("namespace")]) {
        return;
    }
    let mut last = None;
    let mut parentheses = 0;
    let mut angles = 0;
    let mut in_macro = false;
    let mut variable = true;
    let mut in_type = false;
    for (i, token) in tokens.iter().enumerate() {
        let before = i.checked_sub(1).map(|b| tokens[b]);
        match token {
            Token::Symbol('<') => angles += 1,
            Token::Symbol('>') => angles -= 1,
            Token::Symbol('(') => {
                if let (0, Some(name)) = (parentheses, last) {
                    if !KEYWORDS.contains(&name) {
                        names.insert(str::to_owned(name));
                    }
                    in_macro = is_macro(name);
                    variable = false;
                }
                parentheses += 1;
            }
            Token::Symbol(')') => parentheses -= 1,
            Token::Symbol('=' | '[') if parentheses == 0 && angles <= 0 => {
                // Each of several variables has its value.
                if let (Some(name), true) = (last, *token == Token::Symbol('=') || variable) {
                    names.insert(str::to_owned(name));
                }
                variable = false;
                in_type = false;
            }
            Token::Symbol(':') => in_type = false,
            Token::Name(name) => {
                // `struct alignas(8) name`: no harm is done by the other word.
                in_type |= angles <= 0
                    && matches!(
                        before,
                        Some(Token::Name(
                            "struct" | "class" | "enum" | "union" | "concept" | "using"
                        ))
                    );
                let type_name = in_type && parentheses == 0 && angles <= 0;
                if type_name && !KEYWORDS.contains(name) || (in_macro && parentheses > 0) {
                    names.insert((*name).to_owned());
                }
            }
            _ => {}
        }
        last = match token {
            Token::Name(name) => Some(*name),
            _ => None,
        };
    }
    if let (true, Some(name)) = (variable, last) {
        names.insert(name.to_owned());
    }
}

/// Words that can stand before a parenthesis or in the head of a type, and names of everywhere.
const KEYWORDS: [&str; 12] = [
    "alignas", "class", "cuf", "decltype", "final", "noexcept", "operator", "private", "public",
    "requires", "sizeof", "std",
];

fn is_macro(name: &str) -> bool {
    name.starts_with("CUF_") && !name.chars().any(|c: char| c.is_ascii_lowercase())
}

/// The tokens of a text without comments, numbers and, unless `all`, lines for the preprocessor.
fn tokens(text: &str, all: bool) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut fresh = true;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '\n' => {
                fresh = true;
                rest = &rest[1..];
                continue;
            }
            _ if c.is_whitespace() => c.len_utf8(),
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |n| n + 2),
            '#' if fresh && (!all || rest.starts_with("#include")) => line_with_continuations(rest),
            '"' | '\'' => {
                found.push(Token::Text);
                literal(rest, c)
            }
            _ if c.is_ascii_digit() => {
                let n = rest
                    .find(|c: char| !(c.is_ascii_alphanumeric() || c == '.' || c == '\''))
                    .unwrap_or(rest.len());
                // What follows an underscore is the name of a literal operator.
                n.max(1)
            }
            _ if c.is_ascii_alphabetic() || c == '_' => {
                let n = word(rest);
                found.push(Token::Name(&rest[..n]));
                n
            }
            ':' if rest.starts_with("::") => {
                found.push(Token::Scope);
                2
            }
            _ => {
                found.push(Token::Symbol(c));
                c.len_utf8()
            }
        };
        fresh = false;
        rest = &rest[length.min(rest.len())..];
    }
    found
}

fn word(text: &str) -> usize {
    text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .unwrap_or(text.len())
}

fn line_with_continuations(text: &str) -> usize {
    let mut length = 0;
    for line in text.split_inclusive('\n') {
        length += line.len();
        if !line.trim_end().ends_with('\\') {
            return length - usize::from(line.ends_with('\n'));
        }
    }
    length
}

/// The length of a string or character literal.
fn literal(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (i, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' => return i,
            _ if c == quote => return i + 1,
            _ => {}
        }
    }
    text.len()
}

/// The words of a text, whatever stands between them.
pub fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .filter(|w| w.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_a_header() {
        let offered = offers(
            "#pragma once\n#define CUF_FN inline\n#define CUF_BOTH(name) \\\n  CUF_FN int name(int x) { return x; }\n\
             namespace cuf {\nnamespace detail { struct tool { int member; }; }\n\
             template <typename T> CUF_FN T twice(T value) { return other(value); }\n\
             CUF_BOTH(thrice)\nusing real = float;\nstruct box : tool {};\ninline constexpr int size_of_it = 3;\n\
             namespace literals { half operator\"\"_h(long double); }\n}\nextern \"C\" {\nint cufapi_x(int* p);\n}\n",
        );
        let cuf: Vec<&str> = offered.cuf.iter().map(String::as_str).collect();
        for name in ["twice", "thrice", "real", "box", "size_of_it", "tool", "_h"] {
            assert!(cuf.contains(&name), "{name}: {cuf:?}");
        }
        for name in ["member", "value", "other"] {
            assert!(!cuf.contains(&name), "{name}");
        }
        assert!(offered.global.contains("cufapi_x") && offered.global.contains("CUF_BOTH"));
    }

    #[test]
    fn names_of_a_text() {
        let mentioned = mentions(
            "#include \"cuf.cuh\"\n// cuf::none\nauto x = cuf::array<T, 1>(p) + 1.0_h; f(\"cuf::no\");",
        );
        assert!(mentioned.cuf.contains("array") && mentioned.cuf.len() == 1);
        assert!(mentioned.global.contains("_h") && mentioned.global.contains("f"));
    }

    #[test]
    fn includes_know_their_target() {
        let found = includes(
            "#include \"a\"\n#if defined(CUF_TARGET_CPU)\n#include \"b\"\n#else\n#include \"c\"\n#endif\n",
        );
        let served: Vec<(bool, bool)> = found.iter().map(|i| (i.cuda, i.cpu)).collect();
        assert_eq!(served, [(true, true), (false, true), (true, false)]);
    }
}
