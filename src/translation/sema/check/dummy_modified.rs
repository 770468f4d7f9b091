//! Whether a procedure of the host may change a dummy without INTENT: what a CALL copies back, a function reference cannot.

use super::checker::*;

impl Checker<'_> {
    /// Device scalars that a function of the host gets as copies, and changes.
    pub(super) fn changed_copies(&mut self, procedure: SymbolId, args: &[Option<TExpr>]) {
        let Some(p) = self.model.procedure(procedure) else {
            return;
        };
        let Some(body) = p.body else { return };
        for (d, a) in p.dummies.iter().zip(args) {
            let (Some(d), Some(a)) = (d, a) else { continue };
            let Some(v) = self.model.variable(*d) else {
                continue;
            };
            let copied = v.space == Space::Host
                && v.intent.is_none()
                && !v.attrs.has(VarAttrs::VALUE)
                && a.rank == 0
                && a.is_designator()
                && self.is_device(a);
            if copied && self.changes(body, &self.model[*d].name) {
                let (name, dummy) = (self.root_name(a), self.model[*d].spelling.clone());
                self.report_help(
                    "CUF0365",
                    a.span,
                    format!("device variable `{name}` is passed to host dummy argument `{dummy}`\nnote: the function may modify the argument"),
                    "copy it to a host variable first, or declare the dummy argument `intent(in)`",
                );
            }
        }
    }

    /// The body of a procedure may give the name a value.
    fn changes(&self, body: ScopeId, name: &str) -> bool {
        let scope = &self.model[body];
        let Some(input) = self.inputs.get(scope.file.0 as usize) else {
            return true;
        };
        match unit_at(&input.ast.units, scope.span) {
            Some(unit) => stores(&unit.body, name),
            None => false,
        }
    }
}

fn unit_at(units: &[ProgramUnit], span: Span) -> Option<&ProgramUnit> {
    let around = units
        .iter()
        .find(|u| u.span.start <= span.start && span.end <= u.span.end)?;
    match around.span == span {
        true => Some(around),
        false => unit_at(&around.procedures, span),
    }
}

/// A statement stores into the name, or hands it to a procedure.
fn stores(stmts: &[Stmt], name: &str) -> bool {
    let is = |e: &ast::Expr| e.base_name().is_some_and(|n| n.text == name);
    stmts.iter().any(|s| match &s.kind {
        StmtKind::Assign { lhs, .. } => is(lhs),
        StmtKind::Call(c) => c.args.iter().any(|a| is(&a.value)),
        StmtKind::Read { control, items } => {
            items.iter().any(is) || control.iter().any(|c| is(&c.value))
        }
        StmtKind::Io { control, .. } => control.iter().any(|c| is(&c.value)),
        StmtKind::Allocate(a) => a.options.iter().any(|o| is(&o.value)),
        StmtKind::Do(d) => {
            let counts = matches!(&d.control, DoControl::Counted { var, .. } if var.text == name);
            counts || stores(&d.body, name)
        }
        StmtKind::Associate { items, body, .. } => {
            items.iter().any(|(_, e)| is(e)) || stores(body, name)
        }
        _ => s.blocks().iter().any(|b| stores(b, name)),
    })
}
