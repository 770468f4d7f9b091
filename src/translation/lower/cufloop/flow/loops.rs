//! Loops inside an iteration.

use super::facts::{EQUAL, GREATER, LESS, Relation};
use super::path::{Choice, Origins, Path, merged};
use super::state::{Flow, Frame, PATIENCE, jumps_far};
use crate::ast::{self, DoControl, Stmt};
use crate::lower::cufloop::reduce::variable;
use crate::lower::cufloop::scan::Scan;
use crate::sema::expression::typed::*;

/// Rounds over a loop that are followed with all that is known of their paths.
const ROUNDS: usize = 4;

/// What is known of a loop that counts.
struct Counter {
    variable: TExpr,
    from: TExpr,
    to: TExpr,
    /// Sign of the step, if it is known, and whether it is one.
    step: Option<i128>,
    /// The bounds have the same value as long as the loop is executed.
    steady: bool,
}

impl Counter {
    /// The first iteration begins.
    fn first_iteration(&self, p: &mut Path) {
        if self.steady {
            p.facts.relate(&self.variable, &self.from, EQUAL);
        }
    }

    /// A later one begins.
    fn later(&self, p: &mut Path) {
        if self.steady {
            let r = match self.step {
                Some(s) if s > 0 => GREATER,
                Some(_) => LESS,
                None => LESS | GREATER,
            };
            p.facts.relate(&self.variable, &self.from, r);
        }
    }

    /// After an iteration there may be another one, or none.
    fn goes_on(&self, p: &Path, on: bool) -> bool {
        let step = match self.step {
            Some(s @ (1 | -1)) if self.steady => s,
            _ => return true,
        };
        let beyond: Relation = if step > 0 { LESS } else { GREATER };
        let op = if beyond == LESS {
            ast::BinaryOp::Lt
        } else {
            ast::BinaryOp::Gt
        };
        let more = TExpr {
            kind: TExprKind::Binary {
                op,
                lhs: Box::new(self.variable.clone()),
                rhs: Box::new(self.to.clone()),
            },
            ..self.variable.clone()
        };
        p.facts.known(&more).is_none_or(|known| known == on)
    }

    /// Whether the loop has an iteration, if that is known.
    fn runs(&self) -> Option<bool> {
        let (from, to) = (self.from.as_integer()?, self.to.as_integer()?);
        Some(match self.step? {
            s if s > 0 => from <= to,
            _ => from >= to,
        })
    }
}

impl Flow<'_> {
    pub(super) fn do_construct(
        &mut self,
        at: Scan<'_>,
        s: &Stmt,
        d: &ast::Do,
        mut paths: Vec<Path>,
    ) -> Vec<Path> {
        let depth = paths.first().map_or(1, |p| p.control.len());
        let inner = at.inside(s);
        let mut counter = None;
        let mut choice = Choice::Uniform;
        let header = match d.control {
            DoControl::Concurrent(_) => inner,
            _ => at,
        };
        if !matches!(d.control, DoControl::While(_)) {
            let values: Vec<_> = s.expressions();
            let values: Vec<_> = values.iter().map(|e| self.typed(header, e)).collect();
            if !values.iter().all(|t| self.is_uniform(header, t)) {
                choice = Choice::Varying;
            }
            for p in &mut paths {
                let mut origins = Origins::new();
                values
                    .iter()
                    .for_each(|t| self.value(header, t, p, &mut origins));
                p.enter(origins);
            }
        } else {
            choice = Choice::Varying;
            paths.iter_mut().for_each(|p| p.enter(Origins::new()));
        }
        if let DoControl::Counted { .. } = &d.control {
            counter = self.counter(at, d);
            self.count(at, counter.as_ref(), &mut paths);
        }
        // Nothing of interest is in there.
        let plain = |p: &Path| p.others.is_empty() && p.control.iter().all(Origins::is_empty);
        if !self.stands_in(s.span)
            && !jumps_far(&d.body, s.name.as_deref())
            && paths.iter().all(plain)
        {
            for p in &mut paths {
                p.leave(depth, false);
                // Statements may change arrays, too.
                p.facts.forget_all();
            }
            return paths;
        }
        self.frames.push(Frame {
            name: s.name.as_ref().map(|n| n.text.clone()),
            is_loop: true,
            exits: Vec::new(),
            cycles: Vec::new(),
        });
        let mut after = self.rounds(inner, d, counter.as_ref(), paths);
        after.extend(self.frames.pop().into_iter().flat_map(|f| f.exits));
        let keep = jumps_far(&d.body, s.name.as_deref());
        let assigned = self.assigned_in(at, s);
        for p in &mut after {
            p.leave(depth, keep);
            for n in assigned.iter() {
                if let Some(c) = p.cells.get_mut(*n).filter(|c| c.initial) {
                    c.leave(choice, s.span);
                }
            }
        }
        after
    }

    /// All states in which the loop ends, but for EXIT.
    fn rounds(
        &mut self,
        inner: Scan<'_>,
        d: &ast::Do,
        counter: Option<&Counter>,
        paths: Vec<Path>,
    ) -> Vec<Path> {
        let runs = counter.and_then(Counter::runs);
        let mut after = Vec::new();
        if runs != Some(true) && !matches!(d.control, DoControl::Forever | DoControl::While(_)) {
            after.extend(paths.clone());
        }
        let mut heads = match runs {
            Some(false) => Vec::new(),
            _ => paths,
        };
        if let Some(c) = counter {
            heads.iter_mut().for_each(|p| c.first_iteration(p));
        }
        let mut known: Vec<Path> = Vec::new();
        for round in 0.. {
            if let DoControl::While(cond) = &d.control {
                let cond = self.typed(inner, cond);
                let mut go = Vec::new();
                for mut p in heads {
                    let mut origins = Origins::new();
                    self.value(inner, &cond, &mut p, &mut origins);
                    if let Some(last) = p.control.last_mut() {
                        last.add(&origins);
                    }
                    let value = p.facts.known(&cond);
                    if value != Some(true) {
                        let mut p = p.clone();
                        p.facts.assume(&cond, false);
                        after.push(p);
                    }
                    if value != Some(false) {
                        p.facts.assume(&cond, true);
                        go.push(p);
                    }
                }
                heads = go;
            }
            let mut ends = self.block(inner, &d.body, heads);
            let level = self.frames.last_mut();
            ends.extend(
                level
                    .into_iter()
                    .flat_map(|f| std::mem::take(&mut f.cycles)),
            );
            let mut next = Vec::new();
            for mut p in ends {
                if !matches!(d.control, DoControl::Forever | DoControl::While(_))
                    && counter.is_none_or(|c| c.goes_on(&p, false))
                {
                    after.push(p.clone());
                }
                if counter.is_none_or(|c| c.goes_on(&p, true)) {
                    if let Some(c) = counter {
                        p.facts.changed(inner, &c.variable);
                        c.later(&mut p);
                    }
                    next.push(p);
                }
            }
            after = self.merged(after);
            if round >= ROUNDS {
                next.iter_mut().for_each(|p| p.facts.forget_all());
            }
            let mut all = known.clone();
            all.extend(next);
            let all = merged(all, round < ROUNDS && self.steps < PATIENCE);
            let stable = all.len() == known.len()
                && all
                    .iter()
                    .zip(&known)
                    .all(|(a, b)| a.same_state(b) && a.facts.how_many() == b.facts.how_many());
            if stable || all.is_empty() {
                break;
            }
            known = all;
            heads = known.clone();
        }
        after
    }

    fn counter(&mut self, at: Scan<'_>, d: &ast::Do) -> Option<Counter> {
        let DoControl::Counted {
            var,
            from,
            to,
            step,
        } = &d.control
        else {
            return None;
        };
        let v = at.model.lookup(at.scope, &var.text)?;
        let variable = variable(v, at.model.type_of(v), var.span);
        let step = match step {
            Some(e) => self.typed(at, e).as_integer().filter(|s| *s != 0),
            None => Some(1),
        };
        let (from, to) = (self.typed(at, from), self.typed(at, to));
        let mut changed = Vec::new();
        at.changed_scalars(&d.body, self.varying, &mut changed);
        changed.push(variable.clone());
        let plain = |e: &TExpr| {
            !e.any(&mut |x| {
                !matches!(
                    x.kind,
                    TExprKind::Constant { .. }
                        | TExprKind::Variable(_)
                        | TExprKind::Unary { .. }
                        | TExprKind::Binary { .. }
                        | TExprKind::Paren(_)
                )
            })
        };
        let fixed = |e: &TExpr| plain(e) && !changed.iter().any(|c| at.mentions(c, e));
        let steady = fixed(&from) && fixed(&to);
        Some(Counter {
            variable,
            steady,
            from: (*from).clone(),
            to: (*to).clone(),
            step,
        })
    }

    /// The loop gives its variable a value.
    fn count(&mut self, at: Scan<'_>, counter: Option<&Counter>, paths: &mut [Path]) {
        let Some(c) = counter else { return };
        for p in paths {
            let origins = p.decided_by();
            let place = at.resolved(&c.variable).into_owned();
            self.write(at, &place, &origins, true, p);
        }
    }
}
