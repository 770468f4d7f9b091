//! Branches: GOTO in all forms, arithmetic IF, SELECT CASE.

use super::control::{after_loop, leaves_loop};
use crate::ast::{self, CaseGuard, Name, Select, SelectKind, Stmt};
use crate::ir::{self, *};
use crate::lower::context::rules::{Designators, Statements};
use crate::lower::context::{FrameKind, LoweringContext};
use crate::lower::value::convert::convert;
use crate::sema::expression::typed::*;
use crate::sema::model;

impl LoweringContext<'_, '_> {
    pub fn goto(&mut self, label: u32) -> ir::Stmt {
        StmtKind::Goto(format!("label_{label}")).into()
    }

    pub fn arithmetic_if(&mut self, expr: &ast::Expr, labels: [u32; 3]) -> Vec<ir::Stmt> {
        let t = self.typed(expr);
        let v = self.value(&t);
        let v = if v.ty == ir::Type::Uint {
            crate::lower::value::convert::conversion(v, &ir::Type::Int(4))
        } else {
            v
        };
        let v = if v.is_simple() { v } else { self.temporary(v) };
        let zero = || convert(Expr::int(0), v.ty.plain());
        let below = Expr::binary(ir::BinaryOp::Lt, v.clone(), zero(), ir::Type::Bool);
        let equal = Expr::binary(ir::BinaryOp::Eq, v.clone(), zero(), ir::Type::Bool);
        vec![
            ir::Stmt::when(below, vec![self.goto(labels[0])]),
            ir::Stmt::when(equal, vec![self.goto(labels[1])]),
            self.goto(labels[2]),
        ]
    }

    pub fn computed_goto(&mut self, labels: &[u32], index: &ast::Expr) -> Vec<ir::Stmt> {
        let t = self.typed(index);
        let selector = self.index_value(&t);
        let values = (1..).zip(labels.iter().copied());
        // Any other value goes on with the next statement.
        let rest = Some((Vec::new(), Notes::default()));
        vec![self.jumps(selector, values, rest)]
    }

    /// A jump to the label of each value.
    fn jumps(
        &mut self,
        selector: Expr,
        values: impl Iterator<Item = (i64, u32)>,
        default: Option<(Vec<ir::Stmt>, Notes)>,
    ) -> ir::Stmt {
        let case = |(v, l)| (vec![Expr::int(v)], vec![self.goto(l)], Notes::default());
        let cases = values.map(case).collect();
        StmtKind::Switch {
            selector,
            cases,
            default,
        }
        .into()
    }

    /// A label in a variable is its number.
    pub fn assign_label(&mut self, label: u32, var: &Name) -> Vec<ir::Stmt> {
        let Some(s) = self.model().lookup(self.scope, &var.text) else {
            return Vec::new();
        };
        let place = self.entity(s, var.span).expr;
        vec![ir::Stmt::assign(place, Expr::int(i64::from(label)))]
    }

    /// GO TO a label in a variable: one of the list, or of all that the procedure assigns.
    pub fn assigned_goto(&mut self, var: &Name, labels: &[u32]) -> Vec<ir::Stmt> {
        let Some(s) = self.model().lookup(self.scope, &var.text) else {
            return Vec::new();
        };
        let selector = self.entity(s, var.span).expr;
        let mut labels: Vec<u32> = match labels.is_empty() {
            true => self.facts.assigned_labels.iter().copied().collect(),
            false => labels.to_vec(),
        };
        labels.sort_unstable();
        labels.dedup();
        let values = labels.into_iter().map(|l| (i64::from(l), l));
        vec![self.jumps(selector, values, None)]
    }

    pub fn select(&mut self, s: &Stmt, sel: &Select) -> Vec<ir::Stmt> {
        if sel.kind != SelectKind::Case {
            self.refuse(
                s.span,
                "CUF0446",
                "`select type` and `select rank` are not supported in device code\nnote: device data has no dynamic type or rank\nhelp: write one procedure per type or rank",
            );
            return Vec::new();
        }
        let t = self.typed(&sel.selector);
        self.sequence([&t]);
        let single = sel.cases.iter().all(|c| match &c.guard {
            CaseGuard::Values(v) => v
                .iter()
                .all(|e| !matches!(e.kind, ast::ExprKind::Slice { .. })),
            _ => true,
        });
        let integer = matches!(t.ty, model::Type::Integer(_));
        let exits = sel.cases.iter().any(|c| leaves_loop(&c.body));
        if single && integer && !exits {
            return self.switch(s, sel, &t);
        }
        self.select_chain(s, sel, &t)
    }

    fn case_end(sel: &Select, i: usize) -> u32 {
        sel.cases
            .get(i + 1)
            .map_or(sel.end.start, |n| n.header.start)
    }

    fn switch(&mut self, s: &Stmt, sel: &Select, t: &TExpr) -> Vec<ir::Stmt> {
        let selector = self.index_value(t);
        self.push_frame(s.name.as_deref(), FrameKind::Switch);
        let mut cases = Vec::new();
        let mut default = None;
        for (i, c) in sel.cases.iter().enumerate() {
            let mut n = super::comments::notes(
                &self.input,
                sel.cases
                    .get(i.wrapping_sub(1))
                    .map_or(sel.header.end, |p| {
                        p.body.last().map_or(p.header.end, |s| s.span.end)
                    }),
                c.header,
            );
            // Comments above were printed with the end of the case before.
            n.above.clear();
            n.blank_before = n.blank_before && i > 0;
            let body = self.body(&c.body, c.header.end, Self::case_end(sel, i));
            match &c.guard {
                CaseGuard::Values(values) => {
                    let mut out = Vec::new();
                    for v in values {
                        let t = self.typed(v);
                        out.push(self.value(&t));
                    }
                    cases.push((out, body, n));
                }
                _ => default = Some((body, n)),
            }
        }
        let exit = self.frames.pop().and_then(|f| f.exit_label);
        after_loop(
            vec![
                StmtKind::Switch {
                    selector,
                    cases,
                    default,
                }
                .into(),
            ],
            exit,
        )
    }

    fn select_chain(&mut self, s: &Stmt, sel: &Select, t: &TExpr) -> Vec<ir::Stmt> {
        let v = self.value(t);
        let v = match v.ty {
            ir::Type::Uint => crate::lower::value::convert::conversion(v, &ir::Type::Int(4)),
            _ => v,
        };
        // The selector is evaluated once, before a case can change its variables.
        let v = self.temporary(v);
        let character = matches!(t.ty, model::Type::Character(_));
        let scalar_ty = v.ty.plain().clone();
        self.push_frame(s.name.as_deref(), FrameKind::Block);
        let mut branches = Vec::new();
        let mut otherwise = None;
        for (i, c) in sel.cases.iter().enumerate() {
            let body = self.body(&c.body, c.header.end, Self::case_end(sel, i));
            let CaseGuard::Values(values) = &c.guard else {
                otherwise = Some(body);
                continue;
            };
            let mut cond: Option<Expr> = None;
            for g in values {
                let one = match &g.kind {
                    ast::ExprKind::Slice { lo, hi, .. } => {
                        let low = lo
                            .as_ref()
                            .map(|l| self.case_value(l, &scalar_ty, character));
                        let high = hi
                            .as_ref()
                            .map(|h| self.case_value(h, &scalar_ty, character));
                        let above = low
                            .map(|l| Expr::binary(ir::BinaryOp::Ge, v.clone(), l, ir::Type::Bool));
                        let below = high
                            .map(|h| Expr::binary(ir::BinaryOp::Le, v.clone(), h, ir::Type::Bool));
                        match (above, below) {
                            (Some(a), Some(b)) => {
                                Expr::binary(ir::BinaryOp::And, a, b, ir::Type::Bool)
                            }
                            (Some(a), None) => a,
                            (None, Some(b)) => b,
                            (None, None) => Expr::bool(true),
                        }
                    }
                    _ => {
                        let x = self.case_value(g, &scalar_ty, character);
                        Expr::binary(ir::BinaryOp::Eq, v.clone(), x, ir::Type::Bool)
                    }
                };
                cond = Some(match cond {
                    Some(c) => Expr::binary(ir::BinaryOp::Or, c, one, ir::Type::Bool),
                    None => one,
                });
            }
            branches.push((cond.unwrap_or_else(|| Expr::bool(false)), body));
        }
        let exit = self.frames.pop().and_then(|f| f.exit_label);
        let out = if branches.is_empty() {
            vec![StmtKind::Block(otherwise.unwrap_or_default()).into()]
        } else {
            vec![
                StmtKind::If {
                    branches,
                    otherwise,
                }
                .into(),
            ]
        };
        after_loop(out, exit)
    }

    fn case_value(&mut self, e: &ast::Expr, ty: &ir::Type, character: bool) -> Expr {
        let t = self.typed(e);
        if character {
            self.value(&t)
        } else {
            self.value_as(&t, ty)
        }
    }
}
