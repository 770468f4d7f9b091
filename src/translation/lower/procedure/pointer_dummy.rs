//! Dummies that are pointers or allocatables, and their actual arguments.
//!
//! The parameter is the pointer itself (`cuf::view`, `T*`), or a reference if the procedure may change what it is associated
//! with. An optional one is a pointer to either: null is absent, while what it points to may be disassociated.

use crate::ast::Intent;
use crate::ir::{self, *};
use crate::lower::context::rules::Designators;
use crate::lower::context::{Entity, LoweringContext};
use crate::sema::expression::typed::*;
use crate::sema::model::*;

impl LoweringContext<'_, '_> {
    /// A pointer or allocatable dummy of a device procedure.
    pub fn movable_dummy(
        &mut self,
        d: SymbolId,
        v: &Variable,
        elem: ir::Type,
        name: &str,
        params: &mut Vec<Param>,
        body: &mut Vec<ir::Stmt>,
    ) {
        let optional = v.attrs.has(VarAttrs::OPTIONAL);
        let elem = if optional || self.facts.modified.contains(&d) {
            elem
        } else {
            elem.constant()
        };
        let moves = self.facts.associated.contains(&d);
        let ty = Self::parameter_type(elem, v, moves);
        let param = match (optional, moves) {
            (true, _) => pointer_to(ty.clone()),
            (false, true) => ir::Type::Ref(Box::new(ty.clone())),
            (false, false) => ty.clone(),
        };
        params.push(Param {
            name: name.to_owned(),
            ty: param.clone(),
        });
        let object = if optional {
            Expr::name(name, param).deref(ty)
        } else {
            Expr::name(name, ty)
        };
        let freed = v.attrs.has(VarAttrs::ALLOCATABLE) && v.intent == Some(Intent::Out);
        if freed {
            let release = ir::Stmt::expr(object.clone().method(
                Method::Release,
                Vec::new(),
                ir::Type::Void,
            ));
            body.push(if optional {
                ir::Stmt::when(is_there(name), vec![release])
            } else {
                release
            });
        }
        let entity = Entity {
            optional: optional.then(|| name.to_owned()),
            ..Self::movable_entity(object)
        };
        self.vars.insert(d, entity);
    }

    /// C++ type of what a pointer or allocatable dummy stands for: of an allocatable that keeps its allocation only the place.
    fn parameter_type(elem: ir::Type, v: &Variable, moves: bool) -> ir::Type {
        let mut v = v.clone();
        if !moves {
            v.attrs.set(VarAttrs::POINTER);
        }
        Self::movable_type(elem, &v)
    }

    /// An actual for a pointer or allocatable dummy.
    pub fn movable_actual(&mut self, d: SymbolId, v: &Variable, a: &TExpr) -> Expr {
        let optional = v.attrs.has(VarAttrs::OPTIONAL);
        let null = matches!(a.kind, TExprKind::Null);
        if null && !optional {
            return Expr::new(ExprKind::Null, ir::Type::Auto);
        }
        let moves = self.moves(d);
        let elem = self.storage_type(&v.ty).unwrap_or(ir::Type::Unknown);
        let ty = Self::parameter_type(elem, v, moves);
        if null {
            let none = Expr::new(ExprKind::Null, ir::Type::Auto);
            return self.place_of(none, ty).address();
        }
        let absent = optional.then(|| self.is_optional_dummy(a)).flatten();
        if let Some(name) = &absent
            && let Some(own) = self.movable_object(a)
            && own.ty == ty
        {
            return Expr::name(name, pointer_to(ty));
        }
        let object = if moves {
            self.movable_object(a)
        } else if a.rank <= 0 {
            Some(self.place(a).address())
        } else if matches!(a.kind, TExprKind::Variable(_) | TExprKind::Component { .. }) {
            Some(self.array_place(a, &[]).expr)
        } else {
            Some(self.section(a))
        };
        let Some(object) = object else {
            return self.refuse_expr(
                a.span,
                "CUF0383",
                format!(
                    "actual argument for `{}` must be a local pointer or allocatable\nnote: the procedure may change the association of the dummy argument",
                    self.model()[d].spelling
                ),
            );
        };
        if !optional {
            return object;
        }
        if moves {
            return object.address();
        }
        let Some(name) = absent else {
            return self.place_of(object, ty).address();
        };
        // The place of an allocatable that may be absent.
        let of_view = |e| Expr::new(ExprKind::Object(vec![e]), ty.clone());
        let (whole, none) = match &ty {
            ir::Type::View { .. } => (of_view(object), of_view(null_pointer())),
            _ => (object, null_pointer()),
        };
        let value = choose(&name, whole, none, ty.clone());
        let place = self.place_of(value, ty.clone()).address();
        choose(&name, place, null_pointer(), pointer_to(ty))
    }

    /// A variable that holds a value for the duration of the statement.
    fn place_of(&mut self, value: Expr, ty: ir::Type) -> Expr {
        let name = self.numbered("t");
        let init = match ty {
            ir::Type::View { .. } => Init::Args(vec![value]),
            _ => Init::Value(value),
        };
        self.before(ir::Stmt::declare(ty.clone(), &name, init));
        Expr::name(&name, ty)
    }

    fn moves(&self, d: SymbolId) -> bool {
        let model = self.model();
        match self.sh.analysis.facts.get(&model[d].scope) {
            Some(f) => f.associated.contains(&d),
            None => false,
        }
    }

    /// A local pointer or allocatable as the C++ object that holds its association.
    fn movable_object(&mut self, a: &TExpr) -> Option<Expr> {
        let TExprKind::Variable(s) = a.kind else {
            return None;
        };
        if let Some(owner) = self.owner(a) {
            return Some(owner);
        }
        let v = self.model().variable(s)?;
        let pointer = v.attrs.is_dynamic();
        if !pointer || !self.vars.contains_key(&s) || self.hidden(s) {
            return None;
        }
        Some(if a.rank > 0 {
            self.array_place(a, &[]).expr
        } else {
            self.place(a).address()
        })
    }

    /// The data of `a` for an optional dummy that is neither pointer nor allocatable: absent where `a` is.
    pub fn when_present(&mut self, a: &TExpr, data: Expr) -> Expr {
        let movable = matches!(a.kind, TExprKind::Variable(s) if self.model().variable(s)
            .is_some_and(|v| v.attrs.is_dynamic()));
        let Some(name) = self.is_optional_dummy(a).filter(|_| movable) else {
            return data;
        };
        let ty = data.ty.clone();
        match &ty {
            ir::Type::View { elem, rank } | ir::Type::LocalArray { elem, rank } => {
                let view = ir::Type::View {
                    elem: elem.clone(),
                    rank: *rank,
                };
                let whole = Expr::new(ExprKind::Object(vec![data]), view.clone());
                let none = Expr::new(ExprKind::Object(vec![null_pointer()]), view.clone());
                choose(&name, whole, none, view)
            }
            _ => choose(&name, data, null_pointer(), ty),
        }
    }
}

fn pointer_to(ty: ir::Type) -> ir::Type {
    ir::Type::Pointer {
        to: Box::new(ty),
        restrict: false,
    }
}

pub fn null_pointer() -> Expr {
    Expr::new(ExprKind::Null, ir::Type::Auto)
}

/// `name != nullptr`
pub fn is_there(name: &str) -> Expr {
    Expr::binary(
        ir::BinaryOp::Ne,
        Expr::name(name, ir::Type::Auto),
        null_pointer(),
        ir::Type::Bool,
    )
}

/// `name != nullptr ? then : otherwise`
pub fn choose(name: &str, then: Expr, otherwise: Expr, ty: ir::Type) -> Expr {
    Expr::new(
        ExprKind::Conditional {
            cond: Box::new(is_there(name)),
            then: Box::new(then),
            otherwise: Box::new(otherwise),
        },
        ty,
    )
}
