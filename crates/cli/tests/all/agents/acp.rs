//! An agent that speaks the Agent Client Protocol, played by a small program of our own: what it may, what it is told, how a turn ends.

use super::bench::{RIGHT, TEST, calc, prepared, ready};
use proctor_testkit::{Call, RepoBuilder, TestEnv, missing, processes_left_after};
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};

const AGENT: &str = include_str!("acp_agent.py");

struct Played {
    env: TestEnv,
    repo: RepoBuilder,
}

impl Played {
    /// `moves`: for each phase its turns. `more` goes into the agent's table.
    fn of(moves: &Value, more: &str) -> Self {
        let env = TestEnv::new(env!("CARGO_BIN_EXE_proctor"));
        let folder = env.user_home().join("agent");
        std::fs::create_dir_all(&folder).unwrap();
        let (program, script) = (folder.join("acp_agent.py"), folder.join("moves.json"));
        std::fs::write(&program, AGENT).unwrap();
        std::fs::write(&script, moves.to_string()).unwrap();
        let config = format!(
            "default_agent = \"it\"\n[agents.it]\nkind = \"acp\"\ncommand = [\"python3\", \"{}\", \"{}\"]\n{more}\n",
            program.display(),
            script.display()
        );
        let repo = RepoBuilder::python_calc();
        repo.file("proctor.toml", &config).commit("settings");
        Self { env, repo }
    }

    fn call(&self) -> Call {
        let words = ["add", "a slugify function", "--id", "slug", "--yes", "--format", "json"];
        self.env.call(self.repo.path()).args(&words)
    }
}

#[test]
fn an_agent_over_acp_takes_a_task_to_its_landing_and_is_refused_what_it_may_not() {
    if missing("pytest") {
        return;
    }
    let moves = json!({
        "write_tests": [
            [{"think": "what is wanted?"}, {"plan": ["a test"]}, {"write": ["tests/test_slug.py", TEST]},
             {"answer": {"status": "MAYBE", "test_file_path": 3, "notes": "n"}}],
            [{"knows": 2}, {"answer": prepared()}],
        ],
        "implement": [[
            {"write": ["tests/test_slug.py", "pass"]},
            {"permit": ["edit", "tests/test_slug.py"]},
            {"permit": ["execute", "rm tests/test_slug.py"]},
            {"run": "rm -f tests/test_slug.py"},
            {"read": "../../outside.txt"},
            {"run": "python3 -c 'print(6*7)'; echo oh >&2; exit 3"},
        ], [
            {"permit": ["execute", "python3 -m pytest tests/test_slug.py"]},
            {"write": ["calc.py", calc(RIGHT)]},
            {"read": "calc.py"},
            {"answer": ready()},
        ]],
        "refactor": [[{"answer": {"refactored": false, "notes": "nothing to tidy"}}]],
        "review": [[
            {"permit": ["execute", "ls"]}, {"run": "ls"}, {"write": ["calc.py", "x"]}, {"permit": ["read", "calc.py"]},
            {"answer": {"status": "SUCCESS", "reason": null, "notes": "reads well"}},
        ]],
    });
    let played = Played::of(&moves, "mode = \"go\"");
    let ran = played.call().run().expect_code(0);
    assert_eq!(ran.finished()["status"], "SUCCESS", "{ran}");
    let asked = ran.events_named("asked-again");
    assert_eq!(asked.len(), 1, "{ran}");
    let turns = ran.events_named("turned");
    assert!(turns.iter().all(|turn| turn["turn"]["put_back"] == json!([])), "{ran}");
    let marks = ran.events_named("session-marked");
    let mut ids: Vec<&str> = marks.iter().filter_map(|e| e["mark"]["id"].as_str()).collect();
    ids.dedup();
    assert_eq!(ids, ["write_tests-1", "implement-1", "review-1"]);
    let log = played.env.proctor(played.repo.path(), &["log", "slug", "--verbose"]).stdout;
    for note in [
        "thinks what is wanted?",
        "plans [pending] a test",
        "edits tests/test_slug.py",
        "says was told: tests/test_slug.py is sealed in this phase",
        "was not allowed tests/test_slug.py",
        "was not allowed rm tests/test_slug.py",
        "goes up with `..`",
        "it ended with 3 and said 42 oh",
        "was allowed python3 -m pytest tests/test_slug.py",
        "was not allowed ls",
        "was told: this role only reads: it may not run commands",
        "was refused tests/test_slug.py: tests/test_slug.py is sealed",
        "was allowed calc.py",
    ] {
        assert!(log.contains(note), "{note}\n{log}");
    }
    // What the session had cost before is not counted again.
    let costs = ran.events_named("effect-ended");
    let costs: Vec<u64> = costs.iter().filter_map(|e| e["usage"]["micro_usd"].as_u64()).collect();
    assert!(costs.iter().all(|cost| *cost <= 4_500_000), "{costs:?}");
}

/// What each phase finds at home, of what the phases before have left there.
#[test]
fn each_role_of_an_agent_has_a_home_of_its_own_unless_it_branches_off_anothers_session() {
    if missing("pytest") {
        return;
    }
    let moves = json!({
        "write_tests": [[{"plant": "of-tester"}, {"write": ["tests/test_slug.py", TEST]}, {"answer": prepared()}]],
        "implement": [[{"home": 1}, {"plant": "of-coder"}, {"write": ["calc.py", calc(RIGHT)]}, {"answer": ready()}]],
        "refactor": [[{"home": 1}, {"answer": {"refactored": false, "notes": "nothing to tidy"}}]],
        "review": [[{"home": 1}, {"answer": {"status": "SUCCESS", "reason": null, "notes": "reads well"}}]],
    });
    for (more, implement, refactor, review) in [
        ("", ".", "of-coder.", "."),
        ("session = \"fork\"", "of-tester.", "of-coder of-tester.", "of-coder of-tester."),
    ] {
        let played = Played::of(&moves, more);
        let ran = played.call().run().expect_code(0);
        let log = played.env.proctor(played.repo.path(), &["log", "slug", "--verbose"]).stdout;
        let found: Vec<&str> =
            log.lines().filter_map(|line| Some(line.split_once("at home: ")?.1)).collect();
        assert_eq!(found, [implement, refactor, review], "{log}\n{ran}");
    }
}

#[test]
fn an_error_over_acp_is_told_by_what_it_means() {
    let fails = |fail: Value| {
        let played = Played::of(&json!({"refactor": [[{"fail": fail}]]}), "");
        let words = ["agent", "try", "it", "hello", "--format", "json"];
        let ran = played.env.proctor(played.repo.path(), &words).expect_code(8);
        ran.events()[0]["fault"].as_str().unwrap().to_owned()
    };
    let login = fails(json!({"code": -32000, "message": "Authentication required"}));
    assert!(login.contains("without a login") && login.contains("hint: log in"), "{login}");
    let other = fails(
        json!({"code": -32603, "message": "Internal error", "data": {"details": "a bad day"}}),
    );
    assert!(other.contains("a bad day"), "{other}");
}

#[test]
fn a_mode_that_an_agent_does_not_have_is_told_with_those_that_it_has() {
    let played = Played::of(&json!({"refactor": []}), "mode = \"wild\"");
    let words = ["agent", "try", "it", "hello"];
    let ran = played.env.proctor(played.repo.path(), &words).expect_code(8);
    assert!(ran.stdout.contains("no mode `wild`") && ran.stdout.contains("ask, go"), "{ran}");
}

#[test]
fn a_rate_limit_over_acp_pauses_and_nothing_is_left_of_a_command_when_proctor_is_killed() {
    let long = "python3 -c \"import time; open('began', 'w'); time.sleep(300)\"";
    let limit = json!({"code": -32603, "message": "429 Too Many Requests, try again in 90s",
        "data": {"errorKind": "rate_limit"}});
    let moves = json!({"write_tests": [[{"run": long}], [{"fail": limit}]]});
    let played = Played::of(&moves, "");
    let mut running = played.call().spawn();
    let worktrees = played.env.home().join("worktrees");
    running.until("the command", |_, _| {
        let trees = std::fs::read_dir(&worktrees).into_iter().flatten().flatten();
        trees.into_iter().any(|tree| tree.path().join("began").exists())
    });
    running.kill9();
    let left = processes_left_after(played.env.home(), Duration::from_secs(10));
    assert!(left.is_empty(), "{left:?}");
    let words = ["resume", "slug", "--format", "json"];
    let mut running = played.env.call(played.repo.path()).args(&words).spawn();
    running.until("the pause", |out, _| out.contains("\"event\":\"paused\""));
    running.interrupt();
    let ran = running.wait();
    let paused = &ran.events_named("paused")[0];
    let wait = paused["why"]["until"].as_u64().unwrap() - paused["at"].as_u64().unwrap();
    assert!((60_000..95_000).contains(&wait), "{wait} ms\n{ran}");
}

#[test]
fn doctor_meets_an_agent_over_acp_and_tells_one_that_does_not_answer() {
    let more = "[agents.mute]\nkind = \"acp\"\ncommand = [\"python3\", \"-c\", \"pass\"]\n[agents.none]\nkind = \"acp\"\ncommand = \"no-such-agent --stdio\"";
    let played = Played::of(&json!({}), more);
    let said = played.env.proctor(played.repo.path(), &["doctor"]).stdout;
    assert!(said.contains("it (acp) is played 1; goes on with sessions ("), "{said}");
    assert!(
        said.contains("mute (acp) does not answer") && said.contains("without an answer"),
        "{said}"
    );
    assert!(said.contains("`no-such-agent`, which was not found"), "{said}");
}

#[test]
fn a_table_that_can_not_be_meant_is_refused() {
    for (more, words) in [
        ("program = \"x\"", "has its program in `command`"),
        ("base_url = \"http://127.0.0.1:1\"", "does not know how `python3` is told"),
    ] {
        let played = Played::of(&json!({}), more);
        let words_of = ["agent", "try", "it", "hello"];
        let ran = played.env.proctor(played.repo.path(), &words_of).expect_code(2);
        assert!(ran.stderr.contains(words), "{ran}");
    }
}

#[test]
fn an_agent_over_acp_is_asked_to_stop_before_it_is_ended() {
    let played = Played::of(&json!({"implement": [[{"run": "touch began; exec sleep 300"}]]}), "");
    let (home, tree) = (played.env.user_home(), played.repo.path());
    let errand = json!({
        "make": "other", "cwd": tree, "logs": home.join("terminals"), "prompt": "go",
        "session": {"session": "new"}, "model": null, "mode": null, "meta": null,
        "offers": {"read": true, "write": true, "terminal": true},
        "policy": {"reads_only": false, "top": tree, "sealed": [], "cwd": tree},
    });
    let file = home.join("acp.json");
    std::fs::write(&file, errand.to_string()).unwrap();
    let folder = home.join("agent");
    let mut client = std::process::Command::new(env!("CARGO_BIN_EXE_proctor"))
        .args([std::ffi::OsStr::new("acp"), file.as_os_str(), "python3".as_ref()])
        .args([folder.join("acp_agent.py"), folder.join("moves.json")])
        .env("HOME", home)
        .env("PROCTOR_PHASE", "implement")
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let wait_for = |path: &Path| {
        let until = Instant::now() + Duration::from_mins(1);
        while !path.exists() {
            assert!(Instant::now() < until, "{} never came", path.display());
            std::thread::sleep(Duration::from_millis(10));
        }
    };
    wait_for(&tree.join("began"));
    let pid = rustix::process::Pid::from_child(&client);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    client.wait().unwrap();
    wait_for(&home.join("cancelled"));
}
