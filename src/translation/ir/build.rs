//! Constructors of expressions that fold integer constants and cancel offsets, and small questions about types.

use super::*;

impl Type {
    pub fn constant(self) -> Type {
        match self {
            Type::Const(_) => self,
            t => Type::Const(Box::new(t)),
        }
    }

    /// Without `const` and reference.
    pub fn plain(&self) -> &Type {
        match self {
            Type::Const(t) | Type::Ref(t) => t.plain(),
            t => t,
        }
    }

    /// Element type of an array, itself otherwise.
    pub fn element(&self) -> &Type {
        match self.plain() {
            Type::Array { elem, .. }
            | Type::View { elem, .. }
            | Type::Fixed { elem, .. }
            | Type::Descriptor { elem, .. }
            | Type::LocalArray { elem, .. } => elem.plain(),
            t => t,
        }
    }

    /// Number of dimensions; 0 for a scalar.
    pub fn rank(&self) -> usize {
        match self.plain() {
            Type::Array { rank, .. }
            | Type::View { rank, .. }
            | Type::Descriptor { rank, .. }
            | Type::LocalArray { rank, .. } => *rank,
            Type::Fixed { dims, .. } => dims.len(),
            _ => 0,
        }
    }

    /// C++ makes a value of type `to` of one of this type in an initialisation with `=` as it does in an assignment.
    pub fn initialises(&self, to: &Type) -> bool {
        let number = |t: &Type| matches!(t.plain(), Type::Int(_) | Type::Uint | Type::Real(4 | 8));
        let fixed = match (self.plain(), to.plain()) {
            (Type::Fixed { elem, dims }, Type::Fixed { elem: e, dims: d }) => {
                let extents = |d: &[FixedDim]| d.iter().map(FixedDim::extent).collect::<Vec<_>>();
                elem.plain() == e.plain() && extents(dims) == extents(d)
            }
            _ => false,
        };
        fixed || self.plain() == to.plain() || number(self) && number(to)
    }

    pub fn is_integer(&self) -> bool {
        matches!(self.plain(), Type::Int(_) | Type::Uint)
    }

    pub fn is_real(&self) -> bool {
        matches!(self.plain(), Type::Real(_))
    }

    pub fn is_logical(&self) -> bool {
        matches!(self.plain(), Type::Bool | Type::Logical(_))
    }
}

impl Ident {
    pub fn local(name: impl Into<String>) -> Ident {
        Ident {
            space: Namespaces::Local,
            name: name.into(),
        }
    }
}

impl Notes {
    pub fn is_empty(&self) -> bool {
        self.above.is_empty()
            && self.trailing.is_none()
            && self.closing.is_none()
            && !self.blank_before
    }
}

impl From<StmtKind> for Stmt {
    fn from(kind: StmtKind) -> Stmt {
        Stmt {
            kind,
            notes: Notes::default(),
            at: None,
            origin: Origin::default(),
        }
    }
}

impl Stmt {
    pub fn assign(lhs: Expr, rhs: Expr) -> Stmt {
        if lhs.is_volatile() {
            let args = vec![lhs.into_place(), rhs];
            return Stmt::expr(Expr::call(Function::VolatileStore, args, Type::Void));
        }
        let lhs = lhs.into_target();
        StmtKind::Assign { lhs, rhs }.into()
    }

    pub fn expr(e: Expr) -> Stmt {
        StmtKind::Expr(e).into()
    }

    /// `if (cond) { body }`
    pub fn when(cond: Expr, body: Vec<Stmt>) -> Stmt {
        StmtKind::If {
            branches: vec![(cond, body)],
            otherwise: None,
        }
        .into()
    }

    /// Declaration of one variable.
    pub fn declare(ty: Type, name: &str, init: Init) -> Stmt {
        StmtKind::Declare(Declare {
            ty,
            qualifier: Qualifier::None,
            names: vec![Declarator {
                name: name.to_owned(),
                init,
            }],
            maybe_unused: false,
        })
        .into()
    }

    /// Declaration of a constant.
    pub fn constant(ty: Type, name: &str, value: Expr) -> Stmt {
        StmtKind::Declare(Declare {
            ty,
            qualifier: Qualifier::Const,
            names: vec![Declarator {
                name: name.to_owned(),
                init: Init::Value(value),
            }],
            maybe_unused: false,
        })
        .into()
    }

    /// `for (T var = from; var <= to; ++var) body`
    pub fn count(ty: Type, var: &str, from: Expr, to: Expr, body: Vec<Stmt>) -> Stmt {
        let cond = Expr::binary(BinaryOp::Le, Expr::name(var, ty.clone()), to, Type::Bool);
        StmtKind::For(Box::new(For {
            var: var.to_owned(),
            declare: Some(ty),
            from: Some(from),
            cond,
            step: Step::By(1),
            body,
        }))
        .into()
    }
}

impl Expr {
    pub fn new(kind: ExprKind, ty: Type) -> Expr {
        Expr {
            kind,
            ty,
            line: Line::default(),
            origin: Origin::default(),
        }
    }

    /// Default integer constant.
    pub fn int(v: i64) -> Expr {
        Expr::new(ExprKind::Int(i128::from(v)), Type::Int(4))
    }

    pub fn int_of(v: i128, bytes: u8) -> Expr {
        Expr::new(ExprKind::Int(v), Type::Int(bytes))
    }

    pub fn bool(v: bool) -> Expr {
        Expr::new(ExprKind::Bool(v), Type::Bool)
    }

    pub fn name(name: &str, ty: Type) -> Expr {
        Expr::new(ExprKind::Name(Ident::local(name)), ty)
    }

    pub fn call(callee: impl Into<Callee>, args: Vec<Expr>, ty: Type) -> Expr {
        Expr::call_of(callee, Vec::new(), args, ty)
    }

    /// Call of a function template.
    pub fn call_of(
        callee: impl Into<Callee>,
        targs: Vec<TemplateArg>,
        args: Vec<Expr>,
        ty: Type,
    ) -> Expr {
        Expr::new(
            ExprKind::Call {
                callee: callee.into(),
                targs,
                args,
            },
            ty,
        )
    }

    pub fn method(self, name: Method, args: Vec<Expr>, ty: Type) -> Expr {
        Expr::new(
            ExprKind::Method {
                base: Box::new(self),
                name,
                args,
            },
            ty,
        )
    }

    /// `self(subs)`
    pub fn at(self, subs: Vec<Expr>) -> Expr {
        let ty = self.ty.element().clone();
        Expr::new(
            ExprKind::Element {
                base: Box::new(self),
                subs,
            },
            ty,
        )
    }

    /// VOLATILE data: a load, or a store where it is assigned to.
    pub fn volatile(self) -> Expr {
        let ty = self.ty.plain().clone();
        Expr::call(Function::VolatileLoad, vec![self], ty)
    }

    pub fn is_volatile(&self) -> bool {
        matches!(&self.kind, ExprKind::Call { callee, .. } if callee.is(Function::VolatileLoad))
    }

    /// The storage, for what takes references and addresses.
    pub fn into_place(self) -> Expr {
        if !self.is_volatile() {
            return match self.kind {
                // A reference to the integer that Fortran knows: C++ lets a signed type read its unsigned one.
                ExprKind::Convert(member) if member.is_dim3_component() => {
                    let to = Type::Pointer {
                        to: Box::new(self.ty.clone()),
                        restrict: false,
                    };
                    let at = Expr::new(ExprKind::Convert(Box::new(member.address())), to);
                    Expr::new(ExprKind::Deref(Box::new(at)), self.ty)
                }
                kind => Expr {
                    kind,
                    ty: self.ty,
                    line: self.line,
                    origin: self.origin,
                },
            };
        }
        match self.kind {
            ExprKind::Call { mut args, .. } => args.swap_remove(0),
            kind => Expr::new(kind, self.ty),
        }
    }

    /// What is assigned to where this is the left side: a component of dim3 is read as the integer that Fortran knows,
    /// and assigned as the unsigned member that it is.
    fn into_target(self) -> Expr {
        match self.kind {
            ExprKind::Convert(member) if member.is_dim3_component() => *member,
            kind => Expr {
                kind,
                ty: self.ty,
                line: self.line,
                origin: self.origin,
            },
        }
    }

    /// `x`, `y` or `z` of a dim3.
    fn is_dim3_component(&self) -> bool {
        matches!(&self.kind, ExprKind::Field { base, .. } if matches!(base.ty.plain(), Type::Class(Class::Dim3)))
    }

    pub fn field(self, name: &str, ty: Type) -> Expr {
        Expr::new(
            ExprKind::Field {
                base: Box::new(self),
                name: name.to_owned(),
            },
            ty,
        )
    }

    pub fn address(self) -> Expr {
        let this = self.into_place();
        let ty = Type::Pointer {
            to: Box::new(this.ty.clone()),
            restrict: false,
        };
        match this.kind {
            ExprKind::Deref(p) => *p,
            _ => Expr::new(ExprKind::AddressOf(Box::new(this)), ty),
        }
    }

    /// `++self`
    pub fn incremented(self) -> Expr {
        let ty = self.ty.clone();
        Expr::new(ExprKind::Increment(Box::new(self)), ty)
    }

    pub fn deref(self, ty: Type) -> Expr {
        Expr::new(ExprKind::Deref(Box::new(self)), ty)
    }

    pub fn unary(op: UnaryOp, operand: Expr) -> Expr {
        let ty = operand.ty.clone();
        match (op, &operand.kind, &operand.ty) {
            (UnaryOp::Plus, _, _) => operand,
            (UnaryOp::Neg, ExprKind::Int(v), Type::Int(_)) => Expr::new(ExprKind::Int(-v), ty),
            (UnaryOp::Neg, ExprKind::Real(v), Type::Real(_)) => Expr::new(ExprKind::Real(-v), ty),
            (UnaryOp::Not, ExprKind::Bool(v), _) => Expr::bool(!v),
            (
                UnaryOp::Not,
                ExprKind::Unary {
                    op: UnaryOp::Not,
                    operand: e,
                },
                _,
            ) => (**e).clone(),
            _ => Expr::new(
                ExprKind::Unary {
                    op,
                    operand: Box::new(operand),
                },
                ty,
            ),
        }
    }

    #[allow(clippy::should_implement_trait)]
    pub fn not(self) -> Expr {
        let e = Expr::unary(UnaryOp::Not, self);
        Expr {
            ty: Type::Bool,
            ..e
        }
    }

    pub fn binary(op: BinaryOp, lhs: Expr, rhs: Expr, ty: Type) -> Expr {
        Expr::new(
            ExprKind::Binary {
                op,
                lhs: Box::new(lhs),
                rhs: Box::new(rhs),
            },
            ty,
        )
    }

    pub fn as_int(&self) -> Option<i128> {
        match (&self.kind, &self.ty) {
            (ExprKind::Int(v), Type::Int(_) | Type::Uint) => Some(*v),
            _ => None,
        }
    }

    /// The constant at the end of `e + c` or `e - c` and what stands before it.
    fn split_offset(self) -> (Expr, i128) {
        match self.kind {
            ExprKind::Binary {
                op: BinaryOp::Add,
                lhs,
                rhs,
            } if rhs.as_int().is_some() => {
                let c = rhs.as_int().unwrap_or(0);
                (*lhs, c)
            }
            ExprKind::Binary {
                op: BinaryOp::Sub,
                lhs,
                rhs,
            } if rhs.as_int().is_some() => {
                let c = rhs.as_int().unwrap_or(0);
                (*lhs, -c)
            }
            _ => (self, 0),
        }
    }

    fn offset(self, c: i128, ty: Type) -> Expr {
        let lit = |v| {
            Expr::new(
                ExprKind::Int(v),
                if ty == Type::Uint {
                    Type::Uint
                } else {
                    ty.clone()
                },
            )
        };
        match c {
            0 => self,
            c if c > 0 => Expr::binary(BinaryOp::Add, self, lit(c), ty),
            c => Expr::binary(BinaryOp::Sub, self, lit(-c), ty),
        }
    }

    fn wider(a: &Type, b: &Type) -> Type {
        match (a, b) {
            (Type::Int(x), Type::Int(y)) => Type::Int(*x.max(y).max(&4)),
            (Type::Int(8), Type::Uint) | (Type::Uint, Type::Int(8)) => Type::Int(8),
            (Type::Uint, _) | (_, Type::Uint) => Type::Uint,
            (a, _) => a.clone(),
        }
    }

    /// Integer sum with constants folded and moved to the end, equal terms cancelled; exact modulo wrap-around.
    pub fn plus(self, rhs: Expr) -> Expr {
        let ty = Expr::wider(&self.ty, &rhs.ty);
        let (a, ca) = if let Some(v) = self.as_int() {
            (None, v)
        } else {
            let (e, c) = self.split_offset();
            (Some(e), c)
        };
        let (b, cb) = if let Some(v) = rhs.as_int() {
            (None, v)
        } else {
            let (e, c) = rhs.split_offset();
            (Some(e), c)
        };
        let c = ca + cb;
        match (a, b) {
            (None, None) => Expr::new(ExprKind::Int(c), ty),
            (Some(e), None) | (None, Some(e)) => e.offset(c, ty),
            (Some(a), Some(b)) => {
                // (x - b) + b
                if let ExprKind::Binary {
                    op: BinaryOp::Sub,
                    lhs,
                    rhs,
                } = &a.kind
                    && **rhs == b
                {
                    return (**lhs).clone().offset(c, ty);
                }
                let sum = match b.kind {
                    // a + (x + y) and a + (x - y): integer addition associates under wrap-around.
                    ExprKind::Binary {
                        op: op @ (BinaryOp::Add | BinaryOp::Sub),
                        lhs,
                        rhs,
                    } => {
                        let first = Expr::binary(BinaryOp::Add, a, *lhs, ty.clone());
                        Expr::binary(op, first, *rhs, ty.clone())
                    }
                    _ => Expr::binary(BinaryOp::Add, a, b, ty.clone()),
                };
                sum.offset(c, ty)
            }
        }
    }

    /// Integer difference, folded like [`Expr::plus`].
    pub fn minus(self, rhs: Expr) -> Expr {
        let ty = Expr::wider(&self.ty, &rhs.ty);
        if let Some(v) = rhs.as_int() {
            return self.plus(Expr::new(ExprKind::Int(-v), rhs.ty));
        }
        let (b, cb) = rhs.split_offset();
        let (a, ca) = if let Some(v) = self.as_int() {
            (None, v)
        } else {
            let (e, c) = self.split_offset();
            (Some(e), c)
        };
        let c = ca - cb;
        match a {
            Some(a) if a == b => Expr::new(ExprKind::Int(c), ty),
            Some(a) => {
                // (x + b) - b
                if let ExprKind::Binary {
                    op: BinaryOp::Add,
                    lhs,
                    rhs,
                } = &a.kind
                {
                    if **rhs == b {
                        return (**lhs).clone().offset(c, ty);
                    }
                    if **lhs == b {
                        return (**rhs).clone().offset(c, ty);
                    }
                }
                Expr::binary(BinaryOp::Sub, a, b, ty.clone()).offset(c, ty)
            }
            None => Expr::binary(
                BinaryOp::Sub,
                Expr::new(ExprKind::Int(c), ty.clone()),
                b,
                ty,
            ),
        }
    }

    /// Integer product; factors 0 and 1 and constants are folded.
    pub fn times(self, rhs: Expr) -> Expr {
        let ty = Expr::wider(&self.ty, &rhs.ty);
        match (self.as_int(), rhs.as_int()) {
            (Some(a), Some(b)) => Expr::new(ExprKind::Int(a * b), ty),
            (Some(1), _) => rhs,
            (_, Some(1)) => self,
            (Some(0), _) | (_, Some(0)) => Expr::new(ExprKind::Int(0), ty),
            _ => Expr::binary(BinaryOp::Mul, self, rhs, ty),
        }
    }

    /// It denotes storage: a reference of C++ would be bound to that.
    pub fn is_place(&self) -> bool {
        match &self.kind {
            ExprKind::Name(_) | ExprKind::Element { .. } | ExprKind::Deref(_) => true,
            ExprKind::Field { base, .. } => base.is_place(),
            ExprKind::Conditional {
                then, otherwise, ..
            } => then.is_place() && otherwise.is_place(),
            ExprKind::Convert(e) => e.ty == self.ty && e.is_place(),
            _ => false,
        }
    }

    /// A name, a literal or a component of one: may be written twice.
    pub fn is_simple(&self) -> bool {
        match &self.kind {
            ExprKind::Int(_)
            | ExprKind::Real(_)
            | ExprKind::Bool(_)
            | ExprKind::Name(_)
            | ExprKind::WarpSize => true,
            ExprKind::Field { base, .. } => base.is_simple(),
            ExprKind::Unary { operand, .. } => operand.is_simple(),
            _ => false,
        }
    }

    /// The name of the local variable that this is.
    pub fn local(&self) -> Option<&str> {
        match &self.kind {
            ExprKind::Name(i) if i.space == Namespaces::Local => Some(&i.name),
            _ => None,
        }
    }

    /// The local variable of that name stands in this expression.
    pub fn mentions(&self, name: &str) -> bool {
        let mut found = false;
        self.walk(&mut |x| found |= x.local() == Some(name));
        found
    }

    /// Without the conversion of its value.
    pub fn unconverted(&self) -> &Expr {
        match &self.kind {
            ExprKind::Convert(inner) => inner,
            _ => self,
        }
    }

    /// Without the conversion of an unsigned value to the default kind.
    pub fn unsigned_as_is(&self) -> &Expr {
        match &self.kind {
            ExprKind::Convert(inner) if self.ty == Type::Int(4) && inner.ty == Type::Uint => inner,
            _ => self,
        }
    }

    /// Calls `f` on this expression and all below it.
    pub fn walk(&self, f: &mut dyn FnMut(&Expr)) {
        f(self);
        self.operands(&mut |e| e.walk(f));
    }

    /// Calls `f` on the expressions directly in this one, in order.
    pub fn operands<'e>(&'e self, f: &mut dyn FnMut(&'e Expr)) {
        match &self.kind {
            ExprKind::Element { base, subs: args } | ExprKind::Method { base, args, .. } => {
                f(base);
                args.iter().for_each(f);
            }
            ExprKind::Field { base: e, .. }
            | ExprKind::Unary { operand: e, .. }
            | ExprKind::Convert(e)
            | ExprKind::Increment(e)
            | ExprKind::AddressOf(e)
            | ExprKind::Deref(e) => f(e),
            ExprKind::Binary { lhs, rhs, .. } => {
                f(lhs);
                f(rhs);
            }
            ExprKind::Call { args, .. }
            | ExprKind::Bound { args, .. }
            | ExprKind::Construct(args)
            | ExprKind::Object(args)
            | ExprKind::List(args) => args.iter().for_each(f),
            ExprKind::Section { base, subs } => {
                f(base);
                for s in subs {
                    match s {
                        SectionSub::Index(e) => f(e),
                        SectionSub::All => {}
                        SectionSub::Slice { lo, hi, step } => {
                            f(lo);
                            f(hi);
                            if let Some(s) = step {
                                f(s);
                            }
                        }
                    }
                }
            }
            ExprKind::Conditional {
                cond,
                then,
                otherwise,
            } => {
                f(cond);
                f(then);
                f(otherwise);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thread_index_folds() {
        let u = |b, a| Expr::new(ExprKind::Builtin(b, a), Type::Uint);
        // (blockIdx%x - 1)*blockDim%x + threadIdx%x
        let block = u(Builtin::BlockIdx, Axis::X)
            .plus(Expr::int(1))
            .minus(Expr::int(1));
        let e = block
            .times(u(Builtin::BlockDim, Axis::X))
            .plus(u(Builtin::ThreadIdx, Axis::X).plus(Expr::int(1)));
        let (rest, c) = e.split_offset();
        assert_eq!(c, 1);
        assert!(matches!(
            rest.kind,
            ExprKind::Binary {
                op: BinaryOp::Add,
                ..
            }
        ));
    }

    #[test]
    fn equal_terms_cancel() {
        let n = || Expr::name("n", Type::Int(4));
        assert_eq!(n().plus(Expr::int(2)).minus(n()).as_int(), Some(2));
        assert_eq!(n().minus(Expr::int(1)).plus(Expr::int(1)), n());
    }
}
