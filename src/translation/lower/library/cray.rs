//! Cray pointers: how a kernel reaches the shared memory of the other blocks of its cluster (guide 3.8.2), and structures whose addresses
//! a program keeps as `type(c_devptr)`.
//!
//! The pointee is an array (or a C++ pointer, if it is a scalar) without memory; assigning the Cray pointer gives it some.

use crate::ast::{Decl, DeclKind};
use crate::intrinsics::{Inquiry, Intrinsic, Shape};
use crate::ir::{self, *};
use crate::lower::context::rules::Designators;
use crate::lower::context::{Entity, LoweringContext};
use crate::lower::value::convert::convert;
use crate::sema::expression::typed::*;
use crate::sema::model::*;

impl LoweringContext<'_, '_> {
    /// Remembers which variables are the targets of which Cray pointers.
    pub fn note_cray_pointers(&mut self, spec: &[Decl]) {
        let names = &self.model()[self.scope].names;
        let pairs = spec.iter().filter_map(|d| match &d.kind {
            DeclKind::CrayPointer(pairs) => Some(pairs),
            _ => None,
        });
        for (pointer, pointee) in pairs.flatten() {
            if let (Some(p), Some(t)) = (
                names.get(pointer.text.as_str()),
                names.get(pointee.name.text.as_str()),
            ) {
                self.cray.entry(*p).or_default().push(*t);
            }
        }
    }

    /// Declares a pointee, without memory.
    pub fn cray_pointee(&mut self, s: SymbolId, v: &Variable, name: &str) -> Option<ir::Stmt> {
        let elem = self.storage_type(&v.ty)?;
        let pointer = ir::Type::Pointer {
            to: Box::new(elem.clone()),
            restrict: false,
        };
        let null = Expr::new(ExprKind::Null, pointer.clone());
        let (ty, init, expr) = if v.dims.is_empty() {
            let place = Expr::name(name, pointer.clone()).deref(elem);
            (pointer, Init::None, place)
        } else {
            let ty = ir::Type::Array {
                elem: Box::new(elem.clone()),
                rank: v.dims.len(),
            };
            // A null of no type would not say of what.
            let mut args = vec![crate::lower::value::convert::conversion(null, &pointer)];
            args.extend(self.bounds_args(s));
            (ty.clone(), Init::Args(args), Expr::name(name, ty))
        };
        let bounds = self.declared_bounds(s);
        self.vars.insert(
            s,
            Entity {
                expr,
                bounds,
                optional: None,
            },
        );
        Some(ir::Stmt::declare(ty, name, init))
    }

    /// `pointer = address` for a Cray pointer; None if the variable is none.
    pub fn cray_assign(&mut self, lhs: &TExpr, rhs: &TExpr) -> Option<Vec<ir::Stmt>> {
        let TExprKind::Variable(p) = lhs.kind else {
            return None;
        };
        let pointees = self.cray.get(&p)?.clone();
        let Some(address) = self.given_address(rhs) else {
            self.refuse(
                rhs.span,
                "CUF0434",
                "unsupported value for a Cray pointer in device code\nnote: its value must come from `loc`, `cluster_map_shared_rank`, or `transfer` of a `type(c_devptr)`",
            );
            return Some(Vec::new());
        };
        let mut out = Vec::new();
        for t in pointees {
            let Some(place) = self.vars.get(&t).map(|e| e.expr.clone()) else {
                continue; // not used
            };
            let elem = match place.ty.plain() {
                ir::Type::Array { elem, .. } => (**elem).clone(),
                t => t.clone(),
            };
            let pointer = ir::Type::Pointer {
                to: Box::new(elem),
                restrict: false,
            };
            let value = match address.ty == pointer {
                true => address.clone(),
                false => crate::lower::value::convert::conversion(address.clone(), &pointer),
            };
            out.push(match place.kind {
                ExprKind::Deref(name) => ir::Stmt::assign(*name, value),
                _ => ir::Stmt::expr(place.method(Method::PointTo, vec![value], ir::Type::Void)),
            });
        }
        Some(out)
    }

    /// `cluster_map_shared_rank(x, rank)`, `loc(x)` or `transfer(address, pointer)` as a C++ pointer.
    fn given_address(&mut self, e: &TExpr) -> Option<Expr> {
        match &e.kind {
            TExprKind::Paren(inner) => self.given_address(inner),
            TExprKind::Intrinsic {
                intrinsic: Intrinsic::Shape(Shape::Transfer),
                args,
            } => {
                let source = args.first()?.as_ref()?;
                let is_address = source.rank == 0 && self.model().is_c_address(&source.ty);
                is_address.then(|| self.value(source))
            }
            TExprKind::Runtime { name, args, .. } if name == "cluster_map_shared_rank" => {
                let (Some((_, x)), Some((_, rank))) = (args.first(), args.get(1)) else {
                    return None;
                };
                let x = self.address_of_data(x)?;
                let ty = x.ty.clone();
                let rank = self.value(rank);
                let rank = convert(rank, &ir::Type::Int(4));
                Some(Expr::call(
                    Function::ClusterMapSharedRank,
                    vec![x, rank],
                    ty,
                ))
            }
            TExprKind::Intrinsic {
                intrinsic: Intrinsic::Inquiry(Inquiry::Loc),
                args,
            } => {
                let x = args.first()?.as_ref()?;
                self.address_of_data(x)
            }
            _ => None,
        }
    }

    /// Address of the first element of an array or of a scalar.
    fn address_of_data(&mut self, x: &TExpr) -> Option<Expr> {
        if !x.is_designator() {
            return None;
        }
        let elem = self.storage_type(&x.ty)?;
        let pointer = ir::Type::Pointer {
            to: Box::new(elem),
            restrict: false,
        };
        if x.rank > 0 {
            if matches!(x.kind, TExprKind::Index { .. }) {
                return None;
            }
            let whole = self.array_place(x, &[]);
            return Some(whole.expr.method(Method::Data, Vec::new(), pointer));
        }
        let mut place = self.place(x).address();
        place.ty = pointer;
        Some(place)
    }
}
