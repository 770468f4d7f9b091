//! What is asked of a file before it is translated: its modules, and the external procedures that it describes or defines.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::interface_hash::face;
use super::parsed::parse;
use super::{Dialect, Sequences, SourceFile, externals, names};
use crate::ast::{self, DeclKind, ProgramUnit};
use crate::sema::model::FileId;
use crate::{sema, source};

/// What a file defines and needs, in folded names.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    /// Modules; a submodule is `ancestor:name`.
    pub provides: Vec<String>,
    pub uses: Vec<String>,
    /// External procedures without a binding label that have an interface body, and no definition in the file.
    pub described: BTreeSet<String>,
    /// What its modules are to device code of other files, as a digest; None: nothing.
    pub face: Option<String>,
}

/// The outline of a file, as far as it can be read.
pub fn outline_of(
    file: &SourceFile,
    options: &source::Options,
    include: source::Files<'_>,
) -> Outline {
    let Ok(parsed) = parse(&file.path, file.bytes.clone(), options, include) else {
        return Outline::default();
    };
    let (provides, uses, _) = names::module_graph(&parsed.tree);
    let mut described = BTreeSet::new();
    (parsed.tree.units.iter()).for_each(|u| bodies(u, &mut described));
    for unit in &parsed.tree.units {
        described.remove(unit.name.text.as_str());
    }
    Outline {
        provides,
        uses,
        described,
        face: face(&parsed.tree, &parsed.source.text),
    }
}

fn bodies(unit: &ProgramUnit, out: &mut BTreeSet<String>) {
    for decl in &unit.spec {
        if let DeclKind::Interface(i) = &decl.kind
            && !i.is_abstract
        {
            let of_modules = |b: &&ProgramUnit| is_separate(b);
            let external = i.bodies.iter().filter(|b| b.bind.is_none());
            let external = external.filter(|b| !of_modules(b));
            out.extend(external.map(|b| b.name.text.to_string()));
        }
    }
    unit.procedures.iter().for_each(|p| bodies(p, out));
}

/// The interface of a separate module procedure.
fn is_separate(body: &ast::ProgramUnit) -> bool {
    body.prefix.words.iter().any(|w| w.text == "module")
}

/// How the external procedures that these files define take arrays, by file; none of a file that is not understood. Modules need not be there.
pub fn sequences_of(
    files: &[SourceFile],
    options: &source::Options,
    include: source::Files<'_>,
    dialect: Dialect,
) -> Vec<Sequences> {
    let of_file = |file: &SourceFile| {
        let parsed = parse(&file.path, file.bytes.clone(), options, include).ok();
        let Some(parsed) = parsed.filter(|p| p.errors.is_empty()) else {
            return Sequences::default();
        };
        let path = file.path.display().to_string();
        let input = sema::Input {
            path: &path,
            text: &parsed.source.text,
            ast: &parsed.tree,
            library: false,
        };
        let (model, _) = sema::analyze(&[input], dialect);
        externals(&model, FileId(0)).sequences
    };
    files.par_iter().map(of_file).collect()
}
