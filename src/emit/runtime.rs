//! The Fortran modules of the runtime, `cuf_runtime` and `cudafor`, from their templates.

use askama::Template;

/// An intrinsic type of device data, for the specifics of the generic procedures.
struct Kind {
    /// Suffix of the specific's name.
    tag: &'static str,
    /// The type in a declaration.
    decl: &'static str,
}

const KINDS: [Kind; 12] = [
    Kind {
        tag: "i1",
        decl: "integer(int8)",
    },
    Kind {
        tag: "i2",
        decl: "integer(int16)",
    },
    Kind {
        tag: "i4",
        decl: "integer(int32)",
    },
    Kind {
        tag: "i8",
        decl: "integer(int64)",
    },
    Kind {
        tag: "r4",
        decl: "real(real32)",
    },
    Kind {
        tag: "r8",
        decl: "real(real64)",
    },
    Kind {
        tag: "c4",
        decl: "complex(real32)",
    },
    Kind {
        tag: "c8",
        decl: "complex(real64)",
    },
    Kind {
        tag: "l1",
        decl: "logical(int8)",
    },
    Kind {
        tag: "l2",
        decl: "logical(int16)",
    },
    Kind {
        tag: "l4",
        decl: "logical(int32)",
    },
    Kind {
        tag: "l8",
        decl: "logical(int64)",
    },
];

/// A rank, for specifics that assumed rank cannot serve.
struct Rank {
    rank: usize,
    /// `(:,:)`, empty for a scalar.
    shape: String,
    /// `(size(a, 1), size(a, 2))`, empty for a scalar.
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
            sizes: in_parentheses(list(&|i| format!("size(a, {i})"))),
            lows: list(&|i| format!("low({i}):")),
        }
    }
}

#[derive(Template)]
#[template(path = "cuf_runtime.f90")]
struct CufRuntime<'a> {
    kinds: &'a [Kind],
    ranks: &'a [Rank],
}

#[derive(Template)]
#[template(path = "cudafor.f90")]
struct Cudafor<'a> {
    kinds: &'a [Kind],
}

/// Name and text of the runtime's Fortran sources, in the order of compilation.
///
/// They need `-Wno-c-binding-type` to compile without a warning: gfortran finds every `pointer` dummy of a bind(C)
/// procedure suspicious.
///
/// # Errors
///
/// Only if a template cannot be formatted.
pub fn fortran_modules() -> Result<[(&'static str, String); 2], askama::Error> {
    let ranks: Vec<Rank> = (0..=7).map(Rank::new).collect();
    Ok([
        (
            "cuf_runtime.f90",
            CufRuntime {
                kinds: &KINDS,
                ranks: &ranks,
            }
            .render()?,
        ),
        ("cudafor.f90", Cudafor { kinds: &KINDS }.render()?),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specifics_of_every_kind_and_rank() {
        let [(_, runtime), (_, cudafor)] = fortran_modules().expect("templates render");
        assert!(runtime.contains("module procedure :: cuf_host_c8_7"));
        assert!(runtime.contains("    real(real32) :: copy(size(a, 1), size(a, 2))\n"));
        assert!(cudafor.contains(
            "    function cudaMallocPitch_l8(devptr, pitch, width, height) result(code)"
        ));
        for text in [&runtime, &cudafor] {
            assert!(text.lines().all(|line| line.len() <= 132));
            assert!(!text.contains("{%") && !text.contains("@}"));
        }
    }
}
