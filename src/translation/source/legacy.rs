//! Old forms that only host code has, rewritten for the parser in place: what gfortran accepts (some of it with `-fdec...`)
//! and the grammar does not know. The host text keeps them; every offset stays.
//!
//! | form | what the parser sees |
//! |---|---|
//! | `format(1x, 3hABC)` | `format(a        )` |
//! | `4Habcd` | `'xxxx '`, a string as long as the constant |
//! | `'17'o` | `o'17'` |
//! | `structure /s/`, `end structure` | `type s`, `end type` |
//! | `union`, `map` and their ends, structures in structures | nothing |
//! | `record /s/ a, b` | `type(s) a, b` |
//! | `a.b` where the file has structures | `a%b` |
//! | `type *, x` | `print*, x` |
//! | `read ('(') // 'a)', x` | without the parentheses |
//! | `open(..., readonly)`, `character*4, c` | without the word, the comma |
//!
//! nvfortran's `real, x, y` loses its first comma, its `deallocate(a(4))` the shape, and its `namelist /g/ a b` gets a comma in the host text
//! as well: gfortran has no such forms.

use std::collections::BTreeSet;

use super::statements::{Reader, View, ends_operator, is_word, statements};

/// What was found in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    /// STRUCTURE or RECORD: gfortran needs `-fdec-structure`.
    pub structures: bool,
    /// Offsets of the STRUCTURE statements that the parser sees as TYPE.
    pub types: Vec<u32>,
    /// What gfortran, too, must see otherwise: offsets, and the byte in the place of the source's.
    pub changed: Vec<(usize, u8)>,
}

/// The parser's text with the old forms rewritten; None if there are none.
pub(super) fn rewrite(text: &str, fixed: bool) -> (Option<String>, Found) {
    let mut r = Rewriter {
        fixed,
        out: None,
        text,
        found: Found::default(),
        depth: 0,
        fills: 0,
        operators: BTreeSet::new(),
    };
    statements(text.as_bytes(), &mut |s| r.statement(s));
    if r.found.structures {
        statements(text.as_bytes(), &mut |s| r.components(s));
    }
    let found = r.found;
    (r.out.and_then(|o| String::from_utf8(o).ok()), found)
}

struct Rewriter<'t> {
    text: &'t str,
    /// The source has fixed form, where names may have blanks in them.
    fixed: bool,
    out: Option<Vec<u8>>,
    found: Found,
    /// Nesting of STRUCTURE.
    depth: usize,
    /// `%FILL` components so far.
    fills: usize,
    /// Defined operators of the file.
    operators: BTreeSet<String>,
}

/// The statement that begins with a word is a specification, on which a label has no use.
fn is_specification(word: &str, rest: &View) -> bool {
    let typed = match word {
        "integer" | "real" | "complex" | "logical" | "character" | "double" | "doubleprecision"
        | "type" | "class" | "byte" => true,
        "dimension" | "parameter" | "common" | "external" | "intrinsic" | "save"
        | "equivalence" | "implicit" | "allocatable" | "pointer" | "target" | "namelist" => false,
        _ => return false,
    };
    let next = rest.first().map_or(b' ', |b| b.0);
    let after = match next {
        b'(' => {
            let mut r = Reader { view: rest, at: 0 };
            if r.group().is_none() {
                return false;
            }
            r.peek().unwrap_or(b' ')
        }
        b'*' if word == "type" => return false,
        _ => next,
    };
    match after {
        b'=' | b'%' => false,
        b'(' => !typed,
        _ => true,
    }
}

/// Indices of the view's bytes outside of strings.
fn outside_strings(view: &View) -> impl Iterator<Item = usize> + '_ {
    let mut quote = None;
    (0..view.len()).filter(move |i| {
        let b = view[*i].0;
        match quote {
            Some(q) => {
                if q == b {
                    quote = None;
                }
                false
            }
            None if b == b'\'' || b == b'"' => {
                quote = Some(b);
                false
            }
            None => true,
        }
    })
}

impl Rewriter<'_> {
    fn set(&mut self, offset: usize, b: u8) {
        let out = self
            .out
            .get_or_insert_with(|| self.text.as_bytes().to_vec());
        if let Some(x) = out.get_mut(offset) {
            *x = b;
        }
    }

    fn blank(&mut self, part: &View) {
        part.iter().for_each(|(_, at)| self.set(*at, b' '));
    }

    /// Writes `word` over the beginning of `part`, blanks over the rest. The part is at least as long.
    fn write(&mut self, part: &View, word: &str) {
        let letters = word.bytes().chain(std::iter::repeat(b' '));
        part.iter()
            .zip(letters)
            .for_each(|((_, at), b)| self.set(*at, b));
    }

    fn statement(&mut self, view: &View) {
        let mut r = Reader { view, at: 0 };
        while r.peek().is_some_and(|b| b.is_ascii_digit()) {
            r.at += 1;
        }
        let labelled = r.at > 0;
        let label = r.at;
        r.blanks();
        let start = r.at;
        let first = r.word();
        if labelled && is_specification(&first, &view[r.at..]) {
            self.blank(&view[..label]);
        }
        match first.as_str() {
            "format" if labelled && r.peek() == Some(b'(') => return self.format(view, r.at),
            "structure" if r.peek() == Some(b'/') || self.depth > 0 => {
                return self.structure(view, start, r);
            }
            "end" | "endstructure" | "endunion" | "endmap" => {
                let what = if first == "end" {
                    r.word()
                } else {
                    first[3..].to_owned()
                };
                let ends = r.at >= view.len();
                match what.as_str() {
                    "structure" if ends && self.depth > 0 => {
                        self.depth -= 1;
                        let word = if self.depth == 0 { "end type" } else { "" };
                        return self.write(&view[start..], word);
                    }
                    "union" | "map" if ends && self.depth > 0 => return self.blank(&view[start..]),
                    _ => {}
                }
            }
            "union" | "map" if r.at >= view.len() && self.depth > 0 => {
                return self.blank(&view[start..]);
            }
            "record" if r.peek() == Some(b'/') => return self.record(view, start, r),
            "deallocate" if r.peek() == Some(b'(') => self.shapes(view, r.at),
            "if" if r.peek() == Some(b'(') && r.group().is_some() => {
                r.blanks();
                if r.word() == "deallocate" && r.peek() == Some(b'(') {
                    self.shapes(view, r.at);
                }
            }
            "open" if r.peek() == Some(b'(') => self.bare_specifiers(view),
            "namelist" if !self.fixed && r.peek() == Some(b'/') => {
                self.namelist_commas(&view[r.at..])
            }
            // A format that begins with a parenthesis.
            "read" if r.peek() == Some(b'(') => {
                let open = r.at;
                if r.group().is_some() {
                    let close = view[..r.at].iter().rposition(|b| b.0 == b')');
                    r.blanks();
                    if r.peek() == Some(b'/') {
                        self.blank(&view[open..=open]);
                        close.into_iter().for_each(|c| self.blank(&view[c..=c]));
                    }
                }
            }
            "type" => {
                let format = r
                    .peek()
                    .is_some_and(|b| matches!(b, b'*' | b'\'' | b'"') || b.is_ascii_digit());
                if format && r.at == start + 5 {
                    self.write(&view[start..start + 5], "print");
                }
            }
            "character" if r.peek() == Some(b'*') => self.comma(view, r.at),
            "real" | "integer" | "logical" | "complex" | "character" | "doubleprecision" => {
                self.names_after_comma(view, r);
            }
            "double" if r.word() == "precision" => self.names_after_comma(view, r),
            // PAUSE with a code.
            "pause"
                if r.peek()
                    .is_some_and(|b| b.is_ascii_digit() || matches!(b, b'\'' | b'"')) =>
            {
                self.blank(&view[r.at..]);
            }
            _ => {}
        }
        if self.depth > 1 {
            return self.blank(&view[start..]);
        }
        if self.depth == 1 {
            self.fields(view, start);
        }
        if first == "interface" || first == "use" {
            self.defined_operators(view);
        }
        self.constants(view, start);
    }

    /// Shapes after the objects of DEALLOCATE.
    fn shapes(&mut self, view: &View, open: usize) {
        let (mut depth, mut group, mut keyword) = (0usize, open, false);
        let solid: Vec<usize> = outside_strings(view)
            .filter(|i| *i >= open && !view[*i].0.is_ascii_whitespace())
            .collect();
        for (k, i) in solid.iter().enumerate() {
            match view[*i].0 {
                b'(' => {
                    depth += 1;
                    if depth == 2 {
                        group = *i;
                    }
                }
                b')' if depth == 2 => {
                    depth = 1;
                    let next = solid.get(k + 1).map(|i| view[*i].0);
                    if !keyword && matches!(next, Some(b',' | b')')) {
                        let shape = &view[group..=*i];
                        let blank = |(_, at): &(u8, usize)| (*at, b' ');
                        self.found.changed.extend(shape.iter().map(blank));
                        self.blank(shape);
                    }
                }
                b')' if depth <= 1 => return,
                b')' => depth -= 1,
                b'=' if depth == 1 => keyword = true,
                b',' if depth == 1 => keyword = false,
                _ => {}
            }
        }
    }

    /// The items of FORMAT: one `a`.
    fn format(&mut self, view: &View, open: usize) {
        let last = view
            .iter()
            .rposition(|b| !b.0.is_ascii_whitespace())
            .unwrap_or(open);
        if view[last].0 == b')' && last > open + 1 {
            self.write(&view[open + 1..last], "a");
        }
    }

    fn structure(&mut self, view: &View, start: usize, mut r: Reader<'_>) {
        self.found.structures = true;
        self.depth += 1;
        if self.depth > 1 || r.peek() != Some(b'/') {
            return self.blank(&view[start..]);
        }
        r.at += 1;
        self.found.types.push(view[start].1 as u32);
        self.write(&view[start..r.at], "type");
        r.blanks();
        r.word();
        self.blank(&view[r.at..]);
    }

    fn record(&mut self, view: &View, start: usize, mut r: Reader<'_>) {
        self.found.structures = true;
        if self.depth > 1 {
            return self.blank(&view[start..]);
        }
        let slash = r.at;
        self.blank(&view[start..=slash]);
        self.write(&view[slash - 5 + 1..=slash], "type(");
        r.at += 1;
        r.blanks();
        r.word();
        if r.peek() == Some(b'/') {
            self.set(view[r.at].1, b')');
            r.at += 1;
        }
        // Further groups: their names alone.
        let mut inside = false;
        for (b, at) in &view[r.at..] {
            if *b == b'/' {
                inside = !inside;
                self.set(*at, b' ');
            } else if inside {
                self.set(*at, b' ');
            }
        }
    }

    /// Components of a structure: without initial values, `%FILL` with a name.
    fn fields(&mut self, view: &View, start: usize) {
        let mut inside = false;
        let code: Vec<usize> = outside_strings(view).filter(|i| *i >= start).collect();
        for &i in &code {
            if view[i].0 == b'/' {
                inside = !inside;
                self.set(view[i].1, b' ');
            } else if inside {
                self.set(view[i].1, b' ');
            }
            let word = |n: usize| view.get(i + 1..i + 1 + n).unwrap_or_default();
            let fill = word(4)
                .iter()
                .map(|b| b.0.to_ascii_lowercase())
                .eq(*b"fill");
            if view[i].0 == b'%' && fill {
                let name = format!("f{:04}", self.fills % 10_000);
                self.fills += 1;
                self.write(&view[i..i + 5], &name);
            }
        }
        // Strings among the initial values.
        let mut depth = false;
        let mut quote = None;
        for (b, at) in &view[start..] {
            match quote {
                Some(q) => {
                    if depth {
                        self.set(*at, b' ');
                    }
                    if q == *b {
                        quote = None;
                    }
                }
                None if *b == b'\'' || *b == b'"' => {
                    quote = Some(*b);
                    if depth {
                        self.set(*at, b' ');
                    }
                }
                None if *b == b'/' => depth = !depth,
                None => {}
            }
        }
    }

    /// `readonly`, `shared` and `noshared` among the specifiers of OPEN.
    fn bare_specifiers(&mut self, view: &View) {
        let code: Vec<usize> = outside_strings(view)
            .filter(|i| view[*i].0 == b',')
            .collect();
        for comma in code {
            let mut r = Reader {
                view,
                at: comma + 1,
            };
            r.blanks();
            let word = r.word();
            let ends = matches!(r.peek(), Some(b',' | b')'));
            if ends && matches!(word.as_str(), "readonly" | "shared" | "noshared") {
                self.blank(&view[comma..r.at]);
            }
        }
    }

    /// `character*4, c`: without the comma if no attributes follow.
    fn comma(&mut self, view: &View, star: usize) {
        let mut r = Reader { view, at: star + 1 };
        r.blanks();
        r.word();
        let attributes = view.windows(2).any(|w| w[0].0 == b':' && w[1].0 == b':');
        if r.peek() == Some(b',') && !attributes {
            self.set(view[r.at].1, b' ');
        }
    }

    /// `real, x`, `integer(8), n`: the names follow without a comma in standard Fortran if there is no `::`.
    fn names_after_comma(&mut self, view: &View, mut r: Reader<'_>) {
        if r.peek() == Some(b'*') {
            r.at += 1;
            r.blanks();
            r.word();
        }
        if r.peek() == Some(b'(') && r.group().is_none() {
            return;
        }
        r.blanks();
        let attributes = view.windows(2).any(|w| w[0].0 == b':' && w[1].0 == b':');
        if r.peek() == Some(b',') && !attributes {
            let at = view[r.at].1;
            self.set(at, b' ');
            self.found.changed.push((at, b' '));
        }
    }

    /// `namelist /g/ a, b c`: nvfortran takes names without a comma between them.
    fn namelist_commas(&mut self, groups: &View) {
        let is_name = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
        let mut in_group_name = false;
        let mut after_name = false;
        let mut blank = None;
        for &(b, at) in groups {
            match b {
                b'/' => {
                    in_group_name = !in_group_name;
                    after_name = false;
                }
                b if is_name(b) => {
                    let gap = blank.filter(|_| after_name && !in_group_name);
                    if let Some(at) = gap {
                        self.set(at, b',');
                        self.found.changed.push((at, b','));
                    }
                    after_name = true;
                }
                b if b.is_ascii_whitespace() => {
                    blank.get_or_insert(at);
                    continue;
                }
                _ => after_name = false,
            }
            blank = None;
        }
    }

    /// Hollerith constants, and BOZ constants with the letter behind.
    fn constants(&mut self, view: &View, start: usize) {
        let mut i = start;
        let mut quote: Option<(u8, usize)> = None;
        while let Some(&(b, _)) = view.get(i) {
            if let Some((q, open)) = quote {
                if b == q {
                    quote = None;
                    let letter = view.get(i + 1).map_or(b' ', |x| x.0.to_ascii_lowercase());
                    let ends = view
                        .get(i + 2)
                        .is_none_or(|x| !is_word(x.0) && x.0 != b'\'' && x.0 != b'"');
                    let begins = open == 0 || !is_word(view[open - 1].0);
                    if matches!(letter, b'b' | b'o' | b'z' | b'x') && ends && begins {
                        let letter = if letter == b'x' { b'z' } else { letter };
                        let part: Vec<u8> = view[open..=i].iter().map(|x| x.0).collect();
                        self.set(view[open].1, letter);
                        for (k, b) in part.into_iter().enumerate() {
                            self.set(view[open + 1 + k].1, b);
                        }
                    }
                }
                i += 1;
                continue;
            }
            if b == b'\'' || b == b'"' {
                quote = Some((b, i));
            } else if b.is_ascii_digit()
                && (i == start
                    || !is_word(view[i - 1].0)
                        && (view[i - 1].0 != b'.' || ends_operator(&view[start..i]))
                        && view[i - 1].0 != b'*')
            {
                let digits = view[i..]
                    .iter()
                    .take_while(|x| x.0.is_ascii_digit())
                    .count();
                let letter = view.get(i + digits).map_or(b' ', |x| x.0);
                let count = view[i..i + digits].iter().fold(0usize, |n, x| {
                    n.saturating_mul(10).saturating_add(usize::from(x.0 - b'0'))
                });
                let end = (i + digits + 1).saturating_add(count);
                if letter.eq_ignore_ascii_case(&b'h') && count > 0 && end <= view.len() {
                    self.set(view[i].1, b'\'');
                    for x in &view[i + 1..end - 1] {
                        self.set(x.1, b'x');
                    }
                    self.set(view[end - 1].1, b'\'');
                    i = end;
                    continue;
                }
                i += digits;
                continue;
            }
            i += 1;
        }
    }

    /// Names of defined operators, which stand between dots as components do.
    fn defined_operators(&mut self, view: &View) {
        let text: String = view
            .iter()
            .map(|b| b.0.to_ascii_lowercase() as char)
            .filter(|c| *c != ' ')
            .collect();
        for part in text.split("operator(.").skip(1) {
            if let Some((word, _)) = part.split_once('.') {
                self.operators.insert(word.to_owned());
            }
        }
    }

    /// `a.b` as `a%b`.
    fn components(&mut self, view: &View) {
        const OPERATORS: [&str; 13] = [
            "eq", "ne", "lt", "le", "gt", "ge", "and", "or", "not", "eqv", "neqv", "true", "false",
        ];
        let code: Vec<usize> = outside_strings(view).collect();
        let mut skip = 0;
        for &i in &code {
            if i < skip || view[i].0 != b'.' {
                continue;
            }
            let mut r = Reader { view, at: i + 1 };
            r.blanks();
            let letter = r.peek().is_some_and(|b| b.is_ascii_alphabetic());
            let word = r.word();
            let closes = r.peek() == Some(b'.');
            if letter
                && closes
                && (OPERATORS.contains(&word.as_str()) || self.operators.contains(&word))
            {
                skip = r.at + 1;
                continue;
            }
            let before = view[..i].iter().rposition(|b| !b.0.is_ascii_whitespace());
            let of_name = before.is_some_and(|p| {
                let token = view[..=p]
                    .iter()
                    .rposition(|b| !is_word(b.0))
                    .map_or(0, |t| t + 1);
                matches!(view[p].0, b')') || token <= p && view[token].0.is_ascii_alphabetic()
            });
            if letter && of_name {
                self.set(view[i].1, b'%');
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::rewrite;

    fn check(source: &str, expected: &str) {
        let (text, _) = rewrite(source, false);
        assert_eq!(text.as_deref().unwrap_or(source), expected);
        assert_eq!(source.len(), expected.len());
    }

    #[test]
    fn formats_and_constants() {
        check("10 format(1x, 'a!b')\n", "10 format(a        )\n");
        check("10 format(1x, &\n & +3p)\n", "10 format(a   &\n &    )\n");
        check("format(1) = 2\n", "format(1) = 2\n");
        check(
            "data i /4habcd/, j /'17'o/\n",
            "data i /'xxxx'/, j /o'17'/\n",
        );
        check("x = y4habc + 'z'\n", "x = y4habc + 'z'\n");
        check("real*4 h1\n", "real*4 h1\n");
        check("s = 'it''s'//'b'\n", "s = 'it''s'//'b'\n");
    }

    #[test]
    fn structures() {
        check(
            "structure /s/\n integer i /3/\n union\n map\n real x\n end map\n end union\nend structure\nrecord /s/ r, q(2)\nr.x = q(1).i + 1.e5\nif (r.x.eq.2..and.r.i>0) r.i=1\n",
            "type       s \n integer i    \n      \n    \n real x\n        \n          \nend type     \n   type(s) r, q(2)\nr%x = q(1)%i + 1.e5\nif (r%x.eq.2..and.r%i>0) r%i=1\n",
        );
    }

    #[test]
    fn old_statements() {
        check("real, x, y\n", "real  x, y\n");
        check("integer(8), n\n", "integer(8)  n\n");
        check("real, save :: x\n", "real, save :: x\n");
        check("type *, x\n", "print*, x\n");
        check("type (t) x\n", "type (t) x\n");
        check("character*4, c\n", "character*4  c\n");
        check(
            "open(1, file='a', readonly)\n",
            "open(1, file='a'          )\n",
        );
        check(
            "deallocate(a(4), p(2)%x, q(1)%y(2, 3), stat = s(1))\n",
            "deallocate(a   , p(2)%x, q(1)%y      , stat = s(1))\n",
        );
        check(
            "if (n > (2)) deallocate (a(n + (1)))\n",
            "if (n > (2)) deallocate (a         )\n",
        );
    }
}
