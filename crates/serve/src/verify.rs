//! Branches that are verified from the board: one at a time, in a thread aside, with what is under way to look at.

use crate::routes::fault;
use crate::run::whole;
use crate::{Room, pages};
use axum::extract::{Form, Path, State};
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use proctor_core::verdict::Verification;
use proctor_desk::text::harmless::short;
use proctor_desk::verdict::{Format, Look, render};
use proctor_desk::verify::{Answer, BranchAsk, branches, verify_in};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// As many reports are kept; a new one takes the place of the oldest.
const MOST: usize = 50;
/// As many lines of what is under way.
const LINES: usize = 12;

#[derive(Default)]
pub struct Jobs(Mutex<Vec<Job>>);

struct Job {
    no: usize,
    base: String,
    head: String,
    lines: Vec<String>,
    end: End,
}

enum End {
    UnderWay,
    Judged(Box<Verification>),
    Failed(String),
}

impl Jobs {
    fn all(&self) -> MutexGuard<'_, Vec<Job>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn on(&self, no: usize, change: impl FnOnce(&mut Job)) {
        if let Some(job) = self.all().iter_mut().find(|job| job.no == no) {
            change(job);
        }
    }
}

impl Job {
    fn told(&self) -> Value {
        let (state, verdict, reason) = match &self.end {
            End::UnderWay => ("working", None, String::new()),
            End::Judged(v) => ("judged", Some(v.verdict.name()), v.reason.clone()),
            End::Failed(why) => ("failed", None, why.clone()),
        };
        json!({
            "no": self.no, "base": self.base, "head": self.head, "lines": self.lines,
            "state": state, "verdict": verdict, "reason": reason,
        })
    }
}

pub async fn page(State(room): State<Arc<Room>>) -> Response {
    let jobs: Vec<Value> = room.jobs.all().iter().rev().map(Job::told).collect();
    let busy = jobs.iter().any(|job| job["state"] == "working");
    let known = branches(&room.around).unwrap_or_default();
    let words = json!({
        "title": "Verify a branch", "here": "verify", "form": room.door.form, "jobs": jobs,
        "busy": busy, "branches": known,
    });
    Html(pages::render("verify.html", &words)).into_response()
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Wish {
    form: String,
    base: String,
    head: String,
}

pub async fn begin(State(room): State<Arc<Room>>, Form(wish): Form<Wish>) -> Response {
    if !room.door.is_form(&wish.form) {
        return fault(
            StatusCode::FORBIDDEN,
            "This form is not from this board. Load the page again.",
        );
    }
    let (base, head) = (wish.base.trim().to_owned(), wish.head.trim().to_owned());
    if head.is_empty() {
        return fault(StatusCode::CONFLICT, "Name the branch that is to be proven.");
    }
    let no = {
        let mut jobs = room.jobs.all();
        if jobs.iter().any(|job| matches!(job.end, End::UnderWay)) {
            return fault(StatusCode::CONFLICT, "Another branch is being verified; wait for it.");
        }
        let no = jobs.last().map_or(1, |job| job.no + 1);
        let (base, head) = (base.clone(), head.clone());
        jobs.push(Job { no, base, head, lines: Vec::new(), end: End::UnderWay });
        if jobs.len() > MOST {
            jobs.remove(0);
        }
        no
    };
    std::thread::spawn(move || work(&room, no, base, head));
    (StatusCode::SEE_OTHER, [(header::LOCATION, format!("/verify/{no}"))]).into_response()
}

fn work(room: &Room, no: usize, base: String, head: String) {
    let base = Some(base).filter(|base| !base.is_empty());
    let ask = BranchAsk { base, head, ..BranchAsk::default() };
    let mut tell = |line: &str| {
        let line = short(line, 200);
        room.jobs.on(no, |job| {
            job.lines.push(line);
            let from = job.lines.len().saturating_sub(LINES);
            job.lines.drain(..from);
        });
    };
    let end = match verify_in(&room.around, &room.shop, &ask, &mut tell) {
        Ok(Answer::Judged(answer)) => End::Judged(answer),
        Ok(Answer::Interrupted(_)) => {
            End::Failed("It was interrupted; nothing was judged.".to_owned())
        }
        Err(why) => End::Failed(format!("{why:#}")),
    };
    room.jobs.on(no, |job| job.end = end);
}

/// While it is under way, what is done; then the page that `proctor verify --format html` writes.
pub async fn report(State(room): State<Arc<Room>>, Path(no): Path<usize>) -> Response {
    let jobs = room.jobs.all();
    let Some(job) = jobs.iter().find(|job| job.no == no) else {
        return fault(StatusCode::NOT_FOUND, "There is no such report any more.");
    };
    if let End::Judged(answer) = &job.end {
        return whole(render(answer, Format::Html, Look::Plain));
    }
    let words = json!({"title": "Verify a branch", "here": "verify", "job": job.told()});
    let page = Html(pages::render("report.html", &words));
    match job.end {
        End::UnderWay => ([(header::REFRESH, "2")], page).into_response(),
        End::Judged(_) | End::Failed(_) => page.into_response(),
    }
}
