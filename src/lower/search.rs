//! FINDLOC, PACK, UNPACK: intrinsics whose result depends on values found while the array is walked.

use super::context::{Cx, Entity};
use super::convert::{convert, to_bool};
use super::expr::Ix;
use super::transform::{Args, Back};
use crate::ir::{self, *};
use crate::sema::model;
use crate::sema::typed::*;

impl Cx<'_, '_> {
    /// LEN(TRIM(x)): the one value of varying length whose length needs no object.
    pub fn trimmed_length(&mut self, e: &TExpr) -> Option<Expr> {
        match &e.kind {
            TExprKind::Intrinsic { name, args } if name == "trim" => {
                let x = self.value(args.first()?.as_ref()?);
                Some(Expr::call(Function::LenTrim, vec![x], ir::Type::Int(4)))
            }
            _ => None,
        }
    }

    /// FINDLOC(ARRAY, VALUE [, DIM] [, MASK] [, KIND] [, BACK])
    pub fn findloc(&mut self, e: &TExpr, a: &TExpr, args: Args<'_>) -> Option<Entity> {
        let value = args.get(1)?.as_ref()?;
        let dim = args.get(2).and_then(Option::as_ref);
        let (dim, mask) = match dim {
            Some(m) if matches!(m.ty, model::Type::Logical(_)) => (None, Some(m)),
            d => (d, args.get(3).and_then(Option::as_ref)),
        };
        let back = self.back(args.get(5).and_then(Option::as_ref));
        let int = self.value_type(&e.ty)?;
        let zero = convert(Expr::int(0), &int);
        let wanted = self.value(value);
        let wanted = if wanted.is_simple() || super::array::is_character(&value.ty) {
            wanted
        } else {
            self.temporary(wanted)
        };
        let found = |cx: &mut Self, places: &[(Expr, Expr)], ix: &[Ix]| {
            let v = cx.val(a, ix);
            let mut cond = match &a.ty {
                model::Type::Logical(_) => Expr::binary(
                    ir::BinaryOp::Eq,
                    to_bool(v),
                    to_bool(wanted.clone()),
                    ir::Type::Bool,
                ),
                _ => {
                    let ty = cx.common(&a.ty, &value.ty);
                    let (x, y) = match ty {
                        Some(t) => (convert(v, &t), convert(wanted.clone(), &t)),
                        None => (v, wanted.clone()),
                    };
                    Expr::binary(ir::BinaryOp::Eq, x, y, ir::Type::Bool)
                }
            };
            if !matches!(back, Back::Yes)
                && let Some((first, _)) = places.first()
            {
                let mut none = Expr::binary(
                    ir::BinaryOp::Eq,
                    first.clone(),
                    zero.clone(),
                    ir::Type::Bool,
                );
                if let Back::If(last) = &back {
                    none = Expr::binary(ir::BinaryOp::Or, last.clone(), none, ir::Type::Bool);
                }
                cond = Expr::binary(ir::BinaryOp::And, none, cond, ir::Type::Bool);
            }
            if let Some(m) = mask {
                let c = cx.val(m, ix);
                cond = Expr::binary(ir::BinaryOp::And, to_bool(c), cond, ir::Type::Bool);
            }
            let set = places
                .iter()
                .map(|(p, i)| ir::Stmt::assign(p.clone(), convert(i.clone(), p.ty.plain())))
                .collect();
            vec![ir::Stmt::when(cond, set)]
        };
        self.positions(e, a, dim, found)
    }

    /// The result of FINDLOC, MAXLOC or MINLOC of the type of `e`: positions in `a`, or along its dimension `dim`, 0 where there is none.
    /// `found` gives what is done at one element: it may set the variables (first of its pairs) to the indices (second).
    pub fn positions(
        &mut self,
        e: &TExpr,
        a: &TExpr,
        dim: Option<&TExpr>,
        mut found: impl FnMut(&mut Self, &[(Expr, Expr)], &[Ix]) -> Vec<ir::Stmt>,
    ) -> Option<Entity> {
        let int = self.value_type(&e.ty)?;
        let zero = convert(Expr::int(0), &int);
        let extents = self.extents(a);
        if let Some(d) = dim
            && a.rank > 1
        {
            let d = usize::try_from(d.as_integer()?).ok()?.checked_sub(1)?;
            let mut outer = extents;
            if d >= outer.len() {
                return None;
            }
            let along = outer.remove(d);
            let t = self.declare_array(int.clone(), &outer, Init::None);
            let place = t.clone();
            let ranges: Vec<_> = outer.into_iter().map(|n| (Expr::int(1), n)).collect();
            let loops = self.nest(&ranges, |cx, ix| {
                let target = cx.element_of(&place, ix);
                let mut body = vec![ir::Stmt::assign(target.clone(), zero.clone())];
                body.extend(cx.nest(&[(Expr::int(1), along)], |cx, inner| {
                    let mut all = ix.to_vec();
                    all.insert(d, inner[0].clone());
                    found(cx, &[(target, inner[0].var.clone())], &all)
                }));
                body
            });
            loops.into_iter().for_each(|s| self.before(s));
            return Some(t);
        }
        let ranges: Vec<_> = extents.into_iter().map(|n| (Expr::int(1), n)).collect();
        let (result, places) = if e.rank == 0 {
            let t = self.scalar_variable(&int, zero.clone());
            let ent = Entity {
                expr: t.clone(),
                bounds: Vec::new(),
                optional: None,
            };
            (ent, vec![t])
        } else {
            let zeros = vec![zero.clone(); a.rank.max(1) as usize];
            let list = Expr::new(ExprKind::List(zeros), ir::Type::Auto);
            let init = Init::Value(Expr::new(ExprKind::List(vec![list]), ir::Type::Auto));
            let t = self.declare_array(int.clone(), &[Expr::int(i64::from(a.rank))], init);
            let places = (1..=i64::from(a.rank))
                .map(|d| t.expr.clone().at(vec![Expr::int(d)]))
                .collect();
            (t, places)
        };
        let loops = self.nest(&ranges, |cx, ix| {
            let at: Vec<_> = places
                .iter()
                .zip(ix)
                .map(|(p, i)| (p.clone(), i.var.clone()))
                .collect();
            found(cx, &at, ix)
        });
        loops.into_iter().for_each(|s| self.before(s));
        Some(result)
    }

    fn position(&mut self) -> (String, Expr) {
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
    pub fn can_pack(&mut self, e: &TExpr, args: Args<'_>) -> bool {
        let given = |i: usize| args.get(i).and_then(Option::as_ref);
        given(1).is_some()
            && given(2).is_none_or(|v| v.rank == 1)
            && self.storage_type(&e.ty).is_some()
    }

    /// PACK(ARRAY, MASK [, VECTOR])
    pub fn pack(&mut self, e: &TExpr, a: &TExpr, args: Args<'_>) -> Option<Entity> {
        let mask = args.get(1)?.as_ref()?;
        let vector = args.get(2).and_then(Option::as_ref);
        let elem = self.storage_type(&e.ty)?;
        let extents = self.extents(a);
        let ranges: Vec<_> = extents.into_iter().map(|n| (Expr::int(1), n)).collect();
        let size = match vector {
            Some(v) => self.extents(v).into_iter().next()?,
            None => {
                let (name, next) = self.position();
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
        let (_, next) = self.position();
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
    pub fn unpack(&mut self, e: &TExpr, vector: &TExpr, args: Args<'_>) -> Option<Entity> {
        let mask = args.get(1)?.as_ref()?;
        let field = args.get(2)?.as_ref()?;
        let elem = self.storage_type(&e.ty)?;
        let extents = self.extents(mask);
        let t = self.declare_array(elem.clone(), &extents, Init::None);
        let place = t.clone();
        let ranges: Vec<_> = extents.into_iter().map(|n| (Expr::int(1), n)).collect();
        let (name, next) = self.position();
        let place_of_next = Expr::name(&name, ir::Type::Int(4));
        let loops = self.nest(&ranges, |cx, ix| {
            let c = cx.val(mask, ix);
            let at = Ix {
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
