//! Which address leads where. Nothing changes by a GET.

use crate::{Room, acts, door, pages, run, verify};
use axum::Router;
use axum::extract::{Query, State};
use axum::http::{StatusCode, header};
use axum::middleware::from_fn_with_state;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use futures_util::stream::{self, Stream};
use serde::Deserialize;
use serde_json::json;
use std::convert::Infallible;
use std::sync::Arc;

const STYLE: &str = include_str!("pages/board.css");
const SCRIPT: &str = include_str!("pages/board.js");
const ICON: &str = include_str!("pages/icon.svg");

pub fn router(room: Arc<Room>) -> Router {
    Router::new()
        .route("/", get(board))
        .route("/events", get(events))
        .route("/run/{id}", get(run::page).post(acts::run))
        .route("/run/{id}/evidence", get(run::evidence))
        .route("/bugs", get(run::bugs))
        .route("/verify", get(verify::page).post(verify::begin))
        .route("/verify/{no}", get(verify::report))
        .route("/board.css", get(async || text("text/css", STYLE)))
        .route("/board.js", get(async || text("text/javascript", SCRIPT)))
        .route("/favicon.svg", get(async || text("image/svg+xml", ICON)))
        .route("/leave", post(acts::leave))
        .fallback(|| async { fault(StatusCode::NOT_FOUND, "There is no such page.") })
        .layer(from_fn_with_state(Arc::clone(&room), door::pass))
        .with_state(room)
}

fn text(kind: &'static str, text: &'static str) -> Response {
    ([(header::CONTENT_TYPE, format!("{kind}; charset=utf-8"))], text).into_response()
}

async fn board(State(room): State<Arc<Room>>) -> Html<String> {
    Html(pages::board(&room))
}

#[derive(Deserialize)]
struct Since {
    #[serde(default)]
    since: u64,
}

/// What changed, as it changes: for each run its column and how its card looks now.
async fn events(
    State(room): State<Arc<Room>>,
    Query(Since { since }): Query<Since>,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let news = room.board.news();
    let stream = stream::unfold((room, news, since), |(room, mut news, seen)| async move {
        loop {
            let now = *news.borrow_and_update();
            if now > seen {
                let (version, cards) = room.board.look(|cards| {
                    let changed: Vec<_> = cards.since(seen).map(pages::news).collect();
                    (cards.version, changed)
                });
                let told = json!({"version": version, "cards": cards});
                let event = Event::default().event("cards").data(told.to_string());
                return Some((Ok(event), (room, news, version)));
            }
            news.changed().await.ok()?;
        }
    });
    Sse::new(stream).keep_alive(KeepAlive::default())
}

/// A short page that says what is wrong.
pub fn fault(code: StatusCode, why: &str) -> Response {
    (code, Html(pages::fault(code.as_u16(), why))).into_response()
}

/// Work that reads files or waits for others, aside from those who look on.
pub async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> anyhow::Result<T> + Send + 'static,
) -> Result<T, Response> {
    let done = tokio::task::spawn_blocking(work).await;
    match done {
        Ok(Ok(answer)) => Ok(answer),
        Ok(Err(why)) => {
            let code = match proctor_desk::told::code_of(&why) {
                proctor_desk::told::USAGE | proctor_desk::told::WAITS => StatusCode::CONFLICT,
                _ => StatusCode::INTERNAL_SERVER_ERROR,
            };
            Err(fault(code, &format!("{why:#}")))
        }
        Err(_) => Err(fault(StatusCode::INTERNAL_SERVER_ERROR, "this is a bug in Proctor")),
    }
}
