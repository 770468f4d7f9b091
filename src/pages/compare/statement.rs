//! The statement at a place, and what it gives a value, as far as its text tells.

use std::fs;
use std::path::Path;

/// A statement of the user's source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// In one line, without comments.
    pub text: String,
}

/// FILE and LINE of a place; `heat.cuf:31: heat_loop_1` has a name behind it.
fn parts(place: &str) -> Option<(&str, usize)> {
    let place = place.split(": ").next()?;
    let (file, line) = place.rsplit_once(':')?;
    Some((file, line.parse().ok()?))
}

/// The place as it is told to people: below this folder without it.
pub fn told(place: &str) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let (file, behind) = match place.find(':') {
        Some(at) => place.split_at(at),
        None => (place, ""),
    };
    let file = Path::new(file)
        .strip_prefix(&here)
        .unwrap_or(Path::new(file));
    match place.is_empty() {
        true => "an unknown location".to_owned(),
        false => format!("{}{behind}", file.display()),
    }
}

/// The statement at a place, if the source is there.
pub fn at(place: &str) -> Option<Statement> {
    let (file, line) = parts(place)?;
    let text = fs::read_to_string(file).ok()?;
    let mut whole = String::new();
    for line in text.lines().skip(line.checked_sub(1)?).take(40) {
        let line = without_comment(line).trim();
        let line = line.strip_prefix('&').unwrap_or(line);
        match line.strip_suffix('&') {
            Some(begun) => whole.push_str(begun.trim_end()),
            None if whole.is_empty() || !line.is_empty() => {
                whole.push_str(line);
                break;
            }
            None => {}
        }
    }
    let text: String = whole.chars().take(200).collect();
    (!text.is_empty()).then_some(Statement { text })
}

/// Directives stay.
fn without_comment(line: &str) -> &str {
    if line.trim_start().starts_with("!$") || line.trim_start().starts_with("!@") {
        return line;
    }
    let mut quote = None;
    for (i, c) in line.char_indices() {
        match quote {
            Some(q) if c == q => quote = None,
            None if c == '\'' || c == '"' => quote = Some(c),
            None if c == '!' => return &line[..i],
            _ => {}
        }
    }
    line
}

impl Statement {
    /// The designator that a transfer gives a value: the left-hand side of the assignment, or the first argument of the copy.
    pub fn target(&self, copy: bool) -> Option<&str> {
        let one = self.text.split(';').next()?;
        if copy {
            let lower = one.to_ascii_lowercase();
            let open = lower
                .find("cudamemcpy")
                .and_then(|at| Some(at + lower[at..].find('(')?))?;
            // The parameters of a copy of boxes are a structure.
            if lower[..open].trim_end().ends_with("3d")
                || lower[..open].trim_end().ends_with("3dasync")
            {
                return None;
            }
            let rest = &one[open + 1..];
            let mut depth = 0_i32;
            let end = rest.find(|c| {
                depth += i32::from(c == '(') - i32::from(c == ')');
                depth < 0 || (c == ',' && depth == 0)
            })?;
            return Some(rest[..end].trim());
        }
        // `if (c) h = u`
        let one = one.trim_start();
        let lower = one.to_ascii_lowercase();
        let one = match lower
            .strip_prefix("if")
            .filter(|r| r.trim_start().starts_with('('))
        {
            Some(_) => one[closing(one)? + 1..].trim_start(),
            None => one,
        };
        let mut depth = 0_i32;
        let mut before = ' ';
        for (i, c) in one.char_indices() {
            depth += i32::from(c == '(') - i32::from(c == ')');
            let next = one[i + c.len_utf8()..].chars().next();
            if c == '=' && depth == 0 {
                let assigns = !"=/<>".contains(before) && !matches!(next, Some('=' | '>'));
                let left = one[..i].trim();
                let designator = left.chars().all(|c| !"'\"".contains(c))
                    && left.starts_with(|c: char| c.is_alphabetic());
                return (assigns && designator).then_some(left);
            }
            before = c;
        }
        None
    }
}

/// The index of the parenthesis that closes the first one.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_i32;
    let mut opened = false;
    text.find(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        opened |= c == '(';
        opened && depth == 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_statement_gives_a_value() {
        let of = |text: &str, copy| {
            let statement = Statement {
                text: text.to_owned(),
            };
            statement.target(copy).map(str::to_owned)
        };
        assert_eq!(of("h(:, 2) = u(:, 2)", false).as_deref(), Some("h(:, 2)"));
        assert_eq!(
            of("if (any(a(1:2) == 3)) h = u", false).as_deref(),
            Some("h")
        );
        assert_eq!(
            of("ist = cudaMemcpyAsync(h(1, k), d, n*m, s)", true).as_deref(),
            Some("h(1, k)")
        );
        assert_eq!(of("print *, 'a = ', d(3)", false), None);
        assert_eq!(of("call check(d == 3)", false), None);
    }
}
