//! Character expressions.

use super::array::mergeable;
use super::expr::{Expr, Ty, call, level};
use super::variable::{Variable, literal_of};
use super::{Generator, Style};

impl Generator {
    /// A character value of length `n`.
    pub fn character(&mut self, n: usize, depth: u32) -> Expr {
        let ty = Ty::Character(n);
        if depth == 0 || self.random.chance(20) {
            return self.character_leaf(n);
        }
        let d = depth - 1;
        match self.random.below(12) {
            0..=3 if n >= 2 => {
                let left = self.random.between(1, n as i64 - 1) as usize;
                let (a, b) = (self.character(left, d), self.character(n - left, d));
                a.binary("//", &b, level::CONCATENATION, ty)
            }
            4..=5 => {
                let a = self.character(n, d);
                let name = self.random.pick(&["adjustl", "adjustr"]);
                call(name, &[&a], ty)
            }
            6 if n == 1 => {
                let kind = self.integer_kind();
                let a = self.integer(kind, d);
                let name = self.random.pick(&["char", "achar"]);
                Expr::primary(
                    format!(
                        "{name}({} + iand({}, {}))",
                        literal_of(40, kind),
                        a.text,
                        literal_of(63, kind)
                    ),
                    ty,
                )
            }
            // gfortran writes past its temporary where such an array is concatenated and cut off in an assignment.
            7 if self.shape.is_empty() => {
                let (a, b) = (self.character(n, d), self.character(n, d));
                if !mergeable(&a) || !mergeable(&b) {
                    return a;
                }
                let mask = self.logical(4, d);
                call("merge", &[&a, &b, &mask], ty)
            }
            8..=9 => self.substring(n).unwrap_or_else(|| self.character_leaf(n)),
            10 if n.is_multiple_of(2) && n > 0 => {
                // Of scalars only.
                let a = self.scalar(Ty::Character(n / 2), d);
                Expr::primary(format!("repeat({}, 2)", a.text), ty)
            }
            _ => self.character_leaf(n),
        }
    }

    /// A scalar character value, perhaps of a length that is known at run time only.
    pub fn text(&mut self, n: usize, depth: u32) -> Expr {
        if !self.shape.is_empty() || self.style == Style::Loop || self.random.chance(65) {
            return self.character(n, depth);
        }
        let d = depth.saturating_sub(1);
        // The length counts in no expression.
        let ty = Ty::Character(n);
        match self.random.below(8) {
            0..=2 => {
                let a = self.character(n, d);
                call("trim", &[&a], ty)
            }
            3 => {
                let a = self.character(n, d);
                let e = self.integer(4, 0);
                Expr::primary(format!("repeat({}, iand({}, 3))", a.text, e.text), ty)
            }
            4 if depth > 0 => {
                let a = self.text(n, d);
                let name = self.random.pick(&["adjustl", "adjustr"]);
                call(name, &[&a], ty)
            }
            5..=6 => self
                .varying_substring()
                .unwrap_or_else(|| self.character(n, d)),
            _ if depth > 0 => {
                let (a, b) = (self.text(n, d), self.text(n, d));
                a.binary("//", &b, level::CONCATENATION, ty)
            }
            _ => self.character(n, d),
        }
    }

    /// `v(a:b)` with bounds known at run time only, now and then empty.
    fn varying_substring(&mut self) -> Option<Expr> {
        let longer = |v: &&Variable| matches!(v.ty, Ty::Character(m) if m >= 3) && v.assignable;
        let fits: Vec<Variable> = self.variables.iter().filter(longer).cloned().collect();
        if fits.is_empty() {
            return None;
        }
        let v = self.random.pick(&fits);
        let whole = self.element(&v).text;
        let (a, b) = (self.integer(4, 0).text, self.integer(8, 0).text);
        Some(Expr::primary(
            format!("{whole}(iand({a}, 1) + 1:iand({b}, 3_8))"),
            v.ty,
        ))
    }

    fn character_leaf(&mut self, n: usize) -> Expr {
        if self.random.chance(60)
            && let Some(e) = self.reference(Ty::Character(n))
        {
            return e;
        }
        if self.random.chance(40)
            && let Some(e) = self.substring(n)
        {
            return e;
        }
        self.character_literal(n)
    }

    /// `v(a:b)` of a longer variable.
    fn substring(&mut self, n: usize) -> Option<Expr> {
        let longer = |v: &&Variable| matches!(v.ty, Ty::Character(m) if m >= n) && v.assignable;
        let fits: Vec<Variable> = self.variables.iter().filter(longer).cloned().collect();
        if fits.is_empty() || n == 0 {
            return None;
        }
        let v = self.random.pick(&fits);
        let Ty::Character(m) = v.ty else { return None };
        let whole = self.element(&v).text;
        let from = self.random.between(1, (m - n + 1) as i64);
        Some(Expr::primary(
            format!("{whole}({from}:{})", from + n as i64 - 1),
            Ty::Character(n),
        ))
    }

    pub fn character_literal(&mut self, n: usize) -> Expr {
        let alphabet = [
            "a", "b", "Z", "m", " ", " ", "0", "9", "_", "x", "''", "\"", "+", "~", "!",
        ];
        let text: String = (0..n).map(|_| self.random.pick(&alphabet)).collect();
        Expr::primary(format!("'{text}'"), Ty::Character(n))
    }

    /// Integers that characters give.
    pub fn integer_of_character(&mut self, kind: u8, depth: u32) -> Expr {
        let n = self.random.between(1, 6) as usize;
        let a = self.text(n, depth);
        let text = match self.random.below(7) {
            0..=1 => {
                let c = self.character(1, depth);
                format!("{}({})", self.random.pick(&["ichar", "iachar"]), c.text)
            }
            2 => format!("len_trim({})", a.text),
            6 => format!("len({})", a.text),
            n => {
                let m = self.random.between(1, 3) as usize;
                let b = self.text(m, 0);
                let back = self
                    .random
                    .pick(&["", "", ", .true.", ", back=.true.", ", .false."]);
                format!(
                    "{}({}, {}{back})",
                    ["index", "scan", "verify"][n - 3],
                    a.text,
                    b.text
                )
            }
        };
        self.of_kind(Expr::primary(text, Ty::Integer(4)), kind)
    }
}
