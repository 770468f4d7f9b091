//! What the cpu target cannot emulate: an error at its place, for the compiler to report where the preprocessor keeps the code.

use super::tokens::Kind;
use super::{Code, Edit};

const CODE: &str = "CUF0491";

/// Beginnings of the names of headers, and what they are.
const HEADERS: &[(&str, &str)] = &[
    ("thrust/", "the library Thrust"),
    ("cub/", "the library CUB"),
    ("cuda/", "the library libcu++"),
    ("cooperative_groups", "cooperative groups"),
    ("mma.h", "matrix operations of warps (WMMA)"),
    ("cuda_fp16", "the type half"),
    ("cuda_bf16", "the type bfloat16"),
    ("cuda_fp8", "8-bit reals"),
    ("cuda.h", "the driver API"),
    ("cuda_pipeline", "asynchronous copies to shared memory"),
    ("cuda_awbarrier", "barriers of libcu++"),
    ("cutlass/", "the library CUTLASS"),
    ("cublas", "cuBLAS"),
    ("cufft", "cuFFT"),
    ("cusparse", "cuSPARSE"),
    ("cusolver", "cuSOLVER"),
    ("cutensor", "cuTENSOR"),
    ("cudnn", "cuDNN"),
    ("curand", "cuRAND"),
    ("nccl.h", "NCCL"),
    ("npp", "NPP"),
    ("nvrtc.h", "compilation at run time (NVRTC)"),
    ("nvtx3/", "NVTX"),
    ("nvToolsExt.h", "NVTX"),
    ("texture_", "textures"),
    ("surface_", "surfaces"),
];

/// Names and what they are. Those of functions count only where they are called.
const FUNCTIONS: &[(&str, &str)] = &[
    ("tex1D", "textures"),
    ("tex1Dfetch", "textures"),
    ("tex2D", "textures"),
    ("tex3D", "textures"),
    ("tex1DLod", "textures"),
    ("tex2DLod", "textures"),
    ("tex3DLod", "textures"),
    ("tex2DLayered", "textures"),
    ("surf1Dread", "surfaces"),
    ("surf1Dwrite", "surfaces"),
    ("surf2Dread", "surfaces"),
    ("surf2Dwrite", "surfaces"),
    ("surf3Dread", "surfaces"),
    ("surf3Dwrite", "surfaces"),
    ("__cluster_dims__", "clusters of blocks"),
    ("__reduce_add_sync", "reductions by warp instructions"),
    ("__reduce_min_sync", "reductions by warp instructions"),
    ("__reduce_max_sync", "reductions by warp instructions"),
    ("__reduce_and_sync", "reductions by warp instructions"),
    ("__reduce_or_sync", "reductions by warp instructions"),
    ("__reduce_xor_sync", "reductions by warp instructions"),
    ("cudaLaunchKernelEx", "extended launches"),
    ("cudaLaunchKernelExC", "extended launches"),
];
const TYPES: &[(&str, &str)] = &[
    ("cudaTextureObject_t", "textures"),
    ("cudaSurfaceObject_t", "surfaces"),
    ("cudaMemPool_t", "memory pools"),
];

/// Refuses what the text has of these.
pub(super) fn rewrite(code: &Code<'_>, edits: &mut Vec<Edit>) {
    for at in 0..code.tokens.len() {
        if code.is_symbol(at, b'#') && code.text(at + 1) == "include" && code.together(at, at + 1) {
            edits.extend(include(code, at + 1));
        }
        if !code.is_name(at) {
            continue;
        }
        let word = code.text(at);
        let before = at.checked_sub(1);
        let member = before.is_some_and(|k| code.is_symbol(k, b'.'))
            || at > 1 && (code.is_joined(at - 2, b"->") || code.is_joined(at - 2, b"::"));
        let called = code.is_symbol(at + 1, b'(') || code.is_symbol(at + 1, b'<');
        let of = |table: &[(&str, &'static str)]| {
            let found = table.iter().find(|(name, _)| *name == word && !member);
            found.map(|(_, what)| *what)
        };
        let what = match word {
            "asm" | "__asm__" | "__asm" => Some("inline assembly (PTX)"),
            "texture" if code.is_symbol(at + 1, b'<') => Some("textures"),
            _ => of(TYPES).or_else(|| of(FUNCTIONS).filter(|_| called)),
        };
        if let Some(what) = what {
            edits.push(refuse(code, at, &unknown(word, what)));
        }
        // As a macro it would be replaced in the compiler's own attributes, too.
        let attribute = before.is_some_and(|k| code.is_symbol(k, b'(') || code.is_symbol(k, b','));
        if word == "__noinline__" && !attribute {
            let token = code.tokens[at];
            let text = "__attribute__((noinline))";
            edits.push(Edit::replacement(code, token.start, token.end, text));
        }
    }
}

fn unknown(word: &str, what: &str) -> String {
    format!("`{word}`: {what} cannot be emulated; build for the target cuda")
}

/// An error in the place of an `#include` of a header that is not there.
fn include(code: &Code<'_>, word: usize) -> Option<Edit> {
    let last = code.following(word).last()?;
    let place = &code.text[code.tokens[word + 1].start..code.tokens[last].end];
    let name = place.trim_matches(['<', '>', '"']);
    let (_, what) = HEADERS.iter().find(|(start, _)| name.starts_with(start))?;
    let text = format!("error cuf2cu[{CODE}]: {}", unknown(name, what));
    let (start, end) = (code.tokens[word].start, code.tokens[last].end);
    Some(Edit::replacement(code, start, end, text))
}

/// An error before the token at `at`.
pub(super) fn refuse(code: &Code<'_>, at: usize, message: &str) -> Edit {
    let token = code.tokens[at];
    debug_assert!(token.kind != Kind::Literal);
    let text = format!("_Pragma(\"GCC error \\\"cuf2cu[{CODE}]: {message}\\\"\") ");
    Edit::insertion(token.start, text)
}
