//! Questions about the procedure being lowered and its variables, answered from the model and what is known already.

use super::{Cx, Entity};
use crate::ir::*;
use crate::lower::program::facts::is_hidden;
use crate::sema::expression::typed::*;
use crate::sema::model::{self, *};

impl Cx<'_, '_> {
    /// The symbol travels as a hidden argument.
    pub fn hidden(&self, s: SymbolId) -> bool {
        is_hidden(self.model(), s)
    }

    /// The procedure is a kernel, whose arguments come from the host.
    pub fn is_kernel(&self) -> bool {
        let symbol = self.model()[self.unit_scope].symbol;
        matches!(
            symbol
                .and_then(|p| self.model().procedure(p))
                .map(|p| p.target),
            Some(ProcedureTarget::Global | ProcedureTarget::GridGlobal)
        )
    }

    /// The file's `.cuh` includes a header of a device library.
    pub fn need_header(&self, name: &str) {
        self.sh
            .headers
            .borrow_mut()
            .insert((self.file, name.to_owned()));
    }

    /// The variable a designator belongs to, associate names followed.
    pub fn origin(&self, s: SymbolId) -> SymbolId {
        let mut at = s;
        for _ in 0..16 {
            match &self.model()[at].kind {
                SymbolKind::Associate { expr, outer, .. } => {
                    match self.model().expr(*outer, expr).root() {
                        Some(r) => at = r,
                        None => return at,
                    }
                }
                _ => return at,
            }
        }
        at
    }

    /// Key of a constant in [`crate::lower::procedure::Shared::constants`].
    pub fn constant_key(&self, i: &Ident) -> String {
        match &i.space {
            Namespaces::Unit(u) => format!("{u}::{}", i.name),
            _ => format!("{}#{}", self.unit_scope.0, i.name),
        }
    }

    /// Remembers the value of an integer constant under the name it is written with.
    pub fn note_constant(&self, s: SymbolId, e: &Expr) {
        if let SymbolKind::Parameter(p) = &self.model()[s].kind
            && let (Some(Constant::Integer(v, _)), ExprKind::Name(i)) = (&p.value, &e.kind)
        {
            let key = self.constant_key(i);
            self.sh.constants.borrow_mut().insert(key, *v);
        }
    }

    /// A dummy argument passed on without a value.
    pub fn is_optional_dummy(&self, t: &TExpr) -> Option<String> {
        let TExprKind::Variable(s) = t.kind else {
            return None;
        };
        let v = self.model().variable(s)?;
        if !v.attrs.has(VarAttrs::OPTIONAL) {
            return None;
        }
        self.vars.get(&s)?.optional.clone()
    }

    /// The value of a scalar that was evaluated earlier in the statement.
    pub fn held_scalar(&self, e: &TExpr) -> Option<Expr> {
        let held = self.hoisted.holding(e.span)?;
        (held.expr.ty.rank() == 0).then(|| held.expr.clone())
    }

    /// Evaluates a scalar now, for all its uses in the statement.
    pub fn hold(&mut self, e: &TExpr, value: Expr) -> Expr {
        let expr = self.temporary(value);
        let held = Entity {
            expr: expr.clone(),
            bounds: Vec::new(),
            optional: None,
        };
        self.hoisted.hold(e.span, held);
        expr
    }

    pub fn is_named_constant(&self, s: SymbolId) -> bool {
        matches!(self.model()[s].kind, SymbolKind::Parameter(_))
    }

    /// The dummy is read only, so its parameter points to const.
    pub fn dummy_is_const(&self, d: SymbolId) -> bool {
        self.sh
            .analysis
            .facts
            .get(&self.model()[d].scope)
            .is_some_and(|f| !f.modified.contains(&d))
    }

    /// The scope of the type that declares a component.
    pub fn field_scope(&self, of: TypeId, f: &Field) -> ScopeId {
        let mut at = Some(of);
        while let Some(t) = at {
            let d = &self.model()[t];
            if d.components
                .iter()
                .any(|c| c.name == f.name && c.span == f.span)
            {
                return d.scope;
            }
            at = d.parent;
        }
        self.model()[of].scope
    }
}

/// The length of the type is known at run time only.
pub fn has_varying_length(t: &model::Type) -> bool {
    matches!(t, model::Type::Character(CharacterLength::Other))
}

/// Stands in after a refusal; without one, the type that is not known is an error of cuf2cu (`ir/validate.rs`).
pub fn dummy_entity() -> Entity {
    Entity {
        expr: Expr::name("refused", crate::ir::Type::Unknown),
        bounds: Vec::new(),
        optional: None,
    }
}
