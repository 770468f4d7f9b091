//! Typed syntax tree of a source file: what the text says, before any name is looked up.
//!
//! Every node owns its data and carries the byte range ([`Span`]) it has in the parsed text, so that the host pass can
//! edit the text around it. Nothing here knows tree-sitter, and nothing is resolved: `a(i)` is a [`ExprKind::Ref`]
//! whether `a` is an array, a function or a derived type.

pub mod decl;
pub mod expr;
pub mod places;
pub mod stmt;
mod word;

pub use crate::source::Span;
pub use decl::*;
pub use expr::*;
pub use stmt::*;
pub use word::Word;

/// An identifier, folded to lower case (Fortran names are case-insensitive; the spelling is at `span`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Name {
    pub text: Word,
    pub span: Span,
}

/// A proposed change of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// What is replaced, within one line.
    pub span: Span,
    pub text: String,
    /// Nothing else can have been meant.
    pub is_safe: bool,
}

/// What a syntax error leaves without meaning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lost {
    /// Where the error is.
    pub at: Span,
    /// The text that the tree lacks; None if the tree of its program unit cannot be relied on.
    pub span: Option<Span>,
    /// The procedure that the text is part of.
    pub scope: Option<Span>,
    /// Names that may have been declared there: in the procedure if there is one, else everywhere.
    pub names: Vec<String>,
}

impl Lost {
    /// Of an error at a place from which the parser did not recover.
    pub fn at(span: Span) -> Lost {
        Lost {
            at: span,
            ..Lost::default()
        }
    }
}

/// A source file: its program units in order, and all comments.
#[derive(Clone, Debug, Default)]
pub struct File {
    pub units: Vec<ProgramUnit>,
    /// All comments in order of their start, without the directives that became statements.
    pub comments: Vec<Comment>,
}

/// One comment, from its `!` to the end of the line (line end excluded).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comment {
    pub span: Span,
    /// The comment is alone on its line.
    pub own_line: bool,
}

/// What kind of program unit, module procedure, internal procedure or interface body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnitKind {
    Program,
    Module,
    /// `submodule (ancestor[:parent]) name`
    Submodule {
        ancestor: Name,
        parent: Option<Name>,
    },
    Subroutine,
    Function,
    /// `module procedure name` in a submodule: interface from the ancestor.
    ModuleProcedure,
    BlockData,
}

/// A program unit or a procedure. Fields that a kind does not have are empty.
#[derive(Clone, Debug)]
pub struct ProgramUnit {
    pub kind: UnitKind,
    /// Empty text for a main program without PROGRAM statement and for unnamed BLOCK DATA.
    pub name: Name,
    /// From the first byte of the opening statement (its prefix included) to the end of the END statement.
    pub span: Span,
    /// The opening statement; empty (start == end) for a main program without one.
    pub header: Span,
    /// The END statement.
    pub end: Span,
    pub prefix: Prefix,
    pub dummies: Vec<Dummy>,
    /// Name in `result(...)`.
    pub result: Option<Name>,
    /// `bind(c, name=...)`
    pub bind: Option<Bind>,
    /// Specification part in order (statement functions are assignments at the start of `body`).
    pub spec: Vec<Decl>,
    /// Execution part. DATA, FORMAT and ENTRY statements inside it stay in it.
    pub body: Vec<Stmt>,
    /// The CONTAINS statement.
    pub contains: Option<Span>,
    /// Module or internal procedures after CONTAINS.
    pub procedures: Vec<ProgramUnit>,
}

/// Prefix of a procedure statement: `attributes(global) launch_bounds(256) recursive real(8) function ...`.
#[derive(Clone, Debug, Default)]
pub struct Prefix {
    /// Words inside `attributes(...)`, in order, folded: `global`, `device`, `host`, `grid_global`, or an unknown word.
    pub attributes: Vec<Name>,
    /// `launch_bounds(max_threads[, min_blocks[, max_cluster_blocks]])`, guide 2.4 / 3.1.
    pub launch_bounds: Vec<Expr>,
    /// `cluster_dims(x, y, z)`
    pub cluster_dims: Vec<Expr>,
    /// The words `recursive`, `non_recursive`, `pure`, `impure`, `elemental`, `module` as they occur.
    pub words: Vec<Name>,
    /// Result type written in the prefix of a FUNCTION statement.
    pub result_type: Option<TypeSpec>,
    /// From `attributes` to the closing parenthesis of the last CUDA qualifier (attributes, launch_bounds, cluster_dims):
    /// what standard Fortran does not have. One span per qualifier.
    pub cuda_spans: Vec<Span>,
}

/// A dummy argument in a procedure statement.
#[derive(Clone, Debug)]
pub enum Dummy {
    Name(Name),
    /// `*`, an alternate return.
    AlternateReturn(Span),
}

/// `bind(c[, name = expr])`
#[derive(Clone, Debug)]
pub struct Bind {
    pub name: Option<Expr>,
    pub span: Span,
}

impl File {
    /// Marks the derived types whose definitions begin at the offsets as STRUCTUREs.
    pub fn mark_structures(&mut self, offsets: &[u32]) {
        fn unit(u: &mut ProgramUnit, offsets: &[u32]) {
            for d in &mut u.spec {
                if let DeclKind::DerivedType(t) = &mut d.kind {
                    t.structure = offsets.contains(&t.header.start);
                }
            }
            u.procedures.iter_mut().for_each(|p| unit(p, offsets));
        }
        if !offsets.is_empty() {
            self.units.iter_mut().for_each(|u| unit(u, offsets));
        }
    }
}
