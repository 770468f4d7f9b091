//! What the preprocessor read, in the order of reading: the way back from its output to the text with its directives.

use std::path::PathBuf;
use std::sync::Arc;

use super::line::UserFile;

/// Lines of a file that were read together, most often one.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub file: Arc<UserFile>,
    /// From 1.
    pub first: u32,
    pub last: u32,
    pub kind: ItemKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ItemKind {
    /// Became one line of the output.
    Code,
    /// `#if`, `#ifdef`, `#ifndef` of this conditional.
    Open(u32),
    /// `#elif`, `#else`
    Middle(u32),
    /// `#endif`
    Close(u32),
    /// `#define`, `#undef`, `#warning`
    Definition,
    /// A line of a branch that was not taken of this conditional, be it a directive.
    Skipped(u32),
    /// `#include` of the file; its items follow.
    Include(PathBuf),
    /// The end of an included file.
    IncludeEnd,
    /// Of no consequence for the program: `#pragma`, `#ident`, `#line`.
    Idle,
}

/// The items of a file that was preprocessed.
#[derive(Clone, Debug, Default)]
pub(super) struct Trace {
    pub items: Vec<Item>,
    /// For each line of the text that is parsed the item that it came from; by INCLUDE several lines come from one.
    pub lines: Vec<u32>,
}

impl Item {
    /// The lines as they are written.
    pub fn text(&self) -> impl Iterator<Item = &str> {
        (self.first..=self.last).map(|l| self.file.line(l))
    }

    /// An included file begins or ends here.
    pub fn is_border(&self) -> bool {
        matches!(self.kind, ItemKind::Include(_) | ItemKind::IncludeEnd)
    }

    /// The conditional that the item belongs to.
    pub fn group(&self) -> Option<u32> {
        match self.kind {
            ItemKind::Open(g) | ItemKind::Middle(g) | ItemKind::Close(g) | ItemKind::Skipped(g) => {
                Some(g)
            }
            _ => None,
        }
    }
}

/// The name that `#define` gives.
pub(super) fn defined(item: &Item) -> Option<&str> {
    let line = item
        .text()
        .next()
        .filter(|_| item.kind == ItemKind::Definition)?;
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let (word, rest) = rest.split_at_checked("define".len())?;
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let name = rest.trim_start().split(|c| !part(c)).next();
    name.filter(|_| word.eq_ignore_ascii_case("define"))
}

/// What modules of CUDA and its runtime's procedures begin with.
const CUDA_NAMES: [&str; 7] = [
    "cuda", "cublas", "cufft", "curand", "cusparse", "cusolver", "cutensor",
];

/// Modules of CUDA Fortran: a module of the user's may begin with the same letters.
const CUDA_MODULES: [&str; 16] = [
    "cooperative_groups",
    "cublas",
    "cublas_v2",
    "cublasxt",
    "cudadevice",
    "cudafor",
    "cufft",
    "cufftxt",
    "curand",
    "curand_device",
    "cusolverdn",
    "cusparse",
    "cutensor",
    "cutensorex",
    "nccl",
    "wmma",
];

/// A line looks like CUDA Fortran: directives of CUF loops, launches, prefixes and attributes, names of CUDA. Lines that were not read are
/// known by no more than that. NVTX is a library that other programs call, too.
pub(super) fn is_cuda_fortran(line: &str) -> bool {
    is_of_language(line) || names_cuda(line)
}

/// A line has a name of CUDA.
fn names_cuda(line: &str) -> bool {
    let line = line.trim_start().to_ascii_lowercase();
    if line.starts_with(['!', '#']) {
        return false;
    }
    let code = line.split('!').next().unwrap_or_default();
    let mut words = code
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|w| !w.is_empty());
    if words.clone().next() == Some("use") {
        let nature = ["use", "intrinsic", "non_intrinsic"];
        let module = words.find(|w| !nature.contains(w));
        return module.is_some_and(|m| CUDA_MODULES.contains(&m));
    }
    let is_cuda = |w: &str| CUDA_NAMES.iter().any(|n| w.starts_with(n)) && !w.contains("_cuda");
    words.any(is_cuda)
}

/// A line looks like what is CUDA Fortran by more than the names in it.
pub(super) fn is_of_language(line: &str) -> bool {
    let line = line.trim_start().to_ascii_lowercase();
    if line.starts_with("!$cuf") || line.starts_with("!@cuf") {
        return true;
    }
    if line.starts_with(['!', '#']) {
        return false;
    }
    let code = line.split('!').next().unwrap_or_default();
    let compact: String = code.split_whitespace().collect();
    let attribute = |a: &str| {
        // The list may go on on the next line, or begin on the one before.
        let list = compact.split("::").next().unwrap_or_default();
        let types = [
            "real",
            "integer",
            "logical",
            "complex",
            "character",
            "type(",
            "double",
        ];
        let declares = compact.starts_with(a) || types.iter().any(|t| compact.starts_with(t));
        let whole = compact.contains("::") || compact.ends_with('&') && declares;
        let first = usize::from(!line.trim_end().ends_with('&') && !compact.starts_with(a));
        let list = list.trim_end_matches('&').split(',');
        whole && list.skip(first).any(|w| w == a)
    };
    compact.contains("<<<")
        || compact.contains("attributes(")
        || [
            "device", "managed", "pinned", "constant", "shared", "unified",
        ]
        .into_iter()
        .any(attribute)
}
