//! Agent drivers: plan how an agent is started for one turn, and read what came back. They start nothing and
//! judge nothing; only `play`, which is itself the agent's child process, touches files.

pub mod launch;
pub mod limit;
mod object;
pub mod play;
pub mod report;
pub mod usage;

pub use launch::{LaunchPlan, TurnAsk, plan};
pub use limit::{LimitEnd, Limited};
pub use report::{AgentEnd, AgentFault, TurnReport, read};
pub use usage::{Usage, UsageSource};
