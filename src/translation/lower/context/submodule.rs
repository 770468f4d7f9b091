//! Calls of procedures of submodules, which a declaration has to stand before (see `program/below.rs`).

use super::Shared;
use crate::sema::model::*;

/// A call of a procedure of a submodule, from outside of that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::translation::lower) struct CallBelow {
    pub file: FileId,
    pub caller: ScopeId,
    pub callee: ScopeId,
}

impl CallBelow {
    /// A call in `caller` of a procedure with its body in `callee`; None if that is in no submodule, or in one around the call.
    pub fn of(
        sh: &Shared<'_>,
        file: FileId,
        caller: ScopeId,
        callee: ScopeId,
    ) -> Option<CallBelow> {
        let around = |s: ScopeId| std::iter::successors(Some(s), |s| sh.model[*s].parent);
        let submodule = around(callee).find(|s| sh.model[*s].kind == ScopeKind::Submodule)?;
        let outside = around(caller).all(|s| s != submodule);
        outside.then_some(CallBelow {
            file,
            caller,
            callee,
        })
    }
}
