//! What a random program declares: types, variables, and the designators that name parts of them.

use crate::random::Random;
use crate::tree::either;

/// An intrinsic type with its kind, or a derived type by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    Integer(u8),
    Real(u8),
    Complex(u8),
    Logical(u8),
    Character(u8),
    Derived(usize),
}

impl Base {
    /// Numbers that assignment converts.
    pub fn is_number(self) -> bool {
        matches!(self, Base::Integer(_) | Base::Real(_) | Base::Complex(_))
    }

    pub fn is_real(self) -> bool {
        matches!(self, Base::Real(_))
    }

    pub fn is_ordered(self) -> bool {
        matches!(self, Base::Integer(_) | Base::Real(_))
    }

    /// A constant of the type; derived types have none.
    pub fn constant(self) -> &'static str {
        match self {
            Base::Integer(_) => "3",
            Base::Real(4) => "1.5",
            Base::Real(_) => "2.5d0",
            Base::Complex(_) => "(1.0, 2.0)",
            Base::Logical(_) => ".true.",
            Base::Character(_) => "'abc'",
            Base::Derived(_) => "",
        }
    }

    pub fn random(r: &mut Random) -> Base {
        let usual = [
            Base::Integer(4),
            Base::Real(4),
            Base::Real(8),
            Base::Real(8),
            Base::Real(4),
        ];
        if r.chance(60) {
            return r.pick(&usual);
        }
        r.pick(&[
            Base::Integer(8),
            Base::Integer(2),
            Base::Integer(1),
            Base::Complex(4),
            Base::Complex(8),
            Base::Logical(4),
            Base::Logical(1),
            Base::Logical(8),
            Base::Character(1),
            Base::Character(5),
        ])
    }
}

/// The memory of data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    Host,
    Device,
    Managed,
    Unified,
    Pinned,
    Constant,
}

impl Space {
    pub fn word(self) -> &'static str {
        match self {
            Space::Host => "",
            Space::Device => "device",
            Space::Managed => "managed",
            Space::Unified => "unified",
            Space::Pinned => "pinned",
            Space::Constant => "constant",
        }
    }

    /// The attribute in a declaration, left out of the plain program.
    pub fn mark(self) -> String {
        match self {
            Space::Host => String::new(),
            _ => either(&format!(", {}", self.word()), ""),
        }
    }

    /// Kernels may use it.
    pub fn on_device(self) -> bool {
        matches!(
            self,
            Space::Device | Space::Managed | Space::Unified | Space::Constant
        )
    }

    /// Host code may change it.
    pub fn on_host(self) -> bool {
        !matches!(self, Space::Device | Space::Constant)
    }
}

/// How a variable or component is shaped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    Scalar,
    /// Constant bounds, as they are written.
    Fixed(Vec<&'static str>),
    /// Bounds by a dummy argument `n`.
    Adjustable(Vec<&'static str>),
    Allocatable(usize),
    Pointer(usize),
    AssumedShape(usize),
    AssumedSize,
}

impl Form {
    pub fn rank(&self) -> usize {
        match self {
            Form::Scalar => 0,
            Form::Fixed(bounds) | Form::Adjustable(bounds) => bounds.len(),
            Form::Allocatable(rank) | Form::Pointer(rank) | Form::AssumedShape(rank) => *rank,
            Form::AssumedSize => 1,
        }
    }

    /// The array specification with its parentheses.
    pub fn bounds(&self) -> String {
        match self {
            Form::Scalar => String::new(),
            Form::Fixed(bounds) | Form::Adjustable(bounds) => format!("({})", bounds.join(", ")),
            Form::Allocatable(rank) | Form::Pointer(rank) | Form::AssumedShape(rank) => {
                colons(*rank)
            }
            Form::AssumedSize => "(*)".to_owned(),
        }
    }

    pub fn attribute(&self) -> &'static str {
        match self {
            Form::Allocatable(_) => ", allocatable",
            Form::Pointer(_) => ", pointer",
            _ => "",
        }
    }

    pub fn is_allocatable(&self) -> bool {
        matches!(self, Form::Allocatable(_))
    }

    pub fn is_pointer(&self) -> bool {
        matches!(self, Form::Pointer(_))
    }

    pub fn fixed(r: &mut Random) -> Form {
        Form::Fixed(r.pick(&[
            vec!["4"],
            vec!["8"],
            vec!["0:7"],
            vec!["-1:2"],
            vec!["4", "3"],
            vec!["2", "0:3"],
            vec!["2", "2", "2"],
        ]))
    }
}

/// `(:, :)`.
pub fn colons(rank: usize) -> String {
    match rank {
        0 => String::new(),
        _ => format!("({})", vec![":"; rank].join(", ")),
    }
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub base: Base,
    pub form: Form,
    pub space: Space,
    pub target: bool,
    /// Polymorphic.
    pub class: bool,
    pub optional: bool,
    pub value: bool,
    /// A dummy that is not `intent(in)`, or a variable.
    pub definable: bool,
    /// Other attributes, each with its comma.
    pub more: String,
}

impl Variable {
    pub fn new(name: impl Into<String>, base: Base, form: Form, space: Space) -> Variable {
        Variable {
            name: name.into(),
            base,
            form,
            space,
            target: false,
            class: false,
            optional: false,
            value: false,
            definable: space != Space::Constant,
            more: String::new(),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Component {
    pub name: String,
    pub base: Base,
    pub form: Form,
    pub space: Space,
    pub initial: bool,
}

#[derive(Clone, Debug)]
pub struct Derived {
    pub name: String,
    /// What using units call it.
    pub used: String,
    pub parent: Option<usize>,
    pub components: Vec<Component>,
    /// It may be the type of device data: its components are ordinary data.
    pub plain: bool,
    /// It can be extended and have objects of a class.
    pub extensible: bool,
    /// Names of bound subroutines without further arguments.
    pub bound: Vec<String>,
}

/// A designator.
#[derive(Clone, Debug)]
pub struct Place {
    pub text: String,
    pub base: Base,
    pub rank: usize,
    pub space: Space,
    /// The form, of whole variables and components.
    pub form: Option<Form>,
    pub definable: bool,
    pub target: bool,
    pub class: bool,
    pub optional: bool,
    /// A name alone.
    pub whole: bool,
}

impl Place {
    pub fn is_allocatable(&self) -> bool {
        self.form.as_ref().is_some_and(Form::is_allocatable)
    }

    pub fn is_pointer(&self) -> bool {
        self.form.as_ref().is_some_and(Form::is_pointer)
    }

    pub fn is_assumed_size(&self) -> bool {
        self.form == Some(Form::AssumedSize)
    }

    /// Of the same type, and shape of that rank or a scalar.
    pub fn fits(&self, other: &Place) -> bool {
        let same = self.base == other.base || self.base.is_number() && other.base.is_number();
        same && (other.rank == self.rank || other.rank == 0)
    }
}

/// The type as it is declared.
pub fn declared(base: Base, types: &[Derived], class: bool, r: &mut Random) -> String {
    match base {
        Base::Integer(4) => r
            .pick(&[
                "integer",
                "integer",
                "integer(4)",
                "integer*4",
                "integer(kind=4)",
            ])
            .to_owned(),
        Base::Integer(k) => r.pick(&[
            format!("integer({k})"),
            format!("integer*{k}"),
            format!("integer(kind={k})"),
        ]),
        Base::Real(4) => r.pick(&["real", "real", "real(4)", "real*4"]).to_owned(),
        Base::Real(_) => r
            .pick(&[
                "real(8)",
                "real(8)",
                "double precision",
                "real*8",
                "real(kind=8)",
                "real(kind(1.0d0))",
            ])
            .to_owned(),
        Base::Complex(4) => r.pick(&["complex", "complex(4)", "complex*8"]).to_owned(),
        Base::Complex(_) => r
            .pick(&["complex(8)", "complex*16", "double complex"])
            .to_owned(),
        Base::Logical(4) => "logical".to_owned(),
        Base::Logical(k) => format!("logical({k})"),
        Base::Character(1) => r
            .pick(&["character", "character(1)", "character(len=1)"])
            .to_owned(),
        Base::Character(n) => r.pick(&[
            format!("character({n})"),
            format!("character(len={n})"),
            format!("character*{n}"),
        ]),
        Base::Derived(t) => {
            let name = types.get(t).map_or("", |t| t.used.as_str());
            match class {
                true => format!("class({name})"),
                false => format!("type({name})"),
            }
        }
    }
}

/// A subscript or section of each dimension.
pub fn subscripts(r: &mut Random, rank: usize, sections: bool) -> (String, usize) {
    let mut words = Vec::new();
    let mut left = 0;
    for _ in 0..rank {
        if sections && r.chance(60) {
            left += 1;
            words.push(r.pick(&[":", ":", "1:2", "2:1:-1", "1:2:1", ":2", "[1, 2]"]));
        } else {
            words.push(r.pick(&["1", "2", "1", "i", "1 + 1"]));
        }
    }
    (format!("({})", words.join(", ")), left)
}

/// Designators of a variable and of its parts.
pub fn places(v: &Variable, types: &[Derived], r: &mut Random) -> Vec<Place> {
    let whole = Place {
        text: v.name.clone(),
        base: v.base,
        rank: v.form.rank(),
        space: v.space,
        form: Some(v.form.clone()),
        definable: v.definable,
        target: v.target || v.form.is_pointer(),
        class: v.class,
        optional: v.optional,
        whole: true,
    };
    let mut all = Vec::new();
    extend(whole, true, types, 3, r, &mut all);
    all
}

/// `own`: all dimensions are those of its last part, which subscripts can follow.
fn extend(
    place: Place,
    own: bool,
    types: &[Derived],
    depth: usize,
    r: &mut Random,
    all: &mut Vec<Place>,
) {
    let mut bases = vec![place.clone()];
    if place.rank > 0 && own {
        let sections = !place.is_assumed_size();
        let (text, rank) = subscripts(r, place.rank, false);
        let element = Place {
            text: format!("{}{text}", place.text),
            rank,
            form: None,
            class: false,
            whole: false,
            ..place.clone()
        };
        bases.push(element.clone());
        if sections {
            let (text, rank) = subscripts(r, place.rank, true);
            let vector = text.contains('[');
            let section = Place {
                text: format!("{}{text}", place.text),
                rank,
                target: place.target && !vector,
                ..element
            };
            bases.push(section);
        }
    }
    if depth > 0
        && let Base::Derived(t) = place.base
    {
        let from: Vec<Place> = bases.clone();
        for base in from {
            let mut at = Some(t);
            while let Some(derived) = at.and_then(|t| types.get(t)) {
                for c in &derived.components {
                    let rank = c.form.rank();
                    if base.rank > 0 && (rank > 0 || c.form != Form::Scalar) {
                        continue;
                    }
                    if base.rank > 0 && !r.chance(40) {
                        continue;
                    }
                    let space = match c.space {
                        Space::Host if c.form.is_allocatable() || c.form.is_pointer() => {
                            Space::Host
                        }
                        Space::Host if base.space == Space::Pinned => Space::Host,
                        Space::Host => base.space,
                        other => other,
                    };
                    let part = Place {
                        text: format!("{}%{}", base.text, c.name),
                        base: c.base,
                        rank: base.rank + rank,
                        space,
                        form: (base.rank == 0).then(|| c.form.clone()),
                        definable: base.definable,
                        target: base.target || c.form.is_pointer(),
                        class: false,
                        optional: base.optional,
                        whole: false,
                    };
                    extend(part, base.rank == 0, types, depth - 1, r, all);
                }
                at = derived.parent;
            }
        }
    }
    all.extend(bases);
}
