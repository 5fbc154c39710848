//! The one write into the user's repository: proven work lands on a branch. Looks first whether it is there
//! already, so that it happens at most once; refuses, and touches nothing, wherever git would. Runs no hook.

use crate::checkout::{self, Checkout, Forwarded};
use crate::git::{Git, GitError};
use crate::objects::CommitText;
use crate::repo::{UserRepo, verify};
use crate::shadow::{Shadow, ShadowError};
use proctor_core::brief::LandMode;
use proctor_core::words::{CommitId, Millis};
use std::thread;
use std::time::Duration;

#[derive(Clone, Debug)]
pub struct LandOrder {
    pub mode: LandMode,
    /// The branch that the work lands on; none when the base was not a branch.
    pub onto: Option<String>,
    /// The run's own branch.
    pub branch: String,
    /// What the work was proven against.
    pub base: CommitId,
    /// The proven commit in the shadow, with its phase commits behind it.
    pub head: CommitId,
    pub message: String,
    pub author: String,
    pub at: Millis,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Landed {
    Done {
        commit: CommitId,
        branch: String,
        /// What else happened, for people.
        note: String,
    },
    /// The branch has another tip than the work was proven against.
    BaseMoved { to: CommitId },
    /// Nothing was touched.
    Refused { why: String, hint: String },
}

#[derive(Debug, thiserror::Error)]
pub enum LandError {
    #[error(transparent)]
    Shadow(#[from] ShadowError),
    #[error(transparent)]
    Git(#[from] GitError),
}

/// Lands what the order names. To land twice is to land once.
pub fn land(shadow: &Shadow, user: &UserRepo, order: &LandOrder) -> Result<Landed, LandError> {
    let _lock = shadow.lock()?;
    let commit = landing_commit(shadow, order)?;
    let git = user_git(user);
    match (order.mode, &order.onto) {
        (LandMode::Branch | LandMode::Pr, _) => land_as_branch(shadow, &git, order, &commit),
        (LandMode::Squash | LandMode::Merge | LandMode::Rebase, Some(onto)) => {
            land_onto(shadow, &git, order, onto, &commit)
        }
        (LandMode::Squash | LandMode::Merge | LandMode::Rebase, None) => Ok(refused(
            "the work began at a commit that is no branch, so there is none to land on".to_owned(),
            "land with `--land branch`, or begin at a branch",
        )),
    }
}

/// The commit that will be the tip, made in the shadow. Depends on the order alone.
pub fn landing_commit(shadow: &Shadow, order: &LandOrder) -> Result<CommitId, ShadowError> {
    let text = CommitText { message: &order.message, author: &order.author, at: order.at };
    match order.mode {
        LandMode::Rebase | LandMode::Branch => Ok(order.head.clone()),
        LandMode::Squash | LandMode::Pr => {
            shadow.commit(&shadow.tree_of(&order.head)?, &[&order.base], &text)
        }
        LandMode::Merge => {
            let parents = [&order.base, &order.head];
            shadow.commit(&shadow.tree_of(&order.head)?, &parents, &text)
        }
    }
}

/// Git on the user's repository. What lands must survive a power cut.
fn user_git(user: &UserRepo) -> Git {
    Git::on(&user.git_dir).with("core.fsync=committed,reference").with("core.fsyncMethod=batch")
}

fn done(commit: &CommitId, branch: &str, note: &str) -> Landed {
    Landed::Done { commit: commit.clone(), branch: branch.to_owned(), note: note.to_owned() }
}

fn refused(why: String, hint: &str) -> Landed {
    let hint = hint.to_owned();
    Landed::Refused { why, hint }
}

fn land_onto(
    shadow: &Shadow,
    git: &Git,
    order: &LandOrder,
    onto: &str,
    commit: &CommitId,
) -> Result<Landed, LandError> {
    let name = format!("refs/heads/{onto}");
    let Some(tip) = verify(git, &name)? else {
        return Ok(refused(
            format!("the branch {onto} is not there any more"),
            "make it again where it was, then `proctor resume`; or land with `--land branch`",
        ));
    };
    if contains(git, &tip, commit)? {
        return Ok(done(commit, onto, "it had landed before"));
    }
    if tip != order.base {
        return Ok(Landed::BaseMoved { to: tip });
    }
    let checkouts = checkout::all(git)?;
    let here: Vec<&Checkout> = checkouts.iter().filter(|at| at.is_on(&name)).collect();
    if here.len() > 1 {
        return Ok(refused(
            format!("{onto} is checked out in {} places", here.len()),
            "switch all but one of them to another branch, then `proctor resume`",
        ));
    }
    if let Some(what) = checkout::under_way(git.dir(), &name, here.first().copied())? {
        return Ok(refused(
            format!("{what} of {onto} is under way"),
            "finish or abort it, then `proctor resume`",
        ));
    }
    hand_over(shadow, git, commit, &order.base)?;
    if let Some(here) = here.first() {
        return forward(git, here, onto, &tip, commit);
    }
    let moved = patiently(|| {
        let message = format!("proctor: {}", order.branch);
        let (new, old) = (commit.as_str(), tip.as_str());
        git.run(&["update-ref", "-m", &message, &name, new, old])
    });
    match (moved, verify(git, &name)?) {
        (Ok(_), _) => Ok(done(commit, onto, "the branch was not checked out anywhere")),
        (Err(_), Some(now)) if now != tip => Ok(Landed::BaseMoved { to: now }),
        (Err(error @ GitError::Locked { .. }), _) => Ok(locked(&error)),
        (Err(error), _) => Err(error.into()),
    }
}

/// Moves a branch that is checked out, files and index with it.
fn forward(
    git: &Git,
    here: &Checkout,
    onto: &str,
    tip: &CommitId,
    commit: &CommitId,
) -> Result<Landed, LandError> {
    let place = here.path.display();
    let forwarded = patiently(|| here.fast_forward(commit));
    match (forwarded, verify(git, &format!("refs/heads/{onto}"))?) {
        (_, Some(now)) if now == *commit => {
            let note = format!("{onto} was checked out in {place}: its files and index followed");
            Ok(done(commit, onto, &note))
        }
        (_, Some(now)) if now != *tip => Ok(Landed::BaseMoved { to: now }),
        (Err(error @ GitError::Locked { .. }), _) => Ok(locked(&error)),
        (Err(error), _) => Err(error.into()),
        (Ok(Forwarded::Refused { why, .. }), _) => Ok(refused(
            format!("git would not move {onto} in {place}: {why}"),
            "commit or stash these files, then `proctor resume`",
        )),
        (Ok(Forwarded::Done), _) => Ok(refused(
            format!("{onto} is not what {place} has checked out any more"),
            "look at `git status` there, then `proctor resume`",
        )),
    }
}

fn land_as_branch(
    shadow: &Shadow,
    git: &Git,
    order: &LandOrder,
    commit: &CommitId,
) -> Result<Landed, LandError> {
    let branch = &order.branch;
    let name = format!("refs/heads/{branch}");
    let taken = |there: &CommitId| {
        refused(
            format!("the branch {branch} is there already, at {}", there.short()),
            "rename or delete it, then `proctor resume`",
        )
    };
    match verify(git, &name)? {
        Some(there) if there == *commit => return Ok(done(commit, branch, "it had landed before")),
        Some(there) => return Ok(taken(&there)),
        None => {}
    }
    if checkout::all(git)?.iter().any(|at| at.is_on(&name)) {
        return Ok(refused(
            format!("{branch} is checked out as a branch without a commit"),
            "switch to another branch, then `proctor resume`",
        ));
    }
    hand_over(shadow, git, commit, &order.base)?;
    let zero = shadow.format().zero();
    let made = patiently(|| git.run(&["update-ref", &name, commit.as_str(), &zero]));
    match (made, verify(git, &name)?) {
        (Ok(_), _) => Ok(done(commit, branch, "a new branch")),
        (Err(_), Some(there)) if there == *commit => {
            Ok(done(commit, branch, "it had landed before"))
        }
        (Err(_), Some(there)) => Ok(taken(&there)),
        (Err(error @ GitError::Locked { .. }), None) => Ok(locked(&error)),
        (Err(error), None) => Ok(refused(
            format!("git would not make the branch {branch}: {}", error.stderr()),
            "a branch whose name is the beginning of this one is in the way: rename it, then `proctor resume`",
        )),
    }
}

fn locked(error: &GitError) -> Landed {
    refused(
        format!("another git holds a lock: {}", error.stderr()),
        "wait until it has ended, or remove the lock file that it left behind, then `proctor resume`",
    )
}

fn contains(git: &Git, tip: &CommitId, commit: &CommitId) -> Result<bool, GitError> {
    if tip == commit {
        return Ok(true);
    }
    if verify(git, commit.as_str())?.is_none() {
        return Ok(false);
    }
    let call = git.call(&["merge-base", "--is-ancestor", commit.as_str(), tip.as_str()]);
    let answer = call.answer()?;
    match answer.code {
        Some(0) => Ok(true),
        Some(1) => Ok(false),
        code => Err(call.failed(code, answer.stderr)),
    }
}

/// Up to this many objects are stored one by one, as `git fetch` does; more stay in a pack.
const FEW: u32 = 100;

/// Brings the commit's objects into the user's repository. Sent as a pack of what `base` lacks: a fetch would
/// take the user's settings for remotes, submodules and shallow clones along, a push would run hooks.
fn hand_over(
    shadow: &Shadow,
    git: &Git,
    commit: &CommitId,
    base: &CommitId,
) -> Result<(), LandError> {
    let mut wanted = format!("{commit}\n");
    if verify(git, base.as_str())?.is_some() {
        wanted = format!("{wanted}^{base}\n");
    }
    let from = shadow.git();
    let pack = from.call(&["pack-objects", "--revs", "--stdout", "--quiet"]);
    let pack = pack.stdin(wanted).run()?;
    let count = pack.get(8..12).and_then(|count| count.try_into().ok());
    let call = match count.map(u32::from_be_bytes) {
        Some(count) if count <= FEW => git.call(&["unpack-objects", "-q"]),
        _ => git.call(&["index-pack", "--stdin", "--fix-thin"]),
    };
    call.stdin(pack).run()?;
    Ok(())
}

/// Tries again for about three seconds while another git holds a lock.
fn patiently<T>(mut act: impl FnMut() -> Result<T, GitError>) -> Result<T, GitError> {
    for pause in [50, 100, 200, 400, 750, 1500] {
        match act() {
            Err(GitError::Locked { .. }) => thread::sleep(Duration::from_millis(pause)),
            other => return other,
        }
    }
    act()
}
