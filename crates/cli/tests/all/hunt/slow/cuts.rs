//! kill -9 at every point of a hunt that fixes a bug, in the run too. Slow.

use crate::hunt::{KILLED, env, exported, forget, hunt, read, repo, whole};
use proctor_testkit::{RepoBuilder, TestEnv, missing, processes_left_after};
use serde_json::{Value, json};
use std::time::Duration;

fn notebook(env: &TestEnv, repo: &RepoBuilder) -> (Value, String) {
    let folder = exported(env, repo);
    let mut all = json!([
        read(&folder, "bugs.json"),
        read(&folder, "fixes.json"),
        read(&folder, "entrypoints.json")
    ]);
    forget(&mut all, &["created_at", "run", "at", "commit"]);
    (all, std::fs::read_to_string(folder.join("bugs/bug-1.md")).unwrap())
}

#[test]
fn s2_24_a_fix_that_is_cut_at_every_point_lands_once_and_leaves_the_same_notebook() {
    if missing("pytest") {
        return;
    }
    let scenario = whole();
    let flags = ["--entry", "stats.py", "--yes"];
    let (whole_env, whole_repo) = (env(), repo());
    hunt(&whole_env, &whole_repo, &scenario, &flags).expect_code(0);

    let (cut, cut_repo) = (env(), repo());
    let (steps, points) = (cut.home().join("steps"), cut.home().join("points"));
    let mut cuts = 0;
    loop {
        let call = cut.call(cut_repo.path()).mock(&scenario).env("PROCTOR_CRASH_HUNT", &steps);
        let call = call.env("PROCTOR_CRASH_ONCE", &points).args(&["hunt", "--format", "json"]);
        let ran = call.args(&flags).run();
        if ran.code != KILLED {
            assert_eq!(ran.code, 0, "{ran}");
            break;
        }
        cuts += 1;
        assert!(cuts < 600, "it never ends: {ran}");
        let seen = std::fs::read_to_string(&steps).unwrap_or_default();
        if seen.contains("hunt-ended") {
            break;
        }
    }
    assert!(cuts >= 60, "{cuts} cuts");
    assert_eq!(notebook(&cut, &cut_repo), notebook(&whole_env, &whole_repo));
    assert_eq!(cut_repo.git(&["rev-list", "--count", "main"]), "3", "one landing");
    let left = processes_left_after(cut.home(), Duration::from_secs(10));
    assert!(left.is_empty(), "processes left: {left:?}");
}
