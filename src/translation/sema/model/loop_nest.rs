//! The loops that a CUF directive maps (guide 2.11.2), and what may stand between them.
//!
//! The guide asks for tightly nested loops. Compilers accept statements before an inner loop that only give scalars of the
//! iteration a value (`im = i - 1`), and so do we (docs/decisions.md): they are executed at the start of every iteration of
//! the innermost mapped loop, which is the same as long as nothing that they read or give a value is changed in there.

use std::collections::{BTreeMap, BTreeSet};

use crate::ast::{self, *};
use crate::sema::expression::typed::*;
use crate::sema::model::*;

/// A mapped loop with the statements between its DO statement and the next mapped loop.
pub struct MappedLoop<'s> {
    /// The DO construct.
    pub stmt: &'s Stmt,
    pub construct: &'s Do,
    /// Empty for the innermost loop, whose body is `construct.body`.
    pub before_next: &'s [Stmt],
}

/// Why the loops do not form a nest.
pub struct NestError {
    pub reason: String,
}

impl NestError {
    fn new(reason: impl Into<String>) -> Self {
        NestError {
            reason: reason.into(),
        }
    }
}

impl Model {
    /// The `depth` outermost loops of the construct that follows directive `k`, outermost first.
    ///
    /// # Errors
    /// If there are fewer, or something else than private scalar assignments stands between them.
    pub fn loop_nest<'s>(
        &self,
        file: FileId,
        scope: ScopeId,
        k: &'s CufKernel,
        depth: usize,
    ) -> Result<Vec<MappedLoop<'s>>, NestError> {
        let mut loops: Vec<MappedLoop<'s>> = Vec::new();
        let mut next = k.body.as_deref();
        while loops.len() < depth {
            let found = loops.len();
            let counted = next.and_then(|s| match &s.kind {
                StmtKind::Do(d) if matches!(d.control, DoControl::Counted { .. }) => Some((s, d)),
                _ => None,
            });
            let Some((stmt, construct)) = counted else {
                let after = loops.last().is_some_and(|l| {
                    l.construct
                        .body
                        .iter()
                        .any(|s| matches!(s.kind, StmtKind::Do(_)))
                });
                return Err(NestError::new(if after {
                    "a statement follows the inner loop".to_owned()
                } else {
                    format!("the directive maps {depth} loops, but finds {found}")
                }));
            };
            let mut before_next: &[Stmt] = &[];
            if found + 1 < depth {
                let last = construct
                    .body
                    .iter()
                    .rposition(|s| !matches!(s.kind, StmtKind::Continue));
                let Some(last) = last else {
                    return Err(NestError::new(format!(
                        "the directive maps {depth} loops, but finds {}",
                        found + 1
                    )));
                };
                before_next = &construct.body[..last];
                next = Some(&construct.body[last]);
            }
            loops.push(MappedLoop {
                stmt,
                construct,
                before_next,
            });
        }
        if loops.iter().any(|l| {
            l.before_next
                .iter()
                .any(|s| !matches!(s.kind, StmtKind::Continue))
        }) {
            let mut sinking = Sinking {
                model: self,
                file,
                scope,
                indices: Vec::new(),
                level: 0,
                assigned: BTreeMap::new(),
                definite: BTreeSet::new(),
                reads: BTreeSet::new(),
                changes: Changes::default(),
            };
            sinking.check(&loops, k)?;
        }
        Ok(loops)
    }
}

/// What the body of the innermost mapped loop may change.
#[derive(Default)]
struct Changes {
    roots: BTreeSet<SymbolId>,
    /// Some pointer or target is changed.
    aliases: bool,
    /// Procedures of the user are called.
    calls: bool,
    /// A statement whose effects are not known here.
    unknown: bool,
}

struct Sinking<'m> {
    model: &'m Model,
    file: FileId,
    scope: ScopeId,
    /// Loop variables of the mapped loops, outermost first.
    indices: Vec<Option<SymbolId>>,
    /// The loop whose statements are being looked at.
    level: usize,
    /// Scalars assigned between the loops, and at which level.
    assigned: BTreeMap<SymbolId, usize>,
    /// Those that have a value on every path so far.
    definite: BTreeSet<SymbolId>,
    /// Everything that is read between the loops.
    reads: BTreeSet<SymbolId>,
    changes: Changes,
}

impl Sinking<'_> {
    fn check(&mut self, loops: &[MappedLoop<'_>], k: &CufKernel) -> Result<(), NestError> {
        self.indices = loops
            .iter()
            .map(|l| match &l.construct.control {
                DoControl::Counted { var, .. } => self.model.lookup(self.scope, &var.text),
                _ => None,
            })
            .collect();
        for (level, l) in loops.iter().enumerate() {
            self.level = level;
            self.gather(l.before_next)?;
        }
        for (level, l) in loops.iter().enumerate() {
            self.level = level;
            self.statements(l.before_next)?;
        }
        for s in self.assigned.keys() {
            if !self.definite.contains(s) {
                return Err(NestError::new(format!(
                    "`{}` is not assigned on every path",
                    self.name(*s)
                )));
            }
        }
        if let Some(l) = loops.last() {
            self.changed_in(self.scope, &l.construct.body);
        }
        let reduced = k.reductions.iter().flat_map(|r| &r.variables);
        for v in reduced {
            self.changes
                .roots
                .extend(self.model.expr(self.scope, v).root());
        }
        self.compare()
    }

    fn name(&self, s: SymbolId) -> &str {
        &self.model[s].spelling
    }

    /// Which scalars are assigned at this level.
    fn gather(&mut self, stmts: &[Stmt]) -> Result<(), NestError> {
        for s in stmts {
            match &s.kind {
                StmtKind::Continue => {}
                StmtKind::Assign { lhs, .. } => {
                    let target = self.target(lhs)?;
                    let level = *self.assigned.entry(target).or_insert(self.level);
                    if level != self.level {
                        return Err(NestError::new(format!(
                            "`{}` is assigned in two of the loops",
                            self.name(target)
                        )));
                    }
                }
                StmtKind::LogicalIf { stmt, .. } => self.gather(std::slice::from_ref(stmt))?,
                StmtKind::If {
                    branches,
                    else_block,
                    ..
                } => {
                    branches.iter().try_for_each(|b| self.gather(&b.body))?;
                    else_block.iter().try_for_each(|e| self.gather(&e.body))?;
                }
                _ => {
                    return Err(NestError::new(
                        "only assignments to private scalars are allowed between mapped loops",
                    ));
                }
            }
        }
        Ok(())
    }

    /// The scalar that an assignment gives a value, if every thread can have its own.
    fn target(&self, lhs: &ast::Expr) -> Result<SymbolId, NestError> {
        let t = self.model.expr(self.scope, lhs);
        let private = |s: SymbolId| {
            self.model.variable(s).is_some_and(|v| {
                v.dims.is_empty()
                    && matches!(v.space, Space::Host | Space::Thread)
                    && !v.attrs.has(VarAttrs::POINTER)
                    && matches!(
                        v.ty,
                        Type::Integer(_) | Type::Real(_) | Type::Logical(_) | Type::Complex(_)
                    )
            })
        };
        match t.kind {
            TExprKind::Variable(s) if private(s) && !self.indices.contains(&Some(s)) => Ok(s),
            _ => Err(NestError::new(
                "only assignments to private scalars are allowed between mapped loops",
            )),
        }
    }

    /// Follows the values through the statements of this level.
    fn statements(&mut self, stmts: &[Stmt]) -> Result<(), NestError> {
        for s in stmts {
            match &s.kind {
                StmtKind::Assign { lhs, rhs } => {
                    self.read(rhs)?;
                    self.definite
                        .extend(self.model.expr(self.scope, lhs).root());
                }
                StmtKind::LogicalIf { cond, stmt } => {
                    self.read(cond)?;
                    let before = self.definite.clone();
                    self.statements(std::slice::from_ref(stmt))?;
                    self.definite = before;
                }
                StmtKind::If {
                    branches,
                    else_block,
                    ..
                } => {
                    let before = self.definite.clone();
                    let mut after: Option<BTreeSet<SymbolId>> = None;
                    let bodies = branches.iter().map(|b| (Some(&b.cond), &b.body));
                    for (cond, body) in bodies.chain(else_block.iter().map(|e| (None, &e.body))) {
                        self.definite = before.clone();
                        if let Some(c) = cond {
                            self.read(c)?;
                        }
                        self.statements(body)?;
                        after = Some(match after {
                            None => self.definite.clone(),
                            Some(a) => a.intersection(&self.definite).copied().collect(),
                        });
                    }
                    self.definite = match after {
                        Some(a) if else_block.is_some() => a,
                        _ => before,
                    };
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// An expression that is evaluated between the loops.
    fn read(&mut self, e: &ast::Expr) -> Result<(), NestError> {
        let t = self.model.expr(self.scope, e);
        let mut roots = Vec::new();
        let mut calls = false;
        t.walk(&mut |x| match &x.kind {
            TExprKind::Variable(s) => roots.push(*s),
            TExprKind::Call { .. }
            | TExprKind::BoundCall { .. }
            | TExprKind::StatementFunctionCall { .. }
            | TExprKind::Runtime { .. } => calls = true,
            _ => {}
        });
        if calls {
            return Err(NestError::new(
                "a function is called between the mapped loops",
            ));
        }
        for s in roots {
            let inner = self
                .indices
                .iter()
                .position(|i| *i == Some(s))
                .is_some_and(|l| l > self.level);
            if inner || self.assigned.contains_key(&s) && !self.definite.contains(&s) {
                return Err(NestError::new(format!(
                    "`{}` has the value of another iteration here",
                    self.name(s)
                )));
            }
            self.reads.extend(self.model.stands_for(s));
        }
        Ok(())
    }

    fn is_alias(&self, s: SymbolId) -> bool {
        self.model
            .variable(s)
            .is_some_and(|v| v.attrs.has(VarAttrs::POINTER) || v.attrs.has(VarAttrs::TARGET))
    }

    fn change(&mut self, t: &TExpr) {
        let roots = t.root().into_iter().flat_map(|s| self.model.stands_for(s));
        self.changed(roots.collect());
    }

    /// Collects what the statements may change.
    fn changed_in(&mut self, scope: ScopeId, stmts: &[Stmt]) {
        for s in stmts {
            self.changed_by(scope, s);
        }
    }

    fn changed_by(&mut self, scope: ScopeId, s: &Stmt) {
        for e in s.expressions() {
            self.calls_in(&self.model.expr(scope, e));
        }
        let (model, file) = (self.model, self.file);
        let inner = |at: Span| model.scope_at(file, at.end).unwrap_or(scope);
        match &s.kind {
            StmtKind::Assign { lhs, .. } | StmtKind::PointerAssign { lhs, .. } => {
                self.change(&self.model.expr(scope, lhs));
            }
            StmtKind::Call(c) => {
                self.changes.calls = true;
                for a in &c.args {
                    let t = self.model.expr(scope, &a.value);
                    self.change(&t);
                    self.calls_in(&t);
                }
            }
            StmtKind::Do(d) => {
                if let DoControl::Counted { var, .. } = &d.control {
                    self.changes
                        .roots
                        .extend(self.model.lookup(scope, &var.text));
                }
                self.changed_in(scope, &d.body);
            }
            StmtKind::Select(sel) => sel
                .cases
                .iter()
                .for_each(|c| self.changed_in(inner(c.header), &c.body)),
            StmtKind::If { .. }
            | StmtKind::LogicalIf { .. }
            | StmtKind::Where { .. }
            | StmtKind::Forall { .. } => {
                let blocks = s.blocks();
                blocks.iter().for_each(|b| self.changed_in(scope, b));
            }
            StmtKind::Block { body, header, .. } | StmtKind::Associate { body, header, .. } => {
                self.changed_in(inner(*header), body);
            }
            StmtKind::Continue
            | StmtKind::Cycle(_)
            | StmtKind::Exit(_)
            | StmtKind::Goto(_)
            | StmtKind::ComputedGoto { .. }
            | StmtKind::ArithmeticIf { .. }
            | StmtKind::Print { .. }
            | StmtKind::Write { .. } => {}
            _ => self.changes.unknown = true,
        }
    }

    fn calls_in(&mut self, t: &TExpr) {
        let mut roots = Vec::new();
        let mut calls = false;
        t.walk(&mut |x| match &x.kind {
            TExprKind::Call { args, .. } | TExprKind::BoundCall { args, .. } => {
                calls = true;
                roots.extend(args.iter().flatten().filter_map(TExpr::root));
            }
            // atomicadd and its like change their first argument.
            TExprKind::Runtime { args, .. } => {
                roots.extend(args.iter().filter_map(|(_, a)| a.root()))
            }
            _ => {}
        });
        self.changes.calls |= calls;
        let all = roots.into_iter().flat_map(|s| self.model.stands_for(s));
        self.changed(all.collect());
    }

    fn changed(&mut self, roots: Vec<SymbolId>) {
        for s in roots {
            self.changes.aliases |= self.is_alias(s);
            self.changes.roots.insert(s);
        }
    }

    fn compare(&self) -> Result<(), NestError> {
        for s in self.assigned.keys() {
            if self.changes.roots.contains(s) || self.changes.unknown {
                return Err(NestError::new(format!(
                    "`{}` is modified inside the innermost mapped loop",
                    self.name(*s)
                )));
            }
        }
        for s in &self.reads {
            let shared = self.model.variable(*s).is_some_and(|v| {
                !v.dims.is_empty() || !matches!(v.space, Space::Host | Space::Thread)
            });
            let hit = self.changes.roots.contains(s)
                || self.changes.aliases && self.is_alias(*s)
                || self.changes.calls && shared;
            if hit {
                return Err(NestError::new(format!(
                    "`{}` may be modified inside the innermost mapped loop",
                    self.name(*s)
                )));
            }
        }
        Ok(())
    }
}
