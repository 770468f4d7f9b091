//! What behaves otherwise after the migration, for a program with these features: one table.

use super::data::{Change, Place};
use crate::survey::{CONCURRENT, ELEMENTS, LISTS, OPENACC, OPENMP, Survey};
use crate::translate::{MemoryMode, Translation};

/// Features and remarks of the survey with what changes.
const OF_SURVEY: &[(&str, &str)] = &[
    (
        "textures",
        "CUDA 12 has no texture references: device code reads the target of `=>` as ordinary device data. The values are the same; what `=>` says when the kernel is launched counts.",
    ),
    (
        "managed data",
        "Stays managed memory. Assignments of whole variables are copies in the order of the stream; of elements, sections and expressions they are loops of the host, which do not wait for kernels.",
    ),
    (
        "unified data",
        "Managed memory. Host data becomes the target of a unified pointer: where the device does not reach all memory of the host, static data is mapped for it, and other data stops the program with a message.",
    ),
    (
        OPENACC,
        "Without `--acc`, the directives are comments: their loops run on the host. Pass `--acc` to translate them (docs/openacc.md).",
    ),
    (
        OPENMP,
        "In force only if the output is built with --openmp; OpenMP for devices (target) runs on the host.",
    ),
    (
        CONCURRENT,
        "Runs on the host, whatever options the old build had.",
    ),
    (
        ELEMENTS,
        "Each element is copied by itself, and the host waits for it: slow within loops. Copy the array first, or write a CUF loop.",
    ),
    (
        LISTS,
        "Numbers are printed in gfortran's widths and digits: compare values of outputs, not their text.",
    ),
];

/// All that applies to the program.
pub fn changes(survey: &Survey, translation: &Translation) -> Vec<Change> {
    let mut out = Vec::new();
    let mut add = |subject: &str, count: usize, first: Option<Place>, text: &str| {
        if count > 0 {
            out.push(Change {
                subject: subject.to_owned(),
                count,
                first,
                text: text.to_owned(),
            });
        }
    };
    for (name, text) in OF_SURVEY {
        let tables = [&survey.features, &survey.remarks];
        let count = tables.iter().find_map(|t| t.get(name));
        let first = Place::first(survey, name);
        add(name, count.copied().unwrap_or_default(), first, text);
    }
    let loops = survey.cuf_loops.found + survey.acc_kernels.found;
    let device = survey.kernels.found + loops;
    add(
        "kernels, CUF loops, and OpenACC constructs",
        device,
        None,
        "nvcc fuses multiplies and adds differently from nvfortran and has its own math functions, so results may differ in the last digits. `--fmad=off` disables fusing, as on the cpu target.",
    );
    add(
        "CUF loops and OpenACC constructs",
        loops,
        None,
        "Where they are reductions, they add in another order: last digits of sums differ.",
    );
    match translation.dialect.memory {
        MemoryMode::Separate => {}
        MemoryMode::Managed => add(
            "--mem=managed",
            1,
            None,
            "Allocated data is managed. The device has to let the host touch it while kernels run; where it does not, the program stops with a message.",
        ),
        MemoryMode::Unified => add(
            "--mem=unified",
            1,
            None,
            "Device code can access all host data. If the GPU cannot access pageable memory, the first launch stops the program with a message.",
        ),
    }
    let skipped = translation.report.skipped.iter();
    let lost = skipped.filter(|s| s.cuda_fortran && s.first <= s.last);
    add(
        "branches not taken that look like CUDA Fortran",
        lost.count(),
        None,
        "Not translated: translate once more with the macros of each build that is used.",
    );
    out
}
