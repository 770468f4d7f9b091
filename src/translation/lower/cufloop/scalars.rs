//! Scalars of the host in a CUF loop (guide 2.11.2 and 2.11.3): reductions are collected, all others that the loop assigns are
//! private to an iteration.

use std::collections::{BTreeMap, BTreeSet};

use super::capture::designator_name;
use super::flow::{self, FirstRead};
use super::mentions::Places;
use super::operation::of_clause;
use super::scan::holds;
use crate::ast::{CufKernel, LoopOrigin, Span, Stmt};
use crate::ir::{self, *};
use crate::lower::context::state::Capture;
use crate::lower::context::{Entity, LoweringContext};
use crate::lower::value::convert::convert;
use crate::sema::Finding;
use crate::sema::expression::dependence::same;
use crate::sema::expression::typed::*;
use crate::sema::model::{self, *};

/// The variable of a reduction.
pub(in crate::translation::lower) struct Reduced {
    pub target: TExpr,
    /// Of a clause; else the host's name for it is looked up where it is needed.
    pub syntax: Option<crate::ast::Expr>,
    pub op: ReductionOp,
    pub ty: ir::Type,
    pub name: String,
    pub param: String,
}

/// What becomes of the scalars that a loop assigns.
#[derive(Default)]
pub(in crate::translation::lower) struct Scalars {
    pub reductions: Vec<Reduced>,
    /// Private ones, each with a place where it is no reduction.
    pub private: Vec<(TExpr, Span)>,
    /// Private ones that an iteration may read before it assigns them: each iteration begins with the host's value.
    pub restarted: Vec<SymbolId>,
}

/// Private scalars become locals; reductions are collected. `mapped`: variables of the mapped loops with their first values.
pub(in crate::translation::lower) fn classify(
    cx: &mut LoweringContext<'_, '_>,
    k: &CufKernel,
    mapped: &[(SymbolId, TExpr)],
    body: &[Stmt],
) -> Option<Scalars> {
    let places = cx.scan().places(body);
    let mut reductions = declared(cx, k, &places, body)?;
    let mut scalars = Vec::new();
    cx.scan()
        .changed_scalars(body, &cx.facts.modified, &mut scalars);
    let mut private = Vec::new();
    for t in scalars {
        let Some(root) = t.root() else { continue };
        let known = mapped.iter().any(|m| m.0 == root)
            || reductions.iter().any(|r| same(&r.target, &t))
            || cx.scan().is_inner(root);
        if known {
            continue;
        }
        let shares = |v: &Variable| v.attrs.has(VarAttrs::IN_EQUIVALENCE);
        if cx.model().variable(root).is_some_and(shares) {
            carried(
                cx,
                &t,
                t.span,
                "it shares its memory with another variable (`equivalence`)",
            );
            cx.failed = true;
            return None;
        }
        // LOCAL and LOCAL_INIT of a DO CONCURRENT say that it is private.
        if cx.is_local(k, root) {
            private.push((t.clone(), t.span));
            continue;
        }
        // An array in a structure of the host may be meant for each iteration, unless it was allocated.
        let allocated = t.rank > 0 && cx.model().is_dynamic(&t);
        let device =
            cx.in_device_memory(&t) || cx.is_present(&t) || allocated && cx.model().reaches(&t);
        match cx.scan().accumulation(&t, &places, body) {
            Ok(op) => {
                reductions.push(reduced(cx, t, None, op)?);
            }
            // A scalar in device memory that is only stored to stays where it is.
            Err(_) if device => {}
            Err(at) if cx.is_passed(&t) => {
                carried(
                    cx,
                    &t,
                    at,
                    "it is a dummy argument, which the threads share",
                );
                cx.failed = true;
                return None;
            }
            Err(at) if cx.shares_memory(&t) => {
                carried(
                    cx,
                    &t,
                    at,
                    "a pointer in the loop may be associated with it",
                );
                cx.failed = true;
                return None;
            }
            Err(at) => private.push((t, at)),
        }
    }
    let restarted = match follow(cx, k, &private, mapped, &places, body) {
        Some(r) => r,
        None => {
            cx.failed = true;
            return None;
        }
    };
    Some(Scalars {
        reductions,
        private,
        restarted,
    })
}

/// The private scalars of a CUF loop are no longer the host's.
pub(super) fn make_private(
    cx: &mut LoweringContext<'_, '_>,
    k: &CufKernel,
    found: &Scalars,
    indices: &[(SymbolId, Span)],
) -> Option<()> {
    let Scalars {
        private,
        reductions,
        ..
    } = found;
    let mut structures = Vec::new();
    for (t, _) in private {
        match t.kind {
            TExprKind::Variable(s) => {
                if let Some(c) = &mut cx.capture {
                    c.inside.push(s);
                }
            }
            _ => structures.extend(t.root().map(|r| (r, t.clone()))),
        }
    }
    private_structures(cx, structures, reductions)?;
    cx.warn_of_host_reads(k, private, indices);
    Some(())
}

/// The reductions of the directive's clauses.
fn declared(
    cx: &mut LoweringContext<'_, '_>,
    k: &CufKernel,
    places: &Places,
    body: &[Stmt],
) -> Option<Vec<Reduced>> {
    let mut reductions: Vec<Reduced> = Vec::new();
    for clause in &k.reductions {
        let Some(op) = of_clause(&clause.op.text) else {
            cx.refuse(
                clause.span,
                "CUF0451",
                format!("`{}` is not a reduction operator", clause.op.text),
            );
            return None;
        };
        for v in &clause.variables {
            let t = cx.scan().resolved(&cx.typed(v)).into_owned();
            if cx.scan().contradicts(&t, places, body, op) {
                cx.refuse(
                    clause.span,
                    "CUF0451",
                    format!(
                        "the loop updates `{}` with another operator than `{}` of its `{}` clause",
                        t.root().map_or("its variable", |r| &cx.model()[r].spelling),
                        clause.op.text,
                        cx.loop_origin().clause()
                    ),
                );
                return None;
            }
            if let Some(at) = cx.scan().used_beside(&t, places, body) {
                let name = cx.captured_name(&t);
                let message = format!(
                    "reduction variable `{name}` is used inside an iteration\nnote: it contains only a partial result there"
                );
                cx.refuse(at, "CUF0483", message);
                return None;
            }
            if let Some(at) = cx.scan().assigned_anew(&t, places, body, op) {
                let name = cx.captured_name(&t);
                let message = format!(
                    "reduction variable `{name}` is assigned without its own value\nnote: each thread would add its last \
                     value, so that the result depends on the number of threads\nhelp: update the variable with the \
                     operator of the reduction, or remove it from the clause"
                );
                cx.refuse(at, "CUF0483", message);
                return None;
            }
            reductions.push(reduced(cx, t, Some(v.clone()), op)?);
        }
    }
    Some(reductions)
}

/// Which private scalars begin each iteration with the host's value. None: a value goes from one iteration to another.
fn follow(
    cx: &mut LoweringContext<'_, '_>,
    k: &CufKernel,
    private: &[(TExpr, Span)],
    mapped: &[(SymbolId, TExpr)],
    places: &Places,
    body: &[Stmt],
) -> Option<Vec<SymbolId>> {
    if private.is_empty() {
        return Some(Vec::new());
    }
    let cx = &*cx;
    let (cells, owners) = cells(cx, private);
    let mut varying: BTreeSet<SymbolId> = cx.facts.modified.clone();
    varying.extend(mapped.iter().map(|m| m.0));
    varying.extend(cx.facts.loops.keys());
    let found = flow::follow(cx.scan(), &cells, &varying, mapped, places, body);
    let mut refused: BTreeMap<usize, String> = BTreeMap::new();
    let is_local = |n: &usize| {
        let cell = cells.get(*n).and_then(TExpr::root);
        cell.is_some_and(|r| cx.is_local(k, r))
    };
    for (n, from) in found.carried.iter().filter(|(n, _)| !is_local(n)) {
        let Some(owner) = owners.get(*n) else {
            continue;
        };
        let through = cells.get(*from).filter(|_| from != n);
        refused.entry(*owner).or_insert_with(|| match through.map(|c| cx.captured_name(c)) {
            Some(other) => format!("its new value depends on `{other}`, whose value comes from an earlier iteration"),
            None => "its new value depends on its value of an earlier iteration".to_owned(),
        });
    }
    let mut restarted = Vec::new();
    let mut warned: BTreeMap<usize, (&TExpr, &FirstRead)> = BTreeMap::new();
    for (n, read) in &found.first_reads {
        let (Some(owner), Some(cell)) = (owners.get(*n), cells.get(*n)) else {
            continue;
        };
        restarted.extend(cell.root());
        if is_local(n) || refused.contains_key(owner) {
            continue;
        }
        if read.certain || cell.rank > 0 {
            let why = "an iteration reads the value that an earlier iteration assigns";
            refused.insert(*owner, why.to_owned());
        } else {
            warned.entry(*owner).or_insert((cell, read));
        }
    }
    for (owner, why) in &refused {
        if let Some((t, at)) = private.get(*owner) {
            carried(cx, t, *at, why);
        }
    }
    if !refused.is_empty() {
        return None;
    }
    for (cell, read) in warned.values() {
        first_read(cx, cell, read);
    }
    let initial = k.local.iter().filter(|l| l.1);
    let initial = initial.filter_map(|l| cx.model().lookup(cx.scope, &l.0.text));
    let is_private = |s: &SymbolId| private.iter().any(|t| t.0.root() == Some(*s));
    restarted.extend(initial.filter(is_private));
    restarted.sort_unstable();
    restarted.dedup();
    Some(restarted)
}

/// The parts of the scalars that are followed, with the scalar that each belongs to.
fn cells(cx: &LoweringContext<'_, '_>, private: &[(TExpr, Span)]) -> (Vec<TExpr>, Vec<usize>) {
    let (mut cells, mut owners): (Vec<TExpr>, Vec<usize>) = Default::default();
    // The larger ones first: their parts are parts of those.
    for (n, (t, _)) in private.iter().enumerate() {
        let inside = |(m, (other, _)): (usize, &(TExpr, Span))| m != n && holds(other, t);
        if private.iter().enumerate().any(inside) {
            continue;
        }
        flow::parts(cx.model(), t, &mut cells);
        owners.resize(cells.len(), n);
    }
    (cells, owners)
}

impl LoweringContext<'_, '_> {
    /// DO CONCURRENT declares it local to an iteration.
    fn is_local(&self, k: &CufKernel, s: SymbolId) -> bool {
        let is = |name: &crate::ast::Name| self.model().lookup(self.scope, &name.text) == Some(s);
        k.local.iter().any(|(name, _)| is(name))
    }

    /// A dummy argument of a device procedure that is not passed by value.
    fn is_passed(&self, t: &TExpr) -> bool {
        let passed = |v: &Variable| v.dummy.is_some() && !v.attrs.has(VarAttrs::VALUE);
        let root = t.root().and_then(|r| self.model().variable(r));
        self.capture.is_none() && root.is_some_and(passed)
    }

    /// A scalar pointer in the loop may be associated with the variable.
    fn shares_memory(&self, t: &TExpr) -> bool {
        let scalar = |s: SymbolId| {
            let v = self.model().variable(s)?;
            v.dims.is_empty().then_some((v.attrs, v.ty.clone()))
        };
        let Some((root, (attrs, ty))) = t.root().and_then(|r| Some((r, scalar(r)?))) else {
            return false;
        };
        let (pointer, target) = (attrs.has(VarAttrs::POINTER), attrs.has(VarAttrs::TARGET));
        self.facts
            .mentioned
            .iter()
            .filter(|s| **s != root)
            .any(|s| {
                scalar(*s).is_some_and(|(other, of)| {
                    let reached = other.has(VarAttrs::POINTER) && (pointer || target);
                    of == ty && (reached || pointer && other.has(VarAttrs::TARGET))
                })
            })
    }
}

/// Reports a scalar whose value goes from one iteration to another.
fn carried(cx: &LoweringContext<'_, '_>, t: &TExpr, at: Span, why: &str) {
    let name = cx.captured_name(t);
    let message = format!(
        "`{name}` is neither private to an iteration nor a recognized reduction\nnote: {why}"
    );
    if !cx.quiet {
        let help = match (t.rank > 0, cx.loop_origin()) {
            (true, LoopOrigin::CufLoop) => "if the iterations share the array, declare the structure with the `device` or `managed` attribute".to_owned(),
            (_, origin) => format!(
                "name it in a clause such as `{}`, use an array with one element per iteration, or use {}",
                origin.reduction("+", &name),
                match origin {
                    LoopOrigin::CufLoop => "an atomic function on a device scalar",
                    LoopOrigin::Construct => "`!$acc atomic`",
                }
            ),
        };
        cx.sh.finding(cx.file, at, "CUF0453", message, Some(&help));
    }
}

/// Warns of a scalar that an iteration may read before it assigns it.
fn first_read(cx: &LoweringContext<'_, '_>, t: &TExpr, read: &FirstRead) {
    let name = cx.captured_name(t);
    let mut lines: Vec<_> = read
        .left_at
        .iter()
        .map(|s| cx.sh.line(cx.file, s.start).to_string())
        .collect();
    lines.dedup();
    let path = match lines.is_empty() {
        true => "on some path".to_owned(),
        false => format!(
            "if the statement in line {} does not assign it",
            lines.join(" or ")
        ),
    };
    let message = format!(
        "`{name}` may be read before the iteration assigns it, {path}\nnote: it then has the value of the host variable"
    );
    cx.sh.report(Finding {
        help: Some(format!("assign `{name}` at the start of the loop body")),
        warning: true,
        ..Finding::new("CUF0480", cx.file, read.at, message)
    });
}

/// Structures with components that are private to an iteration: every thread has a copy of the whole, with the host's values
/// in the other components.
fn private_structures(
    cx: &mut LoweringContext<'_, '_>,
    components: Vec<(SymbolId, TExpr)>,
    reductions: &[Reduced],
) -> Option<()> {
    for (root, component) in components {
        let inside = |c: &Capture| c.inside.contains(&root);
        if cx.capture.as_ref().is_some_and(inside) || cx.vars.contains_key(&root) {
            continue;
        }
        let ty = cx.model().type_of(root);
        let plain = cx.model().variable(root).is_some_and(|v| v.dims.is_empty())
            && matches!(ty, model::Type::Derived(_))
            && !has_references(cx.model(), &ty);
        let reduced = reductions.iter().any(|r| r.target.root() == Some(root));
        if !plain || reduced {
            let name = &cx.model()[root].spelling;
            let message = format!(
                "component of `{name}` is modified by every iteration of this loop\nhelp: use a scalar variable for it"
            );
            cx.refuse(component.span, "CUF0452", message);
            return None;
        }
        cx.capture_variable(root, component.span);
    }
    Some(())
}

/// Values of the type have parts elsewhere, which a copy shares.
fn has_references(model: &Model, ty: &model::Type) -> bool {
    let (model::Type::Derived(t) | model::Type::Class(t)) = ty else {
        return false;
    };
    let elsewhere = |f: &Field| f.attrs.is_dynamic();
    let fields = model.components_of(*t);
    fields
        .iter()
        .any(|f| elsewhere(f) || has_references(model, &f.ty))
}

fn reduced(
    cx: &mut LoweringContext<'_, '_>,
    target: TExpr,
    syntax: Option<crate::ast::Expr>,
    op: ReductionOp,
) -> Option<Reduced> {
    use ReductionOp::{Add, And, Eqv, Max, Min, Mul, Neqv, Or};
    let logical = matches!(op, And | Or | Eqv | Neqv);
    let fits = match target.ty {
        model::Type::Logical(_) => logical,
        model::Type::Integer(_) => !logical,
        model::Type::Real(_) => matches!(op, Add | Mul | Max | Min),
        model::Type::Complex(_) => matches!(op, Add | Mul),
        _ => false,
    };
    if !fits || target.rank != 0 {
        cx.refuse(
            syntax.map_or(target.span, |s| s.span),
            "CUF0451",
            "reduction of this operator and type is not supported",
        );
        return None;
    }
    let ty = cx.storage_type(&target.ty)?;
    let name = match &target.kind {
        TExprKind::Variable(s) => cx.local_name(*s),
        _ => cx.fresh(&designator_name(&target, cx)),
    };
    let param = cx.fresh(&format!("{name}_"));
    Some(Reduced {
        target,
        syntax,
        op,
        ty,
        name,
        param,
    })
}

/// Declarations of the private scalars.
pub(super) fn private_declarations(
    cx: &mut LoweringContext<'_, '_>,
    restarted: &[SymbolId],
) -> Vec<ir::Stmt> {
    let inside = cx
        .capture
        .as_ref()
        .map(|c| c.inside.clone())
        .unwrap_or_default();
    let mut out: Vec<ir::Stmt> = Vec::new();
    for s in inside {
        if cx.vars.contains_key(&s) || restarted.contains(&s) {
            continue;
        }
        let model_ty = cx.model().type_of(s);
        let Some(ty) = cx.private_type(s, &model_ty) else {
            continue;
        };
        let name = cx.local_name(s);
        cx.vars.insert(
            s,
            Entity {
                expr: Expr::name(&name, ty.clone()),
                bounds: Vec::new(),
                optional: None,
            },
        );
        // A variable that only counts inner loops is declared there.
        if let Some(loops) = cx.facts.loops.get(&s)
            && !cx.facts.has_goto
            && cx.facts.mentions.get(&s).is_none_or(|m| {
                m.iter()
                    .all(|at| loops.iter().any(|l| l.start <= at.start && at.end <= l.end))
            })
        {
            cx.vars.remove(&s);
            cx.loops.locals.insert(s);
            continue;
        }
        let declarator = Declarator {
            name,
            init: Init::None,
        };
        if let Some(StmtKind::Declare(d)) = out.last_mut().map(|s| &mut s.kind)
            && d.ty == ty
        {
            d.names.push(declarator);
            continue;
        }
        out.push(
            StmtKind::Declare(Declare {
                ty,
                qualifier: Qualifier::None,
                names: vec![declarator],
                maybe_unused: true,
            })
            .into(),
        );
    }
    out
}

/// The copies with which an iteration begins: of scalars that it may read before it assigns them.
pub(in crate::translation::lower) fn restart(
    cx: &mut LoweringContext<'_, '_>,
    restarted: &[SymbolId],
    span: Span,
) -> Vec<ir::Stmt> {
    let mut out = Vec::new();
    for s in restarted {
        let host = match cx.vars.get(s) {
            Some(e) => e.expr.clone(),
            None => cx.capture_variable(*s, span).expr,
        };
        let model_ty = cx.model().type_of(*s);
        let Some(ty) = cx.private_type(*s, &model_ty) else {
            continue;
        };
        let spelling = cx.model()[*s].spelling.clone();
        let name = cx.fresh(&format!("own_{spelling}"));
        out.push(ir::Stmt::declare(
            ty.clone(),
            &name,
            Init::Value(convert(host, &ty)),
        ));
        cx.vars.insert(
            *s,
            Entity {
                expr: Expr::name(&name, ty),
                bounds: Vec::new(),
                optional: None,
            },
        );
    }
    out
}

impl LoweringContext<'_, '_> {
    /// The type of a private scalar.
    fn private_type(&mut self, s: SymbolId, ty: &model::Type) -> Option<ir::Type> {
        let ty = self.storage_type(ty)?;
        let plain = matches!(ty, ir::Type::Logical(_)) && !self.facts.by_reference.contains(&s);
        Some(if plain { ir::Type::Bool } else { ty })
    }
}
