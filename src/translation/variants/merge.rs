//! Two texts as one, with conditionals around what differs.

use std::borrow::Cow;
use std::collections::BTreeSet;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::kind::{Kinds, tokens};
use super::tree::{Group, Known, Language, Node, flat, lines, parse, resolved, unchecked};
use crate::source::condition::Condition;
use crate::translate::VariantMacro;

/// A merged text, and where the lines of both have gone.
#[derive(Debug, Default)]
pub(super) struct Merged {
    pub text: String,
    /// For each line of both texts (from 0) its line in the merged one; None: it is a check that is answered, or an empty line.
    pub places: [Vec<Option<usize>>; 2],
    /// There is a conditional about the macro that is in neither of them.
    pub conditional: bool,
    /// The name of the kinds' type is in it, without its definition.
    pub named: bool,
}

/// Lines of the merged text.
#[derive(Debug)]
enum Piece<'t> {
    Common(Cow<'t, str>),
    /// Those with the macro, and those without it.
    Differ(Vec<&'t str>, Vec<&'t str>),
}

/// Both texts as one, of which the first is that with the macro; None: they cannot be had back from it. `kinds` are for C++.
pub(super) fn merge(
    texts: [&str; 2],
    language: Language,
    choice: &VariantMacro,
    kinds: Option<&Kinds>,
) -> Option<Merged> {
    let choice = &in_language(choice, language);
    let [with, without] = [true, false].map(|value| known(choice, value));
    let known: [Known<'_>; 2] = [&with, &without];
    let kinds = kinds.filter(|_| language == Language::Cpp);
    let all = texts.map(lines);
    let [a, b] = [0, 1].map(|side| {
        let tree = parse(&all[side], language)?;
        Some(unchecked(&tree, known[side]))
    });
    let (a, b) = (a?, b?);
    let merger = Merger { known, kinds };
    let pieces = coalesced(merger.section(&a, &b));
    let conditional = pieces.iter().any(|p| matches!(p, Piece::Differ(..)));
    let owned = |p: &Piece<'_>| matches!(p, Piece::Common(Cow::Owned(_)));
    let named = pieces.iter().any(owned);
    let text = render(&pieces, choice, texts[0].contains("\r\n"));
    let proof = Proof {
        language,
        known,
        kinds,
    };
    let places = proof.places(&text, texts, [&a, &b])?;
    Some(Merged {
        text,
        places,
        conditional,
        named,
    })
}

/// The choice as files of the language ask for it.
pub(super) fn in_language(choice: &VariantMacro, language: Language) -> VariantMacro {
    match language {
        Language::Cpp => choice.in_device_code(),
        _ => choice.clone(),
    }
}

/// The directives for text with the macro, and for text without it.
pub(super) fn directives(choice: &VariantMacro) -> [String; 2] {
    if choice.is_number {
        let VariantMacro { name, value, .. } = choice;
        return ["==", "!="].map(|is| format!("#if {name} {is} {value}"));
    }
    let words = match choice.by_value {
        true => ["#if ", "#if !"],
        false => ["#ifdef ", "#ifndef "],
    };
    words.map(|word| format!("{word}{}", choice.name))
}

/// What the choice decides.
pub(super) fn known(
    choice: &VariantMacro,
    value: bool,
) -> impl Fn(&Condition) -> Option<bool> + '_ {
    move |c| match c {
        // Another value is any but this.
        Condition::Equals(name, v) if choice.is_number && *name == choice.name => {
            (value || *v == choice.value).then_some(value == (*v == choice.value))
        }
        _ if choice.is_number => None,
        Condition::Defined(name) | Condition::True(name) if *name == choice.name => Some(value),
        _ => None,
    }
}

/// The proof: what is left of the merged text by either choice is what is left of that choice's text, but for empty lines, and in C++ for
/// the breaks of lines. From it follows where lines have gone.
struct Proof<'a> {
    language: Language,
    known: [Known<'a>; 2],
    kinds: Option<&'a Kinds>,
}

impl Proof<'_> {
    fn places(
        &self,
        text: &str,
        texts: [&str; 2],
        trees: [&[Node<'_>]; 2],
    ) -> Option<[Vec<Option<usize>>; 2]> {
        let all = lines(text);
        let merged = parse(&all, self.language)?;
        let number = numbers(text);
        let mut out = [Vec::new(), Vec::new()];
        for side in [0, 1] {
            let got = self.code(&merged, side);
            let want = self.code(trees[side], side);
            // What is compared, and where it begins.
            let expanded = match self.kinds {
                Some(kinds) => kinds.expanded(&got, side),
                None => got.iter().map(|g| Cow::Borrowed(*g)).enumerate().collect(),
            };
            if !expanded.iter().map(|(_, g)| &**g).eq(want.iter().copied()) {
                return None;
            }
            let number_of = numbers(texts[side]);
            out[side] = vec![None; lines(texts[side]).len()];
            for ((to, _), from) in expanded.iter().zip(&want) {
                let place = out[side].get_mut(number_of(from))?;
                place.get_or_insert(number(got[*to]));
            }
        }
        Some(out)
    }

    fn code<'t>(&self, nodes: &[Node<'t>], side: usize) -> Vec<&'t str> {
        let left = flat(&resolved(nodes, self.known[side]));
        match self.language {
            Language::Cpp => tokens(&left),
            _ => left.into_iter().filter(|l| !l.trim().is_empty()).collect(),
        }
    }
}

/// The line (from 0) of a text that a part of it is on.
fn numbers(text: &str) -> impl Fn(&str) -> usize + '_ {
    let mut starts = vec![0];
    starts.extend(text.match_indices('\n').map(|(at, _)| at + 1));
    move |part| {
        let offset = part.as_ptr() as usize - text.as_ptr() as usize;
        starts.partition_point(|s| *s <= offset) - 1
    }
}

struct Merger<'a> {
    known: [Known<'a>; 2],
    kinds: Option<&'a Kinds>,
}

impl Merger<'_> {
    fn section<'t>(&self, a: &[Node<'t>], b: &[Node<'t>]) -> Vec<Piece<'t>> {
        let ops = self.differences(a, b);
        // Conditionals of the user's that only one has are decided.
        let (mut alone_a, mut alone_b) = (BTreeSet::new(), BTreeSet::new());
        for op in ops.iter().filter(|op| !matches!(op, DiffOp::Equal { .. })) {
            alone_a.extend(op.old_range());
            alone_b.extend(op.new_range());
        }
        let decided = |nodes: &[Node<'t>], alone: &BTreeSet<usize>, known: Known<'_>| {
            let nodes = nodes.iter().enumerate();
            let decided = nodes.map(|(i, n)| match alone.contains(&i) {
                true => resolved(std::slice::from_ref(n), known),
                false => vec![n.clone()],
            });
            decided.collect::<Vec<_>>().concat()
        };
        let [with, without] = self.known;
        let a = &decided(a, &alone_a, with);
        let b = &decided(b, &alone_b, without);
        let mut out = Vec::new();
        for op in self.differences(a, b) {
            let (old, new) = (&a[op.old_range()], &b[op.new_range()]);
            match op {
                DiffOp::Equal { .. } => {
                    for pair in old.iter().zip(new) {
                        match pair {
                            (Node::Group(a), Node::Group(b)) => out.extend(self.group(a, b)),
                            (Node::Lines(a), Node::Lines(b)) => out.extend(self.statement(a, b)),
                            _ => {}
                        }
                    }
                }
                _ => out.push(Piece::Differ(flat(old), flat(new))),
            }
        }
        out
    }

    /// A statement, or what stands before a block.
    fn statement<'t>(&self, a: &[&'t str], b: &[&'t str]) -> Vec<Piece<'t>> {
        if a == b {
            return common(a.to_vec()).collect();
        }
        if let Some(lines) = self.kinds.and_then(|k| k.united(a, b)) {
            return lines.into_iter().map(Piece::Common).collect();
        }
        // A brace on a line of its own is for both.
        match (a.split_last(), b.split_last()) {
            (Some((brace, a)), Some((other, b))) if brace == other && brace.trim() == "{" => {
                let mut out = vec![Piece::Differ(a.to_vec(), b.to_vec())];
                out.extend(common(vec![brace]));
                out
            }
            _ => vec![Piece::Differ(a.to_vec(), b.to_vec())],
        }
    }

    /// Differences by what nodes are: a block of the same name is the same block.
    fn differences(&self, a: &[Node<'_>], b: &[Node<'_>]) -> Vec<DiffOp> {
        let keys = |nodes: &[Node<'_>]| -> Vec<String> {
            nodes.iter().map(|n| key(n, self.kinds.is_some())).collect()
        };
        capture_diff_slices(Algorithm::Myers, &keys(a), &keys(b))
    }

    fn group<'t>(&self, a: &Group<'t>, b: &Group<'t>) -> Vec<Piece<'t>> {
        if a.conditions.is_some() {
            return self.conditional(a, b);
        }
        let whole = || vec![Piece::Differ(a.lines(), b.lines())];
        if a.sections.len() != b.sections.len() {
            return whole();
        }
        let mut out = Vec::new();
        let heads = a.heads.iter().zip(&b.heads);
        for ((head_a, head_b), (a, b)) in heads.zip(a.sections.iter().zip(&b.sections)) {
            let head = self.statement(head_a, head_b);
            let mut differing = head.iter().flat_map(|p| match p {
                Piece::Differ(a, b) => [a.as_slice(), b].concat(),
                Piece::Common(_) => Vec::new(),
            });
            // A brace has its other one in the same branch.
            if differing.any(|l| l.trim_end().ends_with('{')) {
                return whole();
            }
            out.extend(head);
            out.extend(self.section(a, b));
        }
        out.extend(self.statement(&a.tail, &b.tail));
        let out = coalesced(out);
        let (mut differing, mut hunks) = (0, 0);
        for p in &out {
            if let Piece::Differ(a, b) = p {
                differing += a.len().max(b.len());
                hunks += 1;
            }
        }
        let size = a.lines().len().max(b.lines().len());
        let is_function = name_of(a).is_some();
        // Where most of a function differs, or reading would be jumping, there are two.
        match is_function && hunks > 1 && (2 * differing > size || 4 * hunks > size) {
            true => whole(),
            false => out,
        }
    }

    /// A conditional of the user's: a branch is that of the text by which it is read.
    fn conditional<'t>(&self, a: &Group<'t>, b: &Group<'t>) -> Vec<Piece<'t>> {
        let [with, without] = self.known;
        let read = a.read(with).into_iter().zip(b.read(without));
        let sections = a.sections.iter().zip(&b.sections);
        let mut out = Vec::new();
        for ((head, (a, b)), read) in a.heads.iter().zip(sections).zip(read) {
            out.extend(common(head.clone()));
            match read {
                (_, Some(false)) => out.extend(common(flat(a))),
                (Some(false), _) => out.extend(common(flat(b))),
                _ => out.extend(self.section(a, b)),
            }
        }
        out.extend(common(a.tail.clone()));
        out
    }
}

fn common(lines: Vec<&str>) -> impl Iterator<Item = Piece<'_>> {
    lines.into_iter().map(|l| Piece::Common(Cow::Borrowed(l)))
}

fn key(n: &Node<'_>, by_kinds: bool) -> String {
    match n {
        Node::Lines(lines) if by_kinds => Kinds::key(lines),
        Node::Lines(lines) => lines.join("\n"),
        Node::Group(g) => match (name_of(g), &g.conditions) {
            (Some(name), None) => format!("\u{1}{name}"),
            (_, None) if by_kinds => {
                let heads = g.heads.iter().map(|h| Kinds::key(h));
                format!("\u{2}{}", heads.collect::<Vec<_>>().join("\n"))
            }
            _ => format!(
                "\u{2}{}\n{}",
                g.heads.concat().join("\n"),
                g.tail.join("\n")
            ),
        },
    }
}

/// The name of a function or structure that a block is.
fn name_of(g: &Group<'_>) -> Option<String> {
    if g.conditions.is_some() || g.heads.len() != 1 {
        return None;
    }
    let head = g.heads.first()?.join(" ");
    let head = head.trim();
    let ends = |c: char| !c.is_ascii_alphanumeric() && c != '_';
    let first = head.split(ends).next().unwrap_or_default();
    if [
        "if",
        "for",
        "while",
        "switch",
        "do",
        "namespace",
        "extern",
        "",
    ]
    .contains(&first)
    {
        return None;
    }
    let before = head.split(['(', '{']).next()?.trim_end();
    let name = before.rsplit(ends).next()?;
    (!name.is_empty()).then(|| name.to_owned())
}

/// Differences with nothing but empty lines between them are one.
fn coalesced(pieces: Vec<Piece<'_>>) -> Vec<Piece<'_>> {
    let mut out: Vec<Piece<'_>> = Vec::new();
    for p in pieces {
        if let Piece::Differ(a, b) = &p {
            let is_empty = |p: &Piece<'_>| matches!(p, Piece::Common(l) if l.trim().is_empty());
            let between = out.iter().rev().take_while(|p| is_empty(p)).count();
            let before = out.len() - between;
            if before > 0 && matches!(out[before - 1], Piece::Differ(..)) {
                let lines = out.split_off(before);
                let lines = lines.iter().filter_map(|p| match p {
                    Piece::Common(Cow::Borrowed(l)) => Some(*l),
                    _ => None,
                });
                let lines: Vec<&str> = lines.collect();
                if let Some(Piece::Differ(first_a, first_b)) = out.last_mut() {
                    for (first, more) in [(first_a, a), (first_b, b)] {
                        if !more.is_empty() {
                            first.extend(&lines);
                            first.extend(more);
                        }
                    }
                }
                continue;
            }
        }
        out.push(p);
    }
    out
}

/// The text of pieces. Empty lines at the ends of differences stand outside of them.
fn render(pieces: &[Piece<'_>], choice: &VariantMacro, crlf: bool) -> String {
    let end = if crlf { "\r\n" } else { "\n" };
    let [with, without] = directives(choice).map(|d| d + end);
    let mut text = String::new();
    let put = |text: &mut String, lines: &[&str]| {
        for l in lines {
            text.push_str(l);
            text.push('\n');
        }
    };
    for p in pieces {
        let (a, b) = match p {
            Piece::Common(line) => {
                put(&mut text, &[line]);
                continue;
            }
            Piece::Differ(a, b) => (trimmed(a), trimmed(b)),
        };
        let leads = a.0 || b.0;
        if leads && !text.ends_with("\n\n") && !text.is_empty() {
            text.push_str(end);
        }
        let (lines_a, lines_b) = (a.1, b.1);
        match (lines_a.is_empty(), lines_b.is_empty()) {
            (true, true) => continue,
            (false, true) => {
                text.push_str(&with);
                put(&mut text, lines_a);
            }
            (true, false) => {
                text.push_str(&without);
                put(&mut text, lines_b);
            }
            (false, false) => {
                text.push_str(&with);
                put(&mut text, lines_a);
                text.push_str("#else");
                text.push_str(end);
                put(&mut text, lines_b);
            }
        }
        text.push_str("#endif");
        text.push_str(end);
        if a.2 || b.2 {
            text.push_str(end);
        }
    }
    text
}

/// Lines without the empty ones at their ends, and whether there were any before and behind.
fn trimmed<'p, 't>(lines: &'p [&'t str]) -> (bool, &'p [&'t str], bool) {
    let is_code = |l: &&str| !l.trim().is_empty();
    let first = lines.iter().position(is_code).unwrap_or(lines.len());
    let last = lines.iter().rposition(is_code).map_or(first, |l| l + 1);
    (
        first > 0 && first < lines.len(),
        &lines[first..last],
        last < lines.len() && last > first,
    )
}
