//! Agents that misbehave: what they do to their keeper, their folder, their output and the time after their turn.

use proctor_testkit::{Ran, RepoBuilder, TestEnv, missing, processes_left_after};
use std::time::Duration;

/// A command agent that does its job, after `first` was done in the first ask of the turn that it names.
fn agent(env: &TestEnv, phase: &str, first: &str) -> String {
    let path = env.user_home().join("agent.py");
    let text = format!(
        r#"import json, os, shutil, signal, subprocess, sys
phase, attempt, ask = (os.environ[name] for name in ("PROCTOR_PHASE", "PROCTOR_ATTEMPT", "PROCTOR_ASK"))
out, here = os.environ["PROCTOR_OUTPUT"], os.getcwd()
if (phase, attempt, ask) == ("{phase}", "1", "1"):
{first}
def done(**answer):
    with open(out, "w") as file:
        json.dump(answer, file)
if phase == "write_tests":
    with open(os.path.join(here, "tests", "test_slug.py"), "w") as file:
        file.write("from calc import slugify\n\n\ndef test_slug():\n    assert slugify('A B') == 'a-b'\n")
    done(status="PREPARED_FOR_FIX", test_file_path="tests/test_slug.py", notes="n")
elif phase == "implement":
    os.makedirs(here, exist_ok=True)
    with open(os.path.join(here, "calc.py"), "w") as file:
        file.write("def add(a, b):\n    return a + b\n\n\ndef mul(a, b):\n    return a * b\n\n\n")
        file.write("def slugify(text):\n    return text.lower().replace(' ', '-')\n")
    done(status="READY_FOR_REVIEW", fix_description="d", notes="n")
elif phase == "refactor":
    done(refactored=False, notes="n")
else:
    done(status="SUCCESS", reason=None, notes="n")
"#
    );
    std::fs::write(&path, text).unwrap();
    format!("python3 {}", path.display())
}

fn run(phase: &str, first: &str) -> Option<(TestEnv, RepoBuilder, Ran)> {
    run_at("best", phase, first)
}

fn run_at(level: &str, phase: &str, first: &str) -> Option<(TestEnv, RepoBuilder, Ran)> {
    if missing("pytest") {
        return None;
    }
    Some(run_in(RepoBuilder::python_calc(), level, (phase, first)))
}

fn run_in(
    repo: RepoBuilder,
    level: &str,
    (phase, first): (&str, &str),
) -> (TestEnv, RepoBuilder, Ran) {
    let env = TestEnv::new(env!("CARGO_BIN_EXE_proctor")).env("PROCTOR_SANDBOX", level);
    let command = agent(&env, phase, first);
    let args =
        ["add", "a slugify function", "--id", "slug", "--yes", "--no-refactor", "--format", "json"];
    let ran = env.call(repo.path()).args(&args).args(&["--agent-cmd", &command]).run();
    let left = processes_left_after(env.home(), Duration::from_secs(5));
    assert!(left.is_empty(), "{left:?}");
    (env, repo, ran)
}

#[test]
fn an_agent_that_kills_its_keeper_has_only_failed_its_own_turn() {
    let first = "    os.kill(os.getppid(), signal.SIGKILL)\n    signal.pause()\n";
    let Some((_env, _repo, ran)) = run_at("none", "write_tests", first) else { return };
    assert_eq!(ran.events_named("asked-again").len(), 1, "{ran}");
    assert_eq!(ran.finished()["status"], "SUCCESS");
}

#[test]
fn an_agent_in_a_strong_sandbox_can_not_kill_its_keeper() {
    if missing("bwrap") {
        return;
    }
    let first = "    os.kill(os.getppid(), signal.SIGKILL)\n";
    let Some((_env, _repo, ran)) = run("write_tests", first) else { return };
    assert_eq!(ran.events_named("asked-again").len(), 0, "{ran}");
    assert_eq!(ran.finished()["status"], "SUCCESS");
}

/// Fails its turn where anything of it works.
const UNSEAL: &str = r#"    ways = [lambda: open("tests/test_slug.py", "a"), lambda: os.remove("tests/test_slug.py"),
            lambda: os.replace("calc.py", "tests/test_slug.py"), lambda: os.chmod("tests/test_slug.py", 0o777)]
    for way in ways:
        try:
            way()
        except OSError:
            continue
        sys.exit(9)
    assert "def test_slug" in open("tests/test_slug.py").read()
"#;

#[test]
fn sealed_tests_can_not_even_be_written_where_the_project_says_so() {
    if missing("bwrap") || missing("pytest") {
        return;
    }
    for (settings, asked_again) in [("seal_mounts = true", 0), ("seal_mounts = false", 1)] {
        let repo = RepoBuilder::python_calc();
        repo.file("proctor.toml", &format!("[sandbox]\n{settings}\n")).commit("settings");
        let (_env, _repo, ran) = run_in(repo, "best", ("implement", UNSEAL));
        assert_eq!(ran.events_named("asked-again").len(), asked_again, "{settings}: {ran}");
        assert_eq!(ran.finished()["status"], "SUCCESS");
    }
}

#[test]
fn an_agent_that_never_stops_talking_is_noted_in_part_and_kept_whole() {
    let first = "    print('x' * 5_000_000)\n    for n in range(50_000):\n        print('line', n)\n    sys.stdout.flush()\n";
    let Some((env, repo, ran)) = run("write_tests", first) else { return };
    let finished = ran.finished();
    assert_eq!(finished["status"], "SUCCESS", "{}", ran.stderr);
    let run = finished["run"].as_str().unwrap();
    let log = env.proctor(repo.path(), &["log", run, "--verbose"]).expect_code(0).stdout;
    assert!(log.len() < 40_000_000, "{} bytes", log.len());
    assert!(log.contains("is only in"), "it says where the rest is");
    let logs = env.home().join("runs").join(run).join("logs");
    let whole = std::fs::read_dir(logs)
        .unwrap()
        .map(|folder| folder.unwrap().path().join("agent.stdout"))
        .filter_map(|file| std::fs::metadata(file).ok())
        .map(|about| about.len())
        .max();
    assert!(whole > Some(5_400_000), "{whole:?}");
}

#[test]
fn what_an_agent_leaves_running_ends_with_its_turn() {
    let late = "import os, time\nos.setsid()\ntime.sleep(2)\nopen('calc.py', 'a').write('raise SystemExit')\n";
    let late = serde_json::to_string(late).unwrap();
    let first =
        format!("    subprocess.Popen([sys.executable, '-c', {late}], stdin=subprocess.DEVNULL)\n");
    let Some((_env, repo, ran)) = run("implement", &first) else { return };
    assert_eq!(ran.finished()["status"], "SUCCESS", "{ran}");
    assert!(!repo.read("calc.py").contains("SystemExit"));
}

#[test]
fn an_agent_that_leaves_pipes_links_and_floods_is_told_and_nothing_waits() {
    let first = "    os.mkfifo(os.path.join(here, 'tests', 'pipe.py')); os.symlink('/etc/passwd', os.path.join(here, 'tests', 'data.txt')); os.symlink('../../../x', os.path.join(here, 'tests', 'up')); os.remove(out); os.mkfifo(out); sys.exit(0)\n";
    let Some((_env, repo, ran)) = run("write_tests", first) else { return };
    // A pipe is no answer, and is not waited for.
    assert_eq!(ran.events_named("asked-again").len(), 1, "{ran}");
    assert_eq!(ran.finished()["status"], "SUCCESS", "{ran}");
    assert!(std::fs::symlink_metadata(repo.path().join("tests/data.txt")).is_err());
    assert!(ran.stdout.contains("a link may not lead out of the tree"), "{ran}");
    let first = "    open(os.path.join(here, 'tests', 'huge.bin'), 'wb').truncate(10 << 30)\n";
    let Some((_env, _repo, ran)) = run("write_tests", first) else { return };
    assert_eq!(ran.events_named("asked-again").len(), 1, "{ran}");
    assert!(ran.stdout.contains("10737418240 bytes"), "{ran}");
    assert_eq!(ran.finished()["status"], "SUCCESS", "{ran}");
}

#[test]
fn an_agent_whose_output_is_a_bomb_is_asked_again_and_its_escapes_reach_no_terminal() {
    // Other bombs are tried without a run, in the tests of the reader.
    let first = "    open(out, 'w').write('{\"a\":' * 1_000_000)\n    print('\\x1b]0;owned\\x07\\x1b[2J')\n    sys.exit(0)\n";
    let Some((env, repo, ran)) = run("write_tests", first) else { return };
    assert_eq!(ran.events_named("asked-again").len(), 1, "{}", ran.stderr);
    assert_eq!(ran.finished()["status"], "SUCCESS");
    let log = env.proctor(repo.path(), &["log", "slug", "--verbose"]).expect_code(0);
    assert!(log.stdout.contains("owned") && !log.stdout.contains('\u{1b}'), "{log}");
}

#[cfg(test)]
mod slow {
    use super::*;

    #[test]
    fn an_agent_that_removes_its_own_folder_finds_it_again() {
        let first = "    shutil.rmtree(here)\n    os.makedirs(os.path.join(here, 'tests'))\n";
        for phase in ["write_tests", "implement"] {
            let Some((_env, repo, ran)) = run(phase, first) else { return };
            assert_eq!(ran.finished()["status"], "SUCCESS", "{phase}: {ran}");
            assert!(repo.read("tests/test_calc.py").contains("test_add"), "{phase}");
        }
    }
}
