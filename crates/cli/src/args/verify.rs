//! The commands that prove a branch and show what a proof rests on, as they are typed.

use clap::{Args, ValueEnum};
use proctor_core::verdict::CheckName;
use proctor_core::words::TaskType;
use proctor_desk::task::flags::task_type;
use proctor_desk::verdict::Format;
use proctor_desk::verify::{BranchAsk, ClaimsOf};
use std::path::PathBuf;

pub const VERIFY_EXAMPLES: &str = "\
Examples:
  proctor verify                                   HEAD against the main branch
  proctor verify --base main --head feature --format markdown
  proctor verify --type refactor --budget 2m
  proctor verify --output sarif=proctor.sarif --output junit=proctor.xml
  proctor verify pack.tar                          replay the evidence of a run
  proctor verify pack.tar --key proctor.key.pub    look whether it is signed

Exit codes:
  0 proven, 1 refuted, 2 wrong usage, 4 could not be judged (said why), 130 interrupted";

pub const EVIDENCE_EXAMPLES: &str = "\
Examples:
  proctor evidence RUN                     a summary
  proctor evidence RUN --html --output evidence.html
  proctor evidence RUN --tar pack.tar      all of it, with the commits; `proctor verify pack.tar` replays it";

#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// Replay the evidence of a run instead: a tar of `proctor evidence`, or its JSON; with --key also statements of `proctor
    /// attest`
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
    /// Have this agent write tests from the task's text alone, without sight of the change. They can only leave a doubt
    #[arg(long, value_name = "AGENT", requires = "task")]
    pub examine: Option<String>,
    /// What was asked for, for the examiner
    #[arg(long, value_name = "TEXT|@FILE", requires = "examine")]
    pub task: Option<String>,
    /// Keep results and build products in this folder, to be carried to the next verification, also on another machine
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,
    /// Hold what this description of the change claims against what was measured. It decides nothing
    #[arg(long, value_name = "FILE", conflicts_with = "pr")]
    pub claims: Option<PathBuf>,
    /// The same for the description of this pull or merge request, on the host of the remote origin
    #[arg(long, value_name = "N")]
    pub pr: Option<u64>,
    /// Measure anew what is known from an earlier verification
    #[arg(long)]
    pub fresh: bool,

    /// The public key that signed the statements about PACK; only signatures and digests are looked at then
    #[arg(long, value_name = "FILE", requires = "pack", help_heading = "Signed evidence")]
    pub key: Option<PathBuf>,
    /// The statements [default: PACK.intoto.jsonl, or PACK itself]
    #[arg(long, value_name = "FILE", requires = "key", help_heading = "Signed evidence")]
    pub statements: Option<PathBuf>,
    /// The commit that they must be about, by its full hash
    #[arg(long, value_name = "SHA", requires = "key", help_heading = "Signed evidence")]
    pub commit: Option<String>,
    /// Then replay the pack too
    #[arg(long, requires = "key", help_heading = "Signed evidence")]
    pub replay: bool,

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

impl VerifyArgs {
    /// What is to be proven.
    pub fn meant(&self) -> BranchAsk {
        BranchAsk {
            base: self.base.clone(),
            head: self.head.clone(),
            kind: self.kind,
            targets: self.targets.clone(),
            allow_changed_tests: self.allow_changed_tests,
            only: self.only.clone(),
            skip: self.skip.clone(),
            budget: self.budget,
            cache: self.cache.clone(),
            claims: self.claims.clone().map(ClaimsOf::File).or(self.pr.map(ClaimsOf::Request)),
            fresh: self.fresh,
            test_cmd: self.test_cmd.clone(),
            runner: self.runner.clone(),
            subdir: self.subdir.clone(),
            examine: self.examine.clone().zip(self.task.clone()),
        }
    }
}

/// How a verification is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum VerifyFormat {
    /// For people
    #[default]
    Text,
    /// One JSON object
    Json,
    /// Fit for a pull request comment
    Markdown,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    #[value(help = "JUnit XML")]
    Junit,
    /// One page for a browser
    Html,
    /// Annotations of GitHub Actions
    Github,
    /// The mutants, as a report for Stryker's viewer
    Stryker,
    #[value(help = "GitLab's Code Quality report")]
    Gitlab,
}

impl VerifyFormat {
    pub fn meant(self) -> Format {
        match self {
            Self::Text => Format::Text,
            Self::Json => Format::Json,
            Self::Markdown => Format::Markdown,
            Self::Sarif => Format::Sarif,
            Self::Junit => Format::Junit,
            Self::Html => Format::Html,
            Self::Github => Format::Github,
            Self::Stryker => Format::Stryker,
            Self::Gitlab => Format::Gitlab,
        }
    }
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
