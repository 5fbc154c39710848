//! The desk: what every face of Proctor needs. Configuration, tasks from files, starting a run, steering it, how it stands
//! in words, its evidence, the proof of a branch, a hunt. Typed asks, typed answers; it touches no terminal, prints nothing,
//! and holds no rule of the exam.

pub mod accepting;
pub mod afar;
#[cfg(test)]
mod api_tests;
pub mod attest;
pub mod bundle;
pub mod config;
pub mod evidence;
#[cfg(test)]
mod fuzz_tests;
pub mod gc;
pub mod guard;
pub mod hunt;
pub mod intake;
pub mod issue;
pub mod notify;
pub mod page;
pub mod place;
pub mod policy;
pub mod probe;
pub mod publish;
pub mod run;
pub mod start;
pub mod steer;
pub mod surroundings;
pub mod task;
pub mod text;
pub mod told;
pub mod verdict;
pub mod verify;
