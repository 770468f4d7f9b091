//! The host side of a program: every file's Fortran, again where files decide what others keep.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::{Goal, Manner, Program};
use crate::abi::FileLaunchers;
use crate::host::{self, HostFile};
use crate::sema::model::{FileId, Model, SymbolId};
use crate::syntax;

/// The edited host code of all files.
pub(super) fn translate(
    program: &Program,
    model: &Model,
    launchers: &[FileLaunchers],
    setting: host::Setting<'_>,
    manner: Manner,
) -> Vec<HostFile> {
    let goal = manner.goal;
    let translate = |k: usize, impure: &BTreeSet<SymbolId>, needless: &BTreeSet<String>| {
        let (p, stem) = (&program.parsed[k], &program.stems[k]);
        let setting = host::Setting {
            impure,
            needless,
            conditional: &|offset| p.source.is_conditional(offset),
            around: program.around(k),
            ..setting
        };
        let (file, text) = (FileId(k as u32), p.source.host());
        host::translate(model, file, &p.tree, text, stem, &launchers[k], setting)
    };
    let files = 0..program.parsed.len();
    let all = |k| {
        let made = translate(k, &BTreeSet::new(), &BTreeSet::new());
        manner.step();
        made
    };
    let mut hosts: Vec<HostFile> = files.into_par_iter().map(all).collect();
    let impure = no_longer_pure(&hosts);
    let needless = match manner.separate {
        // Other files may call them.
        true => BTreeSet::new(),
        false => host::Helpers::needless(hosts.iter().map(|h| &h.helpers)),
    };
    let guarded = host::net::is_needed(model);
    hosts.par_iter_mut().enumerate().for_each(|(k, h)| {
        let loses_purity = h.purity.kept.iter().any(|(p, _)| impure.contains(p));
        if loses_purity || h.helpers.made.keys().any(|name| needless.contains(name)) {
            *h = translate(k, &impure, &needless);
        }
        if guarded && h.findings.is_empty() {
            let (text, origins) = &h.unwrapped;
            let (written, _) = syntax::parse(text);
            let found = host::net::check(model, FileId(k as u32), &written, origins);
            h.findings.extend(found);
        }
        h.unwrapped = Default::default();
        if goal == Goal::Check {
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
