//! Worktrees of runs that have ended. One goes only where all that it holds is saved elsewhere: landed, in the base, or under
//! a rescue ref.

use super::{Fate, Sort, Sweep, Swept};
use anyhow::{Context, Result};
use proctor_core::event::Event;
use proctor_core::run::Run;
use proctor_core::words::{RunId, TreeId};
use proctor_engine::Home;
use proctor_journal::{Journal, Lease};
use proctor_world::shadow::Shadow;
use proctor_world::snapshot::{BaseTree, snapshot};
use proctor_world::stock;
use proctor_world::worktree;
use std::path::Path;

pub(super) fn sweep(sweep: &mut Sweep<'_>) -> Result<()> {
    for (path, about) in stock::entries(&sweep.home.root().join("worktrees"))? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some(row) = sweep.ended(&name).filter(|_| about.is_dir()) else { continue };
        let (id, used) = (row.id.clone(), row.updated);
        let what = format!("worktrees/{id}");
        let bytes = stock::room(&path);
        let swept = Swept { sort: Sort::Worktree, what, bytes, used, fate: Fate::WouldGo };
        let home = sweep.home;
        // Held for as long as it is looked at: nobody sets the run going meanwhile.
        let Ok(_lease) = Lease::take(home.root(), &id) else { continue };
        match saved(home, &id, &path) {
            Ok(Saved::All) => sweep.let_go(swept, || {
                worktree::remove(home.root(), &path)?;
                Ok(Fate::Removed)
            }),
            Ok(Saved::NotThis) => {
                let why = format!(
                    "it holds work that is saved nowhere else; look at {}, and remove it yourself",
                    path.display()
                );
                sweep.stays(swept, &why);
            }
            Err(why) => {
                let why = format!("it can't be told whether its work is saved: {why:#}");
                sweep.stays(swept, &why);
            }
        }
    }
    Ok(())
}

enum Saved {
    All,
    NotThis,
}

fn saved(home: &Home, id: &RunId, dir: &Path) -> Result<Saved> {
    let history = Journal::open(home.root())?.history::<Event>(id)?;
    let run = Run::replay(history.iter().map(|recorded| &recorded.body))
        .context("its history does not begin with a brief")?;
    let shadow = Shadow::open(home.root(), Path::new(&run.brief.repo.git_dir), &run.base)?;
    let base = BaseTree::read(&shadow, &shadow.tree_of(&run.base)?)?;
    let holds = snapshot(dir, &base)?;
    if !holds.odd.is_empty() {
        return Ok(Saved::NotThis);
    }
    let known = known(&shadow, &run, id, &base.tree)?;
    for tree in known {
        if *shadow.list(&tree)? == holds.listing {
            return Ok(Saved::All);
        }
    }
    Ok(Saved::NotThis)
}

/// The trees that stay when the worktree goes.
fn known(shadow: &Shadow, run: &Run, id: &RunId, base: &TreeId) -> Result<Vec<TreeId>> {
    let mut known = vec![base.clone()];
    if run.landed.is_some() {
        known.extend(run.tree.clone());
    }
    for (name, commit) in shadow.rescued()? {
        if super::rescues::is_of(&name, id.as_str()) {
            known.push(shadow.tree_of(&commit)?);
        }
    }
    Ok(known)
}
