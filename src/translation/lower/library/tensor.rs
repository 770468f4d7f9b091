//! Tensor cores: the submatrices of the module wmma are fragments of CUDA's library (guide 3.8.3).

use crate::ast::Span;
use crate::ir::{self, *};
use crate::lower::context::LoweringContext;
use crate::lower::context::rules::Designators;
use crate::lower::context::state::LoopIndex;
use crate::lower::value::convert::convert;
use crate::sema::expression::typed::*;
use crate::sema::library::runtime_wmma::{Matrix, Submatrix, submatrix};
use crate::sema::model;

type Args<'t> = &'t [(Option<String>, TExpr)];

fn wmma(function: Function, args: Vec<Expr>) -> ir::Stmt {
    ir::Stmt::expr(Expr::call(function, args, ir::Type::Void))
}

impl LoweringContext<'_, '_> {
    /// The procedure has submatrices: its shared arrays may be loaded into them.
    pub fn has_submatrices(&self) -> bool {
        let model = self.model();
        model[self.unit_scope].names.values().any(|s| {
            model.variable(*s).is_some_and(|v| match v.ty {
                model::Type::Derived(t) => model[t].external && submatrix(&model[t].name).is_some(),
                _ => false,
            })
        })
    }

    pub fn submatrix_of(&self, e: &TExpr) -> Option<Submatrix> {
        match e.ty {
            model::Type::Derived(t) if self.model()[t].external => submatrix(&self.model()[t].name),
            _ => None,
        }
    }

    /// `submatrix = scalar` gives all elements the value; None for other assignments.
    pub fn fill_submatrix(&mut self, lhs: &TExpr, rhs: &TExpr) -> Option<Vec<ir::Stmt>> {
        let s = self.submatrix_of(lhs)?;
        if matches!(rhs.ty, model::Type::Derived(_)) || rhs.rank > 0 {
            return None;
        }
        let value = self.value_as(rhs, &ir::Type::Real(s.kind));
        Some(vec![wmma(
            Function::FillFragment,
            vec![self.place(lhs), value],
        )])
    }

    /// `submatrix%x(i)`: an element that the thread holds.
    pub fn submatrix_element(&mut self, base: &TExpr, subs: &[Subscript]) -> Option<Expr> {
        let TExprKind::Component { base: whole, .. } = &base.kind else {
            return None;
        };
        let s = self.submatrix_of(whole)?;
        let [Subscript::Element(i)] = subs else {
            return Some(self.no_submatrix_array(base.span));
        };
        let i = self.value_as(i, &ir::Type::Int(4));
        Some(self.fragment_element(whole, s, i))
    }

    fn fragment_element(&mut self, whole: &TExpr, s: Submatrix, i: Expr) -> Expr {
        let place = self.place(whole);
        let ty = ir::Type::Real(s.kind);
        Expr::call(Function::FragmentElement, vec![place, i], ty)
    }

    /// `submatrix%x` in an operation on all elements that the thread holds: the element at a position.
    pub fn whole_submatrix(&mut self, e: &TExpr, whole: &TExpr, ix: &[LoopIndex]) -> Option<Expr> {
        let s = self.submatrix_of(whole)?;
        match ix {
            [at] if whole.rank <= 0 => {
                let i = at.var.clone().minus(at.base.clone()).plus(Expr::int(1));
                Some(self.fragment_element(whole, s, i))
            }
            _ => Some(self.no_submatrix_array(e.span)),
        }
    }

    fn no_submatrix_array(&mut self, span: Span) -> Expr {
        self.refuse_expr(
            span,
            "CUF0435",
            "elements of a WMMA submatrix are not an array in memory\nhelp: use all of `%x` in an operation, or access elements one at a time",
        )
    }

    /// The subroutines of the module.
    pub fn submatrix_call(
        &mut self,
        name: &str,
        args: Args<'_>,
        span: Span,
    ) -> Option<Vec<ir::Stmt>> {
        let done = match (name, args) {
            ("wmmaloadmatrix", [(_, s), (_, data), (_, ld), rest @ ..]) => {
                self.transfer(s, data, ld, rest, true)
            }
            ("wmmastorematrix", [(_, data), (_, s), (_, ld), rest @ ..]) => {
                self.transfer(s, data, ld, rest, false)
            }
            ("wmmamatmul", [(_, d), (_, a), (_, b), rest @ ..]) => self.multiply(d, a, b, rest),
            ("wmmaloadmatrix" | "wmmastorematrix" | "wmmamatmul", _) => None,
            _ => return None,
        };
        Some(done.unwrap_or_else(|| {
            self.refuse(
                span,
                "CUF0435",
                format!("these arguments of `{name}` are not supported"),
            );
            Vec::new()
        }))
    }

    fn transfer(
        &mut self,
        s: &TExpr,
        data: &TExpr,
        ld: &TExpr,
        rest: Args<'_>,
        load: bool,
    ) -> Option<Vec<ir::Stmt>> {
        let kind = self.submatrix_of(s)?;
        if data.ty != model::Type::Real(kind.kind)
            || !data.is_designator()
            || rest.len() > 1
            || kind.matrix != Matrix::Accumulator && (!load || !rest.is_empty())
        {
            return None;
        }
        let address = if data.rank > 0 {
            let pointer = ir::Type::Pointer {
                to: Box::new(ir::Type::Real(kind.kind)),
                restrict: false,
            };
            match data.kind {
                TExprKind::Index { .. } => return None,
                _ => self
                    .array_place(data, &[])
                    .expr
                    .method(Method::Data, Vec::new(), pointer),
            }
        } else {
            self.place(data).address()
        };
        let place = self.place(s);
        let ld = self.value(ld);
        let ld = convert(ld, &ir::Type::Int(4));
        let mut v = match load {
            true => vec![place, address, ld],
            false => vec![address, place, ld],
        };
        if kind.matrix == Matrix::Accumulator {
            let row_major = match rest.first().map(|(_, o)| o.as_integer()) {
                None | Some(Some(0)) => false,
                Some(Some(1)) => true,
                Some(_) => return None,
            };
            v.push(Expr::new(
                ExprKind::MatrixOrder { row_major },
                ir::Type::Auto,
            ));
        }
        let function = match load {
            true => Function::LoadMatrixSync,
            false => Function::StoreMatrixSync,
        };
        Some(vec![wmma(function, v)])
    }

    /// `d = matmul(a, b)`, or with a fourth argument `d = matmul(a, b) + c`.
    fn multiply(
        &mut self,
        d: &TExpr,
        a: &TExpr,
        b: &TExpr,
        rest: Args<'_>,
    ) -> Option<Vec<ir::Stmt>> {
        let c = match rest {
            [] => d,
            [(_, c)] => c,
            _ => return None,
        };
        let kinds: Option<Vec<Submatrix>> =
            [d, a, b, c].iter().map(|e| self.submatrix_of(e)).collect();
        let [kd, ka, kb, kc] = kinds?.try_into().ok()?;
        let shape = |s: Submatrix| (s.m, s.n, s.k);
        let double = [kd, ka, kb, kc].iter().filter(|s| s.kind == 8).count();
        if kd.matrix != Matrix::Accumulator
            || kc.matrix != Matrix::Accumulator
            || ka.matrix != Matrix::A
            || kb.matrix != Matrix::B
            || [ka, kb, kc].iter().any(|s| shape(*s) != shape(kd))
            || !matches!(double, 0 | 4)
        {
            return None;
        }
        let mut out = Vec::new();
        if rest.is_empty() {
            let zero = Expr::new(ExprKind::Real(0.0), ir::Type::Real(kd.kind));
            out.push(wmma(Function::FillFragment, vec![self.place(d), zero]));
        }
        let v = [d, a, b, c].iter().map(|e| self.place(e)).collect();
        out.push(wmma(Function::MmaSync, v));
        Some(out)
    }
}
