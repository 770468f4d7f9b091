//! What every unit of device IR has to satisfy, before and after each pass; `emit` takes checked units only.
//!
//! - Types are known, and operands and arguments have values.
//! - Locals, labels and procedures as arguments are declared before they are used; each name is declared once in its block, and
//!   each member once in its namespace.
//! - Launchers pass as many arguments as their kernels have parameters, and have the parameters that the launcher ABI promises.

use rustc_hash::FxHashSet;

use super::*;

/// A unit that satisfies the rules.
#[derive(Debug)]
pub struct Checked<T>(T);

impl<T> std::ops::Deref for Checked<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

/// How a parameter of a launcher crosses, as the ABI says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crossing {
    Value,
    Pointer,
    Descriptor,
    Range,
}

/// A launcher as the ABI says.
#[derive(Clone, Debug)]
pub struct Interface {
    pub symbol: String,
    pub params: Vec<Crossing>,
}

/// A rule that a unit breaks: an error of the lowering or a pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    pub what: String,
    /// Offset in the source of the statement, if it comes from one.
    pub at: Option<u32>,
}

/// The unit, if it satisfies the rules together with the launchers that the ABI promises for it.
///
/// # Errors
///
/// All violations, in the unit's order.
pub fn checked(unit: Unit, interfaces: &[Interface]) -> Result<Checked<Unit>, Vec<Violation>> {
    let found = violations(&unit, interfaces);
    match found.is_empty() {
        true => Ok(Checked(unit)),
        false => Err(found),
    }
}

/// The rules that a unit breaks.
pub fn violations(unit: &Unit, interfaces: &[Interface]) -> Vec<Violation> {
    let mut v = Validator::default();
    let mut members: FxHashSet<(&str, &str)> = FxHashSet::default();
    for n in &unit.namespaces {
        for item in n.header.iter().chain(&n.source) {
            if let Some(name) = defined(item)
                && !members.insert((&n.name, name))
            {
                v.violation(format!("{name} is defined twice in {}", n.name));
            }
            v.item(item);
        }
    }
    for p in &unit.externals {
        v.function(p);
    }
    v.launchers(unit, interfaces);
    v.found
}

/// The rules that procedures break which are printed beside their unit, such as the two halves of a [`Guarded`](super::Guarded) kernel.
pub fn violations_of<'p>(procedures: impl Iterator<Item = &'p Proc>) -> Vec<Violation> {
    let mut v = Validator::default();
    procedures.for_each(|p| v.function(p));
    v.found
}

/// The name that the item defines; None for declarations.
fn defined(item: &Item) -> Option<&str> {
    match &item.kind {
        ItemKind::Struct(s) => Some(&s.name),
        ItemKind::Constant { name, .. } => Some(name),
        ItemKind::Variable(g) => (!g.is_extern).then_some(&*g.name),
        ItemKind::Prototype(_) => None,
        ItemKind::Proc(p) => Some(&p.name),
        ItemKind::Operation(o) => Some(&o.name),
    }
}

#[derive(Default)]
struct Validator<'u> {
    found: Vec<Violation>,
    /// The function or member that is looked at.
    member: String,
    /// Place of the statement.
    at: Option<u32>,
    /// Names declared so far, by block; outermost first.
    blocks: Vec<FxHashSet<&'u str>>,
    labels: FxHashSet<&'u str>,
}

impl<'u> Validator<'u> {
    fn violation(&mut self, what: String) {
        let what = match self.member.is_empty() {
            true => what,
            false => format!("{}: {what}", self.member),
        };
        self.found.push(Violation { what, at: self.at });
    }

    fn item(&mut self, item: &'u Item) {
        match &item.kind {
            ItemKind::Struct(s) => {
                self.member.clone_from(&s.name);
                for f in &s.fields {
                    self.object(&f.name, &f.ty);
                    f.init.iter().for_each(|e| self.value(e));
                }
            }
            ItemKind::Constant { name, ty, value } => {
                self.member.clone_from(name);
                self.object(name, ty);
                self.value(value);
            }
            ItemKind::Variable(g) => {
                self.member.clone_from(&g.name);
                self.object(&g.name, &g.ty);
                g.init.iter().for_each(|e| self.value(e));
            }
            ItemKind::Prototype(p) | ItemKind::Proc(p) => self.function(p),
            ItemKind::Operation(o) => {
                self.member.clone_from(&o.name);
                self.blocks.push(FxHashSet::default());
                for f in &o.fields {
                    self.declare(&f.name);
                    self.object(&f.name, &f.ty);
                }
                let elements = o.parts.iter().filter_map(|(_, part)| match part {
                    Part::Element(array) => Some(array),
                    _ => None,
                });
                for name in o.arrays.iter().flat_map(|(_, names)| names).chain(elements) {
                    self.declared(name);
                }
                self.blocks.pop();
            }
        }
        self.member.clear();
    }

    fn function(&mut self, p: &'u Proc) {
        self.member.clone_from(&p.name);
        self.ty(&p.result);
        self.blocks.push(FxHashSet::default());
        for q in p.params.iter().filter(|q| !q.name.is_empty()) {
            self.declare(&q.name);
            self.object(&q.name, &q.ty);
        }
        self.labels.clear();
        self.collect_labels(&p.body);
        self.statements(&p.body, p);
        self.blocks.pop();
        self.member.clear();
    }

    fn collect_labels(&mut self, body: &'u [Stmt]) {
        for s in body {
            if let StmtKind::Label(l) = &s.kind
                && !self.labels.insert(l)
            {
                self.violation(format!("label {l} is there twice"));
            }
            for b in s.blocks() {
                self.collect_labels(b);
            }
        }
    }

    fn declare(&mut self, name: &'u str) {
        let fresh = self.blocks.last_mut().is_none_or(|b| b.insert(name));
        if !fresh {
            self.violation(format!("{name} is declared twice"));
        }
    }

    fn declared(&mut self, name: &str) {
        if !self.blocks.iter().any(|b| b.contains(name)) {
            self.violation(format!("{name} is not declared"));
        }
    }

    // ---- statements ----

    fn block(&mut self, body: &'u [Stmt], p: &Proc) {
        self.blocks.push(FxHashSet::default());
        self.statements(body, p);
        self.blocks.pop();
    }

    fn statements(&mut self, body: &'u [Stmt], p: &Proc) {
        for s in body {
            let outer = self.at;
            self.at = s.at.or(outer);
            self.statement(s, p);
            self.at = outer;
        }
    }

    fn statement(&mut self, s: &'u Stmt, p: &Proc) {
        match &s.kind {
            StmtKind::Declare(d) => self.declaration(d),
            StmtKind::Assign { lhs, rhs } => {
                self.value(lhs);
                self.value(rhs);
            }
            StmtKind::Expr(e) => self.expression(e),
            StmtKind::If {
                branches,
                otherwise,
            } => {
                for (cond, body) in branches {
                    self.value(cond);
                    self.block(body, p);
                }
                otherwise.iter().for_each(|b| self.block(b, p));
            }
            StmtKind::For(f) => self.counted(f, p),
            StmtKind::ForEach(f) => {
                self.value(&f.range);
                self.ty(&f.ty);
                self.blocks.push(FxHashSet::default());
                f.vars.iter().for_each(|x| self.declare(x));
                self.statements(&f.body, p);
                self.blocks.pop();
            }
            StmtKind::While { cond, body } => {
                cond.iter().for_each(|c| self.value(c));
                self.block(body, p);
            }
            StmtKind::Switch {
                selector,
                cases,
                default,
            } => {
                self.value(selector);
                for (values, body, _) in cases {
                    values.iter().for_each(|e| self.value(e));
                    self.block(body, p);
                }
                default.iter().for_each(|(b, _)| self.block(b, p));
            }
            StmtKind::Block(body) => self.block(body, p),
            StmtKind::Goto(l) => {
                if !self.labels.contains(l.as_str()) {
                    self.violation(format!("there is no label {l}"));
                }
            }
            StmtKind::Return(value) => {
                value.iter().for_each(|e| self.value(e));
                if value.is_some() != (p.result != Type::Void) {
                    self.violation("a RETURN that does not fit the result".to_owned());
                }
            }
            StmtKind::Break | StmtKind::Continue | StmtKind::Label(_) | StmtKind::Empty => {}
        }
    }

    fn declaration(&mut self, d: &'u Declare) {
        for n in &d.names {
            self.object(&n.name, &d.ty);
            match &n.init {
                Init::Value(e) => self.value(e),
                Init::Args(args) => args.iter().for_each(|e| self.value(e)),
                Init::None | Init::Default => {}
            }
            self.declare(&n.name);
        }
    }

    fn counted(&mut self, f: &'u For, p: &Proc) {
        f.from.iter().for_each(|e| self.value(e));
        self.blocks.push(FxHashSet::default());
        match &f.declare {
            Some(ty) => {
                self.object(&f.var, ty);
                self.declare(&f.var);
            }
            None => self.declared(&f.var),
        }
        self.value(&f.cond);
        match &f.step {
            Step::By(_) => {}
            Step::Expr(e) => self.value(e),
            Step::Counted { count, by } => {
                self.declared(count);
                self.value(by);
            }
        }
        self.statements(&f.body, p);
        self.blocks.pop();
    }

    // ---- expressions and types ----

    /// An expression that has a value.
    fn value(&mut self, e: &Expr) {
        if e.ty == Type::Void {
            self.violation("an operand without a value".to_owned());
        }
        self.expression(e);
    }

    fn expression(&mut self, e: &Expr) {
        self.ty(&e.ty);
        match &e.kind {
            ExprKind::Name(i) if i.space == Namespaces::Local => self.declared(&i.name),
            ExprKind::Call {
                callee: Callee::Dummy(name),
                ..
            } => self.declared(name),
            ExprKind::Call { targs, .. } => {
                for t in targs {
                    if let TemplateArg::Type(t) = t {
                        self.ty(t);
                    }
                }
            }
            ExprKind::Element { base, subs } => {
                let rank = base.ty.rank();
                if rank > 0 && rank != subs.len() {
                    self.violation(format!("{} subscripts for {rank} dimensions", subs.len()));
                }
            }
            ExprKind::Section { base, subs } => {
                let rank = base.ty.rank();
                if rank > 0 && rank != subs.len() {
                    self.violation(format!("{} ranges for {rank} dimensions", subs.len()));
                }
            }
            ExprKind::Deref(p) if !matches!(p.ty.plain(), Type::Pointer { .. } | Type::Auto) => {
                self.violation("what is dereferenced is not a pointer".to_owned());
            }
            _ => {}
        }
        e.operands(&mut |x| self.value(x));
    }

    /// Something that has a type in memory.
    fn object(&mut self, name: &str, ty: &Type) {
        if *ty.plain() == Type::Void {
            self.violation(format!("{name} has no type"));
        }
        self.ty(ty);
    }

    fn ty(&mut self, ty: &Type) {
        match ty {
            Type::Unknown => self.violation("a type that is not known".to_owned()),
            Type::Const(t) | Type::Ref(t) => self.ty(t),
            Type::Pointer { to, .. } => self.ty(to),
            Type::Array { elem, .. }
            | Type::View { elem, .. }
            | Type::Descriptor { elem, .. }
            | Type::LocalArray { elem, .. } => self.object("an element", elem),
            Type::Fixed { elem, dims } => {
                self.object("an element", elem);
                for d in dims {
                    d.lower.iter().for_each(|e| self.value(e));
                    self.value(&d.upper);
                }
            }
            Type::Class(Class::ReductionDevice { elem, .. } | Class::OptionalValue(elem)) => {
                self.object("a value", elem);
            }
            _ => {}
        }
    }

    // ---- launchers ----

    fn launchers(&mut self, unit: &'u Unit, interfaces: &[Interface]) {
        let mut symbols = FxHashSet::default();
        for l in &unit.launchers {
            self.member.clone_from(&l.symbol);
            if !symbols.insert(l.symbol.as_str()) {
                self.violation("the launcher is there twice".to_owned());
            }
            match interfaces.iter().find(|i| i.symbol == l.symbol) {
                Some(i) => self.interface(l, i),
                None => self.violation("the launcher is not in the ABI".to_owned()),
            }
            self.launcher(unit, l);
            self.member.clear();
        }
        for i in interfaces {
            if !symbols.contains(i.symbol.as_str()) {
                self.violation(format!("there is no launcher {}", i.symbol));
            }
        }
    }

    fn interface(&mut self, l: &Launcher, i: &Interface) {
        if l.params.len() != i.params.len() {
            let (has, abi) = (l.params.len(), i.params.len());
            self.violation(format!("{has} parameters where the ABI has {abi}"));
        }
        for (p, crossing) in l.params.iter().zip(&i.params) {
            if crossing_of(&p.ty) != *crossing {
                let name = &p.name;
                self.violation(format!("{name} crosses otherwise than the ABI says"));
            }
        }
    }

    fn copy(&mut self, p: &'u PresentData) {
        self.value(&p.host);
        self.object(&p.name, &p.ty);
        self.declare(&p.name);
    }

    fn launcher(&mut self, unit: &'u Unit, l: &'u Launcher) {
        self.blocks.push(FxHashSet::default());
        for p in &l.params {
            self.declare(&p.name);
            self.object(&p.name, &p.ty);
        }
        match &l.kind {
            LauncherKind::Kernel {
                kernel,
                args,
                strides,
                few,
                present,
                ..
            } => {
                present.iter().for_each(|p| self.copy(p));
                args.iter().for_each(|a| self.value(a));
                strides.iter().for_each(|s| self.value(&s.limit));
                few.iter().flatten().for_each(|b| self.value(b));
                self.launch(unit, kernel, args.len());
            }
            LauncherKind::Loop {
                kernel,
                bounds,
                args,
                reductions,
                present,
                ..
            } => {
                bounds.iter().for_each(|b| self.value(b));
                present.iter().for_each(|p| self.copy(p));
                for r in reductions {
                    self.value(&r.target);
                    self.object(&r.name, &r.ty);
                    self.declare(&r.name);
                }
                for a in args {
                    match a {
                        LoopArg::Value(e) => self.value(e),
                        LoopArg::Reduction(i) if *i < reductions.len() => {}
                        LoopArg::Reduction(i) => self.violation(format!("no reduction {i}")),
                    }
                }
                self.launch(unit, kernel, args.len() + 1);
            }
            LauncherKind::Address { variable, .. } => {
                if !unit.members().any(|(space, item)| {
                    matches!(&item.kind, ItemKind::Variable(g) if is(variable, space, &g.name))
                }) {
                    self.violation(format!("there is no variable {}", variable.name));
                }
            }
            LauncherKind::Operation {
                operation,
                args,
                result,
                ..
            } => {
                args.iter().for_each(|a| self.value(a));
                self.ty(result);
                if let Some((name, fields)) = operation {
                    fields.iter().for_each(|a| self.value(a));
                    let found = unit.members().find_map(|(space, item)| match &item.kind {
                        ItemKind::Operation(o) if is(name, space, &o.name) => Some(o.fields.len()),
                        _ => None,
                    });
                    if found != Some(fields.len()) {
                        self.violation(format!("there is no such operation {}", name.name));
                    }
                }
            }
        }
        self.blocks.pop();
    }

    /// The kernel is there and takes so many arguments.
    fn launch(&mut self, unit: &Unit, kernel: &Ident, args: usize) {
        let own = unit.members().filter_map(|(space, item)| match &item.kind {
            ItemKind::Proc(p) if is(kernel, space, &p.name) => Some(p),
            _ => None,
        });
        let foreign = unit
            .externals
            .iter()
            .filter(|p| kernel.space == Namespaces::Local && p.name == kernel.name);
        let found = own.chain(foreign).next().map(|p| p.params.len());
        match found {
            Some(n) if n == args => {}
            Some(n) => self.violation(format!("{args} arguments for {n} parameters")),
            None => self.violation(format!("there is no kernel {}", kernel.name)),
        }
    }
}

fn is(i: &Ident, space: &str, name: &str) -> bool {
    i.name == name && matches!(&i.space, Namespaces::Unit(u) if u == space)
}

fn crossing_of(ty: &Type) -> Crossing {
    match ty {
        Type::Pointer { to, .. } => match to.plain() {
            Type::Class(Class::Descriptor) => Crossing::Descriptor,
            Type::Class(Class::LoopBounds) => Crossing::Range,
            _ => Crossing::Pointer,
        },
        _ => Crossing::Value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(name: &str) -> Expr {
        Expr::name(name, Type::Int(4))
    }

    fn function(body: Vec<Stmt>) -> Unit {
        let proc = Proc {
            c_name: None,
            name: "f".to_owned(),
            remarks: Vec::new(),
            kind: ProcKind::Device,
            result: Type::Void,
            params: vec![Param {
                name: "n".to_owned(),
                ty: Type::Int(4),
            }],
            body,
            names: Vec::new(),
        };
        let item = Item {
            kind: ItemKind::Proc(proc),
            notes: Notes::default(),
            origin: Origin::default(),
        };
        Unit {
            namespaces: vec![Namespace {
                name: "m".to_owned(),
                source: vec![item],
                ..Namespace::default()
            }],
            ..Unit::default()
        }
    }

    fn found(body: Vec<Stmt>) -> Vec<String> {
        let found = violations(&function(body), &[]);
        found.into_iter().map(|v| v.what).collect()
    }

    #[test]
    fn names_are_declared_once_and_before_use() {
        let declare = |name: &str| Stmt::declare(Type::Int(4), name, Init::None);
        let set = |name: &str| Stmt::assign(int(name), Expr::int(1));
        let block = |body| Stmt::from(StmtKind::Block(body));
        assert_eq!(found(vec![declare("k"), set("k")]), [""; 0]);
        assert_eq!(
            found(vec![set("k"), declare("k")]),
            ["f: k is not declared"]
        );
        assert_eq!(found(vec![declare("n")]), ["f: n is declared twice"]);
        assert_eq!(found(vec![block(vec![declare("n")])]), [""; 0]);
        assert_eq!(
            found(vec![block(vec![declare("k")]), set("k")]),
            ["f: k is not declared"]
        );
    }

    #[test]
    fn procedures_beside_the_unit_follow_the_rules() {
        let unit = function(vec![Stmt::assign(int("k"), Expr::int(1))]);
        let item = &unit.namespaces[0].source[0];
        let ItemKind::Proc(p) = &item.kind else {
            panic!("a procedure");
        };
        let found = violations_of([p].into_iter());
        assert_eq!(found[0].what, "f: k is not declared");
    }

    #[test]
    fn labels_are_there_once() {
        let goto = || Stmt::from(StmtKind::Goto("l".to_owned()));
        let label = || Stmt::from(StmtKind::Label("l".to_owned()));
        assert_eq!(found(vec![goto(), label()]), [""; 0]);
        assert_eq!(found(vec![goto()]), ["f: there is no label l"]);
        assert_eq!(found(vec![label(), label()]), ["f: label l is there twice"]);
    }

    #[test]
    fn types_are_known() {
        let unknown = Stmt::declare(Type::Unknown, "k", Init::None);
        assert_eq!(found(vec![unknown]), ["f: a type that is not known"]);
        let call = Expr::call(Function::Stop, Vec::new(), Type::Void);
        assert_eq!(
            found(vec![Stmt::assign(int("n"), call)]),
            ["f: an operand without a value"]
        );
        let array = Expr::name(
            "n",
            Type::View {
                elem: Box::new(Type::Int(4)),
                rank: 2,
            },
        );
        let element = array.at(vec![Expr::int(1)]);
        assert_eq!(
            found(vec![Stmt::assign(element, Expr::int(1))]),
            ["f: 1 subscripts for 2 dimensions"]
        );
    }

    #[test]
    fn launchers_are_those_of_the_abi() {
        let mut unit = function(Vec::new());
        unit.launchers.push(Launcher {
            symbol: "cuf_m_f".to_owned(),
            recursive: false,
            params: vec![Param {
                name: "n".to_owned(),
                ty: Type::Int(4),
            }],
            kind: LauncherKind::Kernel {
                kernel: Ident {
                    space: Namespaces::Unit("m".to_owned()),
                    name: "f".to_owned(),
                },
                args: vec![int("n")],
                cooperative: false,
                cluster: Vec::new(),
                registered: String::new(),
                threads: None,
                indexed: false,
                strides: Vec::new(),
                few: Vec::new(),
                present: Vec::new(),
            },
            origin: Origin::default(),
        });
        let abi = |params| Interface {
            symbol: "cuf_m_f".to_owned(),
            params,
        };
        let found = |i: &[Interface]| -> Vec<String> {
            let found = violations(&unit, i);
            found.into_iter().map(|v| v.what).collect()
        };
        assert_eq!(found(&[abi(vec![Crossing::Value])]), [""; 0]);
        assert_eq!(found(&[]), ["cuf_m_f: the launcher is not in the ABI"]);
        assert_eq!(
            found(&[abi(vec![Crossing::Pointer])]),
            ["cuf_m_f: n crosses otherwise than the ABI says"]
        );
        assert_eq!(
            found(&[abi(Vec::new())]),
            ["cuf_m_f: 1 parameters where the ABI has 0"]
        );
    }
}
