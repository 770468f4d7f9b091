//! Which conditionals are inside of others.

/// A conditional about the macro has one about another of them inside, or the other way round, or asks for both, or has directives inside that
/// other text depends on.
pub(super) fn is_entangled(name: &str, others: &[&str], texts: &[&[u8]]) -> bool {
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    for text in texts {
        // For each open conditional, whether it asks for the macro, and for another one.
        let mut open: Vec<(bool, bool)> = Vec::new();
        for line in text.split(|b| *b == b'\n') {
            let line = line.trim_ascii_start();
            if !line.starts_with(b"#") {
                continue;
            }
            let mut words = line.split(|b| !is_part(b)).filter(|w| !w.is_empty());
            let directive = words.next().unwrap_or_default().to_ascii_lowercase();
            // The macro's own default is no directive that other text depends on.
            let is_default = directive == b"define"
                && words.clone().next().is_some_and(|w| w == name.as_bytes());
            let mut asks = (false, false);
            for word in words {
                asks.0 |= word == name.as_bytes();
                asks.1 |= others.iter().any(|o| o.as_bytes() == word);
            }
            match &*directive {
                b"if" | b"ifdef" | b"ifndef" => open.push(asks),
                b"elif" => {
                    if let Some(last) = open.last_mut() {
                        *last = (last.0 | asks.0, last.1 | asks.1);
                    }
                }
                b"endif" => {
                    open.pop();
                }
                b"define" if is_default => {}
                b"define" | b"undef" | b"include" if open.iter().any(|o| o.0) => return true,
                _ => {}
            }
            let within = |f: fn(&(bool, bool)) -> bool| open.iter().any(f);
            if within(|o| o.0) && within(|o| o.1) {
                return true;
            }
        }
    }
    false
}

/// What two macros choose may be more together than alone.
pub(super) fn mean_together(a: &str, b: &str, texts: &[&[u8]]) -> bool {
    is_entangled(a, &[b], texts)
        || is_entangled(b, &[a], texts)
        || chooses_constants(a, texts) && chooses_constants(b, texts)
}

/// A conditional about the macro has more inside than executable statements: two that choose constants can mean something together that each
/// does not mean alone.
pub(super) fn chooses_constants(name: &str, texts: &[&[u8]]) -> bool {
    const WORDS: [&[u8]; 14] = [
        b"parameter",
        b"enumerator",
        b"use",
        b"include",
        b"import",
        b"integer",
        b"real",
        b"complex",
        b"logical",
        b"character",
        b"double",
        b"type",
        b"define",
        b"undef",
    ];
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    for text in texts {
        let mut open: Vec<bool> = Vec::new();
        let mut goes_on = false;
        for line in text.split(|b| *b == b'\n') {
            let code = line.trim_ascii();
            let lower = code.to_ascii_lowercase();
            let mut words = lower.split(|b| !is_part(b)).filter(|w| !w.is_empty());
            let asks = || code.split(|b| !is_part(b)).any(|w| w == name.as_bytes());
            if code.starts_with(b"#") {
                match words.next().unwrap_or_default() {
                    b"if" | b"ifdef" | b"ifndef" => open.push(asks()),
                    b"elif" => open
                        .iter_mut()
                        .last()
                        .into_iter()
                        .for_each(|o| *o |= asks()),
                    b"endif" => drop(open.pop()),
                    b"else" => {}
                    // A condition may ask for the other macro instead.
                    b"define" if asks() => return true,
                    _ if open.contains(&true) => return true,
                    _ => {}
                }
                continue;
            }
            if code.is_empty() || code.starts_with(b"!") {
                continue;
            }
            let of_fixed_form =
                line.len() > 5 && line.starts_with(b"     ") && !b" 0".contains(&line[5]);
            let is_part_of_one = goes_on || of_fixed_form || code.starts_with(b"&");
            let declares =
                lower.windows(2).any(|w| w == b"::") || words.any(|w| WORDS.contains(&w));
            if open.contains(&true) && (is_part_of_one || declares) {
                return true;
            }
            goes_on = code.ends_with(b"&");
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::{chooses_constants, is_entangled};

    #[test]
    fn what_a_macro_chooses() {
        for text in [
            "#ifdef A\ninteger, parameter :: n = 1\n#endif\n",
            "#ifdef B\n#elif A\nuse x\n#endif\n",
            "k = &\n#ifdef A\n1\n#else\n2\n#endif\n",
            "      k =\n#ifdef A\n     & 1\n#endif\n",
            "#ifdef A\n#define N 1\n#endif\n",
            "#define HAVE_A defined(A)\n",
        ] {
            assert!(chooses_constants("A", &[text.as_bytes()]), "{text}");
        }
        let statements = "#ifdef A\n  print *, n\n  ! use x\n#endif\ninteger :: n\n";
        assert!(!chooses_constants("A", &[statements.as_bytes()]));
    }

    #[test]
    fn conditionals_inside_of_each_other() {
        let apart = "#ifdef A\nx\n#endif\n#if B\ny\n#endif\n";
        assert!(!is_entangled("A", &["B"], &[apart.as_bytes()]));
        let default = "#ifndef A\n#define A 1\n#endif\n#ifdef B\n#endif\n";
        assert!(!is_entangled("A", &["B"], &[default.as_bytes()]));
        for text in [
            "#ifdef A\n#ifdef B\n#endif\n#endif\n",
            "#if C || B\nx\n#elif A\n#endif\n",
            "#ifdef A\n#define X\n#endif\n",
            "#ifndef A\n#define A 1\n#define X A\n#endif\n",
        ] {
            assert!(is_entangled("A", &["B"], &[text.as_bytes()]), "{text}");
        }
    }
}
