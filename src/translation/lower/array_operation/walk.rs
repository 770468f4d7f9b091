//! Finds the operations on whole arrays in the statements of a host procedure.

use super::operand::Memory;
use super::reference::{parts, stem};
use super::{Lowered, Operation};
use crate::ast::{self, Stmt, StmtKind};
use crate::intrinsics::{Intrinsic, Product, Reduction};
use crate::lower::context::{LoweringContext, Shared};
use crate::lower::program::naming::StatementNames;
use crate::sema::expression::typed::*;
use crate::sema::model::*;

/// The operations in the body of a host procedure, in order.
pub fn operations<'s>(
    sh: &'s Shared<'s>,
    file: FileId,
    scope: ScopeId,
    body: &[Stmt],
    names: &mut StatementNames<'s>,
) -> Vec<Lowered> {
    // A pure procedure calls nothing that is not.
    let procedure = sh.model[scope].symbol.and_then(|s| sh.model.procedure(s));
    if procedure.is_some_and(|p| p.pure || p.elemental) {
        return Vec::new();
    }
    let mut w = Walk {
        sh,
        file,
        scope,
        names,
        out: Vec::new(),
    };
    w.block(body);
    w.out
}

pub(super) struct Walk<'a, 's> {
    pub sh: &'s Shared<'a>,
    pub file: FileId,
    /// Scope of the statement.
    pub scope: ScopeId,
    pub names: &'s mut StatementNames<'a>,
    pub out: Vec<Lowered>,
}

impl Walk<'_, '_> {
    fn block(&mut self, body: &[Stmt]) {
        for s in body {
            self.statement(s);
        }
    }

    fn statement(&mut self, s: &Stmt) {
        let outer = self.scope;
        if let Some(inner) = self.sh.model.scope_at(self.file, s.span.start) {
            self.scope = inner;
        }
        match &s.kind {
            // What these do has no place for a call of the runtime.
            StmtKind::Where { .. } | StmtKind::Forall { .. } | StmtKind::CufKernel(_) => {}
            StmtKind::Do(d) if matches!(d.control, ast::DoControl::Concurrent(_)) => {}
            StmtKind::Assign { lhs, rhs } => {
                if !self.assignment(lhs, rhs, s.span) {
                    self.references(&[lhs, rhs]);
                }
            }
            StmtKind::Call(call) => {
                if !self.call(call, s.span) {
                    let args: Vec<&ast::Expr> = call.args.iter().map(|a| &a.value).collect();
                    self.references(&args);
                }
            }
            _ => {
                self.references(&s.expressions());
                for b in s.blocks() {
                    self.block(b);
                }
            }
        }
        self.scope = outer;
    }

    /// The references in expressions of one statement.
    pub(super) fn references(&mut self, of: &[&ast::Expr]) {
        for e in of {
            let t = self.sh.model.expr(self.scope, e);
            self.references_in(&t, of);
        }
    }

    fn references_in(&mut self, t: &TExpr, syntax: &[&ast::Expr]) {
        if let TExprKind::Intrinsic { intrinsic, args } = &t.kind
            && self.on_device(t, *intrinsic, args)
            && let Some(Some(first)) = args.first()
            && let Ok(rank) = usize::try_from(first.rank)
            && let Some(o) = self.operation(stem(*intrinsic), syntax, rank)
            && let Some(lowered) = o.reference(t, *intrinsic, args)
        {
            return self.add(lowered);
        }
        t.for_each_child(&mut |c| self.references_in(c, syntax));
    }

    pub(super) fn operation<'w>(
        &'w mut self,
        stem: &str,
        syntax: &[&ast::Expr],
        rank: usize,
    ) -> Option<Operation<'w, 'w>> {
        let place = (self.file, self.scope);
        Operation::new(self.sh, place, self.names.next(stem), syntax, rank)
    }

    /// Adds an operation, and those in the scalars that the host computes for it.
    pub(super) fn add(&mut self, lowered: Lowered) {
        let scalars = lowered.scalars.clone();
        self.names.take_name(lowered.name.clone());
        self.out.push(lowered);
        let scalars: Vec<&ast::Expr> = scalars.iter().collect();
        self.references(&scalars);
    }

    /// The reference is one that the device does: cudafor and cutensorex overload these for its data (guide 3.9.1, 3.9.3).
    pub(super) fn on_device(&self, t: &TExpr, i: Intrinsic, args: &[Option<TExpr>]) -> bool {
        let module = match i {
            Intrinsic::Reduction(Reduction::Any | Reduction::All | Reduction::Count)
            | Intrinsic::Product(Product::DotProduct) => "cutensorex",
            Intrinsic::Reduction(_) | Intrinsic::Location(_) => "cudafor",
            _ => return false,
        };
        let Some(p) = parts(i, args).filter(|p| p.array.rank > 0) else {
            return false;
        };
        let found = self.memory(p.array);
        let second = match i {
            Intrinsic::Product(_) => args
                .get(1)
                .and_then(Option::as_ref)
                .and_then(|b| self.memory(b)),
            _ => None,
        };
        let of = |m: Option<Memory>, f: fn(&Memory) -> bool| m.as_ref().is_some_and(f);
        let device = of(found, |m| m.device) || of(second, |m| m.device);
        let managed = of(found, |m| m.managed) || of(second, |m| m.managed);
        found.is_some() && (device || managed && self.overloads(module, t, i))
    }

    /// Where the arrays of an expression lie that the device can compute.
    pub(super) fn memory(&self, e: &TExpr) -> Option<Memory> {
        let facts = self.sh.analysis.of_loop(self.sh.model, self.scope, &[]);
        let cx = LoweringContext::new(self.sh, self.file, self.scope, facts)?;
        let mut found = Memory::default();
        cx.is_computable(e, &mut found).then_some(found)
    }

    /// The name of a reference is the module's overloaded one: not that of the intrinsic, where a rename has given the overloaded
    /// another name.
    pub(super) fn overloads(&self, module: &str, t: &TExpr, i: Intrinsic) -> bool {
        let written = self.sh.inputs.get(self.file.0 as usize).map_or("", |f| {
            let text = f.text.get(t.span.start as usize..).unwrap_or_default();
            let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
            text.split(|c| !part(c)).next().unwrap_or_default()
        });
        let model = self.sh.model;
        if !written.eq_ignore_ascii_case(i.name()) {
            return model
                .lookup(self.scope, &written.to_ascii_lowercase())
                .is_some();
        }
        model.opens(self.scope, module, i.name())
    }
}
