//! Kernels launched by device code (dynamic parallelism).

use crate::ast::{self, Span};
use crate::ir::{self, *};
use crate::lower::context::LoweringContext;
use crate::lower::value::convert::convert;
use crate::sema::expression::call::ResolvedCall;
use crate::sema::expression::typed::*;
use crate::sema::model::{self, *};

/// Grid, block, bytes, stream: the names under which a launch may give them (guide 3.5).
const CONFIGURATION: [&str; 4] = ["grid", "block", "bytes", "stream"];

impl LoweringContext<'_, '_> {
    /// `call kernel<<<grid, block, bytes, stream>>>(args)` in device code.
    pub fn child_launch(
        &mut self,
        call: &ast::Call,
        launch: &ast::Launch,
        span: Span,
    ) -> Vec<ir::Stmt> {
        let ResolvedCall::User {
            procedure,
            target,
            args,
            ..
        } = self.model().call(self.scope, call)
        else {
            return self.no_child(
                span,
                "only kernels of the program can be launched from device code",
            );
        };
        if target != ProcedureTarget::Global {
            return self.no_child(
                span,
                "only kernels with `attributes(global)` can be launched from device code",
            );
        }
        let model = self.model();
        let Some(body) = self.sh.analysis.body_of(model, procedure) else {
            return self.no_child(
                span,
                "kernel without a body in the program cannot be launched from device code",
            );
        };
        let Some(source) = self.sh.analysis.procs.get(&body).copied() else {
            return Vec::new();
        };
        let symbol = source.symbol.unwrap_or(procedure);
        let Some(p) = model.procedure(symbol) else {
            return Vec::new();
        };
        if !p.cluster_dims.is_empty() {
            return self.no_child(
                span,
                "kernel with `cluster_dims` cannot be launched from device code",
            );
        }
        let configuration = self.child_configuration(launch);
        let callee = Ident {
            space: Namespaces::Unit(self.sh.namespace_of(source.scope)),
            name: crate::ir::names::safe(&model[symbol].spelling),
        };
        let mut out = vec![
            configuration,
            Expr::new(ExprKind::Name(callee), ir::Type::Auto),
        ];
        for (i, d) in p.dummies.clone().iter().enumerate() {
            let Some((d, v)) = d.and_then(|d| Some((d, model.variable(d)?.clone()))) else {
                return Vec::new();
            };
            out.push(match args.get(i).and_then(Option::as_ref) {
                None => Expr::new(ExprKind::Null, ir::Type::Auto),
                Some(a) => self.child_actual(d, &v, a),
            });
        }
        out.extend(self.hidden_actuals(body, span));
        self.sh.needs.borrow_mut().insert((self.file, source.file));
        self.sh.children.borrow_mut().insert(body);
        vec![ir::Stmt::expr(Expr::call(
            Function::LaunchChild,
            out,
            ir::Type::Void,
        ))]
    }

    fn no_child(&mut self, span: Span, why: &str) -> Vec<ir::Stmt> {
        self.refuse(span, "CUF0432", why.to_owned());
        Vec::new()
    }

    /// `{grid, block, bytes, stream}`, what is not given left out at the end.
    fn child_configuration(&mut self, launch: &ast::Launch) -> Expr {
        let mut values: [Option<Expr>; 4] = Default::default();
        for (i, a) in launch.args.iter().enumerate() {
            let at = match &a.keyword {
                Some(k) => CONFIGURATION.iter().position(|w| *w == k.text),
                None => Some(i),
            };
            let Some(slot) = at.and_then(|at| values.get_mut(at)) else {
                self.refuse(
                    a.value.span,
                    "CUF0432",
                    "invalid execution configuration\nhelp: write `<<<grid, block, bytes, stream>>>`",
                );
                continue;
            };
            let wide = at >= Some(2);
            let t = self.model().designator(self.scope, &a.value);
            if matches!(t.kind, TExprKind::Star) {
                self.refuse(
                    a.value.span,
                    "CUF0432",
                    "a launch from device code needs an explicit grid; `*` is allowed only in host code",
                );
                continue;
            }
            let v = self.value(&t);
            *slot = Some(match &v.ty {
                ir::Type::Class(Class::Dim3) => v,
                _ if wide => convert(v, &ir::Type::Int(8)),
                _ => convert(v, &ir::Type::Int(4)),
            });
        }
        let used = values
            .iter()
            .rposition(Option::is_some)
            .map_or(0, |i| i + 1);
        let values = values
            .into_iter()
            .take(used)
            .map(|v| v.unwrap_or(Expr::int(0)))
            .collect();
        Expr::new(
            ExprKind::Construct(values),
            ir::Type::Class(Class::ChildConfig),
        )
    }

    /// An actual as the kernel's parameter: values, addresses of data in device memory, views.
    fn child_actual(&mut self, d: SymbolId, v: &Variable, a: &TExpr) -> Expr {
        let scalar = v.dims.is_empty();
        let value = scalar && v.attrs.has(VarAttrs::VALUE);
        if !value {
            self.outlives_thread(a);
        }
        if !scalar {
            let shaped = v.dims.iter().any(|x| matches!(x, Dim::Colon { .. }));
            if !shaped && a.rank > 0 && !self.is_contiguous(a) {
                return self.refuse_expr(
                    a.span,
                    "CUF0433",
                    "non-contiguous section cannot be passed to a kernel launched from device code",
                );
            }
            return self.array_actual(d, v, a);
        }
        if value {
            let ty = self.storage_type(&v.ty).unwrap_or(ir::Type::Unknown);
            let ty = match ty {
                ir::Type::Logical(_) => ir::Type::Bool,
                t => t,
            };
            let x = match a.ty {
                model::Type::Boz => self.boz(a, &ty),
                _ => self.value(a),
            };
            return convert(x, &ty);
        }
        self.place(a).address()
    }

    /// Refuses variables of the thread and of the block: a child kernel cannot reach them.
    fn outlives_thread(&mut self, a: &TExpr) {
        let model = self.model();
        let own = match a.root() {
            None => true,
            Some(s) => model.variable(s).is_some_and(|v| {
                v.space == Space::Shared
                    || v.space == Space::Thread && v.attrs.has(VarAttrs::VALUE)
                    || v.dummy.is_none()
                        && v.space == Space::Thread
                        && !v.attrs.has(VarAttrs::POINTER)
            }),
        };
        if own {
            self.refuse(
                a.span,
                "CUF0433",
                "thread-private or shared data cannot be passed to a kernel launched from device code\nhelp: pass it by value, or pass data in device memory",
            );
        }
    }
}
