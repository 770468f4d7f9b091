//! Statements: assignment of array expressions, of results along a dimension, of packed, scanned and multiplied arrays; calls of
//! RANDOM_NUMBER and FSORT.

use super::operand::{Memory, is_number};
use super::reference::parts;
use super::walk::Walk;
use super::{Call, Lowered, Operation};
use crate::abi::ReturnKind;
use crate::ast::{self, Span};
use crate::intrinsics::{Dummy, Intrinsic, Product, Shape, System};
use crate::ir::{self, *};
use crate::sema::expression::call::ResolvedCall;
use crate::sema::expression::typed::*;
use crate::sema::model::{self, *};

/// The target of an assignment.
struct Target<'t> {
    e: &'t TExpr,
    memory: ArrayArg,
    /// It may have to be allocated anew, which the host does.
    fixed: bool,
}

/// The arguments of a function of cutensorex by its dummies.
struct Named<'t> {
    args: &'t [(Option<String>, TExpr)],
    dummies: &'t [&'static str],
}

impl<'t> Named<'t> {
    fn named(&self, name: &str) -> Option<&'t TExpr> {
        let place = self.dummies.iter().position(|d| *d == name);
        let found = self
            .args
            .iter()
            .enumerate()
            .find(|(i, (keyword, _))| match keyword {
                Some(k) => k == name,
                None => Some(*i) == place,
            });
        found.map(|(_, (_, e))| e)
    }
}

impl Walk<'_, '_> {
    /// An assignment to a whole array or section that the device does.
    pub(super) fn assignment(&mut self, lhs: &ast::Expr, rhs: &ast::Expr, span: Span) -> bool {
        let model = self.sh.model;
        let l = model.expr(self.scope, lhs);
        let r = model.expr(self.scope, rhs);
        if l.rank < 1 || l.rank != r.rank || !l.is_designator() || !is_number(&l.ty) {
            return false;
        }
        if model.defined_assignment(self.scope, &l, &r).is_some() {
            return false;
        }
        let Some(target) = self.target(&l) else {
            return false;
        };
        let value = r.unparenthesised();
        match self.lower_assignment(&target, value, &[lhs, rhs], span) {
            Some(lowered) => {
                self.add(lowered);
                true
            }
            None => false,
        }
    }

    fn target<'t>(&self, l: &'t TExpr) -> Option<Target<'t>> {
        let model = self.sh.model;
        let memory = match model.space(l)? {
            Space::Device => ArrayArg::Device,
            Space::Managed | Space::Unified => ArrayArg::Managed,
            Space::Host | Space::Pinned => ArrayArg::Host,
            _ => return None,
        };
        let fixed = !model.has_attribute(l, VarAttrs::ALLOCATABLE);
        // A component of the host is the host's to allocate.
        let component = matches!(l.kind, TExprKind::Component { .. });
        let left = component && !fixed && matches!(memory, ArrayArg::Host);
        (!left).then_some(Target {
            e: l,
            memory,
            fixed,
        })
    }

    fn lower_assignment(
        &mut self,
        target: &Target<'_>,
        r: &TExpr,
        syntax: &[&ast::Expr],
        span: Span,
    ) -> Option<Lowered> {
        let extended = self.sh.model.uses_part_of(self.scope, "cutensorex");
        let overloaded = |i: Intrinsic| self.overloads("cutensorex", r, i);
        // The host's way, which gives a target its shape, would call the functions again.
        let again = !target.fixed && !self.keeps_shape(r, target.e) && self.has_effects(r);
        // What only cutensorex has never allocates its target (guide 3.9.4.2).
        let allocated = &Target {
            e: target.e,
            memory: target.memory.clone(),
            fixed: true,
        };
        match &r.kind {
            TExprKind::Intrinsic { intrinsic, args } => match intrinsic {
                Intrinsic::Reduction(_) | Intrinsic::Location(_) => {
                    let dim = parts(*intrinsic, args)?.dim;
                    if dim.is_none() || again || !self.on_device(r, *intrinsic, args) {
                        return None;
                    }
                    let rank = usize::try_from(args.first()?.as_ref()?.rank).ok()?;
                    let o = self.operation(intrinsic.name(), syntax, rank)?;
                    return o.along(target, *intrinsic, args, span);
                }
                Intrinsic::Product(Product::DotProduct) if overloaded(*intrinsic) => {
                    let rank = usize::try_from(args.first()?.as_ref()?.rank).ok()?;
                    let o = self.operation(intrinsic.name(), syntax, rank)?;
                    return o.dot_product_along(allocated, r, args, span);
                }
                Intrinsic::Shape(Shape::Pack) if overloaded(*intrinsic) => {
                    return self.pack(allocated, args, syntax, span);
                }
                Intrinsic::Shape(Shape::Unpack) if overloaded(*intrinsic) => {
                    return self.unpack(allocated, args, syntax, span);
                }
                _ => {}
            },
            TExprKind::Runtime { module, name, args } if module == "cutensorex" => {
                return match name.as_str() {
                    "packloc" => self.packloc(allocated, args, syntax, span),
                    "count_prefix" | "sum_prefix" => {
                        self.prefix(allocated, name, args, syntax, span)
                    }
                    _ => None,
                };
            }
            _ => {}
        }
        if !extended || again {
            return None;
        }
        let mut lines = Vec::new();
        along_dimensions(r, &mut lines);
        if let [one] = lines[..]
            && let TExprKind::Intrinsic { intrinsic, args } = &one.kind
            && one.span != r.span
        {
            if !self.on_device(one, *intrinsic, args) {
                return None;
            }
            let rank = usize::try_from(args.first()?.as_ref()?.rank).ok()?;
            let mut o = self.operation(intrinsic.name(), syntax, rank)?;
            o.outer(target, r, one)?;
            return match intrinsic {
                Intrinsic::Product(_) => o.dot_product_along(target, one, args, span),
                _ => o.along(target, *intrinsic, args, span),
            };
        }
        let mut products = Vec::new();
        matrix_products(r, &mut products);
        match &products[..] {
            [] => self.elementwise(target, r, syntax, span),
            [one] => self.product(target, r, one, syntax, span),
            _ => None,
        }
    }

    /// The value is computed element by element from the whole target, among others.
    fn keeps_shape(&self, e: &TExpr, target: &TExpr) -> bool {
        match (&e.kind, &target.kind) {
            (TExprKind::Paren(x) | TExprKind::Unary { operand: x, .. }, _) => {
                self.keeps_shape(x, target)
            }
            (TExprKind::Binary { lhs, rhs, .. }, _) => {
                self.keeps_shape(lhs, target) || self.keeps_shape(rhs, target)
            }
            (TExprKind::Variable(a), TExprKind::Variable(b)) => a == b,
            _ => false,
        }
    }

    /// A function is called that may do more than give a value.
    fn has_effects(&self, e: &TExpr) -> bool {
        let pure = |s: SymbolId| self.sh.model.procedure(s).is_some_and(|p| p.pure);
        e.any(&mut |x| match &x.kind {
            TExprKind::Call { procedure, .. } | TExprKind::BoundCall { procedure, .. } => {
                !pure(*procedure)
            }
            TExprKind::StatementFunctionCall { .. } => true,
            TExprKind::Runtime { module, .. } => !module.starts_with("ieee_"),
            _ => false,
        })
    }

    /// The target as an argument, and whether it has to have the right shape.
    fn target_arguments(o: &mut Operation<'_, '_>, target: &Target<'_>) -> Option<()> {
        let mut found = Memory::default();
        let host = matches!(target.memory, ArrayArg::Host);
        if !host && !o.cx.is_operand(target.e, &mut found) {
            return None;
        }
        o.array("to", target.e, true)?;
        o.constant_argument(Expr::bool(target.fixed));
        Some(())
    }

    fn elementwise(
        &mut self,
        target: &Target<'_>,
        r: &TExpr,
        syntax: &[&ast::Expr],
        span: Span,
    ) -> Option<Lowered> {
        let found = self.memory(r)?;
        // Managed data in expressions is the host's, unless cutensorex has a function of it.
        let ours = match target.memory {
            ArrayArg::Device => found.device || found.managed,
            ArrayArg::Managed => found.device || found.managed && found.moves,
            _ => false,
        };
        if !ours || r.is_designator() {
            return None;
        }
        let rank = usize::try_from(r.rank).ok()?;
        let mut o = self.operation("assign", syntax, rank)?;
        let ty = o.cx.value_type(&target.e.ty)?;
        o.part("value", "arrays", r, &ty, rank, None)?;
        Self::target_arguments(&mut o, target)?;
        if o.arrays.iter().all(|(_, names)| names.is_empty()) {
            return None;
        }
        o.finish(statement(
            ArrayFunction::Assign,
            vec![target.memory.clone()],
            target,
            span,
        ))
    }

    /// An expression with one matrix product in it: the rest of the expression is computed with each of its elements.
    fn product(
        &mut self,
        target: &Target<'_>,
        r: &TExpr,
        product: &TExpr,
        syntax: &[&ast::Expr],
        span: Span,
    ) -> Option<Lowered> {
        let TExprKind::Intrinsic { intrinsic, args } = &product.kind else {
            return None;
        };
        let [Some(a), Some(b), ..] = &args[..] else {
            return None;
        };
        let (left, right) = (self.memory(a)?, self.memory(b)?);
        let managed = left.managed || right.managed;
        if !(left.device || right.device || managed) {
            return None;
        }
        let half = |t: &model::Type| matches!(t, model::Type::Real(2));
        if half(&a.ty) || half(&b.ty) || a.rank < 1 || b.rank < 1 || product.rank != r.rank {
            return None;
        }
        let rank = usize::try_from(r.rank).ok()?;
        let mut o = self.operation(intrinsic.name(), syntax, rank)?;
        let value = |o: &mut Operation<'_, '_>, e: &TExpr| o.cx.value_type(&e.ty);
        let (left, right) = (value(&mut o, a)?, value(&mut o, b)?);
        let ty = value(&mut o, product)?;
        let result = value(&mut o, target.e)?;
        let rank_of = |e: &TExpr| usize::try_from(e.rank).unwrap_or(1);
        o.factors = Some((rank_of(a), rank_of(b)));
        o.part("left", "left_arrays", a, &left, rank_of(a), None)?;
        o.part("right", "right_arrays", b, &right, rank_of(b), None)?;
        let element = Some((product.span, ty.clone()));
        if product.span != r.span {
            let marker = Expr::name("element", ty.clone());
            o.cx.operands.as_mut()?.product = Some((product.span, marker));
            let mut found = Memory::default();
            if !o.cx.is_computable(r, &mut found) {
                return None;
            }
        }
        let is_element = |part: &&(&str, Part)| matches!(part.1, Part::Element(_));
        let plain = o.parts.iter().filter(is_element).count() == 2;
        o.part("value", "arrays", r, &result, rank, element)?;
        Self::target_arguments(&mut o, target)?;
        let blas = matches!(
            product.ty,
            model::Type::Real(4 | 8) | model::Type::Complex(4 | 8)
        );
        let function = match plain && blas {
            true => ArrayFunction::MatrixProduct,
            false => ArrayFunction::Product,
        };
        let targs = vec![target.memory.clone(), ArrayArg::Type(ty)];
        o.finish(statement(function, targs, target, span))
    }

    fn pack(
        &mut self,
        target: &Target<'_>,
        args: &[Option<TExpr>],
        syntax: &[&ast::Expr],
        span: Span,
    ) -> Option<Lowered> {
        let [Some(array), Some(mask), rest @ ..] = args else {
            return None;
        };
        // VECTOR, COUNT
        let (vector, count) = (rest.first().and_then(Option::as_ref), rest.get(1));
        let found = self.memory(array)?;
        if !(found.device || found.managed)
            || vector.is_some()
            || matches!(target.memory, ArrayArg::Host)
        {
            return None;
        }
        let rank = usize::try_from(array.rank).ok()?;
        let mut o = self.operation(Intrinsic::from(Shape::Pack).name(), syntax, rank)?;
        if !o.cx.is_mask(Some(mask), array.rank) {
            return None;
        }
        let ty = o.cx.value_type(&target.e.ty)?;
        o.part("value", "arrays", array, &ty, rank, None)?;
        o.part("mask", "arrays", mask, &ir::Type::Bool, rank, None)?;
        Self::target_arguments(&mut o, target)?;
        o.count_of_pack(count.and_then(Option::as_ref))?;
        o.finish(statement(
            ArrayFunction::Pack,
            vec![target.memory.clone()],
            target,
            span,
        ))
    }

    /// PACKLOC packs the numbers of the elements.
    fn packloc(
        &mut self,
        target: &Target<'_>,
        args: &[(Option<String>, TExpr)],
        syntax: &[&ast::Expr],
        span: Span,
    ) -> Option<Lowered> {
        let args = Named {
            args,
            dummies: &["mask", Dummy::Count.name()],
        };
        let mask = args.named("mask")?;
        self.memory(mask)?;
        if mask.rank != 1 || matches!(target.memory, ArrayArg::Host) {
            return None;
        }
        let mut o = self.operation("packloc", syntax, 1)?;
        o.part("mask", "arrays", mask, &ir::Type::Bool, 1, None)?;
        Self::target_arguments(&mut o, target)?;
        o.count_of_pack(args.named(Dummy::Count.name()))?;
        o.finish(statement(
            ArrayFunction::Pack,
            vec![target.memory.clone()],
            target,
            span,
        ))
    }

    fn unpack(
        &mut self,
        target: &Target<'_>,
        args: &[Option<TExpr>],
        syntax: &[&ast::Expr],
        span: Span,
    ) -> Option<Lowered> {
        let [Some(vector), Some(mask), rest @ ..] = args else {
            return None;
        };
        if matches!(target.memory, ArrayArg::Host) {
            return None;
        }
        self.memory(mask)?;
        let rank = usize::try_from(mask.rank).ok()?;
        let mut o = self.operation(Intrinsic::from(Shape::Unpack).name(), syntax, rank)?;
        o.part("mask", "arrays", mask, &ir::Type::Bool, rank, None)?;
        let ty = o.cx.value_type(&target.e.ty)?;
        if let Some(Some(field)) = rest.first() {
            if !o.cx.is_mask(Some(field), mask.rank) {
                return None;
            }
            o.part("value", "arrays", field, &ty, rank, None)?;
        }
        let mut found = Memory::default();
        if !o.cx.is_operand(vector, &mut found) || vector.rank != 1 {
            return None;
        }
        Self::target_arguments(&mut o, target)?;
        o.array("vector", vector, false)?;
        o.finish(statement(
            ArrayFunction::Unpack,
            vec![target.memory.clone()],
            target,
            span,
        ))
    }

    fn prefix(
        &mut self,
        target: &Target<'_>,
        name: &str,
        args: &[(Option<String>, TExpr)],
        syntax: &[&ast::Expr],
        span: Span,
    ) -> Option<Lowered> {
        let counts = name == "count_prefix";
        let dummies: &[&str] = match counts {
            true => &["mask", Dummy::Dim.name(), "exclusive"],
            false => &["array", "mask", Dummy::Dim.name(), "exclusive"],
        };
        let args = Named { args, dummies };
        let first = args.args.first().map(|(_, e)| e)?;
        let array = args
            .named(if counts { "mask" } else { "array" })
            .unwrap_or(first);
        self.memory(array)?;
        let rank = usize::try_from(array.rank).ok()?;
        let mut o = self.operation(name, syntax, rank)?;
        let ty = match counts {
            true => ir::Type::Bool,
            false => o.cx.value_type(&array.ty)?,
        };
        if matches!(array.ty, model::Type::Real(2) | model::Type::Logical(_)) != counts {
            return None;
        }
        o.part("value", "arrays", array, &ty, rank, None)?;
        if let Some(m) = args.named("mask").filter(|_| !counts) {
            if !o.cx.is_mask(Some(m), array.rank) {
                return None;
            }
            o.mask(m, rank)?;
        }
        Self::target_arguments(&mut o, target)?;
        match args.named(Dummy::Dim.name()) {
            Some(d) => o.value("along", d)?,
            None => o.constant_argument(Expr::int_of(0, 8)),
        }
        o.flag("exclusive", args.named("exclusive"))?;
        let fold = match counts {
            true => ir::Type::Int(8),
            false => ty,
        };
        let targs = vec![target.memory.clone(), ArrayArg::Type(fold)];
        o.finish(statement(ArrayFunction::Prefix, targs, target, span))
    }

    /// RANDOM_NUMBER of an array of the device, and FSORT.
    pub(super) fn call(&mut self, call: &ast::Call, span: Span) -> bool {
        let model = self.sh.model;
        let lowered = match model.call(self.scope, call) {
            ResolvedCall::Intrinsic {
                intrinsic: Intrinsic::System(System::RandomNumber),
                args,
            } => args
                .first()
                .and_then(Option::as_ref)
                .and_then(|a| self.random_number(a, call, span)),
            ResolvedCall::Runtime { module, name, args } if module == "sort" && name == "fsort" => {
                self.sort(&args, call, span)
            }
            _ => None,
        };
        match lowered {
            Some(l) => {
                self.add(l);
                true
            }
            None => false,
        }
    }

    fn random_number(&mut self, a: &TExpr, call: &ast::Call, span: Span) -> Option<Lowered> {
        if !self.sh.model.uses_part_of(self.scope, "cutensorex") {
            return None;
        }
        let syntax: Vec<&ast::Expr> = call.args.iter().map(|a| &a.value).collect();
        let rank = usize::try_from(a.rank).ok()?;
        let mut o = self.operation("random", &syntax, rank)?;
        let mut found = Memory::default();
        let real = matches!(a.ty, model::Type::Real(_) | model::Type::Complex(_));
        if !o.cx.is_operand(a, &mut found) || !real {
            return None;
        }
        o.array("to", a, true)?;
        let memory = match found.device {
            true => ArrayArg::Device,
            false => ArrayArg::Managed,
        };
        o.finish(Call {
            function: ArrayFunction::RandomNumbers,
            targs: vec![memory],
            result: ir::Type::Void,
            gives: ReturnKind::Nothing,
            stream: None,
            span,
        })
    }
}

/// A launcher that stands for an assignment.
fn statement(
    function: ArrayFunction,
    targs: Vec<ArrayArg>,
    target: &Target<'_>,
    span: Span,
) -> Call {
    let (result, gives) = match target.fixed {
        true => (ir::Type::Void, ReturnKind::Nothing),
        false => (ir::Type::Bool, ReturnKind::Done),
    };
    Call {
        function,
        targs,
        result,
        gives,
        stream: None,
        span,
    }
}

/// The results along a dimension in an expression, but for those in their operands.
fn along_dimensions<'t>(e: &'t TExpr, out: &mut Vec<&'t TExpr>) {
    if let TExprKind::Intrinsic { intrinsic, args } = &e.kind
        && matches!(
            intrinsic,
            Intrinsic::Product(Product::DotProduct)
                | Intrinsic::Reduction(_)
                | Intrinsic::Location(_)
        )
        && e.rank > 0
        && intrinsic.argument(Dummy::Dim, args).is_some()
    {
        return out.push(e);
    }
    e.for_each_child(&mut |c| along_dimensions(c, out));
}

/// The matrix products in an expression, those in the operands of others too.
fn matrix_products<'t>(e: &'t TExpr, out: &mut Vec<&'t TExpr>) {
    if let TExprKind::Intrinsic {
        intrinsic: Intrinsic::Product(Product::Matmul),
        ..
    } = &e.kind
    {
        out.push(e);
    }
    e.for_each_child(&mut |c| matrix_products(c, out));
}

impl Operation<'_, '_> {
    /// A result along a dimension, which the target gets.
    fn along(
        mut self,
        target: &Target<'_>,
        i: Intrinsic,
        args: &[Option<TExpr>],
        span: Span,
    ) -> Option<Lowered> {
        let p = parts(i, args)?;
        let dim = p.dim?;
        if !self.cx.is_mask(p.mask, p.array.rank) || self.rank < 2 {
            return None;
        }
        let stream = match p.stream {
            Some(s) => Some(self.cx.operands.as_ref()?.syntax_of(s.span)?),
            None => None,
        };
        // The host (re)allocates its own.
        if !target.fixed && matches!(target.memory, ArrayArg::Host) {
            return None;
        }
        let (c, function) = match i {
            Intrinsic::Reduction(r) => {
                let ty = match r {
                    crate::intrinsics::Reduction::Count => model::Type::Integer(8),
                    _ => p.array.ty.clone(),
                };
                (
                    self.cx.combination(r, p.array, &ty)?,
                    ArrayFunction::ReduceAlong,
                )
            }
            Intrinsic::Location(l) => (
                self.cx.place_combination(l, p.array)?,
                ArrayFunction::LocateAlong,
            ),
            _ => return None,
        };
        self.reduction_parts(&p, &c.value)?;
        Walk::target_arguments(&mut self, target)?;
        self.value("along", dim)?;
        if let Intrinsic::Location(_) = i {
            self.flag("back", p.back)?;
        }
        let targs = vec![target.memory.clone(), c.fold];
        let mut call = statement(function, targs, target, span);
        call.stream = stream;
        self.finish(call)
    }

    /// The rest of an expression with a result along a dimension in it.
    fn outer(&mut self, target: &Target<'_>, r: &TExpr, inner: &TExpr) -> Option<()> {
        if inner.rank != r.rank || matches!(target.memory, ArrayArg::Host) {
            return None;
        }
        let rank = usize::try_from(r.rank).ok()?;
        let ty = self.cx.value_type(&inner.ty)?;
        let result = self.cx.value_type(&target.e.ty)?;
        let marker = Expr::name("element", ty.clone());
        self.cx.operands.as_mut()?.product = Some((inner.span, marker));
        let mut found = Memory::default();
        if !self.cx.is_computable(r, &mut found) {
            return None;
        }
        self.part(
            "outer",
            "outer_arrays",
            r,
            &result,
            rank,
            Some((inner.span, ty)),
        )
    }

    /// DOT_PRODUCT with DIM.
    fn dot_product_along(
        mut self,
        target: &Target<'_>,
        e: &TExpr,
        args: &[Option<TExpr>],
        span: Span,
    ) -> Option<Lowered> {
        let [Some(a), Some(b), Some(dim)] = args else {
            return None;
        };
        if self.rank < 2 {
            return None;
        }
        let (fold, ty) = self.product_of(a, b, e)?;
        Walk::target_arguments(&mut self, target)?;
        self.value("along", dim)?;
        let targs = vec![target.memory.clone(), ArrayArg::Fold(fold, ty)];
        self.finish(statement(ArrayFunction::ReduceAlong, targs, target, span))
    }

    /// COUNT of PACK, which gets the number of elements: an integer variable of the host or the device.
    fn count_of_pack(&mut self, count: Option<&TExpr>) -> Option<()> {
        let Some(c) = count else {
            self.constant_argument(Expr::new(ExprKind::Null, ir::Type::Auto));
            return Some(());
        };
        let ty = self.cx.storage_type(&c.ty)?;
        if !matches!(ty, ir::Type::Int(4 | 8)) {
            return None;
        }
        let pointer = ir::Type::Pointer {
            to: Box::new(ty),
            restrict: false,
        };
        let source =
            crate::abi::ParamSource::Captured(self.cx.operands.as_ref()?.syntax_of(c.span)?);
        let optional = self.cx.is_optional(c);
        let passing = crate::abi::ArgPassing::Reference { optional };
        self.parameter("found", passing, source, pointer, |p| p);
        Some(())
    }
}
