//! Private scalars and indices of a CUF loop that the host reads after the loop: they are undefined there (guide 2.11.2).

use super::scan::{Scan, own_exprs};
use crate::ast::{self, CufKernel, DoControl, Intent, Span, Stmt, StmtKind as Ast};
use crate::lower::context::LoweringContext;
use crate::sema::Finding;
use crate::sema::expression::call::ResolvedCall;
use crate::sema::expression::typed::*;
use crate::sema::model::*;

/// What statements after the loop do with the scalar first.
enum Next {
    /// Its value is read here.
    Read(Span),
    /// It gets another value.
    Overwritten,
    /// Nothing, on some path.
    Nothing,
}

impl LoweringContext<'_, '_> {
    /// Warns of private scalars and of indices of the mapped loops that the host reads after the loop.
    pub(super) fn warn_of_host_reads(
        &self,
        k: &CufKernel,
        private: &[(TExpr, Span)],
        indices: &[(SymbolId, Span)],
    ) {
        // After a compute construct of OpenACC the variable has the value that it had before.
        let Some(body) = self.host_body().filter(|_| !k.mapping.present) else {
            return;
        };
        for (t, _) in private {
            let Some(root) = t.root() else { continue };
            if k.local.iter().any(|l| l.0.text == self.model()[root].name) {
                continue;
            }
            let Some(by) = self.read_by(root, k, body) else {
                continue;
            };
            let name = self.captured_name(t);
            let message = format!(
                "`{name}` is private to each iteration, but {by}\nnote: its value after the loop is undefined"
            );
            let help = format!(
                "name `{name}` in a reduce clause of the directive ({}), or declare it with the `device` attribute",
                clauses(&t.ty, &self.model()[root].name, k)
            );
            self.warn_of_read(t.span, message, help);
        }
        // An index of DO CONCURRENT is a variable of its own.
        for (index, at) in indices.iter().filter(|_| !k.concurrent) {
            let Some(by) = self.read_by(*index, k, body) else {
                continue;
            };
            let name = &self.model()[*index].spelling;
            let message = format!(
                "`{name}` is an index of a CUF loop, but {by}\nnote: its value after the loop is undefined"
            );
            let help = format!("assign `{name}` a value after the loop");
            self.warn_of_read(*at, message, help);
        }
    }

    fn warn_of_read(&self, at: Span, message: String, help: String) {
        self.sh.report(Finding {
            help: Some(help),
            warning: true,
            ..Finding::new("CUF0481", self.file, at, message)
        });
    }

    /// Who reads the scalar after the loop.
    fn read_by(&self, root: SymbolId, k: &CufKernel, body: &[Stmt]) -> Option<String> {
        let host = Host {
            scan: self.scan(),
            target: root,
            name: &self.model()[root].name,
            directive: k.directive,
            active: Vec::new(),
        };
        match host.after(body)? {
            Next::Read(at) => Some(format!(
                "the host reads it in line {}",
                self.sh.line(self.file, at.start)
            )),
            Next::Nothing if self.is_given_to_caller(root) => Some("the caller gets it".to_owned()),
            Next::Nothing => self.read_elsewhere(&host),
            Next::Overwritten => None,
        }
    }

    fn is_given_to_caller(&self, s: SymbolId) -> bool {
        self.model().variable(s).is_some_and(|v| {
            let changed = v.dummy.is_some() && v.intent.is_none() && !v.attrs.has(VarAttrs::VALUE);
            v.is_result || changed || matches!(v.intent, Some(Intent::Out | Intent::InOut))
        })
    }

    /// Another procedure reads the module variable before it assigns it.
    fn read_elsewhere(&self, host: &Host<'_>) -> Option<String> {
        let model = self.model();
        if !matches!(model[model[host.target].scope].kind, ScopeKind::Module) {
            return None;
        }
        let others = self.sh.analysis.procs.iter().filter(|p| {
            let source = p.1;
            !(source.file == self.file
                && source.unit.span.start <= host.directive.start
                && host.directive.end <= source.unit.span.end)
        });
        others.into_iter().find_map(|(scope, source)| {
            let at = host.first_read(*scope)?;
            let name = &model[source.symbol?].spelling;
            let line = self.sh.line(source.file, at.start);
            Some(format!("`{name}` reads it in line {line}"))
        })
    }

    /// The statements of the procedure or program that the loop is in.
    fn host_body(&self) -> Option<&[Stmt]> {
        let file = self.sh.inputs.get(self.file.0 as usize)?;
        let at = self.capture.as_ref()?.body.first()?.span;
        let mut units = &file.ast.units[..];
        let mut found = None;
        while let Some(u) = units
            .iter()
            .find(|u| u.span.start <= at.start && at.end <= u.span.end)
        {
            found = Some(&u.body[..]);
            units = &u.procedures;
        }
        found
    }
}

/// The reduce clauses that may be meant, by the type and what the loop assigns: `.true.` in some iterations is `.or.`.
fn clauses(ty: &Type, name: &str, k: &CufKernel) -> String {
    let operators: &[&str] = match ty {
        Type::Logical(_) => {
            let (mut yes, mut no) = (false, false);
            if let Some(body) = k.body.as_deref() {
                flags(std::slice::from_ref(body), name, &mut yes, &mut no);
            }
            match (yes, no) {
                (true, false) => &[".or."],
                (false, true) => &[".and."],
                _ => &[".and.", ".or."],
            }
        }
        Type::Complex(_) => &["+"],
        _ => &["+", "max", "min"],
    };
    let clause = |o: &&str| format!("`reduce({o}:{name})`");
    let all: Vec<String> = operators.iter().map(clause).collect();
    all.join(", ")
}

/// Whether `.true.` and `.false.` are assigned to the scalar.
fn flags(body: &[Stmt], name: &str, yes: &mut bool, no: &mut bool) {
    for s in body {
        if let Ast::Assign { lhs, rhs } = &s.kind
            && lhs.as_name().is_some_and(|n| &*n.text == name)
            && let ast::ExprKind::Logical { value, .. } = rhs.kind
        {
            *(if value { &mut *yes } else { &mut *no }) = true;
        }
        for b in s.blocks() {
            flags(b, name, yes, no);
        }
    }
}

/// One scalar, and the directive of the loop.
struct Host<'h> {
    scan: Scan<'h>,
    target: SymbolId,
    name: &'h str,
    directive: Span,
    /// The procedures whose statements are looked at.
    active: Vec<ScopeId>,
}

impl Host<'_> {
    /// What follows the loop, if it is in these statements.
    fn after(&self, body: &[Stmt]) -> Option<Next> {
        let at = body.iter().position(|s| {
            s.span.start <= self.directive.start && self.directive.end <= s.span.end
        })?;
        let s = body.get(at)?;
        if !matches!(s.kind, Ast::CufKernel(_)) {
            let inner = s.blocks().into_iter().find_map(|b| self.after(b))?;
            if !matches!(inner, Next::Nothing) {
                return Some(inner);
            }
            // The loop around comes back to its beginning.
            if let Ast::Do(d) = &s.kind {
                if let DoControl::While(cond) = &d.control
                    && let Some(at) = self.read_in(cond)
                {
                    return Some(Next::Read(at));
                }
                if let Next::Read(at) = self.next(&d.body) {
                    return Some(Next::Read(at));
                }
            }
        }
        Some(self.next(body.get(at + 1..).unwrap_or_default()))
    }

    fn next(&self, body: &[Stmt]) -> Next {
        for s in body {
            match self.of_statement(s) {
                Next::Nothing => {}
                found => return found,
            }
        }
        Next::Nothing
    }

    fn of_statement(&self, s: &Stmt) -> Next {
        let read = |e: &ast::Expr| self.read_in(e);
        match &s.kind {
            // A loop that assigns the scalar has copies of its own.
            Ast::CufKernel(k) => self.of_loop(k),
            Ast::Assign { lhs, rhs } => match read(rhs) {
                Some(at) => Next::Read(at),
                None if lhs.as_name().is_some_and(|n| &*n.text == self.name) => Next::Overwritten,
                None => read(lhs).map_or(Next::Nothing, Next::Read),
            },
            Ast::Do(d) => {
                if let Some(at) = s.expressions().into_iter().find_map(read) {
                    return Next::Read(at);
                }
                if let DoControl::Counted { var, .. } = &d.control
                    && &*var.text == self.name
                {
                    return Next::Overwritten;
                }
                self.only_read(self.next(&d.body))
            }
            Ast::If {
                branches,
                else_block,
                ..
            } => {
                let mut all = else_block.is_some();
                if let Some(at) = branches.first().and_then(|b| read(&b.cond)) {
                    return Next::Read(at);
                }
                let conditions = branches.iter().skip(1).filter_map(|b| read(&b.cond));
                let bodies = branches.iter().map(|b| &b.body);
                for b in bodies.chain(else_block.iter().map(|e| &e.body)) {
                    match self.next(b) {
                        Next::Read(at) => return Next::Read(at),
                        Next::Overwritten => {}
                        Next::Nothing => all = false,
                    }
                }
                match conditions.into_iter().next() {
                    Some(at) => Next::Read(at),
                    None if all => Next::Overwritten,
                    None => Next::Nothing,
                }
            }
            Ast::Read { items, .. } => {
                let whole = |e: &&ast::Expr| e.as_name().is_some_and(|n| &*n.text == self.name);
                match items.iter().any(|e| whole(&e)) {
                    true => Next::Overwritten,
                    false => items
                        .iter()
                        .find_map(read)
                        .map_or(Next::Nothing, Next::Read),
                }
            }
            Ast::Call(c) => self.of_call(c),
            Ast::Return(_) | Ast::Stop { .. } | Ast::Goto(_) | Ast::Cycle(_) | Ast::Exit(_) => {
                match own_exprs(s).into_iter().find_map(read) {
                    Some(at) => Next::Read(at),
                    None => Next::Overwritten,
                }
            }
            _ => {
                if let Some(at) = own_exprs(s).into_iter().find_map(read) {
                    return Next::Read(at);
                }
                for b in s.blocks() {
                    if let Next::Read(at) = self.next(b) {
                        return Next::Read(at);
                    }
                }
                Next::Nothing
            }
        }
    }

    /// What may not be executed overwrites nothing.
    fn only_read(&self, next: Next) -> Next {
        match next {
            Next::Overwritten => Next::Nothing,
            other => other,
        }
    }

    fn of_loop(&self, k: &CufKernel) -> Next {
        let body = k
            .body
            .as_deref()
            .map(std::slice::from_ref)
            .unwrap_or_default();
        let mut changed = Vec::new();
        self.scan
            .changed_scalars(body, &Default::default(), &mut changed);
        let ours = |t: &&TExpr| t.root() == Some(self.target);
        match changed.iter().find(ours) {
            Some(t) => {
                let places = self.scan.places(body);
                match self.scan.accumulation(t, &places, body) {
                    Ok(_) => Next::Read(k.directive),
                    Err(_) => Next::Nothing,
                }
            }
            None => {
                let mut found = None;
                for s in body {
                    self.scan.each_expr(s, &mut |_, e| {
                        found = found.or_else(|| self.read_in(e));
                    });
                }
                found.map_or(Next::Nothing, Next::Read)
            }
        }
    }

    fn of_call(&self, c: &ast::Call) -> Next {
        let mut overwritten = false;
        let mut actual = |a: &TExpr, intent: Option<Intent>| {
            let whole = matches!(a.kind, TExprKind::Variable(s) if s == self.target);
            if whole && intent == Some(Intent::Out) {
                overwritten = true;
                return None;
            }
            a.any(&mut |x| matches!(x.kind, TExprKind::Variable(s) if s == self.target))
                .then_some(a.span)
        };
        let mut found = None;
        let mut called = None;
        match self.scan.model.call(self.scan.scope, c) {
            ResolvedCall::User {
                procedure, args, ..
            }
            | ResolvedCall::Bound {
                procedure: Some(procedure),
                args,
                ..
            } => {
                called = self.scan.analysis.body_of(self.scan.model, procedure);
                for (i, a) in args.iter().enumerate() {
                    let dummies = self.scan.model.procedure(procedure).map(|p| &p.dummies);
                    let dummy = dummies.and_then(|d| d.get(i).copied().flatten());
                    let intent = dummy.and_then(|d| self.scan.model.variable(d)?.intent);
                    let a = a.as_ref();
                    found = found.or_else(|| a.and_then(|a| actual(a, intent)));
                }
            }
            ResolvedCall::Runtime { args, .. } | ResolvedCall::Unknown { args, .. } => {
                for (_, a) in &args {
                    found = found.or_else(|| actual(a, None));
                }
            }
            ResolvedCall::Intrinsic { args, .. } | ResolvedCall::Bound { args, .. } => {
                for a in args.iter().flatten() {
                    found = found.or_else(|| actual(a, Some(Intent::Out)));
                }
            }
        }
        match found {
            Some(at) => Next::Read(at),
            None if overwritten => Next::Overwritten,
            None => match called.and_then(|body| self.first_read(body)) {
                Some(_) => Next::Read(c.callee.span),
                None => Next::Nothing,
            },
        }
    }

    /// Where a procedure reads the scalar, a variable of its module or host, before it gives it another value.
    fn first_read(&self, body: ScopeId) -> Option<Span> {
        let source = self.scan.analysis.procs.get(&body)?;
        let known = self.scan.model.lookup(body, self.name) == Some(self.target);
        if !known || self.active.contains(&body) || self.active.len() > 6 {
            return None;
        }
        let mut active = self.active.clone();
        active.push(body);
        let scan = Scan {
            scope: body,
            around: body,
            ..self.scan
        };
        let inner = Host {
            scan,
            active,
            ..*self
        };
        match inner.next(&source.unit.body) {
            Next::Read(at) => Some(at),
            _ => None,
        }
    }

    /// Where the expression reads the scalar.
    fn read_in(&self, e: &ast::Expr) -> Option<Span> {
        if let Some(n) = e.as_name() {
            return (&*n.text == self.name).then_some(n.span);
        }
        // The index of an implied DO is a variable of its own.
        if let ast::ExprKind::ImpliedDo(d) = &e.kind
            && &*d.var.text == self.name
        {
            return None;
        }
        let mut found = None;
        e.for_each_child(&mut |c| found = found.or_else(|| self.read_in(c)));
        found
    }
}
