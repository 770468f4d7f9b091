//! Random statements about the variables of a scope.

use crate::places::{Data, Place, Variable, What, reachable};
use crate::program::{Generator, Scope};
use crate::tree::{Node, block, guarded, line};
use crate::types::{Form, Kind, family, lineage};

/// Assignments to array elements chosen by a vector subscript: refused (CUF0423).
const VECTOR_TARGETS: bool = false;

/// Values of array elements chosen by a vector subscript: gfortran 12 does not free the host components of its packed copy.
const VECTOR_SOURCES: bool = true;

/// An expression and what must hold for it to be valid.
pub struct Value {
    pub text: String,
    pub guards: Vec<String>,
    /// The variable it is a part of, or a copy of a part of.
    pub root: String,
    /// Text of a function reference with the same value, for the plain program.
    pub copy: String,
}

impl Value {
    fn new(text: String) -> Value {
        Value {
            copy: text.clone(),
            text,
            guards: Vec::new(),
            root: String::new(),
        }
    }

    /// With a function reference in the plain program.
    fn as_copy(&self, g: &Generator, t: usize) -> String {
        if self.copy == self.text {
            self.text.clone()
        } else {
            g.either(t, &self.text, &self.copy)
        }
    }
}

impl Generator {
    /// About `count` statements.
    pub fn statements(&mut self, scope: &Scope, count: i64) -> Vec<Node> {
        let mut all = Vec::new();
        let mut made = 0;
        // A statement may find nothing to work on.
        for _ in 0..8 * count {
            if made == count {
                break;
            }
            let Some((nodes, changed)) = self.statement(scope) else {
                continue;
            };
            made += 1;
            all.extend(nodes);
            if self.r.chance(35)
                && let Some(v) = scope.variables.iter().find(|v| v.name == changed)
            {
                all.extend(self.shown(v));
            }
        }
        all
    }

    /// A statement, and the variable that it changes.
    fn statement(&mut self, scope: &Scope) -> Option<(Vec<Node>, String)> {
        let (places, data) = reachable(&self.types, &scope.variables);
        match self.r.below(100) {
            0..24 => self.assignment(&places),
            24..36 => self.array_assignment(&places),
            36..46 => self.allocation(&places),
            46..50 => self.deallocation(&places, &data),
            50..55 => self.move_alloc(&places, &data),
            55..75 => self.data_statement(&data),
            75..84 => self.call(&places),
            84..87 => self.element_loop(&places),
            87..92 => Some((self.temporary(scope), String::new())),
            92 => Some((self.unlimited(), String::new())),
            _ if scope.nesting < 2 => self.construct(scope, &places),
            _ => None,
        }
    }

    pub fn pick_place(
        &mut self,
        places: &[Place],
        wanted: impl Fn(&Place) -> bool,
    ) -> Option<Place> {
        let all: Vec<&Place> = places.iter().filter(|p| wanted(p)).collect();
        if all.is_empty() {
            return None;
        }
        // Whole variables more often than the many parts of parts.
        let shallow: Vec<&Place> = all.iter().copied().filter(|p| p.depth == 0).collect();
        if !shallow.is_empty() && self.r.chance(55) {
            return Some(self.r.pick(&shallow).clone());
        }
        Some(self.r.pick(&all).clone())
    }

    fn pick_data(&mut self, data: &[Data], wanted: impl Fn(&Data) -> bool) -> Option<Data> {
        let all: Vec<&Data> = data.iter().filter(|d| wanted(d)).collect();
        (!all.is_empty()).then(|| self.r.pick(&all).clone())
    }

    /// A scalar value of exactly the type `t`.
    fn value(&mut self, places: &[Place], t: usize, depth: usize) -> Option<Value> {
        let name = self.types[t].name.clone();
        let k = self.r.between(1, 9);
        match self.r.below(12) {
            0 | 1 => Some(Value::new(format!("make_{name}({k})"))),
            2 => Some(Value::new(format!("fresh_{name}({k})"))),
            3 if depth == 0 => self.constructor(places, t),
            n => {
                let p = self.pick_place(places, |p| !p.form.array() && !p.class && p.t == t)?;
                let text = match n {
                    4 => format!("hidden_{name}({})", p.text),
                    // gfortran 12 frees what is in parentheses and its copy.
                    5 => self.either(t, &format!("({})", p.text), &p.text),
                    _ => p.text.clone(),
                };
                Some(Value {
                    text,
                    guards: p.value_guards(),
                    copy: format!("copy_{name}({})", p.text),
                    root: p.root,
                })
            }
        }
    }

    /// A structure constructor.
    fn constructor(&mut self, places: &[Place], t: usize) -> Option<Value> {
        let (mut parts, mut guards) = (Vec::new(), Vec::new());
        let mut root = String::new();
        for x in lineage(&self.types, t) {
            for c in self.types[x].components.clone() {
                let mut take = |text: String| parts.push(format!("{}={text}", c.name));
                match c.kind {
                    Kind::Integer(_) if self.r.chance(70) => {
                        take(self.r.between(1, 99).to_string())
                    }
                    Kind::Array(_, 1, _) if self.r.chance(40) => {
                        take(format!(
                            "[{}, {}]",
                            self.r.between(1, 99),
                            self.r.between(1, 99)
                        ));
                    }
                    Kind::Array(..) if self.r.chance(50) => {
                        // The same component of another value.
                        let other =
                            self.pick_place(places, |p| p.t == x && !p.form.array() && !p.class);
                        let Some(other) = other else { continue };
                        let text = format!("{}%{}", other.text, c.name);
                        guards.extend(other.value_guards());
                        guards.push(format!("allocated({text})"));
                        root = other.root;
                        take(text);
                    }
                    Kind::Part(of, form) => {
                        let name = self.types[of].name.clone();
                        match form {
                            Form::Fixed(_, n) => {
                                take(format!("several_{name}({n}, {})", self.r.between(1, 9)))
                            }
                            Form::Allocatable if self.r.chance(50) => {}
                            Form::Plain | Form::Allocatable => {
                                let v = self.value(places, of, 1)?;
                                // gfortran 12 shares the memory of a variable in a constructor.
                                take(v.as_copy(self, of));
                                guards.extend(v.guards);
                                if !v.root.is_empty() {
                                    root = v.root;
                                }
                            }
                            _ => {}
                        }
                    }
                    _ => {}
                }
            }
        }
        Some(Value {
            guards,
            root,
            ..Value::new(format!("{}({})", self.types[t].name, parts.join(", ")))
        })
    }

    /// Assignment to a scalar.
    fn assignment(&mut self, places: &[Place]) -> Option<(Vec<Node>, String)> {
        let to = self.pick_place(places, |p| !p.form.array() && p.writable)?;
        if to.class && to.form != Form::Allocatable {
            return None;
        }
        let mut guards = if to.form == Form::Pointer {
            to.value_guards()
        } else {
            to.guards.clone()
        };
        let t = if to.class {
            let family = family(&self.types, to.t);
            self.r.pick(&family)
        } else {
            to.t
        };
        let v = if to.class && self.r.chance(30) {
            let from = self.pick_place(places, |p| {
                p.class && !p.form.array() && p.t == t && p.root != to.root
            })?;
            Value {
                guards: from.value_guards(),
                root: from.root,
                ..Value::new(from.text)
            }
        } else {
            self.value(places, t, 0)?
        };
        guards.extend(v.guards.clone());
        let name = &to.text;
        let statements = if to.class {
            // gfortran 12 loses memory where the dynamic type changes.
            if v.root == to.root {
                return None;
            }
            let owner = family(&self.types, to.t)
                .into_iter()
                .find(|x| self.owns(*x));
            let owner = owner.unwrap_or(to.t);
            vec![
                line(self.either(
                    owner,
                    "",
                    &format!("if (allocated({name})) deallocate({name})"),
                )),
                line(self.either(
                    owner,
                    &format!("{name} = {}", v.text),
                    &format!("allocate({name}, source={})", v.copy),
                )),
            ]
        } else if v.root == to.root {
            vec![line(format!("{name} = {}", v.as_copy(self, to.t)))]
        } else {
            vec![line(format!("{name} = {}", v.text))]
        };
        Some((guarded(&guards, statements), to.root))
    }

    /// Assignment to an array or a section of one.
    fn array_assignment(&mut self, places: &[Place]) -> Option<(Vec<Node>, String)> {
        let to = self.pick_place(places, |p| p.form.array() && p.writable && !p.class)?;
        let name = self.types[to.t].name.clone();
        let k = self.r.between(1, 9);
        let may_have = |n: i64| !matches!(to.form, Form::Fixed(_, m) if m != n);
        let (target, mut guards, extent) = match self.r.below(6) {
            // A section of two elements.
            0 if may_have(2) => (
                self.section(&to.text, "first"),
                to.extent_guards(2),
                Some(2),
            ),
            1 if may_have(3) => (self.section(&to.text, "last"), to.extent_guards(3), Some(2)),
            2 if may_have(2) => (
                self.section(&to.text, "reversed"),
                to.extent_guards(2),
                Some(2),
            ),
            3 if VECTOR_TARGETS && may_have(2) => (
                self.section(&to.text, "vector"),
                to.extent_guards(2),
                Some(2),
            ),
            _ if to.form == Form::AllocatableArray => (to.text.clone(), to.guards.clone(), None),
            _ => {
                let n = match to.form {
                    Form::Fixed(_, n) => n,
                    _ => 2,
                };
                (to.text.clone(), to.extent_guards(n), Some(n))
            }
        };
        let n = extent.unwrap_or_else(|| self.r.between(0, 3));
        let source = match self.r.below(8) {
            0 => {
                // A scalar for all elements gives no shape.
                if extent.is_none() {
                    guards.extend(to.value_guards());
                }
                let v = self.value(places, to.t, 0)?;
                Value {
                    text: if v.root == to.root {
                        v.as_copy(self, to.t)
                    } else {
                        v.text.clone()
                    },
                    ..v
                }
            }
            1 => Value::new(format!("several_{name}({n}, {k})")),
            2 => Value::new(format!("list_{name}({n}, {k})")),
            3 if n > 0 => {
                let values: Option<Vec<Value>> =
                    (0..n).map(|_| self.value(places, to.t, 0)).collect();
                let values = values?;
                // gfortran 12 frees elements of the target before it has copied them.
                let text = |v: &Value| {
                    if v.root == to.root {
                        v.as_copy(self, to.t)
                    } else {
                        v.text.clone()
                    }
                };
                let texts: Vec<String> = values.iter().map(text).collect();
                Value {
                    guards: values.iter().flat_map(|v| v.guards.clone()).collect(),
                    ..Value::new(format!("[{}]", texts.join(", ")))
                }
            }
            4 => {
                let from = self.pick_array(places, to.t, Some(2))?;
                let kinds = ["first", "reversed", "first", "reversed", "vector"];
                let kind = self.r.pick(&kinds[..if VECTOR_SOURCES { 5 } else { 4 }]);
                if extent != Some(2) && extent.is_some() {
                    return None;
                }
                Value {
                    guards: from.extent_guards(2),
                    ..Value::new(self.section(&from.text, kind))
                }
            }
            _ => {
                let from = self.pick_array(places, to.t, extent)?;
                Value {
                    guards: match extent {
                        Some(n) => from.extent_guards(n),
                        None => from.value_guards(),
                    },
                    ..Value::new(from.text.clone())
                }
            }
        };
        guards.extend(source.guards);
        let statement = line(format!("{target} = {}", source.text));
        Some((guarded(&guards, vec![statement]), to.root))
    }

    /// An array of type `t` that can have `n` elements, if that matters.
    fn pick_array(&mut self, places: &[Place], t: usize, n: Option<i64>) -> Option<Place> {
        let fits = |p: &Place| match (p.form, n) {
            (Form::Fixed(_, m), Some(n)) => m == n,
            _ => true,
        };
        self.pick_place(places, |p| {
            p.form.array() && !p.class && p.t == t && fits(p)
        })
    }

    /// A section of two elements of an array of two, the last two of one of three.
    fn section(&mut self, array: &str, kind: &str) -> String {
        let low = format!("lbound({array}, 1)");
        match kind {
            "first" => format!("{array}({low}:{low} + 1)"),
            "last" => format!("{array}({low} + 1:)"),
            "reversed" => format!("{array}({low} + 1:{low}:-1)"),
            _ => format!("{array}([{low} + 1, {low}])"),
        }
    }

    fn allocation(&mut self, places: &[Place]) -> Option<(Vec<Node>, String)> {
        let to = self.pick_place(places, |p| p.form.allocatable() && p.writable)?;
        let name = &to.text;
        let low = self.r.pick(&[1, 1, 0, -1]);
        let high = low + self.r.between(-1, 2);
        let bounds = if to.form == Form::AllocatableArray {
            format!("({low}:{high})")
        } else {
            String::new()
        };
        let mut guards = to.guards.clone();
        if self.r.chance(75) {
            guards.push(format!(".not. allocated({name})"));
        }
        let stat = if guards.len() == to.guards.len() {
            ", stat=status"
        } else {
            ""
        };
        let family = family(&self.types, to.t);
        let class_array = to.class && to.form == Form::AllocatableArray;
        let statement = match self.r.below(4) {
            k if to.class && (k == 0 || class_array) => {
                let of = self.r.pick(&family);
                format!("allocate({} :: {name}{bounds}{stat})", self.types[of].name)
            }
            0 => format!("allocate({name}{bounds}{stat})"),
            1 if to.form == Form::AllocatableArray => {
                let from = self.pick_place(places, |p| {
                    p.form.array() && !p.class && p.t == to.t && p.root != to.root
                })?;
                if self.r.chance(40) && !matches!(from.form, Form::Fixed(_, m) if m != 2) {
                    let bounds = format!("({low}:{})", low + 1);
                    guards.extend(from.extent_guards(2));
                    format!("allocate({name}{bounds}, source={}{stat})", from.text)
                } else {
                    guards.extend(from.value_guards());
                    format!("allocate({name}, source={}{stat})", from.text)
                }
            }
            _ => {
                // The value must not come from what is allocated.
                let others: Vec<Place> = places
                    .iter()
                    .filter(|p| p.root != to.root)
                    .cloned()
                    .collect();
                let v = if to.class && self.r.chance(50) {
                    let from = self.pick_place(places, |p| {
                        p.class && !p.form.array() && p.t == to.t && p.root != to.root
                    })?;
                    Value {
                        guards: from.value_guards(),
                        ..Value::new(from.text)
                    }
                } else {
                    let t = if to.class { self.r.pick(&family) } else { to.t };
                    self.value(&others, t, 0)?
                };
                guards.extend(v.guards.clone());
                let word = self.r.pick(&["source", "source", "source", "mold"]);
                // gfortran 12 breaks off at a pointer function there.
                let text = if v.text.starts_with("hidden_") {
                    v.as_copy(self, to.t)
                } else {
                    v.text
                };
                let device = format!("allocate({name}{bounds}, {word}={text}{stat})");
                if word == "mold" && to.form == Form::AllocatableArray {
                    // gfortran 12 gives such elements no initial values.
                    self.either(to.t, &device, &format!("allocate({name}{bounds}{stat})"))
                } else {
                    device
                }
            }
        };
        let mut lines = vec![line(statement)];
        if !stat.is_empty() {
            lines.push(line("call flag(status == 0)"));
            lines = vec![block(
                "block",
                [vec![line("integer :: status")], guarded(&guards, lines)].concat(),
                "end block",
            )];
            return Some((lines, to.root));
        }
        Some((guarded(&guards, lines), to.root))
    }

    fn deallocation(&mut self, places: &[Place], data: &[Data]) -> Option<(Vec<Node>, String)> {
        let (name, guards, root) = if self.r.chance(60) {
            let p = self.pick_place(places, |p| p.form.allocatable() && p.writable)?;
            (p.text.clone(), p.value_guards(), p.root)
        } else {
            let d = self.pick_data(data, |d| d.allocatable() && d.writable)?;
            (d.text.clone(), d.value_guards(), d.root)
        };
        let statement = line(format!("deallocate({name})"));
        Some((guarded(&guards, vec![statement]), root))
    }

    fn move_alloc(&mut self, places: &[Place], data: &[Data]) -> Option<(Vec<Node>, String)> {
        let (from, to, mut guards, others, root) = if self.r.chance(60) {
            let to = self.pick_place(places, |p| p.form.allocatable() && p.writable)?;
            let from = self.pick_place(places, |p| {
                p.form == to.form
                    && p.t == to.t
                    && (to.class && !p.form.array() || p.class == to.class)
                    && p.writable
                    && p.root != to.root
            })?;
            (from.text, to.text, from.guards, to.guards, to.root)
        } else {
            let to = self.pick_data(data, |d| d.allocatable() && d.writable)?;
            let from = self.pick_data(data, |d| {
                d.allocatable()
                    && d.writable
                    && d.space == to.space
                    && d.rank == to.rank
                    && d.root != to.root
            })?;
            (from.text, to.text, from.guards, to.guards, to.root)
        };
        guards.extend(others);
        // gfortran 12 evaluates bounds in the arguments wrongly.
        if [&from, &to].iter().any(|t| t.contains("bound(")) {
            return None;
        }
        let statement = line(format!("call move_alloc({from}, {to})"));
        Some((guarded(&guards, vec![statement]), root))
    }

    fn call(&mut self, places: &[Place]) -> Option<(Vec<Node>, String)> {
        let callables = self.callables.clone();
        if callables.is_empty() {
            return None;
        }
        let callee = self.r.pick(&callables);
        let mut arguments = vec![self.r.between(0, 3).to_string()];
        let (mut guards, mut roots): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        let mut changed = String::new();
        let mut keyword = false;
        for (index, d) in callee.dummies.iter().enumerate() {
            if d.optional && self.r.chance(40) {
                keyword = true;
                continue;
            }
            let prefix = if keyword {
                format!("x{}=", index + 1)
            } else {
                String::new()
            };
            if d.intent == "in" && d.form == Form::Plain && self.r.chance(35) {
                let v = self.value(&[], d.t, 0)?;
                arguments.push(prefix + &v.text);
                guards.extend(v.guards);
                continue;
            }
            let taken = roots.clone();
            let family = family(&self.types, d.t);
            let place = self.pick_place(places, |p| {
                let fits = match d.form {
                    Form::Plain => !p.form.array(),
                    Form::Assumed => p.form.array(),
                    form => p.form == form,
                };
                // A type(t) dummy takes no polymorphic object here, a class(t) one takes extensions.
                let ty = if d.class && d.form.allocatable() {
                    p.class && p.t == d.t
                } else if d.class {
                    family.contains(&p.t)
                } else {
                    p.t == d.t && !p.class
                };
                fits && ty && (p.writable || !d.writable()) && !taken.contains(&p.root)
            })?;
            if d.form.allocatable() {
                guards.extend(place.guards.clone());
            } else {
                guards.extend(place.value_guards());
            }
            roots.push(place.root.clone());
            if d.writable() {
                changed = place.root.clone();
            }
            arguments.push(prefix + &place.text);
        }
        let statement = line(format!("call {}({})", callee.name, arguments.join(", ")));
        Some((guarded(&guards, vec![statement]), changed))
    }

    /// Assignment to one element after the other.
    fn element_loop(&mut self, places: &[Place]) -> Option<(Vec<Node>, String)> {
        let to = self.pick_place(places, |p| p.form.array() && p.writable && !p.class)?;
        let name = self.types[to.t].name.clone();
        let i = format!("i{}", self.number());
        let array = &to.text;
        let mut guards = to.value_guards();
        let value = match self.r.below(4) {
            0 => format!("make_{name}({i} + 2)"),
            1 => format!("fresh_{name}({i} + 3)"),
            2 => format!("copy_{name}({array}(ubound({array}, 1) + lbound({array}, 1) - {i}))"),
            _ => {
                let from = self.pick_place(places, |p| {
                    p.t == to.t && !p.class && p.form.array() && p.root != to.root
                })?;
                guards.extend(from.value_guards());
                guards.push(format!("size({}) == size({array})", from.text));
                format!("{0}({i} - lbound({array}, 1) + lbound({0}, 1))", from.text)
            }
        };
        let mut body = vec![line(format!("{array}({i}) = {value}"))];
        if self.r.chance(40) {
            body.insert(
                0,
                line(format!(
                    "if (mod({i}, 3) == 1) {}",
                    self.r.pick(&["exit", "cycle"])
                )),
            );
        }
        let head = format!("do {i} = lbound({array}, 1), ubound({array}, 1)");
        let inside = vec![line(format!("integer :: {i}")), block(head, body, "end do")];
        Some((
            guarded(&guards, vec![block("block", inside, "end block")]),
            to.root,
        ))
    }

    fn construct(&mut self, scope: &Scope, places: &[Place]) -> Option<(Vec<Node>, String)> {
        let mut inner = Scope {
            nesting: scope.nesting + 1,
            ..scope.clone()
        };
        match self.r.below(4) {
            0 => {
                // ASSOCIATE
                let p = self.pick_place(places, |p| p.depth > 0 && !p.class)?;
                let name = format!("a{}", self.number());
                let form = match p.form {
                    Form::Allocatable => Form::Plain,
                    Form::AllocatableArray => Form::Assumed,
                    form => form,
                };
                inner.variables.retain(|v| v.name != p.root);
                inner.variables.push(Variable {
                    name: name.clone(),
                    what: What::Structure(p.t, false, form),
                    writable: p.writable,
                    optional: false,
                });
                let count = self.r.between(1, 3);
                let body = self.statements(&inner, count);
                let nodes = vec![block(
                    format!("associate ({name} => {})", p.text),
                    body,
                    "end associate",
                )];
                Some((guarded(&p.value_guards(), nodes), p.root))
            }
            1 => {
                // BLOCK in a loop that is left or goes on in its middle
                inner.loops += 1;
                let index = format!("i{}", self.number());
                let structures = self.r.between(1, 2);
                let (variables, declarations, values) = self.locals(structures, 1);
                inner.variables.extend(variables.clone());
                let mut body = declarations;
                body.extend(values);
                let count = self.r.between(1, 3);
                body.extend(self.statements(&inner, count));
                let way = self.r.pick(&["exit", "cycle"]);
                body.push(line(format!("if ({index} == 2) {way}")));
                body.extend(self.statements(&inner, 1));
                if let Some(v) = variables.first() {
                    body.extend(self.shown(v));
                }
                let inside = block("block", body, "end block");
                let around = block(format!("do {index} = 1, 3"), vec![inside], "end do");
                Some((
                    vec![block(
                        "block",
                        vec![line(format!("integer :: {index}")), around],
                        "end block",
                    )],
                    String::new(),
                ))
            }
            2 => {
                // BLOCK that is left by its name or by GOTO, or is gone through
                let structures = self.r.between(1, 2);
                let (variables, declarations, values) = self.locals(structures, 0);
                inner.variables.extend(variables.clone());
                let label = 100 + self.number();
                let name = format!("b{label}");
                let mut body = declarations;
                body.extend(values);
                let count = self.r.between(1, 2);
                body.extend(self.statements(&inner, count));
                let condition = if scope.procedure { "k > 1" } else { "early" };
                let declared = !scope.procedure;
                let way = self.r.below(3);
                match way {
                    0 => body.push(line(format!("if ({condition}) exit {name}"))),
                    1 => body.push(line(format!("if ({condition}) goto {label}"))),
                    _ => {}
                }
                body.extend(self.statements(&inner, 1));
                if let Some(v) = variables.first() {
                    body.extend(self.shown(v));
                }
                let mut nodes = vec![block(
                    format!("{name}: block"),
                    body,
                    format!("end block {name}"),
                )];
                if way == 1 {
                    nodes.push(line(format!("{label} continue")));
                }
                if declared && way < 2 {
                    let value = self.r.pick(&[".true.", ".false."]);
                    nodes.insert(0, line(format!("early = {value}")));
                    nodes.insert(0, line("logical :: early"));
                    nodes = vec![block("block", nodes, "end block")];
                }
                Some((nodes, String::new()))
            }
            _ => {
                // SELECT TYPE
                let p = self.pick_place(places, |p| p.class && !p.form.array())?;
                let family = family(&self.types, p.t);
                let t = self.r.pick(&family);
                let name = format!("s{}", self.number());
                inner.variables.retain(|v| v.name != p.root);
                inner.variables.push(Variable {
                    name: name.clone(),
                    what: What::Structure(t, false, Form::Plain),
                    writable: p.writable,
                    optional: false,
                });
                let count = self.r.between(1, 2);
                let body = self.statements(&inner, count);
                let nodes = vec![block(
                    format!("select type ({name} => {})", p.text),
                    vec![block(format!("type is ({})", self.types[t].name), body, "")],
                    "end select",
                )];
                Some((guarded(&p.value_guards(), nodes), p.root))
            }
        }
    }
}
