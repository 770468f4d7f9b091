//! Calls of procedures of submodules and of external procedures, which a declaration has to stand before (see `program/below.rs`).

use super::Shared;
use crate::sema::model::*;

/// A call of a procedure of a submodule, from outside of that, or of an external procedure by another device procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::translation::lower) struct CallBelow {
    pub file: FileId,
    pub caller: ScopeId,
    pub callee: ScopeId,
}

impl CallBelow {
    /// A call in `caller` of a procedure with its body in `callee`; None if that is in no submodule, or in one around the call, and
    /// not external.
    pub fn of(
        sh: &Shared<'_>,
        file: FileId,
        caller: ScopeId,
        callee: ScopeId,
    ) -> Option<CallBelow> {
        let around = |s: ScopeId| std::iter::successors(Some(s), |s| sh.model[*s].parent);
        let is_external = |s: &ScopeId| {
            sh.model[*s].parent.is_none() && sh.model[*s].kind == ScopeKind::Procedure
        };
        // Code of host procedures comes after the header.
        let in_header = || {
            let symbols = around(caller).filter_map(|s| sh.model[s].symbol);
            let targets = symbols.filter_map(|s| Some(sh.model.procedure(s)?.target));
            targets
                .into_iter()
                .any(|t| matches!(t, ProcedureTarget::Device | ProcedureTarget::HostDevice))
        };
        let unit = around(callee)
            .find(|s| sh.model[*s].kind == ScopeKind::Submodule || is_external(s) && in_header())?;
        let outside = around(caller).all(|s| s != unit);
        outside.then_some(CallBelow {
            file,
            caller,
            callee,
        })
    }
}
