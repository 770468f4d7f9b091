//! Kernels over arrays with bounds of their own, and CUF loops, count and index with 32 bits where the launch allows it.
//!
//! Each becomes a template over the type of index arithmetic, and takes its arrays apart: a `__restrict__` pointer, which a
//! member of a structure cannot be, and the bounds. Without both a stencil over assumed-shape dummies takes 1.7 times as long
//! (benches/gpu, one NVIDIA H200).

use std::collections::{BTreeSet, HashMap};

use crate::ir::*;

/// Splits the array parameters of the unit's kernels, but of those that device code launches, too, which are declared in
/// headers: they take their arrays as they are.
pub fn split(unit: &mut Unit) {
    let mut of_kernel: HashMap<Ident, Vec<usize>> = HashMap::new();
    for (i, l) in unit.launchers.iter().enumerate() {
        if let LauncherKind::Kernel { kernel, .. } | LauncherKind::Loop { kernel, .. } = &l.kind {
            of_kernel.entry(kernel.clone()).or_default().push(i);
        }
    }
    for n in &mut unit.namespaces {
        let declared = n.header.iter().filter_map(|i| match &i.kind {
            ItemKind::Prototype(p) if matches!(p.kind, ProcKind::Kernel { .. }) => Some(&*p.name),
            _ => None,
        });
        let whole: BTreeSet<&str> = declared.collect();
        for item in &mut n.source {
            let ItemKind::Proc(kernel) = &mut item.kind else {
                continue;
            };
            if whole.contains(kernel.name.as_str()) || kernel.c_name.is_some() {
                continue;
            }
            let ident = Ident {
                space: Namespaces::Unit(n.name.clone()),
                name: kernel.name.clone(),
            };
            for i in of_kernel.get(&ident).into_iter().flatten() {
                split_kernel(kernel, &ident, &mut unit.launchers[*i].kind);
            }
        }
    }
}

fn split_kernel(proc: &mut Proc, ident: &Ident, launcher: &mut LauncherKind) {
    let ProcKind::Kernel {
        arrays,
        indexed: template,
        ..
    } = &mut proc.kind
    else {
        return;
    };
    match launcher {
        LauncherKind::Kernel {
            kernel,
            args,
            indexed,
            ..
        } if kernel == ident && !arrays.is_empty() => {
            let passed = std::mem::take(args);
            let mut params = Vec::new();
            let mut locals = Vec::new();
            for (p, arg) in std::mem::take(&mut proc.params).into_iter().zip(passed) {
                let array = arrays.iter().find(|a| a.name == p.name);
                match array.zip(parts(&p.ty, &arg)) {
                    Some((a, two)) => {
                        args.extend(two);
                        split_param(a, &p.ty, &mut params, &mut locals, &mut proc.body);
                    }
                    None => {
                        params.push(p);
                        args.push(arg);
                    }
                }
            }
            (*template, *indexed) = (true, true);
            proc.params = params;
            declare_first(&mut proc.body, locals);
        }
        LauncherKind::Loop {
            kernel,
            args,
            indexed,
            bounds,
            ..
        } if kernel == ident => {
            let mut old = std::mem::take(&mut proc.params).into_iter();
            let passed = std::mem::take(args);
            let mut params: Vec<Param> = old
                .next()
                .map(|space| Param {
                    name: space.name,
                    ty: Type::Class(Class::LoopSpace {
                        rank: bounds.len(),
                        indexed: true,
                    }),
                })
                .into_iter()
                .collect();
            let mut locals = Vec::new();
            for (p, arg) in old.zip(passed) {
                let array = arrays.iter().find(|a| a.name == p.name);
                let two = match &arg {
                    LoopArg::Value(e) => parts(&p.ty, e),
                    LoopArg::Reduction(_) => None,
                };
                match array.zip(two) {
                    Some((a, two)) => {
                        args.extend(two.map(LoopArg::Value));
                        split_param(a, &p.ty, &mut params, &mut locals, &mut proc.body);
                    }
                    None => {
                        params.push(p);
                        args.push(arg);
                    }
                }
            }
            (*template, *indexed) = (true, true);
            proc.params = params;
            declare_first(&mut proc.body, locals);
        }
        _ => {}
    }
}

/// What the user says at the head of the procedure stays there.
fn declare_first(body: &mut Vec<Stmt>, locals: Vec<Stmt>) {
    let is_head = |s: &&Stmt| matches!(s.kind, StmtKind::Empty);
    let at = body.iter().take_while(is_head).count();
    body.splice(at..at, locals);
}

/// `T* pointer, cuf::layout<rank, index_type> layout` and the array made of them.
fn split_param(
    a: &ArrayParam,
    ty: &Type,
    params: &mut Vec<Param>,
    locals: &mut Vec<Stmt>,
    body: &mut [Stmt],
) {
    let (Type::View { elem, rank } | Type::Array { elem, rank }) = ty else {
        return;
    };
    let view = matches!(ty, Type::View { .. });
    let pointer = Type::Pointer {
        to: elem.clone(),
        restrict: a.restrict,
    };
    let layout = Type::Class(Class::Layout {
        rank: *rank,
        strided: view,
    });
    let class = Type::Class(Class::MadeOfLayout { strided: view });
    let mut parts = vec![
        Expr::name(&a.pointer, pointer.clone()),
        Expr::name(&a.layout, layout.clone()),
    ];
    params.push(Param {
        name: a.pointer.clone(),
        ty: pointer,
    });
    params.push(Param {
        name: a.layout.clone(),
        ty: layout,
    });
    // With lower bounds of its own the array is declared already.
    for s in body {
        if let StmtKind::Declare(d) = &mut s.kind
            && let [declarator] = &mut d.names[..]
            && let Init::Value(Expr {
                kind: ExprKind::Method { base, name, args },
                ..
            }) = &declarator.init
            && *name == Method::Rebased
            && matches!(&base.kind, ExprKind::Name(i) if i.name == a.name)
        {
            parts.extend(args.iter().cloned());
            declarator.init = Init::Args(parts);
            d.ty = class;
            return;
        }
    }
    // An array with lower bounds of its own that is not used has lost that declaration: it has no name of its own.
    if a.name != a.pointer {
        locals.push(Stmt::declare(class, &a.name, Init::Args(parts)));
    }
}

/// What a launcher passes for the two, from the expression that makes the array of a descriptor.
fn parts(ty: &Type, arg: &Expr) -> Option<[Expr; 2]> {
    let (elem, rank, layout) = match ty {
        Type::View { elem, rank } => (elem, rank, Function::Layout),
        Type::Array { elem, rank } => (elem, rank, Function::Shape),
        _ => return None,
    };
    let (ExprKind::Object(made_of) | ExprKind::Call { args: made_of, .. }) = &arg.kind else {
        return None;
    };
    let descriptor = made_of.first()?;
    let call = |function: Function, argument: TemplateArg| {
        Expr::call_of(
            function,
            vec![argument],
            vec![descriptor.clone()],
            Type::Auto,
        )
    };
    Some([
        call(Function::Base, TemplateArg::Type((**elem).clone())),
        call(layout, TemplateArg::Int(*rank as i64)),
    ])
}
