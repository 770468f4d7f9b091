//! Statements that transfer control while they hold something (`held/`): what they hold is freed before they branch. Conditions and
//! selectors get their value first; a statement that branches by itself does so to labels of its own.

use crate::ast::*;
use crate::host::context::names::{BTEST, CONDITION, CUF};
use crate::host::context::rules::{Statements, Values};
use crate::host::context::{Held, HostRewriter, Within};
use crate::host::temporaries::joined;
use crate::map::Rule;
use crate::sema::model::Type;

/// Where a statement names a label that it may branch to: `*10`, or `10` in `err=10`.
pub(in crate::translation::host) struct Branch {
    pub label: u32,
    pub span: Span,
}

/// Alternate returns.
pub(in crate::translation::host) fn alternate_returns(args: &[Arg]) -> Vec<Branch> {
    let branch = |a: &Arg| match a.value.kind {
        ExprKind::Star { label: Some(label) } => Some(Branch {
            label,
            span: a.value.span,
        }),
        _ => None,
    };
    args.iter().filter_map(branch).collect()
}

/// The labels that ERR=, END= and EOR= name.
pub(in crate::translation::host) fn io_branches(control: &[Arg]) -> Vec<Branch> {
    let label = |a: &Arg| match (&a.keyword, &a.value.kind) {
        (Some(k), ExprKind::Integer { digits, .. })
            if matches!(k.text.as_str(), "err" | "end" | "eor") =>
        {
            Some(Branch {
                label: digits.parse().ok()?,
                span: a.value.span,
            })
        }
        _ => None,
    };
    control.iter().filter_map(label).collect()
}

impl HostRewriter<'_> {
    /// [`Self::holding`] of a statement with branches. If it holds something, they go to labels in the BLOCK around it, and on from
    /// there after the releases.
    pub(in crate::translation::host) fn holding_branches(
        &mut self,
        statement: Span,
        branches: &[Branch],
        walk: impl FnOnce(&mut Self),
    ) {
        if branches.is_empty() || self.within != Within::Ordinary {
            return self.holding(statement, walk);
        }
        let mark = self.edits.mark();
        let mut held = self.held_by(walk);
        if held.is_empty() {
            return;
        }
        let name = self.held_name("branch");
        let mut labels: Vec<(u32, u32)> = Vec::new();
        for b in branches {
            let known = labels.iter().find(|(label, _)| *label == b.label);
            let new = known.map_or_else(|| self.new_label(), |(_, new)| *new);
            if known.is_none() {
                labels.push((b.label, new));
            }
            let star = if self.slice(b.span).starts_with('*') {
                "*"
            } else {
                ""
            };
            self.edits
                .replace(Rule::ControlFlow, b.span, format!("{star}{new}"));
        }
        let done = self.new_label();
        let mut taken = Vec::new();
        for (index, (_, new)) in labels.iter().enumerate() {
            taken.push(format!("go to {done}"));
            taken.push(format!("{new} {name} = {}", index + 1));
        }
        taken.push(format!("{done} continue"));
        let on = labels.iter().enumerate();
        let on: Vec<String> = on
            .map(|(index, (label, _))| format!("if ({name} == {}) go to {label}", index + 1))
            .collect();
        let branch = Held {
            declaration: format!("integer :: {name}"),
            set: vec![format!("{name} = 0")],
            release: taken,
            end: None,
            at: None,
            name,
        };
        held.insert(0, branch);
        self.enclose(statement, mark, &held, &on);
    }

    /// A label that the file does not use.
    fn new_label(&mut self) -> u32 {
        loop {
            self.last_label -= 1;
            if !self.text.contains(&self.last_label.to_string()) {
                return self.last_label;
            }
        }
    }

    /// The condition that an IF statement or construct begins with. What it holds is freed before the rest runs.
    pub(in crate::translation::host) fn condition(&mut self, condition: &Expr, statement: Span) {
        self.first_value(condition, statement, true);
    }

    /// The same of the value that selects a branch: SELECT CASE, arithmetic IF, computed GO TO, alternate return.
    pub(in crate::translation::host) fn selector(&mut self, selector: &Expr, statement: Span) {
        self.first_value(selector, statement, false);
    }

    fn first_value(&mut self, condition: &Expr, statement: Span, truth: bool) {
        let mark = self.edits.mark();
        let Some(lines) = self.held_condition(condition, truth) else {
            return;
        };
        let indent = self.indent_at(statement.start);
        self.edits.insert_at(
            Rule::ControlFlow,
            mark,
            statement.start,
            format!("block\n{indent}{}  ", joined(&lines, &indent)),
        );
        self.edits
            .replace(Rule::ControlFlow, condition.span, CONDITION);
        self.edits.insert(
            Rule::ControlFlow,
            statement.end,
            format!("\n{indent}  end associate\n{indent}end block"),
        );
    }

    /// The condition of an ELSE IF statement, which becomes an IF construct within ELSE if it holds something (true). `end` is the END
    /// IF statement.
    pub(in crate::translation::host) fn else_condition(
        &mut self,
        condition: &Expr,
        header: Span,
        end: Span,
    ) -> bool {
        let Some(lines) = self.held_condition(condition, true) else {
            return false;
        };
        let indent = self.indent_at(header.start);
        self.edits.replace(
            Rule::ControlFlow,
            header,
            format!(
                "else\n{indent}block\n{indent}{}  if ({CUF}condition) then",
                joined(&lines, &indent)
            ),
        );
        let close = ["  end if", "  end associate", "end block"].map(str::to_owned);
        self.insert_before_line(Rule::ControlFlow, end.start, &close, 0);
        true
    }

    /// The condition of DO WHILE, which becomes the first statements of the loop if it holds something.
    pub(in crate::translation::host) fn loop_condition(
        &mut self,
        condition: &Expr,
        d: &Do,
        label: Option<u32>,
    ) {
        let Some(lines) = self.held_condition(condition, true) else {
            return;
        };
        let indent = self.indent_at(d.header.start) + "  ";
        let label = label.map_or_else(String::new, |l| format!(" {l}"));
        self.edits.replace(Rule::ControlFlow,
            d.header,
            format!(
                "do{label}\n{indent}block\n{indent}{}  if (.not. {CUF}condition) exit\n{indent}  end associate\n{indent}end block",
                joined(&lines, &indent)
            ),
        );
    }

    /// What stands before `cuf_condition`, which has the condition's value. None if it holds nothing; it is translated in its place
    /// then.
    fn held_condition(&mut self, condition: &Expr, truth: bool) -> Option<Vec<String>> {
        let mut text = String::new();
        let held = match self.within {
            Within::Ordinary => self.held_by(|p| text = p.value_text(condition)),
            _ => Vec::new(),
        };
        if held.is_empty() {
            let value = self.expr(condition);
            match truth {
                true => self.truth(&value),
                false => self.value(&value),
            }
            return None;
        }
        if truth && matches!(self.expr(condition).ty, Type::Integer(_)) {
            self.unit.runtime |= self.taken.hides_intrinsics();
            text = format!("{BTEST}({text}, 0)");
        }
        self.unit.runtime = true;
        let mut lines: Vec<String> = held.iter().map(|h| h.declaration.clone()).collect();
        lines.extend(held.iter().flat_map(|h| h.set.iter().cloned()));
        lines.push(format!("associate ({CUF}condition => {text})"));
        let releases = held.iter().flat_map(|h| &h.release);
        lines.extend(releases.map(|l| format!("  {l}")));
        Some(lines)
    }

    /// The last statement of a labelled loop becomes several: the loop ends with END DO then.
    pub(in crate::translation::host) fn needs_end_do(&mut self, d: &Do) -> bool {
        let mut at = d;
        let last = loop {
            match at.body.last() {
                Some(s) => match &s.kind {
                    StmtKind::Do(inner) if inner.label == d.label => at = inner,
                    StmtKind::Continue => return false,
                    _ => break s,
                },
                None => return false,
            }
        };
        let closes = last.label.as_ref().map(|l| l.value) == d.label;
        d.label.is_some() && closes && {
            let text = self.with_edits(last.span, |p| p.stmt_kind(last));
            text.contains('\n') && !self.slice(last.span).contains('\n')
        }
    }

    /// Takes the label out of a DO statement, unless the statement is replaced.
    pub(in crate::translation::host) fn drop_loop_label(&mut self, d: &Do) {
        let text = self.slice(d.header);
        let digits = |c: char| c.is_ascii_digit();
        let number = d.label.map(|l| l.to_string()).unwrap_or_default();
        let Some(from) = text.find(&number) else {
            return;
        };
        let rest = text[from..].trim_start_matches(digits);
        let rest = rest.trim_start().trim_start_matches(',').trim_start();
        let end = d.header.start + (text.len() - rest.len()) as u32;
        let start = d.header.start + from as u32;
        self.edits.delete(Rule::ControlFlow, Span { start, end });
    }
}
