//! What the outputs are called, and the modules that files provide and use.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use crate::ast::{self, Decl, DeclKind, ProgramUnit, Stmt, StmtKind, UnitKind};
use crate::host;

/// Paths of the output files of the sources, without extension, unique in the program: where `x.cuf` stands beside `x.f90`,
/// one of them is numbered, and it is not the one that has the output's extension already.
pub fn output_paths<'a>(sources: impl Iterator<Item = &'a Path>) -> Vec<String> {
    let sources: Vec<&Path> = sources.collect();
    let mut paths: Vec<String> = sources.iter().map(|p| output_path(p)).collect();
    let mut order: Vec<usize> = (0..paths.len()).collect();
    order.sort_by_key(|&i| sources[i].extension().is_none_or(|e| e != "f90"));
    let mut seen = BTreeSet::new();
    let mut counts: HashMap<String, usize> = HashMap::new();
    for i in order {
        let plain = paths[i].clone();
        // File systems may fold case; the runtime's header has this name wherever it is included.
        let free = |path: &str, seen: &mut BTreeSet<String>| {
            let folded = path.to_lowercase();
            folded.rsplit('/').next() != Some("cuf") && seen.insert(folded)
        };
        let n = counts.entry(plain.to_lowercase()).or_insert(1);
        while !free(&paths[i], &mut seen) {
            *n += 1;
            paths[i] = format!("{plain}_{n}");
        }
    }
    paths
}

/// Path of the output files of a source, without extension. What Makefiles and shells read otherwise becomes `_`.
fn output_path(relative: &Path) -> String {
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

/// The file's base name.
pub fn stem(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

/// Names for generated modules, unique in the program: the file's base name, numbered where two agree.
pub fn unique_stems<'a>(paths: impl Iterator<Item = &'a Path>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    // Where to go on counting for each name.
    let mut counts: HashMap<String, usize> = HashMap::new();
    paths
        .map(|p| {
            let base = stem(p);
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

/// Modules provided and used by a file, and its main program. A submodule is called `ancestor:name`; it uses its parent.
pub fn module_graph(tree: &ast::File) -> (Vec<String>, Vec<String>, Option<String>) {
    let mut provides = Vec::new();
    let mut uses = BTreeSet::new();
    let mut main = None;
    for u in &tree.units {
        match &u.kind {
            UnitKind::Module => provides.push(u.name.text.to_string()),
            UnitKind::Program => main = Some(u.name.text.to_string()),
            UnitKind::Submodule { ancestor, parent } => {
                let of = |n: &ast::Name| format!("{}:{}", ancestor.text, n.text);
                provides.push(of(&u.name));
                uses.insert(parent.as_ref().map_or(ancestor.text.to_string(), of));
            }
            _ => {}
        }
        collect_uses(u, &mut uses);
    }
    (provides, uses.into_iter().collect(), main)
}

fn collect_uses(u: &ProgramUnit, uses: &mut BTreeSet<String>) {
    uses_of(&u.spec, uses);
    uses_of_blocks(&u.body, uses);
    u.procedures.iter().for_each(|p| collect_uses(p, uses));
}

fn uses_of(spec: &[Decl], uses: &mut BTreeSet<String>) {
    for d in spec {
        match &d.kind {
            DeclKind::Use(x) if !x.intrinsic => {
                uses.insert(x.module.text.to_string());
            }
            DeclKind::Interface(i) => i.bodies.iter().for_each(|b| collect_uses(b, uses)),
            _ => {}
        }
    }
}

/// A BLOCK construct has USE statements of its own.
fn uses_of_blocks(body: &[Stmt], uses: &mut BTreeSet<String>) {
    for s in body {
        if let StmtKind::Block { spec, .. } = &s.kind {
            uses_of(spec, uses);
        }
        s.blocks().into_iter().for_each(|b| uses_of_blocks(b, uses));
    }
}

/// Of each file those whose modules it uses.
pub struct Used(Vec<Vec<usize>>);

impl Used {
    pub fn of<'a>(trees: impl Iterator<Item = &'a ast::File>) -> Used {
        let graph: Vec<_> = trees.map(module_graph).collect();
        let providers: BTreeMap<&str, usize> = (graph.iter().enumerate())
            .flat_map(|(k, (provides, ..))| provides.iter().map(move |m| (&**m, k)))
            .collect();
        let provider = |m: &String| providers.get(&**m).copied();
        let used = graph
            .iter()
            .map(|(_, uses, _)| uses.iter().filter_map(provider));
        Used(used.map(Iterator::collect).collect())
    }

    /// A file with those that it uses, and those that they use.
    pub fn with_all(&self, k: usize) -> BTreeSet<usize> {
        let mut seen = BTreeSet::from([k]);
        let mut todo = vec![k];
        while let Some(next) = todo.pop() {
            let used = self.0[next].iter().copied();
            todo.extend(used.filter(|u| seen.insert(*u)));
        }
        seen
    }
}
