//! Designators: variables, elements, sections, components, and how each is written where it stands.

use super::convert::{conversion, convert, subscript};
use crate::ast::Span;
use crate::ir::{self, *};
use crate::lower::context::rules::{Arrays, Designators, Expressions};
use crate::lower::context::state::LoopIndex;
use crate::lower::context::{Entity, LoweringContext};
use crate::sema::expression::typed::*;
use crate::sema::model::{self, *};

impl LoweringContext<'_, '_> {
    /// Element of a whole array that stands under a name.
    pub fn element_of(&mut self, ent: &Entity, ix: &[LoopIndex]) -> Expr {
        let lowers = self.lower_bounds(ent);
        let subs = ix.iter().zip(lowers).map(|(i, l)| i.subscript(l)).collect();
        ent.expr.clone().at(subs)
    }

    /// Lower bounds as declared, asked of the object where they are not known: those of an array without elements are not what
    /// LBOUND gives.
    pub fn lower_bounds(&self, ent: &Entity) -> Vec<Expr> {
        (0..ent.expr.ty.rank())
            .map(|d| match ent.bounds.get(d) {
                Some((Some(lo), _)) => lo.clone(),
                _ => inquiry(&ent.expr, Method::Lower, d),
            })
            .collect()
    }

    /// Upper bounds as declared, with which a section ends (F2018 9.5.3.3.1): not what UBOUND gives for an array without elements.
    pub fn upper_bounds(&self, ent: &Entity) -> Vec<Expr> {
        (0..ent.expr.ty.rank())
            .map(|d| match ent.bounds.get(d) {
                Some((_, Some(hi))) => hi.clone(),
                // UBOUND of an array without elements is 0, as declared if it begins at 1.
                Some((Some(lo), None)) if lo.as_int() == Some(1) => {
                    inquiry(&ent.expr, Method::Ubound, d)
                }
                _ => inquiry(&ent.expr, Method::Upper, d),
            })
            .collect()
    }

    pub fn index_at(&mut self, base: &TExpr, subs: &[Subscript], ix: &[LoopIndex]) -> Expr {
        if let Some(e) = self.submatrix_element(base, subs) {
            return e;
        }
        let mut free = ix.iter();
        // `a(:)%b(2)`: the position belongs to the base, all subscripts are elements.
        let ranged = subs.iter().any(|s| !matches!(s, Subscript::Element(_)));
        if base_is_ranged(base) {
            let whole = self.array_place(base, ix);
            let subs = subs
                .iter()
                .map(|s| match s {
                    Subscript::Element(x) => self.index_value(x),
                    _ => Expr::int(1),
                })
                .collect();
            return whole.expr.at(subs);
        }
        let whole = self.array_place(base, &[]);
        let lowers = if ranged {
            self.lower_bounds(&whole)
        } else {
            Vec::new()
        };
        let mut out = Vec::new();
        for (d, s) in subs.iter().enumerate() {
            out.push(match s {
                Subscript::Element(x) if ranged => self.section_index(x),
                Subscript::Element(x) => self.index_value(x),
                Subscript::Range { lo, step, .. } => {
                    let lo = match lo {
                        Some(l) => self.section_index(l),
                        None => match step.as_ref().and_then(TExpr::as_integer) {
                            Some(s) if s < 0 => self
                                .upper_bounds(&whole)
                                .get(d)
                                .cloned()
                                .unwrap_or(Expr::int(1)),
                            _ => lowers.get(d).cloned().unwrap_or(Expr::int(1)),
                        },
                    };
                    let step = match step {
                        Some(s) => self.section_index(s),
                        None => Expr::int(1),
                    };
                    match free.next() {
                        Some(i) => i.strided(lo, step),
                        None => lo,
                    }
                }
                Subscript::Vector(v) => match free.next() {
                    Some(i) => {
                        let at = std::slice::from_ref(i);
                        let frozen = self.frozen.vectors.get(&(v.span.start, v.span.end));
                        let s = match frozen.cloned() {
                            Some(values) => self.element_of(&values, at),
                            None => self.val(v, at),
                        };
                        subscript(s)
                    }
                    None => Expr::int(1),
                },
            });
        }
        whole.expr.at(out)
    }

    pub fn field_entity(
        &mut self,
        whole: Expr,
        of: TypeId,
        index: usize,
        name: &str,
        designator: &TExpr,
    ) -> Entity {
        let plain = |e: Expr| Entity {
            expr: e,
            bounds: Vec::new(),
            optional: None,
        };
        if index == PARENT_COMPONENT {
            // The parent, or an ancestor further up, under the name that its child extends it by.
            let mut whole = whole;
            let mut at = of;
            while let Some(p) = self.model()[at].parent {
                whole = self.parent_part(whole, p);
                if self.model()[at].parent_name == name {
                    break;
                }
                at = p;
            }
            return plain(whole);
        }
        let Some(f) = self
            .model()
            .components_of(of)
            .get(index)
            .map(|f| (*f).clone())
        else {
            return plain(whole);
        };
        // Components of ancestors are reached through the parent components.
        let mut whole = whole;
        let mut at = of;
        while let Some(p) = self.model()[at].parent
            && !self.model()[at]
                .components
                .iter()
                .any(|c| c.name == f.name && c.span == f.span)
        {
            whole = self.parent_part(whole, p);
            at = p;
        }
        let field = field_name(&f, name);
        let elem = self.storage_type(&f.ty).unwrap_or(ir::Type::Unknown);
        if f.attrs.is_dynamic() {
            let own = f.attrs.has(VarAttrs::POINTER) && self.is_made_here(designator);
            let host = matches!(f.space, Space::Host | Space::Pinned)
                && !self.model().reaches_component(&f)
                && !self.attaches_components();
            if host && !own {
                self.refuse(
                    designator.span,
                    "CUF0411",
                    format!("component `{name}` is host data and cannot be used in device code"),
                );
            }
            if f.dims.is_empty() {
                let to = ir::Type::Pointer {
                    to: Box::new(elem.clone()),
                    restrict: false,
                };
                return plain(whole.field(&field, to).deref(elem));
            }
            let rank = f.dims.len();
            let ty = ir::Type::Descriptor {
                elem: Box::new(elem),
                rank,
            };
            return Entity {
                expr: whole.field(&field, ty),
                bounds: vec![(None, None); rank],
                optional: None,
            };
        }

        if f.dims.is_empty() {
            return plain(whole.field(&field, elem));
        }
        let home = self.field_scope(of, &f);
        let folded = self.model().bounds(home, &f.dims);
        let dims: Option<Vec<FixedDim>> = folded
            .iter()
            .map(|b| {
                let (lo, hi) = (b.lower?, b.upper?);
                Some(FixedDim {
                    lower: None,
                    upper: Expr::int(hi),
                    lo,
                    hi,
                })
            })
            .collect();
        let bounds = folded
            .iter()
            .map(|b| (b.lower.map(Expr::int), b.upper.map(Expr::int)))
            .collect();
        let ty = match dims {
            Some(dims) => ir::Type::Fixed {
                elem: Box::new(elem),
                dims,
            },
            None => ir::Type::View {
                elem: Box::new(elem),
                rank: f.dims.len(),
            },
        };
        Entity {
            expr: whole.field(&field, ty),
            bounds,
            optional: None,
        }
    }

    /// Device code gave the structure its value, not the host: it belongs to no module and is no argument of a kernel.
    pub fn is_made_here(&self, designator: &TExpr) -> bool {
        let Some(root) = designator.root().map(|r| self.origin(r)) else {
            return true;
        };
        self.capture.is_none()
            && self.model().variable(root).is_some_and(|v| {
                let scope = &self.model()[self.model()[root].scope];
                matches!(scope.kind, ScopeKind::Procedure | ScopeKind::Block)
                    && !(v.dummy.is_some() && self.is_kernel())
            })
    }

    /// The parent component of a value of an extended type.
    pub fn parent_part(&mut self, whole: Expr, parent: TypeId) -> Expr {
        let ty = self
            .storage_type(&model::Type::Derived(parent))
            .unwrap_or(ir::Type::Unknown);
        whole.field(&parent_member(&self.model()[parent].name), ty)
    }

    pub fn component_at(
        &mut self,
        e: &TExpr,
        base: &TExpr,
        of: TypeId,
        index: usize,
        name: &str,
        ix: &[LoopIndex],
    ) -> Expr {
        if let Some(ent) = self.captured_component(e) {
            return if ix.is_empty() {
                ent.expr
            } else {
                self.element_of(&ent, ix)
            };
        }
        if let model::Type::Derived(t) | model::Type::Class(t) = base.ty
            && self.model()[t].external
            && index != PARENT_COMPONENT
        {
            if let Some(element) = self.whole_submatrix(e, base, ix) {
                return element;
            }
            let b = self.place_at(base, ix);
            return self.external_component(e, b, name);
        }
        if base.rank > 0 {
            let whole = self.place_at(base, ix);
            return self.field_entity(whole, of, index, name, e).expr;
        }
        let whole = self.place_at(base, &[]);
        let ent = self.field_entity(whole, of, index, name, e);
        if ix.is_empty() {
            ent.expr
        } else {
            self.element_of(&ent, ix)
        }
    }

    /// Folded bounds of module data and constants.
    pub fn constant_bounds(&self, s: SymbolId) -> Vec<(Option<Expr>, Option<Expr>)> {
        let model = self.model();
        if let SymbolKind::Parameter(p) = &model[s].kind
            && let Some(Constant::Array(_, extents)) = &p.value
        {
            let folded = model.dims_of(s);
            return extents
                .iter()
                .enumerate()
                .map(|(d, n)| {
                    let lo = folded.get(d).and_then(|b| b.lower).unwrap_or(1);
                    (Some(Expr::int(lo)), Some(Expr::int(lo + n - 1)))
                })
                .collect();
        }
        model
            .dims_of(s)
            .iter()
            .map(|b| (b.lower.map(Expr::int), b.upper.map(Expr::int)))
            .collect()
    }

    /// A member of some unit's namespace.
    pub fn global(&mut self, s: SymbolId, ty: ir::Type) -> Expr {
        self.sh.used_symbols.borrow_mut().insert(s);
        let scope = self.model()[s].scope;
        self.sh
            .needs
            .borrow_mut()
            .insert((self.file, self.model()[scope].file));
        let name = crate::ir::names::safe(&self.model()[s].spelling);
        Expr::new(
            ExprKind::Name(Ident {
                space: Namespaces::Unit(self.sh.namespace_of(scope)),
                name,
            }),
            ty,
        )
    }

    /// A component of a type of the runtime: dim3, cooperative groups.
    pub fn external_component(&mut self, e: &TExpr, base: Expr, name: &str) -> Expr {
        let ty = self.value_type(&e.ty).unwrap_or(ir::Type::Unknown);
        // The members of dim3 are unsigned, those of the groups int.
        let unsigned = matches!(&base.ty, ir::Type::Class(Class::Dim3));
        let member = base.field(
            name,
            if unsigned {
                ir::Type::Uint
            } else {
                ir::Type::Int(4)
            },
        );
        if unsigned {
            conversion(member, &ir::Type::Int(4))
        } else {
            convert(member, &ty)
        }
    }
}

/// `x.lbound(d)` and the like as a default integer.
pub fn inquiry(whole: &Expr, what: Method, dim: usize) -> Expr {
    let d = Expr::int(dim as i64 + 1);
    conversion(
        whole.clone().method(what, vec![d], ir::Type::Int(8)),
        &ir::Type::Int(4),
    )
}

/// Name of the member that holds the parent component.
pub fn parent_member(parent: &str) -> String {
    format!("{}_", crate::ir::names::safe(parent))
}

/// C++ name of a component.
pub fn field_name(f: &Field, fallback: &str) -> String {
    let spelling = if f.spelling.is_empty() {
        fallback
    } else {
        &f.spelling
    };
    crate::ir::names::safe(spelling)
}

/// A module variable that is a symbol of the device code.
pub fn is_symbol(v: &Variable) -> bool {
    matches!(
        v.space,
        Space::Device | Space::Constant | Space::Managed | Space::Unified
    ) && !v.attrs.is_dynamic()
}

/// The designator has an array part further left than its last part.
pub fn base_is_ranged(base: &TExpr) -> bool {
    match &base.kind {
        TExprKind::Component { base, .. } => base.rank > 0,
        _ => false,
    }
}

impl Designators for LoweringContext<'_, '_> {
    fn array_place(&mut self, e: &TExpr, ix: &[LoopIndex]) -> Entity {
        match &e.kind {
            TExprKind::Variable(s) => self.entity(*s, e.span),
            TExprKind::Paren(inner) => self.array_place(inner, ix),
            TExprKind::Constant { symbol: Some(s) } => self.entity(*s, e.span),
            TExprKind::Component {
                base,
                of,
                index,
                name,
            } => {
                if let Some(ent) = self.captured_component(e) {
                    return ent;
                }
                let whole = self.place_at(base, ix);
                self.field_entity(whole, *of, *index, name, e)
            }
            _ => self.materialise(e),
        }
    }

    fn entity(&mut self, s: SymbolId, span: Span) -> Entity {
        for frame in self.substitutions.iter().rev() {
            if let Some(e) = frame.get(&s) {
                return Entity {
                    expr: e.clone(),
                    bounds: Vec::new(),
                    optional: None,
                };
            }
        }
        if let Some(e) = self.vars.get(&s) {
            return e.clone();
        }
        let model = self.model();
        let info = &model[s];
        let module_level = matches!(
            model[info.scope].kind,
            ScopeKind::Module | ScopeKind::Submodule
        );
        match &info.kind {
            SymbolKind::Parameter(_)
                if module_level || matches!(model[info.scope].kind, ScopeKind::Program) =>
            {
                let Some((ty, _)) = self.constant_value(s, span) else {
                    return Entity {
                        expr: Expr::int(0),
                        bounds: Vec::new(),
                        optional: None,
                    };
                };
                let expr = self.global(s, ty);
                self.note_constant(s, &expr);
                let bounds = self.constant_bounds(s);
                Entity {
                    expr,
                    bounds,
                    optional: None,
                }
            }
            // A constant of an intrinsic module or of the runtime: its value stands for it.
            SymbolKind::Parameter(p) if model[info.scope].kind == ScopeKind::External => {
                let expr = match p.value.clone() {
                    Some(value) => {
                        let ty = p.ty.clone();
                        self.literal(&value, &ty, span)
                    }
                    None => {
                        let name = &info.spelling;
                        let message = format!(
                            "value of constant `{name}` is not known to cuf2cu and cannot be used in device code"
                        );
                        self.refuse_expr(span, "CUF0409", message)
                    }
                };
                Entity {
                    expr,
                    bounds: Vec::new(),
                    optional: None,
                }
            }
            SymbolKind::Parameter(_) => {
                // A constant of the host procedure around a CUF loop.
                match self.constant_value(s, span) {
                    Some((ty, value)) => self.prologue_constant(s, ty, value),
                    None => Entity {
                        expr: Expr::int(0),
                        bounds: Vec::new(),
                        optional: None,
                    },
                }
            }
            SymbolKind::Variable(v) if module_level && is_symbol(v) => {
                let v = v.clone();
                let ty = self.variable_type(s, &v, span);
                let ty = match ty {
                    // Module data has its type in memory.
                    ir::Type::Bool => self.storage_type(&v.ty).unwrap_or(ir::Type::Unknown),
                    t => t,
                };
                let expr = self.global(s, ty);
                let bounds = self.constant_bounds(s);
                Entity {
                    expr,
                    bounds,
                    optional: None,
                }
            }
            SymbolKind::Variable(_) | SymbolKind::Associate { .. } if self.capture.is_some() => {
                self.capture_variable(s, span)
            }
            _ => {
                let name = info.spelling.clone();
                self.refuse(
                    span,
                    "CUF0411",
                    format!("host variable `{name}` is used in device code"),
                );
                Entity {
                    expr: Expr::int(0),
                    bounds: Vec::new(),
                    optional: None,
                }
            }
        }
    }
}
