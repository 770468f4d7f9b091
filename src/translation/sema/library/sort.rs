//! FSORT of the module `sort` (guide 3.9.2): which argument is which, and what they have to be.

use crate::ast::Span;
use crate::sema::expression::typed::*;
use crate::sema::model::*;

/// A call's arguments by their names.
pub struct Arguments<'t> {
    pub array: &'t TExpr,
    pub indices: Option<&'t TExpr>,
    pub n: &'t TExpr,
    pub init_index: Option<&'t TExpr>,
    pub workspace: Option<&'t TExpr>,
    pub worksize: Option<&'t TExpr>,
    pub stream: Option<&'t TExpr>,
}

/// What is wrong with a call; without a place the call as a whole.
pub struct CallError {
    pub span: Option<Span>,
    pub message: String,
}

impl CallError {
    fn at(e: &TExpr, message: impl Into<String>) -> CallError {
        CallError {
            span: Some(e.span),
            message: message.into(),
        }
    }

    fn call(message: impl Into<String>) -> CallError {
        CallError {
            span: None,
            message: message.into(),
        }
    }
}

type Args<'t> = &'t [(Option<String>, TExpr)];

/// The second argument is the array of indices: said by its keyword or its rank, or, if it is an element, by what follows it, for after
/// a number of elements there is work space on the device, or a stream.
fn is_indexed(args: Args<'_>, host: bool) -> bool {
    if args.iter().any(|(k, _)| k.as_deref() == Some("indices")) {
        return true;
    }
    let positional = |i: usize| args.get(i).filter(|(k, _)| k.is_none()).map(|(_, e)| e);
    let Some(second) = positional(1) else {
        return false;
    };
    if second.rank > 0 || !matches!(second.kind, TExprKind::Index { .. }) {
        return second.rank > 0;
    }
    let count = |e: &TExpr| match e.ty {
        Type::Integer(kind) if e.rank == 0 => !host || kind != 8,
        _ => false,
    };
    let apart = |e: &TExpr| count(e) && !matches!(e.kind, TExprKind::Index { .. });
    let flag = |e: &TExpr| matches!(e.ty, Type::Logical(_));
    positional(2).is_some_and(apart) || positional(3).is_some_and(flag)
}

/// The four forms differ by their second argument, and by where the array lies.
pub fn arguments<'t>(model: &Model, args: Args<'t>) -> Result<Arguments<'t>, CallError> {
    let named = |name: &str| args.iter().find(|(k, _)| k.as_deref() == Some(name));
    let (_, first) = (named("array").or(args.first())).ok_or_else(|| {
        CallError::call("`fsort` requires an array and the number of its elements")
    })?;
    let host = model.space(first).is_none_or(on_host);
    let order: &[&str] = match (host, is_indexed(args, host)) {
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
        let place = if host { "host" } else { "device" };
        let message = format!(
            "the arguments of `fsort` for {place} data are `({})`",
            order.join(", ")
        );
        return Err(CallError::call(message));
    }
    let get = |name: &str| {
        let place = order.iter().position(|d| *d == name)?;
        let positional = args.get(place).filter(|(k, _)| k.is_none());
        named(name).or(positional).map(|(_, e)| e)
    };
    let missing = || CallError::call("`fsort` requires an array and the number of its elements");
    let a = Arguments {
        array: get("array").ok_or_else(missing)?,
        indices: get("indices"),
        n: get("n").ok_or_else(missing)?,
        init_index: get("init_index"),
        workspace: get("workspace"),
        worksize: get("worksize"),
        stream: get("stream"),
    };
    a.fit(model, host)?;
    Ok(a)
}

fn on_host(space: Space) -> bool {
    matches!(space, Space::Host | Space::Pinned)
}

impl Arguments<'_> {
    fn fit(&self, model: &Model, host: bool) -> Result<(), CallError> {
        let sorted = matches!(
            self.array.ty,
            Type::Integer(4 | 8) | Type::Real(4 | 8) | Type::Unknown
        );
        if !sorted || !self.array.is_designator() {
            return Err(CallError::at(
                self.array,
                "array of `fsort` must be integer or real of kind 4 or 8",
            ));
        }
        if let Some(i) = self.indices {
            let integer = matches!(i.ty, Type::Integer(4) | Type::Unknown) && i.is_designator();
            let beside = match model.space(i) {
                None | Some(Space::Managed | Space::Unified) => true,
                Some(s) => on_host(s) == host,
            };
            if !integer || !beside {
                let place = if host { "on the host" } else { "on the device" };
                let message = format!(
                    "indices of `fsort` must be an `integer(4)` array {place}, as the data is"
                );
                return Err(CallError::at(i, message));
            }
        }
        let integers = [
            ("n", Some(self.n)),
            ("worksize", self.worksize),
            ("stream", self.stream),
        ];
        for (name, e) in integers {
            let wrong = |e: &&TExpr| {
                e.rank > 0 || !matches!(e.ty, Type::Integer(_) | Type::Unknown | Type::Boz)
            };
            if let Some(e) = e.filter(wrong) {
                return Err(CallError::at(
                    e,
                    format!("argument `{name}` of `fsort` must be an integer"),
                ));
            }
        }
        let flag = |e: &&TExpr| e.rank == 0 && matches!(e.ty, Type::Logical(_) | Type::Unknown);
        if let Some(e) = self.init_index.filter(|e| !flag(e)) {
            return Err(CallError::at(
                e,
                "argument `init_index` of `fsort` must be logical",
            ));
        }
        let space = |e: &&TExpr| {
            e.ty == Type::Unknown
                || e.is_designator()
                    && e.ty == self.array.ty
                    && model.space(e).is_none_or(|s| !on_host(s))
        };
        if let Some(e) = self.workspace.filter(|e| !space(e)) {
            let message =
                "argument `workspace` of `fsort` must be a device array of the sorted type";
            return Err(CallError::at(e, message));
        }
        Ok(())
    }
}
