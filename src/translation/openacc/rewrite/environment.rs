//! What the loops of a construct have in common, and how their directives name it.

use std::collections::{BTreeMap, BTreeSet};

use crate::ast::Expr;
use crate::sema::model::SymbolId;
use crate::translation::openacc::clause::ClauseKind;
use crate::translation::openacc::directive::Directive;

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

/// The private variables of a directive.
#[derive(Clone, Debug, Default)]
pub(super) struct Own {
    pub private: Vec<String>,
    pub firstprivate: Vec<String>,
    pub arrays: Vec<PrivateArray>,
}

#[derive(Clone, Debug)]
pub(super) struct PrivateArray {
    pub declaration: String,
    /// The assignment of its first value.
    pub first: Option<String>,
}

impl Own {
    /// The lines at the start of a BLOCK with the arrays.
    pub(super) fn lines(&self) -> Vec<String> {
        let declared = self.arrays.iter().map(|a| a.declaration.clone());
        let first = self.arrays.iter().filter_map(|a| a.first.clone());
        declared.chain(first).collect()
    }
}

/// Host variables with the bounds and first values of private arrays.
#[derive(Clone, Debug, Default)]
pub(super) struct HostCopies {
    pub declarations: Vec<String>,
    pub before: Vec<String>,
    pub after: Vec<String>,
}

impl HostCopies {
    /// A variable that gets its value before the construct.
    pub(super) fn set<const N: usize>(&mut self, declaration: String, before: [String; N]) {
        self.declarations.push(declaration);
        self.before.extend(before);
    }

    /// Puts them around the lines before a construct and behind it.
    pub(super) fn around(self, enter: &mut Vec<String>, exit: &mut Vec<String>) {
        if self.declarations.is_empty() {
            return;
        }
        let declarations = self.declarations.iter().map(|l| format!("  {l}"));
        let mut lines = vec!["block".to_owned()];
        lines.extend(declarations);
        lines.extend(self.before.iter().map(|l| format!("  {l}")));
        lines.append(enter);
        *enter = lines;
        exit.extend(self.after);
        exit.push("end block".to_owned());
    }
}

/// An array in a clause `reduction`.
#[derive(Clone, Debug)]
pub(super) struct ReducedArray {
    pub symbol: SymbolId,
    pub name: String,
    pub operator: String,
    pub ty: String,
    pub rank: usize,
    pub bounds: String,
    pub identity: String,
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

/// The clauses `reduction` of a directive, with their operators.
pub(super) fn reductions(d: &Directive) -> impl Iterator<Item = (&str, &Expr)> {
    let clauses = d.clauses.iter();
    let clauses = clauses.filter(|c| c.kind == ClauseKind::Reduction);
    clauses.flat_map(|c| {
        let op = c.modifier.as_ref().map_or("+", |m| m.text.as_str());
        let op = if op == "-" { "+" } else { op };
        c.exprs().map(move |e| (op, e))
    })
}

/// Scalars.
pub(super) type Live = BTreeSet<SymbolId>;

/// What is live in a unit, found once for all its loops.
#[derive(Debug, Default)]
pub(super) struct Liveness {
    /// Behind the loops, by their places.
    pub behind: BTreeMap<u32, Live>,
    /// Names that are read in other ways: by internal procedures, in directives, as associate names.
    pub elsewhere: BTreeSet<String>,
    /// Control goes to labels, or loops are too deep: nothing is known.
    pub has_jumps: bool,
}
