//! stub
use crate::abi::FileLaunchers;
use crate::ir;
use crate::sema::model::Model;
use crate::sema::{Finding, Input};
#[derive(Clone, Copy, Debug)]
pub struct FileName<'a> {
    pub stem: &'a str,
    pub source: &'a str,
}
#[derive(Clone, Debug, Default)]
pub struct Lowered {
    pub unit: ir::Unit,
    pub launchers: FileLaunchers,
}
pub fn lower(
    _model: &Model,
    inputs: &[Input<'_>],
    _names: &[FileName<'_>],
) -> (Vec<Lowered>, Vec<Finding>) {
    (vec![Lowered::default(); inputs.len()], Vec::new())
}
