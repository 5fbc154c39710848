//! Sessions: whether a turn knows what was said in the one before, and what a program's sums become.

use crate::agents::bench::{Bench, RIGHT, calc, closing, code, ready, tests};
use proctor_testkit::Script;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

const WRONG: &str = "def slugify(text):\n    return text\n";
const MARK: &str = "the first try, in so many words";

/// Tests, a first try that is wrong, a second that is right.
fn in_two_tries() -> Script {
    let mut first = ready();
    first["notes"] = json!(MARK);
    let first = Script::new().write("calc.py", &calc(WRONG)).answer(first);
    let second = Script::new().write("calc.py", &calc(RIGHT)).answer(ready());
    tests().then(first).then(second).then(closing())
}

/// The requests in which the mark can be read. The prompts never hold it.
fn knowing(bench: &Bench) -> Vec<usize> {
    let asked = bench.model.asked();
    let knows = |body: &Value| body.to_string().contains(MARK);
    (0..asked.len()).filter(|n| knows(&asked[*n])).collect()
}

/// The homes that the agent had in the run. Programs that count their sessions begin anew in each.
fn homes(bench: &Bench) -> Vec<String> {
    let below = |folder: &Path| -> Vec<PathBuf> {
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
    };
    let runs = below(&bench.env.home().join("runs"));
    let agents = runs.iter().flat_map(|run| below(&run.join("agents")));
    let mut homes: Vec<String> = agents
        .flat_map(|agent| below(&agent))
        .filter_map(|home| Some(home.file_name()?.to_string_lossy().into_owned()))
        .collect();
    homes.sort();
    homes
}

fn goes_on(kind: &str) {
    let Some(bench) = Bench::of(kind, in_two_tries(), "") else { return };
    let ran = bench.run().expect_code(0);
    assert!(!knowing(&bench).is_empty(), "the second try knows of the first\n{ran}");
    let marks = ran.events_named("session-marked");
    let ids = |phase: &str| -> Vec<&str> {
        let of = marks.iter().filter(|event| event["mark"]["phase"] == phase);
        let mut ids: Vec<&str> = of.filter_map(|event| event["mark"]["id"].as_str()).collect();
        ids.dedup();
        ids
    };
    assert_eq!(ids("implement").len(), 1, "{ran}");
    assert_eq!(homes(&bench), ["coder", "reviewer", "tester"], "each role has its own\n{ran}");
    assert_eq!(ids("implement"), ids("refactor"), "{ran}");
    // Three turns of the coder cost the same or less by the word of the played model; sums would grow.
    let costs: Vec<u64> = ran
        .events_named("effect-ended")
        .iter()
        .filter_map(|event| event["usage"]["tokens"].as_u64())
        .collect();
    assert_eq!(costs.len(), 5, "{ran}");
    assert!(costs.iter().all(|cost| (1..=3 * 1050).contains(cost)), "{costs:?}");
}

fn begins_afresh(kind: &str) {
    let Some(bench) = Bench::of(kind, in_two_tries(), "session = \"new\"") else { return };
    let ran = bench.run().expect_code(0);
    // The turn itself may say its answer back to the model; the next one does not know it.
    let asked = bench.model.asked();
    let last = asked.last().unwrap().to_string();
    assert!(!last.contains(MARK), "{ran}");
}

fn branches_off(kind: &str) {
    let script = tests().then(code()).then(closing());
    let Some(bench) = Bench::of(kind, script, "session = \"fork\"") else { return };
    let ran = bench.run().expect_code(0);
    let first_of_coder = &bench.model.asked()[2].to_string();
    assert!(first_of_coder.contains("test_slug"), "{ran}");
    let marks = ran.events_named("session-marked");
    let id = |phase: &str| {
        let mark = marks.iter().find(|event| event["mark"]["phase"] == phase).unwrap();
        mark["mark"]["id"].as_str().unwrap().to_owned()
    };
    assert_ne!(id("write_tests"), id("implement"), "{ran}");
    let known = bench.model.asked()[2].to_string();
    let told = known.contains("What was said before") || known.contains("one test");
    assert!(told, "the coder knows what the tester came to\n{ran}");
}

#[test]
fn claude_goes_on_in_its_session() {
    goes_on("claude");
}

#[test]
fn codex_goes_on_in_its_session() {
    goes_on("codex");
}

#[test]
fn gemini_goes_on_in_its_session() {
    goes_on("gemini");
}

#[test]
fn opencode_goes_on_in_its_session() {
    goes_on("opencode");
}

#[test]
fn goose_goes_on_in_its_session() {
    goes_on("goose");
}

#[test]
fn claude_begins_afresh_where_that_is_wanted() {
    begins_afresh("claude");
}

#[test]
fn codex_branches_a_session_off() {
    branches_off("codex");
}

#[test]
fn claude_branches_a_session_off() {
    branches_off("claude");
}

#[test]
fn opencode_branches_a_session_off() {
    branches_off("opencode");
}

#[test]
fn gemini_is_told_what_it_can_not_branch_off() {
    branches_off("gemini");
}

#[test]
fn goose_is_told_what_it_can_not_branch_off() {
    branches_off("goose");
}

#[test]
fn acp_claude_goes_on_in_its_session() {
    goes_on("acp_claude");
}

#[test]
fn acp_codex_goes_on_in_its_session() {
    goes_on("acp_codex");
}

#[test]
fn acp_opencode_goes_on_in_its_session() {
    goes_on("acp_opencode");
}

#[test]
fn acp_goose_goes_on_in_its_session() {
    goes_on("acp_goose");
}

#[test]
fn acp_claude_branches_a_session_off() {
    branches_off("acp_claude");
}

#[test]
fn acp_codex_branches_a_session_off() {
    branches_off("acp_codex");
}

#[test]
fn acp_opencode_branches_a_session_off() {
    branches_off("acp_opencode");
}

#[test]
fn acp_goose_branches_a_session_off() {
    branches_off("acp_goose");
}

#[test]
fn acp_gemini_is_told_what_it_can_not_branch_off() {
    branches_off("acp_gemini");
}
