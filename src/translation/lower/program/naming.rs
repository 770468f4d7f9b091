//! Names of program units in generated code: made of their full paths, so that different units have different ones. Names of what
//! is generated for a statement of host code: made of its procedure and a number in it, so that they do not hang on line numbers.

use std::collections::{BTreeMap, BTreeSet};

use crate::abi::global_name;
use crate::ir::names;
use crate::lower::context::Shared;
use crate::sema::model::*;

/// Names for the code generated for the statements of one procedure: `count_weno_loop_1`, `step_sum_2`.
pub struct StatementNames<'s> {
    sh: &'s Shared<'s>,
    unit: ScopeId,
    /// The procedure is the unit.
    alone: bool,
    stem: &'s str,
    taken: BTreeSet<String>,
    /// For each kind the number below which nothing is free: many statements take no more time than their count.
    from: BTreeMap<String, usize>,
}

/// The names of a piece of generated code.
#[derive(Clone)]
pub struct StatementName {
    /// In the namespace of the unit.
    pub name: String,
    /// Of the launcher.
    pub symbol: String,
}

impl<'s> StatementNames<'s> {
    /// For a procedure or main program.
    pub fn new(sh: &'s Shared<'s>, scope: ScopeId) -> Self {
        let stem = sh.analysis.stems.get(&scope);
        let unit = sh.model.unit_of(scope);
        StatementNames {
            sh,
            unit,
            alone: unit == scope,
            stem: stem.map_or("", String::as_str),
            taken: BTreeSet::new(),
            from: BTreeMap::new(),
        }
    }

    /// The first of the names `stem_kind_1`, `stem_kind_2`, ... that nothing of the unit has.
    pub fn next(&mut self, kind: &str) -> StatementName {
        // `a_dot` with a `product` is not `a` with a `dot_product`.
        let kind = kind.replace('_', "");
        let of_user = |name: &str| {
            let names = &self.sh.model[self.unit].names;
            names.contains_key(name.to_ascii_lowercase().as_str())
        };
        let mut number = self.from.get(&kind).copied().unwrap_or(1);
        let mut name;
        loop {
            name = names::safe(&format!("{}_{kind}_{number}", self.stem));
            if !of_user(&name) && !self.taken.contains(&name) {
                break;
            }
            number += 1;
        }
        // The launcher's name begins with that of the unit anyway.
        let short = format!("{kind}_{number}");
        let within = match self.alone && !of_user(&short) {
            true => &short,
            false => &name,
        };
        let symbol = global_name("cuf", &self.sh.unit_name(self.unit), within);
        self.from.insert(kind, number);
        StatementName { name, symbol }
    }

    /// The name is that of code that is written.
    pub fn take_name(&mut self, name: String) {
        self.taken.insert(name);
    }
}
