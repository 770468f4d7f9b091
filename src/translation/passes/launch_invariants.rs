//! What the launcher of a kernel knows of the values in it: numbers that it passes, and what is computed of them.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::function::Changes;
use crate::ir::*;

/// What calls may change: the types of the parameters of a program's procedures.
type Parameters = BTreeMap<Ident, Vec<Type>>;

/// Calls `f` with the units' kernels, their launchers, and what these know. Kernels that device code launches, which are declared in
/// headers, have no launcher that could ask, so they are left out.
pub fn each_kernel(
    units: &mut [Unit],
    mut f: impl FnMut(&mut Proc, &mut LauncherKind, &Known<'_>),
) {
    let parameters = parameters(units);
    let shared: BTreeSet<Ident> = units.iter().flat_map(|u| constants(u, false)).collect();
    for unit in units {
        let mut constants = constants(unit, true);
        constants.extend(shared.iter().cloned());
        let mut kernels = BTreeMap::new();
        for (i, l) in unit.launchers.iter().enumerate() {
            if let LauncherKind::Kernel { kernel, .. } = &l.kind {
                kernels.insert(kernel.clone(), i);
            }
        }
        for n in &mut unit.namespaces {
            let launched: BTreeSet<&str> = n.header.iter().filter_map(kernel_prototype).collect();
            for item in &mut n.source {
                let ItemKind::Proc(proc) = &mut item.kind else {
                    continue;
                };
                let ident = Ident {
                    space: Namespaces::Unit(n.name.clone()),
                    name: proc.name.clone(),
                };
                let Some(i) = kernels.get(&ident) else {
                    continue;
                };
                if !launched.contains(proc.name.as_str()) {
                    let place = Place {
                        namespace: &n.name,
                        parameters: &parameters,
                        constants: &constants,
                    };
                    let launcher = &mut unit.launchers[*i].kind;
                    if let LauncherKind::Kernel { args, .. } = launcher {
                        let known = Known::of(proc, args, place);
                        f(proc, launcher, &known);
                    }
                }
            }
        }
    }
}

fn kernel_prototype(item: &Item) -> Option<&str> {
    match &item.kind {
        ItemKind::Prototype(p) if matches!(p.kind, ProcKind::Kernel { .. }) => Some(&p.name),
        _ => None,
    }
}

/// Those of all procedures that are defined.
fn parameters(units: &[Unit]) -> Parameters {
    let mut out = Parameters::new();
    for n in units.iter().flat_map(|u| &u.namespaces) {
        for item in n.header.iter().chain(&n.source) {
            if let ItemKind::Proc(p) = &item.kind {
                let ident = Ident {
                    space: Namespaces::Unit(n.name.clone()),
                    name: p.name.clone(),
                };
                let types = p.params.iter().map(|p| p.ty.clone()).collect();
                out.insert(ident, types);
            }
        }
    }
    out
}

/// Named constants of a unit: those in its header, which whoever uses them includes, and its own.
fn constants(unit: &Unit, own: bool) -> BTreeSet<Ident> {
    let mut out = BTreeSet::new();
    for n in &unit.namespaces {
        let source = n.source.iter().filter(|_| own);
        for item in n.header.iter().chain(source) {
            if let ItemKind::Constant { name, .. } = &item.kind {
                out.insert(Ident {
                    space: Namespaces::Unit(n.name.clone()),
                    name: name.clone(),
                });
            }
        }
    }
    out
}

/// Where a kernel stands.
#[derive(Clone, Copy)]
struct Place<'p> {
    namespace: &'p str,
    parameters: &'p Parameters,
    constants: &'p BTreeSet<Ident>,
}

impl Place<'_> {
    /// A name as it is known outside of the namespace.
    fn outside(&self, name: &Ident) -> Ident {
        let mut ident = name.clone();
        if ident.space == Namespaces::Local {
            ident.space = Namespaces::Unit(self.namespace.to_owned());
        }
        ident
    }
}

/// What has one value in a kernel.
pub struct Known<'p> {
    /// Parameters with the launcher's values.
    params: BTreeMap<String, Expr>,
    /// Locals that are declared once.
    locals: BTreeMap<String, Expr>,
    place: Place<'p>,
}

impl<'p> Known<'p> {
    fn of(proc: &Proc, args: &[Expr], place: Place<'p>) -> Self {
        let changed = changed(&proc.body, place);
        let params = proc.params.iter().zip(args);
        let params = params
            .filter(|(p, _)| matches!(p.ty, Type::Int(_) | Type::View { .. } | Type::Array { .. }));
        let mut known = Known {
            params: params
                .map(|(p, arg)| (p.name.clone(), arg.clone()))
                .collect(),
            locals: single_values(&proc.body),
            place,
        };
        known.params.retain(|name, _| !changed.contains(name));
        known.locals.retain(|name, _| !changed.contains(name));
        known
    }

    /// The first value of a local that has no other.
    pub fn local(&self, name: &str) -> Option<&Expr> {
        self.locals.get(name)
    }

    /// The value is the same in every launch.
    pub fn is_constant(&self, e: &Expr) -> bool {
        let named = |i: &Ident| self.place.constants.contains(&self.place.outside(i));
        e.as_int().is_some() || matches!(&e.kind, ExprKind::Name(i) if named(i))
    }

    /// A value of the kernel as the launcher computes it.
    pub fn outside(&self, e: &Expr, depth: usize) -> Option<Expr> {
        if depth > DEPTH || !matches!(e.ty, Type::Int(_)) {
            return None;
        }
        match &e.kind {
            ExprKind::Int(_) => Some(e.clone()),
            ExprKind::Name(i) => {
                let own = (i.space == Namespaces::Local)
                    .then(|| self.params.get(&i.name).cloned())
                    .flatten();
                let local = || match i.space {
                    Namespaces::Local => self.locals.get(&i.name),
                    Namespaces::Unit(_) => None,
                };
                let name = self.place.outside(i);
                match (own, local()) {
                    (Some(arg), _) => Some(arg),
                    (None, Some(value)) => self.outside(value, depth + 1),
                    (None, None) => self
                        .place
                        .constants
                        .contains(&name)
                        .then(|| Expr::new(ExprKind::Name(name), e.ty.clone())),
                }
            }
            ExprKind::Binary {
                op: op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul),
                lhs,
                rhs,
            } => {
                let [lhs, rhs] = [lhs, rhs].map(|e| self.outside(e, depth + 1));
                Some(Expr::binary(*op, lhs?, rhs?, e.ty.clone()))
            }
            // As it is: the launcher compares in 64 bits.
            ExprKind::Convert(inner) => self.outside(inner, depth + 1),
            ExprKind::Method {
                base,
                name: name @ (Method::Size | Method::Ubound),
                args,
            } if args.iter().all(|a| a.as_int().is_some()) => {
                let array = self.params.get(base.local()?)?;
                Some(array.clone().method(*name, args.clone(), e.ty.clone()))
            }
            _ => None,
        }
    }
}

/// Expressions of limits and steps that are deeper are nobody's.
pub const DEPTH: usize = 16;

/// The first values of locals that are declared once.
fn single_values(body: &[Stmt]) -> BTreeMap<String, Expr> {
    let mut found: BTreeMap<String, Option<Expr>> = BTreeMap::new();
    let mut declared = |name: &str, value: Option<&Expr>| {
        let first = !found.contains_key(name);
        let value = value.filter(|_| first).cloned();
        found.insert(name.to_owned(), value);
    };
    for s in body {
        s.walk(&mut |s| match &s.kind {
            StmtKind::Declare(d) => {
                for n in &d.names {
                    let value = match &n.init {
                        Init::Value(e) if matches!(d.ty.plain(), Type::Int(4)) => Some(e),
                        _ => None,
                    };
                    declared(&n.name, value);
                }
            }
            StmtKind::For(f) if f.declare.is_some() => declared(&f.var, None),
            StmtKind::ForEach(f) => f.vars.iter().for_each(|v| declared(v, None)),
            _ => {}
        });
    }
    let single = found.into_iter().filter_map(|(n, v)| Some((n, v?)));
    single.collect()
}

/// The names that may get another value than their first.
fn changed(body: &[Stmt], place: Place<'_>) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    for s in body {
        s.walk(&mut |s| {
            match &s.kind {
                StmtKind::Assign { lhs, .. } => names(lhs, &mut out),
                StmtKind::For(f) => {
                    if f.declare.is_none() {
                        out.insert(f.var.clone());
                    }
                    if let Step::Counted { count, .. } = &f.step {
                        out.insert(count.clone());
                    }
                }
                _ => {}
            }
            s.own_exprs(&mut |e| e.walk(&mut |e| changed_by(e, place, &mut out)));
        });
    }
    out
}

/// The names that an expression by itself may change, or give others the means to.
fn changed_by(e: &Expr, place: Place<'_>, out: &mut BTreeSet<String>) {
    match &e.kind {
        ExprKind::Increment(x) | ExprKind::AddressOf(x) => names(x, out),
        ExprKind::Call { callee, args, .. } => {
            let types = match callee {
                Callee::Procedure(i) => place.parameters.get(&place.outside(i)),
                _ => None,
            };
            let value = callee.facts().is_some_and(|f| f.changes == Changes::None);
            for (i, a) in args.iter().enumerate() {
                let by_value = types
                    .and_then(|t| t.get(i))
                    .is_some_and(|t| matches!(t, Type::Int(_) | Type::Real(_) | Type::Bool));
                if !value && !by_value && a.is_place() {
                    names(a, out);
                }
            }
        }
        ExprKind::Method { base, name, args } if name.facts().changes != Changes::None => {
            names(base, out);
            args.iter()
                .filter(|a| a.is_place())
                .for_each(|a| names(a, out));
        }
        ExprKind::Bound { args, .. } | ExprKind::Object(args) => {
            args.iter()
                .filter(|a| a.is_place())
                .for_each(|a| names(a, out));
        }
        _ => {}
    }
}

/// The variables that a place is.
fn names(e: &Expr, out: &mut BTreeSet<String>) {
    match &e.kind {
        ExprKind::Name(_) => out.extend(e.local().map(str::to_owned)),
        // The shape of an array stays when its elements change.
        ExprKind::Element { .. } | ExprKind::Field { .. } => {}
        ExprKind::Deref(base) | ExprKind::Convert(base) => names(base, out),
        ExprKind::Conditional {
            then, otherwise, ..
        } => {
            names(then, out);
            names(otherwise, out);
        }
        _ => {}
    }
}
