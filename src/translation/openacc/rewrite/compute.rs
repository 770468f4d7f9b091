//! Compute constructs, as CUF loops (OpenACC 2.5, 2.9, 2.11).
//!
//! A loop that is shared becomes a CUF loop; what one thread executes (`serial`, parts of `kernels` that cannot be shared) is the body of a
//! CUF loop with one iteration. Loops inside a shared one that have directives of their own are executed by the thread that has the iteration.

use std::collections::BTreeSet;

use super::nest::Shape;
use super::private::{HostCopies, Own};
use super::references::Reference;
use super::rewriter::Rewriter;
use crate::ast::{Span, Stmt, StmtKind};
use crate::sema::model::{ScopeKind, SymbolId, SymbolKind};
use crate::translation::openacc::clause::ClauseKind;
use crate::translation::openacc::directive::{AtomicKind, Clause, Directive, Kind};
use crate::translation::openacc::regions::{Body, Region};

/// What the loops of a construct have in common.
#[derive(Clone, Debug, Default)]
pub(super) struct Environment {
    pub queue: Option<String>,
    /// The number of threads that `vector_length` asks for.
    pub block: Option<String>,
    /// Scalars that are in device memory.
    pub on_device: Vec<String>,
    /// What the clauses of the directive make private.
    pub own: Own,
    /// Scalars that get a value and are in no clause.
    pub written: Vec<(SymbolId, String)>,
    pub host: HostCopies,
}

impl<'a> Rewriter<'a> {
    pub(super) fn construct(&mut self, r: &Region<'a>) {
        let d = r.directive;
        let before = self.listed.len();
        self.construct_at = d.span.start;
        let condition = self.condition(d);
        let otherwise = condition.is_some().then(|| self.host_version(r));
        let mut env = Environment {
            queue: self.queue(d),
            block: self.vector_length(r),
            ..Environment::default()
        };
        self.in_kernels = d.kind.construct() == Some(Kind::Kernels);
        let mut enter = self.waits(d, env.queue.as_deref());
        let calls = self.clauses(d, env.queue.as_deref(), false);
        enter.extend(calls.enter);
        let mut exit = calls.exit;
        if self.in_kernels {
            self.plan_kernels(r);
        }
        let (more, ends) = self.implicit(r, &mut env);
        enter.extend(more);
        exit.splice(0..0, ends);
        std::mem::take(&mut env.host).around(&mut enter, &mut exit);
        if let Some(c) = &condition {
            let name = self.name("when");
            let mut lines = vec![
                "block".to_owned(),
                format!("  logical :: {name}"),
                format!("  {name} = {c}"),
                format!("  if ({name}) then"),
            ];
            lines.append(&mut enter);
            enter = lines;
            exit.push("else".to_owned());
            exit.extend(otherwise.unwrap_or_default());
            exit.extend(["end if".to_owned(), "end block".to_owned()]);
        }
        match r.body {
            Body::Loop(s) => self.combined(r, s, &env, enter, exit),
            Body::Statements(all) => match d.kind {
                Kind::Kernels => self.kernels(r, all, &env, enter, exit),
                Kind::Parallel if is_loops(r, all) => {
                    self.replace_lines(d.span, &enter);
                    for c in &r.children {
                        self.inner_loop(c, d, &env);
                    }
                    self.close(r, exit);
                }
                _ => self.once(r, &env, enter, exit),
            },
            Body::None => {}
        }
        self.listed.truncate(before);
        self.in_kernels = false;
        self.construct_at = 0;
    }

    /// The condition under which the construct is on the device.
    fn condition(&self, d: &Directive) -> Option<String> {
        let asked = d.clause(ClauseKind::If).and_then(Clause::value);
        let own = d.clause(ClauseKind::SelfClause);
        let own = own.map(|c| c.value().map_or(".true.".to_owned(), |e| self.text_of(e)));
        match (asked.map(|e| self.text_of(e)), own) {
            (Some(c), None) => Some(c),
            (None, Some(own)) => Some(format!(".not. ({own})")),
            (Some(c), Some(own)) => Some(format!("({c}) .and. .not. ({own})")),
            (None, None) => None,
        }
    }

    /// The statements of a construct as host code.
    fn host_version(&mut self, r: &Region<'a>) -> Vec<String> {
        let statements = r.body.statements();
        let (Some(first), Some(last)) = (statements.first(), statements.last()) else {
            return Vec::new();
        };
        if statements.iter().any(has_label) {
            self.report(
                r.directive.span,
                "CUF0531",
                "a construct with statement labels and an `if` clause is not supported\nnote: the statements exist twice, for the device and for the host\nhelp: remove the labels",
            );
        }
        let indent = self.indent(first.start()).len();
        let text = self.slice(Span {
            start: self.line_start(first.start()),
            end: last.span.end,
        });
        let is_directive = |l: &&str| {
            let l = l.trim_start();
            l.get(..5).is_some_and(|s| s.eq_ignore_ascii_case("!$acc"))
        };
        let cut = |l: &str| {
            let blanks = l.len() - l.trim_start().len();
            l.get(blanks.min(indent)..).unwrap_or_default().to_owned()
        };
        text.lines().filter(|l| !is_directive(l)).map(cut).collect()
    }

    fn vector_length(&self, r: &Region<'a>) -> Option<String> {
        let of = |d: &Directive| {
            let c = d.clause(ClauseKind::VectorLength);
            let c = c.or_else(|| d.clause(ClauseKind::Vector));
            c.and_then(Clause::value).map(|e| self.text_of(e))
        };
        of(r.directive)
    }

    /// The data clauses that variables without one have by the rules of 2.6.2.
    fn implicit(&mut self, r: &Region<'a>, env: &mut Environment) -> (Vec<String>, Vec<String>) {
        let d = r.directive;
        let (mut enter, mut exit) = (Vec::new(), Vec::new());
        let (mut own, reduced) = self.clause_variables(r, env);
        let references = self.references(r.body.statements());
        own.extend(&references.loop_variables);
        let shared = self.updated_atomically(r);
        let is_kernels = d.kind.construct() == Some(Kind::Kernels);
        // One thread computes reductions in the order of the statements.
        let is_serial = d.kind.construct() == Some(Kind::Serial);
        let default = d.clause(ClauseKind::Default).and_then(|c| c.items.first());
        let is_present = default.and_then(|i| i.word()) == Some("present");
        let queue = env.queue.clone();
        let queue = queue.map_or(String::new(), |q| format!(", async={q}"));
        for x in &references.all {
            if own.contains(&x.root) || self.is_inside(x, r) || self.is_elsewhere(x) {
                continue;
            }
            let name = self.name_of(x);
            let is_scalar = !x.is_array && !x.is_structure;
            if self.program.declared.contains_key(&x.root) {
                if !x.is_array {
                    env.on_device.push(name);
                }
                continue;
            }
            if self.is_listed(x.root, &x.path) {
                if x.path.is_empty() && !x.is_array && self.is_mapped(x)
                    || is_scalar && !x.path.is_empty()
                {
                    env.on_device.push(name);
                }
                continue;
            }
            let is_reduced = reduced.contains(&x.root) && !x.is_array;
            if is_reduced && !is_serial && !(is_kernels && self.is_used_beside(x.root, r)) {
                continue;
            }
            // In `kernels`, a scalar without a clause is copied: what is present is used (2.5.2).
            let may_be_present = x.is_written || self.program.listed.contains(&x.root);
            let is_shared = is_kernels && may_be_present || shared.contains(&x.root) || is_reduced;
            if is_kernels && is_scalar && self.is_private_everywhere(x.root, r) {
                continue;
            }
            if is_scalar && x.path.is_empty() && !is_shared {
                if x.is_written {
                    env.written.push((x.root, name));
                }
                continue;
            }
            if is_scalar && !x.path.is_empty() && !x.is_written {
                continue;
            }
            let whole = match is_scalar || x.is_structure {
                true => name.clone(),
                false => x.text.clone(),
            };
            if !x.is_array {
                env.on_device.push(name);
            }
            if is_scalar && x.path.is_empty() {
                env.written.push((x.root, whole.clone()));
            }
            if is_present && !(is_scalar && x.path.is_empty()) {
                continue;
            }
            self.uses_runtime = true;
            let place = self.place(x.span.start, &whole);
            let guard = match self.is_optional(x.root) {
                true => format!("if (present({})) ", self.model[x.root].spelling),
                false => String::new(),
            };
            let object = match x.path.is_empty() {
                true => self.object_text(x.root, &whole),
                false => whole,
            };
            enter.push(format!(
                "{guard}call cuf_acc_copy({object}, {place}{queue})"
            ));
            exit.push(format!(
                "{guard}call cuf_acc_end_copy({object}, {place}{queue})"
            ));
        }
        env.on_device.sort();
        env.on_device.dedup();
        (enter, exit)
    }

    /// The name of the variable where the construct stands.
    fn name_of(&self, x: &Reference) -> String {
        let text = x.text.split(['%', '(']).next().unwrap_or_default();
        text.trim().to_owned()
    }

    fn is_mapped(&self, x: &Reference) -> bool {
        let of = |l: &&super::rewriter::Listed| l.root == x.root && x.path.starts_with(&l.path);
        self.listed
            .iter()
            .rev()
            .find(of)
            .is_some_and(|l| l.is_mapped)
    }

    /// Declared inside the construct.
    fn is_inside(&self, x: &Reference, r: &Region<'a>) -> bool {
        let scope = &self.model[self.model[x.root].scope];
        matches!(scope.kind, ScopeKind::Block | ScopeKind::Associate)
            && scope.span.start > r.directive.span.start
    }

    /// Device data, or what a `declare` directive has put on the device.
    fn is_elsewhere(&self, x: &Reference) -> bool {
        use crate::sema::model::Space;
        let space = match &self.model[x.root].kind {
            SymbolKind::Variable(v) => v.space,
            SymbolKind::Associate { space, .. } => space.unwrap_or(Space::Host),
            _ => return true,
        };
        let whole = !matches!(space, Space::Host | Space::Pinned | Space::Thread);
        whole && x.path.is_empty()
    }

    /// A construct with the loop that follows.
    fn combined(
        &mut self,
        r: &Region<'a>,
        s: &'a Stmt,
        env: &Environment,
        mut enter: Vec<String>,
        exit: Vec<String>,
    ) {
        let d = r.directive;
        let shared = match d.kind {
            Kind::SerialLoop => false,
            Kind::KernelsLoop => self.shared.contains_key(&s.span.start),
            _ => self.may_share(d, r.body),
        };
        if !shared {
            self.once(r, env, enter, exit);
            return;
        }
        if let Some(around) = self.reducing_loop(s, &[d], &r.children, env) {
            enter.extend(around.open);
            self.replace_lines(d.span, &enter);
            self.inside(&r.children, false);
            let close = around.close.into_iter().chain(exit).collect();
            self.close(r, close);
            return;
        }
        let shape = self.shape(s, &[d], &r.children);
        enter.push(self.mapped(s, &[d], shape, env));
        self.replace_lines(d.span, &enter);
        self.inside(&r.children, shape.gang);
        self.close(r, exit);
    }

    /// A loop of `parallel` or `kernels` with a directive of its own.
    fn inner_loop(&mut self, c: &Region<'a>, construct: &Directive, env: &Environment) {
        let Body::Loop(s) = c.body else {
            self.remove(c.directive);
            return;
        };
        let env = &self.with_own(env, c.directive);
        if !self.in_kernels && !self.may_share(c.directive, c.body) {
            let (open, close) = self.once_lines(env, false);
            self.replace_lines(c.directive.span, &open);
            self.inside(&c.children, false);
            self.close(c, close);
            return;
        }
        if let Some(around) = self.reducing_loop(s, &[construct, c.directive], &c.children, env) {
            self.replace_lines(c.directive.span, &around.open);
            self.inside(&c.children, false);
            self.close(c, around.close);
            return;
        }
        let shape = self.shape(s, &[c.directive, construct], &c.children);
        // Elsewhere in the construct it may be a variable of the device.
        let mut env = env.clone();
        let reduced = self.reduced_in(c);
        env.on_device.retain(|n| {
            let is = |v: &SymbolId| self.model[*v].spelling.eq_ignore_ascii_case(n);
            !reduced.iter().any(is)
        });
        let line = self.mapped(s, &[construct, c.directive], shape, &env);
        self.replace_lines(c.directive.span, &[line]);
        self.inside(&c.children, shape.gang);
        self.close(c, Vec::new());
    }

    /// The lines behind a region.
    fn close(&mut self, r: &Region<'a>, lines: Vec<String>) {
        match r.end {
            Some(e) => self.replace_lines(e.span, &lines),
            None => {
                let indent = self.indent(r.directive.span.start);
                self.insert_after(r.span().end, indent, &lines);
            }
        }
    }

    /// The directive of a CUF loop.
    fn mapped(
        &mut self,
        s: &'a Stmt,
        directives: &[&Directive],
        Shape { depth, gang }: Shape,
        env: &Environment,
    ) -> String {
        self.private_block(s, depth, &env.own.lines());
        self.device_bounds(s, depth, &env.on_device, env.queue.as_deref());
        let mut reductions = self.reductions(directives);
        let mut env = env.clone();
        if let Some(found) = self.shared.get(&s.span.start).cloned() {
            for (v, op) in &found.reductions {
                let name = self.model[*v].spelling.to_string();
                env.on_device.retain(|n| !n.eq_ignore_ascii_case(&name));
                if !reductions
                    .to_ascii_lowercase()
                    .contains(&format!(":{})", name.to_ascii_lowercase()))
                {
                    reductions += &format!(" reduce({op}:{name})");
                }
            }
            for v in &found.private {
                let name = self.model[*v].spelling.to_string();
                env.on_device.retain(|n| !n.eq_ignore_ascii_case(&name));
                if !env
                    .own
                    .private
                    .iter()
                    .any(|n| n.eq_ignore_ascii_case(&name))
                {
                    env.own.private.push(name);
                }
            }
        }
        let env = &env;
        let block = env
            .block
            .as_deref()
            .unwrap_or(if gang { "128" } else { "*" });
        let gang = if gang { " gang" } else { "" };
        let depth = match depth {
            1 => String::new(),
            n => format!("({n})"),
        };
        let launch = self.launch("*", block, env);
        format!(
            "!$cuf kernel do{depth} {launch}{reductions}{gang}{}",
            clauses(env, &[])
        )
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

    /// The lines around statements that one thread, or with `gang` one block, executes.
    fn once_lines(&mut self, env: &Environment, gang: bool) -> (Vec<String>, Vec<String>) {
        let name = self.name("once");
        let block = env.block.as_deref().unwrap_or("128");
        let launch = self.launch("1", if gang { block } else { "1" }, env);
        let gang = if gang { " gang" } else { "" };
        let written: Vec<String> = env.written.iter().map(|w| w.1.clone()).collect();
        let clauses = clauses(env, &written);
        let open = vec![
            "block".to_owned(),
            format!("  integer :: {name}"),
            format!("  !$cuf kernel do {launch}{gang}{clauses}"),
            format!("  do {name} = 1, 1"),
        ];
        let mut close = vec!["  end do".to_owned(), "end block".to_owned()];
        let mut open = open;
        let arrays = env.own.lines();
        if !arrays.is_empty() {
            open.push("  block".to_owned());
            open.extend(arrays.iter().map(|l| format!("    {l}")));
            close.insert(0, "  end block".to_owned());
        }
        (open, close)
    }

    /// A construct that one thread executes.
    fn once(
        &mut self,
        r: &Region<'a>,
        env: &Environment,
        mut enter: Vec<String>,
        exit: Vec<String>,
    ) {
        // All threads of the one block execute what stands in no loop with a directive.
        let gang = r.directive.kind == Kind::Parallel
            && self.shares(&r.children)
            && !self.array_reductions_inside(&r.children);
        let (open, mut close) = self.once_lines(env, gang);
        enter.extend(open);
        close.extend(exit);
        self.replace_lines(r.directive.span, &enter);
        self.inside(&r.children, gang);
        self.close(r, close);
    }

    /// Directives inside a loop that is shared, or in what one thread executes.
    /// `gang`: threads of a block share the innermost loops.
    pub(super) fn inside(&mut self, children: &[Region<'a>], gang: bool) {
        for c in children {
            let d = c.directive;
            match d.kind {
                Kind::Loop if gang && self.may_share(d, c.body) && !self.shares(&c.children) => {
                    let line = self.shared_loop(c);
                    self.replace_lines(d.span, &[line]);
                    if let Some(e) = c.end {
                        self.remove(e);
                    }
                    self.inside(&c.children, false);
                    continue;
                }
                Kind::Atomic(kind) => {
                    let word = match kind {
                        AtomicKind::Read => "read",
                        AtomicKind::Write => "write",
                        AtomicKind::Update => "update",
                        AtomicKind::Capture => "capture",
                    };
                    let line = format!("!$cuf atomic {word}");
                    self.replace_lines(c.directive.span, &[line]);
                    if let Some(e) = c.end {
                        let line = "!$cuf end atomic".to_owned();
                        match kind {
                            AtomicKind::Capture => self.replace_lines(e.span, &[line]),
                            _ => self.remove(e),
                        }
                    }
                }
                _ => {
                    if let (Kind::Loop, Body::Loop(s)) = (d.kind, c.body) {
                        let lines = self.declarations(d, s, true);
                        self.private_block(s, self.own_depth(s, &[d]), &lines);
                    }
                    self.remove(c.directive);
                    if let Some(e) = c.end {
                        self.remove(e);
                    }
                }
            }
            self.inside(&c.children, gang);
        }
    }

    /// The directive of a loop that the threads of a block share.
    fn shared_loop(&mut self, c: &Region<'a>) -> String {
        let d = c.directive;
        let depth = match c.body {
            Body::Loop(s) => self.own_depth(s, &[d]),
            _ => 1,
        };
        let depth = match depth {
            1 => String::new(),
            n => format!("({n})"),
        };
        let reductions = self.reductions(&[d]);
        let names = self.own(d).private;
        if let Body::Loop(s) = c.body {
            let lines = self.declarations(d, s, false);
            self.private_block(s, self.own_depth(s, &[d]), &lines);
        }
        let private = match names.is_empty() {
            true => String::new(),
            false => format!(" private({})", names.join(", ")),
        };
        format!("!$cuf loop vector{depth}{reductions}{private}")
    }

    /// `kernels`: its statements in order, loops that can be shared by themselves.
    fn kernels(
        &mut self,
        r: &Region<'a>,
        statements: &'a [Stmt],
        env: &Environment,
        enter: Vec<String>,
        exit: Vec<String>,
    ) {
        self.replace_lines(r.directive.span, &enter);
        let mut alone: Vec<&Stmt> = Vec::new();
        for s in statements {
            let region = r.children.iter().find(|c| {
                matches!(c.body, Body::Loop(l) if l.span == s.span)
                    && c.directive.kind == Kind::Loop
            });
            let is_loop = matches!(s.kind, StmtKind::Do(_));
            let is_shared = is_loop && self.shared.contains_key(&s.span.start);
            if !is_shared {
                if let Some(c) = region {
                    self.inside(std::slice::from_ref(c), false);
                } else {
                    let within = |c: &&Region<'a>| {
                        c.directive.span.start >= s.start() && c.directive.span.end <= s.span.end
                    };
                    for c in r.children.iter().filter(within) {
                        self.inside(std::slice::from_ref(c), false);
                    }
                }
                alone.push(s);
                continue;
            }
            self.group(&alone, env);
            alone.clear();
            match region {
                Some(c) => self.inner_loop(c, r.directive, env),
                None => {
                    let shape = self.shape(s, &[], &[]);
                    let line = self.mapped(s, &[r.directive], shape, env);
                    let start = self.line_start(s.start());
                    let indent = self.indent(s.start());
                    self.insert(start, format!("{indent}{line}\n"));
                    let within = |c: &&Region<'a>| {
                        c.directive.span.start >= s.start() && c.directive.span.end <= s.span.end
                    };
                    for c in r.children.iter().filter(within) {
                        self.inside(std::slice::from_ref(c), false);
                    }
                }
            }
        }
        self.group(&alone, env);
        self.close(r, exit);
    }

    /// Statements that one thread executes together.
    fn group(&mut self, statements: &[&Stmt], env: &Environment) {
        let (Some(first), Some(last)) = (statements.first(), statements.last()) else {
            return;
        };
        let (open, close) = self.once_lines(env, false);
        let start = self.line_start(first.start());
        let indent = self.indent(first.start());
        let text: String = open.iter().map(|l| format!("{indent}{l}\n")).collect();
        self.insert(start, text);
        self.insert_after(last.span.end, indent, &close);
    }
}

/// The clauses that the loops of a construct have in common.
pub(super) fn clauses(env: &Environment, written: &[String]) -> String {
    let mut out = " present".to_owned();
    let mut add = |word: &str, names: &[String]| {
        if !names.is_empty() {
            out += &format!("{word}({})", names.join(", "));
        }
    };
    add("", &env.on_device);
    add(" private", &env.own.private);
    let is_private = |n: &&String| {
        let same = |p: &String| p.eq_ignore_ascii_case(n);
        !env.own.private.iter().chain(&env.on_device).any(same)
    };
    let mut first = env.own.firstprivate.clone();
    first.extend(written.iter().filter(is_private).cloned());
    add(" firstprivate", &first);
    out
}

/// The statements of the region are loops with directives of their own, and nothing else.
fn is_loops(r: &Region<'_>, statements: &[Stmt]) -> bool {
    statements.iter().all(|s| {
        let is = |c: &Region<'_>| matches!(c.body, Body::Loop(l) if l.span == s.span);
        r.children.iter().any(is)
    })
}

fn has_label(s: &Stmt) -> bool {
    s.label.is_some() || s.blocks().iter().any(|b| b.iter().any(has_label))
}
