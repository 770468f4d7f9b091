//! Random programs whose threads communicate, each with a fixed outcome.
//!
//! The statements of a program are made at random; `place` then puts the barriers that make it free of races.

pub mod device;
pub mod host;
pub mod ir;
#[path = "../../random/numbers.rs"]
mod numbers;
mod phase;
mod place;
mod print;
mod procedure;
mod reduce;

use ir::*;
use numbers::Random;

pub use reduce::{smaller, without_barrier};

/// The program of a seed.
pub fn generate(seed: u64) -> Case {
    let mut random = Random::new(seed);
    let blocks_of = [
        [32, 1, 1],
        [64, 1, 1],
        [64, 1, 1],
        [96, 1, 1],
        [128, 1, 1],
        [48, 1, 1],
        [33, 1, 1],
        [20, 1, 1],
        [8, 4, 1],
        [8, 8, 1],
        [16, 3, 1],
        [4, 4, 4],
        [5, 7, 2],
    ];
    let block = random.pick(&blocks_of);
    let blocks = random.between(1, 4);
    let out = Item {
        name: "out".to_owned(),
        ty: Ty::I8,
        place: Place::Dummy(Form::Explicit),
        layout: Layout::Plain { lower: 1 },
        grid: true,
        constant: false,
        volatile: false,
        gapped: false,
    };
    let case = Case {
        seed,
        number: seed,
        block,
        blocks,
        items: vec![out],
        regs: Vec::new(),
        procedures: Vec::new(),
        kernels: Vec::new(),
        steps: Vec::new(),
        loops: 0,
    };
    let mut generator = Generator { random, case };
    generator.case();
    place::place(&mut generator.case);
    generator.case
}

/// The same program with its barriers put anew.
pub fn placed(case: &Case) -> Case {
    let mut case = case.clone();
    place::place(&mut case);
    case
}

pub struct Generator {
    random: Random,
    case: Case,
}

/// What a kernel or a procedure sees.
#[derive(Clone, Debug, Default)]
struct Scope {
    items: Vec<ItemId>,
    regs: Vec<RegId>,
    /// Uniform variables.
    uniform: Vec<String>,
    grid: bool,
    /// Calls that may be nested here.
    calls: u32,
    loops: u32,
    /// Begins the names of what is declared here.
    prefix: String,
}

impl Generator {
    fn case(&mut self) {
        let mut globals = Vec::new();
        for n in 1..=self.random.between(1, 3) {
            let form = self
                .random
                .pick(&[Form::AssumedShape, Form::Explicit, Form::AssumedSize]);
            let constant = self.random.chance(25);
            let volatile = !constant && self.random.chance(6);
            globals.push(self.global(format!("g{n}"), Place::Dummy(form), constant, volatile));
        }
        for n in 1..=self.random.between(0, 2) {
            let allocatable = self.random.chance(60);
            globals.push(self.global(format!("m{n}"), Place::Module { allocatable }, false, false));
        }
        let kernels = if self.random.chance(30) { 2 } else { 1 };
        let mut once = false;
        for n in 1..=kernels {
            once |= self.kernel(n, &globals);
        }
        let last = kernels as usize - 1;
        for kernel in 0..=last {
            let value = self.random.between(1, 4);
            self.case.steps.push(Step::Launch(kernel, value));
        }
        let fits = |g: &ItemId| self.case.items[*g].ty == Ty::I4;
        let integers: Vec<ItemId> = globals.iter().copied().filter(fits).collect();
        if let [to, from, ..] = integers[..]
            && !self.case.items[to].constant
            && self.random.chance(60)
        {
            let add = self.random.between(1, 9);
            self.case.steps.push(Step::Loop { to, from, add });
        }
        if !once && self.random.chance(60) {
            let value = self.random.between(1, 4);
            self.case.steps.push(Step::Launch(last, value));
        }
    }

    fn item(&mut self, name: String, ty: Ty, place: Place, layout: Layout) -> ItemId {
        self.case.items.push(Item {
            name,
            ty,
            place,
            layout,
            grid: false,
            constant: false,
            volatile: false,
            gapped: false,
        });
        self.case.items.len() - 1
    }

    fn global(&mut self, name: String, place: Place, constant: bool, volatile: bool) -> ItemId {
        let ty = self.ty();
        let id = self.item(name, ty, place, Layout::Plain { lower: 1 });
        let item = &mut self.case.items[id];
        item.grid = true;
        item.constant = constant;
        item.volatile = volatile;
        id
    }

    fn ty(&mut self) -> Ty {
        self.random
            .pick(&[Ty::I4, Ty::I4, Ty::I4, Ty::I8, Ty::R4, Ty::R8, Ty::R8])
    }

    fn reg(&mut self, scope: &mut Scope, ty: Ty) -> RegId {
        let name = format!("{}r{}", scope.prefix, scope.regs.len() + 1);
        self.case.regs.push(Reg { name, ty });
        let id = self.case.regs.len() - 1;
        scope.regs.push(id);
        id
    }

    /// Shared data of a kernel.
    fn shared(&mut self, n: i64, scope: &mut Scope) {
        let dynamic = self.random.below(10);
        let [x, y, _] = self.case.block;
        for k in 1..=self.random.between(1, 3) {
            let ty = self.ty();
            let name = format!("s{n}{k}");
            let (place, layout) = match (self.random.below(10), dynamic) {
                (0..=2, 0) if k == 1 => (Place::SharedAssumedSize, Layout::Plain { lower: 1 }),
                (0..=4, 1..=2) => (Place::SharedAutomatic, Layout::Plain { lower: 1 }),
                (0, _) => (Place::Shared, Layout::Stride),
                (1..=4, _) if y > 1 => {
                    let pad = self.random.between(0, 1);
                    (Place::Shared, Layout::Tile { nx: x, pad })
                }
                _ => {
                    let lower = self.random.pick(&[1, 1, 1, 0, -2]);
                    (Place::Shared, Layout::Plain { lower })
                }
            };
            let id = self.item(name, ty, place, layout);
            self.case.items[id].volatile = place == Place::Shared && self.random.chance(6);
            scope.items.push(id);
        }
        for k in 1..=self.random.between(1, 2) {
            let ty = self.random.pick(&[Ty::I4, Ty::I4, Ty::R8, Ty::R4]);
            let id = self.item(format!("x{n}{k}"), ty, Place::Shared, Layout::Scalar);
            scope.items.push(id);
        }
    }

    /// A kernel; whether it may run only once.
    fn kernel(&mut self, n: i64, globals: &[ItemId]) -> bool {
        let mut scope = Scope {
            prefix: format!("k{n}"),
            uniform: vec!["kv".to_owned()],
            grid: self.random.chance(25),
            calls: 2,
            ..Scope::default()
        };
        self.shared(n, &mut scope);
        let shared = scope.items.clone();
        for _ in 0..self.random.between(2, 3) {
            let ty = self.ty();
            self.reg(&mut scope, ty);
        }
        self.reg(&mut scope, Ty::I4);
        scope.items.extend(globals);
        let first = self.first(&shared, &scope);
        let count = self.random.between(2, 5);
        let mut body = self.phases(count, &mut scope);
        let mut items = scope.items.clone();
        let once = self.random.chance(30) && self.between_blocks(n, &scope, &mut body, &mut items);
        let last = self.last(&shared, &scope);
        items.insert(0, OUT);
        self.case.kernels.push(Kernel {
            name: format!("kernel{n}"),
            grid: scope.grid,
            items,
            regs: scope.regs,
            first,
            body,
            last,
        });
        once
    }

    /// Gives everything first values.
    fn first(&mut self, shared: &[ItemId], scope: &Scope) -> Vec<Node> {
        let mut nodes = Vec::new();
        for (k, reg) in scope.regs.iter().enumerate() {
            let ty = self.case.regs[*reg].ty;
            let value = Expr::Thread
                .binary("*", Expr::int(k as i64 + 1))
                .binary("+", Expr::Block);
            nodes.push(each(Stmt::Set(
                Target::Reg(*reg),
                wrapped(ty, converted(ty, Ty::I4, value)),
            )));
        }
        for item in shared {
            let (ty, layout) = (self.case.items[*item].ty, self.case.items[*item].layout);
            let factor = self.random.between(1, 9);
            let value = Expr::Thread
                .binary("*", Expr::int(factor))
                .binary("+", Expr::Block);
            let value = wrapped(ty, converted(ty, Ty::I4, value));
            let stmt = if layout == Layout::Scalar {
                let leader = self.leader();
                let set = Stmt::Set(Target::Element(*item, one(Pattern::Leader(leader))), value);
                Stmt::If(
                    Expr::Thread.binary("==", Expr::int(leader)),
                    vec![set],
                    Vec::new(),
                )
            } else {
                Stmt::Set(Target::Element(*item, own()), value)
            };
            nodes.push(each(stmt));
        }
        nodes
    }

    /// Leaves what was computed in the results.
    fn last(&mut self, shared: &[ItemId], scope: &Scope) -> Vec<Node> {
        let mut nodes = Vec::new();
        for reg in &scope.regs {
            let ty = self.case.regs[*reg].ty;
            nodes.push(converted(Ty::I8, ty, Expr::Reg(*reg)));
        }
        for item in shared {
            let data = &self.case.items[*item];
            let index = match data.layout {
                Layout::Scalar => one(Pattern::Block),
                _ => own(),
            };
            nodes.push(converted(Ty::I8, data.ty, Expr::Element(*item, index)));
        }
        let out = |(k, e)| each(Stmt::Out(k % COLUMNS + 1, e));
        nodes.into_iter().enumerate().map(out).collect()
    }

    fn leader(&mut self) -> i64 {
        let threads = self.case.threads();
        let random = self.random.between(1, threads);
        self.random.pick(&[1, 1, 1, threads, random])
    }

    /// What blocks do together without a grid barrier; whether it works only once.
    fn between_blocks(
        &mut self,
        n: i64,
        scope: &Scope,
        body: &mut Vec<Node>,
        items: &mut Vec<ItemId>,
    ) -> bool {
        let how = self
            .random
            .pick(&[Blocks::Last, Blocks::Chain, Blocks::Lock]);
        let mut made = Vec::new();
        for k in 1..=3 {
            let place = match self.random.below(4) {
                0 => Place::Module { allocatable: false },
                1 => Place::Module { allocatable: true },
                2 => Place::Dummy(Form::AssumedShape),
                _ => Place::Dummy(Form::Explicit),
            };
            let stem = if matches!(place, Place::Dummy(_)) {
                "g"
            } else {
                "m"
            };
            made.push(self.item(format!("{stem}x{n}{k}"), Ty::I4, place, Layout::Scalar));
        }
        items.extend(&made);
        let fits = |r: &&RegId| self.case.regs[**r].ty == Ty::I4;
        let Some(value) = scope.regs.iter().rev().find(fits).copied() else {
            return false;
        };
        let node = Node::Blocks {
            how,
            data: made[0],
            flag: made[1],
            result: made[2],
            value,
        };
        let at = self.random.below(body.len() + 1);
        body.insert(at, node);
        how == Blocks::Chain
    }
}

fn each(stmt: Stmt) -> Node {
    Node::Each {
        stmt,
        disjoint: false,
    }
}

fn wrapped(ty: Ty, e: Expr) -> Expr {
    Expr::Wrapped(ty, Box::new(e))
}

fn converted(to: Ty, from: Ty, e: Expr) -> Expr {
    match e {
        e if to == from => e,
        Expr::Number(_, n) => Expr::Number(to, n),
        e => Expr::Convert(to, from, Box::new(e)),
    }
}

/// The slot of the thread.
fn own() -> Index {
    Index {
        slot: Box::new(Expr::Thread),
        block: None,
        pattern: Pattern::Own(0),
    }
}

/// The only slot of a scalar.
fn one(pattern: Pattern) -> Index {
    Index {
        slot: Box::new(Expr::int(1)),
        block: None,
        pattern,
    }
}
