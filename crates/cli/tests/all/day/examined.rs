//! A second agent, where there is one, writes tests from the task's text alone. The coder never sees a word of them; they can
//! leave a doubt and never a proof.

use crate::rows::{Desk, SUB_TEST, Story, with_sub};
use proctor_testkit::Scenario;
use serde_json::json;

/// What the examiner asks: plain numbers, small ones, large ones.
const ASKED: &str = "from calc import sub\n\n\ndef test_MARK_small():\n    assert sub(2, 1) == 1\n\n\ndef test_MARK_large():\n    assert sub(500, 1) == 499\n\n\ndef test_MARK_none():\n    assert sub(3, 3) == 0\n";
const WRONG: &str = "return a - b if a < 100 else 0";

/// `one` tests and codes as it is told, `two` reviews; so `two` examines.
fn desk(one: &Scenario, two: &Scenario, more: &str) -> Option<Desk> {
    let desk = Desk::with(&format!(
        "default_agent = \"one\"\n[gates]\nrepeats = 1\nprobe = \"off\"\n[agents.one]\nkind = \"script\"\nfile = \"one.json\"\n[agents.two]\nkind = \"script\"\nfile = \"two.json\"\n[roles]\nreviewer = \"two\"\n{more}"
    ))?;
    one.save(desk.repo.path().join("one.json"));
    two.save(desk.repo.path().join("two.json"));
    std::fs::write(desk.repo.path().join(".git/info/exclude"), "/*.json\n").unwrap();
    Some(desk)
}

fn one() -> Scenario {
    Scenario::new()
        .tests(1, &[("tests/test_sub.py", SUB_TEST)])
        .code(1, &[("calc.py", &with_sub(WRONG))])
}

fn two() -> Scenario {
    Scenario::new().tests(1, &[("tests/test_asked.py", ASKED)]).review_ok()
}

fn runs(desk: &Desk, more: &[&str]) -> Story {
    let args = ["add", "sub() subtracts", "--yes", "--no-refactor", "--format", "json"];
    desk.told(desk.call(&args).args(more).run())
}

#[test]
fn a_coder_is_told_how_many_tests_of_a_second_agent_fail_and_nothing_of_them() {
    let one = one().code(2, &[("calc.py", &with_sub("return a - b"))]);
    let Some(desk) = desk(&one, &two(), "") else { return };
    let story = runs(&desk, &[]).ends("SUCCESS", 0);
    let found = &story.named("examined")[0]["examination"];
    assert_eq!((&found["by"], found["tests"].as_array().unwrap().len()), (&json!("two"), 3));
    assert_eq!(story.faults("green-refused"), ["examined"]);
    let told = story.prompt("implement 2.1");
    assert!(told.contains("1 of 3 tests that another agent wrote"), "{told}");
    for label in ["implement 1.1", "implement 2.1"] {
        assert!(!story.prompt(label).contains("MARK_"), "{label} speaks of them");
    }
    // The coder's tests are its own affair, too.
    let run = story.run();
    let shown = desk.call(&["show", &run, "--prompts", "--format", "json"]).run().expect_code(0);
    let examine = shown.events().into_iter().find(|line| line["turn"] == "examine 1.1").unwrap();
    let prompt = std::fs::read_to_string(examine["path"].as_str().unwrap()).unwrap();
    assert!(prompt.contains("You are an examiner") && !prompt.contains("sub(7, 3)"), "{prompt}");
    assert_eq!(desk.repo.git(&["ls-files", "tests"]), "tests/test_calc.py\ntests/test_sub.py");
    let left = std::fs::read_dir(desk.env.home().join("runs")).unwrap().count();
    assert_eq!(left, 1, "an examiner's folder is gone with its turn");
}

#[test]
fn work_that_fails_them_to_the_end_waits_for_a_person_who_is_shown_the_test() {
    let one = one().turn(json!({"phase": "implement", "output": {
        "status": "READY_FOR_REVIEW", "fix_description": "", "notes": "It is right."}}));
    let Some(desk) = desk(&one, &two(), "") else { return };
    let story = runs(&desk, &[]).ends("AWAITING_APPROVAL", 3);
    assert!(story.reason().contains("test_asked.py::test_MARK_large"), "{}", story.reason());
    let accept = ["approve", &story.run(), "--accept", "special-cased", "--why", "not asked for"];
    let ran = desk.call(&accept).run().expect_code(0);
    assert!(ran.stderr.contains("2 of 3 tests that two wrote") || ran.code == 0, "{ran}");
}

#[test]
fn nobody_examines_where_there_is_one_agent_or_nobody_is_wanted_and_a_failed_examiner_stops_nothing()
 {
    let one = Scenario::new()
        .tests(1, &[("tests/test_sub.py", SUB_TEST)])
        .code(1, &[("calc.py", &with_sub("return a - b"))])
        .review_ok();
    let broken = Scenario::new().turn(json!({"phase": "write_tests", "exit": 3})).review_ok();
    let Some(desk) = desk(&one, &broken, "") else { return };
    for args in [&["--role", "reviewer=one"][..], &["--role", "examiner=none"]] {
        let story = runs(&desk, &[args, &["--land", "branch"]].concat()).ends("SUCCESS", 0);
        assert!(!story.has("examined"), "{}", story.ran);
    }
    let story = runs(&desk, &[]).ends("SUCCESS", 0);
    let why = story.named("examined")[0]["why"].as_str().unwrap().to_owned();
    assert!(why.contains("exited with code 3"), "{why}");
}

#[cfg(test)]
mod slow {
    use super::*;

    /// kill -9 at every point: an examination that was cut begins anew, and what it found stays.
    #[test]
    fn a_run_that_is_cut_everywhere_is_examined_all_the_same() {
        let one = one().code(2, &[("calc.py", &with_sub("return a - b"))]);
        let Some(desk) = desk(&one, &two(), "") else { return };
        let seen = desk.env.home().join("seen");
        let mut cuts = 0;
        loop {
            let begun = desk.env.home().join("runs").exists();
            let first = ["add", "sub() subtracts", "--yes", "--no-refactor", "--format", "json"];
            let again = ["resume", "--format", "json"];
            let args = if begun { &again[..] } else { &first[..] };
            let ran = desk.call(args).env("PROCTOR_CRASH_ONCE", &seen).run();
            if ran.code != 137 {
                assert_eq!(ran.code, 0, "{ran}");
                break;
            }
            cuts += 1;
            assert!(cuts < 200, "it never ends: {ran}");
        }
        assert!(cuts >= 20, "{cuts} cuts");
        let list = desk.json(&["list", "--all"]);
        let run = list.ran.events()[0]["run"].as_str().unwrap().to_owned();
        let log = desk.json(&["log", &run]);
        assert_eq!(log.named("examined").len(), 1);
        assert_eq!(log.named("examined")[0]["examination"]["tests"].as_array().unwrap().len(), 3);
        let told = log.named("green-refused")[0]["faults"].to_string();
        assert!(told.contains("\"examined\""), "{told}");
    }
}
