//! Landing: the one time that the user's repository is written. And what comes first when the base has moved.

use super::ask::restore;
use super::{Halt, Job};
use crate::baseline::Baselines;
use proctor_core::assignment::Route;
use proctor_core::brief::LandMode;
use proctor_core::event::Outcome;
use proctor_core::prompt::commit_message;
use proctor_core::proof::{Anchor, GreenProof, Point};
use proctor_core::run::Stage;
use proctor_core::words::{CommitId, Phase};
use proctor_lab::crash;
use proctor_world::landing::{LandOrder, Landed, land};
use proctor_world::objects::CommitText;
use proctor_world::replay::{Rebased, rebase};
use proctor_world::repo::UserRepo;
use proctor_world::snapshot::BaseTree;
use proctor_world::tripwire::note_landing;
use std::path::Path;

pub(super) fn land_it(job: &Job, code: &Point) -> Result<Outcome, Halt> {
    let Stage::Landing { anchor, at, .. } = &job.run.stage else {
        return Err(Halt::lasting("landing without an approval; this is a bug in Proctor"));
    };
    let shadow = job.shadow()?;
    let brief = &job.run.brief;
    let message = message(job, anchor);
    let head = match (brief.assignment.route, brief.landing.mode) {
        // One clean commit, whatever the attempts left behind.
        (Route::Cycle, LandMode::Branch) => {
            let text = CommitText { message: &message, author: &brief.landing.author, at: *at };
            shadow.commit(&code.tree, &[&job.run.base], &text)?
        }
        _ => code.commit.clone(),
    };
    let order = LandOrder {
        mode: brief.landing.mode,
        onto: brief.landing.onto.clone(),
        branch: brief.landing.branch.clone(),
        base: job.run.base.clone(),
        head,
        message,
        author: brief.landing.author.clone(),
        at: *at,
    };
    crash::point("before landing");
    // Other runs on the same repository must not take it for somebody else's doing, neither while it lasts nor after.
    let home = job.shop.home.root();
    let note = || note_landing(home).map_err(|e| Halt::io("could not write in", home, &e));
    note()?;
    let landed = land(&shadow, &user(job)?, &order)?;
    note()?;
    crash::point("after landing");
    Ok(match landed {
        Landed::Done { commit, branch, note } => Outcome::Landed { commit, branch, note },
        Landed::BaseMoved { to } => Outcome::BaseMoved { to },
        Landed::Refused { why, hint } => return Err(Halt::lasting(format!("{why}\nhint: {hint}"))),
    })
}

/// The landed commit's message: what was done, and by what it can be found again.
fn message(job: &Job, anchor: &Anchor) -> String {
    let brief = &job.run.brief;
    let subject = commit_message(brief.kind, Phase::Implement, brief.task.as_str());
    let tests =
        |count: usize| if count == 1 { "1 test".to_owned() } else { format!("{count} tests") };
    let proof = match anchor {
        Anchor::Red(_) => format!("{}, red before and green now", tests(anchor.red().len())),
        Anchor::Pinned(_) => format!("{}, green before and now", tests(anchor.guards().len())),
        Anchor::Open(_) => "every test that passed before; no red gate was asked for".to_owned(),
    };
    format!(
        "{subject}\n\n{}\n\nProven-By: {proof}\nProctor-Run: {}\n",
        brief.description.trim(),
        job.id
    )
}

fn user(job: &Job) -> Result<UserRepo, Halt> {
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
    Ok(Outcome::Rebased { base: onto.clone(), tests: tests.clone(), code: code.clone(), baseline })
}
