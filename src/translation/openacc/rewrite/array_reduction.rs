//! Reductions of arrays (OpenACC 2.5.13). Each thread has an array of its own, which begins with the identity of the operator and stays
//! while the thread executes its share of the iterations. A second loop combines the arrays of all threads, in a fixed order.
//!
//! ```fortran
//! block
//!   integer :: part_acc
//!   real(8), device, allocatable :: a_parts_acc(:, :)
//!   allocate(a_parts_acc(1:3, 16384))
//!   !$cuf kernel do <<<*, *>>> present
//!   do part_acc = 1, 16384
//!     block
//!       real(8) :: a(1:3)
//!       a = 0
//!       do i = 1 + (part_acc - 1), n, 16384
//!         ...
//!       end do
//!       a_parts_acc(:, part_acc) = a
//!     end block
//!   end do
//!   ...
//! ```

use super::environment::{Environment, HostCopies, ReducedArray, clauses, reductions};
use super::nest::Shape;
use super::rewriter::Rewriter;
use crate::ast::{DoControl, Expr, ExprKind, Stmt, StmtKind};
use crate::sema::expression::typed::{Subscript, TExprKind};
use crate::sema::model::{SymbolId, Type};
use crate::source::Rewrite;
use crate::translation::openacc::directive::Directive;
use crate::translation::openacc::regions::Region;

/// Threads that share a loop with one, and with a larger number of elements to reduce.
const PARTS: i64 = 16384;
/// Threads along the innermost of several loops.
const INNERMOST: i64 = 128;

/// The lines around a loop with such reductions.
#[derive(Debug, Default)]
pub(super) struct Around {
    pub open: Vec<String>,
    /// The place of the directive of the loop over the parts.
    pub directive: usize,
    pub close: Vec<String>,
}

impl<'a> Rewriter<'a> {
    /// What the reductions of arrays of a construct need.
    pub(super) fn prepare_reductions(&mut self, r: &Region<'a>, host: &mut HostCopies) {
        self.reduced_arrays.clear();
        let mut found: Vec<(String, Expr)> = Vec::new();
        r.for_each(&mut |c| {
            for (op, e) in reductions(c.directive) {
                found.push((op.to_owned(), e.clone()));
            }
        });
        for (op, e) in found {
            let Some(t) = self.typed(&e).filter(|t| t.rank != 0) else {
                continue;
            };
            let known = |r| self.reduced_arrays.iter().any(|o| o.symbol == r);
            if t.root().is_none_or(known) {
                continue;
            }
            match self.reduced_array(&e, &op, host) {
                Some(a) => self.reduced_arrays.push(a),
                None => {
                    let name = self.text_of(&e);
                    self.report(e.span, "CUF0531", format!("reduction of the array `{name}` is not supported\nnote: the array must have known bounds, and a section bounds without stride\nhelp: use `!$acc atomic update` on its elements"));
                }
            }
        }
    }

    /// The arrays that directives, and those of the loops inside, reduce.
    fn reduced_by(&self, directives: &[&Directive], inside: &[Region<'a>]) -> Vec<ReducedArray> {
        let mut symbols: Vec<SymbolId> = Vec::new();
        let mut add = |d: &Directive| {
            let all = reductions(d).filter_map(|(_, e)| self.typed(e));
            symbols.extend(all.filter(|t| t.rank != 0).filter_map(|t| t.root()));
        };
        directives.iter().for_each(|d| add(d));
        inside
            .iter()
            .for_each(|r| r.for_each(&mut |c| add(c.directive)));
        for d in directives {
            let own = self.private_symbols(d);
            symbols.retain(|s| !own.contains(s));
        }
        let all = self.reduced_arrays.iter();
        all.filter(|a| symbols.contains(&a.symbol))
            .cloned()
            .collect()
    }

    /// A loop that all threads share and that reduces arrays, itself or in the loops inside it. None: it does not.
    pub(super) fn reducing_loop(
        &mut self,
        s: &'a Stmt,
        directives: &[&Directive],
        inside: &[Region<'a>],
        env: &Environment,
    ) -> Option<Around> {
        let arrays = self.reduced_by(directives, inside);
        if arrays.is_empty() {
            return None;
        }
        let Shape { depth, .. } = self.shape(s, directives, inside);
        if !is_counted(s, depth) {
            self.report(s.span, "CUF0531", "reduction of an array is not supported on this loop\nnote: its iterations must be counted\nhelp: write the loop as `do i = first, last`");
            return None;
        }
        let mut around = self.parts(s, depth, &arrays);
        let (launch, combining) = (self.launch("*", "*", env), self.launch("*", "128", env));
        let more = self.reductions(directives);
        let directive = format!("  !$cuf kernel do {launch}{more}{}", clauses(env, &[]));
        around.open.insert(around.directive, directive);
        for l in &mut around.close {
            *l = l.replace('@', &combining);
        }
        self.private_block(s, depth, &env.own.lines());
        Some(around)
    }

    fn reduced_array(&mut self, e: &Expr, op: &str, host: &mut HostCopies) -> Option<ReducedArray> {
        let t = self.typed(e)?;
        let symbol = t.root()?;
        let name = match &e.kind {
            ExprKind::Name(n) => n.clone(),
            ExprKind::Ref { base, .. } => base.as_name()?.clone(),
            _ => return None,
        };
        let identity = identity(op, &t.ty)?;
        let ty = self.type_text(&t.ty)?;
        let rank = self.model.dims(symbol).len();
        let bounds = match &t.kind {
            TExprKind::Variable(_) => self.bounds_text(symbol, &name, host)?,
            TExprKind::Index { base, subs } if matches!(base.kind, TExprKind::Variable(_)) => {
                let mut all = Vec::new();
                for (k, s) in subs.iter().enumerate() {
                    let text =
                        |e: &crate::sema::expression::typed::TExpr| self.slice(e.span).to_owned();
                    let (first, last) = (
                        format!("lbound({}, {}, 8)", name.text, k + 1),
                        format!("ubound({}, {}, 8)", name.text, k + 1),
                    );
                    let (lo, hi) = match s {
                        Subscript::Element(x) if x.rank == 0 => (text(x), text(x)),
                        Subscript::Range { lo, hi, step: None } => (
                            lo.as_ref().map_or(first, text),
                            hi.as_ref().map_or(last, text),
                        ),
                        _ => return None,
                    };
                    let low = self.name(&format!("{}_low", name.text));
                    let high = self.name(&format!("{}_high", name.text));
                    host.set(
                        format!("integer(8) :: {low}, {high}"),
                        [format!("{low} = {lo}"), format!("{high} = {hi}")],
                    );
                    all.push(format!("{low}:{high}"));
                }
                all.join(", ")
            }
            _ => return None,
        };
        Some(ReducedArray {
            symbol,
            name: name.text.to_string(),
            operator: op.to_owned(),
            ty,
            rank,
            bounds,
            identity,
        })
    }

    /// The lines around the loop `s`, without the directive, with `depth` loops whose iterations all threads share. The loops' headers are changed so that each
    /// thread has its share.
    fn parts(&mut self, s: &Stmt, depth: usize, arrays: &[ReducedArray]) -> Around {
        let part = self.name("part");
        let parts = self.name("parts");
        let mut around = Around::default();
        around
            .open
            .extend(["block".to_owned(), format!("  integer :: {part}, {parts}")]);
        let mut sums = Vec::new();
        let mut names = Vec::new();
        for a in arrays {
            let all = self.name(&format!("{}_parts", a.name));
            let colons = ":, ".repeat(a.rank);
            around.open.push(format!(
                "  {}, device, allocatable :: {all}({colons}:)",
                a.ty
            ));
            names.push(all);
        }
        around.open.push(format!("  {parts} = {PARTS}"));
        for (a, all) in arrays.iter().zip(&names) {
            let extents = a.bounds.split(", ").map(|b| match b.split_once(':') {
                Some((low, high)) => format!("max(0_8, {high} - ({low}) + 1_8)"),
                None => b.to_owned(),
            });
            let size = extents.collect::<Vec<_>>().join("*");
            // Not more than some millions of elements in all.
            around.open.push(format!(
                "  {parts} = min({parts}, max({INNERMOST}, int(4194304_8/max(1_8, {size})/{INNERMOST})*{INNERMOST}))"
            ));
            sums.push(self.sum(a, all, &parts));
        }
        for (a, all) in arrays.iter().zip(&names) {
            around
                .open
                .push(format!("  allocate({all}({}, {parts}))", a.bounds));
        }
        around.directive = around.open.len();
        around
            .open
            .extend([format!("  do {part} = 1, {parts}"), "  block".to_owned()]);
        for a in arrays {
            around
                .open
                .push(format!("    {} :: {}({})", a.ty, a.name, a.bounds));
        }
        for a in arrays {
            around.open.push(format!("    {} = {}", a.name, a.identity));
        }
        for (a, all) in arrays.iter().zip(&names) {
            let colons = ":, ".repeat(a.rank);
            around
                .close
                .push(format!("    {all}({colons}{part}) = {}", a.name));
        }
        around
            .close
            .extend(["  end block".to_owned(), "  end do".to_owned()]);
        around.close.extend(sums.into_iter().flatten());
        around
            .close
            .push(format!("  deallocate({})", names.join(", ")));
        around.close.push("end block".to_owned());
        self.share_headers(s, depth, &part, &parts);
        around
    }

    /// The loop that combines the arrays of all threads.
    fn sum(&mut self, a: &ReducedArray, all: &str, parts: &str) -> Vec<String> {
        let k = self.name("k");
        let value = self.name("value");
        let mut indices = Vec::new();
        for _ in 0..a.rank {
            indices.push(self.name("at"));
        }
        let list = indices.join(", ");
        let name = &a.name;
        let combine = |x: &str, y: &str| combined(&a.operator, x, y);
        let mut lines = vec![
            "  block".to_owned(),
            format!("    integer(8) :: {list}"),
            format!("    integer :: {k}"),
            format!("    {} :: {value}", a.ty),
            format!(
                "    !$cuf kernel do({}) @ gang present private({value})",
                a.rank
            ),
        ];
        let bounds: Vec<&str> = a.bounds.split(", ").collect();
        for (i, b) in indices.iter().zip(bounds).rev() {
            let (low, high) = b.split_once(':').unwrap_or(("1", b));
            lines.push(format!("    do {i} = {low}, {high}"));
        }
        lines.extend([
            format!("      {value} = {}", a.identity),
            format!("      !$cuf loop vector reduce({}:{value})", a.operator),
            format!("      do {k} = 1, {parts}"),
            format!(
                "        {value} = {}",
                combine(&value, &format!("{all}({list}, {k})"))
            ),
            "      end do".to_owned(),
            format!(
                "      {name}({list}) = {}",
                combine(&format!("{name}({list})"), &value)
            ),
        ]);
        lines.extend(indices.iter().map(|_| "    end do".to_owned()));
        lines.push("  end block".to_owned());
        lines
    }

    /// Changes the headers of the loops so that a thread has each `parts`-th iteration.
    fn share_headers(&mut self, s: &Stmt, depth: usize, part: &str, parts: &str) {
        let mut at = s;
        for k in 1..=depth {
            let StmtKind::Do(d) = &at.kind else { return };
            let DoControl::Counted { from, to, step, .. } = &d.control else {
                return;
            };
            let (first, every) = match (depth - k, depth) {
                (0, 1) => (format!("({part} - 1)"), parts.to_owned()),
                (0, _) => (
                    format!("mod({part} - 1, {INNERMOST})"),
                    INNERMOST.to_string(),
                ),
                (1, _) => (
                    format!("(({part} - 1)/{INNERMOST})"),
                    format!("({parts}/{INNERMOST})"),
                ),
                (_, _) => (String::new(), String::new()),
            };
            if !first.is_empty() {
                let by = step.as_ref().map(|s| self.text_of(s));
                let low = self.text_of(from);
                let start = match &by {
                    Some(s) => format!("{low} + {first}*({s})"),
                    None => format!("{low} + {first}"),
                };
                self.out.push(Rewrite::new(from.span, start));
                match (step, by) {
                    (Some(e), Some(s)) => {
                        self.out
                            .push(Rewrite::new(e.span, format!("({s})*{every}")));
                    }
                    _ => self.insert(to.span.end, format!(", {every}")),
                }
            }
            match d.body.iter().find(|s| matches!(s.kind, StmtKind::Do(_))) {
                Some(inner) => at = inner,
                None => return,
            }
        }
    }
}

/// All of `depth` nested loops are of the form `do i = first, last`.
fn is_counted(s: &Stmt, depth: usize) -> bool {
    let StmtKind::Do(d) = &s.kind else {
        return false;
    };
    let inner = || d.body.iter().find(|s| matches!(s.kind, StmtKind::Do(_)));
    matches!(d.control, DoControl::Counted { .. })
        && (depth <= 1 || inner().is_some_and(|s| is_counted(s, depth - 1)))
}

/// Two values combined.
fn combined(op: &str, x: &str, y: &str) -> String {
    match op {
        "max" | "min" | "iand" | "ior" | "ieor" => format!("{op}({x}, {y})"),
        _ => format!("{x} {op} {y}"),
    }
}

/// What an operator leaves as it is, of the type.
fn identity(op: &str, ty: &Type) -> Option<String> {
    Some(match (op, ty) {
        ("+" | "ior" | "ieor", _) => "0".to_owned(),
        ("*", _) => "1".to_owned(),
        ("iand", Type::Integer(k)) => format!("-1_{k}"),
        ("max", Type::Integer(k)) => format!("-huge(0_{k}) - 1_{k}"),
        ("min", Type::Integer(k)) => format!("huge(0_{k})"),
        // Infinities.
        ("max", Type::Real(4)) => "transfer(-8388608_4, 0.0_4)".to_owned(),
        ("min", Type::Real(4)) => "transfer(2139095040_4, 0.0_4)".to_owned(),
        ("max", Type::Real(8)) => "transfer(-4503599627370496_8, 0.0_8)".to_owned(),
        ("min", Type::Real(8)) => "transfer(9218868437227405312_8, 0.0_8)".to_owned(),
        (".and." | ".eqv.", _) => ".true.".to_owned(),
        (".or." | ".neqv.", _) => ".false.".to_owned(),
        _ => return None,
    })
}
