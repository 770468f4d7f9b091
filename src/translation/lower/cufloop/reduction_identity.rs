//! What the accumulation of a reduction begins with in a thread.

use crate::ir::*;
use crate::lower::value::convert::convert;

/// The neutral number, where each iteration adds its value once at most: then it is the same whether an iteration goes on with the thread's value
/// or its own value is combined with that. Else what the runtime gives: the cpu target runs iterations by themselves.
pub fn value(op: ReductionOp, ty: &Type, name: &str, param: &str, iteration: &[Stmt]) -> Expr {
    let neutral = match op {
        ReductionOp::Add | ReductionOp::BitOr | ReductionOp::BitXor => Some(0),
        ReductionOp::Mul => Some(1),
        _ => None,
    };
    let number = matches!(ty, Type::Int(_) | Type::Real(4 | 8));
    let step = Accumulation { op, ty, name };
    match neutral.filter(|_| number && step.is_once_in(iteration)) {
        Some(n) => convert(Expr::int(n), ty),
        None => {
            let device = Expr::name(param, Type::Auto);
            Expr::call(Function::Start, vec![device], ty.clone())
        }
    }
}

/// `t = t + x` with the operation and the variable `t` of a reduction.
struct Accumulation<'a> {
    op: ReductionOp,
    ty: &'a Type,
    name: &'a str,
}

impl Accumulation<'_> {
    /// The variable stands nowhere else, and no iteration comes there twice.
    fn is_once_in(&self, iteration: &[Stmt]) -> bool {
        let mut mentions = 0;
        let mut jumps = false;
        for s in iteration {
            s.walk(&mut |s| {
                jumps |= matches!(s.kind, StmtKind::Goto(_));
                s.own_exprs(&mut |e| {
                    e.walk(&mut |x| mentions += usize::from(x.local() == Some(self.name)));
                });
            });
        }
        mentions == 2 && !jumps && iteration.iter().any(|s| self.is_in(s))
    }

    fn is_in(&self, s: &Stmt) -> bool {
        match &s.kind {
            StmtKind::Assign { lhs, rhs } => lhs.local() == Some(self.name) && self.is(rhs),
            StmtKind::If { .. } | StmtKind::Block(_) | StmtKind::Switch { .. } => {
                let mut blocks = s.blocks().into_iter();
                blocks.any(|b| b.iter().any(|s| self.is_in(s)))
            }
            _ => false,
        }
    }

    fn is(&self, e: &Expr) -> bool {
        let ExprKind::Binary { op, lhs, rhs } = &e.kind else {
            return false;
        };
        let same = matches!(
            (self.op, op),
            (ReductionOp::Add, BinaryOp::Add)
                | (ReductionOp::Mul, BinaryOp::Mul)
                | (ReductionOp::BitOr, BinaryOp::BitOr)
                | (ReductionOp::BitXor, BinaryOp::BitXor)
        );
        let name = Some(self.name);
        same && e.ty == *self.ty && (lhs.local() == name || rhs.local() == name)
    }
}
