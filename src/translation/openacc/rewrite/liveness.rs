//! Which scalars have, behind a loop, a value that something reads later: in `kernels`, those keep the value of the last iteration.

use std::collections::BTreeMap;

use super::environment::{Live, Liveness};
use super::rewriter::Rewriter;
use crate::ast::places::{Mentions, names_of, own_names};
use crate::ast::{DeclKind, DoControl, Expr, Name, ProgramUnit, Stmt, StmtKind};
use crate::sema::model::{ScopeKind, SymbolId, SymbolKind, VarAttrs};
use crate::translation::openacc::clause::ClauseKind;

/// Loops inside of each other that are looked into: each is read twice for every time that the one around it is.
const DEEPEST: usize = 8;

/// Where control goes from a loop.
struct Target {
    cycle: Live,
    exit: Live,
}

/// A clause whose variables each iteration or thread has for itself: it reads none of them behind a loop.
pub(super) fn is_of_iterations(kind: ClauseKind) -> bool {
    matches!(
        kind,
        ClauseKind::Private | ClauseKind::Firstprivate | ClauseKind::Reduction
    )
}

impl<'a> Rewriter<'a> {
    /// Whether nothing reads the value that the loop gives to the variable.
    pub(super) fn is_dead_behind(&mut self, v: SymbolId, s: &Stmt, unit: &'a ProgramUnit) -> bool {
        if !self.is_local(v) {
            return false;
        }
        if !self.live.contains_key(&unit.span.start) {
            let found = self.liveness(unit);
            self.live.insert(unit.span.start, found);
        }
        let Some(known) = self.live.get(&unit.span.start) else {
            return false;
        };
        let name: &str = &self.model[v].name;
        let behind = known.behind.get(&s.span.start);
        !known.has_jumps
            && !known.elsewhere.contains(name)
            && behind.is_some_and(|live| !live.contains(&v))
    }

    /// The variable ends with its procedure, and has no other name.
    fn is_local(&self, v: SymbolId) -> bool {
        let Some(variable) = self.model.variable(v) else {
            return false;
        };
        let home = &self.model[self.model[v].scope];
        let escapes = [
            VarAttrs::SAVE,
            VarAttrs::TARGET,
            VarAttrs::POINTER,
            VarAttrs::IN_COMMON,
            VarAttrs::IN_EQUIVALENCE,
        ];
        // A dummy argument is given back.
        let is_returned = variable.dummy.is_some() && !variable.attrs.has(VarAttrs::VALUE);
        matches!(
            home.kind,
            ScopeKind::Procedure | ScopeKind::Program | ScopeKind::Block
        ) && !escapes.iter().any(|a| variable.attrs.has(*a))
            && !is_returned
            && !variable.is_result
    }

    fn liveness(&self, unit: &'a ProgramUnit) -> Liveness {
        let mut flow = Flow {
            rewriter: self,
            found: Liveness::default(),
            around: Vec::new(),
            reads: BTreeMap::new(),
        };
        for p in &unit.procedures {
            let names = Mentions::of_unit(p).names;
            let names = names.iter().map(|n| n.text.to_string());
            flow.found.elsewhere.extend(names);
        }
        let inside = |at: u32| unit.span.start <= at && at < unit.span.end;
        let in_clauses = self.names_read.iter().filter(|(at, _)| inside(*at));
        let in_clauses = in_clauses.map(|(_, n)| n.to_ascii_lowercase());
        let elsewhere = &mut flow.found.elsewhere;
        elsewhere.extend(in_clauses);
        for d in &unit.spec {
            if let DeclKind::Namelist(groups) = &d.kind {
                let names = groups.iter().flat_map(|(_, names)| names);
                elsewhere.extend(names.map(|n| n.text.to_string()));
            }
        }
        flow.block(&unit.body, Live::new());
        flow.found
    }
}

/// The statements of a unit, read backwards.
struct Flow<'r, 'a> {
    rewriter: &'r Rewriter<'a>,
    found: Liveness,
    around: Vec<Target>,
    /// What statements read, by their places.
    reads: BTreeMap<u32, Live>,
}

impl Flow<'_, '_> {
    /// What is live before the statements, of what is behind them.
    fn block(&mut self, body: &[Stmt], mut live: Live) -> Live {
        for s in body.iter().rev() {
            live = self.statement(s, live);
        }
        live
    }

    fn names(&self, at: u32, all: &[&Expr]) -> Live {
        self.variables(at, all.iter().flat_map(|e| names_of(e)))
    }

    fn variables<'n>(&self, at: u32, names: impl Iterator<Item = &'n Name>) -> Live {
        let Some(scope) = self.rewriter.scope(at) else {
            return Live::new();
        };
        let model = self.rewriter.model;
        names.filter_map(|n| model.lookup(scope, &n.text)).collect()
    }

    /// All that the statement itself mentions.
    fn mentioned(&mut self, s: &Stmt) -> Live {
        if let Some(known) = self.reads.get(&s.span.start) {
            return known.clone();
        }
        let found = self.variables(s.span.start, own_names(s).into_iter());
        self.reads.insert(s.span.start, found.clone());
        found
    }

    /// The scalar that the statement gives a value as a whole, and what it reads.
    fn assigned(&self, s: &Stmt, lhs: &Expr, rhs: &Expr) -> (Option<SymbolId>, Live) {
        let model = self.rewriter.model;
        let scope = self.rewriter.scope(s.span.start);
        let name = lhs.as_name();
        let whole = name.zip(scope).and_then(|(n, c)| model.lookup(c, &n.text));
        let whole = whole.filter(|v| model.dims(*v).is_empty());
        let read = match whole {
            Some(_) => self.names(s.span.start, &[rhs]),
            None => self.names(s.span.start, &[lhs, rhs]),
        };
        (whole, read)
    }

    /// What its expression mentions is read wherever the function is called.
    fn is_statement_function(&self, s: &Stmt, lhs: &Expr) -> bool {
        let scope = self.rewriter.scope(s.span.start);
        let model = self.rewriter.model;
        let named = lhs.base_name().zip(scope);
        let named = named.and_then(|(n, c)| model.lookup(c, &n.text));
        named.is_some_and(|f| matches!(model[f].kind, SymbolKind::StatementFunction(_)))
    }

    fn statement(&mut self, s: &Stmt, mut live: Live) -> Live {
        match &s.kind {
            StmtKind::Assign { lhs, rhs } => {
                let (whole, read) = self.assigned(s, lhs, rhs);
                if self.is_statement_function(s, lhs) {
                    let names = names_of(rhs);
                    let names = names.iter().map(|n| n.text.to_string());
                    self.found.elsewhere.extend(names);
                }
                if let Some(v) = whole {
                    live.remove(&v);
                }
                live.extend(read);
                live
            }
            StmtKind::If {
                branches,
                else_block,
                ..
            } => {
                let mut out = match else_block {
                    Some(e) => self.block(&e.body, live.clone()),
                    None => live.clone(),
                };
                for b in branches {
                    out.extend(self.block(&b.body, live.clone()));
                }
                out.extend(self.mentioned(s));
                out
            }
            StmtKind::LogicalIf { stmt, .. } => {
                let mut out = self.statement(stmt, live.clone());
                out.extend(live);
                out.extend(self.mentioned(s));
                out
            }
            StmtKind::Do(_) => self.repeated(s, live),
            StmtKind::Block { body, .. } => {
                let mut out = self.block(body, live);
                // Its declarations have bounds.
                out.extend(self.mentioned(s));
                out
            }
            StmtKind::Cycle(name) | StmtKind::Exit(name) => {
                let is_cycle = matches!(s.kind, StmtKind::Cycle(_));
                match (self.around.last(), name) {
                    (Some(t), None) if is_cycle => t.cycle.clone(),
                    (Some(t), None) => t.exit.clone(),
                    // Out of any construct.
                    _ => {
                        for t in &self.around {
                            live.extend(t.cycle.iter().chain(&t.exit));
                        }
                        self.found.has_jumps |= self.around.is_empty();
                        live
                    }
                }
            }
            StmtKind::Return(_) | StmtKind::Stop { .. } => self.mentioned(s),
            StmtKind::Goto(_)
            | StmtKind::ComputedGoto { .. }
            | StmtKind::ArithmeticIf { .. }
            | StmtKind::AssignLabel { .. }
            | StmtKind::AssignedGoto { .. }
            | StmtKind::Entry(_) => {
                self.found.has_jumps = true;
                live
            }
            _ => {
                if matches!(s.kind, StmtKind::Associate { .. } | StmtKind::Select(_)) {
                    let all = s.expressions();
                    let names = all.iter().flat_map(|e| names_of(e));
                    let names = names.map(|n| n.text.to_string());
                    self.found.elsewhere.extend(names);
                }
                let mut out = live.clone();
                for b in s.blocks() {
                    out.extend(self.block(b, live.clone()));
                }
                out.extend(self.mentioned(s));
                out
            }
        }
    }

    /// A loop: what its beginning and its end have live, until nothing is added.
    fn repeated(&mut self, s: &Stmt, behind: Live) -> Live {
        let StmtKind::Do(d) = &s.kind else {
            return behind;
        };
        if self.around.len() >= DEEPEST {
            self.found.has_jumps = true;
            return behind;
        }
        let known = self.found.behind.entry(s.span.start).or_default();
        known.extend(behind.iter().copied());
        let header = self.mentioned(s);
        let (counted, bounds) = match &d.control {
            DoControl::Counted {
                var,
                from,
                to,
                step,
            } => {
                let scope = self.rewriter.scope(s.span.start);
                let model = self.rewriter.model;
                let var = scope.and_then(|c| model.lookup(c, &var.text));
                let bounds: Vec<&Expr> = [Some(from), Some(to), step.as_ref()]
                    .into_iter()
                    .flatten()
                    .collect();
                (var, self.names(s.span.start, &bounds))
            }
            _ => (None, header.clone()),
        };
        let mut head = behind.clone();
        if counted.is_none() {
            head.extend(&header);
        }
        loop {
            self.around.push(Target {
                cycle: head.clone(),
                exit: behind.clone(),
            });
            let mut before = self.block(&d.body, head.clone());
            self.around.pop();
            if let Some(v) = counted {
                before.remove(&v);
            }
            let size = head.len();
            head.extend(before);
            if head.len() == size {
                break;
            }
        }
        if let Some(v) = counted {
            head.remove(&v);
        }
        head.extend(bounds);
        head
    }
}
