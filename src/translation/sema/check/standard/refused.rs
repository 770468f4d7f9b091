//! Host code that nvfortran takes or ignores and Fortran compilers refuse, where its meaning is not clear enough to rewrite it: told here, by the user's
//! statement, and not by the compiler of the generated code.

use crate::intrinsics::{Choice, Intrinsic, Numeric, System};
use crate::sema::check::checker::*;
use crate::sema::expression::call::ResolvedCall;

/// The code of all that the file reports, but for a name without a type.
const CODE: &str = "CUF0465";

/// Parts of a specification part, in their order (F2018 R504).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Use,
    Import,
    Implicit,
    Declarations,
}

impl Part {
    /// None of what may stand in several parts.
    fn of(d: &DeclKind) -> Option<Part> {
        Some(match d {
            DeclKind::Use(_) => Part::Use,
            DeclKind::Import { .. } => Part::Import,
            DeclKind::ImplicitNone | DeclKind::Implicit(_) => Part::Implicit,
            DeclKind::Parameter(_) | DeclKind::Format | DeclKind::Data(_) | DeclKind::Other => {
                return None;
            }
            _ => Part::Declarations,
        })
    }

    fn name(self) -> &'static str {
        match self {
            Part::Use => "a `use` statement",
            Part::Import => "an `import` statement",
            Part::Implicit => "an `implicit` statement",
            Part::Declarations => "a declaration",
        }
    }
}

impl Checker<'_> {
    /// The declarations of a unit, an interface body or a BLOCK.
    pub(in crate::translation::sema::check) fn refused_declarations(&mut self, spec: &[Decl]) {
        self.order_of_statements(spec);
        for d in spec {
            match &d.kind {
                DeclKind::Attributes { attrs, entities } => {
                    for e in entities {
                        self.typeless(e, attrs);
                    }
                }
                DeclKind::Common(blocks) => {
                    for e in blocks.iter().flat_map(|(_, m)| m) {
                        self.object_in_common(&e.name);
                    }
                }
                DeclKind::Type(t) => {
                    self.parameterized(&t.spec);
                    self.kind_by_function(&t.spec);
                    for e in &t.entities {
                        if let Some(Init::Value(x)) = e.init.as_deref() {
                            let value = self.expr(x);
                            self.mixed_constructors(&value, false);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// A function whose result has one type in the FUNCTION statement and another in a declaration.
    pub(in crate::translation::sema::check) fn second_type(
        &mut self,
        unit: &ProgramUnit,
        scope: ScopeId,
    ) {
        let result = self.procedure_of(scope).and_then(|p| p.result);
        let (Some(spec), Some(result)) = (&unit.prefix.result_type, result) else {
            return;
        };
        let name = &self.model[result].name;
        let first = self.model.type_of_spec(scope, spec);
        for d in &unit.spec {
            let DeclKind::Type(t) = &d.kind else { continue };
            let Some(e) = t.entities.iter().find(|e| e.name.text == name.as_str()) else {
                continue;
            };
            let second = self.model.type_of_spec(scope, &t.spec);
            if first != second || e.len.is_some() {
                let (a, b) = (self.model.type_name(&first), self.model.type_name(&second));
                let message = format!(
                    "function `{name}` has type `{a}` in its `function` statement, but type `{b}` in a declaration"
                );
                self.report("CUF0202", e.name.span, message);
            }
        }
    }

    /// USE before IMPORT, IMPORT before IMPLICIT, and that before declarations.
    fn order_of_statements(&mut self, spec: &[Decl]) {
        let mut last = Part::Use;
        for d in spec {
            let Some(part) = Part::of(&d.kind) else {
                continue;
            };
            if part < last {
                let message = format!("{} appears after {}", part.name(), last.name());
                let help = format!("move it before {}", last.name());
                self.report_help(CODE, d.span, message, &help);
            }
            last = last.max(part);
        }
    }

    /// `attributes(device) :: x` of an `x` that nothing gives a type.
    fn typeless(&mut self, e: &Entity, attrs: &[Attr]) {
        if !attrs.iter().any(|a| matches!(a.kind, AttrKind::Cuda(_))) {
            return;
        }
        let symbol = self.model[self.scope].names.get(e.name.text.as_str());
        let v = symbol.and_then(|s| self.model.variable(*s));
        if v.is_some_and(|v| !v.declared && v.ty == Type::Unknown && !v.is_result) {
            let name = self.slice(e.name.span);
            let message = format!("`{name}` has a memory attribute but no type");
            let help = format!("declare it: `real, device :: {name}`");
            self.report_help("CUF0201", e.name.span, message, &help);
        }
    }

    /// Structures in COMMON have no initial values and no allocatable components (F2018 C875, C8119).
    fn object_in_common(&mut self, name: &Name) {
        let symbol = self.model[self.scope].names.get(name.text.as_str());
        let Some(v) = symbol.and_then(|s| self.model.variable(*s)) else {
            return;
        };
        let Type::Derived(t) = v.ty else { return };
        let allocatable = |f: &Field| f.attrs.has(VarAttrs::ALLOCATABLE);
        let part = |f: &Field| !f.attrs.is_dynamic();
        let what = if self.model.has_component(t, allocatable, part) {
            "has an allocatable component"
        } else if self.model.has_default_init(&v.ty) {
            "has initial values"
        } else if !(self.model[t].sequence || self.model[t].bind_c || self.model[t].external) {
            "is not a `sequence` type"
        } else {
            return;
        };
        let shown = self.slice(name.span);
        let of = &self.model[t].name;
        let message = format!("`{shown}` is in a common block, but its type `{of}` {what}");
        let help = "put the variable in a module instead of a common block";
        self.report_help(CODE, name.span, message, help);
    }

    /// A type with device components and values of its parameters for which it has not become a type of its own (`pipeline/parameterized/`).
    fn parameterized(&mut self, spec: &TypeSpec) {
        let Some((name, params)) = spec.derived() else {
            return;
        };
        let (Type::Derived(t) | Type::Class(t)) = self.model.type_of_spec(self.scope, spec) else {
            return;
        };
        let own = self.model.has_parameters(t) && self.model.contains_device_component(t);
        if !params.is_empty() && own {
            let shown = self.slice(name.span);
            let message = format!(
                "type `{shown}` has device components, but cannot be translated for these values of its parameters"
            );
            let help = "give all parameters of the type constant values (one length for each kind where a dummy argument has `*`), bind no procedures to it, and name its kinds in the file that defines it if files are compiled one by one; or write a type without parameters";
            self.report_help(CODE, spec.span, message, help);
        }
    }

    /// The name of a function in the place of a kind or a type, as `integer(cudaDataType)`.
    fn kind_by_function(&mut self, spec: &TypeSpec) {
        let (n, what) = match &spec.kind {
            TypeSpecKind::Intrinsic { kind: Some(k), .. } => match &k.kind {
                ExprKind::Name(n) => (n, "a kind must be a constant"),
                _ => return,
            },
            TypeSpecKind::Derived { name, .. } => (name, "a derived type is needed here"),
            _ => return,
        };
        let symbol = self.model.lookup(self.scope, &n.text);
        if symbol.is_some_and(|s| matches!(self.model[s].kind, SymbolKind::Procedure(_))) {
            let shown = self.slice(n.span);
            let message = format!("{what}, but `{shown}` is a function");
            let help = match n.text.as_str() {
                "cudadatatype" => "types of data are default integers: `integer :: t`",
                _ => "write a constant or a type that is defined",
            };
            self.report_help(CODE, n.span, message, help);
        }
    }

    /// Guards of SELECT TYPE for real(2), whose type in host code has BIND(C) (F2018 C1162): nothing polymorphic has that type, see
    /// `polymorphic_half`, so that the block is left out.
    pub(in crate::translation::sema::check) fn type_guards(&mut self, select: &Select) {
        for c in &select.cases {
            let CaseGuard::TypeIs(spec) = &c.guard else {
                continue;
            };
            if self.model.type_of_spec(self.scope, spec) == Type::Real(2) {
                let message = "`type is (real(2))` never matches in host code and is dropped\nnote: host code has no polymorphic objects of type `real(2)`";
                self.report("CUF0502", spec.span, message).warning = true;
            }
        }
    }

    /// A value or object of real(2) for something polymorphic.
    pub(in crate::translation::sema::check) fn polymorphic_half(&mut self, to: &Type, a: &TExpr) {
        if *to == Type::ClassStar && a.ty == Type::Real(2) {
            let message = "data of type `real(2)` cannot become polymorphic in host code";
            let help = "convert it to `real(4)`, or use a dummy argument of type `real(2)`";
            self.report_help(CODE, a.span, message, help);
        }
    }

    /// The same of components in structure constructors.
    pub(in crate::translation::sema::check) fn polymorphic_components(&mut self, e: &TExpr) {
        let mut found: Vec<TExpr> = Vec::new();
        e.walk(&mut |x| {
            if let TExprKind::Structure { of, args } = &x.kind {
                let fields = self.model.components_of(*of);
                for (f, a) in fields.iter().zip(args) {
                    found.extend(a.iter().filter(|_| f.ty == Type::ClassStar).cloned());
                }
            }
        });
        for a in found {
            self.polymorphic_half(&Type::ClassStar, &a);
        }
    }

    /// Array constructors of numbers of several types or kinds, without a type of their own, whose elements the type of the first cannot
    /// all have. In device code integers of several kinds are elements of the largest, which has all their values.
    pub(in crate::translation::sema::check) fn mixed_constructors(
        &mut self,
        e: &TExpr,
        on_device: bool,
    ) {
        let mut found: Vec<(Span, String, String)> = Vec::new();
        e.walk(&mut |x| {
            let TExprKind::ArrayConstructor { items } = &x.kind else {
                return;
            };
            if on_device && items.iter().all(|i| matches!(i.ty, Type::Integer(_))) {
                return;
            }
            let (Some(first), Some(Err(other))) = (items.first(), mixed_numbers(items)) else {
                return;
            };
            let head = self.slice(Span {
                start: x.span.start,
                end: first.span.start,
            });
            if !head.contains("::") {
                let (a, b) = (
                    self.model.type_name(&first.ty),
                    self.model.type_name(&other.ty),
                );
                found.push((
                    other.span,
                    format!("array constructor has elements of type `{a}` and of type `{b}`"),
                    format!("give the constructor a type: `[{b} :: ...]`"),
                ));
            }
        });
        for (span, message, help) in found {
            self.report_help(CODE, span, message, &help);
        }
    }

    /// Values of type(dim3) as operands and subscripts in host code.
    pub(in crate::translation::sema::check) fn host_coordinates(&mut self, e: &TExpr) {
        let mut found: Vec<(TExpr, &str)> = Vec::new();
        e.walk(&mut |x| match &x.kind {
            TExprKind::Binary { lhs, rhs, .. } => {
                found.push(((**lhs).clone(), "an operand"));
                found.push(((**rhs).clone(), "an operand"));
            }
            TExprKind::Index { subs, .. } => {
                let single = subs.iter().filter_map(|s| match s {
                    Subscript::Element(i) => Some((i.clone(), "a subscript")),
                    _ => None,
                });
                found.extend(single);
            }
            _ => {}
        });
        for (x, what) in found {
            self.coordinates(&x, what);
        }
    }

    /// SIGN and MERGE of numbers of different types: the result has the type of the first, and converting the second would change its
    /// sign or value.
    pub(in crate::translation::sema::check) fn mixed_arguments(&mut self, e: &TExpr) {
        let mut found: Vec<(Span, String, &str)> = Vec::new();
        e.walk(&mut |x| {
            let TExprKind::Intrinsic { intrinsic, args } = &x.kind else {
                return;
            };
            let uniform = matches!(
                intrinsic,
                Intrinsic::Numeric(Numeric::Sign) | Intrinsic::Choice(Choice::Merge)
            );
            let [Some(a), Some(b), ..] = &args[..] else {
                return;
            };
            let numeric =
                |t: &Type| matches!(t, Type::Integer(_) | Type::Real(_) | Type::Complex(_));
            let differ = std::mem::discriminant(&a.ty) != std::mem::discriminant(&b.ty);
            if let (
                Intrinsic::Choice(Choice::Merge),
                Type::Character(CharacterLength::Constant(m)),
                Type::Character(CharacterLength::Constant(n)),
            ) = (intrinsic, &a.ty, &b.ty)
                && m != n
            {
                let message = format!(
                    "arguments of `merge` must have the same length, but they have lengths {m} and {n}"
                );
                found.push((b.span, message, "pad the shorter text with blanks"));
            }
            if uniform && differ && numeric(&a.ty) && numeric(&b.ty) {
                let (one, other) = (self.model.type_name(&a.ty), self.model.type_name(&b.ty));
                let message = format!(
                    "arguments of `{intrinsic}` must have the same type, but they have types `{one}` and `{other}`"
                );
                found.push((b.span, message, "convert one of them, with `int` or `real`"));
            }
        });
        for (span, message, help) in found {
            self.report_help("CUF0501", span, message, help);
        }
    }

    /// SIZE= and GET= of RANDOM_SEED store default integers.
    pub(in crate::translation::sema::check) fn seed_arguments(&mut self, call: &ResolvedCall) {
        let ResolvedCall::Intrinsic {
            intrinsic: Intrinsic::System(System::RandomSeed),
            args,
        } = call
        else {
            return;
        };
        for (i, a) in args.iter().enumerate() {
            let Some(a) = a else { continue };
            if i != 1 && matches!(a.ty, Type::Integer(k) if k != 4) {
                let what = if i == 0 { "size=" } else { "get=" };
                let given = self.model.type_name(&a.ty);
                let message = format!(
                    "argument `{what}` of `random_seed` has type `{given}`, but `integer(4)` is required"
                );
                self.report(CODE, a.span, message);
            }
        }
    }
}
