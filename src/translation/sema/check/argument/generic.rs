//! References to generic procedures that memory attributes leave without a specific procedure (guide 3.2.3, decision 23).

use crate::sema::check::checker::*;
use crate::sema::expression::generic::Unresolved;

/// What refers to a generic.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::translation::sema::check) enum Reference {
    Function,
    Call,
    Launch,
}

impl Checker<'_> {
    /// Checks the reference `name(args)`, if the name is a generic's. True if something was reported.
    pub(in crate::translation::sema::check) fn generic_reference(
        &mut self,
        name: &Name,
        args: &[Arg],
        reference: Reference,
    ) -> bool {
        if self.has_libraries && self.not_offered(name) {
            return true;
        }
        let Some(g) = self.model.lookup(self.scope, &name.text) else {
            return false;
        };
        if let Some(reported) =
            self.library_reference(g, args, name.span, reference != Reference::Function)
        {
            return reported;
        }
        // Beside an intrinsic procedure of the name, which takes what is left.
        let SymbolKind::Generic(generic) = &self.model[g].kind else {
            return false;
        };
        if crate::intrinsics::find(&name.text).is_some() {
            return false;
        }
        let shown = self.slice(name.span).to_owned();
        // Several without arguments, which the Fortran compiler will not see together.
        let procedure = |s: &SymbolId| self.model.procedure(*s);
        let bare = |s: &&SymbolId| procedure(s).is_some_and(|p| p.dummies.is_empty());
        let mut all = generic.specifics.iter().filter(bare).copied();
        if args.is_empty()
            && let Some(a) = all.next()
            && let Some(b) = all.find(|b| *b != a)
        {
            self.unresolved(&Unresolved::Ambiguous(a, b), &shown, name.span);
            return true;
        }
        let launched = reference == Reference::Launch;
        match self.model.memory_mismatch(self.scope, g, args, launched) {
            None => false,
            Some(why) => {
                self.unresolved(&why, &shown, name.span);
                true
            }
        }
    }

    /// Checks the operation or assignment that the generic `key` defines. True if something was reported.
    pub(in crate::translation::sema::check) fn defined_reference(
        &mut self,
        key: &str,
        operands: Vec<TExpr>,
        span: Span,
    ) -> bool {
        let mismatch = self
            .model
            .lookup(self.scope, key)
            .and_then(|g| self.model.operand_mismatch(self.scope, g, operands));
        if let Some(why) = &mismatch {
            self.unresolved(why, key, span);
        }
        mismatch.is_some()
    }

    fn unresolved(&mut self, why: &Unresolved, shown: &str, span: Span) {
        match why {
            Unresolved::NoMatch => {
                let message = format!(
                    "no specific procedure of `{shown}` matches the memory attributes of the arguments\nnote: a device dummy argument cannot be associated with host data, nor a host dummy argument with device data (guide, table 2)"
                );
                self.report("CUF0385", span, message);
            }
            Unresolved::Ambiguous(a, b) => {
                let (a, b) = (&self.model[*a].spelling, &self.model[*b].spelling);
                let message = format!(
                    "reference to generic `{shown}` is ambiguous: `{a}` and `{b}` match equally well"
                );
                self.report_help(
                    "CUF0386",
                    span,
                    message,
                    "call the specific procedure by name, or change the memory attributes of the arguments",
                );
            }
        }
    }

    /// Function references through generics inside an expression.
    pub(in crate::translation::sema::check) fn generic_references(&mut self, e: &ast::Expr) {
        let mut found: Vec<&ast::Expr> = vec![e];
        while let Some(e) = found.pop() {
            if let ExprKind::Ref { base, args } = &e.kind
                && let ExprKind::Name(n) = &base.kind
            {
                self.generic_reference(n, args, Reference::Function);
                if self.has_libraries && crate::intrinsics::find(&n.text).is_none() {
                    for a in args {
                        self.library_procedure(&a.value, None);
                    }
                }
            }
            match &e.kind {
                ExprKind::DefinedBinary { op, lhs, rhs } => {
                    let operands = vec![self.expr(lhs), self.expr(rhs)];
                    self.defined_reference(&format!("operator(.{}.)", op.text), operands, e.span);
                }
                ExprKind::DefinedUnary { op, operand } => {
                    let operands = vec![self.expr(operand)];
                    self.defined_reference(&format!("operator(.{}.)", op.text), operands, e.span);
                }
                _ => {}
            }
            e.for_each_child(&mut |c| found.push(c));
        }
    }
}
