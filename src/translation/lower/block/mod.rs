//! Statements that all threads of a block execute together: the body of a loop whose iterations are executed by blocks (OpenACC gangs),
//! and procedures with loops whose iterations the threads of a block share (`routine vector`).
//!
//! Outside of the shared loops each thread computes the same: variables of its own get the same values, and what all threads reach is
//! stored to by the first one. [`plan`] says before the lowering which statements those are and where the threads have to meet.

mod branches;
pub(in crate::translation::lower) mod effects;
pub(in crate::translation::lower) mod plan;
pub(in crate::translation::lower) mod shared_loop;

use std::collections::BTreeSet;

use self::plan::Planner;
use crate::ast::{self, CufKernel, Directive, LoopLevel, Stmt, StmtKind as Ast};
use crate::ir::{self, *};
use crate::lower::context::LoweringContext;
use crate::lower::context::rules::{Designators, Statements};
use crate::lower::context::together::{Step, Together, Way};
use crate::lower::cufloop::scalars::Reduced;
use crate::sema::model::*;

/// Threads that a block of every kernel can have: a launch makes no smaller block of it.
const MOST_THREADS: i64 = 256;

/// The body of a loop over blocks.
pub(in crate::translation::lower) fn in_loop(
    cx: &mut LoweringContext<'_, '_>,
    k: &CufKernel,
    reductions: &[Reduced],
    body: &[Stmt],
) -> Together {
    let inside = cx.capture.iter().flat_map(|c| &c.inside).copied();
    let own = inside
        .chain(reductions.iter().filter_map(|r| r.target.root()))
        .collect();
    let line = k.launch.as_ref().is_none_or(|l| l.block.len() <= 1);
    let threads = k.launch.as_ref().and_then(|l| match &l.block[..] {
        [size] => cx.model().const_int(cx.scope, size),
        _ => None,
    });
    Together {
        threads: threads.filter(|n| (1..=MOST_THREADS).contains(n)),
        ..planned(cx, own, line, body)
    }
}

/// The body of a procedure, if the threads of a block execute it together: it has loops that they share, or is called by such a
/// procedure.
pub(in crate::translation::lower) fn in_procedure(
    cx: &mut LoweringContext<'_, '_>,
    target: ProcedureTarget,
    body: &[Stmt],
) -> Option<Together> {
    let of_device = matches!(
        target,
        ProcedureTarget::Device | ProcedureTarget::HostDevice
    );
    let together = cx.facts.shares_loops || of_device && cx.facts.of_block;
    together.then(|| planned(cx, BTreeSet::new(), false, body))
}

fn planned(
    cx: &mut LoweringContext<'_, '_>,
    own: BTreeSet<SymbolId>,
    line: bool,
    body: &[Stmt],
) -> Together {
    let (plan, shared) = {
        let mut planner = Planner::new(cx, own);
        planner.run(body);
        (planner.plan, planner.shared)
    };
    for (span, code, message) in &plan.refused {
        cx.refuse(*span, code, message.clone());
    }
    Together {
        plan,
        line,
        threads: None,
        shared,
    }
}

/// Some loop of the statements is shared by the threads of a block.
pub(in crate::translation::lower) fn has_shared_loop(body: &[Stmt]) -> bool {
    body.iter()
        .any(|s| shared_loop(s).is_some() || s.blocks().into_iter().any(has_shared_loop))
}

/// The loop and its clauses, if the threads of a block share its iterations: loops of workers are done by all threads one after the other
/// if they contain such a loop.
pub(in crate::translation::lower) fn shared_loop(s: &Stmt) -> Option<(&ast::Do, &CufKernel)> {
    let (Some(Directive::Loop { level, clauses }), Ast::Do(d)) = (s.directive.as_deref(), &s.kind)
    else {
        return None;
    };
    let shares = match level {
        LoopLevel::Vector => true,
        LoopLevel::Worker => !has_shared_loop(&d.body),
        LoopLevel::Seq => false,
    };
    shares.then_some((d, clauses))
}

fn barrier() -> ir::Stmt {
    ir::Stmt::expr(Expr::call(
        Function::Syncthreads,
        Vec::new(),
        ir::Type::Void,
    ))
}

impl LoweringContext<'_, '_> {
    /// A statement as the threads of a block execute it, where that is another way than each for itself.
    pub fn step(&self, s: &Stmt) -> Option<Step> {
        let block = self.block.as_ref()?;
        let step = block.plan.steps.get(&(s.span.start, s.span.end))?;
        (step.barrier || step.way != Way::All).then(|| step.clone())
    }

    /// Lowers a statement with such a step.
    pub fn stmt_together(
        &mut self,
        s: &Stmt,
        step: &Step,
        lower: impl FnOnce(&mut Self) -> Vec<ir::Stmt>,
    ) -> Vec<ir::Stmt> {
        let mut out = Vec::new();
        if step.barrier {
            out.push(barrier());
        }
        let (pre, stmts) = self.with_hoisted(lower);
        match step.way {
            Way::All => out.extend(self.scoped(pre, stmts)),
            Way::First => {
                let mut body = self.scoped(pre, stmts);
                if let [
                    ir::Stmt {
                        kind: StmtKind::Block(inner),
                        ..
                    },
                ] = &mut body[..]
                {
                    body = std::mem::take(inner);
                }
                if body.is_empty() {
                    return out;
                }
                out.push(ir::Stmt::when(self.is_first_thread(), body));
                for v in &step.broadcast {
                    let place = self.entity(*v, s.span).expr;
                    let ty = place.ty.plain().clone();
                    let value = Expr::call(Function::Broadcast, vec![place.clone()], ty);
                    out.push(ir::Stmt::assign(place, value));
                }
            }
            Way::Store => {
                let [
                    ir::Stmt {
                        kind: StmtKind::Assign { lhs, rhs },
                        ..
                    },
                ] = &stmts[..]
                else {
                    self.refuse(
                        s.span,
                        "CUF0543",
                        "this assignment to a dummy argument cannot be executed by all threads of a block\nhelp: assign to a local variable, and that to the dummy argument",
                    );
                    return out;
                };
                let ty = lhs.ty.plain().clone();
                let name = self.numbered("t");
                let value = crate::lower::value::convert::convert(rhs.clone(), &ty);
                let mut body = pre;
                body.push(ir::Stmt::constant(ty.clone(), &name, value));
                body.push(barrier());
                body.push(ir::Stmt::assign(lhs.clone(), Expr::name(&name, ty)));
                out.push(StmtKind::Block(body).into());
            }
        }
        out
    }

    /// Statements of the first thread that follow each other are in one IF.
    pub fn joined_steps(&self, body: Vec<ir::Stmt>) -> Vec<ir::Stmt> {
        if self.block.is_none() {
            return body;
        }
        let first = self.is_first_thread();
        let of_first = |s: &ir::Stmt| match &s.kind {
            StmtKind::If {
                branches,
                otherwise: None,
            } => matches!(&branches[..], [(cond, _)] if *cond == first),
            _ => false,
        };
        let mut out: Vec<ir::Stmt> = Vec::new();
        for mut s in body {
            if of_first(&s)
                && out.last().is_some_and(of_first)
                && let Some(StmtKind::If { branches: to, .. }) = out.last_mut().map(|l| &mut l.kind)
                && let StmtKind::If { branches, .. } = &mut s.kind
                && let (Some((_, to)), Some((_, more))) = (to.first_mut(), branches.first_mut())
            {
                if let Some(head) = more.first_mut() {
                    head.notes.above.splice(0..0, s.notes.above.drain(..));
                    head.notes.blank_before |= s.notes.blank_before;
                }
                to.append(more);
                continue;
            }
            out.push(s);
        }
        out
    }

    /// What a procedure does at its end, where the threads have to meet.
    pub fn last_step(&self) -> Vec<ir::Stmt> {
        let last = self.block.as_ref().is_some_and(|b| b.plan.last_barrier);
        last.then(barrier).into_iter().collect()
    }

    /// The calling thread is the first one of its block.
    fn is_first_thread(&self) -> Expr {
        Expr::binary(
            ir::BinaryOp::Eq,
            self.thread_number(),
            Expr::int(0),
            ir::Type::Bool,
        )
    }

    /// The number of the thread in its block, from 0.
    fn thread_number(&self) -> Expr {
        match self.is_line() {
            true => Expr::new(
                ExprKind::Builtin(Builtin::ThreadIdx, Axis::X),
                ir::Type::Uint,
            ),
            false => Expr::call(Function::ThreadRank, Vec::new(), ir::Type::Int(4)),
        }
    }

    /// The step from one iteration of a thread to its next one: as many as the block has threads.
    fn thread_step(&self) -> ir::Step {
        if let Some(threads) = self.block.as_ref().and_then(|b| b.threads) {
            return ir::Step::By(threads);
        }
        ir::Step::Expr(match self.is_line() {
            true => Expr::new(
                ExprKind::Builtin(Builtin::BlockDim, Axis::X),
                ir::Type::Uint,
            ),
            false => Expr::call(Function::BlockThreads, Vec::new(), ir::Type::Int(4)),
        })
    }

    fn is_line(&self) -> bool {
        self.block.as_ref().is_some_and(|b| b.line)
    }
}
