//! Which Fortran compiler compiles the host code, and the options that it has. Everywhere else options are written as gfortran's.

use std::ffi::{OsStr, OsString};

/// A kind of Fortran compiler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Family {
    #[default]
    Gnu,
    /// LLVM flang.
    Flang,
}

/// Options of gfortran that flang has under other names, or not at all: what they ask for is what flang does anyway, or has no meaning for it.
/// `-fno-optimize-sibling-calls` and what stands beside it keep the lines of calls apart, `-Wall` and the plain output are about messages.
const OF_FLANG: [(&str, &[&str]); 18] = [
    ("-ffree-line-length-none", &[]),
    ("-fdec-format-defaults", &[]),
    ("-fcray-pointer", &[]),
    ("-fallow-leading-underscore", &[]),
    ("-fdollar-ok", &[]),
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
    ("-fcheck=bounds", &[]),
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

    /// What takes the place of an option of gfortran; None: it is the same.
    fn other(self, gnu: &OsStr) -> Option<&'static [&'static str]> {
        let table: &[(&str, &'static [&'static str])] = match self {
            Family::Gnu => &[],
            Family::Flang => &OF_FLANG,
        };
        let mut found = table.iter().filter(|(name, _)| gnu == *name);
        found.next().map(|(_, here)| *here)
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

    /// The arguments of a command that were written with the options of gfortran.
    pub fn translate(self, arguments: &mut Vec<OsString>) {
        if self == Family::Flang {
            // One command has the options of compilation and link.
            arguments.push("-Qunused-arguments".into());
        }
        for argument in std::mem::take(arguments) {
            match self.other(&argument) {
                Some(here) => arguments.extend(here.iter().map(OsString::from)),
                None => arguments.push(argument),
            }
        }
    }
}
