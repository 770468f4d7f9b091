//! Variables of a program: declarations, references to whole arrays, sections and elements.

use super::expr::{Expr, Ty};
use super::program::{Form, Stmt, Style};
use super::{ELEMENTS, Generator, STATE};

/// Reals in variables are at most this large.
pub const VARIABLE_BOUND: f64 = 4096.0;

/// A variable, or a component of one, that expressions can name.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    /// What follows the subscripts: `%x`.
    pub suffix: String,
    pub ty: Ty,
    /// Bounds per dimension; none for a scalar.
    pub bounds: Vec<(i64, i64)>,
    pub assignable: bool,
    /// The name alone may stand for the whole array.
    pub whole: bool,
    /// Element references only, with the instance as second subscript in CUF loops.
    pub state: bool,
    /// A value that is known at run time only, though nothing may be assigned: a dummy argument.
    pub value: bool,
    /// Values that a loop index can have.
    pub range: Option<(i64, i64)>,
    /// The variable that a pointer points into.
    pub target: Option<String>,
}

impl Variable {
    pub fn new(name: impl Into<String>, ty: Ty, bounds: Vec<(i64, i64)>) -> Variable {
        Variable {
            name: name.into(),
            suffix: String::new(),
            ty,
            bounds,
            assignable: true,
            whole: true,
            state: false,
            value: false,
            range: None,
            target: None,
        }
    }

    /// The variable whose memory this one names: components and elements are of their structure, pointers of their target.
    pub fn memory(&self) -> &str {
        memory_of(self.target.as_deref().unwrap_or(&self.name))
    }

    fn value(&self, text: String) -> Expr {
        let bound = match self.ty {
            Ty::Real(_) | Ty::Complex(_) => VARIABLE_BOUND,
            _ => 0.0,
        };
        Expr::primary(text, self.ty).within(bound)
    }
}

impl Generator {
    /// The arrays of the state, each declared in one of the ways that a dummy can be.
    pub fn declare_state(&mut self) {
        for (index, (name, ty)) in STATE.iter().enumerate() {
            if self.style == Style::Loop && matches!(ty, Ty::Character(_)) {
                continue;
            }
            let form = match self.random.below(10) {
                _ if self.style == Style::Loop => Form::Explicit(1),
                0..5 => Form::Explicit(1),
                5 => Form::Explicit(self.random.between(-7, 3)),
                6..8 => Form::AssumedSize,
                // A kernel is launched with a contiguous section.
                _ => Form::AssumedShape(self.random.pick(&[1, 1, 0, -4])),
            };
            self.state.forms[index] = form;
            let lo = form.lower();
            let mut variable = Variable::new(*name, *ty, vec![(lo, lo + ELEMENTS - 1)]);
            variable.whole = form != Form::AssumedSize;
            variable.state = true;
            self.variables.push(variable);
        }
    }

    /// Local variables, parameters and a structure, with their first values.
    pub fn declare_locals(&mut self) {
        for _ in 0..self.random.between(1, 4) {
            let ty = self.type_of_value();
            self.declare_local(ty, Vec::new());
        }
        if self.random.chance(40) {
            self.declare_parameter();
        }
        if self.style == Style::Loop {
            return;
        }
        for _ in 0..self.random.between(0, 3) {
            let ty = self.type_of_value();
            let bounds = self.bounds();
            self.declare_local(ty, bounds);
        }
        if self.random.chance(20) {
            self.declare_structure();
        }
        if self.random.chance(30) {
            for _ in 0..self.random.between(1, 2) {
                self.declare_pointer();
            }
        }
    }

    /// A pointer to a section of a local array: two names of the same elements.
    fn declare_pointer(&mut self) {
        let declared = |name: &str| format!(" :: {name}(");
        let place = |g: &Generator, v: &Variable| {
            let all = g.declarations.iter();
            all.clone().position(|d| d.contains(&declared(&v.name)))
        };
        let fits: Vec<Variable> = (self.variables.iter())
            .filter(|v| v.assignable && !v.state && !v.bounds.is_empty() && v.target.is_none())
            .filter(|v| !matches!(v.ty, Ty::Character(_)) && place(self, v).is_some())
            .cloned()
            .collect();
        if fits.is_empty() {
            return;
        }
        let v = self.random.pick(&fits);
        let longest = v.bounds.iter().map(|(lo, hi)| hi - lo + 1).max();
        let n = self.random.between(1, longest.unwrap_or(1));
        let fits = [v.clone()];
        let section = self.shaped(vec![n], |g| g.section_of(&fits, true));
        let (Some(section), Some(at)) = (section, place(self, &v)) else {
            return;
        };
        let declaration = &mut self.declarations[at];
        if !declaration.contains(", target") {
            *declaration =
                declaration.replace(&declared(&v.name), &format!(", target :: {}(", v.name));
        }
        let name = self.name("q");
        let lo = self.random.pick(&[1, 1, 0, -3]);
        self.declarations
            .push(format!("{}, pointer :: {name}(:)", v.ty.declared()));
        self.prologue
            .push(Stmt::line(format!("{name}({lo}:) => {}", section.text)));
        let mut pointer = Variable::new(name, v.ty, vec![(lo, lo + n - 1)]);
        pointer.target = Some(v.name.clone());
        self.variables.push(pointer);
    }

    /// The names of what a place lies in: those of the variable at the beginning of its text, and of pointers to it.
    pub fn names_of(&self, place: &str) -> Vec<String> {
        let name = memory_of(place);
        let memory = (self.variables.iter())
            .find(|v| memory_of(&v.name) == name)
            .map_or(name, Variable::memory);
        let of_it = self.variables.iter().filter(|v| v.memory() == memory);
        let mut names: Vec<String> = of_it.map(|v| memory_of(&v.name).to_owned()).collect();
        names.push(name.to_owned());
        names.sort();
        names.dedup();
        names
    }

    fn bounds(&mut self) -> Vec<(i64, i64)> {
        let rank = self.random.pick(&[1, 1, 1, 2, 2, 3]);
        let most = [8, 4, 2][rank - 1];
        let bound = |g: &mut Generator| {
            let lo = g.random.pick(&[1, 1, 1, 0, -2, 3]);
            (
                lo,
                lo + g.random.between(if rank == 3 { 1 } else { 2 }, most) - 1,
            )
        };
        (0..rank).map(|_| bound(self)).collect()
    }

    fn declare_local(&mut self, ty: Ty, bounds: Vec<(i64, i64)>) {
        let name = self.name("v");
        let dimensions = dimensions(&bounds);
        self.declarations
            .push(format!("{} :: {name}{dimensions}", ty.declared()));
        let shape: Vec<i64> = bounds.iter().map(|(lo, hi)| hi - lo + 1).collect();
        let first = if bounds.is_empty() || self.random.chance(50) {
            self.first_value(ty)
        } else {
            self.shaped(shape, |g| g.constructor(ty, 0)).text
        };
        self.prologue.push(Stmt::line(format!("{name} = {first}")));
        self.variables.push(Variable::new(name, ty, bounds));
    }

    /// A literal, or an element of the state.
    fn first_value(&mut self, ty: Ty) -> String {
        let of_type = |v: &&Variable| v.state && v.ty == ty;
        let state = self.variables.iter().find(of_type).cloned();
        match state {
            Some(v) if self.random.chance(70) => {
                let at = v.bounds[0].0 + self.random.between(0, 7);
                format!(
                    "{}({at}{})",
                    v.name,
                    if self.style == Style::Loop { "@t" } else { "" }
                )
            }
            _ => self.shaped(Vec::new(), |g| g.literal(ty)).text,
        }
    }

    fn declare_parameter(&mut self) {
        let ty = self.type_of_value();
        let name = self.name("p");
        let bounds = if self.style != Style::Loop && self.random.chance(50) {
            vec![(1, self.random.between(2, 6))]
        } else {
            Vec::new()
        };
        let value = match bounds.first() {
            Some((_, n)) => {
                let elements: Vec<String> = (0..*n).map(|_| self.literal(ty).text).collect();
                format!("[{}]", elements.join(", "))
            }
            None => self.literal(ty).text,
        };
        let dimensions = dimensions(&bounds);
        self.declarations.push(format!(
            "{}, parameter :: {name}{dimensions} = {value}",
            ty.declared()
        ));
        let mut variable = Variable::new(name, ty, bounds);
        variable.assignable = false;
        self.variables.push(variable);
    }

    fn declare_structure(&mut self) {
        let (a, b) = (self.type_of_value(), self.type_of_value());
        let nested = self.random.chance(40);
        self.declarations.push("type :: pair".to_owned());
        self.declarations.push(format!("  {} :: a", a.declared()));
        self.declarations
            .push(format!("  {} :: b(3)", b.declared()));
        self.declarations.push("end type".to_owned());
        let ty = if nested {
            self.declarations.push("type :: outer".to_owned());
            self.declarations.push("  integer :: n".to_owned());
            self.declarations.push("  type(pair) :: p(2)".to_owned());
            self.declarations.push("end type".to_owned());
            "outer"
        } else {
            "pair"
        };
        let (va, vb) = (self.literal(a).text, self.literal(b).text);
        let add = |g: &mut Generator, name: &str, suffix: &str, ty: Ty, bounds: Vec<(i64, i64)>| {
            let mut variable = Variable::new(name, ty, bounds);
            suffix.clone_into(&mut variable.suffix);
            g.variables.push(variable);
        };
        if nested {
            self.declarations.push(format!("type({ty}) :: s"));
            self.prologue.push(Stmt::line(format!(
                "s = outer(4, [pair({va}, {vb}), pair({va}, {vb})])"
            )));
            add(self, "s%n", "", Ty::Integer(4), Vec::new());
            add(self, "s%p", "%a", a, vec![(1, 2)]);
            add(self, "s%p(2)%b", "", b, vec![(1, 3)]);
        } else {
            self.declarations.push(format!("type({ty}) :: s, t(0:3)"));
            self.prologue
                .push(Stmt::line(format!("s = pair({va}, {vb})")));
            self.prologue
                .push(Stmt::line(format!("t = pair(b={vb}, a={va})")));
            add(self, "s%a", "", a, Vec::new());
            add(self, "s%b", "", b, vec![(1, 3)]);
            add(self, "t", "%a", a, vec![(0, 3)]);
            add(self, "t(2)%b", "", b, vec![(1, 3)]);
        }
    }

    /// Whether a compiler can evaluate the expression.
    pub fn constant(&self, e: &Expr) -> bool {
        let text = without_inquiries(&e.text);
        let read = |v: &Variable| {
            (v.assignable || v.state || v.range.is_some() || v.value)
                && super::program::names(&text, &v.name)
        };
        !self.variables.iter().any(read)
    }

    /// The expression, or a variable where it is a constant: gfortran evaluates those with other roundings, and set_exponent wrongly.
    pub fn varying(&mut self, e: Expr) -> Option<Expr> {
        if !self.constant(&e) {
            return Some(e);
        }
        let of_type: Vec<Variable> = self
            .variables
            .iter()
            .filter(|v| v.ty == e.ty && (v.assignable || v.value))
            .cloned()
            .collect();
        if of_type.is_empty() {
            return None;
        }
        let v = self.random.pick(&of_type);
        Some(self.element(&v))
    }

    /// A variable, element or section of the type that conforms to the current shape; nothing if the program has none.
    pub fn reference(&mut self, ty: Ty) -> Option<Expr> {
        let fits: Vec<Variable> = self
            .variables
            .iter()
            .filter(|v| v.ty == ty)
            .cloned()
            .collect();
        if fits.is_empty() {
            return None;
        }
        if !self.shape.is_empty()
            && self.random.chance(8)
            && let Some(function) = self.array_function(ty, 1)
        {
            return Some(function);
        }
        if !self.shape.is_empty()
            && self.random.chance(70)
            && let Some(section) = self.section(&fits)
        {
            return Some(section);
        }
        let v = self.random.pick(&fits);
        Some(self.element(&v))
    }

    /// A scalar or an element.
    pub fn element(&mut self, v: &Variable) -> Expr {
        let text = self.element_text(v);
        v.value(text)
    }

    fn element_text(&mut self, v: &Variable) -> String {
        if v.bounds.is_empty() {
            return format!("{}{}", v.name, v.suffix);
        }
        let subscripts: Vec<String> = v
            .bounds
            .clone()
            .into_iter()
            .map(|(lo, hi)| self.subscript(lo, if v.state { lo + 7 } else { hi }))
            .collect();
        let instance = if v.state && self.style == Style::Loop {
            "@t"
        } else {
            ""
        };
        format!(
            "{}({}{instance}){}",
            v.name,
            subscripts.join(", "),
            v.suffix
        )
    }

    /// A subscript between the bounds.
    pub fn subscript(&mut self, lo: i64, hi: i64) -> String {
        if self.random.chance(35) {
            let inside = |v: &&Variable| v.range.is_some_and(|(a, b)| a >= lo && b <= hi);
            let indices: Vec<Variable> = self.variables.iter().filter(inside).cloned().collect();
            if !indices.is_empty() {
                return self.random.pick(&indices).name;
            }
        }
        if self.random.chance(25) {
            let mut mask = 0;
            while mask * 2 < hi - lo {
                mask = mask * 2 + 1;
            }
            if mask > 0 {
                let kind = self.random.pick(&[4, 4, 8]);
                let e = self.scalar(Ty::Integer(kind), 0);
                let masked = format!("iand({}, {})", e.text, literal_of(mask, kind));
                return match lo {
                    0 => masked,
                    _ => format!("{masked} + {}", super::integer::parenthesised(lo)),
                };
            }
        }
        self.random.between(lo, hi).to_string()
    }

    /// A section of the current shape to read.
    pub fn section(&mut self, variables: &[Variable]) -> Option<Expr> {
        self.section_of(variables, false)
    }

    /// A whole array or a section of the current shape from one of the variables.
    fn section_of(&mut self, variables: &[Variable], written: bool) -> Option<Expr> {
        let shape = self.shape.clone();
        let fits: Vec<&Variable> = variables.iter().filter(|v| holds(v, &shape)).collect();
        if fits.is_empty() || self.style == Style::Loop {
            return None;
        }
        let v = self.random.pick(&fits).clone();
        let same = v.bounds.len() == shape.len()
            && v.bounds
                .iter()
                .zip(&shape)
                .all(|((lo, hi), n)| hi - lo + 1 == *n);
        if same && v.whole && self.random.chance(60) {
            return Some(v.value(format!("{}{}", v.name, v.suffix)));
        }
        // Which dimensions of the variable become dimensions of the section.
        let rank = v.bounds.len();
        let mut kept: Vec<usize> = Vec::new();
        for (position, n) in shape.iter().enumerate() {
            let from = kept.last().map_or(0, |d| d + 1);
            let left = shape.len() - position;
            let candidates: Vec<usize> = (from..=rank - left)
                .filter(|d| v.bounds[*d].1 - v.bounds[*d].0 + 1 >= *n)
                .collect();
            // The last candidate may leave too few dimensions for the rest.
            kept.push(*candidates.first()?);
        }
        let mut subscripts = Vec::new();
        for (d, (lo, hi)) in v.bounds.clone().into_iter().enumerate() {
            let text = match kept.iter().position(|k| *k == d) {
                Some(position) => self.triplet(lo, hi, shape[position], v.whole, written),
                None => self.subscript(lo, hi),
            };
            subscripts.push(text);
        }
        Some(v.value(format!("{}({}){}", v.name, subscripts.join(", "), v.suffix)))
    }

    /// A section of `n` elements of one dimension.
    fn triplet(&mut self, lo: i64, hi: i64, n: i64, upper_known: bool, written: bool) -> String {
        let extent = hi - lo + 1;
        if n == extent && upper_known && self.random.chance(50) {
            return ":".to_owned();
        }
        if !written && n > 1 && self.random.chance(10) {
            let places: Vec<String> = (0..n)
                .map(|_| self.random.between(lo, hi).to_string())
                .collect();
            return format!("[{}]", places.join(", "));
        }
        let steps: Vec<i64> = [1, 1, 1, 2, 3, -1, -1, -2]
            .into_iter()
            .filter(|s: &i64| (n - 1) * s.abs() < extent)
            .collect();
        let step = self.random.pick(&steps);
        let span = (n - 1) * step.abs();
        let low = lo + self.random.between(0, extent - span - 1);
        let high = low + span;
        let room = hi - high;
        if step == 1 && room > 0 && self.random.chance(15) {
            let mut mask = 0;
            while mask * 2 < room {
                mask = mask * 2 + 1;
            }
            let e = self.scalar(Ty::Integer(4), 0).text;
            return format!("{low} + iand({e}, {mask}):{high} + iand({e}, {mask})");
        }
        let (from, to) = if step > 0 { (low, high) } else { (high, low) };
        let first = if step > 0 && from == lo && self.random.chance(30) {
            String::new()
        } else {
            from.to_string()
        };
        let last = if step > 0 && to == hi && upper_known && self.random.chance(50) {
            String::new()
        } else {
            to.to_string()
        };
        if step == 1 {
            format!("{first}:{last}")
        } else {
            format!("{first}:{last}:{step}")
        }
    }

    /// A section of the current shape to assign to, with its type.
    pub fn section_target(&mut self, ty: Option<Ty>) -> Option<Expr> {
        let fits = self.assignable(ty, true);
        self.section_of(&fits, true)
    }

    /// A scalar or element to assign to.
    pub fn target(&mut self) -> Expr {
        let ty = self.type_of_value();
        let mut fits = self.assignable(Some(ty), false);
        if fits.is_empty() {
            fits = self.assignable(None, false);
        }
        let v = self.random.pick(&fits);
        self.element(&v)
    }

    pub fn assignable(&self, ty: Option<Ty>, arrays: bool) -> Vec<Variable> {
        let fits = |v: &&Variable| {
            v.assignable && ty.is_none_or(|t| t == v.ty) && (!arrays || !v.bounds.is_empty())
        };
        self.variables.iter().filter(fits).cloned().collect()
    }

    /// Copies the local variables to the state, where they are compared.
    pub fn dump(&mut self) -> Vec<Stmt> {
        let mut statements = Vec::new();
        let (mut scalars, mut arrays) = ([0; STATE.len()], [false; STATE.len()]);
        let locals: Vec<Variable> = self
            .variables
            .iter()
            .filter(|v| v.assignable && !v.state)
            .cloned()
            .collect();
        for v in locals {
            let class = |t: Ty| match t {
                Ty::Character(n) => Ty::Character(if n == 1 { 1 } else { 6 }),
                t => t,
            };
            let Some(place) = STATE.iter().position(|(_, t)| class(*t) == class(v.ty)) else {
                continue;
            };
            let name = STATE[place].0;
            let lo = self.state.forms[place].lower();
            if v.bounds.is_empty() {
                if scalars[place] < 4 {
                    let instance = if self.style == Style::Loop { "@t" } else { "" };
                    let at = lo + 8 + scalars[place];
                    statements.push(Stmt::line(format!(
                        "{name}({at}{instance}) = {}{}",
                        v.name, v.suffix
                    )));
                    scalars[place] += 1;
                }
            } else if !arrays[place] {
                arrays[place] = true;
                let n: i64 = v.bounds.iter().map(|(lo, hi)| hi - lo + 1).product();
                let n = n.min(8);
                let whole = format!("{}{}", v.name, v.suffix);
                let value = match v.bounds.len() {
                    1 if v.whole => format!(
                        "{}({}:{}){}",
                        v.name,
                        v.bounds[0].0,
                        v.bounds[0].0 + n - 1,
                        v.suffix
                    ),
                    _ => format!("reshape({whole}, [{n}])"),
                };
                statements.push(Stmt::line(format!(
                    "{name}({}:{}) = {value}",
                    lo + 12,
                    lo + 11 + n
                )));
            }
        }
        statements
    }
}

/// The text without bounds and sizes of arrays, which are constants.
fn without_inquiries(text: &str) -> String {
    let mut text = text.to_owned();
    for name in ["lbound(", "ubound(", "size("] {
        while let Some(at) = text.find(name) {
            let end = text[at..].find(')').map_or(text.len(), |n| at + n + 1);
            text.replace_range(at..end, "0");
        }
    }
    text
}

/// The name at the beginning of a designator.
fn memory_of(designator: &str) -> &str {
    designator.split(['(', '%']).next().unwrap_or_default()
}

/// Whether a variable has a section of the shape.
fn holds(v: &Variable, shape: &[i64]) -> bool {
    let rank = v.bounds.len();
    if rank < shape.len() {
        return false;
    }
    let mut from = 0;
    shape.iter().all(|n| {
        while from < rank {
            let (lo, hi) = v.bounds[from];
            from += 1;
            if hi - lo + 1 >= *n {
                return true;
            }
        }
        false
    })
}

/// The dimensions of a declaration.
fn dimensions(bounds: &[(i64, i64)]) -> String {
    if bounds.is_empty() {
        return String::new();
    }
    let each: Vec<String> = bounds
        .iter()
        .map(|(lo, hi)| {
            if *lo == 1 {
                hi.to_string()
            } else {
                format!("{lo}:{hi}")
            }
        })
        .collect();
    format!("({})", each.join(", "))
}

/// A small non-negative integer of a kind.
pub fn literal_of(value: i64, kind: u8) -> String {
    if kind == 4 {
        value.to_string()
    } else {
        format!("{value}_{kind}")
    }
}
