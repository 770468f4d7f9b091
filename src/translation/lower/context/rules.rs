//! What the rules of the lowering ask of each other: expressions contain expressions and designators, statements contain statements,
//! whatever rule they fall under. Each part is implemented in the file that is named at it.

use super::state::{Args, LoopIndex};
use super::{Entity, KnownBounds};
use crate::ast::Span;
use crate::ast::Stmt;
use crate::intrinsics::Intrinsic;
use crate::ir::{self, Expr};
use crate::sema::expression::typed::{Subscript, TExpr};
use crate::sema::model::SymbolId;

/// Expressions (`value/expr.rs`).
pub trait Expressions {
    /// Element of `e` at a position; `e` may be scalar, which every position sees alike.
    fn val(&mut self, e: &TExpr, ix: &[LoopIndex]) -> Expr;
    /// Chooses the object of which an array designator is elements or a part: it is the same for all positions, whatever its
    /// subscripts call or the statement changes (F2018 9.5.3.3.1, 10.2.1.3).
    fn settle(&mut self, e: &TExpr);
}

/// Designators (`value/place.rs`).
pub trait Designators {
    /// A designator of a whole array (variable or component) with what is known of its bounds.
    fn array_place(&mut self, e: &TExpr, ix: &[LoopIndex]) -> Entity;
    /// How a variable or named constant is written here.
    fn entity(&mut self, s: SymbolId, span: Span) -> Entity;
}

/// Pointers and views (`statement/pointer.rs`).
pub trait Pointers {
    /// The components of a section of structures, `a(:)%x`, as a view. Elements must be a multiple of their size apart.
    fn component_view(&mut self, e: &TExpr) -> Option<Expr>;
}

/// Arrays as a whole (`value/array.rs`).
pub trait Arrays {
    /// The value of an array expression in a temporary: one for all uses in a statement.
    fn materialise(&mut self, e: &TExpr) -> Entity;
    /// The section is the whole array.
    fn spans_all(&mut self, whole: &Entity, subs: &[Subscript]) -> bool;
}

/// Array constructors and folded arrays (`value/constructor.rs`).
pub trait Constructors {
    /// A folded array as a table.
    fn constant_array(&mut self, e: &TExpr) -> Entity;
    /// Number of elements that the items of an array constructor give.
    fn item_count(&mut self, items: &[TExpr]) -> Expr;
    /// The elements of an array constructor in a temporary.
    fn constructor(&mut self, e: &TExpr, items: &[TExpr]) -> Entity;
}

/// References of functions (`procedure/call.rs`).
pub trait References {
    /// Type and known bounds of the array result of a function.
    fn array_result(&mut self, e: &TExpr, procedure: SymbolId) -> (ir::Type, KnownBounds);
    /// A call of a function with an array result of this type, as a value.
    fn array_call(&mut self, e: &TExpr, ty: ir::Type) -> Expr;
    /// The array result of a function, in a temporary.
    fn array_function(&mut self, e: &TExpr, procedure: SymbolId, args: &[Option<TExpr>]) -> Entity;
}

/// References of intrinsic functions (`intrinsic/mod.rs`).
pub trait Intrinsics {
    /// Value of an intrinsic reference at a position.
    fn intrinsic(&mut self, e: &TExpr, i: Intrinsic, args: Args<'_>, ix: &[LoopIndex]) -> Expr;
    /// Extents of an array-valued intrinsic.
    fn intrinsic_extents(&mut self, e: &TExpr, i: Intrinsic, args: Args<'_>) -> Vec<Expr>;
    /// The value of a transformational intrinsic: a scalar or an array temporary.
    fn transformational(&mut self, e: &TExpr, i: Intrinsic, args: Args<'_>) -> Option<Entity>;
}

/// Loads of several elements at once (`library/hints.rs`).
pub trait Loads {
    /// A load of 128 bits as a value of static shape; None if it is none.
    fn vector_load(&mut self, e: &TExpr) -> Option<Expr>;
}

/// Assignments (`statement/assign.rs`).
pub trait Assignments {
    /// Assignment to data that has its shape.
    fn assign_defined(&mut self, lhs: &TExpr, rhs: &TExpr) -> Vec<ir::Stmt>;
}

/// Statements (`statement/mod.rs`).
pub trait Statements {
    /// A list of statements between two offsets of the source, with the comments in between.
    fn body(&mut self, body: &[Stmt], start: u32, end: u32) -> Vec<ir::Stmt>;
    /// A statement with what comes before it. Jumps may not pass initialisations: temporaries get a scope of their own where there
    /// are jumps, and always so that their names do not collide with those of other statements.
    fn scoped(&mut self, pre: Vec<ir::Stmt>, stmts: Vec<ir::Stmt>) -> Vec<ir::Stmt>;
}
