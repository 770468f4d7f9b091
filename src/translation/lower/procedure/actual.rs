//! Actual arguments of device procedures: scalars, arrays, and the module data that travels with them.

use crate::ast::Span;
use crate::ir::{self, *};
use crate::lower::context::LoweringContext;
use crate::lower::context::rules::{Arrays, Designators, Expressions};
use crate::lower::context::state::LoopIndex;
use crate::lower::value::convert::{conversion, convert};
use crate::sema::expression::typed::*;
use crate::sema::model::*;

impl LoweringContext<'_, '_> {
    /// The hidden arguments of a procedure: module data that is not a symbol of the device code.
    pub fn hidden_actuals(&mut self, body: ScopeId, span: Span) -> Vec<Expr> {
        let hidden: Vec<_> = self
            .sh
            .analysis
            .facts
            .get(&body)
            .map(|f| f.hidden.iter().copied().collect())
            .unwrap_or_default();
        let mut out = Vec::new();
        for h in hidden {
            let ent = if self.capture.is_some() && !self.vars.contains_key(&h) {
                self.capture_variable(h, span)
            } else {
                self.entity(h, span)
            };
            let scalar = self.model().dims(h).is_empty();
            out.push(if scalar { ent.expr.address() } else { ent.expr });
        }
        out
    }

    pub fn scalar_actual(
        &mut self,
        d: SymbolId,
        v: &Variable,
        a: &TExpr,
        ix: &[LoopIndex],
    ) -> Expr {
        if crate::lower::context::query::has_varying_length(&v.ty) {
            return self.text_actual(d, v, a, ix);
        }
        let Some(elem) = self.storage_type(&v.ty) else {
            return self.refuse_expr(
                a.span,
                "CUF0403",
                "this type is not supported in device code (guide 3.6.1)",
            );
        };
        if v.attrs.is_dynamic() {
            return self.movable_actual(d, v, a);
        }
        let optional = v.attrs.has(VarAttrs::OPTIONAL);
        if optional && let Some(p) = self.is_optional_dummy(a) {
            let place = self.place(a);
            if place.ty == ir::Type::Text {
                return self.refuse_expr(
                    a.span,
                    "CUF0421",
                    "optional character argument of non-constant length is passed here\nnote: the dummy argument has a constant length",
                );
            }
            let data = place.address();
            return match &data.kind {
                ExprKind::Name(i) if i.name == p => Expr::name(&p, ir::Type::Auto),
                _ => self.when_present(a, data),
            };
        }
        if self.dummy_by_value(d) && !optional {
            let ty = match &elem {
                ir::Type::Logical(_) => ir::Type::Bool,
                t => t.clone(),
            };
            let value = if a.ty == crate::sema::model::Type::Boz {
                self.boz(a, &ty)
            } else {
                self.val(a, ix)
            };
            let value = if crate::lower::value::array::is_character(&a.ty) {
                crate::lower::value::text::character_object(value)
            } else {
                value
            };
            return convert(value, &ty);
        }
        let by_const = self.dummy_is_const(d);
        if let (
            crate::sema::model::Type::Derived(to) | crate::sema::model::Type::Class(to),
            crate::sema::model::Type::Derived(from) | crate::sema::model::Type::Class(from),
        ) = (&v.ty, &a.ty)
            && to != from
            && self.model().extends(*from, *to)
        {
            let whole = self.place_at(a, ix);
            let part = self.as_ancestor(whole, *from, *to);
            return if optional { part.address() } else { part };
        }
        let place = if a.is_designator() && (a.rank <= 0 || !ix.is_empty()) {
            let p = self.place_at(a, if a.rank <= 0 { &[] } else { ix });
            let part = is_part_of_text(a, &p, &elem);
            if part && (optional || !by_const || self.is_shared_actual(d, a)) {
                Some(characters(p, &elem))
            } else {
                // A value in a register or of another representation needs a place of its own.
                (!part && p.ty.plain() == &elem).then_some(p)
            }
        } else {
            None
        };
        let place = match place {
            Some(p) => p,
            None => {
                let value = if a.ty == crate::sema::model::Type::Boz {
                    self.boz(a, &elem)
                } else {
                    self.val(a, ix)
                };
                let value = convert(value, &elem);
                // An expression has the value it has now, though C++ would pass the variable itself.
                let copied = !a.is_designator() && value.is_place();
                if by_const && !optional && !copied {
                    return value;
                }
                let name = self.numbered("t");
                self.before(ir::Stmt::declare(elem.clone(), &name, Init::Value(value)));
                Expr::name(&name, elem)
            }
        };
        if optional { place.address() } else { place }
    }

    pub fn array_actual(&mut self, d: SymbolId, v: &Variable, a: &TExpr) -> Expr {
        if v.attrs.is_dynamic() {
            return self.movable_actual(d, v, a);
        }
        let view = v.dims.iter().any(|x| matches!(x, Dim::Colon { .. }));
        if a.rank <= 0
            && a.is_designator()
            && let Some(elem @ ir::Type::Character(_)) = self.storage_type(&v.ty)
        {
            // Sequence association: the array begins at this character.
            let place = self.place(a);
            if is_part_of_text(a, &place, &elem) {
                return characters(place, &elem).address();
            }
        }
        if matches!(a.kind, TExprKind::Substring { .. }) && self.dummy_is_const(d) {
            let copy = self.materialise(a).expr;
            return if view {
                copy
            } else {
                copy.method(Method::Data, Vec::new(), ir::Type::Auto)
            };
        }
        let ancestors = self.ancestors_of(v, a);
        let a = ancestors.as_ref().unwrap_or(a);
        if let Some(copy) = self.gathered(a) {
            if self.is_shared_actual(d, a) {
                self.refuse(a.span, "CUF0436", self.no_copy(d));
            }
            let part = if view { Method::Whole } else { Method::Data };
            return copy.method(part, Vec::new(), ir::Type::Auto);
        }
        if view {
            let data = self.section(a);
            return if v.attrs.has(VarAttrs::OPTIONAL) {
                self.when_present(a, data)
            } else {
                data
            };
        }
        if v.attrs.has(VarAttrs::OPTIONAL) && self.is_optional_dummy(a).is_some() {
            let plain = matches!(&a.kind, TExprKind::Variable(s) if self.vars.get(s)
                .is_some_and(|e| matches!(e.expr.ty.plain(), ir::Type::Array { .. })));
            if plain {
                let p = self.is_optional_dummy(a).unwrap_or_default();
                return Expr::name(&p, ir::Type::Auto);
            }
        }
        let elem = self.storage_type(&v.ty).unwrap_or(ir::Type::Unknown);
        let pointer = ir::Type::Pointer {
            to: Box::new(elem),
            restrict: false,
        };
        if a.rank <= 0 && a.is_designator() {
            return self.element_actual(a, pointer);
        }
        // The elements that a vector subscript names have no place of their own.
        let vector = matches!(&a.kind, TExprKind::Index { subs, .. } if subs.iter().any(|s| matches!(s, Subscript::Vector(_))));
        if !a.is_designator()
            && self.hoisted.holding(a.span).is_none()
            && let Some(small) = self.small(a)
        {
            let v = self.small_value(a, &small);
            return self.constness(
                v.method(Method::Data, Vec::new(), pointer.clone()),
                d,
                &pointer,
            );
        }
        if vector || !a.is_designator() {
            let t = self.materialise(a);

            return self.constness(
                t.expr.method(Method::Data, Vec::new(), pointer.clone()),
                d,
                &pointer,
            );
        }
        if v.attrs.has(VarAttrs::OPTIONAL) && matches!(a.kind, TExprKind::Variable(_)) {
            let whole = self.section(a);
            let whole = self.when_present(a, whole);
            if !matches!(whole.kind, ExprKind::Name(_)) {
                let packing = self.packing(d, a);
                return Expr::call(packing, vec![self.place_text(), whole], ir::Type::Auto).method(
                    Method::Data,
                    Vec::new(),
                    pointer,
                );
            }
        }
        if self.is_contiguous(a) {
            return self.first_element(a, pointer);
        }
        // The runtime copies in and out if the elements do not lie side by side.
        let s = self.section(a);
        let packing = self.packing(d, a);
        Expr::call(packing, vec![self.place_text(), s], ir::Type::Auto).method(
            Method::Data,
            Vec::new(),
            pointer,
        )
    }

    pub fn temporary_place(&mut self, a: &TExpr, elem: &ir::Type) -> Expr {
        let value = self.value_as(a, elem);
        let name = self.numbered("t");
        self.before(ir::Stmt::declare(elem.clone(), &name, Init::Value(value)));
        Expr::name(&name, elem.clone())
    }

    /// The address of the first element of an array whose elements lie side by side.
    pub fn first_element(&mut self, a: &TExpr, pointer: ir::Type) -> Expr {
        let TExprKind::Index { base, subs } = &a.kind else {
            let whole = self.array_place(a, &[]).expr;
            return whole.method(Method::Data, Vec::new(), pointer);
        };
        let whole = self.array_place(base, &[]);
        if self.spans_all(&whole, subs) {
            return whole.expr.method(Method::Data, Vec::new(), pointer);
        }
        let first = subs
            .iter()
            .enumerate()
            .map(|(k, s)| match s {
                Subscript::Element(x) => self.index_value(x),
                _ => self.triplet(&whole, k, s).0,
            })
            .collect();
        whole.expr.at(first).address()
    }

    /// Sequence association: the array begins at this element. Of an assumed-shape array or pointer, which standard Fortran does
    /// not allow (F2018 15.5.2.4) and nvfortran does, the elements have to lie side by side: the runtime stops where they do not.
    pub fn element_actual(&mut self, a: &TExpr, pointer: ir::Type) -> Expr {
        let first = self.place(a).address();
        let TExprKind::Index { base, .. } = &a.kind else {
            return first;
        };
        let allocatable = self.model().has_attribute(base, VarAttrs::ALLOCATABLE);
        if allocatable || self.is_contiguous(base) {
            return first;
        }
        let whole = self.array_place(base, &[]).expr;
        Expr::call(
            Function::Sequence,
            vec![self.place_text(), whole, first],
            pointer,
        )
    }

    /// The class of the runtime that gives the elements of an actual side by side: no copy where other threads change them.
    fn packing(&mut self, d: SymbolId, a: &TExpr) -> Function {
        if !self.is_shared_actual(d, a) {
            return Function::Packed;
        }
        if is_surely_strided(a) {
            self.refuse(a.span, "CUF0436", self.no_copy(d));
        }
        Function::InPlace
    }

    fn no_copy(&self, d: SymbolId) -> String {
        let dummy = &self.model()[d].spelling;
        format!(
            "section is not contiguous, but dummy argument `{dummy}` requires contiguous data\nnote: the procedure synchronizes, and a copy would not see writes by other threads\nhelp: declare `{dummy}` as assumed-shape"
        )
    }

    /// The parts of an array of an extended type that a CLASS dummy of an ancestor takes, as a designator `a%ancestor`.
    fn ancestors_of(&self, v: &Variable, a: &TExpr) -> Option<TExpr> {
        use crate::sema::model::Type;
        let (Type::Class(to), Type::Derived(from) | Type::Class(from)) = (&v.ty, &a.ty) else {
            return None;
        };
        let model = self.model();
        let mut at = *from;
        while let Some(parent) = model[at].parent {
            if parent == *to {
                let kind = TExprKind::Component {
                    base: Box::new(a.clone()),
                    of: *from,
                    index: PARENT_COMPONENT,
                    name: model[at].parent_name.clone(),
                };
                // No other designator has this span: it takes in one character more.
                let span = Span {
                    end: a.span.end + 1,
                    ..a.span
                };
                return Some(TExpr {
                    kind,
                    ty: Type::Derived(parent),
                    span,
                    ..a.clone()
                });
            }
            at = parent;
        }
        None
    }

    /// The data of a constant temporary is const, which fits a dummy that is only read.
    fn constness(&self, e: Expr, d: SymbolId, pointer: &ir::Type) -> Expr {
        if self.dummy_is_const(d) {
            e
        } else {
            convert_pointer(e, pointer)
        }
    }
}

/// A section with a step that is no multiple of the array's elements side by side.
pub fn is_surely_strided(a: &TExpr) -> bool {
    let TExprKind::Index { subs, .. } = &a.kind else {
        return false;
    };
    subs.iter().any(|s| match s {
        Subscript::Range { step, .. } => {
            let step = step.as_ref().and_then(TExpr::as_integer);
            step.is_some_and(|s| s != 1)
        }
        _ => false,
    })
}

/// The actual is a substring, or text of another length than the dummy.
fn is_part_of_text(a: &TExpr, place: &Expr, elem: &ir::Type) -> bool {
    let text = matches!(place.ty.plain(), ir::Type::Character(_) | ir::Type::Text);
    text && matches!(elem, ir::Type::Character(_))
        && (matches!(a.kind, TExprKind::Substring { .. }) || place.ty.plain() != elem)
}

/// The characters from the first of `place` on as an object of the dummy's length.
fn characters(place: Expr, elem: &ir::Type) -> Expr {
    let n = match elem {
        ir::Type::Character(n) => *n,
        _ => 1,
    };
    Expr::call_of(
        Function::Characters,
        vec![TemplateArg::Int(n)],
        vec![place],
        elem.clone(),
    )
}

fn convert_pointer(e: Expr, pointer: &ir::Type) -> Expr {
    match &e.ty {
        ir::Type::Pointer { .. } => e,
        _ => conversion(e, pointer),
    }
}
