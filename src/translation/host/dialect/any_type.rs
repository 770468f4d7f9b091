//! Dummies whose actual arguments may have any type (`ignore_tkr`). gfortran's form of them is TYPE(*), which a procedure can only pass on: its
//! body works with pointers of the declared types instead, in a BLOCK where they have the dummies' names.

use crate::ast::{AttrKind, DeclKind, DimSpec, Entity, Expr, Intent, ProgramUnit, Span, StmtKind};
use crate::host::context::memory::allocation_space;
use crate::host::context::names::{CUF, PTR};
use crate::host::context::{HostRewriter, list};
use crate::host::declaration::specifics::takes_any;
use crate::map::Rule;
use crate::sema::model::*;

/// The extent of a dummy of assumed size, which nobody asks for.
const ASSUMED: &str = "1099511627776_8";

impl HostRewriter<'_> {
    /// The directives of gfortran and of LLVM flang that do what `ignore_tkr` does, where it can.
    pub(in crate::translation::host) fn ignored_types(
        &mut self,
        unit: &ProgramUnit,
        scope: ScopeId,
    ) {
        let any = |s: &SymbolId| self.model.variable(*s).is_some_and(takes_any);
        let taking: Vec<(&str, SymbolId)> = (self.model[scope].names.iter())
            .filter(|(_, s)| any(s))
            .map(|(n, s)| (n.as_str(), *s))
            .collect();
        let Some(last) = unit.spec.last() else {
            return;
        };
        let names: Vec<&str> = taking.iter().map(|(n, _)| *n).collect();
        if !names.is_empty() {
            self.intent_of_any(unit, &names, scope);
            self.type_of_any(unit, &names, scope);
            let indent = self.indent_at(last.span.start);
            let list = names.join(", ");
            let mut text = format!(
                "\n{indent}!GCC$ ATTRIBUTES NO_ARG_CHECK :: {list}\n{indent}!dir$ ignore_tkr (tkr) {list}"
            );
            // The body of a procedure takes their addresses.
            let plain = |s: SymbolId| {
                let device = |v: &Variable| allocation_space(v.space).is_some();
                let fits = |v: &Variable| !device(v) && !v.attrs.has(VarAttrs::TARGET);
                self.model.variable(s).is_some_and(fits)
            };
            let targets = taking.iter().filter(|(_, s)| plain(*s)).map(|(n, _)| *n);
            let targets: Vec<&str> = targets.collect();
            if !targets.is_empty() && !unit.body.is_empty() {
                text.push_str(&format!("\n{indent}target :: {}", targets.join(", ")));
            }
            self.edits.insert(Rule::Dialect, last.span.end, text);
        }
    }

    /// Of structures and characters gfortran takes the directive with TYPE(*) only.
    fn type_of_any(&mut self, unit: &ProgramUnit, names: &[&str], scope: ScopeId) {
        for d in &unit.spec {
            let DeclKind::Type(t) = &d.kind else { continue };
            let any = |e: &&Entity| names.contains(&e.name.text.as_str());
            let Some(first) = t.entities.iter().find(any) else {
                continue;
            };
            let ty = self.model.type_of_spec(scope, &t.spec);
            if !matches!(ty, Type::Derived(_) | Type::Character(_)) {
                continue;
            }
            if t.entities.iter().all(|e| any(&e)) {
                self.edits.replace(Rule::Dialect, t.spec.span, "type(*)");
            } else {
                let name = self.slice(first.name.span);
                let message = format!(
                    "dummy argument `{name}`, whose type is ignored, is declared together with others"
                );
                self.finding("CUF0465", first.name.span, message);
                self.help(format!("declare `{name}` in a statement of its own"));
            }
        }
    }

    /// INTENT(OUT) of such dummies, which gfortran refuses, becomes INTENT(INOUT); of device data it does where that is declared anew.
    fn intent_of_any(&mut self, unit: &ProgramUnit, names: &[&str], scope: ScopeId) {
        for d in &unit.spec {
            let DeclKind::Type(t) = &d.kind else { continue };
            let mut entities = t.entities.iter();
            let host = |n: &str| {
                let symbol = self.model[scope].names.get(n);
                let v = symbol.and_then(|s| self.model.variable(*s));
                v.is_some_and(|v| allocation_space(v.space).is_none())
            };
            if !entities.any(|e| names.contains(&e.name.text.as_str()) && host(&e.name.text)) {
                continue;
            }
            for a in &t.attrs {
                if matches!(a.kind, AttrKind::Intent(Intent::Out)) {
                    self.edits.replace(Rule::Dialect, a.span, "intent(inout)");
                }
            }
        }
    }

    /// The statements that begin the work of a procedure with typed pointers to its dummies of any type, and those that end it.
    pub(in crate::translation::host) fn typed_dummies(
        &mut self,
        unit: &ProgramUnit,
        scope: ScopeId,
    ) -> (Vec<String>, Vec<String>) {
        let (Some(first), Some(last)) = (unit.body.first(), unit.body.last()) else {
            return Default::default();
        };
        let body = Span {
            start: first.start(),
            end: last.span.end,
        };
        let procedure = self.model[scope].symbol.map(|s| self.model.procedure(s));
        let dummies = procedure.flatten().map_or(&[][..], |p| &p.dummies);
        let (mut addresses, mut pointers) = (Vec::new(), Vec::new());
        for symbol in dummies.iter().flatten() {
            let model = self.model;
            let Some(v) = model.variable(*symbol).filter(|v| takes_any(v)) else {
                continue;
            };
            let name = model[*symbol].spelling.to_string();
            self.used_inside(unit, scope, *symbol);
            let Some(declared) = self.declared_as(v).filter(|_| self.mentions(body, &name)) else {
                continue;
            };
            if let Some(e) = (unit.body.iter()).find(|s| matches!(s.kind, StmtKind::Entry(_))) {
                let message = format!(
                    "`{name}` ignores its type in a procedure with an `entry` statement\nnote: this is not supported"
                );
                self.finding("CUF0465", e.span, message);
                continue;
            }
            let at = format!("{CUF}at_{name}");
            addresses.push(format!("  type({PTR}) :: {at}"));
            pointers.push((name, at, declared, v.dims.as_slice()));
        }
        if pointers.is_empty() {
            return Default::default();
        }
        let set = |(name, at, ..): &(String, String, String, &[Dim])| {
            format!("  {at} = {CUF}loc({name})")
        };
        let mut lines = vec!["block".to_owned()];
        lines.extend(addresses);
        lines.extend(pointers.iter().map(set));
        lines.push("  block".to_owned());
        let mut associations = Vec::new();
        for (name, at, declared, dims) in pointers {
            let colons = match dims.len() {
                0 => String::new(),
                n => format!("({})", vec![":"; n].join(", ")),
            };
            let contiguous = if dims.is_empty() { "" } else { ", contiguous" };
            lines.push(format!(
                "    {declared}, pointer{contiguous} :: {name}{colons}"
            ));
            let (shape, low) = self.shape_of_dummy(dims, scope);
            associations.push(format!("    call {CUF}associate({at}, {name}{shape})"));
            if !low.is_empty() {
                associations.push(format!("    {name}({}) => {name}", list(low.into_iter())));
            }
        }
        lines.extend(associations);
        (lines, vec!["end block".to_owned(), "end block".to_owned()])
    }

    /// The shape as an argument of C_F_POINTER, and the lower bounds where they are not all 1.
    fn shape_of_dummy(&mut self, dims: &[Dim], scope: ScopeId) -> (String, Vec<String>) {
        let one = Expr::one();
        let spec = |d: &Dim| match d {
            Dim::Explicit { lower, upper } => DimSpec::Explicit {
                lower: lower.clone(),
                upper: upper.clone(),
            },
            Dim::AssumedSize { lower } => DimSpec::Explicit {
                lower: lower.clone(),
                upper: one.clone(),
            },
            _ => DimSpec::Explicit {
                lower: None,
                upper: one.clone(),
            },
        };
        let specs: Vec<DimSpec> = dims.iter().map(spec).collect();
        let bounds = self.bounds_text(&specs, Some(scope));
        let mut extents = bounds.extents();
        if let (Some(Dim::AssumedSize { .. }), Some(last)) = (dims.last(), extents.last_mut()) {
            ASSUMED.clone_into(last);
        }
        let low = bounds.lower.iter().map(|l| format!("{l}:")).collect();
        match extents.is_empty() {
            true => (String::new(), low),
            false => (format!(", [integer(8) :: {}]", extents.join(", ")), low),
        }
    }

    /// The declared type of a dummy, for a pointer.
    fn declared_as(&mut self, v: &Variable) -> Option<String> {
        Some(match &v.ty {
            Type::Real(2) => self.half_type(),
            Type::Integer(_) | Type::Real(_) | Type::Complex(_) | Type::Logical(_) => {
                self.model.type_name(&v.ty)
            }
            Type::Character(CharacterLength::Constant(_)) => self.model.type_name(&v.ty),
            Type::Derived(_) => self.owner_type_text(&v.ty),
            _ => return None,
        })
    }

    /// An internal procedure cannot reach such a dummy: it has no type there.
    fn used_inside(&mut self, unit: &ProgramUnit, scope: ScopeId, dummy: SymbolId) {
        let name = self.model[dummy].name.clone();
        for p in &unit.procedures {
            let inside = self.child_scope(scope, p);
            let same = |c: ScopeId| self.model.lookup(c, &name) == Some(dummy);
            if inside.is_some_and(same) && self.mentions(p.span, &name) {
                let message = format!(
                    "internal procedure `{}` uses `{name}`, a dummy argument whose type is ignored",
                    p.name.text
                );
                self.finding("CUF0465", p.name.span, message);
                self.help(format!("pass `{name}` as an argument"));
            }
        }
    }

    /// What to do about the last finding.
    pub(super) fn help(&mut self, text: String) {
        if let Some(f) = self.findings.last_mut() {
            f.help = Some(text);
        }
    }

    /// The text has the name as a word.
    fn mentions(&self, span: Span, name: &str) -> bool {
        let text = self.slice(span).to_ascii_lowercase();
        let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let name = name.to_ascii_lowercase();
        text.split(|c: char| !part(c)).any(|w| w == name)
    }
}
