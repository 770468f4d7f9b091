//! Which data other threads may change or see, and what references of the runtime let a thread learn of them.

use crate::ir::function::Sync;
use crate::lower::library::device_names::device_procedure;
use crate::sema::expression::typed::*;
use crate::sema::model::*;

/// What a reference of a procedure of a runtime module lets a thread learn.
pub fn of_runtime<'t>(
    model: &Model,
    name: &str,
    mut args: impl Iterator<Item = &'t TExpr>,
) -> Sync {
    let Some(function) = device_procedure(name) else {
        // The host's interface to the device is nothing that device code knows; arithmetic is.
        return match name.starts_with("cuda") {
            true => Sync::Memory,
            false => Sync::Never,
        };
    };
    let facts = function.facts();
    match facts.is_atomic() && args.next().is_some_and(|a| is_shared(model, a)) {
        true => Sync::Threads,
        false => facts.sync,
    }
}

/// Shared data, which the threads of one block reach.
pub fn is_shared(model: &Model, t: &TExpr) -> bool {
    model.space(t) == Some(Space::Shared)
}

/// What an access of a VOLATILE variable lets a thread learn.
pub fn of_volatile(model: &Model, s: SymbolId) -> Sync {
    match model.variable(s).map(|v| v.space) {
        _ if is_private(model, s) => Sync::Never,
        Some(Space::Shared) => Sync::Threads,
        _ => Sync::Memory,
    }
}

/// No other thread reaches the variable itself: a local or VALUE dummy of device code, host data of which a CUF loop has a copy.
/// What a pointer points to counts as reached.
pub fn is_private(model: &Model, s: SymbolId) -> bool {
    match &model[s].kind {
        SymbolKind::Variable(v) => {
            let own = match v.space {
                Space::Host | Space::Pinned => {
                    v.dims.is_empty() && !model.is_reached_module_data(s)
                }
                Space::Thread => v.dummy.is_none() || v.attrs.has(VarAttrs::VALUE),
                // Nobody writes it while kernels run.
                Space::Constant | Space::Texture => true,
                Space::Device => v.attrs.has(VarAttrs::VALUE),
                Space::Shared | Space::Managed | Space::Unified => false,
            };
            own && !v.attrs.has(VarAttrs::POINTER)
        }
        SymbolKind::Associate { expr, outer, .. } => {
            let t = model.expr(*outer, expr);
            !t.is_designator() || is_private_data(model, &t)
        }
        _ => true,
    }
}

/// No other thread reaches what the designator stands for.
pub fn is_private_data(model: &Model, t: &TExpr) -> bool {
    let component = |x: &TExpr| model.component(x);
    let elsewhere = |x: &TExpr| component(x).is_some_and(|f| f.attrs.is_dynamic());
    let mut at = Some(t);
    while let Some(x) = at {
        if elsewhere(x) {
            return false;
        }
        at = x.base();
    }
    t.root().is_some_and(|r| is_private(model, r))
}

/// The designator is VOLATILE: other threads may change it or look at it at any time.
pub fn is_volatile_data(model: &Model, t: &TExpr) -> bool {
    t.root().is_some_and(|r| match &model[r].kind {
        SymbolKind::Variable(v) => v.attrs.has(VarAttrs::VOLATILE),
        SymbolKind::Associate { expr, outer, .. } => {
            let selected = model.expr(*outer, expr);
            selected.is_designator() && is_volatile_data(model, &selected)
        }
        _ => false,
    })
}
