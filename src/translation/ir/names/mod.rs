//! C++ identifiers that Fortran names must not take.

mod macros;

use std::sync::LazyLock;

use rustc_hash::FxHashSet;

/// Keywords and alternative tokens of C++20 (ISO/IEC 14882:2020, 5.11) and what CUDA and the C library, whose headers
/// every unit includes, declare at global scope or as macros under names a Fortran programmer may choose.
const RESERVED: &[&str] = &[
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "auto",
    "bitand",
    "bitor",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "char16_t",
    "char32_t",
    "char8_t",
    "class",
    "co_await",
    "co_return",
    "co_yield",
    "compl",
    "concept",
    "const",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "continue",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "index_type",
    "inline",
    "int",
    "long",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "requires",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "wchar_t",
    "while",
    "xor",
    "xor_eq",
    "asm",
    "std",
    "cuf",
    "threadidx",
    "blockidx",
    "blockdim",
    "griddim",
    "warpsize",
    "int8_t",
    "int16_t",
    "int32_t",
    "int64_t",
    "uint8_t",
    "uint16_t",
    "uint32_t",
    "uint64_t",
    "size_t",
    "null",
    "eof",
    "bufsiz",
    "assert",
    "errno",
    "stdin",
    "stdout",
    "stderr",
    "infinity",
    "nan",
    "linux",
    "unix",
    "main",
];

/// What the C library and CUDA declare at global scope, which a namespace may not be called: all identifiers of the headers of either
/// target, lower case, that `namespace NAME {}` behind `cuf.cuh` redeclares (tests/names.rs).
const GLOBAL: &str = include_str!("global.txt");

static GLOBAL_SET: LazyLock<FxHashSet<&str>> =
    LazyLock::new(|| GLOBAL.split_whitespace().collect());

static RESERVED_SET: LazyLock<FxHashSet<&str>> =
    LazyLock::new(|| RESERVED.iter().copied().collect());

/// The identifier for a name inside a namespace, struct or function. Different names get different identifiers: only those made
/// here end in an underscore.
pub fn safe(name: &str) -> String {
    let reserved =
        RESERVED_SET.contains(name.to_ascii_lowercase().as_str()) || macros::is_macro(name);
    let taken = reserved
        || name.starts_with('_')
        || name.ends_with('_')
        || name.to_ascii_lowercase().starts_with("cuf_")
        || name.contains("__");
    if taken { marked(name) } else { name.to_owned() }
}

/// A name with an underscore at its end and no two together: `new_`, and `a_u_b_` for `a__b`. Different names give different ones.
fn marked(name: &str) -> String {
    let mut out = String::new();
    let mut rest = name.chars().peekable();
    while let Some(c) = rest.next() {
        out.push(c);
        // An underscore that has no letter or digit after it is written `_u`, and `_u` itself `_uu`.
        if c == '_' && matches!(rest.peek(), None | Some('_' | 'u')) {
            out.push('u');
        }
    }
    out.push('_');
    out
}

/// The identifier of a namespace made from the name of a program unit.
pub fn safe_namespace(name: &str) -> String {
    let s = safe(name);
    // The C library has functions for other types under the name with `f` or `l`.
    let base = s.strip_suffix(['f', 'l']).unwrap_or(&s);
    let taken = |name: &str| GLOBAL_SET.contains(name.to_ascii_lowercase().as_str());
    if taken(&s) || taken(base) {
        format!("{s}_")
    } else {
        s
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_get_an_underscore() {
        assert_eq!(safe("new"), "new_");
        assert_eq!(safe("temp"), "temp");
        assert_eq!(safe("Int"), "Int_");
        assert_eq!(safe("M_PI"), "M_PI_");
        assert_eq!(safe("new_"), "new_u_");
        assert_eq!(safe("m_pi"), "m_pi");
        assert_eq!(safe("a__b"), "a_u_b_");
        assert_eq!(safe("a_"), "a_u_");
        assert_eq!(safe("CUF_x"), "CUF_x_");
        assert_ne!(safe("a__u_b"), safe("a___b"));
        assert_eq!(safe_namespace("time"), "time_");
    }
}
