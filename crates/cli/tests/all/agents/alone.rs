//! One agent by itself: `agent try` and what `doctor` says.

use super::bench::Bench;
use proctor_testkit::{Script, TestEnv, coding_agent};
use serde_json::json;
use std::os::unix::fs::PermissionsExt;

#[test]
fn an_agent_is_tried_in_a_tree_that_is_thrown_away() {
    let script = Script::new()
        .write("hello.txt", "hello\n")
        .answer(json!({"refactored": true, "notes": "a file is there"}));
    let Some(bench) = Bench::of("codex", script, "") else { return };
    let words = ["agent", "try", "it", "write hello.txt", "--format", "json"];
    let ran = bench.env.proctor(bench.repo.path(), &words).expect_code(0);
    let told = &ran.events()[0];
    assert_eq!((&told["ok"], &told["notes"]), (&json!(true), &json!("a file is there")), "{ran}");
    assert_eq!(told["changed"], json!(["hello.txt"]), "{ran}");
    assert!(told["session"].is_string() && told["tokens"] == 2100, "{ran}");
    assert!(ran.stderr.contains("| writes hello.txt"), "{ran}");
    assert!(!bench.repo.path().join("hello.txt").exists());
    let left = std::fs::read_dir(bench.env.home().join("worktrees")).map_or(0, Iterator::count);
    assert_eq!(left, 0, "{ran}");
}

#[test]
fn an_agent_that_fails_is_told_with_its_exit_code() {
    let Some(bench) = Bench::of("codex", Script::new().fails(401), "") else { return };
    let ran = bench.env.proctor(bench.repo.path(), &["agent", "try", "it", "hello"]).expect_code(8);
    assert!(ran.stdout.contains("can't reach its model without a login"), "{ran}");
    assert!(ran.stdout.contains("hint: run `codex login`"), "{ran}");
}

#[test]
fn doctor_names_the_coding_agents_that_are_installed_and_what_they_lack() {
    let env = TestEnv::new(env!("CARGO_BIN_EXE_proctor"));
    let bin = env.user_home().join("bin");
    std::fs::create_dir_all(&bin).unwrap();
    let program = bin.join("claude");
    std::fs::write(&program, "#!/bin/sh\necho '9.9.9 (played)'\n").unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let env = env.env("PATH", path);
    let repo = proctor_testkit::RepoBuilder::python_calc();
    let without = env.proctor(repo.path(), &["doctor"]).stdout;
    assert!(without.contains("claude 9.9.9 (played)"), "{without}");
    assert!(without.contains("no key and no login") && without.contains("/login"), "{without}");
    let with = env.call(repo.path()).args(&["doctor"]).env("ANTHROPIC_API_KEY", "x").run().stdout;
    assert!(with.contains("ANTHROPIC_API_KEY is set"), "{with}");
    let login = env.user_home().join(".claude/.credentials.json");
    std::fs::create_dir_all(login.parent().unwrap()).unwrap();
    std::fs::write(&login, "{}").unwrap();
    let logged_in = env.proctor(repo.path(), &["doctor"]).stdout;
    assert!(logged_in.contains("logged in ("), "{logged_in}");
    let init = env.proctor(repo.path(), &["init"]).expect_code(0);
    let text = std::fs::read_to_string(repo.path().join("proctor.toml")).unwrap();
    assert!(text.contains("[agents.claude]\nkind = \"claude\""), "{init}\n{text}");
    assert!(text.contains("default_agent = \"claude\""), "{init}\n{text}");
    assert!(init.stderr.contains("agent: claude (") && init.stderr.contains("logged in"), "{init}");
}

/// A program of ours in the place of a coding agent's.
fn played(env: &TestEnv, name: &str, script: &str) -> std::path::PathBuf {
    let bin = env.user_home().join("bin");
    std::fs::create_dir_all(&bin).unwrap();
    let program = bin.join(name);
    std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    program
}

#[test]
fn a_login_is_copied_in_and_what_the_program_renewed_is_copied_back() {
    let env = TestEnv::new(env!("CARGO_BIN_EXE_proctor"));
    for (kind, login) in [
        ("claude", ".claude/.credentials.json"),
        ("codex", ".codex/auth.json"),
        ("gemini", ".gemini/oauth_creds.json"),
        ("opencode", ".local/share/opencode/auth.json"),
    ] {
        let own = env.user_home().join(login);
        std::fs::create_dir_all(own.parent().unwrap()).unwrap();
        std::fs::write(&own, "{\"token\":\"old\"}").unwrap();
        let script = format!(
            "grep -q old \"$HOME/{login}\" && echo '{{\"token\":\"new\"}}' > \"$HOME/{login}\"; exit 1"
        );
        let program = played(&env, kind, &script);
        let repo = proctor_testkit::RepoBuilder::python_calc();
        let config =
            format!("[agents.it]\nkind = \"{kind}\"\nprogram = \"{}\"\n", program.display());
        repo.file("proctor.toml", &config).commit("settings");
        let ran = env.proctor(repo.path(), &["agent", "try", "it", "hello"]).expect_code(8);
        let now = std::fs::read_to_string(&own).unwrap();
        assert_eq!(now, "{\"token\":\"new\"}\n", "{kind}: {ran}");
        let mode = std::fs::metadata(&own).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{kind}");
    }
}

/// An old Claude Code knows no way to ask; it is told beforehand what it may.
#[test]
fn claude_without_its_control_protocol_is_told_beforehand_what_it_may() {
    let env = TestEnv::new(env!("CARGO_BIN_EXE_proctor")).env("ANTHROPIC_API_KEY", "x");
    let script = r#"case "$*" in *permission-prompt-tool*) echo "error: unknown option" >&2; exit 1;; esac
case "$*" in *acceptEdits*) ;; *) exit 3;; esac
read -r message
case "$message" in *'"type":"user"'*) ;; *) exit 4;; esac
echo hello > hello.txt
echo '{"type":"system","subtype":"init","session_id":"s-1"}'
echo '{"type":"result","subtype":"success","is_error":false,"result":"","structured_output":{"refactored":true,"notes":"by an old one"}}'
sleep 60"#;
    let program = played(&env, "claude", script);
    let repo = proctor_testkit::RepoBuilder::python_calc();
    let config = format!("[agents.it]\nkind = \"claude\"\nprogram = \"{}\"\n", program.display());
    repo.file("proctor.toml", &config).commit("settings");
    let began = std::time::Instant::now();
    let words = ["agent", "try", "it", "hello", "--format", "json"];
    let ran = env.proctor(repo.path(), &words).expect_code(0);
    let told = &ran.events()[0];
    assert_eq!(
        (&told["notes"], &told["changed"]),
        (&json!("by an old one"), &json!(["hello.txt"]))
    );
    // It stays, and is not waited for.
    assert!(began.elapsed() < std::time::Duration::from_secs(30), "{ran}");
}

#[test]
fn a_coding_agent_needs_no_configuration() {
    let Some(program) = coding_agent("goose") else { return };
    let env = TestEnv::new(env!("CARGO_BIN_EXE_proctor"));
    let folder = program.parent().unwrap().display();
    let env = env.env("PATH", format!("{folder}:{}", std::env::var("PATH").unwrap()));
    let repo = proctor_testkit::RepoBuilder::python_calc();
    let ran = env.proctor(repo.path(), &["agent", "try", "goose", "hello"]).expect_code(8);
    assert!(ran.stdout.contains("goose configure"), "{ran}");
}
