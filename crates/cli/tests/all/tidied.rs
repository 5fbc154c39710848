//! Tests that the refactoring turn tidies: they land where they are shown to ask for no less than the sealed originals, and
//! else the originals stay, with the green work.

use crate::rows::{Desk, Story};
use proctor_testkit::{RepoBuilder, Scenario, TestEnv, missing};
use std::time::Duration;

const CODE: &str = "def price(amount, pieces):\n    return amount\n";
const OLD: &str = "from shop import price\n\n\ndef test_one():\n    assert price(3, 1) == 3\n";
const RIGHT: &str = "def price(amount, pieces):\n    return amount * pieces\n";
const NEW: &str = "from shop import price\n\n\ndef test_bug_17():\n    result = price(4, 3)\n    print(result)\n    assert result == 12\n\n\ndef test_bug_17_again():\n    assert price(5, 0) == 0\n";
const TIDY: &str = "import pytest\n\nfrom shop import price\n\n\n@pytest.mark.parametrize('amount, pieces, total', [(4, 3, 12), (5, 0, 0)])\ndef test_every_piece_is_paid_for(amount, pieces, total):\n    assert price(amount, pieces) == total\n";

fn desk(config: &str) -> Option<Desk> {
    if missing("pytest") {
        return None;
    }
    let repo = RepoBuilder::new();
    repo.file("shop.py", CODE)
        .file("tests/test_shop.py", OLD)
        .file("proctor.toml", config)
        .commit("base");
    Some(Desk { env: TestEnv::new(env!("CARGO_BIN_EXE_proctor")).probing(), repo })
}

const ONCE: &str = "[gates]\nrepeats = 1\n";

fn tidied(desk: &Desk, files: &[(&str, &str)]) -> Story {
    let scenario = Scenario::new()
        .tests(1, &[("tests/test_bug.py", NEW)])
        .code(1, &[("shop.py", RIGHT)])
        .refactor(1, files)
        .review_ok();
    desk.played(&scenario, &[&["fix", "pieces don't count", "--yes"]])
}

fn landed(desk: &Desk, path: &str) -> String {
    desk.repo.git(&["show", &format!("main:{path}")]) + "\n"
}

/// The reason why tidied tests were put back, with the originals landed.
#[track_caller]
fn put_back(desk: &Desk, story: Story) -> String {
    let story = story.ends("SUCCESS", 0);
    assert!(story.named("tests-tidied").is_empty(), "{}", story.ran);
    assert_eq!(landed(desk, "tests/test_bug.py"), NEW);
    story.named("tidying-undone")[0]["why"].to_string()
}

#[test]
fn tidied_tests_that_notice_as_much_land_with_the_tidied_code() {
    let Some(desk) = desk(ONCE) else { return };
    let code = format!("\"\"\"The shop.\"\"\"\n\n\n{RIGHT}");
    let story =
        tidied(&desk, &[("tests/test_bug.py", TIDY), ("shop.py", &code)]).ends("SUCCESS", 0);
    let anchor = story.named("tests-tidied")[0]["anchor"].to_string();
    assert!(anchor.contains("test_every_piece_is_paid_for[4-3-12]"), "{anchor}");
    assert!(!anchor.contains("test_bug_17"), "{anchor}");
    assert_eq!(landed(&desk, "tests/test_bug.py"), TIDY);
    assert_eq!(landed(&desk, "shop.py"), code);
}

#[test]
fn without_mutants_nothing_can_be_shown_and_tidied_tests_are_put_back_at_once() {
    let Some(desk) = desk("[gates]\nrepeats = 1\nprobe = \"off\"\n") else { return };
    let story = tidied(&desk, &[("tests/test_bug.py", TIDY)]).ends("SUCCESS", 0);
    let turned = story.named("turned")[2]["turn"]["put_back"].to_string();
    assert!(turned.contains("tidied tests are proven with mutants"), "{turned}");
    assert_eq!(landed(&desk, "tests/test_bug.py"), NEW);
}

#[test]
fn a_refactoring_that_breaks_the_originals_is_undone_whatever_its_tests_say() {
    let Some(desk) = desk(ONCE) else { return };
    let renamed = RIGHT.replace("price", "total");
    let code = format!("{renamed}\n\ndef price(amount, pieces):\n    return total(amount, 1)\n");
    let tests = NEW.replace("price", "total");
    let story =
        tidied(&desk, &[("tests/test_bug.py", &tests), ("shop.py", &code)]).ends("BLOCKED", 4);
    assert_eq!(story.named("refactoring-undone").len(), 1);
}

#[cfg(test)]
mod slow {
    use super::*;

    #[test]
    fn tidied_tests_that_notice_less_are_put_back_and_the_tidied_code_stays() {
        let Some(desk) = desk(ONCE) else { return };
        let weak = "from shop import price\n\n\ndef test_more():\n    assert price(4, 3) > 4\n";
        let code = format!("\"\"\"The shop.\"\"\"\n\n\n{RIGHT}");
        let story = tidied(
            &desk,
            &[("tests/test_bug.py", weak), ("shop.py", &code), ("tests/helper.py", "X = 1\n")],
        );
        let turned = story.named("turned")[2]["turn"]["put_back"].to_string();
        assert!(
            turned.contains("tests/helper.py: helpers, fixtures and data of tests are sealed"),
            "{turned}"
        );
        let why = put_back(&desk, story);
        assert!(
            why.contains("go unnoticed by the tidied tests") && why.contains("shop.py:"),
            "{why}"
        );
        assert_eq!(landed(&desk, "shop.py"), code);
    }

    #[test]
    fn a_test_that_is_tidied_away_comes_back_though_the_rest_notices_the_same_mutants() {
        let Some(desk) = desk(ONCE) else { return };
        let one = NEW.split("\n\n\ndef test_bug_17_again").next().unwrap().to_owned() + "\n";
        let why = put_back(&desk, tidied(&desk, &[("tests/test_bug.py", &one)]));
        assert!(why.contains("not asked any more by the tidied tests (1)"), "{why}");
        assert!(why.contains("the equality of `0` and `0`"), "{why}");
        assert!(why.contains("test_bug_17_again at tests/test_bug.py:10"), "{why}");
    }

    #[test]
    fn tidied_tests_that_pass_on_the_old_code_are_put_back() {
        let Some(desk) = desk(ONCE) else { return };
        let early = "from shop import price\n\n\ndef test_early():\n    assert price(4, 1) == 4\n";
        let why = put_back(&desk, tidied(&desk, &[("tests/test_bug.py", early)]));
        assert!(why.contains("passed prematurely"), "{why}");
    }

    #[test]
    fn of_an_old_test_file_only_the_new_tests_may_be_tidied() {
        let Some(desk) = desk(ONCE) else { return };
        let new = "\n\ndef test_bug_17():\n    result = price(4, 3)\n    assert result == 12\n";
        let tidy = "\n\ndef test_every_piece_is_paid_for():\n    assert price(4, 3) == 12\n";
        let spoiled = OLD.replace("== 3", "> 0");
        let turn = |attempt: u32, text: String| {
            serde_json::json!({
                "phase": "refactor", "attempt": attempt, "write": {"tests/test_shop.py": text},
                "output": {"refactored": true, "notes": ""},
            })
        };
        let scenario = Scenario::new()
            .tests(1, &[("tests/test_shop.py", &format!("{OLD}{new}"))])
            .code(1, &[("shop.py", RIGHT)])
            .turn(turn(1, format!("{spoiled}{tidy}")))
            .review_rejects(1, "once more")
            .code(2, &[("shop.py", &format!("{RIGHT}# once more\n"))])
            .turn(turn(2, format!("{OLD}{tidy}")))
            .review_ok();
        let story =
            desk.played(&scenario, &[&["fix", "pieces don't count", "--yes"]]).ends("SUCCESS", 0);
        let turned = story.named("turned")[2]["turn"]["put_back"].to_string();
        assert!(turned.contains("of a file that was there before only the new tests"), "{turned}");
        assert_eq!(story.named("tests-tidied").len(), 1);
        assert_eq!(landed(&desk, "tests/test_shop.py"), format!("{OLD}{tidy}"));
    }

    #[test]
    fn inline_rust_tests_can_be_tidied() {
        if missing("cargo") {
            return;
        }
        let repo = RepoBuilder::rust_calc();
        let base = format!(
            "{}\npub fn price(amount: u32, _pieces: u32) -> u32 {{\n    amount\n}}\n",
            repo.read("src/lib.rs")
        );
        repo.file("src/lib.rs", &base).file("proctor.toml", ONCE).commit("price");
        let env =
            TestEnv::new(env!("CARGO_BIN_EXE_proctor")).probing().limit(Duration::from_mins(4));
        let desk = Desk { env, repo };
        let tests = |name: &str, line: &str| {
            format!(
                "\n#[cfg(test)]\nmod prices {{\n    #[test]\n    fn {name}() {{\n        {line}\n    }}\n}}\n"
            )
        };
        let code =
            base.replace("_pieces", "pieces").replace("    amount\n", "    amount * pieces\n");
        let first = tests("bug", "let r = super::price(4, 3);\n        assert_eq!(r, 12);");
        let tidy = tests("every_piece_is_paid_for", "assert_eq!(super::price(4, 3), 12);");
        let scenario = Scenario::new()
            .tests(1, &[("src/lib.rs", &format!("{base}{first}"))])
            .code(1, &[("src/lib.rs", &format!("{code}{first}"))])
            .refactor(1, &[("src/lib.rs", &format!("{code}{tidy}"))])
            .review_ok();
        let story =
            desk.played(&scenario, &[&["fix", "pieces don't count", "--yes"]]).ends("SUCCESS", 0);
        assert_eq!(story.named("tests-tidied").len(), 1, "{}", story.ran);
        assert_eq!(landed(&desk, "src/lib.rs"), format!("{code}{tidy}"));
    }

    /// kill -9 while the tidied tests are measured, before that is recorded, and right after.
    #[test]
    fn a_run_that_is_cut_while_tidied_tests_are_proven_goes_on() {
        let Some(desk) = desk(ONCE) else { return };
        let scenario = Scenario::new()
            .tests(1, &[("tests/test_bug.py", NEW)])
            .code(1, &[("shop.py", RIGHT)])
            .refactor(1, &[("tests/test_bug.py", TIDY)])
            .review_ok();
        let mut words = vec!["fix", "pieces don't count", "--yes"];
        // Whoever resumes reads the history twice, so its facts count twice.
        for at in ["7 test run 2", "14 carried out green gate", "15 tests-tidied"] {
            let ran = desk.call(&words).mock(&scenario).env("PROCTOR_CRASH_AT", at).run();
            assert_eq!(ran.code, 137, "{at}: {ran}");
            words = vec!["resume"];
        }
        desk.played(&scenario, &[&words]).ends("SUCCESS", 0);
        assert_eq!(landed(&desk, "tests/test_bug.py"), TIDY);
        assert_eq!(desk.repo.git(&["rev-list", "--count", "main"]), "2");
    }
}
