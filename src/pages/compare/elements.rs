//! Values of the intrinsic types, and how far two of them are apart.

/// Units in the last place by which reals may differ; None: they are equal bit by bit, or both no number.
#[derive(Clone, Copy, Debug)]
pub struct Tolerance(pub Option<u64>);

/// The type of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Real4,
    Real8,
    Complex4,
    Complex8,
    Integer(usize),
    Logical(usize),
    Character(usize),
    Bytes(usize),
}

impl Type {
    /// The type that a record calls so.
    pub fn of(name: &str, bytes: u64) -> Type {
        let length = usize::try_from(bytes).unwrap_or(1).max(1);
        // `real(8)`: two letters tell the types apart.
        match (name.as_bytes().get(..2).unwrap_or_default(), length) {
            (b"re", 4) => Type::Real4,
            (b"re", 8) => Type::Real8,
            (b"co", 8) => Type::Complex4,
            (b"co", 16) => Type::Complex8,
            (b"in", 1 | 2 | 4 | 8) => Type::Integer(length),
            (b"lo", 1 | 2 | 4 | 8) => Type::Logical(length),
            (b"ch", _) => Type::Character(length),
            _ => Type::Bytes(length),
        }
    }

    /// Bytes of an element.
    pub fn length(self) -> usize {
        match self {
            Type::Real4 => 4,
            Type::Real8 | Type::Complex4 => 8,
            Type::Complex8 => 16,
            Type::Integer(n) | Type::Logical(n) | Type::Character(n) | Type::Bytes(n) => n,
        }
    }

    pub fn equal(self, a: &[u8], b: &[u8], tolerance: Tolerance) -> bool {
        if a == b {
            return true;
        }
        match self {
            Type::Logical(_) => truth(a) == truth(b),
            Type::Real4 | Type::Real8 | Type::Complex4 | Type::Complex8 => {
                let part = self.part();
                a.chunks(part)
                    .zip(b.chunks(part))
                    .all(|(a, b)| a == b || close(a, b, tolerance))
            }
            _ => false,
        }
    }

    /// Bytes of a real, or of a part of a complex number.
    fn part(self) -> usize {
        match self {
            Type::Real4 | Type::Complex4 => 4,
            _ => 8,
        }
    }

    /// By how many units in the last place reals are apart; None where that means nothing.
    pub fn distance(self, a: &[u8], b: &[u8]) -> Option<u64> {
        if !matches!(
            self,
            Type::Real4 | Type::Real8 | Type::Complex4 | Type::Complex8
        ) {
            return None;
        }
        let part = self.part();
        let apart = |(a, b): (&[u8], &[u8])| apart(a, b);
        let each: Option<Vec<u64>> = a.chunks(part).zip(b.chunks(part)).map(apart).collect();
        each?.into_iter().max()
    }

    /// The value as a reader knows it, and its bits where those tell more.
    pub fn show(self, value: &[u8]) -> String {
        let bits = |v: &[u8]| {
            v.iter()
                .rev()
                .map(|b| format!("{b:02x}"))
                .collect::<String>()
        };
        let number = |v: &[u8]| match v.len() {
            4 => v
                .try_into()
                .map_or(String::new(), |v| format!("{:?}", f32::from_le_bytes(v))),
            _ => v
                .try_into()
                .map_or(String::new(), |v| format!("{:?}", f64::from_le_bytes(v))),
        };
        match self {
            Type::Real4 | Type::Real8 => format!("{} (z'{}')", number(value), bits(value)),
            Type::Complex4 | Type::Complex8 => {
                let (re, im) = value.split_at(self.part().min(value.len()));
                format!(
                    "({}, {}) (z'{}', z'{}')",
                    number(re),
                    number(im),
                    bits(re),
                    bits(im)
                )
            }
            Type::Integer(n) => {
                let mut wide = [if value.last().is_some_and(|b| b & 0x80 != 0) {
                    0xff
                } else {
                    0
                }; 8];
                wide[..n.min(8)].copy_from_slice(&value[..n.min(8)]);
                i64::from_le_bytes(wide).to_string()
            }
            Type::Logical(_) => if truth(value) { ".true." } else { ".false." }.to_owned(),
            Type::Character(_) => format!(
                "'{}'",
                String::from_utf8_lossy(&value[..value.len().min(40)]).escape_debug()
            ),
            Type::Bytes(_) => format!("z'{}'", bits(&value[..value.len().min(16)])),
        }
    }
}

fn truth(value: &[u8]) -> bool {
    value.iter().any(|b| *b != 0)
}

fn close(a: &[u8], b: &[u8], tolerance: Tolerance) -> bool {
    if is_no_number(a) && is_no_number(b) {
        return true;
    }
    tolerance
        .0
        .is_some_and(|most| apart(a, b).is_some_and(|n| n <= most))
}

fn is_no_number(v: &[u8]) -> bool {
    match (<[u8; 4]>::try_from(v), <[u8; 8]>::try_from(v)) {
        (Ok(v), _) => f32::from_le_bytes(v).is_nan(),
        (_, Ok(v)) => f64::from_le_bytes(v).is_nan(),
        _ => false,
    }
}

/// How many numbers lie between two, one of them included; both zeros are one.
fn apart(a: &[u8], b: &[u8]) -> Option<u64> {
    if is_no_number(a) || is_no_number(b) {
        return None;
    }
    Some(rank(a)?.abs_diff(rank(b)?))
}

/// The number of a real among all reals of its kind, in their order.
fn rank(v: &[u8]) -> Option<i64> {
    if let Ok(v) = <[u8; 4]>::try_from(v) {
        let bits = i64::from(u32::from_le_bytes(v));
        return Some(if bits >> 31 == 0 {
            bits
        } else {
            -(bits & 0x7fff_ffff)
        });
    }
    let bits = i64::from_le_bytes(v.try_into().ok()?);
    Some(if bits >= 0 { bits } else { -(bits & i64::MAX) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_in_the_last_place() {
        let apart = |a: f32, b: f32| Type::Real4.distance(&a.to_le_bytes(), &b.to_le_bytes());
        assert_eq!(apart(1.0, 1.0 + f32::EPSILON), Some(1));
        assert_eq!(apart(0.0, -0.0), Some(0));
        assert_eq!(apart(-1e-45, 1e-45), Some(2));
        assert_eq!(apart(f32::NAN, 1.0), None);
        let far = Type::Real8.distance(&f64::MAX.to_le_bytes(), &f64::MIN.to_le_bytes());
        assert!(far.is_some_and(|n| n > 1 << 63));
    }

    #[test]
    fn values_that_count_as_equal() {
        let same = |a: f64, b: f64, ulps| {
            Type::Real8.equal(&a.to_le_bytes(), &b.to_le_bytes(), Tolerance(ulps))
        };
        assert!(
            same(f64::NAN, -f64::NAN, None) && !same(0.0, -0.0, None) && same(0.0, -0.0, Some(0))
        );
        assert!(!same(1.0, 1.0 + f64::EPSILON, None) && same(1.0, 1.0 + f64::EPSILON, Some(1)));
        assert!(!same(f64::NAN, 1.0, Some(u64::MAX)));
        assert!(Type::of("logical(4)", 4).equal(&[1, 0, 0, 0], &[255; 4], Tolerance(None)));
    }
}
