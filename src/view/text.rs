//! A file as the page has it: characters for the reader, and where its bytes are in JavaScript's strings.

/// A decoded file.
pub struct Text {
    /// Lines end in `\n`.
    pub text: String,
    /// For each byte of the file its place in `text` in UTF-16 units; None: they are the same.
    places: Option<Vec<u32>>,
}

impl Text {
    /// UTF-8, or else Latin-1, without the byte order mark.
    pub fn of(bytes: &[u8]) -> Text {
        const MARK: &[u8] = b"\xef\xbb\xbf";
        if bytes.is_ascii() && !bytes.contains(&b'\r') {
            return Text {
                text: String::from_utf8_lossy(bytes).into_owned(),
                places: None,
            };
        }
        let marked = bytes.starts_with(MARK);
        let utf8 = std::str::from_utf8(bytes).is_ok();
        let only_returns = !bytes.contains(&b'\n');
        let mut text = String::with_capacity(bytes.len());
        let mut places = Vec::with_capacity(bytes.len() + 1);
        let start = if marked { MARK.len() } else { 0 };
        places.extend(std::iter::repeat_n(0, start));
        let mut units = 0;
        let mut take = |c: char, width: usize, next: Option<u8>| {
            places.extend(std::iter::repeat_n(units, width));
            match c {
                '\r' if only_returns => text.push('\n'),
                '\r' if next == Some(b'\n') => return,
                c => text.push(c),
            }
            units += c.len_utf16() as u32;
        };
        if utf8 {
            let whole = String::from_utf8_lossy(&bytes[start..]);
            let mut at = start;
            for c in whole.chars() {
                at += c.len_utf8();
                take(c, c.len_utf8(), bytes.get(at).copied());
            }
        } else {
            for (i, b) in bytes.iter().enumerate().skip(start) {
                take(char::from(*b), 1, bytes.get(i + 1).copied());
            }
        }
        places.push(units);
        Text {
            text,
            places: Some(places),
        }
    }

    /// The place of a byte of the file in UTF-16 units.
    pub fn place(&self, byte: u32) -> u32 {
        match &self.places {
            None => byte.min(self.text.len() as u32),
            Some(all) => {
                let last = all.last().copied().unwrap_or_default();
                all.get(byte as usize).copied().unwrap_or(last)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_utf16_units() {
        let t = Text::of("\u{feff}é\r\n😀x".as_bytes());
        assert_eq!(t.text, "é\n😀x");
        // The mark, é of two bytes, the line end of two, four bytes of one character, x.
        let places: Vec<u32> = [0, 3, 5, 7, 11].map(|b| t.place(b)).to_vec();
        assert_eq!(places, [0, 0, 1, 2, 4]);
        let t = Text::of(b"\xe9x");
        assert_eq!((t.text.as_str(), t.place(1)), ("éx", 1));
        assert_eq!(Text::of(b"abc").place(9), 3);
    }
}
