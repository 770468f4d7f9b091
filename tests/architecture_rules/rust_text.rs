//! Reads Rust sources that rustfmt has formatted, as far as the rules of tests/architecture.rs need: text without comments and literals, words,
//! imports, functions.

use std::collections::BTreeSet;

/// The text with comments and the contents of string and character literals as blanks, line by line as it was.
pub fn blanked(text: &str) -> String {
    let b = text.as_bytes();
    let mut out = b.to_vec();
    let blank = |out: &mut Vec<u8>, from: usize, to: usize| {
        for c in out.iter_mut().take(to).skip(from).filter(|c| **c != b'\n') {
            *c = b' ';
        }
    };
    let find = |from: usize, what: &str| text[from..].find(what).map_or(b.len(), |n| from + n);
    let mut i = 0;
    while i < b.len() {
        let rest = &text.as_bytes()[i..];
        let name_before = i > 0 && (b[i - 1].is_ascii_alphanumeric() || b[i - 1] == b'_');
        if rest.starts_with(b"//") {
            let end = find(i, "\n");
            blank(&mut out, i, end);
            i = end;
        } else if !name_before && (rest.starts_with(b"r\"") || rest.starts_with(b"r#")) {
            let hashes = rest[1..].iter().take_while(|c| **c == b'#').count();
            if rest.get(1 + hashes) != Some(&b'"') {
                i += 1;
                continue;
            }
            let start = i + 2 + hashes;
            let end = find(start, &format!("\"{}", "#".repeat(hashes)));
            blank(&mut out, start, end);
            i = end + 1 + hashes;
        } else if b[i] == b'"' {
            let mut end = i + 1;
            while end < b.len() && b[end] != b'"' {
                end += if b[end] == b'\\' { 2 } else { 1 };
            }
            blank(&mut out, i + 1, end);
            i = end + 1;
        } else if rest.starts_with(b"'\\") {
            let end = find(i + 3, "'");
            blank(&mut out, i + 1, end);
            i = end + 1;
        } else if b[i] == b'\'' {
            // A character, or a lifetime.
            let width = text[i + 1..].chars().next().map_or(1, char::len_utf8);
            if b.get(i + 1 + width) == Some(&b'\'') {
                blank(&mut out, i + 1, i + 1 + width);
                i += width + 2;
            } else {
                i += 1;
            }
        } else {
            i += 1;
        }
    }
    // Only whole characters were replaced.
    String::from_utf8_lossy(&out).into_owned()
}

pub fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The identifiers of a text with their places.
pub fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = rest.find(is_word)?;
        let word = &rest[start..];
        let end = word.find(|c| !is_word(c)).unwrap_or(word.len());
        let at = text.len() - rest.len() + start;
        rest = &word[end..];
        Some((at, &word[..end]))
    })
}

/// The first names of the paths that follow `prefix` (`crate::`), groups in braces included.
pub fn imported(code: &str, prefix: &str) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    for (at, _) in code.match_indices(prefix) {
        // The scope of a visibility is no import.
        if code[..at].ends_with("pub(in ") {
            continue;
        }
        if code[..at].ends_with(is_word) || code[..at].ends_with("::") {
            continue;
        }
        let rest = &code[at + prefix.len()..];
        let Some(group) = rest.strip_prefix('{') else {
            out.extend(words(rest).next().map(|(_, w)| w.to_owned()));
            continue;
        };
        let mut depth = 0;
        let mut first = true;
        for (i, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => first = true,
                c if is_word(c) && first && depth == 0 => {
                    out.extend(words(&group[i..]).next().map(|(_, w)| w.to_owned()));
                    first = false;
                }
                _ => {}
            }
        }
    }
    out
}

/// A function: its name, lines and parameters (`self` counts).
pub struct Function {
    pub name: String,
    pub lines: usize,
    pub parameters: usize,
}

pub fn functions(code: &str) -> Vec<Function> {
    let lines: Vec<&str> = code.lines().collect();
    let mut out = Vec::new();
    for (n, line) in lines.iter().enumerate() {
        let head = line.trim_start();
        let indent = line.len() - head.len();
        let mut before = words(head).map(|(_, w)| w);
        let leads = |w: &str| matches!(w, "pub" | "super" | "crate" | "in" | "const" | "async");
        let is_function = before.by_ref().find(|w| !leads(w)) == Some("fn");
        let Some(name) = before.next().filter(|_| is_function) else {
            continue;
        };
        let closing = format!("{}}}", " ".repeat(indent));
        let one_line = head.ends_with('}') || head.ends_with(';');
        let length = lines[n..].iter().position(|l| *l == closing);
        // A declaration in a trait ends with a semicolon before any block.
        out.push(Function {
            name: name.to_owned(),
            lines: if one_line { 1 } else { length.unwrap_or(0) + 1 },
            parameters: parameters(&lines[n..].join("\n"), name),
        });
    }
    out
}

/// The parameters of the function whose text begins with its head.
pub fn parameters(text: &str, name: &str) -> usize {
    let after = text
        .find(&format!("fn {name}"))
        .map_or(0, |n| n + 3 + name.len());
    let mut depth = 0;
    let mut count = 0;
    let mut empty = true;
    let mut inside = false;
    let mut last = ' ';
    for c in text[after..].chars() {
        match c {
            '(' if depth == 0 && !inside => inside = true,
            '(' | '[' | '<' | '{' => depth += 1,
            ')' if depth == 0 => break,
            '>' if last == '-' || last == '=' => {}
            ')' | ']' | '>' | '}' => depth -= 1,
            ',' if depth == 0 && inside => {
                count += usize::from(!empty);
                empty = true;
            }
            c if inside && !c.is_whitespace() => empty = false,
            _ => {}
        }
        if inside && depth > 0 {
            empty = false;
        }
        last = c;
    }
    count + usize::from(!empty)
}
