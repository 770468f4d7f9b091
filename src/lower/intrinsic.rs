//! Elemental and inquiry intrinsic functions.

use super::context::Cx;
use super::convert::{conversion, convert, non_negative, real_literal, to_bool};
use super::expr::{Ix, narrow};
use super::place::inquiry;
use super::proc::size_of;
use super::text::character_object;
use crate::ast::{BinaryOp as B, Span};
use crate::ir::{self, *};
use crate::sema::model::{self, CharacterLength, Constant, VarAttrs};
use crate::sema::typed::*;

/// Actual arguments in the order of the dummies.
pub type Args<'t> = &'t [Option<TExpr>];

impl Cx<'_, '_> {
    /// Value of an intrinsic reference at a position.
    pub fn intrinsic(&mut self, e: &TExpr, name: &str, args: Args<'_>, ix: &[Ix]) -> Expr {
        if let Some(v) = self.lazy_array(name, args, ix) {
            return v;
        }
        if super::transform::is_hoisted(e) || (e.rank > 0 && matches!(name, "lbound" | "ubound")) {
            return match self.transformational(e, name, args) {
                Some(ent) if e.rank > 0 => self.element_of(&ent, ix),
                Some(ent) => ent.expr,
                None => self.refuse_expr(
                    e.span,
                    "CUF0420",
                    format!(
                        "the intrinsic {name} with these arguments is not among those of device code (guide 3.6.3)"
                    ),
                ),
            };
        }
        let Some(ty) = self.value_type(&e.ty).or_else(|| inquiry_type(name)) else {
            return self.refuse_expr(
                e.span,
                "CUF0420",
                format!("the intrinsic {name} with this type is not among those of device code (guide 3.6.3)"),
            );
        };
        if let Some(v) = self.host_inquiry(e, name, args) {
            return v;
        }
        if let Some(v) = self.inquiry_intrinsic(e, name, args, &ty) {
            return v;
        }
        if let Some(v) = self.conversion_intrinsic(name, args, &ty, ix) {
            return v;
        }
        if let Some(v) = self.numeric_intrinsic(e, name, args, &ty, ix) {
            return v;
        }
        if let Some(v) = self.bit_intrinsic(e, name, args, &ty, ix) {
            return v;
        }
        if let Some(v) = self.character_intrinsic(name, args, &ty, ix) {
            return v;
        }
        self.refuse_expr(
            e.span,
            "CUF0420",
            format!("the intrinsic {name} is not among those of device code (guide 3.6.3)"),
        )
    }

    pub fn arg(&mut self, args: Args<'_>, i: usize, ix: &[Ix]) -> Expr {
        match args.get(i) {
            Some(Some(a)) => {
                let v = self.val(a, ix);
                if v.ty == ir::Type::Uint {
                    conversion(v, &ir::Type::Int(4))
                } else {
                    v
                }
            }
            _ => Expr::int(0),
        }
    }

    pub fn arg_as(&mut self, args: Args<'_>, i: usize, ty: &ir::Type, ix: &[Ix]) -> Expr {
        match args.get(i) {
            Some(Some(a)) if a.ty == model::Type::Boz => self.boz(a, ty),
            _ => {
                let v = self.arg(args, i, ix);
                convert(v, ty)
            }
        }
    }

    /// Functions about an object, not its value.
    fn inquiry_intrinsic(
        &mut self,
        e: &TExpr,
        name: &str,
        args: Args<'_>,
        ty: &ir::Type,
    ) -> Option<Expr> {
        let first = args.first().and_then(Option::as_ref);
        Some(match name {
            "size" | "lbound" | "ubound" => {
                let a = first?;
                let dim = args.get(1).and_then(Option::as_ref);
                let Some(dim) = dim else {
                    if name != "size" {
                        return None;
                    }
                    let n = self.extents(a).into_iter().fold(Expr::int(1), Expr::times);
                    if n.is_simple() {
                        return Some(convert(n, ty));
                    }
                    if a.is_designator() && a.rank > 0 && matches!(a.kind, TExprKind::Variable(_)) {
                        let whole = self.array_place(a, &[]);
                        return Some(convert(
                            whole
                                .expr
                                .method(Method::Size, Vec::new(), ir::Type::Int(8)),
                            ty,
                        ));
                    }
                    return Some(convert(n, ty));
                };
                let whole = matches!(a.kind, TExprKind::Variable(_) | TExprKind::Component { .. })
                    && !super::place::base_is_ranged(a);
                let v = match dim.as_integer().and_then(|d| usize::try_from(d - 1).ok()) {
                    Some(d) if name == "size" => self.extent_or_size(a, d),
                    Some(d) if whole => {
                        bound_of(&self.array_place(a, &[]).expr, inquiry_method(name)?, d)
                    }
                    Some(_) if name == "lbound" => Expr::int(1),
                    Some(d) => self.extent_or_size(a, d),
                    None => {
                        let d = self.index_value(dim);
                        // A section begins at 1, whatever the bounds of its array.
                        let array = if whole {
                            self.array_place(a, &[]).expr
                        } else {
                            self.section(a)
                        };
                        let method = array.method(inquiry_method(name)?, vec![d], ir::Type::Int(8));
                        conversion(method, &ir::Type::Int(4))
                    }
                };
                convert(v, ty)
            }
            "present" => {
                let root = first?.root()?;
                let ent = self.entity(root, e.span);
                match ent.optional {
                    Some(p) => {
                        let null = Expr::new(ExprKind::Null, ir::Type::Auto);
                        let data = match ent.expr.ty.plain() {
                            ir::Type::View { .. } if ent.expr.is_simple() => {
                                ent.expr.method(Method::Data, Vec::new(), ir::Type::Auto)
                            }
                            ir::Type::Text => ent.expr.field("text", ir::Type::Auto),
                            _ => Expr::name(&p, ir::Type::Auto),
                        };
                        Expr::binary(ir::BinaryOp::Ne, data, null, ir::Type::Bool)
                    }
                    None => Expr::bool(true),
                }
            }
            "associated" | "allocated" => {
                self.association(first?, args.get(1).and_then(Option::as_ref))
            }
            "is_contiguous" => {
                let s = self.section(first?);
                s.method(Method::Contiguous, Vec::new(), ir::Type::Bool)
            }
            "len" => match &first?.ty {
                model::Type::Character(CharacterLength::Constant(n)) => convert(Expr::int(*n), ty),
                _ => convert(self.trimmed_length(first?)?, ty),
            },
            "storage_size" | "sizeof" | "c_sizeof" => {
                let a = first?;
                let elem = self.storage_type(&a.ty)?;
                let bytes = size_of(&elem);
                let n = if name == "storage_size" {
                    bytes.times(Expr::int(8))
                } else {
                    self.extents(a).into_iter().fold(bytes, Expr::times)
                };
                convert(n, ty)
            }
            _ => return None,
        })
    }

    fn extent_or_size(&mut self, a: &TExpr, d: usize) -> Expr {
        if let TExprKind::Variable(_) = a.kind {
            let whole = self.array_place(a, &[]);
            if !matches!(whole.expr.ty.plain(), ir::Type::Fixed { .. }) {
                return inquiry(&whole.expr, Method::Size, d);
            }
        }
        self.extents(a).into_iter().nth(d).unwrap_or(Expr::int(1))
    }

    fn conversion_intrinsic(
        &mut self,
        name: &str,
        args: Args<'_>,
        ty: &ir::Type,
        ix: &[Ix],
    ) -> Option<Expr> {
        Some(match name {
            "int" | "real" | "dble" | "logical" | "realpart" | "sngl" | "float" => {
                self.arg_as(args, 0, ty, ix)
            }
            "cmplx" => {
                let ir::Type::Complex(k) = *ty else {
                    return None;
                };
                let part = ir::Type::Real(k);
                match (args.first()?.as_ref(), args.get(1).and_then(Option::as_ref)) {
                    (Some(a), None) if matches!(a.ty, model::Type::Complex(_)) => {
                        let v = self.val(a, ix);
                        convert(v, ty)
                    }
                    (_, y) => {
                        let re = self.arg_as(args, 0, &part, ix);
                        let im = if y.is_some() {
                            self.arg_as(args, 1, &part, ix)
                        } else {
                            real_literal(0.0, k)
                        };
                        Expr::new(ExprKind::Object(vec![re, im]), ty.clone())
                    }
                }
            }
            "aimag" => {
                let z = self.arg(args, 0, ix);
                z.field("im", ty.clone())
            }
            "nint" | "floor" | "ceiling" => {
                let x = self.arg(args, 0, ix);
                let targs = if *ty == ir::Type::Int(4) {
                    Vec::new()
                } else {
                    vec![TemplateArg::Type(ty.clone())]
                };
                Expr::call_of(Function::of_intrinsic(name)?, targs, vec![x], ty.clone())
            }
            "aint" | "anint" => {
                let x = self.arg(args, 0, ix);
                let from = x.ty.plain().clone();
                convert(Expr::call(Function::of_intrinsic(name)?, vec![x], from), ty)
            }
            "transfer" => {
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
                Expr::call_of(
                    Function::Transfer,
                    vec![TemplateArg::Type(to.clone())],
                    vec![v],
                    to,
                )
            }
            "out_of_range" => {
                let mold = args.get(1)?.as_ref()?;
                let to = vec![TemplateArg::Type(self.storage_type(&mold.ty)?)];
                let mut values = vec![self.arg(args, 0, ix)];
                if args.get(2).is_some_and(Option::is_some) {
                    values.push(self.arg_as(args, 2, &ir::Type::Bool, ix));
                }
                convert(
                    Expr::call_of(Function::OutOfRange, to, values, ir::Type::Bool),
                    ty,
                )
            }
            _ => return None,
        })
    }

    fn numeric_intrinsic(
        &mut self,
        e: &TExpr,
        name: &str,
        args: Args<'_>,
        ty: &ir::Type,
        ix: &[Ix],
    ) -> Option<Expr> {
        Some(match name {
            "sin" | "cos" | "tan" | "asin" | "acos" | "sinh" | "cosh" | "tanh" | "asinh"
            | "acosh" | "atanh" | "exp" | "log" | "log10" | "sqrt" | "erf" | "erfc"
            | "erfc_scaled" | "gamma" | "log_gamma" | "bessel_j0" | "bessel_j1" | "bessel_y0"
            | "bessel_y1" | "fraction" | "spacing" | "rrspacing" | "sind" | "cosd" | "tand"
            | "asind" | "acosd" | "atand" | "conjg" | "cotan" => {
                let x = self.arg_as(args, 0, ty, ix);
                Expr::call(Function::of_intrinsic(name)?, vec![x], ty.clone())
            }
            "atan" | "atan2" | "atan2d" => {
                let mut v = vec![self.arg_as(args, 0, ty, ix)];
                let two = args.get(1).is_some_and(Option::is_some);
                if two {
                    v.push(self.arg_as(args, 1, ty, ix));
                }
                Expr::call(
                    match two && name == "atan" {
                        true => Function::Atan2,
                        false => Function::of_intrinsic(name)?,
                    },
                    v,
                    ty.clone(),
                )
            }
            "abs" => {
                let x = self.arg(args, 0, ix);
                Expr::call(Function::of_intrinsic(name)?, vec![x], ty.clone())
            }
            "hypot" | "dim" | "sign" | "modulo" => {
                let v = vec![self.arg_as(args, 0, ty, ix), self.arg_as(args, 1, ty, ix)];
                Expr::call(Function::of_intrinsic(name)?, v, ty.clone())
            }
            "mod" => {
                if let (Some(Some(a)), Some(Some(p))) = (args.first(), args.get(1))
                    && *ty == ir::Type::Int(4)
                    && let Some(m) = p.as_integer().filter(|m| *m > 0)
                {
                    let v = self.val(a, ix);
                    if v.ty == ir::Type::Uint && non_negative(&v) {
                        let m = Expr::new(ExprKind::Int(m), ir::Type::Uint);
                        return Some(Expr::binary(ir::BinaryOp::Rem, v, m, ir::Type::Uint));
                    }
                    let m = self.value_as(p, ty);
                    return Some(Expr::binary(
                        ir::BinaryOp::Rem,
                        convert(v, ty),
                        m,
                        ty.clone(),
                    ));
                }
                let v = vec![self.arg_as(args, 0, ty, ix), self.arg_as(args, 1, ty, ix)];
                Expr::call(Function::Mod, v, ty.clone())
            }
            "max" | "min" => {
                // max1 and the like compare in real and convert the result.
                let wide = args.iter().flatten().map(|a| a.ty.clone()).fold(
                    None,
                    |t: Option<model::Type>, a| match (t, a) {
                        (Some(model::Type::Real(x)), model::Type::Real(y)) => {
                            Some(model::Type::Real(x.max(y)))
                        }
                        (Some(t @ model::Type::Real(_)), _) => Some(t),
                        (_, a) => Some(a),
                    },
                )?;
                let compare = match (&wide, ty) {
                    (model::Type::Real(k), ir::Type::Int(_)) => ir::Type::Real(*k),
                    _ => ty.clone(),
                };
                let v = (0..args.len())
                    .filter(|i| args[*i].is_some())
                    .map(|i| self.arg_as(args, i, &compare, ix))
                    .collect();
                convert(Expr::call(Function::of_intrinsic(name)?, v, compare), ty)
            }
            "merge" => {
                let ty = self.storage_type(&e.ty)?;
                let ty = if ty.is_logical() { ir::Type::Bool } else { ty };
                let t = character_object(self.arg_as(args, 0, &ty, ix));
                let f = character_object(self.arg_as(args, 1, &ty, ix));
                let mask = self.arg(args, 2, ix);
                // Both values are evaluated: one may be a shuffle or a function that changes something. Where that is the
                // same, a conditional expression reads best.
                let called = args.iter().take(2).flatten().any(super::dependence::calls);
                if called && !super::array::is_character(&e.ty) {
                    let of = vec![TemplateArg::Type(ty.clone())];
                    return Some(Expr::call_of(
                        Function::Merge,
                        of,
                        vec![t, f, to_bool(mask)],
                        ty,
                    ));
                }
                Expr::new(
                    ExprKind::Conditional {
                        cond: Box::new(to_bool(mask)),
                        then: Box::new(t),
                        otherwise: Box::new(f),
                    },
                    ty,
                )
            }
            "dprod" => {
                let d = ir::Type::Real(8);
                let v = [self.arg_as(args, 0, &d, ix), self.arg_as(args, 1, &d, ix)];
                let [a, b] = v;
                Expr::binary(ir::BinaryOp::Mul, a, b, d)
            }
            "bessel_jn" | "bessel_yn" => {
                let n = self.arg_as(args, 0, &ir::Type::Int(4), ix);
                let x = self.arg_as(args, 1, ty, ix);
                Expr::call(Function::of_intrinsic(name)?, vec![n, x], ty.clone())
            }
            "scale" | "set_exponent" => {
                let x = self.arg_as(args, 0, ty, ix);
                let i = self.arg(args, 1, ix);
                Expr::call(Function::of_intrinsic(name)?, vec![x, i], ty.clone())
            }
            "nearest" => {
                let x = self.arg_as(args, 0, ty, ix);
                let s = self.arg(args, 1, ix);
                Expr::call(Function::of_intrinsic(name)?, vec![x, s], ty.clone())
            }
            "exponent" => {
                let x = self.arg(args, 0, ix);
                Expr::call(Function::of_intrinsic(name)?, vec![x], ty.clone())
            }
            "isnan" | "ieee_is_nan" => {
                let x = self.arg(args, 0, ix);
                let x = if x.is_simple() {
                    x
                } else {
                    self.temporary_at(x, ix)?
                };
                Expr::binary(ir::BinaryOp::Ne, x.clone(), x, ir::Type::Bool)
            }
            _ => return None,
        })
    }

    /// A temporary is only possible outside of a loop nest.
    fn temporary_at(&mut self, x: Expr, ix: &[Ix]) -> Option<Expr> {
        if ix.is_empty() {
            Some(self.temporary(x))
        } else {
            Some(x)
        }
    }

    fn bit_intrinsic(
        &mut self,
        e: &TExpr,
        name: &str,
        args: Args<'_>,
        ty: &ir::Type,
        ix: &[Ix],
    ) -> Option<Expr> {
        let int = ir::Type::Int(4);
        Some(match name {
            "iand" | "ior" | "ieor" | "and" | "or" | "xor" => {
                let op = match name {
                    "iand" | "and" => ir::BinaryOp::BitAnd,
                    "ior" | "or" => ir::BinaryOp::BitOr,
                    _ => ir::BinaryOp::BitXor,
                };
                let ty = match ty {
                    ir::Type::Bool => return None,
                    t => t.clone(),
                };
                // threadIdx.x & 31
                if op == ir::BinaryOp::BitAnd
                    && ty == int
                    && let [Some(a), Some(b)] = args
                    && let Some(bits) = b.as_integer().filter(|v| *v >= 0)
                    && a.ty != model::Type::Boz
                {
                    let v = self.val(a, ix);
                    if v.ty == ir::Type::Uint && non_negative(&v) {
                        let bits = Expr::new(ExprKind::Int(bits), ir::Type::Uint);
                        return Some(Expr::binary(op, v, bits, ir::Type::Uint));
                    }
                }
                let a = self.arg_as(args, 0, &ty, ix);
                let b = self.arg_as(args, 1, &ty, ix);
                narrow(Expr::binary(op, a, b, ty), &e.ty)
            }
            "not" => {
                let a = self.arg_as(args, 0, ty, ix);
                let ones = Expr::new(ExprKind::Int(-1), ty.clone());
                narrow(
                    Expr::binary(ir::BinaryOp::BitXor, a, ones, ty.clone()),
                    &e.ty,
                )
            }
            "ishft" | "shiftl" | "shiftr" | "shifta" | "lshift" | "rshift" | "ibset" | "ibclr" => {
                let function = match name {
                    "lshift" => "shiftl",
                    "rshift" => "shifta",
                    n => n,
                };
                let a = self.arg_as(args, 0, ty, ix);
                let s = self.arg_as(args, 1, &int, ix);
                Expr::call(Function::of_intrinsic(function)?, vec![a, s], ty.clone())
            }
            "btest" => {
                let a = self.arg(args, 0, ix);
                let s = self.arg_as(args, 1, &int, ix);
                Expr::call(Function::of_intrinsic(name)?, vec![a, s], ir::Type::Bool)
            }
            "ishftc" => {
                let mut v = vec![self.arg_as(args, 0, ty, ix), self.arg_as(args, 1, &int, ix)];
                if args.get(2).is_some_and(Option::is_some) {
                    v.push(self.arg_as(args, 2, &int, ix));
                }
                Expr::call(Function::of_intrinsic(name)?, v, ty.clone())
            }
            "ibits" => {
                let v = vec![
                    self.arg_as(args, 0, ty, ix),
                    self.arg_as(args, 1, &int, ix),
                    self.arg_as(args, 2, &int, ix),
                ];
                Expr::call(Function::of_intrinsic(name)?, v, ty.clone())
            }
            "dshiftl" | "dshiftr" => {
                let v = vec![
                    self.arg_as(args, 0, ty, ix),
                    self.arg_as(args, 1, ty, ix),
                    self.arg_as(args, 2, &int, ix),
                ];
                Expr::call(Function::of_intrinsic(name)?, v, ty.clone())
            }
            "merge_bits" => {
                let v = (0..3).map(|i| self.arg_as(args, i, ty, ix)).collect();
                Expr::call(Function::of_intrinsic(name)?, v, ty.clone())
            }
            "bge" | "bgt" | "ble" | "blt" => {
                let k = args.iter().flatten().filter_map(|a| match a.ty {
                    model::Type::Integer(k) => Some(k),
                    _ => None,
                });
                let wide = ir::Type::Int(k.max().unwrap_or(4));
                let v = (0..2).map(|i| self.arg_as(args, i, &wide, ix)).collect();
                let same_kind = args.iter().flatten().all(|a| {
                    self.storage_type(&a.ty).as_ref() == Some(&wide) || a.ty == model::Type::Boz
                });
                if !same_kind {
                    return None;
                }
                Expr::call(Function::of_intrinsic(name)?, v, ir::Type::Bool)
            }
            "popcnt" | "leadz" | "trailz" | "poppar" => {
                let a = self.arg(args, 0, ix);
                convert(Expr::call(Function::of_intrinsic(name)?, vec![a], int), ty)
            }
            "maskl" | "maskr" => {
                let a = self.arg_as(args, 0, &int, ix);
                let targs = if *ty == int {
                    Vec::new()
                } else {
                    vec![TemplateArg::Type(ty.clone())]
                };
                Expr::call_of(Function::of_intrinsic(name)?, targs, vec![a], ty.clone())
            }
            _ => return None,
        })
    }

    /// An intrinsic subroutine.
    pub fn intrinsic_call(&mut self, name: &str, args: Args<'_>, span: Span) -> Vec<ir::Stmt> {
        let int = ir::Type::Int(4);
        match name {
            "mvbits" => {
                let (Some(Some(from)), Some(Some(to))) = (args.first(), args.get(3)) else {
                    return Vec::new();
                };
                let v = vec![
                    self.value(from),
                    self.arg_as(args, 1, &int, &[]),
                    self.arg_as(args, 2, &int, &[]),
                    self.place(to),
                    self.arg_as(args, 4, &int, &[]),
                ];
                vec![ir::Stmt::expr(Expr::call(
                    Function::Mvbits,
                    v,
                    ir::Type::Void,
                ))]
            }
            "move_alloc" => self.move_alloc(args, span),
            "random_number" | "system_clock" | "cpu_time" | "date_and_time" => {
                self.refuse(
                    span,
                    "CUF0420",
                    format!("the intrinsic subroutine {name} is not among those of device code (guide 3.6.3)"),
                );
                Vec::new()
            }
            "exit" | "abort" => vec![ir::Stmt::expr(Expr::call(
                Function::Stop,
                Vec::new(),
                ir::Type::Void,
            ))],
            _ => {
                self.refuse(
                    span,
                    "CUF0420",
                    format!("the intrinsic subroutine {name} is not among those of device code (guide 3.6.3)"),
                );
                Vec::new()
            }
        }
    }

    /// A dummy argument passed on without a value.
    pub fn is_optional_dummy(&self, t: &TExpr) -> Option<String> {
        let TExprKind::Variable(s) = t.kind else {
            return None;
        };
        let v = self.model().variable(s)?;
        if !v.attrs.has(VarAttrs::OPTIONAL) {
            return None;
        }
        self.vars.get(&s)?.optional.clone()
    }
}

fn inquiry_type(name: &str) -> Option<ir::Type> {
    matches!(
        name,
        "present" | "associated" | "allocated" | "is_contiguous"
    )
    .then_some(ir::Type::Bool)
}

/// The method of arrays for SIZE, LBOUND or UBOUND.
pub fn inquiry_method(name: &str) -> Option<Method> {
    Some(match name {
        "size" => Method::Size,
        "lbound" => Method::Lbound,
        "ubound" => Method::Ubound,
        _ => return None,
    })
}

/// LBOUND or UBOUND of a dimension of a whole array. Bounds of an empty one are 1 and 0, which the object knows.
pub fn bound_of(whole: &Expr, which: Method, d: usize) -> Expr {
    let known = match whole.ty.plain() {
        ir::Type::Fixed { dims, .. } => dims
            .get(d)
            .filter(|x| x.extent() > 0)
            .map(|x| if which == Method::Lbound { x.lo } else { x.hi }),
        _ => None,
    };
    match known {
        Some(v) => Expr::int(v),
        None => inquiry(whole, which, d),
    }
}

/// The operation of a reduction by an operator of the language.
pub fn reduction_of(op: B) -> Option<ReductionOp> {
    Some(match op {
        B::Add => ReductionOp::Add,
        B::Mul => ReductionOp::Mul,
        B::And => ReductionOp::And,
        B::Or => ReductionOp::Or,
        B::Eqv => ReductionOp::Eqv,
        B::Neqv => ReductionOp::Neqv,
        _ => return None,
    })
}

/// The largest finite value of a type, negated for `negative`.
pub fn extreme(ty: &ir::Type, negative: bool) -> Expr {
    match ty {
        ir::Type::Real(k) => {
            let v = match k {
                8 => f64::MAX,
                2 => 65504.0,
                _ => f64::from(f32::MAX),
            };
            real_literal(if negative { -v } else { v }, *k)
        }
        ir::Type::Int(k) => {
            let max = (1i128 << (u32::from(*k) * 8 - 1)) - 1;
            Expr::int_of(if negative { -max - 1 } else { max }, *k)
        }
        ir::Type::Character(n) => {
            let function = match negative {
                true => Function::LowestText,
                false => Function::HighestText,
            };
            Expr::call_of(function, vec![TemplateArg::Int(*n)], Vec::new(), ty.clone())
        }
        t => Expr::new(ExprKind::Int(0), t.clone()),
    }
}

/// Folded logical argument.
pub fn is_true(a: Option<&TExpr>) -> bool {
    matches!(
        a.and_then(|a| a.value.as_ref()),
        Some(Constant::Logical(true, _))
    )
}
