//! Where locals are declared: Fortran declares them at the top of a procedure, C++ where they get their first value.
//!
//! A scalar moves to its first assignment if no path reaches another mention of it without passing there: the
//! assignment stands in the same block as all other mentions, before them, or each block that mentions it starts so.
//! Then no iteration of a loop sees a value of the one before, and a fresh variable in every one makes no difference.
//! What gets its first value in several places, element by element, or by a call, is declared before the first statement that mentions
//! it, in the innermost block that holds all mentions and whose earlier iterations it has nothing of.
//! What the source says behind several names of a line is said with the names, where the line was, if they part.

use std::collections::BTreeMap;

use super::dead_code::pure;
use crate::ir::{
    Declarator, Declare, Expr, ExprKind, Init, Notes, Proc, Qualifier, Step, Stmt, StmtKind, Type,
};

/// What a run through a block does first with a variable.
enum Given {
    /// It gives it a value.
    Value,
    /// It may read it.
    Reads,
    /// It passes it by.
    Nothing,
}

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
    function.unread(body);
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

/// How often each name is declared in statements.
fn names_declared(body: &[Stmt]) -> BTreeMap<String, usize> {
    let mut out = BTreeMap::new();
    for s in body {
        s.walk(&mut |s| {
            if let StmtKind::Declare(d) = &s.kind {
                for n in &d.names {
                    *out.entry(n.name.clone()).or_default() += 1;
                }
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
            | Type::Pointer { .. }
    )
}

/// What the source says behind several names that it declares in one line.
struct SharedRemark {
    names: Vec<String>,
    text: String,
    /// The declaration's place in the block.
    at: usize,
}

/// Takes such remarks from the declarations of a block.
fn shared_remarks(body: &mut [Stmt]) -> Vec<SharedRemark> {
    let mut out = Vec::new();
    for (at, s) in body.iter_mut().enumerate() {
        let StmtKind::Declare(d) = &s.kind else {
            continue;
        };
        if d.names.len() > 1
            && let Some(text) = s.notes.trailing.take()
        {
            let names = d.names.iter().map(|n| n.name.clone()).collect();
            out.push(SharedRemark { names, text, at });
        }
    }
    out
}

impl SharedRemark {
    /// Puts the remark behind the names, or before the block's other statements if they are not together any more.
    fn give_back(self, body: &mut Vec<Stmt>) {
        if self.attach(body) {
            return;
        }
        let text = self.text.trim_start_matches(['<', '>', '!']).trim();
        let mut s = Stmt::from(StmtKind::Empty);
        s.notes.above = vec![Some(format!(" {}: {text}", self.names.join(", ")))];
        body.insert(self.at.min(body.len()), s);
    }

    /// Whether the names are together in one declaration of the block, or of one in it, which then has the remark.
    fn attach(&self, body: &mut [Stmt]) -> bool {
        body.iter_mut().any(|s| match &s.kind {
            StmtKind::Declare(d) => {
                let free = s.notes.trailing.is_none();
                let whole = free && d.names.iter().map(|n| &n.name).eq(&self.names);
                if whole {
                    s.notes.trailing = Some(self.text.clone());
                }
                whole
            }
            _ => s.blocks_mut().into_iter().any(|b| self.attach(b)),
        })
    }
}

impl Function {
    fn block(&self, body: &mut Vec<Stmt>) {
        let remarks = shared_remarks(body);
        for at in 0..body.len() {
            for b in body[at].blocks_mut() {
                self.block(b);
            }
            self.declaration(body, at);
        }
        if self.jumps.is_empty() {
            self.lower(body);
        }
        for r in remarks.into_iter().rev() {
            r.give_back(body);
        }
        body.retain(|s| !matches!(s.kind, StmtKind::Empty) || !s.notes.above.is_empty());
    }

    /// Where one block has a variable of its own that it does not read, what is left is the call whose result that took, or a mark.
    fn unread(&self, body: &mut [Stmt]) {
        for at in 0..body.len() {
            for b in body[at].blocks_mut() {
                self.unread(b);
            }
            let (before, after) = body.split_at_mut(at + 1);
            let Some(Stmt {
                kind: StmtKind::Declare(d),
                ..
            }) = before.last_mut()
            else {
                continue;
            };
            let [
                Declarator {
                    name,
                    init: Init::Value(value),
                },
            ] = &d.names[..]
            else {
                continue;
            };
            let local = Local::of(name, d, self);
            if d.qualifier != Qualifier::None
                || !movable(&d.ty)
                || after.iter().any(|s| local.mentioned(s))
            {
                continue;
            }
            let call = value.unconverted();
            match matches!(call.kind, ExprKind::Call { .. }) && !pure(call) {
                true => before[at].kind = StmtKind::Expr(call.clone()),
                false => d.maybe_unused = true,
            }
        }
    }

    /// Moves declarations without a value to the statement that first mentions the variable.
    fn lower(&self, body: &mut Vec<Stmt>) {
        let others = names_declared(body);
        let mut pending = Vec::new();
        for s in &mut *body {
            let StmtKind::Declare(d) = &mut s.kind else {
                continue;
            };
            let bare = d.names.iter().all(|n| matches!(n.init, Init::None));
            let hidden = |n: &Declarator| others.get(&n.name).is_some_and(|count| *count > 1);
            if d.qualifier != Qualifier::None
                || !movable(&d.ty)
                || !bare
                || d.names.iter().any(hidden)
            {
                continue;
            }
            pending.push((d.clone(), std::mem::take(&mut s.notes)));
            s.kind = StmtKind::Empty;
        }
        for (d, mut notes) in pending {
            notes.blank_before = false;
            let mut sibling = None;
            for n in &d.names {
                let local = Local::of(&n.name, &d, self);
                let one = Declare {
                    names: vec![n.clone()],
                    ..d.clone()
                };
                // What stands above several stands above the first.
                let first = d.names.first().is_some_and(|f| f.name == n.name);
                let said = match first {
                    true => std::mem::take(&mut notes),
                    false => Notes::default(),
                };
                local.declare_before(body, one, said, sibling);
                sibling = Some(n.name.as_str());
            }
        }
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
        let declared = d.clone();
        let mut moving: Vec<(usize, Local<'_>)> = Vec::new();
        for n in &declared.names {
            let mut local = Local::of(&n.name, &declared, self);
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

impl<'a> Local<'a> {
    fn of(name: &'a str, d: &'a Declare, function: &'a Function) -> Self {
        Local {
            name,
            ty: &d.ty,
            maybe_unused: d.maybe_unused,
            here_only: matches!(
                d.ty,
                Type::Derived(_) | Type::Character(_) | Type::Fixed { .. }
            ),
            function,
        }
    }

    /// Puts the declaration before the first statement that mentions the variable, in the innermost block that can have it.
    /// `sibling`: the one that the source declares before it on the same line.
    fn declare_before(
        &self,
        block: &mut Vec<Stmt>,
        d: Declare,
        notes: Notes,
        sibling: Option<&str>,
    ) {
        let mentions: Vec<usize> = (0..block.len())
            .filter(|i| self.mentioned(&block[*i]))
            .collect();
        let Some(&first) = mentions.first() else {
            let mut s = Stmt::from(StmtKind::Declare(d));
            s.notes = notes;
            block.insert(0, s);
            return;
        };
        if let [only] = mentions[..]
            && let Some(b) = self.inner(&mut block[only])
        {
            self.declare_before(b, d, notes, sibling);
            return;
        }
        // Those of one line of the source stay together.
        let before = first.checked_sub(1).and_then(|k| block.get_mut(k));
        if let Some(StmtKind::Declare(b)) = before.map(|s| &mut s.kind)
            && sibling.is_some()
            && b.names.last().map(|n| &*n.name) == sibling
        {
            b.names.extend(d.names);
            return;
        }
        let mut s = Stmt::from(StmtKind::Declare(d));
        s.notes = notes;
        s.notes.blank_before = std::mem::take(&mut block[first].notes.blank_before);
        block.insert(first, s);
    }

    /// The block of the statement that the declaration can stand in.
    fn inner<'s>(&self, s: &'s mut Stmt) -> Option<&'s mut Vec<Stmt>> {
        if self.in_head(s) || self.address_taken(s) || self.pointed_to(s) {
            return None;
        }
        let repeats = matches!(
            s.kind,
            StmtKind::For(_) | StmtKind::ForEach(_) | StmtKind::While { .. }
        );
        let chained = matches!(s.kind, StmtKind::If { .. });
        let mut blocks = s.blocks_mut().into_iter();
        let inside = |b: &Vec<Stmt>| b.iter().any(|s| self.mentioned(s));
        let block = blocks.find(|b| inside(b))?;
        if blocks.any(|b| inside(b)) || (repeats && !self.given_first(block)) {
            return None;
        }
        // `else if` is an IF alone in its block.
        let is_else_if =
            chained && matches!(&block[..], [s] if matches!(s.kind, StmtKind::If { .. }));
        (!is_else_if).then_some(block)
    }

    /// A pointer, a reference or a structure may get to know where the variable is.
    fn pointed_to(&self, s: &Stmt) -> bool {
        let keeps = |ty: &Type| match ty.plain() {
            Type::Derived(_) => !matches!(self.ty.plain(), Type::Derived(_)),
            ty => !movable(ty),
        };
        let mut found = false;
        s.walk(&mut |s| {
            found |= match &s.kind {
                StmtKind::Assign { lhs, rhs } => keeps(&lhs.ty) && rhs.mentions(self.name),
                StmtKind::Declare(d) => {
                    let values = d.names.iter().flat_map(|n| match &n.init {
                        Init::Value(v) => std::slice::from_ref(v),
                        Init::Args(all) => &all[..],
                        Init::None | Init::Default => &[],
                    });
                    keeps(&d.ty) && { values }.any(|v| v.mentions(self.name))
                }
                _ => false,
            };
        });
        found
    }

    /// No statement of the block reads the variable before one has given it its value.
    fn given_first(&self, block: &[Stmt]) -> bool {
        match self.gives(block) {
            Given::Value | Given::Nothing => true,
            Given::Reads => false,
        }
    }

    /// What a run through the statements does first with the variable.
    fn gives(&self, block: &[Stmt]) -> Given {
        for s in block.iter().filter(|s| self.mentioned(s)) {
            if self.sets(s) {
                return Given::Value;
            }
            if self.in_head(s) {
                return Given::Reads;
            }
            let (branches, otherwise) = match &s.kind {
                StmtKind::If {
                    branches,
                    otherwise,
                } => (branches, otherwise),
                // Perhaps no iteration gives it a value.
                StmtKind::For(_) | StmtKind::ForEach(_) | StmtKind::While { .. }
                    if s.blocks().iter().all(|b| self.given_first(b)) =>
                {
                    continue;
                }
                _ => return Given::Reads,
            };
            let blocks = branches
                .iter()
                .map(|(_, b)| &b[..])
                .chain(otherwise.as_deref());
            let each: Vec<Given> = blocks.map(|b| self.gives(b)).collect();
            if each.iter().any(|g| matches!(g, Given::Reads)) {
                return Given::Reads;
            }
            if otherwise.is_some() && each.iter().all(|g| matches!(g, Given::Value)) {
                return Given::Value;
            }
        }
        Given::Nothing
    }

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
                && (rhs.ty.initialises(self.ty) || self.is_list(rhs))
                && !rhs.mentions(self.name))
    }

    /// The elements of a small array.
    fn is_list(&self, rhs: &Expr) -> bool {
        matches!(self.ty, Type::Fixed { .. }) && matches!(rhs.kind, ExprKind::List(_))
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
