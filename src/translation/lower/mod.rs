//! From syntax tree and semantic model to device IR: kernels, device procedures, CUF loops, module data, types.
//!
//! [`lower`] works on the whole program, because device procedures call those of other modules and module variables that
//! are allocatable or pointers travel through such calls as hidden arguments. What cannot be translated faithfully is a
//! finding with a `CUF04xx` code; the procedure it stands in is then left out.

mod array_operation;
mod block;
mod context;
mod cufloop;
mod intrinsic;
mod library;
mod procedure;
mod program;
mod statement;
mod value;

use crate::abi::FileLaunchers;
use crate::ir;
use crate::sema::model::Model;
use crate::sema::{Finding, Input};

/// How the outputs of a file are called.
#[derive(Clone, Copy, Debug)]
pub struct FileName<'a> {
    /// Name without folder and extension, unique in the program.
    pub stem: &'a str,
    /// Path of the output files below the output folder, without extension, as `#include` names it.
    pub path: &'a str,
    /// File name with extension.
    pub source: &'a str,
    /// The number that each line of the text is known by: its line in the user's file.
    pub lines: &'a [u32],
}

/// The device side of one file.
#[derive(Clone, Debug, Default)]
pub struct Lowered {
    pub unit: ir::Unit,
    pub launchers: FileLaunchers,
    pub printed: Printed,
}

/// Which texts a file's device code is printed as, also where the code itself is not kept ([`Purpose::Check`]).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Printed {
    pub source: bool,
    pub header: bool,
}

impl Printed {
    fn add(&mut self, more: Printed) {
        self.source |= more.source;
        self.header |= more.header;
    }
}

/// What the result is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The findings alone: nobody reads the code, so it is not made pretty.
    Check,
    Translate,
}

/// Lowers all files of a program; `inputs` and `names` are parallel to `Model::files`.
pub fn lower(
    model: &Model,
    inputs: &[Input<'_>],
    names: &[FileName<'_>],
    purpose: Purpose,
) -> (Vec<Lowered>, Vec<Finding>) {
    program::unit::lower_program(model, inputs, names, purpose)
}
