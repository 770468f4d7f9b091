//! Faults of cuf2cu.

use super::{CascadeOf, Code, Work};

pub(super) static CODES: &[Code] = &[
    Code::new("CUF0901", "internal error: generated host code accesses device data")
        .work(Work::Fault)
        .echo(CascadeOf::OfFile)
        .text(
            "cuf2cu re-parses the host code it generates and found an access to device data. This is a bug in cuf2cu, not in your program. No file was written.
Please report it; assigning the value to a variable first may avoid it.",
        ),
    Code::new("CUF0902", "internal error: invalid device IR")
        .work(Work::Fault)
        .text(
            "cuf2cu checks the device code it generates before writing it; that check failed. This is a bug in cuf2cu, not in your program. No file was written.
Please report it with the program.",
        ),
];
