//! The net under the host pass: the host code written is parsed again, and no designator of device data may stand in it but as an
//! argument of the runtime or of a device dummy, in inquiries, in pointer assignment and as a selector. It knows none of the rules
//! by which the text was edited.

use std::collections::BTreeSet;

use crate::ast::*;
pub use crate::host::context::edit::Origins;
use crate::host::lifetime::types::became_pointer;
use crate::sema::Finding;
use crate::sema::expression::call::ResolvedCall;
use crate::sema::expression::typed::*;
use crate::sema::model::*;

/// A dummy of the host that its procedure reads, rather than the address of anything.
fn takes_value(v: &Variable) -> bool {
    v.is_hosts() && v.ty != Type::AssumedType && !v.attrs.has(VarAttrs::IGNORE_DEVICE)
}

/// The names under which host code could touch data that it may not.
pub struct GuardedNames {
    /// Folded, of variables and components.
    names: BTreeSet<String>,
    /// Functions give device data, which may have other names (generic names, operators, bindings).
    all: bool,
}

impl GuardedNames {
    pub fn of(model: &Model) -> GuardedNames {
        let device = |s: Space| Model::is_device_space(s);
        let variable = |s: SymbolId| model.variable(s).is_some_and(|v| device(v.space));
        // What device code declares is not seen by the host.
        let hosts = |s: SymbolId| model[model[s].scope].context != CodeContext::Device;
        let fields = model.types.iter().flat_map(|t| &t.components);
        let fields = fields.filter(|f| device(f.space)).map(|f| f.name.clone());
        let mut names: BTreeSet<String> = fields.collect();
        let mut all = false;
        for (k, symbol) in model.symbols.iter().enumerate() {
            let s = SymbolId(k as u32);
            if variable(s) && hosts(s) {
                names.insert(symbol.name.to_string());
            }
            let result = model.procedure(s).and_then(|p| p.result);
            all |= result.is_some_and(|r| variable(r) && hosts(r));
        }
        // USE may rename.
        for scope in &model.scopes {
            let used = scope.used.iter().filter(|(_, s)| variable(**s));
            names.extend(used.map(|(name, _)| name.to_string()));
        }
        GuardedNames { names, all }
    }

    /// The text may touch such data: it has one of the names.
    pub fn may_touch(&self, text: &str) -> bool {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let mut folded = String::new();
        let mut named = |w: &str| {
            folded.clear();
            folded.extend(w.chars().map(|c| c.to_ascii_lowercase()));
            self.names.contains(folded.as_str())
        };
        self.all
            || !self.names.is_empty() && text.split(|c| !word(c)).any(|w| !w.is_empty() && named(w))
    }
}

/// Reports device data that the host code written would touch. `tree` is the tree of that text.
pub fn check(model: &Model, file: FileId, tree: &File, origins: &Origins) -> Vec<Finding> {
    let mut net = Net {
        model,
        file,
        origins,
        scope: ScopeId(0),
        findings: Vec::new(),
    };
    for u in &tree.units {
        net.unit(u);
    }
    net.findings
}

struct Net<'a> {
    model: &'a Model,
    file: FileId,
    origins: &'a Origins,
    scope: ScopeId,
    findings: Vec<Finding>,
}

/// What an expression is there for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// The host takes its value or gives it one.
    Value,
    /// Only where and what it is counts.
    Place,
}

impl Net<'_> {
    fn unit(&mut self, unit: &ProgramUnit) {
        self.declarations(&unit.spec);
        self.statements(&unit.body);
        for p in &unit.procedures {
            self.unit(p);
        }
    }

    /// Bounds and lengths, which are evaluated when the procedure begins.
    fn declarations(&mut self, spec: &[Decl]) {
        for d in spec {
            let DeclKind::Type(t) = &d.kind else { continue };
            let place = self.origins.of(d.span.start);
            let Some(scope) = self.model.scope_at(self.file, place) else {
                continue;
            };
            self.scope = scope;
            if self.model[scope].context == CodeContext::Device {
                continue;
            }
            let shapes = t.entities.iter().filter_map(|e| e.dims.as_ref());
            let attrs = t.attrs.iter().filter_map(|a| match &a.kind {
                AttrKind::Dimension(s) => Some(s),
                _ => None,
            });
            for dim in shapes.chain(attrs).flat_map(|s| &s.dims) {
                if let DimSpec::Explicit { lower, upper } = dim {
                    let lower = lower.as_deref().into_iter();
                    let bounds = lower.chain([upper]);
                    bounds.for_each(|e| self.expr(e, Use::Value));
                }
            }
            let lengths = t.entities.iter().filter_map(|e| e.len.as_deref());
            let of_type = match &t.spec.kind {
                TypeSpecKind::Intrinsic { len, .. } => len.as_deref(),
                _ => None,
            };
            for l in lengths.chain(of_type) {
                if let CharLen::Expr(e) = l {
                    self.expr(e, Use::Value);
                }
            }
        }
    }

    fn statements(&mut self, stmts: &[Stmt]) {
        for s in stmts {
            let place = self.origins.of(s.span.start);
            let Some(scope) = self.model.scope_at(self.file, place) else {
                continue;
            };
            self.scope = scope;
            if self.model[scope].context != CodeContext::Device {
                self.statement(s);
            }
            for b in s.blocks() {
                self.statements(b);
            }
        }
    }

    fn statement(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::PointerAssign { lhs, rhs } => {
                self.expr(lhs, Use::Place);
                self.expr(rhs, Use::Place);
            }
            StmtKind::Associate { items, .. } => {
                items.iter().for_each(|(_, e)| self.expr(e, Use::Place));
            }
            StmtKind::Select(sel) if sel.kind != SelectKind::Case => {
                self.expr(&sel.selector, Use::Place)
            }
            StmtKind::Nullify(objects) => objects.iter().for_each(|e| self.expr(e, Use::Place)),
            StmtKind::Allocate(a) => {
                let bounds = a.objects.iter().filter_map(|o| o.bounds.as_ref());
                for d in bounds.flat_map(|b| &b.dims) {
                    if let DimSpec::Explicit { lower, upper } = d {
                        let both = lower.as_deref().into_iter().chain([upper]);
                        both.for_each(|e| self.expr(e, Use::Value));
                    }
                }
                let spec = a.type_spec.as_ref().map(|t| &t.kind);
                if let Some(TypeSpecKind::Intrinsic { len: Some(len), .. }) = spec
                    && let CharLen::Expr(length) = &**len
                {
                    self.expr(length, Use::Value);
                }
                for o in &a.objects {
                    self.expr(&o.object, Use::Value);
                }
                for o in &a.options {
                    let mold = o.keyword.as_ref().is_some_and(|k| k.text == "mold");
                    self.expr(&o.value, if mold { Use::Place } else { Use::Value });
                }
            }
            StmtKind::Deallocate { objects, options } => {
                let options = options.iter().map(|o| &o.value);
                objects
                    .iter()
                    .chain(options)
                    .for_each(|e| self.expr(e, Use::Value));
            }
            StmtKind::Read { control, items } | StmtKind::Write { control, items } => {
                let control = control.iter().map(|c| &c.value);
                control.chain(items).for_each(|e| self.expr(e, Use::Value));
            }
            StmtKind::Io { control, .. } => {
                control.iter().for_each(|c| self.expr(&c.value, Use::Value))
            }
            StmtKind::Call(call) => self.call(call),
            _ => s
                .expressions()
                .into_iter()
                .for_each(|e| self.expr(e, Use::Value)),
        }
    }

    fn call(&mut self, call: &Call) {
        self.subscripts(&call.callee);
        let uses: Vec<Use> = match self.model.call(self.scope, call) {
            ResolvedCall::User { procedure, .. } => self.dummy_uses(procedure, &call.args),
            ResolvedCall::Intrinsic { .. } => vec![Use::Value; call.args.len()],
            _ => vec![Use::Place; call.args.len()],
        };
        for (a, u) in call.args.iter().zip(uses) {
            self.expr(&a.value, u);
        }
    }

    /// What a user's procedure does with its actual arguments. Kernels take the launch configuration besides.
    fn dummy_uses(&self, procedure: SymbolId, args: &[Arg]) -> Vec<Use> {
        let Some(p) = self.model.procedure(procedure) else {
            return vec![Use::Place; args.len()];
        };
        let of_dummy = |d: Option<SymbolId>| match d.and_then(|d| self.model.variable(d)) {
            Some(v) if takes_value(v) && p.body.is_some() => Use::Value,
            _ => Use::Place,
        };
        let host = matches!(
            p.target,
            ProcedureTarget::Host | ProcedureTarget::HostDevice
        );
        args.iter()
            .enumerate()
            .map(|(k, a)| match &a.keyword {
                _ if !host => Use::Place,
                Some(word) => {
                    let named = |d: &&SymbolId| self.model[**d].name == word.text;
                    of_dummy(p.dummies.iter().flatten().find(named).copied())
                }
                None => of_dummy(p.dummies.get(k).copied().flatten()),
            })
            .collect()
    }

    fn expr(&mut self, e: &Expr, u: Use) {
        match &e.kind {
            ExprKind::Name(_) | ExprKind::Component { .. } => {
                if u == Use::Value && self.is_device(e) {
                    self.report(e);
                }
                self.subscripts(e);
            }
            ExprKind::Ref { base, args } => self.reference(e, base, args, u),
            _ => e.for_each_child(&mut |c| self.expr(c, Use::Value)),
        }
    }

    /// `base(args)`: an element, a section, or a reference of a function.
    fn reference(&mut self, e: &Expr, base: &Expr, args: &[Arg], u: Use) {
        let generated = base.as_name().is_some_and(|n| n.text.starts_with("cuf_"));
        let t = self.model.expr(self.scope, e);
        let uses = match &t.kind {
            _ if generated => vec![Use::Place; args.len()],
            TExprKind::Call { procedure, .. } => self.dummy_uses(*procedure, args),
            TExprKind::Intrinsic { intrinsic, .. } => (0..args.len())
                .map(|k| match intrinsic.asks_about(k) {
                    true => Use::Place,
                    false => Use::Value,
                })
                .collect(),
            TExprKind::Structure { of, .. } => self.component_uses(*of, args),
            TExprKind::Runtime { module, .. } if module.starts_with("ieee_") => {
                vec![Use::Value; args.len()]
            }
            TExprKind::BoundCall { .. } | TExprKind::Runtime { .. } | TExprKind::Unknown => {
                vec![Use::Place; args.len()]
            }
            _ => vec![Use::Value; args.len()],
        };
        if u == Use::Value && !generated && self.device(&t) {
            self.report(e);
        }
        self.subscripts(base);
        for (a, u) in args.iter().zip(uses) {
            self.expr(&a.value, u);
        }
    }

    fn component_uses(&self, of: TypeId, args: &[Arg]) -> Vec<Use> {
        let fields = self.model.components_of(of);
        let of_field = |f: Option<&&Field>| match f {
            Some(f) if !f.attrs.has(VarAttrs::POINTER) && !became_pointer(f) => Use::Value,
            _ => Use::Place,
        };
        args.iter()
            .enumerate()
            .map(|(k, a)| match &a.keyword {
                Some(word) => of_field(fields.iter().find(|f| f.name == word.text.as_str())),
                None => of_field(fields.get(k)),
            })
            .collect()
    }

    /// What stands in the subscripts of a designator that is looked at as a whole.
    fn subscripts(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Component { base, .. } => match &base.kind {
                ExprKind::Ref { base, args } => {
                    self.subscripts(base);
                    args.iter().for_each(|a| self.expr(&a.value, Use::Value));
                }
                _ => self.subscripts(base),
            },
            ExprKind::Ref { base, args } => {
                self.subscripts(base);
                args.iter().for_each(|a| self.expr(&a.value, Use::Value));
            }
            _ => {}
        }
    }

    fn is_device(&self, e: &Expr) -> bool {
        let t = self.model.expr(self.scope, e);
        self.device(&t)
    }

    fn device(&self, t: &TExpr) -> bool {
        let space = match &t.kind {
            TExprKind::Call { procedure, .. } | TExprKind::BoundCall { procedure, .. } => {
                let result = self.model.procedure(*procedure).and_then(|p| p.result);
                result.and_then(|r| self.model.variable(r)).map(|v| v.space)
            }
            _ => self.model.space(t),
        };
        space.is_some_and(Model::is_device_space)
    }

    fn report(&mut self, e: &Expr) {
        let start = self.origins.of(e.span.start);
        let end = self.origins.of(e.span.end).max(start + 1);
        let name = e.base_name().map_or("", |n| n.text.as_str());
        let message = format!(
            "internal error: generated host code accesses device data `{name}`\nnote: this is a bug in cuf2cu; please report it"
        );
        let finding = Finding::new("CUF0901", self.file, Span { start, end }, message);
        self.findings.push(finding);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sema::{self, Input};
    use crate::syntax;

    const HEAD: &str = "module m\n real, device, allocatable :: d(:)\n type t\n  real, device, allocatable :: a(:)\n end type\n type(t) :: x\n real :: h(4)\n integer :: i\ncontains\n real function total(v)\n real, device :: v(4)\n total = 0\n end function\n subroutine s()\n";

    /// What the net finds in a statement as it would be written.
    fn found(statement: &str) -> Vec<&'static str> {
        let text = format!("{HEAD}{statement}\n end subroutine\nend module\n");
        let (tree, _) = syntax::parse(&text);
        let inputs = [Input {
            path: "m.cuf",
            text: &text,
            ast: &tree,
            library: false,
        }];
        let (model, _) = sema::analyze(&inputs, Default::default());
        assert!(GuardedNames::of(&model).may_touch(statement), "{statement}");
        let findings = check(&model, FileId(0), &tree, &Origins::default());
        findings.iter().map(|f| f.code).collect()
    }

    #[test]
    fn names_of_device_data_are_known() {
        let uses = "subroutine r()\n use m, only: other => d\nend subroutine\n";
        let text = format!("{HEAD} end subroutine\nend module\n{uses}");
        let (tree, _) = syntax::parse(&text);
        let inputs = [Input {
            path: "m.cuf",
            text: &text,
            ast: &tree,
            library: false,
        }];
        let (model, _) = sema::analyze(&inputs, Default::default());
        let watched = GuardedNames::of(&model);
        assert!(
            watched.may_touch("h=OTHER") && watched.may_touch("y%a(1)") && watched.may_touch("v")
        );
        assert!(!watched.may_touch("h = i + s(4) + another%da"));
    }

    #[test]
    fn device_data_read_by_the_host_is_found() {
        for statement in [
            "h = d",
            "d(1) = 3",
            "call cuf_d2h(h, (d))",
            "call cuf_d2h(h, d + 1)",
            "call cuf_d2h(h, x%a(int(d(1)):4))",
            "print *, x%a",
            "if (d(1) > 0) i = 1",
            "i = size(h(int(d(1)):))",
            "h = [d]",
            "deallocate(d)",
            "h(1) = total(d*2)",
            "associate (v => cuf_host((d)))\n end associate",
            "where (d > 1) h = 1",
        ] {
            assert_eq!(found(statement), ["CUF0901"], "{statement}");
        }
    }

    #[test]
    fn places_of_device_data_pass() {
        for statement in [
            "call cuf_d2h(h, d)",
            "h = cuf_host(d) + cuf_host(x%a(1:size(d)))",
            "i = size(d) + lbound(x%a, 1)",
            "if (associated(d)) nullify(d)",
            "d => x%a",
            "h(1) = total(d)",
            "associate (v => d(1:2))\n end associate",
            "call cuf_associate(cuf_malloc(4_8), d, [1])",
        ] {
            assert!(found(statement).is_empty(), "{statement}");
        }
    }
}
