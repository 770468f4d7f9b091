//! Fixed source form (F2018 6.3.3) to free form, line by line, so that the result reads like the original.

use super::{Line, Options};

/// Converts all lines. Continuation lines become `&` lines; comment lines begin with `!`.
pub(super) fn to_free(lines: Vec<Line>, options: &Options) -> Vec<Line> {
    let width: usize = if options.extended_lines { 132 } else { 72 };
    let mut out: Vec<Line> = Vec::with_capacity(lines.len());
    // Index in `out` of the last line of the statement (and of the directive) being read, and whether it ends inside a string.
    let mut statement: Option<usize> = None;
    let mut directive: Option<usize> = None;
    let mut quote: Option<char> = None;
    for mut line in lines {
        match classify(&line.text, options) {
            Form::Blank | Form::Comment => {
                if let Some(first) = line.text.chars().next()
                    && !first.is_whitespace()
                {
                    line.text.replace_range(..first.len_utf8(), "!");
                }
                out.push(line);
            }
            Form::Directive {
                sentinel,
                continuation,
                body,
            } => {
                let code = cut(&body, width.saturating_sub(6));
                if continuation && let Some(last) = directive {
                    out[last].text.push_str(" &");
                    line.text = format!("{sentinel}& {}", code.trim_start());
                } else {
                    line.text = format!("{sentinel} {}", code.trim());
                }
                directive = Some(out.len());
                out.push(line);
            }
            Form::Continuation(body) => {
                let code = cut(&body, width - 6);
                let Some(last) = statement else {
                    line.text = format!("      {code}");
                    out.push(line);
                    continue;
                };
                let in_string = quote.is_some();
                let joined = in_string || splits_token(&out[last].text, &code, width);
                if in_string {
                    // A string goes on in column 7 of the next line after the blanks up to the last column of this one.
                    let pad = width.saturating_sub(out[last].text.chars().count());
                    out[last].text.push_str(&" ".repeat(pad));
                }
                append_ampersand(&mut out[last].text, joined);
                quote = string_state(&code, quote);
                line.text = if joined {
                    format!("     &{code}")
                } else {
                    format!("      {code}")
                };
                statement = Some(out.len());
                out.push(line);
            }
            Form::Initial(text) => {
                let code = cut(&text, width);
                quote = string_state(code.get(6..).unwrap_or_default(), None);
                line.text = code;
                statement = Some(out.len());
                directive = None;
                out.push(line);
            }
        }
    }
    for l in &mut out {
        let kept = l.text.trim_end().len();
        if !l.text.ends_with('&') {
            l.text.truncate(kept);
        }
    }
    out
}

enum Form {
    Blank,
    Comment,
    Directive {
        sentinel: String,
        continuation: bool,
        body: String,
    },
    Continuation(String),
    Initial(String),
}

fn classify(text: &str, options: &Options) -> Form {
    if text.trim().is_empty() {
        return Form::Blank;
    }
    let first = text.chars().next().unwrap_or(' ');
    if matches!(first, 'c' | 'C' | '*' | '!') {
        return directive(text, first).unwrap_or(Form::Comment);
    }
    if matches!(first, 'd' | 'D') {
        if !options.debug_lines {
            return Form::Comment;
        }
        return classify(&format!(" {}", &text[1..]), options);
    }
    // A tab in the first six columns: a digit after it continues, anything else begins in column 7.
    if let Some(tab) = text
        .char_indices()
        .take(6)
        .find(|(_, c)| *c == '\t')
        .map(|(i, _)| i)
    {
        let after = &text[tab + 1..];
        if let Some(d) = after.chars().next().filter(|d| ('1'..='9').contains(d)) {
            return Form::Continuation(after[d.len_utf8()..].to_owned());
        }
        return Form::Initial(format!("{:<6}{after}", &text[..tab]));
    }
    if text.trim_start().starts_with('!') && text.find('!') != Some(5) {
        return Form::Comment;
    }
    let mut chars = text.char_indices();
    let sixth = chars.nth(5);
    match sixth {
        Some((i, c)) if c != ' ' && c != '0' && text[..i].trim().is_empty() => {
            Form::Continuation(text[i + c.len_utf8()..].to_owned())
        }
        Some((i, '0'))
            if text[..i].trim().is_empty()
                || text[..i].trim().chars().all(|c| c.is_ascii_digit()) =>
        {
            Form::Initial(format!("{} {}", &text[..i], &text[i + 1..]))
        }
        _ => Form::Initial(text.to_owned()),
    }
}

/// `c$cuf`, `!$omp`, `*$acc` in column 1 with a continuation mark in column 6.
fn directive(text: &str, first: char) -> Option<Form> {
    let rest = text.get(first.len_utf8()..)?;
    let word: String = rest
        .strip_prefix('$')?
        .chars()
        .take_while(char::is_ascii_alphabetic)
        .collect();
    if word.is_empty() || word.len() > 4 {
        return None;
    }
    let sentinel = format!("!${}", word.to_ascii_lowercase());
    let after = rest.get(1 + word.len()..)?;
    let column6 = after.chars().next().unwrap_or(' ');
    let continuation = column6 != ' ' && column6 != '0' && word.len() == 3;
    let body = if word.len() == 3 && !after.is_empty() {
        after.get(column6.len_utf8()..).unwrap_or_default()
    } else {
        after
    };
    Some(Form::Directive {
        sentinel,
        continuation,
        body: body.to_owned(),
    })
}

/// The first `width` characters.
fn cut(text: &str, width: usize) -> String {
    match text.char_indices().nth(width) {
        Some((i, _)) => text[..i].to_owned(),
        None => text.to_owned(),
    }
}

/// Puts a continuation mark at the end of a line's code, before its comment.
fn append_ampersand(line: &mut String, joined: bool) {
    if joined {
        line.push('&');
        return;
    }
    let at = comment_start(line).unwrap_or(line.len());
    let code = line[..at].trim_end().len();
    let comment = line[at..].to_owned();
    line.truncate(code);
    line.push_str(" &");
    if !comment.is_empty() {
        line.push_str("  ");
        line.push_str(&comment);
    }
}

/// Offset of the comment on a line of code.
fn comment_start(line: &str) -> Option<usize> {
    let mut quote = None;
    for (i, c) in line.char_indices() {
        match quote {
            Some(q) if c == q => quote = None,
            Some(_) => {}
            None if c == '\'' || c == '"' => quote = Some(c),
            None if c == '!' => return Some(i),
            None => {}
        }
    }
    None
}

/// The quote that is open after a piece of code.
fn string_state(code: &str, mut quote: Option<char>) -> Option<char> {
    for c in code.chars() {
        match quote {
            Some(q) if c == q => quote = None,
            Some(_) => {}
            None if c == '\'' || c == '"' => quote = Some(c),
            None if c == '!' => return None,
            None => {}
        }
    }
    quote
}

/// A full line whose last word goes on in the first column of the next.
fn splits_token(line: &str, next: &str, width: usize) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    line.chars().count() >= width
        && line.ends_with(word)
        && next.starts_with(word)
        && comment_start(line).is_none()
}

#[cfg(test)]
mod tests {
    use super::super::{Options, UserFile};
    use super::to_free;

    fn free(text: &str) -> Vec<String> {
        let file = UserFile::new("a.f".into(), text.as_bytes(), false);
        to_free(file.lines(), &Options::default())
            .into_iter()
            .map(|l| l.text)
            .collect()
    }

    #[test]
    fn continuation_and_comments() {
        let got = free("C comment\n      x = 1 +  ! one\n     & 2\n  100 continue\n");
        assert_eq!(
            got,
            [
                "! comment",
                "      x = 1 + &  ! one",
                "       2",
                "  100 continue"
            ]
        );
    }

    #[test]
    fn strings_fill_their_columns() {
        let line = format!("      t = 'ab{}\n     &c'\n", "");
        let got = free(&line);
        assert_eq!(got[0].len(), 73);
        assert!(got[0].ends_with('&'));
        assert_eq!(got[1], "     &c'");
    }

    #[test]
    fn directives_continue() {
        let got = free("!$cuf kernel do(2) <<< *,\n!$cuf& * >>>\nc$cuf kernel do\n");
        assert_eq!(
            got,
            [
                "!$cuf kernel do(2) <<< *, &",
                "!$cuf& * >>>",
                "!$cuf kernel do"
            ]
        );
    }

    #[test]
    fn column_seventy_two_ends_the_line() {
        let got = free(&format!("      x = 1{}ignored\n", " ".repeat(61)));
        assert_eq!(got, ["      x = 1"]);
    }
}
