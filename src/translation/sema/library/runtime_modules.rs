//! Modules that come with the compiler or the runtime: names, constants, types, and results of functions.
//!
//! Large libraries (cuBLAS, cuFFT, ...) are described by the prefixes of their names: whatever starts so belongs to them.

use crate::intrinsics::Intrinsic;

/// The module of the runtime whose procedures stand for data directives of OpenACC in the translated text.
pub const OPENACC_RUNTIME: &str = "cuf_openacc";

/// A module of the compiler or the runtime.
#[derive(Debug)]
pub struct External {
    pub name: &'static str,
    /// Integer constants of default kind. The values of some are not needed here and not known (None).
    pub constants: &'static [(&'static str, Option<i64>)],
    pub types: &'static [ExternalType],
    /// Functions by name with the code of their result.
    pub functions: &'static [(&'static str, &'static str)],
    pub subroutines: &'static [&'static str],
    /// Names that start so are the module's too: procedures, types or constants.
    pub prefixes: &'static [&'static str],
    /// Modules whose names it re-exports.
    pub includes: &'static [&'static str],
}

impl External {
    /// The runtime or the Fortran compiler has it. Of others only the names are known.
    pub fn is_provided(&self) -> bool {
        let only_names = self.constants.is_empty()
            && self.types.is_empty()
            && self.functions.is_empty()
            && self.subroutines.is_empty()
            && self.includes.is_empty();
        !only_names || matches!(self.name, "cudadevice" | "openacc")
    }
}

/// A derived type of such a module: components as `name:code`, blank-separated; code as for functions, `[n]` for an array.
#[derive(Debug)]
pub struct ExternalType {
    pub name: &'static str,
    pub components: &'static str,
}

pub const fn ty(name: &'static str, components: &'static str) -> ExternalType {
    ExternalType { name, components }
}

/// The module of a folded name.
pub fn find(name: &str) -> Option<&'static External> {
    MODULES.iter().find(|m| m.name == name)
}

/// Why there is no such module of NVIDIA's.
pub(in crate::translation::sema) fn not_in_the_toolkit(module: &str) -> Option<&'static str> {
    Some(match module {
        "cutensor" | "cutensor_v2" => {
            "cuTENSOR is not part of the CUDA toolkit, and its module is not supported; use module `cutensorex` for array intrinsics of device data"
        }
        "cusolversp" | "cusolverrf" | "cusolvermg" => {
            "this part of cuSOLVER is not supported; module `cusparse` solves triangular systems (`cusparseSpSV`), and an interface body with `bind(C)` can call any function of the library"
        }
        "cusolvermp" | "cublasmp" | "cufftmp" | "nvshmem" | "cal" | "nvlamath" => {
            "this library is not part of the CUDA toolkit, and its module is not supported; an interface body with `bind(C)` can call its functions"
        }
        "openacc_curand" => {
            "random numbers in OpenACC regions: device code of CUDA Fortran uses module curand_device"
        }
        _ => return None,
    })
}

/// A name that is probably a misspelling of one of these modules.
pub fn nearest(name: &str) -> Option<&'static str> {
    MODULES
        .iter()
        .map(|m| m.name)
        .filter(|m| m.len() > 4)
        .find(|m| strsim::osa_distance(m, name) <= 2)
}

/// The kinds of OpenMP's modules, as gfortran has them.
const OPENMP_KINDS: &[(&str, Option<i64>)] = &[
    ("omp_lock_kind", Some(4)),
    ("omp_nest_lock_kind", Some(8)),
    ("omp_lock_hint_kind", Some(4)),
    ("omp_sync_hint_kind", Some(4)),
    ("omp_pause_resource_kind", Some(4)),
    ("omp_memspace_handle_kind", Some(8)),
    ("omp_allocator_handle_kind", Some(8)),
    ("omp_alloctrait_key_kind", Some(4)),
    ("omp_alloctrait_val_kind", Some(8)),
    ("omp_depend_kind", Some(16)),
    ("omp_event_handle_kind", Some(8)),
    ("omp_sched_kind", Some(4)),
    ("omp_proc_bind_kind", Some(4)),
    ("openmp_version", Some(201_511)),
];

/// Modules of widespread libraries that hold no device data: a program may use them without their sources.
const HOST_LIBRARIES: [&str; 8] = [
    "hdf5",
    "mkl_service",
    "mpi",
    "mpi_f08",
    "netcdf",
    "openacc",
    "petsc",
    "pnetcdf",
];

/// The module belongs to such a library.
pub fn is_host_library(name: &str) -> bool {
    HOST_LIBRARIES.contains(&name)
}

static MODULES: &[External] = &[
    External {
        name: "iso_c_binding",
        constants: &[
            ("c_int", Some(4)),
            ("c_short", Some(2)),
            ("c_long", Some(8)),
            ("c_long_long", Some(8)),
            ("c_signed_char", Some(1)),
            ("c_size_t", Some(8)),
            ("c_ptrdiff_t", Some(8)),
            ("c_intptr_t", Some(8)),
            ("c_intmax_t", Some(8)),
            ("c_int8_t", Some(1)),
            ("c_int16_t", Some(2)),
            ("c_int32_t", Some(4)),
            ("c_int64_t", Some(8)),
            ("c_int128_t", Some(16)),
            ("c_int_least8_t", Some(1)),
            ("c_int_least16_t", Some(2)),
            ("c_int_least32_t", Some(4)),
            ("c_int_least64_t", Some(8)),
            ("c_int_fast8_t", Some(1)),
            ("c_int_fast16_t", Some(8)),
            ("c_int_fast32_t", Some(8)),
            ("c_int_fast64_t", Some(8)),
            ("c_float", Some(4)),
            ("c_double", Some(8)),
            ("c_long_double", Some(10)),
            ("c_float128", Some(16)),
            ("c_int_least128_t", Some(16)),
            ("c_int_fast128_t", Some(16)),
            ("c_float128_complex", Some(16)),
            ("c_float_complex", Some(4)),
            ("c_double_complex", Some(8)),
            ("c_long_double_complex", Some(10)),
            ("c_bool", Some(1)),
            ("c_char", Some(1)),
            ("c_null_char", Some(0)),
            ("c_alert", Some(7)),
            ("c_backspace", Some(8)),
            ("c_form_feed", Some(12)),
            ("c_new_line", Some(10)),
            ("c_carriage_return", Some(13)),
            ("c_horizontal_tab", Some(9)),
            ("c_vertical_tab", Some(11)),
            ("c_null_ptr", None),
            ("c_null_funptr", None),
        ],
        types: &[ty("c_ptr", ""), ty("c_funptr", "")],
        functions: &[
            ("c_loc", "t:c_ptr"),
            ("c_funloc", "t:c_funptr"),
            ("c_associated", "l4"),
            ("c_sizeof", "i8"),
        ],
        subroutines: &["c_f_pointer", "c_f_procpointer", "c_f_strpointer"],
        prefixes: &[],
        includes: &[],
    },
    External {
        name: "iso_fortran_env",
        constants: &[
            ("int8", Some(1)),
            ("int16", Some(2)),
            ("int32", Some(4)),
            ("int64", Some(8)),
            ("real16", Some(2)),
            ("real32", Some(4)),
            ("real64", Some(8)),
            ("real128", Some(16)),
            ("logical8", Some(1)),
            ("logical16", Some(2)),
            ("logical32", Some(4)),
            ("logical64", Some(8)),
            ("input_unit", Some(5)),
            ("output_unit", Some(6)),
            ("error_unit", Some(0)),
            ("iostat_end", Some(-1)),
            ("iostat_eor", Some(-2)),
            ("iostat_inquire_internal_unit", None),
            ("numeric_storage_size", Some(32)),
            ("character_storage_size", Some(8)),
            ("file_storage_size", Some(8)),
            ("atomic_int_kind", Some(4)),
            ("atomic_logical_kind", Some(4)),
            ("integer_kinds", None),
            ("real_kinds", None),
            ("logical_kinds", None),
            ("character_kinds", None),
            ("stat_failed_image", None),
            ("stat_locked", None),
            ("stat_locked_other_image", None),
            ("stat_stopped_image", None),
            ("stat_unlocked", None),
            ("stat_unlocked_failed_image", None),
            ("current_team", None),
            ("initial_team", None),
            ("parent_team", None),
        ],
        types: &[
            ty("lock_type", ""),
            ty("event_type", ""),
            ty("team_type", ""),
            ty("notify_type", ""),
        ],
        functions: &[("compiler_version", "c*"), ("compiler_options", "c*")],
        subroutines: &[],
        prefixes: &[],
        includes: &[],
    },
    External {
        name: "ieee_arithmetic",
        constants: &[],
        types: &[ty("ieee_class_type", ""), ty("ieee_round_type", "")],
        functions: &[
            ("ieee_is_nan", "e:l4"),
            ("ieee_is_finite", "e:l4"),
            ("ieee_is_negative", "e:l4"),
            ("ieee_is_normal", "e:l4"),
            ("ieee_unordered", "e:l4"),
            ("ieee_signbit", "e:l4"),
            ("ieee_value", "a0"),
            ("ieee_copy_sign", "a0"),
            ("ieee_logb", "a0"),
            ("ieee_next_after", "a0"),
            ("ieee_next_down", "a0"),
            ("ieee_next_up", "a0"),
            ("ieee_rem", "a0"),
            ("ieee_rint", "a0"),
            ("ieee_scalb", "a0"),
            ("ieee_fma", "a0"),
            ("ieee_max_num", "a0"),
            ("ieee_min_num", "a0"),
            ("ieee_selected_real_kind", "i4"),
        ],
        subroutines: &[],
        prefixes: &["ieee_"],
        includes: &["ieee_exceptions", "ieee_features"],
    },
    External {
        name: "ieee_exceptions",
        constants: &[],
        types: &[ty("ieee_flag_type", ""), ty("ieee_status_type", "")],
        functions: &[],
        subroutines: &[],
        prefixes: &["ieee_"],
        includes: &[],
    },
    External {
        name: "ieee_features",
        constants: &[],
        types: &[ty("ieee_features_type", "")],
        functions: &[],
        subroutines: &[],
        prefixes: &["ieee_"],
        includes: &[],
    },
    External {
        name: "omp_lib",
        constants: OPENMP_KINDS,
        types: &[ty("omp_alloctrait", "key:i4 value:i8")],
        functions: &[
            ("omp_get_wtime", "r8"),
            ("omp_get_wtick", "r8"),
            ("omp_in_parallel", "l4"),
            ("omp_in_final", "l4"),
            ("omp_get_dynamic", "l4"),
            ("omp_get_nested", "l4"),
            ("omp_test_lock", "l4"),
            ("omp_is_initial_device", "l4"),
            ("omp_get_cancellation", "l4"),
            ("omp_init_allocator", "i8"),
            ("omp_get_default_allocator", "i8"),
        ],
        subroutines: &[],
        prefixes: &["omp_", "openmp_"],
        includes: &[],
    },
    External {
        name: "omp_lib_kinds",
        constants: OPENMP_KINDS,
        types: &[ty("omp_alloctrait", "key:i4 value:i8")],
        functions: &[],
        subroutines: &[],
        prefixes: &["omp_", "openmp_"],
        includes: &[],
    },
    library("openacc", &["acc_"]),
    library("openacc_cublas", &["acc_", "cublas"]),
    library("cublasxt", &["cublas"]),
    library("cublaslt", &["cublas"]),
    library("cufft", &["cufft"]),
    library("cufftw", &["fftw", "cufft"]),
    library("cufftxt", &["cufft"]),
    library("curand", &["curand"]),
    External {
        name: "curand_device",
        constants: &[],
        types: &[
            ty("curandstatexorwow", ""),
            ty("curandstatemrg32k3a", ""),
            ty("curandstatephilox4_32_10", ""),
        ],
        functions: &[
            ("curand", "i4"),
            ("curand_uniform", "r4"),
            ("curand_uniform_double", "r8"),
            ("curand_normal", "r4"),
            ("curand_normal_double", "r8"),
            ("curand_log_normal", "r4"),
            ("curand_log_normal_double", "r8"),
            ("curandgetxorwow", "i4"),
            ("curanduniformxorwow", "r4"),
            ("curanduniformdoublexorwow", "r8"),
            ("curandnormalxorwow", "r4"),
            ("curandnormaldoublexorwow", "r8"),
            ("curandlognormalxorwow", "r4"),
            ("curandlognormaldoublexorwow", "r8"),
            ("curandgetmrg32k3a", "i4"),
            ("curanduniformmrg32k3a", "r4"),
            ("curanduniformdoublemrg32k3a", "r8"),
            ("curandnormalmrg32k3a", "r4"),
            ("curandnormaldoublemrg32k3a", "r8"),
            ("curandlognormalmrg32k3a", "r4"),
            ("curandlognormaldoublemrg32k3a", "r8"),
            ("curandgetphilox4_32_10", "i4"),
            ("curanduniformphilox4_32_10", "r4"),
            ("curanduniformdoublephilox4_32_10", "r8"),
            ("curandnormalphilox4_32_10", "r4"),
            ("curandnormaldoublephilox4_32_10", "r8"),
            ("curandlognormalphilox4_32_10", "r4"),
            ("curandlognormaldoublephilox4_32_10", "r8"),
        ],
        subroutines: &[
            "curand_init",
            "curandinitxorwow",
            "curandinitmrg32k3a",
            "curandinitphilox4_32_10",
        ],
        prefixes: &["curand"],
        includes: &[],
    },
    library("openacc_curand", &["curand"]),
    library("cusparse", &["cusparse"]),
    library("cusparse_v2", &["cusparse"]),
    library("cusolverdn", &["cusolver"]),
    library("cusolversp", &["cusolver"]),
    library("cusolver_common", &["cusolver"]),
    library("cusolvermp", &["cusolver", "cal_"]),
    library("cutensor", &["cutensor"]),
    library("cutensor_v2", &["cutensor"]),
    library("nccl", &["nccl"]),
    library("nvshmem", &["nvshmem"]),
    library("nvml", &["nvml"]),
    library("nvtx", &["nvtx"]),
    library("cal", &["cal"]),
    External {
        name: "sort",
        constants: &[],
        types: &[],
        functions: &[],
        subroutines: &["fsort", "fsort_"],
        prefixes: &["fsort"],
        includes: &[],
    },
    External {
        name: "cutensorex",
        constants: &[],
        types: &[],
        functions: &[
            ("packloc", "e:i4"),
            ("count_prefix", "e:i4"),
            ("sum_prefix", "a0"),
        ],
        subroutines: &[],
        prefixes: &["cutensorex"],
        includes: &[],
    },
    super::runtime_cudafor::CUDAFOR,
    External {
        name: "cudadevice",
        constants: &[],
        types: &[],
        functions: &[],
        subroutines: &[],
        prefixes: &[],
        includes: &[],
    },
    External {
        name: "cooperative_groups",
        constants: &[],
        types: &[
            ty("grid_group", "size:i8 rank:i8"),
            ty("thread_group", "size:i4 rank:i4"),
            ty("coalesced_group", "size:i4 rank:i4"),
            ty("cluster_group", "size:i4 rank:i4"),
        ],
        functions: &[
            ("this_grid", "t:grid_group"),
            ("this_thread_block", "t:thread_group"),
            ("this_warp", "t:coalesced_group"),
            ("this_cluster", "t:cluster_group"),
            ("cluster_map_shared_rank", "i8"),
            ("cluster_block_index", "t:dim3"),
            ("cluster_dim_blocks", "t:dim3"),
        ],
        subroutines: &["syncthreads"],
        prefixes: &["cluster_"],
        includes: &["cudadevice"],
    },
    super::runtime_wmma::WMMA,
    External {
        name: "libm",
        constants: &[],
        types: &[],
        functions: &[
            ("llround", "i8"),
            ("llroundf", "i8"),
            ("llrint", "i8"),
            ("llrintf", "i8"),
            ("lround", "i8"),
            ("lroundf", "i8"),
            ("lrint", "i8"),
            ("lrintf", "i8"),
            ("ilogb", "i4"),
            ("ilogbf", "i4"),
            ("cbrt", "a0"),
            ("cbrtf", "r4"),
            ("ceil", "a0"),
            ("ceilf", "r4"),
            ("copysign", "a0"),
            ("copysignf", "r4"),
            ("expm1", "a0"),
            ("expm1f", "r4"),
            ("exp10", "a0"),
            ("exp10f", "r4"),
            ("exp2", "a0"),
            ("exp2f", "r4"),
            ("fabs", "a0"),
            ("fabsf", "r4"),
            ("floor", "a0"),
            ("floorf", "r4"),
            ("fma", "a0"),
            ("fmaf", "r4"),
            ("fmax", "a0"),
            ("fmaxf", "r4"),
            ("fmin", "a0"),
            ("fminf", "r4"),
            ("frexp", "a0"),
            ("frexpf", "r4"),
            ("ldexp", "a0"),
            ("ldexpf", "r4"),
            ("logb", "a0"),
            ("logbf", "r4"),
            ("log1p", "a0"),
            ("log1pf", "r4"),
            ("log2", "a0"),
            ("log2f", "r4"),
            ("modf", "a0"),
            ("modff", "r4"),
            ("nearbyint", "a0"),
            ("nearbyintf", "r4"),
            ("nextafter", "a0"),
            ("nextafterf", "r4"),
            ("remainder", "a0"),
            ("remainderf", "r4"),
            ("remquo", "a0"),
            ("remquof", "r4"),
            ("rint", "a0"),
            ("rintf", "r4"),
            ("scalbn", "a0"),
            ("scalbnf", "r4"),
            ("scalbln", "a0"),
            ("scalblnf", "r4"),
            ("trunc", "a0"),
            ("truncf", "r4"),
        ],
        subroutines: &[],
        prefixes: &[],
        includes: &[],
    },
];

const fn library(name: &'static str, prefixes: &'static [&'static str]) -> External {
    External {
        name,
        constants: &[],
        types: &[],
        functions: &[],
        subroutines: &[],
        prefixes,
        includes: &[],
    }
}

/// The intrinsic procedures that a module overloads for data of the device: their names in a USE statement mean the intrinsics (guide
/// 3.9.1, 3.9.3, 3.9.4).
pub fn overloaded(module: &str) -> Vec<Intrinsic> {
    use crate::intrinsics::{Choice, Location, Product, Reduction, Shape, System};
    match module {
        "cudafor" => vec![
            Location::Maxloc.into(),
            Location::Minloc.into(),
            Reduction::Maxval.into(),
            Reduction::Minval.into(),
            Reduction::Sum.into(),
        ],
        "cutensorex" => vec![
            Choice::Merge.into(),
            Product::DotProduct.into(),
            Product::Matmul.into(),
            Reduction::All.into(),
            Reduction::Any.into(),
            Reduction::Count.into(),
            Shape::Pack.into(),
            Shape::Reshape.into(),
            Shape::Spread.into(),
            Shape::Transpose.into(),
            Shape::Unpack.into(),
            System::RandomNumber.into(),
        ],
        _ => Vec::new(),
    }
}

/// Result code of a cudadevice function (guide 3.6, table 14), `""` for a subroutine, None for a name it does not have.
pub fn cudadevice(name: &str) -> Option<&'static str> {
    if let Ok(i) = CUDADEVICE.binary_search_by(|e| e.0.cmp(name)) {
        return Some(CUDADEVICE[i].1);
    }
    let rest = name.strip_prefix("__")?;
    // Conversions and roundings come in families named by their suffix.
    let (stem, suffix) = rest.rsplit_once('_')?;
    if !matches!(suffix, "rd" | "rn" | "ru" | "rz") {
        return None;
    }
    if let Some((from, to)) = stem.split_once('2') {
        if !matches!(
            from,
            "double" | "float" | "int" | "ll" | "uint" | "ull" | "half"
        ) {
            return None;
        }
        return match to {
            "double" => Some("r8"),
            "float" => Some("r4"),
            "half" => Some("r2"),
            "int" | "uint" => Some("i4"),
            "ll" | "ull" => Some("i8"),
            _ => None,
        };
    }
    match stem {
        "dadd" | "ddiv" | "dmul" | "dsub" | "drcp" | "dsqrt" | "fma" => Some("r8"),
        "fadd" | "fdiv" | "fmul" | "fsub" | "frcp" | "fsqrt" | "fmaf" => Some("r4"),
        _ => None,
    }
}

/// Names of cudadevice with their result codes; the families of conversions and roundings are not among them.
pub fn cudadevice_names() -> impl Iterator<Item = (&'static str, &'static str)> {
    CUDADEVICE.iter().copied()
}

/// Names of cudadevice in order, with the code of the result: kinds as `i4`, `r8`; `a0` the type of the first argument.
static CUDADEVICE: &[(&str, &str)] = &[
    ("__activemask", "i4"),
    ("__all_sync", "i4"),
    ("__any_sync", "i4"),
    ("__ballot_sync", "i4"),
    ("__brev", "i4"),
    ("__brevll", "i8"),
    ("__clz", "i4"),
    ("__clzll", "i4"),
    ("__cosf", "r4"),
    ("__double2hiint", "i4"),
    ("__double2loint", "i4"),
    ("__double_as_longlong", "i8"),
    ("__exp10f", "r4"),
    ("__expf", "r4"),
    ("__fdividef", "r4"),
    ("__ffs", "i4"),
    ("__ffsll", "i4"),
    ("__float_as_int", "i4"),
    ("__half2float", "r4"),
    ("__hiloint2double", "r8"),
    ("__int_as_float", "r4"),
    ("__ldca", "a0"),
    ("__ldcg", "a0"),
    ("__ldcs", "a0"),
    ("__ldcv", "a0"),
    ("__ldlu", "a0"),
    ("__log10f", "r4"),
    ("__log2f", "r4"),
    ("__logf", "r4"),
    ("__longlong_as_double", "r8"),
    ("__mul24", "i4"),
    ("__mulhi", "i4"),
    ("__nanosleep", ""),
    ("__popc", "i4"),
    ("__popcll", "i4"),
    ("__powf", "r4"),
    ("__sad", "i4"),
    ("__saturatef", "r4"),
    ("__shfl", "a0"),
    ("__shfl_down", "a0"),
    ("__shfl_down_sync", "a1"),
    ("__shfl_sync", "a1"),
    ("__shfl_up", "a0"),
    ("__shfl_up_sync", "a1"),
    ("__shfl_xor", "a0"),
    ("__shfl_xor_sync", "a1"),
    ("__sinf", "r4"),
    ("__stcg", ""),
    ("__stcs", ""),
    ("__stwb", ""),
    ("__stwt", ""),
    ("__syncthreads", ""),
    ("__syncwarp", ""),
    ("__tanf", "r4"),
    ("__threadfence", ""),
    ("__umul24", "i4"),
    ("__umulhi", "i4"),
    ("__usad", "i4"),
    ("activemask", "i4"),
    ("all_sync", "i4"),
    ("allthreads", "l4"),
    ("any_sync", "i4"),
    ("anythread", "l4"),
    ("atomicadd", "a0"),
    ("atomicadd_r4x2", "r4"),
    ("atomicadd_r4x4", "r4"),
    ("atomicaddvector_r4x2", "r4"),
    ("atomicand", "a0"),
    ("atomiccas", "a0"),
    ("atomicdec", "a0"),
    ("atomicexch", "a0"),
    ("atomicinc", "a0"),
    ("atomicmax", "a0"),
    ("atomicmin", "a0"),
    ("atomicor", "a0"),
    ("atomicsub", "a0"),
    ("atomicxor", "a0"),
    ("ballot", "i4"),
    ("ballot_sync", "i4"),
    ("barrier_arrive", "i8"),
    ("barrier_arrive_cnt", "i8"),
    ("barrier_init", ""),
    ("barrier_try_wait", "i4"),
    ("barrier_try_wait_sleep", "i4"),
    ("clock", "i4"),
    ("clock64", "i8"),
    ("cospi", "r8"),
    ("cospif", "r4"),
    ("double_as_longlong", "i8"),
    ("fdivide", "r4"),
    ("fdividef", "r4"),
    ("fence_proxy_async", ""),
    ("float_as_int", "i4"),
    ("globaltimer", "i8"),
    ("int_as_float", "r4"),
    ("longlong_as_double", "r8"),
    ("match_all_sync", "i4"),
    ("match_any_sync", "i4"),
    ("on_device", "l4"),
    ("shfl_down_sync", "a1"),
    ("shfl_sync", "a1"),
    ("shfl_up_sync", "a1"),
    ("shfl_xor_sync", "a1"),
    ("sincos", ""),
    ("sincosf", ""),
    ("sincospi", ""),
    ("sincospif", ""),
    ("sinpi", "r8"),
    ("sinpif", "r4"),
    ("syncthreads", ""),
    ("syncthreads_and", "i4"),
    ("syncthreads_count", "i4"),
    ("syncthreads_or", "i4"),
    ("syncwarp", ""),
    ("threadfence", ""),
    ("threadfence_block", ""),
    ("threadfence_system", ""),
    ("tma_bulk_commit_group", ""),
    ("tma_bulk_g2s", ""),
    ("tma_bulk_ldc4", ""),
    ("tma_bulk_ldc8", ""),
    ("tma_bulk_ldi4", ""),
    ("tma_bulk_ldi8", ""),
    ("tma_bulk_ldr2", ""),
    ("tma_bulk_ldr4", ""),
    ("tma_bulk_ldr8", ""),
    ("tma_bulk_load", ""),
    ("tma_bulk_s2g", ""),
    ("tma_bulk_store", ""),
    ("tma_bulk_store_c4", ""),
    ("tma_bulk_store_c8", ""),
    ("tma_bulk_store_i4", ""),
    ("tma_bulk_store_i8", ""),
    ("tma_bulk_store_r2", ""),
    ("tma_bulk_store_r4", ""),
    ("tma_bulk_store_r8", ""),
    ("tma_bulk_wait_group", ""),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        assert!(CUDADEVICE.windows(2).all(|w| w[0].0 < w[1].0));
    }

    #[test]
    fn families_of_device_functions() {
        assert_eq!(cudadevice("__fadd_rn"), Some("r4"));
        assert_eq!(cudadevice("__double2ull_rz"), Some("i8"));
        assert_eq!(cudadevice("__fadd_xx"), None);
    }

    #[test]
    fn misspelt_modules() {
        assert_eq!(nearest("cudafort"), Some("cudafor"));
        assert_eq!(nearest("hdf5"), None);
        assert_eq!(nearest("mpi"), None);
    }

    #[test]
    fn what_host_code_has_is_of_the_device() {
        use crate::libraries::builtins;
        for stem in builtins::FAMILIES {
            let name = format!("__{stem}_rn");
            assert!(cudadevice(&name).is_some(), "{name}");
        }
        for name in builtins::PLAIN {
            let known = [format!("__{name}"), (*name).to_owned()];
            assert!(known.iter().any(|n| cudadevice(n).is_some()), "{name}");
        }
        let libm = find("libm").expect("a module of the runtime");
        for (name, _) in libm.functions {
            assert!(builtins::host_name("libm", name).is_some(), "{name}");
        }
    }
}
