//! A text as a tree: conditionals of the preprocessor, blocks in braces, statements.

use crate::source::condition::{Condition, Directive};

/// How the lines of a text make statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    Fortran,
    /// Each line is one.
    FixedFortran,
    Cpp,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Node<'t> {
    /// A statement, a comment, an empty line.
    Lines(Vec<&'t str>),
    Group(Group<'t>),
}

/// Sections with what stands before each of them and behind the last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group<'t> {
    pub heads: Vec<Vec<&'t str>>,
    pub sections: Vec<Vec<Node<'t>>>,
    pub tail: Vec<&'t str>,
    /// Of a conditional: when its sections are read. None: it is a block.
    pub conditions: Option<Vec<Condition>>,
}

/// Nesting that no program has.
const MAX_DEPTH: usize = 200;

/// What decides conditions.
pub(super) type Known<'a> = &'a dyn Fn(&Condition) -> Option<bool>;

/// The lines of a text, without what ends them.
pub(super) fn lines(text: &str) -> Vec<&str> {
    text.split_terminator('\n').collect()
}

/// The tree of lines; None: conditionals do not fit together.
pub(super) fn parse<'t>(lines: &[&'t str], language: Language) -> Option<Vec<Node<'t>>> {
    let mut open: Vec<Group<'t>> = Vec::new();
    let mut now: Vec<Node<'t>> = Vec::new();
    let mut run: Vec<&'t str> = Vec::new();
    let mut at = 0;
    let finish = |run: &mut Vec<&'t str>, now: &mut Vec<Node<'t>>| {
        now.extend(statements(run, language).into_iter().map(Node::Lines));
        run.clear();
    };
    while at < lines.len() {
        let first = at;
        at += 1;
        if !lines[first].trim_start().starts_with('#') {
            run.push(lines[first]);
            continue;
        }
        while lines[at - 1].trim_end_matches('\r').ends_with('\\') && at < lines.len() {
            at += 1;
        }
        let all = &lines[first..at];
        let joined = all.iter().map(|l| l.trim_end_matches(['\\', '\r']));
        let Some(directive) = Directive::of(&joined.collect::<Vec<_>>().join(" ")) else {
            finish(&mut run, &mut now);
            now.push(Node::Lines(all.to_vec()));
            continue;
        };
        finish(&mut run, &mut now);
        match directive {
            Directive::Open(_) if open.len() == MAX_DEPTH => return None,
            Directive::Open(condition) => open.push(Group {
                heads: vec![all.to_vec()],
                // What stands before it waits here.
                sections: vec![std::mem::take(&mut now)],
                tail: Vec::new(),
                conditions: Some(vec![condition]),
            }),
            Directive::Middle(condition) => {
                let group = open.last_mut()?;
                group
                    .sections
                    .push(blocks(std::mem::take(&mut now), language));
                group.heads.push(all.to_vec());
                group.conditions.as_mut()?.push(condition);
            }
            Directive::Close => {
                let mut group = open.pop()?;
                group
                    .sections
                    .push(blocks(std::mem::take(&mut now), language));
                now = group.sections.remove(0);
                group.tail = all.to_vec();
                now.push(Node::Group(group));
            }
        }
    }
    finish(&mut run, &mut now);
    open.is_empty().then(|| blocks(now, language))
}

/// Lines without directives as statements.
fn statements<'t>(lines: &[&'t str], language: Language) -> Vec<Vec<&'t str>> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let first = at;
        at += 1;
        match language {
            Language::FixedFortran => {}
            Language::Fortran => {
                while continues(lines[at - 1]) && at < lines.len() {
                    at += 1;
                    // Comments may stand between the lines of a statement.
                    while at < lines.len() && lines[at - 1].trim_start().starts_with('!') {
                        at += 1;
                    }
                }
            }
            Language::Cpp => {
                while at < lines.len() && !is_whole(&lines[first..at], lines[at]) {
                    at += 1;
                }
            }
        }
        out.push(lines[first..at].to_vec());
    }
    out
}

/// The Fortran statement of the line goes on on the next one.
fn continues(line: &str) -> bool {
    if line.trim_start().starts_with('!') && !line.trim_start().starts_with("!$") {
        return false;
    }
    let mut quote = None;
    let mut last = ' ';
    for c in line.trim_start().trim_start_matches('!').chars() {
        match quote {
            Some(q) if q == c => quote = None,
            Some(_) => {}
            None if c == '!' => break,
            None if c == '\'' || c == '"' => quote = Some(c),
            None => {}
        }
        if !c.is_whitespace() {
            last = c;
        }
    }
    last == '&'
}

/// A line of C++ without texts and comments.
fn code_of(line: &str) -> String {
    let mut out = String::new();
    let mut quote = None;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match quote {
            Some(_) if c == '\\' => {
                chars.next();
            }
            Some(q) if q == c => quote = None,
            Some(_) => {}
            None if c == '/' && chars.peek() == Some(&'/') => break,
            // Digits are parted by it, too.
            None if c == '"'
                || c == '\'' && !out.ends_with(|c: char| c.is_ascii_alphanumeric()) =>
            {
                quote = Some(c);
                out.push('"');
            }
            None => out.push(c),
        }
    }
    out.truncate(out.trim_end().len());
    out
}

/// Lines of C++ that `next` does not go on.
fn is_whole(lines: &[&str], next: &str) -> bool {
    let code: Vec<String> = lines.iter().map(|l| code_of(l)).collect();
    let last = code.last().map_or("", String::as_str);
    if code.iter().all(|l| l.trim().is_empty()) || next.trim().is_empty() {
        return true;
    }
    let depth: i32 = (code.iter().flat_map(|l| l.chars()))
        .map(|c| match c {
            '(' | '[' => 1,
            ')' | ']' => -1,
            _ => 0,
        })
        .sum();
    let indent = |l: &str| l.len() - l.trim_start().len();
    let goes_on = next.trim_start().starts_with('{')
        || lines.first().is_some_and(|l| indent(next) > indent(l));
    depth <= 0 && (last.ends_with([';', '{', '}', ':']) || !goes_on && last.ends_with(')'))
}

/// Statements that open and close braces become blocks; where these do not fit together, there are none.
fn blocks<'t>(nodes: Vec<Node<'t>>, language: Language) -> Vec<Node<'t>> {
    if language != Language::Cpp {
        return nodes;
    }
    let shape = |n: &Node<'t>| match n {
        Node::Lines(lines) => {
            let code: Vec<String> = lines.iter().map(|l| code_of(l)).collect();
            let all = code.join(" ");
            let all = all.trim();
            (all.starts_with('}'), all.ends_with('{'))
        }
        Node::Group(_) => (false, false),
    };
    let mut depth = 0i32;
    for n in &nodes {
        let (closes, opens) = shape(n);
        depth -= i32::from(closes);
        if depth < 0 || depth > MAX_DEPTH as i32 {
            return nodes;
        }
        depth += i32::from(opens);
    }
    if depth != 0 {
        return nodes;
    }
    let mut open: Vec<(Group<'t>, Vec<Node<'t>>)> = Vec::new();
    let mut now = Vec::new();
    for n in nodes {
        let (closes, opens) = shape(&n);
        let lines = match (&n, closes || opens) {
            (Node::Lines(lines), true) => lines.clone(),
            _ => {
                now.push(n);
                continue;
            }
        };
        match (closes, open.last_mut()) {
            (true, Some((group, outer))) => {
                group.sections.push(std::mem::take(&mut now));
                if opens {
                    group.heads.push(lines);
                } else {
                    group.tail = lines;
                    now = std::mem::take(outer);
                    if let Some((group, _)) = open.pop() {
                        now.push(Node::Group(group));
                    }
                }
            }
            _ => {
                let group = Group {
                    heads: vec![lines],
                    sections: Vec::new(),
                    tail: Vec::new(),
                    conditions: None,
                };
                open.push((group, std::mem::take(&mut now)));
            }
        }
    }
    now
}

impl<'t> Group<'t> {
    /// For each section whether it is read, as far as this is decided.
    pub fn read(&self, known: Known<'_>) -> Vec<Option<bool>> {
        let Some(conditions) = &self.conditions else {
            return vec![None; self.sections.len()];
        };
        // One before it is read.
        let mut earlier = Some(false);
        conditions
            .iter()
            .map(|c| {
                let value = c.value(known);
                let read = match (earlier, value) {
                    (Some(true), _) | (_, Some(false)) => Some(false),
                    (Some(false), value) => value,
                    (None, _) => None,
                };
                earlier = match (earlier, value) {
                    (Some(true), _) | (_, Some(true)) => Some(true),
                    (Some(false), Some(false)) => Some(false),
                    _ => None,
                };
                read
            })
            .collect()
    }

    /// What is known decides which section is read.
    pub fn is_decided(&self, known: Known<'_>) -> bool {
        self.conditions.is_some() && self.read(known).iter().all(Option::is_some)
    }

    /// Its lines.
    pub fn lines(&self) -> Vec<&'t str> {
        let mut out = Vec::new();
        for (head, section) in self.heads.iter().zip(&self.sections) {
            out.extend(head);
            out.extend(flat(section));
        }
        out.extend(&self.tail);
        out
    }
}

/// The lines of nodes.
pub(super) fn flat<'t>(nodes: &[Node<'t>]) -> Vec<&'t str> {
    let mut out = Vec::new();
    for n in nodes {
        match n {
            Node::Lines(lines) => out.extend(lines),
            Node::Group(g) => out.extend(g.lines()),
        }
    }
    out
}

/// What is left of nodes when what is known has been decided: no conditional about it, and no lines that are not read. Conditionals in which
/// nothing is left go, too.
pub(super) fn resolved<'t>(nodes: &[Node<'t>], known: Known<'_>) -> Vec<Node<'t>> {
    let mut out = Vec::new();
    for n in nodes {
        let Node::Group(g) = n else {
            out.push(n.clone());
            continue;
        };
        let read = g.read(known);
        if g.is_decided(known) {
            let chosen = g.sections.iter().zip(&read);
            let chosen = chosen.filter(|(_, r)| **r == Some(true));
            chosen.for_each(|(s, _)| out.extend(resolved(s, known)));
            continue;
        }
        let sections = g.sections.iter().zip(&read).map(|(s, r)| match r {
            Some(false) => Vec::new(),
            _ => resolved(s, known),
        });
        let left = Group {
            sections: sections.collect(),
            ..g.clone()
        };
        let some_dead = read.contains(&Some(false));
        let is_empty = |s: &Vec<Node<'_>>| flat(s).iter().all(|l| l.trim().is_empty());
        if !(some_dead && left.sections.iter().all(is_empty)) {
            out.push(Node::Group(left));
        }
    }
    out
}

/// The nodes without checks that what is known answers: conditionals with nothing but errors of cuf2cu's.
pub(super) fn unchecked<'t>(nodes: &[Node<'t>], known: Known<'_>) -> Vec<Node<'t>> {
    let mut out = Vec::new();
    for n in nodes {
        match n {
            Node::Group(g) => {
                let inside = flat(&g.sections.concat());
                let mut inside = inside.iter().peekable();
                let is_check =
                    inside.peek().is_some() && inside.all(|l| l.starts_with("#error \"cuf2cu:"));
                let answered =
                    |(s, r): (&Vec<Node<'_>>, Option<bool>)| s.is_empty() || r == Some(false);
                let all_answered = g.sections.iter().zip(g.read(known)).all(answered);
                if g.conditions.is_some() && is_check && all_answered {
                    continue;
                }
                let sections = g.sections.iter().map(|s| unchecked(s, known));
                let sections: Vec<_> = sections.collect();
                let is_empty = |s: &Vec<Node<'_>>| flat(s).iter().all(|l| l.trim().is_empty());
                // Conditionals about nothing but such checks.
                let was_empty = g.sections.iter().all(is_empty);
                if g.conditions.is_some() && !was_empty && sections.iter().all(is_empty) {
                    continue;
                }
                out.push(Node::Group(Group {
                    sections,
                    ..g.clone()
                }));
            }
            Node::Lines(_) => out.push(n.clone()),
        }
    }
    out
}
