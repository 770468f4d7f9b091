//! Typing of expressions: names, literals, operators, components, array constructors. References are in `reference.rs`.

pub mod call;
pub mod dependence;
pub mod format;
pub mod generic;
pub(in crate::translation::sema) mod intrinsic_result;
mod logic;
pub(in crate::translation::sema) mod reference;
pub mod typed;
pub mod typer;

use std::borrow::Cow;

use crate::ast::{self, BinaryOp, Expr, ExprKind, KindSuffix, Name, Span, UnaryOp};
use crate::sema::constant::fold;
use crate::sema::expression::generic::Actual;
use crate::sema::expression::typed::*;
use crate::sema::expression::typer::*;
use crate::sema::model::dialect::MemoryMode;
use crate::sema::model::*;

/// Arrays of named constants with more elements have no value in the expressions that name them whole.
const MAX_INLINE_ELEMENTS: usize = 1024;

/// Kinds of literals: those of gfortran and nvfortran.
const INTEGER_KINDS: [u8; 5] = [1, 2, 4, 8, 16];
const REAL_KINDS: [u8; 5] = [2, 4, 8, 10, 16];

impl<'m> Typer<'m> {
    /// Runs `f` one level deeper; `Unknown` beyond the limit.
    fn deeper(&mut self, span: Span, f: impl FnOnce(&mut Self) -> TExpr) -> TExpr {
        if self.depth >= MAX_DEPTH {
            return self.too_deep(span);
        }
        self.depth += 1;
        let t = f(self);
        self.depth -= 1;
        t
    }

    pub fn expr(&mut self, e: &Expr) -> TExpr {
        self.deeper(e.span, |t| t.expr_here(e))
    }

    fn boxed(&mut self, e: &Expr) -> Box<TExpr> {
        Box::new(self.value(e))
    }

    fn expr_here(&mut self, e: &Expr) -> TExpr {
        let span = e.span;
        match &e.kind {
            ExprKind::Integer { digits, kind } => {
                self.integer_literal(digits, kind.as_deref(), span)
            }
            ExprKind::Real { text, kind } => {
                let Some(kind) = self.kind_of(kind.as_deref(), &REAL_KINDS) else {
                    return unknown(span);
                };
                match fold::real_literal(text, kind, self.m.dialect.real) {
                    Some((v, k)) => {
                        let mut t = constant(Constant::Real(v, k), span);
                        if !v.is_finite() {
                            t.value = None;
                        }
                        t
                    }
                    None => unknown(span),
                }
            }
            ExprKind::Complex { re, im } => self.complex_literal(re, im, span),
            ExprKind::Logical { value, kind } => {
                match self.kind_of(kind.as_deref(), &INTEGER_KINDS) {
                    Some(k) => constant(Constant::Logical(*value, k.unwrap_or(4)), span),
                    None => unknown(span),
                }
            }
            ExprKind::Character { value, kind } => match self.kind_of(kind.as_deref(), &[1]) {
                Some(_) => constant(fold::text(value, self.m.dialect), span),
                None => unknown(span),
            },
            ExprKind::Boz { radix, digits } => {
                let value = fold::boz(*radix, digits).map(|v| Constant::Integer(v, 16));
                TExpr {
                    kind: TExprKind::Constant { symbol: None },
                    ty: Type::Boz,
                    rank: 0,
                    value,
                    span,
                }
            }
            ExprKind::Name(n) => self.name(n, span),
            ExprKind::Ref { base, args } => self.reference(base, args, span),
            ExprKind::Component { base, name } => {
                let base = self.expr(base);
                self.component(base, name, span)
            }
            ExprKind::Unary { op, operand } => {
                let operand = self.boxed(operand);
                self.unary(*op, operand, span)
            }
            ExprKind::Binary { .. } | ExprKind::DefinedBinary { .. } => self.operator_chain(e),
            ExprKind::DefinedUnary { op, operand } => {
                let operand = self.value(operand);
                self.defined_operator(&op.text, vec![operand], span)
                    .unwrap_or_else(|_| unknown(span))
            }
            ExprKind::Paren(inner) => {
                let inner = self.boxed(inner);
                TExpr {
                    ty: inner.ty.clone(),
                    rank: inner.rank,
                    value: inner.value.clone(),
                    kind: TExprKind::Paren(inner),
                    span,
                }
            }
            ExprKind::ArrayConstructor { type_spec, items } => {
                self.array_constructor(type_spec.as_deref(), items, span)
            }
            ExprKind::ImpliedDo { .. } => self.implied_do(e),
            ExprKind::Star { .. } => node(TExprKind::Star, Type::Unknown, 0, span),
            ExprKind::Slice { .. } | ExprKind::Other => unknown(span),
        }
    }

    /// The kind that a literal names, if it names one; None if what it names is not known to be one of `kinds`.
    fn kind_of(&self, k: Option<&KindSuffix>, kinds: &[u8]) -> Option<Option<u8>> {
        match k {
            None => Some(None),
            Some(k) => self.kind_suffix(k).filter(|k| kinds.contains(k)).map(Some),
        }
    }

    fn kind_suffix(&self, k: &KindSuffix) -> Option<u8> {
        match k {
            KindSuffix::Number(n) => u8::try_from(*n).ok(),
            KindSuffix::Name(n) => match &self.m[self.m.lookup(self.scope, &n.text)?].kind {
                SymbolKind::Parameter(p) => match p.value {
                    Some(Constant::Integer(v, _)) => u8::try_from(v).ok(),
                    _ => None,
                },
                _ => None,
            },
        }
    }

    fn integer_literal(&self, digits: &str, kind: Option<&KindSuffix>, span: Span) -> TExpr {
        let Some(kind) = self.kind_of(kind, &INTEGER_KINDS) else {
            return unknown(span);
        };
        let kind = kind.unwrap_or(4);
        // The negative of the largest magnitude is in range, so the magnitude itself may stand here.
        let value = digits.parse::<i128>().ok();
        match value.filter(|v| fold::integer(-v, kind).is_some()) {
            Some(v) => constant(Constant::Integer(v, kind), span),
            None => node(
                TExprKind::Constant { symbol: None },
                Type::Integer(kind),
                0,
                span,
            ),
        }
    }

    fn complex_literal(&mut self, re: &Expr, im: &Expr, span: Span) -> TExpr {
        let (re, im) = (self.expr(re), self.expr(im));
        let kind = match common_type(&re.ty, &im.ty) {
            Type::Real(k) => k,
            Type::Integer(_) => self.m.dialect.real,
            _ => return unknown(span),
        };
        let part = |t: &TExpr| match fold::convert(t.value.as_ref()?, &Type::Real(kind))? {
            Constant::Real(v, _) => Some(v),
            _ => None,
        };
        match (part(&re), part(&im)) {
            (Some(a), Some(b)) => constant(Constant::Complex(a, b, kind), span),
            _ => node(
                TExprKind::Constant { symbol: None },
                Type::Complex(kind),
                0,
                span,
            ),
        }
    }

    fn name(&mut self, n: &Name, span: Span) -> TExpr {
        let found = self.m.lookup(self.scope, &n.text);
        let declared = found
            .filter(|s| self.m.predefined(*s).is_none() && !self.means_predefined(*s, &n.text));
        // `use cudafor, only: t => threadIdx` names what device code has anyway.
        let name = found.map_or(&n.text, |s| &self.m[s].name);
        match declared {
            Some(s) => self.symbol(s, span),
            None => match self.builtin(name) {
                Some((var, ty)) => {
                    let mut t = node(
                        TExprKind::Builtin {
                            var,
                            component: None,
                        },
                        ty,
                        0,
                        span,
                    );
                    if var == BuiltinVar::WarpSize {
                        t.value = Some(Constant::Integer(32, 4));
                    }
                    t
                }
                None => unknown(span),
            },
        }
    }

    /// A module variable of the host that has the name of a predefined variable (`griddim`): in device code, which cannot use it, the
    /// name means that. With unified memory it could use a number.
    fn means_predefined(&self, s: SymbolId, name: &str) -> bool {
        let home = self.m[self.m[s].scope].kind;
        self.in_device_code()
            && BuiltinVar::named(name).is_some_and(|v| v != BuiltinVar::WarpSize)
            && matches!(home, ScopeKind::Module | ScopeKind::Submodule)
            && self.m.variable(s).is_some_and(|v| {
                let dim3 = matches!(v.ty, Type::Derived(t) if self.m[t].name == "dim3");
                let seen = self.m.dialect.memory == MemoryMode::Unified;
                (dim3 || !seen) && v.dims.is_empty() && matches!(v.space, Space::Host)
            })
    }

    /// Predefined variables exist in device code only (guide 2.8).
    pub fn builtin(&self, name: &str) -> Option<(BuiltinVar, Type)> {
        let var = BuiltinVar::named(name)?;
        if var == BuiltinVar::WarpSize {
            return Some((var, Type::Integer(4)));
        }
        self.in_device_code()
            .then(|| (var, Type::Opaque("dim3".to_owned())))
    }

    pub fn symbol(&mut self, s: SymbolId, span: Span) -> TExpr {
        match &self.m[s].kind {
            SymbolKind::Variable(v) => {
                let mut t = node(TExprKind::Variable(s), v.ty.clone(), rank_of(&v.dims), span);
                if let Some((_, value)) = self.env.iter().rev().find(|(e, _)| *e == s)
                    && let Type::Integer(k) = v.ty
                {
                    t.value = Some(Constant::Integer(*value, k));
                }
                t
            }
            SymbolKind::Parameter(p) => {
                let mut t = node(TExprKind::Variable(s), p.ty.clone(), rank_of(&p.dims), span);
                match &p.value {
                    Some(Constant::Array(items, _))
                        if items.len() > MAX_INLINE_ELEMENTS && !self.of_constant => {}
                    Some(v) => {
                        t.value = Some(v.clone());
                        if !matches!(v, Constant::Array(..) | Constant::Structure(..)) {
                            t.kind = TExprKind::Constant { symbol: Some(s) };
                        }
                    }
                    None => {}
                }
                t
            }
            SymbolKind::Procedure(_) | SymbolKind::Generic(_) => {
                node(TExprKind::ProcedureName(s), self.m.type_of(s), 0, span)
            }
            SymbolKind::Associate { ty, rank, .. } => {
                node(TExprKind::Variable(s), ty.clone(), *rank, span)
            }
            _ => unknown(span),
        }
    }

    pub fn component(&mut self, base: TExpr, name: &Name, span: Span) -> TExpr {
        if let TExprKind::Builtin {
            var,
            component: None,
        } = base.kind
        {
            let component = match name.text.as_str() {
                "x" => 0,
                "y" => 1,
                "z" => 2,
                _ => return unknown(span),
            };
            let kind = TExprKind::Builtin {
                var,
                component: Some(component),
            };
            return node(kind, Type::Integer(4), 0, span);
        }
        let base_rank = base.rank;
        match base.ty.clone() {
            Type::Complex(k) if matches!(name.text.as_str(), "re" | "im") => {
                let imaginary = name.text == "im";
                let kind = TExprKind::ComplexPart {
                    base: Box::new(base),
                    imaginary,
                };
                node(kind, Type::Real(k), base_rank, span)
            }
            Type::Derived(of) | Type::Class(of) => {
                let fields = self.m.components_of(of);
                // An extension may not redeclare a component, so the first is the only one.
                if let Some(index) = fields.iter().position(|f| f.name == name.text) {
                    let field = fields[index];
                    let rank = join_rank(base_rank, rank_of(&field.dims));
                    let ty = field.ty.clone();
                    let value = match &base.value {
                        Some(Constant::Structure(_, parts)) => parts.get(index).cloned(),
                        _ => None,
                    };
                    let kind = TExprKind::Component {
                        base: Box::new(base),
                        of,
                        index,
                        name: name.text.to_string(),
                    };
                    let mut t = node(kind, ty, rank, span);
                    t.value = value;
                    if base_rank > 0 && self.of_constant {
                        t.value = self.constant_of(&t).map(Cow::into_owned);
                    }
                    return t;
                }
                let mut child = of;
                for _ in 0..64 {
                    let Some(p) = self.m[child].parent else {
                        break;
                    };
                    if self.m[child].parent_name == name.text {
                        let kind = TExprKind::Component {
                            base: Box::new(base),
                            of,
                            index: PARENT_COMPONENT,
                            name: name.text.to_string(),
                        };
                        return node(kind, Type::Derived(p), base_rank, span);
                    }
                    child = p;
                }
                unknown(span)
            }
            _ => unknown(span),
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: Box<TExpr>, span: Span) -> TExpr {
        let mut operand = operand;
        let name = match op {
            UnaryOp::Plus => "+",
            UnaryOp::Minus => "-",
            UnaryOp::Not => ".not.",
        };
        let intrinsic = match operand.ty {
            Type::Derived(_) | Type::Class(_) | Type::Character(_) => false,
            Type::Logical(_) => op == UnaryOp::Not,
            _ => op != UnaryOp::Not,
        };
        if !intrinsic {
            let derived = matches!(operand.ty, Type::Derived(_) | Type::Class(_));
            match self.defined_operator(name, vec![*operand], span) {
                Ok(t) => return t,
                Err(mut args) => match args.pop() {
                    Some(t) if !derived => *operand = t,
                    _ => return unknown(span),
                },
            }
        }
        TExpr {
            ty: operand.ty.clone(),
            rank: operand.rank,
            value: operand.value.as_ref().and_then(|v| fold::unary(op, v)),
            kind: TExprKind::Unary { op, operand },
            span,
        }
    }

    /// A chain of binary operators, left-associative chains without recursion.
    fn operator_chain(&mut self, e: &Expr) -> TExpr {
        let mut spine = Vec::new();
        let mut at = e;
        while let ExprKind::Binary { lhs, .. } | ExprKind::DefinedBinary { lhs, .. } = &at.kind {
            spine.push(at);
            at = lhs;
            if spine.len() > MAX_CHAIN {
                return self.too_deep(e.span);
            }
        }
        let mut left = self.value(at);
        for e in spine.into_iter().rev() {
            left = match &e.kind {
                ExprKind::Binary { op, rhs, .. } => {
                    let right = self.value(rhs);
                    self.binary(*op, left, right, e.span)
                }
                ExprKind::DefinedBinary { op, rhs, .. } => {
                    let right = self.value(rhs);
                    self.defined_operator(&op.text, vec![left, right], e.span)
                        .unwrap_or_else(|_| unknown(e.span))
                }
                _ => left,
            };
        }
        left
    }

    fn binary(&mut self, op: BinaryOp, lhs: TExpr, rhs: TExpr, span: Span) -> TExpr {
        let (mut lhs, mut rhs) = (lhs, rhs);
        // A procedure with device dummies replaces the operation on intrinsic types, too.
        let device = |e: &TExpr| {
            (self.m.space(e))
                .is_some_and(|s| !matches!(s, Space::Host | Space::Thread | Space::Pinned))
        };
        if !intrinsic_operation(op, &lhs.ty, &rhs.ty)
            || !self.in_device_code() && (device(&lhs) || device(&rhs))
        {
            match self.defined_operator(operator_name(op), vec![lhs, rhs], span) {
                Ok(t) => return t,
                Err(mut args) => {
                    let (Some(r), Some(l)) = (args.pop(), args.pop()) else {
                        return unknown(span);
                    };
                    (lhs, rhs) = (l, r);
                }
            }
        }
        let ty = match op {
            BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge => Type::Logical(4),
            BinaryOp::Concat => match (&lhs.ty, &rhs.ty) {
                (
                    Type::Character(CharacterLength::Constant(a)),
                    Type::Character(CharacterLength::Constant(b)),
                ) => Type::Character(CharacterLength::Constant(a + b)),
                _ => Type::Character(CharacterLength::Other),
            },
            BinaryOp::And | BinaryOp::Or | BinaryOp::Eqv | BinaryOp::Neqv => {
                match (&lhs.ty, &rhs.ty) {
                    // nvfortran's integer as a condition.
                    (t @ Type::Logical(_), Type::Integer(_))
                    | (Type::Integer(_), t @ Type::Logical(_)) => t.clone(),
                    (a, b) => match common_type(a, b) {
                        Type::Unknown => Type::Logical(4),
                        t => t,
                    },
                }
            }
            // The exponent's integer type does not change the base's.
            BinaryOp::Pow => match (&lhs.ty, &rhs.ty) {
                (b @ (Type::Real(_) | Type::Complex(_)), Type::Integer(_)) => b.clone(),
                (a, b) => common_type(a, b),
            },
            _ => common_type(&lhs.ty, &rhs.ty),
        };
        let value = match (&lhs.value, &rhs.value) {
            (Some(a), Some(b)) => {
                let plain = |t: &TExpr, v: &Constant, other: &Type| match t.ty {
                    Type::Boz => match v {
                        Constant::Integer(v, _) => fold::boz_as(*v, other),
                        _ => None,
                    },
                    _ => Some(v.clone()),
                };
                match (plain(&lhs, a, &rhs.ty), plain(&rhs, b, &lhs.ty)) {
                    (Some(a), Some(b)) => fold::binary(op, &a, &b),
                    _ => None,
                }
            }
            _ => None,
        };
        TExpr {
            ty,
            rank: join_rank(lhs.rank, rhs.rank),
            value,
            kind: TExprKind::Binary {
                op,
                lhs: Box::new(lhs),
                rhs: Box::new(rhs),
            },
            span,
        }
    }

    /// A user-defined operation, operator name without dots or as written (`+`); gives the operands back if there is none.
    fn defined_operator(
        &mut self,
        op: &str,
        operands: Vec<TExpr>,
        span: Span,
    ) -> Result<TExpr, Vec<TExpr>> {
        let keys: Vec<String> = if op.starts_with(|c: char| c.is_ascii_alphabetic()) {
            vec![format!("operator(.{op}.)")]
        } else {
            let mut keys = vec![format!("operator({op})")];
            keys.extend(alternative_spelling(op).map(|o| format!("operator({o})")));
            keys
        };
        let actuals: Vec<Actual> = operands.into_iter().map(Actual::from).collect();
        for key in &keys {
            if let Some(s) = self.m.lookup(self.scope, key)
                && let SymbolKind::Generic(g) = &self.m[s].kind
                && let Ok(specific) =
                    self.m
                        .resolve_generic(&g.specifics, &actuals, self.in_device_code())
            {
                return Ok(self.user_call(specific, Some(s), actuals, span));
            }
        }
        // Operators bound to the type of an operand.
        for i in 0..actuals.len() {
            if let Type::Derived(t) | Type::Class(t) = actuals[i].value.ty {
                for key in &keys {
                    if let Some((specific, dynamic)) =
                        self.m
                            .bound_generic(t, key, &actuals, self.in_device_code())
                    {
                        return Ok(self.bound_call(None, specific, dynamic, actuals, span));
                    }
                }
            }
        }
        Err(actuals.into_iter().map(|a| a.value).collect())
    }

    fn array_constructor(
        &mut self,
        spec: Option<&ast::TypeSpec>,
        items: &[Expr],
        span: Span,
    ) -> TExpr {
        let items: Vec<TExpr> = items.iter().map(|i| self.value(i)).collect();
        if spec.is_some_and(|s| self.m.type_of_spec(self.scope, s) == Type::Unknown) {
            return unknown(span);
        }
        // nvfortran takes texts of different lengths: all get the longest.
        let ragged = spec.is_none().then(|| ragged_length(&items)).flatten();
        let ty = match (spec, ragged) {
            (Some(s), _) => self.m.type_of_spec(self.scope, s),
            (None, Some(n)) => Type::Character(CharacterLength::Constant(n)),
            (None, None) => items
                .iter()
                .map(|i| i.ty.clone())
                .find(|t| *t != Type::Unknown)
                .unwrap_or(Type::Unknown),
        };
        let mut values = Some(Vec::new());
        for i in &items {
            match (&mut values, &i.value) {
                (Some(all), Some(Constant::Array(more, _))) => all.extend(more.iter().cloned()),
                (Some(all), Some(one)) => all.push(one.clone()),
                _ => values = None,
            }
            if values
                .as_ref()
                .is_some_and(|v| v.len() > fold::MAX_ELEMENTS)
            {
                values = None;
            }
        }
        let value = values.and_then(|v| {
            let n = v.len() as i64;
            let array = Constant::Array(v, vec![n]);
            match spec.is_some() || ragged.is_some() {
                true => fold::convert(&array, &ty),
                false => Some(array),
            }
        });
        TExpr {
            kind: TExprKind::ArrayConstructor { items },
            ty,
            rank: 1,
            value,
            span,
        }
    }

    fn implied_do(&mut self, e: &Expr) -> TExpr {
        let ExprKind::ImpliedDo(d) = &e.kind else {
            return unknown(e.span);
        };
        let ast::ImpliedDo {
            items,
            var,
            from,
            to,
            step,
        } = &**d;
        let Some(symbol) = self.m.lookup(self.scope, &var.text) else {
            return unknown(e.span);
        };
        let (from, to) = (self.value(from), self.value(to));
        let step = step.as_ref().map(|s| self.value(s));
        let typed: Vec<TExpr> = items.iter().map(|i| self.value(i)).collect();
        let value = self.unroll(symbol, items, &from, &to, step.as_ref());
        TExpr {
            ty: typed.first().map_or(Type::Unknown, |i| i.ty.clone()),
            rank: 1,
            value,
            kind: TExprKind::ImpliedDo {
                items: typed,
                var: symbol,
                from: Box::new(from),
                to: Box::new(to),
                step: step.map(Box::new),
            },
            span: e.span,
        }
    }

    /// Values of an implied do with constant bounds and items.
    fn unroll(
        &mut self,
        var: SymbolId,
        items: &[Expr],
        from: &TExpr,
        to: &TExpr,
        step: Option<&TExpr>,
    ) -> Option<Constant> {
        let (from, to) = (from.as_integer()?, to.as_integer()?);
        let step = match step {
            Some(s) => s.as_integer().filter(|s| *s != 0)?,
            None => 1,
        };
        let span = to.checked_sub(from)?.checked_add(step)?;
        let count = span.checked_div(step)?.max(0);
        if count > self.unrollable as i128 {
            return None;
        }
        let mut out = Vec::new();
        for i in 0..count {
            self.env.push((var, from + i * step));
            for item in items {
                let left = self.unrollable.checked_sub(1);
                self.unrollable = left.unwrap_or(0);
                match left.and_then(|_| self.expr(item).value) {
                    Some(Constant::Array(v, _)) => out.extend(v),
                    Some(v) => out.push(v),
                    None => {
                        self.env.pop();
                        return None;
                    }
                }
            }
            self.env.pop();
            if out.len() > fold::MAX_ELEMENTS {
                return None;
            }
        }
        let n = out.len() as i64;
        Some(Constant::Array(out, vec![n]))
    }
}

/// The language defines the operation on these types.
fn intrinsic_operation(op: BinaryOp, a: &Type, b: &Type) -> bool {
    let numeric = |t: &Type| {
        matches!(
            t,
            Type::Integer(_) | Type::Real(_) | Type::Complex(_) | Type::Boz
        )
    };
    let unknown = |t: &Type| matches!(t, Type::Unknown | Type::Opaque(_));
    if unknown(a) || unknown(b) {
        return true;
    }
    match op {
        BinaryOp::Concat => matches!((a, b), (Type::Character(_), Type::Character(_))),
        BinaryOp::And | BinaryOp::Or | BinaryOp::Eqv | BinaryOp::Neqv => {
            matches!((a, b), (Type::Logical(_), Type::Logical(_)))
        }
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
            (numeric(a) && numeric(b)) || matches!((a, b), (Type::Character(_), Type::Character(_)))
        }
        _ => numeric(a) && numeric(b),
    }
}

fn operator_name(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Pow => "**",
        BinaryOp::Concat => "//",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "/=",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Gt => ">",
        BinaryOp::Ge => ">=",
        BinaryOp::And => ".and.",
        BinaryOp::Or => ".or.",
        BinaryOp::Eqv => ".eqv.",
        BinaryOp::Neqv => ".neqv.",
    }
}

/// The other spelling of a relational operator in an interface.
fn alternative_spelling(op: &str) -> Option<&'static str> {
    Some(match op {
        "==" => ".eq.",
        "/=" => ".ne.",
        "<" => ".lt.",
        "<=" => ".le.",
        ">" => ".gt.",
        ">=" => ".ge.",
        _ => return None,
    })
}
