//! The device IR as text, for those who work on the passes (`cuf2cu --emit ir`) and for tests. It is not C++ and is not read again:
//! blocks are indented, comments begin with `#`, operations stand in parentheses. A type follows with a colon where it is not the one
//! that the operands give. Everything that a unit holds is printed, so that snapshots show every change.

mod expr;
mod stmt;
mod ty;

use super::{
    ArrayParam, GlobalSpace, GlobalVariable, Item, ItemKind, Launcher, LauncherKind, LoopArg,
    LoopReduction, Namespace, Notes, Param, PresentData, Proc, ProcKind, Struct, StructField, Unit,
};
use expr::{expr, ident, joined};
use ty::{reduction, ty};

/// The text of a unit.
pub fn print(unit: &Unit) -> String {
    let Unit {
        stem,
        source,
        includes,
        late_includes,
        extra_headers,
        externals,
        namespaces,
        launchers,
        is_included,
    } = unit;
    let mut out = Lines::default();
    let included = if *is_included { ", included" } else { "" };
    out.line(&format!("unit {stem} of {source}{included}"));
    let lists = [
        ("include", includes),
        ("include late", late_includes),
        ("include header", extra_headers),
    ];
    for (word, names) in lists {
        names.iter().for_each(|n| out.line(&format!("{word} {n}")));
    }
    for p in externals {
        out.proc("external ", p, &Notes::default());
    }
    namespaces.iter().for_each(|n| out.namespace(n));
    launchers.iter().for_each(|l| out.launcher(l));
    out.text
}

/// Lines with their indentation.
#[derive(Default)]
struct Lines {
    text: String,
    depth: usize,
}

impl Lines {
    fn line(&mut self, line: &str) {
        self.text.push_str(&"  ".repeat(self.depth));
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// What `f` prints stands under the line before.
    fn inside(&mut self, f: impl FnOnce(&mut Self)) {
        self.depth += 1;
        f(self);
        self.depth -= 1;
    }

    /// A line with what is noted about it.
    fn noted(&mut self, line: &str, notes: &Notes) {
        let Notes {
            above,
            trailing,
            closing: _,
            blank_before,
        } = notes;
        if *blank_before {
            self.text.push('\n');
        }
        for comment in above {
            match comment {
                Some(text) => self.line(&format!("#{text}")),
                None => self.line("#"),
            }
        }
        match trailing {
            Some(text) => self.line(&format!("{line}  #{text}")),
            None => self.line(line),
        }
    }

    /// The comment at the end of what a note is about.
    fn closing(&mut self, notes: &Notes) {
        if let Some(text) = &notes.closing {
            self.line(&format!("#end:{text}"));
        }
    }

    fn namespace(&mut self, n: &Namespace) {
        let Namespace {
            name,
            doc,
            header,
            source,
        } = n;
        self.noted(&format!("namespace {name}"), doc);
        for (part, items) in [("header", header), ("source", source)] {
            if !items.is_empty() {
                self.inside(|out| {
                    out.line(part);
                    out.inside(|out| items.iter().for_each(|i| out.item(i)));
                });
            }
        }
        self.closing(doc);
    }

    fn item(&mut self, item: &Item) {
        let Item { kind, notes, .. } = item;
        match kind {
            ItemKind::Struct(Struct { name, fields }) => {
                self.noted(&format!("struct {name}"), notes);
                self.inside(|out| fields.iter().for_each(|f| out.field(f)));
            }
            ItemKind::Constant { name, ty: t, value } => {
                let line = format!("constant {name}: {} = {}", ty(t), expr(value));
                self.noted(&line, notes);
            }
            ItemKind::Variable(v) => self.noted(&variable(v), notes),
            ItemKind::Prototype(p) => self.proc("prototype ", p, notes),
            ItemKind::Proc(p) => self.proc("", p, notes),
            ItemKind::Operation(o) => self.operation(o, notes),
        }
        self.closing(notes);
    }

    fn operation(&mut self, o: &crate::ir::Operation, notes: &Notes) {
        let crate::ir::Operation {
            name,
            rank,
            factors,
            fields,
            arrays,
            parts,
        } = o;
        let factors = factors.map_or(String::new(), |(l, r)| format!(" of {l} by {r}"));
        let head = format!(
            "operation {name}({}), rank {rank}{factors}",
            parameters(fields)
        );
        self.noted(&head, notes);
        self.inside(|out| {
            for (group, names) in arrays {
                out.line(&format!("{group}: {}", names.join(", ")));
            }
            for (part, how) in parts {
                out.line(&match how {
                    crate::ir::Part::Function(f) => format!("{part} = {f}"),
                    crate::ir::Part::Element(array) => format!("{part} = element of {array}"),
                    crate::ir::Part::Result => format!("{part} = result"),
                });
            }
        });
    }

    fn field(&mut self, f: &StructField) {
        let StructField {
            name,
            ty: t,
            init,
            joined,
            notes,
            origin: _,
        } = f;
        let init = init
            .as_ref()
            .map_or(String::new(), |e| format!(" = {}", expr(e)));
        let with = if *joined { ", joined" } else { "" };
        self.noted(&format!("{name}: {}{init}{with}", ty(t)), notes);
        self.closing(notes);
    }

    fn proc(&mut self, prefix: &str, p: &Proc, notes: &Notes) {
        let Proc {
            name,
            c_name,
            remarks,
            kind,
            result,
            params,
            body,
            names: _,
        } = p;
        let bound = c_name.as_ref().map(|c| format!(", C name {c}"));
        let bound = bound.unwrap_or_default();
        let head = format!("{name}({}) -> {}", parameters(params), ty(result));
        match kind {
            ProcKind::Device => self.noted(&format!("{prefix}device {head}"), notes),
            ProcKind::HostDevice => {
                self.noted(&format!("{prefix}host device {head}"), notes);
            }
            ProcKind::Kernel {
                bounds,
                arrays,
                indexed,
            } => {
                let indexed = if *indexed { ", indexed" } else { "" };
                self.noted(&format!("{prefix}kernel {head}{indexed}{bound}"), notes);
                self.inside(|out| {
                    if !bounds.is_empty() {
                        out.line(&format!("launch bounds {}", joined(bounds, i64::to_string)));
                    }
                    arrays.iter().for_each(|a| out.line(&array(a)));
                });
            }
        }
        self.inside(|out| {
            remarks.iter().for_each(|r| out.line(&format!("#{r}")));
            out.block(body);
        });
    }

    fn launcher(&mut self, l: &Launcher) {
        let Launcher {
            symbol,
            recursive,
            kind,
            params,
            origin: _,
        } = l;
        let recursive = if *recursive { ", recursive" } else { "" };
        self.line(&format!(
            "launcher {symbol}({}){recursive}",
            parameters(params)
        ));
        self.inside(|out| match kind {
            LauncherKind::Address { variable, managed } => {
                let managed = if *managed { "managed " } else { "" };
                out.line(&format!("address of {managed}{}", ident(variable)));
            }
            LauncherKind::Operation {
                function,
                targs,
                operation,
                args,
                place,
                result,
            } => {
                let function = format!("{function:?}<{}>", joined(targs, |t| format!("{t:?}")));
                let (name, fields) = match operation {
                    Some((name, fields)) => (ident(name), joined(fields, expr)),
                    None => Default::default(),
                };
                let args = joined(args, expr);
                let result = ty(result);
                out.line(&format!(
                    "{function} {place}: {name}({fields}), {args} -> {result}"
                ));
            }
            LauncherKind::Kernel {
                kernel,
                args,
                cooperative,
                cluster,
                registered,
                threads,
                indexed,
                strides,
                few,
                present,
            } => {
                present_data(out, present);
                let mut line = format!("launch {}({})", ident(kernel), joined(args, expr));
                line.push_str(if *cooperative { ", cooperative" } else { "" });
                line.push_str(if *indexed { ", indexed" } else { "" });
                if !cluster.is_empty() {
                    line.push_str(&format!(", cluster {}", joined(cluster, i64::to_string)));
                }
                out.line(&line);
                for s in strides {
                    let extents = joined(&s.extents, |(b, axis)| format!("{b:?} {axis:?}"));
                    out.line(&format!("room for {} + {extents}", expr(&s.limit)));
                }
                for bounds in few {
                    out.line(&format!("few elements ({})", joined(bounds, expr)));
                }
                let threads = threads.map_or(String::new(), |n| format!(", {n} threads"));
                out.line(&format!("registered as {registered}{threads}"));
            }
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
            } => {
                let indexed = if *indexed { ", indexed" } else { "" };
                let of = if *is_construct { "construct" } else { "loop" };
                let by = if *by_block { " by blocks" } else { "" };
                out.line(&format!("{of}{by} {place}"));
                present_data(out, present);
                bounds
                    .iter()
                    .for_each(|b| out.line(&format!("over {}", expr(b))));
                reductions.iter().for_each(|r| out.line(&loop_reduction(r)));
                let args = joined(args, |a| match a {
                    LoopArg::Value(e) => expr(e),
                    LoopArg::Reduction(i) => format!("reduction {i}"),
                });
                out.line(&format!("launch {}({args}){indexed}", ident(kernel)));
            }
        });
    }
}

fn present_data(out: &mut Lines, all: &[PresentData]) {
    for p in all {
        out.line(&format!("{} is {} on the device", p.name, expr(&p.host)));
    }
}

fn variable(v: &GlobalVariable) -> String {
    let GlobalVariable {
        name,
        ty: t,
        space,
        init,
        is_extern,
        line: _,
    } = v;
    let is_extern = if *is_extern { "extern " } else { "" };
    let space = match space {
        GlobalSpace::Device => "device",
        GlobalSpace::Constant => "constant memory",
        GlobalSpace::Managed => "managed",
    };
    let init = init
        .as_ref()
        .map_or(String::new(), |e| format!(" = {}", expr(e)));
    format!("{is_extern}variable {name}: {} in {space}{init}", ty(t))
}

fn array(a: &ArrayParam) -> String {
    let ArrayParam {
        name,
        pointer,
        layout,
        restrict,
    } = a;
    let restrict = if *restrict { ", restrict" } else { "" };
    format!("array {name} of {pointer}, {layout}{restrict}")
}

fn loop_reduction(r: &LoopReduction) -> String {
    let LoopReduction {
        name,
        ty: t,
        op,
        target,
    } = r;
    let op = reduction(*op);
    format!("reduction {name}: {} by {op} to {}", ty(t), expr(target))
}

fn parameters(params: &[Param]) -> String {
    joined(params, |Param { name, ty: t }| format!("{name}: {}", ty(t)))
}
