//! Random programs: a variable goes through a chain of procedures to a kernel, which adds 1 to its first element; the program waits for
//! the device and reads the variable, at any place of the chain.

use std::fmt::Write as _;

use crate::random::Random;

/// The parts of a program, by the place in the sources of a batch.
#[derive(Debug, Default)]
pub struct Program {
    pub seed: u64,
    /// A module with kernels, types and procedures.
    pub module: String,
    /// External procedures in the file of the kernels.
    pub external: String,
    /// External procedures in a file of plain Fortran.
    pub plain: String,
}

/// How a procedure has the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Scalar,
    Explicit,
    Size,
    Shape,
}

impl Form {
    /// The dimensions of a dummy.
    fn dims(self) -> &'static str {
        match self {
            Form::Scalar => "",
            Form::Explicit => "(2)",
            Form::Size => "(*)",
            Form::Shape => "(:)",
        }
    }

    /// The element that kernels change.
    fn first(self, name: &str) -> String {
        match self {
            Form::Scalar => name.to_owned(),
            _ => format!("{name}(1)"),
        }
    }
}

/// How a procedure is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Module,
    Generic,
    Optional,
    External,
    Described,
    Bound,
    Dynamic,
    Dummy,
    Pointer,
    Function,
    ExternalFunction,
    Separate,
    Internal,
}

const WAYS: [Way; 13] = [
    Way::Module,
    Way::Generic,
    Way::Optional,
    Way::External,
    Way::Described,
    Way::Bound,
    Way::Dynamic,
    Way::Dummy,
    Way::Pointer,
    Way::Function,
    Way::ExternalFunction,
    Way::Separate,
    Way::Internal,
];

/// A reference of a procedure: what the caller declares, and its statements.
struct Reference {
    declarations: String,
    statements: String,
    /// Procedures inside the caller.
    internal: String,
}

struct Generator {
    random: Random,
    seed: u64,
    levels: usize,
    /// Type definitions and interfaces of the module.
    head: String,
    procedures: String,
    submodule: String,
    external: String,
    plain: String,
}

/// The program of a seed.
pub fn generate(seed: u64) -> Program {
    let mut g = Generator {
        random: Random::new(seed),
        seed,
        levels: 0,
        head: String::new(),
        procedures: String::new(),
        submodule: String::new(),
        external: String::new(),
        plain: String::new(),
    };
    let run = g.run();
    let mut module = format!(
        "module m{seed}\n  use cudafor\n  use waits\n  implicit none\n  integer :: module_data = 1\n  integer, private :: hidden = 1\n{}contains\n",
        g.head
    );
    module.push_str(KERNELS);
    module.push_str(&g.procedures);
    module.push_str(&run);
    let _ = writeln!(module, "end module m{seed}");
    if !g.submodule.is_empty() {
        let _ = writeln!(
            module,
            "submodule (m{seed}) s{seed}\ncontains\n{}end submodule s{seed}",
            g.submodule
        );
    }
    Program {
        seed,
        module,
        external: g.external,
        plain: g.plain,
    }
}

const KERNELS: &str = "  attributes(global) subroutine one(c)
    integer :: c
    c = c + 1
  end subroutine one
  attributes(global) subroutine many(c)
    integer :: c(*)
    c(1) = c(1) + 1
  end subroutine many
  attributes(global) subroutine shaped(c)
    integer :: c(:)
    c(1) = c(1) + 1
  end subroutine shaped
";

impl Generator {
    /// The subroutine that has the variable.
    fn run(&mut self) -> String {
        let array: [(&str, &str, &str); 10] = [
            ("integer :: a(4)", "a = 1", "a"),
            ("integer, allocatable :: a(:)", "allocate(a(4)); a = 1", "a"),
            ("integer, pointer :: a(:)", "allocate(a(4)); a = 1", "a"),
            ("integer :: a(n + 2)", "a = 1", "a"),
            ("integer, save :: a(4)", "a = 1", "a"),
            ("type(plain) :: x", "x%v = 1", "x%v"),
            (
                "type(plain), allocatable :: x",
                "allocate(x); x%v = 1",
                "x%v",
            ),
            ("type(owning) :: x", "allocate(x%v(4)); x%v = 1", "x%v"),
            ("type(owning) :: x", "allocate(x%p(4)); x%p = 1", "x%p"),
            ("integer :: a(4); common /block@/ a", "a = 1", "a"),
        ];
        let scalar: [(&str, &str, &str); 8] = [
            ("integer :: a", "a = 1", "a"),
            ("integer, allocatable :: a", "allocate(a); a = 1", "a"),
            ("integer, save :: a", "a = 1", "a"),
            ("type(plain) :: x", "x%s = 1", "x%s"),
            ("type(plain) :: x(3)", "x%s = 1", "x(2)%s"),
            ("integer :: a; common /block@/ a", "a = 1", "a"),
            ("", "module_data = 1", "module_data"),
            ("", "hidden = 1", "hidden"),
        ];
        let is_array = self.random.chance(60);
        let (declaration, set, name) = match is_array {
            true => self.random.pick(&array),
            false => self.random.pick(&scalar),
        };
        self.head
            .push_str("  type plain\n    integer :: s = 1, v(4) = 1\n  end type plain\n");
        self.head.push_str(
            "  type owning\n    integer, allocatable :: v(:)\n    integer, pointer :: p(:)\n  end type owning\n",
        );
        let form = if is_array { Form::Shape } else { Form::Scalar };
        let depth = self.random.between(0, 3) as usize;
        let call = self.give(name, form, depth, false);
        let check = self.check(name, form);
        let declaration = declaration.replace('@', &self.seed.to_string());
        let body = format!(
            "    {declaration}\n{}    {set}\n{}{check}",
            call.declarations, call.statements
        );
        let contains = contained(&call.internal);
        format!(
            "  subroutine run(n)\n    integer, intent(in) :: n\n{body}{contains}  end subroutine run\n"
        )
    }

    /// Waits for the device and reads the variable.
    fn check(&mut self, name: &str, form: Form) -> String {
        let first = form.first(name);
        let early = match self.random.chance(40) {
            true => format!("    if ({first} < 0) failures = failures + 1\n"),
            false => String::new(),
        };
        let seen = match self.random.below(4) {
            0 => self.watcher(name, form),
            1 => format!(
                "    associate (seen => {first})\n      sum = 0\n      do turn = 1, turns\n        state = cudaDeviceSynchronize()\n        sum = sum + seen\n      end do\n    end associate\n"
            ),
            _ => format!(
                "    sum = 0\n    do turn = 1, turns\n      state = cudaDeviceSynchronize()\n      sum = sum + {first}\n    end do\n"
            ),
        };
        format!(
            "{early}    block\n    integer :: turn, state, sum\n{seen}    if (sum /= 2*turns) call failed({}, sum)\n    end block\n",
            self.seed
        )
    }

    /// Another procedure waits and reads.
    fn watcher(&mut self, name: &str, form: Form) -> String {
        self.levels += 1;
        let watch = format!("watch{}_{}", self.seed, self.levels);
        let external = self.random.chance(50);
        let form = match form {
            Form::Shape if external => Form::Size,
            other => other,
        };
        let text = format!(
            "integer function {watch}(a)\n  use cudafor\n  use waits\n  implicit none\n  integer :: a{}\n  integer :: turn, state\n  {watch} = 0\n  do turn = 1, turns\n    state = cudaDeviceSynchronize()\n    {watch} = {watch} + {}\n  end do\nend function {watch}\n",
            form.dims(),
            form.first("a")
        );
        match external {
            true => {
                self.place().push_str(&text);
                format!(
                    "    block\n    integer, external :: {watch}\n    sum = {watch}({name})\n    end block\n"
                )
            }
            false => {
                self.procedures.push_str(&text);
                format!("    sum = {watch}({name})\n")
            }
        }
    }

    /// The text of external procedures of one of the files.
    fn place(&mut self) -> &mut String {
        match self.random.chance(50) {
            true => &mut self.external,
            false => &mut self.plain,
        }
    }

    /// Statements that give the data to a kernel, through `depth` procedures. `plain`: in a file of plain Fortran.
    fn give(&mut self, name: &str, form: Form, depth: usize, plain: bool) -> Reference {
        if depth == 0 && !plain {
            return self.launch(name, form);
        }
        let mut ways: Vec<Way> = WAYS.to_vec();
        if plain {
            ways.retain(|w| !matches!(w, Way::Internal | Way::Separate));
        }
        let way = self.random.pick(&ways);
        let mut forms = vec![Form::Scalar];
        if form != Form::Scalar {
            forms.extend([Form::Explicit, Form::Size]);
            let implicit = matches!(way, Way::External | Way::ExternalFunction);
            if !implicit && form != Form::Size {
                forms.push(Form::Shape);
            }
        }
        let taken = self.random.pick(&forms);
        let actual = match (form, taken) {
            (Form::Scalar, _) => name.to_owned(),
            (_, Form::Scalar) => format!("{name}(1)"),
            _ if self.random.chance(20) => format!("{name}(1:2)"),
            _ => name.to_owned(),
        };
        self.reference(&actual, taken, way, depth.saturating_sub(1))
    }

    fn launch(&mut self, name: &str, form: Form) -> Reference {
        let statement = match (form, self.random.below(4)) {
            (Form::Scalar, _) => format!("call one<<<1,1>>>({name})"),
            (_, 0) => format!("call one<<<1,1>>>({name}(1))"),
            (Form::Size, _) | (_, 1) => format!("call many<<<1,1>>>({name})"),
            (_, 2) => format!("call shaped<<<1,1>>>({name})"),
            // The component of a structure is no array of a CUF loop in every case.
            _ if name.contains('%') => format!("call shaped<<<1,1>>>({name}(1:2))"),
            _ => format!(
                "block\n    integer :: i\n    !$cuf kernel do <<<1,1>>>\n    do i = 1, 1\n      {name}(i) = {name}(i) + 1\n    end do\n    end block"
            ),
        };
        Reference {
            declarations: String::new(),
            statements: format!("    {statement}\n"),
            internal: String::new(),
        }
    }

    /// Defines a procedure with a dummy of this form, and refers to it.
    fn reference(&mut self, actual: &str, form: Form, way: Way, depth: usize) -> Reference {
        self.levels += 1;
        let (seed, level) = (self.seed, self.levels);
        let name = format!("p{seed}_{level}");
        let external = matches!(way, Way::External | Way::Described | Way::ExternalFunction);
        let plain = external && self.random.chance(60);
        let function = matches!(way, Way::Function | Way::ExternalFunction);
        let inner = self.give("c", form, depth, plain);
        let checks = match self.random.chance(35) {
            true => self.check("c", form),
            false => String::new(),
        };
        let (kind, result) = match function {
            true => ("integer function", format!("    {name} = 1\n")),
            false => ("subroutine", String::new()),
        };
        let optional = if way == Way::Optional {
            ", optional"
        } else {
            ""
        };
        let intent = match self.random.chance(40) {
            true => ", intent(inout)",
            false => "",
        };
        let declared = format!("    integer{intent}{optional} :: c{}\n", form.dims());
        let uses = match external {
            true => format!("    use m{seed}\n    use waits\n    implicit none\n"),
            false => String::new(),
        };
        let statements = match way {
            Way::Optional => format!("    if (.not. present(c)) return\n{}", inner.statements),
            _ => inner.statements,
        };
        // In an internal procedure no other one can be contained.
        let inside = way == Way::Internal && !inner.internal.is_empty();
        let way = if inside { Way::Module } else { way };
        let prefix = if way == Way::Separate { "module " } else { "" };
        let text = format!(
            "  {prefix}{kind} {name}(c)\n{uses}{declared}{}{statements}{checks}{result}{}  end {} {name}\n",
            inner.declarations,
            contained(&inner.internal),
            if function { "function" } else { "subroutine" },
        );
        let interface = format!(
            "    {prefix}{kind} {name}(c)\n{declared}    end {} {name}\n",
            if function { "function" } else { "subroutine" }
        );
        let mut internal = String::new();
        match way {
            Way::Internal => internal = text,
            Way::Separate => {
                let _ = write!(self.head, "  interface\n{interface}  end interface\n");
                self.submodule.push_str(&text);
            }
            _ if plain => self.plain.push_str(&text),
            _ if external => self.external.push_str(&text),
            _ => self.procedures.push_str(&text),
        }
        let (declarations, statements) = self.call(actual, &declared, &name, way, &interface);
        Reference {
            declarations,
            statements,
            internal,
        }
    }

    /// What the caller declares, and its statements.
    fn call(
        &mut self,
        actual: &str,
        declared: &str,
        name: &str,
        way: Way,
        interface: &str,
    ) -> (String, String) {
        let call = format!("    call {name}({actual})\n");
        let none = String::new;
        let abstract_interface = |name: &str| {
            format!(
                "  abstract interface\n    subroutine i_{name}(c)\n{declared}    end subroutine i_{name}\n  end interface\n"
            )
        };
        match way {
            Way::Module | Way::Optional | Way::Separate | Way::Internal => (none(), call),
            Way::Generic => {
                let _ = writeln!(
                    self.head,
                    "  interface g_{name}\n    module procedure {name}\n  end interface g_{name}"
                );
                (none(), format!("    call g_{name}({actual})\n"))
            }
            Way::External if self.random.chance(50) => (none(), call),
            Way::External => (format!("    external {name}\n"), call),
            Way::Described => (
                format!("    interface\n{interface}    end interface\n"),
                call,
            ),
            Way::Bound | Way::Dynamic => {
                let _ = writeln!(
                    self.head,
                    "  type t_{name}\n  contains\n    procedure, nopass :: go => {name}\n  end type t_{name}"
                );
                let object = match way {
                    Way::Bound => format!("    type(t_{name}) :: o_{name}\n"),
                    _ => format!("    class(t_{name}), allocatable :: o_{name}\n"),
                };
                let allocate = match way {
                    Way::Bound => none(),
                    _ => format!("    allocate(o_{name})\n"),
                };
                (
                    object,
                    format!("{allocate}    call o_{name}%go({actual})\n"),
                )
            }
            Way::Dummy => {
                self.head.push_str(&abstract_interface(name));
                let _ = write!(
                    self.procedures,
                    "  subroutine via_{name}(p, c)\n    procedure(i_{name}) :: p\n{declared}    call p(c)\n  end subroutine via_{name}\n"
                );
                (none(), format!("    call via_{name}({name}, {actual})\n"))
            }
            Way::Pointer => {
                self.head.push_str(&abstract_interface(name));
                (
                    format!("    procedure(i_{name}), pointer :: q_{name}\n"),
                    format!("    q_{name} => {name}\n    call q_{name}({actual})\n"),
                )
            }
            Way::Function | Way::ExternalFunction => {
                let declared = match way {
                    Way::Function => none(),
                    _ => format!("    integer, external :: {name}\n"),
                };
                let r = format!("{name}({actual})");
                let statement = match self.random.below(5) {
                    0 => format!("    if ({r} /= 1) failures = failures + 1\n"),
                    1 => format!(
                        "    if ({r} /= 1) then\n      failures = failures + 1\n    end if\n"
                    ),
                    2 => format!(
                        "    if (turns < 0) then\n      failures = failures + 1\n    else if ({r} /= 1) then\n      failures = failures + 1\n    end if\n"
                    ),
                    3 => format!(
                        "    select case ({r})\n    case (2)\n      failures = failures + 1\n    end select\n"
                    ),
                    _ => format!("    sink = {r}\n"),
                };
                (declared, statement)
            }
        }
    }
}

/// Internal procedures behind CONTAINS.
fn contained(procedures: &str) -> String {
    match procedures.is_empty() {
        true => String::new(),
        false => format!("  contains\n{procedures}"),
    }
}
