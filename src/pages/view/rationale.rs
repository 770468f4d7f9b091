//! Why a rule made what it made, where that is a decision: what a reader asks who would have written it otherwise.

use crate::map::Rule;

/// Why, and what nvfortran would do with the same statement.
#[derive(Clone, Copy, Debug)]
pub struct Note {
    pub rule: Rule,
    pub why: &'static str,
    /// Empty where it does the same.
    pub nvfortran: &'static str,
}

/// The decision behind a rule; None where there is only one way to say it.
pub fn note(rule: Rule) -> Option<&'static Note> {
    NOTES.iter().find(|n| n.rule == rule)
}

const fn new(rule: Rule, why: &'static str, nvfortran: &'static str) -> Note {
    Note {
        rule,
        why,
        nvfortran,
    }
}

const NOTES: &[Note] = &[
    new(
        Rule::Attributes,
        "Why a pointer: the target is in the device's memory, so the Fortran compiler must not allocate it, and a pointer keeps bounds, sections and \
         passing as they are. Host code never follows it.",
        "keeps a descriptor of its own for data with the attribute device.",
    ),
    new(
        Rule::HostTemporary,
        "Why a temporary: the value is needed more than once, or before the statement that uses it runs; computing it twice could call a function twice.",
        "makes such temporaries, too, without showing them.",
    ),
    new(
        Rule::CopyIn,
        "Why a copy: the statement works on device data with what only the host can do. The data comes to the host, and goes back only if the \
         statement may change it.",
        "refuses some of these statements, and runs others over managed or copied memory.",
    ),
    new(
        Rule::HostRead,
        "Why a copy: an expression of host code cannot read device memory. The part that is read is copied, and the statement waits for it.",
        "copies the data in the same place.",
    ),
    new(
        Rule::Transfer,
        "Why a call: the assignment crosses the border between two memories. The call says the direction; sections with gaps are copied in the fewest pieces.",
        "calls its runtime for the same copy, which blocks the host as this one does.",
    ),
    new(
        Rule::HostArrayOperation,
        "Why a kernel: an expression of whole device arrays would otherwise be copied to the host element by element.",
        "evaluates such expressions on the device as well, for the intrinsics that its module of tensor operations knows.",
    ),
    new(
        Rule::ArrayOperation,
        "Why a structure: the runtime walks over the positions, and the structure computes the element at one of them, so that no array is made for a part \
         of the expression.",
        "",
    ),
    new(
        Rule::CufLoop,
        "Why a grid-stride loop: the grid need not have a thread for each iteration, and the loop is right for every configuration.",
        "chooses grid and block for `*` by rules that it does not state; iterations are the same.",
    ),
    new(
        Rule::Reduction,
        "Why this reduction: each thread combines its iterations, blocks combine their threads in a tree of fixed shape, and the blocks' results are combined in \
         the order of the blocks. No atomics: the same run gives the same bits.",
        "combines in an order of its own, so that the last bits of a sum may differ.",
    ),
    new(
        Rule::Captured,
        "Scalars go by value, so that all threads see what they were at the launch; arrays go by address with their bounds.",
        "",
    ),
    new(
        Rule::Narrow,
        "Why two versions: subscripts of 32 bits take fewer registers and instructions. The launcher takes them only if all bounds, strides and trip counts allow it.",
        "computes subscripts in 64 bits unless it can prove that 32 are enough.",
    ),
    new(
        Rule::FromZero,
        "The 1 that Fortran adds to a thread's index is the lower bound of the array that it indexes: both are left out.",
        "",
    ),
    new(
        Rule::Wrap,
        "Why unsigned: the program relies on integers that wrap around, as hashes and random generators do. In C++ a signed overflow has no meaning, unsigned arithmetic wraps.",
        "compiles integer arithmetic so that it wraps.",
    ),
    new(
        Rule::Tidy,
        "Why a name: the value is used more than once, or the order of evaluation matters.",
        "",
    ),
    new(
        Rule::Owner,
        "Why procedures: Fortran copies and frees components by itself, but not memory of the device. These procedures do it where the language would.",
        "has allocatable device components in its own runtime.",
    ),
    new(
        Rule::ScopeExit,
        "Device memory of a local variable is freed where control leaves the procedure, on every way out.",
        "frees it at the same places.",
    ),
    new(
        Rule::KernelProcedure,
        "Why it stays: the kernel keeps its name as a procedure of its module, so that ONLY lists, renames, generics and visibility work as they did.",
        "",
    ),
    new(
        Rule::LauncherCheck,
        "What cannot be known here is asked at each launch, on the host, where it costs nothing that a kernel would notice.",
        "",
    ),
    new(
        Rule::ArrayAssignment,
        "Why a loop: each thread assigns the elements itself. A temporary is made only where the right side may read what the left side has overwritten.",
        "does the same; its temporaries for device code come from the heap.",
    ),
    new(
        Rule::Purity,
        "A procedure that calls the runtime has an effect that Fortran does not allow a pure one.",
        "accepts device data in pure procedures.",
    ),
    new(
        Rule::Interface,
        "Host Fortran does not tell procedures apart by where their arguments lie, so they get names of their own and calls name the one that was meant.",
        "resolves generics by the memory of the arguments.",
    ),
    new(
        Rule::ControlFlow,
        "The statement became several, which a one-line IF cannot hold.",
        "",
    ),
    new(
        Rule::Dialect,
        "gfortran does not take what stood here; it is written as the standard has it.",
        "takes it as an extension.",
    ),
    new(
        Rule::Allocation,
        "The memory is the device's: the runtime allocates it and gives the pointer its bounds. STAT= and ERRMSG= are what they would be.",
        "calls its own runtime for the same allocation.",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_note_for_a_rule() {
        let mut rules: Vec<Rule> = NOTES.iter().map(|n| n.rule).collect();
        rules.sort();
        rules.dedup();
        assert_eq!(rules.len(), NOTES.len());
    }
}
