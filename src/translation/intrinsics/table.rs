//! The table of all intrinsic procedures, by families: Fortran 2018 13.7, F 2023's and the extensions that gfortran and nvfortran share.

use super::ResultRank as K;
use super::ResultType as T;
use super::{Class, Entry, Intrinsic, ResultRank, ResultType};

const fn row(
    name: &'static str,
    dummies: &'static str,
    class: Class,
    ty: ResultType,
    rank: ResultRank,
) -> Entry {
    Entry {
        name,
        dummies,
        class,
        ty,
        rank,
    }
}

/// An elemental function.
const fn el(name: &'static str, dummies: &'static str, ty: ResultType) -> Entry {
    row(name, dummies, Class::Elemental, ty, ResultRank::Elemental)
}

/// An inquiry function.
const fn inq(name: &'static str, dummies: &'static str, ty: ResultType, rank: ResultRank) -> Entry {
    row(name, dummies, Class::Inquiry, ty, rank)
}

/// A transformational function.
const fn tr(name: &'static str, dummies: &'static str, ty: ResultType, rank: ResultRank) -> Entry {
    row(name, dummies, Class::Transformational, ty, rank)
}

/// A subroutine.
const fn sub(name: &'static str, dummies: &'static str) -> Entry {
    row(
        name,
        dummies,
        Class::Subroutine,
        ResultType::None,
        ResultRank::Scalar,
    )
}

macro_rules! intrinsics {
    ($($(#[$doc:meta])* $family:ident { $($name:ident: $entry:expr;)* })*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
            pub enum $family {
                $($name,)*
            }

            impl From<$family> for Intrinsic {
                fn from(i: $family) -> Intrinsic {
                    Intrinsic::$family(i)
                }
            }
        )*

        impl Intrinsic {
            /// All of them.
            pub const ALL: &[Intrinsic] = &[$($(Intrinsic::$family($family::$name),)*)*];

            /// What the table says of it.
            pub fn entry(self) -> &'static Entry {
                match self {
                    $($(Intrinsic::$family($family::$name) => {
                        const ENTRY: &Entry = &$entry;
                        ENTRY
                    })*)*
                }
            }
        }
    };
}

// A row is a variant and its facts: the name, the dummies separated by blanks (`?` marks an optional one, a last `...` any number
// more), the rules for type and rank of the result. What the compiler finds missing then is what device code makes of it.
intrinsics! {
    /// Numbers computed from numbers: mathematical functions, remainders, parts of the representation.
    Numeric {
        Abs: el("abs", "a", T::RealPart);
        Acos: el("acos", "x", T::Same(0));
        Acosd: el("acosd", "x", T::Same(0));
        Acosh: el("acosh", "x", T::Same(0));
        Asin: el("asin", "x", T::Same(0));
        Asind: el("asind", "x", T::Same(0));
        Asinh: el("asinh", "x", T::Same(0));
        Atan: el("atan", "y x?", T::Common);
        Atan2: el("atan2", "y x", T::Common);
        Atan2d: el("atan2d", "y x", T::Common);
        Atand: el("atand", "x", T::Same(0));
        Atanh: el("atanh", "x", T::Same(0));
        BesselJ0: el("bessel_j0", "x", T::Same(0));
        BesselJ1: el("bessel_j1", "x", T::Same(0));
        BesselJn: el("bessel_jn", "n x", T::Same(1));
        BesselY0: el("bessel_y0", "x", T::Same(0));
        BesselY1: el("bessel_y1", "x", T::Same(0));
        BesselYn: el("bessel_yn", "n x", T::Same(1));
        Conjg: el("conjg", "z", T::Same(0));
        Cos: el("cos", "x", T::Same(0));
        Cosd: el("cosd", "x", T::Same(0));
        Cosh: el("cosh", "x", T::Same(0));
        Cotan: el("cotan", "x", T::Same(0));
        Cotand: el("cotand", "x", T::Same(0));
        Dim: el("dim", "x y", T::Common);
        Dprod: el("dprod", "x y", T::Real8);
        Erf: el("erf", "x", T::Same(0));
        Erfc: el("erfc", "x", T::Same(0));
        ErfcScaled: el("erfc_scaled", "x", T::Same(0));
        Exp: el("exp", "x", T::Same(0));
        Exponent: el("exponent", "x", T::Integer);
        Fraction: el("fraction", "x", T::Same(0));
        Gamma: el("gamma", "x", T::Same(0));
        Hypot: el("hypot", "x y", T::Common);
        Isnan: el("isnan", "x", T::Logical);
        Log: el("log", "x", T::Same(0));
        Log10: el("log10", "x", T::Same(0));
        LogGamma: el("log_gamma", "x", T::Same(0));
        Mod: el("mod", "a p", T::Common);
        Modulo: el("modulo", "a p", T::Common);
        Nearest: el("nearest", "x s", T::Same(0));
        Rrspacing: el("rrspacing", "x", T::Same(0));
        Scale: el("scale", "x i", T::Same(0));
        SetExponent: el("set_exponent", "x i", T::Same(0));
        Sign: el("sign", "a b", T::Same(0));
        Sin: el("sin", "x", T::Same(0));
        Sind: el("sind", "x", T::Same(0));
        Sinh: el("sinh", "x", T::Same(0));
        Spacing: el("spacing", "x", T::Same(0));
        Sqrt: el("sqrt", "x", T::Same(0));
        Tan: el("tan", "x", T::Same(0));
        Tand: el("tand", "x", T::Same(0));
        Tanh: el("tanh", "x", T::Same(0));
    }

    /// One of the arguments.
    Choice {
        Max: el("max", "a1 a2 ...", T::Common);
        Merge: el("merge", "tsource fsource mask", T::Same(0));
        Min: el("min", "a1 a2 ...", T::Common);
    }

    /// The same value in another type, its parts, rounding.
    Conversion {
        Aimag: el("aimag", "z", T::RealPart);
        Aint: el("aint", "a kind?", T::Same(0));
        Anint: el("anint", "a kind?", T::Same(0));
        Ceiling: el("ceiling", "a kind?", T::Integer);
        Cmplx: el("cmplx", "x y? kind?", T::Complex);
        Complex: el("complex", "x y", T::None);
        Floor: el("floor", "a kind?", T::Integer);
        Int: el("int", "a kind?", T::Integer);
        Logical: el("logical", "l kind?", T::Logical);
        Long: el("long", "a", T::Integer);
        Nint: el("nint", "a kind?", T::Integer);
        OutOfRange: el("out_of_range", "x mold round?", T::Logical);
        Real: el("real", "a kind?", T::Real);
        Realpart: el("realpart", "a", T::RealPart);
        Short: el("short", "a", T::None);
    }

    /// Integers as bits.
    Bits {
        And: el("and", "i j", T::Common);
        Bge: el("bge", "i j", T::Logical);
        Bgt: el("bgt", "i j", T::Logical);
        Ble: el("ble", "i j", T::Logical);
        Blt: el("blt", "i j", T::Logical);
        Btest: el("btest", "i pos", T::Logical);
        Dshiftl: el("dshiftl", "i j shift", T::CommonOfTwo);
        Dshiftr: el("dshiftr", "i j shift", T::CommonOfTwo);
        Iand: el("iand", "i j", T::Common);
        Ibclr: el("ibclr", "i pos", T::Same(0));
        Ibits: el("ibits", "i pos len", T::Same(0));
        Ibset: el("ibset", "i pos", T::Same(0));
        Ieor: el("ieor", "i j", T::Common);
        Ior: el("ior", "i j", T::Common);
        Ishft: el("ishft", "i shift", T::Same(0));
        Ishftc: el("ishftc", "i shift size?", T::Same(0));
        Leadz: el("leadz", "i", T::Integer);
        Lshift: el("lshift", "i shift", T::Same(0));
        Maskl: el("maskl", "i kind?", T::Integer);
        Maskr: el("maskr", "i kind?", T::Integer);
        MergeBits: el("merge_bits", "i j mask", T::Common);
        Not: el("not", "i", T::Same(0));
        Or: el("or", "i j", T::Common);
        Popcnt: el("popcnt", "i", T::Integer);
        Poppar: el("poppar", "i", T::Integer);
        Rshift: el("rshift", "i shift", T::Same(0));
        Shifta: el("shifta", "i shift", T::Same(0));
        Shiftl: el("shiftl", "i shift", T::Same(0));
        Shiftr: el("shiftr", "i shift", T::Same(0));
        Trailz: el("trailz", "i", T::Integer);
        Xor: el("xor", "i j", T::Common);
    }

    /// Characters.
    Text {
        Achar: el("achar", "i kind?", T::Character);
        Adjustl: el("adjustl", "string", T::Same(0));
        Adjustr: el("adjustr", "string", T::Same(0));
        Char: el("char", "i kind?", T::Character);
        Iachar: el("iachar", "c kind?", T::Integer);
        Ichar: el("ichar", "c kind?", T::Integer);
        Index: el("index", "string substring back? kind?", T::Integer);
        LenTrim: el("len_trim", "string kind?", T::Integer);
        Lge: el("lge", "string_a string_b", T::Logical);
        Lgt: el("lgt", "string_a string_b", T::Logical);
        Lle: el("lle", "string_a string_b", T::Logical);
        Llt: el("llt", "string_a string_b", T::Logical);
        Lnblnk: el("lnblnk", "string", T::Integer);
        NewLine: inq("new_line", "a", T::Same(0), K::Scalar);
        Repeat: tr("repeat", "string ncopies", T::Character, K::Scalar);
        Scan: el("scan", "string set back? kind?", T::Integer);
        Trim: tr("trim", "string", T::Character, K::Scalar);
        Verify: el("verify", "string set back? kind?", T::Integer);
    }

    /// An array, or each of its lines along a dimension, becomes one value.
    Reduction {
        All: tr("all", "mask dim?", T::Same(0), K::Reduce);
        Any: tr("any", "mask dim?", T::Same(0), K::Reduce);
        Count: tr("count", "mask dim? kind?", T::Integer, K::Reduce);
        Iall: tr("iall", "array dim? mask?", T::Same(0), K::Reduce);
        Iany: tr("iany", "array dim? mask?", T::Same(0), K::Reduce);
        Iparity: tr("iparity", "array dim? mask?", T::Same(0), K::Reduce);
        Maxval: tr("maxval", "array dim? mask? stream?", T::Same(0), K::Reduce);
        Minval: tr("minval", "array dim? mask? stream?", T::Same(0), K::Reduce);
        Norm2: tr("norm2", "x dim?", T::Same(0), K::Reduce);
        Parity: tr("parity", "mask dim?", T::Same(0), K::Reduce);
        Product: tr("product", "array dim? mask?", T::Same(0), K::Reduce);
        Sum: tr("sum", "array dim? mask? stream?", T::Same(0), K::Reduce);
    }

    /// Where in an array a value stands.
    Location {
        Findloc: tr("findloc", "array value dim? mask? kind? back?", T::Integer, K::Location);
        Maxloc: tr("maxloc", "array dim? mask? kind? back? stream?", T::Integer, K::Location);
        Minloc: tr("minloc", "array dim? mask? kind? back? stream?", T::Integer, K::Location);
    }

    /// Products of vectors and matrices.
    Product {
        DotProduct: tr("dot_product", "vector_a vector_b dim?", T::Product, K::Reduce);
        Matmul: tr("matmul", "matrix_a matrix_b", T::Product, K::Matmul);
    }

    /// Elements move along a dimension.
    Shift {
        Cshift: tr("cshift", "array shift dim?", T::Same(0), K::Same(0));
        Eoshift: tr("eoshift", "array shift boundary? dim?", T::Same(0), K::Same(0));
    }

    /// The same elements, or bytes, as an array of another shape.
    Shape {
        Pack: tr("pack", "array mask vector? count?", T::Same(0), K::One);
        Reshape: tr("reshape", "source shape pad? order?", T::Same(0), K::Reshape);
        Spread: tr("spread", "source dim ncopies", T::Same(0), K::Plus1);
        Transfer: tr("transfer", "source mold size?", T::Same(1), K::Transfer);
        Transpose: tr("transpose", "matrix", T::Same(0), K::Same(0));
        Unpack: tr("unpack", "vector mask field?", T::Same(0), K::Same(1));
    }

    /// Questions about an object or its type; its data is not touched.
    Inquiry {
        Allocated: inq("allocated", "array", T::Logical, K::Scalar);
        Associated: inq("associated", "pointer target?", T::Logical, K::Scalar);
        ExtendsTypeOf: inq("extends_type_of", "a mold", T::Logical, K::Scalar);
        IsContiguous: inq("is_contiguous", "array", T::Logical, K::Scalar);
        Lbound: inq("lbound", "array dim? kind?", T::Integer, K::Bound);
        Len: inq("len", "string kind?", T::Integer, K::Scalar);
        Loc: inq("loc", "x", T::Integer8, K::Scalar);
        Present: inq("present", "a", T::Logical, K::Scalar);
        Rank: inq("rank", "a", T::Integer, K::Scalar);
        SameTypeAs: inq("same_type_as", "a b", T::Logical, K::Scalar);
        Shape: inq("shape", "source kind?", T::Integer, K::One);
        Size: inq("size", "array dim? kind?", T::Integer, K::Scalar);
        Sizeof: inq("sizeof", "x", T::Integer8, K::Scalar);
        StorageSize: inq("storage_size", "a kind?", T::Integer, K::Scalar);
        Ubound: inq("ubound", "array dim? kind?", T::Integer, K::Bound);
    }

    /// Kinds, the numbers that they can hold, NULL: constants of the program.
    Kinds {
        BitSize: inq("bit_size", "i", T::Same(0), K::Scalar);
        Digits: inq("digits", "x", T::Integer, K::Scalar);
        Epsilon: inq("epsilon", "x", T::Same(0), K::Scalar);
        Huge: inq("huge", "x", T::Same(0), K::Scalar);
        IntPtrKind: tr("int_ptr_kind", "", T::Integer, K::Scalar);
        Kind: inq("kind", "x", T::Integer, K::Scalar);
        Maxexponent: inq("maxexponent", "x", T::Integer, K::Scalar);
        Minexponent: inq("minexponent", "x", T::Integer, K::Scalar);
        Null: tr("null", "mold?", T::None, K::Scalar);
        Precision: inq("precision", "x", T::Integer, K::Scalar);
        Radix: inq("radix", "x", T::Integer, K::Scalar);
        Range: inq("range", "x", T::Integer, K::Scalar);
        SelectedCharKind: tr("selected_char_kind", "name", T::Integer, K::Scalar);
        SelectedIntKind: tr("selected_int_kind", "r", T::Integer, K::Scalar);
        SelectedLogicalKind: tr("selected_logical_kind", "bits", T::Integer, K::Scalar);
        SelectedRealKind: tr("selected_real_kind", "p? r? radix?", T::Integer, K::Scalar);
        Tiny: inq("tiny", "x", T::Same(0), K::Scalar);
    }

    /// Subroutines that device code can call, and ends of the program.
    Subroutine {
        Abort: sub("abort", "");
        Exit: sub("exit", "status?");
        MoveAlloc: sub("move_alloc", "from to stat? errmsg?");
        Mvbits: row("mvbits", "from frompos len to topos", Class::ElementalSubroutine, T::None, K::Scalar);
    }

    /// What belongs to the host: files, processes, clocks, random numbers, images.
    System {
        Access: tr("access", "name mode", T::Integer, K::Scalar);
        Alarm: sub("alarm", "seconds handler status?");
        AtomicAdd: sub("atomic_add", "atom value stat?");
        AtomicAnd: sub("atomic_and", "atom value stat?");
        AtomicCas: sub("atomic_cas", "atom old compare new stat?");
        AtomicDefine: sub("atomic_define", "atom value stat?");
        AtomicFetchAdd: sub("atomic_fetch_add", "atom value old stat?");
        AtomicFetchAnd: sub("atomic_fetch_and", "atom value old stat?");
        AtomicFetchOr: sub("atomic_fetch_or", "atom value old stat?");
        AtomicFetchXor: sub("atomic_fetch_xor", "atom value old stat?");
        AtomicOr: sub("atomic_or", "atom value stat?");
        AtomicRef: sub("atomic_ref", "value atom stat?");
        AtomicXor: sub("atomic_xor", "atom value stat?");
        Backtrace: sub("backtrace", "");
        Chdir: sub("chdir", "name status?");
        Chmod: sub("chmod", "name mode status?");
        CoBroadcast: sub("co_broadcast", "a source_image stat? errmsg?");
        CoMax: sub("co_max", "a result_image? stat? errmsg?");
        CoMin: sub("co_min", "a result_image? stat? errmsg?");
        CoReduce: sub("co_reduce", "a operation result_image? stat? errmsg?");
        CoSum: sub("co_sum", "a result_image? stat? errmsg?");
        CommandArgumentCount: tr("command_argument_count", "", T::Integer, K::Scalar);
        CompilerOptions: tr("compiler_options", "", T::Character, K::Scalar);
        CompilerVersion: tr("compiler_version", "", T::Character, K::Scalar);
        CpuTime: sub("cpu_time", "time");
        Ctime: tr("ctime", "time", T::Character, K::Scalar);
        DateAndTime: sub("date_and_time", "date? time? zone? values?");
        Dtime: sub("dtime", "values time?");
        Etime: tr("etime", "values time?", T::Real4, K::Scalar);
        EventQuery: sub("event_query", "event count stat?");
        ExecuteCommandLine: sub("execute_command_line", "command wait? exitstat? cmdstat? cmdmsg?");
        FailedImages: tr("failed_images", "team? kind?", T::Integer, K::One);
        Fdate: tr("fdate", "", T::Character, K::Scalar);
        Fget: sub("fget", "c status?");
        Fgetc: sub("fgetc", "unit c status?");
        Flush: sub("flush", "unit?");
        Fnum: tr("fnum", "unit", T::Integer, K::Scalar);
        Fput: sub("fput", "c status?");
        Fputc: sub("fputc", "unit c status?");
        Free: sub("free", "ptr");
        Fseek: sub("fseek", "unit offset whence status?");
        Fstat: sub("fstat", "unit values status?");
        Ftell: tr("ftell", "unit", T::Integer8, K::Scalar);
        Gerror: sub("gerror", "result");
        GetCommand: sub("get_command", "command? length? status? errmsg?");
        GetCommandArgument: sub("get_command_argument", "number value? length? status? errmsg?");
        GetEnvironmentVariable: sub("get_environment_variable", "name value? length? status? trim_name? errmsg?");
        GetTeam: tr("get_team", "level?", T::None, K::Scalar);
        Getarg: sub("getarg", "pos value");
        Getcwd: sub("getcwd", "c status?");
        Getenv: sub("getenv", "name value");
        Getgid: tr("getgid", "", T::Integer, K::Scalar);
        Getlog: sub("getlog", "c");
        Getpid: tr("getpid", "", T::Integer, K::Scalar);
        Getuid: tr("getuid", "", T::Integer, K::Scalar);
        Gmtime: sub("gmtime", "time values");
        Hostnm: sub("hostnm", "c status?");
        Iargc: tr("iargc", "", T::Integer, K::Scalar);
        Idate: sub("idate", "values");
        Ierrno: tr("ierrno", "", T::Integer, K::Scalar);
        ImageIndex: tr("image_index", "coarray sub team?", T::Integer, K::Scalar);
        ImageStatus: tr("image_status", "image team?", T::Integer, K::Scalar);
        Irand: tr("irand", "i?", T::Integer, K::Scalar);
        IsIostatEnd: el("is_iostat_end", "i", T::Logical);
        IsIostatEor: el("is_iostat_eor", "i", T::Logical);
        Isatty: el("isatty", "unit", T::Logical);
        Itime: sub("itime", "values");
        Kill: sub("kill", "pid sig status?");
        Lcobound: inq("lcobound", "coarray dim? kind?", T::Integer, K::Bound);
        Link: sub("link", "path1 path2 status?");
        Lstat: sub("lstat", "name values status?");
        Ltime: sub("ltime", "time values");
        Malloc: tr("malloc", "size", T::Integer8, K::Scalar);
        Mclock: tr("mclock", "", T::Integer, K::Scalar);
        Mclock8: tr("mclock8", "", T::Integer8, K::Scalar);
        NumImages: tr("num_images", "", T::Integer, K::Scalar);
        Perror: sub("perror", "string");
        Ran: tr("ran", "i", T::Real4, K::Scalar);
        Rand: tr("rand", "i?", T::Real4, K::Scalar);
        RandomInit: sub("random_init", "repeatable image_distinct");
        RandomNumber: sub("random_number", "harvest");
        RandomSeed: sub("random_seed", "size? put? get?");
        Rename: sub("rename", "path1 path2 status?");
        Secnds: tr("secnds", "x", T::Real4, K::Scalar);
        Second: sub("second", "time");
        Signal: tr("signal", "number handler status?", T::Integer, K::Scalar);
        Sleep: sub("sleep", "seconds");
        Srand: sub("srand", "seed");
        Stat: sub("stat", "name values status?");
        StoppedImages: tr("stopped_images", "team? kind?", T::Integer, K::One);
        Symlnk: sub("symlnk", "path1 path2 status?");
        System: sub("system", "command status?");
        SystemClock: sub("system_clock", "count? count_rate? count_max?");
        TeamNumber: tr("team_number", "team?", T::Integer, K::Scalar);
        ThisImage: tr("this_image", "coarray? dim?", T::Integer, K::Scalar);
        Time: tr("time", "", T::Integer, K::Scalar);
        Time8: tr("time8", "", T::Integer8, K::Scalar);
        Ttynam: sub("ttynam", "unit name");
        Ucobound: inq("ucobound", "coarray dim? kind?", T::Integer, K::Bound);
        Umask: sub("umask", "mask old?");
        Unlink: sub("unlink", "path status?");
    }
}
