//! From device IR to device IR: each module is one pass over the units of a program. None reads the syntax tree or the semantic
//! model. `pipeline` names them in their order:
//!
//! 1. [`waits`]: only statements in which threads wait for each other keep their place in the source.
//! 2. [`tidy`]: what is declared but not used goes, what is only written is marked, unused labels go.
//! 3. [`placement`]: locals are declared where they get their first value.
//! 4. [`from_one`]: the first number of a thread that is counted from 1 says so.
//! 5. [`strides`]: loops in steps of the launch's extents are plain loops where the launcher can see that they end.
//! 6. [`narrow`]: arrays of explicit shape are indexed with 32 bits where the launcher can see that this is enough.
//! 7. [`indexed`]: kernels become templates over the type of index arithmetic and take their arrays apart.
//! 8. [`overflow`]: integer arithmetic that may overflow is done unsigned, so that it wraps.
//! 9. [`alone`]: which kernels' threads never wait for each other, for the cpu target, and what they ask before anything else (`guards`).
//!
//! The last two look at the whole program, because values travel through calls, and `strides` and `narrow` at the parameters of its procedures ([`launched`]); the
//! others look at one procedure or unit.

pub mod alone;
pub mod from_one;
mod guards;
pub mod indexed;
pub mod launched;
pub mod narrow;
pub mod overflow;
pub mod placement;
pub mod strides;
pub mod tidy;
pub mod waits;

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
