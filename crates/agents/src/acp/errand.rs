//! What the client of the protocol is sent out with: one turn, as plain data in a file.

use crate::policy::Policy;
use proctor_core::agent::{Make, Session};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::PathBuf;

/// One turn that is asked over the protocol.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Errand {
    pub make: Make,
    /// Where the agent works.
    pub cwd: PathBuf,
    /// A folder for the output of its terminals.
    pub logs: PathBuf,
    pub prompt: String,
    pub session: Session,
    /// To be chosen over the protocol; none where the program is told otherwise.
    pub model: Option<String>,
    pub mode: Option<Wish>,
    /// What goes into `_meta` when a session is opened.
    pub meta: Value,
    pub offers: Offers,
    pub policy: Policy,
}

/// How much a mode is wanted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wish {
    /// It was configured: without it the turn is not taken.
    Must(String),
    /// Ours: where it is not offered, the program's own stays.
    May(String),
}

/// What the client does for the agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offers {
    pub read: bool,
    pub write: bool,
    pub terminal: bool,
}
