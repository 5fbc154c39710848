//! Isolation: a new test behaves the same alone, in another order, again, and outside the test tool.

use super::{count, twice};
use crate::branch::{BranchMeasure, Moved, Needs, OneSided, OutsideEnd};
use crate::concern::Concern;
use crate::proof::{first_line, ran};
use crate::report::{CaseEnd, RunEnd};
use crate::trial::Factor;
use crate::verdict::{Check, CheckName, Finding, Weight};

const NAME: CheckName = CheckName::Isolation;

pub(super) fn check(measure: &BranchMeasure) -> Check {
    let mut found = alone(measure);
    let mut outside = 0;
    for (id, end) in &measure.outside {
        match end {
            OutsideEnd::Holds => outside += 1,
            OutsideEnd::Fails { message } => {
                let text = format!(
                    "{id} passes in the test tool, and outside it the same calls give something else ({}): the code behaves otherwise under test; accepted: code that does not ask where it runs",
                    first_line(message)
                );
                let finding = Finding::new(Weight::Refutes, text).of(id);
                let item = measure.item_of(id);
                found.push(item.map_or(finding.clone(), |item| finding.at(&item.place)));
            }
            OutsideEnd::NotMade { why } => {
                let text = format!("{id} was not called outside the test tool: {why}");
                found.push(Finding::new(Weight::Note, text).of(id));
            }
        }
    }
    found.extend(elsewhere(measure));
    found.extend(measure.ambient.iter().map(one_sided));
    found.extend(twice::findings(measure));
    if outside == 0 {
        found.extend(measure.detections.iter().map(|place| {
            let text = format!(
                "{place} asks whether it runs under test, and no call outside the test tool could be made; a person must look"
            );
            Finding::new(Weight::NeedsPerson, text).at(place)
        }));
    }
    let mut parts = Vec::new();
    if !measure.alone.is_empty() {
        parts.push(format!("{} alone", count(measure.alone.len(), "test holds", "tests hold")));
    }
    if measure.head.len() > 1 {
        parts.push("all hold in another order".to_owned());
    }
    if outside > 0 {
        parts.push(format!("{} outside the test tool", count(outside, "holds", "hold")));
    }
    let there = measure.elsewhere.tried.saturating_sub(measure.elsewhere.moved.len());
    if there > 0 {
        parts.push(format!("{} in other surroundings", count(there, "holds", "hold")));
    }
    if parts.is_empty() {
        parts.push("no new test to run alone".to_owned());
    }
    Check::of(NAME, parts.join("; "), found)
}

/// Tests that pass in a gate and not where all is another that must not matter.
fn elsewhere(measure: &BranchMeasure) -> Vec<Finding> {
    let found = &measure.elsewhere;
    // One cause moves many tests, and is told once.
    let mut causes: Vec<(Weight, String, Vec<&Moved>)> = Vec::new();
    for moved in &found.moved {
        let (weight, accepted) = weighed(moved, &found.on_base);
        let by: Vec<&str> = moved.by.iter().map(|factor| factor.what()).collect();
        let by = if by.is_empty() { "other surroundings".to_owned() } else { by.join(" or with ") };
        let text = format!("with {by} ({}); {accepted}", moved.why);
        match causes.iter_mut().find(|(_, known, _)| *known == text) {
            Some((_, _, all)) => all.push(moved),
            None => causes.push((weight, text, vec![moved])),
        }
    }
    let told = |(weight, text, all): (Weight, String, Vec<&Moved>)| {
        let first = &all[0].test;
        let text = match all.len() {
            1 => format!("{first} passes here and fails {text}"),
            many => format!("{first} and {} more pass here and fail {text}", many - 1),
        };
        let finding = Finding::new(weight, text).of(first);
        let item = measure.item_of(first);
        item.map_or(finding.clone(), |item| finding.at(&item.place))
    };
    causes.into_iter().map(told).collect()
}

/// What it means that a test is moved, and what would be accepted.
fn weighed(moved: &Moved, on_base: &[Moved]) -> (Weight, String) {
    if moved.by.contains(&Factor::Remarks) {
        let text = "the code looks at itself, and not at its input alone; accepted: code that does not know how it is written";
        (Weight::Refutes, text.to_owned())
    } else if let Some(old) = on_base.iter().find(|old| excuses(old, moved)) {
        (Weight::Warning, format!("so does {} on the base's code", old.test))
    } else if moved.by == [Factor::Terminal] && is_coloured(&moved.why) {
        (Weight::Warning, "it writes in colours there".to_owned())
    } else if moved.by == [Factor::Packed] {
        let text = "no test of the base does that with the base's package: users do not get what is tested; accepted: a package that has what it needs, and declares it";
        (Weight::NeedsPerson, text.to_owned())
    } else {
        let text = "no test of the base does that: it may ask where it runs; accepted: code and tests that give the same there";
        (Weight::NeedsPerson, text.to_owned())
    }
}

/// Whether an older test is moved as a new one is. What a package lacks is another thing from case to case: its kind must be the
/// same.
fn excuses(old: &Moved, new: &Moved) -> bool {
    let kind = |why: &str| why.split(':').next().unwrap_or_default().trim().to_owned();
    new.by != [Factor::Packed] || kind(&old.why) == kind(&new.why)
}

/// Work that holds only where something is so that no test decides.
fn one_sided(OneSided { question, place, needs }: &OneSided) -> Finding {
    let (here, other) = match needs {
        Needs::Yes => ("true", "false"),
        Needs::No => ("false", "true"),
        Needs::Here => ("as it is here", "another"),
    };
    let text = format!(
        "{place} asks `{question}`, which nothing that the code is given decides; the tests need it {here}, and none shows what is so where it is {other}; accepted: code that does not ask, or a test for the other answer"
    );
    Finding::for_person(Concern::TestDetection, text).at(place)
}

/// Whether a message shows the signs that a terminal makes colours of.
fn is_coloured(text: &str) -> bool {
    ["\u{1b}[", "\\x1b[", "\\u001b[", "\\033[", "\\u{1b}["].iter().any(|sign| text.contains(sign))
}

fn alone(measure: &BranchMeasure) -> Vec<Finding> {
    let mut found = Vec::new();
    for alone in &measure.alone {
        let item = measure.item_of(&alone.test);
        let tell = |weight: Weight, text: String| {
            let finding = Finding::new(weight, text).of(&alone.test);
            item.map_or(finding.clone(), |item| finding.at(&item.place))
        };
        if let Err(why) = ran(&alone.report) {
            let weight = match alone.report.end {
                RunEnd::Suspect { .. } => Weight::Refutes,
                _ => Weight::Unjudged,
            };
            found.push(tell(weight, format!("{} could not be run alone: {why}", alone.test)));
            continue;
        }
        let passes_in_suite = |id| measure.head.iter().all(|run| run.passed(id));
        for (id, case) in alone.report.cases.iter().filter(|(id, _)| alone.test.covers(id)) {
            let message = match &case.end {
                CaseEnd::Passed | CaseEnd::Skipped { .. } => continue,
                CaseEnd::Failed { reason } => reason.message(),
                CaseEnd::Errored { message } => message,
            };
            if passes_in_suite(id) {
                let text = format!(
                    "{id} passes beside the other tests and fails alone: {}; accepted: a test that stands by itself",
                    first_line(message)
                );
                found.push(tell(Weight::Refutes, text));
            }
        }
        if !alone.report.cases.keys().any(|id| alone.test.covers(id)) {
            let text = format!("{} is not run when it is asked for alone", alone.test);
            found.push(tell(Weight::Warning, text));
        }
    }
    found
}
