//! Which directives may be inside which.

use super::super::clause::ClauseKind;
use super::super::directive::{Directive, Kind};
use super::checker::{Checker, name_of};
use crate::ast::UnitKind;

/// Code of directives in wrong places.
const PLACE: &str = "CUF0512";

impl Checker<'_> {
    pub(super) fn nesting(&mut self, d: &Directive) {
        let name = name_of(d);
        if let Some(around) = self.construct() {
            let around = name_of(around.directive);
            let wrong = d.kind.is_compute()
                || matches!(
                    d.kind,
                    Kind::Data
                        | Kind::EnterData
                        | Kind::ExitData
                        | Kind::HostData
                        | Kind::Update
                        | Kind::Wait
                        | Kind::Init
                        | Kind::Shutdown
                        | Kind::Set
                        | Kind::Declare
                        | Kind::Routine
                );
            if wrong {
                let message = format!(
                    "directive `{name}` is inside a `{around}` construct\nnote: only `loop`, `atomic`, and `cache` \
                     may be inside a compute construct (OpenACC 2.5)\nhelp: move it out of the construct"
                );
                self.report(PLACE, d.span, message);
            }
            return;
        }
        match d.kind {
            Kind::Loop => {
                let unit = self.model.unit_scope(self.scope);
                let symbol = self.model[unit].symbol;
                let is_routine = symbol.is_some_and(|s| self.known.routines.contains_key(&s));
                if !is_routine {
                    let message = "directive `loop` is outside of compute constructs and is ignored\nnote: the \
                        procedure is not declared with `!$acc routine`\nhelp: write `!$acc parallel loop`";
                    self.report(PLACE, d.span, message).warning = true;
                }
            }
            Kind::Data | Kind::HostData | Kind::EnterData | Kind::ExitData | Kind::Update
                if matches!(
                    self.unit.kind,
                    UnitKind::Module | UnitKind::Submodule { .. }
                ) =>
            {
                let message = format!(
                    "directive `{name}` is outside of procedures\nhelp: move it among the executable statements of \
                     a procedure"
                );
                self.report(PLACE, d.span, message);
            }
            _ => {}
        }
    }

    /// Whether variables without a clause are an error in the construct that is being checked.
    pub(super) fn default_is_none(&self) -> bool {
        let all = self.chain.iter().rev();
        let mut given = all.filter_map(|r| r.directive.clause(ClauseKind::Default));
        let first = given.next().and_then(|c| c.items.first());
        first.and_then(|i| i.word()) == Some("none")
    }
}
