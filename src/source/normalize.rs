//! Length-preserving changes to free-form text, so that every byte offset stays.

/// The text for the parser and the text for host edits.
///
/// - `!@cuf` lines are code in CUDA Fortran (guide 2.10): the sentinel becomes blanks in both texts.
/// - Continuation lines of a directive (`!$cuf&`) lose their sentinel in the parser's text, so that the directive is one
///   continued statement there.
/// - No-break spaces become blanks.
pub(super) fn free_form(decoded: &str) -> (String, String) {
    let decoded = decoded.replace('\u{a0}', "  ");
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

#[cfg(test)]
mod tests {
    use super::free_form;

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
