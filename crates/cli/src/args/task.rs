//! The commands that give a task to agents, as they are typed: in a sentence, as a file, as an issue, as a cycle.

use crate::args::Format;
use crate::commands::start::{Place, Shown};
use clap::Args;
use proctor_core::brief::LandMode;
use proctor_core::words::TaskType;
use proctor_desk::config::value::Least;
use proctor_desk::issue::IssueTold;
use proctor_desk::task::file::FileAsk;
use proctor_desk::task::flags::{RunFlags, land_mode, task_type};
use proctor_desk::task::order::{CycleAsk, IssueAsk, TaskAsk};
use proctor_desk::text::amount::Usd;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;

pub const TASK_EXAMPLES: &str = "\
Examples:
  proctor fix \"parse() drops the last line\" --file src/parse.py
  proctor add \"a retry option\" --details @docs/retry.md --target retry_times
  proctor tidy \"split the parser\" --agent-cmd 'my-agent --fast' --yes
  proctor fix \"off by one\" --tests tests/test_range.py --max-time 30m
  proctor fix --issue https://github.com/OWNER/NAME/issues/12";

pub const FILE_EXAMPLES: &str = "\
Examples:
  proctor run SPEC.md                      front matter (optional) says what flags could say; the body is the details
  proctor run SPEC.md --type bug_fix --yes
  proctor run TASK.json                    ends with ## TASK COMPLETE, ## TASK BLOCKED or ## TASK FAILED
  proctor run tasks/*.json --yes --jobs 4  many side by side, with a table at the end
  proctor run --check TASK.json            only say what is wrong with it
  proctor schema task                      the format of task JSON
What a flag says wins over the file; files, targets and tests of both count.";

#[derive(Debug, Args)]
pub struct TaskArgs {
    /// What is wanted, in a sentence
    #[arg(value_name = "TEXT", required_unless_present = "issue")]
    pub text: Option<String>,
    /// An issue of GitHub or GitLab: its address, or #N of this repository's own host. Its title is the text where none is given
    #[arg(long, value_name = "URL|#N", help_heading = "Task")]
    pub issue: Option<String>,
    /// The task's id [default: made out of the text; of an issue, issue-N]
    #[arg(long, value_name = "ID")]
    pub id: Option<String>,
    /// Another type of task than the command's own
    #[arg(long = "type", value_name = "TYPE", value_parser = task_type)]
    pub kind: Option<TaskType>,
    /// More about it: text, or @FILE to read it from a file
    #[arg(long, value_name = "TEXT|@FILE", allow_hyphen_values = true)]
    pub details: Option<String>,
    #[command(flatten)]
    pub run: TypedFlags,
}

#[derive(Debug, Args)]
pub struct FileArgs {
    /// The task: a Markdown spec, or task JSON; several are worked on side by side, with a table at the end
    #[arg(value_name = "FILE", required = true, num_args = 1..)]
    pub tasks: Vec<PathBuf>,
    /// How many of several tasks are worked on at once; one that waits for a person or a clock does not count [default: the processors]
    #[arg(long, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
    /// Only say whether each file is a task, and what is wrong with it
    #[arg(long)]
    pub check: bool,
    /// The task's id, where there is one file [default: the file's own, else made out of its description]
    #[arg(long, value_name = "ID")]
    pub id: Option<String>,
    /// The type of the task: `bug_fix`, feature or refactor [default: the file's own, else feature]
    #[arg(long = "type", value_name = "TYPE", value_parser = task_type)]
    pub kind: Option<TaskType>,
    /// Other details than the file's: text, or @FILE to read it from a file
    #[arg(long, value_name = "TEXT|@FILE", allow_hyphen_values = true)]
    pub details: Option<String>,
    #[command(flatten)]
    pub run: TypedFlags,
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
    pub run: TypedFlags,
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
    pub run: TypedFlags,
}

/// The flags that every run knows.
#[derive(Debug, Default, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch that a person types")]
pub struct TypedFlags {
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
    /// So many coders work at once, each in a tree of its own: the first whose work is proven wins. With several `--role coder=AGENT` they take turns
    #[arg(long, value_name = "N", help_heading = "Agents")]
    pub parallel: Option<NonZeroU32>,

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
    /// Only create the run and print its id: another program sends it where it is worked on
    #[arg(long, hide = true, conflicts_with = "detach")]
    pub only_create: bool,
    /// How to print it
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT", help_heading = "Output")]
    pub format: Format,
}

impl TypedFlags {
    /// How the person wants to see it.
    pub fn shown(&self) -> Shown {
        let place = match (self.detach, self.only_create) {
            (_, true) => Place::Nowhere,
            (true, false) => Place::Background,
            (false, false) => Place::Here,
        };
        Shown { format: self.format, place }
    }

    /// What they ask of the run. How it is shown is the command's own.
    pub fn meant(self) -> RunFlags {
        RunFlags {
            files: self.files,
            context: self.context,
            targets: self.targets,
            tests: self.tests,
            test_count: self.test_count,
            agent: self.agent,
            agent_cmd: self.agent_cmd,
            roles: self.roles,
            parallel: self.parallel,
            test_cmd: self.test_cmd,
            runner: self.runner,
            subdir: self.subdir,
            coverage: self.coverage,
            hangs: self.hangs,
            strict_red: self.strict_red,
            allow_changed_tests: self.allow_changed_tests,
            no_refactor: self.no_refactor,
            base: self.base,
            land: self.land,
            branch: self.branch,
            yes: self.yes,
            max_cost: self.max_cost,
            max_time: self.max_time,
            max_calls: self.max_calls,
            max_tokens: self.max_tokens,
        }
    }
}

impl TaskArgs {
    /// `told` is the issue, where one is named.
    pub fn meant(self, told: Option<IssueTold>) -> TaskAsk {
        let Self { text, issue: _, id, kind, details, run } = self;
        let (title, number, issue) = match told {
            Some(told) => (told.title, Some(told.number), Some(told.details)),
            None => (String::new(), None, None),
        };
        let id = id.or_else(|| number.map(|number| format!("issue-{number}")));
        TaskAsk { text: text.unwrap_or(title), id, kind, details, issue, flags: run.meant() }
    }
}

impl FileArgs {
    /// What is asked of each file.
    pub fn meant(self) -> Vec<FileAsk> {
        let Self { tasks, jobs: _, check: _, id, kind, details, run } = self;
        let flags = run.meant();
        let ask = |file| FileAsk {
            file,
            id: id.clone(),
            kind,
            details: details.clone(),
            flags: flags.clone(),
        };
        tasks.into_iter().map(ask).collect()
    }
}

impl CycleArgs {
    pub fn meant(self) -> CycleAsk {
        let Self { id, spec, max_iterations, run } = self;
        CycleAsk { id, spec, max_iterations, flags: run.meant() }
    }
}

impl ImplementArgs {
    pub fn meant(self) -> IssueAsk {
        let Self { issue, lld, run } = self;
        IssueAsk { issue, lld, flags: run.meant() }
    }
}
