//! Operations of host code on whole arrays of the device (guide 3.9.1, 3.9.3, 3.9.4): references of SUM, MAXLOC, ANY and others, and
//! assignments of array expressions. Each becomes a structure of its operands with functions of a position, for which the runtime
//! has the kernels (`runtime-headers/device/array_*.hpp`), and a launcher.
//!
//! What cannot be done so is left to the host, which copies the operands: there are no findings here.

mod operand;
mod reference;
mod sort;
mod statement;
mod walk;

pub use walk::operations;

use self::operand::position;
use super::context::{LoweringContext, Shared};
use crate::abi::{
    ArgPassing, LauncherOf, LauncherParam, LauncherSignature, ParamSource, ReturnKind, View,
    parameter_name,
};
use crate::ast::{self, Span};
use crate::intrinsics::{Inquiry, Intrinsic};
use crate::ir::{self, *};
use crate::lower::context::rules::Expressions;
use crate::lower::context::state::Field;
use crate::lower::context::state::Operands;
use crate::lower::program::naming::StatementName;
use crate::lower::value::convert::convert;
use crate::map::Rule;
use crate::sema::expression::typed::*;
use crate::sema::model::*;

/// What an operation gives its file.
pub struct Lowered {
    pub at: u32,
    pub name: String,
    pub items: Vec<Item>,
    pub launcher: ir::Launcher,
    pub signature: LauncherSignature,
    /// What the host computes, in which there may be references of such functions.
    pub scalars: Vec<ast::Expr>,
}

/// An operation while it is put together.
struct Operation<'a, 's> {
    cx: LoweringContext<'a, 's>,
    name: String,
    /// Of the launcher.
    symbol: String,
    rank: usize,
    /// Ranks of the factors of a product.
    factors: Option<(usize, usize)>,
    arrays: Vec<(&'static str, Vec<String>)>,
    parts: Vec<(&'static str, Part)>,
    procedures: Vec<ir::Proc>,
    /// Arguments of the runtime's function besides the operation.
    arguments: Vec<Argument>,
}

enum Argument {
    Constant(Expr),
    /// A parameter of the launcher with its type, and what is made of it.
    Parameter(LauncherParam, ir::Type, Expr),
}

/// What of a launcher is not in its operands.
struct Call {
    function: ArrayFunction,
    targs: Vec<ArrayArg>,
    result: ir::Type,
    gives: ReturnKind,
    stream: Option<ast::Expr>,
    span: Span,
}

impl<'a, 's> Operation<'a, 's> {
    fn new(
        sh: &'s Shared<'a>,
        (file, scope): (FileId, ScopeId),
        name: StatementName,
        syntax: &[&ast::Expr],
        rank: usize,
    ) -> Option<Self> {
        let facts = sh.analysis.of_loop(sh.model, scope, &[]);
        let mut cx = LoweringContext::new(sh, file, scope, facts)?;
        cx.quiet = true;
        cx.names.take(name.name.clone());
        let members = MEMBERS
            .into_iter()
            .chain([Intrinsic::from(Inquiry::Rank).name()]);
        for m in members {
            cx.names.take(m.to_owned());
        }
        let object = cx.fresh("of");
        let ident = Ident {
            space: Namespaces::Unit(cx.namespace.clone()),
            name: name.name.clone(),
        };
        let syntax = syntax.iter().map(|e| (*e).clone()).collect();
        cx.operands = Some(Operands::new(ir::Type::Derived(ident), object, syntax));
        Some(Operation {
            cx,
            name: name.name,
            symbol: name.symbol,
            rank,
            factors: None,
            arrays: Vec::new(),
            parts: Vec::new(),
            procedures: Vec::new(),
            arguments: Vec::new(),
        })
    }

    /// Lowers a part: the value of `e` at a position of its rank as `ty`. The arrays in it are added to a group.
    fn part(
        &mut self,
        part: &'static str,
        group: &'static str,
        e: &TExpr,
        ty: &ir::Type,
        rank: usize,
        product: Option<(Span, ir::Type)>,
    ) -> Option<()> {
        let mut params = Vec::new();
        if let Some((span, ty)) = product {
            let name = self.cx.fresh("element");
            let value = Expr::name(&name, ty.clone());
            params.push(Param { name, ty });
            self.cx.operands.as_mut()?.product = Some((span, value));
        }
        let names: Vec<String> = (1..=rank)
            .map(|d| self.cx.fresh(&format!("i{d}")))
            .collect();
        let ix: Vec<_> = names.iter().map(|n| position(n)).collect();
        let (mut body, mut value) = self.cx.with_hoisted(|cx| convert(cx.val(e, &ix), ty));
        // An absent mask lets all elements count.
        let o = self.cx.operands.as_mut()?;
        if std::mem::take(&mut o.may_be_absent) {
            let array = o.arrays.first()?;
            let field = o.fields.iter().find(|f| f.name == *array)?;
            let given = o.object().field(&field.name, field.ty.clone());
            let data = given.method(Method::Data, Vec::new(), ir::Type::Auto);
            let null = Expr::new(ExprKind::Null, ir::Type::Auto);
            let none = Expr::binary(BinaryOp::Eq, data, null, ir::Type::Bool);
            value = Expr::binary(BinaryOp::Or, none, value, ir::Type::Bool);
        }
        let subscripts = || ix.iter().map(|i| i.var.clone()).collect();
        let o = self.cx.operands.as_ref()?;
        let how = match &o.arrays[..] {
            _ if !body.is_empty() || value.ty != *ty => None,
            [] => {
                let result = o.product.as_ref().map(|(_, result)| result);
                (result == Some(&value)).then_some(Part::Result)
            }
            [array] => {
                let field = o.fields.iter().find(|f| f.name == *array);
                let element = field.map(|f| o.element(f, subscripts()));
                (element.as_ref() == Some(&value)).then(|| Part::Element(array.clone()))
            }
            _ => None,
        };
        // Each part is a function of its own.
        for n in names.iter().chain(params.iter().map(|p: &Param| &p.name)) {
            self.cx.names.free(n);
        }
        body.push(StmtKind::Return(Some(value)).into());
        let o = self.cx.operands.as_mut()?;
        o.product = None;
        let arrays = std::mem::take(&mut o.arrays);
        let object = Param {
            name: o.object.clone(),
            ty: ir::Type::Ref(Box::new(o.ty.clone().constant())),
        };
        match self.arrays.iter_mut().find(|(g, _)| *g == group) {
            Some((_, all)) => {
                let more = arrays.into_iter().filter(|a| !all.contains(a));
                let more: Vec<_> = more.collect();
                all.extend(more);
            }
            None => self.arrays.push((group, arrays)),
        }
        let indices = names.into_iter().map(|name| Param {
            name,
            ty: ir::Type::Int(8),
        });
        if let Some(how) = how {
            self.parts.push((part, how));
            return (!self.cx.failed).then_some(());
        }
        let function = format!("{}_{part}", self.name);
        let mut params: Vec<Param> = std::iter::once(object)
            .chain(params)
            .chain(indices)
            .collect();
        // What a part has no use for has no name.
        for p in &mut params {
            if !body.iter().any(|s| mentions(s, &p.name)) {
                p.name.clear();
            }
        }
        self.procedures.push(ir::Proc {
            c_name: None,
            name: function.clone(),
            remarks: Vec::new(),
            kind: ProcKind::Device,
            result: ty.clone(),
            params,
            body,
            names: Vec::new(),
        });
        self.parts.push((part, Part::Function(function)));
        (!self.cx.failed).then_some(())
    }

    /// A logical argument of the runtime's function; without one, also where it is an absent dummy, false.
    fn flag(&mut self, name: &str, e: Option<&TExpr>) -> Option<()> {
        match e.map(|e| (e, &e.value)) {
            None => self.constant_argument(Expr::bool(false)),
            Some((_, Some(Constant::Logical(b, _)))) => self.constant_argument(Expr::bool(*b)),
            Some((e, _)) if self.cx.is_optional(e) => {
                let source = ParamSource::Captured(self.cx.operands.as_ref()?.syntax_of(e.span)?);
                let elem = self.cx.storage_type(&e.ty)?;
                let pointer = optional_pointer(&elem);
                self.parameter(name, ArgPassing::OptionalValue, source, pointer, |p| {
                    value_or(p, &elem, Expr::bool(false))
                });
            }
            Some((e, _)) => self.value(name, e)?,
        }
        Some(())
    }

    /// An argument of the runtime's function that the host computes, as an integer or logical.
    fn value(&mut self, name: &str, e: &TExpr) -> Option<()> {
        let ty = self.cx.value_type(&e.ty)?;
        if let Some(v) = e.as_integer() {
            self.constant_argument(Expr::int_of(v, 8));
            return Some(());
        }
        let source = ParamSource::Captured(self.cx.operands.as_ref()?.syntax_of(e.span)?);
        let passing = ArgPassing::Value(e.ty.clone());
        self.parameter(name, passing, source, ty, |e| e);
        Some(())
    }

    fn constant_argument(&mut self, value: Expr) {
        self.arguments.push(Argument::Constant(value));
    }

    fn parameter(
        &mut self,
        name: &str,
        passing: ArgPassing,
        source: ParamSource,
        ty: ir::Type,
        pass: impl Fn(Expr) -> Expr,
    ) {
        let name = self.cx.fresh(name);
        let value = pass(Expr::name(&name, ty.clone()));
        let param = LauncherParam {
            name,
            passing,
            source,
        };
        self.arguments.push(Argument::Parameter(param, ty, value));
    }

    /// An array of the statement that is no operand of the operation: a view of it, which may be changed.
    fn array(&mut self, name: &str, e: &TExpr, changed: bool) -> Option<()> {
        let elem = self.cx.storage_type(&e.ty)?;
        let elem = if changed { elem } else { elem.constant() };
        let view = ir::Type::View {
            elem: Box::new(elem),
            rank: usize::try_from(e.rank).ok()?,
        };
        let array = self.cx.operands.as_ref()?.syntax_of(e.span)?;
        let source = ParamSource::Operand {
            array,
            through: Vec::new(),
        };
        let pointer = ir::Type::Pointer {
            to: Box::new(ir::Type::Class(Class::Descriptor).constant()),
            restrict: false,
        };
        self.parameter(name, ArgPassing::Descriptor, source, pointer, |d| {
            let d = d.deref(ir::Type::Auto);
            Expr::new(ExprKind::Object(vec![d]), view.clone())
        });
        Some(())
    }

    fn finish(mut self, call: Call) -> Option<Lowered> {
        if self.cx.failed {
            return None;
        }
        let operands = self.cx.operands.take()?;
        let mut launcher = Parameters::default();
        let passed: Vec<Expr> = operands
            .fields
            .iter()
            .map(|f| launcher.parameter_for(f))
            .collect();
        let arguments = std::mem::take(&mut self.arguments);
        let args = arguments.into_iter().map(|a| launcher.value_of(a));
        let args: Vec<Expr> = args.collect();
        let sh = self.cx.sh;
        let symbol = std::mem::take(&mut self.symbol);
        let operation = Ident {
            space: Namespaces::Unit(self.cx.namespace.clone()),
            name: self.name.clone(),
        };
        let place = sh.place(self.cx.file, call.span.start);
        self.cx.need_header(header(call.function));
        let has_operation = !self.parts.is_empty();
        let items = match has_operation {
            true => self.items(operands.fields, &place, call.span),
            false => Vec::new(),
        };
        let Parameters {
            params,
            abi,
            scalars,
        } = launcher;
        Some(Lowered {
            at: call.span.start,
            name: operation.name.clone(),
            items,
            launcher: ir::Launcher {
                symbol: symbol.clone(),
                recursive: false,
                kind: LauncherKind::Operation {
                    function: call.function,
                    targs: call.targs,
                    operation: has_operation.then_some((operation, passed)),
                    args,
                    place,
                    result: call.result,
                },
                params,
                origin: Origin::new(call.span.start, call.span.end, Rule::ArrayOperation),
            },
            signature: LauncherSignature {
                symbol,
                of: LauncherOf::Operation(call.span),
                params: abi,
                kernel: None,
                operation: Some(crate::abi::Operation {
                    gives: call.gives,
                    stream: call.stream,
                }),
            },
            scalars,
        })
    }

    /// The structure and the functions of its parts.
    fn items(self, fields: Vec<Field>, place: &str, span: Span) -> Vec<Item> {
        let text = self
            .cx
            .input
            .text
            .get(span.start as usize..span.end as usize);
        let words: Vec<&str> = text.unwrap_or_default().split_whitespace().collect();
        let mut arrays = self.arrays;
        let in_memory = |f: &&Field| matches!(f.ty, ir::Type::Pointer { .. });
        let scalars = fields.iter().filter(in_memory).map(|f| f.name.clone());
        let scalars: Vec<_> = scalars.collect();
        if !scalars.is_empty() {
            arrays.push(("scalars", scalars));
        }
        let fields = fields.into_iter().map(|f| Param {
            name: f.name,
            ty: f.ty,
        });
        let kind = ItemKind::Operation(ir::Operation {
            name: self.name,
            rank: self.rank,
            factors: self.factors,
            fields: fields.collect(),
            arrays,
            parts: self.parts,
        });
        let notes = Notes {
            above: vec![Some(format!("> {place}: {}", words.join(" ")))],
            ..Notes::default()
        };
        let origin = Origin::new(span.start, span.end, Rule::ArrayOperation);
        let procedures = self.procedures.into_iter().map(|p| Item {
            kind: ItemKind::Proc(p),
            notes: Notes::default(),
            origin,
        });
        let first = Item {
            kind,
            notes,
            origin,
        };
        std::iter::once(first).chain(procedures).collect()
    }
}

/// The parameters of a launcher while they are gathered.
#[derive(Default)]
struct Parameters {
    params: Vec<Param>,
    abi: Vec<LauncherParam>,
    /// See [`Lowered::scalars`].
    scalars: Vec<ast::Expr>,
}

impl Parameters {
    /// Adds the parameter for a field of the operation; what the field gets.
    fn parameter_for(&mut self, f: &Field) -> Expr {
        let name = self.unique(&f.name);
        let own = Expr::name(&name, f.launcher.clone());
        let value = match f.passing {
            ArgPassing::Descriptor => {
                let d = own.deref(ir::Type::Auto);
                Expr::new(ExprKind::Object(vec![d]), f.ty.clone())
            }
            ArgPassing::HostValue => own.deref(f.ty.clone()),
            ArgPassing::OptionalValue => {
                let elem = match &f.launcher {
                    ir::Type::Pointer { to, .. } => (**to).clone(),
                    t => t.clone(),
                };
                // Only a mask may be absent.
                let otherwise = convert(Expr::int(1), &f.ty);
                value_or(own, &elem, otherwise)
            }
            _ => own,
        };
        match &f.source {
            ParamSource::Captured(e) => self.scalars.push(e.clone()),
            // Their subscripts are scalars.
            ParamSource::Operand { array, through } => {
                self.scalars.push(array.clone());
                self.scalars.extend(through.iter().flat_map(View::values));
            }
            _ => {}
        }
        self.add(
            name,
            f.launcher.clone(),
            f.passing.clone(),
            f.source.clone(),
        );
        value
    }

    fn value_of(&mut self, argument: Argument) -> Expr {
        let (p, ty, value) = match argument {
            Argument::Constant(value) => return value,
            Argument::Parameter(p, ty, value) => (p, ty, value),
        };
        let name = self.unique(&p.name);
        let value = renamed(value, &p.name, &name);
        if let (ParamSource::Captured(e), ArgPassing::Value(_)) = (&p.source, &p.passing) {
            self.scalars.push(e.clone());
        }
        self.add(name, ty, p.passing, p.source);
        value
    }

    fn add(&mut self, name: String, ty: ir::Type, passing: ArgPassing, source: ParamSource) {
        let own = name.clone();
        self.params.push(Param { name: own, ty });
        self.abi.push(LauncherParam {
            name,
            passing,
            source,
        });
    }

    fn unique(&self, name: &str) -> String {
        let folded = name.to_ascii_lowercase();
        let taken = |n: &str| n == "at" || self.abi.iter().any(|p| p.name == n);
        parameter_name(&folded, taken)
    }
}

/// What an operation declares besides its operands.
const MEMBERS: [&str; 23] = [
    "arrays",
    "left",
    "left_array",
    "left_arrays",
    "left_rank",
    "mask",
    "mask_array",
    "masked",
    "nested",
    "optional_arrays",
    "outer",
    "outer_array",
    "outer_arrays",
    "outer_is_result",
    "right",
    "right_array",
    "right_arrays",
    "right_rank",
    "scalars",
    "value",
    "value_array",
    "value_is_result",
    "valued",
];

/// The runtime header with a function.
fn header(function: ArrayFunction) -> &'static str {
    match function {
        ArrayFunction::Assign => "device/array_operation.hpp",
        ArrayFunction::Reduce
        | ArrayFunction::ReduceAlong
        | ArrayFunction::Locate
        | ArrayFunction::LocateAlong => "device/array_reduce.hpp",
        ArrayFunction::Pack | ArrayFunction::Unpack | ArrayFunction::Prefix => {
            "device/array_scan.hpp"
        }
        ArrayFunction::Product => "device/array_product.hpp",
        ArrayFunction::MatrixProduct => "device/array_gemm.hpp",
        ArrayFunction::RandomNumbers => "device/array_random.hpp",
        ArrayFunction::Sort => "device/array_sort.hpp",
    }
}

/// How an optional value reaches a launcher: null if it is absent.
fn optional_pointer(elem: &ir::Type) -> ir::Type {
    ir::Type::Pointer {
        to: Box::new(elem.clone().constant()),
        restrict: false,
    }
}

/// `pointer ? *pointer : otherwise`, of the type of the latter.
fn value_or(pointer: Expr, elem: &ir::Type, otherwise: Expr) -> Expr {
    let ty = otherwise.ty.clone();
    let null = Expr::new(ExprKind::Null, ir::Type::Auto);
    let given = Expr::binary(BinaryOp::Ne, pointer.clone(), null, ir::Type::Bool);
    Expr::new(
        ExprKind::Conditional {
            cond: Box::new(given),
            then: Box::new(convert(pointer.deref(elem.clone()), &ty)),
            otherwise: Box::new(otherwise),
        },
        ty,
    )
}

/// The expression with one local name replaced.
fn renamed(e: Expr, from: &str, to: &str) -> Expr {
    let kind = match e.kind {
        ExprKind::Name(i) if i.name == from => ExprKind::Name(Ident::local(to)),
        ExprKind::Deref(x) => ExprKind::Deref(Box::new(renamed(*x, from, to))),
        ExprKind::Binary { op, lhs, rhs } => ExprKind::Binary {
            op,
            lhs: Box::new(renamed(*lhs, from, to)),
            rhs: Box::new(renamed(*rhs, from, to)),
        },
        ExprKind::Conditional {
            cond,
            then,
            otherwise,
        } => ExprKind::Conditional {
            cond: Box::new(renamed(*cond, from, to)),
            then: Box::new(renamed(*then, from, to)),
            otherwise,
        },
        ExprKind::Object(a) => {
            ExprKind::Object(a.into_iter().map(|x| renamed(x, from, to)).collect())
        }
        kind => kind,
    };
    Expr { kind, ..e }
}

/// The local variable of that name stands in the statement.
fn mentions(s: &ir::Stmt, name: &str) -> bool {
    let mut found = false;
    s.walk(&mut |s| s.own_exprs(&mut |e| found |= e.mentions(name)));
    found
}
