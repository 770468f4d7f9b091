//! OpenMP of the host, in force with `--openmp` (without it directives are comments, which nothing reads or changes).
//!
//! Directives are comments to the parser, so they are read here as text. Device data is a pointer in generated code, and each thread has
//! a current device of its own, so that clauses and regions need more than they say:
//!
//! | file | does |
//! | --- | --- |
//! | `directive.rs` | reads directives: words, clauses, the part of the program that belongs to a construct |
//! | `sharing.rs` | which device data a construct gives threads or tasks copies of, by clauses or by the rules of OpenMP |
//! | `region.rs` | the statements that make these copies, end their life, and hand their values on |
//! | `rewrite.rs` | directives and regions with them |
//! | `value.rs` | device data in the expressions of clauses |
//! | `bind.rs` | the pointers that stand for module data are THREADPRIVATE: parallel regions bind them |
//! | `statement.rs` | directives for statements that become launches or transfers |

mod bind;
pub(in crate::translation::host) mod directive;
mod region;
mod rewrite;
mod sharing;
mod statement;
mod value;

use crate::ast::{ProgramUnit, Span};
use crate::host::context::HostRewriter;
use crate::host::openmp::directive::{Directives, first_behind};

impl HostRewriter<'_> {
    /// The directives of a unit's own body, when its statements have been translated. Gives the calls that bind module data.
    pub(in crate::translation::host) fn openmp(&mut self, unit: &ProgramUnit) -> Vec<String> {
        self.hints_of_loops(unit);
        let directives = self.openmp_directives(unit);
        if directives.all.is_empty() {
            return self.bind_calls(unit, self.scope);
        }
        self.directed_statements(unit, &directives);
        let values = self.clause_values(&directives);
        let calls = self.bind_calls(unit, self.scope);
        let rewritten = self.share(unit, &directives, &values, &calls);
        self.loose_blocks(unit, &directives, &rewritten);
        self.openmp_binds(unit, &directives, &rewritten, &calls);
        calls
    }

    /// A construct that begins with BLOCK ends with that (OpenMP 5.1, strictly structured blocks): a BLOCK of generated code may not
    /// come first where statements follow it.
    fn loose_blocks(&mut self, unit: &ProgramUnit, directives: &Directives, rewritten: &[usize]) {
        for construct in &directives.constructs {
            let Some(d) = directives.all.get(construct.directive) else {
                continue;
            };
            if d.is_loop() || construct.end.is_none() || rewritten.contains(&construct.directive) {
                continue;
            }
            let first = first_behind(&unit.body, d.span.end);
            let end = first.map_or(d.span.end, |s| s.span.end);
            let part = Span {
                start: d.span.end,
                end: end.min(construct.body.end),
            };
            let begins = |t: &str| t.trim_start().starts_with("block\n");
            if self.edits.texts(part).any(begins) {
                self.openmp_lines(d.span.end, d.span.start, &["continue".to_owned()]);
            }
        }
    }
}
