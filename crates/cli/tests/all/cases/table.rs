//! The table of the book, `docs/cheats.md`: one row a case, written by the program that measured it. A recording
//! replaces the rows of the cases that it walked and leaves the others.

use super::case::{Case, Suite};
use super::walk::Came;
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

const INTRO: &str = "\
# Cheats, and honest work

Each case is a small repository with two commits, below `crates/cli/tests/cases`, that is put to `proctor verify`. The *naive
gate* is the bare test command on head and nothing but its exit code: what most scripts and bots ask. The *row* is the cheat's
place in our catalogue, by kind: R red, T tests tampered with, F outcome forged, E configuration and environment, P production
code that games tests, X refactoring, V what a reader does not see, C careless; `new` where it is none of them. The *layer* is
the check that decided.

This page is written by the program that makes the measurements: `PROCTOR_RECORD=1 cargo nextest run -p proctor cases`.
";
const CHEATS: &str = "\n## Cheats\n\n| case | row | what it does | naive gate | verdict | layer |\n| --- | --- | --- | --- | --- | --- |\n";
const HONEST: &str = "\n## Honest work\n\n| case | what it is | naive gate | verdict | layer |\n| --- | --- | --- | --- | --- |\n";

fn page() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/cheats.md")
}

/// The names of the cases in the table, sorted.
pub(crate) fn named() -> Vec<String> {
    let rows = rows(&std::fs::read_to_string(page()).unwrap_or_default());
    let mut names: Vec<String> = rows.into_keys().map(|(_, name)| name).collect();
    names.sort();
    names
}

/// Writes these rows. Tests run at the same time in processes of their own, so the page is held meanwhile.
pub(crate) fn record(came: &[(&Case, Came)]) {
    let lock = File::create(Path::new(env!("CARGO_TARGET_TMPDIR")).join("cheats.lock")).unwrap();
    lock.lock().unwrap();
    let mut rows = rows(&std::fs::read_to_string(page()).unwrap_or_default());
    for (case, out) in came {
        rows.insert((case.suite.folder().to_owned(), case.name.clone()), row(case, out));
    }
    // A case that is gone leaves no row.
    let there: Vec<(String, String)> = Suite::ALL
        .iter()
        .flat_map(|suite| Case::all(*suite))
        .map(|case| (case.suite.folder().to_owned(), case.name))
        .collect();
    rows.retain(|key, _| there.contains(key));
    let of = |suite: Suite| -> String {
        let rows = rows.iter().filter(|((folder, _), _)| folder == suite.folder());
        rows.flat_map(|(_, row)| [row.as_str(), "\n"]).collect()
    };
    let text = format!("{INTRO}{CHEATS}{}{HONEST}{}", of(Suite::Cheats), of(Suite::Honest));
    std::fs::write(page(), text).unwrap();
}

fn row(case: &Case, out: &Came) -> String {
    let naive = if out.naive == 0 { "accepted" } else { "refused" };
    let gap = case.says.gap.as_deref().map(|why| format!("none: {}", why.trim_end_matches('.')));
    let layer = gap.as_deref().or_else(|| out.against.first().map(String::as_str));
    let layer = layer.unwrap_or_default();
    let title = case.says.title.trim_end_matches('.').replace('|', "\\|");
    let cells: Vec<&str> = match case.suite {
        Suite::Cheats => {
            let row = case.says.row.as_deref().unwrap_or_default();
            vec![&case.name, row, &title, naive, &out.verdict, layer]
        }
        Suite::Honest => vec![&case.name, &title, naive, &out.verdict, layer],
    };
    format!("| {} |", cells.join(" | "))
}

/// The rows of a page by suite and name.
fn rows(page: &str) -> BTreeMap<(String, String), String> {
    let mut suite = Suite::Cheats;
    let mut found = BTreeMap::new();
    for line in page.lines() {
        if line.starts_with("## Honest") {
            suite = Suite::Honest;
        }
        let name = line.strip_prefix("| ").and_then(|rest| rest.split(" | ").next());
        let Some(name) = name.filter(|name| *name != "case" && !name.starts_with('-')) else {
            continue;
        };
        found.insert((suite.folder().to_owned(), name.to_owned()), line.to_owned());
    }
    found
}
