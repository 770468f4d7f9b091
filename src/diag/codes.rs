//! The table of diagnostics: docs/diagnostics/, one page a code, embedded.

/// The pages by code.
static PAGES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/diagnostic_pages.rs"));

/// The long text of a diagnostic (`CUF0301`, in capitals).
pub fn explain(code: &str) -> Option<&'static str> {
    PAGES
        .iter()
        .find(|(c, _)| *c == code)
        .map(|(_, text)| *text)
}
