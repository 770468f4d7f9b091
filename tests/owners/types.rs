//! The derived types of a program, and the procedures that print, fill and make their values.

use crate::random::Random;
use crate::tree::{Node, block, either, guarded, line};

/// Where data is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    Host,
    Device,
    Managed,
    Pinned,
}

impl Space {
    /// Begins the names of components and ends those of procedures for such data.
    pub fn letter(self) -> char {
        match self {
            Space::Host => 'h',
            Space::Device => 'd',
            Space::Managed => 'm',
            Space::Pinned => 'p',
        }
    }

    /// The attribute in a declaration.
    pub fn mark(self) -> &'static str {
        match self {
            Space::Host => "",
            Space::Device => "{D}",
            Space::Managed => "{M}",
            Space::Pinned => "{P}",
        }
    }
}

/// How an object of derived type is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Plain,
    /// Explicit shape: lower bound and extent.
    Fixed(i64, i64),
    Allocatable,
    AllocatableArray,
    Pointer,
    /// Assumed shape.
    Assumed,
}

impl Form {
    pub fn array(self) -> bool {
        matches!(
            self,
            Form::Fixed(..) | Form::AllocatableArray | Form::Assumed
        )
    }

    pub fn allocatable(self) -> bool {
        matches!(self, Form::Allocatable | Form::AllocatableArray)
    }

    /// Attributes and shape of a declaration: `, allocatable` and `(:)`.
    pub fn declared(self) -> (&'static str, String) {
        match self {
            Form::Plain => ("", String::new()),
            Form::Fixed(low, n) => ("", format!("({low}:{})", low + n - 1)),
            Form::Allocatable => (", allocatable", String::new()),
            Form::AllocatableArray => (", allocatable", "(:)".to_owned()),
            Form::Pointer => (", pointer", String::new()),
            Form::Assumed => ("", "(:)".to_owned()),
        }
    }
}

/// A component.
#[derive(Clone, Debug)]
pub enum Kind {
    /// Integer with an initial value.
    Integer(i64),
    /// Allocatable array of rank 1 or 2; the lower bound that `fill` gives it.
    Array(Space, usize, i64),
    /// Allocatable scalar.
    Scalar(Space),
    /// Of another type.
    Part(usize, Form),
    /// Allocatable of the type itself.
    Next,
}

#[derive(Clone, Debug)]
pub struct Component {
    pub name: String,
    pub kind: Kind,
}

#[derive(Clone, Debug)]
pub struct Derived {
    pub name: String,
    pub parent: Option<usize>,
    pub components: Vec<Component>,
}

/// Types with allocatable components of their own type: gfortran 12 copies the deeper levels wrongly (use after free in the reference).
const RECURSIVE: bool = false;

/// Makes the types of a program. The later ones hold and extend the earlier ones.
pub fn types(r: &mut Random) -> Vec<Derived> {
    let count = r.pick(&[1, 2, 2, 2, 3, 3]);
    let mut number = 0;
    let mut all: Vec<Derived> = Vec::new();
    for index in 0..count {
        let parent = (index > 0 && r.chance(45)).then(|| r.below(index));
        let mut kinds = vec![Kind::Integer(r.between(1, 9))];
        for _ in 0..r.pick(&[1, 1, 2, 2, 3]) {
            kinds.push(data(r));
        }
        if index > 0 && (parent.is_none() || r.chance(40)) {
            let form = r.pick(&[
                Form::Plain,
                Form::Plain,
                Form::Fixed(1, 2),
                Form::Allocatable,
                Form::AllocatableArray,
            ]);
            kinds.push(Kind::Part(r.below(index), form));
        }
        if RECURSIVE && parent.is_none() && r.chance(15) {
            kinds.push(Kind::Next);
        }
        let components = kinds.into_iter().map(|kind| {
            number += 1;
            let letter = match kind {
                Kind::Integer(_) => "n".to_owned(),
                Kind::Array(space, ..) => space.letter().to_string(),
                Kind::Scalar(_) => "s".to_owned(),
                Kind::Part(..) => "q".to_owned(),
                Kind::Next => "next".to_owned(),
            };
            Component {
                name: format!("{letter}{number}"),
                kind,
            }
        });
        let components = components.collect();
        all.push(Derived {
            name: format!("t{}", index + 1),
            parent,
            components,
        });
    }
    all
}

fn data(r: &mut Random) -> Kind {
    let space = r.pick(&[
        Space::Device,
        Space::Device,
        Space::Device,
        Space::Managed,
        Space::Pinned,
        Space::Host,
    ]);
    match r.below(8) {
        0 => Kind::Scalar(space),
        1 => Kind::Array(space, 2, r.pick(&[1, 1, 0, -2])),
        _ => Kind::Array(space, 1, r.pick(&[1, 1, 1, 0, 0, -2, 5])),
    }
}

/// `(:)`, `(:, :)`
pub fn colons(rank: usize) -> String {
    format!("({})", vec![":"; rank].join(", "))
}

fn declaration(own: &str, types: &[Derived], c: &Component) -> String {
    let name = &c.name;
    match &c.kind {
        Kind::Integer(n) => format!("integer :: {name} = {n}"),
        Kind::Array(space, rank, _) => format!(
            "integer{}, allocatable :: {name}{}",
            space.mark(),
            colons(*rank)
        ),
        Kind::Scalar(space) => format!("integer{}, allocatable :: {name}", space.mark()),
        Kind::Part(of, form) => {
            let (attributes, shape) = form.declared();
            format!("type({}){attributes} :: {name}{shape}", types[*of].name)
        }
        Kind::Next => format!("type({own}), allocatable :: {name}"),
    }
}

/// The definition of a type.
pub fn definition(types: &[Derived], t: usize) -> Node {
    let d = &types[t];
    let head = match d.parent {
        Some(p) => format!("type, extends({}) :: {}", types[p].name, d.name),
        None => format!("type :: {}", d.name),
    };
    let body = d
        .components
        .iter()
        .map(|c| line(declaration(&d.name, types, c)));
    block(head, body.collect(), "end type")
}

/// `t` and the types it extends, the first ancestor first.
pub fn lineage(types: &[Derived], t: usize) -> Vec<usize> {
    let mut all = types[t].parent.map_or_else(Vec::new, |p| lineage(types, p));
    all.push(t);
    all
}

/// The type and its extensions.
pub fn family(types: &[Derived], t: usize) -> Vec<usize> {
    (0..types.len())
        .filter(|x| lineage(types, *x).contains(&t))
        .collect()
}

fn prefix(d: &Derived) -> &'static str {
    if d.components.iter().any(|c| matches!(c.kind, Kind::Next)) {
        "recursive "
    } else {
        ""
    }
}

/// The procedures `show_<t>`, `fill_<t>` and `make_<t>`, and `shows_<t>` for polymorphic objects.
pub fn procedures(r: &mut Random, types: &[Derived], t: usize) -> Vec<Node> {
    let d = &types[t];
    let name = &d.name;
    let family_of: Vec<&str> = family(types, t)
        .into_iter()
        .map(|x| types[x].name.as_str())
        .collect();
    let family: Vec<Node> = family(types, t)
        .into_iter()
        .rev()
        .map(|x| {
            let of = &types[x].name;
            block(
                format!("type is ({of})"),
                vec![line(format!("call show_{of}(x)"))],
                "",
            )
        })
        .collect();
    let mut make = vec![
        line("integer, intent(in) :: k"),
        line(format!("type({name}) :: r")),
    ];
    if r.chance(30) {
        make.push(line("if (mod(k, 5) == 4) return"));
    }
    make.push(line(format!("call fill_{name}(r, k)")));
    let mut all = vec![
        show(types, t),
        fill(r, types, t),
        block(
            format!("function make_{name}(k) result(r)"),
            make,
            "end function",
        ),
        block(
            format!("subroutine shows_{name}(x)"),
            vec![
                line(format!("class({name}), intent(in) :: x")),
                block("select type (x)", family, "end select"),
            ],
            "end subroutine",
        ),
    ];
    all.push(block(
        format!("function several_{name}(n, k) result(r)"),
        vec![
            line("integer, intent(in) :: n, k"),
            line(format!("type({name}) :: r(n)")),
            line("integer :: i"),
            // gfortran 12 gives array results of some types no initial values.
            line(either("", &format!("type({name}) :: blank"))),
            line(either("", "r = blank")),
            block(
                "do i = 1, n",
                vec![line(format!("call fill_{name}(r(i), k + i)"))],
                "end do",
            ),
        ],
        "end function",
    ));
    all.push(block(
        format!("function list_{name}(n, k) result(r)"),
        vec![
            line("integer, intent(in) :: n, k"),
            line(format!("type({name}), allocatable :: r(:)")),
            line("integer :: i"),
            line("allocate(r(n))"),
            block(
                "do i = 1, n",
                vec![line(format!("call fill_{name}(r(i), k + 2*i)"))],
                "end do",
            ),
        ],
        "end function",
    ));
    let dynamic = r.pick(&family_of).to_owned();
    all.push(block(
        format!("function class_{name}(k) result(r)"),
        vec![
            line("integer, intent(in) :: k"),
            line(format!("class({name}), allocatable :: r")),
            block(
                "if (mod(k, 2) == 0) then",
                vec![line(format!("allocate(r, source=make_{name}(k))"))],
                "",
            ),
            block(
                "else",
                vec![line(format!("allocate(r, source=fresh_{dynamic}(k))"))],
                "end if",
            ),
        ],
        "end function",
    ));
    let key = lineage(types, t)
        .into_iter()
        .flat_map(|x| &types[x].components)
        .filter(|c| matches!(c.kind, Kind::Integer(_)))
        .map(|c| format!("x%{}", c.name));
    let key: Vec<String> = key.collect();
    all.push(block(
        format!("function key_{name}(x) result(r)"),
        vec![
            line(format!("type({name}), intent(in) :: x")),
            line("integer :: r"),
            line(format!("r = {}", key.join(" + "))),
        ],
        "end function",
    ));
    all.push(block(
        format!("subroutine alternate_{name}(x, *, *)"),
        vec![
            line(format!("type({name}), intent(in) :: x")),
            line(format!("return mod(key_{name}(x), 3)")),
        ],
        "end subroutine",
    ));
    all.push(block(
        format!("function copy_{name}(x) result(r)"),
        vec![
            line(format!("type({name}), intent(in) :: x")),
            line(format!("type({name}) :: r")),
            line("r = x"),
        ],
        "end function",
    ));
    all.push(block(
        format!("function hidden_{name}(x) result(r)"),
        vec![
            line(format!("type({name}), target, intent(in) :: x")),
            line(format!("type({name}), pointer :: r")),
            line("r => x"),
        ],
        "end function",
    ));
    all.push(block(
        format!("function fresh_{name}(k) result(r)"),
        vec![
            line("integer, intent(in) :: k"),
            line(format!("type({name}), allocatable :: r")),
            line("allocate(r)"),
            line(format!("call fill_{name}(r, k)")),
        ],
        "end function",
    ));
    all
}

fn show(types: &[Derived], t: usize) -> Node {
    let d = &types[t];
    let mut body = vec![
        line(format!("type({}), intent(in) :: x", d.name)),
        line("integer :: i"),
        line(format!("call put({})", 1000 + t)),
    ];
    if let Some(p) = d.parent {
        let parent = &types[p].name;
        body.push(line(format!("call show_{parent}(x%{parent})")));
    }
    for c in &d.components {
        let path = format!("x%{}", c.name);
        let allocated = format!("allocated({path})");
        let bounds = [
            line(format!("call put(lbound({path}))")),
            line(format!("call put(shape({path}))")),
        ];
        let mut shown = match &c.kind {
            Kind::Integer(_) => {
                body.push(line(format!("call put({path})")));
                continue;
            }
            Kind::Array(space, rank, _) => {
                let letter = space.letter();
                body.push(line(format!("call put_{letter}{rank}({path})")));
                continue;
            }
            Kind::Scalar(space) => {
                body.push(line(format!("call put_{}0({path})", space.letter())));
                continue;
            }
            Kind::Part(of, Form::Plain) => {
                body.push(line(format!("call show_{}({path})", types[*of].name)));
                continue;
            }
            Kind::Part(of, Form::Allocatable) => {
                vec![line(format!("call show_{}({path})", types[*of].name))]
            }
            Kind::Part(of, form) => {
                let each = block(
                    format!("do i = lbound({path}, 1), ubound({path}, 1)"),
                    vec![line(format!("call show_{}({path}(i))", types[*of].name))],
                    "end do",
                );
                if !form.allocatable() {
                    body.push(each);
                    continue;
                }
                bounds.into_iter().chain([each]).collect()
            }
            Kind::Next => vec![line(format!("call show_{}({path})", d.name))],
        };
        body.push(line(format!("call flag({allocated})")));
        shown = guarded(&[allocated], shown);
        body.extend(shown);
    }
    block(
        format!("{}subroutine show_{}(x)", prefix(d), d.name),
        body,
        "end subroutine",
    )
}

fn fill(r: &mut Random, types: &[Derived], t: usize) -> Node {
    let d = &types[t];
    let mut body = vec![
        line(format!("type({}), intent(inout) :: x", d.name)),
        line("integer, intent(in) :: k"),
        line("integer :: i"),
    ];
    if let Some(p) = d.parent {
        let parent = &types[p].name;
        body.push(line(format!("call fill_{parent}(x%{parent}, k + 1)")));
    }
    for (index, c) in d.components.iter().enumerate() {
        let path = format!("x%{}", c.name);
        let index = index as i64 + 1;
        let drop = line(format!("if (allocated({path})) deallocate({path})"));
        let value = format!("k + {}", 10 * index);
        let lines = match &c.kind {
            Kind::Integer(_) => vec![line(format!("{path} = {value}"))],
            Kind::Array(space, rank, low) if r.chance(70) => {
                let high = match rank {
                    1 => low + r.pick(&[2, 2, 2, 1, 0, -1, 3]),
                    _ => low + 1,
                };
                let letter = space.letter();
                vec![line(format!(
                    "call fill_{letter}{rank}({path}, {low}, {high}, {value})"
                ))]
            }
            Kind::Array(_, 1, low) => vec![
                drop,
                line(format!(
                    "allocate({path}({low}:{}))",
                    low + r.pick(&[2, 2, 2, 1, 0, -1, 3])
                )),
                line(format!("{path} = {value}")),
            ],
            Kind::Array(_, _, low) => vec![
                drop,
                line(format!("allocate({path}({low}:{}, 2))", low + 1)),
                line(format!("{path} = {value}")),
            ],
            Kind::Scalar(_) => vec![
                drop,
                line(format!("allocate({path})")),
                line(format!("{path} = {value}")),
            ],
            Kind::Part(of, form) => {
                let of = &types[*of].name;
                let each = |extent: String| {
                    block(
                        extent,
                        vec![line(format!("call fill_{of}({path}(i), {value} + i)"))],
                        "end do",
                    )
                };
                let whole = line(format!("call fill_{of}({path}, {value})"));
                match form {
                    Form::Plain => vec![whole],
                    Form::Allocatable => vec![drop, line(format!("allocate({path})")), whole],
                    Form::AllocatableArray => {
                        let low = r.pick(&[1, 0, -1]);
                        vec![
                            drop,
                            line(format!("allocate({path}({low}:{}))", low + 1)),
                            each(format!("do i = {low}, {}", low + 1)),
                        ]
                    }
                    _ => vec![each("do i = 1, 2".to_owned())],
                }
            }
            Kind::Next => {
                let deeper = vec![
                    line(format!("allocate({path})")),
                    line(format!("call fill_{}({path}, k + 100)", d.name)),
                ];
                let mut lines = vec![drop];
                lines.extend(guarded(&["k < 150".to_owned()], deeper));
                lines
            }
        };
        // Some values leave some components as they are.
        let always = matches!(c.kind, Kind::Integer(_)) || r.chance(60);
        if always {
            body.extend(lines);
        } else {
            let modulus = r.pick(&[2, 3]);
            body.extend(guarded(&[format!("mod(k, {modulus}) /= 0")], lines));
        }
    }
    block(
        format!("{}subroutine fill_{}(x, k)", prefix(d), d.name),
        body,
        "end subroutine",
    )
}
