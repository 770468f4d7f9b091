//! The text of programs: lines with the node that each belongs to, in free and fixed form.

use crate::program::Program;
use crate::random::Random;
use crate::tree::{Node, Side, chosen};

/// Files of a batch, each of which uses modules of those before it; one is in fixed form.
pub const FILES: [&str; 3] = ["net2.cuf", "net1.f", "net0.cuf"];
const FIXED: usize = 1;

/// The name of a file of a program; main programs have one of their own.
pub fn name(file: usize, seed: u64) -> String {
    match FILES.get(file) {
        Some(name) => (*name).to_owned(),
        None => format!("net_p{seed}.cuf"),
    }
}

/// A line of a file and the node that it is of: the unit, then the way below it.
#[derive(Clone, Debug)]
pub struct Line {
    pub text: String,
    pub node: Vec<usize>,
}

/// The lines of each file, or of the plain program as the first.
pub fn print(program: &Program, side: Side) -> Vec<Vec<Line>> {
    let mut files = vec![Vec::new(); FILES.len() + 1];
    for (number, unit) in program.units.iter().enumerate() {
        let file = if side == Side::Plain { 0 } else { unit.file };
        let mut lines = Vec::new();
        walk(&unit.node, &mut vec![number], 0, side, &mut lines);
        let mut r = Random::new(program.seed ^ number as u64);
        if side == Side::Device {
            lines = match file {
                FIXED => lines.into_iter().flat_map(fixed).collect(),
                _ => lines.into_iter().flat_map(|l| free(l, &mut r)).collect(),
            };
        }
        files[file].extend(lines);
    }
    files
}

fn walk(node: &Node, at: &mut Vec<usize>, depth: usize, side: Side, out: &mut Vec<Line>) {
    let mut put = |text: &str, at: &[usize]| {
        for part in chosen(text, side).lines().filter(|l| !l.is_empty()) {
            out.push(Line {
                text: format!("{}{part}", "  ".repeat(depth)),
                node: at.to_vec(),
            });
        }
    };
    match node {
        Node::Line(text) => put(text, at),
        Node::Block { head, body, end } => {
            put(head, at);
            for (n, below) in body.iter().enumerate() {
                at.push(n);
                walk(below, at, depth + 1, side, out);
                at.pop();
            }
            let mut put = |text: &str| {
                out.push(Line {
                    text: format!("{}{text}", "  ".repeat(depth)),
                    node: at.clone(),
                })
            };
            if !end.is_empty() {
                put(end);
            }
        }
    }
}

/// Breaks some lines at blanks outside of texts.
fn free(line: Line, r: &mut Random) -> Vec<Line> {
    let long = line.text.len() > 110;
    if line.text.contains("!$") || line.text.contains('\'') || !(long || r.chance(8)) {
        return vec![line];
    }
    let text = line.text.trim_start();
    let indent = " ".repeat(line.text.len() - text.len());
    let middle = text.len() / 2;
    let Some(cut) = text[middle..].find(", ").map(|c| middle + c + 1) else {
        return vec![line];
    };
    let with = |text: String| Line {
        text,
        node: line.node.clone(),
    };
    let lead = r.pick(&["&", ""]);
    vec![
        with(format!("{indent}{} &", &text[..cut])),
        with(format!("{indent}    {lead}{}", &text[cut..])),
    ]
}

/// Columns 7 to 72.
fn fixed(line: Line) -> Vec<Line> {
    let text = line.text.trim_start();
    let with = |text: String| Line {
        text,
        node: line.node.clone(),
    };
    let mut out = Vec::new();
    let (lead, next) = match text.get(..5) {
        Some("!$cuf" | "!$omp") => (text[..5].to_owned() + " ", format!("{}&", &text[..5])),
        _ => ("      ".to_owned(), "     &".to_owned()),
    };
    let mut rest = if lead.starts_with('!') {
        text[5..].trim_start()
    } else {
        text
    };
    let mut first = true;
    while !rest.is_empty() {
        let cut = rest.len().min(66);
        let start = if first { &lead } else { &next };
        out.push(with(format!("{start}{}", &rest[..cut])));
        rest = &rest[cut..];
        first = false;
    }
    out
}

/// The program without a node, given by its unit and the way below it.
pub fn without(program: &Program, node: &[usize]) -> Option<Program> {
    let (unit, below) = node.split_first()?;
    let mut smaller = program.clone();
    if below.is_empty() {
        smaller.units.remove(*unit);
        return Some(smaller);
    }
    let Node::Block { body, .. } = &mut smaller.units.get_mut(*unit)?.node else {
        return None;
    };
    *body = crate::tree::without(body, below, false)?;
    // An empty construct is left out whole, a unit is not.
    Some(smaller)
}

/// The body of a node.
pub fn body<'a>(program: &'a Program, node: &[usize]) -> Option<&'a [Node]> {
    let (unit, below) = node.split_first()?;
    let mut at = &program.units.get(*unit)?.node;
    for n in below {
        let Node::Block { body, .. } = at else {
            return None;
        };
        at = body.get(*n)?;
    }
    match at {
        Node::Block { body, .. } => Some(body),
        Node::Line(_) => None,
    }
}
