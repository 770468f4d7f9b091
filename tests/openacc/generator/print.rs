//! A program as Fortran with OpenACC directives. Data is moved so that neither side reads what the other has changed since.

use super::ir::*;
use crate::numbers::Random;

/// What is known of an array where the program is.
#[derive(Clone, Debug, Default)]
struct State {
    /// Regions that have it on the device.
    count: usize,
    is_host_current: bool,
    is_device_current: bool,
    /// Queues that may still work on it.
    queues: Vec<i64>,
}

struct Printer<'a> {
    case: &'a Case,
    arrays: Vec<State>,
    scalars: Vec<Vec<i64>>,
    out: Vec<String>,
    depth: usize,
}

/// The module `name` with procedure `drive`, which leaves all values in its argument. Without OpenACC its directives are comments.
pub fn print(case: &Case, name: &str) -> Vec<String> {
    let state = |a: &Array| State {
        count: usize::from(a.place == Place::Declared),
        is_host_current: true,
        ..State::default()
    };
    let mut printer = Printer {
        case,
        arrays: case.arrays.iter().map(state).collect(),
        scalars: vec![Vec::new(); case.scalars.len()],
        out: Vec::new(),
        depth: 2,
    };
    printer.module(name);
    printer.out
}

/// Number of values that `drive` leaves.
pub fn results(case: &Case) -> i64 {
    case.arrays.iter().map(Array::size).sum::<i64>() + case.scalars.len() as i64
}

/// `1:5, -2:3`.
fn bounds(a: &Array) -> String {
    let dims: Vec<String> = (0..a.rank())
        .map(|d| format!("{}:{}", a.low[d], a.high(d)))
        .collect();
    dims.join(", ")
}

/// The name without that of its structure.
fn own_name(a: &Array) -> &str {
    a.name.rsplit('%').next().unwrap_or(&a.name)
}

fn deferred(a: &Array) -> String {
    vec![":"; a.rank()].join(", ")
}

impl Printer<'_> {
    fn line(&mut self, text: impl AsRef<str>) {
        let text = format!("{}{}", "  ".repeat(self.depth), text.as_ref());
        self.out.push(text);
    }

    fn module(&mut self, name: &str) {
        let case = self.case;
        let mut out = vec![format!("module {name}"), "  implicit none".into()];
        let is_component = |p| matches!(p, Place::Component | Place::AllocatableComponent);
        let components: Vec<&Array> = case
            .arrays
            .iter()
            .filter(|a| is_component(a.place))
            .collect();
        if !components.is_empty() {
            out.push("  type :: structure".into());
            for a in components {
                let ty = a.ty.declared();
                out.push(match a.place {
                    Place::Component => format!("    {ty} :: {}({})", own_name(a), bounds(a)),
                    _ => format!("    {ty}, allocatable :: {}({})", own_name(a), deferred(a)),
                });
            }
            out.push("  end type".into());
        }
        for a in &case.arrays {
            let ty = a.ty.declared();
            match a.place {
                Place::Module => out.push(format!("  {ty} :: {}({})", a.name, bounds(a))),
                Place::Declared => {
                    out.push(format!("  {ty} :: {}({})", a.name, bounds(a)));
                    out.push(format!("  !$acc declare create({})", a.name));
                }
                Place::ModuleAllocatable => {
                    out.push(format!(
                        "  {ty}, allocatable :: {}({})",
                        a.name,
                        deferred(a)
                    ));
                }
                _ => {}
            }
        }
        for s in case.scalars.iter().filter(|s| s.is_module) {
            out.push(format!("  {} :: {}", s.ty.declared(), s.name));
        }
        out.extend(PROCEDURES.lines().map(str::to_owned));
        self.out = out;
        self.drive();
        self.work();
        self.out.push(format!("end module {name}"));
        self.out.push(String::new());
    }

    /// Has what `work` gets as arguments.
    fn drive(&mut self) {
        let case = self.case;
        self.depth = 1;
        self.line("subroutine drive(values)");
        self.depth = 2;
        self.line("integer(8) :: values(*)");
        let passed = |a: &&Array| matches!(a.place, Place::AssumedShape | Place::ExplicitShape);
        let dummies: Vec<&Array> = case.arrays.iter().filter(passed).collect();
        for a in &dummies {
            self.line(format!(
                "{}, allocatable :: {}({})",
                a.ty.declared(),
                a.name,
                deferred(a)
            ));
        }
        for a in &dummies {
            self.line(format!("allocate({}({}))", a.name, bounds(a)));
        }
        let names: Vec<&str> = dummies.iter().map(|a| a.name.as_str()).collect();
        let call = [&["values"], &names[..]].concat().join(", ");
        self.line(format!("call work({call})"));
        self.depth = 1;
        self.line("end subroutine");
        self.line(format!("subroutine work({call})"));
        self.depth = 2;
        self.line("integer(8) :: values(*)");
    }

    fn work(&mut self) {
        let case = self.case;
        for a in &case.arrays {
            let ty = a.ty.declared();
            let lows: Vec<String> = a.low.iter().map(|l| format!("{l}:")).collect();
            match a.place {
                Place::Local => self.line(format!("{ty} :: {}({})", a.name, bounds(a))),
                Place::Allocatable => {
                    self.line(format!("{ty}, allocatable :: {}({})", a.name, deferred(a)));
                }
                Place::Pointer => {
                    self.line(format!("{ty}, pointer :: {}({})", a.name, deferred(a)));
                }
                Place::AssumedShape => {
                    self.line(format!("{ty} :: {}({})", a.name, lows.join(", ")))
                }
                Place::ExplicitShape => self.line(format!("{ty} :: {}({})", a.name, bounds(a))),
                _ => {}
            }
        }
        if case.arrays.iter().any(|a| a.name.starts_with("st%")) {
            self.line("type(structure) :: st");
        }
        for s in case.scalars.iter().filter(|s| !s.is_module) {
            self.line(format!("{} :: {}", s.ty.declared(), s.name));
        }
        for p in ["i", "j", "m"] {
            let names = ["1", "2", "3", "t", "k", "q", "s", "v"].map(|n| format!("{p}{n}"));
            self.line(format!("integer :: {}, {p}w(4)", names.join(", ")));
            self.line(format!("real(8) :: {p}x, {p}y"));
        }
        self.line("integer :: size_of_data");
        self.line("size_of_data = 10");
        for (n, a) in case.arrays.iter().enumerate() {
            let allocated = [
                Place::Allocatable,
                Place::Pointer,
                Place::ModuleAllocatable,
                Place::AllocatableComponent,
            ];
            if allocated.contains(&a.place) {
                self.line(format!("allocate({}({}))", a.name, bounds(a)));
            }
            let value = match a.ty {
                Ty::L4 => format!("mod(i1*{} + {n}, 3) == 0", 2 * n + 1),
                _ => format!("mod(i1*{} + {n}, 101) - 20", 7 * n + 3),
            };
            let extents: Vec<String> = a.extent.iter().map(i64::to_string).collect();
            let value = match a.ty {
                Ty::I4 | Ty::L4 => value,
                Ty::I8 => format!("int({value}, 8)"),
                Ty::R4 => format!("real({value})"),
                Ty::R8 => format!("real({value}, 8)"),
            };
            let (name, size, shape) = (&a.name, a.size(), extents.join(", "));
            self.line(format!(
                "{name} = reshape([({value}, i1 = 1, {size})], [{shape}])"
            ));
        }
        for (n, s) in case.scalars.iter().enumerate() {
            let value = if s.ty == Ty::L4 {
                ".true.".to_owned()
            } else {
                n.to_string()
            };
            self.line(format!("{} = {value}", s.name));
        }
        self.steps(&case.steps);
        self.gather();
        self.depth = 1;
        self.line("end subroutine");
    }

    /// All values to the argument.
    fn gather(&mut self) {
        let case = self.case;
        for a in 0..case.arrays.len() {
            self.for_host(a);
        }
        for s in 0..case.scalars.len() {
            self.finish_scalar(s, None);
        }
        let mut at = 0;
        for a in &case.arrays {
            let value = match a.ty {
                Ty::L4 => format!("merge(1_8, 0_8, {})", a.name),
                _ => format!("int({}, 8)", a.name),
            };
            let n = a.size();
            self.line(format!(
                "values({}:{}) = reshape({value}, [{n}])",
                at + 1,
                at + n
            ));
            at += n;
        }
        for s in &case.scalars {
            at += 1;
            self.line(match s.ty {
                Ty::L4 => format!("values({at}) = merge(1_8, 0_8, {})", s.name),
                _ => format!("values({at}) = int({}, 8)", s.name),
            });
        }
        for a in &case.arrays {
            if matches!(a.place, Place::Pointer | Place::ModuleAllocatable) {
                self.line(format!("deallocate({})", a.name));
            }
        }
    }

    fn steps(&mut self, steps: &[Step]) {
        for step in steps {
            match step {
                Step::Construct(c) => self.construct(c),
                Step::Host(n) => self.host(n),
                Step::Region {
                    arrays,
                    is_structured,
                    choice,
                    body,
                } => self.region(arrays, *is_structured, &mut Random::new(*choice), body),
            }
        }
    }

    fn wait(&mut self, queue: i64) {
        match queue {
            0 => self.line("!$acc wait"),
            q => self.line(format!("!$acc wait({q})")),
        }
        let all = self
            .arrays
            .iter_mut()
            .map(|a| &mut a.queues)
            .chain(&mut self.scalars);
        for queues in all {
            queues.retain(|q| queue != 0 && *q != queue);
        }
    }

    /// Waits for what other queues than `own` do with an array.
    fn finish(&mut self, array: usize, own: Option<i64>) {
        let other = |q: &&i64| Some(**q) != own;
        while let Some(q) = self.arrays[array].queues.iter().find(other) {
            self.wait(*q);
        }
    }

    fn finish_scalar(&mut self, scalar: usize, own: Option<i64>) {
        let other = |q: &&i64| Some(**q) != own;
        while let Some(q) = self.scalars[scalar].iter().find(other) {
            self.wait(*q);
        }
    }

    fn update(&mut self, clause: &str, array: usize, queue: Option<i64>) {
        let name = &self.case.arrays[array].name;
        let end = match queue {
            Some(0) => " async".to_owned(),
            Some(q) => format!(" async({q})"),
            None => String::new(),
        };
        self.line(format!("!$acc update {clause}({name}){end}"));
    }

    /// The host reads or changes a part of an array.
    fn for_host(&mut self, array: usize) {
        self.finish(array, None);
        if !self.arrays[array].is_host_current {
            let clause = if array.is_multiple_of(2) {
                "self"
            } else {
                "host"
            };
            self.update(clause, array, None);
            self.arrays[array].is_host_current = true;
        }
    }

    fn on_host(&mut self, effects: &Effects) {
        for a in effects.arrays() {
            self.finish(a, None);
            if !effects.covers.contains(&a) {
                self.for_host(a);
            }
        }
        for s in effects.scalar_reads.union(&effects.scalar_writes) {
            self.finish_scalar(*s, None);
        }
    }

    fn changed_by_host(&mut self, effects: &Effects) {
        for a in &effects.writes {
            self.arrays[*a].is_host_current = true;
            self.arrays[*a].is_device_current = false;
        }
    }

    fn host(&mut self, nest: &Nest) {
        self.on_host(&nest.effects);
        self.items(&nest.items, false);
        self.changed_by_host(&nest.effects);
    }

    fn items(&mut self, items: &[Item], directives: bool) {
        for item in items {
            match item {
                Item::Lines(lines) => {
                    for line in lines.iter().filter(|l| directives || !l.starts_with("!$")) {
                        self.line(line);
                    }
                }
                Item::Loop(l) => self.do_loop(l, directives, directives),
            }
        }
    }

    fn do_loop(&mut self, l: &Loop, has_directive: bool, directives: bool) {
        if let Some(clauses) = l.clauses.as_ref().filter(|_| has_directive) {
            let text = format!("!$acc loop {}", clauses.join(" "));
            self.line(text.trim_end());
        }
        self.line(&l.head);
        self.depth += 1;
        self.items(&l.body, directives);
        self.depth -= 1;
        self.line("end do");
    }

    fn construct(&mut self, c: &Construct) {
        let r = &mut Random::new(c.choice);
        let mut effects = Effects::default();
        for n in &c.nests {
            effects.add(&n.effects);
        }
        // What another nest of the construct reads is needed.
        effects
            .covers
            .retain(|a| !effects.reads.contains(a) && c.nests.len() == 1);
        let is_on_host = c.on_device == Some(false);
        let queue = c.queue.filter(|_| !is_on_host);
        let mut clauses: Vec<String> = Vec::new();
        if is_on_host {
            self.on_host(&effects);
        } else {
            let waits = self.before_construct(&effects, queue, r);
            clauses.extend(waits);
        }
        match (c.on_device, r.chance(50)) {
            (Some(yes), true) => clauses.push(format!(
                "if(size_of_data {} 5)",
                if yes { ">" } else { "<" }
            )),
            (Some(yes), false) => {
                clauses.push(format!(
                    "self(size_of_data {} 5)",
                    if yes { "<" } else { ">" }
                ));
            }
            _ => {}
        }
        let all_present = effects.arrays().iter().all(|a| self.arrays[*a].count > 0);
        if all_present && r.chance(15) && !is_on_host {
            clauses.push("default(present)".into());
        }
        for a in effects.arrays() {
            clauses.extend(self.data_clause(a, &effects, r));
        }
        match queue {
            Some(0) => clauses.push("async".into()),
            Some(q) => clauses.push(format!("async({q})")),
            None => {}
        }
        let is_parallel = matches!(c.how, How::ParallelLoop | How::Parallel);
        if is_parallel && r.chance(20) {
            clauses.push(format!("vector_length({})", r.pick(&[32, 64, 128, 256])));
        }
        if is_parallel && r.chance(10) {
            clauses.push(format!("num_gangs({})", r.between(1, 40)));
        }
        let mut items: Vec<Item> = c.nests.iter().flat_map(|n| n.items.clone()).collect();
        let first = match items.first_mut() {
            Some(Item::Loop(l)) if c.how.is_combined() => l.clauses.take().unwrap_or_default(),
            _ => Vec::new(),
        };
        clauses.splice(0..0, first);
        self.directive(c.how.words(), &clauses);
        self.items(&items, true);
        if !c.how.is_combined() || r.chance(30) {
            self.line(format!("!$acc end {}", c.how.words()));
        }
        if is_on_host {
            self.changed_by_host(&effects);
            return;
        }
        for a in &effects.writes {
            let state = &mut self.arrays[*a];
            if state.count > 0 {
                state.is_device_current = true;
                state.is_host_current = false;
            }
        }
        let Some(q) = queue else { return };
        for a in effects.arrays() {
            let queues = &mut self.arrays[a].queues;
            queues.retain(|x| *x != q);
            queues.push(q);
        }
        for s in &effects.scalar_writes {
            self.scalars[*s].push(q);
        }
    }

    /// Puts a long directive into several lines.
    fn directive(&mut self, words: &str, clauses: &[String]) {
        let mut text = format!("!$acc {words}");
        for clause in clauses {
            if text.len() + clause.len() > 90 {
                self.line(format!("{text} &"));
                text = "!$acc &".into();
            }
            text = format!("{text} {clause}");
        }
        self.line(text);
    }

    /// Waits and updates that a construct on the device needs; its `wait` clause.
    fn before_construct(
        &mut self,
        effects: &Effects,
        queue: Option<i64>,
        r: &mut Random,
    ) -> Option<String> {
        for s in effects.scalar_reads.union(&effects.scalar_writes) {
            self.finish_scalar(*s, None);
        }
        let all_present = effects.arrays().iter().all(|a| self.arrays[*a].count > 0);
        let stale: Vec<usize> = effects.arrays().into_iter().collect();
        let stale: Vec<usize> = stale
            .into_iter()
            .filter(|a| {
                let state = &self.arrays[*a];
                state.count > 0 && !state.is_device_current && !effects.covers.contains(a)
            })
            .collect();
        let mut clause = None;
        if all_present && stale.is_empty() && r.chance(50) {
            let arrays = effects.arrays();
            let mut others: Vec<i64> = arrays
                .iter()
                .flat_map(|a| self.arrays[*a].queues.clone())
                .collect();
            others.sort_unstable();
            others.dedup();
            others.retain(|q| Some(*q) != queue);
            if !others.is_empty() && !others.contains(&0) {
                let names: Vec<String> = others.iter().map(i64::to_string).collect();
                clause = Some(format!("wait({})", names.join(", ")));
                // What ran in the other queues comes before what runs in this one.
                if queue.is_none() {
                    for a in arrays {
                        self.arrays[a].queues.retain(|q| !others.contains(q));
                    }
                }
                return clause;
            }
        }
        for a in effects.arrays() {
            self.finish(a, queue);
        }
        for a in stale {
            self.update("device", a, queue);
            self.arrays[a].is_device_current = true;
        }
        clause.take()
    }

    fn data_clause(&self, a: usize, effects: &Effects, r: &mut Random) -> Option<String> {
        let array = &self.case.arrays[a];
        let is_present = self.arrays[a].count > 0;
        let is_written = effects.writes.contains(&a);
        let is_covered = effects.covers.contains(&a);
        let word = match (is_present, is_written, is_covered) {
            (true, ..) => r.pick(&[
                "", "", "present", "present", "copy", "copyin", "copyout", "create",
            ]),
            (false, false, _) => r.pick(&["", "copyin", "copyin", "copy"]),
            (false, true, true) => r.pick(&["", "copyout", "copyout", "copy"]),
            (false, true, false) => r.pick(&["", "copy"]),
        };
        if word.is_empty() {
            return None;
        }
        Some(format!("{word}({})", self.listed(array, r)))
    }

    /// How a clause names an array.
    fn listed(&self, a: &Array, r: &mut Random) -> String {
        match r.below(4) {
            0 => format!("{}({})", a.name, bounds(a)),
            1 => format!("{}({})", a.name, deferred(a)),
            _ => a.name.clone(),
        }
    }

    fn region(&mut self, arrays: &[usize], is_structured: bool, r: &mut Random, body: &[Step]) {
        let mut words: Vec<&str> = Vec::new();
        let mut clauses = Vec::new();
        for a in arrays {
            self.finish(*a, None);
            let is_first = self.arrays[*a].count == 0;
            let word = match (is_structured, is_first) {
                (true, true) => r.pick(&["copy", "copy", "copyin", "create", "copyout"]),
                (true, false) => r.pick(&["copy", "copyin", "present", "create", "copyout"]),
                (false, _) => r.pick(&["copyin", "copyin", "create"]),
            };
            if is_first {
                self.arrays[*a].is_device_current = matches!(word, "copy" | "copyin");
            }
            clauses.push(format!("{word}({})", self.listed(&self.case.arrays[*a], r)));
            words.push(word);
            self.arrays[*a].count += 1;
        }
        if is_structured {
            self.directive("data", &clauses);
        } else {
            let queue = r.chance(25).then(|| r.between(1, 3));
            clauses.extend(queue.map(|q| format!("async({q})")));
            self.directive("enter data", &clauses);
            for a in arrays {
                self.arrays[*a].queues.extend(queue);
            }
        }
        self.depth += usize::from(is_structured);
        self.steps(body);
        let mut clauses = Vec::new();
        for (a, word) in arrays.iter().zip(&words) {
            self.finish(*a, None);
            let is_last = self.arrays[*a].count == 1;
            let is_copied = match is_structured {
                true => matches!(*word, "copy" | "copyout"),
                false => r.chance(50),
            };
            let word = if is_copied { "copyout" } else { "delete" };
            clauses.push(format!("{word}({})", self.listed(&self.case.arrays[*a], r)));
            if !is_last {
                continue;
            }
            match is_copied {
                true if !self.arrays[*a].is_device_current => self.update("device", *a, None),
                true => {}
                false => self.for_host(*a),
            }
        }
        self.depth -= usize::from(is_structured);
        match is_structured {
            true => self.line("!$acc end data"),
            false => self.directive("exit data", &clauses),
        }
        for a in arrays {
            let state = &mut self.arrays[*a];
            state.count -= 1;
            if state.count == 0 {
                state.is_host_current = true;
                state.is_device_current = false;
            }
        }
    }
}

const PROCEDURES: &str = "contains
  integer function twice(i)
    !$acc routine seq
    integer, intent(in) :: i
    twice = mod(2*i + 1, 1009)
  end function
  real(8) function mix(x, y)
    !$acc routine seq
    real(8), intent(in) :: x, y
    mix = mod(2*x + y, 1009.0_8)
  end function";
