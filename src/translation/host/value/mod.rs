//! Expressions in host code: host copies of device operands, inquiries, actual arguments.

pub(in crate::translation::host) mod array_operation;
pub(in crate::translation::host) mod designator;
mod logic;

use crate::ast::{BinaryOp, Expr, Span, UnaryOp};
use crate::host::context::edit::join_lines;
use crate::host::context::names::{ASSOCIATED, CUF, INT, REAL};
use crate::host::context::rules::Values;
use crate::host::context::{HostRewriter, Within};
use crate::host::temporaries::copy_in::has_vector_subscript;
use crate::intrinsics::{Bits, Choice, Dummy, Inquiry, Intrinsic};
use crate::map::Rule;
use crate::sema::expression::typed::*;
use crate::sema::library::builtins;
use crate::sema::library::runtime_api;
use crate::sema::library::runtime_api::ParamKind;
use crate::sema::model::*;

impl Values for HostRewriter<'_> {
    fn value(&mut self, e: &TExpr) {
        if self.operation_value(e) {
            return;
        }
        let awaited = self.stream.is_some() && self.is_managed(e);
        if (self.is_device(e) || awaited) && !matches!(e.kind, TExprKind::Paren(_)) {
            let awaited = self.stream.take();
            let stream = awaited.as_ref().map_or(String::new(), |s| format!(", {s}"));
            if self.within == Within::Pure {
                let name = self.slice(e.span);
                self.finding(
                    "CUF0394",
                    e.span,
                    format!("device variable `{name}` cannot be copied to the host in `forall` or `do concurrent`\nhelp: copy it to a host array first"),
                );
                self.stream = awaited;
                return;
            }
            if !stream.is_empty()
                && (e.rank > 0 && crate::host::temporaries::copy_in::of_elements(e))
            {
                self.finding(
                    "CUF0420",
                    e.span,
                    "reduction with `stream=` of a component of array elements is not supported\nhelp: copy it to an array first".to_owned(),
                );
            }
            if has_vector_subscript(e) {
                self.index_on_host(e, false);
                self.stream = awaited;
                return;
            }
            if self.structure_value(e) || self.gathered_value(e) {
                return;
            }
            self.edits
                .insert(Rule::HostRead, e.span.start, format!("{CUF}host("));
            self.unit.runtime = true;
            self.whole_base(e);
            self.subscripts(e);
            self.edits
                .insert(Rule::HostRead, e.span.end, format!("{stream})"));
            self.stream = awaited;
            return;
        }
        if self.half_value(e) {
            return;
        }
        match &e.kind {
            TExprKind::Variable(_)
            | TExprKind::Index { .. }
            | TExprKind::Substring { .. }
            | TExprKind::Component { .. }
            | TExprKind::ComplexPart { .. } => self.subscripts(e),
            TExprKind::Paren(operand) if operand.is_designator() && self.owners.may_own(&e.ty) => {
                self.hold_copy(e, operand)
            }
            _ if e.bits().is_some() => self.bits(e),
            TExprKind::Unary {
                op: UnaryOp::Not,
                operand,
            } => self.truth(operand),
            TExprKind::Unary { operand, .. } | TExprKind::Paren(operand) => self.value(operand),
            TExprKind::Binary { op, lhs, rhs } => self.operands(*op, lhs, rhs),
            TExprKind::Call { .. } | TExprKind::BoundCall { .. } => {
                if !self.hold(e) {
                    self.call_reference(e);
                }
            }
            TExprKind::StatementFunctionCall { args, .. } => {
                args.iter().for_each(|a| self.value(a))
            }
            TExprKind::Intrinsic { intrinsic, args } => self.intrinsic(e, *intrinsic, args),
            TExprKind::Runtime { name, args, .. } => self.runtime_reference(e, name, args),
            TExprKind::Structure { of, args } => {
                if !self.held_structure(e, *of, args) {
                    self.constructor(*of, args);
                }
            }
            TExprKind::ArrayConstructor { items } if self.looped(e, items) => {}
            TExprKind::ArrayConstructor { items } => {
                self.one_type(e, items);
                for a in items {
                    if !self.owner_part(a) {
                        self.value_as(a, &Type::Integer(4));
                    }
                }
            }
            TExprKind::ImpliedDo {
                items,
                from,
                to,
                step,
                ..
            } => {
                self.without_holding(|p| {
                    items.iter().for_each(|a| p.value(a));
                    for e in [&**from, &**to].into_iter().chain(step.as_deref()) {
                        p.implied_bound(e);
                    }
                });
            }
            // Where no type is asked for it is an integer.
            TExprKind::Constant { .. } if e.ty == Type::Boz => self.value_as(e, &Type::Integer(4)),
            TExprKind::ProcedureName(_) => self.refers_by_interface(e),
            TExprKind::Constant { .. }
            | TExprKind::Builtin { .. }
            | TExprKind::Star
            | TExprKind::Null
            | TExprKind::Unknown => {}
        }
    }

    fn value_as(&mut self, e: &TExpr, ty: &Type) {
        let (convert, kind) = match ty {
            _ if !is_boz(e) => return self.value(e),
            Type::Integer(4) if e.as_integer().is_some_and(|v| v > i128::from(u32::MAX)) => {
                (INT, 8)
            }
            Type::Integer(k) => (INT, *k),
            Type::Real(k) => (REAL, *k),
            Type::Complex(_) => return,
            _ => return self.value_as(e, &Type::Integer(4)),
        };
        self.standard_boz(e);
        self.unit.runtime |= self.taken.hides_intrinsics();
        self.edits
            .insert(Rule::Dialect, e.span.start, format!("{convert}("));
        self.edits
            .insert(Rule::Dialect, e.span.end, format!(", {kind})"));
    }

    fn value_text(&mut self, e: &Expr) -> String {
        let t = self.expr(e);
        self.with_edits(e.span, |p| p.value(&t))
    }

    fn subscripts(&mut self, e: &TExpr) {
        let again = self.held.is_some() && e.base().is_some() && self.evaluated_again(e);
        self.walk_designator(e, again);
    }

    fn designator_text(&mut self, e: &Expr) -> String {
        let t = self.expr(e);
        self.with_edits(e.span, |p| p.subscripts(&t))
    }

    fn call_reference(&mut self, e: &TExpr) {
        self.parentheses(e);
        if let TExprKind::Call { procedure, .. } | TExprKind::BoundCall { procedure, .. } = &e.kind
        {
            self.unit.refers.insert(*procedure);
        }
        match &e.kind {
            TExprKind::Call {
                procedure,
                args,
                generic,
                ..
            } => {
                self.follow(Some(*procedure), args);
                let dummies = self.dummies(*procedure);
                if let Some(g) = generic.filter(|g| self.model[*g].name.starts_with("operator(")) {
                    self.name_operation(g, *procedure, e.span, args);
                    self.actuals(args, &dummies);
                    return;
                }
                let length = self
                    .slice(e.span)
                    .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
                    .unwrap_or(0);
                let name = Span {
                    start: e.span.start,
                    end: e.span.start + length as u32,
                };
                self.name_specific(*generic, *procedure, name, args);
                self.actuals(args, &dummies);
            }
            TExprKind::BoundCall {
                binding,
                procedure,
                args,
                dynamic,
            } => {
                self.follow(Some(*procedure).filter(|_| !dynamic), args);
                match binding {
                    Some((of, name)) => self.name_binding(*of, *procedure, *name),
                    None if self.name_bound_operation(*procedure, args, e.span, false) => return,
                    None => {}
                }
                let dummies = self.dummies(*procedure);
                self.actuals(args, &dummies);
            }
            _ => self.value(e),
        }
    }

    fn actual(&mut self, a: &TExpr, dummy: Option<SymbolId>) {
        let inner = a.unparenthesised();
        let memory = dummy.and_then(|d| self.model.variable(d));
        let memory = memory.is_some_and(|v| Model::is_device_space(v.space));
        if memory && inner.span != a.span && self.is_device_result(inner) {
            self.without_parentheses(a, inner);
            return self.actual(inner, dummy);
        }
        if let Some(d) = dummy
            && let Some(v) = self.model.variable(d)
            && (self.converted_actual(a, d, v)
                || self.letter(a, v)
                || self.option_letter(a, v)
                || self.rank_ignored(a, d, v))
        {
            return;
        }
        if self.polymorphic_value(a, dummy) {
            return;
        }
        if is_boz(a) {
            let dummy = dummy.and_then(|d| self.model.variable(d));
            return self.value_as(a, dummy.map_or(&Type::Integer(4), |v| &v.ty));
        }
        let call = matches!(a.kind, TExprKind::Call { .. } | TExprKind::BoundCall { .. });
        let device_result = call && self.is_device(a);
        if !a.is_designator() && !device_result {
            self.value(a);
            return;
        }
        let Some(v) = dummy.and_then(|d| self.model.variable(d)) else {
            self.subscripts(a);
            return;
        };
        if Model::is_device_space(v.space) && !v.attrs.has(VarAttrs::VALUE) {
            self.reached(a);
        }
        let takes_value = v.attrs.has(VarAttrs::VALUE) && self.is_device(a);
        let any = matches!(v.ty, Type::AssumedType) || v.attrs.has(VarAttrs::IGNORE_DEVICE);
        let to_host = v.is_hosts() && !any && self.is_device(a);
        if takes_value || to_host {
            self.value(a);
            return;
        }
        let shape_is_sequence = matches!(
            v.dims.last(),
            Some(Dim::Explicit { .. } | Dim::AssumedSize { .. })
        ) && !v.attrs.has(VarAttrs::POINTER);
        let is_pointer_data = self
            .model
            .space(a)
            .is_some_and(|s| !matches!(s, Space::Host | Space::Thread));
        if a.rank == 0
            && shape_is_sequence
            && is_pointer_data
            && self.is_described(a)
            && let TExprKind::Index { base, subs } = &a.kind
            && let Some(Subscript::Element(first)) = subs.first()
        {
            // gfortran refuses an element of a pointer array as an array: the section from it on has the same address.
            self.subscripts(base);
            for s in subs {
                if let Subscript::Element(x) = s {
                    self.value(x);
                }
            }
            self.edits.insert(Rule::Argument, first.span.end, ":");
            return;
        }
        self.subscripts(a);
    }

    fn subscript(&mut self, x: &TExpr, again: bool) {
        if !(again && self.hold_subscript(x)) {
            self.ordinary(|p| p.value(x));
        }
    }

    fn actuals(&mut self, args: &[Option<TExpr>], dummies: &[Option<SymbolId>]) {
        for (i, a) in args.iter().enumerate() {
            if let Some(a) = a {
                let dummy = dummies.get(i).copied().flatten();
                if !self.pass_copy(a, dummy) {
                    self.actual(a, dummy);
                }
            }
        }
    }
}

impl HostRewriter<'_> {
    fn operands(&mut self, op: BinaryOp, lhs: &TExpr, rhs: &TExpr) {
        match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Eqv | BinaryOp::Neqv => {
                self.truth(lhs);
                self.truth(rhs);
            }
            BinaryOp::Eq | BinaryOp::Ne if self.is_address(lhs) && self.is_address(rhs) => {
                self.address_as_integer(lhs);
                self.address_as_integer(rhs);
            }
            _ if self.equivalence(op, lhs, rhs) => {}
            _ => {
                self.value_as(lhs, &rhs.ty);
                self.value_as(rhs, &lhs.ty);
            }
        }
    }

    /// A reference of a function of the runtime's modules.
    fn runtime_reference(&mut self, e: &TExpr, name: &str, args: &[(Option<String>, TExpr)]) {
        self.parentheses(e);
        if let TExprKind::Runtime { module, .. } = &e.kind
            && module.starts_with("ieee_")
        {
            // They are the Fortran compiler's.
            return args.iter().for_each(|(_, a)| self.value(a));
        }
        if let TExprKind::Runtime { module, .. } = &e.kind
            && self.device_function(module, name, e.span)
        {
            return args.iter().for_each(|(_, a)| self.value(a));
        }
        if matches!(name, "packloc" | "count_prefix" | "sum_prefix") {
            return self.host_only(e.span, name);
        }
        if name == "c_sizeof"
            && let [(_, a)] = args
            && self.byte_size(e, a)
        {
            return;
        }
        if matches!(name, "c_loc" | "c_funloc") {
            self.address_function(e, name);
        }
        if name == "c_loc"
            && let Some((_, data)) = args.first()
        {
            self.located(data);
        }
        self.runtime_actuals(name, args);
    }

    /// The name of a function of cudadevice or libm that host code has under another one.
    pub(in crate::translation::host) fn device_function(
        &mut self,
        module: &str,
        name: &str,
        reference: Span,
    ) -> bool {
        let Some(own) = builtins::host_name(module, name) else {
            return false;
        };
        let written = self.slice(reference);
        let end = written.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let name = Span {
            end: reference.start + end.unwrap_or(written.len()) as u32,
            ..reference
        };
        self.unit
            .extra_uses
            .insert(format!("use {}, only: {own}", builtins::MODULE));
        self.edits.replace(Rule::Dialect, name, own);
        true
    }

    /// Standard Fortran knows no reference of a function without them.
    fn parentheses(&mut self, reference: &TExpr) {
        let text = self.slice(reference.span);
        if !text.is_empty() && text.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_') {
            self.edits.insert(Rule::Dialect, reference.span.end, "()");
        }
    }

    fn intrinsic(&mut self, e: &TExpr, intrinsic: Intrinsic, args: &[Option<TExpr>]) {
        self.overloaded_name(e, intrinsic, args);
        if let Some(stream) = intrinsic.argument(Dummy::Stream, args)
            && let Some(Some(array)) = args.first()
        {
            return self.reduction_in_stream(intrinsic, array, args, stream);
        }
        if self.asks_for_constant(e, intrinsic, args) {
            return;
        }
        for (i, a) in args.iter().flatten().enumerate() {
            match intrinsic.asks_about(i) {
                true if a.is_designator() => self.subscripts(a),
                // The Fortran compiler may evaluate an expression for its shape.
                true => self.value(a),
                false if intrinsic == Choice::Merge.into() && i == 2 => self.truth(a),
                false if takes_boz(intrinsic) && is_boz(a) => self.standard_boz(a),
                false if self.kind_of_result((e, intrinsic), i, a) => {}
                // Where gfortran takes no BOZ constant it is an integer.
                false => self.value_as(a, &Type::Integer(4)),
            }
        }
        if let Intrinsic::Bits(function) = intrinsic
            && let Some(Some(a)) = args.first()
            && matches!(a.ty, Type::Logical(_))
        {
            self.of_logicals(e, function);
        }
        if intrinsic == Intrinsic::Inquiry(Inquiry::Allocated)
            && let Some(Some(a)) = args.first()
            // Of a pointer nvfortran takes the inquiry for ASSOCIATED.
            && (self.became_pointer(a) || self.is_pointer(a))
        {
            let len = intrinsic.name().len() as u32;
            self.edits.replace(
                Rule::Attributes,
                Span {
                    start: e.span.start,
                    end: e.span.start + len,
                },
                ASSOCIATED,
            );
        }
    }

    /// An inquiry about the type of an expression with device data, which nothing evaluates: its value stands for it.
    fn asks_for_constant(
        &mut self,
        e: &TExpr,
        intrinsic: Intrinsic,
        args: &[Option<TExpr>],
    ) -> bool {
        let (Some(Some(asked)), Some(value)) = (args.first(), e.as_integer()) else {
            return false;
        };
        let constant = intrinsic.asks_about(0)
            && matches!(e.ty, Type::Integer(4))
            && !asked.is_designator()
            && asked.any(&mut |x| self.is_device(x));
        if constant {
            self.edits
                .replace(Rule::HostRead, e.span, value.to_string());
        }
        constant
    }

    /// NOT, IAND, IOR and IEOR of logicals, which nvfortran takes.
    fn of_logicals(&mut self, e: &TExpr, function: Bits) {
        let text = match function {
            Bits::Not => "(.not. ",
            // Those of GNU Fortran take logicals.
            Bits::Iand => Intrinsic::Bits(Bits::And).name(),
            Bits::Ior => Intrinsic::Bits(Bits::Or).name(),
            Bits::Ieor => Intrinsic::Bits(Bits::Xor).name(),
            _ => return,
        };
        let name = Intrinsic::Bits(function).name();
        let start = e.span.start;
        let end = start + name.len() as u32;
        self.edits.replace(Rule::Dialect, Span { start, end }, text);
        if function == Bits::Not {
            self.edits.insert(Rule::Dialect, e.span.end, ")");
        }
    }

    /// `sum(a, stream=s)`: the host copies of the device data wait for the work of the stream (guide 3.9.1).
    fn reduction_in_stream(
        &mut self,
        intrinsic: Intrinsic,
        array: &TExpr,
        args: &[Option<TExpr>],
        stream: &TExpr,
    ) {
        let before = array.span.end.min(stream.span.start);
        let between = self.text.get(before as usize..stream.span.start as usize);
        let comma = between.and_then(|t| t.rfind(','));
        let (Some(comma), true) = (comma, self.is_device(array) || self.is_managed(array)) else {
            return self.finding(
                "CUF0420",
                stream.span,
                format!("`stream=` of `{intrinsic}` must follow an array in device or managed memory (guide 3.9.1)"),
            );
        };
        let own = Span {
            start: before + comma as u32,
            end: stream.span.end,
        };
        let text = join_lines(self.slice(stream.span));
        self.edits.delete(Rule::HostRead, own);
        let operands = args.iter().flatten().filter(|a| a.span != stream.span);
        for a in operands {
            let outer = self.stream.replace(text.clone());
            self.value(a);
            self.stream = outer;
        }
    }

    /// `again`: the designator is evaluated more than once.
    fn walk_designator(&mut self, e: &TExpr, again: bool) {
        match &e.kind {
            TExprKind::Variable(s) => self.note_variable(*s),
            TExprKind::Index { base, subs } => {
                self.walk_designator(base, again);
                for s in subs {
                    match s {
                        Subscript::Element(x) | Subscript::Vector(x) => self.subscript(x, again),
                        Subscript::Range { lo, hi, step } => {
                            for x in [lo, hi, step].into_iter().flatten() {
                                self.subscript(x, again);
                            }
                        }
                    }
                }
            }
            TExprKind::Substring { base, lo, hi } => {
                self.walk_designator(base, again);
                for x in [lo, hi].into_iter().flatten() {
                    self.subscript(x, again);
                }
            }
            TExprKind::Component { base, .. } | TExprKind::ComplexPart { base, .. } => {
                self.walk_designator(base, again)
            }
            TExprKind::Paren(inner) => self.subscripts(inner),
            TExprKind::Call { .. } | TExprKind::BoundCall { .. } if self.is_device(e) => {
                if !self.hold(e) {
                    self.call_reference(e);
                }
            }
            _ => self.value(e),
        }
    }

    /// The array that an element belongs to is a pointer or of assumed shape in the host code written: such an element is
    /// no actual argument for an array (F2018 15.5.2.4).
    fn is_described(&self, element: &TExpr) -> bool {
        let TExprKind::Index { base, .. } = &element.kind else {
            return false;
        };
        let TExprKind::Variable(s) = &base.kind else {
            return true;
        };
        self.model.variable(*s).is_none_or(|v| {
            v.dummy.is_none()
                || v.attrs.is_dynamic()
                || matches!(v.dims.first(), Some(Dim::Colon { .. }))
        })
    }

    /// Arguments of a procedure of a runtime module, by the table of the runtime API where it has them.
    pub(in crate::translation::host) fn runtime_actuals(
        &mut self,
        name: &str,
        args: &[(Option<String>, TExpr)],
    ) {
        self.note_call();
        let procedure = runtime_api::find(name);
        for (i, (keyword, a)) in args.iter().enumerate() {
            let dummy = procedure.and_then(|p| p.dummy(keyword.as_deref(), i));
            if name.ends_with("async") && dummy.is_some_and(|d| d.takes == ParamKind::Data) {
                self.copied_later(a);
            }
            match dummy.map(|d| d.takes) {
                Some(takes) if takes.is_number() && self.is_device(a) => self.value(a),
                Some(takes) => {
                    let named = matches!(a.kind, TExprKind::ProcedureName(_));
                    self.any_kernel |= takes == ParamKind::Kernel && !named;
                    self.runtime_actual(a, takes.any_type());
                }
                None => self.runtime_actual(a, !name.starts_with("c_")),
            }
        }
    }

    /// An argument of a runtime procedure: device data passes by address. `any_type`: the dummy is such.
    pub(in crate::translation::host) fn runtime_actual(&mut self, a: &TExpr, any_type: bool) {
        match &a.kind {
            // The runtime finds a kernel by the name that the device code registered.
            TExprKind::ProcedureName(p) => {
                if let Some(name) = self.registered_kernel(*p) {
                    self.edits
                        .replace(Rule::RuntimeCall, a.span, format!("'{name}'"));
                    self.kernels_by_name.insert(name);
                }
                return;
            }
            // gfortran 12 passes a function result of type(c_ptr) wrongly to an any-type dummy; an array of one is right.
            TExprKind::Runtime { name, .. }
                if any_type && matches!(name.as_str(), "c_loc" | "c_devloc") =>
            {
                self.edits.insert(Rule::RuntimeCall, a.span.start, "[");
                self.value(a);
                self.edits.insert(Rule::RuntimeCall, a.span.end, "]");
                return;
            }
            TExprKind::Call { .. } | TExprKind::BoundCall { .. }
                if any_type
                    && matches!(&a.ty, Type::Derived(t) if matches!(self.model[*t].name.as_str(), "c_ptr" | "c_devptr")) =>
            {
                self.edits.insert(Rule::RuntimeCall, a.span.start, "[");
                self.value(a);
                self.edits.insert(Rule::RuntimeCall, a.span.end, "]");
                return;
            }
            _ => {}
        }
        if any_type {
            self.api_memory(a);
        }
        if has_vector_subscript(a) && !self.is_device(a) {
            // gfortran 12 makes no descriptor of it; of an expression it does.
            self.edits.insert(Rule::RuntimeCall, a.span.start, "(");
            self.value(a);
            self.edits.insert(Rule::RuntimeCall, a.span.end, ")");
        } else if a.is_designator() || self.is_device(a) {
            self.whole_base(a);
            self.subscripts(a);
            let data = match any_type {
                true => self.data_of(&a.ty),
                false => String::new(),
            };
            if !data.is_empty() {
                self.edits.insert(Rule::RuntimeCall, a.span.end, data);
            }
        } else if !any_type || !self.held_data(a) {
            self.value(a);
        }
    }

    /// `<module>_<kernel>` of a kernel's symbol.
    fn registered_kernel(&self, p: SymbolId) -> Option<String> {
        let procedure = self.model.procedure(p)?;
        if !matches!(
            procedure.target,
            ProcedureTarget::Global | ProcedureTarget::GridGlobal
        ) {
            return None;
        }
        let symbol = &self.model[p];
        let unit = self.model.unit_symbol(self.model.unit_of(symbol.scope));
        Some(format!("{unit}_{}", symbol.name))
    }
}

/// A BOZ constant.
fn is_boz(e: &TExpr) -> bool {
    e.ty == Type::Boz && matches!(e.kind, TExprKind::Constant { .. })
}

/// Intrinsic functions whose arguments may be BOZ constants (F2018 16.9).
fn takes_boz(intrinsic: Intrinsic) -> bool {
    use crate::intrinsics::Bits::*;
    match intrinsic {
        Intrinsic::Conversion(_) => true,
        Intrinsic::Bits(b) => matches!(
            b,
            Bge | Bgt | Ble | Blt | Dshiftl | Dshiftr | Iand | Ieor | Ior | MergeBits
        ),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::host::context::edit::join_lines;

    #[test]
    fn continued_lines_join() {
        assert_eq!(join_lines("a + &  ! first\n   & b"), "a + b");
        assert_eq!(join_lines("a(i, &\n  j)"), "a(i, j)");
        assert_eq!(join_lines("a + &\n! note\n\n & b"), "a + b");
    }

    #[test]
    fn statements_stay_apart() {
        assert_eq!(
            join_lines("if (x) &\n  y = 1\n  call f()"),
            "if (x) y = 1\ncall f()"
        );
    }
}
