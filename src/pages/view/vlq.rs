//! Numbers as text, for large tables in the page: groups of five bits, least significant first, in the alphabet of base64.

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-";

/// Text that numbers are added to. `unpack` in templates/view/data.js reads it.
#[derive(Debug, Default)]
pub struct Packed(String);

impl Packed {
    /// A number that is not negative.
    pub fn add(&mut self, mut number: u32) {
        loop {
            let rest = number >> 5;
            let more = if rest > 0 { 32 } else { 0 };
            self.0.push(DIGITS[(number & 31 | more) as usize] as char);
            if rest == 0 {
                return;
            }
            number = rest;
        }
    }

    /// How much `to` is beyond `from`, which may be less than nothing.
    pub fn add_step(&mut self, from: u32, to: u32) {
        let step = to.wrapping_sub(from) as i32;
        self.add((step << 1 ^ step >> 31) as u32);
    }

    pub fn into_text(self) -> String {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers_are_short() {
        let mut p = Packed::default();
        for n in [0, 31, 32, 1000] {
            p.add(n);
        }
        p.add_step(5, 4);
        assert_eq!(p.into_text(), "AfgBofB");
    }
}
