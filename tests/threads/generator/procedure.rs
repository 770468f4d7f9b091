//! Device procedures with phases inside, and associate constructs.

use super::ir::*;
use super::{Generator, Scope, converted, each, one, wrapped};

impl Generator {
    /// A call: of a new procedure, or once more of one that fits.
    pub(super) fn call(&mut self, scope: &mut Scope) -> Vec<Node> {
        if scope.calls == 0 || self.case.procedures.len() > 3 {
            return Vec::new();
        }
        let function = self.random.chance(35);
        self.case.loops += 1;
        let number = self.case.loops;
        let mut inner = Scope {
            prefix: format!("p{number}"),
            grid: scope.grid,
            calls: scope.calls - 1,
            loops: scope.loops + 1,
            ..Scope::default()
        };
        let (mut dummies, mut actuals, mut taken) = (Vec::new(), Vec::new(), Vec::new());
        for k in 1..=self.random.between(1, 2) {
            self.array_dummy(
                &format!("d{number}{k}"),
                scope,
                &mut taken,
                &mut dummies,
                &mut actuals,
            );
        }
        let reg = self.some_reg(scope);
        let ty = self.case.regs[reg].ty;
        if !function {
            let dummy = self.reg(&mut inner, ty);
            dummies.push(Dummy::Reg(dummy));
            actuals.push(Actual::Reg(reg));
        }
        // Optional dummies come last.
        let count = self.random.between(1, 2);
        for k in 1..=count {
            let passing = match self.random.below(10) {
                0..=4 => Passing::Plain,
                5..=6 => Passing::IntentIn,
                7 => Passing::Value,
                _ if k == count => Passing::Optional,
                _ => Passing::Plain,
            };
            let (of, actual) = self.scalar_actual(passing, scope, &mut taken);
            let item = self.item(
                format!("c{number}{k}"),
                of,
                Place::Scalar(passing),
                Layout::Scalar,
            );
            self.case.items[item].constant = true;
            dummies.push(Dummy::Item(item));
            actuals.push(actual);
        }
        for dummy in &dummies {
            if let Dummy::Item(item) = dummy {
                inner.items.push(*item);
            }
        }
        for item in &scope.items {
            let module = matches!(self.case.items[*item].place, Place::Module { .. });
            if module && !taken.contains(item) {
                inner.items.push(*item);
            }
        }
        let passed = inner.regs.len();
        for _ in 0..2 {
            let ty = self.ty();
            self.reg(&mut inner, ty);
        }
        let result = function.then(|| self.reg(&mut inner, ty));
        let first = inner.regs[passed..].iter().enumerate().map(|(k, r)| {
            let ty = self.case.regs[*r].ty;
            let value = Expr::Thread.binary("+", Expr::int(k as i64 * 5));
            each(Stmt::Set(
                Target::Reg(*r),
                wrapped(ty, converted(ty, Ty::I4, value)),
            ))
        });
        let first = first.collect();
        let mut body = self.late_reads(&inner);
        let count = self.random.between(1, 2);
        body.extend(self.phases(count, &mut inner));
        body.extend(self.late_reads(&inner));
        let mut regs = inner.regs.split_off(passed);
        regs.retain(|r| Some(*r) != result);
        self.case.procedures.push(Procedure {
            name: format!("proc{number}"),
            dummies,
            result,
            regs,
            first,
            body,
            elsewhere: self.random.chance(35),
        });
        let node = Node::Call {
            procedure: self.case.procedures.len() - 1,
            actuals,
            result: function.then_some(reg),
        };
        self.own_file_calls_only_other();
        let mut nodes = vec![node.clone()];
        if self.random.chance(30) {
            nodes.extend(self.phases(
                1,
                &mut Scope {
                    calls: 0,
                    ..scope.clone()
                },
            ));
            nodes.push(node);
        }
        nodes
    }

    /// A procedure of the other file calls only procedures of that file.
    fn own_file_calls_only_other(&mut self) {
        let Some(last) = self.case.procedures.last() else {
            return;
        };
        if !last.elsewhere {
            return;
        }
        let mut called = Vec::new();
        calls(&last.body, &mut called);
        while let Some(index) = called.pop() {
            self.case.procedures[index].elsewhere = true;
            calls(&self.case.procedures[index].body, &mut called);
        }
    }

    /// Scalars read after a barrier of the procedure, as they come in.
    fn late_reads(&mut self, scope: &Scope) -> Vec<Node> {
        let mut nodes = Vec::new();
        let fits = |i: &ItemId| matches!(self.case.items[*i].place, Place::Scalar(p) if p != Passing::Optional);
        let scalars: Vec<ItemId> = scope.items.iter().copied().filter(fits).collect();
        for item in scalars {
            if self.random.chance(40) {
                let reg = self.some_reg(scope);
                let (ty, from) = (self.case.regs[reg].ty, self.case.items[item].ty);
                let value = converted(ty, from, Expr::Element(item, one(Pattern::Block)));
                let sum = wrapped(ty, Expr::Reg(reg).binary("+", value));
                nodes.push(each(Stmt::Set(Target::Reg(reg), sum)));
            }
        }
        if self.random.chance(30) {
            let level = Level::Block;
            let flavour = self.random.below(8) as u8;
            nodes.insert(
                0,
                Node::Sync {
                    level,
                    flavour,
                    placed: false,
                },
            );
        }
        nodes
    }

    fn array_dummy(
        &mut self,
        name: &str,
        scope: &Scope,
        taken: &mut Vec<ItemId>,
        dummies: &mut Vec<Dummy>,
        actuals: &mut Vec<Actual>,
    ) {
        let Some(item) = self.array(scope, false) else {
            return;
        };
        if taken.contains(&item) {
            return;
        }
        taken.push(item);
        let data = self.case.items[item].clone();
        let sizeless = matches!(
            data.place,
            Place::SharedAssumedSize | Place::Dummy(Form::AssumedSize)
        );
        let any = [Form::AssumedShape, Form::Explicit, Form::AssumedSize];
        let fixed = [Form::Explicit, Form::AssumedSize];
        let form = if sizeless {
            self.random.pick(&fixed)
        } else if data.gapped {
            Form::AssumedShape
        } else {
            self.random.pick(&any)
        };
        let lower = if form == Form::AssumedSize {
            1
        } else {
            self.random.pick(&[1, 1, 0, -2])
        };
        let plain = Layout::Plain { lower };
        let (actual, layout, grid, form) = match data.layout {
            _ if data.grid && (scope.grid || self.random.chance(40)) => {
                (Actual::Whole(item), Layout::Plain { lower: 1 }, true, form)
            }
            _ if data.grid && form != Form::AssumedShape && self.random.chance(50) => {
                (Actual::First(item), plain, false, form)
            }
            _ if data.grid => (Actual::Part(item), plain, false, form),
            Layout::Stride if form == Form::AssumedShape => {
                (Actual::Strided(item), plain, false, form)
            }
            Layout::Stride => (Actual::Whole(item), Layout::Stride, false, form),
            Layout::Tile { .. } => (Actual::Whole(item), data.layout, false, form),
            _ if form != Form::AssumedShape && self.random.chance(40) => {
                (Actual::First(item), plain, false, form)
            }
            _ => (Actual::Whole(item), plain, false, form),
        };
        let dummy = self.item(name.to_owned(), data.ty, Place::Dummy(form), layout);
        self.case.items[dummy].grid = grid;
        self.case.items[dummy].constant = data.constant;
        self.case.items[dummy].gapped = data.gapped || matches!(actual, Actual::Strided(_));
        dummies.push(Dummy::Item(dummy));
        actuals.push(actual);
    }

    /// What a scalar dummy gets, of which type.
    fn scalar_actual(
        &mut self,
        passing: Passing,
        scope: &Scope,
        taken: &mut Vec<ItemId>,
    ) -> (Ty, Actual) {
        let value = matches!(passing, Passing::Value);
        if passing == Passing::Optional && self.random.chance(30) {
            return (self.ty(), Actual::Absent);
        }
        match self.random.below(10) {
            0..=4 => {
                if let Some(item) = self.scalar(scope, false)
                    && (value || !taken.contains(&item))
                {
                    let ty = self.case.items[item].ty;
                    let index = one(Pattern::Block);
                    if value {
                        return (ty, Actual::Value(Expr::Element(item, index)));
                    }
                    taken.push(item);
                    return (ty, Actual::Element(item, index));
                }
            }
            5..=7 => {
                if let Some(item) = self.array(scope, false)
                    && (value || !taken.contains(&item))
                {
                    let ty = self.case.items[item].ty;
                    let index = self.index(item, scope);
                    if value {
                        return (ty, Actual::Value(Expr::Element(item, index)));
                    }
                    taken.push(item);
                    return (ty, Actual::Element(item, index));
                }
            }
            8 => {
                let ty = self.ty();
                return (ty, Actual::Value(self.value(ty, scope)));
            }
            _ => {}
        }
        let reg = self.some_reg(scope);
        let ty = self.case.regs[reg].ty;
        let sum = Expr::Reg(reg).binary("+", Expr::Number(ty, 1));
        (ty, Actual::Value(sum))
    }

    /// Another name of an element or an array, for a while.
    pub(super) fn associate(&mut self, scope: &mut Scope) -> Vec<Node> {
        self.case.loops += 1;
        let name = format!("w{}", self.case.loops);
        let (actual, alias) = if self.random.chance(60) {
            let scalar = self.random.chance(40);
            let found = if scalar {
                self.scalar(scope, false)
            } else {
                self.array(scope, false)
            };
            let Some(item) = found else {
                return Vec::new();
            };
            let data = self.case.items[item].clone();
            if matches!(data.place, Place::Scalar(Passing::Value)) {
                return Vec::new();
            }
            let index = match data.layout {
                Layout::Scalar => one(Pattern::Block),
                _ => self.index(item, scope),
            };
            let alias = self.item(name, data.ty, Place::Alias, Layout::Scalar);
            // Written through the item alone.
            self.case.items[alias].constant = true;
            (Actual::Element(item, index), alias)
        } else {
            let Some(item) = self.array(scope, false) else {
                return Vec::new();
            };
            let data = self.case.items[item].clone();
            let sizeless = matches!(
                data.place,
                Place::SharedAssumedSize | Place::Dummy(Form::AssumedSize)
            );
            if sizeless {
                return Vec::new();
            }
            let (actual, layout) = match data.layout {
                Layout::Stride => (Actual::Strided(item), Layout::Plain { lower: 1 }),
                layout => (Actual::Whole(item), layout),
            };
            let alias = self.item(name, data.ty, Place::Alias, layout);
            self.case.items[alias].grid = data.grid;
            self.case.items[alias].constant = data.constant;
            self.case.items[alias].gapped = data.gapped || matches!(actual, Actual::Strided(_));
            (actual, alias)
        };
        // Both names reach the data: neither is an argument.
        let mut inner = Scope {
            calls: 0,
            ..scope.clone()
        };
        inner.items.push(alias);
        inner.items.push(alias);
        let count = self.random.between(1, 3);
        let body = self.phases(count, &mut inner);
        vec![Node::Associate {
            alias,
            actual,
            body,
        }]
    }
}

fn calls(nodes: &[Node], found: &mut Vec<usize>) {
    for node in nodes {
        match node {
            Node::Call { procedure, .. } => found.push(*procedure),
            Node::Loop { body, .. } | Node::Associate { body, .. } => calls(body, found),
            Node::If {
                then, otherwise, ..
            } => {
                calls(then, found);
                calls(otherwise, found);
            }
            _ => {}
        }
    }
}
