//! What of a procedure runs on the host or on the device alone, because conditions ask for `on_device()` or
//! `acc_on_device(type)`.

use super::{CodeContext, Constant, FileId, Model, ScopeId, ScopeKind, SymbolId};
use crate::ast::{BinaryOp, ElseBlock, Expr, IfBranch, ProgramUnit, Span, Stmt, StmtKind, UnaryOp};
use crate::sema::Input;
use crate::sema::expression::typed::{TExpr, TExprKind};

/// Function of module cudadevice that asks which side runs it.
pub const ON_DEVICE: &str = "on_device";
/// Value of `acc_device_host`.
const ACC_HOST: i128 = 2;
/// Values of `acc_device_not_host` and `acc_device_nvidia`.
pub const ACC_DEVICES: [i64; 2] = [3, 4];

/// Where a statement runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Host,
    Device,
}

/// Statements of a procedure that a side never reaches.
#[derive(Clone, Debug, Default)]
pub struct Unreached {
    host: Vec<Span>,
    device: Vec<Span>,
}

impl Unreached {
    /// The device alone runs some of the statements.
    pub fn has_device_code(&self) -> bool {
        !self.host.is_empty()
    }

    fn of(&self, side: Side) -> &[Span] {
        match side {
            Side::Host => &self.host,
            Side::Device => &self.device,
        }
    }
}

impl Model {
    /// Some statements of the procedure run on the device alone.
    pub fn has_parts_of_device(&self, scope: ScopeId) -> bool {
        let unreached = self[scope].unreached.as_ref();
        unreached.is_some_and(|u| u.has_device_code())
    }

    /// A side never reaches the statement.
    pub fn is_unreached(&self, scope: ScopeId, statement: Span, side: Side) -> bool {
        let all = self[self.unit_scope(scope)].unreached.as_ref();
        all.is_some_and(|u| {
            let covers = |s: &Span| s.start <= statement.start && statement.end <= s.end;
            u.of(side).iter().any(covers)
        })
    }

    /// The condition, where a side always finds the same value by `on_device()`.
    pub fn truth_on(&self, scope: ScopeId, condition: &Expr, side: Side) -> Option<bool> {
        self[self.unit_scope(scope)].unreached.as_ref()?;
        self.truth(&self.expr(scope, condition), side)
    }

    /// The argument of a reference of `acc_on_device` (OpenACC 3.2.17).
    pub fn acc_on_device<'t>(&self, t: &'t TExpr) -> Option<&'t TExpr> {
        let TExprKind::Call {
            procedure, args, ..
        } = &t.kind
        else {
            return None;
        };
        let found = self.is_acc_on_device(*procedure);
        args.first()?.as_ref().filter(|_| found)
    }

    /// It is `acc_on_device`, which host and device code can call, and not a procedure of the program with that name.
    pub fn is_acc_on_device(&self, procedure: SymbolId) -> bool {
        let body = self.procedure(procedure).and_then(|p| p.body);
        let has_source = self.definition(procedure).is_some()
            || body.is_some_and(|b| self[b].kind != ScopeKind::InterfaceBody);
        self[procedure].name == "acc_on_device" && !has_source
    }

    /// The value of `on_device()` or `acc_on_device(constant)`.
    pub fn value_on(&self, t: &TExpr, side: Side) -> Option<bool> {
        if matches!(&t.kind, TExprKind::Runtime { name, .. } if name == ON_DEVICE) {
            return Some(side == Side::Device);
        }
        let device = self.acc_on_device(t)?.as_integer()?;
        Some(match side {
            Side::Host => device == ACC_HOST,
            Side::Device => ACC_DEVICES.iter().any(|d| i128::from(*d) == device),
        })
    }

    fn truth(&self, t: &TExpr, side: Side) -> Option<bool> {
        if let Some(Constant::Logical(v, _)) = t.value {
            return Some(v);
        }
        match &t.kind {
            TExprKind::Paren(inner) => self.truth(inner, side),
            TExprKind::Unary {
                op: UnaryOp::Not,
                operand,
            } => self.truth(operand, side).map(|v| !v),
            TExprKind::Binary { op, lhs, rhs } => {
                let (l, r) = (self.truth(lhs, side), self.truth(rhs, side));
                match (op, l, r) {
                    (BinaryOp::And, Some(false), _) | (BinaryOp::And, _, Some(false)) => {
                        Some(false)
                    }
                    (BinaryOp::Or, Some(true), _) | (BinaryOp::Or, _, Some(true)) => Some(true),
                    (BinaryOp::And, Some(l), Some(r)) => Some(l && r),
                    (BinaryOp::Or, Some(l), Some(r)) => Some(l || r),
                    (BinaryOp::Eqv, Some(l), Some(r)) => Some(l == r),
                    (BinaryOp::Neqv, Some(l), Some(r)) => Some(l != r),
                    _ => None,
                }
            }
            _ => self.value_on(t, side),
        }
    }

    /// Branches and ELSE of an IF construct without those that the device never takes; None where it may take all.
    pub fn branches_on_device(
        &self,
        scope: ScopeId,
        branches: &[IfBranch],
        otherwise: Option<&ElseBlock>,
    ) -> Option<(Vec<IfBranch>, Option<ElseBlock>)> {
        let truth = |b: &IfBranch| self.truth_on(scope, &b.cond, Side::Device);
        if branches.iter().all(|b| truth(b).is_none()) {
            return None;
        }
        let mut taken = Vec::new();
        for b in branches {
            match truth(b) {
                None => taken.push(b.clone()),
                Some(false) => {}
                Some(true) => {
                    let (header, body) = (b.header, b.body.clone());
                    return Some((taken, Some(ElseBlock { header, body })));
                }
            }
        }
        Some((taken, otherwise.cloned()))
    }
}

/// Notes in the scopes of all procedures for the device what each side does not reach.
pub fn mark(model: &mut Model, inputs: &[Input<'_>]) {
    for (i, input) in inputs.iter().enumerate() {
        let text = input.text.as_bytes();
        if !text
            .windows(9)
            .any(|w| w.eq_ignore_ascii_case(b"on_device"))
        {
            continue;
        }
        let scopes = model.files[FileId(i as u32).0 as usize].units.clone();
        for (unit, scope) in input.ast.units.iter().zip(scopes) {
            mark_unit(model, unit, scope);
        }
    }
}

fn mark_unit(model: &mut Model, unit: &ProgramUnit, scope: ScopeId) {
    if model[scope].context != CodeContext::Host {
        let mut found = Unreached::default();
        let mut asked = false;
        for side in [Side::Host, Side::Device] {
            let mut walk = Walk {
                model,
                side,
                asked: false,
                dead: Vec::new(),
            };
            walk.block(scope, &unit.body);
            asked |= walk.asked;
            match side {
                Side::Host => found.host = walk.dead,
                Side::Device => found.device = walk.dead,
            }
        }
        if asked {
            model.scopes[scope.0 as usize].unreached = Some(found);
        }
    }
    for p in &unit.procedures {
        let inner = model.children_at(scope, p.span).next();
        if let Some(inner) = inner {
            mark_unit(model, p, inner);
        }
    }
}

struct Walk<'m> {
    model: &'m Model,
    side: Side,
    /// Some condition asks for the side.
    asked: bool,
    dead: Vec<Span>,
}

impl Walk<'_> {
    /// Gives whether control never comes to the end of the block.
    fn block(&mut self, scope: ScopeId, body: &[Stmt]) -> bool {
        let mut ended = false;
        for s in body {
            // A branch may come to a label, inside of a construct, too.
            ended &= !has_label(s);
            if ended {
                self.dead.push(s.named_span());
            } else {
                ended = self.statement(scope, s);
            }
        }
        ended
    }

    fn statement(&mut self, scope: ScopeId, s: &Stmt) -> bool {
        match &s.kind {
            StmtKind::Return(_) | StmtKind::Stop { .. } => true,
            StmtKind::LogicalIf { cond, stmt } => match self.truth(scope, cond) {
                Some(false) => {
                    self.dead.push(stmt.span);
                    false
                }
                truth => self.statement(scope, stmt) && truth == Some(true),
            },
            StmtKind::If {
                branches,
                else_block,
                ..
            } => self.branches(scope, branches, else_block.as_ref()),
            _ => {
                let inner = self.model.scope_at(self.model[scope].file, s.span.end - 1);
                let inner = inner.unwrap_or(scope);
                for b in s.blocks() {
                    self.block(inner, b);
                }
                false
            }
        }
    }

    fn branches(
        &mut self,
        scope: ScopeId,
        branches: &[IfBranch],
        otherwise: Option<&ElseBlock>,
    ) -> bool {
        let mut decided = false;
        let mut ends = true;
        for b in branches {
            let truth = match decided {
                true => Some(false),
                false => self.truth(scope, &b.cond),
            };
            if truth == Some(false) {
                self.dead.extend(b.body.iter().map(Stmt::named_span));
                continue;
            }
            ends &= self.block(scope, &b.body);
            decided = truth == Some(true);
        }
        match otherwise {
            Some(e) if decided => self.dead.extend(e.body.iter().map(Stmt::named_span)),
            Some(e) => ends &= self.block(scope, &e.body),
            None => ends &= decided,
        }
        ends
    }

    fn truth(&mut self, scope: ScopeId, condition: &Expr) -> Option<bool> {
        let t = self.model.expr(scope, condition);
        let mut asks = false;
        t.walk(&mut |e| asks |= self.model.value_on(e, self.side).is_some());
        self.asked |= asks;
        asks.then(|| self.model.truth(&t, self.side)).flatten()
    }
}

fn has_label(s: &Stmt) -> bool {
    s.label.is_some() || s.blocks().into_iter().flatten().any(has_label)
}
