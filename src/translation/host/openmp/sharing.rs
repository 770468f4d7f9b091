//! Which device data, and which structures with device data, the clauses of a construct and the rules of OpenMP 5.0 (2.19) give each
//! thread or task a copy of.

use std::collections::BTreeSet;

use crate::ast::{ProgramUnit, Span, Stmt, StmtKind, UnitKind};
use crate::host::context::HostRewriter;
use crate::host::context::memory::allocation_space;
use crate::host::openmp::directive::{Clause, Directive, Directives, LISTS, identifiers, items};
use crate::sema::model::*;

/// What becomes of the copies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Share {
    Private,
    First,
    Last,
    FirstLast,
    /// With its operator, in lower case.
    Reduction(String),
    CopyIn,
    CopyPrivate,
}

/// A variable that is copied.
#[derive(Clone, Debug)]
pub(super) struct Item {
    /// By which the program knows it.
    pub name: String,
    pub symbol: SymbolId,
    pub share: Share,
    /// A structure of the host whose components are device data; else the variable is device data itself.
    pub owner: bool,
    pub at: Span,
}

/// Clauses that would need copies which are not made here.
const REFUSED: [&str; 5] = [
    "linear",
    "in_reduction",
    "task_reduction",
    "inclusive",
    "exclusive",
];

impl HostRewriter<'_> {
    /// A variable that the program names, if clauses treat it in another way than host data. `owner`: see [`Item`].
    fn shared_form(&self, symbol: SymbolId) -> Option<bool> {
        let v = self.model.variable(symbol)?;
        if self.owners.owner_variable(v) {
            return Some(true);
        }
        let data = allocation_space(v.space).is_some() && !v.attrs.has(VarAttrs::POINTER);
        data.then_some(false)
    }

    /// The device data that a construct copies; None if something was refused.
    pub(super) fn copied_items(
        &mut self,
        unit: &ProgramUnit,
        directives: &Directives,
        c: usize,
    ) -> Option<Vec<Item>> {
        let (construct, d) = directives.of_construct(c)?;
        let mut found: Vec<Item> = Vec::new();
        let end = construct.end.and_then(|e| directives.all.get(e));
        let mut refused = false;
        for d in std::iter::once(d).chain(end) {
            for clause in &d.clauses {
                refused |= self.clause_items(d, clause, &mut found);
            }
        }
        self.implied_items(unit, directives, c, &mut found);
        if found.is_empty() || refused {
            return (!refused).then_some(found);
        }
        let but_simd: Vec<&str> = d.words.iter().copied().filter(|w| *w != "simd").collect();
        let known = matches!(
            but_simd[..],
            [] | ["parallel"]
                | ["parallel", "do" | "sections"]
                | ["do" | "sections" | "single" | "scope" | "task"]
        );
        let by_name = self.names_of_loops(&unit.body, construct.body);
        for item in &found {
            let why = match known {
                false => Some(format!("not by `{}`", d.words.join(" "))),
                true if by_name.contains(&item.symbol) && self.is_bound(item.symbol) => {
                    Some("a CUF loop of the construct uses the variable of the module".to_owned())
                }
                true => self.refusal(item, &d.words).map(str::to_owned),
            };
            if let Some(why) = why {
                self.refuse_copy(item, &why);
                return None;
            }
        }
        Some(found)
    }

    /// Whether LLVM flang 22 would take names of copies for those of the variables outside. It does so in a construct (DO, SECTIONS,
    /// SINGLE, TASK, PARALLEL, ...) within the BLOCK of the copies where a construct is around that BLOCK: that one knows the name already.
    pub(super) fn needs_gfortran(
        &self,
        directives: &Directives,
        c: usize,
        copies: &[Item],
    ) -> bool {
        let Some((construct, d)) = directives.of_construct(c) else {
            return false;
        };
        let names_copies = |part: Span| {
            let found = self.names_in(part).into_iter();
            found
                .map(|(_, s, _)| s)
                .any(|s| copies.iter().any(|i| i.symbol == s))
        };
        // The BLOCK of a worksharing construct is around that.
        let shares_work = ["do", "sections"].contains(&d.innermost());
        if shares_work && (d.has_word("parallel") || construct.parent.is_some()) {
            return names_copies(construct.body);
        }
        if shares_work && construct.parent.is_none() {
            return false;
        }
        let inside = |at: u32| construct.body.start <= at && at < construct.body.end;
        directives.constructs.iter().any(|n| {
            let Some(nested) = directives.all.get(n.directive) else {
                return false;
            };
            let harmless = ["critical", "master", "atomic"].contains(&nested.innermost());
            let part = Span {
                start: nested.span.start,
                end: n.body.end,
            };
            inside(part.start) && !harmless && names_copies(part)
        })
    }

    /// The variables that the CUF loops in a part of the program name.
    fn names_of_loops(&self, block: &[Stmt], part: Span) -> BTreeSet<SymbolId> {
        let mut found = BTreeSet::new();
        for s in block {
            if s.span.end <= part.start || part.end <= s.span.start {
                continue;
            }
            if matches!(s.kind, StmtKind::CufKernel(_)) {
                found.extend(self.names_in(s.span).into_iter().map(|(_, s, _)| s));
                continue;
            }
            for inner in s.blocks() {
                found.extend(self.names_of_loops(inner, part));
            }
        }
        found
    }

    fn refuse_copy(&mut self, item: &Item, why: &str) {
        let clause = match &item.share {
            Share::Private => "private",
            Share::First | Share::FirstLast => "firstprivate",
            Share::Last => "lastprivate",
            Share::Reduction(_) => "reduction",
            Share::CopyIn => "copyin",
            Share::CopyPrivate => "copyprivate",
        };
        let what = match item.owner {
            true => "a structure with device data",
            false => "device data",
        };
        let text = format!(
            "`{}` is {what}, and its `{clause}` copies are not supported: {why}",
            item.name
        );
        self.finding("CUF0419", item.at, text);
    }

    /// Why a copy cannot be made.
    fn refusal(&mut self, item: &Item, words: &[&str]) -> Option<&'static str> {
        let v = self.model.variable(item.symbol)?;
        let unknown = |d: &Dim| matches!(d, Dim::AssumedSize { .. } | Dim::AssumedRank);
        if v.dims.iter().any(unknown) {
            return Some("it has assumed size");
        }
        if matches!(v.space, Space::Constant | Space::Texture | Space::Shared) {
            return Some("each device has one");
        }
        if item.share == Share::CopyIn && self.is_bound(item.symbol) {
            return Some("threads share data that has one address in each device");
        }
        if !words.contains(&"parallel") && item.share == Share::CopyIn {
            return Some("the construct is not a parallel region");
        }
        match (&v.ty, item.owner) {
            (Type::Derived(t), true) => {
                if v.attrs.has(VarAttrs::ALLOCATABLE) {
                    return Some("it is an allocatable structure");
                }
                if self.assigned_by_user(*t) {
                    return Some("an assignment is defined for its type");
                }
                if self.owners.contains_itself(*t) {
                    return Some("its type has components of the type itself");
                }
                if matches!(item.share, Share::Reduction(_)) {
                    return Some("it is a structure");
                }
                if item.share == Share::Private && self.hidden_defaults(*t) {
                    return Some("an allocatable component has default values");
                }
                let ty = v.ty.clone();
                let unlimited = self.unlimited_component(&ty, item.at);
                unlimited.then_some("its components are polymorphic")
            }
            (Type::Derived(t), false) => {
                if self.model.contains_device_component(*t) {
                    return Some("it has device components");
                }
                matches!(item.share, Share::Reduction(_)).then_some("it is a structure")
            }
            (Type::Class(_) | Type::ClassStar | Type::AssumedType, _) => Some("it is polymorphic"),
            (Type::Character(CharacterLength::Other), _) => Some("its length is not a constant"),
            (ty, _) => match &item.share {
                Share::Reduction(operator) => reduction_refusal(operator, ty),
                _ => None,
            },
        }
    }

    /// The device data that a clause names. True if that is refused.
    fn clause_items(&mut self, d: &Directive, clause: &Clause, found: &mut Vec<Item>) -> bool {
        let name = clause.name.as_str();
        let Some(list) = clause.arguments else {
            return false;
        };
        if !REFUSED.contains(&name) && !LISTS.contains(&name) || name == "shared" {
            return false;
        }
        let (prefix, names) = list_of(d, list);
        for at in names {
            let text = d.slice(at);
            let Some(root) = identifiers(text, 0, text.len()).next() else {
                continue;
            };
            let root = &text[root.start as usize..root.end as usize];
            let symbol = self.symbol_at(root, d.span.start);
            let Some((symbol, owner)) = symbol.and_then(|s| Some((s, self.shared_form(s)?))) else {
                continue;
            };
            let share = match name {
                "private" => Share::Private,
                "firstprivate" => Share::First,
                "lastprivate" => Share::Last,
                "copyin" => Share::CopyIn,
                "copyprivate" => Share::CopyPrivate,
                _ => Share::Reduction(prefix.trim().to_ascii_lowercase()),
            };
            let known = found.iter_mut().find(|i| i.symbol == symbol);
            let item = Item {
                name: root.to_owned(),
                symbol,
                share,
                owner,
                at,
            };
            let why = if REFUSED.contains(&name) {
                Some("the clause is for host data")
            } else if root.len() != text.len() {
                Some("it is a part of a variable")
            } else if name != "reduction" && !prefix.trim().is_empty() {
                Some("the clause has a modifier")
            } else {
                None
            };
            if let Some(why) = why {
                self.refuse_copy(&item, why);
                return true;
            }
            match known {
                Some(known) => known.share = Share::FirstLast,
                None => found.push(item),
            }
        }
        false
    }

    /// Variables that no clause names: those that DEFAULT makes private, and those that belong to each task.
    fn implied_items(
        &self,
        unit: &ProgramUnit,
        directives: &Directives,
        c: usize,
        found: &mut Vec<Item>,
    ) {
        let Some((construct, d)) = directives.of_construct(c) else {
            return;
        };
        let default = d.clause_argument("default");
        let generates_tasks = d.has_word("task") || d.has_word("taskloop");
        let share = match default.as_deref() {
            Some("private") => Share::Private,
            Some("firstprivate") => Share::First,
            None if generates_tasks => Share::First,
            _ => return,
        };
        for (name, symbol, at) in self.names_in(construct.body) {
            let Some(owner) = self.shared_form(symbol) else {
                continue;
            };
            let declared = self.model[symbol].span;
            let inside = construct.body.start <= declared.start
                && declared.end <= construct.body.end
                && declared.end > declared.start;
            let own = self.declared_in_file(symbol);
            if inside && own
                || found.iter().any(|i| i.symbol == symbol)
                || self.names_variable(d, &LISTS, symbol)
                || self.is_threadprivate(directives, symbol)
                || default.is_none() && !self.is_private(unit, directives, c, symbol)
            {
                continue;
            }
            found.push(Item {
                name,
                symbol,
                share: share.clone(),
                owner,
                at,
            });
        }
    }

    /// Whether a variable belongs to the thread or task that meets a construct (OpenMP 5.0, 2.19.1.1).
    fn is_private(
        &self,
        unit: &ProgramUnit,
        directives: &Directives,
        c: usize,
        symbol: SymbolId,
    ) -> bool {
        let mut at = directives.constructs.get(c).and_then(|c| c.parent);
        let declared = self.model[symbol].span;
        while let Some((construct, d)) = at.and_then(|p| directives.of_construct(p)) {
            let inside = construct.body.start <= declared.start
                && declared.start < construct.body.end
                && self.declared_in_file(symbol);
            let private = [
                "private",
                "firstprivate",
                "lastprivate",
                "reduction",
                "linear",
            ];
            if inside || self.names_variable(d, &private, symbol) {
                return true;
            }
            if self.names_variable(d, &["shared"], symbol) {
                return false;
            }
            match d.clause_argument("default").as_deref() {
                Some("private" | "firstprivate") => return true,
                Some("shared") => return false,
                _ => {}
            }
            if d.has_word("parallel") || d.has_word("teams") {
                return false;
            }
            at = construct.parent;
        }
        let scope = self.model[symbol].scope;
        let kept = |v: &Variable| {
            [VarAttrs::SAVE, VarAttrs::IN_COMMON]
                .iter()
                .any(|a| v.attrs.has(*a))
                || v.init.is_some()
        };
        let procedure = match unit.kind {
            UnitKind::Subroutine | UnitKind::Function | UnitKind::ModuleProcedure => {
                self.model.unit_scope(scope) == self.scope
            }
            _ => self.model[scope].kind == ScopeKind::Block,
        };
        procedure && !self.model.variable(symbol).is_some_and(kept)
    }

    fn declared_in_file(&self, symbol: SymbolId) -> bool {
        let span = self.model[symbol].span;
        let here = self.model.scope_at(self.file, span.start);
        here.is_some_and(|s| self.encloses(self.model[symbol].scope, s))
    }

    fn is_threadprivate(&self, directives: &Directives, symbol: SymbolId) -> bool {
        let mut all = directives.all.iter();
        all.any(|d| {
            d.has_word("threadprivate") && self.names_variable(d, &["threadprivate"], symbol)
        })
    }

    /// One of these clauses of a directive names a variable.
    fn names_variable(&self, d: &Directive, clauses: &[&str], symbol: SymbolId) -> bool {
        let named = |c: &&Clause| clauses.contains(&c.name.as_str());
        let lists = d.clauses.iter().filter(named).filter_map(|c| c.arguments);
        let mut names = lists.flat_map(|l| list_of(d, l).1);
        names.any(|at| {
            let text = d.slice(at);
            let root = identifiers(text, 0, text.len()).next();
            let root = root.map(|r| &text[r.start as usize..r.end as usize]);
            root.and_then(|r| self.symbol_at(r, d.span.start)) == Some(symbol)
        })
    }

    /// The variables that a part of the program names, each once, with a place.
    pub(super) fn names_in(&self, part: Span) -> Vec<(String, SymbolId, Span)> {
        let mut seen: BTreeSet<SymbolId> = BTreeSet::new();
        let mut found = Vec::new();
        let mut start = part.start;
        for line in self.slice(part).split_inclusive('\n') {
            let code = code_for_names(line);
            for word in identifiers(&code, 0, code.len()) {
                let component = code[..word.start as usize].trim_end().ends_with('%');
                let name = &code[word.start as usize..word.end as usize];
                let at = Span {
                    start: start + word.start,
                    end: start + word.end,
                };
                if component || name.starts_with(|c: char| c.is_ascii_digit()) {
                    continue;
                }
                if let Some(s) = self.symbol_at(name, at.start)
                    && self.model.variable(s).is_some()
                    && seen.insert(s)
                {
                    found.push((name.to_owned(), s, at));
                }
            }
            start += line.len() as u32;
        }
        found
    }

    /// THREADPRIVATE: what begins in each thread without memory can be so.
    pub(super) fn threadprivate(&mut self, d: &Directive) {
        for list in d.clauses.iter().filter_map(|c| c.arguments) {
            for at in list_of(d, list).1 {
                let name = d.slice(at).to_owned();
                let symbol = self.symbol_at(&name, d.span.start);
                let Some((symbol, owner)) = symbol.and_then(|s| Some((s, self.shared_form(s)?)))
                else {
                    continue;
                };
                let dynamic = |v: &Variable| v.attrs.has(VarAttrs::ALLOCATABLE);
                if owner || self.model.variable(symbol).is_some_and(dynamic) {
                    continue;
                }
                let text = format!(
                    "`{name}` is device data of fixed shape and cannot be `threadprivate`\nnote: all threads would share it\nhelp: declare it allocatable"
                );
                self.finding("CUF0419", at, text);
            }
        }
    }
}

/// What precedes a list (`+:`), without the colon and modifiers before it, and the places of the list's items.
pub(super) fn list_of(d: &Directive, list: Span) -> (String, Vec<Span>) {
    let text = d.slice(list);
    let mut depth = 0;
    let colon = text.char_indices().rfind(|(_, c)| {
        depth += match c {
            ')' => 1,
            '(' => -1,
            _ => 0,
        };
        *c == ':' && depth == 0
    });
    let start = colon.map_or(0, |(i, _)| i + 1);
    let from = list.start + start as u32;
    let shift = |s: Span| Span {
        start: s.start + from,
        end: s.end + from,
    };
    let names = items(&text[start..]).into_iter().map(shift).collect();
    let before = text[..start.saturating_sub(1)].trim();
    let before = match before.split_once(',') {
        Some((modifier, rest)) if modifier.trim().eq_ignore_ascii_case("default") => rest,
        _ => before,
    };
    (before.to_owned(), names)
}

/// A line without texts and comments, directives apart, with every character in its place.
fn code_for_names(line: &str) -> String {
    let trimmed = line.trim_start();
    let directive = trimmed.starts_with("!$") || trimmed.starts_with("!@");
    let sentinel = match directive {
        true => line.len() - trimmed.len() + 5,
        false => 0,
    };
    let mut out = String::with_capacity(line.len());
    let (mut quote, mut comment) = (None, false);
    for (i, c) in line.char_indices() {
        let blank = match quote {
            _ if i < sentinel || comment => true,
            Some(q) => {
                if c == q {
                    quote = None;
                }
                true
            }
            None if c == '!' => {
                comment = true;
                true
            }
            None if c == '\'' || c == '"' => {
                quote = Some(c);
                true
            }
            None => false,
        };
        match blank {
            true => out.push_str(&" ".repeat(c.len_utf8())),
            false => out.push(c),
        }
    }
    out
}

/// Why values of a type cannot be reduced.
fn reduction_refusal(operator: &str, ty: &Type) -> Option<&'static str> {
    let number = matches!(ty, Type::Integer(_) | Type::Real(4 | 8 | 10 | 16));
    let right = match operator {
        "+" | "-" | "*" => number || matches!(ty, Type::Complex(_)),
        "max" | "min" => number,
        "iand" | "ior" | "ieor" => matches!(ty, Type::Integer(_)),
        ".and." | ".or." | ".eqv." | ".neqv." => matches!(ty, Type::Logical(_)),
        _ => return Some("the operator is not an intrinsic one"),
    };
    (!right).then_some("the operator is not for its type")
}
