//! The Fortran modules of the runtime, `cuf_runtime`, `cudafor` and `cuf_builtins`, from their templates.

use askama::Template;

use crate::libraries::builtins::{Form, LIBM};

/// An intrinsic type of device data, for the specifics of the generic procedures.
struct Kind {
    /// Suffix of the specific's name.
    tag: &'static str,
    /// The type in a declaration.
    decl: &'static str,
}

impl Kind {
    const fn new(tag: &'static str, decl: &'static str) -> Self {
        Self { tag, decl }
    }
}

const KINDS: [Kind; 13] = [
    Kind::new("i1", "integer(int8)"),
    Kind::new("i2", "integer(int16)"),
    Kind::new("i4", "integer(int32)"),
    Kind::new("i8", "integer(int64)"),
    Kind::new("r4", "real(real32)"),
    Kind::new("r8", "real(real64)"),
    Kind::new("c4", "complex(real32)"),
    Kind::new("c8", "complex(real64)"),
    Kind::new("l1", "logical(1)"),
    Kind::new("l2", "logical(2)"),
    Kind::new("l4", "logical(4)"),
    Kind::new("l8", "logical(8)"),
    Kind::new("h", "type(cuf_half)"),
];

/// A numeric type that mixes with `type(cuf_half)`, the host's real(2).
struct Number {
    tag: &'static str,
    decl: &'static str,
    /// Value of the half `h` in this type.
    convert: &'static str,
    /// Text before an operand that makes it real.
    operand: &'static str,
    /// Text before a result that rounds it to half.
    round: &'static str,
    /// What closes the two.
    close: &'static str,
    /// Type of the result of an arithmetic operation with a half.
    result: &'static str,
}

impl Number {
    const fn integer(tag: &'static str, decl: &'static str, convert: &'static str) -> Self {
        Self {
            tag,
            decl,
            convert,
            operand: "real(",
            round: "cuf_half(",
            close: ")",
            result: "type(cuf_half)",
        }
    }

    const fn real(tag: &'static str, decl: &'static str) -> Self {
        Self {
            tag,
            decl,
            convert: "cuf_real(h)",
            operand: "",
            round: "",
            close: "",
            result: decl,
        }
    }
}

const NUMBERS: [Number; 4] = [
    Number::integer("i4", "integer(int32)", "int(cuf_real(h), int32)"),
    Number::integer("i8", "integer(int64)", "int(cuf_real(h), int64)"),
    Number::real("r4", "real(real32)"),
    Number::real("r8", "real(real64)"),
];

/// An operator on `type(cuf_half)`.
struct Operator {
    name: &'static str,
    symbol: &'static str,
    compares: bool,
}

impl Operator {
    const fn arithmetic(name: &'static str, symbol: &'static str) -> Self {
        Self {
            name,
            symbol,
            compares: false,
        }
    }

    const fn comparison(name: &'static str, symbol: &'static str) -> Self {
        Self {
            name,
            symbol,
            compares: true,
        }
    }
}

const OPERATORS: [Operator; 10] = [
    Operator::arithmetic("add", "+"),
    Operator::arithmetic("sub", "-"),
    Operator::arithmetic("mul", "*"),
    Operator::arithmetic("div", "/"),
    Operator::comparison("eq", "=="),
    Operator::comparison("ne", "/="),
    Operator::comparison("lt", "<"),
    Operator::comparison("le", "<="),
    Operator::comparison("gt", ">"),
    Operator::comparison("ge", ">="),
];

/// A rank, for specifics that assumed rank cannot serve.
struct Rank {
    rank: usize,
    /// `(:,:)`, empty for a scalar.
    shape: String,
    /// `(cuf_extent(a, 1), cuf_extent(a, 2))`, empty for a scalar.
    sizes: String,
    /// `low(1):, low(2):`
    lows: String,
}

impl Rank {
    fn new(rank: usize) -> Self {
        let list =
            |item: &dyn Fn(usize) -> String| (1..=rank).map(item).collect::<Vec<_>>().join(", ");
        let in_parentheses = |text: String| {
            if rank == 0 {
                String::new()
            } else {
                format!("({text})")
            }
        };
        Self {
            rank,
            shape: in_parentheses(vec![":"; rank].join(",")),
            // In lines that every compiler takes.
            sizes: in_parentheses(list(&|i| match i {
                4 => "&\n      cuf_extent(a, 4)".to_owned(),
                _ => format!("cuf_extent(a, {i})"),
            })),
            lows: list(&|i| format!("low({i}):")),
        }
    }
}

#[derive(Template)]
#[template(path = "cuf_runtime.f90")]
struct CufRuntime<'a> {
    kinds: &'a [Kind],
    ranks: &'a [Rank],
    numbers: &'a [Number],
    operators: &'a [Operator],
}

#[derive(Template)]
#[template(path = "cudafor.f90")]
struct Cudafor<'a> {
    kinds: &'a [Kind],
}

/// A routine of libm, in both precisions.
struct Routine {
    name: &'static str,
    /// C's name.
    symbol: &'static str,
    dummies: &'static str,
    form: Form,
}

struct Precision {
    kind: u8,
    decl: &'static str,
    /// What C's name ends with.
    suffix: &'static str,
}

impl Routine {
    const fn new(name: &'static str, form: Form) -> Self {
        let dummies = match form {
            Form::One | Form::Integer(_) => "x",
            Form::Two => "x, y",
            Form::Three => "x, y, z",
            Form::Scaled => "x, n",
            Form::Exponent => "x, n",
            Form::Parts => "x, whole",
            Form::Quotient => "x, y, n",
        };
        Self {
            name,
            // The exponent is an integer here, which C's scalbln has not.
            symbol: match form {
                Form::Scaled => "scalbn",
                _ => name,
            },
            dummies,
            form,
        }
    }

    const fn precisions(&self) -> [Precision; 2] {
        [
            Precision {
                kind: 8,
                decl: "real(c_double)",
                suffix: "",
            },
            Precision {
                kind: 4,
                decl: "real(c_float)",
                suffix: "f",
            },
        ]
    }

    fn declarations(&self, real: &str) -> Vec<String> {
        let (names, more, result) = match self.form {
            Form::One => ("x", None, real.to_owned()),
            Form::Two => ("x, y", None, real.to_owned()),
            Form::Three => ("x, y, z", None, real.to_owned()),
            Form::Integer(kind) => ("x", None, format!("integer({kind})")),
            Form::Scaled => (
                "x",
                Some("integer(c_int), value :: n".to_owned()),
                real.to_owned(),
            ),
            Form::Exponent => (
                "x",
                Some("integer(c_int), intent(out) :: n".to_owned()),
                real.to_owned(),
            ),
            Form::Parts => (
                "x",
                Some(format!("{real}, intent(out) :: whole")),
                real.to_owned(),
            ),
            Form::Quotient => (
                "x, y",
                Some("integer(c_int), intent(out) :: n".to_owned()),
                real.to_owned(),
            ),
        };
        let mut lines = vec![format!("{real}, value :: {names}")];
        lines.extend(more);
        lines.push(format!("{result} :: r"));
        lines
    }
}

/// A rounding direction.
struct Direction {
    suffix: &'static str,
    mode: &'static str,
}

const DIRECTIONS: [Direction; 4] = [
    Direction {
        suffix: "rn",
        mode: "ieee_nearest",
    },
    Direction {
        suffix: "rz",
        mode: "ieee_to_zero",
    },
    Direction {
        suffix: "ru",
        mode: "ieee_up",
    },
    Direction {
        suffix: "rd",
        mode: "ieee_down",
    },
];

#[derive(Template)]
#[template(path = "cuf_builtins.f90")]
struct CufBuiltins<'a> {
    libm: &'a [Routine],
    directions: &'a [Direction],
}

/// Name and text of the runtime's Fortran sources, in the order of compilation.
///
/// They need `-Wno-c-binding-type` to compile without a warning: gfortran finds every `pointer` dummy of a bind(C)
/// procedure suspicious.
///
/// # Errors
///
/// Only if a template cannot be formatted.
pub fn fortran_modules() -> Result<[(&'static str, String); 3], askama::Error> {
    let ranks: Vec<Rank> = (0..=7).map(Rank::new).collect();
    let libm: Vec<Routine> = LIBM.iter().map(|(n, f)| Routine::new(n, *f)).collect();
    Ok([
        (
            "host/cuf_runtime.F90",
            CufRuntime {
                kinds: &KINDS,
                ranks: &ranks,
                numbers: &NUMBERS,
                operators: &OPERATORS,
            }
            .render()?,
        ),
        ("host/cudafor.f90", Cudafor { kinds: &KINDS }.render()?),
        (
            "host/cuf_builtins.f90",
            CufBuiltins {
                libm: &libm,
                directions: &DIRECTIONS,
            }
            .render()?,
        ),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specifics_of_every_kind_and_rank() {
        let [(_, runtime), (_, cudafor), (_, builtins)] =
            fortran_modules().expect("templates render");
        assert!(runtime.contains("module procedure :: cuf_host_c8_7"));
        assert!(runtime.contains("    real(real32) :: copy(cuf_extent(a, 1), cuf_extent(a, 2))\n"));
        assert!(
            cudafor.contains(
                "  function cudaMallocPitch_l8(devptr, pitch, width, height) result(code)"
            )
        );
        assert!(builtins.contains("  function cuf_fadd_ru(x, y) result(r)\n"));
        for text in [&runtime, &cudafor, &builtins] {
            assert!(text.lines().all(|line| line.len() <= 132));
            assert!(!text.contains("{%") && !text.contains("@}"));
        }
    }
}
