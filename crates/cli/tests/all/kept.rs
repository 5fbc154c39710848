//! What `proctor verify` need not measure: an answer that is known, and experiments that could prove nothing.

use proctor_testkit::{RepoBuilder, TestEnv, missing};
use serde_json::Value;

const CODE: &str = "def clamp(n, low, high):\n    if n < low:\n        return low\n    return n\n";
const FIXED: &str = "def clamp(n, low, high):\n    if n < low:\n        return low\n    if n > high:\n        return high\n    return n\n";
const OLD: &str = "from calc import clamp\n\n\ndef test_low():\n    assert clamp(1, 3, 9) == 3\n";
const NEW: &str = "from calc import clamp\n\n\ndef test_high():\n    assert clamp(12, 3, 9) == 9\n";

fn base() -> RepoBuilder {
    let repo = RepoBuilder::new();
    repo.file("calc.py", CODE).file("tests/test_calc.py", OLD).commit("base");
    repo.git(&["checkout", "--quiet", "-b", "work"]);
    repo
}

/// The answer, and what was told on the way to it.
fn verify(env: &TestEnv, repo: &RepoBuilder, more: &[&str]) -> (Value, String) {
    let asked = ["verify", "--base", "main", "--head", "work", "--format", "json"];
    let ran = env.proctor(repo.path(), &[&asked[..], more].concat());
    let told = serde_json::from_str(&ran.stdout).unwrap_or_else(|why| panic!("{why}: {ran:?}"));
    (told, ran.stderr)
}

#[test]
fn a_second_verification_of_the_same_trees_is_known_and_says_so() {
    if missing("pytest") {
        return;
    }
    let env = TestEnv::new(env!("CARGO_BIN_EXE_proctor"));
    let repo = base();
    repo.file("calc.py", FIXED).file("tests/test_high.py", NEW).commit("fix");
    let (first, said) = verify(&env, &repo, &[]);
    assert_eq!((&first["verdict"], &first["kept"]), (&"proven".into(), &Value::Null), "{first}");
    assert!(said.contains("mutants of the changed lines"), "progress with JSON too: {said}");
    let (second, said) = verify(&env, &repo, &[]);
    assert_eq!((&second["verdict"], &second["kept"]), (&"proven".into(), &true.into()));
    assert_eq!((&second["checks"], &second["tests"]), (&first["checks"], &first["tests"]));
    assert!(!said.contains("head's tests"), "{said}");
    let shown = env.proctor(repo.path(), &["verify", "--base", "main", "--head", "work"]);
    assert!(shown.stdout.contains("`--fresh` measures anew"), "{shown:?}");
    let (anew, said) = verify(&env, &repo, &["--fresh"]);
    assert_eq!(anew["kept"], Value::Null);
    assert!(said.contains("head's tests"), "{said}");
    // Another commit of the same tree is the same work; other rules are another question.
    repo.git(&["commit", "--quiet", "--amend", "-m", "the fix, in other words"]);
    let (other, _) = verify(&env, &repo, &[]);
    assert_eq!((&other["kept"], &other["head"]), (&true.into(), &repo.head().into()));
    let (asked, said) = verify(&env, &repo, &["--skip", "mutants"]);
    assert_eq!((&asked["kept"], &asked["verdict"]), (&Value::Null, &"proven".into()), "{asked}");
    assert!(said.contains("trials were made by an earlier verification"), "{said}");
}

#[test]
fn a_branch_whose_tests_show_nothing_is_refuted_before_anything_dear_is_tried() {
    if missing("pytest") {
        return;
    }
    let env = TestEnv::new(env!("CARGO_BIN_EXE_proctor"));
    let repo = base();
    let test = NEW.replace("clamp(12, 3, 9) == 9", "clamp(5, 3, 9) == 5");
    repo.file("calc.py", FIXED).file("tests/test_high.py", &test).commit("vacuous");
    let (told, said) = verify(&env, &repo, &[]);
    assert_eq!(told["verdict"], "refuted", "{told}");
    assert!(told["reason"].to_string().contains("already passes on the base"), "{told}");
    assert!(said.contains("the new tests on the base's code"), "{said}");
    assert!(!said.contains("another order") && !said.contains("canaries"), "{said}");
    assert!(told.to_string().contains("not made: head is refuted without it"), "{told}");
}

#[test]
fn a_change_that_no_test_shows_costs_no_experiment_and_is_refuted_where_it_breaks_a_test() {
    if missing("pytest") {
        return;
    }
    let env = TestEnv::new(env!("CARGO_BIN_EXE_proctor"));
    let repo = base();
    repo.file("calc.py", FIXED).commit("production only");
    let (bare, said) = verify(&env, &repo, &[]);
    assert_eq!(bare["verdict"], "inconclusive", "{bare}");
    assert!(bare["reason"].to_string().contains("no test shows this change"), "{bare}");
    assert!(said.contains("head's tests") && !said.contains("mutants"), "{said}");
    let (same, said) = verify(&env, &repo, &["--type", "refactor"]);
    assert_ne!(same["verdict"], "refuted", "{same}");
    assert!(said.contains("mutants of the changed lines"), "{said}");
    repo.file("calc.py", &FIXED.replace("return low", "return high")).commit("breaks");
    let (broken, _) = verify(&env, &repo, &[]);
    assert_eq!(broken["verdict"], "refuted", "{broken}");
}

mod slow {
    use super::*;

    #[test]
    fn a_verification_that_is_interrupted_says_what_is_known_and_goes_on_from_there() {
        if missing("pytest") {
            return;
        }
        let env = TestEnv::new(env!("CARGO_BIN_EXE_proctor"));
        let repo = base();
        repo.file("calc.py", FIXED).file("tests/test_high.py", NEW).commit("fix");
        let asked = ["verify", "--base", "main", "--head", "work", "--format", "json"];
        let mut running = env.call(repo.path()).args(&asked).spawn();
        running.until("canaries are sown", |_, err| err.contains("canaries beside the tests"));
        running.interrupt();
        let ran = running.wait().expect_code(130);
        let told: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(told["verdict"], "inconclusive", "{told}");
        assert!(told["reason"].to_string().contains("interrupted"), "{told}");
        let status = |name: &str| {
            let checks = told["checks"].as_array().unwrap();
            checks.iter().find(|check| check["name"] == name).unwrap()["status"].clone()
        };
        assert_eq!(
            [status("green"), status("harness"), status("mutants")],
            ["pass", "skip", "skip"]
        );
        let (whole, said) = verify(&env, &repo, &[]);
        assert_eq!(
            (&whole["verdict"], &whole["kept"]),
            (&"proven".into(), &Value::Null),
            "{whole}"
        );
        assert!(said.contains("trials were made by an earlier verification"), "{said}");
        // A push that leaves the tests as they are leaves what the base's code says of them.
        repo.file("calc.py", &FIXED.replace("n > high", "high < n")).commit("review");
        let (pushed, said) = verify(&env, &repo, &[]);
        assert_eq!(
            (&pushed["verdict"], &pushed["kept"]),
            (&"proven".into(), &Value::Null),
            "{pushed}"
        );
        assert!(said.contains("trials were made by an earlier verification"), "{said}");
    }
}
