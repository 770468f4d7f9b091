//! Executable statements and constructs.

use super::{Arg, ArraySpec, Decl, Expr, Name, Span, TypeSpec};

/// A statement or construct. For a construct the span runs from its first to its last statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    /// Without label and construct name.
    pub span: Span,
    pub label: Option<Label>,
    /// Construct name (`outer: do ...`).
    pub name: Option<Box<Name>>,
    /// The directive before it that says how threads share it.
    pub directive: Option<Box<Directive>>,
}

/// A directive before a statement of device code, which is a comment for the host.
#[derive(Clone, Debug)]
pub enum Directive {
    /// `!$cuf loop` before a DO construct: the clauses are those of the kernel, whose `body` is None.
    Loop {
        level: LoopLevel,
        clauses: CufKernel,
    },
    /// `!$cuf atomic` before an assignment.
    Atomic(Atomic),
}

/// Who shares the iterations of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopLevel {
    /// Nobody: each thread executes all.
    Seq,
    /// The workers of a block.
    Worker,
    /// The threads of a block.
    Vector,
}

/// What is done in one step.
#[derive(Clone, Debug)]
pub enum Atomic {
    Update,
    Read,
    Write,
    /// `atomic capture` before the first of two assignments; the second one.
    Capture(Box<Stmt>),
    /// The second assignment of a capture.
    Captured,
}

impl Stmt {
    /// The statement with its construct name, without its label.
    pub fn named_span(&self) -> Span {
        Span {
            start: self.name.as_ref().map_or(self.span.start, |n| n.span.start),
            end: self.span.end,
        }
    }

    /// Where the statement begins, with its label and construct name.
    pub fn start(&self) -> u32 {
        let label = self.label.as_ref().map(|l| l.span.start);
        let name = self.name.as_ref().map(|n| n.span.start);
        label.or(name).unwrap_or(self.span.start)
    }

    /// The blocks of a construct in the order of the source; the statement of an IF, WHERE or FORALL statement is one, too.
    /// The loop of a CUF kernel is none.
    pub fn blocks(&self) -> Vec<&[Stmt]> {
        match &self.kind {
            StmtKind::LogicalIf { stmt, .. } => vec![std::slice::from_ref(stmt)],
            StmtKind::If {
                branches,
                else_block,
                ..
            } => {
                let all = branches.iter().map(|b| &b.body[..]);
                all.chain(else_block.iter().map(|e| &e.body[..])).collect()
            }
            StmtKind::Do(d) => vec![&d.body],
            StmtKind::Select(sel) => sel.cases.iter().map(|c| &c.body[..]).collect(),
            StmtKind::Where { branches, .. } => branches.iter().map(|b| &b.body[..]).collect(),
            StmtKind::Forall { body, .. }
            | StmtKind::Associate { body, .. }
            | StmtKind::Block { body, .. }
            | StmtKind::OtherBlock { body, .. } => vec![body],
            _ => Vec::new(),
        }
    }

    /// The expressions that stand directly in a statement: not those of statements inside it, not the arguments of CALL.
    pub fn expressions(&self) -> Vec<&Expr> {
        match &self.kind {
            StmtKind::Assign { lhs, rhs } | StmtKind::PointerAssign { lhs, rhs } => vec![lhs, rhs],
            StmtKind::If { branches, .. } => branches.iter().map(|b| &b.cond).collect(),
            StmtKind::LogicalIf { cond, .. } => vec![cond],
            StmtKind::ArithmeticIf { expr, .. } => vec![expr],
            StmtKind::Do(d) => match &d.control {
                DoControl::Counted { from, to, step, .. } => [Some(from), Some(to), step.as_ref()]
                    .into_iter()
                    .flatten()
                    .collect(),
                DoControl::While(c) => vec![c],
                DoControl::Concurrent(h) => header_expressions(h),
                DoControl::Forever => Vec::new(),
            },
            StmtKind::Select(sel) => vec![&sel.selector],
            StmtKind::Where { branches, .. } => {
                branches.iter().filter_map(|b| b.mask.as_ref()).collect()
            }
            StmtKind::Forall { header, .. } => header_expressions(header),
            StmtKind::ComputedGoto { index, .. } => vec![index],
            StmtKind::Stop { code, .. } => code.as_deref().into_iter().collect(),
            StmtKind::Associate { items, .. } => items.iter().map(|(_, e)| e).collect(),
            StmtKind::Print { items, .. } | StmtKind::Write { items, .. } => items.iter().collect(),
            _ => Vec::new(),
        }
    }
}

fn header_expressions(h: &LoopHeader) -> Vec<&Expr> {
    let mut out: Vec<&Expr> = Vec::new();
    for (_, from, to, step) in &h.indices {
        out.extend([from, to]);
        out.extend(step);
    }
    out.extend(&h.mask);
    out
}

/// A statement label and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    pub value: u32,
    pub span: Span,
}

/// A list of statements with the bytes between its enclosing statements.
pub type Block = Vec<Stmt>;

#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `lhs = rhs`, or a statement function at the start of an execution part.
    Assign {
        lhs: Expr,
        rhs: Expr,
    },
    /// `lhs => rhs`
    PointerAssign {
        lhs: Expr,
        rhs: Expr,
    },
    Call(Box<Call>),
    /// IF construct: `if / else if` branches and the ELSE block.
    If {
        branches: Vec<IfBranch>,
        else_block: Option<ElseBlock>,
        end: Span,
    },
    /// `if (cond) stmt`
    LogicalIf {
        cond: Expr,
        stmt: Box<Stmt>,
    },
    ArithmeticIf {
        expr: Expr,
        labels: [u32; 3],
    },
    Do(Box<Do>),
    /// SELECT CASE, SELECT TYPE, SELECT RANK
    Select(Box<Select>),
    /// WHERE construct or statement.
    Where {
        branches: Vec<WhereBranch>,
        end: Option<Span>,
    },
    /// FORALL construct or statement (`end` is None).
    Forall {
        header: Box<LoopHeader>,
        body: Block,
        end: Option<Span>,
    },
    Associate {
        items: Vec<(Name, Expr)>,
        header: Span,
        body: Block,
        end: Span,
    },
    /// BLOCK construct.
    Block {
        spec: Vec<Decl>,
        body: Block,
        header: Span,
        end: Span,
    },
    /// CRITICAL, CHANGE TEAM, ...: kept.
    OtherBlock {
        header: Span,
        body: Block,
        end: Span,
    },
    Cycle(Option<Name>),
    Exit(Option<Name>),
    Goto(u32),
    ComputedGoto {
        labels: Vec<u32>,
        index: Expr,
    },
    /// `ASSIGN 10 TO k`
    AssignLabel {
        label: u32,
        var: Name,
    },
    /// `GO TO k` and `GO TO k, (10, 20)`
    AssignedGoto {
        var: Name,
        labels: Vec<u32>,
    },
    Continue,
    Return(Option<Expr>),
    Stop {
        error: bool,
        code: Option<Box<Expr>>,
        quiet: Option<Box<Expr>>,
    },
    Allocate(Box<Allocate>),
    Deallocate {
        objects: Vec<Expr>,
        options: Vec<Arg>,
    },
    Nullify(Vec<Expr>),
    Print {
        format: Expr,
        items: Vec<Expr>,
    },
    /// Control list and items of WRITE / READ (`read fmt, items` has the format as the only control).
    Write {
        control: Vec<Arg>,
        items: Vec<Expr>,
    },
    Read {
        control: Vec<Arg>,
        items: Vec<Expr>,
    },
    /// OPEN, CLOSE, INQUIRE, REWIND, BACKSPACE, ENDFILE, FLUSH, WAIT: word and control list.
    Io {
        word: String,
        control: Vec<Arg>,
    },
    /// `!$cuf kernel do` with its loop.
    CufKernel(Box<CufKernel>),
    Entry(Name),
    Format,
    /// A specification statement that stands in the execution part (DATA, NAMELIST, ...).
    Decl(Box<Decl>),
    /// Kept as it is (compiler directives as statements, SYNC, EVENT ...).
    Other,
}

/// `call callee <<<launch>>> (args)`
#[derive(Clone, Debug)]
pub struct Call {
    /// A name or a component reference (`obj%proc`).
    pub callee: Expr,
    pub launch: Option<Launch>,
    pub args: Vec<Arg>,
    /// The argument list with its parentheses; None if there is none.
    pub args_span: Option<Span>,
}

/// Chevrons of a kernel launch.
#[derive(Clone, Debug)]
pub struct Launch {
    /// Grid, block, bytes, stream in order or by keyword. `*` is ExprKind::Star.
    pub args: Vec<Arg>,
    /// From `<<<` to `>>>`.
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct IfBranch {
    pub cond: Expr,
    /// The `if (...) then` or `else if (...) then` statement.
    pub header: Span,
    pub body: Block,
}

#[derive(Clone, Debug)]
pub struct ElseBlock {
    pub header: Span,
    pub body: Block,
}

/// A DO construct of any form.
#[derive(Clone, Debug)]
pub struct Do {
    pub control: DoControl,
    /// The DO statement.
    pub header: Span,
    pub body: Block,
    /// The END DO; for a labelled DO the terminating statement is the last of `body` and `end` is its span.
    pub end: Span,
    /// Label after DO: `do 100 i = ...`
    pub label: Option<u32>,
}

#[derive(Clone, Debug)]
pub enum DoControl {
    /// `do var = from, to[, step]`
    Counted {
        var: Name,
        from: Expr,
        to: Expr,
        step: Option<Expr>,
    },
    While(Expr),
    /// `do concurrent (...)`
    Concurrent(LoopHeader),
    Forever,
}

/// Header of FORALL and DO CONCURRENT.
#[derive(Clone, Debug)]
pub struct LoopHeader {
    pub type_spec: Option<TypeSpec>,
    /// Index, from, to, step.
    pub indices: Vec<(Name, Expr, Expr, Option<Expr>)>,
    pub mask: Option<Expr>,
    /// Names in LOCAL and LOCAL_INIT clauses: every iteration has its own, with the outer value (true) or none.
    pub local: Vec<(Name, bool)>,
    /// REDUCE clauses.
    pub reductions: Vec<ReduceClause>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Select {
    pub kind: SelectKind,
    /// The selector and, for SELECT TYPE/RANK, the associate name.
    pub selector: Expr,
    pub associate: Option<Name>,
    pub cases: Vec<Case>,
    pub header: Span,
    pub end: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelectKind {
    Case,
    Type,
    Rank,
}

#[derive(Clone, Debug)]
pub struct Case {
    pub guard: CaseGuard,
    pub header: Span,
    pub body: Block,
}

#[derive(Clone, Debug)]
pub enum CaseGuard {
    /// Values and ranges (ExprKind::Slice without step).
    Values(Vec<Expr>),
    Default,
    /// `type is (spec)`
    TypeIs(TypeSpec),
    ClassIs(Name),
    Rank(Expr),
}

#[derive(Clone, Debug)]
pub struct WhereBranch {
    /// None for a plain ELSEWHERE.
    pub mask: Option<Expr>,
    pub header: Span,
    pub body: Block,
}

#[derive(Clone, Debug)]
pub struct Allocate {
    pub type_spec: Option<TypeSpec>,
    pub objects: Vec<AllocateObject>,
    /// `stat=`, `errmsg=`, `source=`, `mold=`, `pinned=`, `stream=`
    pub options: Vec<Arg>,
}

/// `a%b(1:n, m)`: the object and its bounds.
#[derive(Clone, Debug)]
pub struct AllocateObject {
    pub object: Expr,
    pub bounds: Option<ArraySpec>,
    pub span: Span,
}

/// `!$cuf kernel do (n) <<<...>>> clauses` and the loop it governs.
#[derive(Clone, Debug)]
pub struct CufKernel {
    /// The directive, all its continuation lines included.
    pub directive: Span,
    /// n of `do(n)`.
    pub depth: Option<Expr>,
    pub launch: Option<CufLaunch>,
    /// `reduce(op: variables)`
    pub reductions: Vec<ReduceClause>,
    /// What else the directive says if OpenACC was translated into it.
    pub mapping: Mapping,
    /// The loop; None if no DO construct follows.
    pub body: Option<Box<Stmt>>,
    /// Names in LOCAL and LOCAL_INIT clauses of the DO CONCURRENT that the loop was written as.
    pub local: Vec<(Name, bool)>,
    /// The type that the DO CONCURRENT gives its indices, with these.
    pub typed_indices: Option<(TypeSpec, Vec<Name>)>,
    /// The loop was written as a DO CONCURRENT, whose indices are variables of their own.
    pub concurrent: bool,
    /// Assignments stand between the directive and its loop. They are statements before this one.
    pub apart: bool,
}

/// Clauses of directives that compute constructs of OpenACC are translated into.
#[derive(Clone, Debug, Default)]
pub struct Mapping {
    /// `present`: arrays of the host stand for their copies on the device, which the launcher looks up (OpenACC 2.6).
    pub present: bool,
    /// `present(list)`: scalars that do so, too.
    pub on_device: Vec<Name>,
    /// `gang`: an iteration is executed by a block, not by a thread (OpenACC 2.9.2).
    pub gang: bool,
}

impl Mapping {
    /// What the loop was written as.
    pub fn origin(&self) -> LoopOrigin {
        match self.present {
            true => LoopOrigin::Construct,
            false => LoopOrigin::CufLoop,
        }
    }
}

/// What a loop that becomes a kernel was written as; messages have its words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LoopOrigin {
    /// `!$cuf kernel do`
    #[default]
    CufLoop,
    /// A compute construct of OpenACC, which was translated into a CUF loop.
    Construct,
}

impl LoopOrigin {
    /// What it is called.
    pub fn noun(self) -> &'static str {
        match self {
            LoopOrigin::CufLoop => "CUF loop",
            LoopOrigin::Construct => "compute construct",
        }
    }

    /// The word of the clause that makes a scalar a reduction.
    pub fn clause(self) -> &'static str {
        match self {
            LoopOrigin::CufLoop => "reduce",
            LoopOrigin::Construct => "reduction",
        }
    }

    /// The clause that makes a scalar a reduction.
    pub fn reduction(self, operator: &str, name: &str) -> String {
        format!("{}({operator}:{name})", self.clause())
    }
}

#[derive(Clone, Debug)]
pub struct CufLaunch {
    pub grid: Vec<Expr>,
    pub block: Vec<Expr>,
    /// Grid / block were written as tuples.
    pub grid_is_tuple: bool,
    pub block_is_tuple: bool,
    pub bytes: Option<Expr>,
    pub stream: Option<Expr>,
    /// Words before `=` that no value has.
    pub unknown: Vec<Name>,
    /// What stands behind the stream.
    pub surplus: Option<Span>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct ReduceClause {
    /// `+`, `*`, `max`, `min`, `iand`, `ior`, `ieor`, `.and.`, `.or.`, `.eqv.`, `.neqv.`
    pub op: Name,
    pub variables: Vec<Expr>,
    pub span: Span,
}
