//! Where locals are declared: Fortran declares them at the top of a procedure, C++ where they get their first value.
//!
//! A scalar moves to its first assignment if no path reaches another mention of it without passing there: the
//! assignment stands in the same block as all other mentions, before them, or each block that mentions it starts so.
//! Then no iteration of a loop sees a value of the one before, and a fresh variable in every one makes no difference.

use std::collections::BTreeMap;

use crate::ir::{
    Declarator, Declare, ExprKind, Init, Notes, Proc, Qualifier, Step, Stmt, StmtKind, Type,
};

/// What must be known of a whole function.
struct Function {
    /// How often each label is jumped to.
    jumps: BTreeMap<String, usize>,
}

/// Moves the declarations of a function's locals.
pub fn place(procedure: &mut Proc) {
    let body = &mut procedure.body;
    let function = Function { jumps: jumps(body) };
    function.block(body);
}

/// How often each label is jumped to.
fn jumps(body: &[Stmt]) -> BTreeMap<String, usize> {
    let mut out = BTreeMap::new();
    for s in body {
        s.walk(&mut |s| {
            if let StmtKind::Goto(l) = &s.kind {
                *out.entry(l.clone()).or_default() += 1;
            }
        });
    }
    out
}

/// A declaration statement in the statement has that name.
fn redeclares(s: &Stmt, name: &str) -> bool {
    let mut found = false;
    s.walk(&mut |s| {
        found |= match &s.kind {
            StmtKind::Declare(d) => d.names.iter().any(|n| n.name == name),
            _ => false,
        };
    });
    found
}

fn movable(ty: &Type) -> bool {
    matches!(
        ty,
        Type::Bool
            | Type::Int(_)
            | Type::Real(_)
            | Type::Complex(_)
            | Type::Logical(_)
            | Type::Character(_)
            | Type::Derived(_)
            | Type::Fixed { .. }
    )
}

impl Function {
    fn block(&self, body: &mut Vec<Stmt>) {
        for at in 0..body.len() {
            for b in body[at].blocks_mut() {
                self.block(b);
            }
            self.declaration(body, at);
        }
        body.retain(|s| !matches!(s.kind, StmtKind::Empty) || !s.notes.above.is_empty());
    }

    /// Moves what can be moved of the declaration at `at`.
    fn declaration(&self, body: &mut [Stmt], at: usize) {
        let (declaration, rest) = body[at..]
            .split_first_mut()
            .map_or_else(|| (None, &mut [][..]), |(first, rest)| (Some(first), rest));
        let Some(Stmt {
            kind: StmtKind::Declare(d),
            notes,
            ..
        }) = declaration
        else {
            return;
        };
        if d.qualifier != Qualifier::None || !movable(&d.ty) {
            return;
        }
        // What the user said behind several variables stays with them.
        if notes.trailing.is_some() && d.names.len() > 1 {
            return;
        }
        let declared = d.clone();
        let mut moving: Vec<(usize, Local<'_>)> = Vec::new();
        for n in &declared.names {
            let mut local = Local {
                name: &n.name,
                ty: &declared.ty,
                maybe_unused: declared.maybe_unused,
                here_only: matches!(
                    declared.ty,
                    Type::Derived(_) | Type::Character(_) | Type::Fixed { .. }
                ),
                function: self,
            };
            local.here_only |= rest.iter().any(|s| local.address_taken(s));
            // One whose name another declaration hides stays where it is.
            let once = !rest.iter().any(|s| redeclares(s, &n.name));
            if matches!(n.init, Init::None) && once && local.can_move(rest) {
                let first = rest.iter().position(|s| local.mentioned(s));
                moving.push((first.unwrap_or(0), local));
            }
        }
        moving.sort_by_key(|(first, _)| *first);
        // What stands above goes with the first of them, unless one stays or that is in an inner block.
        let together = match &moving[..] {
            [_] => true,
            [(at, first), ..] => first.sets(&rest[*at]),
            [] => false,
        };
        let mut said = match together && moving.len() == d.names.len() {
            true => Notes {
                blank_before: false,
                ..std::mem::take(notes)
            },
            false => Notes::default(),
        };
        for (_, local) in &moving {
            local.apply(rest, &mut said);
        }
        d.names
            .retain(|n| !moving.iter().any(|(_, l)| l.name == n.name));
        if d.names.is_empty() {
            body[at].kind = StmtKind::Empty;
        }
    }
}

struct Local<'a> {
    name: &'a str,
    ty: &'a Type,
    maybe_unused: bool,
    /// Something may point to it, so it lives as long as the block of its declaration.
    here_only: bool,
    function: &'a Function,
}

impl Local<'_> {
    /// The statement itself, not one in its blocks, mentions the variable.
    fn in_head(&self, s: &Stmt) -> bool {
        let mut found = match &s.kind {
            StmtKind::For(f) => {
                f.var == self.name
                    || matches!(&f.step, Step::Counted { count, .. } if count == self.name)
            }
            _ => false,
        };
        s.own_exprs(&mut |e| found |= e.mentions(self.name));
        found
    }

    fn mentioned(&self, s: &Stmt) -> bool {
        match &s.kind {
            // The loop has a variable of that name itself; its bounds are values from outside.
            StmtKind::For(f) if f.declare.is_some() && f.var == self.name => {
                f.from.as_ref().is_some_and(|e| e.mentions(self.name))
            }
            StmtKind::ForEach(f) if f.vars.iter().any(|v| v == self.name) => {
                f.range.mentions(self.name)
            }
            _ => {
                self.in_head(s)
                    || s.blocks()
                        .iter()
                        .any(|b| b.iter().any(|s| self.mentioned(s)))
            }
        }
    }

    /// The statement gives the variable its value and does not read it.
    fn sets(&self, s: &Stmt) -> bool {
        matches!(&s.kind, StmtKind::Assign { lhs, rhs }
            if lhs.local() == Some(self.name)
                && rhs.ty.initialises(self.ty)
                && !rhs.mentions(self.name))
    }

    fn address_taken(&self, s: &Stmt) -> bool {
        let mut found = false;
        s.walk(&mut |s| {
            s.own_exprs(&mut |e| {
                e.walk(&mut |x| {
                    found |= matches!(&x.kind, ExprKind::AddressOf(p) if p.mentions(self.name));
                });
            });
        });
        found
    }

    fn can_move(&self, block: &[Stmt]) -> bool {
        let Some(first) = block.iter().position(|s| self.mentioned(s)) else {
            return false;
        };
        if self.sets(&block[first]) {
            return !self.function.entered_from_outside(&block[first + 1..]);
        }
        !self.here_only
            && block[first..]
                .iter()
                .filter(|s| self.mentioned(s))
                .all(|s| {
                    !self.in_head(s)
                        && s.blocks()
                            .iter()
                            .all(|b| !b.iter().any(|s| self.mentioned(s)) || self.can_move(b))
                })
    }

    /// Declares the variable where [`Local::can_move`] found that it can be; the notes go with the first declaration.
    fn apply(&self, block: &mut [Stmt], notes: &mut Notes) {
        let Some(first) = block.iter().position(|s| self.mentioned(s)) else {
            return;
        };
        if self.sets(&block[first]) {
            self.declare(&mut block[first], notes);
            return;
        }
        for s in &mut block[first..] {
            if !self.mentioned(s) {
                continue;
            }
            for b in s.blocks_mut() {
                self.apply(b, notes);
            }
        }
    }

    fn declare(&self, s: &mut Stmt, notes: &mut Notes) {
        let StmtKind::Assign { rhs, .. } = &s.kind else {
            return;
        };
        s.kind = StmtKind::Declare(Declare {
            ty: self.ty.clone(),
            qualifier: Qualifier::None,
            names: vec![Declarator {
                name: self.name.to_owned(),
                init: Init::Value(rhs.clone()),
            }],
            maybe_unused: self.maybe_unused,
        });
        let Notes {
            above, trailing, ..
        } = std::mem::take(notes);
        s.notes.above.splice(0..0, above);
        match (&s.notes.trailing, trailing) {
            (Some(_), Some(remark)) => s.notes.above.push(Some(remark)),
            (None, remark) => s.notes.trailing = remark,
            (Some(_), None) => {}
        }
    }
}

impl Function {
    /// A jump from elsewhere goes to a label in these statements; C++ forbids it to pass an initialisation.
    fn entered_from_outside(&self, tail: &[Stmt]) -> bool {
        let inside = jumps(tail);
        let mut entered = false;
        for s in tail {
            s.walk(&mut |s| {
                if let StmtKind::Label(l) = &s.kind {
                    entered |= self.jumps.get(l) != inside.get(l);
                }
            });
        }
        entered
    }
}
