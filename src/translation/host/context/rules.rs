//! What the rules of the host side ask of each other: an expression contains expressions and a statement contains statements,
//! whatever rule they fall under. Each part is implemented where its rules are.

use crate::ast::{Expr, Stmt};
use crate::sema::expression::typed::TExpr;
use crate::sema::model::{SymbolId, Type};

/// The rules of expressions (`value/mod.rs`). Each edits the text of the expression.
pub(in crate::translation::host) trait Values {
    /// An expression whose value the host uses: every device designator in it is copied to the host first.
    fn value(&mut self, e: &TExpr);
    /// The same where data of type `ty` is wanted. A BOZ constant there, which the standard does not allow and nvfortran does
    /// (initial values, operands, right sides, arguments), is converted; integers of 4 bytes hold it if they can.
    fn value_as(&mut self, e: &TExpr, ty: &Type);
    /// The text of an expression with its device operands copied.
    fn value_text(&mut self, e: &Expr) -> String;
    /// The subscripts of a designator, which are values; the rest of it stays.
    fn subscripts(&mut self, e: &TExpr);
    /// One subscript or bound. `again`: its text stands in the program more than once.
    fn subscript(&mut self, x: &TExpr, again: bool);
    /// The text of a designator with only its subscripts translated.
    fn designator_text(&mut self, e: &Expr) -> String;
    /// A reference of a user's function.
    fn call_reference(&mut self, e: &TExpr);
    /// Actual arguments of a reference in dummy order.
    fn actuals(&mut self, args: &[Option<TExpr>], dummies: &[Option<SymbolId>]);
    /// An argument for a dummy.
    fn actual(&mut self, a: &TExpr, dummy: Option<SymbolId>);
}

/// The rules of statements (`statement/mod.rs`).
pub(in crate::translation::host) trait Statements {
    /// A statement with all that it contains, wherever it stands.
    fn stmt_kind(&mut self, s: &Stmt);
}
