//! The launcher ABI as data: what the lowering promises for every `extern "C"` function it generates, and from which the
//! host pass writes the Fortran interfaces and the calls (docs/runtime.md, "The launcher ABI").

use std::collections::BTreeSet;
use std::sync::LazyLock;

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
    /// What the C++ calls the kernel, without namespaces; None for what launches none of its own.
    pub kernel: Option<String>,
    /// Of [`LauncherOf::Operation`].
    pub operation: Option<Operation>,
}

/// What the host has to know of an operation on whole arrays besides its operands.
#[derive(Clone, Debug)]
pub struct Operation {
    pub gives: ReturnKind,
    /// STREAM= of the reference, or of the statement.
    pub stream: Option<Expr>,
}

/// What a launcher gives back.
#[derive(Clone, Debug)]
pub enum ReturnKind {
    /// Nothing: it stands for a statement.
    Nothing,
    /// Whether it has done the statement's work: it has not if the target, an allocatable, has another shape.
    Done,
    /// The value of the expression.
    Value(Type),
    /// A place in an array: from 1 in array element order, 0 if there is none. The host wants subscripts of this kind for the shape of
    /// this designator.
    Subscripts { kind: u8, of: Expr },
}

/// What a launcher belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LauncherOf {
    /// Scope of the kernel's body.
    Kernel(ScopeId),
    /// The `!$cuf kernel do` directive.
    Loop(Span),
    /// Address of a module variable: a function without parameters that gives a pointer.
    Address(SymbolId),
    /// An expression or statement of host code about whole arrays of the device.
    Operation(Span),
}

#[derive(Clone, Debug)]
pub struct LauncherParam {
    /// Folded name, unique among the parameters.
    pub name: String,
    pub passing: ArgPassing,
    pub source: ParamSource,
}

/// How a parameter crosses.
#[derive(Clone, Debug, PartialEq)]
pub enum ArgPassing {
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
    /// A variable to be updated (reduction target), by reference: host or device address; null if it is `optional` and absent.
    Reference { optional: bool },
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
    /// An array operand, as written, seen through functions that move elements; the one that stands innermost comes first.
    Operand { array: Expr, through: Vec<View> },
    /// Bounds and step of a mapped loop.
    LoopRange {
        from: Expr,
        to: Expr,
        /// None: 1.
        step: Option<Expr>,
    },
}

/// A function that only moves elements: an array with other bounds and strides.
#[derive(Clone, Debug)]
pub enum View {
    Transpose,
    Spread { dim: Expr, copies: Expr },
    Reshape { shape: Expr, order: Option<Expr> },
}

impl View {
    /// What the host evaluates for it.
    pub fn values(&self) -> Vec<Expr> {
        match self {
            View::Transpose => Vec::new(),
            View::Spread { dim, copies } => vec![dim.clone(), copies.clone()],
            View::Reshape { shape, order } => {
                std::iter::once(shape).chain(order).cloned().collect()
            }
        }
    }
}

/// Longest name of Fortran 2003 and later.
const LONGEST: usize = 63;

/// A name of generated code for something in a program unit, `<prefix>_<unit>_<name>`, folded: readable, and short enough for
/// Fortran. `unit` is a [`Model::unit_symbol`], so that names of different things differ.
///
/// [`Model::unit_symbol`]: crate::sema::model::Model::unit_symbol
pub fn global_name(prefix: &str, unit: &str, name: &str) -> String {
    let full = format!("{prefix}_{unit}_{name}").to_ascii_lowercase();
    // Of a module `copy` or `bind`: not what the runtime or another generated procedure is called.
    let taken = RUNTIME.contains(full.as_str()) || prefix == "cuf" && is_of_family(&full);
    let full = match taken {
        true => format!("{prefix}_{unit}__{name}").to_ascii_lowercase(),
        false => full,
    };
    fitted(&full, name.contains("__") || full.ends_with(SHIMS))
}

/// The name of the module with the interfaces of a file's launchers. File names have nothing to do with those of modules: it is no name that is
/// made of these.
pub fn shims_name(stem: &str) -> String {
    let full = format!("cuf_{stem}{SHIMS}");
    match is_of_family(&full) || RUNTIME.contains(full.as_str()) {
        true => fitted(&format!("cuf_shims_of_{stem}"), false),
        false => fitted(&full, false),
    }
}

/// How the names of [`shims_name`] end.
const SHIMS: &str = "_shims";

/// The name of a user's module that has an entity of its own name.
pub fn module_name(module: &str) -> String {
    fitted(&format!("cuf_module_{module}").to_ascii_lowercase(), false)
}

/// The name of the procedure that binds a module's device data.
pub fn bind_name(module: &str) -> String {
    fitted(&format!("cuf_bind_{module}").to_ascii_lowercase(), false)
}

/// The name is, or could be, of one of the [`FAMILIES`].
fn is_of_family(full: &str) -> bool {
    FAMILIES.iter().any(|f| full.starts_with(f))
}

/// How generated names begin that are not those of launchers.
const FAMILIES: [&str; 15] = [
    "cuf_rt_",
    "cuf_bind_",
    "cuf_module_",
    "cuf_shims_of_",
    "cuf_release_",
    "cuf_copy_",
    "cuf_move_",
    "cuf_of_",
    "cuf_data_",
    "cuf_type_",
    "cuf_class_",
    "cuf_parts_",
    "cuf_reset_",
    "cuf_final",
    "cuf_finish_",
];

/// The words of what generated Fortran uses.
static RUNTIME: LazyLock<BTreeSet<&'static str>> = LazyLock::new(|| {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let text = include_str!("../../templates/cuf_runtime.f90");
    // Names that intrinsic procedures get where they are used.
    let intrinsics = [
        "cuf_storage_size",
        "cuf_move_alloc",
        "cuf_as_real",
        "cuf_no_target",
    ];
    text.split(|c| !part(c)).chain(intrinsics).collect()
});

/// The name itself, or if it is too long for Fortran (or `doubtful`) one that ends in a hash of it.
pub fn fitted(full: &str, doubtful: bool) -> String {
    if full.len() <= LONGEST && !doubtful {
        return full.to_owned();
    }
    // FNV-1a
    let hash = full.bytes().fold(0xcbf2_9ce4_8422_2325u64, |h, b| {
        (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3)
    });
    let kept = full.len().min(LONGEST - 9);
    format!("{}_{:08x}", &full[..kept], hash & 0xffff_ffff)
}

/// A name for a launcher's parameter, short enough for Fortran, that is not taken.
pub fn parameter_name(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let mut found = fitted(name, false);
    let mut number = 1;
    while is_taken(&found) {
        number += 1;
        found = fitted(&format!("{name}{number}"), false);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn global_names_fit_fortran() {
        assert_eq!(global_name("cuf", "Heat", "step"), "cuf_heat_step");
        let long = global_name("cuf", &"m".repeat(60), "kernel");
        assert_eq!(long.len(), LONGEST);
        assert_ne!(long, global_name("cuf", &"m".repeat(60), "kernel2"));
        assert_ne!(
            global_name("cuf", "a_b_", "c"),
            global_name("cuf", "a", "b__c")
        );
        assert_eq!(global_name("cuf", "bind", "m"), "cuf_bind__m");
        assert_eq!(global_name("cuf", "array", "t"), "cuf_array__t");
    }

    /// Each kind of generated name, made of names that look like parts of the others.
    #[test]
    fn names_of_different_kinds_differ() {
        let words = [
            "m",
            "module",
            "bind",
            "of",
            "copy",
            "shims",
            "m_shims",
            "module_m",
            "shims_of_m",
            "bind_m",
            "of_m",
            "storage",
            "size",
            "m_module",
            "rt",
            "type_m",
            "m_of",
        ];
        let mut all = std::collections::BTreeMap::new();
        let mut add = |name: String, of: String| {
            assert!(
                !RUNTIME.contains(name.as_str()),
                "{name}: {of} and the runtime"
            );
            if let Some(other) = all.insert(name.clone(), of.clone()) {
                panic!("{name}: {of} and {other}");
            }
        };
        for unit in words {
            add(shims_name(unit), format!("the shims of {unit}"));
            add(module_name(unit), format!("the module {unit}"));
            add(bind_name(unit), format!("bind of {unit}"));
            // As `Model::unit_symbol` has it: no unit's is the beginning of another one's before an underscore.
            let end = if unit.contains('_') { "_" } else { "" };
            for name in words {
                for prefix in ["cuf", "cuf_of", "cuf_copy", "cuf_data"] {
                    add(
                        global_name(prefix, &format!("{unit}{end}"), name),
                        format!("{prefix} of {name} in {unit}"),
                    );
                }
            }
        }
    }
}
