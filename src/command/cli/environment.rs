//! The environment variables that count, for `--help`.

/// What reads a variable, with the variables and what they say.
const VARIABLES: [(&str, &[(&str, &str)]); 4] = [
    (
        "Environment of cuf2cu",
        &[
            ("CUF2CU_FC", "the Fortran compiler [default: gfortran]"),
            (
                "CUF2CU_CXX",
                "the C++ compiler of the cpu target [default: g++]",
            ),
            ("CUF2CU_CC", "the C compiler [default: gcc]"),
            (
                "CUF2CU_MPIFC",
                "with --mpi: the Fortran compiler [default: mpifort]",
            ),
            (
                "CUF2CU_MPICC",
                "with --mpi: the C compiler [default: mpicc]",
            ),
            (
                "CUF2CU_OBJCOPY",
                "objcopy, with ar in the same directory [default: objcopy]",
            ),
            (
                "CUF2CU_CUDA_ROOT",
                "the CUDA toolkit; then CUDA_HOME, CUDA_PATH, that of nvcc, /usr/local/cuda",
            ),
            ("CUDA_HOME", "see CUF2CU_CUDA_ROOT"),
            ("CUDA_PATH", "see CUF2CU_CUDA_ROOT"),
            ("CUF2CU_TARGET", "for cuf2cu fc: cpu, cuda or auto"),
            (
                "CUF2CU_CACHE",
                "compiled files [default: XDG_CACHE_HOME/cuf2cu, HOME/.cache/cuf2cu, TMPDIR/cuf2cu-UID]",
            ),
            ("XDG_CACHE_HOME", "see CUF2CU_CACHE"),
            ("HOME", "see CUF2CU_CACHE"),
            (
                "CUF2CU_DOCS_URL",
                "base URL of the documentation, used for links in messages",
            ),
            ("MAKEFLAGS", "make's jobserver (honored)"),
            ("CARGO_MAKEFLAGS", "cargo's jobserver (honored)"),
            (
                "OMPI_COMM_WORLD_SIZE",
                "set by mpirun; `cuf2cu run --mpi` then starts the program itself",
            ),
            ("PATH", "directories in which tools are searched"),
            ("TMPDIR", "parent of temporary directories"),
        ],
    ),
    (
        "Environment of messages",
        &[
            ("NO_COLOR", "no colours"),
            ("CLICOLOR", "0: no colours"),
            ("CLICOLOR_FORCE", "colors even without a terminal"),
            ("TERM", "dumb: neither colours nor progress"),
        ],
    ),
    (
        "Environment of programs",
        &[
            (
                "CUF_PROFILE",
                "1, text:FILE, json, json:FILE: kernels and transfers at the end; 0: not",
            ),
            ("NVCOMPILER_ACC_TIME", "1: as CUF_PROFILE=1"),
            ("CUF_NVTX", "1: ranges with Fortran names for Nsight"),
            (
                "CUF_RECORD",
                "file for a record of transfers to the host, for `cuf2cu compare`",
            ),
        ],
    ),
    (
        "Environment of programs built for the cpu target",
        &[
            (
                "CUF_SHUFFLE",
                "seed of the order in which blocks and threads start",
            ),
            (
                "CUF_CPU_THREADS",
                "threads of the emulated device [default: OMP_NUM_THREADS, or all cores]",
            ),
            ("OMP_NUM_THREADS", "see CUF_CPU_THREADS"),
            (
                "OMP_WAIT_POLICY",
                "passive: idle threads sleep immediately [default: they spin for up to 100 microseconds]",
            ),
            (
                "CUF_CPU_PATIENCE",
                "seconds before a deadlocked grid is terminated [default: 20; 0: never]",
            ),
            (
                "CUF_CPU_EXECUTION",
                "fibers: all kernels thread by thread; loops: without rings of threads that meet [default: rings]",
            ),
            ("CUF_CPU_STACK", "bytes of the stack of a device thread"),
            (
                "CUF2CU_GUARD",
                "1: the program stops where host code touches device memory",
            ),
            (
                "CUF2CU_LEAKS",
                "1: report unfreed device memory at program exit",
            ),
        ],
    ),
];

/// The table as text.
pub fn table() -> String {
    let mut out = String::new();
    for (title, variables) in VARIABLES {
        out.push_str(&format!("\n{title}:\n"));
        for (name, text) in variables {
            out.push_str(&format!("  {name:<20}  {text}\n"));
        }
    }
    out
}
