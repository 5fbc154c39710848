//! People at terminals of 60 columns: what they see while a run goes on, in two terminals at once, and the question at the end.

use crate::rows::{Desk, ONCE, SUB_TEST, with_sub};
use proctor_testkit::{Scenario, Screen, missing};
use serde_json::json;

const NARROW: (u16, u16) = (60, 24);

/// Right at once, at a person's speed.
fn slowly() -> Scenario {
    Scenario::new()
        .tests(1, &[("tests/test_sub.py", SUB_TEST)])
        .turn(json!({"phase": "implement", "sleep_ms": 4000, "say": ["thinking of numbers"],
            "write": {"calc.py": with_sub("return a - b")},
            "output": {"status": "READY_FOR_REVIEW", "fix_description": "", "notes": ""}}))
        .review_ok()
}

fn screen(desk: &Desk, name: &str, command: &str) -> Screen {
    let mut vars = desk.env.vars().to_vec();
    let scenario = slowly().save(desk.env.user_home().join("scenario.json"));
    vars.push(("PROCTOR_MOCK".into(), scenario.into()));
    vars.push(("PAGER".into(), "cat".into()));
    let proctor = env!("CARGO_BIN_EXE_proctor");
    let at = (desk.env.home(), name);
    Screen::open(at, NARROW, (desk.repo.path(), &vars), &format!("{proctor} {command}"))
}

#[test]
fn a_person_sees_how_far_a_run_is_in_two_terminals_and_answers_only_the_question() {
    let Some(desk) = Desk::with(ONCE) else { return };
    if missing("tmux") {
        return;
    }
    std::fs::create_dir_all(desk.env.home()).unwrap();
    let first = screen(&desk, "first", "add sub --no-refactor");
    first.until("preparing");
    // Too early: it answers nothing.
    first.keys(&["approve", "Enter"]);
    first.until("3/9 implementing");
    let second = screen(&desk, "second", "log -f");
    let looked = second.until("3/9 implementing");
    assert!(looked.contains("red gate: 1 new test fails"), "{looked}");
    first.until("4/9 green gate");
    first.until("Type approve");
    second.until("waits for approval");
    assert_eq!(desk.repo.git(&["log", "--format=%s", "-1"]), "proctor.toml");
    first.keys(&["yes", "Enter"]);
    let said = first.until("keeps waiting");
    assert!(said.contains("only the word approve"), "{said}");
    let shown = screen(&desk, "third", "approve");
    shown.until("Success");
    assert_eq!(desk.repo.git(&["log", "--format=%s", "-1"]), "sub");
    // A second run of the same repository knows how long a step takes.
    desk.repo.git(&["reset", "-q", "--hard", "HEAD^"]);
    let third = screen(&desk, "fourth", "add sub --no-refactor --id again");
    third.until("of about");
    third.until("Type approve");
    third.keys(&["d", "Enter"]);
    third.until("return a - b");
    third.keys(&["abort", "Enter"]);
    third.until("Aborted by user");
    assert_eq!(desk.repo.git(&["log", "--format=%s", "-1"]), "proctor.toml");
}

#[test]
fn a_verification_says_what_it_does_on_one_line() {
    let Some(desk) = Desk::with("") else { return };
    if missing("tmux") {
        return;
    }
    let base = desk.repo.head();
    desk.repo
        .file("calc.py", &with_sub("return a - b"))
        .file("tests/test_sub.py", SUB_TEST)
        .commit("sub");
    std::fs::create_dir_all(desk.env.home()).unwrap();
    let first = screen(&desk, "first", &format!("verify --base {base}"));
    first.until("· ");
    first.until("proven");
    let again = screen(&desk, "second", &format!("verify --base {base} --fresh"));
    again.until("of about");
    again.until("proven");
}
