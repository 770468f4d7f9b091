//! Kernels and device procedures: dummies, results, bounds, hidden arguments.

pub(in crate::translation::lower) mod actual;
pub(in crate::translation::lower) mod call;
pub(in crate::translation::lower) mod declared_comments;
pub(in crate::translation::lower) mod dummy;
pub(in crate::translation::lower) mod dynamic_parallelism;
pub(in crate::translation::lower) mod elemental;
pub(in crate::translation::lower) mod equivalence;
pub(in crate::translation::lower) mod local;
pub(in crate::translation::lower) mod pointer_dummy;
pub(in crate::translation::lower) mod procedure_argument;
pub(in crate::translation::lower) mod sequence;

use crate::ast::{self, Span};
use crate::ir::{self, *};
use crate::lower::block;
use crate::lower::context::layout::{layout_name, parameter_name};
use crate::lower::context::rules::Statements;
use crate::lower::context::*;
use crate::lower::procedure::dummy::DummyCode;
use crate::sema::model::{self, *};

/// Lowers one device procedure; None if something in it was refused.
pub fn lower_proc(sh: &Shared<'_>, scope: ScopeId) -> Option<ir::Proc> {
    let source = *sh.analysis.procs.get(&scope)?;
    let facts = sh.analysis.facts.get(&scope)?.clone();
    let mut cx = LoweringContext::new(sh, source.file, scope, facts)?;
    cx.reserve_names(scope);
    let symbol = source.symbol?;
    let p = sh.model.procedure(symbol)?;
    let kernel = is_kernel(p);
    let mut kind = match p.target {
        // What the device alone runs may call what only the device has.
        ProcedureTarget::HostDevice if !cx.facts.device_only => ProcKind::HostDevice,
        ProcedureTarget::HostDevice => ProcKind::Device,
        ProcedureTarget::Device => ProcKind::Device,
        _ => ProcKind::Kernel {
            bounds: p.launch_bounds.clone(),
            arrays: Vec::new(),
            indexed: false,
        },
    };
    cx.result = p.result;
    cx.note_cray_pointers(&source.unit.spec);
    if cx.has_procedure_pointers(scope) {
        return None;
    }
    let mut slots = vec![Vec::new(); p.dummies.len()];
    let mut body = Vec::new();
    // Bounds of dummies may ask for module arrays.
    let hidden: Vec<_> = cx.facts.hidden.iter().copied().collect();
    let mut hidden_params = Vec::new();
    for h in &hidden {
        cx.hidden_param(*h, &mut hidden_params);
    }
    if p.dummies.contains(&None) {
        let what = "device procedure cannot have an alternate return";
        cx.refuse(source.unit.header, "CUF0307", what);
    }
    for d in cx.order_of_dummies(&p.dummies) {
        let slot = p.dummies.iter().position(|x| *x == Some(d));
        let Some(params) = slot.and_then(|i| slots.get_mut(i)) else {
            continue;
        };
        let mut code = DummyCode {
            params,
            body: &mut body,
        };
        let decl = sh
            .model
            .variable(d)
            .map_or_else(Default::default, |v| v.decl);
        cx.within(decl, |cx| cx.dummy(d, kernel, &mut code));
        if !kernel {
            cx.initialise_out(d, &mut body);
        }
    }
    let mut params: Vec<Param> = slots.into_iter().flatten().collect();
    params.extend(hidden_params);
    if let ProcKind::Kernel { arrays, .. } = &mut kind {
        let symbols = p.dummies.iter().copied().flatten().chain(hidden);
        *arrays = symbols
            .zip(&params)
            .filter(|(_, p)| matches!(p.ty, ir::Type::View { .. } | ir::Type::Array { .. }))
            .map(|(s, p)| cx.array_param(s, p))
            .collect();
    }
    let result = cx.result_type(source.unit.header);
    cx.prepare_loops(scope, &source.unit.body);
    cx.block = block::in_procedure(&mut cx, p.target, &source.unit.body);
    let mut declarations = cx.lay_out_equivalence(&source.unit.spec);
    declarations.extend(cx.locals(scope));
    let before = source.unit.spec.last().map(|d| d.span.end);
    let start = before.unwrap_or(source.unit.header.end);
    let statements = cx.body(&source.unit.body, start, source.unit.end.start);
    // Named constants come before dummies whose bounds have them.
    let named = |s: &ir::Stmt, n: &Declarator| {
        let StmtKind::Declare(d) = &s.kind else {
            return false;
        };
        d.names.iter().any(|a| match &a.init {
            Init::Args(args) => args.iter().any(|e| e.mentions(&n.name)),
            Init::Value(e) => e.mentions(&n.name),
            Init::None | Init::Default => false,
        })
    };
    let (constants, declarations): (Vec<_>, Vec<_>) = declarations.into_iter().partition(
        |s| matches!(&s.kind, StmtKind::Declare(d) if d.qualifier == Qualifier::Constexpr),
    );
    let early = constants.iter().any(|c| match &c.kind {
        StmtKind::Declare(d) => d.names.iter().any(|n| body.iter().any(|b| named(b, n))),
        _ => false,
    });
    if early {
        body.splice(0..0, constants);
    } else {
        body.extend(constants);
    }
    body.extend(declarations);
    body.extend(statements);
    body.extend(cx.last_step());
    body.splice(0..0, std::mem::take(&mut cx.host_constants));
    cx.finish_function(&mut body);
    let mut remarks = Vec::new();
    if sh.purpose == crate::lower::Purpose::Translate {
        remarks = cx.remarks(source.unit, scope, &mut body);
    }
    if cx.failed {
        return None;
    }
    Some(ir::Proc {
        c_name: c_name(sh, scope, symbol, &params),
        name: sh.procedure_name(symbol, scope),
        remarks,
        kind,
        result,
        params,
        body,
        names: cx.named(scope),
    })
}

fn is_kernel(p: &Procedure) -> bool {
    matches!(
        p.target,
        ProcedureTarget::Global | ProcedureTarget::GridGlobal
    )
}

/// The binding label of a kernel whose parameters are what C++ would give it: numbers and addresses.
fn c_name(sh: &Shared<'_>, scope: ScopeId, symbol: SymbolId, params: &[Param]) -> Option<String> {
    let p = sh.model.procedure(symbol)?;
    let kernel = is_kernel(p);
    let hidden = &sh.analysis.facts.get(&scope)?.hidden;
    let label = p
        .bind_name
        .clone()
        .filter(|l| kernel && hidden.is_empty() && !l.is_empty())?;
    let number = |t: &ir::Type| t.is_integer() || t.is_real();
    let plain = |p: &Param| match &p.ty {
        ir::Type::Pointer { to, .. } => number(to),
        ty => number(ty),
    };
    let own = &sh.model[symbol];
    let unit = &sh.model[sh.model.unit_of(own.scope)];
    let folded = label.to_ascii_lowercase();
    let taken = folded != own.name.as_str() && unit.names.contains_key(folded.as_str());
    let usable = crate::ir::names::safe(&label) == label;
    (usable && !taken && params.iter().all(plain)).then_some(label)
}

impl LoweringContext<'_, '_> {
    /// Reports the procedure pointers of a procedure.
    fn has_procedure_pointers(&mut self, scope: ScopeId) -> bool {
        let pointer = |s: &SymbolId| {
            let p = self.model().procedure(*s);
            self.model()[*s].scope == scope
                && p.is_some_and(|p| matches!(p.kind, ProcedureKind::Pointer))
        };
        let names = self.model()[scope].names.values().copied();
        let found: Vec<_> = names.filter(pointer).collect();
        for s in &found {
            let (span, name) = (self.model()[*s].span, &self.model()[*s].spelling);
            let message = format!(
                "procedure pointer `{name}` is not supported in device code\nhelp: call the procedures by name, or pass them as arguments"
            );
            self.refuse(span, "CUF0422", message);
        }
        !found.is_empty()
    }

    /// Dummies in an order in which those that bounds and lengths mention come before what has these, wherever they stand in the list:
    /// scalars first, then each array after the arrays whose elements are among its bounds.
    fn order_of_dummies(&self, dummies: &[Option<SymbolId>]) -> Vec<SymbolId> {
        let dummies = dummies.iter().copied().flatten();
        let (mut order, mut rest): (Vec<_>, Vec<_>) =
            dummies.partition(|d| self.is_plain_scalar(*d));
        while !rest.is_empty() {
            let ready = |d: &SymbolId| {
                let others = rest.iter().filter(|o| *o != d);
                !others.into_iter().any(|o| self.bounds_mention(*d, *o))
            };
            // Bounds that wait for each other are an error, which their lowering finds.
            let next = rest.iter().position(ready).unwrap_or(0);
            order.push(rest.remove(next));
        }
        order
    }

    fn bounds_mention(&self, array: SymbolId, other: SymbolId) -> bool {
        fn mentions(e: &ast::Expr, name: &str) -> bool {
            let mut found = e.as_name().is_some_and(|n| n.text == name);
            e.for_each_child(&mut |c| found |= mentions(c, name));
            found
        }
        let name = &self.model()[other].name;
        self.model().dims(array).iter().any(|d| match d {
            Dim::Explicit { lower, upper } => {
                lower.iter().any(|e| mentions(e, name)) || mentions(upper, name)
            }
            Dim::Colon { lower } | Dim::AssumedSize { lower } => {
                lower.iter().any(|e| mentions(e, name))
            }
            Dim::AssumedRank => false,
        })
    }

    fn is_plain_scalar(&self, d: SymbolId) -> bool {
        let varies = |v: &Variable| crate::lower::context::query::has_varying_length(&v.ty);
        self.model().dims(d).is_empty() && !self.model().variable(d).is_some_and(varies)
    }

    /// How a kernel takes an array apart into pointer and layout.
    fn array_param(&mut self, s: SymbolId, p: &Param) -> ArrayParam {
        let name = self.local_name(s);
        ArrayParam {
            restrict: self.may_restrict(s),
            name: p.name.clone(),
            // One with lower bounds of its own has the parameter's name already.
            pointer: if name == p.name || self.hidden(s) {
                self.fresh(&parameter_name(&p.name))
            } else {
                p.name.clone()
            },
            layout: self.fresh(&layout_name(&name, &p.ty)),
        }
    }

    /// Appends the return of the function result, where the body can fall off its end.
    pub fn finish_function(&mut self, body: &mut Vec<ir::Stmt>) {
        let ends = matches!(body.last().map(|s| &s.kind), Some(StmtKind::Return(_)));
        if !ends && let Some(e) = self.result_value() {
            body.push(StmtKind::Return(Some(e)).into());
        }
    }

    pub fn result_type(&mut self, span: Span) -> ir::Type {
        let Some(r) = self.result else {
            return ir::Type::Void;
        };
        let Some(v) = self.model().variable(r).cloned() else {
            return ir::Type::Void;
        };
        if v.attrs.is_dynamic()
            && let Some(elem) = self.storage_type(&v.ty)
        {
            // An allocatable scalar is given back as its value.
            return match Self::movable_type(elem, &v) {
                ir::Type::LocalArray { elem, rank: 0 } => *elem,
                t => t,
            };
        }
        if matches!(v.ty, model::Type::Character(_))
            && v.ty != model::Type::Character(CharacterLength::Constant(1))
        {
            self.refuse(
                span,
                "CUF0309",
                "device function cannot return a character value",
            );
        }
        let ty = self.variable_type(r, &v, span);
        let name = self.local_name(r);
        let bounds = self.declared_bounds(r);
        self.vars.insert(
            r,
            Entity {
                expr: Expr::name(&name, ty.clone()),
                bounds,
                optional: None,
            },
        );
        ty
    }

    /// A module allocatable or pointer as a parameter.
    pub fn hidden_param(&mut self, s: SymbolId, params: &mut Vec<Param>) {
        let Some((ty, scalar)) = self.hidden_type(s) else {
            return;
        };
        let name = self.fresh_hidden(s);
        params.push(Param {
            name: name.clone(),
            ty: ty.clone(),
        });
        let whole = Expr::name(&name, ty.clone());
        let expr = match (scalar, &ty) {
            (true, ir::Type::Pointer { to, .. }) => whole.deref(to.plain().clone()),
            _ => whole,
        };
        let bounds = vec![(None, None); self.model().dims(s).len()];
        self.vars.insert(
            s,
            Entity {
                expr,
                bounds,
                optional: None,
            },
        );
    }

    /// Type of the parameter for a hidden variable, and whether it is a scalar behind a pointer.
    pub fn hidden_type(&mut self, s: SymbolId) -> Option<(ir::Type, bool)> {
        let v = self.model().variable(s).cloned()?;
        let span = self.model()[s].span;
        let Some(elem) = self.storage_type(&v.ty) else {
            self.refuse(
                span,
                "CUF0403",
                format!(
                    "type of `{}` is not supported in device code",
                    self.model()[s].name
                ),
            );
            return None;
        };
        let read_only = v.space == Space::Texture
            || v.space == Space::Constant
            || !self.facts.modified.contains(&s);
        let elem = if read_only { elem.constant() } else { elem };
        Some(if v.dims.is_empty() {
            (
                ir::Type::Pointer {
                    to: Box::new(elem),
                    restrict: false,
                },
                true,
            )
        } else {
            (
                ir::Type::View {
                    elem: Box::new(elem),
                    rank: v.dims.len(),
                },
                false,
            )
        })
    }
}
