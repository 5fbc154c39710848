//! Who does the work: how an agent is started, and the sessions that it keeps. Knows no program's flags; those are the
//! drivers'.

use crate::brief::Reach;
use crate::run::Run;
use crate::words::{Phase, Role};
use serde::{Deserialize, Serialize};

/// How an agent is started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentSpec {
    pub name: String,
    /// Names of environment variables that this agent gets beside the fixed list, such as its model's key.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<String>,
    /// What this agent may read beside the system and toolchains, such as its own settings. Absolute.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub read: Vec<String>,
    /// What it gets a copy of at the same place, so that it may change it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub copy: Vec<String>,
    #[serde(flatten)]
    pub kind: AgentKind,
}

impl AgentSpec {
    /// One that gets nothing beside what all get.
    pub fn of(name: impl Into<String>, kind: AgentKind) -> Self {
        let (env, read, copy) = (Vec::new(), Vec::new(), Vec::new());
        Self { name: name.into(), env, read, copy, kind }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum AgentKind {
    /// Any program that takes the prompt on stdin.
    Command {
        argv: Vec<String>,
    },
    /// A scenario file that is played back.
    Script {
        file: String,
    },
    Claude(CliSpec),
    Codex(CliSpec),
    Gemini(CliSpec),
    Opencode(CliSpec),
    Goose(CliSpec),
    /// Our own loop on a model's API.
    Api(ApiSpec),
    /// Any program that speaks the Agent Client Protocol.
    Acp(AcpSpec),
}

impl AgentKind {
    /// The wire value.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Command { .. } => "command",
            Self::Script { .. } => "script",
            Self::Claude(_) => "claude",
            Self::Codex(_) => "codex",
            Self::Gemini(_) => "gemini",
            Self::Opencode(_) => "opencode",
            Self::Goose(_) => "goose",
            Self::Api(_) => "api",
            Self::Acp(_) => "acp",
        }
    }

    /// The same to be changed.
    pub fn cli_mut(&mut self) -> Option<&mut CliSpec> {
        match self {
            Self::Command { .. } | Self::Script { .. } => None,
            Self::Claude(cli)
            | Self::Codex(cli)
            | Self::Gemini(cli)
            | Self::Opencode(cli)
            | Self::Goose(cli) => Some(cli),
            Self::Api(api) => Some(&mut api.cli),
            Self::Acp(acp) => Some(&mut acp.cli),
        }
    }

    /// What a coding agent's own program is told; none for other kinds.
    pub fn cli(&self) -> Option<&CliSpec> {
        match self {
            Self::Command { .. } | Self::Script { .. } => None,
            Self::Claude(cli)
            | Self::Codex(cli)
            | Self::Gemini(cli)
            | Self::Opencode(cli)
            | Self::Goose(cli) => Some(cli),
            Self::Api(api) => Some(&api.cli),
            Self::Acp(acp) => Some(&acp.cli),
        }
    }
}

/// An agent that speaks the Agent Client Protocol: its program is `cli.program`, the words after it are `cli.args`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AcpSpec {
    #[serde(flatten)]
    pub cli: CliSpec,
    /// The mode that its sessions are put in, in its own words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
    #[serde(default)]
    pub make: Make,
}

/// Whose program speaks the protocol: what is known of it is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Make {
    /// Nothing is known but what it says itself.
    #[default]
    Other,
    Claude,
    Codex,
    Gemini,
    Opencode,
    Goose,
}

impl Make {
    /// The driver that knows the same program by its own ways.
    pub fn driver(self) -> Option<&'static str> {
        match self {
            Self::Other => None,
            Self::Claude => Some("claude"),
            Self::Codex => Some("codex"),
            Self::Gemini => Some("gemini"),
            Self::Opencode => Some("opencode"),
            Self::Goose => Some("goose"),
        }
    }
}

/// A coding agent's own program, and how it is to be used.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CliSpec {
    /// Its full path.
    pub program: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Whose model it is, where the program knows several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// Another place where the model answers, such as a gateway or a local server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    /// More arguments, as they are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    #[serde(default)]
    pub session: SessionPolicy,
    #[serde(default)]
    pub project_settings: ProjectSettings,
    /// The most calls of the model in one turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_turns: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<Price>,
}

/// A model by its API, and how it is to be used. There is no program: the loop is our own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApiSpec {
    #[serde(flatten)]
    pub cli: CliSpec,
    /// The variable that holds its key, where it is not the provider's usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_env: Option<String>,
    /// How many tokens the model remembers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_tokens: Option<u64>,
    /// The longest answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_output_tokens: Option<u64>,
}

/// Whether a turn goes on in a conversation that was there before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SessionPolicy {
    /// Each turn begins afresh. Only a turn that is asked again goes on where it was.
    New,
    /// Each role goes on in its own.
    #[default]
    Resume,
    /// A role's first turn branches off the latest session of the same agent, and then goes on in that branch.
    Fork,
    /// The same, and what every other session came to is told in the prompt.
    MergeFork,
}

impl SessionPolicy {
    pub const ALL: [Self; 4] = [Self::New, Self::Resume, Self::Fork, Self::MergeFork];

    /// The wire value.
    pub fn name(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Resume => "resume",
            Self::Fork => "fork",
            Self::MergeFork => "merge_fork",
        }
    }
}

/// Whether the settings that a repository brings for the agent's program are in force. They can start programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProjectSettings {
    #[default]
    Ignored,
    Used,
}

/// What a million tokens cost, in millionths of a US dollar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Price {
    pub input: u64,
    pub output: u64,
    /// Input that the model had seen before; as much as other input where it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached: Option<u64>,
}

/// How a turn begins.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "session", rename_all = "kebab-case")]
pub enum Session {
    #[default]
    New,
    Resume {
        id: String,
    },
    Fork {
        id: String,
    },
}

impl Session {
    /// The session that it goes on from.
    pub fn from(&self) -> Option<&str> {
        match self {
            Self::New => None,
            Self::Resume { id } | Self::Fork { id } => Some(id),
        }
    }
}

/// A session of an agent, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionMark {
    pub agent: String,
    pub id: String,
    /// The last turn that was taken in it.
    pub phase: Phase,
    pub attempt: u32,
    /// What the program last said that the whole session had used, where it counts so.
    #[serde(default, skip_serializing_if = "Tally::is_none")]
    pub total: Tally,
}

/// Tokens and money of a whole session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    pub tokens: u64,
    pub micro_usd: u64,
}

impl Tally {
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// What an agent said at the end of a turn, for a conversation that can't be gone on with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told {
    pub agent: String,
    pub phase: Phase,
    pub attempt: u32,
    pub notes: String,
}

impl Run {
    /// How a turn begins: where it was cut off, in its role's session, or afresh.
    pub fn session_for(&self, phase: Phase, attempt: u32) -> Session {
        let role = phase.role();
        let Some(spec) = self.brief.agents.get(&role) else { return Session::New };
        let Some(cli) = spec.kind.cli() else { return Session::New };
        let mut of_agent = self.sessions.iter().rev().filter(|(_, mark)| mark.agent == spec.name);
        let own = of_agent.clone().find(|(of, _)| *of == role).map(|(_, mark)| mark);
        let resume = |mark: &SessionMark| Session::Resume { id: mark.id.clone() };
        if let Some(mark) = own
            && (mark.phase, mark.attempt) == (phase, attempt)
        {
            return resume(mark);
        }
        match (cli.session, own) {
            (SessionPolicy::New, _) | (SessionPolicy::Resume, None) => Session::New,
            (SessionPolicy::Resume | SessionPolicy::Fork | SessionPolicy::MergeFork, Some(own)) => {
                resume(own)
            }
            (SessionPolicy::Fork | SessionPolicy::MergeFork, None) => match of_agent.next() {
                Some((_, mark)) => Session::Fork { id: mark.id.clone() },
                None => Session::New,
            },
        }
    }

    /// What the session that a turn goes on from had used by then. Roles with homes of their own may have sessions of the
    /// same name.
    pub fn tally_of(&self, role: Role, session: &Session) -> Tally {
        let agent = self.brief.agents.get(&role).map(|spec| &spec.name);
        let mut marks = self.sessions.iter().rev();
        let mark = match session {
            Session::New => None,
            Session::Resume { id } => marks.find(|(of, mark)| *of == role && mark.id == *id),
            Session::Fork { id } => {
                marks.find(|(_, mark)| Some(&mark.agent) == agent && mark.id == *id)
            }
        };
        mark.map(|(_, mark)| mark.total).unwrap_or_default()
    }

    /// What must be told in the prompt, because no session carries it: the turns of the other roles.
    pub fn history_for(&self, phase: Phase, session: &Session) -> Vec<&Told> {
        let role = phase.role();
        let policy = self.brief.agents.get(&role).and_then(|spec| spec.kind.cli());
        let wanted = match (policy.map(|cli| cli.session), session) {
            (Some(SessionPolicy::MergeFork), Session::New | Session::Fork { .. })
            | (Some(SessionPolicy::Fork), Session::New) => true,
            (Some(_) | None, _) => false,
        };
        self.told.iter().filter(|told| wanted && told.phase.role() != role).collect()
    }
}

impl AgentKind {
    /// A program may have to ask a model; a scenario asks nobody.
    pub fn reach(&self) -> Reach {
        match self {
            Self::Command { .. }
            | Self::Claude(_)
            | Self::Codex(_)
            | Self::Gemini(_)
            | Self::Opencode(_)
            | Self::Goose(_)
            | Self::Api(_)
            | Self::Acp(_) => Reach::Open,
            Self::Script { .. } => Reach::Loopback,
        }
    }
}

#[cfg(test)]
#[path = "agent_tests.rs"]
mod tests;
