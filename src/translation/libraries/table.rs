//! The entries of a library's table: procedures for several types at once, and their arguments.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{Legacy, Procedure};

/// An entry of the table, for one procedure or for one of each type.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    #[serde(default)]
    name: String,
    /// Letters of the types: H, S, D, C, Z; `{T}` and `{t}` in the names stand for them.
    #[serde(default)]
    types: String,
    /// Instead of `name` and `types`: the name by letter.
    #[serde(default)]
    names: BTreeMap<char, String>,
    #[serde(default)]
    c: Option<String>,
    /// The C symbol by letter.
    #[serde(default)]
    cs: BTreeMap<char, String>,
    #[serde(default)]
    family: String,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default)]
    result: Option<String>,
    #[serde(default)]
    legacy: Option<Legacy>,
    #[serde(default)]
    legacy_same: BTreeMap<String, String>,
    #[serde(default)]
    since: Option<u32>,
    #[serde(default)]
    until: Option<u32>,
    #[serde(default)]
    instead: Option<String>,
    #[serde(default)]
    refused: Option<String>,
    #[serde(default)]
    fortran: bool,
}

/// A dummy argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    pub name: String,
    pub kind: Kind,
    pub shape: Shape,
    pub memory: Memory,
    pub intent: Intent,
    pub optional: bool,
    /// The library uses the address after the call, too.
    pub kept: bool,
    /// An address (c_devptr) may be given instead.
    pub address: bool,
    /// How many arguments before it may be scalars or arrays.
    pub either: u8,
}

/// What a dummy argument takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// C's int by value.
    Int,
    /// A 64-bit integer by value, for integers of any kind.
    Index,
    /// A stream by value.
    Stream,
    /// An address by value.
    Pointer,
    /// An address by reference.
    PointerReference,
    /// An option, C's int by value; a letter in the legacy forms.
    Choice(Choice),
    /// Data of an intrinsic type (a code as `r8`), by reference.
    Data(String),
    /// The same by value.
    Value(String),
    /// Data of any type, by reference.
    Any,
    /// A derived type by value.
    Structure(String),
    /// A derived type by reference.
    StructureReference(String),
}

/// An option of BLAS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    Operation,
    Fill,
    Diagonal,
    Side,
}

impl Choice {
    pub const ALL: [Choice; 4] = [
        Choice::Operation,
        Choice::Fill,
        Choice::Diagonal,
        Choice::Side,
    ];

    /// The letters of the BLAS, two for each number from 0 on.
    pub const fn letters(self) -> &'static str {
        match self {
            Choice::Operation => "nNtTcC",
            Choice::Fill => "lLuU",
            Choice::Diagonal => "nNuU",
            Choice::Side => "lLrR",
        }
    }

    /// The number that the library takes for the first letter of a text.
    pub fn number(self, text: &str) -> Option<usize> {
        let letter = text.chars().next()?;
        self.letters().find(letter).map(|at| at / 2)
    }

    /// The word that names it in the text of a module.
    pub const fn word(self) -> &'static str {
        match self {
            Choice::Operation => "operation",
            Choice::Fill => "fill",
            Choice::Diagonal => "diagonal",
            Choice::Side => "side",
        }
    }

    /// The number for a letter that is known when the program runs; -1, which is no option, for other letters.
    pub fn of_letter(self, letter: &str) -> String {
        format!("(index('{}', {letter}) + 1)/2 - 1", self.letters())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Scalar,
    Array,
    /// A scalar or an array.
    Either,
}

/// Where data that is passed by reference lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    Host,
    Device,
    /// As the pointer mode says.
    Either,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intent {
    In,
    Out,
    InOut,
}

impl Entry {
    /// The procedures of the entry.
    ///
    /// # Errors
    /// What the table says of an argument and this does not understand.
    pub(super) fn procedures(&self, index: usize) -> Result<Vec<Procedure>, String> {
        let all = self.of_types()?;
        let mut all: Vec<Procedure> = all.into_iter().flat_map(with_scalar_types).collect();
        all.iter_mut().for_each(|p| p.entry = index);
        Ok(all)
    }

    fn of_types(&self) -> Result<Vec<Procedure>, String> {
        if !self.names.is_empty() {
            let one = |(letter, name): (&char, &String)| self.procedure(Some(*letter), name);
            return self.names.iter().map(one).collect();
        }
        if self.types.is_empty() {
            return Ok(vec![self.procedure(None, &self.name)?]);
        }
        let letters = self.types.chars();
        letters
            .map(|l| self.procedure(Some(l), &self.name))
            .collect()
    }

    fn procedure(&self, letter: Option<char>, name: &str) -> Result<Procedure, String> {
        let named = |text: &str| match letter {
            Some(l) => text
                .replace("{T}", &l.to_string())
                .replace("{t}", &l.to_ascii_lowercase().to_string()),
            None => text.to_owned(),
        };
        let name = named(name);
        let own = letter.and_then(|l| self.cs.get(&l));
        let symbol = match own.or(self.c.as_ref()) {
            Some(c) => named(c),
            None => name.clone(),
        };
        let argument = |text: &String| {
            argument(text, letter).ok_or_else(|| format!("{name}: the argument `{text}`"))
        };
        let result = match self.result.as_deref() {
            None | Some("int") => Some(Kind::Int),
            Some("none") => None,
            Some(code) => {
                Some(kind(code, letter).ok_or_else(|| format!("{name}: the result `{code}`"))?)
            }
        };
        let mut arguments: Vec<Argument> =
            self.args.iter().map(argument).collect::<Result<_, _>>()?;
        let either =
            (arguments.iter_mut()).filter(|a| a.shape == Shape::Either && a.kind != Kind::Any);
        for (a, before) in either.zip(0..) {
            a.either = before;
        }
        Ok(Procedure {
            symbol,
            entry: 0,
            written: self.args.clone(),
            family: self.family.clone(),
            arguments,
            result,
            legacy: self.legacy,
            same: self.legacy_same.clone(),
            since: self.since,
            until: self.until,
            instead: self.instead.clone(),
            refused: self.refused.clone(),
            fortran: self.fortran,
            name,
        })
    }
}

/// A procedure with scalars of any type, as one for each type that they may have: the library takes some of them at addresses that
/// Fortran does not give.
fn with_scalar_types(p: Procedure) -> Vec<Procedure> {
    let open = |a: &Argument| {
        a.kind == Kind::Any && a.shape == Shape::Scalar && a.memory != Memory::Device
    };
    if !p.arguments.iter().any(open) {
        return vec![p];
    }
    let integers = p.name.contains("Ex").then_some("i4");
    let codes = ["r4", "r8", "c4", "c8"].into_iter().chain(integers);
    codes
        .map(|code| {
            let mut typed = p.clone();
            for a in typed.arguments.iter_mut().filter(|a| open(a)) {
                a.kind = Kind::Data(code.to_owned());
            }
            typed
        })
        .collect()
}

/// `name: KIND[SHAPE] MEMORY INTENT optional kept address`.
fn argument(text: &str, letter: Option<char>) -> Option<Argument> {
    let (name, rest) = text.split_once(':')?;
    let mut words = rest.split_ascii_whitespace();
    let first = words.next()?;
    let (code, shape) = match (first.strip_suffix("[]"), first.strip_suffix("[?]")) {
        (Some(code), _) => (code, Shape::Array),
        (_, Some(code)) => (code, Shape::Either),
        _ => (first, Shape::Scalar),
    };
    let mut out = Argument {
        name: name.trim().to_owned(),
        kind: kind(code, letter)?,
        memory: match shape {
            Shape::Scalar => Memory::Host,
            _ => Memory::Device,
        },
        shape,
        intent: Intent::In,
        optional: false,
        kept: false,
        address: false,
        either: 0,
    };
    for word in words {
        match word {
            "host" => out.memory = Memory::Host,
            "device" => out.memory = Memory::Device,
            "either" => out.memory = Memory::Either,
            "in" => out.intent = Intent::In,
            "out" => out.intent = Intent::Out,
            "inout" => out.intent = Intent::InOut,
            "optional" => out.optional = true,
            "kept" => out.kept = true,
            "address" => out.address = true,
            "value" => match out.kind {
                Kind::Data(code) => out.kind = Kind::Value(code),
                _ => return None,
            },
            _ => return None,
        }
    }
    Some(out)
}

fn kind(code: &str, letter: Option<char>) -> Option<Kind> {
    let of_letter = |real: bool| {
        let code = match (letter?, real) {
            ('H', _) => "r2",
            ('S', _) | ('C', true) => "r4",
            ('D', _) | ('Z', true) => "r8",
            ('C', false) => "c4",
            ('Z', false) => "c8",
            _ => return None,
        };
        Some(Kind::Data(code.to_owned()))
    };
    Some(match code {
        "int" => Kind::Int,
        "index" => Kind::Index,
        "stream" => Kind::Stream,
        "ptr" => Kind::Pointer,
        "ptr&" => Kind::PointerReference,
        "op" => Kind::Choice(Choice::Operation),
        "fill" => Kind::Choice(Choice::Fill),
        "diag" => Kind::Choice(Choice::Diagonal),
        "side" => Kind::Choice(Choice::Side),
        "T" => of_letter(false)?,
        "R" => of_letter(true)?,
        "any" => Kind::Any,
        _ if is_data(code) => Kind::Data(code.to_owned()),
        _ => match code.strip_suffix('&') {
            Some(name) if is_name(name) => Kind::StructureReference(name.to_owned()),
            None if is_name(code) => Kind::Structure(code.to_owned()),
            _ => return None,
        },
    })
}

fn is_data(code: &str) -> bool {
    matches!(
        code,
        "i1" | "i2" | "i4" | "i8" | "r2" | "r4" | "r8" | "c4" | "c8" | "l4" | "char"
    )
}

fn is_name(text: &str) -> bool {
    text.len() > 2
        && text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments() {
        let a = argument("alpha: T either", Some('Z')).unwrap();
        assert_eq!(a.kind, Kind::Data("c8".to_owned()));
        assert_eq!((a.shape, a.memory), (Shape::Scalar, Memory::Either));
        let x = argument("x: R[] inout", Some('Z')).unwrap();
        assert_eq!(x.kind, Kind::Data("r8".to_owned()));
        assert_eq!(
            (x.shape, x.memory, x.intent),
            (Shape::Array, Memory::Device, Intent::InOut)
        );
        let h = argument("h: cublasHandle&", None).unwrap();
        assert_eq!(h.kind, Kind::StructureReference("cublasHandle".to_owned()));
        assert!(argument("n: int sideways", None).is_none());
    }
}
