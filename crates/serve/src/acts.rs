//! What a person decides on the board. Each is the request that any other face posts; where nobody drives the run, a process
//! of its own is started that does.

use crate::Room;
use crate::routes::{aside, fault};
use axum::extract::{Form, Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use proctor_core::concern::Raised;
use proctor_core::event::{OnRebase, Raise, Request};
use proctor_core::words::{RunId, TreeId};
use proctor_desk::accepting::kind;
use proctor_desk::start::drive_away;
use proctor_desk::steer::{Driver, Steering, acceptance, objection, waiver};
use proctor_desk::told::usage;
use proctor_engine::load;
use serde::Deserialize;
use std::sync::Arc;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Wish {
    form: String,
    act: String,
    /// The tree that the person was looking at.
    shown: String,
    why: String,
    /// The finding that is waived: its kind and its words.
    kind: String,
    finding: String,
}

pub async fn run(
    State(room): State<Arc<Room>>,
    Path(id): Path<String>,
    Form(wish): Form<Wish>,
) -> Response {
    if !room.door.is_form(&wish.form) {
        return fault(
            StatusCode::FORBIDDEN,
            "This form is not from this board. Load the page again.",
        );
    }
    if room.board.look(|cards| cards.find(&id).is_none()) {
        return fault(StatusCode::NOT_FOUND, "There is no such run on this board.");
    }
    let back = format!("/run/{id}");
    let done = aside(move || {
        let steering = Steering { shop: room.shop.clone(), id: RunId::new(id) };
        let request = request(&steering, &wish)?;
        if steering.ask(&request)? == Driver::Here {
            drive_away(&room.around.home, &steering.id)?;
        }
        Ok(())
    });
    match done.await {
        Ok(()) => (StatusCode::SEE_OTHER, [(header::LOCATION, back)]).into_response(),
        Err(refusal) => refusal,
    }
}

fn request(steering: &Steering, wish: &Wish) -> anyhow::Result<Request> {
    let shown = TreeId::new(wish.shown.clone());
    Ok(match wish.act.as_str() {
        "approve" => Request::Approve { shown, rebase: OnRebase::Ask, accept: None },
        "accept" => {
            let open = load(&steering.shop, &steering.id)?.raised.open();
            let accept = acceptance(Raised::kinds(&open), &wish.why)?;
            Request::Approve { shown, rebase: OnRebase::Ask, accept: Some(accept) }
        }
        "waive" => {
            let kind = kind(&wish.kind).map_err(usage)?;
            // A browser sends the ends of lines in its own way.
            waiver(shown, Raised::new(kind, wish.finding.replace("\r\n", "\n")), &wish.why)?
        }
        "abort" => Request::Abort,
        "cancel" => Request::Cancel,
        "resume" => Request::Resume { raise: Raise::default() },
        "send-back" => objection(&wish.why)?,
        other => return Err(usage(format!("there is nothing to do that is called {other:?}"))),
    })
}

/// Forgets this browser.
pub async fn leave() -> Response {
    let gone = "proctor_board=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0";
    (StatusCode::SEE_OTHER, [(header::SET_COOKIE, gone), (header::LOCATION, "/")]).into_response()
}
