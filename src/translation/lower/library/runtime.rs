//! Device built-ins of module cudadevice and the device libraries: barriers, fences, votes, shuffles, atomics, cache hints.

use super::device_names::{device_procedure, takes_mask};
use crate::ast::Span;
use crate::ir::function::Changes;
use crate::ir::{self, *};
use crate::lower::context::LoweringContext;
use crate::lower::context::rules::Expressions;
use crate::lower::context::state::LoopIndex;
use crate::lower::value::convert::{conversion, convert, to_bool};
use crate::sema::expression::typed::*;
use crate::sema::library::runtime_api;
use crate::sema::library::runtime_api::ParamKind;
use crate::sema::model;
use crate::sema::model::sides::ON_DEVICE;

type Args<'t> = &'t [(Option<String>, TExpr)];

/// `CLASS%SIZE` of cooperative groups and components of dim3 and the like.
fn bare(name: &str) -> &str {
    name.trim_start_matches('_')
}

impl LoweringContext<'_, '_> {
    fn rt(&mut self, args: Args<'_>, i: usize, ix: &[LoopIndex]) -> Expr {
        match args.get(i) {
            Some((_, a)) => {
                let v = self.val(a, ix);
                if v.ty == ir::Type::Uint {
                    conversion(v, &ir::Type::Int(4))
                } else {
                    v
                }
            }
            None => Expr::int(0),
        }
    }

    fn rt_int(&mut self, args: Args<'_>, i: usize, ix: &[LoopIndex]) -> Expr {
        match args.get(i) {
            Some((_, a)) if a.ty == model::Type::Boz => self.boz(a, &ir::Type::Int(4)),
            _ => {
                let v = self.rt(args, i, ix);
                convert(v, &ir::Type::Int(4))
            }
        }
    }

    /// The lanes that take part: any integer, constants in hexadecimal.
    fn lane_mask(&mut self, args: Args<'_>, i: usize, ix: &[LoopIndex]) -> Expr {
        let v = self.rt_int(args, i, ix);
        match v.as_int().and_then(|v| i32::try_from(v).ok()) {
            Some(v) => Expr::new(ExprKind::Bits(v.cast_unsigned()), ir::Type::Uint),
            None => v,
        }
    }

    /// Integer or logical predicate.
    fn predicate(&mut self, args: Args<'_>, i: usize, ix: &[LoopIndex]) -> Expr {
        let v = match args.get(i) {
            Some((_, a)) => self.val(a, ix),
            None => Expr::int(0),
        };
        if let Some(constant) = v.as_int() {
            return Expr::bool(constant != 0);
        }
        // merge(1, 0, c)
        if let ExprKind::Conditional {
            cond,
            then,
            otherwise,
        } = &v.kind
            && then.as_int().is_some_and(|v| v != 0)
            && otherwise.as_int() == Some(0)
        {
            return (**cond).clone();
        }
        match v.ty.plain() {
            ir::Type::Int(_) | ir::Type::Uint => {
                Expr::binary(ir::BinaryOp::Ne, v, Expr::int(0), ir::Type::Bool)
            }
            _ => to_bool(v),
        }
    }

    /// Refuses a keyword that says nothing about the place of its argument.
    fn keyword_not_known(&mut self, name: &str, args: Args<'_>, span: Span) -> Option<Expr> {
        let keyword = args.iter().find_map(|(k, _)| k.clone())?;
        (args.len() > 1).then(|| {
            let message = format!("`{name}` has no argument `{keyword}`");
            self.refuse_expr(span, "CUF0422", message)
        })
    }

    /// A function of the device library.
    pub fn runtime_function(
        &mut self,
        e: &TExpr,
        name: &str,
        args: Args<'_>,
        ix: &[LoopIndex],
    ) -> Expr {
        if let (Some(function), Some(api)) = (device_procedure(name), runtime_api::find(name)) {
            return self.api_function(function, api, args, e.span);
        }
        if let Some(refused) = self.keyword_not_known(name, args, e.span) {
            return refused;
        }
        if let Some(v) = self.device_function(e, name, args, ix) {
            return v;
        }
        self.refuse_expr(
            e.span,
            "CUF0422",
            format!("function `{name}` cannot be called from device code"),
        )
    }

    /// A function of the runtime API that device code has, too; its arguments are integers.
    fn api_function(
        &mut self,
        function: Function,
        api: &runtime_api::Procedure,
        args: Args<'_>,
        span: Span,
    ) -> Expr {
        let mut actuals: Vec<Option<Expr>> = vec![None; api.dummies.len()];
        for (i, (keyword, a)) in args.iter().enumerate() {
            let dummy = api.dummy(keyword.as_deref(), i);
            let at = api.dummies.iter().position(|d| Some(d) == dummy);
            let Some((dummy, at)) = dummy.zip(at) else {
                let message = format!("`{}` has no argument with this keyword", api.name);
                return self.refuse_expr(a.span, "CUF0210", message);
            };
            let kind = match dummy.takes {
                ParamKind::SetsDefault | ParamKind::Default => Some(4),
                ParamKind::SetsStream => Some(8),
                _ => None,
            };
            let fits = match a.ty {
                model::Type::Integer(k) => kind.is_none_or(|wanted| wanted == k),
                _ => false,
            };
            let variable = a.is_designator() || dummy.takes.is_number();
            if !fits || !variable || a.rank != 0 {
                let message = format!(
                    "argument `{}` of `{}` must be an integer of the kind the guide specifies",
                    dummy.name, api.name
                );
                return self.refuse_expr(a.span, "CUF0210", message);
            }
            actuals[at] = Some(match dummy.takes.is_number() {
                true => self.value(a),
                false => self.place(a),
            });
        }
        let given: Vec<Expr> = actuals.into_iter().flatten().collect();
        if given.len() != api.dummies.len() {
            let message = format!("an argument of `{}` is missing", api.name);
            return self.refuse_expr(span, "CUF0210", message);
        }
        self.need_header("device/runtime_api.hpp");
        Expr::call(function, given, ir::Type::Int(4))
    }

    fn device_function(
        &mut self,
        e: &TExpr,
        name: &str,
        args: Args<'_>,
        ix: &[LoopIndex],
    ) -> Option<Expr> {
        use Function::*;
        let ty = self.value_type(&e.ty);
        if matches!(name, "c_devloc" | "c_loc") {
            let (_, a) = args.first()?;
            return Some(self.place(a).address());
        }
        if name == ON_DEVICE && args.is_empty() {
            return Some(Expr::bool(true));
        }
        let Some(function) = device_procedure(name) else {
            return self.numeric_function(e, Callee::Math(name.to_owned()), args, ix);
        };
        let int = ir::Type::Int(4);
        Some(match function {
            f if f.facts().is_atomic() => return self.atomic(f, args, ix),
            Shfl | ShflUp | ShflDown | ShflXor => {
                return self.shuffle(function, takes_mask(name), args, ix);
            }
            Ldca | Ldcg | Ldcs | Ldcv | Ldlu | Ldg => {
                return self.hinted_load(bare(name), args, ix);
            }
            Curand
            | CurandUniform
            | CurandUniformDouble
            | CurandNormal
            | CurandNormalDouble
            | CurandLogNormal
            | CurandLogNormalDouble => {
                return self.random_number(function, args, ix, &ty?);
            }
            BarrierArrive | BarrierTryWait | BarrierTryWaitSleep => {
                return self.barrier_function(function, args, e.span);
            }
            SyncthreadsCount | SyncthreadsAnd | SyncthreadsOr => {
                let p = self.predicate(args, 0, ix);
                convert(Expr::call(function, vec![p], int), ty.as_ref()?)
            }
            Ballot | AllThreads | AnyThread => {
                let p = self.predicate(args, 0, ix);
                let result = match function {
                    Ballot => int,
                    _ => ir::Type::Bool,
                };
                Expr::call(function, vec![p], result)
            }
            BallotSync | AllSync | AnySync => {
                let m = self.lane_mask(args, 0, ix);
                let p = self.predicate(args, 1, ix);
                let v = Expr::call(function, vec![m, p], int.clone());
                if ty == Some(ir::Type::Bool) {
                    Expr::binary(ir::BinaryOp::Ne, v, Expr::int(0), ir::Type::Bool)
                } else {
                    v
                }
            }
            MatchAnySync => {
                let m = self.lane_mask(args, 0, ix);
                let v = vec![m, self.rt(args, 1, ix)];
                Expr::call(function, v, int)
            }
            MatchAllSync => {
                let m = self.lane_mask(args, 0, ix);
                let mut v = vec![m, self.rt(args, 1, ix)];
                let (_, p) = args.get(2)?;
                v.push(self.place(p));
                Expr::call(function, v, int)
            }
            ActiveMask => Expr::call(function, Vec::new(), int),
            Clock | Clock64 | GlobalTimer => {
                let result = ty?;
                conversion(Expr::call(function, Vec::new(), result.clone()), &result)
            }
            ThisThreadBlock | ThisWarp | ThisGrid | ThisCluster | ClusterBlockIndex
            | ClusterDimBlocks => Expr::call(function, Vec::new(), ty?),
            ClusterMapSharedRank => return None,
            _ => return self.numeric_function(e, Callee::Function(function), args, ix),
        })
    }

    /// A function of modules cudadevice and libm that computes a number from numbers, or one of ieee_arithmetic.
    fn numeric_function(
        &mut self,
        e: &TExpr,
        callee: Callee,
        args: Args<'_>,
        ix: &[LoopIndex],
    ) -> Option<Expr> {
        let TExprKind::Runtime { module, name, .. } = &e.kind else {
            return None;
        };
        if module == "ieee_arithmetic" {
            return self.ieee_function(name, args, ix);
        }
        // Functions of other modules are host code's.
        if !matches!(module.as_str(), "cudadevice" | "libm") {
            return None;
        }
        let result = self.value_type(&e.ty)?;
        if args.iter().any(|(_, a)| a.rank > 0 && ix.is_empty()) {
            return None;
        }
        let facts = callee.facts()?;
        let mut v = Vec::new();
        for i in 0..args.len() {
            let a = self.rt(args, i, ix);
            // Results beside the value are returned through pointers.
            let by_address = i > 0 && i + 1 == args.len() && facts.changes == Changes::Last;
            v.push(if by_address { a.address() } else { a });
        }
        // The unsigned and long long results of CUDA are the Fortran integers.
        let int = facts.signed && result == ir::Type::Int(4);
        let call = Expr::call(callee, v, result.clone());
        Some(match result {
            ir::Type::Int(_) if !int => conversion(call, &result),
            _ => call,
        })
    }

    fn atomic(&mut self, function: Function, args: Args<'_>, ix: &[LoopIndex]) -> Option<Expr> {
        let (_, target) = args.first()?;
        let place = self.place_at(target, ix);
        let ty = place.ty.plain().clone();
        let mut v = vec![place];
        for (_, a) in args.iter().skip(1) {
            let value = if a.ty == model::Type::Boz {
                self.boz(a, &ty)
            } else {
                self.val(a, ix)
            };
            v.push(convert(value, &ty));
        }
        Some(Expr::call(function, v, ty))
    }

    /// `__shfl(value, lane[, width])` and `shfl_sync(mask, value, lane[, width])`.
    fn shuffle(
        &mut self,
        function: Function,
        sync: bool,
        args: Args<'_>,
        ix: &[LoopIndex],
    ) -> Option<Expr> {
        let first = usize::from(sync);
        let value = self.rt(args, first, ix);
        let lane = self.rt_int(args, first + 1, ix);
        let ty = value.ty.plain().clone();
        let mut v = vec![value, lane];
        let width = args.get(first + 2).is_some();
        if width {
            v.push(self.rt_int(args, first + 2, ix));
        }
        if sync {
            let mask = self.lane_mask(args, 0, ix);
            if !matches!(mask.kind, ExprKind::Bits(u32::MAX)) {
                if !width {
                    v.push(Expr::int(32));
                }
                v.push(mask);
            }
        }
        Some(Expr::call(function, v, ty))
    }

    /// A subroutine of the device library or of a module that only device code has.
    pub fn runtime_call(&mut self, name: &str, args: Args<'_>, span: Span) -> Vec<ir::Stmt> {
        if self.keyword_not_known(name, args, span).is_some() {
            return Vec::new();
        }
        use Function::*;
        let function = device_procedure(name);
        let void = ir::Type::Void;
        let one = |e: Expr| vec![ir::Stmt::expr(e)];
        let call = |f: Function, args: Vec<Expr>| one(Expr::call(f, args, ir::Type::Void));
        match function {
            Some(f @ Syncthreads) => {
                return match args.first() {
                    None => call(f, Vec::new()),
                    Some((_, g)) => {
                        let group = self.value(g);
                        one(group.method(Method::Sync, Vec::new(), void))
                    }
                };
            }
            Some(f @ Syncwarp) => {
                let mask = if args.is_empty() {
                    Vec::new()
                } else {
                    // A mask is a bit pattern.
                    let mask = self.lane_mask(args, 0, &[]);
                    vec![if mask.ty == ir::Type::Uint {
                        mask
                    } else {
                        conversion(mask, &ir::Type::Uint)
                    }]
                };
                return call(f, mask);
            }
            Some(f @ (Threadfence | ThreadfenceBlock | ThreadfenceSystem)) => {
                return call(f, Vec::new());
            }
            Some(f @ PipelineCopy) => return self.pipeline_copy(f, args, span),
            Some(f @ PipelineCommit) => {
                self.need_header("device/pipeline.hpp");
                return call(f, Vec::new());
            }
            Some(f @ PipelineWait) => {
                self.need_header("device/pipeline.hpp");
                let v = vec![self.rt_int(args, 0, &[])];
                return call(f, v);
            }
            Some(f @ Nanosleep) => {
                let v = vec![self.rt_int(args, 0, &[])];
                return call(f, v);
            }
            Some(f @ (Sincos | Sincosf | Sincospi | Sincospif)) => {
                let mut v = Vec::new();
                for (i, (_, a)) in args.iter().enumerate() {
                    let x = if i == 0 {
                        self.value(a)
                    } else {
                        self.place(a).address()
                    };
                    v.push(x);
                }
                let single = v
                    .first()
                    .is_some_and(|x| x.ty.plain() == &ir::Type::Real(4));
                return call(
                    match (f, single) {
                        (Sincos, true) => Sincosf,
                        (Sincospi, true) => Sincospif,
                        _ => f,
                    },
                    v,
                );
            }
            _ => {}
        }
        let word = bare(name);
        if let Some(out) = function.and_then(|f| self.bulk_call(f, args, span)) {
            return out;
        }
        if let Some(out) = self
            .random_call(word, args)
            .or_else(|| self.hinted_store(word, args))
            .or_else(|| self.submatrix_call(word, args, span))
        {
            return out;
        }
        if let Some(f) = function.filter(|f| f.facts().is_atomic())
            && let Some(e) = self.atomic(f, args, &[])
        {
            return one(e);
        }
        self.refuse(
            span,
            "CUF0422",
            format!("subroutine `{name}` cannot be called from device code"),
        );
        Vec::new()
    }

    /// `call pipelineMemcpyAsync(to, from)`: two numbers of one type, each in memory.
    fn pipeline_copy(&mut self, f: Function, args: Args<'_>, span: Span) -> Vec<ir::Stmt> {
        let number = |t: &TExpr| {
            let ty = matches!(
                t.ty,
                model::Type::Integer(_) | model::Type::Real(_) | model::Type::Complex(_)
            );
            ty && t.rank == 0 && t.is_designator()
        };
        match args {
            [(_, to), (_, from)] if number(to) && number(from) && to.ty == from.ty => {
                self.need_header("device/pipeline.hpp");
                let v = vec![self.place(to), self.place(from)];
                vec![ir::Stmt::expr(Expr::call(f, v, ir::Type::Void))]
            }
            _ => {
                let message = "`pipelineMemcpyAsync` requires two scalars or elements of the same numeric type";
                self.refuse(span, "CUF0210", message);
                Vec::new()
            }
        }
    }
}
