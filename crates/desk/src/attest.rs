//! Signed evidence: in-toto statements about a run, its pack or a verification, in DSSE envelopes, and the looking at such an
//! envelope. It signs what was measured and measures nothing itself; what is not signed by the key that was given is refused.

mod check;
mod envelope;
mod key;
mod statement;

pub use check::{Checked, Signed, check};
pub use envelope::{Envelope, PAYLOAD_TYPE};
pub use key::{PublicKey, SigningKey, make_pair};
pub use statement::Statement;

use crate::evidence::pack::Pack;
use crate::evidence::{of_run, read_pack};
use crate::run::run_id::meant;
use crate::surroundings::Surroundings;
use crate::told::usage;
use anyhow::{Context, Result};
use proctor_core::verdict::Verification;
use proctor_core::words::Status;
use proctor_engine::evidence::Printed;
use proctor_journal::Journal;
use statement::Grounds;
use std::path::Path;

/// What the end of the name of a file with envelopes is: one a line, as in-toto's bundles are.
pub const ENDING: &str = ".intoto.jsonl";

/// What is vouched for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Of {
    /// A run, by its name, or the newest one.
    Run(Option<String>),
    /// A pack, or the JSON of a verification.
    File(std::path::PathBuf),
}

impl Of {
    /// A file where there is one of that name, else a run.
    pub fn meant(around: &Surroundings, text: Option<&str>) -> Self {
        match text {
            Some(text) if around.cwd.join(text).is_file() => Self::File(around.cwd.join(text)),
            text => Self::Run(text.map(str::to_owned)),
        }
    }
}

/// The statements about it: test-result, a simple verification result, and our own.
pub fn statements(around: &Surroundings, of: &Of) -> Result<Vec<Statement>> {
    let now = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
    let grounds = match of {
        Of::Run(text) => {
            let journal = Journal::open(around.home.root())?;
            let id = meant(&journal, around, text.as_deref())?.id;
            let shop = around.shop()?;
            let made = of_run(&shop, &journal, &id)?;
            not_thrown_away(&made.pack)?;
            let tar = made.to_tar(&shop)?;
            Grounds::of_pack(&made.pack, ("pack.tar", &Printed::of(&tar)))
        }
        Of::File(path) => of_file(path)?,
    };
    statement::all(&grounds, &now)
}

fn of_file(path: &Path) -> Result<Grounds> {
    let bytes = std::fs::read(path).with_context(|| format!("{} can't be read", path.display()))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if let Ok(answer) = serde_json::from_slice::<Verification>(&bytes) {
        return Ok(Grounds::of_verification(&answer));
    }
    let pack = read_pack(&bytes).map_err(|why| {
        usage(format!(
            "{} can't be vouched for: {why}\nhint: name a run, a pack of `proctor evidence RUN --tar FILE`, or the JSON of `proctor verify --format json`",
            path.display()
        ))
    })?;
    not_thrown_away(&pack)?;
    Ok(Grounds::of_pack(&pack, (&name, &Printed::of(&bytes))))
}

/// What a person threw away nobody vouches for, however it was measured.
fn not_thrown_away(pack: &Pack) -> Result<()> {
    if pack.status == Status::Aborted.name() {
        return Err(usage(
            "a person threw this run away, so nothing is vouched for\nhint: `proctor list --all` shows what landed",
        ));
    }
    Ok(())
}
