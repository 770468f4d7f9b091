//! Actual arguments whose elements must lie side by side: the Fortran compiler would gather a strided section of device
//! data on the host, so the runtime gathers it into device memory instead and copies it back after the call.

use super::Pass;
use crate::ast::{Intent, Span};
use crate::sema::model::*;
use crate::sema::query::surely_dense;
use crate::sema::typed::*;

/// An actual argument that is replaced by a contiguous copy.
struct Copied<'t> {
    actual: &'t TExpr,
    /// The dummy is not changed, so nothing is copied back.
    read_only: bool,
    /// A device scalar for a dummy of the host, else device data that must lie side by side.
    scalar: bool,
    /// Name of the pointer that stands for the actual in the call.
    name: String,
}

impl Pass<'_> {
    /// The actual arguments of a CALL statement. `statement` is the whole statement.
    pub(super) fn call_actuals(
        &mut self,
        args: &[Option<TExpr>],
        dummies: &[Option<SymbolId>],
        statement: Span,
    ) {
        let mut copied: Vec<Copied<'_>> = Vec::new();
        for (i, a) in args.iter().enumerate() {
            let Some(a) = a else { continue };
            let dummy = dummies.get(i).copied().flatten();
            let scalar = self.needs_host_scalar(a, dummy);
            if scalar || self.needs_copy(a, dummy) && self.can_copy(a) {
                let stem = a.root().map_or("", |r| self.model[r].name.as_str());
                let mut name = format!("cuf_{stem}");
                while copied.iter().any(|c| c.name == name) {
                    name.push('_');
                }
                name.truncate(63);
                copied.push(Copied {
                    actual: a,
                    read_only: dummy
                        .and_then(|d| self.model.variable(d))
                        .is_some_and(|v| v.intent == Some(Intent::In)),
                    scalar,
                    name,
                });
            } else {
                self.actual(a, dummy);
            }
        }
        if copied.is_empty() {
            return;
        }
        self.unit.runtime = true;
        let indent = self.indent_at(statement.start);
        let (mut declare, mut before, mut after) = (Vec::new(), Vec::new(), Vec::new());
        let mut ends: Vec<String> = Vec::new();
        for c in &copied {
            let text = self.with_edits(c.actual.span, |p| {
                p.whole_base(c.actual);
                p.subscripts(c.actual);
            });
            // A type may go by another name here.
            let ty = match c.actual.ty {
                Type::Derived(t) => match self.visible_type(t) {
                    Some(name) => format!("type({name})"),
                    None => self.model.type_name(&c.actual.ty),
                },
                _ => self.model.type_name(&c.actual.ty),
            };
            if c.scalar {
                declare.push(format!("{ty} :: {}", c.name));
                let mut place = text;
                if has_variable_subscript(c.actual) {
                    // The procedure may change what the subscripts are made of.
                    let name = format!("{}_at", c.name);
                    before.push(format!("associate ({name} => {place})"));
                    ends.push("end associate".to_owned());
                    place = name;
                }
                before.push(format!("call cuf_d2h({}, {place})", c.name));
                after.push(format!("call cuf_h2d({place}, {})", c.name));
                self.edits.replace(c.actual.span, c.name.clone());
                continue;
            }
            let colons = vec![":"; c.actual.rank as usize].join(",");
            declare.push(format!("{ty}, pointer, contiguous :: {}({colons})", c.name));
            let guard = self.guard(c.actual);
            if guard.is_some() {
                before.push(format!("nullify({})", c.name));
            }
            let guard = guard.unwrap_or_default();
            before.push(format!(
                "{guard}call cuf_associate(cuf_copy_in({text}), {}, shape({text}))",
                c.name
            ));
            let done = if c.read_only {
                "cuf_copy_done"
            } else {
                "cuf_copy_out"
            };
            after.push(format!("{guard}call {done}({text}, {})", c.name));
            self.edits.replace(c.actual.span, c.name.clone());
        }
        let line = |l: &String| format!("{}\n{indent}", super::edit::wrap_line(&format!("  {l}")));
        let head: String = declare.iter().chain(&before).map(line).collect();
        self.edits
            .insert(statement.start, format!("block\n{indent}{head}  "));
        let tail: String = after.iter().chain(&ends).map(line).collect();
        self.edits
            .insert(statement.end, format!("\n{indent}{tail}end block"));
    }

    /// A device scalar for a scalar dummy of the host without INTENT, which the procedure may change. INTENT(IN) needs no
    /// copy back; the checks refuse the others.
    fn needs_host_scalar(&self, a: &TExpr, dummy: Option<SymbolId>) -> bool {
        let Some(v) = dummy.and_then(|d| self.model.variable(d)) else {
            return false;
        };
        v.space == Space::Host
            && v.intent.is_none()
            && v.dims.is_empty()
            && !v.attrs.has(VarAttrs::VALUE)
            && a.rank == 0
            && a.is_designator()
            && self.is_device(a)
            && is_named(&a.ty)
    }

    /// `if (present(x)) ` for an optional dummy that is passed on.
    fn guard(&self, a: &TExpr) -> Option<String> {
        let TExprKind::Variable(s) = a.kind else {
            return None;
        };
        let v = self.model.variable(s)?;
        v.attrs
            .has(VarAttrs::OPTIONAL)
            .then(|| format!("if (present({})) ", self.slice(a.span)))
    }

    /// Device data that may have gaps, for a dummy that has none.
    fn needs_copy(&self, a: &TExpr, dummy: Option<SymbolId>) -> bool {
        let Some(v) = dummy.and_then(|d| self.model.variable(d)) else {
            return false;
        };
        let dense = v.attrs.has(VarAttrs::CONTIGUOUS)
            || matches!(
                v.dims.last(),
                Some(Dim::Explicit { .. } | Dim::AssumedSize { .. })
            );
        let device = |s: Space| !matches!(s, Space::Host | Space::Thread | Space::Pinned);
        dense
            && device(v.space)
            && !v.attrs.has(VarAttrs::POINTER)
            && !v.attrs.has(VarAttrs::ALLOCATABLE)
            && a.rank > 0
            && a.is_designator()
            && self.model.space(a).is_some_and(device)
            && !self.surely_contiguous(a)
    }

    /// A copy can be made; reports why not.
    fn can_copy(&mut self, a: &TExpr) -> bool {
        if has_vector_subscript(a) || !is_named(&a.ty) {
            self.finding(
                "CUF0382",
                a.span,
                "this section of device data would have to be gathered on the host: assign it to a device array and pass that",
            );
            return false;
        }
        true
    }

    /// An actual of a function reference: no statement can be put around it.
    pub(super) fn function_actual(&mut self, a: &TExpr, dummy: Option<SymbolId>) {
        let whole = matches!(a.kind, TExprKind::Variable(_));
        if !whole && self.needs_copy(a, dummy) {
            self.finding(
                "CUF0382",
                a.span,
                "a section of device data with gaps is an argument of a function that needs its elements side by side: assign it to a device array and pass that",
            );
        }
    }

    /// The designator denotes memory without gaps, whatever the program does.
    fn surely_contiguous(&self, a: &TExpr) -> bool {
        match &a.kind {
            TExprKind::Variable(s) => match &self.model[*s].kind {
                SymbolKind::Variable(v) => surely_dense(v.attrs, &v.dims, v.dummy.is_some()),
                SymbolKind::Associate { expr, outer, .. } => {
                    let selector = self.model.expr(*outer, expr);
                    selector.is_designator() && self.surely_contiguous(&selector)
                }
                _ => false,
            },
            TExprKind::Component {
                base, of, index, ..
            } => {
                base.rank <= 0
                    && self
                        .model
                        .components_of(*of)
                        .get(*index)
                        .is_some_and(|f| surely_dense(f.attrs, &f.dims, false))
            }
            TExprKind::Index { base, subs } => {
                if !self.surely_contiguous(base) {
                    return false;
                }
                // Leading whole dimensions, one range, then elements.
                let mut open = true;
                subs.iter().all(|s| match s {
                    Subscript::Range { lo, hi, step }
                        if step.as_ref().is_none_or(|s| s.as_integer() == Some(1)) =>
                    {
                        let whole = lo.is_none() && hi.is_none();
                        let fits = open;
                        open = open && whole;
                        fits
                    }
                    Subscript::Range { .. } | Subscript::Vector(_) => false,
                    Subscript::Element(_) => {
                        open = false;
                        true
                    }
                })
            }
            _ => false,
        }
    }
}

/// A subscript that is no constant.
fn has_variable_subscript(a: &TExpr) -> bool {
    match &a.kind {
        TExprKind::Index { base, subs } => {
            let constant = |s: &Subscript| matches!(s, Subscript::Element(e) if e.value.is_some());
            !subs.iter().all(constant) || has_variable_subscript(base)
        }
        TExprKind::Component { base, .. }
        | TExprKind::Substring { base, .. }
        | TExprKind::ComplexPart { base, .. } => has_variable_subscript(base),
        _ => false,
    }
}

/// A local variable of the type can be declared by its name.
fn is_named(ty: &Type) -> bool {
    matches!(
        ty,
        Type::Integer(_)
            | Type::Real(4 | 8)
            | Type::Complex(_)
            | Type::Logical(_)
            | Type::Character(CharacterLength::Constant(_))
            | Type::Derived(_)
    )
}

pub(super) fn has_vector_subscript(a: &TExpr) -> bool {
    match &a.kind {
        TExprKind::Index { base, subs } => {
            subs.iter().any(|s| matches!(s, Subscript::Vector(_))) || has_vector_subscript(base)
        }
        TExprKind::Component { base, .. }
        | TExprKind::Substring { base, .. }
        | TExprKind::ComplexPart { base, .. } => has_vector_subscript(base),
        _ => false,
    }
}
