//! The concrete syntax tree as one array in preorder: copied from tree-sitter's in a single walk, then cheap to go through.

use std::ops::Range;
use std::sync::LazyLock;

use tree_sitter::{Language, Parser};

/// Words of the grammar by number.
struct Vocabulary {
    /// Names of the kinds of nodes.
    kinds: Vec<&'static str>,
    named: Vec<bool>,
    /// Neither a line of the preprocessor nor a comment.
    syntax: Vec<bool>,
    fields: Vec<&'static str>,
}

static LANGUAGE: LazyLock<Language> =
    LazyLock::new(|| Language::new(tree_sitter_cuda_fortran::LANGUAGE));

static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| {
    let language: &'static Language = &LANGUAGE;
    let ids = 0..language.node_kind_count() as u16;
    let kinds: Vec<&'static str> = ids
        .clone()
        .map(|id| language.node_kind_for_id(id).unwrap_or_default())
        .collect();
    Vocabulary {
        named: ids.map(|id| language.node_kind_is_named(id)).collect(),
        syntax: kinds.iter().map(|k| !k.starts_with("preproc_")).collect(),
        kinds,
        // Numbers of fields begin at 1; 0 is for none.
        fields: (0..=language.field_count() as u16)
            .map(|id| language.field_name_for_id(id).unwrap_or_default())
            .collect(),
    }
});

/// Kind of a node that holds what could not be parsed.
const ERROR: u16 = u16::MAX;

const EXTRA: u8 = 1;
const MISSING: u8 = 2;

#[derive(Clone, Copy)]
struct Data {
    start: u32,
    end: u32,
    /// Index of the first node that is not inside this one.
    next: u32,
    kind: u16,
    /// Its role in the parent, 0 for none.
    field: u8,
    flags: u8,
}

/// A concrete syntax tree.
pub(super) struct Tree {
    nodes: Vec<Data>,
}

/// A node of a [`Tree`].
#[derive(Clone, Copy)]
pub(super) struct Node<'t> {
    tree: &'t Tree,
    at: u32,
}

impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.tree, other.tree) && self.at == other.at
    }
}

/// Where in a file the text of a tree stands: in one place, or in two with a gap between them.
#[derive(Clone, Copy, Default)]
pub(super) struct Place {
    start: usize,
    /// Length of the text before the gap, and of the gap.
    cut: usize,
    gap: usize,
}

impl Place {
    /// All of the text in one place.
    pub fn at(start: usize) -> Place {
        Place {
            start,
            ..Place::default()
        }
    }

    /// The text of the first range, then that of the second.
    pub fn around(first: &Range<usize>, second: &Range<usize>) -> Place {
        Place {
            start: first.start,
            cut: first.len(),
            gap: second.start - first.end,
        }
    }

    /// Of a node of the tree, in the file.
    fn of(self, node: Range<usize>) -> (u32, u32) {
        let gap = |behind: bool| if behind { self.gap } else { 0 };
        let start = self.start + node.start + gap(node.start >= self.cut);
        let end = self.start + node.end + gap(node.end > self.cut);
        (start as u32, end as u32)
    }
}

impl Tree {
    /// Parses a text; None if the parser cannot be loaded or gives up.
    pub fn parse(text: &str, place: Place) -> Option<Tree> {
        let mut parser = Parser::new();
        parser.set_language(&LANGUAGE).ok()?;
        let parsed = parser.parse(text, None)?;
        drop(parser);
        let mut nodes = Vec::with_capacity(parsed.root_node().descendant_count());
        let mut cursor = parsed.walk();
        let mut open: Vec<usize> = Vec::new();
        loop {
            let node = cursor.node();
            let flag = |set: bool, flag: u8| if set { flag } else { 0 };
            let field = cursor.field_id().map_or(0, |f| f.get());
            let (start, end) = place.of(node.byte_range());
            nodes.push(Data {
                start,
                end,
                next: 0,
                kind: node.kind_id(),
                field: u8::try_from(field).unwrap_or(0),
                flags: flag(node.is_extra(), EXTRA) | flag(node.is_missing(), MISSING),
            });
            open.push(nodes.len() - 1);
            if cursor.goto_first_child() {
                continue;
            }
            loop {
                let end = nodes.len() as u32;
                if let Some(n) = open.pop().and_then(|i| nodes.get_mut(i)) {
                    n.next = end;
                }
                if cursor.goto_next_sibling() {
                    break;
                }
                if !cursor.goto_parent() {
                    return Some(Tree { nodes });
                }
            }
        }
    }

    pub fn root(&self) -> Node<'_> {
        Node { tree: self, at: 0 }
    }

    /// All nodes, each before those inside it.
    pub fn nodes(&self) -> impl Iterator<Item = Node<'_>> {
        (0..self.nodes.len() as u32).map(|at| Node { tree: self, at })
    }
}

impl<'t> Node<'t> {
    fn data(self) -> &'t Data {
        &self.tree.nodes[self.at as usize]
    }

    pub fn kind(self) -> &'static str {
        match self.data().kind {
            ERROR => "ERROR",
            kind => VOCABULARY.kinds.get(kind as usize).copied().unwrap_or(""),
        }
    }

    pub fn start_byte(self) -> usize {
        self.data().start as usize
    }

    pub fn end_byte(self) -> usize {
        self.data().end as usize
    }

    pub fn byte_range(self) -> std::ops::Range<usize> {
        self.start_byte()..self.end_byte()
    }

    pub fn is_named(self) -> bool {
        let kind = self.data().kind as usize;
        VOCABULARY.named.get(kind).copied().unwrap_or(true)
    }

    /// Neither a comment nor a line of the preprocessor.
    pub fn is_syntax(self) -> bool {
        let kind = self.data().kind as usize;
        !self.is_extra() && VOCABULARY.syntax.get(kind).copied().unwrap_or(true)
    }

    pub fn is_extra(self) -> bool {
        self.data().flags & EXTRA != 0
    }

    pub fn is_missing(self) -> bool {
        self.data().flags & MISSING != 0
    }

    pub fn is_error(self) -> bool {
        self.data().kind == ERROR
    }

    /// The name of its role in the parent; empty if it has none.
    pub fn field_name(self) -> &'static str {
        let field = self.data().field as usize;
        VOCABULARY.fields.get(field).copied().unwrap_or("")
    }

    /// The direct children, anonymous ones and comments included.
    pub fn children(self) -> impl Iterator<Item = Node<'t>> + Clone {
        let end = self.data().next;
        let mut at = self.at + 1;
        let tree = self.tree;
        std::iter::from_fn(move || {
            let node = (at < end).then_some(Node { tree, at })?;
            at = node.data().next;
            Some(node)
        })
    }

    pub fn children_by_field_name(self, name: &str) -> impl Iterator<Item = Node<'t>> {
        self.children().filter(move |c| c.field_name() == name)
    }

    pub fn child_by_field_name(self, name: &str) -> Option<Node<'t>> {
        self.children_by_field_name(name).next()
    }

    /// Index of the first node that is not inside this one, in the order of [`Tree::nodes`].
    pub fn end_of_subtree(self) -> usize {
        self.data().next as usize
    }
}
