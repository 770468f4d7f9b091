//! A random program: modules with types, data, kernels and procedures, a facade, a submodule, external procedures.

use crate::layout::FILES;
use crate::model::{Base, Component, Derived, Form, Place, Space, Variable, declared, places};
use crate::random::Random;
use crate::tree::{Node, block, either, line};

/// A program unit and the file that it belongs to.
#[derive(Clone, Debug)]
pub struct Unit {
    pub file: usize,
    pub node: Node,
}

#[derive(Clone, Debug)]
pub struct Program {
    pub seed: u64,
    /// In the order in which a compiler must read them.
    pub units: Vec<Unit>,
    /// Which of [`MODES`] it is translated in.
    pub mode: usize,
}

/// Options of cuf2cu, of which each batch has one of the lists.
pub const MODES: &[&[&str]] = &[
    &[],
    &["--openmp"],
    &["--mem=unified"],
    &["--check=all"],
    &[],
    &["--mem=managed"],
    &["-r8"],
];

/// Words with a meaning in C++, CUDA, the runtime or Fortran, as names of data and procedures.
const WORDS: &[&str] = &[
    "class",
    "new",
    "int",
    "template",
    "delete",
    "this",
    "operator",
    "namespace",
    "auto",
    "float",
    "double",
    "char",
    "struct",
    "union",
    "typename",
    "static",
    "const",
    "void",
    "long",
    "short",
    "signed",
    "unsigned",
    "switch",
    "default",
    "break",
    "using",
    "main",
    "std",
    "cuf",
    "cuf_x",
    "x_",
    "uint",
    "float4",
    "half",
    "size_t",
    "index",
    "scale",
    "range",
    "product",
    "reshape",
    "maxloc",
    "kind",
    "exponent",
    "transfer",
    "pack",
    "merge",
    "launch",
    "stream",
    "block",
    "grid",
    "thread",
    "shared",
    "global",
    "array",
    "view",
    "value",
    "data",
    "end",
    "do",
    "if",
    "result",
    "type",
    "target",
    "pointer",
    "len",
    "bit_size",
    "iand",
    "cmplx",
    "time",
    "rand",
    "abs",
    "exp",
    "printf",
    "malloc",
    "free",
    "y0",
    "j1",
    "gamma",
    "div",
    "signal",
    "errno",
    "stdin",
    "null",
];

/// The variables that statements see.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub variables: Vec<Variable>,
    pub nesting: usize,
    /// The body of a function or of a main program: no RETURN of a subroutine.
    pub returns: bool,
}

#[derive(Clone, Debug)]
pub struct Kernel {
    pub name: String,
    pub dummies: Vec<Variable>,
}

pub struct Generator {
    pub r: Random,
    pub seed: u64,
    pub types: Vec<Derived>,
    pub module_data: Vec<Variable>,
    /// Kernels and procedures that statements have called for.
    pub callees: Vec<Node>,
    /// Generic interfaces over them.
    pub interfaces: Vec<Node>,
    /// External procedures.
    pub outside: Vec<Node>,
    pub device_functions: Vec<(String, Base)>,
    words: Vec<&'static str>,
    numbers: usize,
}

/// The program of a seed.
pub fn generate(seed: u64) -> Program {
    let g = Generator {
        r: Random::new(seed),
        seed,
        types: Vec::new(),
        module_data: Vec::new(),
        callees: Vec::new(),
        interfaces: Vec::new(),
        outside: Vec::new(),
        device_functions: Vec::new(),
        words: WORDS.to_vec(),
        numbers: 0,
    };
    g.program()
}

/// In the plain program every procedure that is called must be there, for statements may take it away.
fn implicit_none() -> Node {
    line(either("implicit none", "implicit none (type, external)"))
}

impl Generator {
    pub fn number(&mut self) -> usize {
        self.numbers += 1;
        self.numbers
    }

    /// A new name, which may be a word with a meaning.
    pub fn name(&mut self, stem: &str) -> String {
        if !self.words.is_empty() && self.r.chance(12) {
            let at = self.r.below(self.words.len());
            return self.words.swap_remove(at).to_owned();
        }
        format!("{stem}{}", self.number())
    }

    fn program(mut self) -> Program {
        let seed = self.seed;
        let split = self.r.chance(50);
        let types = self.types_module();
        let data = self.data_module();
        let facade = self.r.chance(40);
        let shown = match facade {
            true => format!("f{seed}"),
            false => format!("t{seed}"),
        };
        let work = self.work_units(&shown);
        let mut units = vec![types, data];
        units.push(self.callee_module());
        if facade {
            units.push(self.facade_module());
        }
        units.extend(work);
        units.append(&mut self.outside);
        // A file uses modules of those before it.
        let mut file = if split { 0 } else { self.r.below(FILES.len()) };
        let mut unit = |node| {
            if split && self.r.chance(35) {
                file = (file + 1).min(FILES.len() - 1);
            }
            let program = matches!(&node, Node::Block { head, .. } if head.starts_with("program "));
            Unit {
                file: if program { FILES.len() } else { file },
                node,
            }
        };
        let units = units.into_iter().map(&mut unit).collect();
        Program {
            seed,
            units,
            mode: 0,
        }
    }

    fn types_module(&mut self) -> Node {
        let mut body = vec![line("use cudafor"), implicit_none()];
        let count = 1 + self.r.below(4);
        let mut bound = Vec::new();
        for t in 0..count {
            let (node, procedures) = self.derived(t);
            body.push(node);
            bound.extend(procedures);
        }
        if !bound.is_empty() {
            body.push(line("contains"));
            body.extend(bound);
        }
        block(format!("module t{}", self.seed), body, "end module")
    }

    /// A derived type and its bound procedures.
    fn derived(&mut self, t: usize) -> (Node, Vec<Node>) {
        let plain = self.r.chance(45);
        let extensible = self.r.chance(70);
        let parent = (0..t).rev().find(|p| {
            let p = &self.types[*p];
            extensible && p.extensible
        });
        let parent = parent.filter(|_| self.r.chance(50));
        let name = format!("ty{}_{t}", self.seed);
        let mut components = Vec::new();
        for _ in 0..1 + self.r.below(4) {
            components.push(self.component(t, plain));
        }
        let mut attributes = String::new();
        if let Some(p) = parent {
            attributes = format!(", extends({})", self.types[p].name);
        }
        let mut body = Vec::new();
        if !extensible {
            body.push(line("sequence"));
        }
        for c in &components {
            let word = declared(c.base, &self.types, false, &mut self.r);
            let mark = c.space.mark();
            let initial = match &c.form {
                Form::Pointer(_) if c.initial => " => null()".to_owned(),
                Form::Scalar | Form::Fixed(_) if c.initial => format!(" = {}", c.base.constant()),
                _ => String::new(),
            };
            body.push(line(format!(
                "{word}{mark}{} :: {}{}{initial}",
                c.form.attribute(),
                c.name,
                c.form.bounds()
            )));
        }
        let mut bound = Vec::new();
        let mut procedures = Vec::new();
        if extensible && self.r.chance(40) {
            let b = format!("show{}", self.number());
            let form = self.r.below(3);
            let c = components[0].clone();
            let look = match c.form {
                Form::Allocatable(_) => format!("print *, allocated(self%{})", c.name),
                Form::Pointer(_) => format!("print *, associated(self%{})", c.name),
                _ if matches!(c.base, Base::Derived(_)) => "continue".to_owned(),
                _ => format!("print *, self%{}", c.name),
            };
            let binding = match form {
                0 => format!("procedure :: {b}"),
                1 => format!("procedure :: {b} => {b}_of"),
                _ => format!("procedure, pass(self) :: {b}"),
            };
            let procedure = if form == 1 {
                format!("{b}_of")
            } else {
                b.clone()
            };
            body.push(line("contains"));
            body.push(line(binding));
            procedures.push(block(
                format!("subroutine {procedure}(self)"),
                vec![
                    line(format!("class({name}), intent(inout) :: self")),
                    line(look),
                ],
                "end subroutine",
            ));
            bound.push(b);
        }
        self.types.push(Derived {
            name: name.clone(),
            used: name.clone(),
            parent,
            components,
            plain,
            extensible,
            bound,
        });
        (
            block(format!("type{attributes} :: {name}"), body, "end type"),
            procedures,
        )
    }

    fn component(&mut self, t: usize, plain: bool) -> Component {
        let mut base = Base::random(&mut self.r);
        let nested = (0..t).rev().find(|i| !plain || self.types[*i].plain);
        let nested = nested.filter(|i| self.types[*i].extensible || plain);
        if let Some(i) = nested.filter(|_| self.r.chance(25)) {
            base = Base::Derived(i);
        }
        let (form, space) = match plain {
            true if self.r.chance(60) => (Form::Scalar, Space::Host),
            true => (Form::fixed(&mut self.r), Space::Host),
            false => {
                let space = match base {
                    Base::Derived(i) if !self.types[i].plain => Space::Host,
                    _ => self.r.pick(&[
                        Space::Host,
                        Space::Device,
                        Space::Device,
                        Space::Managed,
                        Space::Pinned,
                    ]),
                };
                let rank = self.r.below(3);
                let form = match self.r.below(4) {
                    0 if space == Space::Host => Form::Scalar,
                    1 if space == Space::Host => Form::fixed(&mut self.r),
                    2 if space != Space::Pinned && space != Space::Managed => Form::Pointer(rank),
                    _ => Form::Allocatable(rank),
                };
                (form, space)
            }
        };
        let initial = !matches!(base, Base::Derived(_)) && self.r.chance(40)
            || form.is_pointer() && self.r.chance(70);
        Component {
            name: self.name("c"),
            base,
            form,
            space,
            initial,
        }
    }

    /// Any type of data in a space.
    pub fn base_in(&mut self, space: Space) -> Base {
        let good: Vec<usize> = (0..self.types.len())
            .filter(|t| space == Space::Host || self.types[*t].plain)
            .collect();
        if !good.is_empty() && self.r.chance(30) {
            return Base::Derived(self.r.pick(&good));
        }
        Base::random(&mut self.r)
    }

    /// A variable that is no dummy argument.
    pub fn variable(&mut self, module: bool) -> Variable {
        let space = self.r.pick(&[
            Space::Host,
            Space::Host,
            Space::Device,
            Space::Device,
            Space::Device,
            Space::Managed,
            Space::Pinned,
            Space::Unified,
            Space::Constant,
        ]);
        let space = if space == Space::Constant && !module {
            Space::Device
        } else {
            space
        };
        let base = self.base_in(space);
        let rank = self.r.below(3);
        let form = match space {
            Space::Constant if self.r.chance(40) => Form::Scalar,
            Space::Constant => Form::fixed(&mut self.r),
            Space::Pinned => Form::Allocatable(1 + self.r.below(2)),
            _ => match self.r.below(6) {
                0 => Form::Scalar,
                1 | 2 => Form::fixed(&mut self.r),
                3 if space != Space::Unified => Form::Pointer(rank),
                _ => Form::Allocatable(rank),
            },
        };
        let mut v = Variable::new(self.name("v"), base, form, space);
        v.target = !v.form.is_pointer() && space != Space::Constant && self.r.chance(35);
        if let Base::Derived(t) = base {
            v.class = space == Space::Host
                && self.types[t].extensible
                && matches!(v.form, Form::Allocatable(_) | Form::Pointer(_))
                && self.r.chance(40);
        }
        if module && self.r.chance(10) {
            v.more.push_str(", save");
        }
        if !module && space == Space::Host && self.r.chance(6) {
            v.more.push_str(", save");
        }
        v
    }

    /// The declaration of a variable, in one of the forms of the language.
    pub fn declaration(&mut self, v: &Variable, intent: &str) -> Vec<Node> {
        let word = declared(v.base, &self.types, v.class, &mut self.r);
        let mut attributes = v.form.attribute().to_owned();
        if v.target {
            attributes.push_str(", target");
        }
        if v.optional {
            attributes.push_str(", optional");
        }
        if v.value {
            attributes.push_str(", value");
        }
        attributes.push_str(intent);
        attributes.push_str(&v.more);
        let (name, bounds, mark) = (&v.name, v.form.bounds(), v.space.mark());
        match self.r.below(8) {
            0 if v.form.rank() > 0 => {
                let text = format!("{word}, dimension{bounds}{attributes}{mark} :: {name}");
                vec![line(text)]
            }
            1 if v.space != Space::Host => vec![
                line(format!("{word}{attributes} :: {name}{bounds}")),
                line(either(
                    &format!("attributes({}) :: {name}", v.space.word()),
                    "",
                )),
            ],
            2 if v.form.is_allocatable() && v.form.rank() > 0 && !v.class => {
                let rest = attributes.replacen(", allocatable", "", 1);
                vec![
                    line(format!("{word}{mark}{rest} :: {name}")),
                    line(format!("allocatable :: {name}{bounds}")),
                ]
            }
            3 if v.target => {
                let rest = attributes.replacen(", target", "", 1);
                vec![
                    line(format!("{word}{rest}{mark} :: {name}{bounds}")),
                    line(format!("target {name}")),
                ]
            }
            _ => vec![line(format!("{word}{mark}{attributes} :: {name}{bounds}"))],
        }
    }

    fn data_module(&mut self) -> Node {
        let mut body = vec![
            line("use cudafor"),
            line(format!("use t{}", self.seed)),
            implicit_none(),
        ];
        let count = 3 + self.r.below(6);
        for _ in 0..count {
            let v = self.variable(true);
            // Guide 3.2.7: no unified data in modules.
            let space = if v.space == Space::Unified {
                Space::Managed
            } else {
                v.space
            };
            let v = Variable { space, ..v };
            let mut nodes = self.declaration(&v, "");
            let scalar = matches!(v.form, Form::Scalar | Form::Fixed(_))
                && !matches!(v.base, Base::Derived(_));
            if scalar
                && self.r.chance(35)
                && let Some(Node::Line(text)) = nodes.first_mut()
            {
                text.push_str(&format!(" = {}", v.base.constant()));
            } else if v.form.is_pointer()
                && self.r.chance(30)
                && let Some(Node::Line(text)) = nodes.first_mut()
            {
                text.push_str(" => null()");
            }
            body.extend(nodes);
            self.module_data.push(v);
        }
        if self.r.chance(30) {
            let n = self.number();
            body.push(line(format!("integer :: ca{n}, cb{n}(4)")));
            body.push(line(format!("common /co{}_{n}/ ca{n}, cb{n}", self.seed)));
            for (name, form) in [
                (format!("ca{n}"), Form::Scalar),
                (format!("cb{n}"), Form::Fixed(vec!["4"])),
            ] {
                self.module_data
                    .push(Variable::new(name, Base::Integer(4), form, Space::Host));
            }
        }
        if self.r.chance(25) {
            let n = self.number();
            let mark = self
                .r
                .pick(&[Space::Host, Space::Host, Space::Device])
                .mark();
            body.push(line(format!("real{mark} :: ea{n}(4), eb{n}(2)")));
            body.push(line(format!("equivalence (ea{n}(2), eb{n}(1))")));
        }
        block(format!("module d{}", self.seed), body, "end module")
    }

    fn facade_module(&mut self) -> Node {
        let mut body = vec![line(format!("use t{}", self.seed))];
        if self.r.chance(50) {
            body.push(line(format!("use d{}", self.seed)));
        }
        if self.r.chance(50) {
            body.push(line("use cudafor"));
        }
        block(format!("module f{}", self.seed), body, "end module")
    }

    fn callee_module(&mut self) -> Node {
        let seed = self.seed;
        let mut body = vec![
            line("use cudafor"),
            line(format!("use t{seed}")),
            line(format!("use d{seed}")),
            implicit_none(),
        ];
        body.append(&mut self.interfaces);
        body.push(line("contains"));
        body.append(&mut self.callees);
        block(format!("module c{seed}"), body, "end module")
    }

    /// The module of procedures that work, its submodule, and an external procedure or a main program.
    fn work_units(&mut self, shown: &str) -> Vec<Node> {
        let seed = self.seed;
        let mut head = vec![
            line("use cudafor"),
            line(format!("use {shown}")),
            line(format!("use d{seed}")),
            line(format!("use c{seed}")),
        ];
        let at = self.r.below(head.len());
        head.swap(0, at);
        head.push(implicit_none());
        let mut after = Vec::new();
        let mut own = Vec::new();
        if self.r.chance(25) {
            let v = self.variable(true);
            own.extend(self.declaration(&v, ""));
            own.insert(0, line("private"));
            own.push(line(format!("public :: run{seed}")));
            self.module_data.push(v);
        }
        let submodule = self.r.chance(25);
        if submodule {
            own.push(block(
                "interface",
                vec![
                    line(format!("module subroutine sub{seed}()")),
                    line("end subroutine"),
                ],
                "end interface",
            ));
            let work = self.procedure_body(2, false);
            let procedure = block(format!("module procedure sub{seed}"), work, "end procedure");
            after.push(block(
                format!("submodule (w{seed}) s{seed}"),
                vec![line("contains"), procedure],
                "end submodule",
            ));
        }
        let mut procedures = Vec::new();
        let count = 1 + self.r.below(3);
        for n in 0..count {
            let body = self.procedure_body(3, true);
            procedures.push(block(
                format!("subroutine work{n}_{seed}()"),
                body,
                "end subroutine",
            ));
        }
        let mut calls: Vec<Node> = (0..count)
            .map(|n| line(format!("call work{n}_{seed}()")))
            .collect();
        if submodule {
            calls.push(line(format!("call sub{seed}()")));
        }
        procedures.push(block(
            format!("subroutine run{seed}()"),
            calls,
            "end subroutine",
        ));
        let mut body = head.clone();
        body.extend(own);
        body.push(line("contains"));
        body.extend(procedures);
        let mut units = vec![block(format!("module w{seed}"), body, "end module")];
        units.extend(after);
        let outside = match self.r.below(8) {
            0 => Some((format!("subroutine ext{seed}()"), "end subroutine")),
            1 => Some((format!("program p{seed}"), "end program")),
            _ => None,
        };
        if let Some((text, end)) = outside {
            let mut body = head;
            let work = self.procedure_body(2, true);
            body.extend(work.into_iter().filter(|n| *n != line("return")));
            units.push(block(text, body, end));
        }
        units
    }

    /// Declarations and statements of a procedure without dummies, and perhaps an internal procedure.
    fn procedure_body(&mut self, scale: usize, internal: bool) -> Vec<Node> {
        let mut scope = Scope {
            returns: true,
            ..Scope::default()
        };
        let mut nodes = vec![
            line("integer :: i, j, n, istat"),
            line("character(80) :: text"),
            line(either("type(dim3) :: grid_, block_", "")),
        ];
        nodes.push(line("integer(kind=cuda_stream_kind) :: stream_"));
        nodes.push(line("logical :: pinned_"));
        for _ in 0..2 + self.r.below(5) {
            let v = self.variable(false);
            nodes.extend(self.declaration(&v, ""));
            scope.variables.push(v);
        }
        scope.variables.extend(self.module_data.iter().cloned());
        nodes.push(line("i = 1; n = 4; stream_ = 0"));
        let count = scale * 3 + self.r.below(5);
        for _ in 0..count {
            nodes.extend(self.statement(&mut scope));
        }
        if internal && self.r.chance(25) {
            let mut inner = Scope {
                returns: true,
                ..scope.clone()
            };
            let v = self.variable(false);
            let name = format!("inner{}", self.number());
            let mut body = self.declaration(&v, "");
            inner.variables.push(v);
            for _ in 0..3 {
                body.extend(self.statement(&mut inner));
            }
            nodes.push(line(format!("call {name}()")));
            nodes.push(line("contains"));
            nodes.push(block(
                format!("subroutine {name}()"),
                body,
                "end subroutine",
            ));
        }
        nodes
    }

    /// A designator among those of the scope, with the property.
    pub fn place(&mut self, scope: &Scope, good: impl Fn(&Place) -> bool) -> Option<Place> {
        for _ in 0..6 {
            let v = self.r.pick(&scope.variables);
            let all: Vec<Place> = places(&v, &self.types, &mut self.r)
                .into_iter()
                .filter(|p| good(p))
                .collect();
            if !all.is_empty() {
                return Some(self.r.pick(&all));
            }
        }
        None
    }

    /// A dummy argument that a place may be the actual argument of.
    pub fn dummy(&mut self, p: &Place, device: bool) -> Variable {
        let element = p.rank == 0;
        let mut forms = match element {
            true => vec![Form::Scalar],
            false => vec![
                Form::AssumedShape(p.rank),
                Form::AssumedShape(p.rank),
                Form::AssumedSize,
                Form::Adjustable(vec!["n"; p.rank]),
                Form::Adjustable(vec!["0:n"; 1]),
                Form::Fixed(vec!["2"; p.rank]),
            ],
        };
        if p.is_assumed_size() {
            forms.truncate(4);
            forms.drain(..2);
        }
        let descriptor = matches!(p.form, Some(Form::Allocatable(_) | Form::Pointer(_)));
        if descriptor && !device {
            forms.extend([
                p.form.clone().unwrap_or(Form::Scalar),
                p.form.clone().unwrap_or(Form::Scalar),
            ]);
        }
        let form = self.r.pick(&forms);
        let space = match p.space {
            Space::Constant => Space::Device,
            _ if device && p.space.on_device() => {
                self.r.pick(&[Space::Device, Space::Host, p.space])
            }
            Space::Managed | Space::Unified
                if !matches!(form, Form::Allocatable(_) | Form::Pointer(_))
                    && self.r.chance(50) =>
            {
                self.r.pick(&[Space::Host, Space::Device])
            }
            Space::Pinned if self.r.chance(50) && !form.is_allocatable() => Space::Host,
            other => other,
        };
        let mut v = Variable::new(self.name("a"), p.base, form, space);
        v.class = p.class && (v.form.is_allocatable() || v.form.is_pointer())
            || matches!(p.base, Base::Derived(t) if !device && space == Space::Host && self.types[t].extensible && matches!(v.form, Form::Scalar | Form::AssumedShape(_)) && self.r.chance(30));
        v.definable = p.definable;
        v.target = !device && !v.form.is_pointer() && self.r.chance(15);
        v.optional = !device && self.r.chance(15);
        v
    }

    /// Declares a host procedure with dummies for the places; its name.
    pub fn host_procedure(&mut self, given: &[Place]) -> String {
        let name = self.name("p");
        let mut scope = Scope {
            returns: true,
            ..Scope::default()
        };
        let mut body = Vec::new();
        let mut names = vec!["n".to_owned()];
        body.push(line("integer, intent(in) :: n"));
        for p in given {
            let v = self.dummy(p, false);
            let intent = match (v.definable, self.r.below(4)) {
                (false, _) if !v.form.is_pointer() => ", intent(in)",
                (_, 0) if v.definable => ", intent(inout)",
                (_, 1) if v.definable && !v.class => ", intent(out)",
                _ => "",
            };
            body.extend(self.declaration(&v, intent));
            names.push(v.name.clone());
            scope.variables.push(v);
        }
        body.push(line("integer :: i, j, istat"));
        body.push(line("character(80) :: text"));
        body.push(line(either("type(dim3) :: grid_, block_", "")));
        body.push(line("integer(kind=cuda_stream_kind) :: stream_"));
        body.push(line("logical :: pinned_"));
        if self.r.chance(40) {
            let v = self.variable(false);
            body.extend(self.declaration(&v, ""));
            scope.variables.push(v);
        }
        body.push(line("i = 1; stream_ = 0"));
        for _ in 0..2 + self.r.below(3) {
            // Procedures that procedures call are not deeper than this.
            scope.nesting = 2;
            body.extend(self.statement(&mut scope));
        }
        let node = block(
            format!("subroutine {name}({})", names.join(", ")),
            body,
            "end subroutine",
        );
        self.callees.push(node);
        name
    }
}
