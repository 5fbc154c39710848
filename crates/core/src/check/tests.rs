use super::*;
use crate::branch::{
    Alone, CanaryRun, Fate, Mutant, OutsideEnd, Planted, Twin, TwinSort, Under, Weak,
};
use crate::brief::{ChangedTests, Percent};
use crate::item::{Shape, TestItem};
use crate::proof::tests::{brief, failed, passed, report};
use crate::report::{Case, CaseEnd, Owner, Place, Reason, RunEnd, TestReport};
use crate::verdict::{CheckStatus, Verdict, judge};
use crate::words::TaskType;

fn item(id: &str) -> TestItem {
    TestItem {
        id: TestId::new(id),
        place: Place { file: "t.py".into(), line: Some(1) },
        text: id.into(),
        shape: Shape::Sound,
    }
}

/// An honest branch: one old test, one new one that is red on the base and green on head.
fn honest() -> BranchMeasure {
    let mut measure = BranchMeasure::new(BranchKind::Both);
    measure.items.new.push(item("new"));
    measure.base = report(&[("old", passed())]);
    measure.head = vec![report(&[("old", passed()), ("new", passed())]); 2];
    measure.replay = vec![report(&[("new", failed())]); 2];
    let id = |name: &str| vec![TestId::new(name)];
    let canaries = [
        ("c_passes", passed()),
        ("c_fails", failed()),
        ("c_skips", CaseEnd::Skipped { why: String::new() }),
    ];
    measure.canaries.push(CanaryRun {
        under: Under::Head,
        planted: vec![Planted {
            file: "t.py".into(),
            passes: id("c_passes"),
            fails: id("c_fails"),
            skips: id("c_skips"),
        }],
        bare: Vec::new(),
        report: report(&canaries),
    });
    measure.alone.push(Alone { test: TestId::new("new"), report: report(&[("new", passed())]) });
    measure
}

fn status(measure: &BranchMeasure, name: CheckName) -> CheckStatus {
    check(&brief(TaskType::Feature), measure, name).status
}

fn verdict(measure: &BranchMeasure) -> Verdict {
    judge(&checks(&brief(TaskType::Feature), measure)).0
}

#[test]
fn honest_work_is_proven() {
    assert_eq!(verdict(&honest()), Verdict::Proven);
}

#[test]
fn a_new_test_that_passes_on_the_base_shows_nothing() {
    let mut measure = honest();
    measure.replay = vec![report(&[("new", passed())])];
    assert_eq!(status(&measure, CheckName::RedReplay), CheckStatus::Fail);
    assert_eq!(verdict(&measure), Verdict::Refuted);
}

#[test]
fn a_test_that_is_red_on_the_base_and_never_run_on_head_proves_nothing() {
    let mut measure = honest();
    measure.head = vec![report(&[("old", passed())]); 2];
    measure.alone.clear();
    assert_eq!(status(&measure, CheckName::RedReplay), CheckStatus::Error);
    assert_eq!(verdict(&measure), Verdict::Inconclusive);
}

#[test]
fn a_part_that_no_test_shows_is_told_and_changes_nothing() {
    let mut measure = honest();
    let hunk = crate::branch::Hunk { file: "a.py".into(), from: 3, to: 5, diff: "+x\n".into() };
    measure.unshown.push(hunk);
    let told = check(&brief(TaskType::Feature), &measure, CheckName::RedReplay);
    assert_eq!(told.status, CheckStatus::Warn);
    assert!(told.summary.starts_with("no test shows a.py:3-5:"), "{}", told.summary);
    assert_eq!(verdict(&measure), Verdict::Proven);
}

#[test]
fn a_name_with_nothing_behind_it_shows_no_work_where_only_the_name_was_missed() {
    let mut measure = honest();
    measure.idle = Some(Place { file: "a.py".into(), line: Some(8) });
    assert_eq!(verdict(&measure), Verdict::Proven, "an assertion fails on the base");
    let missing = Reason::Missing {
        name: "reset".into(),
        owner: Owner::Project,
        message: "no reset".into(),
        place: None,
    };
    measure.replay = vec![report(&[("new", CaseEnd::Failed { reason: missing })]); 2];
    assert_eq!(verdict(&measure), Verdict::Inconclusive);
    let told = check(&brief(TaskType::Feature), &measure, CheckName::RedReplay);
    assert!(told.summary.contains("a.py:8"), "{}", told.summary);
    measure.idle = None;
    assert_eq!(verdict(&measure), Verdict::Proven);
}

#[test]
fn production_alone_is_left_open_unless_it_is_a_refactoring() {
    let mut measure = honest();
    measure.kind = BranchKind::CodeOnly;
    measure.items.new.clear();
    measure.head = vec![report(&[("old", passed())]); 2];
    assert_eq!(verdict(&measure), Verdict::Inconclusive);
    measure.said = Some(TaskType::Refactor);
    assert_eq!(verdict(&measure), Verdict::Inconclusive, "no mutant was tried");
    measure.mutants.push(mutant(Fate::Killed));
    assert_eq!(verdict(&measure), Verdict::Proven);
}

#[test]
fn a_refactoring_whose_new_test_fails_on_the_base_waits_for_a_person() {
    let mut measure = honest();
    measure.said = Some(TaskType::Refactor);
    measure.mutants.push(mutant(Fate::Killed));
    assert_eq!(verdict(&measure), Verdict::Inconclusive, "the new test shows other behaviour");
    let told = check(&brief(TaskType::Refactor), &measure, CheckName::RedReplay);
    assert!(told.summary.contains("behaviour changed"), "{}", told.summary);
    measure.replay = vec![report(&[("new", passed())]); 2];
    assert_eq!(verdict(&measure), Verdict::Proven, "it pins what the base does");
    let missing = Reason::Missing {
        name: "taken_out".into(),
        owner: Owner::Project,
        message: "no taken_out".into(),
        place: None,
    };
    measure.replay = vec![report(&[("new", CaseEnd::Failed { reason: missing })]); 2];
    assert_eq!(verdict(&measure), Verdict::Proven, "a function that was taken out is new");
}

#[test]
fn a_flaky_new_test_and_a_regression_refute() {
    let mut measure = honest();
    measure.head[1] = report(&[("old", passed()), ("new", failed())]);
    assert_eq!(status(&measure, CheckName::Green), CheckStatus::Fail);
    let mut measure = honest();
    measure.head = vec![report(&[("old", failed()), ("new", passed())]); 2];
    assert_eq!(status(&measure, CheckName::Regression), CheckStatus::Fail);
}

#[test]
fn a_head_that_does_not_build_is_refuted_in_one_line() {
    let mut measure = honest();
    let place = Place { file: "src/lib.rs".into(), line: Some(3) };
    let reason = Reason::Other { message: "expected `;`".into(), place: None };
    let errors = vec![crate::report::CollectError { place, reason }];
    measure.head = vec![TestReport::empty(RunEnd::CollectFailed { errors })];
    let green = check(&brief(TaskType::Feature), &measure, CheckName::Green);
    assert_eq!(green.summary, "head does not build: src/lib.rs:3: expected `;`");
}

#[test]
fn what_vanished_or_was_weakened_refutes_and_a_changed_expectation_waits_for_a_person() {
    let mut measure = honest();
    measure.head = vec![report(&[("new", passed())]); 2];
    assert_eq!(status(&measure, CheckName::TestsIntact), CheckStatus::Fail);
    let mut measure = honest();
    let place = Place { file: "t.py".into(), line: Some(1) };
    measure.items.changed.push(item("old"));
    measure.old_on_head = Some(report(&[("old", failed())]));
    assert_eq!(verdict(&measure), Verdict::Inconclusive);
    measure.changed_tests = ChangedTests::Allowed;
    assert_eq!(verdict(&measure), Verdict::Proven);
    let why = vec!["an assertion is gone".to_owned()];
    measure.weakened.push(Weak { test: TestId::new("old"), place, why });
    assert_eq!(verdict(&measure), Verdict::Refuted);
}

#[test]
fn an_old_test_that_passes_only_with_the_changed_surroundings_waits_for_a_person() {
    let mut measure = honest();
    measure.old_on_head = Some(report(&[("old", failed())]));
    assert_eq!(status(&measure, CheckName::TestsIntact), CheckStatus::Warn);
    assert_eq!(verdict(&measure), Verdict::Inconclusive);
}

#[test]
fn a_canary_that_passes_though_it_must_fail_refutes_and_none_at_all_leaves_it_open() {
    let mut measure = honest();
    measure.canaries[0]
        .report
        .cases
        .insert(TestId::new("c_fails"), Case { end: passed(), took_ms: None });
    assert_eq!(status(&measure, CheckName::Harness), CheckStatus::Fail);
    measure.canaries.clear();
    assert_eq!(status(&measure, CheckName::Harness), CheckStatus::Error);
}

#[test]
fn a_flipped_twin_that_passes_refutes() {
    let mut measure = honest();
    measure.twins.push(Twin {
        test: TestId::new("new"),
        place: Place { file: "t.py".into(), line: Some(2) },
        sort: TwinSort::Flipped,
        what: "`4` becomes `5`".into(),
        diff: String::new(),
        ends: vec![CaseEnd::Passed],
    });
    assert_eq!(status(&measure, CheckName::Harness), CheckStatus::Fail);
    measure.twins[0].ends = vec![failed()];
    assert_eq!(status(&measure, CheckName::Harness), CheckStatus::Pass);
    measure.twins[0].sort = TwinSort::Trapped;
    assert_eq!(status(&measure, CheckName::Harness), CheckStatus::Pass);
    measure.twins[0].ends = vec![CaseEnd::Passed];
    assert_eq!(verdict(&measure), Verdict::Inconclusive);
}

#[test]
fn a_test_that_fails_alone_or_outside_its_tool_refutes() {
    let mut measure = honest();
    measure.alone[0].report = report(&[("new", failed())]);
    assert_eq!(status(&measure, CheckName::Isolation), CheckStatus::Fail);
    let mut measure = honest();
    let message = "3 is not 4".to_owned();
    measure.outside.insert(TestId::new("new"), OutsideEnd::Fails { message });
    assert_eq!(status(&measure, CheckName::Isolation), CheckStatus::Fail);
}

fn mutant(fate: Fate) -> Mutant {
    let place = Place { file: "a.py".into(), line: Some(1) };
    Mutant { place, what: "`<` becomes `<=`".into(), diff: String::new(), fate }
}

#[test]
fn few_survivors_are_a_warning_and_more_than_allowed_wait_for_a_person() {
    let mut measure = honest();
    measure.mutants = vec![mutant(Fate::Killed); 4];
    measure.mutants.push(mutant(Fate::Survived));
    assert_eq!(status(&measure, CheckName::Mutants), CheckStatus::Warn);
    assert_eq!(verdict(&measure), Verdict::Proven);
    measure.survivors = Percent(1_000);
    assert_eq!(verdict(&measure), Verdict::Inconclusive);
}

#[test]
fn tests_alone_are_proven_where_they_kill_a_mutant() {
    let mut measure = honest();
    measure.kind = BranchKind::TestsOnly;
    measure.replay.clear();
    measure.mutants = vec![mutant(Fate::Survived); 2];
    assert_eq!(verdict(&measure), Verdict::Inconclusive);
    measure.mutants.push(mutant(Fate::Killed));
    assert_eq!(verdict(&measure), Verdict::Proven);
}

#[test]
fn what_was_left_out_is_never_counted_as_proven() {
    for name in CheckName::ALL.iter().filter(|name| name.is_required()) {
        let mut measure = honest();
        measure.unmade.insert(*name, Unmade::NotWanted);
        assert_eq!(verdict(&measure), Verdict::Inconclusive, "{name}");
    }
}

#[test]
fn tests_that_ask_for_nothing_show_nothing_unless_another_one_does() {
    let mut measure = honest();
    measure.hollow.push(crate::branch::Hollow {
        test: TestId::new("new"),
        place: Place { file: "test_a.py".into(), line: Some(1) },
        why: vec!["`assert f(3) == f(3)` holds whatever the code does".into()],
        vacuous: true,
    });
    assert_eq!(status(&measure, CheckName::RedReplay), CheckStatus::Warn);
    assert_eq!(verdict(&measure), Verdict::Inconclusive);
    measure.hollow[0].vacuous = false;
    assert_eq!(verdict(&measure), Verdict::Proven);
}

#[test]
fn a_test_that_got_another_name_must_still_be_run() {
    let mut measure = honest();
    measure.base = report(&[("old", passed()), ("was", passed())]);
    measure.renamed.push(crate::branch::Renamed { was: item("was"), is: item("is") });
    assert_eq!(status(&measure, CheckName::TestsIntact), CheckStatus::Fail);
    assert_eq!(verdict(&measure), Verdict::Refuted);
    for run in &mut measure.head {
        run.cases.extend(report(&[("is", passed())]).cases);
    }
    assert_eq!(verdict(&measure), Verdict::Proven);
}
