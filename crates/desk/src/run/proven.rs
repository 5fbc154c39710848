//! What a person approves, in words: the tests, what only a person can say, what was seen, which files change.

use crate::run::changes::{Changes, lines};
use crate::run::facts::Facts;
use crate::run::story::named;
use crate::text::harmless::one_line;
use crate::verdict::{Look, observed};
use proctor_core::duration::show_duration;
use proctor_core::event::{Event, Patch};
use proctor_core::examined::Examined;
use proctor_core::proof::{Anchor, GreenMeasure, GreenProof};
use proctor_core::run::Run;
use proctor_core::words::{RunId, TestId};
use proctor_engine::Home;
use proctor_journal::{Blobs, Journal};

/// What a person approves.
pub fn proven(home: &Home, id: &RunId, run: &Run) -> Vec<String> {
    let mut lines = vec![String::new(), format!("Proven: {}", one_line(&run.brief.description))];
    if let Some(anchor) = run.stage.anchor() {
        lines.extend(tests(anchor));
    }
    lines.extend(summary(home, id, run));
    lines.extend(raised(run));
    lines.extend(seen(home, run));
    lines.extend(changed_files(home, run));
    lines.extend(dependencies(home, run));
    if let Some(green) = run.stage.green() {
        lines.push(format!("  tree {} on base {}", green.at().tree.short(), run.base.short()));
    }
    lines
}

/// In numbers, and by what way it came here.
fn summary(home: &Home, id: &RunId, run: &Run) -> Vec<String> {
    if !home.root().is_dir() {
        return Vec::new();
    }
    let history = Journal::open(home.root()).and_then(|journal| journal.history::<Event>(id));
    let history = match history {
        Ok(history) => history,
        Err(why) => {
            return vec![format!("  numbers: can't be shown ({})", one_line(&why.to_string()))];
        }
    };
    let facts = Facts::of(history.iter().map(|recorded| &recorded.body));
    let measure = facts.measure(home).ok().flatten();
    let mut lines = measure.as_ref().map(|measure| facts.numbers(measure)).unwrap_or_default();
    if let Some(share) = run.stage.green().and_then(GreenProof::coverage) {
        lines.push(format!("  ✓ the tests run {share} of the changed lines"));
    }
    lines.extend(facts.on_the_way());
    lines.extend(measure.as_ref().and_then(|measure| examined(measure.examined.as_ref()?)));
    if let Some(why) = &run.nothing_to_add {
        lines.push(format!("  ! the tester says that no test is to be added (approved, these mutants are asked of nobody again): {}", one_line(why)));
    }
    lines.extend(facts.warnings.iter().map(|text| format!("  ! {}", one_line(text))));
    let spent = &run.spent;
    lines.push(format!(
        "  {} agent calls, {}, {} tokens",
        spent.calls,
        show_duration(spent.wall_ms / 1000 * 1000),
        spent.usage.tokens
    ));
    if let Patch::Other { shown } = &run.patch {
        lines.push("  ! on the new base the change is NOT THE SAME; how it differs:".to_owned());
        let text = Blobs::open(home.root()).and_then(|blobs| blobs.get_json::<String>(shown));
        let text = text.unwrap_or_else(|why| why.to_string());
        lines.extend(text.lines().map(|line| format!("    {}", one_line(line))));
    }
    lines
}

/// What tests that a second agent wrote say; those that fail are for a person.
fn examined(found: &Examined) -> Option<String> {
    let (passed, of) = (found.asked.saturating_sub(found.doubts.len()), found.asked);
    let mark = if passed == of { '✓' } else { '!' };
    let by = one_line(&found.by);
    (of > 0).then(|| {
        format!("  {mark} {passed} of {of} tests that {by} wrote from the task's text alone pass")
    })
}

fn tests(anchor: &Anchor) -> Vec<String> {
    let mut lines = Vec::new();
    let mut list = |title: &str, tests: &[TestId]| {
        if !tests.is_empty() {
            lines.push(format!("  {title}"));
            lines.extend(named("    ", tests.iter().map(TestId::as_str)));
        }
    };
    match anchor {
        Anchor::Red(_) => {
            list("✓ red before, green now:", anchor.red());
            list("guards (passed before too):", anchor.guards());
            list("sealed too (failed before, but not as a proof):", anchor.others());
        }
        Anchor::Pinned(_) => list("✓ pinned, green before and now:", anchor.guards()),
        Anchor::Open(_) => list("tests that were added:", anchor.guards()),
    }
    list("! older tests that were CHANGED, look at them:", anchor.changed());
    list("held out from the coder:", anchor.unseen());
    lines
}

/// What only a person can say, and the command that says it.
fn raised(run: &Run) -> Vec<String> {
    let open = run.raised.open();
    if open.is_empty() {
        return Vec::new();
    }
    let mut lines = vec!["  ! A PERSON MUST LOOK at this:".to_owned()];
    lines.extend(open.iter().map(|one| format!("    {}", one_line(&one.to_string()))));
    lines
}

/// What the assertions of the new tests saw before and see now, with their own inputs and with others.
fn seen(home: &Home, run: &Run) -> Vec<String> {
    let Some(evidence) = &run.measured else { return Vec::new() };
    let measure = Blobs::open(home.root()).and_then(|blobs| blobs.get_json(evidence));
    let lines = match measure.map(|measure: GreenMeasure| measure.observed()) {
        Ok(all) => observed::lines(&all, Look::Plain),
        Err(why) => vec![format!("  can't be shown ({})", one_line(&why.to_string()))],
    };
    let title = (!lines.is_empty()).then(|| "  what its assertions see, base and head:".to_owned());
    title.into_iter().chain(lines.iter().map(|line| format!("  {line}"))).collect()
}

fn changed_files(home: &Home, run: &Run) -> Vec<String> {
    let files = match Changes::of(home, run) {
        Ok(Some(changes)) => changes.files(),
        Ok(None) => return Vec::new(),
        Err(why) => Err(why),
    };
    match files {
        Ok(files) => {
            let mut out = vec!["  files:".to_owned()];
            out.extend(lines(&files).iter().map(|line| format!("    {line}")));
            out
        }
        Err(why) => vec![format!("  files: can't be shown ({})", one_line(&why.to_string()))],
    }
}

fn dependencies(home: &Home, run: &Run) -> Vec<String> {
    let changes = Changes::of(home, run).ok().flatten();
    let named = changes.and_then(|changes| changes.dependencies().ok()).unwrap_or_default();
    if named.is_empty() {
        return Vec::new();
    }
    let mut lines = vec!["  ! DEPENDENCIES change, look at them:".to_owned()];
    lines.extend(named.iter().map(|change| format!("    {}", one_line(change))));
    lines
}
