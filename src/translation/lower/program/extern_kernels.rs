//! Kernels of C or CUDA C++ with an interface that has BIND(C): the launcher is ours, the kernel is the user's.

use crate::abi::LauncherSignature;
use crate::ast::{DeclKind, ProgramUnit};
use crate::ir::{self, *};
use crate::lower::context::{LoweringContext, Shared};
use crate::sema::model::*;

/// Launchers of the foreign kernels that the interface blocks of a program unit or procedure declare.
pub(in crate::translation::lower) fn kernels(
    sh: &Shared<'_>,
    file: FileId,
    unit: &ProgramUnit,
    scope: ScopeId,
) -> Vec<(Launcher, LauncherSignature)> {
    let mut out = Vec::new();
    for d in &unit.spec {
        let DeclKind::Interface(i) = &d.kind else {
            continue;
        };
        for body in &i.bodies {
            let inner = sh.model.children_at(scope, body.span).next();
            out.extend(inner.and_then(|c| launcher(sh, file, c)));
        }
    }
    out
}

fn launcher(
    sh: &Shared<'_>,
    file: FileId,
    scope: ScopeId,
) -> Option<(Launcher, LauncherSignature)> {
    let model = sh.model;
    let symbol = model[scope].symbol?;
    let p = model.procedure(symbol)?;
    let name = p.bind_name.clone()?;
    let kernel = matches!(
        p.target,
        ProcedureTarget::Global | ProcedureTarget::GridGlobal
    );
    if !kernel || sh.analysis.body_of(model, symbol).is_some() {
        return None;
    }
    let mut cx = LoweringContext::new(sh, file, scope, Default::default())?;
    let mut params = Vec::new();
    for d in p.dummies.iter().copied().flatten() {
        let v = model.variable(d)?;
        let value = v.attrs.has(VarAttrs::VALUE) && v.dims.is_empty();
        let elem = cx.storage_type(&v.ty);
        // The interface is bound to the launcher: what it passes on must cross by itself.
        let crosses = elem.as_ref().is_some_and(|e| {
            !v.dims
                .iter()
                .any(|x| matches!(x, Dim::Colon { .. } | Dim::AssumedRank))
                && !(value
                    && (e.is_logical() && *e != ir::Type::Logical(1)
                        || crate::lower::cufloop::capture::by_address(e)))
        });
        let Some(elem) = elem.filter(|_| crosses) else {
            cx.refuse(
                model[d].span,
                "CUF0405",
                format!(
                    "dummy argument `{}` of a kernel in another language is not supported\nnote: arrays must be explicit-shape or assumed-size, values numbers or `logical(c_bool)`",
                    model[d].spelling
                ),
            );
            return None;
        };
        params.push(Param {
            name: crate::ir::names::safe(&model[d].name),
            ty: if value {
                elem
            } else {
                ir::Type::Pointer {
                    to: Box::new(elem),
                    restrict: false,
                }
            },
        });
    }
    let kernel = Proc {
        c_name: None,
        remarks: Vec::new(),
        name: name.clone(),
        kind: ProcKind::Kernel {
            bounds: Vec::new(),
            arrays: Vec::new(),
            indexed: false,
        },
        result: ir::Type::Void,
        params,
        body: Vec::new(),
        names: Vec::new(),
    };
    let (mut launcher, signature) = super::launcher::kernel_launcher(sh, scope, &kernel, "")?;
    if let LauncherKind::Kernel { kernel, .. } = &mut launcher.kind {
        *kernel = Ident::local(name.clone());
    }
    sh.externals.borrow_mut().insert((file, name), kernel);
    Some((launcher, signature))
}
