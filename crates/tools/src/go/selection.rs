//! The tests that are asked for, as Go's `-run` takes them: one pattern for each level of a name, each matched whole.

use super::listing::Listing;
use crate::ask::Selection;
use proctor_core::words::TestId;
use std::collections::{BTreeMap, BTreeSet};

/// Longer patterns would not fit into one argument: then the whole package runs, and what was not asked for is left
/// out of the report.
const LONGEST: usize = 100_000;

/// `import/path TestName/case`.
pub(crate) fn id(package: &str, test: &str) -> TestId {
    TestId::new(format!("{package} {test}"))
}

/// The test that stands in a source file, without its subtests.
pub(crate) fn top(test: &str) -> &str {
    test.split('/').next().unwrap_or(test)
}

/// Whether a reported test is asked for, by its own id or by that of a test that it is a case of.
pub(crate) fn asked(only: &Selection, reported: &TestId) -> bool {
    match only {
        Selection::All => true,
        Selection::Ids(ids) => ids.iter().any(|id| id.covers(reported)),
    }
}

/// The asked tests of each package that can be run.
pub(crate) fn by_package(ids: &[TestId], listing: &Listing) -> BTreeMap<String, BTreeSet<String>> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (package, test) in ids.iter().filter_map(|id| id.as_str().split_once(' ')) {
        let Some(known) = listing.packages.get(package).filter(|p| p.problems.is_empty()) else {
            continue;
        };
        // An id that ends in `…` stands for all that begin so: their whole tests are run.
        let names: Vec<String> = match test.strip_suffix('…') {
            Some(stem) => known
                .tests
                .iter()
                .filter(|t| t.starts_with(stem) || top(stem) == *t)
                .cloned()
                .collect(),
            None if known.tests.contains(top(test)) => vec![test.to_owned()],
            None => Vec::new(),
        };
        found.entry(package.to_owned()).or_default().extend(names);
    }
    found.retain(|_, tests| !tests.is_empty());
    found
}

/// The pattern for these tests of one package; none where they don't fit into one.
pub(crate) fn pattern(tests: &BTreeSet<String>) -> Option<String> {
    let split: Vec<Vec<&str>> = tests.iter().map(|t| t.split('/').collect()).collect();
    let depth = split.iter().map(Vec::len).min()?;
    let mut levels = Vec::new();
    for level in 0..depth {
        let names: BTreeSet<String> =
            split.iter().filter_map(|parts| parts.get(level)).map(|p| quoted(p)).collect();
        levels.push(format!("^({})$", names.into_iter().collect::<Vec<_>>().join("|")));
    }
    let whole = levels.join("/");
    (whole.len() <= LONGEST).then_some(whole)
}

fn quoted(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if r"\.+*?()|[]{}^$".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(tests: &[&str]) -> Option<String> {
        pattern(&tests.iter().map(|t| (*t).to_owned()).collect())
    }

    #[test]
    fn each_level_is_matched_whole() {
        assert_eq!(of(&["TestA"]).unwrap(), "^(TestA)$");
        assert_eq!(of(&["TestB", "TestA"]).unwrap(), "^(TestA|TestB)$");
        assert_eq!(of(&["TestA/a.b", "TestA/c[1]"]).unwrap(), r"^(TestA)$/^(a\.b|c\[1\])$");
        // The whole of `TestB` is wanted, so nothing is chosen below the first level.
        assert_eq!(of(&["TestA/x", "TestB"]).unwrap(), "^(TestA|TestB)$");
        assert_eq!(of(&[]), None);
    }

    #[test]
    fn a_pattern_that_is_too_long_is_none() {
        let many: BTreeSet<String> = (0..9000).map(|n| format!("TestNumber{n}")).collect();
        assert_eq!(pattern(&many), None);
    }
}
