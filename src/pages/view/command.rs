//! `cuf2cu view`: a translation as a page.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::cli::arguments::ViewArguments;
use crate::cli::commands::{title, translate_inputs_with};
use crate::driver::{Error, inputs, read_source, terminal};
use crate::serve::{self, Made};
use crate::translate::{Action, TranslateOptions};
use crate::view::{self, Subject};

/// What a page of cuf2cu has near its beginning.
const MARK: &str = "<meta name=\"generator\" content=\"cuf2cu\">";

/// `cuf2cu view SRC...`: a page with errors in it is written, too.
pub fn view(arguments: &ViewArguments) -> Result<ExitCode, Error> {
    if arguments.serve {
        serve::serve(arguments.port, &mut |version| {
            let made = made(arguments, Some(version))?;
            Ok(made.0)
        })?;
        return Ok(ExitCode::SUCCESS);
    }
    let output = match &arguments.output {
        Some(path) => path.clone(),
        None => default_name(&arguments.sources),
    };
    check_output(&output)?;
    let (made, failed) = made(arguments, None)?;
    fs::write(&output, &made.page).map_err(|e| Error::file("write", &output, &e))?;
    terminal::note(format_args!("written to {}\n", output.display()));
    match failed {
        true => Err(Error::Diagnostics),
        false => Ok(ExitCode::SUCCESS),
    }
}

/// The page, and whether the program has errors.
fn made(arguments: &ViewArguments, live: Option<u64>) -> Result<(Made, bool), Error> {
    let mut inputs = inputs::collect(&arguments.sources, Some(&arguments.source.selection()))?;
    let given: Vec<(PathBuf, Vec<u8>)> = (inputs.fortran.iter())
        .map(|f| (f.path.clone(), f.bytes.clone()))
        .collect();
    let options = TranslateOptions {
        goal: Action::Translate,
        facts: true,
        source_map: true,
        ..arguments.source.translate_options(arguments.build.checks())
    };
    let translation = translate_inputs_with(&mut inputs, &arguments.source, options)?;
    let failed = terminal::show(&translation.diagnostics, arguments.source.max_errors);
    let included = translation.includes.iter();
    let included = included.filter_map(|(path, bytes)| Some((path.clone(), bytes.clone()?)));
    let read: Vec<(PathBuf, Vec<u8>)> = given.into_iter().chain(included).collect();
    let report = match &arguments.ptxas {
        Some(path) => {
            let bytes = read_source::named(path)?;
            Some(String::from_utf8_lossy(&bytes).into_owned())
        }
        None => None,
    };
    let by_name: BTreeMap<String, &[u8]> = (read.iter())
        .map(|(path, bytes)| (path.display().to_string(), &bytes[..]))
        .collect();
    let map = translation.map.clone().unwrap_or_default();
    let page = view::page(&Subject {
        title: &title(&arguments.sources),
        translation: &translation,
        map: &map,
        read: by_name,
        lesson: arguments.lesson,
        ptxas: report.as_deref(),
        live,
        options: &options_given(&arguments.sources),
        dated: youngest(read.iter().map(|(path, _)| path.as_path())),
        repository: arguments.repo_url.as_deref(),
    });
    let files = read.iter().map(|(path, _)| path.as_path());
    let files = files.chain(arguments.sources.iter().map(PathBuf::as_path));
    let watched = serve::with_folders(files.chain(arguments.ptxas.as_deref()));
    Ok((Made { page, watched }, failed))
}

/// The options of the command line that matter to the translation, as they were given.
fn options_given(sources: &[PathBuf]) -> String {
    /// Options of the page and of messages, with what follows them.
    const WITH_VALUE: [&str; 10] = [
        "-o",
        "--output",
        "--port",
        "--ptxas",
        "--repo-url",
        "-j",
        "--jobs",
        "--max-errors",
        "--color",
        "--error-format",
    ];
    const ALONE: [&str; 3] = ["--serve", "-q", "--quiet"];
    let mut out = Vec::new();
    let mut words = std::env::args_os().skip(2);
    while let Some(word) = words.next() {
        let text = word.to_string_lossy();
        let joined = |o: &&str| match o.starts_with("--") {
            true => text
                .strip_prefix(o)
                .is_some_and(|rest| rest.starts_with('=')),
            false => text.starts_with(o),
        };
        if WITH_VALUE.contains(&&*text) {
            words.next();
        } else if !ALONE.contains(&&*text)
            && !WITH_VALUE.iter().any(joined)
            && !sources.iter().any(|s| s.as_os_str() == word)
        {
            out.push(text.into_owned());
        }
    }
    out.join(" ")
}

/// When the youngest of these files was changed, in seconds since 1970 began.
fn youngest<'a>(files: impl Iterator<Item = &'a Path>) -> Option<u64> {
    let changed = files.filter_map(|f| fs::metadata(f).ok()?.modified().ok());
    let since = changed.max()?.duration_since(std::time::UNIX_EPOCH).ok()?;
    Some(since.as_secs())
}

/// `heat.html` for `samples/heat.cuf` and for the folder `heat`.
fn default_name(sources: &[PathBuf]) -> PathBuf {
    let first = sources.first().and_then(|s| fs::canonicalize(s).ok());
    let stem = first
        .as_deref()
        .and_then(Path::file_stem)
        .map(ToOwned::to_owned);
    let mut name = stem.unwrap_or_else(|| "page".into());
    name.push(".html");
    PathBuf::from(name)
}

/// An existing file is written over if it is a page like this one.
fn check_output(path: &Path) -> Result<(), Error> {
    let Ok(file) = fs::File::open(path) else {
        return Ok(());
    };
    let mut start = Vec::new();
    let read = file.take(4096).read_to_end(&mut start);
    let start = String::from_utf8_lossy(&start);
    if read.is_ok() && (start.is_empty() || start.contains(MARK)) {
        return Ok(());
    }
    Err(Error::Usage(format!(
        "{} exists and was not written by `cuf2cu view`\nhelp: choose another name with `-o`",
        path.display()
    )))
}
