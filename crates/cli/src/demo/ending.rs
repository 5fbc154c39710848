//! The last words of a demo: what was proven, what landed and where to look next. Everything said here is read
//! from the run's own history and evidence, not from the script.

use crate::demo::place::Place;
use anyhow::Result;
use proctor_core::event::Event;
use proctor_core::run::Run;
use proctor_core::words::RunId;
use proctor_desk::run::facts::Facts;
use proctor_desk::text::harmless::one_line;
use proctor_engine::Home;
use proctor_journal::{Journal, Recorded};
use std::path::Path;

/// The lines of a demo that landed.
pub fn ending(place: &Place, home: &Home, id: &RunId, run: &Run) -> Result<Vec<String>> {
    let history: Vec<Recorded<Event>> = Journal::open(home.root())?.history(id)?;
    let facts = Facts::of(history.iter().map(|recorded| &recorded.body));
    let mut lines =
        vec![String::new(), "What Proctor proved, with test runs of its own:".to_owned()];
    lines.extend(facts.tests(facts.measure(home)?.as_ref()));
    lines.extend(facts.on_the_way());
    if let Some(landed) = &run.landed {
        let approved = if facts.beforehand { ", approved beforehand" } else { "" };
        lines.push(format!(
            "  ✓ landed as {} on {}{approved}",
            landed.commit.short(),
            one_line(&landed.branch)
        ));
    }
    lines.push(String::new());
    lines.push(format!("git log --oneline in {}:", place.repo().display()));
    let log = place.git().line(&["log", "--oneline", "--no-color"])?;
    lines.extend(log.lines().map(|line| format!("  {}", one_line(line))));
    lines.extend(where_next(place, id));
    Ok(lines)
}

fn where_next(place: &Place, id: &RunId) -> Vec<String> {
    let home = quoted(&place.home());
    let command = |verb: &str| format!("  PROCTOR_HOME={home} proctor {verb} {id}");
    vec![
        String::new(),
        "Look at it more closely (proof, history, change):".to_owned(),
        command("show"),
        command("log"),
        command("diff"),
        "In a repository of your own:".to_owned(),
        "  proctor init".to_owned(),
        "  proctor fix \"what is wrong\"".to_owned(),
        format!(
            "All of this demo is in {}; delete it when you have seen enough.",
            place.folder().display()
        ),
    ]
}

/// A path as a shell takes it.
fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy();
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:@".contains(c);
    if text.chars().all(plain) {
        text.into_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_can_be_pasted_into_a_shell() {
        assert_eq!(quoted(Path::new("/tmp/proctor-demo-1")), "/tmp/proctor-demo-1");
        assert_eq!(quoted(Path::new("/tmp/my demo's")), r"'/tmp/my demo'\''s'");
    }
}
