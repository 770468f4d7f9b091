//! Types, character lengths and bounds.

use super::builder::{Builder, exact};
use super::tree::Node;
use crate::ast::*;

impl Builder<'_> {
    pub(super) fn type_spec(&mut self, node: Node<'_>) -> TypeSpec {
        let kind = match node.kind() {
            "intrinsic_type" => self.intrinsic_type(node),
            "derived_type" => self.derived_type_spec(node),
            "identifier" | "type_name" => TypeSpecKind::Derived {
                name: self.name(node),
                params: Vec::new(),
            },
            // A type name with parameters: `t(8, 2)`.
            "call_expression" => match Self::children(node).as_slice() {
                [name, list] => TypeSpecKind::Derived {
                    name: self.name(*name),
                    params: self.args(*list),
                },
                _ => TypeSpecKind::Other,
            },
            _ => TypeSpecKind::Other,
        };
        TypeSpec {
            kind,
            span: Self::statement_span(node),
        }
    }

    fn derived_type_spec(&mut self, node: Node<'_>) -> TypeSpecKind {
        let class = self.lower(node).starts_with("class");
        if Self::first(node, "unlimited_polymorphic").is_some() {
            return if class {
                TypeSpecKind::Class {
                    name: None,
                    params: Vec::new(),
                }
            } else {
                TypeSpecKind::AssumedType
            };
        }
        let Some(name) = node.child_by_field_name("name") else {
            return TypeSpecKind::Other;
        };
        if name.kind() == "intrinsic_type" {
            let text = self.lower(name);
            return self.intrinsic_parts(&text, node.child_by_field_name("kind"));
        }
        let name = self.name(name);
        let params = node
            .child_by_field_name("kind")
            .map(|k| self.args(k))
            .unwrap_or_default();
        if class {
            return TypeSpecKind::Class {
                name: Some(name),
                params,
            };
        }
        TypeSpecKind::Derived { name, params }
    }

    fn intrinsic_type(&mut self, node: Node<'_>) -> TypeSpecKind {
        let kind = node.child_by_field_name("kind");
        let end = kind.map_or(node.end_byte(), |k| k.start_byte());
        let word = self
            .text
            .get(node.start_byte()..end)
            .unwrap_or_default()
            .lines()
            .map(|l| l.split('!').next().unwrap_or_default().to_ascii_lowercase())
            .collect::<String>();
        self.intrinsic_parts(&word, kind)
    }

    fn intrinsic_parts(&mut self, word: &str, kind_node: Option<Node<'_>>) -> TypeSpecKind {
        let word: String = word.chars().filter(|c| c.is_ascii_alphabetic()).collect();
        let base = match word.as_str() {
            "integer" => IntrinsicBase::Integer,
            "real" => IntrinsicBase::Real,
            "doubleprecision" => IntrinsicBase::DoublePrecision,
            "complex" => IntrinsicBase::Complex,
            "doublecomplex" => IntrinsicBase::DoubleComplex,
            "logical" => IntrinsicBase::Logical,
            "byte" => IntrinsicBase::Byte,
            _ => IntrinsicBase::Character,
        };
        let mut kind = None;
        let mut len = None;
        let mut star = false;
        if let Some(k) = kind_node {
            let tokens = Self::tokens(k);
            star = tokens
                .first()
                .is_some_and(|t| t.kind() == "*" || t.kind() == "assumed_size");
            let skip = usize::from(star);
            let named = tokens.into_iter().skip(skip).filter(|t| t.is_named());
            for (position, c) in named.enumerate() {
                let (keyword, value) = if c.kind() == "keyword_argument" {
                    let word = c
                        .child_by_field_name("name")
                        .map(|n| self.lower(n))
                        .unwrap_or_default();
                    (word, c.child_by_field_name("value").unwrap_or(c))
                } else {
                    (String::new(), c)
                };
                let is_len = base == IntrinsicBase::Character
                    && (keyword == "len" || (keyword.is_empty() && position == 0));
                if is_len {
                    len = Some(Box::new(self.char_len(value)));
                } else {
                    kind = Some(Box::new(self.expr(value)));
                }
            }
        }
        TypeSpecKind::Intrinsic {
            base,
            kind,
            star,
            len,
        }
    }

    fn char_len(&mut self, node: Node<'_>) -> CharLen {
        match node.kind() {
            "assumed_size" | "*" => CharLen::Assumed,
            "assumed_shape" => CharLen::Deferred,
            "extent_specifier" => CharLen::Deferred,
            "parenthesized_expression"
                if self.text(node).contains('*') && Self::children(node).is_empty() =>
            {
                CharLen::Assumed
            }
            _ => CharLen::Expr(self.expr(node)),
        }
    }

    /// `*5`, `*(n)`, `*(*)`, `*(:)`
    pub(super) fn character_length(&mut self, node: Node<'_>) -> CharLen {
        if let Some(c) = Self::children(node).first() {
            return self.char_len(*c);
        }
        let digits = self
            .text(node)
            .chars()
            .filter(|c| c.is_ascii_digit())
            .collect();
        CharLen::Expr(Expr {
            kind: ExprKind::Integer { digits, kind: None },
            span: Self::span(node),
        })
    }

    /// Bounds in parentheses, from an argument list.
    pub(super) fn array_spec(&mut self, node: Node<'_>) -> ArraySpec {
        let mut dims = Vec::new();
        for c in Self::children(node) {
            dims.push(match c.kind() {
                "assumed_size" => DimSpec::AssumedSize { lower: None },
                "assumed_rank" => DimSpec::AssumedRank,
                "extent_specifier" => {
                    let mut lower = None;
                    let mut upper = None;
                    let mut after_colon = false;
                    for t in Self::tokens(c) {
                        if t.kind() == ":" {
                            after_colon = true;
                        } else if after_colon {
                            upper = Some(t);
                        } else {
                            lower = Some(self.expr(t));
                        }
                    }
                    match upper {
                        None => DimSpec::Colon {
                            lower: lower.map(Box::new),
                        },
                        Some(u) if u.kind() == "assumed_size" => DimSpec::AssumedSize {
                            lower: lower.map(Box::new),
                        },
                        Some(u) => DimSpec::Explicit {
                            lower: lower.map(Box::new),
                            upper: self.expr(u),
                        },
                    }
                }
                _ => DimSpec::Explicit {
                    lower: None,
                    upper: self.expr(c),
                },
            });
        }
        ArraySpec {
            dims: exact(dims),
            span: Self::span(node),
        }
    }
}
