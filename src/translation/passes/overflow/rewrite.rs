//! The walk over all statements: first for the uses, then for the sizes of variables, at last to change what may overflow.

use std::collections::BTreeMap;

use super::arithmetic::{integer, is_ring, ring};
use super::graph::{Graph, Node, Signature, Use, Wrap};
use super::size::Size;
use super::wrap_heuristics::{arguments_used, bits_used, is_large, operands_used};
use crate::ir::function::{Changes, Facts};
use crate::ir::*;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    Uses,
    Sizes,
    Rewrite,
}

/// Makes the procedure known to its callers.
pub fn declare(graph: &mut Graph, space: &str, p: &Proc) {
    let params = p
        .params
        .iter()
        .map(|q| {
            let n = graph.node(local_key(space, &p.name, &q.name));
            (n, q.ty.clone())
        })
        .collect();
    let result = graph.node(format!("{space}::{}()", p.name));
    graph.procedures.insert(
        (space.to_owned(), p.name.clone()),
        Signature { params, result },
    );
}

fn local_key(space: &str, procedure: &str, name: &str) -> String {
    format!("{space}::{procedure}/{name}")
}

/// One walk over one item of a namespace.
pub struct Walker<'g> {
    pub(super) graph: &'g mut Graph,
    pub(super) phase: Phase,
    space: &'g str,
    procedure: String,
    /// Names declared in the procedure, by block.
    scopes: Vec<BTreeMap<String, Node>>,
    /// Declarations so far.
    declarations: usize,
    /// The sizes of variables have changed.
    news: bool,
    pub(super) wrap: Wrap,
    /// The expression around is one in which wrapping is plausible.
    pub(super) around: bool,
}

/// A number of threads that goes to a wider type needs no conversion to the default kind before: it fits there, and is not negative.
fn widen_count(e: &mut Expr) {
    let ExprKind::Convert(inner) = &mut e.kind else {
        return;
    };
    if e.ty == Type::Int(4) && inner.ty == Type::Uint && is_count(inner) {
        let inner = std::mem::replace(&mut **inner, Expr::bool(false));
        *e = inner;
    }
}

/// A sum or product of CUDA's numbers and constants.
fn is_count(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Builtin(..) | ExprKind::WarpSize => true,
        ExprKind::Int(v) => *v >= 0,
        ExprKind::Binary {
            op: BinaryOp::Add | BinaryOp::Mul,
            lhs,
            rhs,
        } => is_count(lhs) && is_count(rhs),
        _ => false,
    }
}

/// A value that leads to no other data.
fn is_number(ty: &Type) -> bool {
    use Type::*;
    matches!(
        ty,
        Int(_) | Uint | Ulong | Real(_) | Complex(_) | Bool | Logical(_)
    )
}

fn is_relation(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, Eq | Ne | Lt | Le | Gt | Ge)
}

impl<'g> Walker<'g> {
    pub fn new(graph: &'g mut Graph, phase: Phase, space: &'g str, wrap: Wrap) -> Walker<'g> {
        Walker {
            graph,
            phase,
            space,
            procedure: String::new(),
            scopes: Vec::new(),
            declarations: 0,
            news: false,
            wrap,
            around: false,
        }
    }

    /// True if a variable's size has changed.
    pub fn item(&mut self, item: &mut Item) -> bool {
        match &mut item.kind {
            ItemKind::Proc(p) => self.proc(p),
            ItemKind::Constant { name, value, .. } => {
                let n = self.graph.node(format!("{}::{name}", self.space));
                self.note_constant(n, value);
                self.note_size(n, value);
            }
            ItemKind::Variable(v) => {
                let n = self.graph.node(format!("{}::{}", self.space, v.name));
                self.add_size(n, Size::Data);
            }
            ItemKind::Struct(_) | ItemKind::Prototype(_) | ItemKind::Operation(_) => {}
        }
        self.news
    }

    fn proc(&mut self, p: &mut Proc) {
        self.procedure.clone_from(&p.name);
        let mut params = BTreeMap::new();
        for q in &p.params {
            let n = self.graph.node(local_key(self.space, &p.name, &q.name));
            self.add_size(n, Size::Data);
            params.insert(q.name.clone(), n);
        }
        self.scopes = vec![params];
        self.stmts(&mut p.body);
    }

    /// Declares a name in the innermost block.
    fn local(&mut self, name: &str) -> Node {
        self.declarations += 1;
        let key = format!("{name}#{}", self.declarations);
        let n = self
            .graph
            .node(local_key(self.space, &self.procedure, &key));
        if let Some(s) = self.scopes.last_mut() {
            s.insert(name.to_owned(), n);
        }
        n
    }

    pub(super) fn named(&mut self, i: &Ident) -> Node {
        let name = i.name.as_str();
        match &i.space {
            Namespaces::Local => match self.scopes.iter().rev().find_map(|s| s.get(name)) {
                Some(n) => *n,
                None => self.graph.node(format!("{}::{name}", self.space)),
            },
            Namespaces::Unit(u) => self.graph.node(format!("{u}::{name}")),
        }
    }

    /// The node of what is stored in a place.
    pub(super) fn place(&mut self, e: &Expr) -> Option<Node> {
        match &e.kind {
            ExprKind::Name(i) => Some(self.named(i)),
            ExprKind::Field { name, .. } => Some(self.graph.node(format!(".{name}"))),
            ExprKind::Element { base: b, .. }
            | ExprKind::Section { base: b, .. }
            | ExprKind::Method { base: b, .. }
            | ExprKind::Deref(b)
            | ExprKind::AddressOf(b)
            | ExprKind::Increment(b)
            | ExprKind::Convert(b) => self.place(b),
            _ => None,
        }
    }

    /// The nodes of all data that an array, a pointer or a reference may lead to.
    fn roots(&mut self, e: &Expr, out: &mut Vec<Node>) {
        match &e.kind {
            ExprKind::Call { callee, args, .. } => {
                if args.is_empty() {
                    let n = self.graph.node(format!("{callee:?}"));
                    out.push(n);
                }
                args.iter().for_each(|a| self.roots(a, out));
            }
            ExprKind::Construct(args) | ExprKind::Object(args) | ExprKind::List(args) => {
                args.iter().for_each(|a| self.roots(a, out));
            }
            ExprKind::Conditional {
                then, otherwise, ..
            } => {
                self.roots(then, out);
                self.roots(otherwise, out);
            }
            _ => {
                if integer(&e.ty).is_none() || !ring(e) {
                    out.extend(self.place(e));
                }
            }
        }
    }

    fn unite(&mut self, n: Node, e: &Expr) {
        if self.phase != Phase::Uses {
            return;
        }
        let mut roots = Vec::new();
        self.roots(e, &mut roots);
        for r in roots {
            self.graph.unite(n, r);
        }
    }

    fn note_size(&mut self, n: Node, value: &Expr) {
        if self.phase == Phase::Sizes {
            let size = self.size(value);
            self.news |= self.graph.add_size(n, size);
        }
    }

    fn note_constant(&mut self, n: Node, value: &Expr) {
        if self.phase == Phase::Uses {
            let large = is_large(value, self.size(value));
            self.graph.mark_constant(n, large);
        }
    }

    // ---- statements ----

    fn stmts(&mut self, body: &mut [Stmt]) {
        self.scopes.push(BTreeMap::new());
        body.iter_mut().for_each(|s| self.stmt(s));
        self.scopes.pop();
    }

    fn stmt(&mut self, s: &mut Stmt) {
        // A loop's variable is known in the loop alone.
        self.scopes.push(BTreeMap::new());
        let declares = matches!(s.kind, StmtKind::Declare(_));
        if declares {
            self.scopes.pop();
        }
        self.own(s);
        for b in s.blocks_mut() {
            self.stmts(b);
        }
        if !declares {
            self.scopes.pop();
        }
    }

    /// What stands in the statement itself, not in its blocks.
    fn own(&mut self, s: &mut Stmt) {
        match &mut s.kind {
            StmtKind::Declare(d) => self.declare(d),
            StmtKind::Assign { lhs, rhs } => self.assign(lhs, rhs),
            StmtKind::Expr(e) => self.value(e, Use::Free),
            StmtKind::If { branches, .. } => {
                for (c, _) in branches {
                    self.value(c, Use::Exact);
                }
            }
            StmtKind::For(f) => self.counted(f),
            StmtKind::ForEach(f) => {
                self.mark_terms(&f.range);
                self.value(&mut f.range, Use::Free);
                for v in &f.vars {
                    let n = self.local(v);
                    self.add_size(n, Size::Position(1));
                }
            }
            StmtKind::While { cond, .. } => {
                if let Some(c) = cond {
                    self.value(c, Use::Exact);
                }
            }
            StmtKind::Switch { selector, .. } => self.value(selector, Use::Exact),
            StmtKind::Return(Some(e)) => {
                let key = format!("{}::{}()", self.space, self.procedure);
                let n = self.graph.node(key);
                self.value(e, Use::Into(n));
            }
            StmtKind::Block(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Goto(_)
            | StmtKind::Label(_)
            | StmtKind::Return(None)
            | StmtKind::Empty => {}
        }
    }

    fn add_size(&mut self, n: Node, size: Size) {
        if self.phase == Phase::Sizes {
            self.news |= self.graph.add_size(n, size);
        }
    }

    fn declare(&mut self, d: &mut Declare) {
        let shared = matches!(d.ty, Type::Ref(_)) || !is_number(d.ty.plain());
        for name in &mut d.names {
            let n = self.local(&name.name);
            match &mut name.init {
                Init::Value(e) if shared => {
                    if !matches!(d.ty, Type::Fixed { .. }) {
                        self.unite(n, e);
                    }
                    if matches!(d.ty, Type::Ref(_)) {
                        self.add_size(n, Size::Data);
                    }
                    self.value(e, Use::Into(n));
                }
                Init::Value(e) if integer(&d.ty).is_none() => self.value(e, Use::Into(n)),
                Init::Value(e) => {
                    if d.qualifier == Qualifier::Constexpr {
                        self.note_constant(n, e);
                    }
                    self.note_coordinate(n, e);
                    self.note_size(n, e);
                    self.value(e, Use::Into(n));
                }
                Init::Args(args) => {
                    for (i, a) in args.iter_mut().enumerate() {
                        if i == 0 {
                            self.unite(n, a);
                        } else {
                            self.mark_names(a);
                        }
                        self.value(a, Use::Free);
                    }
                }
                Init::None | Init::Default => {}
            }
        }
    }

    fn assign(&mut self, lhs: &mut Expr, rhs: &mut Expr) {
        let n = self.place(lhs);
        self.subscripts(lhs);
        let Some(n) = n else {
            return self.value(rhs, Use::Exact);
        };
        match lhs.ty.plain() {
            Type::View { .. }
            | Type::Pointer { .. }
            | Type::LocalArray { .. }
            | Type::Array { .. } => {
                self.unite(n, rhs);
            }
            Type::Int(_) if matches!(lhs.kind, ExprKind::Name(_)) => {
                self.note_coordinate(n, rhs);
                if self.phase == Phase::Sizes {
                    let size = self.stepped(lhs, rhs).unwrap_or_else(|| self.size(rhs));
                    self.add_size(n, size);
                }
            }
            _ => {}
        }
        self.value(rhs, Use::Into(n));
    }

    fn note_coordinate(&mut self, n: Node, e: &Expr) {
        if self.phase == Phase::Uses && self.of_coordinates(e) {
            self.graph.mark_coordinate(n);
        }
    }

    /// The expression is made of thread coordinates.
    fn of_coordinates(&mut self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Builtin(..) => true,
            ExprKind::Name(i) => {
                let n = self.named(i);
                self.graph.is_coordinate(n)
            }
            ExprKind::Convert(inner) => integer(&e.ty).is_some() && self.of_coordinates(inner),
            ExprKind::Binary { op, lhs, rhs } if is_ring(*op) => {
                self.of_coordinates(lhs) || self.of_coordinates(rhs)
            }
            _ => false,
        }
    }

    fn counted(&mut self, f: &mut For) {
        let n = match f.declare {
            Some(_) => self.local(&f.var),
            None => self.named(&Ident::local(f.var.clone())),
        };
        let mut limit = None;
        if let ExprKind::Binary { op, lhs, rhs } = &mut f.cond.kind
            && lhs.local() == Some(&f.var)
        {
            limit = Some((*op, self.size(rhs)));
            self.mark_terms(rhs);
            self.value(rhs, Use::Free);
        } else {
            self.value(&mut f.cond, Use::Exact);
        }
        if let Some(e) = &mut f.from {
            let from = self.size(e);
            // With the value after the loop, which is one step beyond the limit.
            let size = match (limit, from, &f.step) {
                (Some((BinaryOp::Le, Size::Range(_, hi))), Size::Range(lo, _), Step::By(by)) => {
                    Size::Range(lo, hi.max(lo) + i128::from(*by))
                }
                (Some((BinaryOp::Ge, Size::Range(lo, _))), Size::Range(_, hi), Step::By(by)) => {
                    Size::Range(lo.min(hi) + i128::from(*by), hi)
                }
                _ => Size::Position(1),
            };
            self.add_size(n, size);
            self.mark_terms(e);
            self.value(e, Use::Free);
        } else {
            self.add_size(n, Size::Position(1));
        }
        if let Step::Expr(e) | Step::Counted { by: e, .. } = &mut f.step {
            self.value(e, Use::Free);
        }
    }

    // ---- expressions ----

    /// Names in the sums of a subscript or bound are positions.
    fn mark_terms(&mut self, e: &Expr) {
        if self.phase != Phase::Uses {
            return;
        }
        match &e.kind {
            ExprKind::Name(i) => {
                let n = self.named(i);
                self.graph.mark_position(n);
            }
            ExprKind::Increment(inner) => self.mark_terms(inner),
            ExprKind::Convert(inner) if integer(&e.ty).is_some() => self.mark_terms(inner),
            ExprKind::Unary { operand, .. } => self.mark_terms(operand),
            ExprKind::Binary {
                op: BinaryOp::Add | BinaryOp::Sub,
                lhs,
                rhs,
            } => {
                self.mark_terms(lhs);
                self.mark_terms(rhs);
            }
            ExprKind::Call { callee, args, .. } if callee.is(Function::DoRange) => {
                args.iter().take(2).for_each(|a| self.mark_terms(a));
            }
            _ => {}
        }
    }

    /// All names in an array's bounds are positions.
    fn mark_names(&mut self, e: &Expr) {
        if self.phase != Phase::Uses {
            return;
        }
        let mut names = Vec::new();
        e.walk(&mut |x| {
            if let ExprKind::Name(i) = &x.kind
                && integer(&x.ty).is_some()
            {
                names.push(i.clone());
            }
        });
        for i in names {
            let n = self.named(&i);
            self.graph.mark_position(n);
        }
    }

    /// The subscripts in a place that is assigned to or passed on.
    fn subscripts(&mut self, e: &mut Expr) {
        match &mut e.kind {
            ExprKind::Element { base, subs } => {
                self.subscripts(base);
                for s in subs {
                    self.mark_terms(s);
                    self.value(s, Use::Free);
                }
            }
            ExprKind::Section { base, subs } => {
                self.subscripts(base);
                for s in subs {
                    match s {
                        SectionSub::Index(e) => self.value(e, Use::Free),
                        SectionSub::All => {}
                        SectionSub::Slice { lo, hi, step } => {
                            self.value(lo, Use::Free);
                            self.value(hi, Use::Free);
                            if let Some(s) = step {
                                self.value(s, Use::Free);
                            }
                        }
                    }
                }
            }
            ExprKind::Field { base: b, .. }
            | ExprKind::Deref(b)
            | ExprKind::AddressOf(b)
            | ExprKind::Increment(b)
            | ExprKind::Convert(b) => self.subscripts(b),
            ExprKind::Name(_) => {}
            _ => self.value(e, Use::Free),
        }
    }

    /// An expression whose value, in its own type, is used.
    fn value(&mut self, e: &mut Expr, used: Use) {
        let before = e.ty.clone();
        self.operand(e, used);
        if e.ty != before {
            let inner = std::mem::replace(e, Expr::bool(false));
            *e = Expr::new(ExprKind::Convert(Box::new(inner)), before);
        }
    }

    /// An operand of an operation for which unsigned integers do as well.
    pub(super) fn operand(&mut self, e: &mut Expr, used: Use) {
        if ring(e) {
            return self.ring(e, used);
        }
        let around = self.around;
        self.around &= matches!(&e.kind, ExprKind::Convert(i) if integer(&i.ty).is_some());
        self.no_ring(e, used);
        self.around = around;
    }

    fn no_ring(&mut self, e: &mut Expr, used: Use) {
        self.negated_short(e, used);
        let ty = e.ty.clone();
        match &mut e.kind {
            ExprKind::Int(_)
            | ExprKind::Bits(_)
            | ExprKind::Real(_)
            | ExprKind::Complex(..)
            | ExprKind::Bool(_)
            | ExprKind::Str(_)
            | ExprKind::Builtin(..)
            | ExprKind::WarpSize
            | ExprKind::MatrixOrder { .. }
            | ExprKind::Null => {}
            ExprKind::Name(_)
            | ExprKind::Element { .. }
            | ExprKind::Field { .. }
            | ExprKind::Deref(_)
            | ExprKind::AddressOf(_)
            | ExprKind::Increment(_)
            | ExprKind::Section { .. } => {
                if self.phase == Phase::Uses
                    && let Some(n) = self.place(e)
                {
                    self.graph.read(n, used);
                }
                self.subscripts(e);
            }
            ExprKind::Unary { operand, .. } => self.value(operand, Use::Exact),
            ExprKind::Binary {
                op: op @ (BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor),
                lhs,
                rhs,
            } if matches!(ty, Type::Int(4 | 8)) => {
                let before = (lhs.ty.clone(), rhs.ty.clone());
                let how = (bits_used(*op, lhs, rhs), bits_used(*op, rhs, lhs));
                self.operand(lhs, how.0);
                self.operand(rhs, how.1);
                let unsigned = match (lhs.ty != before.0, rhs.ty != before.1) {
                    (true, _) => lhs.ty.clone(),
                    (false, true) => rhs.ty.clone(),
                    (false, false) => return,
                };
                // x xor -1 is ~x
                if rhs.as_int() != Some(-1) {
                    self.below_zero(lhs, &unsigned);
                    self.below_zero(rhs, &unsigned);
                }
                e.ty = unsigned;
            }
            ExprKind::Binary { op, lhs, rhs } => {
                if self.phase == Phase::Uses && is_relation(*op) {
                    self.mark_guard(lhs, rhs);
                    self.mark_guard(rhs, lhs);
                }
                let how = operands_used(*op, lhs, rhs);
                self.value(lhs, how);
                self.value(
                    rhs,
                    if *op == BinaryOp::Rem {
                        Use::Exact
                    } else {
                        how
                    },
                );
            }
            ExprKind::Convert(inner) => match (integer(&ty), integer(&inner.ty)) {
                (Some((to, _)), Some((from, _))) if to <= from => self.operand(inner, used),
                _ => {
                    self.value(inner, Use::Exact);
                    if self.phase == Phase::Rewrite && self.wrap == Wrap::Plausible {
                        widen_count(inner);
                    }
                }
            },
            ExprKind::Call { callee, args, .. } => {
                let callee = callee.clone();
                self.call(&callee, args, used);
            }
            ExprKind::Method { base, name, args } => {
                let how = match name.facts().moves {
                    true => Use::Free,
                    false => Use::Exact,
                };
                self.value(base, how);
                for a in args {
                    self.value(a, how);
                }
            }
            ExprKind::Bound { callee, args } => {
                let callee = callee.clone();
                self.escape(&callee);
                args.iter_mut().for_each(|a| self.value(a, Use::Exact));
            }
            ExprKind::Conditional {
                cond,
                then,
                otherwise,
            } => {
                self.value(cond, Use::Exact);
                self.value(then, used);
                self.value(otherwise, used);
            }
            ExprKind::Construct(args) | ExprKind::Object(args) => {
                let bounds = matches!(&ty, Type::Class(c) if c.is_of_runtime());
                let how = if bounds { Use::Free } else { Use::Exact };
                args.iter_mut().for_each(|a| self.value(a, how));
            }
            ExprKind::List(args) => args.iter_mut().for_each(|a| self.value(a, used)),
        }
    }

    /// `n` in `i <= n`, where i is made of thread coordinates, is the end of what they count.
    fn mark_guard(&mut self, coordinate: &Expr, limit: &Expr) {
        if self.of_coordinates(coordinate) && !self.of_coordinates(limit) {
            self.mark_terms(limit);
        }
    }

    /// The procedure is called from places that are not seen.
    fn escape(&mut self, callee: &Ident) {
        if let Some(s) = self.signature(callee) {
            self.graph.read(s.result, Use::Exact);
            for (n, _) in s.params {
                self.graph.read(n, Use::Exact);
            }
        }
    }

    /// The signature of a device procedure as a callee or an actual argument.
    fn signature(&self, callee: &Ident) -> Option<Signature> {
        let space = match &callee.space {
            Namespaces::Unit(u) => u.clone(),
            Namespaces::Local => self.space.to_owned(),
        };
        let key = (space, callee.name.clone());
        self.graph.procedures.get(&key).cloned()
    }

    fn call(&mut self, callee: &Callee, args: &mut [Expr], used: Use) {
        if self.phase == Phase::Uses {
            for a in args.iter() {
                if let ExprKind::Name(i) = &a.kind {
                    self.escape(i);
                }
            }
        }
        if let Callee::Procedure(callee) = callee
            && let Some(s) = self.signature(callee)
            && s.params.len() >= args.len()
        {
            if self.phase == Phase::Uses {
                self.graph.read(s.result, used);
            }
            for (a, (n, ty)) in args.iter_mut().zip(s.params) {
                let constant = match &ty {
                    Type::Ref(t) | Type::Pointer { to: t, .. } => matches!(**t, Type::Const(_)),
                    Type::View { elem, .. } | Type::Array { elem, .. } => {
                        matches!(**elem, Type::Const(_))
                    }
                    _ => true,
                };
                if !constant {
                    self.unite(n, a);
                    self.written(a);
                }
                self.value(a, Use::Into(n));
            }
            return;
        }
        // A procedure of which nothing is known may change all that it gets.
        let facts = callee.facts().unwrap_or(Facts::UNKNOWN);
        let changed = match facts.changes {
            Changes::None => &[],
            Changes::First => &args[..args.len().min(1)],
            Changes::Last => &args[args.len().saturating_sub(1)..],
            Changes::Rest => args.get(1..).unwrap_or(&[]),
            Changes::All => &args[..],
        };
        changed.iter().for_each(|a| self.written(a));
        let how = match facts.moves {
            true => Use::Free,
            false => arguments_used(callee, args),
        };
        args.iter_mut().for_each(|a| self.value(a, how));
    }

    /// A variable that a procedure may change.
    fn written(&mut self, e: &Expr) {
        if let Some(n) = self.place(e) {
            self.add_size(n, Size::Data);
        }
    }
}
