//! Misspelled or missing words and signs of statements.

use super::Found;
use super::lines::{Statement, closing, first_word, is_name};
use crate::suggest::nearest;
use crate::syntax::keywords::begins_statement;

/// Words that statements begin with, with what must follow: a name, a parenthesis, nothing, or anything.
const KEYWORDS: [(&str, Follows); 18] = [
    ("call", Follows::Name),
    ("module", Follows::Name),
    ("program", Follows::Name),
    ("subroutine", Follows::Name),
    ("function", Follows::Name),
    ("implicit", Follows::Name),
    ("use", Follows::Name),
    ("contains", Follows::Nothing),
    ("return", Follows::Nothing),
    ("continue", Follows::Nothing),
    ("print", Follows::Anything),
    ("write", Follows::Group),
    ("read", Follows::Anything),
    ("allocate", Follows::Group),
    ("deallocate", Follows::Group),
    ("select", Follows::Name),
    ("stop", Follows::Anything),
    ("interface", Follows::Anything),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Follows {
    Name,
    Group,
    Nothing,
    Anything,
}

/// `cal s(x)`, `contain`, `attributes(global) subroutin k`
pub(super) fn misspelled(s: &Statement) -> Option<Found> {
    let mut from = 0;
    if s.text.starts_with("attributes") {
        let open = s.text.find('(')?;
        let close = closing(&s.text, open)? + 1;
        from = s.text.len() - s.text[close..].trim_start().len();
    }
    let text = &s.text[from..];
    let word = first_word(text);
    let rest = text[word.len()..].trim_start();
    let spaced = text[word.len()..].starts_with(' ');
    if begins_statement(word) || rest.starts_with(['=', '%']) {
        return None;
    }
    let fits = |follows: Follows| match follows {
        Follows::Name => spaced && rest.starts_with(|c: char| c.is_ascii_alphabetic()),
        Follows::Group => rest.starts_with('('),
        Follows::Nothing => rest.is_empty(),
        Follows::Anything => spaced || rest.is_empty(),
    };
    let possible = KEYWORDS.iter().filter(|(_, f)| fits(*f)).map(|(w, _)| *w);
    let meant = nearest(word, possible)?;
    if from > 0 && !matches!(meant, "subroutine" | "function") {
        return None;
    }
    let shown = &s.written[from..from + word.len()];
    let message = format!("`{shown}` is not a statement\nhelp: did you mean `{meant}`?");
    let mut found = Found::new(from, from + word.len(), message).replaced(meant, false);
    found.spoils_rest = matches!(
        meant,
        "module" | "program" | "subroutine" | "function" | "contains" | "interface" | "select"
    );
    Some(found)
}

/// `switch (i)`, `case 1`, `if i > 3 then`, `else x = 1`, `cout << x`
pub(super) fn statements(s: &Statement) -> Option<Found> {
    let word = first_word(&s.text);
    let rest = s.text[word.len()..].trim_start();
    let from = s.text.len() - rest.len();
    let written = &s.written[from..];
    let not_a_statement =
        |fortran: &str| format!("`{word}` is not a statement in Fortran\nhelp: write `{fortran}`");
    let found = match word {
        "switch" if rest.starts_with('(') => Found {
            spoils_rest: true,
            ..Found::new(0, word.len(), not_a_statement("select case"))
                .replaced("select case", true)
        },
        "select" if rest.starts_with('(') => {
            let message = "`case` is missing\nhelp: write `select case`";
            Found::new(0, word.len(), message).replaced("select case", true)
        }
        "case" if !rest.starts_with('(') && first_word(rest) != "default" => {
            let value = written.trim_end_matches(':').trim_end();
            let help = format!("case ({value})");
            let message = format!("value of a `case` must be in parentheses\nhelp: write `{help}`");
            let mut found = Found::new(from, s.text.len(), message);
            found.change = Some((0, s.text.len(), help, true));
            found.spoils_rest = true;
            found
        }
        "if" if rest.starts_with(is_operand) => {
            let condition = written
                .strip_suffix("then")
                .map(str::trim_end)
                .filter(|_| rest.ends_with("then"));
            let help = match condition {
                Some(c) => format!("if ({c}) then"),
                None => "if (condition) statement".to_owned(),
            };
            let message = format!("condition must be in parentheses\nhelp: write `{help}`");
            let mut found = Found::new(from, from + 1, message);
            if condition.is_some() {
                found.change = Some((0, s.text.len(), help, true));
            }
            found
        }
        "else" if !matches!(first_word(rest), "if" | "where") && rest.contains('=') => {
            let message = format!(
                "a statement cannot follow `else` in its line\nhelp: write `{written}` in the next line"
            );
            Found::new(from, s.text.len(), message)
        }
        "cout" | "cerr" => Found::new(0, word.len(), not_a_statement("print *, ...")),
        "cin" | "scanf" => Found::new(0, word.len(), not_a_statement("read *, ...")),
        "print" if rest.starts_with('*') => {
            let items = rest[1..].trim_start();
            if items.is_empty() || items.starts_with(',') {
                return None;
            }
            let at = s.text.len() - items.len();
            let help = format!("print *, {}", &s.written[at..]);
            let message = format!("`,` is missing after the format\nhelp: write `{help}`");
            let mut found = Found::new(at, s.text.len(), message);
            found.change = Some((0, s.text.len(), help, true));
            found
        }
        _ => return None,
    };
    Some(found)
}

fn is_operand(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '.'
}

/// `x := 1`, `x = 1 +`, `i .gt 3`, `2x`, `1,5`
pub(super) fn signs(s: &Statement) -> Option<Found> {
    let text = &s.text;
    if let Some(at) = text.find(":=") {
        let message = "`:=` does not assign\nhelp: write `=`";
        return Some(Found::new(at, at + 2, message).replaced("=", true));
    }
    for word in [
        "gt", "lt", "ge", "le", "eq", "ne", "and", "or", "not", "true", "false",
    ] {
        let Some(at) = text.find(&format!(".{word}")) else {
            continue;
        };
        let end = at + 1 + word.len();
        if text
            .as_bytes()
            .get(end)
            .is_none_or(|b| !is_name(*b) && *b != b'.')
        {
            let message = format!("`.{word}` needs a second point\nhelp: write `.{word}.`");
            return Some(Found::new(at, end, message).replaced(format!(".{word}."), true));
        }
    }
    let equals = text.find('=')?;
    if s.is_cut {
        return None;
    }
    if text.ends_with(['+', '*', '/', '=', '<', '>']) || text.ends_with(" -") {
        let at = text.len() - 1;
        let message = "operand is missing at the end of the statement\nhelp: write it, or `&` if the statement goes on in the next line";
        return Some(Found::new(at, at + 1, message));
    }
    let right = text[equals + 1..].trim_start();
    let from = text.len() - right.len();
    let digits = right.bytes().take_while(u8::is_ascii_digit).count();
    let after = right.get(digits..)?;
    if digits == 0 {
        return None;
    }
    if let Some(decimals) = after.strip_prefix(',')
        && !decimals.is_empty()
        && decimals.bytes().all(|b| b.is_ascii_digit())
    {
        let at = from + digits;
        let help = format!("{}.{decimals}", &right[..digits]);
        let message = format!("`,` does not separate decimals\nhelp: write `{help}`");
        return Some(Found::new(at, at + 1, message).replaced(".", true));
    }
    let factor = first_word(after);
    let is_product = factor.starts_with(|c: char| c.is_ascii_alphabetic())
        && !(factor.starts_with(['e', 'd', 'q'])
            && factor[1..].bytes().all(|b| b.is_ascii_digit()));
    is_product.then(|| {
        let at = from + digits;
        let help = format!("{}*{}", &right[..digits], &s.written[at..at + factor.len()]);
        let message = format!("operator is missing before `{factor}`\nhelp: write `{help}`");
        let mut found = Found::new(at, at + factor.len(), message);
        found.change = Some((at, at, "*".to_owned(), false));
        found
    })
}
