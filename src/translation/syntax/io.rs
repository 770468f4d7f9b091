//! Input/output and allocation statements.

use super::builder::{Builder, exact};
use super::tree::Node;
use crate::ast::*;

impl Builder<'_> {
    pub(super) fn io_statement(&mut self, node: Node<'_>) -> StmtKind {
        match node.kind() {
            "print_statement" => {
                let format = Self::first(node, "format_identifier").map(|f| self.io_operand(f));
                let items = self.items(node, "output_item_list");
                StmtKind::Print {
                    format: format.unwrap_or(Expr {
                        kind: ExprKind::Other,
                        span: Self::span(node),
                    }),
                    items,
                }
            }
            "write_statement" => StmtKind::Write {
                control: self.control(node),
                items: self.items(node, "output_item_list"),
            },
            "read_statement" => StmtKind::Read {
                control: self.control(node),
                items: self.items(node, "input_item_list"),
            },
            "allocate_statement" => self.allocate(node),
            "deallocate_statement" => {
                let mut objects = Vec::new();
                let mut options = Vec::new();
                for c in Self::children(node) {
                    match c.kind() {
                        "keyword_argument" => options.push(self.arg(c)),
                        _ => objects.push(self.expr(c)),
                    }
                }
                StmtKind::Deallocate {
                    objects: exact(objects),
                    options,
                }
            }
            "nullify_statement" => StmtKind::Nullify(
                Self::children(node)
                    .into_iter()
                    .map(|c| self.expr(c))
                    .collect(),
            ),
            _ => {
                let word = Self::tokens(node)
                    .first()
                    .map(|t| self.lower(*t))
                    .unwrap_or_default();
                StmtKind::Io {
                    word,
                    control: self.control(node),
                }
            }
        }
    }

    fn items(&mut self, node: Node<'_>, list: &str) -> Vec<Expr> {
        match Self::first(node, list) {
            Some(l) => Self::children(l)
                .into_iter()
                .map(|c| self.expr(c))
                .collect(),
            None => Vec::new(),
        }
    }

    /// Unit, format and keyword arguments of a control list.
    fn control(&mut self, node: Node<'_>) -> Vec<Arg> {
        let mut control = Vec::new();
        for c in Self::children(node) {
            match c.kind() {
                "unit_identifier" | "format_identifier" => {
                    let word = Self::tokens(c)
                        .first()
                        .filter(|t| !t.is_named())
                        .map(|t| self.lower(*t));
                    let keyword = word.filter(|w| w == "unit" || w == "fmt").map(|w| Name {
                        text: self.word(&w),
                        span: Self::span(c),
                    });
                    control.push(Arg {
                        keyword: keyword.map(Box::new),
                        value: self.io_operand(c),
                        span: Self::span(c),
                    });
                }
                "keyword_argument" => control.push(self.arg(c)),
                _ => {}
            }
        }
        exact(control)
    }

    /// Unit or format: `*`, a label, or an expression.
    fn io_operand(&mut self, node: Node<'_>) -> Expr {
        if let Some(c) = Self::children(node).first() {
            if c.kind() == "statement_label_reference" {
                let digits = self.text(*c).trim().to_owned();
                return Expr {
                    kind: ExprKind::Integer { digits, kind: None },
                    span: Self::span(*c),
                };
            }
            return self.expr(*c);
        }
        let star = Self::tokens(node).into_iter().find(|t| t.kind() == "*");
        Expr {
            kind: ExprKind::Star { label: None },
            span: star.map_or(Self::span(node), Self::span),
        }
    }

    fn allocate(&mut self, node: Node<'_>) -> StmtKind {
        let mut a = Allocate {
            type_spec: None,
            objects: Vec::new(),
            options: Vec::new(),
        };
        for c in node.children() {
            match (c.field_name(), c.kind()) {
                ("type", "::") => {}
                ("type", _) => a.type_spec = Some(self.type_spec(c)),
                ("allocation", _) if c.is_named() => {
                    let object = self.allocate_object(c);
                    a.objects.push(object);
                }
                (_, "keyword_argument") => {
                    let arg = self.arg(c);
                    a.options.push(arg);
                }
                _ => {}
            }
        }
        StmtKind::Allocate(Box::new(a))
    }

    fn allocate_object(&mut self, node: Node<'_>) -> AllocateObject {
        let span = Self::span(node);
        if node.kind() == "sized_allocation" {
            let c = Self::children(node);
            if let (Some(object), Some(size)) = (c.first(), c.iter().find(|s| s.kind() == "size")) {
                return AllocateObject {
                    object: self.expr(*object),
                    bounds: Some(self.array_spec(*size)),
                    span,
                };
            }
        }
        AllocateObject {
            object: self.expr(node),
            bounds: None,
            span,
        }
    }
}
