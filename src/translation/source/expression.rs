//! Integer expressions of `#if`.

use super::macros::word_end;

/// Nesting of parentheses and operators.
const MAX_DEPTH: usize = 200;

/// What an expression is worth, as GNU's preprocessor computes: 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Value {
    bits: i64,
    unsigned: bool,
}

impl Value {
    pub fn is_true(self) -> bool {
        self.bits != 0
    }
}

fn signed(bits: i64) -> Value {
    Value {
        bits,
        unsigned: false,
    }
}

/// Evaluates an expression whose macros are expanded, and tells whether it holds what GNU's preprocessor does not take. An identifier
/// that is left counts as 0.
///
/// # Errors
/// What is wrong with it.
pub(super) fn evaluate(
    text: &str,
    is_defined: &dyn Fn(&str) -> bool,
) -> Result<(Value, bool), String> {
    let mut p = Parser {
        rest: text,
        depth: 0,
        idle: 0,
        lenient: false,
        is_defined,
    };
    let v = p.list()?;
    p.skip();
    if p.rest.is_empty() {
        Ok((v, p.lenient))
    } else {
        Err(format!("`{}` is not understood", p.rest))
    }
}

struct Parser<'t> {
    rest: &'t str,
    depth: usize,
    /// How many operators around do not ask for this part: it is read, and its value does not count.
    idle: usize,
    /// See [`evaluate`].
    lenient: bool,
    is_defined: &'t dyn Fn(&str) -> bool,
}

/// Binary operators by falling length, with their precedence.
const OPERATORS: [(&str, u8); 18] = [
    ("||", 1),
    ("&&", 2),
    ("==", 6),
    ("!=", 6),
    ("<=", 7),
    (">=", 7),
    ("<<", 8),
    (">>", 8),
    ("|", 3),
    ("^", 4),
    ("&", 5),
    ("<", 7),
    (">", 7),
    ("+", 9),
    ("-", 9),
    ("*", 10),
    ("/", 10),
    ("%", 10),
];

impl Parser<'_> {
    fn skip(&mut self) {
        self.rest = self.rest.trim_start();
    }

    /// `a, b`
    fn list(&mut self) -> Result<Value, String> {
        loop {
            let v = self.conditional()?;
            self.skip();
            match self.rest.strip_prefix(',') {
                Some(rest) => self.rest = rest,
                None => return Ok(v),
            }
        }
    }

    /// A part that does not count if `idle`.
    fn part(
        &mut self,
        idle: bool,
        read: impl FnOnce(&mut Self) -> Result<Value, String>,
    ) -> Result<Value, String> {
        self.idle += usize::from(idle);
        let v = read(self)?;
        self.idle -= usize::from(idle);
        Ok(v)
    }

    /// `c ? a : b`
    fn conditional(&mut self) -> Result<Value, String> {
        let condition = self.binary(0)?;
        self.skip();
        let Some(rest) = self.rest.strip_prefix('?') else {
            return Ok(condition);
        };
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("nested too deeply".to_owned());
        }
        self.rest = rest;
        let yes = self.part(!condition.is_true(), Self::list)?;
        self.skip();
        self.rest = self
            .rest
            .strip_prefix(':')
            .ok_or("`:` is missing after `?`")?;
        let no = self.part(condition.is_true(), Self::conditional)?;
        self.depth -= 1;
        let chosen = if condition.is_true() { yes } else { no };
        Ok(Value {
            bits: chosen.bits,
            unsigned: yes.unsigned || no.unsigned,
        })
    }

    /// `'a'`
    fn character(&mut self) -> Option<Value> {
        let inner = self.rest.strip_prefix('\'')?;
        let c = inner.chars().next().filter(|c| *c != '\'' && *c != '\\')?;
        self.rest = inner[c.len_utf8()..].strip_prefix('\'')?;
        // gfortran's preprocessor fails at it.
        self.lenient = true;
        Some(signed(i64::from(u32::from(c))))
    }

    fn binary(&mut self, least: u8) -> Result<Value, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("nested too deeply".to_owned());
        }
        let mut left = self.unary()?;
        loop {
            self.skip();
            if self.rest.starts_with("++") || self.rest.starts_with("--") {
                return Err(format!("`{}` is not understood", self.rest));
            }
            // The longest one that stands here, even if it does not bind: `&&` is no `&`.
            let here = OPERATORS.iter().find(|(o, _)| self.rest.starts_with(o));
            let Some((op, precedence)) = here.filter(|(_, p)| *p > least) else {
                self.depth -= 1;
                return Ok(left);
            };
            self.rest = &self.rest[op.len()..];
            let idle = match *op {
                "||" => left.is_true(),
                "&&" => !left.is_true(),
                _ => false,
            };
            let right = self.part(idle, |p| p.binary(*precedence))?;
            left = match apply(op, left, right) {
                Some(v) => v,
                None if self.idle > 0 => signed(0),
                None => return Err("division by zero".to_owned()),
            };
        }
    }

    fn unary(&mut self) -> Result<Value, String> {
        self.skip();
        let Some(c) = self.rest.chars().next() else {
            return Err("the expression ends too early".to_owned());
        };
        if c == '!' || c == '-' || c == '+' || c == '~' {
            self.rest = &self.rest[1..];
            self.depth += 1;
            if self.depth > MAX_DEPTH {
                return Err("nested too deeply".to_owned());
            }
            if matches!(c, '-' | '+') && self.rest.starts_with(c) {
                return Err(format!("`{c}{c}` is not an operator here"));
            }
            let v = self.unary()?;
            self.depth -= 1;
            let bits = match c {
                '!' => return Ok(signed(i64::from(!v.is_true()))),
                '-' => v.bits.wrapping_neg(),
                '~' => !v.bits,
                _ => v.bits,
            };
            return Ok(Value { bits, ..v });
        }
        if c == '(' {
            self.rest = &self.rest[1..];
            let v = self.list()?;
            self.close()?;
            return Ok(v);
        }
        if let Some(v) = self.character() {
            return Ok(v);
        }
        let word = self.word();
        if word.is_empty() {
            return Err(format!("`{c}` is not understood"));
        }
        if c.is_ascii_digit() {
            return integer(word).ok_or_else(|| format!("`{word}` is not an integer"));
        }
        if word == "defined" {
            return self.defined();
        }
        // A function-like macro that is not defined takes its arguments with it.
        self.skip();
        if self.rest.starts_with('(') {
            self.lenient = true;
            self.part(true, Self::unary)?;
        }
        Ok(signed(0))
    }

    fn close(&mut self) -> Result<(), String> {
        self.skip();
        let rest = self.rest.strip_prefix(')');
        self.rest = rest.ok_or("a parenthesis is not closed")?;
        Ok(())
    }

    fn word(&mut self) -> &str {
        let (word, rest) = self.rest.split_at(word_end(self.rest));
        self.rest = rest;
        word
    }

    /// What follows `defined`.
    fn defined(&mut self) -> Result<Value, String> {
        self.skip();
        let rest = self.rest.strip_prefix('(');
        self.rest = rest.unwrap_or(self.rest);
        self.skip();
        let (name, after) = self.rest.split_at(word_end(self.rest));
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
            return Err("`defined` requires a macro name".to_owned());
        }
        self.rest = after;
        if rest.is_some() {
            self.close()?;
        }
        Ok(signed(i64::from((self.is_defined)(name))))
    }
}

/// A constant: it is unsigned by its suffix only.
fn integer(word: &str) -> Option<Value> {
    let word = word.to_ascii_lowercase();
    let digits = word.trim_end_matches(['l', 'u']);
    let suffix = &word[digits.len()..];
    let known = ["", "u", "l", "ul", "lu", "ll", "ull", "llu"];
    if !known.contains(&suffix) {
        return None;
    }
    let (digits, base) = match (digits.strip_prefix("0x"), digits.strip_prefix("0b")) {
        (Some(hexadecimal), _) => (hexadecimal, 16),
        (_, Some(binary)) => (binary, 2),
        _ if digits.len() > 1 && digits.starts_with('0') => (digits, 8),
        _ => (digits, 10),
    };
    let bits = u64::from_str_radix(digits, base).ok()?;
    Some(Value {
        bits: bits.cast_signed(),
        unsigned: suffix.contains('u'),
    })
}

/// None: division by zero.
fn apply(op: &str, left: Value, right: Value) -> Option<Value> {
    let (a, b) = (left.bits, right.bits);
    let unsigned = left.unsigned || right.unsigned;
    let (c, d) = (a.cast_unsigned(), b.cast_unsigned());
    let less = |a: i64, b: i64| match unsigned {
        true => a.cast_unsigned() < b.cast_unsigned(),
        false => a < b,
    };
    let truth = |b: bool| Some(signed(i64::from(b)));
    let bits = match op {
        "||" => return truth(a != 0 || b != 0),
        "&&" => return truth(a != 0 && b != 0),
        "==" => return truth(a == b),
        "!=" => return truth(a != b),
        "<=" => return truth(!less(b, a)),
        ">=" => return truth(!less(a, b)),
        "<" => return truth(less(a, b)),
        ">" => return truth(less(b, a)),
        "<<" | ">>" => return Some(shifted(left, right, op == "<<")),
        "|" => a | b,
        "^" => a ^ b,
        "&" => a & b,
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "*" => a.wrapping_mul(b),
        _ if b == 0 => return None,
        "/" if unsigned => (c / d).cast_signed(),
        "/" => a.wrapping_div(b),
        _ if unsigned => (c % d).cast_signed(),
        _ => a.wrapping_rem(b),
    };
    Some(Value { bits, unsigned })
}

/// A shift by a negative number goes the other way.
fn shifted(left: Value, by: Value, to_left: bool) -> Value {
    let backwards = by.bits < 0 && !by.unsigned;
    let distance = match backwards {
        true => by.bits.unsigned_abs(),
        false => by.bits.cast_unsigned(),
    };
    let bits = match (to_left != backwards, u32::try_from(distance).unwrap_or(64)) {
        (true, n) => left.bits.checked_shl(n).unwrap_or(0),
        (false, n) if left.unsigned => {
            let bits = left.bits.cast_unsigned().checked_shr(n);
            bits.unwrap_or(0).cast_signed()
        }
        (false, n) => left.bits >> n.min(63),
    };
    Value { bits, ..left }
}

#[cfg(test)]
mod tests {
    fn evaluate(text: &str) -> Result<i64, String> {
        super::evaluate(text, &|name| name == "A").map(|(v, _)| v.bits)
    }

    #[test]
    fn precedence() {
        assert_eq!(evaluate("1 + 2*3 == 7 && !0"), Ok(1));
        assert_eq!(evaluate("(1 || X) - 2"), Ok(-1));
        assert_eq!(evaluate("10 - 3 - 2"), Ok(5));
        assert_eq!(evaluate("1 && 1 && 1"), Ok(1));
        assert_eq!(evaluate("1 && (10 > 5) && ! 0 && 2 == 2 || 0 || 0"), Ok(1));
        assert_eq!(evaluate("6 & 3 | 8 ^ 1"), Ok(11));
        assert_eq!(
            evaluate("(1 ? 0 ? 1 : 2 : 3) == 2 && 'a' == 97 && 010 == 8"),
            Ok(1)
        );
        assert_eq!(evaluate("0b101, 1 && 2,0x10"), Ok(16));
        assert!(evaluate("1 +").is_err());
        assert!(evaluate("1 -- 1").is_err());
        assert!(evaluate(&"(".repeat(100_000)).is_err());
    }

    #[test]
    fn what_does_not_count_is_not_evaluated() {
        let text = "(0 && 1/0) + (1 || 1%0) + (1 ? 2 : 1/0) + (0 ? 1/0 : 3)";
        assert_eq!(evaluate(text), Ok(6));
        assert_eq!(evaluate("0 && (1 ? 2/0 : 3/0) || 7"), Ok(1));
        assert!(evaluate("1 && 1/0").is_err());
        assert!(evaluate("0 && 1/").is_err());
    }

    #[test]
    fn names() {
        assert_eq!(evaluate("defined A + defined ( A ) - !defined B"), Ok(1));
        assert_eq!(evaluate("true || false"), Ok(0));
        for wrong in ["defined", "defined()", "defined(A", "defined 5"] {
            assert!(evaluate(wrong).is_err(), "{wrong}");
        }
        let lenient = |text: &str| super::evaluate(text, &|_| true).map(|(_, l)| l);
        assert_eq!(lenient("X(1, 2/0) || 1"), Ok(true));
        assert_eq!(lenient("(X) == 0"), Ok(false));
    }

    #[test]
    fn unsigned_numbers() {
        assert_eq!(
            evaluate("-1 > 0u && (0 ? 1u : -1) > 0 && 3 - 4u > 0"),
            Ok(1)
        );
        assert_eq!(evaluate("(-1 || 0u) > -1"), Ok(1));
        assert_eq!(evaluate("(0u == 0) - 2 < 0"), Ok(1));
        assert_eq!(evaluate("-5 / 2u == 2"), Ok(0));
        assert_eq!(evaluate("18446744073709551615 == -1"), Ok(1));
        assert_eq!(evaluate("9223372036854775808 < 0"), Ok(1));
        assert_eq!(evaluate("(1 << -1) + (-8 >> -1)"), Ok(-16));
        assert_eq!(evaluate("(1 << 64) + (-1 >> 70)"), Ok(-1));
        assert!(evaluate("1lul").is_err());
    }
}
