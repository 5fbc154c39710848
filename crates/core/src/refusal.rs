//! Why an input does not apply to a run, in words for whoever sent it.

use crate::concern::{Concern, Raised};
use crate::words::TreeId;

/// Why an input does not apply. Shown to whoever sent it; never an engine failure.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("{what} does not apply now: the run is {now}")]
    NotNow { what: &'static str, now: String },
    #[error("that effect is not under way any more")]
    StaleEffect,
    #[error("the tree that was shown ({}) is not the one that is proven now ({})\nhint: look again with `proctor show` and `proctor diff`, then approve", .shown.short(), .now.short())]
    StaleTree { shown: TreeId, now: TreeId },
    #[error("{}", crate::refusal::unaccepted(.raised))]
    Unaccepted { raised: Vec<Raised> },
    #[error("nothing of the kind {kind} was found, so there is nothing to accept\nhint: {}", crate::refusal::found(.raised))]
    NothingToAccept { kind: Concern, raised: Vec<Raised> },
    #[error(
        "this repository takes approvals as reviews ([land] approve_by = \"pr-review\"), and yours is to be given there{at}\nhint: review it there, then `proctor resume RUN`"
    )]
    ByReview { at: String },
    #[error(
        "the budget is spent: {why}\nhint: go on with `proctor resume RUN --budget …` (30m, 5usd, 20calls, 100000tokens)"
    )]
    BudgetSpent { why: String },
}

fn unaccepted(raised: &[Raised]) -> String {
    let findings: Vec<String> = raised.iter().map(|one| format!("  {one}")).collect();
    let kinds: Vec<String> =
        Raised::kinds(raised).iter().map(|kind| format!("--accept {kind}")).collect();
    format!(
        "a person must look at this first:\n{}\nhint: where it is right all the same, `proctor approve RUN {} --why \"…\"`; else `proctor send-back RUN --why \"…\"`",
        findings.join("\n"),
        kinds.join(" ")
    )
}

fn found(raised: &[Raised]) -> String {
    let kinds: Vec<&str> = Raised::kinds(raised).into_iter().map(Concern::name).collect();
    if kinds.is_empty() {
        return "approve it without --accept".to_owned();
    }
    format!("found were {}", kinds.join(", "))
}
