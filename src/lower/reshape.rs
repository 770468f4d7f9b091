//! RESHAPE, and TRANSFER of arrays.

use super::context::{Cx, Entity};
use super::convert::convert;
use super::expr::Ix;
use super::proc::size_of;
use super::transform::Args;
use crate::ir::{self, *};
use crate::sema::model::Constant;
use crate::sema::typed::*;

impl Cx<'_, '_> {
    /// The elements of a SHAPE argument as expressions.
    pub fn shape_values(&mut self, shape: &TExpr) -> Option<Vec<Expr>> {
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
            TExprKind::Intrinsic { name, args } if name == "shape" => {
                args.first()?.as_ref().map(|a| self.extents(a))
            }
            TExprKind::Paren(x) => self.shape_values(x),
            TExprKind::Variable(_) => {
                let n = i64::try_from(self.extents(shape).first()?.as_int()?).ok()?;
                let element = |i| Ix {
                    var: Expr::int(i),
                    base: Expr::int(0),
                };
                Some((0..n).map(|i| self.val(shape, &[element(i)])).collect())
            }
            _ => None,
        }
    }

    pub fn reshape(&mut self, e: &TExpr, source: &TExpr, args: Args<'_>) -> Option<Entity> {
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
            let here = Ix {
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
                    let again = Ix {
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
    pub fn flattened(&mut self, source: &TExpr) -> Option<Entity> {
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
    pub fn transfer_extent(&mut self, e: &TExpr, source: &TExpr, args: Args<'_>) -> Option<Expr> {
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
    pub fn transfer_array(&mut self, e: &TExpr, source: &TExpr, args: Args<'_>) -> Option<Entity> {
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
}
