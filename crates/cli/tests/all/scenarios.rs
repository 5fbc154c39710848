//! The named scenarios: TS-01 to TS-06, the capstone, the exact loop count; with pytest and with cargo.

use proctor_testkit::{Ran, RepoBuilder, Scenario, TestEnv, missing};
use serde_json::json;
use std::path::Path;

const TEST: &str =
    "from calc import slugify\n\n\ndef test_slug():\n    assert slugify('A B') == 'a-b'\n";
const RIGHT: &str = "def slugify(text):\n    return text.lower().replace(' ', '-')\n";
const WRONG: &str = "def slugify(text):\n    return text\n";

fn env() -> TestEnv {
    TestEnv::new(env!("CARGO_BIN_EXE_proctor"))
}

fn calc(rest: &str) -> String {
    format!("def add(a, b):\n    return a + b\n\n\ndef mul(a, b):\n    return a * b\n\n\n{rest}")
}

fn good() -> Scenario {
    Scenario::new()
        .tests(1, &[("tests/test_slug.py", TEST)])
        .code(1, &[("calc.py", &calc(RIGHT))])
        .refactor_nothing()
        .review_ok()
}

fn add(env: &TestEnv, repo: &RepoBuilder, scenario: &Scenario, more: &[&str]) -> Ran {
    env.call(repo.path())
        .mock(scenario)
        .args(&["add", "a slugify function", "--id", "slug", "--format", "json"])
        .args(more)
        .run()
}

fn files(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![dir.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(dir).unwrap().display().to_string();
                found.push((name, std::fs::read(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

fn worktrees(env: &TestEnv) -> usize {
    std::fs::read_dir(env.home().join("worktrees")).map_or(0, Iterator::count)
}

#[test]
fn s1_51_ts_01_the_users_folder_is_untouched_until_something_lands() {
    if missing("pytest") {
        return;
    }
    let (env, repo) = (env(), RepoBuilder::python_calc());
    std::fs::write(repo.path().join("mine.txt"), "uncommitted").unwrap();
    let before = files(repo.path());
    let ran = add(&env, &repo, &good(), &[]).expect_code(3);
    assert_eq!(ran.finished()["status"], "AWAITING_APPROVAL");
    assert_eq!(files(repo.path()), before, "every file, .git included");
}

#[test]
fn s1_52_ts_02_tests_that_pass_too_early_go_back_to_the_tester() {
    if missing("pytest") {
        return;
    }
    let (env, repo) = (env(), RepoBuilder::python_calc());
    let early = "from calc import add\n\n\ndef test_again():\n    assert add(1, 1) == 2\n";
    let scenario = Scenario::new()
        .tests(1, &[("tests/test_slug.py", early)])
        .tests(2, &[("tests/test_slug.py", TEST)])
        .code(1, &[("calc.py", &calc(RIGHT))])
        .refactor_nothing()
        .review_ok();
    let ran = add(&env, &repo, &scenario, &["--yes"]).expect_code(0);
    let refused = ran.events_named("red-refused");
    assert_eq!(refused.len(), 1);
    assert_eq!(refused[0]["faults"][0]["fault"], "passed-too-early");
    // S1-57: the order is scaffold, red, code.
    let order: Vec<String> =
        ran.events().iter().map(|e| e["event"].as_str().unwrap().to_owned()).collect();
    let first = |name: &str| order.iter().position(|n| n == name).unwrap();
    assert!(
        first("red-refused") < first("red-proven") && first("red-proven") < first("green-proven")
    );
}

// S1-4, S1-24, S1-47
#[test]
fn s1_53_ts_03_and_s1_55_ts_05_refused_context_creates_nothing() {
    let (env, repo) = (env(), RepoBuilder::python_calc());
    std::fs::write(repo.path().join(".env"), "A=1\n").unwrap();
    for (path, message) in [(".env", "looks like a secret"), ("../outside.txt", "../")] {
        let ran = add(&env, &repo, &good(), &["--context", path]);
        assert_eq!(ran.code, 2, "{ran}");
        assert!(ran.stderr.contains(message), "{ran}");
        assert!(ran.stderr.contains("hint:"), "{ran}");
        assert_eq!(worktrees(&env), 0);
        assert!(env.proctor(repo.path(), &["list", "--all", "--format", "json"]).stdout.is_empty());
    }
}

#[test]
fn s1_54_ts_04_and_s4_19_three_fixes_follow_the_first_try_and_then_it_halts() {
    if missing("pytest") {
        return;
    }
    let (env, repo) = (env(), RepoBuilder::python_calc());
    let mut scenario = Scenario::new().tests(1, &[("tests/test_slug.py", TEST)]);
    for attempt in 1..=9 {
        scenario =
            scenario.code(attempt, &[("calc.py", &calc(&format!("{WRONG}# try {attempt}\n")))]);
    }
    let ran = add(&env, &repo, &scenario, &["--yes"]).expect_code(1);
    let finished = ran.finished();
    assert_eq!(finished["status"], "FAILED");
    let asked = ran
        .events_named("effect-began")
        .iter()
        .filter(|e| e["effect"]["phase"] == "implement")
        .count();
    assert_eq!(asked, 4, "the first try and exactly three fixes");
    let run = finished["run"].as_str().unwrap();
    let report = env.home().join("runs").join(run).join(".process/green-phase-failure.md");
    let report = std::fs::read_to_string(report).unwrap();
    assert!(report.contains(
        "Green phase failed after 3 iterations. All changes reverted. See diagnostics in green-phase-failure.md"
    ));
    let worktree = env.home().join("worktrees").join(run);
    assert!(
        !std::fs::read_to_string(worktree.join("calc.py")).unwrap().contains("slugify"),
        "reverted"
    );
    assert!(worktree.join("tests/test_slug.py").exists(), "the red checkpoint");
    let patch =
        std::fs::read_to_string(env.home().join("runs").join(run).join("rescue.patch")).unwrap();
    assert!(patch.contains("# try 4"), "the failed work is saved");
    assert_eq!(repo.git(&["rev-list", "--count", "main"]).trim(), "1", "nothing landed");
}

// S1-39, S1-41
#[test]
fn s1_56_ts_06_an_abort_removes_the_worktree_and_lands_nothing() {
    if missing("pytest") {
        return;
    }
    let (env, repo) = (env(), RepoBuilder::python_calc());
    let ran = env
        .call(repo.path())
        .mock(&good())
        .args(&["add", "a slugify function", "--id", "slug"])
        .stdin("abort\n")
        .run()
        .expect_code(7);
    assert!(ran.stdout.contains("Aborted by user."), "{ran}");
    assert_eq!(worktrees(&env), 0);
    assert_eq!(repo.git(&["rev-list", "--count", "--all"]).trim(), "1");
    assert_eq!(repo.git(&["branch", "--list"]).trim(), "* main");
}

#[test]
fn s1_38_only_the_typed_word_approve_lands() {
    if missing("pytest") {
        return;
    }
    for (typed, code) in [("approve\n", 0), ("yes\n", 3), ("Approve\n", 3), ("", 3)] {
        let (env, repo) = (env(), RepoBuilder::python_calc());
        let call = env.call(repo.path()).mock(&good());
        let ran = call.args(&["add", "a slugify function"]).stdin(typed).run();
        assert_eq!(ran.code, code, "{typed:?}: {ran}");
        let landed = repo.git(&["rev-list", "--count", "main"]);
        assert_eq!(landed.trim(), if code == 0 { "2" } else { "1" }, "{typed:?}");
        if code == 0 {
            assert!(ran.stdout.contains("Success: Feature merged."), "S1-40: {ran}");
            assert_eq!(worktrees(&env), 0);
        }
    }
}

#[test]
fn s4_21_the_capstone_buggy_first_then_fixed_with_a_real_test_run() {
    if missing("pytest") {
        return;
    }
    let (env, repo) = (env(), RepoBuilder::python_calc());
    let scenario = Scenario::new()
        .tests(1, &[("tests/test_slug.py", TEST)])
        .code(1, &[("calc.py", &calc(WRONG))])
        .code(2, &[("calc.py", &calc(RIGHT))])
        .refactor_nothing()
        .review_ok();
    let ran =
        add(&env, &repo, &scenario, &["--yes", "--land", "branch", "--branch", "feature/cycle-05"])
            .expect_code(0);
    assert_eq!(ran.events_named("green-refused").len(), 1);
    assert_eq!(ran.finished()["branch"], "feature/cycle-05");
    let code = repo.git(&["show", "feature/cycle-05:calc.py"]);
    assert!(code.contains("text.lower()"), "{code}");
    assert!(!repo.git(&["show", "main:calc.py"]).contains("slugify"));
    // S0-28 to S0-37: the phases' own commits, with their messages.
    let log = repo.git(&["log", "--format=%s", "main..feature/cycle-05"]);
    assert_eq!(log.lines().collect::<Vec<_>>(), ["feat: slug", "test: specify slug"]);
}

// S1-7, S1-34
#[test]
fn s4_8_the_fix_prompt_carries_the_task_and_the_whole_failure() {
    if missing("pytest") {
        return;
    }
    let (env, repo) = (env(), RepoBuilder::python_calc());
    let scenario = Scenario::new()
        .tests(1, &[("tests/test_slug.py", TEST)])
        .code(1, &[("calc.py", &calc(WRONG))])
        .code(2, &[("calc.py", &calc(RIGHT))])
        .refactor_nothing()
        .review_rejects(1, "name the edge cases")
        .review_ok();
    repo.file("notes.md", "Use the helpers in text_tools.\n").commit("notes");
    let ran = add(&env, &repo, &scenario, &["--yes", "--context", "notes.md"]);
    let run = ran.finished()["run"].as_str().unwrap().to_owned();
    let mut prompts = Vec::new();
    let turns = env.home().join("runs").join(&run).join("turns");
    let mut folders: Vec<_> =
        std::fs::read_dir(turns).unwrap().map(|e| e.unwrap().path()).collect();
    folders.sort();
    for folder in folders {
        prompts.push(std::fs::read_to_string(folder.join("prompt.md")).unwrap());
    }
    let (tester, coder, fixer) = (&prompts[0], &prompts[1], &prompts[2]);
    for prompt in [tester, coder] {
        assert!(prompt.contains("Use the helpers in text_tools."), "S1-61: {prompt}");
    }
    assert!(fixer.contains("a slugify function"), "{fixer}");
    assert!(fixer.contains("assert slugify('A B') == 'a-b'"), "the tests that matter: {fixer}");
    assert!(
        fixer.contains("AssertionError") || fixer.contains("'A B' == 'a-b'"),
        "the failure whole: {fixer}"
    );
}

#[test]
fn a_rust_crate_goes_the_whole_way_with_inline_and_integration_tests() {
    let (env, repo) = (env(), RepoBuilder::rust_calc());
    let lib = repo.read("src/lib.rs");
    let test = "#[test]\nfn lowers() {\n    assert_eq!(calc::slugify(\"A B\"), \"a-b\");\n}\n";
    // The coder throws the inline tests away: they come back.
    let code = "pub fn add(a: i64, b: i64) -> i64 {\n    a + b\n}\n\npub fn mul(a: i64, b: i64) -> i64 {\n    a * b\n}\n\npub fn slugify(text: &str) -> String {\n    text.to_lowercase().replace(' ', \"-\")\n}\n";
    let scenario = Scenario::new()
        .tests(1, &[("tests/slug.rs", test)])
        .code(1, &[("src/lib.rs", code)])
        .refactor_nothing()
        .review_ok();
    let ran = add(&env, &repo, &scenario, &["--yes"]).expect_code(0);
    assert_eq!(ran.finished()["status"], "SUCCESS");
    let red = &ran.events_named("red-proven")[0]["anchor"]["red"];
    assert_eq!(red, &json!(["calc::slug lowers"]));
    let landed = repo.read("src/lib.rs");
    assert!(landed.contains("slugify"), "{landed}");
    assert!(
        lib.contains("#[cfg(test)]") && landed.contains("#[cfg(test)]"),
        "sealed inline tests: {landed}"
    );
}

#[cfg(test)]
mod slow {
    use super::*;

    #[test]
    fn s1_46_the_mock_of_the_first_design_is_understood() {
        if missing("pytest") {
            return;
        }
        for repo in [RepoBuilder::python_calc(), RepoBuilder::rust_calc()] {
            let env = env();
            repo.file("lld.md", "# A greeting\n\nGreet people by name.\n").commit("design");
            let ran = env
                .call(repo.path())
                .env("AGENTOS_MOCK_LLM", "1")
                .args(&[
                    "implement",
                    "--issue",
                    "87",
                    "--lld",
                    "lld.md",
                    "--yes",
                    "--format",
                    "json",
                ])
                .run()
                .expect_code(0);
            let finished = ran.finished();
            assert_eq!(finished["status"], "SUCCESS", "{ran}");
            let created = &ran.events_named("created")[0]["brief"];
            assert_eq!(created["landing"]["branch"], "feat/issue-87", "S1-36");
            assert!(
                created["details"].as_str().unwrap().contains("Greet people by name."),
                "S1-12"
            );
        }
    }
}
