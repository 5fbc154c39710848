//! Landing: each way leaves its own shape of history; a base that moved is proven again; what would lose something
//! of the user's is refused and can be resumed.

use super::place::{CALC, Place, SUB, SUB_TEST, scenario_of};
use crate::steering::agent::Agent;
use proctor_testkit::Ran;
use serde_json::json;

/// The subjects of the commits of a range, newest first.
fn subjects(place: &Place, range: &str) -> Vec<String> {
    let out = place.repo.git(&["log", "--first-parent", "--format=%s", range]);
    out.lines().map(str::to_owned).collect()
}

fn parents(place: &Place, rev: &str) -> usize {
    place.repo.git(&["log", "-1", "--format=%P", rev]).split_whitespace().count()
}

/// A blocked run: exit code 4, these words, a hint, and a way on.
#[track_caller]
fn blocked(ran: Ran, says: &[&str]) -> Ran {
    let ran = ran.expect_code(4);
    assert!(ran.stdout.contains("BLOCKED"), "{ran}");
    for text in says {
        assert!(ran.stdout.contains(text), "`{text}` was expected:\n{ran}");
    }
    assert!(ran.stdout.contains("hint: "), "{ran}");
    ran
}

// S1-11, S4-13
#[test]
fn squash_is_one_commit_that_says_what_was_proven() {
    let Some(place) = Place::python() else { return };
    let base = place.repo.head();
    let ran = place.add(&["--yes"]).run().expect_code(0);
    assert!(ran.stdout.contains("Success: Feature merged."), "{ran}");
    assert_eq!(subjects(&place, &format!("{base}..main")), ["a sub function"]);
    assert_eq!(parents(&place, "main"), 1);
    let message = place.repo.git(&["log", "-1", "--format=%B"]);
    assert!(message.contains("a sub function"), "{message}");
    assert!(message.contains(&format!("Proctor-Run: {}", place.run_id())), "{message}");
    assert_eq!(place.repo.git(&["branch", "--format=%(refname:short)"]), "main");
    assert_eq!(place.repo.git(&["status", "--porcelain"]), "");
    assert_eq!(place.worktrees(), Vec::<String>::new());
    place.assert_quiet();
}

#[test]
fn rebase_keeps_a_commit_for_each_phase() {
    let Some(place) = Place::python() else { return };
    let base = place.repo.head();
    place.add(&["--yes", "--land", "rebase"]).run().expect_code(0);
    assert_eq!(subjects(&place, &format!("{base}..main")), ["feat: T-1", "test: specify T-1"]);
    assert_eq!(place.repo.git(&["diff", "--name-only", "main~2", "main~1"]), "tests/test_sub.py");
    assert_eq!(place.repo.git(&["diff", "--name-only", "main~1", "main"]), "calc.py");
    assert_eq!(place.repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn merge_is_a_merge_commit_over_the_commits_of_the_phases() {
    let Some(place) = Place::python() else { return };
    let base = place.repo.head();
    place.add(&["--yes", "--land", "merge"]).run().expect_code(0);
    assert_eq!(parents(&place, "main"), 2);
    assert_eq!(place.repo.git(&["rev-parse", "main^1"]), base);
    assert_eq!(subjects(&place, &format!("{base}..main^2")), ["feat: T-1", "test: specify T-1"]);
    assert_eq!(place.repo.git(&["diff", "main^2", "main"]), "");
    assert_eq!(place.repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn branch_leaves_the_work_on_a_branch_and_everything_else_as_it_was() {
    let Some(place) = Place::python() else { return };
    // What the work changes is changed here too: nothing can clash, because nothing is checked out.
    place.repo.file("calc.py", "half done\n");
    let before = place.mine();
    let args = ["--yes", "--land", "branch", "--branch", "feat/sub"];
    let ran = place.add(&args).run().expect_code(0);
    assert!(ran.stdout.contains("feat/sub"), "{ran}");
    assert_eq!(subjects(&place, "main..feat/sub"), ["feat: T-1", "test: specify T-1"]);
    let again = place.add(&args).run().expect_code(2);
    assert!(again.stderr.contains("the branch feat/sub is already there"), "{again}");
    place.repo.git(&["branch", "-D", "feat/sub"]);
    assert_eq!(place.mine(), before);
}

#[test]
fn another_base_is_landed_on_where_it_is_and_the_checkout_stays() {
    let Some(place) = Place::python() else { return };
    place.repo.git(&["checkout", "--quiet", "-b", "release"]);
    place.repo.file("version.txt", "1\n").commit("release");
    place.repo.git(&["checkout", "--quiet", "main"]);
    place.repo.file("calc.py", "half done\n").file("tests/test_sub.py", "mine\n");
    let before = place.mine();
    let ran = place.add(&["--yes", "--base", "release"]).run().expect_code(0);
    assert!(ran.stdout.contains("on release"), "{ran}");
    assert!(ran.stderr.contains("was not checked out anywhere"), "{ran}");
    assert_eq!(subjects(&place, "main..release"), ["a sub function", "release"]);
    let after = place.mine();
    assert_eq!(
        (after.files, after.index, after.status),
        (before.files, before.index, before.status)
    );
    assert_eq!(after.head, "refs/heads/main");
}

#[test]
fn a_local_change_that_clashes_blocks_and_resume_lands_once_it_is_out_of_the_way() {
    let Some(place) = Place::python() else { return };
    place.repo.file("calc.py", &format!("# mine\n{CALC}"));
    let before = place.mine();
    let ran = place.add(&["--yes"]).run();
    let ran = blocked(ran, &["calc.py", "local changes would be overwritten", "commit or stash"]);
    assert!(ran.stdout.contains("proctor resume"), "{ran}");
    assert_eq!(place.mine(), before);
    // Still there: refused again, and still nothing is touched.
    let run = place.run_id();
    blocked(place.proctor(&["resume", &run]), &["calc.py"]);
    assert_eq!(place.mine(), before);
    place.repo.git(&["stash", "--quiet"]);
    let ran = place.proctor(&["resume", &run]).expect_code(0);
    assert!(ran.stdout.contains("Success: Feature merged."), "{ran}");
    assert_eq!(subjects(&place, "main~1..main"), ["a sub function"]);
    place.repo.git(&["stash", "pop", "--quiet"]);
    let text = place.repo.read("calc.py");
    assert!(text.starts_with("# mine\n") && text.ends_with(SUB), "{text}");
    assert_eq!(place.worktrees(), Vec::<String>::new());
    place.assert_quiet();
}

#[test]
fn an_untracked_file_in_the_way_blocks_and_is_kept() {
    let Some(place) = Place::python() else { return };
    place.repo.file("tests/test_sub.py", "mine = 1\n");
    let before = place.mine();
    let ran = place.add(&["--yes"]).run();
    blocked(ran, &["tests/test_sub.py", "untracked files would be overwritten"]);
    assert_eq!(place.mine(), before);
    // An ignored one is the user's work too.
    place.repo.file(".git/info/exclude", "tests/test_sub.py\n");
    let run = place.run_id();
    blocked(place.proctor(&["resume", &run]), &["tests/test_sub.py"]);
    assert_eq!(place.repo.read("tests/test_sub.py"), "mine = 1\n");
    let ran = place.proctor(&["abort", &run]).expect_code(0);
    assert!(ran.stdout.contains("Aborted by user."), "{ran}");
    assert_eq!(place.worktrees(), Vec::<String>::new());
    assert_eq!(place.shadow_refs("refs/proctor/rescue"), format!("refs/proctor/rescue/{run}"));
}

#[test]
fn a_merge_under_way_blocks_until_it_is_over() {
    let Some(place) = Place::python() else { return };
    place.repo.git(&["checkout", "--quiet", "-b", "other"]);
    place.repo.file("x.txt", "theirs\n").commit("theirs");
    place.repo.git(&["checkout", "--quiet", "main"]);
    let base = place.repo.head();
    place.repo.git(&["merge", "--quiet", "--no-commit", "--no-ff", "other"]);
    let before = place.mine();
    let ran = place.add(&["--yes"]).run();
    blocked(ran, &["a merge of main is under way"]);
    assert_eq!(place.mine(), before);
    place.repo.git(&["merge", "--abort"]);
    assert_eq!(place.repo.head(), base);
    place.proctor(&["resume", &place.run_id()]).expect_code(0);
    assert_eq!(subjects(&place, &format!("{base}..main")), ["a sub function"]);
}

#[test]
fn a_base_that_moved_is_proven_again_and_the_work_lands_on_top() {
    let Some(place) = Place::python() else { return };
    let agent = Agent::at(&place);
    agent.hold("review");
    let mut running = agent.add(&["--yes", "--land", "rebase"]).spawn();
    running.until("the review", |_, err| err.contains("| here: review"));
    place.repo.file("other.txt", "meanwhile\n").commit("meanwhile");
    let moved = place.repo.head();
    agent.release("review");
    let ran = running.wait().expect_code(0);
    assert_eq!(subjects(&place, "main~3..main"), ["feat: T-1", "test: specify T-1", "meanwhile"]);
    assert_eq!(place.repo.git(&["rev-parse", "main~2"]), moved);
    // Green twice: once on the old base, once on the new one.
    let greens = ran.stderr.matches("✓ green gate").count();
    assert!(greens >= 2, "{ran}");
    assert_eq!(place.repo.git(&["status", "--porcelain"]), "");
    assert_eq!(place.repo.read("other.txt"), "meanwhile\n");
    place.assert_quiet();
}

#[test]
fn a_base_that_moved_so_that_the_work_no_longer_holds_goes_back_to_the_coder() {
    let Some(place) = Place::python() else { return };
    place.repo.file("proctor.toml", "[limits]\ngreen = 1\n").commit("one fix is enough");
    let agent = Agent::at(&place);
    agent.hold("review");
    let mut running = agent.add(&["--yes"]).spawn();
    running.until("the review", |_, err| err.contains("| here: review"));
    // Merges cleanly, and breaks what was proven.
    place
        .repo
        .file("tests/conftest.py", "import calc\ncalc.sub = lambda a, b: 0\n")
        .commit("moved");
    let before = place.mine();
    agent.release("review");
    let ran = running.wait().expect_code(1);
    assert!(ran.stderr.contains("✓ rebased onto"), "{ran}");
    assert!(ran.stdout.contains("tests/test_sub.py::test_sub_takes_away"), "{ran}");
    assert_eq!(place.mine(), before, "{ran}");
    assert_eq!(place.shadow_refs("refs/proctor/rescue").lines().count(), 1);
    place.assert_quiet();
}

// S0-25
#[test]
fn two_runs_at_once_in_one_repository_both_land() {
    let Some(place) = Place::python() else { return };
    let base = place.repo.head();
    let other = scenario_of(
        &json!({"tests/test_neg.py": "from neg import neg\n\n\ndef test_neg():\n    assert neg(2) == -2\n"}),
        &json!({"neg.py": "def neg(a):\n    return -a\n"}),
    );
    let one = place.add(&["--yes"]).spawn();
    let two = place
        .env
        .call(place.path())
        .args(&["add", "a neg function", "--id", "T-2", "--target", "neg", "--yes"])
        .mock(&other)
        .spawn();
    one.wait().expect_code(0);
    two.wait().expect_code(0);
    let mut landed = subjects(&place, &format!("{base}..main"));
    landed.sort();
    assert_eq!(landed, ["a neg function", "a sub function"]);
    assert_eq!(place.repo.git(&["status", "--porcelain"]), "");
    assert!(
        place.path().join("neg.py").is_file() && place.path().join("tests/test_sub.py").is_file()
    );
    assert_eq!(place.worktrees(), Vec::<String>::new());
    place.assert_quiet();
}

#[test]
fn a_branch_that_the_user_left_meanwhile_moves_and_their_checkout_stays() {
    let Some(place) = Place::python() else { return };
    place.add(&[]).run().expect_code(3);
    place.repo.git(&["checkout", "--quiet", "-b", "elsewhere"]);
    place.repo.file("calc.py", "half done\n").file("tests/test_sub.py", "mine\n");
    let before = place.mine();
    let ran = place.proctor(&["approve", &place.run_id()]).expect_code(0);
    assert!(ran.stdout.contains("Success: Feature merged."), "{ran}");
    assert_eq!(subjects(&place, "elsewhere..main"), ["a sub function"]);
    let after = place.mine();
    assert_eq!(
        (after.files, after.index, after.status),
        (before.files, before.index, before.status)
    );
    assert_eq!(after.head, "refs/heads/elsewhere");
}

#[test]
fn a_conflict_with_the_moved_base_blocks_and_nothing_is_lost() {
    let Some(place) = Place::python() else { return };
    let agent = Agent::at(&place);
    agent.hold("review");
    let mut running = agent.add(&["--yes"]).spawn();
    running.until("the review", |_, err| err.contains("| here: review"));
    place
        .repo
        .file("calc.py", &format!("{CALC}\n\ndef div(a, b):\n    return a / b\n"))
        .commit("div");
    let before = place.mine();
    agent.release("review");
    blocked(running.wait(), &["calc.py", "conflict"]);
    assert_eq!(place.mine(), before);
    let run = place.run_id();
    let diff = place.proctor(&["diff", &run]).expect_code(0);
    assert!(diff.stdout.contains("+def sub(a, b):"), "{diff}");
    assert!(diff.stdout.contains(SUB_TEST.lines().next().unwrap()), "{diff}");
    place.proctor(&["abort", &run]).expect_code(0);
    assert_eq!(place.shadow_refs("refs/proctor/rescue"), format!("refs/proctor/rescue/{run}"));
    assert_eq!(place.mine(), before);
    place.assert_quiet();
}

#[test]
fn a_branch_that_was_deleted_meanwhile_blocks_and_resume_lands_when_it_is_back() {
    let Some(place) = Place::python() else { return };
    place.repo.git(&["branch", "side"]);
    place.add(&["--base", "side"]).run().expect_code(3);
    place.repo.git(&["branch", "-D", "side"]);
    let run = place.run_id();
    blocked(place.proctor(&["approve", &run]), &["side is not there any more"]);
    place.repo.git(&["branch", "side", "main"]);
    place.proctor(&["resume", &run]).expect_code(0);
    assert_eq!(subjects(&place, "main..side"), ["a sub function"]);
    // Once landed, landing again is refused and changes nothing.
    let tip = place.repo.git(&["rev-parse", "side"]);
    place.proctor(&["approve", &run]).expect_code(2);
    place.proctor(&["resume", &run]).expect_code(2);
    assert_eq!(place.repo.git(&["rev-parse", "side"]), tip);
}
