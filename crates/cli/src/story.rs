//! Events in the words of a person: one or more lines for each. Pure; the same words for a run that is watched
//! and for one that is looked up.

use crate::amount::show_usd;
use crate::harmless::{harmless, one_line};
use proctor_core::brief::{AgentKind, AgentSpec, Brief};
use proctor_core::duration::show_duration;
use proctor_core::event::{Approver, Baseline, Effect, Event, Pause, Raise, Turn};
use proctor_core::fault::{advice_of_green, advice_of_red};
use proctor_core::proof::Anchor;
use proctor_core::run::Run;
use proctor_core::words::{Phase, TestId};

/// How many tests or files are named before the rest is only counted.
const NAMED: usize = 8;

/// What an event tells; `state` already holds it. Empty for what only the machine needs to know.
pub fn tell(event: &Event, state: &Run) -> Vec<String> {
    match event {
        Event::Created { brief } => created(brief),
        Event::EffectBegan { effect, .. } => began(effect, state),
        Event::EffectEnded { .. } => Vec::new(),
        Event::EffectLost { .. } => {
            vec!["! the last step was cut off and begins again".to_owned()]
        }
        Event::Stumbled { why } => reasons("! trouble, tried again", std::iter::once(why.as_str())),
        Event::Prepared {
            baseline, sandbox, ..
        } => prepared(baseline, sandbox),
        Event::TestsBrought { at } => vec![format!("✓ your tests are in ({})", at.tree.short())],
        Event::Turned { turn } => turned(turn),
        Event::AskedAgain { phase, ask, why, .. } => reasons(
            &format!("! {phase}: the answer could not be used, asked again (ask {ask})"),
            std::iter::once(why.as_str()),
        ),
        Event::RedProven { anchor, .. } => red_proven(anchor),
        Event::RedRefused { faults, .. } => reasons(
            &format!(
                "✗ red gate refused ({} of {} returns)",
                state.counters.red_refusals, state.limits.red
            ),
            advice_of_red(faults).iter().map(String::as_str),
        ),
        Event::Appealed { why } => reasons(
            "! the coder says that the test is wrong; back to the tester",
            std::iter::once(why.as_str()),
        ),
        Event::GreenProven { proof, .. } => vec![format!(
            "✓ green gate: every sealed test passes, repeatedly; nothing that passed before broke ({})",
            proof.at().tree.short()
        )],
        Event::GreenRefused { faults, .. } => reasons(
            &format!(
                "✗ green gate refused ({} of {} fixes)",
                state.counters.fixes, state.limits.green
            ),
            advice_of_green(faults).iter().map(String::as_str),
        ),
        Event::RefactoringUndone { faults, .. } => reasons(
            "✗ the refactoring broke tests and was undone",
            advice_of_green(faults).iter().map(String::as_str),
        ),
        Event::Audited { findings } if findings.is_empty() => {
            vec!["✓ audit: nothing found".to_owned()]
        }
        Event::Audited { findings } => {
            reasons("✗ audit", findings.iter().map(String::as_str))
        }
        Event::ReviewRejected { why } => reasons(
            &format!(
                "✗ review rejected ({} of {})",
                state.counters.reviews, state.limits.review
            ),
            std::iter::once(why.as_str()),
        ),
        Event::ApprovalAsked {
            tree,
            changed_tests,
        } => approval_asked(tree.short(), changed_tests),
        Event::Approved { tree, by, .. } => vec![match by {
            Approver::Person => format!("✓ approved by a person ({})", tree.short()),
            Approver::Beforehand => format!("✓ approved beforehand with --yes ({})", tree.short()),
        }],
        Event::SentBack { why } => reasons("! sent back to the coder", std::iter::once(why.as_str())),
        Event::BaseMoved { to } => vec![format!(
            "! the base moved to {}; the work is rebased and proven again",
            to.short()
        )],
        Event::Rebased { base, .. } => vec![format!("✓ rebased onto {}", base.short())],
        Event::Landed {
            commit,
            branch,
            note,
        } => reasons(
            &format!("✓ landed on {} as {}", harmless(branch), commit.short()),
            std::iter::once(note.as_str()).filter(|note| !note.is_empty()),
        ),
        Event::Saved { rescue, patch } => saved(rescue.as_deref(), patch.as_deref()),
        Event::Paused { why } => paused(why),
        Event::Resumed => vec!["going on".to_owned()],
        Event::LimitsRaised { raise } => vec![format!("limits raised: {}", raised(*raise))],
        Event::Interrupted => vec!["! interrupted; everything is kept".to_owned()],
        Event::Closing { .. } => Vec::new(),
        Event::Closed { ending, reason } => {
            reasons(&format!("{}:", ending.status()), std::iter::once(reason.as_str()))
        }
    }
}

fn created(brief: &Brief) -> Vec<String> {
    let mut lines = vec![format!(
        "{} {}: {}",
        brief.kind,
        harmless(brief.task.as_str()),
        one_line(&brief.description)
    )];
    let onto = brief.landing.onto.as_deref().unwrap_or("no branch");
    lines.push(format!(
        "  base {} ({}), branch {}",
        brief.repo.base.short(),
        harmless(onto),
        harmless(&brief.landing.branch)
    ));
    let mut agents: Vec<String> = Vec::new();
    for (role, spec) in &brief.agents {
        agents.push(format!("{} {}", role.name(), agent(spec)));
    }
    if !agents.is_empty() {
        lines.push(format!("  agents: {}", agents.join(", ")));
    }
    lines
}

fn agent(spec: &AgentSpec) -> String {
    let kind = match &spec.kind {
        AgentKind::Command { .. } => "command",
        AgentKind::Script { .. } => "script",
    };
    format!("{} ({kind})", one_line(&spec.name))
}

fn began(effect: &Effect, state: &Run) -> Vec<String> {
    let line = match effect {
        Effect::Ask {
            phase,
            attempt,
            ask,
        } => {
            let who = state
                .brief
                .agents
                .get(&phase.role())
                .map_or_else(|| "agent".to_owned(), |spec| one_line(&spec.name));
            let again = if *ask > 1 {
                format!(", ask {ask}")
            } else {
                String::new()
            };
            format!("{phase}, attempt {attempt}{again} ({who})")
        }
        Effect::Prepare => "preparing: worktree and baseline".to_owned(),
        Effect::BringTests
        | Effect::ProveRed { .. }
        | Effect::ProveGreen { .. }
        | Effect::Audit { .. }
        | Effect::Land { .. }
        | Effect::Rebase { .. }
        | Effect::Settle { .. } => return Vec::new(),
    };
    vec![format!("→ {line}")]
}

fn prepared(baseline: &Baseline, sandbox: &str) -> Vec<String> {
    let counts = &baseline.counts;
    let mut lines = vec![format!(
        "✓ baseline with {}: {} passed, {} failed, {} errored, {} skipped (sandbox: {})",
        one_line(&baseline.runner),
        counts.passed,
        counts.failed,
        counts.errored,
        counts.skipped,
        one_line(sandbox)
    )];
    if !baseline.failing.is_empty() {
        lines.push(format!(
            "  failing before, and never blamed on the agent: {}",
            one_line(&baseline.failing.to_string())
        ));
    }
    lines
}

fn turned(turn: &Turn) -> Vec<String> {
    let files = match turn.changed.len() {
        0 => "no file changed".to_owned(),
        1 => "1 file changed".to_owned(),
        n => format!("{n} files changed"),
    };
    let mut lines = vec![match turn.phase {
        Phase::Review => format!("· {} done", turn.phase),
        Phase::WriteTests | Phase::Implement | Phase::Refactor => {
            format!("· {} done: {files}", turn.phase)
        }
    }];
    lines.extend(named("  ", turn.changed.iter().map(String::as_str)));
    if !turn.put_back.is_empty() {
        lines.push("  put back, since this turn may not change it:".to_owned());
        lines.extend(named("    ", turn.put_back.iter().map(String::as_str)));
    }
    let notes = one_line(turn.claim.notes());
    if !notes.is_empty() {
        lines.push(format!("  it says: {notes}"));
    }
    lines
}

fn red_proven(anchor: &Anchor) -> Vec<String> {
    let ids = |tests: &[TestId]| tests.iter().map(|test| test.as_str().to_owned()).collect();
    let mut lines = Vec::new();
    let mut list = |title: String, tests: Vec<String>| {
        if !tests.is_empty() {
            lines.push(title);
            lines.extend(named("    ", tests.iter().map(String::as_str)));
        }
    };
    match anchor {
        Anchor::Red(_) => {
            let red = anchor.red().len();
            list(
                format!("✓ red gate: {} for a right reason; sealed", fail(red)),
                ids(anchor.red()),
            );
            list("  guards, passing already:".to_owned(), ids(anchor.guards()));
        }
        Anchor::Pinned(_) => {
            let pinned = anchor.guards().len();
            list(
                format!("✓ pinned: {} on today's code; sealed", pass(pinned)),
                ids(anchor.guards()),
            );
        }
    }
    list(
        "  older tests that were changed, a person must agree:".to_owned(),
        ids(anchor.changed()),
    );
    lines
}

fn approval_asked(tree: &str, changed: &[TestId]) -> Vec<String> {
    let mut lines = vec![format!("✓ review passed; tree {tree} waits for approval")];
    if !changed.is_empty() {
        lines.push("  older tests that were changed:".to_owned());
        lines.extend(named("    ", changed.iter().map(TestId::as_str)));
    }
    lines
}

fn saved(rescue: Option<&str>, patch: Option<&str>) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(rescue) = rescue {
        lines.push(format!("  the work is saved as {}", one_line(rescue)));
    }
    if let Some(patch) = patch {
        lines.push(format!("  and as a patch: {}", one_line(patch)));
    }
    lines
}

fn paused(why: &Pause) -> Vec<String> {
    match why {
        Pause::Budget { what } => reasons("! paused: a budget is spent", std::iter::once(what.as_str())),
        Pause::UsageLimit { until, why } => reasons(
            &format!("! paused until {} by a usage limit", crate::clock::show(*until)),
            std::iter::once(why.as_str()),
        ),
    }
}

/// Amounts that a person added.
fn raised(raise: Raise) -> String {
    let mut parts = Vec::new();
    if raise.calls > 0 {
        parts.push(format!("{} calls", raise.calls));
    }
    if raise.wall_ms > 0 {
        parts.push(show_duration(raise.wall_ms));
    }
    if raise.tokens > 0 {
        parts.push(format!("{} tokens", raise.tokens));
    }
    if raise.micro_usd > 0 {
        parts.push(show_usd(raise.micro_usd));
    }
    parts.join(", ")
}

/// A title with its reasons indented below.
fn reasons<'a>(title: &str, why: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut lines = vec![title.to_owned()];
    for text in why {
        lines.extend(harmless(text).lines().map(|line| format!("    {line}")));
    }
    lines
}

/// The first few names, each on its line, and how many there are beside them.
pub fn named<'a>(indent: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let all: Vec<&str> = names.collect();
    let mut lines: Vec<String> = all
        .iter()
        .take(NAMED)
        .map(|name| format!("{indent}{}", one_line(name)))
        .collect();
    if all.len() > NAMED {
        lines.push(format!("{indent}and {} more", all.len() - NAMED));
    }
    lines
}

fn fail(count: usize) -> String {
    match count {
        1 => "1 new test fails".to_owned(),
        n => format!("{n} new tests fail"),
    }
}

fn pass(count: usize) -> String {
    match count {
        1 => "1 new test passes".to_owned(),
        n => format!("{n} new tests pass"),
    }
}

#[cfg(test)]
#[path = "story_tests.rs"]
mod tests;
