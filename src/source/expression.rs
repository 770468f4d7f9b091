//! Integer expressions of `#if`.

/// Nesting of parentheses and operators.
const MAX_DEPTH: usize = 200;

/// Evaluates an expression whose macros are expanded; an identifier that is left counts as 0.
///
/// # Errors
/// What is wrong with it.
pub(super) fn evaluate(text: &str) -> Result<i64, String> {
    let mut p = Parser {
        rest: text,
        depth: 0,
    };
    let v = p.conditional()?;
    p.skip();
    if p.rest.is_empty() {
        Ok(v)
    } else {
        Err(format!("'{}' is not understood", p.rest))
    }
}

struct Parser<'t> {
    rest: &'t str,
    depth: usize,
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

    /// `c ? a : b`
    fn conditional(&mut self) -> Result<i64, String> {
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
        let yes = self.conditional()?;
        self.skip();
        self.rest = self
            .rest
            .strip_prefix(':')
            .ok_or("':' is missing after '?'")?;
        let no = self.conditional()?;
        self.depth -= 1;
        Ok(if condition != 0 { yes } else { no })
    }

    /// `'a'`
    fn character(&mut self) -> Option<i64> {
        let inner = self.rest.strip_prefix('\'')?;
        let c = inner.chars().next().filter(|c| *c != '\'' && *c != '\\')?;
        self.rest = inner[c.len_utf8()..].strip_prefix('\'')?;
        Some(i64::from(u32::from(c)))
    }

    fn binary(&mut self, least: u8) -> Result<i64, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("nested too deeply".to_owned());
        }
        let mut left = self.unary()?;
        loop {
            self.skip();
            // The longest one that stands here, even if it does not bind: `&&` is no `&`.
            let here = OPERATORS.iter().find(|(o, _)| self.rest.starts_with(o));
            let Some((op, precedence)) = here.filter(|(_, p)| *p > least) else {
                self.depth -= 1;
                return Ok(left);
            };
            self.rest = &self.rest[op.len()..];
            let right = self.binary(*precedence)?;
            left = apply(op, left, right)?;
        }
    }

    fn unary(&mut self) -> Result<i64, String> {
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
            let v = self.unary()?;
            self.depth -= 1;
            return Ok(match c {
                '!' => i64::from(v == 0),
                '-' => v.wrapping_neg(),
                '~' => !v,
                _ => v,
            });
        }
        if c == '(' {
            self.rest = &self.rest[1..];
            let v = self.conditional()?;
            self.skip();
            self.rest = self
                .rest
                .strip_prefix(')')
                .ok_or("a parenthesis is not closed")?;
            return Ok(v);
        }
        if let Some(v) = self.character() {
            return Ok(v);
        }
        let end = self
            .rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
            .unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        if word.is_empty() {
            return Err(format!("'{c}' is not understood"));
        }
        self.rest = rest;
        if !c.is_ascii_digit() {
            // A function-like macro that is not defined takes its arguments with it.
            self.skip();
            if self.rest.starts_with('(') {
                self.unary()?;
            }
            return Ok(i64::from(word == "true"));
        }
        let digits = word.trim_end_matches(['l', 'L', 'u', 'U']);
        match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
            Some(hex) => i64::from_str_radix(hex, 16),
            None if digits.len() > 1 && digits.starts_with('0') => i64::from_str_radix(digits, 8),
            None => digits.parse(),
        }
        .map_err(|_| format!("'{word}' is no integer"))
    }
}

fn apply(op: &str, a: i64, b: i64) -> Result<i64, String> {
    Ok(match op {
        "||" => i64::from(a != 0 || b != 0),
        "&&" => i64::from(a != 0 && b != 0),
        "|" => a | b,
        "^" => a ^ b,
        "&" => a & b,
        "==" => i64::from(a == b),
        "!=" => i64::from(a != b),
        "<=" => i64::from(a <= b),
        ">=" => i64::from(a >= b),
        "<" => i64::from(a < b),
        ">" => i64::from(a > b),
        "<<" => a.checked_shl(b as u32).unwrap_or(0),
        ">>" => a.checked_shr(b as u32).unwrap_or(0),
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "*" => a.wrapping_mul(b),
        "/" => a.checked_div(b).ok_or("division by zero")?,
        _ => a.checked_rem(b).ok_or("division by zero")?,
    })
}

#[cfg(test)]
mod tests {
    use super::evaluate;

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
        assert!(evaluate("1 +").is_err());
        assert!(evaluate(&"(".repeat(100_000)).is_err());
    }
}
