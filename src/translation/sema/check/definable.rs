//! What host statements store into and what device code hands over to be changed: data that the host cannot address, data
//! that nobody may change (guide 3.2.5, 3.2.7, 3.4).

use super::checker::*;
use crate::intrinsics::{Intrinsic, Subroutine, System};

/// Specifiers of input and output statements whose variable is given a value, INQUIRE aside.
const STORED: [&str; 6] = ["iostat", "iomsg", "newunit", "size", "id", "errmsg"];

impl Checker<'_> {
    /// Variables that a statement of the host gives a value, other than by assignment.
    pub(super) fn stored_by_host(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::Do(d) => {
                // A host variable counts in the place of others.
                if d.label.is_some()
                    && let DoControl::Counted { var, .. } = &d.control
                    && let Some(v) = self.model.lookup(self.scope, &var.text)
                    && let Some(space) = self.model.variable(v).map(|v| v.space)
                    && Model::is_device_space(space)
                {
                    self.not_stored(var.span, space, "labeled `do` loop counts in");
                }
            }
            StmtKind::Read { control, items } => {
                self.control(control, "read");
                for i in items {
                    let t = self.expr(i);
                    self.implied_read(&t);
                }
            }
            StmtKind::Write { control, .. } => self.control(control, "write"),
            StmtKind::Io { word, control } => self.control(control, word),
            StmtKind::Allocate(a) => self.status(&a.options),
            StmtKind::Deallocate { options, .. } => self.status(options),
            _ => {}
        }
    }

    fn status(&mut self, options: &[Arg]) {
        for o in options {
            if o.keyword
                .as_ref()
                .is_some_and(|k| matches!(k.text.as_str(), "stat" | "errmsg"))
            {
                self.stored(&o.value);
            }
        }
    }

    fn control(&mut self, control: &[Arg], word: &str) {
        for (i, c) in control.iter().enumerate() {
            let t = self.expr(&c.value);
            self.host_expr(&t);
            let key = c.keyword.as_ref().map(|k| k.text.as_str());
            let unit = key == Some("unit") || key.is_none() && i == 0;
            let stored = match key {
                Some("unit" | "file") => false,
                Some(k) => word == "inquire" || STORED.contains(&k),
                None => false,
            };
            let internal_file = unit
                && matches!(word, "read" | "write")
                && matches!(self.expr(&c.value).ty, Type::Character(_));
            if stored || internal_file {
                self.stored(&c.value);
            }
        }
    }

    fn stored(&mut self, e: &ast::Expr) {
        let t = self.expr(e);
        if let Some(space) = self.model.space(&t)
            && Model::is_device_space(space)
        {
            self.not_stored(t.span, space, "host statement stores into");
        }
    }

    fn not_stored(&mut self, at: Span, space: Space, what: &str) {
        let name = self.slice(at).to_owned();
        self.report_help(
            "CUF0392",
            at,
            format!(
                "{what} `{name}`, which is {} data that host code cannot access",
                space_name(space)
            ),
            "use a host variable",
        );
    }

    /// Device data in an implied DO of an input list.
    fn implied_read(&mut self, t: &TExpr) {
        let TExprKind::ImpliedDo { items, .. } = &t.kind else {
            return;
        };
        for i in items {
            if self.is_device(i) {
                let name = self.root_name(i);
                self.report(
                    "CUF0351",
                    i.span,
                    format!("device variable `{name}` cannot be an input item\nhelp: read into a host variable, then assign it"),
                );
            }
            self.implied_read(i);
        }
    }

    /// Textures are read only (guide 3.2.7), in host code as in device code.
    pub(super) fn texture_target(&mut self, l: &TExpr) {
        if self.model.space(l) == Some(Space::Texture) {
            let name = self.root_name(l);
            self.report_help(
                "CUF0334",
                l.span,
                format!("texture `{name}` is read-only"),
                "assign to the array it is associated with",
            );
        }
    }

    /// Intrinsic subroutines run on the host: they neither read nor store device data.
    pub(super) fn intrinsic_subroutine_actuals(
        &mut self,
        intrinsic: Intrinsic,
        args: &[Option<TExpr>],
    ) {
        if intrinsic == Intrinsic::Subroutine(Subroutine::MoveAlloc) {
            return;
        }
        if args.iter().flatten().any(|a| self.is_device(a)) {
            self.intrinsic_dummies(intrinsic, args, false);
        }
        let filled = intrinsic == System::RandomNumber.into() && self.is_overloaded(intrinsic);
        for a in args.iter().flatten() {
            if !self.is_device(a) || filled && a.rank > 0 {
                continue;
            }
            let shown = self.root_name(a);
            self.report_help(
                "CUF0355",
                a.span,
                format!(
                    "argument `{shown}` of `{intrinsic}` is device data, but `{intrinsic}` runs on the host"
                ),
                "use a host variable",
            );
        }
    }

    /// Several device arrays in one actual argument that is an expression (guide 3.4.2).
    pub(super) fn argument_operands(&mut self, a: &TExpr) {
        let mut operands = Vec::new();
        arithmetic_operands(a, &mut operands);
        let arrays: Vec<&TExpr> = operands
            .into_iter()
            .filter(|e| e.rank > 0 && self.is_device(e))
            .collect();
        if let Some(first) = arrays.first()
            && let Some(second) = arrays.iter().find(|e| !self.model.same_data(first, e))
        {
            let (x, y) = (self.root_name(first), self.root_name(second));
            self.report_help(
                "CUF0357",
                second.span,
                format!("host expression has two device operands, `{x}` and `{y}`"),
                "copy one of them to a host variable first",
            );
        }
    }

    /// Actual arguments in device code for dummies that the procedure says it changes.
    pub(super) fn changed_actuals(&mut self, procedure: SymbolId, args: &[Option<TExpr>]) {
        let Some(p) = self.model.procedure(procedure) else {
            return;
        };
        for (d, a) in p.dummies.iter().zip(args) {
            let (Some(d), Some(a)) = (d, a) else { continue };
            let changes = self
                .model
                .variable(*d)
                .is_some_and(|v| matches!(v.intent, Some(Intent::Out | Intent::InOut)));
            if changes {
                self.changed_actual(*d, a);
            }
        }
    }

    fn changed_actual(&mut self, dummy: SymbolId, a: &TExpr) {
        let dummy = self.model[dummy].spelling.clone();
        if matches!(a.kind, TExprKind::Builtin { .. }) {
            let name = self.slice(a.span).to_owned();
            self.report(
                "CUF0336",
                a.span,
                format!(
                    "predefined variable `{name}` is passed to dummy argument `{dummy}`, which is modified"
                ),
            );
        } else if let Some((code, why)) = self.model.unchangeable(a) {
            let name = self.root_name(a);
            self.report(
                code,
                a.span,
                format!("`{name}` {why} and cannot be passed to dummy argument `{dummy}`, which is modified"),
            );
        } else if matches!(
            a.kind,
            TExprKind::Constant { .. }
                | TExprKind::Binary { .. }
                | TExprKind::Unary { .. }
                | TExprKind::Paren(_)
                | TExprKind::Intrinsic { .. }
        ) {
            self.report(
                "CUF0393",
                a.span,
                format!("expression is passed to dummy argument `{dummy}`, which is modified\nhelp: pass a variable"),
            );
        }
    }
}
