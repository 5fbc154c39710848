//! The flags of a hunt and of the commands about its bugs. It only reads what is typed.

use crate::args::{Format, FormatArgs};
use clap::{Args, Subcommand};
use proctor_core::brief::LandMode;
use proctor_core::hunt::Outlook;
use proctor_desk::hunt::HuntAsk;
use proctor_desk::task::flags::{RunFlags, land_mode};
use proctor_desk::text::amount::Usd;
use std::path::PathBuf;

pub const HUNT_EXAMPLES: &str = "\
Examples:
  proctor hunt --agent claude --max-cost 5          look, prove, fix; ends as configured
  proctor hunt --entry src/parse.py --report-only   prove only; nothing is fixed
  proctor hunt --limit 3 --yes --html hunt.html
  proctor hunt export notebook                      bugs.json, fixes.json, entrypoints.json, a page for each bug
  proctor bugs list

A hunt that was cut off goes on where it stopped; a second one goes on where the first ended.

Exit codes:
  0 the hunt ended, 2 wrong usage, 3 something waits for a person or a budget, 4 no bug could be judged here,
  8 the scout could not be used, 130 interrupted";

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch that a person types")]
pub struct HuntArgs {
    #[command(subcommand)]
    pub command: Option<HuntCommand>,

    /// Begin here: files or folders of the repository [default: what is queued, else proposed by the scout]
    #[arg(long = "entry", value_name = "PATH", num_args = 1.., help_heading = "Hunt")]
    pub entries: Vec<String>,
    /// The most bugs that are pursued with a run
    #[arg(long, value_name = "N", help_heading = "Hunt")]
    pub limit: Option<u32>,
    /// Prove and fix each bug; this is the default
    #[arg(long, conflicts_with = "report_only", help_heading = "Hunt")]
    pub fix: bool,
    /// Stop when a failing test proved the bug; nothing is fixed
    #[arg(long, help_heading = "Hunt")]
    pub report_only: bool,
    /// How many bugs are pursued at once
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=16), help_heading = "Hunt")]
    pub parallel: u8,
    /// The most money that agents may cost in the whole hunt
    #[arg(long, value_name = "USD", value_parser = Usd::parse, help_heading = "Hunt")]
    pub max_cost: Option<Usd>,

    /// The agent of proctor.toml that takes every role
    #[arg(long, value_name = "NAME", conflicts_with = "agent_cmd", help_heading = "Agents")]
    pub agent: Option<String>,
    /// A program as the agent: prompt on stdin, JSON object out (split into words, no shell)
    #[arg(long, value_name = "CMD ARG…", allow_hyphen_values = true, help_heading = "Agents")]
    pub agent_cmd: Option<String>,
    /// Another agent for one role (scout, tester, coder, reviewer)
    #[arg(long = "role", value_name = "ROLE=AGENT", num_args = 1.., help_heading = "Agents")]
    pub roles: Vec<String>,

    /// The command that runs the tests (split into words, no shell)
    #[arg(long, value_name = "CMD", allow_hyphen_values = true, help_heading = "Runs")]
    pub test_cmd: Option<String>,
    /// The test tool [default: found from the repository's files]
    #[arg(long, value_name = "NAME", help_heading = "Runs")]
    pub runner: Option<String>,
    /// A new test that still runs at its time limit shows a bug: the code never ends
    #[arg(long, help_heading = "Runs")]
    pub hangs: bool,
    /// The folder inside the repository where agents and tests work
    #[arg(long, value_name = "DIR", help_heading = "Runs")]
    pub subdir: Option<String>,
    /// The commit or branch to look at and work from [default: HEAD]
    #[arg(long, value_name = "REV", help_heading = "Runs")]
    pub base: Option<String>,
    /// How proven work lands: squash, merge, rebase, branch [default: squash]
    #[arg(long, value_name = "MODE", value_parser = land_mode, help_heading = "Runs")]
    pub land: Option<LandMode>,
    /// Leave the refactoring turn out
    #[arg(long, help_heading = "Runs")]
    pub no_refactor: bool,
    /// Approve each fix beforehand; recorded as such
    #[arg(long, help_heading = "Runs")]
    pub yes: bool,

    /// Write the summary as one page for a browser too
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub html: Option<PathBuf>,
    /// How to print it
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT", help_heading = "Output")]
    pub format: Format,
}

impl HuntArgs {
    /// What is hunted.
    pub fn meant(&self) -> HuntAsk {
        HuntAsk {
            entries: self.entries.clone(),
            limit: self.limit,
            outlook: if self.report_only { Outlook::Report } else { Outlook::Fix },
            parallel: self.parallel,
            max_cost: self.max_cost,
            flags: RunFlags {
                agent: self.agent.clone(),
                agent_cmd: self.agent_cmd.clone(),
                roles: self.roles.clone(),
                test_cmd: self.test_cmd.clone(),
                runner: self.runner.clone(),
                hangs: self.hangs,
                subdir: self.subdir.clone(),
                base: self.base.clone(),
                land: self.land,
                no_refactor: self.no_refactor,
                yes: self.yes,
                max_cost: self.max_cost,
                ..RunFlags::default()
            },
        }
    }
}

#[derive(Debug, Subcommand)]
pub enum HuntCommand {
    /// Write the notebook into a folder: bugs.json, fixes.json, entrypoints.json, a Markdown page for each bug
    Export {
        /// The folder; made where there is none
        #[arg(value_name = "DIR")]
        into: PathBuf,
    },
}

#[derive(Debug, Subcommand)]
pub enum BugsCommand {
    /// List the bugs that were proven
    List {
        /// Suspects, duplicates and what was discarded or rejected too
        #[arg(long)]
        all: bool,
        #[command(flatten)]
        format: FormatArgs,
    },
    /// Show all that is known of a bug
    Show(BugArgs),
    /// Say that it is no bug: it is remembered, and scouts are told
    Reject {
        #[command(flatten)]
        bug: BugArgs,
        /// Why it is none
        #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
        why: String,
    },
    /// Let the next hunt try it again
    Retry(BugArgs),
    /// Prove and fix it now
    Fix {
        #[command(flatten)]
        bug: BugArgs,
        #[command(flatten)]
        how: Box<FixArgs>,
    },
    /// Print an issue text: the failing test, how to run it, what was measured
    Report {
        #[command(flatten)]
        bug: BugArgs,
        /// As SARIF, for code scanning
        #[arg(long)]
        sarif: bool,
    },
}

#[derive(Debug, Args)]
pub struct BugArgs {
    /// The bug's id, such as bug-3
    #[arg(value_name = "ID")]
    pub id: String,
    #[command(flatten)]
    pub format: FormatArgs,
}

/// How a single bug is fixed.
#[derive(Debug, Args)]
pub struct FixArgs {
    /// The agent of proctor.toml that takes every role
    #[arg(long, value_name = "NAME", conflicts_with = "agent_cmd")]
    pub agent: Option<String>,
    /// A program as the agent: prompt on stdin, JSON object out (split into words, no shell)
    #[arg(long, value_name = "CMD ARG…", allow_hyphen_values = true)]
    pub agent_cmd: Option<String>,
    /// Another agent for one role (scout, tester, coder, reviewer)
    #[arg(long = "role", value_name = "ROLE=AGENT", num_args = 1..)]
    pub roles: Vec<String>,
    /// The folder inside the repository where agents and tests work
    #[arg(long, value_name = "DIR")]
    pub subdir: Option<String>,
    /// The commit or branch to work from [default: HEAD]
    #[arg(long, value_name = "REV")]
    pub base: Option<String>,
    /// How proven work lands: squash, merge, rebase, branch [default: squash]
    #[arg(long, value_name = "MODE", value_parser = land_mode)]
    pub land: Option<LandMode>,
    /// The most money that agents may cost
    #[arg(long, value_name = "USD", value_parser = Usd::parse)]
    pub max_cost: Option<Usd>,
    /// Leave the refactoring turn out
    #[arg(long)]
    pub no_refactor: bool,
    /// Approve it beforehand; recorded as such
    #[arg(long)]
    pub yes: bool,
}

impl FixArgs {
    /// The same as a hunt for this one bug.
    pub fn meant(&self) -> HuntAsk {
        HuntAsk {
            entries: Vec::new(),
            limit: None,
            outlook: Outlook::Fix,
            parallel: 1,
            max_cost: self.max_cost,
            flags: RunFlags {
                agent: self.agent.clone(),
                agent_cmd: self.agent_cmd.clone(),
                roles: self.roles.clone(),
                subdir: self.subdir.clone(),
                base: self.base.clone(),
                land: self.land,
                no_refactor: self.no_refactor,
                yes: self.yes,
                max_cost: self.max_cost,
                ..RunFlags::default()
            },
        }
    }
}
