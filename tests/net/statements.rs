//! Statements of host code.

use crate::model::{Base, Form, Place, Space, Variable, places};
use crate::program::{Generator, Scope};
use crate::tree::{Node, block, either, line};

impl Generator {
    /// A statement for the scope, or several that belong together.
    pub fn statement(&mut self, scope: &mut Scope) -> Vec<Node> {
        for _ in 0..10 {
            let found = match self.r.below(14) {
                0..=3 => self.data_statement(scope),
                4 | 5 => self.memory_statement(scope),
                6 => self.call(scope),
                7 => self.launch(scope),
                8 => self.cuf_loop(scope),
                9 | 10 => self.construct(scope),
                11 | 12 => self.special(scope),
                _ => self.output(scope),
            };
            if let Some(nodes) = found {
                return nodes;
            }
        }
        Vec::new()
    }

    /// An assignment.
    fn data_statement(&mut self, scope: &mut Scope) -> Option<Vec<Node>> {
        let target = self.place(scope, |p| p.definable && !p.is_assumed_size() && !p.class)?;
        let text = target.text.clone();
        let one = |text: String| Some(vec![line(text)]);
        match self.r.below(12) {
            0..=4 => {
                let value = self.place(scope, |p| target.fits(p) && !p.is_assumed_size())?;
                one(format!("{text} = {}", value.text))
            }
            5 if !matches!(target.base, Base::Derived(_)) => {
                one(format!("{text} = {}", target.base.constant()))
            }
            6 if target.base.is_number() => {
                let value = self.place(scope, |p| target.fits(p) && !p.is_assumed_size())?;
                let form = self.r.below(6);
                let v = value.text;
                one(match form {
                    0 => format!("{text} = {v} + 1"),
                    1 => format!("{text} = 2*{v} - 1"),
                    2 => format!("{text} = ({v})"),
                    3 => format!("{text} = abs({v})"),
                    4 => format!("{text} = {v} + {v}"),
                    _ => format!("if (n > 2) {text} = {v}"),
                })
            }
            7 if target.rank == 1 && target.base.is_number() => {
                let value = self.place(scope, |p| p.rank == 0 && p.base == target.base)?;
                let v = value.text;
                let k = self.r.below(4);
                one(match k {
                    0 => format!("{text} = [{v}, {v}]"),
                    1 => format!("{text} = [({v}, j = 1, 2)]"),
                    2 => format!("{text} = spread({v}, 1, 2)"),
                    _ => format!("{text}(:) = {v}"),
                })
            }
            8 if target.rank == 0 && target.base.is_ordered() => {
                let value = self.place(scope, |p| {
                    p.rank > 0 && p.base == target.base && !p.is_assumed_size()
                })?;
                let f = self.r.pick(&["sum", "maxval", "minval", "product_"]);
                let v = value.text;
                let f = if f == "product_" { "sum" } else { f };
                one(format!("{text} = {f}({v})"))
            }
            9 if target.base.is_real() && target.rank == 0 => {
                let f = self.host_device_function(target.base)?;
                let value = self.place(scope, |p| {
                    p.rank == 0 && p.base == target.base && p.space.on_host()
                })?;
                one(format!("{text} = {f}({}, n)", value.text))
            }
            10 if matches!(target.base, Base::Character(_)) => one(format!("{text}(1:1) = 'x'")),
            11 => {
                let value = self.place(scope, |p| target.fits(p) && !p.is_assumed_size())?;
                one(format!(
                    "istat = 0; {text} = {}; istat = istat + 1",
                    value.text
                ))
            }
            _ => None,
        }
    }

    fn host_device_function(&mut self, base: Base) -> Option<String> {
        let name = self.device_function(base);
        let both = self.callees.iter().any(|n| matches!(n, Node::Block { head, .. } if head.contains("host, device") && head.contains(&format!("function {name}("))));
        both.then_some(name)
    }

    /// Allocation, association, and questions about them.
    fn memory_statement(&mut self, scope: &mut Scope) -> Option<Vec<Node>> {
        let p = self.place(scope, |p| {
            (p.is_allocatable() || p.is_pointer()) && p.definable
        })?;
        let text = p.text.clone();
        let bounds = self.bounds(p.rank);
        let test = if p.is_pointer() {
            "associated"
        } else {
            "allocated"
        };
        let one = |text: String| Some(vec![line(text)]);
        match self.r.below(12) {
            0..=3 => {
                let mut items = vec![format!("{text}{bounds}")];
                if self.r.chance(20)
                    && let Some(other) = self.place(scope, |o| {
                        (o.is_allocatable() || o.is_pointer()) && o.definable && o.text != p.text
                    })
                {
                    let b = self.bounds(other.rank);
                    items.push(format!("{}{b}", other.text));
                }
                let option = self.option(scope, &p);
                let alone = option.contains("source") || option.contains("mold");
                if alone {
                    items.truncate(1);
                    if p.rank > 0 && self.r.chance(50) {
                        items = vec![text.clone()];
                    }
                }
                let statement = format!("allocate({}{option})", items.join(", "));
                Some(match self.r.below(4) {
                    0 => vec![block(
                        format!("if (.not. {test}({text})) then"),
                        vec![line(statement)],
                        "end if",
                    )],
                    1 => vec![line(format!("if (.not. {test}({text})) {statement}"))],
                    _ => vec![line(statement)],
                })
            }
            4 | 5 => {
                let option = self
                    .r
                    .pick(&["", "", ", stat=istat", ", stat=istat, errmsg=text"]);
                let other = self.place(scope, |o| {
                    o.is_allocatable() && o.definable && o.text != p.text
                });
                match other {
                    Some(o) if self.r.chance(20) => {
                        one(format!("deallocate({text}, {}{option})", o.text))
                    }
                    _ if self.r.chance(50) => {
                        one(format!("if ({test}({text})) deallocate({text}{option})"))
                    }
                    _ => one(format!("deallocate({text}{option})")),
                }
            }
            6 | 7 if p.is_pointer() => {
                let target = self.place(scope, |t| {
                    t.target
                        && t.base == p.base
                        && t.rank == p.rank
                        && t.space == p.space
                        && !t.class
                })?;
                one(format!("{text} => {}", target.text))
            }
            8 if p.is_pointer() => one(self
                .r
                .pick(&[format!("nullify({text})"), format!("{text} => null()")])),
            9 if p.is_allocatable() => {
                let other = self.place(scope, |o| {
                    o.is_allocatable()
                        && o.definable
                        && o.base == p.base
                        && o.rank == p.rank
                        && o.space == p.space
                        && o.text != p.text
                        && o.class == p.class
                })?;
                one(format!("call move_alloc({}, {text})", other.text))
            }
            10 if p.rank > 0 => {
                let f = self.r.pick(&["size", "lbound", "ubound", "shape"]);
                one(format!("print *, {f}({text})"))
            }
            11 => one(format!("print *, {test}({text})")),
            _ => None,
        }
    }

    fn bounds(&mut self, rank: usize) -> String {
        let words: Vec<&str> = (0..rank)
            .map(|_| self.r.pick(&["4", "n", "0:3", "2*n", "-1:n"]))
            .collect();
        match rank {
            0 => String::new(),
            _ => format!("({})", words.join(", ")),
        }
    }

    fn option(&mut self, scope: &Scope, p: &Place) -> String {
        match self.r.below(10) {
            0 | 1 => ", stat=istat".to_owned(),
            2 => ", stat=istat, errmsg=text".to_owned(),
            3 | 4 => {
                let word = self.r.pick(&["source", "source", "mold"]);
                let other = self.place(scope, |o| {
                    o.base == p.base && (o.rank == p.rank || o.rank == 0) && !o.is_assumed_size()
                });
                match other {
                    Some(o) => format!(", {word}={}", o.text),
                    None if !matches!(p.base, Base::Derived(_)) => {
                        format!(", source={}", p.base.constant())
                    }
                    None => String::new(),
                }
            }
            5 if p.space == Space::Pinned => either(", pinned=pinned_", ""),
            6 if p.space == Space::Device => either(", stream=stream_", ""),
            _ => String::new(),
        }
    }

    /// A call of a procedure that is made for it.
    fn call(&mut self, scope: &mut Scope) -> Option<Vec<Node>> {
        if scope.nesting >= 2 {
            return None;
        }
        let mut given = Vec::new();
        for _ in 0..1 + self.r.below(3) {
            given.extend(self.place(scope, |p| {
                p.space != Space::Constant && (p.definable || p.whole)
            }));
        }
        let name = self.host_procedure(&given);
        let mut actuals = vec!["n".to_owned()];
        actuals.extend(given.iter().map(|p| p.text.clone()));
        if let Some(last) = given.last()
            && self.r.chance(10)
            && last.base.is_number()
            && last.space == Space::Host
        {
            actuals.pop();
            actuals.push(format!("({})", last.text));
        }
        let text = format!("call {name}({})", actuals.join(", "));
        Some(match self.r.below(5) {
            0 => vec![line(format!("if (n > 3) {text}"))],
            _ => vec![line(text)],
        })
    }

    fn inside(&mut self, scope: &mut Scope, count: usize) -> Vec<Node> {
        scope.nesting += 1;
        let mut body = Vec::new();
        for _ in 0..count {
            body.extend(self.statement(scope));
        }
        scope.nesting -= 1;
        body
    }

    fn construct(&mut self, scope: &mut Scope) -> Option<Vec<Node>> {
        if scope.nesting >= 3 {
            return None;
        }
        let count = 1 + self.r.below(2);
        match self.r.below(15) {
            0 => {
                let p = self.place(scope, |p| p.rank == 0 && p.base.is_ordered())?;
                let mut body = self.inside(scope, count);
                if self.r.chance(40) {
                    body.push(line(format!("else if ({} < 0) then", p.text)));
                    body.extend(self.inside(scope, 1));
                }
                Some(vec![block(
                    format!("if ({} > 1) then", p.text),
                    body,
                    "end if",
                )])
            }
            1 => {
                let p = self.place(scope, |p| p.rank == 0 && p.base == Base::Integer(4))?;
                let mut body = vec![line("case (1)")];
                body.extend(self.inside(scope, 1));
                body.push(line("case default"));
                body.extend(self.inside(scope, 1));
                Some(vec![block(
                    format!("select case ({})", p.text),
                    body,
                    "end select",
                )])
            }
            2 => {
                let head = self.r.pick(&["do j = 1, 2", "do while (n < 0)"]);
                let mut body = self.inside(scope, count);
                if self.r.chance(40) {
                    body.push(line(self.r.pick(&["if (n > 3) exit", "if (n > 3) cycle"])));
                }
                Some(vec![block(head, body, "end do")])
            }
            3 | 4 => {
                let v = self.variable(false);
                let mut body = self.declaration(&v, "");
                let mut inner = scope.clone();
                inner.variables.insert(0, v.clone());
                inner.variables.insert(0, v);
                body.extend(self.inside(&mut inner, 1 + count));
                if scope.returns && self.r.chance(25) {
                    body.push(line("if (n > 5) return"));
                }
                Some(vec![block("block", body, "end block")])
            }
            5 | 6 => {
                let p = self.place(scope, |p| !p.is_assumed_size())?;
                let name = self.name("z");
                let mut v =
                    Variable::new(name.clone(), p.base, Form::AssumedShape(p.rank), p.space);
                if p.rank == 0 {
                    v.form = Form::Scalar;
                }
                v.definable = p.definable && !p.text.contains('[');
                v.class = p.class;
                v.target = p.target;
                let mut inner = scope.clone();
                for _ in 0..1 + inner.variables.len() / 2 {
                    inner.variables.push(v.clone());
                }
                let body = self.inside(&mut inner, count);
                Some(vec![block(
                    format!("associate ({name} => {})", p.text),
                    body,
                    "end associate",
                )])
            }
            7 => {
                let p = self.place(scope, |p| p.class && p.rank == 0)?;
                let Base::Derived(t) = p.base else {
                    return None;
                };
                let name = self.name("q");
                let child = (0..self.types.len())
                    .find(|c| self.types[*c].parent == Some(t))
                    .unwrap_or(t);
                let mut body = vec![line(format!("type is ({})", self.types[child].used))];
                let mut inner = scope.clone();
                let v = Variable {
                    definable: p.definable,
                    ..Variable::new(name.clone(), Base::Derived(child), Form::Scalar, p.space)
                };
                for _ in 0..1 + inner.variables.len() / 2 {
                    inner.variables.push(v.clone());
                }
                body.extend(self.inside(&mut inner, count));
                body.push(line("class default"));
                body.push(line("continue"));
                Some(vec![block(
                    format!("select type ({name} => {})", p.text),
                    body,
                    "end select",
                )])
            }
            8 | 9 => {
                let p = self.place(scope, |p| {
                    p.rank > 0
                        && p.base.is_ordered()
                        && p.definable
                        && !p.is_assumed_size()
                        && p.space.on_host()
                })?;
                let v = self.place(scope, |v| p.fits(v) && !v.is_assumed_size())?;
                let text = p.text.clone();
                match self.r.below(2) {
                    0 => Some(vec![line(format!(
                        "where ({text} > 1) {text} = {}",
                        v.text
                    ))]),
                    _ => Some(vec![block(
                        format!("where ({text} > 0)"),
                        vec![
                            line(format!("{text} = {}", v.text)),
                            line("elsewhere"),
                            line(format!("{text} = 0")),
                        ],
                        "end where",
                    )]),
                }
            }
            10 => {
                let scalar = |p: &Place| p.rank == 0 && p.base.is_number();
                let p = self.place(scope, |p| scalar(p) && p.definable && p.space.on_host())?;
                let v = self.place(scope, |v| scalar(v) && v.space.on_host())?;
                let text = format!("{} = {}", p.text, v.text);
                let head = self
                    .r
                    .pick(&["do concurrent (i = 1:2)", "forall (i = 1:2)"]);
                let end = if head.starts_with("forall") {
                    "end forall"
                } else {
                    "end do"
                };
                Some(vec![block(head, vec![line(text)], end)])
            }
            11 | 12 => {
                let body = self.inside(scope, count);
                let head = self.r.pick(&[
                    "!$omp parallel do",
                    "!$omp parallel do private(j) schedule(static)",
                ]);
                Some(vec![block(format!("{head}\ndo i = 1, 2"), body, "end do")])
            }
            13 => self.bound_call(scope),
            _ => {
                let v = self.place(scope, |p| {
                    p.is_assumed_size() || p.rank > 0 && p.whole && p.space == Space::Device
                })?;
                let w = self.place(scope, |p| {
                    p.rank == v.rank && p.base == v.base && p.space == Space::Host && !p.class
                })?;
                let f = self.r.pick(&["cudaMemcpy", "cudaMemcpyAsync"]);
                Some(vec![line(either(
                    &format!("istat = {f}({}, {}, 2)", v.text, w.text),
                    "istat = 0",
                ))])
            }
        }
    }

    fn bound_call(&mut self, scope: &Scope) -> Option<Vec<Node>> {
        let all: Vec<Place> = scope
            .variables
            .iter()
            .flat_map(|v| places(v, &self.types, &mut self.r))
            .collect();
        let mut good = Vec::new();
        for p in all {
            if let (Base::Derived(t), 0) = (p.base, p.rank)
                && p.space == Space::Host
                && p.definable
            {
                let mut at = Some(t);
                while let Some(d) = at.and_then(|t| self.types.get(t)) {
                    good.extend(d.bound.iter().map(|b| format!("call {}%{b}()", p.text)));
                    at = d.parent;
                }
            }
        }
        match good.is_empty() {
            true => None,
            false => Some(vec![line(self.r.pick(&good))]),
        }
    }

    /// Input and output.
    fn output(&mut self, scope: &Scope) -> Option<Vec<Node>> {
        let p = self.place(scope, |p| {
            !p.is_assumed_size() && !matches!(p.base, Base::Derived(_))
        })?;
        let text = p.text.clone();
        let one = |text: String| Some(vec![line(text)]);
        match self.r.below(9) {
            0 | 1 => one(format!("print *, {text}")),
            2 => one(format!("write(*, *) 'a', {text}, n")),
            3 if p.rank == 0 => one(format!("write(text, *) {text}")),
            4 if p.rank == 0 && p.definable => one(format!("read(text, *, iostat=istat) {text}")),
            5 if p.rank == 0 => one(format!("print *, ({text}, j = 1, 2)")),
            6 if p.rank > 0 => one(format!("print '(4g12.4)', size({text}), {text}")),
            7 if p.base.is_ordered() => one(format!(
                "if ({}({text} > 0)) print *, 'x'",
                if p.rank > 0 { "any" } else { "" }
            )),
            8 => one(format!("print *, storage_size({text}), kind({text})")),
            _ => None,
        }
    }
}
