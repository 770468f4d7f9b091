//! Device IR: what a `.cu`/`.cuh` pair contains, typed and without text.
//!
//! Expressions are owned trees, typed on every node, without implicit conversions that C++ would do differently.
//! They have no side effects, except calls of the user's procedures; statements are executed in order. Names are
//! final C++ identifiers (keywords and collisions are already avoided); spelling of operators, types, precedence and
//! layout is the printer's business (`emit::cpp`). What holds for every unit says [`validate`].

mod barrier_free;
mod build;
mod class;
pub mod function;
pub mod names;
mod origin;
mod place;
pub mod print;
pub mod validate;
mod visit;

pub use barrier_free::{BarrierFreeKernel, Guarded};
pub use class::{Class, Fragment, FragmentRole, Generator, Group, IndexType};
pub use function::{Callee, Function, Method, ReductionOp};
pub use origin::{Named, Origin};

/// The device code of one source file.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    /// Path below the output folder without extension: the output files are `<stem>.cu` and `<stem>.cuh`.
    pub stem: String,
    /// File name as given, for the head comment.
    pub source: String,
    /// Stems of the headers of used modules that stand in other files.
    pub includes: Vec<String>,
    /// Likewise of this file's submodules in other files: included at the end of the header.
    pub late_includes: Vec<String>,
    /// Runtime headers beyond `cuf.cuh` (for example of device libraries).
    pub extra_headers: Vec<String>,
    /// Device procedures of other languages, declared `extern "C"`.
    pub externals: Vec<Proc>,
    /// One per module, program or external procedure that has device code, in source order.
    pub namespaces: Vec<Namespace>,
    pub launchers: Vec<Launcher>,
    /// The header of another unit includes this one's.
    pub is_included: bool,
}

impl Unit {
    /// The members of all namespaces, with the names of these.
    pub fn members(&self) -> impl Iterator<Item = (&str, &Item)> {
        self.namespaces.iter().flat_map(|n| {
            let items = n.header.iter().chain(&n.source);
            items.map(|i| (n.name.as_str(), i))
        })
    }

    /// There is something to compile.
    pub fn has_source(&self) -> bool {
        !self.launchers.is_empty() || self.namespaces.iter().any(|n| !n.source.is_empty())
    }

    /// There is something to declare in a header.
    pub fn has_header(&self) -> bool {
        self.is_included
            || !self.externals.is_empty()
            || self.namespaces.iter().any(|n| !n.header.is_empty())
    }

    /// Nothing to compile and nothing to include.
    pub fn is_empty(&self) -> bool {
        self.launchers.is_empty()
            && self
                .namespaces
                .iter()
                .all(|n| n.header.is_empty() && n.source.is_empty())
    }
}

/// A C++ namespace: the device code of one program unit.
#[derive(Clone, Debug, Default)]
pub struct Namespace {
    pub name: String,
    /// Comments above the unit.
    pub doc: Notes,
    /// In the `.cuh`: types, constants, declarations of data, device procedures.
    pub header: Vec<Item>,
    /// In the `.cu`: definitions of data, kernels.
    pub source: Vec<Item>,
}

/// A namespace member.
#[derive(Clone, Debug)]
pub struct Item {
    pub kind: ItemKind,
    pub notes: Notes,
    /// Its declaration, or the opening statement.
    pub origin: Origin,
}

#[derive(Clone, Debug)]
pub enum ItemKind {
    Struct(Struct),
    /// `constexpr` scalar, or a constant table (`__device__ const`).
    Constant {
        name: String,
        ty: Type,
        value: Expr,
    },
    Variable(GlobalVariable),
    Prototype(Proc),
    Proc(Proc),
    Operation(Operation),
}

/// What a statement or function reference of host code computes with whole arrays of the device: a structure of its operands, whose
/// parts give the value, the mask and so on at a position.
#[derive(Clone, Debug)]
pub struct Operation {
    pub name: String,
    /// Dimensions of its positions.
    pub rank: usize,
    /// Of a product: dimensions of its factors.
    pub factors: Option<(usize, usize)>,
    pub fields: Vec<Param>,
    /// Groups of operands that are arrays, as the runtime knows them: `arrays`, or `left` and `right` of a product.
    pub arrays: Vec<(&'static str, Vec<String>)>,
    /// `value`, `mask`, ... and what computes them.
    pub parts: Vec<(&'static str, Part)>,
}

/// A part of an [`Operation`] at a position.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// What a function of its namespace gives.
    Function(String),
    /// The element of an operand.
    Element(String),
    /// The result itself that the runtime has computed for the position (of a product, along a dimension).
    Result,
}

/// A derived type.
#[derive(Clone, Debug)]
pub struct Struct {
    pub name: String,
    pub fields: Vec<StructField>,
}

#[derive(Clone, Debug)]
pub struct StructField {
    pub name: String,
    pub ty: Type,
    /// Default initialisation.
    pub init: Option<Expr>,
    /// Declared together with the one before, with the same type.
    pub joined: bool,
    pub notes: Notes,
    pub origin: Origin,
}

/// A module variable in device or constant memory.
#[derive(Clone, Debug)]
pub struct GlobalVariable {
    pub name: String,
    pub ty: Type,
    pub space: GlobalSpace,
    pub init: Option<Expr>,
    /// Declaration only (`extern`).
    pub is_extern: bool,
    /// Where the line of the source begins that declares it.
    pub line: u32,
}

impl GlobalVariable {
    /// One line declares both: the source has them on one, with one type.
    pub fn is_beside(&self, next: &GlobalVariable) -> bool {
        let plain = self.init.is_none() && next.init.is_none();
        plain
            && self.line == next.line
            && self.ty == next.ty
            && self.space == next.space
            && self.is_extern == next.is_extern
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GlobalSpace {
    Device,
    Constant,
    Managed,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Proc {
    pub name: String,
    /// The name by which CUDA C++ of the program's own can launch the kernel (BIND(C)); `name` stands for it in the namespace.
    pub c_name: Option<String>,
    /// What is said about parameters that have no declaration in the body.
    pub remarks: Vec<String>,
    pub kind: ProcKind,
    pub result: Type,
    pub params: Vec<Param>,
    pub body: Vec<Stmt>,
    /// Of parameters and locals.
    pub names: Vec<Named>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProcKind {
    /// `__global__`.
    Kernel {
        /// The values of `launch_bounds` (empty: none).
        bounds: Vec<i64>,
        /// Parameters that are arrays with bounds of their own.
        arrays: Vec<ArrayParam>,
        /// A template over the type of index arithmetic.
        indexed: bool,
    },
    Device,
    HostDevice,
}

#[derive(Clone, Debug)]
pub struct Param {
    pub name: String,
    pub ty: Type,
}

/// The names under which a kernel takes an array apart: `T* pointer, cuf::layout<rank, index_type> layout`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayParam {
    pub name: String,
    pub pointer: String,
    pub layout: String,
    /// No other parameter may alias it.
    pub restrict: bool,
}

/// Comments and blank lines that travel with an item or a statement.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    /// Own-line comments above, without the `!`; None is a blank line between comments.
    pub above: Vec<Option<String>>,
    /// Comment at the end of the line, without the `!`; of a construct at the end of its first line.
    pub trailing: Option<String>,
    /// Comment at the end of a construct's last line, without the `!`.
    pub closing: Option<String>,
    /// The source has a blank line before this (and its comments).
    pub blank_before: bool,
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub notes: Notes,
    /// Offset in the source of the statement that this one comes from, for tables of lines.
    pub at: Option<u32>,
    /// That statement.
    pub origin: Origin,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    Declare(Declare),
    Assign {
        lhs: Expr,
        rhs: Expr,
    },
    /// `lhs op= rhs` is not used for the user's statements, only for generated accumulations.
    Expr(Expr),
    If {
        branches: Vec<(Expr, Vec<Stmt>)>,
        otherwise: Option<Vec<Stmt>>,
    },
    For(Box<For>),
    ForEach(Box<ForEach>),
    /// A condition of None loops forever.
    While {
        cond: Option<Expr>,
        body: Vec<Stmt>,
    },
    /// Each case has constant values; no fall through.
    Switch {
        selector: Expr,
        cases: Vec<(Vec<Expr>, Vec<Stmt>, Notes)>,
        default: Option<(Vec<Stmt>, Notes)>,
    },
    Block(Vec<Stmt>),
    /// Leaves the innermost loop or switch.
    Break,
    Continue,
    Goto(String),
    Label(String),
    Return(Option<Expr>),
    /// Only comments.
    Empty,
}

/// Declaration of locals of one type.
#[derive(Clone, Debug)]
pub struct Declare {
    pub ty: Type,
    pub qualifier: Qualifier,
    pub names: Vec<Declarator>,
    /// May be unused or only written: `[[maybe_unused]]`.
    pub maybe_unused: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Qualifier {
    #[default]
    None,
    Shared,
    /// Shared, aligned as the loads and stores of tensor cores want it (32 bytes).
    SharedTile,
    Const,
    Constexpr,
}

#[derive(Clone, Debug)]
pub struct Declarator {
    pub name: String,
    pub init: Init,
}

#[derive(Clone, Debug)]
pub enum Init {
    None,
    /// `name = value`
    Value(Expr),
    /// `name(args)`
    Args(Vec<Expr>),
    /// `name{}`: default member initialisers.
    Default,
}

/// `for (var = from; cond; step)`
#[derive(Clone, Debug)]
pub struct For {
    /// Loop variable; declared in the loop if `declare` has a type.
    pub var: String,
    pub declare: Option<Type>,
    /// None: no initialisation.
    pub from: Option<Expr>,
    pub cond: Expr,
    pub step: Step,
    pub body: Vec<Stmt>,
}

#[derive(Clone, Debug)]
pub enum Step {
    /// `++var`, `--var`, `var += n`, `var -= n`
    By(i64),
    /// `var += e`
    Expr(Expr),
    /// `--count, var += e`
    Counted { count: String, by: Expr },
}

/// `for (var : range)`
#[derive(Clone, Debug)]
pub struct ForEach {
    /// Several: `auto [a, b]`, the elements of the range are tuples.
    pub vars: Vec<String>,
    pub ty: Type,
    pub range: Expr,
    /// The body does not mention the only variable.
    pub maybe_unused: bool,
    pub body: Vec<Stmt>,
}

/// A possibly qualified identifier.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ident {
    pub space: Namespaces,
    pub name: String,
}

/// Where an identifier is declared.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Namespaces {
    /// Found by unqualified lookup: locals, members of the namespace, kernels of other languages.
    Local,
    /// The namespace of a program unit.
    Unit(String),
}

/// A C++ type.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    /// Not known: an error of the lowering, which [`validate`] finds.
    Unknown,
    Void,
    /// Type deduced from the initialiser.
    Auto,
    Bool,
    /// Bytes.
    Int(u8),
    /// CUDA's unsigned built-in variables, and 32-bit arithmetic that wraps around.
    Uint,
    /// 64-bit arithmetic that wraps around.
    Ulong,
    Real(u8),
    Complex(u8),
    /// LOGICAL in memory, by bytes.
    Logical(u8),
    Character(i64),
    /// Characters whose number is known at run time only; a variable of this type owns them.
    Text,
    Derived(Ident),
    /// A class of CUDA or the runtime.
    Class(Class),
    Const(Box<Type>),
    /// `T*`, with `__restrict__` if no other dummy may alias it.
    Pointer {
        to: Box<Type>,
        restrict: bool,
    },
    Ref(Box<Type>),
    /// Contiguous, bounds known at run time.
    Array {
        elem: Box<Type>,
        rank: usize,
    },
    /// Strided.
    View {
        elem: Box<Type>,
        rank: usize,
    },
    /// Static storage; each dimension with its bounds.
    Fixed {
        elem: Box<Type>,
        dims: Vec<FixedDim>,
    },
    /// A pointer array component as the host compiler lays it out.
    Descriptor {
        elem: Box<Type>,
        rank: usize,
    },
    /// Storage of its own with bounds known at run time (automatic arrays, temporaries of unknown size, allocatables); of rank 0
    /// an allocatable scalar.
    LocalArray {
        elem: Box<Type>,
        rank: usize,
    },
}

/// A static dimension: bounds as expressions (named constants kept) and as values.
#[derive(Clone, Debug, PartialEq)]
pub struct FixedDim {
    /// None: 1.
    pub lower: Option<Expr>,
    pub upper: Expr,
    pub lo: i64,
    pub hi: i64,
}

impl FixedDim {
    /// Number of elements, never negative.
    pub fn extent(&self) -> i64 {
        (self.hi - self.lo + 1).max(0)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: Type,
    pub line: Line,
    /// The expression of the source, where it is one.
    pub origin: Origin,
}

/// How an operation stands in the source; it makes no other value.
#[derive(Clone, Copy, Debug, Default)]
pub struct Line {
    /// The line ends beside its operator.
    pub broken: bool,
}

impl PartialEq for Line {
    fn eq(&self, _: &Line) -> bool {
        true
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    Int(i128),
    /// 32 bits, as the mask of a warp operation: written in hexadecimal.
    Bits(u32),
    Real(f64),
    Complex(f64, f64),
    Bool(bool),
    /// Character literal.
    Str(String),
    Name(Ident),
    /// `threadIdx.x` and the like: zero-based, unsigned.
    Builtin(Builtin, Axis),
    WarpSize,
    /// How a matrix lies in memory, for the stores and loads of tensor cores.
    MatrixOrder {
        row_major: bool,
    },
    /// `base(subs)`
    Element {
        base: Box<Expr>,
        subs: Vec<Expr>,
    },
    Field {
        base: Box<Expr>,
        name: String,
    },
    Unary {
        op: UnaryOp,
        operand: Box<Expr>,
    },
    Binary {
        op: BinaryOp,
        lhs: Box<Expr>,
        rhs: Box<Expr>,
    },
    /// Conversion to the type of this node.
    Convert(Box<Expr>),
    Call {
        callee: Callee,
        targs: Vec<TemplateArg>,
        args: Vec<Expr>,
    },
    /// `base.name(args)` of a runtime class.
    Method {
        base: Box<Expr>,
        name: Method,
        args: Vec<Expr>,
    },
    /// `cuf::section(base, subs)`
    Section {
        base: Box<Expr>,
        subs: Vec<SectionSub>,
    },
    /// A function as an argument, with trailing arguments bound to it: `[&](auto&&... x) { return f(x..., bound...); }`
    Bound {
        callee: Ident,
        args: Vec<Expr>,
    },
    /// Adds one to a variable; its value afterwards.
    Increment(Box<Expr>),
    AddressOf(Box<Expr>),
    Deref(Box<Expr>),
    Conditional {
        cond: Box<Expr>,
        then: Box<Expr>,
        otherwise: Box<Expr>,
    },
    /// `T{...}`
    Construct(Vec<Expr>),
    /// `T(...)` of a runtime class.
    Object(Vec<Expr>),
    /// `{...}`: initialiser list of an array or structure.
    List(Vec<Expr>),
    Null,
}

#[derive(Clone, Debug, PartialEq)]
pub enum TemplateArg {
    Type(Type),
    Int(i64),
    Operation(ReductionOp),
}

#[derive(Clone, Debug, PartialEq)]
pub enum SectionSub {
    /// Drops the dimension.
    Index(Expr),
    All,
    Slice {
        lo: Box<Expr>,
        hi: Box<Expr>,
        step: Option<Box<Expr>>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builtin {
    ThreadIdx,
    BlockIdx,
    BlockDim,
    GridDim,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Axis {
    X,
    Y,
    Z,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    Neg,
    Plus,
    Not,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    And,
    Or,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
}

/// An `extern "C"` function that the host calls.
#[derive(Clone, Debug)]
pub struct Launcher {
    pub symbol: String,
    /// Threads of the kernel may call procedures that call themselves.
    pub recursive: bool,
    pub kind: LauncherKind,
    pub params: Vec<Param>,
    /// What it launches.
    pub origin: Origin,
}

/// Loops of a kernel in steps of extents of the launch, which has to leave room for them in a default integer.
#[derive(Clone, Debug, PartialEq)]
pub struct Stride {
    /// The loops' limit, in terms of the launcher's parameters.
    pub limit: Expr,
    /// Their step is the product of these.
    pub extents: Vec<(Builtin, Axis)>,
}

#[derive(Clone, Debug)]
pub enum LauncherKind {
    /// Launches the kernel; one argument per kernel parameter.
    Kernel {
        kernel: Ident,
        args: Vec<Expr>,
        cooperative: bool,
        /// Empty: none.
        cluster: Vec<i64>,
        /// `<module>_<kernel>`, the name under which the API finds the kernel.
        registered: String,
        /// Most threads of a block (`launch_bounds`).
        threads: Option<i64>,
        /// The kernel comes in two versions, by the type of index arithmetic.
        indexed: bool,
        /// What the loops of the kernel need of the launch.
        strides: Vec<Stride>,
        /// Bounds of arrays, in terms of the launcher's parameters, that must have few elements for the version with 32 bits.
        few: Vec<Vec<Expr>>,
        /// Host data that OpenACC declares on the device, whose copies there the kernel works on.
        present: Vec<PresentData>,
    },
    /// Launches the kernel of a CUF loop over the iteration space.
    Loop {
        kernel: Ident,
        /// The loop's place in the source and its name, for messages.
        place: String,
        /// Bounds of every loop, outermost first.
        bounds: Vec<Expr>,
        args: Vec<LoopArg>,
        reductions: Vec<LoopReduction>,
        /// A block executes each iteration, not a thread.
        by_block: bool,
        /// A compute construct of OpenACC, which ends when its kernel has.
        is_construct: bool,
        /// Host data whose copies on the device it works on.
        present: Vec<PresentData>,
        /// The kernel comes in two versions, by the type of index arithmetic.
        indexed: bool,
    },
    /// Address of a module variable.
    Address { variable: Ident, managed: bool },
    /// Runs an operation on arrays: `cuf::function<targs>(at, place, operation{fields}, args)`.
    Operation {
        function: ArrayFunction,
        targs: Vec<ArrayArg>,
        /// None where the function needs no operands.
        operation: Option<(Ident, Vec<Expr>)>,
        args: Vec<Expr>,
        /// The statement's place in the source, for messages.
        place: String,
        /// `Void` for a statement.
        result: Type,
    },
}

/// Functions of the runtime that work on whole arrays (`runtime-headers/device/arrays`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrayFunction {
    /// Elements of a target become values.
    Assign,
    /// One value of all elements.
    Reduce,
    /// One value of each line along a dimension.
    ReduceAlong,
    /// Place of an element, from 1 in array element order; 0: none.
    Locate,
    LocateAlong,
    Pack,
    Unpack,
    Prefix,
    Product,
    /// Of factors that are plain arrays of a type of cuBLAS.
    MatrixProduct,
    RandomNumbers,
    Sort,
}

/// A template argument of an [`ArrayFunction`].
#[derive(Clone, Debug, PartialEq)]
pub enum ArrayArg {
    /// Where the target lies.
    Device,
    Managed,
    Host,
    /// How values are combined; the type is that of the values, of COUNT that of the result.
    Fold(Fold, Type),
    Type(Type),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    Sum,
    Product,
    Any,
    All,
    Count,
    Maxval,
    Minval,
    Maxloc,
    Minloc,
}

#[derive(Clone, Debug)]
pub enum LoopArg {
    Value(Expr),
    /// The device side of `reductions[i]`.
    Reduction(usize),
}

/// Host data of which a launcher finds the copy on the device.
#[derive(Clone, Debug)]
pub struct PresentData {
    /// What the launcher calls the copy.
    pub name: String,
    pub ty: Type,
    pub is_array: bool,
    /// Static data that a directive declares on the device.
    pub is_declared: bool,
    /// The host data: a descriptor, or an address.
    pub host: Expr,
    /// As the source names it, for messages.
    pub designator: String,
}

/// A reduction of a CUF loop.
#[derive(Clone, Debug)]
pub struct LoopReduction {
    /// Name of the host object.
    pub name: String,
    pub ty: Type,
    pub op: ReductionOp,
    /// Pointer to the variable.
    pub target: Expr,
}
