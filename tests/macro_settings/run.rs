//! Translates a project under one setting, builds the output under others, and compares with gfortran.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::launcher;
use crate::project::{Project, Side};
use crate::suite::{self, End, RunResult};

/// What happened under a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// It prints what the plain program prints.
    Right,
    /// The build stops with a message of cuf2cu.
    Stopped,
    /// The translator refuses the project.
    Refused,
    /// gfortran refuses the plain program, or it fails at run time: the setting means nothing.
    Invalid,
    /// The build of the setting that was translated stops.
    StoppedOwn,
    /// A compiler stops with an error of its own.
    Raw,
    /// The program fails at run time.
    Crash,
    /// The program prints something else.
    Wrong,
}

impl Verdict {
    /// The suite fails.
    pub fn is_failure(self) -> bool {
        matches!(
            self,
            Verdict::StoppedOwn | Verdict::Raw | Verdict::Crash | Verdict::Wrong
        )
    }

    pub fn words(self) -> &'static str {
        match self {
            Verdict::Right => "right",
            Verdict::Stopped => "stopped with a message",
            Verdict::Refused => "refused by the translator",
            Verdict::Invalid => "without a reference",
            Verdict::StoppedOwn => "stopped though translated so",
            Verdict::Raw => "stopped by a compiler's own error",
            Verdict::Crash => "failed at run time",
            Verdict::Wrong => "wrong",
        }
    }
}

/// How the output is built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Build {
    /// `make` alone.
    Plain,
    /// `make MACROS=...`.
    Macros(String),
    /// `make FFLAGS=...`.
    Flags(String),
    /// CMake with each option that it offers on or off, by chance.
    CMake(u64),
    /// `cuf2cu fc` for each file with macros of its own.
    Files(Vec<String>),
}

impl Build {
    pub fn shown(&self) -> String {
        match self {
            Build::Plain => "make".to_owned(),
            Build::Macros(text) => format!("make MACROS=\"{text}\""),
            Build::Flags(text) => format!("make FFLAGS=\"{text}\""),
            Build::CMake(_) => "cmake".to_owned(),
            Build::Files(texts) => format!("cuf2cu fc, for each file: {}", texts.join(" | ")),
        }
    }
}

/// A project with its settings.
#[derive(Clone, Debug)]
pub struct Case {
    pub seed: u64,
    pub project: Project,
    /// The macros of the translation, words for the shell.
    pub translation: String,
    pub builds: Vec<Build>,
}

/// A setting and what happened.
#[derive(Clone, Debug)]
pub struct Finding {
    pub seed: u64,
    pub verdict: Verdict,
    pub translation: String,
    pub build: Build,
    pub detail: String,
}

const LIMIT: Duration = Duration::from_secs(600);

/// The translator, the compilers and what they are given.
pub struct Runner {
    cuf2cu: PathBuf,
    /// This program, which stands before the compilers.
    own: PathBuf,
    gold: bool,
}

impl Runner {
    /// `MACRO_SETTINGS_CUF2CU` names another translator.
    pub fn new() -> Result<Runner, String> {
        let other = std::env::var_os("MACRO_SETTINGS_CUF2CU").map(PathBuf::from);
        Ok(Runner {
            cuf2cu: other.unwrap_or_else(|| PathBuf::from(env!("CARGO_BIN_EXE_cuf2cu"))),
            own: std::env::current_exe().map_err(|e| e.to_string())?,
            gold: which::which("ld.gold").is_ok(),
        })
    }

    /// All settings of a case, in a folder.
    pub fn run(&self, case: &Case, folder: &Path) -> Result<Vec<Finding>, String> {
        let at = |e: std::io::Error| format!("{}: {e}", folder.display());
        let _ = fs::remove_dir_all(folder);
        case.project
            .write(&folder.join("src"), Side::Cuda)
            .map_err(at)?;
        case.project
            .write(&folder.join("plain"), Side::Plain)
            .map_err(at)?;
        let mut known = BTreeMap::new();
        let mut findings = Vec::new();
        let mut translated = None;
        for build in &case.builds {
            let finding = |verdict, detail: String| Finding {
                seed: case.seed,
                verdict,
                translation: case.translation.clone(),
                build: build.clone(),
                detail,
            };
            let choices = match build {
                Build::CMake(seed) => {
                    self.translate_once(case, folder, &mut translated)
                        .map_err(at)?;
                    Some(offered(folder, *seed))
                }
                _ => None,
            };
            let sets = macros_of(case, build, choices.as_deref());
            let reference = match known.get(&sets) {
                Some(result) => Clone::clone(result),
                None => {
                    let result = self.reference(case, &sets, folder).map_err(at)?;
                    known.insert(sets, result.clone());
                    result
                }
            };
            let reference = match reference {
                Ok(reference) => reference,
                Err(text) => {
                    findings.push(finding(Verdict::Invalid, text));
                    continue;
                }
            };
            let refused = match build {
                Build::Files(_) => None,
                _ => self
                    .translate_once(case, folder, &mut translated)
                    .map_err(at)?,
            };
            if let Some(refused) = refused {
                let panicked =
                    !matches!(refused.end, End::Exit(1)) || refused.output.contains("panicked");
                let verdict = if panicked {
                    Verdict::Crash
                } else {
                    Verdict::Refused
                };
                findings.push(finding(verdict, refused.output));
                continue;
            }
            let (verdict, detail) = self
                .judge(case, build, choices, &reference, folder)
                .map_err(at)?;
            findings.push(finding(verdict, detail));
        }
        Ok(findings)
    }

    /// Translates if that has not been done; what a translator that refuses says.
    fn translate_once(
        &self,
        case: &Case,
        folder: &Path,
        done: &mut Option<Option<RunResult>>,
    ) -> std::io::Result<Option<RunResult>> {
        if let Some(refused) = done {
            return Ok(refused.clone());
        }
        let result = self.translate(case, folder)?;
        let refused = (result.end != End::Exit(0)).then_some(result);
        *done = Some(refused.clone());
        Ok(refused)
    }

    fn translate(&self, case: &Case, folder: &Path) -> std::io::Result<RunResult> {
        let command = format!(
            "'{}' src out --target cpu {}",
            self.cuf2cu.display(),
            case.translation
        );
        shell(&command, folder)
    }

    /// What gfortran's program prints, or what is said where there is none.
    fn reference(
        &self,
        case: &Case,
        sets: &[String],
        folder: &Path,
    ) -> std::io::Result<Result<String, String>> {
        let place = folder.join("plain");
        let mut objects = String::new();
        for (source, macros) in case.project.sources(Side::Plain).iter().zip(sets) {
            let command = format!(
                "gfortran -cpp -O0 -ffree-line-length-none -fno-range-check -fwrapv -ffp-contract=off -w {macros} -c {source} -o {source}.o"
            );
            let compiled = shell(&command, &place)?;
            if compiled.end != End::Exit(0) {
                return Ok(Err(compiled.output));
            }
            objects += &format!(" {source}.o");
        }
        let gold = if self.gold { "-fuse-ld=gold" } else { "" };
        let linked = shell(&format!("gfortran {gold} {objects} -o plain"), &place)?;
        if linked.end != End::Exit(0) {
            return Ok(Err(linked.output));
        }
        let ran = shell("./plain", &place)?;
        Ok(match ran.end {
            End::Exit(0) => Ok(ran.output),
            _ => Err(ran.output),
        })
    }

    fn judge(
        &self,
        case: &Case,
        build: &Build,
        choices: Option<Vec<Offered>>,
        reference: &str,
        folder: &Path,
    ) -> std::io::Result<(Verdict, String)> {
        let built = match build {
            Build::CMake(_) => self.cmake(&choices.unwrap_or_default(), folder)?,
            Build::Files(texts) => self.by_file(case, texts, folder)?,
            Build::Plain => self.make("", folder)?,
            Build::Macros(text) => self.make(&format!("MACROS={}", quoted(text)), folder)?,
            Build::Flags(text) => self.make(&format!("FFLAGS={}", quoted(text)), folder)?,
        };
        let program = match built {
            Ok(program) => program,
            Err(text) => {
                let own = ["cuf2cu: ", "ranslate again", "MACROS is for that"];
                let own = own.iter().any(|words| text.contains(words));
                let same = matches!(build, Build::Plain)
                    || *build == Build::Macros(case.translation.clone());
                let verdict = match (own, same) {
                    (true, true) => Verdict::StoppedOwn,
                    (true, false) => Verdict::Stopped,
                    // What `cuf2cu fc` refuses, it refuses with a code.
                    (false, _)
                        if matches!(build, Build::Files(_)) && text.contains("error[CUF") =>
                    {
                        Verdict::Stopped
                    }
                    // What is between <<< and >>> is not in the plain program.
                    (false, _) if in_launch(&text) => Verdict::Invalid,
                    (false, _) => Verdict::Raw,
                };
                return Ok((verdict, text));
            }
        };
        let ran = suite::run(&mut Command::new(program), folder, LIMIT)?;
        Ok(if ran.end != End::Exit(0) {
            (Verdict::Crash, format!("{:?}\n{}", ran.end, ran.output))
        } else if ran.output != reference {
            (Verdict::Wrong, differences(reference, &ran.output))
        } else {
            (Verdict::Right, String::new())
        })
    }

    fn make(&self, arguments: &str, folder: &Path) -> std::io::Result<Result<PathBuf, String>> {
        let gold = if self.gold { "-fuse-ld=gold" } else { "" };
        let own = format!("{} {}", self.own.display(), launcher::ARGUMENT);
        let command = format!(
            "make -s -C out TARGET=cpu OPT=-O0 LDFLAGS={gold} CXX='{own} g++' FC='{own} gfortran' {arguments}"
        );
        let made = shell(&command, folder)?;
        Ok(program(made, &folder.join("out/build/cpu"), "main"))
    }

    fn cmake(
        &self,
        choices: &[Offered],
        folder: &Path,
    ) -> std::io::Result<Result<PathBuf, String>> {
        let options: Vec<&str> = choices.iter().map(|c| &*c.option).collect();
        let launcher = format!("{};{}", self.own.display(), launcher::ARGUMENT);
        let made = shell(
            &format!(
                "cmake -S out -B cmake -DCUF_TARGET=cpu -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_COMPILER_WORKS=1 -DCMAKE_Fortran_COMPILER_WORKS=1 -DCMAKE_C_COMPILER_WORKS=1 -DCMAKE_CXX_COMPILER_LAUNCHER='{launcher}' {} > configured 2>&1 && cmake --build cmake || {{ cat configured; false; }}",
                options.join(" ")
            ),
            folder,
        )?;
        Ok(program(made, &folder.join("cmake"), "main"))
    }

    fn by_file(
        &self,
        case: &Case,
        texts: &[String],
        folder: &Path,
    ) -> std::io::Result<Result<PathBuf, String>> {
        let place = folder.join("fc");
        case.project.write(&place, Side::Cuda)?;
        let sources = case.project.sources(Side::Cuda);
        let mut command = String::new();
        let call = format!("CUF2CU_TARGET=cpu '{}' fc -O0", self.cuf2cu.display());
        for (source, macros) in sources.iter().zip(texts) {
            command += &format!("{call} {macros} -c {source} -o {source}.o && ");
        }
        let objects: Vec<String> = sources.iter().map(|s| format!("{s}.o")).collect();
        command += &format!("{call} {} -o main", objects.join(" "));
        Ok(program(shell(&command, &place)?, &place, "main"))
    }
}

/// gfortran refuses the user's expressions of a launch.
fn in_launch(text: &str) -> bool {
    let lines: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty()).collect();
    let at = lines
        .iter()
        .position(|l| l.contains("Error: Division by zero at (1)"));
    at.and_then(|at| lines.get(at.checked_sub(2)?))
        .is_some_and(|l| l.contains("cuf_launch("))
}

/// The path of the program if the command succeeded, else what it said.
fn program(made: RunResult, folder: &Path, name: &str) -> Result<PathBuf, String> {
    match made.end {
        End::Exit(0) => Ok(folder.join(name)),
        _ => Err(made.output),
    }
}

/// A choice of the CMakeLists.txt with one of its values.
pub struct Offered {
    /// For cmake.
    option: String,
    /// What it means for the preprocessor.
    meaning: String,
}

/// The choices that CMakeLists.txt offers, each with one of its values.
fn offered(folder: &Path, seed: u64) -> Vec<Offered> {
    let text = fs::read_to_string(folder.join("out/CMakeLists.txt")).unwrap_or_default();
    let mut all = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let line = line.trim();
        let bits = seed >> (all.len() % 16);
        if let Some(rest) = line.strip_prefix("option(CUF_WITH_") {
            let name = rest.split([' ', ')']).next().unwrap_or_default();
            let on = bits & 1 == 1;
            let definition = text.lines().skip(at).find_map(|l| {
                let word = l.trim().strip_prefix("list(APPEND choices ")?;
                word.strip_suffix(')')
            });
            let definition = definition.unwrap_or_default().trim_matches('"').to_owned();
            all.push(Offered {
                option: format!("-DCUF_WITH_{name}={}", if on { "ON" } else { "OFF" }),
                meaning: if on { definition } else { format!("-U{name}") },
            });
        } else if let Some(rest) = line.strip_prefix("set_property(CACHE CUF_WITH_") {
            let (name, values) = rest.split_once(" PROPERTY STRINGS ").unwrap_or((rest, ""));
            let values: Vec<&str> = values.trim_end_matches(')').split(' ').collect();
            let value = values[bits as usize % values.len()].trim_matches('"');
            all.push(Offered {
                option: format!("-DCUF_WITH_{name}={value}"),
                meaning: match value {
                    "" => String::new(),
                    value => format!("-D{name}={value}"),
                },
            });
        }
    }
    all
}

/// The macros of each file.
fn macros_of(case: &Case, build: &Build, choices: Option<&[Offered]>) -> Vec<String> {
    let all = match build {
        Build::Files(texts) => return texts.clone(),
        Build::Plain => case.translation.clone(),
        Build::Macros(text) => text.clone(),
        Build::Flags(text) => format!("{} {text}", case.translation),
        Build::CMake(_) => {
            let words = choices.unwrap_or_default().iter();
            words.fold(case.translation.clone(), |sum, c| sum + " " + &c.meaning)
        }
    };
    vec![all; case.project.sources(Side::Plain).len()]
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

fn shell(command: &str, folder: &Path) -> std::io::Result<RunResult> {
    let mut shell = Command::new("sh");
    shell
        .args(["-c", command])
        .env_remove("MAKEFLAGS")
        .env_remove("MAKELEVEL");
    suite::run(&mut shell, folder, LIMIT)
}

/// The first lines that differ.
fn differences(want: &str, got: &str) -> String {
    let mut got = got.lines();
    let mut out = String::new();
    for line in want.lines() {
        let other = got.next().unwrap_or("nothing");
        if line != other && out.len() < 600 {
            out += &format!("want {line}\ngot  {other}\n");
        }
    }
    out
}
