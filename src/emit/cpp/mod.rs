//! Prints the device IR as CUDA C++: `<stem>.cu` and `<stem>.cuh`.

mod expr;
mod item;
pub mod names;
mod stmt;
mod ty;
mod writer;

use askama::Template;

use crate::ir::Unit;
use item::Printed;

/// Skeleton of `<stem>.cu`.
#[derive(Template)]
#[template(path = "unit.cu")]
struct Source<'a> {
    source: &'a str,
    includes: Vec<String>,
    namespaces: Vec<Printed>,
    launchers: Vec<String>,
    kernels: Vec<String>,
}

/// Skeleton of `<stem>.cuh`.
#[derive(Template)]
#[template(path = "unit.cuh")]
struct Header<'a> {
    source: &'a str,
    includes: Vec<String>,
    externals: Vec<String>,
    namespaces: Vec<Printed>,
}

/// Text of the `.cu` file.
pub fn source(unit: &Unit) -> String {
    let namespaces = unit
        .namespaces
        .iter()
        .filter(|n| !n.source.is_empty())
        .map(|n| item::namespace(n, &n.source, true))
        .collect();
    let launchers = unit.launchers.iter().map(item::launcher).collect();
    let kernels = unit
        .launchers
        .iter()
        .filter_map(item::registration)
        .collect();
    render(&Source {
        source: &unit.source,
        includes: if unit.has_header() {
            vec![format!("{}.cuh", unit.stem)]
        } else {
            includes(unit)
        },
        namespaces,
        launchers,
        kernels,
    })
}

/// Text of the `.cuh` file.
pub fn header(unit: &Unit) -> String {
    let namespaces = unit
        .namespaces
        .iter()
        .filter(|n| !n.header.is_empty())
        .map(|n| item::namespace(n, &n.header, n.source.is_empty()))
        .collect();
    render(&Header {
        source: &unit.source,
        includes: includes(unit),
        externals: unit.externals.iter().map(item::external).collect(),
        namespaces,
    })
}

/// The headers that the declarations of the unit need.
fn includes(unit: &Unit) -> Vec<String> {
    std::iter::once("cuf.cuh".to_owned())
        .chain(unit.extra_headers.iter().cloned())
        .chain(unit.includes.iter().map(|i| format!("{i}.cuh")))
        .collect()
}

/// The templates only join strings: rendering has no way to fail but running out of memory.
fn render(template: &impl Template) -> String {
    let mut text = template.render().unwrap_or_default();
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// The C++ spelling of a type at global scope.
pub fn type_text(ty: &crate::ir::Type) -> String {
    expr::Printer { namespace: "" }.ty(ty)
}
