//! What a statement assigns from or to on the host.

/// Types between which assignment converts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Number,
    Complex,
    Logical,
    Text,
    Structure,
}

/// A designator.
#[derive(Clone, Debug)]
pub struct Place {
    pub text: String,
    pub kind: Kind,
    /// Elements; 0 for a scalar, 0xff for an array without elements.
    pub count: usize,
    pub writable: bool,
}

impl Place {
    pub fn new(text: String, kind: Kind, count: usize) -> Place {
        Place {
            text,
            kind,
            count,
            writable: true,
        }
    }
}
