//! The forms of a procedure, and the declarations of their dummy arguments.

use std::fmt::Write as _;

use super::table::{Argument, Choice, Intent, Kind, Memory, Shape};
use super::{Legacy, Procedure};

/// Columns of a line.
const WIDTH: usize = 118;

pub(super) fn by_pointer_mode(a: &Argument) -> bool {
    a.memory == Memory::Either
}

/// One of the interfaces of a procedure.
#[derive(Clone, Copy)]
pub(super) struct Form {
    /// Scalars of the pointer mode lie on the device.
    pub(super) device_scalars: bool,
    /// What may be a scalar or an array and is a scalar: a bit for each, in the order of the arguments.
    pub(super) scalars: u8,
    /// Buffers are given by their addresses.
    pub(super) addresses: bool,
    /// Addresses that the library keeps are said to be kept.
    pub(super) keeps: bool,
}

impl Form {
    pub(super) const PLAIN: Form = Form {
        device_scalars: false,
        scalars: 0,
        addresses: false,
        keeps: true,
    };

    /// Those without a handle: a result is a value of the host.
    pub(super) fn without_handle(p: &Procedure) -> Vec<Form> {
        let mut forms = Form::all(p);
        forms.retain(|f| !f.device_scalars || p.legacy != Some(Legacy::Function));
        forms
    }

    pub(super) fn all(p: &Procedure) -> Vec<Form> {
        let scalars = (0..1_u8 << typed_either(p).count().min(4)).map(|scalars| Form {
            scalars,
            ..Form::PLAIN
        });
        let mut forms: Vec<Form> = scalars.collect();
        if p.arguments.iter().any(|a| a.address) {
            forms.push(Form {
                addresses: true,
                ..Form::PLAIN
            });
        }
        if p.arguments.iter().any(by_pointer_mode) {
            let device: Vec<Form> = forms
                .iter()
                .map(|f| Form {
                    device_scalars: true,
                    ..*f
                })
                .collect();
            forms.extend(device);
        }
        forms
    }

    /// What the name of the form adds to that of the procedure: nothing to the one that most programs call.
    pub(super) fn suffix(self, p: &Procedure) -> String {
        let kinds = typed_either(p).count();
        let which = match self.scalars {
            _ if kinds == 0 => String::new(),
            0 if !self.device_scalars => String::new(),
            0 => "_array".to_owned(),
            s if s.count_ones() as usize == kinds => "_scalar".to_owned(),
            s => format!("_mixed{s}"),
        };
        match (self.addresses, self.device_scalars) {
            (true, _) => "_address".to_owned(),
            (_, true) => format!("_device{which}"),
            (_, false) => which,
        }
    }
}

/// Arguments that may be scalars or arrays, of a type that has to agree.
fn typed_either(p: &Procedure) -> impl Iterator<Item = &Argument> {
    let either = |a: &&Argument| a.shape == Shape::Either && a.kind != Kind::Any;
    p.arguments.iter().filter(either)
}

/// The declaration of the function's value.
pub(super) fn value_of(p: &Procedure, name: &str) -> Vec<String> {
    let declared = |k: &Kind| format!("{} :: {name}", type_of(k));
    p.result.iter().map(declared).collect()
}

/// The beginning of a FUNCTION or SUBROUTINE statement, and the word of its END.
pub(super) fn head_of(p: &Procedure, name: &str) -> (String, &'static str) {
    match &p.result {
        None => (format!("subroutine {name}("), "subroutine"),
        Some(_) => (format!("function {name}("), "function"),
    }
}

pub(super) fn data_type(code: &str) -> String {
    let (base, kind) = code.split_at(1);
    match (base, kind) {
        ("i", "4") => "integer(c_int)".to_owned(),
        ("i", "8") => "integer(c_int64_t)".to_owned(),
        ("i", _) => format!("integer({kind})"),
        ("r", "4") => "real(c_float)".to_owned(),
        ("r", "8") => "real(c_double)".to_owned(),
        ("r", _) => format!("real({kind})"),
        ("l", _) => format!("logical({kind})"),
        _ if code == "char" => "character(1)".to_owned(),
        (_, "4") => "complex(c_float_complex)".to_owned(),
        _ => "complex(c_double_complex)".to_owned(),
    }
}

pub(super) fn type_of(kind: &Kind) -> String {
    match kind {
        Kind::Int | Kind::Choice(_) => "integer(c_int)".to_owned(),
        Kind::Index | Kind::Stream => "integer(c_int64_t)".to_owned(),
        Kind::Pointer => "type(c_ptr)".to_owned(),
        Kind::PointerReference => "type(c_devptr)".to_owned(),
        Kind::Data(code) | Kind::Value(code) => data_type(code),
        Kind::Any => "type(*)".to_owned(),
        Kind::Structure(name) | Kind::StructureReference(name) => format!("type({name})"),
    }
}

/// The declarations of dummies, and the directives for what need not agree.
pub(super) fn dummies(arguments: &[Argument], form: Form) -> Vec<String> {
    let mut lines: Vec<String> = arguments.iter().map(|a| dummy(a, form)).collect();
    let by_value = |a: &&Argument| a.address && form.addresses;
    let others: Vec<&Argument> = arguments.iter().filter(|a| !by_value(a)).collect();
    lines.extend(ignored(&others));
    for choice in Choice::ALL {
        let names: Vec<&str> = (arguments.iter())
            .filter(|a| a.kind == Kind::Choice(choice))
            .map(|a| a.name.as_str())
            .collect();
        if !names.is_empty() {
            lines.push(format!(
                "!cuf$ option ({}) {}",
                choice.word(),
                names.join(", ")
            ));
        }
    }
    lines
}

pub(super) fn is_value(kind: &Kind) -> bool {
    matches!(
        kind,
        Kind::Int
            | Kind::Index
            | Kind::Stream
            | Kind::Pointer
            | Kind::Choice(_)
            | Kind::Value(_)
            | Kind::Structure(_)
    )
}

/// A complex scalar of the host: Fortran aligns it to 8 bytes, the libraries load it as aligned to 16 (measured: cublasZscal ends with a
/// segmentation fault otherwise).
pub(super) fn is_narrow(a: &Argument, form: Form) -> bool {
    let complex = matches!(&a.kind, Kind::Data(code) if code == "c8");
    complex && a.shape == Shape::Scalar && !is_on_device(a, form)
}

/// The data lies on the device in this form.
pub(super) fn is_on_device(a: &Argument, form: Form) -> bool {
    match a.memory {
        Memory::Host => false,
        Memory::Device => true,
        Memory::Either => form.device_scalars,
    }
}

pub(super) fn dummy(a: &Argument, form: Form) -> String {
    let name = &a.name;
    if a.address && form.addresses {
        return format!("type(c_devptr), value :: {name}");
    }
    let mut text = type_of(&a.kind);
    let array = match a.shape {
        Shape::Scalar => false,
        Shape::Array => true,
        Shape::Either => form.scalars >> a.either & 1 == 0,
    };
    if a.kind == Kind::Any && a.shape == Shape::Either {
        text = "integer(1)".to_owned();
    }
    if is_value(&a.kind) {
        return format!("{text}, value :: {name}");
    }
    let device = is_on_device(a, form);
    if device {
        text.push_str(", device");
    }
    text.push_str(match a.intent {
        Intent::In => ", intent(in)",
        Intent::Out if a.shape == Shape::Scalar && !device && a.kind != Kind::Any => {
            ", intent(out)"
        }
        // What the procedure does not set stays as it is.
        Intent::Out | Intent::InOut => "",
    });
    if a.optional {
        text.push_str(", optional");
    }
    // No copy may be passed instead (F2018 8.5.4).
    if a.kept && form.keeps {
        text.push_str(", asynchronous");
    }
    let extent = if array { "(*)" } else { "" };
    format!("{text} :: {name}{extent}")
}

/// Directives for what need not agree: ranks of arrays, kinds of counts, types of addresses.
pub(super) fn ignored(arguments: &[&Argument]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut add = |letters: &str, fits: &dyn Fn(&Argument) -> bool| {
        // LLVM flang takes letters for those of one name.
        let names: Vec<String> = (arguments.iter().filter(|a| fits(a)))
            .map(|a| format!("({letters}) {}", a.name))
            .collect();
        if !names.is_empty() {
            lines.push(format!("!dir$ ignore_tkr {}", names.join(", ")));
        }
    };
    add("r", &|a| a.shape == Shape::Array && a.kind != Kind::Any);
    let count = |a: &Argument| {
        matches!(&a.kind, Kind::Data(code) if code == "i8")
            && a.intent == Intent::In
            && a.memory == Memory::Host
    };
    add("k", &|a| {
        matches!(a.kind, Kind::Index | Kind::Stream) || count(a)
    });
    add("t", &|a| a.kind == Kind::Pointer);
    add("tkr", &|a| a.kind == Kind::Any && a.shape == Shape::Either);
    lines
}

/// A statement whose items may go to further lines.
pub(super) fn wrapped(out: &mut String, indent: usize, head: &str, items: &[String], tail: &str) {
    let mut line = format!("{:indent$}{head}", "");
    for (i, item) in items.iter().enumerate() {
        let last = i + 1 == items.len();
        let piece = match last {
            true => format!("{item}{tail}"),
            false => format!("{item}, "),
        };
        if line.len() + piece.len() > WIDTH && i > 0 {
            let _ = writeln!(out, "{}&", line);
            line = format!("{:1$}", "", indent + 2);
        }
        line.push_str(&piece);
    }
    if items.is_empty() {
        line.push_str(tail);
    }
    let _ = writeln!(out, "{}", line.trim_end());
}

/// The words of a text that can be names.
pub fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .filter(|w| w.starts_with(|c: char| c.is_ascii_alphabetic()))
}
