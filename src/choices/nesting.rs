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

#[cfg(test)]
mod tests {
    use super::is_entangled;

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
