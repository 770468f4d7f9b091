//! Variables that are named like the first word of a statement.
//!
//! Fortran reserves no word: `lock(i) = 0` is an assignment whatever `lock` may begin elsewhere. A statement that has a `=`
//! directly after its first name and what selects a part of it is one (only assignments do), so the parser gets another name
//! of the same length there; the builder reads the user's. Two faults of the grammar are avoided in the same way.

use std::borrow::Cow;

use crate::source::statements::{Reader, View, is_word, statements};

/// First words of statements, sorted.
const WORDS: [&str; 127] = [
    "abstract",
    "allocatable",
    "allocate",
    "assign",
    "associate",
    "asynchronous",
    "attributes",
    "backspace",
    "bind",
    "block",
    "byte",
    "call",
    "case",
    "change",
    "character",
    "class",
    "close",
    "codimension",
    "common",
    "complex",
    "contains",
    "contiguous",
    "continue",
    "critical",
    "cycle",
    "data",
    "deallocate",
    "dimension",
    "do",
    "double",
    "doubleprecision",
    "elemental",
    "else",
    "elseif",
    "elsewhere",
    "end",
    "endassociate",
    "endblock",
    "endcritical",
    "enddo",
    "endenum",
    "endfile",
    "endforall",
    "endfunction",
    "endif",
    "endinterface",
    "endmodule",
    "endprocedure",
    "endprogram",
    "endselect",
    "endsubmodule",
    "endsubroutine",
    "endteam",
    "endtype",
    "endwhere",
    "entry",
    "enum",
    "enumerator",
    "equivalence",
    "error",
    "event",
    "exit",
    "external",
    "fail",
    "final",
    "flush",
    "forall",
    "format",
    "function",
    "generic",
    "go",
    "goto",
    "implicit",
    "import",
    "impure",
    "include",
    "inquire",
    "integer",
    "intent",
    "interface",
    "intrinsic",
    "lock",
    "logical",
    "module",
    "namelist",
    "non_recursive",
    "nullify",
    "open",
    "optional",
    "parameter",
    "pause",
    "pointer",
    "print",
    "private",
    "procedure",
    "program",
    "protected",
    "public",
    "pure",
    "rank",
    "read",
    "real",
    "recursive",
    "return",
    "rewind",
    "save",
    "select",
    "selectcase",
    "selectrank",
    "selecttype",
    "sequence",
    "stop",
    "submodule",
    "subroutine",
    "sync",
    "target",
    "team",
    "then",
    "type",
    "unlock",
    "use",
    "value",
    "volatile",
    "wait",
    "where",
    "while",
    "write",
];

/// Whether a word (in lower case) begins a statement and can be the name of a variable that is assigned to.
pub(super) fn begins_statement(word: &str) -> bool {
    WORDS.binary_search(&word).is_ok()
}

/// The text with other names where a statement assigns to a variable named like a keyword.
pub(super) fn mask(text: &str) -> Cow<'_, str> {
    let mut masked: Option<Vec<u8>> = None;
    let bytes = text.as_bytes();
    statements(bytes, &mut |view| {
        // In some places the grammar ends statements at line ends only.
        let mut rest = view.last().map_or(bytes.len(), |(_, at)| at + 1)..bytes.len();
        if let Some(at) = rest.find(|i| !matches!(bytes[*i], b' ' | b'\t'))
            && bytes[at] == b';'
            && rest
                .find(|i| !matches!(bytes[*i], b' ' | b'\t'))
                .is_some_and(|i| bytes[i] != b'&' && bytes[i] != b';')
        {
            masked.get_or_insert_with(|| bytes.to_vec())[at] = b'\n';
        }
        if let Some((start, end)) = assigned(view) {
            let out = masked.get_or_insert_with(|| bytes.to_vec());
            for (_, at) in &view[start..end] {
                out[*at] = b'x';
            }
        }
        if let Some((start, end)) = unit_name(view) {
            let out = masked.get_or_insert_with(|| bytes.to_vec());
            for (_, at) in &view[start..end] {
                out[*at] = b'x';
            }
        }
        for (start, end) in plain_operations(view) {
            let out = masked.get_or_insert_with(|| bytes.to_vec());
            for (_, at) in &view[start..end] {
                out[*at] = b'x';
            }
        }
        for start in selected_nulls(view) {
            let out = masked.get_or_insert_with(|| bytes.to_vec());
            for (_, at) in &view[start..start + NULL.len()] {
                out[*at] = b'x';
            }
        }
    });
    // The scanner takes these letters for the beginning of a BOZ constant if a continuation mark follows at once.
    for (at, _) in text.match_indices('&') {
        let byte = |back: usize| at.checked_sub(back).map_or(b' ', |i| bytes[i]);
        if matches!(byte(1).to_ascii_lowercase(), b'b' | b'o' | b'z') && !is_word(byte(2)) {
            masked.get_or_insert_with(|| bytes.to_vec())[at - 1] = b'x';
        }
    }
    // `!$cuf kernel` without DO is no directive: the parser would look for the word on the next line.
    for (at, _) in text.match_indices("!$") {
        if let Some(word) = kernel_without_do(&text[at + 2..]) {
            masked.get_or_insert_with(|| bytes.to_vec())[at + 2 + word] = b'x';
        }
    }
    masked
        .and_then(|m| String::from_utf8(m).ok())
        .map_or(Cow::Borrowed(text), Cow::Owned)
}

/// Offset of the word KERNEL in what follows the sentinel's `!$`, if DO or a continuation mark does not follow it.
fn kernel_without_do(text: &str) -> Option<usize> {
    let after = |text: &str, word: &str| {
        let matches = text
            .get(..word.len())
            .is_some_and(|w| w.eq_ignore_ascii_case(word));
        matches.then_some(word.len())
    };
    let blanks = |at: usize| {
        at + text[at..]
            .bytes()
            .take_while(|b| matches!(b, b' ' | b'\t'))
            .count()
    };
    let kernel = blanks(after(text, "cuf")?);
    let next = blanks(kernel + after(&text[kernel..], "kernel")?);
    let rest = &text[next..];
    let goes_on = after(rest, "do").is_some() || rest.starts_with('&');
    (!goes_on).then_some(kernel)
}

const NULL: &[u8] = b"null";

/// Prefixes and kinds of procedures, which the grammar does not take for names of modules.
const PREFIXES: [&str; 11] = [
    "attributes",
    "class",
    "elemental",
    "function",
    "impure",
    "interface",
    "pure",
    "recursive",
    "subroutine",
    "type",
    "use",
];

/// What stands behind INTERFACE with something in parentheses.
const OPERATIONS: [&str; 4] = ["assignment", "operator", "read", "write"];

/// Where a module is named like a prefix (`module pure`, `end module pure`, `use pure, only: a`), or a generic like what an interface of
/// operations begins with (`interface assignment`).
fn unit_name(view: &View) -> Option<(usize, usize)> {
    let mut r = Reader { view, at: 0 };
    let mut next = || {
        r.blanks();
        let start = r.at;
        let length = view[start..].iter().take_while(|b| is_word(b.0)).count();
        r.at += length;
        (start, start + length)
    };
    let is = |(start, end): (usize, usize), word: &str| {
        let same = |(b, w): (&(u8, usize), u8)| b.0.eq_ignore_ascii_case(&w);
        end - start == word.len() && view[start..end].iter().zip(word.bytes()).all(same)
    };
    let mut word = next();
    if is(word, "end") {
        word = next();
    }
    let used = is(word, "use");
    let words: &[&str] = if used || is(word, "module") || is(word, "endmodule") {
        &PREFIXES
    } else if is(word, "interface") || is(word, "endinterface") {
        &OPERATIONS
    } else {
        return None;
    };
    let name = next();
    r.blanks();
    let ends = r.peek().is_none_or(|b| used && b == b',');
    (ends && words.iter().any(|p| is(name, p))).then_some(name)
}

/// Where `assignment` and `operator` are names of the user's: nothing in parentheses follows.
fn plain_operations(view: &View) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for word in &OPERATIONS[..2] {
        for (i, w) in view.windows(word.len()).enumerate() {
            let same = w
                .iter()
                .zip(word.bytes())
                .all(|(b, n)| b.0.eq_ignore_ascii_case(&n));
            let end = i + word.len();
            if !same
                || i.checked_sub(1).is_some_and(|b| is_word(view[b].0))
                || view.get(end).is_some_and(|b| is_word(b.0))
            {
                continue;
            }
            let blank = |b: &&(u8, usize)| matches!(b.0, b' ' | b'\t');
            let next = view[end..].iter().find(|b| !blank(b));
            if next.is_none_or(|b| b.0 != b'(') {
                found.push((i, end));
            }
        }
    }
    found
}

/// Where `null` has arguments or subscripts: the grammar knows it with a pointer's name at most, not as an array of the user's.
fn selected_nulls(view: &View) -> Vec<usize> {
    let is_null = |w: &View| w.iter().zip(NULL).all(|(b, n)| b.0.eq_ignore_ascii_case(n));
    let blank = |b: &&(u8, usize)| matches!(b.0, b' ' | b'\t');
    let mut found = Vec::new();
    for (i, w) in view.windows(NULL.len()).enumerate() {
        if !is_null(w) || i.checked_sub(1).is_some_and(|b| is_word(view[b].0)) {
            continue;
        }
        let mut rest = view[i + NULL.len()..].iter().skip_while(blank);
        let open = rest.next().is_some_and(|b| b.0 == b'(');
        if open && rest.find(|b| !blank(b)).is_some_and(|b| b.0 != b')') {
            found.push(i);
        }
    }
    found
}

/// Where the keyword stands that a statement assigns to.
fn assigned(view: &View) -> Option<(usize, usize)> {
    let mut r = Reader { view, at: 0 };
    while r.peek().is_some_and(|b| b.is_ascii_digit()) {
        r.at += 1;
    }
    r.blanks();
    loop {
        let start = r.at;
        let letters = view[start..].iter().take_while(|b| is_word(b.0)).count();
        let is = |word: &str| {
            word.len() == letters
                && word
                    .bytes()
                    .zip(&view[start..])
                    .all(|(w, b)| b.0.eq_ignore_ascii_case(&w))
        };
        let guard = is("if") || is("where") || is("forall");
        if !guard && !WORDS.iter().any(|w| is(w)) {
            return None;
        }
        r.at += letters;
        r.blanks();
        let selected = r.peek();
        while r.peek() == Some(b'(') {
            r.group()?;
        }
        while r.peek() == Some(b'%') {
            r.at += 1;
            r.blanks();
            r.word();
            while r.peek() == Some(b'(') {
                r.group()?;
            }
        }
        let next = view.get(r.at + 1).map(|b| b.0);
        match r.peek()? {
            b'=' if next != Some(b'=') => return Some((start, start + letters)),
            // The statement that IF, WHERE and FORALL guard.
            b if guard && selected == Some(b'(') && b.is_ascii_alphabetic() => {}
            _ => return None,
        }
    }
}
