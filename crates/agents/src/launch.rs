//! How an agent is started for one turn: program, folder, environment, files. Nothing is started or written here.

use crate::{acp, api, claude, codex, gemini, goose, opencode};
use proctor_core::agent::Session;
use proctor_core::brief::{AgentKind, AgentSpec};
use proctor_core::secret::Allowed;
use proctor_core::turn;
pub use proctor_core::words::Hands;
use proctor_core::words::{Phase, RunId, TaskId, TaskType};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// One turn that is asked of an agent.
#[derive(Clone, Copy, Debug)]
pub struct TurnAsk<'a> {
    pub run: &'a RunId,
    pub task: &'a TaskId,
    pub kind: TaskType,
    pub phase: Phase,
    /// Counts the turns of this phase in the run, from 1.
    pub attempt: u32,
    /// Counts how often this same turn was asked for usable output, from 1.
    pub ask: u32,
    /// Where the agent works, subfolder included.
    pub worktree: &'a Path,
    /// A folder for this turn's own files, outside the worktree; the agent may write there.
    pub scratch: &'a Path,
    pub prompt: &'a str,
    /// The program `proctor` itself, which plays scenarios.
    pub own_program: &'a Path,
    pub room: &'a Room,
}

/// What a coding agent's own program finds around it.
#[derive(Clone, Debug, Default)]
pub struct Room {
    /// Its home in this run. It stays from turn to turn, since its sessions lie there.
    pub home: PathBuf,
    /// The user's own home, where a login may lie.
    pub user_home: PathBuf,
    pub session: Session,
    /// Files of the tree that this turn may not change, seen from the worktree.
    pub sealed: Vec<String>,
    /// Which files it is there to change.
    pub side: Side,
    /// What holds it from outside: a program's own sandbox can't be made within a strong one.
    pub walls: Walls,
    /// What is left of the run's money, in millionths of a US dollar.
    pub money_left: Option<u64>,
    /// Files that may hold what looks like a secret.
    pub allowed_secrets: Allowed,
    /// Which of the user's variables are set.
    pub set: BTreeSet<String>,
}

/// The files that a turn is there to change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// Nobody looks.
    #[default]
    Any,
    Tests,
    /// Code, and no test.
    Code,
    /// Code, and tests as far as that is proven to do no harm.
    Both,
}

/// What a child is held by, whatever its program does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Walls {
    /// Nothing, or not everything.
    #[default]
    Weak,
    Strong,
}

/// Everything that the one who starts the child needs to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaunchPlan {
    pub argv: Vec<OsString>,
    pub cwd: PathBuf,
    /// What the contract with agents promises, and what the program needs. The caller adds `PATH`, `HOME` and the
    /// like where they are not here.
    pub env: BTreeMap<OsString, OsString>,
    /// Names of the user's variables that are passed on beside those that the configuration names: the keys that this
    /// kind of agent is known to use.
    pub pass: Vec<&'static str>,
    /// Names that the caller usually passes on and that must not get here.
    pub withhold: Vec<&'static str>,
    pub stdin_file: PathBuf,
    /// To be written before the start. The output file is among them, empty, so that the answer of an earlier
    /// ask can't be taken for this one's.
    pub files: Vec<(PathBuf, Vec<u8>)>,
    /// To be there before the start.
    pub folders: Vec<PathBuf>,
    /// Files of the user's own login that are copied in, where they are there, and back where the program renewed them.
    pub logins: Vec<(PathBuf, PathBuf)>,
    /// Variables of the user's whose values are written to files that only the user can read, instead of the environment. The
    /// program removes each when it has read it.
    pub keys: Vec<(String, PathBuf)>,
    /// Of the worktree, to be out of the way while the program runs: it would start what lies there.
    pub aside: Vec<&'static str>,
    pub output_file: PathBuf,
    /// The session's id, where it is ours to choose.
    pub session: Option<String>,
    pub needs: Needs,
}

/// What must be let in where the child is shut off from the rest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Folders beside the system's own that it reads.
    pub read: Vec<PathBuf>,
    /// Folders that it writes.
    pub write: Vec<PathBuf>,
    pub network: Network,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Network {
    /// It has to reach its model.
    #[default]
    Needed,
    NotNeeded,
}

impl TurnAsk<'_> {
    pub(crate) fn hands(&self) -> Hands {
        self.phase.hands()
    }

    pub(crate) fn prompt_file(&self) -> PathBuf {
        self.scratch.join("prompt.md")
    }

    pub(crate) fn schema_file(&self) -> PathBuf {
        self.scratch.join("schema.json")
    }

    pub(crate) fn schema(&self) -> serde_json::Value {
        turn::schema(self.phase, self.kind)
    }

    /// A folder for what would else go to the machine's own.
    pub(crate) fn tmp(&self) -> PathBuf {
        self.room.home.join("tmp")
    }
}

/// Plans the launch of an agent for one turn.
pub fn plan(spec: &AgentSpec, ask: &TurnAsk<'_>) -> LaunchPlan {
    let mut plan = contract(ask);
    match &spec.kind {
        AgentKind::Command { argv } => plan.argv = argv.iter().map(OsString::from).collect(),
        AgentKind::Script { file } => {
            plan.argv = vec![ask.own_program.into(), "play".into(), file.into()];
            plan.needs.network = Network::NotNeeded;
        }
        AgentKind::Claude(cli) => claude::plan(&mut plan, cli, ask),
        AgentKind::Codex(cli) => codex::plan(&mut plan, cli, ask),
        AgentKind::Gemini(cli) => gemini::plan(&mut plan, cli, ask),
        AgentKind::Opencode(cli) => opencode::plan(&mut plan, cli, ask),
        AgentKind::Goose(cli) => goose::plan(&mut plan, cli, ask),
        AgentKind::Api(api) => api::plan(&mut plan, api, ask),
        AgentKind::Acp(spec) => acp::plan(&mut plan, spec, ask),
    }
    plan
}

/// What is the same for every agent.
fn contract(ask: &TurnAsk<'_>) -> LaunchPlan {
    let (prompt, schema) = (ask.prompt_file(), ask.schema_file());
    let output = ask.scratch.join("output.json");
    let env = [
        ("PROCTOR_RUN", ask.run.as_str().into()),
        ("PROCTOR_TASK", ask.task.as_str().into()),
        ("PROCTOR_PHASE", ask.phase.name().into()),
        ("PROCTOR_ATTEMPT", ask.attempt.to_string().into()),
        ("PROCTOR_ASK", ask.ask.to_string().into()),
        ("PROCTOR_PROMPT", prompt.clone().into_os_string()),
        ("PROCTOR_SCHEMA", schema.clone().into_os_string()),
        ("PROCTOR_OUTPUT", output.clone().into_os_string()),
    ]
    .into_iter()
    .map(|(name, value)| (OsString::from(name), value))
    .collect();
    let schema_text = format!("{:#}\n", ask.schema());
    LaunchPlan {
        argv: Vec::new(),
        cwd: ask.worktree.to_owned(),
        env,
        pass: Vec::new(),
        withhold: Vec::new(),
        stdin_file: prompt.clone(),
        files: vec![
            (prompt, ask.prompt.as_bytes().to_vec()),
            (schema, schema_text.into_bytes()),
            (output.clone(), Vec::new()),
        ],
        folders: Vec::new(),
        logins: Vec::new(),
        keys: Vec::new(),
        aside: Vec::new(),
        output_file: output,
        session: None,
        needs: Needs {
            read: Vec::new(),
            write: vec![ask.worktree.to_owned(), ask.scratch.to_owned()],
            network: Network::Needed,
        },
    }
}

impl LaunchPlan {
    pub(crate) fn word(&mut self, word: impl Into<OsString>) -> &mut Self {
        self.argv.push(word.into());
        self
    }

    pub(crate) fn words<W: Into<OsString>>(&mut self, words: impl IntoIterator<Item = W>) {
        self.argv.extend(words.into_iter().map(Into::into));
    }

    pub(crate) fn set(&mut self, name: &str, value: impl Into<OsString>) {
        self.env.insert(name.into(), value.into());
    }

    /// The program's own home and temporary folder in this run, and the program's place.
    pub(crate) fn move_in(&mut self, program: &str, ask: &TurnAsk<'_>) {
        self.word(program);
        self.at_home(ask);
        self.needs.read.push(installed(Path::new(program)));
    }

    /// A home and a temporary folder of its own in this run.
    pub(crate) fn at_home(&mut self, ask: &TurnAsk<'_>) {
        let (home, tmp) = (ask.room.home.clone(), ask.tmp());
        self.set("HOME", home.clone());
        self.set("TMPDIR", tmp.clone());
        self.withhold.extend(["XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"]);
        self.needs.write.push(home);
        self.folders.push(tmp);
    }

    /// A file of the user's login, for when no key is set: `from` below the user's home, `to` below the agent's.
    pub(crate) fn login(&mut self, ask: &TurnAsk<'_>, from: &str, to: &str) {
        self.logins.push((ask.room.user_home.join(from), ask.room.home.join(to)));
    }
}

/// The folder that holds a program and what belongs to it: where it lies in a `bin` folder, the one above.
fn installed(program: &Path) -> PathBuf {
    let folder = program.parent().unwrap_or(program);
    match folder.file_name() {
        Some(name) if name == "bin" => folder.parent().unwrap_or(folder).to_owned(),
        _ => folder.to_owned(),
    }
}

#[cfg(test)]
#[path = "launch_tests.rs"]
mod tests;
