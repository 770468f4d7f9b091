//! JSON that may stand in a script element: no text in it can end the element or begin markup.

use serde::Serialize;

/// `value` as JSON without `<`, `>`, `&` and the line ends that JavaScript once had besides its own.
pub fn script(value: &impl Serialize) -> String {
    let plain = serde_json::to_string(value).unwrap_or_default();
    let mut out = String::with_capacity(plain.len() + plain.len() / 16);
    let mut rest = &*plain;
    while let Some(at) = rest.find(['<', '>', '&', '\u{2028}', '\u{2029}']) {
        out.push_str(&rest[..at]);
        let mut after = rest[at..].chars();
        out.extend(after.next().map(|c| format!("\\u{:04x}", c as u32)));
        rest = after.as_str();
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_the_element() {
        let text = "</script><!--<script> & \u{2028}\u{2029} \" ' \\";
        let safe = script(&text);
        assert!(
            !safe.contains(['<', '>', '&', '\u{2028}', '\u{2029}']),
            "{safe}"
        );
        assert_eq!(serde_json::from_str::<String>(&safe).unwrap(), text);
    }
}
