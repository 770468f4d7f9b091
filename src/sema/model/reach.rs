//! What the memory mode lets device code reach (guide 2.15, 3.2.3).

use super::dialect::MemoryMode;
use crate::sema::expression::typed::{TExpr, TExprKind};
use crate::sema::model::*;

impl Model {
    /// Host data that device code may use as it is, for the memory mode puts it where the device reaches it.
    pub fn reaches(&self, e: &TExpr) -> bool {
        let space = self.space(e);
        match self.dialect.memory {
            MemoryMode::Separate => false,
            MemoryMode::Managed => space == Some(Space::Host) && self.is_dynamic(e),
            MemoryMode::Unified => matches!(space, Some(Space::Host | Space::Pinned)),
        }
    }

    /// The memory of a designator or of the result of a function.
    pub(in crate::sema) fn space_of_value(&self, e: &TExpr) -> Option<Space> {
        self.space(e).or_else(|| self.result_space(e))
    }

    /// The memory of the result that a function reference gives. Operands of defined operations have parentheses around it.
    pub fn result_space(&self, e: &TExpr) -> Option<Space> {
        let (TExprKind::Call { procedure, .. } | TExprKind::BoundCall { procedure, .. }) =
            &e.unparenthesised().kind
        else {
            return None;
        };
        let result = self.procedure(*procedure)?.result?;
        self.variable(result).map(|v| v.space)
    }

    /// The memory of an actual argument as procedures are chosen by it (guide 3.2.3, table 2).
    pub(in crate::sema) fn effective_space(&self, e: &TExpr) -> Space {
        match (self.space_of_value(e), self.dialect.memory) {
            (Some(Space::Host), MemoryMode::Managed) if self.reaches(e) => Space::Managed,
            (Some(Space::Host), MemoryMode::Unified) if self.reaches(e) => Space::Unified,
            (space, _) => space.unwrap_or(Space::Host),
        }
    }

    /// A module variable of the host that the memory mode gives to device code.
    pub fn is_reached_module_data(&self, s: SymbolId) -> bool {
        let module = matches!(
            self[self[s].scope].kind,
            ScopeKind::Module | ScopeKind::Submodule
        );
        let Some(v) = self.variable(s).filter(|_| module) else {
            return false;
        };
        match self.dialect.memory {
            MemoryMode::Separate => false,
            MemoryMode::Managed => v.space == Space::Host && v.attrs.is_dynamic(),
            MemoryMode::Unified => matches!(v.space, Space::Host | Space::Pinned),
        }
    }

    /// The data behind an allocatable or pointer component without memory attribute is where device code reaches it.
    pub fn reaches_component(&self, f: &Field) -> bool {
        match self.dialect.memory {
            MemoryMode::Separate => false,
            MemoryMode::Managed => f.space == Space::Host,
            MemoryMode::Unified => matches!(f.space, Space::Host | Space::Pinned),
        }
    }

    /// The memory that holds the designated data was allocated, as far as declarations tell.
    pub fn is_dynamic(&self, e: &TExpr) -> bool {
        let holder = self.holder(e);
        if let TExprKind::Variable(s) = holder.kind
            && let SymbolKind::Associate { expr, outer, .. } = &self[s].kind
        {
            let selector = self.expr(*outer, expr);
            return selector.is_designator() && self.is_dynamic(&selector);
        }
        self.declared(holder).is_some_and(|d| d.attrs.is_dynamic())
    }
}
