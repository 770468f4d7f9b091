//! Types.

use super::expr::{Printer, reduction};
use crate::ir::{
    Class, FixedDim, Fragment, FragmentRole, Generator, Group, Ident, IndexType, Type,
};

impl Printer<'_> {
    pub fn ty(&self, ty: &Type) -> String {
        match ty {
            // No checked unit has the other.
            Type::Void | Type::Unknown => "void".to_owned(),
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
            Type::Derived(i) => self.global(i),
            Type::Class(c) => self.class(c),
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

    fn class(&self, c: &Class) -> String {
        let global = |name: &str| self.global(&Ident::local(name));
        let cuf = |name: &str| format!("cuf::{name}");
        match c {
            Class::Dim3 => global("dim3"),
            Class::Group(g) => cuf(match g {
                Group::Threads => "thread_group",
                Group::Coalesced => "coalesced_group",
                Group::Grid => "grid_group",
                Group::Cluster => "cluster_group",
            }),
            Class::Generator(g) => global(match g {
                Generator::Xorwow => "curandStateXORWOW_t",
                Generator::Mrg32k3a => "curandStateMRG32k3a_t",
                Generator::Philox => "curandStatePhilox4_32_10_t",
            }),
            Class::Fragment(f) => fragment(*f),
            Class::Descriptor => cuf("descriptor"),
            Class::Range => cuf("range"),
            Class::Assumed => cuf("assumed"),
            Class::Characters { changed: true } => cuf("char_ref"),
            Class::Characters { changed: false } => cuf("char_view"),
            Class::LoopBounds => cuf("loop_bounds"),
            Class::LoopTurns => cuf("loop_turns"),
            Class::LoopSpace {
                rank,
                indexed: false,
            } => format!("cuf::loop_space<{rank}>"),
            Class::LoopSpace {
                rank,
                indexed: true,
            } => format!("cuf::loop_space<{rank}, index_type>"),
            Class::ReductionDevice { elem, op } => format!(
                "cuf::reduction_device<{}, cuf::{}>",
                self.ty(elem),
                reduction(*op)
            ),
            Class::OptionalValue(elem) => format!("cuf::optional_value<{}>", self.ty(elem)),
            Class::Layout {
                rank,
                strided: true,
            } => format!("cuf::layout<{rank}, index_type>"),
            Class::Layout {
                rank,
                strided: false,
            } => format!("cuf::shape<{rank}, index_type>"),
            Class::ExplicitShape { elem, rank, index } => {
                let index = match index {
                    IndexType::Int => "int",
                    IndexType::OfKernel => "index_type",
                };
                format!("cuf::array<{}, {rank}, {index}>", self.ty(elem))
            }
            Class::MadeOfLayout { strided: true } => cuf("view"),
            Class::MadeOfLayout { strided: false } => cuf("array"),
            Class::Storage(bytes) => format!("cuf::storage<{bytes}>"),
            Class::PrintRecord => cuf("print_record"),
            Class::ChildConfig => cuf("child_config"),
        }
    }

    fn fixed_dim(&self, d: &FixedDim) -> String {
        // A `>` in an argument would end the list.
        let arg = |e: &crate::ir::Expr| {
            let s = self.without_tags(|p| p.expr(e));
            if s.contains('>') { format!("({s})") } else { s }
        };
        match &d.lower {
            None => arg(&d.upper),
            Some(lower) => format!(
                "cuf::range{{{}, {}}}",
                self.without_tags(|p| p.expr(lower)),
                self.without_tags(|p| p.expr(&d.upper))
            ),
        }
    }
}

fn fragment(f: Fragment) -> String {
    let (role, row_major) = match f.role {
        FragmentRole::A { row_major } => ("matrix_a", Some(row_major)),
        FragmentRole::B { row_major } => ("matrix_b", Some(row_major)),
        FragmentRole::Accumulator => ("accumulator", None),
    };
    let element = match f.kind {
        2 => "cuf::half",
        4 => "float",
        _ => "double",
    };
    let order = match row_major {
        None => "",
        Some(true) => ", nvcuda::wmma::row_major",
        Some(false) => ", nvcuda::wmma::col_major",
    };
    format!(
        "nvcuda::wmma::fragment<nvcuda::wmma::{role}, {}, {}, {}, {element}{order}>",
        f.m, f.n, f.k
    )
}
