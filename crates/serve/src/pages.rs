//! The pages of the board, out of the desk's templates and its own. A text from outside is escaped wherever it stands.

use crate::Room;
use minijinja::value::Serde;
use proctor_core::duration::show_duration;
use proctor_core::words::Millis;
use proctor_desk::page::{engine, harmless_fault};
use proctor_desk::run::board::{Card, Column};
use proctor_desk::text::amount::show_usd;
use proctor_desk::text::clock;
use serde::Serialize;
use serde_json::{Value, json};

const TEMPLATES: [(&str, &str); 8] = [
    ("shell.html", include_str!("pages/shell.html")),
    ("card.html", include_str!("pages/card.html")),
    ("board.html", include_str!("pages/board.html")),
    ("run.html", include_str!("pages/run.html")),
    ("verify.html", include_str!("pages/verify.html")),
    ("report.html", include_str!("pages/report.html")),
    ("bugs.html", include_str!("pages/bugs.html")),
    ("fault.html", include_str!("pages/fault.html")),
];

/// A page; where it can't be made, the words why.
pub fn render(name: &str, words: &impl Serialize) -> String {
    let made = engine().and_then(|mut engine| {
        engine.add_filter("span", |ms: u64| show_duration(ms / 1000 * 1000));
        engine.add_filter("usd", show_usd);
        engine.add_filter("clock", |at: u64| clock::time(Millis(at)));
        engine.add_filter("day", |at: u64| clock::show(Millis(at)));
        for (name, text) in TEMPLATES {
            engine.add_template(name, text)?;
        }
        engine.get_template(name)?.render(Serde(words))
    });
    made.unwrap_or_else(|error| harmless_fault(&format!("{error:#}")))
}

pub fn board(room: &Room) -> String {
    let cards = room.board.now();
    let columns: Vec<Value> = Column::ALL
        .into_iter()
        .map(|column| {
            let own: Vec<&Card> = cards.all.iter().filter(|card| card.column == column).collect();
            json!({"id": column, "name": column.name(), "cards": own})
        })
        .collect();
    render(
        "board.html",
        &json!({"title": "Runs", "here": "board", "columns": columns, "version": cards.version}),
    )
}

/// A card that changed, for those who look on.
pub fn news(card: &Card) -> Value {
    json!({
        "run": card.run, "column": card.column, "seq": card.seq, "title": card.title,
        "html": render("card.html", &json!({"card": card})),
    })
}

pub fn fault(code: u16, why: &str) -> String {
    render("fault.html", &json!({"title": "Not done", "here": "", "code": code, "why": why}))
}
