//! CUF loops (guide 2.11): the loop nest becomes a kernel over an iteration space, with captured data as parameters.

use super::reduction_identity;
use super::scalars::{self, Reduced, Scalars, classify, private_declarations};
use crate::abi::{ArgPassing, LauncherOf, LauncherParam, LauncherSignature, ParamSource};
use crate::ast::{self, CufKernel, DoControl, LoopOrigin, Span, Stmt};
use crate::ir::{self, *};
use crate::lower::block;
use crate::lower::context::origins::of_parameters;
use crate::lower::context::rules::Statements;
use crate::lower::context::state::{Capture, CaptureParam};
use crate::lower::context::{Entity, FrameKind, LoweringContext, Shared};
use crate::lower::program::effects::inner_scope;
use crate::lower::program::naming::StatementName;
use crate::lower::statement::comments;
use crate::map::Rule;
use crate::sema::expression::typed::*;
use crate::sema::model::*;

/// Result of lowering a CUF loop.
pub struct LoopKernel {
    pub kernel: ir::Proc,
    pub launcher: ir::Launcher,
    pub signature: LauncherSignature,
    /// From the directive to the end of the innermost loop's first line.
    pub head: Span,
}

/// A loop whose iterations threads share.
pub(in crate::translation::lower) struct Mapped<'a> {
    pub variable: SymbolId,
    /// The variable in the DO statement.
    pub at: Span,
    pub name: String,
    pub from: &'a ast::Expr,
    pub to: &'a ast::Expr,
    pub step: Option<&'a ast::Expr>,
}

/// Lowers the loop of one directive found in host code of `scope`.
pub fn lower_loop(
    sh: &Shared<'_>,
    file: FileId,
    scope: ScopeId,
    k: &CufKernel,
    name: StatementName,
) -> Option<LoopKernel> {
    let facts_body: Vec<Stmt> = k.body.iter().map(|b| (**b).clone()).collect();
    let loop_stmt = k.body.as_deref()?;
    let scope = match k.typed_indices {
        Some(_) => inner_scope(sh.model, scope, loop_stmt.span),
        None => scope,
    };
    let facts = sh
        .analysis
        .of_loop(sh.model, scope, std::slice::from_ref(loop_stmt));
    let mut cx = LoweringContext::new(sh, file, scope, facts)?;
    let on_device = k.mapping.on_device.iter();
    cx.capture = Some(Capture {
        body: facts_body,
        present: k.mapping.present,
        origin: k.mapping.origin(),
        on_device: on_device
            .filter_map(|n| sh.model.lookup(scope, &n.text))
            .collect(),
        ..Capture::default()
    });
    cx.reserve_names(scope);
    let depth = match &k.depth {
        None => 1,
        Some(e) => usize::try_from(cx.model().const_int(scope, e)?).ok()?,
    };
    let (mapped, innermost) = nest(&mut cx, file, k, depth)?;
    cx.names.take(name.name.to_ascii_lowercase());
    if let Some(c) = &mut cx.capture {
        c.inside.extend(mapped.iter().map(|m| m.variable));
    }
    let statements = innermost.statements();
    let optional = cx.scan().asked_for(&statements);
    if let Some(c) = &mut cx.capture {
        c.optional = optional;
    }
    let first = |m: &Mapped<'_>| (m.variable, cx.typed(m.from));
    let first: Vec<_> = mapped.iter().map(first).collect();
    let shared = private_arrays(&mut cx, k)?;
    let mut scalars = classify(&mut cx, k, &first, &statements)?;
    let indices_at: Vec<_> = mapped.iter().map(|m| (m.variable, m.at)).collect();
    scalars::make_private(&mut cx, k, &scalars, &indices_at)?;
    name_reductions(&mut cx, &mut scalars)?;
    let Scalars {
        reductions,
        restarted,
        ..
    } = scalars;
    warn_of_races(&cx, k, &mapped, &reductions, innermost.body);
    let space_name = cx.fresh("space");
    let over = match k.mapping.gang {
        true => Function::BlockStride,
        false => Function::GridStride,
    };
    let (mut range, index_type) = indices(&mut cx, &mapped, over);
    let private = private_declarations(&mut cx, &restarted);
    accumulators(&mut cx, &reductions);
    let mut body = scalars::restart(&mut cx, &restarted, k.directive);
    if k.mapping.gang {
        cx.block = Some(block::in_loop(&mut cx, k, &reductions, &statements));
    }
    body.extend(iteration(&mut cx, &innermost));
    let start = reductions.iter().map(|r| {
        let value = reduction_identity::value(r.op, &r.ty, &r.name, &r.param, &body);
        ir::Stmt::declare(r.ty.clone(), &r.name, Init::Value(value))
    });
    let start: Vec<_> = start.collect();
    let space_ty = ir::Type::Class(Class::LoopSpace {
        rank: mapped.len(),
        indexed: false,
    });
    if let ExprKind::Call { args, .. } = &mut range.kind {
        args.push(Expr::name(&space_name, space_ty.clone()));
    }
    let grid = ForEach {
        vars: mapped.iter().map(|m| m.name.clone()).collect(),
        ty: index_type,
        range,
        maybe_unused: false,
        body,
    };
    let capture = cx.capture.take().unwrap_or_default();
    let mut stmts = capture.prologue;
    stmts.extend(shared);
    stmts.extend(private);
    stmts.extend(start);
    stmts.push(StmtKind::ForEach(Box::new(grid)).into());
    combine(k, &reductions, &mut stmts);
    if cx.failed {
        return None;
    }
    let associated = capture.associated;
    let params: Vec<_> = capture
        .params
        .into_iter()
        .filter(|p| p.kernel != ir::Type::Void)
        .collect();
    let arrays = array_params(&mut cx, &params, associated);
    let parts = KernelParts {
        name,
        head: innermost.head(&cx, k),
        mapped: &mapped,
        space: Param {
            name: space_name,
            ty: space_ty,
        },
        captured: &params,
        reductions: &reductions,
        arrays,
        body: stmts,
    };
    Some(assemble(&cx, k, parts))
}

/// The host's names of reductions that no clause names.
fn name_reductions(cx: &mut LoweringContext<'_, '_>, scalars: &mut Scalars) -> Option<()> {
    for r in &mut scalars.reductions {
        if r.syntax.is_none() {
            r.syntax = Some(cx.syntax_of(&r.target)?);
        }
    }
    Some(())
}

/// What the threads have accumulated goes to all.
fn combine(k: &CufKernel, reductions: &[Reduced], stmts: &mut Vec<ir::Stmt>) {
    for r in reductions {
        let device = Expr::name(&r.param, ir::Type::Auto);
        stmts.push(ir::Stmt::expr(Expr::call(
            match k.mapping.gang {
                true => Function::CombineBlock,
                false => Function::Combine,
            },
            vec![device, Expr::name(&r.name, r.ty.clone())],
            ir::Type::Void,
        )));
    }
}

/// The captured arrays that the kernel takes apart.
fn array_params(
    cx: &mut LoweringContext<'_, '_>,
    params: &[CaptureParam],
    associated: bool,
) -> Vec<ArrayParam> {
    params
        .iter()
        .filter(|p| matches!(p.kernel, ir::Type::View { .. } | ir::Type::Array { .. }))
        .map(|p| ArrayParam {
            name: p.name.clone(),
            pointer: cx.fresh(&crate::lower::context::layout::parameter_name(&p.name)),
            layout: cx.fresh(&crate::lower::context::layout::layout_name(
                &p.name, &p.kernel,
            )),
            restrict: p.restrict && !associated,
        })
        .collect()
}

/// The accumulators of a thread stand for the variables of the reductions from here on.
fn accumulators(cx: &mut LoweringContext<'_, '_>, reductions: &[Reduced]) {
    for r in reductions {
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
                let Some(syntax) = &r.syntax else { continue };
                let param = CaptureParam {
                    key: Some(r.target.clone()),
                    name: r.name.clone(),
                    kernel: ir::Type::Void,
                    launcher: ir::Type::Void,
                    pass: entity.expr,
                    restrict: false,
                    passing: ArgPassing::Descriptor,
                    source: ParamSource::Captured(syntax.clone()),
                    present: None,
                    declared: false,
                };
                if let Some(c) = &mut cx.capture {
                    c.params.push(param);
                }
            }
        }
    }
}

/// What one iteration executes.
pub(in crate::translation::lower) fn iteration(
    cx: &mut LoweringContext<'_, '_>,
    innermost: &Innermost<'_>,
) -> Vec<ir::Stmt> {
    cx.frames.push(crate::lower::context::Frame {
        name: innermost.name.clone(),
        kind: FrameKind::Mapped { innermost: true },
        exit_label: None,
        cycle_label: None,
    });
    let mut body = Vec::new();
    for (stmts, at) in &innermost.before {
        body.extend(cx.body(stmts, at.start, at.end));
    }
    body.extend(cx.body(innermost.body, innermost.span.start, innermost.span.end));
    if let Some(l) = cx.frames.pop().and_then(|f| f.cycle_label) {
        body.push(StmtKind::Label(l).into());
    }
    body
}

/// Accumulators in device memory that the iterations share, unless one thread has them all.
fn warn_of_races(
    cx: &LoweringContext<'_, '_>,
    k: &CufKernel,
    mapped: &[Mapped<'_>],
    reductions: &[Reduced],
    body: &[Stmt],
) {
    let constant = |e: &ast::Expr| cx.model().const_int(cx.scope, e);
    let one_thread = k.launch.as_ref().is_some_and(|l| {
        let mut sizes = l.grid.iter().chain(&l.block);
        sizes.all(|e| constant(e) == Some(1))
    });
    if one_thread {
        return;
    }
    let several =
        |m: &&Mapped<'_>| constant(m.from).is_none() || constant(m.from) != constant(m.to);
    let indices: Vec<_> = mapped.iter().filter(several).map(|m| m.variable).collect();
    let targets: Vec<_> = reductions.iter().map(|r| &r.target).collect();
    cx.warn_of_races(&indices, &targets, body);
}

/// The private arrays of a loop whose iterations blocks execute: the threads of a block share them.
fn private_arrays(cx: &mut LoweringContext<'_, '_>, k: &CufKernel) -> Option<Vec<ir::Stmt>> {
    let mut out = Vec::new();
    for (n, _) in k.local.iter().filter(|_| k.mapping.gang) {
        let Some(s) = cx.model().lookup(cx.scope, &n.text) else {
            continue;
        };
        if cx.model().dims(s).is_empty() {
            continue;
        }
        out.push(cx.shared_by_block(s, n.span)?);
    }
    Some(out)
}

/// The statements that every iteration executes.
pub(in crate::translation::lower) struct Innermost<'s> {
    /// Those between the mapped loops, outermost first, each list with the bytes that it fills.
    before: Vec<(&'s [Stmt], Span)>,
    body: &'s [Stmt],
    name: Option<String>,
    span: Span,
}

impl Innermost<'_> {
    /// From the directive to where the statements begin, of which notes are taken with them.
    fn head(&self, cx: &LoweringContext<'_, '_>, k: &CufKernel) -> Span {
        let text = cx.input.text.get(self.span.start as usize..);
        let line = text.and_then(|t| t.find('\n')).unwrap_or_default() as u32;
        let end = self.before.first().map(|(_, at)| at.start);
        Span {
            start: k.directive.start,
            end: end.unwrap_or(self.span.start + line),
        }
    }

    pub(in crate::translation::lower) fn statements(&self) -> Vec<Stmt> {
        let before = self.before.iter().flat_map(|(b, _)| b.iter());
        before.chain(self.body).cloned().collect()
    }
}

/// The mapped loops, outermost first, and what each iteration executes. None: the checks have said why.
pub(in crate::translation::lower) fn nest<'s>(
    cx: &mut LoweringContext<'_, '_>,
    file: FileId,
    k: &'s CufKernel,
    depth: usize,
) -> Option<(Vec<Mapped<'s>>, Innermost<'s>)> {
    let loops = cx.model().loop_nest(file, cx.scope, k, depth).ok()?;
    let mut mapped = Vec::new();
    let mut before = Vec::new();
    for (i, l) in loops.iter().enumerate() {
        let DoControl::Counted {
            var,
            from,
            to,
            step,
        } = &l.construct.control
        else {
            return None;
        };
        let variable = cx.model().lookup(cx.scope, &var.text)?;
        mapped.push(Mapped {
            variable,
            at: var.span,
            name: cx.local_name(variable),
            from,
            to,
            step: step.as_ref(),
        });
        if let Some(inner) = loops.get(i + 1)
            && !l.before_next.is_empty()
        {
            let span = Span {
                start: l.construct.header.end,
                end: inner.stmt.span.start,
            };
            before.push((l.before_next, span));
        }
    }
    let last = loops.last()?;
    let d = last.construct;
    let end = d
        .end
        .start
        .max(d.body.last().map_or(d.header.end, |s| s.span.end));
    let innermost = Innermost {
        before,
        body: &d.body,
        name: last.stmt.name.as_ref().map(|n| n.text.to_string()),
        span: Span {
            start: d.header.end,
            end,
        },
    };
    Some((mapped, innermost))
}

/// `cuf::grid_stride<types>()` of the mapped variables, still without the space, and how the loop declares them.
pub(in crate::translation::lower) fn indices(
    cx: &mut LoweringContext<'_, '_>,
    mapped: &[Mapped<'_>],
    over: Function,
) -> (Expr, ir::Type) {
    let mut types = Vec::new();
    for m in mapped {
        let ty = cx.model().type_of(m.variable);
        let ty = cx.value_type(&ty).unwrap_or(ir::Type::Unknown);
        let entity = Entity {
            expr: Expr::name(&m.name, ty.clone()),
            bounds: Vec::new(),
            optional: None,
        };
        cx.vars.insert(m.variable, entity);
        types.push(ty);
    }
    let declared = match &types[..] {
        [one] => one.clone(),
        _ => ir::Type::Auto,
    };
    let plain = types.len() == 1 || types.iter().all(|t| *t == ir::Type::Int(4));
    let call = ExprKind::Call {
        callee: over.into(),
        targs: types
            .into_iter()
            .filter(|_| !plain)
            .map(TemplateArg::Type)
            .collect(),
        args: Vec::new(),
    };
    (Expr::new(call, ir::Type::Auto), declared)
}

/// What the kernel of a loop is made of.
struct KernelParts<'p> {
    name: StatementName,
    head: Span,
    mapped: &'p [Mapped<'p>],
    space: Param,
    captured: &'p [CaptureParam],
    reductions: &'p [Reduced],
    arrays: Vec<ArrayParam>,
    body: Vec<ir::Stmt>,
}

/// The parameters of a launcher, on both sides of the border.
#[derive(Default)]
struct LauncherParams {
    cpp: Vec<Param>,
    abi: Vec<LauncherParam>,
}

impl LauncherParams {
    /// A parameter called `name`, or nearly so; what it is called.
    fn add(
        &mut self,
        name: &str,
        ty: ir::Type,
        passing: ArgPassing,
        source: ParamSource,
    ) -> String {
        let name = unique(&name.to_ascii_lowercase(), &self.abi);
        self.cpp.push(Param {
            name: name.clone(),
            ty,
        });
        self.abi.push(LauncherParam {
            name: name.clone(),
            passing,
            source,
        });
        name
    }
}

fn assemble(cx: &LoweringContext<'_, '_>, k: &CufKernel, parts: KernelParts<'_>) -> LoopKernel {
    let name = parts.name;
    let mut params = vec![parts.space];
    let mut launcher = LauncherParams::default();
    let mut bounds = Vec::new();
    let mut captured = Vec::new();
    let range = ir::Type::Pointer {
        to: Box::new(ir::Type::Class(Class::LoopBounds).constant()),
        restrict: false,
    };
    for m in parts.mapped {
        let source = ParamSource::LoopRange {
            from: m.from.clone(),
            to: m.to.clone(),
            step: m.step.cloned(),
        };
        let name = launcher.add(&m.name, range.clone(), ArgPassing::Range, source);
        bounds.push(Expr::name(&name, range.clone()).deref(ir::Type::Auto));
    }
    for c in parts.captured {
        params.push(Param {
            name: c.name.clone(),
            ty: c.kernel.clone(),
        });
        let (passing, source) = (c.passing.clone(), c.source.clone());
        captured.push(launcher.add(&c.name, c.launcher.clone(), passing, source));
    }
    let mut reductions: Vec<LoopReduction> = Vec::new();
    let is_construct = k.mapping.present;
    let mut reduced = Vec::new();
    for (i, r) in parts.reductions.iter().enumerate() {
        let ty = ir::Type::Class(Class::ReductionDevice {
            elem: Box::new(r.ty.clone()),
            op: r.op,
        });
        params.push(Param {
            name: r.param.clone(),
            ty,
        });
        let pointer = ir::Type::Pointer {
            to: Box::new(r.ty.clone()),
            restrict: false,
        };
        let passing = ArgPassing::Reference { optional: false };
        let Some(syntax) = r.syntax.clone() else {
            continue;
        };
        let source = ParamSource::Captured(syntax);
        let n = launcher.add(&r.name, pointer.clone(), passing, source);
        reductions.push(loop_reduction(r, &n, pointer, is_construct));
        reduced.push(LoopArg::Reduction(i));
    }
    for r in &mut reductions {
        r.name = unique(&r.name, &launcher.abi);
    }
    // Names of the launcher itself come after those of its parameters.
    let mut present = Vec::new();
    let mut args = Vec::new();
    for (c, n) in parts.captured.iter().zip(&captured) {
        let copy = present_data(c, n, &launcher.abi);
        let passed = copy.as_ref().map_or(n, |p| &p.name);
        args.push(LoopArg::Value(rename(c.pass.clone(), &c.name, passed)));
        present.extend(copy);
    }
    args.extend(reduced);
    let names = of_parameters(&launcher.abi);
    let StatementName { name, symbol } = name;
    let called = name.clone();
    let kernel_ident = Ident {
        space: Namespaces::Unit(cx.namespace.clone()),
        name: name.clone(),
    };
    let place = format!("{}: {name}", cx.sh.place(cx.file, k.directive.start));
    LoopKernel {
        kernel: ir::Proc {
            c_name: None,
            remarks: Vec::new(),
            name,
            kind: ProcKind::Kernel {
                bounds: Vec::new(),
                arrays: parts.arrays,
                indexed: false,
            },
            result: ir::Type::Void,
            params,
            body: parts.body,
            names,
        },
        launcher: ir::Launcher {
            symbol: symbol.clone(),
            recursive: cx.sh.analysis.recurses(cx.facts.calls.iter().copied()),
            kind: LauncherKind::Loop {
                kernel: kernel_ident,
                place,
                bounds,
                args,
                reductions,
                present,
                is_construct,
                by_block: k.mapping.gang,
                indexed: false,
            },
            params: launcher.cpp,
            origin: Origin::new(k.directive.start, k.directive.end, Rule::Launcher),
        },
        signature: LauncherSignature {
            symbol,
            of: LauncherOf::Loop(k.directive),
            params: launcher.abi,
            kernel: Some(called),
            operation: None,
        },
        head: parts.head,
    }
}

/// The reduction of which the launcher got the variable's address as its parameter `n`.
fn loop_reduction(r: &Reduced, n: &str, pointer: ir::Type, is_construct: bool) -> LoopReduction {
    let address = Expr::name(n, pointer.clone());
    LoopReduction {
        name: format!("{n}_reduction"),
        ty: r.ty.clone(),
        op: r.op,
        target: match is_construct {
            true => Expr::call(Function::PresentOrHost, vec![address], pointer),
            false => address,
        },
    }
}

/// What the launcher finds of host data that is present, and got as its parameter `n`.
fn present_data(c: &CaptureParam, n: &str, taken: &[LauncherParam]) -> Option<PresentData> {
    device_copy(
        (n, c.present.as_ref()?),
        (&c.kernel, &c.launcher),
        c.declared,
        |x| taken.iter().any(|p| p.name == x),
    )
}

/// What a launcher finds of the host data that messages call `designator`, of which it got the descriptor or address as its parameter `n`;
/// with the types of the kernel's parameter and the launcher's.
pub fn device_copy(
    (n, designator): (&str, &str),
    (kernel, launcher): (&ir::Type, &ir::Type),
    is_declared: bool,
    taken: impl Fn(&str) -> bool,
) -> Option<PresentData> {
    let host = Expr::name(n, launcher.clone());
    let (is_array, ty) = match (kernel, launcher) {
        (ir::Type::View { elem, .. } | ir::Type::Array { elem, .. }, _) => (true, elem),
        (_, ir::Type::Pointer { to, .. }) => (false, to),
        (_, _) => return None,
    };
    Some(PresentData {
        name: crate::abi::parameter_name(&format!("{n}_device"), |x| {
            LAUNCHER_LOCALS.contains(&x) || taken(x)
        }),
        ty: (**ty).clone(),
        is_array,
        is_declared,
        host: match is_array {
            true => host.deref(ir::Type::Auto),
            false => host,
        },
        designator: designator.to_owned(),
    })
}

fn unique(name: &str, taken: &[LauncherParam]) -> String {
    crate::abi::parameter_name(name, |n| {
        LAUNCHER_LOCALS.contains(&n) || taken.iter().any(|p| p.name == n)
    })
}

/// What a launcher declares beside its parameters.
const LAUNCHER_LOCALS: [&str; 4] = ["at", "few", "space", "config"];

/// The expression with one local name replaced.
fn rename(e: Expr, from: &str, to: &str) -> Expr {
    let kind = match e.kind {
        ExprKind::Name(i) if i.name == from => ExprKind::Name(Ident::local(to)),
        ExprKind::Deref(x) => ExprKind::Deref(Box::new(rename(*x, from, to))),
        ExprKind::Object(a) => {
            ExprKind::Object(a.into_iter().map(|x| rename(x, from, to)).collect())
        }
        ExprKind::Call {
            callee,
            targs,
            args,
        } => {
            let args = args.into_iter().map(|x| rename(x, from, to)).collect();
            ExprKind::Call {
                callee,
                targs,
                args,
            }
        }
        kind => kind,
    };
    Expr { kind, ..e }
}

/// Comments above a loop's directive, and those in its head.
pub fn loop_notes(sh: &Shared<'_>, file: FileId, k: &CufKernel, head: Span) -> Notes {
    let Some(input) = sh.inputs.get(file.0 as usize) else {
        return Notes::default();
    };
    let mut n = comments::doc(input, k.directive.start);
    let place = sh.place(file, k.directive.start);
    let what = match k.mapping.origin() {
        LoopOrigin::CufLoop => "CUF loop",
        LoopOrigin::Construct => "Compute construct",
    };
    n.above.insert(0, Some(format!("> {what} of {place}")));
    let heads = comments::inside(input, head.start, head.end);
    n.above.extend(heads.into_iter().map(Some));
    n
}
