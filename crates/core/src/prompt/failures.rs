//! Failures, grouped by cause for the one who has to mend them. Owns what counts as the same cause. It must not
//! drop a word of what the tests said: a group holds its first message whole, and of every other one the lines
//! that differ.

use crate::report::{CaseEnd, Place, Reason, RunEnd, TestReport};
use crate::words::TestId;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Tests that fail for the same cause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailureGroup {
    /// The cause in a few words.
    pub cause: String,
    /// The whole message of the first, and what the others say differently.
    pub message: String,
    pub place: Option<String>,
    pub tests: Vec<String>,
}

/// Groups what went wrong: failures of the run as a whole and of files that could not be collected, and of the
/// tests in `only` all that did not pass. The biggest group comes first.
pub fn group_failures(report: &TestReport, only: &BTreeSet<TestId>) -> Vec<FailureGroup> {
    let mut groups = Groups::default();
    let absent: Vec<&TestId> = only.iter().filter(|id| !report.cases.contains_key(id)).collect();
    of_the_run(&mut groups, &report.end, &absent);
    for (id, case) in report.cases.iter().filter(|(id, _)| only.contains(id)) {
        let failure = match &case.end {
            CaseEnd::Passed => continue,
            CaseEnd::Failed { reason } => Failure::of(reason),
            CaseEnd::Errored { message } => {
                Failure { cause: "broke in set-up or tear-down".to_owned(), message, place: None }
            }
            CaseEnd::Skipped { why } => {
                Failure { cause: "skipped".to_owned(), message: why, place: None }
            }
        };
        groups.add(&failure, Some(id));
    }
    groups.finish()
}

/// What the end of the run says, and the tests that therefore never ran.
fn of_the_run(groups: &mut Groups, end: &RunEnd, absent: &[&TestId]) {
    let plain = |cause: &str, message| Failure { cause: cause.to_owned(), message, place: None };
    match end {
        RunEnd::Finished => {
            for id in absent {
                groups.add(&plain("did not run", ""), Some(id));
            }
        }
        RunEnd::NoTests => groups.add_all(&plain("no test ran", ""), absent),
        RunEnd::CollectFailed { errors } => {
            for error in errors {
                let mut failure = Failure::of(&error.reason);
                failure.cause = format!("could not be collected: {}", failure.cause);
                failure.place = failure.place.or(Some(&error.place));
                let inside: Vec<&TestId> = absent
                    .iter()
                    .filter(|id| {
                        id.as_str()
                            .strip_prefix(error.place.file.as_str())
                            .is_some_and(|rest| rest.starts_with("::"))
                    })
                    .copied()
                    .collect();
                groups.add_all(&failure, &inside);
            }
        }
        RunEnd::TimedOut { running } => groups.add_all(
            &plain("the time limit ended the run", ""),
            &running.iter().collect::<Vec<_>>(),
        ),
        RunEnd::Crashed { note } => groups.add_all(&plain("the test tool broke", note), &[]),
        RunEnd::Suspect { note } => {
            groups.add_all(&plain("exit code, report and counts disagree", note), &[]);
        }
    }
}

struct Failure<'a> {
    cause: String,
    message: &'a str,
    place: Option<&'a Place>,
}

impl<'a> Failure<'a> {
    fn of(reason: &'a Reason) -> Self {
        Self {
            cause: match reason {
                Reason::Missing { name, .. } => format!("{} `{name}`", reason.word()),
                Reason::Assertion { .. } | Reason::Panic { .. } | Reason::Other { .. } => {
                    reason.word().to_owned()
                }
            },
            message: reason.message(),
            place: reason.place(),
        }
    }
}

/// What makes two failures the same: cause, message and file, with what differs by chance folded.
type Key = (String, String, Option<String>);

#[derive(Default)]
struct Groups {
    found: Vec<Group>,
    by_key: BTreeMap<Key, usize>,
}

struct Group {
    shown: FailureGroup,
    /// The first message, which the others are compared with.
    first: String,
}

impl Groups {
    fn add_all(&mut self, failure: &Failure<'_>, tests: &[&TestId]) {
        if tests.is_empty() {
            self.add(failure, None);
        }
        for id in tests {
            self.add(failure, Some(id));
        }
    }

    fn add(&mut self, failure: &Failure<'_>, test: Option<&TestId>) {
        let key = (
            failure.cause.clone(),
            folded(failure.message),
            failure.place.map(|place| place.file.clone()),
        );
        let place = failure.place.map(ToString::to_string);
        if let Some(group) = self.by_key.get(&key).and_then(|i| self.found.get_mut(*i)) {
            group.join(failure.message, place.as_deref(), test);
            return;
        }
        self.by_key.insert(key, self.found.len());
        self.found.push(Group {
            first: failure.message.to_owned(),
            shown: FailureGroup {
                cause: failure.cause.clone(),
                message: failure.message.to_owned(),
                place,
                tests: test.iter().map(ToString::to_string).collect(),
            },
        });
    }

    fn finish(self) -> Vec<FailureGroup> {
        let mut groups: Vec<FailureGroup> = self.found.into_iter().map(|g| g.shown).collect();
        groups.sort_by_key(|group| std::cmp::Reverse(group.tests.len()));
        groups
    }
}

impl Group {
    /// Adds another failure of the same cause. Its lines match the first one's but for numbers and addresses.
    fn join(&mut self, message: &str, place: Option<&str>, test: Option<&TestId>) {
        let differing: Vec<&str> = message
            .lines()
            .zip(self.first.lines())
            .filter(|(line, first)| without_addresses(line) != without_addresses(first))
            .map(|(line, _)| line)
            .collect();
        let elsewhere = place.filter(|place| Some(*place) != self.shown.place.as_deref());
        if !differing.is_empty() || elsewhere.is_some() {
            let whose = test.map_or("another", TestId::as_str);
            let shown = &mut self.shown.message;
            if !shown.is_empty() {
                shown.push_str("\n\n");
            }
            // Writing to a string can't fail.
            let _ = match elsewhere {
                Some(place) => write!(shown, "the same in {whose}, at {place}"),
                None => write!(shown, "the same in {whose}"),
            };
            if !differing.is_empty() {
                shown.push_str(", but:\n");
                shown.push_str(&differing.join("\n"));
            }
        }
        self.shown.tests.extend(test.map(ToString::to_string));
    }
}

/// Memory addresses differ from run to run and say nothing.
fn without_addresses(text: &str) -> String {
    let mut pieces = text.split("0x");
    let mut folded = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        folded.push_str("0x#");
        folded.push_str(piece.trim_start_matches(|c: char| c.is_ascii_hexdigit()));
    }
    folded
}

/// A text with addresses and every run of digits folded.
fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let mut in_number = false;
    for c in without_addresses(text).chars() {
        if !c.is_ascii_digit() {
            folded.push(c);
        } else if !in_number {
            folded.push('#');
        }
        in_number = c.is_ascii_digit();
    }
    folded
}
