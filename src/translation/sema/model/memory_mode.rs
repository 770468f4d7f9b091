//! What the memory mode lets device code reach (guide 2.15, 3.2.3).

use super::dialect::MemoryMode;
use crate::ast;
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
    pub(in crate::translation::sema) fn space_of_value(&self, e: &TExpr) -> Option<Space> {
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

    /// A function reference whose result may be device data: declared so, a pointer, or not known.
    pub fn may_give_device_data(&self, a: &TExpr) -> bool {
        let (TExprKind::Call { procedure, .. } | TExprKind::BoundCall { procedure, .. }) = &a.kind
        else {
            return false;
        };
        self.procedure(*procedure)
            .and_then(|p| p.result)
            .and_then(|r| self.variable(r))
            .is_none_or(|r| r.space != Space::Host || r.attrs.has(VarAttrs::POINTER))
    }

    /// A value of the host for a dummy in managed memory, which only reads it: it gets a copy there.
    pub fn takes_managed_copy(&self, v: &Variable, a: &TExpr) -> bool {
        let reads = !matches!(v.intent, Some(ast::Intent::Out | ast::Intent::InOut));
        let constant = matches!(&a.kind, TExprKind::Variable(s) if self.variable(*s).is_none());
        let value = constant || !a.is_designator();
        let known = !matches!(
            a.kind,
            TExprKind::Null | TExprKind::Unknown | TExprKind::ProcedureName(_)
        ) && !matches!(
            a.ty,
            Type::Unknown | Type::Boz | Type::Opaque(_) | Type::Class(_) | Type::ClassStar
        );
        matches!(v.space, Space::Managed | Space::Unified)
            && reads
            && value
            && known
            && !v.attrs.has(VarAttrs::VALUE)
            && !v.attrs.is_dynamic()
            && !self.may_give_device_data(a.unparenthesised())
    }

    /// The memory of an actual argument as procedures are chosen by it (guide 3.2.3, table 2).
    pub(in crate::translation::sema) fn effective_space(&self, e: &TExpr) -> Space {
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
        if self.present.contains(&s) {
            return true;
        }
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
