//! Where integer arithmetic must wrap around on overflow.
//!
//! Fortran leaves overflow undefined and programs rely on wrap-around (generators, hashes). So does C++ for signed integers, and
//! nvcc has no option to define it: `abs(i + 71491773)` or `k*c < 0` is simplified as if nothing overflowed. Unsigned arithmetic
//! wraps, so an operation is done unsigned (`unsigned(seed) * 1103515245 + 12345`) where all of this holds:
//!
//! - The value matters: it is compared, divided, widened, shifted, given to an intrinsic, ... or goes through variables, array
//!   elements, arguments or results to such a use ([`graph`]). Sums and products that are only stored have the right bits anyway.
//! - It may overflow ([`size`]). Sums of thread coordinates, DO variables, bounds and small constants do not, as long as arrays
//!   fit in memory; nor do values of a smaller kind.
//! - A program may rely on its wrapping ([`wrap_heuristics`]), or the user asks for all arithmetic to wrap.
//!
//! Subscripts and the bounds of DO loops and arrays stay as they are: an overflow there is an error of the program in any case.

mod additive;
mod arithmetic;
mod graph;
mod measure;
mod rewrite;
mod size;
mod wrap_heuristics;

use crate::ir::{Item, ItemKind, Proc, Unit};
use graph::Graph;
pub use graph::Wrap;
use rewrite::{Phase, Walker};

/// Who calls the device procedures of the units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callers {
    /// They are among the units.
    Here,
    /// Other units, too, of which nothing is known.
    Elsewhere,
}

/// Makes the integer arithmetic of a whole program wrap around.
pub fn wrap(units: &mut [Unit], callers: Callers, wrap: Wrap) {
    let mut graph = Graph::default();
    each_procedure(units, &mut |space, p| {
        rewrite::declare(&mut graph, space, p);
    });
    // The second time all variables that hold thread coordinates are known.
    for _ in 0..2 {
        each_item(units, &mut |space, item| {
            Walker::new(&mut graph, Phase::Uses, space, wrap).item(item);
        });
    }
    if callers == Callers::Elsewhere {
        graph.open();
    }
    graph.propagate();
    graph.spread();
    let mut news = true;
    while news {
        news = false;
        each_item(units, &mut |space, item| {
            news |= Walker::new(&mut graph, Phase::Sizes, space, wrap).item(item);
        });
    }
    each_item(units, &mut |space, item| {
        Walker::new(&mut graph, Phase::Rewrite, space, wrap).item(item);
    });
}

fn each_item(units: &mut [Unit], f: &mut dyn FnMut(&str, &mut Item)) {
    for unit in units {
        for n in &mut unit.namespaces {
            for item in n.header.iter_mut().chain(&mut n.source) {
                f(&n.name, item);
            }
        }
    }
}

fn each_procedure(units: &mut [Unit], f: &mut dyn FnMut(&str, &Proc)) {
    each_item(units, &mut |space, item| {
        if let ItemKind::Proc(p) = &item.kind {
            f(space, p);
        }
    });
}
