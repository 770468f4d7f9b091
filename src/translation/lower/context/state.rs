//! What the parts of the lowering hand to each other: positions in loop nests, what a loop captures, what an operation on whole arrays
//! takes from the host, the places of equivalenced variables.

use crate::abi::{ArgPassing, ParamSource, View};
use crate::ast::{self, LoopOrigin, Span, Stmt};
use crate::ir::{self, *};
use crate::sema::expression::typed::*;
use crate::sema::model::*;

/// Position in one dimension of an array expression: the zero-based offset is `var - base`.
#[derive(Clone, Debug)]
pub struct LoopIndex {
    pub var: Expr,
    pub base: Expr,
}

impl LoopIndex {
    /// The subscript for an array with this lower bound.
    pub fn subscript(&self, lower: Expr) -> Expr {
        self.var.clone().minus(self.base.clone()).plus(lower)
    }

    /// `lower + offset*step`
    pub fn strided(&self, lower: Expr, step: Expr) -> Expr {
        match step.as_int() {
            Some(1) => self.subscript(lower),
            Some(-1) => lower.plus(self.base.clone()).minus(self.var.clone()),
            _ => lower.plus(self.var.clone().minus(self.base.clone()).times(step)),
        }
    }
}

/// Data of the host that a loop uses.
#[derive(Clone, Debug, Default)]
pub struct Capture {
    pub params: Vec<CaptureParam>,
    /// Declarations at the start of the kernel.
    pub prologue: Vec<ir::Stmt>,
    /// The loop, to find the syntax of a captured designator.
    pub body: Vec<Stmt>,
    /// Loop variables and private scalars: designators with them as subscripts cannot be captured.
    pub inside: Vec<SymbolId>,
    /// Dummies of which the loop asks whether they are present: they may be absent.
    pub optional: Vec<SymbolId>,
    /// An associate name is among the arrays: another name may reach its data.
    pub associated: bool,
    /// Host data stand for their copies on the device; these scalars, too.
    pub present: bool,
    /// What the loop was written as.
    pub origin: LoopOrigin,
    pub on_device: Vec<SymbolId>,
}

#[derive(Clone, Debug)]
pub struct CaptureParam {
    /// The designator, where it is no variable.
    pub key: Option<TExpr>,
    pub name: String,
    /// Type of the kernel's parameter and of the launcher's.
    pub kernel: ir::Type,
    pub launcher: ir::Type,
    /// What the launcher passes on.
    pub pass: Expr,
    /// Arrays: nothing else reaches the data.
    pub restrict: bool,
    pub passing: ArgPassing,
    pub source: ParamSource,
    /// Host data: the launcher finds their copy on the device.
    pub present: Option<String>,
    /// It is static data that a directive declares there.
    pub declared: bool,
}

/// What an operation takes from the host, while its parts are lowered.
pub struct Operands {
    /// Type of the operation, and the name under which its parts know it.
    pub ty: ir::Type,
    pub object: String,
    /// The expressions of the statement, to find the syntax of operands.
    pub syntax: Vec<ast::Expr>,
    pub fields: Vec<Field>,
    /// Functions around the expression being lowered that move elements, outermost first.
    pub views: Vec<View>,
    /// Arrays of the part being lowered.
    pub arrays: Vec<String>,
    /// The part being lowered is an array that may be absent.
    pub may_be_absent: bool,
    /// A matrix product, or a result along a dimension, whose element is known under a name.
    pub product: Option<(ast::Span, Expr)>,
}

/// A field of the operation.
pub struct Field {
    /// Tells equal operands.
    pub key: String,
    pub name: String,
    pub ty: ir::Type,
    pub launcher: ir::Type,
    pub passing: ArgPassing,
    pub source: ParamSource,
}

impl Operands {
    pub fn new(ty: ir::Type, object: String, syntax: Vec<ast::Expr>) -> Operands {
        Operands {
            ty,
            object,
            syntax,
            fields: Vec::new(),
            views: Vec::new(),
            arrays: Vec::new(),
            may_be_absent: false,
            product: None,
        }
    }

    /// The operation, as its parts know it.
    pub fn object(&self) -> Expr {
        Expr::name(&self.object, self.ty.clone())
    }

    /// The element of a field that is an array.
    pub fn element(&self, field: &Field, subscripts: Vec<Expr>) -> Expr {
        self.object()
            .field(&field.name, field.ty.clone())
            .at(subscripts)
    }

    /// The syntax of a part of the statement.
    pub fn syntax_of(&self, span: ast::Span) -> Option<ast::Expr> {
        self.syntax.iter().find_map(|e| find_in_expr(e, span))
    }
}

/// The storage and the offset in bytes of a variable in an EQUIVALENCE.
#[derive(Clone, Debug)]
pub struct Stored {
    pub storage: Expr,
    pub offset: i64,
}

pub fn find_in_expr(e: &ast::Expr, span: Span) -> Option<ast::Expr> {
    if e.span == span {
        return Some(e.clone());
    }
    let mut found = None;
    e.for_each_child(&mut |c| {
        if found.is_none() {
            found = find_in_expr(c, span);
        }
    });
    found
}

/// Actual arguments in the order of the dummies.
pub type Args<'t> = &'t [Option<TExpr>];
