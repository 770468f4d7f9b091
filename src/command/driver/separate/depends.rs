//! What an object depends on, as rules for make: `-MMD` and its like.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::super::Error;
use super::super::jobs::Job;
use super::super::quote::{make_path, make_target};

/// What is asked for.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// `-MD` or `-MMD`: there is no difference, for files of the system are not listed.
    pub rules: bool,
    /// `-MF`
    pub file: Option<PathBuf>,
    /// `-MT` and `-MQ`, as the rule has them.
    pub targets: Vec<String>,
    /// `-MP`: what is read has a rule of its own, so that a file which is gone stops nothing.
    pub phony: bool,
}

impl Wanted {
    /// Takes an option whose argument may be the next word; false: it is none of these.
    ///
    /// # Errors
    /// Those of `next`.
    pub fn option(
        &mut self,
        word: &str,
        next: &mut dyn FnMut(&str) -> Result<String, Error>,
    ) -> Result<bool, Error> {
        let known = ["-MMD", "-MD", "-MP", "-MF", "-MT", "-MQ"];
        let Some(option) = known.into_iter().find(|o| word.starts_with(o)) else {
            return Ok(false);
        };
        let rest = &word[option.len()..];
        match (option, rest) {
            ("-MMD" | "-MD", "") => self.rules = true,
            // As NVIDIA's compilers have it.
            ("-MMD" | "-MD", _) => {
                let Some(file) = rest.strip_prefix(',').filter(|f| !f.is_empty()) else {
                    return Ok(false);
                };
                self.rules = true;
                self.file = Some(file.into());
            }
            ("-MP", "") => self.phony = true,
            ("-MP", _) => return Ok(false),
            _ => {
                let argument = match rest {
                    "" => next("an argument")?,
                    joined => joined.to_owned(),
                };
                match option {
                    "-MF" => self.file = Some(argument.into()),
                    "-MT" => self.targets.push(argument),
                    _ => self.targets.push(make_target(&argument)),
                }
            }
        }
        Ok(true)
    }

    /// The rules for an object, in the file that gcc would name by it.
    pub fn of_object(&self, source: &Path, object: &Path) -> Option<Rules> {
        // With `-o /dev/null` they go by the source.
        let ordinary = fs::metadata(object).map_or(true, |info| info.is_file());
        let named = match ordinary {
            true => object,
            false => Path::new(source.file_name().unwrap_or_default()),
        };
        self.rules_in(named.with_extension("d"), object)
    }

    /// The same for a program that is linked at once.
    pub fn of_program(&self, source: &Path, program: &Path) -> Option<Rules> {
        let mut name = program.file_stem().unwrap_or_default().to_owned();
        name.push("-");
        name.push(source.file_stem().unwrap_or_default());
        name.push(".d");
        self.rules_in(program.with_file_name(name), program)
    }

    fn rules_in(&self, usual: PathBuf, made: &Path) -> Option<Rules> {
        self.rules.then(|| Rules {
            file: self.file.clone().unwrap_or(usual),
            target: match &self.targets[..] {
                [] => make_target(&shown(made)),
                named => named.join(" "),
            },
            phony: self.phony,
        })
    }
}

/// Where rules are written, and for what.
#[derive(Clone, Debug)]
pub struct Rules {
    file: PathBuf,
    target: String,
    phony: bool,
}

/// What a compilation has read and made, beside its source and its output.
#[derive(Debug, Default)]
pub struct Files {
    pub read: BTreeSet<PathBuf>,
    /// Module files and records, which come with the output.
    pub made: Vec<PathBuf>,
}

impl Rules {
    /// Writes the rules: the output depends on what was read; module files come with it, which an empty command says, for those without a
    /// change stay older than the sources.
    ///
    /// # Errors
    /// [`Error::File`] if they cannot be written.
    pub fn write(&self, source: &Path, files: &Files) -> Result<(), Error> {
        let Rules { target, .. } = self;
        let read: Vec<String> = (files.read.iter().map(|p| shown(p)))
            .filter(|p| *p != shown(source))
            .collect();
        let mut text = format!("{target}: {}", make_path(&shown(source)));
        for path in &read {
            text += &format!(" \\\n  {}", make_path(path));
        }
        text.push('\n');
        if !files.made.is_empty() {
            let made: Vec<String> = (files.made.iter())
                .map(|p| make_target(&shown(p)))
                .collect();
            text += &format!("{}: {target} ;\n", made.join(" "));
        }
        for path in read.iter().filter(|_| self.phony) {
            text += &format!("{}:\n", make_target(path));
        }
        // A file of rules that ends too early would say that nothing else was read.
        let special = fs::metadata(&self.file).is_ok_and(|info| !info.is_file());
        let scratch = Job::scratch(&self.file);
        let written = match special {
            true => fs::write(&self.file, text),
            false => fs::write(&scratch, text).and_then(|()| fs::rename(&scratch, &self.file)),
        };
        written.map_err(|e| {
            let _ = fs::remove_file(&scratch);
            Error::file("write", &self.file, &e)
        })
    }
}

/// The path from this folder, as makefiles have it.
fn shown(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let below = path.strip_prefix(&here).or(path.strip_prefix("."));
    below.unwrap_or(path).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &str) -> Wanted {
        let mut wanted = Wanted::default();
        let mut words = words.split(' ').map(str::to_owned);
        while let Some(word) = words.next() {
            let mut next = |_: &str| Ok(words.next().unwrap_or_default());
            assert!(wanted.option(&word, &mut next).unwrap(), "{word}");
        }
        wanted
    }

    #[test]
    fn options_are_those_of_gcc_and_nvidia() {
        let wanted = read("-MMD -MP -MF deps/a.d -MT a.o -MQ b$c.o");
        assert!(wanted.rules && wanted.phony);
        assert_eq!(wanted.file.as_deref(), Some(Path::new("deps/a.d")));
        assert_eq!(wanted.targets, ["a.o", "b$$c.o"]);
        assert_eq!(
            read("-MD,x.d -MFy.d").file.as_deref(),
            Some(Path::new("y.d"))
        );
        let mut next = |_: &str| Ok(String::new());
        for other in ["-Mcuda", "-MPI", "-MDx", "-M", "-Mpreprocess"] {
            assert!(
                !Wanted::default().option(other, &mut next).unwrap(),
                "{other}"
            );
        }
    }

    #[test]
    fn rules_are_named_by_the_output() {
        let wanted = read("-MD");
        let source = Path::new("src/k.cuf");
        let object = |o: &str| wanted.of_object(source, Path::new(o)).unwrap();
        assert_eq!(object("obj/k.o").file, Path::new("obj/k.d"));
        assert_eq!(object("/dev/null").file, Path::new("k.d"));
        let program = wanted.of_program(source, Path::new("bin/p")).unwrap();
        assert_eq!(
            (program.file, program.target),
            ("bin/p-k.d".into(), "bin/p".to_owned())
        );
    }
}
