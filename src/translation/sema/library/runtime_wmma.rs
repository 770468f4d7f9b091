//! The module wmma: submatrices that the threads of a warp hold together (guide 3.8.3).

use super::runtime_modules::{External, ExternalType, ty};

/// Shape, kind and order of a submatrix type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Submatrix {
    pub matrix: Matrix,
    pub m: u8,
    pub n: u8,
    pub k: u8,
    /// Kind of its real elements.
    pub kind: u8,
    /// Stored by rows (A and B only).
    pub row_major: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matrix {
    A,
    B,
    Accumulator,
}

/// The submatrix that a type of the module stands for, None for other types.
pub fn submatrix(name: &str) -> Option<Submatrix> {
    let rest = name.strip_prefix("submatrix")?;
    let (matrix, rest) = rest.split_once("_m")?;
    let (m, rest) = rest.split_once('n')?;
    let (n, rest) = rest.split_once('k')?;
    let (k, rest) = rest.split_once("_real")?;
    let (kind, order) = rest.split_once('_').unwrap_or((rest, ""));
    Some(Submatrix {
        matrix: match matrix {
            "a" => Matrix::A,
            "b" => Matrix::B,
            "c" => Matrix::Accumulator,
            _ => return None,
        },
        m: m.parse().ok()?,
        n: n.parse().ok()?,
        k: k.parse().ok()?,
        kind: kind.parse().ok()?,
        row_major: order == "rmajor",
    })
}

/// Name of the type that `WMMASubMatrix(matrix, m, n, k, Real, layout)` of cuf_macros.CUF means, from the values of its
/// arguments: the matrix, the three extents, and the order (A, B) or the kind (accumulators).
pub fn type_name([matrix, m, n, k, layout]: [i64; 5]) -> Option<String> {
    let shape = format!("m{m}n{n}k{k}");
    let order = |row| if row { "rmajor" } else { "cmajor" };
    match (matrix, layout) {
        (1 | 2, 0 | 1 | COL_MAJOR_KIND8 | ROW_MAJOR_KIND8) => {
            let kind = if layout >= COL_MAJOR_KIND8 { 8 } else { 2 };
            let letter = if matrix == 1 { 'a' } else { 'b' };
            let order = order(layout == 1 || layout == ROW_MAJOR_KIND8);
            Some(format!("submatrix{letter}_{shape}_real{kind}_{order}"))
        }
        (3, 2 | 4 | 8) => Some(format!("submatrixc_{shape}_real{layout}")),
        _ => None,
    }
}

const COL_MAJOR_KIND8: i64 = 16;
const ROW_MAJOR_KIND8: i64 = 17;

/// Elements in a thread: 16 of A and B (each element is in two threads), 8 of C; 1 and 2 in double precision.
static TYPES: [ExternalType; 23] = [
    ty("submatrixa_m16n16k16_real2_cmajor", "x:r2[16]"),
    ty("submatrixa_m16n16k16_real2_rmajor", "x:r2[16]"),
    ty("submatrixa_m32n8k16_real2_cmajor", "x:r2[16]"),
    ty("submatrixa_m32n8k16_real2_rmajor", "x:r2[16]"),
    ty("submatrixa_m8n32k16_real2_cmajor", "x:r2[16]"),
    ty("submatrixa_m8n32k16_real2_rmajor", "x:r2[16]"),
    ty("submatrixa_m8n8k4_real8_cmajor", "x:r8[1]"),
    ty("submatrixa_m8n8k4_real8_rmajor", "x:r8[1]"),
    ty("submatrixb_m16n16k16_real2_cmajor", "x:r2[16]"),
    ty("submatrixb_m16n16k16_real2_rmajor", "x:r2[16]"),
    ty("submatrixb_m32n8k16_real2_cmajor", "x:r2[16]"),
    ty("submatrixb_m32n8k16_real2_rmajor", "x:r2[16]"),
    ty("submatrixb_m8n32k16_real2_cmajor", "x:r2[16]"),
    ty("submatrixb_m8n32k16_real2_rmajor", "x:r2[16]"),
    ty("submatrixb_m8n8k4_real8_cmajor", "x:r8[1]"),
    ty("submatrixb_m8n8k4_real8_rmajor", "x:r8[1]"),
    ty("submatrixc_m16n16k16_real2", "x:r2[8]"),
    ty("submatrixc_m16n16k16_real4", "x:r4[8]"),
    ty("submatrixc_m32n8k16_real2", "x:r2[8]"),
    ty("submatrixc_m32n8k16_real4", "x:r4[8]"),
    ty("submatrixc_m8n32k16_real2", "x:r2[8]"),
    ty("submatrixc_m8n32k16_real4", "x:r4[8]"),
    ty("submatrixc_m8n8k4_real8", "x:r8[2]"),
];

pub const WMMA: External = External {
    name: "wmma",
    constants: &[
        ("wmmacolmajor", Some(0)),
        ("wmmarowmajor", Some(1)),
        ("wmmacolmajorkind8", Some(COL_MAJOR_KIND8)),
        ("wmmarowmajorkind8", Some(ROW_MAJOR_KIND8)),
        ("wmmamatrixa", Some(1)),
        ("wmmamatrixb", Some(2)),
        ("wmmamatrixc", Some(3)),
        ("wmmakind2", Some(2)),
        ("wmmakind4", Some(4)),
        ("wmmakind8", Some(8)),
    ],
    types: &TYPES,
    functions: &[],
    subroutines: &[
        "wmmaloadmatrix",
        "wmmastorematrix",
        "wmmamatmul",
        "pipelinememcpyasync",
        "pipelinecommit",
        "pipelinewaitprior",
    ],
    prefixes: &["wmma"],
    includes: &["cudadevice"],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_macros_are_types() {
        for t in &TYPES {
            assert!(submatrix(t.name).is_some(), "{}", t.name);
        }
        let name = type_name([1, 16, 16, 16, 1]);
        assert_eq!(name.as_deref(), Some("submatrixa_m16n16k16_real2_rmajor"));
        let name = type_name([3, 32, 8, 16, 4]);
        assert_eq!(name.as_deref(), Some("submatrixc_m32n8k16_real4"));
        assert_eq!(type_name([3, 16, 16, 16, 0]), None);
    }
}
