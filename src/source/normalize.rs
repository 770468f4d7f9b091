//! Length-preserving changes to free-form text, so that every byte offset stays.

/// The text for the parser and the text for host edits.
///
/// - `!@cuf` lines are code in CUDA Fortran (guide 2.10): the sentinel becomes blanks in both texts.
/// - Continuation lines of a directive (`!$cuf&`) lose their sentinel in the parser's text, so that the directive is one
///   continued statement there.
/// - No-break spaces become blanks.
/// - A word that is split between two lines (`ab&`, `&cd`) is whole on the first one, in both texts.
pub(super) fn free_form(decoded: &str) -> (String, String) {
    let decoded = join_words(&decoded.replace('\u{a0}', "  "));
    let mut text = String::with_capacity(decoded.len());
    let mut host = String::with_capacity(decoded.len());
    let mut directive_continues = false;
    for line in decoded.split_inclusive('\n') {
        let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
        let rest = &line[indent..];
        let sentinel = rest
            .get(..5)
            .map(str::to_ascii_lowercase)
            .unwrap_or_default();
        if sentinel == "!@cuf" {
            for out in [&mut text, &mut host] {
                out.push_str(&line[..indent]);
                out.push_str("     ");
                out.push_str(&rest[5..]);
            }
            directive_continues = false;
            continue;
        }
        host.push_str(line);
        if sentinel == "!$cuf" {
            let body = rest[5..].trim_start_matches([' ', '\t']);
            if directive_continues {
                let ampersand = usize::from(body.starts_with('&'));
                let blank = line.len() - body.len() + ampersand;
                text.push_str(&" ".repeat(blank));
                text.push_str(&line[blank..]);
            } else {
                text.push_str(line);
            }
            let code = body.split('!').next().unwrap_or_default();
            directive_continues = code.trim_end().ends_with('&');
        } else {
            text.push_str(line);
            if !rest.trim().is_empty() {
                directive_continues = false;
            }
        }
    }
    (text, host)
}

/// `ab&` and `  &cd, x` become `abcd&` and `   , x`: the same length in all.
fn join_words(text: &str) -> String {
    let word = |c: u8| c.is_ascii_alphanumeric() || c == b'_';
    let mut out = String::with_capacity(text.len());
    let mut lines = text.split_inclusive('\n').peekable();
    let mut pending: Option<String> = None;
    while let Some(line) = pending.take().or_else(|| lines.next().map(str::to_owned)) {
        let body = line.trim_end();
        let splits = body.ends_with('&')
            && body
                .as_bytes()
                .get(body.len().wrapping_sub(2))
                .is_some_and(|c| word(*c))
            && !body.trim_start().starts_with('!');
        let next = lines.peek().copied().unwrap_or_default();
        let lead = next.len() - next.trim_start_matches([' ', '\t']).len();
        let moved = match next.as_bytes().get(lead) {
            Some(b'&') if splits => next.as_bytes()[lead + 1..]
                .iter()
                .take_while(|c| word(**c))
                .count(),
            _ => 0,
        };
        if moved == 0 {
            out.push_str(&line);
            continue;
        }
        let tail = &next[lead + 1..lead + 1 + moved];
        out.push_str(&body[..body.len() - 1]);
        out.push_str(tail);
        out.push_str(&line[body.len() - 1..]);
        let rest = &next[lead + 1 + moved..];
        pending = Some(format!("{}{rest}", " ".repeat(lead + 1)));
        lines.next();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::free_form;

    #[test]
    fn split_words_are_joined() {
        let source = "call fo&\n  &o(a, b&\n&ar)\n";
        let (text, host) = free_form(source);
        assert_eq!(text, "call foo&\n   (a, bar&\n )\n");
        assert_eq!(host, text);
        assert_eq!(text.len(), source.len());
    }

    #[test]
    fn directive_continuation_keeps_offsets() {
        let source = "  !$cuf kernel do(2) &\n  !$cuf& <<<*, *>>>\n";
        let (text, host) = free_form(source);
        assert_eq!(host, source);
        assert_eq!(text, "  !$cuf kernel do(2) &\n         <<<*, *>>>\n");
    }

    #[test]
    fn sentinel_becomes_code() {
        let (text, host) = free_form("!@cuf use cudafor\n");
        assert_eq!(text, "      use cudafor\n");
        assert_eq!(host, text);
    }
}
