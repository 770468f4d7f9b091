//! How cuf2cu speaks: the options of all commands for its messages.

use std::ffi::OsString;

use anstream::ColorChoice;
use clap::{ArgAction, ArgMatches, Args, Command, FromArgMatches, ValueEnum};

use crate::diag::levels::{Choice, Levels};
use crate::diag::render::Format;
use crate::driver::terminal::MessageOptions;

/// The options of all commands, which may stand before the command, too.
#[derive(Clone, Debug, Args)]
pub struct VoiceArguments {
    /// The form of the messages: for people, a line each, for programs (docs/messages.md)
    #[arg(
        long,
        value_name = "FORM",
        default_value = "human",
        global = true,
        help_heading = HEADING
    )]
    pub error_format: FormatArgument,
    /// Colours in messages [auto: on a terminal; NO_COLOR, CLICOLOR, CLICOLOR_FORCE and TERM=dumb count]
    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        global = true,
        help_heading = HEADING
    )]
    pub color: clap::ColorChoice,
    /// Show messages only, not what has been done
    #[arg(short, long, global = true, help_heading = HEADING)]
    pub quiet: bool,
}

const HEADING: &str = "Messages";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormatArgument {
    Human,
    Short,
    Json,
    Sarif,
    Github,
}

impl FormatArgument {
    fn format(self) -> Format {
        match self {
            FormatArgument::Human => Format::Human,
            FormatArgument::Short => Format::Short,
            FormatArgument::Json => Format::Json,
            FormatArgument::Sarif => Format::Sarif,
            FormatArgument::Github => Format::Github,
        }
    }
}

/// How to speak by the words of a command line that has not been read yet, so that what is wrong with it is said as asked for.
pub fn before_reading(words: &[OsString]) -> (MessageOptions, clap::ColorChoice) {
    let mut voice = MessageOptions::default();
    let mut colour = clap::ColorChoice::Auto;
    let own = words.iter().skip(1).take_while(|w| *w != "--");
    let mut own = own.map(|w| w.to_string_lossy());
    while let Some(word) = own.next() {
        let (name, value) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (&*word, None),
        };
        let mut value = || value.clone().or_else(|| own.next().map(|w| w.into_owned()));
        match name {
            "--error-format" => {
                let named = value().and_then(|v| FormatArgument::from_str(&v, false).ok());
                voice.format = named.map_or(voice.format, FormatArgument::format);
            }
            "--color" => {
                let named = value().and_then(|v| clap::ColorChoice::from_str(&v, false).ok());
                colour = named.unwrap_or(colour);
            }
            "-q" | "--quiet" => voice.quiet = true,
            _ => {}
        }
    }
    (voice, colour)
}

/// The words with these options behind the command where they stand before it: the parser takes a command behind an option for a source.
pub fn behind_command(words: Vec<OsString>) -> Vec<OsString> {
    let mut own = 1;
    while let Some(word) = words.get(own).and_then(|w| w.to_str()) {
        own += match word {
            "-q" | "--quiet" => 1,
            "--error-format" | "--color" => 2,
            _ if word.starts_with("--error-format=") || word.starts_with("--color=") => 1,
            _ => break,
        };
    }
    // An option behind them is no command, and may take the next word.
    let is_option = |w: &OsString| w.as_encoded_bytes().starts_with(b"-");
    let mut words = words;
    if (2..words.len()).contains(&own) && !is_option(&words[own]) {
        words[1..=own].rotate_right(1);
    }
    words
}

/// What `--color` means for all that is written.
pub fn colours(choice: clap::ColorChoice) -> ColorChoice {
    match choice {
        clap::ColorChoice::Auto => ColorChoice::Auto,
        clap::ColorChoice::Always => ColorChoice::Always,
        clap::ColorChoice::Never => ColorChoice::Never,
    }
}

/// `--deny`, `--warn` and `--allow`, of which the last counts.
#[derive(Clone, Debug, Default)]
pub struct LevelArguments(pub Levels);

const LEVELS: [(&str, Choice, &str); 3] = [
    (
        "deny",
        Choice::Deny,
        "Treat this warning (or all `warnings`) as an error; no output is written for the file",
    ),
    (
        "warn",
        Choice::Warn,
        "Report this warning as a warning, regardless of `--deny warnings` or `--allow warnings`",
    ),
    ("allow", Choice::Allow, "Suppress this warning"),
];

impl Args for LevelArguments {
    fn augment_args(command: Command) -> Command {
        LEVELS.iter().fold(command, |command, (name, _, help)| {
            let argument = clap::Arg::new(*name).long(*name).value_name("CODE");
            command.arg(
                argument
                    .action(ArgAction::Append)
                    .help(*help)
                    .help_heading(HEADING),
            )
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for LevelArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut given: Vec<(usize, &String, Choice)> = Vec::new();
        for (name, choice, _) in LEVELS {
            let places = matches.indices_of(name).into_iter().flatten();
            let values = matches.get_many::<String>(name).into_iter().flatten();
            given.extend(places.zip(values).map(|(at, v)| (at, v, choice)));
        }
        given.sort_by_key(|(at, ..)| *at);
        let mut levels = Levels::default();
        for (_, name, choice) in given {
            levels
                .choose(name, choice)
                .map_err(|e| clap::Error::raw(clap::error::ErrorKind::ValueValidation, e + "\n"))?;
        }
        Ok(LevelArguments(levels))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
