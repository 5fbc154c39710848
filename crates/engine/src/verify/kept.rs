//! Answers that were given before, kept by all that they depend on: both trees, what was asked, the tools, and our own
//! program. The commits are not among it: the same trees give the same answer.

use super::VerifyAsk;
use proctor_core::verdict::Verification;
use proctor_core::words::{CommitId, TreeId};
use proctor_lab::disk::write;
use proctor_lab::{Halt, Lab, Suite};
use std::path::{Path, PathBuf};

/// How many answers are kept.
const MOST_KEPT: usize = 500;

/// Where the answer to one question is kept.
pub(super) struct Kept(PathBuf);

impl Kept {
    pub(super) fn of(
        lab: &Lab,
        ask: &VerifyAsk,
        (base, head): (&TreeId, &TreeId),
        suite: &Suite,
    ) -> Result<Self, Halt> {
        let mut plain = ask.clone();
        plain.head = CommitId::new("");
        plain.setting.repo.base = CommitId::new("");
        plain.known = super::Known::Taken;
        let text = format!("{base} {head} {plain:?} {}", around(lab, suite)?);
        let key = blake3::hash(text.as_bytes()).to_hex().to_string();
        Ok(Self(lab.shop.home.verdict(&key)))
    }

    /// The answer, for the commits that are asked about.
    pub(super) fn read(&self, ask: &VerifyAsk) -> Option<Verification> {
        let text = std::fs::read(&self.0).ok()?;
        let known: Verification = serde_json::from_slice(&text).ok()?;
        let (base, head) = (ask.setting.repo.base.clone(), ask.head.clone());
        Some(Verification { base, head, kept: true, ..known })
    }

    /// What can't be kept is measured again the next time.
    pub(super) fn write(&self, answer: &Verification) {
        if let Ok(text) = serde_json::to_vec(answer)
            && write(&self.0, &text).is_ok()
            && let Some(folder) = self.0.parent()
        {
            crate::baseline::trim(folder, MOST_KEPT);
        }
    }
}

/// What tells our own program from another version of it. On another machine only its content does.
fn own_program(lab: &Lab) -> String {
    let program = &lab.shop.own_program;
    if lab.shop.home.cache().is_some()
        && let Ok(bytes) = std::fs::read(program)
    {
        return blake3::hash(&bytes).to_hex().to_string();
    }
    let about = std::fs::metadata(program).ok();
    format!("{:?}", about.map(|about| (about.len(), about.modified().ok())))
}

/// What decides around the trees: our own program, the sandbox, the rules of the place, the tools and what they stand on.
pub(super) fn around(lab: &Lab, suite: &Suite) -> Result<String, Halt> {
    let mut setting = lab.setting.clone();
    setting.repo.base = CommitId::new("");
    Ok(format!(
        "{} {} {} {setting:?} {}",
        env!("CARGO_PKG_VERSION"),
        own_program(lab),
        lab.level()?,
        suite.surroundings(Path::new(&lab.setting.repo.root)),
    ))
}
