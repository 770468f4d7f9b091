//! Expressions, argument lists, literals.

use super::builder::{Builder, exact};
use super::tree::Node;
use crate::ast::*;

impl Builder<'_> {
    pub(super) fn expr(&mut self, node: Node<'_>) -> Expr {
        let kind = self
            .nested(node, |b| b.expr_kind(node))
            .unwrap_or(ExprKind::Other);
        Expr {
            kind,
            span: Self::span(node),
        }
    }

    /// The expression inside a parenthesized_expression node.
    pub(super) fn inner(&mut self, node: Node<'_>) -> Expr {
        match Self::children(node).first() {
            Some(c) if node.kind() == "parenthesized_expression" => self.expr(*c),
            _ => self.expr(node),
        }
    }

    fn boxed(&mut self, node: Node<'_>) -> Box<Expr> {
        Box::new(self.expr(node))
    }

    fn field(&mut self, node: Node<'_>, name: &str) -> Box<Expr> {
        match node.child_by_field_name(name) {
            Some(c) => self.boxed(c),
            None => Box::new(Expr {
                kind: ExprKind::Other,
                span: Self::span(node),
            }),
        }
    }

    fn expr_kind(&mut self, node: Node<'_>) -> ExprKind {
        match node.kind() {
            "identifier" | "name" | "type_member" | "method_name" | "type_name" => {
                ExprKind::Name(self.name(node))
            }
            "number_literal" => self.number(node),
            "string_literal" | "filename" => self.string(node),
            "boolean_literal" => ExprKind::Logical {
                value: self.lower(node).starts_with(".t"),
                kind: self.kind_suffix(node),
            },
            "complex_literal" => match Self::children(node).as_slice() {
                [re, im, ..] => ExprKind::Complex {
                    re: self.boxed(*re),
                    im: self.boxed(*im),
                },
                _ => ExprKind::Other,
            },
            "array_literal" => self.array_constructor(node),
            "null_literal" => {
                let start = node.start_byte() as u32;
                let name = Name {
                    text: self.word("null"),
                    span: Span {
                        start,
                        end: start + 4,
                    },
                };
                let args = Self::children(node)
                    .into_iter()
                    .map(|c| Arg {
                        keyword: None,
                        value: self.expr(c),
                        span: Self::span(c),
                    })
                    .collect();
                ExprKind::Ref {
                    base: Box::new(Expr {
                        span: name.span,
                        kind: ExprKind::Name(name),
                    }),
                    args,
                }
            }
            "derived_type_member_expression" => {
                let children = Self::children(node);
                match (children.first(), children.last()) {
                    (Some(base), Some(member)) if children.len() >= 2 => ExprKind::Component {
                        base: self.boxed(*base),
                        name: self.name(*member),
                    },
                    _ => ExprKind::Other,
                }
            }
            "logical_expression"
            | "relational_expression"
            | "math_expression"
            | "concatenation_expression"
            | "unary_expression" => self.operation(node),
            "parenthesized_expression" => match Self::children(node).first() {
                Some(inner) => ExprKind::Paren(self.boxed(*inner)),
                None => ExprKind::Other,
            },
            "call_expression" => self.reference(node),
            "argument_list_function" => {
                let name = node.child_by_field_name("name");
                let args = node.child_by_field_name("arguments");
                let (Some(name), Some(args)) = (name, args) else {
                    return ExprKind::Other;
                };
                let span = Span {
                    start: node.start_byte() as u32,
                    end: name.end_byte() as u32,
                };
                let text = format!("%{}", self.lower(name));
                let name = Name {
                    text: self.word(&text),
                    span,
                };
                ExprKind::Ref {
                    base: Box::new(Expr {
                        kind: ExprKind::Name(name),
                        span,
                    }),
                    args: self.args(args),
                }
            }
            "alternate_return" => ExprKind::Star {
                label: Self::children(node)
                    .first()
                    .and_then(|l| self.text(*l).trim().parse().ok()),
            },
            "implied_do_loop_expression" => self.implied_do(node),
            "extent_specifier" | "assumed_shape" => self.slice_expr(node),
            "assumed_size" | "*" => ExprKind::Star { label: None },
            _ => ExprKind::Other,
        }
    }

    fn operation(&mut self, node: Node<'_>) -> ExprKind {
        let Some(operator) = node.child_by_field_name("operator") else {
            return ExprKind::Other;
        };
        if operator.kind() == "user_defined_operator" {
            let text: String = self
                .lower(operator)
                .chars()
                .filter(|c| c.is_ascii_alphanumeric() || *c == '_')
                .collect();
            let op = Box::new(Name {
                text: self.word(&text),
                span: Self::span(operator),
            });
            return if node.child_by_field_name("argument").is_some() {
                ExprKind::DefinedUnary {
                    op,
                    operand: self.field(node, "argument"),
                }
            } else {
                let lhs = self.field(node, "left");
                ExprKind::DefinedBinary {
                    op,
                    lhs,
                    rhs: self.field(node, "right"),
                }
            };
        }
        let symbol = self.lower(operator);
        if node.child_by_field_name("argument").is_some() {
            let op = match symbol.as_str() {
                "-" => UnaryOp::Minus,
                "+" => UnaryOp::Plus,
                _ => UnaryOp::Not,
            };
            return ExprKind::Unary {
                op,
                operand: self.field(node, "argument"),
            };
        }
        let op = match symbol.as_str() {
            "+" => BinaryOp::Add,
            "-" => BinaryOp::Sub,
            "*" => BinaryOp::Mul,
            "/" => BinaryOp::Div,
            "**" => BinaryOp::Pow,
            "//" => BinaryOp::Concat,
            "==" | ".eq." => BinaryOp::Eq,
            "/=" | ".ne." => BinaryOp::Ne,
            "<" | ".lt." => BinaryOp::Lt,
            "<=" | ".le." => BinaryOp::Le,
            ">" | ".gt." => BinaryOp::Gt,
            ">=" | ".ge." => BinaryOp::Ge,
            ".and." => BinaryOp::And,
            ".or." => BinaryOp::Or,
            ".eqv." => BinaryOp::Eqv,
            ".neqv." => BinaryOp::Neqv,
            _ => return ExprKind::Other,
        };
        let lhs = self.field(node, "left");
        ExprKind::Binary {
            op,
            lhs,
            rhs: self.field(node, "right"),
        }
    }

    fn kind_suffix(&mut self, node: Node<'_>) -> Option<Box<KindSuffix>> {
        let k = node.child_by_field_name("kind")?;
        Some(Box::new(match self.text(k).parse() {
            Ok(n) => KindSuffix::Number(n),
            Err(_) => KindSuffix::Name(self.name(k)),
        }))
    }

    fn number(&mut self, node: Node<'_>) -> ExprKind {
        let kind = self.kind_suffix(node);
        let end = match node.child_by_field_name("kind") {
            Some(k) => k.start_byte().saturating_sub(1),
            None => node.end_byte(),
        };
        let text: String = self
            .text
            .get(node.start_byte()..end)
            .unwrap_or_default()
            .to_ascii_lowercase()
            .chars()
            .filter(|c| !c.is_whitespace() && *c != '&')
            .collect();
        if text.contains(['\'', '"']) {
            let digits: String = text
                .split(['\'', '"'])
                .nth(1)
                .unwrap_or_default()
                .to_owned();
            let letter = if text.starts_with(['\'', '"']) {
                text.chars().last()
            } else {
                text.chars().next()
            };
            let radix = match letter {
                Some('b') => 2,
                Some('o') => 8,
                _ => 16,
            };
            return ExprKind::Boz { radix, digits };
        }
        if text.bytes().all(|b| b.is_ascii_digit()) {
            ExprKind::Integer { digits: text, kind }
        } else {
            ExprKind::Real { text, kind }
        }
    }

    fn string(&mut self, node: Node<'_>) -> ExprKind {
        let text = self.text(node);
        let Some(open) = text.find(['\'', '"']) else {
            return ExprKind::Other;
        };
        let quote = text[open..].chars().next().unwrap_or('\'');
        let body = text[open + 1..]
            .strip_suffix(quote)
            .unwrap_or(&text[open + 1..]);
        let mut value = String::with_capacity(body.len());
        let mut chars = body.chars().peekable();
        while let Some(c) = chars.next() {
            if c == quote {
                chars.next();
                value.push(quote);
            } else if c == '&' && continues(chars.clone()) {
                // Character context continues after the next `&`, or at the first column without one.
                while chars.next_if(|c| *c != '\n').is_some() {}
                chars.next();
                let mut ahead = chars.clone();
                while ahead.next_if(|c| *c == ' ' || *c == '\t').is_some() {}
                if ahead.peek() == Some(&'&') {
                    ahead.next();
                    chars = ahead;
                }
            } else {
                value.push(c);
            }
        }
        ExprKind::Character {
            value,
            kind: self.kind_suffix(node),
        }
    }

    fn array_constructor(&mut self, node: Node<'_>) -> ExprKind {
        let mut type_spec = None;
        let mut items = Vec::new();
        for c in Self::children(node) {
            match c.kind() {
                "intrinsic_type" | "derived_type" => type_spec = Some(Box::new(self.type_spec(c))),
                _ => items.push(self.expr(c)),
            }
        }
        // `[t :: a, b]`: the type is written as a name or a reference before the colons.
        let tokens = Self::tokens(node);
        if type_spec.is_none() && tokens.iter().any(|t| t.kind() == "::") {
            let first = tokens.iter().find(|t| t.is_named());
            type_spec = first.map(|t| Box::new(self.type_spec(*t)));
            items.remove(0);
        }
        ExprKind::ArrayConstructor {
            type_spec,
            items: exact(items),
        }
    }

    /// `a(...)(...)`: one node with several argument lists.
    fn reference(&mut self, node: Node<'_>) -> ExprKind {
        let children = Self::children(node);
        let Some((base, lists)) = children.split_first() else {
            return ExprKind::Other;
        };
        let mut at = self.expr(*base);
        for list in lists {
            if list.kind() != "argument_list" {
                return ExprKind::Other;
            }
            let args = self.args(*list);
            let span = Span {
                start: at.span.start,
                end: list.end_byte() as u32,
            };
            at = Expr {
                kind: ExprKind::Ref {
                    base: Box::new(at),
                    args,
                },
                span,
            };
        }
        at.kind
    }

    /// The arguments of an argument list.
    pub(super) fn args(&mut self, list: Node<'_>) -> Vec<Arg> {
        Self::children(list)
            .into_iter()
            .map(|c| self.arg(c))
            .collect()
    }

    pub(super) fn arg(&mut self, node: Node<'_>) -> Arg {
        if node.kind() == "keyword_argument" {
            let keyword = node
                .child_by_field_name("name")
                .map(|n| Box::new(self.name(n)));
            let value = *self.field(node, "value");
            return Arg {
                keyword,
                value,
                span: Self::span(node),
            };
        }
        Arg {
            keyword: None,
            value: self.expr(node),
            span: Self::span(node),
        }
    }

    fn slice_expr(&mut self, node: Node<'_>) -> ExprKind {
        let mut parts: [Option<Box<Expr>>; 3] = [None, None, None];
        let mut at = 0;
        for c in Self::tokens(node) {
            match c.kind() {
                ":" => at += 1,
                _ if c.is_named() && at < 3 => parts[at] = Some(self.boxed(c)),
                _ => {}
            }
        }
        let [lo, hi, step] = parts;
        ExprKind::Slice { lo, hi, step }
    }

    fn implied_do(&mut self, node: Node<'_>) -> ExprKind {
        let mut items = Vec::new();
        let mut control = None;
        for c in Self::children(node) {
            match c.kind() {
                "loop_control_expression" => control = Some(c),
                "intrinsic_type" => {}
                _ => items.push(self.expr(c)),
            }
        }
        match control.and_then(|c| self.loop_control(c)) {
            Some((var, from, to, step)) => ExprKind::ImpliedDo(Box::new(ImpliedDo {
                items,
                var,
                from,
                to,
                step,
            })),
            None => ExprKind::Other,
        }
    }

    /// `var = from, to[, step]`
    pub(super) fn loop_control(
        &mut self,
        node: Node<'_>,
    ) -> Option<(Name, Expr, Expr, Option<Expr>)> {
        let c = Self::children(node);
        let (var, from, to) = (*c.first()?, *c.get(1)?, *c.get(2)?);
        let step = c.get(3).map(|s| self.expr(*s));
        Some((self.name(var), self.expr(from), self.expr(to), step))
    }
}

/// After an ampersand inside a string: only blanks up to the line end.
fn continues(rest: std::iter::Peekable<std::str::Chars<'_>>) -> bool {
    for c in rest {
        match c {
            ' ' | '\t' | '\r' => {}
            '\n' => return true,
            _ => return false,
        }
    }
    false
}
