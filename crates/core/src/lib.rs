//! The judge: words and rules of one TDD task. No I/O, no clock, no randomness.

pub mod brief;
pub mod item;
pub mod report;
pub mod turn;
pub mod words;
