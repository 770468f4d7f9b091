//! The arguments of kernels: what the program says of them, and how they cross.

use super::kernel::array;
use super::{Argument, Place};
use crate::abi::{ArgPassing, LauncherSignature, ParamSource};
use crate::ast::{Expr, Intent, Span};
use crate::ir::{Class, IndexType, Init, Proc, ProcKind, StmtKind, Type};
use crate::sema::model::{Dim, Model, Space, VarAttrs, Variable};

/// Those of a kernel. `kernel` is its device code, `place` where something stands and `words` what.
pub fn arguments(
    model: &Model,
    launcher: &LauncherSignature,
    kernel: Option<&Proc>,
    place: &dyn Fn(Span) -> Place,
    words: &dyn Fn(Span) -> String,
) -> Vec<Argument> {
    let mut out = Vec::new();
    for p in &launcher.params {
        let ParamSource::Dummy(symbol) = p.source else {
            continue;
        };
        let Some(v) = model.variable(symbol) else {
            continue;
        };
        let name = model[symbol].spelling.to_string();
        let layout = layout(&p.name, &p.passing, v, kernel);
        out.push(Argument {
            ty: model.type_name(&v.ty),
            shape: shape(v, words),
            memory: memory(v),
            intent: match v.intent {
                Some(Intent::In) => "in",
                Some(Intent::Out) => "out",
                Some(Intent::InOut) => "inout",
                None => "",
            },
            passed: passed(&p.passing),
            index: match layout {
                "" => "",
                _ => kernel.map_or("", |k| index(&p.name, k)),
            },
            layout,
            place: place(model[symbol].span),
            name,
        });
    }
    out
}

/// The bounds as they are declared.
fn shape(v: &Variable, words: &dyn Fn(Span) -> String) -> String {
    let from = |lower: &Option<Box<Expr>>| {
        let lower = lower.as_ref().map(|e| words(e.span));
        lower.map_or_else(String::new, |l| format!("{l}:"))
    };
    let dim = |d: &Dim| match d {
        Dim::Explicit { lower, upper } => from(lower) + &words(upper.span),
        Dim::Colon { lower: None } => ":".to_owned(),
        Dim::Colon { lower } => from(lower),
        Dim::AssumedSize { lower } => from(lower) + "*",
        Dim::AssumedRank => "..".to_owned(),
    };
    let dims: Vec<String> = v.dims.iter().map(dim).collect();
    match dims.is_empty() {
        true => String::new(),
        false => format!("({})", dims.join(", ")),
    }
}

fn memory(v: &Variable) -> &'static str {
    if v.attrs.has(VarAttrs::VALUE) {
        return "value";
    }
    match v.space {
        Space::Device => "device",
        Space::Constant => "constant",
        Space::Shared => "shared",
        Space::Managed => "managed",
        Space::Unified => "unified",
        Space::Pinned => "pinned",
        Space::Texture => "texture",
        Space::Host => "host",
        Space::Thread => "thread",
    }
}

fn passed(passing: &ArgPassing) -> &'static str {
    match passing {
        ArgPassing::Address => "address",
        ArgPassing::Descriptor => "address, bounds and strides",
        ArgPassing::Range => "bounds",
        ArgPassing::Value(_) => "value",
        ArgPassing::HostValue => "value, read at the launch",
        ArgPassing::OptionalValue => "value if present",
        ArgPassing::Reference { .. } => "reference",
    }
}

/// Whether elements lie side by side.
fn layout(name: &str, passing: &ArgPassing, v: &Variable, kernel: Option<&Proc>) -> &'static str {
    if v.dims.is_empty() {
        return "";
    }
    let strided = kernel.and_then(|k| {
        let layout = &array(k, name)?.layout;
        let param = k.params.iter().find(|p| p.name == *layout)?;
        match param.ty {
            Type::Class(Class::Layout { strided, .. }) => Some(strided),
            _ => None,
        }
    });
    match (strided, passing) {
        (Some(true), _) => "strided",
        (Some(false), _) | (None, ArgPassing::Address) => "dense",
        (None, _) => "strided",
    }
}

/// The bits of index arithmetic.
fn index(name: &str, kernel: &Proc) -> &'static str {
    const CHOSEN: &str = "32 or 64";
    let two = matches!(kernel.kind, ProcKind::Kernel { indexed: true, .. });
    if array(kernel, name).is_some() {
        return if two { CHOSEN } else { "64" };
    }
    let mut found = "64";
    for s in &kernel.body {
        s.walk(&mut |s| {
            let StmtKind::Declare(d) = &s.kind else {
                return;
            };
            let is = |n: &crate::ir::Declarator| n.name == name && matches!(n.init, Init::Args(_));
            if !d.names.iter().any(is) {
                return;
            }
            if let Type::Class(Class::ExplicitShape { index, .. }) = &d.ty {
                found = match index {
                    IndexType::Int => "32",
                    IndexType::OfKernel if two => CHOSEN,
                    IndexType::OfKernel => "64",
                };
            }
        });
    }
    found
}
