//! Program units, procedures and interface bodies.

use super::builder::{Builder, exact};
use super::tree::Node;
use crate::ast::*;

impl Builder<'_> {
    pub(super) fn file_units(&mut self, root: Node<'_>) -> Vec<ProgramUnit> {
        let units = Self::children(root).into_iter();
        exact(units.filter_map(|c| self.unit(c)).collect())
    }

    /// A unit or procedure; None for any other node.
    pub(super) fn unit(&mut self, node: Node<'_>) -> Option<ProgramUnit> {
        let kind = match node.kind() {
            "program" => UnitKind::Program,
            "module" => UnitKind::Module,
            "submodule" => UnitKind::Submodule {
                ancestor: Name::default(),
                parent: None,
            },
            "subroutine" => UnitKind::Subroutine,
            "function" => UnitKind::Function,
            "module_procedure" => UnitKind::ModuleProcedure,
            "block_data" => UnitKind::BlockData,
            _ => return None,
        };
        self.nested(node, |b| b.unit_of(node, kind))
    }

    fn unit_of(&mut self, node: Node<'_>, kind: UnitKind) -> ProgramUnit {
        let start = node.start_byte() as u32;
        let mut unit = ProgramUnit {
            kind,
            name: Name::default(),
            span: Self::statement_span(node),
            header: Span { start, end: start },
            end: Span { start, end: start },
            prefix: Prefix::default(),
            dummies: Vec::new(),
            result: None,
            bind: None,
            spec: Vec::new(),
            body: Vec::new(),
            contains: None,
            procedures: Vec::new(),
        };
        let mut rest = Vec::new();
        for c in Self::children(node) {
            match c.kind() {
                "program_statement"
                | "module_statement"
                | "submodule_statement"
                | "subroutine_statement"
                | "function_statement"
                | "module_procedure_statement"
                | "block_data_statement" => self.header(c, &mut unit),
                "internal_procedures" => self.internal_procedures(c, &mut unit),
                k if k.starts_with("end_") && k.ends_with("_statement") && is_unit_end(k) => {
                    unit.end = Self::statement_span(c);
                    unit.span.end = unit.end.end;
                }
                _ => rest.push(c),
            }
        }
        let (spec, body) = self.parts(&rest);
        unit.spec = spec;
        unit.body = body;
        unit.dummies.shrink_to_fit();
        unit.procedures.shrink_to_fit();
        unit
    }

    fn internal_procedures(&mut self, node: Node<'_>, unit: &mut ProgramUnit) {
        for c in Self::children(node) {
            match c.kind() {
                "contains_statement" => unit.contains = Some(Self::span(c)),
                _ => unit.procedures.extend(self.unit(c)),
            }
        }
    }

    fn header(&mut self, node: Node<'_>, unit: &mut ProgramUnit) {
        unit.header = Self::statement_span(node);
        if let UnitKind::Submodule { ancestor, parent } = &mut unit.kind {
            if let Some(a) = node.child_by_field_name("ancestor") {
                *ancestor = self.name(a);
            }
            *parent = node.child_by_field_name("parent").map(|p| self.name(p));
        }
        for c in node.children() {
            match c.kind() {
                "name" => unit.name = self.name(c),
                "procedure_attributes" => {
                    unit.prefix
                        .attributes
                        .extend(Self::children(c).into_iter().map(|w| self.name(w)));
                    unit.prefix.cuda_spans.push(Self::span(c));
                }
                "launch_qualifier" => {
                    unit.prefix.cuda_spans.push(Self::span(c));
                    let word = c
                        .child_by_field_name("name")
                        .map(|n| self.lower(n))
                        .unwrap_or_default();
                    let args = c
                        .child_by_field_name("arguments")
                        .map(|a| self.args(a))
                        .unwrap_or_default();
                    let values = args.into_iter().map(|a| a.value).collect();
                    if word == "launch_bounds" {
                        unit.prefix.launch_bounds = values;
                    } else {
                        unit.prefix.cluster_dims = values;
                    }
                }
                "procedure_qualifier" => unit.prefix.words.push(self.name(c)),
                "intrinsic_type" | "derived_type" => {
                    unit.prefix.result_type = Some(self.type_spec(c))
                }
                "parameters" => {
                    for d in Self::children(c) {
                        unit.dummies.push(match d.kind() {
                            "identifier" => Dummy::Name(self.name(d)),
                            _ => Dummy::AlternateReturn(Self::span(d)),
                        });
                    }
                }
                "function_result" => {
                    unit.result = Self::first(c, "identifier").map(|n| self.name(n))
                }
                "language_binding" => {
                    unit.bind = Some(Bind {
                        name: self.binding_name(c),
                        span: Self::span(c),
                    });
                }
                _ => {}
            }
        }
    }
}

fn is_unit_end(kind: &str) -> bool {
    matches!(
        kind,
        "end_program_statement"
            | "end_module_statement"
            | "end_submodule_statement"
            | "end_subroutine_statement"
            | "end_function_statement"
            | "end_module_procedure_statement"
            | "end_block_data_statement"
    )
}
