//! A file as the page has it: characters for the reader, and where its bytes are in JavaScript's strings.

use crate::source::characters;

/// A decoded file.
pub struct Text {
    /// Lines end in `\n`.
    pub text: String,
    /// For each byte of the file its place in `text` in UTF-16 units; None: they are the same.
    places: Option<Vec<u32>>,
}

impl Text {
    /// UTF-8, UTF-16 and UTF-32 by their marks, or else Latin-1; without the byte order mark.
    pub fn of(bytes: &[u8]) -> Text {
        if bytes.is_ascii() && !bytes.contains(&b'\r') {
            return Text {
                text: String::from_utf8_lossy(bytes).into_owned(),
                places: None,
            };
        }
        let (start, found) = characters(bytes);
        let only_returns = !found.iter().any(|(c, _)| *c == '\n');
        let mut text = String::with_capacity(bytes.len());
        let mut places = Vec::with_capacity(bytes.len() + 1);
        places.extend(std::iter::repeat_n(0, start));
        let mut units = 0;
        for (i, (c, width)) in found.iter().enumerate() {
            places.extend(std::iter::repeat_n(units, *width));
            match c {
                '\r' if only_returns => text.push('\n'),
                '\r' if found.get(i + 1).is_some_and(|(next, _)| *next == '\n') => continue,
                c => text.push(*c),
            }
            units += c.len_utf16() as u32;
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

    #[test]
    fn wide_encodings() {
        let expected = "\u{e9}\n\u{1f600}x";
        let units: Vec<u16> = "\u{feff}\u{e9}\r\n\u{1f600}x".encode_utf16().collect();
        let little: Vec<u8> = units.iter().flat_map(|u| u.to_le_bytes()).collect();
        let big: Vec<u8> = units.iter().flat_map(|u| u.to_be_bytes()).collect();
        for bytes in [little, big] {
            let t = Text::of(&bytes);
            assert_eq!(t.text, expected);
            let places: Vec<u32> = [0, 2, 4, 8, 12, 14].map(|b| t.place(b)).to_vec();
            assert_eq!(places, [0, 0, 1, 2, 4, 5]);
        }
        let wide = "\u{feff}\u{e9}\r\n\u{1f600}x".chars().map(u32::from);
        let little: Vec<u8> = wide.flat_map(u32::to_le_bytes).collect();
        let t = Text::of(&little);
        assert_eq!(
            (t.text.as_str(), t.place(16), t.place(20)),
            (expected, 2, 4)
        );
    }
}
