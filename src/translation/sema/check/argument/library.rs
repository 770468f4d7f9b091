//! References of the procedures of CUDA's libraries: unlike those of a program's own procedures they are checked in full, for the Fortran
//! compiler would speak of an interface that the user has not written.

use crate::sema::check::checker::*;
use crate::sema::expression::generic::Actual;

impl Checker<'_> {
    /// Checks the reference of a procedure or generic of a library's module. None: it is no such; else whether something was reported.
    pub(in crate::translation::sema::check) fn library_reference(
        &mut self,
        symbol: SymbolId,
        args: &[Arg],
        name: Span,
        call: bool,
    ) -> Option<bool> {
        let scope = self.model[symbol].scope;
        if self.model[scope].kind == ScopeKind::External || !self.model.is_foreign(scope) {
            return None;
        }
        let specifics = match &self.model[symbol].kind {
            SymbolKind::Generic(g) => g.specifics.clone(),
            SymbolKind::Procedure(_) => vec![symbol],
            _ => return None,
        };
        if self.other_form(symbol, &specifics, name, call) {
            return Some(true);
        }
        let actuals = self.model.actuals(self.scope, args);
        let nearest = (specifics.iter())
            .filter_map(|s| Some((self.model.misfits(*s, &actuals)?, *s)))
            .min_by_key(|(misfits, _)| *misfits);
        match nearest {
            Some((misfits, specific)) => {
                let errors = |c: &Self| c.findings.iter().filter(|f| !f.warning).count();
                let before = errors(self);
                let fitted = self.model.fitted(specific, actuals);
                for (dummy, a) in &fitted {
                    if misfits > 0 {
                        self.library_actual(*dummy, a, symbol);
                    }
                    self.kept_actual(*dummy, a, symbol);
                    self.parts(*dummy, a, symbol);
                    self.option_letter(*dummy, a, symbol);
                    self.given_value(*dummy, a, symbol);
                }
                if misfits > 0 && errors(self) == before && specifics.len() > 1 {
                    self.elsewhere(&fitted, symbol);
                }
                Some(errors(self) > before)
            }
            None => {
                self.library_count(specifics.first().copied()?, &actuals, symbol, name);
                Some(true)
            }
        }
    }

    /// A function in a CALL statement, or a subroutine in an expression. True if it is one, which was reported.
    fn other_form(
        &mut self,
        symbol: SymbolId,
        specifics: &[SymbolId],
        name: Span,
        call: bool,
    ) -> bool {
        let fits = |s: &SymbolId| {
            let p = self.model.procedure(*s);
            p.is_none_or(|p| p.is_function != call)
        };
        if specifics.iter().any(fits) {
            return false;
        }
        let shown = self.model[symbol].spelling.clone();
        let (is, instead) = match call {
            true => ("function", format!("write `status = {shown}(...)`")),
            false => ("subroutine", format!("write `call {shown}(...)`")),
        };
        let instead = match self.form_with_handle(symbol) {
            Some(other) => format!(
                "{instead}; the form with a handle is `{other}`, or `{shown}` with `use cublas_v2`"
            ),
            None => instead,
        };
        let message = format!("`{shown}` is a {is}");
        self.report("CUF0369", name, message).help = Some(instead);
        true
    }

    /// The form with a handle of a procedure without one.
    fn form_with_handle(&self, symbol: SymbolId) -> Option<String> {
        let shown = &self.model[symbol].spelling;
        let other = format!("{}_v2", self.model[symbol].name);
        let scope = self.model[symbol].scope;
        self.model.lookup(scope, &other)?;
        Some(format!("{shown}_v2"))
    }

    /// Checks that no procedure of a library's module stands for a procedure, as an actual argument or the target of `pointer`: it has
    /// several interfaces, or passes its arguments as C does.
    pub(in crate::translation::sema::check) fn library_procedure(
        &mut self,
        e: &ast::Expr,
        pointer: Option<&ast::Expr>,
    ) {
        let ExprKind::Name(n) = &e.kind else { return };
        let Some(symbol) = self.model.lookup(self.scope, &n.text) else {
            return;
        };
        let scope = self.model[symbol].scope;
        if self.model[scope].kind == ScopeKind::External || !self.model.is_foreign(scope) {
            return;
        }
        let body = |s: SymbolId| self.model.procedure(s).and_then(|p| p.body);
        let declared = pointer.and_then(ast::Expr::as_name);
        let declared = declared.and_then(|p| self.model.lookup(self.scope, &p.text));
        match &self.model[symbol].kind {
            SymbolKind::Generic(_) => {}
            // `procedure(NAME), pointer :: p` has the same interface.
            SymbolKind::Procedure(p) if p.body.is_some() && declared.and_then(body) != p.body => {}
            _ => return,
        }
        self.library_interface(n, "be an actual argument or a target");
    }

    /// Reports that a name of a library's module cannot be what wants one interface.
    pub(in crate::translation::sema::check) fn library_interface(
        &mut self,
        name: &Name,
        what: &str,
    ) {
        let shown = self.slice(name.span).to_owned();
        let message = format!("library procedure `{shown}` cannot {what}");
        let help = format!("write a procedure that calls `{shown}`, and pass that");
        self.report("CUF0473", name.span, message).help = Some(help);
    }

    /// Checks that a procedure of a generic is not one of the runtime's, of which the generated modules have several by most names.
    pub(in crate::translation::sema::check) fn runtime_specific(&mut self, name: &Name) {
        let symbol = self.model.lookup(self.scope, &name.text);
        let of_runtime =
            |s: SymbolId| self.model.modules.get("cudafor") == Some(&self.model[s].scope);
        if symbol.is_some_and(of_runtime) {
            self.library_interface(name, "be a specific procedure of a generic");
        }
    }

    /// Checks the interface of a `procedure(NAME)` declaration.
    pub(in crate::translation::sema::check) fn declared_interface(&mut self, name: &Name) {
        let Some(symbol) = self.model.lookup(self.scope, &name.text) else {
            return;
        };
        let scope = self.model[symbol].scope;
        let library = self.model[scope].kind != ScopeKind::External && self.model.is_foreign(scope);
        if library && matches!(self.model[symbol].kind, SymbolKind::Generic(_)) {
            self.library_interface(name, "be an interface, because it stands for several");
        }
    }

    /// Checks whether the name is one of a library that is not offered: removed from CUDA, or refused. True if it is, which was reported.
    pub(in crate::translation::sema::check) fn not_offered(&mut self, name: &Name) -> bool {
        let external = |s: SymbolId| {
            let p = self.model.procedure(s);
            matches!(self.model[s].kind, SymbolKind::Unknown)
                || p.is_some_and(|p| p.kind == ProcedureKind::External && p.body.is_none())
        };
        if !self
            .model
            .lookup(self.scope, &name.text)
            .is_none_or(external)
        {
            return false;
        }
        let found = (self.model.foreign_modules())
            .filter(|(_, s)| self.model[*s].kind != ScopeKind::External)
            .find_map(|(module, _)| crate::libraries::missing(module, &name.text));
        let Some(message) = found else { return false };
        self.report("CUF0369", name.span, message);
        true
    }

    /// No form of the procedure has so many arguments, or arguments of these names.
    fn library_count(
        &mut self,
        specific: SymbolId,
        actuals: &[Actual],
        symbol: SymbolId,
        name: Span,
    ) {
        let shown = self.model[symbol].spelling.clone();
        let Some(p) = self.model.procedure(specific) else {
            return;
        };
        let names: Vec<String> = (p.dummies.iter().flatten())
            .map(|d| self.model[*d].spelling.to_string())
            .collect();
        let given = actuals.len();
        let keywords = actuals.iter().filter_map(|a| a.keyword.as_ref());
        let unknown = |k: &&String| !names.iter().any(|n| n.eq_ignore_ascii_case(k));
        let message = match keywords.clone().find(unknown) {
            Some(keyword) => format!("`{shown}` has no argument `{keyword}`"),
            None => format!(
                "`{shown}` takes {} arguments, but {given} are passed",
                names.len()
            ),
        };
        let mut help = format!("its arguments are ({})", names.join(", "));
        if let Some(other) = self.form_with_handle(symbol) {
            help += &format!(
                "; the form with a handle is `{other}`, or `{shown}` with `use cublas_v2`"
            );
        }
        self.report("CUF0369", name, message).help = Some(help);
    }

    fn library_actual(&mut self, dummy: SymbolId, a: &TExpr, symbol: SymbolId) {
        let Some(v) = self.model.variable(dummy) else {
            return;
        };
        let (name, shown) = (
            self.model[dummy].spelling.clone(),
            self.model[symbol].spelling.clone(),
        );
        if !self.model.accepts(v, a) && !self.model.takes_parts(dummy, a) {
            let message = format!(
                "argument `{name}` of `{shown}` must be {}, but {} is passed",
                self.model.type_name(&v.ty),
                self.model.type_name(&a.ty)
            );
            self.report("CUF0369", a.span, message);
            return;
        }
        // Of what is for the runtime itself: host data stays host data.
        if v.ty == Type::AssumedType {
            return;
        }
        if !self.model.fits_rank(v, a) {
            let (is, given) = match v.dims.is_empty() {
                true => ("a scalar", "an array"),
                false => ("an array", "a scalar"),
            };
            let message =
                format!("argument `{name}` of `{shown}` must be {is}, but {given} is passed");
            self.report("CUF0369", a.span, message);
            return;
        }
        self.host_actual(dummy, v, a);
    }

    /// An argument of which the library keeps the address cannot be a copy.
    fn kept_actual(&mut self, dummy: SymbolId, a: &TExpr, symbol: SymbolId) {
        if !self.model.keeps_address(dummy) || !self.model.surely_has_gaps(a) {
            return;
        }
        let (name, shown) = (&self.model[dummy].spelling, &self.model[symbol].spelling);
        let message = format!(
            "section `{}` is not contiguous, but `{shown}` keeps the address of `{name}`\nnote: a contiguous copy would no longer exist after `{shown}` returns",
            self.slice(a.span)
        );
        self.report("CUF0369", a.span, message).help =
            Some("assign the section to an array and pass that".to_owned());
    }

    /// Complex numbers where the library takes reals: twice as many numbers.
    fn parts(&mut self, dummy: SymbolId, a: &TExpr, symbol: SymbolId) {
        if !self.model.takes_parts(dummy, a) {
            return;
        }
        let (name, shown) = (&self.model[dummy].spelling, &self.model[symbol].spelling);
        let complex = self.slice(a.span);
        let sequence = a.rank == 0 || self.model.surely_contiguous(a);
        let message = match sequence {
            true => format!(
                "complex data `{complex}` is passed to argument `{name}` of `{shown}`, which takes reals\nnote: its address is passed, and each complex number counts as two reals: its real and its imaginary part"
            ),
            false => format!(
                "complex data `{complex}`, which may have gaps, is passed to argument `{name}` of `{shown}`, which takes reals\nhelp: pass its first element, or an array without gaps"
            ),
        };
        self.report("CUF0369", a.span, message).warning = sequence;
    }

    /// A value where the library stores a result.
    fn given_value(&mut self, dummy: SymbolId, a: &TExpr, symbol: SymbolId) {
        let stores = (self.model.variable(dummy)).is_some_and(|v| v.intent == Some(Intent::Out));
        let value = matches!(a.ty, Type::Integer(_) | Type::Real(_) | Type::Complex(_));
        if !stores || !value || a.is_designator() {
            return;
        }
        let (name, shown) = (&self.model[dummy].spelling, &self.model[symbol].spelling);
        let message =
            format!("argument `{name}` of `{shown}` is an output, so it must be a variable");
        self.report("CUF0369", a.span, message);
    }

    /// A letter that is no option of the BLAS.
    fn option_letter(&mut self, dummy: SymbolId, a: &TExpr, symbol: SymbolId) {
        let option = self.model.variable(dummy).and_then(|v| v.option);
        let (Some(option), Some(Constant::Character(text))) = (option, &a.value) else {
            return;
        };
        if option.number(text).is_some() {
            return;
        }
        let (name, shown) = (&self.model[dummy].spelling, &self.model[symbol].spelling);
        let message = format!(
            "`{text}` is not a valid value for argument `{name}` of `{shown}`\nhelp: valid values are `{}`",
            option.letters()
        );
        self.report("CUF0369", a.span, message);
    }

    /// Device scalars where the specific procedure that is nearest has dummies of the host: what a procedure that is not generic gets as
    /// a copy, but the Fortran compiler, which does not see memory, would choose any specific.
    fn elsewhere(&mut self, fitted: &[(SymbolId, TExpr)], symbol: SymbolId) {
        for (dummy, a) in fitted {
            let Some(v) = self.model.variable(*dummy) else {
                continue;
            };
            if !self.model.lies_elsewhere(v, a) {
                continue;
            }
            let (name, shown) = (&self.model[*dummy].spelling, &self.model[symbol].spelling);
            let message = format!(
                "`{}` is in device memory, but this form of `{shown}` reads argument `{name}` on the host",
                self.slice(a.span)
            );
            self.report("CUF0369", a.span, message).help = Some(
                "assign it to a host variable and pass that, or set the pointer mode of the library so that it reads all such arguments on the device"
                    .to_owned(),
            );
        }
    }
}
