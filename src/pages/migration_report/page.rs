//! The report as one HTML file: nothing is loaded, and a printer makes a page of it.

use askama::Template;

use super::data::{Branch, File, MigrationReport, Refusal};

/// Rows that are printed; a screen shows the others, too.
const PRINTED: usize = 5;

#[derive(Template)]
#[template(path = "report/effort.html")]
struct Page<'a> {
    e: &'a MigrationReport,
    title: String,
    files: Vec<&'a File>,
    branches: Vec<&'a Branch>,
    found: [(&'a str, &'a [Refusal]); 2],
}

/// The report as HTML.
pub fn page(effort: &MigrationReport) -> String {
    let page = Page {
        e: effort,
        title: format!("Migration of {}", effort.asked.join(" ")),
        files: effort.files_to_show(),
        branches: effort.cuda_branches(),
        found: [
            ("What is refused", &effort.refused),
            ("Warnings to look at", &effort.warnings),
        ],
    };
    // Only strings and numbers are formatted: rendering cannot fail.
    page.render().unwrap_or_default()
}

impl Page<'_> {
    /// The class of a row: those behind the first ones are not printed.
    fn row(&self, number: &usize) -> &'static str {
        if *number > PRINTED { "screen" } else { "" }
    }

    /// The parts of a text: words of code stand between backquotes.
    fn parts<'t>(&self, text: &'t str) -> impl Iterator<Item = (bool, &'t str)> {
        text.split('`')
            .enumerate()
            .map(|(i, part)| (i % 2 == 1, part))
    }

    fn of(&self, found: &usize, refused: &usize) -> String {
        match refused {
            0 => found.to_string(),
            n => format!("{found} ({n} refused)"),
        }
    }
}
