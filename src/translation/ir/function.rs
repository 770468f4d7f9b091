//! The functions and methods of the runtime and of CUDA that device code calls: one table of what they are called in C++ and what
//! passes have to know of them.

use super::Ident;
use crate::intrinsics::{Bits, Choice, Intrinsic, Numeric, Text};

/// What a call calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Callee {
    /// Of the runtime or of CUDA.
    Function(Function),
    /// The runtime's function for an intrinsic procedure of Fortran, which has its name.
    Intrinsic(Intrinsic),
    /// One of CUDA's functions that compute a number from numbers (CUDA Math API), by its name there: [`Facts::VALUE`].
    Math(String),
    /// A device procedure of the user.
    Procedure(Ident),
    /// A procedure that is a parameter of this one.
    Dummy(String),
    /// A device procedure of another language, `extern "C"`.
    External(String),
    /// The value of a type with which a reduction starts.
    Identity(ReductionOp),
}

/// Operation of a reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReductionOp {
    Add,
    Mul,
    Max,
    Min,
    And,
    Or,
    Eqv,
    Neqv,
    BitAnd,
    BitOr,
    BitXor,
}

/// Effect of a call on memory beyond its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// The result depends on the values of the arguments alone.
    None,
    /// Reads what may change beside the program's statements: volatile data, clocks, the state of the warp.
    Reads,
    /// Writes, or orders accesses.
    Writes,
}

/// What a body can learn of what other threads have written; each takes in those before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sync {
    /// Nothing: it runs as sequential code does.
    #[default]
    Never,
    /// What threads of the same launch write: barriers of a block, cluster or grid, operations of a warp (guide 3.6.4, 3.6.5).
    Threads,
    /// What other launches and the host write, too: fences, atomics, volatile accesses, procedures of which nothing is known.
    Memory,
}

/// How large an integer result is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// Any value of its type.
    Any,
    /// Between these numbers.
    Between(i128, i128),
    /// A place in an array or text, or a count of elements.
    Position,
    /// A remainder by the second argument, of either sign.
    Remainder,
    /// One of the arguments.
    OneOf,
}

/// Which arguments a call gives values to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changes {
    None,
    First,
    Last,
    /// All but the first.
    Rest,
    /// Any of them.
    All,
}

/// What passes know of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    pub memory: Memory,
    pub sync: Sync,
    /// Threads wait for each other in it.
    pub waits: bool,
    pub range: Range,
    pub changes: Changes,
    /// Integer arguments are stored, passed on, or bounds: nothing is concluded from their values.
    pub moves: bool,
    /// Its result takes memory from the heap of the device.
    pub heap: bool,
    /// CUDA's function gives an int where others of its kind give unsigned numbers.
    pub signed: bool,
}

impl Facts {
    /// A value computed from the arguments.
    pub const VALUE: Facts = Facts {
        memory: Memory::None,
        sync: Sync::Never,
        waits: false,
        range: Range::Any,
        changes: Changes::None,
        moves: false,
        heap: false,
        signed: false,
    };
    /// A procedure of which nothing is known.
    pub const UNKNOWN: Facts = Facts {
        memory: Memory::Writes,
        sync: Sync::Memory,
        changes: Changes::All,
        ..Facts::VALUE
    };
    /// An effect outside of the program's variables.
    const EFFECT: Facts = Facts {
        memory: Memory::Writes,
        ..Facts::VALUE
    };
    /// A store to the first argument.
    const STORE: Facts = Facts::EFFECT.changing(Changes::First);
    const ATOMIC: Facts = Facts {
        sync: Sync::Memory,
        moves: true,
        ..Facts::STORE
    };
    /// A barrier.
    const BARRIER: Facts = Facts {
        sync: Sync::Threads,
        waits: true,
        ..Facts::EFFECT
    };
    /// The lanes of a warp tell each other values.
    const WARP: Facts = Facts {
        memory: Memory::Reads,
        ..Facts::BARRIER
    };
    const SHUFFLE: Facts = Facts {
        moves: true,
        ..Facts::WARP
    };

    const fn changing(self, changes: Changes) -> Facts {
        Facts { changes, ..self }
    }

    const fn reading(self) -> Facts {
        Facts {
            memory: Memory::Reads,
            ..self
        }
    }

    const fn learning(self, sync: Sync) -> Facts {
        Facts { sync, ..self }
    }

    const fn range(self, range: Range) -> Facts {
        Facts { range, ..self }
    }

    const fn between(self, lo: i128, hi: i128) -> Facts {
        self.range(Range::Between(lo, hi))
    }

    const fn moving(self) -> Facts {
        Facts {
            moves: true,
            ..self
        }
    }

    const fn on_heap(self) -> Facts {
        Facts { heap: true, ..self }
    }

    const fn signed(self) -> Facts {
        Facts {
            signed: true,
            ..self
        }
    }

    /// It reads and writes its first argument in one step.
    pub fn is_atomic(&self) -> bool {
        *self == Facts::ATOMIC
    }

    /// Without the call nothing but its result is missing.
    pub fn is_pure(&self) -> bool {
        self.memory != Memory::Writes
    }
}

/// Who declares a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// The runtime, in its namespace.
    Cuf,
    /// CUDA or the C library, at global scope.
    Cuda,
    /// CUDA, in the namespace of tensor cores.
    Wmma,
}

macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident $home:ident $spelling:literal $facts:expr;)*) => {
        /// A function of the runtime or of CUDA: a row of the table.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Function {
            $($(#[$doc])* $name,)*
        }

        impl Function {
            /// All of them.
            pub const ALL: &[Function] = &[$(Function::$name,)*];

            /// Who declares it, and under which name.
            pub const fn spelling(self) -> (Home, &'static str) {
                match self {
                    $(Function::$name => (Home::$home, $spelling),)*
                }
            }

            pub const fn facts(self) -> Facts {
                use Facts as F;
                match self {
                    $(Function::$name => $facts,)*
                }
            }
        }
    };
}

macro_rules! methods {
    ($($(#[$doc:meta])* $name:ident $spelling:literal $facts:expr;)*) => {
        /// A method of a class of the runtime.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Method {
            $($(#[$doc])* $name,)*
        }

        impl Method {
            pub const fn spelling(self) -> &'static str {
                match self {
                    $(Method::$name => $spelling,)*
                }
            }

            pub const fn facts(self) -> Facts {
                use Facts as F;
                match self {
                    $(Method::$name => $facts,)*
                }
            }
        }
    };
}

functions! {
    // Arithmetic that operators and IEEE_ARITHMETIC need.
    Pow Cuf "pow" F::VALUE;
    /// The negative of a short integer.
    Negated Cuf "negated" F::VALUE;
    IsNan Cuf "is_nan" F::VALUE;
    IsFinite Cuf "is_finite" F::VALUE;
    IsNormal Cuf "is_normal" F::VALUE;
    IsNegative Cuf "is_negative" F::VALUE;
    SignBit Cuf "sign_bit" F::VALUE;
    NanLike Cuf "nan_like" F::VALUE;
    InfinityLike Cuf "infinity_like" F::VALUE;
    NegativeInfinityLike Cuf "negative_infinity_like" F::VALUE;

    /// The elements at an address as an array of constant shape.
    As Cuf "as" F::VALUE.moving();

    // Characters.
    Concat Cuf "concat" F::VALUE;
    /// `//` of a length known at run time.
    Joined Cuf "joined" F::VALUE;
    /// Characters from a place on as an object of another length.
    Characters Cuf "characters" F::VALUE;
    HighestText Cuf "highest_text" F::VALUE;
    /// MAX and MIN of texts: as long as the longest.
    MaxText Cuf "max_text" F::VALUE;
    MinText Cuf "min_text" F::VALUE;
    LowestText Cuf "lowest_text" F::VALUE;

    // Storage and arrays.
    SizeOf Cuf "size_of" F::VALUE;
    StorageAt Cuf "storage_at" F::VALUE;
    DynamicShared Cuf "dynamic_shared" F::VALUE.moving();
    View Cuf "view" F::VALUE;
    Remapped Cuf "remapped" F::VALUE;
    /// The components of a section of structures as a view.
    Parts Cuf "parts" F::VALUE;
    /// Likewise a copy, which is written back.
    Gathered Cuf "gathered" F::VALUE.on_heap();
    /// The elements of an array side by side, perhaps a copy that is written back.
    Packed Cuf "packed" F::VALUE.on_heap();
    /// The elements of an array that have to lie side by side.
    InPlace Cuf "in_place" F::VALUE;
    Sequence Cuf "sequence" F::VALUE;
    TransferBytes Cuf "transfer_bytes" F::EFFECT.changing(Changes::All);
    Allocate Cuf "allocate" F::EFFECT.changing(Changes::All).on_heap();
    TryAllocate Cuf "try_allocate" F::EFFECT.changing(Changes::All).on_heap();
    Deallocate Cuf "deallocate" F::EFFECT.changing(Changes::All);
    TryDeallocate Cuf "try_deallocate" F::EFFECT.changing(Changes::All);
    VolatileLoad Cuf "volatile_load" F::VALUE.reading().learning(Sync::Memory);
    VolatileStore Cuf "volatile_store" F::STORE.learning(Sync::Memory);

    // Loops and launches.
    DoRange Cuf "do_range" F::VALUE.moving();
    GridStride Cuf "grid_stride" F::VALUE.moving();
    /// What a thread's part of a reduction begins with.
    Start Cuf "start" F::VALUE.moving();
    /// A thread's part of a reduction goes to all.
    Combine Cuf "combine" F::EFFECT.changing(Changes::All).moving();
    /// The copy of host data on the device, or the data itself where it is not present.
    PresentOrHost Cuf "present_or_host" F::VALUE;
    /// The iterations of a block.
    BlockStride Cuf "block_stride" F::VALUE.moving();
    /// The iterations of a thread, of those that its block shares.
    ThreadStride Cuf "thread_stride" F::VALUE.moving();
    /// The number of a thread in its block, from 0.
    ThreadRank Cuf "thread_rank" F::VALUE.between(0, 1023).signed();
    BlockThreads Cuf "block_threads" F::VALUE.between(1, 1024).signed();
    /// All threads get the combination of their values.
    BlockReduce Cuf "block_reduce" F::BARRIER.moving();
    /// All threads get the value of the first one.
    Broadcast Cuf "broadcast" F::BARRIER.moving();
    /// A block's part of a reduction goes to all.
    CombineBlock Cuf "combine_block" F::EFFECT.changing(Changes::All).moving();
    LaunchChild Cuf "launch_child" F::EFFECT.learning(Sync::Memory);
    /// The array of a descriptor whose elements lie side by side.
    Dense Cuf "dense" F::VALUE;
    /// Pointer of a descriptor.
    Base Cuf "base" F::VALUE;
    /// Bounds and strides of a descriptor.
    Layout Cuf "layout" F::VALUE;
    /// Bounds of a descriptor.
    Shape Cuf "shape" F::VALUE;
    Print Cuf "print" F::EFFECT;
    Stop Cuf "stop" F::EFFECT;

    // Operations of a warp (guide 3.6.4).
    Ballot Cuf "ballot" F::WARP;
    AllThreads Cuf "allthreads" F::WARP;
    AnyThread Cuf "anythread" F::WARP;
    BallotSync Cuf "ballot_sync" F::WARP;
    AllSync Cuf "all_sync" F::WARP;
    AnySync Cuf "any_sync" F::WARP;
    MatchAnySync Cuf "match_any_sync" F::WARP;
    MatchAllSync Cuf "match_all_sync" F::WARP.changing(Changes::Last);
    ActiveMask Cuf "activemask" F::VALUE.reading().learning(Sync::Threads);
    Shfl Cuf "shfl" F::SHUFFLE;
    ShflUp Cuf "shfl_up" F::SHUFFLE;
    ShflDown Cuf "shfl_down" F::SHUFFLE;
    ShflXor Cuf "shfl_xor" F::SHUFFLE;

    // Atomic functions (guide 3.6.5); the underscores keep off C++'s alternative tokens.
    AtomicAdd Cuf "atomic_add" F::ATOMIC;
    AtomicSub Cuf "atomic_sub" F::ATOMIC;
    AtomicMax Cuf "atomic_max" F::ATOMIC;
    AtomicMin Cuf "atomic_min" F::ATOMIC;
    AtomicAnd Cuf "atomic_and_" F::ATOMIC;
    AtomicOr Cuf "atomic_or_" F::ATOMIC;
    AtomicXor Cuf "atomic_xor_" F::ATOMIC;
    AtomicExch Cuf "atomic_exch" F::ATOMIC;
    AtomicInc Cuf "atomic_inc" F::ATOMIC;
    AtomicDec Cuf "atomic_dec" F::ATOMIC;
    AtomicCas Cuf "atomic_cas" F::ATOMIC;
    // What assignments under `!$cuf atomic` do besides.
    AtomicMul Cuf "atomic_mul" F::ATOMIC;
    AtomicDiv Cuf "atomic_div" F::ATOMIC;
    /// The value less the variable.
    AtomicSubFrom Cuf "atomic_sub_from" F::ATOMIC;
    /// The value divided by the variable.
    AtomicDivInto Cuf "atomic_div_into" F::ATOMIC;
    AtomicLogicalAnd Cuf "atomic_logical_and" F::ATOMIC;
    AtomicLogicalOr Cuf "atomic_logical_or" F::ATOMIC;
    AtomicEqv Cuf "atomic_eqv" F::ATOMIC;
    AtomicNeqv Cuf "atomic_neqv" F::ATOMIC;
    AtomicLoad Cuf "atomic_load" F::VALUE.reading().learning(Sync::Memory);

    // Loads and stores with cache hints (guide 3.6.6); some go around the caches that threads do not share.
    Ldca Cuf "ldca" F::VALUE;
    LdcaVector Cuf "ldca_vector" F::VALUE;
    Ldcg Cuf "ldcg" F::VALUE.reading().learning(Sync::Memory);
    LdcgVector Cuf "ldcg_vector" F::VALUE.reading().learning(Sync::Memory);
    Ldcs Cuf "ldcs" F::VALUE;
    LdcsVector Cuf "ldcs_vector" F::VALUE;
    Ldcv Cuf "ldcv" F::VALUE.reading().learning(Sync::Memory);
    LdcvVector Cuf "ldcv_vector" F::VALUE.reading().learning(Sync::Memory);
    Ldlu Cuf "ldlu" F::VALUE;
    LdluVector Cuf "ldlu_vector" F::VALUE;
    Ldg Cuf "ldg" F::VALUE;
    LdgVector Cuf "ldg_vector" F::VALUE;
    Stwb Cuf "stwb" F::STORE;
    StwbVector Cuf "stwb_vector" F::STORE.changing(Changes::All);
    Stcg Cuf "stcg" F::STORE.learning(Sync::Memory);
    StcgVector Cuf "stcg_vector" F::STORE.changing(Changes::All).learning(Sync::Memory);
    Stcs Cuf "stcs" F::STORE;
    StcsVector Cuf "stcs_vector" F::STORE.changing(Changes::All);
    Stwt Cuf "stwt" F::STORE.learning(Sync::Memory);
    StwtVector Cuf "stwt_vector" F::STORE.changing(Changes::All).learning(Sync::Memory);

    // Asynchronous copies: a thread sees its own after the wait, others after a barrier (`device/pipeline.hpp`).
    PipelineCopy Cuf "pipeline_copy" F::STORE;
    PipelineCommit Cuf "pipeline_commit" F::EFFECT;
    PipelineWait Cuf "pipeline_wait" F::EFFECT;

    // Bulk copies and the barriers that wait for them (`device/bulk.hpp`): what is copied shows after such a barrier.
    BarrierInit Cuf "barrier_init" F::STORE.learning(Sync::Threads).moving();
    BarrierArrive Cuf "barrier_arrive" F::STORE.learning(Sync::Threads).moving();
    BarrierTryWait Cuf "barrier_try_wait" F::BARRIER.changing(Changes::First).moving();
    BarrierTryWaitSleep Cuf "barrier_try_wait_sleep" F::BARRIER.changing(Changes::First).moving();
    FenceProxyAsync Cuf "fence_proxy_async" F::EFFECT.learning(Sync::Threads);
    BulkCommitGroup Cuf "tma_bulk_commit_group" F::EFFECT;
    BulkGlobalToShared Cuf "tma_bulk_g2s" F::STORE.learning(Sync::Threads).moving();
    BulkLoad Cuf "tma_bulk_load" F::STORE.learning(Sync::Threads).moving();
    BulkSharedToGlobal Cuf "tma_bulk_s2g" F::STORE.moving();
    BulkStore Cuf "tma_bulk_store" F::STORE.moving();
    BulkWaitGroup Cuf "tma_bulk_wait_group" F::EFFECT;

    // Barriers and fences.
    Syncthreads Cuda "__syncthreads" F::BARRIER;
    SyncthreadsCount Cuda "__syncthreads_count" F::BARRIER;
    SyncthreadsAnd Cuda "__syncthreads_and" F::BARRIER;
    SyncthreadsOr Cuda "__syncthreads_or" F::BARRIER;
    Syncwarp Cuda "__syncwarp" F::BARRIER;
    Threadfence Cuda "__threadfence" F::EFFECT.learning(Sync::Memory);
    ThreadfenceBlock Cuda "__threadfence_block" F::EFFECT.learning(Sync::Threads);
    ThreadfenceSystem Cuda "__threadfence_system" F::EFFECT.learning(Sync::Memory);
    Nanosleep Cuda "__nanosleep" F::EFFECT.learning(Sync::Memory);

    // The runtime API of device code (`device/runtime_api.hpp`).
    DeviceLastError Cuf "device_last_error" F::EFFECT;
    DevicePeekError Cuf "device_peek_error" F::EFFECT;
    DeviceCurrent Cuf "device_current" F::STORE;
    DeviceCount Cuf "device_count" F::STORE;
    DeviceRuntimeVersion Cuf "device_runtime_version" F::STORE;
    DeviceAttribute Cuf "device_attribute" F::STORE;
    DeviceCacheConfig Cuf "device_cache_config" F::STORE;
    DeviceLimit Cuf "device_limit" F::STORE;
    DeviceStreamCreate Cuf "device_stream_create" F::STORE;
    DeviceStreamDestroy Cuf "device_stream_destroy" F::EFFECT;

    // Groups of threads.
    ThisThreadBlock Cuf "this_thread_block" F::VALUE;
    ThisWarp Cuf "this_warp" F::VALUE;
    ThisGrid Cuf "this_grid" F::VALUE;
    ThisCluster Cuf "this_cluster" F::VALUE;
    ClusterBlockIndex Cuf "cluster_block_index" F::VALUE;
    ClusterDimBlocks Cuf "cluster_dim_blocks" F::VALUE;
    ClusterMapSharedRank Cuf "cluster_map_shared_rank" F::VALUE.learning(Sync::Threads);

    // Time.
    Clock Cuda "clock" F::EFFECT;
    Clock64 Cuda "clock64" F::EFFECT;
    GlobalTimer Cuf "globaltimer" F::VALUE.reading();

    // Bits.
    Popc Cuda "__popc" F::VALUE.between(0, 64).signed();
    Popcll Cuda "__popcll" F::VALUE.between(0, 64).signed();
    Clz Cuda "__clz" F::VALUE.between(0, 64).signed();
    Clzll Cuda "__clzll" F::VALUE.between(0, 64).signed();
    Ffs Cuda "__ffs" F::VALUE.between(0, 64).signed();
    Ffsll Cuda "__ffsll" F::VALUE.between(0, 64).signed();
    FloatAsInt Cuda "__float_as_int" F::VALUE.signed();
    IntAsFloat Cuda "__int_as_float" F::VALUE;
    DoubleAsLonglong Cuda "__double_as_longlong" F::VALUE;
    LonglongAsDouble Cuda "__longlong_as_double" F::VALUE;

    // Functions with a second result.
    Sincos Cuda "sincos" F::EFFECT.changing(Changes::Rest);
    Sincosf Cuda "sincosf" F::EFFECT.changing(Changes::Rest);
    Sincospi Cuda "sincospi" F::EFFECT.changing(Changes::Rest);
    Sincospif Cuda "sincospif" F::EFFECT.changing(Changes::Rest);
    Frexp Cuda "frexp" F::EFFECT.changing(Changes::Last);
    Frexpf Cuda "frexpf" F::EFFECT.changing(Changes::Last);
    Modf Cuda "modf" F::EFFECT.changing(Changes::Last);
    Modff Cuda "modff" F::EFFECT.changing(Changes::Last);
    Remquo Cuda "remquo" F::EFFECT.changing(Changes::Last);
    Remquof Cuda "remquof" F::EFFECT.changing(Changes::Last);

    // Random numbers: a draw changes the generator.
    CurandInit Cuda "curand_init" F::EFFECT.changing(Changes::Last);
    Curand Cuda "curand" F::STORE;
    CurandUniform Cuda "curand_uniform" F::STORE;
    CurandUniformDouble Cuda "curand_uniform_double" F::STORE;
    CurandNormal Cuda "curand_normal" F::STORE;
    CurandNormalDouble Cuda "curand_normal_double" F::STORE;
    CurandLogNormal Cuda "curand_log_normal" F::STORE;
    CurandLogNormalDouble Cuda "curand_log_normal_double" F::STORE;

    // Tensor cores: the lanes of a warp work together.
    FillFragment Wmma "fill_fragment" F::BARRIER.changing(Changes::First);
    LoadMatrixSync Wmma "load_matrix_sync" F::BARRIER.changing(Changes::First);
    StoreMatrixSync Wmma "store_matrix_sync" F::BARRIER.changing(Changes::First);
    MmaSync Wmma "mma_sync" F::BARRIER.changing(Changes::First);
    FragmentElement Cuf "fragment_element" F::VALUE;
}

methods! {
    // Inquiries.
    Size "size" F::VALUE.range(Range::Position).moving();
    Lbound "lbound" F::VALUE.range(Range::Position).moving();
    Ubound "ubound" F::VALUE.range(Range::Position).moving();
    /// The declared bounds, also of an array without elements.
    Lower "lower" F::VALUE.range(Range::Position).moving();
    Upper "upper" F::VALUE.range(Range::Position).moving();
    Contiguous "contiguous" F::VALUE.moving();
    Data "data" F::VALUE;
    /// Every element of an array of constant shape becomes a value.
    Fill "fill" F::EFFECT.changing(Changes::First);
    /// All elements of a gathered copy.
    Whole "whole" F::VALUE;
    /// The thread's copy of an optional value, or null.
    Pointer "pointer" F::VALUE;
    /// The same elements with other lower bounds.
    Rebased "rebased" F::VALUE.moving();
    // Allocatables and pointers.
    Allocate "allocate" F::EFFECT.changing(Changes::First).moving().on_heap();
    TryAllocate "try_allocate" F::EFFECT.changing(Changes::First).moving().on_heap();
    Deallocate "deallocate" F::EFFECT.changing(Changes::First);
    TryDeallocate "try_deallocate" F::EFFECT.changing(Changes::First);
    ReshapeTo "reshape_to" F::EFFECT.changing(Changes::First).moving();
    Release "release" F::EFFECT.changing(Changes::First);
    Take "take" F::EFFECT.changing(Changes::All);
    PointTo "point_to" F::EFFECT.changing(Changes::First);
    // Loops, groups, output.
    /// How often a loop with such bounds runs.
    Count "count" F::VALUE;
    /// The next turn of a loop begins.
    Next "next" F::EFFECT.changing(Changes::First);
    Sync "sync" F::BARRIER;
    Add "add" F::EFFECT.changing(Changes::First);
    Finish "finish" F::EFFECT.changing(Changes::First);
}

/// What passes know of the runtime's function for an intrinsic procedure of Fortran.
fn facts_of(i: Intrinsic) -> Facts {
    match i {
        Intrinsic::Text(Text::Iachar | Text::Ichar) => Facts::VALUE.between(0, 255),
        Intrinsic::Text(Text::Index | Text::LenTrim | Text::Scan | Text::Verify) => {
            Facts::VALUE.range(Range::Position)
        }
        Intrinsic::Bits(Bits::Leadz | Bits::Popcnt | Bits::Poppar | Bits::Trailz) => {
            Facts::VALUE.between(0, 64)
        }
        Intrinsic::Choice(Choice::Max | Choice::Min) => Facts::VALUE.range(Range::OneOf),
        Intrinsic::Numeric(Numeric::Mod | Numeric::Modulo) => Facts::VALUE.range(Range::Remainder),
        Intrinsic::Subroutine(_) => Facts::EFFECT.changing(Changes::All),
        _ => Facts::VALUE,
    }
}

impl Callee {
    /// None for procedures of the user, of which the table knows nothing.
    pub fn facts(&self) -> Option<Facts> {
        match self {
            Callee::Function(f) => Some(f.facts()),
            Callee::Intrinsic(i) => Some(facts_of(*i)),
            Callee::Math(_) | Callee::Identity(_) => Some(Facts::VALUE),
            Callee::Procedure(_) | Callee::Dummy(_) | Callee::External(_) => None,
        }
    }

    /// It is that function.
    pub fn is(&self, f: Function) -> bool {
        *self == Callee::Function(f)
    }
}

impl From<Function> for Callee {
    fn from(f: Function) -> Callee {
        Callee::Function(f)
    }
}

impl<I: Into<Intrinsic>> From<I> for Callee {
    fn from(i: I) -> Callee {
        Callee::Intrinsic(i.into())
    }
}
