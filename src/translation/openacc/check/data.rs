//! The variables in clauses.

use super::super::clause::{Argument, ClauseKind};
use super::super::directive::{Clause, Directive, Kind, Value};
use super::super::regions::{counts, loops_around};
use super::checker::{Checker, is_name, name_of};
use crate::ast::{Expr, ExprKind};
use crate::sema::expression::dependence::same;
use crate::sema::expression::typed::{Subscript, TExpr, TExprKind};
use crate::sema::model::{Dim, Model, SymbolKind, Type, VarAttrs};
use crate::suggest;

/// Code of what a clause cannot list.
const OBJECT: &str = "CUF0521";
/// Code of sections with gaps.
const SECTION: &str = "CUF0522";
/// Code of private parts of arrays.
const PART: &str = "CUF0538";
/// Code of `update` of device data.
const UPDATE: &str = "CUF0528";

impl Checker<'_> {
    pub(super) fn data_clauses(&mut self, d: &Directive) {
        for c in &d.clauses {
            if c.kind.argument() != Argument::Variables {
                continue;
            }
            for i in &c.items {
                if let Some(section) = &i.section {
                    self.private_section(c, section);
                }
                match &i.value {
                    Value::Expr(e) => self.object(d, c, e),
                    Value::Common(name) => {
                        if !c.kind.accepts_common() {
                            let message = format!(
                                "clause `{}` does not accept common block `/{}/`\nhelp: list its variables",
                                c.word.text, name.text
                            );
                            self.report(OBJECT, i.span, message);
                        }
                    }
                    Value::Star => {}
                }
            }
        }
    }

    fn object(&mut self, d: &Directive, c: &Clause, e: &Expr) {
        let text = self.slice(e.span);
        // It could not be read.
        if matches!(e.kind, ExprKind::Other) {
            return;
        }
        let Some(name) = e.base_name() else {
            let message = format!(
                "`{text}` in clause `{}` is not a variable\nnote: the clause lists variables, array sections, and \
                 components",
                c.word.text
            );
            self.report(OBJECT, e.span, message);
            return;
        };
        let Some(symbol) = self.model.lookup(self.scope, &name.text) else {
            self.undeclared(c, e);
            return;
        };
        let what = match &self.model[symbol].kind {
            SymbolKind::Parameter(_) => {
                // A constant needs no memory; compilers accept the listing.
                let harmless = matches!(c.kind, ClauseKind::Copyin | ClauseKind::Firstprivate);
                (!harmless).then_some("a named constant")
            }
            SymbolKind::Procedure(_)
            | SymbolKind::Generic(_)
            | SymbolKind::StatementFunction(_) => Some("a procedure"),
            SymbolKind::DerivedType(_) => Some("a type"),
            SymbolKind::Module(_) => Some("a module"),
            SymbolKind::Namelist => Some("a namelist group"),
            _ => None,
        };
        if let Some(what) = what {
            let message = format!(
                "`{text}` in clause `{}` is {what}, not a variable\nhelp: remove it from the clause",
                c.word.text
            );
            self.report(OBJECT, e.span, message);
            return;
        }
        if let SymbolKind::Variable(v) = &self.model[symbol].kind
            && matches!(v.ty, Type::ClassStar)
        {
            let message = format!(
                "`{text}` in clause `{}` is unlimited polymorphic\nnote: the size of its data is not known\nhelp: \
                 pass a variable of a type",
                c.word.text
            );
            self.report(OBJECT, e.span, message);
            return;
        }
        let t = self.designator(e);
        let component = t.any(&mut |x: &TExpr| matches!(x.kind, TExprKind::Component { .. }));
        match c.kind {
            ClauseKind::Private
            | ClauseKind::Firstprivate
            | ClauseKind::Deviceptr
            | ClauseKind::DeviceResident
            | ClauseKind::Link
                if component =>
            {
                let message = format!(
                    "`{text}` in clause `{}` is a component\nnote: the clause lists whole variables\nhelp: assign it to \
                     a local variable, and list that",
                    c.word.text
                );
                self.report(OBJECT, e.span, message);
            }
            ClauseKind::Attach | ClauseKind::Detach => self.attached(c, e, &t),
            _ => {}
        }
        if c.kind == ClauseKind::Private && self.is_counted_outside(d, &name.text) {
            let message = format!(
                "`{text}` in clause `private` is the variable of a loop around and is ignored\nnote: a private copy would \
                 have no value; the variables of loops are private anyway (OpenACC 2.9)\nhelp: remove it from the clause"
            );
            self.report(OBJECT, e.span, message).warning = true;
        }
        if c.kind == ClauseKind::Firstprivate && self.is_on_device(symbol) {
            let message = format!(
                "device variable `{text}` in clause `firstprivate`\nnote: data in device memory are shared by all \
                 threads\nhelp: remove it from the clause, or declare a host variable"
            );
            self.report(OBJECT, e.span, message);
        }
        if matches!(c.kind, ClauseKind::Private | ClauseKind::Firstprivate)
            && self.model.has_dynamic(&t.ty)
        {
            let message = format!(
                "`{text}` in clause `{}` has allocatable or pointer components\nnote: private copies of such variables \
                 are not supported\nhelp: use variables without such components",
                c.word.text
            );
            self.report(OBJECT, e.span, message);
        }
        if d.kind == Kind::Update && self.model.space(&t).is_some_and(Model::is_device_space) {
            let message = format!(
                "`{text}` in directive `update` is CUDA device data\nnote: it has no copy in host memory that \
                 `update` could read or change\nhelp: assign it to a host variable instead: `h = {text}`"
            );
            self.report(UPDATE, e.span, message);
        }
        if c.kind.is_data() || matches!(c.kind, ClauseKind::Delete) {
            self.contiguous(c, e, &t);
        }
    }

    fn undeclared(&mut self, c: &Clause, e: &Expr) {
        let Some(name) = e.base_name() else { return };
        if self.model.around(self.scope).any(|s| s.open_ended) {
            return;
        }
        let mut names: Vec<&str> = Vec::new();
        for s in self.model.around(self.scope) {
            names.extend(s.names.keys().map(|w| w.as_str()));
        }
        let help = suggest::question(&name.text, names);
        let message = format!(
            "variable `{}` in clause `{}` is not declared{help}",
            self.slice(name.span),
            c.word.text
        );
        self.report(OBJECT, name.span, message);
    }

    fn attached(&mut self, c: &Clause, e: &Expr, t: &TExpr) {
        let dynamic = |a: VarAttrs| a.is_dynamic();
        let declared = self.model.declared(t);
        if declared.is_some_and(|d| !dynamic(d.attrs)) {
            let message = format!(
                "`{}` in clause `{}` is not a pointer or allocatable variable\nhelp: name the pointer or allocatable \
                 variable itself, without subscripts",
                self.slice(e.span),
                c.word.text
            );
            self.report(OBJECT, e.span, message);
        }
    }

    fn contiguous(&mut self, c: &Clause, e: &Expr, t: &TExpr) {
        let TExprKind::Index { subs, .. } = &t.kind else {
            return;
        };
        let integer = |x: &Option<TExpr>| x.as_ref().map(|x| x.as_integer());
        let strided = subs.iter().any(|s| match s {
            Subscript::Range { step, .. } => matches!(integer(step), Some(Some(n)) if n != 1),
            _ => false,
        });
        let vector = subs.iter().any(|s| matches!(s, Subscript::Vector(_)));
        if !(strided || vector || self.model.surely_has_gaps(t)) {
            return;
        }
        let message = format!(
            "section `{}` in clause `{}` is not contiguous\nnote: sections in data clauses must be contiguous \
             (OpenACC 2.7.1)\nhelp: list the whole array, or a section of its last dimension",
            self.slice(e.span),
            c.word.text
        );
        self.report(SECTION, e.span, message);
    }

    /// Arrays are private as a whole, so that a section must be all of the array.
    fn private_section(&mut self, c: &Clause, e: &Expr) {
        let t = self.designator(e);
        let whole = || -> Option<bool> {
            let TExprKind::Index { base, subs } = &t.kind else {
                return None;
            };
            let root = base.root()?;
            let scope = self.model[root].scope;
            let is = |given: &Option<TExpr>, declared: Option<&Expr>| match (given, declared) {
                (None, _) => true,
                (Some(given), None) => given.as_integer() == Some(1),
                (Some(given), Some(declared)) => {
                    let declared = self.model.expr(scope, declared);
                    let value = declared.as_integer();
                    value.is_some() && value == given.as_integer() || same(&declared, given)
                }
            };
            let all = self.model.dims(root).iter().zip(subs);
            let mut each = all.map(|(dim, sub)| match (dim, sub) {
                (Dim::Explicit { lower, upper }, Subscript::Range { lo, hi, step: None }) => {
                    is(lo, lower.as_deref()) && is(hi, Some(upper))
                }
                (_, Subscript::Range { lo, hi, step }) => {
                    lo.is_none() && hi.is_none() && step.is_none()
                }
                _ => false,
            });
            Some(each.all(|w| w))
        };
        if whole() != Some(false) {
            return;
        }
        let name = e.base_name().map_or("", |n| n.text.as_str());
        let message = format!(
            "`{}` in clause `{}` is a part of an array\nnote: arrays are private as a whole\nhelp: list `{name}`",
            self.slice(e.span),
            c.word.text
        );
        self.report(PART, e.span, message);
    }

    /// The names that the arguments of a directive list.
    pub(super) fn listed_procedures(&mut self, d: &Directive) {
        for i in &d.arguments {
            let Some(e) = i.expr() else { continue };
            let name = e.as_name().filter(|_| is_name(e));
            let Some(name) = name else {
                let message = format!(
                    "`{}` in directive `{}` is not the name of a procedure",
                    self.slice(e.span),
                    name_of(d)
                );
                self.report(OBJECT, e.span, message);
                continue;
            };
            let symbol = self.model.lookup(self.scope, &name.text);
            let wrong = symbol.is_some_and(|s| {
                matches!(
                    self.model[s].kind,
                    SymbolKind::Parameter(_) | SymbolKind::DerivedType(_) | SymbolKind::Module(_)
                ) || matches!(&self.model[s].kind, SymbolKind::Variable(v) if v.declared && !v.dims.is_empty())
            });
            if wrong {
                let message = format!(
                    "`{}` in directive `{}` is not a procedure",
                    self.slice(e.span),
                    name_of(d)
                );
                self.report(OBJECT, e.span, message);
            }
        }
    }

    /// A loop of the construct around the directive has that variable.
    fn is_counted_outside(&self, d: &Directive, name: &str) -> bool {
        let from = self.construct().map(|r| r.directive.span.start);
        let loops = loops_around(&self.unit.body, d.span.start);
        let mut inside = loops.iter().filter(|s| Some(s.span.start) > from);
        from.is_some() && inside.any(|s| counts(s, name))
    }
}
