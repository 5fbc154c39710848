//! `proctor agent-loop`: a small coding agent on a model's API. The thin shell around the loop: keys, files, the clock and
//! the two ways out. What is to be done next is decided by `proctor_agents::api`.

pub mod acp;
mod acp_files;
mod acp_terminals;
pub mod args;
pub mod claude_turn;
mod conversation;
mod hands;
mod line;

use crate::agent_loop::args::LoopArgs;
use crate::agent_loop::hands::{LoopHands, Secrets, below_top};
use crate::agent_loop::line::Line;
use crate::args::Format;
use crate::out;
use anyhow::{Context, Result};
use proctor_agents::Stream;
use proctor_agents::api::{Ending, Failure, Rounds, Step, Tale, Talk};
use proctor_core::agent::{AgentKind, ApiSpec};
use proctor_core::secret::{Known, Redactor};
use proctor_desk::surroundings::Surroundings;
use proctor_desk::told::usage;
use proctor_world::discreet::keep_to_itself;
use serde::{Deserialize, Serialize};
use std::collections::hash_map::RandomState;
use std::ffi::OsString;
use std::fs;
use std::hash::{BuildHasher, Hasher};
use std::io::{self, Read};
use std::path::PathBuf;
use std::time::Duration;

/// The exit code of an agent's failure, as at the end of a run.
const AGENT_ERROR: u8 = 8;

/// A conversation as it is kept.
#[derive(Serialize, Deserialize)]
struct Kept {
    version: u32,
    talk: Talk,
}

const VERSION: u32 = 1;

pub fn agent_loop(around: &Surroundings, args: &LoopArgs) -> Result<u8> {
    // Before the key is read: what the model runs is of the same user.
    keep_to_itself();
    let name = args.key_env.as_deref().unwrap_or(args.provider.key()).to_owned();
    let key = key(around, args, &name)?;
    let rules = args.rules(&around.cwd)?;
    let mut voice = Voice::new(args.format, &around.cwd);
    let store = Store::of(args)?;
    if let Some(id) = &store.id {
        voice.tell(&Tale::Session { id: id.clone() });
    }
    let Some(talk) = store.load(args.resume.as_deref())? else {
        return Ok(voice.end(&Ending::Failed(Failure::SessionGone)));
    };
    let prompt = match &args.text {
        Some(text) => text.clone(),
        None => {
            io::read_to_string(io::stdin().lock()).context("the task can't be read from stdin")?
        }
    };
    if prompt.trim().is_empty() {
        return Err(usage("there is nothing to do\nhint: give the task as text, or on stdin"));
    }
    if key.is_none() && args.base_url.is_none() {
        let said = format!("{name} is not set");
        return Ok(voice.end(&Ending::Failed(Failure::NoLogin { said })));
    }
    let mut env = around.env.clone();
    env.remove(&OsString::from(&name));
    let known: Vec<Known> = key
        .iter()
        .map(|key| Known { name: name.clone(), value: key.clone().into_bytes() })
        .collect();
    let secrets = Secrets {
        redactor: Redactor::knowing(&known),
        allowed: args.allowed_secrets()?,
        below: below_top(&around.cwd),
    };
    let hands = LoopHands::new(&around.cwd, env, secrets)?;
    let line = Line::to(args.provider, args.base_url.as_deref(), key).map_err(usage)?;
    let rounds = Rounds::begin(rules, talk, &prompt);
    turn(rounds, &line, &hands, &store, &mut voice)
}

fn turn(
    mut rounds: Rounds,
    line: &Line,
    hands: &LoopHands,
    store: &Store,
    voice: &mut Voice,
) -> Result<u8> {
    loop {
        let step = rounds.step();
        for tale in rounds.tales() {
            voice.tell(&tale);
        }
        match step {
            Step::Ask(body) => {
                store.save(rounds.talk())?;
                match line.ask(&body, &mut || voice.tell(&Tale::Progress)) {
                    Ok(answer) => rounds.answered(answer),
                    Err(fault) => rounds.failed(fault, jitter()),
                }
            }
            Step::Use(deeds) => {
                store.save(rounds.talk())?;
                let brought = deeds.iter().map(|(id, deed)| hands.carry(id, deed)).collect();
                rounds.brought(brought);
            }
            Step::Wait { ms } => std::thread::sleep(Duration::from_millis(ms)),
            Step::End(ending) => {
                store.save(rounds.talk())?;
                return Ok(voice.end(&ending));
            }
        }
    }
}

/// The key: out of its file, which is gone then, else out of the environment.
fn key(around: &Surroundings, args: &LoopArgs, name: &str) -> Result<Option<String>> {
    let text = match &args.key_file {
        Some(file) => {
            let mut text = String::new();
            let read = fs::File::open(file).and_then(|mut file| file.read_to_string(&mut text));
            fs::remove_file(file)
                .and(read)
                .map_err(|why| usage(format!("--key-file {}: {why}", file.display())))?;
            text
        }
        None => match around.var(name) {
            Some(value) => value.to_string_lossy().into_owned(),
            None => return Ok(None),
        },
    };
    let text = text.trim();
    if text.is_empty() || text.chars().any(char::is_control) {
        return Err(usage(format!(
            "the key in {name} can't be used: it is empty or no single line"
        )));
    }
    Ok(Some(text.to_owned()))
}

/// Where conversations are kept.
struct Store {
    folder: Option<PathBuf>,
    id: Option<String>,
}

impl Store {
    fn of(args: &LoopArgs) -> Result<Self> {
        if let Some(folder) = &args.sessions {
            fs::create_dir_all(folder)
                .with_context(|| format!("{} can't be made", folder.display()))?;
        }
        let id = args.session.clone().or_else(|| args.resume.clone());
        Ok(Self { folder: args.sessions.clone(), id })
    }

    fn file(&self, id: &str) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(format!("{id}.json")))
    }

    /// The conversation that is gone on with, or a new one. None where it is not there any more.
    fn load(&self, resume: Option<&str>) -> Result<Option<Talk>> {
        let Some(file) = resume.and_then(|id| self.file(id)) else {
            return Ok(Some(Talk::default()));
        };
        let bytes = match fs::read(&file) {
            Ok(bytes) => bytes,
            Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(why) => {
                return Err(why).with_context(|| format!("{} can't be read", file.display()));
            }
        };
        let kept: Option<Kept> = serde_json::from_slice(&bytes).ok();
        Ok(kept.filter(|kept| kept.version == VERSION).map(|kept| kept.talk))
    }

    fn save(&self, talk: &Talk) -> Result<()> {
        let Some(file) = self.id.as_ref().and_then(|id| self.file(id)) else { return Ok(()) };
        let kept = serde_json::to_vec(&Kept { version: VERSION, talk: talk.clone() })?;
        let beside = file.with_extension("new");
        fs::write(&beside, kept)
            .and_then(|()| fs::rename(&beside, &file))
            .with_context(|| format!("{} can't be written", file.display()))
    }
}

/// How it is told: lines of JSON, or short notes and the answer.
struct Voice {
    format: Format,
    stream: Stream,
}

impl Voice {
    fn new(format: Format, folder: &std::path::Path) -> Self {
        let kind = AgentKind::Api(ApiSpec::default());
        Self { format, stream: Stream::of(&kind, folder) }
    }

    fn tell(&mut self, tale: &Tale) {
        let Ok(line) = serde_json::to_string(tale) else { return };
        match self.format {
            Format::Json => out::json(&line),
            Format::Text => {
                for note in self.stream.line(&line) {
                    out::talk(&proctor_desk::text::harmless::one_line(&note));
                }
            }
        }
    }

    fn end(&mut self, ending: &Ending) -> u8 {
        match (self.format, ending) {
            (Format::Json, _) => self.tell(&ending.tale()),
            (Format::Text, Ending::Good { object: Some(object), .. }) => {
                out::data(&format!("{:#}", serde_json::Value::Object(object.clone())));
            }
            (Format::Text, Ending::Good { object: None, text }) => {
                out::data(&proctor_desk::text::harmless::harmless(text));
            }
            (Format::Text, Ending::Failed(_)) => {
                out::error(&proctor_desk::text::harmless::harmless(
                    ending.fault().unwrap_or_default(),
                ));
            }
        }
        if ending.fault().is_none() { 0 } else { AGENT_ERROR }
    }
}

/// Between 0 and 1, different each time.
fn jitter() -> f64 {
    let random = RandomState::new().build_hasher().finish();
    let [a, b, c, d, ..] = random.to_le_bytes();
    f64::from(u32::from_le_bytes([a, b, c, d])) / f64::from(u32::MAX)
}
