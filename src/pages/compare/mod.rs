//! Compares what programs got back from their devices: records (runtime-headers/host/watch_record.hpp), event by event and with bounded
//! memory, so that programs can run side by side.

pub mod command;
mod elements;
mod record;
mod report;
pub mod run;
mod statement;

use std::io::{self, Read};

use elements::{Tolerance, Type};
use record::{Event, Transfer};
pub use record::{Record, is_record};
use report::{Divergence, Found};

/// Bytes of a transfer that are read at a time.
const CHUNK: usize = 1 << 16;

/// What is compared: the first is the one that the others are held against.
pub struct ComparedRun<R> {
    /// Such as `cpu, seed 2`.
    pub name: String,
    pub record: Record<R>,
}

/// What came of a comparison.
#[derive(Debug, Default)]
pub struct Outcome {
    /// What is said of the first difference of each party that has one.
    pub differences: Vec<String>,
    /// Transfers and elements that were compared, with each of the others.
    pub transfers: u64,
    pub elements: u64,
}

/// Reads the records to their ends, or until all but the first have parted from it; `parted` is told which one has.
///
/// # Errors
/// What the system says of a record that cannot be read, or that is none.
pub fn compare<R: Read>(
    parties: &mut [ComparedRun<R>],
    ulps: Option<u64>,
    mut parted: impl FnMut(usize),
) -> io::Result<Outcome> {
    let tolerance = Tolerance(ulps);
    let mut outcome = Outcome::default();
    let Some((first, others)) = parties.split_first_mut() else {
        return Ok(outcome);
    };
    // The others that go the same way up to now, by their number.
    let mut together: Vec<usize> = (0..others.len()).collect();
    while !together.is_empty() {
        let event = first.record.event()?;
        let mut same = Vec::new();
        for &i in &together {
            let other = others[i].record.event()?;
            match agree(&event, &other) {
                true => same.push((i, other)),
                false => {
                    let way = Divergence {
                        names: [&first.name, &others[i].name],
                        events: [&event, &other],
                        records: [first.record.last_launch(), others[i].record.last_launch()],
                    };
                    outcome.differences.push(way.text());
                    parted(i);
                }
            }
        }
        together = same.iter().map(|(i, _)| *i).collect();
        let Event::Transfer(transfer) = &event else {
            if matches!(event, Event::End { .. }) {
                break;
            }
            continue;
        };
        outcome.transfers += 1;
        let found = elements_of(transfer, first, others, &together, tolerance, &mut outcome)?;
        for (i, found) in found {
            outcome.differences.push(found);
            together.retain(|&t| t != i);
            parted(i);
        }
    }
    Ok(outcome)
}

/// Both programs did the same, as far as the data does not matter.
fn agree(a: &Event, b: &Event) -> bool {
    match (a, b) {
        (Event::Launch(a), Event::Launch(b)) => a.name == b.name && same_line(&a.place, &b.place),
        (Event::Transfer(a), Event::Transfer(b)) => {
            a.what == b.what
                && a.type_name == b.type_name
                && a.extents == b.extents
                && same_line(&a.place, &b.place)
        }
        (Event::End { whole: a }, Event::End { whole: b }) => a == b,
        _ => false,
    }
}

/// The programs may have been built in different folders.
fn same_line(a: &str, b: &str) -> bool {
    let name = |place: &str| place.rsplit('/').next().map(str::to_owned);
    name(a) == name(b)
}

/// Compares the elements of a transfer with those of the others; of each one that has another value what is said of it.
fn elements_of<R: Read>(
    transfer: &Transfer,
    first: &mut ComparedRun<R>,
    others: &mut [ComparedRun<R>],
    together: &[usize],
    tolerance: Tolerance,
    outcome: &mut Outcome,
) -> io::Result<Vec<(usize, String)>> {
    let kind = Type::of(&transfer.type_name, transfer.element_bytes());
    let length = kind.length();
    let mut found: Vec<(usize, Found)> = Vec::new();
    let (mut left, mut done) = (transfer.bytes, 0_u64);
    let whole = (CHUNK / length).max(1) * length;
    let (mut own, mut theirs) = (vec![0; whole], vec![0; whole]);
    while left > 0 {
        let now = usize::try_from(left).unwrap_or(whole).min(whole);
        first.record.read(&mut own[..now])?;
        for &i in together {
            others[i].record.read(&mut theirs[..now])?;
            if own[..now] == theirs[..now] {
                continue;
            }
            for (k, (a, b)) in (own[..now].chunks(length))
                .zip(theirs[..now].chunks(length))
                .enumerate()
            {
                if kind.equal(a, b, tolerance) {
                    continue;
                }
                match found.iter_mut().find(|(of, _)| *of == i) {
                    Some((_, f)) => f.add(kind, a, b),
                    None => found.push((i, Found::new(done + k as u64, kind, a, b))),
                }
            }
        }
        done += (now / length) as u64;
        left -= now as u64;
    }
    outcome.elements += done;
    let text = |(i, f): (usize, Found)| {
        let names = [first.name.as_str(), &others[i].name];
        let launches = [first.record.last_launch(), others[i].record.last_launch()];
        (i, f.text(transfer, names, launches, outcome.transfers))
    };
    Ok(found.into_iter().map(text).collect())
}
