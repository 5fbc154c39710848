//! A verdict where it was asked for: a report on the head commit that a host can require, and one comment on the request. Fails
//! closed: what has no verdict, or one about another commit, is reported as failed. Whoever has the right to merge may take a
//! change in spite of it, for this commit and with a reason; that is asked of the host, and said.

use crate::surroundings::Surroundings;
use crate::text::harmless::short;
use crate::told::usage;
use crate::verdict::{Format, Look, digest, render};
use anyhow::{Context, Result};
use proctor_core::offering::ACCEPT;
use proctor_core::verdict::{Verdict, Verification, Weight};
use proctor_engine::hosts::{HostError, Line};
use proctor_hosts::marked::{Marked, Override, overrides, own};
use proctor_hosts::{Comment, Level, Place, Remark, Report, State};
use serde::Serialize;
use std::fmt::Write;
use std::path::PathBuf;

/// How often it is looked whether a call was carried out of which nobody heard.
const LOOKS: u32 = 4;
/// As many annotations go to the host.
const REMARKS: usize = 50;
/// A reason as it is shown.
const REASON: usize = 300;

/// What is to be said where.
#[derive(Clone, Debug)]
pub struct PublishAsk {
    pub place: Place,
    /// None for the request's own head, where somebody answered.
    pub commit: Option<String>,
    /// The number of the pull or merge request.
    pub request: Option<u64>,
    pub what: What,
    /// Where nothing was refuted and not everything could be judged, the report passes all the same.
    pub inconclusive_passes: bool,
    pub report: Reporting,
    /// A page with more.
    pub link: Option<String>,
}

/// Whether the commit itself gets a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reporting {
    Yes,
    No,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// It has begun: the report is open, and an older verdict says that it is of another commit.
    Begun,
    /// The JSON of the verification, which may be missing.
    Verdict(PathBuf),
    /// Somebody answered: the verdict that the comment shows is looked at again.
    Again,
}

/// What was said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Published {
    pub passed: bool,
    /// One line.
    pub title: String,
    pub overridden_by: Option<String>,
    pub reason: Option<String>,
    /// What could not be written.
    pub faults: Vec<String>,
    /// The process's exit code.
    pub exit_code: u8,
}

pub fn publish(around: &Surroundings, ask: &PublishAsk) -> Result<Published> {
    let line = Line::open(&ask.place, &around.env)?;
    let commit = match (&ask.commit, ask.request) {
        (Some(commit), _) => commit.clone(),
        (None, Some(number)) => {
            let told = line.ask(&line.host.request(number))?;
            line.host.read_request(&told).context("the host's answer is no request")?.head
        }
        (None, None) => return Err(usage("name the commit with --commit")),
    };
    Publishing { around, ask, line, commit }.publish()
}

struct Publishing<'a> {
    around: &'a Surroundings,
    ask: &'a PublishAsk,
    line: Line,
    commit: String,
}

/// Of which request an event of a host speaks, where somebody answered to a verdict in it.
pub fn answered(event: &[u8]) -> Result<Option<u64>> {
    let event: serde_json::Value = serde_json::from_slice(event)
        .map_err(|why| usage(format!("the event is no JSON: {why}")))?;
    let gitlab = (&event["object_attributes"]["note"], &event["merge_request"]["iid"]);
    let github = (&event["comment"]["body"], &event["issue"]["number"]);
    let (words, number) = if event["object_kind"] == "note" { gitlab } else { github };
    let is_answer = words.as_str().is_some_and(|words| words.trim().starts_with(ACCEPT));
    Ok(number.as_u64().filter(|_| is_answer))
}

/// A verdict with what was measured for it, as far as it is here.
struct Judged {
    verdict: Option<Verdict>,
    title: String,
    answer: Option<Box<Verification>>,
}

impl Publishing<'_> {
    fn publish(&self) -> Result<Published> {
        let talk = self.talk();
        let mut faults = Vec::new();
        let (comments, date, me) = match talk {
            Ok(talk) => talk,
            Err(why) => {
                faults.push(format!("the comments can't be read: {why:#}"));
                (Vec::new(), None, None)
            }
        };
        let me = me.unwrap_or_default();
        if self.ask.what == What::Begun {
            return self.begun(&comments, &me, faults);
        }
        let Some(judged) = self.judged(&comments, &me)? else {
            return Ok(Published {
                passed: true,
                title: "the request has moved on, or nothing was said about it yet".to_owned(),
                overridden_by: None,
                reason: None,
                faults,
                exit_code: 0,
            });
        };
        let taken = self.taken(&judged, &comments, &me, &mut faults);
        let passes = match judged.verdict {
            Some(Verdict::Proven | Verdict::Unaffected) => true,
            Some(Verdict::Inconclusive) => self.ask.inconclusive_passes || taken.is_some(),
            Some(Verdict::Refuted) => taken.is_some(),
            None => false,
        };
        let title = match &taken {
            Some(one) => format!(
                "accepted by @{} in spite of the verdict: {} — {}",
                one.by,
                short(&one.reason, REASON),
                judged.title
            ),
            None => judged.title.clone(),
        };
        let state = match (passes, judged.verdict) {
            (true, _) => State::Passed,
            (false, Some(Verdict::Inconclusive)) => State::Waits,
            (false, _) => State::Failed,
        };
        self.report(state, &title, judged.answer.as_deref())?;
        faults.extend(self.outside(state));
        if self.ask.request.is_some()
            && let Err(why) = self.comment(&judged, taken.as_ref(), (&comments, &me, date))
        {
            faults.push(format!("the comment could not be written: {why:#}"));
        }
        let exit_code = match (passes, judged.verdict) {
            (true, _) => 0,
            (false, Some(verdict)) => verdict.exit_code(),
            (false, None) => Verdict::Inconclusive.exit_code(),
        };
        Ok(Published {
            passed: passes,
            title,
            overridden_by: taken.as_ref().map(|one| one.by.clone()),
            reason: taken.map(|one| one.reason),
            faults,
            exit_code,
        })
    }

    /// The comments, the host's time, and who we are there.
    fn talk(&self) -> Result<(Vec<Comment>, Option<String>, Option<String>)> {
        let Some(number) = self.ask.request else { return Ok((Vec::new(), None, None)) };
        let host = &self.line.host;
        let (rows, date) = self.line.pages(&host.comments(number))?;
        let comments = rows.iter().filter_map(|row| host.read_comment(row)).collect();
        // A token of a job may not ask who it is.
        let me = match self.around.var("PROCTOR_HOST_USER") {
            Some(name) => Some(name.to_string_lossy().into_owned()),
            None => host.read_user(&self.line.ask(&host.myself())?),
        };
        Ok((comments, date.as_deref().and_then(moment), me))
    }

    fn begun(&self, comments: &[Comment], me: &str, mut faults: Vec<String>) -> Result<Published> {
        let title = "tests are being run".to_owned();
        self.report(State::Pending, &title, None)?;
        faults.extend(self.outside(State::Pending));
        let commit = &self.commit;
        if let (Some(number), Some(comment)) = (self.ask.request, own(comments, me))
            && let Some(marked) = Marked::read(&comment.body).filter(|it| it.commit != *commit)
        {
            let stale = banner_of(&marked, Some(commit));
            let body = format!("{}\n{stale}\n{}", marked.line(), below(&comment.body));
            let call = self.line.host.change_comment(number, comment.id, &body);
            faults.extend(self.line.ask(&call).err().map(|why| why.to_string()));
        }
        Ok(Published {
            passed: true,
            title,
            overridden_by: None,
            reason: None,
            faults,
            exit_code: 0,
        })
    }

    /// None where there is nothing to say about this commit.
    fn judged(&self, comments: &[Comment], me: &str) -> Result<Option<Judged>> {
        match &self.ask.what {
            What::Verdict(file) => Ok(Some(self.read(&self.around.cwd.join(file)))),
            What::Again => {
                let Some(number) = self.ask.request else {
                    return Err(usage("to look again needs the number of the request"));
                };
                let host = &self.line.host;
                let request = host
                    .read_request(&self.line.ask(&host.request(number))?)
                    .context("the host's answer is no request")?;
                let marked = own(comments, me).and_then(|comment| Marked::read(&comment.body));
                let Some(marked) = marked
                    .filter(|marked| marked.commit == request.head && marked.commit == self.commit)
                else {
                    return Ok(None);
                };
                let verdict = serde_json::from_value(serde_json::json!(marked.verdict)).ok();
                Ok(Some(Judged { verdict, title: marked.verdict, answer: None }))
            }
            What::Begun => Ok(None),
        }
    }

    fn read(&self, file: &std::path::Path) -> Judged {
        let failed = |why: String| Judged { verdict: None, title: why, answer: None };
        let Ok(bytes) = std::fs::read(file) else {
            return failed(
                "there is no verdict: the verification did not come to its end".to_owned(),
            );
        };
        match serde_json::from_slice::<Verification>(&bytes) {
            Ok(answer) if answer.head.as_str() != self.commit => failed(format!(
                "there is no verdict about this commit: what was verified is {}",
                answer.head.short()
            )),
            Ok(answer) => Judged {
                verdict: Some(answer.verdict),
                title: format!("{}: {}", answer.verdict.name(), short(&answer.reason, REASON)),
                answer: Some(Box::new(answer)),
            },
            Err(why) => failed(format!("there is no verdict that can be read: {why}")),
        }
    }

    /// Who took it in spite of the verdict, and may.
    fn taken(
        &self,
        judged: &Judged,
        comments: &[Comment],
        me: &str,
        faults: &mut Vec<String>,
    ) -> Option<Override> {
        let verdict = judged.verdict?;
        if verdict.exit_code() == 0 {
            return None;
        }
        overrides(comments, me, &self.commit).into_iter().find(|one| {
            match self.line.may_merge(&one.by) {
                Ok(may) => may,
                Err(why) => {
                    faults.push(format!("what @{} may do can't be asked: {why}", one.by));
                    false
                }
            }
        })
    }

    /// One report on the commit, whatever happened before.
    fn report(&self, state: State, title: &str, answer: Option<&Verification>) -> Result<()> {
        if self.ask.report == Reporting::No {
            return Ok(());
        }
        let host = &self.line.host;
        let report = Report {
            commit: self.commit.clone(),
            state,
            title: short(title, 200),
            summary: answer.map_or_else(
                || short(title, 1000),
                |answer| render(answer, Format::Markdown, Look::Plain),
            ),
            remarks: answer.map(remarks).unwrap_or_default(),
            key: format!("proctor {}", self.commit),
            link: self.ask.link.clone(),
        };
        let mut last = None;
        for _ in 0..LOOKS {
            let listed = self.line.ask(&host.reports(&report.commit))?;
            let existing = host.read_reports(&listed).into_iter().next_back();
            let calls = host.report(&report, existing.map(|(id, _)| id));
            let mut done = true;
            for call in calls {
                match self.line.ask(&call) {
                    Ok(_) => {}
                    // It may be there all the same: look again.
                    Err(error @ HostError::Unsure { .. }) => {
                        std::thread::sleep(self.line.pause);
                        last = Some(error);
                        done = false;
                        break;
                    }
                    Err(error) => return Err(error.into()),
                }
            }
            if done {
                return Ok(());
            }
        }
        Err(last.map_or_else(|| anyhow::anyhow!("nothing was reported"), Into::into))
    }

    /// The answer to the host's check of somebody outside, where this project has one of our name. What can't be answered stays
    /// open there, which is no pass. Gives what went wrong.
    fn outside(&self, state: State) -> Option<String> {
        let number = self.ask.request.filter(|_| self.ask.report == Reporting::Yes)?;
        let host = &self.line.host;
        let rows = match self.line.all(&host.outside(number)?) {
            Ok(rows) => rows,
            // Not every edition has them.
            Err(HostError::Missing { .. } | HostError::Refused { .. }) => return None,
            Err(why) => return Some(format!("the external status checks can't be read: {why}")),
        };
        let call = host.answer_outside(number, host.read_outside(&rows)?, (&self.commit, state));
        let mut last = None;
        for _ in 0..LOOKS {
            match self.line.ask(&call) {
                Ok(_) => return None,
                // The same answer twice is one answer.
                Err(error @ HostError::Unsure { .. }) => {
                    std::thread::sleep(self.line.pause);
                    last = Some(error);
                }
                Err(error) => {
                    last = Some(error);
                    break;
                }
            }
        }
        last.map(|why| format!("the external status check was not answered: {why}"))
    }

    /// The one comment, made or changed.
    fn comment(
        &self,
        judged: &Judged,
        taken: Option<&Override>,
        (comments, me, date): (&[Comment], &str, Option<String>),
    ) -> Result<()> {
        let (Some(number), Some(date)) = (self.ask.request, date) else {
            anyhow::bail!("the host does not say what time it is");
        };
        let host = &self.line.host;
        let before = own(comments, me);
        let shown = before.and_then(|comment| Marked::read(&comment.body));
        let same = shown.filter(|marked| marked.commit == self.commit);
        let verdict = judged.verdict.map_or("none", Verdict::name).to_owned();
        let marked = Marked {
            commit: self.commit.clone(),
            since: same.map_or(date, |marked| marked.since),
            verdict,
        };
        let words = match (&judged.answer, before) {
            (Some(answer), _) => render(answer, Format::Markdown, Look::Plain),
            (None, Some(comment)) if self.ask.what == What::Again => below(&comment.body),
            (None, _) => format!("## ❔ no verdict\n\n> {}\n", short(&judged.title, REASON)),
        };
        let mut body = format!("{}\n{}\n", marked.line(), banner_of(&marked, None));
        if let Some(one) = taken {
            let _ = write!(
                body,
                "> **Accepted by {} for this commit, in spite of the verdict:** <code>{}</code>\n\n",
                crate::verdict::code(&one.by),
                crate::verdict::inert(&short(&one.reason, REASON)),
            );
        }
        body.push_str(&words);
        for _ in 0..LOOKS {
            let rows = self.line.all(&host.comments(number))?;
            let now: Vec<Comment> = rows.iter().filter_map(|row| host.read_comment(row)).collect();
            let call = match own(&now, me) {
                Some(comment) if comment.body == body => return Ok(()),
                Some(comment) => host.change_comment(number, comment.id, &body),
                None => host.write_comment(number, &body),
            };
            match self.line.ask(&call) {
                Ok(_) => return Ok(()),
                Err(HostError::Unsure { .. }) => std::thread::sleep(self.line.pause),
                Err(error) => return Err(error.into()),
            }
        }
        anyhow::bail!("the host was in trouble each time")
    }
}

/// Of which commit the comment speaks, and whether a newer one is there.
fn banner_of(marked: &Marked, newer: Option<&String>) -> String {
    let at = |commit: &str| commit.chars().take(10).collect::<String>();
    match newer {
        None => format!("_About commit {}._\n", at(&marked.commit)),
        Some(newer) => format!(
            "> ⏳ **Not about the newest commit**: this was said of {}; {} is being verified.\n",
            at(&marked.commit),
            at(newer)
        ),
    }
}

/// What stands below mark and banner.
fn below(body: &str) -> String {
    match body.split_once("\n## ") {
        Some((_, rest)) => format!("## {rest}"),
        None => String::new(),
    }
}

/// Findings with a place, what weighs most first.
fn remarks(answer: &Verification) -> Vec<Remark> {
    let found = digest::mattering(answer);
    let remark =
        |(name, finding): &(proctor_core::verdict::CheckName, &proctor_core::verdict::Finding)| {
            let place = finding.place.as_ref()?;
            Some(Remark {
                path: place.file.clone(),
                line: place.line.unwrap_or(1).max(1),
                level: if finding.weight == Weight::Refutes {
                    Level::Failure
                } else {
                    Level::Warning
                },
                title: format!("proctor {}: {}", name.name(), digest::weight(finding.weight)),
                text: crate::text::harmless::harmless(&short(&finding.text, 2000)),
            })
        };
    found.iter().filter_map(remark).take(REMARKS).collect()
}

/// The host's clock, as hosts write moments elsewhere.
fn moment(date: &str) -> Option<String> {
    let time = jiff::fmt::rfc2822::parse(date).ok()?.timestamp();
    Some(time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string())
}
