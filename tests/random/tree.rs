//! The text of a program as a tree, so that the reducer can take parts of it away.

#![allow(dead_code, reason = "each test uses a part of this")]

/// For which compiler a program is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// CUDA Fortran.
    Device,
    /// The same program without the attributes of the data.
    Plain,
}

/// A statement, or a construct or program unit with its body. `{D}`, `{M}` and `{P}` stand for the attributes of device,
/// managed and pinned data, `{U}` for the use of `cudafor`, `{{a||b}}` for `a` in CUDA Fortran and `b` in the plain program:
/// the same in words that gfortran 12 gets right. A line without text is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    Line(String),
    Block {
        head: String,
        body: Vec<Node>,
        /// Empty if the construct has no END statement of its own (CASE, TYPE IS).
        end: String,
    },
}

/// A statement.
pub fn line(text: impl Into<String>) -> Node {
    Node::Line(text.into())
}

/// A construct.
pub fn block(head: impl Into<String>, body: Vec<Node>, end: impl Into<String>) -> Node {
    Node::Block {
        head: head.into(),
        body,
        end: end.into(),
    }
}

/// Statements that are executed if all the conditions hold, each of which may be evaluated if those before it hold.
pub fn guarded(guards: &[String], body: Vec<Node>) -> Vec<Node> {
    let mut seen: Vec<&String> = Vec::new();
    for guard in guards {
        if !seen.contains(&guard) {
            seen.push(guard);
        }
    }
    let wrap = |body, guard: &&String| vec![block(format!("if ({guard}) then"), body, "end if")];
    seen.iter().rev().fold(body, wrap)
}

/// `device`, in the plain program `plain`.
pub fn either(device: &str, plain: &str) -> String {
    format!("{{{{{device}||{plain}}}}}")
}

/// The text with one choice of each pair.
pub fn chosen(text: &str, side: Side) -> String {
    let Some(start) = text.rfind("{{") else {
        return text.to_owned();
    };
    let rest = &text[start + 2..];
    let (Some(middle), Some(end)) = (rest.find("||"), rest.find("}}")) else {
        return text.to_owned();
    };
    let choice = match side {
        Side::Device => &rest[..middle],
        Side::Plain => &rest[middle + 2..end],
    };
    let text = format!("{}{choice}{}", &text[..start], &rest[end + 2..]);
    chosen(&text, side)
}

fn print_line(text: &str, depth: usize, side: Side, out: &mut String) {
    let text = &chosen(text, side);
    if text.is_empty() {
        return;
    }
    out.push_str(&"  ".repeat(depth));
    out.push_str(&marked(text, side));
    out.push('\n');
}

/// The text with the attributes that its marks stand for.
pub fn marked(text: &str, side: Side) -> String {
    let attributes = [
        ("{D}", ", device"),
        ("{M}", ", managed"),
        ("{P}", ", pinned"),
        ("{U}", "use cudafor"),
    ];
    let mut text = text.to_owned();
    for (mark, word) in attributes {
        text = text.replace(mark, if side == Side::Device { word } else { "" });
    }
    text
}

/// Prints nodes.
pub fn print(nodes: &[Node], depth: usize, side: Side, out: &mut String) {
    for node in nodes {
        match node {
            Node::Line(text) => print_line(text, depth, side, out),
            Node::Block { head, body, end } => {
                print_line(head, depth, side, out);
                print(body, depth + 1, side, out);
                print_line(end, depth, side, out);
            }
        }
    }
}

/// Number of lines.
pub fn size(nodes: &[Node]) -> usize {
    let each = nodes.iter().map(|n| match n {
        Node::Line(_) => 1,
        Node::Block { body, end, .. } => 1 + usize::from(!end.is_empty()) + size(body),
    });
    each.sum()
}

/// Places of nodes: the way from the root, as indices.
pub fn places(nodes: &[Node]) -> Vec<Vec<usize>> {
    let mut all = Vec::new();
    for (index, node) in nodes.iter().enumerate() {
        all.push(vec![index]);
        if let Node::Block { body, .. } = node {
            for mut below in places(body) {
                below.insert(0, index);
                all.push(below);
            }
        }
    }
    all
}

/// The nodes without the one at `place`, or with its body in its stead.
pub fn without(nodes: &[Node], place: &[usize], keep_body: bool) -> Option<Vec<Node>> {
    let (first, rest) = place.split_first()?;
    let mut nodes = nodes.to_vec();
    if rest.is_empty() {
        let Node::Block { body, .. } = nodes.get(*first)? else {
            nodes.remove(*first);
            return (!keep_body).then_some(nodes);
        };
        let body = if keep_body { body.clone() } else { Vec::new() };
        nodes.splice(*first..=*first, body);
        return Some(nodes);
    }
    match nodes.get_mut(*first)? {
        Node::Line(_) => None,
        Node::Block { body, .. } => {
            *body = without(body, rest, keep_body)?;
            Some(nodes)
        }
    }
}

/// The nodes with halves and quarters of the body of the construct at `place` taken away.
pub fn halves(nodes: &[Node], place: &[usize]) -> Vec<Vec<Node>> {
    let Some((first, rest)) = place.split_first() else {
        return Vec::new();
    };
    let Some(Node::Block { head, body, end }) = nodes.get(*first) else {
        return Vec::new();
    };
    let bodies = if rest.is_empty() {
        let cut = |parts: usize| {
            let length = body.len().div_ceil(parts);
            (0..parts).filter_map(move |i| {
                let (from, to) = (
                    (i * length).min(body.len()),
                    ((i + 1) * length).min(body.len()),
                );
                (length > 1 && from < to).then(|| [&body[..from], &body[to..]].concat())
            })
        };
        cut(2).chain(cut(4)).collect()
    } else {
        halves(body, rest)
    };
    let with = |body: Vec<Node>| {
        let mut nodes = nodes.to_vec();
        nodes[*first] = block(head.clone(), body, end.clone());
        nodes
    };
    bodies.into_iter().map(with).collect()
}
