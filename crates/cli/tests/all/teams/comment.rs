//! What the comment on a request says beyond the verdict.

use proctor_testkit::{RepoBuilder, TestEnv, missing};
use serde_json::Value;

const CODE: &str = "def clamp(n, low, high):\n    if n < low:\n        return low\n    return n\n\n\n# far from it\n\n\ndef title(name):\n    return 'no ' + name\n";
const FIXED: &str = "def clamp(n, low, high):\n    if n < low:\n        return low\n    if n > high:\n        return high\n    return n\n\n\n# far from it\n\n\ndef title(name):\n    return 'nr ' + name\n";
const OLD: &str = "from calc import clamp\n\n\ndef test_low():\n    assert clamp(1, 3, 9) == 3\n";
const NEW: &str = "from calc import clamp\n\n\ndef test_high():\n    assert clamp(12, 3, 9) == 9\n    assert clamp(20, 3, 8) == 8\n";

#[test]
fn each_part_of_the_change_stands_beside_the_test_that_shows_it_or_beside_none() {
    if missing("pytest") {
        return;
    }
    let repo = RepoBuilder::new();
    repo.file("calc.py", CODE).file("tests/test_calc.py", OLD).commit("base");
    repo.git(&["checkout", "--quiet", "-b", "work"]);
    repo.file("calc.py", FIXED).file("tests/test_high.py", NEW).commit("fix");
    let env = TestEnv::new(env!("CARGO_BIN_EXE_proctor"));
    let asked = ["verify", "--base", "main", "--head", "work", "--output", "json=verify.json"];
    let call = env.call(repo.path()).args(&asked).args(&["--format", "markdown"]);
    let page = call.run().stdout;
    let told = std::fs::read_to_string(repo.path().join("verify.json")).unwrap();
    let told: Value = serde_json::from_str(&told).unwrap();
    let rows = told["looked"].as_array().unwrap();
    let by = |line: u64| {
        let of = |row: &&Value| {
            let lines = row["from"].as_u64().unwrap()..=row["to"].as_u64().unwrap();
            lines.contains(&line)
        };
        rows.iter().find(of).map(|row| row["by"].to_string())
    };
    assert!(by(4).unwrap().contains("tests/test_high.py::test_high"), "{told}");
    assert_eq!(by(13).as_deref(), Some("[]"), "{told}");
    assert!(page.contains("Which test shows what") && page.contains("**no test**"), "{page}");
}
