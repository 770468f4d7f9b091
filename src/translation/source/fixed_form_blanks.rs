//! Fixed form where blanks do not separate words (F2018 6.3.3.1): `DO10I=1,N`, `REAL X Y`, `DIMEN SION A(3)`.
//!
//! The usual conversion keeps the user's lines, which reads best and fits almost all code. Where its result has syntax
//! errors, the statements are written anew: without any blanks of their own, and with those that free form wants.

use super::fixed::{Piece, pieces};
use super::line::Line;
use super::statements::hollerith_count;

/// Joins every statement on its first line, in words as free form needs them. Its other lines become blank.
pub(super) fn respace(lines: &mut [Line], width: usize) {
    let mut statement: Vec<usize> = Vec::new();
    let mut code = String::new();
    let mut label = String::new();
    let mut state = State::default();
    for i in 0..lines.len() {
        match pieces(&lines[i].text, width) {
            Piece::Initial { label: l, code: c } => {
                finish(lines, &mut statement, &label, &code, width);
                (label, code) = (l, c);
                state = State::default();
                code.chars().for_each(|c| state.read(c));
                statement.push(i);
            }
            Piece::Continuation(c) if !statement.is_empty() => {
                // A string fills its line.
                let columns = state.columns % (width - 6);
                if state.in_text() && columns > 0 && width != usize::MAX {
                    let fill = width - 6 - columns;
                    let fill = " ".repeat(fill);
                    code.push_str(&fill);
                    fill.chars().for_each(|c| state.read(c));
                }
                code.push_str(&c);
                c.chars().for_each(|c| state.read(c));
                statement.push(i);
            }
            _ => {}
        }
    }
    finish(lines, &mut statement, &label, &code, width);
}

fn finish(lines: &mut [Line], statement: &mut Vec<usize>, label: &str, code: &str, width: usize) {
    match (statement.first(), line_words(&compact(code))) {
        (Some(&first), Some(text)) => {
            let label: String = label.chars().filter(|c| *c != ' ').collect();
            lines[first].text = format!("{label:<6}{text}");
            for &i in &statement[1..] {
                lines[i].text.clear();
            }
        }
        // As it is, without what stands behind the last column.
        _ => {
            for &i in statement.iter() {
                if let Some((end, _)) = lines[i].text.char_indices().nth(width) {
                    lines[i].text.truncate(end);
                }
            }
        }
    }
    statement.clear();
}

/// Keywords that gfortran takes in free form without a blank after them.
const GLUED: [&str; 19] = [
    "allocatable",
    "backspace",
    "character",
    "codimension",
    "dimension",
    "doubleprecision",
    "endfile",
    "enumerator",
    "external",
    "flush",
    "goto",
    "import",
    "intrinsic",
    "optional",
    "pointer",
    "precision",
    "rewind",
    "save",
    "target",
];

/// Free form: puts the blank that is missing behind the first word of a line (`goto10`, `savea`).
pub(super) fn unglue(lines: &mut [Line]) {
    for line in lines {
        if let Some(at) = missing_blank(&line.text) {
            line.text.insert(at, ' ');
        }
    }
}

/// Where a blank is missing, if the line can be nothing else than a statement of that keyword.
fn missing_blank(line: &str) -> Option<usize> {
    if line.trim_start().starts_with(['!', '#', '&']) {
        return None;
    }
    let (code, _) = line.split_once('!').unwrap_or((line, ""));
    let code = code.to_ascii_lowercase();
    let mut at = code.len()
        - code
            .trim_start_matches(|c: char| c == ' ' || c.is_ascii_digit())
            .len();
    let after_if = code[at..].strip_prefix("if").map(str::trim_start);
    if let Some(inner) = after_if.and_then(|r| r.strip_prefix('(')) {
        let rest = &inner[closing(inner)? + 1..];
        at = code.len() - rest.trim_start().len();
    }
    if let Some(rest) = code[at..].strip_prefix("double ") {
        at = code.len() - rest.trim_start().len();
    }
    let statement = &code[at..];
    if top_level(statement, b'=').is_some() {
        return None;
    }
    let keyword = GLUED.iter().find(|k| statement.starts_with(**k))?;
    let next = statement[keyword.len()..].bytes().next()?;
    (next.is_ascii_alphanumeric() || next == b'_').then_some(at + keyword.len())
}

/// Where the code of a statement ends: what has been read of it.
#[derive(Default)]
struct State {
    /// The string that is open.
    quote: Option<char>,
    /// Characters of a Hollerith constant that are still to come.
    hollerith: usize,
    comment: bool,
    columns: usize,
    /// The characters that are neither blanks nor text.
    code: Vec<(u8, usize)>,
}

impl State {
    fn read(&mut self, c: char) {
        self.columns += 1;
        match self.quote {
            _ if self.comment => {}
            _ if self.hollerith > 0 => self.hollerith -= 1,
            Some(q) if q == c => self.quote = None,
            Some(_) => {}
            None if c == '\'' || c == '"' => self.quote = Some(c),
            None if c == '!' => self.comment = true,
            None if c.is_whitespace() => {}
            None => {
                if c.eq_ignore_ascii_case(&'h') {
                    self.hollerith = hollerith_count(&self.code);
                }
                self.code.push((u8::try_from(c).unwrap_or(b'?'), 0));
            }
        }
    }

    /// Blanks count here.
    fn in_text(&self) -> bool {
        self.quote.is_some() || self.hollerith > 0
    }
}

/// The code without blanks outside of strings and without its comment.
fn compact(code: &str) -> String {
    let mut out = String::with_capacity(code.len());
    let mut state = State::default();
    for c in code.chars() {
        let inside = state.in_text();
        state.read(c);
        if state.comment {
            break;
        }
        if inside || !c.is_whitespace() {
            out.push(c);
        }
    }
    out
}

/// Statements that are a keyword and what follows it.
const KEYWORDS: [&str; 61] = [
    "elemental",
    "endselect",
    "errorstop",
    "pure",
    "recursive",
    "selectcase(",
    "write",
    "where",
    "allocate",
    "assign",
    "backspace",
    "blockdata",
    "call",
    "casedefault",
    "case",
    "close",
    "common",
    "contains",
    "continue",
    "cycle",
    "data",
    "deallocate",
    "dimension",
    "elseif",
    "else",
    "enddo",
    "endfile",
    "endif",
    "endfunction",
    "endprogram",
    "endsubroutine",
    "endmodule",
    "end",
    "entry",
    "equivalence",
    "exit",
    "external",
    "format",
    "function",
    "goto",
    "implicit",
    "include",
    "inquire",
    "intrinsic",
    "module",
    "namelist",
    "open",
    "parameter",
    "pause",
    "print",
    "private",
    "program",
    "protected",
    "public",
    "read",
    "return",
    "rewind",
    "save",
    "stop",
    "subroutine",
    "use",
];

/// Type names, the longer before the shorter.
const TYPES: [&str; 8] = [
    "doubleprecision",
    "doublecomplex",
    "character",
    "integer",
    "logical",
    "complex",
    "real",
    "byte",
];

/// As [`words`], for the statements between semicolons.
fn line_words(s: &str) -> Option<String> {
    let mut end = top_level(s, b';');
    if end.is_none() {
        return words(s);
    }
    let mut out = String::with_capacity(s.len());
    let mut rest = s;
    while let Some(e) = end {
        let part = &rest[..e];
        out.push_str(words(part).as_deref().unwrap_or(part));
        out.push(';');
        rest = &rest[e + 1..];
        end = top_level(rest, b';');
    }
    out.push_str(words(rest).as_deref().unwrap_or(rest));
    Some(out)
}

/// A compact statement with blanks between its words; None if it is left as it is.
fn words(s: &str) -> Option<String> {
    let lower = s.to_ascii_lowercase();
    if let Some(rest) = lower.strip_prefix("if(") {
        let close = s.len() - rest.len() + closing(rest)?;
        let after = s.get(close + 1..)?;
        if !after.starts_with('=') {
            let tail = match after.to_ascii_lowercase().as_str() {
                "then" => after.to_owned(),
                _ => words(after).unwrap_or_else(|| after.to_owned()),
            };
            return Some(format!("{} {tail}", &s[..=close]));
        }
    }
    if let Some(equals) = top_level(&lower, b'=')
        && !lower[..equals].contains("::")
    {
        if lower.starts_with("do") && top_level(&lower[equals..], b',').is_some() {
            return Some(do_words(s, equals));
        }
        // Not in `stop 1, quiet=.true.`
        if top_level(&lower[..equals], b',').is_none() {
            return Some(s.to_owned());
        }
    }
    if lower.starts_with("dowhile(") {
        return Some(format!("do while{}", &s[7..]));
    }
    for prefix in ["attributes(", "launch_bounds(", "cluster_dims("] {
        if let Some(rest) = lower.strip_prefix(prefix) {
            let end = prefix.len() + closing(rest)? + 1;
            let after = &s[end..];
            let after = words(after).unwrap_or_else(|| after.to_owned());
            return Some(format!("{} {after}", &s[..end]));
        }
    }
    for t in TYPES {
        if lower.starts_with(t) {
            return Some(declaration(s, t.len()));
        }
    }
    let keyword = KEYWORDS
        .iter()
        .filter(|k| lower.starts_with(**k))
        .max_by_key(|k| k.len())?;
    let (word, rest) = s.split_at(keyword.len());
    Some(match *keyword {
        "implicit" | "recursive" | "elemental" | "pure" => {
            format!("{word} {}", words(rest).unwrap_or_else(|| rest.to_owned()))
        }
        "errorstop" => format!("error stop {rest}").trim_end().to_owned(),
        "assign" => {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            format!("{word} {} to {}", &rest[..digits], rest.get(digits + 2..)?)
        }
        _ => format!("{word} {rest}").trim_end().to_owned(),
    })
}

/// `do10i=1,n`: label and variable apart.
fn do_words(s: &str, equals: usize) -> String {
    let head = &s[2..equals];
    let digits = head.bytes().take_while(u8::is_ascii_digit).count();
    let (label, variable) = head.split_at(digits);
    format!(
        "do {label} {}{}",
        variable.trim_start_matches(','),
        &s[equals..]
    )
}

/// `real*8functionf(x)`, `character*10name`, `integer(4)n`
fn declaration(s: &str, name: usize) -> String {
    let rest = &s[name..];
    let spec = if let Some(after) = rest.strip_prefix('*') {
        match after.strip_prefix('(') {
            Some(inner) => closing(inner).map_or(0, |c| c + 3),
            None => 1 + after.bytes().take_while(u8::is_ascii_digit).count(),
        }
    } else if let Some(inner) = rest.strip_prefix('(') {
        closing(inner).map_or(0, |c| c + 2)
    } else {
        0
    };
    let (spec, tail) = rest.split_at(spec.min(rest.len()));
    let lower = tail.to_ascii_lowercase();
    let tail = match lower.strip_prefix("function") {
        Some(f) if f.contains('(') => format!("function {}", &tail[8..]),
        _ => tail.to_owned(),
    };
    let blank = if tail.starts_with([',', ':']) {
        ""
    } else {
        " "
    };
    format!("{}{spec}{blank}{tail}", &s[..name])
}

/// Offset of the parenthesis that closes one opened before the text.
fn closing(s: &str) -> Option<usize> {
    let mut depth = 0usize;
    let mut quote = None;
    for (i, b) in s.bytes().enumerate() {
        match (quote, b) {
            (Some(q), _) if q == b => quote = None,
            (Some(_), _) => {}
            (None, b'\'' | b'"') => quote = Some(b),
            (None, b'(') => depth += 1,
            (None, b')') if depth == 0 => return Some(i),
            (None, b')') => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Offset of a byte outside of parentheses and strings; `=` does not stand for `==`, `/=`, `<=`, `>=` or `=>`.
fn top_level(s: &str, wanted: u8) -> Option<usize> {
    let bytes = s.as_bytes();
    let mut depth = 0i32;
    let mut quote = None;
    let mut i = 0;
    while let Some(&b) = bytes.get(i) {
        match (quote, b) {
            (Some(q), _) if q == b => quote = None,
            (Some(_), _) => {}
            (None, b'\'' | b'"') => quote = Some(b),
            (None, b'(' | b'[') => depth += 1,
            (None, b')' | b']') => depth -= 1,
            (None, _) if depth == 0 && b == wanted => {
                let double = wanted == b'='
                    && (bytes.get(i + 1) == Some(&b'=')
                        || i > 0 && matches!(bytes[i - 1], b'=' | b'/' | b'<' | b'>'));
                if !double {
                    return Some(i);
                }
            }
            _ => {}
        }
        i += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{compact, line_words, missing_blank, words};

    #[test]
    fn statements_of_a_line() {
        assert_eq!(compact("c a ll s('a !' , 1) ! b"), "calls('a !',1)");
        let spaced = line_words("calls(1);x=1;;goto10;");
        assert_eq!(spaced.as_deref(), Some("call s(1);x=1;;goto 10;"));
        assert_eq!(line_words("s"), None);
    }

    #[test]
    fn blanks_of_free_form() {
        assert_eq!(missing_blank("  if (a > b) goto10"), Some(17));
        assert_eq!(missing_blank("10 savea, b"), Some(7));
        assert_eq!(missing_blank("double precisionx"), Some(16));
        assert_eq!(missing_blank("goto10 = 3"), None);
        assert_eq!(missing_blank("call savea"), None);
    }

    #[test]
    fn words_of_compact_statements() {
        for (from, to) in [
            ("DO10I=1,N", "do 10 I=1,N"),
            ("DO10I=1.N", "DO10I=1.N"),
            ("REALXY,Z(3)", "REAL XY,Z(3)"),
            ("REAL*8FUNCTIONF(X)", "REAL*8 function F(X)"),
            ("CHARACTER*10NAME", "CHARACTER*10 NAME"),
            ("IF(A.EQ.1)GOTO10", "IF(A.EQ.1) GOTO 10"),
            ("IF(1)=2", "IF(1)=2"),
            ("IMPLICITREAL*8(A-H,O-Z)", "IMPLICIT REAL*8 (A-H,O-Z)"),
            ("ENDSUBROUTINES", "ENDSUBROUTINE S"),
            ("CALLS(A,'B C')", "CALL S(A,'B C')"),
            ("ASSIGN10TOK", "ASSIGN 10 to K"),
            ("DIMENSIONA(3)", "DIMENSION A(3)"),
        ] {
            let got = words(from);
            let got = got.as_deref().unwrap_or(from);
            // IMPLICIT has its letters where a declaration has a kind.
            let same = |s: &str| s.replace(' ', "");
            assert_eq!(same(got).to_lowercase(), same(to).to_lowercase());
            assert_eq!(got.split(' ').count(), to.split(' ').count(), "{got}");
        }
    }
}
