//! Array assignments in `kernels` as loops that threads share (OpenACC 2.5.2): those of which each element depends only on elements at its
//! own place. All others are executed by one thread.

use super::environment::{Environment, clauses};
use super::rewriter::Rewriter;
use crate::ast::{Span, Stmt, StmtKind};
use crate::sema::expression::dependence::same;
use crate::sema::expression::typed::{Subscript, TExpr, TExprKind};
use crate::sema::model::{Dim, SymbolId, Type, VarAttrs};

/// A dimension of the assigned section.
struct Extent {
    variable: String,
    low: String,
    high: String,
}

impl<'a> Rewriter<'a> {
    /// The loop for an array assignment, with the directive. None: one thread executes it.
    pub(super) fn element_loop(&mut self, s: &Stmt, env: &Environment) -> Option<Vec<String>> {
        let StmtKind::Assign { lhs, rhs } = &s.kind else {
            return None;
        };
        if s.label.is_some() || !self.has_own_line(s.span) {
            return None;
        }
        let (target, value) = (self.typed(lhs)?, self.typed(rhs)?);
        let numeric = |t: &Type| {
            matches!(
                t,
                Type::Integer(_) | Type::Real(_) | Type::Complex(_) | Type::Logical(_)
            )
        };
        if target.rank < 1 || !numeric(&target.ty) {
            return None;
        }
        let sections = self.sections(&target, env)?;
        let mut extents = Vec::new();
        for (low, high) in sections.into_iter().flatten() {
            let variable = self.name("at");
            extents.push(Extent {
                variable,
                low,
                high,
            });
        }
        let mut edits = Vec::new();
        self.elements(&target, &target, &extents, env, &mut edits)?;
        self.elements(&value, &target, &extents, env, &mut edits)?;
        let launch = self.launch("*", "*", env);
        let clauses = clauses(env, &[]);
        let variables: Vec<&str> = extents.iter().map(|e| e.variable.as_str()).collect();
        let depth = match extents.len() {
            1 => String::new(),
            n => format!("({n})"),
        };
        let mut lines = vec![
            "block".to_owned(),
            format!("  integer(8) :: {}", variables.join(", ")),
            format!("  !$cuf kernel do{depth} {launch}{clauses}"),
        ];
        for e in extents.iter().rev() {
            lines.push(format!("  do {} = {}, {}", e.variable, e.low, e.high));
        }
        lines.push(format!("    {}", self.edited(s.span, edits)));
        lines.extend(extents.iter().map(|_| "  end do".to_owned()));
        lines.push("end block".to_owned());
        Some(lines)
    }

    /// The bounds of the dimensions of an array or section; None for a dimension with one subscript.
    fn sections(&self, t: &TExpr, env: &Environment) -> Option<Vec<Option<(String, String)>>> {
        let symbol = t.root()?;
        let v = self.model.variable(symbol)?;
        let subs = match &t.kind {
            TExprKind::Variable(_) => None,
            TExprKind::Index { base, subs } if matches!(base.kind, TExprKind::Variable(_)) => {
                Some(subs)
            }
            _ => return None,
        };
        let name = self.written_name(t);
        let mut all = Vec::new();
        for (k, d) in v.dims.iter().enumerate() {
            let from_one = match d {
                Dim::Explicit { lower, .. } => lower.is_none(),
                Dim::Colon { lower } => lower.is_none() && !v.attrs.is_dynamic(),
                _ => return None,
            };
            let first = match from_one {
                true => "1_8".to_owned(),
                false => format!("lbound({name}, {}, 8)", k + 1),
            };
            let last = format!("ubound({name}, {}, 8)", k + 1);
            all.push(match subs.map(|s| s.get(k)) {
                None => Some((first, last)),
                Some(Some(Subscript::Range { lo, hi, step: None })) => {
                    let text = |e: Option<&TExpr>, open: String| match e {
                        Some(e) => self.is_known(e, env).then(|| self.slice(e.span).to_owned()),
                        None => Some(open),
                    };
                    Some((text(lo.as_ref(), first)?, text(hi.as_ref(), last)?))
                }
                Some(Some(Subscript::Element(e))) if self.is_known(e, env) => None,
                _ => return None,
            });
        }
        Some(all)
    }

    /// The name of the variable as the statement has it.
    fn written_name(&self, t: &TExpr) -> &'a str {
        match &t.kind {
            TExprKind::Index { base, .. } => self.slice(base.span),
            _ => self.slice(t.span),
        }
    }

    /// There is nothing beside the statement on its line but a comment.
    fn has_own_line(&self, span: Span) -> bool {
        let text = &self.source.text;
        let before = text.get(self.line_start(span.start) as usize..span.start as usize);
        let after = text.get(span.end as usize..).unwrap_or_default();
        let after = after.lines().next().unwrap_or_default().trim_start();
        before.is_some_and(|b| b.trim().is_empty())
            && (after.is_empty() || after.starts_with('!'))
            && !self.slice(span).contains('\n')
    }

    /// A value that the host knows before the statement: scalars that are not on the device.
    fn is_known(&self, e: &TExpr, env: &Environment) -> bool {
        !e.any(&mut |x| match &x.kind {
            TExprKind::Variable(s) => {
                let name = &self.model[*s].spelling;
                x.rank != 0 || env.on_device.iter().any(|n| n.eq_ignore_ascii_case(name))
            }
            TExprKind::Constant { .. }
            | TExprKind::Unary { .. }
            | TExprKind::Binary { .. }
            | TExprKind::Paren(_) => false,
            _ => true,
        })
    }

    /// Collects the texts of elements in place of arrays.
    fn elements(
        &self,
        t: &TExpr,
        target: &TExpr,
        extents: &[Extent],
        env: &Environment,
        edits: &mut Vec<(Span, String)>,
    ) -> Option<()> {
        if t.rank == 0 {
            let plain = !t.any(&mut |x| {
                x.root() == target.root()
                    || matches!(
                        x.kind,
                        TExprKind::Call { .. }
                            | TExprKind::BoundCall { .. }
                            | TExprKind::StatementFunctionCall { .. }
                            | TExprKind::Runtime { .. }
                    )
                    || x.rank != 0
            });
            return plain.then_some(());
        }
        match &t.kind {
            TExprKind::Variable(_) | TExprKind::Index { .. } => {
                let root = t.root()?;
                if Some(root) == target.root() {
                    (same(t, target) || t.span == target.span).then_some(())?;
                } else if self.may_overlap(root)
                    && target.root().is_none_or(|r| self.may_overlap(r))
                {
                    return None;
                }
                let sections = self.sections(t, env)?;
                let subs = match &t.kind {
                    TExprKind::Index { subs, .. } => subs.as_slice(),
                    _ => &[],
                };
                let mut loops = extents.iter();
                let mut texts = Vec::new();
                for (k, section) in sections.iter().enumerate() {
                    texts.push(match (section, subs.get(k)) {
                        (Some((low, _)), _) => {
                            let e = loops.next()?;
                            match *low == e.low {
                                true => e.variable.clone(),
                                false => format!("{} - ({}) + ({low})", e.variable, e.low),
                            }
                        }
                        (None, Some(Subscript::Element(x))) => self.slice(x.span).to_owned(),
                        _ => return None,
                    });
                }
                if loops.next().is_some() {
                    return None;
                }
                let name = self.written_name(t);
                edits.push((t.span, format!("{name}({})", texts.join(", "))));
                Some(())
            }
            TExprKind::Paren(x) => self.elements(x, target, extents, env, edits),
            TExprKind::Unary { operand, .. } => self.elements(operand, target, extents, env, edits),
            TExprKind::Binary { lhs, rhs, .. } => {
                self.elements(lhs, target, extents, env, edits)?;
                self.elements(rhs, target, extents, env, edits)
            }
            TExprKind::Intrinsic { intrinsic, args } if intrinsic.is_elemental() => {
                let mut args = args.iter().flatten();
                args.try_for_each(|a| self.elements(a, target, extents, env, edits))
            }
            _ => None,
        }
    }

    /// Something else may be another name of the data.
    fn may_overlap(&self, s: SymbolId) -> bool {
        let kinds = [
            VarAttrs::POINTER,
            VarAttrs::TARGET,
            VarAttrs::IN_EQUIVALENCE,
            VarAttrs::IN_COMMON,
        ];
        let v = self.model.variable(s);
        v.is_none_or(|v| kinds.iter().any(|k| v.attrs.has(*k)))
    }

    /// The text of a statement with parts replaced, on one line.
    fn edited(&self, span: Span, mut edits: Vec<(Span, String)>) -> String {
        edits.sort_by_key(|e| e.0.start);
        let mut out = String::new();
        let mut at = span.start;
        for (of, text) in edits {
            out += self.slice(Span {
                start: at,
                end: of.start,
            });
            out += &text;
            at = of.end;
        }
        out += self.slice(Span {
            start: at,
            end: span.end,
        });
        out
    }
}
