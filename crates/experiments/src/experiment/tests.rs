//! Experiments held against recorded reports, without a tool.

use super::*;
use crate::branch::{Mixed, Side, Tests};
use proctor_core::branch::{BranchKind, BranchMeasure, Role, Touched, Under, Unmade};
use proctor_core::item::Shape;
use proctor_core::observation::Watched;
use proctor_core::report::{Case, CaseEnd, CollectError, Lines, Place, Reason, RunEnd};
use proctor_core::words::TreeId;
use proctor_lang::{MemoryTree, Tree};
use std::collections::BTreeSet;
use std::time::Duration;

struct Half {
    tree: TreeId,
    texts: MemoryTree,
}

impl Side for Half {
    fn tree(&self) -> &TreeId {
        &self.tree
    }

    fn has(&self, path: &str) -> bool {
        self.texts.0.contains_key(path)
    }

    fn paths(&self) -> Vec<&str> {
        self.texts.0.keys().map(String::as_str).collect()
    }

    fn text(&self, path: &str) -> Option<&str> {
        self.texts.0.get(path).and_then(|bytes| std::str::from_utf8(bytes).ok())
    }

    fn texts(&self) -> &MemoryTree {
        &self.texts
    }
}

/// Tests of Python, named by file and function.
struct Python;

impl Tests for Python {
    fn items(&self, texts: &dyn Tree, paths: &[String]) -> Vec<TestItem> {
        let mut found = Vec::new();
        for path in paths {
            let text = texts.read(path).map(|b| String::from_utf8_lossy(&b).into_owned());
            for (line, n) in text.unwrap_or_default().lines().zip(1..) {
                let name = line.strip_prefix("def test_").and_then(|rest| rest.split('(').next());
                found.extend(name.map(|name| item(path, &format!("test_{name}"), n)));
            }
        }
        found
    }

    fn is_source(&self, path: &str) -> bool {
        Language::of(path) == Some(Language::Python)
    }
}

/// The same where coverage makes tests slow.
struct Slow;

impl Tests for Slow {
    fn items(&self, texts: &dyn Tree, paths: &[String]) -> Vec<TestItem> {
        Python.items(texts, paths)
    }

    fn is_source(&self, path: &str) -> bool {
        Python.is_source(path)
    }

    fn is_slowed_by_coverage(&self) -> bool {
        true
    }
}

use proctor_lang::Language;

fn item(file: &str, name: &str, line: u32) -> TestItem {
    TestItem {
        id: TestId::new(format!("{file}::{name}")),
        place: Place { file: file.to_owned(), line: Some(line) },
        text: name.to_owned(),
        shape: Shape::Sound,
    }
}

fn report(cases: &[(&str, CaseEnd)]) -> TestReport {
    let mut report = TestReport::empty(RunEnd::Finished);
    for (id, end) in cases {
        report.cases.insert(TestId::new(*id), Case { end: end.clone(), took_ms: None });
    }
    report
}

fn fails() -> CaseEnd {
    CaseEnd::Failed { reason: Reason::Assertion { message: "1 is not 2".into(), place: None } }
}

fn ran(report: TestReport) -> Done {
    Done::Ran { report, lines: LineCoverage::default(), heard: Vec::new() }
}

/// A branch with one old test and one new one.
struct World {
    base: Half,
    head: Half,
    mixed: Mixed,
    touched: BTreeSet<String>,
    lines: BTreeMap<String, BTreeSet<u32>>,
    surroundings: Vec<Touched>,
    measure: BranchMeasure,
    suite_took: Duration,
    tests: &'static dyn Tests,
}

const NEW: &str = "tests/test_a.py::test_new";
const OLD: &str = "tests/test_old.py::test_old";

fn world() -> World {
    let half = |tree: &str, files: &[(&str, &str)]| Half {
        tree: TreeId::new(tree),
        texts: files.iter().map(|(p, t)| ((*p).to_owned(), t.as_bytes().to_vec())).collect(),
    };
    let old = ("tests/test_old.py", "def test_old():\n    assert f(1) == 2\n");
    let rest = "\n\nA = 1\nB = 2\nC = 3\n";
    let code = format!("def f(a):\n    return a + 2\n{rest}\n\ndef g(a):\n    return a * 3\n");
    let was = format!("def f(a):\n    return a + 1\n{rest}");
    let base = half("1111111", &[("a.py", &was), old]);
    let new = ("tests/test_a.py", "def test_new():\n    assert f(1) == 3\n");
    let head = half("2222222", &[("a.py", &code), new, old]);
    let mut measure = BranchMeasure::new(BranchKind::Both);
    measure.items.new.push(item("tests/test_a.py", "test_new", 1));
    measure.base = report(&[(OLD, CaseEnd::Passed)]);
    measure.head = vec![report(&[(OLD, CaseEnd::Passed), (NEW, CaseEnd::Passed)])];
    measure.replay = vec![report(&[(NEW, fails())]); 2];
    World {
        base,
        head,
        mixed: Mixed { replay: Some(TreeId::new("3333333")), ..Mixed::default() },
        touched: BTreeSet::from(["a.py".into(), "tests/test_a.py".into()]),
        lines: BTreeMap::from([("a.py".to_owned(), BTreeSet::from([2, 10, 11]))]),
        surroundings: Vec::new(),
        measure,
        suite_took: Duration::from_secs(1),
        tests: &Python,
    }
}

impl World {
    fn look<T>(&self, look: impl FnOnce(&Branch<'_>) -> T) -> T {
        let texts = |tree: &TreeId, files: &[String]| {
            let side = if *tree == self.base.tree { &self.base } else { &self.head };
            let text = |f: &String| Some((f.clone(), side.text(f)?.to_owned()));
            files.iter().filter_map(text).collect()
        };
        look(&Branch {
            base: &self.base,
            head: &self.head,
            mixed: &self.mixed,
            kind: self.measure.kind,
            touched: &self.touched,
            lines: &self.lines,
            generated: &BTreeMap::new(),
            unnamed: &BTreeSet::new(),
            surroundings: &self.surroundings,
            measure: &self.measure,
            tests: self.tests,
            texts: &texts,
            suite_took: self.suite_took,
            nonce: "zq",
        })
    }

    fn next(&self, experiment: &dyn Experiment, done: &[Done]) -> Vec<Try> {
        self.look(|branch| experiment.next(branch, done))
    }

    /// The measure with what an experiment showed.
    fn after(&self, experiment: &dyn Experiment, done: &[Done]) -> (BranchMeasure, Vec<String>) {
        let found = self.look(|branch| experiment.evidence(branch, done));
        let mut measure = self.measure.clone();
        found.evidence.into_iter().for_each(|evidence| measure.take(evidence));
        (measure, found.left_out)
    }
}

fn trials(tries: &[Try]) -> Vec<&Trial> {
    let trial = |one: &'_ Try| matches!(one, Try::Run(_));
    assert!(tries.iter().all(trial), "{tries:?}");
    tries.iter().filter_map(|t| if let Try::Run(trial) = t { Some(trial) } else { None }).collect()
}

#[test]
fn new_tests_are_replayed_twice_and_with_heads_manifests_only_where_that_shows_nothing() {
    let mut world = world();
    world.mixed.replay_with_manifests = Some(TreeId::new("4444444"));
    let first = world.next(&replay::Replay, &[]);
    assert_eq!(trials(&first).iter().map(|t| t.tree.as_str()).collect::<Vec<_>>(), ["3333333"; 2]);
    let red = vec![ran(report(&[(NEW, fails())])); 2];
    assert!(world.next(&replay::Replay, &red).is_empty());
    let mut done = vec![ran(report(&[(NEW, CaseEnd::Passed)])); 2];
    let again = world.next(&replay::Replay, &done);
    assert_eq!(trials(&again).iter().map(|t| t.tree.as_str()).collect::<Vec<_>>(), ["4444444"; 2]);
    done.extend(red.clone());
    assert!(world.next(&replay::Replay, &done).is_empty());
    assert_eq!(world.after(&replay::Replay, &done).0.replay, reports(&red));
    let never = vec![ran(report(&[(NEW, CaseEnd::Passed)])); 4];
    assert_eq!(world.after(&replay::Replay, &never).0.replay, reports(&never[..2]));
}

#[test]
fn an_old_test_that_fails_is_run_again_on_the_base_and_on_head_only_where_the_base_is_unsteady() {
    let mut world = world();
    assert!(world.next(&orders::Again, &[]).is_empty());
    world.measure.head.push(report(&[(OLD, fails()), (NEW, CaseEnd::Passed)]));
    let on = |tries: &[Try]| -> Vec<String> {
        trials(tries).iter().map(|t| t.tree.as_str().to_owned()).collect()
    };
    assert_eq!(on(&world.next(&orders::Again, &[])), ["1111111"; 4]);
    let steady = vec![ran(report(&[(OLD, CaseEnd::Passed)])); 4];
    // It failed in another order alone: the base is shuffled too, as often as may be.
    assert_eq!(on(&world.next(&orders::Again, &steady)), ["1111111"]);
    let mut unsteady = steady.clone();
    unsteady[2] = ran(report(&[(OLD, fails())]));
    assert_eq!(on(&world.next(&orders::Again, &unsteady)), ["2222222"; 4]);
    unsteady.extend(steady.clone());
    assert!(world.next(&orders::Again, &unsteady).is_empty());
    let again = world.after(&orders::Again, &unsteady).0.again;
    assert_eq!((again.base.len(), again.head.len()), (4, 4));
}

#[test]
fn another_order_also_tells_which_lines_ran_and_a_test_that_ends_otherwise_is_tried_without_that() {
    let mut world = world();
    world.measure.unmade.insert(CheckName::Harness, Unmade::NotWanted);
    let first = world.next(&orders::AnotherOrder, &[]);
    assert!(matches!(&first[..], [Try::Covering(trial)] if trial.only == Selection::All));
    let covering = |end| Done::Covering {
        report: report(&[(OLD, CaseEnd::Passed), (NEW, end)]),
        covered: Some(CoverageMeasure::default()),
    };
    let good = vec![covering(CaseEnd::Passed)];
    assert!(world.next(&orders::AnotherOrder, &good).is_empty());
    let (after, _) = world.after(&orders::AnotherOrder, &good);
    assert!(after.coverage.is_some() && after.head.len() == 2);
    let mut bad = vec![covering(fails())];
    assert_eq!(trials(&world.next(&orders::AnotherOrder, &bad)).len(), 1);
    bad.push(ran(report(&[(OLD, CaseEnd::Passed), (NEW, CaseEnd::Passed)])));
    assert!(world.next(&orders::AnotherOrder, &bad).is_empty());
    let (after, _) = world.after(&orders::AnotherOrder, &bad);
    assert!(after.coverage.is_none() && after.head[1].passed(&TestId::new(NEW)));
    world.lines.clear();
    assert_eq!(trials(&world.next(&orders::AnotherOrder, &[])).len(), 1);
}

#[test]
fn where_coverage_is_slow_the_new_tests_are_measured_apart_and_all_of_them_only_for_what_is_left() {
    let mut world = world();
    world.measure.unmade.insert(CheckName::Harness, Unmade::NotWanted);
    world.tests = &Slow;
    let first = world.next(&orders::AnotherOrder, &[]);
    assert!(matches!(&first[..], [Try::Run(trial)] if trial.only == Selection::All));
    let mut done = vec![ran(report(&[(OLD, CaseEnd::Passed), (NEW, CaseEnd::Passed)]))];
    let then = world.next(&orders::AnotherOrder, &done);
    let new = Selection::Ids(vec![TestId::new(NEW)]);
    assert!(matches!(&then[..], [Try::Covering(trial)] if trial.only == new));
    let file = world.lines.keys().next().unwrap().clone();
    let changed = BTreeMap::from([(file.clone(), BTreeSet::from([1, 2]))]);
    let covering = |hit: &[u32], missed: &[u32]| {
        let of = |lines: &[u32]| lines.iter().copied().collect();
        let lines = Lines { hit: of(hit), missed: of(missed) };
        let lines = LineCoverage { files: [(file.clone(), lines)].into() };
        let covered = CoverageMeasure { lines, changed: changed.clone(), warnings: Vec::new() };
        let report = report(&[(NEW, CaseEnd::Passed)]);
        Done::Covering { report, covered: Some(covered) }
    };
    for (covering, settled) in [(covering(&[1, 2], &[3]), true), (covering(&[1], &[2]), false)] {
        done.truncate(1);
        done.push(covering);
        assert!(world.next(&orders::AnotherOrder, &done).is_empty());
        let (after, _) = world.after(&orders::AnotherOrder, &done);
        assert_eq!((after.coverage.is_some(), after.head.len()), (settled, 2));
        assert!(after.head[1].cases.len() == 2, "the run of all tests counts");
    }
}

/// What a run of this trial reports, where its canaries do what they must.
fn honest(trial: &Trial) -> TestReport {
    let mut run = report(&[(OLD, CaseEnd::Passed), (NEW, CaseEnd::Passed)]);
    for (path, text) in &trial.edits {
        let text = String::from_utf8_lossy(text.as_ref().unwrap()).into_owned();
        let names = text.lines().filter_map(|line| line.strip_prefix("def test_canary_"));
        for name in names.map(|rest| rest.split('(').next().unwrap()) {
            let end = match name {
                _ if name.contains("_passes") => CaseEnd::Passed,
                _ if name.contains("_skips") => CaseEnd::Skipped { why: String::new() },
                _ => fails(),
            };
            let id = TestId::new(format!("{path}::test_canary_{name}"));
            run.cases.insert(id, Case { end, took_ms: None });
        }
    }
    run
}

#[test]
fn canaries_stand_among_all_tests_in_another_order_and_have_a_run_of_their_own_only_if_something_moves()
 {
    let mut world = world();
    world.lines.clear();
    let first = world.next(&orders::AnotherOrder, &[]);
    let trial = trials(&first)[0].clone();
    assert!(trial.edits.len() == 2 && trial.only == Selection::All, "{trial:?}");
    let good = honest(&trial);
    assert!(world.next(&orders::AnotherOrder, &[ran(good.clone())]).is_empty());
    let (after, _) = world.after(&orders::AnotherOrder, &[ran(good.clone())]);
    assert_eq!(after.head[1], world.measure.head[0], "ours are none of head's");
    assert_eq!((after.canaries.len(), after.canaries[0].planted.len()), (1, 2));
    assert_eq!(after.canaries[0].report, good);
    // Nothing more is sown on head; what was seen stays.
    let kept = std::mem::replace(&mut world.measure, after);
    assert!(world.next(&canaries::Canaries, &[]).is_empty());
    assert_eq!(world.after(&canaries::Canaries, &[]).0.canaries.len(), 1);
    world.measure = kept;
    let otherwise = |id: &str, end: CaseEnd| {
        let mut run = good.clone();
        run.cases.insert(TestId::new(id), Case { end, took_ms: None });
        run
    };
    let forged = good.cases.keys().find(|id| id.as_str().ends_with("_fails")).unwrap().clone();
    for odd in [otherwise(NEW, fails()), otherwise(forged.as_str(), CaseEnd::Passed)] {
        let then = world.next(&orders::AnotherOrder, &[ran(odd.clone())]);
        assert!(trials(&then)[0].edits.is_empty(), "the order by itself");
        let done = [ran(odd), ran(world.measure.head[0].clone())];
        assert!(world.next(&orders::AnotherOrder, &done).is_empty());
        let (after, _) = world.after(&orders::AnotherOrder, &done);
        assert_eq!((after.head.len(), after.canaries.len()), (2, 0));
        assert_eq!(world.next(&canaries::Canaries, &[]).len(), 1, "and ours by themselves");
    }
}

#[test]
fn canaries_go_into_the_files_of_new_tests_and_an_old_one_and_again_without_a_file_that_does_not_build()
 {
    let mut world = world();
    let first = world.next(&canaries::Canaries, &[]);
    let trial = trials(&first)[0].clone();
    let files: Vec<&String> = trial.edits.keys().collect();
    assert_eq!(files, ["tests/test_a.py", "tests/test_old.py"]);
    assert_eq!(trial.only, Selection::All);
    let mut broken = TestReport::empty(RunEnd::Finished);
    let place = Place { file: "tests/test_old.py".into(), line: Some(9) };
    let reason = Reason::Other { message: "no".into(), place: None };
    broken.end = RunEnd::CollectFailed { errors: vec![CollectError { place, reason }] };
    let done = [ran(broken)];
    let second = world.next(&canaries::Canaries, &done);
    assert_eq!(trials(&second)[0].edits.keys().collect::<Vec<_>>(), ["tests/test_a.py"]);
    let done = [done[0].clone(), ran(report(&[]))];
    assert!(world.next(&canaries::Canaries, &done).is_empty());
    let runs = world.after(&canaries::Canaries, &done).0.canaries;
    assert_eq!((runs.len(), runs[0].planted.len(), runs[0].under), (1, 1, Under::Head));
    // What decides changed: under the base's configuration too. A long suite is not run as a whole.
    world.surroundings.push(Touched { path: "pytest.ini".into(), role: Role::Decides });
    world.mixed.old_on_head = Some(TreeId::new("5555555"));
    world.suite_took = Duration::from_mins(1);
    let both = world.next(&canaries::Canaries, &[]);
    assert_eq!(
        trials(&both).iter().map(|t| t.tree.as_str()).collect::<Vec<_>>(),
        ["2222222", "5555555"]
    );
    assert!(matches!(&trials(&both)[0].only, Selection::Ids(ids) if ids.len() == 8), "{both:?}");
}

#[test]
fn new_tests_run_alone_and_what_is_left_out_is_said() {
    let mut world = world();
    assert_eq!(world.next(&alone::Alone, &[]).len(), 1);
    world.measure.base = TestReport::empty(RunEnd::NoTests);
    assert!(world.next(&alone::Alone, &[]).is_empty(), "one test is alone in any case");
    for n in 0..9 {
        world.measure.items.new.push(item("tests/test_a.py", &format!("test_{n}"), 9));
    }
    let tries = world.next(&alone::Alone, &[]);
    assert_eq!(tries.len(), alone::MOST);
    let done = vec![ran(report(&[])); alone::MOST];
    let (measure, left_out) = world.after(&alone::Alone, &done);
    assert_eq!(measure.alone[0].test, TestId::new(NEW), "the red one comes first");
    assert_eq!(left_out, ["8 of 10 new tests were run alone; the others only beside the rest"]);
}

#[test]
fn what_is_too_much_to_be_tried_is_counted_for_the_check_that_it_belongs_to() {
    let found = |count| Found::default().of_all(CheckName::Isolation, "questions", count);
    assert!(found((3, 3)).evidence.is_empty());
    let evidence = found((12, 20)).evidence;
    let [Evidence::Untried(untried)] = evidence.as_slice() else { panic!("{evidence:?}") };
    assert_eq!((untried.tried, untried.of), (12, 20));
}

#[test]
fn mutants_are_tried_against_the_new_tests_first_and_keep_their_order() {
    let world = world();
    let survivors = Mutants(Aim::Survivors);
    let tries = world.next(&survivors, &[]);
    let [Try::Changes(tampering)] = tries.as_slice() else { panic!("{tries:?}") };
    assert_eq!(tampering.noticing, Selection::Ids(vec![TestId::new(NEW)]));
    let parts = tampering.parts.as_ref().unwrap();
    assert!(parts.len() == tampering.changes.len() && parts.iter().all(|own| !own.is_empty()));
    assert!(tampering.changes.iter().all(|c| [2, 10, 11].contains(&c.edit.line)), "{tampering:?}");
    let mut fates = vec![Fate::Killed; tampering.changes.len()];
    fates[1] = Fate::Survived;
    let done = [Done::Changes { fates, by: Vec::new(), left_out: vec!["said".into()] }];
    assert!(world.next(&survivors, &done).is_empty());
    let (measure, left_out) = world.after(&survivors, &done);
    assert_eq!((measure.mutants[0].fate, measure.mutants[1].fate), (Fate::Killed, Fate::Survived));
    assert_eq!(measure.mutants[1].what, tampering.changes[1].edit.what);
    assert_eq!(left_out, ["said"]);
    let few = world.next(&Mutants(Aim::Kills(vec![TestId::new(OLD)])), &[]);
    assert!(matches!(&few[0], Try::Changes(t) if t.parts.is_none()
        && t.noticing == Selection::Ids(vec![TestId::new(OLD)])));
}

#[test]
fn where_only_tests_changed_the_lines_that_they_reach_are_mutated() {
    let mut world = world();
    world.measure.kind = BranchKind::TestsOnly;
    world.lines.clear();
    let survivors = Mutants(Aim::Survivors);
    let first = world.next(&survivors, &[]);
    assert_eq!(trials(&first)[0].coverage, proctor_core::trial::Coverage::Measured);
    let mut lines = LineCoverage::default();
    let hit = lines.files.entry("a.py".into()).or_default();
    hit.hit.insert(11);
    let done = [Done::Ran { report: report(&[]), lines, heard: Vec::new() }];
    let then = world.next(&survivors, &done);
    let [Try::Changes(tampering)] = then.as_slice() else { panic!("{then:?}") };
    assert!(tampering.changes.iter().all(|c| c.edit.line >= 10), "{tampering:?}");
    // Without a coverage tool: the files that go by the tests' words.
    let done = [ran(report(&[]))];
    assert!(world.next(&survivors, &done).is_empty(), "the tests do not name a");
}

#[test]
fn parts_that_no_mutant_was_killed_in_are_put_back_and_what_survives_is_named() {
    let mut world = world();
    let tries = world.next(&parts::Parts, &[]);
    let [Try::Changes(tampering)] = tries.as_slice() else { panic!("{tries:?}") };
    assert_eq!(tampering.changes.len(), 2);
    let done = [Done::Changes {
        fates: vec![Fate::Killed, Fate::Survived],
        by: Vec::new(),
        left_out: Vec::new(),
    }];
    let hunks = world.after(&parts::Parts, &done).0.unshown;
    assert_eq!((hunks.len(), hunks[0].file.as_str(), hunks[0].from), (1, "a.py", 8));
    world.measure.kind = BranchKind::CodeOnly;
    assert!(world.next(&parts::Parts, &[]).is_empty());
}

#[test]
fn a_test_that_needs_a_configuration_which_makes_other_code_is_named_with_it() {
    let mut world = world();
    assert!(world.next(&configured::Configured, &[]).is_empty());
    let config = "export default { define: { LIMIT: 3 } }";
    world.head.texts.0.insert("vitest.config.ts".into(), config.into());
    world.base.texts.0.insert("vitest.config.ts".into(), b"export default {}".to_vec());
    world.touched.insert("vitest.config.ts".into());
    let tries = world.next(&configured::Configured, &[]);
    assert_eq!(
        trials(&tries)[0].edits,
        BTreeMap::from([("vitest.config.ts".to_owned(), Some(b"export default {}".to_vec()))])
    );
    let fine = [ran(report(&[(NEW, CaseEnd::Passed)]))];
    assert_eq!(world.after(&configured::Configured, &fine).0.configured, None);
    let needed = [ran(report(&[(NEW, fails())]))];
    let found = world.after(&configured::Configured, &needed).0.configured.unwrap();
    assert_eq!((found.test.as_str(), found.by), (NEW, vec!["vitest.config.ts".to_owned()]));
}

/// What the first copy of the first test tells: it looks at this value, and expects 3.
fn told(value: &str) -> Done {
    let begins = "{\"t\":0,\"v\":0,\"b\":1}";
    let row = format!(
        "{{\"t\":0,\"v\":0,\"s\":0,\"k\":\"eq\",\"ok\":{},\"l\":[\"{value}\",\"3\"]}}",
        value == "3"
    );
    let heard = format!("{begins}\n{row}\n").into_bytes();
    Done::Ran { report: report(&[]), lines: LineCoverage::default(), heard }
}

#[test]
fn new_tests_are_observed_on_head_and_then_on_the_base_with_other_inputs_beside_them() {
    let world = world();
    let on = |tries: &[Try]| -> Vec<String> {
        trials(tries).iter().map(|t| t.tree.as_str().to_owned()).collect()
    };
    let first = world.next(&inputs::Inputs::default(), &[]);
    assert_eq!(on(&first), Vec::from(["2222222".to_owned()]));
    let trial = trials(&first)[0];
    assert!(trial.channel.is_some() && trial.edits.contains_key("tests/test_a.py"), "{trial:?}");
    let mut done = vec![told("3")];
    assert_eq!(
        on(&world.next(&inputs::Inputs::default(), &done)),
        Vec::from(["3333333".to_owned()])
    );
    done.push(told("2"));
    assert!(world.next(&inputs::Inputs::default(), &done).is_empty());
    let (measure, _) = world.after(&inputs::Inputs::default(), &done);
    let [varied] = measure.varied.as_slice() else { panic!("{:?}", measure.varied) };
    assert_eq!(varied.head.plain[0][0].sides, ["3", "3"]);
    assert_eq!(varied.base.plain[0][0].sides, ["2", "3"]);
    assert!(varied.red && !varied.variations.is_empty());
    assert!(!measure.watched[0].others.is_empty());
}

#[test]
fn a_side_that_ran_the_copies_and_told_nothing_is_not_taken_for_one_without_an_answer() {
    let world = world();
    let passed = report(&[("tests/test_a.py::test_new__o0_0", CaseEnd::Passed)]);
    for (base, untried) in [(ran(passed), 1), (ran(report(&[])), 0), (told("2"), 0)] {
        let (measure, _) = world.after(&inputs::Inputs::default(), &[told("3"), base]);
        assert_eq!(measure.untried.len(), untried);
    }
}

#[test]
fn texts_that_a_new_test_names_are_others_all_at_once_and_each_by_itself() {
    let mut world = world();
    let test = "from rows import ROWS\n\ndef test_new():\n    for a in ROWS:\n        assert f(read('given.txt'), a) == read('wanted.html')\n";
    world.measure.items.new[0].place.line = Some(3);
    let files = [
        ("tests/test_a.py", test),
        ("tests/rows.py", "ROWS = ['blue', 77]\n"),
        ("tests/given.txt", "green 12\n"),
        ("tests/wanted.html", "<b>green</b>\n"),
        ("tests/other.txt", "nobody names it 4\n"),
    ];
    for (path, text) in files {
        world.head.texts.0.insert(path.into(), text.into());
    }
    let mut done = Vec::new();
    let mut edits = Vec::new();
    while let [Try::Run(trial)] = world.next(&inputs::Inputs::default(), &done).as_slice() {
        let head = trial.tree.as_str() == "2222222";
        edits.push((head, trial.edits.clone()));
        done.push(told(if head { "3" } else { "2" }));
    }
    // What it imports stands there under other names, in the first run already.
    assert!(edits[0].1.keys().any(|path| path.starts_with("tests/rows_o")), "{:?}", edits[0]);
    let others = |path: &str| -> Vec<bool> {
        edits.iter().map(|(_, edits)| edits.contains_key(path)).collect()
    };
    let both = |all: [bool; 5]| all.iter().flat_map(|is| [*is, *is]).collect::<Vec<bool>>();
    assert_eq!(others("tests/given.txt"), both([false, true, true, true, false]));
    assert_eq!(others("tests/wanted.html"), both([false, true, true, false, true]));
    assert_eq!(others("tests/other.txt"), both([false; 5]));
    let (measure, _) = world.after(&inputs::Inputs::default(), &done);
    let files: Vec<&str> = measure.varied[0].variations.iter().filter_map(|v| v.file()).collect();
    assert_eq!(files, ["tests/given.txt", "tests/wanted.html"]);
    let expecting = measure.watched[0].others.iter().filter(|o| o.place.file != "tests/test_a.py");
    assert_eq!(expecting.count(), 2);
}

#[test]
fn a_test_whose_text_is_another_is_asked_for_on_heads_code_as_it_was_and_as_it_is() {
    let mut world = world();
    assert!(world.next(&Questions::Changed, &[]).is_empty());
    world.measure.items.changed.push(item("tests/test_old.py", "test_old", 1));
    world.mixed.old_on_head = Some(TreeId::new("4444444"));
    let tree = |done: &[Done]| {
        let next = world.next(&Questions::Changed, done);
        trials(&next).first().map(|trial| trial.tree.as_str().to_owned())
    };
    assert_eq!(tree(&[]).as_deref(), Some("4444444"));
    assert_eq!(tree(&[told("3")]).as_deref(), Some("2222222"));
    let done = [told("3"), told("2")];
    assert_eq!(tree(&done), None);
    let (measure, _) = world.after(&Questions::Changed, &done);
    assert_eq!(measure.asked[0].old[0][0].sides, ["3", "3"]);
    assert_eq!(measure.asked[0].new[0].sides, ["2", "3"]);
    // What was observed on head beside others is not observed again, where it was the same twice.
    let rows = measure.asked[0].new.clone();
    let plain = [rows.clone(), rows.clone()];
    let place = Place { file: "tests/test_old.py".into(), line: Some(1) };
    let test = TestId::new("tests/test_old.py::test_old");
    let watched = Watched { test, place, sites: 1, plain, beside: Vec::new(), others: Vec::new() };
    world.measure.watched.push(watched);
    assert!(world.next(&Questions::Changed, &[told("3")]).is_empty());
    assert_eq!(world.after(&Questions::Changed, &[told("3")]).0.asked[0].new, rows);
    world.measure.watched[0].plain[1].clear();
    assert_eq!(world.next(&Questions::Changed, &[told("3")]).len(), 1);
}

#[test]
fn a_new_test_that_fails_elsewhere_is_tried_with_each_difference_and_the_base_with_those_that_matter()
 {
    use proctor_core::trial::Factor;
    let mut world = world();
    let id = "tests/test_a.py::test_new";
    world.measure.head = vec![report(&[(id, CaseEnd::Passed)])];
    let of = |tries: &[Try]| -> Vec<Vec<Factor>> {
        trials(tries).iter().map(|trial| trial.elsewhere.clone()).collect()
    };
    let first = world.next(&elsewhere::Elsewhere, &[]);
    assert_eq!(of(&first), vec![Factor::ALL.to_vec()]);
    let passes = || ran(report(&[(id, CaseEnd::Passed)]));
    let fails = || ran(report(&[(id, CaseEnd::Errored { message: "\n  no".into() })]));
    assert!(world.next(&elsewhere::Elsewhere, &[passes()]).is_empty(), "it holds there");
    let mut done = vec![fails()];
    let each = world.next(&elsewhere::Elsewhere, &done);
    assert_eq!(of(&each), Factor::ALL.map(|factor| vec![factor]).to_vec());
    for factor in Factor::ALL {
        done.push(if factor == Factor::Checkout { fails() } else { passes() });
    }
    let base = world.next(&elsewhere::Elsewhere, &done);
    assert_eq!(of(&base), vec![vec![Factor::Checkout]]);
    done.push(ran(world.measure.base.clone()));
    assert!(world.next(&elsewhere::Elsewhere, &done).is_empty());
    let found = world.after(&elsewhere::Elsewhere, &done).0.elsewhere;
    assert_eq!((found.tried, found.on_base.len()), (1, 0));
    assert_eq!(
        (found.moved[0].by.as_slice(), found.moved[0].why.as_str()),
        ([Factor::Checkout].as_slice(), "no")
    );
}

#[test]
fn older_tests_give_nothing_in_the_place_of_what_they_give_where_the_work_is_a_refactoring() {
    let mut world = world();
    assert!(world.next(&Refactored::default(), &[]).is_empty());
    world.measure.said = Some(proctor_core::words::TaskType::Refactor);
    let tries = world.next(&Refactored::default(), &[]);
    let [trial] = trials(&tries)[..] else { panic!("{tries:?}") };
    assert_eq!(trial.tree.as_str(), "2222222", "head first");
    let text = trial.edits["tests/test_old.py"].clone().unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("f(0)") && text.contains("f(-1)"), "{text}");
}
