//! Resolution of CALL statements and launches.

use super::generic::Actual;
use super::reference::intrinsic_arguments;
use super::typed::TExpr;
use super::typer::Typer;
use crate::ast::{self, ExprKind};
use crate::intrinsics::{self, Intrinsic};
use crate::sema::library::runtime_modules;
use crate::sema::model::*;

/// What a CALL statement calls.
#[derive(Clone, Debug)]
pub enum ResolvedCall {
    /// A procedure with a symbol in the program (external ones without interface, dummies and procedure pointers too).
    User {
        procedure: SymbolId,
        target: ProcedureTarget,
        /// In dummy order, None where absent; positional as written if the interface is not known.
        args: Vec<Option<TExpr>>,
        /// The generic by whose name it was called.
        generic: Option<SymbolId>,
    },
    /// Type-bound procedure (or procedure pointer component if `procedure` is None); the passed object is in `args`.
    Bound {
        procedure: Option<SymbolId>,
        args: Vec<Option<TExpr>>,
        /// Dispatches at run time.
        dynamic: bool,
    },
    /// Procedure of a runtime module (`cudafor`, `cudadevice`, `cublas`, ...), folded names; arguments as written.
    Runtime {
        module: String,
        name: String,
        args: Vec<(Option<String>, TExpr)>,
    },
    /// Intrinsic subroutine, arguments in dummy order.
    Intrinsic {
        intrinsic: Intrinsic,
        args: Vec<Option<TExpr>>,
    },
    /// Not known in the program (of a module that was not given).
    Unknown {
        name: String,
        args: Vec<(Option<String>, TExpr)>,
    },
}

impl Model {
    /// Resolves the callee and types the arguments; the launch configuration is typed separately with [`Model::expr`].
    pub fn call(&self, scope: ScopeId, call: &ast::Call) -> ResolvedCall {
        let mut typer = Typer::new(self, scope);
        match &call.callee.kind {
            ExprKind::Name(n) => self.named_call(&mut typer, &n.text, call),
            ExprKind::Component { base, name } => {
                let object = typer.expr(base);
                let actuals = typer.actuals(&call.args);
                self.bound_subroutine(&typer, object, &name.text, actuals)
            }
            _ => unknown_call(String::new(), typer.actuals(&call.args)),
        }
    }

    fn named_call(&self, typer: &mut Typer<'_>, name: &str, call: &ast::Call) -> ResolvedCall {
        let actuals = typer.actuals(&call.args);
        let Some(s) = self.lookup(typer.scope, name) else {
            if typer.in_device_code() && runtime_modules::cudadevice(name).is_some() {
                return runtime_call("cudadevice".to_owned(), name.to_owned(), actuals);
            }
            return self.intrinsic_subroutine(name, actuals);
        };
        match &self[s].kind {
            SymbolKind::Procedure(p) if p.external_module => {
                let module = self[self[s].scope].name.clone();
                runtime_call(module, self[s].name.to_string(), actuals)
            }
            SymbolKind::Procedure(p) if p.kind == ProcedureKind::Intrinsic => {
                self.intrinsic_subroutine(&self[s].name, actuals)
            }
            SymbolKind::Procedure(_) => self.user_subroutine(s, None, actuals),
            SymbolKind::Generic(g) => {
                let (device, launched) = (typer.in_device_code(), call.launch.is_some());
                match self.resolve_call(&g.specifics, &actuals, device, launched) {
                    Ok(p) => self.user_subroutine(p, Some(s), actuals),
                    Err(_) if intrinsics::find(name).is_some_and(|i| i.0.is_subroutine()) => {
                        self.intrinsic_subroutine(name, actuals)
                    }
                    Err(_) => unknown_call(name.to_owned(), actuals),
                }
            }
            _ => unknown_call(name.to_owned(), actuals),
        }
    }

    fn user_subroutine(
        &self,
        s: SymbolId,
        generic: Option<SymbolId>,
        actuals: Vec<Actual>,
    ) -> ResolvedCall {
        match self.procedure(s) {
            Some(p) if p.external_module => {
                let module = self[self[s].scope].name.clone();
                runtime_call(module, self[s].name.to_string(), actuals)
            }
            Some(p) => ResolvedCall::User {
                procedure: s,
                target: p.target,
                args: self.in_dummy_order(p, actuals),
                generic,
            },
            None => unknown_call(self[s].name.to_string(), actuals),
        }
    }

    fn bound_subroutine(
        &self,
        typer: &Typer<'_>,
        object: TExpr,
        name: &str,
        actuals: Vec<Actual>,
    ) -> ResolvedCall {
        let (Type::Derived(ty) | Type::Class(ty)) = object.ty else {
            return unknown_call(name.to_owned(), actuals);
        };
        if let Some((procedure, dynamic, actuals)) =
            self.bind(&object, name, actuals.clone(), typer.in_device_code())
        {
            let args = match self.procedure(procedure) {
                Some(p) => self.in_dummy_order(p, actuals),
                None => actuals.into_iter().map(|a| Some(a.value)).collect(),
            };
            return ResolvedCall::Bound {
                procedure: Some(procedure),
                args,
                dynamic,
            };
        }
        let pointer = self
            .components_of(ty)
            .iter()
            .any(|f| f.is_procedure && f.name == name);
        if pointer || self.binding(ty, name).is_some() {
            return ResolvedCall::Bound {
                procedure: None,
                args: actuals.into_iter().map(|a| Some(a.value)).collect(),
                dynamic: true,
            };
        }
        unknown_call(name.to_owned(), actuals)
    }

    fn intrinsic_subroutine(&self, name: &str, actuals: Vec<Actual>) -> ResolvedCall {
        match intrinsics::find(name) {
            Some((intrinsic, _)) => ResolvedCall::Intrinsic {
                intrinsic,
                args: intrinsic_arguments(intrinsic, actuals),
            },
            None => unknown_call(name.to_owned(), actuals),
        }
    }
}

fn written(actuals: Vec<Actual>) -> Vec<(Option<String>, TExpr)> {
    actuals.into_iter().map(|a| (a.keyword, a.value)).collect()
}

fn runtime_call(module: String, name: String, actuals: Vec<Actual>) -> ResolvedCall {
    let actuals = crate::sema::library::device_arguments::in_order(&name, actuals);
    ResolvedCall::Runtime {
        module,
        name,
        args: written(actuals),
    }
}

fn unknown_call(name: String, actuals: Vec<Actual>) -> ResolvedCall {
    ResolvedCall::Unknown {
        name,
        args: written(actuals),
    }
}
