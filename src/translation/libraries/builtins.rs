//! Procedures of the modules cudadevice and libm that host code has, too (guide 3.8): what the runtime's module `cuf_builtins` calls them.

/// The Fortran module of the runtime that has them.
pub const MODULE: &str = "cuf_builtins";

/// Procedures of cudadevice for the host, without underscores before them; those of the families below are not among them.
pub const PLAIN: &[&str] = &[
    "brev",
    "brevll",
    "clock",
    "clock64",
    "clz",
    "clzll",
    "cosf",
    "cospi",
    "cospif",
    "double2hiint",
    "double2loint",
    "double_as_longlong",
    "exp10f",
    "expf",
    "fdivide",
    "fdividef",
    "ffs",
    "ffsll",
    "float_as_int",
    "hiloint2double",
    "int2double_rn",
    "int_as_float",
    "log10f",
    "log2f",
    "logf",
    "longlong_as_double",
    "mul24",
    "mulhi",
    "on_device",
    "popc",
    "popcll",
    "powf",
    "sad",
    "saturatef",
    "sincos",
    "sincosf",
    "sincospi",
    "sincospif",
    "sinf",
    "sinpi",
    "sinpif",
    "tanf",
    "uint2double_rn",
    "umul24",
    "umulhi",
    "usad",
];

/// Conversions and arithmetic in each rounding direction.
pub const FAMILIES: &[&str] = &[
    "dadd",
    "ddiv",
    "dmul",
    "double2float",
    "double2int",
    "double2ll",
    "double2uint",
    "double2ull",
    "drcp",
    "dsqrt",
    "dsub",
    "fadd",
    "fdiv",
    "float2int",
    "float2ll",
    "float2uint",
    "float2ull",
    "fma",
    "fmaf",
    "fmul",
    "frcp",
    "fsqrt",
    "fsub",
    "int2float",
    "ll2double",
    "ll2float",
    "uint2float",
    "ull2double",
    "ull2float",
];

/// What the arguments and the result of a routine of libm are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A real of a real.
    One,
    /// A real of two.
    Two,
    /// A real of three.
    Three,
    /// An integer, of the C type, of a real.
    Integer(&'static str),
    /// A real of a real and an integer.
    Scaled,
    /// Two parts, of which the second is an integer.
    Exponent,
    /// Two parts, both real.
    Parts,
    /// A remainder and an integer.
    Quotient,
}

/// Routines of libm for real(8), table 15. With an `f` behind it a name is that for real(4).
pub const LIBM: &[(&str, Form)] = &[
    ("cbrt", Form::One),
    ("ceil", Form::One),
    ("copysign", Form::Two),
    ("exp10", Form::One),
    ("exp2", Form::One),
    ("expm1", Form::One),
    ("fabs", Form::One),
    ("floor", Form::One),
    ("fma", Form::Three),
    ("fmax", Form::Two),
    ("fmin", Form::Two),
    ("frexp", Form::Exponent),
    ("ilogb", Form::Integer("c_int")),
    ("ldexp", Form::Scaled),
    ("llrint", Form::Integer("c_long_long")),
    ("llround", Form::Integer("c_long_long")),
    ("log1p", Form::One),
    ("log2", Form::One),
    ("logb", Form::One),
    ("lrint", Form::Integer("c_long")),
    ("lround", Form::Integer("c_long")),
    ("modf", Form::Parts),
    ("nearbyint", Form::One),
    ("nextafter", Form::Two),
    ("remainder", Form::Two),
    ("remquo", Form::Quotient),
    ("rint", Form::One),
    ("scalbln", Form::Scaled),
    ("scalbn", Form::Scaled),
    ("trunc", Form::One),
];

/// The name that host code has for a procedure of a device module, None for one that is the device's alone.
pub fn host_name(module: &str, name: &str) -> Option<String> {
    match module {
        "cudadevice" => {
            let bare = name.trim_start_matches('_');
            let family = bare.rsplit_once('_').is_some_and(|(stem, mode)| {
                matches!(mode, "rd" | "rn" | "ru" | "rz") && FAMILIES.contains(&stem)
            });
            (family || PLAIN.contains(&bare)).then(|| format!("cuf_{bare}"))
        }
        "libm" => {
            let has = |n: &str| LIBM.iter().any(|(l, _)| *l == n);
            if has(name) {
                return Some(format!("cuf_{name}"));
            }
            let single = name.strip_suffix('f').filter(|n| has(n))?;
            Some(format!("cuf_{single}_4"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_both_modules() {
        assert_eq!(
            host_name("cudadevice", "__popc").as_deref(),
            Some("cuf_popc")
        );
        assert_eq!(
            host_name("cudadevice", "__double2ull_rz").as_deref(),
            Some("cuf_double2ull_rz")
        );
        assert_eq!(host_name("libm", "floorf").as_deref(), Some("cuf_floor_4"));
        assert_eq!(host_name("cudadevice", "atomicadd"), None);
        assert_eq!(host_name("cudadevice", "__float2half_rn"), None);
    }
}
