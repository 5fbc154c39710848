//! Agent drivers: plan how an agent is started for one turn, and read what came back. They start nothing and
//! judge nothing; only `play`, which is itself the agent's child process, touches files.

pub mod acp;
pub mod api;
pub mod claude;
mod codex;
pub mod conversation;
mod gemini;
mod goose;
pub mod hook;
pub mod known;
pub mod launch;
pub mod limit;
mod object;
mod opencode;
#[cfg(test)]
mod plans_tests;
pub mod play;
pub mod policy;
#[cfg(test)]
mod recorded_tests;
pub mod report;
pub mod stream;
#[cfg(test)]
mod trial;
mod trouble;
pub mod usage;

pub use launch::{Hands, LaunchPlan, Needs, Network, Room, Side, TurnAsk, Walls, plan};
pub use limit::{LimitEnd, Limited};
pub use report::{AgentEnd, AgentFault, Left, TurnReport, read};
pub use stream::{Heard, Stream, StreamEnd};
pub use usage::{Usage, UsageSource};
