//! Before any agent is asked: the shadow, the worktree, the baseline; and the tests that a person brought.

use super::ask::restore;
use super::{Halt, Job};
use crate::baseline::Baselines;
use crate::dependencies::{INSTALLED, installed};
use crate::store::Store;
use proctor_core::event::{Effect, Outcome};
use proctor_core::prompt::commit_message;
use proctor_core::words::Phase;
use proctor_lab::crash;
use proctor_lab::disk::write;
use proctor_world::listing::{Entry, Mode};
use proctor_world::overlay::Place;
use proctor_world::shadow::Shadow;
use proctor_world::snapshot::BaseTree;
use proctor_world::worktree::{WorktreeOrder, make};
use std::path::{Path, PathBuf};
use std::time::Instant;

pub(super) fn prepare(job: &Job) -> Result<Outcome, Halt> {
    let shadow = job.shadow()?;
    crash::point("shadow open");
    let brief = &job.run.brief;
    let tree = shadow.tree_of(&job.run.base)?;
    let listing = shadow.list(&tree)?;
    let subdir = format!("{}/", brief.repo.subdir);
    if !brief.repo.subdir.is_empty() && !listing.keys().any(|path| path.starts_with(&subdir)) {
        return Err(Halt::lasting(format!(
            "the folder {} does not exist at the base commit\nhint: check --subdir",
            brief.repo.subdir
        )));
    }
    job.furnished(&shadow)?;
    let baseline = Box::new(Baselines { lab: job, shadow: &shadow }.of(&job.run.base)?);
    Ok(Outcome::Prepared { tree, baseline, sandbox: job.level()?.to_string() })
}

/// The worktree as it was recorded, whatever this machine has of it: another may have carried out what came before.
pub(super) fn laid_out(job: &Job, effect: &Effect) -> Result<(), Halt> {
    match effect {
        Effect::Prepare | Effect::BringTests | Effect::Audit { .. } | Effect::Land { .. } => {
            return Ok(());
        }
        Effect::Settle { .. } if !job.worktree().is_dir() => return Ok(()),
        _ => {}
    }
    let shadow = job.shadow()?;
    if !job.worktree().is_dir() || !job.shop.home.run(&job.id).join(INSTALLED).is_file() {
        job.furnished(&shadow)?;
    }
    let base = BaseTree::read(&shadow, &shadow.tree_of(&job.run.base)?)?;
    restore(&shadow, &job.worktree(), &base, &job.recorded_tree(&shadow)?)
}

impl Job {
    /// The agent's folder with what its tools need; what was installed for it is written down at the end.
    fn furnished(&self, shadow: &Shadow) -> Result<(), Halt> {
        let brief = &self.run.brief;
        let worktree = self.make_worktree(shadow)?;
        crash::point("worktree made");
        let suite = self.suite_of(shadow, &shadow.tree_of(&self.run.base)?)?;
        let room = self.shop.home.room(&self.id);
        let given = self.furnish_in(&room, (&worktree, Place::Here), &suite, Instant::now())?;
        let pythons: Vec<PathBuf> = suite
            .benches
            .iter()
            .filter_map(|bench| bench.tools_with(&given).programs.get("python").cloned())
            .collect();
        let installed = installed(&pythons, &Path::new(&brief.repo.root).join(&brief.repo.subdir));
        let text = serde_json::to_vec_pretty(&installed)
            .map_err(|e| Halt::lasting(format!("what is installed can't be written down: {e}")))?;
        write(&self.shop.home.run(&self.id).join(INSTALLED), &text)
    }

    /// The agent's folder with the base's files, where it is not there yet.
    pub(super) fn make_worktree(&self, shadow: &Shadow) -> Result<PathBuf, Halt> {
        let landing = &self.run.brief.landing;
        let order = WorktreeOrder {
            run: &self.id,
            base: &self.run.base,
            listing: &*shadow.list(&shadow.tree_of(&self.run.base)?)?,
            branch: &landing.branch,
            author: &landing.author,
        };
        Ok(make(self.shop.home.root(), shadow, &order)?)
    }
}

/// A person's tests take the place of a tester's turn; the red gate follows as always.
pub(super) fn bring_tests(job: &Job) -> Result<Outcome, Halt> {
    let shadow = job.shadow()?;
    let blobs = Store::of(job)?;
    let mut listing = (*shadow.list(&shadow.tree_of(&job.run.base)?)?).clone();
    for file in &job.run.brief.brought_tests {
        let oid = shadow.write_blob(&blobs.get(&file.blob)?)?;
        let mode = listing.get(&file.path).map_or(Mode::File, |entry| entry.mode);
        listing.insert(file.path.clone(), Entry { mode, oid });
    }
    let tree = shadow.write_tree(&listing)?;
    let brief = &job.run.brief;
    let message = commit_message(brief.kind, Phase::WriteTests, brief.task.as_str());
    let at = job.commit(&shadow, tree, &message)?;
    Ok(Outcome::Brought { at })
}
