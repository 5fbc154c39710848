//! The folder `.process` of a run: what it came to, for people and for programs that gave the task. Everything in it follows
//! from the history, so it is written anew whenever something is recorded that changes it, and after a crash. The failure
//! report alone is written where the work is saved (`carry::settle`).

use proctor_core::chronicle::{self, Chronicle, Measured, phase_of};
use proctor_core::event::Event;
use proctor_core::prompt::group_failures;
use proctor_core::proof::GreenMeasure;
use proctor_core::report::CaseEnd;
use proctor_core::run::Run;
use proctor_core::words::{BlobId, RunId, Status, TestId};
use proctor_journal::{Blobs, Journal};
use proctor_lab::Shop;
use serde_json::json;
use std::collections::BTreeSet;
use std::io;
use std::path::Path;

/// How much of one failure is told.
const LONGEST_FAILURE: usize = 4_000;

/// Whether a fact changes what the folder says.
pub(crate) fn concerns(event: &Event) -> bool {
    matches!(
        event,
        Event::Turned { .. }
            | Event::RedProven { .. }
            | Event::RedRefused { .. }
            | Event::GreenProven { .. }
            | Event::GreenRefused { .. }
            | Event::DiagnosisSkipped { .. }
            | Event::RefactoringUndone { .. }
            | Event::TestsTooThin { .. }
            | Event::ApprovalAsked { .. }
            | Event::Accepted { .. }
            | Event::Paused { .. }
            | Event::Interrupted
            | Event::Landed { .. }
            | Event::Closed { .. }
    )
}

/// What a run's history comes to.
pub fn chronicle(shop: &Shop, id: &RunId) -> io::Result<Chronicle> {
    let journal = Journal::open(shop.home.root()).map_err(io::Error::other)?;
    let history = journal.history::<Event>(id).map_err(io::Error::other)?;
    let blobs = Blobs::open(shop.home.root()).map_err(io::Error::other)?;
    let lookup = |evidence: &BlobId| measured(&blobs, evidence);
    Ok(Chronicle::of(history.iter().map(|recorded| &recorded.body), &lookup))
}

/// What a green gate measured; none where its evidence is gone.
fn measured(blobs: &Blobs, evidence: &BlobId) -> Option<Measured> {
    let measure: GreenMeasure = blobs.get_json(evidence).ok()?;
    let last = measure.runs.last().or(measure.early.as_ref())?;
    let known = |id: &&TestId| {
        let before = measure.baseline.cases.get(*id).map(|case| &case.end);
        !matches!(before, Some(CaseEnd::Failed { .. } | CaseEnd::Errored { .. }))
    };
    let only: BTreeSet<TestId> = last.cases.keys().filter(known).cloned().collect();
    let failures = group_failures(last, &only);
    let told = failures.into_iter().map(|group| {
        let tests = group.tests.join(", ");
        let text = format!("{}: {tests}\n{}", group.cause, group.message);
        text.chars().take(LONGEST_FAILURE).collect()
    });
    Some(Measured {
        counts: last.counts(),
        coverage: measure
            .coverage
            .as_ref()
            .and_then(proctor_core::proof::CoverageMeasure::of_changed),
        failures: told.collect(),
    })
}

/// Writes the folder anew.
pub(crate) fn write(shop: &Shop, id: &RunId, run: &Run) -> io::Result<()> {
    let told = chronicle(shop, id)?;
    let folder = shop.home.process(id);
    std::fs::create_dir_all(&folder)?;
    for one in told.tries.iter().filter(|one| one.fix > 0) {
        let name = format!("green-fix-iteration-{}.md", one.fix);
        put(&folder, &name, &chronicle::fix_log(run, one))?;
    }
    put(&folder, "summary.md", &chronicle::summary(run, &told))?;
    put(&folder, "result.json", &format!("{:#}\n", result(id, run, &told)))?;
    if run.status() == Status::Success {
        tick(shop, run, &folder)?;
    }
    Ok(())
}

/// Beside its place and then renamed, so that nobody reads half of it.
fn put(folder: &Path, name: &str, text: &str) -> io::Result<()> {
    let part = folder.join(format!("{name}.part"));
    std::fs::write(&part, text)?;
    std::fs::rename(&part, folder.join(name))
}

/// The list of things to do with this task's line ticked. The user's own stays as it is.
fn tick(shop: &Shop, run: &Run, folder: &Path) -> io::Result<()> {
    let Some(todo) = &run.brief.assignment.todo else { return Ok(()) };
    let blobs = Blobs::open(shop.home.root()).map_err(io::Error::other)?;
    let bytes = blobs.get(&todo.blob).map_err(io::Error::other)?;
    let list = String::from_utf8_lossy(&bytes);
    let name =
        Path::new(&todo.path).file_name().map_or("TODO_LIST.md".into(), |n| n.to_string_lossy());
    match chronicle::ticked(&list, run.brief.task.as_str(), "summary.md") {
        Some(text) => put(folder, &name, &text),
        None => Ok(()),
    }
}

/// `result.json`: the same in structured form.
fn result(id: &RunId, run: &Run, told: &Chronicle) -> serde_json::Value {
    let brief = &run.brief;
    let measured = told.last();
    let landed = run.landed.as_ref();
    json!({
        "run": id,
        "task_id": brief.task,
        "type": brief.kind,
        "route": brief.assignment.route.name(),
        "status": run.status().name(),
        "exit_code": run.status().exit_code(),
        "reason": run.reason(),
        "phase": phase_of(run),
        "branch": landed.map_or(&brief.landing.branch, |landed| &landed.branch),
        "commit": landed.map(|landed| landed.commit.as_str()),
        "test_file_path": run.test_file_path,
        "notes": run.notes,
        "rejection_history": run.rejections,
        "red": told.red.as_ref().map(|red| json!({
            "written": red.written(), "expected": brief.test_count,
            "failing": red.failing, "guards": red.guards, "refusals": told.red_refusals.len(),
        })),
        "green": {
            "iterations": told.fixes(),
            "max_iterations": run.limits.green,
            "passed": measured.map(|m| m.counts.passed),
            "total": measured.map(Measured::total),
            "coverage": measured.and_then(|m| m.coverage).map(|share| share.to_string()),
            "expected_coverage": brief.rules.coverage.map(|share| format!(">={share}")),
        },
        "refactor": told.refactor,
        "files": told.files(),
    })
}
