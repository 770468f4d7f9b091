//! The host side of a program: every file's Fortran, again where files decide what others keep.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::{Action, PipelineOptions, Program};
use crate::abi::FileLaunchers;
use crate::host::{self, HostFile};
use crate::sema::model::{FileId, Model, SymbolId, TypeId};
use crate::syntax;

/// What the first translation of all files tells the second one of some.
#[derive(Default)]
struct Again {
    impure: BTreeSet<SymbolId>,
    needless: BTreeSet<String>,
    divided: BTreeSet<TypeId>,
    exposed: BTreeSet<TypeId>,
    reached: host::Reached,
}

/// The edited host code of all files.
pub(super) fn translate(
    program: &Program,
    model: &Model,
    launchers: &[FileLaunchers],
    setting: host::Setting<'_>,
    manner: PipelineOptions,
) -> Vec<HostFile> {
    let goal = manner.goal;
    let translate = |k: usize, again: &Again| {
        let (p, stem) = (&program.parsed[k], &program.stems[k]);
        let setting = host::Setting {
            impure: &again.impure,
            reached: &again.reached,
            needless: &again.needless,
            // Who defines a type that another file has to have divided does not know of it.
            divided: Some(&again.divided).filter(|_| !manner.separate),
            exposed: Some(&again.exposed).filter(|_| !manner.separate),
            conditional: &|offset| p.source.is_conditional(offset),
            interrupted: &|start, end| p.source.is_interrupted(start, end),
            around: program.around(k),
            // The branch without the macro of the program's CUDA Fortran has them.
            keep_loops: setting.keep_loops
                && !(program.cuda_macro.is_some() && p.source.is_preprocessed()),
            ..setting
        };
        let (file, text) = (FileId(k as u32), p.source.host());
        host::translate(model, file, &p.tree, text, stem, &launchers[k], setting)
    };
    let files = 0..program.parsed.len();
    let all = |k| {
        let made = translate(k, &Again::default());
        manner.step();
        made
    };
    let mut hosts: Vec<HostFile> = files.into_par_iter().map(all).collect();
    let again = Again {
        impure: no_longer_pure(&hosts),
        needless: match manner.separate {
            // Other files may call them.
            true => BTreeSet::new(),
            false => host::Helpers::needless(hosts.iter().map(|h| &h.helpers)),
        },
        divided: hosts.iter().flat_map(|h| h.divided.clone()).collect(),
        exposed: hosts.iter().flat_map(|h| h.exposed.clone()).collect(),
        reached: host::Reached::of(model, hosts.iter().map(|h| &h.flows)),
    };
    let defines: BTreeSet<FileId> = (again.divided.union(&again.exposed))
        .map(|t| model[model[*t].scope].file)
        .filter(|_| !manner.separate)
        .collect();
    let watched = host::verify::GuardedNames::of(model);
    hosts.par_iter_mut().enumerate().for_each(|(k, h)| {
        let file = FileId(k as u32);
        let loses_purity = h.purity.kept.iter().any(|(p, _)| again.impure.contains(p));
        let shorter = h.helpers.made.keys().any(|n| again.needless.contains(n));
        if loses_purity
            || shorter
            || defines.contains(&file)
            || again.reached.concerns(model, file, &h.flows)
        {
            *h = translate(k, &again);
        }
        let (text, origins) = &h.unwrapped;
        let library = model.files.get(k).is_some_and(|f| f.library);
        if !library && h.findings.is_empty() && watched.may_touch(text) {
            let (written, _) = syntax::parse(text);
            let found = host::verify::check(model, FileId(k as u32), &written, origins);
            h.findings.extend(found);
        }
        h.unwrapped = Default::default();
        if goal == Action::Check {
            h.text = String::new();
        }
    });
    hosts
}

/// The procedures that cannot stay pure: those that lost it, and those that refer to one that cannot.
fn no_longer_pure(hosts: &[HostFile]) -> BTreeSet<SymbolId> {
    let mut found: BTreeSet<SymbolId> = BTreeSet::new();
    found.extend(hosts.iter().flat_map(|h| h.purity.lost.iter().copied()));
    let mut rest: Vec<_> = hosts.iter().flat_map(|h| &h.purity.kept).collect();
    loop {
        let before = rest.len();
        rest.retain(|(p, refers)| {
            let stays = refers.is_disjoint(&found);
            if !stays {
                found.insert(*p);
            }
            stays
        });
        if rest.len() == before {
            return found;
        }
    }
}
