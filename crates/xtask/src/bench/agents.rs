//! What a turn of a coding agent costs through Proctor: planned, kept and read, beside the bare program with the same prompt
//! and the same played model, in turn. The programs are those that `scripts/setup-agents` installed.

use super::Bench;
use super::figures::{Chapter, Role, Unit};
use anyhow::{Context, Result, bail};
use proctor_agents::{LaunchPlan, Room, Stream, StreamEnd, TurnAsk, plan};
use proctor_core::agent::{AgentKind, AgentSpec, CliSpec};
use proctor_core::words::{Phase, RunId, TaskId, TaskType};
use proctor_testkit::{ModelServer, RepoBuilder, Script, coding_agent};
use proctor_world::child::{Cancel, Keeper, Launch, Stdin};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ROUNDS: usize = 10;
const WARM_UP: usize = 2;
const GOAL_MS: f64 = 20.0;
const PROMPT: &str = "Say what you did.";
/// What stands before Claude's own program: it is spoken with by ours.
const OUR_WORDS: usize = 3;

type Make = fn(CliSpec) -> AgentKind;

/// The two whose own start takes least, so that ours can be seen at all; one is spoken with, one is listened to.
const MEASURED: [(&str, &str, &str, Make); 2] = [
    ("codex", "gpt-5.5", "/v1", AgentKind::Codex),
    ("claude", "claude-sonnet-4-5", "", AgentKind::Claude),
];

pub fn measure(bench: &Bench) -> Result<Chapter> {
    let mut chapter = Chapter::new("agents", ROUNDS);
    for (name, model, path, make) in MEASURED {
        let Some(program) = coding_agent(name) else {
            chapter.remarks.push(format!("skipped: {name} is not here; scripts/setup-agents"));
            continue;
        };
        let place = Place::make(&bench.proctor)?;
        let answer = json!({"refactored": false, "notes": "nothing to tidy"});
        let turns = 2 * (WARM_UP + ROUNDS);
        let script = (0..turns).fold(Script::new(), |script, _| script.answer(answer.clone()));
        let played = ModelServer::start(script, place.repo.path());
        let cli = CliSpec {
            program: program.display().to_string(),
            model: Some(model.to_owned()),
            base_url: Some(format!("{}{path}", played.url())),
            ..CliSpec::default()
        };
        let spec = AgentSpec::of(name, make(cli));
        let (mut ours, mut bare) = (Vec::new(), Vec::new());
        for _ in 0..WARM_UP + ROUNDS {
            ours.push(place.ours(&spec)?);
            bare.push(place.bare(&spec)?);
        }
        let (ours, bare) = (&ours[WARM_UP..], &bare[WARM_UP..]);
        let through = format!("a turn of {name} through Proctor");
        let through = chapter.add(&through, Role::Ours, Unit::Millis, ours);
        let alone = format!("the same turn of bare {name}");
        let alone = chapter.add(&alone, Role::Yardstick, Unit::Millis, bare);
        let over = through.zip(alone).map(|(through, alone)| through - alone);
        chapter.goal(&format!("Proctor adds to a turn of {name}"), Unit::Millis, over, GOAL_MS);
    }
    Ok(chapter)
}

/// A repository, and a home that stays from turn to turn as it does in a run.
struct Place {
    repo: RepoBuilder,
    folder: tempfile::TempDir,
    proctor: PathBuf,
}

impl Place {
    fn make(proctor: &Path) -> Result<Self> {
        let folder = tempfile::tempdir().context("no folder for a turn")?;
        Ok(Self { repo: RepoBuilder::python_calc(), folder, proctor: proctor.to_owned() })
    }

    fn plan(&self, spec: &AgentSpec) -> Result<LaunchPlan> {
        let room = Room {
            home: self.folder.path().join("home"),
            user_home: self.folder.path().join("nobody"),
            set: BTreeSet::from(["ANTHROPIC_API_KEY".to_owned(), "OPENAI_API_KEY".to_owned()]),
            ..Room::default()
        };
        let planned = plan(
            spec,
            &TurnAsk {
                run: &RunId::new("bench"),
                task: &TaskId::new("bench"),
                kind: TaskType::BugFix,
                phase: Phase::Refactor,
                attempt: 1,
                ask: 1,
                worktree: self.repo.path(),
                scratch: &self.folder.path().join("scratch"),
                prompt: PROMPT,
                own_program: &self.proctor,
                room: &room,
            },
        );
        for folder in &planned.folders {
            std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        }
        for (file, bytes) in &planned.files {
            if let Some(folder) = file.parent() {
                std::fs::create_dir_all(folder)?;
            }
            std::fs::write(file, bytes).with_context(|| file.display().to_string())?;
        }
        Ok(planned)
    }

    fn env(plan: &LaunchPlan) -> BTreeMap<OsString, OsString> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let key = || OsString::from("no-real-key");
        let mut env = BTreeMap::from([
            ("PATH".into(), path),
            ("ANTHROPIC_API_KEY".into(), key()),
            ("OPENAI_API_KEY".into(), key()),
        ]);
        env.extend(plan.env.clone());
        env
    }

    /// The turn as Proctor takes it: its plan, its keeper, its client where there is one, its reading of the stream.
    fn ours(&self, spec: &AgentSpec) -> Result<f64> {
        let began = Instant::now();
        let plan = self.plan(spec)?;
        let launch = Launch {
            argv: plan.argv.clone(),
            cwd: plan.cwd.clone(),
            env: Self::env(&plan),
            stdin: Stdin::File(plan.stdin_file.clone()),
            limit: Duration::from_mins(2),
            logs: self.folder.path().join("logs"),
            name: "agent".to_owned(),
            bounds: None,
        };
        let keeper = Keeper { program: self.proctor.clone(), args: vec!["keep".into()] };
        let ended = keeper.run(&launch, &Cancel::new())?;
        let said = std::fs::read_to_string(&ended.stdout)?;
        read(spec, &plan, &said)?;
        Ok(began.elapsed().as_secs_f64() * 1000.0)
    }

    fn bare(&self, spec: &AgentSpec) -> Result<f64> {
        let plan = self.plan(spec)?;
        let (mut words, mut stdin) = (plan.argv.clone(), plan.stdin_file.clone());
        if let AgentKind::Claude(_) = spec.kind {
            words.drain(..OUR_WORDS);
            words.extend(["--permission-mode", "acceptEdits"].map(OsString::from));
            stdin = self.folder.path().join("message.json");
            let message = json!({"role": "user", "content": PROMPT});
            let line = json!({"type": "user", "message": message, "parent_tool_use_id": null, "session_id": ""});
            std::fs::write(&stdin, format!("{line}\n"))?;
        }
        let began = Instant::now();
        let out = Command::new(&words[0])
            .args(&words[1..])
            .current_dir(&plan.cwd)
            .env_clear()
            .envs(Self::env(&plan))
            .stdin(File::open(&stdin)?)
            .stderr(Stdio::null())
            .output()
            .with_context(|| format!("{} did not start", words[0].display()))?;
        let took = began.elapsed().as_secs_f64() * 1000.0;
        read(spec, &plan, &String::from_utf8_lossy(&out.stdout))?;
        Ok(took)
    }
}

/// A turn that went wrong says nothing about what one costs.
fn read(spec: &AgentSpec, plan: &LaunchPlan, said: &str) -> Result<()> {
    let mut stream = Stream::of(&spec.kind, &plan.cwd);
    for line in said.lines() {
        stream.line(line);
    }
    match &stream.heard().end {
        Some(StreamEnd::Good) => Ok(()),
        other => bail!("a turn of {} ended with {other:?}\n{said}", spec.name),
    }
}
