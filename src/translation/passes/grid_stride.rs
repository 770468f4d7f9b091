//! Loops of a kernel in steps of the launch's extents, `do i = first, n, blockDim%x*gridDim%x`, are plain C++ loops.
//!
//! Such a loop ends only if the limit leaves room for the step, which nobody knows before the launch. Where the threads begin with their
//! own numbers and the launcher can compute the limit, it makes sure of that (`cuf::check_stride`) and the kernel has the loop as one
//! would write it; elsewhere the loop stays a range that counts its iterations. For a loop that begins so, a limit without room means
//! an iteration count, `(limit - first + step)/step`, that is no integer of the loop's kind, which a program must not compute (F2018
//! 10.1.5.2.4, 11.1.7.4.1).

use super::launch_invariants::{DEPTH, Known, each_kernel};
use crate::ir::*;

/// Makes the loops of the units' kernels plain.
pub fn plain(units: &mut [Unit]) {
    each_kernel(units, |kernel, launcher, known| {
        if let LauncherKind::Kernel { strides, .. } = launcher {
            loops(&mut kernel.body, known, strides);
        }
    });
}

fn loops(body: &mut [Stmt], known: &Known<'_>, strides: &mut Vec<Stride>) {
    for s in body {
        for b in s.blocks_mut() {
            loops(b, known, strides);
        }
        let StmtKind::ForEach(f) = &mut s.kind else {
            continue;
        };
        let Some((from, to, step, stride)) = known.stride(f) else {
            continue;
        };
        let [var] = &f.vars[..] else { continue };
        let cond = Expr::binary(BinaryOp::Le, Expr::name(var, f.ty.clone()), to, Type::Bool);
        let plain = For {
            var: var.clone(),
            declare: Some(f.ty.clone()),
            from: Some(from),
            cond,
            step: Step::Expr(step),
            body: std::mem::take(&mut f.body),
        };
        s.kind = StmtKind::For(Box::new(plain));
        if !strides.contains(&stride) {
            strides.push(stride);
        }
    }
}

impl Known<'_> {
    /// First value, limit and step of a loop whose step is one of the launch, and what the launcher has to ask.
    fn stride(&self, f: &ForEach) -> Option<(Expr, Expr, Expr, Stride)> {
        let ExprKind::Call {
            callee: Callee::Function(Function::DoRange),
            args,
            ..
        } = &f.range.kind
        else {
            return None;
        };
        let [from, to, step] = &args[..] else {
            return None;
        };
        if f.ty != Type::Int(4) {
            return None;
        }
        let mut extents = Vec::new();
        self.extents(step, &mut extents, 0)?;
        self.is_own_number(from, &extents).then_some(())?;
        let stride = Stride {
            limit: self.outside(to, 0)?,
            extents,
        };
        Some((from.clone(), to.clone(), step.clone(), stride))
    }

    /// The extents whose product an expression is, each at most once.
    fn extents(&self, e: &Expr, out: &mut Vec<(Builtin, Axis)>, depth: usize) -> Option<()> {
        let e = e.unsigned_as_is();
        match &e.kind {
            ExprKind::Builtin(b @ (Builtin::BlockDim | Builtin::GridDim), axis) => {
                let extent = (*b, *axis);
                (!out.contains(&extent)).then(|| out.push(extent))
            }
            ExprKind::Binary {
                op: BinaryOp::Mul,
                lhs,
                rhs,
            } if depth < DEPTH => {
                self.extents(lhs, out, depth + 1)?;
                self.extents(rhs, out, depth + 1)
            }
            ExprKind::Name(i) if i.space == Namespaces::Local && depth < DEPTH => {
                self.extents(self.local(&i.name)?, out, depth + 1)
            }
            _ => None,
        }
    }

    /// The value is the number of the thread, or of the block, among those whose number `extents` is, perhaps with a small offset.
    fn is_own_number(&self, from: &Expr, extents: &[(Builtin, Axis)]) -> bool {
        let mut own = Sum::default();
        if self.sum(from, &mut own, 0).is_none() || !(0..=OFFSET).contains(&own.constant) {
            return false;
        }
        let axis = match extents {
            [(_, axis)] | [(_, axis), _] => *axis,
            _ => return false,
        };
        let has = |b: Builtin| extents.contains(&(b, axis));
        match (extents.len(), has(Builtin::BlockDim), has(Builtin::GridDim)) {
            (1, false, true) => own.terms == [Term::Block(axis)],
            (2, true, true) => {
                own.terms.sort_unstable();
                own.terms == [Term::Thread(axis), Term::BlockStart(axis)]
            }
            _ => false,
        }
    }

    /// Takes a sum apart; None if it has other terms.
    fn sum(&self, e: &Expr, out: &mut Sum, depth: usize) -> Option<()> {
        if depth > DEPTH {
            return None;
        }
        let e = e.unsigned_as_is();
        match &e.kind {
            ExprKind::Int(v) => out.constant = out.constant.checked_add(*v)?,
            ExprKind::Builtin(Builtin::ThreadIdx, axis) => out.terms.push(Term::Thread(*axis)),
            ExprKind::Builtin(Builtin::BlockIdx, axis) => out.terms.push(Term::Block(*axis)),
            ExprKind::Name(i) if i.space == Namespaces::Local => {
                self.sum(self.local(&i.name)?, out, depth + 1)?;
            }
            ExprKind::Binary {
                op: BinaryOp::Add,
                lhs,
                rhs,
            } => {
                self.sum(lhs, out, depth + 1)?;
                self.sum(rhs, out, depth + 1)?;
            }
            ExprKind::Binary {
                op: BinaryOp::Sub,
                lhs,
                rhs,
            } => {
                self.sum(lhs, out, depth + 1)?;
                out.constant = out.constant.checked_sub(rhs.as_int()?)?;
            }
            ExprKind::Binary {
                op: BinaryOp::Mul,
                lhs,
                rhs,
            } => {
                let pair = [lhs, rhs].map(|e| match &e.unsigned_as_is().kind {
                    ExprKind::Builtin(b, axis) => Some((*b, *axis)),
                    _ => None,
                });
                match pair {
                    [Some((Builtin::BlockIdx, a)), Some((Builtin::BlockDim, b))]
                    | [Some((Builtin::BlockDim, b)), Some((Builtin::BlockIdx, a))]
                        if a == b =>
                    {
                        out.terms.push(Term::BlockStart(a));
                    }
                    _ => return None,
                }
            }
            _ => return None,
        }
        Some(())
    }
}

/// A sum of numbers of threads and blocks (from 0) and a constant.
#[derive(Default)]
struct Sum {
    terms: Vec<Term>,
    constant: i128,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Term {
    Thread(Axis),
    Block(Axis),
    /// `blockIdx * blockDim`
    BlockStart(Axis),
}

/// Loops over the inside of a domain begin a little behind the thread's number.
const OFFSET: i128 = 64;
