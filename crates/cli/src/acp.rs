//! `proctor acp FILE PROGRAM ARG…`, started by Proctor itself in an agent's place and bounds: starts the agent, speaks the Agent Client
//! Protocol with it for one turn, and prints lines that the driver reads. What is said and allowed is decided by `Client`; here it is
//! carried out.

use crate::acp_files as files;
use crate::acp_terminals::Terminals;
use crate::out;
use crate::surroundings::own_program;
use crate::told::USAGE;
use anyhow::{Context, Result};
use proctor_agents::acp::{Client, Deed, Errand, Fault, Policy, Step, answer_to_hello, hello};
use proctor_engine::Signals;
use proctor_world::child::End;
use proctor_world::partner::{Partner, Word};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

/// How long the agent may take to go when all is said.
const PARTING: Duration = Duration::from_millis(1500);
/// How long it may take to stop when it was asked to. Whoever keeps us does not wait much longer.
const STOPPING: Duration = Duration::from_millis(120);
/// How often a signal is looked for.
const TICK: Duration = Duration::from_millis(20);
/// How often a sign of life is printed while there is nothing else to print.
const PULSE: Duration = Duration::from_secs(1);

/// What can happen while we wait.
pub enum News {
    Agent(Word),
    /// A terminal's command has ended.
    Ended {
        terminal: String,
        how: End,
    },
}

pub fn acp(file: &Path, argv: &[OsString]) -> ExitCode {
    match converse(file, argv) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            out::error(&format!("{error:#}"));
            ExitCode::from(USAGE)
        }
    }
}

fn converse(file: &Path, argv: &[OsString]) -> Result<u8> {
    let bytes = std::fs::read(file).with_context(|| format!("{} can't be read", file.display()))?;
    let mut errand: Errand = serde_json::from_slice(&bytes)
        .with_context(|| format!("{} is no errand", file.display()))?;
    errand.policy.top = files::top_of(&errand.cwd);
    let signals = Signals::listen()?;
    let (sender, news) = mpsc::channel();
    let heard = {
        let sender = sender.clone();
        move |word| sender.send(News::Agent(word)).is_ok()
    };
    let partner = Partner::start(argv, &errand.cwd, heard).with_context(|| {
        let program = argv.first().map(|word| word.to_string_lossy().into_owned());
        format!("could not start {}", program.unwrap_or_default())
    })?;
    let talk = Talk {
        partner,
        terminals: Terminals::new(own_program()?, errand.logs.clone(), sender),
        policy: errand.policy.clone(),
        client: Client::new(errand),
        pulse: Instant::now(),
        over: false,
    };
    Ok(talk.hold(&signals, &news))
}

/// Meets an agent and parts again: what it says about itself, in words.
pub fn greet(argv: &[OsString]) -> ExitCode {
    match met(argv) {
        Ok(words) => {
            out::data(&words);
            ExitCode::SUCCESS
        }
        Err(error) => {
            out::error(&format!("{error:#}"));
            ExitCode::from(USAGE)
        }
    }
}

fn met(argv: &[OsString]) -> Result<String> {
    // Not where it could find settings of a repository.
    let place = std::env::temp_dir().join(format!("proctor-greet-{}", std::process::id()));
    std::fs::create_dir_all(&place)?;
    let (sender, words) = mpsc::channel();
    let partner = Partner::start(argv, &place, move |word| sender.send(word).is_ok());
    let answer = partner.map_err(anyhow::Error::from).and_then(|mut partner| {
        partner.say(&hello().to_string())?;
        let mut answers = words.iter().map_while(|word| match word {
            Word::Line(line) => Some(line),
            Word::Silent => None,
        });
        let answer = answers.find_map(|line| answer_to_hello(&line));
        let _ = partner.part(PARTING);
        answer.context("it ended without an answer")?.map_err(anyhow::Error::msg)
    });
    let _ = std::fs::remove_dir_all(&place);
    let about = answer?;
    let can =
        [(about.load || about.resume, "goes on with sessions"), (about.fork, "branches them off")];
    let can: Vec<&str> = can.iter().filter(|(can, _)| *can).map(|(_, what)| *what).collect();
    let can = if can.is_empty() { "each turn begins afresh".to_owned() } else { can.join(", ") };
    Ok(format!("{} {}; {can}", about.name, about.version))
}

/// One conversation.
struct Talk {
    client: Client,
    partner: Partner,
    terminals: Terminals,
    policy: Policy,
    pulse: Instant,
    over: bool,
}

impl Talk {
    /// Until all is said. Gives our exit code.
    fn hold(mut self, signals: &Signals, news: &Receiver<News>) -> u8 {
        let steps = self.client.begin();
        self.take(steps);
        let mut stopping: Option<Instant> = None;
        while !self.over {
            if stopping.is_some_and(|since| since.elapsed() > STOPPING) {
                return 130;
            }
            if stopping.is_none() && signals.asked_to_stop() {
                stopping = Some(Instant::now());
                self.terminals.kill_all();
                let steps = self.client.cancel();
                self.take(steps);
            }
            match news.recv_timeout(TICK) {
                Ok(News::Agent(Word::Line(line))) => {
                    let steps = self.client.hear(&line);
                    self.take(steps);
                }
                Ok(News::Agent(Word::Silent)) => {
                    // Without its last word; what it said on stderr tells why.
                    let code = self.partner.part(PARTING).and_then(|code| u8::try_from(code).ok());
                    return code.filter(|code| *code != 0).unwrap_or(1);
                }
                Ok(News::Ended { terminal, how }) => {
                    for (id, answer) in self.terminals.ended(&terminal, how) {
                        self.answer(&id, Ok(answer));
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return 1,
            }
        }
        self.terminals.kill_all();
        let _ = self.partner.part(PARTING);
        0
    }

    fn take(&mut self, steps: Vec<Step>) {
        for step in steps {
            match step {
                // One that is gone is noticed when nothing more comes from it.
                Step::Send(message) => drop(self.partner.say(&message.to_string())),
                Step::Tell(line) => {
                    self.pulse = Instant::now();
                    out::json(&line.to_string());
                }
                Step::Alive => {
                    if self.pulse.elapsed() > PULSE {
                        self.pulse = Instant::now();
                        out::json(&json!({"event": "alive"}).to_string());
                    }
                }
                Step::Do { id, deed } => {
                    if let Some(outcome) = self.carry_out(&id, deed) {
                        self.answer(&id, outcome);
                    }
                }
                Step::Over => self.over = true,
            }
        }
    }

    fn answer(&mut self, id: &Value, outcome: Result<Value, Fault>) {
        let steps = self.client.done(id, outcome);
        self.take(steps);
    }

    /// None where the answer comes later.
    fn carry_out(&mut self, id: &Value, deed: Deed) -> Option<Result<Value, Fault>> {
        match deed {
            Deed::Read { path, line, limit } => Some(
                files::read(&self.policy, &path, line, limit).map(|text| json!({"content": text})),
            ),
            Deed::Write { path, content } => {
                Some(files::write(&self.policy, &path, &content).map(|()| json!({})))
            }
            Deed::Start { argv, env, cwd, most } => {
                let terminal = self.terminals.start(&argv, env, &cwd, most);
                Some(Ok(json!({"terminalId": terminal})))
            }
            Deed::Output { terminal } => Some(self.terminals.output(&terminal)),
            Deed::Wait { terminal } => self.terminals.wait(&terminal, id).transpose(),
            Deed::Kill { terminal } => Some(self.terminals.kill(&terminal)),
            Deed::Release { terminal } => Some(self.terminals.release(&terminal)),
        }
    }
}

/// Where news come from.
pub type Sending = Sender<News>;
