//! RESHAPE, SPREAD, TRANSPOSE, PACK, UNPACK, and TRANSFER.

use super::dimension;
use crate::intrinsics::{Inquiry, Intrinsic, Shape};
use crate::ir::{self, *};
use crate::lower::context::layout::size_of;
use crate::lower::context::rules::{Arrays, Expressions};
use crate::lower::context::state::{Args, LoopIndex};
use crate::lower::context::{Entity, LoweringContext};
use crate::lower::value::convert::{convert, to_bool};
use crate::sema::expression::typed::*;
use crate::sema::model::{self, Constant};

impl LoweringContext<'_, '_> {
    /// The array, or reinterpreted scalar, that statements before compute.
    pub(super) fn reshaped(
        &mut self,
        e: &TExpr,
        i: Shape,
        first: &TExpr,
        args: Args<'_>,
    ) -> Option<Entity> {
        match i {
            Shape::Pack => self.pack(e, first, args),
            Shape::Reshape => self.reshape(e, first, args),
            Shape::Transfer => self.transfer_array(e, first, args),
            Shape::Unpack => self.unpack(e, first, args),
            // Their elements are those of the argument.
            Shape::Spread | Shape::Transpose => None,
        }
    }

    /// The extents of the result.
    pub(super) fn shape_extents(
        &mut self,
        e: &TExpr,
        i: Shape,
        args: Args<'_>,
    ) -> Option<Vec<Expr>> {
        let first = args.first().and_then(Option::as_ref);
        match i {
            Shape::Transfer => Some(vec![self.transfer_extent(e, first?, args)?]),
            Shape::Transpose => {
                let mut n = self.extents(first?);
                n.reverse();
                Some(n)
            }
            Shape::Spread => {
                let mut n = self.extents(first?);
                let dim = args.get(1)?.as_ref()?;
                let copies = args.get(2)?.as_ref()?;
                let Some(d) = dim.as_integer() else {
                    let d = self.section_index(dim);
                    let c = self.section_index(copies);
                    return Some(dimension::with(&d, &n, &c));
                };
                let at = usize::try_from(d - 1).unwrap_or(0).min(n.len());
                let c = self.index_value(copies);
                n.insert(at, c);
                Some(n)
            }
            Shape::Reshape => self.shape_values(args.get(1)?.as_ref()?),
            Shape::Unpack => Some(self.extents(args.get(1)?.as_ref()?)),
            // Only where PACK itself gives the value; a loop over the elements would ask for the shape again.
            Shape::Pack if first.is_some() && self.can_pack(e, args) => {
                let t = self.materialise(e);
                Some(self.entity_extents(&t))
            }
            Shape::Pack => None,
        }
    }

    /// TRANSFER of a scalar to a scalar: its bytes.
    pub(super) fn transfer_scalar(
        &mut self,
        args: Args<'_>,
        ty: &ir::Type,
        ix: &[LoopIndex],
    ) -> Option<Expr> {
        let a = args.first()?.as_ref()?;
        if args.get(2).is_some_and(Option::is_some) || a.rank > 0 {
            return None;
        }
        let mold = args.get(1)?.as_ref()?;
        let to = match ty {
            ir::Type::Bool => self.storage_type(&mold.ty)?,
            t => t.clone(),
        };
        if a.ty == model::Type::Boz {
            return None;
        }
        // A condition has the bytes of a variable of its kind.
        let v = match (self.val(a, ix), self.storage_type(&a.ty)) {
            (v, Some(held)) if held.is_logical() => convert(v, &held),
            (v, _) => v,
        };
        Some(Expr::call_of(
            Shape::Transfer,
            vec![TemplateArg::Type(to.clone())],
            vec![v],
            to,
        ))
    }

    /// Elements of functions that only move elements around.
    pub(super) fn lazy_array(
        &mut self,
        i: Shape,
        args: Args<'_>,
        ix: &[LoopIndex],
    ) -> Option<Expr> {
        let first = args.first().and_then(Option::as_ref)?;
        match (i, ix) {
            // A scalar is the same at all positions: it is not evaluated for each of them.
            (Shape::Spread, _) if first.rank <= 0 && !ix.is_empty() => Some(self.val(first, ix)),
            (Shape::Transpose, [i, j]) => Some(self.val(first, &[j.clone(), i.clone()])),
            (Shape::Spread, _) if self.variable_spread(args) && !ix.is_empty() => {
                let d = self.section_index(args.get(1)?.as_ref()?);
                let rest = dimension::without(&d, ix);
                Some(self.val(first, &rest))
            }
            (Shape::Spread, _) if !ix.is_empty() => {
                let dim = usize::try_from(args.get(1)?.as_ref()?.as_integer()?).ok()?;
                let mut rest = ix.to_vec();
                if dim == 0 || dim > rest.len() {
                    return None;
                }
                rest.remove(dim - 1);
                Some(self.val(first, &rest))
            }
            _ => None,
        }
    }

    /// The elements of a SHAPE argument as expressions.
    fn shape_values(&mut self, shape: &TExpr) -> Option<Vec<Expr>> {
        if let Some(Constant::Array(items, _)) = &shape.value {
            return items
                .iter()
                .map(|i| match i {
                    Constant::Integer(v, _) => i64::try_from(*v).ok().map(Expr::int),
                    _ => None,
                })
                .collect();
        }
        match &shape.kind {
            TExprKind::ArrayConstructor { items } if items.iter().all(|i| i.rank == 0) => {
                Some(items.iter().map(|i| self.index_value(i)).collect())
            }
            TExprKind::Intrinsic {
                intrinsic: Intrinsic::Inquiry(Inquiry::Shape),
                args,
            } => args.first()?.as_ref().map(|a| self.extents(a)),
            TExprKind::Paren(x) => self.shape_values(x),
            TExprKind::Variable(_) => {
                let n = i64::try_from(self.extents(shape).first()?.as_int()?).ok()?;
                let element = |i| LoopIndex {
                    var: Expr::int(i),
                    base: Expr::int(0),
                };
                Some((0..n).map(|i| self.val(shape, &[element(i)])).collect())
            }
            _ => None,
        }
    }

    /// RESHAPE(SOURCE, SHAPE [, PAD] [, ORDER])
    fn reshape(&mut self, e: &TExpr, source: &TExpr, args: Args<'_>) -> Option<Entity> {
        let extents = self.shape_values(args.get(1)?.as_ref()?)?;
        // The dimensions in the order in which the elements fill them.
        let order: Vec<usize> = match args.get(3).and_then(Option::as_ref) {
            Some(order) => self
                .shape_values(order)?
                .iter()
                .map(|d| usize::try_from(d.as_int()?.checked_sub(1)?).ok())
                .collect::<Option<_>>()?,
            None => (0..extents.len()).collect(),
        };
        if order.iter().any(|d| *d >= extents.len()) {
            return None;
        }
        let pad = match args.get(2).and_then(Option::as_ref) {
            Some(p) if p.rank == 1 => {
                let total = self
                    .extents(source)
                    .into_iter()
                    .fold(Expr::int(1), Expr::times);
                let length = self.extents(p).into_iter().next()?;
                Some((p, total, length))
            }
            Some(_) => return None,
            None => None,
        };
        let elem = self.storage_type(&e.ty)?;
        let t = self.declare_array(elem.clone(), &extents, Init::None);
        let ranges: Vec<_> = extents.iter().map(|n| (Expr::int(1), n.clone())).collect();
        let place = t.clone();
        let flat = if source.rank == 1 {
            None
        } else {
            Some(self.flattened(source)?)
        };
        let loops = self.nest(&ranges, |cx, ix| {
            // Position in array element order.
            let mut at = Expr::int(0);
            let mut stride = Expr::int(1);
            for d in &order {
                let (i, n) = (&ix[*d], &extents[*d]);
                at = at.plus(i.var.clone().minus(i.base.clone()).times(stride.clone()));
                stride = stride.times(n.clone());
            }
            let here = LoopIndex {
                var: at,
                base: Expr::int(0),
            };
            let v = match &flat {
                Some(f) => cx.element_of(f, std::slice::from_ref(&here)),
                None => cx.val(source, std::slice::from_ref(&here)),
            };
            let v = match &pad {
                Some((p, total, length)) => {
                    let inside = Expr::binary(
                        BinaryOp::Lt,
                        here.var.clone(),
                        total.clone(),
                        ir::Type::Bool,
                    );
                    let beyond = here.var.clone().minus(total.clone());
                    let again = LoopIndex {
                        var: Expr::binary(BinaryOp::Rem, beyond, length.clone(), ir::Type::Int(4)),
                        base: Expr::int(0),
                    };
                    let filler = cx.val(p, std::slice::from_ref(&again));
                    let ty = elem.clone();
                    Expr::new(
                        ExprKind::Conditional {
                            cond: Box::new(inside),
                            then: Box::new(convert(v, &ty)),
                            otherwise: Box::new(convert(filler, &ty)),
                        },
                        ty,
                    )
                }
                None => v,
            };
            let target = cx.element_of(&place, ix);
            vec![ir::Stmt::assign(target, convert(v, &elem))]
        });
        loops.into_iter().for_each(|s| self.before(s));
        Some(t)
    }

    /// The elements of an array in array element order, in a temporary of rank 1.
    fn flattened(&mut self, source: &TExpr) -> Option<Entity> {
        let extents = self.extents(source);
        let total = extents.iter().cloned().fold(Expr::int(1), Expr::times);
        let elem = self.storage_type(&source.ty)?;
        let t = self.declare_array(elem.clone(), &[total], Init::None);
        let counter = self.numbered("n");
        self.before(ir::Stmt::declare(
            ir::Type::Int(4),
            &counter,
            Init::Value(Expr::int(0)),
        ));
        let ranges: Vec<_> = extents.into_iter().map(|n| (Expr::int(1), n)).collect();
        let place = t.expr.clone();
        let loops = self.nest(&ranges, |cx, ix| {
            let v = cx.val(source, ix);
            let next = Expr::name(&counter, ir::Type::Int(4)).incremented();
            vec![ir::Stmt::assign(place.at(vec![next]), convert(v, &elem))]
        });
        loops.into_iter().for_each(|s| self.before(s));
        Some(t)
    }

    /// Elements of TRANSFER with an array mold or a size.
    fn transfer_extent(&mut self, e: &TExpr, source: &TExpr, args: Args<'_>) -> Option<Expr> {
        if let Some(size) = args.get(2).and_then(Option::as_ref) {
            return Some(self.index_value(size));
        }
        let from = self.storage_type(&source.ty)?;
        let to = self.storage_type(&e.ty)?;
        let elements = if source.rank > 0 {
            self.extents(source)
                .into_iter()
                .fold(Expr::int(1), Expr::times)
        } else {
            Expr::int(1)
        };
        let (from, to) = (size_of(&from), size_of(&to));
        if from == to {
            return Some(elements);
        }
        let rounded = elements.times(from).plus(to.clone()).minus(Expr::int(1));
        Some(Expr::binary(BinaryOp::Div, rounded, to, ir::Type::Int(4)))
    }

    /// TRANSFER from or to an array: the bytes side by side.
    fn transfer_array(&mut self, e: &TExpr, source: &TExpr, args: Args<'_>) -> Option<Entity> {
        let elem = self.storage_type(&e.ty)?;
        let from = if source.rank > 0 {
            self.flattened(source)?.expr
        } else {
            let held = self.storage_type(&source.ty)?;
            let v = convert(self.value(source), &held);
            self.temporary(v)
        };
        let to = if e.rank > 0 {
            let n = self.transfer_extent(e, source, args)?;
            self.declare_array(elem, &[n], Init::None)
        } else {
            let name = self.numbered("t");
            self.before(ir::Stmt::declare(elem.clone(), &name, Init::None));
            Entity {
                expr: Expr::name(&name, elem),
                bounds: Vec::new(),
                optional: None,
            }
        };
        let copy = Expr::call(
            Function::TransferBytes,
            vec![to.expr.clone(), from],
            ir::Type::Void,
        );
        self.before(ir::Stmt::expr(copy));
        Some(to)
    }

    fn next_packed(&mut self) -> (String, Expr) {
        let name = self.numbered("n");
        self.before(ir::Stmt::declare(
            ir::Type::Int(4),
            &name,
            Init::Value(Expr::int(0)),
        ));
        let next = Expr::name(&name, ir::Type::Int(4)).incremented();
        (name, next)
    }

    /// The type and the arguments are those of a PACK.
    fn can_pack(&mut self, e: &TExpr, args: Args<'_>) -> bool {
        let given = |i: usize| args.get(i).and_then(Option::as_ref);
        // COUNT is one of host code.
        given(1).is_some()
            && given(3).is_none()
            && given(2).is_none_or(|v| v.rank == 1)
            && self.storage_type(&e.ty).is_some()
    }

    /// PACK(ARRAY, MASK [, VECTOR])
    fn pack(&mut self, e: &TExpr, a: &TExpr, args: Args<'_>) -> Option<Entity> {
        if !self.can_pack(e, args) {
            return None;
        }
        let mask = args.get(1)?.as_ref()?;
        let vector = args.get(2).and_then(Option::as_ref);
        let elem = self.storage_type(&e.ty)?;
        let extents = self.extents(a);
        let ranges: Vec<_> = extents.into_iter().map(|n| (Expr::int(1), n)).collect();
        let size = match vector {
            Some(v) => self.extents(v).into_iter().next()?,
            None => {
                let (name, next) = self.next_packed();
                let counting = self.nest(&ranges, |cx, ix| {
                    let c = cx.val(mask, ix);
                    vec![ir::Stmt::when(to_bool(c), vec![ir::Stmt::expr(next)])]
                });
                counting.into_iter().for_each(|s| self.before(s));
                Expr::name(&name, ir::Type::Int(4))
            }
        };
        let t = self.declare_array(elem.clone(), &[size], Init::None);
        let place = t.clone();
        if let Some(v) = vector {
            let all = self.extents(v).into_iter().map(|n| (Expr::int(1), n));
            let all: Vec<_> = all.collect();
            let fill = self.nest(&all, |cx, ix| {
                let x = cx.val(v, ix);
                let target = cx.element_of(&place, ix);
                vec![ir::Stmt::assign(target, convert(x, &elem))]
            });
            fill.into_iter().for_each(|s| self.before(s));
        }
        let (_, next) = self.next_packed();
        let loops = self.nest(&ranges, |cx, ix| {
            let c = cx.val(mask, ix);
            let v = cx.val(a, ix);
            let store = ir::Stmt::assign(place.expr.at(vec![next]), convert(v, &elem));
            vec![ir::Stmt::when(to_bool(c), vec![store])]
        });
        loops.into_iter().for_each(|s| self.before(s));
        Some(t)
    }

    /// UNPACK(VECTOR, MASK, FIELD)
    fn unpack(&mut self, e: &TExpr, vector: &TExpr, args: Args<'_>) -> Option<Entity> {
        let mask = args.get(1)?.as_ref()?;
        let field = args.get(2)?.as_ref()?;
        let elem = self.storage_type(&e.ty)?;
        let extents = self.extents(mask);
        let t = self.declare_array(elem.clone(), &extents, Init::None);
        let place = t.clone();
        let ranges: Vec<_> = extents.into_iter().map(|n| (Expr::int(1), n)).collect();
        let (name, next) = self.next_packed();
        let place_of_next = Expr::name(&name, ir::Type::Int(4));
        let loops = self.nest(&ranges, |cx, ix| {
            let c = cx.val(mask, ix);
            let at = LoopIndex {
                var: place_of_next,
                base: Expr::int(1),
            };
            let v = cx.val(vector, std::slice::from_ref(&at));
            let f = cx.val(field, ix);
            let target = cx.element_of(&place, ix);
            vec![
                StmtKind::If {
                    branches: vec![(
                        to_bool(c),
                        vec![
                            ir::Stmt::expr(next),
                            ir::Stmt::assign(target.clone(), convert(v, &elem)),
                        ],
                    )],
                    otherwise: Some(vec![ir::Stmt::assign(target, convert(f, &elem))]),
                }
                .into(),
            ]
        });
        loops.into_iter().for_each(|s| self.before(s));
        Some(t)
    }
}
