//! Which Fortran compiler compiles the host code, and the options that it has. Everywhere else options are written as gfortran's.

use std::ffi::OsStr;

use super::Error;
use super::jobs::Invocation;
use super::toolchain::Tool;

/// A kind of Fortran compiler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Family {
    #[default]
    Gnu,
    /// LLVM flang.
    Flang,
}

/// The first gfortran release whose bind(C) descriptors keep a caller's pointer bounds.
const MINIMUM_GFORTRAN: u32 = 12;
/// The first flang whose descriptors and type codes the runtime knows.
const MINIMUM_FLANG: u32 = 22;

/// Options of gfortran that flang has under other names, or not at all: what they ask for is what flang does anyway, or has no meaning for it.
/// `-fno-optimize-sibling-calls` and what stands beside it keep the lines of calls apart, `-Wall` and the plain output are about messages.
const OF_FLANG: [(&str, &[&str]); 16] = [
    ("-ffree-line-length-none", &[]),
    ("-fdec-format-defaults", &[]),
    ("-fcray-pointer", &[]),
    ("-fallow-leading-underscore", &[]),
    ("-fno-range-check", &[]),
    ("-fallow-argument-mismatch", &[]),
    ("-fno-tree-slp-vectorize", &["-fno-slp-vectorize"]),
    ("-g1", &["-gline-tables-only"]),
    ("-fno-optimize-sibling-calls", &[]),
    ("-fno-crossjumping", &[]),
    ("-fno-tree-tail-merge", &[]),
    ("-fdec-structure", &[]),
    ("-Wno-c-binding-type", &[]),
    ("-Wall", &[]),
    ("-fdiagnostics-plain-output", &["-fno-color-diagnostics"]),
    ("-static-libgfortran", &["-static-libflangrt"]),
];

impl Family {
    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Family::Gnu => "gfortran",
            Family::Flang => "flang",
        }
    }

    /// The kind of a compiler, which must not be older than what the runtime knows.
    ///
    /// # Errors
    /// [`Error::Toolchain`] says what it is.
    pub fn of(found: &Tool) -> Result<Family, Error> {
        let first = |text: &str| text.split('.').next().and_then(|n| n.trim().parse().ok());
        let text = found.output_of(&["-dumpfullversion", "-dumpversion"]);
        let gnu: Option<u32> = text.as_deref().and_then(first);
        let (family, version, minimum, why) = match (gnu, text) {
            (Some(version), Some(text)) if text.contains('.') || version < MINIMUM_GFORTRAN => (
                Family::Gnu,
                version,
                MINIMUM_GFORTRAN,
                "earlier ones change the bounds of pointers passed to C",
            ),
            _ => {
                let line = found.version_line();
                let after = line.split_once("flang version ");
                let version = after.and_then(|(_, text)| first(text));
                let Some(version) = version else {
                    return Err(Error::Toolchain(format!(
                        "{found} is neither gfortran nor LLVM flang, as it answers"
                    )));
                };
                let why = "earlier ones describe arguments otherwise";
                (Family::Flang, version, MINIMUM_FLANG, why)
            }
        };
        match version < minimum {
            true => Err(Error::Toolchain(format!(
                "{found} is version {version}: {minimum} or later is needed, for {why}"
            ))),
            false => Ok(family),
        }
    }

    /// What takes the place of an option of gfortran; None: it is the same.
    fn other(self, gnu: &OsStr) -> Option<&'static [&'static str]> {
        let table: &[(&str, &'static [&'static str])] = match self {
            Family::Gnu => &[],
            Family::Flang => &OF_FLANG,
        };
        let found = table.iter().find(|(name, _)| gnu == *name);
        found.map(|(_, here)| *here)
    }

    /// Options of gfortran as this compiler has them.
    pub fn options(self, gnu: &[&'static str]) -> Vec<&'static str> {
        let here = |option: &&'static str| match self.other(OsStr::new(option)) {
            Some(here) => here.to_vec(),
            None => vec![*option],
        };
        gnu.iter().flat_map(here).collect()
    }

    /// What a file that is compiled alone needs besides: its module files must do without those that it used.
    pub fn alone(self) -> Option<&'static str> {
        match self {
            Family::Gnu => None,
            Family::Flang => Some("-fhermetic-module-files"),
        }
    }

    /// What tells device code the layout of pointer components.
    pub fn device_macro(self) -> Option<&'static str> {
        match self {
            Family::Gnu => None,
            Family::Flang => Some("-DCUF_FLANG"),
        }
    }

    /// A command that was written with the options of gfortran.
    pub fn translate(self, command: &mut Invocation) {
        if self == Family::Flang {
            // One command has the options of compilation and link.
            command.arg("-Qunused-arguments");
        }
        let given = std::mem::take(&mut command.arguments);
        for argument in given {
            match self.other(&argument) {
                Some(here) => command.args(here),
                None => command.arg(argument),
            };
        }
    }
}
