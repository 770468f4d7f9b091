//! DO loops whose variable nobody reads afterwards: there it can be declared in the loop, though other statements use it, too.

use crate::ast::{DoControl, Expr, ExprKind, Span, Stmt, StmtKind};

/// One scalar local variable of a procedure without jumps to labels.
pub struct Liveness<'a> {
    /// Its places in expressions, in order.
    mentions: Vec<Span>,
    /// The loops that it controls.
    loops: &'a [Span],
    unread: Vec<Span>,
}

/// What comes after a loop.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// The variable may be read.
    Read,
    /// It gets another value.
    Overwritten,
    /// Nothing of both, up to the end of the block.
    Nothing,
}

/// A statement of a block around a loop.
#[derive(Clone, Copy)]
struct At<'b> {
    block: &'b [Stmt],
    index: usize,
    /// The block is executed again and again.
    repeated: bool,
}

impl<'a> Liveness<'a> {
    /// The loops of `body` over the variable after which its value is not read; `body` is executed once in the variable's life.
    pub fn unread_loops(body: &[Stmt], mentions: &[Span], loops: &'a [Span]) -> Vec<Span> {
        let mut mentions = mentions.to_vec();
        mentions.sort_by_key(|m| m.start);
        let mut l = Liveness {
            mentions,
            loops,
            unread: Vec::new(),
        };
        let whole = |s: &Stmt| s.span.start;
        let first = body.first().map_or(0, whole);
        let outside = l.mentions.first().is_some_and(|m| m.start < first);
        // Elsewhere a name may stand for the variable: associate names, statement functions.
        // Statement functions stand first, and look like assignments to elements.
        let function = |s: &&Stmt| matches!(&s.kind, StmtKind::Assign { lhs, .. } if !matches!(lhs.kind, ExprKind::Name(_)));
        let stated = body
            .iter()
            .take_while(function)
            .any(|s| l.within(s.span) > 0);
        if outside || stated || body.iter().any(|s| l.renamed(s)) {
            return Vec::new();
        }
        l.block(body, false, &mut Vec::new());
        l.unread
    }

    fn within(&self, span: Span) -> usize {
        let from = self.mentions.partition_point(|m| m.start < span.start);
        let to = self.mentions.partition_point(|m| m.start < span.end);
        to.saturating_sub(from)
    }

    /// A statement that makes something else stand for the variable.
    fn renamed(&self, s: &Stmt) -> bool {
        let here = match &s.kind {
            StmtKind::Associate { header, .. } => self.within(*header) > 0,
            StmtKind::Do(d) => match &d.control {
                DoControl::Concurrent(h) => !h.local.is_empty(),
                _ => false,
            },
            _ => false,
        };
        let blocks = s.blocks();
        here || blocks.iter().any(|b| b.iter().any(|s| self.renamed(s)))
    }

    fn block<'b>(&mut self, block: &'b [Stmt], repeated: bool, path: &mut Vec<At<'b>>) {
        for (index, s) in block.iter().enumerate() {
            let inner = s.blocks();
            if inner.is_empty() {
                continue;
            }
            path.push(At {
                block,
                index,
                repeated,
            });
            // Its bounds are outside of the new variable's life.
            let ours = self.loops.contains(&s.span) && self.overwrites(s);
            if ours && !inner.iter().any(|b| jumps(b, true)) && self.unread_after(path) {
                self.unread.push(s.span);
            }
            let again = matches!(s.kind, StmtKind::Do(_) | StmtKind::Forall { .. });
            for b in inner {
                self.block(b, again, path);
            }
            path.pop();
        }
    }

    fn unread_after(&self, path: &[At<'_>]) -> bool {
        for (depth, at) in path.iter().enumerate().rev() {
            match self.next(at.block.get(at.index + 1..).unwrap_or_default()) {
                Next::Read => return false,
                Next::Overwritten => return true,
                Next::Nothing => {}
            }
            let around = depth.checked_sub(1).and_then(|d| path.get(d));
            if at.repeated
                && (around.is_none_or(|a| self.read_again(a))
                    || self.next(at.block.get(..=at.index).unwrap_or_default()) == Next::Read)
            {
                return false;
            }
        }
        true
    }

    /// A loop whose condition reads the variable before each iteration.
    fn read_again(&self, at: &At<'_>) -> bool {
        match at.block.get(at.index).map(|s| &s.kind) {
            Some(StmtKind::Do(d)) => match &d.control {
                DoControl::While(cond) => self.within(cond.span) > 0,
                _ => false,
            },
            _ => true,
        }
    }

    fn next(&self, block: &[Stmt]) -> Next {
        for s in block {
            if self.overwrites(s) {
                return Next::Overwritten;
            }
            if self.within(s.span) > 0 || jumps(std::slice::from_ref(s), false) {
                return Next::Read;
            }
        }
        Next::Nothing
    }

    /// An assignment to the variable, or a loop over it, that does not read it first.
    fn overwrites(&self, s: &Stmt) -> bool {
        let read = |e: &Expr| self.within(e.span) > 0;
        match &s.kind {
            StmtKind::Assign { lhs, rhs } => {
                matches!(lhs.kind, ExprKind::Name(_)) && read(lhs) && !read(rhs)
            }
            StmtKind::Do(d) => match &d.control {
                DoControl::Counted { from, to, step, .. } => {
                    self.loops.contains(&s.span)
                        && !read(from)
                        && !read(to)
                        && !step.as_ref().is_some_and(read)
                }
                _ => false,
            },
            _ => false,
        }
    }
}

/// Jumps out of the statements to another place of the procedure: any by name, and the others if no loop is `around` them here.
fn jumps(block: &[Stmt], around: bool) -> bool {
    block.iter().any(|s| match &s.kind {
        StmtKind::Exit(name) | StmtKind::Cycle(name) => !around || name.is_some(),
        StmtKind::Do(d) => jumps(&d.body, true),
        _ => s.blocks().iter().any(|b| jumps(b, around)),
    })
}
