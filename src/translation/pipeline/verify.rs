//! The rules of the device IR, which hold after each pass.

use rayon::prelude::*;

use crate::abi::{ArgPassing, FileLaunchers};
use crate::ir::validate::{
    Checked, Crossing, Interface, Violation, checked, violations, violations_of,
};
use crate::ir::{BarrierFreeKernel, Unit};

/// Looks at the units between the passes: in debug builds after each, else after the last.
pub struct Guard {
    /// By unit.
    interfaces: Vec<Vec<Interface>>,
    /// What was found first in each unit.
    found: Vec<Vec<Violation>>,
}

impl Guard {
    pub fn new(launchers: &[FileLaunchers], units: usize) -> Guard {
        let of_file = |l: &FileLaunchers| l.launchers.iter().map(interface).collect();
        Guard {
            interfaces: launchers.iter().map(of_file).collect(),
            found: vec![Vec::new(); units],
        }
    }

    /// What the pass has made of the units.
    pub fn after(&mut self, pass: &str, units: &[Unit]) {
        if !cfg!(debug_assertions) {
            return;
        }
        let all = units.par_iter().zip(&self.interfaces).zip(&mut self.found);
        all.filter(|(_, found)| found.is_empty())
            .for_each(|((unit, interfaces), found)| {
                *found = violations(unit, interfaces);
                for v in found {
                    v.what = format!("after {pass}: {}", v.what);
                }
            });
    }

    /// The procedures that are printed beside the units, always: nothing looks at them later.
    pub fn beside(&mut self, kernels: &[Vec<BarrierFreeKernel>]) {
        let all = kernels.par_iter().zip(&mut self.found);
        all.filter(|(_, found)| found.is_empty())
            .for_each(|(kernels, found)| {
                let guarded = kernels.iter().filter_map(|k| k.guarded.as_ref());
                *found = violations_of(guarded.flat_map(|g| [&g.inside, &g.body]));
            });
    }

    /// The units after the last pass.
    pub fn checked(self, units: Vec<Unit>) -> Vec<Result<Checked<Unit>, Vec<Violation>>> {
        let all = units.into_par_iter().zip(&self.interfaces).zip(self.found);
        all.map(|((unit, interfaces), found)| match found.is_empty() {
            true => checked(unit, interfaces),
            false => Err(found),
        })
        .collect()
    }
}

fn interface(l: &crate::abi::LauncherSignature) -> Interface {
    let crossing = |p: &ArgPassing| match p {
        ArgPassing::Value(_) => Crossing::Value,
        ArgPassing::Descriptor => Crossing::Descriptor,
        ArgPassing::Range => Crossing::Range,
        ArgPassing::Address
        | ArgPassing::HostValue
        | ArgPassing::OptionalValue
        | ArgPassing::Reference { .. } => Crossing::Pointer,
    };
    Interface {
        symbol: l.symbol.clone(),
        params: l.params.iter().map(|p| crossing(&p.passing)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Expr, Item, ItemKind, Namespace, Notes, Proc, ProcKind, Stmt, Type};

    /// CUF0902 is the message of what is found here.
    #[test]
    fn a_unit_that_breaks_a_rule_is_not_checked() {
        let undeclared = Expr::name("k", Type::Int(4));
        let proc = Proc {
            c_name: None,
            name: "f".to_owned(),
            remarks: Vec::new(),
            kind: ProcKind::Device,
            result: Type::Void,
            params: Vec::new(),
            body: vec![Stmt::assign(undeclared, Expr::int(1))],
            names: Vec::new(),
        };
        let item = Item {
            kind: ItemKind::Proc(proc),
            notes: Notes::default(),
            origin: crate::ir::Origin::default(),
        };
        let unit = Unit {
            namespaces: vec![Namespace {
                header: vec![item],
                ..Namespace::default()
            }],
            ..Unit::default()
        };
        let mut guard = Guard::new(&[FileLaunchers::default()], 1);
        guard.after("tidy", std::slice::from_ref(&unit));
        let units = guard.checked(vec![unit]);
        let what = |v: &Vec<Violation>| v.iter().map(|v| v.what.clone()).collect::<Vec<_>>();
        let found = units.iter().map(|u| u.as_ref().map(|_| ()).map_err(what));
        let pass = if cfg!(debug_assertions) {
            "after tidy: "
        } else {
            ""
        };
        let expected = format!("{pass}f: k is not declared");
        assert_eq!(found.collect::<Vec<_>>(), [Err(vec![expected])]);
    }
}
