//! The long texts of the diagnostics: the sections of docs/diagnostics.md, embedded.

/// Sections start with `## CUF0301: title`.
static TEXT: &str = include_str!("../../docs/diagnostics.md");

/// The long text of a diagnostic (`CUF0301`, in capitals): its title, then the text.
pub fn explain(code: &str) -> Option<&'static str> {
    let section = |s: &&str| {
        s.strip_prefix(code)
            .is_some_and(|rest| rest.starts_with(": "))
    };
    TEXT.split("\n## ").find(section)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::*;

    /// Collects the codes that stand in string literals below `folder`.
    fn codes_in(folder: &Path, codes: &mut BTreeSet<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                codes_in(&path, codes);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                let literals = text
                    .split("\"CUF")
                    .skip(1)
                    .filter_map(|rest| rest.split_once('"'));
                let numbers = literals
                    .map(|(number, _)| number)
                    .filter(|n| n.len() == 4 && n.bytes().all(|b| b.is_ascii_digit()));
                codes.extend(numbers.map(|number| format!("CUF{number}")));
            }
        }
    }

    #[test]
    fn every_code_is_explained() {
        let mut codes = BTreeSet::new();
        codes_in(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join("src"),
            &mut codes,
        );
        assert!(codes.len() > 50);
        let missing: Vec<&String> = codes.iter().filter(|c| explain(c).is_none()).collect();
        assert!(
            missing.is_empty(),
            "no section in docs/diagnostics.md: {missing:?}"
        );
    }
}
