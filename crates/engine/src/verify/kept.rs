//! Answers that were given before, kept by all that they depend on: both trees, what was asked, the tools, and our own
//! program. The commits are not among it: the same trees give the same answer.

use super::VerifyAsk;
use proctor_core::verdict::Verification;
use proctor_core::words::{CommitId, TreeId};
use proctor_lab::disk::write;
use proctor_lab::{Halt, Lab, Suite};
use std::path::{Path, PathBuf};

/// Where the answer to one question is kept.
pub(super) struct Kept(PathBuf);

impl Kept {
    pub(super) fn of(
        lab: &Lab,
        ask: &VerifyAsk,
        (base, head): (&TreeId, &TreeId),
        suite: &Suite,
    ) -> Result<Self, Halt> {
        let own = std::fs::metadata(&lab.shop.own_program).ok();
        let own = own.map(|about| (about.len(), about.modified().ok()));
        let mut plain = ask.clone();
        plain.head = CommitId::new("");
        plain.setting.repo.base = CommitId::new("");
        plain.known = super::Known::Taken;
        let text = format!(
            "{} {own:?} {base} {head} {plain:?} {} {}",
            env!("CARGO_PKG_VERSION"),
            lab.level()?,
            suite.surroundings(Path::new(&lab.setting.repo.root)),
        );
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
            crate::baseline::trim(folder);
        }
    }
}
