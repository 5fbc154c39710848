//! A turn that is held as a conversation: starts the agent, carries out what the machine behind `Conversation` wants, and prints the lines
//! that the driver reads. It knows no protocol. It must only run where a keeper keeps this process.

use crate::agent_loop::acp_files as files;
use crate::agent_loop::acp_terminals::Terminals;
use crate::out;
use anyhow::{Context, Result};
use proctor_agents::acp::{Deed, Fault};
use proctor_agents::conversation::{Conversation, Step};
use proctor_agents::policy::{Judge, Policy, Whose};
use proctor_desk::surroundings::own_program;
use proctor_desk::told::USAGE;
use proctor_engine::Signals;
use proctor_lang::{Zone, zone};
use proctor_world::child::End;
use proctor_world::partner::{Partner, Word};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

/// How long the agent may take to go when all is said, before it is made to.
pub const PARTING: Duration = Duration::from_millis(1500);
/// How long it may take to stop when it was asked to. Whoever keeps us does not wait much longer.
const STOPPING: Duration = Duration::from_millis(900);
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

/// Where news come from.
pub type Sending = Sender<News>;

/// How a conversation ended.
pub struct Ending {
    /// Our exit code.
    pub code: u8,
    pub spoke: Spoke,
}

/// Whether the agent said anything at all.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Spoke {
    Something,
    Nothing,
}

/// How the program of a turn ends: with the turn's own code, or with why there was none.
pub fn exit_of(turn: Result<u8>) -> ExitCode {
    match turn {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            out::error(&format!("{error:#}"));
            ExitCode::from(USAGE)
        }
    }
}

pub fn read_errand<E: DeserializeOwned>(file: &Path) -> Result<E> {
    let bytes = std::fs::read(file).with_context(|| format!("{} can't be read", file.display()))?;
    serde_json::from_slice(&bytes).with_context(|| format!("{} is no errand", file.display()))
}

/// What is only known here: the whole worktree, and whose its files are.
pub fn settle(policy: &mut Policy, cwd: &Path) {
    policy.top = files::top_of(cwd);
    policy.real = policy.top.canonicalize().unwrap_or_default();
    policy.judge = Judge(whose);
}

fn whose(path: &str) -> Whose {
    match zone(path) {
        Zone::Test => Whose::Testers,
        Zone::Deciding => Whose::Nobodys,
        // A source in Rust can hold tests of its own.
        Zone::Production if Path::new(path).extension().is_some_and(|ending| ending == "rs") => {
            Whose::Shared
        }
        Zone::Production => Whose::Coders,
    }
}

/// Starts the agent and speaks with it until all is said.
pub fn hold(
    ours: Box<dyn Conversation>,
    argv: &[OsString],
    cwd: &Path,
    (logs, policy): (&Path, Policy),
) -> Result<Ending> {
    let signals = Signals::listen()?;
    let (sender, news) = mpsc::channel();
    let heard = {
        let sender = sender.clone();
        move |word| sender.send(News::Agent(word)).is_ok()
    };
    let partner = Partner::start(argv, cwd, heard).with_context(|| {
        let program = argv.first().map(|word| word.to_string_lossy().into_owned());
        format!("could not start {}", program.unwrap_or_default())
    })?;
    let talk = Talk {
        ours,
        partner,
        terminals: Terminals::new(own_program()?, logs.to_owned(), sender),
        policy,
        pulse: Instant::now(),
        over: false,
        spoke: Spoke::Nothing,
    };
    Ok(talk.hold(&signals, &news))
}

/// One conversation.
struct Talk {
    ours: Box<dyn Conversation>,
    partner: Partner,
    terminals: Terminals,
    policy: Policy,
    pulse: Instant,
    over: bool,
    spoke: Spoke,
}

impl Talk {
    /// Until all is said.
    fn hold(mut self, signals: &Signals, news: &Receiver<News>) -> Ending {
        let steps = self.ours.begin();
        self.take(steps);
        let mut stopping: Option<Instant> = None;
        while !self.over {
            if stopping.is_some_and(|since| since.elapsed() > STOPPING) {
                return Ending { code: 130, spoke: self.spoke };
            }
            if stopping.is_none() && signals.asked_to_stop() {
                stopping = Some(Instant::now());
                self.terminals.kill_all();
                let steps = self.ours.cancel();
                self.take(steps);
            }
            match news.recv_timeout(TICK) {
                Ok(News::Agent(Word::Line(line))) => {
                    self.spoke = Spoke::Something;
                    let steps = self.ours.hear(&line);
                    self.take(steps);
                }
                Ok(News::Agent(Word::Silent)) => {
                    // Without its last word; what it said on stderr tells why.
                    let code = self.partner.part(PARTING).and_then(|code| u8::try_from(code).ok());
                    let code = code.filter(|code| *code != 0).unwrap_or(1);
                    return Ending { code, spoke: self.spoke };
                }
                Ok(News::Ended { terminal, how }) => {
                    for (id, answer) in self.terminals.ended(&terminal, how) {
                        self.answer(&id, Ok(answer));
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Ending { code: 1, spoke: self.spoke };
                }
            }
        }
        self.terminals.kill_all();
        // It has said all that is wanted: nothing is gained by waiting for it.
        self.partner.dismiss(PARTING);
        Ending { code: 0, spoke: self.spoke }
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
        let steps = self.ours.done(id, outcome);
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
