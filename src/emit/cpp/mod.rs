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
    stem: &'a str,
    namespaces: Vec<Printed>,
    launchers: Vec<String>,
    kernels: Vec<String>,
}

/// Skeleton of `<stem>.cuh`.
#[derive(Template)]
#[template(path = "unit.cuh")]
struct Header<'a> {
    source: &'a str,
    extra: &'a [String],
    includes: &'a [String],
    externals: Vec<String>,
    namespaces: Vec<Printed>,
}

/// Text of the `.cu` file.
pub fn source(unit: &Unit) -> String {
    let namespaces = unit
        .namespaces
        .iter()
        .filter(|n| !n.source.is_empty())
        .map(|n| item::namespace(&n.name, &[], &n.source))
        .collect();
    let launchers = unit.launchers.iter().map(item::launcher).collect();
    let kernels = unit
        .launchers
        .iter()
        .filter_map(item::registration)
        .collect();
    render(&Source {
        source: &unit.source,
        stem: &unit.stem,
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
        .map(|n| item::namespace(&n.name, &n.doc, &n.header))
        .collect();
    render(&Header {
        source: &unit.source,
        extra: &unit.extra_headers,
        includes: &unit.includes,
        externals: unit.externals.iter().map(item::external).collect(),
        namespaces,
    })
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
