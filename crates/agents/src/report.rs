//! What a turn brought: the claim or the fault, what it cost, and whether a usage limit was met. What an agent
//! says about tests is not looked at.

use crate::launch::TurnAsk;
use crate::limit::Limited;
use crate::object::{Found, last_object};
use crate::usage::Usage;
use proctor_core::brief::AgentSpec;
use proctor_core::turn::{Claim, read_claim};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use thiserror::Error;

/// How the agent's process ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AgentEnd {
    Exited(i32),
    Signalled(i32),
    TimedOut,
    CouldNotStart(String),
}

/// What one turn brought. Look at `limited` first: where it is there, the turn is to be asked again later, and
/// `claim` says nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnReport {
    pub claim: Result<Claim, AgentFault>,
    pub usage: Usage,
    pub limited: Option<Limited>,
}

/// Why a turn is not usable. Its text goes to people, and back to the agent when it is asked again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Error)]
#[serde(tag = "fault", rename_all = "kebab-case")]
pub enum AgentFault {
    #[error(
        "agent {agent} could not be started: {why}\nhint: check that its program is installed and can be run"
    )]
    CouldNotStart { agent: String, why: String },
    #[error("agent {agent} {how}{}", said(stderr))]
    Died {
        agent: String,
        /// `exited with code 3`, `was ended by signal 9`
        how: String,
        stderr: String,
    },
    #[error("the agent did not finish within its time limit and was ended")]
    TimedOut,
    #[error(
        "the agent returned no JSON object, neither in the file named by PROCTOR_OUTPUT nor on stdout\nhint: write one object that fits the schema in PROCTOR_SCHEMA into that file"
    )]
    NoOutput,
    #[error(
        "the agent's output can't be used: {why}\nhint: write one JSON object that fits the schema in PROCTOR_SCHEMA into the file named by PROCTOR_OUTPUT"
    )]
    BadOutput { why: String },
}

/// Reads what an agent left behind: its end, the bytes of its output file where there is one, its whole stdout
/// and the end of its stderr.
pub fn read(
    spec: &AgentSpec,
    ask: &TurnAsk<'_>,
    end: AgentEnd,
    output_file: Option<&[u8]>,
    stdout: &[u8],
    stderr_tail: &str,
) -> TurnReport {
    let found = output(output_file, stdout);
    let object = match &found {
        Found::Object(object) => Some(object),
        Found::Broken(_) | Found::Nothing => None,
    };
    let bytes = match end {
        AgentEnd::CouldNotStart(_) => 0,
        AgentEnd::Exited(_) | AgentEnd::Signalled(_) | AgentEnd::TimedOut => {
            ask.prompt.len().saturating_add(stdout.len())
        }
    };
    let usage = Usage::of(object, bytes);
    let died = |how: String| {
        Err(AgentFault::Died { agent: spec.name.clone(), how, stderr: tail(stderr_tail) })
    };
    let (claim, may_be_limited) = match end {
        AgentEnd::CouldNotStart(why) => {
            let agent = spec.name.clone();
            (Err(AgentFault::CouldNotStart { agent, why }), false)
        }
        AgentEnd::TimedOut => (Err(AgentFault::TimedOut), false),
        AgentEnd::Signalled(signal) => (died(format!("was ended by signal {signal}")), true),
        AgentEnd::Exited(0) => (claim(ask, &found), true),
        AgentEnd::Exited(code) => (died(format!("exited with code {code}")), true),
    };
    let limited = object.filter(|_| may_be_limited).and_then(Limited::of);
    TurnReport { claim, usage, limited }
}

/// The agent's object: from its file where that holds anything, else the last one on stdout.
fn output(file: Option<&[u8]>, stdout: &[u8]) -> Found {
    let file = file.map(<[u8]>::trim_ascii).unwrap_or_default();
    if file.is_empty() {
        return last_object(stdout);
    }
    match serde_json::from_slice::<Map<String, Value>>(file) {
        Ok(object) => Found::Object(object),
        Err(error) => match last_object(file) {
            Found::Nothing => Found::Broken(error.to_string()),
            found @ (Found::Object(_) | Found::Broken(_)) => found,
        },
    }
}

fn claim(ask: &TurnAsk<'_>, found: &Found) -> Result<Claim, AgentFault> {
    match found {
        Found::Nothing => Err(AgentFault::NoOutput),
        Found::Broken(why) => {
            Err(AgentFault::BadOutput { why: format!("it is not a whole JSON object: {why}") })
        }
        Found::Object(object) => read_claim(ask.phase, ask.kind, &Value::Object(object.clone()))
            .map_err(|why| AgentFault::BadOutput { why }),
    }
}

/// The last lines of stderr, short and without control characters that could play tricks in a terminal.
fn tail(stderr: &str) -> String {
    const LINES: usize = 20;
    const CHARS: usize = 2000;
    let lines: Vec<&str> = stderr.trim_end().lines().collect();
    let last = lines[lines.len().saturating_sub(LINES)..].join("\n");
    let skipped = last.chars().count().saturating_sub(CHARS);
    last.chars()
        .skip(skipped)
        .map(|c| match c {
            '\n' | '\t' => c,
            c if c.is_control() => '\u{fffd}',
            c => c,
        })
        .collect()
}

fn said(stderr: &str) -> String {
    if stderr.trim().is_empty() {
        String::new()
    } else {
        format!("; it said:\n{}", stderr.trim_end())
    }
}

#[cfg(test)]
#[path = "report_tests.rs"]
mod tests;
