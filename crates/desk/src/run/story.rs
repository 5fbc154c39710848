//! Events in the words of a person: one or more lines for each. Pure; the same words for a run that is watched
//! and for one that is looked up.

use crate::text::amount::show_usd;
use crate::text::harmless::{harmless, one_line};
use proctor_core::assignment::Route;
use proctor_core::brief::{AgentSpec, Brief};
use proctor_core::concern::Raised;
use proctor_core::duration::show_duration;
use proctor_core::event::{Approver, Baseline, Effect, Event, Patch, Pause, Raise, Turn};
use proctor_core::examined::Examination;
use proctor_core::fault::{advice_of_green, advice_of_red, advice_of_thin};
use proctor_core::proof::{Anchor, GreenProof};
use proctor_core::run::Run;
use proctor_core::words::{Hands, Phase, Role, TestId};

/// How many tests or files are named before the rest is only counted.
const NAMED: usize = 8;

const APPEALED: &str = "! the coder says that the test is wrong; back to the tester";
const NO_DIAGNOSIS: &str = "! no diagnosis; the coder goes on without one";
const GREEN: &str =
    "✓ green gate: every sealed test passes, repeatedly; nothing that passed before broke";

const TIDIED: &str = "✓ the tidied tests are red on the old code, green now and notice what the originals do; sealed";
const STANDS: &str = "! the coder left the proven work as it is; the objection stands";
const TOO_THIN: &str = "✗ the tests run too little of the work";
const UNUSABLE: &str = "✗ the added tests can't be used";

const MOVED: &str = "! YOUR CHECKOUT CHANGED while Proctor was at work, and Proctor did not do it";

/// What an event tells; `state` already holds it. Empty for what only the machine needs to know.
pub fn tell(event: &Event, state: &Run) -> Vec<String> {
    let (limits, counters) = (&state.limits, &state.counters.shown(&state.limits));
    match event {
        Event::Created { brief } => created(brief),
        Event::EffectBegan { effect, .. } => began(effect, state),
        Event::EffectEnded { .. }
        | Event::Closing { .. }
        | Event::SessionMarked { .. }
        | Event::ReviewSought => Vec::new(),
        Event::EffectLost { .. } => line("! the last step was cut off and begins again"),
        Event::Stumbled { why } => reason("! trouble, tried again", why),
        Event::Prepared { baseline, sandbox, .. } => prepared(baseline, sandbox),
        Event::CheckoutMoved { moved } => reasons(MOVED.to_owned(), moved),
        Event::TestsBrought { tests: at } => brought(at.tree.short()),
        Event::Turned { turn } => turned(turn),
        Event::AskedAgain { phase, ask, why, .. } => {
            reason(format!("! {phase}: the answer could not be used, asked again (ask {ask})"), why)
        }
        Event::RedProven { anchor, .. } => red_proven(anchor),
        Event::Examined { examination, why } => examined(examination.as_deref(), why),
        Event::RedRefused { faults, .. } => {
            let title = count("✗ red gate refused", counters.red_refusals, limits.red, " returns");
            reasons(title, &advice_of_red(faults))
        }
        Event::Appealed { why } => reason(APPEALED, why),
        Event::GreenProven { proof, warnings, raised, .. } => {
            and_for_a_person(green_proven(proof, warnings), raised)
        }
        Event::TestsTooThin { faults, .. } => more(TOO_THIN, state, &advice_of_thin(faults)),
        Event::AddedRefused { faults, .. } => more(UNUSABLE, state, &advice_of_red(faults)),
        Event::TestsAdded { anchor } => line(format!(
            "✓ the added tests pass and are sealed with the others ({} in all)",
            anchor.sealed().count()
        )),
        Event::GreenRefused { faults, .. } => {
            let title = count("✗ green gate refused", counters.fixes, limits.green, " fixes");
            reasons(title, &advice_of_green(faults))
        }
        Event::ReviewAwaited { why } => reason("! not approved yet", why),
        Event::DiagnosisSkipped { why } => reason(NO_DIAGNOSIS, why),
        Event::RefactoringUndone { faults, .. } => {
            reasons("✗ the refactoring broke tests and was undone", &advice_of_green(faults))
        }
        Event::TestsTidied { anchor } => {
            line(format!("{TIDIED} ({} in all)", anchor.sealed().count()))
        }
        Event::TidyingUndone { why, .. } => {
            reasons("! the tidied tests were put back, the originals stay", why)
        }
        Event::Audited { findings, notes, raised } => {
            and_for_a_person(audited("audit", findings, notes), raised)
        }
        Event::AuditorHeard { findings, notes } => audited("auditor", findings, notes),
        Event::ReviewRejected { why } => {
            reason(count("✗ review rejected", counters.reviews, limits.review, ""), why)
        }
        Event::ApprovalAsked { tree, changed_tests, raised } => {
            and_for_a_person(approval_asked(tree.short(), changed_tests), raised)
        }
        Event::Accepted { raised, why, .. } => accepted(raised, why),
        Event::Offered { note, .. } => line(format!("✓ up for a review: {}", one_line(note))),
        Event::Reviewed { by, commit } => reviewed(by, commit.short()),
        Event::Approved { tree, by, .. } => approved(tree.short(), *by),
        Event::SentBack { why } | Event::ObjectionStands { why } => objected(event, why, state),
        Event::BaseMoved { to } => base_moved(to.short()),
        Event::Rebased { base, patch, .. } => rebased(base.short(), patch),
        Event::Landed { commit, branch, note } => {
            reason(format!("✓ landed on {} as {}", one_line(branch), commit.short()), note)
        }
        Event::Saved { rescue, patch } => saved(rescue.as_deref(), patch.as_deref()),
        Event::Paused { why } => paused(why),
        Event::Resumed => line("going on"),
        Event::LimitsRaised { raise } => line(format!("limits raised: {}", raised(*raise))),
        Event::Interrupted => line("! interrupted; everything is kept"),
        Event::Closed { ending, reason: why } => reason(format!("{}:", ending.status()), why),
    }
}

/// Tests that are to be added to, and how often that was asked.
fn more(title: &str, state: &Run, advice: &[String]) -> Vec<String> {
    let counters = state.counters.shown(&state.limits);
    reasons(count(title, counters.thin, state.limits.tests, " turns"), advice)
}

fn and_for_a_person(mut lines: Vec<String>, raised: &[Raised]) -> Vec<String> {
    lines.extend(for_a_person(raised));
    lines
}

fn reviewed(by: &[String], commit: &str) -> Vec<String> {
    line(format!("✓ {} approved {commit} on the host", one_line(&by.join(", "))))
}

fn accepted(raised: &[Raised], why: &str) -> Vec<String> {
    let mut lines = reason("✓ accepted by a person", why);
    lines.extend(raised.iter().map(|one| format!("    {}", one_line(&one.to_string()))));
    lines
}

fn green_proven(proof: &GreenProof, warnings: &[String]) -> Vec<String> {
    let mut lines = line(format!("{GREEN} ({})", proof.at().tree.short()));
    lines.extend(proof.coverage().map(|share| format!("  coverage of the changed lines: {share}")));
    lines.extend(warnings.iter().map(|warning| format!("  ! {}", one_line(warning))));
    lines
}

fn for_a_person(raised: &[Raised]) -> impl Iterator<Item = String> {
    raised.iter().map(|one| format!("  ! for a person: {}", one_line(&one.to_string())))
}

fn count(title: &str, used: u32, of: u32, what: &str) -> String {
    if used > of {
        return format!("{title} (all {of}{what} are used up)");
    }
    format!("{title} ({used} of {of}{what})")
}

fn brought(tree: &str) -> Vec<String> {
    line(format!("✓ your tests are in ({tree})"))
}

fn approved(tree: &str, by: Approver) -> Vec<String> {
    line(match by {
        Approver::Person => format!("✓ approved by a person ({tree})"),
        Approver::Beforehand => format!("✓ approved beforehand with --yes ({tree})"),
        Approver::Review => format!("✓ approved by that review ({tree})"),
    })
}

fn objected(event: &Event, why: &str, state: &Run) -> Vec<String> {
    if matches!(event, Event::SentBack { .. }) {
        return reason("! sent back to the coder", why);
    }
    let reviews = state.counters.shown(&state.limits).reviews;
    reason(count(STANDS, reviews, state.limits.review, " reviews"), why)
}

fn rebased(onto: &str, patch: &Patch) -> Vec<String> {
    line(match patch {
        Patch::Unknown => format!("✓ rebased onto {onto}"),
        Patch::Same => format!("✓ rebased onto {onto}; the change is the same"),
        Patch::Other { .. } => format!("! rebased onto {onto}; the change is not the same there"),
    })
}

fn base_moved(to: &str) -> Vec<String> {
    line(format!("! the base moved to {to}; the work is rebased and proven again"))
}

fn audited(who: &str, findings: &[String], notes: &[String]) -> Vec<String> {
    let mut lines = if findings.is_empty() {
        line(format!("✓ {who}: nothing found"))
    } else {
        reasons(format!("✗ {who}"), findings)
    };
    lines.extend(notes.iter().map(|note| format!("  ! {}", one_line(note))));
    lines
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
    let kind = match spec.kind.cli().and_then(|cli| cli.model.as_deref()) {
        Some(model) => format!("{} {}", spec.kind.name(), one_line(model)),
        None => spec.kind.name().to_owned(),
    };
    format!("{} ({kind})", one_line(&spec.name))
}

fn began(effect: &Effect, state: &Run) -> Vec<String> {
    let line = match effect {
        Effect::Ask { phase, attempt, ask } => {
            let who = state
                .brief
                .agents
                .get(&phase.role())
                .map_or_else(|| "agent".to_owned(), |spec| one_line(&spec.name));
            let again = if *ask > 1 { format!(", ask {ask}") } else { String::new() };
            let fixing = state.brief.assignment.route == Route::Cycle && state.counters.fixes > 0;
            let banner = if fixing && *phase == Phase::Implement {
                let (now, of) = (state.counters.fixes + 1, state.limits.green + 1);
                format!(": fixing attempt {now} of {of}")
            } else {
                String::new()
            };
            format!("{phase}, attempt {attempt}{again} ({who}){banner}")
        }
        Effect::Prepare => "preparing: worktree and baseline".to_owned(),
        Effect::Examine => {
            let agents = &state.brief.agents;
            let who = agents.get(&Role::Examiner).map_or("agent", |spec| spec.name.as_str());
            format!("examining ({}): tests from the task's text alone", one_line(who))
        }
        Effect::BringTests
        | Effect::ProveRed { .. }
        | Effect::ProveGreen { .. }
        | Effect::Audit { .. }
        | Effect::Offer { .. }
        | Effect::HearReview { .. }
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
    if baseline.projects.len() > 1 {
        for project in &baseline.projects {
            let dir = if project.dir.is_empty() { "." } else { &project.dir };
            lines.push(format!("  {}: {}", harmless(dir), one_line(&project.why)));
        }
    }
    if !baseline.flaky.is_empty() {
        lines.push(format!("  unsteady before: {}", one_line(&baseline.flaky.to_string())));
    }
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
    let mut lines = vec![match turn.phase.hands() {
        Hands::Tied => format!("· {} done", turn.phase),
        Hands::Free => format!("· {} done: {files}", turn.phase),
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
            list("  sealed too, failing but no proof:".to_owned(), ids(anchor.others()));
        }
        Anchor::Pinned(_) => {
            let pinned = anchor.guards().len();
            list(
                format!("✓ pinned: {} on today's code; sealed", pass(pinned)),
                ids(anchor.guards()),
            );
        }
        Anchor::Open(_) => {}
    }
    list("  older tests that were changed, a person must agree:".to_owned(), ids(anchor.changed()));
    list("  held out, the coder is not shown them:".to_owned(), ids(anchor.unseen()));
    if let Some(held) = anchor.held_out().filter(|held| !held.note.is_empty()) {
        lines.push(format!("  ! {}", one_line(&held.note)));
    }
    lines
}

fn examined(examination: Option<&Examination>, why: &str) -> Vec<String> {
    let Some(found) = examination else {
        return reason("! no tests of a second agent", why);
    };
    let mut lines = line(format!(
        "✓ {} wrote {} from the task's text alone; the coder is not shown them",
        one_line(&found.by),
        tests(found.tests.len())
    ));
    lines.extend(named("    ", found.tests.iter().map(TestId::as_str)));
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
        Pause::Budget { what } => reason("! paused: a budget is spent", what),
        Pause::UsageLimit { until, why } => reason(
            format!("! paused until {} by a usage limit", crate::text::clock::show(*until)),
            why,
        ),
        Pause::Disk { what } => reason("! paused: the disk is almost full", what),
        Pause::RedProven => line("! paused: the bug is proven and nothing was fixed yet"),
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

fn line(text: impl Into<String>) -> Vec<String> {
    vec![text.into()]
}

fn reason(title: impl Into<String>, why: &str) -> Vec<String> {
    reasons(title, std::slice::from_ref(&why))
}

/// A title with its reasons indented below.
fn reasons(title: impl Into<String>, why: &[impl AsRef<str>]) -> Vec<String> {
    let mut lines = line(title);
    for text in why {
        let text = harmless(text.as_ref());
        lines.extend(text.lines().map(|line| format!("    {line}")));
    }
    lines
}

/// The first few names, each on its line, and how many there are beside them.
pub fn named<'a>(indent: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let all: Vec<&str> = names.collect();
    let mut lines: Vec<String> =
        all.iter().take(NAMED).map(|name| format!("{indent}{}", one_line(name))).collect();
    if all.len() > NAMED {
        lines.push(format!("{indent}and {} more", all.len() - NAMED));
    }
    lines
}

fn tests(count: usize) -> String {
    match count {
        1 => "1 test".to_owned(),
        n => format!("{n} tests"),
    }
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
