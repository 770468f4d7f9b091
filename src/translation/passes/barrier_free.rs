//! Kernels whose threads never wait for each other, which the cpu target runs as loops over them. The generated text is the same: the
//! list stands in the file beside it, and a kernel that is not in it is only slower.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::function::{Memory, Sync};
use crate::ir::*;
use crate::passes::guards;

/// Those of each unit.
pub fn kernels(units: &[Unit]) -> Vec<Vec<BarrierFreeKernel>> {
    let mut procedures = BTreeMap::new();
    for n in units.iter().flat_map(|u| &u.namespaces) {
        for item in n.header.iter().chain(&n.source) {
            if let ItemKind::Proc(p) = &item.kind {
                procedures.insert((n.name.as_str(), p.name.as_str()), p);
            }
        }
    }
    units.iter().map(|u| of_unit(u, &procedures)).collect()
}

type Procedures<'a> = BTreeMap<(&'a str, &'a str), &'a Proc>;

fn of_unit(unit: &Unit, procedures: &Procedures<'_>) -> Vec<BarrierFreeKernel> {
    let mut out = Vec::new();
    for n in &unit.namespaces {
        for item in &n.source {
            let ItemKind::Proc(p) = &item.kind else {
                continue;
            };
            let ProcKind::Kernel { indexed, .. } = p.kind else {
                continue;
            };
            let mut found = Found::new(procedures);
            found.procedure(&n.name, p);
            let is_loop = has_grid_stride(p);
            // Real sums of atomic operations depend on the order, which for a loop by rows is another one. What is printed has one order,
            // and is not printed again where a fault is looked for.
            if found.waits
                || found.prints
                || found.spins && found.meets
                || found.loops && found.observes
                || is_loop && (found.meets || found.places)
            {
                continue;
            }
            out.push(BarrierFreeKernel {
                space: n.name.clone(),
                name: p.name.clone(),
                guarded: (!is_loop).then(|| guards::split(n, p)).flatten(),
                indexed,
                is_loop,
                wide: !found.meets && !found.local_index,
            });
        }
    }
    out
}

fn has_grid_stride(p: &Proc) -> bool {
    let strided = |s: &Stmt| matches!(&s.kind, StmtKind::ForEach(f) if is_grid_stride(&f.range));
    p.body.iter().any(strided)
}

fn is_grid_stride(range: &Expr) -> bool {
    matches!(&range.kind, ExprKind::Call { callee, .. } if callee.is(Function::GridStride))
}

/// What a kernel and the procedures that it calls do.
struct Found<'a> {
    procedures: &'a Procedures<'a>,
    seen: BTreeSet<Ident>,
    /// Those that are being looked at, each called by the one before.
    within: Vec<Ident>,
    /// Threads wait for each other, or nothing is known of a procedure.
    waits: bool,
    /// Loops of which nobody knows that they end without another thread.
    spins: bool,
    /// Loops of any kind.
    loops: bool,
    /// Atomic operations, fences: other threads' writes are seen.
    meets: bool,
    /// Other than by an atomic operation whose result nobody looks at: in a loop, even one that ends, a thread may wait so for another.
    observes: bool,
    prints: bool,
    /// The number of a thread in its block or of the block along x is asked for.
    local_index: bool,
    /// Any number of a thread or block is asked for, or memory that a block shares.
    places: bool,
}

impl<'a> Found<'a> {
    fn new(procedures: &'a Procedures<'a>) -> Found<'a> {
        Found {
            procedures,
            seen: BTreeSet::new(),
            within: Vec::new(),
            waits: false,
            spins: false,
            loops: false,
            meets: false,
            observes: false,
            prints: false,
            local_index: false,
            places: false,
        }
    }

    fn procedure(&mut self, space: &str, p: &Proc) {
        for s in &p.body {
            s.walk(&mut |s| self.statement(space, s));
        }
    }

    fn statement(&mut self, space: &str, s: &Stmt) {
        match &s.kind {
            StmtKind::While { .. } | StmtKind::Goto(_) => {
                self.spins = true;
                self.loops = true;
            }
            // Left before its last turn, perhaps for what another thread does.
            StmtKind::Break => self.spins = true,
            StmtKind::For(l) => self.counted_loop(&l.body),
            StmtKind::ForEach(l) if !is_grid_stride(&l.range) => self.counted_loop(&l.body),
            StmtKind::Expr(e) => {
                if let ExprKind::Call { callee, args, .. } = &e.kind
                    && callee.facts().is_some_and(|f| f.is_atomic())
                {
                    self.meets = true;
                    self.local_index = true;
                    args.iter().for_each(|a| self.expression(space, a));
                    return;
                }
            }
            StmtKind::Declare(d) => {
                let shared = matches!(d.qualifier, Qualifier::Shared | Qualifier::SharedTile);
                self.places |= shared;
                self.local_index |= shared || matches!(d.ty, Type::Class(_)) && !is_bounds(&d.ty);
            }
            _ => {}
        }
        s.own_exprs(&mut |e| self.expression(space, e));
    }

    fn counted_loop(&mut self, body: &[Stmt]) {
        self.loops = true;
        let mut returns = |s: &Stmt| self.spins |= matches!(s.kind, StmtKind::Return(_));
        body.iter().for_each(|s| s.walk(&mut returns));
    }

    fn expression(&mut self, space: &str, e: &Expr) {
        let mut counted = BTreeSet::new();
        e.walk(&mut |x| match &x.kind {
            ExprKind::Binary {
                op: BinaryOp::Add, ..
            } => {
                let mut terms = Vec::new();
                sum(x, &mut terms);
                let thread = terms
                    .iter()
                    .filter(|t| is_index(t, Builtin::ThreadIdx))
                    .count();
                let block = terms.iter().filter(|t| is_first_of_block(t)).count();
                if thread == 1 && block == 1 {
                    for t in terms {
                        if is_index(t, Builtin::ThreadIdx) || is_first_of_block(t) {
                            indices(t, &mut |i| {
                                counted.insert(std::ptr::from_ref(i));
                            });
                        }
                    }
                }
            }
            ExprKind::Builtin(Builtin::ThreadIdx | Builtin::BlockIdx, axis) => {
                self.places = true;
                self.local_index |= *axis == Axis::X && !counted.contains(&std::ptr::from_ref(x));
            }
            ExprKind::Call { callee, .. } => self.call(space, callee),
            ExprKind::Bound { callee, .. } => self.call(space, &Callee::Procedure(callee.clone())),
            ExprKind::Method { name, .. } => {
                let facts = name.facts();
                self.waits |= facts.waits;
                self.meets |= facts.sync != Sync::Never;
                self.observes |= facts.sync != Sync::Never;
                self.prints |= matches!(name, Method::Add | Method::Finish);
                self.local_index |= facts.memory == Memory::Writes;
            }
            ExprKind::Object(_) if !is_bounds(&x.ty) => self.local_index = true,
            _ => {}
        });
    }

    fn call(&mut self, space: &str, callee: &Callee) {
        match callee {
            Callee::Procedure(name) => {
                let space = match &name.space {
                    Namespaces::Unit(n) => n.as_str(),
                    Namespaces::Local => space,
                };
                match self.procedures.get(&(space, name.name.as_str())) {
                    Some(p) => {
                        let key = Ident {
                            space: Namespaces::Unit(space.to_owned()),
                            name: name.name.clone(),
                        };
                        // The stack of a thread of the operating system need not hold what a recursion takes.
                        self.waits |= self.within.contains(&key);
                        if self.seen.insert(key.clone()) {
                            self.within.push(key);
                            self.procedure(space, p);
                            self.within.pop();
                        }
                    }
                    None => self.waits = true,
                }
            }
            Callee::Dummy(_) | Callee::External(_) => self.waits = true,
            Callee::Function(f) => self.function(*f),
            Callee::Intrinsic(_) | Callee::Math(_) | Callee::Identity(_) => {}
        }
    }

    fn function(&mut self, f: Function) {
        let facts = f.facts();
        self.waits |= facts.waits
            || matches!(
                f,
                Function::VolatileLoad
                    | Function::VolatileStore
                    | Function::ActiveMask
                    | Function::LaunchChild
                    | Function::Nanosleep
                    | Function::BarrierInit
                    | Function::BarrierArrive
            );
        self.meets |= facts.sync != Sync::Never;
        self.observes |= facts.sync != Sync::Never;
        self.prints |= matches!(f, Function::Print | Function::Stop);
        let plain = facts.sync == Sync::Never && facts.memory != Memory::Writes && !facts.heap;
        // Where the thread stands in its block and the block in the grid.
        let asks = matches!(
            f,
            Function::ThisThreadBlock
                | Function::ThisWarp
                | Function::ThisGrid
                | Function::ThisCluster
                | Function::ClusterBlockIndex
                | Function::ClusterDimBlocks
                | Function::ClusterMapSharedRank
                | Function::DynamicShared
        );
        self.places |= asks;
        self.local_index |= f != Function::GridStride && (!plain || asks);
    }
}

/// Arrays in memory that others have, and what their bounds are told with.
pub fn is_bounds(ty: &Type) -> bool {
    match ty {
        Type::Const(inner) => is_bounds(inner),
        Type::Array { .. } | Type::View { .. } => true,
        Type::Class(class) => matches!(
            class,
            Class::ExplicitShape { .. }
                | Class::MadeOfLayout { .. }
                | Class::Layout { .. }
                | Class::Range
                | Class::Assumed
        ),
        _ => false,
    }
}

/// The terms of a sum.
fn sum<'e>(e: &'e Expr, terms: &mut Vec<&'e Expr>) {
    match &e.kind {
        ExprKind::Binary {
            op: BinaryOp::Add,
            lhs,
            rhs,
        } => {
            sum(lhs, terms);
            sum(rhs, terms);
        }
        _ => terms.push(e),
    }
}

/// Without conversions that keep the number: of threads side by side there are more than one or two bytes count, or a small real does exactly.
fn plain(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Convert(inner) if matches!(e.ty, Type::Int(4 | 8) | Type::Uint | Type::Ulong) => {
            plain(inner)
        }
        _ => e,
    }
}

fn is_index(e: &Expr, b: Builtin) -> bool {
    plain(e).kind == ExprKind::Builtin(b, Axis::X)
}

/// `blockIdx.x * blockDim.x`
pub fn is_first_of_block(e: &Expr) -> bool {
    match &plain(e).kind {
        ExprKind::Binary {
            op: BinaryOp::Mul,
            lhs,
            rhs,
        } => {
            is_index(lhs, Builtin::BlockIdx) && is_index(rhs, Builtin::BlockDim)
                || is_index(rhs, Builtin::BlockIdx) && is_index(lhs, Builtin::BlockDim)
        }
        _ => false,
    }
}

fn indices<'e>(e: &'e Expr, f: &mut dyn FnMut(&'e Expr)) {
    match &e.kind {
        ExprKind::Builtin(..) => f(e),
        ExprKind::Convert(inner) => indices(inner, f),
        ExprKind::Binary { lhs, rhs, .. } => {
            indices(lhs, f);
            indices(rhs, f);
        }
        _ => {}
    }
}
