//! A run as people and programs see it: its name, its history, how it stands, what it changed, what it cost, how it ended.

pub mod board;
pub mod changes;
pub mod costs;
pub mod detail;
pub mod ending;
pub mod facts;
pub mod history;
pub mod listing;
pub mod pace;
pub mod proven;
pub mod run_id;
#[cfg(test)]
pub mod sample;
pub mod sight;
pub mod story;
pub mod track;
