//! Texts and numbers as C++ writes them.

/// A C++ string literal; bytes beyond ASCII stay as they are (UTF-8).
pub fn quote(s: &str) -> String {
    let mut out = String::from("\"");
    for c in s.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '?' => out.push('?'),
            c if c.is_ascii_control() => out.push_str(&format!("\\{:03o}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A NaN that is not the one which C++ calls NAN, by its bits.
pub fn odd_nan(v: f64, kind: u8) -> Option<String> {
    let bits = v.to_bits();
    if !v.is_nan() {
        return None;
    }
    match kind {
        8 => (bits != 0x7ff8 << 48).then(|| format!("cuf::transfer<double>(int64_t({bits:#x}))")),
        4 => {
            // The sign, the exponent and the payload of single precision.
            let bits = (bits >> 32 & 0x8000_0000) | 0x7f80_0000 | (bits >> 29 & 0x7f_ffff);
            (bits != 0x7fc0_0000).then(|| format!("cuf::transfer<float>({bits:#x})"))
        }
        _ => None,
    }
}
