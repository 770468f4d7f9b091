//! What the checks share: the code that is being checked, and the sink of findings.

pub(super) use crate::ast::{self, *};
use std::collections::BTreeSet;

use crate::intrinsics::{Choice, Intrinsic, Reduction, Shape};
pub(super) use crate::sema::expression::typed::*;
pub(super) use crate::sema::model::*;
pub(super) use crate::sema::{Finding, Input};

pub(super) struct Checker<'a> {
    pub(super) model: &'a Model,
    pub(super) inputs: &'a [Input<'a>],
    pub(super) file: FileId,
    pub(super) text: &'a str,
    pub(super) scope: ScopeId,
    /// Where the code being checked runs.
    pub(super) context: CodeContext,
    pub(super) findings: Vec<Finding>,
    /// Of the CUF loop being checked.
    pub(super) loop_start: u32,
    /// The CUF loop is a compute construct of OpenACC: host arrays stand for their copies on the device.
    pub(super) origin: LoopOrigin,
    /// Variables in `private` clauses of the loop and of loops inside.
    pub(super) private: BTreeSet<SymbolId>,
    /// The statement is in a branch that a constant condition excludes.
    pub(super) never_runs: bool,
    /// Labels of the device subprogram or CUF loop being checked.
    pub(super) labels: Vec<u32>,
    /// Variables of the DO loops around the statement, in device code and CUF loops.
    pub(super) counting: Vec<SymbolId>,
    /// The program uses modules of CUDA's libraries.
    pub(super) has_libraries: bool,
}

impl<'a> Checker<'a> {
    pub(super) fn report(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
    ) -> &mut Finding {
        let finding = Finding::new(code, self.file, span, message);
        self.findings.push(finding);
        let last = self.findings.len() - 1;
        &mut self.findings[last]
    }

    pub(super) fn report_help(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        help: &str,
    ) {
        self.report(code, span, message).help = Some(help.to_owned());
    }

    pub(super) fn slice(&self, span: Span) -> &'a str {
        self.text
            .get(span.start as usize..span.end as usize)
            .unwrap_or_default()
    }

    pub(super) fn expr(&self, e: &ast::Expr) -> TExpr {
        self.model.expr(self.scope, e)
    }

    pub(super) fn in_device_code(&self) -> bool {
        self.context == CodeContext::Device
    }

    pub(super) fn procedure_of(&self, scope: ScopeId) -> Option<&'a Procedure> {
        self.model[scope]
            .symbol
            .and_then(|s| self.model.procedure(s))
    }

    pub(super) fn child_scope(&self, parent: ScopeId, unit: &ProgramUnit) -> Option<ScopeId> {
        self.model.children_at(parent, unit.span).next()
    }

    pub(super) fn in_scope_at(&mut self, offset: u32, f: impl FnOnce(&mut Self)) {
        let inner = self.model.scope_at(self.file, offset).unwrap_or(self.scope);
        let saved = std::mem::replace(&mut self.scope, inner);
        f(self);
        self.scope = saved;
    }

    /// A designator as it is written, without subscripts: `x`, `p%x`.
    pub(super) fn root_name(&self, e: &TExpr) -> String {
        let mut depth = 0;
        let mut written = String::new();
        for c in self.slice(e.span).chars() {
            match c {
                '(' | '[' => depth += 1,
                ')' | ']' => depth -= 1,
                '&' => {}
                _ if depth == 0 && !c.is_whitespace() => written.push(c),
                _ => {}
            }
        }
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '%');
        let root = e.root().map(|s| self.model[s].spelling.to_string());
        match root {
            Some(root) if written.is_empty() || !written.chars().all(is_name) => root,
            _ => written,
        }
    }

    /// The type of `threadIdx` and its like, which is none of a number.
    pub(super) fn is_coordinates(&self, t: &TExpr) -> bool {
        match &t.unparenthesised().kind {
            TExprKind::Builtin { var, component } => {
                component.is_none() && *var != BuiltinVar::WarpSize
            }
            _ => match &t.ty {
                Type::Derived(d) => self.model[*d].external && self.model[*d].name == "dim3",
                Type::Opaque(name) => name == "dim3",
                _ => false,
            },
        }
    }

    /// Reports `threadIdx` and other values of its type where a number is wanted.
    pub(super) fn coordinates(&mut self, t: &TExpr, what: &str) -> bool {
        if !self.is_coordinates(t) {
            return false;
        }
        let t = t.unparenthesised();
        if !t.is_designator() && !matches!(t.kind, TExprKind::Builtin { .. }) {
            let message = format!("{what} must be a number, but it has type `type(dim3)`");
            self.report("CUF0208", t.span, message);
            return true;
        }
        let name = self.slice(t.span).to_owned();
        let message = format!("{what} must be an integer, but `{name}` has type `type(dim3)`");
        let help = &format!("name a component, such as `{name}%x`");
        self.report_help("CUF0208", t.span, message, help);
        true
    }

    /// The same of what a node makes a value of.
    pub(super) fn coordinates_within(&mut self, e: &TExpr) -> bool {
        let mut found = false;
        match &e.kind {
            TExprKind::Binary { lhs, rhs, .. } => {
                for operand in [lhs, rhs] {
                    found |= self.coordinates(operand, "an operand");
                }
            }
            TExprKind::Unary { operand, .. } => found = self.coordinates(operand, "the operand"),
            TExprKind::Intrinsic { intrinsic, args } => {
                let any = matches!(
                    intrinsic,
                    Intrinsic::Inquiry(_) | Intrinsic::Shape(_) | Intrinsic::Choice(Choice::Merge)
                );
                for a in args.iter().flatten() {
                    found |= !any && self.coordinates(a, &format!("an argument of {intrinsic}"));
                }
            }
            TExprKind::Runtime { name, args, .. } => {
                for (_, a) in args {
                    found |= self.coordinates(a, &format!("an argument of {name}"));
                }
            }
            TExprKind::Structure { of, args } => {
                let number = |i: usize| {
                    let fields = self.model.components_of(*of);
                    let field = fields.get(i);
                    field.is_some_and(|f| !matches!(f.ty, Type::Derived(_) | Type::Opaque(_)))
                };
                let numbers: Vec<&TExpr> = args
                    .iter()
                    .enumerate()
                    .filter(|(i, _)| number(*i))
                    .filter_map(|(_, a)| a.as_ref())
                    .collect();
                for a in numbers {
                    found |= self.coordinates(a, "a component");
                }
            }
            _ => {}
        }
        found
    }

    /// A variable of this scope.
    pub(super) fn variable_named(&self, name: &str) -> Option<&Variable> {
        self.model[self.scope]
            .names
            .get(name)
            .and_then(|s| self.model.variable(*s))
    }

    pub(super) fn is_device(&self, e: &TExpr) -> bool {
        self.model.space(e).is_some_and(Model::is_device_space)
    }

    /// Intrinsics that cudafor or cutensorex overload for device arrays in this scope (guide 4, decisions 37 and 53).
    /// Under cutensorex elemental ones may stand in the arguments of the overloaded.
    pub(super) fn is_overloaded(&self, intrinsic: Intrinsic) -> bool {
        use Reduction::*;
        let in_cudafor = matches!(
            intrinsic,
            Intrinsic::Reduction(Sum | Maxval | Minval | Any | All | Count | Product)
                | Intrinsic::Location(_)
                | Intrinsic::Choice(Choice::Merge)
                | Intrinsic::Shape(Shape::Pack)
        );
        in_cudafor && self.model.uses_part_of(self.scope, "cudafor") || self.overloads_all()
    }

    /// cutensorex overloads every intrinsic for device arrays.
    pub(super) fn overloads_all(&self) -> bool {
        self.model.uses_part_of(self.scope, "cutensorex")
    }
}

/// Designators that are operands of the arithmetic itself: not actual arguments, not subscripts.
pub(super) fn arithmetic_operands<'e>(e: &'e TExpr, out: &mut Vec<&'e TExpr>) {
    match &e.kind {
        TExprKind::Variable(_)
        | TExprKind::Index { .. }
        | TExprKind::Component { .. }
        | TExprKind::ComplexPart { .. } => out.push(e),
        TExprKind::Unary { operand, .. } | TExprKind::Paren(operand) => {
            arithmetic_operands(operand, out)
        }
        TExprKind::Binary { lhs, rhs, .. } => {
            arithmetic_operands(lhs, out);
            arithmetic_operands(rhs, out);
        }
        _ => {}
    }
}

pub(super) fn space_name(s: Space) -> &'static str {
    match s {
        Space::Host | Space::Thread => "host",
        Space::Device => "device",
        Space::Constant => "constant",
        Space::Shared => "shared",
        Space::Managed => "managed",
        Space::Unified => "unified",
        Space::Pinned => "pinned",
        Space::Texture => "texture",
    }
}
