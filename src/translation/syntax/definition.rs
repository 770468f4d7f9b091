//! Derived type definitions and interface blocks.

use super::builder::Builder;
use super::tree::Node;
use crate::ast::*;

impl Builder<'_> {
    pub(super) fn derived_type(&mut self, node: Node<'_>) -> DerivedTypeDef {
        let span = Self::statement_span(node);
        let mut t = DerivedTypeDef {
            name: Name::default(),
            attrs: Vec::new(),
            sequence: false,
            structure: false,
            private: false,
            components: Vec::new(),
            plain: Vec::new(),
            bindings: Vec::new(),
            header: Span {
                start: span.start,
                end: span.start,
            },
            end: Span {
                start: span.end,
                end: span.end,
            },
            contains: None,
        };
        for c in Self::children(node) {
            match c.kind() {
                "derived_type_statement" => {
                    t.header = Self::statement_span(c);
                    for p in Self::children(c) {
                        let kind = match p.kind() {
                            "type_name" => {
                                t.name = self.name(p);
                                continue;
                            }
                            "abstract_specifier" => AttrKind::Abstract,
                            "access_specifier" if self.lower(p) == "public" => AttrKind::Public,
                            "access_specifier" => AttrKind::Private,
                            "base_type_specifier" => match Self::first(p, "identifier") {
                                Some(n) => AttrKind::Extends(self.name(n)),
                                None => continue,
                            },
                            "language_binding" => AttrKind::Bind(None),
                            _ => continue,
                        };
                        t.attrs.push(Attr {
                            kind,
                            span: Self::span(p),
                        });
                    }
                }
                // SEQUENCE is an anonymous keyword in some positions.
                "sequence_statement" | "sequence" => {
                    t.sequence = true;
                    t.plain.push(Self::statement_span(c));
                }
                "private_statement" => {
                    t.private = true;
                    t.plain.push(Self::statement_span(c));
                }
                "variable_declaration" => match self.variable_declaration(c) {
                    DeclKind::Type(d) => t.components.push(Component::Data(*d)),
                    DeclKind::Procedure {
                        interface,
                        attrs,
                        entities,
                    } => {
                        let span = Self::statement_span(c);
                        t.components.push(Component::Procedure {
                            interface,
                            attrs,
                            entities,
                            span,
                        });
                    }
                    _ => {}
                },
                "derived_type_procedures" => self.bindings(c, &mut t),
                "end_type_statement" => t.end = Self::statement_span(c),
                _ => {}
            }
        }
        t
    }

    fn bindings(&mut self, node: Node<'_>, t: &mut DerivedTypeDef) {
        for c in Self::children(node) {
            match c.kind() {
                "contains_statement" => t.contains = Some(Self::span(c)),
                "private_statement" => {
                    t.private = true;
                    t.plain.push(Self::statement_span(c));
                }
                "procedure_statement" => {
                    let interface = Self::first(c, "procedure_interface").map(|n| self.name(n));
                    let mut attrs = Vec::new();
                    for p in Self::children(c) {
                        if p.kind() == "procedure_attribute" {
                            attrs.push(self.attr(p));
                        }
                    }
                    let declarators: Vec<Node<'_>> =
                        c.children_by_field_name("declarator").collect();
                    for d in declarators {
                        let parts = Self::children(d);
                        let (name, target) = match (d.kind(), parts.as_slice()) {
                            ("binding", [b, m, ..]) => (self.generic_name(*b), Some(self.name(*m))),
                            _ => (self.name(d), None),
                        };
                        t.bindings.push(Binding::Procedure {
                            interface: interface.clone(),
                            attrs: attrs.clone(),
                            name,
                            target,
                            statement: Self::statement_span(c),
                        });
                    }
                }
                "generic_statement" => {
                    if let Some(list) = Self::first(c, "binding_list") {
                        let parts = Self::children(list);
                        if let Some((spec, targets)) = parts.split_first() {
                            let spec = self.generic_name(*spec);
                            let targets = targets.iter().map(|n| self.name(*n)).collect();
                            t.bindings.push(Binding::Generic {
                                spec,
                                targets,
                                statement: Self::statement_span(c),
                            });
                        }
                    }
                }
                "final_statement" => {
                    let names = Self::children(c)
                        .into_iter()
                        .map(|n| self.name(n))
                        .collect();
                    let statement = Self::statement_span(c);
                    t.bindings.push(Binding::Final { names, statement });
                }
                _ => {}
            }
        }
    }

    pub(super) fn interface(&mut self, node: Node<'_>) -> Interface {
        let span = Self::statement_span(node);
        let mut i = Interface {
            is_abstract: false,
            generic: None,
            bodies: Vec::new(),
            procedures: Vec::new(),
            lists: Vec::new(),
            header: Span {
                start: span.start,
                end: span.start,
            },
            end: Span {
                start: span.end,
                end: span.end,
            },
        };
        for c in Self::children(node) {
            match c.kind() {
                "interface_statement" => {
                    i.header = Self::statement_span(c);
                    for p in Self::children(c) {
                        match p.kind() {
                            "abstract_specifier" => i.is_abstract = true,
                            _ => i.generic = Some(self.generic_name(p)),
                        }
                    }
                }
                "procedure_statement" => {
                    let names: Vec<Node<'_>> = c
                        .children_by_field_name("declarator")
                        .filter(|n| n.is_named())
                        .collect();
                    i.lists.push(Self::statement_span(c));
                    i.procedures.extend(names.into_iter().map(|n| self.name(n)));
                }
                "end_interface_statement" => i.end = Self::statement_span(c),
                _ => i.bodies.extend((self.unit)(self, c)),
            }
        }
        i
    }
}
