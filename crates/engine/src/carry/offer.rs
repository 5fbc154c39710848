//! The work on the host before anybody approved it: a request, as a draft where that is wanted, and the look whether a person
//! who may merge approved the very commit that was proven. Judges no review: that is in `hosts` and `core`.

use super::land::{order, user};
use super::request::{Asked, asked, reach, refused, told};
use super::{Halt, Job};
use crate::hosts::{HostError, Line};
use proctor_core::event::Outcome;
use proctor_core::offering::{ACCEPT, Offered};
use proctor_core::proof::Point;
use proctor_core::words::{CommitId, Millis};
use proctor_hosts::review::{Reviewed, reason, reviewed};
use proctor_hosts::{Comment, Request, Shade};
use proctor_lab::crash;
use proctor_world::shadow::Shadow;

pub(super) fn offer(job: &Job, code: &Point) -> Result<Outcome, Halt> {
    let Some(anchor) = job.run.stage.anchor() else {
        return Err(Halt::lasting("a request without a proof; this is a bug in Proctor"));
    };
    let shadow = job.shadow()?;
    let order = order(job, &shadow, (anchor, code), made(&shadow, &code.commit)?)?;
    let draft = job.run.brief.landing.request.draft;
    let shade = if draft { Shade::Draft } else { Shade::Ready };
    Ok(match asked(job, (&shadow, &user(job)?), &order, shade)? {
        Asked::There { commit, number, note } => Outcome::Offered { commit, number, note },
        Asked::BaseMoved { to } => Outcome::BaseMoved { to },
        Asked::Held { note, .. } => {
            return Err(refused(
                &format!("there is nothing to review: {note}"),
                "`proctor abort` ends the run",
            ));
        }
    })
}

/// When the proven commit was made: what is made of it is the same each time.
fn made(shadow: &Shadow, commit: &CommitId) -> Result<Millis, Halt> {
    let told = shadow.git().line(&["show", "-s", "--format=%ct", commit.as_str()])?;
    let seconds: u64 = told.trim().parse().unwrap_or(0);
    Ok(Millis(seconds * 1000))
}

pub(super) fn hear(job: &Job) -> Result<Outcome, Halt> {
    let (Some(offered), Some(onto)) = (&job.run.offered, &job.run.brief.landing.onto) else {
        return Err(Halt::lasting("a review without a request; this is a bug in Proctor"));
    };
    let shadow = job.shadow()?;
    let user = user(job)?;
    let (_, line) = reach(job, (&shadow, &user), onto)?;
    crash::point("before looking for a review");
    let heard = heard(&line, offered).map_err(told)?;
    crash::point("looked for a review");
    Ok(match heard {
        Ok((by, accept)) => Outcome::Reviewed { by, commit: offered.commit.clone(), accept },
        Err(why) => Outcome::NotReviewed { why },
    })
}

type Heard = Result<(Vec<String>, Option<String>), String>;

/// Who approved it, and the reason they gave; else why it counts as not approved.
fn heard(line: &Line, offered: &Offered) -> Result<Heard, HostError> {
    let (host, number) = (&line.host, offered.number);
    let Some(request) = host.read_request(&line.ask(&host.request(number))?) else {
        return Ok(Err(format!("the host's answer about {} can't be read", offered.note)));
    };
    let (mut reviews, mut strangers) = (Vec::new(), Vec::new());
    for review in host.read_reviews(&line.all(&host.reviews(number))?) {
        if line.may_merge(&review.by)? {
            reviews.push(review);
        } else {
            strangers.push(review.by);
        }
    }
    let (pushed, comments) = times(line, &request, &offered.commit)?;
    let commit = (offered.commit.as_str(), pushed.as_deref());
    Ok(match reviewed(&request, (&reviews, &comments), commit) {
        Ok(Reviewed::By(people)) => {
            let accept = people.iter().find_map(|(_, words)| reason(words, ACCEPT));
            Ok((people.into_iter().map(|(name, _)| name).collect(), accept))
        }
        Ok(Reviewed::Objected { by }) => {
            Err(format!("{} asks for changes: `proctor send-back RUN --why …`", by.join(", ")))
        }
        Ok(Reviewed::Nobody { why: Some(why) }) | Err(why) => Err(why),
        Ok(Reviewed::Nobody { why: None }) => Err(match strangers.as_slice() {
            [] => "nobody approved it there yet".to_owned(),
            names => format!("{} looked at it and may not merge here", names.join(", ")),
        }),
    })
}

/// Where reviews name no commit: when it came, and what was written.
fn times(
    line: &Line,
    request: &Request,
    commit: &CommitId,
) -> Result<(Option<String>, Vec<Comment>), HostError> {
    let host = &line.host;
    let Some(pushes) = host.pushes(request.number) else { return Ok((None, Vec::new())) };
    let seen = host.read_pushed(&line.all(&pushes)?, commit.as_str());
    let rows = line.all(&host.comments(request.number))?;
    Ok((seen, rows.iter().filter_map(|row| host.read_comment(row)).collect()))
}
