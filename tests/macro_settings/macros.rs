//! Macros of a project: their names, defaults, values, and conditionals on them.

use crate::random::Random;

/// What a macro is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Defined or not.
    Flag,
    /// A number, in conditions and expressions.
    Number,
    /// A number above zero: also bounds and divisors.
    Size,
    /// A real number.
    Real,
    /// A kind of real.
    Precision,
    /// The name of a device function.
    Function,
}

/// A macro that users set.
#[derive(Clone, Debug)]
pub struct Macro {
    pub name: String,
    pub kind: Kind,
    /// The text needs it: it has no default.
    pub needed: bool,
}

const FLAGS: [&str; 12] = [
    "USE_SOA", "SINGLE", "HOT", "DEBUG", "FAST", "WITH_X", "X", "T", "PERIODIC", "OPT2", "S",
    "Half",
];
/// Names that headers of C and C++ define or use, and words of C++.
const TAKEN_FLAGS: [&str; 24] = [
    "LITTLE_ENDIAN",
    "BIG_ENDIAN",
    "INFINITY",
    "NAN",
    "NULL",
    "EOF",
    "CUDA_VERSION",
    "M_PI",
    "INT_MAX",
    "I",
    "index",
    "size",
    "stream",
    "isnan",
    "real_t",
    "min",
    "max",
    "class",
    "template",
    "double",
    "bool",
    "cuf",
    "signed",
    "NDEBUG",
];
const NUMBERS: [&str; 10] = [
    "NX", "NBIN", "BLOCK", "NDIM", "SCHEME", "ORDER", "N", "B", "LEVEL", "RADIUS",
];
const TAKEN_NUMBERS: [&str; 8] = [
    "BUFSIZ",
    "CHAR_BIT",
    "RAND_MAX",
    "stream",
    "__SIZE",
    "array",
    "launch_config",
    "CUDART_VERSION",
];

impl Macro {
    /// A macro whose name no other has.
    pub fn new(r: &mut Random, kind: Kind, others: &[Macro]) -> Macro {
        let taken = r.chance(20);
        let names: Vec<&str> = match kind {
            Kind::Flag if taken => TAKEN_FLAGS.to_vec(),
            Kind::Flag => FLAGS.to_vec(),
            Kind::Number | Kind::Size if taken => TAKEN_NUMBERS.to_vec(),
            Kind::Number | Kind::Size => NUMBERS.to_vec(),
            Kind::Real => vec!["DT", "ALPHA", "NAN_VALUE", "OMEGA"],
            Kind::Precision => vec!["RK", "WP", "PREC", "real_t"],
            Kind::Function => vec!["FUNC", "FLUX", "isinf"],
        };
        let free: Vec<&str> = names
            .into_iter()
            .filter(|n| others.iter().all(|o| !o.name.eq_ignore_ascii_case(n)))
            .collect();
        Macro {
            name: r.pick(&free).to_owned(),
            kind,
            needed: kind != Kind::Flag && r.chance(25),
        }
    }

    /// A value for the command line, None without one.
    pub fn value(&self, r: &mut Random) -> Option<String> {
        let values: &[&str] = match self.kind {
            Kind::Flag => {
                return r
                    .chance(12)
                    .then(|| r.pick(&["1", "0", "yes", "2"]).to_owned());
            }
            Kind::Number => &["0", "1", "2", "3", "4", "(-8)", "(2+1)", "7"],
            Kind::Size => &["1", "2", "3", "4", "4", "5", "8", "8", "16", "32", "(2+1)"],
            Kind::Real => &["0.25d0", "1.5", "0.1", "0.1d0", "(-0.75)", "2.e0"],
            Kind::Precision => &["4", "8"],
            Kind::Function => &["f1", "f2", "f3"],
        };
        Some(r.pick(values).to_owned())
    }

    /// It can stand in expressions of integers.
    pub fn is_number(&self) -> bool {
        matches!(self.kind, Kind::Number | Kind::Size)
    }

    /// Lines that define it if the command line does not.
    pub fn default(&self, r: &mut Random, others: &[Macro]) -> Vec<String> {
        let n = &self.name;
        if self.kind == Kind::Flag || self.needed {
            return Vec::new();
        }
        let value = self.value(r).unwrap_or_default();
        let define = format!("#define {n} {value}");
        let flag = others.iter().find(|m| m.kind == Kind::Flag);
        let other = others
            .iter()
            .find(|m| m.name != *n && m.kind == self.kind && m.needed);
        let lines: Vec<String> = match (r.below(8), flag, other) {
            (0 | 1, ..) => vec![format!("#if !defined({n})"), define, "#endif".to_owned()],
            (2, ..) => vec![
                format!("#ifdef {n}"),
                "#else".to_owned(),
                define,
                "#endif".to_owned(),
            ],
            (3, ..) => vec![
                format!("#ifdef {n}"),
                format!("#define HAVE_{n} 1"),
                "#else".to_owned(),
                define,
                format!("#define HAVE_{n} 0"),
                "#endif".to_owned(),
            ],
            (4, Some(flag), _) => vec![
                format!("#ifndef {n}"),
                format!("#ifdef {}", flag.name),
                define,
                "#else".to_owned(),
                format!("#define {n} {}", self.value(r).unwrap_or_default()),
                "#endif".to_owned(),
                "#endif".to_owned(),
            ],
            (5, ..) if self.is_number() => vec![
                format!("#if defined({n}) && {n} > 0"),
                "#else".to_owned(),
                format!("#undef {n}"),
                define,
                "#endif".to_owned(),
            ],
            (6, _, Some(other)) => vec![
                format!("#ifndef {n}"),
                format!("#define {n} {}", other.name),
                "#endif".to_owned(),
            ],
            _ => vec![format!("#ifndef {n}"), define, "#endif".to_owned()],
        };
        lines
    }
}

/// A macro that the text defines, of numbers.
#[derive(Clone, Debug)]
pub struct Derived {
    pub name: &'static str,
    pub arguments: usize,
    /// Its value is above zero.
    pub positive: bool,
    pub lines: Vec<String>,
}

/// Macros that the text defines from those of the command line.
pub fn derived(r: &mut Random, macros: &[Macro]) -> Vec<Derived> {
    let mut all: Vec<Derived> = Vec::new();
    for _ in 0..r.below(4) {
        let base = macros.iter().filter(|m| m.is_number());
        let mut bases: Vec<(&str, bool)> = base
            .map(|m| (m.name.as_str(), m.kind == Kind::Size))
            .collect();
        bases.extend(
            all.iter()
                .filter(|d| d.arguments == 0)
                .map(|d| (d.name, d.positive)),
        );
        let flags: Vec<&Macro> = macros.iter().filter(|m| m.kind == Kind::Flag).collect();
        let (n, positive) = if bases.is_empty() {
            ("3", true)
        } else {
            r.pick(&bases)
        };
        let one = |name, arguments, positive, line: String| Derived {
            name,
            arguments,
            positive,
            lines: vec![line],
        };
        let new = match r.below(9) {
            0 => one("TWICE", 0, positive, format!("#define TWICE ({n}*2)")),
            1 => one("NEXT", 0, positive, format!("#define NEXT ({n} + 1)")),
            2 => one("SQ", 1, false, "#define SQ(a) ((a)*(a))".to_owned()),
            3 => one("SCALE", 1, false, format!("#define SCALE(a) ((a)*{n})")),
            4 => one("WITH", 2, false, format!("#define WITH(a,b) (a + b*{n})")),
            5 => one("ALIAS", 0, positive, format!("#define ALIAS {n}")),
            6 => one("ID", 1, false, "#define ID(a) a".to_owned()),
            7 => Derived {
                name: "PAD",
                arguments: 0,
                positive: true,
                lines: ["#define PAD 3", "#undef PAD", "#define PAD 5"]
                    .map(str::to_owned)
                    .to_vec(),
            },
            _ if flags.is_empty() => one("PLAIN", 0, true, "#define PLAIN 6".to_owned()),
            _ => Derived {
                name: "PICK",
                arguments: 0,
                positive,
                lines: vec![
                    format!("#ifdef {}", r.pick(&flags).name),
                    "#define PICK 2".to_owned(),
                    "#else".to_owned(),
                    format!("#define PICK {n}"),
                    "#endif".to_owned(),
                ],
            },
        };
        if all.iter().all(|d| d.name != new.name) {
            all.push(new);
        }
    }
    all
}

/// The lines of a conditional without its branches: the last is for all else.
pub fn condition(r: &mut Random, macros: &[Macro]) -> Vec<String> {
    let flags: Vec<&Macro> = macros.iter().filter(|m| m.kind == Kind::Flag).collect();
    let numbers: Vec<&Macro> = macros.iter().filter(|m| m.is_number()).collect();
    let (Some(m), rest) = (macros.first(), macros) else {
        return vec!["#if 1".to_owned(), "#else".to_owned()];
    };
    let any = r.pick(rest).name;
    let flag = if flags.is_empty() {
        any.clone()
    } else {
        r.pick(&flags).name.clone()
    };
    let number = if numbers.is_empty() {
        m.name.clone()
    } else {
        r.pick(&numbers).name.clone()
    };
    let k = r.between(0, 4);
    let text = if numbers.is_empty() || r.chance(55) {
        match r.below(8) {
            0 | 1 => format!("#ifdef {flag}"),
            2 => format!("#ifndef {flag}"),
            3 => format!("#if defined({flag})"),
            4 => format!("#if !defined {flag}"),
            5 => format!("#if defined({flag}) && defined({any})"),
            6 => format!("#if defined({flag}) || !defined({any})"),
            _ => format!("#ifdef {any}"),
        }
    } else {
        match r.below(8) {
            0 | 1 => format!("#if {number} == {k}"),
            2 => format!("#if {number} > {k}"),
            3 => format!("#if ({number}*2) >= {k}"),
            4 => format!("#if {number} & 1"),
            5 => format!("#if defined({flag}) && {number} < {k}"),
            6 => format!("#if defined({number}) && {number} + 1 != {k}"),
            _ => {
                return vec![
                    format!("#if {number} == {k}"),
                    format!("#elif {number} > {k}"),
                    "#else".to_owned(),
                ];
            }
        }
    };
    match r.below(6) {
        0 => vec![text, format!("#elif defined({any})"), "#else".to_owned()],
        _ => vec![text, "#else".to_owned()],
    }
}
