//! Loops of a kernel in steps of the launch's extents, `do i = first, n, blockDim%x*gridDim%x`, are plain C++ loops.
//!
//! Such a loop ends only if the limit leaves room for the step, which nobody knows before the launch. Where the threads begin with their
//! own numbers and the launcher can compute the limit, it makes sure of that (`cuf::check_stride`) and the kernel has the loop as one
//! would write it; elsewhere the loop stays a range that counts its iterations. For a loop that begins so, a limit without room means
//! an iteration count, `(limit - first + step)/step`, that is no integer of the loop's kind, which a program must not compute (F2018
//! 10.1.5.2.4, 11.1.7.4.1).

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::function::Changes;
use crate::ir::*;

/// What calls may change: the types of the parameters of a program's procedures.
type Parameters = BTreeMap<Ident, Vec<Type>>;

/// Makes the loops of the units' kernels plain. Kernels that device code launches, which are declared in headers, have no launcher that
/// could ask, so they stay.
pub fn plain(units: &mut [Unit]) {
    let parameters = parameters(units);
    for unit in units {
        let constants = constants(unit);
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
                    kernel(proc, &mut unit.launchers[*i].kind, place);
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

/// Named constants that a launcher sees.
fn constants(unit: &Unit) -> BTreeSet<Ident> {
    let mut out = BTreeSet::new();
    for n in &unit.namespaces {
        for item in n.header.iter().chain(&n.source) {
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

fn kernel(proc: &mut Proc, launcher: &mut LauncherKind, place: Place<'_>) {
    let LauncherKind::Kernel { args, strides, .. } = launcher else {
        return;
    };
    let changed = changed(&proc.body, place);
    let params = proc.params.iter().zip(args.iter());
    let params = params.filter(|(p, _)| {
        matches!(
            p.ty,
            Type::Int(1 | 2 | 4) | Type::View { .. } | Type::Array { .. }
        )
    });
    let mut known = Known {
        params: params
            .map(|(p, arg)| (p.name.clone(), arg.clone()))
            .collect(),
        locals: single_values(&proc.body),
        place,
    };
    known.params.retain(|name, _| !changed.contains(name));
    known.locals.retain(|name, _| !changed.contains(name));
    loops(&mut proc.body, &known, strides);
}

/// What has one value in a kernel.
struct Known<'p> {
    /// Parameters with the launcher's values.
    params: BTreeMap<String, Expr>,
    /// Locals that are declared once.
    locals: BTreeMap<String, Expr>,
    place: Place<'p>,
}

fn loops(body: &mut [Stmt], known: &Known<'_>, strides: &mut Vec<Stride>) {
    for s in body {
        for b in s.blocks_mut() {
            loops(b, known, strides);
        }
        let StmtKind::ForEach(f) = &mut s.kind else {
            continue;
        };
        let Some((from, to, step, stride)) = known.stride(f) else {
            continue;
        };
        let [var] = &f.vars[..] else { continue };
        let cond = Expr::binary(BinaryOp::Le, Expr::name(var, f.ty.clone()), to, Type::Bool);
        let plain = For {
            var: var.clone(),
            declare: Some(f.ty.clone()),
            from: Some(from),
            cond,
            step: Step::Expr(step),
            body: std::mem::take(&mut f.body),
        };
        s.kind = StmtKind::For(Box::new(plain));
        if !strides.contains(&stride) {
            strides.push(stride);
        }
    }
}

impl Known<'_> {
    /// First value, limit and step of a loop whose step is one of the launch, and what the launcher has to ask.
    fn stride(&self, f: &ForEach) -> Option<(Expr, Expr, Expr, Stride)> {
        let ExprKind::Call {
            callee: Callee::Function(Function::DoRange),
            args,
            ..
        } = &f.range.kind
        else {
            return None;
        };
        let [from, to, step] = &args[..] else {
            return None;
        };
        if f.ty != Type::Int(4) {
            return None;
        }
        let mut extents = Vec::new();
        self.extents(step, &mut extents, 0)?;
        self.is_own_number(from, &extents).then_some(())?;
        let stride = Stride {
            limit: self.outside(to, 0)?,
            extents,
        };
        Some((from.clone(), to.clone(), step.clone(), stride))
    }

    /// The extents whose product an expression is, each at most once.
    fn extents(&self, e: &Expr, out: &mut Vec<(Builtin, Axis)>, depth: usize) -> Option<()> {
        let e = e.unsigned_as_is();
        match &e.kind {
            ExprKind::Builtin(b @ (Builtin::BlockDim | Builtin::GridDim), axis) => {
                let extent = (*b, *axis);
                (!out.contains(&extent)).then(|| out.push(extent))
            }
            ExprKind::Binary {
                op: BinaryOp::Mul,
                lhs,
                rhs,
            } if depth < DEPTH => {
                self.extents(lhs, out, depth + 1)?;
                self.extents(rhs, out, depth + 1)
            }
            ExprKind::Name(i) if i.space == Namespaces::Local && depth < DEPTH => {
                self.extents(self.locals.get(&i.name)?, out, depth + 1)
            }
            _ => None,
        }
    }

    /// The value is the number of the thread, or of the block, among those whose number `extents` is, perhaps with a small offset.
    fn is_own_number(&self, from: &Expr, extents: &[(Builtin, Axis)]) -> bool {
        let mut own = Sum::default();
        if self.sum(from, &mut own, 0).is_none() || !(0..=OFFSET).contains(&own.constant) {
            return false;
        }
        let axis = match extents {
            [(_, axis)] | [(_, axis), _] => *axis,
            _ => return false,
        };
        let has = |b: Builtin| extents.contains(&(b, axis));
        match (extents.len(), has(Builtin::BlockDim), has(Builtin::GridDim)) {
            (1, false, true) => own.terms == [Term::Block(axis)],
            (2, true, true) => {
                own.terms.sort_unstable();
                own.terms == [Term::Thread(axis), Term::BlockStart(axis)]
            }
            _ => false,
        }
    }

    /// Takes a sum apart; None if it has other terms.
    fn sum(&self, e: &Expr, out: &mut Sum, depth: usize) -> Option<()> {
        if depth > DEPTH {
            return None;
        }
        let e = e.unsigned_as_is();
        match &e.kind {
            ExprKind::Int(v) => out.constant = out.constant.checked_add(*v)?,
            ExprKind::Builtin(Builtin::ThreadIdx, axis) => out.terms.push(Term::Thread(*axis)),
            ExprKind::Builtin(Builtin::BlockIdx, axis) => out.terms.push(Term::Block(*axis)),
            ExprKind::Name(i) if i.space == Namespaces::Local => {
                self.sum(self.locals.get(&i.name)?, out, depth + 1)?;
            }
            ExprKind::Binary {
                op: BinaryOp::Add,
                lhs,
                rhs,
            } => {
                self.sum(lhs, out, depth + 1)?;
                self.sum(rhs, out, depth + 1)?;
            }
            ExprKind::Binary {
                op: BinaryOp::Sub,
                lhs,
                rhs,
            } => {
                self.sum(lhs, out, depth + 1)?;
                out.constant = out.constant.checked_sub(rhs.as_int()?)?;
            }
            ExprKind::Binary {
                op: BinaryOp::Mul,
                lhs,
                rhs,
            } => {
                let pair = [lhs, rhs].map(|e| match &e.unsigned_as_is().kind {
                    ExprKind::Builtin(b, axis) => Some((*b, *axis)),
                    _ => None,
                });
                match pair {
                    [Some((Builtin::BlockIdx, a)), Some((Builtin::BlockDim, b))]
                    | [Some((Builtin::BlockDim, b)), Some((Builtin::BlockIdx, a))]
                        if a == b =>
                    {
                        out.terms.push(Term::BlockStart(a));
                    }
                    _ => return None,
                }
            }
            _ => return None,
        }
        Some(())
    }

    /// A value of the kernel as the launcher computes it.
    fn outside(&self, e: &Expr, depth: usize) -> Option<Expr> {
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
                    (None, None) => self.place.constants.contains(&name).then(|| Expr {
                        kind: ExprKind::Name(name),
                        ty: e.ty.clone(),
                    }),
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

/// A sum of numbers of threads and blocks (from 0) and a constant.
#[derive(Default)]
struct Sum {
    terms: Vec<Term>,
    constant: i128,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Term {
    Thread(Axis),
    Block(Axis),
    /// `blockIdx * blockDim`
    BlockStart(Axis),
}

/// Loops over the inside of a domain begin a little behind the thread's number.
const OFFSET: i128 = 64;

/// Expressions of limits and steps that are deeper are nobody's.
const DEPTH: usize = 16;

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
