//! Characters: dummies and locals whose length is known at run time only, substrings, concatenation, intrinsics.
//!
//! Characters of constant length are `cuf::character<n>`. Text of any other length has the IR type [`ir::Type::Text`]: in C++
//! a `cuf::char_view`, a `cuf::char_ref` where it can be assigned to, or a `cuf::string` that owns it.

use super::convert::convert;
use crate::ast;
use crate::intrinsics::Inquiry;
use crate::ir::{self, *};
use crate::lower::context::rules::Expressions;
use crate::lower::context::state::LoopIndex;
use crate::lower::context::{Entity, LoweringContext};
use crate::sema::expression::typed::*;
use crate::sema::model::{self, CharacterLength, SymbolId, VarAttrs, Variable};

impl LoweringContext<'_, '_> {
    /// The expression of the length in the declaration of a dummy or local; None if there is none (`*`, `:`).
    fn declared_length(&self, s: SymbolId) -> Option<&'_ ast::Expr> {
        let symbol = &self.model()[s];
        let source = self.sh.analysis.procs.get(&symbol.scope)?;
        let lengths = source.unit.spec.iter().filter_map(|d| match &d.kind {
            ast::DeclKind::Type(t) => Some(t),
            _ => None,
        });
        let (own, common) = lengths
            .flat_map(|t| t.entities.iter().map(move |e| (t, e)))
            .find(|(_, e)| e.name.text == symbol.name)
            .map(|(t, e)| {
                let common = match &t.spec.kind {
                    ast::TypeSpecKind::Intrinsic { len, .. } => len.as_deref(),
                    _ => None,
                };
                (e.len.as_deref(), common)
            })?;
        match own.or(common)? {
            ast::CharLen::Expr(e) if !matches!(e.kind, ast::ExprKind::Star { .. }) => Some(e),
            _ => None,
        }
    }

    /// A scalar character dummy of a device procedure without constant length.
    pub fn text_dummy(
        &mut self,
        d: SymbolId,
        v: &Variable,
        name: &str,
        params: &mut Vec<Param>,
        body: &mut Vec<ir::Stmt>,
    ) {
        if self.is_kernel() || !v.dims.is_empty() || is_special(v) {
            let span = self.model()[d].span;
            self.refuse(
                span,
                "CUF0403",
                format!("character dummy argument `{name}` has a non-constant length\nnote: in device code only scalar dummy arguments of device procedures, not of kernels, may have one"),
            );
            return;
        }
        let ty = parameter_type(self.facts.modified.contains(&d));
        let scope = self.model()[d].scope;
        let length = self.declared_length(d).cloned();
        let param = match &length {
            Some(_) => self.fresh(&crate::lower::context::layout::parameter_name(name)),
            None => name.to_owned(),
        };
        params.push(Param {
            name: param.clone(),
            ty: ty.clone(),
        });
        if let Some(length) = length {
            let n = self.bound(scope, &length);
            let part = Expr::name(&param, ir::Type::Text).at(vec![Expr::int(1), n]);
            body.push(ir::Stmt::declare(ty, name, Init::Value(part)));
        }
        let mut entity = text_entity(name);
        entity.optional = v.attrs.has(VarAttrs::OPTIONAL).then(|| name.to_owned());
        self.vars.insert(d, entity);
    }

    /// A scalar local with a length that is an expression.
    pub fn local_text(&mut self, s: SymbolId, v: &Variable, name: &str) -> Option<ir::Stmt> {
        let scope = self.model()[s].scope;
        let length = self.declared_length(s).cloned();
        let Some(length) = length.filter(|_| v.dims.is_empty() && !is_special(v)) else {
            let span = self.model()[s].span;
            self.refuse(
                span,
                "CUF0421",
                format!("character variable `{name}` has a non-constant length\nnote: in device code only scalar local variables without other attributes may have one"),
            );
            return None;
        };
        let n = self.bound(scope, &length);
        self.vars.insert(s, text_entity(name));
        Some(ir::Stmt::declare(
            ir::Type::Text,
            name,
            Init::Args(vec![self.place_text(), n]),
        ))
    }

    /// An actual for a character dummy without constant length.
    pub fn text_actual(&mut self, d: SymbolId, v: &Variable, a: &TExpr, ix: &[LoopIndex]) -> Expr {
        if is_special(v) {
            return self.refuse_expr(
                a.span,
                "CUF0421",
                "character dummy argument of this kind must have a constant length",
            );
        }
        let value = self.val(a, ix);
        let changed = !self.dummy_is_const(d);
        // Of constant length and perhaps absent: a pointer.
        if v.attrs.has(VarAttrs::OPTIONAL)
            && !matches!(value.ty, ir::Type::Text)
            && let Some(pointer) = self.is_optional_dummy(a)
        {
            let ty = parameter_type(changed);
            let object = |e| Expr::new(ExprKind::Object(vec![e]), ty.clone());
            let none = object(crate::lower::procedure::pointer_dummy::null_pointer());
            return crate::lower::procedure::pointer_dummy::choose(
                &pointer,
                object(value),
                none,
                ty.clone(),
            );
        }
        if !a.is_designator() && (changed || value.is_place()) {
            let place = self.temporary(convert(value, &ir::Type::Text));
            return place;
        }
        value
    }

    /// Length of a character value as the source means it.
    pub fn text_length(&mut self, e: &TExpr, ix: &[LoopIndex]) -> Expr {
        match e.ty {
            model::Type::Character(CharacterLength::Constant(n)) => Expr::int(n),
            _ => {
                let value = self.val(e, ix);
                Expr::call(Inquiry::Len, vec![value], ir::Type::Int(4))
            }
        }
    }

    /// Comparison of characters, padded with blanks.
    pub fn character_relation(
        &mut self,
        op: ir::BinaryOp,
        lhs: &TExpr,
        rhs: &TExpr,
        ix: &[LoopIndex],
    ) -> Expr {
        let l = self.val(lhs, ix);
        let r = self.val(rhs, ix);
        // Two literals are folded by the analysis; one literal compares as it is.
        let both = matches!(l.kind, ExprKind::Str(_)) && matches!(r.kind, ExprKind::Str(_));
        let l = if both { character_object(l) } else { l };
        Expr::binary(op, l, r, ir::Type::Bool)
    }

    /// `lhs // rhs`
    pub fn concat(&mut self, lhs: &TExpr, rhs: &TExpr, ix: &[LoopIndex]) -> Expr {
        let l = self.val(lhs, ix);
        let r = self.val(rhs, ix);
        match (&l.ty, &r.ty) {
            (ir::Type::Character(0), ir::Type::Character(_)) => r,
            (ir::Type::Character(_), ir::Type::Character(0)) => l,
            (ir::Type::Character(n), ir::Type::Character(m)) => {
                let ty = ir::Type::Character(n + m);
                Expr::call(
                    Function::Concat,
                    vec![character_object(l), character_object(r)],
                    ty,
                )
            }
            _ => Expr::call(Function::Joined, vec![l, r], ir::Type::Text),
        }
    }

    /// `base(lo:hi)` of a character.
    pub fn substring(
        &mut self,
        base: &TExpr,
        lo: Option<&TExpr>,
        hi: Option<&TExpr>,
        ix: &[LoopIndex],
    ) -> Expr {
        let whole = self.val(base, ix);
        let lo = lo.map_or(Expr::int(1), |l| self.index_value(l));
        let hi = match hi {
            Some(h) => self.index_value(h),
            None => self.text_length(base, ix),
        };
        let ty = match (lo.as_int(), hi.as_int()) {
            (Some(a), Some(b)) => {
                ir::Type::Character(i64::try_from((b - a + 1).max(0)).unwrap_or(0))
            }
            _ => ir::Type::Text,
        };
        let whole = if matches!(whole.kind, ExprKind::Str(_)) {
            character_object(whole)
        } else {
            whole
        };
        Expr::new(
            ExprKind::Element {
                base: Box::new(whole),
                subs: vec![lo, hi],
            },
            ty,
        )
    }
}

fn is_special(v: &Variable) -> bool {
    [VarAttrs::POINTER, VarAttrs::ALLOCATABLE, VarAttrs::VALUE]
        .into_iter()
        .any(|a| v.attrs.has(a))
}

fn parameter_type(changed: bool) -> ir::Type {
    ir::Type::Class(Class::Characters { changed })
}

fn text_entity(name: &str) -> Entity {
    Entity {
        expr: Expr::name(name, ir::Type::Text),
        bounds: Vec::new(),
        optional: None,
    }
}

/// A literal or substring of constant length as an object of the runtime's character type.
pub fn character_object(e: Expr) -> Expr {
    let substring = matches!(&e.kind, ExprKind::Element { base, .. }
        if matches!(base.ty.plain(), ir::Type::Character(_) | ir::Type::Text));
    match &e.ty {
        ir::Type::Character(n) if substring || matches!(e.kind, ExprKind::Str(_)) => {
            let ty = ir::Type::Character((*n).max(1));
            Expr::new(ExprKind::Object(vec![e]), ty)
        }
        _ => e,
    }
}
