//! The kinds of phases: what threads do between barriers.

use super::ir::*;
use super::{Generator, Scope, converted, each, one, own, wrapped};

impl Generator {
    pub(super) fn phases(&mut self, count: i64, scope: &mut Scope) -> Vec<Node> {
        (0..count).flat_map(|_| self.phase(scope)).collect()
    }

    fn phase(&mut self, scope: &mut Scope) -> Vec<Node> {
        match self.random.below(34) {
            0..=4 => self.update(scope),
            5..=7 => self.reread(scope),
            8..=10 => self.leads(scope),
            11..=14 => self.iteration(scope),
            15..=16 => self.condition(scope),
            17..=18 => self.gather(scope),
            19 => self.tree(scope),
            20 => self.scan(scope),
            21..=22 => self.together(scope),
            23 => self.atomic(scope),
            24 => self.buffers(scope),
            25..=28 => self.call(scope),
            29..=30 => self.associate(scope),
            31 => self.permuted(scope),
            32 => self.optional(scope),
            _ => vec![match self.random.chance(60) {
                true => Node::Sync {
                    level: Level::Block,
                    flavour: self.random.below(8) as u8,
                    placed: false,
                },
                false => Node::Fence(self.random.below(3) as u8),
            }],
        }
    }

    // Data.

    /// Arrays that can be read; to write, those that are not constant.
    fn arrays(&self, scope: &Scope, write: bool) -> Vec<ItemId> {
        let fits = |i: &ItemId| {
            let item = &self.case.items[*i];
            item.layout != Layout::Scalar && !(write && item.constant)
        };
        scope.items.iter().copied().filter(fits).collect()
    }

    /// Scalars that threads share; to write, those that are no dummies.
    fn scalars(&self, scope: &Scope, write: bool) -> Vec<ItemId> {
        let fits = |i: &ItemId| {
            let item = &self.case.items[*i];
            let optional = item.place == Place::Scalar(Passing::Optional);
            item.layout == Layout::Scalar && !optional && !(write && item.constant)
        };
        scope.items.iter().copied().filter(fits).collect()
    }

    pub(super) fn array(&mut self, scope: &Scope, write: bool) -> Option<ItemId> {
        let all = self.arrays(scope, write);
        (!all.is_empty()).then(|| self.random.pick(&all))
    }

    pub(super) fn scalar(&mut self, scope: &Scope, write: bool) -> Option<ItemId> {
        let all = self.scalars(scope, write);
        (!all.is_empty()).then(|| self.random.pick(&all))
    }

    pub(super) fn some_reg(&mut self, scope: &Scope) -> RegId {
        self.random.pick(&scope.regs)
    }

    fn variable(&mut self, stem: &str) -> String {
        self.case.loops += 1;
        format!("{stem}{}", self.case.loops)
    }

    /// A slot to read.
    pub(super) fn index(&mut self, item: ItemId, scope: &Scope) -> Index {
        let threads = self.case.threads();
        let clamp = |name, e, limit| Expr::Call(name, vec![e, limit]);
        let around = |e: Expr| Expr::Call("mod", vec![e, Expr::Threads]).binary("+", Expr::int(1));
        let k = self.random.between(1, 5);
        let (slot, pattern) = match self.random.below(20) {
            0..=3 => (Expr::Thread, Pattern::Own(0)),
            4..=7 => (
                clamp("max", Expr::Thread.binary("-", Expr::int(k)), Expr::int(1)),
                Pattern::Block,
            ),
            8..=11 => (
                clamp("min", Expr::Thread.binary("+", Expr::int(k)), Expr::Threads),
                Pattern::Block,
            ),
            12 => (
                around(Expr::Thread.binary("+", Expr::int(k))),
                Pattern::Own(k + 2),
            ),
            13 => (
                Expr::Threads
                    .binary("+", Expr::int(1))
                    .binary("-", Expr::Thread),
                Pattern::Own(1),
            ),
            14..=15 => (Expr::int(self.random.between(1, threads)), Pattern::Block),
            16..=17 if threads % 32 == 0 => {
                let mask = self.random.pick(&[1, 2, 4, 8, 16]);
                let minus = Expr::Thread.binary("-", Expr::int(1));
                let other = Expr::Call("ieor", vec![minus, Expr::int(mask)]);
                (other.binary("+", Expr::int(1)), Pattern::Warp)
            }
            18 if !scope.uniform.is_empty() => {
                let by = Expr::Uniform(self.random.pick(&scope.uniform));
                (around(Expr::Thread.binary("+", by)), Pattern::Block)
            }
            _ => (
                around(Expr::Thread.binary("*", Expr::int(k))),
                Pattern::Block,
            ),
        };
        let data = &self.case.items[item];
        if data.grid && scope.grid && self.random.chance(35) {
            let block = Expr::Call("mod", vec![Expr::Block, Expr::int(self.case.blocks)]);
            return Index {
                slot: Box::new(slot),
                block: Some(Box::new(block)),
                pattern: Pattern::Grid,
            };
        }
        Index {
            slot: Box::new(slot),
            block: None,
            pattern,
        }
    }

    /// A value of another thread, of this one, or of all.
    pub(super) fn leaf(&mut self, ty: Ty, scope: &Scope) -> Expr {
        match self.random.below(20) {
            0..=8 => {
                if let Some(item) = self.array(scope, false) {
                    let index = self.index(item, scope);
                    let from = self.case.items[item].ty;
                    return converted(ty, from, Expr::Element(item, index));
                }
            }
            9..=12 => {
                if let Some(item) = self.scalar(scope, false) {
                    let from = self.case.items[item].ty;
                    return converted(ty, from, Expr::Element(item, one(Pattern::Block)));
                }
            }
            13 => return converted(ty, Ty::I4, Expr::Thread),
            14 if !scope.uniform.is_empty() => {
                return converted(ty, Ty::I4, Expr::Uniform(self.random.pick(&scope.uniform)));
            }
            _ => {}
        }
        self.private(ty, scope)
    }

    /// A value of this thread.
    pub(super) fn private(&mut self, ty: Ty, scope: &Scope) -> Expr {
        let reg = self.some_reg(scope);
        converted(ty, self.case.regs[reg].ty, Expr::Reg(reg))
    }

    fn combined(&mut self, ty: Ty, a: Expr, b: Expr) -> Expr {
        let factor = self.random.between(2, 7);
        let plus = self.random.between(0, 9);
        let op = self.random.pick(&["+", "+", "-"]);
        let product = a.binary("*", Expr::Number(ty, factor));
        wrapped(
            ty,
            product.binary(op, b).binary("+", Expr::Number(ty, plus)),
        )
    }

    pub(super) fn value(&mut self, ty: Ty, scope: &Scope) -> Expr {
        let (a, b) = (self.leaf(ty, scope), self.leaf(ty, scope));
        self.combined(ty, a, b)
    }

    fn set_reg(&mut self, scope: &Scope) -> (RegId, Node) {
        let reg = self.some_reg(scope);
        let ty = self.case.regs[reg].ty;
        let value = self.value(ty, scope);
        (reg, each(Stmt::Set(Target::Reg(reg), value)))
    }

    /// `a(own) = ...` of private values.
    fn store(&mut self, item: ItemId, scope: &Scope) -> Node {
        let ty = self.case.items[item].ty;
        let (a, b) = (self.private(ty, scope), self.private(ty, scope));
        let value = self.combined(ty, a, b);
        each(Stmt::Set(Target::Element(item, own()), value))
    }

    /// Adds a value to a register.
    fn add(&mut self, reg: RegId, from: Ty, value: Expr) -> Stmt {
        let ty = self.case.regs[reg].ty;
        let sum = Expr::Reg(reg).binary("+", converted(ty, from, value));
        Stmt::Set(Target::Reg(reg), wrapped(ty, sum))
    }

    // Kinds of phases.

    /// Reads of neighbours, then a new value of the own slot.
    fn update(&mut self, scope: &Scope) -> Vec<Node> {
        let (_, read) = self.set_reg(scope);
        let Some(item) = self.array(scope, true) else {
            return vec![read];
        };
        vec![read, self.store(item, scope)]
    }

    /// The same element again after others have changed it.
    fn reread(&mut self, scope: &Scope) -> Vec<Node> {
        let Some(item) = self.array(scope, true) else {
            return Vec::new();
        };
        let ty = self.case.items[item].ty;
        let index = self.index(item, scope);
        let (a, b) = (self.some_reg(scope), self.some_reg(scope));
        let element = Expr::Element(item, index);
        vec![
            each(self.add(a, ty, element.clone())),
            self.store(item, scope),
            each(self.add(b, ty, element)),
        ]
    }

    /// One thread sets a scalar that all read.
    fn leads(&mut self, scope: &Scope) -> Vec<Node> {
        let Some(item) = self.scalar(scope, true) else {
            return self.update(scope);
        };
        let ty = self.case.items[item].ty;
        let (leader, reg) = (self.leader(), self.some_reg(scope));
        let mut nodes = Vec::new();
        if self.random.chance(60) {
            nodes.push(each(self.add(
                reg,
                ty,
                Expr::Element(item, one(Pattern::Block)),
            )));
        }
        let old = Expr::Element(item, one(Pattern::Leader(leader)));
        let value = match self.array(scope, false) {
            Some(array) if self.random.chance(60) => {
                let slot = self.random.between(1, self.case.threads());
                let index = Index {
                    slot: Box::new(Expr::int(slot)),
                    block: None,
                    pattern: Pattern::Block,
                };
                converted(ty, self.case.items[array].ty, Expr::Element(array, index))
            }
            _ => self.private(ty, scope),
        };
        let value = self.combined(ty, old, value);
        let set = Stmt::Set(Target::Element(item, one(Pattern::Leader(leader))), value);
        let only = Expr::Thread.binary("==", Expr::int(leader));
        nodes.push(each(Stmt::If(only, vec![set], Vec::new())));
        if self.random.chance(80) {
            let reg = self.some_reg(scope);
            nodes.push(each(self.add(
                reg,
                ty,
                Expr::Element(item, one(Pattern::Block)),
            )));
        }
        nodes
    }

    /// A count that all threads of a block agree on.
    fn count(&mut self, scope: &Scope) -> Expr {
        match (self.random.below(6), self.scalar(scope, false)) {
            (0..=2, Some(item)) if self.same_for_all(item, scope) => {
                let ty = self.case.items[item].ty;
                let value = converted(Ty::I4, ty, Expr::Element(item, one(Pattern::Block)));
                Expr::Call("iand", vec![value, Expr::int(3)]).binary("+", Expr::int(1))
            }
            (3, _) if scope.uniform.iter().any(|u| u == "kv") => Expr::Uniform("kv".to_owned()),
            _ => Expr::int(self.random.between(2, 4)),
        }
    }

    /// Whether a scalar has one value for the threads of a block, and they need not be those of a grid.
    fn same_for_all(&self, item: ItemId, scope: &Scope) -> bool {
        !scope.grid && matches!(self.case.items[item].place, Place::Shared)
    }

    fn iteration(&mut self, scope: &mut Scope) -> Vec<Node> {
        if scope.loops >= 2 {
            return self.update(scope);
        }
        let last = self.count(scope);
        let var = self.variable("it");
        let mut inner = Scope {
            loops: scope.loops + 1,
            ..scope.clone()
        };
        inner.uniform.push(var.clone());
        let count = self.random.between(1, 2);
        let mut body = self.phases(count, &mut inner);
        if self.random.chance(15) {
            let condition = self.uniform_condition(&inner);
            let at = self.random.below(body.len() + 1);
            body.insert(at, Node::ExitIf(condition));
        }
        vec![Node::Loop { var, last, body }]
    }

    fn uniform_condition(&mut self, scope: &Scope) -> Expr {
        if let Some(item) = self.scalar(scope, false)
            && self.same_for_all(item, scope)
            && self.random.chance(60)
        {
            let value = Expr::Element(item, one(Pattern::Block));
            let limit = self.random.between(5, 300);
            return value.binary(">", Expr::Number(self.case.items[item].ty, limit));
        }
        if scope.uniform.is_empty() {
            let n = self.random.between(0, 1);
            return Expr::Threads.binary(">", Expr::int(n * 100));
        }
        let uniform = Expr::Uniform(self.random.pick(&scope.uniform));
        let n = self.random.between(1, 3);
        let op = self.random.pick(&["==", "/=", ">", "<="]);
        uniform.binary(op, Expr::int(n))
    }

    fn condition(&mut self, scope: &mut Scope) -> Vec<Node> {
        let condition = self.uniform_condition(scope);
        let count = self.random.between(1, 2);
        let then = self.phases(count, scope);
        let otherwise = match self.random.chance(50) {
            true => self.phases(1, scope),
            false => Vec::new(),
        };
        vec![Node::If {
            condition,
            then,
            otherwise,
        }]
    }

    /// A loop of the thread over elements, to a bound that may be shared.
    fn gather(&mut self, scope: &Scope) -> Vec<Node> {
        let Some(item) = self.array(scope, false) else {
            return Vec::new();
        };
        let ty = self.case.items[item].ty;
        let var = self.variable("k");
        let reg = self.some_reg(scope);
        let last = match self.scalar(scope, false) {
            Some(scalar) if self.random.chance(60) => {
                let from = self.case.items[scalar].ty;
                let value = converted(Ty::I4, from, Expr::Element(scalar, one(Pattern::Block)));
                Expr::Call("iand", vec![value, Expr::int(7)])
            }
            _ => Expr::int(self.random.between(2, 9)),
        };
        let place = Expr::Thread.binary("+", Expr::Uniform(var.clone()));
        let index = Index {
            slot: Box::new(Expr::Call("mod", vec![place, Expr::Threads]).binary("+", Expr::int(1))),
            block: None,
            pattern: Pattern::Block,
        };
        let add = self.add(reg, ty, Expr::Element(item, index));
        let gather = each(Stmt::For(var, Expr::int(1), last, vec![add]));
        match self.array(scope, true) {
            Some(to) if self.random.chance(60) => vec![gather, self.store(to, scope)],
            _ => vec![gather],
        }
    }

    /// A reduction tree in an array.
    fn tree(&mut self, scope: &mut Scope) -> Vec<Node> {
        let Some(item) = self.array(scope, true) else {
            return Vec::new();
        };
        let ty = self.case.items[item].ty;
        let var = self.variable("it");
        let steps = (self.case.threads() - 1).ilog2() as i64 + 1;
        let it = || Expr::Uniform(var.clone());
        let power = |e: Expr| Expr::Call("ishft", vec![Expr::int(1), e]);
        let rounded = |p: Expr| {
            Expr::Threads
                .binary("+", p.clone())
                .binary("-", Expr::int(1))
                .binary("/", p)
        };
        let (half, all) = (
            rounded(power(it())),
            rounded(power(it().binary("-", Expr::int(1)))),
        );
        let far = Expr::Thread.binary("+", half.clone());
        let inside = Expr::Thread.binary("<=", half);
        let inside = inside.binary(".and.", far.clone().binary("<=", all));
        let other = Index {
            slot: Box::new(far),
            block: None,
            pattern: Pattern::Block,
        };
        let name = self.random.pick(&["+", "max", "min"]);
        let (a, b) = (Expr::Element(item, own()), Expr::Element(item, other));
        let value = match name {
            "+" => wrapped(ty, a.binary("+", b)),
            name => Expr::Call(name, vec![a, b]),
        };
        let stmt = Stmt::If(
            inside,
            vec![Stmt::Set(Target::Element(item, own()), value)],
            Vec::new(),
        );
        let step = Node::Each {
            stmt,
            disjoint: true,
        };
        let reg = self.some_reg(scope);
        let first = Index {
            slot: Box::new(Expr::int(1)),
            block: None,
            pattern: Pattern::Block,
        };
        vec![
            Node::Loop {
                var: var.clone(),
                last: Expr::int(steps),
                body: vec![step],
            },
            each(self.add(reg, ty, Expr::Element(item, first))),
        ]
    }

    /// A prefix sum in an array.
    fn scan(&mut self, scope: &mut Scope) -> Vec<Node> {
        let Some(item) = self.array(scope, true) else {
            return Vec::new();
        };
        let ty = self.case.items[item].ty;
        let fits = |r: &RegId| self.case.regs[*r].ty == ty;
        let Some(reg) = scope.regs.iter().copied().find(fits) else {
            return self.update(scope);
        };
        let var = self.variable("it");
        let steps = (self.case.threads() - 1).ilog2() as i64 + 1;
        let minus = Expr::Uniform(var.clone()).binary("-", Expr::int(1));
        let distance = Expr::Call("ishft", vec![Expr::int(1), minus]);
        let before = Index {
            slot: Box::new(Expr::Thread.binary("-", distance.clone())),
            block: None,
            pattern: Pattern::Block,
        };
        let target = || Target::Reg(reg);
        let read = each(Stmt::Set(target(), Expr::Element(item, own())));
        let sum = Expr::Reg(reg).binary("+", Expr::Element(item, before));
        let add = each(Stmt::If(
            Expr::Thread.binary(">", distance),
            vec![Stmt::Set(target(), wrapped(ty, sum))],
            Vec::new(),
        ));
        let write = each(Stmt::Set(Target::Element(item, own()), Expr::Reg(reg)));
        vec![Node::Loop {
            var,
            last: Expr::int(steps),
            body: vec![read, add, write],
        }]
    }

    /// Votes, shuffles, barriers that count.
    fn together(&mut self, scope: &Scope) -> Vec<Node> {
        let what = match self.random.below(14) {
            0 => Collective::Count,
            1 => Collective::And,
            2 => Collective::Or,
            3..=4 => Collective::ShuffleXor(self.random.pick(&[1, 2, 4, 8, 16, 5])),
            5 => Collective::ShuffleUp(self.random.between(1, 5)),
            6..=7 => Collective::ShuffleDown(self.random.pick(&[1, 2, 4, 8, 16])),
            8..=9 => Collective::Shuffle(self.random.between(1, 32)),
            10 => Collective::Ballot,
            11 => Collective::Any,
            12 => Collective::All,
            _ => Collective::Match,
        };
        let reg = self.some_reg(scope);
        let of = self.case.regs[reg].ty;
        use Collective::*;
        let (value, ty) = match what {
            ShuffleXor(_) | ShuffleUp(_) | ShuffleDown(_) | Shuffle(_) => {
                (self.value(of, scope), of)
            }
            Match => (
                Expr::Call("mod", vec![self.private(Ty::I4, scope), Expr::int(3)]),
                Ty::I4,
            ),
            _ => {
                let leaf = self.leaf(Ty::I4, scope);
                let limit = self.random.between(0, 40);
                let yes = leaf.binary(">", Expr::int(limit));
                (
                    Expr::Call("merge", vec![Expr::int(1), Expr::int(0), yes]),
                    Ty::I4,
                )
            }
        };
        let mut nodes = vec![Node::Collective {
            what,
            result: reg,
            value,
            ty,
        }];
        if let Some(item) = self.array(scope, true)
            && self.random.chance(60)
        {
            nodes.push(self.store(item, scope));
        }
        nodes
    }

    /// Atomic operations whose order does not matter.
    fn atomic(&mut self, scope: &Scope) -> Vec<Node> {
        let scalar = self.random.chance(40);
        let found = if scalar {
            self.scalar(scope, true)
        } else {
            self.array(scope, true)
        };
        let Some(item) = found else {
            return Vec::new();
        };
        let ty = self.case.items[item].ty;
        let op = match ty {
            Ty::I4 | Ty::I8 => self
                .random
                .pick(&["add", "sub", "max", "min", "and", "or", "xor"]),
            _ => "add",
        };
        if self.case.items[item].volatile {
            return Vec::new();
        }
        let scalar = self.case.items[item].layout == Layout::Scalar;
        let index = if scalar {
            one(Pattern::Block)
        } else {
            let place = Expr::Call("iand", vec![self.private(Ty::I4, scope), Expr::int(1023)]);
            Index {
                slot: Box::new(
                    Expr::Call("mod", vec![place, Expr::Threads]).binary("+", Expr::int(1)),
                ),
                block: None,
                pattern: Pattern::Block,
            }
        };
        let value = wrapped(ty, self.private(ty, scope));
        let atomic = each(Stmt::Atomic(op, item, index, value));
        let leader = self.leader();
        let slot = || {
            if scalar {
                one(Pattern::Leader(leader))
            } else {
                own()
            }
        };
        let again = Stmt::Set(
            Target::Element(item, slot()),
            wrapped(ty, Expr::Element(item, slot())),
        );
        let after = match scalar {
            true => Stmt::If(
                Expr::Thread.binary("==", Expr::int(leader)),
                vec![again],
                Vec::new(),
            ),
            false => again,
        };
        vec![atomic, each(after)]
    }

    /// Two arrays that take turns.
    fn buffers(&mut self, scope: &Scope) -> Vec<Node> {
        let all = self.arrays(scope, true);
        if all.len() < 2 || scope.loops > 1 {
            return self.update(scope);
        }
        let a = self.random.pick(&all);
        let b = self.random.pick(&all);
        if a == b {
            return self.update(scope);
        }
        let mut turn = |to: ItemId, from: ItemId| {
            let ty = self.case.items[to].ty;
            let (x, y) = (self.index(from, scope), self.index(from, scope));
            let of = |index| converted(ty, self.case.items[from].ty, Expr::Element(from, index));
            let value = self.combined(ty, of(x), of(y));
            each(Stmt::Set(Target::Element(to, own()), value))
        };
        let (then, otherwise) = (vec![turn(b, a)], vec![turn(a, b)]);
        let var = self.variable("it");
        let odd = Expr::Call("mod", vec![Expr::Uniform(var.clone()), Expr::int(2)]);
        let last = self.count(scope);
        vec![Node::Loop {
            var,
            last,
            body: vec![Node::If {
                condition: odd.binary("==", Expr::int(1)),
                then,
                otherwise,
            }],
        }]
    }

    /// Writes to a slot of another thread, one to each.
    fn permuted(&mut self, scope: &Scope) -> Vec<Node> {
        let Some(item) = self.array(scope, true) else {
            return Vec::new();
        };
        let ty = self.case.items[item].ty;
        let k = self.random.between(1, 5);
        let (slot, pattern) = match self.random.chance(50) {
            true => (
                Expr::Threads
                    .binary("+", Expr::int(1))
                    .binary("-", Expr::Thread),
                Pattern::Own(1),
            ),
            false => (
                Expr::Call(
                    "mod",
                    vec![Expr::Thread.binary("+", Expr::int(k)), Expr::Threads],
                )
                .binary("+", Expr::int(1)),
                Pattern::Own(k + 2),
            ),
        };
        let index = Index {
            slot: Box::new(slot),
            block: None,
            pattern,
        };
        let value = wrapped(ty, self.private(ty, scope));
        let reg = self.some_reg(scope);
        vec![
            each(Stmt::Set(Target::Element(item, index), value)),
            each(self.add(reg, ty, Expr::Element(item, own()))),
        ]
    }

    /// A use of a dummy that may be absent.
    fn optional(&mut self, scope: &Scope) -> Vec<Node> {
        let fits = |i: &ItemId| self.case.items[*i].place == Place::Scalar(Passing::Optional);
        let Some(item) = scope.items.iter().copied().find(fits) else {
            return self.reread(scope);
        };
        let ty = self.case.items[item].ty;
        let reg = self.some_reg(scope);
        let add = self.add(reg, ty, Expr::Element(item, one(Pattern::Block)));
        vec![each(Stmt::If(Expr::Present(item), vec![add], Vec::new()))]
    }
}
