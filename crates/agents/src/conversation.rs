//! A turn that is held as a conversation with an agent's program, as a machine without input or output: a line comes in, steps
//! come out. Owns what such machines have in common; each protocol is a file of its own.

use crate::acp::{Deed, Fault};
use serde_json::Value;

/// What is to be done for the conversation to go on.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A line to the agent.
    Send(Value),
    /// A line to whoever reads us.
    Tell(Value),
    /// Something came that is not worth a line of its own.
    Alive,
    /// To be answered with `done`.
    Do { id: Value, deed: Deed },
    /// There is nothing more to say.
    Over,
}

/// Our side of it.
pub trait Conversation {
    fn begin(&mut self) -> Vec<Step>;

    /// Takes a line of the agent.
    fn hear(&mut self, line: &str) -> Vec<Step>;

    /// What became of a deed.
    fn done(&mut self, id: &Value, outcome: Result<Value, Fault>) -> Vec<Step>;

    /// Asks the agent to stop, where it is at work.
    fn cancel(&mut self) -> Vec<Step>;
}
