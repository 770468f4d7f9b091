//! Pages and reports about a translation or a run: `view`, `report`, and `compare`.

pub mod compare;
pub mod migration_report;
pub mod serve;
pub mod view;

use crate::cli::PageCommands;

/// The commands of this layer, for the command line below it.
pub const COMMANDS: PageCommands = PageCommands {
    compare: compare::command::compare,
    run_compared: compare::command::run,
    report: migration_report::command::report,
    view: view::command::view,
};
