//! Actual arguments of the runtime API (guide chapter 4), by its table, and of the libraries.

use crate::sema::check::checker::*;
use crate::sema::library::runtime_api;
use crate::sema::library::runtime_api::{Dummy, ParamKind};
use crate::suggest;

/// Arguments as written, with their keywords.
pub(in crate::translation::sema::check) type RuntimeArgs = [(Option<String>, TExpr)];

/// What an actual argument is to the API.
enum Actual {
    /// Of a type that is not known here.
    Unknown,
    /// An address: type(c_ptr) or type(c_devptr).
    Address,
    /// A variable of the program, in this memory.
    Variable(Space),
    /// A value that the host computed.
    Value,
}

impl Checker<'_> {
    /// A CALL of a procedure of a runtime module.
    pub(in crate::translation::sema::check) fn api_call(
        &mut self,
        name: &str,
        args: &RuntimeArgs,
        span: Span,
    ) {
        if runtime_api::find(name).is_some() {
            let name = self.written_name(name, span);
            self.unfit(
                span,
                format!("`{name}` is a function that returns an error code\nhelp: write `istat = {name}(...)` instead of `call {name}(...)`"),
            );
            return;
        }
        self.runtime_actuals(name, args, span);
    }

    pub(in crate::translation::sema::check) fn runtime_actuals(
        &mut self,
        name: &str,
        args: &RuntimeArgs,
        span: Span,
    ) {
        let Some(procedure) = runtime_api::find(name) else {
            return;
        };
        let name = &self.written_name(name, span);
        let before = self.findings.len();
        let mut given: Vec<Option<&TExpr>> = vec![None; procedure.dummies.len()];
        for (i, (keyword, a)) in args.iter().enumerate() {
            let at = match keyword {
                Some(k) => procedure.dummies.iter().position(|d| d.name == k),
                None => (i < procedure.dummies.len()).then_some(i),
            };
            match (at, keyword) {
                (Some(at), _) if given[at].is_none() => {
                    given[at] = Some(a);
                    self.api_actual(name, &procedure.dummies[at], a, args.len());
                }
                (Some(at), _) => {
                    let dummy = procedure.dummies[at].name;
                    self.unfit(
                        a.span,
                        format!("argument `{dummy}` of `{name}` is specified twice"),
                    );
                }
                (None, Some(k)) => {
                    let names: Vec<&str> = procedure.dummies.iter().map(|d| d.name).collect();
                    self.unfit(
                        a.span,
                        format!(
                            "`{name}` has no argument `{k}`{}",
                            suggest::among(k, &names)
                        ),
                    );
                }
                (None, None) => {
                    let message = format!("too many arguments to `{name}`");
                    self.unfit(a.span, message);
                    return;
                }
            }
        }
        let missing =
            (procedure.dummies.iter().zip(&given)).find(|(d, a)| !d.optional && a.is_none());
        if let Some((d, _)) = missing
            && self.findings.len() == before
        {
            self.unfit(
                span,
                format!("argument `{}` of `{name}` is missing", d.name),
            );
        }
        if self.findings.len() == before {
            self.copied_types(name, procedure.dummies, &given);
        }
    }

    /// What is copied has one type on both sides: counts are elements (guide 3.4.3).
    fn copied_types(&mut self, name: &str, dummies: &[Dummy], given: &[Option<&TExpr>]) {
        let data = |d: &Dummy| {
            matches!(
                d.takes,
                ParamKind::Data | ParamKind::DeviceData | ParamKind::Symbol
            )
        };
        let sides: Vec<(&Dummy, &TExpr)> = (dummies.iter().zip(given))
            .filter(|(d, _)| data(d))
            .filter_map(|(d, a)| Some((d, (*a)?)))
            .collect();
        let [(to, a), (from, b)] = sides[..] else {
            return;
        };
        let texts = matches!(
            (&a.ty, &b.ty),
            (Type::Character(_), _) | (_, Type::Character(_))
        );
        let known = |x: &TExpr| !matches!(self.actual_kind(x), Actual::Unknown | Actual::Address);
        // By address: of numbers of one size, and of the parts of complex numbers.
        let fits = match (&a.ty, &b.ty) {
            (Type::Real(x), Type::Complex(y)) | (Type::Complex(x), Type::Real(y)) => x == y,
            (Type::Integer(x), Type::Real(y)) | (Type::Real(x), Type::Integer(y)) => x == y,
            (x, y) => x == y,
        };
        if !texts && known(a) && known(b) && !fits {
            let (first, second) = (self.model.type_name(&a.ty), self.model.type_name(&b.ty));
            let message = format!(
                "arguments of `{name}` must have the same type: `{}` is {first}, but `{}` is {second}",
                to.name, from.name
            );
            self.report_help(
                "CUF0210",
                b.span,
                message,
                "the count is a number of elements, so both arrays must have the same element type",
            );
            return;
        }
        if known(a)
            && known(b)
            && let (Some(x), Some(y)) = (element_bytes(&a.ty), element_bytes(&b.ty))
            && x != y
        {
            let message = format!(
                "elements of `{}` of `{name}` have {x} bytes, but elements of `{}` have {y}\nnote: the count is a number of elements of {y} bytes",
                to.name, from.name
            );
            let finding = self.report("CUF0484", b.span, message);
            finding.warning = true;
            finding.help = Some(
                "copy to data of the same type, or count the elements of what is copied from"
                    .to_owned(),
            );
        }
    }

    /// The procedure's name as the program spells it.
    fn written_name(&self, name: &str, span: Span) -> String {
        let text = self.slice(span);
        let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
        let written = &text[..end.unwrap_or(text.len())];
        match written.eq_ignore_ascii_case(name) {
            true => written.to_owned(),
            false => name.to_owned(),
        }
    }

    fn unfit(&mut self, span: Span, message: String) {
        self.report("CUF0210", span, message);
    }

    fn api_actual(&mut self, name: &str, dummy: &Dummy, a: &TExpr, given: usize) {
        let place = format!("argument `{}` of `{}`", dummy.name, name);
        let actual = self.actual_kind(a);
        if matches!(dummy.takes, ParamKind::Kernel) {
            return self.kernel_name(&place, a);
        }
        if let TExprKind::ProcedureName(p) = a.kind {
            let given = self.model[p].spelling.clone();
            return self.unfit(
                a.span,
                format!("{place} is not a procedure, but procedure `{given}` is passed"),
            );
        }
        self.data_without_type(&place, a);
        if matches!(actual, Actual::Unknown) {
            return;
        }
        let before = self.findings.len();
        self.fits(dummy, &place, a, &actual, given);
        if dummy.takes.is_scalar() && a.rank > 0 && self.findings.len() == before {
            self.unfit(
                a.span,
                format!("{place} must be a scalar, but an array is passed"),
            );
        }
    }

    /// Type, kind and memory of an actual argument.
    fn fits(&mut self, dummy: &Dummy, place: &str, a: &TExpr, actual: &Actual, given: usize) {
        match dummy.takes {
            ParamKind::Integer | ParamKind::Default => self.integer_value(dummy, place, a),
            ParamKind::Defaults => self.host_array(place, a),
            ParamKind::SetsDefault => {
                self.host_variable(place, a, "integer(4)", &|t| *t == Type::Integer(4))
            }
            ParamKind::SetsInteger => {
                let fits = |t: &Type| matches!(t, Type::Integer(_) | Type::Logical(_));
                self.host_variable(place, a, "integer", &fits);
            }
            ParamKind::SetsStream => self.stream_variable(place, a),
            ParamKind::SetsTime => {
                self.host_variable(place, a, "real(4)", &|t| *t == Type::Real(4))
            }
            ParamKind::Double => self.host_variable(place, a, "real(8)", &|t| *t == Type::Real(8)),
            ParamKind::Data | ParamKind::Value => self.any_data(place, a),
            ParamKind::DeviceData | ParamKind::Symbol => {
                self.device_data(dummy.takes, place, a, actual)
            }
            ParamKind::DeviceDataOrStream => match (given, &a.ty) {
                (1, Type::Integer(_)) if !self.is_device(a) => {}
                (1, _) => self.unfit(a.span, format!("{place} also requires a stream argument")),
                _ => self.device_data(dummy.takes, place, a, actual),
            },
            ParamKind::Allocates(rank) => self.allocated(place, a, actual, Some(rank)),
            ParamKind::AllocatesManaged => self.allocated(place, a, actual, Some(1)),
            ParamKind::AllocatesPitched if self.is_structure(a, "cudapitchedptr") => {}
            ParamKind::AllocatesPitched if matches!(actual, Actual::Address) => {
                self.wrong_type(place, "type(cudapitchedptr)", a);
            }
            ParamKind::AllocatesPitched => self.allocated(place, a, actual, Some(3)),
            ParamKind::Frees => self.allocated(place, a, actual, None),
            ParamKind::HostAddress => self.host_address(place, a, actual),
            ParamKind::SetsAddress => {
                if !matches!(actual, Actual::Address) {
                    self.wrong_type(place, "type(c_ptr)", a);
                }
            }
            ParamKind::Structure(name) | ParamKind::SetsStructure(name) => {
                if !self.is_structure(a, name) {
                    self.wrong_type(place, &format!("type({name})"), a);
                } else if self.is_device(a) {
                    self.device_for_host(place, a);
                }
            }
            ParamKind::Kernel => {}
        }
    }

    fn actual_kind(&self, a: &TExpr) -> Actual {
        if matches!(a.kind, TExprKind::Unknown | TExprKind::Null)
            || matches!(
                a.ty,
                Type::Unknown | Type::Opaque(_) | Type::Boz | Type::AssumedType | Type::ClassStar
            )
        {
            return Actual::Unknown;
        }
        if self.model.is_c_address(&a.ty) {
            return Actual::Address;
        }
        match self.model.space(a) {
            Some(space) => Actual::Variable(space),
            // Its result may be a pointer to device data.
            None if matches!(a.kind, TExprKind::Call { .. } | TExprKind::BoundCall { .. }) => {
                Actual::Unknown
            }
            None => Actual::Value,
        }
    }

    fn is_structure(&self, a: &TExpr, name: &str) -> bool {
        matches!(&a.ty, Type::Derived(t) if self.model[*t].name == name)
    }

    fn wrong_type(&mut self, place: &str, wanted: &str, a: &TExpr) {
        let given = self.model.type_name(&a.ty);
        self.unfit(
            a.span,
            format!("{place} must be {wanted}, but {given} is passed"),
        );
    }

    fn device_for_host(&mut self, place: &str, a: &TExpr) {
        let name = self.root_name(a);
        self.report_help(
            "CUF0365",
            a.span,
            format!("device variable `{name}` is passed as {place}, which must be host data"),
            "use a host variable",
        );
    }

    fn host_for_device(&mut self, place: &str, a: &TExpr) {
        let message = match a.is_designator() {
            true => format!(
                "host variable `{}` is passed as {place}, which must be device data",
                self.root_name(a)
            ),
            false => format!("host expression is passed as {place}, which must be device data"),
        };
        self.report("CUF0367", a.span, message);
    }

    fn integer_value(&mut self, dummy: &Dummy, place: &str, a: &TExpr) {
        match a.ty {
            Type::Integer(k) if k != 4 && dummy.takes == ParamKind::Default => {
                self.wrong_type(place, "integer(4)", a)
            }
            Type::Integer(_) => {}
            _ => self.wrong_type(place, "an integer", a),
        }
    }

    fn host_variable(
        &mut self,
        place: &str,
        a: &TExpr,
        wanted: &str,
        fits: &dyn Fn(&Type) -> bool,
    ) {
        if !fits(&a.ty) {
            self.wrong_type(place, wanted, a);
        } else if self.is_device(a) {
            self.device_for_host(place, a);
        } else if !a.is_designator() {
            self.unfit(
                a.span,
                format!("{place} is modified, so the actual argument must be a variable"),
            );
        }
    }

    fn host_array(&mut self, place: &str, a: &TExpr) {
        if a.ty != Type::Integer(4) || a.rank == 0 {
            self.wrong_type(place, "an array of integer(4)", a);
        } else if self.is_device(a) {
            self.device_for_host(place, a);
        }
    }

    fn stream_variable(&mut self, place: &str, a: &TExpr) {
        if matches!(a.ty, Type::Integer(k) if k != 8) {
            let shown = self.root_name(a);
            let numbered = a.ty == Type::Integer(4);
            let message = match numbered {
                true => format!(
                    "`{shown}` is too small for a stream handle\nnote: it gets a number that stands for the stream in calls of CUDA Fortran and of CUDA's libraries"
                ),
                false => format!(
                    "`{shown}` cannot hold a stream handle\nnote: a handle is an `integer(cuda_stream_kind)`"
                ),
            };
            let help = "declare it `integer(kind=cuda_stream_kind)`";
            let finding = self.report("CUF0368", a.span, message);
            finding.help = Some(help.to_owned());
            finding.warning = numbered;
        }
        self.host_variable(place, a, "integer(kind=cuda_stream_kind)", &|t| {
            matches!(t, Type::Integer(_))
        });
    }

    /// Data of the device whose elements have no known size.
    fn data_without_type(&mut self, place: &str, a: &TExpr) {
        if a.ty == Type::ClassStar && self.is_device(a) {
            let message = format!("{place} has type `class(*)`, whose element size is not known");
            let help = "pass it inside a `select type` block, or pass its address with `c_devloc` and a number of bytes";
            self.report_help("CUF0471", a.span, message, help);
        }
    }

    fn any_data(&mut self, place: &str, a: &TExpr) {
        let handles = ["cudaevent", "cudagraph", "cudagraphexec", "cudaarrayptr"];
        if handles.iter().any(|h| self.is_structure(a, h)) {
            self.wrong_type(place, "data or an address", a);
        }
    }

    fn device_data(&mut self, takes: ParamKind, place: &str, a: &TExpr, actual: &Actual) {
        if takes == ParamKind::Symbol && matches!(a.ty, Type::Character(_)) {
            return;
        }
        let host = match actual {
            Actual::Variable(space) => {
                matches!(space, Space::Host | Space::Thread) && !self.model.reaches(a)
            }
            Actual::Value => true,
            Actual::Address | Actual::Unknown => false,
        };
        match host {
            true => self.host_for_device(place, a),
            false => self.any_data(place, a),
        }
    }

    /// An array that the procedure allocates or frees; without a rank one of any rank.
    fn allocated(&mut self, place: &str, a: &TExpr, actual: &Actual, rank: Option<u8>) {
        match actual {
            Actual::Variable(Space::Device | Space::Managed | Space::Unified) => {}
            Actual::Address | Actual::Unknown => return,
            _ => return self.host_for_device(place, a),
        }
        let attrs = match &a.kind {
            TExprKind::Variable(_) | TExprKind::Component { .. } => {
                self.model.declared(a).map(|d| d.attrs)
            }
            _ => Some(VarAttrs::default()),
        };
        if attrs.is_some_and(|x| !x.is_dynamic()) {
            let name = self.root_name(a);
            return self.unfit(
                a.span,
                format!("{place} must be allocatable or a pointer, but `{name}` is neither"),
            );
        }
        if let Some(rank) = rank
            && a.rank >= 0
            && a.rank as u8 != rank
        {
            let given = a.rank;
            return self.unfit(
                a.span,
                format!("{place} has rank {rank}, but the actual argument has rank {given}"),
            );
        }
        let intrinsic = matches!(
            a.ty,
            Type::Integer(_) | Type::Real(_) | Type::Complex(_) | Type::Logical(_)
        );
        if !intrinsic {
            self.wrong_type(place, "of numeric or logical type, or type(c_devptr)", a);
        }
    }

    fn host_address(&mut self, place: &str, a: &TExpr, actual: &Actual) {
        if !matches!(actual, Actual::Address) {
            let given = self.model.type_name(&a.ty);
            let message = format!("{place} must be type(c_ptr), but {given} is passed");
            return self.report_help("CUF0210", a.span, message, "pass its address: `c_loc(...)`");
        }
        if let TExprKind::Runtime { name, args, .. } = &a.kind
            && matches!(name.as_str(), "c_loc" | "c_devloc")
            && let Some((_, data)) = args.first()
            && self.is_device(data)
        {
            self.device_for_host(place, data);
        }
    }

    fn kernel_name(&mut self, place: &str, a: &TExpr) {
        let TExprKind::ProcedureName(p) = a.kind else {
            let name = matches!(a.ty, Type::Character(_) | Type::Unknown | Type::Opaque(_));
            if !name && !self.is_structure(a, "c_funptr") {
                self.wrong_type(place, "a kernel", a);
            }
            return;
        };
        let spelling = self.model[p].spelling.clone();
        let what = match self.model.procedure(p) {
            None => "the name of several procedures",
            Some(k) => match k.target {
                ProcedureTarget::Global | ProcedureTarget::GridGlobal => return,
                ProcedureTarget::Device => "a device procedure",
                ProcedureTarget::Host | ProcedureTarget::HostDevice => "a host procedure",
            },
        };
        self.unfit(
            a.span,
            format!("{place} must be a kernel, but `{spelling}` is {what}"),
        );
    }
}

/// Bytes of an element of an intrinsic type, where they are known.
fn element_bytes(ty: &Type) -> Option<i64> {
    match ty {
        Type::Integer(k) | Type::Real(k) | Type::Logical(k) => Some(i64::from(*k)),
        Type::Complex(k) => Some(2 * i64::from(*k)),
        Type::Character(CharacterLength::Constant(n)) => Some(*n),
        _ => None,
    }
}
