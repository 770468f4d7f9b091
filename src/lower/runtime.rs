//! Device built-ins of module cudadevice and the device libraries: barriers, fences, votes, shuffles, atomics, cache hints.

use super::context::Cx;
use super::convert::{conversion, convert, to_bool};
use super::expr::Ix;
use crate::ast::Span;
use crate::ir::{self, *};
use crate::sema::model;
use crate::sema::typed::*;

type Args<'t> = &'t [(Option<String>, TExpr)];

/// `CLASS%SIZE` of cooperative groups and components of dim3 and the like.
fn bare(name: &str) -> &str {
    name.trim_start_matches('_')
}

/// Functions of the device modules that change their first argument.
pub fn changes_first(name: &str) -> bool {
    name.starts_with("atomic") || name.starts_with("curand")
}

/// Functions of libm that return a second result through their last argument.
pub fn has_second_result(name: &str) -> bool {
    matches!(
        name,
        "frexp" | "frexpf" | "modf" | "modff" | "remquo" | "remquof"
    )
}

/// CUDA's function has the type int, as the Fortran one.
fn gives_int(name: &str, result: &ir::Type) -> bool {
    let int = matches!(
        name,
        "__popc" | "__popcll" | "__clz" | "__clzll" | "__ffs" | "__ffsll" | "__float_as_int"
    );
    int && *result == ir::Type::Int(4)
}

fn cuda(name: &str, args: Vec<Expr>, ty: ir::Type) -> Expr {
    Expr::call(Ident::local(name), args, ty)
}

impl Cx<'_, '_> {
    fn rt(&mut self, args: Args<'_>, i: usize, ix: &[Ix]) -> Expr {
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

    fn rt_int(&mut self, args: Args<'_>, i: usize, ix: &[Ix]) -> Expr {
        match args.get(i) {
            Some((_, a)) if a.ty == model::Type::Boz => self.boz(a, &ir::Type::Int(4)),
            _ => {
                let v = self.rt(args, i, ix);
                convert(v, &ir::Type::Int(4))
            }
        }
    }

    /// The lanes that take part: any integer, constants in hexadecimal.
    fn lane_mask(&mut self, args: Args<'_>, i: usize, ix: &[Ix]) -> Expr {
        let v = self.rt_int(args, i, ix);
        match v.as_int().and_then(|v| i32::try_from(v).ok()) {
            Some(v) => Expr::new(ExprKind::Bits(v.cast_unsigned()), ir::Type::Uint),
            None => v,
        }
    }

    /// Integer or logical predicate.
    fn predicate(&mut self, args: Args<'_>, i: usize, ix: &[Ix]) -> Expr {
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
            let message = format!("{name} has no dummy argument {keyword} in the guide");
            self.refuse_expr(span, "CUF0422", message)
        })
    }

    /// A function of the device library.
    pub fn runtime_function(&mut self, e: &TExpr, name: &str, args: Args<'_>, ix: &[Ix]) -> Expr {
        if let Some(refused) = self.keyword_not_known(name, args, e.span) {
            return refused;
        }
        if let Some(v) = self.device_function(e, name, args, ix) {
            return v;
        }
        self.refuse_expr(
            e.span,
            "CUF0422",
            format!("{name} is no function that device code can call"),
        )
    }

    fn device_function(
        &mut self,
        e: &TExpr,
        name: &str,
        args: Args<'_>,
        ix: &[Ix],
    ) -> Option<Expr> {
        let ty = self.value_type(&e.ty);
        let word = bare(name);
        if let Some(op) = word.strip_prefix("atomic") {
            return self.atomic(op, args, ix);
        }
        if word.starts_with("shfl") {
            return self.shuffle(word, args, ix);
        }
        if let Some(e) = self.hinted_load(word, args, ix) {
            return Some(e);
        }
        if let Some(draw) = super::random::draw(word) {
            return self.random_number(draw, args, ix, &ty?);
        }
        let int = ir::Type::Int(4);
        Some(match word {
            "syncthreads_count" | "syncthreads_and" | "syncthreads_or" => {
                let p = self.predicate(args, 0, ix);
                convert(cuda(&format!("__{word}"), vec![p], int), ty.as_ref()?)
            }
            "ballot" | "allthreads" | "anythread" => {
                let p = self.predicate(args, 0, ix);
                let result = if word == "ballot" {
                    int
                } else {
                    ir::Type::Bool
                };
                Expr::cuf(word, vec![p], result)
            }
            "ballot_sync" | "all_sync" | "any_sync" => {
                let m = self.lane_mask(args, 0, ix);
                let p = self.predicate(args, 1, ix);
                let v = Expr::cuf(word, vec![m, p], int.clone());
                if ty == Some(ir::Type::Bool) {
                    Expr::binary(ir::BinaryOp::Ne, v, Expr::int(0), ir::Type::Bool)
                } else {
                    v
                }
            }
            "match_any_sync" => {
                let m = self.lane_mask(args, 0, ix);
                let v = vec![m, self.rt(args, 1, ix)];
                Expr::cuf(word, v, int)
            }
            "match_all_sync" => {
                let m = self.lane_mask(args, 0, ix);
                let mut v = vec![m, self.rt(args, 1, ix)];
                let (_, p) = args.get(2)?;
                v.push(self.place(p));
                Expr::cuf(word, v, int)
            }
            "activemask" => Expr::cuf(word, Vec::new(), int),
            "clock" | "clock64" | "globaltimer" => {
                let result = ty?;
                let call = if word == "globaltimer" {
                    Expr::cuf(word, Vec::new(), result.clone())
                } else {
                    cuda(word, Vec::new(), result.clone())
                };
                conversion(call, &result)
            }
            "c_devloc" | "c_loc" => {
                let (_, a) = args.first()?;
                self.place(a).address()
            }
            "this_thread_block"
            | "this_warp"
            | "this_grid"
            | "this_cluster"
            | "cluster_block_index"
            | "cluster_dim_blocks" => Expr::cuf(word, Vec::new(), ty?),
            "cluster_map_shared_rank" => return None,
            _ => {
                let TExprKind::Runtime { module, .. } = &e.kind else {
                    return None;
                };
                if module == "ieee_arithmetic" {
                    return self.ieee_function(name, args, ix);
                }
                // Functions of other modules are host code's.
                if !matches!(module.as_str(), "cudadevice" | "libm") {
                    return None;
                }
                let result = ty?;
                // The unsigned and long long results of CUDA are the Fortran integers.
                if args.iter().any(|(_, a)| a.rank > 0 && ix.is_empty()) {
                    return None;
                }
                let mut v = Vec::new();
                for i in 0..args.len() {
                    let a = self.rt(args, i, ix);
                    // Results beside the value are returned through pointers.
                    let by_address = i > 0 && i + 1 == args.len() && has_second_result(word);
                    v.push(if by_address { a.address() } else { a });
                }
                // CUDA's names of these have underscores only.
                let plain = matches!(
                    name,
                    "double_as_longlong" | "longlong_as_double" | "float_as_int" | "int_as_float"
                );
                let name = if plain {
                    format!("__{name}")
                } else {
                    name.to_owned()
                };
                let call = cuda(&name, v, result.clone());
                if matches!(result, ir::Type::Int(_)) && !gives_int(&name, &result) {
                    conversion(call, &result)
                } else {
                    call
                }
            }
        })
    }

    fn atomic(&mut self, op: &str, args: Args<'_>, ix: &[Ix]) -> Option<Expr> {
        let (_, target) = args.first()?;
        let place = self.place_at(target, ix);
        let ty = place.ty.plain().clone();
        let name = match op {
            "add" | "sub" | "max" | "min" | "exch" | "cas" | "inc" | "dec" => {
                format!("atomic_{op}")
            }
            "and" | "or" | "xor" => format!("atomic_{op}_"),
            _ => return None,
        };
        let mut v = vec![place];
        for (_, a) in args.iter().skip(1) {
            let value = if a.ty == model::Type::Boz {
                self.boz(a, &ty)
            } else {
                self.val(a, ix)
            };
            v.push(convert(value, &ty));
        }
        Some(Expr::cuf(&name, v, ty))
    }

    /// `__shfl(value, lane[, width])` and `shfl_sync(mask, value, lane[, width])`.
    fn shuffle(&mut self, word: &str, args: Args<'_>, ix: &[Ix]) -> Option<Expr> {
        let (base, sync) = match word.strip_suffix("_sync") {
            Some(b) => (b, true),
            None => (word, false),
        };
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
        Some(Expr::cuf(base, v, ty))
    }

    /// A subroutine of the device library or of a module that only device code has.
    pub fn runtime_call(&mut self, name: &str, args: Args<'_>, span: Span) -> Vec<ir::Stmt> {
        if self.keyword_not_known(name, args, span).is_some() {
            return Vec::new();
        }
        let word = bare(name);
        let void = ir::Type::Void;
        let one = |e: Expr| vec![ir::Stmt::expr(e)];
        match word {
            "syncthreads" => {
                return match args.first() {
                    None => one(cuda("__syncthreads", Vec::new(), void)),
                    Some((_, g)) => {
                        let group = self.value(g);
                        one(group.method("sync", Vec::new(), void))
                    }
                };
            }
            "syncwarp" => {
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
                return one(cuda("__syncwarp", mask, void));
            }
            "threadfence" | "threadfence_block" | "threadfence_system" => {
                return one(cuda(&format!("__{word}"), Vec::new(), void));
            }
            "nanosleep" => {
                let v = vec![self.rt_int(args, 0, &[])];
                return one(cuda("__nanosleep", v, void));
            }
            "sincos" | "sincosf" | "sincospi" | "sincospif" => {
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
                let name = if single {
                    format!("{}f", word.trim_end_matches('f'))
                } else {
                    word.to_owned()
                };
                return one(cuda(&name, v, void));
            }
            _ => {}
        }
        if let Some(out) = self
            .random_call(word, args)
            .or_else(|| self.hinted_store(word, args))
            .or_else(|| self.submatrix_call(word, args, span))
        {
            return out;
        }
        if let Some(op) = word.strip_prefix("atomic")
            && let Some(e) = self.atomic(op, args, &[])
        {
            return one(e);
        }
        self.refuse(
            span,
            "CUF0422",
            format!("{name} is no subroutine that device code can call"),
        );
        Vec::new()
    }

    /// The file's `.cuh` includes a header of a device library.
    pub fn need_header(&self, name: &str) {
        self.sh
            .headers
            .borrow_mut()
            .insert((self.file, name.to_owned()));
    }

    /// A component of a type of the runtime: dim3, cooperative groups.
    pub fn external_component(&mut self, e: &TExpr, base: Expr, name: &str) -> Expr {
        let ty = self.value_type(&e.ty).unwrap_or(ir::Type::Int(4));
        // The members of dim3 are unsigned, those of the groups int.
        let unsigned = matches!(&base.ty, ir::Type::Named(i) if i.name == "dim3");
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
