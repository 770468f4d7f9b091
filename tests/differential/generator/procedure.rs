//! Procedures that a program calls: functions with scalar and array results, subroutines, optional and keyword arguments.

use super::expr::{Expr, Ty};
use super::variable::Variable;
use super::{Generator, Style};

/// A procedure that was written and can be called.
#[derive(Clone, Debug)]
pub struct Procedure {
    name: String,
    kind: ProcedureKind,
    arguments: Vec<(String, Ty)>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum ProcedureKind {
    /// A function of scalars; elemental if true.
    Scalar(Ty, bool),
    /// A function with as many results as its last argument says, at least one.
    Array(Ty),
    /// A subroutine that changes its first argument.
    Subroutine,
}

impl Generator {
    /// Writes up to two procedures.
    pub fn declare_procedures(&mut self) {
        if !self.random.chance(35) {
            return;
        }
        for _ in 0..self.random.between(1, 2) {
            self.declare_procedure();
        }
    }

    fn type_of_dummy(&mut self, characters: bool) -> Ty {
        loop {
            let ty = self.type_of_value();
            if characters || !matches!(ty, Ty::Character(_)) {
                return ty;
            }
        }
    }

    fn declare_procedure(&mut self) {
        let outer = std::mem::take(&mut self.variables);
        let declarations = std::mem::take(&mut self.declarations);
        let style = std::mem::replace(&mut self.style, Style::Device);
        let number = self.helpers.len() + 1;
        let name = format!("h@_{number}");
        let characters = style != Style::Loop;
        let ty = self.type_of_dummy(false);
        let kind = match self.random.below(10) {
            0..=5 => ProcedureKind::Scalar(ty, self.random.chance(40)),
            6..=7 if style != Style::Loop => ProcedureKind::Array(ty),
            _ => ProcedureKind::Subroutine,
        };
        let mut arguments = Vec::new();
        for argument in ["a", "b", "c"]
            .iter()
            .take(self.random.between(1, 3) as usize)
        {
            let ty = if self.random.chance(30) {
                ty
            } else {
                self.type_of_dummy(characters && !matches!(kind, ProcedureKind::Scalar(_, true)))
            };
            arguments.push(((*argument).to_owned(), ty));
        }
        if kind == ProcedureKind::Subroutine {
            arguments[0].1 = ty;
        }
        let optional = arguments.len() == 3
            && !matches!(kind, ProcedureKind::Scalar(_, true))
            && self.random.chance(60);
        let mut lines = Vec::new();
        let by_value = self.random.chance(40);
        for (index, (argument, ty)) in arguments.iter().enumerate() {
            let attribute = match () {
                () if kind == ProcedureKind::Subroutine && index == 0 => "intent(inout)",
                () if optional && index == 2 => "intent(in), optional",
                () if by_value && !matches!(kind, ProcedureKind::Scalar(_, true)) => "value",
                () => "intent(in)",
            };
            let (declared, attribute) = match ty {
                Ty::Character(_) if attribute == "value" => (ty.declared(), "intent(in)"),
                // Actual arguments have the length of the type.
                Ty::Character(_) if index > 0 && self.random.chance(40) => {
                    ("character(*)".to_owned(), attribute)
                }
                _ => (ty.declared(), attribute),
            };
            lines.push(format!("  {declared}, {attribute} :: {argument}"));
            let mut variable = Variable::new(argument.clone(), *ty, Vec::new());
            variable.assignable = false;
            variable.value = true;
            if !(optional && index == 2) {
                self.variables.push(variable);
            }
        }
        let names: Vec<&str> = arguments.iter().map(|(n, _)| n.as_str()).collect();
        let names = names.join(", ");
        match kind {
            ProcedureKind::Scalar(ty, elemental) => {
                let e = self.assigned(ty, 2);
                let prefix = if elemental { "elemental " } else { "" };
                lines.insert(0, format!("#{prefix}function {name}({names}) result(res)"));
                lines.push(format!("  {} :: res", ty.declared()));
                lines.push(format!("  res = {e}"));
                if optional {
                    let e = self.optional_value(&arguments[2], ty);
                    lines.push(format!("  if (present(c)) res = {e}"));
                }
                lines.push("end function".to_owned());
            }
            ProcedureKind::Array(ty) => {
                let e = self.assigned(ty, 2);
                lines.insert(0, format!("#function {name}({names}, n) result(res)"));
                lines.push("  integer, value :: n".to_owned());
                lines.push(format!("  {} :: res(n)", ty.declared()));
                lines.push("  integer :: i".to_owned());
                lines.push("  do i = 1, n".to_owned());
                self.variables
                    .push(Variable::new("i", Ty::Integer(4), Vec::new()));
                let each = self.assigned(ty, 1);
                lines.push(format!("    res(i) = {each}"));
                lines.push("  end do".to_owned());
                lines.push(format!("  res(n) = {e}"));
                if optional {
                    let e = self.optional_value(&arguments[2], ty);
                    lines.push(format!("  if (present(c)) res(1) = {e}"));
                }
                lines.push("end function".to_owned());
            }
            ProcedureKind::Subroutine => {
                let e = self.assigned(ty, 2);
                lines.insert(0, format!("#subroutine {name}({names})"));
                lines.push(format!("  a = {e}"));
                if optional {
                    let e = self.optional_value(&arguments[2], ty);
                    lines.push(format!("  if (present(c)) a = {e}"));
                }
                lines.push("end subroutine".to_owned());
            }
        }
        self.variables = outer;
        self.style = style;
        // Indices of implied loops.
        let indices = std::mem::replace(&mut self.declarations, declarations);
        lines.splice(1..1, indices.into_iter().map(|d| format!("  {d}")));
        self.helpers.push(lines);
        let arguments = if optional {
            arguments[..3].to_vec()
        } else {
            arguments
        };
        self.procedures.push(Procedure {
            name,
            kind,
            arguments: arguments
                .into_iter()
                .enumerate()
                .map(|(i, (n, t))| {
                    (
                        if optional && i == 2 {
                            format!("?{n}")
                        } else {
                            n
                        },
                        t,
                    )
                })
                .collect(),
        });
    }

    fn optional_value(&mut self, argument: &(String, Ty), ty: Ty) -> String {
        let mut variable = Variable::new(argument.0.clone(), argument.1, Vec::new());
        variable.assignable = false;
        variable.value = true;
        self.variables.push(variable);
        let e = self.assigned(ty, 2);
        self.variables.pop();
        e
    }

    /// The text of a scalar value for a variable of the type: bounded like all variables are.
    pub fn assigned(&mut self, ty: Ty, depth: u32) -> String {
        let e = self.exact(ty, depth);
        self.bounded(e, ty).text
    }

    /// The type of a function that the program has; at times, for most statements do without.
    pub fn function_of(&mut self, array: bool) -> Option<Ty> {
        let result = |p: &Procedure| match p.kind {
            ProcedureKind::Scalar(ty, _) if !array => Some(ty),
            ProcedureKind::Array(ty) if array => Some(ty),
            _ => None,
        };
        let types: Vec<Ty> = self.procedures.iter().filter_map(result).collect();
        if types.is_empty() || !self.random.chance(30) {
            return None;
        }
        Some(self.random.pick(&types))
    }

    /// A reference to a function with such a result.
    pub fn function_reference(&mut self, ty: Ty, depth: u32) -> Option<Expr> {
        let scalar = self.shape.is_empty();
        let fits = |p: &&Procedure| matches!(p.kind, ProcedureKind::Scalar(t, elemental) if t == ty && (scalar || elemental));
        let all: Vec<Procedure> = self.procedures.iter().filter(fits).cloned().collect();
        if all.is_empty() {
            return None;
        }
        let p = self.random.pick(&all);
        let arguments = self.actual_arguments(&p, depth, 0);
        Some(
            Expr::primary(format!("{}({})", p.name, arguments.join(", ")), ty)
                .within(super::variable::VARIABLE_BOUND),
        )
    }

    /// A reference to a function with `n` results.
    pub fn array_procedure(&mut self, ty: Ty, n: i64, depth: u32) -> Option<Expr> {
        let fits = |p: &&Procedure| p.kind == ProcedureKind::Array(ty);
        let all: Vec<Procedure> = self.procedures.iter().filter(fits).cloned().collect();
        if all.is_empty() {
            return None;
        }
        let p = self.random.pick(&all);
        let mut arguments = self.shaped(Vec::new(), |g| g.actual_arguments(&p, depth, 0));
        if arguments.iter().any(|a| a.contains("=")) || arguments.len() < p.arguments.len() {
            arguments.push(format!("n={n}"));
        } else {
            arguments.push(n.to_string());
        }
        Some(
            Expr::primary(format!("{}({})", p.name, arguments.join(", ")), ty)
                .within(super::variable::VARIABLE_BOUND),
        )
    }

    /// `call name(...)`, if there is a subroutine.
    pub fn call_statement(&mut self, depth: u32) -> Option<String> {
        let fits = |p: &&Procedure| p.kind == ProcedureKind::Subroutine;
        let all: Vec<Procedure> = self.procedures.iter().filter(fits).cloned().collect();
        if all.is_empty() {
            return None;
        }
        let p = self.random.pick(&all);
        let targets = self.assignable(Some(p.arguments[0].1), false);
        if targets.is_empty() {
            return None;
        }
        let v = self.random.pick(&targets);
        let target = self.element(&v).text;
        let mut arguments = vec![target];
        // An argument that is the changed variable itself would alias it: parentheses make values of the others.
        arguments.extend(self.actual_arguments(&p, depth, 1));
        Some(format!("call {}({})", p.name, arguments.join(", ")))
    }

    /// Actual arguments from the given one on; keywords and absent optional arguments at times.
    fn actual_arguments(&mut self, p: &Procedure, depth: u32, from: usize) -> Vec<String> {
        let keywords = self.random.chance(25);
        let mut actual = Vec::new();
        for (name, ty) in &p.arguments[from..] {
            let optional = name.starts_with('?');
            if optional && self.random.chance(50) {
                continue;
            }
            let e = self.exact(*ty, depth.min(1));
            let e = self.bounded(e, *ty);
            let value = if from > 0 {
                format!("({})", e.text)
            } else {
                e.text
            };
            actual.push(if keywords {
                format!("{}={value}", name.trim_start_matches('?'))
            } else {
                value
            });
        }
        if keywords && actual.len() > 1 && self.random.chance(50) {
            actual.reverse();
        }
        actual
    }
}
