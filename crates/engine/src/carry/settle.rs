//! The end of a run: what would be lost is saved first, then the tree is put back or cleaned up.

use super::ask::restore;
use super::{Halt, Job};
use proctor_core::assignment::Route;
use proctor_core::event::{Ending, Outcome};
use proctor_core::words::TreeId;
use proctor_lab::crash;
use proctor_lab::disk::write;
use proctor_world::objects::{CommitText, DiffFor};
use proctor_world::shadow::Shadow;
use proctor_world::snapshot::{BaseTree, snapshot};
use proctor_world::tree::remove_tree;
use std::fmt::Write;

pub(super) fn settle(job: &Job, ending: Ending) -> Result<Outcome, Halt> {
    let shadow = job.shadow()?;
    let base = BaseTree::read(&shadow, &shadow.tree_of(&job.run.base)?)?;
    let (rescue, patch) = save(job, &shadow, &base, ending)?;
    crash::point("work saved");
    match ending {
        Ending::Success | Ending::Aborted => {
            proctor_world::worktree::remove(job.shop.home.root(), &job.worktree())?;
            if ending == Ending::Aborted {
                shadow.delete_ref(&job.run_ref())?;
                shadow.delete_ref(&job.added_ref())?;
                shadow.delete_ref(&job.examined_ref())?;
                shadow.delete_ref(&job.originals_ref())?;
            }
        }
        Ending::Failed => {
            // Of a cycle the failed code stays where it is, to be looked at.
            let stays = job.run.brief.assignment.route == Route::Cycle;
            if let Some(anchor) = job.run.stage.anchor().filter(|_| !stays) {
                restore(&shadow, &job.worktree(), &base, &anchor.at().tree)?;
            }
            failure_report(job, rescue.as_deref())?;
        }
        Ending::Blocked | Ending::Discarded | Ending::MaxAttempts | Ending::AgentError => {}
    }
    remove_tree(&job.shop.home.gate(&job.id))?;
    crash::point("cleaned up");
    Ok(Outcome::Settled { rescue, patch })
}

/// Saves what the worktree holds beyond what was landed, as a ref in the shadow and as a patch.
fn save(
    job: &Job,
    shadow: &Shadow,
    base: &BaseTree,
    ending: Ending,
) -> Result<(Option<String>, Option<String>), Halt> {
    let dir = job.worktree();
    let recorded = job.recorded_tree(shadow)?;
    let tree = if dir.is_dir() {
        match snapshot(&dir, base) {
            // More than can be kept: what was recorded is what is saved.
            Err(flood) if flood.is_flood() => recorded.clone(),
            found => {
                let found = found?.listing;
                shadow.store(&dir, &found, &*shadow.list(&recorded)?)?;
                shadow.write_tree(&found)?
            }
        }
    } else {
        recorded.clone()
    };
    let nothing_lost = match ending {
        // Landed: only what came after the proven tree would be lost.
        Ending::Success => tree == recorded,
        _ => tree == base.tree,
    };
    if nothing_lost {
        return Ok((None, None));
    }
    let commit = rescue_commit(job, shadow, &tree)?;
    let name = shadow.rescue(&job.id, &commit)?;
    let patch = job.shop.home.run(&job.id).join("rescue.patch");
    let diff = shadow.diff(&base.tree, &tree, &[], DiffFor::Applying)?;
    write(&patch, &diff)?;
    Ok((Some(name), Some(patch.to_string_lossy().into_owned())))
}

/// The same bytes give the same commit, so that saving twice is saving once.
fn rescue_commit(
    job: &Job,
    shadow: &Shadow,
    tree: &TreeId,
) -> Result<proctor_core::words::CommitId, Halt> {
    let author = &job.run.brief.landing.author;
    let message = format!("rescue: {}", job.id);
    let text = CommitText { message: &message, author, at: proctor_core::words::Millis(0) };
    Ok(shadow.commit(tree, &[&job.run.base], &text)?)
}

/// `green-phase-failure.md`: what a person needs to decide how to go on.
fn failure_report(job: &Job, rescue: Option<&str>) -> Result<(), Halt> {
    let run = &job.run;
    let n = run.limits.green;
    let what = match run.brief.assignment.route {
        Route::Tdd | Route::Plain => format!(
            "# Green phase failed\n\nGreen phase failed after {n} iterations. All changes reverted. See diagnostics in green-phase-failure.md"
        ),
        Route::Cycle => format!(
            "# The cycle failed\n\nMaximum iteration limit ({}) reached. Nothing was committed; the failed code is in {}",
            n + 1,
            job.worktree().display()
        ),
    };
    let mut text = format!(
        "{what}\n\n- run: {}\n- task: {} ({})\n- what was wanted: {}\n- agent calls: {}\n",
        job.id,
        run.brief.task,
        run.brief.kind,
        run.brief.description.trim(),
        run.spent.calls,
    );
    let _ = writeln!(text, "- last: {}", run.reason());
    if let Some(rescue) = rescue {
        let _ = writeln!(
            text,
            "- the failed work is kept as `{rescue}` and in `rescue.patch` beside this folder"
        );
    }
    if !run.rejections.is_empty() {
        text.push_str("\n## Rejection history\n\n");
        for why in &run.rejections {
            let _ = writeln!(text, "- {why}");
        }
    }
    let _ = write!(
        text,
        "\n## How to go on\n\n- `proctor send-back {id} --why \"…\"`: the coder tries again with what you say\n- `proctor abort {id}`: clean up; the work stays saved\n",
        id = job.id
    );
    write(&job.shop.home.process(&job.id).join("green-phase-failure.md"), text.as_bytes())
}
