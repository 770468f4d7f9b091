//! The call graph as a picture: from host procedures by kernels and CUF loops to device procedures, in layers from left to right.

use std::collections::{BTreeMap, BTreeSet};

use askama::Template;

use crate::program_info::{Facts, Place, Runs};

const ROW: usize = 34;
const GAP: usize = 90;
const MARGIN: usize = 16;
/// Width of a character, in tenths.
const LETTER: usize = 72;
/// Characters of a name that are shown.
const LONGEST: usize = 34;

#[derive(Template)]
#[template(path = "view/graph.svg")]
struct Picture {
    width: usize,
    height: usize,
    nodes: Vec<Drawn>,
    edges: Vec<Edge>,
}

struct Drawn {
    number: usize,
    label: String,
    title: String,
    class: &'static str,
    /// `heat.cuf:8`
    place: String,
    x: usize,
    y: usize,
    width: usize,
}

struct Edge {
    from: usize,
    to: usize,
    class: &'static str,
    path: String,
}

struct Node<'a> {
    label: String,
    title: &'a str,
    class: &'static str,
    place: &'a Place,
    layer: usize,
}

/// The picture, with links to `name_of` the files; None if the program has no device code.
pub fn picture(facts: &[Facts], name_of: &dyn Fn(&str) -> String) -> Option<String> {
    let (nodes, edges) = program(facts);
    if !nodes.iter().any(|n| n.class != "host") {
        return None;
    }
    let order = arranged(&nodes, &edges);
    let widths: Vec<usize> = (order.iter())
        .map(|layer| {
            let longest = layer.iter().map(|n| nodes[*n].label.chars().count()).max();
            longest.unwrap_or(0) * LETTER / 10 + 20
        })
        .collect();
    let rows = order.iter().map(Vec::len).max().unwrap_or(0);
    let mut at = vec![(0, 0); nodes.len()];
    let mut x = MARGIN;
    for (layer, width) in order.iter().zip(&widths) {
        let free = (rows - layer.len()) * ROW / 2;
        for (row, n) in layer.iter().enumerate() {
            at[*n] = (x, MARGIN + free + row * ROW);
        }
        x += width + GAP;
    }
    let drawn = nodes.iter().enumerate().map(|(number, n)| Drawn {
        number,
        label: n.label.clone(),
        title: n.title.to_owned(),
        class: n.class,
        place: format!("{}:{}", name_of(&n.place.file), n.place.line),
        x: at[number].0,
        y: at[number].1,
        width: n.label.chars().count() * LETTER / 10 + 20,
    });
    let drawn: Vec<Drawn> = drawn.collect();
    let lines = edges.iter().map(|(from, to, class)| Edge {
        from: *from,
        to: *to,
        class,
        path: path(&drawn[*from], &drawn[*to]),
    });
    let picture = Picture {
        width: x.saturating_sub(GAP) + MARGIN,
        height: rows * ROW + 2 * MARGIN,
        edges: lines.collect(),
        nodes: drawn,
    };
    picture.render().ok()
}

/// A curve from the right side of a node to the left side of another, or around the right side to one of the same or an earlier layer.
fn path(from: &Drawn, to: &Drawn) -> String {
    let (x1, y1) = (from.x + from.width, from.y + 12);
    let (x2, y2) = (to.x, to.y + 12);
    if x2 > x1 {
        let bend = (x2 - x1) / 2;
        return format!("M{x1} {y1}C{} {y1} {} {y2} {x2} {y2}", x1 + bend, x2 - bend);
    }
    let end = to.x + to.width;
    let out = x1.max(end) + 30;
    format!("M{x1} {y1}C{out} {y1} {out} {y2} {end} {y2}")
}

type Edges = BTreeSet<(usize, usize, &'static str)>;

/// The procedures that lead to device code, and their calls.
fn program(facts: &[Facts]) -> (Vec<Node<'_>>, Edges) {
    let mut all: BTreeMap<&str, (&'static str, &Place)> = BTreeMap::new();
    for f in facts {
        for p in &f.procedures {
            let class = match p.runs {
                Runs::Kernel | Runs::GridKernel => "kernel",
                Runs::Device | Runs::HostDevice => "device",
                Runs::Host => "host",
            };
            all.entry(&p.id).or_insert((class, &p.place));
        }
        for l in &f.loops {
            all.entry(&l.id).or_insert(("loop", &l.place));
        }
    }
    let launches = facts.iter().flat_map(|f| &f.launches);
    let launches = launches.map(|l| (&*l.from, &*l.kernel, "launch"));
    let calls = facts.iter().flat_map(|f| &f.calls);
    let calls = calls.map(|c| (&*c.from, &*c.to, "call"));
    let pairs: BTreeSet<(&str, &str, &'static str)> = (launches.chain(calls))
        .filter(|(from, to, _)| all.contains_key(from) && all.contains_key(to) && from != to)
        .map(|(from, to, class)| (from, to, if all[to].0 == "loop" { "launch" } else { class }))
        .collect();
    // Of the host only what leads to device code.
    let mut shown: BTreeSet<&str> = all
        .iter()
        .filter(|(_, (c, _))| *c != "host")
        .map(|(n, _)| *n)
        .collect();
    loop {
        let leads =
            |(from, to, _): &&(&str, &str, &str)| shown.contains(to) && !shown.contains(from);
        let more: Vec<&str> = pairs.iter().filter(leads).map(|p| p.0).collect();
        if more.is_empty() {
            break;
        }
        shown.extend(more);
    }
    let numbers: BTreeMap<&str, usize> = shown.iter().enumerate().map(|(i, n)| (*n, i)).collect();
    let edges: Edges = (pairs.iter())
        .filter_map(|(from, to, class)| Some((*numbers.get(from)?, *numbers.get(to)?, *class)))
        .collect();
    let mut nodes: Vec<Node<'_>> = (shown.iter())
        .map(|id| {
            let (class, place) = all[id];
            Node {
                label: label(id),
                title: id,
                class,
                place,
                layer: 0,
            }
        })
        .collect();
    layers(&mut nodes, &edges);
    (nodes, edges)
}

/// The last name, shortened.
fn label(id: &str) -> String {
    let name = id.rsplit("::").next().unwrap_or(id);
    let inner = id.rsplit("::").nth(1);
    let name = match (name.strip_prefix("loop at "), inner) {
        (Some(line), Some(inner)) => format!("{inner}:{line}"),
        _ => name.to_owned(),
    };
    match name.chars().count() > LONGEST {
        true => name.chars().take(LONGEST - 1).chain(['…']).collect(),
        false => name,
    }
}

/// Callers stand left of what they call, as far as calls form no circle; all kernels stand right of the host, all device procedures right of them.
fn layers(nodes: &mut [Node<'_>], edges: &Edges) {
    for (of, first) in [("host", false), ("kernel", true), ("device", true)] {
        let belongs = |class: &str| class == of || (of == "kernel" && class == "loop");
        let start = match first {
            true => nodes.iter().map(|n| n.layer).max().map_or(0, |m| m + 1),
            false => 0,
        };
        let start = if nodes.iter().any(|n| n.class == "host") || of != "kernel" {
            start
        } else {
            0
        };
        let own: BTreeSet<usize> = (0..nodes.len())
            .filter(|n| belongs(nodes[*n].class))
            .collect();
        own.iter().for_each(|n| nodes[*n].layer = start);
        // Kernels that launch kernels stay beside them.
        if of == "kernel" {
            continue;
        }
        let inner: Vec<(usize, usize)> = (edges.iter())
            .filter(|(a, b, _)| own.contains(a) && own.contains(b))
            .map(|(a, b, _)| (*a, *b))
            .collect();
        // A circle would go on for ever.
        for _ in 0..own.len().min(12) {
            let mut changed = false;
            for (a, b) in &inner {
                let wanted = nodes[*a].layer + 1;
                let circle = inner.contains(&(*b, *a));
                if nodes[*b].layer < wanted && !circle {
                    nodes[*b].layer = wanted;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
    }
}

/// The nodes of each layer from top to bottom: near those that they are connected to.
fn arranged(nodes: &[Node<'_>], edges: &Edges) -> Vec<Vec<usize>> {
    let last = nodes.iter().map(|n| n.layer).max().unwrap_or(0);
    let mut order: Vec<Vec<usize>> = vec![Vec::new(); last + 1];
    for (i, n) in nodes.iter().enumerate() {
        order[n.layer].push(i);
    }
    order.retain(|l| !l.is_empty());
    let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    for (a, b, _) in edges {
        neighbours[*a].push(*b);
        neighbours[*b].push(*a);
    }
    let mut row = vec![0.0_f64; nodes.len()];
    let place = |order: &[Vec<usize>], row: &mut Vec<f64>| {
        for layer in order {
            for (i, n) in layer.iter().enumerate() {
                row[*n] = (i as f64 + 0.5) / layer.len() as f64;
            }
        }
    };
    place(&order, &mut row);
    for _ in 0..8 {
        for layer in &mut order {
            let middle = |n: &usize| {
                let of = &neighbours[*n];
                match of.is_empty() {
                    true => row[*n],
                    false => of.iter().map(|m| row[*m]).sum::<f64>() / of.len() as f64,
                }
            };
            let mut keyed: Vec<(f64, usize)> = layer.iter().map(|n| (middle(n), *n)).collect();
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            *layer = keyed.into_iter().map(|k| k.1).collect();
        }
        place(&order, &mut row);
    }
    order
}
