//! Where what is lowered comes from: facts for the source map.

use super::LoweringContext;
use crate::abi::{LauncherParam, ParamSource};
use crate::ast::{Span, Stmt, StmtKind as Ast};
use crate::ir::{Named, Origin};
use crate::map::Rule;
use crate::sema::expression::typed::{TExpr, TExprKind};
use crate::sema::model::{ScopeId, Space, SymbolId, SymbolKind};

/// The origin of a place.
pub fn origin(span: Span, rule: Rule) -> Origin {
    Origin::new(span.start, span.end, rule)
}

/// What makes something of an expression of device code.
fn rule_of(e: &TExpr) -> Rule {
    match &e.kind {
        TExprKind::Constant { symbol: None } => Rule::Literal,
        TExprKind::Constant { .. } | TExprKind::Variable(_) | TExprKind::ProcedureName(_) => {
            Rule::Name
        }
        TExprKind::Index { .. } | TExprKind::Substring { .. } if e.rank > 0 => Rule::Section,
        TExprKind::Index { .. } | TExprKind::Substring { .. } => Rule::Element,
        TExprKind::Component { .. } | TExprKind::ComplexPart { .. } => Rule::Component,
        TExprKind::Unary { .. } | TExprKind::Binary { .. } | TExprKind::Paren(_) => Rule::Operator,
        TExprKind::Call { .. }
        | TExprKind::BoundCall { .. }
        | TExprKind::StatementFunctionCall { .. } => Rule::Call,
        TExprKind::Intrinsic { .. } => Rule::Intrinsic,
        TExprKind::Runtime { name, .. } => of_runtime(name),
        TExprKind::Structure { .. }
        | TExprKind::ArrayConstructor { .. }
        | TExprKind::ImpliedDo { .. } => Rule::Constructor,
        TExprKind::Builtin { .. } => Rule::ThreadIndex,
        TExprKind::Star | TExprKind::Null | TExprKind::Unknown => Rule::Statement,
    }
}

/// What makes something of a procedure of CUDA's modules.
fn of_runtime(name: &str) -> Rule {
    let starts = |words: &[&str]| words.iter().any(|w| name.starts_with(w));
    if starts(&["atomic"]) {
        Rule::Atomic
    } else if starts(&[
        "sync",
        "threadfence",
        "barrier",
        "allthreads",
        "anythread",
        "ballot",
    ]) {
        Rule::Synchronise
    } else {
        Rule::DeviceLibrary
    }
}

impl LoweringContext<'_, '_> {
    /// Runs `f` for a statement or declaration: only expressions inside of it have their places.
    pub fn within<T>(&mut self, extent: Span, f: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.extent, extent);
        let value = f(self);
        self.extent = outer;
        value
    }

    /// Runs `f` for expressions of a scope, which may be of another file: then they have no places here.
    pub fn of_scope<T>(&mut self, scope: ScopeId, f: impl FnOnce(&mut Self) -> T) -> T {
        let extent = match self.model()[scope].file == self.file {
            true => self.extent,
            false => Span::default(),
        };
        self.within(extent, f)
    }

    /// The origin of an expression of the statement being lowered.
    pub fn origin_of(&self, e: &TExpr) -> Origin {
        let inside = self.extent.start <= e.span.start && e.span.end <= self.extent.end;
        match inside && e.span.start < e.span.end {
            true => origin(e.span, rule_of(e)),
            false => Origin::default(),
        }
    }

    /// What makes something of a statement.
    pub fn rule_of_statement(&self, s: &Stmt) -> Rule {
        match &s.kind {
            Ast::Assign { lhs, .. } => {
                let plain = lhs.as_name().and_then(|n| self.symbol(&n.text));
                match plain.is_some_and(|s| !self.model().dims(s).is_empty()) {
                    true => Rule::ArrayAssignment,
                    false => Rule::Assignment,
                }
            }
            Ast::PointerAssign { .. } | Ast::Nullify(_) => Rule::Pointer,
            Ast::Call(c) => match c.callee.as_name() {
                Some(n) => match self.symbol(&n.text).map(|s| &self.model()[s].kind) {
                    Some(SymbolKind::Procedure(_) | SymbolKind::Generic(_)) => Rule::Call,
                    _ => of_runtime(&n.text),
                },
                None => Rule::Call,
            },
            Ast::If { .. } | Ast::LogicalIf { .. } | Ast::ArithmeticIf { .. } => Rule::If,
            Ast::Do(_) => Rule::Do,
            Ast::Select(_) => Rule::Select,
            Ast::Where { .. } | Ast::Forall { .. } => Rule::Where,
            Ast::Cycle(_)
            | Ast::Exit(_)
            | Ast::Goto(_)
            | Ast::ComputedGoto { .. }
            | Ast::AssignedGoto { .. }
            | Ast::AssignLabel { .. }
            | Ast::Continue
            | Ast::Return(_)
            | Ast::Stop { .. } => Rule::Branch,
            Ast::Print { .. } | Ast::Write { .. } => Rule::Print,
            Ast::Allocate(_) | Ast::Deallocate { .. } => Rule::Allocate,
            _ => Rule::Statement,
        }
    }

    fn symbol(&self, name: &str) -> Option<SymbolId> {
        self.model().lookup(self.scope, name)
    }

    /// The names that a scope declares and the procedure uses, as C++ has them.
    pub fn named(&self, scope: ScopeId) -> Vec<Named> {
        let model = self.model();
        let mut all: Vec<SymbolId> = model[scope].names.values().copied().collect();
        all.retain(|s| model[*s].scope == scope);
        let named = |s: SymbolId| {
            let info = &model[s];
            let (rule, declaration) = match &info.kind {
                SymbolKind::Variable(v) if v.dummy.is_some() => (Rule::Parameter, v.decl),
                SymbolKind::Variable(v) if v.space == Space::Shared => {
                    (Rule::SharedVariable, v.decl)
                }
                SymbolKind::Variable(v) => (Rule::Declaration, v.decl),
                SymbolKind::Parameter(_) => (Rule::NamedConstant, info.span),
                _ => return None,
            };
            Some(Named {
                name: self.local_name(s),
                at: origin(info.span, rule),
                declaration: origin(declaration, rule),
            })
        };
        all.into_iter().filter_map(named).collect()
    }
}

/// What the parameters of a launcher stand for.
pub fn of_parameters(params: &[LauncherParam]) -> Vec<Named> {
    let of = |p: &LauncherParam| {
        let (span, rule) = match &p.source {
            ParamSource::Captured(e) | ParamSource::Operand { array: e, .. } => {
                (e.span, Rule::Captured)
            }
            ParamSource::LoopRange { from, to, .. } => {
                let (start, end) = (from.span.start, to.span.end);
                (Span { start, end }, Rule::CufLoop)
            }
            ParamSource::Dummy(_) | ParamSource::Hidden(_) => return None,
        };
        Some(Named {
            name: p.name.clone(),
            at: origin(span, rule),
            declaration: Origin::default(),
        })
    };
    params.iter().filter_map(of).collect()
}
