//! A cache that is carried from one verification to the next, as from one job of a host to another.

use proctor_testkit::{RepoBuilder, TestEnv, missing};
use serde_json::Value;
use std::path::Path;

const CODE: &str = "def clamp(n, low, high):\n    if n < low:\n        return low\n    return n\n";
const FIXED: &str = "def clamp(n, low, high):\n    if n < low:\n        return low\n    if n > high:\n        return high\n    return n\n";
const OLD: &str = "from calc import clamp\n\n\ndef test_low():\n    assert clamp(1, 3, 9) == 3\n";
const NEW: &str = "from calc import clamp\n\n\ndef test_high():\n    assert clamp(12, 3, 9) == 9\n";

fn verify(env: &TestEnv, folder: &Path, more: &[&str]) -> (Value, String) {
    let asked = ["verify", "--base", "main", "--head", "work", "--format", "json"];
    let ran = env.call(folder).args(&asked).args(&["--cache", "../carried"]).args(more).run();
    let told = serde_json::from_str(&ran.stdout).unwrap_or_else(|why| panic!("{why}: {ran:?}"));
    (told, ran.stderr)
}

#[test]
fn a_cold_cache_that_runs_out_of_budget_is_inconclusive_with_a_word() {
    if missing("pytest") {
        return;
    }
    let repo = RepoBuilder::new();
    repo.file("calc.py", CODE).file("tests/test_calc.py", OLD).commit("base");
    repo.git(&["checkout", "--quiet", "-b", "work"]);
    repo.file("calc.py", FIXED).file("tests/test_high.py", NEW).commit("fix");
    let env = TestEnv::new(env!("CARGO_BIN_EXE_proctor"));
    let call = env.call(repo.path()).args(&["verify", "--base", "main", "--head", "work"]);
    let call = call.args(&["--budget", "1ms", "--cache"]).arg(env.user_home().join("carried"));
    let ran = call.run().expect_code(4);
    assert!(ran.stdout.contains("budget"), "{ran}");
}

mod slow {
    use super::*;

    #[test]
    fn what_was_measured_is_known_on_the_next_machine_and_a_second_push_pays_for_what_changed() {
        if missing("pytest") {
            return;
        }
        let origin = RepoBuilder::new();
        origin.file("calc.py", CODE).file("tests/test_calc.py", OLD).commit("base");
        origin.git(&["checkout", "--quiet", "-b", "work"]);
        origin.file("calc.py", FIXED).file("tests/test_high.py", NEW).commit("fix");
        let jobs = tempfile::tempdir().unwrap();
        let folder = jobs.path().join("checkout");
        let env = TestEnv::new(env!("CARGO_BIN_EXE_proctor"));
        // Each job begins on a machine that knows nothing but what was carried there, at the same places.
        let job = |more: &[&str]| {
            for dir in [folder.as_path(), env.home()] {
                let _ = std::fs::remove_dir_all(dir);
            }
            let to = folder.to_string_lossy();
            origin.git(&["clone", "--quiet", &origin.path().to_string_lossy(), &to]);
            origin.git(&["-C", &to, "branch", "main", "origin/main"]);
            verify(&env, &folder, more)
        };
        let (told, said) = job(&[]);
        assert_eq!((&told["verdict"], &told["kept"]), (&"proven".into(), &Value::Null), "{told}");
        if said.contains("cache: not used") {
            println!("skipped: no sandbox here keeps tests from the cache");
            assert!(!jobs.path().join("carried").exists());
            return;
        }
        let (told, _) = job(&[]);
        assert_eq!((&told["verdict"], &told["kept"]), (&"proven".into(), &true.into()), "{told}");
        // The second push: the base's results are there.
        let more = format!("{NEW}\n\ndef test_middle():\n    assert clamp(5, 3, 9) == 5\n");
        origin.file("tests/test_high.py", &more).commit("another test");
        let (told, said) = job(&[]);
        assert_eq!(told["kept"], Value::Null, "another tree is another question");
        assert!(said.contains("baseline: known"), "{said}");
        // What was changed in it is not believed.
        for entry in std::fs::read_dir(jobs.path().join("carried/baselines")).unwrap().flatten() {
            if entry.path().extension().is_some_and(|end| end == "report") {
                let text = std::fs::read_to_string(entry.path()).unwrap();
                let changed = text.replace("passed", "skipped");
                assert_ne!(text, changed);
                std::fs::write(entry.path(), changed).unwrap();
            }
        }
        let (_, said) = job(&["--fresh"]);
        assert!(!said.contains("baseline: known"), "{said}");
    }
}
