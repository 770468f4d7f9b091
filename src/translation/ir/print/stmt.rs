//! Statements.

use super::Lines;
use super::expr::{expr, joined};
use super::ty::ty;
use crate::ir::{
    Declarator, Declare, Expr, For, ForEach, Init, Notes, Qualifier, Step, Stmt, StmtKind,
};

impl Lines {
    pub(super) fn block(&mut self, body: &[Stmt]) {
        body.iter().for_each(|s| self.stmt(s));
    }

    fn stmt(&mut self, s: &Stmt) {
        let Stmt {
            kind, notes, at, ..
        } = s;
        let head = |line: String| match at {
            Some(offset) => format!("{line}  @{offset}"),
            None => line,
        };
        match kind {
            StmtKind::Declare(d) => self.noted(&head(declare(d)), notes),
            StmtKind::Assign { lhs, rhs } => {
                self.noted(&head(format!("{} = {}", expr(lhs), expr(rhs))), notes);
            }
            StmtKind::Expr(e) => self.noted(&head(format!("do {}", expr(e))), notes),
            StmtKind::If {
                branches,
                otherwise,
            } => self.branches(branches, otherwise.as_deref(), notes, head),
            StmtKind::For(f) => {
                self.noted(&head(for_head(f)), notes);
                self.inside(|out| out.block(&f.body));
            }
            StmtKind::ForEach(f) => {
                self.noted(&head(for_each_head(f)), notes);
                self.inside(|out| out.block(&f.body));
            }
            StmtKind::While { cond, body } => {
                let line = match cond {
                    Some(cond) => format!("while {}", expr(cond)),
                    None => "loop".to_owned(),
                };
                self.noted(&head(line), notes);
                self.inside(|out| out.block(body));
            }
            StmtKind::Switch {
                selector,
                cases,
                default,
            } => {
                self.noted(&head(format!("switch {}", expr(selector))), notes);
                for (values, body, notes) in cases {
                    self.noted(&format!("case {}", joined(values, expr)), notes);
                    self.inside(|out| out.block(body));
                    self.closing(notes);
                }
                if let Some((body, notes)) = default {
                    self.noted("default", notes);
                    self.inside(|out| out.block(body));
                    self.closing(notes);
                }
            }
            StmtKind::Block(body) => {
                self.noted(&head("block".to_owned()), notes);
                self.inside(|out| out.block(body));
            }
            StmtKind::Break => self.noted(&head("break".to_owned()), notes),
            StmtKind::Continue => self.noted(&head("continue".to_owned()), notes),
            StmtKind::Goto(label) => self.noted(&head(format!("goto {label}")), notes),
            StmtKind::Label(label) => self.noted(&head(format!("label {label}")), notes),
            StmtKind::Return(None) => self.noted(&head("return".to_owned()), notes),
            StmtKind::Return(Some(e)) => self.noted(&head(format!("return {}", expr(e))), notes),
            StmtKind::Empty => self.noted(&head("nothing".to_owned()), notes),
        }
        self.closing(notes);
    }

    fn branches(
        &mut self,
        branches: &[(Expr, Vec<Stmt>)],
        otherwise: Option<&[Stmt]>,
        notes: &Notes,
        head: impl Fn(String) -> String,
    ) {
        for (k, (cond, body)) in branches.iter().enumerate() {
            match k {
                0 => self.noted(&head(format!("if {}", expr(cond))), notes),
                _ => self.line(&format!("else if {}", expr(cond))),
            }
            self.inside(|out| out.block(body));
        }
        if let Some(body) = otherwise {
            self.line("else");
            self.inside(|out| out.block(body));
        }
    }
}

fn declare(d: &Declare) -> String {
    let Declare {
        ty: t,
        qualifier,
        names,
        maybe_unused,
    } = d;
    let qualifier = match qualifier {
        Qualifier::None => "",
        Qualifier::Shared => "shared ",
        Qualifier::SharedTile => "shared tile ",
        Qualifier::Const => "const ",
        Qualifier::Constexpr => "constexpr ",
    };
    let names = joined(names, |Declarator { name, init }| match init {
        Init::None => name.clone(),
        Init::Value(e) => format!("{name} = {}", expr(e)),
        Init::Args(args) => format!("{name}({})", joined(args, expr)),
        Init::Default => format!("{name} by default"),
    });
    let unused = if *maybe_unused { ", maybe unused" } else { "" };
    format!("{qualifier}{} :: {names}{unused}", ty(t))
}

fn for_head(f: &For) -> String {
    let For {
        var,
        declare,
        from,
        cond,
        step,
        body: _,
    } = f;
    let declare = declare
        .as_ref()
        .map_or(String::new(), |t| format!("{} :: ", ty(t)));
    let from = from
        .as_ref()
        .map_or(String::new(), |e| format!(" = {}", expr(e)));
    let step = match step {
        Step::By(n) => n.to_string(),
        Step::Expr(e) => expr(e),
        Step::Counted { count, by } => format!("{}, {count} by -1", expr(by)),
    };
    format!("for {declare}{var}{from} while {} by {step}", expr(cond))
}

fn for_each_head(f: &ForEach) -> String {
    let ForEach {
        vars,
        ty: t,
        range,
        maybe_unused,
        body: _,
    } = f;
    let unused = if *maybe_unused { ", maybe unused" } else { "" };
    format!(
        "for {} :: {} in {}{unused}",
        ty(t),
        vars.join(", "),
        expr(range)
    )
}
