//! Expressions and conditionals over the constants and macros of a project.

use crate::macros::{self, Derived, Kind, Macro};
use crate::random::Random;

/// What a constant is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Number,
    Size,
    Real,
    Logical,
    Table,
    Reals,
    Text,
}

/// A constant of a module, or a local one.
#[derive(Clone, Debug)]
pub struct Constant {
    pub name: String,
    pub shape: Shape,
}

/// What expressions can name.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub macros: Vec<Macro>,
    pub derived: Vec<Derived>,
    pub constants: Vec<Constant>,
    /// There is an element `x` and a thread `i`.
    pub element: bool,
    /// Device functions of a real.
    pub functions: Vec<String>,
    /// The kind of the reals of expressions.
    pub precision: String,
    /// The type `cell` has components `v` and `m`, and this is a variable of it.
    pub cell: Option<String>,
    /// `__LINE__` is the same on both sides.
    pub lines: bool,
}

impl Scope {
    fn constant(&self, r: &mut Random, shape: Shape) -> Option<String> {
        let all: Vec<&Constant> = self.constants.iter().filter(|c| c.shape == shape).collect();
        (!all.is_empty()).then(|| r.pick(&all).name.clone())
    }

    fn user(&self, r: &mut Random, kind: Kind) -> Option<String> {
        let all: Vec<&Macro> = self.macros.iter().filter(|m| m.kind == kind).collect();
        (!all.is_empty()).then(|| r.pick(&all).name.clone())
    }

    /// A constant expression above zero.
    pub fn size(&self, r: &mut Random) -> String {
        let fixed = ["2", "3", "4", "5"];
        let found = match r.below(8) {
            0 | 1 => self.user(r, Kind::Size),
            2 => {
                let all: Vec<&Derived> = self
                    .derived
                    .iter()
                    .filter(|d| d.positive && d.arguments == 0)
                    .collect();
                (!all.is_empty()).then(|| r.pick(&all).name.to_owned())
            }
            3..=5 => self.constant(r, Shape::Size),
            6 => self.constant(r, Shape::Table).map(|t| format!("size({t})")),
            _ => None,
        };
        found.unwrap_or_else(|| r.pick(&fixed).to_owned())
    }

    /// An integer expression.
    pub fn integer(&self, r: &mut Random, depth: usize) -> String {
        if depth == 0 || r.chance(20) {
            return self.integer_leaf(r);
        }
        let d = depth - 1;
        match r.below(13) {
            0 | 1 => format!("({} + {})", self.integer(r, d), self.integer(r, d)),
            2 => format!("({} - {})", self.integer(r, d), self.integer(r, d)),
            3 => format!("{}*{}", self.integer_leaf(r), r.between(2, 5)),
            4 => format!("mod({}, {})", self.integer(r, d), self.size(r)),
            5 => format!("max({}, {})", self.integer(r, d), self.integer_leaf(r)),
            6 => format!("min({}, {})", self.integer(r, d), self.integer_leaf(r)),
            7 => format!(
                "ishft(abs({}), iand({}, 3))",
                self.integer(r, d),
                self.integer_leaf(r)
            ),
            8 => format!("iand({}, 255)", self.integer(r, d)),
            9 => format!("abs({})", self.integer(r, d)),
            10 => format!(
                "merge({}, {}, {})",
                self.integer(r, d),
                self.integer_leaf(r),
                self.logical(r)
            ),
            11 => format!("{}/{}", self.integer_leaf(r), self.size(r)),
            _ => format!("ieor({}, {})", self.integer_leaf(r), self.integer_leaf(r)),
        }
    }

    fn integer_leaf(&self, r: &mut Random) -> String {
        let w = self.precision.as_str();
        let found = match r.below(24) {
            0..=2 if self.element => Some("i".to_owned()),
            3 | 4 => self.user(r, Kind::Number),
            5 => Some(self.size(r)),
            6 | 7 if !self.derived.is_empty() => {
                let d = r.pick(&self.derived);
                Some(match d.arguments {
                    0 => d.name.to_owned(),
                    1 => format!("{}({})", d.name, r.between(1, 4)),
                    _ => format!("{}({},{})", d.name, r.between(1, 4), r.between(1, 4)),
                })
            }
            8..=10 => self.constant(r, Shape::Number),
            11 => self.constant(r, Shape::Table).map(|t| format!("sum({t})")),
            12 => self.constant(r, Shape::Table).map(|t| format!("size({t})")),
            13 => self.constant(r, Shape::Real).map(|q| format!("kind({q})")),
            14 => self.constant(r, Shape::Text).map(|s| format!("len({s})")),
            15 => self
                .constant(r, Shape::Text)
                .map(|s| format!("ichar({s}(1:1))")),
            16 => Some(format!("precision(1._{w})")),
            17 => Some(format!("int(real({}, {w})*1.5_{w})", self.size(r))),
            18 => self.constant(r, Shape::Table).map(|t| {
                let at = if self.element { "i" } else { "1" };
                format!("{t}(1 + mod({at}, size({t})))")
            }),
            19 => self.constant(r, Shape::Real).map(|q| format!("int({q}*8)")),
            20 => self.cell.as_ref().map(|c| format!("size({c}%v)")),
            21 if self.lines => Some("__LINE__".to_owned()),
            22 => self
                .constant(r, Shape::Reals)
                .map(|v| format!("ubound({v}, 1)")),
            _ => None,
        };
        found.unwrap_or_else(|| r.between(1, 9).to_string())
    }

    /// A logical expression.
    pub fn logical(&self, r: &mut Random) -> String {
        let leaf = self.integer_leaf(r);
        match self.constant(r, Shape::Logical) {
            Some(l) if r.chance(60) => l,
            _ => format!("{leaf} > {}", r.between(0, 6)),
        }
    }

    /// A real expression of the kind of the scope.
    pub fn real(&self, r: &mut Random, depth: usize) -> String {
        if depth == 0 || r.chance(20) {
            return self.real_leaf(r);
        }
        let (d, w) = (depth - 1, self.precision.as_str());
        match r.below(11) {
            0 | 1 => format!("({} + {})", self.real(r, d), self.real(r, d)),
            2 => format!("({} - {})", self.real(r, d), self.real(r, d)),
            3 | 4 => format!("{}*{}", self.real_leaf(r), self.real_leaf(r)),
            5 => format!("{}/real({}, {w})", self.real_leaf(r), self.size(r)),
            6 => format!("max({}, {})", self.real(r, d), self.real_leaf(r)),
            7 => format!(
                "merge({}, {}, {})",
                self.real(r, d),
                self.real_leaf(r),
                self.logical(r)
            ),
            8 => format!("abs({})", self.real(r, d)),
            9 if !self.functions.is_empty() => {
                format!("{}({})", r.pick(&self.functions), self.real_leaf(r))
            }
            _ => format!("real({}, {w})", self.integer(r, d)),
        }
    }

    fn real_leaf(&self, r: &mut Random) -> String {
        let w = self.precision.as_str();
        let found = match r.below(16) {
            0..=2 if self.element => Some("x".to_owned()),
            3 | 4 => self.constant(r, Shape::Real),
            5 => Some(format!("0.1_{w}")),
            6 => Some(format!("real({}, {w})", self.size(r))),
            7 => self
                .constant(r, Shape::Number)
                .map(|c| format!("real({c}, {w})")),
            8 | 9 => self.user(r, Kind::Real).map(|m| format!("real({m}, {w})")),
            10 => Some(format!("epsilon(1._{w})")),
            11 => self.constant(r, Shape::Reals).map(|v| format!("sum({v})")),
            12 => self.constant(r, Shape::Reals).map(|v| format!("{v}(1)")),
            13 => Some(format!("sqrt(real({}, {w}))", self.size(r))),
            14 => self
                .user(r, Kind::Number)
                .map(|m| format!("real({m}, {w})")),
            _ => None,
        };
        found.unwrap_or_else(|| {
            format!("{}.{}_{w}", r.between(0, 3), r.pick(&["25", "5", "3", "7"]))
        })
    }

    /// What `leaf` gives under the branches of random conditionals, or once without any.
    pub fn under(
        &self,
        r: &mut Random,
        percent: usize,
        leaf: &mut dyn FnMut(&mut Random) -> Vec<String>,
    ) -> Vec<String> {
        if self.macros.is_empty() || !r.chance(percent) {
            return leaf(r);
        }
        let lines = macros::condition(r, &self.macros);
        let mut out = Vec::new();
        for line in lines {
            out.push(line);
            out.extend(self.under(r, percent / 4, leaf));
        }
        out.push("#endif".to_owned());
        out
    }

    /// Like `under`, where a branch may have nothing.
    pub fn maybe(
        &self,
        r: &mut Random,
        leaf: &mut dyn FnMut(&mut Random) -> Vec<String>,
    ) -> Vec<String> {
        self.under(r, 65, &mut |r: &mut Random| match r.chance(30) {
            true => Vec::new(),
            false => leaf(r),
        })
    }
}
