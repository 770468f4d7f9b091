//! Data of the host that a CUF loop uses: how it becomes parameters of the kernel and the launcher.

use super::reduce::variable;
use crate::abi::{ArgPassing, ParamSource};
use crate::ast::{self, Span, Stmt};
use crate::intrinsics::{Inquiry, Intrinsic};
use crate::ir::{self, *};
use crate::lower::context::rules::Designators;
use crate::lower::context::state::{Capture, CaptureParam, find_in_expr};
use crate::lower::context::{Entity, LoweringContext};
use crate::sema::expression::dependence::same;
use crate::sema::expression::typed::*;
use crate::sema::model::{self, *};

impl LoweringContext<'_, '_> {
    pub fn source_text(&self, span: Span) -> String {
        let raw = self
            .input
            .text
            .get(span.start as usize..span.end as usize)
            .unwrap_or_default();
        raw.chars()
            .filter(|c| !c.is_whitespace() && *c != '&')
            .collect::<String>()
            .to_ascii_lowercase()
    }

    pub fn in_device_memory(&self, t: &TExpr) -> bool {
        matches!(
            self.model().space(t),
            Some(
                Space::Device | Space::Constant | Space::Managed | Space::Unified | Space::Texture
            )
        )
    }

    /// What messages call the loop whose body is being lowered.
    pub fn loop_noun(&self) -> &'static str {
        self.loop_origin().noun()
    }

    pub fn loop_origin(&self) -> ast::LoopOrigin {
        let captured = self.capture.as_ref();
        captured.map(|c| c.origin).unwrap_or_default()
    }

    /// The syntax of a designator as the host can write it beside the loop.
    pub fn syntax_of(&mut self, t: &TExpr) -> Option<ast::Expr> {
        let found = self.spelled(t);
        if found.is_none() {
            self.refuse(
                t.span,
                "CUF0454",
                format!("this object cannot be captured by the {}\nhelp: assign it to a variable before the loop", self.loop_noun()),
            );
        }
        found
    }

    /// The text of the loop, or, where that begins with an associate name of the loop, what this stands for.
    fn spelled(&self, t: &TExpr) -> Option<ast::Expr> {
        let expr = |kind| ast::Expr { kind, span: t.span };
        let t = &*self.scan().resolved(t);
        match &t.kind {
            TExprKind::Variable(s) => {
                let text = self.name_at_loop(*s, t.span)?;
                let name = ast::Name { text, span: t.span };
                Some(expr(ast::ExprKind::Name(name)))
            }
            TExprKind::Component { base, name, .. } => {
                let base = Box::new(self.spelled(base)?);
                let text = name.as_str().into();
                let name = ast::Name { text, span: t.span };
                Some(expr(ast::ExprKind::Component { base, name }))
            }
            TExprKind::Index { base, subs } => {
                let body = &self.capture.as_ref()?.body;
                let find = |at| find_in_block(body, at).or_else(|| self.find_in_selectors(at));
                if let Some(e) = find(t.span) {
                    return Some(e);
                }
                let mut args = Vec::new();
                for s in subs {
                    let Subscript::Element(x) = s else {
                        return None;
                    };
                    args.push(ast::Arg {
                        keyword: None,
                        value: find(x.span)?,
                        span: x.span,
                    });
                }
                let base = Box::new(self.spelled(base)?);
                Some(expr(ast::ExprKind::Ref { base, args }))
            }
            _ => {
                let body = &self.capture.as_ref()?.body;
                find_in_block(body, t.span).or_else(|| self.find_in_selectors(t.span))
            }
        }
    }

    /// The syntax of what an associate name around the loop stands for.
    fn find_in_selectors(&self, span: Span) -> Option<ast::Expr> {
        let model = self.model();
        let around = std::iter::successors(Some(self.unit_scope), |s| model[*s].parent);
        let associates = around.filter(|s| model[*s].kind == ScopeKind::Associate);
        let names = associates.flat_map(|s| model[s].names.values());
        names.copied().find_map(|s| match &model[s].kind {
            SymbolKind::Associate { expr, .. } => find_in_expr(expr, span),
            _ => None,
        })
    }

    /// A constant of the host procedure, declared at the start of the kernel or internal procedure.
    pub fn prologue_constant(&mut self, s: SymbolId, ty: ir::Type, value: Expr) -> Entity {
        let name = self.local_name(s);
        let bounds = match &ty {
            ir::Type::Fixed { dims, .. } => dims
                .iter()
                .map(|d| (Some(Expr::int(d.lo)), Some(Expr::int(d.hi))))
                .collect(),
            _ => Vec::new(),
        };
        let ent = Entity {
            expr: Expr::name(&name, ty.clone()),
            bounds,
            optional: None,
        };
        self.vars.insert(s, ent.clone());
        self.note_constant(s, &ent.expr);
        let stmt = StmtKind::Declare(Declare {
            ty,
            qualifier: Qualifier::Constexpr,
            names: vec![Declarator {
                name,
                init: Init::Value(value),
            }],
            maybe_unused: true,
        });
        let model = self.model();
        let home = model[s].scope;
        let around = model[self.unit_scope].parent;
        let mut around = std::iter::successors(around, |s| model[*s].parent);
        let of_host = around.any(|s| s == home);
        match &mut self.capture {
            Some(c) => c.prologue.push(stmt.into()),
            None if of_host => self.host_constants.push(stmt.into()),
            // The procedure declares its own.
            None => {}
        }
        ent
    }

    /// A variable of the host procedure (or module) as a parameter of the kernel.
    pub fn capture_variable(&mut self, s: SymbolId, span: Span) -> Entity {
        let fallback = Entity {
            expr: Expr::int(0),
            bounds: Vec::new(),
            optional: None,
        };
        // The name of a construct around the loop for a variable or component of the host.
        if let Some(t) = self.scan().selector(s)
            && t.rank == 0
        {
            let expr = match t.kind {
                TExprKind::Variable(v) => self.entity(v, span).expr,
                _ => self.value(&t),
            };
            return Entity { expr, ..fallback };
        }
        let (ty, rank) = match &self.model()[s].kind {
            SymbolKind::Variable(v) => (v.ty.clone(), v.dims.len()),
            SymbolKind::Associate { ty, rank, .. } => {
                (ty.clone(), usize::try_from(*rank).unwrap_or(0))
            }
            _ => {
                let name = self.model()[s].spelling.clone();
                self.refuse(
                    span,
                    "CUF0411",
                    format!("`{name}` cannot be used in a {}", self.loop_noun()),
                );
                return fallback;
            }
        };
        let t = TExpr {
            kind: TExprKind::Variable(s),
            ty,
            rank: rank as i8,
            value: None,
            span,
        };
        // A scalar that only the loop itself reads goes by value.
        let value = rank == 0 && self.model().is_reached_module_data(s);
        let hidden = self.hidden(s) && (!value || self.needed_by_callee(s));
        // A callee's variable may have the name of another.
        let name = match hidden {
            true => self.fresh_hidden(s),
            false => self.local_name(s),
        };
        let source = if hidden {
            ParamSource::Hidden(s)
        } else {
            let Some(local) = self.name_at_loop(s, span) else {
                let message = format!(
                    "type {} is not accessible outside the construct that declares it, so the {} cannot use it",
                    self.model()[s].spelling,
                    self.loop_noun()
                );
                self.refuse(span, "CUF0411", message);
                return fallback;
            };
            ParamSource::Captured(ast::Expr {
                kind: ast::ExprKind::Name(ast::Name { text: local, span }),
                span,
            })
        };
        match self.capture_designator(&t, name, source) {
            Some(ent) => {
                self.vars.insert(s, ent.clone());
                ent
            }
            None => fallback,
        }
    }

    /// The name that a variable of the host has where the loop stands; if there are several, that in the text.
    fn name_at_loop(&self, s: SymbolId, span: Span) -> Option<ast::Word> {
        let (model, loop_scope) = (self.model(), self.unit_scope);
        let text = self
            .input
            .text
            .get(span.start as usize..span.end as usize)
            .unwrap_or_default()
            .to_ascii_lowercase();
        let own = &model[s].name;
        let means = |name: &str| model.lookup(loop_scope, name) == Some(s);
        [text.as_str(), own.as_str()]
            .into_iter()
            .find(|n| means(n))
            .map(Into::into)
            .or_else(|| {
                let around = std::iter::successors(Some(loop_scope), |s| model[*s].parent);
                let names = around.flat_map(|s| model[s].names.iter());
                let mut same = names.filter(|(n, x)| **x == s && means(n));
                same.next().map(|(n, _)| n.clone())
            })
    }

    /// A component of a host variable: `f%v` or `blocks(b)%n`.
    pub fn captured_component(&mut self, e: &TExpr) -> Option<Entity> {
        let e = &self.scan().resolved(e).into_owned();
        let capture = self.capture.as_ref()?;
        let root = e.root()?;
        if matches!(self.model()[root].kind, SymbolKind::Parameter(_)) {
            return None; // as in any device code
        }
        let known = |p: &&CaptureParam| p.key.as_ref().is_some_and(|k| same(k, e));
        if let Some(p) = capture.params.iter().find(known) {
            let expr = if p.kernel == ir::Type::Void {
                p.pass.clone()
            } else {
                entity_expr(&p.name, &p.kernel, e.rank > 0)
            };
            let bounds = vec![(None, None); expr.ty.rank()];
            return Some(Entity {
                expr,
                bounds,
                optional: None,
            });
        }
        if self.vars.contains_key(&root) {
            return None;
        }
        let root_expr = variable(root, self.model().type_of(root), e.span);
        if self.in_device_memory(&root_expr) && !self.has_device_part(e) {
            return None;
        }
        // Structures on the way are reached through the designator as a whole.
        if e.rank == 0 && matches!(e.ty, model::Type::Derived(_) | model::Type::Class(_)) {
            return None;
        }
        let inside = capture.inside.clone();
        let depends = |e: &TExpr| {
            e.any(&mut |x| matches!(x.kind, TExprKind::Variable(s) if inside.contains(&s)))
        };
        if depends(e) {
            // `b%p(i)%v`, where `b%p` is device data: that is captured, and the rest is reached from there.
            let mut prefix = e.base();
            while let Some(x) = prefix {
                let reached = self.in_device_memory(x) || self.reaches(x);
                if self.has_device_part(x) && reached && !depends(x) {
                    return None;
                }
                prefix = x.base();
            }
            // Of an array of structures that the device reaches, components are where the elements say.
            if self.reaches(&root_expr) || self.in_device_memory(&root_expr) {
                return None;
            }
            self.refuse(e.span, "CUF0454", format!("component selected by a loop variable cannot be used in a {}\nhelp: declare the structure with the `device` attribute", self.loop_noun()));
            return Some(crate::lower::context::query::dummy_entity());
        }
        let syntax = self.syntax_of(e)?;
        let wanted = designator_name(e, self);
        let name = self.fresh(&wanted);
        let ent = self.capture_designator(e, name, ParamSource::Captured(syntax));
        if let Some(p) = self.capture.as_mut().and_then(|c| c.params.last_mut())
            && ent.is_some()
        {
            p.key = Some(e.clone());
        }
        Some(ent.unwrap_or_else(crate::lower::context::query::dummy_entity))
    }

    /// A called procedure has the variable as a hidden argument, which it may change.
    fn needed_by_callee(&self, s: SymbolId) -> bool {
        let all = &self.sh.analysis.facts;
        let hidden = |c: &ScopeId| all.get(c).is_some_and(|f| f.hidden.contains(&s));
        let mut handed = self.sh.analysis.handed(self.model(), &self.facts);
        self.facts.calls.iter().any(hidden) || handed.any(|c| c.is_some_and(|c| hidden(&c)))
    }

    /// The designator ends in (or passes) a component with a device attribute of its own.
    pub fn has_device_part(&self, e: &TExpr) -> bool {
        self.model().component(e).is_some_and(|f| {
            matches!(f.space, Space::Device | Space::Managed | Space::Unified)
                || f.attrs.is_dynamic()
        })
    }

    /// A whole array that Fortran guarantees to be contiguous.
    pub fn is_dense(&self, t: &TExpr) -> bool {
        // A component of each element of an array: the rest of the elements lies between.
        if let TExprKind::Component { base, .. } = &t.kind
            && base.rank > 0
        {
            return false;
        }
        let declared = self.model().declared(t);
        declared.is_some_and(|d| d.surely_dense())
    }

    /// An optional argument that may be absent: a pointer to the thread's copy of its value, or null.
    fn optional_value(&mut self, name: String, elem: ir::Type, source: ParamSource) -> Entity {
        let pointer = |to: ir::Type| ir::Type::Pointer {
            to: Box::new(to),
            restrict: false,
        };
        let launcher = pointer(elem.clone().constant());
        let kernel = ir::Type::Class(Class::OptionalValue(Box::new(elem.clone())));
        let param = self.fresh(&crate::lower::context::layout::parameter_name(&name));
        let argument = Expr::name(&param, launcher.clone());
        let pass = Expr::new(ExprKind::Object(vec![argument]), kernel.clone());
        let own = Expr::name(&param, kernel.clone());
        let held = own.method(Method::Pointer, Vec::new(), pointer(elem.clone()));
        let mut declaration = ir::Stmt::declare(pointer(elem.clone()), &name, Init::Value(held));
        if let StmtKind::Declare(d) = &mut declaration.kind {
            d.maybe_unused = true;
        }
        if let Some(c) = &mut self.capture {
            c.prologue.push(declaration);
            c.params.push(CaptureParam {
                key: None,
                name: param,
                restrict: false,
                kernel,
                launcher,
                pass,
                passing: ArgPassing::OptionalValue,
                source,
                present: None,
                declared: false,
            });
        }
        let whole = Expr::name(&name, pointer(elem.clone()));
        Entity {
            expr: whole.deref(elem),
            bounds: Vec::new(),
            optional: Some(name),
        }
    }

    /// A part of an optional argument that the loop does not take to be present.
    fn may_be_absent(&self, t: &TExpr) -> bool {
        let asked = |r| {
            self.capture
                .as_ref()
                .is_some_and(|c| c.optional.contains(&r))
        };
        t.root().is_some_and(asked)
    }

    /// An inquiry about data of the host that only the host can answer: its value before the loop.
    pub fn host_inquiry(
        &mut self,
        e: &TExpr,
        intrinsic: Intrinsic,
        args: &[Option<TExpr>],
    ) -> Option<Expr> {
        let capture = self.capture.as_ref()?;
        let first = args.first()?.as_ref()?;
        let root = first.root()?;
        let ours = |s: SymbolId| self.scan().is_inner(s) || capture.inside.contains(&s);
        let Intrinsic::Inquiry(inquiry) = intrinsic else {
            return None;
        };
        use Inquiry::*;
        let hosts = match inquiry {
            Present | Allocated | Associated => !ours(root),
            Size | Lbound | Ubound | IsContiguous => {
                !ours(root)
                    && self.model()[root].kind.is_data()
                    && first.rank > 0
                    && !self.in_device_memory(first)
            }
            _ => false,
        };
        if !hosts || e.rank != 0 {
            return None;
        }
        let known = |p: &&CaptureParam| match p.key.as_ref().map(|k| &k.kind) {
            Some(TExprKind::Intrinsic {
                intrinsic: n,
                args: a,
            }) => {
                let equal = |(x, y): (&Option<TExpr>, &Option<TExpr>)| match (x, y) {
                    (Some(x), Some(y)) => same(x, y),
                    (x, y) => x.is_none() && y.is_none(),
                };
                *n == intrinsic && a.len() == args.len() && a.iter().zip(args).all(equal)
            }
            _ => false,
        };
        if let Some(p) = capture.params.iter().find(known) {
            return Some(Expr::name(&p.name, p.kernel.clone()));
        }
        let varies = e.any(&mut |x| matches!(x.kind, TExprKind::Variable(s) if ours(s)));
        // The structure's copy on the device has the answer.
        if varies && capture.present && self.model().component(first).is_some() {
            return None;
        }
        let syntax = find_in_block(&capture.body, e.span).filter(|_| !varies);
        let ty = self.value_type(&e.ty)?;
        let Some(syntax) = syntax else {
            self.refuse(
                e.span,
                "CUF0454",
                format!("`{intrinsic}` of host data depends on a name or value local to the loop\nhelp: evaluate it before the loop"),
            );
            return Some(Expr::new(ExprKind::Bool(true), ty));
        };
        let wanted = format!("{intrinsic}_{}", designator_name(first, self));
        let own = self.fresh(&wanted);
        let value = Expr::name(&own, ty.clone());
        let param = CaptureParam {
            key: Some(e.clone()),
            name: own,
            kernel: ty.clone(),
            launcher: ty,
            pass: value.clone(),
            restrict: false,
            passing: ArgPassing::Value(e.ty.clone()),
            source: ParamSource::Captured(syntax),
            present: None,
            declared: false,
        };
        if let Some(c) = &mut self.capture {
            c.params.push(param);
        }
        Some(value)
    }

    pub fn capture_designator(
        &mut self,
        t: &TExpr,
        name: String,
        source: ParamSource,
    ) -> Option<Entity> {
        let elem = self.capturable(t)?;
        let present = self.is_present(t);
        let device = self.in_device_memory(t)
            || present
            || self.model().reaches(t) && (t.rank > 0 || matches!(source, ParamSource::Hidden(_)));
        if t.rank <= 0 && !device && self.may_be_absent(t) {
            return Some(self.optional_value(name, elem, source));
        }
        if t.rank > 0 && !device {
            let what = self.captured_name(t);
            self.refuse(
                t.span,
                "CUF0455",
                format!("host array `{what}` cannot be used in a {}\nhelp: declare it with the `device` or `managed` attribute", self.loop_noun()),
            );
            return None;
        }
        let changed = t
            .root()
            .is_none_or(|r| self.facts.modified.contains(&r) || self.needed_by_callee(r));
        let stored = if changed {
            elem.clone()
        } else {
            elem.clone().constant()
        };
        let present = present.then(|| self.captured_name(t));
        let way = if t.rank > 0 {
            let array = (t.rank as usize, self.is_dense(t));
            captured_array(&name, stored, array, present.is_some())
        } else if device {
            captured_address(&name, stored)
        } else {
            captured_value(&name, elem, t)
        };
        let expr = entity_expr(&name, &way.kernel, t.rank > 0);
        let restrict = matches!(t.kind, TExprKind::Variable(s) if self.may_restrict(s));
        let param = CaptureParam {
            key: None,
            name,
            restrict,
            kernel: way.kernel,
            launcher: way.launcher,
            pass: way.pass,
            passing: way.passing,
            source,
            declared: present.is_some() && self.is_declared(t),
            present,
        };
        let associated = t
            .root()
            .is_some_and(|r| matches!(self.model()[r].kind, SymbolKind::Associate { .. }));
        if let Some(c) = &mut self.capture {
            c.params.push(param);
            c.associated |= associated;
        }
        Some(Entity {
            expr,
            bounds: vec![(None, None); t.rank.max(0) as usize],
            optional: None,
        })
    }

    /// Host data that the loop reaches: that of the memory mode, or those that are present on the device.
    pub fn reaches(&self, t: &TExpr) -> bool {
        let present = |c: &Capture| c.present;
        let host = || matches!(self.model().space(t), Some(Space::Host | Space::Pinned));
        self.model().reaches(t) || self.capture.as_ref().is_some_and(present) && host()
    }

    /// Components of structures in device memory may have device addresses: OpenACC attaches them. Procedures that constructs call have
    /// such structures as arguments.
    pub fn attaches_components(&self) -> bool {
        match &self.capture {
            Some(c) => c.present,
            None => {
                let model = self.model();
                let unit = model[self.unit_scope].symbol;
                let target = unit.and_then(|s| model.procedure(s)).map(|p| p.target);
                let called = [ProcedureTarget::Device, ProcedureTarget::HostDevice];
                model.dialect.openacc && target.is_some_and(|t| called.contains(&t))
            }
        }
    }

    /// Host data that stand for their copies on the device: arrays, and the scalars that the directive names.
    pub fn is_present(&self, t: &TExpr) -> bool {
        let Some(c) = self.capture.as_ref() else {
            return false;
        };
        let declared = |r: &SymbolId| self.model().present.contains(r);
        // A CUF loop of CUDA Fortran reads the host's scalars itself.
        let reached = |r: SymbolId| declared(&r) && (t.rank > 0 || self.needed_by_callee(r));
        if !c.present && !t.root().is_some_and(reached) {
            return false;
        }
        let named = |r: SymbolId| c.on_device.contains(&r) || declared(&r);
        let host = matches!(self.model().space(t), Some(Space::Host | Space::Pinned));
        host && !self.model().reaches(t) && (t.rank > 0 || t.root().is_some_and(named))
    }

    /// Static data that a `declare` directive of OpenACC has put on the device. Allocatables are entered when they are allocated.
    fn is_declared(&self, t: &TExpr) -> bool {
        let model = self.model();
        t.root().is_some_and(|r| {
            model.present.contains(&r) && model.variable(r).is_some_and(|v| !v.attrs.is_dynamic())
        })
    }

    /// How messages call a captured designator.
    pub fn captured_name(&self, t: &TExpr) -> String {
        names_joined(t, self, "%")
    }

    /// The type of an element of what a loop captures; None: it was refused.
    fn capturable(&mut self, t: &TExpr) -> Option<ir::Type> {
        let Some(elem) = self.storage_type(&t.ty) else {
            let what = self.captured_name(t);
            self.refuse(
                t.span,
                "CUF0403",
                format!("type of `{what}` is not supported in device code"),
            );
            return None;
        };
        let root = t.root().and_then(|r| self.model().variable(r));
        let whole = matches!(t.kind, TExprKind::Variable(_));
        if self.may_be_absent(t) && (!whole || root.is_some_and(|v| v.attrs.is_dynamic())) {
            let what = self.captured_name(t);
            self.refuse(
                t.span,
                "CUF0454",
                format!("the loop tests `present()` for the argument that {what} belongs to\nnote: its value is read before the first iteration\nhelp: test `present()` before the loop"),
            );
            return None;
        }
        Some(elem)
    }
}

/// The way of captured data into a kernel.
struct CapturedWay {
    /// Types of the kernel's parameter and of the launcher's.
    kernel: ir::Type,
    launcher: ir::Type,
    /// What the launcher passes on.
    pass: Expr,
    passing: ArgPassing,
}

/// An array in device memory: the launcher has its descriptor.
fn captured_array(
    name: &str,
    elem: ir::Type,
    (rank, dense): (usize, bool),
    present: bool,
) -> CapturedWay {
    let elem = Box::new(elem);
    let launcher = ir::Type::Pointer {
        to: Box::new(ir::Type::Class(Class::Descriptor).constant()),
        restrict: false,
    };
    // The launcher declares the descriptor of what is present.
    let d = match present {
        true => Expr::name(name, ir::Type::Class(Class::Descriptor)),
        false => Expr::name(name, launcher.clone()).deref(ir::Type::Auto),
    };
    // Without strides to multiply with, where the elements are known to lie side by side.
    let (kernel, pass) = if dense {
        let kernel = ir::Type::Array {
            elem: elem.clone(),
            rank,
        };
        let targs = vec![TemplateArg::Type(*elem), TemplateArg::Int(rank as i64)];
        let pass = Expr::call_of(Function::Dense, targs, vec![d], kernel.clone());
        (kernel, pass)
    } else {
        let kernel = ir::Type::View { elem, rank };
        let pass = Expr::new(ExprKind::Object(vec![d]), kernel.clone());
        (kernel, pass)
    };
    CapturedWay {
        kernel,
        launcher,
        pass,
        passing: ArgPassing::Descriptor,
    }
}

/// A scalar in device memory.
fn captured_address(name: &str, elem: ir::Type) -> CapturedWay {
    let pointer = ir::Type::Pointer {
        to: Box::new(elem),
        restrict: false,
    };
    CapturedWay {
        launcher: pointer.clone(),
        pass: Expr::name(name, pointer.clone()),
        kernel: pointer,
        passing: ArgPassing::Address,
    }
}

/// A scalar of the host, by value.
fn captured_value(name: &str, elem: ir::Type, t: &TExpr) -> CapturedWay {
    let value = match elem {
        ir::Type::Logical(_) => ir::Type::Bool,
        t => t,
    };
    if by_address(&value) {
        let launcher = ir::Type::Pointer {
            to: Box::new(value.clone().constant()),
            restrict: false,
        };
        return CapturedWay {
            pass: Expr::name(name, launcher.clone()).deref(value.clone()),
            kernel: value,
            launcher,
            passing: ArgPassing::HostValue,
        };
    }
    CapturedWay {
        launcher: value.clone(),
        pass: Expr::name(name, value.clone()),
        kernel: value,
        passing: ArgPassing::Value(t.ty.clone()),
    }
}

/// Values that cross the launcher ABI as the address of a host variable.
pub fn by_address(ty: &ir::Type) -> bool {
    matches!(
        ty,
        ir::Type::Complex(_)
            | ir::Type::Derived(_)
            | ir::Type::Class(_)
            | ir::Type::Character(_)
            | ir::Type::Real(2)
    )
}

pub fn entity_expr(name: &str, kernel: &ir::Type, array: bool) -> Expr {
    let e = Expr::name(name, kernel.clone());
    match kernel {
        ir::Type::Pointer { to, .. } if !array => e.deref(to.plain().clone()),
        _ => e,
    }
}

pub fn find_in_block(body: &[Stmt], span: Span) -> Option<ast::Expr> {
    body.iter().find_map(|s| find_in_stmt(s, span))
}

fn find_in_stmt(s: &Stmt, span: Span) -> Option<ast::Expr> {
    let mut found = None;
    super::scan::each_expr(s, &mut |e| {
        if found.is_none() {
            found = find_in_expr(e, span);
        }
    });
    found
}

/// A name for what a designator stands for: `g_f_v` of `g%f(1)%v(i)`.
pub fn designator_name(t: &TExpr, cx: &LoweringContext<'_, '_>) -> String {
    names_joined(t, cx, "_")
}

fn names_joined(t: &TExpr, cx: &LoweringContext<'_, '_>, by: &str) -> String {
    match &t.kind {
        TExprKind::Variable(s) => cx.model()[*s].spelling.to_string(),
        TExprKind::Component { base, name, .. } => {
            format!("{}{by}{name}", names_joined(base, cx, by))
        }
        TExprKind::Index { base, .. }
        | TExprKind::Substring { base, .. }
        | TExprKind::ComplexPart { base, .. } => names_joined(base, cx, by),
        _ => "captured".to_owned(),
    }
}
