//! Without a terminal: a line for each run, and a line for each change of one, until nothing is under way.

use anyhow::Result;
use proctor_core::words::RunId;
use proctor_desk::run::board::{Board, Card, Column, plain};
use proctor_desk::surroundings::Surroundings;
use std::io::Write;
use std::time::Duration;

const BEAT: Duration = Duration::from_millis(100);

pub fn lines(around: &Surroundings, board: &mut Board, only: Option<&RunId>) -> Result<u8> {
    let shop = around.shop()?;
    let meant = |card: &Card| only.is_none_or(|id| card.run == *id);
    let mut said: Vec<(RunId, String)> = Vec::new();
    loop {
        let cards = board.cards();
        for card in cards.iter().filter(|card| meant(card)) {
            // The time alone is no news.
            let news = format!("{} {} {}", card.status, card.doing, card.seq);
            if said.iter().any(|(run, was)| *run == card.run && *was == news) {
                continue;
            }
            said.retain(|(run, _)| *run != card.run);
            said.push((card.run.clone(), news));
            if writeln!(std::io::stdout().lock(), "{}", plain(card)).is_err() {
                return Ok(0);
            }
        }
        let under_way = cards.iter().any(|card| meant(card) && card.column == Column::Working);
        if !under_way || shop.signals.asked_to_stop() {
            return Ok(0);
        }
        std::thread::sleep(BEAT);
        board.refresh()?;
    }
}
