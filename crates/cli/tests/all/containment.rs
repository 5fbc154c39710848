//! The sandbox from outside: the whole binary, real agents and tests that try to get out. What each level stops is tried
//! one by one in `crates/world`.

use proctor_testkit::{RepoBuilder, Scenario, TestEnv, missing};
use std::os::unix::fs::PermissionsExt;

fn env() -> TestEnv {
    TestEnv::new(env!("CARGO_BIN_EXE_proctor"))
}

#[test]
fn a_sandbox_that_must_be_strong_and_is_not_blocks_the_run() {
    let (env, repo) = (env(), RepoBuilder::python_calc());
    repo.file("proctor.toml", "[sandbox]\nrequire = \"strong\"\n").commit("strong");
    let mock = Scenario::new().discards(1, "no bug");
    let fix = ["fix", "x", "--format", "json"];
    let weak = env.call(repo.path()).args(&fix).env("PROCTOR_SANDBOX", "none").mock(&mock).run();
    let weak = weak.expect_code(4);
    let reason = weak.finished()["reason"].as_str().unwrap().to_owned();
    assert!(reason.contains("require says \"strong\""), "{reason}");
    let doctor = env.call(repo.path()).args(&["doctor"]).env("PROCTOR_SANDBOX", "none").run();
    let doctor = doctor.expect_code(4);
    assert!(doctor.stdout.contains("✗ sandbox: none"), "{}", doctor.stdout);
    let unknown =
        env.call(repo.path()).args(&fix).env("PROCTOR_SANDBOX", "thick").mock(&mock).run();
    assert!(unknown.expect_code(2).stderr.contains("bubblewrap, namespaces"));
}

#[test]
fn the_level_is_told_by_doctor_by_the_run_and_for_each_command() {
    if missing("pytest") || missing("bwrap") {
        return;
    }
    let (env, repo) = (env(), RepoBuilder::python_calc());
    let mock = Scenario::new().discards(1, "no bug");
    let doctor = env.proctor(repo.path(), &["doctor"]).stdout;
    assert!(doctor.contains("✓ sandbox: strong (bubblewrap)"), "{doctor}");
    for (wish, level) in [("best", "bubblewrap"), ("namespaces", "namespaces")] {
        let call = env.call(repo.path()).args(&["fix", "x", "--format", "json"]);
        let ran = call.env("PROCTOR_SANDBOX", wish).mock(&mock).run().expect_code(5);
        assert_eq!(ran.events_named("prepared")[0]["sandbox"], format!("strong ({level})"));
        let run = ran.finished()["run"].as_str().unwrap().to_owned();
        let logs = env.home().join("runs").join(run).join("logs");
        let records: Vec<String> = std::fs::read_dir(logs)
            .unwrap()
            .flatten()
            .filter_map(|effect| std::fs::read_to_string(effect.path().join("commands.jsonl")).ok())
            .collect();
        let word = format!("\"sandbox\":\"{level}\"");
        assert!(records.iter().any(|lines| lines.contains(&word)), "{records:?}");
    }
}

/// What a test that wants out tries; it fails where anything of it works.
const NOSY: &str = r#"
import os, pathlib, socket

def test_nothing_of_the_user_is_there():
    for path in os.environ["NOSY"].split("|"):
        assert not pathlib.Path(path).exists(), path

def test_the_checkout_can_not_be_written():
    try:
        open(os.environ["NOSY"].split("|")[1] + "/evil", "w").close()
    except OSError:
        return
    assert False

def test_loopback_is_its_own():
    try:
        socket.create_connection(("127.0.0.1", int(os.environ["NOSY_PORT"])), 2)
    except OSError:
        pass
    else:
        assert False
    server = socket.create_server(("127.0.0.1", 0))
    socket.create_connection(server.getsockname(), 2)

def test_shared_memory_and_temp_work():
    for folder in ["/dev/shm", "/tmp", os.environ["HOME"], os.environ["TMPDIR"]]:
        pathlib.Path(folder, "mine").write_text("mine")
"#;

// S1-25, S1-62, S4-22
#[test]
fn a_test_and_an_agent_reach_nothing_of_the_user_and_all_that_they_need() {
    if missing("pytest") || missing("bwrap") {
        return;
    }
    let service = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    for wish in ["bubblewrap", "namespaces"] {
        let (env, repo) = (env(), RepoBuilder::python_calc());
        let key = env.user_home().join(".ssh/id_ed25519");
        std::fs::create_dir_all(key.parent().unwrap()).unwrap();
        std::fs::write(&key, "sesame").unwrap();
        repo.file("tests/test_nosy.py", NOSY)
            .file("proctor.toml", "[setup]\nenv_pass = [\"NOSY\", \"NOSY_PORT\"]\n")
            .commit("nosy");
        let journal = env.home().join("journal.db");
        let nosy = [key.as_path(), repo.path(), &journal].map(|path| path.display().to_string());
        let agent = env.home().parent().unwrap().join("agents/mine");
        std::fs::create_dir_all(agent.parent().unwrap()).unwrap();
        let script = format!(
            "#!/bin/sh\nfor p in {}; do test -e $p && cat $p/file $p >&2; done\necho evil >{}/evil\n\
             git status >/dev/null || exit 3\necho '{{\"status\":\"DISCARDED\",\"test_file_path\":null,\"notes\":\"home '$HOME' pid '$$'\"}}' >$PROCTOR_OUTPUT\n",
            nosy.join(" "),
            repo.path().display()
        );
        std::fs::write(&agent, script).unwrap();
        std::fs::set_permissions(&agent, std::fs::Permissions::from_mode(0o755)).unwrap();
        let port = service.local_addr().unwrap().port().to_string();
        let ran = env
            .call(repo.path())
            .args(&["fix", "x", "--format", "json", "--agent-cmd", &agent.display().to_string()])
            .env("PROCTOR_SANDBOX", wish)
            .env("NOSY", nosy.join("|"))
            .env("NOSY_PORT", &port)
            .run()
            .expect_code(5);
        let baseline = ran.events_named("prepared")[0]["baseline"].clone();
        assert_eq!(baseline["counts"]["failed"], 0, "{baseline}");
        assert!(!repo.path().join("evil").exists());
        assert!(!ran.stdout.contains("sesame") && !ran.stderr.contains("sesame"));
    }
}

#[test]
fn a_program_that_the_repository_brings_is_never_started_outside_the_sandbox() {
    if missing("pytest") || missing("bwrap") {
        return;
    }
    let (env, repo) = (env(), RepoBuilder::python_calc());
    let mark = env.home().parent().unwrap().join("mark");
    // The real one by its path, and let in: what a shim stands for is asked only of tools that nobody brings.
    let asked = std::process::Command::new("python3")
        .args(["-c", "import sys; print(sys.executable); print(sys.base_prefix)"])
        .env_clear()
        .envs(env.vars().iter().cloned())
        .output()
        .unwrap();
    let asked = String::from_utf8(asked.stdout).unwrap();
    let (real, prefix) = asked.trim().split_once('\n').unwrap();
    let python = format!("#!/bin/sh\necho was here >{}\nexec {real} \"$@\"\n", mark.display());
    repo.exec(".venv/bin/python", &python);
    repo.file("proctor.toml", &format!("[sandbox]\nread = [\"{prefix}\"]\n"));
    repo.git(&["add", "--force", ".venv"]);
    repo.commit("a python of its own");
    let mock = Scenario::new().discards(1, "no bug");
    let call = env.call(repo.path()).args(&["fix", "x", "--format", "json"]);
    let ran = call.mock(&mock).run().expect_code(5);
    assert_eq!(ran.events_named("prepared")[0]["baseline"]["counts"]["failed"], 0, "{ran}");
    assert!(!mark.exists(), "it ran where it can write anywhere");
}
