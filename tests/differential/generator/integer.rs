//! Integer expressions.

use super::Generator;
use super::expr::{Expr, Ty, call, level};
use super::variable::literal_of;

/// The largest magnitude of a kind.
pub fn magnitude(kind: u8) -> f64 {
    f64::exp2(f64::from(kind) * 8.0 - 1.0)
}

/// Reals below this can be converted to the integer type.
pub fn safe_bound(ty: Ty) -> f64 {
    match ty {
        Ty::Integer(1) => 120.0,
        Ty::Integer(2) => 30000.0,
        Ty::Integer(4) => 2.0e9,
        _ => 9.0e18,
    }
}

/// A constant as an operand.
pub fn parenthesised(value: i64) -> String {
    if value < 0 {
        format!("({value})")
    } else {
        value.to_string()
    }
}

impl Generator {
    /// An integer of this kind.
    pub fn integer(&mut self, kind: u8, depth: u32) -> Expr {
        let ty = Ty::Integer(kind);
        if depth == 0 || self.random.chance(15) {
            return self.integer_leaf(kind);
        }
        let d = depth - 1;
        let mut e = match self.random.below(42) {
            0..=9 => {
                let (a, b) = self.integer_pair(kind, d);
                match self.random.below(3) {
                    0 => a.binary("+", &b, level::SUM, ty),
                    1 => a.binary("-", &b, level::SUM, ty),
                    _ => self.integer_product(&a, &b, ty),
                }
            }
            10..=11 => {
                let a = self.integer(kind, d);
                let b = self.denominator(kind, d);
                a.binary("/", &b, level::PRODUCT, ty)
            }
            12..=14 => {
                let a = self.integer(kind, d);
                let b = self.denominator(kind, d);
                let name = self.random.pick(&["mod", "modulo"]);
                call(name, &[&a, &b], ty)
            }
            15 => self.integer_power(kind, d),
            16 => self.integer(kind, d).negated(),
            17 => self.function("abs", kind, d),
            18 => self.function2("sign", kind, d),
            19 => self.function2("dim", kind, d),
            20..=22 => {
                let name = self.random.pick(&["iand", "ior", "ieor"]);
                self.function2(name, kind, d)
            }
            23 => self.function("not", kind, d),
            24..=27 => self.shift(kind, d),
            28 => self.bit_field(kind, d),
            29 => {
                let other = self.integer_kind();
                let a = self.integer(other, d);
                let name = self.random.pick(&["popcnt", "poppar", "leadz", "trailz"]);
                self.of_kind(call(name, &[&a], Ty::Integer(4)), kind)
            }
            30..=31 => {
                let name = self.random.pick(&["min", "max"]);
                let count = self.random.between(2, 4);
                let list: Vec<Expr> = (0..count).map(|_| self.integer(kind, d)).collect();
                call(name, &list.iter().collect::<Vec<_>>(), ty)
            }
            32 => {
                let (a, b) = (self.integer(kind, d), self.integer(kind, d));
                let mask = self.logical(4, d);
                // gfortran puts one of the values for the whole, and refuses it where it does not fit.
                if self.constant(&mask) {
                    return a;
                }
                call("merge", &[&a, &b, &mask], ty)
            }
            33..=34 => {
                let real_kind = self.random.pick(&[4, 8]);
                let x = self.real(real_kind, d);
                let x = self.clamped(x, safe_bound(ty));
                let name = self.random.pick(&["int", "nint", "floor", "ceiling"]);
                Expr::primary(format!("{name}({}, {kind})", x.text), ty)
            }
            35 => {
                let other = self.integer_kind();
                let a = self.integer(other, d);
                Expr::primary(format!("int({}, {kind})", a.text), ty)
            }
            36 if self.style != super::Style::Loop => self.integer_of_character(kind, d),
            37..=39 if self.shape.is_empty() => self.integer_reduction(kind, d),
            40 if kind >= 4 => {
                // Not elemental.
                // gfortran keeps the bits of a constant beside a wrong value.
                let x = self.scalar(Ty::Real(kind), d);
                let Some(x) = self.varying(x) else {
                    return self.integer_leaf(kind);
                };
                Expr::primary(format!("transfer({}, {})", x.text, literal_of(0, kind)), ty)
            }
            41 => match self.function_reference(ty, d) {
                Some(e) => e,
                None => self.integer_leaf(kind),
            },
            _ => {
                let (a, b) = self.integer_pair(kind, d);
                a.binary("+", &b, level::SUM, ty)
            }
        };
        if self.constant(&e) {
            // A constant could overflow, which compilers refuse.
            return self.integer_leaf(kind);
        }
        if self.random.chance(4) {
            e = Expr::primary(format!("({})", e.text), ty);
        }
        e
    }

    fn integer_leaf(&mut self, kind: u8) -> Expr {
        let ty = Ty::Integer(kind);
        if self.random.chance(75)
            && let Some(e) = self.reference(ty)
        {
            return e;
        }
        if kind == 4 && self.random.chance(30) {
            let indices: Vec<_> = self
                .variables
                .iter()
                .filter(|v| v.range.is_some() && v.ty == ty)
                .cloned()
                .collect();
            if !indices.is_empty() {
                return Expr::primary(self.random.pick(&indices).name, ty);
            }
        }
        self.literal(ty)
    }

    /// One operand of the kind, the other of it or of a smaller one.
    fn integer_pair(&mut self, kind: u8, depth: u32) -> (Expr, Expr) {
        let a = self.integer(kind, depth);
        let other = if self.random.chance(30) {
            let smaller: Vec<u8> = [1, 2, 4, 8].into_iter().filter(|k| *k <= kind).collect();
            self.random.pick(&smaller)
        } else {
            kind
        };
        let b = self.integer(other, depth);
        if self.random.chance(50) {
            (a, b)
        } else {
            (b, a)
        }
    }

    /// `a * b`. gfortran moves a constant factor into ABS even if the product there overflows and the other does not.
    pub fn integer_product(&self, a: &Expr, b: &Expr, ty: Ty) -> Expr {
        let moves = |e: &Expr, by: &Expr| e.text.contains("abs(") && self.constant(by);
        if moves(a, b) || moves(b, a) {
            return a.binary("+", b, level::SUM, ty);
        }
        a.binary("*", b, level::PRODUCT, ty)
    }

    /// An integer that is neither 0 nor -1.
    fn denominator(&mut self, kind: u8, depth: u32) -> Expr {
        let ty = Ty::Integer(kind);
        match self.random.below(4) {
            0 => {
                let v = self.random.pick(&[1, 2, 3, 4, 5, 7, 10, 16, 100]);
                Expr::primary(literal_of(v, kind), ty)
            }
            1 => {
                let v = self.random.pick(&[2, 3, 4, 7, 10, 64]);
                Expr::primary(format!("(-{})", literal_of(v, kind)), ty)
            }
            2 => {
                let a = self.integer(kind, depth);
                Expr::primary(
                    format!(
                        "ior(iand({}, {}), {})",
                        a.text,
                        literal_of(31, kind),
                        literal_of(1, kind)
                    ),
                    ty,
                )
            }
            _ => {
                let a = self.integer(kind, depth);
                Expr::primary(
                    format!(
                        "(-ior(iand({}, {}), {}))",
                        a.text,
                        literal_of(31, kind),
                        literal_of(2, kind)
                    ),
                    ty,
                )
            }
        }
    }

    fn integer_power(&mut self, kind: u8, depth: u32) -> Expr {
        let ty = Ty::Integer(kind);
        let base = self.integer(kind, depth);
        let base = if self.random.chance(15) {
            // An odd base is not zero, so that the exponent may be negative.
            Expr::primary(format!("ior({}, {})", base.text, literal_of(1, kind)), ty)
        } else if self.random.chance(10) {
            Expr::primary(literal_of(self.random.between(0, 3), kind), ty)
        } else {
            base
        };
        // gfortran shifts where the base is a power of two, by more bits than there are where the result overflows: 32**7 is 8.
        let digits = base.text.split('_').next().unwrap_or_default();
        let shifted = digits
            .parse()
            .is_ok_and(|v: u64| v > 16 && v.is_power_of_two());
        let base = match shifted {
            true => Expr::primary(literal_of(3, kind), ty),
            false => base,
        };
        let odd = base.text.starts_with("ior(");
        let exponent = match self.random.below(3) {
            0 if odd => format!("(-{})", literal_of(3, kind.min(4))),
            // The kind of the exponent counts for the kind of the result.
            0..=1 => literal_of(self.random.between(0, 5), kind.min(4)),
            _ => {
                let other = if kind == 8 {
                    self.random.pick(&[1, 2, 4, 8])
                } else {
                    4.min(kind)
                };
                let n = self.integer(other, depth.min(1));
                let masked = format!("iand({}, {})", n.text, literal_of(7, other));
                if odd {
                    format!("({masked} - {})", literal_of(4, other))
                } else {
                    masked
                }
            }
        };
        Expr {
            text: format!("{}**{exponent}", base.at(level::PRIMARY)),
            ty,
            bound: 0.0,
            level: level::POWER,
        }
    }

    fn function(&mut self, name: &str, kind: u8, depth: u32) -> Expr {
        let a = self.integer(kind, depth);
        call(name, &[&a], Ty::Integer(kind))
    }

    fn function2(&mut self, name: &str, kind: u8, depth: u32) -> Expr {
        let (a, b) = (self.integer(kind, depth), self.integer(kind, depth));
        call(name, &[&a, &b], Ty::Integer(kind))
    }

    /// A number of bits from 0 to `most`, not always constant.
    fn bits(&mut self, most: i64, depth: u32) -> String {
        if self.random.chance(30) {
            let mut mask = 1;
            while mask * 2 < most {
                mask = mask * 2 + 1;
            }
            let kind = self.integer_kind();
            let a = self.integer(kind, depth.min(1));
            return format!("iand({}, {})", a.text, literal_of(mask, kind));
        }
        self.random.between(0, most).to_string()
    }

    fn shift(&mut self, kind: u8, depth: u32) -> Expr {
        let ty = Ty::Integer(kind);
        let width = i64::from(kind) * 8;
        let a = self.integer(kind, depth);
        match self.random.below(8) {
            0..=1 => {
                let by = if self.random.chance(50) {
                    self.bits(width, depth)
                } else {
                    self.random.between(-width, width).to_string()
                };
                Expr::primary(format!("ishft({}, {by})", a.text), ty)
            }
            2 => {
                let by = self.random.between(1 - width, width - 1);
                Expr::primary(format!("ishftc({}, {by})", a.text), ty)
            }
            3 => {
                let size = self.random.between(1, width);
                let by = self.random.between(-size, size);
                Expr::primary(format!("ishftc({}, {by}, {size})", a.text), ty)
            }
            4 => {
                let b = self.integer(kind, depth);
                let name = self.random.pick(&["dshiftl", "dshiftr"]);
                let by = self.bits(width - 1, depth);
                Expr::primary(format!("{name}({}, {}, {by})", a.text, b.text), ty)
            }
            _ => {
                let name = self.random.pick(&["shiftl", "shiftr", "shifta"]);
                let by = self.bits(width - 1, depth);
                Expr::primary(format!("{name}({}, {by})", a.text), ty)
            }
        }
    }

    fn bit_field(&mut self, kind: u8, depth: u32) -> Expr {
        let ty = Ty::Integer(kind);
        let width = i64::from(kind) * 8;
        let a = self.integer(kind, depth);
        match self.random.below(4) {
            0 => {
                let position = self.random.between(0, width - 1);
                let length = self.random.between(0, width - position);
                Expr::primary(format!("ibits({}, {position}, {length})", a.text), ty)
            }
            1 => {
                let b = self.integer(kind, depth);
                let c = self.integer(kind, depth);
                call("merge_bits", &[&a, &b, &c], ty)
            }
            _ => {
                let name = self.random.pick(&["ibset", "ibclr"]);
                let position = self.bits(width - 1, depth);
                Expr::primary(format!("{name}({}, {position})", a.text), ty)
            }
        }
    }

    /// A default integer as one of the kind.
    pub fn of_kind(&mut self, e: Expr, kind: u8) -> Expr {
        if kind == 4 {
            return e;
        }
        Expr::primary(format!("int({}, {kind})", e.text), Ty::Integer(kind))
    }

    /// A constant of the type.
    pub fn literal(&mut self, ty: Ty) -> Expr {
        match ty {
            Ty::Integer(kind) => {
                let top = match kind {
                    1 => 127,
                    2 => 32767,
                    4 => i64::from(i32::MAX),
                    _ => i64::MAX,
                };
                let value = match self.random.below(10) {
                    0 => top,
                    1 => -top,
                    2 => self.random.between(-100, 100),
                    3 => self.random.between(-top / 2, top / 2),
                    4 => -1,
                    _ => self.random.between(0, 12),
                };
                let text = literal_of(value.abs(), kind);
                let text = if value < 0 {
                    format!("(-{text})")
                } else {
                    text
                };
                Expr::primary(text, ty)
            }
            Ty::Real(kind) => self.real_literal(kind),
            Ty::Complex(kind) => {
                let (a, b) = (self.real_literal(kind), self.real_literal(kind));
                let text = |e: &Expr| e.text.trim_matches(['(', ')']).to_owned();
                Expr::primary(format!("({}, {})", text(&a), text(&b)), ty)
                    .within(a.bound.max(b.bound))
            }
            Ty::Logical(kind) => {
                let value = self.random.pick(&[".true.", ".false."]);
                let suffix = if kind == 4 {
                    String::new()
                } else {
                    format!("_{kind}")
                };
                Expr::primary(format!("{value}{suffix}"), ty)
            }
            Ty::Character(n) => self.character_literal(n),
        }
    }
}
