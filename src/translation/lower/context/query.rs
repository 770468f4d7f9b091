//! Questions about the procedure being lowered and its variables, answered from the model and what is known already.

use super::{Entity, LoweringContext};
use crate::ast::Intent;
use crate::ir::*;
use crate::lower::program::effects::is_hidden;
use crate::sema::expression::dependence::disjoint;
use crate::sema::expression::typed::*;
use crate::sema::model::{self, *};

/// By which other names than its own data may be reached.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    Own,
    /// Pointers may point to it.
    Target,
    /// It is reached through a pointer, which may point to any target.
    Pointer,
}

impl LoweringContext<'_, '_> {
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
        // What took statements of its own is in a temporary already.
        if let Some(held) = self.held_scalar(e).filter(|h| h.local() == value.local()) {
            return held;
        }
        let expr = self.temporary(value);
        self.hoisted.hold_value(e.span, &expr);
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

impl LoweringContext<'_, '_> {
    /// Two designators may denote data of each other: parts of one variable, targets that a pointer leads to, dummies that may be
    /// given the same data (F2018 15.5.2.13).
    pub fn may_share(&self, a: &TExpr, b: &TExpr) -> bool {
        let (Some(r), Some(s)) = (a.root(), b.root()) else {
            return false;
        };
        pointer_leads(self.reach(a), self.reach(b)) || self.are_one(r, s)
    }

    /// A procedure that gets the value may reach data of the designator by pointers in it.
    pub fn leads_to(&self, value: &TExpr, data: &TExpr) -> bool {
        self.model().has_pointers(&value.ty) && self.reach(data) != Reach::Own
    }

    /// Two variables, or data that they lead to by pointers, may be of each other.
    pub fn may_alias(&self, a: SymbolId, b: SymbolId) -> bool {
        let reach = |s| match self.leads_elsewhere(s) {
            true => Reach::Pointer,
            false => self.reach_of(s),
        };
        pointer_leads(reach(a), reach(b)) || self.are_one(a, b)
    }

    /// Two designators of one variable surely have no element in common.
    pub fn are_apart(&self, a: &TExpr, b: &TExpr) -> bool {
        let through = pointer_leads(self.reach(a), self.reach(b));
        disjoint(a, b, &|x| through && self.is_pointer_component(x))
    }

    fn is_pointer_component(&self, x: &TExpr) -> bool {
        let component = self.model().component(x);
        component.is_some_and(|f| f.attrs.has(VarAttrs::POINTER))
    }

    fn reach(&self, t: &TExpr) -> Reach {
        let mut at = Some(t);
        while let Some(x) = at {
            if self.is_pointer_component(x) {
                return Reach::Pointer;
            }
            at = x.base();
        }
        t.root().map_or(Reach::Own, |s| self.reach_of(s))
    }

    fn reach_of(&self, s: SymbolId) -> Reach {
        match &self.model()[s].kind {
            SymbolKind::Associate { expr, outer, .. } => {
                self.reach(&self.model().expr(*outer, expr))
            }
            SymbolKind::Variable(v) if v.attrs.has(VarAttrs::POINTER) => Reach::Pointer,
            SymbolKind::Variable(v)
                if v.attrs.has(VarAttrs::TARGET) || self.model().has_address_pointers =>
            {
                Reach::Target
            }
            _ => Reach::Own,
        }
    }

    /// The variable is a structure from which pointers lead on, as far as its type tells.
    fn leads_elsewhere(&self, s: SymbolId) -> bool {
        let variable = self.model().variable(self.origin(s));
        variable.is_some_and(|v| self.model().has_pointers(&v.ty))
    }

    /// Two names of variables that may stand for the same data without a pointer.
    fn are_one(&self, a: SymbolId, b: SymbolId) -> bool {
        let (a, b) = (self.origin(a), self.origin(b));
        let both = |holds: &dyn Fn(&Variable) -> bool| {
            [a, b]
                .iter()
                .all(|s| self.model().variable(*s).is_some_and(holds))
        };
        // Assumed-size shared arrays begin at one address (guide 3.2.6).
        let overlaid = |v: &Variable| {
            let assumed = matches!(v.dims.last(), Some(Dim::AssumedSize { .. }));
            v.space == Space::Shared && v.dummy.is_none() && assumed
        };
        a == b
            || both(&|v| v.attrs.has(VarAttrs::IN_EQUIVALENCE))
            || both(&overlaid)
            || both(&|v| v.attrs.has(VarAttrs::TARGET))
                && (self.may_be_given(a, b) || self.may_be_given(b, a))
    }

    /// The dummy, a target, may be given the data of the other variable, and be changed by that name, too.
    fn may_be_given(&self, dummy: SymbolId, other: SymbolId) -> bool {
        let model = self.model();
        let open = |v: &Variable| {
            v.dummy.is_some() && !v.attrs.has(VarAttrs::VALUE) && v.intent != Some(Intent::In)
        };
        let inside = || {
            let mut at = Some(model[other].scope);
            while let Some(s) = at {
                if s == model[dummy].scope {
                    return true;
                }
                at = model[s].parent;
            }
            false
        };
        model.variable(dummy).is_some_and(open)
            && (model.variable(other).is_some_and(open) || !inside())
    }
}

/// One of them is a pointer, the other one something that it may point to.
fn pointer_leads(a: Reach, b: Reach) -> bool {
    a != Reach::Own && b != Reach::Own && (a == Reach::Pointer || b == Reach::Pointer)
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
