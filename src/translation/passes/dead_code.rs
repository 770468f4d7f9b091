//! What is declared but not used goes, what is only written is marked, unused labels go.

use std::collections::BTreeSet;

use crate::ir::{
    Declarator, Expr, ExprKind, Init, Proc, Qualifier, SectionSub, Step, Stmt, StmtKind, Type,
};

#[derive(Default)]
struct Uses {
    read: BTreeSet<String>,
    written: BTreeSet<String>,
    targets: BTreeSet<String>,
}

impl Uses {
    fn expr(&mut self, e: &Expr) {
        e.walk(&mut |x| {
            if let Some(name) = x.local() {
                self.read.insert(name.to_owned());
            }
        });
    }

    fn stmts(&mut self, body: &[Stmt]) {
        body.iter().for_each(|s| s.walk(&mut |s| self.stmt(s)));
    }

    fn stmt(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::Assign { lhs, rhs } => {
                match lhs.local() {
                    Some(name) => {
                        self.written.insert(name.to_owned());
                    }
                    None => self.expr(lhs),
                }
                return self.expr(rhs);
            }
            StmtKind::For(f) => {
                self.read.insert(f.var.clone());
                if let Step::Counted { count, .. } = &f.step {
                    self.read.insert(count.clone());
                }
            }
            StmtKind::Goto(l) => {
                self.targets.insert(l.clone());
            }
            _ => {}
        }
        s.own_exprs(&mut |e| self.expr(e));
    }
}

/// Tidies a function.
pub fn tidy(procedure: &mut Proc) {
    let body = &mut procedure.body;
    body.iter_mut().for_each(assign_lists);
    return_value(body);
    let mut uses = Uses::default();
    uses.stmts(body);
    drop_unread_results(body, &uses);
    // Removing one declaration may leave another without use (a bound of an unused array).
    for _ in 0..3 {
        let mut uses = Uses::default();
        uses.stmts(body);
        clean(body, &uses);
    }
}

/// `{ const T t1 = {...}; v = t1; }` is `v = {...};`.
fn assign_lists(s: &mut Stmt) {
    if let StmtKind::Block(body) = &mut s.kind
        && let [first, set] = &mut body[..]
        && let (StmtKind::Declare(d), StmtKind::Assign { lhs, rhs }) = (&first.kind, &mut set.kind)
        && let [name] = &d.names[..]
        && let Init::Value(value) = &name.init
        && matches!(value.kind, ExprKind::List(_))
        && rhs.local() == Some(&name.name)
        && d.ty.initialises(&lhs.ty)
        && set.notes.is_empty()
    {
        *rhs = value.clone();
        s.kind = set.kind.clone();
    }
    for b in s.blocks_mut() {
        b.iter_mut().for_each(assign_lists);
    }
}

/// `f = e; return f;` is `return e;`, also in blocks and where all branches of the last IF end so, and nothing need be said at the end
/// of a procedure without a result.
fn return_value(body: &mut Vec<Stmt>) {
    returned(body);
    if let Some(Stmt {
        kind: StmtKind::Return(Some(value)),
        ..
    }) = innermost_return(body)
        && value.local().is_some()
    {
        return_constants(body, &value.clone());
    }
    if let Some(last) = body.last()
        && matches!(last.kind, StmtKind::Return(None))
        && last.notes.above.is_empty()
        && last.notes.trailing.is_none()
    {
        body.pop();
    }
}

/// Returns values instead of storing them first, in the statements and in their blocks.
fn returned(body: &mut Vec<Stmt>) {
    if let Some(Stmt {
        kind: StmtKind::Return(Some(value)),
        notes,
        ..
    }) = body.last()
        && value.local().is_some()
        && notes.is_empty()
        && let Some(before) = body.len().checked_sub(2)
        && ends_with(&body[before], value)
    {
        body.pop();
        return_instead(&mut body[before]);
    }
    for s in body {
        s.blocks_mut().into_iter().for_each(returned);
    }
}

/// Some statement that returns a variable.
fn innermost_return(body: &[Stmt]) -> Option<&Stmt> {
    body.iter().find_map(|s| match &s.kind {
        StmtKind::Return(Some(e)) if e.local().is_some() => Some(s),
        _ => s.blocks().into_iter().find_map(|b| innermost_return(b)),
    })
}

/// `f = 0; if (c) return f; return e;` is `if (c) return 0; return e;`.
fn return_constants(body: &mut Vec<Stmt>, value: &Expr) {
    let name = value.local().unwrap_or_default();
    let mut jumps = false;
    for s in body.iter() {
        s.walk(&mut |s| {
            jumps |= matches!(s.kind, StmtKind::Label(_));
            // What a reference or pointer leads to changes under another name.
            let bound = matches!(&s.kind, StmtKind::Declare(d)
                if matches!(d.ty, Type::Ref(_) | Type::Pointer { .. } | Type::View { .. } | Type::Array { .. }));
            s.own_exprs(&mut |e| {
                e.walk(&mut |x| {
                    let pointed = matches!(x.kind, ExprKind::AddressOf(_)) || bound;
                    jumps |= pointed && x.mentions(name);
                });
            });
        });
    }
    let mut known: Option<Expr> = None;
    let mut rest = 0;
    for s in body.iter_mut() {
        match &s.kind {
            StmtKind::Assign { lhs, rhs } if lhs == value => {
                known = Some(rhs.clone()).filter(|e| is_constant(e) && !jumps);
                rest += usize::from(known.is_none() || !s.notes.is_empty());
                continue;
            }
            StmtKind::Declare(d) if d.names.iter().any(|n| n.name == name) => continue,
            _ => {}
        }
        let others = mentions_beside_returns(s, value);
        rest += others;
        match &known {
            Some(constant) if others == 0 => replace_returned(s, value, constant),
            _ => {
                known = None;
                s.walk(&mut |s| {
                    rest += usize::from(matches!(&s.kind, StmtKind::Return(Some(e)) if e == value));
                });
            }
        }
    }
    // Nothing reads it any more.
    if rest == 0 {
        body.retain(|s| !matches!(&s.kind, StmtKind::Assign { lhs, .. } if lhs == value));
    }
}

fn is_constant(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Int(_) | ExprKind::Real(_) | ExprKind::Bool(_) => true,
        ExprKind::Convert(inner) => is_constant(inner),
        _ => false,
    }
}

/// How many statements in `s` have the variable elsewhere than as what they return.
fn mentions_beside_returns(s: &Stmt, value: &Expr) -> usize {
    let name = value.local().unwrap_or_default();
    let mut found = 0;
    s.walk(&mut |s| {
        if matches!(&s.kind, StmtKind::Return(Some(e)) if e == value) {
            return;
        }
        let mut here = matches!(&s.kind, StmtKind::For(f) if f.var == name);
        s.own_exprs(&mut |e| here |= e.mentions(name));
        found += usize::from(here);
    });
    found
}

fn replace_returned(s: &mut Stmt, value: &Expr, constant: &Expr) {
    if matches!(&s.kind, StmtKind::Return(Some(e)) if e == value) {
        s.kind = StmtKind::Return(Some(constant.clone()));
    }
    for b in s.blocks_mut() {
        b.iter_mut()
            .for_each(|s| replace_returned(s, value, constant));
    }
}

/// The last thing that the statement does is to give the variable a value.
fn ends_with(s: &Stmt, value: &Expr) -> bool {
    match &s.kind {
        StmtKind::Assign { lhs, rhs } => lhs == value && rhs.ty.initialises(&value.ty),
        StmtKind::If {
            branches,
            otherwise: Some(otherwise),
        } => branches
            .iter()
            .map(|(_, b)| b)
            .chain([otherwise])
            .all(|b| b.last().is_some_and(|s| ends_with(s, value))),
        _ => false,
    }
}

fn return_instead(s: &mut Stmt) {
    if let StmtKind::Assign { rhs, .. } = &s.kind {
        s.kind = StmtKind::Return(Some(rhs.clone()));
        return;
    }
    for b in s.blocks_mut() {
        if let Some(last) = b.last_mut() {
            return_instead(last);
        }
    }
}

/// A variable that takes the results of calls and is never read (`old = atomicadd(...)`) is Fortran's way to call.
fn drop_unread_results(body: &mut [Stmt], uses: &Uses) {
    // Only own variables: a dummy or what a reference leads to is read elsewhere.
    let mut own = BTreeSet::new();
    for s in body.iter() {
        s.walk(&mut |s| {
            if let StmtKind::Declare(d) = &s.kind
                && d.qualifier == Qualifier::None
                && !matches!(d.ty, Type::Ref(_))
            {
                own.extend(d.names.iter().map(|n| n.name.clone()));
            }
        });
    }
    let mut kept = BTreeSet::new();
    let is_call = |e: &Expr| matches!(e.kind, ExprKind::Call { .. }) && !pure(e);
    for s in body.iter() {
        s.walk(&mut |s| {
            if let StmtKind::Assign { lhs, rhs } = &s.kind
                && let Some(name) = lhs.local()
                && (!own.contains(name) || uses.read.contains(name) || !is_call(rhs.unconverted()))
            {
                kept.insert(name.to_owned());
            }
        });
    }
    drop_results(body, &kept);
}

fn drop_results(body: &mut [Stmt], kept: &BTreeSet<String>) {
    for s in body {
        if let StmtKind::Assign { lhs, rhs } = &s.kind
            && lhs.local().is_some_and(|n| !kept.contains(n))
        {
            s.kind = StmtKind::Expr(rhs.unconverted().clone());
        }
        for b in s.blocks_mut() {
            drop_results(b, kept);
        }
    }
}

fn clean(body: &mut Vec<Stmt>, uses: &Uses) {
    for at in (0..body.len()).rev() {
        if let Some(unread) = split_unread(&mut body[at], uses) {
            body.insert(at + 1, unread);
        }
    }
    for s in body.iter_mut() {
        match &mut s.kind {
            StmtKind::Declare(d) => {
                let removable = |init: &Init| match init {
                    Init::None | Init::Default => true,
                    Init::Value(e) => pure(e),
                    Init::Args(a) => a.iter().all(pure),
                };
                let keep = |n: &str| uses.read.contains(n) || uses.written.contains(n);
                if !matches!(d.qualifier, Qualifier::Shared | Qualifier::SharedTile) {
                    d.names.retain(|n| keep(&n.name) || !removable(&n.init));
                }
                d.maybe_unused = d.names.iter().any(|n| !uses.read.contains(&n.name))
                    && !matches!(d.ty, Type::Array { .. } | Type::Ref(_));
                if d.names.is_empty() {
                    s.kind = StmtKind::Empty;
                }
            }
            StmtKind::ForEach(f) => {
                // Another loop may have a variable of the same name.
                let mut inside = Uses::default();
                inside.stmts(&f.body);
                f.maybe_unused = f.vars.iter().all(|v| !inside.read.contains(v));
            }
            StmtKind::Label(l) if !uses.targets.contains(l) => s.kind = StmtKind::Empty,
            _ => {}
        }
        s.blocks_mut().into_iter().for_each(|b| clean(b, uses));
    }
    body.retain(|s| !matches!(s.kind, StmtKind::Empty) || !s.notes.above.is_empty());
}

/// Takes the names that are never read out of a declaration that has others, too: a mark is for the whole of a declaration.
fn split_unread(s: &mut Stmt, uses: &Uses) -> Option<Stmt> {
    let StmtKind::Declare(d) = &mut s.kind else {
        return None;
    };
    // A later name's bounds may mention an earlier one, which keeps its place.
    let plain = |n: &Declarator| matches!(n.init, Init::None);
    if d.names.len() < 2 || !d.names.iter().all(plain) {
        return None;
    }
    let (read, unread): (Vec<_>, Vec<_>) = std::mem::take(&mut d.names)
        .into_iter()
        .partition(|n| uses.read.contains(&n.name));
    if read.is_empty() || unread.is_empty() {
        d.names = if read.is_empty() { unread } else { read };
        return None;
    }
    let mut second = d.clone();
    d.names = read;
    second.names = unread;
    Some(StmtKind::Declare(second).into())
}

/// No call that could have an effect.
pub(super) fn pure(e: &Expr) -> bool {
    let mut effect = false;
    e.walk(&mut |x| match &x.kind {
        ExprKind::Call { callee, .. } => {
            effect |= !callee.facts().is_some_and(|f| f.is_pure());
        }
        ExprKind::Section { subs, .. } => {
            effect |= subs
                .iter()
                .any(|s| matches!(s, SectionSub::Index(e) if !pure(e)))
        }
        _ => {}
    });
    !effect
}
