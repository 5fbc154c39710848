use proctor_testkit::{RepoBuilder, TestEnv, missing};

#[test]
fn the_python_project_passes_its_own_tests() {
    if missing("pytest") {
        return;
    }
    let repo = RepoBuilder::python_calc();
    let env = TestEnv::new("/usr/bin/env");
    let ran = env
        .proctor(repo.path(), &["python3", "-m", "pytest", "-q", "-p", "no:cacheprovider"])
        .expect_code(0);
    assert!(ran.stdout.contains("2 passed"), "{ran}");
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn the_rust_project_passes_its_own_tests_with_its_lock_file_as_it_is() {
    if missing("cargo") {
        return;
    }
    let repo = RepoBuilder::rust_calc();
    let env = TestEnv::new("/usr/bin/env");
    let ran = env
        .proctor(repo.path(), &["cargo", "test", "--locked", "--offline", "--lib", "--tests"])
        .expect_code(0);
    assert_eq!(ran.stdout.matches("1 passed").count(), 2, "{ran}");
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn a_tool_that_is_nowhere_is_missing() {
    // In CI the same question ends the test, which is the point of it there.
    let asked = std::panic::catch_unwind(|| missing("no-such-tool-as-this"));
    match std::env::var("CI").as_deref() {
        Ok("true") => assert!(asked.is_err()),
        _ => assert!(asked.unwrap()),
    }
    assert!(!missing("git"));
}
