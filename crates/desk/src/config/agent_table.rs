//! `[agents.NAME]` in proctor.toml: what may stand there for each kind of agent, and what is made of it.

use crate::config::value::{Cost, Words};
use proctor_agents::api::Dialect;
use proctor_core::agent::{ApiSpec, CliSpec, Price, ProjectSettings, SessionPolicy};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How an agent is started.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct AgentTable {
    pub kind: AgentWord,
    /// For `command` and `acp`: the program and its arguments, as one text or as a list of words. No shell is involved.
    pub command: Option<Words>,
    /// For `script`: the scenario file.
    pub file: Option<String>,
    /// Names of environment variables that this agent gets beside the usual few, such as its model's key.
    pub env: Vec<String>,
    /// Files and folders that this agent may read, such as its own settings; `~/` is your home.
    pub read: Vec<String>,
    /// Files and folders that this agent gets a copy of in their place, so that it may change them for a turn.
    pub copy: Vec<String>,
    /// For a coding agent: its program, where it is not found by its name.
    pub program: Option<String>,
    /// For a coding agent: the model, in its own words.
    pub model: Option<String>,
    /// For `goose` and `opencode`: whose model it is. For `api`: how it speaks, `anthropic` or `openai` (which most local
    /// servers do).
    pub provider: Option<String>,
    /// For a coding agent: another place where the model answers, such as a gateway or a local server.
    pub base_url: Option<String>,
    /// For `acp`: the mode that its sessions are put in, in its own words.
    pub mode: Option<String>,
    /// For a coding agent: more arguments, as they are.
    pub args: Vec<String>,
    /// For a coding agent: whether turns go on in its earlier sessions. `resume` where it is not given.
    #[schemars(with = "Option<SessionWord>")]
    pub session: Option<SessionPolicy>,
    /// For a coding agent: use the settings, hooks, servers and plugins that the repository brings for it. They can start
    /// programs.
    pub project_settings: Option<bool>,
    /// For `api`: the variable that holds the key, where it is not the provider's usual one.
    pub key_env: Option<String>,
    /// For `api`: how many tokens the model remembers.
    #[schemars(range(min = 2000))]
    pub context_tokens: Option<u64>,
    /// For `api`: the longest answer, in tokens.
    pub max_output_tokens: Option<u64>,
    /// For a coding agent: the most calls of the model in one turn, where the program can be told.
    pub max_turns: Option<u32>,
    /// For a coding agent that does not say what it costs: what its tokens cost.
    pub price: Option<PriceTable>,
}

/// What a million tokens cost, in US dollars.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PriceTable {
    pub input: Cost,
    pub output: Cost,
    /// Input that the model had seen before; as much as other input where it is not given.
    pub cached: Option<Cost>,
}

/// The kinds of agents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AgentWord {
    /// Any program: prompt on stdin, a JSON object out.
    #[default]
    Command,
    /// A scenario file that is played back.
    Script,
    /// Claude Code.
    Claude,
    /// Codex CLI.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// `opencode`.
    Opencode,
    /// `goose`.
    Goose,
    /// Our own loop on a model's API, hosted or local.
    Api,
    /// Any program that speaks the Agent Client Protocol.
    Acp,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "snake_case", inline)]
#[expect(dead_code, reason = "it only lends its shape to the schema")]
enum SessionWord {
    New,
    Resume,
    Fork,
    MergeFork,
}

impl AgentWord {
    /// The coding agent that has a driver; none for the other kinds.
    pub fn cli(self) -> Option<&'static str> {
        match self {
            Self::Command | Self::Script | Self::Api => None,
            Self::Claude => Some("claude"),
            Self::Codex => Some("codex"),
            Self::Gemini => Some("gemini"),
            Self::Opencode => Some("opencode"),
            Self::Goose => Some("goose"),
            Self::Acp => Some("acp"),
        }
    }

    /// The kind by its name, for agents that nobody configured.
    pub fn by_name(name: &str) -> Option<Self> {
        [Self::Claude, Self::Codex, Self::Gemini, Self::Opencode, Self::Goose]
            .into_iter()
            .find(|word| word.cli() == Some(name))
    }
}

impl AgentTable {
    /// What the types can't say.
    pub fn check(&self) -> Result<(), &'static str> {
        match (self.kind, &self.command, &self.file) {
            (AgentWord::Command | AgentWord::Acp, None, _) => return Err("needs `command`"),
            (AgentWord::Acp, Some(_), Some(_)) => {
                return Err("is a coding agent and can't have `file`");
            }
            (AgentWord::Command, Some(_), Some(_)) => {
                return Err("is a command and can't have `file`");
            }
            (AgentWord::Script, _, None) => return Err("is a script and needs `file`"),
            (AgentWord::Script, Some(_), Some(_)) => {
                return Err("is a script and can't have `command`");
            }
            (AgentWord::Command | AgentWord::Script | AgentWord::Acp, _, _) | (_, None, None) => {}
            (_, Some(_), _) => {
                return Err(
                    "is a coding agent and can't have `command`; its place is `program`, more arguments are `args`",
                );
            }
            (_, None, Some(_)) => return Err("is a coding agent and can't have `file`"),
        }
        if self.kind == AgentWord::Api {
            return self.check_api();
        }
        if self.key_env.is_some()
            || self.context_tokens.is_some()
            || self.max_output_tokens.is_some()
        {
            return Err(
                "can't have `key_env`, `context_tokens` or `max_output_tokens`: they are for the kind `api`",
            );
        }
        if self.kind == AgentWord::Acp && self.program.is_some() {
            return Err("has its program in `command` and can't have `program`");
        }
        if self.kind != AgentWord::Acp && self.mode.is_some() {
            return Err("can't have `mode`; that is for `acp`");
        }
        if self.kind.cli().is_none() && self.cli() != CliSpec::default() {
            return Err(
                "is no coding agent: `program`, `model`, `provider`, `base_url`, `args`, `session`, `project_settings`, `max_turns` and `price` are for those",
            );
        }
        if self.kind == AgentWord::Opencode && self.base_url.is_some() && self.model.is_none() {
            return Err("needs `model` beside `base_url`");
        }
        if self.kind == AgentWord::Goose && self.base_url.is_some() && self.provider.is_none() {
            return Err("needs `provider` beside `base_url`");
        }
        Ok(())
    }

    fn check_api(&self) -> Result<(), &'static str> {
        let provider = self.provider.as_deref().and_then(Dialect::by_name);
        if provider.is_none() {
            return Err(
                "needs `provider`: anthropic, or openai for everything that speaks chat completions",
            );
        }
        if self.model.is_none() {
            return Err("needs `model`");
        }
        if self.program.is_some() || !self.args.is_empty() || self.project_settings.is_some() {
            return Err(
                "has no program of its own: it can't have `program`, `args` or `project_settings`",
            );
        }
        let url = self.base_url.as_deref();
        if url.is_some_and(|url| !url.starts_with("http://") && !url.starts_with("https://")) {
            return Err("needs a `base_url` that begins with http:// or https://");
        }
        if self.context_tokens.is_some_and(|tokens| tokens < 2000) {
            return Err("needs more `context_tokens`: 2000 at least");
        }
        Ok(())
    }

    /// What the loop is told.
    pub fn api(&self) -> ApiSpec {
        ApiSpec {
            cli: self.cli(),
            key_env: self.key_env.clone(),
            context_tokens: self.context_tokens,
            max_output_tokens: self.max_output_tokens,
        }
    }

    /// What the program is told; where it lies is found elsewhere.
    pub fn cli(&self) -> CliSpec {
        let settings = match self.project_settings {
            Some(true) => ProjectSettings::Used,
            Some(false) | None => ProjectSettings::Ignored,
        };
        CliSpec {
            program: self.program.clone().unwrap_or_default(),
            model: self.model.clone(),
            provider: self.provider.clone(),
            base_url: self.base_url.clone(),
            args: self.args.clone(),
            session: self.session.unwrap_or_default(),
            project_settings: settings,
            max_turns: self.max_turns,
            price: self.price.map(|price| Price {
                input: price.input.micro_usd(),
                output: price.output.micro_usd(),
                cached: price.cached.map(Cost::micro_usd),
            }),
        }
    }
}
