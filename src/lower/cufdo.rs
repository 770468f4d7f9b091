//! CUF loops (guide 2.11): the loop nest becomes a kernel over an iteration space, with captured data as parameters.

use super::notes;
use super::proc::{Cx, Entity, FrameKind, Shared};
use super::reduce::{Role, clause_operation, variable};
use crate::abi::{LauncherOf, LauncherParam, LauncherSignature, ParamSource, Passing};
use crate::ast::{self, CufKernel, DoControl, Span, Stmt, StmtKind as Ast};
use crate::ir::{self, *};
use crate::sema::model::{self, *};
use crate::sema::typed::*;

/// Data of the host that a loop uses.
#[derive(Clone, Debug, Default)]
pub struct Capture {
    pub params: Vec<CaptureParam>,
    /// Declarations at the start of the kernel.
    pub prologue: Vec<ir::Stmt>,
    /// The loop, to find the syntax of a captured designator.
    pub body: Vec<Stmt>,
    /// Loop variables and private scalars: designators with them as subscripts cannot be captured.
    pub inside: Vec<SymbolId>,
}

#[derive(Clone, Debug)]
pub struct CaptureParam {
    pub key: String,
    pub name: String,
    /// Type of the kernel's parameter and of the launcher's.
    pub kernel: ir::Type,
    pub launcher: ir::Type,
    /// What the launcher passes on.
    pub pass: Expr,
    pub passing: Passing,
    pub source: ParamSource,
}

/// Result of lowering a CUF loop.
pub struct LoopKernel {
    pub kernel: ir::Proc,
    pub launcher: ir::Launcher,
    pub signature: LauncherSignature,
}

struct Mapped<'a> {
    variable: SymbolId,
    name: String,
    from: &'a ast::Expr,
    to: &'a ast::Expr,
    step: Option<&'a ast::Expr>,
}

struct Reduced {
    target: TExpr,
    syntax: ast::Expr,
    op: &'static str,
    ty: ir::Type,
    name: String,
    param: String,
}

/// Lowers the loop of one directive found in host code of `scope`.
pub fn lower_loop(
    sh: &Shared<'_>,
    file: FileId,
    scope: ScopeId,
    k: &CufKernel,
) -> Option<LoopKernel> {
    let facts_body: Vec<Stmt> = k.body.iter().map(|b| (**b).clone()).collect();
    let loop_stmt = k.body.as_deref()?;
    let facts = sh
        .analysis
        .of_loop(sh.model, scope, std::slice::from_ref(loop_stmt));
    let mut cx = Cx::new(sh, file, scope, facts)?;
    cx.capture = Some(Capture {
        body: facts_body,
        ..Capture::default()
    });
    cx.reserve_names(scope);
    let depth = match &k.depth {
        None => 1,
        Some(e) => usize::try_from(cx.model().const_int(scope, e)?).ok()?,
    };
    let (mapped, innermost) = nest(&mut cx, loop_stmt, depth)?;
    let line = cx
        .input
        .text
        .get(..k.directive.start as usize)?
        .matches('\n')
        .count()
        + 1;
    let name = cx.fresh(&format!("loop_{line}"));
    for m in &mapped {
        if let Some(c) = &mut cx.capture {
            c.inside.push(m.variable);
        }
    }
    let reductions = classify(&mut cx, k, &mapped, &innermost.body)?;
    let space_name = cx.fresh("space");
    let iterator = cx.fresh("it");
    let mut inner = index_declarations(&mut cx, &mapped, &iterator);
    let private = private_declarations(&mut cx);
    let mut start = Vec::new();
    for r in &reductions {
        let identity = Expr::new(
            ExprKind::Call {
                callee: Ident::cuf(format!("{}::identity", r.op)),
                targs: vec![TemplateArg::Type(r.ty.clone())],
                args: Vec::new(),
            },
            r.ty.clone(),
        );
        start.push(ir::Stmt::declare(
            r.ty.clone(),
            &r.name,
            Init::Value(identity),
        ));
        let entity = Entity {
            expr: Expr::name(&r.name, r.ty.clone()),
            bounds: Vec::new(),
            optional: None,
        };
        match r.target.kind {
            TExprKind::Variable(s) => {
                cx.vars.insert(s, entity);
            }
            _ => {
                let key = cx.source_text(r.target.span);
                let param = CaptureParam {
                    key,
                    name: r.name.clone(),
                    kernel: ir::Type::Void,
                    launcher: ir::Type::Void,
                    pass: entity.expr,
                    passing: Passing::Descriptor,
                    source: ParamSource::Captured(r.syntax.clone()),
                };
                if let Some(c) = &mut cx.capture {
                    c.params.push(param);
                }
            }
        }
    }
    cx.frames.push(super::proc::Frame {
        name: innermost.name.clone(),
        kind: FrameKind::Mapped { innermost: true },
        exit_label: None,
        cycle_label: None,
    });
    let body = cx.body(&innermost.body, innermost.start, innermost.end);
    let frame = cx.frames.pop();
    inner.extend(body);
    if let Some(l) = frame.and_then(|f| f.cycle_label) {
        inner.push(StmtKind::Label(l).into());
    }
    let space_ty = ir::Type::Named(Ident::cuf(format!("loop_space<{}>", mapped.len())));
    let it = Expr::name(&iterator, ir::Type::Auto);
    let grid = For {
        var: iterator,
        declare: Some(ir::Type::Auto),
        from: Some(Expr::name(&space_name, space_ty.clone()).method(
            "begin_thread",
            Vec::new(),
            ir::Type::Auto,
        )),
        cond: it.method("valid", Vec::new(), ir::Type::Bool),
        step: Step::Next,
        body: inner,
    };
    let capture = cx.capture.take().unwrap_or_default();
    let mut stmts = capture.prologue;
    stmts.extend(private);
    stmts.extend(start);
    stmts.push(StmtKind::For(Box::new(grid)).into());
    for r in &reductions {
        let device = Expr::name(&r.param, ir::Type::Auto);
        stmts.push(ir::Stmt::expr(Expr::cuf(
            "combine",
            vec![device, Expr::name(&r.name, r.ty.clone())],
            ir::Type::Void,
        )));
    }
    if cx.failed {
        return None;
    }
    super::tidy::tidy(&mut stmts);
    let params: Vec<_> = capture
        .params
        .into_iter()
        .filter(|p| p.kernel != ir::Type::Void)
        .collect();
    Some(assemble(
        &cx,
        k,
        &mapped,
        name,
        line,
        &space_name,
        space_ty,
        &params,
        &reductions,
        stmts,
    ))
}

struct Innermost {
    body: Vec<Stmt>,
    name: Option<String>,
    start: u32,
    end: u32,
}

/// The mapped loops, outermost first, and the body of the innermost.
fn nest<'s>(
    cx: &mut Cx<'_, '_>,
    stmt: &'s Stmt,
    depth: usize,
) -> Option<(Vec<Mapped<'s>>, Innermost)> {
    let mut out = Vec::new();
    let mut at = stmt;
    loop {
        let Ast::Do(d) = &at.kind else {
            cx.refuse(
                at.span,
                "CUF0450",
                format!(
                    "the directive maps {depth} nested loops, but there are only {}",
                    out.len()
                ),
            );
            return None;
        };
        let DoControl::Counted {
            var,
            from,
            to,
            step,
        } = &d.control
        else {
            cx.refuse(
                d.header,
                "CUF0450",
                "a mapped loop of a CUF kernel must count an integer variable",
            );
            return None;
        };
        let variable = cx.model().lookup(cx.scope, &var.text)?;
        out.push(Mapped {
            variable,
            name: cx.local_name(variable),
            from,
            to,
            step: step.as_ref(),
        });
        if out.len() == depth {
            let inner = Innermost {
                body: d.body.clone(),
                name: at.name.as_ref().map(|n| n.text.clone()),
                start: d.header.end,
                end: d
                    .end
                    .start
                    .max(d.body.last().map_or(d.header.end, |s| s.span.end)),
            };
            return Some((out, inner));
        }
        let mut loops = d.body.iter().filter(|s| !matches!(s.kind, Ast::Continue));
        match (loops.next(), loops.next()) {
            (Some(next), None) => at = next,
            _ => {
                cx.refuse(
                    d.header,
                    "CUF0450",
                    "the mapped loops of a CUF kernel must be tightly nested",
                );
                return None;
            }
        }
    }
}

/// Private scalars become locals; reductions are collected.
fn classify(
    cx: &mut Cx<'_, '_>,
    k: &CufKernel,
    mapped: &[Mapped<'_>],
    body: &[Stmt],
) -> Option<Vec<Reduced>> {
    let mut reductions: Vec<Reduced> = Vec::new();
    for clause in &k.reductions {
        let Some(op) = clause_operation(&clause.op.text) else {
            cx.refuse(
                clause.span,
                "CUF0451",
                format!("{} is no reduction operation", clause.op.text),
            );
            return None;
        };
        for v in &clause.variables {
            let t = cx.typed(v);
            reductions.push(reduced(cx, t, v.clone(), op)?);
        }
    }
    let mut scalars = Vec::new();
    cx.assigned_scalars(body, &mut scalars);
    for t in scalars {
        let Some(root) = t.root() else { continue };
        if mapped.iter().any(|m| m.variable == root)
            || reductions.iter().any(|r| super::array::same(&r.target, &t))
        {
            continue;
        }
        if cx.is_inner(root) {
            continue;
        }
        let role = cx.role(&t, body);
        let name = cx.model()[root].spelling.clone();
        let device = cx.in_device_memory(&t);
        match role {
            Role::Reduction(op) => {
                let syntax = cx.syntax_of(&t)?;
                reductions.push(reduced(cx, t, syntax, op)?);
            }
            // A scalar in device memory that is only stored to stays where it is.
            _ if device => {}
            Role::Private => match t.kind {
                TExprKind::Variable(s) => {
                    if let Some(c) = &mut cx.capture {
                        c.inside.push(s);
                    }
                }
                _ => {
                    cx.refuse(
                        t.span,
                        "CUF0452",
                        format!(
                            "the component of {name} is changed by every iteration of this loop"
                        ),
                    );
                    return None;
                }
            },
            Role::Unclear(at) => {
                cx.refuse(
                    at,
                    "CUF0453",
                    format!("{name} is neither private to an iteration nor the variable of a reduction that can be recognised; state it in a reduce clause or use an array"),
                );
                return None;
            }
        }
    }
    Some(reductions)
}

fn reduced(
    cx: &mut Cx<'_, '_>,
    target: TExpr,
    syntax: ast::Expr,
    op: &'static str,
) -> Option<Reduced> {
    let logical = matches!(op, "op_and" | "op_or" | "op_eqv" | "op_neqv");
    let fits = match target.ty {
        model::Type::Logical(_) => logical,
        model::Type::Integer(_) => !logical,
        model::Type::Real(_) => matches!(op, "op_add" | "op_mul" | "op_max" | "op_min"),
        model::Type::Complex(_) => matches!(op, "op_add" | "op_mul"),
        _ => false,
    };
    if !fits || target.rank != 0 {
        cx.refuse(
            syntax.span,
            "CUF0451",
            "a reduction of this operation and type is not supported",
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

fn index_declarations(cx: &mut Cx<'_, '_>, mapped: &[Mapped<'_>], iterator: &str) -> Vec<ir::Stmt> {
    let mut out = Vec::new();
    for (d, m) in mapped.iter().enumerate() {
        let ty = cx.model().type_of(m.variable);
        let ty = cx.value_type(&ty).unwrap_or(ir::Type::Int(4));
        let index = Expr::name(iterator, ir::Type::Auto).method(
            &format!("index<{d}>"),
            Vec::new(),
            ir::Type::Int(8),
        );
        let used = cx.facts.mentions.contains_key(&m.variable);
        cx.vars.insert(
            m.variable,
            Entity {
                expr: Expr::name(&m.name, ty.clone()),
                bounds: Vec::new(),
                optional: None,
            },
        );
        if !used {
            continue;
        }
        out.push(
            StmtKind::Declare(Declare {
                ty: ty.clone(),
                qualifier: Qualifier::Const,
                names: vec![Declarator {
                    name: m.name.clone(),
                    init: Init::Value(super::convert::convert(index, &ty)),
                }],
                maybe_unused: true,
            })
            .into(),
        );
    }
    out
}

fn private_declarations(cx: &mut Cx<'_, '_>) -> Vec<ir::Stmt> {
    let inside = cx
        .capture
        .as_ref()
        .map(|c| c.inside.clone())
        .unwrap_or_default();
    let mut out: Vec<ir::Stmt> = Vec::new();
    for s in inside {
        if cx.vars.contains_key(&s) {
            continue;
        }
        let model_ty = cx.model().type_of(s);
        let Some(ty) = cx.storage_type(&model_ty) else {
            continue;
        };
        let ty = if matches!(ty, ir::Type::Logical(_)) && !cx.facts.by_reference.contains(&s) {
            ir::Type::Bool
        } else {
            ty
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
            cx.loop_locals.insert(s);
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

#[allow(clippy::too_many_arguments)]
fn assemble(
    cx: &Cx<'_, '_>,
    k: &CufKernel,
    mapped: &[Mapped<'_>],
    name: String,
    line: usize,
    space_name: &str,
    space_ty: ir::Type,
    captured: &[CaptureParam],
    reductions: &[Reduced],
    body: Vec<ir::Stmt>,
) -> LoopKernel {
    let wide = ir::Type::Int(8);
    let mut params = vec![Param {
        name: space_name.to_owned(),
        ty: space_ty,
    }];
    let mut launcher_params = Vec::new();
    let mut abi = Vec::new();
    let mut bounds = Vec::new();
    let mut args = Vec::new();
    for (d, m) in mapped.iter().enumerate() {
        let lower = m.name.to_ascii_lowercase();
        let names = [
            format!("{lower}_lo"),
            format!("{lower}_hi"),
            format!("{lower}_step"),
        ];
        let sources = [
            ParamSource::LoopLower(d, m.from.clone()),
            ParamSource::LoopUpper(d, m.to.clone()),
            ParamSource::LoopStep(d, m.step.cloned()),
        ];
        for (n, s) in names.iter().zip(sources) {
            let n = unique(n, &abi);
            abi.push(LauncherParam {
                name: n.clone(),
                passing: Passing::Value(model::Type::Integer(8)),
                source: s,
            });
            launcher_params.push(Param {
                name: n,
                ty: wide.clone(),
            });
        }
        let named = |i: usize| Expr::name(&launcher_params[d * 3 + i].name, wide.clone());
        bounds.push([named(0), named(1), named(2)]);
    }
    for c in captured {
        params.push(Param {
            name: c.name.clone(),
            ty: c.kernel.clone(),
        });
        let n = unique(&c.name.to_ascii_lowercase(), &abi);
        let pass = rename(c.pass.clone(), &c.name, &n);
        launcher_params.push(Param {
            name: n.clone(),
            ty: c.launcher.clone(),
        });
        abi.push(LauncherParam {
            name: n,
            passing: c.passing.clone(),
            source: c.source.clone(),
        });
        args.push(LoopArg::Value(pass));
    }
    let mut ir_reductions = Vec::new();
    for (i, r) in reductions.iter().enumerate() {
        let ty = ir::Type::Named(Ident::cuf(format!(
            "reduction_device<{}, cuf::{}>",
            plain_type(&r.ty),
            r.op
        )));
        params.push(Param {
            name: r.param.clone(),
            ty,
        });
        let n = unique(&r.name.to_ascii_lowercase(), &abi);
        let pointer = ir::Type::Pointer {
            to: Box::new(r.ty.clone()),
            restrict: false,
        };
        launcher_params.push(Param {
            name: n.clone(),
            ty: pointer.clone(),
        });
        abi.push(LauncherParam {
            name: n.clone(),
            passing: Passing::Reference(r.target.ty.clone()),
            source: ParamSource::Captured(r.syntax.clone()),
        });
        ir_reductions.push(LoopReduction {
            name: format!("{n}_reduction"),
            ty: r.ty.clone(),
            op: r.op.to_owned(),
            target: Expr::name(&n, pointer),
        });
        args.push(LoopArg::Reduction(i));
    }
    let unit = cx.sh.unit_name(cx.unit_scope);
    let symbol = super::launch::symbol(&unit, &format!("loop_{line}"));
    let kernel_ident = Ident {
        space: Namespaces::Unit(cx.namespace.clone()),
        name: name.clone(),
    };
    LoopKernel {
        kernel: ir::Proc {
            name,
            kind: ProcKind::Kernel { bounds: Vec::new() },
            result: ir::Type::Void,
            params,
            body,
        },
        launcher: ir::Launcher {
            symbol: symbol.clone(),
            kind: LauncherKind::Loop {
                kernel: kernel_ident,
                bounds,
                args,
                reductions: ir_reductions,
            },
            params: launcher_params,
        },
        signature: LauncherSignature {
            symbol,
            of: LauncherOf::Loop(k.directive),
            params: abi,
        },
    }
}

fn plain_type(t: &ir::Type) -> String {
    crate::emit::cpp::type_text(t)
}

fn unique(name: &str, taken: &[LauncherParam]) -> String {
    let base = if name == "at" {
        "at_".to_owned()
    } else {
        name.to_owned()
    };
    let mut n = base.clone();
    let mut i = 1;
    while taken.iter().any(|p| p.name == n) {
        i += 1;
        n = format!("{base}{i}");
    }
    n
}

/// The expression with one local name replaced.
fn rename(e: Expr, from: &str, to: &str) -> Expr {
    match e.kind {
        ExprKind::Name(i) if i.name == from => Expr {
            kind: ExprKind::Name(Ident::local(to)),
            ty: e.ty,
        },
        ExprKind::Deref(x) => Expr {
            kind: ExprKind::Deref(Box::new(rename(*x, from, to))),
            ty: e.ty,
        },
        ExprKind::Object(a) => Expr {
            kind: ExprKind::Object(a.into_iter().map(|x| rename(x, from, to)).collect()),
            ty: e.ty,
        },
        ExprKind::Call {
            callee,
            targs,
            args,
        } => {
            let args = args.into_iter().map(|x| rename(x, from, to)).collect();
            Expr {
                kind: ExprKind::Call {
                    callee,
                    targs,
                    args,
                },
                ty: e.ty,
            }
        }
        kind => Expr { kind, ty: e.ty },
    }
}

fn designator_name(t: &TExpr, cx: &Cx<'_, '_>) -> String {
    match &t.kind {
        TExprKind::Variable(s) => cx.model()[*s].spelling.clone(),
        TExprKind::Component { base, name, .. } => format!("{}_{name}", designator_name(base, cx)),
        TExprKind::Index { base, .. }
        | TExprKind::Substring { base, .. }
        | TExprKind::ComplexPart { base, .. } => designator_name(base, cx),
        _ => "captured".to_owned(),
    }
}

impl Cx<'_, '_> {
    /// Declared inside the loop (in a BLOCK): an ordinary local.
    fn is_inner(&self, s: SymbolId) -> bool {
        let mut at = Some(self.model()[s].scope);
        while let Some(x) = at {
            if x == self.scope {
                return false;
            }
            at = self.model()[x].parent;
            if at == Some(self.scope) {
                return true;
            }
        }
        false
    }

    pub fn source_text(&self, span: Span) -> String {
        let raw = self
            .input
            .text
            .get(span.start as usize..span.end as usize)
            .unwrap_or_default();
        raw.chars()
            .filter(|c| !c.is_whitespace() && *c != '&')
            .collect::<String>()
            .to_ascii_lowercase()
    }

    fn in_device_memory(&self, t: &TExpr) -> bool {
        matches!(
            self.model().space(t),
            Some(
                Space::Device | Space::Constant | Space::Managed | Space::Unified | Space::Texture
            )
        )
    }

    /// The syntax of a designator of the loop.
    fn syntax_of(&mut self, t: &TExpr) -> Option<ast::Expr> {
        if let TExprKind::Variable(s) = t.kind {
            let name = self
                .input
                .text
                .get(t.span.start as usize..t.span.end as usize)
                .unwrap_or_default();
            let text = if name.is_empty() {
                self.model()[s].name.clone()
            } else {
                name.to_ascii_lowercase()
            };
            return Some(ast::Expr {
                kind: ast::ExprKind::Name(ast::Name { text, span: t.span }),
                span: t.span,
            });
        }
        let body = self.capture.as_ref()?.body.clone();
        let found = find_in_block(&body, t.span);
        if found.is_none() {
            self.refuse(
                t.span,
                "CUF0454",
                "this designator cannot be passed to the kernel of the CUF loop",
            );
        }
        found
    }

    /// A constant of the host procedure, declared at the start of the kernel.
    pub fn prologue_constant(&mut self, s: SymbolId, ty: ir::Type, value: Expr) -> Entity {
        let name = self.local_name(s);
        let bounds = match &ty {
            ir::Type::Fixed { dims, .. } => dims
                .iter()
                .map(|d| (Some(Expr::int(d.lo)), Some(Expr::int(d.hi))))
                .collect(),
            _ => Vec::new(),
        };
        let ent = Entity {
            expr: Expr::name(&name, ty.clone()),
            bounds,
            optional: None,
        };
        self.vars.insert(s, ent.clone());
        self.note_constant(s, &ent.expr);
        let stmt = StmtKind::Declare(Declare {
            ty,
            qualifier: Qualifier::Constexpr,
            names: vec![Declarator {
                name,
                init: Init::Value(value),
            }],
            maybe_unused: true,
        });
        if let Some(c) = &mut self.capture {
            c.prologue.push(stmt.into());
        }
        ent
    }

    /// A variable of the host procedure (or module) as a parameter of the kernel.
    pub fn capture_variable(&mut self, s: SymbolId, span: Span) -> Entity {
        let fallback = Entity {
            expr: Expr::int(0),
            bounds: Vec::new(),
            optional: None,
        };
        let (ty, rank) = match &self.model()[s].kind {
            SymbolKind::Variable(v) => (v.ty.clone(), v.dims.len()),
            SymbolKind::Associate { ty, rank, .. } => {
                (ty.clone(), usize::try_from(*rank).unwrap_or(0))
            }
            _ => {
                let name = self.model()[s].spelling.clone();
                self.refuse(
                    span,
                    "CUF0411",
                    format!("{name} cannot be used in a CUF loop"),
                );
                return fallback;
            }
        };
        let t = TExpr {
            kind: TExprKind::Variable(s),
            ty,
            rank: rank as i8,
            value: None,
            span,
        };
        let name = self.local_name(s);
        let hidden = self.hidden(s);
        let source = if hidden {
            ParamSource::Hidden(s)
        } else {
            let text = self
                .input
                .text
                .get(span.start as usize..span.end as usize)
                .unwrap_or_default()
                .to_ascii_lowercase();
            let local = if text == self.model()[s].name
                || self.model().lookup(self.scope, &text) == Some(s)
            {
                text
            } else {
                self.model()[s].name.clone()
            };
            ParamSource::Captured(ast::Expr {
                kind: ast::ExprKind::Name(ast::Name { text: local, span }),
                span,
            })
        };
        match self.capture_designator(&t, name, source) {
            Some(ent) => {
                self.vars.insert(s, ent.clone());
                ent
            }
            None => fallback,
        }
    }

    /// A component of a host variable: `f%v` or `blocks(b)%n`.
    pub fn captured_component(&mut self, e: &TExpr) -> Option<Entity> {
        let capture = self.capture.as_ref()?;
        let root = e.root()?;
        let key = self.source_text(e.span);
        if let Some(p) = capture
            .params
            .iter()
            .find(|p| p.key == key && !key.is_empty())
        {
            let expr = if p.kernel == ir::Type::Void {
                p.pass.clone()
            } else {
                entity_expr(&p.name, &p.kernel, e.rank > 0)
            };
            let bounds = vec![(None, None); expr.ty.rank()];
            return Some(Entity {
                expr,
                bounds,
                optional: None,
            });
        }
        if self.vars.contains_key(&root) {
            return None;
        }
        let root_expr = variable(root, self.model().type_of(root), e.span);
        let associate = matches!(self.model()[root].kind, SymbolKind::Associate { .. });
        if self.in_device_memory(&root_expr) && !associate && !self.has_device_part(e) {
            return None;
        }
        // Structures on the way are reached through the designator as a whole.
        if e.rank == 0 && matches!(e.ty, model::Type::Derived(_) | model::Type::Class(_)) {
            return None;
        }
        let inside = capture.inside.clone();
        let depends = super::array::any(
            e,
            &mut |x| matches!(x.kind, TExprKind::Variable(s) if inside.contains(&s)),
        );
        if depends {
            self.refuse(e.span, "CUF0454", "a component selected by a loop variable cannot be used in a CUF loop unless the structure itself is device data");
            return Some(super::array::dummy_entity());
        }
        let syntax = self.syntax_of(e)?;
        let wanted = designator_name(e, self);
        let name = self.fresh(&wanted);
        let ent = self.capture_designator(e, name, ParamSource::Captured(syntax));
        if let Some(p) = self.capture.as_mut().and_then(|c| c.params.last_mut())
            && ent.is_some()
        {
            p.key = key;
        }
        Some(ent.unwrap_or_else(super::array::dummy_entity))
    }

    /// The designator ends in (or passes) a component with a device attribute of its own.
    fn has_device_part(&self, e: &TExpr) -> bool {
        match &e.kind {
            TExprKind::Component { of, index, .. } => self
                .model()
                .components_of(*of)
                .get(*index)
                .is_some_and(|f| {
                    matches!(f.space, Space::Device | Space::Managed | Space::Unified)
                        || f.attrs.has(VarAttrs::ALLOCATABLE)
                        || f.attrs.has(VarAttrs::POINTER)
                }),
            _ => false,
        }
    }

    /// A whole array that Fortran guarantees to be contiguous.
    fn is_dense(&self, t: &TExpr) -> bool {
        let dense = |attrs: VarAttrs, dims: &[Dim], dummy: bool| {
            let assumed = dims
                .iter()
                .any(|d| matches!(d, Dim::Colon { .. } | Dim::AssumedRank));
            attrs.has(VarAttrs::CONTIGUOUS)
                || (!attrs.has(VarAttrs::POINTER)
                    && (attrs.has(VarAttrs::ALLOCATABLE) || !(assumed && dummy)))
        };
        match &t.kind {
            TExprKind::Variable(s) => self
                .model()
                .variable(*s)
                .is_some_and(|v| dense(v.attrs, &v.dims, v.dummy.is_some())),
            TExprKind::Component { of, index, .. } => self
                .model()
                .components_of(*of)
                .get(*index)
                .is_some_and(|f| dense(f.attrs, &f.dims, false)),
            _ => false,
        }
    }

    fn capture_designator(
        &mut self,
        t: &TExpr,
        name: String,
        source: ParamSource,
    ) -> Option<Entity> {
        let what = designator_name(t, self).replace('_', "%");
        let what = if matches!(t.kind, TExprKind::Variable(_)) {
            designator_name(t, self)
        } else {
            what
        };
        let Some(elem) = self.storage_type(&t.ty) else {
            self.refuse(
                t.span,
                "CUF0403",
                format!("{what} has a type that device code does not support"),
            );
            return None;
        };
        let device = self.in_device_memory(t);
        let constant = |t: ir::Type, changed: bool| if changed { t } else { t.constant() };
        let changed = t.root().is_none_or(|r| self.facts.modified.contains(&r));
        let (kernel, launcher, pass, passing);
        if t.rank > 0 {
            if !device {
                self.refuse(
                    t.span,
                    "CUF0455",
                    format!("{what} is a host array and cannot be used in a CUF loop"),
                );
                return None;
            }
            let elem = Box::new(constant(elem, changed));
            let rank = t.rank as usize;
            launcher = ir::Type::Pointer {
                to: Box::new(ir::Type::Named(Ident::cuf("descriptor")).constant()),
                restrict: false,
            };
            let d = Expr::name(&name, launcher.clone()).deref(ir::Type::Auto);
            // Without strides to multiply with, where the elements are known to lie side by side.
            if self.is_dense(t) {
                kernel = ir::Type::Array {
                    elem: elem.clone(),
                    rank,
                };
                let targs = vec![
                    TemplateArg::Type(*elem),
                    TemplateArg::Int(i64::from(t.rank)),
                ];
                pass = Expr::new(
                    ExprKind::Call {
                        callee: Ident::cuf("dense"),
                        targs,
                        args: vec![d],
                    },
                    kernel.clone(),
                );
            } else {
                kernel = ir::Type::View { elem, rank };
                pass = Expr::new(ExprKind::Object(vec![d]), kernel.clone());
            }
            passing = Passing::Descriptor;
        } else if device {
            kernel = ir::Type::Pointer {
                to: Box::new(constant(elem, changed)),
                restrict: false,
            };
            launcher = kernel.clone();
            pass = Expr::name(&name, launcher.clone());
            passing = Passing::Address;
        } else {
            let value = match &elem {
                ir::Type::Logical(_) => ir::Type::Bool,
                t => t.clone(),
            };
            kernel = value.clone();
            if by_address(&value) {
                launcher = ir::Type::Pointer {
                    to: Box::new(value.clone().constant()),
                    restrict: false,
                };
                pass = Expr::name(&name, launcher.clone()).deref(value);
                passing = Passing::HostValue;
            } else {
                launcher = value.clone();
                pass = Expr::name(&name, value);
                passing = Passing::Value(t.ty.clone());
            }
        }
        let expr = entity_expr(&name, &kernel, t.rank > 0);
        let param = CaptureParam {
            key: String::new(),
            name,
            kernel,
            launcher,
            pass,
            passing,
            source,
        };
        if let Some(c) = &mut self.capture {
            c.params.push(param);
        }
        Some(Entity {
            expr,
            bounds: vec![(None, None); t.rank.max(0) as usize],
            optional: None,
        })
    }
}

/// Values that cross the launcher ABI as the address of a host variable.
pub fn by_address(ty: &ir::Type) -> bool {
    matches!(
        ty,
        ir::Type::Complex(_)
            | ir::Type::Derived(_)
            | ir::Type::Named(_)
            | ir::Type::Character(_)
            | ir::Type::Real(2)
    )
}

fn entity_expr(name: &str, kernel: &ir::Type, array: bool) -> Expr {
    let e = Expr::name(name, kernel.clone());
    match kernel {
        ir::Type::Pointer { to, .. } if !array => e.deref(to.plain().clone()),
        _ => e,
    }
}

fn find_in_block(body: &[Stmt], span: Span) -> Option<ast::Expr> {
    body.iter().find_map(|s| find_in_stmt(s, span))
}

fn find_in_stmt(s: &Stmt, span: Span) -> Option<ast::Expr> {
    let mut found = None;
    super::reduce::each_expr(s, &mut |e| {
        if found.is_none() {
            found = find_in_expr(e, span);
        }
    });
    if found.is_some() {
        return found;
    }
    match &s.kind {
        Ast::LogicalIf { cond, stmt } => {
            find_in_expr(cond, span).or_else(|| find_in_stmt(stmt, span))
        }
        Ast::If {
            branches,
            else_block,
            ..
        } => branches
            .iter()
            .find_map(|b| find_in_expr(&b.cond, span).or_else(|| find_in_block(&b.body, span)))
            .or_else(|| {
                else_block
                    .as_ref()
                    .and_then(|e| find_in_block(&e.body, span))
            }),
        Ast::Do(d) => {
            let control = match &d.control {
                DoControl::Counted { from, to, step, .. } => find_in_expr(from, span)
                    .or_else(|| find_in_expr(to, span))
                    .or_else(|| step.as_ref().and_then(|e| find_in_expr(e, span))),
                DoControl::While(c) => find_in_expr(c, span),
                _ => None,
            };
            control.or_else(|| find_in_block(&d.body, span))
        }
        Ast::Select(sel) => find_in_expr(&sel.selector, span)
            .or_else(|| sel.cases.iter().find_map(|c| find_in_block(&c.body, span))),
        Ast::Block { body, .. } | Ast::OtherBlock { body, .. } => find_in_block(body, span),
        Ast::Associate { items, body, .. } => items
            .iter()
            .find_map(|(_, e)| find_in_expr(e, span))
            .or_else(|| find_in_block(body, span)),
        _ => None,
    }
}

fn find_in_expr(e: &ast::Expr, span: Span) -> Option<ast::Expr> {
    if e.span == span {
        return Some(e.clone());
    }
    let mut found = None;
    e.for_each_child(&mut |c| {
        if found.is_none() {
            found = find_in_expr(c, span);
        }
    });
    found
}

/// Comments above a loop's directive.
pub fn loop_notes(sh: &Shared<'_>, file: FileId, k: &CufKernel) -> Notes {
    let Some(input) = sh.inputs.get(file.0 as usize) else {
        return Notes::default();
    };
    let mut n = notes::doc(input, k.directive.start);
    let line = input
        .text
        .get(..k.directive.start as usize)
        .unwrap_or_default()
        .matches('\n')
        .count()
        + 1;
    let source = sh.sources.get(file.0 as usize).map_or("", String::as_str);
    n.above
        .insert(0, Some(format!("> CUF loop of {source}:{line}")));
    n
}
