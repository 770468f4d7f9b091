//! Namespace members.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashSet;

use super::expr::{NO_NAMES, Printer};
use super::tags::{Holder, Tags};
use super::writer::{Mark, Writer};
use crate::ir::*;
use crate::map::Rule;

/// Whether local variables are made known to the checks, and the marks of origins, if there are to be any.
pub type Style<'t> = (bool, Option<&'t Tags>);

/// A namespace, printed.
pub struct Printed {
    pub name: String,
    /// Comments above, each line ended.
    pub doc: String,
    /// Members, each line ended.
    pub body: String,
    /// What lines of the body come from.
    pub marks: Vec<Mark>,
}

/// Prints the members of one namespace (`in_header` or not), with what is said about it where it is `first` met. Names of other
/// namespaces get using-declarations; `late`: some of them are declared behind this header, so there they are qualified.
pub fn namespace(
    n: &Namespace,
    in_header: bool,
    first: bool,
    late: bool,
    (checked, tags): Style<'_>,
) -> Printed {
    let known = match late {
        true => BTreeSet::new(),
        false => foreign(n, true),
    };
    let using = match in_header {
        true => known.clone(),
        false => {
            let mut more = foreign(n, false);
            let elsewhere = |i: &Ident| known.iter().any(|k| k.name == i.name);
            more.retain(|i| known.contains(i) || !elsewhere(i));
            more.union(&known).cloned().collect()
        }
    };
    let mut w = Writer::new(tags.is_some());
    // Each on a line of its own, so that one more changes no other.
    for i in using.iter().filter(|i| in_header || !known.contains(i)) {
        if let Namespaces::Unit(u) = &i.space {
            // A structure of this namespace may have the other namespace's name.
            let first = u.split("::").next().unwrap_or(u);
            let hidden = n.header.iter().chain(&n.source).any(|m| member(m) == first);
            let root = if hidden { "::" } else { "" };
            w.line(&format!("using {root}{u}::{};", i.name));
        }
    }
    w.blank();
    let p = members(&mut w, n, in_header, &using, (checked, tags));
    let mut doc = Writer::new(tags.is_some());
    if first {
        p.notes_above(&mut doc, &n.doc, true);
    }
    w.blank();
    Printed {
        name: n.name.clone(),
        doc: doc.finish(),
        marks: w.take_marks(),
        body: w.finish(),
    }
}

/// The names of other namespaces that the members mention and that are free in this one.
fn foreign(n: &Namespace, in_header: bool) -> BTreeSet<Ident> {
    let p = members(
        &mut Writer::default(),
        n,
        in_header,
        &NO_NAMES,
        (false, None),
    );
    let mut found = p.foreign.take();
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for i in &found {
        *times.entry(i.name.clone()).or_default() += 1;
    }
    found.retain(|i| !p.members.contains(i.name.as_str()) && times.get(&i.name) == Some(&1));
    found
}

/// Prints the members; the result knows what it met.
fn members<'n>(
    w: &mut Writer,
    n: &'n Namespace,
    in_header: bool,
    using: &'n BTreeSet<Ident>,
    (checked, tags): Style<'n>,
) -> Printer<'n> {
    let items = if in_header { &n.header } else { &n.source };
    let all = n.header.iter().chain(&n.source).map(member);
    let mut p = Printer {
        namespace: &n.name,
        members: all.chain(using.iter().map(|i| i.name.as_str())).collect(),
        using,
        checked,
        tags,
        ..Printer::default()
    };
    let mut last_multiline = false;
    let beside = |a: &Item, b: &Item| match (&a.kind, &b.kind) {
        (ItemKind::Variable(a), ItemKind::Variable(next)) => {
            b.notes.above.is_empty() && a.is_beside(next)
        }
        _ => false,
    };
    for together in items.chunk_by(beside) {
        let [i, more @ ..] = together else { continue };
        let multiline = matches!(
            i.kind,
            ItemKind::Proc(_) | ItemKind::Struct(_) | ItemKind::Operation(_)
        );
        if multiline || last_multiline {
            w.blank();
        }
        p.notes_above(w, &i.notes, true);
        (p.locals, p.called) = match &i.kind {
            ItemKind::Proc(procedure) => declared(procedure),
            // A component changes the meaning of its name in its structure.
            ItemKind::Struct(t) => {
                let fields = t.fields.iter().map(|f| f.name.as_str());
                (fields.collect(), FxHashSet::default())
            }
            ItemKind::Operation(o) => {
                let fields = o.fields.iter().map(|f| f.name.as_str());
                (fields.collect(), FxHashSet::default())
            }
            _ => Default::default(),
        };
        if tags.is_some() {
            p.names = names(&i.kind);
        }
        p.open(w, i.origin);
        match with_names(i, more) {
            Some(joined) => p.item(w, &joined),
            None => p.item(w, i),
        }
        p.close(w, i.origin);
        last_multiline = multiline;
    }
    p
}

/// The declaration of a variable together with those `beside` it; None: there are none.
fn with_names(i: &Item, beside: &[Item]) -> Option<Item> {
    let ItemKind::Variable(v) = &i.kind else {
        return None;
    };
    let names = beside.iter().map(member);
    let names: Vec<&str> = std::iter::once(&*v.name).chain(names).collect();
    (!beside.is_empty()).then(|| Item {
        kind: ItemKind::Variable(GlobalVariable {
            name: names.join(", "),
            ..v.clone()
        }),
        notes: i.notes.clone(),
        origin: i.origin,
    })
}

/// The origins of the names of a function, also of those behind the arrays of a kernel.
fn names(item: &ItemKind) -> BTreeMap<&str, &Named> {
    let (ItemKind::Proc(p) | ItemKind::Prototype(p)) = item else {
        return BTreeMap::new();
    };
    let mut all: BTreeMap<&str, &Named> = p.names.iter().map(|n| (n.name.as_str(), n)).collect();
    if let ProcKind::Kernel { arrays, .. } = &p.kind {
        for a in arrays {
            if let Some(of) = all.get(a.name.as_str()).copied() {
                all.entry(&a.pointer).or_insert(of);
                all.entry(&a.layout).or_insert(of);
            }
        }
    }
    all
}

/// Name of a namespace member.
fn member(i: &Item) -> &str {
    match &i.kind {
        ItemKind::Struct(s) => &s.name,
        ItemKind::Constant { name, .. } => name,
        ItemKind::Variable(v) => &v.name,
        ItemKind::Prototype(p) | ItemKind::Proc(p) => &p.name,
        ItemKind::Operation(o) => &o.name,
    }
}

/// The names that a function declares, and those of them that are procedures as arguments.
fn declared(p: &Proc) -> (FxHashSet<&str>, FxHashSet<&str>) {
    let mut all: FxHashSet<&str> = p.params.iter().map(|x| x.name.as_str()).collect();
    let procedures = p.params.iter().filter(|x| x.ty == Type::Auto);
    let called = procedures.map(|x| x.name.as_str()).collect();
    if let ProcKind::Kernel { arrays, .. } = &p.kind {
        let names = |a| -> [&str; 3] {
            let a: &ArrayParam = a;
            [&a.name, &a.pointer, &a.layout]
        };
        all.extend(arrays.iter().flat_map(names));
    }
    declared_in(&p.body, &mut all);
    (all, called)
}

/// The names that statements declare, those of inner blocks included.
fn declared_in<'p>(body: &'p [Stmt], all: &mut FxHashSet<&'p str>) {
    for s in body {
        match &s.kind {
            StmtKind::Declare(d) => all.extend(d.names.iter().map(|n| n.name.as_str())),
            StmtKind::For(f) if f.declare.is_some() => {
                all.insert(&f.var);
            }
            StmtKind::ForEach(f) => all.extend(f.vars.iter().map(String::as_str)),
            _ => {}
        }
        s.blocks().into_iter().for_each(|b| declared_in(b, all));
    }
}

impl Printer<'_> {
    fn item(&self, w: &mut Writer, i: &Item) {
        match &i.kind {
            ItemKind::Struct(s) => return self.structure(w, s, i.notes.trailing.as_deref()),
            ItemKind::Constant { name, ty, value } => {
                // Objects of classes are used through references, so they need a place in device memory.
                let object = matches!(
                    ty.plain(),
                    Type::Character(_) | Type::Derived(_) | Type::Complex(_) | Type::Real(2)
                );
                let head = if ty.rank() > 0 || object {
                    "__device__ const"
                } else {
                    "constexpr"
                };
                w.line(&format!(
                    "{head} {} {name} = {};",
                    self.ty(ty),
                    self.converted(value, ty)
                ));
            }
            ItemKind::Variable(v) => {
                let space = match v.space {
                    GlobalSpace::Device => "__device__",
                    GlobalSpace::Constant => "__constant__",
                    GlobalSpace::Managed => "__managed__",
                };
                let ext = if v.is_extern { "extern " } else { "" };
                let init = match &v.init {
                    Some(e) if !v.is_extern => format!(" = {}", self.converted(e, &v.ty)),
                    _ => String::new(),
                };
                w.line(&format!(
                    "{ext}{space} {} {}{init};",
                    self.ty(&v.ty),
                    v.name
                ));
            }
            ItemKind::Operation(o) => return self.operation(w, o),
            ItemKind::Prototype(p) => {
                w.line(&format!("{};", self.signature(p)));
            }
            ItemKind::Proc(p) => {
                for r in &p.remarks {
                    self.open(w, Origin::by(Rule::Comment));
                    w.comment(&format!("//{r}"));
                    self.close(w, Origin::by(Rule::Comment));
                }
                if matches!(p.kind, ProcKind::Kernel { indexed: true, .. }) {
                    w.line("template <class index_type>");
                }
                w.line(&self.signature(p));
                w.line("{");
                w.indent();
                self.stmts(w, &p.body);
                w.dedent();
                w.line("}");
                w.end_marked();
                if p.c_name.as_ref().is_some_and(|c| *c != p.name) {
                    let c = p.c_name.as_deref().unwrap_or_default();
                    w.line(&format!("constexpr auto& {} = {c};", p.name));
                }
            }
        }
        if let Some(c) = &i.notes.trailing {
            w.append(&self.remark(c));
        }
    }

    fn structure(&self, w: &mut Writer, s: &Struct, note: Option<&str>) {
        w.line(&format!("struct {} {{", s.name));
        if let Some(c) = note {
            w.append(&self.remark(c));
        }
        w.indent();
        // Each pointer has an asterisk of its own.
        let joined = |f: &StructField| f.joined && !self.component(&f.ty).ends_with('*');
        for together in s.fields.chunk_by(|_, next| joined(next)) {
            let (Some(first), Some(last)) = (together.first(), together.last()) else {
                continue;
            };
            let names: Vec<_> = together.iter().map(|f| f.name.as_str()).collect();
            self.open(w, first.origin);
            self.fields(w, first, last, &names.join(", "));
            self.close(w, first.origin);
        }
        w.dedent();
        w.line("};");
    }

    /// The operands, and what the runtime asks of them.
    fn operation(&self, w: &mut Writer, o: &Operation) {
        w.line(&format!("struct {} {{", o.name));
        w.indent();
        let factors = o.factors.map_or(String::new(), |(l, r)| {
            format!(", left_rank = {l}, right_rank = {r}")
        });
        w.line(&format!("static constexpr int rank = {}{factors};", o.rank));
        let has = |wanted: &str| o.parts.iter().any(|(part, _)| *part == wanted);
        let (masked, valued) = (has("mask"), has("value"));
        let nested = has("outer");
        w.line(&format!(
            "static constexpr bool masked = {masked}, valued = {valued}, nested = {nested};"
        ));
        for f in &o.fields {
            w.line(&format!("{} {};", self.ty(&f.ty), f.name));
        }
        for (group, names) in &o.arrays {
            let all: Vec<_> = std::iter::once(*group)
                .chain(names.iter().map(String::as_str))
                .collect();
            w.line(&format!("CUF_OPERANDS({})", all.join(", ")));
        }
        for (part, how) in &o.parts {
            w.line(&match how {
                Part::Function(f) => format!("CUF_PART({part}, {f})"),
                Part::Element(array) => format!("CUF_ELEMENT({part}, {array})"),
                Part::Result => format!("CUF_RESULT({part})"),
            });
        }
        w.dedent();
        w.line("};");
    }

    /// The type of a component; what the host's compiler has for a scalar pointer is not always an address alone.
    fn component(&self, ty: &Type) -> String {
        match ty {
            Type::Pointer { to, .. } if **to != Type::Void => {
                format!("cuf::fortran_scalar<{}>", self.ty(to))
            }
            other => self.ty(other),
        }
    }

    /// One declaration of the components `names`, from `first` to `last`.
    fn fields(&self, w: &mut Writer, first: &StructField, last: &StructField, names: &str) {
        self.notes_above(w, &first.notes, true);
        let init = first
            .init
            .as_ref()
            .map(|e| format!(" = {}", self.converted(e, &first.ty)))
            .unwrap_or_default();
        w.line(&format!("{} {names}{init};", self.component(&first.ty)));
        if let Some(c) = &last.notes.trailing {
            w.append(&self.remark(c));
        }
    }

    fn signature(&self, p: &Proc) -> String {
        let head = match &p.kind {
            ProcKind::Kernel { bounds, .. } => {
                let b: Vec<_> = bounds.iter().map(i64::to_string).collect();
                if b.is_empty() {
                    "__global__ ".to_owned()
                } else {
                    format!("__global__ __launch_bounds__({}) ", b.join(", "))
                }
            }
            ProcKind::Device => "__device__ inline ".to_owned(),
            ProcKind::HostDevice => "__host__ __device__ inline ".to_owned(),
        };
        let (linkage, name) = match &p.c_name {
            Some(c) => ("extern \"C\" ", c),
            None => ("", &p.name),
        };
        format!(
            "{linkage}{head}{} {name}({})",
            self.ty(&p.result),
            self.params(&p.params)
        )
    }

    fn params(&self, params: &[Param]) -> String {
        params
            .iter()
            .map(|p| {
                let text = format!("{} {}", self.ty(&p.ty), p.name);
                let text = text.trim_end().to_owned();
                let origin = match self.names.is_empty() {
                    true => Origin::default(),
                    false => Origin::by(Rule::Parameter),
                };
                let origin = self.origin_of(&p.name).unwrap_or(origin);
                self.tagged(text, origin, Holder::Own)
            })
            .collect::<Vec<_>>()
            .join(", ")
    }
}

/// Namespaces within that of a unit, of what its kernels ask first and of what follows.
pub const INSIDE: &str = "cuf_inside";
pub const BODY: &str = "cuf_body";

/// What the unit's kernels among these ask first, and what follows, as functions of their names.
pub fn guards(n: &Namespace, alone: &[BarrierFreeKernel]) -> String {
    let mut w = Writer::default();
    let all = n.header.iter().chain(&n.source).map(member);
    let mut p = Printer {
        namespace: &n.name,
        members: all.collect(),
        ..Printer::default()
    };
    // A unit may have several namespaces of one name.
    let has = |k: &BarrierFreeKernel| n.source.iter().any(|i| member(i) == k.name);
    let own = |k: &&BarrierFreeKernel| k.space == n.name && has(k);
    let guarded: Vec<_> = (alone.iter().filter(own))
        .filter_map(|k| k.guarded.as_ref())
        .collect();
    for inner in [INSIDE, BODY] {
        if guarded.is_empty() {
            break;
        }
        w.line(&format!("namespace {}::{inner} {{", n.name));
        for g in &guarded {
            let function = if inner == INSIDE { &g.inside } else { &g.body };
            (p.locals, p.called) = declared(function);
            let kind = ItemKind::Proc(function.clone());
            let item = Item {
                kind,
                notes: Notes::default(),
                origin: Origin::default(),
            };
            p.item(&mut w, &item);
        }
        w.line("}");
    }
    w.finish()
}

/// Declaration of a kernel or device procedure of another language.
pub fn external(p: &Proc) -> String {
    let printer = Printer::default();
    let params = printer.params(&p.params);
    let space = match p.kind {
        ProcKind::Kernel { .. } => "__global__",
        _ => "__device__",
    };
    format!(
        "extern \"C\" {space} {} {}({params});",
        printer.ty(&p.result),
        p.name
    )
}
