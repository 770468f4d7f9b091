//! Device data with a vector subscript in host code: the statement around it holds a copy of the array on the host, which is
//! indexed in its place, and copied back where it was assigned to. (The Fortran compiler would gather it in memory that the
//! host must not touch.)

use super::Pass;
use super::copy_in::{has_vector_subscript, is_named};
use super::held::Held;
use super::names::{CUF, LBOUND, UBOUND};
use crate::sema::typed::*;

impl Pass<'_> {
    /// Puts the host copy in place of the array; reports where none can be held. `written`: an assignment's left side.
    pub(super) fn index_on_host(&mut self, e: &TExpr, written: bool) {
        let (base, subs) = match &e.kind {
            TExprKind::Index { base, subs }
                if self.held.is_some() && is_named(&e.ty) && !has_vector_subscript(base) =>
            {
                (base, subs)
            }
            _ => return self.vector_subscript(e),
        };
        let array = self.with_edits(base.span, |p| {
            p.whole_base(base);
            p.repeated(|p| p.subscripts(base));
        });
        let stem = base.root().map_or("", |r| self.model[r].name.as_str());
        let name = self.held_name(stem);
        let rank = base.rank.max(1);
        let bounds: Vec<String> = (1..=rank)
            .map(|d| format!("{LBOUND}({array}, {d}):{UBOUND}({array}, {d})"))
            .collect();
        let mut release = Vec::new();
        if written {
            release.push(format!("call {CUF}h2d({array}, {name})"));
        }
        self.hold_variable(Held {
            declaration: format!(
                "{}, allocatable :: {name}({})",
                self.local_type(&e.ty),
                vec![":"; rank as usize].join(",")
            ),
            set: vec![
                format!("allocate({name}({}))", bounds.join(", ")),
                format!("call {CUF}d2h({name}, {array})"),
            ],
            release,
            end: None,
            at: None,
            name: name.clone(),
        });
        self.unit.runtime = true;
        self.edits.replace(base.span, name);
        for s in subs {
            let parts = match s {
                Subscript::Element(x) | Subscript::Vector(x) => [Some(x), None, None],
                Subscript::Range { lo, hi, step } => [lo.as_ref(), hi.as_ref(), step.as_ref()],
            };
            parts.into_iter().flatten().for_each(|x| self.value(x));
        }
    }
}
