//! What is known of each coding agent without starting it: its program, its keys and login, what it can do.

use crate::{acp, api, claude, codex, gemini, goose, opencode};
use proctor_core::agent::{AgentKind, CliSpec};

/// A coding agent that has a driver.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// Its kind in the configuration, and its program's name.
    pub name: &'static str,
    /// Variables of which one is enough to use it.
    pub keys: &'static [&'static str],
    /// A file below the user's home that holds a login.
    pub login: &'static str,
    /// What to do where there is neither.
    pub remedy: &'static str,
    make: fn(CliSpec) -> AgentKind,
}

pub const KNOWN: [Known; 5] = [
    Known {
        name: "claude",
        keys: &["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
        login: claude::LOGIN,
        remedy: claude::REMEDY,
        make: AgentKind::Claude,
    },
    Known {
        name: "codex",
        keys: &codex::KEYS,
        login: codex::LOGIN,
        remedy: codex::REMEDY,
        make: AgentKind::Codex,
    },
    Known {
        name: "gemini",
        keys: &["GEMINI_API_KEY", "GOOGLE_GENAI_USE_VERTEXAI"],
        login: gemini::LOGIN,
        remedy: gemini::REMEDY,
        make: AgentKind::Gemini,
    },
    Known {
        name: "opencode",
        keys: &[],
        login: opencode::LOGIN,
        remedy: opencode::REMEDY,
        make: AgentKind::Opencode,
    },
    Known {
        name: "goose",
        keys: &[],
        login: goose::CONFIG,
        remedy: goose::REMEDY,
        make: AgentKind::Goose,
    },
];

impl Known {
    pub fn by_name(name: &str) -> Option<Self> {
        KNOWN.into_iter().find(|known| known.name == name)
    }

    pub fn kind(self, cli: CliSpec) -> AgentKind {
        (self.make)(cli)
    }
}

/// Where the JSON object goes, in words for the prompt.
pub fn output_hint(kind: &AgentKind) -> &'static str {
    match kind {
        AgentKind::Command { .. } | AgentKind::Script { .. } => {
            "Write it to the file that the environment variable PROCTOR_OUTPUT names, or print it as the last thing on standard output."
        }
        AgentKind::Claude(_)
        | AgentKind::Codex(_)
        | AgentKind::Gemini(_)
        | AgentKind::Opencode(_)
        | AgentKind::Goose(_)
        | AgentKind::Acp(_) => "Return it as your final answer, with nothing after it.",
        AgentKind::Api(_) => {
            "Return it with the tool `finish`; where there is no such tool, as the end of your last answer."
        }
    }
}

/// Whether a session can be branched off another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forks {
    Can,
    /// What was said before is told in the prompt instead.
    Cannot,
}

impl Forks {
    pub fn of(kind: &AgentKind) -> Self {
        match kind {
            AgentKind::Claude(_)
            | AgentKind::Codex(_)
            | AgentKind::Opencode(_)
            | AgentKind::Api(_) => Self::Can,
            AgentKind::Acp(spec) if acp::forks(spec.make) => Self::Can,
            AgentKind::Command { .. }
            | AgentKind::Script { .. }
            | AgentKind::Gemini(_)
            | AgentKind::Goose(_)
            | AgentKind::Acp(_) => Self::Cannot,
        }
    }
}

/// What to do when the program says that it has no login.
pub(crate) fn remedy(kind: &AgentKind) -> &'static str {
    if let AgentKind::Api(spec) = kind {
        return match (&spec.key_env, api::dialect(spec)) {
            (Some(_), _) => "set the variable that `key_env` names to a key that is valid there",
            (None, api::Dialect::Anthropic) => {
                "set ANTHROPIC_API_KEY, or name another variable as `key_env`"
            }
            (None, api::Dialect::Chat) => {
                "set OPENAI_API_KEY, or name another variable as `key_env`"
            }
        };
    }
    let driver = match kind {
        AgentKind::Acp(spec) => spec.make.driver(),
        other => Some(other.name()),
    };
    match (driver.and_then(Known::by_name), kind) {
        (Some(known), _) => known.remedy,
        (None, AgentKind::Acp(_)) => acp::REMEDY,
        (None, _) => "check its key",
    }
}

/// Whether a session can be gone on with in another process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resumes {
    Can,
    /// Each turn begins afresh.
    Cannot,
}

impl Resumes {
    pub fn of(kind: &AgentKind) -> Self {
        match kind {
            AgentKind::Claude(_)
            | AgentKind::Codex(_)
            | AgentKind::Gemini(_)
            | AgentKind::Opencode(_)
            | AgentKind::Goose(_)
            | AgentKind::Api(_) => Self::Can,
            AgentKind::Acp(spec) if acp::goes_on(spec.make) => Self::Can,
            AgentKind::Acp(_) | AgentKind::Command { .. } | AgentKind::Script { .. } => {
                Self::Cannot
            }
        }
    }
}
