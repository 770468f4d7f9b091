//! Intrinsic procedures: one table with dummies, class and rule of the result; specific names map to generic ones.

use crate::sema::typed::TExpr;

/// An intrinsic procedure.
#[derive(Debug)]
pub struct Intrinsic {
    pub name: &'static str,
    /// Dummies separated by blanks; `?` marks an optional one, a last `...` any number more.
    dummies: &'static str,
    pub class: Class,
    pub ty: ResultType,
    pub rank: ResultRank,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Elemental,
    Inquiry,
    Transformational,
    Subroutine,
    ElementalSubroutine,
}

/// Rule for the type of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultType {
    /// Type and kind of argument n.
    Same(u8),
    /// Common type of all arguments (max, min, mod, ...).
    Common,
    /// As `Common`, of the first two arguments.
    CommonOfTwo,
    /// Of the first argument; the real type of its parts for complex.
    RealPart,
    /// Default kind, or that of the KIND argument.
    Integer,
    Logical,
    Character,
    /// REAL: kind argument, else the parts' kind of a complex argument, else default.
    Real,
    /// CMPLX: kind argument, else default.
    Complex,
    Real4,
    Real8,
    Integer8,
    /// Product type of two arguments, numeric or logical.
    Product,
    /// Nothing (subroutines) or not known.
    None,
}

/// Rule for the rank of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultRank {
    /// Largest rank of the arguments.
    Elemental,
    Scalar,
    One,
    Same(u8),
    /// Scalar, or one less than the array's rank with DIM.
    Reduce,
    /// Rank 1, or one less than the array's rank with DIM (minloc, maxloc).
    Location,
    /// Rank 1, or a scalar with DIM (lbound, ubound).
    Bound,
    Matmul,
    Plus1,
    /// Size of the SHAPE argument.
    Reshape,
    /// Scalar for a scalar MOLD without SIZE, else 1.
    Transfer,
}

impl Intrinsic {
    /// Dummy names in order, with whether each is optional.
    pub fn dummies(&self) -> impl Iterator<Item = (&'static str, bool)> {
        self.dummies
            .split_ascii_whitespace()
            .filter(|d| *d != "...")
            .map(|d| match d.strip_suffix('?') {
                Some(d) => (d, true),
                None => (d, false),
            })
    }

    /// Takes any number of further arguments.
    pub fn variadic(&self) -> bool {
        self.dummies.ends_with("...")
    }

    pub fn is_subroutine(&self) -> bool {
        matches!(self.class, Class::Subroutine | Class::ElementalSubroutine)
    }
}

/// The intrinsic of a folded name. A specific name (`dsin`, `amax1`) gives the generic one with the conversion of its
/// result that the specific name implies.
pub fn find(name: &str) -> Option<(&'static Intrinsic, Option<Convert>)> {
    if let Ok(i) = TABLE.binary_search_by(|t| t.name.cmp(name)) {
        return Some((&TABLE[i], None));
    }
    let i = SPECIFIC.binary_search_by(|s| s.0.cmp(name)).ok()?;
    let (_, generic, convert) = SPECIFIC[i];
    let t = TABLE.binary_search_by(|t| t.name.cmp(generic)).ok()?;
    Some((&TABLE[t], convert))
}

/// Conversion of a specific name's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Convert {
    /// Kind of the KIND argument of `int`, `real`, `cmplx`, ...
    Kind(u8),
    /// The result is converted to default real (amax0) ...
    ToReal,
    /// ... or default integer (max1).
    ToInteger,
}

/// Specific names: name, generic name, conversion.
static SPECIFIC: &[(&str, &str, Option<Convert>)] = &[
    ("algama", "log_gamma", None),
    ("alog", "log", None),
    ("alog10", "log10", None),
    ("amax0", "max", Some(Convert::ToReal)),
    ("amax1", "max", None),
    ("amin0", "min", Some(Convert::ToReal)),
    ("amin1", "min", None),
    ("amod", "mod", None),
    ("bbtest", "btest", None),
    ("besj0", "bessel_j0", None),
    ("besj1", "bessel_j1", None),
    ("besjn", "bessel_jn", None),
    ("besy0", "bessel_y0", None),
    ("besy1", "bessel_y1", None),
    ("besyn", "bessel_yn", None),
    ("biabs", "abs", None),
    ("biand", "iand", None),
    ("bibclr", "ibclr", None),
    ("bibits", "ibits", None),
    ("bibset", "ibset", None),
    ("bidim", "dim", None),
    ("bieor", "ieor", None),
    ("bior", "ior", None),
    ("bishft", "ishft", None),
    ("bishftc", "ishftc", None),
    ("bisign", "sign", None),
    ("bitest", "btest", None),
    ("bjtest", "btest", None),
    ("bktest", "btest", None),
    ("bmax0", "max", None),
    ("bmin0", "min", None),
    ("bmod", "mod", None),
    ("bmvbits", "mvbits", None),
    ("bnot", "not", None),
    ("cabs", "abs", None),
    ("ccos", "cos", None),
    ("cdabs", "abs", None),
    ("cdcos", "cos", None),
    ("cdexp", "exp", None),
    ("cdlog", "log", None),
    ("cdsin", "sin", None),
    ("cdsqrt", "sqrt", None),
    ("cexp", "exp", None),
    ("clog", "log", None),
    ("csin", "sin", None),
    ("csqrt", "sqrt", None),
    ("dabs", "abs", None),
    ("dacos", "acos", None),
    ("dacosd", "acosd", None),
    ("dacosh", "acosh", None),
    ("dasin", "asin", None),
    ("dasind", "asind", None),
    ("dasinh", "asinh", None),
    ("datan", "atan", None),
    ("datan2", "atan2", None),
    ("datan2d", "atan2d", None),
    ("datand", "atand", None),
    ("datanh", "atanh", None),
    ("dbesj0", "bessel_j0", None),
    ("dbesj1", "bessel_j1", None),
    ("dbesjn", "bessel_jn", None),
    ("dbesy0", "bessel_y0", None),
    ("dbesy1", "bessel_y1", None),
    ("dbesyn", "bessel_yn", None),
    ("dble", "real", Some(Convert::Kind(8))),
    ("dcmplx", "cmplx", Some(Convert::Kind(8))),
    ("dconjg", "conjg", None),
    ("dcos", "cos", None),
    ("dcosd", "cosd", None),
    ("dcosh", "cosh", None),
    ("dcotan", "cotan", None),
    ("dcotand", "cotand", None),
    ("ddim", "dim", None),
    ("derf", "erf", None),
    ("derfc", "erfc", None),
    ("dexp", "exp", None),
    ("dfloat", "real", Some(Convert::Kind(8))),
    ("dgamma", "gamma", None),
    ("dimag", "aimag", None),
    ("dint", "aint", None),
    ("dlgama", "log_gamma", None),
    ("dlog", "log", None),
    ("dlog10", "log10", None),
    ("dmax1", "max", None),
    ("dmin1", "min", None),
    ("dmod", "mod", None),
    ("dnint", "anint", None),
    ("dreal", "real", Some(Convert::Kind(8))),
    ("dsign", "sign", None),
    ("dsin", "sin", None),
    ("dsind", "sind", None),
    ("dsinh", "sinh", None),
    ("dsqrt", "sqrt", None),
    ("dtan", "tan", None),
    ("dtand", "tand", None),
    ("dtanh", "tanh", None),
    ("float", "real", Some(Convert::Kind(4))),
    ("iabs", "abs", None),
    ("idim", "dim", None),
    ("idint", "int", Some(Convert::Kind(4))),
    ("idnint", "nint", None),
    ("ifix", "int", Some(Convert::Kind(4))),
    ("iiabs", "abs", None),
    ("iiand", "iand", None),
    ("iibclr", "ibclr", None),
    ("iibits", "ibits", None),
    ("iibset", "ibset", None),
    ("iidim", "dim", None),
    ("iieor", "ieor", None),
    ("iior", "ior", None),
    ("iishft", "ishft", None),
    ("iishftc", "ishftc", None),
    ("iisign", "sign", None),
    ("imag", "aimag", None),
    ("imagpart", "aimag", None),
    ("imax0", "max", None),
    ("imin0", "min", None),
    ("imod", "mod", None),
    ("imvbits", "mvbits", None),
    ("inot", "not", None),
    ("int2", "int", Some(Convert::Kind(2))),
    ("int4", "int", Some(Convert::Kind(4))),
    ("int8", "int", Some(Convert::Kind(8))),
    ("isign", "sign", None),
    ("jiabs", "abs", None),
    ("jiand", "iand", None),
    ("jibclr", "ibclr", None),
    ("jibits", "ibits", None),
    ("jibset", "ibset", None),
    ("jidim", "dim", None),
    ("jieor", "ieor", None),
    ("jior", "ior", None),
    ("jishft", "ishft", None),
    ("jishftc", "ishftc", None),
    ("jisign", "sign", None),
    ("jmax0", "max", None),
    ("jmin0", "min", None),
    ("jmod", "mod", None),
    ("jmvbits", "mvbits", None),
    ("jnot", "not", None),
    ("kiabs", "abs", None),
    ("kiand", "iand", None),
    ("kibclr", "ibclr", None),
    ("kibits", "ibits", None),
    ("kibset", "ibset", None),
    ("kidim", "dim", None),
    ("kieor", "ieor", None),
    ("kior", "ior", None),
    ("kishft", "ishft", None),
    ("kishftc", "ishftc", None),
    ("kisign", "sign", None),
    ("kmax0", "max", None),
    ("kmin0", "min", None),
    ("kmod", "mod", None),
    ("kmvbits", "mvbits", None),
    ("knint", "nint", Some(Convert::Kind(8))),
    ("knot", "not", None),
    ("lgamma", "log_gamma", None),
    ("max0", "max", None),
    ("max1", "max", Some(Convert::ToInteger)),
    ("min0", "min", None),
    ("min1", "min", Some(Convert::ToInteger)),
    ("sngl", "real", Some(Convert::Kind(4))),
    ("zabs", "abs", None),
    ("zcos", "cos", None),
    ("zexp", "exp", None),
    ("zlog", "log", None),
    ("zsin", "sin", None),
    ("zsqrt", "sqrt", None),
];

const fn row(
    name: &'static str,
    dummies: &'static str,
    class: Class,
    ty: ResultType,
    rank: ResultRank,
) -> Intrinsic {
    Intrinsic {
        name,
        dummies,
        class,
        ty,
        rank,
    }
}

/// An elemental function.
const fn el(name: &'static str, dummies: &'static str, ty: ResultType) -> Intrinsic {
    row(name, dummies, Class::Elemental, ty, ResultRank::Elemental)
}

/// An inquiry function.
const fn inq(
    name: &'static str,
    dummies: &'static str,
    ty: ResultType,
    rank: ResultRank,
) -> Intrinsic {
    row(name, dummies, Class::Inquiry, ty, rank)
}

/// A transformational function.
const fn tr(
    name: &'static str,
    dummies: &'static str,
    ty: ResultType,
    rank: ResultRank,
) -> Intrinsic {
    row(name, dummies, Class::Transformational, ty, rank)
}

/// A subroutine.
const fn sub(name: &'static str, dummies: &'static str) -> Intrinsic {
    row(
        name,
        dummies,
        Class::Subroutine,
        ResultType::None,
        ResultRank::Scalar,
    )
}

use ResultRank as K;
use ResultType as T;

/// All intrinsics in order of their names: Fortran 2018 13.7, F 2023's and the extensions that gfortran and nvfortran share.
static TABLE: &[Intrinsic] = &[
    sub("abort", ""),
    el("abs", "a", T::RealPart),
    tr("access", "name mode", T::Integer, K::Scalar),
    el("achar", "i kind?", T::Character),
    el("acos", "x", T::Same(0)),
    el("acosd", "x", T::Same(0)),
    el("acosh", "x", T::Same(0)),
    el("adjustl", "string", T::Same(0)),
    el("adjustr", "string", T::Same(0)),
    el("aimag", "z", T::RealPart),
    el("aint", "a kind?", T::Same(0)),
    sub("alarm", "seconds handler status?"),
    tr("all", "mask dim?", T::Same(0), K::Reduce),
    inq("allocated", "array", T::Logical, K::Scalar),
    el("and", "i j", T::Common),
    el("anint", "a kind?", T::Same(0)),
    tr("any", "mask dim?", T::Same(0), K::Reduce),
    el("asin", "x", T::Same(0)),
    el("asind", "x", T::Same(0)),
    el("asinh", "x", T::Same(0)),
    inq("associated", "pointer target?", T::Logical, K::Scalar),
    el("atan", "y x?", T::Common),
    el("atan2", "y x", T::Common),
    el("atan2d", "y x", T::Common),
    el("atand", "x", T::Same(0)),
    el("atanh", "x", T::Same(0)),
    sub("atomic_add", "atom value stat?"),
    sub("atomic_and", "atom value stat?"),
    sub("atomic_cas", "atom old compare new stat?"),
    sub("atomic_define", "atom value stat?"),
    sub("atomic_fetch_add", "atom value old stat?"),
    sub("atomic_fetch_and", "atom value old stat?"),
    sub("atomic_fetch_or", "atom value old stat?"),
    sub("atomic_fetch_xor", "atom value old stat?"),
    sub("atomic_or", "atom value stat?"),
    sub("atomic_ref", "value atom stat?"),
    sub("atomic_xor", "atom value stat?"),
    sub("backtrace", ""),
    el("bessel_j0", "x", T::Same(0)),
    el("bessel_j1", "x", T::Same(0)),
    el("bessel_jn", "n x", T::Same(1)),
    el("bessel_y0", "x", T::Same(0)),
    el("bessel_y1", "x", T::Same(0)),
    el("bessel_yn", "n x", T::Same(1)),
    el("bge", "i j", T::Logical),
    el("bgt", "i j", T::Logical),
    inq("bit_size", "i", T::Same(0), K::Scalar),
    el("ble", "i j", T::Logical),
    el("blt", "i j", T::Logical),
    el("btest", "i pos", T::Logical),
    el("ceiling", "a kind?", T::Integer),
    el("char", "i kind?", T::Character),
    sub("chdir", "name status?"),
    sub("chmod", "name mode status?"),
    el("cmplx", "x y? kind?", T::Complex),
    sub("co_broadcast", "a source_image stat? errmsg?"),
    sub("co_max", "a result_image? stat? errmsg?"),
    sub("co_min", "a result_image? stat? errmsg?"),
    sub("co_reduce", "a operation result_image? stat? errmsg?"),
    sub("co_sum", "a result_image? stat? errmsg?"),
    tr("command_argument_count", "", T::Integer, K::Scalar),
    tr("compiler_options", "", T::Character, K::Scalar),
    tr("compiler_version", "", T::Character, K::Scalar),
    el("complex", "x y", T::None),
    el("conjg", "z", T::Same(0)),
    el("cos", "x", T::Same(0)),
    el("cosd", "x", T::Same(0)),
    el("cosh", "x", T::Same(0)),
    el("cotan", "x", T::Same(0)),
    el("cotand", "x", T::Same(0)),
    tr("count", "mask dim? kind?", T::Integer, K::Reduce),
    sub("cpu_time", "time"),
    tr("cshift", "array shift dim?", T::Same(0), K::Same(0)),
    tr("ctime", "time", T::Character, K::Scalar),
    sub("date_and_time", "date? time? zone? values?"),
    inq("digits", "x", T::Integer, K::Scalar),
    el("dim", "x y", T::Common),
    tr("dot_product", "vector_a vector_b", T::Product, K::Scalar),
    el("dprod", "x y", T::Real8),
    el("dshiftl", "i j shift", T::CommonOfTwo),
    el("dshiftr", "i j shift", T::CommonOfTwo),
    sub("dtime", "values time?"),
    tr(
        "eoshift",
        "array shift boundary? dim?",
        T::Same(0),
        K::Same(0),
    ),
    inq("epsilon", "x", T::Same(0), K::Scalar),
    el("erf", "x", T::Same(0)),
    el("erfc", "x", T::Same(0)),
    el("erfc_scaled", "x", T::Same(0)),
    tr("etime", "values time?", T::Real4, K::Scalar),
    sub("event_query", "event count stat?"),
    sub(
        "execute_command_line",
        "command wait? exitstat? cmdstat? cmdmsg?",
    ),
    sub("exit", "status?"),
    el("exp", "x", T::Same(0)),
    el("exponent", "x", T::Integer),
    inq("extends_type_of", "a mold", T::Logical, K::Scalar),
    tr("failed_images", "team? kind?", T::Integer, K::One),
    tr("fdate", "", T::Character, K::Scalar),
    sub("fget", "c status?"),
    sub("fgetc", "unit c status?"),
    tr(
        "findloc",
        "array value dim? mask? kind? back?",
        T::Integer,
        K::Location,
    ),
    el("floor", "a kind?", T::Integer),
    sub("flush", "unit?"),
    tr("fnum", "unit", T::Integer, K::Scalar),
    sub("fput", "c status?"),
    sub("fputc", "unit c status?"),
    el("fraction", "x", T::Same(0)),
    sub("free", "ptr"),
    sub("fseek", "unit offset whence status?"),
    sub("fstat", "unit values status?"),
    tr("ftell", "unit", T::Integer8, K::Scalar),
    el("gamma", "x", T::Same(0)),
    sub("gerror", "result"),
    sub("get_command", "command? length? status? errmsg?"),
    sub(
        "get_command_argument",
        "number value? length? status? errmsg?",
    ),
    sub(
        "get_environment_variable",
        "name value? length? status? trim_name? errmsg?",
    ),
    tr("get_team", "level?", T::None, K::Scalar),
    sub("getarg", "pos value"),
    sub("getcwd", "c status?"),
    sub("getenv", "name value"),
    tr("getgid", "", T::Integer, K::Scalar),
    sub("getlog", "c"),
    tr("getpid", "", T::Integer, K::Scalar),
    tr("getuid", "", T::Integer, K::Scalar),
    sub("gmtime", "time values"),
    sub("hostnm", "c status?"),
    inq("huge", "x", T::Same(0), K::Scalar),
    el("hypot", "x y", T::Common),
    el("iachar", "c kind?", T::Integer),
    tr("iall", "array dim? mask?", T::Same(0), K::Reduce),
    el("iand", "i j", T::Common),
    tr("iany", "array dim? mask?", T::Same(0), K::Reduce),
    tr("iargc", "", T::Integer, K::Scalar),
    el("ibclr", "i pos", T::Same(0)),
    el("ibits", "i pos len", T::Same(0)),
    el("ibset", "i pos", T::Same(0)),
    el("ichar", "c kind?", T::Integer),
    sub("idate", "values"),
    el("ieor", "i j", T::Common),
    tr("ierrno", "", T::Integer, K::Scalar),
    tr("image_index", "coarray sub team?", T::Integer, K::Scalar),
    tr("image_status", "image team?", T::Integer, K::Scalar),
    el("index", "string substring back? kind?", T::Integer),
    el("int", "a kind?", T::Integer),
    tr("int_ptr_kind", "", T::Integer, K::Scalar),
    el("ior", "i j", T::Common),
    tr("iparity", "array dim? mask?", T::Same(0), K::Reduce),
    tr("irand", "i?", T::Integer, K::Scalar),
    inq("is_contiguous", "array", T::Logical, K::Scalar),
    el("is_iostat_end", "i", T::Logical),
    el("is_iostat_eor", "i", T::Logical),
    el("isatty", "unit", T::Logical),
    el("ishft", "i shift", T::Same(0)),
    el("ishftc", "i shift size?", T::Same(0)),
    el("isnan", "x", T::Logical),
    sub("itime", "values"),
    sub("kill", "pid sig status?"),
    inq("kind", "x", T::Integer, K::Scalar),
    inq("lbound", "array dim? kind?", T::Integer, K::Bound),
    inq("lcobound", "coarray dim? kind?", T::Integer, K::Bound),
    el("leadz", "i", T::Integer),
    inq("len", "string kind?", T::Integer, K::Scalar),
    el("len_trim", "string kind?", T::Integer),
    el("lge", "string_a string_b", T::Logical),
    el("lgt", "string_a string_b", T::Logical),
    sub("link", "path1 path2 status?"),
    el("lle", "string_a string_b", T::Logical),
    el("llt", "string_a string_b", T::Logical),
    el("lnblnk", "string", T::Integer),
    inq("loc", "x", T::Integer8, K::Scalar),
    el("log", "x", T::Same(0)),
    el("log10", "x", T::Same(0)),
    el("log_gamma", "x", T::Same(0)),
    el("logical", "l kind?", T::Logical),
    el("long", "a", T::Integer),
    el("lshift", "i shift", T::Same(0)),
    sub("lstat", "name values status?"),
    sub("ltime", "time values"),
    tr("malloc", "size", T::Integer8, K::Scalar),
    el("maskl", "i kind?", T::Integer),
    el("maskr", "i kind?", T::Integer),
    tr("matmul", "matrix_a matrix_b", T::Product, K::Matmul),
    el("max", "a1 a2 ...", T::Common),
    inq("maxexponent", "x", T::Integer, K::Scalar),
    tr(
        "maxloc",
        "array dim? mask? kind? back? stream?",
        T::Integer,
        K::Location,
    ),
    tr("maxval", "array dim? mask? stream?", T::Same(0), K::Reduce),
    tr("mclock", "", T::Integer, K::Scalar),
    tr("mclock8", "", T::Integer8, K::Scalar),
    el("merge", "tsource fsource mask", T::Same(0)),
    el("merge_bits", "i j mask", T::Common),
    el("min", "a1 a2 ...", T::Common),
    inq("minexponent", "x", T::Integer, K::Scalar),
    tr(
        "minloc",
        "array dim? mask? kind? back? stream?",
        T::Integer,
        K::Location,
    ),
    tr("minval", "array dim? mask? stream?", T::Same(0), K::Reduce),
    el("mod", "a p", T::Common),
    el("modulo", "a p", T::Common),
    sub("move_alloc", "from to stat? errmsg?"),
    row(
        "mvbits",
        "from frompos len to topos",
        Class::ElementalSubroutine,
        T::None,
        K::Scalar,
    ),
    el("nearest", "x s", T::Same(0)),
    inq("new_line", "a", T::Same(0), K::Scalar),
    el("nint", "a kind?", T::Integer),
    tr("norm2", "x dim?", T::Same(0), K::Reduce),
    el("not", "i", T::Same(0)),
    tr("null", "mold?", T::None, K::Scalar),
    tr("num_images", "", T::Integer, K::Scalar),
    el("or", "i j", T::Common),
    el("out_of_range", "x mold round?", T::Logical),
    tr("pack", "array mask vector?", T::Same(0), K::One),
    tr("parity", "mask dim?", T::Same(0), K::Reduce),
    sub("perror", "string"),
    el("popcnt", "i", T::Integer),
    el("poppar", "i", T::Integer),
    inq("precision", "x", T::Integer, K::Scalar),
    inq("present", "a", T::Logical, K::Scalar),
    tr("product", "array dim? mask?", T::Same(0), K::Reduce),
    inq("radix", "x", T::Integer, K::Scalar),
    tr("ran", "i", T::Real4, K::Scalar),
    tr("rand", "i?", T::Real4, K::Scalar),
    sub("random_init", "repeatable image_distinct"),
    sub("random_number", "harvest"),
    sub("random_seed", "size? put? get?"),
    inq("range", "x", T::Integer, K::Scalar),
    inq("rank", "a", T::Integer, K::Scalar),
    el("real", "a kind?", T::Real),
    el("realpart", "a", T::RealPart),
    sub("rename", "path1 path2 status?"),
    tr("repeat", "string ncopies", T::Character, K::Scalar),
    tr(
        "reshape",
        "source shape pad? order?",
        T::Same(0),
        K::Reshape,
    ),
    el("rrspacing", "x", T::Same(0)),
    el("rshift", "i shift", T::Same(0)),
    inq("same_type_as", "a b", T::Logical, K::Scalar),
    el("scale", "x i", T::Same(0)),
    el("scan", "string set back? kind?", T::Integer),
    tr("secnds", "x", T::Real4, K::Scalar),
    sub("second", "time"),
    tr("selected_char_kind", "name", T::Integer, K::Scalar),
    tr("selected_int_kind", "r", T::Integer, K::Scalar),
    tr("selected_logical_kind", "bits", T::Integer, K::Scalar),
    tr("selected_real_kind", "p? r? radix?", T::Integer, K::Scalar),
    el("set_exponent", "x i", T::Same(0)),
    inq("shape", "source kind?", T::Integer, K::One),
    el("shifta", "i shift", T::Same(0)),
    el("shiftl", "i shift", T::Same(0)),
    el("shiftr", "i shift", T::Same(0)),
    el("short", "a", T::None),
    el("sign", "a b", T::Same(0)),
    tr("signal", "number handler status?", T::Integer, K::Scalar),
    el("sin", "x", T::Same(0)),
    el("sind", "x", T::Same(0)),
    el("sinh", "x", T::Same(0)),
    inq("size", "array dim? kind?", T::Integer, K::Scalar),
    inq("sizeof", "x", T::Integer8, K::Scalar),
    sub("sleep", "seconds"),
    el("spacing", "x", T::Same(0)),
    tr("spread", "source dim ncopies", T::Same(0), K::Plus1),
    el("sqrt", "x", T::Same(0)),
    sub("srand", "seed"),
    sub("stat", "name values status?"),
    tr("stopped_images", "team? kind?", T::Integer, K::One),
    inq("storage_size", "a kind?", T::Integer, K::Scalar),
    tr("sum", "array dim? mask? stream?", T::Same(0), K::Reduce),
    sub("symlnk", "path1 path2 status?"),
    sub("system", "command status?"),
    sub("system_clock", "count? count_rate? count_max?"),
    el("tan", "x", T::Same(0)),
    el("tand", "x", T::Same(0)),
    el("tanh", "x", T::Same(0)),
    tr("team_number", "team?", T::Integer, K::Scalar),
    tr("this_image", "coarray? dim?", T::Integer, K::Scalar),
    tr("time", "", T::Integer, K::Scalar),
    tr("time8", "", T::Integer8, K::Scalar),
    inq("tiny", "x", T::Same(0), K::Scalar),
    el("trailz", "i", T::Integer),
    tr("transfer", "source mold size?", T::Same(1), K::Transfer),
    tr("transpose", "matrix", T::Same(0), K::Same(0)),
    tr("trim", "string", T::Character, K::Scalar),
    sub("ttynam", "unit name"),
    inq("ubound", "array dim? kind?", T::Integer, K::Bound),
    inq("ucobound", "coarray dim? kind?", T::Integer, K::Bound),
    sub("umask", "mask old?"),
    sub("unlink", "path status?"),
    tr("unpack", "vector mask field", T::Same(0), K::Same(1)),
    el("verify", "string set back? kind?", T::Integer),
    el("xor", "i j", T::Common),
];

/// The STREAM= argument of cudafor's reductions of device data (guide 3.9.1), which the standard's do not have.
pub fn stream_argument<'e>(name: &str, args: &'e [Option<TExpr>]) -> Option<&'e TExpr> {
    let at = match name {
        "sum" | "maxval" | "minval" => 3,
        "maxloc" | "minloc" => 5,
        _ => return None,
    };
    args.get(at)?.as_ref()
}

/// Intrinsics that ask about their first argument and never touch its data.
pub fn is_inquiry(name: &str) -> bool {
    matches!(
        name,
        "allocated"
            | "associated"
            | "size"
            | "shape"
            | "lbound"
            | "ubound"
            | "kind"
            | "present"
            | "sizeof"
            | "storage_size"
            | "c_sizeof"
            | "rank"
            | "is_contiguous"
            | "c_loc"
            | "loc"
            | "len"
            | "bit_size"
            | "digits"
            | "epsilon"
            | "huge"
            | "maxexponent"
            | "minexponent"
            | "precision"
            | "radix"
            | "range"
            | "tiny"
            | "c_associated"
            | "extends_type_of"
            | "same_type_as"
            | "null"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        assert!(TABLE.windows(2).all(|w| w[0].name < w[1].name));
        assert!(SPECIFIC.windows(2).all(|w| w[0].0 < w[1].0));
        for s in SPECIFIC {
            assert!(find(s.0).is_some(), "{} maps to nothing", s.0);
        }
    }
}
