//! Launchers of kernels and addresses of module data: the C side of the ABI of docs/runtime.md.

use crate::abi::{
    ArgPassing, LauncherOf, LauncherParam, LauncherSignature, ParamSource, global_name,
    parameter_name,
};
use crate::ir::{self, *};
use crate::lower::context::Shared;
use crate::lower::cufloop::capture::by_address;
use crate::lower::cufloop::cufdo::device_copy;
use crate::map::Rule;
use crate::sema::model::*;

/// The launcher of a lowered kernel and what the host pass must know of it.
pub fn kernel_launcher(
    sh: &Shared<'_>,
    scope: ScopeId,
    kernel: &ir::Proc,
    namespace: &str,
) -> Option<(ir::Launcher, LauncherSignature)> {
    let model = sh.model;
    let proc_symbol = model[scope].symbol?;
    let p = model.procedure(proc_symbol)?;
    let hidden: Vec<_> = sh
        .analysis
        .facts
        .get(&scope)
        .map(|f| f.hidden.iter().copied().collect())
        .unwrap_or_default();
    let dummies: Vec<_> = p.dummies.iter().copied().flatten().collect();
    let mut params = Vec::new();
    let mut args = Vec::new();
    let mut abi = Vec::new();
    let mut present = Vec::new();
    let sources = dummies
        .iter()
        .map(|d| (*d, ParamSource::Dummy(*d)))
        .chain(hidden.iter().map(|h| (*h, ParamSource::Hidden(*h))));
    for ((symbol, source), param) in sources.zip(&kernel.params) {
        let mut name = model[symbol].name.to_string();
        if ["at", "few"].contains(&name.as_str()) {
            name.push('_');
        }
        let cpp = crate::ir::names::safe(&name);
        let cpp = unique(&cpp, &params);
        let value = model
            .variable(symbol)
            .is_some_and(|v| v.attrs.has(VarAttrs::VALUE));
        let (ty, arg, passing) = match &param.ty {
            ir::Type::View { .. } => {
                let ty = ir::Type::Pointer {
                    to: Box::new(ir::Type::Class(Class::Descriptor).constant()),
                    restrict: false,
                };
                let d = Expr::name(&cpp, ty.clone()).deref(ir::Type::Auto);
                (
                    ty,
                    Expr::new(ExprKind::Object(vec![d]), param.ty.clone()),
                    ArgPassing::Descriptor,
                )
            }
            ir::Type::Pointer { to, .. } if !(value && model.dims(symbol).is_empty()) => {
                let ty = ir::Type::Pointer {
                    to: to.clone(),
                    restrict: false,
                };
                (ty.clone(), Expr::name(&cpp, ty), ArgPassing::Address)
            }
            // A C address is a structure to the host.
            t if by_address(t.plain()) || matches!(t, ir::Type::Pointer { .. }) => {
                let ty = ir::Type::Pointer {
                    to: Box::new(t.clone().constant()),
                    restrict: false,
                };
                (
                    ty.clone(),
                    Expr::name(&cpp, ty).deref(t.clone()),
                    ArgPassing::HostValue,
                )
            }
            t => {
                let t = if t.is_logical() {
                    ir::Type::Bool
                } else {
                    t.clone()
                };
                (
                    t.clone(),
                    Expr::name(&cpp, t),
                    ArgPassing::Value(model.type_of(symbol)),
                )
            }
        };
        let copy = match source {
            ParamSource::Hidden(s) if is_declared(model, s) => device_copy(
                (&cpp, &model[s].spelling),
                (&param.ty, &ty),
                !model.variable(s).is_some_and(|v| v.attrs.is_dynamic()),
                |n| params.iter().any(|p: &Param| p.name == n),
            ),
            _ => None,
        };
        args.push(of_copy(copy.as_ref(), arg));
        present.extend(copy);
        params.push(Param { name: cpp, ty });
        abi.push(LauncherParam {
            name: parameter_name(&name, |n| abi.iter().any(|p: &LauncherParam| p.name == n)),
            passing,
            source,
        });
    }
    let unit = sh.unit_name(scope);
    let kernel_name = &model[proc_symbol].name;
    let symbol = global_name("cuf", &unit, kernel_name);
    let launcher = ir::Launcher {
        symbol: symbol.clone(),
        recursive: sh.analysis.recurses([scope]),
        kind: LauncherKind::Kernel {
            kernel: Ident {
                space: Namespaces::Unit(namespace.to_owned()),
                name: kernel.name.clone(),
            },
            args,
            cooperative: p.target == ProcedureTarget::GridGlobal,
            cluster: p.cluster_dims.clone(),
            registered: format!("{unit}_{kernel_name}"),
            threads: p.launch_bounds.first().copied(),
            indexed: false,
            strides: Vec::new(),
            few: Vec::new(),
            present,
        },
        params,
        origin: place_of(sh, proc_symbol, Rule::Launcher),
    };
    Some((
        launcher,
        LauncherSignature {
            symbol,
            of: LauncherOf::Kernel(scope),
            params: abi,
            kernel: None,
            operation: None,
        },
    ))
}

/// The argument, or the copy on the device that takes its place.
fn of_copy(copy: Option<&ir::PresentData>, arg: Expr) -> Expr {
    match copy {
        Some(c) if c.is_array => {
            let d = Expr::name(&c.name, ir::Type::Class(Class::Descriptor));
            Expr::new(ExprKind::Object(vec![d]), arg.ty)
        }
        Some(c) => Expr::name(&c.name, arg.ty),
        None => arg,
    }
}

/// Module data that OpenACC declares on the device, where device code does not reach the host's.
fn is_declared(model: &Model, s: SymbolId) -> bool {
    let data = crate::lower::cufloop::reduce::variable(s, model.type_of(s), model[s].span);
    model.present.contains(&s) && !model.reaches(&data)
}

/// The function that gives the address of a module variable.
pub fn address(sh: &Shared<'_>, variable: SymbolId) -> (ir::Launcher, LauncherSignature) {
    let info = &sh.model[variable];
    let symbol = global_name("cuf", &sh.unit_name(info.scope), &info.name);
    let ident = Ident {
        space: Namespaces::Unit(sh.namespace_of(info.scope)),
        name: crate::ir::names::safe(&info.spelling),
    };
    (
        ir::Launcher {
            symbol: symbol.clone(),
            recursive: false,
            kind: LauncherKind::Address {
                variable: ident,
                managed: sh
                    .model
                    .variable(variable)
                    .is_some_and(|v| v.space == Space::Managed),
            },
            params: Vec::new(),
            origin: place_of(sh, variable, Rule::Address),
        },
        LauncherSignature {
            symbol,
            of: LauncherOf::Address(variable),
            params: Vec::new(),
            kernel: None,
            operation: None,
        },
    )
}

/// Where a symbol is declared.
fn place_of(sh: &Shared<'_>, symbol: SymbolId, rule: Rule) -> Origin {
    let span = sh.model[symbol].span;
    Origin::new(span.start, span.end, rule)
}

fn unique(name: &str, taken: &[Param]) -> String {
    let mut n = name.to_owned();
    while taken.iter().any(|p| p.name == n) {
        n.push('_');
    }
    n
}
