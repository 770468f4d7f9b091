//! Structure constructors with values for components that became pointers: such a component takes a pointer to memory of its own
//! kind, which holds a copy of the value while the statement runs.

use std::collections::BTreeSet;

use crate::ast::Span;
use crate::host::context::memory::{allocation_space, is_generic_type};
use crate::host::context::names::{ALLOCATED, ASSOCIATED, CUF, LBOUND, NULL, SIZE, UBOUND};
use crate::host::context::rules::Values;
use crate::host::context::storage::BoundsText;
use crate::host::context::{Held, HostRewriter};
use crate::host::lifetime::calls::guarded;
use crate::host::lifetime::sourced::source_bounds;
use crate::host::lifetime::types::became_pointer;
use crate::host::temporaries::described::Sample;
use crate::map::Rule;
use crate::sema::expression::typed::*;
use crate::sema::model::*;

impl HostRewriter<'_> {
    /// Puts the name of a variable in place of a structure constructor whose value has host allocatables: gfortran 12 frees those
    /// of a constructor that is an actual argument too early, and takes a structure given for an allocatable component for its own,
    /// frees and all. Such a component gets its value in a statement of its own.
    pub(in crate::translation::host) fn held_structure(
        &mut self,
        e: &TExpr,
        of: TypeId,
        args: &[Option<TExpr>],
    ) -> bool {
        let fields = self.model.components_of(of);
        let on_host = |f: &&Field| {
            f.attrs.has(VarAttrs::ALLOCATABLE) && matches!(f.space, Space::Host | Space::Thread)
        };
        let left_alone = !self.owners.owns_device_data(of) || self.assigned_by_user(of);
        // gfortran 12 frees such parts of a constructor after the first element of what it is copied to.
        if left_alone || !self.has_host_allocatables(of, &mut BTreeSet::new()) {
            return false;
        }
        let part = |f: &Field| match f.ty {
            Type::Derived(c) if on_host(&f) => Some(c),
            _ => None,
        };
        let parts: Vec<(&TExpr, &Field, TypeId)> = args
            .iter()
            .zip(&fields)
            .filter_map(|(a, f)| Some((a.as_ref()?, *f, part(f)?)))
            .filter(|(a, ..)| !matches!(a.kind, TExprKind::Null))
            .collect();
        if self.held.is_none() {
            if let Some((a, ..)) = parts
                .iter()
                .find(|(a, ..)| a.unparenthesised().is_designator())
            {
                self.finding(
                    "CUF0423",
                    a.span,
                    "structure that owns device data cannot be passed to an allocatable component here\nnote: no temporary can be created\nhelp: assign it to a variable first",
                );
            }
            return false;
        }
        let others: Vec<Option<TExpr>> = args
            .iter()
            .map(|a| {
                let a = a.as_ref()?;
                let deferred = parts.iter().any(|(p, ..)| p.span == a.span);
                (!deferred).then(|| a.clone())
            })
            .collect();
        let text = self.with_edits(e.span, |p| {
            p.constructor(of, &others);
            parts
                .iter()
                .for_each(|(a, ..)| p.edits.replace(Rule::Owner, a.span, format!("{NULL}()")));
        });
        let stem = self.model[of].name.clone();
        let values: Vec<String> = parts
            .iter()
            .map(|(a, ..)| self.lent_text(a.unparenthesised()))
            .collect();
        let name = self.held_name(&stem);
        let mut set = vec![format!("{name} = {text}")];
        let mut release = Vec::new();
        for ((a, f, c), from) in parts.into_iter().zip(values) {
            let a = a.unparenthesised();
            let to = format!("{name}%{}", f.spelling);
            let mut copy = vec![format!("allocate({to}{})", source_bounds(&from, a))];
            if self.owners.owns_device_data(c) {
                copy.push(format!("call {}({to}, {from})", self.helper("copy", c)));
                let freed = format!("call {}({to})", self.helper("release", c));
                release.extend(guarded(Some(ALLOCATED), &to, vec![freed]));
            } else {
                copy.push(format!("{to} = {from}"));
            }
            let inquiry = self.whole_allocatable(a).map(|_| ALLOCATED);
            set.extend(guarded(inquiry, &from, copy));
        }
        let declaration = format!("type({}) :: {name}", self.type_here(of));
        self.hold_variable(Held {
            declaration,
            set,
            release,
            end: None,
            at: None,
            name: name.clone(),
        });
        self.unit.runtime = true;
        self.edits.replace(Rule::Owner, e.span, name);
        true
    }

    /// A part of the type, at any depth, is allocatable in host memory.
    fn has_host_allocatables(&self, t: TypeId, seen: &mut BTreeSet<TypeId>) -> bool {
        // A type that is a part of itself is an error that the compiler reports.
        seen.insert(t)
            && self.model.components_of(t).iter().any(|f| {
                let own = !f.attrs.has(VarAttrs::POINTER) && !became_pointer(f);
                own && (f.attrs.has(VarAttrs::ALLOCATABLE)
                    || matches!(f.ty, Type::Derived(c) if self.has_host_allocatables(c, seen)))
            })
    }

    /// The values of a structure constructor.
    pub(in crate::translation::host) fn constructor(&mut self, of: TypeId, args: &[Option<TExpr>]) {
        let fields = self.model.components_of(of);
        for (k, a) in args.iter().enumerate() {
            let Some(a) = a else { continue };
            match fields.get(k) {
                Some(f) if f.attrs.has(VarAttrs::POINTER) && self.is_device(a) => {
                    self.subscripts(a)
                }
                Some(f) if became_pointer(f) && !matches!(a.kind, TExprKind::Null) => {
                    if self.is_such_pointer(a, f) {
                        self.subscripts(a);
                    } else {
                        self.component_value(a, f);
                    }
                }
                Some(f) if !f.attrs.has(VarAttrs::POINTER) && self.owner_part(a) => {}
                Some(f) => self.assigned_value(a, &f.ty),
                None => self.value(a),
            }
        }
    }

    /// A value of a type with device data in a constructor. gfortran 12 frees parts of what a pointer function points to and of
    /// variables in parentheses there: the former get a name, the latter lose the parentheses.
    pub(in crate::translation::host) fn owner_part(&mut self, a: &TExpr) -> bool {
        if !self.owners.may_own(&a.ty) {
            return false;
        }
        if self.hold_pointer(a) {
            return true;
        }
        let inner = a.unparenthesised();
        let bare = inner.is_designator() && inner.span != a.span;
        if bare {
            self.without_parentheses(a, inner);
            self.subscripts(inner);
        }
        bare
    }

    /// The value is a pointer in the host code written, to memory like the component's: the pointer is the value.
    fn is_such_pointer(&self, a: &TExpr, f: &Field) -> bool {
        let pointer = match &a.kind {
            TExprKind::Variable(s) => self.model.variable(*s).is_some_and(|v| {
                v.attrs.has(VarAttrs::ALLOCATABLE)
                    || v.dummy.is_none() && !v.attrs.has(VarAttrs::POINTER)
            }),
            TExprKind::Component { .. } => self.became_pointer(a),
            _ => false,
        };
        pointer
            && self.model.space(a).is_some_and(|s| s == f.space)
            && a.ty == f.ty
            && a.rank as usize == f.dims.len()
    }

    /// Puts the name of a pointer to a copy in place of a component's value.
    fn component_value(&mut self, a: &TExpr, f: &Field) {
        if self.held.is_none() {
            self.finding(
                "CUF0423",
                a.span,
                format!("value of device component `{}` is needed where no temporary can be created\nhelp: assign the structure to a variable first", f.spelling),
            );
            return;
        }
        let sample = Sample {
            ty: &f.ty,
            text: "",
            any_length: true,
        };
        let at = self.address_argument(a, "src_at");
        let text = self.source_text(a, &sample);
        let name = self.held_name(&f.name);
        let rank = f.dims.len();
        let space = allocation_space(f.space).unwrap_or_default();
        let ty = self.local_type(&f.ty);
        let (contiguous, colons) = match rank {
            0 => ("", String::new()),
            n => (", contiguous", format!("({})", vec![":"; n].join(","))),
        };
        let guard = self.value_guard(a, &text);
        let mut set = vec![format!("nullify({name})")];
        if is_generic_type(&f.ty) && !self.may_lie_apart(a.unparenthesised()) {
            let bounds = match rank > 0 && a.is_designator() {
                true => format!(", {LBOUND}({text})"),
                false => String::new(),
            };
            let space = match space {
                "" => String::new(),
                s => format!(", space={s}"),
            };
            set.push(format!(
                "{guard}call {CUF}assign({name}, {text}{bounds}{space})"
            ));
        } else {
            let each = |q: &str| (1..=rank).map(|d| format!("{q}({text}, {d})")).collect();
            let bounds = match a.is_designator() {
                true => BoundsText {
                    upper: each(UBOUND),
                    lower: each(LBOUND),
                    wide: false,
                },
                false => BoundsText {
                    upper: each(SIZE),
                    lower: Vec::new(),
                    wide: false,
                },
            };
            let data = self.data_of(&f.ty);
            let copy = match (space, self.is_device(a)) {
                ("", true) => format!("call {CUF}d2d({name}{data}, {text}{data}{at})"),
                ("", false) => format!("call {CUF}h2d({name}{data}, {text}{data}{at})"),
                (_, true) => format!("call {CUF}d2h({name}{data}, {text}{data}{at})"),
                (_, false) => format!("{name} = {text}"),
            };
            let allocate = self.allocate_text(&name, &f.ty, &bounds, space, "");
            if guard.is_empty() {
                set.extend([allocate, copy]);
            } else {
                set.extend([
                    format!("{guard}then"),
                    format!("  {allocate}"),
                    format!("  {copy}"),
                    "end if".to_owned(),
                ]);
            }
        }
        self.hold_variable(Held {
            declaration: format!("{ty}, pointer{contiguous} :: {name}{colons}"),
            set,
            release: vec![self.release_text(&name, &f.ty)],
            end: None,
            at: None,
            name: name.clone(),
        });
        self.unit.runtime = true;
        self.edits.replace(Rule::Owner, a.span, name);
    }

    /// What is not allocated gives a component that is not (F2018 7.5.10): the beginning of an IF statement.
    fn value_guard(&self, a: &TExpr, text: &str) -> String {
        let inquiry = if self.is_pointer(a) || self.became_pointer(a) {
            ASSOCIATED
        } else if self.whole_allocatable(a).is_some() {
            ALLOCATED
        } else {
            return String::new();
        };
        format!("if ({inquiry}({text})) ")
    }

    /// Reports a branch out of a BLOCK whose variables own device data, where nothing can be freed before it.
    pub(in crate::translation::host) fn leaves_owners(&mut self, at: Span) {
        self.finding(
            "CUF0423",
            at,
            "this branch may or may not leave a `block` that owns device data\nhelp: use `go to`, `exit`, or `return`",
        );
    }
}
