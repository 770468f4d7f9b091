//! What the options of a compiler change in the meaning of a program.

/// Where host data without a memory attribute lives (guide 2.15, `-gpu=mem:`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MemoryMode {
    /// In host memory, which device code does not reach.
    #[default]
    Separate,
    /// What ALLOCATE gives is managed memory; all else is in host memory.
    Managed,
    /// Device code reaches all memory of the process.
    Unified,
}

impl MemoryMode {
    /// As its option has it.
    pub fn name(self) -> &'static str {
        match self {
            MemoryMode::Separate => "separate",
            MemoryMode::Managed => "managed",
            MemoryMode::Unified => "unified",
        }
    }
}

/// The language that the sources are written in: kinds of types without a kind, and the memory mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialect {
    pub memory: MemoryMode,
    /// Kind of default reals: 4 or 8. Double precision has 8 whatever this is.
    pub real: u8,
    /// A backslash in a character constant begins an escape sequence, as gfortran's -fbackslash has them.
    pub escapes: bool,
    /// OpenACC directives count.
    pub openacc: bool,
}

impl Dialect {
    /// That of a program for which no option is given.
    pub const USUAL: Dialect = Dialect {
        memory: MemoryMode::Separate,
        real: 4,
        escapes: true,
        openacc: false,
    };
}

impl Default for Dialect {
    fn default() -> Self {
        Dialect::USUAL
    }
}
