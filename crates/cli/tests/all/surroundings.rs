//! What is around a tree: environments, packages, files that git does not hold, ports; and what is known of a base.

use super::tools::env;
use proctor_testkit::{Ran, RepoBuilder, Scenario, TestEnv, missing};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

const NEW_TEST: &str = "import calc\n\n\ndef test_sub():\n    assert calc.sub(3, 2) == 1\n";

fn with_sub(repo: &RepoBuilder) -> String {
    format!("{}\n\ndef sub(a, b):\n    return a - b\n", repo.read("calc.py").trim_end())
}

fn scenario(repo: &RepoBuilder) -> Scenario {
    Scenario::new()
        .tests(1, &[("tests/test_new.py", NEW_TEST)])
        .code(1, &[("calc.py", &with_sub(repo))])
        .refactor_nothing()
        .review_ok()
}

fn run(env: &TestEnv, repo: &RepoBuilder, scenario: &Scenario, more: &[&str]) -> Ran {
    let args: Vec<&str> = ["add", "subtract", "--yes", "--format", "json"]
        .into_iter()
        .chain(more.iter().copied())
        .collect();
    env.call(repo.path()).args(&args).mock(scenario).run()
}

fn took(ran: &Ran, effect: &str) -> u64 {
    let began = ran.events_named("effect-began");
    let no = began.iter().find(|e| e["effect"]["effect"] == effect).unwrap()["no"].clone();
    let ended = ran.events_named("effect-ended");
    ended.iter().find(|e| e["no"] == no).unwrap()["took_ms"].as_u64().unwrap()
}

#[test]
fn a_second_run_on_the_same_base_does_not_run_the_suite_again() {
    if missing("pytest") {
        return;
    }
    let (env, repo) = (env(), RepoBuilder::python_calc());
    repo.file("tests/test_slow.py", "import pathlib, os\n\n\ndef test_counts():\n    with open(os.environ['COUNT'], 'a') as file:\n        file.write('x')\n    assert True\n")
        .file("proctor.toml", "[setup]\nenv_pass = [\"COUNT\"]\n")
        .commit("slow");
    let count = env.home().parent().unwrap().join("count");
    // It counts outside the tree, which no sandbox lets it.
    let env = env.env("COUNT", &count).env("PROCTOR_SANDBOX", "none");
    let runs = || std::fs::read_to_string(&count).unwrap_or_default().len();
    let discard = Scenario::new().discards(1, "not a bug");
    let fix = |more: &[&str]| {
        let args: Vec<&str> =
            ["fix", "x", "--format", "json"].into_iter().chain(more.iter().copied()).collect();
        env.call(repo.path()).args(&args).mock(&discard).run().expect_code(5)
    };
    let first = fix(&[]);
    assert_eq!(runs(), 1);
    let second = fix(&[]);
    assert_eq!(runs(), 1, "the baseline is known");
    let baseline = |ran: &Ran| ran.events_named("prepared")[0]["baseline"].clone();
    assert_eq!(baseline(&first), baseline(&second));
    assert!(took(&second, "prepare") < took(&first, "prepare") + 1000);
    // Another environment is another baseline; so is another tree.
    repo.file("README.md", "more").commit("more");
    fix(&[]);
    assert_eq!(runs(), 2);
}

/// Fails every third time that it runs, counted outside the tree.
const FLAKY: &str = "import os\n\n\ndef test_now_and_then():\n    with open(os.environ['COUNT'], 'a+') as file:\n        file.write('x')\n        file.seek(0)\n        assert len(file.read()) % 3 != 0\n";

fn works(mut command: Command) -> bool {
    command.output().is_ok_and(|out| out.status.success())
}

#[test]
fn an_editable_install_of_the_checkout_does_not_make_the_old_code_pass() {
    if missing("pytest") {
        return;
    }
    let (env, repo) = (env(), RepoBuilder::new());
    repo.file("lib/calc/__init__.py", "def add(a, b):\n    return a + b\n")
        .file(
            "tests/test_calc.py",
            "import calc\n\n\ndef test_add():\n    assert calc.add(1, 2) == 3\n",
        )
        .file(".gitignore", ".venv\n")
        .commit("a package in lib");
    let mut venv = Command::new("python3");
    venv.args(["-m", "venv", "--system-site-packages", ".venv"]).current_dir(repo.path());
    assert!(works(venv), "python3 -m venv");
    let site = std::fs::read_dir(repo.path().join(".venv/lib")).unwrap().flatten().next().unwrap();
    let pth = site.path().join("site-packages/__editable__.calc.pth");
    std::fs::write(pth, format!("{}\n", repo.path().join("lib").display())).unwrap();
    let tests = ("tests/test_new.py", NEW_TEST);
    let code = "def add(a, b):\n    return a + b\n\n\ndef sub(a, b):\n    return a - b\n";
    // The right code lies in the checkout, not committed: the tree's code is what counts.
    let honest = Scenario::new()
        .tests(1, &[tests])
        .code(1, &[("lib/calc/__init__.py", code)])
        .refactor_nothing()
        .review_ok();
    let lazy = Scenario::new()
        .tests(1, &[tests])
        .code(
            1,
            &[(
                "lib/calc/__init__.py",
                "def add(a, b):\n    return a + b\n\n\ndef sub(a, b):\n    return 0\n",
            )],
        )
        .review_ok();
    repo.file("proctor.toml", "[limits]\ngreen = 0\n").commit("one try");
    std::fs::write(repo.path().join("lib/calc/__init__.py"), code).unwrap();
    let ran = run(&env, &repo, &lazy, &["--land", "branch"]).expect_code(1);
    assert!(ran.finished()["reason"].as_str().unwrap().contains("test_sub"), "{}", ran.stderr);
    run(&env, &repo, &honest, &["--land", "branch"]).expect_code(0);
}

#[test]
fn the_set_up_recipe_copies_runs_and_gives_ports_and_variables() {
    if missing("pytest") {
        return;
    }
    let (env, repo) = (env(), RepoBuilder::python_calc());
    repo.file(".gitignore", "local.env\nconf/\n")
        .file(".worktreeinclude", "local.env\nconf/*.json\n!conf/secret.json\n")
        .file("proctor.toml", "[setup]\nrun = [[\"python3\", \"-c\", \"open('made.txt', 'w').write(__import__('sys').prefix)\"]]\nports = 2\nenv = { MODE = \"test\" }\n")
        .file("tests/test_around.py", "import os, pathlib, socket, sys\n\n\ndef test_around():\n    assert os.environ['MODE'] == 'test'\n    port = int(os.environ['PROCTOR_PORT'])\n    for n in range(int(os.environ['PROCTOR_PORTS'])):\n        with socket.socket() as s:\n            s.bind(('127.0.0.1', port + n))\n    assert pathlib.Path('local.env').read_text() == 'A=1'\n    assert pathlib.Path('conf/a.json').exists()\n    assert not pathlib.Path('conf/secret.json').exists()\n    assert pathlib.Path('made.txt').read_text() == sys.prefix\n")
        .commit("recipe");
    repo.file("local.env", "A=1").file("conf/a.json", "{}").file("conf/secret.json", "{}");
    let ran = run(&env, &repo, &scenario(&repo), &[]).expect_code(0);
    assert_eq!(ran.events_named("prepared")[0]["baseline"]["failing"]["first"], json!([]));
}

const HALF: &str = "def add(a, b):\n    return a + b\n\n\ndef grade(n):\n    if n > 90:\n        return 'A'\n    if n > 80:\n        return 'B'\n    if n > 70:\n        return 'C'\n    return 'D'\n";

fn has_coverage() -> bool {
    let mut probe = Command::new("python3");
    probe.args(["-s", "-m", "coverage", "--version"]);
    let there = works(probe);
    assert!(
        there || std::env::var_os("CI").is_none(),
        "coverage.py is not installed\nhint: scripts/setup"
    );
    if !there {
        println!("skipped: coverage.py is not installed");
    }
    there
}

#[test]
fn coverage_that_is_too_low_asks_for_tests_and_never_for_less_code() {
    if missing("pytest") || !has_coverage() {
        return;
    }
    let (env, repo) = (env(), RepoBuilder::python_calc());
    let few = "import calc\n\n\ndef test_a():\n    assert calc.grade(95) == 'A'\n";
    let more = "import calc\n\n\ndef test_rest():\n    assert [calc.grade(n) for n in (85, 75, 5)] == ['B', 'C', 'D']\n";
    let hollow = "import calc\n\n\ndef test_rest():\n    [calc.grade(n) for n in (85, 75, 5)]\n";
    let code =
        format!("{}\n\n{}", repo.read("calc.py").trim_end(), HALF.split_once("\n\n\n").unwrap().1);
    let scenario = Scenario::new()
        .tests(1, &[("tests/test_grade.py", few)])
        .tests(2, &[("tests/test_more.py", hollow)])
        .tests(3, &[("tests/test_more.py", more)])
        .code(1, &[("calc.py", &code)])
        .refactor_nothing()
        .review_ok();
    let ran = run(&env, &repo, &scenario, &["--coverage", ">=85%"]).expect_code(0);
    let thin = ran.events_named("tests-too-thin");
    assert_eq!(thin.len(), 1, "{thin:?}");
    let missed = thin[0]["faults"][0]["missed"][0].as_str().unwrap().to_owned();
    assert!(missed.starts_with("calc.py:"), "{missed}");
    assert_eq!(ran.events_named("added-refused")[0]["faults"][0]["fault"], "hollow");
    assert_eq!(ran.events_named("tests-added").len(), 1);
    let proof = &ran.events_named("green-proven")[0]["proof"];
    assert_eq!(proof["coverage"], 10_000, "{proof}");
    assert!(ran.events_named("green-refused").is_empty(), "no fix was counted");
    assert!(
        repo.read("tests/test_more.py").contains("== ['B', 'C', 'D']"),
        "what was added landed"
    );
    let prompt = prompt_of(&env, &ran, "write_tests 2");
    assert!(
        prompt.contains("must pass on the code as it stands") && prompt.contains(&missed),
        "{prompt}"
    );
}

/// The prompt of a turn, found by what it says of itself.
fn prompt_of(env: &TestEnv, ran: &Ran, turn: &str) -> String {
    let (phase, attempt) = turn.split_once(' ').unwrap();
    let attempt: u64 = attempt.parse().unwrap();
    let began = ran.events_named("effect-began");
    let is = |e: &&Value| e["effect"]["phase"] == phase && e["effect"]["attempt"] == attempt;
    let no = began.iter().find(is).unwrap()["no"].as_u64().unwrap();
    let run = ran.finished()["run"].as_str().unwrap().to_owned();
    let path = env.home().join("runs").join(run).join("turns").join(format!("{no:04}/prompt.md"));
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn without_the_tool_coverage_is_a_warning_with_the_command_that_installs_it() {
    if missing("pytest") {
        return;
    }
    let (env, repo) = (env(), RepoBuilder::python_calc());
    // A Python that has pytest and no coverage.py: the module is hidden by one that can't be imported.
    let hidden = env.home().parent().unwrap().join("hidden");
    std::fs::create_dir_all(&hidden).unwrap();
    std::fs::write(hidden.join("coverage.py"), "raise ImportError('not here')\n").unwrap();
    repo.file("proctor.toml", "[setup]\nenv_pass = [\"PYTHONPATH\"]\n").commit("config");
    let env = env.env("PYTHONPATH", &hidden);
    let ran = run(&env, &repo, &scenario(&repo), &["--coverage", "85%"]).expect_code(0);
    let warnings = ran.events_named("green-proven")[0]["warnings"][0].as_str().unwrap().to_owned();
    assert!(warnings.contains("pip install coverage"), "{warnings}");
}

fn walk(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        found.push(entry.path().to_string_lossy().into_owned());
        if entry.file_type().unwrap().is_dir() {
            found.extend(walk(&entry.path()));
        }
    }
    found
}

#[cfg(test)]
mod slow {
    use super::*;

    #[test]
    fn an_unsteady_old_test_is_not_blamed_on_the_agent_and_hides_nothing() {
        if missing("pytest") {
            return;
        }
        let (env, repo) = (env(), RepoBuilder::python_calc());
        repo.file("tests/test_flaky.py", FLAKY)
            .file("proctor.toml", "[setup]\nenv_pass = [\"COUNT\"]\n[limits]\ngreen = 0\n")
            .commit("flaky");
        let count = env.home().parent().unwrap().join("count");
        // It counts outside the tree, which no sandbox lets it.
        let env = env.env("COUNT", &count).env("PROCTOR_SANDBOX", "none");
        run(&env, &repo, &scenario(&repo), &[]).expect_code(0);
        // The same test, broken for good by the change, is blamed.
        repo.file("tests/test_uses.py", "import os, calc\n\n\ndef test_now_and_then():\n    with open(os.environ['COUNT'], 'a+') as file:\n        file.write('x')\n        file.seek(0)\n        assert len(file.read()) % 3 != 0 and calc.add(1, 1) == 2\n").commit("uses");
        std::fs::write(&count, "").unwrap();
        let broken = with_sub(&repo)
            .replace("def add(a, b):\n    return a + b", "def add(a, b):\n    return 0")
            .replace("sub(a, b)", "less(a, b)");
        let scenario = Scenario::new()
            .tests(1, &[("tests/test_less.py", &NEW_TEST.replace("sub", "less"))])
            .code(1, &[("calc.py", &broken)])
            .refactor_nothing()
            .review_ok();
        let ran = run(&env, &repo, &scenario, &[]).expect_code(1);
        let reason = ran.finished()["reason"].as_str().unwrap().to_owned();
        assert!(reason.contains("test_uses.py::test_now_and_then"), "{reason}");
    }

    #[test]
    fn a_hang_is_red_only_where_it_is_said_to_be_the_bug() {
        if missing("pytest") {
            return;
        }
        let (env, repo) = (env(), RepoBuilder::new());
        repo.file(
            "calc.py",
            "def count(n):\n    while n != 0:\n        n -= 2\n    return 'done'\n",
        )
        .file(
            "tests/test_calc.py",
            "import calc\n\n\ndef test_even():\n    assert calc.count(4) == 'done'\n",
        )
        .file("proctor.toml", "[limits]\ntest_time = \"3s\"\nred = 0\n")
        .commit("hangs");
        let test = "import calc\n\n\ndef test_odd():\n    assert calc.count(3) == 'done'\n";
        let scenario = Scenario::new()
            .tests(1, &[("tests/test_odd.py", test)])
            .code(
                1,
                &[(
                    "calc.py",
                    "def count(n):\n    while n > 0:\n        n -= 2\n    return 'done'\n",
                )],
            )
            .refactor_nothing()
            .review_ok();
        let fix = |more: &[&str]| {
            let args: Vec<&str> = ["fix", "never ends", "--yes", "--format", "json"]
                .into_iter()
                .chain(more.iter().copied())
                .collect();
            env.call(repo.path()).args(&args).mock(&scenario).run()
        };
        let ran = fix(&["--land", "branch"]).expect_code(5);
        assert!(
            ran.finished()["reason"].as_str().unwrap().contains("time limit"),
            "{}",
            ran.stderr
        );
        let ran = fix(&["--hangs"]).expect_code(0);
        assert_eq!(
            ran.events_named("red-proven")[0]["anchor"]["red"],
            json!(["tests/test_odd.py::test_odd"])
        );
        assert!(Path::new(&repo.path().join("tests/test_odd.py")).exists());
    }

    #[test]
    fn third_party_build_products_are_used_again_and_own_ones_never() {
        if missing("cargo") {
            return;
        }
        let (env, repo) = (env(), RepoBuilder::rust_calc());
        let lib = repo.read("src/lib.rs");
        let test = "#[test]\nfn subtracts() {\n    assert_eq!(calc::sub(3, 2), 1);\n}\n";
        let name = repo.read("Cargo.toml");
        let name =
            name.split("name = \"").nth(1).unwrap().split('"').next().unwrap().replace('-', "_");
        let scenario = Scenario::new()
            .tests(1, &[("tests/sub.rs", &test.replace("calc::", &format!("{name}::")))])
            .code(
                1,
                &[(
                    "src/lib.rs",
                    &format!("{lib}\npub fn sub(a: i64, b: i64) -> i64 {{\n    a - b\n}}\n"),
                )],
            )
            .refactor_nothing()
            .review_ok();
        run(&env, &repo, &scenario, &["--land", "branch"]).expect_code(0);
        let kept: Vec<_> = walk(&env.home().join("warm"));
        assert!(!kept.iter().any(|path| path.contains(&name)), "own products were kept: {kept:?}");
        run(&env, &repo, &scenario, &["--land", "branch"]).expect_code(0);
    }
}
