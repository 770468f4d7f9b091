//! FSORT of the module `sort` (guide 3.9.2).

use super::walk::Walk;
use super::{Call, Lowered, Operation};
use crate::abi::{Gives, ParamSource, Passing};
use crate::ast::{self, Span};
use crate::ir::{self, *};
use crate::sema::model::{self, *};
use crate::sema::typed::*;

/// A call's arguments by their names.
struct Arguments<'t> {
    array: &'t TExpr,
    indices: Option<&'t TExpr>,
    n: &'t TExpr,
    init_index: Option<&'t TExpr>,
    stream: Option<&'t TExpr>,
}

/// The four forms differ by their second argument, and by where the array lies.
fn arguments(args: &[(Option<String>, TExpr)], host: bool) -> Option<Arguments<'_>> {
    let named = |name: &str| args.iter().find(|(k, _)| k.as_deref() == Some(name));
    let second = args.get(1).filter(|(k, _)| k.is_none());
    let indexed = named("indices").is_some() || second.is_some_and(|(_, e)| e.rank > 0);
    let order: &[&str] = match (host, indexed) {
        (true, false) => &["array", "n", "stream"],
        (true, true) => &["array", "indices", "n", "init_index", "stream"],
        (false, false) => &["array", "n", "workspace", "worksize", "stream"],
        (false, true) => &[
            "array",
            "indices",
            "n",
            "init_index",
            "workspace",
            "worksize",
            "stream",
        ],
    };
    let known = |k: &Option<String>| k.as_deref().is_none_or(|k| order.contains(&k));
    if args.len() > order.len() || !args.iter().all(|(k, _)| known(k)) {
        return None;
    }
    let get = |name: &str| {
        let place = order.iter().position(|d| *d == name)?;
        let positional = args.get(place).filter(|(k, _)| k.is_none());
        named(name).or(positional).map(|(_, e)| e)
    };
    Some(Arguments {
        array: get("array")?,
        indices: get("indices"),
        n: get("n")?,
        init_index: get("init_index"),
        stream: get("stream"),
    })
}

impl Walk<'_, '_> {
    /// The launcher of a call.
    pub(super) fn sort(
        &mut self,
        args: &[(Option<String>, TExpr)],
        call: &ast::Call,
        span: Span,
    ) -> Option<Lowered> {
        let keyword = |k: &Option<String>| k.as_deref() == Some("array");
        let array = args.iter().find(|(k, _)| keyword(k)).or(args.first())?;
        let memory = match self.sh.model.space(&array.1)? {
            Space::Device => ArrayArg::Device,
            Space::Managed | Space::Unified => ArrayArg::Managed,
            Space::Host | Space::Pinned => ArrayArg::Host,
            _ => return None,
        };
        let host = matches!(memory, ArrayArg::Host);
        let a = arguments(args, host)?;
        let sorted = matches!(
            a.array.ty,
            model::Type::Integer(4 | 8) | model::Type::Real(4 | 8)
        );
        let integer = |e: &TExpr| matches!(e.ty, model::Type::Integer(4));
        if !sorted || !a.indices.is_none_or(integer) {
            return None;
        }
        let syntax: Vec<&ast::Expr> = call.args.iter().map(|a| &a.value).collect();
        let mut o = self.operation("sort", &syntax, 1)?;
        o.elements("array", a.array)?;
        o.value("n", a.n)?;
        match a.indices {
            Some(i) => o.elements("indices", i)?,
            None => o.constant(Expr::new(ExprKind::Null, ir::Type::Auto)),
        }
        o.flag("number", a.init_index)?;
        let stream = match a.stream {
            Some(s) => Some(o.cx.operands.as_ref()?.find(s.span)?),
            None => None,
        };
        o.finish(Call {
            function: ArrayFunction::Sort,
            targs: vec![memory],
            result: ir::Type::Void,
            gives: Gives::Nothing,
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
        let source = ParamSource::Captured(self.cx.operands.as_ref()?.find(e.span)?);
        self.parameter(name, Passing::Address, source, pointer, |p| p);
        Some(())
    }
}
