//! Comments of a specification part: they follow the declarations into the body of the function, or stand at its head.

use crate::ast::{DeclKind, ProgramUnit, TypeDecl};
use crate::ir::{self, StmtKind};
use crate::lower::context::LoweringContext;
use crate::lower::statement::comments;
use crate::sema::model::{ScopeId, SymbolId, SymbolKind};

impl LoweringContext<'_, '_> {
    /// Puts the comments of the specification part of a procedure to the declarations in `body`, and what stands above
    /// others to its beginning. The result describes dummies that have no declaration there.
    pub fn remarks(
        &self,
        unit: &ProgramUnit,
        scope: ScopeId,
        body: &mut Vec<ir::Stmt>,
    ) -> Vec<String> {
        let mut first = Vec::new();
        let mut dummies = Vec::new();
        for d in &unit.spec {
            let after = comments::code_before(&self.input, d.span.start).max(unit.header.end);
            let above = comments::above(&self.input, after, d.span.start).above;
            let DeclKind::Type(t) = &d.kind else {
                first.extend(above);
                continue;
            };
            let symbols = self.entities(t, scope);
            let names: Vec<String> = symbols.iter().map(|s| self.local_name(*s)).collect();
            let declaration = body.iter_mut().find(|s| {
                matches!(&s.kind, StmtKind::Declare(d)
                    if d.names.iter().any(|n| names.contains(&n.name)))
            });
            let remark = comments::trailing(&self.input, d.span.end);
            if let Some(s) = declaration {
                if s.notes.above.is_empty() {
                    s.notes.above = above;
                }
                if s.notes.trailing.is_none() {
                    s.notes.trailing = remark;
                }
            } else if symbols.iter().any(|s| self.is_dummy(*s)) {
                first.extend(above);
                if let Some(r) = remark {
                    let r = r.trim_start_matches(['<', '>', '!']).trim();
                    dummies.push(format!(" {}: {r}", names.join(", ")));
                }
            }
        }
        if !first.is_empty() {
            let mut head = ir::Stmt::from(StmtKind::Empty);
            head.notes.above = first;
            body.insert(0, head);
        }
        dummies
    }

    /// Variables and constants of a type declaration that the procedure itself declares.
    fn entities(&self, t: &TypeDecl, scope: ScopeId) -> Vec<SymbolId> {
        let known = |n: &str| self.model()[scope].names.get(n).copied();
        t.entities
            .iter()
            .filter_map(|e| known(&e.name.text))
            .filter(|s| {
                matches!(
                    self.model()[*s].kind,
                    SymbolKind::Variable(_) | SymbolKind::Parameter(_)
                )
            })
            .collect()
    }

    fn is_dummy(&self, s: SymbolId) -> bool {
        self.model().variable(s).is_some_and(|v| v.dummy.is_some())
    }
}
