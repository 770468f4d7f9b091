//! Where integers go: variables, arrays, components and results of a whole program, and what flows from one to another.

use std::collections::{BTreeMap, BTreeSet};

use super::size::{SMALL, Size};
use crate::ir::Type;

/// Which integer arithmetic wraps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wrap {
    /// Where programs may rely on it.
    #[default]
    Plausible,
    /// Wherever it may overflow.
    All,
}

/// A variable, an array, the components of one name, or a function's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Node(usize);

/// A place's value is used in this way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// The compiler could draw conclusions from it.
    Exact,
    /// The same, and programs rely on its bits: it is shifted, say.
    Bits,
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
    /// Programs may rely on its wrapping.
    hashed: bool,
    /// A named constant, whose name says nothing of those who use it.
    constant: bool,
    /// A named constant that is no extent or stride.
    large: bool,
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
    /// The first is a factor of a value of the second.
    products: BTreeSet<(Node, Node)>,
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
        info.hashed |= old.hashed;
    }

    /// A value is read and used.
    pub fn read(&mut self, n: Node, used: Use) {
        match used {
            Use::Exact => self.info(n).exact = true,
            Use::Bits => {
                self.info(n).exact = true;
                self.mark_hashed(n);
            }
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

    /// Code that is not here may give parameters and data of modules any value, and use them and results in any way.
    pub fn open(&mut self) {
        let params = self.procedures.values().flat_map(|s| &s.params);
        let params = params.map(|(n, _)| *n);
        // Names of procedures' own variables have their procedure in them.
        let shared = self.names.iter().filter(|(name, _)| !name.contains('/'));
        let all: Vec<Node> = params.chain(shared.map(|(_, n)| *n)).collect();
        for n in all {
            let info = self.info(n);
            (info.exact, info.hashed) = (true, true);
            self.add_size(n, Size::Any);
        }
    }

    pub fn mark_hashed(&mut self, n: Node) {
        let info = self.info(n);
        info.hashed |= !info.constant;
    }

    pub fn mark_constant(&mut self, n: Node, large: bool) {
        let info = self.info(n);
        (info.constant, info.large, info.hashed) = (true, large, false);
    }

    /// A named constant as multipliers and increments of hashes are, and no bound.
    pub fn is_large(&self, n: Node) -> bool {
        let info = self.seen(n);
        info.large && !info.position
    }

    pub fn is_hashed(&self, n: Node) -> bool {
        self.seen(n).hashed
    }

    /// A value of the second is made of a product with the first.
    pub fn multiply(&mut self, factor: Node, product: Node) {
        self.products.insert((factor, product));
    }

    /// Marks what is multiplied again and again (`x = a*x + b`, also through other variables), and then all that goes from or to
    /// something marked.
    pub fn spread(&mut self) {
        let next = self.neighbours();
        let cycle = components(&next);
        for (a, b) in std::mem::take(&mut self.products) {
            let (a, b) = (self.representative(a), self.representative(b));
            if cycle[a.0] == cycle[b.0] {
                self.infos[a.0].hashed = true;
            }
        }
        let mut both = next.clone();
        for (n, to) in next.iter().enumerate() {
            to.iter().for_each(|t| both[*t].push(n));
        }
        let mut todo: Vec<usize> = (0..self.infos.len())
            .filter(|n| self.infos[*n].hashed)
            .collect();
        while let Some(n) = todo.pop() {
            for t in &both[n] {
                if !std::mem::replace(&mut self.infos[*t].hashed, true) {
                    todo.push(*t);
                }
            }
        }
    }

    /// Where the value of each node goes.
    fn neighbours(&self) -> Vec<Vec<usize>> {
        let mut next = vec![Vec::new(); self.infos.len()];
        for (n, info) in self.infos.iter().enumerate() {
            let to = self.representative(Node(n)).0;
            for f in &info.from {
                let f = self.representative(*f).0;
                if !self.infos[f].constant {
                    next[f].push(to);
                }
            }
        }
        next
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
            Use::Exact | Use::Bits => true,
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

/// The strongly connected component of each node of a graph (Kosaraju's algorithm).
fn components(next: &[Vec<usize>]) -> Vec<usize> {
    let mut before = vec![Vec::new(); next.len()];
    for (n, to) in next.iter().enumerate() {
        to.iter().for_each(|t| before[*t].push(n));
    }
    let mut order = Vec::new();
    let mut seen = vec![false; next.len()];
    for root in 0..next.len() {
        let mut path = Vec::new();
        if !std::mem::replace(&mut seen[root], true) {
            path.push((root, 0));
        }
        while let Some((n, at)) = path.last_mut() {
            match next[*n].get(*at) {
                Some(to) => {
                    *at += 1;
                    if !std::mem::replace(&mut seen[*to], true) {
                        path.push((*to, 0));
                    }
                }
                None => {
                    order.push(*n);
                    path.pop();
                }
            }
        }
    }
    let mut of = vec![usize::MAX; next.len()];
    for root in order.into_iter().rev() {
        let mut todo = vec![root];
        while let Some(n) = todo.pop() {
            if of[n] == usize::MAX {
                of[n] = root;
                todo.extend(&before[n]);
            }
        }
    }
    of
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_multiplied_in_a_circle_is_marked() {
        let mut g = Graph::default();
        let node = |g: &mut Graph, n: &str| g.node(n.to_owned());
        let (seed, next, size) = (
            node(&mut g, "seed"),
            node(&mut g, "next"),
            node(&mut g, "size"),
        );
        let area = node(&mut g, "area");
        for (from, to) in [(seed, next), (next, seed), (size, area)] {
            g.read(from, Use::Into(to));
        }
        g.multiply(seed, next);
        g.multiply(size, area);
        g.spread();
        assert!(g.is_hashed(seed) && g.is_hashed(next));
        assert!(!g.is_hashed(size) && !g.is_hashed(area));
    }
}
