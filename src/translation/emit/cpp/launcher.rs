//! Launchers: the C functions that host code calls.

use std::cell::Cell;
use std::collections::BTreeSet;

use askama::Template;

use super::expr::{Printer, reduction};
use super::tags::{Holder, Tags};
use super::writer::Writer;
use crate::ir::{
    ArrayArg, ArrayFunction, Axis, Builtin, Expr, Fold, Ident, Launcher, LauncherKind, LoopArg,
    PresentData, Type,
};

/// An `extern "C"` launcher. The texts are in C++.
#[derive(Template)]
#[template(path = "launcher.cu", escape = "none")]
struct Text<'a> {
    symbol: &'a str,
    result: String,
    /// Threads of the kernel need more stack.
    recursive: bool,
    /// Type and name of what follows the configuration.
    params: Vec<String>,
    kind: Kind,
}

enum Kind {
    Address {
        variable: String,
        managed: bool,
    },
    Kernel {
        function: &'static str,
        /// Empty: no cluster.
        cluster: String,
        kernel: String,
        args: Vec<String>,
        /// Arguments of `cuf::check_stride`.
        strides: Vec<String>,
        few: String,
        /// Declarations of the copies of host data.
        present: Vec<String>,
    },
    /// Without iterations there is nothing to launch, and the reduction variables keep their values.
    Loop {
        kernel: String,
        /// A compute construct of OpenACC.
        is_construct: bool,
        /// A block executes each iteration.
        by_block: bool,
        /// Declarations of the copies of host data.
        present: Vec<String>,
        place: String,
        depth: usize,
        bounds: String,
        reductions: Vec<Reduction>,
        args: Vec<String>,
    },
    Operation {
        /// With what it gives back.
        call: String,
        args: Vec<String>,
    },
}

struct Reduction {
    ty: String,
    op: String,
    name: String,
    target: String,
}

/// The text of a launcher.
pub fn launcher(l: &Launcher, tags: Option<&Tags>) -> String {
    let p = Printer {
        tags,
        untagged: Cell::new(true),
        ..Printer::default()
    };
    let text = Text {
        symbol: &l.symbol,
        result: match &l.kind {
            LauncherKind::Operation { result, .. } => p.ty(result),
            _ => "void".to_owned(),
        },
        recursive: l.recursive,
        params: l
            .params
            .iter()
            .map(|x| format!("{} {}", p.ty(&x.ty), x.name))
            .collect(),
        kind: kind(&p, &l.kind),
    };
    // Only strings are joined: rendering cannot fail.
    let text = broken(&text.render().unwrap_or_default());
    match tags {
        Some(tags) => tags.around(&text, l.origin, Holder::Own),
        None => text,
    }
}

fn kind(p: &Printer<'_>, kind: &LauncherKind) -> Kind {
    match kind {
        LauncherKind::Address { variable, managed } => Kind::Address {
            variable: p.ident(variable),
            managed: *managed,
        },
        LauncherKind::Operation {
            function,
            targs,
            operation,
            args,
            place,
            result,
        } => {
            let list = |of: &[Expr]| of.iter().map(|a| p.expr(a)).collect::<Vec<_>>();
            let texts: Vec<_> = targs.iter().map(|t| template_argument(p, t)).collect();
            let targs = match texts.is_empty() {
                true => String::new(),
                false => format!("<{}>", texts.join(", ")),
            };
            let back = match result {
                Type::Void => "",
                _ => "return ",
            };
            let mut all = vec!["*at".to_owned(), p.quoted(place)];
            if let Some((name, fields)) = operation {
                all.push(format!("{}{{{}}}", p.ident(name), list(fields).join(", ")));
            }
            all.extend(list(args));
            Kind::Operation {
                call: format!("{back}cuf::{}{targs}", spelled(*function)),
                args: all,
            }
        }
        LauncherKind::Kernel {
            kernel,
            args,
            cooperative,
            cluster,
            indexed,
            strides,
            few,
            present,
            ..
        } => Kind::Kernel {
            present: present.iter().map(|x| present_data(p, x)).collect(),
            function: match (cooperative, cluster.is_empty()) {
                (_, false) => "launch_cluster",
                (true, true) => "launch_cooperative",
                (false, true) => "launch",
            },
            cluster: cluster
                .iter()
                .map(i64::to_string)
                .collect::<Vec<_>>()
                .join(", "),
            kernel: match few.is_empty() {
                true => versions(p, kernel, *indexed),
                false => format!("CUF_BY_INDEX_IF(few, {})", p.ident(kernel)),
            },
            few: few_elements(p, few),
            args: args.iter().map(|a| p.expr(a)).collect(),
            strides: strides
                .iter()
                .map(|s| {
                    let extents = s.extents.iter().map(extent);
                    let extents = extents.collect::<Vec<_>>().join(", ");
                    let name = p.quoted(&kernel.name);
                    format!("{name}, {}, {{{extents}}}", p.expr(&s.limit))
                })
                .collect(),
        },
        LauncherKind::Loop {
            kernel,
            place,
            bounds,
            args,
            reductions,
            is_construct,
            present,
            by_block,
            indexed,
        } => Kind::Loop {
            by_block: *by_block,
            kernel: versions(p, kernel, *indexed),
            is_construct: *is_construct,
            present: present.iter().map(|x| present_data(p, x)).collect(),
            place: p.quoted(place),
            depth: bounds.len(),
            bounds: p.list(bounds),
            reductions: reductions
                .iter()
                .map(|r| Reduction {
                    ty: p.ty(&r.ty),
                    op: reduction(r.op).to_owned(),
                    name: r.name.clone(),
                    target: p.expr(&r.target),
                })
                .collect(),
            args: args
                .iter()
                .map(|a| match a {
                    LoopArg::Value(e) => p.expr(e),
                    LoopArg::Reduction(i) => {
                        let name = reductions.get(*i).map_or("", |r| r.name.as_str());
                        format!("{name}.device()")
                    }
                })
                .collect(),
        },
    }
}

fn present_data(p: &Printer<'_>, x: &PresentData) -> String {
    let (ty, name) = (p.ty(&x.ty), &x.name);
    let (host, designator) = (p.expr(&x.host), p.quoted(&x.designator));
    let find = match x.is_declared {
        true => "cuf::declared",
        false => "cuf::present",
    };
    match x.is_array {
        true => {
            format!("const cuf::descriptor {name} = {find}<{ty}>({host}, {designator});")
        }
        false => format!("{ty}* const {name} = {find}({host}, {designator});"),
    }
}

fn template_argument(p: &Printer<'_>, t: &ArrayArg) -> String {
    let memory = |name: &str| format!("cuf::memory::{name}");
    match t {
        ArrayArg::Device => memory("device"),
        ArrayArg::Managed => memory("managed"),
        ArrayArg::Host => memory("host"),
        ArrayArg::Type(t) => p.ty(t),
        ArrayArg::Fold(fold, t) => match fold {
            Fold::Any => "cuf::fold_any".to_owned(),
            Fold::All => "cuf::fold_all".to_owned(),
            Fold::Sum => format!("cuf::fold_sum<{}>", p.ty(t)),
            Fold::Product => format!("cuf::fold_product<{}>", p.ty(t)),
            Fold::Count => format!("cuf::fold_count<{}>", p.ty(t)),
            Fold::Maxval => format!("cuf::fold_maxval<{}>", p.ty(t)),
            Fold::Minval => format!("cuf::fold_minval<{}>", p.ty(t)),
            Fold::Maxloc => format!("cuf::fold_maxloc<{}>", p.ty(t)),
            Fold::Minloc => format!("cuf::fold_minloc<{}>", p.ty(t)),
        },
    }
}

fn spelled(function: ArrayFunction) -> &'static str {
    match function {
        ArrayFunction::Assign => "assign_array",
        ArrayFunction::Reduce => "reduce_array",
        ArrayFunction::ReduceAlong => "reduce_along",
        ArrayFunction::Locate => "locate",
        ArrayFunction::LocateAlong => "locate_along",
        ArrayFunction::Pack => "pack_array",
        ArrayFunction::Unpack => "unpack_array",
        ArrayFunction::Prefix => "prefix_array",
        ArrayFunction::Product => "multiply_arrays",
        ArrayFunction::MatrixProduct => "multiply_matrices",
        ArrayFunction::RandomNumbers => "random_numbers",
        ArrayFunction::Sort => "sort_array",
    }
}

/// A kernel as a launch names it.
fn versions(p: &Printer<'_>, kernel: &Ident, indexed: bool) -> String {
    let name = p.ident(kernel);
    if indexed {
        format!("CUF_BY_INDEX({name})")
    } else {
        name
    }
}

/// Whether the arrays with these bounds may be indexed with 32 bits; empty without any.
fn few_elements(p: &Printer<'_>, few: &[Vec<Expr>]) -> String {
    let each = few
        .iter()
        .map(|bounds| format!("cuf::few_elements({})", p.list(bounds)));
    each.collect::<Vec<_>>().join(" && ")
}

/// `CUF_REGISTER_KERNEL` line of a kernel that is asked for, or that has a largest block, which the cpu target learns from it.
pub fn registration(
    l: &Launcher,
    asked: Option<&BTreeSet<String>>,
    tags: Option<&Tags>,
) -> Option<String> {
    match &l.kind {
        LauncherKind::Kernel {
            kernel,
            registered,
            threads,
            indexed,
            ..
        } if threads.is_some() || asked.is_none_or(|a| a.contains(registered)) => {
            let kernel = versions(&Printer::default(), kernel, *indexed);
            let threads = threads.map_or(String::new(), |n| format!(", {n}"));
            let line = format!("CUF_REGISTER_KERNEL(\"{registered}\", {kernel}{threads});");
            Some(match tags {
                Some(tags) => tags.around(&line, l.origin, Holder::Own),
                None => line,
            })
        }
        _ => None,
    }
}

/// An extent of the launch in its configuration.
fn extent((builtin, axis): &(Builtin, Axis)) -> String {
    let of = match builtin {
        Builtin::GridDim | Builtin::BlockIdx => "grid",
        Builtin::BlockDim | Builtin::ThreadIdx => "block",
    };
    let axis = match axis {
        Axis::X => 0,
        Axis::Y => 1,
        Axis::Z => 2,
    };
    format!("at->{of}[{axis}]")
}

/// The text with long lines broken.
fn broken(text: &str) -> String {
    let mut w = Writer::default();
    for line in text.lines() {
        let statement = line.trim_start();
        let inside = statement.len() < line.len();
        if inside {
            w.indent();
        }
        w.line(statement);
        if inside {
            w.dedent();
        }
    }
    w.finish().trim_end().to_owned()
}
