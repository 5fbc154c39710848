//! The command line as it is typed: commands, flags and their help. It only reads; what is meant is made of it
//! elsewhere (`order`, `steer`).

pub mod guard;
pub mod hunt;
pub mod task;
pub mod teams;
pub mod typed;
pub mod verify;

use crate::agent_loop::args::LoopArgs;
use crate::args::guard::{GUARD_HELP, GuardCommand};
use crate::args::hunt::{BugsCommand, HUNT_EXAMPLES, HuntArgs};
use crate::args::task::{
    CycleArgs, FILE_EXAMPLES, FileArgs, ImplementArgs, TASK_EXAMPLES, TaskArgs,
};
use crate::args::verify::{EVIDENCE_EXAMPLES, EvidenceArgs, VERIFY_EXAMPLES, VerifyArgs};
use crate::demo::Lang;
use crate::out::Loudness;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use proctor_core::concern::Concern;
use proctor_desk::text::amount::Amount;
use std::net::IpAddr;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  proctor demo                             watch the whole loop on a small repository
  proctor init                             write proctor.toml for this repository
  proctor fix \"add() overflows\"            prove the bug with a failing test, then fix it
  proctor add \"a --json flag\" --context src/cli.py README.md
  proctor list                             what is under way
  proctor approve RUN                      land what was proven

Exit codes:
  0 success, 1 failed, 2 wrong usage, 3 waits for a person, a clock or a budget, 4 blocked,
  5 discarded, 6 the reviewer never agreed, 7 aborted, 8 agent error, 70 a bug in Proctor,
  130 interrupted";

const WATCH_HELP: &str = "\
Keys: arrows or j k choose, Enter opens, n jumps to the next run that waits for you, a approves (type the word),
b sends back, x aborts, r resumes, ? shows all keys, q leaves. Runs go on without it.
Without a terminal it prints a line for each change of a run, until nothing is under way.";

const SERVE_HELP: &str = "\
Examples:
  proctor serve                            prints a link with a token; open it in a browser of this machine
  proctor serve --port 0                   on a port that is free
  ssh -L 4280:127.0.0.1:4280 HOST          from another machine, while it is open on HOST

Pages load nothing from elsewhere. What is approved there lands without another terminal.";

const MCP_HELP: &str = "\
Tools: start_task, run_status, list_runs, get_evidence, verify_branch, list_bugs. Evidence of runs is a resource too.
It works on the repository of the folder in which it is started (or -C DIR). Approving is for a person, unless
--allow-approve says otherwise.

Example, for Claude Code:
  claude mcp add proctor -- proctor mcp";

/// Makes coding agents sit a real exam: tests first, run by Proctor itself, sealed, and only proven work lands.
#[derive(Debug, Parser)]
#[command(name = "proctor", version, arg_required_else_help = true, after_help = EXAMPLES, max_term_width = 100)]
pub struct CommandLine {
    /// Work as if started in this folder
    #[arg(short = 'C', value_name = "DIR", global = true)]
    pub folder: Option<PathBuf>,
    /// Say only what went wrong, what waits for a person and how it ended
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Also say what agents print, and each step of the gates
    #[arg(short, long, global = true)]
    pub verbose: bool,
    /// Write a JSON line to FILE for each step, trial and child, with what it cost
    #[arg(long, value_name = "FILE", global = true)]
    pub log: Option<PathBuf>,
    #[command(subcommand)]
    pub command: Command,
}

impl CommandLine {
    pub fn loudness(&self) -> Loudness {
        match (self.quiet, self.verbose) {
            (true, _) => Loudness::Quiet,
            (false, true) => Loudness::Verbose,
            (false, false) => Loudness::Usual,
        }
    }
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Write proctor.toml for this repository
    Init(InitArgs),
    /// Say what works here and what does not, each with its remedy
    Doctor(DoctorArgs),
    /// Watch the whole loop on a small repository made on the spot
    Demo(DemoArgs),
    /// Fix a bug: a failing test that shows it first
    #[command(after_help = TASK_EXAMPLES)]
    Fix(TaskArgs),
    /// Add a feature: tests that specify it first
    #[command(after_help = TASK_EXAMPLES)]
    Add(TaskArgs),
    /// Refactor: tests that pin today's behaviour first
    #[command(after_help = TASK_EXAMPLES)]
    Tidy(TaskArgs),
    /// Carry out a task that stands in a file: a Markdown spec, or task JSON
    #[command(after_help = FILE_EXAMPLES)]
    Run(FileArgs),
    /// Implement an issue from its design document
    #[command(
        after_help = "Example:\n  proctor implement --issue 87 --lld docs/lld-87.md --context src/core.py src/util.py"
    )]
    Implement(ImplementArgs),
    /// Iterate code, test and audit until all pass: one commit on feature/cycle-ID
    #[command(
        after_help = "Example:\n  proctor cycle 05 --spec docs/cycle-05.md --max-iterations 5"
    )]
    Cycle(CycleArgs),
    /// Look for bugs, prove each with a failing test, fix each
    #[command(after_help = HUNT_EXAMPLES, args_conflicts_with_subcommands = true)]
    Hunt(Box<HuntArgs>),
    /// The bugs that hunts found: list, show, reject, retry, fix, report
    #[command(subcommand)]
    Bugs(BugsCommand),
    /// List runs
    List(ListArgs),
    /// Show how a run stands, what was proven and what to do next
    Show(ShowArgs),
    /// Watch all runs live: decide, read, jump to what waits for you
    #[command(after_help = WATCH_HELP)]
    Watch(WatchArgs),
    /// Open the board in the browser: all runs live, their proofs, approve, verify a branch
    #[command(after_help = SERVE_HELP)]
    Serve(ServeArgs),
    /// Serve the Model Context Protocol on stdio: the same verbs as tools for any agent
    #[command(after_help = MCP_HELP)]
    Mcp(McpArgs),
    /// Guard an interactive agent in this checkout: tests first, proven red, sealed; no end before green is proven
    #[command(subcommand, after_help = GUARD_HELP)]
    Guard(GuardCommand),
    /// Show a run's history
    Log(LogArgs),
    /// Show what a run changed
    Diff(DiffArgs),
    /// Prove a branch, with no agent: red replay, green, no regression, tests intact, mutants and more
    #[command(after_help = VERIFY_EXAMPLES)]
    Verify(VerifyArgs),
    /// Show what a run rests on: commands, outputs, mutants, diffs, cost; as a page, JSON, or a tar to replay elsewhere
    #[command(after_help = EVIDENCE_EXAMPLES)]
    Evidence(EvidenceArgs),
    /// Sign what a run or a verification showed: in-toto statements, for policies
    #[command(after_help = teams::ATTEST_HELP)]
    Attest(teams::AttestArgs),
    /// Say a verdict on the code host: a report on the commit that can be required, one comment, overrides
    #[command(after_help = teams::PUBLISH_HELP)]
    Publish(teams::PublishArgs),
    /// Approve the proven work of a run and land it
    #[command(after_help = proctor_desk::accepting::KINDS)]
    Approve(ApproveArgs),
    /// Throw a run away; its work is saved as a rescue ref
    Abort(RunArgs),
    /// Send the work back to the coder with a reason
    SendBack(SendBackArgs),
    /// Go on with a run, or with every run that can go on
    Resume(ResumeArgs),
    /// Stop a run and keep everything; `proctor resume` goes on
    Cancel(RunArgs),
    /// Remove what is old: caches, worktrees of runs that have ended, rescue refs past their age
    #[command(after_help = teams::GC_HELP)]
    Gc(teams::GcArgs),
    /// Look at one agent by itself
    #[command(subcommand)]
    Agent(AgentCommand),
    /// Work in this folder with a model by its API: the agent of the kind `api`, by hand
    #[command(after_help = crate::agent_loop::args::EXAMPLES)]
    AgentLoop(Box<LoopArgs>),
    /// Print shell completions
    Completions {
        /// The shell they are for
        shell: Shell,
    },
    /// Print the manual page
    Man,
    /// Print the JSON schema of proctor.toml, or of task files
    Schema {
        /// What the schema is of
        #[arg(value_enum, default_value_t, value_name = "OF")]
        of: SchemaOf,
    },
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum SchemaOf {
    /// proctor.toml
    #[default]
    Config,
    /// Task JSON, for `proctor run`
    Task,
}

#[derive(Debug, Subcommand)]
pub enum AgentCommand {
    /// Let an agent take one turn in a throw-away copy of the base commit, and print what happened
    #[command(
        after_help = "Examples:\n  proctor agent try claude \"Say in one sentence what this project does\"\n  proctor agent try mine \"Add a comment to README.md\" --format json"
    )]
    Try(AgentTryArgs),
    /// Open a shell, or run one command, in the sandbox that an agent gets
    #[command(
        after_help = "Examples:\n  proctor agent shell --here\n  proctor agent shell --here -- python -m pytest -q\n  proctor agent shell sum-is-wrong-ab12"
    )]
    Shell(AgentShellArgs),
}

#[derive(Debug, Args)]
pub struct AgentShellArgs {
    /// A run's id, its beginning or its end, or a task's id [default: the newest of this repository]
    #[arg(value_name = "RUN", conflicts_with = "here")]
    pub run: Option<String>,
    /// In a throw-away copy of HEAD, without a run
    #[arg(long)]
    pub here: bool,
    /// A command in the place of your shell
    #[arg(last = true, value_name = "COMMAND")]
    pub command: Vec<String>,
}

#[derive(Debug, Args)]
pub struct AgentTryArgs {
    /// An agent of proctor.toml, or claude, codex, gemini, opencode, goose
    #[arg(value_name = "NAME")]
    pub agent: String,
    /// What it is told
    #[arg(value_name = "TEXT")]
    pub text: String,
    /// How to print it
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: Format,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    #[default]
    Text,
    /// One JSON object a line
    Json,
}

#[derive(Debug, Args)]
pub struct FormatArgs {
    /// How to print it
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: Format,
}

#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// Also pack what a maintainer needs into FILE (tar), with secrets and your name replaced
    #[arg(long, value_name = "FILE")]
    pub bundle: Option<PathBuf>,
    #[command(flatten)]
    pub format: FormatArgs,
}

#[derive(Debug, Args)]
pub struct InitArgs {
    /// Replace a proctor.toml that is there
    #[arg(long)]
    pub force: bool,
}

#[derive(Debug, Args)]
pub struct DemoArgs {
    /// The language of the repository [default: rust where cargo works, else python]
    #[arg(long, value_enum, value_name = "LANG")]
    pub lang: Option<Lang>,
    /// How to print it
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: Format,
}

#[derive(Debug, Args)]
pub struct ListArgs {
    /// Closed runs too, and those of other repositories
    #[arg(long)]
    pub all: bool,
    #[command(flatten)]
    pub format: FormatArgs,
}

#[derive(Debug, Args)]
pub struct RunArgs {
    /// A run's id, its beginning or its end, or a task's id [default: the newest of this repository]
    #[arg(value_name = "RUN")]
    pub run: Option<String>,
    #[command(flatten)]
    pub format: FormatArgs,
}

#[derive(Debug, Args)]
pub struct WatchArgs {
    /// Open this run: its id, its beginning or its end, or a task's id [default: the list of all]
    #[arg(value_name = "RUN")]
    pub run: Option<String>,
}

#[derive(Debug, Args)]
pub struct ServeArgs {
    /// The port; 0 for one that is free
    #[arg(long, value_name = "PORT", default_value_t = 4280)]
    pub port: u16,
    /// The address to listen on; another than this machine's own needs --let-others-in
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub bind: IpAddr,
    /// Other machines may reach the board at --bind: whoever has the link approves what lands here
    #[arg(long)]
    pub let_others_in: bool,
}

#[derive(Debug, Args)]
pub struct ShowArgs {
    /// A run's id, its beginning or its end, or a task's id [default: the newest of this repository]
    #[arg(value_name = "RUN")]
    pub run: Option<String>,
    /// What each turn of an agent was told: a file each, with its tokens
    #[arg(long)]
    pub prompts: bool,
    #[command(flatten)]
    pub format: FormatArgs,
}

#[derive(Debug, Args)]
pub struct McpArgs {
    /// Let the model approve what is proven, with no person in between
    #[arg(long)]
    pub allow_approve: bool,
}

#[derive(Debug, Args)]
pub struct ApproveArgs {
    /// A run's id, its beginning or its end, or a task's id [default: the newest of this repository]
    #[arg(value_name = "RUN")]
    pub run: Option<String>,
    /// A kind of finding that you looked at and take; may be given several times
    #[arg(long, value_name = "KIND", value_parser = proctor_desk::accepting::kind, requires = "why")]
    pub accept: Vec<Concern>,
    /// Why you take it; recorded, and shown in the evidence
    #[arg(long, value_name = "TEXT", requires = "accept")]
    pub why: Option<String>,
    /// Where the base moves before it lands: land the same change on the new base once it is proven there again, and ask
    /// no second time
    #[arg(long)]
    pub through_rebase: bool,
    #[command(flatten)]
    pub format: FormatArgs,
}

#[derive(Debug, Args)]
pub struct LogArgs {
    /// A run's id, its beginning or its end, or a task's id [default: the newest of this repository]
    #[arg(value_name = "RUN")]
    pub run: Option<String>,
    /// Keep on until the run is closed or nobody drives it
    #[arg(short, long)]
    pub follow: bool,
    #[command(flatten)]
    pub format: FormatArgs,
}

#[derive(Debug, Args)]
pub struct DiffArgs {
    /// A run's id, its beginning or its end, or a task's id [default: the newest of this repository]
    #[arg(value_name = "RUN")]
    pub run: Option<String>,
    /// Only test files
    #[arg(long, conflicts_with = "code")]
    pub tests: bool,
    /// Only what is not a test
    #[arg(long)]
    pub code: bool,
}

#[derive(Debug, Args)]
pub struct SendBackArgs {
    /// A run's id, its beginning or its end, or a task's id [default: the newest of this repository]
    #[arg(value_name = "RUN")]
    pub run: Option<String>,
    /// What the coder is told
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub why: String,
    #[command(flatten)]
    pub format: FormatArgs,
}

#[derive(Debug, Args)]
pub struct ResumeArgs {
    /// A run's id, its beginning or its end, or a task's id [default: every run that can go on]
    #[arg(value_name = "RUN")]
    pub run: Option<String>,
    /// More of a budget: 30m, 5usd, 20calls, 100000tokens
    #[arg(long, value_name = "AMOUNT", value_parser = Amount::parse)]
    pub budget: Vec<Amount>,
    #[command(flatten)]
    pub format: FormatArgs,
}

/// The whole command line as clap knows it.
pub fn command() -> clap::Command {
    CommandLine::command()
}

#[cfg(test)]
mod tests;
