//! The tripwire: the user's checkout is compared before and after each effect that lets others run: agents, tests,
//! set-up commands. What moved is said; nothing is undone. What follows from it is decided in `core`.

use super::Job;
use proctor_core::event::{Disturbance, Effect, Outcome};
use proctor_world::tripwire::{Footprint, Ground, Moved, Sort};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// The last footprint of each checkout, so that the next one reads only what changed.
static LAST: LazyLock<Mutex<BTreeMap<String, Arc<Footprint>>>> = LazyLock::new(Mutex::default);

/// Carries an effect out between two looks at the checkout.
pub(super) fn watched(job: &Job, effect: &Effect, carry: impl FnOnce() -> Outcome) -> Outcome {
    let lets_others_run = match effect {
        Effect::Prepare
        | Effect::Ask { .. }
        | Effect::Examine
        | Effect::ProveRed { .. }
        | Effect::ProveGreen { .. }
        | Effect::Rebase { .. } => true,
        Effect::BringTests
        | Effect::Audit { .. }
        | Effect::Offer { .. }
        | Effect::HearReview { .. }
        | Effect::Land { .. }
        | Effect::Settle { .. } => false,
    };
    if !lets_others_run {
        return carry();
    }
    let before = look(job);
    let outcome = carry();
    let Moved { what, sort } = match (before, look(job)) {
        (Ok(before), Ok(after)) => before.moved(&after, &ground(job)),
        (Ok(_), Err(why)) => {
            let what = vec![format!("the checkout can't be read any more: {why}")];
            Moved { what, sort: Sort::Other }
        }
        // A checkout that is gone since long, such as a linked worktree.
        (Err(_), _) => return outcome,
    };
    if what.is_empty() {
        return outcome;
    }
    let sort = match sort {
        Sort::Commits => Disturbance::Commits,
        Sort::Other => Disturbance::Other,
    };
    Outcome::Disturbed { outcome: Box::new(outcome), moved: what, sort }
}

/// The same for what is no effect of a run: what moved in the checkout meanwhile.
pub(super) fn moved_during<T>(job: &Job, carry: impl FnOnce() -> T) -> (T, Vec<String>) {
    let before = look(job);
    let done = carry();
    let moved = match (before, look(job)) {
        (Ok(before), Ok(after)) => before.moved(&after, &ground(job)).what,
        (Ok(_), Err(why)) => vec![format!("the checkout can't be read any more: {why}")],
        (Err(_), _) => Vec::new(),
    };
    (done, moved)
}

fn ground(job: &Job) -> Ground<'_> {
    let repo = &job.run.brief.repo;
    Ground {
        root: Path::new(&repo.root),
        git_dir: Path::new(&repo.git_dir),
        home: job.shop.home.root(),
    }
}

fn look(job: &Job) -> io::Result<Arc<Footprint>> {
    let repo = &job.run.brief.repo;
    let ground = ground(job);
    let last = || LAST.lock().unwrap_or_else(PoisonError::into_inner);
    let earlier = last().get(&repo.root).cloned().unwrap_or_default();
    let print = Arc::new(Footprint::take(&ground, &earlier)?);
    last().insert(repo.root.clone(), Arc::clone(&print));
    Ok(print)
}
