//! The command line.

pub(crate) mod arguments;
mod build_dir;
pub(crate) mod commands;
mod compat_flags;
mod completions;
mod doctor;
mod environment;
mod explain;
mod fc;
mod message_options;
mod output;
mod progress;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory as _, FromArgMatches as _};

use crate::driver::{BuildOptions, Error, Target, process, terminal};
use crate::suggest::nearest;
use crate::translate::TranslateOptions;
use arguments::{
    Arguments, Command, CompareArguments, ReportArguments, RunArguments, ViewArguments,
};

/// The options of translation and build that the flags of a `build` command give.
///
/// # Errors
/// What is wrong with the flags.
pub fn options_of(
    flags: &[String],
    target: Target,
) -> Result<(TranslateOptions, BuildOptions), String> {
    let words = ["cuf2cu", "build", "SRC"].map(OsString::from);
    let words = words.into_iter().chain(flags.iter().map(OsString::from));
    let words = compat_flags::translate(words)?;
    // The usage of `cuf2cu build` is nobody's here.
    let first = |e: clap::Error| {
        let text = e.render().to_string();
        let what = text.split("\n\n").next().unwrap_or_default();
        what.trim_start_matches("error: ").to_owned()
    };
    // Build systems give options twice; as with other compilers the last one counts.
    let command = Arguments::command().mut_subcommand("build", |c| c.args_override_self(true));
    let matches = command.try_get_matches_from(words).map_err(first)?;
    let parsed = Arguments::from_arg_matches(&matches).map_err(first)?;
    let Some(Command::Build(build)) = parsed.command else {
        return Err("the flags are not options of `cuf2cu build`".to_owned());
    };
    let options = build.build.build_options(&build.source, target);
    Ok((
        build.source.translate_options(build.build.checks()),
        options.map_err(|e| e.to_string())?,
    ))
}

/// What the commands of the layer above do: pages and reports.
pub struct PageCommands {
    /// `cuf2cu compare`
    pub compare: fn(&CompareArguments) -> Result<ExitCode, Error>,
    /// `cuf2cu run --compare`
    pub run_compared: fn(&RunArguments) -> Result<ExitCode, Error>,
    /// `cuf2cu report`
    pub report: fn(&ReportArguments) -> Result<ExitCode, Error>,
    /// `cuf2cu view`
    pub view: fn(&ViewArguments) -> Result<ExitCode, Error>,
}

/// Whether `cuf2cu build` has the option of this name (without its hyphens), and whether a word follows it.
fn has_argument(name: &str) -> Option<bool> {
    let command = Arguments::command();
    let build = command.find_subcommand("build")?;
    let option = build.get_arguments().chain(command.get_arguments());
    let mut named = option.filter(|a| a.get_long() == Some(name));
    named.next().map(|a| a.get_action().takes_values())
}

/// Runs the command line `arguments` (the first is the program's name).
///
/// The exit status is 0 for success, else that of the [`Error`]; `run` gives the program's own status once the program has started, 128 + n
/// if it ended by signal n.
pub fn main(arguments: impl IntoIterator<Item = OsString>, pages: &PageCommands) -> ExitCode {
    let words: Vec<OsString> = arguments.into_iter().collect();
    let another = process::parent_death::take_place(&words).or_else(|| process::take_place(&words));
    if let Some(status) = another {
        return status;
    }
    // First of all, while no file is open but those given to this process.
    process::job_slots::ask();
    process::interrupt::watch();
    let (manner, colour) = message_options::before_reading(&words);
    terminal::speak(manner, message_options::colours(colour));
    let (program, result) = command(words, colour, pages);
    // What has not arrived counts where nothing else is wrong.
    let arrived = terminal::all_arrived();
    let lost = arrived.as_ref().err().map(Error::exit_status);
    if let Err(error) = &arrived {
        terminal::fail("cuf2cu", error);
    }
    let (status, exit) = match result {
        Ok(exit) if exit == ExitCode::SUCCESS => {
            (lost.unwrap_or(0), ExitCode::from(lost.unwrap_or(0)))
        }
        Ok(exit) => (0, exit),
        Err(error) => {
            terminal::fail(program, &error);
            (error.exit_status(), ExitCode::from(error.exit_status()))
        }
    };
    terminal::finish(status);
    process::interrupt::leave();
    exit
}

/// The command of a command line, and who speaks.
fn command(
    words: Vec<OsString>,
    colour: clap::ColorChoice,
    pages: &PageCommands,
) -> (&'static str, Result<ExitCode, Error>) {
    let mut words = message_options::behind_command(words)
        .into_iter()
        .peekable();
    let program = words.next();
    // Makefiles name their compiler: a link of that name to cuf2cu takes its place. Its options are those of compilers.
    if program.as_deref().is_some_and(fc::is_name) || words.next_if(|a| a == "fc").is_some() {
        return ("cuf2cu fc", fc::run(words.collect()));
    }
    // Before its options are, which the command may have.
    let mistyped = words.peek().and_then(|w| completions::mistyped(w));
    let result = match mistyped {
        Some(error) => Err(error),
        None => own(program.into_iter().chain(words), colour, pages),
    };
    ("cuf2cu", result)
}

fn own(
    words: impl Iterator<Item = OsString>,
    colour: clap::ColorChoice,
    pages: &PageCommands,
) -> Result<ExitCode, Error> {
    let words = compat_flags::translate(words).map_err(Error::Usage)?;
    let matches = Arguments::command()
        .color(colour)
        .try_get_matches_from(words);
    let arguments = matches.and_then(|mut m| Arguments::from_arg_matches_mut(&mut m));
    let arguments = match arguments {
        Ok(arguments) => arguments,
        // Help and version, on standard output.
        Err(asked) if !asked.use_stderr() => {
            terminal::written(asked.print());
            return Ok(ExitCode::SUCCESS);
        }
        Err(error) => return Err(wrong(error)),
    };
    match arguments.command {
        Some(Command::Run(run)) if run.several.compare => (pages.run_compared)(&run),
        Some(Command::Run(run)) => commands::run(&run),
        Some(Command::Build(build)) => commands::build(&build),
        Some(Command::Check(check)) => commands::check(&check),
        Some(Command::Report(report)) => (pages.report)(&report),
        Some(Command::View(arguments)) => (pages.view)(&arguments),
        Some(Command::Modules(modules)) => commands::modules(&modules),
        Some(Command::Clean) => commands::clean(),
        Some(Command::CmakeModule) => {
            print_for_cmake(crate::driver::cmake::MODULE);
            Ok(ExitCode::SUCCESS)
        }
        Some(Command::CmakeToolchain) => {
            print_for_cmake(crate::driver::cmake::TOOLCHAIN);
            Ok(ExitCode::SUCCESS)
        }
        Some(Command::Doctor) => doctor::doctor(),
        // Only behind options.
        Some(Command::Fc(fc)) => fc::run(fc.words),
        Some(Command::Compare(compare)) => (pages.compare)(&compare),
        Some(Command::Explain(explain)) => explain::explain(&explain),
        Some(Command::Completions { shell }) => Ok(completions::completions(shell)),
        Some(Command::Man { folder }) => completions::man(&folder),
        None => {
            let first = arguments.translate.paths.first();
            match first.and_then(|p| completions::misplaced(p.as_os_str())) {
                Some(error) => Err(error),
                None => commands::translate(&arguments.translate),
            }
        }
    }
}

/// Prints a file for CMake, with the place of this command where CMake would not find it.
fn print_for_cmake(file: &str) {
    let own = std::env::current_exe().unwrap_or_default();
    let text = crate::driver::cmake::printed(file, &own);
    terminal::print(format_args!("{text}"));
}

/// Values of options that mean another one, which has no similar letters.
const SYNONYMS: [(&str, &str); 5] = [
    ("device", "cuda"),
    ("gpu", "cuda"),
    ("host", "cpu"),
    ("nvidia", "cuda"),
    ("text", "human"),
];

/// Suggests the value that is meant, by the measure of all suggestions.
fn suggest_value(error: &mut clap::Error) {
    if error.kind() != ErrorKind::InvalidValue {
        return;
    }
    let (Some(ContextValue::String(given)), Some(ContextValue::Strings(valid))) = (
        error.get(ContextKind::InvalidValue),
        error.get(ContextKind::ValidValue),
    ) else {
        return;
    };
    let synonym = SYNONYMS
        .iter()
        .find(|(s, v)| s == given && valid.iter().any(|x| x == v));
    let meant = match synonym {
        Some((_, value)) => Some((*value).to_owned()),
        None => nearest(given, valid.iter().map(String::as_str)).map(str::to_owned),
    };
    error.remove(ContextKind::SuggestedValue);
    if let Some(meant) = meant {
        error.insert(ContextKind::SuggestedValue, ContextValue::String(meant));
    }
}

/// What is wrong with a command line, without the word that says that it is an error.
fn wrong(mut error: clap::Error) -> Error {
    suggest_value(&mut error);
    let text = error.render().to_string();
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        terminal::tell(format_args!("{text}\n"));
        return Error::Usage("no sources or command".to_owned());
    }
    Error::Usage(text.trim_start_matches("error: ").trim_end().to_owned())
}
