//! Functions of characters.

use super::Arguments;
use crate::intrinsics::Text;
use crate::sema::constant::fold;
use crate::sema::constant::fold::{map, map2};
use crate::sema::model::{Constant, Type};
use Constant as C;

/// The value of a function of characters.
pub(in crate::translation::sema) fn fold(
    i: Text,
    args: Arguments<'_>,
    ty: &Type,
) -> Option<Constant> {
    use Text::*;
    let first = args.first().copied().flatten()?;
    let second = args.get(1).copied().flatten();
    match (i, second) {
        (Index | Scan | Verify, Some(other)) => {
            let back = match args.get(2).copied().flatten() {
                None => false,
                Some(C::Logical(back, _)) => *back,
                Some(_) => return None,
            };
            let at = map2(first, other, &|a, b| match (a, b) {
                (C::Character(x), C::Character(y)) => {
                    Some(C::Integer(position(i, x, y, back) as i128, 4))
                }
                _ => None,
            })?;
            fold::convert(&at, ty)
        }
        (Repeat, Some(copies)) => match (first, copies) {
            (C::Character(s), C::Integer(n, _))
                if (0..=65536).contains(n) && s.len() as i128 * n <= 65536 =>
            {
                Some(C::Character(s.repeat(*n as usize)))
            }
            _ => None,
        },
        (Lge | Lgt | Lle | Llt, Some(other)) => map2(first, other, &|a, b| match (a, b) {
            (C::Character(x), C::Character(y)) => {
                let order = fold::compare_characters(x, y);
                let holds = match i {
                    Lge => order.is_ge(),
                    Lgt => order.is_gt(),
                    Lle => order.is_le(),
                    _ => order.is_lt(),
                };
                Some(C::Logical(holds, 4))
            }
            _ => None,
        }),
        (NewLine, _) => Some(C::Character("\n".to_owned())),
        (Trim, _) => match first {
            C::Character(s) => Some(C::Character(s.trim_end_matches(' ').to_owned())),
            _ => None,
        },
        _ => map(first, &|c| of_one(i, c, ty)),
    }
}

/// INDEX, SCAN and VERIFY: a position from 1, 0 for none.
fn position(i: Text, text: &str, other: &str, back: bool) -> usize {
    let count = |at: Option<usize>| at.map_or(0, |i| text[..i].chars().count() + 1);
    let wanted = |c: char| other.contains(c) == (i == Text::Scan);
    match (i, back) {
        (Text::Index, false) => count(text.find(other)),
        (Text::Index, true) => count(text.rfind(other)),
        (_, false) => count(text.find(wanted)),
        (_, true) => count(text.rfind(wanted)),
    }
}

/// A function of one scalar; `ty` is the type of the result.
fn of_one(i: Text, c: &Constant, ty: &Type) -> Option<Constant> {
    use Text::*;
    match (i, c) {
        (Achar | Char, C::Integer(v, _)) => {
            let byte = u8::try_from(*v).ok().filter(u8::is_ascii)?;
            Some(C::Character(char::from(byte).to_string()))
        }
        (Iachar | Ichar, C::Character(s)) => {
            let c = s.chars().next().filter(char::is_ascii)?;
            fold::convert(&C::Integer(u32::from(c).into(), 4), ty)
        }
        (Adjustr, C::Character(s)) => {
            let text = s.trim_end_matches(' ');
            let blanks = s.len() - text.len();
            Some(C::Character(format!("{}{text}", " ".repeat(blanks))))
        }
        (LenTrim | Lnblnk, C::Character(s)) => fold::convert(
            &C::Integer(s.trim_end_matches(' ').chars().count() as i128, 8),
            ty,
        ),
        (Adjustl, C::Character(s)) => {
            let text = s.trim_start_matches(' ');
            let blanks = s.len() - text.len();
            Some(C::Character(format!("{text}{}", " ".repeat(blanks))))
        }
        _ => None,
    }
}
