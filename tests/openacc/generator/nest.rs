//! Random loop nests: bodies whose result does not depend on the order of iterations, and sequential ones.

use super::expr::{Index, Scope};
use super::ir::*;
use crate::numbers::Random;

/// Chooses nests for a construct.
pub struct Nests<'a> {
    pub r: &'a mut Random,
    pub arrays: &'a [Array],
    pub scalars: &'a [Scalar],
    pub how: How,
    /// Arrays and scalars that this nest must leave alone.
    pub taken: Effects,
    /// The loop variables and temporaries of the nest begin with these letters.
    pub names: String,
}

/// The loops of a nest, not yet with a body.
struct Frame {
    heads: Vec<String>,
    indices: Vec<Index>,
    /// Subscripts of the target that the loops run over.
    subscripts: Vec<String>,
    /// All elements are reached.
    is_whole: bool,
}

/// What a statement needs of directives around it.
#[derive(Clone, Debug, Default)]
struct Wants {
    reductions: Vec<String>,
    private_scalars: Vec<String>,
    private_arrays: Vec<String>,
}

impl<'a> Nests<'a> {
    /// A nest that any order of iterations computes.
    pub fn independent(&mut self) -> Option<Nest> {
        match self.r.below(10) {
            0..=4 => self.tight(),
            5 | 6 => self.rows(),
            7 => self.two_levels(),
            _ => self.scatter(),
        }
    }

    fn scope(&self, targets: &[usize]) -> Scope<'a> {
        let usable = |a: &usize| !self.taken.writes.contains(a) && !targets.contains(a);
        let scalar = |s: &usize| !self.taken.scalar_writes.contains(s);
        Scope {
            arrays: self.arrays,
            scalars: self.scalars,
            indices: Vec::new(),
            readable: (0..self.arrays.len()).filter(usable).collect(),
            at: Vec::new(),
            readable_scalars: (0..self.scalars.len()).filter(scalar).collect(),
            temporaries: Vec::new(),
            calls: true,
            effects: Effects::default(),
        }
    }

    /// Arrays that may be written.
    fn writable(&self, is: impl Fn(&Array) -> bool) -> Vec<usize> {
        let all = 0..self.arrays.len();
        let free = |a: &usize| !self.taken.reads.contains(a) && !self.taken.writes.contains(a);
        all.filter(free).filter(|a| is(&self.arrays[*a])).collect()
    }

    /// Loops over the elements of a target, the last dimension outermost, or in another order.
    fn frame(&mut self, target: usize) -> Frame {
        let array = &self.arrays[target];
        let rank = array.rank();
        let mut order: Vec<usize> = (0..rank).rev().collect();
        if self.r.chance(20) {
            order.reverse();
        }
        let mut frame = Frame {
            heads: Vec::new(),
            indices: Vec::new(),
            subscripts: vec![String::new(); rank],
            is_whole: true,
        };
        for (depth, dim) in order.into_iter().enumerate() {
            let name = format!("{}{}", self.names, depth + 1);
            let (low, high) = (array.low[dim], array.high(dim));
            let (mut lo, mut hi) = (low, high);
            if self.r.chance(25) && high - low > 3 {
                lo += self.r.between(0, 2);
                hi -= self.r.between(0, 2);
            }
            let shift = if self.r.chance(20) {
                self.r.between(-3, 3)
            } else {
                0
            };
            let (first, last) = (lo - shift, hi - shift);
            let (head, step) = match self.r.below(12) {
                0 => (format!("do {name} = {last}, {first}, -1"), 1),
                1 => (format!("do {name} = {first}, {last}, 2"), 2),
                2 if shift == 0 && (lo, hi) == (low, high) => {
                    let a = &array.name;
                    let d = dim + 1;
                    (format!("do {name} = lbound({a}, {d}), ubound({a}, {d})"), 1)
                }
                3 if first == 1 && last == array.extent[dim] => (
                    format!("do {name} = 1, size({}, {})", array.name, dim + 1),
                    1,
                ),
                _ => (format!("do {name} = {first}, {last}"), 1),
            };
            frame.is_whole &= step == 1 && (lo, hi) == (low, high);
            frame.subscripts[dim] = match shift {
                0 if self.r.chance(10) => format!("{} - {name}", first + last),
                0 => name.clone(),
                s if s > 0 => format!("{name} + {s}"),
                s => format!("{name} - {}", -s),
            };
            // With a step of 2, the mirrored index may leave the elements that the loop reaches, not those of the array.
            frame.indices.push(Index {
                name,
                lo: first,
                hi: last,
            });
            frame.heads.push(head);
        }
        frame
    }

    /// `a(i, j) = ...`, with all that may be around it.
    fn tight(&mut self) -> Option<Nest> {
        let targets = self.writable(|_| true);
        if targets.is_empty() {
            return None;
        }
        let target = self.r.pick(&targets);
        let frame = self.frame(target);
        let mut wants = Wants::default();
        let (mut lines, mut effects) = (Vec::new(), Effects::default());
        let (before, private) = self.temporaries(&[target], &frame, &mut wants, &mut effects);
        lines.extend(before);
        let mut scope = self.scope(&[target]);
        scope.indices = frame.indices.clone();
        scope.temporaries = private;
        let is_updated = self.r.chance(30);
        if is_updated {
            scope.at.push((target, frame.subscripts.clone()));
        }
        let array = &self.arrays[target];
        let element = format!("{}({})", array.name, frame.subscripts.join(", "));
        let value = scope.value(self.r, array.ty);
        let is_conditional = self.r.chance(20);
        if is_conditional {
            let condition = scope.condition(self.r);
            let other = scope.value(self.r, array.ty);
            lines.push(format!("if ({condition}) then"));
            lines.push(format!("  {element} = {value}"));
            if self.r.chance(50) {
                lines.push("else".into());
                lines.push(format!("  {element} = {other}"));
            }
            lines.push("end if".into());
        } else {
            lines.push(format!("{element} = {value}"));
        }
        effects.add(&scope.effects);
        if frame.is_whole && !is_conditional && !effects.reads.contains(&target) {
            effects.covers.insert(target);
        }
        effects.writes.insert(target);
        if self.r.chance(25) {
            lines.extend(self.reduction(&[target], &frame, &mut wants, &mut effects));
        }
        let lines = vec![Item::Lines(lines)];
        Some(self.with_loops(&frame, lines, &wants, effects))
    }

    /// Private scalars and arrays with values.
    fn temporaries(
        &mut self,
        targets: &[usize],
        frame: &Frame,
        wants: &mut Wants,
        effects: &mut Effects,
    ) -> (Vec<String>, Vec<(String, Ty)>) {
        let (mut lines, mut private) = (Vec::new(), Vec::new());
        let mut scope = self.scope(targets);
        scope.indices = frame.indices.clone();
        if self.r.chance(35) {
            let (name, ty) = match self.r.below(2) {
                0 => (format!("{}t", self.names), Ty::I4),
                _ => (format!("{}x", self.names), Ty::R8),
            };
            let value = scope.value(self.r, ty);
            lines.push(format!("{name} = {value}"));
            if self.r.chance(60) {
                wants.private_scalars.push(name.clone());
            }
            private.push((name, ty));
        }
        if self.r.chance(15) {
            let name = format!("{}w", self.names);
            let q = format!("{}q", self.names);
            scope.indices.push(Index {
                name: q.clone(),
                lo: 1,
                hi: 4,
            });
            let value = scope.value(self.r, Ty::I4);
            lines.push(format!("do {q} = 1, 4"));
            lines.push(format!("  {name}({q}) = {value}"));
            lines.push("end do".into());
            wants.private_arrays.push(name.clone());
            private.push((format!("{name}({})", self.r.between(1, 4)), Ty::I4));
            private.push((format!("({name}(2) + {name}(4))"), Ty::I4));
        }
        effects.add(&scope.effects);
        (lines, private)
    }

    /// A reduction into a scalar of the host.
    fn reduction(
        &mut self,
        targets: &[usize],
        frame: &Frame,
        wants: &mut Wants,
        effects: &mut Effects,
    ) -> Vec<String> {
        let taken = &self.taken;
        let free = |s: &usize| {
            ![
                &taken.scalar_reads,
                &taken.scalar_writes,
                &effects.scalar_reads,
            ]
            .iter()
            .any(|all| all.contains(s))
        };
        let free: Vec<usize> = (0..self.scalars.len()).filter(free).collect();
        if free.is_empty() {
            return Vec::new();
        }
        let s = self.r.pick(&free);
        let (name, ty) = (self.scalars[s].name.clone(), self.scalars[s].ty);
        let mut scope = self.scope(targets);
        scope.indices = frame.indices.clone();
        scope.readable_scalars.retain(|x| *x != s);
        let (op, line) = reduce(self.r, &mut scope, &name, ty);
        effects.add(&scope.effects);
        effects.scalar_writes.insert(s);
        wants.reductions.push(format!("reduction({op}: {name})"));
        vec![line]
    }

    /// `r(i) = sum of a(i, j)`: an inner loop with a reduction into a private scalar.
    fn rows(&mut self) -> Option<Nest> {
        let targets = self.writable(|a| a.ty != Ty::L4 && a.rank() < 3);
        if targets.is_empty() {
            return None;
        }
        let target = self.r.pick(&targets);
        let frame = self.frame(target);
        let sum = match self.r.chance(60) {
            true => (format!("{}s", self.names), Ty::I4),
            false => (format!("{}y", self.names), Ty::R8),
        };
        let q = format!("{}k", self.names);
        let extent = self.r.pick(&[3, 17, 40, 130]);
        let triangular = self
            .r
            .chance(20)
            .then(|| frame.indices.last().cloned())
            .flatten();
        let head = match &triangular {
            Some(i) => format!("do {q} = 1, abs({}) + 1", i.name),
            None => format!("do {q} = 1, {extent}"),
        };
        let hi = triangular.map_or(extent, |i| i.lo.abs().max(i.hi.abs()) + 1);
        let mut scope = self.scope(&[target]);
        scope.indices = frame.indices.clone();
        scope.indices.push(Index { name: q, lo: 1, hi });
        let (op, line) = reduce(self.r, &mut scope, &sum.0, sum.1);
        let mut effects = std::mem::take(&mut scope.effects);
        let clauses = self.inner_clauses(&format!("reduction({op}: {})", sum.0));
        let first = match op {
            ".and." | "min" | "iand" | "max" => self.r.between(0, 1000),
            _ => self.r.between(0, 3),
        };
        let mut scope = self.scope(&[target]);
        scope.indices = frame.indices.clone();
        scope.temporaries.push(sum.clone());
        let array = &self.arrays[target];
        let reduced = match sum.1 {
            Ty::I4 => format!("mod({}, 1009)", sum.0),
            _ => format!("mod({}, 1009.0_8)", sum.0),
        };
        let more = scope.leaf(self.r);
        let body = vec![
            Item::Lines(vec![format!("{} = {first}", sum.0)]),
            Item::Loop(Box::new(Loop {
                head,
                clauses,
                body: vec![Item::Lines(vec![line])],
            })),
            Item::Lines(vec![format!(
                "{}({}) = mod(int({reduced}) + {more}, 1009)",
                array.name,
                frame.subscripts.join(", ")
            )]),
        ];
        effects.add(&scope.effects);
        if frame.is_whole && !effects.reads.contains(&target) {
            effects.covers.insert(target);
        }
        effects.writes.insert(target);
        let wants = Wants {
            private_scalars: match self.r.chance(60) {
                true => vec![sum.0],
                false => Vec::new(),
            },
            ..Wants::default()
        };
        Some(self.with_loops(&frame, body, &wants, effects))
    }

    /// A directive of an inner loop, or none: then its iterations run in order.
    fn inner_clauses(&mut self, reduction: &str) -> Option<Vec<String>> {
        let words = match self.r.below(6) {
            0 => return None,
            1 => return Some(vec!["seq".into()]),
            2 if self.how == How::ParallelLoop => vec!["".to_owned()],
            _ => vec!["vector".to_owned()],
        };
        let mut words: Vec<String> = words.into_iter().filter(|w| !w.is_empty()).collect();
        words.push(reduction.to_owned());
        Some(words)
    }

    /// An outer loop with statements, an inner loop over another dimension, and statements that use its row.
    fn two_levels(&mut self) -> Option<Nest> {
        let targets = self.writable(|a| a.rank() == 2);
        if targets.is_empty() {
            return None;
        }
        let target = self.r.pick(&targets);
        let frame = self.frame(target);
        let rows = self.writable(|a| a.rank() == 1);
        let outer = frame.indices[0].clone();
        let fits = |a: &usize| {
            let a = &self.arrays[*a];
            a.low[0] <= outer.lo && a.high(0) >= outer.hi
        };
        let row = rows.into_iter().find(fits);
        let targets: Vec<usize> = [Some(target), row].into_iter().flatten().collect();
        let temporary = format!("{}t", self.names);
        let mut scope = self.scope(&targets);
        scope.indices = vec![outer.clone()];
        let mut body = vec![Item::Lines(vec![format!(
            "{temporary} = {}",
            scope.value(self.r, Ty::I4)
        )])];
        scope.temporaries.push((temporary.clone(), Ty::I4));
        if let Some(row) = row.filter(|_| self.r.chance(40)) {
            let array = &self.arrays[row];
            let value = scope.value(self.r, array.ty);
            let line = format!("{}({}) = {value}", array.name, outer.name);
            scope.effects.writes.insert(row);
            scope.at.push((row, vec![outer.name.clone()]));
            body.push(Item::Lines(vec![line]));
        }
        scope.indices.push(frame.indices[1].clone());
        let array = &self.arrays[target];
        let element = format!("{}({})", array.name, frame.subscripts.join(", "));
        let line = format!("{element} = {}", scope.value(self.r, array.ty));
        scope.effects.writes.insert(target);
        let inner = match self.r.below(5) {
            0 => None,
            1 => Some(vec!["seq".to_owned()]),
            2 if self.how == How::ParallelLoop => Some(Vec::new()),
            _ => Some(vec!["vector".to_owned()]),
        };
        body.push(Item::Loop(Box::new(Loop {
            head: frame.heads[1].clone(),
            clauses: inner,
            body: vec![Item::Lines(vec![line])],
        })));
        if let Some(row) = row {
            scope.indices.truncate(1);
            let fixed = |s: &String| match s.contains(&outer.name) {
                true => s.clone(),
                false => "*".to_owned(),
            };
            scope
                .at
                .push((target, frame.subscripts.iter().map(fixed).collect()));
            let array = &self.arrays[row];
            let value = scope.value(self.r, array.ty);
            body.push(Item::Lines(vec![format!(
                "{}({}) = {value}",
                array.name, outer.name
            )]));
            scope.effects.writes.insert(row);
        }
        let effects = scope.effects;
        let wants = Wants {
            private_scalars: match self.r.chance(60) {
                true => vec![temporary],
                false => Vec::new(),
            },
            ..Wants::default()
        };
        let outer = Frame {
            heads: frame.heads[..1].to_vec(),
            indices: frame.indices[..1].to_vec(),
            subscripts: Vec::new(),
            is_whole: false,
        };
        Some(self.with_loops(&outer, body, &wants, effects))
    }

    /// Atomic updates of elements that several iterations share, and numbers that a counter gives.
    fn scatter(&mut self) -> Option<Nest> {
        let targets = self.writable(|a| a.ty != Ty::L4 && a.rank() == 1);
        let over = self.r.below(self.arrays.len());
        if targets.is_empty() {
            return None;
        }
        let target = self.r.pick(&targets);
        let frame = self.frame(over);
        let mut wants = Wants::default();
        let mut effects = Effects::default();
        let mut scope = self.scope(&[target]);
        scope.indices = frame.indices.clone();
        let array = &self.arrays[target];
        let place = scope.integer(self.r, 1);
        let element = format!(
            "{}({} + mod(abs({place}), {}))",
            array.name, array.low[0], array.extent[0]
        );
        let value = format!("mod({}, 61)", scope.leaf(self.r));
        let value = match array.ty {
            Ty::R4 | Ty::R8 => format!("real({value}, {})", if array.ty == Ty::R4 { 4 } else { 8 }),
            Ty::I8 => format!("int({value}, 8)"),
            _ => value,
        };
        let mut lines = vec![format!("{}v = abs({place})", self.names)];
        let element = element.replace(&format!("abs({place})"), &format!("{}v", self.names));
        if self.r.chance(60) {
            wants.private_scalars.push(format!("{}v", self.names));
        }
        lines.push(match self.r.below(2) {
            0 => "!$acc atomic update".into(),
            _ => "!$acc atomic".into(),
        });
        lines.push(match (self.r.below(6), array.ty.is_integer()) {
            (0, _) => format!("{element} = max({element}, {value})"),
            (1, _) => format!("{element} = min({value}, {element})"),
            (2, true) => format!("{element} = ieor({element}, {value})"),
            (3, true) => format!("{element} = ior({element}, {value})"),
            (4, _) => format!("{element} = {element} - ({value})"),
            _ => format!("{element} = {element} + {value}"),
        });
        effects.add(&scope.effects);
        effects.reads.insert(target);
        effects.writes.insert(target);
        if self.r.chance(40) {
            lines.extend(self.reduction(&[target], &frame, &mut wants, &mut effects));
        }
        let lines = vec![Item::Lines(lines)];
        let mut nest = self.with_loops(&frame, lines, &wants, effects);
        nest.effects.covers.clear();
        Some(nest)
    }

    /// Loops around a body, with their directives.
    fn with_loops(
        &mut self,
        frame: &Frame,
        body: Vec<Item>,
        wants: &Wants,
        effects: Effects,
    ) -> Nest {
        let depth = frame.heads.len();
        let mut plans = self.plan(depth);
        let takes_vector = |i: &Item| match i {
            Item::Loop(l) => l.clauses.iter().flatten().any(|w| w == "vector"),
            Item::Lines(_) => false,
        };
        if body.iter().any(takes_vector) {
            let words = plans.iter_mut().flatten();
            words.for_each(|p| p.retain(|w| w != "vector"));
        }
        let with_directive: Vec<usize> = (0..depth).filter(|d| plans[*d].is_some()).collect();
        for d in &with_directive {
            let is_sequential = plans[*d].iter().flatten().any(|w| w == "seq");
            let clauses = plans[*d].get_or_insert_default();
            if !is_sequential {
                clauses.extend(wants.reductions.iter().cloned());
            }
            if Some(d) == with_directive.last() {
                let names = wants.private_scalars.iter().chain(&wants.private_arrays);
                let names: Vec<&str> = names.map(String::as_str).collect();
                if !names.is_empty() {
                    clauses.push(format!("private({})", names.join(", ")));
                }
            }
        }
        let mut inside = body;
        for d in (0..depth).rev() {
            inside = vec![Item::Loop(Box::new(Loop {
                head: frame.heads[d].clone(),
                clauses: plans[d].take(),
                body: inside,
            }))];
        }
        Nest {
            items: inside,
            effects,
        }
    }

    /// Clauses of the directives of tightly nested loops; None: a loop without a directive.
    fn plan(&mut self, depth: usize) -> Vec<Option<Vec<String>>> {
        let words = |text: &str| Some(text.split_whitespace().map(str::to_owned).collect());
        let mut plans: Vec<Option<Vec<String>>> = vec![None; depth];
        let style = self.r.below(10);
        if self.how == How::Kernels && style < 3 {
            return plans;
        }
        let first = match self.how {
            How::Kernels | How::KernelsLoop => ["independent", "gang", "gang vector", ""],
            How::Serial | How::SerialLoop => ["", "", "seq", "gang"],
            _ => ["", "gang", "gang vector", "independent"],
        };
        if depth >= 2 && style < 6 {
            let together = self.r.between(2, depth as i64);
            let extent = || format!("collapse({together})");
            let first = self.r.pick(&first);
            plans[0] = words(first);
            let clause = match self.r.chance(25) {
                true if together == 2 => format!(
                    "tile({}, {})",
                    self.r.pick(&["2", "8", "*"]),
                    self.r.pick(&["4", "16", "*"])
                ),
                _ => extent(),
            };
            if let Some(p) = &mut plans[0] {
                if p.iter().any(|w| w == "seq") {
                    p.clear();
                }
                p.push(clause);
            }
            return plans;
        }
        let levels: &[&str] = match (depth, self.r.below(6)) {
            (1, 0) => &["gang worker vector"],
            (1, 1) => &["vector"],
            (2, 0 | 1) => &["gang", "vector"],
            (2, 2) => &["gang worker", "vector"],
            (2, 3) => &["gang", "-"],
            (2, 4) => &["gang vector", "seq"],
            (3, 0) => &["gang", "worker", "vector"],
            (3, 1) => &["gang", "vector", "seq"],
            (3, 2) => &["gang", "-", "vector"],
            _ => &["", "", ""],
        };
        let only_first = self.r.chance(20);
        for (d, level) in levels.iter().take(depth).enumerate() {
            let is_serial = matches!(self.how, How::Serial | How::SerialLoop);
            plans[d] = match (*level, d) {
                ("-", _) => None,
                (_, 1..) if only_first => None,
                ("", 0) => words(self.r.pick(&first)),
                ("", _) if self.how == How::KernelsLoop || self.how == How::Kernels => {
                    words("independent")
                }
                (_, _) if is_serial => words(""),
                (level, _) => words(level),
            };
        }
        plans
    }

    /// Statements that only the order of the program computes: for `serial`, and for `kernels` without clauses.
    pub fn ordered(&mut self) -> Option<Nest> {
        let targets = self.writable(|a| a.rank() == 1);
        if targets.is_empty() {
            return None;
        }
        let target = self.r.pick(&targets);
        let mut scope = self.scope(&[]);
        let i = format!("{}1", self.names);
        let array = &self.arrays[target];
        scope.indices.push(Index {
            name: i.clone(),
            lo: array.low[0],
            hi: array.high(0),
        });
        let carried = format!("{}t", self.names);
        let mut lines = Vec::new();
        let element = match self.r.below(3) {
            0 => format!(
                "{}({} + mod(abs({i}*{}), {}))",
                array.name,
                array.low[0],
                self.r.between(1, 3),
                array.extent[0]
            ),
            _ => format!("{}({i})", array.name),
        };
        let carries = !self.how.is_combined() && self.r.chance(40);
        if carries {
            let value = scope.value(self.r, Ty::I4);
            lines.push(format!("{carried} = mod({carried}*3 + {value}, 1009)"));
            scope.temporaries.push((carried.clone(), Ty::I4));
        }
        let value = scope.value(self.r, array.ty);
        lines.push(format!("{element} = {value}"));
        let mut effects = scope.effects;
        effects.writes.insert(target);
        let nest = Loop {
            head: format!("do {i} = {}, {}", array.low[0], array.high(0)),
            clauses: None,
            body: vec![Item::Lines(lines)],
        };
        let mut items = vec![Item::Loop(Box::new(nest))];
        if carries {
            items.insert(
                0,
                Item::Lines(vec![format!("{carried} = {}", self.r.between(0, 9))]),
            );
        }
        Some(Nest { items, effects })
    }

    /// An array assignment.
    pub fn array_statement(&mut self) -> Option<Nest> {
        let targets = self.writable(|_| true);
        if targets.is_empty() {
            return None;
        }
        let target = self.r.pick(&targets);
        let array = &self.arrays[target];
        let alike = |a: &usize| {
            let other = &self.arrays[*a];
            other.extent == array.extent && other.ty == array.ty && !self.taken.writes.contains(a)
        };
        let others: Vec<usize> = (0..self.arrays.len()).filter(alike).collect();
        let mut effects = Effects::default();
        effects.writes.insert(target);
        let line = match (others.is_empty(), array.ty) {
            (_, Ty::L4) => format!("{} = .true.", array.name),
            (true, _) => format!("{} = {}", array.name, self.r.between(0, 9)),
            (false, ty) => {
                let other = self.r.pick(&others);
                effects.reads.insert(other);
                let bound = match ty {
                    Ty::R4 => "1009.0",
                    Ty::R8 => "1009.0_8",
                    Ty::I8 => "1009_8",
                    _ => "1009",
                };
                let whole = if self.r.chance(50) {
                    array.name.clone()
                } else {
                    section(array)
                };
                format!("{whole} = mod({}*2 + 1, {bound})", self.arrays[other].name)
            }
        };
        if !effects.reads.contains(&target) {
            effects.covers.insert(target);
        }
        Some(Nest {
            items: vec![Item::Lines(vec![line])],
            effects,
        })
    }
}

/// `a(1:5, :)`.
fn section(a: &Array) -> String {
    let dims: Vec<String> = (0..a.rank())
        .map(|d| match d {
            0 => format!("{}:{}", a.low[d], a.high(d)),
            _ => ":".to_owned(),
        })
        .collect();
    format!("{}({})", a.name, dims.join(", "))
}

/// A statement of a reduction into `name`, and its operator.
fn reduce(r: &mut Random, scope: &mut Scope<'_>, name: &str, ty: Ty) -> (&'static str, String) {
    let leaf = match ty {
        Ty::R4 => format!("mod({}, 61)", scope.leaf(r)),
        _ => scope.leaf(r),
    };
    match (ty, r.below(7)) {
        (Ty::L4, 0 | 1) => (
            ".and.",
            format!("{name} = {name} .and. ({})", scope.condition(r)),
        ),
        (Ty::L4, 2) => (
            ".eqv.",
            format!("{name} = {name} .eqv. ({})", scope.condition(r)),
        ),
        (Ty::L4, 3) => (
            ".neqv.",
            format!("{name} = {name} .neqv. ({})", scope.condition(r)),
        ),
        (Ty::L4, _) => (
            ".or.",
            format!("{name} = {name} .or. ({})", scope.condition(r)),
        ),
        (_, 0) => {
            let value = converted(&leaf, ty);
            ("max", format!("{name} = max({name}, {value})"))
        }
        (_, 1) => {
            let value = converted(&leaf, ty);
            ("min", format!("{name} = min({value}, {name})"))
        }
        (Ty::I4, 2) => ("iand", format!("{name} = iand({name}, ior({leaf}, 960))")),
        (Ty::I4, 3) => (
            "ior",
            format!("{name} = ior({name}, iand(abs({leaf}), 511))"),
        ),
        (Ty::I4, 4) => ("ieor", format!("{name} = ieor({name}, {leaf})")),
        _ => ("+", format!("{name} = {name} + {leaf}")),
    }
}

fn converted(text: &str, ty: Ty) -> String {
    match ty {
        Ty::I8 => format!("int({text}, 8)"),
        Ty::R4 => format!("real({text}, 4)"),
        Ty::R8 => format!("real({text}, 8)"),
        _ => text.to_owned(),
    }
}
