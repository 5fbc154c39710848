//! Which part of a change is shown by which test: a test that fails with a small change there looks there. And parts that could
//! be left out without any test noticing. It informs, and decides nothing.

use crate::branch::{BranchMeasure, Fate};
use crate::words::TestId;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Lines of the change that belong together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Looked {
    pub file: String,
    pub from: u32,
    pub to: u32,
    /// What they are a part of, for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub part: String,
    /// Tests that failed with a small change there; each run ends with the first that does, so there may be more.
    pub by: Vec<TestId>,
}

/// As many lines may lie between two that belong together.
const NEAR: u32 = 3;
/// As many tests of one part are named.
const TESTS: usize = 3;

/// In the order of the files and their lines.
pub fn looked(measure: &BranchMeasure) -> Vec<Looked> {
    let mut at: BTreeMap<(&str, &str), BTreeMap<u32, BTreeSet<&TestId>>> = BTreeMap::new();
    for mutant in measure.mutants.iter().filter(|mutant| mutant.fate == Fate::Killed) {
        let (Some(line), Some(by)) = (mutant.place.line, &mutant.by) else { continue };
        let part = mutant.parts.first().map_or("", |part| part.what.as_str());
        let lines = at.entry((mutant.place.file.as_str(), part)).or_default();
        lines.entry(line).or_default().insert(by);
    }
    let mut found = Vec::new();
    for ((file, part), lines) in at {
        let mut group: Option<(u32, u32, BTreeSet<&TestId>)> = None;
        for (line, tests) in lines {
            match &mut group {
                Some((_, to, by)) if line <= *to + NEAR => {
                    *to = line;
                    by.extend(tests);
                }
                _ => {
                    found.extend(group.take().map(|group| shown(file, part, group)));
                    group = Some((line, line, tests));
                }
            }
        }
        found.extend(group.map(|group| shown(file, part, group)));
    }
    found.extend(measure.unshown.iter().map(|hunk| Looked {
        file: hunk.file.clone(),
        from: hunk.from,
        to: hunk.to,
        part: String::new(),
        by: Vec::new(),
    }));
    found.sort_by(|one, other| (&one.file, one.from).cmp(&(&other.file, other.from)));
    found
}

fn shown(file: &str, part: &str, (from, to, by): (u32, u32, BTreeSet<&TestId>)) -> Looked {
    let by = by.into_iter().take(TESTS).cloned().collect();
    Looked { file: file.to_owned(), from, to, part: part.to_owned(), by }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::branch::{BranchKind, Hunk, Mutant, Part};
    use crate::report::Place;

    fn mutant(line: u32, fate: Fate, by: Option<&str>) -> Mutant {
        Mutant {
            place: Place { file: "a.py".into(), line: Some(line) },
            what: "other".into(),
            diff: String::new(),
            fate,
            parts: vec![Part { line: 1, what: "`price`".into() }],
            settled: None,
            by: by.map(TestId::new),
        }
    }

    #[test]
    fn each_part_of_a_change_has_the_tests_that_notice_it_and_some_have_none() {
        let mut measure = BranchMeasure::new(BranchKind::Both);
        measure.mutants = vec![
            mutant(4, Fate::Killed, Some("t::one")),
            mutant(6, Fate::Killed, Some("t::two")),
            mutant(7, Fate::Survived, None),
            mutant(30, Fate::Killed, Some("t::one")),
        ];
        let (file, diff) = ("a.py".to_owned(), String::new());
        measure.unshown = vec![Hunk { file, from: 12, to: 13, diff }];
        let rows: Vec<(u32, u32, usize)> =
            looked(&measure).iter().map(|row| (row.from, row.to, row.by.len())).collect();
        assert_eq!(rows, [(4, 6, 2), (12, 13, 0), (30, 30, 1)]);
    }
}
