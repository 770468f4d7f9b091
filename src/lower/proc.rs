//! Kernels and device procedures: dummies, locals, results; and the context in which a body is lowered.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::analysis::{Analysis, Facts, is_hidden};
use super::notes;
use crate::ast::{self, Span};
use crate::emit::cpp::names;
use crate::ir::{self, *};
use crate::sema::model::{self, *};
use crate::sema::typed::*;
use crate::sema::{Finding, Input};

/// What all bodies of a program share.
pub struct Shared<'a> {
    pub model: &'a Model,
    pub inputs: &'a [Input<'a>],
    pub stems: Vec<String>,
    /// File names for comments.
    pub sources: Vec<String>,
    /// Values of named constants by their C++ name (with the namespace, or the procedure's for local ones).
    pub constants: RefCell<BTreeMap<String, i128>>,
    pub analysis: Analysis<'a>,
    pub findings: RefCell<Vec<Finding>>,
    /// Derived types and module-level constants and variables that device code uses.
    pub used_types: RefCell<BTreeSet<TypeId>>,
    pub used_symbols: RefCell<BTreeSet<SymbolId>>,
    /// Files whose headers a file needs.
    pub needs: RefCell<BTreeSet<(FileId, FileId)>>,
    pub headers: RefCell<BTreeSet<(FileId, String)>>,
    /// Device procedures of other languages, by file and name.
    pub externals: RefCell<BTreeMap<(FileId, String), ir::Proc>>,
}

impl Shared<'_> {
    pub fn finding(
        &self,
        file: FileId,
        span: Span,
        code: &'static str,
        message: String,
        help: Option<&str>,
    ) {
        let f = Finding {
            code,
            message,
            file,
            span,
            notes: Vec::new(),
            help: help.map(str::to_owned),
            warning: false,
        };
        let mut all = self.findings.borrow_mut();
        if !all.contains(&f) {
            all.push(f);
        }
    }

    pub fn use_type(&self, t: TypeId) {
        self.used_types.borrow_mut().insert(t);
    }

    /// Namespace of the program unit that a scope belongs to.
    pub fn namespace_of(&self, scope: ScopeId) -> String {
        names::safe_namespace(&self.unit_name(scope))
    }

    /// Name of the outermost unit (module, program, external procedure) around a scope.
    pub fn unit_name(&self, scope: ScopeId) -> String {
        let mut at = scope;
        while let Some(p) = self.model[at].parent {
            // A submodule's parent is its ancestor module, another unit.
            if self.model[at].kind == ScopeKind::Submodule {
                break;
            }
            at = p;
        }
        let name = &self.model[at].name;
        if name.is_empty() {
            return self
                .stems
                .get(self.model[at].file.0 as usize)
                .map_or("program", String::as_str)
                .to_owned();
        }
        name.clone()
    }

    pub fn type_ident(&self, t: TypeId) -> Ident {
        let d = &self.model[t];
        let home = self.model[d.scope].parent.unwrap_or(d.scope);
        let spelling = names::safe(&d.name);
        Ident {
            space: Namespaces::Unit(self.namespace_of(home)),
            name: spelling,
        }
    }
}

/// How an entity is written and what is known of its bounds.
#[derive(Clone, Debug)]
pub struct Entity {
    pub expr: Expr,
    /// Bounds of an array where they can be written as expressions that do not change; None: ask the object.
    pub bounds: Vec<(Option<Expr>, Option<Expr>)>,
    /// `T*` that may be null: an optional dummy.
    pub optional: Option<String>,
}

/// Enclosing loops and switches, for CYCLE and EXIT.
#[derive(Clone, Debug)]
pub struct Frame {
    pub name: Option<String>,
    pub kind: FrameKind,
    /// Label after the construct / at the end of the body, once a jump needs it.
    pub exit_label: Option<String>,
    pub cycle_label: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameKind {
    Loop,
    /// A C++ switch: `break` would leave it instead of the loop around.
    Switch,
    /// A mapped loop of a CUF kernel: all of them are one C++ loop.
    Mapped {
        innermost: bool,
    },
    /// Named IF, BLOCK, ASSOCIATE or SELECT that EXIT may leave.
    Block,
}

/// The body of one procedure or CUF loop while it is lowered.
pub struct Cx<'a, 's> {
    pub sh: &'s Shared<'a>,
    pub file: FileId,
    pub input: Input<'a>,
    pub scope: ScopeId,
    /// Scope of the procedure; of the host procedure for a CUF loop.
    pub unit_scope: ScopeId,
    pub namespace: String,
    pub facts: Facts,
    pub vars: BTreeMap<SymbolId, Entity>,
    /// C++ identifiers taken in this function, folded.
    pub taken: BTreeSet<String>,
    /// Statements to be executed before the one being lowered; innermost collection last.
    pub pre: Vec<Vec<ir::Stmt>>,
    pub frames: Vec<Frame>,
    pub result: Option<SymbolId>,
    pub failed: bool,
    /// Offset in bytes of the next automatic shared array.
    pub dynamic_offset: Expr,
    /// The body is a CUF loop: variables of the host are captured when they are first met.
    pub capture: Option<super::cufdo::Capture>,
    /// Locals declared in their `for` statements.
    pub loop_locals: BTreeSet<SymbolId>,
    /// Arguments of the statement functions being expanded.
    pub substitutions: Vec<BTreeMap<SymbolId, Expr>>,
}

impl<'a, 's> Cx<'a, 's> {
    pub fn new(
        sh: &'s Shared<'a>,
        file: FileId,
        scope: ScopeId,
        facts: Facts,
    ) -> Option<Cx<'a, 's>> {
        let input = *sh.inputs.get(file.0 as usize)?;
        Some(Cx {
            sh,
            file,
            input,
            scope,
            unit_scope: scope,
            namespace: sh.namespace_of(scope),
            facts,
            vars: BTreeMap::new(),
            taken: BTreeSet::new(),
            pre: vec![Vec::new()],
            frames: Vec::new(),
            result: None,
            failed: false,
            dynamic_offset: Expr::int(0),
            capture: None,
            loop_locals: BTreeSet::new(),
            substitutions: Vec::new(),
        })
    }

    pub fn model(&self) -> &'a Model {
        self.sh.model
    }

    /// Reports what cannot be translated; the procedure is then left out.
    pub fn refuse(&mut self, span: Span, code: &'static str, message: impl Into<String>) {
        self.failed = true;
        self.sh.finding(self.file, span, code, message.into(), None);
    }

    /// Refuses and gives an expression to go on with.
    pub fn refuse_expr(
        &mut self,
        span: Span,
        code: &'static str,
        message: impl Into<String>,
    ) -> Expr {
        self.refuse(span, code, message);
        Expr::int(0)
    }

    /// An identifier that nothing else in the function has, as near to `wanted` as possible.
    pub fn fresh(&mut self, wanted: &str) -> String {
        let mut name = names::safe(wanted);
        let mut n = 1;
        while !self.taken.insert(name.to_ascii_lowercase()) {
            n += 1;
            name = format!("{}{n}", names::safe(wanted));
        }
        name
    }

    /// A number for a generated variable: `t1`, `t2`, ... that no user name has.
    pub fn numbered(&mut self, stem: &str) -> String {
        let mut n = 1;
        while !self.taken.insert(format!("{stem}{n}")) {
            n += 1;
        }
        format!("{stem}{n}")
    }

    /// Adds a statement before the one being lowered.
    pub fn before(&mut self, s: ir::Stmt) {
        if let Some(p) = self.pre.last_mut() {
            p.push(s);
        }
    }

    /// Runs `f` and gives the statements it wanted before.
    pub fn collect<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> (Vec<ir::Stmt>, T) {
        self.pre.push(Vec::new());
        let value = f(self);
        (self.pre.pop().unwrap_or_default(), value)
    }

    /// A constant temporary with the value, declared before the statement being lowered.
    pub fn temporary(&mut self, value: Expr) -> Expr {
        let name = self.numbered("t");
        let ty = value.ty.plain().clone();
        self.before(
            StmtKind::Declare(Declare {
                ty: ty.clone(),
                qualifier: Qualifier::Const,
                names: vec![Declarator {
                    name: name.clone(),
                    init: Init::Value(value),
                }],
                maybe_unused: false,
            })
            .into(),
        );
        Expr::name(&name, ty)
    }

    /// All names declared in the procedure keep their C++ identifiers to themselves, whatever is generated.
    pub fn reserve_names(&mut self, scope: ScopeId) {
        for s in self
            .facts
            .mentioned
            .iter()
            .copied()
            .chain(self.model()[scope].names.values().copied())
        {
            let name = names::safe(&self.model()[s].spelling).to_ascii_lowercase();
            self.taken.insert(name);
        }
    }

    /// The identifier of a variable of this procedure (already reserved).
    pub fn local_name(&self, s: SymbolId) -> String {
        names::safe(&self.model()[s].spelling)
    }

    /// The value of an expression cannot change while the procedure runs: constants, VALUE dummies never changed.
    pub fn stable(&self, t: &TExpr) -> bool {
        match &t.kind {
            _ if t.value.is_some() => true,
            TExprKind::Variable(s) => {
                self.model().variable(*s).is_some_and(|v| {
                    v.dims.is_empty()
                        && (v.dummy.is_some() || self.capture.is_some())
                        && !v.attrs.has(VarAttrs::OPTIONAL)
                }) && !self.facts.modified.contains(s)
            }
            TExprKind::Unary { operand, .. } | TExprKind::Paren(operand) => self.stable(operand),
            TExprKind::Binary { lhs, rhs, .. } => self.stable(lhs) && self.stable(rhs),
            _ => false,
        }
    }
}

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
    let kind = match p.target {
        ProcedureTarget::HostDevice => ProcKind::HostDevice,
        ProcedureTarget::Device => ProcKind::Device,
        _ => ProcKind::Kernel {
            bounds: p.launch_bounds.clone(),
        },
    };
    cx.result = p.result;
    let mut slots = vec![Vec::new(); p.dummies.len()];
    let mut body = Vec::new();
    // Bounds of arrays may need scalar dummies, wherever those stand in the list.
    for scalars in [true, false] {
        for (d, slot) in p.dummies.iter().zip(&mut slots) {
            match d {
                Some(d) if sh.model.dims(*d).is_empty() == scalars => {
                    cx.dummy(*d, kernel, slot, &mut body)
                }
                Some(_) => {}
                None => cx.refuse(
                    source.unit.header,
                    "CUF0401",
                    "alternate returns are not supported in device code",
                ),
            }
        }
    }
    let mut params: Vec<Param> = slots.into_iter().flatten().collect();
    let hidden: Vec<_> = cx.facts.hidden.iter().copied().collect();
    for h in hidden {
        cx.hidden_param(h, &mut params);
    }
    let result = cx.result_type(source.unit.header);
    cx.prepare_loops(scope);
    let declarations = cx.locals(scope);
    let start = source
        .unit
        .spec
        .last()
        .map_or(source.unit.header.end, |d| d.span.end);
    let statements = cx.body(&source.unit.body, start, source.unit.end.start);
    body.extend(declarations);
    body.extend(statements);
    cx.finish_function(&mut body);
    super::tidy::tidy(&mut body);
    if cx.failed {
        return None;
    }
    Some(ir::Proc {
        name: cx.local_name(symbol),
        kind,
        result,
        params,
        body,
    })
}

impl Cx<'_, '_> {
    /// Appends the return of the function result, where the body can fall off its end.
    fn finish_function(&mut self, body: &mut Vec<ir::Stmt>) {
        let Some(r) = self.result else { return };
        let ends = matches!(body.last().map(|s| &s.kind), Some(StmtKind::Return(_)));
        if !ends && let Some(e) = self.vars.get(&r).map(|e| e.expr.clone()) {
            body.push(StmtKind::Return(Some(e)).into());
        }
    }

    fn result_type(&mut self, span: Span) -> ir::Type {
        let Some(r) = self.result else {
            return ir::Type::Void;
        };
        let Some(v) = self.model().variable(r).cloned() else {
            return ir::Type::Void;
        };
        if v.attrs.has(VarAttrs::POINTER) || v.attrs.has(VarAttrs::ALLOCATABLE) {
            self.refuse(
                span,
                "CUF0402",
                "a device function with a pointer or allocatable result is not supported",
            );
            return ir::Type::Void;
        }
        if matches!(v.ty, model::Type::Character(_))
            && v.ty != model::Type::Character(CharacterLength::Constant(1))
        {
            self.refuse(
                span,
                "CUF0402",
                "a device function of type character is not supported",
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
    fn constant_expr(&mut self, scope: ScopeId, e: &ast::Expr, value: i64) -> Expr {
        let t = self.model().expr(scope, e);
        if plain_constant(&t) {
            let (pre, lowered) = self.collect(|cx| cx.value(&t));
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
            let low = |cx: &mut Self, e: &Option<ast::Expr>| match e {
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
            .is_some_and(|v| v.attrs.has(VarAttrs::ALLOCATABLE) || v.attrs.has(VarAttrs::POINTER))
        {
            out.iter_mut().for_each(|b| *b = (None, None));
        }
        out
    }

    fn dummy(
        &mut self,
        d: SymbolId,
        kernel: bool,
        params: &mut Vec<Param>,
        body: &mut Vec<ir::Stmt>,
    ) {
        let info = &self.model()[d];
        let span = info.span;
        let Some(v) = self.model().variable(d).cloned() else {
            self.refuse(
                span,
                "CUF0404",
                format!(
                    "the dummy procedure {} is not supported in device code",
                    info.name
                ),
            );
            return;
        };
        if v.attrs.has(VarAttrs::EXTERNAL) {
            self.refuse(
                span,
                "CUF0404",
                format!(
                    "the dummy procedure {} is not supported in device code",
                    info.name
                ),
            );
            return;
        }
        let name = self.local_name(d);
        if matches!(v.ty, model::Type::Character(CharacterLength::Other)) {
            self.refuse(
                span,
                "CUF0403",
                format!("{name}: a character dummy of device code needs a constant length"),
            );
            return;
        }
        let Some(elem) = self.storage_type(&v.ty) else {
            let ty = self.model().type_name(&v.ty);
            self.refuse(
                span,
                "CUF0403",
                format!("the dummy {name} has {ty}, which device code does not support"),
            );
            return;
        };
        let changed = self.facts.modified.contains(&d);
        let restrict = !v.attrs.has(VarAttrs::TARGET)
            && !v.attrs.has(VarAttrs::POINTER)
            && !v.attrs.has(VarAttrs::VOLATILE);
        let of = |t: &ir::Type| {
            if changed {
                t.clone()
            } else {
                t.clone().constant()
            }
        };
        let pointer = |t: ir::Type| ir::Type::Pointer {
            to: Box::new(t),
            restrict,
        };
        let is_pointer = v.attrs.has(VarAttrs::POINTER) || v.attrs.has(VarAttrs::ALLOCATABLE);
        let optional = v.attrs.has(VarAttrs::OPTIONAL);
        if v.dims.is_empty() {
            self.scalar_dummy(d, &v, elem, &name, kernel, changed, params, body);
            return;
        }
        let rank = v.dims.len();
        let bounds = self.declared_bounds(d);
        let view = v.dims.iter().any(|x| matches!(x, Dim::Colon { .. }));
        if v.dims.iter().any(|x| matches!(x, Dim::AssumedRank)) {
            self.refuse(
                span,
                "CUF0403",
                format!("the assumed-rank dummy {name} is not supported in device code"),
            );
            return;
        }
        if view {
            if optional {
                self.refuse(
                    span,
                    "CUF0405",
                    format!(
                        "the optional assumed-shape dummy {name} is not supported in device code"
                    ),
                );
            }
            if is_pointer && changed && self.reassigned(d) {
                self.refuse(span, "CUF0405", format!("the pointer dummy {name} is given another target in device code, which is not supported"));
            }
            let ty = ir::Type::View {
                elem: Box::new(of(&elem)),
                rank,
            };
            let lowers: Vec<_> = bounds.iter().map(|b| b.0.clone()).collect();
            let plain = is_pointer
                || lowers
                    .iter()
                    .all(|l| l.as_ref().and_then(Expr::as_int) == Some(1));
            if plain {
                params.push(Param {
                    name: name.clone(),
                    ty: ty.clone(),
                });
            } else {
                let param = self.fresh(&format!("{name}_"));
                params.push(Param {
                    name: param.clone(),
                    ty: ty.clone(),
                });
                let lowers = self.lower_bounds_now(d);
                let init = Expr::name(&param, ty.clone()).method("rebased", lowers, ty.clone());
                body.push(ir::Stmt::declare(ty.clone(), &name, Init::Value(init)));
            }
            self.vars.insert(
                d,
                Entity {
                    expr: Expr::name(&name, ty),
                    bounds,
                    optional: None,
                },
            );
            return;
        }
        let param = self.fresh(&format!("{name}_"));
        params.push(Param {
            name: param.clone(),
            ty: pointer(of(&elem)),
        });
        let ty = ir::Type::Array {
            elem: Box::new(of(&elem)),
            rank,
        };
        let mut args = vec![Expr::name(&param, pointer(of(&elem)))];
        args.extend(self.bounds_args(d));
        let optional = optional.then(|| param.clone());
        body.push(ir::Stmt::declare(ty.clone(), &name, Init::Args(args)));
        self.vars.insert(
            d,
            Entity {
                expr: Expr::name(&name, ty),
                bounds,
                optional,
            },
        );
    }

    /// A pointer or allocatable dummy appears left of `=>` or in an allocation.
    fn reassigned(&self, d: SymbolId) -> bool {
        let _ = d;
        false
    }

    #[allow(clippy::too_many_arguments)]
    fn scalar_dummy(
        &mut self,
        d: SymbolId,
        v: &Variable,
        elem: ir::Type,
        name: &str,
        kernel: bool,
        changed: bool,
        params: &mut Vec<Param>,
        body: &mut Vec<ir::Stmt>,
    ) {
        let value = v.attrs.has(VarAttrs::VALUE);
        let of = |t: &ir::Type| {
            if changed {
                t.clone()
            } else {
                t.clone().constant()
            }
        };
        let entity = |e: Expr| Entity {
            expr: e,
            bounds: Vec::new(),
            optional: None,
        };
        if v.attrs.has(VarAttrs::OPTIONAL) {
            let ty = ir::Type::Pointer {
                to: Box::new(of(&elem)),
                restrict: false,
            };
            params.push(Param {
                name: name.to_owned(),
                ty: ty.clone(),
            });
            let expr = Expr::name(name, ty).deref(elem);
            self.vars.insert(
                d,
                Entity {
                    expr,
                    bounds: Vec::new(),
                    optional: Some(name.to_owned()),
                },
            );
            return;
        }
        if value || (!kernel && self.dummy_by_value(d)) {
            let ty = match &elem {
                ir::Type::Logical(_) if !self.facts.by_reference.contains(&d) => ir::Type::Bool,
                t => t.clone(),
            };
            params.push(Param {
                name: name.to_owned(),
                ty: ty.clone(),
            });
            self.vars.insert(d, entity(Expr::name(name, ty)));
            return;
        }
        if !kernel {
            params.push(Param {
                name: name.to_owned(),
                ty: ir::Type::Ref(Box::new(of(&elem))),
            });
            self.vars.insert(d, entity(Expr::name(name, elem)));
            return;
        }
        // Data in device memory; a reference reads like the Fortran variable.
        let restrict = !v.attrs.has(VarAttrs::TARGET) && !v.attrs.has(VarAttrs::VOLATILE);
        let param = self.fresh(&format!("{name}_"));
        let ty = ir::Type::Pointer {
            to: Box::new(of(&elem)),
            restrict,
        };
        params.push(Param {
            name: param.clone(),
            ty: ty.clone(),
        });
        if self.facts.mentioned.contains(&d) {
            let reference = ir::Type::Ref(Box::new(of(&elem)));
            let place = Expr::name(&param, ty).deref(elem.clone());
            body.push(ir::Stmt::declare(reference, name, Init::Value(place)));
        }
        self.vars.insert(d, entity(Expr::name(name, elem)));
    }

    /// A scalar dummy of a device procedure that the procedure never changes is passed by value.
    pub fn dummy_by_value(&self, d: SymbolId) -> bool {
        let model = self.model();
        let Some(v) = model.variable(d) else {
            return false;
        };
        if v.attrs.has(VarAttrs::VALUE) {
            return true;
        }
        if v.attrs.has(VarAttrs::OPTIONAL) || !v.dims.is_empty() || v.attrs.has(VarAttrs::VOLATILE)
        {
            return false;
        }
        let intrinsic = matches!(
            v.ty,
            model::Type::Integer(_)
                | model::Type::Real(_)
                | model::Type::Complex(_)
                | model::Type::Logical(_)
        );
        intrinsic
            && self
                .sh
                .analysis
                .facts
                .get(&model[d].scope)
                .is_some_and(|f| !f.modified.contains(&d))
    }

    /// The dummy is read only, so its parameter points to const.
    pub fn dummy_is_const(&self, d: SymbolId) -> bool {
        self.sh
            .analysis
            .facts
            .get(&self.model()[d].scope)
            .is_some_and(|f| !f.modified.contains(&d))
    }

    /// Arguments of the constructor of `cuf::array` after the pointer: declared bounds of an explicit-shape or assumed-size array.
    pub fn bounds_args(&mut self, s: SymbolId) -> Vec<Expr> {
        let scope = self.model()[s].scope;
        let dims = self.model().dims(s).to_vec();
        let mut out = Vec::new();
        for d in &dims {
            out.push(match d {
                Dim::Explicit { lower: None, upper } => self.bound(scope, upper),
                Dim::Explicit {
                    lower: Some(l),
                    upper,
                } => {
                    let (lo, hi) = (self.bound(scope, l), self.bound(scope, upper));
                    if lo.as_int() == Some(1) {
                        hi
                    } else {
                        runtime_struct("range", vec![lo, hi])
                    }
                }
                Dim::AssumedSize { lower } => {
                    let args: Vec<_> = lower.iter().map(|l| self.bound(scope, l)).collect();
                    let one = args.first().is_none_or(|a| a.as_int() == Some(1));
                    runtime_struct("assumed", if one { Vec::new() } else { args })
                }
                Dim::Colon { .. } | Dim::AssumedRank => Expr::int(1),
            });
        }
        out
    }

    fn bound(&mut self, scope: ScopeId, e: &ast::Expr) -> Expr {
        let t = self.model().expr(scope, e);
        let v = self.value(&t);
        super::convert::subscript(v)
    }

    fn lower_bounds_now(&mut self, s: SymbolId) -> Vec<Expr> {
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

    fn fresh_hidden(&mut self, s: SymbolId) -> String {
        // Its own name is reserved already if the body mentions it; a callee's variable may collide with a local.
        let name = self.local_name(s);
        let local = self.model()[self.unit_scope]
            .names
            .get(&self.model()[s].name)
            .copied();
        if local.is_none_or(|l| l == s)
            && !self
                .vars
                .values()
                .any(|e| matches!(&e.expr.kind, ExprKind::Name(i) if i.name == name))
        {
            self.taken.insert(name.to_ascii_lowercase());
            return name;
        }
        self.fresh(&format!("{name}_"))
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

    /// Declarations of the variables of a scope that are used, grouped as the source groups them.
    pub fn locals(&mut self, scope: ScopeId) -> Vec<ir::Stmt> {
        let mut out: Vec<ir::Stmt> = Vec::new();
        let mut last_decl = None;
        let symbols: Vec<_> = self.model()[scope].names.values().copied().collect();
        let mut spec_end = None;
        for s in symbols {
            if self.model()[s].scope != scope
                || self.vars.contains_key(&s) && Some(s) != self.result
            {
                continue;
            }
            let info = &self.model()[s];
            match &info.kind {
                SymbolKind::Variable(v) => {
                    let v = v.clone();
                    if v.dummy.is_some()
                        || !(self.facts.mentioned.contains(&s) || Some(s) == self.result)
                        || self.loop_locals.contains(&s)
                    {
                        continue;
                    }
                    if is_hidden(self.model(), s) {
                        continue;
                    }
                    let (stmt, groupable) = self.local(s, &v);
                    let Some(mut stmt) = stmt else { continue };
                    let decl = v.decl;
                    if groupable
                        && last_decl == Some((decl, true))
                        && let (Some(StmtKind::Declare(prev)), StmtKind::Declare(new)) =
                            (out.last_mut().map(|s| &mut s.kind), &mut stmt.kind)
                        && prev.ty == new.ty
                        && prev.maybe_unused == new.maybe_unused
                    {
                        prev.names.append(&mut new.names);
                        continue;
                    }
                    if decl.end > decl.start {
                        if last_decl.map(|d: (Span, bool)| d.0) != Some(decl) {
                            let after = spec_end.unwrap_or(decl.start);
                            let mut n = notes::notes(&self.input, after, decl);
                            n.blank_before = n.blank_before && !out.is_empty();
                            stmt.notes = n;
                        }
                        spec_end = Some(decl.end);
                    }
                    last_decl = Some((decl, groupable));
                    out.push(stmt);
                }
                SymbolKind::Parameter(_) if self.facts.mentioned.contains(&s) => {
                    if let Some(stmt) = self.local_constant(s) {
                        out.push(stmt);
                        last_decl = None;
                    }
                }
                _ => {}
            }
        }
        out
    }

    /// Declares one local; the flag says whether others of the same declaration may join it.
    fn local(&mut self, s: SymbolId, v: &Variable) -> (Option<ir::Stmt>, bool) {
        let span = self.model()[s].span;
        let name = self.local_name(s);
        if v.attrs.has(VarAttrs::SAVE) || (v.init.is_some() && v.space != Space::Shared) {
            self.refuse(span, "CUF0406", format!("the local variable {name} of device code has the SAVE attribute or an initial value"));
            return (None, false);
        }
        if v.space == Space::Shared {
            return (self.shared(s, v, &name), false);
        }
        if v.attrs.has(VarAttrs::POINTER) || v.attrs.has(VarAttrs::ALLOCATABLE) {
            return (self.local_pointer(s, v, &name), false);
        }
        let ty = self.variable_type(s, v, span);
        let bounds = if v.dims.is_empty() {
            Vec::new()
        } else {
            self.declared_bounds(s)
        };
        let (init, groupable) = match &ty {
            ir::Type::LocalArray { .. } => (Init::Args(self.bounds_args(s)), false),
            ir::Type::Derived(_) if self.has_default_init(&v.ty) => (Init::Default, true),
            ir::Type::Fixed { elem, .. }
                if matches!(**elem, ir::Type::Derived(_)) && self.has_default_init(&v.ty) =>
            {
                (Init::Default, true)
            }
            _ => (Init::None, true),
        };
        self.vars.insert(
            s,
            Entity {
                expr: Expr::name(&name, ty.clone()),
                bounds,
                optional: None,
            },
        );
        let mut stmt = ir::Stmt::declare(ty, &name, init);
        if let StmtKind::Declare(d) = &mut stmt.kind {
            d.maybe_unused = self.only_written(s);
        }
        (Some(stmt), groupable)
    }

    /// Mentioned only where it is given a value: compilers would warn.
    fn only_written(&self, s: SymbolId) -> bool {
        Some(s) != self.result
            && self.facts.modified.contains(&s)
            && self.facts.mentions.get(&s).is_none_or(|m| m.len() <= 1)
    }

    fn has_default_init(&self, ty: &model::Type) -> bool {
        let (model::Type::Derived(t) | model::Type::Class(t)) = ty else {
            return false;
        };
        self.model()
            .components_of(*t)
            .iter()
            .any(|f| f.init.is_some() || self.has_default_init(&f.ty))
    }

    fn local_pointer(&mut self, s: SymbolId, v: &Variable, name: &str) -> Option<ir::Stmt> {
        let span = self.model()[s].span;
        if v.attrs.has(VarAttrs::ALLOCATABLE) || v.dims.is_empty() {
            self.refuse(span, "CUF0407", format!("{name}: allocatable and scalar pointer variables local to device code are not supported"));
            return None;
        }
        let elem = self.storage_type(&v.ty)?;
        let rank = v.dims.len();
        let ty = ir::Type::View {
            elem: Box::new(elem),
            rank,
        };
        let zero = || Expr::new(ExprKind::List(vec![Expr::int(0); rank]), ir::Type::Auto);
        let one = Expr::new(ExprKind::List(vec![Expr::int(1); rank]), ir::Type::Auto);
        let null = Expr::new(ExprKind::Null, ir::Type::Auto);
        self.vars.insert(
            s,
            Entity {
                expr: Expr::name(name, ty.clone()),
                bounds: vec![(None, None); rank],
                optional: None,
            },
        );
        Some(ir::Stmt::declare(
            ty,
            name,
            Init::Args(vec![null, one.clone(), zero(), one]),
        ))
    }

    fn shared(&mut self, s: SymbolId, v: &Variable, name: &str) -> Option<ir::Stmt> {
        let span = self.model()[s].span;
        let Some(elem) = self.storage_type(&v.ty) else {
            self.refuse(
                span,
                "CUF0403",
                format!("{name} has a type that device code does not support"),
            );
            return None;
        };
        let rank = v.dims.len();
        let scope = self.model()[s].scope;
        let dims = if rank > 0 {
            self.fixed_dims(scope, &v.dims)
        } else {
            None
        };
        if rank == 0 || dims.is_some() {
            let ty = match dims {
                Some(dims) => ir::Type::Fixed {
                    elem: Box::new(elem),
                    dims,
                },
                None => elem,
            };
            let bounds = self.declared_bounds(s);
            self.vars.insert(
                s,
                Entity {
                    expr: Expr::name(name, ty.clone()),
                    bounds,
                    optional: None,
                },
            );
            return Some(
                StmtKind::Declare(Declare {
                    ty,
                    qualifier: Qualifier::Shared,
                    names: vec![Declarator {
                        name: name.to_owned(),
                        init: Init::None,
                    }],
                    maybe_unused: false,
                })
                .into(),
            );
        }
        // The dynamic block: all assumed-size arrays at its start, automatic ones one after the other.
        let assumed = v.dims.iter().any(|d| matches!(d, Dim::AssumedSize { .. }));
        let offset = if assumed {
            Expr::int(0)
        } else {
            self.dynamic_offset.clone()
        };
        let mut args = Vec::new();
        if offset.as_int() != Some(0) {
            args.push(offset.clone());
        }
        let pointer = Expr::new(
            ExprKind::Call {
                callee: Ident::cuf("dynamic_shared"),
                targs: vec![TemplateArg::Type(elem.clone())],
                args,
            },
            ir::Type::Pointer {
                to: Box::new(elem.clone()),
                restrict: false,
            },
        );
        let ty = ir::Type::Array {
            elem: Box::new(elem.clone()),
            rank,
        };
        let mut ctor = vec![pointer];
        ctor.extend(self.bounds_args(s));
        let bounds = self.declared_bounds(s);
        let whole = Expr::name(name, ty.clone());
        self.vars.insert(
            s,
            Entity {
                expr: whole.clone(),
                bounds,
                optional: None,
            },
        );
        if !assumed {
            let size = whole.method("size", Vec::new(), ir::Type::Int(8));
            let bytes = size.times(size_of(&elem));
            self.dynamic_offset = if offset.as_int() == Some(0) {
                bytes
            } else {
                Expr::binary(ir::BinaryOp::Add, offset, bytes, ir::Type::Int(8))
            };
        }
        Some(ir::Stmt::declare(ty, name, Init::Args(ctor)))
    }

    /// A named constant of the procedure.
    fn local_constant(&mut self, s: SymbolId) -> Option<ir::Stmt> {
        let (ty, value) = self.constant_value(s)?;
        let name = self.local_name(s);
        let bounds = self.declared_bounds(s);
        self.note_constant(s, &Expr::name(&name, ty.clone()));
        self.vars.insert(
            s,
            Entity {
                expr: Expr::name(&name, ty.clone()),
                bounds,
                optional: None,
            },
        );
        Some(
            StmtKind::Declare(Declare {
                ty,
                qualifier: Qualifier::Constexpr,
                names: vec![Declarator {
                    name,
                    init: Init::Value(value),
                }],
                maybe_unused: true,
            })
            .into(),
        )
    }

    /// Do variables that live in their loops only are declared there.
    pub fn prepare_loops(&mut self, scope: ScopeId) {
        if self.facts.has_goto {
            return;
        }
        let model = self.model();
        for (s, spans) in &self.facts.loops {
            let Some(v) = model.variable(*s) else {
                continue;
            };
            let ours = model[*s].scope == scope
                && v.dummy.is_none()
                && v.dims.is_empty()
                && Some(*s) != self.result;
            let scalar = matches!(v.ty, model::Type::Integer(_)) && v.space != Space::Shared;
            // A nested loop over the same variable would hide it.
            let nested = spans.iter().any(|a| {
                spans
                    .iter()
                    .any(|b| a != b && a.start <= b.start && b.end <= a.end)
            });
            let inside = self.facts.mentions.get(s).is_none_or(|m| {
                m.iter()
                    .all(|at| spans.iter().any(|l| l.start <= at.start && at.end <= l.end))
            });
            if ours && scalar && !nested && inside && !v.attrs.has(VarAttrs::SAVE) {
                self.loop_locals.insert(*s);
            }
        }
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

/// `cuf::name{args}`
pub fn runtime_struct(name: &str, args: Vec<Expr>) -> Expr {
    Expr::new(ExprKind::Construct(args), ir::Type::Named(Ident::cuf(name)))
}

/// Bytes of a type in memory.
pub fn size_of(ty: &ir::Type) -> Expr {
    let n = match ty.plain() {
        ir::Type::Int(k) | ir::Type::Real(k) | ir::Type::Logical(k) => i64::from(*k),
        ir::Type::Complex(k) => 2 * i64::from(*k),
        ir::Type::Bool => 1,
        ir::Type::Character(n) => *n,
        _ => {
            return Expr::new(
                ExprKind::Call {
                    callee: Ident::cuf("size_of"),
                    targs: vec![TemplateArg::Type(ty.clone())],
                    args: Vec::new(),
                },
                ir::Type::Int(8),
            );
        }
    };
    Expr::int(n)
}
