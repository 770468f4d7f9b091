//! From device IR to device IR: each module is one pass over the units of a program. None reads the syntax tree or the semantic
//! model. `pipeline` names them in their order:
//!
//! 1. [`sync_points`]: only statements in which threads wait for each other keep their place in the source.
//! 2. [`dead_code`]: what is declared but not used goes, what is only written is marked, unused labels go.
//! 3. [`placement`]: locals are declared where they get their first value.
//! 4. [`index_base`]: the first number of a thread that is counted from 1 says so.
//! 5. [`grid_stride`]: loops in steps of the launch's extents are plain loops where the launcher can see that they end.
//! 6. [`narrow`]: arrays of explicit shape are indexed with 32 bits where the launcher can see that this is enough.
//! 7. [`index_width`]: kernels become templates over the type of index arithmetic and take their arrays apart.
//! 8. [`overflow`]: integer arithmetic that may overflow is done unsigned, so that it wraps.
//! 9. [`barrier_free`]: which kernels' threads never wait for each other, for the cpu target, and what they ask before anything else (`guards`).
//!
//! The last two look at the whole program, because values travel through calls, and `strides` and `narrow` at the parameters of its procedures ([`launch_invariants`]); the
//! others look at one procedure or unit.

pub mod barrier_free;
pub mod dead_code;
pub mod grid_stride;
mod guards;
pub mod index_base;
pub mod index_width;
pub mod launch_invariants;
pub mod narrow;
pub mod overflow;
pub mod placement;
pub mod sync_points;

use rayon::prelude::*;

use crate::ir::{Item, ItemKind, Proc, Unit};

/// Calls `f` on all procedures with a body, in no order.
pub fn each_procedure(units: &mut [Unit], f: impl Fn(&mut Proc) + Sync) {
    let mut items: Vec<&mut Item> = units
        .iter_mut()
        .flat_map(|u| &mut u.namespaces)
        .flat_map(|n| n.header.iter_mut().chain(&mut n.source))
        .collect();
    items.par_iter_mut().for_each(|i| {
        if let ItemKind::Proc(p) = &mut i.kind {
            f(p);
        }
    });
}
