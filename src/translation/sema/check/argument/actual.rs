//! Rules of actual arguments (guide 2.7, 3.5; decisions 31 and 37).

use crate::sema::check::checker::*;
use crate::sema::model::externals::device_by_address;

/// What the memory mode makes of an object of the host will do for the dummy: it is neither allocated nor associated there, which
/// needs the memory attribute itself (guide 3.2.3).
fn takes_host_object(v: &Variable) -> bool {
    !v.attrs.has(VarAttrs::ALLOCATABLE)
        && (!v.attrs.has(VarAttrs::POINTER) || v.intent == Some(Intent::In))
}

impl Checker<'_> {
    /// Actual arguments of a user's procedure called from host code, in dummy order.
    pub(in crate::translation::sema::check) fn host_actuals(
        &mut self,
        procedure: SymbolId,
        args: &[Option<TExpr>],
        span: Span,
        kernel: bool,
    ) {
        let Some(p) = self.model.procedure(procedure) else {
            return;
        };
        if p.external_module {
            return;
        }
        if p.body.is_none() {
            if matches!(p.kind, ProcedureKind::External | ProcedureKind::Dummy) {
                self.implicit_interface(procedure, args);
            }
            return;
        }
        for (dummy, a) in p.dummies.iter().zip(args) {
            let (Some(d), Some(a)) = (dummy, a) else {
                continue;
            };
            let Some(v) = self.model.variable(*d) else {
                continue;
            };
            if kernel {
                self.kernel_actual(*d, v, a);
            } else {
                self.host_actual(*d, v, a);
                if !a.is_designator() && !self.overloads_all() {
                    self.argument_operands(a);
                }
            }
        }
        let _ = span;
    }

    fn implicit_interface(&mut self, procedure: SymbolId, args: &[Option<TExpr>]) {
        let callee = self.model[procedure].spelling.clone();
        let definition = self.model.definition(procedure);
        let dummies = definition
            .and_then(|d| self.model.procedure(d))
            .map_or(&[][..], |p| &p.dummies);
        if definition.is_none() && !self.agrees_with_elsewhere(&callee, args) {
            return;
        }
        for (i, a) in args.iter().enumerate() {
            let Some(a) = a else { continue };
            let dummy = dummies.get(i).copied().flatten();
            let seen = dummy.and_then(|d| Some((d, self.model.variable(d)?)));
            if let Some((d, v)) = seen.filter(|(_, v)| device_by_address(v)) {
                self.host_actual(d, v, a);
                if self.is_device(a) && a.is_designator() {
                    let name = self.root_name(a);
                    let message = format!(
                        "`{callee}` has no explicit interface here\nnote: `{name}` is passed by address, as the definition of `{callee}` in this program expects"
                    );
                    self.report("CUF0360", a.span, message).warning = true;
                }
                continue;
            }
            if self.is_device(a) && a.is_designator() {
                if definition.is_none() && self.known_elsewhere(&callee, i, a) {
                    continue;
                }
                if let Some((message, help)) = crate::libraries::unknown(&callee) {
                    self.report("CUF0360", a.span, message).help = Some(help);
                    return;
                }
                let name = self.root_name(a);
                self.report_help(
                    "CUF0360",
                    a.span,
                    format!("device variable `{name}` is passed to `{callee}`, which has no explicit interface"),
                    "put the procedure in a module, or write an interface block for it",
                );
            }
        }
    }

    /// Number and types of the arguments of a call that passes device data as a source beside this one defines the procedure: nobody
    /// else compares them.
    fn agrees_with_elsewhere(&mut self, callee: &str, args: &[Option<TExpr>]) -> bool {
        let Some(known) = self.model.outside.get(callee.to_lowercase().as_str()) else {
            return true;
        };
        let actual = |k: &usize| args.get(*k).and_then(Option::as_ref);
        let device = known.device.keys().filter_map(actual);
        let Some(first) = device.filter(|a| self.is_device(a)).map(|a| a.span).next() else {
            return true;
        };
        let (given, wanted) = (args.len(), known.form.chars().count());
        if given != wanted {
            let message =
                format!("`{callee}` takes {wanted} arguments, but this call passes {given}");
            self.report("CUF0360", first, message);
            return false;
        }
        let intrinsic = |t: &Type| {
            matches!(
                t,
                Type::Integer(_) | Type::Real(_) | Type::Complex(_) | Type::Logical(_)
            )
        };
        let pairs = known.host.iter().filter_map(|(k, t)| Some((actual(k)?, t)));
        let mut typed = pairs.filter(|(a, _)| intrinsic(&a.ty));
        let Some((wrong, wanted)) = typed.find(|(a, t)| self.model.type_name(&a.ty) != **t) else {
            return true;
        };
        let has = self.model.type_name(&wrong.ty);
        let message = format!(
            "this argument of `{callee}` is {has}, but its definition in another source takes {wanted}"
        );
        self.report("CUF0360", wrong.span, message);
        false
    }

    /// Device data for a procedure that a source beside this one defines, which is compiled by itself. True if nothing more is to be said.
    fn known_elsewhere(&mut self, callee: &str, position: usize, a: &TExpr) -> bool {
        let known = self.model.outside.get(callee.to_lowercase().as_str());
        let Some(wanted) = known.and_then(|k| k.device.get(&position)) else {
            return false;
        };
        let name = self.root_name(a);
        let has = self.model.type_name(&a.ty);
        if has != *wanted {
            let message =
                format!("`{name}` is {has}, but the definition of `{callee}` takes {wanted}");
            self.report("CUF0360", a.span, message);
            return true;
        }
        if self.model.space(a) == Some(Space::Constant) {
            let message = format!(
                "constant variable `{name}` is passed to `{callee}`, whose definition takes device data"
            );
            self.report_help(
                "CUF0398",
                a.span,
                message,
                "copy it to a device variable first, and pass that",
            );
            return true;
        }
        // The host would copy an actual argument that is not a sequence of elements.
        if !self.is_sequence_of_elements(a) {
            return false;
        }
        let message = format!(
            "`{callee}` has no explicit interface here\nnote: `{name}` is passed by address, as the definition of `{callee}` in a source of this folder expects"
        );
        self.report("CUF0360", a.span, message).warning = true;
        true
    }

    /// An element or scalar, or a whole array that certainly has no gaps.
    fn is_sequence_of_elements(&self, a: &TExpr) -> bool {
        if a.rank == 0 {
            return true;
        }
        // Not of an array of structures.
        let whole = self.model.declared(a).filter(|d| !d.dims.is_empty());
        whole.is_some_and(|d| {
            let open = d.dims.iter().any(|x| matches!(x, Dim::Colon { .. }));
            let gaps = d.attrs.has(VarAttrs::POINTER)
                || (open && d.dummy && !d.attrs.has(VarAttrs::ALLOCATABLE));
            !gaps || d.attrs.has(VarAttrs::CONTIGUOUS)
        })
    }

    fn kernel_actual(&mut self, dummy: SymbolId, v: &Variable, a: &TExpr) {
        let dummy_name = self.model[dummy].spelling.clone();
        let name = self.root_name(a);
        let by_value = v.attrs.has(VarAttrs::VALUE);
        let owner = self.model[self.model[dummy].scope].symbol;
        let kernel = owner.map_or(String::new(), |s| self.model[s].spelling.to_string());
        let is_array = a.rank > 0 || !v.dims.is_empty();
        // An array cannot be passed by value.
        let remedy = match is_array {
            true => "copy it to a device array first, and pass that".to_owned(),
            false => format!(
                "declare `{dummy_name}` with the `value` attribute, or pass a device variable"
            ),
        };
        if matches!(a.ty, Type::Unknown | Type::Boz | Type::Opaque(_))
            || matches!(v.ty, Type::Unknown | Type::Opaque(_))
        {
            return;
        }
        if !by_value {
            match self.model.space(a) {
                Some(Space::Constant) => {
                    self.report("CUF0362", a.span, format!("constant variable `{name}` cannot be a kernel argument\nnote: kernels access it through its module"));
                    return;
                }
                Some(Space::Host | Space::Pinned | Space::Thread)
                    if a.is_designator() && !self.model.reaches(a) =>
                {
                    let what = if is_array { "array" } else { "variable" };
                    self.report_help(
                        "CUF0361",
                        a.span,
                        format!("host {what} `{name}` is passed to dummy argument `{dummy_name}` of kernel `{kernel}`, which must be device data"),
                        &remedy,
                    );
                    return;
                }
                None if !a.is_designator()
                    && !matches!(a.kind, TExprKind::Null | TExprKind::Unknown)
                    && !self.model.takes_managed_copy(v, a)
                    && !self.model.may_give_device_data(a) =>
                {
                    self.report_help(
                        "CUF0361",
                        a.span,
                        format!("host expression is passed to dummy argument `{dummy_name}` of kernel `{kernel}`, which must be device data"),
                        &remedy,
                    );
                    return;
                }
                _ => {}
            }
        }
        let types_differ = match (&v.ty, &a.ty) {
            (Type::Derived(d), Type::Derived(t)) => {
                d != t && !self.model[*d].sequence && self.model[*d].name != self.model[*t].name
            }
            (d, t) => !same_type(d, t),
        };
        if types_differ && !self.model.accepts(v, a) {
            let message = format!(
                "dummy argument `{dummy_name}` of kernel `{kernel}` has type {}, but the actual argument has type {}",
                self.model.type_name(&v.ty),
                self.model.type_name(&a.ty)
            );
            let literal = literal_of_type(self.slice(a.span), &v.ty);
            let found = self.report("CUF0363", a.span, message);
            if let Some(literal) = literal {
                found.help = Some(format!("write `{literal}`"));
                found.proposal = Some(Proposal {
                    span: a.span,
                    text: literal,
                    is_safe: false,
                });
            }
            return;
        }
        let assumed_shape =
            !v.dims.is_empty() && v.dims.iter().all(|d| matches!(d, Dim::Colon { .. }));
        let rank_differs =
            !v.attrs.has(VarAttrs::IGNORE_RANK) && a.rank >= 0 && a.rank as usize != v.dims.len();
        if rank_differs && (assumed_shape || (a.rank > 0 && v.dims.is_empty())) {
            self.report(
                "CUF0364",
                a.span,
                format!(
                    "dummy argument `{dummy_name}` of kernel `{kernel}` has rank {}, but the actual argument has rank {}",
                    v.dims.len(),
                    a.rank
                ),
            );
        }
    }

    pub(in crate::translation::sema::check) fn host_actual(
        &mut self,
        dummy: SymbolId,
        v: &Variable,
        a: &TExpr,
    ) {
        self.polymorphic_half(&v.ty, a);
        let takes_all = v.ty == Type::AssumedType && v.is_hosts();
        if v.ty == Type::Unknown || takes_all || v.attrs.has(VarAttrs::IGNORE_DEVICE) {
            return;
        }
        let dummy_name = self.model[dummy].spelling.clone();
        if a.ty == Type::ClassStar
            && self.model.space(a).is_some_and(Model::is_device_space)
            && !matches!(v.ty, Type::ClassStar | Type::AssumedType)
        {
            let (name, ty) = (self.root_name(a), self.model.type_name(&v.ty));
            let message = format!(
                "dummy argument `{dummy_name}` has type {ty}, but `{name}` has type `class(*)`"
            );
            let help = "pass it inside a `select type` block, where it has a type";
            self.report_help("CUF0471", a.span, message, help);
            return;
        }
        if !a.is_designator() {
            // In parentheses device data is a value, which the host computes.
            let known = !matches!(a.kind, TExprKind::Null | TExprKind::Unknown)
                && !self.model.may_give_device_data(a.unparenthesised());
            if known
                && matches!(v.space, Space::Device | Space::Managed | Space::Unified)
                && !v.attrs.has(VarAttrs::VALUE)
                && !self.model.takes_managed_copy(v, a)
            {
                self.report_help(
                    "CUF0366",
                    a.span,
                    format!(
                        "host expression is passed to dummy argument `{dummy_name}`, which has the `{}` attribute",
                        space_name(v.space)
                    ),
                    "assign it to a variable with that attribute first, and pass the variable",
                );
            }
            return;
        }
        let name = self.root_name(a);
        let Some(space) = self.model.space(a) else {
            return;
        };
        match v.space {
            // A scalar is copied to the host; what the procedure would store there is not copied back.
            // Of a procedure for host and device, too: it is the host's that is called.
            Space::Host | Space::Thread
                if Model::is_device_space(space)
                    && (a.rank > 0
                        || !v.dims.is_empty()
                        || matches!(v.intent, Some(Intent::Out | Intent::InOut))) =>
            {
                let what = if a.rank > 0 { "array" } else { "variable" };
                self.report_help(
                    "CUF0365",
                    a.span,
                    format!(
                        "device {what} `{name}` is passed to host dummy argument `{dummy_name}`"
                    ),
                    "copy it to a host array first, or declare the dummy argument with the `device` attribute",
                );
            }
            Space::Constant if space != Space::Constant => {
                self.other_than_constant(&name, space, &dummy_name, v.space, a.span);
            }
            Space::Device | Space::Managed | Space::Unified if space == Space::Constant => {
                let found = self.other_than_constant(&name, space, &dummy_name, v.space, a.span);
                // Public code passes it to be read, which nvfortran takes.
                found.warning = v.intent == Some(Intent::In);
            }
            Space::Managed | Space::Unified if space == Space::Device => {
                self.report_help(
                    "CUF0365",
                    a.span,
                    format!(
                        "device variable `{name}` is passed to dummy argument `{dummy_name}`, which has the `{}` attribute",
                        space_name(v.space)
                    ),
                    "declare the dummy argument with the `device` attribute, or the variable with the attribute of the dummy argument",
                );
            }
            Space::Device | Space::Managed | Space::Unified
                if matches!(space, Space::Host | Space::Pinned | Space::Thread)
                    && !(self.model.reaches(a) && takes_host_object(v)) =>
            {
                self.report_help(
                    "CUF0366",
                    a.span,
                    format!(
                        "host variable `{name}` is passed to dummy argument `{dummy_name}`, which has the `{}` attribute",
                        space_name(v.space)
                    ),
                    "copy it to a variable with that attribute first",
                );
            }
            // In the host code these are pointers, which any would be for the Fortran compiler.
            Space::Device | Space::Managed | Space::Unified | Space::Pinned => {
                if let Some(what) = self.lacks_attribute(v, a) {
                    self.report(
                        "CUF0210",
                        a.span,
                        format!("dummy argument `{dummy_name}` is {what}, but actual argument `{name}` is not"),
                    );
                }
            }
            _ => {}
        }
    }

    /// Constant data and dummies belong together (guide 3.2.5).
    fn other_than_constant(
        &mut self,
        name: &str,
        space: Space,
        dummy: &str,
        of: Space,
        at: Span,
    ) -> &mut Finding {
        self.report(
            "CUF0398",
            at,
            format!(
                "{} variable `{name}` is passed to dummy argument `{dummy}`, which is {} data",
                space_name(space),
                space_name(of)
            ),
        )
    }

    /// What the dummy is and the actual argument is not: allocatable, or a pointer.
    fn lacks_attribute(&self, v: &Variable, a: &TExpr) -> Option<&'static str> {
        let attrs = match &a.kind {
            TExprKind::Variable(_) | TExprKind::Component { .. } => self.model.declared(a)?.attrs,
            _ => VarAttrs::default(),
        };
        if v.attrs.has(VarAttrs::ALLOCATABLE) {
            return (!attrs.has(VarAttrs::ALLOCATABLE)).then_some("allocatable");
        }
        // A target will do for a pointer that is not changed.
        let pointer = v.attrs.has(VarAttrs::POINTER) && v.intent != Some(Intent::In);
        (pointer && !attrs.has(VarAttrs::POINTER)).then_some("a pointer")
    }
}

/// Types that agree as actual and dummy (polymorphism is left to the Fortran compiler).
fn same_type(dummy: &Type, actual: &Type) -> bool {
    match (dummy, actual) {
        (Type::Class(_) | Type::ClassStar | Type::AssumedType, _) => true,
        (Type::Derived(_), Type::Derived(_) | Type::Class(_)) => true,
        (Type::Character(_), Type::Character(_)) => true,
        _ => dummy == actual,
    }
}

/// A number, as it is written for a dummy argument of another numeric type; None for what is not a plain literal.
pub(in crate::translation::sema::check) fn literal_of_type(
    written: &str,
    ty: &Type,
) -> Option<String> {
    let text = written.trim().to_ascii_lowercase();
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text.as_str()),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let fraction = fraction.trim_end_matches("d0").trim_end_matches("e0");
    let plain = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() || !plain(whole) || !plain(fraction) {
        return None;
    }
    let zeros = fraction.bytes().all(|b| b == b'0');
    let fraction = if fraction.is_empty() { "0" } else { fraction };
    match ty {
        Type::Integer(4) if zeros => Some(format!("{sign}{whole}")),
        Type::Integer(k) if zeros => Some(format!("{sign}{whole}_{k}")),
        Type::Real(4) => Some(format!("{sign}{whole}.{fraction}")),
        Type::Real(8) => Some(format!("{sign}{whole}.{fraction}d0")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_of_other_types() {
        let cases = [
            ("3", Type::Real(4), Some("3.0")),
            ("3", Type::Real(8), Some("3.0d0")),
            ("-3.5", Type::Real(8), Some("-3.5d0")),
            ("2.5d0", Type::Real(4), Some("2.5")),
            ("10.0", Type::Integer(4), Some("10")),
            ("10", Type::Integer(8), Some("10_8")),
            ("1.5", Type::Integer(4), None),
            ("n", Type::Real(4), None),
        ];
        for (written, ty, meant) in cases {
            assert_eq!(literal_of_type(written, &ty).as_deref(), meant, "{written}");
        }
    }
}
