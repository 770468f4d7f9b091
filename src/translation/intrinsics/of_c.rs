//! Functions of C and CUDA C++, with the intrinsic procedures that are their Fortran.

/// Names of C and CUDA C++ with what to write in Fortran. A single word takes the place of the name as it is.
const OF_C: &[(&str, &str)] = &[
    ("__syncthreads", "syncthreads"),
    ("NULL", "null()"),
    ("ceilf", "real(ceiling(x))"),
    ("cosf", "cos"),
    ("expf", "exp"),
    ("FLT_MAX", "huge(1.0)"),
    ("DBL_MAX", "huge(1.0d0)"),
    ("INT_MAX", "huge(1)"),
    ("fabs", "abs"),
    ("fabsf", "abs"),
    ("false", ".false."),
    ("floorf", "real(floor(x))"),
    ("fmax", "max"),
    ("fmaxf", "max"),
    ("fmin", "min"),
    ("fminf", "min"),
    ("fmod", "mod"),
    ("fmodf", "mod"),
    ("fprintf", "write(*, *) ..."),
    ("free", "deallocate(...)"),
    ("log10f", "log10"),
    ("logf", "log"),
    ("malloc", "allocate(...)"),
    ("nullptr", "null()"),
    ("pow", "x**y"),
    ("powf", "x**y"),
    ("printf", "print *, ..."),
    ("sinf", "sin"),
    ("sqrtf", "sqrt"),
    ("tanf", "tan"),
    ("tanhf", "tanh"),
    ("true", ".true."),
];

/// What Fortran has in the place of a name of C; case does not count.
pub fn of_c(name: &str) -> Option<&'static str> {
    let found = OF_C.iter().find(|(c, _)| c.eq_ignore_ascii_case(name));
    found.map(|(_, fortran)| *fortran)
}
