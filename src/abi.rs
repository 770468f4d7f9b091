//! The launcher ABI as data: what the lowering promises for every `extern "C"` function it generates, and from which the
//! host pass writes the Fortran interfaces and the calls (docs/runtime.md, "The launcher ABI").

use crate::ast::{Expr, Span};
use crate::sema::model::{ScopeId, SymbolId, Type};

/// All launchers of a file.
#[derive(Clone, Debug, Default)]
pub struct FileLaunchers {
    pub launchers: Vec<LauncherSignature>,
    /// Private module data that kernels of other modules may need as hidden arguments.
    pub accessors: Vec<SymbolId>,
}

/// One `extern "C"` function. The launch configuration is its first parameter and not listed, except for
/// [`LauncherOf::Address`], which has none.
#[derive(Clone, Debug)]
pub struct LauncherSignature {
    /// C name, folded: `cuf_heat_step`.
    pub symbol: String,
    pub of: LauncherOf,
    pub params: Vec<LauncherParam>,
}

/// What a launcher belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LauncherOf {
    /// Scope of the kernel's body.
    Kernel(ScopeId),
    /// The `!$cuf kernel do` directive.
    Loop(Span),
    /// Address of a module variable: a function without parameters that gives a pointer.
    Address(SymbolId),
}

#[derive(Clone, Debug)]
pub struct LauncherParam {
    /// Folded name, unique among the parameters.
    pub name: String,
    pub passing: Passing,
    pub source: ParamSource,
}

/// How a parameter crosses.
#[derive(Clone, Debug, PartialEq)]
pub enum Passing {
    /// Address of the first element or of the scalar: `type(c_ptr), value`.
    Address,
    /// `type(cuf_array_t)` by reference.
    Descriptor,
    /// `type(cuf_range_t)` by reference.
    Range,
    /// Scalar by value of an intrinsic type; logical as `logical(1)`.
    Value(Type),
    /// Host address of a scalar whose value is read at the launch (complex and derived types): `type(*)` by reference.
    HostValue,
    /// The same of an optional argument: null if it is absent.
    OptionalValue,
    /// A variable to be updated (reduction target), by reference: host or device address.
    Reference(Type),
}

/// Where the actual comes from.
#[derive(Clone, Debug)]
pub enum ParamSource {
    /// A dummy argument of the kernel.
    Dummy(SymbolId),
    /// A module variable that the kernel uses without it being an argument.
    Hidden(SymbolId),
    /// A captured designator of a CUF loop (variable or component), as written.
    Captured(Expr),
    /// Bounds and step of a mapped loop.
    LoopRange {
        from: Expr,
        to: Expr,
        /// None: 1.
        step: Option<Expr>,
    },
}
