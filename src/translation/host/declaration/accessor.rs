//! Private module data that kernels of other modules need as hidden arguments, because they call device procedures of the module:
//! a public function of the module gives its address and shape.

use askama::Template;

use crate::ast::ProgramUnit;
use crate::host::context::HostRewriter;
use crate::host::context::generated;
use crate::host::context::names::{ARRAY_T, CUF, PTR};
use crate::sema::model::*;

/// The function for a variable. Texts are Fortran.
#[derive(Template)]
#[template(path = "host/accessor.f90", escape = "fortran")]
struct Accessor<'a> {
    name: &'a str,
    variable: &'a str,
    /// Name of the result's type.
    of: &'a str,
    value: String,
}

impl HostRewriter<'_> {
    /// The functions for a module's private data, and their names.
    pub(in crate::translation::host) fn accessors(
        &mut self,
        unit: &ProgramUnit,
        scope: ScopeId,
    ) -> (String, Vec<String>) {
        let indent = self.indent_at(unit.end.start) + "  ";
        let mut text = String::new();
        let mut names = Vec::new();
        let own = self.accessors.iter().copied();
        let own: Vec<SymbolId> = own.filter(|s| self.model[*s].scope == scope).collect();
        for s in own {
            let spelling = &self.model[s].spelling;
            let scalar = self.model.variable(s).is_some_and(|v| v.dims.is_empty());
            let of = self
                .model
                .variable(s)
                .map_or(Type::Unknown, |v| v.ty.clone());
            let (ty, value) = if scalar {
                (
                    PTR,
                    format!("{CUF}address({spelling}{})", self.data_of(&of)),
                )
            } else {
                (ARRAY_T, self.descriptor(spelling, &of, Some(s)))
            };
            let name = self.accessor_name(s);
            let lines = generated::lines(&Accessor {
                name: &name,
                variable: spelling,
                of: ty,
                value,
            });
            for line in lines {
                text.push_str(&crate::host::context::edit::wrap_line(&format!(
                    "{indent}{line}"
                )));
                text.push('\n');
            }
            text.insert(text.len() - 1, '\n');
            names.push(name);
            self.unit.runtime = true;
        }
        if !text.is_empty() {
            text.insert(0, '\n');
            text.pop();
        }
        (text, names)
    }
}
