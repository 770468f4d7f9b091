//! The registry of diagnostics: one entry a code, and everything that is known of it.
//!
//! `cuf2cu explain`, docs/diagnostics.md, the codes of docs/restrictions.md and the relation between findings that lets one
//! mistake give one message (`once`) are made from these tables. `tests/diagnostics.rs` runs every example, and rewrites the
//! documents with `UPDATE_DOCS=1`.

mod block;
mod calls;
mod declared;
mod device;
mod forms;
mod host;
mod internal;
mod loops;
mod memory;
mod names;
mod openacc;
mod reading;
mod values;

use schemars::JsonSchema;
use serde::Serialize;

/// What a finding with the code can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    Error,
    Warning,
    /// An error or, where it does no harm, a warning.
    Either,
}

/// What an error leaves without meaning, so that findings of other codes about it may be its echoes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invalidates {
    /// The statement it is about.
    Statement,
    /// What the statement declares, too.
    Declaration,
    /// The data of the procedure, too.
    Procedure,
}

/// When a finding only echoes an error of another code, and is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CascadeOf {
    /// Never, but for what holds for all codes: see `once`.
    Never,
    /// Its data was refused where it is declared.
    OfDeclaration,
    /// Of a pass after the checks: an error of the checks spoils the procedure that it stands in.
    OfProcedure,
    /// Another error has the same place.
    OfPlace,
    /// Another error is in the same file.
    OfFile,
}

/// The group of restrictions that a rule belongs to: a section of docs/restrictions.md.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    Subprograms,
    Variables,
    Transfers,
    Launches,
    DeviceCode,
    /// Of the Fortran standard: no Fortran compiler sees device code.
    Standard,
    CufLoops,
    Runtime,
}

/// A restriction of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    pub group: Group,
    /// Sections of NVIDIA's guide, or clauses of the standard, and entries of docs/decisions.md (`D23`), separated by commas.
    pub source: &'static str,
    pub text: &'static str,
}

/// How much a person has to change where a finding stands: what `cuf2cu report` estimates hand work by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Work {
    /// Nothing but a look: warnings.
    Look,
    /// What the translation was not given: a file, a module, an option.
    Supply,
    /// One line: an attribute, a keyword, an argument.
    Line,
    /// A few lines beside each other.
    Lines,
    /// A procedure, a kernel or a loop.
    Procedure,
    /// Data structures, or how procedures share the work.
    Design,
    /// A fault of cuf2cu, to be reported and written around.
    Fault,
}

/// One diagnostic.
#[derive(Clone, Copy, Debug)]
pub struct Code {
    /// `CUF0301`.
    pub code: &'static str,
    pub title: &'static str,
    pub level: Level,
    pub rule: Option<Rule>,
    /// Sections of OpenACC 2.7 that hold the rule for compute constructs.
    pub openacc: Option<&'static str>,
    pub spoils: Invalidates,
    pub echo: CascadeOf,
    /// What an error of the code costs; a warning is looked at.
    pub work: Work,
    /// What is meant, and what to do.
    pub text: &'static str,
    /// Two programs in one text: lines that begin with `-` are of the wrong one, with `+` of the right one, with a blank of both.
    /// None where a few lines cannot show it.
    pub example: Option<&'static str>,
}

impl Code {
    const fn new(code: &'static str, title: &'static str) -> Code {
        Code {
            code,
            title,
            level: Level::Error,
            rule: None,
            openacc: None,
            spoils: Invalidates::Statement,
            echo: CascadeOf::Never,
            work: Work::Look,
            text: "",
            example: None,
        }
    }

    const fn level(self, level: Level) -> Code {
        Code { level, ..self }
    }

    const fn rule(self, group: Group, source: &'static str, text: &'static str) -> Code {
        let rule = Some(Rule {
            group,
            source,
            text,
        });
        Code { rule, ..self }
    }

    const fn openacc(self, sections: &'static str) -> Code {
        let openacc = Some(sections);
        Code { openacc, ..self }
    }

    const fn spoils(self, spoils: Invalidates) -> Code {
        Code { spoils, ..self }
    }

    const fn echo(self, echo: CascadeOf) -> Code {
        Code { echo, ..self }
    }

    const fn work(self, work: Work) -> Code {
        Code { work, ..self }
    }

    const fn text(self, text: &'static str) -> Code {
        Code { text, ..self }
    }

    const fn example(self, example: &'static str) -> Code {
        let example = Some(example);
        Code { example, ..self }
    }

    /// The program of the example that is refused.
    pub fn wrong(&self) -> Option<String> {
        self.example.map(|e| side(e, '-'))
    }

    /// The program of the example that is not.
    pub fn right(&self) -> Option<String> {
        self.example.map(|e| side(e, '+'))
    }

    /// The sections of NVIDIA's guide that hold the rule, in order.
    pub fn guide_sections(&self) -> Option<String> {
        let rule = self.rule.filter(|r| r.group != Group::Standard)?;
        let numbers = rule
            .source
            .split(", ")
            .filter(|n| n.starts_with(|c: char| c.is_ascii_digit()));
        let numbers: Vec<&str> = numbers.collect();
        (!numbers.is_empty()).then(|| numbers.join(", "))
    }
}

/// The lines of an example that are common, or marked with `mark`.
fn side(example: &str, mark: char) -> String {
    let mut out = String::new();
    for line in example.trim_start_matches('\n').lines() {
        let first = line.chars().next().unwrap_or(' ');
        if first == ' ' || first == mark {
            out.push_str(line.get(1..).unwrap_or_default());
            out.push('\n');
        }
    }
    out
}

/// All codes, in order.
pub fn all() -> impl Iterator<Item = &'static Code> {
    let tables = [
        reading::CODES,
        names::CODES,
        declared::CODES,
        device::CODES,
        host::CODES,
        loops::CODES,
        memory::CODES,
        values::CODES,
        calls::CODES,
        forms::CODES,
        openacc::CODES,
        block::CODES,
        internal::CODES,
    ];
    tables.into_iter().flatten()
}

/// The entry of a code (`CUF0301`, in capitals).
pub fn find(code: &str) -> Option<&'static Code> {
    all().find(|c| c.code == code)
}

/// The entry of a code as people write it: `CUF0301`, `cuf301`, `301`.
///
/// # Errors
/// There is none; the text says so.
pub fn named(name: &str) -> Result<&'static Code, String> {
    let folded = name.to_ascii_uppercase();
    let number = folded.strip_prefix("CUF").unwrap_or(&folded);
    let digits = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    let code = number.parse::<u32>().ok().filter(|_| digits);
    let found = code.and_then(|n| find(&format!("CUF{n:04}")));
    found.ok_or_else(|| format!("there is no diagnostic {name}; cuf2cu explain --list shows all"))
}

/// The long text of a diagnostic (`CUF0301`, in capitals): its title, what is meant, the guide's sections and an example.
pub fn explain(code: &str) -> Option<String> {
    let c = find(code)?;
    let mut out = format!("{}: {}\n{}\n", c.code, c.title, c.text);
    if let Some(sections) = c.guide_sections() {
        out.push_str(&format!("CUDA Fortran guide: {sections}\n"));
    }
    if let Some(example) = c.example {
        out.push_str("\nExample (`-` wrong, `+` right):\n\n");
        for line in example.trim_start_matches('\n').lines() {
            out.push_str(&format!("    {line}\n"));
        }
    }
    Some(out)
}

/// Where the rule behind a diagnostic stands, as a note says it.
pub fn rule_note(code: &str, openacc: bool) -> Option<String> {
    match openacc {
        false => guide_sections(code).map(|s| format!("CUDA Fortran guide {s}")),
        true => find(code)?.openacc.map(|s| format!("OpenACC {s}")),
    }
}

/// The sections of NVIDIA's guide that hold the rule behind a diagnostic (`3.2.1, 3.3.1`); None where there is none.
pub fn guide_sections(code: &str) -> Option<String> {
    find(code)?.guide_sections()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_of_the_guide() {
        assert_eq!(guide_sections("CUF0318").as_deref(), Some("2.6, 3.2.4"));
        assert_eq!(guide_sections("CUF0375").as_deref(), Some("2.11.2"));
        assert_eq!(guide_sections("CUF0101"), None);
    }

    #[test]
    fn codes_are_in_order_and_stand_once() {
        let codes: Vec<&str> = all().map(|c| c.code).collect();
        assert!(codes.windows(2).all(|w| w[0] < w[1]));
    }

    #[test]
    fn every_error_says_what_work_it_is() {
        let silent = all().filter(|c| (c.level == Level::Warning) != (c.work == Work::Look));
        let silent: Vec<&str> = silent.map(|c| c.code).collect();
        assert!(silent.is_empty(), "{silent:?}");
    }

    #[test]
    fn an_example_has_two_sides() {
        let example = "\n program p\n- a\n+  b\n end\n";
        assert_eq!(side(example, '-'), "program p\n a\nend\n");
        assert_eq!(side(example, '+'), "program p\n  b\nend\n");
    }
}
