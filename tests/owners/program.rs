//! A random program: types, procedures, module data, and the procedure `run` in which everything happens.

use crate::finals;
use crate::places::{DataForm, Variable, What};
use crate::random::Random;
use crate::tree::{Node, Side, block, either, guarded, line, print};
use crate::types::{self, Derived, Form, Space, colons};

/// A program of one module, `case_<seed>`.
#[derive(Clone, Debug)]
pub struct Program {
    pub seed: u64,
    pub nodes: Vec<Node>,
}

impl Program {
    /// Its text.
    pub fn print(&self, side: Side) -> String {
        let mut out = String::new();
        print(&self.nodes, 0, side, &mut out);
        out
    }
}

/// A dummy argument of derived type.
#[derive(Clone, Debug)]
pub struct Dummy {
    pub t: usize,
    pub class: bool,
    pub form: Form,
    pub intent: &'static str,
    pub optional: bool,
}

impl Dummy {
    pub fn writable(&self) -> bool {
        matches!(self.intent, "out" | "inout")
    }
}

/// A procedure that statements can call: `name(k, dummies...)`.
#[derive(Clone, Debug)]
pub struct Callable {
    pub name: String,
    pub dummies: Vec<Dummy>,
}

/// The variables of a procedure or BLOCK and of those around it, and what statements there may do.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub variables: Vec<Variable>,
    /// DO constructs around.
    pub loops: usize,
    /// Constructs around.
    pub nesting: usize,
    /// A dummy `k` decides about early returns.
    pub procedure: bool,
}

pub struct Generator {
    pub r: Random,
    pub types: Vec<Derived>,
    pub callables: Vec<Callable>,
    numbers: usize,
}

/// The program of a seed.
pub fn generate(seed: u64) -> Program {
    let mut r = Random::new(seed);
    let types = types::types(&mut r);
    let mut g = Generator {
        r,
        types,
        callables: Vec::new(),
        numbers: 0,
    };
    let mut spec = vec![
        line("{U}"),
        line("use owners_support"),
        line("implicit none"),
    ];
    let mut procedures = Vec::new();
    for t in 0..g.types.len() {
        spec.push(types::definition(&g.types, t));
        procedures.extend(types::procedures(&mut g.r, &g.types, t));
    }
    for _ in 0..g.r.between(1, 2) {
        let made = g.procedure();
        procedures.push(made);
    }
    let mut module = Vec::new();
    for _ in 0..g.r.below(2) {
        let v = g.structure();
        spec.push(g.declaration(&v, ""));
        module.push(v);
    }
    let mut last = Vec::new();
    if g.r.chance(30) {
        let (types, more) = finals::finals(&mut g.r);
        spec.extend(types);
        procedures.extend(more);
        last.push(line(format!("call finals({})", g.r.between(0, 3))));
        last.push(line("call put_final()"));
    }
    procedures.push(g.run(&module, last));
    leave_out_unused(&mut procedures);
    spec.push(line("contains"));
    spec.extend(procedures);
    let name = format!("case_{seed}");
    Program {
        seed,
        nodes: vec![block(format!("module {name}"), spec, "end module")],
    }
}

/// Takes away the procedures that nothing calls.
fn leave_out_unused(procedures: &mut Vec<Node>) {
    let name = |node: &Node| {
        let Node::Block { head, .. } = node else {
            return String::new();
        };
        let mut rest = head
            .split(&['(', ' '])
            .skip_while(|w| !matches!(*w, "subroutine" | "function"));
        rest.nth(1).unwrap_or_default().to_owned()
    };
    loop {
        let texts: Vec<String> = procedures
            .iter()
            .map(|p| {
                let mut text = String::new();
                print(std::slice::from_ref(p), 0, Side::Device, &mut text);
                print(std::slice::from_ref(p), 0, Side::Plain, &mut text);
                text
            })
            .collect();
        let before = procedures.len();
        let mut index = 0;
        procedures.retain(|p| {
            let own = index;
            index += 1;
            let call = format!("{}(", name(p));
            let mut others = texts.iter().enumerate().filter(|(i, _)| *i != own);
            // FINAL procedures are called by nobody.
            call == "run("
                || call.starts_with("end_")
                || others.any(|(_, text)| text.contains(&call))
        });
        if procedures.len() == before {
            return;
        }
    }
}

impl Generator {
    /// The type or a part of it holds device, managed or pinned data. Of other types the translator writes what stands there, and
    /// what gfortran 12 does with that is not in question.
    pub fn owns(&self, t: usize) -> bool {
        types::lineage(&self.types, t).into_iter().any(|x| {
            self.types[x].components.iter().any(|c| match c.kind {
                types::Kind::Array(space, ..) | types::Kind::Scalar(space) => space != Space::Host,
                types::Kind::Part(of, _) => self.owns(of),
                types::Kind::Integer(_) | types::Kind::Next => false,
            })
        })
    }

    /// `device` in CUDA Fortran for types with device data, else and in the plain program `plain`.
    pub fn either(&self, t: usize, device: &str, plain: &str) -> String {
        if self.owns(t) {
            either(device, plain)
        } else {
            plain.to_owned()
        }
    }

    pub fn number(&mut self) -> usize {
        self.numbers += 1;
        self.numbers
    }

    /// A variable of derived type, as yet undeclared.
    pub fn structure(&mut self) -> Variable {
        let t = self.r.below(self.types.len());
        let form = self.r.pick(&[
            Form::Plain,
            Form::Plain,
            Form::Plain,
            Form::Allocatable,
            Form::Allocatable,
            Form::AllocatableArray,
            Form::AllocatableArray,
            Form::Fixed(1, 2),
            Form::Fixed(0, 3),
        ]);
        let class = match form {
            Form::Allocatable => self.r.chance(40),
            Form::AllocatableArray => self.r.chance(20),
            _ => false,
        };
        Variable {
            name: format!("v{}", self.number()),
            what: What::Structure(t, class, form),
            writable: true,
            optional: false,
        }
    }

    /// A variable of integer type.
    pub fn data(&mut self) -> Variable {
        let space = self.r.pick(&[
            Space::Host,
            Space::Device,
            Space::Device,
            Space::Managed,
            Space::Pinned,
        ]);
        // Only allocatable data can be pinned.
        let form = match space {
            Space::Pinned => DataForm::Allocatable,
            _ => self.r.pick(&[DataForm::Allocatable, DataForm::Fixed]),
        };
        Variable {
            name: format!("w{}", 100 + self.number()),
            what: What::Data(space, self.r.pick(&[1, 1, 1, 2]), form),
            writable: true,
            optional: false,
        }
    }

    /// The declaration of a variable, with further attributes.
    pub fn declaration(&self, v: &Variable, attributes: &str) -> Node {
        let name = &v.name;
        line(match &v.what {
            What::Structure(t, class, form) => {
                let (form_attributes, shape) = form.declared();
                let of = &self.types[*t].name;
                let word = if *class { "class" } else { "type" };
                let target = if *form == Form::Pointer {
                    ""
                } else {
                    ", target"
                };
                format!("{word}({of}){form_attributes}{target}{attributes} :: {name}{shape}")
            }
            What::Data(space, rank, form) => {
                let (form, shape) = match (form, rank) {
                    (DataForm::Allocatable, _) => (", allocatable", colons(*rank)),
                    (DataForm::Fixed, 1) => ("", "(3)".to_owned()),
                    (DataForm::Fixed, _) => ("", "(3, 2)".to_owned()),
                };
                format!("integer{}{form}{attributes} :: {name}{shape}", space.mark())
            }
        })
    }

    /// Statements that give a fresh variable its first value.
    pub fn first_value(&mut self, v: &Variable) -> Vec<Node> {
        let name = v.name.clone();
        let k = self.r.between(1, 9);
        let (t, class, form) = match v.what {
            What::Data(_, _, DataForm::Fixed) => return vec![line(format!("{name} = {k}"))],
            What::Data(_, rank, DataForm::Allocatable) => {
                let shape = if rank == 1 { "3" } else { "3, 2" };
                return vec![
                    line(format!("allocate({name}({shape}))")),
                    line(format!("{name} = {k}")),
                ];
            }
            What::Structure(t, class, form) => (t, class, form),
        };
        let of = self.types[t].name.clone();
        let fill = |x: &str| line(format!("call fill_{of}({x}, {k})"));
        match form {
            Form::Plain => vec![fill(&name)],
            Form::Fixed(low, n) => (low..low + n)
                .map(|i| line(format!("call fill_{of}({name}({i}), {})", k + i)))
                .collect(),
            Form::Allocatable if class => {
                let family = types::family(&self.types, t);
                let dynamic = self.types[self.r.pick(&family)].name.clone();
                vec![line(format!(
                    "allocate({name}, source=make_{dynamic}({k}))"
                ))]
            }
            Form::Allocatable => vec![line(format!("allocate({name})")), fill(&name)],
            Form::AllocatableArray if class => {
                let family = types::family(&self.types, t);
                let dynamic = self.types[self.r.pick(&family)].name.clone();
                let each = |i: i64| line(format!("call fill_{dynamic}({name}({i}), {})", k + i));
                let case = block(
                    format!("type is ({dynamic})"),
                    (0..2).map(each).collect(),
                    "",
                );
                vec![
                    line(format!("allocate({dynamic} :: {name}(0:1))")),
                    block(format!("select type ({name})"), vec![case], "end select"),
                ]
            }
            Form::AllocatableArray => {
                let low = self.r.pick(&[1, 1, 0, -1]);
                let high = low + self.r.pick(&[1, 2]);
                let mut lines = vec![line(format!("allocate({name}({low}:{high}))"))];
                lines.extend(
                    (low..=high).map(|i| line(format!("call fill_{of}({name}({i}), {})", k + i))),
                );
                lines
            }
            Form::Pointer | Form::Assumed => Vec::new(),
        }
    }

    /// Statements that print a variable.
    pub fn shown(&self, v: &Variable) -> Vec<Node> {
        let name = &v.name;
        let mut outer = Vec::new();
        if v.optional {
            outer.push(format!("present({name})"));
        }
        let allocated = format!("allocated({name})");
        let flag = line(format!("call flag({allocated})"));
        let bounds = [
            line(format!("call put(lbound({name}))")),
            line(format!("call put(shape({name}))")),
        ];
        let lines = match &v.what {
            What::Data(space, rank, form) => {
                let way = match form {
                    DataForm::Allocatable => "put",
                    DataForm::Fixed => "look",
                };
                vec![line(format!("call {way}_{}{rank}({name})", space.letter()))]
            }
            What::Structure(t, class, form) => {
                let of = &self.types[*t].name;
                let show = if *class { "shows" } else { "show" };
                if form.array() {
                    let mut lines = bounds.to_vec();
                    lines.push(block(
                        "block",
                        vec![
                            line("integer :: i"),
                            block(
                                format!("do i = lbound({name}, 1), ubound({name}, 1)"),
                                vec![line(format!("call {show}_{of}({name}(i))"))],
                                "end do",
                            ),
                        ],
                        "end block",
                    ));
                    if form.allocatable() {
                        let mut all = vec![flag];
                        all.extend(guarded(&[allocated], lines));
                        all
                    } else {
                        lines
                    }
                } else {
                    let lines = vec![line(format!("call {show}_{of}({name})"))];
                    match form {
                        Form::Allocatable => {
                            let mut all = vec![flag];
                            all.extend(guarded(&[allocated], lines));
                            all
                        }
                        Form::Pointer => guarded(&[format!("associated({name})")], lines),
                        _ => lines,
                    }
                }
            }
        };
        guarded(&outer, lines)
    }

    /// New variables with declarations and, mostly, first values.
    pub fn locals(&mut self, structures: i64, data: i64) -> (Vec<Variable>, Vec<Node>, Vec<Node>) {
        let (mut variables, mut declarations, mut values) = (Vec::new(), Vec::new(), Vec::new());
        for index in 0..structures + data {
            let v = if index < structures {
                self.structure()
            } else {
                self.data()
            };
            declarations.push(self.declaration(&v, ""));
            let fixed = matches!(v.what, What::Data(_, _, DataForm::Fixed));
            if fixed || self.r.chance(75) {
                values.extend(self.first_value(&v));
            }
            variables.push(v);
        }
        (variables, declarations, values)
    }

    fn dummy(&mut self) -> Dummy {
        let t = self.r.below(self.types.len());
        let form = self.r.pick(&[
            Form::Plain,
            Form::Plain,
            Form::Plain,
            Form::Allocatable,
            Form::AllocatableArray,
            Form::Assumed,
        ]);
        let intent = self.r.pick(&["in", "inout", "inout", "out", "out"]);
        Dummy {
            t,
            class: matches!(form, Form::Plain | Form::Allocatable) && self.r.chance(35),
            form,
            intent,
            optional: self.r.chance(15),
        }
    }

    /// A procedure with dummies of derived type; it can be called by what is made after it.
    fn procedure(&mut self) -> Node {
        let name = format!("p{}", self.number());
        let dummies: Vec<Dummy> = (0..self.r.between(1, 2)).map(|_| self.dummy()).collect();
        let recursive = self.r.chance(25);
        let mut scope = Scope {
            procedure: true,
            ..Scope::default()
        };
        let mut body = vec![line("integer, intent(in) :: k")];
        for (index, d) in dummies.iter().enumerate() {
            let v = Variable {
                name: format!("x{}", index + 1),
                what: What::Structure(d.t, d.class, d.form),
                writable: d.writable(),
                optional: d.optional,
            };
            let optional = if d.optional { ", optional" } else { "" };
            body.push(self.declaration(&v, &format!(", intent({}){optional}", d.intent)));
            scope.variables.push(v);
        }
        let names: Vec<String> = scope.variables.iter().map(|v| v.name.clone()).collect();
        let (structures, data) = (self.r.between(0, 2), self.r.between(0, 1));
        let (variables, declarations, values) = self.locals(structures, data);
        body.extend(declarations);
        for v in &scope.variables {
            body.extend(self.shown(v));
        }
        body.extend(values);
        scope.variables.extend(variables);
        let count = self.r.between(2, 4);
        let before = self.statements(&scope, count);
        body.extend(before);
        if recursive {
            body.push(line(format!(
                "if (k > 0) call {name}(k - 1, {})",
                names.join(", ")
            )));
        }
        if self.r.chance(40) {
            body.push(line(format!("if (k == {}) return", self.r.between(0, 2))));
        }
        let count = self.r.between(1, 3);
        let after = self.statements(&scope, count);
        body.extend(after);
        let prefix = if recursive { "recursive " } else { "" };
        self.callables.push(Callable {
            name: name.clone(),
            dummies,
        });
        block(
            format!("{prefix}subroutine {name}(k, {})", names.join(", ")),
            body,
            "end subroutine",
        )
    }

    fn run(&mut self, module: &[Variable], last: Vec<Node>) -> Node {
        let mut body = Vec::new();
        let (structures, data) = (self.r.between(2, 3), 1);
        let (variables, declarations, values) = self.locals(structures, data);
        body.extend(declarations);
        for v in module {
            let first = self.first_value(v);
            body.extend(self.emptied(v));
            body.extend(first);
        }
        body.extend(values);
        let scope = Scope {
            variables: module.iter().cloned().chain(variables).collect(),
            ..Scope::default()
        };
        let count = self.r.between(9, 16);
        let statements = self.statements(&scope, count);
        body.extend(statements);
        for v in &scope.variables {
            body.extend(self.shown(v));
        }
        for v in module {
            body.extend(self.emptied(v));
        }
        body.extend(last);
        block("subroutine run()", body, "end subroutine")
    }

    /// Statements that leave a module variable without memory of its own.
    fn emptied(&self, v: &Variable) -> Vec<Node> {
        let name = &v.name;
        match v.what {
            What::Structure(t, _, Form::Plain | Form::Fixed(..)) => vec![block(
                "block",
                vec![
                    line(format!("type({}) :: fresh", self.types[t].name)),
                    line(format!("{name} = fresh")),
                ],
                "end block",
            )],
            _ => vec![line(format!("if (allocated({name})) deallocate({name})"))],
        }
    }
}
