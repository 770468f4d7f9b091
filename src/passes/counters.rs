//! Loops from 1 in steps that only the launch knows, whose variable is a subscript, count from 0 inside: nvcc takes the 1 that a Fortran
//! subscript is ahead out of a loop whose step is a constant, but not out of these, where it costs an instruction in each turn.
//!
//! `cuf::counter` is an `int` that does so. It is one in arithmetic, comparisons and subscripts; where the variable stands anywhere else
//! (an argument, a value that is stored) the loop keeps `int`.

use std::collections::BTreeSet;

use super::from_one::{is_from_one, is_from_zero};
use crate::ir::*;

/// Gives the loops of a procedure such variables.
pub fn count(procedure: &mut Proc) {
    let mut locals = Locals::default();
    for s in &procedure.body {
        s.walk(&mut |s| {
            if let StmtKind::Declare(d) = &s.kind
                && d.qualifier == Qualifier::None
            {
                d.names.iter().for_each(|n| locals.add(n));
            }
        });
    }
    loops(&mut procedure.body, &locals);
}

/// Variables of the procedure, and those of them that begin as the number of a thread or block, from 1.
#[derive(Default)]
struct Locals {
    all: BTreeSet<String>,
    from_one: BTreeSet<String>,
}

impl Locals {
    fn add(&mut self, n: &Declarator) {
        self.all.insert(n.name.clone());
        if let Init::Value(e) = &n.init
            && is_from_one(e.unsigned_as_is())
        {
            self.from_one.insert(n.name.clone());
        }
    }

    /// The number of a thread or block, from 1.
    fn is_from_one(&self, e: &Expr) -> bool {
        let e = e.unsigned_as_is();
        let number = |x: &Expr| x.local().is_some_and(|name| self.from_one.contains(name));
        match &e.kind {
            ExprKind::Binary {
                op: BinaryOp::Add,
                lhs,
                rhs,
            } => {
                is_from_one(e)
                    || is_from_zero(lhs) && number(rhs)
                    || number(lhs) && is_from_zero(rhs)
            }
            _ => number(e),
        }
    }
}

fn loops(body: &mut [Stmt], locals: &Locals) {
    for s in body {
        if let StmtKind::For(f) = &mut s.kind
            && f.declare == Some(Type::Int(4))
            && f.from.as_ref().is_some_and(|e| locals.is_from_one(e))
            && is_of_launch(&f.step, &locals.all)
            && uses(f) == Some(true)
        {
            f.declare = Some(Type::Class(Class::Counter));
        }
        for b in s.blocks_mut() {
            loops(b, locals);
        }
    }
}

/// The step is computed from the launch's extents, or a variable.
fn is_of_launch(step: &Step, locals: &BTreeSet<String>) -> bool {
    let Step::Expr(e) = step else {
        return false;
    };
    let mut found = false;
    e.walk(&mut |x| {
        found |= matches!(x.kind, ExprKind::Builtin(..))
            || x.local().is_some_and(|name| locals.contains(name));
    });
    found && matches!(e.ty, Type::Int(4) | Type::Uint)
}

/// Whether the variable is part of a subscript; None if it stands where only an `int` can.
fn uses(f: &For) -> Option<bool> {
    let mut found = Uses {
        var: &f.var,
        only_int: f.from.iter().any(|e| e.mentions(&f.var)),
        subscript: false,
    };
    found.of(&f.cond, Place::Other);
    for s in &f.body {
        s.walk(&mut |s| s.own_exprs(&mut |e| found.of(e, Place::Other)));
    }
    (!found.only_int).then_some(found.subscript)
}

struct Uses<'a> {
    var: &'a str,
    only_int: bool,
    subscript: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// A subscript, or a term of one.
    Subscript,
    /// An operand of arithmetic or a comparison between numbers.
    Operand,
    Other,
}

impl Uses<'_> {
    fn of(&mut self, e: &Expr, place: Place) {
        if e.local() == Some(self.var) {
            self.only_int |= place == Place::Other;
            self.subscript |= place == Place::Subscript;
            return;
        }
        match &e.kind {
            ExprKind::Element { base, subs } => {
                self.of(base, Place::Other);
                let place = match is_array(&base.ty) {
                    true => Place::Subscript,
                    false => Place::Other,
                };
                subs.iter().for_each(|s| self.of(s, place));
            }
            ExprKind::Binary { lhs, rhs, .. } if is_number(&lhs.ty) && is_number(&rhs.ty) => {
                let place = match place {
                    Place::Subscript => place,
                    Place::Operand | Place::Other => Place::Operand,
                };
                self.of(lhs, place);
                self.of(rhs, place);
            }
            ExprKind::Convert(inner) if is_number(&e.ty) && is_number(&inner.ty) => {
                self.of(inner, place);
            }
            _ => e.operands(&mut |x| self.of(x, Place::Other)),
        }
    }
}

fn is_array(ty: &Type) -> bool {
    matches!(
        ty.plain(),
        Type::Array { .. }
            | Type::View { .. }
            | Type::Fixed { .. }
            | Type::Class(Class::ExplicitShape { .. } | Class::MadeOfLayout { .. })
    )
}

fn is_number(ty: &Type) -> bool {
    matches!(
        ty.plain(),
        Type::Int(_) | Type::Uint | Type::Ulong | Type::Real(_)
    )
}
