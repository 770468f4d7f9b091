//! The shim module of a file: bind(C) interfaces of its launchers.

use std::collections::BTreeSet;

use askama::Template;

use crate::abi::*;
use crate::host::context::edit::wrap_line;
use crate::host::context::names;
use crate::host::launch::direct::{Direct, Parameter};
use crate::sema::model::*;

/// Name of the module with the interfaces of a file's launchers.
pub fn module_name(stem: &str, doubtful: &BTreeSet<String>) -> String {
    let name = crate::abi::shims_name(&folded(stem));
    names::free(doubtful, &name)
}

/// The base name of a file as a part of Fortran's names.
pub fn folded(stem: &str) -> String {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let lower = stem.to_lowercase();
    lower
        .chars()
        .map(|c| if part(c) { c } else { '_' })
        .collect()
}

/// One interface body, as the template prints it.
struct Body {
    is_function: bool,
    name: String,
    /// The first line, continued.
    head: String,
    /// Names used of `cuf_runtime`.
    imports: String,
    /// Those of `iso_c_binding`.
    kinds: String,
    /// Of neighbours of one type together, indented.
    declarations: Vec<String>,
}

#[derive(Template)]
#[template(path = "shims.f90")]
struct Shims {
    module: String,
    source: String,
    bodies: Vec<Body>,
}

/// The launcher whose interface begins with a line of the text.
pub fn begins(line: &str) -> Option<&str> {
    let line = line.strip_prefix("    ")?;
    let words = ["subroutine ", "function "];
    let name = words.iter().find_map(|w| line.strip_prefix(w))?;
    name.split('(').next()
}

/// An interface ends with a line of the text.
pub fn ends(line: &str) -> bool {
    line.starts_with("    end ")
}

/// The text of `<stem>_shims.f90`; None if the file has no launchers.
/// `direct`: the launchers that are called as kernels.
pub fn text(
    module: &str,
    source_name: &str,
    launchers: &FileLaunchers,
    direct: &Direct,
) -> Option<String> {
    if launchers.launchers.is_empty() {
        return None;
    }
    let bodies = launchers.launchers.iter();
    let bodies = bodies.map(|l| body(l, direct.get(&l.symbol).map_or(&[], |p| p)));
    let shims = Shims {
        module: module.to_owned(),
        source: source_name.to_owned(),
        bodies: bodies.collect(),
    };
    shims.render().ok()
}

/// The name would be one of the runtime's, or of a kind.
pub(in crate::translation::host) fn is_taken(parameter: &str) -> bool {
    parameter.starts_with("cuf_") || KINDS.contains(&parameter)
}

/// `direct`: the parameters of a launcher that is called as a kernel, for others empty.
fn body(l: &LauncherSignature, direct: &[Parameter]) -> Body {
    let address = matches!(l.of, LauncherOf::Address(_));
    let result = l.operation.as_ref().and_then(|o| result_type(&o.gives));
    let is_function = address || result.is_some();
    let mut names = Vec::new();
    let mut imports = Vec::new();
    let mut declarations: Vec<(String, Vec<String>)> = Vec::new();
    if let Some(ty) = result {
        declarations.push((ty, vec![l.symbol.clone()]));
    }
    if address {
        imports.push("cuf_ptr");
        declarations.push(("type(cuf_ptr)".to_owned(), vec![l.symbol.clone()]));
    } else {
        names.push("cuf_at".to_owned());
        imports.push("cuf_launch");
        declarations.push((
            "type(cuf_launch), intent(in)".to_owned(),
            vec!["cuf_at".to_owned()],
        ));
    }
    for (i, p) in l.params.iter().enumerate() {
        // Beside names of the runtime.
        let name = match p.name.strip_prefix("cuf_") {
            Some(rest) => fitted(&format!("cuf__{rest}"), false),
            None if KINDS.contains(&p.name.as_str()) => format!("cuf__{}", p.name),
            None => p.name.clone(),
        };
        names.push(name.clone());
        let own = direct.get(i);
        let declaration = match own {
            Some(own) => own.head.clone(),
            None => declaration(&p.passing, &mut imports),
        };
        let entity = match own {
            Some(d) if d.is_array => format!("{name}(*)"),
            _ => name,
        };
        match declarations.last_mut() {
            Some((last, names)) if *last == declaration => names.push(entity),
            _ => declarations.push((declaration, vec![entity])),
        }
    }
    imports.sort_unstable();
    imports.dedup();
    let kinds = KINDS.into_iter().filter(|k| {
        let of_kind = format!("({k})");
        declarations.iter().any(|(d, _)| d.contains(&of_kind))
    });
    let word = if is_function {
        "function"
    } else {
        "subroutine"
    };
    let head = format!(
        "    {word} {name}({}) bind(C, name='{name}')",
        names.join(", "),
        name = l.symbol,
    );
    Body {
        is_function,
        name: l.symbol.clone(),
        head: wrap_line(&head),
        imports: imports.join(", "),
        kinds: kinds.collect::<Vec<_>>().join(", "),
        declarations: declarations
            .into_iter()
            .map(|(d, names)| wrap_line(&format!("      {d} :: {}", names.join(", "))))
            .collect(),
    }
}

/// Type and attributes of a parameter; `imports` gets what it needs of the runtime.
fn declaration(passing: &ArgPassing, imports: &mut Vec<&'static str>) -> String {
    match passing {
        ArgPassing::Address => {
            imports.push("cuf_ptr");
            "type(cuf_ptr), value".to_owned()
        }
        ArgPassing::Descriptor => {
            imports.push("cuf_array_t");
            "type(cuf_array_t), intent(in)".to_owned()
        }
        ArgPassing::Range => {
            imports.push("cuf_range_t");
            "type(cuf_range_t), intent(in)".to_owned()
        }
        ArgPassing::Value(t) => format!("{}, value", value_type(t)),
        ArgPassing::HostValue => "type(*), intent(in)".to_owned(),
        ArgPassing::OptionalValue => "type(*), intent(in), optional".to_owned(),
        ArgPassing::Reference { optional: true } => "type(*), optional".to_owned(),
        ArgPassing::Reference { optional: false } => "type(*)".to_owned(),
    }
}

/// What a launcher's function gives.
fn result_type(gives: &ReturnKind) -> Option<String> {
    match gives {
        ReturnKind::Nothing => None,
        ReturnKind::Done => Some("logical(c_bool)".to_owned()),
        ReturnKind::Value(t) => Some(value_type(t)),
        ReturnKind::Subscripts { .. } => Some("integer(c_int64_t)".to_owned()),
    }
}

/// The kinds of `iso_c_binding` that [`value_type`] names.
const KINDS: [&str; 10] = [
    "c_bool",
    "c_char",
    "c_double",
    "c_double_complex",
    "c_float",
    "c_float_complex",
    "c_int",
    "c_int16_t",
    "c_int64_t",
    "c_int8_t",
];

/// The interoperable type of a value parameter.
pub(in crate::translation::host) fn value_type(t: &Type) -> String {
    match t {
        Type::Integer(1) => "integer(c_int8_t)".to_owned(),
        Type::Integer(2) => "integer(c_int16_t)".to_owned(),
        Type::Integer(4) => "integer(c_int)".to_owned(),
        Type::Integer(_) => "integer(c_int64_t)".to_owned(),
        Type::Real(4) => "real(c_float)".to_owned(),
        Type::Real(8) => "real(c_double)".to_owned(),
        Type::Real(k) => format!("real({k})"),
        Type::Complex(4) => "complex(c_float_complex)".to_owned(),
        Type::Complex(8) => "complex(c_double_complex)".to_owned(),
        Type::Complex(k) => format!("complex({k})"),
        Type::Character(_) => "character(c_char)".to_owned(),
        _ => "logical(c_bool)".to_owned(),
    }
}
