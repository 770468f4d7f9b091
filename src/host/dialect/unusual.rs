//! Small things that nvfortran accepts and gfortran does not: names of programs, scalar shapes.

use crate::ast::*;
use crate::host::context::Pass;
use crate::host::context::names::CUF;
use crate::map::Rule;
use crate::sema::expression::typed::TExpr;
use crate::sema::model::*;

impl Pass<'_> {
    /// A program may have the name of a kernel that it uses (guide 2.12.3), which standard Fortran does not allow: the program gets
    /// another one.
    pub(in crate::host) fn program_name(&mut self, unit: &ProgramUnit, scope: ScopeId) {
        let name = &unit.name;
        if name.text.is_empty() || self.model.lookup_used(scope, &name.text).is_none() {
            return;
        }
        let other = format!("{CUF}{}", name.text);
        let end = self.slice(unit.end).to_ascii_lowercase();
        if let Some(at) = end.rfind(&*name.text).filter(|at| *at > 0) {
            let start = unit.end.start + at as u32;
            let span = Span {
                start,
                end: start + name.text.len() as u32,
            };
            self.edits.replace(Rule::Dialect, span, other.clone());
        }
        self.edits.replace(Rule::Dialect, name.span, other);
    }

    /// nvfortran takes a scalar for the shape of a pointer of rank 1 (guide 5.3).
    pub(in crate::host) fn scalar_shape(&mut self, args: &[(Option<String>, TExpr)]) {
        if let Some((_, shape)) = args.get(2)
            && shape.rank == 0
        {
            let span = shape.span;
            self.edits.insert_first(Rule::Dialect, span.start, "[");
            self.edits.insert(Rule::Dialect, span.end, "]");
        }
    }
}
