//! Random projects.

use crate::expressions::{Constant, Scope, Shape};
use crate::macros::{self, Kind, Macro};
use crate::project::{File, Project};
use crate::random::Random;

/// Elements of every array.
const COUNT: usize = 8;

/// The project of a seed and its macros.
pub fn generate(seed: u64) -> (Project, Vec<Macro>) {
    let mut r = Random::new(seed);
    let r = &mut r;
    let macros = user_macros(r);
    let derived = macros::derived(r, &macros);
    let fixed = r.chance(25);
    let scope = Scope {
        derived,
        precision: "wp".to_owned(),
        lines: !fixed,
        macros: macros.clone(),
        ..Scope::default()
    };
    let mut writer = Writer {
        scope,
        files: Vec::new(),
        kernels: Vec::new(),
        template: r.chance(25),
    };
    let constants = writer.constants(r);
    let functions = writer.functions(r);
    let kernels = writer.kernels(r);
    let main = writer.main(r);
    let project = writer.project(r, fixed, [constants, functions, kernels, main]);
    (project, macros)
}

fn user_macros(r: &mut Random) -> Vec<Macro> {
    let mut macros: Vec<Macro> = Vec::new();
    for k in 0..r.between(1, 4) {
        let kinds = [
            Kind::Flag,
            Kind::Flag,
            Kind::Number,
            Kind::Size,
            Kind::Size,
            Kind::Real,
            Kind::Precision,
            Kind::Function,
        ];
        let kind = if k == 0 {
            r.pick(&kinds[..5])
        } else {
            r.pick(&kinds)
        };
        let once = matches!(kind, Kind::Precision | Kind::Function);
        if once && macros.iter().any(|m| m.kind == kind) {
            continue;
        }
        let new = Macro::new(r, kind, &macros);
        macros.push(new);
    }
    macros
}

struct Writer {
    scope: Scope,
    files: Vec<File>,
    /// Each kernel: its name, the conditional that it stands in.
    kernels: Vec<(String, Option<String>)>,
    /// Device functions come from a file that is included twice.
    template: bool,
}

fn text(line: impl Into<String>) -> Vec<String> {
    vec![line.into()]
}

impl Writer {
    fn user(&self, kind: Kind) -> Option<String> {
        let found = self.scope.macros.iter().find(|m| m.kind == kind);
        found.map(|m| m.name.clone())
    }

    /// The module of constants.
    fn constants(&mut self, r: &mut Random) -> Vec<String> {
        let mut lines = text("module consts");
        lines.push("  implicit none".to_owned());
        let precision = self.user(Kind::Precision);
        lines.extend(self.scope.under(r, 45, &mut |r: &mut Random| {
            let kinds = ["4", "8", "kind(1d0)", "kind(1.0)", "selected_real_kind(12)"];
            let kind = match &precision {
                Some(name) if r.chance(70) => name.clone(),
                _ => r.pick(&kinds).to_owned(),
            };
            text(format!("  integer, parameter :: wp = {kind}"))
        }));
        self.scope.constants.push(Constant {
            name: "kp".to_owned(),
            shape: Shape::Size,
        });
        let scope = self.scope.clone();
        lines.extend(self.scope.under(r, 70, &mut |r: &mut Random| {
            let value = match scope.macros.iter().find(|m| m.kind == Kind::Size) {
                Some(m) if r.chance(50) => m.name.clone(),
                _ => r.between(1, 6).to_string(),
            };
            text(format!("  integer, parameter :: kp = {value}"))
        }));
        for k in 0..r.between(2, 5) {
            let shapes = [
                Shape::Number,
                Shape::Number,
                Shape::Size,
                Shape::Real,
                Shape::Logical,
                Shape::Table,
                Shape::Reals,
                Shape::Text,
            ];
            let shape = r.pick(&shapes);
            let name = format!("c{k}");
            let scope = self.scope.clone();
            lines.extend(self.scope.under(r, 65, &mut |r: &mut Random| {
                text(format!("  {}", constant(r, &scope, &name, shape)))
            }));
            self.scope.constants.push(Constant { name, shape });
        }
        if r.chance(40) {
            self.scope.cell = Some("q".to_owned());
            let scope = self.scope.clone();
            lines.push("  type cell".to_owned());
            lines.extend(self.scope.under(r, 50, &mut |r: &mut Random| {
                let mut parts = vec![
                    format!("    real(wp) :: v({})", scope.size(r)),
                    "    integer :: m".to_owned(),
                ];
                if r.chance(50) {
                    parts.reverse();
                }
                parts
            }));
            lines.push("  end type cell".to_owned());
        }
        lines.push("end module consts".to_owned());
        lines
    }

    /// Modules of device functions.
    fn functions(&mut self, r: &mut Random) -> Vec<String> {
        let mut lines = Vec::new();
        let named = self.user(Kind::Function);
        let mut scope = self.scope.clone();
        scope.cell = None;
        for module in ["ops_a", "ops_b"] {
            lines.push(format!("module {module}"));
            lines.push("  use consts".to_owned());
            lines.push("  implicit none".to_owned());
            lines.push("contains".to_owned());
            let names = if module == "ops_a" {
                &["op", "f1", "f2", "f3"][..]
            } else {
                &["op"][..]
            };
            for name in names {
                if *name != "op" && named.is_none() {
                    continue;
                }
                lines.push(format!("  @dev function {name}(y) result(z)"));
                lines.push("    real(wp), value :: y".to_owned());
                lines.push("    real(wp) :: z".to_owned());
                let body = |r: &mut Random| {
                    let (factor, term) = (scope.real(r, 1), scope.real(r, 1));
                    text(format!("    z = y*{factor} + {term}"))
                };
                lines.extend(scope.under(r, 30, &mut { body }));
                lines.push(format!("  end function {name}"));
            }
            if self.template && module == "ops_a" {
                for (name, kind) in [("t_a", "wp"), ("t_b", "8")] {
                    lines.push(format!("#define NAME {name}"));
                    lines.push(format!("#define KD {kind}"));
                    lines.push("#include \"template.inc\"".to_owned());
                    lines.push("#undef NAME".to_owned());
                    lines.push("#undef KD".to_owned());
                }
            }
            lines.push(format!("end module {module}"));
        }
        if self.template {
            let kd = Scope {
                precision: "kd1".to_owned(),
                ..scope.clone()
            };
            let mut inside = vec![
                "  @dev function NAME(y) result(z)".to_owned(),
                "    real(KD), value :: y".to_owned(),
                "    real(KD) :: z".to_owned(),
                "    integer, parameter :: kd1 = KD".to_owned(),
            ];
            inside.extend(scope.under(r, 60, &mut |r: &mut Random| {
                text(format!(
                    "    z = y*0.1_kd1 + real({}, kd1)",
                    kd.integer(r, 1)
                ))
            }));
            inside.push("  end function NAME".to_owned());
            self.files.push(File {
                name: "template.inc".to_owned(),
                fixed: true,
                lines: inside,
            });
        }
        lines
    }

    /// The module of kernels.
    fn kernels(&mut self, r: &mut Random) -> Vec<String> {
        let mut lines = text("module kernels");
        lines.push("  @cudafor".to_owned());
        lines.push("  use consts".to_owned());
        let functions = r.chance(60);
        if functions || self.template {
            let one = |m: &str| text(format!("  use {m}"));
            // With another module there is no template.
            let mixed = self.user(Kind::Function).is_none() && !self.template && r.chance(70);
            let mut next = 0;
            lines.extend(self.scope.under(
                r,
                if mixed { 100 } else { 0 },
                &mut |_: &mut Random| {
                    next += 1;
                    one(if next % 2 == 1 { "ops_a" } else { "ops_b" })
                },
            ));
            self.scope.functions.push("op".to_owned());
            if let Some(name) = self.user(Kind::Function) {
                self.scope.functions.extend([name.clone(), name]);
            }
            if self.template {
                self.scope.functions.push("t_a".to_owned());
            }
        }
        lines.push("  implicit none".to_owned());
        lines.push("contains".to_owned());
        for k in 0..r.between(1, 3) {
            let name = format!("kern{k}");
            let whole = r.chance(12);
            let guard = self.scope.macros.first().filter(|_| whole);
            let guard = guard.map(|m| format!("#ifdef {}", m.name));
            lines.extend(guard.clone());
            lines.extend(self.kernel(r, &name));
            lines.extend(guard.is_some().then(|| "#endif".to_owned()));
            self.kernels.push((name, guard));
        }
        lines.push("end module kernels".to_owned());
        lines
    }

    fn kernel(&self, r: &mut Random, name: &str) -> Vec<String> {
        let mut scope = self.scope.clone();
        let mut lines = text(format!("  @global subroutine {name}(a, n)"));
        lines.push("    integer, value :: n".to_owned());
        lines.push("    real(wp) :: a(n), x".to_owned());
        lines.push("    integer :: i, j".to_owned());
        let local = r.chance(50);
        if local {
            let inner = Scope {
                cell: None,
                ..scope.clone()
            };
            lines.extend(scope.under(r, 35, &mut |r: &mut Random| {
                text(format!(
                    "    integer, parameter :: lp = {}",
                    inner.integer(r, 2)
                ))
            }));
        }
        let array = r.chance(30).then(|| scope.size(r));
        if let Some(size) = &array {
            lines.push(format!("    real(wp) :: loc({size})"));
        }
        let mine = r.chance(25);
        if mine {
            let inner = scope.clone();
            lines.extend(scope.under(r, 60, &mut |r: &mut Random| {
                let kind = r.pick(&["4", "8"]);
                let kind = match inner.macros.iter().find(|m| m.kind == Kind::Precision) {
                    Some(m) if r.chance(50) => m.name.clone(),
                    _ => kind.to_owned(),
                };
                text(format!("    integer, parameter :: rk = {kind}"))
            }));
        }
        if scope.cell.is_some() {
            lines.push("    type(cell) :: q".to_owned());
        }
        if local {
            scope.constants.push(Constant {
                name: "lp".to_owned(),
                shape: Shape::Number,
            });
        }
        scope.element = true;
        lines.push("    @each".to_owned());
        lines.push("      x = a(i)".to_owned());
        lines.push("      j = 0".to_owned());
        if scope.cell.is_some() {
            lines.push(format!("      q%v = {}", scope.real(r, 1)));
            lines.push(format!("      q%m = {}", scope.integer(r, 1)));
            lines.push("      x = x + sum(q%v) + real(q%m + size(q%v), wp)".to_owned());
        }
        lines.push(format!("      a(i) = {}", scope.real(r, 3)));
        if let Some(size) = &array {
            lines.push(format!("      do j = 1, {size}"));
            lines.push(format!("        loc(j) = real(j, wp)*{}", scope.real(r, 1)));
            lines.push("      end do".to_owned());
            lines.push("      a(i) = a(i) + sum(loc)".to_owned());
        }
        if mine {
            let narrow = Scope {
                precision: "rk".to_owned(),
                constants: scope
                    .constants
                    .iter()
                    .filter(|c| c.shape != Shape::Real && c.shape != Shape::Reals)
                    .cloned()
                    .collect(),
                functions: Vec::new(),
                element: false,
                ..scope.clone()
            };
            lines.push(format!("      a(i) = a(i) + x*{}", narrow.real(r, 1)));
        }
        for _ in 0..r.below(3) {
            let inner = scope.clone();
            lines.extend(scope.maybe(r, &mut |r: &mut Random| statement(r, &inner)));
        }
        lines.push("    @end".to_owned());
        lines.push(format!("  end subroutine {name}"));
        lines
    }

    fn main(&self, r: &mut Random) -> Vec<String> {
        let scope = &self.scope;
        let mut lines = text("program main");
        for module in ["@cudafor", "use consts", "use kernels"] {
            lines.push(format!("  {module}"));
        }
        lines.push("  implicit none".to_owned());
        lines.push(format!("  integer, parameter :: n = {COUNT}"));
        lines.push(format!(
            "  real(wp)@,{} :: d(n)",
            r.pick(&["device", "device", "managed"])
        ));
        lines.push("  integer@,device :: m(n)".to_owned());
        lines.push("  real(wp) :: h(n)".to_owned());
        lines.push("  integer :: k(n), i, istat".to_owned());
        lines.push("  istat = 0".to_owned());
        let shown: Vec<&Constant> = scope.constants.iter().collect();
        for c in shown {
            match c.shape {
                Shape::Real | Shape::Reals => lines.push(format!(
                    "  print '(a,9es25.16)', '{0} ', real({0}, 8)",
                    c.name
                )),
                Shape::Logical => lines.push(format!("  print '(a,l2)', '{0} ', {0}", c.name)),
                Shape::Text => lines.push(format!("  print '(a,a)', '{0} ', {0}", c.name)),
                _ => lines.push(format!("  print '(a,9i12)', '{0} ', {0}", c.name)),
            }
        }
        for (name, guard) in &self.kernels {
            lines.extend(guard.clone());
            lines.push("  h = [(0.5_wp*real(i, wp), i = 1, n)]".to_owned());
            lines.push("  d = h".to_owned());
            let block = scope.size(r);
            lines.push(format!(
                "  call {name} @<<(n + {block} - 1)/{block}, {block}>>@ (d, n)"
            ));
            lines.push("  @sync".to_owned());
            lines.push("  h = d".to_owned());
            lines.push(format!("  print '(a,8es25.16)', '{name} ', real(h, 8)"));
            lines.extend(guard.is_some().then(|| "#endif".to_owned()));
        }
        if self.kernels.is_empty() || r.chance(60) {
            lines.extend(self.loops(r));
        }
        lines.push("end program main".to_owned());
        lines
    }

    /// CUF loops of the main program.
    fn loops(&self, r: &mut Random) -> Vec<String> {
        let inside = Scope {
            functions: Vec::new(),
            cell: None,
            element: true,
            constants: self
                .scope
                .constants
                .iter()
                .filter(|c| c.shape != Shape::Text)
                .cloned()
                .collect(),
            ..self.scope.clone()
        };
        let mut lines = text("  d = 1.5_wp");
        lines.push("  m = 2".to_owned());
        lines.push("  @sync".to_owned());
        lines.push("  !$cuf kernel do <<<*, 32>>>".to_owned());
        lines.push("  do i = 1, n".to_owned());
        let integers = r.chance(50);
        if integers {
            lines.push(format!("    m(i) = {}", inside.integer(r, 3)));
        } else {
            let real = Scope {
                element: false,
                ..inside.clone()
            };
            lines.push(format!("    d(i) = d(i)*{} + real(i, wp)", real.real(r, 2)));
        }
        if r.chance(50) {
            lines.extend(inside.maybe(r, &mut |r: &mut Random| match integers {
                true => text(format!("    m(i) = m(i) + {}", inside.integer(r, 2))),
                false => text(format!(
                    "    d(i) = d(i) + real({}, wp)",
                    inside.integer(r, 2)
                )),
            }));
        }
        lines.push("  end do".to_owned());
        lines.push("  @sync".to_owned());
        lines.push("  h = d".to_owned());
        lines.push("  k = m".to_owned());
        lines.push("  print '(a,8es25.16)', 'loop ', real(h, 8)".to_owned());
        lines.push("  print '(a,8i12)', 'loop ', k".to_owned());
        lines
    }

    /// Divides the units among files, each with the definitions of the macros.
    fn project(self, r: &mut Random, fixed: bool, units: [Vec<String>; 4]) -> Project {
        let mut head = Vec::new();
        // What has no default comes first: others may name it.
        for m in &self.scope.macros {
            head.extend(m.default(r, &self.scope.macros));
        }
        for d in &self.scope.derived {
            head.extend(d.lines.clone());
        }
        let mut files = self.files;
        let header = !head.is_empty() && r.chance(35);
        if header {
            let mut lines = vec![
                "#ifndef SETTINGS_H".to_owned(),
                "#define SETTINGS_H".to_owned(),
            ];
            lines.append(&mut head);
            lines.push("#endif".to_owned());
            files.push(File {
                name: "settings.h".to_owned(),
                fixed: false,
                lines,
            });
            head = text("#include \"settings.h\"");
        }
        let ending = match fixed {
            true => ".F",
            false => r.pick(&[".F90", ".CUF"]),
        };
        let names = match r.below(3) {
            0 => ["main", "main", "main", "main"],
            1 => ["base", "base", "device", "main"],
            _ => ["consts", "ops", "kernels", "main"],
        };
        for (name, unit) in names.into_iter().zip(units) {
            let name = format!("{name}{ending}");
            match files.iter_mut().find(|f| f.name == name) {
                Some(file) => file.lines.extend(unit),
                None => files.push(File {
                    name,
                    fixed,
                    lines: head.iter().cloned().chain(unit).collect(),
                }),
            }
        }
        let hidden = self.scope.macros.iter().filter(|m| m.kind == Kind::Flag);
        Project {
            files,
            hidden: hidden.map(|m| m.name.clone()).collect(),
        }
    }
}

/// The declaration of a constant.
fn constant(r: &mut Random, scope: &Scope, name: &str, shape: Shape) -> String {
    let literal = r.chance(50);
    match shape {
        Shape::Number if literal => format!("integer, parameter :: {name} = {}", r.between(-9, 20)),
        Shape::Number => format!("integer, parameter :: {name} = {}", scope.integer(r, 2)),
        Shape::Size if literal => format!("integer, parameter :: {name} = {}", r.between(1, 9)),
        Shape::Size => format!(
            "integer, parameter :: {name} = {} + {}",
            scope.size(r),
            scope.size(r)
        ),
        Shape::Real if literal => format!(
            "real(wp), parameter :: {name} = {}._wp/{}",
            r.between(1, 5),
            r.between(2, 7)
        ),
        Shape::Real => format!("real(wp), parameter :: {name} = {}", scope.real(r, 2)),
        Shape::Logical if literal => format!(
            "logical, parameter :: {name} = {}",
            r.pick(&[".true.", ".false."])
        ),
        Shape::Logical => format!("logical, parameter :: {name} = {}", scope.logical(r)),
        Shape::Table => {
            let values: Vec<String> = (0..r.between(1, 4)).map(|_| scope.integer(r, 0)).collect();
            format!(
                "integer, parameter :: {name}({}) = [{}]",
                values.len(),
                values.join(", ")
            )
        }
        Shape::Reals => {
            let values: Vec<String> = (0..r.between(1, 3)).map(|_| scope.real(r, 0)).collect();
            format!(
                "real(wp), parameter :: {name}({}) = [{}]",
                values.len(),
                values.join(", ")
            )
        }
        Shape::Text => format!(
            "character(*), parameter :: {name} = '{}'",
            r.pick(&["abc", "up", "quick", "N"])
        ),
    }
}

/// A statement of a kernel.
fn statement(r: &mut Random, scope: &Scope) -> Vec<String> {
    match r.below(5) {
        0 => vec![
            format!("      do j = 1, {}", scope.size(r)),
            format!("        a(i) = a(i) + real(j, wp)*{}", scope.real(r, 1)),
            "      end do".to_owned(),
        ],
        1 => vec![
            format!("      if ({}) then", scope.logical(r)),
            format!("        a(i) = a(i) - {}", scope.real(r, 1)),
            "      end if".to_owned(),
        ],
        2 => match scope.macros.iter().find(|m| m.kind == Kind::Real) {
            Some(m) => text(format!("      a(i) = a(i) + x*{}", m.name)),
            None => text(format!("      a(i) = a(i)*{}", scope.real(r, 1))),
        },
        _ => text(format!("      a(i) = a(i) + {}", scope.real(r, 2))),
    }
}
