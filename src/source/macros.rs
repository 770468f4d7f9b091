//! Macros of the preprocessor and their expansion.
//!
//! As `cpp -traditional-cpp`: parameters are replaced inside quotes too, an empty comment in a body pastes. As nvfortran:
//! `##` pastes and `#x` makes a string. Numbers are taken whole (`1.0e-3` holds no `e`), and Fortran comments stay as they are.

use std::cell::Cell;
use std::collections::BTreeMap;

use super::line::Stretch;

/// Length of an expansion beyond which it stops, bytes.
const MAX_EXPANSION: usize = 1 << 20;
/// Expansions that start on one line.
const MAX_COUNT: usize = 20_000;
/// Nested expansions.
const MAX_DEPTH: usize = 64;

/// A macro; None for parameters means object-like.
#[derive(Clone, Debug)]
struct Macro {
    parameters: Option<Vec<String>>,
    /// The last parameter takes all further arguments.
    variadic: bool,
    body: String,
}

/// Why a line cannot be expanded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// The line ends within the arguments of this macro.
    Unclosed(String),
    /// Name, parameters, arguments.
    Arguments(String, usize, usize),
    /// Too long or too deep.
    Limit,
}

/// What a line expands for.
pub(super) struct Place<'a> {
    pub file: &'a str,
    pub line: u32,
}

pub(super) fn predefined(name: &str) -> bool {
    matches!(
        name,
        "__LINE__" | "__FILE__" | "__DATE__" | "__TIME__" | "__TIMESTAMP__"
    )
}

/// The macros that are defined.
#[derive(Debug, Default)]
pub(super) struct Macros {
    table: BTreeMap<String, Macro>,
    /// The bytes that a name in the table, or a predefined one, begins with.
    initials: Initials,
}

#[derive(Debug)]
struct Initials([bool; 256]);

impl Default for Initials {
    fn default() -> Self {
        let mut initials = [false; 256];
        initials[usize::from(b'_')] = true;
        Initials(initials)
    }
}

impl Macros {
    pub fn is_defined(&self, name: &str) -> bool {
        self.table.contains_key(name) || predefined(name)
    }

    /// Parameters, None for an object-like macro, and body. Those with a variable number of arguments show a body that no other has.
    pub fn definition(&self, name: &str) -> Option<(Option<&[String]>, &str)> {
        let m = self.table.get(name)?;
        let body = if m.variadic { "#" } else { m.body.as_str() };
        Some((m.parameters.as_deref(), body))
    }

    pub fn undefine(&mut self, name: &str) {
        self.table.remove(name);
    }

    pub fn define(&mut self, name: &str, body: &str) {
        self.insert(name, None, false, body);
    }

    fn insert(&mut self, name: &str, parameters: Option<Vec<String>>, variadic: bool, body: &str) {
        if let Some(b) = name.bytes().next() {
            self.initials.0[usize::from(b)] = true;
        }
        self.table.insert(
            name.to_owned(),
            Macro {
                parameters,
                variadic,
                body: body.to_owned(),
            },
        );
    }

    /// What follows `#define`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn define_from(&mut self, rest: &str) -> Result<(), String> {
        let (name, after) = rest.split_at(word_end(rest));
        if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            return Err("#define without a name".to_owned());
        }
        let Some(list) = after.strip_prefix('(') else {
            self.define(name, after.trim());
            return Ok(());
        };
        let close = list
            .find(')')
            .ok_or_else(|| format!("the parameters of {name} are not closed"))?;
        let mut parameters: Vec<String> = list[..close]
            .split(',')
            .map(|p| p.trim().to_owned())
            .collect();
        if parameters == [""] {
            parameters.clear();
        }
        let mut variadic = false;
        if let Some(last) = parameters.last_mut()
            && let Some(named) = last.strip_suffix("...")
        {
            variadic = true;
            *last = match named.trim() {
                "" => "__VA_ARGS__".to_owned(),
                n => n.to_owned(),
            };
        }
        if let Some(p) = parameters
            .iter()
            .find(|p| p.is_empty() || word_end(p) != p.len())
        {
            return Err(format!("'{p}' is no parameter of {name}"));
        }
        self.insert(name, Some(parameters), variadic, list[close + 1..].trim());
        Ok(())
    }

    /// A word of the text, be it in a comment or a string, begins as a macro does. False for most lines.
    fn may_expand(&self, text: &str) -> bool {
        let mut inside = false;
        !self.table.is_empty()
            && text.bytes().any(|b| {
                let begins = !inside && self.initials.0[usize::from(b)];
                inside = b.is_ascii_alphabetic() || b == b'_' || inside && b.is_ascii_digit();
                begins
            })
    }

    /// Expands a line. `stretches` gets where its parts came from; it stays empty if nothing was replaced.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn expand(
        &self,
        text: &str,
        place: &Place<'_>,
        stretches: &mut Vec<Stretch>,
    ) -> Result<String, Failure> {
        if !self.may_expand(text) {
            return Ok(text.to_owned());
        }
        let run = Run {
            macros: self,
            place,
            comments: true,
            count: Cell::new(0),
        };
        let out = run.text(text, 0, &[], Some(stretches))?;
        if stretches.iter().all(|s| s.2) {
            stretches.clear();
        }
        Ok(out)
    }

    /// Expands the expression of a conditional, in which `!` is an operator.
    ///
    /// # Errors
    /// As [`Macros::expand`].
    pub fn expand_condition(&self, text: &str, place: &Place<'_>) -> Result<String, Failure> {
        let run = Run {
            macros: self,
            place,
            comments: false,
            count: Cell::new(0),
        };
        run.text(text, 0, &[], None)
    }
}

/// The expansion of one line.
struct Run<'a> {
    macros: &'a Macros,
    place: &'a Place<'a>,
    /// `!` begins a comment.
    comments: bool,
    count: Cell<usize>,
}

impl Run<'_> {
    fn text(
        &self,
        text: &str,
        depth: usize,
        active: &[&str],
        mut stretches: Option<&mut Vec<Stretch>>,
    ) -> Result<String, Failure> {
        if depth > MAX_DEPTH {
            return Err(Failure::Limit);
        }
        let mut out = String::with_capacity(text.len());
        let mut quote: Option<char> = None;
        let mut i = 0;
        while let Some(c) = text[i..].chars().next() {
            if out.len() > MAX_EXPANSION.max(2 * text.len()) {
                return Err(Failure::Limit);
            }
            let rest = &text[i..];
            if let Some(q) = quote {
                out.push(c);
                quote = quote.filter(|_| c != q);
                i += c.len_utf8();
            } else if c == '!' && self.comments && depth == 0 && is_comment(rest) {
                out.push_str(rest);
                break;
            } else if c == '\'' || c == '"' {
                quote = Some(c);
                out.push(c);
                i += 1;
            } else if c.is_ascii_digit() {
                let end = number_end(rest);
                out.push_str(&rest[..end]);
                i += end;
            } else if c.is_ascii_alphabetic() || c == '_' {
                let word = &rest[..word_end(rest)];
                let at = (out.len() as u32, i as u32);
                i += word.len();
                match self.word(word, &text[i..], depth, active)? {
                    None => out.push_str(word),
                    Some((expansion, used)) => {
                        out.push_str(&expansion);
                        i += used;
                        if let Some(s) = stretches.as_deref_mut() {
                            if s.is_empty() {
                                s.push((0, 0, true));
                            }
                            s.push((at.0, at.1, false));
                            s.push((out.len() as u32, i as u32, true));
                        }
                    }
                }
            } else {
                out.push(c);
                i += c.len_utf8();
            }
        }
        Ok(out)
    }

    /// The expansion of a word and how much of `after` (its arguments) it took; None if it is no macro.
    fn word(
        &self,
        word: &str,
        after: &str,
        depth: usize,
        active: &[&str],
    ) -> Result<Option<(String, usize)>, Failure> {
        match word {
            "__LINE__" => return Ok(Some((self.place.line.to_string(), 0))),
            "__FILE__" => return Ok(Some((format!("\"{}\"", self.place.file), 0))),
            // The time of translation would make every output another one.
            "__DATE__" => return Ok(Some(("\"Jan  1 1970\"".to_owned(), 0))),
            "__TIME__" => return Ok(Some(("\"00:00:00\"".to_owned(), 0))),
            "__TIMESTAMP__" => return Ok(Some(("\"Thu Jan  1 00:00:00 1970\"".to_owned(), 0))),
            _ => {}
        }
        let Some((name, m)) = self.macros.table.get_key_value(word) else {
            return Ok(None);
        };
        if active.contains(&word) {
            return Ok(None);
        }
        self.count.set(self.count.get() + 1);
        if self.count.get() > MAX_COUNT {
            return Err(Failure::Limit);
        }
        let mut inner: Vec<&str> = active.to_vec();
        inner.push(name);
        let Some(parameters) = &m.parameters else {
            let body = self.text(&paste(&m.body), depth + 1, &inner, None)?;
            return Ok(Some((body, 0)));
        };
        if !after.trim_start().starts_with('(') {
            return Ok(None);
        }
        let (mut arguments, used) =
            arguments(after).ok_or_else(|| Failure::Unclosed(word.to_owned()))?;
        if parameters.is_empty() && arguments.len() == 1 && arguments[0].trim().is_empty() {
            arguments.clear();
        }
        if m.variadic && arguments.len() + 1 == parameters.len() {
            arguments.push("");
        }
        let mut given: Vec<String> = arguments.iter().map(|a| (*a).to_owned()).collect();
        if m.variadic && given.len() > parameters.len() {
            let rest = given.split_off(parameters.len() - 1).join(",");
            given.push(rest);
        }
        if given.len() != parameters.len() {
            return Err(Failure::Arguments(
                word.to_owned(),
                parameters.len(),
                given.len(),
            ));
        }
        let mut expanded = Vec::with_capacity(given.len());
        for a in &given {
            expanded.push(self.text(a, depth + 1, active, None)?);
        }
        let body = substitute(&m.body, parameters, &given, &expanded);
        if body.len() > MAX_EXPANSION.max(2 * after.len()) {
            return Err(Failure::Limit);
        }
        Ok(Some((self.text(&body, depth + 1, &inner, None)?, used)))
    }
}

/// `!` begins a comment and no sentinel.
pub(super) fn is_comment(rest: &str) -> bool {
    !["!$", "!@"].iter().any(|s| rest.starts_with(s))
}

/// Length of the identifier that text begins with.
pub(super) fn word_end(text: &str) -> usize {
    text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .unwrap_or(text.len())
}

/// Length of the number that text begins with, with exponent and kind; `1.eq.x` ends before the operator's letters.
fn number_end(text: &str) -> usize {
    let digits = |t: &str| t.find(|c: char| !c.is_ascii_digit()).unwrap_or(t.len());
    let mut end = digits(text);
    if text[end..].starts_with('.') {
        let after = &text[end + 1..];
        let mut exponent = after.chars();
        let letter = exponent.next().unwrap_or(' ');
        let sign = exponent.as_str().trim_start_matches(['+', '-']);
        let operator = letter.is_ascii_alphabetic()
            && !(matches!(letter.to_ascii_lowercase(), 'e' | 'd' | 'q')
                && sign.starts_with(|c: char| c.is_ascii_digit()));
        end += 1;
        if operator {
            return end;
        }
        end += digits(&text[end..]);
    }
    end + word_end(&text[end..])
}

/// Stands for an empty comment in a macro's body: it pastes what stands beside it, after the arguments are expanded.
pub(super) const EMPTY_COMMENT: char = '\u{1}';

/// Removes empty comments, and `##` with the blanks around it.
fn paste(body: &str) -> String {
    let body = body.replace(EMPTY_COMMENT, "");
    if !body.contains("##") {
        return body;
    }
    body.split("##").map(str::trim).collect::<Vec<_>>().concat()
}

/// Puts arguments for parameters, also inside quotes (traditional stringification). What is pasted or made a string is the
/// argument as written, elsewhere it is expanded.
fn substitute(body: &str, parameters: &[String], given: &[String], expanded: &[String]) -> String {
    let mut out = String::new();
    let mut rest = body;
    let mut quoted = None;
    while let Some(c) = rest.chars().next() {
        if c.is_ascii_alphabetic() || c == '_' {
            let (word, after) = rest.split_at(word_end(rest));
            rest = after;
            let Some(k) = parameters.iter().position(|p| p == word) else {
                out.push_str(word);
                continue;
            };
            let pasted = after.trim_start().starts_with("##") || out.trim_end().ends_with("##");
            if out.ends_with('#') && !pasted {
                out.pop();
                out.push_str(&format!("\"{}\"", given[k].trim()));
            } else if pasted {
                out.push_str(given[k].trim());
            } else if quoted.is_some() {
                out.push_str(&given[k]);
            } else {
                out.push_str(&expanded[k]);
            }
        } else if c.is_ascii_digit() {
            // `1d0` holds no parameter `d0`.
            let (number, after) = rest.split_at(number_end(rest));
            out.push_str(number);
            rest = after;
        } else {
            if c == '\'' || c == '"' {
                quoted = match quoted {
                    None => Some(c),
                    Some(q) if q == c => None,
                    q => q,
                };
            }
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    paste(&out)
}

/// The arguments in parentheses after a function-like macro's name, and how many bytes they take; None if they do not end.
fn arguments(after: &str) -> Option<(Vec<&str>, usize)> {
    let mut depth = 0usize;
    let mut quote = None;
    let mut out = Vec::new();
    let mut start = 0;
    for (i, c) in after.char_indices() {
        match (quote, c) {
            (Some(q), _) => quote = Some(q).filter(|_| c != q),
            (None, '\'' | '"') => quote = Some(c),
            (None, '(') => {
                depth += 1;
                if depth == 1 {
                    start = i + 1;
                }
            }
            (None, ')') => {
                depth -= 1;
                if depth == 0 {
                    out.push(&after[start..i]);
                    return Some((out, i + 1));
                }
            }
            (None, ',') if depth == 1 => {
                out.push(&after[start..i]);
                start = i + 1;
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{Failure, Macros, Place};

    fn expand(definitions: &[&str], text: &str) -> Result<String, Failure> {
        let mut m = Macros::default();
        for d in definitions {
            m.define_from(d).expect("definition");
        }
        let place = Place {
            file: "a.CUF",
            line: 7,
        };
        m.expand(text, &place, &mut Vec::new())
    }

    fn check(definitions: &[&str], text: &str, expected: &str) {
        assert_eq!(expand(definitions, text).as_deref(), Ok(expected));
    }

    #[test]
    fn numbers_are_whole() {
        let d = ["e 9", "E5 9", "RP 8", "d0 7"];
        check(&d, "1.0e-3 1.E5 1.e+2 1d0 2RP", "1.0e-3 1.E5 1.e+2 1d0 2RP");
        check(&d, "1.eq.RP e+1", "1.eq.8 9+1");
    }

    #[test]
    fn strings_and_comments() {
        check(
            &["STR(x) \"x\"", "Q(x) #x", "RP 8"],
            "STR(a b)//Q( c ) // 'RP' ! RP don't",
            "\"a b\"//\"c\" // 'RP' ! RP don't",
        );
        check(
            &["RP 8"],
            "!$cuf kernel do <<<RP>>>",
            "!$cuf kernel do <<<8>>>",
        );
    }

    #[test]
    fn arguments_as_cpp_counts_them() {
        check(&["G(a,b) [a|b]"], "G([1,2])", "[[1|2]]");
        check(&["G(a,b) a*b"], "G((1,2), f(',)'))", "(1,2)* f(',)')");
        check(&["V(a,...) a(__VA_ARGS__)"], "V(f,1,2) V(g)", "f(1,2) g()");
        assert_eq!(
            expand(&["G(a,b) a*b"], "G(1)"),
            Err(Failure::Arguments("G".to_owned(), 2, 1))
        );
        assert_eq!(
            expand(&["G(a,b) a*b"], "G(1, &"),
            Err(Failure::Unclosed("G".to_owned()))
        );
    }

    #[test]
    fn pasting_takes_the_argument_as_written() {
        check(
            &["X 1", "C(a,b) a##b", "D(a) a ## _d"],
            "C(X,y) D(p)",
            "Xy p_d",
        );
        check(&["X 1", "C(a,b) a\u{1}b"], "C(X,y) C(C(p,q),r)", "1y pqr");
    }

    #[test]
    fn growth_ends() {
        let doubling: Vec<String> = (0..40).map(|i| format!("A{i} A{0} A{0}", i + 1)).collect();
        let d: Vec<&str> = doubling.iter().map(String::as_str).collect();
        assert_eq!(expand(&d, "A0"), Err(Failure::Limit));
        let call = format!("{}x{}", "F(".repeat(1000), ")".repeat(1000));
        assert_eq!(expand(&["F(a) a"], &call), Err(Failure::Limit));
        check(&["A B", "B A"], "A", "A");
    }
}
