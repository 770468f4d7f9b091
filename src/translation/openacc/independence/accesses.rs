//! What the statements of a loop read and write.

use std::collections::BTreeSet;

use super::Reason;
use crate::ast::{Do, DoControl, Expr, Name, Span, Stmt, StmtKind};
use crate::intrinsics::Intrinsic;
use crate::sema::expression::typed::{Subscript, TExpr, TExprKind};
use crate::sema::model::{FileId, Model, ProcedureKind, ScopeId, SymbolId, SymbolKind, Type};

/// A place that is read or written.
pub(super) struct Access {
    pub root: SymbolId,
    pub place: TExpr,
    pub is_write: bool,
}

/// A reference of a pure function.
pub(super) struct FunctionCall {
    pub span: Span,
    /// It sees the variables of the procedure.
    pub is_internal: bool,
}

pub(super) struct Accesses<'a> {
    model: &'a Model,
    pub file: FileId,
    /// Of the loop.
    pub scope: ScopeId,
    pub all: Vec<Access>,
    pub calls: Vec<FunctionCall>,
    /// Variables of inner loops.
    pub counting: BTreeSet<SymbolId>,
    /// All that is assigned, and the variables of inner loops.
    pub varying: BTreeSet<SymbolId>,
}

/// The construct that a statement leaves or goes on with is outside of the loop, or is the loop.
enum Target {
    Inner,
    Own,
    Outer,
}

impl<'a> Accesses<'a> {
    pub fn new(model: &'a Model, file: FileId, scope: ScopeId) -> Accesses<'a> {
        Accesses {
            model,
            file,
            scope,
            all: Vec::new(),
            calls: Vec::new(),
            counting: BTreeSet::new(),
            varying: BTreeSet::new(),
        }
    }

    /// Reads the loop, whose bounds are evaluated before.
    pub fn collect(&mut self, d: &Do, name: Option<&Name>) -> Result<(), Reason> {
        let mut inner = Vec::new();
        for s in &d.body {
            self.statement(s, name, &mut inner)?;
        }
        let written = self.all.iter().filter(|a| a.is_write).map(|a| a.root);
        self.varying = written.chain(self.counting.iter().copied()).collect();
        Ok(())
    }

    /// The scope of a place in the loop.
    pub fn inner_scope(&self, at: u32) -> ScopeId {
        self.model.scope_at(self.file, at).unwrap_or(self.scope)
    }

    fn refused<T>(&self, span: Span, text: impl Into<String>) -> Result<T, Reason> {
        let text = text.into();
        Err(Reason { span, text })
    }

    /// `inner`: the names of the constructs around in the loop; None for one without a name; whether they are loops.
    fn statement<'s>(
        &mut self,
        s: &'s Stmt,
        own: Option<&Name>,
        inner: &mut Vec<(Option<&'s Name>, bool)>,
    ) -> Result<(), Reason> {
        let scope = self.inner_scope(s.span.start);
        match &s.kind {
            StmtKind::Assign { lhs, rhs } => {
                let (l, r) = (
                    self.model.designator(scope, lhs),
                    self.model.expr(scope, rhs),
                );
                if self.model.defined_assignment(scope, &l, &r).is_some() {
                    return self.refused(s.span, "a defined assignment calls a procedure");
                }
                self.reads(&r)?;
                self.write(&l)?;
                return Ok(());
            }
            StmtKind::If { .. }
            | StmtKind::LogicalIf { .. }
            | StmtKind::Where { .. }
            | StmtKind::Block { .. }
            | StmtKind::Continue => {}
            StmtKind::Select(sel) => {
                if !matches!(sel.kind, crate::ast::SelectKind::Case) {
                    return self.refused(sel.header, "it contains `select type` or `select rank`");
                }
            }
            StmtKind::Do(d) => match &d.control {
                DoControl::Counted { var, .. } => {
                    let symbol = self.model.lookup(scope, &var.text);
                    let Some(symbol) = symbol else {
                        return self
                            .refused(var.span, "the variable of an inner loop is not known");
                    };
                    self.counting.insert(symbol);
                }
                DoControl::While(_) | DoControl::Forever => {}
                DoControl::Concurrent(_) => {
                    return self.refused(d.header, "it contains `do concurrent`");
                }
            },
            StmtKind::Cycle(name) | StmtKind::Exit(name) => {
                let is_exit = matches!(s.kind, StmtKind::Exit(_));
                return match (target(name.as_ref(), own, inner), is_exit) {
                    (Target::Inner, _) | (Target::Own, false) => Ok(()),
                    _ => self.refused(s.span, "it may end before its last iteration"),
                };
            }
            StmtKind::Call(_) => return self.refused(s.span, "a subroutine is called"),
            StmtKind::PointerAssign { .. } => return self.refused(s.span, "a pointer is assigned"),
            StmtKind::Goto(_)
            | StmtKind::ComputedGoto { .. }
            | StmtKind::AssignedGoto { .. }
            | StmtKind::ArithmeticIf { .. }
            | StmtKind::Return(_)
            | StmtKind::Stop { .. } => return self.refused(s.span, "it contains a branch"),
            _ => return self.refused(s.span, "it contains a statement that must run in order"),
        }
        for e in s.expressions() {
            self.reads(&self.model.expr(scope, e))?;
        }
        if let StmtKind::Select(sel) = &s.kind {
            let values = sel.cases.iter().filter_map(|c| match &c.guard {
                crate::ast::CaseGuard::Values(v) => Some(v),
                _ => None,
            });
            let values: Vec<&Expr> = values.flatten().collect();
            for e in values {
                self.reads(&self.model.expr(scope, e))?;
            }
        }
        inner.push((s.name.as_deref(), matches!(s.kind, StmtKind::Do(_))));
        for b in s.blocks() {
            for s in b {
                self.statement(s, own, inner)?;
            }
        }
        inner.pop();
        Ok(())
    }

    fn write(&mut self, l: &TExpr) -> Result<(), Reason> {
        let Some(root) = l.root() else {
            return self.refused(l.span, "it assigns to something that is not a variable");
        };
        if matches!(l.ty, Type::Class(_) | Type::ClassStar) {
            return self.refused(l.span, "it assigns a polymorphic variable");
        }
        self.subscripts(l)?;
        self.all.push(Access {
            root,
            place: l.clone(),
            is_write: true,
        });
        Ok(())
    }

    /// What the subscripts of a designator read.
    fn subscripts(&mut self, e: &TExpr) -> Result<(), Reason> {
        match &e.kind {
            TExprKind::Index { base, subs } => {
                for s in subs {
                    match s {
                        Subscript::Element(x) | Subscript::Vector(x) => self.reads(x)?,
                        Subscript::Range { lo, hi, step } => {
                            for x in [lo, hi, step].into_iter().flatten() {
                                self.reads(x)?;
                            }
                        }
                    }
                }
                self.subscripts(base)
            }
            TExprKind::Substring { base, lo, hi } => {
                for x in [lo, hi].into_iter().flatten() {
                    self.reads(x)?;
                }
                self.subscripts(base)
            }
            TExprKind::Component { base, .. } | TExprKind::ComplexPart { base, .. } => {
                self.subscripts(base)
            }
            _ => Ok(()),
        }
    }

    fn reads(&mut self, e: &TExpr) -> Result<(), Reason> {
        if let Some(root) = e.root() {
            let is_data = self.model[root].kind.is_data();
            if is_data {
                self.all.push(Access {
                    root,
                    place: e.clone(),
                    is_write: false,
                });
            }
            return self.subscripts(e);
        }
        match &e.kind {
            TExprKind::Call {
                procedure, args, ..
            } => self.function(e.span, *procedure, args)?,
            // The value of what is inquired of does not matter.
            TExprKind::Intrinsic {
                intrinsic: Intrinsic::Inquiry(_) | Intrinsic::Shape(_),
                args,
            } => {
                for a in args.iter().flatten() {
                    match a.root() {
                        Some(_) => self.subscripts(a)?,
                        None => self.reads(a)?,
                    }
                }
                return Ok(());
            }
            TExprKind::BoundCall { .. } | TExprKind::StatementFunctionCall { .. } => {
                return self.refused(e.span, "a function is called whose effects are not known");
            }
            TExprKind::Runtime { name, .. } => {
                return self.refused(e.span, format!("function `{name}` is called"));
            }
            TExprKind::ImpliedDo { .. } => {
                return self.refused(e.span, "it contains an implied `do` loop");
            }
            TExprKind::Unknown => {
                return self.refused(e.span, "the meaning of an expression is not known");
            }
            _ => {}
        }
        let mut inner = Vec::new();
        e.for_each_child(&mut |c| inner.push(c));
        inner.into_iter().try_for_each(|c| self.reads(c))
    }

    /// A function without side effects may be called.
    fn function(
        &mut self,
        span: Span,
        procedure: SymbolId,
        args: &[Option<TExpr>],
    ) -> Result<(), Reason> {
        let p = self.model.procedure(procedure);
        let Some(p) = p.filter(|p| p.pure) else {
            let name = &self.model[procedure].spelling;
            return self.refused(
                span,
                format!("function `{name}` is called, which is not pure"),
            );
        };
        for (a, dummy) in args.iter().zip(&p.dummies) {
            let (Some(a), Some(dummy)) = (a, dummy) else {
                continue;
            };
            // An element stands for those after it, too.
            if a.rank == 0
                && !self.model.dims(*dummy).is_empty()
                && let Some(root) = a.root()
            {
                let mut whole = a;
                while let Some(b) = whole.base() {
                    whole = b;
                }
                self.all.push(Access {
                    root,
                    place: whole.clone(),
                    is_write: false,
                });
            }
        }
        self.calls.push(FunctionCall {
            span,
            is_internal: !matches!(p.kind, ProcedureKind::Module | ProcedureKind::External),
        });
        Ok(())
    }

    /// A scalar variable of intrinsic type.
    pub fn is_scalar(&self, s: SymbolId) -> bool {
        match &self.model[s].kind {
            SymbolKind::Variable(v) => {
                v.dims.is_empty()
                    && matches!(
                        v.ty,
                        Type::Integer(_) | Type::Real(_) | Type::Complex(_) | Type::Logical(_)
                    )
            }
            _ => false,
        }
    }
}

fn target(name: Option<&Name>, own: Option<&Name>, inner: &[(Option<&Name>, bool)]) -> Target {
    match name {
        None => match inner.iter().any(|(_, is_loop)| *is_loop) {
            true => Target::Inner,
            false => Target::Own,
        },
        Some(n) => {
            let found = inner
                .iter()
                .rev()
                .find(|(o, _)| o.is_some_and(|o| o.text == n.text));
            match found {
                Some((_, true)) => Target::Inner,
                // What comes after a construct that is left early depends on it.
                Some((_, false)) => Target::Outer,
                None if own.is_some_and(|o| o.text == n.text) => Target::Own,
                None => Target::Outer,
            }
        }
    }
}
