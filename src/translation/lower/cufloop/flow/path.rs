//! The state of an iteration at a statement, one for each way there that matters.

use std::collections::BTreeMap;

use super::facts::Facts;
pub use super::origins::Origins;
use crate::ast::Span;
use crate::sema::model::SymbolId;

/// More states than this are made one.
const MOST_PATHS: usize = 24;

/// A scalar of the host, or a component of one.
#[derive(Clone, Debug, Default)]
pub struct Cell {
    /// It may still have the value that the iteration began with.
    pub initial: bool,
    pub origins: Origins,
    /// A choice that is the same in all iterations left out an assignment.
    pub left_by_uniform: bool,
    /// A choice that each iteration makes for itself left out an assignment.
    pub left_by_varying: bool,
    /// The first iteration of a mapped loop assigns it, and this one may not be that.
    pub left_to_first: bool,
    /// The constructs of these choices.
    pub left_at: Vec<Span>,
}

impl Cell {
    /// Where only uniform choices left the scalar without a value, the program gives it one in every iteration or in none.
    pub fn is_trusted(&self) -> bool {
        self.left_by_uniform && !self.left_by_varying
    }

    fn same_state(&self, other: &Cell) -> bool {
        self.initial == other.initial
            && self.origins == other.origins
            && self.left_by_uniform == other.left_by_uniform
            && self.left_by_varying == other.left_by_varying
            && self.left_to_first == other.left_to_first
    }

    fn join(&mut self, other: &Cell) {
        self.initial |= other.initial;
        self.origins.add(&other.origins);
        self.left_by_uniform |= other.left_by_uniform;
        self.left_by_varying |= other.left_by_varying;
        self.left_to_first |= other.left_to_first;
        for at in &other.left_at {
            self.note_left(*at);
        }
    }

    /// Some choice decided whether the scalar has a value.
    pub fn is_left(&self) -> bool {
        self.left_by_uniform || self.left_by_varying
    }

    /// A construct assigns the scalar on other ways through it.
    pub fn leave(&mut self, choice: Choice, at: Span) {
        match choice {
            Choice::Uniform => self.left_by_uniform = true,
            Choice::Varying => self.left_by_varying = true,
            Choice::First => {
                self.left_by_varying = true;
                self.left_to_first = true;
            }
        }
        self.note_left(at);
    }

    fn note_left(&mut self, at: Span) {
        if self.left_at.len() < 3 && !self.left_at.contains(&at) {
            self.left_at.push(at);
        }
    }
}

/// What a construct makes its choice by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// All iterations choose the same.
    Uniform,
    Varying,
    /// By whether the iteration is the first one.
    First,
}

#[derive(Clone, Debug, Default)]
pub struct Path {
    pub cells: Vec<Cell>,
    /// What other variables depend on; arrays as a whole.
    pub others: BTreeMap<SymbolId, Origins>,
    /// What decides that the statement is executed, for each construct around it.
    pub control: Vec<Origins>,
    pub facts: Facts,
}

impl Path {
    pub fn new(cells: usize) -> Self {
        let cell = Cell {
            initial: true,
            ..Cell::default()
        };
        Path {
            cells: vec![cell; cells],
            control: vec![Origins::new()],
            ..Path::default()
        }
    }

    /// All that decides that the statement is executed.
    pub fn decided_by(&self) -> Origins {
        Origins::union(&self.control)
    }

    /// A construct begins whose statements depend on `origins`.
    pub fn enter(&mut self, origins: Origins) {
        self.control.push(origins);
    }

    /// Back at `depth` constructs; `keep`: what decided in there decides about what follows, too.
    pub fn leave(&mut self, depth: usize, keep: bool) {
        let left: Vec<Origins> = self
            .control
            .drain(depth.min(self.control.len())..)
            .collect();
        if keep && let Some(last) = self.control.last_mut() {
            left.iter().for_each(|o| last.add(o));
        }
    }

    /// Nothing of the path itself is known any more, for where jumps land.
    pub fn landed(mut self, depth: usize) -> Self {
        let all = self.decided_by();
        self.control = vec![Origins::new(); depth.max(1)];
        if let Some(first) = self.control.first_mut() {
            *first = all;
        }
        self.facts.forget_all();
        self
    }

    pub fn same_state(&self, other: &Path) -> bool {
        self.others == other.others
            && self.control == other.control
            && self.cells.len() == other.cells.len()
            && self
                .cells
                .iter()
                .zip(&other.cells)
                .all(|(a, b)| a.same_state(b))
    }

    pub fn join(&mut self, other: &Path) {
        for (a, b) in self.cells.iter_mut().zip(&other.cells) {
            a.join(b);
        }
        for (s, o) in &other.others {
            self.others.entry(*s).or_default().add(o);
        }
        for (a, b) in self.control.iter_mut().zip(&other.control) {
            a.add(b);
        }
        self.facts.keep_common(&other.facts);
    }
}

/// Makes one of states that do not differ but in what is known of conditions, and of all if there are too many.
pub fn merged(paths: Vec<Path>, precise: bool) -> Vec<Path> {
    if paths.len() < 2 {
        return paths;
    }
    let mut out: Vec<Path> = Vec::new();
    for p in paths {
        match out.iter_mut().find(|o| !precise || o.same_state(&p)) {
            Some(o) => o.join(&p),
            None => out.push(p),
        }
    }
    if out.len() > MOST_PATHS {
        return merged(out, false);
    }
    out
}

/// A scalar that has a value on some of the paths here and not on others has been left out by a choice.
pub fn compare(paths: &mut [Path]) {
    let Some(count) = paths
        .iter()
        .map(|p| p.cells.len())
        .min()
        .filter(|_| paths.len() > 1)
    else {
        return;
    };
    for n in 0..count {
        let settled = |p: &Path| p.cells.get(n).is_some_and(|c| !c.initial || c.is_left());
        let known = paths.iter().filter(|p| settled(p)).count();
        if known > 0 && known < paths.len() {
            let cells = paths.iter_mut().filter_map(|p| p.cells.get_mut(n));
            for c in cells.filter(|c| c.initial && !c.is_left()) {
                c.left_by_varying = true;
            }
        }
    }
}
