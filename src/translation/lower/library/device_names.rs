//! Which function of the runtime or of CUDA a procedure of the device modules is: cudadevice, cooperative_groups, libm,
//! curand_device and wmma (guide 3.6 to 3.8).

use crate::ir::Function::{self, *};

/// Names of procedures in order, without underscores before them.
const NAMES: &[(&str, Function)] = &[
    ("activemask", ActiveMask),
    ("all_sync", AllSync),
    ("allthreads", AllThreads),
    ("any_sync", AnySync),
    ("anythread", AnyThread),
    ("atomicadd", AtomicAdd),
    ("atomicadd_r4x2", AtomicAdd),
    ("atomicadd_r4x4", AtomicAdd),
    ("atomicaddvector_r4x2", AtomicAdd),
    ("atomicand", AtomicAnd),
    ("atomiccas", AtomicCas),
    ("atomicdec", AtomicDec),
    ("atomicexch", AtomicExch),
    ("atomicinc", AtomicInc),
    ("atomicmax", AtomicMax),
    ("atomicmin", AtomicMin),
    ("atomicor", AtomicOr),
    ("atomicsub", AtomicSub),
    ("atomicxor", AtomicXor),
    ("ballot", Ballot),
    ("ballot_sync", BallotSync),
    ("clock", Clock),
    ("clock64", Clock64),
    ("cluster_block_index", ClusterBlockIndex),
    ("cluster_dim_blocks", ClusterDimBlocks),
    ("cluster_map_shared_rank", ClusterMapSharedRank),
    ("clz", Clz),
    ("clzll", Clzll),
    ("cudadevicegetattribute", DeviceAttribute),
    ("cudadevicegetcacheconfig", DeviceCacheConfig),
    ("cudadevicegetlimit", DeviceLimit),
    ("cudagetdevice", DeviceCurrent),
    ("cudagetdevicecount", DeviceCount),
    ("cudagetlasterror", DeviceLastError),
    ("cudapeekatlasterror", DevicePeekError),
    ("cudaruntimegetversion", DeviceRuntimeVersion),
    ("cudastreamcreatewithflags", DeviceStreamCreate),
    ("cudastreamdestroy", DeviceStreamDestroy),
    ("double_as_longlong", DoubleAsLonglong),
    ("ffs", Ffs),
    ("ffsll", Ffsll),
    ("float_as_int", FloatAsInt),
    ("frexp", Frexp),
    ("frexpf", Frexpf),
    ("globaltimer", GlobalTimer),
    ("int_as_float", IntAsFloat),
    ("longlong_as_double", LonglongAsDouble),
    ("match_all_sync", MatchAllSync),
    ("match_any_sync", MatchAnySync),
    ("modf", Modf),
    ("modff", Modff),
    ("nanosleep", Nanosleep),
    ("pipelinecommit", PipelineCommit),
    ("pipelinememcpyasync", PipelineCopy),
    ("pipelinewaitprior", PipelineWait),
    ("popc", Popc),
    ("popcll", Popcll),
    ("remquo", Remquo),
    ("remquof", Remquof),
    ("shfl", Shfl),
    ("shfl_down", ShflDown),
    ("shfl_down_sync", ShflDown),
    ("shfl_sync", Shfl),
    ("shfl_up", ShflUp),
    ("shfl_up_sync", ShflUp),
    ("shfl_xor", ShflXor),
    ("shfl_xor_sync", ShflXor),
    ("sincos", Sincos),
    ("sincosf", Sincosf),
    ("sincospi", Sincospi),
    ("sincospif", Sincospif),
    ("syncthreads", Syncthreads),
    ("syncthreads_and", SyncthreadsAnd),
    ("syncthreads_count", SyncthreadsCount),
    ("syncthreads_or", SyncthreadsOr),
    ("syncwarp", Syncwarp),
    ("this_cluster", ThisCluster),
    ("this_grid", ThisGrid),
    ("this_thread_block", ThisThreadBlock),
    ("this_warp", ThisWarp),
    ("threadfence", Threadfence),
    ("threadfence_block", ThreadfenceBlock),
    ("threadfence_system", ThreadfenceSystem),
    ("wmmaloadmatrix", LoadMatrixSync),
    ("wmmamatmul", MmaSync),
    ("wmmastorematrix", StoreMatrixSync),
];

/// The function for a procedure of a folded name; None for CUDA's functions of arithmetic, which have no row of their own, and
/// for what is no device procedure.
pub fn device_procedure(name: &str) -> Option<Function> {
    let word = name.trim_start_matches('_');
    match NAMES.binary_search_by(|e| e.0.cmp(word)) {
        Ok(i) => NAMES.get(i).map(|e| e.1),
        Err(_) => hinted(word).or_else(|| draw(word)).or_else(|| bulk(word)),
    }
}

/// The first argument of the shuffle or vote says which lanes take part.
pub fn takes_mask(name: &str) -> bool {
    name.ends_with("_sync")
}

/// The function that loads an element, and the one that loads 128 bits.
pub fn load(word: &str) -> Option<(Function, Function)> {
    Some(match word {
        "ldca" => (Function::Ldca, Function::LdcaVector),
        "ldcg" => (Function::Ldcg, Function::LdcgVector),
        "ldcs" => (Function::Ldcs, Function::LdcsVector),
        "ldcv" => (Function::Ldcv, Function::LdcvVector),
        "ldlu" => (Function::Ldlu, Function::LdluVector),
        "ldg" => (Function::Ldg, Function::LdgVector),
        _ => return None,
    })
}

/// The function that stores an element, and the one that stores 128 bits.
pub fn store(word: &str) -> Option<(Function, Function)> {
    Some(match word {
        "stwb" => (Function::Stwb, Function::StwbVector),
        "stcg" => (Function::Stcg, Function::StcgVector),
        "stcs" => (Function::Stcs, Function::StcsVector),
        "stwt" => (Function::Stwt, Function::StwtVector),
        _ => return None,
    })
}

/// The function for the access of one element, by the name of the Fortran procedure without underscores before it.
pub fn hinted(word: &str) -> Option<Function> {
    load(word).or_else(|| store(word)).map(|(one, _)| one)
}

/// Names of the generators in specific procedures.
const GENERATORS: [&str; 3] = ["xorwow", "mrg32k3a", "philox4_32_10"];

/// What specific names have between `curand` and the generator, with CUDA's functions.
const SPECIFIC: [(&str, Function); 8] = [
    ("init", Function::CurandInit),
    ("get", Function::Curand),
    ("uniform", Function::CurandUniform),
    ("uniformdouble", Function::CurandUniformDouble),
    ("normal", Function::CurandNormal),
    ("normaldouble", Function::CurandNormalDouble),
    ("lognormal", Function::CurandLogNormal),
    ("lognormaldouble", Function::CurandLogNormalDouble),
];

/// CUDA's function for a procedure of the module, None for other names.
pub fn draw(name: &str) -> Option<Function> {
    let rest = name.strip_prefix("curand")?;
    if let Some((_, f)) = SPECIFIC.iter().find(|(_, f)| f.spelling().1 == name) {
        return Some(*f);
    }
    let operation = GENERATORS.iter().find_map(|g| rest.strip_suffix(g))?;
    SPECIFIC
        .iter()
        .find(|(word, _)| *word == operation)
        .map(|(_, f)| *f)
}

/// Types of the elements in the specific names of loads and stores.
const ELEMENTS: [&str; 7] = ["c4", "c8", "i4", "i8", "r2", "r4", "r8"];

/// The function for a procedure, by its generic name or a specific one.
pub fn bulk(word: &str) -> Option<Function> {
    use Function::*;
    if let Some(rest) = word.strip_prefix("tma_bulk_ld") {
        return ELEMENTS.contains(&rest).then_some(BulkLoad);
    }
    if let Some(rest) = word.strip_prefix("tma_bulk_store_") {
        return ELEMENTS.contains(&rest).then_some(BulkStore);
    }
    Some(match word {
        "barrier_arrive" | "barrier_arrive_cnt" => BarrierArrive,
        "barrier_init" => BarrierInit,
        "barrier_try_wait" => BarrierTryWait,
        "barrier_try_wait_sleep" => BarrierTryWaitSleep,
        "fence_proxy_async" => FenceProxyAsync,
        "tma_bulk_commit_group" => BulkCommitGroup,
        "tma_bulk_g2s" => BulkGlobalToShared,
        "tma_bulk_load" => BulkLoad,
        "tma_bulk_s2g" => BulkSharedToGlobal,
        "tma_bulk_store" => BulkStore,
        "tma_bulk_wait_group" => BulkWaitGroup,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::function::{Facts, Home, Sync};
    use crate::sema::library::runtime_modules::cudadevice_names;

    #[test]
    fn names_are_sorted() {
        assert!(NAMES.windows(2).all(|w| w[0].0 < w[1].0));
    }

    #[test]
    fn what_threads_learn() {
        let sync = |name| device_procedure(name).map(|f| f.facts().sync);
        for name in [
            "syncthreads",
            "syncthreads_or",
            "__shfl_xor",
            "all_sync",
            "wmmamatmul",
            "threadfence_block",
        ] {
            assert_eq!(sync(name), Some(Sync::Threads), "{name}");
        }
        for name in ["__threadfence", "atomiccas", "__ldcv", "__nanosleep"] {
            assert_eq!(sync(name), Some(Sync::Memory), "{name}");
        }
        for name in ["__popc", "__ldca", "curand", "clock64"] {
            assert_eq!(sync(name), Some(Sync::Never), "{name}");
        }
    }

    /// Only arithmetic may lack a row: the names of all else are spelled out here.
    #[test]
    fn procedures_without_a_row_are_arithmetic() {
        let words = [
            "sync", "fence", "shfl", "atomic", "ballot", "ld", "st", "mask", "sleep",
        ];
        for (name, _) in cudadevice_names() {
            if device_procedure(name).is_none() {
                let word = name.trim_start_matches('_');
                assert!(!words.iter().any(|w| word.starts_with(w)), "{name}");
                assert!(!word.contains("sync"), "{name}");
            }
        }
    }

    #[test]
    fn cuda_spells_its_own_functions() {
        for f in Function::ALL {
            let (home, name) = f.spelling();
            let threads = Facts {
                waits: false,
                ..f.facts()
            };
            assert!(home != Home::Cuf || !name.starts_with("__"), "{name}");
            assert!(!f.facts().waits || threads.sync != Sync::Never, "{name}");
        }
    }
}
