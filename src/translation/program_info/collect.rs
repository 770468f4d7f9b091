//! The walk over a file's tree.

use super::argument::arguments;
use super::kernel::Kernels;
use super::{Call, Facts, Launch, Loop, Place, Procedure, Runs, Transfer, Unit, expansion};
use crate::abi::{ArgPassing, FileLaunchers, LauncherOf, LauncherSignature, ParamSource};
use crate::ast::{self, *};
use crate::ir;
use crate::sema::Input;
use crate::sema::expression::call::ResolvedCall;
use crate::sema::expression::typed::{TExpr, TExprKind};
use crate::sema::model::{
    CodeContext, FileId, Model, ProcedureTarget, ScopeId, ScopeKind, Space, SymbolId,
};
use crate::source::SourceText;

/// What a file holds. `unit` is its device code, if that is right.
pub fn file(
    model: &Model,
    file: FileId,
    input: &Input<'_>,
    source: &SourceText,
    launchers: &FileLaunchers,
    unit: Option<&ir::Unit>,
) -> Facts {
    let mut walk = Walk {
        model,
        file,
        text: input.text,
        source,
        launchers,
        kernels: Kernels::of(unit),
        scope: ScopeId(0),
        within: String::new(),
        device: false,
        out: Facts::default(),
    };
    let scopes = model.files.get(file.0 as usize).map(|f| &f.units[..]);
    for (unit, scope) in input.ast.units.iter().zip(scopes.unwrap_or_default()) {
        walk.unit(unit, Some(*scope));
    }
    (walk.out.expansions, walk.out.includes) = expansion::of(source);
    walk.out
}

/// The names of what a symbol is in, and its own.
fn id_of(model: &Model, symbol: SymbolId) -> String {
    let s = &model[symbol];
    let mut names = vec![s.name.to_string()];
    let mut scope = Some(s.scope);
    while let Some(at) = scope {
        let named = !model[at].name.is_empty() && model[at].kind != ScopeKind::InterfaceBody;
        if named {
            names.push(model[at].name.clone());
        }
        scope = model[at].parent;
    }
    names.reverse();
    names.join("::")
}

struct Walk<'a> {
    model: &'a Model,
    file: FileId,
    text: &'a str,
    source: &'a SourceText,
    launchers: &'a FileLaunchers,
    kernels: Kernels<'a>,
    scope: ScopeId,
    /// The procedure walked through.
    within: String,
    /// Device code, or a CUF loop.
    device: bool,
    out: Facts,
}

impl Walk<'_> {
    fn place(&self, span: Span) -> Place {
        place(self.source, span)
    }

    /// The text of a span in one line.
    fn words(&self, span: Span) -> String {
        let text = self.text.get(span.start as usize..span.end as usize);
        let words: Vec<&str> = text.unwrap_or_default().split_whitespace().collect();
        words.join(" ")
    }

    fn unit(&mut self, unit: &ProgramUnit, scope: Option<ScopeId>) {
        let saved = (self.scope, self.device, self.within.clone());
        self.scope = scope.unwrap_or(self.scope);
        let outermost = self.within.is_empty();
        let name = match unit.name.text.is_empty() {
            true => "main program".to_owned(),
            false => unit.name.text.to_string(),
        };
        let kind = match unit.kind {
            UnitKind::Module => "module",
            UnitKind::Submodule { .. } => "submodule",
            UnitKind::Program => "program",
            UnitKind::BlockData => "block data",
            UnitKind::Subroutine | UnitKind::Function | UnitKind::ModuleProcedure => "procedure",
        };
        self.within = match outermost {
            true => name.clone(),
            false => format!("{}::{name}", self.within),
        };
        if outermost {
            self.out.units.push(Unit {
                name: name.clone(),
                kind,
                place: self.place(unit.span),
                uses: self.model[self.scope].uses.clone(),
            });
        }
        self.device = self.model[self.scope].context == CodeContext::Device;
        if matches!(kind, "procedure" | "program") {
            self.procedure(unit, name);
        }
        self.block(&unit.body);
        for p in &unit.procedures {
            self.unit(p, self.model.scope_at(self.file, p.span.start));
        }
        (self.scope, self.device, self.within) = saved;
    }

    fn procedure(&mut self, unit: &ProgramUnit, name: String) {
        let symbol = self.model[self.scope].symbol;
        let procedure = symbol.and_then(|s| self.model.procedure(s));
        let runs = match procedure.map(|p| p.target).unwrap_or_default() {
            ProcedureTarget::Global => Runs::Kernel,
            ProcedureTarget::GridGlobal => Runs::GridKernel,
            ProcedureTarget::Device => Runs::Device,
            ProcedureTarget::HostDevice => Runs::HostDevice,
            ProcedureTarget::Host => Runs::Host,
        };
        let mut fact = Procedure {
            id: self.within.clone(),
            name,
            runs,
            place: self.place(unit.span),
            arguments: Vec::new(),
            hidden: Vec::new(),
            launch_bounds: procedure.map_or_else(Vec::new, |p| p.launch_bounds.clone()),
            cluster: procedure.map_or_else(Vec::new, |p| p.cluster_dims.clone()),
            code: None,
        };
        if matches!(runs, Runs::Kernel | Runs::GridKernel) {
            let own = |l: &&LauncherSignature| l.of == LauncherOf::Kernel(self.scope);
            if let Some(launcher) = self.launchers.launchers.iter().find(own) {
                let found = self.kernels.find(&launcher.symbol);
                let where_is = |span| place(self.source, span);
                let kernel = found.as_ref().and_then(|f| f.procedure);
                let words = |span| self.words(span);
                fact.arguments = arguments(self.model, launcher, kernel, &where_is, &words);
                let hidden = launcher.params.iter().filter_map(|p| match p.source {
                    ParamSource::Hidden(s) => Some(id_of(self.model, s)),
                    _ => None,
                });
                fact.hidden = hidden.collect();
                fact.code = found.map(|f| f.code(&launcher.symbol));
            }
        }
        self.out.procedures.push(fact);
    }

    fn block(&mut self, body: &[Stmt]) {
        for s in body {
            self.stmt(s);
        }
    }

    fn inner(&mut self, offset: u32, body: &[Stmt]) {
        let inner = self.model.scope_at(self.file, offset).unwrap_or(self.scope);
        let saved = std::mem::replace(&mut self.scope, inner);
        self.block(body);
        self.scope = saved;
    }

    fn stmt(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::Call(c) => self.call(c, s.span),
            StmtKind::CufKernel(k) => self.cuf_loop(k, s),
            StmtKind::Associate { body, header, .. } | StmtKind::Block { body, header, .. } => {
                self.inner(header.end, body);
            }
            StmtKind::Select(sel) => {
                self.functions(&sel.selector);
                for c in &sel.cases {
                    self.inner(c.header.end, &c.body);
                }
            }
            _ => {
                if let StmtKind::Assign { lhs, rhs } = &s.kind
                    && !self.device
                {
                    self.assignment(lhs, rhs, s.span);
                }
                s.expressions().into_iter().for_each(|e| self.functions(e));
                s.blocks().into_iter().for_each(|b| self.block(b));
            }
        }
    }

    fn call(&mut self, c: &ast::Call, span: Span) {
        for a in &c.args {
            self.functions(&a.value);
        }
        let (to, runtime) = match self.model.call(self.scope, c) {
            ResolvedCall::User { procedure, .. } => (Some(self.target(procedure)), None),
            ResolvedCall::Bound { procedure, .. } => (procedure.map(|p| self.target(p)), None),
            ResolvedCall::Runtime { name, .. } => (None, Some(name)),
            ResolvedCall::Intrinsic { .. } | ResolvedCall::Unknown { .. } => (None, None),
        };
        if let Some(name) = runtime {
            self.runtime(&name, span);
        }
        let Some(launch) = &c.launch else {
            if let Some(to) = to {
                self.edge(to, span);
            }
            return;
        };
        let part = |n: usize, keyword: &str| {
            let named = |a: &&Arg| a.keyword.as_ref().is_some_and(|k| &*k.text == keyword);
            let positional = launch.args.get(n).filter(|a| a.keyword.is_none());
            let found = launch.args.iter().find(named).or(positional);
            found.map_or_else(String::new, |a| self.words(a.value.span))
        };
        let fact = Launch {
            from: self.within.clone(),
            kernel: to.unwrap_or_else(|| self.words(c.callee.span)),
            grid: part(0, "grid"),
            block: part(1, "block"),
            bytes: part(2, "bytes"),
            stream: part(3, "stream"),
            arguments: c.args_span.map_or_else(String::new, |s| self.words(s)),
            place: self.place(span),
        };
        self.out.launches.push(fact);
    }

    /// A procedure by its definition in the program, where it is only declared.
    fn target(&self, procedure: SymbolId) -> String {
        let defined = self.model.definition(procedure).unwrap_or(procedure);
        let body = self.model.procedure(defined).and_then(|p| p.body);
        match body.and_then(|b| self.model[b].symbol) {
            Some(own) if self.model[own].name == self.model[defined].name => id_of(self.model, own),
            _ => id_of(self.model, defined),
        }
    }

    fn edge(&mut self, to: String, span: Span) {
        let place = self.place(span);
        self.out.calls.push(Call {
            from: self.within.clone(),
            to,
            place,
        });
    }

    /// The functions of the program that an expression refers to, and transfers by functions of the runtime.
    fn functions(&mut self, e: &Expr) {
        let mut any = false;
        each(e, &mut |e| any |= matches!(e.kind, ExprKind::Ref { .. }));
        if !any {
            return;
        }
        let typed = self.model.expr(self.scope, e);
        let mut found: Vec<(Result<SymbolId, String>, Span)> = Vec::new();
        typed.walk(&mut |t: &TExpr| match &t.kind {
            TExprKind::Call { procedure, .. } | TExprKind::BoundCall { procedure, .. } => {
                found.push((Ok(*procedure), t.span));
            }
            TExprKind::Runtime { name, .. } => found.push((Err(name.clone()), t.span)),
            _ => {}
        });
        for (what, span) in found {
            match what {
                Ok(procedure) => self.edge(self.target(procedure), span),
                Err(name) => self.runtime(&name, span),
            }
        }
    }

    fn runtime(&mut self, name: &str, span: Span) {
        let moves = name.starts_with("cudamemcpy") || name.starts_with("cudamemset");
        if moves && !self.device {
            self.transfer("by a call", span);
        }
    }

    fn transfer(&mut self, direction: &'static str, span: Span) {
        let fact = Transfer {
            direction,
            text: self.words(span),
            within: self.within.clone(),
            place: self.place(span),
        };
        self.out.transfers.push(fact);
    }

    fn assignment(&mut self, lhs: &Expr, rhs: &Expr, span: Span) {
        let on_device = |e: &Expr| {
            e.base_name().is_some() && {
                let typed = self.model.expr(self.scope, e);
                let space = self.model.space(typed.unparenthesised());
                matches!(
                    space,
                    Some(Space::Device | Space::Constant | Space::Texture)
                )
            }
        };
        let mut rhs = rhs;
        while let ExprKind::Paren(inner) = &rhs.kind {
            rhs = inner;
        }
        let rank = |e: &Expr| self.model.expr(self.scope, e).rank;
        match (on_device(lhs), on_device(rhs)) {
            (true, false) if rank(lhs) > 0 && rank(rhs) == 0 => self.transfer("filled", span),
            (true, true) => self.transfer("on the device", span),
            (true, false) => self.transfer("host to device", span),
            (false, true) => self.transfer("device to host", span),
            (false, false) => {}
        }
    }

    fn cuf_loop(&mut self, k: &CufKernel, s: &Stmt) {
        let own = |l: &&LauncherSignature| l.of == LauncherOf::Loop(k.directive);
        let launcher = self.launchers.launchers.iter().find(own);
        let params = launcher.map_or(&[][..], |l| &l.params[..]);
        let name = |p: &crate::abi::LauncherParam| p.name.clone();
        let reduces =
            |p: &&crate::abi::LauncherParam| matches!(p.passing, ArgPassing::Reference { .. });
        let ranges =
            |p: &&crate::abi::LauncherParam| matches!(p.source, ParamSource::LoopRange { .. });
        let plain = |p: &&crate::abi::LauncherParam| !ranges(p) && !reduces(p);
        let found = launcher.and_then(|l| Some((l, self.kernels.find(&l.symbol)?)));
        let place = self.place(s.span);
        let operations = found.as_ref().map(|(_, f)| f.operations());
        let reductions = params.iter().filter(reduces).map(|p| {
            let operation = operations.as_ref().and_then(|o| o.get(&p.name));
            operation.map_or_else(|| name(p), |o| format!("{} ({o})", p.name))
        });
        let construct = k.mapping.origin() == LoopOrigin::Construct;
        let fact = Loop {
            id: format!("{}::loop at {}", self.within, place.line),
            within: self.within.clone(),
            depth: params.iter().filter(ranges).count(),
            construct,
            // That of a construct is what it was translated into.
            configuration: match &k.launch {
                Some(launch) if !construct => self.words(launch.span),
                _ => String::new(),
            },
            captured: params.iter().filter(plain).map(name).collect(),
            reductions: reductions.collect(),
            code: found.map(|(l, f)| f.code(&l.symbol)),
            place,
        };
        let (id, place) = (fact.id.clone(), fact.place.clone());
        self.out.calls.push(Call {
            from: self.within.clone(),
            to: id.clone(),
            place,
        });
        self.out.loops.push(fact);
        let saved = (
            std::mem::replace(&mut self.device, true),
            std::mem::replace(&mut self.within, id),
        );
        if let Some(body) = &k.body {
            self.stmt(body);
        }
        (self.device, self.within) = saved;
    }
}

/// Calls `f` on an expression and all inside it.
fn each(e: &Expr, f: &mut dyn FnMut(&Expr)) {
    f(e);
    e.for_each_child(&mut |c| each(c, f));
}

fn place(source: &SourceText, span: Span) -> Place {
    let first = source.position(span.start);
    let last = source.position(span.end.max(span.start + 1) - 1);
    Place {
        last: match last.file == first.file {
            true => last.line.max(first.line),
            false => first.line,
        },
        file: first.file.display().to_string(),
        line: first.line,
        column: first.column,
    }
}
