//! What a newcomer has to know of each construct: the one table behind `cuf2cu view --lesson` and the list in docs/reading.md.

use crate::map::Rule;

/// A construct and what there is to know of it. It is told where the rule first made something.
#[derive(Clone, Copy, Debug)]
pub struct Lesson {
    pub rule: Rule,
    pub title: &'static str,
    /// One or two sentences.
    pub text: &'static str,
    /// Sections of NVIDIA's CUDA Fortran guide; empty where it is a matter of the two languages.
    pub guide: &'static str,
}

const fn new(rule: Rule, title: &'static str, guide: &'static str, text: &'static str) -> Lesson {
    Lesson {
        rule,
        title,
        text,
        guide,
    }
}

/// In the order in which a reader meets them.
pub const LESSONS: &[Lesson] = &[
    new(
        Rule::Kernel,
        "Kernels",
        "2.2",
        "A procedure with `attributes(global)` runs on the GPU, once for every thread of the launch. In CUDA C++ it is a `__global__` function.",
    ),
    new(
        Rule::DeviceProcedure,
        "Device procedures",
        "2.5",
        "`attributes(device)` marks what kernels call: a `__device__` function, which the host cannot call.",
    ),
    new(
        Rule::ThreadIndex,
        "Threads from 1 and from 0",
        "2.8",
        "Fortran counts threads and blocks from 1, CUDA C++ from 0. So a 1 is added or taken away, and `(blockIdx%x - 1)*blockDim%x + threadIdx%x` becomes \
         `blockIdx.x * blockDim.x + threadIdx.x + 1`.",
    ),
    new(
        Rule::Element,
        "Column-major views",
        "",
        "Fortran stores a matrix column by column and lets bounds begin anywhere; C++ does neither. An array arrives as a pointer, and a view such as `cuf::array<float, 2>` \
         gives it back its bounds: `a(i, j)` is the element that Fortran means.",
    ),
    new(
        Rule::SharedVariable,
        "Shared memory",
        "3.2.6",
        "A `shared` variable exists once for each block of threads and is gone when the block ends: `__shared__` in C++. Its threads see each other's stores after a barrier.",
    ),
    new(
        Rule::Synchronise,
        "Barriers",
        "3.6.4",
        "`call syncthreads()` lets no thread of the block go on before all have come to it. Every thread of the block has to reach it.",
    ),
    new(
        Rule::Atomic,
        "Atomic functions",
        "3.6.7",
        "When several threads change one variable, each change has to be one step. An atomic function reads, changes and stores without another thread in between.",
    ),
    new(
        Rule::ModuleVariable,
        "Device and constant data of a module",
        "2.12",
        "A module's `device` or `constant` variable lives on the GPU for the whole program. Kernels use it by name; the host assigns to it, which is a copy.",
    ),
    new(
        Rule::Attributes,
        "Device data in host code",
        "3.2.1",
        "`device` says that the data lies in the GPU's memory. Host code holds only its address and bounds: a pointer whose target it never touches.",
    ),
    new(
        Rule::Allocation,
        "Allocating on the GPU",
        "3.3.1",
        "ALLOCATE of a device array takes memory of the GPU; the statement is the same, the memory is not.",
    ),
    new(
        Rule::Transfer,
        "Blocking transfers",
        "3.4.1",
        "An assignment between host and device data copies it over the bus, and the next statement waits until that is done.",
    ),
    new(
        Rule::Launch,
        "Chevrons",
        "2.9",
        "`<<<grid, block>>>` says how many blocks of how many threads run the kernel. The call returns at once: the kernel runs while the host goes on.",
    ),
    new(
        Rule::CufLoop,
        "CUF loops",
        "2.11",
        "`!$cuf kernel do` makes a kernel of the loops below it. Their iterations run in any order and at the same time, so none may need what another one computes.",
    ),
    new(
        Rule::Reduction,
        "Reductions",
        "2.11.3",
        "A scalar to which all iterations add (or of which they take the maximum) is combined from the threads' own sums when the loop ends.",
    ),
    new(
        Rule::HostArrayOperation,
        "Operations on whole arrays",
        "3.9",
        "`sum(a_d)` or `a_d = b_d + c_d` on device arrays runs on the GPU; only the result of a reduction comes to the host.",
    ),
    new(
        Rule::RuntimeCall,
        "The runtime API",
        "4",
        "Names that begin with `cuda` are calls of the CUDA runtime: devices, streams, events, copies. Each gives a status, 0 if all is well.",
    ),
    new(
        Rule::Shim,
        "Between the languages",
        "",
        "The host is Fortran, the kernels are C++. An interface with `bind(C)` lets Fortran call the C function that starts a kernel.",
    ),
];

/// The lesson of a rule.
pub fn lesson(rule: Rule) -> Option<&'static Lesson> {
    LESSONS.iter().find(|l| l.rule == rule)
}

/// The table as docs/reading.md has it.
pub fn document() -> String {
    let mut out = String::new();
    for l in LESSONS {
        let guide = match l.guide {
            "" => String::new(),
            section => format!(" (guide {section})"),
        };
        out += &format!("- **{}**{guide}: {}\n", l.title, l.text);
    }
    out
}
