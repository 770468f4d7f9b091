//! Common blocks in clauses: each stands for its variables (OpenACC 2.7.1).

use super::directive::{Directive, Item, Value};
use crate::ast::{Expr, ExprKind, Name};
use crate::sema::Finding;
use crate::sema::model::{FileId, Model};

/// Replaces common blocks in the clauses of a file's directives with their variables.
pub fn expand(model: &Model, file: FileId, directives: &mut [Directive]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for d in directives {
        let Some(scope) = model.scope_at(file, d.span.start) else {
            continue;
        };
        for c in d.clauses.iter_mut().filter(|c| c.kind.accepts_common()) {
            let mut items = Vec::new();
            for i in std::mem::take(&mut c.items) {
                let Value::Common(block) = &i.value else {
                    items.push(i);
                    continue;
                };
                let names = model.common_variables(scope, &block.text);
                if names.is_empty() {
                    let message = format!(
                        "common block `/{}/` is not declared here\nhelp: declare it with a `common` statement in this program unit",
                        block.text
                    );
                    findings.push(Finding::new("CUF0521", file, block.span, message));
                }
                items.extend(names.into_iter().map(|text| Item {
                    value: Value::Expr(Expr {
                        kind: ExprKind::Name(Name {
                            text,
                            span: block.span,
                        }),
                        span: block.span,
                    }),
                    ..i.clone()
                }));
            }
            c.items = items;
        }
    }
    findings
}
