//! What a turn brought: the claim or the fault, what it cost, and whether a usage limit was met. What an agent
//! says about tests is not looked at.

use crate::known::remedy;
use crate::launch::TurnAsk;
use crate::limit::Limited;
use crate::object::{Found, last_object};
use crate::stream::{Failure, Heard, StreamEnd};
use crate::usage::Usage;
use crate::{acp, codex, gemini, goose, opencode};
use proctor_core::agent::{AgentKind, CliSpec, Tally};
use proctor_core::brief::AgentSpec;
use proctor_core::duration::show_duration;
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
    /// It said that the turn was over and stayed; we ended it.
    Lingered,
    /// It wanted to wait for its provider; we ended it.
    Waited,
    /// It gave no sign of work for so many milliseconds; we ended it.
    Silent(u64),
}

/// What an agent left behind.
#[derive(Clone, Copy, Debug)]
pub struct Left<'a> {
    /// The bytes of its output file, where there is one.
    pub output: Option<&'a [u8]>,
    pub stdout: &'a [u8],
    pub stderr_tail: &'a str,
    /// What was read from stdout while it came.
    pub heard: &'a Heard,
    /// What its session had used before this turn.
    pub before: Tally,
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
        "agent {agent} gave no sign of work for {} and was ended\nhint: `silence` in [limits] says how long it may be quiet",
        show_duration(*ms)
    )]
    Silent { agent: String, ms: u64 },
    #[error("agent {agent} failed: {said}")]
    Failed { agent: String, said: String },
    /// Nothing that asking again could mend.
    #[error("agent {agent} can't reach its model without a login: {said}\nhint: {remedy}")]
    NoLogin { agent: String, said: String, remedy: String },
    /// The turn is to be asked in a new session.
    #[error("the session that agent {agent} was to go on with is not there any more")]
    SessionGone { agent: String },
    #[error(
        "the agent's last message holds no JSON object\nhint: end with one object that fits the schema"
    )]
    NoAnswer,
    #[error(
        "the agent's answer can't be used: {why}\nhint: end with one JSON object that fits the schema"
    )]
    BadAnswer { why: String },
    #[error(
        "the agent returned no JSON object, neither in the file named by PROCTOR_OUTPUT nor on stdout\nhint: write one object that fits the schema in PROCTOR_SCHEMA into that file"
    )]
    NoOutput,
    #[error(
        "the agent's output can't be used: {why}\nhint: write one JSON object that fits the schema in PROCTOR_SCHEMA into the file named by PROCTOR_OUTPUT"
    )]
    BadOutput { why: String },
}

/// Reads what an agent left behind.
pub fn read(spec: &AgentSpec, ask: &TurnAsk<'_>, end: &AgentEnd, left: &Left<'_>) -> TurnReport {
    match spec.kind.cli() {
        None => read_command(spec, ask, end, left),
        Some(cli) => read_cli(spec, cli, ask, end, left),
    }
}

fn read_command(
    spec: &AgentSpec,
    ask: &TurnAsk<'_>,
    end: &AgentEnd,
    left: &Left<'_>,
) -> TurnReport {
    let found = output(left.output, left.stdout);
    let object = match &found {
        Found::Object(object) => Some(object),
        Found::Broken(_) | Found::Nothing => None,
    };
    let bytes = match end {
        AgentEnd::CouldNotStart(_) => 0,
        AgentEnd::Exited(_)
        | AgentEnd::Signalled(_)
        | AgentEnd::TimedOut
        | AgentEnd::Lingered
        | AgentEnd::Waited
        | AgentEnd::Silent(_) => ask.prompt.len().saturating_add(left.stdout.len()),
    };
    let usage = Usage::of(object, bytes);
    let (claim, may_be_limited) = match end {
        AgentEnd::Exited(0) | AgentEnd::Lingered | AgentEnd::Waited => (claim(ask, &found), true),
        AgentEnd::CouldNotStart(_) | AgentEnd::TimedOut | AgentEnd::Silent(_) => {
            (Err(broke_off(spec, end, left)), false)
        }
        AgentEnd::Signalled(_) | AgentEnd::Exited(_) => (Err(broke_off(spec, end, left)), true),
    };
    let limited = object.filter(|_| may_be_limited).and_then(Limited::of);
    TurnReport { claim, usage, limited }
}

/// A program that did not come to its end by itself, or not to a good one.
fn broke_off(spec: &AgentSpec, end: &AgentEnd, left: &Left<'_>) -> AgentFault {
    let agent = spec.name.clone();
    let died = |how: String| AgentFault::Died {
        agent: agent.clone(),
        how,
        stderr: tail(left.stderr_tail),
    };
    match end {
        AgentEnd::CouldNotStart(why) => {
            AgentFault::CouldNotStart { agent: spec.name.clone(), why: why.clone() }
        }
        AgentEnd::TimedOut => AgentFault::TimedOut,
        AgentEnd::Silent(ms) => AgentFault::Silent { agent: spec.name.clone(), ms: *ms },
        AgentEnd::Signalled(signal) => died(format!("was ended by signal {signal}")),
        AgentEnd::Exited(code) => died(format!("exited with code {code}")),
        AgentEnd::Lingered | AgentEnd::Waited => died("was ended".to_owned()),
    }
}

/// A coding agent's own program: the last event counts, not the exit code alone.
fn read_cli(
    spec: &AgentSpec,
    cli: &CliSpec,
    ask: &TurnAsk<'_>,
    end: &AgentEnd,
    left: &Left<'_>,
) -> TurnReport {
    let heard = left.heard;
    let said = left.stdout.len();
    let usage = Usage::billed(&heard.bill, cli.price, left.before, ask.prompt.len() + said);
    let failed = |failure: &Failure| match failure {
        Failure::Limited(limited) => (Err(AgentFault::TimedOut), Some(limited.clone())),
        Failure::NoLogin { said } => {
            let (agent, remedy) = (spec.name.clone(), remedy(&spec.kind).to_owned());
            (Err(AgentFault::NoLogin { agent, said: said.clone(), remedy }), None)
        }
        Failure::SessionGone => (Err(AgentFault::SessionGone { agent: spec.name.clone() }), None),
        Failure::Other { said } => {
            (Err(AgentFault::Failed { agent: spec.name.clone(), said: tail(said) }), None)
        }
    };
    let (claim, limited) = match (end, &heard.end) {
        (AgentEnd::CouldNotStart(_), _) => (Err(broke_off(spec, end, left)), None),
        (_, Some(StreamEnd::Failed(failure))) => failed(failure),
        (AgentEnd::Exited(0) | AgentEnd::Lingered, Some(StreamEnd::Good)) => {
            (answer(ask, heard), None)
        }
        (_, None) if heard.wait.is_some() => (Err(AgentFault::TimedOut), heard.wait.clone()),
        _ => match last_words(spec, end, &plain_words(left)) {
            Some(failure) => failed(&failure),
            None => (Err(broke_off(spec, end, left)), None),
        },
    };
    TurnReport { claim, usage, limited }
}

/// What a program said beside its events: some print their own errors on stdout.
fn plain_words(left: &Left<'_>) -> String {
    let stdout = String::from_utf8_lossy(left.stdout);
    let lines = stdout.lines().filter(|line| !line.trim_start().starts_with('{'));
    lines.chain(left.stderr_tail.lines()).collect::<Vec<_>>().join("\n")
}

/// What those words mean, where it ended without its last event.
fn last_words(spec: &AgentSpec, end: &AgentEnd, stderr: &str) -> Option<Failure> {
    let AgentEnd::Exited(code) = end else { return None };
    match &spec.kind {
        AgentKind::Codex(_) => codex::last_words(stderr),
        AgentKind::Gemini(_) => gemini::last_words(*code, stderr),
        AgentKind::Opencode(_) => opencode::last_words(stderr),
        AgentKind::Goose(_) => goose::last_words(stderr),
        AgentKind::Acp(spec) => acp::last_words(spec, *code, stderr),
        AgentKind::Claude(_)
        | AgentKind::Api(_)
        | AgentKind::Command { .. }
        | AgentKind::Script { .. } => None,
    }
}

/// The object that the program gave as the answer, else the last one in the model's last words.
fn answer(ask: &TurnAsk<'_>, heard: &Heard) -> Result<Claim, AgentFault> {
    let object = match &heard.object {
        Some(object) => object.clone(),
        None => match last_object(heard.text.as_bytes()) {
            Found::Object(object) => object,
            Found::Nothing => return Err(AgentFault::NoAnswer),
            Found::Broken(why) => {
                let why = format!("it is not a whole JSON object: {why}");
                return Err(AgentFault::BadAnswer { why });
            }
        },
    };
    read_claim(ask.phase, ask.kind, &Value::Object(object))
        .map_err(|why| AgentFault::BadAnswer { why })
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
