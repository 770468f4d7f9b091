//! Programs of threads: statements between barriers, barriers, and what goes around them.

/// A numeric type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ty {
    I4,
    I8,
    R4,
    R8,
}

pub const TYPES: [Ty; 4] = [Ty::I4, Ty::I8, Ty::R4, Ty::R8];

impl Ty {
    pub fn declared(self) -> &'static str {
        match self {
            Ty::I4 => "integer",
            Ty::I8 => "integer(8)",
            Ty::R4 => "real",
            Ty::R8 => "real(8)",
        }
    }

    pub fn bytes(self) -> usize {
        match self {
            Ty::I4 | Ty::R4 => 4,
            Ty::I8 | Ty::R8 => 8,
        }
    }

    pub fn literal(self, value: i64) -> String {
        match self {
            Ty::I4 => value.to_string(),
            Ty::I8 => format!("{value}_8"),
            Ty::R4 => format!("{value}.0"),
            Ty::R8 => format!("{value}d0"),
        }
    }

    /// The text as a value of this type.
    pub fn of(self, from: Ty, text: &str) -> String {
        match self {
            _ if self == from => text.to_owned(),
            Ty::I4 => format!("int({text})"),
            Ty::I8 => format!("int({text}, 8)"),
            Ty::R4 => format!("real({text})"),
            Ty::R8 => format!("real({text}, 8)"),
        }
    }

    /// The text reduced to a magnitude that sums and small multiples keep exact.
    pub fn wrapped(self, text: &str) -> String {
        match self {
            Ty::I4 => format!("iand({text}, 1023)"),
            Ty::I8 => format!("iand({text}, 1023_8)"),
            Ty::R4 => format!("mod({text}, 512.0)"),
            Ty::R8 => format!("mod({text}, 512d0)"),
        }
    }
}

/// How a dummy array is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    AssumedShape,
    Explicit,
    AssumedSize,
}

/// How a scalar comes into a device procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passing {
    /// No attribute: by reference.
    Plain,
    IntentIn,
    Value,
    Optional,
}

/// Where data lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Shared memory of fixed size.
    Shared,
    /// Dynamic shared memory: an automatic array.
    SharedAutomatic,
    /// Dynamic shared memory: `s(*)`.
    SharedAssumedSize,
    /// A dummy of the kernel, or of a device procedure.
    Dummy(Form),
    /// A scalar dummy of a device procedure.
    Scalar(Passing),
    /// A device array of a module.
    Module { allocatable: bool },
    /// An associate name.
    Alias,
}

/// How slots of threads become subscripts. Slots count from 1 to the number of threads of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// One dimension with this lower bound.
    Plain { lower: i64 },
    /// Every second element of one dimension.
    Stride,
    /// Two dimensions as the block has them, with a padded first one.
    Tile { nx: i64, pad: i64 },
    /// A scalar.
    Scalar,
}

/// Data that threads of a block or a grid have in common.
#[derive(Clone, Debug)]
pub struct Item {
    pub name: String,
    pub ty: Ty,
    pub place: Place,
    pub layout: Layout,
    /// A part for each block: slots of other blocks can be named.
    pub grid: bool,
    pub constant: bool,
    pub volatile: bool,
    /// Its elements do not lie side by side: only assumed-shape dummies take it.
    pub gapped: bool,
}

pub type ItemId = usize;
pub type RegId = usize;

/// A variable that every thread has for itself.
#[derive(Clone, Debug)]
pub struct Reg {
    pub name: String,
    pub ty: Ty,
}

/// Which threads touch which slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// Each thread one slot; the same number is the same permutation, 0 the identity.
    Own(i64),
    /// This thread alone.
    Leader(i64),
    /// Any slot of the warp.
    Warp,
    /// Any slot of the block.
    Block,
    /// Any slot of the grid.
    Grid,
}

/// A slot.
#[derive(Clone, Debug)]
pub struct Index {
    pub slot: Box<Expr>,
    /// The number of the block from 0, if not that of the thread.
    pub block: Option<Box<Expr>>,
    pub pattern: Pattern,
}

#[derive(Clone, Debug)]
pub enum Expr {
    Number(Ty, i64),
    /// The thread in the block, from 1.
    Thread,
    /// The block, from 1.
    Block,
    /// Threads of a block.
    Threads,
    /// A variable that all threads have with the same value: of a loop, a value dummy.
    Uniform(String),
    Reg(RegId),
    Element(ItemId, Index),
    Present(ItemId),
    /// An operator between two operands, in parentheses.
    Binary(&'static str, Box<Expr>, Box<Expr>),
    Call(&'static str, Vec<Expr>),
    Convert(Ty, Ty, Box<Expr>),
    Wrapped(Ty, Box<Expr>),
}

impl Expr {
    pub fn int(value: i64) -> Expr {
        Expr::Number(Ty::I4, value)
    }

    pub fn binary(self, op: &'static str, right: Expr) -> Expr {
        Expr::Binary(op, Box::new(self), Box::new(right))
    }
}

#[derive(Clone, Debug)]
pub enum Target {
    Reg(RegId),
    Element(ItemId, Index),
}

/// A statement of one thread.
#[derive(Clone, Debug)]
pub enum Stmt {
    Set(Target, Expr),
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    For(String, Expr, Expr, Vec<Stmt>),
    Atomic(&'static str, ItemId, Index, Expr),
    /// Adds a value to a column of the results.
    Out(usize, Expr),
}

/// The threads that a barrier joins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Thread,
    Warp,
    Block,
    Grid,
}

/// What threads of a warp or block find out together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collective {
    Count,
    And,
    Or,
    ShuffleXor(i64),
    ShuffleUp(i64),
    ShuffleDown(i64),
    Shuffle(i64),
    Ballot,
    Any,
    All,
    Match,
}

impl Collective {
    /// The thread whose value a shuffle takes (from 0), where a short last warp may not have it: the value is undefined then,
    /// and the statement has to give another in its place.
    pub fn source(self) -> Option<Expr> {
        let from = Expr::Thread.binary("-", Expr::int(1));
        match self {
            Collective::ShuffleXor(k) => Some(Expr::Call("ieor", vec![from, Expr::int(k)])),
            Collective::ShuffleDown(k) => Some(from.binary("+", Expr::int(k))),
            Collective::Shuffle(k) => {
                let warp = Expr::Call("iand", vec![from, Expr::int(-32)]);
                Some(warp.binary("+", Expr::int(k - 1)))
            }
            _ => None,
        }
    }
}

/// What a dummy argument is associated with.
#[derive(Clone, Debug)]
pub enum Actual {
    /// An array as a whole.
    Whole(ItemId),
    /// The part of the block.
    Part(ItemId),
    /// The part of the block, by its first element.
    First(ItemId),
    /// Every second element.
    Strided(ItemId),
    Element(ItemId, Index),
    Value(Expr),
    Reg(RegId),
    Absent,
}

#[derive(Clone, Debug)]
pub enum Dummy {
    Item(ItemId),
    Reg(RegId),
}

/// Something that all threads of a block come to.
#[derive(Clone, Debug)]
pub enum Node {
    /// `disjoint`: the statement is known to have no races within itself.
    Each {
        stmt: Stmt,
        disjoint: bool,
    },
    /// `placed`: it had to be there.
    Sync {
        level: Level,
        flavour: u8,
        placed: bool,
    },
    Fence(u8),
    Loop {
        var: String,
        last: Expr,
        body: Vec<Node>,
    },
    /// Ends the loop.
    ExitIf(Expr),
    If {
        condition: Expr,
        then: Vec<Node>,
        otherwise: Vec<Node>,
    },
    Collective {
        what: Collective,
        result: RegId,
        value: Expr,
        ty: Ty,
    },
    Call {
        procedure: usize,
        actuals: Vec<Actual>,
        result: Option<RegId>,
    },
    Associate {
        alias: ItemId,
        actual: Actual,
        body: Vec<Node>,
    },
    /// Between blocks without a grid barrier.
    Blocks {
        how: Blocks,
        data: ItemId,
        flag: ItemId,
        result: ItemId,
        value: RegId,
    },
}

/// How blocks agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocks {
    /// The block that comes last adds what all have left.
    Last,
    /// Each waits for the sum of those before it.
    Chain,
    /// A lock around a sum.
    Lock,
}

#[derive(Clone, Debug)]
pub struct Procedure {
    pub name: String,
    pub dummies: Vec<Dummy>,
    /// The result, of a function.
    pub result: Option<RegId>,
    pub regs: Vec<RegId>,
    pub first: Vec<Node>,
    pub body: Vec<Node>,
    /// Stands in the other file.
    pub elsewhere: bool,
}

#[derive(Clone, Debug)]
pub struct Kernel {
    pub name: String,
    pub grid: bool,
    pub items: Vec<ItemId>,
    pub regs: Vec<RegId>,
    /// First values of shared data and registers.
    pub first: Vec<Node>,
    pub body: Vec<Node>,
    /// What the thread leaves in the columns of `out`.
    pub last: Vec<Node>,
}

#[derive(Clone, Debug)]
pub enum Step {
    /// A kernel and its value argument.
    Launch(usize, i64),
    /// A CUF loop over global arrays, with a device function.
    Loop { to: ItemId, from: ItemId, add: i64 },
}

#[derive(Clone, Debug)]
pub struct Case {
    pub seed: u64,
    /// Names the program in the sources and the results: the seed, or a number while it is made smaller.
    pub number: u64,
    /// Extents of a block.
    pub block: [i64; 3],
    pub blocks: i64,
    pub items: Vec<Item>,
    pub regs: Vec<Reg>,
    pub procedures: Vec<Procedure>,
    pub kernels: Vec<Kernel>,
    pub steps: Vec<Step>,
    /// Loop variables made.
    pub loops: usize,
}

/// Columns of the array of results.
pub const COLUMNS: usize = 6;
/// The array of results.
pub const OUT: ItemId = 0;

impl Case {
    /// Whether a shuffle takes the value of a thread that does not exist.
    pub fn absent(&self, what: Collective) -> Option<Expr> {
        let source = what.source().filter(|_| self.threads() % 32 != 0)?;
        Some(source.binary(">=", Expr::Threads))
    }

    pub fn threads(&self) -> i64 {
        self.block.iter().product()
    }
}
