//! Data that a kernel is given under several names: one variable as two actuals of a launch, or as an actual while the kernel
//! uses it as module data, too.

use std::collections::{BTreeMap, BTreeSet};

use super::effects::inner_scope;
use crate::ast::{ProgramUnit, Stmt, StmtKind as Ast};
use crate::sema::Input;
use crate::sema::expression::call::ResolvedCall;
use crate::sema::expression::dependence::disjoint;
use crate::sema::expression::typed::{TExpr, TExprKind};
use crate::sema::model::*;

/// For each kernel's dummy the variables that launches give it, associate names and pointers as they are written.
#[derive(Default)]
pub(in crate::translation::lower) struct Launches {
    actuals: BTreeMap<SymbolId, BTreeSet<SymbolId>>,
    /// Pairs of dummies, in both orders, that one launch gives the same data, or data not known to lie apart.
    pairs: BTreeSet<(SymbolId, SymbolId)>,
}

impl Launches {
    pub(in crate::translation::lower) fn new(model: &Model, inputs: &[Input<'_>]) -> Launches {
        let mut found = Launches::default();
        for (input, info) in inputs.iter().zip(&model.files) {
            for (unit, scope) in input.ast.units.iter().zip(&info.units) {
                found.unit(model, unit, *scope);
            }
        }
        found
    }

    /// Variables of modules that some launch gives the dummy and that the kernel has as `module` data, too.
    pub(in crate::translation::lower) fn module_names(
        &self,
        dummy: SymbolId,
        module: &BTreeSet<SymbolId>,
    ) -> impl Iterator<Item = SymbolId> {
        let actuals = self.actuals.get(&dummy).into_iter().flatten();
        actuals.copied().filter(|a| module.contains(a))
    }

    /// The other dummies that some launch gives what it gives this one, too.
    pub(in crate::translation::lower) fn other_names(
        &self,
        dummy: SymbolId,
    ) -> impl Iterator<Item = SymbolId> {
        let with = self.pairs.iter().filter(move |(d, _)| *d == dummy);
        with.map(|(_, other)| *other)
    }

    /// The module variable is an actual of a launch of the kernel.
    pub(in crate::translation::lower) fn is_actual(
        &self,
        model: &Model,
        variable: SymbolId,
        kernel: ScopeId,
    ) -> bool {
        let mut all = self.actuals.iter();
        all.any(|(d, a)| model[*d].scope == kernel && a.contains(&variable))
    }

    fn unit(&mut self, model: &Model, unit: &ProgramUnit, scope: ScopeId) {
        self.block(model, scope, &unit.body);
        for p in &unit.procedures {
            let inner = model
                .children_at(scope, p.span)
                .find(|c| model[*c].kind == ScopeKind::Procedure);
            if let Some(inner) = inner {
                self.unit(model, p, inner);
            }
        }
    }

    fn block(&mut self, model: &Model, scope: ScopeId, body: &[Stmt]) {
        for s in body {
            match &s.kind {
                Ast::Call(c) if c.launch.is_some() => {
                    if let ResolvedCall::User {
                        procedure, args, ..
                    } = model.call(scope, c)
                    {
                        self.launch(model, procedure, &args);
                    }
                }
                Ast::LogicalIf { stmt, .. } => self.block(model, scope, std::slice::from_ref(stmt)),
                Ast::Associate { .. } | Ast::Block { .. } | Ast::Select(_) => {
                    let inner = inner_scope(model, scope, s.span);
                    s.blocks()
                        .into_iter()
                        .for_each(|b| self.block(model, inner, b));
                }
                _ => s
                    .blocks()
                    .into_iter()
                    .for_each(|b| self.block(model, scope, b)),
            }
        }
    }

    fn launch(&mut self, model: &Model, procedure: SymbolId, args: &[Option<TExpr>]) {
        let Some(p) = model.procedure(procedure) else {
            return;
        };
        let given = p.dummies.iter().zip(args);
        let given: Vec<_> = given
            .filter_map(|(d, a)| Some(((*d)?, a.as_ref()?)))
            .collect();
        for (d, a) in &given {
            if let Some(root) = a.root() {
                self.actuals.entry(*d).or_default().insert(root);
            }
            let whole = sequence(model, *d, a);
            let same = |o: SymbolId, b: &TExpr| {
                model.same_data(a, b) && !disjoint(whole, sequence(model, o, b), &|_| false)
            };
            let others = given.iter().filter(|(o, b)| o != d && same(*o, b));
            self.pairs.extend(others.map(|(o, _)| (*d, *o)));
        }
    }
}

/// What an array dummy may reach of its actual argument: all of the array that an element stands for (F2018 15.5.2.11).
fn sequence<'e>(model: &Model, dummy: SymbolId, actual: &'e TExpr) -> &'e TExpr {
    let array = model.variable(dummy).is_some_and(|v| !v.dims.is_empty());
    match &actual.kind {
        TExprKind::Index { base, .. } if array && actual.rank <= 0 => base,
        _ => actual,
    }
}
