//! How large an integer can be, as far as the program text says.

/// Constants and coordinates up to here added to a position make a position.
pub const SMALL: i128 = 1 << 16;

/// Sums of more positions than this may be sums over a loop.
const POSITIONS: u8 = 8;

/// What is known of an integer's value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Size {
    /// No value yet.
    #[default]
    None,
    /// Between these numbers.
    Range(i128, i128),
    /// A place in an array or grid, or a count of such, or a sum of that many: DO variables, bounds, thread coordinates. Together
    /// with a few others it stays far from the limits of its kind.
    Position(u8),
    /// Any value of the kind, from memory or a caller.
    Data,
    /// A product of positions: a position again if it is used as a subscript.
    Product,
    /// The result of an operation that may have overflowed.
    Any,
}

use Size::{Any, Data, None, Position, Product, Range};

/// Largest number of an integer of so many bytes.
pub fn largest(bytes: u8) -> i128 {
    (1 << (u32::from(bytes) * 8 - 1)) - 1
}

impl Size {
    /// All values of the kind.
    pub fn full(bytes: u8) -> Size {
        Range(-largest(bytes) - 1, largest(bytes))
    }

    fn fitting(lo: i128, hi: i128, bytes: u8) -> Size {
        if lo >= -largest(bytes) - 1 && hi <= largest(bytes) {
            Range(lo, hi)
        } else {
            Any
        }
    }

    /// A few steps of at most so much.
    pub fn within(self, limit: i128) -> bool {
        matches!(self, Range(lo, hi) if lo >= -limit && hi <= limit)
    }

    /// As an operand: any value of the kind where nothing better is known.
    fn bounds(self, bytes: u8) -> Option<(i128, i128)> {
        match self {
            Range(lo, hi) => Some((lo, hi)),
            Data | Any | Product => Some((-largest(bytes) - 1, largest(bytes))),
            None | Position(_) => Option::None,
        }
    }

    /// The result of an operation on it may overflow.
    pub fn overflows(self) -> bool {
        matches!(self, Any | Product | None)
    }

    /// What a variable is that has values of both.
    pub fn join(self, other: Size) -> Size {
        match (self, other) {
            (None, x) | (x, None) => x,
            (Any, _) | (_, Any) => Any,
            (Range(a, b), Range(c, d)) => Range(a.min(c), b.max(d)),
            (Position(a), Position(b)) => Position(a.max(b)),
            (Position(w), r @ Range(..)) | (r @ Range(..), Position(w)) => {
                if r.within(SMALL) {
                    Position(w)
                } else {
                    Data
                }
            }
            (Product, _) | (_, Product) => Product,
            (Data, _) | (_, Data) => Data,
        }
    }

    pub fn plus(self, other: Size, bytes: u8) -> Size {
        match (self, other) {
            (None, _) | (_, None) => None,
            (Range(a, b), Range(c, d)) => Size::fitting(a + c, b + d, bytes),
            (Position(a), Position(b)) if a + b <= POSITIONS => Position(a + b),
            (Position(w), r @ Range(..)) | (r @ Range(..), Position(w)) if r.within(SMALL) => {
                Position(w)
            }
            (Product, x @ (Range(..) | Position(_) | Product))
            | (x @ (Range(..) | Position(_)), Product)
                if matches!(x, Position(_) | Product) || x.within(SMALL) =>
            {
                Product
            }
            _ => match (self.bounds(bytes), other.bounds(bytes)) {
                (Some((a, b)), Some((c, d))) => Size::fitting(a + c, b + d, bytes),
                _ => Any,
            },
        }
    }

    /// The smallest number has no negative of its kind: `0 - x` may overflow.
    pub fn minus(self, other: Size, bytes: u8) -> Size {
        match other {
            Range(lo, hi) => self.plus(Range(-hi, -lo), bytes),
            Data | Any => self.plus(Range(-largest(bytes), largest(bytes) + 1), bytes),
            None | Position(_) | Product => self.plus(other, bytes),
        }
    }

    pub fn negated(self, bytes: u8) -> Size {
        match self {
            None | Position(_) | Product => self,
            Range(a, b) => Size::fitting(-b, -a, bytes),
            Data | Any => Any,
        }
    }

    pub fn times(self, other: Size, bytes: u8) -> Size {
        match (self, other) {
            (None, _) | (_, None) => None,
            (Range(1, 1), x) | (x, Range(1, 1)) => x,
            (Position(_) | Product, Position(_) | Product) => Product,
            (Position(_) | Product, r @ Range(..)) | (r @ Range(..), Position(_) | Product)
                if r.within(SMALL) =>
            {
                Product
            }
            _ => match (self.bounds(bytes), other.bounds(bytes)) {
                (Some((a, b)), Some((c, d))) => {
                    let corners = [a * c, a * d, b * c, b * d];
                    let lo = corners.into_iter().min().unwrap_or(0);
                    let hi = corners.into_iter().max().unwrap_or(0);
                    Size::fitting(lo, hi, bytes)
                }
                _ => Any,
            },
        }
    }

    /// The quotient; -huge-1 by -1 alone overflows, and that traps on most hosts.
    pub fn over(self, other: Size, bytes: u8) -> Size {
        match (self, other) {
            (Position(_) | None, _) => self,
            (_, Range(c, _)) if c >= 1 => match self.bounds(bytes) {
                Some((a, b)) => Range((a / c).min(0), (b / c).max(0)),
                Option::None => Data,
            },
            _ => Data,
        }
    }

    /// A remainder of either sign.
    pub fn remainder(self, divisor: Size) -> Size {
        match (self, divisor) {
            (Range(a, _), Range(c, d)) if a >= 0 && c >= 0 => Range(0, (d - 1).max(0)),
            (_, Range(c, d)) => {
                let m = c.abs().max(d.abs()).max(1) - 1;
                Range(-m, m)
            }
            (Position(_), _) => self,
            (_, Position(_)) => divisor,
            _ => Data,
        }
    }

    /// Converted to a kind of so many bytes from one of `from` bytes.
    pub fn converted(self, from: u8, to: u8) -> Size {
        match self {
            Position(_) if from < to => Size::full(from),
            None | Position(_) => self,
            Range(a, b) if Size::fitting(a, b, to) != Any => self,
            Product | Data | Any if from < to => Size::full(from),
            Product if from == to => self,
            _ => Data,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_positions_are_bounded() {
        let i = Position(1);
        assert_eq!(i.plus(Range(1, 1), 4), i);
        assert_eq!(i.plus(Range(71_491_773, 71_491_773), 4), Any);
        let mut sum = i;
        for _ in 0..10 {
            sum = sum.plus(i, 4);
        }
        assert_eq!(sum, Any);
        assert_eq!(i.times(i, 4), Product);
    }

    #[test]
    fn wider_kinds_have_room() {
        let wide = Data.converted(4, 8);
        assert!(!wide.times(wide, 8).overflows());
        assert!(Data.plus(Range(1, 1), 4).overflows());
        assert!(!Size::full(2).times(Size::full(2), 4).overflows());
        assert!(Data.negated(4).overflows());
        assert!(Range(0, 0).minus(Data, 4).overflows());
        assert!(!Range(-1, -1).minus(Data, 4).overflows());
        assert_eq!(Range(3, 4).minus(Range(1, 2), 4), Range(1, 3));
    }

    #[test]
    fn quotients_and_remainders() {
        assert_eq!(Data.remainder(Range(8, 8)), Range(-7, 7));
        assert_eq!(Data.over(Range(2, 2), 4), Range(-(1 << 30), largest(4) / 2));
        assert_eq!(Range(5, 9).over(Range(2, 4), 4), Range(0, 4));
    }
}
