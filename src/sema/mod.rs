//! Semantic analysis: what every name means, types, kinds, ranks, spaces; and all checks.
//!
//! Interface for the later passes:
//! - [`analyze`] builds the [`model::Model`] of a whole program from all its files.
//! - `Model::scope_of(file, span)` / the scope ids in [`model::FileInfo`] and [`model::Scope::children`] lead from syntax to scopes.
//! - `Model::lookup(scope, name)` finds a symbol by use and host association.
//! - `Model::expr(scope, &ast::Expr) -> TExpr` types an expression (never fails; `Unknown` inside where it cannot).
//! - `Model::call(scope, &ast::Call) -> ResolvedCall` resolves a CALL: kernel, user's procedure, runtime procedure, intrinsic.
//! - `Model::space(&TExpr) -> Option<Space>`: memory space of a designator.
//! - `Model::dim_bounds(symbol)`, `Model::const_int(scope, expr)`: folded bounds.
//! - [`check`] runs all restrictions of the guide over the program.

pub mod model;
pub mod typed;
