//! Rules of statements in host code (guide 2.7, 3.4, 3.5).

use super::argument::generic::Reference;
use super::argument::procedure::MAX_THREADS;
use super::checker::*;
use crate::sema::expression::call::ResolvedCall;
use crate::suggest;

impl Checker<'_> {
    pub(super) fn host_stmt(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::Assign { lhs, rhs } => self.host_assignment(lhs, rhs),
            StmtKind::PointerAssign { lhs, rhs } => {
                self.pointer_assignment(lhs, rhs);
                if self.has_libraries {
                    self.library_procedure(rhs, Some(lhs));
                }
            }
            StmtKind::Allocate(a) => {
                self.allocate_objects(a);
                let objects = a.objects.iter().map(|o| self.expr(&o.object));
                let any = objects.map(|o| o.ty).find(|ty| *ty == Type::ClassStar);
                for o in &a.options {
                    let t = self.expr(&o.value);
                    if let Some(ty) = &any {
                        self.polymorphic_half(ty, &t);
                    }
                    self.values_without_type(&t, true);
                }
                let bounds = a.objects.iter().filter_map(|o| o.bounds.as_ref());
                let bounds = bounds.flat_map(|b| &b.dims).flat_map(|d| match d {
                    DimSpec::Explicit { lower, upper } => [lower.as_deref(), Some(upper)],
                    _ => [None, None],
                });
                for e in bounds.flatten() {
                    let t = self.expr(e);
                    self.host_expr(&t);
                }
            }
            StmtKind::Call(call) => {
                self.host_call(call, s.span);
                if self.has_libraries {
                    for a in &call.args {
                        self.library_procedure(&a.value, None);
                    }
                }
            }
            StmtKind::Deallocate { objects, options } => {
                self.deallocate_objects(objects);
                for o in options {
                    if let Some(k) = o
                        .keyword
                        .as_ref()
                        .filter(|k| !matches!(k.text.as_str(), "stat" | "errmsg"))
                    {
                        self.report(
                            "CUF0350",
                            k.span,
                            format!("deallocate has no {}= specifier", k.text),
                        );
                    }
                }
            }
            StmtKind::Read { items, .. } => {
                for i in items {
                    let t = self.expr(i);
                    if self.is_device(&t) {
                        let name = self.root_name(&t);
                        self.report(
                            "CUF0351",
                            t.span,
                            format!("device variable `{name}` cannot be an input item\nhelp: read into a host variable, then assign it"),
                        );
                    }
                }
            }
            _ => {}
        }
        self.stored_by_host(s);
        if let StmtKind::Select(select) = &s.kind {
            self.type_guards(select);
        }
        for e in s.expressions() {
            let t = self.expr(e);
            self.host_expr(&t);
            self.mixed_constructors(&t, false);
            self.mixed_arguments(&t);
            self.host_coordinates(&t);
            self.polymorphic_components(&t);
            self.generic_references(e);
            self.values_without_type(&t, !names_objects(s));
        }
    }

    fn host_assignment(&mut self, lhs: &ast::Expr, rhs: &ast::Expr) {
        let l = self.expr(lhs);
        let r = self.expr(rhs);
        if let Some(p) = self.model.defined_assignment(self.scope, &l, &r) {
            self.host_actuals(p, &[Some(l), Some(r)], rhs.span, false);
            return;
        }
        if !crate::sema::expression::generic::intrinsic_assignment(&l.ty, &r.ty)
            && self.defined_reference("assignment(=)", vec![l.clone(), r.clone()], rhs.span)
        {
            return;
        }
        let mut operands = Vec::new();
        arithmetic_operands(&r, &mut operands);
        let mut device: Vec<&TExpr> = Vec::new();
        for e in operands {
            if self.is_device(e) && !device.iter().any(|d| self.model.same_data(d, e)) {
                device.push(e);
            }
        }
        let is_transfer = matches!(
            r.unparenthesised().kind,
            TExprKind::Variable(_) | TExprKind::Index { .. } | TExprKind::Component { .. }
        );
        if self.overloads_all() {
            return;
        }
        self.polymorphic_half(&l.ty, &r);
        let number = matches!(l.ty, Type::Integer(_) | Type::Real(_) | Type::Complex(_));
        if number && self.coordinates(&r, "the assigned value") {
            return;
        }
        self.texture_target(&l);
        self.changed_by_host(&l);
        if self.is_device(&l)
            && !is_transfer
            && let Some(d) = device.first()
        {
            let (target, name) = (self.root_name(&l), self.root_name(d));
            self.report_help(
                "CUF0356",
                d.span,
                format!("device operand `{name}` in an expression assigned to device variable `{target}`\nnote: host code cannot do arithmetic on device data"),
                "use a kernel or a CUF loop, or copy the operand to a host variable first",
            );
        } else if let [first, second, ..] = device.as_slice() {
            let (a, b) = (self.root_name(first), self.root_name(second));
            self.report_help(
                "CUF0357",
                second.span,
                format!("host expression has two device operands, `{a}` and `{b}`"),
                "copy one of them to a host variable first",
            );
        }
        self.converted_transfer(&l, &r);
        if l.rank == r.rank {
            self.transfer_sides(&l, &r, rhs.span);
        }
        if l.rank >= 0
            && r.rank > 0
            && l.rank != r.rank
            && (self.is_device(&l) || self.is_device(r.unparenthesised()))
            && !matches!(r.ty, Type::Unknown)
            && !matches!(l.ty, Type::Derived(_) | Type::Class(_))
        {
            self.report(
                "CUF0358",
                rhs.span,
                format!(
                    "left-hand side has rank {}, but right-hand side has rank {}",
                    l.rank, r.rank
                ),
            );
        }
    }

    fn host_call(&mut self, call: &Call, span: Span) {
        if let Some(l) = &call.launch {
            let kernel = self.slice(call.callee.span).to_owned();
            self.launch(l, &kernel);
        }
        for a in &call.args {
            self.generic_references(&a.value);
        }
        let reference = match call.launch {
            Some(_) => Reference::Launch,
            None => Reference::Call,
        };
        if let ExprKind::Name(n) = &call.callee.kind
            && self.generic_reference(n, &call.args, reference)
        {
            return;
        }
        let resolved = self.model.call(self.scope, call);
        self.seed_arguments(&resolved);
        match resolved {
            ResolvedCall::User {
                procedure, args, ..
            } => self.host_user_call(call, span, procedure, &args),
            ResolvedCall::Bound {
                procedure: Some(procedure),
                args,
                ..
            } => self.host_user_call(call, span, procedure, &args),
            ResolvedCall::Runtime { module, name, args } => {
                if let Some(message) = self.only_device_has(&module, &name) {
                    self.report("CUF0354", call.callee.span, message);
                }
                if module == "sort"
                    && let Err(wrong) = crate::sema::library::sort::arguments(self.model, &args)
                {
                    let at = wrong.span.unwrap_or(call.callee.span);
                    self.report("CUF0369", at, wrong.message);
                }
                args.iter().for_each(|(_, a)| self.host_expr(a));
                self.api_call(&name, &args, call.callee.span);
            }
            ResolvedCall::Unknown { name, args } => {
                let known = self.model.lookup(self.scope, &name);
                let generic =
                    known.is_some_and(|s| matches!(self.model[s].kind, SymbolKind::Generic(_)));
                if call.launch.is_some() && generic {
                    let message = format!(
                        "no kernel, or more than one, of generic `{name}` matches these arguments"
                    );
                    self.report("CUF0343", call.callee.span, message);
                } else if call.launch.is_some() {
                    self.no_interface(&name, call.callee.span);
                }
                args.iter().for_each(|(_, a)| self.host_expr(a));
            }
            ResolvedCall::Intrinsic { intrinsic, args } => {
                self.intrinsic_subroutine_actuals(intrinsic, &args);
                args.iter().flatten().for_each(|a| self.host_expr(a));
            }
            ResolvedCall::Bound { args, .. } => {
                args.iter().flatten().for_each(|a| self.host_expr(a));
            }
        }
    }

    /// A CALL of a procedure of the program, launch or not.
    fn host_user_call(
        &mut self,
        call: &Call,
        span: Span,
        procedure: SymbolId,
        args: &[Option<TExpr>],
    ) {
        let target = self
            .model
            .procedure(procedure)
            .map(|p| p.target)
            .unwrap_or_default();
        let name = self.model[procedure].spelling.clone();
        let written = self.slice(call.callee.span).to_owned();
        let kernel = matches!(
            target,
            ProcedureTarget::Global | ProcedureTarget::GridGlobal
        );
        match (kernel, call.launch.is_some()) {
            (true, false) => {
                let message = format!(
                    "kernel `{written}` is called without an execution configuration\nhelp: write `call {written}<<<grid, block>>>(...)`"
                );
                self.report("CUF0341", call.callee.span, message);
            }
            (false, true) => {
                let known = self
                    .model
                    .procedure(procedure)
                    .is_some_and(|p| p.body.is_some());
                if known {
                    self.report(
                        "CUF0342",
                        call.callee.span,
                        format!("`{name}` is not a kernel and cannot be launched with `<<<...>>>`"),
                    );
                } else {
                    self.no_interface(&name, call.callee.span);
                    // What its arguments must be is not known.
                    return;
                }
            }
            (false, false) if target == ProcedureTarget::Device => {
                self.report(
                    "CUF0352",
                    call.callee.span,
                    format!("device subroutine `{name}` is called from host code\nhelp: declare it `attributes(host, device)`, or call it in a kernel"),
                );
            }
            _ => {}
        }
        let external = self
            .model
            .procedure(procedure)
            .is_some_and(|p| p.body.is_none() && p.kind == ProcedureKind::External);
        if call.launch.is_some() && external {
            if kernel {
                self.no_interface(&name, call.callee.span);
            }
            if kernel || self.never_runs {
                return;
            }
        }
        let missing = args.len() < call.args.len()
            || self.model.procedure(procedure).is_some_and(|p| {
                p.body.is_some()
                    && p.dummies.iter().enumerate().any(|(i, d)| {
                        args.get(i).is_none_or(Option::is_none)
                            && d.and_then(|d| self.model.variable(d))
                                .is_some_and(|v| !v.attrs.has(VarAttrs::OPTIONAL))
                    })
            });
        if kernel && let Some(p) = self.model.procedure(procedure) {
            let known = |k: &Name| {
                p.dummies
                    .iter()
                    .flatten()
                    .any(|d| self.model[*d].name == k.text)
            };
            let mut keywords = call.args.iter().filter_map(|a| a.keyword.as_ref());
            if let Some(k) = keywords.find(|k| !known(k)) {
                let dummies = p.dummies.iter().flatten();
                let names: Vec<&str> = dummies.map(|d| &*self.model[*d].spelling).collect();
                let message = format!(
                    "kernel `{name}` has no argument `{}`{}",
                    k.text,
                    suggest::among(&k.text, &names)
                );
                self.report("CUF0343", k.span, message);
            } else if call.args.len() > p.dummies.len() || missing {
                let names = p.dummies.iter().flatten();
                let names: Vec<String> =
                    names.map(|d| self.model[*d].spelling.to_string()).collect();
                let (number, given) = (p.dummies.len(), call.args.len());
                let passed = if given == 1 { "is" } else { "are" };
                let message = format!(
                    "kernel `{name}` takes {number} arguments, but {given} {passed} passed\nnote: its dummy arguments are `{}`",
                    names.join(", ")
                );
                self.report("CUF0343", span, message);
            }
        }
        args.iter().flatten().for_each(|a| self.host_expr(a));
        self.host_actuals(procedure, args, span, kernel);
    }

    fn no_interface(&mut self, name: &str, span: Span) {
        if self.never_runs {
            let message = format!(
                "launch of `{name}` never runs and is dropped\nnote: a constant condition excludes it\nhelp: to keep it, write an interface block for `{name}`"
            );
            let found = self.report("CUF0467", span, message);
            found.warning = true;
            return;
        }
        self.report_help(
            "CUF0344",
            span,
            format!("`{name}` is launched as a kernel, but has no explicit interface here"),
            "`use` the module that defines it, or add an interface block",
        );
    }

    fn launch(&mut self, l: &Launch, kernel: &str) {
        self.launch_extras(l, kernel);
        let positional = l.args.iter().filter(|a| a.keyword.is_none()).count();
        if positional < 2 {
            self.report(
                "CUF0345",
                l.span,
                format!(
                    "execution configuration of `{kernel}` has no block size\nhelp: write `<<<grid, block>>>`"
                ),
            );
        }
        if l.args.len() > 4 {
            self.report(
                "CUF0345",
                l.span,
                format!("too many values in the execution configuration of `{kernel}`\nhelp: write `<<<grid, block, bytes, stream>>>`"),
            );
        }
        for (i, a) in l.args.iter().enumerate() {
            let t = self.expr(&a.value);
            self.host_expr(&t);
            let what = match (i, a.keyword.as_ref().map(|k| k.text.as_str())) {
                (_, Some("block")) | (1, None) => "block",
                (_, Some("grid")) | (0, None) => "grid",
                _ => continue,
            };
            self.launch_size(a, &t, what, kernel);
            if matches!(
                t.ty,
                Type::Real(_) | Type::Complex(_) | Type::Logical(_) | Type::Character(_)
            ) {
                self.report(
                    "CUF0346",
                    a.value.span,
                    format!(
                        "{what} of `{kernel}` must be an integer or `type(dim3)`, not {}\nhelp: write `int(...)` around a real value",
                        self.model.type_name(&t.ty)
                    ),
                );
            }
        }
    }

    /// A grid or block of constants with which every launch fails.
    fn launch_size(&mut self, a: &Arg, t: &TExpr, what: &str, kernel: &str) {
        let value = self.model.value_of(self.scope, t.ty.clone(), &[], &a.value);
        let parts = match value.1 {
            Some(n @ Constant::Integer(..)) => vec![n],
            Some(Constant::Structure(_, parts)) => parts,
            _ => return,
        };
        let integer = |c: &Constant| match c {
            Constant::Integer(n, _) => Some(*n),
            _ => None,
        };
        let sizes: Option<Vec<i128>> = parts.iter().map(integer).collect();
        let Some(sizes) = sizes else { return };
        let shown: Vec<String> = sizes.iter().map(i128::to_string).collect();
        let shown = shown.join("x");
        let count = sizes.iter().fold(1i128, |n, s| n.saturating_mul(*s));
        // A component -1 of the grid stands for what the device holds (guide 3.5).
        let least = |s: &i128| *s >= 1 || (what == "grid" && *s == -1);
        let reason = if !sizes.iter().all(least) {
            format!("{what} is {shown}, but each dimension must be at least 1")
        } else if what == "block" && count > i128::from(MAX_THREADS) {
            format!("block {shown} has {count} threads, more than the maximum of {MAX_THREADS}")
        } else {
            return;
        };
        self.report(
            "CUF0399",
            a.value.span,
            format!("this launch of `{kernel}` always fails: {reason}"),
        )
        .warning = true;
    }

    /// Bytes of shared memory and stream; words that an execution configuration does not have.
    fn launch_extras(&mut self, l: &Launch, kernel: &str) {
        for (i, a) in l.args.iter().enumerate() {
            let word = a.keyword.as_ref().map(|k| k.text.as_str());
            if let Some(k) = &a.keyword
                && !matches!(
                    k.text.as_str(),
                    "grid" | "block" | "bytes" | "smem" | "stream" | "streamid"
                )
            {
                self.report(
                    "CUF0345",
                    k.span,
                    format!(
                        "execution configuration of `{kernel}` has no argument `{}=`",
                        k.text
                    ),
                );
                continue;
            }
            let t = self.expr(&a.value);
            if matches!(t.kind, TExprKind::Star) && i > 0 {
                self.report(
                    "CUF0346",
                    a.value.span,
                    format!(
                        "`*` is allowed only for the grid of kernel `{kernel}`, not for the block"
                    ),
                );
                continue;
            }
            let bad = match (i, word) {
                (_, Some("grid" | "block")) | (0 | 1, None) => t.rank > 0,
                // A real count of bytes is truncated, with a warning.
                (2, None) | (_, Some("bytes" | "smem")) => {
                    t.rank > 0
                        || matches!(
                            t.ty,
                            Type::Character(_) | Type::Logical(_) | Type::Complex(_)
                        )
                }
                _ => {
                    t.rank > 0
                        || matches!(
                            t.ty,
                            Type::Character(_)
                                | Type::Logical(_)
                                | Type::Complex(_)
                                | Type::Real(_)
                        )
                }
            };
            if bad {
                self.report(
                    "CUF0346",
                    a.value.span,
                    "value in the execution configuration must be a scalar integer",
                );
            }
        }
    }
}

/// The expressions of the statement name objects, of which no value is taken.
fn names_objects(s: &Stmt) -> bool {
    match &s.kind {
        StmtKind::PointerAssign { .. } | StmtKind::Associate { .. } => true,
        StmtKind::Select(sel) => sel.kind != SelectKind::Case,
        _ => false,
    }
}
