//! Small things that nvfortran accepts and gfortran does not: names of programs, scalar shapes, faults of formats, VALUE of what is not a dummy,
//! seeds of another kind, functions with two types, sizes of what is not interoperable.

use std::collections::BTreeSet;

use crate::ast::*;
use crate::host::context::names::{CUF, INT, SIZE, STORAGE_SIZE};
use crate::host::context::rules::Values;
use crate::host::context::{Held, HostRewriter};
use crate::map::Rule;
use crate::sema::expression::format;
use crate::sema::expression::typed::{TExpr, TExprKind};
use crate::sema::model::*;

impl HostRewriter<'_> {
    /// A program may have the name of a kernel that it uses (guide 2.12.3), which standard Fortran does not allow: the program gets
    /// another one.
    pub(in crate::translation::host) fn program_name(
        &mut self,
        unit: &ProgramUnit,
        scope: ScopeId,
    ) {
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

    /// The variable of an implied DO in a declaration has the scope of the implied DO (F2018 19.4). gfortran makes it a variable of the
    /// module if nothing declares it, which then conflicts with declarations in what uses the module: it becomes private.
    pub(in crate::translation::host) fn implied_variables(
        &mut self,
        unit: &ProgramUnit,
        scope: ScopeId,
    ) {
        fn implied_names<'e>(e: &'e Expr, names: &mut BTreeSet<&'e str>) {
            if let ExprKind::ImpliedDo(d) = &e.kind {
                names.insert(&d.var.text);
            }
            e.for_each_child(&mut |c| implied_names(c, names));
        }
        let mut names = BTreeSet::new();
        for e in unit.spec.iter().flat_map(Decl::expressions) {
            implied_names(e, &mut names);
        }
        names.retain(|n| match self.model.lookup(scope, n) {
            Some(s) => self.model.variable(s).is_some_and(|v| !v.declared),
            None => true,
        });
        let strict = |d: &Decl| matches!(d.kind, DeclKind::ImplicitNone);
        if names.is_empty() || unit.spec.iter().any(strict) {
            return;
        }
        let names: Vec<&str> = names.into_iter().collect();
        let end = unit.contains.map_or(unit.end.start, |c| c.start);
        let line = format!("private :: {}", names.join(", "));
        self.insert_before_line(Rule::Dialect, end, &[line], 2);
    }

    /// nvfortran takes a scalar for the shape of a pointer of rank 1 (guide 5.3).
    pub(in crate::translation::host) fn scalar_shape(&mut self, args: &[(Option<String>, TExpr)]) {
        if let Some((_, shape)) = args.get(2)
            && shape.rank == 0
        {
            let span = shape.span;
            self.edits.insert_first(Rule::Dialect, span.start, "[");
            self.edits.insert(Rule::Dialect, span.end, "]");
        }
    }

    /// A constant format that gfortran judges when it compiles, and refuses: nvfortran meets the fault only where the statement is carried
    /// out. A variable has the text.
    pub(in crate::translation::host) fn faulty_format(&mut self, format: &Expr) {
        let t = self.expr(format);
        let Some(Constant::Character(text)) = &t.value else {
            return;
        };
        let text = text.to_string();
        if t.rank != 0 || self.held.is_none() || format::fault(&text).is_none() {
            return;
        }
        let name = self.held_name("format");
        self.hold_variable(Held {
            declaration: format!("character(len={}) :: {name}", text.len()),
            set: vec![format!("{name} = {}", self.slice(format.span))],
            release: Vec::new(),
            end: None,
            at: None,
            name: name.clone(),
        });
        self.edits.replace(Rule::Dialect, format.span, name);
    }

    /// The format in a control list: the second item, or the only one of `read fmt, items`.
    pub(in crate::translation::host) fn control_format(&mut self, control: &[Arg], reads: bool) {
        let named = |a: &&Arg| a.keyword.as_ref().is_some_and(|k| k.text == "fmt");
        let place = match control.len() {
            1 if reads => 0,
            _ => 1,
        };
        let listed = || control.get(place).filter(|a| a.keyword.is_none());
        if let Some(format) = control.iter().find(named).or_else(listed) {
            self.faulty_format(&format.value);
        }
    }

    /// VALUE of variables that are not dummies, which nvfortran takes without a meaning: the attribute leaves the declaration.
    pub(in crate::translation::host) fn stray_value(&mut self, t: &TypeDecl, scope: ScopeId) {
        let mut last = t.spec.span.end;
        for a in &t.attrs {
            if matches!(a.kind, AttrKind::Value) && self.is_stray_value(&t.entities, scope) {
                let span = Span {
                    start: last,
                    end: a.span.end,
                };
                self.edits.delete(Rule::Dialect, span);
            }
            last = a.span.end;
        }
    }

    /// None of the entities is a dummy.
    pub(in crate::translation::host) fn is_stray_value(
        &self,
        entities: &[Entity],
        scope: ScopeId,
    ) -> bool {
        entities.iter().all(|e| {
            let symbol = self.model[scope].names.get(e.name.text.as_str());
            let v = symbol.and_then(|s| self.model.variable(*s));
            v.is_some_and(|v| v.dummy.is_none())
        })
    }

    /// A BOZ constant of DEC's compilers and nvfortran, `'ff'x`: `z'ff'` (F2018 R764).
    pub(in crate::translation::host) fn standard_boz(&mut self, e: &TExpr) {
        let text = self.slice(e.span);
        let radix = match text.chars().last().map(|c| c.to_ascii_lowercase()) {
            Some('x') => 'z',
            Some(c @ ('b' | 'o' | 'z')) => c,
            _ => return,
        };
        let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let text = format!("{radix}{digits}");
        self.edits.replace(Rule::Dialect, e.span, text);
    }

    /// A tab after `print` or `read`, where gfortran wants a blank.
    pub(in crate::translation::host) fn blank_after_keyword(&mut self, statement: Span) {
        let text = self.slice(statement);
        let word = text.find(|c: char| !c.is_ascii_alphabetic());
        if let Some(at) = word.filter(|at| text[*at..].starts_with('\t')) {
            let start = statement.start + at as u32;
            let end = start + 1;
            self.edits.replace(Rule::Dialect, Span { start, end }, " ");
        }
    }

    /// `call random_seed(put=k)` with integers of another kind than gfortran wants.
    pub(in crate::translation::host) fn seed(&mut self, args: &[Option<TExpr>]) {
        for (i, a) in args.iter().enumerate() {
            let Some(a) = a else { continue };
            self.value(a);
            if i == 1 && matches!(a.ty, Type::Integer(k) if k != 4) {
                self.unit.runtime = true;
                self.edits
                    .insert_first(Rule::Dialect, a.span.start, format!("{INT}("));
                self.edits.insert(Rule::Dialect, a.span.end, ", 4)");
            }
        }
    }

    /// `real function f(x)` with `real :: f` in it: the type of the FUNCTION statement leaves. (One that differs has been reported.)
    pub(in crate::translation::host) fn second_type(&mut self, unit: &ProgramUnit, scope: ScopeId) {
        let Some(spec) = &unit.prefix.result_type else {
            return;
        };
        let procedure = self.model[scope].symbol.map(|s| self.model.procedure(s));
        let Some(result) = procedure.flatten().and_then(|p| p.result) else {
            return;
        };
        let name = &self.model[result].name;
        let typed = |d: &Decl| match &d.kind {
            DeclKind::Type(t) => t.entities.iter().any(|e| e.name.text == name.as_str()),
            _ => false,
        };
        if unit.spec.iter().any(typed) {
            let rest = self.text.get(spec.span.end as usize..).unwrap_or_default();
            let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
            let span = Span {
                end: spec.span.end + blanks as u32,
                ..spec.span
            };
            self.edits.delete(Rule::Dialect, span);
        }
    }

    /// `c_sizeof(a)` of what is not interoperable, which nvfortran takes: the size is computed. True if the reference has been dealt with.
    pub(in crate::translation::host) fn byte_size(&mut self, reference: &TExpr, a: &TExpr) -> bool {
        let explicit = |v: &Variable| {
            let fixed = |d: &Dim| matches!(d, Dim::Explicit { .. });
            v.space == Space::Host && !v.attrs.is_dynamic() && v.dims.iter().all(fixed)
        };
        let whole = match a.kind {
            TExprKind::Variable(s) => self.model.variable(s).is_some_and(explicit),
            _ => false,
        };
        let structure = matches!(a.ty, Type::Derived(t) if !self.model[t].bind_c);
        if !a.is_designator() || !(structure || a.rank > 0 && !whole) {
            return false;
        }
        let text = self.repeated_text(a);
        let count = match a.rank {
            1.. => format!("*{SIZE}({text}, kind=8)"),
            _ => String::new(),
        };
        let text = format!("({STORAGE_SIZE}({text}, kind=8)/8_8{count})");
        self.unit.runtime = true;
        self.edits.replace(Rule::Dialect, reference.span, text);
        true
    }

    /// A FORMAT statement that gfortran refuses, though nobody may use it.
    pub(in crate::translation::host) fn format_statement(&mut self, span: Span) {
        let text = self.slice(span).trim_end();
        // Continued lines are not put together here.
        let Some(at) = text.find('(').filter(|_| !text.contains('\n')) else {
            return;
        };
        if let Some(fault) = format::fault(&text[at..]) {
            let message = format!("{fault}, so that the Fortran compiler refuses it");
            self.finding("CUF0465", span, message);
        }
    }
}
