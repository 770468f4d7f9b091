//! What the arguments of intrinsic procedures are, by the names of their dummies (F2018 16.9): a name means the same in all of them.

use crate::intrinsics::{Bits, Choice, Dummy, Intrinsic, Shape};
use crate::sema::check::checker::*;

/// What an argument has to be.
struct Wanted {
    what: &'static str,
    fits: fn(&TExpr) -> bool,
}

fn is_integer(e: &TExpr) -> bool {
    matches!(e.ty, Type::Integer(_) | Type::Boz)
}

const INTEGER: Wanted = Wanted {
    what: "an integer",
    fits: is_integer,
};
const SCALAR: Wanted = Wanted {
    what: "an integer scalar",
    fits: |e| is_integer(e) && e.rank <= 0,
};
const VECTOR: Wanted = Wanted {
    what: "an integer array of rank 1",
    fits: |e| is_integer(e) && matches!(e.rank, 1 | -1),
};
const LOGICAL: Wanted = Wanted {
    what: "a logical value",
    fits: |e| matches!(e.ty, Type::Logical(_)),
};
/// nvfortran takes an integer as a condition.
const CONDITION: Wanted = Wanted {
    what: "a logical value",
    fits: |e| matches!(e.ty, Type::Logical(_) | Type::Integer(_)),
};
const REAL: Wanted = Wanted {
    what: "a real number",
    fits: |e| matches!(e.ty, Type::Real(_) | Type::Complex(_)),
};

fn wanted(i: Intrinsic, dummy: Dummy, device_code: bool) -> Option<Wanted> {
    Some(match dummy {
        Dummy::Mask if i == Intrinsic::from(Bits::MergeBits) || i.is_subroutine() => return None,
        Dummy::Mask if device_code || i == Intrinsic::from(Choice::Merge) => CONDITION,
        Dummy::Mask | Dummy::Back => LOGICAL,
        // `sum(a, mask)`
        Dummy::Dim if i.position(Dummy::Mask).is_some() => Wanted {
            what: "an integer scalar",
            fits: |e| (SCALAR.fits)(e) || (LOGICAL.fits)(e),
        },
        Dummy::Dim | Dummy::Kind | Dummy::Ncopies => SCALAR,
        Dummy::Stream => INTEGER,
        Dummy::Shift if !i.is_subroutine() => INTEGER,
        Dummy::Shape | Dummy::Order if i == Intrinsic::from(Shape::Reshape) => VECTOR,
        Dummy::Size if i == Intrinsic::from(Shape::Transfer) => SCALAR,
        Dummy::Harvest => REAL,
        Dummy::Count | Dummy::Order | Dummy::Shape | Dummy::Shift | Dummy::Size => return None,
    })
}

impl Checker<'_> {
    /// Reports arguments of another type than those of their names.
    pub(in crate::translation::sema::check) fn intrinsic_dummies(
        &mut self,
        i: Intrinsic,
        args: &[Option<TExpr>],
        device_code: bool,
    ) {
        for dummy in Dummy::ALL {
            let (Some(a), Some(wanted)) = (i.argument(dummy, args), wanted(i, dummy, device_code))
            else {
                continue;
            };
            let unknown = matches!(
                a.ty,
                Type::Unknown | Type::Opaque(_) | Type::AssumedType | Type::ClassStar
            );
            if unknown || (wanted.fits)(a) {
                continue;
            }
            let given = self.model.type_name(&a.ty);
            let array = if a.rank > 0 { "an array of type " } else { "" };
            let message = format!(
                "argument `{}` of `{i}` must be {}, not {array}{given}",
                dummy.name(),
                wanted.what
            );
            self.report("CUF0208", a.span, message);
        }
    }
}
