//! Arguments of `proctor guard`.

use super::{Format, FormatArgs};
use clap::{Args, Subcommand, ValueEnum};
use proctor_agents::hook::Host;
use proctor_core::words::TaskType;

pub const GUARD_HELP: &str = "\
Example:
  proctor guard install --agent claude     hooks in .claude/settings.local.json of this checkout
  proctor guard begin \"a sub function\"     from here on tests come first
  proctor guard red                        proves that they fail for a right reason, and seals them
  proctor guard green                      proves the work; the agent's Stop hook asks for it too
  proctor guard off --why \"done\"

Hooks do nothing where no task is guarded. Sealed files that change are put back at the next event, whatever changed
them. An agent that wants to stop before green is proven is told why, three times in a row, and then let go.";

#[derive(Debug, Subcommand)]
pub enum GuardCommand {
    /// Write hooks for Claude Code, Codex or Gemini into this checkout's settings
    Install(InstallArgs),
    /// Take the hooks out again
    Uninstall,
    /// Open a guarded task on the commit that is checked out
    Begin(BeginArgs),
    /// Prove that the new tests fail on the base's code for a right reason, and seal them
    Red(FormatArgs),
    /// Prove the work: the same proof as `proctor verify`, of the checkout as it is
    Green(FormatArgs),
    /// Say what is guarded, what is proven and what happened
    Status(FormatArgs),
    /// End the guarded task; recorded, with what was proven
    Off(OffArgs),
    /// Answer a hook: what an agent's program says on stdin
    #[command(hide = true)]
    Hook,
}

#[derive(Debug, Args)]
pub struct InstallArgs {
    /// Whose hooks [default: those that are found on PATH]
    #[arg(long, value_enum, value_name = "AGENT")]
    pub agent: Vec<HostWord>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum HostWord {
    Claude,
    Codex,
    Gemini,
}

impl HostWord {
    pub fn meant(self) -> Host {
        match self {
            Self::Claude => Host::Claude,
            Self::Codex => Host::Codex,
            Self::Gemini => Host::Gemini,
        }
    }
}

#[derive(Debug, Args)]
pub struct BeginArgs {
    /// What is wanted
    #[arg(value_name = "TEXT")]
    pub text: String,
    /// What kind of task it is
    #[arg(long = "type", value_enum, value_name = "TYPE", default_value = "feature")]
    pub kind: KindWord,
    /// A name or path that does not exist yet, and that the tests may miss
    #[arg(long, value_name = "PATH|SYMBOL", num_args = 1..)]
    pub target: Vec<String>,
    #[command(flatten)]
    pub format: FormatArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum KindWord {
    BugFix,
    Feature,
    Refactor,
}

impl KindWord {
    pub fn meant(self) -> TaskType {
        match self {
            Self::BugFix => TaskType::BugFix,
            Self::Feature => TaskType::Feature,
            Self::Refactor => TaskType::Refactor,
        }
    }
}

#[derive(Debug, Args)]
pub struct OffArgs {
    /// Why; recorded
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub why: String,
    #[command(flatten)]
    pub format: FormatArgs,
}

impl GuardCommand {
    pub fn format(&self) -> Format {
        match self {
            Self::Begin(args) => args.format.format,
            Self::Red(args) | Self::Green(args) | Self::Status(args) => args.format,
            Self::Off(args) => args.format.format,
            Self::Install(_) | Self::Uninstall | Self::Hook => Format::Text,
        }
    }
}
