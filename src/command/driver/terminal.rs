//! What is said to the user, in the form asked for: a reader that has gone away (`cuf2cu check src | head`) is no reason to stop with a
//! panic, and a full disk behind standard output is one to fail.
//!
//! Standard error belongs to the process, and so does the manner in which it is written: it is set once, before anything is said.

use std::fmt::Arguments;
use std::io::{self, ErrorKind, IsTerminal as _, Write};
use std::sync::{Mutex, OnceLock, PoisonError};

use anstream::{AutoStream, ColorChoice};

use super::Error;
use crate::diag::message::{self, Kind, Message};
use crate::diag::render::{Format, render};
use crate::diag::{Diagnostic, Severity, github, sarif};

/// How to speak.
#[derive(Clone, Copy, Debug, Default)]
pub struct MessageOptions {
    pub format: Format,
    /// Messages only.
    pub quiet: bool,
}

/// The first failure to write to standard output, but that of a reader that has gone away.
static FAILED: Mutex<Option<io::Error>> = Mutex::new(None);

static VOICE: OnceLock<MessageOptions> = OnceLock::new();

/// What a document at the end will hold; None once it has been written.
static DOCUMENT: Mutex<Option<Document>> = Mutex::new(Some(Document {
    found: Vec::new(),
    said: Vec::new(),
}));

struct Document {
    found: Vec<Diagnostic>,
    said: Vec<Message>,
}

/// Sets the voice, for good, and what `--color` asks for; without one the terminal and the environment decide.
pub fn speak(voice: MessageOptions, colour: ColorChoice) {
    colour.write_global();
    if let Some(address) = std::env::var("CUF2CU_DOCS_URL")
        .ok()
        .filter(|v| !v.is_empty())
    {
        message::documents_are_at(address);
    }
    // It is set once.
    let _ = VOICE.set(voice);
}

/// The form of the messages.
pub fn format() -> Format {
    voice().format
}

/// Writes what a command found to standard output, unless the user wants messages only.
pub fn outcome(text: Arguments<'_>) {
    if !voice().quiet {
        print(text);
    }
}

fn voice() -> MessageOptions {
    VOICE.get().copied().unwrap_or_default()
}

/// Writes to standard output.
pub fn print(text: Arguments<'_>) {
    written(io::stdout().write_fmt(text));
}

/// Writes bytes to standard output.
pub fn print_bytes(text: &[u8]) {
    written(io::stdout().write_all(text));
}

/// Takes note of how writing to standard output went.
pub fn written(outcome: io::Result<()>) {
    if let Err(error) = outcome.and_then(|()| io::stdout().flush())
        && error.kind() != ErrorKind::BrokenPipe
    {
        let mut failed = FAILED.lock().unwrap_or_else(PoisonError::into_inner);
        failed.get_or_insert(error);
    }
}

/// Writes to standard error what belongs to no message: nothing in the forms that hold messages alone.
pub fn tell(text: Arguments<'_>) {
    if !voice().format.is_strict() {
        let _ = io::stderr().write_fmt(text);
    }
}

/// Tells what has been done, unless the user wants messages only.
pub fn note(text: Arguments<'_>) {
    if !voice().quiet {
        tell(text);
    }
}

/// Warns of something that is no matter of a source.
pub fn warn(program: &str, kind: Kind, text: &str) {
    let text = text.trim_end();
    let plain = match kind {
        // A compiler says itself who speaks.
        Kind::Tool => text.to_owned(),
        _ => format!("{program}: warning: {text}"),
    };
    say(Message::of(kind, Severity::Warning, text, None), &plain);
}

/// Tells why a command ends. Diagnostics have been shown.
pub fn fail(program: &str, error: &Error) {
    if let Some(message) = error.message() {
        let plain = format!("{program}: {error}");
        say(message, &plain);
    }
}

/// Says a message in the form asked for; `plain`: to people.
pub fn say(message: Message, plain: &str) {
    let text = match voice().format {
        Format::Human | Format::Short => format!("{plain}\n"),
        Format::Json => message.json(),
        Format::Github => github::annotation(&message),
        Format::Sarif => match &mut *document() {
            Some(document) => {
                document.said.push(message);
                return;
            }
            None => format!("{plain}\n"),
        },
    };
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Shows the diagnostics, for people at most so many errors and warnings, 0: all; whether there are errors.
pub fn show(diagnostics: &[Diagnostic], most: usize) -> bool {
    let format = voice().format;
    let colour = AutoStream::choice(&io::stderr()) != ColorChoice::Never;
    if format == Format::Sarif
        && let Some(document) = &mut *document()
    {
        document.found.extend_from_slice(diagnostics);
    }
    // Of each severity; what reads the forms of machines wants all.
    let most = match (most, format) {
        (0, _) | (_, Format::Json | Format::Sarif) => usize::MAX,
        (most, _) => most,
    };
    let (mut errors, mut others) = (0, 0);
    // In one piece: other processes may write there, too.
    let mut text = String::new();
    for diagnostic in diagnostics {
        let count = match diagnostic.severity {
            Severity::Error => &mut errors,
            Severity::Warning => &mut others,
        };
        *count += 1;
        if *count <= most {
            text.push_str(&render(diagnostic, format, colour));
            text.push_str(if format == Format::Human { "\n" } else { "" });
        }
    }
    let _ = io::stderr().write_all(text.as_bytes());
    let plural = |n: usize| if n == 1 { "" } else { "s" };
    for (count, what) in [(errors, "error"), (others, "warning")] {
        if count > most {
            let more = count - most;
            tell(format_args!(
                "{more} more {what}{} not shown: --max-errors 0 shows all\n",
                plural(more)
            ));
        }
    }
    if errors > 0 && format == Format::Human {
        note(format_args!(
            "{errors} error{}; `cuf2cu explain CODE` says more\n",
            plural(errors)
        ));
    }
    errors > 0
}

/// Writes the document, if messages have the form of one: at the end of the command, or before it hands over to another program.
pub fn finish(status: u8) {
    if voice().format == Format::Sarif
        && let Some(d) = document().take()
    {
        let text = sarif::document(&d.found, &d.said, status);
        let _ = io::stderr().write_all(text.as_bytes());
    }
}

fn document() -> std::sync::MutexGuard<'static, Option<Document>> {
    DOCUMENT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether something that moves can be shown: on a terminal that can do it, to people who want more than messages.
pub fn is_lively() -> bool {
    let voice = voice();
    let dumb = std::env::var_os("TERM").is_none_or(|t| t.is_empty() || t == "dumb");
    let people = matches!(voice.format, Format::Human | Format::Short) && !voice.quiet;
    people && !dumb && io::stderr().is_terminal()
}

/// Whether all that was written to standard output has arrived, as far as it was wanted.
///
/// # Errors
/// [`Error::File`] if not.
pub fn all_arrived() -> Result<(), Error> {
    let mut failed = FAILED.lock().unwrap_or_else(PoisonError::into_inner);
    match failed.take() {
        Some(error) => Err(Error::File {
            path: "standard output".into(),
            text: format!("cannot write to standard output: {error}"),
        }),
        None => Ok(()),
    }
}
