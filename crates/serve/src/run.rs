//! A run's page: the track, what was seen on both sides, what was tried, what changed, what it cost, what was said. And what
//! hunts found.

use crate::routes::{aside, fault};
use crate::{Room, pages};
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use proctor_core::concern::Raised;
use proctor_core::words::RunId;
use proctor_desk::evidence::of_run;
use proctor_desk::hunt::{ledger, story};
use proctor_desk::run::board::Card;
use proctor_desk::run::detail::{Detail, Spent};
use proctor_journal::Journal;
use serde_json::{Value, json};
use std::sync::Arc;

/// The width of the chart.
const CHART: u64 = 1000;

pub async fn page(State(room): State<Arc<Room>>, Path(id): Path<String>) -> Response {
    let Some(card) = room.board.look(|cards| cards.find(&id).cloned()) else {
        return fault(StatusCode::NOT_FOUND, "There is no such run on this board.");
    };
    let version = room.board.look(|cards| cards.version);
    let form = room.door.form.clone();
    let made = aside(move || {
        let journal = Journal::open(room.around.home.root())?;
        let detail = Detail::of(&room.around.home, &journal, &card.run)?;
        Ok(render(&card, &detail, &form, version))
    });
    made.await.map_or_else(|refusal| refusal, |html| Html(html).into_response())
}

fn render(card: &Card, detail: &Detail, form: &str, version: u64) -> String {
    let run = &detail.run;
    let kinds: Vec<String> =
        Raised::kinds(&detail.raised).iter().map(ToString::to_string).collect();
    let agents: Vec<[String; 2]> = run
        .brief
        .agents
        .iter()
        .map(|(role, agent)| [role.name().to_owned(), agent.name.clone()])
        .collect();
    let count = |word| detail.mutants.iter().filter(|mutant| mutant.word == word).count();
    let baseline = run.baseline.as_ref();
    pages::render(
        "run.html",
        &json!({
            "title": card.title, "here": "run", "card": card, "form": form, "version": version,
            "kind": run.brief.kind, "details": run.brief.details,
            "base": run.base.short(), "branch": run.brief.landing.branch,
            "onto": run.brief.landing.onto,
            "history": detail.history, "notes": detail.notes, "sealed": detail.sealed,
            "raised": detail.raised, "kinds": kinds,
            "accepted": run.raised.accepted,
            "seen": detail.seen(), "cards": detail.cards(),
            "mutants": detail.mutants, "survived": count("survived"), "killed": count("killed"),
            "tests_diff": detail.tests_diff, "code_diff": detail.code_diff,
            "chart": chart(&detail.spent), "spent": detail.spent,
            "sandbox": run.sandbox, "agents": agents,
            "runner": baseline.map(|known| &known.runner),
            "baseline": baseline.map(|known| known.counts.to_string()),
            "network": run.brief.sandbox.network, "limits": run.limits,
            "missing": detail.missing,
            "rejections": run.rejections, "rescue": run.rescue,
        }),
    )
}

/// Each step as a bar, by the time that it took; money beside it.
fn chart(steps: &[Spent]) -> Value {
    let all: u64 = steps.iter().map(|step| step.took_ms).sum::<u64>().max(1);
    let money: u64 = steps.iter().map(|step| step.micro_usd).sum();
    let (mut at, mut bars) = (0, Vec::new());
    for step in steps {
        let width = (step.took_ms * CHART / all).max(1);
        bars.push(json!({
            "at": at.min(CHART), "width": width, "what": step.what, "agent": step.agent,
            "took_ms": step.took_ms, "micro_usd": step.micro_usd,
        }));
        at += width;
    }
    let mut rows: Vec<(String, bool, u64, u64, u64, u64)> = Vec::new();
    for step in steps {
        let row = rows.iter_mut().find(|row| row.0 == step.what);
        match row {
            Some(row) => {
                row.2 += 1;
                row.3 += step.took_ms;
                row.4 += step.tokens;
                row.5 += step.micro_usd;
            }
            None => rows.push((
                step.what.clone(),
                step.agent,
                1,
                step.took_ms,
                step.tokens,
                step.micro_usd,
            )),
        }
    }
    let most = rows.iter().map(|row| row.3).max().unwrap_or(1).max(1);
    let costly = rows.iter().map(|row| row.5).max().unwrap_or(1).max(1);
    let rows: Vec<Value> = rows
        .into_iter()
        .map(|(what, agent, times, took_ms, tokens, micro_usd)| {
            json!({
                "what": what, "agent": agent, "times": times, "took_ms": took_ms, "tokens": tokens,
                "micro_usd": micro_usd, "share": took_ms * 400 / most, "money": micro_usd * 400 / costly,
            })
        })
        .collect();
    json!({"bars": bars, "width": at.max(CHART), "rows": rows, "took_ms": all, "micro_usd": money})
}

/// The evidence page, the same that `proctor evidence --html` writes.
pub async fn evidence(State(room): State<Arc<Room>>, Path(id): Path<String>) -> Response {
    if room.board.look(|cards| cards.find(&id).is_none()) {
        return fault(StatusCode::NOT_FOUND, "There is no such run on this board.");
    }
    let made = aside(move || {
        let journal = Journal::open(room.around.home.root())?;
        Ok(of_run(&room.shop, &journal, &RunId::new(id))?.to_html())
    });
    made.await.map_or_else(|refusal| refusal, whole)
}

/// A page that brings its own style and has no script.
pub fn whole(html: String) -> Response {
    let policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'";
    ([(header::CONTENT_SECURITY_POLICY, policy)], Html(html)).into_response()
}

pub async fn bugs(State(room): State<Arc<Room>>) -> Response {
    let made = aside(move || {
        let book = ledger(&room.around)?.read()?;
        let bugs: Vec<Value> = book
            .bugs
            .iter()
            .map(|bug| {
                json!({
                    "id": bug.id, "title": bug.short_description, "details": bug.details,
                    "status": bug.status.name(), "proven": bug.is_reported(), "reason": bug.reason,
                    "run": bug.run, "files": bug.relevant_files,
                    "proof": bug.proof.as_ref().filter(|_| bug.is_reported()),
                })
            })
            .collect();
        let tally = story::tally(&book);
        Ok(pages::render(
            "bugs.html",
            &json!({"title": "Bugs", "here": "bugs", "tally": tally, "bugs": bugs, "hunt": book.hunt}),
        ))
    });
    made.await.map_or_else(|refusal| refusal, |html| Html(html).into_response())
}
