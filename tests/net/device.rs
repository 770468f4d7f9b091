//! Kernels, device procedures and CUF loops.

use crate::model::{Base, Form, Place, Space, Variable, places};
use crate::program::{Generator, Kernel, Scope};
use crate::tree::{Node, block, either, line};

impl Generator {
    /// Launches a kernel with some of the device data in the scope.
    pub fn launch(&mut self, scope: &Scope) -> Option<Vec<Node>> {
        let mut given = Vec::new();
        for _ in 0..1 + self.r.below(3) {
            let on_device =
                |p: &Place| p.space.on_device() && p.space != Space::Constant && !p.class;
            given.extend(self.place(scope, on_device));
        }
        if given.is_empty() {
            return None;
        }
        let kernel = self.kernel(&given);
        let mut actuals: Vec<String> = given.iter().map(|p| p.text.clone()).collect();
        actuals.insert(0, self.r.pick(&["n", "4", "i + 3"]).to_owned());
        for v in kernel.dummies.iter().filter(|v| v.value) {
            actuals.push(v.base.constant().to_owned());
        }
        let configuration = self.r.pick(&[
            "<<<1, 32>>>",
            "<<<n, 64>>>",
            "<<<grid_, block_>>>",
            "<<<1, 32, 0>>>",
            "<<<1, 32, 0, stream_>>>",
            "<<<dim3(1, 1, 1), dim3(8, 4, 1)>>>",
        ]);
        let text = format!(
            "call {}{}({})",
            kernel.name,
            either(configuration, ""),
            actuals.join(", ")
        );
        Some(match self.r.below(5) {
            0 => vec![block("if (n > 2) then", vec![line(text)], "end if")],
            1 => vec![line(format!("if (n > 2) {text}"))],
            _ => vec![line(text)],
        })
    }

    fn kernel(&mut self, given: &[Place]) -> Kernel {
        let name = self.name("k");
        let mut scope = Scope {
            nesting: 0,
            ..Scope::default()
        };
        let mut dummies = Vec::new();
        let mut body = vec![line("integer, value :: n")];
        let mut names = vec!["n".to_owned()];
        for p in given {
            let v = self.dummy(p, true);
            let intent = match self.r.below(4) {
                0 if v.definable => ", intent(inout)",
                _ => "",
            };
            body.extend(self.declaration(&v, intent));
            dummies.push(v);
        }
        if self.r.chance(40) {
            let base = Base::random(&mut self.r);
            if !matches!(base, Base::Character(_)) {
                let mut v = Variable::new(self.name("s"), base, Form::Scalar, Space::Host);
                v.value = true;
                body.extend(self.declaration(&v, ""));
                dummies.push(v);
            }
        }
        for v in &dummies {
            names.push(v.name.clone());
            scope.variables.push(v.clone());
        }
        body.push(line("integer :: i, j"));
        self.device_body(&mut scope, &mut body, true);
        let mark = either(
            self.r.pick(&[
                "attributes(global) ",
                "attributes(global) ",
                "attributes(global) launch_bounds(128) ",
            ]),
            "",
        );
        let mark = if mark.contains("launch_bounds") {
            either("attributes(global) ", "")
        } else {
            mark
        };
        self.callees.push(block(
            format!("{mark}subroutine {name}({})", names.join(", ")),
            body,
            "end subroutine",
        ));
        Kernel { name, dummies }
    }

    /// Locals and statements of device code.
    fn device_body(&mut self, scope: &mut Scope, body: &mut Vec<Node>, kernel: bool) {
        for _ in 0..self.r.below(4) {
            let base = self.base_in(Space::Device);
            let form = if self.r.chance(50) {
                Form::Scalar
            } else {
                Form::fixed(&mut self.r)
            };
            let mut v = Variable::new(self.name("w"), base, form, Space::Host);
            if kernel && v.form != Form::Scalar && self.r.chance(30) {
                v.more = either(", shared", "");
            }
            body.extend(self.declaration(&v, ""));
            scope.variables.push(v);
        }
        let data: Vec<Variable> = self
            .module_data
            .iter()
            .filter(|v| v.space.on_device())
            .cloned()
            .collect();
        scope.variables.extend(data);
        let index = match kernel {
            true => self.r.pick(&[
                either("i = (blockidx%x - 1)*blockdim%x + threadidx%x", "i = 1"),
                either("i = threadidx%x", "i = 1"),
            ]),
            false => "i = 1".to_owned(),
        };
        body.push(line(index));
        body.push(line("j = 1"));
        let mut statements = Vec::new();
        for _ in 0..2 + self.r.below(4) {
            statements.extend(self.device_statement(scope, 0));
        }
        match self.r.below(3) {
            0 if kernel => {
                body.push(line("if (i > n) return"));
                body.extend(statements);
            }
            1 => body.push(block("if (i <= 2) then", statements, "end if")),
            _ => body.extend(statements),
        }
        if kernel && self.r.chance(20) {
            body.push(line(either("call syncthreads()", "")));
        }
    }

    /// A scalar place, for device code.
    fn scalar(&mut self, scope: &Scope, good: impl Fn(&Place) -> bool) -> Option<Place> {
        for _ in 0..6 {
            let v = self.r.pick(&scope.variables);
            let all: Vec<Place> = places(&v, &self.types, &mut self.r)
                .into_iter()
                .filter(|p| p.rank == 0 && !p.class && good(p))
                .collect();
            if !all.is_empty() {
                return Some(self.r.pick(&all));
            }
        }
        None
    }

    pub fn device_statement(&mut self, scope: &Scope, depth: usize) -> Vec<Node> {
        for _ in 0..8 {
            if let Some(nodes) = self.device_choice(scope, depth) {
                return nodes;
            }
        }
        Vec::new()
    }

    fn device_choice(&mut self, scope: &Scope, depth: usize) -> Option<Vec<Node>> {
        let one = |text: String| Some(vec![line(text)]);
        let target = self.scalar(scope, |p| p.definable && p.space != Space::Constant)?;
        let base = target.base;
        let text = target.text.clone();
        match self.r.below(14) {
            0..=3 => {
                let value = self.scalar(scope, |p| target.fits(p))?;
                let with = self.device_value(&value);
                one(format!("{text} = {with}"))
            }
            4 if !matches!(base, Base::Derived(_)) => one(format!("{text} = {}", base.constant())),
            5 if depth < 2 => {
                let value = self.scalar(scope, |p| p.base.is_ordered())?;
                let body = self.device_statement(scope, depth + 1);
                let or = self.device_statement(scope, depth + 1);
                let mut all = body;
                if self.r.chance(40) {
                    all.push(line("else"));
                    all.extend(or);
                }
                Some(vec![block(
                    format!("if ({} > 1) then", value.text),
                    all,
                    "end if",
                )])
            }
            6 if depth < 2 => {
                let body = self.device_statement(scope, depth + 1);
                Some(vec![block("do j = 1, 2", body, "end do")])
            }
            7 if base.is_real() => {
                let value = self.scalar(scope, |p| p.base == base)?;
                let f = self.r.pick(&["sqrt", "abs", "exp", "sin", "aint", "tanh"]);
                one(format!("{text} = {f}({})", value.text))
            }
            8 if base.is_ordered() => {
                let value = self.scalar(scope, |p| p.base == base)?;
                one(format!("{text} = max({text}, {})", value.text))
            }
            9 if base.is_real() => {
                let f = self.device_function(base);
                one(format!("{text} = {f}({text}, i)"))
            }
            10 if matches!(base, Base::Integer(4) | Base::Real(4) | Base::Real(8))
                && target.space.on_device() =>
            {
                one(either(
                    &format!("j = atomicadd({text}, {})", base.constant()),
                    "j = 1",
                )
                .to_string())
            }
            11 => {
                let array = self.place(scope, |p| {
                    p.rank > 0
                        && p.definable
                        && !p.class
                        && !p.is_assumed_size()
                        && !matches!(p.base, Base::Derived(_))
                })?;
                one(format!("{} = {}", array.text, array.base.constant()))
            }
            12 => {
                let array = self.place(scope, |p| {
                    p.rank > 0 && p.definable && !p.class && !p.is_assumed_size()
                })?;
                let other = self.place(scope, |p| {
                    p.rank == array.rank && p.base == array.base && !p.is_assumed_size()
                })?;
                one(format!("{} = {}", array.text, other.text))
            }
            13 if depth < 2 && matches!(base, Base::Integer(4)) => {
                let first = self.device_statement(scope, depth + 1);
                let mut body = vec![line("case (1)")];
                body.extend(first);
                body.push(line("case default"));
                body.push(line("continue"));
                Some(vec![block(
                    format!("select case ({text})"),
                    body,
                    "end select",
                )])
            }
            _ => None,
        }
    }

    fn device_value(&mut self, p: &Place) -> String {
        if !p.base.is_number() {
            return p.text.clone();
        }
        match self.r.below(5) {
            0 => format!("{} + 1", p.text),
            1 => format!("2*{}", p.text),
            2 => format!("-{}", p.text),
            _ => p.text.clone(),
        }
    }

    /// A function of a number and an integer.
    pub fn device_function(&mut self, base: Base) -> String {
        let known: Vec<String> = self
            .device_functions
            .iter()
            .filter(|(_, b)| *b == base)
            .map(|(n, _)| n.clone())
            .collect();
        if !known.is_empty() && self.r.chance(60) {
            return self.r.pick(&known);
        }
        let name = self.name("f");
        let x = Variable {
            value: self.r.chance(30),
            ..Variable::new(self.name("x"), base, Form::Scalar, Space::Host)
        };
        let result = Variable::new(self.name("y"), base, Form::Scalar, Space::Host);
        let mark = either(
            self.r.pick(&[
                "attributes(device) ",
                "attributes(host, device) ",
                "attributes(device) ",
            ]),
            "",
        );
        let mut body = self.declaration(&x, if x.value { "" } else { ", intent(in)" });
        body.push(line("integer, intent(in) :: k"));
        body.extend(self.declaration(&result, ""));
        body.push(line("integer :: i, j"));
        body.push(line(format!("{} = {} + k", result.name, x.name)));
        let host_too = mark.contains("host");
        if !host_too {
            let mut scope = Scope::default();
            scope.variables.push(result.clone());
            self.device_functions.push((name.clone(), base));
            self.device_body(&mut scope, &mut body, false);
        } else {
            self.device_functions.push((name.clone(), base));
        }
        self.callees.push(block(
            format!(
                "{mark}function {name}({}, k) result({})",
                x.name, result.name
            ),
            body,
            "end function",
        ));
        name
    }

    /// A loop for the device.
    pub fn cuf_loop(&mut self, scope: &Scope) -> Option<Vec<Node>> {
        let reachable: Vec<Variable> = scope
            .variables
            .iter()
            .filter(|v| {
                v.space.on_device()
                    || matches!(v.form, Form::Scalar)
                        && !v.class
                        && !matches!(v.base, Base::Derived(_))
            })
            .cloned()
            .collect();
        if !reachable.iter().any(|v| v.space.on_device()) {
            return None;
        }
        let inner = Scope {
            variables: reachable,
            ..Scope::default()
        };
        let mut body = Vec::new();
        for _ in 0..1 + self.r.below(3) {
            let target = self.scalar(&inner, |p| {
                p.definable
                    && p.space.on_device()
                    && !matches!(p.base, Base::Derived(_))
                    && p.space != Space::Constant
            })?;
            let value = self.scalar(&inner, |p| target.fits(p));
            let text = match value {
                Some(v) => self.device_value(&v),
                None => target.base.constant().to_owned(),
            };
            body.push(line(format!("{} = {text}", target.text)));
        }
        let directive = self.r.pick(&[
            "!$cuf kernel do <<<*, *>>>",
            "!$cuf kernel do(1) <<<*, 32>>>",
            "!$cuf kernel do(1) <<<n, 64, 0, stream_>>>",
            "!$cuf kernel do",
        ]);
        if self.r.chance(25) {
            let inner = block("do i = 1, 2", body, "end do");
            let directive = self.r.pick(&[
                "!$cuf kernel do(2) <<<*, *>>>",
                "!$cuf kernel do(2) <<<(1, *), (32, 4)>>>",
            ]);
            return Some(vec![block(
                format!("{directive}\ndo j = 1, n"),
                vec![inner],
                "end do",
            )]);
        }
        Some(vec![block(
            format!("{directive}\ndo i = 1, 2"),
            body,
            "end do",
        )])
    }
}
