//! The guard: a person works with an interactive agent in the checkout; hooks hold it to tests first, sealed, proven.

use crate::repos::place::{CALC, Place, SUB, SUB_TEST};
use proctor_testkit::Ran;
use serde_json::{Value, json};
use std::fs;

/// What an agent's program tells a hook.
fn told(place: &Place, event: &str, more: &Value) -> Value {
    let mut told = json!({"session_id": "s", "hook_event_name": event, "cwd": place.path()});
    if let (Some(told), Some(more)) = (told.as_object_mut(), more.as_object()) {
        told.extend(more.clone());
    }
    told
}

fn hook(place: &Place, event: &str, more: &Value) -> Ran {
    let told = told(place, event, more).to_string();
    place.env.call(place.path()).args(&["guard", "hook"]).stdin(&told).run()
}

fn edit(place: &Place, path: &str) -> Ran {
    let input = json!({"file_path": place.path().join(path), "old_string": "a", "new_string": "b"});
    hook(place, "PreToolUse", &json!({"tool_name": "Edit", "tool_input": input}))
}

fn after_a_shell(place: &Place) -> Ran {
    let input = json!({"command": "whatever"});
    hook(place, "PostToolUse", &json!({"tool_name": "Bash", "tool_input": input}))
}

pub fn standing(place: &Place) -> Value {
    place.proctor(&["guard", "status", "--format", "json"]).expect_code(0).events()[0].clone()
}

/// The facts so far, by their names.
fn standing_history(place: &Place) -> Vec<String> {
    let told = place.proctor(&["guard", "status", "--format", "json"]).expect_code(0);
    let history = told.events()[0]["history"].clone();
    let names = history.as_array().into_iter().flatten();
    names.map(|fact| fact["fact"]["event"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn tests_come_first_and_are_sealed_and_no_tool_changes_them() {
    let Some(place) = Place::python() else { return };
    place.proctor(&["guard", "install", "--agent", "claude"]).expect_code(0);
    // Nothing is guarded yet: hooks are silent.
    assert_eq!(edit(&place, "calc.py").expect_code(0).stderr, "");
    place.proctor(&["guard", "begin", "a sub function"]).expect_code(0);
    let early = edit(&place, "calc.py").expect_code(2);
    assert!(early.stderr.contains("tests come first"), "{early}");
    let own = edit(&place, ".claude/settings.local.json").expect_code(2);
    assert!(own.stderr.contains("proctor guard off"), "{own}");
    edit(&place, "tests/test_sub.py").expect_code(0);
    let none = place.proctor(&["guard", "red"]).expect_code(1);
    assert!(none.stdout.contains("no test file has changed"), "{none}");
    place.repo.file("tests/test_sub.py", SUB_TEST);
    let red = place.proctor(&["guard", "red"]).expect_code(0);
    assert!(
        red.stdout.contains("fails on the base: tests/test_sub.py::test_sub_takes_away"),
        "{red}"
    );

    // By the edit tool, by a shell, by taking the file away, by a link in its place.
    let sealed = edit(&place, "tests/test_sub.py").expect_code(2);
    assert!(sealed.stderr.contains("is sealed"), "{sealed}");
    let file = place.path().join("tests/test_sub.py");
    let harmless = |text: &str| {
        let back = after_a_shell(&place).expect_code(2);
        assert!(back.stderr.contains("put sealed files back"), "{text}: {back}");
        assert_eq!(fs::read_to_string(&file).expect("the test"), SUB_TEST, "{text}");
        assert!(!file.is_symlink(), "{text}");
        back.stderr
    };
    fs::write(&file, SUB_TEST.replace("== 2", "!= 2")).expect("a change");
    let said = harmless("another text");
    let (_, kept) = said.split_once("is kept at ").expect("where it is kept");
    let kept = kept.split(')').next().unwrap_or_default();
    assert!(fs::read_to_string(kept).expect("what stood there").contains("!= 2"));
    fs::remove_file(&file).expect("no test");
    harmless("gone");
    fs::write(place.path().join("other.py"), "").expect("a file");
    fs::remove_file(&file).expect("no test");
    std::os::unix::fs::symlink("../other.py", &file).expect("a link");
    harmless("a link");
    fs::remove_file(place.path().join("other.py")).expect("no file");
    assert_eq!(after_a_shell(&place).expect_code(0).stderr, "");

    assert_eq!(standing(&place)["guarded"]["put_back"], 3);
}

#[test]
fn an_agent_that_can_not_prove_anything_is_held_back_three_times_and_let_go() {
    let Some(place) = Place::python() else { return };
    place.proctor(&["guard", "begin", "nothing much"]).expect_code(0);
    for left in ["2 more", "1 more", "0 more"] {
        // Gemini's words for the same moment.
        let held = hook(&place, "AfterAgent", &json!({"prompt_response": "done"})).expect_code(2);
        assert!(held.stderr.contains(left), "{held}");
    }
    let free = hook(&place, "AfterAgent", &json!({})).expect_code(0);
    let said = free.events()[0]["systemMessage"].as_str().expect("a word").to_owned();
    assert!(said.contains("NOT proven"), "{said}");
    let again = place.proctor(&["guard", "begin", "more"]).expect_code(2);
    assert!(again.stderr.contains("guarded here already"), "{again}");
    let agents = place.env.call(place.path()).args(&["guard", "off"]).env("CLAUDECODE", "1");
    assert!(agents.run().expect_code(2).stderr.contains("is for a person"));
    place.proctor(&["guard", "off"]).expect_code(0);
    let told = place.proctor(&["guard", "status"]).expect_code(0);
    for text in ["begun: nothing much", "was held back", "was let go", "turned off by a program"] {
        assert!(told.stdout.contains(text), "{text}: {told}");
    }
}

#[test]
fn hooks_are_written_beside_what_stands_there_and_go_without_a_trace() {
    let Some(place) = Place::python() else { return };
    let theirs = "{\n  \"permissions\": {\n    \"allow\": []\n  }\n}\n";
    place.repo.file(".claude/settings.local.json", theirs);
    let agents = ["--agent", "claude", "--agent", "codex", "--agent", "gemini"];
    place.proctor(&[&["guard", "install"], &agents[..]].concat()).expect_code(0);
    for file in [".claude/settings.local.json", ".codex/hooks.json", ".gemini/settings.json"] {
        assert!(place.repo.read(file).contains(" guard hook"), "{file}");
    }
    place.proctor(&["guard", "uninstall"]).expect_code(0);
    assert_eq!(place.repo.read(".claude/settings.local.json"), theirs);
    assert!(!place.path().join(".codex/hooks.json").exists());
    place.repo.file(".claude/settings.local.json", "[]");
    let odd = place.proctor(&["guard", "install", "--agent", "claude"]).expect_code(2);
    assert!(odd.stderr.contains("hint: mend it"), "{odd}");
}

mod slow {
    use super::*;
    use crate::faces::awaiting;
    use proctor_testkit::{ModelServer, Script, coding_agent};
    use std::path::Path;
    use std::process::Command;

    /// Claude Code in a checkout, as a person starts it, with a model that is played.
    fn claude(place: &Place, program: &Path, model: &ModelServer, args: &[&str]) -> String {
        let mut claude = Command::new(program);
        claude.env_clear().envs(place.env.vars().iter().map(|(name, value)| (name, value)));
        let path = std::env::var_os("PATH").expect("a PATH");
        let own = Path::new(env!("CARGO_BIN_EXE_proctor")).parent().expect("its folder");
        let path = std::env::join_paths(
            std::iter::once(own.to_owned()).chain(std::env::split_paths(&path)),
        );
        claude
            .env("PATH", path.expect("a PATH"))
            .env("ANTHROPIC_BASE_URL", model.url())
            .env("ANTHROPIC_API_KEY", "no-real-key")
            .env("CLAUDE_CONFIG_DIR", place.env.user_home().join(".claude"))
            .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
            .current_dir(place.path())
            .args(["-p", "do the task", "--model", "claude-sonnet-4-5", "--output-format", "json"])
            .args(args);
        let ran = claude.output().expect("claude");
        format!("{}{}", String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr))
    }

    /// What the model was told of its tools.
    fn heard(model: &ModelServer) -> String {
        model.asked().last().map(ToString::to_string).unwrap_or_default()
    }

    #[test]
    fn an_agent_ends_when_green_is_proven_of_the_tree_as_it_is() {
        let Some(place) = Place::python() else { return };
        place.proctor(&["guard", "install", "--agent", "claude"]).expect_code(0);
        place.proctor(&["guard", "begin", "a sub function"]).expect_code(0);
        place.repo.file("tests/test_sub.py", SUB_TEST);
        place.proctor(&["guard", "red"]).expect_code(0);
        let stop = hook(&place, "Stop", &json!({})).expect_code(2);
        assert!(stop.stderr.contains("green is not proven"), "{stop}");
        fs::write(place.path().join("calc.py"), format!("{CALC}{SUB}")).expect("the code");
        hook(&place, "Stop", &json!({})).expect_code(0);
        let now = standing(&place);
        assert_eq!(now["guarded"]["stage"], "green", "{now}");
        // What is proven stays so without another run, and not for another tree.
        hook(&place, "Stop", &json!({})).expect_code(0);
        let off = place.proctor(&["guard", "off", "--why", "done"]).expect_code(0);
        assert!(off.stdout.contains("green was proven"), "{off}");
        assert_eq!(edit(&place, "tests/test_sub.py").expect_code(0).stderr, "");
        assert_eq!(standing(&place)["guarded"], Value::Null);
        assert_eq!(
            place.repo.git(&["status", "--short"]),
            " M calc.py\n?? .claude/\n?? tests/test_sub.py"
        );
    }

    #[test]
    fn claude_code_can_not_change_a_sealed_test_by_any_tool_and_ends_when_green_is_proven() {
        let Some(program) = coding_agent("claude") else { return };
        let Some(place) = Place::python() else { return };
        place.proctor(&["guard", "install", "--agent", "claude"]).expect_code(0);
        place.proctor(&["guard", "begin", "a sub function"]).expect_code(0);
        let file = place.path().join("tests/test_sub.py");
        // Claude Code itself asks that a file that is there is read first.
        let code = place.path().join("sub.py");
        let cheat = json!({"file_path": file, "old_string": "== 2", "new_string": "!= 2"});
        let script = Script::new()
            .tool("Write", json!({"file_path": code, "content": "def sub(a, b):\n    return 2\n"}))
            .tool("Write", json!({"file_path": file, "content": SUB_TEST}))
            .shell("proctor guard red")
            .tool("Edit", cheat)
            .shell("sed -i 's/== 2/!= 2/' tests/test_sub.py")
            .shell("printf 'import pathlib\\np = pathlib.Path(\"tests/test_sub.py\")\\np.write_text(p.read_text().replace(\"== 2\", \"!= 2\"))\\n' > cheat.py; python3 cheat.py; rm cheat.py")
            .say("It is done.")
            .shell(&format!("cat >> calc.py <<'END'\n{SUB}END"))
            .say("Now it is done.");
        let model = ModelServer::start(script, place.path());
        let said = claude(&place, &program, &model, &["--allowedTools", "Write,Edit,Read,Bash"]);
        let told = heard(&model);
        assert_eq!(model.left(), 0, "the whole script was played\n{said}\n{told}");
        for text in ["tests come first", "is sealed: red was proven", "green is not proven"] {
            assert!(told.contains(text), "{text}\n{told}");
        }
        assert_eq!(told.matches("Proctor put sealed files back").count(), 2, "{told}");
        assert_eq!(fs::read_to_string(&file).expect("the test"), SUB_TEST);
        assert!(!code.exists(), "what was refused is not there");
        assert_eq!(standing(&place)["guarded"]["stage"], "green", "{said}\n{told}");
    }

    #[test]
    fn claude_code_reads_runs_through_the_plugin_and_its_hooks_guard() {
        let Some(program) = coding_agent("claude") else { return };
        let Some(place) = Place::python() else { return };
        let run = awaiting(&place);
        place.proctor(&["guard", "begin", "nothing yet"]).expect_code(0);
        let code = place.path().join("sub.py");
        let script = Script::new()
            .tool("mcp__plugin_proctor_proctor__run_status", json!({"run": run}))
            .tool("mcp__plugin_proctor_proctor__get_evidence", json!({"run": run}))
            .tool("Write", json!({"file_path": code, "content": ""}))
            .say("That is how it stands.");
        let script = (0..3).fold(script, |script, _| script.say("Still."));
        let model = ModelServer::start(script, place.path());
        let plugin = concat!(env!("CARGO_MANIFEST_DIR"), "/../../plugin");
        let tools = "mcp__plugin_proctor_proctor__run_status,mcp__plugin_proctor_proctor__get_evidence,Write";
        let said =
            claude(&place, &program, &model, &["--plugin-dir", plugin, "--allowedTools", tools]);
        let told = heard(&model);
        for text in ["AWAITING_APPROVAL", "test_sub_takes_away", "tests come first"] {
            assert!(told.contains(text), "{text}\n{said}\n{told}");
        }
        assert!(!code.exists(), "what was refused is not there");
        assert_eq!(model.left(), 0, "{said}\n{told}");
    }

    #[test]
    fn with_the_plugin_and_installed_hooks_each_moment_is_answered_once() {
        let Some(program) = coding_agent("claude") else { return };
        let Some(place) = Place::python() else { return };
        place.proctor(&["guard", "install", "--agent", "claude"]).expect_code(0);
        place.proctor(&["guard", "begin", "nothing yet"]).expect_code(0);
        let script = (0..4).fold(Script::new(), |script, _| script.say("It is done."));
        let model = ModelServer::start(script, place.path());
        let plugin = concat!(env!("CARGO_MANIFEST_DIR"), "/../../plugin");
        let said = claude(&place, &program, &model, &["--plugin-dir", plugin]);
        assert_eq!(model.left(), 0, "it was held back three times\n{said}");
        let history = standing_history(&place);
        let count = |event: &str| history.iter().filter(|fact| *fact == event).count();
        assert_eq!((count("stop-refused"), count("let-go")), (3, 1), "{history:?}\n{said}");
    }
}
