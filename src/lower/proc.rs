//! Kernels and device procedures: dummies, results, bounds, hidden arguments.

use super::context::*;
use super::dummy::DummyCode;
use crate::ast::{self, Span};
use crate::ir::{self, *};
use crate::sema::model::{self, *};
use crate::sema::typed::*;

/// Lowers one device procedure; None if something in it was refused.
pub fn lower_proc(sh: &Shared<'_>, scope: ScopeId) -> Option<ir::Proc> {
    let source = *sh.analysis.procs.get(&scope)?;
    let facts = sh.analysis.facts.get(&scope)?.clone();
    let mut cx = Cx::new(sh, source.file, scope, facts)?;
    cx.reserve_names(scope);
    let symbol = source.symbol?;
    let p = sh.model.procedure(symbol)?;
    let kernel = matches!(
        p.target,
        ProcedureTarget::Global | ProcedureTarget::GridGlobal
    );
    let mut kind = match p.target {
        ProcedureTarget::HostDevice => ProcKind::HostDevice,
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
    // Bounds of arrays and lengths may need scalar dummies, wherever those stand in the list.
    for scalars in [true, false] {
        for (d, slot) in p.dummies.iter().zip(&mut slots) {
            match d {
                Some(d) if cx.is_plain_scalar(*d) == scalars => {
                    let mut code = DummyCode {
                        params: slot,
                        body: &mut body,
                    };
                    cx.dummy(*d, kernel, &mut code);
                    if !kernel {
                        cx.initialise_out(*d, &mut body);
                    }
                }
                Some(_) => {}
                None => cx.refuse(
                    source.unit.header,
                    "CUF0307",
                    "device code has no alternate returns",
                ),
            }
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
    let mut declarations = cx.lay_out_equivalence(&source.unit.spec);
    declarations.extend(cx.locals(scope));
    let start = source
        .unit
        .spec
        .last()
        .map_or(source.unit.header.end, |d| d.span.end);
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
    cx.finish_function(&mut body);
    let mut remarks = Vec::new();
    if sh.purpose == super::Purpose::Translate {
        remarks = cx.remarks(source.unit, scope, &mut body);
    }
    if cx.failed {
        return None;
    }
    Some(ir::Proc {
        name: crate::ir::names::safe(&sh.model[symbol].spelling),
        remarks,
        kind,
        result,
        params,
        body,
    })
}

impl Cx<'_, '_> {
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
                "device code has no procedure pointers: call the procedures by their names instead of {name}, or pass them as arguments"
            );
            self.refuse(span, "CUF0422", message);
        }
        !found.is_empty()
    }

    fn is_plain_scalar(&self, d: SymbolId) -> bool {
        let varies = |v: &Variable| super::text::has_varying_length(&v.ty);
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
                "the result of a device function is no character string",
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

    /// Type of a local variable or result: arrays need constant bounds, or own their elements.
    pub fn variable_type(&mut self, s: SymbolId, v: &Variable, span: Span) -> ir::Type {
        let Some(elem) = self.storage_type(&v.ty) else {
            let name = self.model().type_name(&v.ty);
            self.refuse(
                span,
                "CUF0403",
                format!(
                    "{} has {name}, which device code does not support",
                    self.model()[s].name
                ),
            );
            return ir::Type::Int(4);
        };
        if v.dims.is_empty() {
            // By-reference use needs the type in memory.
            return match elem {
                ir::Type::Logical(_) if !self.facts.by_reference.contains(&s) => ir::Type::Bool,
                t => t,
            };
        }
        let scope = self.model()[s].scope;
        match self.fixed_dims(scope, &v.dims) {
            Some(dims) => ir::Type::Fixed {
                elem: Box::new(elem),
                dims,
            },
            None => ir::Type::LocalArray {
                elem: Box::new(elem),
                rank: v.dims.len(),
            },
        }
    }

    /// Constant bounds of all dimensions.
    pub fn fixed_dims(&mut self, scope: ScopeId, dims: &[Dim]) -> Option<Vec<FixedDim>> {
        let folded = self.model().bounds(scope, dims);
        let mut out = Vec::new();
        for (d, b) in dims.iter().zip(folded) {
            let Dim::Explicit { lower, upper } = d else {
                return None;
            };
            let (lo, hi) = (b.lower?, b.upper?);
            let lower = match lower {
                Some(e) if lo != 1 => Some(self.constant_expr(scope, e, lo)),
                _ => None,
            };
            let upper = self.constant_expr(scope, upper, hi);
            out.push(FixedDim {
                lower,
                upper,
                lo,
                hi,
            });
        }
        Some(out)
    }

    /// A constant integer expression with the names of constants kept where it is made of them and literals.
    pub fn constant_expr(&mut self, scope: ScopeId, e: &ast::Expr, value: i64) -> Expr {
        let t = self.model().expr(scope, e);
        if plain_constant(&t) {
            let (pre, lowered) = self.with_hoisted(|cx| cx.value(&t));
            if pre.is_empty() {
                return lowered;
            }
        }
        Expr::int_of(
            i128::from(value),
            if i32::try_from(value).is_ok() { 4 } else { 8 },
        )
    }

    /// Bounds written as expressions, where they cannot change after the declaration.
    pub fn declared_bounds(&mut self, s: SymbolId) -> Vec<(Option<Expr>, Option<Expr>)> {
        let scope = self.model()[s].scope;
        let dims = self.model().dims(s).to_vec();
        let folded = self.model().bounds(scope, &dims);
        let mut out = Vec::new();
        for (d, b) in dims.iter().zip(folded) {
            let one = |cx: &mut Self, e: &ast::Expr, v: Option<i64>| {
                let t = cx.model().expr(scope, e);
                match v {
                    Some(v) if !plain_constant(&t) => Some(Expr::int(v)),
                    _ if cx.stable(&t) => Some(cx.value(&t)),
                    _ => None,
                }
            };
            let low = |cx: &mut Self, e: &Option<Box<ast::Expr>>| match e {
                None => Some(Expr::int(1)),
                Some(e) => one(cx, e, b.lower),
            };
            out.push(match d {
                Dim::Explicit { lower, upper } => (low(self, lower), one(self, upper, b.upper)),
                Dim::Colon { lower } | Dim::AssumedSize { lower } => (low(self, lower), None),
                Dim::AssumedRank => (None, None),
            });
        }
        // The bounds of an allocatable or pointer are those of its target.
        if self
            .model()
            .variable(s)
            .is_some_and(|v| v.attrs.is_dynamic())
        {
            out.iter_mut().for_each(|b| *b = (None, None));
        }
        out
    }

    /// Arguments of the constructor of `cuf::array` after the pointer: declared bounds of an explicit-shape or assumed-size array.
    pub fn bounds_args(&mut self, s: SymbolId) -> Vec<Expr> {
        let scope = self.model()[s].scope;
        let dims = self.model().dims(s).to_vec();
        let mut out = Vec::new();
        for (i, d) in dims.iter().enumerate() {
            out.push(match d {
                // No element's place depends on the last extent; one that has no value yet counts as assumed.
                Dim::Explicit { lower: None, upper }
                    if i + 1 == dims.len() && self.without_value(scope, upper) =>
                {
                    runtime_struct(Class::Assumed, Vec::new())
                }
                Dim::Explicit { lower: None, upper } => self.bound(scope, upper),
                Dim::Explicit {
                    lower: Some(l),
                    upper,
                } => {
                    let (lo, hi) = (self.bound(scope, l), self.bound(scope, upper));
                    if lo.as_int() == Some(1) {
                        hi
                    } else {
                        runtime_struct(Class::Range, vec![lo, hi])
                    }
                }
                Dim::AssumedSize { lower } => {
                    let args: Vec<_> = lower.iter().map(|l| self.bound(scope, l)).collect();
                    let one = args.first().is_none_or(|a| a.as_int() == Some(1));
                    runtime_struct(Class::Assumed, if one { Vec::new() } else { args })
                }
                Dim::Colon { .. } | Dim::AssumedRank => Expr::int(1),
            });
        }
        out
    }

    /// The bound is a local variable of the procedure, which has no value when the procedure is entered.
    fn without_value(&self, scope: ScopeId, e: &ast::Expr) -> bool {
        let t = self.model().expr(scope, e);
        let TExprKind::Variable(v) = t.kind else {
            return false;
        };
        let is_dummy = self.model()[scope]
            .symbol
            .and_then(|s| self.model().procedure(s))
            .is_some_and(|p| p.dummies.contains(&Some(v)));
        self.model()[v].scope == scope
            && !is_dummy
            && matches!(self.model()[v].kind, SymbolKind::Variable(_))
    }

    pub fn bound(&mut self, scope: ScopeId, e: &ast::Expr) -> Expr {
        let t = self.model().expr(scope, e);
        let v = self.value(&t);
        super::convert::subscript(v)
    }

    pub fn lower_bounds_now(&mut self, s: SymbolId) -> Vec<Expr> {
        let scope = self.model()[s].scope;
        let dims = self.model().dims(s).to_vec();
        dims.iter()
            .map(|d| match d {
                Dim::Colon { lower: Some(l) } => self.bound(scope, l),
                _ => Expr::int(1),
            })
            .collect()
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

    pub fn fresh_hidden(&mut self, s: SymbolId) -> String {
        let name = self.local_name(s);
        // Its own name is reserved already if the body mentions it; a callee's variable may collide with a local.
        match self.facts.mentioned.contains(&s) {
            true => name,
            false => self.fresh(&name),
        }
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
                    "{} has a type that device code does not support",
                    self.model()[s].name
                ),
            );
            return None;
        };
        let read_only = v.space == Space::Texture || v.space == Space::Constant;
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

/// Literals, named constants and + - * of them, all default integers.
pub fn plain_constant(t: &TExpr) -> bool {
    t.ty == model::Type::Integer(4)
        && match &t.kind {
            TExprKind::Constant { .. } => true,
            TExprKind::Unary { operand, .. } | TExprKind::Paren(operand) => plain_constant(operand),
            TExprKind::Binary {
                op: ast::BinaryOp::Add | ast::BinaryOp::Sub | ast::BinaryOp::Mul,
                lhs,
                rhs,
            } => plain_constant(lhs) && plain_constant(rhs),
            _ => false,
        }
}

/// `class{args}`
pub fn runtime_struct(class: Class, args: Vec<Expr>) -> Expr {
    Expr::new(ExprKind::Construct(args), ir::Type::Class(class))
}

/// Bytes of a type in memory.
pub fn size_of(ty: &ir::Type) -> Expr {
    let n = match ty.plain() {
        ir::Type::Int(k) | ir::Type::Real(k) | ir::Type::Logical(k) => i64::from(*k),
        ir::Type::Complex(k) => 2 * i64::from(*k),
        ir::Type::Bool => 1,
        ir::Type::Character(n) => *n,
        _ => {
            return Expr::call_of(
                Function::SizeOf,
                vec![TemplateArg::Type(ty.clone())],
                Vec::new(),
                ir::Type::Int(8),
            );
        }
    };
    Expr::int(n)
}

/// Name of the bounds (and strides) that a kernel takes beside the pointer of an array.
pub fn layout_name(name: &str, ty: &ir::Type) -> String {
    match ty {
        ir::Type::View { .. } => format!("{name}_layout"),
        _ => format!("{name}_shape"),
    }
}

/// Name of the raw parameter behind a dummy.
pub fn parameter_name(name: &str) -> String {
    if name.ends_with('_') {
        format!("{name}ptr")
    } else {
        format!("{name}_")
    }
}
