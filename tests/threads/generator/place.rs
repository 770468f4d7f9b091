//! Puts a barrier before everything that meets what other threads did since the last one.

use std::collections::BTreeMap;

use super::ir::*;

#[derive(Clone, Debug, PartialEq)]
struct Access {
    write: bool,
    atomic: Option<&'static str>,
    pattern: Pattern,
}

/// Accesses since the last barriers, with the strongest barrier since.
#[derive(Clone, Debug, Default)]
struct Pending(BTreeMap<ItemId, Vec<(Access, Level)>>);

impl Pending {
    fn add(&mut self, item: ItemId, access: Access, level: Level) {
        let list = self.0.entry(item).or_default();
        match list.iter_mut().find(|(a, _)| *a == access) {
            Some((_, l)) => *l = (*l).min(level),
            None => list.push((access, level)),
        }
    }

    fn join(&mut self, other: &Pending) {
        for (item, list) in &other.0 {
            for (access, level) in list {
                self.add(*item, access.clone(), *level);
            }
        }
    }

    fn sync(&mut self, level: Level) {
        for (_, l) in self.0.values_mut().flatten() {
            *l = (*l).max(level);
        }
    }

    /// The barrier that is needed before the accesses.
    fn needed(&self, accesses: &[(ItemId, Access)]) -> Level {
        let each = accesses.iter().flat_map(|(item, access)| {
            let list = self.0.get(item).map_or(&[][..], Vec::as_slice);
            list.iter().filter_map(|(before, level)| {
                let needed = conflict(before, access);
                (needed > *level).then_some(needed)
            })
        });
        each.max().unwrap_or(Level::Thread)
    }
}

fn reach(pattern: Pattern) -> Level {
    match pattern {
        Pattern::Own(0) => Level::Thread,
        Pattern::Warp => Level::Warp,
        Pattern::Own(_) | Pattern::Leader(_) | Pattern::Block => Level::Block,
        Pattern::Grid => Level::Grid,
    }
}

fn conflict(a: &Access, b: &Access) -> Level {
    let commute = a.atomic.is_some() && a.atomic == b.atomic;
    let same = match (a.pattern, b.pattern) {
        (Pattern::Own(x), Pattern::Own(y)) | (Pattern::Leader(x), Pattern::Leader(y)) => x == y,
        _ => false,
    };
    if commute || same || !(a.write || b.write) {
        return Level::Thread;
    }
    reach(a.pattern).max(reach(b.pattern))
}

/// What dummies stand for.
#[derive(Clone, Debug)]
enum Meaning {
    Item(ItemId),
    Element(ItemId, Pattern),
    Private,
}

type Names = BTreeMap<ItemId, Meaning>;

/// Puts barriers into a case, and takes out what cannot be made free of races.
pub fn place(case: &mut Case) {
    strip(case);
    for index in 0..case.kernels.len() {
        let mut kernel = case.kernels[index].clone();
        let mut placer = Placer {
            case,
            grid: kernel.grid,
            leaves: Vec::new(),
        };
        // Procedures that are called again may get more barriers the second time.
        for _ in 0..2 {
            let mut pending = Pending::default();
            let names = Names::new();
            placer.walk(&mut kernel.first, &mut pending, &names);
            placer.walk(&mut kernel.body, &mut pending, &names);
            placer.walk(&mut kernel.last, &mut pending, &names);
        }
        case.kernels[index] = kernel;
    }
}

/// Removes the barriers that were put.
fn strip(case: &mut Case) {
    fn clean(nodes: &mut Vec<Node>) {
        nodes.retain(|n| !matches!(n, Node::Sync { placed: true, .. }));
        for node in nodes {
            match node {
                Node::Loop { body, .. } | Node::Associate { body, .. } => clean(body),
                Node::If {
                    then, otherwise, ..
                } => {
                    clean(then);
                    clean(otherwise);
                }
                _ => {}
            }
        }
    }
    for kernel in &mut case.kernels {
        clean(&mut kernel.first);
        clean(&mut kernel.body);
        clean(&mut kernel.last);
    }
    for procedure in &mut case.procedures {
        clean(&mut procedure.first);
        clean(&mut procedure.body);
    }
}

struct Placer<'a> {
    case: &'a mut Case,
    grid: bool,
    /// States in which loops around are left.
    leaves: Vec<Pending>,
}

impl Placer<'_> {
    fn walk(&mut self, nodes: &mut Vec<Node>, pending: &mut Pending, names: &Names) {
        let mut at = 0;
        while at < nodes.len() {
            let accesses = self.accesses(&nodes[at], names);
            let needed = pending.needed(&accesses);
            let inner = matches!(
                &nodes[at],
                Node::Each {
                    disjoint: false,
                    ..
                } | Node::Call { .. }
                    | Node::Collective { .. }
            ) && races(&accesses);
            if inner || (needed == Level::Grid && !self.grid) {
                nodes.remove(at);
                continue;
            }
            if needed > Level::Thread {
                // Which spelling, follows from where it stands.
                let flavour = (at * 7 + accesses.len() * 3 + accesses[0].0) as u8 % 8;
                nodes.insert(
                    at,
                    Node::Sync {
                        level: needed,
                        flavour,
                        placed: true,
                    },
                );
                pending.sync(needed);
                at += 1;
            }
            for (item, access) in accesses {
                pending.add(item, access, Level::Thread);
            }
            let mut node = nodes[at].clone();
            self.inside(&mut node, pending, names);
            nodes[at] = node;
            at += 1;
        }
    }

    /// What happens within the node, after its own accesses.
    fn inside(&mut self, node: &mut Node, pending: &mut Pending, names: &Names) {
        match node {
            Node::Sync { level, .. } => pending.sync(*level),
            Node::Collective { what, .. } => {
                if matches!(what, Collective::Count | Collective::And | Collective::Or) {
                    pending.sync(Level::Block);
                }
            }
            Node::Loop { body, .. } => {
                // It may have no iteration. The second shows what meets the first.
                let before = pending.clone();
                self.leaves.push(Pending::default());
                self.walk(body, pending, names);
                self.walk(body, pending, names);
                pending.join(&before);
                if let Some(left) = self.leaves.pop() {
                    pending.join(&left);
                }
            }
            Node::ExitIf(_) => {
                if let Some(left) = self.leaves.last_mut() {
                    left.join(pending);
                }
            }
            Node::If {
                then, otherwise, ..
            } => {
                let mut other = pending.clone();
                self.walk(then, pending, names);
                self.walk(otherwise, &mut other, names);
                pending.join(&other);
            }
            Node::Associate {
                alias,
                actual,
                body,
            } => {
                let mut names = names.clone();
                let meaning = meaning(actual, &names);
                names.insert(*alias, meaning);
                self.walk(body, pending, &names);
            }
            Node::Call {
                procedure, actuals, ..
            } => {
                let mut called = self.case.procedures[*procedure].clone();
                let mut inner = Names::new();
                for (dummy, actual) in called.dummies.iter().zip(actuals.iter()) {
                    if let Dummy::Item(item) = dummy {
                        inner.insert(*item, meaning(actual, names));
                    }
                }
                let leaves = std::mem::take(&mut self.leaves);
                self.walk(&mut called.first, pending, &inner);
                self.walk(&mut called.body, pending, &inner);
                self.leaves = leaves;
                self.case.procedures[*procedure] = called;
            }
            // It has barriers of its own at the end.
            Node::Blocks { .. } => pending.sync(Level::Block),
            _ => {}
        }
    }

    /// The node's own accesses, before anything inside it.
    fn accesses(&self, node: &Node, names: &Names) -> Vec<(ItemId, Access)> {
        let mut found = Found {
            names,
            list: Vec::new(),
        };
        match node {
            Node::Each { stmt, .. } => found.stmt(stmt),
            Node::Loop { last, .. } => found.expr(last),
            Node::ExitIf(condition) | Node::If { condition, .. } => found.expr(condition),
            Node::Collective { value, .. } => found.expr(value),
            Node::Call { actuals, .. } => {
                for actual in actuals {
                    found.actual(actual);
                }
            }
            Node::Associate { actual, .. } => found.actual(actual),
            _ => {}
        }
        found.list
    }
}

/// Whether accesses of one statement meet each other.
fn races(accesses: &[(ItemId, Access)]) -> bool {
    accesses.iter().enumerate().any(|(i, (item, a))| {
        let rest = accesses[i..].iter();
        rest.filter(|(other, _)| other == item)
            .any(|(_, b)| conflict(a, b) > Level::Thread)
    })
}

fn meaning(actual: &Actual, names: &Names) -> Meaning {
    match actual {
        Actual::Whole(item) | Actual::Part(item) | Actual::First(item) | Actual::Strided(item) => {
            names.get(item).cloned().unwrap_or(Meaning::Item(*item))
        }
        Actual::Element(item, index) => match names.get(item) {
            None => Meaning::Element(*item, index.pattern),
            Some(Meaning::Item(item)) => Meaning::Element(*item, index.pattern),
            Some(other) => other.clone(),
        },
        Actual::Value(_) | Actual::Reg(_) | Actual::Absent => Meaning::Private,
    }
}

struct Found<'a> {
    names: &'a Names,
    list: Vec<(ItemId, Access)>,
}

impl Found<'_> {
    fn add(&mut self, item: ItemId, index: &Index, write: bool, atomic: Option<&'static str>) {
        self.expr(&index.slot);
        if let Some(block) = &index.block {
            self.expr(block);
        }
        let (item, pattern) = match self.names.get(&item) {
            None => (item, index.pattern),
            Some(Meaning::Item(item)) => (*item, index.pattern),
            Some(Meaning::Element(item, pattern)) => (*item, *pattern),
            Some(Meaning::Private) => return,
        };
        self.list.push((
            item,
            Access {
                write,
                atomic,
                pattern,
            },
        ));
    }

    fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Element(item, index) => self.add(*item, index, false, None),
            Expr::Binary(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            Expr::Call(_, list) => list.iter().for_each(|e| self.expr(e)),
            Expr::Convert(_, _, e) | Expr::Wrapped(_, e) => self.expr(e),
            _ => {}
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Set(target, value) => {
                self.expr(value);
                if let Target::Element(item, index) = target {
                    self.add(*item, index, true, None);
                }
            }
            Stmt::If(condition, then, otherwise) => {
                self.expr(condition);
                then.iter().chain(otherwise).for_each(|s| self.stmt(s));
            }
            Stmt::For(_, first, last, body) => {
                self.expr(first);
                self.expr(last);
                body.iter().for_each(|s| self.stmt(s));
            }
            Stmt::Out(_, value) => self.expr(value),
            Stmt::Atomic(op, item, index, value) => {
                self.expr(value);
                self.add(*item, index, true, Some(op));
            }
        }
    }

    fn actual(&mut self, actual: &Actual) {
        match actual {
            Actual::Value(e) => self.expr(e),
            // A scalar dummy is read where the procedure reads it.
            Actual::Element(_, index) => self.expr(&index.slot),
            _ => {}
        }
    }
}
