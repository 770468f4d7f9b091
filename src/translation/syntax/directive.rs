//! CUF directives.

use super::builder::Builder;
use super::tree::Node;
use crate::ast::*;

impl Builder<'_> {
    pub(super) fn cuf_kernel(&mut self, node: Node<'_>) -> StmtKind {
        let depth = node.child_by_field_name("depth").map(|d| self.expr(d));
        let launch = node
            .child_by_field_name("launch")
            .map(|l| self.cuf_launch(l));
        let clauses: Vec<Node<'_>> = node.children_by_field_name("clause").collect();
        let mut reductions = Vec::new();
        let mut mapping = Mapping::default();
        let mut local = Vec::new();
        for c in clauses {
            if let Some(word) = c.child_by_field_name("word") {
                let word = self.name(word).text;
                self.mapping_clause(c, &word, &mut mapping, &mut local);
                continue;
            }
            let Some(op) = c.child_by_field_name("operator") else {
                continue;
            };
            let variables: Vec<Node<'_>> = c
                .children_by_field_name("variable")
                .filter(|n| n.is_named())
                .collect();
            reductions.push(ReduceClause {
                op: self.name(op),
                variables: variables.into_iter().map(|v| self.expr(v)).collect(),
                span: Self::span(c),
            });
        }
        StmtKind::CufKernel(Box::new(CufKernel {
            directive: Self::statement_span(node),
            depth,
            launch,
            reductions,
            local,
            mapping,
            body: None,
            typed_indices: None,
            apart: false,
        }))
    }

    /// A clause of a directive that OpenACC was translated into. Private variables are local to an iteration like those of DO CONCURRENT.
    fn mapping_clause(
        &mut self,
        clause: Node<'_>,
        word: &str,
        mapping: &mut Mapping,
        local: &mut Vec<(Name, bool)>,
    ) {
        let variables = clause.children_by_field_name("variable");
        let names: Vec<Name> = variables
            .filter(|n| n.kind() == "identifier")
            .map(|n| self.name(n))
            .collect();
        match word {
            "present" => {
                mapping.present = true;
                mapping.on_device.extend(names);
            }
            "private" | "firstprivate" => {
                let starts = word == "firstprivate";
                local.extend(names.into_iter().map(|n| (n, starts)));
            }
            _ => mapping.gang = true,
        }
    }

    fn cuf_launch(&mut self, node: Node<'_>) -> CufLaunch {
        let mut l = CufLaunch {
            grid: Vec::new(),
            block: Vec::new(),
            grid_is_tuple: false,
            block_is_tuple: false,
            bytes: None,
            stream: None,
            unknown: Vec::new(),
            surplus: None,
            span: Self::span(node),
        };
        let mut position = 0;
        for c in Self::children(node) {
            if c.kind() == "keyword_argument" {
                let word = c.child_by_field_name("name").map(|n| self.name(n));
                let value = self.arg(c).value;
                match word {
                    Some(w) if matches!(w.text.as_str(), "stream" | "streamid") => {
                        l.stream = Some(value);
                    }
                    Some(w) if matches!(w.text.as_str(), "bytes" | "smem") => l.bytes = Some(value),
                    w => l.unknown.extend(w),
                }
                continue;
            }
            let is_tuple = c.kind() == "cuf_dims";
            let values: Vec<Expr> = if is_tuple {
                Self::children(c)
                    .into_iter()
                    .map(|d| self.expr(d))
                    .collect()
            } else {
                vec![self.inner(c)]
            };
            match position {
                0 => {
                    (l.grid, l.grid_is_tuple) =
                        (values, is_tuple || c.kind() == "parenthesized_expression")
                }
                1 => {
                    (l.block, l.block_is_tuple) =
                        (values, is_tuple || c.kind() == "parenthesized_expression")
                }
                2 => l.bytes = values.into_iter().next(),
                3 => l.stream = values.into_iter().next(),
                _ => l.surplus = Some(Self::span(c)),
            }
            position += 1;
        }
        l
    }
}
