//! Random programs in the language of device code, from a seed.
//!
//! Every program is free of undefined behaviour: denominators cannot be zero, shifts are in range, reals stay far from overflow
//! (each expression carries a bound), and conversions to integers are of values that fit. What is left to the compiler is kept
//! apart: results of mathematical functions and other inexact operations go to the logs (`m4 m8 z4 z8`), which are compared with
//! a tolerance and never read again, so that everything else can be compared bit by bit. The sum of a zero and a minimum or
//! maximum of reals removes the one freedom there, the sign of a zero.
//!
//! Left out, for the translator refuses or documents it: arrays of characters of varying length, functions with character results,
//! allocation, host input and output. In CUF loops also: array syntax, local arrays, characters. real(2) is left out as gfortran has none;
//! matmul of reals has integers as elements, for the library's order of summation is its own.

mod array;
mod character;
mod complex;
pub mod expr;
mod integer;
mod logical;
mod mathlog;
mod overflow;
mod procedure;
pub mod program;
#[path = "../../random/numbers.rs"]
pub mod random;
mod real;
mod statement;
mod variable;

use expr::{Expr, Ty};
use program::{Program, Stmt, Style};
use random::Random;
use variable::Variable;

/// Elements of every array of the state.
pub const ELEMENTS: i64 = 20;
/// Elements of every log of inexact results.
pub const LOG: usize = 12;
/// The arrays of the state, with their types.
pub const STATE: [(&str, Ty); 14] = [
    ("i1", Ty::Integer(1)),
    ("i2", Ty::Integer(2)),
    ("i4", Ty::Integer(4)),
    ("i8", Ty::Integer(8)),
    ("l1", Ty::Logical(1)),
    ("l2", Ty::Logical(2)),
    ("l4", Ty::Logical(4)),
    ("l8", Ty::Logical(8)),
    ("r4", Ty::Real(4)),
    ("r8", Ty::Real(8)),
    ("c4", Ty::Complex(4)),
    ("c8", Ty::Complex(8)),
    ("ch", Ty::Character(6)),
    ("k1", Ty::Character(1)),
];
/// The logs of inexact results.
pub const LOGS: [(&str, Ty); 4] = [
    ("m4", Ty::Real(4)),
    ("m8", Ty::Real(8)),
    ("z4", Ty::Complex(4)),
    ("z8", Ty::Complex(8)),
];

/// The program of a seed.
pub fn generate(seed: u64) -> Program {
    let mut random = Random::new(seed);
    let style = match random.below(100) {
        0..74 => Style::Device,
        74..87 => Style::Kernel,
        _ => Style::Loop,
    };
    let mut generator = Generator::new(random, style);
    generator.declare_state();
    generator.declare_locals();
    generator.declare_procedures();
    let count = match generator.random.below(100) {
        0..30 => generator.random.between(1, 2),
        30..75 => generator.random.between(3, 5),
        75..95 => generator.random.between(6, 9),
        _ => generator.random.between(10, 16),
    };
    generator.budget = count as i32;
    let mut body = Vec::new();
    while generator.budget > 0 {
        let statement = generator.statement(0);
        body.push(statement);
    }
    let dump = generator.dump();
    generator.finish(seed, body, dump)
}

/// What a program under construction knows.
pub struct Generator {
    random: Random,
    style: Style,
    variables: Vec<Variable>,
    /// Extents of the array expression under construction; none for a scalar.
    shape: Vec<i64>,
    /// Statements that may still be made.
    budget: i32,
    /// Numbers for names and labels.
    names: usize,
    labels: usize,
    declarations: Vec<String>,
    prologue: Vec<Stmt>,
    procedures: Vec<procedure::Procedure>,
    /// Text of the procedures.
    helpers: Vec<Vec<String>>,
    state: program::State,
    /// Next free place per log, and the tolerances that are not the usual ones.
    logged: [usize; LOGS.len()],
    tolerances: Vec<program::Tolerance>,
    products: bool,
    sums: bool,
}

impl Generator {
    fn new(random: Random, style: Style) -> Generator {
        Generator {
            random,
            style,
            variables: Vec::new(),
            shape: Vec::new(),
            budget: 0,
            names: 0,
            labels: 0,
            declarations: Vec::new(),
            prologue: Vec::new(),
            procedures: Vec::new(),
            helpers: Vec::new(),
            state: program::State::default(),
            logged: [0; LOGS.len()],
            tolerances: Vec::new(),
            products: false,
            sums: false,
        }
    }

    fn name(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    /// An expression of any kind of the type class of `ty`, as an assignment converts it.
    fn convertible(&mut self, ty: Ty, depth: u32) -> Expr {
        match ty {
            Ty::Integer(_) if self.random.chance(15) => {
                let kind = self.random.pick(&[4, 8]);
                let e = self.real(kind, depth);
                self.clamped(e, integer::safe_bound(ty))
            }
            Ty::Integer(kind) => {
                let from = if self.random.chance(60) {
                    kind
                } else {
                    self.integer_kind()
                };
                let e = self.integer(from, depth);
                // gfortran refuses constants that do not fit.
                if from > kind && self.constant(&e) {
                    return self.literal(ty);
                }
                e
            }
            Ty::Real(kind) => match self.random.below(10) {
                0 => {
                    let kind = self.integer_kind();
                    self.integer(kind, depth).within(integer::magnitude(kind))
                }
                1 => {
                    let kind = self.random.pick(&[4, 8]);
                    self.complex(kind, depth)
                }
                2..=3 => self.real(12 - kind, depth),
                _ => self.real(kind, depth),
            },
            Ty::Complex(kind) => match self.random.below(10) {
                0 => {
                    let kind = self.integer_kind();
                    self.integer(kind, depth).within(integer::magnitude(kind))
                }
                1 => self.real(kind, depth),
                2..=3 => self.complex(12 - kind, depth),
                _ => self.complex(kind, depth),
            },
            Ty::Logical(kind) => {
                let kind = if self.random.chance(60) {
                    kind
                } else {
                    self.integer_kind()
                };
                self.logical(kind, depth)
            }
            Ty::Character(n) => {
                let n = if self.random.chance(50) {
                    n
                } else {
                    self.random.between(1, 9) as usize
                };
                self.text(n, depth)
            }
        }
    }

    /// An expression of exactly this type.
    fn exact(&mut self, ty: Ty, depth: u32) -> Expr {
        match ty {
            Ty::Integer(kind) => self.integer(kind, depth),
            Ty::Logical(kind) => self.logical(kind, depth),
            Ty::Real(kind) => self.real(kind, depth),
            Ty::Complex(kind) => self.complex(kind, depth),
            Ty::Character(n) => self.character(n, depth),
        }
    }

    /// As [`Self::exact`], for a scalar inside of an array expression.
    fn scalar(&mut self, ty: Ty, depth: u32) -> Expr {
        self.shaped(Vec::new(), |g| g.exact(ty, depth))
    }

    /// Runs `work` for expressions of another shape.
    fn shaped<T>(&mut self, shape: Vec<i64>, work: impl FnOnce(&mut Generator) -> T) -> T {
        let outer = std::mem::replace(&mut self.shape, shape);
        let result = work(self);
        self.shape = outer;
        result
    }

    fn integer_kind(&mut self) -> u8 {
        self.random.pick(&[1, 2, 4, 4, 8])
    }

    fn type_of_value(&mut self) -> Ty {
        let characters = if self.style == Style::Loop { 0 } else { 8 };
        match self.random.below(100 - 8 + characters) {
            0..40 => Ty::Integer(self.integer_kind()),
            40..52 => Ty::Logical(self.integer_kind()),
            52..80 => Ty::Real(self.random.pick(&[4, 8])),
            80..92 => Ty::Complex(self.random.pick(&[4, 8])),
            _ => Ty::Character(self.random.pick(&[1, 2, 3, 5, 6, 8])),
        }
    }

    /// The state's types only.
    fn type_of_state(&mut self) -> Ty {
        loop {
            let ty = self.type_of_value();
            if STATE.iter().any(|(_, t)| *t == ty) {
                return ty;
            }
        }
    }

    fn finish(self, seed: u64, body: Vec<Stmt>, dump: Vec<Stmt>) -> Program {
        Program {
            seed,
            data: seed,
            style: self.style,
            declarations: self.declarations,
            prologue: self.prologue,
            body,
            dump,
            helpers: self.helpers,
            tolerances: self.tolerances,
            contraction: self.products && self.sums,
            state: self.state,
        }
    }
}
