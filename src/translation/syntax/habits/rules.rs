//! The mistakes, one statement at a time.

use super::lines::{Statement, closing, first_word, is_name, word_at};
use super::{Found, declarations, expressions, loops, words};
use crate::suggest::nearest;
use crate::syntax::keywords::begins_statement;

/// First words of statements besides those of [`begins_statement`], which are never assigned to.
const KEYWORDS: [&str; 3] = ["if", "shared", "texture"];

/// The mistake in a statement; `suspect`: the parser found an error in it or soon after it.
pub(super) fn mistake(s: &Statement, suspect: bool) -> Option<Found> {
    const ALWAYS: [fn(&Statement) -> Option<Found>; 17] = [
        of_cuda,
        for_loop,
        comments,
        operators,
        expressions::operators,
        components,
        assignments,
        attribute,
        declarations::prefix,
        chevrons,
        then,
        expressions::quote,
        parentheses,
        braces,
        loops::end,
        loops::else_if,
        loops::leave,
    ];
    const SUSPECTED: [fn(&Statement) -> Option<Found>; 11] = [
        words::statements,
        declarations::types,
        declarations::attributes,
        loops::loops,
        expressions::words,
        equals,
        remainder,
        literal,
        words::signs,
        words::misspelled,
        call,
    ];
    ALWAYS.iter().find_map(|rule| rule(s)).or_else(|| {
        let rules = SUSPECTED.iter().filter(|_| suspect);
        rules.into_iter().find_map(|rule| rule(s))
    })
}

/// `__global__` and its like.
fn of_cuda(s: &Statement) -> Option<Found> {
    const WORDS: [(&str, &str); 6] = [
        ("__global__", "attributes(global)"),
        ("__device__", "attributes(device)"),
        ("__host__", "attributes(host)"),
        ("__shared__", "real, shared :: x(10)"),
        ("__constant__", "real, constant :: x(10)"),
        ("__managed__", "real, managed :: x(10)"),
    ];
    let (word, fortran) = WORDS.iter().find(|(w, _)| s.text.starts_with(w))?;
    let procedure = ["subroutine", "function"]
        .iter()
        .any(|w| word_at(&s.text, w, 0).is_some());
    let declares = fortran.contains("::");
    let (help, change) = match (declares, procedure) {
        (true, _) => (
            format!("write the attribute in the declaration: `{fortran}`"),
            false,
        ),
        (false, true) => (format!("write `{fortran}`"), true),
        (false, false) if s.text.contains("void") => {
            (format!("write `{fortran} subroutine name(...)`"), false)
        }
        (false, false) => (
            "write the attribute in the declaration: `real, device :: x(10)`".to_owned(),
            false,
        ),
    };
    let mut found = Found::new(
        0,
        word.len(),
        format!("`{word}` is not Fortran\nhelp: {help}"),
    );
    if change {
        found = found.replaced(*fortran, true);
    }
    found.spoils_rest = !declares;
    Some(found)
}

/// `&&`, `||`, `!=`, `!`.
fn operators(s: &Statement) -> Option<Found> {
    let not_fortran = |at: usize, operator: &str, fortran: &str| {
        let message = format!(
            "`{operator}` is not an operator in Fortran\nhelp: write `{}`",
            fortran.trim()
        );
        Found::new(at, at + operator.len(), message).replaced(fortran, true)
    };
    if let Some(at) = s.ampersands {
        return Some(not_fortran(at, "&&", ".and."));
    }
    if let Some(at) = s.exclamation {
        return Some(match s.text[at..].starts_with("!=") {
            true => not_fortran(at, "!=", "/="),
            false
                if s.text[at + 1..].starts_with(|c: char| c == '(' || c.is_ascii_alphabetic()) =>
            {
                not_fortran(at, "!", ".not. ")
            }
            false => return None,
        });
    }
    s.text.find("||").map(|at| not_fortran(at, "||", ".or."))
}

/// `threadIdx.x`
fn components(s: &Statement) -> Option<Found> {
    for name in ["threadidx", "blockidx", "blockdim", "griddim"] {
        let mut from = 0;
        while let Some(at) = word_at(&s.text, name, from) {
            from = at + name.len();
            let rest = &s.text[from..];
            let dot = from + rest.len() - rest.trim_start().len();
            let component = s.text[dot..]
                .strip_prefix('.')
                .and_then(|r| r.trim_start().get(..1));
            if let Some(c) = component.filter(|c| ["x", "y", "z"].contains(c)) {
                let shown = &s.written[at..from];
                let message = format!(
                    "component of `{shown}` is selected with `.`\nhelp: write `{shown}%{c}`"
                );
                return Some(Found::new(dot, dot + 1, message).replaced("%", true));
            }
        }
    }
    None
}

/// `a += 1`
fn assignments(s: &Statement) -> Option<Found> {
    for (operator, sign) in [("+=", '+'), ("-=", '-'), ("*=", '*'), ("/=", '/')] {
        let Some(at) = s.text.find(operator) else {
            continue;
        };
        let left = s.written[..at].trim_end();
        let right = s.written[at + 2..].trim();
        if left.is_empty() || right.is_empty() || left.contains('=') || left.starts_with('!') {
            continue;
        }
        // Elsewhere `/=` compares.
        if sign == '/' && !expressions::is_variable(&s.text[..at]) {
            continue;
        }
        let simple = right.bytes().all(|b| is_name(b) || b == b'.');
        let (open, close) = if sign == '+' || simple {
            ("", "")
        } else {
            ("(", ")")
        };
        let help = format!("{left} = {left} {sign} {open}{right}{close}");
        let message = format!("`{operator}` is not an operator in Fortran\nhelp: write `{help}`");
        let mut found = Found::new(at, at + 2, message);
        found.change = Some((0, s.text.len(), help, true));
        return Some(found);
    }
    increment(s)
}

/// What the parser accepts with another meaning.
pub(super) fn accepted(s: &Statement) -> Option<Found> {
    let launch = || s.text.find("<<<").and_then(|o| misplaced_arguments(s, o));
    let address = || s.ampersand.and_then(|_| expressions::operators(s));
    increment(s).or_else(launch).or_else(address)
}

/// `i++`, `++i`
fn increment(s: &Statement) -> Option<Found> {
    let (operator, sign) = [("++", '+'), ("--", '-')]
        .into_iter()
        .find(|(o, _)| s.text.ends_with(o) || s.text.starts_with(o))?;
    let (at, left) = match s.text.starts_with(operator) {
        true => (0, s.written[2..].trim()),
        false => (s.text.len() - 2, s.written[..s.text.len() - 2].trim_end()),
    };
    if left.is_empty() || left.contains('=') {
        return None;
    }
    let help = format!("{left} = {left} {sign} 1");
    let message = format!("`{operator}` is not an operator in Fortran\nhelp: write `{help}`");
    let mut found = Found::new(at, at + 2, message);
    found.change = Some((0, s.text.len(), help, true));
    Some(found)
}

/// `// comment`
fn comments(s: &Statement) -> Option<Found> {
    let sign = ["//", "/*"].into_iter().find(|c| s.text.starts_with(c))?;
    let message = format!("`{sign}` does not begin a comment in Fortran\nhelp: write `!`");
    let found = Found::new(0, 2, message);
    Some(if sign == "//" {
        found.replaced("!", true)
    } else {
        found
    })
}

/// `attribute(global)`
fn attribute(s: &Statement) -> Option<Found> {
    let word = first_word(&s.text);
    let rest = s.text[word.len()..].trim_start();
    let near =
        word != "attributes" && rest.starts_with('(') && nearest(word, ["attributes"]).is_some();
    let procedure = ["subroutine", "function"]
        .iter()
        .any(|w| word_at(&s.text, w, 0).is_some());
    if !near || !procedure {
        return None;
    }
    let written = &s.written[..word.len()];
    let message = format!("`{written}` is not a prefix of a procedure\nhelp: write `attributes`");
    let mut found = Found::new(0, word.len(), message).replaced("attributes", true);
    found.spoils_rest = true;
    Some(found)
}

/// `<<1, 128>>`, `<<<1 128>>>`
fn chevrons(s: &Statement) -> Option<Found> {
    let launches = first_word(&s.text) == "call" || s.text.starts_with("!$cuf");
    let open = s.text.find("<<").filter(|_| launches)?;
    if let Some(found) = misplaced_arguments(s, open) {
        return Some(found);
    }
    if !s.text[open..].starts_with("<<<") {
        let close = s.text[open..].find(">>").map(|c| c + open)?;
        let inner = s.written[open + 2..close].trim();
        let message = format!(
            "execution configuration requires three angle brackets\nhelp: write `<<<{inner}>>>`"
        );
        let to = s.text[close..].bytes().take_while(|b| *b == b'>').count() + close;
        return Some(Found::new(open, to, message).replaced(format!("<<<{inner}>>>"), true));
    }
    let close = s.text[open..].find(">>").map(|c| c + open)?;
    if !s.text[close..].starts_with(">>>") {
        let message = "execution configuration requires three angle brackets\nhelp: write `>>>`";
        return Some(Found::new(close, close + 2, message).replaced(">>>", true));
    }
    let inner = s.written[open + 3..close].trim();
    let words: Vec<&str> = inner.split_whitespace().collect();
    let plain = |w: &&str| w.bytes().all(is_name);
    if words.len() < 2 || !words.iter().all(plain) {
        return None;
    }
    let from = open + 3 + s.written[open + 3..close].find(inner)?;
    let help = words.join(", ");
    let message =
        format!("`,` is missing in the execution configuration\nhelp: write `<<<{help}>>>`");
    Some(Found::new(from, from + inner.len(), message).replaced(help, true))
}

/// `call k(d)<<<1, 10>>>`, `call k<<<1, 10>>> d`
fn misplaced_arguments(s: &Statement, open: usize) -> Option<Found> {
    let close = s.text[open..].find(">>>").map(|c| c + open + 3)?;
    if s.text.starts_with('!') {
        return None;
    }
    let (configuration, rest) = (&s.written[open..close], s.written[close..].trim());
    let before = s.written[..open].trim_end();
    if rest.is_empty() && before.ends_with(')') {
        let arguments = before.find('(')?;
        let help = format!(
            "{}{configuration}{}",
            before[..arguments].trim_end(),
            &before[arguments..]
        );
        let message = format!(
            "execution configuration must precede the arguments of the kernel\nhelp: write `{help}`"
        );
        let mut found = Found::new(open, close, message);
        found.change = Some((0, s.text.len(), help, true));
        return Some(found);
    }
    if rest.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        let help = format!("{before}{configuration}({rest})");
        let message = format!("arguments of a kernel must be in parentheses\nhelp: write `{help}`");
        let from = s.text.len() - rest.len();
        let mut found = Found::new(from, s.text.len(), message);
        found.change = Some((0, s.text.len(), help, true));
        return Some(found);
    }
    None
}

/// `if (...)` or `else if (...)` with nothing after it.
fn then(s: &Statement) -> Option<Found> {
    let trimmed = s
        .text
        .strip_prefix("else")
        .map_or(&*s.text, str::trim_start);
    if first_word(trimmed) != "if" {
        return None;
    }
    let open = s.text.len() - trimmed.len() + 2;
    let open = open + s.text[open..].find('(')?;
    let close = closing(&s.text, open)?;
    if close + 1 != s.text.len() {
        return None;
    }
    let message = "`then` is missing\nhelp: write `then` after the condition";
    let mut found = Found::new(close, close + 1, message).replaced(") then", true);
    found.spoils_rest = true;
    Some(found)
}

/// Parentheses that do not match.
fn parentheses(s: &Statement) -> Option<Found> {
    let mut open = Vec::new();
    for (i, b) in s.text.bytes().enumerate() {
        match b {
            b'(' => open.push(i),
            b')' if open.pop().is_none() => {
                return Some(Found::new(
                    i,
                    i + 1,
                    "`)` has no matching `(`\nhelp: remove it, or write the `(` that it closes",
                ));
            }
            _ => {}
        }
    }
    let at = open.pop()?;
    Some(Found::new(
        at,
        at + 1,
        "`(` is not closed in this statement\nhelp: write the `)` that closes it, or `&` if the statement goes on in the next line",
    ))
}

/// `{` and `}`.
fn braces(s: &Statement) -> Option<Found> {
    let at = s
        .text
        .find(['{', '}'])
        .filter(|_| !s.text.starts_with('!'))?;
    let message = format!(
        "`{}` is not Fortran\nhelp: write `then` and `end if`, or `do` and `end do`, around several statements",
        &s.text[at..=at]
    );
    let mut found = Found::new(at, at + 1, message);
    // One inside of a statement opens nothing for the parser.
    found.spoils_rest = s.text.ends_with(['{', '}']) && closing_brace(&s.text[at..]).is_none();
    Some(found)
}

/// `{ x = 1 }` in one statement.
fn closing_brace(text: &str) -> Option<usize> {
    text.starts_with('{').then(|| text.find('}')).flatten()
}

/// `for (i = 0; ...)`: a statement ends at the semicolon.
fn for_loop(s: &Statement) -> Option<Found> {
    let rest = s.text.strip_prefix("for")?.trim_start();
    if !rest.starts_with('(') || closing(rest, 0).is_some() {
        return None;
    }
    let message = "`for` is not a statement in Fortran\nhelp: write `do i = 1, n` and `end do`";
    let mut found = Found::new(0, 3, message);
    found.spoils_rest = true;
    Some(found)
}

/// `if (i = 3)`, `a = = 1`
fn equals(s: &Statement) -> Option<Found> {
    let bytes = s.text.as_bytes();
    let single = |i: usize| {
        bytes[i] == b'='
            && bytes.get(i + 1).is_none_or(|b| !b"=>".contains(b))
            && i > 0
            && !b"=/<>".contains(&bytes[i - 1])
    };
    let trimmed = s
        .text
        .strip_prefix("else")
        .map_or(&*s.text, str::trim_start);
    if matches!(first_word(trimmed), "if" | "do" | "while")
        && let Some(open) = s.text.find('(')
    {
        let mut depth = 0;
        let end = closing(&s.text, open).unwrap_or(open);
        for (i, b) in bytes.iter().enumerate().take(end).skip(open) {
            match b {
                b'(' => depth += 1,
                b')' => depth -= 1,
                b'=' if depth == 1 && single(i) => {
                    let message = "`=` in a condition assigns nothing\nhelp: write `==` to compare";
                    return Some(Found::new(i, i + 1, message).replaced("==", true));
                }
                _ => {}
            }
        }
    }
    let first = s.text.find('=')?;
    let rest = &s.text[first + 1..];
    let second = first + 1 + rest.len() - rest.trim_start().len();
    (rest.starts_with(' ') && bytes.get(second) == Some(&b'=')).then(|| {
        Found::new(
            first,
            second + 1,
            "`= =` is not an operator\nhelp: write `=` to assign or `==` to compare",
        )
    })
}

/// `i % 2`
fn remainder(s: &Statement) -> Option<Found> {
    let at = s.text.find('%')?;
    let rest = s.text[at + 1..].trim_start();
    let number = rest.starts_with(|c: char| c.is_ascii_digit() || c == '(');
    number.then(|| {
        Found::new(
            at,
            at + 1,
            "`%` selects a component in Fortran\nhelp: for the remainder write `mod(a, b)`",
        )
    })
}

/// `1.0f`
fn literal(s: &Statement) -> Option<Found> {
    let bytes = s.text.as_bytes();
    let mut letters = (1..bytes.len()).filter(|&i| bytes[i] == b'f');
    letters.find_map(|i| {
        let number = bytes[..i]
            .iter()
            .rev()
            .take_while(|b| b.is_ascii_digit() || **b == b'.')
            .count();
        let from = i - number;
        let is_literal = number > 1
            && bytes[from..i].contains(&b'.')
            && (from == 0 || !is_name(bytes[from - 1]))
            && bytes.get(i + 1).is_none_or(|b| !is_name(*b));
        is_literal.then(|| {
            let value = &s.text[from..i];
            let message = format!("`{value}f` is not a number in Fortran\nhelp: write `{value}`");
            Found::new(from, i + 1, message).replaced(value, false)
        })
    })
}

/// A call without `call`.
fn call(s: &Statement) -> Option<Found> {
    let word = first_word(&s.text);
    let begins = |w: &str| begins_statement(w) || KEYWORDS.contains(&w);
    let known = |w: &str| begins(w) || w.strip_prefix("end").is_some_and(begins);
    if word.is_empty() || known(word) || word.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let rest = s.text[word.len()..].trim_start();
    let alone = match rest.chars().next() {
        None => true,
        Some('(') => {
            let open = s.text.len() - rest.len();
            closing(&s.text, open).is_some_and(|close| close + 1 == s.text.len())
        }
        Some('<') => rest.starts_with("<<<") && rest.contains(">>>"),
        _ => false,
    };
    if !alone {
        return None;
    }
    let shown = &s.written[..word.len()];
    if word.starts_with("cuda") {
        let message = format!(
            "`{shown}` is a function, whose result must be assigned\nhelp: write `istat = {shown}(...)`"
        );
        return Some(Found::new(0, word.len(), message));
    }
    Some(match word {
        "printf" | "fprintf" => Found::new(
            0,
            word.len(),
            format!("`{word}` is not a statement in Fortran\nhelp: write `print *, ...`"),
        ),
        "malloc" | "free" => {
            let fortran = if word == "free" {
                "deallocate"
            } else {
                "allocate"
            };
            let message =
                format!("`{word}` is not a statement in Fortran\nhelp: write `{fortran}(...)`");
            Found::new(0, word.len(), message)
        }
        _ => {
            let name = word.trim_start_matches("__");
            let written = &s.written[word.len() - name.len()..word.len()];
            let called = match rest.is_empty() && name == "syncthreads" {
                true => format!("call {written}()"),
                false => format!("call {written}"),
            };
            let message = format!("`call` is missing before `{written}`\nhelp: write `{called}`");
            Found::new(0, word.len(), message).replaced(called, true)
        }
    })
}
