//! What only a person can say stops a run, also with `--yes`: until somebody accepts it by its kind and with a reason, or the
//! base accepts the kind beforehand.

use super::rows::{CALC, Desk, ONCE, QUICK, SUB_TEST, honest, with_sub};
use proctor_testkit::Scenario;
use serde_json::{Value, json};

/// Right work that brings along what nobody reads in a diff.
pub fn with_luggage() -> Scenario {
    let large = "0123456789abcde\n".repeat(70_000);
    let files: [(&str, &str); 3] = [
        ("calc.py", &with_sub("return a - b")),
        ("docs/table.txt", &large),
        ("docs/notes.md", "pay \u{202e}ecila\u{202c} now\n"),
    ];
    Scenario::new().tests(1, &[("tests/test_sub.py", SUB_TEST)]).code(1, &files).review_ok()
}

fn kinds(raised: &Value) -> Vec<&str> {
    let mut kinds: Vec<&str> =
        raised.as_array().unwrap().iter().map(|one| one["kind"].as_str().unwrap()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}

#[test]
fn what_nobody_reads_in_a_diff_waits_for_a_person_also_with_yes() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let head = desk.repo.head();
    let story = desk.played(&with_luggage(), &[&["add", "sub"], QUICK]);
    let story = story.ends("AWAITING_APPROVAL", 3);
    let asked = &story.named("approval-asked")[0];
    assert_eq!(kinds(&asked["raised"]), ["hidden-characters", "large-file"], "{asked}");
    assert!(!story.has("approved"));
    desk.untouched(&head);
    let id = story.run();

    let bare = desk.call(&["approve", &id]).run().expect_code(3);
    for words in ["docs/table.txt is larger than 1 MiB", "docs/notes.md:1: hidden characters"] {
        assert!(bare.stderr.contains(words), "{bare}");
    }
    assert!(bare.stderr.contains("--accept hidden-characters --accept large-file --why"), "{bare}");
    let one = ["approve", &id, "--accept", "large-file", "--why", "a table of rates"];
    let half = desk.call(&one).run().expect_code(3);
    let open = half.stderr.split("look at this first:").nth(1).unwrap();
    assert!(open.contains("hidden-characters:") && !open.contains("large-file"), "{half}");
    let silent = desk.call(&["approve", &id, "--accept", "large-file"]).run().expect_code(2);
    assert!(silent.stderr.contains("--why"), "{silent}");
    let odd = ["approve", &id, "--accept", "large-fil", "--why", "x"];
    let odd = desk.call(&odd).run().expect_code(2);
    assert!(odd.stderr.contains("did you mean `large-file`?"), "{odd}");
    desk.untouched(&head);

    let both = ["--accept", "hidden-characters", "--why", "a sample of the attack"];
    let taken = desk.json(&[&one[..4], &both].concat()).ends("SUCCESS", 0);
    let accepted = &taken.named("accepted")[0];
    assert_eq!(kinds(&accepted["raised"]), ["hidden-characters", "large-file"]);
    assert_eq!(accepted["why"], "a sample of the attack");
    let evidence = desk.call(&["evidence", &id]).run().expect_code(0);
    assert!(evidence.stdout.contains("a sample of the attack"), "{evidence}");
    let told = std::fs::read_to_string(taken.folder().join(".process/summary.md")).unwrap();
    assert!(told.contains("(accepted: a sample of the attack)"), "{told}");
}

#[test]
fn the_base_may_accept_a_kind_beforehand_and_that_is_shown() {
    let accept = "accept = [\"large-file\", \"hidden-characters\"]\n";
    let Some(desk) = Desk::with(&format!("{ONCE}{accept}")) else { return };
    let story = desk.played(&with_luggage(), &[&["add", "sub"], QUICK]).ends("SUCCESS", 0);
    let notes = story.named("audited")[0]["notes"].to_string();
    assert!(notes.contains("(large-file, accepted by [gates] accept of the base)"), "{notes}");
}

#[test]
fn a_kind_that_is_not_known_or_that_nobody_can_foresee_is_refused_in_the_configuration() {
    for (word, hint) in [("large-fil", "did you mean `large-file`?"), ("unjudged", "each time")] {
        let Some(desk) = Desk::with(&format!("{ONCE}accept = [\"{word}\"]\n")) else { return };
        let ran = desk.call(&["add", "sub", "--yes"]).mock(&honest()).run().expect_code(2);
        assert!(ran.stderr.contains(hint), "{ran}");
    }
}

#[test]
fn work_that_looks_special_cased_does_not_land_with_yes() {
    let Some(desk) = Desk::with("[gates]\nrepeats = 1\nprobe = \"full\"\n") else { return };
    let tests = "from calc import sub\n\n\ndef test_sub():\n    assert sub(7, 3) == 4\n\n\ndef test_more():\n    assert sub(9, 4) == 5\n";
    let table = with_sub("return {(7, 3): 4, (9, 4): 5}.get((a, b), a)");
    let scenario = Scenario::new()
        .tests(1, &[("tests/test_sub.py", tests)])
        .code(1, &[("calc.py", &table)])
        .code(2, &[("calc.py", &with_sub("return {(7, 3): 4, (9, 4): 5}.get((a, b), b)"))])
        .code(3, &[("calc.py", &table)])
        .code(4, &[("calc.py", &table)])
        .review_ok();
    let story = desk.played(&scenario, &[&["add", "sub"], QUICK]);
    assert_ne!(story.ran.code, 0, "{}", story.ran);
    assert!(!story.has("landed"), "{}", story.ran);
}

#[test]
fn the_help_lists_the_kinds() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let help = desk.call(&["approve", "--help"]).run().expect_code(0);
    for kind in ["special-cased", "weak-tests", "executable", "unjudged"] {
        assert!(help.stdout.contains(kind), "{help}");
    }
    let schema = desk.call(&["schema"]).run().expect_code(0);
    let schema: Value = serde_json::from_str(&schema.stdout).unwrap();
    assert!(schema.to_string().contains("special-cased"), "{}", json!(schema));
}

/// Runs whose gate makes every experiment, which takes its time.
mod slow {
    use super::*;

    const FULL: &str = "[gates]\nrepeats = 1\nprobe = \"full\"\n";
    const TESTS: &str = "from calc import net\n\n\ndef test_net():\n    assert net(119, 1) == 100\n    assert net(238, 3) == 201\n\n\ndef test_more():\n    assert net(595, 7) == 504\n";

    /// What was asked when the run stopped, which it must have done.
    fn asked(desk: &Desk, files: &[(&str, &str)]) -> Vec<String> {
        let head = desk.repo.head();
        let scenario = Scenario::new()
            .tests(1, &[("tests/test_net.py", TESTS)])
            .code(1, files)
            .code(2, files)
            .code(3, files)
            .review_ok();
        let story = desk.played(&scenario, &[&["add", "net"], QUICK]);
        let story = story.ends("AWAITING_APPROVAL", 3);
        desk.untouched(&head);
        let raised = story.named("approval-asked")[0]["raised"].clone();
        let text = |one: &Value| one["text"].as_str().unwrap_or_default().to_owned();
        raised.as_array().unwrap().iter().map(text).collect()
    }

    #[test]
    fn work_that_holds_only_where_the_tests_start_does_not_land_with_yes() {
        let Some(desk) = Desk::with(FULL) else { return };
        let code = format!(
            "{CALC}\n\ndef net(gross, parts):\n    with open(\"rate.txt\") as file:\n        rate = int(file.read())\n    return -(-gross * 100 // (100 + rate) // parts) * parts\n"
        );
        let asked = asked(&desk, &[("calc.py", &code), ("rate.txt", "19\n")]);
        assert!(asked.iter().any(|text| text.contains("another folder to start in")), "{asked:?}");
    }

    #[test]
    fn a_refusal_that_goes_along_does_not_land_with_yes() {
        let refusing =
            "\n\ndef share(a, b):\n    if b < 1:\n        raise ValueError(b)\n    return a // b\n";
        let Some(desk) = Desk::with(FULL) else { return };
        desk.repo.file("calc.py", &format!("{CALC}{refusing}")).commit("share");
        let code = format!(
            "{CALC}{}\n\ndef net(gross, parts):\n    return -(-gross * 100 // 119 // parts) * parts\n",
            refusing.replace("    if b < 1:\n        raise ValueError(b)\n", "")
        );
        let asked = asked(&desk, &[("calc.py", &code)]);
        assert!(asked.iter().any(|text| text.contains("is gone")), "{asked:?}");
    }
}
