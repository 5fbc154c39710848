//! What a person does: approve, send back, cancel, resume, abort, detach; and the ways to land.

use super::rows::{CALC, Desk, ONCE, QUICK, SUB_TEST, honest, with_sub};
use proctor_testkit::{RepoBuilder, Scenario, missing};
use serde_json::{Value, json};

#[test]
fn work_whose_base_moved_is_proven_again_before_it_lands() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let call = desk.call(&["add", "sub", "--no-refactor", "--format", "json"]).mock(&honest());
    let story = desk.told(call.run()).ends("AWAITING_APPROVAL", 3);
    let id = story.run();
    desk.repo.file("README.md", "# calc\n").commit("readme");
    let moved = desk.repo.head();
    let first = desk.json(&["approve", &id]);
    assert_eq!(first.named("base-moved").len(), 1, "{}", first.ran);
    assert_eq!(first.named("green-proven").len(), 1, "{}", first.ran);
    // The tree that was approved is not the tree that would land: a person looks again.
    let first = first.ends("AWAITING_APPROVAL", 3);
    assert_eq!(desk.repo.head(), moved);
    desk.json(&["approve", &first.run()]).ends("SUCCESS", 0);
    assert_eq!(desk.repo.git(&["rev-parse", "HEAD^"]), moved);
    assert_eq!(desk.repo.read("calc.py"), with_sub("return a - b"));
    assert_eq!(desk.repo.git(&["status", "--porcelain"]), "");
    // At most once.
    desk.call(&["approve", &id]).run().expect_code(2);
}

#[test]
fn a_detached_run_can_be_listed_shown_approved_and_logged() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let call = desk.call(&["add", "sub", "--id", "far", "--no-refactor", "--detach"]);
    let ran = call.mock(&honest()).run().expect_code(0);
    let id = ran.stdout.trim().to_owned();
    assert!(id.starts_with("far") && !id.contains(char::is_whitespace), "only the id:\n{ran}");
    // Looks on until nobody drives it.
    desk.call(&["log", "-f", &id]).run().expect_code(0);
    let list = desk.call(&["list"]).run().expect_code(0);
    assert!(list.stdout.contains(&id) && list.stdout.contains("AWAITING_APPROVAL"), "{list}");
    let show = desk.call(&["show", "far"]).run().expect_code(0);
    assert!(show.stdout.contains("tests/test_sub.py::test_sub"), "{show}");
    let diff = desk.call(&["diff", &id]).run().expect_code(0);
    assert!(diff.stdout.contains("+    return a - b"), "{diff}");
    desk.json(&["approve", &id]).ends("SUCCESS", 0);
    let log = desk.call(&["log", &id, "--format", "json"]).run().expect_code(0);
    assert!(log.events().iter().any(|event| event["event"] == "landed"), "{log}");
    assert!(!desk.call(&["list"]).run().expect_code(0).stdout.contains(&id));
    desk.call(&["show", "nobody"]).run().expect_code(2);
}

#[test]
fn a_person_sends_the_work_back_with_a_reason() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let scenario =
        honest().code(2, &[("calc.py", &with_sub("\"\"\"Less.\"\"\"\n    return a - b"))]);
    let call = desk.call(&["add", "sub", "--no-refactor", "--format", "json"]).mock(&scenario);
    let id = desk.told(call.run()).ends("AWAITING_APPROVAL", 3).run();
    desk.call(&["send-back", &id, "--why", " "]).run().expect_code(2);
    let story = desk.json(&["send-back", &id, "--why", "say what it does"]);
    let story = story.ends("AWAITING_APPROVAL", 3);
    assert_eq!(story.asked(), ["implement 2.1", "review 2.1"]);
    assert!(story.prompt("implement 2.1").contains("say what it does"));
    desk.json(&["approve", &id]).ends("SUCCESS", 0);
    assert!(desk.repo.read("calc.py").contains("Less."));
}

#[test]
fn a_cancelled_run_keeps_everything_and_goes_on_and_an_aborted_one_is_saved() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let head = desk.repo.head();
    let slow = Scenario::new().tests(1, &[("tests/test_sub.py", SUB_TEST)]).turn(json!({
        "phase": "implement", "sleep_ms": 60_000,
        "output": {"status": "READY_FOR_REVIEW", "fix_description": "", "notes": ""},
    }));
    let call = desk.call(&["add", "sub", "--id", "slow", "--format", "json"]).args(QUICK);
    let mut running = call.mock(&slow).spawn();
    running.until("the coder's turn", |out, _| out.contains("\"phase\":\"implement\""));
    desk.call(&["cancel", "slow"]).run().expect_code(0);
    let story = desk.told(running.wait()).ends("INTERRUPTED", 130);
    assert!(story.worktree().join("tests/test_sub.py").is_file());
    desk.untouched(&head);
    // The scenario is the run's own file: what it says is read again at each turn.
    honest().save(story.ran.events()[0]["brief"]["agents"]["coder"]["file"].as_str().unwrap());
    let again = desk.json(&["resume", "slow"]).ends("SUCCESS", 0);
    assert_eq!(again.asked(), ["implement 1.1", "review 1.1"]);

    let call = desk.call(&["add", "mod", "--id", "gone", "--format", "json"]).args(QUICK);
    let mut running = call.mock(&slow).spawn();
    running.until("the tester's turn", |out, _| out.contains("\"event\":\"prepared\""));
    desk.call(&["abort", "gone"]).run().expect_code(0);
    let story = desk.told(running.wait()).ends("ABORTED", 7);
    assert!(!story.worktree().exists());
    assert_eq!(desk.repo.git(&["branch", "--format=%(refname:short)"]), "main");
    desk.call(&["resume", "gone"]).run().expect_code(2);
}

#[test]
fn ctrl_c_is_an_interruption_that_resume_goes_on_from() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let slow = Scenario::new().turn(json!({"phase": "write_tests", "sleep_ms": 60_000}));
    let call = desk.call(&["fix", "it", "--id", "stop", "--format", "json"]).args(QUICK);
    let mut running = call.mock(&slow).spawn();
    running.until("the tester's turn", |out, _| out.contains("\"phase\":\"write_tests\""));
    running.interrupt();
    let story = desk.told(running.wait()).ends("INTERRUPTED", 130);
    let file = story.ran.events()[0]["brief"]["agents"]["tester"]["file"].clone();
    Scenario::new().discards(1, "after all").save(file.as_str().unwrap());
    // Without a name every run that can go on goes on.
    desk.json(&["resume"]).ends("DISCARDED", 5);
}

#[test]
fn local_changes_in_the_way_refuse_the_landing_with_a_hint_and_are_never_touched() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let head = desk.repo.head();
    desk.repo.file("calc.py", &format!("{CALC}# mine, not committed\n"));
    let story = desk.played(&honest(), &[&["add", "sub"], QUICK]).ends("BLOCKED", 4);
    assert!(
        story.reason().contains("hint:") && story.reason().contains("calc.py"),
        "{}",
        story.reason()
    );
    assert_eq!(desk.repo.head(), head);
    assert!(desk.repo.read("calc.py").ends_with("# mine, not committed\n"));
    // Out of the way, it lands.
    desk.repo.git(&["checkout", "--quiet", "--", "calc.py"]);
    desk.json(&["resume", &story.run()]).ends("SUCCESS", 0);
    assert_eq!(desk.repo.read("calc.py"), with_sub("return a - b"));
}

#[test]
fn a_run_in_a_subfolder_works_there_and_lands_there() {
    let repo = RepoBuilder::new();
    repo.file("apps/calc/calc.py", CALC)
        .file(
            "apps/calc/tests/test_calc.py",
            "from calc import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n",
        )
        .file("apps/calc/pyproject.toml", "[tool.pytest.ini_options]\npythonpath = [\".\"]\n")
        .file("proctor.toml", ONCE)
        .commit("two levels");
    let Some(desk) = Desk::over(repo) else { return };
    let story = desk.played(&honest(), &[&["add", "sub", "--subdir", "apps/calc"], QUICK]);
    story.ends("SUCCESS", 0);
    assert_eq!(desk.repo.read("apps/calc/calc.py"), with_sub("return a - b"));
    assert_eq!(desk.repo.read("apps/calc/tests/test_sub.py"), SUB_TEST);
    let ran = desk.call(&["add", "sub", "--subdir", "no/such"]).args(QUICK).mock(&honest()).run();
    assert!(ran.code == 2 || ran.code == 4, "{ran}");
    assert!(ran.stderr.contains("hint:") || ran.stdout.contains("hint:"), "{ran}");
}

#[test]
fn wrong_usage_creates_nothing_and_says_what_to_do() {
    let Some(desk) = Desk::with("") else { return };
    desk.repo.file(".env", "KEY=1\n").file("big.txt", &"x".repeat(101 * 1024));
    for args in [
        &["fix", "it", "--context", ".env", "--yes"][..],
        &["fix", "it", "--context", "big.txt", "--yes"],
        &["fix", "it", "--context", "../outside.txt", "--yes"],
        &["fix", "it", "--context", "nothing.py", "--yes"],
        &["fix", "it", "--tests", "nothing.py", "--yes"],
        &["fix", "it", "--base", "no-such-rev", "--yes"],
        &["fix", "it", "--type", "cake", "--yes"],
        &["fix", "it", "--max-time", "soon", "--yes"],
        &["fix", "", "--yes"],
        &["bake", "it"],
    ] {
        let ran = desk.call(args).mock(&honest()).run().expect_code(2);
        assert_eq!(ran.stdout, "", "{ran}");
        assert!(!ran.stderr.is_empty());
    }
    for role in ["cook=x", "coder=nobody"] {
        let args = ["fix", "it", "--agent-cmd", "true", "--role", role];
        let ran = desk.call(&args).run().expect_code(2);
        assert!(ran.stderr.contains("hint:"), "{ran}");
    }
    desk.repo.file("proctor.toml", "[limits]\ngren = 3\n").commit("a slip");
    let ran = desk.call(&["fix", "it", "--yes"]).mock(&honest()).run().expect_code(2);
    assert!(ran.stderr.contains("gren") && ran.stderr.contains("green"), "{ran}");
    let listed = desk.call(&["list", "--all", "--format", "json"]).run().expect_code(0);
    assert_eq!(listed.events(), Vec::<Value>::new());
    assert!(!desk.env.home().join("worktrees").exists());
}

#[test]
fn the_loop_is_the_same_with_cargo() {
    if missing("cargo") {
        return;
    }
    let repo = RepoBuilder::rust_calc();
    repo.file("proctor.toml", ONCE).commit("proctor.toml");
    let Some(desk) = Desk::over(repo) else { return };
    let lib = desk.repo.read("src/lib.rs");
    let sub = |body: &str| {
        lib.replacen(
            "#[cfg(test)]",
            &format!("pub fn sub(a: i64, b: i64) -> i64 {{\n    {body}\n}}\n\n#[cfg(test)]"),
            1,
        )
    };
    let tests =
        "use calc::sub;\n\n#[test]\nfn sub_takes_away() {\n    assert_eq!(sub(7, 3), 4);\n}\n";
    let scenario = Scenario::new()
        .tests(
            1,
            &[(
                "tests/sub.rs",
                "#[test]\nfn sub_takes_away() {\n    assert_eq!(calc::add(7, 3), 10);\n}\n",
            )],
        )
        .turn(json!({
            "phase": "write_tests", "write": {"tests/sub.rs": tests, "src/lib.rs": sub("a - b")},
            "output": {"status": "PREPARED_FOR_FIX", "test_file_path": "tests/sub.rs", "notes": ""},
        }))
        .code(1, &[("src/lib.rs", &sub("a + b"))])
        .code(2, &[("src/lib.rs", &sub("a - b"))])
        .review_ok();
    let story = desk.played(&scenario, &[&["add", "sub"], QUICK]).ends("SUCCESS", 0);
    assert_eq!(story.faults("red-refused"), ["passed-too-early"]);
    assert!(story.turns("write_tests")[1]["put_back"].to_string().contains("src/lib.rs"));
    assert_eq!(story.faults("green-refused"), ["still-red"]);
    let prompt = story.prompt("implement 2.1");
    assert!(prompt.contains("left: 10") && prompt.contains("right: 4"), "{prompt}");
    assert_eq!(desk.repo.read("src/lib.rs"), sub("a - b"));
}

#[cfg(test)]
mod slow {
    use super::*;

    // S1-16
    #[test]
    fn only_the_typed_word_approves_and_anything_else_leaves_the_run_waiting() {
        let Some(desk) = Desk::with(ONCE) else { return };
        let head = desk.repo.head();
        let start = |word: Option<&str>| {
            let call =
                desk.call(&["add", "sub", "--no-refactor", "--format", "json"]).mock(&honest());
            desk.told(match word {
                Some(word) => call.stdin(word).run(),
                None => call.run(),
            })
        };
        let story = start(None).ends("AWAITING_APPROVAL", 3);
        assert!(story.ran.stderr.contains("red before, green now"), "{}", story.ran);
        desk.untouched(&head);
        start(Some("yes\n")).ends("AWAITING_APPROVAL", 3);
        desk.untouched(&head);
        let aborted = start(Some("abort\n")).ends("ABORTED", 7);
        desk.untouched(&head);
        assert!(!aborted.worktree().exists());
        assert!(aborted.named("saved")[0]["rescue"].is_string());
        let approved = start(Some("approve\n")).ends("SUCCESS", 0);
        assert_eq!(approved.named("approved")[0]["by"], "person");
        assert_eq!(desk.repo.read("calc.py"), with_sub("return a - b"));

        // The first run proved another base: it is rebased and proven again, and asks again.
        let listed = desk.call(&["list", "--format", "json"]).run().expect_code(0);
        let rows = listed.events();
        assert_eq!(rows.len(), 2, "{listed}");
        assert!(rows.iter().all(|row| row.to_string().contains("AWAITING_APPROVAL")), "{listed}");
    }

    #[test]
    fn a_base_that_moves_under_a_run_with_yes_is_proven_again_and_a_conflict_asks_a_person() {
        let Some(desk) = Desk::with(ONCE) else { return };
        let lands = |id: &str, meddle: &dyn Fn()| {
            let slow = Scenario::new()
                .turn(json!({
                    "phase": "review", "sleep_ms": 4000,
                    "output": {"status": "SUCCESS", "reason": null, "notes": ""},
                }))
                .tests(1, &[(&format!("tests/test_{id}.py"), SUB_TEST)])
                .code(1, &[("calc.py", &with_sub("return a - b"))]);
            let call = desk.call(&["add", "sub", "--id", id, "--format", "json"]).args(QUICK);
            let mut running = call.mock(&slow).spawn();
            running.until("the review", |out, _| out.contains("\"phase\":\"review\""));
            meddle();
            desk.told(running.wait())
        };
        let story = lands("clash", &|| {
            desk.repo.file("calc.py", &CALC.replace("a * b", "b * a")).commit("mul the other way");
            desk.repo
                .file("calc.py", &format!("{CALC}\n\ndef neg(a):\n    return -a\n"))
                .commit("neg");
        });
        let story = story.ends("BLOCKED", 4);
        assert!(
            story.reason().contains("calc.py") && story.reason().contains("hint:"),
            "{}",
            story.reason()
        );
        assert!(story.worktree().join("calc.py").is_file(), "the work is kept");
        desk.repo.file("calc.py", CALC).commit("as it was");

        let story = lands("moved", &|| {
            desk.repo.file("README.md", "# calc\n").commit("readme");
        });
        let story = story.ends("SUCCESS", 0);
        assert_eq!(story.named("base-moved").len(), 1);
        assert_eq!(story.named("green-proven").len(), 2, "proven again on the new base");
        assert_eq!(desk.repo.git(&["log", "-1", "--skip=1", "--format=%s"]), "readme");
        assert_eq!(desk.repo.git(&["status", "--porcelain"]), "");
    }

    #[test]
    fn every_way_to_land_leaves_the_refs_that_were_asked_for() {
        let Some(desk) = Desk::with(ONCE) else { return };
        let land = |mode: &str, n: usize| {
            let name = format!("f{n}");
            let test =
                format!("import calc\n\n\ndef test_{name}():\n    assert calc.{name}() == {n}\n");
            let code = format!(
                "{}\n\ndef {name}():\n    return {n}\n",
                desk.repo.read("calc.py").trim_end()
            );
            let scenario = Scenario::new()
                .tests(1, &[(&format!("tests/test_{name}.py"), &test)])
                .code(1, &[("calc.py", &code)])
                .review_ok();
            desk.played(&scenario, &[&["add", &name, "--id", &name, "--land", mode], QUICK])
                .ends("SUCCESS", 0)
        };
        let parents = || desk.repo.git(&["log", "-1", "--format=%P"]).split(' ').count();
        let base = desk.repo.head();
        let squash = land("squash", 1);
        assert_eq!(desk.repo.git(&["rev-parse", "HEAD^"]), base);
        assert_eq!(squash.ran.finished()["commit"], desk.repo.head());
        land("merge", 2);
        assert_eq!(parents(), 2);
        let before = desk.repo.head();
        land("rebase", 3);
        let subjects = desk.repo.git(&["log", "--format=%s", &format!("{before}..HEAD")]);
        assert_eq!(subjects, "feat: f3\ntest: specify f3");
        let head = desk.repo.head();
        let branch = land("branch", 4).ran.finished()["branch"].as_str().unwrap().to_owned();
        assert_eq!(desk.repo.head(), head);
        assert!(branch.starts_with("proctor/f4"), "{branch}");
        assert!(desk.repo.git(&["show", &format!("{branch}:calc.py")]).contains("def f4"));
        assert_eq!(desk.repo.git(&["status", "--porcelain"]), "");
    }
}
