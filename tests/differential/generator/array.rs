//! Array expressions, array functions and reductions.

use super::expr::{Expr, Ty, call, level};
use super::variable::Variable;
use super::{Generator, Style};

impl Generator {
    /// A shape that some statements work on.
    pub fn some_shape(&mut self) -> Vec<i64> {
        match self.random.below(10) {
            0..=6 => vec![self.random.between(2, 8)],
            7 => vec![1],
            _ => vec![self.random.between(2, 4), self.random.between(2, 3)],
        }
    }

    /// An expression of the current shape, never a scalar.
    pub fn array(&mut self, ty: Ty, depth: u32) -> Expr {
        let a = self.array_leaf(ty, depth);
        if depth == 0 || self.random.chance(40) {
            return a;
        }
        let b = self.exact(ty, depth - 1);
        if self.constant(&a) && self.constant(&b) {
            // It could overflow.
            return a;
        }
        let whole = a.clone();
        let (a, b) = if self.random.chance(50) {
            (a, b)
        } else {
            (b, a)
        };
        match ty {
            Ty::Integer(_) => {
                let op = self.random.pick(&["+", "-", "*"]);
                match op {
                    "*" => self.integer_product(&a, &b, ty),
                    _ => a.binary(op, &b, level::SUM, ty),
                }
            }
            Ty::Real(_) => {
                self.sums = true;
                let e = a.binary("-", &b, level::SUM, ty).within(a.bound + b.bound);
                self.clamped(e, 1.0e12)
            }
            Ty::Complex(_) => {
                self.sums = true;
                a.binary("+", &b, level::SUM, ty).within(a.bound + b.bound)
            }
            Ty::Logical(_) => a.binary(".neqv.", &b, level::EQUIVALENCE, ty),
            Ty::Character(_) if !mergeable(&a) || !mergeable(&b) => whole,
            Ty::Character(_) => {
                let mask = self.logical(4, depth - 1);
                // gfortran puts a scalar for the whole where it evaluates the mask.
                if self.constant(&mask) {
                    return whole;
                }
                call("merge", &[&a, &b, &mask], ty)
            }
        }
    }

    fn array_leaf(&mut self, ty: Ty, depth: u32) -> Expr {
        if self.random.chance(25)
            && let Some(e) = self.array_function(ty, depth)
        {
            return e;
        }
        let all: Vec<Variable> = self
            .variables
            .iter()
            .filter(|v| v.ty == ty)
            .cloned()
            .collect();
        match self.section(&all) {
            Some(e) if self.random.chance(90) => e,
            _ => self.constructor(ty, depth),
        }
    }

    /// An array constructor of the current shape.
    pub fn constructor(&mut self, ty: Ty, depth: u32) -> Expr {
        let shape = self.shape.clone();
        let count: i64 = shape.iter().product();
        let mut bound: f64 = 0.0;
        let list = if self.random.chance(25) && !matches!(ty, Ty::Character(_)) && count > 1 {
            let (e, index) = self.implied_do(ty, count);
            bound = e.bound;
            format!("[({}, {index} = 1, {count})]", e.text)
        } else {
            let mut elements = Vec::new();
            for _ in 0..count {
                let e = self.scalar(ty, depth.min(1));
                bound = bound.max(e.bound);
                elements.push(e.text);
            }
            // gfortran takes the name for that of a type there.
            if elements[0].starts_with("logical(") {
                elements[0] = format!("({})", elements[0]);
            }
            format!("[{}]", elements.join(", "))
        };
        if shape.len() == 1 {
            return Expr::primary(list, ty).within(bound);
        }
        let extents: Vec<String> = shape.iter().map(i64::to_string).collect();
        Expr::primary(format!("reshape({list}, [{}])", extents.join(", ")), ty).within(bound)
    }

    fn implied_do(&mut self, ty: Ty, count: i64) -> (Expr, String) {
        self.names += 1;
        let index = format!("j{}", self.names);
        self.declarations.push(format!("integer :: {index}"));
        let mut variable = Variable::new(index.clone(), Ty::Integer(4), Vec::new());
        variable.assignable = false;
        variable.range = Some((1, count));
        // gfortran reads elements of named constants before it sets the index.
        let all = self.variables.clone();
        self.variables
            .retain(|v| v.assignable || v.state || v.value || v.bounds.is_empty());
        self.variables.push(variable);
        let e = self.scalar(ty, 1);
        self.variables = all;
        // A constant but for the index could overflow.
        if matches!(ty, Ty::Integer(_)) && e.text != index && self.constant(&e) {
            return (self.literal(ty), index);
        }
        (e, index)
    }

    /// A function whose result has the current shape.
    pub fn array_function(&mut self, ty: Ty, depth: u32) -> Option<Expr> {
        let shape = self.shape.clone();
        if shape.is_empty() || self.style == Style::Loop {
            return None;
        }
        let d = depth.saturating_sub(1);
        let n = shape[0];
        match (shape.len(), self.random.below(10)) {
            (1, 0..=1) => {
                let a = self.array(ty, d);
                let by = self.random.between(-3, 3);
                Some(Expr::primary(format!("cshift({}, {by})", a.text), ty).within(a.bound))
            }
            (2, 0..=1) => {
                let a = self.array(ty, d);
                let by = self.random.between(-3, 3);
                let dim = self.random.between(1, 2);
                Some(Expr::primary(format!("cshift({}, {by}, {dim})", a.text), ty).within(a.bound))
            }
            (1, 2..=3) => {
                let a = self.array(ty, d);
                let by = self.random.between(-3, 3);
                let edge = self.scalar(ty, 0);
                let needed = matches!(ty, Ty::Character(_)) || self.random.chance(50);
                let boundary = if needed {
                    format!(", {}", edge.text)
                } else {
                    String::new()
                };
                Some(
                    Expr::primary(format!("eoshift({}, {by}{boundary})", a.text), ty)
                        .within(a.bound.max(edge.bound)),
                )
            }
            (2, 2..=3) => {
                let a = self.shaped(vec![shape[1], shape[0]], |g| g.array(ty, d));
                Some(call("transpose", &[&a], ty).within(a.bound))
            }
            (2, 4) => {
                let (kept, dim, count) = if self.random.chance(50) {
                    (shape[1], 1, shape[0])
                } else {
                    (shape[0], 2, shape[1])
                };
                let a = self.shaped(vec![kept], |g| g.array(ty, d));
                Some(
                    Expr::primary(format!("spread({}, {dim}, {count})", a.text), ty)
                        .within(a.bound),
                )
            }
            (1, 4) => {
                let a = self.scalar(ty, d);
                Some(Expr::primary(format!("spread({}, 1, {n})", a.text), ty).within(a.bound))
            }
            (1, 5) if n % 2 == 0 && n > 2 => {
                let a = self.shaped(vec![n / 2, 2], |g| g.array(ty, d));
                Some(Expr::primary(format!("reshape({}, [{n}])", a.text), ty).within(a.bound))
            }
            (2, 5) => {
                let a = self.shaped(vec![n * shape[1]], |g| g.array(ty, d));
                Some(
                    Expr::primary(format!("reshape({}, [{n}, {}])", a.text, shape[1]), ty)
                        .within(a.bound),
                )
            }
            (1, 9) => self.array_procedure(ty, n, d),
            (1, 6..=7) => self.reduction_along(ty, n, d),
            (_, 8) => self.product_of_matrices(ty, d),
            _ => None,
        }
    }

    /// A reduction along one dimension, with `n` results.
    fn reduction_along(&mut self, ty: Ty, n: i64, depth: u32) -> Option<Expr> {
        let (dim, shape) = if self.random.chance(50) {
            (1, vec![3, n])
        } else {
            (2, vec![n, 3])
        };
        let mask = if self.random.chance(30) {
            let m = self.shaped(shape.clone(), |g| g.array(Ty::Logical(4), 0));
            format!(", mask={}", m.text)
        } else {
            String::new()
        };
        match ty {
            Ty::Integer(_) => {
                let name = self.random.pick(&[
                    "sum", "product", "maxval", "minval", "iall", "iany", "iparity",
                ]);
                let a = self.shaped(shape, |g| g.array(ty, depth));
                Some(Expr::primary(
                    format!("{name}({}, dim={dim}{mask})", a.text),
                    ty,
                ))
            }
            Ty::Real(_) => {
                self.sums = true;
                let a = self.shaped(shape, |g| g.array(ty, depth));
                let empty = !mask.is_empty();
                let name = if empty {
                    "sum"
                } else {
                    self.random.pick(&["sum", "maxval", "minval"])
                };
                let text = format!("{name}({}, dim={dim}{mask})", a.text);
                let text = match ty {
                    _ if name == "sum" => text,
                    // Which zero is the larger one is not defined.
                    Ty::Real(4) => format!("({text} + 0.0)"),
                    _ => format!("({text} + 0d0)"),
                };
                Some(Expr::primary(text, ty).within(a.bound * 3.0))
            }
            Ty::Logical(kind) => {
                let a = self.shaped(shape, |g| g.array(ty, depth));
                let name = self.random.pick(&["any", "all"]);
                let _ = kind;
                Some(Expr::primary(format!("{name}({}, {dim})", a.text), ty))
            }
            Ty::Complex(_) => {
                self.sums = true;
                let a = self.shaped(shape, |g| g.array(ty, depth));
                Some(
                    Expr::primary(format!("sum({}, dim={dim}{mask})", a.text), ty)
                        .within(a.bound * 3.0),
                )
            }
            Ty::Character(_) => None,
        }
    }

    /// matmul; of reals with whole numbers, for the sum is then exact in any order.
    fn product_of_matrices(&mut self, ty: Ty, depth: u32) -> Option<Expr> {
        let inner = self.random.between(2, 4);
        let (left, right) = match self.shape[..] {
            [n, m] => (vec![n, inner], vec![inner, m]),
            [n] if self.random.chance(50) => (vec![n, inner], vec![inner]),
            [n] => (vec![inner], vec![inner, n]),
            _ => return None,
        };
        let mut factor = |shape: Vec<i64>| {
            self.shaped(shape, |g| {
                let e = g.array(ty, depth);
                match ty {
                    Ty::Real(kind) => {
                        let p = if kind == 4 { "50.0" } else { "50d0" };
                        Expr::primary(format!("anint(mod({}, {p}))", e.text), ty).within(50.0)
                    }
                    _ => e,
                }
            })
        };
        if !matches!(ty, Ty::Integer(_) | Ty::Real(_) | Ty::Logical(4)) {
            return None;
        }
        let (a, b) = (factor(left), factor(right));
        // gfortran's library asks for a negative amount of memory where a factor has its rows or columns backwards.
        if a.text.contains(":-") || b.text.contains(":-") {
            return None;
        }
        Some(call("matmul", &[&a, &b], ty).within(a.bound * b.bound * 4.0))
    }

    fn reduction_shape(&mut self) -> Vec<i64> {
        match self.random.below(12) {
            0..=7 => vec![self.random.between(2, 8)],
            8 => vec![1],
            _ => vec![self.random.between(2, 3), self.random.between(2, 4)],
        }
    }

    /// An optional mask argument of the shape.
    fn mask(&mut self, shape: &[i64], depth: u32) -> String {
        if self.random.chance(65) {
            return String::new();
        }
        if self.random.chance(10) {
            let mask = self.scalar(Ty::Logical(4), 0);
            return format!(", mask={}", mask.text);
        }
        let kind = self.random.pick(&[4, 4, 1, 8]);
        let mask = self.shaped(shape.to_vec(), |g| {
            if g.random.chance(50) {
                return g.array(Ty::Logical(kind), depth);
            }
            let a = g.array(Ty::Integer(4), depth);
            let b = g.scalar(Ty::Integer(4), 0);
            a.binary(">", &b, level::RELATION, Ty::Logical(4))
        });
        format!(", mask={}", mask.text)
    }

    /// A reduction to an integer of the kind.
    pub fn integer_reduction(&mut self, kind: u8, depth: u32) -> Expr {
        let ty = Ty::Integer(kind);
        if self.style == Style::Loop {
            return self.integer(kind, 0);
        }
        let d = depth.min(2);
        let shape = self.reduction_shape();
        match self.random.below(14) {
            0..=6 => {
                let name = self.random.pick(&[
                    "sum", "product", "maxval", "minval", "iall", "iany", "iparity",
                ]);
                let mask = self.mask(&shape, d);
                let a = self.shaped(shape, |g| g.array(ty, d));
                Expr::primary(format!("{name}({}{mask})", a.text), ty)
            }
            7 => {
                let other = self.integer_kind();
                let a = self.shaped(shape, |g| g.array(Ty::Logical(other), d));
                self.of_kind(call("count", &[&a], Ty::Integer(4)), kind)
            }
            8..=9 => {
                let n = shape[0];
                let (a, b) = self.shaped(vec![n], |g| (g.array(ty, d), g.array(ty, d)));
                call("dot_product", &[&a, &b], ty)
            }
            10..=11 => {
                let of = match self.random.below(3) {
                    0 => Ty::Real(self.random.pick(&[4, 8])),
                    _ => Ty::Integer(self.integer_kind()),
                };
                let n = shape[0];
                let mask = self.mask(&[n], d);
                let a = self.shaped(vec![n], |g| g.array(of, d));
                let name = self.random.pick(&["maxloc", "minloc"]);
                let back = if self.random.chance(20) {
                    ", back=.true."
                } else {
                    ""
                };
                self.of_kind(
                    Expr::primary(
                        format!("{name}({}, dim=1{mask}{back})", a.text),
                        Ty::Integer(4),
                    ),
                    kind,
                )
            }
            12 => {
                let of = self.type_of_state();
                let arrays: Vec<Variable> = self
                    .variables
                    .iter()
                    .filter(|v| v.whole && !v.bounds.is_empty() && v.ty == of)
                    .cloned()
                    .collect();
                if arrays.is_empty() {
                    return self.integer(kind, 0);
                }
                let v = self.random.pick(&arrays);
                let whole = format!("{}{}", v.name, v.suffix);
                let dim = self.random.between(1, v.bounds.len() as i64);
                let text = match self.random.below(4) {
                    0 => format!("size({whole})"),
                    1 => format!("size({whole}, {dim})"),
                    2 => format!("lbound({whole}, {dim})"),
                    _ => format!("ubound({whole}, {dim})"),
                };
                self.of_kind(Expr::primary(text, Ty::Integer(4)), kind)
            }
            _ => {
                let n = shape[0];
                let value = self.scalar(ty, 0);
                let a = self.shaped(vec![n], |g| g.array(ty, d));
                self.of_kind(
                    Expr::primary(
                        format!("findloc({}, {}, dim=1)", a.text, value.text),
                        Ty::Integer(4),
                    ),
                    kind,
                )
            }
        }
    }

    /// A reduction to a real of the kind, in the order of the elements.
    pub fn real_reduction(&mut self, kind: u8, depth: u32) -> Expr {
        let ty = Ty::Real(kind);
        if self.style == Style::Loop {
            return self.real(kind, 0);
        }
        let d = depth.min(2);
        let shape = self.reduction_shape();
        let count = shape.iter().product::<i64>() as f64;
        self.sums = true;
        match self.random.below(10) {
            0..=3 => {
                let mask = self.mask(&shape, d);
                let a = self.shaped(shape, |g| g.array(ty, d));
                Expr::primary(format!("sum({}{mask})", a.text), ty).within(a.bound * count)
            }
            4 => {
                self.products = true;
                let mask = self.mask(&shape[..1], d);
                let a = self.shaped(vec![shape[0]], |g| {
                    let e = g.array(ty, d);
                    Expr::primary(
                        format!("mod({}, {})", e.text, if kind == 4 { "9.0" } else { "9d0" }),
                        ty,
                    )
                });
                Expr::primary(format!("product({}{mask})", a.text), ty).within(9f64.powi(8))
            }
            5..=7 => {
                let a = self.shaped(shape, |g| g.array(ty, d));
                let name = self.random.pick(&["maxval", "minval"]);
                Expr::primary(
                    format!(
                        "({name}({}) + {})",
                        a.text,
                        if kind == 4 { "0.0" } else { "0d0" }
                    ),
                    ty,
                )
                .within(a.bound)
            }
            _ => {
                self.products = true;
                let n = shape[0];
                let (a, b) = self.shaped(vec![n], |g| (g.array(ty, d), g.array(ty, d)));
                call("dot_product", &[&a, &b], ty).within(a.bound * b.bound * 8.0)
            }
        }
    }

    /// A reduction to a complex of the kind.
    pub fn complex_reduction(&mut self, kind: u8, depth: u32) -> Expr {
        let ty = Ty::Complex(kind);
        if self.style == Style::Loop {
            return self.complex(kind, 0);
        }
        let d = depth.min(1);
        let shape = self.reduction_shape();
        let count = shape.iter().product::<i64>() as f64;
        self.sums = true;
        if self.random.chance(60) {
            let mask = self.mask(&shape, d);
            let a = self.shaped(shape, |g| g.array(ty, d));
            return Expr::primary(format!("sum({}{mask})", a.text), ty).within(a.bound * count);
        }
        self.products = true;
        let (a, b) = self.shaped(vec![shape[0]], |g| (g.array(ty, d), g.array(ty, d)));
        if self.constant(&a) && self.constant(&b) {
            return self.complex(kind, 0);
        }
        call("dot_product", &[&a, &b], ty).within(2.0 * a.bound * b.bound * 8.0)
    }

    /// A reduction to a logical of the kind.
    pub fn logical_reduction(&mut self, kind: u8, depth: u32) -> Expr {
        let ty = Ty::Logical(kind);
        if self.style == Style::Loop {
            return self.logical(kind, 0);
        }
        let shape = self.reduction_shape();
        let a = self.shaped(shape, |g| g.array(ty, depth.min(2)));
        let name = self.random.pick(&["any", "all"]);
        call(name, &[&a], ty)
    }
}

/// Whether gfortran gets a MERGE of the characters right. It takes the length of an array constructor for 0, and with a substring of
/// a component it changes the length of that component everywhere.
pub fn mergeable(e: &Expr) -> bool {
    !e.text.contains(['[', '%'])
}
