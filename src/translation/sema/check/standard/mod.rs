//! Rules of standard Fortran for device code and CUF loops, which no Fortran compiler sees: types, ranks, arguments, labels,
//! DO variables. Of host code they are left to gfortran. Types that are not known are taken to fit.

mod logic;
mod refused;

use super::argument::literal_of_type;
use super::checker::*;
use crate::intrinsics::{Bits, Conversion, Intrinsic, Numeric, Product};
use crate::suggest;

/// What an intrinsic function asks of its arguments.
enum Wanted {
    /// The first one is real or complex.
    Floating,
    /// All are integers.
    Integers,
    /// All have rank 1.
    Vectors,
    /// The first one is an array.
    Array,
}

fn wanted(i: Intrinsic) -> Option<Wanted> {
    Some(match i {
        Intrinsic::Numeric(i) => {
            use Numeric::*;
            match i {
                Acos | Acosh | Asin | Asinh | Atan | Atan2 | Atanh | Conjg | Cos | Cosh | Erf
                | Erfc | Exp | Gamma | Log | Log10 | LogGamma | Sin | Sinh | Sqrt | Tan => {
                    Wanted::Floating
                }
                _ => return None,
            }
        }
        Intrinsic::Conversion(i) => {
            use Conversion::*;
            match i {
                Aimag | Aint | Anint | Ceiling | Floor => Wanted::Floating,
                _ => return None,
            }
        }
        // The extensions AND, OR, XOR take logicals, too.
        Intrinsic::Bits(Bits::And | Bits::Or | Bits::Xor) => return None,
        Intrinsic::Bits(_) => Wanted::Integers,
        Intrinsic::Product(Product::DotProduct) => Wanted::Vectors,
        Intrinsic::Reduction(_) | Intrinsic::Location(_) => Wanted::Array,
        _ => return None,
    })
}

/// What types can be assigned and compared with each other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Number,
    Logical,
    Character,
    Derived,
}

fn class(t: &Type) -> Option<Class> {
    Some(match t {
        Type::Integer(_) | Type::Real(_) | Type::Complex(_) | Type::Boz => Class::Number,
        Type::Logical(_) => Class::Logical,
        Type::Character(_) => Class::Character,
        Type::Derived(_) | Type::Class(_) => Class::Derived,
        _ => return None,
    })
}

/// The class of a value; None for votes and the like, which programs take for integers or logical values as they like.
fn class_of(e: &TExpr) -> Option<Class> {
    let either = matches!(e.ty, Type::Logical(_) | Type::Integer(_));
    let vote = either && matches!(e.unparenthesised().kind, TExprKind::Runtime { .. });
    if vote { None } else { class(&e.ty) }
}

/// A value may be assigned to a variable of another type. Logical and integer values convert into each other as nvfortran does it
/// (decision 1013).
fn converts(from: &TExpr, to: &TExpr) -> bool {
    let either = |t: &Type| matches!(t, Type::Logical(_) | Type::Integer(_));
    match (class_of(from), class(&to.ty)) {
        (Some(a), Some(b)) => a == b || either(&from.ty) && either(&to.ty),
        _ => true,
    }
}

impl Checker<'_> {
    /// An assignment, after those by defined assignment.
    pub(super) fn standard_assignment(&mut self, l: &TExpr, r: &TExpr) {
        if !l.is_designator() || self.model.defined_assignment(self.scope, l, r).is_some() {
            return;
        }
        if class(&l.ty).is_some_and(|c| c != Class::Derived)
            && (r.is_designator()
                || matches!(
                    r.unparenthesised().kind,
                    TExprKind::Builtin { .. } | TExprKind::ArrayConstructor { .. }
                ))
            && self.coordinates(r, "the assigned value")
        {
            return;
        }
        if self.is_coordinates(l) && class(&r.ty).is_some_and(|c| c != Class::Derived) {
            let given = self.model.type_name(&r.ty);
            let message = format!("{given} cannot be assigned to type(dim3)");
            self.report("CUF0208", r.span, message);
        }
        // The runtime's types have assignments of their own.
        let external = |t: &Type| matches!(t, Type::Derived(d) if self.model[*d].external);
        if external(&l.ty) || external(&r.ty) {
            return;
        }
        let same = match (&l.ty, &r.ty) {
            (Type::Derived(a) | Type::Class(a), Type::Derived(b) | Type::Class(b)) => {
                self.model.same_type(*a, *b) || self.model.extends(*b, *a)
            }
            _ => converts(r, l),
        };
        if !same {
            let message = format!(
                "{} cannot be assigned to {}",
                self.model.type_name(&r.ty),
                self.model.type_name(&l.ty)
            );
            self.report("CUF0208", r.span, message);
        } else if l.rank >= 0 && r.rank > 0 && l.rank != r.rank && r.ty != Type::Unknown {
            let message = format!(
                "left-hand side has rank {}, but right-hand side has rank {}",
                l.rank, r.rank
            );
            self.report("CUF0209", r.span, message);
        }
    }

    /// A value that stands in a statement: conditions and selectors.
    pub(super) fn standard_value(&mut self, s: &Stmt, t: &TExpr) {
        let number = matches!(
            s.kind,
            StmtKind::If { .. }
                | StmtKind::LogicalIf { .. }
                | StmtKind::ArithmeticIf { .. }
                | StmtKind::Do(_)
                | StmtKind::Forall { .. }
                | StmtKind::Select(_)
                | StmtKind::ComputedGoto { .. }
        );
        if number && self.coordinates(t, "this value") {
            return;
        }
        let given = || self.model.type_name(&t.ty);
        match &s.kind {
            StmtKind::If { .. } | StmtKind::LogicalIf { .. } => self.condition(t),
            StmtKind::Do(d) if matches!(d.control, DoControl::While(_)) => self.condition(t),
            StmtKind::Select(sel)
                if sel.kind == SelectKind::Case
                    && matches!(t.ty, Type::Real(_) | Type::Complex(_) | Type::Derived(_)) =>
            {
                let message = format!(
                    "`select case` requires an integer, logical, or character expression, not {}",
                    given()
                );
                self.report("CUF0208", t.span, message);
            }
            StmtKind::Select(sel) if sel.kind == SelectKind::Case => self.case_values(sel, t),
            _ => {}
        }
    }

    fn condition(&mut self, t: &TExpr) {
        let logical = class_of(t).is_none_or(|c| c == Class::Logical);
        // nvfortran's extension, see `integer_logic`.
        let logical = logical || matches!(t.ty, Type::Integer(_));
        if !logical || t.rank > 0 {
            let given = self.model.type_name(&t.ty);
            let array = if t.rank > 0 { "an array of " } else { "" };
            self.report(
                "CUF0208",
                t.span,
                format!("condition must be a logical scalar, not {array}{given}"),
            );
        }
    }

    /// What a statement of the host gives a value or a place, if it is data that the Fortran compiler does not see as it is.
    pub(super) fn changed_by_host(&mut self, t: &TExpr) {
        let seen = self
            .model
            .space(t)
            .is_none_or(|s| matches!(s, Space::Host | Space::Thread | Space::Constant));
        if !seen {
            self.changeable(t);
        }
    }

    /// Reports a designator that has INTENT(IN), or is protected and of another module.
    pub(super) fn changeable(&mut self, t: &TExpr) -> bool {
        let why = match self.model.unchangeable(t) {
            Some(("CUF0335", why)) => why,
            _ if self.is_protected(t) => "is protected by its module",
            _ => return true,
        };
        let name = self.root_name(t);
        let message = format!("`{name}` {why} and cannot be modified");
        self.report("CUF0335", t.span, message);
        false
    }

    fn is_protected(&self, t: &TExpr) -> bool {
        let Some(root) = t.root() else { return false };
        let protected = self
            .model
            .variable(root)
            .is_some_and(|v| v.attrs.has(VarAttrs::PROTECTED));
        let home = self.model[root].scope;
        protected
            && !std::iter::successors(Some(self.scope), |s| self.model[*s].parent)
                .any(|s| s == home)
    }

    /// Bounds of ALLOCATE, as many as the array has dimensions.
    pub(super) fn allocated_shape(&mut self, o: &AllocateObject, sourced: bool) {
        let t = self.expr(&o.object);
        let given = o.bounds.as_ref().map_or(0, |b| b.dims.len());
        let unknown = t.rank < 0 || t.ty == Type::Unknown;
        if unknown || given == t.rank as usize || given == 0 && sourced {
            return;
        }
        let name = self.root_name(&t);
        let message = format!(
            "array `{name}` has rank {}, but is allocated with rank {}",
            t.rank,
            counted(given, "dimension")
        );
        self.report("CUF0209", o.span, message);
    }

    /// The labels that a statement of device code branches to.
    pub(super) fn standard_labels(&mut self, s: &Stmt) {
        let labels = match &s.kind {
            StmtKind::Goto(label) => std::slice::from_ref(label),
            StmtKind::ComputedGoto { labels, .. } => labels,
            StmtKind::ArithmeticIf { labels, .. } => labels,
            _ => return,
        };
        labels.iter().for_each(|l| self.label(*l, s.span));
    }

    fn label(&mut self, label: u32, span: Span) {
        if !self.labels.contains(&label) {
            self.report(
                "CUF0211",
                span,
                format!("label `{label}` is not defined in this procedure"),
            );
        }
    }

    /// The variable of a loop around the statement gets no value (F2018 11.1.7.4.3).
    pub(super) fn do_variable(&mut self, target: &ast::Expr) {
        let Some(n) = target.as_name() else { return };
        let symbol = self.model.lookup(self.scope, &n.text);
        if symbol.is_some_and(|s| self.counting.contains(&s)) {
            let name = self.slice(n.span).to_owned();
            self.report(
                "CUF0212",
                n.span,
                format!(
                    "`{name}` is the variable of an enclosing `do` loop and cannot be modified inside it"
                ),
            );
        }
    }

    /// One node of an expression.
    pub(super) fn standard_node(&mut self, e: &TExpr) {
        if self.coordinates_within(e) {
            return;
        }
        match &e.kind {
            TExprKind::Index { base, subs } => self.subscripts(e, base, subs),
            TExprKind::Binary { lhs, rhs, .. }
                if lhs.rank > 0 && rhs.rank > 0 && lhs.rank != rhs.rank =>
            {
                let message = format!(
                    "left operand has rank {}, but right operand has rank {}",
                    lhs.rank, rhs.rank
                );
                self.report("CUF0209", e.span, message);
            }
            TExprKind::Binary {
                op: BinaryOp::And | BinaryOp::Or | BinaryOp::Eqv | BinaryOp::Neqv,
                lhs,
                rhs,
            } => {
                // Integers are taken, see `integer_logic`.
                let truth = |x: &TExpr, other: &TExpr| {
                    let beside = matches!(other.ty, Type::Logical(_) | Type::Integer(_));
                    matches!(x.ty, Type::Integer(_)) && beside
                };
                for (x, other) in [(lhs, rhs), (rhs, lhs)] {
                    let fits = class_of(x).is_none_or(|c| c == Class::Logical) || truth(x, other);
                    if !fits {
                        let given = self.model.type_name(&x.ty);
                        self.report(
                            "CUF0208",
                            x.span,
                            format!("operands of a logical operator must be logical, not {given}\nhelp: for bits write `iand`, `ior`, `ieor`, or `not`"),
                        );
                    }
                }
            }
            TExprKind::Unary { op, operand } => {
                let fits = match op {
                    // nvfortran's integer as a condition.
                    UnaryOp::Not => matches!(operand.ty, Type::Logical(_) | Type::Integer(_)),
                    _ => class(&operand.ty) == Some(Class::Number),
                };
                if !fits && class_of(operand).is_some() {
                    let given = self.model.type_name(&operand.ty);
                    let message = format!("operator is not defined for {given}");
                    self.report("CUF0208", e.span, message);
                }
            }
            TExprKind::Call {
                procedure, args, ..
            } => {
                if self
                    .model
                    .procedure(*procedure)
                    .is_some_and(|p| !p.is_function && p.body.is_some() && !p.external_module)
                {
                    let name = self.model[*procedure].spelling.clone();
                    let message = format!(
                        "`{name}` is a subroutine and has no value\nhelp: write `call {name}(...)` as a statement of its own"
                    );
                    self.report("CUF0210", e.span, message);
                    return;
                }
                self.arguments(*procedure, args, e.span);
            }
            TExprKind::BoundCall {
                procedure, args, ..
            } => self.arguments(*procedure, args, e.span),
            TExprKind::Intrinsic { intrinsic, args } => {
                self.intrinsic_arguments(*intrinsic, args, e.span)
            }
            _ => {}
        }
    }

    pub(super) fn subscripts(&mut self, e: &TExpr, base: &TExpr, subs: &[Subscript]) {
        let declared = match &base.kind {
            TExprKind::Variable(s) => match &self.model[*s].kind {
                SymbolKind::Variable(v) if v.attrs.has(VarAttrs::CRAY_POINTEE) => return,
                SymbolKind::Variable(_) | SymbolKind::Parameter(_) => self.model.dims(*s).len(),
                _ => return,
            },
            TExprKind::Component { of, index, .. } => {
                match self.model.components_of(*of).get(*index) {
                    Some(f) => f.dims.len(),
                    None => return,
                }
            }
            _ => return,
        };
        if declared != subs.len() && declared > 0 && base.rank >= 0 {
            let name = self.root_name(base);
            let message = format!(
                "array `{name}` has rank {declared}, but has {} here",
                counted(subs.len(), "subscript")
            );
            self.report("CUF0209", e.span, message);
        }
        let values = subs.iter().flat_map(|s| match s {
            Subscript::Element(x) | Subscript::Vector(x) => [Some(x), None, None],
            Subscript::Range { lo, hi, step } => [lo.as_ref(), hi.as_ref(), step.as_ref()],
        });
        for x in values.flatten() {
            if !self.coordinates(x, "a subscript")
                && class(&x.ty).is_some()
                && !matches!(x.ty, Type::Integer(_) | Type::Boz)
            {
                let given = self.model.type_name(&x.ty);
                let message = format!("subscript must be an integer, not {given}");
                self.report("CUF0208", x.span, message);
            }
        }
    }

    /// Actual arguments of a procedure with an explicit interface, as [`Model::call`] gives them.
    pub(super) fn arguments(&mut self, procedure: SymbolId, args: &[Option<TExpr>], span: Span) {
        let model = self.model;
        let Some(p) = model.procedure(procedure) else {
            return;
        };
        if p.body.is_none() || p.external_module {
            return;
        }
        let name = &model[procedure].spelling;
        if args.len() > p.dummies.len() {
            let message = format!(
                "too many arguments: `{name}` has {}",
                counted(p.dummies.len(), "argument")
            );
            self.report("CUF0210", span, message);
            return;
        }
        for (i, d) in p.dummies.iter().enumerate() {
            let Some(d) = d else { continue };
            // A dummy procedure is the lowering's.
            let Some(v) = model.variable(*d) else {
                continue;
            };
            let dummy = &model[*d].spelling;
            match args.get(i).and_then(Option::as_ref) {
                None if !v.attrs.has(VarAttrs::OPTIONAL) => {
                    let message = format!("argument `{dummy}` of `{name}` is missing");
                    self.report("CUF0210", span, message);
                }
                None => {}
                Some(a)
                    if v.space == Space::Constant
                        && self.model.space(a) != Some(Space::Constant) =>
                {
                    let shown = self.root_name(a);
                    let message = format!(
                        "`{shown}` without the `constant` attribute is passed to `constant` dummy `{dummy}`"
                    );
                    self.report("CUF0398", a.span, message);
                }
                Some(a)
                    if class(&v.ty).is_some_and(|c| c != Class::Derived)
                        && self.coordinates(a, &format!("argument `{dummy}` of `{name}`")) => {}
                Some(a) => {
                    if let Some(why) = self.misfit(v, a, p.elemental) {
                        let message = format!("argument `{dummy}` of `{name}` {why}");
                        self.report("CUF0210", a.span, message);
                    }
                }
            }
        }
    }

    /// Why an actual argument does not fit its dummy.
    fn misfit(&self, v: &Variable, a: &TExpr, elemental: bool) -> Option<String> {
        let unknown = |t: &Type| matches!(t, Type::Unknown | Type::Opaque(_));
        if unknown(&a.ty) || unknown(&v.ty) || matches!(a.kind, TExprKind::Null) {
            return None;
        }
        if !self.model.accepts(v, a) {
            let (wanted, given) = (self.model.type_name(&v.ty), self.model.type_name(&a.ty));
            let help = literal_of_type(self.slice(a.span), &v.ty)
                .map_or_else(String::new, |literal| format!("\nhelp: write `{literal}`"));
            return Some(format!("must be {wanted}, but {given} is passed{help}"));
        }
        if elemental || v.attrs.has(VarAttrs::IGNORE_RANK) || a.rank < 0 {
            return None;
        }
        let wanted = v.dims.len();
        let given = a.rank as usize;
        let exact = v.dims.iter().all(|d| matches!(d, Dim::Colon { .. }));
        let sequence = v
            .dims
            .iter()
            .all(|d| matches!(d, Dim::Explicit { .. } | Dim::AssumedSize { .. }));
        let fits = match (wanted, given) {
            (0, 0) => true,
            (0, _) => false,
            // An element stands for the rest of its array; a character for its letters.
            (_, 0) if sequence => {
                matches!(a.ty, Type::Character(_))
                    || !matches!(a.kind, TExprKind::Variable(_)) && a.is_designator()
            }
            _ if exact => wanted == given,
            _ => true,
        };
        (!fits).then(|| format!("has rank {wanted}, but the actual argument has rank {given}"))
    }

    /// Names behind `%` that the type does not have, where an expression could not be typed.
    pub(super) fn unknown_components(&mut self, e: &ast::Expr, t: &TExpr) {
        let mut unknown = false;
        t.walk(&mut |x| unknown |= matches!(x.kind, TExprKind::Unknown));
        if unknown {
            self.unknown_component(e);
        }
    }

    fn unknown_component(&mut self, e: &ast::Expr) {
        if let ExprKind::Component { base, name } = &e.kind
            && let Type::Derived(ty) | Type::Class(ty) = self.expr(base).ty
            && !self.model[ty].external
            && self.model.binding(ty, &name.text).is_none()
        {
            let parent = |t: TypeId| self.model[t].parent;
            let mut ancestors = std::iter::successors(parent(ty), |t| parent(*t)).take(64);
            let known = self
                .model
                .components_of(ty)
                .iter()
                .any(|f| f.name == name.text.as_str())
                || ancestors.any(|t| self.model[t].name == name.text.as_str());
            if !known {
                let of = &self.model[ty].name;
                let fields = self.model.components_of(ty);
                let names = fields.iter().map(|f| f.name.as_str());
                let text = self.slice(name.span).to_owned();
                let near = suggest::nearest(&text, names).map(str::to_owned);
                let message = format!("type `{of}` has no component `{text}`");
                let found = self.report("CUF0213", name.span, message);
                if let Some(near) = near {
                    found.help = Some(format!("did you mean `{near}`?"));
                    found.proposal = Some(Proposal {
                        span: name.span,
                        text: near,
                        is_safe: false,
                    });
                }
            }
        }
        let mut parts = Vec::new();
        e.for_each_child(&mut |c| parts.push(c));
        for p in parts {
            self.unknown_component(p);
        }
    }

    /// Arguments of an intrinsic procedure are as many as it has dummies, with those that are not optional.
    pub(super) fn fits_dummies(
        &mut self,
        i: Intrinsic,
        args: &[Option<TExpr>],
        span: Span,
    ) -> bool {
        let count = i.dummies().count();
        let given = |at: usize| args.get(at).is_some_and(Option::is_some);
        let mut required = i.dummies().enumerate().filter(|(_, d)| !d.1);
        let message = if args.len() > count && !i.is_variadic() {
            let has = counted(count, "argument");
            format!("too many arguments: `{i}` has {has}")
        } else if let Some((_, (dummy, _))) = required.find(|(at, _)| !given(*at)) {
            format!("argument `{dummy}` of `{i}` is missing")
        } else {
            return true;
        };
        self.report("CUF0210", span, message);
        false
    }

    fn intrinsic_arguments(&mut self, i: Intrinsic, args: &[Option<TExpr>], span: Span) {
        if !self.fits_dummies(i, args, span) {
            return;
        }
        let Some(first) = args.first().and_then(Option::as_ref) else {
            return;
        };
        self.intrinsic_dummies(i, args, true);
        let known = |a: &TExpr| class(&a.ty).is_some();
        match wanted(i) {
            Some(Wanted::Floating)
                if known(first) && !matches!(first.ty, Type::Real(_) | Type::Complex(_)) =>
            {
                let given = self.model.type_name(&first.ty);
                let message = format!("argument of `{i}` must be real or complex, not {given}");
                self.report("CUF0208", first.span, message);
            }
            Some(Wanted::Integers) => {
                let other = |a: &&TExpr| !matches!(a.ty, Type::Integer(_) | Type::Boz);
                for a in args.iter().flatten().filter(|a| known(a)).filter(other) {
                    let given = self.model.type_name(&a.ty);
                    let message = format!("arguments of `{i}` must be integers, not {given}");
                    self.report("CUF0208", a.span, message);
                }
            }
            Some(Wanted::Vectors) => {
                let other = |a: &&TExpr| a.rank != 1 && a.rank >= 0;
                for a in args.iter().flatten().filter(|a| known(a)).filter(other) {
                    let message = format!("arguments of `{i}` must have rank 1, not {}", a.rank);
                    self.report("CUF0209", a.span, message);
                }
            }
            Some(Wanted::Array) if first.rank == 0 && known(first) => {
                let message = format!("argument of `{i}` must be an array");
                self.report("CUF0209", first.span, message);
            }
            _ => {}
        }
    }

    /// Values in the form of DATA, of variables of a device subprogram.
    pub(super) fn standard_data(&mut self, set: &ast::DataSet, span: Span) {
        for n in set.names() {
            let shown = self.slice(n.span).to_owned();
            let own = self.variable_named(&n.text);
            let message = match own {
                Some(v) if v.space == Space::Shared => format!(
                    "shared variable `{shown}` cannot be initialized\nnote: initialization implies `save`"
                ),
                Some(v) if v.dummy.is_none() && !v.is_result && !v.attrs.is_dynamic() => continue,
                _ => format!(
                    "`{shown}` cannot be initialized by a `data` statement\nnote: it is not a local variable"
                ),
            };
            self.report("CUF0321", n.span, message);
        }
        if let Some(m) = self.model.data_mismatch(self.scope, set) {
            let message = format!(
                "`data` statement has {}, but its objects have {}",
                counted(m.values, "value"),
                counted(m.elements, "element")
            );
            self.report("CUF0321", span, message);
        }
    }
}

/// `1 argument`, `2 arguments`
fn counted(n: usize, what: &str) -> String {
    match n {
        1 => format!("1 {what}"),
        _ => format!("{n} {what}s"),
    }
}
