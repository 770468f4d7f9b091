//! Bulk copies and the barriers that wait for them: `barrier_*` and `tma_bulk_*` of the module cudadevice (`device/bulk.hpp`).

use crate::ast::Span;
use crate::ir::{self, *};
use crate::lower::context::LoweringContext;
use crate::lower::value::convert::convert;
use crate::sema::expression::typed::*;
use crate::sema::model::{self, Space, VarAttrs};

type Args<'t> = &'t [(Option<String>, TExpr)];

const HEADER: &str = "device/bulk.hpp";

impl LoweringContext<'_, '_> {
    /// A barrier's function; None if it is none of them.
    pub fn barrier_function(&mut self, f: Function, args: Args<'_>, span: Span) -> Option<Expr> {
        use Function::*;
        let (numbers, result) = match f {
            BarrierArrive => (0..=1, ir::Type::Int(8)),
            BarrierTryWait => (1..=1, ir::Type::Int(4)),
            BarrierTryWaitSleep => (2..=2, ir::Type::Int(4)),
            _ => return None,
        };
        let token = f != BarrierArrive;
        Some(match args {
            [(_, barrier), rest @ ..] if numbers.contains(&rest.len()) => {
                let mut v = vec![self.barrier(barrier)];
                for (i, (_, a)) in rest.iter().enumerate() {
                    let kind = if token && i == 0 { 8 } else { 4 };
                    v.push(self.integer(a, kind));
                }
                Expr::call(f, v, result)
            }
            _ => self.wrong_arguments(span),
        })
    }

    /// A subroutine for barriers and bulk copies; None if it is none of them.
    pub fn bulk_call(&mut self, f: Function, args: Args<'_>, span: Span) -> Option<Vec<ir::Stmt>> {
        use Function::*;
        let v = match (f, args) {
            (FenceProxyAsync | BulkCommitGroup | BulkWaitGroup, []) => Some(Vec::new()),
            (BarrierInit, [(_, barrier), (_, count)]) => {
                Some(vec![self.barrier(barrier), self.integer(count, 4)])
            }
            (BulkLoad | BulkGlobalToShared, [(_, barrier), (_, from), (_, to), (_, count)]) => {
                let barrier = self.barrier(barrier);
                self.bulk_sides(from, to, f == BulkLoad)
                    .map(|(from, to)| vec![to, barrier, from, self.integer(count, 4)])
            }
            (BulkStore | BulkSharedToGlobal, [(_, from), (_, to), (_, count)]) => self
                .bulk_sides(from, to, f == BulkStore)
                .map(|(from, to)| vec![to, from, self.integer(count, 4)]),
            (
                FenceProxyAsync | BulkCommitGroup | BulkWaitGroup | BarrierInit | BulkLoad
                | BulkGlobalToShared | BulkStore | BulkSharedToGlobal,
                _,
            ) => {
                self.wrong_arguments(span);
                None
            }
            _ => return None,
        };
        self.need_header(HEADER);
        let call = |v| ir::Stmt::expr(Expr::call(f, v, ir::Type::Void));
        Some(v.into_iter().map(call).collect())
    }

    fn wrong_arguments(&mut self, span: Span) -> Expr {
        let message = "wrong number of arguments";
        self.refuse_expr(span, "CUF0210", message)
    }

    fn integer(&mut self, a: &TExpr, kind: u8) -> Expr {
        if !matches!(a.ty, model::Type::Integer(_)) || a.rank != 0 {
            return self.refuse_expr(a.span, "CUF0210", "an integer is expected here");
        }
        let v = self.value(a);
        convert(v, &ir::Type::Int(kind))
    }

    /// The word in shared memory that is a barrier.
    fn barrier(&mut self, a: &TExpr) -> Expr {
        self.need_header(HEADER);
        let word = a.ty == model::Type::Integer(8) && a.rank == 0 && a.is_designator();
        if !word || !self.may_be_shared(a) {
            let message =
                "the barrier must be an `integer(8)` scalar or array element in shared memory";
            return self.refuse_expr(a.span, "CUF0210", message);
        }
        self.place(a)
    }

    /// Shared data, or a dummy of which nothing is known.
    fn may_be_shared(&self, a: &TExpr) -> bool {
        let variable = a.root().and_then(|s| self.model().variable(s));
        variable.is_some_and(|v| match v.space {
            Space::Shared => true,
            Space::Thread => v.dummy.is_some() && !v.attrs.has(VarAttrs::VALUE),
            _ => false,
        })
    }

    /// The addresses between which elements are copied, of one numeric type if they are counted.
    fn bulk_sides(&mut self, from: &TExpr, to: &TExpr, counted: bool) -> Option<(Expr, Expr)> {
        let number = |t: &model::Type| {
            matches!(
                t,
                model::Type::Integer(4 | 8) | model::Type::Real(_) | model::Type::Complex(_)
            )
        };
        let both = from.is_designator() && to.is_designator();
        if !both || counted && (from.ty != to.ty || !number(&from.ty)) {
            let message = match counted {
                true => {
                    "both sides of a bulk copy must be data of the same type\nnote: arrays or elements of an integer, real, or complex type"
                }
                false => "both arguments of a bulk copy must be variables",
            };
            self.refuse(from.span, "CUF0210", message);
            return None;
        }
        Some((self.start_of(from)?, self.start_of(to)?))
    }

    /// The address of an element, or of the first one of an array whose elements lie side by side.
    fn start_of(&mut self, a: &TExpr) -> Option<Expr> {
        let pointer = ir::Type::Pointer {
            to: Box::new(self.storage_type(&a.ty)?),
            restrict: false,
        };
        if a.rank <= 0 {
            return Some(self.element_actual(a, pointer));
        }
        if crate::lower::procedure::actual::is_surely_strided(a) {
            let message = "this section is not contiguous";
            self.refuse(a.span, "CUF0210", message);
            return None;
        }
        if self.is_contiguous(a) {
            return Some(self.first_element(a, pointer));
        }
        let section = self.section(a);
        let whole = vec![self.place_text(), section];
        let data = Expr::call(Function::InPlace, whole, ir::Type::Auto);
        Some(data.method(Method::Data, Vec::new(), pointer))
    }
}
