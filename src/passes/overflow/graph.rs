//! Where integers go: variables, arrays, components and results of a whole program, and what flows from one to another.

use std::collections::{BTreeMap, BTreeSet};

use super::size::{SMALL, Size};
use crate::ir::Type;

/// A variable, an array, the components of one name, or a function's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Node(usize);

/// A place's value is used in this way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// The compiler could draw conclusions from it.
    Exact,
    /// As bits that are stored, or as a subscript or bound.
    Free,
    /// As what is stored there.
    Into(Node),
}

/// A size that has changed so often is that of a sum or product over a loop.
const CHANGES: u32 = 8;

#[derive(Debug, Default)]
struct Info {
    /// Shares its value with this one (a reference, an array passed on).
    same: Option<Node>,
    exact: bool,
    /// Values of these go into it.
    from: BTreeSet<Node>,
    size: Size,
    changes: u32,
    /// Is a subscript or a bound.
    position: bool,
    /// Has a value made of thread coordinates.
    coordinate: bool,
}

/// A device procedure as its callers see it.
#[derive(Clone, Debug)]
pub struct Signature {
    pub params: Vec<(Node, Type)>,
    pub result: Node,
}

#[derive(Debug, Default)]
pub struct Graph {
    names: BTreeMap<String, Node>,
    infos: Vec<Info>,
    /// By namespace and name.
    pub procedures: BTreeMap<(String, String), Signature>,
}

impl Graph {
    /// The node of that name.
    pub fn node(&mut self, name: String) -> Node {
        let next = Node(self.infos.len());
        let n = *self.names.entry(name).or_insert(next);
        if n == next {
            self.infos.push(Info::default());
        }
        self.representative(n)
    }

    fn representative(&self, mut n: Node) -> Node {
        while let Some(to) = self.infos[n.0].same {
            n = to;
        }
        n
    }

    fn info(&mut self, n: Node) -> &mut Info {
        let n = self.representative(n);
        &mut self.infos[n.0]
    }

    fn seen(&self, n: Node) -> &Info {
        &self.infos[self.representative(n).0]
    }

    /// Both names reach the same data.
    pub fn unite(&mut self, a: Node, b: Node) {
        let (a, b) = (self.representative(a), self.representative(b));
        if a == b {
            return;
        }
        let old = std::mem::take(&mut self.infos[b.0]);
        self.infos[b.0].same = Some(a);
        let info = &mut self.infos[a.0];
        info.exact |= old.exact;
        info.from.extend(old.from);
        info.size = info.size.join(old.size);
        info.position |= old.position;
        info.coordinate |= old.coordinate;
    }

    /// A value is read and used.
    pub fn read(&mut self, n: Node, used: Use) {
        match used {
            Use::Exact => self.info(n).exact = true,
            Use::Free => {}
            Use::Into(to) => {
                self.info(to).from.insert(n);
            }
        }
    }

    pub fn mark_position(&mut self, n: Node) {
        self.info(n).position = true;
    }

    pub fn mark_coordinate(&mut self, n: Node) {
        self.info(n).coordinate = true;
    }

    pub fn is_position(&self, n: Node) -> bool {
        self.seen(n).position
    }

    pub fn is_coordinate(&self, n: Node) -> bool {
        self.seen(n).coordinate
    }

    /// What flows into something whose value matters has to be right, too.
    pub fn propagate(&mut self) {
        let mut todo: Vec<Node> = (0..self.infos.len())
            .map(Node)
            .filter(|n| self.infos[n.0].exact)
            .collect();
        while let Some(n) = todo.pop() {
            for f in self.infos[n.0].from.clone() {
                let f = self.representative(f);
                if !self.infos[f.0].exact {
                    self.infos[f.0].exact = true;
                    todo.push(f);
                }
            }
        }
    }

    /// The compiler could draw conclusions from a value used so.
    pub fn matters(&self, used: Use) -> bool {
        match used {
            Use::Exact => true,
            Use::Free => false,
            Use::Into(n) => self.seen(n).exact,
        }
    }

    /// The variable has a value of that size; true if that is news.
    pub fn add_size(&mut self, n: Node, size: Size) -> bool {
        let info = self.info(n);
        let joined = info.size.join(size);
        if joined == info.size {
            return false;
        }
        info.changes += 1;
        // One that keeps growing.
        let widened = match joined {
            s if info.changes <= CHANGES => s,
            _ if info.position && size != Size::Any => Size::Position(1),
            _ => Size::Any,
        };
        let news = widened != info.size;
        info.size = widened;
        news
    }

    /// The size of a variable of so many bytes.
    pub fn size(&self, n: Node) -> Size {
        let info = self.seen(n);
        match info.size {
            s @ (Size::None | Size::Any) => s,
            s if !info.position || s.within(SMALL) => s,
            _ => Size::Position(1),
        }
    }
}
