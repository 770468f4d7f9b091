//! Device data with a vector subscript in host code: the statement around it holds a copy of the array on the host, which is
//! indexed in its place, and copied back where it was assigned to. (The Fortran compiler would gather it in memory that the
//! host must not touch.)

use crate::ast::Span;
use crate::host::context::names::{CUF, LBOUND, SIZE, UBOUND};
use crate::host::context::rules::Values;
use crate::host::context::{Held, HostRewriter};
use crate::host::temporaries::copy_in::{has_vector_subscript, is_named};
use crate::map::Rule;
use crate::sema::expression::typed::*;

impl HostRewriter<'_> {
    /// Puts the host copy in place of the array (or of a component of its elements); reports where none can be held. `written`: an
    /// assignment's left side.
    pub(in crate::translation::host) fn index_on_host(&mut self, e: &TExpr, written: bool) {
        let can_hold = self.held.is_some() || self.copies.is_some() && !written;
        let Some((part, base, subs)) = vector_part(e).filter(|_| can_hold && is_named(&e.ty))
        else {
            return self.vector_subscript(e);
        };
        let array = self.with_edits(base.span, |p| {
            p.whole_base(base);
            p.repeated(|p| p.subscripts(base));
        });
        // What follows the subscript: `%r%x`.
        let rest = Span {
            start: part.span.end,
            end: e.span.end,
        };
        let component = self.with_edits(rest, |p| p.outer_subscripts(e, part));
        let stem = base.root().map_or("", |r| self.model[r].name.as_str());
        let name = self.held_name(stem);
        let rank = base.rank.max(1);
        let data = self.data_of(&e.ty);
        let bounds: Vec<String> = (1..=rank)
            .map(|d| format!("{LBOUND}({array}, {d}):{UBOUND}({array}, {d})"))
            .collect();
        let source = match component.is_empty() {
            true => array.clone(),
            false => {
                let colons = vec![":"; rank as usize].join(",");
                format!("{array}({colons}){component}")
            }
        };
        let of = self.local_type(&e.ty);
        let colons = vec![":"; rank as usize].join(",");
        self.hold_host_copy(Held {
            declaration: format!("{of}, allocatable :: {name}({colons})"),
            set: vec![
                format!("allocate({name}({}))", bounds.join(", ")),
                format!("call {CUF}d2h({name}{data}, {source}{data})"),
            ],
            release: Vec::new(),
            end: None,
            at: None,
            name: name.clone(),
        });
        self.unit.runtime = true;
        self.edits.replace(Rule::CopyIn, base.span, name.clone());
        if !component.is_empty() {
            self.edits.delete(Rule::CopyIn, rest);
        }
        if written {
            return self.write_back((&array, &component), (&name, &data), stem, subs);
        }
        for s in subs {
            parts(s).for_each(|x| self.value(x));
        }
    }

    /// Copies the elements that the left side denotes to the device, and no others: kernels and other threads may change those
    /// meanwhile. The statement holds the vectors, which are evaluated once.
    fn write_back(
        &mut self,
        (array, component): (&str, &str),
        (copy, data): (&str, &str),
        stem: &str,
        subs: &[Subscript],
    ) {
        let (mut opens, mut closes, mut places) = (Vec::new(), Vec::new(), Vec::new());
        for s in subs {
            let Subscript::Vector(x) = s else {
                places.push(self.repeated_subscript(s));
                parts(s).for_each(|x| self.subscript(x, true));
                continue;
            };
            let text = self.with_edits(x.span, |p| p.value(x));
            let vector = self.held_name(&format!("{stem}_index"));
            let set = vec![format!("{vector} = {text}")];
            self.hold_variable(declared(&vector, "integer(8), allocatable", "(:)", set));
            let i = self.held_name("i");
            self.hold_variable(declared(&i, "integer(8)", "", Vec::new()));
            self.edits.replace(Rule::CopyIn, x.span, vector.clone());
            opens.push(format!("do {i} = 1, {SIZE}({vector})"));
            closes.push("end do".to_owned());
            places.push(format!("{vector}({i})"));
        }
        let at = places.join(", ");
        let mut release = opens;
        let indent = "  ".repeat(release.len());
        release.push(format!(
            "{indent}call {CUF}h2d({array}({at}){component}{data}, {copy}({at}){data})"
        ));
        release.extend(closes);
        let last = self.held.as_mut().and_then(|h| h.last_mut());
        if let Some(held) = last {
            held.release = release;
        }
    }
}

impl HostRewriter<'_> {
    /// The subscripts behind a part of a designator, which stand in the statement more than once.
    fn outer_subscripts(&mut self, e: &TExpr, part: &TExpr) {
        if e.span == part.span {
            return;
        }
        match &e.kind {
            TExprKind::Index { base, subs } => {
                self.outer_subscripts(base, part);
                let all = subs.iter().flat_map(parts);
                all.for_each(|x| self.subscript(x, true));
            }
            TExprKind::Substring { base, lo, hi } => {
                self.outer_subscripts(base, part);
                let all = [lo, hi].into_iter().flatten();
                all.for_each(|x| self.subscript(x, true));
            }
            TExprKind::Component { base, .. } | TExprKind::ComplexPart { base, .. } => {
                self.outer_subscripts(base, part);
            }
            _ => {}
        }
    }

    /// The text of a subscript that stands in the statement and behind it.
    fn repeated_subscript(&mut self, s: &Subscript) -> String {
        let mut text = |x: &Option<TExpr>| {
            x.as_ref().map_or(String::new(), |x| {
                self.with_edits(x.span, |p| p.subscript(x, true))
            })
        };
        match s {
            Subscript::Element(x) | Subscript::Vector(x) => {
                self.with_edits(x.span, |p| p.subscript(x, true))
            }
            Subscript::Range { lo, hi, step } => {
                let (lo, hi, step) = (text(lo), text(hi), text(step));
                match step.is_empty() {
                    true => format!("{lo}:{hi}"),
                    false => format!("{lo}:{hi}:{step}"),
                }
            }
        }
    }

    /// Device data with a vector subscript: the Fortran compiler would gather it on the host.
    pub(in crate::translation::host) fn vector_subscript(&mut self, e: &TExpr) {
        let name = self.slice(e.span);
        self.finding(
            "CUF0382",
            e.span,
            format!("device array `{name}` with a vector subscript cannot be read on the host\nhelp: copy the array to the host and index the copy"),
        );
    }
}

/// The part of a designator that has the vector subscript, with its array and its subscripts.
fn vector_part(e: &TExpr) -> Option<(&TExpr, &TExpr, &[Subscript])> {
    match &e.kind {
        TExprKind::Index { base, subs } if !has_vector_subscript(base) => Some((e, base, subs)),
        TExprKind::Index { base, .. }
        | TExprKind::Component { base, .. }
        | TExprKind::Substring { base, .. }
        | TExprKind::ComplexPart { base, .. } => vector_part(base),
        _ => None,
    }
}

/// A variable that the statement holds.
fn declared(name: &str, ty: &str, shape: &str, set: Vec<String>) -> Held {
    Held {
        declaration: format!("{ty} :: {name}{shape}"),
        set,
        release: Vec::new(),
        end: None,
        at: None,
        name: name.to_owned(),
    }
}

/// The expressions of a subscript.
fn parts(s: &Subscript) -> impl Iterator<Item = &TExpr> {
    let three: [Option<&TExpr>; 3] = match s {
        Subscript::Element(x) | Subscript::Vector(x) => [Some(x), None, None],
        Subscript::Range { lo, hi, step } => [lo.as_ref(), hi.as_ref(), step.as_ref()],
    };
    three.into_iter().flatten()
}
