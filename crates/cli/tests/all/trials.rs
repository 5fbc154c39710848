//! What the green gate tries beyond running the tests, in a whole run: a forged harness and inputs made to measure go back to
//! the coder, mutants that survive go back to the tester.

use crate::rows::{Desk, QUICK};
use proctor_testkit::{RepoBuilder, Scenario, TestEnv, missing};
use serde_json::json;

const CODE: &str = "def price(amount, pieces):\n    return amount\n";
const OLD: &str = "from shop import price\n\n\ndef test_one():\n    assert price(3, 1) == 3\n";

fn desk() -> Option<Desk> {
    if missing("pytest") {
        return None;
    }
    let repo = RepoBuilder::new();
    repo.file("shop.py", CODE).file("tests/test_shop.py", OLD).commit("base");
    Some(Desk { env: TestEnv::new(env!("CARGO_BIN_EXE_proctor")).probing(), repo })
}

const NEW: &str = "from shop import price\n\n\ndef test_two():\n    assert price(4, 3) == 12\n";
const RIGHT: &str = "def price(amount, pieces):\n    return amount * pieces\n";

#[test]
fn honest_work_lands_as_before() {
    let Some(desk) = desk() else { return };
    let scenario = Scenario::new()
        .tests(1, &[("tests/test_two.py", NEW)])
        .code(1, &[("shop.py", RIGHT)])
        .review_ok();
    let story = desk.played(&scenario, &[&["fix", "pieces don't count"], QUICK]);
    story.ends("SUCCESS", 0);
}

// S1-59
#[test]
fn code_made_for_the_inputs_of_the_tests_goes_back_to_the_coder() {
    let Some(desk) = desk() else { return };
    let cheat = "def price(amount, pieces):\n    if amount == 4 and pieces == 3:\n        return 12\n    return amount\n";
    let scenario = Scenario::new()
        .tests(1, &[("tests/test_two.py", NEW)])
        .code(1, &[("shop.py", cheat)])
        .code(2, &[("shop.py", RIGHT)])
        .review_ok();
    let story = desk.played(&scenario, &[&["fix", "pieces don't count"], QUICK]);
    let refused = story.ran.events_named("green-refused")[0].to_string();
    assert!(
        refused.contains("head does what the base does") || refused.contains("no other input"),
        "{refused}"
    );
    story.ends("SUCCESS", 0);
}

#[test]
fn mutants_that_survive_ask_for_tests_and_never_for_other_code() {
    let Some(desk) = desk() else { return };
    let code = "def price(amount, pieces):\n    if pieces > 10:\n        return amount * pieces - 5\n    if pieces > 5:\n        return amount * pieces - 1\n    return amount * pieces\n";
    let more = "from shop import price\n\n\ndef test_many():\n    assert price(4, 11) == 39\n    assert price(4, 10) == 39\n    assert price(4, 6) == 23\n    assert price(4, 5) == 20\n";
    let scenario = Scenario::new()
        .tests(1, &[("tests/test_two.py", NEW)])
        .code(1, &[("shop.py", code)])
        .tests(2, &[("tests/test_many.py", more)])
        .review_ok();
    let story = desk.played(&scenario, &[&["fix", "pieces don't count"], QUICK]);
    let thin = story.ran.events_named("tests-too-thin")[0].clone();
    assert_eq!(thin["faults"][0]["fault"], json!("mutants"), "{thin}");
    assert!(thin["faults"][0]["diffs"].to_string().contains("shop.py:"), "{thin}");
    story.ends("SUCCESS", 0);
}
