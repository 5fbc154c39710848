//! A child as it was run, for whoever wants to see or repeat it.

use proctor_core::words::Millis;
use proctor_world::files::hex;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The file beside the logs of an effect that says what was run, one line a child.
pub const COMMANDS: &str = "commands.jsonl";

/// A child as it was run. Of its environment only the names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandRecord {
    /// What its logs are called.
    pub name: String,
    /// Paths of this machine are masked, here and in `cwd`.
    pub argv: Vec<String>,
    pub cwd: String,
    pub env: Vec<String>,
    /// How its bounds were enforced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<String>,
    pub started: Millis,
    pub took_ms: u64,
    #[serde(flatten)]
    pub end: CommandEnd,
    pub stdout: Printed,
    pub stderr: Printed,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "end", rename_all = "kebab-case")]
pub enum CommandEnd {
    Exited { exit: i32 },
    Signalled { signal: i32 },
    TimedOut,
    Cancelled,
    CouldNotStart { why: String },
}

impl std::fmt::Display for CommandEnd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Exited { exit } => write!(f, "exit {exit}"),
            Self::Signalled { signal } => write!(f, "signal {signal}"),
            Self::TimedOut => f.write_str("ended at its time limit"),
            Self::Cancelled => f.write_str("cancelled"),
            Self::CouldNotStart { why } => write!(f, "could not start: {why}"),
        }
    }
}

/// What a child wrote into one of its outputs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Printed {
    pub bytes: u64,
    pub sha256: String,
}

impl Printed {
    pub fn of(bytes: &[u8]) -> Self {
        Self { bytes: bytes.len() as u64, sha256: hex(&Sha256::digest(bytes)) }
    }

    /// The same of a file, without holding it in memory.
    pub fn read(path: &Path) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let mut hasher = Sha256::new();
        let mut buffer = vec![0; 64 * 1024];
        let mut bytes = 0;
        loop {
            let count = match file.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            hasher.update(buffer.get(..count).unwrap_or_default());
            bytes += count as u64;
        }
        Ok(Self { bytes, sha256: hex(&hasher.finalize()) })
    }
}
