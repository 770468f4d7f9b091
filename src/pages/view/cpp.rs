//! Colours of the CUDA C++ that cuf2cu writes.

use crate::syntax::Colour;

const KEYWORDS: &[&str] = &[
    "alignas",
    "auto",
    "break",
    "case",
    "class",
    "const",
    "constexpr",
    "continue",
    "decltype",
    "default",
    "do",
    "else",
    "enum",
    "extern",
    "false",
    "for",
    "goto",
    "if",
    "inline",
    "namespace",
    "new",
    "nullptr",
    "operator",
    "private",
    "public",
    "return",
    "sizeof",
    "static",
    "struct",
    "switch",
    "template",
    "this",
    "true",
    "typedef",
    "typename",
    "union",
    "using",
    "volatile",
    "while",
];

const TYPES: &[&str] = &[
    "bool",
    "char",
    "double",
    "float",
    "int",
    "int16_t",
    "int32_t",
    "int64_t",
    "int8_t",
    "long",
    "ptrdiff_t",
    "short",
    "signed",
    "size_t",
    "uint32_t",
    "uint64_t",
    "unsigned",
    "void",
];

const CUDA: &[&str] = &["blockDim", "blockIdx", "gridDim", "threadIdx", "warpSize"];

/// The stretches of a text that have a colour, in order: start and end in bytes; none goes over a line end.
pub fn colours(text: &str) -> Vec<(usize, usize, Colour)> {
    let mut out = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let code = line.trim_start();
        if code.starts_with('#') {
            out.push((at, at + line.trim_end().len(), Colour::Preprocessor));
        } else {
            line_colours(line.trim_end(), at, &mut out);
        }
        at += line.len();
    }
    out
}

fn line_colours(line: &str, offset: usize, out: &mut Vec<(usize, usize, Colour)>) {
    let b = line.as_bytes();
    let word = |c: u8| c.is_ascii_alphanumeric() || c == b'_' || c >= 0x80;
    let mut i = 0;
    while i < b.len() {
        let start = i;
        let colour = match b[i] {
            b'/' if b.get(i + 1) == Some(&b'/') => {
                i = b.len();
                Colour::Comment
            }
            quote @ (b'"' | b'\'') => {
                i += 1;
                while i < b.len() && b[i] != quote {
                    i += if b[i] == b'\\' { 2 } else { 1 };
                }
                i = (i + 1).min(b.len());
                Colour::Text
            }
            c if c.is_ascii_digit() => {
                while i < b.len() && (word(b[i]) || b[i] == b'.' || is_exponent_sign(b, i)) {
                    i += 1;
                }
                Colour::Number
            }
            c if word(c) => {
                while i < b.len() && word(b[i]) {
                    i += 1;
                }
                let name = &line[start..i];
                if KEYWORDS.contains(&name) {
                    Colour::Keyword
                } else if TYPES.contains(&name) {
                    Colour::Type
                } else if CUDA.contains(&name) || name.starts_with("__") {
                    Colour::Cuda
                } else if b.get(i) == Some(&b'(') && b[..start].ends_with(b"::") {
                    Colour::Function
                } else {
                    continue;
                }
            }
            _ => {
                i += 1;
                continue;
            }
        };
        out.push((offset + start, offset + i, colour));
    }
}

fn is_exponent_sign(b: &[u8], i: usize) -> bool {
    matches!(b[i], b'+' | b'-') && matches!(b[i - 1], b'e' | b'E') && b[i - 1..].len() > 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_numbers_and_comments() {
        let text =
            "#include <x>\n__global__ void k(int n) { x = 1.5e-3f + cuf::max(a, '\\''); }  // c\n";
        let found: Vec<_> = colours(text)
            .into_iter()
            .map(|(a, b, c)| (&text[a..b], c))
            .collect();
        assert_eq!(
            found,
            [
                ("#include <x>", Colour::Preprocessor),
                ("__global__", Colour::Cuda),
                ("void", Colour::Type),
                ("int", Colour::Type),
                ("1.5e-3f", Colour::Number),
                ("max", Colour::Function),
                ("'\\''", Colour::Text),
                ("// c", Colour::Comment),
            ]
        );
    }
}
