//! Format specifications (F2018 13.2), as far as gfortran judges constant ones when it compiles: nvfortran meets a fault only where a statement with
//! the format is carried out.

/// What gfortran finds wrong with a format specification; None if it takes it.
pub fn fault(text: &str) -> Option<&'static str> {
    let mut format = Format {
        rest: text.chars().collect(),
        at: 0,
    };
    if format.next() != Some('(') {
        return Some("a format specification begins with a parenthesis");
    }
    // Behind the last parenthesis anything may follow.
    format.list(0).err()
}

const UNFINISHED: &str = "the format specification is not finished";
const NUMBER: &str = "a number does not belong to an edit descriptor";
const UNKNOWN: &str = "unknown edit descriptor in the format specification";
const WIDTH: &str = "edit descriptor without the width or the digits that it must have";
const EMPTY: &str = "an item is missing in the format specification";

struct Format {
    rest: Vec<char>,
    at: usize,
}

type Judged = Result<(), &'static str>;

impl Format {
    /// The next character, in lower case; blanks mean nothing.
    fn peek(&mut self) -> Option<char> {
        while self.rest.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
        self.rest.get(self.at).map(char::to_ascii_lowercase)
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek();
        self.at += usize::from(c.is_some());
        c
    }

    fn takes(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn number(&mut self) -> Option<u64> {
        let mut value = None;
        while let Some(d) = self.peek().and_then(|c| c.to_digit(10)) {
            let more = value.unwrap_or(0u64).saturating_mul(10);
            value = Some(more.saturating_add(u64::from(d)));
            self.at += 1;
        }
        value
    }

    /// Items up to the closing parenthesis, of which one may not be deeper than any program has them.
    fn list(&mut self, depth: usize) -> Judged {
        if depth > 100 {
            return Ok(());
        }
        if depth == 0 && self.takes(')') {
            return Ok(());
        }
        loop {
            self.item(depth)?;
            if self.takes(')') {
                return Ok(());
            }
            if self.takes(',') && matches!(self.peek(), Some(')' | ',')) {
                return Err(EMPTY);
            }
        }
    }

    fn item(&mut self, depth: usize) -> Judged {
        let Some(c) = self.next() else {
            return Err(UNFINISHED);
        };
        match c {
            '(' => self.list(depth + 1),
            '*' => match self.takes('(') {
                true => self.list(depth + 1),
                false => Err(UNKNOWN),
            },
            '\'' | '"' => self.text(c),
            '+' | '-' => match self.number().is_some() && self.takes('p') {
                true => Ok(()),
                false => Err(NUMBER),
            },
            '0'..='9' => {
                self.at -= 1;
                self.repeated(depth)
            }
            '/' | ':' | '$' | 'x' => Ok(()),
            ',' | ')' => Err(EMPTY),
            c => self.descriptor(c),
        }
    }

    /// What begins with a number.
    fn repeated(&mut self, depth: usize) -> Judged {
        let count = self.number().unwrap_or(0);
        match self.next() {
            Some('p' | 'x' | '/') => Ok(()),
            Some('h') => {
                let end = usize::try_from(count)
                    .ok()
                    .and_then(|n| self.at.checked_add(n));
                let end = end.filter(|e| *e <= self.rest.len());
                self.at = end.ok_or(UNFINISHED)?;
                Ok(())
            }
            None => Err(UNFINISHED),
            Some('(') if count > 0 => self.list(depth + 1),
            Some(c) if count > 0 && c.is_ascii_alphabetic() && c != 't' && c != 's' => {
                self.descriptor(c)
            }
            Some(_) => Err(NUMBER),
        }
    }

    /// A text up to its second quotation mark, of which two in a row are one.
    fn text(&mut self, quote: char) -> Judged {
        loop {
            match self.rest.get(self.at) {
                None => return Err(UNFINISHED),
                Some(c) if *c == quote => {
                    self.at += 1;
                    if self.rest.get(self.at) != Some(&quote) {
                        return Ok(());
                    }
                    self.at += 1;
                }
                Some(_) => self.at += 1,
            }
        }
    }

    /// The numbers of a DT descriptor, up to the parenthesis.
    fn numbers(&mut self) -> Judged {
        loop {
            let _sign = self.takes('-') || self.takes('+');
            self.number().ok_or(NUMBER)?;
            match self.next() {
                Some(',') => {}
                Some(')') => return Ok(()),
                _ => return Err(UNFINISHED),
            }
        }
    }

    fn descriptor(&mut self, letter: char) -> Judged {
        match (letter, self.peek()) {
            ('b', Some('n' | 'z')) | ('d', Some('c' | 'p')) | ('s', Some('p' | 's')) => {
                self.at += 1;
                Ok(())
            }
            ('s', _) => Ok(()),
            ('r', Some('u' | 'd' | 'z' | 'n' | 'c' | 'p')) => {
                self.at += 1;
                Ok(())
            }
            ('d', Some('t')) => {
                self.at += 1;
                if let Some(quote @ ('\'' | '"')) = self.peek() {
                    self.at += 1;
                    self.text(quote)?;
                }
                match self.takes('(') {
                    true => self.numbers(),
                    false => Ok(()),
                }
            }
            ('t', _) => {
                if matches!(self.peek(), Some('l' | 'r')) {
                    self.at += 1;
                }
                self.number().filter(|n| *n > 0).map(|_| ()).ok_or(WIDTH)
            }
            ('a', _) => match self.number() {
                Some(0) => Err(WIDTH),
                _ => Ok(()),
            },
            ('l', _) => {
                self.number();
                Ok(())
            }
            ('i' | 'b' | 'o' | 'z', _) => {
                let width = self.number();
                let digits = width.is_some() && self.takes('.');
                match digits && self.number().is_none() {
                    true => Err(WIDTH),
                    false => Ok(()),
                }
            }
            ('f' | 'e' | 'd' | 'g', next) => {
                let form = letter == 'e' && matches!(next, Some('n' | 's' | 'x'));
                self.at += usize::from(form);
                self.real(letter)
            }
            _ => Err(UNKNOWN),
        }
    }

    /// Width, digits and exponent of a descriptor of reals, all or none (`-fdec-format-defaults`).
    fn real(&mut self, letter: char) -> Judged {
        let Some(width) = self.number() else {
            return Ok(());
        };
        if width == 0 && !matches!(letter, 'f' | 'g') {
            return Err(WIDTH);
        }
        if !self.takes('.') {
            return match letter == 'g' && width == 0 {
                true => Ok(()),
                false => Err(WIDTH),
            };
        }
        if self.number().is_none() {
            return Err(WIDTH);
        }
        if matches!(letter, 'e' | 'g') && self.takes('e') && self.number().is_none() {
            return Err(WIDTH);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::fault;

    #[test]
    fn what_gfortran_takes() {
        for text in [
            "(i5)",
            "(f)",
            "(es)",
            "(i)",
            "(a)",
            "(x)",
            "(i5 f6.2)",
            "(i5f6.2)",
            "(1x i5)",
            "(i5.6)",
            "(0p,f6.2)",
            "(1pe12.4)",
            "(1p)",
            "(3h ab)",
            "(f0.3)",
            "(*(i5))",
            "(i5,*(i5,1x))",
            "(l)",
            "(z)",
            "(b8.8)",
            "(i5))",
            "()",
            "(/)",
            "(//i5)",
            "(i5/)",
            "(d)",
            "(ss,i5)",
            "($)",
            "(a,$)",
            "(x,i5)",
            "(:)",
            "(dt)",
            "(i0)",
            "(g0)",
            "(t5,'it''s',es10.3e3)",
            "(2(3x,i4),tr2,1x)",
            "(3(/),sp,f8.3)",
            "(dt'x'(1,2))",
            "(-2pf8.3)",
        ] {
            assert_eq!(fault(text), None, "{text}");
        }
    }

    #[test]
    fn what_it_refuses() {
        for text in [
            "(i5",
            "(i5,)",
            "(,i5)",
            "(es10)",
            "(en10)",
            "(f10)",
            "(e10)",
            "(g10)",
            "(5x,)",
            "(3)",
            "(i5;f6.2)",
            "(tl)",
            "(t)",
            "(y5)",
            "(p)",
            "(f0)",
            "(e0.3)",
            "(i-5)",
            "(i5,,i5)",
            "('abc)",
            "(a5.2)",
            "(2(i5)",
            "i5",
            "",
            "(d10)",
            "(q)",
            "(i5,\\)",
            "(1x,a,f6)",
            "(f5.)",
            "(r5)",
            "(0i5)",
            "(a0)",
            "(x5)",
        ] {
            assert!(fault(text).is_some(), "{text}");
        }
    }
}
