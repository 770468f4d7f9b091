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
/// Expansions of a macro within its own, in conditions.
const MAX_RECURSION: usize = 20;

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

    /// The last definition of this name is one that gfortran's preprocessor refuses.
    pub fn is_refused(&self, definition: &str) -> bool {
        let name = &definition[..word_end(definition)];
        let repeats = |p: &[String]| (1..p.len()).any(|k| p[..k].contains(&p[k]));
        let of = self.table.get(name);
        of.is_some_and(|m| m.variadic || m.parameters.as_deref().is_some_and(repeats))
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
            self.define(name, trimmed(after));
            return Ok(());
        };
        let close = list
            .find(')')
            .ok_or_else(|| format!("parameter list of macro `{name}` is not closed"))?;
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
            return Err(format!("`{p}` is not a parameter of macro `{name}`"));
        }
        self.insert(
            name,
            Some(parameters),
            variadic,
            trimmed(&list[close + 1..]),
        );
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
            return Ok(without_comments(text));
        }
        let run = Run {
            macros: self,
            place,
            comments: true,
            count: Cell::new(0),
            unlike: Cell::new(false),
        };
        let out = run.text(text, 0, &[], Some(stretches))?;
        if stretches.iter().all(|s| s.2) {
            stretches.clear();
        }
        Ok(out)
    }

    /// Expands the expression of a conditional, in which `!` is an operator and what follows `defined` stays, and tells whether gfortran's
    /// preprocessor may expand it otherwise.
    ///
    /// # Errors
    /// As [`Macros::expand`].
    pub fn expand_condition(
        &self,
        text: &str,
        place: &Place<'_>,
    ) -> Result<(String, bool), Failure> {
        let run = Run {
            macros: self,
            place,
            comments: false,
            count: Cell::new(0),
            unlike: Cell::new(false),
        };
        let expanded = run.text(text, 0, &[], None)?;
        Ok((expanded, run.unlike.get()))
    }
}

/// The expansion of one line.
struct Run<'a> {
    macros: &'a Macros,
    place: &'a Place<'a>,
    /// `!` begins a comment; if not, it is the expression of a conditional, in which arguments stay as they are written until the
    /// whole is read again, as they may be behind `defined`.
    comments: bool,
    count: Cell<usize>,
    /// An expansion that gfortran's preprocessor knows in another form or not at all.
    unlike: Cell<bool>,
}

/// What stands here is the name that `defined`, at the end of a condition so far, asks for.
fn follows_defined(condition: &str) -> bool {
    let text = condition.trim_end();
    let text = text.strip_suffix('(').unwrap_or(text).trim_end();
    let before = text.strip_suffix("defined");
    before.is_some_and(|b| !b.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_'))
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
            } else if c == EMPTY_COMMENT {
                i += c.len_utf8();
            } else if c.is_ascii_digit() {
                let end = number_end(rest);
                let letters = rest[..end].trim_start_matches(|c: char| !c.is_ascii_alphabetic());
                if self.macros.table.contains_key(letters) {
                    self.unlike.set(true);
                }
                out.push_str(&rest[..end]);
                i += end;
            } else if c.is_ascii_alphabetic() || c == '_' {
                let word = &rest[..word_end(rest)];
                let at = (out.len() as u32, i as u32);
                i += word.len();
                if !self.comments && follows_defined(&out) {
                    out.push_str(word);
                    continue;
                }
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

    /// The expansion of a word and how much of `after` (its arguments) it took; None if it is no macro. A macro that the expansion ends
    /// with may find its arguments in `after`, too.
    fn word(
        &self,
        word: &str,
        after: &str,
        depth: usize,
        active: &[&str],
    ) -> Result<Option<(String, usize)>, Failure> {
        let Some((mut expansion, mut used)) = self.once(word, after, depth, active)? else {
            return Ok(None);
        };
        while after[used..].trim_start().starts_with('(') {
            let name = self.last_macro(&expansion).to_owned();
            if name.is_empty() {
                break;
            }
            let Some((more, length)) = self.once(&name, &after[used..], depth, active)? else {
                break;
            };
            expansion.truncate(expansion.trim_end().len() - name.len());
            expansion.push_str(&more);
            used += length;
        }
        Ok(Some((expansion, used)))
    }

    /// The macro with parameters whose name a text ends with, empty if there is none.
    fn last_macro<'t>(&self, text: &'t str) -> &'t str {
        let text = text.trim_end();
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let name = &text[text.trim_end_matches(is_word).len()..];
        let called = |m: &Macro| m.parameters.is_some();
        match self.macros.table.get(name).is_some_and(called) {
            true => name,
            false => "",
        }
    }

    /// One expansion, as [`word`](Run::word).
    fn once(
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
        let around = active.iter().filter(|a| **a == word).count();
        if around > 0 && (self.comments || m.parameters.is_none()) {
            self.unlike.set(true);
            return Ok(None);
        }
        if around > MAX_RECURSION {
            return Err(Failure::Limit);
        }
        if m.variadic || m.body.contains('#') || word == "_OPENMP" {
            self.unlike.set(true);
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
        // Comments in arguments are gone before anything is expanded.
        let plain = |a: &&str| a.replace(EMPTY_COMMENT, "");
        let mut given: Vec<String> = arguments.iter().map(plain).collect();
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
        if !self.comments && given.iter().any(|a| a.contains("defined")) {
            self.unlike.set(true);
        }
        let mut expanded = Vec::with_capacity(given.len());
        for a in &given {
            expanded.push(match self.comments {
                true => self.text(a, depth + 1, active, None)?,
                false => a.clone(),
            });
        }
        let pasted = |k: usize, left: bool, right: bool| {
            let Some(text) = given.get(k).filter(|_| self.comments) else {
                return Ok(given.get(k).cloned().unwrap_or_default());
            };
            let begin = if left { word_end(text) } else { 0 };
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let end = match right {
                true => text.trim_end_matches(is_word).len().max(begin),
                false => text.len(),
            };
            let inner = self.text(&text[begin..end], depth + 1, active, None)?;
            Ok(format!("{}{inner}{}", &text[..begin], &text[end..]))
        };
        let body = substitute(&m.body, parameters, &given, &expanded, &pasted)?;
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

/// Stands for a comment of C in a macro's body, and between two words of code. It pastes what stands beside it: the arguments as they
/// are written, and in code the expansions of both words.
///
/// No text holds this character.
pub(super) const EMPTY_COMMENT: char = '\u{fdd0}';

/// A line of code without what stands for comments of C between words.
pub(super) fn without_comments(text: &str) -> String {
    let mut word = false;
    let mut chars = text.chars().peekable();
    let mut out = String::with_capacity(text.len());
    while let Some(c) = chars.next() {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if c != EMPTY_COMMENT || !word || !chars.peek().copied().is_some_and(is_word) {
            out.push(c);
        }
        word = is_word(c);
    }
    out
}

/// A macro's body without blanks and comments around it.
fn trimmed(body: &str) -> &str {
    body.trim_matches(|c: char| c.is_whitespace() || c == EMPTY_COMMENT)
}

/// Removes empty comments, and `##` with the blanks around it.
fn paste(body: &str) -> String {
    let body = body.replace(EMPTY_COMMENT, "");
    if !body.contains("##") {
        return body;
    }
    body.split("##").map(str::trim).collect::<Vec<_>>().concat()
}

/// Puts arguments for parameters, also inside quotes (traditional stringification). What is pasted or made a string is the
/// argument as written, elsewhere it is expanded. Of an argument beside an empty comment only the words there, on the left, on the right
/// or on both sides, are as written: `pasted_at` gives it.
fn substitute(
    body: &str,
    parameters: &[String],
    given: &[String],
    expanded: &[String],
    pasted_at: &dyn Fn(usize, bool, bool) -> Result<String, Failure>,
) -> Result<String, Failure> {
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
                let (left, right) = (
                    out.ends_with(EMPTY_COMMENT),
                    after.starts_with(EMPTY_COMMENT),
                );
                match left || right {
                    true => out.push_str(&pasted_at(k, left, right)?),
                    false => out.push_str(&expanded[k]),
                }
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
    Ok(paste(&out))
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
        let d = ["X 1", "C(a,b) a\u{fdd0}b", "D(a) C(a,_)a"];
        check(&d, "C(X,y) C(C(p,q),r)", "Xy pqr");
        check(&d, "C(X+X,X+X) C( X,X) C(X , X)", "1+XX+1  XX 1  1");
        check(&d, "D(X) C(X,C(2,3))", "1_1 XC(2,3)");
    }

    #[test]
    fn macros_for_macros() {
        let d = ["F(x) [x]", "O F", "ID(x) x", "D ID(F)", "T O 1", "G(x) G"];
        check(&d, "O(3) O (3) ID(F)(4) D(5) O", "[3] [3] [4] [5] F");
        check(&d, "T O(O(2)) ID(O)(6)O; G(1)(2)", "F 1 [[2]] [6]F; G");
    }

    #[test]
    fn words_beside_a_comment_expand_each() {
        check(
            &["A 5", "AA 7"],
            "A\u{fdd0}A '\u{1}A' ! A",
            "55 '\u{1}A' ! A",
        );
        check(&[], "A\u{fdd0}A", "AA");
        let d = ["A 5", "AA 7", "OB A\u{fdd0}A", "ID(x) x"];
        check(&d, "OB B\u{fdd0}B ID(A\u{fdd0}A)", "7 BB 7");
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
