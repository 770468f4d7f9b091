//! Loops, branches, and END statements of other languages.

use super::Found;
use super::lines::{Statement, closing, first_word, is_name, word_at};
use super::structure::WORDS;
use crate::suggest::nearest;

/// `while (...)`, `for i in ...`, `do i = 1 3`
pub(super) fn loops(s: &Statement) -> Option<Found> {
    let word = first_word(&s.text);
    let rest = s.text[word.len()..].trim_start();
    let found = match word {
        "while" if rest.starts_with('(') => Found::new(
            0,
            5,
            "`while` is not a statement in Fortran\nhelp: write `do while (...)` and `end do`",
        )
        .replaced("do while", true),
        "for" if rest.starts_with(|c: char| c.is_ascii_alphabetic()) => Found::new(
            0,
            3,
            "`for` is not a statement in Fortran\nhelp: write `do i = 1, n` and `end do`",
        ),
        "do" => bounds(s)?,
        _ => return None,
    };
    Some(Found {
        spoils_rest: true,
        ..found
    })
}

/// `do i = 1 3`, `do i = 1 to 3`, `do i = 1:3`
fn bounds(s: &Statement) -> Option<Found> {
    let equals = s.text.find('=')?;
    let head = &s.written[..equals];
    let first = equals + 1 + s.text[equals + 1..].len() - s.text[equals + 1..].trim_start().len();
    let after_first = |from: usize| {
        let operand = |b: &u8| is_name(*b) || *b == b'%';
        let bytes = s.text[from..].bytes().collect::<Vec<_>>();
        from + bytes.iter().take_while(|b| operand(b)).count()
    };
    let end = after_first(first);
    let between = s.text[end..].trim_start();
    let from = s.text.len() - between.len();
    let (separator, last) = match word_at(between, "to", 0) {
        Some(0) => ("to", between[2..].trim_start()),
        _ => match between.strip_prefix([':', ';']) {
            Some(last) => (&between[..1], last.trim_start()),
            None => ("", between),
        },
    };
    let is_operand = last.bytes().next().is_some_and(is_name);
    if end == first || !is_operand || from == end && separator.is_empty() {
        return None;
    }
    let last = &s.written[s.text.len() - last.len()..];
    let help = format!("{}= {}, {last}", head, &s.written[first..end]);
    let message = format!("bounds of a loop must be separated by `,`\nhelp: write `{help}`");
    let to = from + separator.len().max(1);
    let mut found = Found::new(from, to, message);
    found.change = Some((0, s.text.len(), help, true));
    Some(found)
}

/// `elif (...) then`
pub(super) fn else_if(s: &Statement) -> Option<Found> {
    let word = first_word(&s.text);
    let rest = s.text[word.len()..].trim_start();
    let is_branch = rest.starts_with('(') && closing(rest, 0).is_some();
    (is_branch && matches!(word, "elif" | "elsif")).then(|| {
        let message = format!("`{word}` is not a statement in Fortran\nhelp: write `else if`");
        let mut found = Found::new(0, word.len(), message).replaced("else if", true);
        found.spoils_rest = true;
        found
    })
}

/// `break`
pub(super) fn leave(s: &Statement) -> Option<Found> {
    (s.text == "break").then(|| {
        let message = "`break` is not a statement in Fortran\nhelp: write `exit`";
        Found::new(0, 5, message).replaced("exit", true)
    })
}

/// `end progam`, `edn do`
pub(super) fn end(s: &Statement) -> Option<Found> {
    let word = first_word(&s.text);
    let rest = s.text[word.len()..].trim_start();
    let second = first_word(rest);
    let tail = rest[second.len()..].trim_start();
    let named = tail.bytes().all(is_name);
    if second.is_empty() || !named {
        return None;
    }
    let is_end = word == "end";
    let meant = match is_end {
        true if WORDS.contains(&second) => return None,
        true => nearest(second, WORDS)?,
        false if WORDS.contains(&second) => nearest(word, ["end"]).map(|_| second)?,
        false => return None,
    };
    let from = s.text.len() - rest.len();
    let (from, to) = match is_end {
        true => (from, from + second.len()),
        false => (0, word.len()),
    };
    let shown = &s.written[from..to];
    let message = format!(
        "`{shown}` does not close a construct or a procedure\nhelp: did you mean `end {meant}`?"
    );
    let by = if is_end { meant } else { "end" };
    let mut found = Found::new(from, to, message)
        .of_construct()
        .replaced(by, false);
    found.spoils_rest = true;
    Some(found)
}
