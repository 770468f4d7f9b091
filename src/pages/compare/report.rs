//! What is said of a difference.

use super::elements::Type;
use super::record::{Event, Launch, Transfer};
use super::statement;

/// Elements of a transfer that differ.
#[derive(Debug)]
pub struct Found {
    /// The first of them, from 0.
    at: u64,
    kind: Type,
    first: [Vec<u8>; 2],
    count: u64,
    /// The largest distance of reals.
    farthest: Option<u64>,
}

impl Found {
    pub fn new(at: u64, kind: Type, a: &[u8], b: &[u8]) -> Found {
        Found {
            at,
            kind,
            first: [a.to_vec(), b.to_vec()],
            count: 1,
            farthest: kind.distance(a, b),
        }
    }

    /// One more.
    pub fn add(&mut self, kind: Type, a: &[u8], b: &[u8]) {
        self.count += 1;
        self.farthest = self.farthest.max(kind.distance(a, b));
    }

    pub fn text(
        &self,
        transfer: &Transfer,
        names: [&str; 2],
        launches: [Option<&Launch>; 2],
        number: u64,
    ) -> String {
        let width = names[0].len().max(names[1].len());
        let mut out = format!(
            "{} and {} differ: {}, {}\n",
            names[0],
            names[1],
            self.element(transfer),
            transfer.type_name
        );
        out += &shown("", &transfer.place);
        for (name, value) in names.iter().zip(&self.first) {
            out += &format!("    {name:width$}  {}\n", self.kind.show(value));
        }
        let apart = self.kind.distance(&self.first[0], &self.first[1]);
        if let Some(apart) = apart {
            out += &format!("    {apart} units in the last place apart\n");
        }
        if let Some(launch) = launches[0] {
            out += &shown(
                &format!("after the launch of {}, ", launch.name),
                &launch.place,
            );
        }
        let all = transfer.extents.iter().product::<u64>();
        let most = match self.farthest.filter(|_| self.count > 1) {
            Some(n) => format!(", by at most {n} units in the last place"),
            None => String::new(),
        };
        out += &format!(
            "  {} of {all} elements differ{most}; transfers that agreed before: {}",
            self.count,
            number - 1
        );
        out
    }

    /// `h(3,5)`.
    fn element(&self, transfer: &Transfer) -> String {
        let mut rest = self.at;
        let subscripts: Vec<String> = (transfer.extents.iter())
            .map(|&n| {
                let n = n.max(1);
                let i = rest % n;
                rest /= n;
                (i + 1).to_string()
            })
            .collect();
        let subscripts = subscripts.join(",");
        let written = statement::at(&transfer.place);
        let target = written.as_ref().and_then(|s| match transfer.what.as_str() {
            "managed data" => None,
            what => s.target(what == "copy"),
        });
        match (transfer.what.as_str(), target, subscripts.is_empty()) {
            ("managed data", ..) => {
                let allocated = transfer.allocated.as_deref().unwrap_or_default();
                let what = match allocated.strip_prefix("variable ") {
                    Some(name) => format!("the managed variable {name}, counted from 1"),
                    None => format!("managed data allocated at {}", statement::told(allocated)),
                };
                match subscripts.is_empty() {
                    true => what.trim_end_matches(", counted from 1").to_owned(),
                    false => format!("element ({subscripts}) of {what}"),
                }
            }
            ("result", None, true) => "a result".to_owned(),
            ("result", None, false) => format!("element ({subscripts}) of a result"),
            (_, Some(name), true) => name.to_owned(),
            (_, Some(name), false) if !name.contains(['(', '%']) => {
                format!("{name}({subscripts}), counted from 1")
            }
            (_, Some(name), false) => format!("element ({subscripts}) of {name}, counted from 1"),
            (_, None, true) => "a value".to_owned(),
            (_, None, false) => format!("element ({subscripts}), counted from 1"),
        }
    }
}

/// Two programs that do different things.
pub struct Divergence<'a> {
    pub names: [&'a str; 2],
    pub events: [&'a Event; 2],
    /// The last launches of both.
    pub records: [Option<&'a Launch>; 2],
}

impl Divergence<'_> {
    pub fn text(&self) -> String {
        let mut out = format!(
            "execution diverges between {} and {}\n",
            self.names[0], self.names[1]
        );
        for i in 0..2 {
            let (what, place) = match self.events[i] {
                Event::Launch(l) => (format!("launches {}", l.name), Some(&l.place)),
                Event::Transfer(t) => (format!("has {}", described(t)), Some(&t.place)),
                Event::End { whole: true } => ("comes to its end".to_owned(), None),
                Event::End { whole: false } => {
                    ("terminates before the end of the program".to_owned(), None)
                }
            };
            out += &match place {
                Some(place) => shown(&format!("{} {what}, ", self.names[i]), place),
                None => format!("  {} {what}\n", self.names[i]),
            };
            if place.is_none()
                && let Some(l) = self.records[i]
            {
                out += &shown(&format!("  its last launch was {}, ", l.name), &l.place);
            }
        }
        out.truncate(out.trim_end().len());
        out
    }
}

fn described(t: &Transfer) -> String {
    let extents: Vec<String> = t.extents.iter().map(u64::to_string).collect();
    let shape = match extents.is_empty() {
        true => String::new(),
        false => format!(" ({})", extents.join(",")),
    };
    format!(
        "{} of {}{shape}",
        match t.what.as_str() {
            "assignment" => "an assignment",
            "copy" => "a copy",
            "result" => "a result",
            other => other,
        },
        t.type_name
    )
}

/// A line with a place and the statement there.
fn shown(before: &str, place: &str) -> String {
    let statement = statement::at(place)
        .map(|s| format!(": {}", s.text))
        .unwrap_or_default();
    format!("  {before}{}{statement}\n", statement::told(place))
}
