//! Random expressions. Integer values and those of integer type stay below 1009 after each assignment, so that no result depends on the
//! order of operations, and none is rounded.

use super::ir::*;
use crate::numbers::Random;

/// A loop variable with the values that it has.
#[derive(Clone, Debug)]
pub struct Index {
    pub name: String,
    pub lo: i64,
    pub hi: i64,
}

/// What an expression may contain.
pub struct Scope<'a> {
    pub arrays: &'a [Array],
    pub scalars: &'a [Scalar],
    pub indices: Vec<Index>,
    /// Arrays that may be read anywhere.
    pub readable: Vec<usize>,
    /// Arrays that may be read with these subscripts only; `*` stands for any.
    pub at: Vec<(usize, Vec<String>)>,
    pub readable_scalars: Vec<usize>,
    /// Private scalars that have a value.
    pub temporaries: Vec<(String, Ty)>,
    /// Whether `twice` and `mix`, procedures with `routine seq`, may be called.
    pub calls: bool,
    pub effects: Effects,
}

impl Scope<'_> {
    fn subscript(&self, r: &mut Random, low: i64, extent: i64) -> String {
        let high = low + extent - 1;
        let fits: Vec<&Index> = self.indices.iter().collect();
        if fits.is_empty() || r.chance(8) {
            return r.between(low, high).to_string();
        }
        let i = r.pick(&fits);
        let inside = i.lo >= low && i.hi <= high;
        match r.below(6) {
            0..=2 if inside => i.name.clone(),
            3 if inside => format!("{} - {}", low + high, i.name),
            4 if inside => format!("min({} + {}, {high})", i.name, r.between(1, 3)),
            5 if inside => format!("max({} - {}, {low})", i.name, r.between(1, 3)),
            _ => format!("{low} + mod(abs({}*{}), {extent})", i.name, r.between(1, 5)),
        }
    }

    /// An element of a readable array of one of the types.
    fn element(&mut self, r: &mut Random, wanted: impl Fn(Ty) -> bool) -> Option<(String, Ty)> {
        let mut all: Vec<(usize, Option<Vec<String>>)> =
            self.readable.iter().map(|a| (*a, None)).collect();
        all.extend(self.at.iter().map(|(a, s)| (*a, Some(s.clone()))));
        all.retain(|(a, _)| wanted(self.arrays[*a].ty));
        if all.is_empty() {
            return None;
        }
        let (a, fixed) = r.pick(&all);
        self.effects.reads.insert(a);
        let array = &self.arrays[a];
        let subscripts: Vec<String> = (0..array.rank())
            .map(|d| match fixed.as_ref().map(|f| f[d].as_str()) {
                Some(text) if text != "*" => text.to_owned(),
                _ => self.subscript(r, array.low[d], array.extent[d]),
            })
            .collect();
        Some((
            format!("{}({})", array.name, subscripts.join(", ")),
            array.ty,
        ))
    }

    fn as_integer(text: String, ty: Ty) -> String {
        match ty {
            Ty::I4 => text,
            Ty::L4 => format!("merge(1, 0, {text})"),
            _ => format!("int({text})"),
        }
    }

    /// An operand of type integer(4).
    pub fn leaf(&mut self, r: &mut Random) -> String {
        match r.below(10) {
            0 => r.between(0, 20).to_string(),
            1 | 2 if !self.indices.is_empty() => r.pick(&self.indices).name,
            3 if !self.temporaries.is_empty() => {
                let (name, ty) = r.pick(&self.temporaries);
                Self::as_integer(name, ty)
            }
            4 if !self.readable_scalars.is_empty() => {
                let s = r.pick(&self.readable_scalars);
                self.effects.scalar_reads.insert(s);
                let scalar = &self.scalars[s];
                match scalar.ty {
                    Ty::L4 => Self::as_integer(scalar.name.clone(), Ty::L4),
                    ty => format!("mod({}, 1009)", Self::as_integer(scalar.name.clone(), ty)),
                }
            }
            _ => match self.element(r, |_| true) {
                Some((text, ty)) => Self::as_integer(text, ty),
                None => r.between(1, 9).to_string(),
            },
        }
    }

    /// An expression of type integer(4).
    pub fn integer(&mut self, r: &mut Random, depth: usize) -> String {
        if depth == 0 || r.chance(15) {
            return self.leaf(r);
        }
        let choice = r.below(12);
        let a = self.integer(r, depth - 1);
        match choice {
            0..=2 => format!("{a} + {}", self.leaf(r)),
            3 => format!("({a}) - {}", self.leaf(r)),
            4 => format!("mod({a}, 1009)*{}", self.leaf(r)),
            5 => format!("max({a}, {})", self.leaf(r)),
            6 => format!("min({a}, {})", self.leaf(r)),
            7 => format!("iand({a}, {})", r.between(1, 255)),
            8 => format!("abs({a})"),
            9 => format!("merge({a}, {}, {})", self.leaf(r), self.condition(r)),
            10 if self.calls => format!("twice(mod({a}, 1009))"),
            _ => format!("mod({a}, {})", r.between(2, 97)),
        }
    }

    /// An expression of type real(8) or real(4), exact in either.
    fn real(&mut self, r: &mut Random) -> String {
        let Some((x, _)) = self.element(r, Ty::is_real) else {
            let e = self.integer(r, 1);
            return format!("real(mod({e}, 1009), 8)");
        };
        let other = match self.element(r, Ty::is_real) {
            Some((y, _)) if r.chance(60) => y,
            _ => format!("real(mod({}, 1009))", self.leaf(r)),
        };
        match r.below(6) {
            0 => format!("{x} + {other}"),
            1 => format!("{x} - {other}"),
            2 => format!("{x}*{other}"),
            3 => format!("abs({x}) + 2*{other}"),
            4 if self.calls => format!("mix(real({x}, 8), real({other}, 8))"),
            _ => format!("2.0*{x} - {other}"),
        }
    }

    pub fn condition(&mut self, r: &mut Random) -> String {
        match r.below(5) {
            0 => match self.element(r, |t| t == Ty::L4) {
                Some((text, _)) => text,
                None => format!("{} > {}", self.leaf(r), self.leaf(r)),
            },
            1 => format!("mod({}, {}) == 0", self.leaf(r), r.between(2, 4)),
            2 => format!("{} /= {}", self.leaf(r), self.leaf(r)),
            _ => format!("{} > {}", self.leaf(r), self.leaf(r)),
        }
    }

    /// A value for a variable of a type, smaller than 1009.
    pub fn value(&mut self, r: &mut Random, ty: Ty) -> String {
        match ty {
            Ty::L4 => self.condition(r),
            Ty::R4 | Ty::R8 if r.chance(60) => format!("mod(real({}, 8), 1009.0_8)", self.real(r)),
            _ => format!("mod({}, 1009)", self.integer(r, 2)),
        }
    }
}
