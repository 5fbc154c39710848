//! Our own loop on a model's API: whole runs in both ways of speaking, and what happens when something is off.

use super::bench::{Bench, KEY, RIGHT, TEST, calc, closing, code, honest, prepared, ready, tests};
use proctor_testkit::{Ran, Script, TestEnv, processes_left_after};
use serde_json::{Value, json};
use std::time::Duration;

fn lands(provider: &str, script: Script) -> Option<(Bench, Ran)> {
    let bench = Bench::api(provider, script, "price = { input = 3, output = 15 }")?;
    let ran = bench.run().expect_code(0);
    assert_eq!(ran.finished()["status"], "SUCCESS", "{ran}");
    assert_eq!(bench.model.left(), 0, "the whole script was played\n{ran}");
    Some((bench, ran))
}

#[test]
fn a_model_that_speaks_anthropics_messages_takes_a_task_to_its_landing() {
    let Some((bench, ran)) = lands("anthropic", honest()) else { return };
    let asked = bench.model.asked();
    let tools = |body: &Value| -> Vec<String> {
        let tools = body["tools"].as_array().unwrap();
        tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    };
    let all = ["read", "list", "search", "write", "edit", "run", "finish"];
    assert_eq!(tools(&asked[0]), all);
    assert_eq!(tools(asked.last().unwrap()), ["read", "list", "search", "finish"], "a reviewer");
    assert!(asked[1].to_string().contains("cache_control"), "{}", asked[1]);
    // Two calls of the model in the first turn, a thousand tokens in and fifty out each.
    let usage = &ran.events_named("effect-ended");
    let usage = usage.iter().find(|event| event["usage"]["tokens"].is_u64()).unwrap();
    assert_eq!(usage["usage"], json!({"tokens": 2100, "micro_usd": 7500}));
    costs_are_told(&bench);
}

/// By phase, by run and by day.
fn costs_are_told(bench: &Bench) {
    let said = |words: &[&str]| bench.env.proctor(bench.repo.path(), words).expect_code(0);
    let phase = json!({"calls": 1, "tokens": 2100, "micro_usd": 7500});
    let show = said(&["show", "slug", "--format", "json"]).events()[0].clone();
    assert_eq!(show["spent_by_phase"]["write_tests"], phase, "{show}");
    assert_eq!(show["spent_by_phase"]["review"]["calls"], 1, "{show}");
    let text = said(&["show", "slug"]).stdout;
    assert!(text.contains("write_tests: 1 call, 2100 tokens, $0.01"), "{text}");
    let pack: Value = serde_json::from_str(&said(&["evidence", "slug", "--json"]).stdout).unwrap();
    assert_eq!(pack["spent_by_phase"], show["spent_by_phase"], "{pack}");
    let text = said(&["evidence", "slug"]).stdout;
    assert!(text.contains("implement: 1 call, 2100 tokens, $0.01"), "{text}");
    let row = said(&["list", "--all", "--format", "json"]).events()[0].clone();
    assert_eq!(row["spent"], show["spent"]["usage"], "{row}");
    assert_eq!(row["day_spent"], row["spent"], "{row}");
    assert_eq!(row["day"].as_str().unwrap().len(), 10, "{row}");
    let text = said(&["list", "--all"]).stdout;
    assert!(text.contains("COST") && text.contains(" $0.0"), "{text}");
    let day = format!("{}: ", row["day"].as_str().unwrap());
    assert!(text.contains(&day) && text.contains(" tokens, $0.0"), "{text}");
}

#[test]
fn a_model_that_speaks_chat_completions_takes_a_task_to_its_landing_and_is_refused_a_sealed_file() {
    let tries = Script::new().write("tests/test_slug.py", "def test_slug():\n    pass\n").tool(
        "edit",
        json!({"path": "tests/test_slug.py", "old": "slug", "new": "x", "all": true}),
    );
    let too_soon = Script::new().write("calc.py", "x = 1\n");
    let script = too_soon.then(tests()).then(tries).then(code()).then(closing());
    let Some((bench, ran)) = lands("openai", script) else { return };
    let first = &ran.events_named("turned")[0]["turn"];
    assert_eq!(first["put_back"], json!([]), "code is refused while tests are written\n{ran}");
    let turn = &ran.events_named("turned")[1]["turn"];
    assert_eq!(turn["phase"], "implement", "{ran}");
    assert_eq!((&turn["changed"], &turn["put_back"]), (&json!(["calc.py"]), &json!([])), "{ran}");
    let asked = bench.model.asked();
    let told = asked.iter().filter(|body| body.to_string().contains("is sealed in this phase"));
    assert!(told.count() >= 2, "{ran}");
    let marks = ran.events_named("session-marked");
    let id = |phase: &str| {
        let mark = marks.iter().find(|event| event["mark"]["phase"] == phase).unwrap();
        mark["mark"]["id"].as_str().unwrap().to_owned()
    };
    assert_eq!(id("implement"), id("refactor"), "the coder goes on\n{ran}");
    assert_ne!(id("implement"), id("review"), "{ran}");
}

/// One turn by itself, told as JSON.
fn tried(provider: &str, script: Script, more: &str) -> Option<(Bench, Ran, Value)> {
    let bench = Bench::api(provider, script, more)?;
    let words = ["agent", "try", "it", "do it", "--format", "json"];
    let ran = bench.env.proctor(bench.repo.path(), &words);
    let told = ran.events()[0].clone();
    Some((bench, ran, told))
}

fn done() -> Value {
    json!({"refactored": true, "notes": "done"})
}

#[test]
fn what_may_pass_is_asked_again_and_the_turn_goes_on() {
    let script = Script::new()
        .fails_once(500)
        .cut()
        .write("hello.txt", "hello\n")
        .fails_once(529)
        .nonsense()
        .limited_once(0)
        .endless()
        .answer(done());
    let Some((bench, ran, told)) = tried("anthropic", script, "") else { return };
    assert_eq!((&told["ok"], &told["changed"]), (&json!(true), &json!(["hello.txt"])), "{ran}");
    assert_eq!(bench.model.left(), 0, "{ran}");
    for said in [
        "it answered 500",
        "its answer broke off",
        "529 (overloaded_error)",
        "is not JSON",
        "429",
        "does not end",
    ] {
        assert!(ran.stderr.contains(said), "{said} in {ran}");
    }
    assert!(ran.stderr.contains("waits: it answered 500"), "{ran}");
}

#[test]
fn a_model_is_told_what_it_did_wrong_and_goes_on() {
    let script = Script::new()
        .tool("fly", json!({"to": "the moon"}))
        .tool("read", json!({"path": "../../etc/passwd"}))
        .tool("edit", json!({"path": "calc.py", "old": "nowhere", "new": "x"}))
        .tool("read", json!("no object"))
        .tool("finish", json!({"refactored": "yes"}))
        .say("I think I am done.")
        .answer(done());
    let Some((bench, ran, told)) = tried("openai", script, "") else { return };
    assert_eq!((&told["ok"], &told["changed"]), (&json!(true), &json!([])), "{ran}");
    let last = bench.model.asked().last().unwrap().to_string();
    for said in [
        "There is no tool `fly`",
        "is not below the project folder",
        "is not in calc.py",
        "are not a whole JSON object",
        "`notes` is missing",
        "call `finish` with your answer",
    ] {
        assert!(last.contains(said), "{said} in {last}");
    }
}

#[test]
fn files_are_read_listed_searched_and_edited() {
    let script = Script::new()
        .tool("list", json!({}))
        .tool("search", json!({"pattern": "def a.d"}))
        .tool("read", json!({"path": "calc.py", "lines": 1}))
        .tool("edit", json!({"path": "calc.py", "old": "a + b", "new": "b + a"}))
        .tool("run", json!({"command": "cat calc.py; echo oops >&2; exit 3"}))
        .answer(done());
    let Some((bench, ran, told)) = tried("openai", script, "") else { return };
    assert_eq!(told["changed"], json!(["calc.py"]), "{ran}");
    let last = bench.model.asked().last().unwrap().to_string();
    for said in
        ["calc.py:1: def add(a, b):", "Changed calc.py.", "Exit code 3.", "return b + a", "oops"]
    {
        assert!(last.contains(said), "{said} in {last}");
    }
    assert!(
        ran.stderr.contains("| runs cat calc.py") && ran.stderr.contains("| edits calc.py"),
        "{ran}"
    );
}

#[test]
fn a_command_never_sees_the_key() {
    // Its own environment, those of everybody else and the memory of the loop, and the files that it may read. Words that are
    // looked for are written so that the command itself does not hold them.
    let look = r#"env; cat /proc/*/environ 2>/dev/null | tr '\0' '\n'; grep CapEff /proc/self/status
for p in /proc/[0-9]*; do
  case "$(tr '\0' ' ' < $p/cmdline)" in
    *agent-l'oo'p*) cat $p/maps > /dev/null 2>&1 && echo memory-op''en || echo memory-sh''ut ;;
  esac
done
grep -rsl played-k'ey' . "$HOME" "$TMPDIR" "$(dirname "$PROCTOR_PROMPT")" && echo file-fou''nd
echo all-look''ed"#;
    let script = Script::new().tool("run", json!({"command": look})).answer(done());
    let more = "env = [\"ANTHROPIC_API_KEY\"]";
    let Some((bench, ran, told)) = tried("anthropic", script, more) else { return };
    assert_eq!(told["ok"], true, "{ran}");
    let last = bench.model.asked().last().unwrap().to_string();
    assert!(last.contains("all-looked") && last.contains("PROCTOR_PROMPT="), "{last}");
    for found in [KEY, "ANTHROPIC_API_KEY=", "redacted", "file-found"] {
        assert!(!last.contains(found), "{found} in {last}");
    }
    // Whoever may look into everybody's memory may look into this one too: nobody in a sandbox may.
    if last.contains("CapEff:\\t0000000000000000") {
        assert!(last.contains("memory-shut") && !last.contains("memory-open"), "{last}");
    }
}

#[test]
fn a_key_that_is_not_known_blocks_with_the_remedy() {
    let Some(bench) = Bench::api("openai", Script::new().fails(401), "") else { return };
    let ran = bench.run().expect_code(4);
    let end = ran.finished();
    assert_eq!(end["status"], "BLOCKED", "{ran}");
    let reason = end["reason"].as_str().unwrap();
    assert!(
        reason.contains("this key is not known") && reason.contains("set OPENAI_API_KEY"),
        "{reason}"
    );
}

#[test]
fn a_long_limit_pauses_until_the_time_that_was_named_and_holds_other_runs_of_the_account() {
    let Some(bench) = Bench::api("anthropic", Script::new().limited(40), "") else { return };
    let mut running = bench.call().spawn();
    running.until("the pause", |out, _| out.contains("\"event\":\"paused\""));
    running.interrupt();
    let ran = running.wait();
    let paused = &ran.events_named("paused")[0];
    let wait = paused["why"]["until"].as_u64().unwrap() - paused["at"].as_u64().unwrap();
    assert!((39_000..=41_000).contains(&wait), "{wait} ms\n{ran}");
    assert_eq!(bench.model.asked().len(), 1, "{ran}");
    let until = paused["why"]["until"].as_u64().unwrap();
    let words = ["add", "another", "--id", "other", "--yes", "--format", "json"];
    let mut running = bench.env.call(bench.repo.path()).args(&words).spawn();
    running.until("the pause", |out, _| out.contains("\"event\":\"paused\""));
    running.interrupt();
    let ran = running.wait();
    let why = &ran.events_named("paused")[0]["why"];
    let later = why["until"].as_u64().unwrap() - until;
    assert!(later <= 10_000, "{later} ms\n{ran}");
    assert!(why["why"].as_str().unwrap().contains("(run slug"), "{ran}");
    assert_eq!(bench.model.asked().len(), 1, "the model was not asked again\n{ran}");
}

/// Killed in the middle of a command, and nothing is left.
fn killed() -> Option<Bench> {
    let long = "touch began; sleep 300 & setsid sleep 300";
    let bench = Bench::api("openai", Script::new().shell(long), "")?;
    let mut running = bench.call().spawn();
    let worktrees = bench.env.home().join("worktrees");
    running.until("the command", |_, _| {
        let trees = std::fs::read_dir(&worktrees).into_iter().flatten().flatten();
        trees.into_iter().any(|tree| tree.path().join("began").exists())
    });
    running.kill9();
    let left = processes_left_after(bench.env.home(), Duration::from_secs(10));
    assert!(left.is_empty(), "{left:?}");
    Some(bench)
}

#[test]
fn nothing_is_left_of_a_command_when_proctor_is_killed() {
    killed();
}

#[test]
fn a_long_conversation_is_summed_up_by_the_model() {
    let mut script = Script::new();
    for n in 0..8 {
        let command =
            format!("python3 -c \"print('result {n} ' + 'x' * 4000)\" # {}", "y".repeat(1500));
        script = script.tool("run", json!({"command": command}));
    }
    let more = "context_tokens = 8000";
    let Some((bench, ran, told)) = tried("openai", script.answer(done()), more) else { return };
    assert_eq!(told["ok"], true, "{ran}");
    assert!(ran.stderr.contains("makes room:"), "{ran}");
    for body in bench.model.asked() {
        assert!(body.to_string().contains("do it"), "the task stays: {body}");
    }
    let last = bench.model.asked().last().unwrap().to_string();
    assert!(last.contains("result 7") && !last.contains("result 0 x"), "{last}");
}

#[test]
fn a_model_that_falls_silent_in_the_middle_is_ended_by_its_last_event() {
    let Some(bench) = Bench::api("openai", Script::new().stalls(), "[limits]\nsilence = \"2s\"")
    else {
        return;
    };
    let mut running = bench.call().spawn();
    running.until("the second ask", |out, _| out.contains("\"event\":\"asked-again\""));
    bench.model.play(honest());
    let ran = running.wait().expect_code(0);
    let why = ran.events_named("asked-again")[0]["why"].as_str().unwrap().to_owned();
    assert!(why.contains("2s") && why.contains("no sign"), "{why}");
}

#[test]
fn a_file_that_may_hold_what_looks_like_a_secret_is_shown_to_the_model() {
    const FIXTURE: &str = "AKIAQ3EGRZ7TBKN4LDWX";
    let look = |path: &str| Script::new().tool("read", json!({"path": path}));
    let script = look("tests/fixtures/key.txt")
        .then(look("other.txt"))
        .tool("search", json!({"pattern": "aws"}))
        .answer(done());
    let more = "[secrets]\nallow = [\"tests/fixtures/**\"]";
    let Some(bench) = Bench::api("openai", script, more) else { return };
    let line = format!("aws_access_key_id = {FIXTURE}\n");
    bench.repo.file("tests/fixtures/key.txt", &line).file("other.txt", &line).commit("keys");
    let words = ["agent", "try", "it", "do it", "--format", "json"];
    let ran = bench.env.proctor(bench.repo.path(), &words).expect_code(0);
    let asked = bench.model.asked();
    let of = |n: usize| asked[n].to_string();
    assert!(of(1).contains(FIXTURE) && !of(1).contains("[redacted"), "{}\n{ran}", of(1));
    assert_eq!(of(2).matches(FIXTURE).count(), 1, "{}", of(2));
    assert!(of(2).contains("[redacted"), "{}", of(2));
    assert!(of(3).contains(&format!("tests/fixtures/key.txt:1: aws_access_key_id = {FIXTURE}")));
    assert_eq!(of(3).matches(FIXTURE).count(), 2, "{}", of(3));
}

// S2-10
#[test]
fn the_loop_works_by_hand() {
    let env = TestEnv::new(env!("CARGO_BIN_EXE_proctor"));
    let folder = env.user_home().join("project");
    std::fs::create_dir_all(&folder).unwrap();
    let script = Script::new()
        .tool("write", json!({"path": "a.txt", "content": "x\n"}))
        .say("It is written.");
    let model = proctor_testkit::ModelServer::start(script, &folder);
    let url = model.url();
    let words = ["agent-loop", "--base-url", &url, "--model", "m", "write a.txt"];
    let ran = env.proctor(&folder, &words).expect_code(0);
    assert_eq!(ran.stdout, "It is written.\n", "{ran}");
    assert!(ran.stderr.contains("writes a.txt"), "{ran}");
    assert_eq!(std::fs::read_to_string(folder.join("a.txt")).unwrap(), "x\n");
    let ran = env.proctor(&folder, &["agent-loop", "--model", "m", "hello"]).expect_code(8);
    assert!(ran.stderr.contains("OPENAI_API_KEY is not set"), "{ran}");
    let ran = env.proctor(&folder, &["agent-loop", "--help"]).expect_code(0);
    assert!(ran.stdout.contains("kind = \"api\"") && ran.stdout.contains("--read-only"), "{ran}");
}

#[test]
fn doctor_asks_the_place_for_its_models_and_init_proposes_a_local_one() {
    let Some(bench) = Bench::api("openai", Script::new(), "") else { return };
    let at = |model: &str| {
        let config = format!(
            "[agents.it]\nkind = \"api\"\nprovider = \"openai\"\nbase_url = \"{}\"\nmodel = \"{model}\"\n",
            bench.model.url()
        );
        bench.repo.file("proctor.toml", &config).commit("settings");
        bench.env.proctor(bench.repo.path(), &["doctor"]).stdout
    };
    let good = at("played");
    assert!(good.contains("OPENAI_API_KEY is set, it answers"), "{good}");
    let other = at("other");
    assert!(other.contains("does not list this model") && other.contains("played"), "{other}");
    assert!(bench.model.asked().is_empty());
    let host = bench.model.url().replace("http://", "");
    let call = bench.env.call(bench.repo.path()).args(&["init", "--force"]);
    call.env("OLLAMA_HOST", &host).run().expect_code(0);
    let text = std::fs::read_to_string(bench.repo.path().join("proctor.toml")).unwrap();
    assert!(text.contains("[agents.ollama]") && text.contains("model = \"played\""), "{text}");
    assert!(text.contains(&format!("base_url = \"http://{host}/v1\"")), "{text}");
}

#[cfg(test)]
mod slow {
    use super::*;

    #[test]
    fn a_turn_that_was_cut_off_goes_on_in_its_session() {
        let Some(bench) = killed() else { return };
        bench.model.play(honest());
        let ran = bench.env.proctor(bench.repo.path(), &["resume", "slug", "--format", "json"]);
        assert_eq!(ran.finished()["status"], "SUCCESS", "{ran}");
        let again = &bench.model.asked()[1];
        assert!(again.to_string().contains("The turn was cut off before this was done"), "{again}");
    }

    #[test]
    fn a_second_try_knows_the_first_and_a_fork_knows_the_tester() {
        const MARK: &str = "the first try, in so many words";
        let mut first = ready();
        first["notes"] = json!(MARK);
        let wrong = calc("def slugify(text):\n    return text\n");
        let coder = Script::new()
            .write("calc.py", &wrong)
            .answer(first)
            .write("calc.py", &calc(RIGHT))
            .answer(ready());
        let tester = Script::new().write("tests/test_slug.py", TEST).answer(prepared());
        let script = tester.then(coder).then(closing());
        let Some(bench) = Bench::api("anthropic", script, "session = \"fork\"") else { return };
        let ran = bench.run().expect_code(0);
        let asked: Vec<String> = bench.model.asked().iter().map(Value::to_string).collect();
        // Two calls of the tester, four of the coder.
        assert!(
            asked[2].contains("PREPARED_FOR_FIX") && asked[2].contains("def test_slug"),
            "{ran}"
        );
        assert!(!asked[3].contains(MARK) && asked[4].contains(MARK), "{ran}");
        let ids: Vec<Value> = ran
            .events_named("session-marked")
            .iter()
            .map(|event| event["mark"]["id"].clone())
            .collect();
        assert!(ids.iter().any(|id| *id != ids[0]), "{ids:?}");
    }
}
