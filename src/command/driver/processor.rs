//! The processor of this machine.

use std::fs;
use std::sync::OnceLock;

/// Tells the processor of this machine from others, as far as compilers know them: a name of letters and digits.
pub fn processor() -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| {
        let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let first = text.split("\n\n").next().unwrap_or_default();
        let lasting = [
            "model",
            "flags",
            "Features",
            "CPU",
            "cpu family",
            "stepping",
        ];
        let lines: Vec<_> = first
            .lines()
            .filter(|l| lasting.iter().any(|w| l.starts_with(w)))
            .collect();
        let mut name = blake3::hash(lines.join("\n").as_bytes())
            .to_hex()
            .to_string();
        name.truncate(16);
        name
    })
}
