//! Logical expressions.

use super::expr::{Expr, Ty, call, level};
use super::variable::literal_of;
use super::{Generator, Style};

impl Generator {
    /// A logical of this kind.
    pub fn logical(&mut self, kind: u8, depth: u32) -> Expr {
        let ty = Ty::Logical(kind);
        if depth == 0 || self.random.chance(12) {
            if self.random.chance(80)
                && let Some(e) = self.reference(ty)
            {
                return e;
            }
            return self.literal(ty);
        }
        let d = depth - 1;
        let e = match self.random.below(30) {
            0..=10 => return self.comparison(d).of_logical(kind),
            11..=14 => {
                let (op, level) = self
                    .random
                    .pick(&[(".and.", level::AND), (".or.", level::OR)]);
                let (a, b) = (self.logical(kind, d), self.logical(kind, d));
                a.binary(op, &b, level, ty)
            }
            15..=17 => {
                let op = self.random.pick(&[".eqv.", ".neqv."]);
                let (a, b) = (self.logical(kind, d), self.logical(kind, d));
                a.binary(op, &b, level::EQUIVALENCE, ty)
            }
            18..=19 => {
                let a = self.logical(kind, d);
                Expr {
                    text: format!(".not. {}", a.at(level::RELATION)),
                    ty,
                    bound: 0.0,
                    level: level::NOT,
                }
            }
            20 => {
                let other = self.integer_kind();
                let a = self.logical(other, d);
                Expr::primary(format!("logical({}, {kind})", a.text), ty)
            }
            21 => {
                let other = self.integer_kind();
                let a = self.integer(other, d);
                let bit = self.random.between(0, i64::from(other) * 8 - 1);
                Expr::primary(format!("btest({}, {bit})", a.text), Ty::Logical(4)).of_logical(kind)
            }
            22 => {
                let other = self.integer_kind();
                let (a, b) = (self.integer(other, d), self.integer(other, d));
                let name = self.random.pick(&["bge", "bgt", "ble", "blt"]);
                call(name, &[&a, &b], Ty::Logical(4)).of_logical(kind)
            }
            23 => {
                let (a, b) = (self.logical(kind, d), self.logical(kind, d));
                let mask = self.logical(4, d);
                if self.constant(&mask) {
                    return a;
                }
                call("merge", &[&a, &b, &mask], ty)
            }
            24..=25 if self.shape.is_empty() => self.logical_reduction(kind, d),
            26 if self.style != Style::Loop => {
                let (n, m) = (
                    self.random.between(1, 6) as usize,
                    self.random.between(1, 6) as usize,
                );
                let (a, b) = (self.text(n, d), self.text(m, d));
                let name = self.random.pick(&["lge", "lgt", "lle", "llt"]);
                call(name, &[&a, &b], Ty::Logical(4)).of_logical(kind)
            }
            27 => match self.function_reference(ty, d) {
                Some(e) => e,
                None => self.logical(kind, 0),
            },
            _ => {
                // Which operands are evaluated does not matter, for none has an effect.
                let a = self.comparison(d).of_logical(kind);
                let b = self.logical(kind, d);
                a.binary(".and.", &b, level::AND, ty)
            }
        };
        if self.random.chance(5) {
            return Expr::primary(format!("({})", e.text), ty);
        }
        e
    }

    /// A default logical.
    pub fn comparison(&mut self, depth: u32) -> Expr {
        let any = [
            "==", "/=", "<", "<=", ">", ">=", ".eq.", ".ne.", ".lt.", ".le.", ".gt.", ".ge.",
        ];
        let ty = Ty::Logical(4);
        let op = self.random.pick(&any);
        match self.random.below(20) {
            0..=9 => {
                let (k, j) = (self.integer_kind(), self.integer_kind());
                let (a, b) = (self.integer(k, depth), self.integer(j, depth));
                a.binary(op, &b, level::RELATION, ty)
            }
            10..=15 => {
                let (k, j) = (self.random.pick(&[4, 8]), self.random.pick(&[4, 8]));
                let a = self.real(k, depth);
                let b = if self.random.chance(15) {
                    self.integer(4, depth)
                } else {
                    self.real(j, depth)
                };
                a.binary(op, &b, level::RELATION, ty)
            }
            16..=17 => {
                let k = self.random.pick(&[4, 8]);
                let (a, b) = (self.complex(k, depth), self.complex(k, depth));
                let op = self.random.pick(&["==", "/=", ".eq.", ".ne."]);
                a.binary(op, &b, level::RELATION, ty)
            }
            _ if self.style == Style::Loop => {
                let a = self.integer(4, depth);
                let b = Expr::primary(literal_of(0, 4), Ty::Integer(4));
                a.binary(op, &b, level::RELATION, ty)
            }
            _ => {
                let (n, m) = (
                    self.random.between(1, 6) as usize,
                    self.random.between(1, 6) as usize,
                );
                let (a, b) = (self.text(n, depth), self.text(m, depth));
                a.binary(op, &b, level::RELATION, ty)
            }
        }
    }
}

impl Expr {
    /// A default logical as one of the kind.
    pub fn of_logical(self, kind: u8) -> Expr {
        if kind == 4 {
            return self;
        }
        Expr::primary(format!("logical({}, {kind})", self.text), Ty::Logical(kind))
    }
}
