//! Random OpenACC programs whose results do not depend on the order of iterations.

pub mod expr;
pub mod ir;
mod nest;
mod print;

use crate::numbers::Random;
use ir::*;
use nest::Nests;

pub use print::{print, results};

/// The program of a seed.
pub fn generate(seed: u64) -> Case {
    let mut r = Random::new(seed);
    let arrays = arrays(&mut r);
    let scalars = scalars(&mut r);
    let count = r.below(4) + 3;
    let mut builder = Builder {
        r,
        arrays: &arrays,
        scalars: &scalars,
    };
    let steps = builder.steps(count, 2);
    Case {
        number: seed,
        seed,
        arrays,
        scalars,
        steps,
    }
}

const TYPES: [Ty; 7] = [Ty::I4, Ty::I4, Ty::I8, Ty::R4, Ty::R8, Ty::R8, Ty::L4];

fn arrays(r: &mut Random) -> Vec<Array> {
    let places = [
        Place::Local,
        Place::Local,
        Place::Allocatable,
        Place::Allocatable,
        Place::Pointer,
        Place::AssumedShape,
        Place::AssumedShape,
        Place::ExplicitShape,
        Place::Module,
        Place::ModuleAllocatable,
        Place::Declared,
        Place::Component,
        Place::AllocatableComponent,
    ];
    let long = [
        r.between(2, 9),
        r.between(10, 40),
        r.pick(&[1, 64, 130, 200]),
    ];
    let wide = [r.between(2, 9), r.between(2, 30), r.pick(&[1, 33])];
    let count = r.below(4) + 4;
    let mut array = |n: usize| {
        let rank = match n {
            0 => 1,
            1 => 2,
            _ => r.pick(&[1, 1, 2, 2, 3]),
        };
        let extent: Vec<i64> = match rank {
            1 => vec![r.pick(&long)],
            2 => vec![r.pick(&wide), r.pick(&wide)],
            _ => vec![r.pick(&wide[..2]), r.pick(&[2, 3]), r.pick(&[2, 5])],
        };
        let low = extent
            .iter()
            .map(|_| if r.chance(75) { 1 } else { r.between(-3, 4) });
        let low: Vec<i64> = low.collect();
        let place = r.pick(&places);
        let owner = match place {
            Place::Component | Place::AllocatableComponent => "st%",
            _ => "",
        };
        Array {
            name: format!("{owner}a{}", n + 1),
            ty: if n == 0 { Ty::I4 } else { r.pick(&TYPES) },
            low,
            extent,
            place,
        }
    };
    (0..count).map(&mut array).collect()
}

fn scalars(r: &mut Random) -> Vec<Scalar> {
    let types = [Ty::I4, Ty::R8, r.pick(&TYPES), Ty::L4];
    let scalar = |(n, ty): (usize, &Ty)| Scalar {
        name: format!("s{}", n + 1),
        ty: *ty,
        is_module: n == 2,
    };
    types.iter().enumerate().map(scalar).collect()
}

struct Builder<'a> {
    r: Random,
    arrays: &'a [Array],
    scalars: &'a [Scalar],
}

impl Builder<'_> {
    fn steps(&mut self, count: usize, depth: usize) -> Vec<Step> {
        let mut steps = Vec::new();
        while steps.len() < count {
            let step = match self.r.below(20) {
                0..=12 => self.construct().map(Step::Construct),
                13..=15 => self.host(),
                _ if depth == 0 => None,
                _ => Some(self.region(depth)),
            };
            steps.extend(step);
        }
        steps
    }

    fn region(&mut self, depth: usize) -> Step {
        let chosen = (0..self.arrays.len()).filter(|_| self.r.chance(60));
        let mut arrays: Vec<usize> = chosen.collect();
        if arrays.is_empty() {
            arrays.push(self.r.below(self.arrays.len()));
        }
        let count = self.r.below(4) + 2;
        Step::Region {
            arrays,
            is_structured: self.r.chance(60),
            choice: self.r.below(1 << 30) as u64,
            body: self.steps(count, depth - 1),
        }
    }

    fn nests(&mut self, how: How, taken: Effects, number: usize) -> Nests<'_> {
        Nests {
            r: &mut self.r,
            arrays: self.arrays,
            scalars: self.scalars,
            how,
            taken,
            names: ["i", "j", "m"][number].to_owned(),
        }
    }

    fn construct(&mut self) -> Option<Construct> {
        let how = self.r.pick(&[
            How::ParallelLoop,
            How::ParallelLoop,
            How::ParallelLoop,
            How::Parallel,
            How::KernelsLoop,
            How::Kernels,
            How::Kernels,
            How::Serial,
            How::SerialLoop,
        ]);
        let count = if how.is_combined() {
            1
        } else {
            self.r.below(3) + 1
        };
        let mut nests = Vec::new();
        let mut taken = Effects::default();
        for number in 0..count {
            let kind = self.r.below(10);
            let mut chooser = self.nests(how, taken.clone(), number);
            let nest = match (how, kind) {
                (How::Kernels, 0 | 1) => chooser.array_statement(),
                (How::Kernels | How::Serial, 2 | 3) => chooser.ordered(),
                (How::SerialLoop, 0..=4) => chooser.ordered(),
                _ => chooser.independent(),
            };
            let Some(nest) = nest else { continue };
            if how == How::Parallel {
                taken.add(&nest.effects);
            }
            nests.push(nest);
        }
        if nests.is_empty() {
            return None;
        }
        Some(Construct {
            how,
            nests,
            queue: self.r.chance(30).then(|| self.r.between(0, 3)),
            on_device: self.r.chance(15).then(|| self.r.chance(60)),
            choice: self.r.below(1 << 30) as u64,
        })
    }

    fn host(&mut self) -> Option<Step> {
        let kind = self.r.below(3);
        let mut chooser = self.nests(How::Serial, Effects::default(), 0);
        let nest = match kind {
            0 => chooser.array_statement(),
            1 => chooser.ordered(),
            _ => chooser.independent(),
        };
        nest.map(Step::Host)
    }
}

/// Programs that lack a step, or a nest of a construct.
pub fn smaller(case: &Case) -> Vec<Case> {
    let with = |steps: Vec<Step>| Case {
        steps,
        ..case.clone()
    };
    less(&case.steps).into_iter().map(with).collect()
}

fn less(steps: &[Step]) -> Vec<Vec<Step>> {
    let mut all = Vec::new();
    for (i, step) in steps.iter().enumerate() {
        let replaced = |by: Vec<Step>| {
            let mut steps = steps.to_vec();
            steps.splice(i..=i, by);
            steps
        };
        all.push(replaced(Vec::new()));
        match step {
            Step::Host(_) => {}
            Step::Construct(c) => {
                for n in 0..c.nests.len() {
                    let mut c = c.clone();
                    c.nests.remove(n);
                    if !c.nests.is_empty() {
                        all.push(replaced(vec![Step::Construct(c)]));
                    }
                }
                if c.queue.is_some() || c.on_device.is_some() {
                    let plain = Construct {
                        queue: None,
                        on_device: None,
                        ..c.clone()
                    };
                    all.push(replaced(vec![Step::Construct(plain)]));
                }
            }
            Step::Region {
                arrays,
                is_structured,
                choice,
                body,
            } => {
                all.push(replaced(body.clone()));
                for body in less(body) {
                    all.push(replaced(vec![Step::Region {
                        arrays: arrays.clone(),
                        is_structured: *is_structured,
                        choice: *choice,
                        body,
                    }]));
                }
            }
        }
    }
    all
}
