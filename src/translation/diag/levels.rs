//! What the user wants of warnings: `--deny`, `--warn`, `--allow`.

use std::collections::BTreeMap;

use super::codes::{self, Level};

/// What becomes of a warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// It is not shown.
    Allow,
    Warn,
    /// It is an error.
    Deny,
}

/// The choices of one call. Of several for one code the last counts; one for a code counts more than one for all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Levels {
    all: Option<Choice>,
    codes: BTreeMap<&'static str, Choice>,
}

impl Levels {
    /// Adds a choice for a code as [`codes::named`] reads it, or for all `warnings`.
    ///
    /// # Errors
    /// There is no such code, or it is an error whatever the user wants.
    pub fn choose(&mut self, name: &str, choice: Choice) -> Result<(), String> {
        if name == "warnings" {
            self.all = Some(choice);
            return Ok(());
        }
        let code = codes::named(name)?;
        if code.level == Level::Error && choice != Choice::Deny {
            return Err(format!(
                "{} is an error and cannot be allowed or downgraded to a warning",
                code.code
            ));
        }
        self.codes.insert(code.code, choice);
        Ok(())
    }

    /// What becomes of a warning with this code.
    pub fn of(&self, code: &str) -> Choice {
        let own = self.codes.get(code).copied();
        own.or(self.all).unwrap_or(Choice::Warn)
    }
}
