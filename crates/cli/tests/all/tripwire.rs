//! The tripwire: an agent or a test that reaches into the user's checkout is seen, said and stopped, and nothing that
//! it or anybody did there is undone.

use proctor_testkit::{Ran, RepoBuilder, TestEnv, missing};

/// A command agent that does its job; while it implements it runs `first`, with `repo` the user's checkout.
fn run(first: &str) -> Option<(TestEnv, RepoBuilder, Ran)> {
    if missing("pytest") {
        return None;
    }
    // A sandbox would keep the agent away from the checkout.
    let env = TestEnv::new(env!("CARGO_BIN_EXE_proctor")).env("PROCTOR_SANDBOX", "none");
    let repo = RepoBuilder::python_calc();
    let path = env.user_home().join("agent.py");
    let text = format!(
        r#"import json, os, pathlib, subprocess
phase, out, here = os.environ["PROCTOR_PHASE"], os.environ["PROCTOR_OUTPUT"], os.getcwd()
repo = pathlib.Path({repo:?})
def git(*args):
    clean = {{name: value for name, value in os.environ.items() if not name.startswith("GIT_")}}
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *args], cwd=repo, check=True, env=clean)
def done(**answer):
    with open(out, "w") as file:
        json.dump(answer, file)
if phase == "write_tests":
    with open(os.path.join(here, "tests", "test_slug.py"), "w") as file:
        file.write("from calc import slugify\n\n\ndef test_slug():\n    assert slugify('A B') == 'a-b'\n")
    done(status="PREPARED_FOR_FIX", test_file_path="tests/test_slug.py", notes="n")
elif phase == "implement":
    {first}
    with open(os.path.join(here, "calc.py"), "a") as file:
        file.write("\n\ndef slugify(text):\n    return text.lower().replace(' ', '-')\n")
    done(status="READY_FOR_REVIEW", fix_description="d", notes="n")
elif phase == "refactor":
    done(refactored=False, notes="n")
else:
    done(status="SUCCESS", reason=None, notes="n")
"#,
        repo = repo.path().display().to_string(),
    );
    std::fs::write(&path, text).unwrap();
    let command = format!("python3 {}", path.display());
    let args =
        ["add", "a slugify function", "--id", "slug", "--yes", "--no-refactor", "--format", "json"];
    let ran = env.call(repo.path()).args(&args).args(&["--agent-cmd", &command]).run();
    Some((env, repo, ran))
}

// S1-3, S1-37
#[test]
fn whatever_an_agent_does_to_the_checkout_stops_the_run_and_stays_as_it_is() {
    let first = [
        "(repo / 'calc.py').write_text('x = 2\\n'); git('stash')",
        "(repo / 'calc.py').write_text('x = 1\\n')",
        "(repo / '.git/hooks/post-checkout').write_text('#!/bin/sh\\n')",
        "git('config', 'core.fsmonitor', 'false')",
        "git('branch', 'planted')",
        "(repo / 'n.txt').write_text('n'); git('add', 'n.txt')",
        "git('checkout', '-q', '--detach')",
    ]
    .join("; ");
    let Some((env, repo, ran)) = run(&first) else { return };
    let finished = ran.finished();
    assert_eq!(finished["status"], "BLOCKED", "{ran}");
    assert_eq!(ran.code, 4);
    let reason = finished["reason"].as_str().unwrap();
    for named in [
        "calc.py changed",
        "n.txt is new",
        "hooks/post-checkout is new",
        "config changed",
        "refs/heads/planted is new",
        "refs/stash is new",
        "index changed",
        "HEAD changed",
    ] {
        assert!(reason.contains(named), "{named}: {reason}");
    }
    assert!(reason.contains("hint:") && reason.contains("proctor resume"), "{reason}");
    assert_eq!(ran.events_named("checkout-moved").len(), 1);
    assert_eq!(repo.read("calc.py"), "x = 1\n", "nothing is undone");
    repo.git(&["checkout", "-q", "calc.py"]);
    repo.git(&["checkout", "-q", "main"]);
    // The turn is not lost: the run goes on with what the agent made.
    let ran = env.proctor(repo.path(), &["resume", "slug", "--format", "json"]);
    assert_eq!(ran.finished()["status"], "SUCCESS", "{ran}");
    assert!(repo.read("calc.py").contains("slugify") && repo.read("n.txt") == "n");
}

#[test]
fn what_git_and_people_do_without_changing_anything_is_no_alarm() {
    let first = "[(repo / 'calc.py').touch(), git('status'), git('gc', '-q'), git('pack-refs', '--all'), (repo / '.git/FETCH_HEAD').write_text(''), git('update-ref', 'refs/remotes/origin/main', 'HEAD')]";
    let Some((_env, _repo, ran)) = run(first) else { return };
    assert_eq!(ran.finished()["status"], "SUCCESS", "{ran}");
    assert!(ran.events_named("checkout-moved").is_empty());
}
