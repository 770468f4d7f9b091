//! The walk over execution parts: scopes of constructs, implicit declarations, undeclared names, statement functions.

use std::collections::BTreeSet;

use super::builder::Builder;
use super::uses::{implicit_variable, runtime_constant, runtime_procedure};
use crate::ast::{
    self, Arg, ArraySpec, Block, CaseGuard, Decl, DeclKind, DimSpec, DoControl, Expr, ExprKind,
    LoopHeader, Name, ProgramUnit, SelectKind, Span, Stmt, StmtKind,
};
use crate::intrinsics;
use crate::sema::expression::typer::Typer;
use crate::sema::library::runtime_modules;
use crate::sema::model::*;

/// Constructs nested deeper are not walked, and reported.
const MAX_NESTING: u32 = 200;

/// How a name without declaration is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    /// A variable or constant, perhaps a procedure as an actual argument.
    Value,
    /// `name(...)` in an expression.
    Reference,
    /// CALL name
    Call,
}

/// Where the walk is.
#[derive(Clone, Copy)]
struct At {
    scope: ScopeId,
    /// In the loops of a `!$cuf kernel do`.
    cuf: bool,
    depth: u32,
}

impl<'a> Builder<'a> {
    pub fn walk_unit(&mut self, scope: ScopeId, unit: &'a ProgramUnit) {
        self.touch_specification(scope, &unit.spec);
        let functions = self.statement_functions(scope, &unit.body);
        let at = At {
            scope,
            cuf: false,
            depth: 0,
        };
        self.walk_block(at, unit.body.get(functions..).unwrap_or_default());
    }

    /// Names in bounds, lengths and initial values.
    fn touch_specification(&mut self, scope: ScopeId, spec: &'a [Decl]) {
        for d in spec {
            match &d.kind {
                DeclKind::Type(t) => {
                    for e in &t.entities {
                        self.touch_dims(scope, e.dims.as_ref());
                        if let Some(ast::CharLen::Expr(len)) = e.len.as_deref() {
                            self.touch(scope, len);
                        }
                        for v in e.init.iter().flat_map(|i| i.expressions()) {
                            self.touch(scope, v);
                        }
                    }
                    self.touch_dims(scope, super::attributes::dimension(&t.attrs));
                    if let ast::TypeSpecKind::Intrinsic { kind, len, .. } = &t.spec.kind {
                        if let Some(k) = kind {
                            self.touch(scope, k);
                        }
                        if let Some(ast::CharLen::Expr(len)) = len.as_deref() {
                            self.touch(scope, len);
                        }
                    }
                }
                DeclKind::Attributes { attrs, entities } => {
                    for e in entities {
                        self.touch_dims(scope, e.dims.as_ref());
                    }
                    self.untyped(scope, attrs, entities, spec);
                }
                DeclKind::Common(blocks) => {
                    for e in blocks.iter().flat_map(|b| &b.1) {
                        self.touch_dims(scope, e.dims.as_ref());
                    }
                }
                DeclKind::Data(sets) => {
                    for e in sets.iter().flat_map(|s| s.expressions()) {
                        self.touch(scope, e);
                    }
                }
                _ => {}
            }
        }
    }

    fn touch_dims(&mut self, scope: ScopeId, spec: Option<&'a ArraySpec>) {
        for d in spec.map_or(&[][..], |s| &s.dims) {
            match d {
                DimSpec::Explicit { lower, upper } => {
                    if let Some(l) = lower {
                        self.touch(scope, l);
                    }
                    self.touch(scope, upper);
                }
                DimSpec::Colon { lower: Some(l) } | DimSpec::AssumedSize { lower: Some(l) } => {
                    self.touch(scope, l);
                }
                _ => {}
            }
        }
    }

    /// Statement functions at the start of the execution part; gives their number.
    fn statement_functions(&mut self, scope: ScopeId, body: &'a [Stmt]) -> usize {
        let mut count = 0;
        // A statement function refers to earlier ones only (Fortran 2018 15.6.4): none can call itself, by whatever way.
        let mut mentioned = BTreeSet::new();
        for s in body {
            let StmtKind::Assign { lhs, rhs } = &s.kind else {
                if matches!(s.kind, StmtKind::Format | StmtKind::Decl(_)) {
                    continue;
                }
                break;
            };
            let ExprKind::Ref { base, args } = &lhs.kind else {
                break;
            };
            let Some(name) = base.as_name() else { break };
            collect_names(rhs, &mut mentioned);
            if mentioned.contains(name.text.as_str()) {
                break;
            }
            let dummies: Option<Vec<&Name>> = args
                .iter()
                .map(|a| a.value.as_name().filter(|_| a.keyword.is_none()))
                .collect();
            let Some(dummies) = dummies else { break };
            let ty = match self.local(scope, &name.text) {
                Some(f) => match &self.m[f].kind {
                    SymbolKind::Variable(v)
                        if v.dims.is_empty()
                            && v.dummy.is_none()
                            && !v.is_result
                            && !v.attrs.is_dynamic() =>
                    {
                        v.ty.clone()
                    }
                    _ => break,
                },
                None if self.m.lookup(scope, &name.text).is_some() => break,
                None => match self.implicit_type(scope, &name.text) {
                    Type::Unknown => break,
                    t => t,
                },
            };
            let dummies: Vec<SymbolId> = dummies
                .into_iter()
                .filter_map(|d| {
                    self.touch_name(at_scope(scope), d, Use::Value);
                    self.m.lookup(scope, &d.text)
                })
                .collect();
            self.touch(scope, rhs);
            let kind = SymbolKind::StatementFunction(StatementFunction {
                dummies,
                expr: rhs.clone(),
                ty,
            });
            match self.local(scope, &name.text) {
                Some(f) => self.symbol_mut(f).kind = kind,
                None => {
                    self.declare(scope, name, kind);
                }
            }
            count += 1;
        }
        count
    }

    fn walk_block(&mut self, at: At, body: &'a [Stmt]) {
        if at.depth >= MAX_NESTING {
            if let Some(first) = body.first() {
                let message = format!("construct is nested more than {MAX_NESTING} levels deep");
                self.finding(crate::sema::LIMIT, message, first.span);
            }
            return;
        }
        let at = At {
            depth: at.depth + 1,
            ..at
        };
        for s in body {
            self.walk(at, s);
        }
    }

    fn walk(&mut self, at: At, s: &'a Stmt) {
        match &s.kind {
            StmtKind::Assign { lhs, rhs } | StmtKind::PointerAssign { lhs, rhs } => {
                self.touch_at(at, lhs);
                self.touch_at(at, rhs);
            }
            StmtKind::Call(c) => self.call(at, c),
            StmtKind::If {
                branches,
                else_block,
                ..
            } => {
                for b in branches {
                    self.touch_at(at, &b.cond);
                    self.walk_block(at, &b.body);
                }
                if let Some(e) = else_block {
                    self.walk_block(at, &e.body);
                }
            }
            StmtKind::LogicalIf { cond, stmt } => {
                self.touch_at(at, cond);
                if at.depth < MAX_NESTING {
                    let at = At {
                        depth: at.depth + 1,
                        ..at
                    };
                    self.walk(at, stmt);
                }
            }
            StmtKind::ArithmeticIf { expr, .. } => self.touch_at(at, expr),
            StmtKind::Do(d) => self.do_construct(at, d, s.span),
            StmtKind::Select(sel) => self.select(at, sel),
            StmtKind::Where { branches, .. } => {
                for b in branches {
                    if let Some(m) = &b.mask {
                        self.touch_at(at, m);
                    }
                    self.walk_block(at, &b.body);
                }
            }
            StmtKind::Forall { header, body, .. } => {
                let inner = self.loop_header(at, header, s.span);
                self.walk_block(inner, body);
            }
            StmtKind::Associate { items, body, .. } => self.associate(at, items, body, s.span),
            StmtKind::Block { spec, body, .. } => {
                let scope = self.new_scope(ScopeKind::Block, "", Some(at.scope), s.span);
                self.specification(scope, spec);
                self.finish_variables(scope);
                self.touch_specification(scope, spec);
                self.walk_block(At { scope, ..at }, body);
            }
            StmtKind::OtherBlock { body, .. } => self.walk_block(at, body),
            StmtKind::ComputedGoto { index, .. } => self.touch_at(at, index),
            StmtKind::Return(e) => self.touch_option(at, e.as_ref()),
            StmtKind::Stop { code, quiet, .. } => {
                self.touch_option(at, code.as_deref());
                self.touch_option(at, quiet.as_deref());
            }
            StmtKind::Allocate(a) => {
                for o in &a.objects {
                    self.touch_at(at, &o.object);
                    self.touch_dims(at.scope, o.bounds.as_ref());
                }
                self.touch_args(at, &a.options);
            }
            StmtKind::Deallocate { objects, options } => {
                objects.iter().for_each(|e| self.touch_at(at, e));
                self.touch_args(at, options);
            }
            StmtKind::Nullify(list) => list.iter().for_each(|e| self.touch_at(at, e)),
            StmtKind::Print { format, items } => {
                self.touch_at(at, format);
                items.iter().for_each(|e| self.touch_at(at, e));
            }
            StmtKind::Write { control, items } | StmtKind::Read { control, items } => {
                self.touch_args(at, control);
                items.iter().for_each(|e| self.touch_at(at, e));
            }
            StmtKind::Io { control, .. } => self.touch_args(at, control),
            StmtKind::CufKernel(k) => self.cuf_kernel(at, k),
            StmtKind::Entry(name) => self.entry_point(at.scope, name),
            StmtKind::Decl(d) => {
                self.declaration(at.scope, d);
                self.touch_specification(at.scope, std::slice::from_ref(d));
            }
            StmtKind::AssignLabel { var, .. } | StmtKind::AssignedGoto { var, .. } => {
                self.touch_name(at, var, Use::Value);
            }
            StmtKind::Cycle(_)
            | StmtKind::Exit(_)
            | StmtKind::Goto(_)
            | StmtKind::Continue
            | StmtKind::Format
            | StmtKind::Other => {}
        }
    }

    fn do_construct(&mut self, at: At, d: &'a ast::Do, span: Span) {
        let mut inner = at;
        match &d.control {
            DoControl::Counted {
                var,
                from,
                to,
                step,
            } => {
                self.touch_name(at, var, Use::Value);
                self.touch_at(at, from);
                self.touch_at(at, to);
                if let Some(e) = step {
                    self.touch_at(at, e);
                }
            }
            DoControl::While(e) => self.touch_at(at, e),
            DoControl::Concurrent(h) => inner = self.loop_header(at, h, span),
            DoControl::Forever => {}
        }
        self.walk_block(inner, &d.body);
    }

    fn call(&mut self, at: At, c: &'a ast::Call) {
        match &c.callee.kind {
            ExprKind::Name(n) => {
                self.touch_name(at, n, Use::Call);
                let called = self.m.lookup(at.scope, &n.text);
                self.m.has_address_pointers |=
                    called.is_some_and(|s| self.m[s].name == "c_f_pointer");
            }
            _ => self.touch_at(at, &c.callee),
        }
        if let Some(l) = &c.launch {
            self.touch_args(at, &l.args);
        }
        self.touch_args(at, &c.args);
    }

    fn cuf_kernel(&mut self, at: At, k: &'a ast::CufKernel) {
        self.touch_option(at, k.depth.as_ref());
        if let Some(l) = &k.launch {
            l.grid
                .iter()
                .chain(&l.block)
                .chain(&l.bytes)
                .chain(&l.stream)
                .for_each(|e| self.touch_at(at, e));
        }
        for r in &k.reductions {
            r.variables.iter().for_each(|e| self.touch_at(at, e));
        }
        for (name, _) in &k.local {
            self.touch_name(at, name, Use::Value);
        }
        if let Some(body) = &k.body {
            let mut inner = At { cuf: true, ..at };
            if let Some((spec, names)) = &k.typed_indices {
                inner.scope = self.new_scope(ScopeKind::Block, "", Some(at.scope), body.span);
                let ty = self.type_of_spec(at.scope, spec);
                for name in names {
                    let kind = implicit_variable(ty.clone(), Space::Host);
                    let s = self.declare(inner.scope, name, kind);
                    self.declared_local(inner.scope, s);
                }
            }
            self.walk(inner, body);
        }
    }

    fn touch_option(&mut self, at: At, e: Option<&'a Expr>) {
        if let Some(e) = e {
            self.touch_at(at, e);
        }
    }

    fn touch_args(&mut self, at: At, args: &'a [Arg]) {
        for a in args {
            self.touch_at(at, &a.value);
        }
    }

    /// ENTRY: another procedure of the same body; its dummies are variables of the unit.
    fn entry_point(&mut self, scope: ScopeId, name: &Name) {
        let outer = self.m[self.m.unit_scope(scope)].parent;
        let holder = outer.unwrap_or(scope);
        if self.local(holder, &name.text).is_none() {
            let s = self.declare(holder, name, SymbolKind::Unknown);
            self.make_procedure(s, ProcedureKind::External, None);
            if outer.is_none() {
                self.m.externals.entry(name.text.clone()).or_insert(s);
            }
        }
    }

    /// FORALL and DO CONCURRENT: with a type the indices are declared in a scope of their own.
    fn loop_header(&mut self, at: At, h: &'a LoopHeader, span: Span) -> At {
        let mut inner = at;
        if h.type_spec.is_some() || !h.local.is_empty() {
            inner.scope = self.new_scope(ScopeKind::Block, "", Some(at.scope), span);
        }
        if let Some(spec) = &h.type_spec {
            let ty = self.type_of_spec(at.scope, spec);
            for (name, ..) in &h.indices {
                let kind = implicit_variable(ty.clone(), Space::Host);
                let s = self.declare(inner.scope, name, kind);
                self.declared_local(inner.scope, s);
            }
        }
        for (name, _) in &h.local {
            self.touch_name(at, name, Use::Value);
            let outer = self.m.lookup(at.scope, &name.text);
            if let Some(v) = outer.and_then(|s| self.m.variable(s)).cloned() {
                let own = Variable {
                    dummy: None,
                    intent: None,
                    init: None,
                    attrs: VarAttrs::default(),
                    decl: name.span,
                    ..v
                };
                let s = self.declare(inner.scope, name, SymbolKind::Variable(own));
                self.declared_local(inner.scope, s);
            }
        }
        for (name, from, to, step) in &h.indices {
            self.touch_name(inner, name, Use::Value);
            self.touch_at(at, from);
            self.touch_at(at, to);
            self.touch_option(at, step.as_ref());
        }
        self.touch_option(inner, h.mask.as_ref());
        inner
    }

    fn declared_local(&mut self, scope: ScopeId, s: SymbolId) {
        let space = self.default_space(scope, s);
        if let SymbolKind::Variable(v) = &mut self.symbol_mut(s).kind {
            v.declared = true;
            v.space = space;
        }
    }

    fn associate(&mut self, at: At, items: &'a [(Name, Expr)], body: &'a Block, span: Span) {
        for (_, e) in items {
            self.touch_at(at, e);
        }
        let scope = self.new_scope(ScopeKind::Associate, "", Some(at.scope), span);
        for (name, e) in items {
            let t = self.m.expr(at.scope, e);
            let kind = SymbolKind::Associate {
                space: self.m.space(&t),
                ty: t.ty,
                rank: t.rank,
                expr: e.clone(),
                outer: at.scope,
            };
            self.declare(scope, name, kind);
        }
        self.walk_block(At { scope, ..at }, body);
    }

    fn select(&mut self, at: At, sel: &'a ast::Select) {
        self.touch_at(at, &sel.selector);
        let name = sel.associate.as_ref().or(sel.selector.as_name());
        let selector = (sel.kind != SelectKind::Case).then(|| self.m.expr(at.scope, &sel.selector));
        for c in &sel.cases {
            match &c.guard {
                CaseGuard::Values(list) => list.iter().for_each(|e| self.touch_at(at, e)),
                CaseGuard::Rank(e) => self.touch_at(at, e),
                _ => {}
            }
            let (Some(t), Some(name)) = (&selector, name) else {
                self.walk_block(at, &c.body);
                continue;
            };
            let end = c.body.last().map_or(c.header.end, |s| s.span.end);
            let span = Span {
                start: c.header.start,
                end: end.max(c.header.end),
            };
            let scope = self.new_scope(ScopeKind::Associate, "", Some(at.scope), span);
            let (mut ty, mut rank) = (t.ty.clone(), t.rank);
            match &c.guard {
                CaseGuard::TypeIs(spec) => ty = self.type_of_spec(at.scope, spec),
                CaseGuard::ClassIs(n) => {
                    if let Some(t) = self.m.lookup_type(at.scope, &n.text) {
                        ty = Type::Class(t);
                    }
                }
                CaseGuard::Rank(e) => {
                    if let Some(r) = self.m.const_int(at.scope, e) {
                        rank = r.clamp(0, 15) as i8;
                    }
                }
                _ => {}
            }
            let kind = SymbolKind::Associate {
                space: self.m.space(t),
                ty,
                rank,
                expr: sel.selector.clone(),
                outer: at.scope,
            };
            self.declare(scope, name, kind);
            self.walk_block(At { scope, ..at }, &c.body);
        }
    }

    /// Visits the names of an expression outside of statements.
    pub fn touch(&mut self, scope: ScopeId, e: &'a Expr) {
        self.touch_at(at_scope(scope), e);
    }

    fn touch_at(&mut self, at: At, e: &'a Expr) {
        // An explicit stack: expressions may be nested deeply. Popped in order of the text for the order of findings.
        let mut stack = vec![e];
        while let Some(e) = stack.pop() {
            match &e.kind {
                ExprKind::Name(n) => self.touch_name(at, n, Use::Value),
                ExprKind::Ref { base, args } => {
                    match base.as_name() {
                        Some(n) => self.touch_reference(at, n, args),
                        None => stack.push(base),
                    }
                    stack.extend(args.iter().rev().map(|a| &a.value));
                }
                ExprKind::ImpliedDo(d) => {
                    self.touch_name(at, &d.var, Use::Value);
                    push_children(e, &mut stack);
                }
                _ => push_children(e, &mut stack),
            }
        }
    }

    /// `name(args)`: a scalar variable so used is a function.
    fn touch_reference(&mut self, at: At, n: &Name, args: &'a [Arg]) {
        self.touch_name(at, n, Use::Reference);
        let Some(s) = self.m.lookup(at.scope, &n.text) else {
            return;
        };
        let SymbolKind::Variable(v) = &self.m[s].kind else {
            return;
        };
        let substring = matches!(v.ty, Type::Character(_))
            && matches!(args, [a] if matches!(a.value.kind, ExprKind::Slice { .. }));
        let object =
            v.attrs.is_dynamic() || v.attrs.has(VarAttrs::CRAY_POINTEE) || v.init.is_some();
        if !v.dims.is_empty()
            || v.is_result
            || substring
            || object
            || matches!(v.ty, Type::Derived(_) | Type::Class(_))
        {
            return;
        }
        let kind = if v.dummy.is_some() {
            ProcedureKind::Dummy
        } else if intrinsics::find(&n.text).is_some() {
            ProcedureKind::Intrinsic
        } else {
            ProcedureKind::External
        };
        let ty = v.ty.clone();
        self.make_procedure(s, kind, Some(ty));
    }

    fn touch_name(&mut self, at: At, n: &Name, usage: Use) {
        if n.text.is_empty() {
            return;
        }
        if let Some(s) = self.m.lookup(at.scope, &n.text) {
            if !self.is_own_external(at, &n.text, s) {
                self.settle(s, usage);
                return;
            }
            return self.undeclared(at, n, usage);
        }
        let device = self.m[at.scope].context != CodeContext::Host;
        if Typer::new(&self.m, at.scope).builtin(&n.text).is_some() {
            return;
        }
        if (device || at.cuf) && runtime_modules::cudadevice(&n.text).is_some() {
            if !device && let Some(e) = runtime_modules::find("cudadevice") {
                let module = self.external_module(e);
                if let Some(s) = self.exported(module, &n.text) {
                    let unit = self.m.unit_scope(at.scope);
                    self.scope_mut(unit).names.insert(n.text.clone(), s);
                }
            }
            return;
        }
        if let Some(s) = self.claimed_here(at.scope, &n.text) {
            self.settle(s, usage);
            return;
        }
        if let Some((i, _)) = intrinsics::find(&n.text)
            && (usage == Use::Reference && !i.is_subroutine()
                || usage == Use::Call && i.is_subroutine())
        {
            return;
        }
        self.undeclared(at, n, usage);
    }

    /// An external procedure of the program that has the name of a device function: host code gets these by USE of cudadevice alone (guide
    /// 3.8), not with cudafor.
    fn is_own_external(&self, at: At, name: &str, found: SymbolId) -> bool {
        let home = &self.m[self.m[found].scope];
        let mut scopes = std::iter::successors(Some(at.scope), |s| self.m[*s].parent);
        home.kind == ScopeKind::External
            && home.name == "cudadevice"
            && !at.cuf
            && self.m[at.scope].context == CodeContext::Host
            && self.m.externals.contains_key(name)
            && !scopes.any(|s| self.m[s].uses.iter().any(|u| u == "cudadevice"))
    }

    /// A name of a library module used in the scope or around it, by prefix.
    fn claimed_here(&mut self, scope: ScopeId, name: &str) -> Option<SymbolId> {
        let mut at = Some(scope);
        while let Some(s) = at {
            let externals: Vec<ScopeId> = self.m.opened_runtime(s).collect();
            for m in externals {
                if let Some(id) = self.claimed(m, name) {
                    // Found from here on without another search.
                    self.scope_mut(s).names.insert(name.into(), id);
                    self.scope_mut(s).used.insert(name.into(), id);
                    return Some(id);
                }
            }
            at = self.m[s].parent;
        }
        None
    }

    /// The kind of a library's name that its prefix alone left open.
    fn settle(&mut self, s: SymbolId, usage: Use) {
        if !matches!(self.m[s].kind, SymbolKind::Unknown)
            || self.m[self.m[s].scope].kind != ScopeKind::External
        {
            // CALL of a dummy or an undeclared name that has been taken for a variable.
            if usage == Use::Call
                && let SymbolKind::Variable(v) = &self.m[s].kind
                && !v.declared
                && v.dims.is_empty()
            {
                let kind = match v.dummy {
                    Some(_) => ProcedureKind::Dummy,
                    None => ProcedureKind::External,
                };
                self.make_procedure(s, kind, None);
            }
            return;
        }
        if self.m.predefined(s).is_some() {
            return;
        }
        self.symbol_mut(s).kind = match usage {
            Use::Value => runtime_constant(),
            Use::Reference => runtime_procedure(true),
            Use::Call => runtime_procedure(false),
        };
    }

    fn undeclared(&mut self, at: At, n: &Name, usage: Use) {
        let unit = self.m.unit_scope(at.scope);
        if self.m[unit].open_ended || self.m[at.scope].open_ended {
            self.declare(unit, n, SymbolKind::Unknown);
            return;
        }
        if n.text.starts_with('%') {
            // %val and the like.
            self.declare(unit, n, SymbolKind::Unknown);
            return;
        }
        let ty = self.implicit_type(at.scope, &n.text);
        // The runtime's procedures have no underscore. What the program defines itself is not meant to be one of them.
        let cuda = n.text.starts_with("cuda")
            && (matches!(usage, Use::Value) || !n.text.contains('_'))
            && !self.m.externals.contains_key(n.text.as_str())
            && self.uses_cudafor(at.scope);
        // A barrier or atomic in host code is an error of its own; an external procedure of such a name is not meant.
        let device_only = ["syncthreads", "threadfence", "atomic", "__"];
        if device_only.iter().any(|p| n.text.starts_with(p))
            && runtime_modules::cudadevice(&n.text).is_some()
            && !self.m.externals.contains_key(n.text.as_str())
            && let Some(e) = runtime_modules::find("cudadevice")
        {
            let module = self.external_module(e);
            if let Some(s) = self.exported(module, &n.text) {
                self.scope_mut(unit).names.insert(n.text.clone(), s);
                return;
            }
        }
        match (usage, ty) {
            (Use::Call, _) if !cuda => {
                let known = self.m.externals.get(n.text.as_str()).copied();
                let s = self.declare(unit, n, SymbolKind::Unknown);
                self.make_procedure(s, ProcedureKind::External, None);
                self.describe_external(s, known);
            }
            (Use::Reference, ty) if ty != Type::Unknown && !cuda => {
                let known = self.m.externals.get(n.text.as_str()).copied();
                let s = self.declare(unit, n, SymbolKind::Unknown);
                self.make_procedure(s, ProcedureKind::External, Some(ty));
                self.describe_external(s, known);
            }
            (Use::Value, ty) if ty != Type::Unknown && !cuda => {
                let space = match self.m[unit].context {
                    CodeContext::Host => Space::Host,
                    _ => Space::Thread,
                };
                self.declare(unit, n, implicit_variable(ty, space));
            }
            // An intrinsic subroutine that is a function, too (chmod, stat, ...).
            (Use::Reference, _) if intrinsics::find(&n.text).is_some() => {
                self.declare(unit, n, SymbolKind::Unknown);
            }
            _ => {
                let text = self.text(n.span).to_owned();
                let message = if cuda {
                    format!("`{text}` is not in module cudafor")
                } else {
                    format!("`{text}` is not declared")
                };
                let library = match usage {
                    Use::Value => None,
                    Use::Call | Use::Reference => crate::libraries::unknown(&text),
                };
                match library {
                    Some((message, help)) => {
                        self.finding("CUF0201", message, n.span);
                        if let Some(f) = self.findings.last_mut() {
                            f.help = Some(help);
                        }
                    }
                    None => self.finding("CUF0201", message, n.span),
                }
                self.declare(unit, n, SymbolKind::Unknown);
            }
        }
    }

    /// An external procedure of the program called without interface keeps its own target and attributes.
    fn describe_external(&mut self, s: SymbolId, known: Option<SymbolId>) {
        let target = known
            .and_then(|k| self.m.procedure(k))
            .map(|p| (p.target, p.recursive));
        if let (Some((target, recursive)), SymbolKind::Procedure(p)) =
            (target, &mut self.symbol_mut(s).kind)
        {
            p.target = target;
            p.recursive = recursive;
        }
    }

    fn uses_cudafor(&self, scope: ScopeId) -> bool {
        let mut at = Some(scope);
        while let Some(s) = at {
            if self
                .m
                .opened_runtime(s)
                .any(|m| self.m[m].name == "cudafor")
            {
                return true;
            }
            at = self.m[s].parent;
        }
        false
    }
}

fn at_scope(scope: ScopeId) -> At {
    At {
        scope,
        cuf: false,
        depth: 0,
    }
}

fn push_children<'e>(e: &'e Expr, stack: &mut Vec<&'e Expr>) {
    let from = stack.len();
    e.for_each_child(&mut |c| stack.push(c));
    stack[from..].reverse();
}

/// Adds every name in an expression.
fn collect_names<'e>(e: &'e Expr, names: &mut BTreeSet<&'e str>) {
    let mut todo = vec![e];
    while let Some(e) = todo.pop() {
        names.extend(e.as_name().map(|n| n.text.as_str()));
        e.for_each_child(&mut |c| todo.push(c));
    }
}
