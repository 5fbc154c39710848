//! A pull or merge request: the proven commit on a branch of the remote, and one request for it. Looks first what is there
//! already, so that a death between two calls leads to one branch and one request. Merges nothing.

use super::{Halt, Job};
use crate::hosts::{HostError, Line};
use proctor_core::brief::ApprovalPolicy;
use proctor_core::event::Outcome;
use proctor_core::landing_text::request_body;
use proctor_core::offering;
use proctor_core::run::Stage;
use proctor_core::words::CommitId;
use proctor_hosts::{Kind, Place, Request, RequestText, Shade};
use proctor_lab::crash;
use proctor_world::landing::{LandOrder, landing_commit};
use proctor_world::remote::{Remote, RemoteError};
use proctor_world::repo::UserRepo;
use proctor_world::shadow::Shadow;
use serde_json::Value;

/// How often it is looked whether something was done that nobody heard of.
const LOOKS: u32 = 6;

/// What came of asking for the work to be taken.
pub(super) enum Asked {
    There {
        commit: CommitId,
        number: u64,
        note: String,
    },
    /// The branch holds it already.
    Held {
        commit: CommitId,
        note: String,
    },
    BaseMoved {
        to: CommitId,
    },
}

pub(super) fn land_as_request(
    job: &Job,
    shadow: &Shadow,
    user: &UserRepo,
    order: &LandOrder,
) -> Result<Outcome, Halt> {
    // Who said beforehand that it may land has not looked at it: a draft stays one until somebody does.
    let beforehand = job.run.brief.landing.approval == ApprovalPolicy::Beforehand;
    let draft = beforehand && job.run.brief.landing.request.draft;
    let shade = if draft { Shade::Draft } else { Shade::Ready };
    let branch = order.branch.clone();
    Ok(match asked(job, (shadow, user), order, shade)? {
        Asked::There { commit, note, .. } | Asked::Held { commit, note } => {
            Outcome::Landed { commit, branch, note }
        }
        Asked::BaseMoved { to } => Outcome::BaseMoved { to },
    })
}

/// The branch and the one request for it, with the shade that it shall have.
pub(super) fn asked(
    job: &Job,
    (shadow, user): (&Shadow, &UserRepo),
    order: &LandOrder,
    shade: Shade,
) -> Result<Asked, Halt> {
    let Some(onto) = order.onto.as_deref() else {
        return Err(refused(
            "the work began at a commit that is no branch, so there is none to ask for",
            "land with `--land branch`, or begin at a branch",
        ));
    };
    let commit = match offering::shown(&job.run) {
        Some(commit) => commit.clone(),
        None => landing_commit(shadow, order)?,
    };
    let (remote, line) = reach(job, (shadow, user), onto)?;
    let [tip, there] = remote.tips([onto, &order.branch]).map_err(halt)?;
    let Some(tip) = tip else {
        return Err(refused(
            &format!("the remote {} has no branch {onto}", remote.name()),
            "push it there, or name another remote as [land] remote",
        ));
    };
    if tip != order.base {
        return moved(&remote, onto, (&tip, &order.base), (&commit, &order.branch));
    }
    push(job, shadow, &remote, (&commit, &order.branch), there.as_ref())?;
    crash::point("pushed");
    let text = text(job, order, (onto, shade))?;
    let request = settled(&line, &text)?;
    crash::point("asked for");
    let note = format!("{} #{}: {}", line.host.noun(), request.number, request.url);
    Ok(Asked::There { commit, number: request.number, note })
}

/// The remote that gets the branch, and the line to its host.
pub(super) fn reach<'a>(
    job: &Job,
    (shadow, user): (&'a Shadow, &'a UserRepo),
    onto: &str,
) -> Result<(Remote<'a>, Line), Halt> {
    let spec = &job.run.brief.landing.request;
    let remote = Remote::find(user, shadow, (spec.remote.as_deref(), onto)).map_err(halt)?;
    let place = place(&remote, spec.host.as_deref())?;
    let line = Line::open(&place, &job.shop.env).map_err(told)?;
    Ok((remote, line))
}

fn place(remote: &Remote<'_>, said: Option<&str>) -> Result<Place, Halt> {
    let said = match said {
        Some("github") => Some(Kind::GitHub),
        Some("gitlab") => Some(Kind::GitLab),
        _ => None,
    };
    Place::of_remote(remote.url(), said).ok_or_else(|| {
        refused(
            &format!("it can't be told on which host the remote {} is", remote.name()),
            "say it as [land] host = \"github\" or \"gitlab\"; another host has no requests that Proctor can make",
        )
    })
}

/// What follows where the branch to land on is not the base that the work was proven on.
fn moved(
    remote: &Remote<'_>,
    onto: &str,
    (tip, base): (&CommitId, &CommitId),
    (commit, branch): (&CommitId, &str),
) -> Result<Asked, Halt> {
    remote.bring(onto, tip).map_err(halt)?;
    if remote.is_before(commit, tip).map_err(halt)? {
        let note = format!("{onto} of {} holds {branch} already", remote.name());
        return Ok(Asked::Held { commit: commit.clone(), note });
    }
    if remote.is_before(tip, base).map_err(halt)? {
        return Err(refused(
            &format!("the work began on commits of {onto} that {} does not have", remote.name()),
            "push them there first, then `proctor resume`",
        ));
    }
    Ok(Asked::BaseMoved { to: tip.clone() })
}

/// Pushes where the branch is not there, or is what this run pushed before.
fn push(
    job: &Job,
    shadow: &Shadow,
    remote: &Remote<'_>,
    (commit, branch): (&CommitId, &str),
    there: Option<&CommitId>,
) -> Result<(), Halt> {
    let [pushed, pushing] =
        ["pushed", "pushing"].map(|word| format!("refs/proctor/{word}/{}", job.id));
    if there == Some(commit) {
        return Ok(shadow.set_ref(&pushed, commit)?);
    }
    let ours = [shadow.ref_of(&pushed)?, shadow.ref_of(&pushing)?];
    if let Some(tip) = there.filter(|tip| !ours.iter().flatten().any(|own| own == *tip)) {
        return Err(refused(
            &format!(
                "the branch {branch} is on {} already, at {}, and this run did not put it there",
                remote.name(),
                tip.short()
            ),
            "rename or delete it there, then `proctor resume`",
        ));
    }
    // Named before it is done: whoever finds it there later knows whose it is.
    if let Some(before) = there {
        shadow.set_ref(&pushed, before)?;
    }
    shadow.set_ref(&pushing, commit)?;
    crash::point("before the push");
    remote.push(commit, branch, there).map_err(halt)?;
    Ok(shadow.set_ref(&pushed, commit)?)
}

fn text(job: &Job, order: &LandOrder, (onto, shade): (&str, Shade)) -> Result<RequestText, Halt> {
    let stage = &job.run.stage;
    let (Some(anchor), Some(green)) = (stage.anchor(), stage.green()) else {
        return Err(Halt::lasting("a request without a proof; this is a bug in Proctor"));
    };
    let open = match stage {
        Stage::AwaitingApproval { .. } => offering::open(&job.run),
        _ => Vec::new(),
    };
    let brief = (job.id.as_str(), job.run.brief.description.as_str());
    let body = request_body(brief, (anchor, green), &open);
    Ok(RequestText {
        title: order.message.lines().next().unwrap_or_default().to_owned(),
        body: job.redactor().text(&body),
        from: order.branch.clone(),
        onto: onto.to_owned(),
        shade,
    })
}

/// The one request for this branch, made or brought up to date.
fn settled(line: &Line, text: &RequestText) -> Result<Request, Halt> {
    let host = &line.host;
    let mut last = None;
    for _ in 0..LOOKS {
        let rows = line.all(&host.requests(&text.from, &text.onto)).map_err(told)?;
        let mut open = rows.iter().filter_map(|row| host.read_request(row));
        let found = open.find(|request| request.from == text.from && request.onto == text.onto);
        let call = match &found {
            Some(request) if request.title == text.title && same(&request.body, &text.body) => {
                if (request.shade, text.shade) != (Shade::Draft, Shade::Ready) {
                    return Ok(request.clone());
                }
                host.ready(request)
            }
            Some(request) => {
                // One that somebody made ready stays so.
                let shade = if request.shade == Shade::Ready { Shade::Ready } else { Shade::Draft };
                host.change(request.number, &RequestText { shade, ..text.clone() })
            }
            None => host.open(text),
        };
        crash::point("before asking");
        match line.ask(&call) {
            // Whether it is as it shall be is seen by looking.
            Ok(value) => last = refusal(line, &value),
            // It may be there all the same.
            Err(error @ HostError::Unsure { .. }) => {
                last = Some(told(error));
                std::thread::sleep(line.pause);
            }
            Err(error) => return Err(told(error)),
        }
    }
    Err(last.unwrap_or_else(|| {
        Halt::lasting(format!("{} did not do what it was asked", line.host.place))
    }))
}

/// What an answer refuses that came as a good one.
fn refusal(line: &Line, value: &Value) -> Option<Halt> {
    let why = value["errors"][0]["message"].as_str()?;
    Some(refused(
        &format!("{} refused to make the draft ready: {why}", line.host.place),
        "make it ready there by hand, then `proctor resume`; the token needs the right to write pull requests",
    ))
}

/// Hosts change the ends of lines.
fn same(one: &str, other: &str) -> bool {
    one.lines().map(str::trim_end).eq(other.lines().map(str::trim_end))
}

pub(super) fn refused(why: &str, hint: &str) -> Halt {
    Halt::lasting(format!("{why}\nhint: {hint}"))
}

#[expect(clippy::needless_pass_by_value, reason = "it stands where errors are mapped")]
pub(super) fn halt(error: RemoteError) -> Halt {
    Halt::lasting(error.to_string())
}

#[expect(clippy::needless_pass_by_value, reason = "it stands where errors are mapped")]
pub(super) fn told(error: HostError) -> Halt {
    Halt::lasting(error.to_string())
}
