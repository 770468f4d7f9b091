//! What the values of expressions depend on, and what assignments change.

use super::path::{self, Origins, Path};
use super::state::{FirstRead, Flow};
use crate::ast::Span;
use crate::intrinsics::Intrinsic;
use crate::lower::cufloop::reduce::variable;
use crate::lower::cufloop::scan::{Scan, holds, whole_scalar};
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
            } => self.procedure(at, *procedure, args, p, out),
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
                out.extend(&c.origins);
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
            out.extend(o);
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
                c.origins.extend(origins);
            }
        }
        let scalar = matches!(place.kind, TExprKind::Variable(_)) && place.rank == 0;
        if !found {
            if scalar && surely {
                p.others.insert(root, origins.clone());
            } else if !origins.is_empty() {
                p.others.entry(root).or_default().extend(origins);
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
