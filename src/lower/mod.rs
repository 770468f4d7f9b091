//! From syntax tree and semantic model to device IR: kernels, device procedures, CUF loops, module data, types.
//!
//! [`lower`] works on the whole program, because device procedures call those of other modules and module variables that
//! are allocatable or pointers travel through such calls as hidden arguments. What cannot be translated faithfully is a
//! finding with a `CUF04xx` code; the procedure it stands in is then left out.

mod actual;
mod analysis;
mod array;
mod array_operation;
mod assign;
mod branch;
mod bulk;
mod call;
mod capture;
mod child;
mod constant;
mod constructor;
mod context;
mod control;
mod convert;
mod cray;
mod cufdo;
mod dependence;
mod device_names;
mod dummy;
mod elements;
mod equivalence;
mod expr;
mod facts;
mod first_value;
mod forall;
mod foreign;
mod globals;
mod hints;
mod ieee;
mod indices;
mod intrinsic;
mod launch;
mod launches;
mod layout;
mod liveness;
mod local;
mod masked;
mod mentions;
mod movable;
mod naming;
mod notes;
mod operation;
mod output;
mod parts;
mod place;
mod pointer;
mod proc;
mod procedures;
mod query;
mod races;
mod random;
mod reduce;
mod remarks;
mod rules;
mod runtime;
mod scan;
mod sequence;
mod sharing;
mod state;
mod stmt;
mod structure;
mod synchronise;
mod tensor;
mod text;
mod unit;
mod unit_names;
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
    unit::lower_program(model, inputs, names, purpose)
}
