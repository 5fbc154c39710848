//! What goes wrong on the command line, with the exit code that it stands for. Owns nothing but that pairing.

use proctor_engine::EngineError;
use proctor_journal::JournalError;
use std::fmt;

/// Wrong usage, invalid task, context refused, bad configuration.
pub const USAGE: u8 = 2;
/// Waits for a person, a clock or a budget.
pub const WAITS: u8 = 3;
/// The surroundings are unfit.
pub const UNFIT: u8 = 4;
/// Stopped with ctrl-c.
pub const INTERRUPTED: u8 = 130;
/// A bug in Proctor.
pub const BUG: u8 = 70;

/// An error whose exit code is settled.
#[derive(Debug)]
pub struct Told {
    pub code: u8,
    pub text: String,
}

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Told {}

/// An error that the user can mend by asking differently.
pub fn usage(text: impl fmt::Display) -> anyhow::Error {
    told(USAGE, text)
}

pub fn told(code: u8, text: impl fmt::Display) -> anyhow::Error {
    anyhow::Error::new(Told { code, text: text.to_string() })
}

/// The exit code of an error: what was settled, else what kind it is.
pub fn code_of(error: &anyhow::Error) -> u8 {
    if let Some(told) = error.downcast_ref::<Told>() {
        return told.code;
    }
    let journal = match error.downcast_ref::<EngineError>() {
        Some(EngineError::Journal(inner)) => Some(inner),
        _ => error.downcast_ref::<JournalError>(),
    };
    match journal {
        Some(JournalError::Unknown { .. } | JournalError::Ambiguous { .. }) => USAGE,
        _ => UNFIT,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_run_is_wrong_usage_and_anything_else_is_unfit_surroundings() {
        let unknown = JournalError::Unknown { text: "x".to_owned() };
        assert_eq!(code_of(&unknown.into()), USAGE);
        assert_eq!(code_of(&anyhow::anyhow!("disk on fire")), UNFIT);
        assert_eq!(code_of(&told(WAITS, "later")), WAITS);
    }
}
