//! Fixed source form (F2018 6.3.3) to free form, line by line, so that the result reads like the original.

use super::line::{Line, Options};

/// Lines with the sentinel `!@cuf` are code in CUDA Fortran (guide 2.13), with OpenMP those with `!$`, too (OpenMP 5.2, 5.1.2): from
/// column 1, where a comment, and so the sentinel of a directive, may begin with other characters. Blanks take its place.
pub(super) fn conditional_lines(lines: &mut [Line], cuda: bool, openmp: bool) {
    for l in lines {
        if let Some(text) = conditional_line(&l.text, cuda, openmp) {
            l.text = text;
        }
    }
}

/// Such a line without its sentinel.
pub(super) fn conditional_line(line: &str, cuda: bool, openmp: bool) -> Option<String> {
    let rest = line.strip_prefix(['c', 'C', '*', '!'])?;
    // A label and the sixth column, or a tab: other words are directives.
    let label = |s: &str| {
        let before = s.split('\t').next().unwrap_or_default();
        let mut first = before.bytes().take(3);
        first.all(|b| b == b' ' || b.is_ascii_digit())
    };
    let sentinel = match rest.get(..4) {
        Some(s) if cuda && s.eq_ignore_ascii_case("@cuf") => 5,
        _ if openmp && rest.strip_prefix('$').is_some_and(label) => 2,
        _ => return None,
    };
    Some(format!("{}{}", " ".repeat(sentinel), &line[sentinel..]))
}

/// Converts all lines. Continuation lines become `&` lines; comment lines begin with `!`.
pub(super) fn to_free(lines: Vec<Line>, options: &Options) -> Vec<Line> {
    let columns_used = columns_of(options);
    // A statement written anew is one line of any length.
    let width = if options.respace {
        usize::MAX
    } else {
        columns_used
    };
    let mut out: Vec<Line> = Vec::with_capacity(lines.len());
    // Index in `out` of the last line of the statement (and of the directive) being read, and whether it ends inside a string.
    let mut statement: Option<usize> = None;
    let mut directive: Option<usize> = None;
    let mut quote: Option<char> = None;
    // Columns that the last line of the statement had.
    let mut columns = 0;
    let mut is_do = false;
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
                    append_directive_mark(&mut out[last].text);
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
                if !in_string && (code.trim().is_empty() || code.trim_start().starts_with('!')) {
                    // Nothing but a comment: free form has no continuation line without code.
                    line.text = format!("      {code}");
                    out.push(line);
                    continue;
                }
                let joined = in_string || splits_token(&out[last].text, &code);
                if in_string {
                    // A string goes on in column 7 of the next line after the blanks up to the last column of this one.
                    let pad = match columns_used {
                        usize::MAX => 0,
                        last => last.saturating_sub(columns),
                    };
                    out[last].text.push_str(&" ".repeat(pad));
                }
                append_ampersand(&mut out[last].text, joined);
                columns = 6 + code.chars().count();
                let code = close_tokens(&code, quote, is_do);
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
                columns = code.chars().count();
                let (label, body) = code.split_at_checked(6).unwrap_or((&code, ""));
                is_do = body
                    .trim_start()
                    .get(..2)
                    .is_some_and(|w| w.eq_ignore_ascii_case("do"));
                quote = string_state(body, None);
                line.text = format!("{label}{}", close_tokens(body, None, is_do));
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

/// The last column that counts.
pub(super) fn columns_of(options: &Options) -> usize {
    match options.columns {
        None => 72,
        Some(0) => usize::MAX,
        // The first six are not the statement's.
        Some(n) => n.max(7),
    }
}

/// What a line is to a statement.
pub(super) enum Piece {
    Initial {
        label: String,
        code: String,
    },
    Continuation(String),
    /// A comment, a blank line or a directive.
    Other,
}

/// The statement's part of a line, up to the last column.
pub(super) fn pieces(text: &str, width: usize) -> Piece {
    match classify(text, &Options::default()) {
        Form::Initial(text) => {
            let text = cut(&text, width);
            let (label, code) = text.split_at_checked(6).unwrap_or((&text, ""));
            Piece::Initial {
                label: label.to_owned(),
                code: code.to_owned(),
            }
        }
        Form::Continuation(code) => Piece::Continuation(cut(&code, width - 6)),
        _ => Piece::Other,
    }
}

/// Where the code of an initial line begins that has a tab in its first columns.
pub(super) fn initial_start(line: &str) -> Option<usize> {
    let tab = line.char_indices().take(6).find(|(_, c)| *c == '\t');
    tab.map(|(i, _)| i + 1)
}

/// Where the code of a continuation line begins.
pub(super) fn continuation_start(line: &str) -> usize {
    let tab = line.char_indices().take(6).find(|(_, c)| *c == '\t');
    let mark = match tab {
        Some((tab, _)) => line[tab + 1..]
            .char_indices()
            .nth(1)
            .map(|(i, _)| tab + 1 + i),
        None => line.char_indices().nth(6).map(|(i, _)| i),
    };
    mark.unwrap_or(line.len())
}

/// How far the code of a line's piece goes, without comment and blanks; `quote` is open before it.
pub(super) fn code_end(code: &str, mut quote: Option<char>) -> usize {
    let mut end = 0;
    for (i, c) in code.char_indices() {
        match quote {
            Some(q) if c == q => quote = None,
            None if c == '!' => break,
            None if c == '\'' || c == '"' => quote = Some(c),
            _ => {}
        }
        if !c.is_whitespace() {
            end = i + c.len_utf8();
        }
    }
    end
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

/// The same for a directive, whose sentinel is no comment.
fn append_directive_mark(line: &mut String) {
    let sentinel = line.len().min(2);
    let mut body = line.split_off(sentinel);
    append_ampersand(&mut body, false);
    line.push_str(&body);
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
pub(super) fn string_state(code: &str, mut quote: Option<char>) -> Option<char> {
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

/// A word that goes on in the first column of the next line. Two words of which the first is a keyword stay two.
fn splits_token(line: &str, next: &str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if comment_start(line).is_some() {
        return false;
    }
    // The parts of a real constant.
    let digit = |c: char| c.is_ascii_digit();
    let point = |s: &str| s.strip_suffix('.').is_some_and(|s| s.ends_with(digit));
    if point(line) && next.starts_with(digit) || line.ends_with(digit) && next.starts_with('.') {
        return true;
    }
    if !line.ends_with(word) || !next.starts_with(word) {
        return false;
    }
    let last = line.rsplit(|c| !word(c)).next().unwrap_or_default();
    let before = line[..line.len() - last.len()].trim_end();
    let last = last.to_ascii_lowercase();
    before.ends_with(['=', '(', ',', '+', '-', '*', '/', '%', '<', '>'])
        || !KEYWORDS.contains(&last.as_str())
}

/// Words after which another word may stand.
const KEYWORDS: [&str; 42] = [
    "allocatable",
    "assign",
    "block",
    "call",
    "case",
    "character",
    "common",
    "complex",
    "contains",
    "data",
    "dimension",
    "do",
    "double",
    "elemental",
    "else",
    "end",
    "endif",
    "entry",
    "equivalence",
    "external",
    "format",
    "function",
    "go",
    "goto",
    "implicit",
    "integer",
    "interface",
    "intrinsic",
    "logical",
    "module",
    "parameter",
    "precision",
    "program",
    "pure",
    "read",
    "real",
    "recursive",
    "return",
    "save",
    "subroutine",
    "then",
    "use",
];

/// Writes tokens without the blanks that fixed form allows in them and free form does not: in numbers (`3.14159 26535`,
/// `1 E5`) and operators (`. eq .`); and with those that it leaves out: `goto10`, `do10i=1,n`.
fn close_tokens(code: &str, mut quote: Option<char>, is_do: bool) -> String {
    let mut out = String::with_capacity(code.len());
    let mut rest = code;
    while let Some(c) = rest.chars().next() {
        if let Some(q) = quote {
            quote = quote.filter(|_| c != q);
        } else if c == '\'' || c == '"' {
            quote = Some(c);
        } else if c == '!' {
            out.push_str(rest);
            break;
        } else if c == ' ' {
            let after = rest.trim_start_matches(' ');
            let number = out.ends_with(|d: char| d.is_ascii_digit());
            if number
                && (after.starts_with(|d: char| d.is_ascii_digit())
                    || (!is_do && is_exponent(after)))
            {
                rest = after;
                continue;
            }
            if !is_do && ends_with_exponent(&out) && after.starts_with(|d: char| d.is_ascii_digit())
            {
                rest = after;
                continue;
            }
        } else if c == '.' {
            if let Some((operator, used)) = dotted_operator(rest) {
                out.push_str(&operator);
                rest = &rest[used..];
                continue;
            }
        } else if c.is_ascii_alphabetic()
            && !out.ends_with(|d: char| d.is_ascii_alphanumeric() || d == '_')
        {
            let end = rest
                .find(|d: char| !(d.is_ascii_alphanumeric() || d == '_'))
                .unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            // `goto1 = 2` assigns to a variable.
            if after.trim_start().starts_with('=') && word.len() > 2 && !code.contains(',') {
                out.push_str(word);
            } else {
                out.push_str(&spread_keyword(
                    word,
                    out.trim().is_empty() && code.contains('=') && code.contains(','),
                ));
            }
            rest = after;
            continue;
        }
        out.push(c);
        rest = &rest[c.len_utf8()..];
    }
    out
}

/// `E5`, `d + 3`: the exponent of the number before.
fn is_exponent(text: &str) -> bool {
    let mut chars = text.chars();
    let letter = chars.next().unwrap_or(' ').to_ascii_lowercase();
    let after = chars.as_str().trim_start_matches(' ');
    let digits = after
        .strip_prefix(['+', '-'])
        .unwrap_or(after)
        .trim_start_matches(' ');
    let end = digits
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(digits.len());
    matches!(letter, 'e' | 'd')
        && end > 0
        && !digits[end..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// The text ends with a number and its exponent's letter or sign: `1.5e`, `2d-`.
fn ends_with_exponent(text: &str) -> bool {
    let t = text.strip_suffix(['+', '-']).unwrap_or(text);
    let Some(t) = t.strip_suffix(['e', 'E', 'd', 'D']) else {
        return false;
    };
    let start = t
        .rfind(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.'))
        .map_or(0, |i| i + 1);
    let number = &t[start..];
    number.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && number.ends_with(|c: char| c.is_ascii_digit() || c == '.')
        && number.chars().all(|c| c.is_ascii_digit() || c == '.')
}

/// An operator or logical constant between dots with blanks in it, and how long it is.
fn dotted_operator(text: &str) -> Option<(String, usize)> {
    const OPERATORS: [&str; 13] = [
        "eq", "ne", "lt", "le", "gt", "ge", "and", "or", "not", "eqv", "neqv", "true", "false",
    ];
    let inner = text.strip_prefix('.')?;
    let close = inner.find('.').filter(|i| *i < 12)?;
    let word: String = inner[..close].chars().filter(|c| *c != ' ').collect();
    let spaced = word.len() != close;
    (spaced && OPERATORS.contains(&word.to_ascii_lowercase().as_str()))
        .then(|| (format!(".{word}."), close + 2))
}

/// `goto10` as `goto 10`; `do10i` as `do 10 i` where a DO statement may stand.
fn spread_keyword(word: &str, is_loop: bool) -> String {
    let digits_after = |n: usize| {
        word.get(n..)
            .filter(|d| d.starts_with(|c: char| c.is_ascii_digit()))
    };
    if word
        .get(..4)
        .is_some_and(|w| w.eq_ignore_ascii_case("goto"))
        && let Some(label) = digits_after(4).filter(|d| d.bytes().all(|b| b.is_ascii_digit()))
    {
        return format!("{} {label}", &word[..4]);
    }
    if is_loop
        && word.get(..2).is_some_and(|w| w.eq_ignore_ascii_case("do"))
        && let Some(rest) = digits_after(2)
    {
        let end = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        return format!("{} {} {}", &word[..2], &rest[..end], &rest[end..])
            .trim_end()
            .to_owned();
    }
    word.to_owned()
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

    #[test]
    fn blanks_do_not_count() {
        let got = free(
            "      x = 3.14 15 E 0\n      if (a . eq. 1) goto10\n      do10i=1,n\n      do 10 e5 = 1, 2\n      s = '1 2'\n",
        );
        assert_eq!(
            got,
            [
                "      x = 3.1415E0",
                "      if (a .eq. 1) goto 10",
                "      do 10 i=1,n",
                "      do 10 e5 = 1, 2",
                "      s = '1 2'"
            ]
        );
    }

    #[test]
    fn words_go_on_in_column_seven() {
        let got = free("      x = re\n     &q + real\n     &(y)\n     &\n     & - 1\n");
        assert_eq!(
            got,
            [
                "      x = re&",
                "     &q + real &",
                "      (y) &",
                "",
                "       - 1"
            ]
        );
    }
}
