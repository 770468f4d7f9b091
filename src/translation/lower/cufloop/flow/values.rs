//! What the values of expressions depend on, and what assignments and procedures change.

use std::rc::Rc;

use super::path::{self, Origins, Path};
use super::state::{FirstRead, Flow, Summary, parts};
use crate::ast::{Intent, Span, StmtKind as Ast};
use crate::intrinsics::{Intrinsic, Subroutine};
use crate::ir::function::Changes;
use crate::lower::cufloop::reduce::variable;
use crate::lower::cufloop::scan::{Scan, holds, whole_scalar};
use crate::lower::program::effects::changes;
use crate::sema::expression::call::ResolvedCall;
use crate::sema::expression::typed::*;
use crate::sema::model::*;

impl Flow<'_> {
    pub(super) fn assignment(&mut self, at: Scan<'_>, l: &TExpr, r: &TExpr, p: &mut Path) {
        let mut origins = p.decided_by();
        self.value(at, r, p, &mut origins);
        let d = at.resolved(l).into_owned();
        self.subscripts(at, &d, p, &mut origins);
        self.write(at, &d, &origins, true, p);
        if whole_scalar(&d) && d.rank == 0 && same_kind(&d.ty, &r.ty) {
            p.facts.assign(&d, r);
        }
    }

    /// Adds what the value of an expression depends on.
    pub(super) fn value(&mut self, at: Scan<'_>, t: &TExpr, p: &mut Path, out: &mut Origins) {
        if matches!(t.kind, TExprKind::Constant { .. }) {
            return;
        }
        if t.is_designator() {
            let d = at.resolved(t).into_owned();
            self.read(&d, t.span, p, out);
            self.subscripts(at, &d, p, out);
            return;
        }
        match &t.kind {
            TExprKind::StatementFunctionCall { function, args } => {
                args.iter().for_each(|a| self.value(at, a, p, out));
                if let SymbolKind::StatementFunction(f) = &at.model[*function].kind {
                    let inner = Scan {
                        scope: at.model[*function].scope,
                        ..at
                    };
                    let t = self.typed(inner, &f.expr);
                    self.value(inner, &t, p, out);
                }
            }
            TExprKind::Call {
                procedure, args, ..
            }
            | TExprKind::BoundCall {
                procedure, args, ..
            } => self.called_procedure(at, *procedure, args, p, out),
            TExprKind::Runtime { name, args, .. } => {
                self.runtime(at, name, args, p, out);
            }
            // The properties of a variable are not its value.
            TExprKind::Intrinsic {
                intrinsic: Intrinsic::Inquiry(_),
                args,
            } => {
                for a in args.iter().flatten() {
                    match a.is_designator() {
                        true => self.subscripts(at, a, p, out),
                        false => self.value(at, a, p, out),
                    }
                }
            }
            _ => {
                let mut children = Vec::new();
                t.for_each_child(&mut |c| children.push(c.clone()));
                children.iter().for_each(|c| self.value(at, c, p, out));
            }
        }
    }

    /// What the subscripts of a designator depend on.
    pub(super) fn subscripts(
        &mut self,
        at: Scan<'_>,
        designator: &TExpr,
        p: &mut Path,
        out: &mut Origins,
    ) {
        let mut here = Some(designator);
        while let Some(d) = here {
            let base = d.base();
            let mut children = Vec::new();
            d.for_each_child(&mut |c| {
                if !base.is_some_and(|b| std::ptr::eq(b, c)) {
                    children.push(c.clone());
                }
            });
            children.iter().for_each(|c| self.value(at, c, p, out));
            here = base;
        }
    }

    fn read(&mut self, d: &TExpr, span: Span, p: &mut Path, out: &mut Origins) {
        let Some(root) = d.root() else { return };
        let mut whole = false;
        for n in self.by_root.get(&root).cloned().unwrap_or_default() {
            let Some(place) = self.cells.get(n) else {
                continue;
            };
            if !holds(d, place) && !holds(place, d) {
                continue;
            }
            whole = true;
            if let Some(c) = p.cells.get(n) {
                out.add(&c.origins);
                if c.initial {
                    if !c.is_trusted() {
                        out.insert(n);
                    }
                    let certain = !c.is_left() || c.left_to_first;
                    let found = || FirstRead {
                        at: span,
                        certain,
                        left_at: c.left_at.clone(),
                    };
                    let known = self.first_reads.entry(n).or_insert_with(found);
                    if certain && !known.certain {
                        *known = found();
                    }
                }
            }
        }
        if !whole && let Some(o) = p.others.get(&root) {
            out.add(o);
        }
    }

    /// The place gets a value; `surely`: a new one in any case.
    pub(super) fn write(
        &mut self,
        at: Scan<'_>,
        place: &TExpr,
        origins: &Origins,
        surely: bool,
        p: &mut Path,
    ) {
        let Some(root) = place.root() else { return };
        let mut found = false;
        for n in self.by_root.get(&root).cloned().unwrap_or_default() {
            let Some(known) = self.cells.get(n) else {
                continue;
            };
            let (covers, part) = (holds(place, known), holds(known, place));
            let Some(c) = p.cells.get_mut(n).filter(|_| covers || part) else {
                continue;
            };
            found = true;
            self.written.insert(n);
            if covers && surely {
                *c = path::Cell {
                    origins: origins.clone(),
                    ..path::Cell::default()
                };
            } else {
                c.origins.add(origins);
            }
        }
        let scalar = matches!(place.kind, TExprKind::Variable(_)) && place.rank == 0;
        if !found {
            if scalar && surely {
                p.others.insert(root, origins.clone());
            } else if !origins.is_empty() {
                p.others.entry(root).or_default().add(origins);
            }
        }
        self.forget(at, place, root, p);
    }

    /// What is known of conditions on the place.
    fn forget(&self, at: Scan<'_>, place: &TExpr, root: SymbolId, p: &mut Path) {
        match whole_scalar(place) {
            true => p.facts.changed(at, place),
            false => {
                let ty = at.model.type_of(root);
                let whole = variable(root, ty, place.span);
                p.facts.changed(at, &whole);
            }
        }
        let aliased = |s: SymbolId| {
            let v = at.model.variable(s);
            v.is_some_and(|v| v.attrs.has(VarAttrs::POINTER) || v.attrs.has(VarAttrs::TARGET))
        };
        if aliased(root) {
            let reached =
                |e: &TExpr| e.any(&mut |x| matches!(x.kind, TExprKind::Variable(s) if aliased(s)));
            p.facts.memory_changed(&reached);
        }
    }
}

/// A constant of one type is the same value in the other.
fn same_kind(a: &Type, b: &Type) -> bool {
    matches!(
        (a, b),
        (Type::Integer(_), Type::Integer(_)) | (Type::Logical(_), Type::Logical(_))
    )
}

impl Flow<'_> {
    pub(super) fn call(&mut self, at: Scan<'_>, call: &ResolvedCall, p: &mut Path) {
        let out = &mut Origins::new();
        match call {
            ResolvedCall::User {
                procedure, args, ..
            }
            | ResolvedCall::Bound {
                procedure: Some(procedure),
                args,
                dynamic: false,
            } => self.called_procedure(at, *procedure, args, p, out),
            ResolvedCall::Bound { args, .. } => {
                for a in args.iter().flatten() {
                    self.updated(at, a, p, out);
                }
            }
            ResolvedCall::Intrinsic { intrinsic, args } => {
                self.intrinsic(at, *intrinsic, args, p);
            }
            ResolvedCall::Runtime { name, args, .. } => {
                // Subroutines of the runtime give values without reading the old ones.
                let changed = positions(name, args.len());
                for (i, (_, a)) in args.iter().enumerate() {
                    if !changed.contains(&i) {
                        self.value(at, a, p, out);
                    }
                }
                out.add(&p.decided_by());
                for (i, (_, a)) in args.iter().enumerate() {
                    if changed.contains(&i) && a.is_designator() {
                        self.given(at, a, out, true, p);
                    }
                }
            }
            ResolvedCall::Unknown { args, .. } => {
                for (_, a) in args {
                    self.updated(at, a, p, out);
                }
            }
        }
    }

    fn intrinsic(
        &mut self,
        at: Scan<'_>,
        intrinsic: Intrinsic,
        args: &[Option<TExpr>],
        p: &mut Path,
    ) {
        let out = &mut p.decided_by();
        if intrinsic == Intrinsic::Subroutine(Subroutine::Mvbits) {
            for a in args.iter().flatten() {
                self.updated(at, a, p, out);
            }
            return;
        }
        for a in args.iter().flatten() {
            match a.is_designator() {
                true => {
                    let d = at.resolved(a).into_owned();
                    self.subscripts(at, &d, p, out);
                }
                false => self.value(at, a, p, out),
            }
        }
        for a in args.iter().flatten().filter(|a| a.is_designator()) {
            self.given(at, a, out, true, p);
        }
    }

    /// A function of the device modules.
    pub(super) fn runtime(
        &mut self,
        at: Scan<'_>,
        name: &str,
        args: &[(Option<String>, TExpr)],
        p: &mut Path,
        out: &mut Origins,
    ) {
        args.iter().for_each(|(_, a)| self.value(at, a, p, out));
        let mut origins = out.clone();
        origins.add(&p.decided_by());
        for i in positions(name, args.len()) {
            if let Some((_, a)) = args.get(i)
                && a.is_designator()
            {
                self.given(at, a, &origins, false, p);
            }
        }
    }

    /// The argument is read and may be changed.
    fn updated(&mut self, at: Scan<'_>, a: &TExpr, p: &mut Path, out: &mut Origins) {
        self.value(at, a, p, out);
        if a.is_designator() {
            let mut origins = out.clone();
            origins.add(&p.decided_by());
            self.given(at, a, &origins, false, p);
        }
    }

    fn given(&mut self, at: Scan<'_>, a: &TExpr, origins: &Origins, surely: bool, p: &mut Path) {
        let d = at.resolved(a).into_owned();
        self.write(at, &d, origins, surely, p);
    }

    /// A procedure gives its argument a value on some of its paths.
    fn left_by_call(&self, at: Scan<'_>, a: &TExpr, p: &mut Path) {
        let d = at.resolved(a).into_owned();
        let cells = d.root().and_then(|r| self.by_root.get(&r));
        for n in cells.into_iter().flatten() {
            let ours = self.cells.get(*n).is_some_and(|c| holds(&d, c));
            if let Some(c) = p.cells.get_mut(*n).filter(|c| ours && c.initial) {
                c.leave(path::Choice::Varying, a.span);
            }
        }
    }

    /// A procedure of the user; `out`: what its result depends on.
    pub(super) fn called_procedure(
        &mut self,
        at: Scan<'_>,
        procedure: SymbolId,
        args: &[Option<TExpr>],
        p: &mut Path,
        out: &mut Origins,
    ) {
        let summary = self.summary(at, procedure);
        let dummies: Vec<_> = (0..args.len())
            .map(|i| {
                let dummies = at.model.procedure(procedure).map(|p| &p.dummies);
                let dummy = dummies.and_then(|d| d.get(i).copied().flatten());
                dummy.and_then(|d| at.model.variable(d))
            })
            .collect();
        let mut values: Vec<Origins> = Vec::new();
        for (i, a) in args.iter().enumerate() {
            let mut of = Origins::new();
            let dummy = dummies.get(i).copied().flatten();
            let intent = dummy.and_then(|d| d.intent);
            let read = match summary.as_ref().and_then(|s| s.get(&i)) {
                Some(used) => used.read || !used.written && intent != Some(Intent::Out),
                None => intent != Some(Intent::Out),
            };
            match a {
                Some(a) if a.is_designator() && !read => {
                    let d = at.resolved(a).into_owned();
                    self.subscripts(at, &d, p, &mut of);
                }
                Some(a) => self.value(at, a, p, &mut of),
                None => {}
            }
            values.push(of);
        }
        let mut all = Origins::union(&values);
        self.globals(at, procedure, p, &mut all);
        out.add(&all);
        for (i, a) in args.iter().enumerate() {
            let Some(a) = a.as_ref().filter(|a| a.is_designator()) else {
                continue;
            };
            let dummy = dummies.get(i).copied().flatten();
            if dummy.is_some_and(|d| d.intent == Some(Intent::In) || d.attrs.has(VarAttrs::VALUE)) {
                continue;
            }
            let partly = summary.as_ref().is_some_and(|s| s.contains_key(&i));
            let gives_always = dummy.is_some_and(|d| d.intent == Some(Intent::Out));
            let (mut origins, surely) = match summary.as_ref().and_then(|s| s.get(&i)) {
                Some(used) if !used.written && !gives_always => continue,
                Some(used) => {
                    let from = used.from.iter().filter_map(|j| values.get(*j));
                    (Origins::union(from), gives_always || !used.kept)
                }
                None => (all.clone(), gives_always),
            };
            origins.add(&p.decided_by());
            self.given(at, a, &origins, surely, p);
            if partly && !surely {
                self.left_by_call(at, a, p);
            }
        }
        // The procedure may change data that it was not given.
        let memory = |e: &TExpr| {
            e.any(&mut |x| match &x.kind {
                TExprKind::Index { .. } | TExprKind::Component { .. } => true,
                TExprKind::Variable(s) => {
                    matches!(
                        at.model[at.model[*s].scope].kind,
                        ScopeKind::Module | ScopeKind::Submodule
                    )
                }
                _ => false,
            })
        };
        p.facts.memory_changed(&memory);
    }

    /// Module variables that the procedure uses beside its arguments.
    fn globals(&mut self, at: Scan<'_>, procedure: SymbolId, p: &mut Path, all: &mut Origins) {
        let used: Vec<TExpr> = self
            .cells
            .iter()
            .filter(|c| at.reads_global(procedure, c))
            .cloned()
            .collect();
        for c in &used {
            self.value(at, c, p, all);
        }
        for c in &used {
            let mut origins = all.clone();
            origins.add(&p.decided_by());
            self.given(at, c, &origins, false, p);
        }
    }

    /// None: its body is not known, or is being looked at.
    fn summary(&mut self, at: Scan<'_>, procedure: SymbolId) -> Option<Rc<Summary>> {
        let body = at.analysis.body_of(at.model, procedure)?;
        if let Some(known) = self.summaries.get(&body) {
            return known.clone();
        }
        if self.active.contains(&body) || self.active.len() > 6 {
            return None;
        }
        let found = self.summarise(at, body).map(Rc::new);
        self.summaries.insert(body, found.clone());
        found
    }

    fn summarise(&mut self, at: Scan<'_>, body: ScopeId) -> Option<Summary> {
        let source = at.analysis.procs.get(&body)?;
        let facts = at.analysis.facts.get(&body)?;
        let statements = &source.unit.body;
        if statements.iter().any(|s| matches!(s.kind, Ast::Entry(_))) {
            return None;
        }
        let dummies = &at.model.procedure(source.symbol?)?.dummies;
        let mut cells = Vec::new();
        let mut owners = Vec::new();
        for (i, d) in dummies.iter().enumerate() {
            let Some(d) = d else { continue };
            let scalar = at.model.variable(*d).is_some_and(|v| v.dims.is_empty());
            if scalar {
                let whole = variable(*d, at.model.type_of(*d), Span::default());
                parts(at.model, &whole, &mut cells);
                owners.resize(cells.len(), i);
            }
        }
        let scan = Scan {
            scope: body,
            around: body,
            ..at
        };
        let places = scan.places(statements);
        let mut active = self.active.clone();
        active.push(body);
        let mut flow = Flow::new(&cells, &facts.modified, &[], &places, active);
        let ends = flow.run(scan, statements);
        let mut summary = Summary::new();
        for (n, owner) in owners.iter().enumerate() {
            let used = summary.entry(*owner).or_default();
            used.read |= flow.first_reads.contains_key(&n);
            used.written |= flow.written.contains(&n);
            for end in &ends {
                if let Some(c) = end.cells.get(n) {
                    used.kept |= c.initial;
                    used.from
                        .extend(c.origins.iter().filter_map(|o| owners.get(o).copied()));
                }
            }
        }
        Some(summary)
    }
}

/// Which arguments a procedure of the device modules changes.
fn positions(name: &str, count: usize) -> Vec<usize> {
    match changes(name) {
        None | Some(Changes::All) => (0..count).collect(),
        Some(Changes::None) => Vec::new(),
        Some(Changes::First) => vec![0],
        Some(Changes::Last) => count.checked_sub(1).into_iter().collect(),
        Some(Changes::Rest) => (1..count).collect(),
    }
}
