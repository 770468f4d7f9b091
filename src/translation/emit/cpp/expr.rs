//! Expressions, with no parentheses beyond what C++ needs and compilers do not warn about.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashSet;

use super::literal::{odd_nan, quote};
use super::tags::{Holder, Tags, bare, soft};
use super::writer::BREAK;
use crate::intrinsics::{Intrinsic, Text};
use crate::ir::function::Home;
use crate::ir::*;

/// Prints expressions and types as seen from one namespace.
pub struct Printer<'a> {
    /// Name of the enclosing namespace; empty at global scope.
    pub namespace: &'a str,
    /// Names of the namespace's members, which hide what is outside of it.
    pub members: FxHashSet<&'a str>,
    /// Names that the function declares, which hide both.
    pub locals: FxHashSet<&'a str>,
    /// Those of them that are called: procedures as arguments.
    pub called: FxHashSet<&'a str>,
    /// Names of other namespaces that using-declarations bring into this one.
    pub using: &'a BTreeSet<Ident>,
    /// Names of other namespaces that were printed: each once.
    pub foreign: RefCell<BTreeSet<Ident>>,
    /// Variables are made known to the checks at run time.
    pub checked: bool,
    /// Origins are marked in the text.
    pub tags: Option<&'a Tags>,
    /// Not in the text being printed.
    pub untagged: Cell<bool>,
    /// Origins of the names of the function, if they are to be marked.
    pub names: BTreeMap<&'a str, &'a Named>,
}

/// No using-declarations.
pub static NO_NAMES: BTreeSet<Ident> = BTreeSet::new();

impl Default for Printer<'_> {
    fn default() -> Self {
        Printer {
            namespace: "",
            members: FxHashSet::default(),
            locals: FxHashSet::default(),
            called: FxHashSet::default(),
            using: &NO_NAMES,
            foreign: RefCell::default(),
            checked: false,
            tags: None,
            untagged: Cell::new(false),
            names: BTreeMap::new(),
        }
    }
}

/// Binding strength, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Prec {
    Conditional,
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equality,
    Relation,
    Shift,
    Sum,
    Product,
    Unary,
    Postfix,
}

/// The negative of the product or quotient is another number than that of its first factor times or by the rest: a quotient of
/// integers, a first factor that is converted (-huge-1, and 0, which has no negative as a real has), complex numbers (signs of zeros).
/// A negative constant beside unsigned numbers would be converted, of which nvcc warns.
fn keeps_sign_outside(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Binary { op, lhs, .. }
            if matches!(op, BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem) =>
        {
            (*op != BinaryOp::Mul && e.ty.is_integer())
                || matches!(e.ty.plain(), Type::Complex(_))
                || matches!(&lhs.kind, ExprKind::Convert(from) if from.ty.is_integer())
                || matches!(lhs.kind, ExprKind::Int(_))
                    && matches!(e.ty.plain(), Type::Uint | Type::Ulong)
                || keeps_sign_outside(lhs)
        }
        _ => false,
    }
}

fn binary_prec(op: BinaryOp) -> Prec {
    use BinaryOp::*;
    match op {
        Or => Prec::Or,
        And => Prec::And,
        BitOr => Prec::BitOr,
        BitXor => Prec::BitXor,
        BitAnd => Prec::BitAnd,
        Eq | Ne => Prec::Equality,
        Lt | Le | Gt | Ge => Prec::Relation,
        Shl | Shr => Prec::Shift,
        Add | Sub => Prec::Sum,
        Mul | Div | Rem => Prec::Product,
    }
}

/// The class of the runtime for an operation of reductions.
pub fn reduction(op: ReductionOp) -> &'static str {
    match op {
        ReductionOp::Add => "op_add",
        ReductionOp::Mul => "op_mul",
        ReductionOp::Max => "op_max",
        ReductionOp::Min => "op_min",
        ReductionOp::And => "op_and",
        ReductionOp::Or => "op_or",
        ReductionOp::Eqv => "op_eqv",
        ReductionOp::Neqv => "op_neqv",
        ReductionOp::BitAnd => "op_iand",
        ReductionOp::BitOr => "op_ior",
        ReductionOp::BitXor => "op_ieor",
    }
}

fn symbol(op: BinaryOp) -> &'static str {
    use BinaryOp::*;
    match op {
        Add => "+",
        Sub => "-",
        Mul => "*",
        Div => "/",
        Rem => "%",
        Eq => "==",
        Ne => "!=",
        Lt => "<",
        Le => "<=",
        Gt => ">",
        Ge => ">=",
        And => "&&",
        Or => "||",
        BitAnd => "&",
        BitOr => "|",
        BitXor => "^",
        Shl => "<<",
        Shr => ">>",
    }
}

impl Printer<'_> {
    /// The tags, if origins are to be marked here.
    pub fn tags(&self) -> Option<&Tags> {
        self.tags.filter(|_| !self.untagged.get())
    }

    /// The text with its origin marked.
    pub fn tagged(&self, text: String, origin: Origin, holder: Holder) -> String {
        match self.tags() {
            Some(tags) => tags.around(&text, origin, holder),
            None => text,
        }
    }

    /// What `f` prints without marks.
    pub fn without_tags<T>(&self, f: impl FnOnce(&Self) -> T) -> T {
        let outer = self.untagged.replace(true);
        let value = f(self);
        self.untagged.set(outer);
        value
    }

    /// A C++ string literal.
    pub fn quoted(&self, s: &str) -> String {
        match self.tags {
            Some(_) => quote(&soft(s)),
            None => quote(s),
        }
    }

    pub fn ident(&self, i: &Ident) -> String {
        match &i.space {
            Namespaces::Local => i.name.clone(),
            Namespaces::Unit(u)
                if u == self.namespace && !self.locals.contains(i.name.as_str()) =>
            {
                i.name.clone()
            }
            Namespaces::Unit(u) => {
                if !self.locals.contains(i.name.as_str()) {
                    if self.using.contains(i) {
                        return i.name.clone();
                    }
                    if !self.foreign.borrow().contains(i) {
                        self.foreign.borrow_mut().insert(i.clone());
                    }
                }
                let first = u.split("::").next().unwrap_or(u);
                let hidden = self.members.contains(first);
                format!("{}{u}::{}", if hidden { "::" } else { "" }, i.name)
            }
        }
    }

    /// A function or type that CUDA declares at global scope, or a procedure as an argument.
    pub fn global(&self, i: &Ident) -> String {
        let name = i.name.as_str();
        let hidden = self.members.contains(name) || self.locals.contains(name);
        match i.space {
            Namespaces::Local if hidden && !self.called.contains(name) => format!("::{name}"),
            _ => self.ident(i),
        }
    }

    fn callee(&self, c: &Callee) -> String {
        let global = |name: &str| self.global(&Ident::local(name));
        match c {
            Callee::Function(f) => match f.spelling() {
                (Home::Cuf, name) => format!("cuf::{name}"),
                (Home::Wmma, name) => format!("nvcuda::wmma::{name}"),
                (Home::Cuda, name) => global(name),
            },
            // `char` is a word of C++.
            Callee::Intrinsic(Intrinsic::Text(Text::Char)) => "cuf::char_".to_owned(),
            Callee::Intrinsic(i) => format!("cuf::{i}"),
            Callee::Math(name) | Callee::Dummy(name) | Callee::External(name) => global(name),
            Callee::Procedure(i) => self.ident(i),
            Callee::Identity(op) => format!("cuf::{}::identity", reduction(*op)),
        }
    }

    pub fn expr(&self, e: &Expr) -> String {
        self.at(e, Prec::Conditional)
    }

    /// The value of `e` where C++ converts it to `target` by itself (initialisation, assignment, return).
    pub fn converted(&self, e: &Expr, target: &Type) -> String {
        match &e.kind {
            ExprKind::Convert(inner) if e.ty == *target.plain() && implicit(&inner.ty, &e.ty) => {
                self.expr(inner)
            }
            _ => match self.short(e).filter(|_| e.ty == *target.plain()) {
                Some(text) => text,
                None => self.expr(e),
            },
        }
    }

    /// A constant of 64 bits that a place of that kind takes without the suffix.
    fn short(&self, e: &Expr) -> Option<String> {
        let ExprKind::Int(v) = e.kind else {
            return None;
        };
        let fits = e.ty == Type::Int(8) && i32::try_from(v).is_ok_and(|v| v != i32::MIN);
        fits.then(|| self.tagged(v.to_string(), e.origin, Holder::Part))
    }

    /// A condition: anything that converts to bool.
    pub fn condition(&self, e: &Expr) -> String {
        self.expr(strip_bool(e))
    }

    pub fn list(&self, args: &[Expr]) -> String {
        args.iter()
            .map(|a| self.expr(a))
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// Arguments whose place makes an unsigned value signed: subscripts, and dummies of the user's procedures.
    fn integers(&self, args: &[Expr]) -> String {
        let args: Vec<_> = args.iter().map(|a| self.expr(a.unsigned_as_is())).collect();
        args.join(", ")
    }

    fn at(&self, e: &Expr, min: Prec) -> String {
        let (text, prec) = self.text(e);
        let text = if prec < min {
            format!("({text})")
        } else {
            text
        };
        self.tagged(text, e.origin, Holder::Part)
    }

    fn text(&self, e: &Expr) -> (String, Prec) {
        let postfix = |s: String| (s, Prec::Postfix);
        match &e.kind {
            ExprKind::Int(v) => self.integer(*v, &e.ty),
            ExprKind::Bits(v) => postfix(format!("0x{v:x}")),
            ExprKind::Real(v) => self.real(*v, &e.ty),
            ExprKind::Complex(re, im) => postfix(self.complex(*re, *im, &e.ty)),
            ExprKind::Bool(b) => postfix(b.to_string()),
            ExprKind::Str(s) => postfix(self.quoted(s)),
            ExprKind::Name(i) => postfix(self.ident(i)),
            ExprKind::Builtin(b, a) => postfix(builtin(*b, *a)),
            ExprKind::WarpSize => postfix("warpSize".to_owned()),
            ExprKind::MatrixOrder { row_major } => {
                let order = if *row_major { "row" } else { "col" };
                postfix(format!("nvcuda::wmma::mem_{order}_major"))
            }
            ExprKind::Element { base, subs } => postfix(format!(
                "{}({})",
                self.at(base, Prec::Postfix),
                self.integers(subs)
            )),
            ExprKind::Field { base, name } => postfix(format!("{}{name}", self.member_of(base))),
            ExprKind::Unary { op, operand } => self.unary(*op, operand),
            ExprKind::Binary { op, lhs, rhs } => self.binary(*op, lhs, rhs, e.line.broken),
            ExprKind::Convert(inner) => postfix(self.conversion(inner, &e.ty)),
            ExprKind::Call {
                callee,
                targs,
                args,
            } => postfix(self.call(callee, targs, args)),
            ExprKind::Method { base, name, args } => postfix(format!(
                "{}{}({})",
                self.member_of(base),
                name.spelling(),
                self.list(args)
            )),
            ExprKind::Section { base, subs } => {
                let subs: Vec<_> = subs.iter().map(|s| self.section_sub(s)).collect();
                postfix(format!(
                    "cuf::section({}, {})",
                    self.expr(base),
                    subs.join(", ")
                ))
            }
            ExprKind::Bound { callee, args } => postfix(format!(
                "[&](auto&&... cuf_args) {{ return {}(cuf_args..., {}); }}",
                self.ident(callee),
                self.list(args)
            )),
            ExprKind::AddressOf(inner) => {
                (format!("&{}", self.at(inner, Prec::Unary)), Prec::Unary)
            }
            ExprKind::Increment(inner) => {
                (format!("++{}", self.at(inner, Prec::Unary)), Prec::Unary)
            }
            ExprKind::Deref(inner) => (format!("*{}", self.at(inner, Prec::Unary)), Prec::Unary),
            ExprKind::Conditional {
                cond,
                then,
                otherwise,
            } => (
                format!(
                    "{} ? {} : {}",
                    self.at(strip_bool(cond), Prec::Or),
                    self.at(then, Prec::Or),
                    self.at(otherwise, Prec::Conditional)
                ),
                Prec::Conditional,
            ),
            ExprKind::Construct(args) => {
                postfix(format!("{}{{{}}}", self.ty(&e.ty), self.list(args)))
            }
            ExprKind::Object(args) => postfix(format!("{}({})", self.ty(&e.ty), self.list(args))),
            ExprKind::List(args) => {
                let values = args.iter().map(|a| self.short(a));
                let values = values
                    .zip(args)
                    .map(|(s, a)| s.unwrap_or_else(|| self.expr(a)));
                postfix(format!("{{{}}}", values.collect::<Vec<_>>().join(", ")))
            }
            ExprKind::Null => postfix("nullptr".to_owned()),
        }
    }

    /// An object and what stands between it and the name of its member.
    fn member_of(&self, base: &Expr) -> String {
        match &base.kind {
            ExprKind::Deref(p) => format!("{}->", self.at(p, Prec::Postfix)),
            _ => format!("{}.", self.at(base, Prec::Postfix)),
        }
    }

    fn call(&self, callee: &Callee, targs: &[TemplateArg], args: &[Expr]) -> String {
        let targs: Vec<_> = targs
            .iter()
            .map(|t| match t {
                TemplateArg::Type(t) => self.ty(t),
                TemplateArg::Int(i) => i.to_string(),
                TemplateArg::Operation(op) => format!("cuf::{}", reduction(*op)),
            })
            .collect();
        let targs = if targs.is_empty() {
            String::new()
        } else {
            format!("<{}>", targs.join(", "))
        };
        let args = match callee {
            Callee::Procedure(_) => self.integers(args),
            _ => self.list(args),
        };
        format!("{}{targs}({args})", self.callee(callee))
    }

    fn conversion(&self, inner: &Expr, target: &Type) -> String {
        let ty = self.ty(target);
        let Type::Pointer { to, .. } = target.plain() else {
            return format!("{ty}({})", self.expr(inner));
        };
        let number = |t: &Type| matches!(t, Type::Int(_) | Type::Uint);
        let pun = matches!(inner.ty.plain(), Type::Pointer { to: from, .. } if from != to && number(from) && number(to));
        let cast = if pun {
            "reinterpret_cast"
        } else {
            "static_cast"
        };
        format!("{cast}<{ty}>({})", self.expr(inner))
    }

    fn complex(&self, re: f64, im: f64, ty: &Type) -> String {
        let part = Type::Real(if *ty == Type::Complex(4) { 4 } else { 8 });
        let (re, im) = (self.real(re, &part).0, self.real(im, &part).0);
        format!("{}({re}, {im})", self.ty(ty))
    }

    fn section_sub(&self, s: &SectionSub) -> String {
        match s {
            SectionSub::Index(e) => self.expr(e.unsigned_as_is()),
            SectionSub::All => "cuf::all".to_owned(),
            SectionSub::Slice { lo, hi, step } => match step {
                None => format!("cuf::slice{{{}, {}}}", self.expr(lo), self.expr(hi)),
                Some(s) => format!(
                    "cuf::slice{{{}, {}, {}}}",
                    self.expr(lo),
                    self.expr(hi),
                    self.expr(s)
                ),
            },
        }
    }

    fn unary(&self, op: UnaryOp, operand: &Expr) -> (String, Prec) {
        let text = match op {
            UnaryOp::Not => format!("!{}", self.at(strip_bool(operand), Prec::Unary)),
            UnaryOp::Plus => format!("+{}", self.at(operand, Prec::Unary)),
            // -(a*b) and (-a)*b are mostly the same number, so a product needs no parentheses.
            UnaryOp::Neg => {
                let prec = if keeps_sign_outside(operand) {
                    Prec::Unary
                } else {
                    Prec::Product
                };
                let inner = self.at(operand, prec);
                if bare(&inner).starts_with('-') {
                    format!("-({inner})")
                } else {
                    format!("-{inner}")
                }
            }
        };
        (
            text,
            if op == UnaryOp::Neg {
                Prec::Product
            } else {
                Prec::Unary
            },
        )
    }

    /// `x += e` where the value of an assignment to x is `x + e`.
    pub fn compound(&self, place: &Expr, value: &Expr) -> Option<String> {
        let ExprKind::Binary { op, lhs, rhs } = &value.kind else {
            return None;
        };
        let ty = place.ty.plain();
        let arithmetic = matches!(ty, Type::Int(4 | 8) | Type::Real(4 | 8));
        let compound = matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul);
        let same_type = value.ty == *ty && lhs.ty.plain() == ty;
        if !(arithmetic && compound && same_type && lhs.is_same_place(place)) {
            return None;
        }
        let one = ty.is_integer() && matches!(rhs.kind, ExprKind::Int(1));
        let place = self.expr(place);
        Some(match op {
            BinaryOp::Add if one => format!("++{place}"),
            BinaryOp::Sub if one => format!("--{place}"),
            _ => {
                let (_, rhs) = implicit_operands(lhs, rhs);
                let short = self.short_beside(rhs, lhs);
                let by = short.unwrap_or_else(|| self.expr(rhs));
                format!("{place} {}= {by}", symbol(*op))
            }
        })
    }

    fn binary(&self, op: BinaryOp, lhs: &Expr, rhs: &Expr, broken: bool) -> (String, Prec) {
        let prec = binary_prec(op);
        if op == BinaryOp::BitXor && matches!(rhs.kind, ExprKind::Int(-1)) {
            return (format!("~{}", self.at(lhs, Prec::Unary)), Prec::Unary);
        }
        let (lhs, rhs) = match op {
            BinaryOp::And | BinaryOp::Or => (strip_bool(lhs), strip_bool(rhs)),
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge
                if matches!(
                    (lhs.ty.plain(), rhs.ty.plain()),
                    (Type::Int(_), Type::Int(_))
                ) =>
            {
                implicit_operands(bound(lhs), bound(rhs))
            }
            _ => implicit_operands(lhs, rhs),
        };
        let above = |p: Prec| match p {
            Prec::Sum => Prec::Product,
            Prec::Product => Prec::Unary,
            Prec::And => Prec::BitOr,
            Prec::Or => Prec::And,
            Prec::Relation => Prec::Shift,
            Prec::Equality => Prec::Relation,
            _ => Prec::Postfix,
        };
        let left = match prec {
            // Compilers warn about `a && b || c`, `a < b == c`, `a + b << c` and `a & b == c`.
            Prec::Or if is_binary(lhs, &[BinaryOp::And]) => format!("({})", self.expr(lhs)),
            Prec::Equality | Prec::Relation => self.at(lhs, Prec::Shift),
            Prec::Shift | Prec::BitAnd | Prec::BitOr | Prec::BitXor if !is_binary(lhs, &[op]) => {
                self.at(lhs, Prec::Unary)
            }
            _ => self.at(lhs, prec),
        };
        let left =
            if matches!(prec, Prec::Equality | Prec::Relation) && bare(&left).starts_with('!') {
                format!("({left})")
            } else {
                left
            };
        let right = match prec {
            Prec::Or if is_binary(rhs, &[BinaryOp::And]) => format!("({})", self.expr(rhs)),
            Prec::And | Prec::Or if is_binary(rhs, &[op]) => self.at(rhs, prec),
            Prec::Equality | Prec::Relation => self.at(rhs, Prec::Shift),
            Prec::Shift | Prec::BitAnd | Prec::BitOr | Prec::BitXor => self.at(rhs, Prec::Unary),
            _ => self.at(rhs, above(prec)),
        };
        // The kind of a shift is that of its left operand.
        let short = (prec != Prec::Shift).then(|| self.short_beside(lhs, rhs));
        let left = short.flatten().unwrap_or(left);
        let right = self.short_beside(rhs, lhs).unwrap_or(right);
        let right = if bare(&right).starts_with('-') && prec >= Prec::Sum {
            format!("({right})")
        } else {
            right
        };
        let end = if broken { BREAK } else { "" };
        (format!("{left} {end}{} {right}", symbol(op)), prec)
    }

    /// A constant without its suffix beside an operand that has its kind.
    fn short_beside(&self, e: &Expr, other: &Expr) -> Option<String> {
        let wide = matches!(other.ty.plain(), Type::Int(8) | Type::Ulong)
            && !matches!(other.kind, ExprKind::Int(_));
        let positive = e.as_int().is_some_and(|v| v >= 0);
        (wide && positive).then(|| self.short(e)).flatten()
    }

    fn integer(&self, v: i128, ty: &Type) -> (String, Prec) {
        let prec = if v < 0 { Prec::Unary } else { Prec::Postfix };
        match ty {
            Type::Int(8) if v == i128::from(i64::MIN) => ("INT64_MIN".to_owned(), Prec::Postfix),
            Type::Int(8) => (format!("{v}L"), prec),
            Type::Int(4) if v == i128::from(i32::MIN) => ("INT32_MIN".to_owned(), Prec::Postfix),
            Type::Int(1) => (format!("int8_t({v})"), Prec::Postfix),
            Type::Int(2) => (format!("int16_t({v})"), Prec::Postfix),
            _ => (v.to_string(), prec),
        }
    }

    fn real(&self, v: f64, ty: &Type) -> (String, Prec) {
        let kind = match ty {
            Type::Real(k) => *k,
            _ => 8,
        };
        if let Some(text) = odd_nan(v, kind) {
            return (text, Prec::Postfix);
        }
        if !v.is_finite() {
            let name = if v.is_nan() { "NAN" } else { "INFINITY" };
            let sign = if v < 0.0 { "-" } else { "" };
            let text = match kind {
                8 => format!("{sign}double({name})"),
                2 => format!("cuf::half({sign}{name})"),
                _ => format!("{sign}{name}"),
            };
            return (text, if v < 0.0 { Prec::Unary } else { Prec::Postfix });
        }
        // The shortest text that reads back as the same value of the kind; whole numbers in full.
        #[allow(clippy::cast_possible_truncation)]
        let mut text = if v.fract() == 0.0 && v.abs() < 1e10 {
            format!("{v:.1}")
        } else if kind == 8 {
            format!("{v:?}")
        } else {
            format!("{:?}", v as f32)
        };
        if !text.contains(['.', 'e']) {
            text.push_str(".0");
        }
        match kind {
            8 => {}
            // A sign is no part of a C++ literal.
            2 if text.starts_with('-') => {
                return (format!("cuf::half_literal({text})"), Prec::Postfix);
            }
            2 => text.push_str("_h"),
            _ => text.push('f'),
        }
        let prec = if text.starts_with('-') {
            Prec::Unary
        } else {
            Prec::Postfix
        };
        (text, prec)
    }
}

fn builtin(b: Builtin, a: Axis) -> String {
    let b = match b {
        Builtin::ThreadIdx => "threadIdx",
        Builtin::BlockIdx => "blockIdx",
        Builtin::BlockDim => "blockDim",
        Builtin::GridDim => "gridDim",
    };
    let a = match a {
        Axis::X => "x",
        Axis::Y => "y",
        Axis::Z => "z",
    };
    format!("{b}.{a}")
}

fn is_binary(e: &Expr, ops: &[BinaryOp]) -> bool {
    matches!(&e.kind, ExprKind::Binary { op, .. } if ops.contains(op))
}

/// Without a conversion to bool, where the context converts.
fn strip_bool(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Convert(inner)
            if e.ty == Type::Bool && matches!(inner.ty.plain(), Type::Logical(_) | Type::Bool) =>
        {
            inner
        }
        _ => e,
    }
}

/// C++ converts `from` to `to` in an assignment with the same result as the explicit conversion.
fn implicit(from: &Type, to: &Type) -> bool {
    let (from, to) = (from.plain(), to.plain());
    let number = |t: &Type| {
        matches!(
            t,
            Type::Int(_) | Type::Real(4 | 8) | Type::Uint | Type::Ulong
        )
    };
    let logical = |t: &Type| matches!(t, Type::Bool | Type::Logical(_));
    (number(from) && number(to)) || (logical(from) && logical(to))
}

/// A bound or size of an array without its conversion to the default kind, in which it has a value anyway.
fn bound(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Convert(inner)
            if inner.ty == Type::Int(8)
                && matches!(
                    inner.kind,
                    ExprKind::Method {
                        name: Method::Size
                            | Method::Lbound
                            | Method::Lower
                            | Method::Ubound
                            | Method::Upper,
                        ..
                    }
                ) =>
        {
            inner
        }
        _ => e,
    }
}

/// Drops the conversion of one operand where the usual arithmetic conversions do the same.
fn implicit_operands<'e>(lhs: &'e Expr, rhs: &'e Expr) -> (&'e Expr, &'e Expr) {
    fn promoted<'e>(e: &'e Expr, other: &Expr) -> Option<&'e Expr> {
        let ExprKind::Convert(inner) = &e.kind else {
            return None;
        };
        // Beside unsigned arithmetic a shorter integer is extended in the same way.
        let wraps = match other.ty {
            Type::Uint => e.ty == Type::Int(4),
            Type::Ulong => e.ty == Type::Int(8),
            _ => false,
        };
        if !wraps
            && (matches!(other.kind, ExprKind::Convert(_)) || other.ty.plain() != e.ty.plain())
        {
            return None;
        }
        let fine = match (inner.ty.plain(), e.ty.plain()) {
            (Type::Int(_), Type::Real(4 | 8)) => true,
            (Type::Real(4), Type::Real(8)) => true,
            (Type::Int(a), Type::Int(b)) => a < b && *b >= 4,
            (Type::Uint, Type::Int(8)) => true,
            _ => false,
        };
        fine.then_some(&**inner)
    }
    if let Some(l) = promoted(lhs, rhs) {
        return (l, rhs);
    }
    if let Some(r) = promoted(rhs, lhs) {
        return (lhs, r);
    }
    (lhs, rhs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn print(e: &Expr) -> String {
        Printer::default().expr(e)
    }

    fn var(n: &str) -> Expr {
        Expr::name(n, Type::Real(4))
    }

    fn bin(op: BinaryOp, a: Expr, b: Expr) -> Expr {
        let ty = a.ty.clone();
        Expr::binary(op, a, b, ty)
    }

    #[test]
    fn parentheses_keep_the_tree() {
        use BinaryOp::*;
        assert_eq!(
            print(&bin(Sub, var("a"), bin(Sub, var("b"), var("c")))),
            "a - (b - c)"
        );
        assert_eq!(
            print(&bin(Mul, bin(Add, var("a"), var("b")), var("c"))),
            "(a + b) * c"
        );
        assert_eq!(
            print(&bin(Add, bin(Mul, var("a"), var("b")), var("c"))),
            "a * b + c"
        );
        assert_eq!(
            print(&bin(Div, var("a"), bin(Mul, var("b"), var("c")))),
            "a / (b * c)"
        );
        assert_eq!(
            print(&Expr::unary(UnaryOp::Neg, bin(Add, var("a"), var("b")))),
            "-(a + b)"
        );
        assert_eq!(
            print(&bin(Sub, var("a"), Expr::unary(UnaryOp::Neg, var("b")))),
            "a - (-b)"
        );
    }

    #[test]
    fn literals_carry_their_kind() {
        assert_eq!(
            print(&Expr::new(ExprKind::Real(0.25), Type::Real(4))),
            "0.25f"
        );
        assert_eq!(
            print(&Expr::new(ExprKind::Real(1e10), Type::Real(8))),
            "10000000000.0"
        );
        assert_eq!(
            print(&Expr::new(ExprKind::Real(f64::from(0.1f32)), Type::Real(4))),
            "0.1f"
        );
        assert_eq!(print(&Expr::int_of(5, 8)), "5L");
    }

    #[test]
    fn promotions_are_left_to_the_compiler() {
        let i = Expr::new(
            ExprKind::Convert(Box::new(Expr::name("i", Type::Int(4)))),
            Type::Real(4),
        );
        assert_eq!(print(&bin(BinaryOp::Mul, i.clone(), var("a"))), "i * a");
        assert_eq!(
            print(&bin(BinaryOp::Mul, i.clone(), i)),
            "float(i) * float(i)"
        );
    }
}
