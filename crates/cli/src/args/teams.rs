//! What teams need beside a run, as it is typed: signed evidence, verdicts on hosts, cleaning up.

use super::FormatArgs;
use clap::Args;
use proctor_core::duration::parse_duration;
use proctor_desk::gc::{Act, GcAsk};
use std::path::PathBuf;

pub const GC_HELP: &str = "\
Goes in this order: caches that were not used for --unused, worktrees of runs that landed, were thrown away or discarded,
rescue refs of runs that ended --rescued ago (rescue.patch stays). A run that may go on is left alone, and so is a worktree
that holds anything that is saved nowhere else.

Examples:
  proctor gc --dry-run                     what would go, and how much room it takes
  proctor gc --unused 0s                   all caches that nobody uses now";

pub const ATTEST_HELP: &str = "\
Makes one DSSE envelope a line: in-toto's test-result and simple verification result, and one of our own that says what was
red on the base and green on head, and what was tried. They name the commits, the tree and the pack.

Examples:
  proctor attest --new-key proctor.key              a key, and proctor.key.pub beside it
  proctor evidence RUN --tar pack.tar
  proctor attest pack.tar --key proctor.key         writes pack.tar.intoto.jsonl
  proctor verify pack.tar --key proctor.key.pub     signature and digests; with --replay everything again
  proctor verify proof.intoto.jsonl --key proctor.key.pub --commit \"$(git rev-parse HEAD)\"
  proctor attest verify.json --unsigned             plain statements, for a host that signs itself";

#[derive(Debug, Args)]
pub struct AttestArgs {
    /// A run, a pack of `proctor evidence --tar`, or the JSON of a verification [default: the newest run]
    #[arg(value_name = "RUN|FILE")]
    pub of: Option<String>,
    /// The private key that signs, as PEM (ed25519)
    #[arg(long, value_name = "FILE", required_unless_present_any = ["unsigned", "new_key"])]
    pub key: Option<PathBuf>,
    /// Plain statements without a signature, one a line
    #[arg(long, conflicts_with = "key")]
    pub unsigned: bool,
    /// Write to this file [default: FILE.intoto.jsonl beside a file, else stdout]
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Make a key: the private half in this file, which must not be there, the public one in FILE.pub
    #[arg(long, value_name = "FILE", conflicts_with_all = ["of", "key", "unsigned", "output"])]
    pub new_key: Option<PathBuf>,
}

pub const PUBLISH_HELP: &str = "\
On GitHub a check run named proctor, on GitLab a status: passed for proven and unaffected, failed for everything else, also
where there is no verdict. The comment on the request is one, and is changed in place. A person with the right to merge may
answer with a line `/proctor accept REASON`: it counts for the commit that the comment speaks of.

The project and the token come from the host's own variables in its jobs (GITHUB_REPOSITORY, CI_PROJECT_PATH, …), else from the
remote `origin` and `gh` or `glab`, or GH_TOKEN or GITLAB_TOKEN.

Examples:
  proctor publish --begin --commit SHA --request 7
  proctor publish verify.json --commit SHA --request 7
  proctor publish --again --request 7                      after somebody commented
  proctor publish --again --event event.json               the same in a job that a comment started

Exit codes:
  0 passed, 1 refuted, 4 inconclusive or no verdict, 2 wrong usage";

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch that a person types")]
pub struct PublishArgs {
    /// What `proctor verify --format json` printed
    #[arg(value_name = "FILE", required_unless_present_any = ["begin", "again"])]
    pub verification: Option<PathBuf>,
    /// The head commit, by its full hash [default, with --again: the request's own]
    #[arg(long, value_name = "SHA", value_parser = full_hash, required_unless_present = "again")]
    pub commit: Option<String>,
    /// The number of the pull or merge request; without one nothing is commented
    #[arg(long, value_name = "N")]
    pub request: Option<u64>,
    /// Say that the verification has begun
    #[arg(long, conflicts_with_all = ["verification", "again"])]
    pub begin: bool,
    /// Look again whether somebody accepted it
    #[arg(long, conflicts_with = "verification")]
    pub again: bool,
    /// With --again: the event of the host that says on which request somebody commented
    #[arg(long, value_name = "FILE", requires = "again", conflicts_with = "request")]
    pub event: Option<PathBuf>,
    /// Pass where nothing was refuted and not everything could be judged
    #[arg(long)]
    pub allow_inconclusive: bool,
    /// Only comment; report nothing on the commit
    #[arg(long, requires = "request")]
    pub no_report: bool,
    /// The address of the project [default: the host's variables, else the remote origin]
    #[arg(long, value_name = "URL")]
    pub project: Option<String>,
    /// What the host is, where its name does not say it: github or gitlab
    #[arg(long, value_name = "HOST", value_parser = ["github", "gitlab"])]
    pub host: Option<String>,
    /// A page with more
    #[arg(long, value_name = "URL")]
    pub link: Option<String>,
    #[command(flatten)]
    pub format: FormatArgs,
}

fn full_hash(text: &str) -> Result<String, String> {
    let lawful = matches!(text.len(), 40 | 64) && text.bytes().all(|b| b.is_ascii_hexdigit());
    if lawful {
        Ok(text.to_lowercase())
    } else {
        Err("give the full hash of the commit".to_owned())
    }
}

#[derive(Debug, Args)]
pub struct GcArgs {
    /// Say what would go, and remove nothing
    #[arg(long)]
    pub dry_run: bool,
    /// How long a cache must have been unused (90m, 12h, 7d)
    #[arg(long, value_name = "AGE", value_parser = age, default_value = "14d")]
    pub unused: u64,
    /// How long ago a run must have ended for its rescue refs to go
    #[arg(long, value_name = "AGE", value_parser = age, default_value = "90d")]
    pub rescued: u64,
    #[command(flatten)]
    pub format: FormatArgs,
}

impl GcArgs {
    pub fn meant(&self) -> GcAsk {
        let act = if self.dry_run { Act::Look } else { Act::Clear };
        GcAsk { act, unused: self.unused, rescued: self.rescued }
    }
}

/// A span of time that may be counted in days.
fn age(text: &str) -> Result<u64, String> {
    match text.strip_suffix('d').map(str::parse::<u64>) {
        Some(Ok(days)) => {
            days.checked_mul(24 * 60 * 60 * 1000).ok_or_else(|| format!("{text:?} is too long"))
        }
        _ => parse_duration(text).map_err(|why| format!("{why}, or in days: 14d")),
    }
}
