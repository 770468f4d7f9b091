//! Digests by which module files are known again.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Digests of module files by their names.
pub type Digests = BTreeMap<String, String>;

/// The digest of a module file, if it can be read.
pub fn digest_of(path: &Path) -> Option<String> {
    fs::read(path).ok().map(|bytes| digest(&bytes))
}

/// That of its bytes.
pub fn digest(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex()[..32].to_owned()
}
