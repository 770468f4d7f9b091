//! What became of each kernel, device procedure, CUF loop and array operation of a file: what `cuf2cu fc -Minfo` prints.

use crate::abi::{ArgPassing, FileLaunchers, LauncherOf, LauncherSignature, ParamSource};
use crate::ast::{self, ProgramUnit, Span};
use crate::sema::model::{FileId, Model};
use crate::source::SourceText;

/// One of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Remark {
    /// The procedure that it is, or that it is in.
    pub unit: String,
    /// In the user's file.
    pub line: u32,
    pub what: String,
}

/// All of a file, procedure by procedure.
pub fn made(
    model: &Model,
    file: FileId,
    tree: &ast::File,
    source: &SourceText,
    launchers: &FileLaunchers,
) -> Vec<Remark> {
    let mut walk = Walk {
        model,
        file,
        source,
        launchers,
        out: Vec::new(),
    };
    for unit in &tree.units {
        walk.unit(unit);
    }
    walk.out
}

struct Walk<'a> {
    model: &'a Model,
    file: FileId,
    source: &'a SourceText,
    launchers: &'a FileLaunchers,
    out: Vec<Remark>,
}

impl Walk<'_> {
    fn unit(&mut self, unit: &ProgramUnit) {
        let is = |w: &str| unit.prefix.attributes.iter().any(|a| a.text == w);
        if is("global") || is("grid_global") {
            let scope = self.model.scope_at(self.file, unit.span.start);
            let own = |l: &&LauncherSignature| scope.map(LauncherOf::Kernel) == Some(l.of);
            if let Some(l) = self.launchers.launchers.iter().find(own) {
                let name = l.kernel.as_deref().unwrap_or(&unit.name.text);
                let what = format!("kernel: __global__ {name}, started by {}", l.symbol);
                self.add(unit, unit.span, what);
            }
        } else if is("device") {
            let both = if is("host") { "__host__ " } else { "" };
            let what = format!("device procedure: {both}__device__ function");
            self.add(unit, unit.span, what);
        }
        let inside = |outer: &Span, s: &Span| outer.start <= s.start && s.end <= outer.end;
        let mut found: Vec<(Span, String)> = Vec::new();
        for l in &self.launchers.launchers {
            let (span, what) = match l.of {
                LauncherOf::Loop(span) => (span, of_loop(l)),
                LauncherOf::Operation(span) => (
                    span,
                    format!("array operation: on the device, {}", l.symbol),
                ),
                LauncherOf::Kernel(_) | LauncherOf::Address(_) => continue,
            };
            let nested = unit.procedures.iter().any(|p| inside(&p.span, &span));
            if inside(&unit.span, &span) && !nested {
                found.push((span, what));
            }
        }
        found.sort_by_key(|(span, _)| span.start);
        for (span, what) in found {
            self.add(unit, span, what);
        }
        for p in &unit.procedures {
            self.unit(p);
        }
    }

    fn add(&mut self, unit: &ProgramUnit, at: Span, what: String) {
        self.out.push(Remark {
            unit: unit.name.text.to_string(),
            line: self.source.position(at.start).line,
            what,
        });
    }
}

fn of_loop(l: &LauncherSignature) -> String {
    let ranges = |p: &&crate::abi::LauncherParam| matches!(p.source, ParamSource::LoopRange { .. });
    let loops = match l.params.iter().filter(ranges).count() {
        1 => "1 loop".to_owned(),
        n => format!("{n} loops"),
    };
    let reduced =
        |p: &&crate::abi::LauncherParam| matches!(p.passing, ArgPassing::Reference { .. });
    let names: Vec<&str> = (l.params.iter().filter(reduced))
        .map(|p| &*p.name)
        .collect();
    let name = l.kernel.as_deref().unwrap_or(&l.symbol);
    let mut text = format!("CUF loop: kernel {name} over {loops}");
    if !names.is_empty() {
        text += &format!(", reduction of {}", names.join(", "));
    }
    text
}
