//! Kernels in the device IR, by their launchers.

use std::collections::BTreeMap;

use super::code::read;
use super::{Code, Shared};
use crate::ir::{
    ArrayParam, Callee, ExprKind, Function, Ident, Init, ItemKind, LauncherKind, Namespaces, Proc,
    ProcKind, Qualifier, ReductionOp, Stmt, StmtKind, Type, Unit,
};

/// The kernels of a file.
pub struct Kernels<'a> {
    launchers: BTreeMap<&'a str, &'a LauncherKind>,
    procedures: BTreeMap<(&'a str, &'a str), &'a Proc>,
}

/// A kernel and what launches it.
pub struct Found<'a> {
    pub procedure: Option<&'a Proc>,
    ident: &'a Ident,
    kind: &'a LauncherKind,
}

impl<'a> Kernels<'a> {
    /// Of the device code of a file; none of none.
    pub fn of(unit: Option<&'a Unit>) -> Kernels<'a> {
        let launchers = unit.iter().flat_map(|u| &u.launchers);
        let members = unit.iter().flat_map(|u| u.members());
        Kernels {
            launchers: launchers.map(|l| (&*l.symbol, &l.kind)).collect(),
            procedures: members
                .filter_map(|(space, item)| match &item.kind {
                    ItemKind::Proc(p) => Some(((space, &*p.name), p)),
                    _ => None,
                })
                .collect(),
        }
    }

    /// The kernel that the launcher of this C name starts.
    pub fn find(&self, symbol: &str) -> Option<Found<'a>> {
        let kind = *self.launchers.get(symbol)?;
        let (LauncherKind::Kernel { kernel, .. } | LauncherKind::Loop { kernel, .. }) = kind else {
            return None;
        };
        let space = match &kernel.space {
            Namespaces::Local => "",
            Namespaces::Unit(name) => name,
        };
        Some(Found {
            procedure: self.procedures.get(&(space, &*kernel.name)).copied(),
            ident: kernel,
            kind,
        })
    }
}

impl Found<'_> {
    /// What the kernel holds.
    pub fn code(&self, launcher: &str) -> Code {
        let (LauncherKind::Kernel { indexed, .. } | LauncherKind::Loop { indexed, .. }) = self.kind
        else {
            return Code::default();
        };
        let cpp = match &self.ident.space {
            Namespaces::Local => self.ident.name.clone(),
            Namespaces::Unit(space) => format!("{space}::{}", self.ident.name),
        };
        let mut code = Code {
            cpp,
            launcher: launcher.to_owned(),
            two_versions: *indexed,
            ..Code::default()
        };
        if let Some(p) = self.procedure {
            read(&p.body, &mut code);
            p.body.iter().for_each(|s| {
                s.walk(&mut |s| shared(s, &mut code.shared));
            });
        }
        code
    }

    /// The operations of reductions, by variable.
    pub fn operations(&self) -> BTreeMap<String, &'static str> {
        let LauncherKind::Loop { reductions, .. } = self.kind else {
            return BTreeMap::new();
        };
        let of = |r: &crate::ir::LoopReduction| {
            let mut name = None;
            r.target.walk(&mut |e| {
                if let ExprKind::Name(n) = &e.kind {
                    name.get_or_insert_with(|| n.name.clone());
                }
            });
            Some((name?, operation(r.op)))
        };
        reductions.iter().filter_map(of).collect()
    }
}

/// As REDUCE names it.
fn operation(op: ReductionOp) -> &'static str {
    match op {
        ReductionOp::Add => "+",
        ReductionOp::Mul => "*",
        ReductionOp::Max => "max",
        ReductionOp::Min => "min",
        ReductionOp::And => ".and.",
        ReductionOp::Or => ".or.",
        ReductionOp::Eqv => ".eqv.",
        ReductionOp::Neqv => ".neqv.",
        ReductionOp::BitAnd => "iand",
        ReductionOp::BitOr => "ior",
        ReductionOp::BitXor => "ieor",
    }
}

/// The shared variables that a statement declares.
fn shared(s: &Stmt, out: &mut Vec<Shared>) {
    let StmtKind::Declare(d) = &s.kind else {
        return;
    };
    let fixed = matches!(d.qualifier, Qualifier::Shared | Qualifier::SharedTile);
    for n in &d.names {
        let dynamic = match &n.init {
            Init::Value(e) => is_dynamic(e),
            Init::Args(args) => args.iter().any(is_dynamic),
            Init::None | Init::Default => false,
        };
        if fixed || dynamic {
            out.push(Shared {
                name: n.name.clone(),
                bytes: fixed.then(|| bytes(&d.ty)).flatten(),
            });
        }
    }
}

fn is_dynamic(e: &crate::ir::Expr) -> bool {
    let mut found = false;
    e.walk(&mut |e| {
        found |= matches!(&e.kind, ExprKind::Call { callee: Callee::Function(f), .. } if *f == Function::DynamicShared);
    });
    found
}

/// The bytes of a variable of numbers.
fn bytes(ty: &Type) -> Option<i64> {
    Some(match ty {
        Type::Bool => 1,
        Type::Int(n) | Type::Real(n) | Type::Logical(n) => i64::from(*n),
        Type::Complex(n) => 2 * i64::from(*n),
        Type::Uint => 4,
        Type::Ulong => 8,
        Type::Character(n) => *n,
        Type::Fixed { elem, dims } => {
            let mut all = bytes(elem)?;
            for d in dims {
                all = all.checked_mul(d.extent())?;
            }
            all
        }
        Type::Const(t) => bytes(t)?,
        _ => return None,
    })
}

/// The array that a kernel makes of the parameters of an argument.
pub fn array<'a>(kernel: &'a Proc, name: &str) -> Option<&'a ArrayParam> {
    let ProcKind::Kernel { arrays, .. } = &kernel.kind else {
        return None;
    };
    arrays.iter().find(|a| a.name == name)
}
