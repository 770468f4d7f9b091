//! Types.

use super::expr::Printer;
use crate::ir::{FixedDim, Type};

impl Printer<'_> {
    pub fn ty(&self, ty: &Type) -> String {
        match ty {
            Type::Void => "void".to_owned(),
            Type::Auto => "auto".to_owned(),
            Type::Bool => "bool".to_owned(),
            Type::Int(1) => "int8_t".to_owned(),
            Type::Int(2) => "int16_t".to_owned(),
            Type::Int(8) => "int64_t".to_owned(),
            Type::Int(_) => "int".to_owned(),
            Type::Uint => "unsigned".to_owned(),
            Type::Ulong => "uint64_t".to_owned(),
            Type::Real(2) => "cuf::half".to_owned(),
            Type::Real(4) => "float".to_owned(),
            Type::Real(_) => "double".to_owned(),
            Type::Complex(4) => "cuf::complex<float>".to_owned(),
            Type::Complex(_) => "cuf::complex<double>".to_owned(),
            Type::Logical(k) => format!("cuf::logical<{k}>"),
            Type::Character(n) => format!("cuf::character<{n}>"),
            Type::Text => "cuf::string".to_owned(),
            Type::Derived(i) | Type::Named(i) => self.global(i),
            Type::Const(t) => match &**t {
                Type::Pointer { .. } => format!("{} const", self.ty(t)),
                _ => format!("const {}", self.ty(t)),
            },
            Type::Pointer { to, restrict: true } => format!("{}* __restrict__", self.ty(to)),
            Type::Pointer {
                to,
                restrict: false,
            } => format!("{}*", self.ty(to)),
            Type::Ref(t) => format!("{}&", self.ty(t)),
            Type::Array { elem, rank } => format!("cuf::array<{}, {rank}>", self.ty(elem)),
            Type::View { elem, rank } => format!("cuf::view<{}, {rank}>", self.ty(elem)),
            Type::Descriptor { elem, rank } => {
                format!("cuf::fortran_pointer<{}, {rank}>", self.ty(elem))
            }
            Type::LocalArray { elem, rank: 0 } => format!("cuf::local_scalar<{}>", self.ty(elem)),
            Type::LocalArray { elem, rank } => {
                format!("cuf::local_array<{}, {rank}>", self.ty(elem))
            }
            Type::Fixed { elem, dims } => {
                let dims: Vec<_> = dims.iter().map(|d| self.fixed_dim(d)).collect();
                format!("cuf::fixed_array<{}, {}>", self.ty(elem), dims.join(", "))
            }
        }
    }

    fn fixed_dim(&self, d: &FixedDim) -> String {
        // A `>` in an argument would end the list.
        let arg = |e: &crate::ir::Expr| {
            let s = self.expr(e);
            if s.contains('>') { format!("({s})") } else { s }
        };
        match &d.lower {
            None => arg(&d.upper),
            Some(lower) => format!(
                "cuf::range{{{}, {}}}",
                self.expr(lower),
                self.expr(&d.upper)
            ),
        }
    }
}
