//! Prints the device IR as CUDA C++: `<stem>.cu` and `<stem>.cuh`.

mod expr;
mod item;
mod launcher;
mod literal;
mod needs;
mod stmt;
mod tags;
mod ty;
mod writer;

use std::borrow::Cow;
use std::collections::BTreeSet;

use askama::Template;

use crate::ir::validate::Checked;
use crate::ir::{BarrierFreeKernel, Unit};
use item::Printed;
pub use item::Style;
pub use tags::{Run, Tags, soft};
pub use writer::Mark;

/// Skeleton of `<stem>.cu`.
#[derive(Template)]
#[template(path = "unit.cu")]
struct Source<'a> {
    source: &'a str,
    includes: Vec<String>,
    namespaces: Vec<Printed>,
    launchers: Vec<String>,
    /// Lines that make things known at start-up: kernels, and what the device code needs.
    registrations: Vec<String>,
}

/// Skeleton of `<stem>.cuh`.
#[derive(Template)]
#[template(path = "unit.cuh")]
struct Header<'a> {
    source: &'a str,
    includes: Vec<String>,
    externals: Vec<String>,
    namespaces: Vec<Printed>,
    late: &'a [String],
    registrations: Vec<String>,
}

/// A file, and what lines of it come from: statements that have a place in the source.
pub struct Text {
    pub text: String,
    pub marks: Vec<Mark>,
}

impl Text {
    fn new(text: String, namespaces: &[(String, Vec<Mark>)]) -> Text {
        let mut all = Vec::new();
        let mut from = 0;
        for (body, marks) in namespaces {
            let Some(at) = text.get(from..).and_then(|t| t.find(body.as_str())) else {
                continue;
            };
            let first = text[..from + at].matches('\n').count() + 1;
            all.extend(marks.iter().map(|m| Mark {
                line: first + m.line,
                ..m.clone()
            }));
            from += at + body.len();
        }
        // Launchers have their lines from templates.
        let text = text.replace(writer::BREAK, "");
        Text { text, marks: all }
    }
}

/// The `.cu` file. `asked`: the kernels that host code gives the runtime by their names; None: any may be. `style`: see [`Style`].
pub fn source(unit: &Checked<Unit>, asked: Option<&BTreeSet<String>>, style: Style<'_>) -> Text {
    let tags = style.1;
    let namespaces: Vec<Printed> = unit
        .namespaces
        .iter()
        .filter(|n| !n.source.is_empty())
        .map(|n| item::namespace(n, false, true, !unit.late_includes.is_empty(), style))
        .collect();
    let launchers = unit.launchers.iter();
    let launchers = launchers.map(|l| launcher::launcher(l, tags)).collect();
    let kernels = (unit.launchers.iter()).filter_map(|l| launcher::registration(l, asked, tags));
    let bodies = bodies(&namespaces);
    let text = render(&Source {
        source: &named(unit, tags),
        includes: if unit.has_header() {
            vec![format!("{}.cuh", unit.stem)]
        } else {
            includes(unit)
        },
        namespaces,
        launchers,
        registrations: kernels.chain(needs::lines(unit)).collect(),
    });
    Text::new(text, &bodies)
}

fn bodies(namespaces: &[Printed]) -> Vec<(String, Vec<Mark>)> {
    namespaces
        .iter()
        .filter(|n| !n.marks.is_empty())
        .map(|n| (n.body.clone(), n.marks.clone()))
        .collect()
}

/// How the source is called in its outputs.
fn named<'u>(unit: &'u Checked<Unit>, tags: Option<&Tags>) -> Cow<'u, str> {
    match tags {
        Some(_) => soft(&unit.source),
        None => (&unit.source).into(),
    }
}

/// The `.cuh` file.
pub fn header(unit: &Checked<Unit>, style: Style<'_>) -> Text {
    let tags = style.1;
    let namespaces: Vec<Printed> = unit
        .namespaces
        .iter()
        .filter(|n| !n.header.is_empty())
        .map(|n| {
            let first = n.source.is_empty();
            item::namespace(n, true, first, !unit.late_includes.is_empty(), style)
        })
        .collect();
    let bodies = bodies(&namespaces);
    let text = render(&Header {
        source: &named(unit, tags),
        includes: includes(unit),
        externals: unit.externals.iter().map(item::external).collect(),
        namespaces,
        late: &unit.late_includes,
        registrations: if unit.has_source() {
            Vec::new()
        } else {
            needs::lines(unit)
        },
    });
    Text::new(text, &bodies)
}

/// The file beside the C++ file `cpp`, which tells the cpu target where its waiting statements stand in the source and which kernels
/// have none; and the line of the C++ that includes it. None where there is nothing to tell. `lines` has the lines of the C++ text and
/// of the file `source`.
pub fn beside(
    unit: &Checked<Unit>,
    cpp: &str,
    source: &str,
    lines: &[(usize, u32)],
    alone: &[BarrierFreeKernel],
) -> Option<(String, String)> {
    if lines.is_empty() && alone.is_empty() {
        return None;
    }
    let include = format!("\n#include \"{cpp}.lines\"\n");
    let mut w = writer::Writer::default();
    if !lines.is_empty() {
        let pairs: Vec<String> = lines
            .iter()
            .map(|(cpp, at)| format!("{{{cpp}, {at}}}"))
            .collect();
        w.line(&format!(
            "// Lines of {cpp} and of {source} that they come from, for messages of the cpu target."
        ));
        w.line(&format!(
            "CUF_SOURCE_LINES(\"{source}\", {});",
            pairs.join(", ")
        ));
    }
    if !alone.is_empty() {
        w.line(&format!(
            "// Kernels of {cpp} whose threads do not wait for each other: the cpu target runs them as loops."
        ));
    }
    let guards: String = (unit.namespaces.iter())
        .map(|n| item::guards(n, alone))
        .collect();
    let mut text = w.finish();
    if !guards.is_empty() {
        // Only where kernels run as loops. Each half of a kernel has names that the other half uses.
        let ignored: String = ([
            "parameter",
            "variable",
            "but-set-variable",
            "local-typedefs",
        ]
        .iter())
        .map(|what| format!("#pragma GCC diagnostic ignored \"-Wunused-{what}\"\n"))
        .collect();
        text.push_str(&format!(
            "#if defined(CUF_CPU_LOOPS)\n#pragma GCC diagnostic push\n{ignored}{guards}#pragma GCC diagnostic pop\n#endif\n"
        ));
    }
    for k in alone {
        text.push_str(&entry(k));
    }
    Some((text, include))
}

/// A kernel of the list in the file beside the C++ file.
fn entry(k: &BarrierFreeKernel) -> String {
    let BarrierFreeKernel { space, wide, .. } = k;
    let index = if k.indexed { "<std::int64_t>" } else { "" };
    let name = |inner: &str| format!("{space}::{inner}{}{index}", k.name);
    let kernel = name("");
    match (k.is_loop, &k.guarded) {
        (true, _) => format!("CUF_LOOP_KERNEL({kernel});\n"),
        (false, None) => format!("CUF_PLAIN_KERNEL({wide}, {kernel});\n"),
        (false, Some(_)) => {
            let [inside, body] = [item::INSIDE, item::BODY].map(|n| name(&format!("{n}::")));
            format!("CUF_GUARDED_KERNEL({wide}, {inside}, {body}, {kernel});\n")
        }
    }
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
