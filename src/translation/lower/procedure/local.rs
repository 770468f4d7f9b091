//! Local variables of device code: registers, shared memory, constants, pointers.

use crate::lower::context::layout::size_of;
use crate::lower::context::rules::Designators;
use crate::lower::context::*;
use crate::lower::cufloop::liveness::Liveness;
use crate::lower::procedure::dummy::indexed_by_int;
use crate::lower::program::effects::is_hidden;
use crate::lower::statement::comments;
use std::collections::BTreeSet;

use crate::ast::Span;
use crate::ir::{self, *};
use crate::lower::context::origins::origin;
use crate::map::Rule;
use crate::sema::expression::typed::TExprKind;
use crate::sema::model::{self, *};

/// Bytes of the shared memory that one array may have.
const MOST_SHARED: i128 = 16384;

impl LoweringContext<'_, '_> {
    /// Declarations of the variables of a scope that are used, grouped as the source groups them.
    pub fn locals(&mut self, scope: ScopeId) -> Vec<ir::Stmt> {
        let mut out: Vec<ir::Stmt> = Vec::new();
        let mut last_decl = None;
        let in_bounds = self.constants_of_bounds(scope);
        let symbols: Vec<_> = self.model()[scope].names.values().copied().collect();
        for s in symbols {
            // The result of a procedure written as MODULE PROCEDURE is declared in its interface.
            let own = self.model()[s].scope == scope;
            if !own && Some(s) != self.result
                || self.vars.contains_key(&s) && Some(s) != self.result && !in_bounds.contains(&s)
            {
                continue;
            }
            let info = &self.model()[s];
            match &info.kind {
                SymbolKind::Variable(v) => {
                    let v = v.clone();
                    if v.dummy.is_some()
                        || self.cray.contains_key(&s)
                        || !(self.facts.mentioned.contains(&s) || Some(s) == self.result)
                        || self.loops.locals.contains(&s)
                    {
                        continue;
                    }
                    if is_hidden(self.model(), s) {
                        continue;
                    }
                    let (stmt, groupable) = self.within(v.decl, |cx| cx.declared(s, &v));
                    let Some(mut stmt) = stmt else { continue };
                    let shared = v.space == Space::Shared;
                    let rule = match shared {
                        true => Rule::SharedVariable,
                        false => Rule::Declaration,
                    };
                    stmt.origin = origin(v.decl, rule);
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
                    let first = last_decl.map(|d: (Span, bool)| d.0) != Some(decl);
                    if own && decl.end > decl.start && first {
                        let after = comments::code_before(&self.input, decl.start);
                        let mut n = comments::notes(&self.input, after, decl);
                        n.blank_before = n.blank_before && !out.is_empty();
                        stmt.notes = n;
                    }
                    last_decl = Some((decl, groupable));
                    out.push(stmt);
                }
                SymbolKind::Parameter(_)
                    if self.facts.mentioned.contains(&s) || in_bounds.contains(&s) =>
                {
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
    pub fn declared(&mut self, s: SymbolId, v: &Variable) -> (Option<ir::Stmt>, bool) {
        let span = self.model()[s].span;
        let name = self.local_name(s);
        if v.attrs.has(VarAttrs::CRAY_POINTEE) {
            return (self.cray_pointee(s, v, &name), false);
        }
        if v.attrs.has(VarAttrs::IN_EQUIVALENCE) && !v.attrs.has(VarAttrs::IN_COMMON) {
            return (self.equivalenced(s, v, &name), false);
        }
        if v.attrs.has(VarAttrs::IN_COMMON) {
            self.refuse(
                span,
                "CUF0410",
                format!("`{name}` is in a common block, which is host data and not accessible in device code"),
            );
            return (None, false);
        }
        if v.attrs.has(VarAttrs::SAVE) {
            let message = format!(
                "local variable `{name}` of a device procedure cannot have the `save` attribute"
            );
            self.refuse(span, "CUF0322", message);
            return (None, false);
        }
        let data = v.attrs.has(VarAttrs::IN_DATA);
        if (v.init.is_some() || data) && v.space != Space::Shared {
            return (self.initialised(s, v, &name), false);
        }
        if crate::lower::context::query::has_varying_length(&v.ty) {
            return (self.local_text(s, v, &name), false);
        }
        if self.is_shared_by_block(s) {
            return (self.shared_by_block(s, span), false);
        }
        if v.space == Space::Shared {
            return (self.shared(s, v, &name), false);
        }
        if v.attrs.is_dynamic() {
            return (self.local_pointer(s, v, &name), false);
        }
        let ty = self.variable_type(s, v, span);
        let bounds = if v.dims.is_empty() {
            Vec::new()
        } else {
            self.declared_bounds(s)
        };
        let (init, groupable) = match &ty {
            ir::Type::LocalArray { .. } => {
                self.at = span.start;
                let mut args = vec![self.place_text()];
                args.extend(self.bounds_args(s));
                (Init::Args(args), false)
            }
            ir::Type::Derived(_) if self.model().has_default_init(&v.ty) => (Init::Default, true),
            ir::Type::Fixed { elem, .. }
                if matches!(**elem, ir::Type::Derived(_))
                    && self.model().has_default_init(&v.ty) =>
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

    /// A local with an initial value is saved (F2018 8.4), and device code has no memory between calls. nvfortran takes it all
    /// the same: one that nothing changes is a constant.
    fn initialised(&mut self, s: SymbolId, v: &Variable, name: &str) -> Option<ir::Stmt> {
        let pointer = v.attrs.has(VarAttrs::POINTER);
        if pointer || self.facts.modified.contains(&s) {
            let message = format!(
                "local variable `{name}` of a device procedure is initialized and later modified\nnote: it would have to be saved between calls\nhelp: declare it without a value, and assign the value in a statement: `{name} = ...`"
            );
            self.refuse(self.model()[s].span, "CUF0321", message);
            return None;
        }
        self.local_constant(s)
    }

    /// Mentioned only where it is given a value: compilers would warn.
    pub fn only_written(&self, s: SymbolId) -> bool {
        Some(s) != self.result
            && self.facts.modified.contains(&s)
            && self.facts.mentions.get(&s).is_none_or(|m| m.len() <= 1)
    }

    /// An INTENT(OUT) dummy of a type with default initialisation has those values on entry (F2018 8.5.10).
    pub fn initialise_out(&mut self, d: SymbolId, body: &mut Vec<ir::Stmt>) {
        let Some(v) = self.model().variable(d).cloned() else {
            return;
        };
        let movable = v.attrs.is_dynamic();
        let Some(elem) = self.storage_type(&v.ty) else {
            return;
        };
        if movable
            || v.intent != Some(crate::ast::Intent::Out)
            || !self.model().has_default_init(&v.ty)
        {
            return;
        }
        let ent = self.entity(d, self.model()[d].span);
        let optional = ent.optional.clone();
        let value = Expr::new(ExprKind::Construct(Vec::new()), elem);
        let (mut stmts, fill) = self.with_hoisted(|cx| {
            let ranges: Vec<_> = cx
                .lower_bounds(&ent)
                .into_iter()
                .zip(cx.upper_bounds(&ent))
                .collect();
            if ranges.is_empty() {
                return vec![ir::Stmt::assign(ent.expr.clone(), value)];
            }
            cx.nest(&ranges, |_, ix| {
                let at = ix.iter().map(|i| i.var.clone()).collect();
                vec![ir::Stmt::assign(ent.expr.clone().at(at), value)]
            })
        });
        stmts.extend(fill);
        match optional {
            Some(name) => body.push(ir::Stmt::when(super::pointer_dummy::is_there(&name), stmts)),
            None => body.extend(stmts),
        }
    }

    /// The threads of the block write to the array together.
    pub fn is_shared_by_block(&self, s: SymbolId) -> bool {
        let block = self.block.as_ref();
        block.is_some_and(|b| b.shared.contains(&s))
    }

    /// Declares an array of the block in shared memory.
    pub fn shared_by_block(&mut self, s: SymbolId, at: Span) -> Option<ir::Stmt> {
        let v = self.model().variable(s).cloned()?;
        let name = self.local_name(s);
        let scope = self.model()[s].scope;
        let elements = self.fixed_dims(scope, &v.dims).map(|dims| {
            let extents = dims.iter().map(|d| i128::from(d.extent()));
            extents.product::<i128>()
        });
        let elem = self.storage_type(&v.ty)?;
        let bytes = elements.map(|n| n * size_of(&elem).as_int().unwrap_or(16));
        let is_large = bytes.is_none_or(|b| b > MOST_SHARED);
        // What the construct declares itself may be on the heap of the device.
        if is_large && !v.attrs.is_dynamic() && self.model()[scope].kind == ScopeKind::Block {
            return Some(self.heap_array_of_block(s, &v, elem, at));
        }
        if v.attrs.is_dynamic() || is_large {
            let spelling = self.model()[s].spelling.clone();
            self.refuse(
                at,
                "CUF0544",
                format!("array `{spelling}` is shared by the threads of a block, but is not small and of constant shape\nnote: it is in shared memory, of which it may have {MOST_SHARED} bytes\nhelp: declare it with constant bounds, or use an array in device memory with one more dimension"),
            );
            return None;
        }
        self.shared(s, &v, &name)
    }

    /// An array on the heap that the threads of the block share.
    fn heap_array_of_block(
        &mut self,
        s: SymbolId,
        v: &Variable,
        elem: ir::Type,
        at: Span,
    ) -> ir::Stmt {
        let name = self.local_name(s);
        let ty = ir::Type::LocalArray {
            elem: Box::new(elem),
            rank: v.dims.len(),
        };
        self.at = at.start;
        let mut args = vec![self.place_text()];
        args.extend(self.bounds_args(s));
        let bounds = self.declared_bounds(s);
        let expr = Expr::name(&name, ty.clone());
        self.vars.insert(
            s,
            Entity {
                expr,
                bounds,
                optional: None,
            },
        );
        StmtKind::Declare(Declare {
            ty,
            qualifier: Qualifier::Shared,
            names: vec![Declarator {
                name,
                init: Init::Args(args),
            }],
            maybe_unused: false,
        })
        .into()
    }

    pub fn shared(&mut self, s: SymbolId, v: &Variable, name: &str) -> Option<ir::Stmt> {
        let span = self.model()[s].span;
        let Some(elem) = self.storage_type(&v.ty) else {
            self.refuse(
                span,
                "CUF0403",
                format!("type of `{name}` is not supported in device code"),
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
                    qualifier: match rank > 0 && (self.facts.bulk || self.has_submatrices()) {
                        true => Qualifier::SharedTile,
                        false => Qualifier::Shared,
                    },
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
        let bytes = size_of(&elem);
        let alignment = match &elem {
            ir::Type::Complex(k) => i128::from(*k),
            _ => bytes.as_int().unwrap_or(8),
        };
        if !assumed
            && self.dynamic.offset.as_int() != Some(0)
            && self.dynamic.multiple % alignment != 0
        {
            let wide = ir::Type::Int(8);
            let up = self
                .dynamic
                .offset
                .clone()
                .plus(Expr::int_of(alignment - 1, 4));
            let n = Expr::int_of(alignment, 4);
            let units = Expr::binary(ir::BinaryOp::Div, up, n.clone(), wide.clone());
            self.dynamic.offset = Expr::binary(ir::BinaryOp::Mul, units, n, wide);
        }
        let offset = if assumed {
            Expr::int(0)
        } else {
            self.dynamic.offset.clone()
        };
        let mut args = Vec::new();
        if offset.as_int() != Some(0) {
            args.push(offset.clone());
        }
        let pointer = Expr::call_of(
            Function::DynamicShared,
            vec![TemplateArg::Type(elem.clone())],
            args,
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
            let size = whole.method(Method::Size, Vec::new(), ir::Type::Int(8));
            self.dynamic.multiple = self.dynamic.multiple.min(alignment);
            let bytes = size.times(bytes);
            self.dynamic.offset = if offset.as_int() == Some(0) {
                bytes
            } else {
                Expr::binary(ir::BinaryOp::Add, offset, bytes, ir::Type::Int(8))
            };
        }
        // No shared memory has so many elements that an int could not count them.
        let class = indexed_by_int(&ty);
        Some(ir::Stmt::declare(class, name, Init::Args(ctor)))
    }

    /// Named constants of the scope that the bounds of its dummies have.
    fn constants_of_bounds(&self, scope: ScopeId) -> BTreeSet<SymbolId> {
        let model = self.model();
        let mut found = BTreeSet::new();
        let dummies = model[scope].names.values().filter_map(|s| {
            let v = model.variable(*s)?;
            (v.dummy.is_some() && model[*s].scope == scope).then_some(v)
        });
        for dim in dummies.flat_map(|v| &v.dims) {
            let bounds = match dim {
                Dim::Explicit { lower, upper } => [lower.as_deref(), Some(upper)],
                Dim::Colon { lower } | Dim::AssumedSize { lower } => [lower.as_deref(), None],
                Dim::AssumedRank => [None, None],
            };
            for e in bounds.into_iter().flatten() {
                model.expr(scope, e).walk(&mut |x| {
                    if let TExprKind::Constant { symbol: Some(s) } = x.kind {
                        found.insert(s);
                    }
                });
            }
        }
        found
    }

    /// A named constant of the procedure.
    pub fn local_constant(&mut self, s: SymbolId) -> Option<ir::Stmt> {
        let span = self.model()[s].span;
        let (ty, value) = self.constant_value(s, span)?;
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

    /// Do variables are declared in their loops where nobody reads them afterwards. `body` is what the scope holds.
    pub fn prepare_loops(&mut self, scope: ScopeId, body: &[crate::ast::Stmt]) {
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
            if !ours
                || !scalar
                || nested
                || v.attrs.has(VarAttrs::SAVE)
                || v.attrs.has(VarAttrs::IN_EQUIVALENCE)
            {
                continue;
            }
            let mentions = self.facts.mentions.get(s).map_or(&[][..], Vec::as_slice);
            let inside = mentions
                .iter()
                .all(|at| spans.iter().any(|l| l.start <= at.start && at.end <= l.end));
            if inside {
                self.loops.locals.insert(*s);
            } else if !v.attrs.has(VarAttrs::TARGET) && !self.cray.contains_key(s) {
                self.loops
                    .unread
                    .extend(Liveness::unread_loops(body, mentions, spans));
            }
        }
    }
}
