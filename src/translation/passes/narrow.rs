//! Arrays of explicit shape are indexed with 32 bits where the launcher can see that this is enough.
//!
//! A stencil over three dimensions takes 1.7 times the instructions if it multiplies 64-bit strides. As for assumed shapes, the kernel is
//! a template over the type of index arithmetic; the launcher takes the version with 32 bits if the bounds say that no array has more
//! elements. An array whose last extent is 1 is one of FORTRAN 77's without a known end, like those of assumed size: they stay as they are.

use super::launch_invariants::{Known, each_kernel};
use crate::ir::*;

/// Narrows the arrays of the units' kernels.
pub fn narrow(units: &mut [Unit]) {
    each_kernel(units, |kernel, launcher, known| {
        let LauncherKind::Kernel { indexed, few, .. } = launcher else {
            return;
        };
        let ProcKind::Kernel {
            arrays,
            indexed: template,
            ..
        } = &mut kernel.kind
        else {
            return;
        };
        let params: Vec<&str> = kernel.params.iter().map(|p| p.name.as_str()).collect();
        let mut found: Vec<_> = kernel
            .body
            .iter_mut()
            .filter_map(|s| Explicit::of(s, &params, known))
            .collect();
        // Constant strides cost nothing.
        if arrays.is_empty() && !found.iter().any(|a| a.varies) {
            return;
        }
        for a in &mut found {
            a.narrow();
            if !few.contains(&a.bounds) {
                few.push(std::mem::take(&mut a.bounds));
            }
        }
        if !found.is_empty() {
            (*template, *indexed) = (true, true);
        }
    });
}

/// The declaration of an array of explicit shape in a kernel.
struct Explicit<'s> {
    class: &'s mut Type,
    /// As the launcher computes them.
    bounds: Vec<Expr>,
    /// A stride is known at run time only.
    varies: bool,
}

impl<'s> Explicit<'s> {
    fn of(s: &'s mut Stmt, params: &[&str], known: &Known<'_>) -> Option<Self> {
        let StmtKind::Declare(d) = &mut s.kind else {
            return None;
        };
        let (Type::Array { rank, .. }, [declarator]) = (&d.ty, &d.names[..]) else {
            return None;
        };
        let Init::Args(args) = &declarator.init else {
            return None;
        };
        let (pointer, bounds) = args.split_first()?;
        let [leading @ .., last] = bounds else {
            return None;
        };
        // Not dynamic shared memory.
        let own = pointer.local().is_some_and(|p| params.contains(&p));
        if *rank < 2 || !own || last.as_int().is_some_and(|n| n <= 1) {
            return None;
        }
        let outside = bounds.iter().map(|b| bound(b, known));
        let outside = outside.collect::<Option<_>>()?;
        let varies = leading.iter().any(|b| !known.is_constant(b));
        Some(Explicit {
            class: &mut d.ty,
            bounds: outside,
            varies,
        })
    }

    fn narrow(&mut self) {
        if let Type::Array { elem, rank } = self.class {
            *self.class = Type::Class(Class::ExplicitShape {
                elem: elem.clone(),
                rank: *rank,
                index: IndexType::OfKernel,
            });
        }
    }
}

/// An extent, or a range of bounds.
fn bound(b: &Expr, known: &Known<'_>) -> Option<Expr> {
    match (&b.kind, &b.ty) {
        (ExprKind::Construct(ends), Type::Class(Class::Range)) => {
            let ends = ends.iter().map(|e| known.outside(e, 0));
            let ends = ends.collect::<Option<_>>()?;
            Some(Expr::new(ExprKind::Construct(ends), b.ty.clone()))
        }
        _ => known.outside(b, 0),
    }
}
