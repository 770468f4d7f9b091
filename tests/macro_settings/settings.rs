//! Settings: which macros a command line defines, in the spellings that people use.

use crate::macros::{Kind, Macro};
use crate::random::Random;

/// The macros of a command line: name, whether it is defined, its value.
pub type Choice = Vec<(String, bool, Option<String>)>;

/// A random choice for all macros.
pub fn choose(r: &mut Random, macros: &[Macro]) -> Choice {
    let one = |m: &Macro, r: &mut Random| {
        let defined = m.needed || r.chance(if m.kind == Kind::Flag { 50 } else { 60 });
        (m.name.clone(), defined, m.value(r))
    };
    macros.iter().map(|m| one(m, r)).collect()
}

/// The choice with one or two other macros.
pub fn change(r: &mut Random, choice: &Choice, macros: &[Macro]) -> Choice {
    let mut new = choice.clone();
    for _ in 0..r.between(1, 2) {
        let at = r.below(macros.len());
        let (Some(m), Some(one)) = (macros.get(at), new.get_mut(at)) else {
            continue;
        };
        if one.1 && (m.kind == Kind::Flag || !m.needed && r.chance(40)) {
            one.1 = false;
        } else {
            *one = (m.name.clone(), true, m.value(r));
        }
    }
    new
}

/// Words for the shell. `plain`: as most people write them; `again`: a macro may be undefined and then defined, which nvfortran, and
/// so the translator, takes the other way round than gfortran.
pub fn spell(r: &mut Random, choice: &Choice, plain: bool, again: bool) -> String {
    let mut words = Vec::new();
    for (name, defined, value) in choice {
        if !defined {
            if !plain && r.chance(15) {
                words.push(format!("-U{name}"));
            }
            continue;
        }
        let text = value
            .as_ref()
            .map_or(name.clone(), |v| format!("{name}={v}"));
        let special = text.contains(['(', ' ']);
        words.push(match r.below(14) {
            0 if !plain => format!("-D'{text}'"),
            1 if !plain => format!("-D '{text}'"),
            2 if !plain && !special => format!("-D {text}"),
            3 if !plain && !special => format!("-Wp,-D{text}"),
            4 if !plain => format!("\"-D{text}\""),
            5 if !plain && !special && again => format!("-U{name} -D{text}"),
            _ if special => format!("'-D{text}'"),
            _ => format!("-D{text}"),
        });
    }
    words.join(" ")
}
