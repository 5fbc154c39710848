//! Tests that the coder is not shown. They are sealed and judged as all others; of them the coder learns only how many fail.

use super::green::{covering, green_faults};
use super::probed::Sort;
use super::{Anchor, GreenMeasure};
use crate::fault::GreenFault;
use crate::report::TestReport;
use crate::words::TestId;
use serde::{Deserialize, Serialize};

/// What is held out of the coder's sight.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldOut {
    pub tests: Vec<TestId>,
    /// Files that hold nothing else.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// Why it is less than was asked for; empty where it is not.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

impl HeldOut {
    pub fn covers(&self, id: &TestId) -> bool {
        self.tests.iter().any(|test| test.covers(id))
    }

    /// Whether a text names one of the tests or their files.
    pub fn is_named_in(&self, text: &str) -> bool {
        let tests = self.tests.iter().flat_map(|test| [test.as_str(), test.name()]);
        let files = self.files.iter().map(String::as_str);
        tests.chain(files).any(|name| name.len() > 3 && text.contains(name))
    }
}

impl Anchor {
    pub fn held_out(&self) -> Option<&HeldOut> {
        match self {
            Self::Red(proof) => proof.held_out.as_ref(),
            Self::Pinned(proof) => proof.held_out.as_ref(),
            Self::Open(_) => None,
        }
    }

    /// The tests that the coder is not shown; none where none are held out.
    pub fn unseen(&self) -> &[TestId] {
        self.held_out().map_or(&[], |held| held.tests.as_slice())
    }

    /// The same as far as the coder knows it. Proves nothing.
    fn seen(&self) -> Self {
        let mut seen = self.clone();
        let Some(held) = self.held_out() else { return seen };
        let lists = match &mut seen {
            Self::Red(proof) => vec![&mut proof.red, &mut proof.guards, &mut proof.others],
            Self::Pinned(proof) => vec![&mut proof.pinned],
            Self::Open(ground) => vec![&mut ground.added],
        };
        for list in lists {
            list.retain(|id| !held.covers(id));
        }
        seen
    }
}

/// What the coder is told of a refusal where it is not shown every test; empty where it is.
pub(crate) fn told(
    anchor: &Anchor,
    measure: &GreenMeasure,
    faults: &[GreenFault],
) -> Vec<GreenFault> {
    let Some(held) = anchor.held_out().filter(|held| !held.tests.is_empty()) else {
        return Vec::new();
    };
    let mut told = measure.seen.as_ref().map_or_else(Vec::new, |seen| {
        let seen = vec![seen.clone()];
        let (early, runs) =
            if measure.runs.is_empty() { (seen, Vec::new()) } else { (Vec::new(), seen) };
        let early = early.into_iter().next();
        let shown = GreenMeasure { early, runs, replay: None, probe: None, ..measure.clone() };
        green_faults(&anchor.seen(), &shown)
    });
    told.retain(|fault| !fault.is_of_a_part());
    let runs = if measure.runs.is_empty() { measure.early.as_slice() } else { &measure.runs };
    let passes = |test: &&TestId| {
        let all = |run: &TestReport| {
            let ids = covering(run, test);
            !ids.is_empty() && ids.iter().all(|id| run.passed(id))
        };
        !runs.is_empty() && runs.iter().all(all)
    };
    let of = held.tests.len();
    let failed = of - held.tests.iter().filter(passes).count();
    if failed > 0 {
        told.push(GreenFault::HeldOut { failed, of });
    }
    let refuted = faults.iter().any(|fault| matches!(fault, GreenFault::Probed { .. }));
    let doubted = faults.iter().any(|fault| matches!(fault, GreenFault::Doubted { .. }));
    if let Some(probe) = measure.probe.as_ref().filter(|_| refuted || doubted) {
        let sort = if refuted { Sort::Refuted } else { Sort::Doubtful };
        told.extend(super::probed::faults(probe, (sort, Some(held))));
    }
    let examined = |fault: &&GreenFault| matches!(fault, GreenFault::Examined { .. });
    told.extend(faults.iter().filter(examined).cloned());
    if told.is_empty() {
        told.push(GreenFault::Unshown);
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::advice_of_green;
    use crate::proof::tests::{brief, failed, green_measure, passed, point, red_measure, report};
    use crate::words::TaskType;

    fn anchor() -> Anchor {
        let mut red = red_measure(&[], &[("t::a", failed()), ("t::b", failed())]);
        let tests = vec![TestId::new("t::b")];
        red.held_out = Some(HeldOut { tests, ..HeldOut::default() });
        Anchor::judge(&brief(TaskType::BugFix), &red, &point("tests")).unwrap()
    }

    fn words(measure: &GreenMeasure) -> String {
        advice_of_green(&told(&anchor(), measure, &[])).join(" ")
    }

    #[test]
    fn the_coder_is_told_what_it_saw_fail_and_how_many_of_the_rest() {
        let mut measure =
            green_measure(&[], &[("t::a", failed()), ("t::b", failed())], &[("t::a", failed())]);
        measure.seen = Some(report(&[("t::a", failed())]));
        let said = words(&measure);
        assert!(said.contains("do not pass yet: t::a. 1 of 1 held-out tests fail."), "{said}");
        assert!(!said.contains("t::b"), "{said}");
    }

    #[test]
    fn where_only_held_out_tests_fail_nothing_else_is_told() {
        let mut measure = green_measure(&[], &[("t::a", passed()), ("t::b", failed())], &[]);
        measure.seen = Some(report(&[("t::a", passed())]));
        assert!(words(&measure).starts_with("1 of 1 held-out tests fail."));
        // Of a long suite only a part was run: that by itself is no news.
        measure.early = measure.runs.pop();
        measure.runs.clear();
        assert!(words(&measure).starts_with("1 of 1 held-out tests fail."));
    }

    #[test]
    fn what_lies_in_neither_is_said_without_a_name() {
        let mut measure = green_measure(&[], &[("t::a", passed()), ("t::b", passed())], &[]);
        measure.seen = Some(report(&[("t::a", passed())]));
        assert!(words(&measure).contains("tests that you are not shown"));
    }

    #[test]
    fn a_test_is_named_by_its_id_its_name_or_its_file() {
        let held = HeldOut {
            tests: vec![TestId::new("tests/t.py::test_big_order")],
            files: vec!["tests/hidden.py".to_owned()],
            note: String::new(),
        };
        assert!(held.is_named_in("see test_big_order"));
        assert!(held.is_named_in("tests/hidden.py:3 says"));
        assert!(!held.is_named_in("tests/t.py is fine"));
    }
}
