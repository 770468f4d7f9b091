//! Semantic analysis: what every name means, types, kinds, ranks, spaces; and all checks.
//!
//! Interface for the later passes:
//! - [`analyze`] builds the [`model::Model`] of a whole program from all its files.
//! - [`model::Model::scope_at`] and the scope ids in [`model::FileInfo`] and [`model::Scope::children`] lead from syntax to scopes.
//! - [`model::Model::lookup`] finds a symbol by use and host association.
//! - [`model::Model::expr`] types an expression (never fails; `Unknown` inside where it cannot).
//! - [`model::Model::call`] resolves a CALL: kernel, user's procedure, runtime procedure, intrinsic.
//! - [`model::Model::space`]: memory space of a designator.
//! - [`model::Model::dims_of`], [`model::Model::const_int`]: folded bounds.

pub mod check;
pub mod constant;
mod declare;
pub mod expression;
pub mod library;
pub mod model;

pub use check::check;
pub use constant::fold::boz_as;
pub use model::diagnostic_subject::{Facts, state as state_facts};

use std::collections::BTreeSet;

use crate::ast::{self, Span};
use model::dialect::Dialect;
use model::externals::Sequences;
use model::{FileId, Model};

/// One file of the program: the text that its spans point into, and its tree.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// Of several modules of one name, a file uses its own, else the one with the nearest path.
    pub path: &'a str,
    pub text: &'a str,
    pub ast: &'a ast::File,
    /// The file is the module of a library, and none of the user's.
    pub library: bool,
}

/// What is known of the program beside its files.
#[derive(Clone, Copy, Debug, Default)]
pub struct Environment<'a> {
    /// Modules (folded names) that the Fortran compiler has. None: this is not known; where it is, any other module that is missing is an error.
    pub modules: Option<&'a BTreeSet<String>>,
    /// External procedures that files of the program define which are compiled by themselves.
    pub procedures: Option<&'a Sequences>,
}

/// Something wrong with the program, found by the analysis or a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// `CUF02xx` for names and declarations, `CUF03xx` for the restrictions of CUDA Fortran.
    pub code: &'static str,
    /// Headline, notes and help (`diag::parts`).
    pub message: String,
    pub file: FileId,
    /// Of the text parsed (`Input::text`).
    pub span: Span,
    /// Other places that matter, with what they are: `the first declaration is`. They become notes, with their lines.
    pub notes: Vec<(FileId, Span, String)>,
    /// What it is about; stated once all passes have reported, see [`state_facts`].
    pub facts: Facts,
    /// What to do about it.
    pub help: Option<String>,
    /// A change of the source that does it.
    pub proposal: Option<ast::Proposal>,
    pub warning: bool,
}

impl Finding {
    /// An error.
    pub fn new(
        code: &'static str,
        file: FileId,
        span: Span,
        message: impl Into<String>,
    ) -> Finding {
        Finding {
            code,
            message: message.into(),
            file,
            span,
            notes: Vec::new(),
            facts: Facts::default(),
            help: None,
            proposal: None,
            warning: false,
        }
    }
}

/// Code of what is nested beyond a limit of the analysis.
const LIMIT: &str = "CUF0207";

/// Expressions that no pass could type because of a limit. To be asked after all passes.
pub fn beyond_limits(model: &Model) -> Vec<Finding> {
    let (depth, chain) = (expression::typer::MAX_DEPTH, expression::typer::MAX_CHAIN);
    let message = format!(
        "expression is nested too deeply\nnote: at most {depth} levels and {chain} operators in a row are supported"
    );
    let finding = |(file, span)| Finding::new(LIMIT, file, span, message.as_str());
    model.beyond_limits().into_iter().map(finding).collect()
}

/// Builds the model of a whole program, which is written in `dialect`. Files may stand in any order.
pub fn analyze(files: &[Input<'_>], dialect: Dialect) -> (Model, Vec<Finding>) {
    analyze_beside(files, dialect, Environment::default())
}

/// The same where something is known of the program besides.
pub fn analyze_beside(
    files: &[Input<'_>],
    dialect: Dialect,
    outside: Environment<'_>,
) -> (Model, Vec<Finding>) {
    let mut builder = declare::builder::Builder::new(files, dialect);
    builder.outside = outside;
    builder.m.outside = outside.procedures.cloned().unwrap_or_default();
    let (mut model, findings) = builder.run();
    model::sides::mark(&mut model, files);
    (model, findings)
}
