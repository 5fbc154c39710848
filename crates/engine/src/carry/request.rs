//! Landing as a pull or merge request: the proven commit on a branch of the remote, and one request for it. Looks first what is
//! there already, so that a death between two calls leads to one branch and one request. Merges nothing.

use super::{Halt, Job};
use crate::hosts::{HostError, Line};
use proctor_core::event::Outcome;
use proctor_core::landing_text::request_body;
use proctor_core::run::Stage;
use proctor_core::words::CommitId;
use proctor_hosts::{Kind, Place, Request, RequestText, Shade};
use proctor_lab::crash;
use proctor_world::landing::{LandOrder, landing_commit};
use proctor_world::remote::{Remote, RemoteError};
use proctor_world::repo::UserRepo;
use proctor_world::shadow::Shadow;

/// How often it is looked whether something was done that nobody heard of.
const LOOKS: u32 = 4;

pub(super) fn land_as_request(
    job: &Job,
    shadow: &Shadow,
    user: &UserRepo,
    order: &LandOrder,
) -> Result<Outcome, Halt> {
    let spec = &job.run.brief.landing.request;
    let Some(onto) = order.onto.as_deref() else {
        return Err(refused(
            "the work began at a commit that is no branch, so there is none to ask for",
            "land with `--land branch`, or begin at a branch",
        ));
    };
    let commit = landing_commit(shadow, order)?;
    let remote = Remote::find(user, shadow, (spec.remote.as_deref(), onto)).map_err(halt)?;
    let place = place(&remote, spec.host.as_deref())?;
    let line = Line::open(&place, &job.shop.env).map_err(|why| Halt::lasting(why.to_string()))?;
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
    let text = text(job, order, onto)?;
    let request = settled(&line, &text)?;
    crash::point("asked for");
    let noun = line.host.noun();
    let note = format!("{noun} #{}: {}", request.number, request.url);
    Ok(Outcome::Landed { commit, branch: order.branch.clone(), note })
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
) -> Result<Outcome, Halt> {
    remote.bring(onto, tip).map_err(halt)?;
    if remote.is_before(commit, tip).map_err(halt)? {
        let (commit, branch) = (commit.clone(), branch.to_owned());
        let note = format!("{onto} of {} holds it already", remote.name());
        return Ok(Outcome::Landed { commit, branch, note });
    }
    if remote.is_before(tip, base).map_err(halt)? {
        return Err(refused(
            &format!("the work began on commits of {onto} that {} does not have", remote.name()),
            "push them there first, then `proctor resume`",
        ));
    }
    Ok(Outcome::BaseMoved { to: tip.clone() })
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

fn text(job: &Job, order: &LandOrder, onto: &str) -> Result<RequestText, Halt> {
    let Stage::Landing { anchor, green, .. } = &job.run.stage else {
        return Err(Halt::lasting("a request without an approval; this is a bug in Proctor"));
    };
    let body = request_body(job.id.as_str(), &job.run.brief.description, (anchor, green));
    let shade = if job.run.brief.landing.request.draft { Shade::Draft } else { Shade::Ready };
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
                return Ok(request.clone());
            }
            Some(request) => host.change(request.number, text),
            None => host.open(text),
        };
        crash::point("before asking");
        match line.ask(&call) {
            Ok(value) => {
                return host.read_request(&value).ok_or_else(|| {
                    Halt::lasting(format!("{}: the answer is no {}", host.place, host.noun()))
                });
            }
            // It may be there all the same.
            Err(error @ HostError::Unsure { .. }) => {
                last = Some(error);
                std::thread::sleep(line.pause);
            }
            Err(error) => return Err(told(error)),
        }
    }
    Err(last.map_or_else(|| Halt::lasting("nothing was asked; this is a bug in Proctor"), told))
}

/// Hosts change the ends of lines.
fn same(one: &str, other: &str) -> bool {
    one.lines().map(str::trim_end).eq(other.lines().map(str::trim_end))
}

fn refused(why: &str, hint: &str) -> Halt {
    Halt::lasting(format!("{why}\nhint: {hint}"))
}

#[expect(clippy::needless_pass_by_value, reason = "it stands where errors are mapped")]
fn halt(error: RemoteError) -> Halt {
    Halt::lasting(error.to_string())
}

#[expect(clippy::needless_pass_by_value, reason = "it stands where errors are mapped")]
fn told(error: HostError) -> Halt {
    Halt::lasting(error.to_string())
}
