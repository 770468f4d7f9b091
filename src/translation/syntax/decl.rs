//! Specification statements.

use super::builder::{Builder, exact};
use super::tree::Node;
use crate::ast::*;

impl Builder<'_> {
    /// A specification statement; None if the node is executable.
    pub(super) fn decl(&mut self, node: Node<'_>) -> Option<Decl> {
        let kind = match node.kind() {
            "use_statement" => DeclKind::Use(Box::new(self.use_statement(node))),
            "import_statement" => DeclKind::Import {
                names: Self::children(node)
                    .into_iter()
                    .filter(|c| c.kind() == "identifier")
                    .map(|c| self.name(c))
                    .collect(),
                none: Self::has_token(node, "none"),
            },
            "implicit_statement" => self.implicit(node),
            "variable_declaration" => self.variable_declaration(node),
            "variable_modification" => self.modification(node),
            "save_statement" => self.simple_attribute(node, AttrKind::Save),
            "public_statement" => self.simple_attribute(node, AttrKind::Public),
            "private_statement" => self.simple_attribute(node, AttrKind::Private),
            "bind_statement" => self.simple_attribute(node, AttrKind::Bind(None)),
            "parameter_statement" => {
                let mut items = Vec::new();
                for c in Self::children(node) {
                    if let [n, v] = Self::children(c).as_slice() {
                        let name = self.name(*n);
                        items.push((name, self.expr(*v)));
                    }
                }
                DeclKind::Parameter(items)
            }
            "derived_type_definition" => DeclKind::DerivedType(Box::new(self.derived_type(node))),
            "interface" => DeclKind::Interface(Box::new(self.interface(node))),
            "enum" => self.enumeration(node),
            "common_statement" => DeclKind::Common(self.common(node)),
            "equivalence_statement" => DeclKind::Equivalence(
                Self::children(node)
                    .into_iter()
                    .map(|set| {
                        Self::children(set)
                            .into_iter()
                            .map(|e| self.expr(e))
                            .collect()
                    })
                    .collect(),
            ),
            "data_statement" => DeclKind::Data(self.data(node)),
            "namelist_statement" => {
                let mut groups = Vec::new();
                for g in Self::children(node) {
                    let c = Self::children(g);
                    if let Some((n, members)) = c.split_first() {
                        let name = self.name(*n);
                        groups.push((name, members.iter().map(|m| self.name(*m)).collect()));
                    }
                }
                DeclKind::Namelist(groups)
            }
            "cray_pointer_declaration" => {
                let mut pairs = Vec::new();
                for p in Self::children(node) {
                    if let (Some(a), Some(b)) = (
                        p.child_by_field_name("pointer"),
                        p.child_by_field_name("target"),
                    ) {
                        let name = self.name(a);
                        pairs.push((name, self.entity(b)));
                    }
                }
                DeclKind::CrayPointer(pairs)
            }
            // A Cray pointer whose statement the grammar took for a reference.
            "call_expression" => DeclKind::CrayPointer(self.cray_pointer(node)?),
            "format_statement" => DeclKind::Format,
            "include_statement" | "enumeration_type" => DeclKind::Other,
            _ => return None,
        };
        Some(Decl {
            kind,
            span: Self::statement_span(node),
        })
    }

    /// `pointer (p, x)`, `pointer (p, x(n, *))`
    fn cray_pointer(&mut self, node: Node<'_>) -> Option<Vec<(Name, Entity)>> {
        let parts = Self::children(node);
        let [word, args] = parts.as_slice() else {
            return None;
        };
        let args = Self::children(*args);
        let [pointer, target] = args.as_slice() else {
            return None;
        };
        if !self.text(*word).eq_ignore_ascii_case("pointer") || pointer.kind() != "identifier" {
            return None;
        }
        let mut entity = self.plain_entity(*target);
        if let [name, bounds] = Self::children(*target).as_slice() {
            entity.name = self.name(*name);
            let mut dims = Vec::new();
            for b in Self::children(*bounds) {
                let upper = self.expr(b);
                dims.push(match upper.kind {
                    crate::ast::ExprKind::Star { .. } => DimSpec::AssumedSize { lower: None },
                    _ => DimSpec::Explicit { lower: None, upper },
                });
            }
            entity.dims = Some(ArraySpec {
                dims,
                span: Self::span(*bounds),
            });
        }
        Some(vec![(self.name(*pointer), entity)])
    }

    fn use_statement(&mut self, node: Node<'_>) -> Use {
        let mut u = Use {
            module: Name::default(),
            intrinsic: false,
            only: false,
            items: Vec::new(),
            list_end: Self::statement_span(node).end,
        };
        for c in Self::tokens(node) {
            match c.kind() {
                "module_name" => u.module = self.name(c),
                "intrinsic" => u.intrinsic = true,
                "use_alias" => u.items.push(self.use_alias(c)),
                "included_items" => {
                    u.only = true;
                    for i in Self::children(c) {
                        let item = match i.kind() {
                            "use_alias" => self.use_alias(i),
                            _ => UseItem {
                                local: self.generic_name(i),
                                original: None,
                            },
                        };
                        u.items.push(item);
                    }
                }
                _ => {}
            }
        }
        u
    }

    fn use_alias(&mut self, node: Node<'_>) -> UseItem {
        let c = Self::children(node);
        UseItem {
            local: c.first().map(|n| self.generic_name(*n)).unwrap_or_default(),
            original: c.get(1).map(|n| self.generic_name(*n)),
        }
    }

    /// A name, `operator(+)` or `assignment(=)`, folded and without blanks.
    pub(super) fn generic_name(&mut self, node: Node<'_>) -> Name {
        let text = self.text(node);
        if !text.contains(char::is_whitespace) {
            return self.name(node);
        }
        let blankless: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        Name {
            text: self.word(&blankless.to_ascii_lowercase()),
            span: Self::span(node),
        }
    }

    fn implicit(&mut self, node: Node<'_>) -> DeclKind {
        if Self::children(node).iter().any(|c| c.kind() == "none") {
            return DeclKind::ImplicitNone;
        }
        let mut rules: Vec<(TypeSpec, Vec<(char, char)>)> = Vec::new();
        for c in Self::children(node) {
            match c.kind() {
                "intrinsic_type" | "derived_type" => rules.push((self.type_spec(c), Vec::new())),
                "implicit_range" => {
                    let text: Vec<char> = self
                        .lower(c)
                        .chars()
                        .filter(|c| c.is_ascii_alphabetic())
                        .collect();
                    if let (Some(first), Some((_, ranges))) = (text.first(), rules.last_mut()) {
                        ranges.push((*first, *text.last().unwrap_or(first)));
                    }
                }
                _ => {}
            }
        }
        DeclKind::Implicit(rules)
    }

    pub(super) fn variable_declaration(&mut self, node: Node<'_>) -> DeclKind {
        let Some(spec) = node.child_by_field_name("type") else {
            return DeclKind::Other;
        };
        let (attrs, entities, colons) = self.declaration_parts(node);
        if spec.kind() == "procedure" {
            let interface = Self::first(spec, "procedure_interface").map(|n| self.name(n));
            let mut all: Vec<Attr> = Self::children(spec)
                .into_iter()
                .filter(|c| c.kind() == "procedure_attribute")
                .map(|c| self.attr(c))
                .collect();
            all.extend(attrs);
            return DeclKind::Procedure {
                interface,
                attrs: all,
                entities,
            };
        }
        let spec = self.type_spec(spec);
        if !spec.is_character()
            && let Some(e) = entities.iter().find(|e| e.len.is_some())
        {
            let name = e.name.span;
            self.error(name, format!("syntax error: length after `{}`, which is not a character variable\nhelp: give the kind in the type, such as `real(8)`, in a declaration of its own", self.slice(name)));
        }
        DeclKind::Type(Box::new(TypeDecl {
            spec,
            attrs,
            colons,
            entities,
            span: Self::statement_span(node),
        }))
    }

    fn declaration_parts(&mut self, node: Node<'_>) -> (Vec<Attr>, Vec<Entity>, Option<Span>) {
        let mut attrs = Vec::new();
        let mut entities = Vec::new();
        let mut colons = None;
        for c in node.children() {
            match c.field_name() {
                "attribute" => attrs.push(self.attr(c)),
                "declarator" if c.is_named() => entities.push(self.entity(c)),
                _ if c.kind() == "::" => colons = Some(Self::span(c)),
                _ => {}
            }
        }
        (exact(attrs), exact(entities), colons)
    }

    /// An attribute of a declaration.
    pub(super) fn attr(&mut self, node: Node<'_>) -> Attr {
        let text = self.lower(node);
        let word: String = text
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric() || *c == '_')
            .collect();
        let kind = match word.as_str() {
            "dimension" => match Self::first(node, "argument_list") {
                Some(a) => AttrKind::Dimension(self.array_spec(a)),
                // DIMENSION statement: the bounds are the entities'.
                None => AttrKind::Dimension(ArraySpec {
                    dims: Vec::new(),
                    span: Self::span(node),
                }),
            },
            "codimension" => AttrKind::Codimension,
            "allocatable" => AttrKind::Allocatable,
            "pointer" => AttrKind::Pointer,
            "target" => AttrKind::Target,
            "parameter" => AttrKind::Parameter,
            "save" => AttrKind::Save,
            "intent" => {
                let inner: String = text[word.len()..]
                    .chars()
                    .filter(|c| c.is_ascii_alphabetic())
                    .collect();
                AttrKind::Intent(match inner.as_str() {
                    "in" => Intent::In,
                    "out" => Intent::Out,
                    _ => Intent::InOut,
                })
            }
            "optional" => AttrKind::Optional,
            "value" => AttrKind::Value,
            "volatile" => AttrKind::Volatile,
            "asynchronous" => AttrKind::Asynchronous,
            "external" => AttrKind::External,
            "intrinsic" => AttrKind::Intrinsic,
            "contiguous" => AttrKind::Contiguous,
            "public" => AttrKind::Public,
            "private" => AttrKind::Private,
            "protected" => AttrKind::Protected,
            "bind" => AttrKind::Bind(self.binding_name(node).map(Box::new)),
            "abstract" => AttrKind::Abstract,
            "pass" => AttrKind::Pass(Self::first(node, "identifier").map(|n| self.name(n))),
            "nopass" => AttrKind::NoPass,
            "deferred" => AttrKind::Deferred,
            "non_overridable" => AttrKind::NonOverridable,
            "kind" => AttrKind::Kind,
            "len" => AttrKind::Len,
            _ => cuda_attr(&word).map_or(AttrKind::Other(word.clone()), AttrKind::Cuda),
        };
        Attr {
            kind,
            span: Self::statement_span(node),
        }
    }

    /// The expression of `name=` in `bind(c, name=...)`.
    pub(super) fn binding_name(&mut self, node: Node<'_>) -> Option<Expr> {
        let k = Self::first(node, "keyword_argument")?;
        Some(self.arg(k).value)
    }

    /// One declared entity of any form.
    pub(super) fn entity(&mut self, node: Node<'_>) -> Entity {
        let span = Self::span(node);
        match node.kind() {
            "init_declarator" | "pointer_init_declarator" => {
                let left = node.child_by_field_name("left");
                let mut e = left
                    .map(|l| self.entity(l))
                    .unwrap_or_else(|| self.plain_entity(node));
                if let Some(r) = node.child_by_field_name("right") {
                    let value = self.expr(r);
                    e.init = Some(if node.kind() == "init_declarator" {
                        Box::new(Init::Value(value))
                    } else {
                        Box::new(Init::Pointer(value))
                    });
                }
                e.span = span;
                e
            }
            "sized_declarator" => {
                let mut e = self.plain_entity(node);
                for c in Self::children(node) {
                    match c.kind() {
                        "identifier" => e.name = self.name(c),
                        "size" => e.dims = Some(self.array_spec(c)),
                        "character_length" => e.len = Some(Box::new(self.character_length(c))),
                        _ => {}
                    }
                }
                e
            }
            "coarray_declarator" | "data_declarator" => {
                let inner = Self::children(node).first().map(|c| self.entity(*c));
                let mut e = inner.unwrap_or_else(|| self.plain_entity(node));
                if let Some(values) = Self::first(node, "data_value") {
                    let span = Self::span(values);
                    e.init = Some(Box::new(Init::Data(self.data_values(values), span)));
                }
                e.span = span;
                e
            }
            _ => self.plain_entity(node),
        }
    }

    fn plain_entity(&mut self, node: Node<'_>) -> Entity {
        Entity {
            name: self.generic_name(node),
            dims: None,
            len: None,
            init: None,
            span: Self::span(node),
        }
    }

    /// `attributes(device) :: a`, `allocatable :: a`, `dimension x(3)`
    fn modification(&mut self, node: Node<'_>) -> DeclKind {
        let (_, entities, _) = self.declaration_parts(node);
        let mut attrs = Vec::new();
        for c in Self::children(node) {
            match c.kind() {
                "variable_attributes" => {
                    // ATTRIBUTES(VALUE), too, is an attribute of that name.
                    attrs.extend(Self::children(c).into_iter().map(|w| self.attr(w)));
                }
                "type_qualifier" => attrs.push(self.attr(c)),
                _ => {}
            }
        }
        DeclKind::Attributes { attrs, entities }
    }

    fn simple_attribute(&mut self, node: Node<'_>, kind: AttrKind) -> DeclKind {
        let span = Self::tokens(node)
            .first()
            .map_or(Self::span(node), |t| Self::span(*t));
        let entities = Self::children(node)
            .into_iter()
            .filter(|c| !matches!(c.kind(), "common_block" | "language_binding"))
            .map(|c| self.plain_entity(c))
            .collect();
        DeclKind::Attributes {
            attrs: vec![Attr { kind, span }],
            entities,
        }
    }

    fn enumeration(&mut self, node: Node<'_>) -> DeclKind {
        let mut items = Vec::new();
        for c in Self::children(node)
            .into_iter()
            .filter(|c| c.kind() == "enumerator_statement")
        {
            let (_, entities, _) = self.declaration_parts(c);
            for e in entities {
                let value = match e.init.map(|i| *i) {
                    Some(Init::Value(v)) => Some(v),
                    _ => None,
                };
                items.push((e.name, value));
            }
        }
        DeclKind::Enum(items)
    }

    fn common(&mut self, node: Node<'_>) -> Vec<(Name, Vec<Entity>)> {
        let mut blocks: Vec<(Name, Vec<Entity>)> = Vec::new();
        for c in Self::children(node) {
            let parts = Self::children(c);
            if c.kind() == "blank_common" {
                let members = parts.into_iter().map(|m| self.entity(m)).collect();
                blocks.push((Name::default(), members));
            } else if c.kind() == "variable_group" {
                if let Some((name, members)) = parts.split_first() {
                    let name = self.name(*name);
                    blocks.push((name, members.iter().map(|m| self.entity(*m)).collect()));
                }
            } else {
                let e = self.entity(c);
                match blocks.last_mut() {
                    Some((_, members)) => members.push(e),
                    None => blocks.push((Name::default(), vec![e])),
                }
            }
        }
        blocks
    }

    fn data(&mut self, node: Node<'_>) -> Vec<DataSet> {
        let mut sets = Vec::new();
        for set in Self::children(node) {
            let mut objects = Vec::new();
            let mut values = Vec::new();
            for c in Self::children(set) {
                if c.kind() == "data_value" {
                    values.extend(self.data_values(c));
                } else {
                    objects.push(self.expr(c));
                }
            }
            sets.push(DataSet { objects, values });
        }
        sets
    }

    /// `/ value, repeat*value /`
    fn data_values(&mut self, node: Node<'_>) -> Vec<DataValue> {
        let mut values = Vec::new();
        let mut repeat = None;
        for c in Self::children(node) {
            let e = self.expr(c);
            if c.field_name() == "repeat" {
                repeat = Some(e);
            } else {
                let repeat = repeat.take();
                values.push(DataValue { repeat, value: e });
            }
        }
        values
    }
}

/// The attributes of entities.
pub(super) const ATTRIBUTES: [&str; 29] = [
    "allocatable",
    "asynchronous",
    "bind",
    "codimension",
    "contiguous",
    "dimension",
    "external",
    "intent",
    "intrinsic",
    "kind",
    "len",
    "optional",
    "parameter",
    "pointer",
    "private",
    "protected",
    "public",
    "save",
    "target",
    "value",
    "volatile",
    "device",
    "constant",
    "shared",
    "managed",
    "pinned",
    "texture",
    "unified",
    "grid_constant",
];

/// The word is an attribute of entities.
pub(super) fn is_attribute(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    ATTRIBUTES.contains(&word.as_str()) || cuda_attr(&word).is_some()
}

fn cuda_attr(word: &str) -> Option<CudaAttr> {
    Some(match word {
        "device" => CudaAttr::Device,
        "constant" => CudaAttr::Constant,
        "shared" => CudaAttr::Shared,
        "managed" => CudaAttr::Managed,
        "pinned" => CudaAttr::Pinned,
        "texture" => CudaAttr::Texture,
        "unified" => CudaAttr::Unified,
        "grid_constant" => CudaAttr::GridConstant,
        _ => return None,
    })
}
