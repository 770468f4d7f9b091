//! A kernel in host code: a subroutine of the same name with the launch configuration as its first argument.

use askama::Template;

use crate::abi::*;
use crate::ast::*;
use crate::host::context::HostRewriter;
use crate::host::context::edit::{join_lines, wrap_line};
use crate::host::context::generated;
use crate::host::context::names;
use crate::host::context::names::{CUF, LOGICAL};
use crate::host::declaration::drop_device_names::is_device_module;
use crate::map::Rule;
use crate::sema::expression::typed::*;
use crate::sema::model::*;

/// A declaration of dummies in the launching subroutine.
struct Declared {
    /// Where the source declares them.
    place: u32,
    /// Type and attributes.
    head: String,
    /// Names with their dimensions.
    entities: Vec<String>,
    /// The comment at the end of the line, with the blanks before it.
    remark: String,
}

/// What stands in the place of a kernel. Texts are Fortran.
#[derive(Template)]
#[template(path = "host/kernel.f90", escape = "fortran")]
struct Text<'a> {
    /// With the prefix MODULE.
    module_procedure: bool,
    /// Written as MODULE PROCEDURE: its interface has the dummies, the launch configuration among them.
    separate: bool,
    name: &'a str,
    /// Those of the kernel.
    dummies: Vec<&'a str>,
    /// The interface has to ask for names of the module around it.
    imports: bool,
    uses: Vec<String>,
    /// IMPORT and IMPLICIT statements, which come after USE statements (F2018 R504).
    others: Vec<String>,
    declarations: Vec<String>,
    kernel: Kernel,
}

enum Kernel {
    /// The subroutine that launches it, with the actual arguments after the configuration.
    Launch {
        launcher: String,
        actuals: Vec<String>,
    },
    /// The interface of one that is defined elsewhere, with what follows the dummies.
    Interface { bind: String },
}

impl HostRewriter<'_> {
    /// Replaces a kernel by the subroutine that launches it, or by a comment where its launcher is called.
    pub(in crate::translation::host) fn kernel(&mut self, unit: &ProgramUnit, scope: ScopeId) {
        let Some(launcher) = self.signatures.get(&LauncherOf::Kernel(scope)).copied() else {
            return; // not translated: the lowering has said why
        };
        if let Some(parameters) = self.direct(unit, scope, launcher) {
            let name = self.slice(unit.name.span);
            let taken = format!("use {}, only: {name} => {}", self.shims, launcher.symbol);
            self.unit.extra_uses.insert(taken);
            self.direct.insert(launcher.symbol.clone(), parameters);
            self.end_line(unit.span.end);
            let note = format!(
                "! attributes(global) {name}: kernel in {}",
                self.device_file
            );
            self.edits.replace(Rule::KernelProcedure, unit.span, note);
            return;
        }
        self.unit.runtime = true;
        self.unit.shims = true;
        let mut actuals = Vec::new();
        let mut extra_uses = Vec::new();
        for p in &launcher.params {
            actuals.push(self.kernel_actual(p, scope, &mut extra_uses));
        }
        if self.model[scope].parent.is_none() {
            // An external kernel: no unit around it has these.
            let mut first = self.taken.use_runtime();
            first.push(self.use_shims());
            extra_uses.splice(0..0, first);
            self.unit = crate::host::context::UnitState::default();
        }
        let launch = Kernel::Launch {
            launcher: names::marked(&launcher.symbol),
            actuals,
        };
        let text = self.kernel_text(unit, scope, extra_uses, launch);
        self.edits.replace(Rule::KernelProcedure, unit.span, text);
    }

    /// The interface body of a kernel that is defined elsewhere.
    pub(in crate::translation::host) fn kernel_interface(
        &mut self,
        unit: &ProgramUnit,
        scope: ScopeId,
    ) {
        self.unit.runtime = true;
        let launcher = self.signatures.get(&LauncherOf::Kernel(scope));
        // A kernel of another language has no launching subroutine: the interface is that of the launcher.
        let bind = launcher.map(|l| format!(" bind(C, name='{}')", l.symbol));
        let interface = Kernel::Interface {
            bind: bind.unwrap_or_default(),
        };
        let text = self.kernel_text(unit, scope, Vec::new(), interface);
        self.edits.replace(Rule::KernelProcedure, unit.span, text);
    }

    fn kernel_text(
        &mut self,
        unit: &ProgramUnit,
        scope: ScopeId,
        mut uses: Vec<String>,
        kernel: Kernel,
    ) -> String {
        let mut dummies = Vec::new();
        let mut declarations: Vec<Declared> = Vec::new();
        for d in &unit.dummies {
            let Dummy::Name(n) = d else { continue };
            dummies.push(self.slice(n.span));
            if let Some(s) = self.model[scope].names.get(n.text.as_str()) {
                let declared = self.dummy_declaration(*s, n, unit);
                // As the source has them: what was declared together, and bounds before the arrays that have them.
                let place = declarations.partition_point(|d| d.place <= declared.place);
                match place.checked_sub(1).and_then(|i| declarations.get_mut(i)) {
                    Some(d) if d.place == declared.place && d.head == declared.head => {
                        d.entities.extend(declared.entities);
                    }
                    _ => declarations.insert(place, declared),
                }
            }
        }
        let mut others = Vec::new();
        for d in &unit.spec {
            match &d.kind {
                DeclKind::Use(u) if !is_device_module(&u.module.text) => {
                    uses.push(self.with_edits(d.span, |p| p.use_statement(u, d.span)));
                }
                DeclKind::Import { names, none } => {
                    let text = self.import(names, *none, d.span, scope);
                    let text = text.unwrap_or_else(|| join_lines(self.slice(d.span)));
                    others.extend(Some(text).filter(|t| !t.is_empty()));
                }
                DeclKind::ImplicitNone | DeclKind::Implicit(_) => {
                    others.push(join_lines(self.slice(d.span)));
                }
                _ => {}
            }
        }
        // Device code has this type without cudafor.
        let here = &self.model[scope];
        if here.names.contains_key("dim3") && !here.used.contains_key("dim3") {
            uses.push("use cudafor, only: dim3".to_owned());
        }
        let interface = matches!(kernel, Kernel::Interface { .. });
        // What the interface uses may have the configuration's type, too: gfortran warns of one that is imported besides.
        let used = interface && !uses.is_empty();
        if used {
            uses.splice(0..0, self.taken.use_runtime());
        }
        let separate = unit.kind == UnitKind::ModuleProcedure;
        let module_procedure = unit.prefix.words.iter().any(|w| w.text == "module");
        let lines = generated::lines(&Text {
            module_procedure,
            separate,
            name: self.slice(unit.name.span),
            dummies,
            // A module procedure's interface sees its module as it is.
            imports: interface && !used && !module_procedure,
            uses,
            others,
            declarations: declarations
                .into_iter()
                .map(|d| format!("{} :: {}{}", d.head, d.entities.join(", "), d.remark))
                .collect(),
            kernel,
        });
        let indent = self.indent_at(unit.span.start);
        let lines = lines.iter().map(|l| wrap_line(&format!("{indent}{l}")));
        let text = lines.collect::<Vec<_>>().join("\n");
        text.trim_start().to_owned()
    }

    /// The actual argument of the launcher for one of its parameters.
    fn kernel_actual(
        &mut self,
        p: &LauncherParam,
        scope: ScopeId,
        extra_uses: &mut Vec<String>,
    ) -> String {
        let symbol = match &p.source {
            ParamSource::Dummy(s) | ParamSource::Hidden(s) => *s,
            _ => return p.name.clone(),
        };
        let model = self.model;
        let info = &model[symbol];
        let ty = info_type(model, symbol);
        let mut name = info.spelling.to_string();
        if let ParamSource::Hidden(_) = p.source {
            match self.visible_name(scope, symbol) {
                Some(n) => name = n,
                None => {
                    let (statement, text, is_actual) = self.unseen_data(symbol);
                    extra_uses.push(statement);
                    if is_actual {
                        return text;
                    }
                    name = text;
                }
            }
        }
        match &p.passing {
            ArgPassing::Address if matches!(ty, Type::Character(_)) => {
                format!("{CUF}address({name}{})", self.data_of(&ty))
            }
            ArgPassing::Address if self.model.is_reached_module_data(symbol) => {
                format!("{CUF}address({name}{})", self.data_of(&ty))
            }
            ArgPassing::Address => format!("{CUF}loc({name})"),
            ArgPassing::Descriptor
                if matches!(p.source, ParamSource::Hidden(_))
                    || self.model.variable(symbol).is_some_and(moves) =>
            {
                self.descriptor(&name, &ty, Some(symbol))
            }
            ArgPassing::Descriptor => format!("{CUF}array({name}{})", self.data_of(&ty)),
            ArgPassing::Value(Type::Logical(_)) => format!("{LOGICAL}({name}, 1)"),
            ArgPassing::HostValue | ArgPassing::OptionalValue | ArgPassing::Reference { .. } => {
                let scalar = self
                    .model
                    .variable(symbol)
                    .is_some_and(|v| v.dims.is_empty());
                name + &self.passed_data(&ty, scalar)
            }
            ArgPassing::Value(_) | ArgPassing::Range => name,
        }
    }

    /// Declaration of a kernel dummy in the launching subroutine.
    fn dummy_declaration(
        &mut self,
        symbol: SymbolId,
        dummy: &Name,
        unit: &ProgramUnit,
    ) -> Declared {
        let name = self.slice(dummy.span).to_owned();
        let Some(v) = self.model.variable(symbol) else {
            return Declared {
                place: 0,
                head: "type(*), target".to_owned(),
                entities: vec![format!("{name}(*)")],
                remark: String::new(),
            };
        };
        // Any data (`ignore_tkr`) comes by its address; a shape would be one of elements of the dummy's type.
        let dense = !v.dims.iter().any(|d| matches!(d, Dim::Colon { .. }));
        if v.attrs.has(VarAttrs::IGNORE_TYPE) && dense && !v.attrs.has(VarAttrs::VALUE) && !moves(v)
        {
            let dims = if v.dims.is_empty() { "" } else { "(*)" };
            return Declared {
                place: v.decl.start,
                head: "type(*), target".to_owned(),
                entities: vec![format!("{name}{dims}")],
                remark: self.remark(v.decl),
            };
        }
        let type_text = declared_type(unit, &dummy.text).map(|t| {
            let scope = self.model[symbol].scope;
            if self.names_own_constant(t.span, scope) {
                return self.model.type_name(&v.ty);
            }
            let half = self.half_spec(t, scope);
            half.map_or_else(|| join_lines(self.slice(t.span)), str::to_owned)
        });
        let type_text = type_text.unwrap_or_else(|| self.model.type_name(&v.ty));
        let mut attrs = String::new();
        if v.attrs.has(VarAttrs::VALUE) && matches!(v.ty, Type::Character(_)) {
            // gfortran 12 passes a substring for a text by value wrongly (measured); the launch reads it at once.
            attrs.push_str(", intent(in)");
        } else if v.attrs.has(VarAttrs::VALUE) {
            attrs.push_str(", value");
        } else {
            // An array that moves keeps its bounds.
            attrs.push_str(if moves(v) { ", pointer" } else { ", target" });
            match v.intent {
                Some(Intent::In) => attrs.push_str(", intent(in)"),
                Some(Intent::InOut) => attrs.push_str(", intent(inout)"),
                // Its definition status on the host means nothing.
                Some(Intent::Out) | None => {}
            }
        }
        if v.attrs.has(VarAttrs::OPTIONAL) {
            attrs.push_str(", optional");
        }
        let dims = self.dummy_dims(symbol, v);
        Declared {
            place: v.decl.start,
            head: format!("{type_text}{attrs}"),
            entities: vec![format!("{name}{dims}")],
            remark: self.remark(v.decl),
        }
    }

    /// The comment after a declaration on its last line.
    fn remark(&self, declaration: Span) -> String {
        let rest = self.slice(Span {
            start: declaration.end,
            end: self.line_end(declaration.end),
        });
        let is_comment = rest.trim_start().starts_with('!') && declaration.end > 0;
        if is_comment {
            rest.trim_end().to_owned()
        } else {
            String::new()
        }
    }

    /// The text has a constant that the kernel itself declares, which the launching subroutine does not have.
    fn names_own_constant(&self, span: Span, scope: ScopeId) -> bool {
        self.slice(span)
            .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .filter_map(|word| {
                self.model[scope]
                    .names
                    .get(word.to_ascii_lowercase().as_str())
            })
            .any(|s| self.model[*s].scope == scope && self.model.variable(*s).is_none())
    }

    /// Dimensions as declared where the host can evaluate them, else assumed size of the same rank.
    fn dummy_dims(&self, symbol: SymbolId, v: &Variable) -> String {
        if v.dims.is_empty() {
            return String::new();
        }
        let scope = self.model[symbol].scope;
        let mut parts = Vec::new();
        for d in &v.dims {
            match d {
                Dim::Explicit { lower, upper } => {
                    let texts: Option<Vec<String>> = lower
                        .as_deref()
                        .into_iter()
                        .chain([upper])
                        .map(|e| self.host_bound(scope, e))
                        .collect();
                    match texts {
                        Some(t) => parts.push(t.join(":")),
                        None => return assumed_size(v.dims.len()),
                    }
                }
                Dim::Colon { .. } => parts.push(":".to_owned()),
                Dim::AssumedSize { .. } => return assumed_size_with(&parts),
                Dim::AssumedRank => return "(..)".to_owned(),
            }
        }
        format!("({})", parts.join(", "))
    }

    /// The text of a bound, if the host may evaluate it: constants, VALUE dummies and named constants only.
    fn host_bound(&self, scope: ScopeId, e: &Expr) -> Option<String> {
        let t = self.model.expr(scope, e);
        let text = self.slice(e.span);
        // An extent that the analysis has put there has no text.
        if text.is_empty() || !self.host_evaluable(&t, scope) {
            return t.as_integer().map(|v| v.to_string());
        }
        Some(join_lines(text))
    }

    fn host_evaluable(&self, t: &TExpr, scope: ScopeId) -> bool {
        match &t.kind {
            TExprKind::Constant { symbol } => symbol.is_none_or(|s| self.model[s].scope != scope),
            TExprKind::Variable(s) => self.model.variable(*s).is_some_and(|v| {
                v.dummy.is_some() && v.dims.is_empty() && v.attrs.has(VarAttrs::VALUE)
            }),
            TExprKind::Unary { operand, .. } | TExprKind::Paren(operand) => {
                self.host_evaluable(operand, scope)
            }
            TExprKind::Binary { lhs, rhs, .. } => {
                self.host_evaluable(lhs, scope) && self.host_evaluable(rhs, scope)
            }
            _ => false,
        }
    }
}

/// An array dummy that takes the bounds of its actual.
fn moves(v: &Variable) -> bool {
    v.attrs.is_dynamic() && !v.dims.is_empty()
}

fn info_type(model: &Model, s: SymbolId) -> Type {
    model.type_of(s)
}

fn assumed_size(rank: usize) -> String {
    format!("({}*)", "1, ".repeat(rank.saturating_sub(1)))
}

/// Leading dimensions as declared, the last one assumed.
fn assumed_size_with(leading: &[String]) -> String {
    let lead: String = leading.iter().map(|l| format!("{l}, ")).collect();
    format!("({lead}*)")
}

/// The type specifier that a name is declared with in a unit.
fn declared_type<'u>(unit: &'u ProgramUnit, name: &str) -> Option<&'u TypeSpec> {
    unit.spec.iter().find_map(|d| match &d.kind {
        DeclKind::Type(t) if t.entities.iter().any(|e| e.name.text == name) => Some(&t.spec),
        _ => None,
    })
}
