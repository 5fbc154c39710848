use super::*;
use crate::branch::{Alone, CanaryRun, Fate, Mutant, OutsideEnd, Part, Planted, Under};
use crate::brief::{ChangedTests, Percent};
use crate::item::{Shape, TestItem};
use crate::observation::{
    Asked, END, Input, Kind, Other, Row, Sort, Swap, Tables, Variation, Varied, Watched,
};
use crate::proof::tests::{failed, passed, report};
use crate::report::{Case, CaseEnd, CollectError, Owner, Place, Reason, RunEnd, TestReport};
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
    check(measure, name).status
}

fn verdict(measure: &BranchMeasure) -> Verdict {
    judge(&checks(measure)).0
}

#[test]
fn honest_work_is_proven() {
    assert_eq!(verdict(&honest()), Verdict::Proven);
}

#[test]
fn where_the_tool_finds_no_test_it_is_told_once_and_nothing_passes() {
    let mut measure = honest();
    let none = TestReport { end: RunEnd::NoTests, ..report(&[]) };
    (measure.base, measure.head) = (none.clone(), vec![none.clone(); 2]);
    measure.replay = vec![none];
    let checks = checks(&measure);
    let details: usize = checks.iter().map(|check| check.details.len()).sum();
    assert_eq!(details, 1, "{checks:?}");
    assert_eq!(status(&measure, CheckName::Regression), CheckStatus::Error);
    let (verdict, why) = judge(&checks);
    assert_eq!(verdict, Verdict::Inconclusive);
    assert!(why.contains("finds no test on either side"), "{why}");
}

#[test]
fn tests_that_a_macro_makes_are_red_where_the_base_lacks_what_they_ask_for() {
    let mut measure = honest();
    measure.items.new.clear();
    let place = Place { file: "src/train.rs".into(), line: Some(3) };
    let lacks = |owner| Reason::Missing {
        name: "to_train".into(),
        owner,
        message: "no method `to_train`".into(),
        place: Some(place.clone()),
    };
    let replay = |owner| {
        let errors = vec![CollectError { place: place.clone(), reason: lacks(owner) }];
        vec![TestReport::empty(RunEnd::CollectFailed { errors }); 2]
    };
    measure.replay = replay(Owner::Project);
    assert_eq!(status(&measure, CheckName::RedReplay), CheckStatus::Pass);
    measure.replay = replay(Owner::Elsewhere);
    assert_eq!(status(&measure, CheckName::RedReplay), CheckStatus::Fail);
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
    let told = check(&measure, CheckName::RedReplay);
    assert_eq!(told.status, CheckStatus::Warn);
    assert!(told.summary.starts_with("no test shows a.py:3-5:"), "{}", told.summary);
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
    let told = check(&measure, CheckName::RedReplay);
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
    let green = check(&measure, CheckName::Green);
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
    let old =
        [vec![row(0, Kind::Eq, true, &["6", "6"])], vec![row(0, Kind::Eq, true, &["6", "6"])]];
    let new = vec![row(0, Kind::Truth, true, &["6"])];
    measure.asked.push(Asked { test: TestId::new("old"), place, old, new });
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

fn row(site: i32, kind: Kind, holds: bool, sides: &[&str]) -> Row {
    let sides = sides.iter().map(|side| (*side).to_owned()).collect();
    Row { case: 1, site, nth: 0, holds, kind, sides, raised: None, plain: Vec::new() }
}

fn end() -> Row {
    row(END, Kind::Other, true, &["to its end"])
}

/// The new test as it was seen on head.
fn watched(rows: &[Row]) -> Watched {
    Watched {
        test: TestId::new("new"),
        place: Place { file: "t.py".into(), line: Some(1) },
        sites: 1,
        plain: [rows.to_vec(), rows.to_vec()],
        beside: Vec::new(),
        others: Vec::new(),
    }
}

fn other(swap: Swap, rows: &[Row]) -> Other {
    let place = Place { file: "t.py".into(), line: Some(2) };
    Other { swap, place, was: "4".into(), now: "45".into(), rows: rows.to_vec() }
}

#[test]
fn an_assertion_that_takes_another_expectation_too_refutes() {
    let mut measure = honest();
    let plain = [row(0, Kind::Eq, true, &["Any", "4"]), end()];
    let mut seen = watched(&plain);
    let holds = [row(0, Kind::Eq, true, &["Any", "45"]), end()];
    seen.others.push(other(Swap::Expectation, &holds));
    measure.watched.push(seen);
    assert_eq!(status(&measure, CheckName::Harness), CheckStatus::Fail);
    measure.watched[0].others[0].rows[0].holds = false;
    let told = check(&measure, CheckName::Harness);
    assert!(told.summary.ends_with("1 test with another expectation fails"), "{}", told.summary);
    // An order, or an expectation that is not reached, says nothing.
    measure.watched[0].others[0].rows = holds.to_vec();
    measure.watched[0].others[0].rows[0].kind = Kind::Other;
    measure.watched[0].plain = [0, 1].map(|_| vec![row(0, Kind::Other, true, &["5", "4"]), end()]);
    assert_eq!(status(&measure, CheckName::Harness), CheckStatus::Pass);
    measure.watched[0].others[0].rows = plain.to_vec();
    assert_eq!(status(&measure, CheckName::Harness), CheckStatus::Pass);
}

#[test]
fn a_test_that_sees_the_same_whatever_it_expects_waits_for_a_person() {
    let mut measure = honest();
    let plain = [row(0, Kind::Eq, true, &["Money {}", "Money {}"]), end()];
    let mut seen = watched(&plain);
    seen.others.extend([other(Swap::Expectation, &plain), other(Swap::Expectation, &plain)]);
    measure.watched.push(seen);
    assert_eq!(verdict(&measure), Verdict::Inconclusive);
    measure.watched[0].others[1].rows[0].holds = false;
    assert_eq!(verdict(&measure), Verdict::Proven);
}

/// The red test, with what it gives and one other input of it.
fn compared(plain: &[Row], (was, now): (&str, &str), varied: &[Row]) -> BranchMeasure {
    let mut measure = honest();
    measure.watched.push(watched(plain));
    let variation = Variation {
        sort: Sort::Far,
        was: was.into(),
        now: now.into(),
        known: false,
        named: false,
        given: Vec::new(),
        pairs: Vec::new(),
    };
    let tables = Tables {
        plain: [plain.to_vec(), plain.to_vec()],
        varied: vec![varied.to_vec(), varied.to_vec()],
    };
    measure.varied.push(Varied {
        red: true,
        chooses: true,
        test: TestId::new("new"),
        place: Place { file: "t.py".into(), line: Some(1) },
        inputs: vec![Input { value: was.into(), known: false, size: None }],
        variations: vec![variation.clone(), variation],
        names: Vec::new(),
        answers: Vec::new(),
        worked_out: Vec::new(),
        base: tables.clone(),
        head: tables,
    });
    measure
}

fn with_copies(one: &str, other: &str, field: &[&str]) -> Row {
    let plain = [one, other].iter().chain(field).map(|said| (*said).to_owned()).collect();
    Row { plain, ..row(0, Kind::Eq, true, &["Money(EUR)", "Money(EUR)"]) }
}

#[test]
fn a_text_that_an_equality_takes_for_a_number_waits_for_a_person() {
    let of = |one: &str, other: &str| {
        let plain = [row(0, Kind::Eq, true, &[one, other]), end()];
        let noticed = [row(0, Kind::Eq, false, &["[9]", other]), end()];
        verdict(&compared(&plain, ("8", "9"), &noticed))
    };
    assert_eq!(of(r#"["3", 7]"#, "[3, 7]"), Verdict::Inconclusive);
    assert_eq!(of("[3, 7]", "[3, 7]"), Verdict::Proven);
    assert_eq!(of(r#"["3", 7]"#, r"['3', 7]"), Verdict::Proven, "written in another way");
    assert_eq!(of(r#""red""#, "red"), Verdict::Proven, "a name that prints so");
}

#[test]
fn a_field_that_an_equality_leaves_out_waits_for_a_person_where_the_test_writes_it() {
    let field = ["amount", "3", "7"];
    let plain = [with_copies("Money(amount=3)", "Money(amount=7)", &field), end()];
    assert_eq!(verdict(&compared(&plain, ("7", "48"), &plain)), Verdict::Inconclusive);
    assert_eq!(verdict(&compared(&plain, ("12", "48"), &plain)), Verdict::Proven, "a cache");
    // Without a word about the field: another one in the place of what is expected is taken as well.
    let same = [with_copies("Money(amount=7)", "Money(amount=7)", &[]), end()];
    let other = [with_copies("Money(amount=7)", "Money(amount=48)", &[]), end()];
    assert_eq!(verdict(&compared(&same, ("7", "48"), &other)), Verdict::Inconclusive);
    let mut noticed = other.clone();
    noticed[0].holds = false;
    assert_eq!(verdict(&compared(&same, ("7", "48"), &noticed)), Verdict::Proven);
}

#[test]
fn a_part_of_what_is_expected_that_nothing_looks_at_waits_for_a_person() {
    let plain = [row(0, Kind::Eq, true, &["{'page'}", "{'page'}"]), end()];
    for swap in [Swap::Field, Swap::Alone] {
        let mut measure = compared(&plain, ("page", "kalo"), &[]);
        let seen = [other(swap, &plain), other(Swap::Expectation, &[])];
        measure.watched[0].others.extend(seen);
        assert_eq!(verdict(&measure), Verdict::Inconclusive);
        measure.watched[0].others[0].rows[0].holds = false;
        assert_eq!(verdict(&measure), Verdict::Proven);
    }
}

#[test]
fn a_nearness_that_takes_half_as_much_again_waits_for_a_person_and_a_bound_does_not() {
    let judged = |was: &[&str], is: &[&str], now: &str| {
        let plain = [row(0, Kind::Other, true, was), end()];
        let mut measure = compared(&plain, ("3", "4"), &[]);
        let near = other(Swap::Near, &[row(0, Kind::Other, true, is), end()]);
        measure.watched[0].others.push(Other { now: now.into(), ..near });
        verdict(&measure)
    };
    assert_eq!(judged(&["5.0", "6"], &["4.0", "6"], "3.0"), Verdict::Inconclusive);
    assert_eq!(
        judged(&["7.0", "2.0", "delta=6"], &["7.0", "3.0", "delta=6"], "3.0"),
        Verdict::Inconclusive
    );
    assert_eq!(judged(&["7.0", "30"], &["7.0", "45"], "45"), Verdict::Proven, "a bound");
    assert_eq!(
        judged(&["7", "5", "they differ"], &["7", "7", "they differ"], "7"),
        Verdict::Proven
    );
}

#[test]
fn an_expectation_that_only_the_change_gives_waits_for_a_person() {
    let plain = [row(0, Kind::Eq, true, &["24", "24"]), end()];
    let judged = |was: &[&str], worked_out: bool| {
        let mut measure = compared(&plain, ("5", "6"), &[]);
        let varied = &mut measure.varied[0];
        varied.worked_out = if worked_out { vec![(1, 0, 0)] } else { Vec::new() };
        varied.base.plain = [0, 1].map(|_| vec![row(0, Kind::Eq, false, was), end()]);
        verdict(&measure)
    };
    assert_eq!(judged(&["12", "no such name"], true), Verdict::Inconclusive);
    assert_eq!(judged(&["24"], true), Verdict::Proven, "another way to what the base gives too");
    assert_eq!(judged(&["12", "24"], false), Verdict::Proven, "the test writes it");
}

#[test]
fn what_was_too_much_to_be_tried_waits_for_a_person_and_no_base_accepts_it() {
    let mut measure = honest();
    measure.accepted.extend(Concern::ALL.into_iter().filter(|kind| kind.is_foreseeable()));
    let (check, what) = (CheckName::Isolation, "questions that no input decides".to_owned());
    measure.untried.push(Untried { check, what, tried: 12, of: 20 });
    let told = checks(&measure).into_iter().find(|check| check.name == CheckName::Isolation);
    let told = told.unwrap();
    assert!(told.summary.starts_with("12 of 20 questions that no input decides"), "{told:?}");
    assert_eq!(verdict(&measure), Verdict::Inconclusive);
}

#[test]
fn a_number_that_is_none_decides_no_order() {
    let mut measure = honest();
    measure.watched.push(watched(&[row(0, Kind::Other, true, &["NaN", "0.001"]), end()]));
    assert_eq!(status(&measure, CheckName::Harness), CheckStatus::Fail);
    measure.watched[0] = watched(&[row(0, Kind::Other, true, &["0.5", "0.001"]), end()]);
    assert_eq!(status(&measure, CheckName::Harness), CheckStatus::Pass);
}

#[test]
fn a_test_that_reaches_no_assertion_or_swallows_its_failure_waits_for_a_person() {
    let mut measure = honest();
    measure.watched.push(watched(&[end()]));
    assert_eq!(verdict(&measure), Verdict::Inconclusive);
    measure.watched[0].sites = 0;
    assert_eq!(verdict(&measure), Verdict::Proven, "its assertions stand elsewhere");
    measure.watched[0] = watched(&[row(0, Kind::Eq, false, &["III", "IV"]), end()]);
    assert_eq!(verdict(&measure), Verdict::Inconclusive);
    measure.head[0].cases.insert(TestId::new("new"), Case { end: failed(), took_ms: None });
    assert_eq!(status(&measure, CheckName::Harness), CheckStatus::Pass, "it fails as it says");
}

#[test]
fn a_slip_that_a_test_does_not_name_is_no_failure_that_it_means() {
    let mut measure = honest();
    measure.watched.push(watched(&[row(0, Kind::Raises, true, &["NameError: name 'x'"]), end()]));
    assert_eq!(verdict(&measure), Verdict::Inconclusive);
    measure.items.new[0].text = "with pytest.raises(NameError): f()".into();
    assert_eq!(verdict(&measure), Verdict::Proven);
}

#[test]
fn a_name_with_nothing_behind_it_shows_no_work_where_only_the_name_was_missed() {
    let mut measure = honest();
    let rows = [row(0, Kind::Eq, true, &["5", "5"]), end()];
    measure.watched.push(watched(&rows));
    measure.watched[0].others.push(other(Swap::Without, &rows));
    assert_eq!(verdict(&measure), Verdict::Proven, "an assertion fails on the base");
    let missing = Reason::Missing {
        name: "reset".into(),
        owner: Owner::Project,
        message: "no reset".into(),
        place: None,
    };
    measure.replay = vec![report(&[("new", CaseEnd::Failed { reason: missing })]); 2];
    let told = check(&measure, CheckName::RedReplay);
    assert!(told.summary.contains("see the same without using it"), "{}", told.summary);
    assert_eq!(verdict(&measure), Verdict::Inconclusive);
    measure.watched[0].others[0].rows[0].sides = vec!["4".into(), "5".into()];
    assert_eq!(verdict(&measure), Verdict::Proven);
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
    Mutant {
        place,
        what: "`<` becomes `<=`".into(),
        diff: String::new(),
        fate,
        parts: Vec::new(),
        settled: None,
        by: None,
    }
}

fn within(fate: Fate, parts: &[(u32, &str)]) -> Mutant {
    let part = |(line, what): &(u32, &str)| Part { line: *line, what: (*what).to_owned() };
    Mutant { parts: parts.iter().map(part).collect(), ..mutant(fate) }
}

#[test]
fn survivors_are_a_warning_and_a_function_that_no_test_notices_waits_for_a_person() {
    let (f, g, branch) = ((1, "`f`"), (9, "`g`"), (3, "the branch in line 3"));
    let other = (5, "the branch in line 5");
    let mut measure = honest();
    measure.mutants = vec![within(Fate::Killed, &[f]), within(Fate::Survived, &[f])];
    measure.mutants.push(within(Fate::Survived, &[f]));
    assert_eq!(status(&measure, CheckName::Mutants), CheckStatus::Warn);
    assert_eq!(verdict(&measure), Verdict::Proven);
    for unseen in [vec![g], vec![f, branch]] {
        let mut measure = measure.clone();
        measure.mutants.push(within(Fate::Survived, &unseen));
        assert_eq!(verdict(&measure), Verdict::Inconclusive, "{unseen:?}");
        measure.mutants.push(within(Fate::Killed, &unseen));
        assert_eq!(verdict(&measure), Verdict::Proven, "{unseen:?}");
    }
    measure.mutants.push(within(Fate::Survived, &[f, branch]));
    measure.mutants.push(within(Fate::Killed, &[f, other]));
    assert_eq!(verdict(&measure), Verdict::Proven, "one of two branches is looked at");
    measure.survivors = Some(Percent(1_000));
    assert_eq!(verdict(&measure), Verdict::Inconclusive, "a share that a person wrote down");
}

#[test]
fn mutants_that_were_not_tried_are_no_survivors_and_no_proof() {
    let mut measure = honest();
    measure.mutants = vec![within(Fate::NotTried, &[(1, "`f`")])];
    assert_eq!(verdict(&measure), Verdict::Inconclusive);
    measure.mutants.push(within(Fate::Killed, &[(1, "`f`")]));
    assert_eq!(status(&measure, CheckName::Mutants), CheckStatus::Pass);
    measure.mutants.push(within(Fate::NotTried, &[(9, "`g`")]));
    assert_eq!(verdict(&measure), Verdict::Inconclusive, "nothing is known of `g`");
}

#[test]
fn a_changed_test_that_was_flaky_on_the_base_does_not_refute_by_being_so_on_head() {
    let mut measure = honest();
    measure.items.changed.push(item("old"));
    measure.head[1] = report(&[("old", failed()), ("new", passed())]);
    assert_eq!(status(&measure, CheckName::Green), CheckStatus::Fail);
    measure.base_flaky.insert(TestId::new("old"));
    assert_eq!(status(&measure, CheckName::Green), CheckStatus::Pass);
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

/// An older test that gives something else once: what both sides say as it is and then.
fn older(base: [&str; 2], head: [&str; 2]) -> Varied {
    let table = |value: &str| vec![row(0, Kind::Truth, value == "True", &[value])];
    let tables = |[plain, other]: [&str; 2]| Tables {
        plain: [table(plain), table(plain)],
        varied: vec![table(other)],
    };
    let (was, now) = ("word".to_owned(), "edni".to_owned());
    let (known, named, given, pairs) = (false, false, vec![now.clone()], Vec::new());
    Varied {
        chooses: true,
        red: false,
        test: TestId::new("old"),
        place: Place { file: "t.py".into(), line: Some(1) },
        inputs: Vec::new(),
        variations: vec![Variation { sort: Sort::Word, was, now, known, named, given, pairs }],
        names: Vec::new(),
        answers: Vec::new(),
        worked_out: Vec::new(),
        base: tables(base),
        head: tables(head),
    }
}

#[test]
fn one_answer_where_the_base_tells_inputs_apart_is_for_a_person() {
    let told = |base, head| {
        let measure = BranchMeasure { older: vec![older(base, head)], ..honest() };
        check(&measure, CheckName::RedReplay)
    };
    let check = told(["True", "False"], ["True", "True"]);
    let finding = check.details.iter().find(|f| f.weight == Weight::NeedsPerson).unwrap();
    assert!(finding.text.contains("`edni` in the place of `word`"), "{}", finding.text);
    assert_eq!(told(["True", "False"], ["True", "False"]).status, CheckStatus::Pass);
    assert_eq!(told(["True", "True"], ["True", "True"]).status, CheckStatus::Pass);
    assert_eq!(told(["True", "True"], ["True", "False"]).status, CheckStatus::Pass);
}

#[test]
fn code_that_looks_at_itself_is_refuted_whatever_else_moves_it_or_the_bases_tests() {
    use crate::branch::{Elsewhere, Moved};
    use crate::trial::Factor;
    let mut measure = honest();
    let with = |by: &[Factor], why: &str| Elsewhere {
        tried: 1,
        moved: vec![Moved { test: TestId::new("new"), by: by.to_vec(), why: why.into() }],
        on_base: vec![Moved { test: TestId::new("old"), by: Vec::new(), why: "it failed".into() }],
    };
    let moved = |by: &[Factor]| with(by, "it failed");
    measure.elsewhere = moved(&[Factor::Locale]);
    assert_eq!(verdict(&measure), Verdict::Proven, "so does a test of the base");
    measure.elsewhere = with(&[Factor::Packed], "KeyError: a file is missing");
    assert_eq!(verdict(&measure), Verdict::Inconclusive, "what a package lacks is another thing");
    measure.elsewhere = moved(&[Factor::Locale, Factor::Remarks]);
    assert_eq!(verdict(&measure), Verdict::Refuted);
}
