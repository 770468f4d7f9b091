//! C++ identifiers that Fortran names must not take.

/// Keywords and alternative tokens of C++20 (ISO/IEC 14882:2020, 5.11) and what CUDA and the C library, whose headers
/// every unit includes, declare at global scope or as macros under names a Fortran programmer may choose.
const RESERVED: &[&str] = &[
    "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char",
    "char16_t", "char32_t", "char8_t", "class", "co_await", "co_return", "co_yield", "compl", "concept", "const",
    "const_cast", "consteval", "constexpr", "constinit", "continue", "decltype", "default", "delete", "do", "double",
    "dynamic_cast", "else", "enum", "explicit", "export", "extern", "false", "float", "for", "friend", "goto", "if",
    "inline", "int", "long", "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or",
    "or_eq", "private", "protected", "public", "register", "reinterpret_cast", "requires", "return", "short", "signed",
    "sizeof", "static", "static_assert", "static_cast", "struct", "switch", "template", "this", "thread_local", "throw",
    "true", "try", "typedef", "typeid", "typename", "union", "unsigned", "using", "virtual", "void", "volatile",
    "wchar_t", "while", "xor", "xor_eq", "asm", "std", "cuf", "threadidx", "blockidx", "blockdim", "griddim",
    "warpsize", "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "size_t",
    "null", "eof", "bufsiz", "assert", "errno", "stdin", "stdout", "stderr", "infinity", "nan", "linux", "unix", "main",
];

/// Names that functions and objects of the global namespace have, which a namespace may not share.
const GLOBAL: &[&str] = &[
    "abs", "acos", "asin", "atan", "atan2", "ceil", "clock", "cos", "cosh", "div", "erf", "erfc", "exit", "exp", "exp2",
    "floor", "fma", "free", "gamma", "hypot", "index", "j0", "j1", "jn", "kill", "link", "log", "log10", "log2", "malloc",
    "max", "min", "nice", "pause", "pipe", "pow", "printf", "putc", "puts", "raise", "rand", "random", "read", "realloc",
    "remove", "rename", "round", "scalb", "select", "signal", "sin", "sinh", "sleep", "sqrt", "srand", "step_", "swab",
    "sync", "system", "tan", "tanh", "time", "times", "timezone", "trunc", "wait", "write", "y0", "y1", "yn", "daylight",
    "environ", "signgam", "stat", "test_", "dim3", "double2", "double3", "double4", "float2", "float3", "float4", "int2", "int3",
    "int4", "half", "saturate", "brk", "access", "acct", "alarm", "close", "dup", "fork", "ldexp", "frexp", "modf",
    "nearbyint", "rint", "lrint", "cbrt", "tgamma", "lgamma", "norm", "rnorm", "normcdf", "sincos", "rsqrt", "rcbrt",
    "mul24", "dot", "cross",
];

/// The identifier for a name inside a namespace, struct or function.
pub fn safe(name: &str) -> String {
    let folded = name.to_ascii_lowercase();
    let taken = RESERVED.contains(&folded.as_str())
        || name.starts_with('_')
        || name.starts_with("cuf_")
        || name.contains("__");
    if taken { format!("{}_", name.replace("__", "_u_")) } else { name.to_owned() }
}

/// The identifier of a namespace made from the name of a program unit.
pub fn safe_namespace(name: &str) -> String {
    let s = safe(name);
    if GLOBAL.contains(&s.as_str()) { format!("{s}_") } else { s }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_get_an_underscore() {
        assert_eq!(safe("new"), "new_");
        assert_eq!(safe("temp"), "temp");
        assert_eq!(safe("Int"), "Int_");
        assert_eq!(safe_namespace("time"), "time_");
    }
}
