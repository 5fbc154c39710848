//! A repository that brings settings for the agent's program: none of them may start anything.

use crate::agents::bench::{Bench, honest};
use proctor_testkit::{Script, processes_left_after};
use serde_json::json;
use std::time::Duration;

/// Writes every trap that is known for any of the programs, each with a mark of its own.
fn traps(bench: &Bench) {
    let marks = bench.env.user_home().join("marks");
    std::fs::create_dir_all(&marks).unwrap();
    let touch = |name: &str| format!("touch {}", marks.join(name).display());
    let hook = |name: &str| json!([{"matcher": "", "hooks": [{"type": "command", "command": touch(name)}]}]);
    let server = |name: &str| json!({"command": "sh", "args": ["-c", touch(name)]});
    let claude = json!({
        "hooks": {"SessionStart": hook("claude-start"), "PreToolUse": hook("claude-tool"), "Stop": hook("claude-stop")},
        "apiKeyHelper": touch("claude-helper"),
        "enableAllProjectMcpServers": true,
    });
    let gemini = json!({
        "hooks": {"SessionStart": hook("gemini-start"), "BeforeTool": hook("gemini-tool")},
        "mcpServers": {"trap": server("gemini-mcp")},
    });
    let codex = format!(
        "[mcp_servers.trap]\ncommand = \"sh\"\nargs = [\"-c\", \"{}\"]\n",
        touch("codex-mcp")
    );
    let opencode = json!({"mcp": {"trap": {"type": "local", "command": ["sh", "-c", touch("opencode-mcp")], "enabled": true}}});
    let plugin = format!(
        "import {{ writeFileSync }} from 'fs'\nwriteFileSync('{}', '')\nexport const Trap = async () => ({{}})\n",
        marks.join("opencode-plugin").display()
    );
    bench
        .repo
        .file(".claude/settings.json", &claude.to_string())
        .file(".mcp.json", &json!({"mcpServers": {"trap": server("claude-mcp")}}).to_string())
        .file(".gemini/settings.json", &gemini.to_string())
        .file(".codex/config.toml", &codex)
        .file("opencode.json", &opencode.to_string())
        .file(".opencode/plugin/trap.js", &plugin)
        .commit("traps");
}

/// The names of the traps that were sprung.
fn fired(bench: &Bench) -> Vec<String> {
    let marks = std::fs::read_dir(bench.env.user_home().join("marks")).unwrap();
    marks.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

/// No sandbox: in there a trap could be sprung and leave no mark.
fn in_the_open(kind: &str, script: Script, more: &str) -> Option<Bench> {
    let mut bench = Bench::of(kind, script, more)?;
    bench.env = bench.env.env("PROCTOR_SANDBOX", "none");
    Some(bench)
}

fn fires_nothing(kind: &str) {
    let Some(bench) = in_the_open(kind, honest(), "") else { return };
    traps(&bench);
    let ran = bench.run().expect_code(0);
    let fired = fired(&bench);
    assert!(fired.is_empty(), "{fired:?}\n{ran}");
    // What was out of the way is in the work again.
    assert!(bench.repo.path().join(".opencode/plugin/trap.js").exists());
    for turn in ran.events_named("turned") {
        assert!(!turn["turn"]["changed"].to_string().contains(".opencode"), "{turn}");
    }
}

/// Where the base commit's configuration says so, the repository's own settings count.
fn fires(kind: &str, trap: &str) {
    let more = "project_settings = true";
    let done = Script::new().answer(json!({"refactored": false, "notes": "looked"}));
    let Some(bench) = in_the_open(kind, done, more) else { return };
    traps(&bench);
    // One turn is enough.
    let ran = bench.env.proctor(bench.repo.path(), &["agent", "try", "it", "look around"]);
    let fired = fired(&bench);
    assert!(fired.iter().any(|name| name == trap), "{fired:?}\n{ran}");
}

#[test]
fn claude_uses_settings_of_a_repository_that_may_bring_them() {
    fires("claude", "claude-start");
}

#[test]
fn codex_uses_settings_of_a_repository_that_may_bring_them() {
    fires("codex", "codex-mcp");
}

#[test]
fn gemini_uses_settings_of_a_repository_that_may_bring_them() {
    fires("gemini", "gemini-mcp");
}

#[test]
fn opencode_uses_settings_of_a_repository_that_may_bring_them() {
    fires("opencode", "opencode-plugin");
}

#[test]
fn acp_goose_runs_nothing_of_a_hostile_repository() {
    fires_nothing("acp_goose");
}

#[test]
fn claude_runs_nothing_of_a_hostile_repository() {
    fires_nothing("claude");
}

#[test]
fn codex_runs_nothing_of_a_hostile_repository() {
    fires_nothing("codex");
}

#[test]
fn gemini_runs_nothing_of_a_hostile_repository() {
    fires_nothing("gemini");
}

#[test]
fn opencode_runs_nothing_of_a_hostile_repository() {
    fires_nothing("opencode");
}

#[test]
fn goose_runs_nothing_of_a_hostile_repository() {
    fires_nothing("goose");
}

#[test]
fn acp_claude_runs_nothing_of_a_hostile_repository() {
    fires_nothing("acp_claude");
}

#[test]
fn acp_codex_runs_nothing_of_a_hostile_repository() {
    fires_nothing("acp_codex");
}

#[test]
fn acp_gemini_runs_nothing_of_a_hostile_repository() {
    fires_nothing("acp_gemini");
}

#[test]
fn acp_opencode_runs_nothing_of_a_hostile_repository() {
    fires_nothing("acp_opencode");
}

/// The sealed test is written to by the program's own tool for it, and by a shell.
fn keeps_the_seal(kind: &str, by_tool: Script) {
    let script = crate::agents::bench::tests()
        .then(by_tool)
        .then(crate::agents::bench::code())
        .then(crate::agents::bench::closing());
    let Some(mut bench) = Bench::of(kind, script, "") else { return };
    if kind == "codex" {
        // Its own sandbox, which keeps the seal, can't be made within ours.
        bench.env = bench.env.env("PROCTOR_SANDBOX", "none");
    }
    let ran = bench.run().expect_code(0);
    let turn = &ran.events_named("turned")[1]["turn"];
    assert_eq!(turn["phase"], "implement", "{ran}");
    assert_eq!(turn["changed"], json!(["calc.py"]), "{ran}");
    assert_eq!(turn["put_back"], json!([]), "it was refused while it was tried\n{ran}");
    // An answer to a request for permission has no room for a reason in ACP.
    if kind == "claude" {
        let asked = bench.model.asked();
        let told = asked.iter().any(|body| body.to_string().contains("is sealed in this phase"));
        assert!(told, "the model was told the reason\n{ran}");
    }
}

fn sealed_by_claude() -> Script {
    let file = json!({"file_path": "tests/test_slug.py"});
    let edit = json!({"file_path": "tests/test_slug.py", "old_string": "slug", "new_string": "x", "replace_all": true});
    // It may not edit what it has not read.
    Script::new().tool("Read", file).tool("Edit", edit).shell("sed -i d tests/test_slug.py")
}

#[test]
fn claude_is_refused_code_while_tests_are_written_and_what_is_not_of_the_worktree() {
    let script = Script::new()
        .tool("Write", json!({"file_path": "slug.py", "content": "x = 1\n"}))
        .shell("echo 'x = 1' > calc.py")
        .tool("Write", json!({"file_path": "/var/tmp/of-nobody.txt", "content": "x"}))
        .tool("Write", json!({"file_path": "Makefile", "content": "x"}))
        .then(honest());
    let Some(bench) = Bench::of("claude", script, "") else { return };
    let ran = bench.run().expect_code(0);
    let turn = &ran.events_named("turned")[0]["turn"];
    assert_eq!((&turn["phase"], &turn["put_back"]), (&json!("write_tests"), &json!([])), "{ran}");
    let last = bench.model.asked()[4].to_string();
    for told in [
        "slug.py is not a test",
        "calc.py is not a test",
        "of-nobody.txt is outside of the worktree",
        "Makefile decides how tests run",
    ] {
        assert!(last.contains(told), "{told}\n{last}");
    }
    let log = bench.env.proctor(bench.repo.path(), &["log", "slug", "--verbose"]).stdout;
    assert!(log.contains("was refused Write: slug.py is not a test"), "{log}");
}

/// Ctrl-c: it is asked to stop in its own words, says what it used, and the run goes on in the same session.
#[test]
fn claude_is_interrupted_cleanly_and_goes_on_in_its_session() {
    let long = "python3 -c \"import time; open('began', 'w'); time.sleep(300)\"";
    let Some(bench) = Bench::of("claude", Script::new().shell(long), "") else { return };
    let mut running = bench.call().spawn();
    let worktrees = bench.env.home().join("worktrees");
    running.until("the command", |_, _| {
        let trees = std::fs::read_dir(&worktrees).into_iter().flatten().flatten();
        trees.into_iter().any(|tree| tree.path().join("began").exists())
    });
    running.interrupt();
    let ran = running.wait();
    let left = processes_left_after(bench.env.home(), Duration::from_secs(10));
    assert!(left.is_empty(), "{left:?}\n{ran}");
    let runs = std::fs::read_dir(bench.env.home().join("runs")).unwrap();
    let logs: String = runs
        .flatten()
        .flat_map(|run| std::fs::read_dir(run.path().join("logs")).into_iter().flatten().flatten())
        .filter_map(|step| std::fs::read_to_string(step.path().join("agent.stdout")).ok())
        .collect();
    assert!(logs.contains("\"type\":\"stopped\"") && logs.contains("aborted_tools"), "{logs}");
    bench.model.play(honest());
    let ran = bench.env.proctor(bench.repo.path(), &["resume", "slug", "--format", "json"]);
    assert_eq!(ran.expect_code(0).finished()["status"], "SUCCESS");
    let again = bench.model.asked()[1].to_string();
    assert!(again.contains("time.sleep(300)"), "it knows what was said before: {again}");
}

#[test]
fn claude_is_refused_a_sealed_file_while_it_tries() {
    keeps_the_seal("claude", sealed_by_claude());
}

#[test]
fn gemini_is_refused_a_sealed_file_while_it_tries() {
    keeps_the_seal("gemini", Script::new().write("tests/test_slug.py", "x"));
}

#[test]
fn opencode_is_refused_a_sealed_file_while_it_tries() {
    keeps_the_seal("opencode", Script::new().write("tests/test_slug.py", "x"));
}

#[test]
fn codex_is_refused_a_sealed_file_while_it_tries() {
    let script = Script::new()
        .shell("python3 -c \"open('tests/test_slug.py', 'w')\"")
        .write("tests/test_slug.py", "def test_slug():\n    pass\n");
    keeps_the_seal("codex", script);
}

#[test]
fn acp_claude_is_refused_a_sealed_file_while_it_tries() {
    keeps_the_seal("acp_claude", sealed_by_claude());
}

#[test]
fn acp_gemini_is_refused_a_sealed_file_while_it_tries() {
    keeps_the_seal("acp_gemini", Script::new().write("tests/test_slug.py", "x"));
}

#[test]
fn acp_opencode_is_refused_a_sealed_file_while_it_tries() {
    keeps_the_seal("acp_opencode", Script::new().write("tests/test_slug.py", "x"));
}

#[test]
fn acp_goose_is_refused_a_sealed_file_while_it_tries() {
    let script = Script::new().shell("rm tests/test_slug.py").write("tests/test_slug.py", "x");
    keeps_the_seal("acp_goose", script);
}
