//! What `nvcc -Xptxas -v` says of kernels: registers, memory, and the occupancy that follows.

use serde::Serialize;

/// What ptxas says of one version of a kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Usage {
    /// `heat::step`
    pub kernel: String,
    /// The type of index arithmetic, of a kernel in two versions.
    pub version: &'static str,
    /// `sm_90`
    pub architecture: String,
    pub registers: u32,
    /// Bytes of shared memory of fixed size.
    pub shared: u32,
    pub stack: u32,
    pub spill_stores: u32,
    pub spill_loads: u32,
    /// Warps that a multiprocessor holds at a time, of those that it could, by threads of a block; empty for an architecture that is not known.
    pub occupancy: Vec<Occupancy>,
}

/// See [`Usage::occupancy`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Occupancy {
    pub threads: u32,
    pub percent: u32,
    /// What keeps it from being more.
    pub limit: &'static str,
}

/// Reads a report. Lines that say something else are passed over.
pub fn read(report: &str) -> Vec<Usage> {
    let mut out: Vec<Usage> = Vec::new();
    for line in report.lines() {
        if let Some((_, rest)) = line.split_once("Compiling entry function '") {
            let mut quoted = rest.split('\'');
            let (kernel, version) = demangled(quoted.next().unwrap_or_default());
            out.push(Usage {
                kernel,
                version,
                architecture: quoted.nth(1).unwrap_or_default().to_owned(),
                ..Usage::default()
            });
            continue;
        }
        let Some(last) = out.last_mut() else { continue };
        for (number, what) in numbers(line) {
            let field = match what {
                w if w.starts_with("registers") => &mut last.registers,
                w if w.starts_with("bytes smem") => &mut last.shared,
                w if w.starts_with("bytes stack") => &mut last.stack,
                w if w.starts_with("bytes spill stores") => &mut last.spill_stores,
                w if w.starts_with("bytes spill loads") => &mut last.spill_loads,
                _ => continue,
            };
            *field = number;
        }
    }
    for usage in &mut out {
        usage.occupancy = occupancy(usage);
    }
    out
}

/// The numbers of a line, each with the words behind it.
fn numbers(line: &str) -> impl Iterator<Item = (u32, &str)> {
    line.split([',', ':']).filter_map(|part| {
        let part = part.trim().trim_start_matches("Used ");
        let (number, what) = part.split_once(' ')?;
        Some((number.parse().ok()?, what))
    })
}

/// The name of a function as C++ mangles it, with its namespaces, and the version of a template over index arithmetic.
fn demangled(symbol: &str) -> (String, &'static str) {
    let mut rest = symbol.strip_prefix("_Z").unwrap_or_default();
    rest = rest.strip_prefix('N').unwrap_or(rest);
    let mut names = Vec::new();
    loop {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let length = rest[..digits].parse().unwrap_or(0usize);
        let Some(name) = rest.get(digits..digits + length).filter(|n| !n.is_empty()) else {
            break;
        };
        names.push(name);
        rest = &rest[digits + length..];
    }
    let version = match rest.as_bytes() {
        [b'I', b'i', ..] => "32-bit subscripts",
        [b'I', b'l' | b'x', ..] => "64-bit subscripts",
        _ => "",
    };
    match names.is_empty() {
        true => (symbol.to_owned(), ""),
        false => (names.join("::"), version),
    }
}

/// What a multiprocessor has (CUDA C++ Programming Guide, technical specifications by compute capability).
struct Multiprocessor {
    warps: u32,
    blocks: u32,
    /// Bytes of shared memory, and those that each block takes besides its own.
    shared: u32,
    reserved: u32,
}

fn multiprocessor(architecture: &str) -> Option<Multiprocessor> {
    let digits = architecture.strip_prefix("sm_")?;
    let number: u32 = digits.trim_end_matches(char::is_alphabetic).parse().ok()?;
    let (warps, blocks, kib) = match number {
        70 | 72 => (64, 32, 96),
        75 => (32, 16, 64),
        80 => (64, 32, 164),
        86 => (48, 16, 100),
        87 => (48, 16, 164),
        89 => (48, 24, 100),
        90 => (64, 32, 228),
        100 | 103 => (64, 32, 228),
        120 | 121 => (48, 24, 100),
        _ => return None,
    };
    Some(Multiprocessor {
        warps,
        blocks,
        shared: kib << 10,
        reserved: if number < 80 { 0 } else { 1 << 10 },
    })
}

/// Registers of a multiprocessor, and how many a warp takes at a time.
const REGISTERS: u32 = 65536;
const REGISTER_UNIT: u32 = 256;

fn occupancy(usage: &Usage) -> Vec<Occupancy> {
    let Some(m) = multiprocessor(&usage.architecture) else {
        return Vec::new();
    };
    let of = |threads: u32| {
        let warps = threads.div_ceil(32);
        let for_warp = (usage.registers.max(1) * 32).div_ceil(REGISTER_UNIT) * REGISTER_UNIT;
        let by_registers = REGISTERS / for_warp / warps;
        let for_block = usage.shared + m.reserved;
        let by_shared = m.shared.checked_div(for_block).unwrap_or(u32::MAX);
        let limits = [
            (m.warps / warps, "threads"),
            (m.blocks, "blocks"),
            (by_registers, "registers"),
            (by_shared, "shared memory"),
        ];
        let (blocks, limit) = limits.into_iter().min_by_key(|l| l.0).unwrap_or((0, ""));
        Occupancy {
            threads,
            percent: 100 * blocks * warps / m.warps,
            limit,
        }
    };
    [64, 128, 256, 512, 1024].into_iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = "\
ptxas info    : 0 bytes gmem, 4 bytes cmem[3]
ptxas info    : Compiling entry function '_ZN4heat4stepIiEEvPKfPfii' for 'sm_90'
ptxas info    : Function properties for _ZN4heat4stepIiEEvPKfPfii
    16 bytes stack frame, 8 bytes spill stores, 4 bytes spill loads
ptxas info    : Used 64 registers, used 1 barriers, 1296 bytes smem
ptxas info    : Compiling entry function '_Z1kv' for 'sm_20'
ptxas info    : Used 8 registers
";

    #[test]
    fn reports_are_read() {
        let found = read(REPORT);
        let first = &found[0];
        assert_eq!(
            (first.kernel.as_str(), first.version),
            ("heat::step", "32-bit subscripts")
        );
        let numbers = [
            first.registers,
            first.shared,
            first.stack,
            first.spill_stores,
            first.spill_loads,
        ];
        assert_eq!(numbers, [64, 1296, 16, 8, 4]);
        // 65536 registers are 32 warps of 64 registers a thread.
        assert_eq!(
            first.occupancy[2],
            Occupancy {
                threads: 256,
                percent: 50,
                limit: "registers"
            }
        );
        assert_eq!(
            (found[1].kernel.as_str(), found[1].occupancy.len()),
            ("k", 0)
        );
    }
}
