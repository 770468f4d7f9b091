//! FSORT of the module `sort` (guide 3.9.2).

use super::walk::Walk;
use super::{Call, Lowered, Operation};
use crate::abi::{ArgPassing, ParamSource, ReturnKind};
use crate::ast::{self, Span};
use crate::ir::{self, *};
use crate::sema::expression::typed::*;
use crate::sema::library::sort;
use crate::sema::model::*;

impl Walk<'_, '_> {
    /// The launcher of a call.
    pub(super) fn sort(
        &mut self,
        args: &[(Option<String>, TExpr)],
        call: &ast::Call,
        span: Span,
    ) -> Option<Lowered> {
        let a = sort::arguments(self.sh.model, args).ok()?;
        let memory = match self.sh.model.space(a.array)? {
            Space::Device => ArrayArg::Device,
            Space::Managed | Space::Unified => ArrayArg::Managed,
            Space::Host | Space::Pinned => ArrayArg::Host,
            _ => return None,
        };
        let syntax: Vec<&ast::Expr> = call.args.iter().map(|a| &a.value).collect();
        let mut o = self.operation("sort", &syntax, 1)?;
        o.elements("array", a.array)?;
        o.value("n", a.n)?;
        match a.indices {
            Some(i) => o.elements("indices", i)?,
            None => o.constant_argument(Expr::new(ExprKind::Null, ir::Type::Auto)),
        }
        o.flag("number", a.init_index)?;
        let stream = match a.stream {
            Some(s) => Some(o.cx.operands.as_ref()?.syntax_of(s.span)?),
            None => None,
        };
        o.finish(Call {
            function: ArrayFunction::Sort,
            targs: vec![memory],
            result: ir::Type::Void,
            gives: ReturnKind::Nothing,
            stream,
            span,
        })
    }
}

impl Operation<'_, '_> {
    fn is_assumed_size(&self, e: &TExpr) -> bool {
        let variable = match e.kind {
            TExprKind::Variable(s) => self.cx.model().variable(s),
            _ => None,
        };
        let open = |d: &Dim| matches!(d, Dim::AssumedSize { .. });
        variable.is_some_and(|v| v.dims.iter().any(open))
    }

    /// An array or the element that it begins with.
    fn elements(&mut self, name: &str, e: &TExpr) -> Option<()> {
        if !e.is_designator() {
            return None;
        }
        // Nothing is known of the size of an assumed-size array.
        if e.rank > 0 && !self.is_assumed_size(e) {
            return self.array(name, e, true);
        }
        let pointer = ir::Type::Pointer {
            to: Box::new(self.cx.storage_type(&e.ty)?),
            restrict: false,
        };
        let source = ParamSource::Captured(self.cx.operands.as_ref()?.syntax_of(e.span)?);
        self.parameter(name, ArgPassing::Address, source, pointer, |p| p);
        Some(())
    }
}
