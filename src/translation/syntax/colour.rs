//! Colours of Fortran text for readers: what each stretch is, by the grammar's queries.

use std::sync::LazyLock;

use streaming_iterator::StreamingIterator as _;
use tree_sitter::{Language, Parser, Query, QueryCursor};

use super::keywords;

/// What a stretch of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Colour {
    Plain,
    Keyword,
    Type,
    Attribute,
    Number,
    Text,
    Comment,
    Function,
    Directive,
    Cuda,
    Preprocessor,
}

/// The queries, with the colours of their captures.
struct Queries {
    query: Query,
    colours: Vec<Colour>,
}

static LANGUAGE: LazyLock<Language> =
    LazyLock::new(|| Language::new(tree_sitter_cuda_fortran::LANGUAGE));

/// None: the queries do not fit the grammar, which a test would find.
static QUERIES: LazyLock<Option<Queries>> = LazyLock::new(|| queries().ok());

fn queries() -> Result<Queries, tree_sitter::QueryError> {
    let mut text = "[".to_owned();
    for id in 0..LANGUAGE.node_kind_count() as u16 {
        let kind = LANGUAGE.node_kind_for_id(id).unwrap_or_default();
        let word = kind.bytes().all(|b| b.is_ascii_alphabetic() || b == b'_');
        let shown = LANGUAGE.node_kind_is_visible(id) && !LANGUAGE.node_kind_is_named(id);
        if word && shown && !kind.is_empty() {
            text += &format!(" \"{kind}\"");
        }
    }
    text += "] @keyword\n";
    text += tree_sitter_cuda_fortran::HIGHLIGHTS;
    let query = Query::new(&LANGUAGE, &text)?;
    let colours = query.capture_names().iter().map(|n| colour(n)).collect();
    Ok(Queries { query, colours })
}

fn colour(capture: &str) -> Colour {
    match capture {
        "keyword" => Colour::Keyword,
        "type" => Colour::Type,
        "attribute" => Colour::Attribute,
        "number" => Colour::Number,
        "string" => Colour::Text,
        "comment" => Colour::Comment,
        "function" => Colour::Function,
        "directive" => Colour::Directive,
        "cuda" => Colour::Cuda,
        "preprocessor" => Colour::Preprocessor,
        _ => Colour::Plain,
    }
}

/// The stretches of a text that have a colour, in order: start and end in bytes. Never fails: what the grammar does not know is plain.
pub fn colours(text: &str, fixed: bool) -> Vec<(usize, usize, Colour)> {
    let free = match fixed {
        true => freed(text),
        false => text.to_owned(),
    };
    let masked = keywords::mask(&free);
    let mut painted = vec![Colour::Plain; text.len()];
    let mut parser = Parser::new();
    if parser.set_language(&LANGUAGE).is_ok()
        && let Some(tree) = parser.parse(masked.as_bytes(), None)
        && let Some(queries) = &*QUERIES
    {
        let mut found: Vec<(usize, usize, usize, Colour)> = Vec::new();
        let mut cursor = QueryCursor::new();
        let mut captures = cursor.captures(&queries.query, tree.root_node(), masked.as_bytes());
        while let Some((m, n)) = captures.next() {
            if let Some(c) = m.captures().get(*n) {
                let node = c.node.byte_range();
                let colour = queries.colours[c.index as usize];
                found.push((node.start, node.end, m.pattern_index, colour));
            }
        }
        // The words of the grammar lie below all else; then the larger first, so that what is inside stays on top, and of the same size
        // the later pattern.
        found.sort_by_key(|(start, end, pattern, _)| {
            (*pattern > 0, *start, std::cmp::Reverse(*end), *pattern)
        });
        for (start, end, _, colour) in found {
            if let Some(bytes) = painted.get_mut(start..end) {
                bytes.fill(colour);
            }
        }
    }
    stretches(text, &painted)
}

/// The runs of one colour that hold more than blanks, line by line.
fn stretches(text: &str, painted: &[Colour]) -> Vec<(usize, usize, Colour)> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut i = 0;
    while i < bytes.len() {
        let colour = painted[i];
        let start = i;
        while i < bytes.len() && painted[i] == colour && bytes[i] != b'\n' {
            i += 1;
        }
        let mut end = i;
        while end > start && bytes[end - 1].is_ascii_whitespace() {
            end -= 1;
        }
        if colour != Colour::Plain && end > start {
            out.push((start, end, colour));
        }
        i = i.max(start + 1);
    }
    out
}

/// Fixed form as free form of the same length, as far as colours go: comments get an exclamation mark, the marks of continuation lines
/// go.
fn freed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let first = line.as_bytes().first().copied().unwrap_or_default();
        if matches!(first, b'c' | b'C' | b'*' | b'd' | b'D') {
            out.push('!');
            out.push_str(&line[1..]);
        } else if line.len() > 6
            && line.is_char_boundary(5)
            && line.is_char_boundary(6)
            && line.as_bytes()[..5].iter().all(|b| *b == b' ')
            && !matches!(line.as_bytes()[5], b' ' | b'0' | b'\n')
        {
            out.push_str(&line[..5]);
            out.push(' ');
            out.push_str(&line[6..]);
        } else {
            out.push_str(line);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, fixed: bool) -> Vec<(&str, Colour)> {
        let all = colours(text, fixed).into_iter();
        all.map(|(a, b, c)| (&text[a..b], c)).collect()
    }

    #[test]
    fn the_queries_fit_the_grammar() {
        if let Err(e) = queries() {
            panic!("{e}");
        }
    }

    #[test]
    fn inner_nodes_keep_their_colour() {
        let text = "attributes(global) subroutine k(a)\n  real, device :: a(3) ! c\n  call f('x', 1)\nend subroutine k\n";
        let found = of(text, false);
        for wanted in [
            ("attributes(global)", Colour::Attribute),
            ("subroutine", Colour::Keyword),
            ("k", Colour::Function),
            ("real", Colour::Type),
            ("device", Colour::Attribute),
            ("3", Colour::Number),
            ("! c", Colour::Comment),
            ("call", Colour::Keyword),
            ("f", Colour::Function),
            ("'x'", Colour::Text),
            ("end subroutine", Colour::Keyword),
        ] {
            assert!(found.contains(&wanted), "{wanted:?} in {found:?}");
        }
    }

    #[test]
    fn cuda_fortran_and_fixed_form() {
        let text = "c first\n      i = threadIdx%x\n     & + 1\n      end\n";
        let found = of(text, true);
        assert!(found.contains(&("c first", Colour::Comment)), "{found:?}");
        assert!(found.contains(&("threadIdx", Colour::Cuda)), "{found:?}");
        let text = "call k<<<1, 2>>>(a)\n!$cuf kernel do <<<*, *>>>\ndo i = 1, 2\nend do\nend\n";
        let found = of(text, false);
        assert!(found.contains(&("<<<", Colour::Cuda)), "{found:?}");
        assert!(found.contains(&("do", Colour::Keyword)), "{found:?}");
    }
}
