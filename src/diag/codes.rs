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

/// Tables of the restrictions; a section's heading or a row's first column names the guide's sections.
static RESTRICTIONS: &str = include_str!("../../docs/restrictions.md");

/// The sections of NVIDIA's guide that hold the rule behind a diagnostic (`3.2.1, 3.3.1`); None where there is none.
pub fn guide_sections(code: &str) -> Option<String> {
    if !code.starts_with("CUF03") && !code.starts_with("CUF04") {
        return None;
    }
    let mut heading = "";
    let mut sections: Vec<&str> = Vec::new();
    for line in RESTRICTIONS.lines() {
        if line.starts_with('#') {
            heading = line;
        }
        let columns: Vec<&str> = line.split('|').map(str::trim).collect();
        let Some(at) = columns.iter().position(|c| c.contains(code)) else {
            continue;
        };
        // The tables of one section have no column for it.
        let place = if at == 3 { columns[1] } else { heading };
        let numbers = place
            .split(|c: char| !c.is_ascii_alphanumeric() && c != '.')
            .filter(|w| w.starts_with(|c: char| c.is_ascii_digit()));
        sections.extend(numbers);
    }
    sections.sort_unstable();
    sections.dedup();
    (!sections.is_empty()).then(|| sections.join(", "))
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
    fn sections_of_the_guide() {
        assert_eq!(guide_sections("CUF0318").as_deref(), Some("2.6, 3.2.4"));
        assert_eq!(guide_sections("CUF0375").as_deref(), Some("2.11.2"));
        assert_eq!(guide_sections("CUF0101"), None);
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

    #[test]
    fn every_code_is_explained_once() {
        let mut seen = BTreeSet::new();
        for section in TEXT.split("\n## ").skip(1) {
            let code = section.split(':').next();
            assert!(seen.insert(code), "two sections of {code:?}");
        }
    }
}
