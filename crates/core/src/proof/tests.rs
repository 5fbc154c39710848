use super::*;
use crate::brief::{
    ApprovalPolicy, Brief, LandMode, Landing, Limits, Repo, Rules, RunnerSpec, SandboxSpec, Setup,
};
use crate::fault::{GreenFault, RedFault};
use crate::item::{ItemChanges, Shape, TestItem};
use crate::report::{Case, CaseEnd, CollectError, Owner, Place, Reason, RunEnd, TestReport};
use crate::words::{CommitId, TaskId, TaskType, TestId, TreeId};

pub(crate) fn brief(kind: TaskType) -> Brief {
    Brief {
        task: TaskId::new("T-1"),
        kind,
        description: "say what".into(),
        details: String::new(),
        relevant_files: Vec::new(),
        context: Vec::new(),
        targets: Vec::new(),
        brought_tests: Vec::new(),
        rivals: Vec::new(),
        test_count: None,
        repo: Repo {
            root: "/repo".into(),
            git_dir: "/repo/.git".into(),
            base: CommitId::new("base"),
            subdir: String::new(),
        },
        rules: Rules::default(),
        limits: Limits::default(),
        landing: Landing {
            mode: LandMode::Squash,
            onto: Some("main".into()),
            branch: "proctor/T-1".into(),
            approval: ApprovalPolicy::Person,
            author: "A <a@b>".into(),
            trailers: Vec::new(),
            request: crate::brief::RequestSpec::default(),
        },
        agents: std::collections::BTreeMap::new(),
        runner: RunnerSpec::default(),
        projects: Vec::new(),
        audit: crate::audit::AuditSpec::default(),
        allowed_secrets: crate::secret::Allowed::default(),
        setup: Setup::default(),
        sandbox: SandboxSpec::default(),
        assignment: crate::assignment::Assignment::default(),
    }
}

pub(crate) fn point(name: &str) -> Point {
    Point { commit: CommitId::new(format!("c-{name}")), tree: TreeId::new(format!("t-{name}")) }
}

pub(crate) fn passed() -> CaseEnd {
    CaseEnd::Passed
}

pub(crate) fn failed() -> CaseEnd {
    because(Reason::Assertion { message: "assert 1 == 2".into(), place: None })
}

fn because(reason: Reason) -> CaseEnd {
    CaseEnd::Failed { reason }
}

fn missing(name: &str, owner: Owner) -> Reason {
    Reason::Missing { name: name.into(), owner, message: format!("no {name}"), place: None }
}

pub(crate) fn report(cases: &[(&str, CaseEnd)]) -> TestReport {
    TestReport {
        end: if cases.is_empty() { RunEnd::NoTests } else { RunEnd::Finished },
        cases: cases
            .iter()
            .map(|(id, end)| (TestId::new(*id), Case { end: end.clone(), took_ms: None }))
            .collect(),
    }
}

fn item(id: &str, shape: Shape) -> TestItem {
    TestItem {
        id: TestId::new(id),
        place: Place { file: "tests/t.py".into(), line: Some(3) },
        text: id.into(),
        shape,
    }
}

fn new_items(ids: &[&str]) -> ItemChanges {
    ItemChanges {
        new: ids.iter().map(|id| item(id, Shape::Sound)).collect(),
        ..ItemChanges::default()
    }
}

pub(crate) fn red_measure(base: &[(&str, CaseEnd)], now: &[(&str, CaseEnd)]) -> RedMeasure {
    RedMeasure {
        baseline: report(base),
        runs: vec![report(now), report(now)],
        items: ItemChanges::default(),
        secrets: Vec::new(),
        again: Again::default(),
        held_out: None,
    }
}

fn judge(kind: TaskType, measure: &RedMeasure) -> Result<Anchor, Vec<RedFault>> {
    Anchor::judge(&brief(kind), measure, &point("tests"))
}

fn ids(list: &[TestId]) -> Vec<&str> {
    list.iter().map(TestId::as_str).collect()
}

// S1-28, S1-60
#[test]
fn a_new_test_that_fails_by_assertion_is_red() {
    let anchor = judge(
        TaskType::BugFix,
        &red_measure(&[("old", passed())], &[("old", passed()), ("new", failed())]),
    )
    .unwrap();
    assert_eq!(ids(anchor.red()), ["new"]);
    assert!(anchor.guards().is_empty());
}

#[test]
fn a_new_test_that_passes_beside_a_red_one_is_a_guard_and_strict_red_refuses_it() {
    let measure = red_measure(&[], &[("g", passed()), ("r", failed())]);
    let anchor = judge(TaskType::Feature, &measure).unwrap();
    assert_eq!(ids(anchor.guards()), ["g"]);
    let mut strict = brief(TaskType::Feature);
    strict.rules.strict_red = true;
    let faults = Anchor::judge(&strict, &measure, &point("tests")).unwrap_err();
    assert!(matches!(faults[..], [RedFault::GuardsRefused { .. }]));
}

#[test]
fn s1_29_new_tests_that_all_pass_are_refused_with_the_words_of_the_requirement() {
    let faults = judge(TaskType::Feature, &red_measure(&[], &[("a", passed())])).unwrap_err();
    assert!(matches!(faults[..], [RedFault::PassedTooEarly { .. }]));
    assert!(faults[0].advice().starts_with("Tests passed prematurely. Write failing tests first."));
    assert!(faults[0].advice().contains("on the old code: a."));
}

#[test]
fn an_old_failure_is_not_a_new_red_test() {
    let faults = judge(TaskType::BugFix, &red_measure(&[("old", failed())], &[("old", failed())]))
        .unwrap_err();
    assert_eq!(faults, [RedFault::NothingNew]);
}

#[test]
fn a_missing_name_is_right_for_a_feature_in_own_code_and_wrong_for_a_bug_without_a_target() {
    let measure = red_measure(&[], &[("n", because(missing("slugify", Owner::Project)))]);
    assert!(judge(TaskType::Feature, &measure).is_ok());
    let faults = judge(TaskType::BugFix, &measure).unwrap_err();
    assert!(faults[0].advice().contains("`slugify` is missing"), "{faults:?}");
    let mut with_target = brief(TaskType::BugFix);
    with_target.targets = vec!["calc.slugify".into()];
    assert!(Anchor::judge(&with_target, &measure, &point("tests")).is_ok());
}

#[test]
fn a_missing_third_party_module_is_never_red_without_a_target() {
    for owner in [Owner::Elsewhere, Owner::TestItself] {
        let measure = red_measure(&[], &[("n", because(missing("requests", owner)))]);
        assert!(judge(TaskType::Feature, &measure).is_err());
    }
}

#[test]
fn declared_targets_exclude_other_missing_names() {
    let measure = red_measure(&[], &[("n", because(missing("other", Owner::Project)))]);
    let mut with_target = brief(TaskType::Feature);
    with_target.targets = vec!["src/slug.py".into()];
    assert!(Anchor::judge(&with_target, &measure, &point("tests")).is_err());
    let named = red_measure(&[], &[("n", because(missing("pkg.slug", Owner::Project)))]);
    assert!(Anchor::judge(&with_target, &named, &point("tests")).is_ok());
}

#[test]
fn a_broken_set_up_a_skip_and_another_exception_are_not_red() {
    let broken = CaseEnd::Errored { message: "fixture 'db' not found".into() };
    let other = because(Reason::Other { message: "RuntimeError: boom".into(), place: None });
    let skipped = CaseEnd::Skipped { why: "later".into() };
    for (end, word) in [(broken, "set-up broke"), (other, "RuntimeError"), (skipped, "skipped")] {
        let faults = judge(TaskType::BugFix, &red_measure(&[], &[("n", end)])).unwrap_err();
        assert!(faults[0].advice().contains(word), "{faults:?}");
    }
}

#[test]
fn results_that_differ_between_two_runs_are_flaky_and_not_red() {
    let mut measure = red_measure(&[], &[("n", failed())]);
    measure.runs[1] = report(&[("n", passed())]);
    let faults = judge(TaskType::BugFix, &measure).unwrap_err();
    assert!(matches!(faults[0], RedFault::Flaky { .. }));
}

#[test]
fn hollow_tests_and_tests_that_were_never_collected_are_refused_by_name_and_place() {
    let mut measure = red_measure(&[], &[("h", passed()), ("r", failed())]);
    measure.items.new =
        vec![item("h", Shape::NoAssertion), item("r", Shape::Sound), item("lost", Shape::Sound)];
    let faults = judge(TaskType::Feature, &measure).unwrap_err();
    let text: Vec<String> = faults.iter().map(RedFault::advice).collect();
    assert!(text[0].contains("h (no assertion, at tests/t.py:3)"), "{text:?}");
    assert!(text[1].contains("never collected them: lost"), "{text:?}");
}

#[test]
fn a_test_that_fails_in_an_assertion_has_one_wherever_it_stands() {
    let mut measure = red_measure(&[], &[("h", failed())]);
    measure.items.new = vec![item("h", Shape::NoAssertion)];
    assert!(judge(TaskType::Feature, &measure).is_ok());
    measure.items.new = vec![item("h", Shape::ConstantFailure)];
    assert!(judge(TaskType::Feature, &measure).is_err());
}

#[test]
fn an_old_test_that_is_gone_or_broken_by_the_tester_is_refused() {
    let faults = judge(
        TaskType::Feature,
        &red_measure(&[("a", passed()), ("b", passed())], &[("b", failed()), ("n", failed())]),
    )
    .unwrap_err();
    assert!(matches!(faults[..], [RedFault::OldTestsGone { .. }, RedFault::BrokeOthers { .. }]));
}

#[test]
fn a_changed_old_test_may_be_red_and_is_remembered_for_the_person() {
    let mut measure = red_measure(&[("a", passed())], &[("a", failed())]);
    measure.items.changed = vec![item("a", Shape::Sound)];
    let anchor = judge(TaskType::BugFix, &measure).unwrap();
    assert_eq!(ids(anchor.red()), ["a"]);
    assert_eq!(ids(anchor.changed()), ["a"]);
}

#[test]
fn a_refactoring_is_pinned_only_by_tests_that_pass() {
    let pinned = judge(TaskType::Refactor, &red_measure(&[], &[("p", passed())])).unwrap();
    assert_eq!(ids(pinned.guards()), ["p"]);
    let faults = judge(TaskType::Refactor, &red_measure(&[], &[("p", failed())])).unwrap_err();
    assert!(matches!(faults[..], [RedFault::NotPinned { .. }]));
}

#[test]
fn the_number_of_tests_that_the_task_asks_for_must_be_met() {
    let mut counted = brief(TaskType::Feature);
    counted.test_count = Some(3);
    let measure = red_measure(&[], &[("n", failed())]);
    let faults = Anchor::judge(&counted, &measure, &point("tests")).unwrap_err();
    assert_eq!(faults, [RedFault::WrongCount { wanted: 3, found: 1 }]);
}

fn collect_failed(reason: Reason, file: &str) -> TestReport {
    let place = Place { file: file.into(), line: Some(1) };
    TestReport::empty(RunEnd::CollectFailed { errors: vec![CollectError { place, reason }] })
}

// S1-30
#[test]
fn a_file_that_misses_only_the_new_name_is_red_by_its_items_and_a_syntax_error_is_not() {
    let missing_name = collect_failed(missing("slugify", Owner::Project), "tests/t.py");
    let mut measure = RedMeasure {
        baseline: report(&[("old", passed())]),
        runs: vec![missing_name.clone(), missing_name],
        items: new_items(&["tests/t.py::test_a"]),
        secrets: Vec::new(),
        again: Again::default(),
        held_out: None,
    };
    let anchor = judge(TaskType::Feature, &measure).unwrap();
    assert_eq!(ids(anchor.red()), ["tests/t.py::test_a"]);
    let syntax = collect_failed(
        Reason::Other { message: "SyntaxError: invalid syntax".into(), place: None },
        "tests/t.py",
    );
    measure.runs = vec![syntax.clone(), syntax];
    let faults = judge(TaskType::Feature, &measure).unwrap_err();
    assert!(faults[0].advice().contains("SyntaxError"), "{faults:?}");
}

#[test]
fn an_error_in_a_shared_helper_decides_for_the_tests_that_could_not_run() {
    let broken = collect_failed(missing("slugify", Owner::Project), "tests/common/mod.rs");
    let measure = RedMeasure {
        baseline: report(&[]),
        runs: vec![broken.clone(), broken],
        items: new_items(&["pkg::api a"]),
        secrets: Vec::new(),
        again: Again::default(),
        held_out: None,
    };
    assert_eq!(ids(judge(TaskType::Feature, &measure).unwrap().red()), ["pkg::api a"]);
}

#[test]
fn an_error_that_the_base_has_too_is_none_of_the_new_tests() {
    let place = Place { file: "tests/other.rs".into(), line: Some(140) };
    let reason = Reason::Other { message: "error[E0282]".into(), place: Some(place.clone()) };
    let before = CollectError { place, reason };
    let own = missing("slugify", Owner::Project);
    let mut broken = collect_failed(own, "tests/common/mod.rs");
    let RunEnd::CollectFailed { errors } = &mut broken.end else { panic!() };
    errors.insert(0, before.clone());
    let measure = RedMeasure {
        baseline: TestReport::empty(RunEnd::CollectFailed { errors: vec![before] }),
        runs: vec![broken.clone(), broken],
        items: new_items(&["pkg::api a"]),
        secrets: Vec::new(),
        again: Again::default(),
        held_out: None,
    };
    assert_eq!(ids(judge(TaskType::Feature, &measure).unwrap().red()), ["pkg::api a"]);
}

// S1-26, S1-31, S1-60
#[test]
fn a_run_that_timed_out_crashed_or_is_suspect_is_neither_red_nor_green() {
    let anchor = judge(TaskType::BugFix, &red_measure(&[], &[("n", failed())])).unwrap();
    for end in [
        RunEnd::TimedOut { running: Some(TestId::new("n")) },
        RunEnd::Crashed { note: "killed".into() },
        RunEnd::Suspect { note: "exit 0 with failures".into() },
    ] {
        let mut red = red_measure(&[], &[("n", failed())]);
        red.runs[1].end = end.clone();
        assert!(matches!(
            judge(TaskType::BugFix, &red).unwrap_err()[..],
            [RedFault::DidNotRun { .. }]
        ));
        let mut green = green_measure(&[], &[("n", passed())], &[("n", failed())]);
        green.runs[0].end = end;
        assert!(prove(&anchor, &green).is_err());
    }
}

pub(crate) fn green_measure(
    base: &[(&str, CaseEnd)],
    now: &[(&str, CaseEnd)],
    replay: &[(&str, CaseEnd)],
) -> GreenMeasure {
    GreenMeasure {
        baseline: report(base),
        early: None,
        runs: vec![report(now), report(now)],
        seen: None,
        replay: Some(report(replay)),
        again: Again::default(),
        coverage: None,
        added: None,
        probe: None,
        examined: None,
        tidied: None,
    }
}

fn green(measure: &GreenMeasure) -> Result<GreenProof, GreenVerdict> {
    let red = red_measure(&[("old", passed())], &[("old", passed()), ("new", failed())]);
    let anchor = judge(TaskType::BugFix, &red).unwrap();
    prove(&anchor, measure)
}

fn prove(anchor: &Anchor, measure: &GreenMeasure) -> Result<GreenProof, GreenVerdict> {
    let brief = brief(TaskType::BugFix);
    GreenProof::judge(&brief, anchor, &CommitId::new("base"), measure, &point("code"))
}

#[test]
fn green_needs_the_sealed_tests_the_old_tests_and_a_replay_that_still_fails() {
    let old = [("old", passed())];
    let all = [("old", passed()), ("new", passed())];
    let replay = [("old", passed()), ("new", failed())];
    assert_eq!(green(&green_measure(&old, &all, &replay)).unwrap().passed(), 2);
    let code = |now: &[(&str, CaseEnd)]| match green(&green_measure(&old, now, &replay)) {
        Err(GreenVerdict::Code(faults)) => faults,
        other => panic!("{other:?}"),
    };
    let skip = CaseEnd::Skipped { why: "no".into() };
    assert!(matches!(
        code(&[("old", passed()), ("new", failed())])[..],
        [GreenFault::StillRed { .. }]
    ));
    assert!(matches!(
        code(&[("old", failed()), ("new", passed())])[..],
        [GreenFault::BrokeOthers { .. }]
    ));
    assert!(matches!(code(&[("new", passed())])[..], [GreenFault::Vanished { .. }]));
    assert!(matches!(
        code(&[("old", skip), ("new", passed())])[..],
        [GreenFault::NewlySkipped { .. }]
    ));
    let passing_replay = green_measure(&old, &all, &all);
    assert!(matches!(
        green(&passing_replay),
        Err(GreenVerdict::Tests(RedFault::NoLongerRed { .. }))
    ));
    let mut no_replay = green_measure(&old, &all, &replay);
    no_replay.replay = None;
    assert!(green(&no_replay).is_err());
    let mut flaky = green_measure(&old, &all, &replay);
    flaky.runs[1] = report(&[("old", passed()), ("new", failed())]);
    assert!(
        matches!(green(&flaky), Err(GreenVerdict::Code(f)) if matches!(f[..], [GreenFault::Flaky { .. }]))
    );
}

#[test]
fn a_failure_that_was_there_before_does_not_stand_in_the_way_of_green() {
    let old = [("old", passed()), ("sick", failed())];
    let now = [("old", passed()), ("sick", failed()), ("new", passed())];
    let replay = [("new", failed())];
    assert!(green(&green_measure(&old, &now, &replay)).is_ok());
}

#[test]
fn a_test_known_by_its_stem_is_green_when_all_its_parameters_pass() {
    let broken = collect_failed(missing("slugify", Owner::Project), "tests/t.py");
    let measure = RedMeasure {
        baseline: report(&[]),
        runs: vec![broken.clone(), broken],
        items: new_items(&["tests/t.py::test_a"]),
        secrets: Vec::new(),
        again: Again::default(),
        held_out: None,
    };
    let anchor = judge(TaskType::Feature, &measure).unwrap();
    let replayed = collect_failed(missing("slugify", Owner::Project), "tests/t.py");
    let (one, two) = ("tests/t.py::test_a[1]", "tests/t.py::test_a[2]");
    let measure = |second: CaseEnd, replay: TestReport| GreenMeasure {
        replay: Some(replay),
        ..green_measure(&[], &[(one, passed()), (two, second)], &[])
    };
    assert!(prove(&anchor, &measure(passed(), replayed.clone())).is_ok());
    assert!(prove(&anchor, &measure(failed(), replayed)).is_err());
    for replay in [report(&[]), report(&[(one, passed()), (two, passed())])] {
        let verdict = prove(&anchor, &measure(passed(), replay));
        assert!(matches!(verdict, Err(GreenVerdict::Tests(RedFault::NoLongerRed { .. }))));
    }
    let replay = report(&[(one, passed()), (two, failed())]);
    assert!(prove(&anchor, &measure(passed(), replay)).is_ok(), "one of its cases still fails");
}

#[test]
fn a_test_that_fails_in_its_own_code_is_sealed_beside_a_red_one_but_proves_nothing_alone() {
    let odd = because(Reason::Other { message: "TypeError: NoneType".into(), place: None });
    assert!(judge(TaskType::BugFix, &red_measure(&[], &[("o", odd.clone())])).is_err());
    let anchor =
        judge(TaskType::BugFix, &red_measure(&[], &[("o", odd), ("r", failed())])).unwrap();
    assert_eq!(ids(anchor.red()), ["r"]);
    assert_eq!(ids(anchor.others()), ["o"]);
    let still = green_measure(&[], &[("o", failed()), ("r", passed())], &[("r", failed())]);
    let verdict = prove(&anchor, &still);
    assert!(matches!(verdict, Err(GreenVerdict::Code(_))), "it must pass in the end: {verdict:?}");
}

#[test]
fn a_secret_in_the_tests_is_refused_before_it_is_sealed() {
    let mut measure = red_measure(&[], &[("n", failed())]);
    measure.secrets = vec!["tests/t.py:3: an AWS access key".into()];
    let faults = judge(TaskType::Feature, &measure).unwrap_err();
    assert!(faults[0].advice().contains("tests/t.py:3"), "{faults:?}");
}
