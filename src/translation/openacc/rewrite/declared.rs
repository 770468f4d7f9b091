//! What keeps declared module data on the device (OpenACC 2.13).
//!
//! The data of an allocatable is present while it is allocated. Statements that may allocate it, or allocate it anew, are followed by a
//! call of the runtime, which compares its memory with that of the last call; before a `deallocate` it is released, also where a dummy
//! argument stands for it.

use super::program::Declared;
use super::rewriter::Rewriter;
use crate::ast::places::Mentions;
use crate::ast::{DoControl, Name, ProgramUnit, Span, Stmt, StmtKind};
use crate::intrinsics::{Intrinsic, Subroutine};
use crate::sema::expression::call::ResolvedCall;
use crate::sema::expression::typed::{TExpr, TExprKind};
use crate::sema::model::{SymbolId, VarAttrs};

impl<'a> Rewriter<'a> {
    /// Declared data that the unit mentions is on the device from its start; allocations are followed.
    pub(super) fn keep_declared(&mut self, u: &ProgramUnit) {
        if self.program.declared.is_empty() {
            return;
        }
        let Some(scope) = self.scope(u.end.start) else {
            return;
        };
        let mentions = Mentions::of_statements(&u.body);
        let names = mentions.names.iter().map(|n| n.text.to_string());
        let names: Vec<String> = names.chain(self.names_in_directives(u)).collect();
        let mut found: Vec<(String, SymbolId, Declared)> = Vec::new();
        for name in names {
            let s = self.model.lookup(scope, &name);
            if let Some((s, d)) = s.and_then(|s| Some((s, *self.program.declared.get(&s)?)))
                && !found.iter().any(|f| f.1 == s)
            {
                found.push((name, s, d));
            }
        }
        let mut lines = Vec::new();
        for (name, _, d) in found.iter().filter(|f| !f.2.is_dynamic && !f.2.is_link) {
            let stem = if d.copied {
                "declare_copyin"
            } else {
                "declare_create"
            };
            let place = self.place(u.header.start, name);
            lines.push(format!("call cuf_acc_{stem}({name}, {place})"));
        }
        if let Some(start) = self.first_line(u)
            && !lines.is_empty()
        {
            let indent = self.indent(start).to_owned();
            let text: String = lines.iter().map(|l| format!("{indent}{l}\n")).collect();
            self.insert(start, text);
            self.uses_runtime = true;
        }
        if found.iter().any(|f| f.2.is_dynamic) || self.follows_dummies(u) {
            u.body.iter().for_each(|s| self.follow(s));
        }
        if self.uses_runtime {
            self.add_use(u);
        }
    }

    /// The names in clauses of the unit's directives.
    fn names_in_directives(&self, u: &ProgramUnit) -> Vec<String> {
        let inside = |at: &&(u32, String)| at.0 >= u.span.start && at.0 < u.span.end;
        self.clause_names
            .iter()
            .filter(inside)
            .map(|n| n.1.clone())
            .collect()
    }

    /// The unit may have dummy arguments that stand for declared allocatables.
    fn follows_dummies(&self, u: &ProgramUnit) -> bool {
        let scope = self.scope(u.end.start);
        let procedure = scope.and_then(|s| self.model.procedure(self.model[s].symbol?));
        let mut dummies = procedure.iter().flat_map(|p| p.dummies.iter().flatten());
        self.program.declared.values().any(|d| d.is_dynamic)
            && dummies.any(|d| self.is_allocatable(*d))
    }

    fn is_allocatable(&self, s: SymbolId) -> bool {
        let v = self.model.variable(s);
        v.is_some_and(|v| v.attrs.has(VarAttrs::ALLOCATABLE))
    }

    fn follow(&mut self, s: &Stmt) {
        let inside = |c: &Span| c.start <= s.span.start && s.span.end <= c.end;
        if self.computed.iter().any(inside) {
            return;
        }
        match &s.kind {
            StmtKind::LogicalIf { stmt, .. } => {
                let released = self.released(stmt);
                if !released.is_empty() {
                    let indent = self.indent(s.start()).to_owned();
                    let lines = released.iter().map(|l| format!("\n{indent}  {l}"));
                    let text = lines.collect::<String>();
                    self.insert(stmt.span.start, format!("then{text}\n{indent}  "));
                    self.insert(stmt.span.end, format!("\n{indent}end if"));
                }
            }
            _ => {
                let indent = self.indent(s.start()).to_owned();
                let released = self.released(s);
                if !released.is_empty() {
                    let lines = released.iter().map(|l| format!("{l}\n{indent}"));
                    self.insert(s.span.start, lines.collect());
                }
            }
        }
        let found = self.allocated(s);
        if !found.is_empty() {
            // MOVE_ALLOC gives its first argument's data to the second one.
            let lines = found.iter().rev().map(|n| self.follow_line(n));
            let mut lines: Vec<String> = lines.collect();
            if !matches!(s.kind, StmtKind::Allocate(_)) {
                lines.push("call cuf_acc_declare_followed()".to_owned());
            }
            let indent = self.indent(s.start()).to_owned();
            self.insert_after(s.span.end, &indent, &lines);
            self.uses_runtime = true;
        }
        let is_pure = match &s.kind {
            StmtKind::Where { .. } | StmtKind::Forall { .. } => true,
            StmtKind::Do(d) => matches!(d.control, DoControl::Concurrent(_)),
            _ => false,
        };
        if is_pure || matches!(s.kind, StmtKind::LogicalIf { .. }) {
            return;
        }
        for b in s.blocks() {
            b.iter().for_each(|s| self.follow(s));
        }
    }

    /// The call that enters the memory that the variable has now.
    fn follow_line(&self, n: &(Name, SymbolId)) -> String {
        let (name, s) = n;
        let place = self.place(name.span.start, &name.text);
        let scope = &self.model[self.model[*s].scope];
        let key = format!("{}::{}", scope.name, self.model[*s].name);
        format!(
            "call cuf_acc_declare_follow({}, '{key}', {place})",
            name.text
        )
    }

    /// The declared allocatables that a statement, or that of an IF statement, may allocate.
    fn allocated(&self, s: &Stmt) -> Vec<(Name, SymbolId)> {
        let mut out: Vec<(Name, SymbolId)> = Vec::new();
        let mut add = |n: Option<&Name>| {
            let found = n.and_then(|n| Some((n, self.declared_dynamic(n)?)));
            if let Some((n, v)) = found
                && !out.iter().any(|o| o.1 == v)
            {
                out.push((n.clone(), v));
            }
        };
        match &s.kind {
            StmtKind::LogicalIf { cond, stmt } => {
                let mut all = self.allocated(stmt);
                all.extend(self.moved_by_functions(cond));
                return all;
            }
            StmtKind::Allocate(a) => a.objects.iter().for_each(|o| add(o.object.as_name())),
            StmtKind::Assign { lhs, rhs } => {
                if self.typed(rhs).is_some_and(|t| t.rank != 0) {
                    add(lhs.as_name());
                }
            }
            StmtKind::Call(call) => {
                let Some(scope) = self.scope(s.span.start) else {
                    return out;
                };
                let names = self.moved_by(&self.model.call(scope, call));
                for a in call.args.iter().filter_map(|a| a.value.as_name()) {
                    if self.declared_dynamic(a).is_some_and(|v| names.contains(&v)) {
                        add(Some(a));
                    }
                }
            }
            _ => {}
        }
        for e in s.expressions() {
            out.extend(self.moved_by_functions(e));
        }
        out
    }

    /// The declared allocatables among the arguments of a call that the procedure may allocate.
    fn moved_by(&self, call: &ResolvedCall) -> Vec<SymbolId> {
        let whole = |a: &Option<TExpr>| match a.as_ref().map(|a| &a.kind) {
            Some(TExprKind::Variable(s)) => Some(*s),
            _ => None,
        };
        match call {
            ResolvedCall::User {
                procedure, args, ..
            }
            | ResolvedCall::Bound {
                procedure: Some(procedure),
                args,
                ..
            } => self.passed_whole(*procedure, args),
            ResolvedCall::Intrinsic {
                intrinsic: Intrinsic::Subroutine(Subroutine::MoveAlloc),
                args,
            } => args.iter().filter_map(whole).collect(),
            _ => Vec::new(),
        }
    }

    /// Variables that are actual arguments of allocatable dummies.
    fn passed_whole(&self, procedure: SymbolId, args: &[Option<TExpr>]) -> Vec<SymbolId> {
        let Some(p) = self.model.procedure(procedure) else {
            return Vec::new();
        };
        let pairs = args.iter().zip(&p.dummies);
        let found = pairs.filter_map(|(a, d)| match (a.as_ref().map(|a| &a.kind), d) {
            (Some(TExprKind::Variable(s)), Some(d)) if self.is_allocatable(*d) => Some(*s),
            _ => None,
        });
        found.collect()
    }

    fn moved_by_functions(&self, e: &crate::ast::Expr) -> Vec<(Name, SymbolId)> {
        let Some(t) = self.typed(e) else {
            return Vec::new();
        };
        let mut moved = Vec::new();
        t.walk(&mut |x| {
            if let TExprKind::Call {
                procedure, args, ..
            } = &x.kind
            {
                moved.extend(self.passed_whole(*procedure, args));
            }
        });
        let names = crate::ast::places::names_of(e);
        let mut out: Vec<(Name, SymbolId)> = Vec::new();
        for n in names {
            if let Some(v) = self.declared_dynamic(n)
                && moved.contains(&v)
                && !out.iter().any(|o| o.1 == v)
            {
                out.push((n.clone(), v));
            }
        }
        out
    }

    /// The calls that release data before the statement deallocates them.
    fn released(&mut self, s: &Stmt) -> Vec<String> {
        let StmtKind::Deallocate { objects, .. } = &s.kind else {
            return Vec::new();
        };
        let mut lines = Vec::new();
        for n in objects.iter().filter_map(|o| o.as_name()) {
            let scope = self.scope(n.span.start);
            let found = scope.and_then(|s| self.model.lookup(s, &n.text));
            let is_dummy = |s: &SymbolId| {
                let v = self.model.variable(*s);
                v.is_some_and(|v| v.dummy.is_some()) && self.is_allocatable(*s)
            };
            if self.declared_dynamic(n).is_some() {
                lines.push(format!("call cuf_acc_declare_release({})", n.text));
            } else if let Some(s) = found.filter(is_dummy) {
                let guard = match self.is_optional(s) {
                    true => format!("if (present({})) ", n.text),
                    false => String::new(),
                };
                lines.push(format!("{guard}call cuf_acc_declare_release({})", n.text));
            }
        }
        self.uses_runtime |= !lines.is_empty();
        lines
    }

    fn declared_dynamic(&self, n: &Name) -> Option<SymbolId> {
        let s = self.model.lookup(self.scope(n.span.start)?, &n.text)?;
        let is_dynamic = |d: &Declared| d.is_dynamic;
        self.program
            .declared
            .get(&s)
            .filter(|d| is_dynamic(d))
            .map(|_| s)
    }
}
