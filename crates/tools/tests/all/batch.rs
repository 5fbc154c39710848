//! Many variations of one pytest run in one process tree: the same words as ordinary runs, and an untouched tree.

use crate::pytest_tools::plugins;
use crate::stage::{Stage, end, pytest, reason, with_program};
use proctor_core::report::{Reason, RunEnd, TestReport};
use proctor_core::words::TestId;
use proctor_tools::{Coverage, Meets, Selection, StepEnd, StepOutput, Variant};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

const SHOP: &str = "def price(n):\n    return n * 3\n\n\ndef unused():\n    return 1\n";
const TEST: &str = "import shop\n\n\ndef test_price():\n    assert shop.price(2) == 6\n\n\ndef test_none():\n    assert shop.price(0) == 0\n";

fn variant(files: &[(&str, &str)]) -> Variant {
    let files = files.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()));
    let (only, meets) = (Selection::All, Meets::Reaching);
    Variant { files: files.collect(), only, meets, limit_ms: 60_000 }
}

fn only(mut variant: Variant, ids: &[&str]) -> Variant {
    variant.only = Selection::Ids(ids.iter().map(|id| TestId::new(*id)).collect());
    variant
}

/// Every file below a folder with its bytes.
fn bytes_below(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut todo = vec![folder.to_owned()];
    while let Some(at) = todo.pop() {
        for entry in std::fs::read_dir(at).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                todo.push(path);
            } else {
                found.insert(path.display().to_string(), std::fs::read(&path).unwrap());
            }
        }
    }
    found
}

/// What the step leaves, after the plan was written.
fn step_of(stage: &Stage, variants: &[Variant], workers: usize) -> StepOutput {
    let batch = stage.runner.batch(&stage.ask, variants, workers).unwrap();
    std::fs::remove_dir_all(&stage.ask.scratch).unwrap();
    std::fs::create_dir(&stage.ask.scratch).unwrap();
    for folder in &batch.plan.folders {
        std::fs::create_dir_all(folder).unwrap();
    }
    for (path, bytes) in &batch.plan.files {
        std::fs::write(path, bytes).unwrap();
    }
    let done = Command::new(&batch.step.argv[0])
        .args(&batch.step.argv[1..])
        .current_dir(&batch.step.cwd)
        .env_clear()
        .envs(&batch.step.env)
        .output()
        .unwrap();
    let end = StepEnd::Exited(done.status.code().unwrap_or(-1));
    StepOutput { label: batch.step.label, end, stdout: done.stdout, stderr: done.stderr }
}

/// Runs the batch, and sees to it that the tree is as it was.
fn run(stage: &Stage, variants: &[Variant], workers: usize) -> Vec<TestReport> {
    let before = bytes_below(&stage.ask.tree);
    let done = step_of(stage, variants, workers);
    assert_eq!(before, bytes_below(&stage.ask.tree));
    let reports = stage.runner.read_batch(&stage.ask, variants, &done);
    assert_eq!(reports.len(), variants.len(), "{done:?}");
    reports
}

fn is_killed(report: &TestReport) -> bool {
    report.end == RunEnd::Finished && report.counts().failed > 0
}

fn survives(report: &TestReport) -> bool {
    report.end == RunEnd::Finished && report.counts().failed + report.counts().errored == 0
}

#[test]
fn each_mutant_has_its_own_fate_in_the_order_of_asking() {
    let Some(stage) = pytest(&[("shop.py", SHOP), ("test_shop.py", TEST)]) else { return };
    let with = |text: &str| variant(&[("shop.py", text)]);
    let mut endless = with("def price(n):\n    while True: pass\n");
    endless.limit_ms = 1500;
    let variants = [
        with(&SHOP.replace("n * 3", "n + 3")),
        endless,
        with(&SHOP.replace("return 1", "return 2")),
        with("def price(n:\n"),
        with("import os\nos._exit(0)\n"),
        with("import os\ndef price(n):\n    os.kill(os.getpid(), 11)\n"),
        variant(&[]),
    ];
    for workers in [1, 2] {
        let reports = run(&stage, &variants, workers);
        assert!(is_killed(&reports[0]), "{:?}", reports[0]);
        // The first failure decides.
        assert_eq!(reports[0].cases.len(), 1);
        let why = reason(&reports[0], "test_shop.py::test_price");
        assert!(
            matches!(why, Reason::Assertion { message, .. } if message.contains("5 == 6")),
            "{why:?}"
        );
        let running = Some(TestId::new("test_shop.py::test_price"));
        assert_eq!(reports[1].end, RunEnd::TimedOut { running });
        assert!(survives(&reports[2]), "{:?}", reports[2]);
        assert_eq!(reports[2].counts().passed, 2);
        assert!(matches!(reports[3].end, RunEnd::CollectFailed { .. }), "{:?}", reports[3]);
        assert!(matches!(reports[4].end, RunEnd::Suspect { .. }), "{:?}", reports[4]);
        assert!(matches!(reports[5].end, RunEnd::Crashed { .. }), "{:?}", reports[5]);
        assert_eq!(reports[6].counts().passed, 2);
    }
}

#[test]
fn a_flipped_test_fails_and_a_test_alone_is_the_only_one_that_runs() {
    let Some(stage) = pytest(&[("shop.py", SHOP), ("test_shop.py", TEST)]) else { return };
    let flipped = TEST.replace("== 6", "== 7");
    let variants = [
        variant(&[("test_shop.py", &flipped)]),
        only(variant(&[("test_shop.py", &flipped)]), &["test_shop.py::test_none"]),
        only(variant(&[]), &["test_shop.py::test_price"]),
    ];
    let reports = run(&stage, &variants, 2);
    let why = reason(&reports[0], "test_shop.py::test_price");
    assert!(
        matches!(why, Reason::Assertion { message, .. } if message.contains("6 == 7")),
        "{why:?}"
    );
    assert!(survives(&reports[1]), "{:?}", reports[1]);
    assert_eq!(reports[1].cases.len(), 1);
    assert_eq!(end(&reports[2], "test_shop.py::test_price").word(), "passed");
    assert_eq!(reports[2].cases.len(), 1);
}

#[test]
fn a_source_folder_namespaces_conftest_and_plugins_work_as_in_an_ordinary_run() {
    let Some(python) = plugins() else { return };
    let ini = "[project]\nname = 'shop'\n[tool.pytest.ini_options]\naddopts = '-n 2 --cov=shop --cov-fail-under=100 --reruns 1'\nfilterwarnings = ['error']\n";
    let conftest = "import pytest\nfrom acme.shop.core import price\n@pytest.fixture\ndef one(tmp_path): return price(1)\n";
    let test = "import os, tempfile, pathlib\nfrom acme.shop import core\ndef test_one(one, tmp_path):\n    assert one == core.price(1) == 3\n    place = os.environ['HOME']\n    assert '/variant-' in place and tempfile.gettempdir().startswith(os.path.dirname(place))\n    assert str(tmp_path).startswith(tempfile.gettempdir())\n";
    let files = [
        ("app/pyproject.toml", ini),
        ("app/src/acme/shop/__init__.py", ""),
        ("app/src/acme/shop/core.py", SHOP),
        ("app/tests/conftest.py", conftest),
        ("app/tests/unit/__init__.py", ""),
        ("app/tests/unit/test_one.py", test),
    ];
    let mut stage = Stage::new("pytest", &files, with_program("python", python));
    stage.ask.subdir = "app".to_owned();
    let core = "app/src/acme/shop/core.py";
    let variants = [
        variant(&[]),
        variant(&[(core, &SHOP.replace("* 3", "* 4"))]),
        variant(&[(core, &SHOP.replace("return 1", "return 2"))]),
        variant(&[("app/tests/conftest.py", &conftest.replace("price(1)", "price(2)"))]),
    ];
    let reports = run(&stage, &variants, 2);
    let id = "app/tests/unit/test_one.py::test_one";
    let words: Vec<&str> = reports.iter().map(|report| end(report, id).word()).collect();
    assert_eq!(words, ["passed", "failed", "passed", "failed"], "{reports:#?}");
    assert_eq!(stage.run().end, RunEnd::Finished);
}

#[test]
fn who_looks_past_the_changed_bytes_is_told_and_not_believed() {
    let tests = "import ast, inspect, subprocess, sys\nimport shop\ndef test_a():\n    subprocess.run([sys.executable, '-c', 'import shop; assert shop.price(1) == 3'], check=True)\ndef test_b(): assert ast.parse(open('shop.py').read())\ndef test_c(): assert 'n * 4' in inspect.getsource(shop.price)\ndef test_d(): pass\n";
    let Some(stage) = pytest(&[("shop.py", SHOP), ("test_a.py", tests)]) else { return };
    let changed = variant(&[("shop.py", &SHOP.replace("* 3", "* 4"))]);
    let all = [
        only(changed.clone(), &["test_a.py::test_a"]),
        only(changed.clone(), &["test_a.py::test_b"]),
        only(changed, &["test_a.py::test_c", "test_a.py::test_d"]),
        only(variant(&[]), &["test_a.py::test_a", "test_a.py::test_b"]),
    ];
    let check = |number: usize, report: &TestReport| match number {
        0 | 1 => assert!(matches!(report.end, RunEnd::Suspect { .. }), "{report:?}"),
        _ => assert!(survives(report) && report.cases.len() == 2, "{report:?}"),
    };
    for (number, report) in run(&stage, &all, 2).iter().enumerate() {
        check(number, report);
    }
    // Two share no run.
    for numbers in [[0, 2], [1, 3]] {
        let some = numbers.map(|number| all[number].clone());
        for (number, report) in numbers.iter().zip(run(&stage, &some, 2)) {
            check(*number, &report);
        }
    }
}

#[test]
fn a_run_that_can_not_be_forked_in_its_middle_is_made_anew_for_each() {
    let conftest =
        "import threading\nthreading.Thread(target=threading.Event().wait, daemon=True).start()\n";
    let leaves = "import os\nif '/shared-' in os.environ['HOME']: os._exit(0)\n";
    for conftest in [conftest, leaves] {
        let files = [("shop.py", SHOP), ("test_shop.py", TEST), ("conftest.py", conftest)];
        let Some(stage) = pytest(&files) else { return };
        let with = |text: &str| variant(&[("shop.py", text)]);
        let killed = with(&SHOP.replace("n * 3", "n + 3"));
        let variants = [killed.clone(), with(SHOP), killed, variant(&[])];
        let reports = run(&stage, &variants, 2);
        let fates: Vec<bool> = reports.iter().map(is_killed).collect();
        assert_eq!(fates, [true, false, true, false], "{reports:?}");
        assert!(survives(&reports[1]) && survives(&reports[3]), "{reports:?}");
    }
}

#[test]
fn a_variation_has_folders_and_captured_output_of_its_own() {
    let test = "import os, tempfile, shop\ndef test_own(tmp_path, capfd):\n    home = os.environ['HOME']\n    assert '/variant-' in home and os.listdir(home) == []\n    open(home + '/mark', 'w').close()\n    assert str(tmp_path).startswith(os.path.dirname(home) + '/tmp/')\n    assert tempfile.gettempdir() == os.path.dirname(home) + '/tmp'\n    os.write(1, b'said')\n    assert capfd.readouterr().out == 'said'\n    assert shop.NUMBER == int(os.path.basename(os.path.dirname(home)).split('-')[1])\n";
    let conftest = "import shop, tempfile\nprint('loaded', tempfile.gettempdir())\n";
    let files = [("shop.py", "NUMBER = -1\n"), ("test_own.py", test), ("conftest.py", conftest)];
    let Some(stage) = pytest(&files) else { return };
    let numbered = |number: usize| variant(&[("shop.py", &format!("NUMBER = {number}\n"))]);
    let variants: Vec<Variant> = (0..6).map(numbered).collect();
    let reports = run(&stage, &variants, 3);
    assert!(reports.iter().all(survives), "{reports:?}");
}

/// A module whose functions are used in every way that matters: called while it is loaded or while tests are collected,
/// in a class, behind a decorator, with a default, as a generator, from a closure.
const WAYS: &str = "import functools\n\n\ndef early():\n    return 11\n\n\nTABLE = [early()]\n\n\ndef cases():\n    return [12]\n\n\ndef plain(n):\n    return n + 13\n\n\nclass Till:\n    RATE = 14\n\n    def sum(self, n, more=15):\n        return n + more + 16\n\n    @property\n    def half(self):\n        return 17\n\n\n@functools.lru_cache(maxsize=None)\ndef kept(n):\n    return n + 18\n\n\ndef steps():\n    for n in range(2):\n        yield n + 19\n\n\ndef adder(n):\n    def add(m):\n        return n + m + 20\n\n    return add\n\n\nADD = adder(1)\nSQUARE = lambda n: n * 21\n";
const WAYS_TEST: &str = "import pytest\nimport ways\n\n\n@pytest.mark.parametrize('n', ways.cases())\ndef test_all(n):\n    assert n == 12\n    assert ways.TABLE == [11]\n    assert ways.plain(0) == 13\n    till = ways.Till()\n    assert (till.RATE, till.sum(0), till.half) == (14, 31, 17)\n    assert ways.kept(0) == 18\n    assert list(ways.steps()) == [19, 20]\n    assert ways.adder(0)(0) == 20 and ways.ADD(0) == 21\n    assert ways.SQUARE(1) == 21\n";

/// Pytest's own shortcuts of a variation: packages are found once, and what is printed is kept in memory.
#[test]
fn packages_are_set_up_and_printed_words_are_read_in_every_variation() {
    let shop = "def price(n):\n    return n * 3\n\n\ndef say(n):\n    print(n)\n";
    let around = "def setup_module(module):\n    module.ready = True\n";
    let test = "import os\nimport sys\n\nimport tests\nimport shop\n\n\ndef test_ready():\n    assert tests.ready and 1 < shop.price(1) < 9\n\n\ndef test_say(capsys):\n    shop.say(2)\n    assert capsys.readouterr().out == '2\\n'\n\n\ndef test_deeper(capfd):\n    os.write(1, b'low')\n    assert capfd.readouterr().out == 'low'\n\n\ndef test_nothing_printed(capfd):\n    assert capfd.readouterr() == ('', '')\n";
    let files = [("shop.py", shop), ("tests/__init__.py", around), ("tests/test_shop.py", test)];
    let Some(stage) = pytest(&files) else { return };
    let with = |old: &str, new: &str| variant(&[("shop.py", &shop.replace(old, new))]);
    let variants = [
        variant(&[]),
        with("n * 3", "n * 9"),
        with("n * 3", "n * 1"),
        with("print(n)", "print(n, n)"),
        with("n * 3", "n * 4"),
        variant(&[]),
    ];
    let reports = run(&stage, &variants, 2);
    let killed: Vec<bool> = reports.iter().map(is_killed).collect();
    assert_eq!(killed, [false, true, true, true, false, false], "{reports:?}");
    assert!([0, 4, 5].into_iter().all(|n| survives(&reports[n])), "{reports:?}");
    assert_eq!(reports[4].counts().passed, 1, "the one that calls it");
    let why = reason(&reports[1], "tests/test_shop.py::test_ready");
    let Reason::Assertion { message, .. } = why else { panic!("{why:?}") };
    assert!(message.contains("9 < 9"), "{message}");
}

#[test]
fn a_change_meets_the_tests_that_reach_it_and_no_others() {
    let shop = "def price(n):\n    return n * 3\n\n\ndef name():\n    return 'a'\n";
    let fixture = "import pytest\nimport shop\n\n\n@pytest.fixture(scope='module')\ndef priced():\n    return shop.price(2)\n";
    let test = "import threading\nimport shop\n\n\ndef test_call():\n    assert shop.price(1) > 0\n\n\ndef test_first(priced):\n    assert priced > 0\n\n\ndef test_shared(priced):\n    assert priced == 6\n\n\ndef test_thread():\n    got = []\n    other = threading.Thread(target=lambda: got.append(shop.price(4)))\n    other.start()\n    other.join()\n    assert got == [12]\n\n\ndef test_name():\n    assert shop.name() == 'a'\n\n\ndef test_nothing():\n    pass\n";
    let files = [("shop.py", shop), ("conftest.py", fixture), ("test_shop.py", test)];
    let Some(stage) = pytest(&files) else { return };
    let with = |new: &str| variant(&[("shop.py", &shop.replace("n * 3", new))]);
    let variants = [
        variant(&[]),
        with("n * 3 + (n == 2)"),
        with("n * 3 + (n == 4)"),
        with("3 * n"),
        variant(&[]),
        variant(&[]),
    ];
    let reports = run(&stage, &variants, 2);
    let killed: Vec<bool> = reports.iter().map(is_killed).collect();
    assert_eq!(killed, [false, true, true, false, false, false], "{reports:?}");
    assert_eq!(reports[0].cases.len(), 6);
    for n in [3, 4, 5] {
        let met: Vec<&str> = reports[n].cases.keys().map(TestId::as_str).collect();
        let names = ["call", "first", "shared", "thread"];
        assert_eq!(met, names.map(|name| format!("test_shop.py::test_{name}")), "{n}");
    }
    let all: Vec<Variant> =
        variants.into_iter().map(|v| Variant { meets: Meets::All, ..v }).collect();
    let reports = run(&stage, &all, 2);
    assert!([0, 3, 4, 5].into_iter().all(|n| reports[n].counts().passed == 6), "{reports:?}");
}

#[test]
fn a_change_is_seen_through_a_link() {
    let Some(stage) = pytest(&[("made.py", SHOP), ("test_shop.py", TEST)]) else { return };
    std::os::unix::fs::symlink("made.py", stage.ask.tree.join("shop.py")).unwrap();
    let with = |new: &str| variant(&[("made.py", &SHOP.replace("n * 3", new))]);
    let variants = [variant(&[]), with("n + 3"), with("n * 4"), with("3 * n"), variant(&[])];
    let killed: Vec<bool> = run(&stage, &variants, 2).iter().map(is_killed).collect();
    assert_eq!(killed, [false, true, true, false, false]);
}

#[test]
fn a_change_is_seen_wherever_its_code_is_used() {
    let Some(stage) = pytest(&[("ways.py", WAYS), ("test_ways.py", WAYS_TEST)]) else { return };
    let with = |from: &str, to: &str| {
        let text = WAYS.replacen(from, to, 1);
        assert_ne!(text, WAYS, "{from}");
        variant(&[("ways.py", &text)])
    };
    let mut variants: Vec<Variant> = vec![variant(&[])];
    for n in 11..=21 {
        variants.push(with(&n.to_string(), "99"));
    }
    variants.push(with("return n + 13", "return n - 13"));
    variants.push(with("yield n + 19", "return [19, 21]"));
    let seen = variants.len();
    // Changes that nothing comes of.
    variants.push(with("n + 13", "n + 13 + 0"));
    variants.push(with("        return 17", "        # nothing\n\n        return 17"));
    variants.extend([variant(&[]), variant(&[])]);
    let reports = run(&stage, &variants, 2);
    // Some begin with all tests collected, and some have to begin before their module is loaded.
    for nest in ["shared-Late-0", "shared-Nest-1"] {
        assert!(stage.ask.scratch.join(nest).is_dir(), "{nest}");
    }
    for (n, report) in reports.iter().enumerate() {
        let wanted = if (1..seen).contains(&n) { !survives(report) } else { survives(report) };
        assert!(wanted, "{n}: {report:?}");
    }
}

#[test]
fn one_variation_can_neither_speak_for_another_nor_outlive_the_batch() {
    let hostile = "import os, subprocess, sys\nnext = os.environ['HOME'].replace('variant-0/home', 'variant-1')\nos.mkdir(next)\nopen(next + '/pytest.jsonl', 'w').write('{}')\npid = os.fork()\nif pid == 0:\n    import time\n    time.sleep(600)\nopen(os.environ['HOME'] + '/stray', 'w').write(str(pid))\ndef price(n): return n * 3\n";
    let Some(stage) = pytest(&[("shop.py", SHOP), ("test_shop.py", TEST)]) else { return };
    // All of them have to load their module anew, so they run in the order of asking.
    let anew = variant(&[("shop.py", &format!("MORE = 1\n{SHOP}"))]);
    let variants = [variant(&[("shop.py", hostile)]), anew, variant(&[])];
    let reports = run(&stage, &variants, 1);
    assert!(matches!(reports[1].end, RunEnd::Suspect { .. }), "{:?}", reports[1]);
    assert!(survives(&reports[2]), "{:?}", reports[2]);
    let stray = std::fs::read_to_string(stage.ask.scratch.join("variant-0/home/stray")).unwrap();
    let gone = std::fs::read_to_string(format!("/proc/{stray}/stat"));
    assert!(gone.is_err() || gone.is_ok_and(|stat| stat.contains(") Z ")));
}

#[test]
fn a_second_line_on_the_drivers_channel_makes_all_suspect() {
    let Some(stage) = pytest(&[("shop.py", SHOP), ("test_shop.py", TEST)]) else { return };
    let variants = [variant(&[]), variant(&[])];
    let mut done = step_of(&stage, &variants, 2);
    let good = stage.runner.read_batch(&stage.ask, &variants, &done);
    assert!(good.iter().all(survives), "{good:?}");
    let line = done.stdout.clone();
    done.stdout.extend(line);
    let reports = stage.runner.read_batch(&stage.ask, &variants, &done);
    assert!(reports.iter().all(|r| matches!(r.end, RunEnd::Suspect { .. })), "{reports:?}");
    done.end = StepEnd::Signalled(15);
    let reports = stage.runner.read_batch(&stage.ask, &variants, &done);
    assert!(reports.iter().all(|r| matches!(r.end, RunEnd::Crashed { .. })), "{reports:?}");
}

#[test]
fn a_tree_that_replaces_part_of_pytest_is_not_run_in_a_batch() {
    let files = [("pluggy.py", "raise SystemExit(0)\n"), ("shop.py", SHOP), ("test_shop.py", TEST)];
    let Some(stage) = pytest(&files) else { return };
    let reports = run(&stage, &[variant(&[])], 1);
    let RunEnd::Suspect { note } = &reports[0].end else { panic!("{reports:?}") };
    assert!(note.contains("pluggy.py"), "{note}");
}

#[test]
fn what_can_not_be_had_without_writing_to_the_tree_is_no_batch() {
    let Some(mut stage) = pytest(&[("shop.py", SHOP), ("data.json", "{}")]) else { return };
    let none = |stage: &Stage, variant: Variant| {
        assert!(stage.runner.batch(&stage.ask, &[variant], 2).is_none());
    };
    none(&stage, variant(&[("data.json", "[]")]));
    none(&stage, variant(&[("new.py", "")]));
    none(&stage, variant(&[("../tree/shop.py", "")]));
    stage.ask.coverage = Coverage::Measured;
    none(&stage, variant(&[]));
}
