//! What the outputs are called, and the modules that files provide and use.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use crate::ast::{self, DeclKind, ProgramUnit, UnitKind};
use crate::host;

/// Path of the output files of a source, without extension. What Makefiles and shells read otherwise becomes `_`.
pub fn output_path(relative: &Path) -> String {
    let portable = |name: &str| -> String {
        let keeps = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '+' | '@' | ',');
        let name: String = name
            .chars()
            .map(|c| if keeps(c) { c } else { '_' })
            .collect();
        match name.strip_prefix('-') {
            Some(rest) => format!("_{rest}"),
            None => name,
        }
    };
    let stem = relative.with_extension("");
    let parts: Vec<String> = stem
        .components()
        .map(|c| portable(&c.as_os_str().to_string_lossy()))
        .collect();
    parts.join("/")
}

/// Names for generated modules, unique in the program: the file's base name, numbered where two agree.
pub fn unique_stems<'a>(paths: impl Iterator<Item = &'a Path>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    // Where to go on counting for each name.
    let mut counts: HashMap<String, usize> = HashMap::new();
    paths
        .map(|p| {
            let base = p
                .file_stem()
                .map(|s| s.to_string_lossy().into_owned())
                .unwrap_or_default();
            let mut name = base.clone();
            let n = counts.entry(host::shims::folded(&base)).or_insert(1);
            while !seen.insert(host::shims::folded(&name)) {
                *n += 1;
                name = format!("{base}_{n}");
            }
            name
        })
        .collect()
}

/// Modules provided and used by a file, and its main program.
pub fn module_graph(tree: &ast::File) -> (Vec<String>, Vec<String>, Option<String>) {
    let mut provides = Vec::new();
    let mut uses = BTreeSet::new();
    let mut main = None;
    for u in &tree.units {
        match &u.kind {
            UnitKind::Module => provides.push(u.name.text.to_string()),
            UnitKind::Program => main = Some(u.name.text.to_string()),
            UnitKind::Submodule { ancestor, .. } => {
                uses.insert(ancestor.text.to_string());
            }
            _ => {}
        }
        collect_uses(u, &mut uses);
    }
    (provides, uses.into_iter().collect(), main)
}

fn collect_uses(u: &ProgramUnit, uses: &mut BTreeSet<String>) {
    for d in &u.spec {
        match &d.kind {
            DeclKind::Use(x) if !x.intrinsic => {
                uses.insert(x.module.text.to_string());
            }
            DeclKind::Interface(i) => i.bodies.iter().for_each(|b| collect_uses(b, uses)),
            _ => {}
        }
    }
    u.procedures.iter().for_each(|p| collect_uses(p, uses));
}
