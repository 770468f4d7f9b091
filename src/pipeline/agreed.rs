//! Which launchers ask for constants and types of files that stay as they are, see [`agreed`](crate::host::agreed).

use super::depended::{Constants, copied_types, line_of};
use super::names::Used;
use super::{Device, Program};
use crate::host::HostFile;
use crate::host::agreed::{self, Agreed};
use crate::sema::model::{Model, ScopeKind};

/// For each file what its launchers ask for: what device code took, under conditionals or from macros, of files that stay as they are. The
/// first file that uses such a module asks for all.
pub(super) fn of_program(
    program: &Program,
    device: &Device,
    hosts: &[HostFile],
    constants: &Constants,
    model: &Model,
) -> Vec<Vec<Agreed>> {
    let mut all: Vec<Vec<Agreed>> = vec![Vec::new(); hosts.len()];
    let used = Used::of(program.parsed.iter().map(|p| &p.tree));
    for (other, (host, p)) in hosts.iter().zip(&program.parsed).enumerate() {
        if host.text != p.source.host() {
            // Its own conditionals are checked in it.
            continue;
        }
        let unit = device.units[other].as_deref().ok();
        let mut chosen = constants.lines(&p.tree, unit, &p.source.text);
        chosen.retain(|d| p.source.is_chosen(*d));
        if chosen.is_empty() {
            continue;
        }
        let asks = |k: &usize| {
            let has_launchers = !device.launchers[*k].launchers.is_empty();
            *k != other && has_launchers && used.with_all(*k).contains(&other)
        };
        let Some(asker) = (0..hosts.len()).find(asks) else {
            continue;
        };
        let is_chosen = |place: u32| {
            let line = line_of(&p.source.text, place);
            chosen.iter().any(|d| d.first <= line && line <= d.last)
        };
        let types = copied_types(unit);
        let units = model.files.get(other).map_or(&[][..], |f| &f.units);
        let modules = units
            .iter()
            .filter(|u| model[**u].kind == ScopeKind::Module);
        for module in modules {
            all[asker].extend(agreed::of_module(
                model,
                *module,
                &|name, place| constants.has(name) && is_chosen(place),
                &|place| types.contains(&place) && is_chosen(place),
            ));
        }
    }
    all
}
