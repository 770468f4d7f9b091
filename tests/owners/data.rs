//! Random statements about intrinsic data: transfers between host and device, allocation, components.

use crate::places::Data;
use crate::program::Generator;
use crate::tree::{Node, guarded, line};
use crate::types::Space;

/// Operands of one assignment: device data stands alone on the right-hand side.
impl Generator {
    pub fn data_statement(&mut self, data: &[Data]) -> Option<(Vec<Node>, String)> {
        let writable: Vec<&Data> = data.iter().filter(|d| d.writable).collect();
        if writable.is_empty() {
            return None;
        }
        let to = self.r.pick(&writable).clone();
        let name = &to.text;
        let k = self.r.between(1, 99);
        let mut guards = to.guards.clone();
        let statement = match self.r.below(12) {
            0 | 1 if to.allocatable() => {
                guards.push(format!(".not. allocated({name})"));
                let low = self.r.pick(&[1, 1, 0, -1]);
                let high = low + self.r.between(-1, 2);
                let shape = match to.rank {
                    0 => String::new(),
                    1 => format!("({low}:{high})"),
                    _ => format!("({low}:{high}, 2)"),
                };
                let fill = line(format!("{name} = {k}"));
                let statements = vec![line(format!("allocate({name}{shape})")), fill];
                return Some((guarded(&guards, statements), to.root));
            }
            2 if to.allocatable() && to.rank == 1 => {
                format!("{name} = [{k}, {}, {}]", k + 1, k + 2)
            }
            3 => {
                guards = to.value_guards();
                format!("{name} = {k}")
            }
            4 if to.rank == 1 => {
                guards = to.value_guards();
                guards.push(format!("size({name}) > 0"));
                let end = self.r.pick(&["lbound", "ubound"]);
                format!("{name}({end}({name}, 1)) = {k}")
            }
            5 if to.rank == 1 && to.space != Space::Device => {
                guards = to.value_guards();
                format!("{name} = {name} + {k}")
            }
            6 if to.rank == 1 => {
                // Sections of two elements.
                let from = self.other(data, &to, |d| d.rank == 1)?;
                guards = to.value_guards();
                guards.push(format!("size({name}) >= 2"));
                guards.extend(from.value_guards());
                guards.push(format!("size({}) >= 2", from.text));
                let section = |d: &str, reversed: bool| {
                    let low = format!("lbound({d}, 1)");
                    if reversed {
                        format!("{d}({low} + 1:{low}:-1)")
                    } else {
                        format!("{d}({low}:{low} + 1)")
                    }
                };
                let (a, b) = (self.r.chance(30), self.r.chance(30));
                format!("{} = {}", section(name, a), section(&from.text, b))
            }
            7 => {
                let from = self.other(data, &to, |d| d.rank == to.rank && d.allocatable())?;
                guards.extend(from.value_guards());
                if !to.allocatable() {
                    guards.push(format!("all(shape({}) == shape({name}))", from.text));
                } else {
                    guards.push(format!(".not. allocated({name})"));
                    let word = self.r.pick(&["source", "mold"]);
                    let fill = if word == "mold" {
                        vec![line(format!("{name} = {k}"))]
                    } else {
                        Vec::new()
                    };
                    let mut lines = vec![line(format!("allocate({name}, {word}={})", from.text))];
                    lines.extend(fill);
                    return Some((guarded(&guards, lines), to.root));
                }
                format!("{name} = {}", from.text)
            }
            _ => {
                let from = self.other(data, &to, |d| d.rank == to.rank)?;
                guards.extend(from.value_guards());
                if !to.allocatable() && to.rank > 0 {
                    guards.push(format!("all(shape({}) == shape({name}))", from.text));
                }
                format!("{name} = {}", from.text)
            }
        };
        Some((guarded(&guards, vec![line(statement)]), to.root))
    }

    fn other(&mut self, data: &[Data], to: &Data, wanted: impl Fn(&Data) -> bool) -> Option<Data> {
        let all: Vec<&Data> = data
            .iter()
            .filter(|d| d.text != to.text && wanted(d))
            .collect();
        (!all.is_empty()).then(|| self.r.pick(&all).clone())
    }
}
