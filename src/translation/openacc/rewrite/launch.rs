//! The parts of a CUF loop's directive that clauses of OpenACC give.

use std::collections::BTreeSet;

use super::environment::{Environment, reductions};
use super::rewriter::Rewriter;
use crate::translation::openacc::clause::ClauseKind;
use crate::translation::openacc::directive::Directive;
use crate::translation::openacc::regions::Region;

impl<'a> Rewriter<'a> {
    /// The clauses of the directive reduce arrays.
    pub(super) fn reduces_arrays(&self, d: &Directive) -> bool {
        reductions(d).any(|(_, e)| self.typed(e).is_some_and(|t| t.rank != 0))
    }

    /// The same of the loops inside.
    pub(super) fn array_reductions_inside(&self, regions: &[Region<'a>]) -> bool {
        let is = |r: &Region<'a>| self.reduces_arrays(r.directive);
        regions
            .iter()
            .any(|r| is(r) || self.array_reductions_inside(&r.children))
    }

    pub(super) fn launch(&mut self, grid: &str, block: &str, env: &Environment) -> String {
        match &env.queue {
            Some(q) => {
                self.uses_runtime = true;
                format!("<<<{grid}, {block}, 0, cuf_acc_stream({q})>>>")
            }
            None => format!("<<<{grid}, {block}>>>"),
        }
    }

    pub(super) fn reductions(&mut self, directives: &[&Directive]) -> String {
        let mut out = String::new();
        let all = directives.iter().flat_map(|d| &d.clauses);
        let mut seen = BTreeSet::new();
        for c in all.filter(|c| c.kind == ClauseKind::Reduction) {
            let op = c.modifier.as_ref().map_or("+", |m| m.text.as_str());
            let op = if op == "-" { "+" } else { op };
            for e in c.exprs() {
                let name = self.text_of(e);
                if self.typed(e).is_some_and(|t| t.rank != 0) {
                    if self.is_shared_unit {
                        self.report(e.span, "CUF0531", format!("reduction of the array `{name}` is not supported in a procedure that all threads of a block execute\nhelp: use `!$acc atomic update` on its elements"));
                    }
                    continue;
                }
                if seen.insert(name.to_ascii_lowercase()) {
                    out += &format!(" reduce({op}:{name})");
                }
            }
        }
        out
    }
}
