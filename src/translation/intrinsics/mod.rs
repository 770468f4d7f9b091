//! Intrinsic procedures: one table with families, dummies, class and rule of the result; specific names map to generic ones.
//!
//! A name becomes an [`Intrinsic`] once, where a reference is resolved ([`find`]); everything later matches on the families' enums.

mod of_c;
mod specific;
mod table;

use std::fmt;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;

pub use of_c::of_c;
pub use specific::Convert;
pub use table::*;

/// An intrinsic procedure, by family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Intrinsic {
    Numeric(Numeric),
    Choice(Choice),
    Conversion(Conversion),
    Bits(Bits),
    Text(Text),
    Reduction(Reduction),
    Location(Location),
    Product(Product),
    Shift(Shift),
    Shape(Shape),
    Inquiry(Inquiry),
    Kinds(Kinds),
    Subroutine(Subroutine),
    System(System),
}

/// What the table says of an intrinsic procedure.
#[derive(Debug)]
pub struct Entry {
    pub name: &'static str,
    /// Dummies separated by blanks; `?` marks an optional one, a last `...` any number more.
    dummies: &'static str,
    pub class: Class,
    pub ty: ResultType,
    pub rank: ResultRank,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Elemental,
    Inquiry,
    Transformational,
    Subroutine,
    ElementalSubroutine,
}

/// Rule for the type of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultType {
    /// Type and kind of argument n.
    Same(u8),
    /// Common type of all arguments (max, min, mod, ...).
    Common,
    /// As `Common`, of the first two arguments.
    CommonOfTwo,
    /// Of the first argument; the real type of its parts for complex.
    RealPart,
    /// Default kind, or that of the KIND argument.
    Integer,
    Logical,
    Character,
    /// REAL: kind argument, else the parts' kind of a complex argument, else default.
    Real,
    /// CMPLX: kind argument, else default.
    Complex,
    Real4,
    Real8,
    Integer8,
    /// Product type of two arguments, numeric or logical.
    Product,
    /// Nothing (subroutines) or not known.
    None,
}

/// Rule for the rank of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultRank {
    /// Largest rank of the arguments.
    Elemental,
    Scalar,
    One,
    Same(u8),
    /// Scalar, or one less than the array's rank with DIM.
    Reduce,
    /// Rank 1, or one less than the array's rank with DIM (minloc, maxloc).
    Location,
    /// Rank 1, or a scalar with DIM (lbound, ubound).
    Bound,
    Matmul,
    Plus1,
    /// Size of the SHAPE argument.
    Reshape,
    /// Scalar for a scalar MOLD without SIZE, else 1.
    Transfer,
}

/// Dummies that mean the same wherever an intrinsic procedure has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dummy {
    Back,
    /// Of cutensorex's PACK (guide 3.9.4.2): how many elements there were.
    Count,
    Dim,
    Harvest,
    Kind,
    Mask,
    Ncopies,
    Order,
    Shape,
    Shift,
    Size,
    /// Of cudafor's reductions of device data (guide 3.9.1), which the standard's do not have.
    Stream,
}

impl Dummy {
    /// Those whose names mean the same in all procedures.
    pub const ALL: [Dummy; 12] = [
        Dummy::Back,
        Dummy::Count,
        Dummy::Dim,
        Dummy::Harvest,
        Dummy::Kind,
        Dummy::Mask,
        Dummy::Ncopies,
        Dummy::Order,
        Dummy::Shape,
        Dummy::Shift,
        Dummy::Size,
        Dummy::Stream,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Dummy::Back => "back",
            Dummy::Count => "count",
            Dummy::Dim => "dim",
            Dummy::Harvest => "harvest",
            Dummy::Kind => "kind",
            Dummy::Mask => "mask",
            Dummy::Ncopies => "ncopies",
            Dummy::Order => "order",
            Dummy::Shape => "shape",
            Dummy::Shift => "shift",
            Dummy::Size => "size",
            Dummy::Stream => "stream",
        }
    }
}

impl Entry {
    /// Dummy names in order, with whether each is optional.
    fn dummies(&self) -> impl Iterator<Item = (&'static str, bool)> {
        self.dummies
            .split_ascii_whitespace()
            .filter(|d| *d != "...")
            .map(|d| match d.strip_suffix('?') {
                Some(d) => (d, true),
                None => (d, false),
            })
    }
}

impl Intrinsic {
    /// The generic name.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// Dummy names in order, with whether each is optional.
    pub fn dummies(self) -> impl Iterator<Item = (&'static str, bool)> {
        self.entry().dummies()
    }

    /// Takes any number of arguments beyond its dummies.
    pub fn is_variadic(self) -> bool {
        self.entry().dummies.ends_with("...")
    }

    /// The place of a dummy among all.
    pub fn position(self, dummy: Dummy) -> Option<usize> {
        self.dummies().position(|d| d.0 == dummy.name())
    }

    /// The actual argument of a dummy, of arguments in the order of the dummies.
    pub fn argument<T>(self, dummy: Dummy, args: &[Option<T>]) -> Option<&T> {
        args.get(self.position(dummy)?)?.as_ref()
    }

    pub fn is_subroutine(self) -> bool {
        matches!(
            self.entry().class,
            Class::Subroutine | Class::ElementalSubroutine
        )
    }

    /// A function of elements.
    pub fn is_elemental(self) -> bool {
        self.entry().class == Class::Elemental
    }

    /// It asks about objects or types and never touches their data.
    pub fn is_inquiry(self) -> bool {
        self.entry().class == Class::Inquiry
    }

    /// It is an inquiry about the argument in that place, from 0; the other arguments have values.
    pub fn asks_about(self, place: usize) -> bool {
        use Inquiry::*;
        let of_two = matches!(
            self,
            Intrinsic::Inquiry(Associated | ExtendsTypeOf | SameTypeAs)
        );
        self.is_inquiry() && (place == 0 || of_two)
    }
}

impl fmt::Display for Intrinsic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

static NAMES: LazyLock<FxHashMap<&str, (Intrinsic, Option<Convert>)>> = LazyLock::new(|| {
    let generic = Intrinsic::ALL.iter().map(|i| (i.name(), (*i, None)));
    let specific = specific::SPECIFIC.iter().map(|(n, i, c)| (*n, (*i, *c)));
    generic.chain(specific).collect()
});

/// The intrinsic of a folded name. A specific name (`dsin`, `amax1`) gives the generic one with the conversion of its
/// result that the specific name implies.
pub fn find(name: &str) -> Option<(Intrinsic, Option<Convert>)> {
    NAMES.get(name).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_one_row() {
        assert_eq!(NAMES.len(), Intrinsic::ALL.len() + specific::SPECIFIC.len());
    }
}
