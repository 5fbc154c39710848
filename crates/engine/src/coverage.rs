//! Which lines of the work the tests run: one more run of the suite, with the language's own coverage tool.

use crate::verify::differing;
use proctor_core::proof::CoverageMeasure;
use proctor_core::words::TreeId;
use proctor_lab::Halt;
use proctor_lab::Measured;
use proctor_lab::TestRuns;
use proctor_lab::Trial;
use proctor_lab::sources_within;
use proctor_lang::{Zone, zone};
use proctor_tools::{Covered, sources_of};
use proctor_world::shadow::Shadow;
use std::collections::{BTreeMap, BTreeSet};

/// A file that is larger is not read line by line.
const MOST_BYTES: u64 = 1024 * 1024;

/// Measures a tree against the base.
pub(crate) fn coverage(
    shadow: &Shadow,
    runs: &mut TestRuns<'_>,
    base: &TreeId,
    code: &TreeId,
) -> Result<CoverageMeasure, Halt> {
    covered(shadow, runs.measured(&Trial::of(code).covering())?, base, code)
}

/// What a run that measured it says.
pub(crate) fn covered(
    shadow: &Shadow,
    measured: Vec<Measured>,
    base: &TreeId,
    code: &TreeId,
) -> Result<CoverageMeasure, Halt> {
    let mut measure = CoverageMeasure::default();
    for found in measured {
        let (dir, runner) = (found.project.dir, found.project.runner);
        match found.covered {
            None => {}
            Some(Covered::Lines(lines)) => {
                measure.lines.files.extend(lines.files);
                let own = |path: &str| in_folder(path, &dir) && is_source(path, &runner);
                measure.changed.extend(changed_lines(shadow, base, code, own)?);
            }
            Some(Covered::ToolMissing { tool, install }) => measure.warnings.push(format!(
                "coverage was not measured, since {tool} is not installed; `{install}` installs it"
            )),
            Some(Covered::Unreadable { why }) => {
                return Err(Halt::lasting(format!(
                    "coverage was asked for and could not be measured: {why}\nhint: mend that, or start again without --coverage"
                )));
            }
        }
    }
    Ok(measure)
}

fn in_folder(path: &str, dir: &str) -> bool {
    dir.is_empty() || path.strip_prefix(dir).is_some_and(|rest| rest.starts_with('/'))
}

fn ending(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(_, ending)| ending)
}

fn is_source(path: &str, runner: &str) -> bool {
    zone(path) == Zone::Production && sources_of(runner).contains(&ending(path))
}

/// The lines of production code that differ from the base, by file.
fn changed_lines(
    shadow: &Shadow,
    base: &TreeId,
    code: &TreeId,
    own: impl Fn(&str) -> bool,
) -> Result<BTreeMap<String, BTreeSet<u32>>, Halt> {
    let touched: BTreeSet<String> = shadow
        .changed(base, code)?
        .into_iter()
        .map(|(path, _)| path)
        .filter(|path| own(path))
        .collect();
    let wanted = |path: &str| touched.contains(path);
    let (old, older) = sources_within(shadow, &*shadow.list(base)?, MOST_BYTES, wanted)?;
    let (new, newer) = sources_within(shadow, &*shadow.list(code)?, MOST_BYTES, wanted)?;
    let (old, new) = (old.0, new.0);
    let mut found = BTreeMap::new();
    for path in touched.iter().filter(|path| !older.contains(*path) && !newer.contains(*path)) {
        let Some(text) = new.get(path).and_then(|bytes| std::str::from_utf8(bytes).ok()) else {
            continue;
        };
        let before = old.get(path).and_then(|bytes| std::str::from_utf8(bytes).ok());
        let lines = differing(path, before.unwrap_or_default(), text);
        if !lines.is_empty() {
            found.insert(path.clone(), lines);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_of_production_code_that_are_new_count() {
        let old = "def a():\n    return 1\n";
        let new = "def a():\n    return 2\n\n\ndef b():\n    return 3\n";
        assert_eq!(differing("a.py", old, new), BTreeSet::from([2, 5, 6]));
        let rust = "pub fn f() {}\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn t() {}\n}\n";
        assert_eq!(differing("src/lib.rs", "", rust), BTreeSet::from([1]));
    }

    #[test]
    fn sources_are_the_tools_own_language_in_the_projects_folder() {
        assert!(is_source("src/a.py", "pytest") && !is_source("tests/a.py", "pytest"));
        assert!(!is_source("src/a.js", "pytest") && is_source("src/a.tsx", "vitest"));
        assert!(in_folder("api/a.py", "api") && !in_folder("apis/a.py", "api"));
    }
}
