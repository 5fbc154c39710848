//! A chronicle as Markdown: the summary, the log of one fix, and the section with which the output for an orchestrator ends.
//! What others wrote is put on one line, so that it can't begin a section of its own.

use super::{Chronicle, Measured, Refactor, Taken, Try, TryEnd, attempted, cycle_of, phase_of};
use crate::assignment::Route;
use crate::concern::Raised;
use crate::run::Run;
use crate::words::{Status, TestId};
use std::fmt::Write;

/// What others wrote, on one line.
fn line(text: &str) -> String {
    text.split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// `summary.md`.
pub fn summary(run: &Run, told: &Chronicle) -> String {
    let brief = &run.brief;
    let mut text =
        format!("# TDD summary: {}\n\n{}\n", line(brief.task.as_str()), line(&brief.description));
    if brief.assignment.route == Route::Tdd {
        red(&mut text, run, told);
    }
    green(&mut text, run, told);
    if brief.assignment.route == Route::Tdd {
        refactor(&mut text, told);
    }
    let of = |taken: &Taken| -> Vec<String> {
        let said = |raised: &Raised| {
            format!("{} (accepted: {})", line(&raised.to_string()), line(&taken.why))
        };
        taken.raised.iter().map(said).collect()
    };
    if !told.accepted.is_empty() {
        list(&mut text, "Accepted By A Person", told.accepted.iter().flat_map(of));
    }
    list(&mut text, "Files Modified", told.files().into_iter().map(line));
    let tests = told.red.iter().flat_map(|red| red.failing.iter().chain(&red.guards));
    let tests = tests.map(|id: &TestId| format!("test {}", line(id.as_str())));
    let done = told.tries.iter().map(|one| line(&one.description)).filter(|done| !done.is_empty());
    list(&mut text, "Content Added", tests.chain(done));
    let _ = write!(text, "\nStatus: {}\n", status(run, told));
    text
}

fn status(run: &Run, told: &Chronicle) -> String {
    match (run.status(), &run.brief.assignment.route) {
        (Status::Success, Route::Tdd) if told.red.is_some() => {
            "Complete (TDD Compliant)".to_owned()
        }
        (Status::Success, _) => "Complete".to_owned(),
        (status, _) => {
            let reason = line(&run.reason());
            if reason.is_empty() { status.to_string() } else { format!("{status}: {reason}") }
        }
    }
}

fn red(text: &mut String, run: &Run, told: &Chronicle) {
    text.push_str("\n## Red\n\n");
    let expected = run.brief.test_count.map_or_else(|| "any number".to_owned(), |n| n.to_string());
    match &told.red {
        Some(red) => {
            let _ = writeln!(text, "- Tests written: {} of {expected} expected", red.written());
            let _ = writeln!(text, "- Files: {}", or_none(told.test_files.iter().map(|f| line(f))));
            let _ = writeln!(
                text,
                "- Initial result: {} failing for a right reason, {} passing already",
                red.failing.len(),
                red.guards.len()
            );
            if !red.guards.is_empty() && !red.failing.is_empty() {
                let _ = writeln!(
                    text,
                    "- WARNING: tests that pass before the work is done prove nothing: {}",
                    or_none(red.guards.iter().map(|id| line(id.as_str())))
                );
            }
        }
        None => {
            let _ = writeln!(text, "- Tests written: none was accepted, of {expected} expected");
        }
    }
    if let Some(last) = told.red_refusals.last() {
        let _ =
            writeln!(text, "- Sent back: {} times, last: {}", told.red_refusals.len(), line(last));
    }
}

fn green(text: &mut String, run: &Run, told: &Chronicle) {
    text.push_str("\n## Green\n\n");
    if !run.brief.assignment.scope.is_empty() {
        let _ = writeln!(text, "- Scope: {}", line(&run.brief.assignment.scope));
    }
    let _ = writeln!(text, "- Iterations: {}", iterations(run, told));
    let _ = writeln!(text, "- Tests: {}", tests(told));
    let _ = writeln!(text, "- Coverage: {}", coverage(run, told));
    let logs: Vec<String> = fixes(told)
        .map(|one| format!("[green-fix-iteration-{n}.md](green-fix-iteration-{n}.md)", n = one.fix))
        .collect();
    let _ = writeln!(text, "- Log: {}", or_none(logs));
}

fn fixes(told: &Chronicle) -> impl Iterator<Item = &Try> {
    told.tries.iter().filter(|one| one.fix > 0)
}

fn refactor(text: &mut String, told: &Chronicle) {
    text.push_str("\n## Refactor\n\n");
    let (count, result) = match &told.refactor {
        Refactor::NotAsked => (0, "no refactoring was asked for".to_owned()),
        Refactor::Nothing => (0, "nothing was changed".to_owned()),
        Refactor::Kept { files } => (files.len(), regression(told)),
        Refactor::Undone { why } => {
            (0, format!("broke tests and was undone: {}", line(&why.join(" "))))
        }
    };
    let _ = writeln!(text, "- Refactorings: {count}");
    let _ = writeln!(text, "- Regression: {result}");
}

fn regression(told: &Chronicle) -> String {
    match told.tries.last().map(|one| &one.end) {
        Some(TryEnd::Green) => format!("none, {}", tests(told)),
        _ => "not run yet".to_owned(),
    }
}

fn iterations(run: &Run, told: &Chronicle) -> String {
    format!(
        "{}/{} (fixes after the first try)",
        told.fixes().min(run.limits.green),
        run.limits.green
    )
}

fn tests(told: &Chronicle) -> String {
    told.last().map_or_else(|| "not run".to_owned(), in_numbers)
}

fn in_numbers(measured: &Measured) -> String {
    let skipped = match measured.counts.skipped {
        0 => String::new(),
        n => format!(", {n} skipped"),
    };
    let ran = measured.total() - measured.counts.skipped;
    format!("{}/{ran} passing ({}){skipped}", measured.counts.passed, measured.share())
}

fn coverage(run: &Run, told: &Chronicle) -> String {
    let target = run.brief.rules.coverage.map(|share| format!("target >={share}"));
    let target = target.unwrap_or_else(|| "no target".to_owned());
    match told.last().and_then(|measured| measured.coverage) {
        Some(share) => format!("{share} ({target})"),
        None => format!("not measured ({target})"),
    }
}

fn or_none(items: impl IntoIterator<Item = String>) -> String {
    let items: Vec<String> = items.into_iter().collect();
    if items.is_empty() { "none".to_owned() } else { items.join(", ") }
}

fn list(text: &mut String, title: &str, items: impl Iterator<Item = String>) {
    let _ = write!(text, "\n## {title}\n\n");
    let mut some = false;
    for item in items {
        some = true;
        let _ = writeln!(text, "- {item}");
    }
    if !some {
        text.push_str("- none\n");
    }
}

/// `green-fix-iteration-N.md`.
pub fn fix_log(run: &Run, one: &Try) -> String {
    let mut text = format!("# Green phase, fix {} of {}\n", one.fix, run.limits.green);
    text.push_str("\n## Before\n\n");
    let before = one.before.as_ref().map_or_else(|| "no test run".to_owned(), in_numbers);
    let _ = writeln!(text, "- Tests: {before}");
    for why in &one.why {
        let _ = writeln!(text, "- {}", line(why));
    }
    if let Some(failures) = one.before.as_ref().map(|measured| &measured.failures) {
        for failure in failures {
            let _ = write!(text, "\n{}\n", fenced(failure));
        }
    }
    text.push_str("\n## Diagnosis\n\n");
    match (&one.diagnosis, &one.no_diagnosis) {
        (Some(diagnosis), _) => {
            let _ = writeln!(text, "{}", fenced(diagnosis));
        }
        (None, Some(why)) => {
            let _ = writeln!(text, "- skipped: {}", line(why));
        }
        (None, None) => text.push_str("- no diagnostician is configured\n"),
    }
    text.push_str("\n## Fix\n\n");
    let _ = writeln!(
        text,
        "- {}",
        if one.description.is_empty() {
            "no description".to_owned()
        } else {
            line(&one.description)
        }
    );
    let _ = writeln!(text, "- Files: {}", or_none(one.changed.iter().map(|file| line(file))));
    text.push_str("\n## After\n\n");
    let after = one.after.as_ref().map_or_else(|| "not run yet".to_owned(), in_numbers);
    let _ = writeln!(text, "- Tests: {after}");
    if let Some(share) = one.after.as_ref().and_then(|measured| measured.coverage) {
        let _ = writeln!(text, "- Coverage: {share}");
    }
    match &one.end {
        TryEnd::Open => text.push_str("- Result: not judged yet\n"),
        TryEnd::Green => text.push_str("- Result: green\n"),
        TryEnd::Refused(why) => {
            text.push_str("- Result: refused\n");
            for why in why {
                let _ = writeln!(text, "- {}", line(why));
            }
        }
    }
    text
}

/// Text of others between fences that nothing in it can close.
fn fenced(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}\n{}\n{fence}", text.trim_end())
}

/// The last section of the output for an orchestrator. `process` is the folder with the run's files, `next` what would lead on.
pub fn marker(run: &Run, told: &Chronicle, process: &str, next: &[String]) -> String {
    match run.status() {
        Status::Success => format!(
            "## TASK COMPLETE\n\n**Cycle:** {}\n**Tests:** {}\n**Coverage:** {}\n**Iterations:** {}\n**Files:** {}\n",
            cycle_of(run, told),
            tests(told),
            coverage(run, told),
            iterations(run, told),
            or_none(told.files().into_iter().map(line)),
        ),
        Status::Failed => format!(
            "## TASK FAILED\n\n**Phase:** Green\n**Reason:** {}\n**Action:** All changes auto-reverted\n**Diagnostics:** {process}/green-phase-failure.md\n",
            line(&run.reason()),
        ),
        Status::Running
        | Status::AwaitingApproval
        | Status::Paused
        | Status::Blocked
        | Status::Discarded
        | Status::MaxAttemptsReached
        | Status::Aborted
        | Status::AgentError
        | Status::Interrupted => {
            let reason = run.reason();
            let (blocker, hint) = reason.split_once("\nhint: ").unwrap_or((&reason, ""));
            let need = match (hint, next) {
                ("", []) => "a decision by a person".to_owned(),
                ("", next) => next.join(", or "),
                (hint, _) => line(hint),
            };
            blocked(
                &format!("{}: {}", run.status(), line(blocker)),
                &need,
                &attempted(run),
                phase_of(run),
            )
        }
    }
}

/// The same for a task that could not even begin.
pub fn refused_marker(why: &str) -> String {
    let (blocker, hint) = why.split_once("\nhint: ").unwrap_or((why, "a task that can be run"));
    blocked(&line(blocker), &line(hint), "nothing was created and nothing was run", "Intake")
}

fn blocked(blocker: &str, need: &str, attempted: &str, phase: &str) -> String {
    format!(
        "## TASK BLOCKED\n\n**Blocker:** {blocker}\n**Need:** {need}\n**Attempted:** {attempted}\n**Phase:** {phase}\n"
    )
}
