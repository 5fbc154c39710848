//! The judge: words and rules of one TDD task. No I/O, no clock, no randomness.
//!
//! Three functions are the whole engine room: [`decide::decide`] says what an input means, [`evolve::evolve`]
//! folds that into the state, [`run::owed`] says what the world must do next. The rest is vocabulary.

pub mod agent;
pub mod assignment;
pub mod audit;
pub mod branch;
pub mod brief;
pub mod check;
pub mod chronicle;
pub mod claims;
pub mod concern;
pub mod cost;
pub mod decide;
pub mod duration;
pub mod effect;
pub mod errand;
pub mod event;
pub mod evolve;
pub mod examined;
pub mod fault;
pub mod generality;
pub mod guard;
pub mod hunt;
pub mod intake;
pub mod item;
pub mod landing_text;
pub mod looked;
pub mod observation;
pub mod offering;
pub mod prompt;
pub mod proof;
mod refusal;
pub mod report;
pub mod run;
pub mod secret;
pub mod stage;
pub mod tokens;
pub mod trial;
pub mod turn;
pub mod verdict;
pub mod words;

#[cfg(test)]
mod machine_tests;
