//! Expressions as text, with what is needed to put them together: type, binding strength, and a bound of the magnitude.

/// An intrinsic type with its kind; of characters the length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ty {
    Integer(u8),
    Logical(u8),
    Real(u8),
    Complex(u8),
    Character(usize),
}

impl Ty {
    /// The type as a declaration writes it.
    pub fn declared(self) -> String {
        match self {
            Ty::Integer(k) => format!("integer({k})"),
            Ty::Logical(k) => format!("logical({k})"),
            Ty::Real(k) => format!("real({k})"),
            Ty::Complex(k) => format!("complex({k})"),
            Ty::Character(n) => format!("character(len={n})"),
        }
    }
}

/// How strongly the outermost operator binds (Fortran 2018, table 10.1).
pub mod level {
    pub const EQUIVALENCE: u8 = 1;
    pub const OR: u8 = 2;
    pub const AND: u8 = 3;
    pub const NOT: u8 = 4;
    pub const RELATION: u8 = 5;
    pub const CONCATENATION: u8 = 6;
    pub const SUM: u8 = 7;
    pub const PRODUCT: u8 = 8;
    pub const POWER: u8 = 9;
    pub const PRIMARY: u8 = 10;
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    pub text: String,
    pub ty: Ty,
    /// No value is larger in magnitude (reals, and both parts of complex).
    pub bound: f64,
    pub level: u8,
}

impl Expr {
    pub fn primary(text: impl Into<String>, ty: Ty) -> Expr {
        Expr {
            text: text.into(),
            ty,
            bound: 0.0,
            level: level::PRIMARY,
        }
    }

    /// The same with a bound of its magnitude.
    pub fn within(self, bound: f64) -> Expr {
        Expr { bound, ..self }
    }

    /// The text as an operand that must bind at least as strongly as `level`.
    pub fn at(&self, level: u8) -> String {
        if self.level >= level {
            self.text.clone()
        } else {
            format!("({})", self.text)
        }
    }

    /// `self op right` for operators that associate to the left.
    pub fn binary(&self, op: &str, right: &Expr, level: u8, ty: Ty) -> Expr {
        Expr {
            text: format!("{} {op} {}", self.at(level), right.at(level + 1)),
            ty,
            bound: 0.0,
            level,
        }
    }

    pub fn negated(&self) -> Expr {
        Expr {
            text: format!("-{}", self.at(level::PRODUCT)),
            ty: self.ty,
            bound: self.bound,
            level: level::SUM,
        }
    }
}

/// `name(arguments)`.
pub fn call(name: &str, arguments: &[&Expr], ty: Ty) -> Expr {
    let texts: Vec<&str> = arguments.iter().map(|a| a.text.as_str()).collect();
    Expr::primary(format!("{name}({})", texts.join(", ")), ty)
}
