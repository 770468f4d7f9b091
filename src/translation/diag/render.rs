//! Shows diagnostics: for people (source line and caret), one line a message, and the forms for machines.

use std::fmt::Write as _;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::message::Message;
use super::{Diagnostic, Severity, codes, github};

/// The form of the messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Source line, caret and help.
    #[default]
    Human,
    /// `file:line:col: error[CUF0123]: text`.
    Short,
    /// One JSON object a line: see [`Message`].
    Json,
    /// One document for all: see [`sarif`](super::sarif).
    Sarif,
    /// Annotations of GitHub's workflows.
    Github,
}

impl Format {
    /// Nothing but messages is said, and all of it in this form.
    pub fn is_strict(self) -> bool {
        matches!(self, Format::Json | Format::Sarif)
    }
}

/// The text of one diagnostic, ending with a newline; empty for SARIF, which is one document.
pub fn render(diagnostic: &Diagnostic, format: Format, colour: bool) -> String {
    match format {
        Format::Human => human(diagnostic, colour),
        Format::Short => short(diagnostic),
        Format::Json => Message::from(diagnostic).json(),
        Format::Sarif => String::new(),
        Format::Github => github::annotation(&diagnostic.into()),
    }
}

fn severity(diagnostic: &Diagnostic) -> &'static str {
    match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

fn short(diagnostic: &Diagnostic) -> String {
    let mut text = diagnostic.file.display().to_string();
    if diagnostic.line > 0 {
        // Writing to a string cannot fail.
        let _ = write!(text, ":{}:{}", diagnostic.line, diagnostic.column);
    }
    let message = diagnostic.message.replace('\n', " ");
    let _ = writeln!(
        text,
        ": {}[{}]: {message}",
        severity(diagnostic),
        diagnostic.code
    );
    text
}

fn human(diagnostic: &Diagnostic, colour: bool) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let path = diagnostic.file.display().to_string();
    let title = level
        .primary_title(diagnostic.message.as_str())
        .id(diagnostic.code);
    let line = diagnostic.source_line.trim_end();
    let mut report = Vec::new();
    if diagnostic.line > 0 {
        let offset = |column: u32| {
            line.char_indices()
                .nth(column.saturating_sub(1) as usize)
                .map_or(line.len(), |(i, _)| i)
        };
        let start = offset(diagnostic.column);
        let end = offset(diagnostic.end_column).max(start);
        let snippet = Snippet::source(line)
            .path(path.as_str())
            .line_start(diagnostic.line as usize)
            .annotation(AnnotationKind::Primary.span(start..end));
        let group = title.element(snippet);
        let guide = codes::rule_note(diagnostic.code, diagnostic.openacc);
        let notes = diagnostic.notes.iter().chain(&guide);
        report.push(notes.fold(group, |group, note| {
            group.element(Level::NOTE.message(note.clone()))
        }));
    } else {
        let group = title.element(annotate_snippets::Origin::path(path.as_str()));
        report.push(diagnostic.notes.iter().fold(group, |group, note| {
            group.element(Level::NOTE.message(note.clone()))
        }));
    }
    if let Some(help) = &diagnostic.help {
        report.push(Group::with_title(
            Level::HELP.secondary_title(help.as_str()),
        ));
    }
    let renderer = if colour {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    renderer.render(&report).trim_end().to_owned() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Diagnostic {
        Diagnostic {
            code: "CUF0301",
            severity: Severity::Error,
            message: "host array `w` in device code".to_owned(),
            file: "src/a.cuf".into(),
            line: 7,
            column: 8,
            end_column: 9,
            end: (7, 9),
            notes: vec!["a rule".to_owned()],
            fixes: Vec::new(),
            help: Some("give it the device attribute".to_owned()),
            source_line: "  x = 2*w(i)".to_owned(),
            openacc: false,
        }
    }

    #[test]
    fn forms() {
        let short = render(&sample(), Format::Short, false);
        assert_eq!(
            short,
            "src/a.cuf:7:8: error[CUF0301]: host array `w` in device code\n"
        );
        let human = render(&sample(), Format::Human, false);
        let parts = [
            "error[CUF0301]: host",
            "--> src/a.cuf:7:8",
            "  x = 2*w(i)",
            "^",
            "note: a rule",
            "help: give it",
        ];
        for part in parts {
            assert!(human.contains(part), "{part} in {human}");
        }
        let json = render(&sample(), Format::Json, false);
        assert!(
            json.contains(r#""severity":"error","code":"CUF0301""#),
            "{json}"
        );
        assert_eq!(json.lines().count(), 1);
    }

    #[test]
    fn places_outside_the_line_are_harmless() {
        for (column, end_column) in [(0, 0), (40, 50), (9, 3)] {
            let wild = Diagnostic {
                column,
                end_column,
                source_line: "  é = 1".to_owned(),
                ..sample()
            };
            assert!(render(&wild, Format::Human, false).contains("CUF0301"));
        }
        assert!(
            render(
                &Diagnostic {
                    line: 0,
                    ..sample()
                },
                Format::Human,
                false
            )
            .contains("src/a.cuf")
        );
    }
}
