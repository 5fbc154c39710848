//! Landing: the one time that the user's repository is written. And what comes first when the base has moved.

use super::ask::restore;
use super::{Halt, Job};
use crate::baseline::Baselines;
use crate::store::Store;
use proctor_core::assignment::Route;
use proctor_core::brief::LandMode;
use proctor_core::event::Outcome;
use proctor_core::event::Patch;
use proctor_core::landing_text;
use proctor_core::prompt::commit_message;
use proctor_core::proof::{Anchor, GreenProof, Point};
use proctor_core::run::Stage;
use proctor_core::words::{BlobId, CommitId, Millis, Phase, TreeId};
use proctor_lab::crash;
use proctor_world::landing::{LandOrder, Landed, land};
use proctor_world::objects::{CommitText, DiffFor};
use proctor_world::replay::{Rebased, rebase};
use proctor_world::repo::UserRepo;
use proctor_world::shadow::Shadow;
use proctor_world::snapshot::BaseTree;
use proctor_world::tripwire::note_landing;
use std::path::Path;

pub(super) fn land_it(job: &Job, code: &Point) -> Result<Outcome, Halt> {
    let Stage::Landing { anchor, at, .. } = &job.run.stage else {
        return Err(Halt::lasting("landing without an approval; this is a bug in Proctor"));
    };
    let shadow = job.shadow()?;
    let brief = &job.run.brief;
    let order = order(job, &shadow, (anchor, code), *at)?;
    if brief.landing.mode == LandMode::Pr {
        return super::request::land_as_request(job, &shadow, &user(job)?, &order);
    }
    crash::point("before landing");
    // Other runs on the same repository must not take it for somebody else's doing, neither while it lasts nor after.
    let home = job.shop.home.root();
    let note = || note_landing(home).map_err(|e| Halt::io("could not write in", home, &e));
    note()?;
    let landed = land(&shadow, &user(job)?, &order)?;
    note()?;
    crash::point("after landing");
    if matches!(landed, Landed::Done { .. }) {
        // It has landed; what can't be kept is asked once more.
        let _ = crate::settled::remember(job, &job.run);
    }
    Ok(match landed {
        Landed::Done { commit, branch, note } => Outcome::Landed { commit, branch, note },
        Landed::BaseMoved { to } => Outcome::BaseMoved { to },
        Landed::Refused { why, hint } => return Err(Halt::lasting(format!("{why}\nhint: {hint}"))),
    })
}

/// What is to land, and as what.
pub(super) fn order(
    job: &Job,
    shadow: &Shadow,
    (anchor, code): (&Anchor, &Point),
    at: Millis,
) -> Result<LandOrder, Halt> {
    let brief = &job.run.brief;
    let message = message(job, shadow, anchor);
    let head = match (brief.assignment.route, brief.landing.mode) {
        // One clean commit, whatever the attempts left behind.
        (Route::Cycle, LandMode::Branch) => {
            let text = CommitText { message: &message, author: &brief.landing.author, at };
            shadow.commit(&code.tree, &[&job.run.base], &text)?
        }
        _ => code.commit.clone(),
    };
    Ok(LandOrder {
        mode: brief.landing.mode,
        onto: brief.landing.onto.clone(),
        branch: brief.landing.branch.clone(),
        base: job.run.base.clone(),
        head,
        message,
        author: brief.landing.author.clone(),
        at,
    })
}

/// How many of the project's own subjects are looked at.
const SUBJECTS: &str = "40";

/// The landed commit's message: the task's sentence in the project's own style, what was proven, and by what the run can
/// be found again.
fn message(job: &Job, shadow: &Shadow, anchor: &Anchor) -> String {
    let brief = &job.run.brief;
    let base = job.run.base.as_str();
    // A base without a readable history has no style.
    let history = shadow.git().run(&["log", "--no-merges", "-n", SUBJECTS, "--format=%s", base]);
    let history = String::from_utf8_lossy(&history.unwrap_or_default()).into_owned();
    let subjects: Vec<&str> = history.lines().collect();
    let subject = match brief.assignment.route {
        Route::Cycle => commit_message(brief.kind, Phase::Implement, brief.task.as_str()),
        Route::Tdd | Route::Plain => {
            landing_text::subject(brief.kind, &brief.description, &subjects)
        }
    };
    let found_by = (job.id.as_str(), brief.landing.trailers.as_slice());
    landing_text::message(&subject, &brief.description, anchor, found_by)
}

pub(super) fn user(job: &Job) -> Result<UserRepo, Halt> {
    let repo = &job.run.brief.repo;
    // A linked worktree may be gone by now; the repository that it belonged to is what counts.
    UserRepo::find(Path::new(&repo.root))
        .or_else(|_| UserRepo::find(Path::new(&repo.git_dir)))
        .map_err(|error| Halt::lasting(error.to_string()))
}

/// Puts the work onto the base's new tip; the green gate proves it again.
pub(super) fn rebase_it(job: &Job, onto: &CommitId) -> Result<Outcome, Halt> {
    let Stage::Rebasing { anchor, green, .. } = &job.run.stage else {
        return Err(Halt::lasting("a rebase that nobody asked for; this is a bug in Proctor"));
    };
    let shadow = job.shadow()?;
    let user = user(job)?;
    let mut points = Vec::new();
    for head in [anchor.at(), GreenProof::at(green)] {
        match rebase(&shadow, &user, &job.run.base, &head.commit, onto)? {
            Rebased::Clean { head } => {
                let tree = shadow.tree_of(&head)?;
                points.push(Point { commit: head, tree });
            }
            Rebased::Conflict { files } => return Ok(Outcome::Conflict { files }),
        }
    }
    crash::point("rebased");
    let [tests, code] = points.as_slice() else {
        return Err(Halt::lasting("a rebase lost its commits; this is a bug in Proctor"));
    };
    shadow.set_ref(&job.run_ref(), &code.commit)?;
    let base = BaseTree::read(&shadow, &shadow.tree_of(onto)?)?;
    restore(&shadow, &job.worktree(), &base, &code.tree)?;
    let baseline = Box::new(Baselines { lab: job, shadow: &shadow }.of(onto)?);
    let patch = patch(job, &shadow, (GreenProof::at(green), code), onto)?;
    let (base, tests, code) = (onto.clone(), tests.clone(), code.clone());
    Ok(Outcome::Rebased { base, tests, code, baseline, patch })
}

/// Whether the change is the same on the new base, apart from where its lines stand; else how it differs.
fn patch(
    job: &Job,
    shadow: &Shadow,
    (before, now): (&Point, &Point),
    onto: &CommitId,
) -> Result<Patch, Halt> {
    let of = |base: &CommitId, tree: &TreeId| -> Result<Vec<u8>, Halt> {
        Ok(shadow.diff(&shadow.tree_of(base)?, tree, &[], DiffFor::Applying)?)
    };
    let (old, new) = (of(&job.run.base, &before.tree)?, of(onto, &now.tree)?);
    if without_places(&old) == without_places(&new) {
        return Ok(Patch::Same);
    }
    let ranges = [(&job.run.base, before), (onto, now)];
    let [old, new] = ranges.map(|(base, point)| format!("{base}..{}", point.commit));
    let call = ["range-diff", "--no-color", "--no-dual-color", old.as_str(), new.as_str()];
    let shown = job.redactor().text(&String::from_utf8_lossy(&shadow.git().run(&call)?));
    let shown: BlobId = Store::of(job)?.put_json(&shown)?;
    Ok(Patch::Other { shown })
}

/// A patch without what only says where its lines stand and what the files' objects are called.
fn without_places(patch: &[u8]) -> Vec<&[u8]> {
    let lines = patch.split(|byte| *byte == b'\n');
    lines
        .filter(|line| !line.starts_with(b"index "))
        .map(|line| if line.starts_with(b"@@ ") { &line[..2] } else { line })
        .collect()
}
