//! Tests that hang or are unsteady, tests that run too little, tests that were added late.

use super::tests::{brief, failed, green_measure, passed, point, red_measure, report};
use super::*;
use crate::brief::{Hang, Percent};
use crate::fault::{RedFault, ThinFault};
use crate::item::{Shape, TestItem};
use crate::report::{LineCoverage, Lines, Place};
use crate::words::TaskType;
use std::collections::BTreeMap;

fn anchor() -> Anchor {
    let red = red_measure(&[("old", passed())], &[("old", passed()), ("new", failed())]);
    Anchor::judge(&brief(TaskType::BugFix), &red, &point("tests")).unwrap()
}

fn green(brief: &Brief, measure: &GreenMeasure) -> Result<GreenProof, GreenVerdict> {
    GreenProof::judge(brief, &anchor(), &CommitId::new("base"), measure, &point("code"))
}

#[test]
fn an_unsteady_old_test_is_excused_only_if_it_fails_on_the_base_too_and_still_passes_sometimes() {
    let brief = brief(TaskType::BugFix);
    let old = [("old", passed())];
    let mut measure =
        green_measure(&old, &[("old", failed()), ("new", passed())], &[("new", failed())]);
    assert_eq!(measure.unsettled(&anchor()), [TestId::new("old")]);
    let tries = |ends: [CaseEnd; 2]| ends.map(|end| report(&[("old", end)])).to_vec();
    for (base, head, good) in [
        (tries([passed(), passed()]), tries([passed(), passed()]), false),
        (tries([failed(), passed()]), tries([passed(), failed()]), true),
        (tries([failed(), passed()]), tries([failed(), failed()]), false),
        (Vec::new(), Vec::new(), false),
    ] {
        measure.again = Again { base, head };
        assert_eq!(green(&brief, &measure).is_ok(), good, "{:?}", measure.again);
    }
}

#[test]
fn a_sealed_test_is_never_excused() {
    let brief = brief(TaskType::BugFix);
    let mut measure = green_measure(&[], &[("new", passed())], &[("new", failed())]);
    measure.runs[1] = report(&[("new", failed())]);
    let unsteady = || vec![report(&[("new", failed())]), report(&[("new", passed())])];
    measure.again = Again { base: unsteady(), head: unsteady() };
    assert!(measure.unsettled(&anchor()).is_empty());
    assert!(green(&brief, &measure).is_err());
}

#[test]
fn the_red_gate_knows_unsteady_old_tests_too() {
    let mut measure = red_measure(&[("old", passed())], &[("old", failed()), ("new", failed())]);
    let judge = |measure: &RedMeasure| {
        Anchor::judge(&brief(TaskType::BugFix), measure, &point("tests")).is_ok()
    };
    assert!(!judge(&measure));
    assert_eq!(measure.unsettled(), [TestId::new("old")]);
    let (good, sick) = (report(&[("old", passed())]), report(&[("old", failed())]));
    measure.again = Again { base: vec![good.clone(), sick], head: vec![good] };
    assert!(judge(&measure));
}

#[test]
fn a_test_that_hangs_is_red_only_where_the_task_says_that_hanging_is_the_bug() {
    let mut measure = red_measure(&[("old", passed())], &[("old", passed())]);
    for run in &mut measure.runs {
        run.end = RunEnd::TimedOut { running: Some(TestId::new("new")) };
    }
    let mut brief = brief(TaskType::BugFix);
    assert!(Anchor::judge(&brief, &measure, &point("tests")).is_err());
    brief.rules.hang = Hang::IsTheBug;
    let anchor = Anchor::judge(&brief, &measure, &point("tests")).unwrap();
    assert_eq!(anchor.red(), [TestId::new("new")]);
    let mut green =
        green_measure(&[("old", passed())], &[("old", passed()), ("new", passed())], &[]);
    let base = CommitId::new("base");
    let prove = |green: &GreenMeasure| {
        GreenProof::judge(&brief, &anchor, &base, green, &point("code")).is_ok()
    };
    green.replay = Some(measure.runs[0].clone());
    assert!(prove(&green), "it still hangs on the old code");
    for run in &mut measure.runs {
        run.end = RunEnd::TimedOut { running: Some(TestId::new("old")) };
    }
    assert!(Anchor::judge(&brief, &measure, &point("tests")).is_err(), "an old test that hangs");
    green.replay = Some(measure.runs[0].clone());
    assert!(!prove(&green), "another test hangs there");
}

#[test]
fn tests_that_come_first_and_fail_are_spoken_of_alone() {
    let brief = brief(TaskType::BugFix);
    let base = [("old", passed()), ("far", passed())];
    let mut measure = green_measure(&base, &[], &[]);
    (measure.runs, measure.replay) = (Vec::new(), None);
    measure.early = Some(report(&[("old", passed()), ("new", failed())]));
    assert!(measure.fails_early(&anchor()));
    let Err(GreenVerdict::Code(faults)) = green(&brief, &measure) else { panic!("proven") };
    assert!(matches!(&faults[..], [crate::fault::GreenFault::StillRed { .. }]), "{faults:?}");
    measure.early = Some(report(&[("old", passed()), ("new", passed())]));
    assert!(!measure.fails_early(&anchor()));
    assert!(green(&brief, &measure).is_err(), "without the whole suite there is no proof");
}

fn covered(hit: &[u32], missed: &[u32]) -> CoverageMeasure {
    let lines =
        Lines { hit: hit.iter().copied().collect(), missed: missed.iter().copied().collect() };
    CoverageMeasure {
        lines: LineCoverage { files: BTreeMap::from([("calc.py".to_owned(), lines)]) },
        changed: BTreeMap::from([("calc.py".to_owned(), [2, 3, 4, 9].into())]),
        warnings: Vec::new(),
    }
}

fn green_with(coverage: CoverageMeasure, brief: &Brief) -> Result<GreenProof, GreenVerdict> {
    let all = [("old", passed()), ("new", passed())];
    let mut measure = green_measure(&[("old", passed())], &all, &[("new", failed())]);
    measure.coverage = Some(coverage);
    green(brief, &measure)
}

#[test]
fn too_little_coverage_of_the_changed_lines_names_them_and_asks_for_tests() {
    let mut brief = brief(TaskType::BugFix);
    brief.rules.coverage = Some(Percent(8500));
    // Line 9 holds nothing that could run, line 1 was not changed.
    let proof = green_with(covered(&[2, 3, 4], &[1]), &brief).unwrap();
    assert_eq!(proof.coverage(), Some(Percent(10_000)));
    let Err(GreenVerdict::Thin(faults)) = green_with(covered(&[2], &[3, 4]), &brief) else {
        panic!("proven with a third of it")
    };
    let advice = faults[0].advice();
    assert!(advice.contains("33.33% of the changed lines"), "{advice}");
    assert!(advice.contains("85% is asked for") && advice.contains("calc.py:3-4"), "{advice}");
}

#[test]
fn a_changed_file_that_no_test_loads_counts_as_not_run_and_a_target_as_a_whole() {
    let mut brief = brief(TaskType::BugFix);
    brief.rules.coverage = Some(Percent(5000));
    let mut measure = covered(&[2, 3, 4], &[]);
    measure.changed.insert("never.py".to_owned(), (1..20).collect());
    assert!(matches!(green_with(measure, &brief), Err(GreenVerdict::Thin(_))));
    brief.targets = vec!["calc.py".to_owned()];
    let Err(GreenVerdict::Thin(faults)) = green_with(covered(&[2, 3, 4], &[5, 6, 7, 8]), &brief)
    else {
        panic!("proven though most of the target never ran")
    };
    let ThinFault::Coverage { what, .. } = &faults[0] else { panic!("{faults:?}") };
    assert_eq!((what.as_str(), faults.len()), ("the target calc.py", 1));
}

#[test]
fn a_missing_coverage_tool_is_a_warning_and_no_fault() {
    let mut brief = brief(TaskType::BugFix);
    brief.rules.coverage = Some(Percent(8500));
    let warnings = vec!["coverage.py is not installed".to_owned()];
    let proof = green_with(CoverageMeasure { warnings, ..CoverageMeasure::default() }, &brief);
    assert_eq!(proof.unwrap().coverage(), None);
}

fn added(now: &[(&str, CaseEnd)], new: &[(&str, Shape)]) -> GreenMeasure {
    let item = |(id, shape): &(&str, Shape)| TestItem {
        id: TestId::new(*id),
        place: Place { file: "t.py".into(), line: Some(1) },
        text: (*id).into(),
        shape: *shape,
    };
    let items = ItemChanges { new: new.iter().map(item).collect(), ..ItemChanges::default() };
    let mut measure = green_measure(&[("old", passed())], now, &[("new", failed())]);
    measure.added = Some(Added { items, tests: point("more") });
    measure
}

#[test]
fn added_tests_are_sealed_when_they_pass_and_hold_something() {
    let now = [("old", passed()), ("new", passed()), ("more", passed())];
    let sealed = anchor().with_added(&added(&now, &[("more", Shape::Sound)])).unwrap();
    let ids: Vec<&str> = sealed.sealed().map(TestId::as_str).collect();
    assert_eq!((ids, &sealed.at().tree), (vec!["new", "more"], &point("more").tree));
    assert_eq!(sealed.red(), anchor().red(), "what proves the work stays the same");
}

#[test]
fn added_tests_that_fail_are_hollow_skipped_or_touch_sealed_ones_are_refused() {
    let with = |end: CaseEnd| [("old", passed()), ("new", passed()), ("more", end)];
    let sound = [("more", Shape::Sound)];
    let faults = |measure: &GreenMeasure| anchor().with_added(measure).unwrap_err();
    assert!(matches!(faults(&added(&with(failed()), &sound))[..], [RedFault::AddedFail { .. }]));
    let hollow = added(&with(passed()), &[("more", Shape::NoAssertion)]);
    assert!(matches!(faults(&hollow)[..], [RedFault::Hollow { .. }]));
    let skipped = CaseEnd::Skipped { why: "later".into() };
    assert!(matches!(faults(&added(&with(skipped), &sound))[..], [RedFault::Skipped { .. }]));
    let none = added(&[("old", passed()), ("new", passed())], &[]);
    assert!(matches!(faults(&none)[..], [RedFault::NothingNew]));
    let mut touched = added(&with(passed()), &sound);
    if let Some(added) = &mut touched.added {
        added.items.changed.clone_from(&added.items.new);
    }
    assert!(matches!(faults(&touched)[0], RedFault::SealedTouched { .. }));
}
