//! Integer overflow where compilers draw conclusions from its absence: a variable that overflows, and is then compared, divided,
//! made positive, widened, shifted, or used to select.

use super::Generator;
use super::expr::{Expr, Ty, call, level};
use super::integer::magnitude;
use super::program::{Part, Stmt};
use super::variable::literal_of;

impl Generator {
    /// A constant, often so large that most products with it overflow.
    fn factor(&mut self, kind: u8) -> Expr {
        let top = match kind {
            1 => i64::from(i8::MAX),
            2 => i64::from(i16::MAX),
            4 => i64::from(i32::MAX),
            _ => i64::MAX,
        };
        let value = match self.random.below(6) {
            0 => top,
            1 => self.random.between(2, 5),
            2 => top / 2 + 1,
            _ => self.random.between(top / 4, top),
        };
        Expr::primary(literal_of(value, kind), Ty::Integer(kind))
    }

    /// `w = e`, statements that make w overflow, and uses of it.
    pub fn overflow_chain(&mut self) -> Stmt {
        let kind = self.random.pick(&[4, 4, 4, 8, 8, 1, 2]);
        let ty = Ty::Integer(kind);
        let name = self.name("w");
        self.declarations.push(format!("integer({kind}) :: {name}"));
        let w = Expr::primary(name.clone(), ty);
        let start = self.scalar(ty, 1).text;
        let mut body = Vec::new();
        for _ in 0..self.random.between(1, 4) {
            let next = self.overflowing(&w, kind);
            let text = format!("{name} = {}", next.text);
            body.push(match self.random.below(5) {
                0 => Stmt::line(format!("if ({name} < {}) {text}", literal_of(0, kind))),
                1 => {
                    let index = self.name("n");
                    self.declarations.push(format!("integer :: {index}"));
                    let head = format!("do {index} = 1, {}", self.random.between(2, 5));
                    Stmt::group(vec![Part::new(head, vec![Stmt::line(text)])], "end do")
                }
                _ => Stmt::line(text),
            });
            if self.random.chance(40) {
                let condition = self.overflow_condition(&w, kind);
                body.push(Stmt::line(format!(
                    "if ({condition}) {}",
                    self.overflow_use(&w, kind)
                )));
            }
        }
        let last = self.overflow_use(&w, kind);
        Stmt::group(vec![Part::new(format!("{name} = {start}"), body)], last)
    }

    /// Arithmetic on w that mostly overflows.
    fn overflowing(&mut self, w: &Expr, kind: u8) -> Expr {
        let ty = Ty::Integer(kind);
        let c = self.factor(kind);
        match self.random.below(8) {
            0..=2 => {
                let d = self.factor(kind);
                let product = w.binary("*", &c, level::PRODUCT, ty);
                product.binary("+", &d, level::SUM, ty)
            }
            3 => w.binary("+", &c, level::SUM, ty),
            4 => c.binary("-", w, level::SUM, ty),
            5 => w.negated(),
            6 => w.binary("*", w, level::PRODUCT, ty),
            _ => {
                let e = self.scalar(ty, 1);
                let op = self.random.pick(&["+", "-"]);
                e.binary(op, w, level::SUM, ty)
            }
        }
    }

    fn overflow_condition(&mut self, w: &Expr, kind: u8) -> String {
        let ty = Ty::Integer(kind);
        let e = self.overflowing(w, kind);
        let other = match self.random.below(3) {
            0 => w.clone(),
            1 => Expr::primary(literal_of(0, kind), ty),
            _ => self.overflowing(w, kind),
        };
        let op = self.random.pick(&["<", ">", "<=", ">=", "==", "/="]);
        e.binary(op, &other, level::RELATION, Ty::Logical(4)).text
    }

    /// A value of w's kind that is wrong if w or a sum with it is taken not to have overflowed.
    fn overflow_value(&mut self, w: &Expr, kind: u8) -> Expr {
        let ty = Ty::Integer(kind);
        let e = if self.random.chance(60) {
            self.overflowing(w, kind)
        } else {
            w.clone()
        };
        match self.random.below(10) {
            0..=1 => call("abs", &[&e], ty),
            2 => {
                let d = literal_of(self.random.pick(&[2, 3, 4, 7, 16]), kind);
                e.binary("/", &Expr::primary(d, ty), level::PRODUCT, ty)
            }
            3 => {
                let d = literal_of(self.random.pick(&[2, 3, 8, 10]), kind);
                let name = self.random.pick(&["mod", "modulo"]);
                call(name, &[&e, &Expr::primary(d, ty)], ty)
            }
            4 => {
                let by = self.random.pick(&["-1", "-3", "2"]);
                Expr::primary(format!("ishft({}, {by})", e.text), ty)
            }
            5 => Expr::primary(format!("shifta({}, 2)", e.text), ty),
            6 => {
                let name = self.random.pick(&["min", "max", "sign"]);
                call(name, &[&e, w], ty)
            }
            7 => {
                let mask = self.overflow_condition(w, kind);
                Expr::primary(format!("merge({}, {}, {mask})", e.text, w.text), ty)
            }
            8 => call("iand", &[&e, &self.factor(kind)], ty),
            _ => e,
        }
    }

    /// An assignment, with conversion, of a value made of w.
    fn overflow_use(&mut self, w: &Expr, kind: u8) -> String {
        let e = self.overflow_value(w, kind);
        let target = self.target();
        let value = match target.ty {
            Ty::Integer(_) | Ty::Real(_) | Ty::Complex(_) => {
                self.bounded(e.within(magnitude(kind)), target.ty).text
            }
            Ty::Logical(_) => self.overflow_condition(w, kind),
            Ty::Character(_) => format!("achar(65 + int(modulo({}, 26_{kind})))", e.text),
        };
        format!("{} = {value}", target.text)
    }
}
