//! Operations on whole arrays of the device that the lowering has made launchers for: references become calls of these functions,
//! statements become calls of these subroutines.

use crate::abi::{LauncherOf, LauncherSignature, Operation, ReturnKind};
use crate::ast::Span;
use crate::host::context::names::{CUF, INT, LOGICAL, SHAPE};
use crate::host::context::rules::Values;
use crate::host::context::{HostRewriter, Within};
use crate::intrinsics::{Intrinsic, Product, Shape};
use crate::map::Rule;
use crate::sema::expression::typed::TExpr;
use crate::sema::model::{ScopeKind, SymbolId, Type};

impl HostRewriter<'_> {
    pub(in crate::translation::host) fn operation(
        &self,
        span: Span,
    ) -> Option<(&LauncherSignature, &Operation)> {
        if self.within != Within::Ordinary {
            return None;
        }
        let l = self.signatures.get(&LauncherOf::Operation(span)).copied()?;
        Some((l, l.operation.as_ref()?))
    }

    /// A reference that is a call of a launcher.
    pub(in crate::translation::host) fn operation_value(&mut self, e: &TExpr) -> bool {
        let Some((l, o)) = self.operation(e.span) else {
            return false;
        };
        let (l, o) = (l.clone(), o.clone());
        let call = self.operation_call(&l, &o);
        let text = match (&o.gives, &e.ty) {
            (ReturnKind::Nothing | ReturnKind::Done, _) => return false,
            (ReturnKind::Subscripts { kind, of }, _) => {
                let of = self.designator_text(of);
                format!("{INT}({CUF}subscripts({call}, {SHAPE}({of})), {kind})")
            }
            (ReturnKind::Value(_), Type::Logical(kind)) => format!("{LOGICAL}({call}, {kind})"),
            (ReturnKind::Value(Type::Integer(has)), Type::Integer(kind)) if has != kind => {
                format!("{INT}({call}, {kind})")
            }
            (ReturnKind::Value(_), _) => call,
        };
        self.edits.replace(Rule::HostArrayOperation, e.span, text);
        true
    }

    /// A CALL statement that is one of a launcher.
    pub(in crate::translation::host) fn operation_of_call(&mut self, statement: Span) -> bool {
        let Some((l, o)) = self.operation(statement) else {
            return false;
        };
        let (l, o) = (l.clone(), o.clone());
        let call = self.operation_call(&l, &o);
        self.edits
            .replace(Rule::HostArrayOperation, statement, format!("call {call}"));
        true
    }

    /// A reference that is left to the host: the intrinsic has its own name there, and no arguments that only the device has.
    pub(in crate::translation::host) fn overloaded_name(
        &mut self,
        e: &TExpr,
        intrinsic: Intrinsic,
        args: &[Option<TExpr>],
    ) {
        let text = self.slice(e.span);
        let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let written = text.split(|c| !part(c)).next().unwrap_or_default();
        let meant = self.model.lookup(self.scope, &written.to_ascii_lowercase());
        let external = |s: &SymbolId| self.model[self.model[*s].scope].kind == ScopeKind::External;
        if meant.as_ref().is_some_and(external) && !written.eq_ignore_ascii_case(intrinsic.name()) {
            let end = e.span.start + written.len() as u32;
            let start = e.span.start;
            self.edits.replace(
                Rule::HostArrayOperation,
                Span { start, end },
                intrinsic.name(),
            );
        }
        let own = match intrinsic {
            Intrinsic::Shape(Shape::Pack) => args.get(3).and_then(Option::as_ref),
            Intrinsic::Product(Product::DotProduct) => args.get(2).and_then(Option::as_ref),
            _ => None,
        };
        let no_field = intrinsic == Shape::Unpack.into() && args.get(2).is_none_or(Option::is_none);
        if let Some(at) = own.map(|a| a.span).or(no_field.then_some(e.span)) {
            self.host_only(at, intrinsic.name());
        }
    }

    /// A form of a function that only cutensorex has, where the device cannot do it.
    pub(in crate::translation::host) fn host_only(&mut self, at: Span, name: &str) {
        self.finding(
            "CUF0420",
            at,
            format!("this form of `{name}` must be the right-hand side of an assignment\nnote: module `cutensorex` assigns to device arrays, and the operands must be accessible to the device (guide 3.9.4)"),
        );
    }

    pub(in crate::translation::host) fn operation_call(
        &mut self,
        l: &LauncherSignature,
        o: &Operation,
    ) -> String {
        self.unit.runtime = true;
        self.unit.shims = true;
        let mut args = vec![match &o.stream {
            Some(e) => format!("{CUF}loop(stream={})", self.value_text(e)),
            None => format!("{CUF}loop()"),
        }];
        for p in &l.params {
            let text = self.loop_actual(p);
            args.push(text);
        }
        format!(
            "{}({})",
            crate::host::context::names::marked(&l.symbol),
            args.join(", ")
        )
    }
}
