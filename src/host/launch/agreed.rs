//! What host and device code must agree on: constants and types of files that stay as they are, among which macros may choose. They may be
//! compiled for another choice than device code was written for, so the module of the launchers asks for them, and does not compile then.

use crate::abi::fitted;
use crate::host::context::edit::wrap_line;
use crate::sema::model::*;

/// The longest list of values that is asked for.
const MOST: usize = 64;

/// One constant or type.
#[derive(Clone, Debug)]
pub struct Agreed {
    /// The module that has it.
    pub module: String,
    name: String,
    /// Its name in the launchers' module.
    local: String,
    /// An object of the type.
    object: bool,
    condition: String,
    place: u32,
}

/// Those of a module that `constant` names, at their places, or at whose place `copied` knows a type.
pub fn of_module(
    model: &Model,
    module: ScopeId,
    constant: &dyn Fn(&str, u32) -> bool,
    copied: &dyn Fn(u32) -> bool,
) -> Vec<Agreed> {
    let mut found = Vec::new();
    for (name, s) in model[module].names.iter() {
        let symbol = &model[*s];
        if symbol.scope != module || symbol.private {
            continue;
        }
        let local = fitted(&format!("{}_{name}", model[module].name), false);
        let asked = match &symbol.kind {
            SymbolKind::Parameter(p) if constant(name.as_str(), symbol.span.start) => {
                let value = p.value.as_ref();
                value
                    .and_then(|v| same_value(&local, v))
                    .map(|c| (c, false))
            }
            SymbolKind::DerivedType(t) if copied(symbol.span.start) && !model[*t].is_abstract => {
                same_type(model, &local, *t).map(|c| (c, true))
            }
            _ => None,
        };
        found.extend(asked.map(|(condition, object)| Agreed {
            module: model[module].name.clone(),
            name: symbol.spelling.to_string(),
            local,
            object,
            condition,
            place: symbol.span.start,
        }));
    }
    found.sort_by_key(|a| a.place);
    found
}

/// The lines before the interfaces: what is used, and the questions.
pub fn lines(all: &[Agreed]) -> (Vec<String>, Vec<String>) {
    let mut uses = Vec::new();
    let mut asked = Vec::new();
    for of_module in all.chunk_by(|a, b| a.module == b.module) {
        let items = of_module
            .iter()
            .map(|a| format!("{} => {}", a.local, a.name));
        let items = items.collect::<Vec<_>>().join(", ");
        uses.push(wrap_line(&format!(
            "  use {}, only: {items}",
            of_module[0].module
        )));
    }
    let locals: Vec<&str> = all.iter().map(|a| a.local.as_str()).collect();
    if !locals.is_empty() {
        asked.push(wrap_line(&format!("  private :: {}", locals.join(", "))));
    }
    for a in all {
        if a.object {
            asked.push(format!(
                "  type({0}), private :: {1}",
                a.local,
                object(&a.local)
            ));
        }
        let name = fitted(&format!("{}_same", a.local), false);
        asked.push(wrap_line(&format!(
            "  integer, parameter, private :: {name} = 1/merge(1, 0, {})",
            a.condition
        )));
    }
    (uses, asked)
}

fn object(local: &str) -> String {
    fitted(&format!("{local}_object"), false)
}

/// The condition that the constant `local` has this value, where it can be written.
fn same_value(local: &str, value: &Constant) -> Option<String> {
    Some(match value {
        Constant::Integer(n, k) => {
            format!("kind({local}) == {k} .and. {local} == {}", integer(*n)?)
        }
        Constant::Logical(v, _) => format!("{local} .eqv. .{v}."),
        Constant::Real(v, k) => {
            let (value, near) = real(*v, *k)?;
            format!("kind({local}) == {k} .and. abs({local} - ({value})) <= {near}")
        }
        Constant::Character(text) if is_plain(text) => {
            format!("len({local}) == {} .and. {local} == '{text}'", text.len())
        }
        Constant::Array(values, _) if (1..=MOST).contains(&values.len()) => {
            let whole = format!("reshape({local}, [{}])", values.len());
            let conditions = match &values[0] {
                Constant::Integer(_, k) => {
                    let all = values.iter().map(|v| match v {
                        Constant::Integer(n, _) => integer(*n),
                        _ => None,
                    });
                    let all = all.collect::<Option<Vec<_>>>()?.join(", ");
                    format!("kind({local}) == {k} .and. all({whole} == [{all}])")
                }
                Constant::Real(_, k) => {
                    let all = values.iter().map(|v| match v {
                        Constant::Real(v, k) => real(*v, *k),
                        _ => None,
                    });
                    let (all, near): (Vec<_>, Vec<_>) =
                        all.collect::<Option<Vec<_>>>()?.into_iter().unzip();
                    let (all, near) = (all.join(", "), near.join(", "));
                    format!("kind({local}) == {k} .and. all(abs({whole} - [{all}]) <= [{near}])")
                }
                _ => return None,
            };
            format!("size({local}) == {} .and. {conditions}", values.len())
        }
        _ => return None,
    })
}

fn is_plain(text: &str) -> bool {
    text.len() <= MOST && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b' ')
}

fn integer(n: i128) -> Option<String> {
    let n = i64::try_from(n).ok().filter(|n| *n != i64::MIN)?;
    Some(match n < 0 {
        true => format!("({n}_8)"),
        false => format!("{n}_8"),
    })
}

/// The value, and how far another one may be from it, for compilers may round it otherwise.
fn real(v: f64, kind: u8) -> Option<(String, String)> {
    let epsilon = match kind {
        4 => f64::from(f32::EPSILON),
        8 => f64::EPSILON,
        _ => return None,
    };
    v.is_finite().then(|| {
        (
            format!("{v:e}_8"),
            format!("{:e}_8", 4.0 * epsilon * v.abs()),
        )
    })
}

/// The condition that the type has its size, which is what standard Fortran can ask without naming components (they may be PRIVATE).
fn same_type(model: &Model, local: &str, t: TypeId) -> Option<String> {
    let bits = model.storage_size(t)?;
    Some(format!("storage_size({}) == {bits}", object(local)))
}
