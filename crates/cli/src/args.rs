//! The command line as it is typed: commands, flags and their help. It only reads; what is meant is made of it
//! elsewhere (`order`, `steer`).

use crate::amount::{Amount, Usd};
use crate::args_hunt::{BugsCommand, HUNT_EXAMPLES, HuntArgs};
use crate::demo::Lang;
use crate::loop_args::LoopArgs;
use crate::value::Least;
use crate::verdict::VerifyFormat;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use proctor_core::brief::LandMode;
use proctor_core::concern::Concern;
use proctor_core::verdict::CheckName;
use proctor_core::words::TaskType;
use std::num::NonZeroU32;
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

const TASK_EXAMPLES: &str = "\
Examples:
  proctor fix \"parse() drops the last line\" --file src/parse.py
  proctor add \"a retry option\" --details @docs/retry.md --target retry_times
  proctor tidy \"split the parser\" --agent-cmd 'my-agent --fast' --yes
  proctor fix \"off by one\" --tests tests/test_range.py --max-time 30m";

const FILE_EXAMPLES: &str = "\
Examples:
  proctor run SPEC.md                      front matter (optional) says what flags could say; the body is the details
  proctor run SPEC.md --type bug_fix --yes
  proctor run TASK.json                    ends with ## TASK COMPLETE, ## TASK BLOCKED or ## TASK FAILED
  proctor run --check TASK.json            only say what is wrong with it
  proctor schema task                      the format of task JSON
What a flag says wins over the file; files, targets and tests of both count.";

const VERIFY_EXAMPLES: &str = "\
Examples:
  proctor verify                                   HEAD against the main branch
  proctor verify --base main --head feature --format markdown
  proctor verify --type refactor --budget 2m
  proctor verify --output sarif=proctor.sarif --output junit=proctor.xml
  proctor verify pack.tar                          replay the evidence of a run

Exit codes:
  0 proven, 1 refuted, 2 wrong usage, 4 could not be judged (said why), 130 interrupted";

const EVIDENCE_EXAMPLES: &str = "\
Examples:
  proctor evidence RUN                     a summary
  proctor evidence RUN --html --output evidence.html
  proctor evidence RUN --tar pack.tar      all of it, with the commits; `proctor verify pack.tar` replays it";

/// Makes coding agents sit a real exam: tests first, run by Proctor itself, sealed, and only proven work lands.
#[derive(Debug, Parser)]
#[command(name = "proctor", version, arg_required_else_help = true, after_help = EXAMPLES, max_term_width = 100)]
pub struct CommandLine {
    /// Work as if started in this folder
    #[arg(short = 'C', value_name = "DIR", global = true)]
    pub folder: Option<PathBuf>,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Write proctor.toml for this repository
    Init(InitArgs),
    /// Say what works here and what does not, each with its remedy
    Doctor(FormatArgs),
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
    Show(RunArgs),
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
    /// Approve the proven work of a run and land it
    #[command(after_help = crate::accepting::KINDS)]
    Approve(ApproveArgs),
    /// Throw a run away; its work is saved as a rescue ref
    Abort(RunArgs),
    /// Send the work back to the coder with a reason
    SendBack(SendBackArgs),
    /// Go on with a run, or with every run that can go on
    Resume(ResumeArgs),
    /// Stop a run and keep everything; `proctor resume` goes on
    Cancel(RunArgs),
    /// Look at one agent by itself
    #[command(subcommand)]
    Agent(AgentCommand),
    /// Work in this folder with a model by its API: the agent of the kind `api`, by hand
    #[command(after_help = crate::loop_args::EXAMPLES)]
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
pub struct TaskArgs {
    /// What is wanted, in a sentence
    #[arg(value_name = "TEXT")]
    pub text: String,
    /// The task's id [default: made out of the text]
    #[arg(long, value_name = "ID")]
    pub id: Option<String>,
    /// Another type of task than the command's own
    #[arg(long = "type", value_name = "TYPE", value_parser = task_type)]
    pub kind: Option<TaskType>,
    /// More about it: text, or @FILE to read it from a file
    #[arg(long, value_name = "TEXT|@FILE", allow_hyphen_values = true)]
    pub details: Option<String>,
    #[command(flatten)]
    pub run: RunFlags,
}

#[derive(Debug, Args)]
pub struct FileArgs {
    /// The task: a Markdown spec, or task JSON
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Only say whether the file is a task, and what is wrong with it
    #[arg(long)]
    pub check: bool,
    /// The task's id [default: the file's own, else made out of its description]
    #[arg(long, value_name = "ID")]
    pub id: Option<String>,
    /// The type of the task: `bug_fix`, feature or refactor [default: the file's own, else feature]
    #[arg(long = "type", value_name = "TYPE", value_parser = task_type)]
    pub kind: Option<TaskType>,
    /// Other details than the file's: text, or @FILE to read it from a file
    #[arg(long, value_name = "TEXT|@FILE", allow_hyphen_values = true)]
    pub details: Option<String>,
    #[command(flatten)]
    pub run: RunFlags,
}

#[derive(Debug, Args)]
pub struct CycleArgs {
    /// The cycle's id: the task is cycle-ID, its branch feature/cycle-ID
    #[arg(value_name = "ID")]
    pub id: String,
    /// What is wanted: a Markdown spec, with front matter or without
    #[arg(long, value_name = "FILE")]
    pub spec: PathBuf,
    /// How often the coder is asked at most
    #[arg(long, value_name = "N", default_value = "3")]
    pub max_iterations: NonZeroU32,
    #[command(flatten)]
    pub run: RunFlags,
}

#[derive(Debug, Args)]
pub struct ImplementArgs {
    /// The issue's number: the task is issue-N, its branch feat/issue-N
    #[arg(long, value_name = "N")]
    pub issue: u64,
    /// The low-level design: its text is the task's details
    #[arg(long, value_name = "FILE")]
    pub lld: PathBuf,
    #[command(flatten)]
    pub run: RunFlags,
}

/// The flags that every run knows.
#[derive(Debug, Default, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch that a person types")]
pub struct RunFlags {
    /// Files that the agent should look at first
    #[arg(long = "file", value_name = "PATH", num_args = 1.., help_heading = "Task")]
    pub files: Vec<String>,
    /// Files whose text goes into the prompts; checked for secrets and size first
    #[arg(long, value_name = "PATH", num_args = 1.., help_heading = "Task")]
    pub context: Vec<String>,
    /// Paths or names that do not exist yet and that the tests may miss
    #[arg(long = "target", value_name = "PATH|SYMBOL", num_args = 1.., help_heading = "Task")]
    pub targets: Vec<String>,
    /// Test files of your own: no agent writes tests, the red gate still judges them
    #[arg(long, value_name = "PATH", num_args = 1.., help_heading = "Task")]
    pub tests: Vec<String>,
    /// How many new tests there must be
    #[arg(long, value_name = "N", help_heading = "Task")]
    pub test_count: Option<u32>,

    /// The agent of proctor.toml that takes every role
    #[arg(long, value_name = "NAME", conflicts_with = "agent_cmd", help_heading = "Agents")]
    pub agent: Option<String>,
    /// A program as the agent: prompt on stdin, JSON object out (split into words, no shell)
    #[arg(long, value_name = "CMD ARG…", allow_hyphen_values = true, help_heading = "Agents")]
    pub agent_cmd: Option<String>,
    /// Another agent for one role (tester, coder, reviewer, diagnostician)
    #[arg(long = "role", value_name = "ROLE=AGENT", num_args = 1.., help_heading = "Agents")]
    pub roles: Vec<String>,

    /// The command that runs the tests (split into words, no shell)
    #[arg(long, value_name = "CMD", allow_hyphen_values = true, help_heading = "Tests")]
    pub test_cmd: Option<String>,
    /// The test tool [default: found from the repository's files]
    #[arg(long, value_name = "NAME", help_heading = "Tests")]
    pub runner: Option<String>,
    /// The folder inside the repository where agent and tests work
    #[arg(long, value_name = "DIR", help_heading = "Tests")]
    pub subdir: Option<String>,
    /// The least share of the changed lines, and of target files, that the tests must run, such as ">=85%"
    #[arg(long, value_name = "SHARE", value_parser = Least::parse, help_heading = "Tests")]
    pub coverage: Option<Least>,
    /// The bug is that it never ends: a new test that still runs at its time limit is red
    #[arg(long, help_heading = "Tests")]
    pub hangs: bool,
    /// Refuse new tests that pass before the work is done
    #[arg(long, help_heading = "Tests")]
    pub strict_red: bool,
    /// Approve beforehand that older tests change (with --yes)
    #[arg(long, help_heading = "Tests")]
    pub allow_changed_tests: bool,
    /// Leave the refactoring turn out
    #[arg(long, help_heading = "Tests")]
    pub no_refactor: bool,

    /// The commit or branch to work from [default: HEAD]
    #[arg(long, value_name = "REV", help_heading = "Landing")]
    pub base: Option<String>,
    /// How proven work lands: squash, merge, rebase, branch [default: squash]
    #[arg(long, value_name = "MODE", value_parser = land_mode, help_heading = "Landing")]
    pub land: Option<LandMode>,
    /// The run's own branch [default: proctor/RUN]
    #[arg(long, value_name = "NAME", help_heading = "Landing")]
    pub branch: Option<String>,
    /// Approve beforehand; recorded as such
    #[arg(long, help_heading = "Landing")]
    pub yes: bool,

    /// The most money that agents may cost
    #[arg(long, value_name = "USD", value_parser = Usd::parse, help_heading = "Limits")]
    pub max_cost: Option<Usd>,
    /// The most time that the run may take (40s, 5m, 2h)
    #[arg(long, value_name = "DUR", value_parser = proctor_core::duration::parse_duration, help_heading = "Limits")]
    pub max_time: Option<u64>,
    /// The most turns that agents may take
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub max_calls: Option<u32>,
    /// The most tokens that agents may use
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub max_tokens: Option<u64>,

    /// Go on in the background; the run's id is printed
    #[arg(long, help_heading = "Output")]
    pub detach: bool,
    /// How to print it
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT", help_heading = "Output")]
    pub format: Format,
}

#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// Replay the evidence of a run instead: a tar of `proctor evidence`, or its JSON
    #[arg(value_name = "PACK", conflicts_with_all = ["base", "head"])]
    pub pack: Option<PathBuf>,
    /// The branch or commit that head is compared with, from their merge base [default: main or master]
    #[arg(long, value_name = "REV")]
    pub base: Option<String>,
    /// The branch or commit to prove
    #[arg(long, value_name = "REV", default_value = "HEAD")]
    pub head: String,
    /// What the work is: `bug_fix`, feature or refactor [default: told from what changed]
    #[arg(long = "type", value_name = "TYPE", value_parser = task_type)]
    pub kind: Option<TaskType>,
    /// Paths or names that new tests may miss on the base [default: what head's production code adds]
    #[arg(long = "target", value_name = "PATH|SYMBOL", num_args = 1..)]
    pub targets: Vec<String>,
    /// Accept that older tests expect something else now
    #[arg(long)]
    pub allow_changed_tests: bool,
    /// Make only these checks; what is left out is not proven
    #[arg(long, value_name = "CHECK", num_args = 1.., value_delimiter = ',', value_parser = check_name, conflicts_with = "skip")]
    pub only: Vec<CheckName>,
    /// Leave these checks out; what is left out is not proven
    #[arg(long, value_name = "CHECK", num_args = 1.., value_delimiter = ',', value_parser = check_name)]
    pub skip: Vec<CheckName>,
    /// The most time that it may take (40s, 5m, 2h); says what it left out
    #[arg(long, value_name = "DUR", value_parser = proctor_core::duration::parse_duration)]
    pub budget: Option<u64>,
    /// Measure anew what is known from an earlier verification
    #[arg(long)]
    pub fresh: bool,

    /// The command that runs the tests (split into words, no shell)
    #[arg(long, value_name = "CMD", allow_hyphen_values = true, help_heading = "Tests")]
    pub test_cmd: Option<String>,
    /// The test tool [default: found from the repository's files]
    #[arg(long, value_name = "NAME", help_heading = "Tests")]
    pub runner: Option<String>,
    /// Only the tests below this folder of the repository
    #[arg(long, value_name = "DIR", help_heading = "Tests")]
    pub subdir: Option<String>,

    /// How to print it
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT", help_heading = "Output")]
    pub format: VerifyFormat,
    /// Write it to a file too, in this format
    #[arg(long = "output", value_name = "FORMAT=FILE", value_parser = Output::parse, help_heading = "Output")]
    pub outputs: Vec<Output>,
}

#[derive(Debug, Args)]
pub struct EvidenceArgs {
    /// A run's id, its beginning or its end, or a task's id [default: the newest of this repository]
    #[arg(value_name = "RUN")]
    pub run: Option<String>,
    /// One page for a browser
    #[arg(long, conflicts_with_all = ["json", "tar"])]
    pub html: bool,
    /// One JSON object
    #[arg(long, conflicts_with = "tar")]
    pub json: bool,
    /// Everything in a tar file, with the commits, to be replayed elsewhere
    #[arg(long, value_name = "FILE", conflicts_with = "output")]
    pub tar: Option<PathBuf>,
    /// Write it to this file instead of printing it
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// A file that the answer is written to.
#[derive(Clone, Debug)]
pub struct Output {
    pub format: VerifyFormat,
    pub file: PathBuf,
}

impl Output {
    fn parse(text: &str) -> Result<Self, String> {
        let (format, file) =
            text.split_once('=').ok_or("write it as FORMAT=FILE, such as sarif=proctor.sarif")?;
        Ok(Self { format: VerifyFormat::from_str(format, true)?, file: PathBuf::from(file) })
    }
}

fn check_name(text: &str) -> Result<CheckName, String> {
    CheckName::ALL.into_iter().find(|name| name.name() == text).ok_or_else(|| {
        let names: Vec<&str> = CheckName::ALL.iter().map(|name| name.name()).collect();
        format!("the checks are {}", names.join(", "))
    })
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
pub struct ApproveArgs {
    /// A run's id, its beginning or its end, or a task's id [default: the newest of this repository]
    #[arg(value_name = "RUN")]
    pub run: Option<String>,
    /// A kind of finding that you looked at and take; may be given several times
    #[arg(long, value_name = "KIND", value_parser = crate::accepting::kind, requires = "why")]
    pub accept: Vec<Concern>,
    /// Why you take it; recorded, and shown in the evidence
    #[arg(long, value_name = "TEXT", requires = "accept")]
    pub why: Option<String>,
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

pub fn task_type(text: &str) -> Result<TaskType, String> {
    TaskType::ALL
        .into_iter()
        .find(|kind| kind.name() == text)
        .ok_or_else(|| "the types are bug_fix, feature and refactor".to_owned())
}

pub fn land_mode(text: &str) -> Result<LandMode, String> {
    match text {
        "squash" => Ok(LandMode::Squash),
        "merge" => Ok(LandMode::Merge),
        "rebase" => Ok(LandMode::Rebase),
        "branch" => Ok(LandMode::Branch),
        _ => Err("the ways to land are squash, merge, rebase and branch".to_owned()),
    }
}

/// The whole command line as clap knows it.
pub fn command() -> clap::Command {
    CommandLine::command()
}

#[cfg(test)]
#[path = "args_tests.rs"]
mod tests;
