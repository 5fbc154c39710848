use super::super::errand::Offers;
use super::*;
use crate::acp::Deed;
use crate::launch::Room;
use crate::policy::Policy;
use crate::report::{AgentEnd, AgentFault, Left, TurnReport, read};
use crate::stream::Stream;
use crate::trial::trial;
use crate::usage::UsageSource;
use proctor_core::agent::{AcpSpec, AgentKind, AgentSpec, Make, Tally};
use proctor_core::turn::Claim;
use std::path::{Path, PathBuf};

const CWD: &str = "/path/to/worktrees/run-1";

fn errand(make: Make, session: Session) -> Errand {
    Errand {
        make,
        cwd: CWD.into(),
        prompt: "do it".to_owned(),
        session,
        offers: Offers { read: true, write: true, terminal: true },
        policy: Policy {
            top: CWD.into(),
            cwd: CWD.into(),
            sealed: vec!["tests/test_a.py".to_owned()],
            ..Policy::default()
        },
        ..Errand::default()
    }
}

/// What is sent, and what is told, of some steps.
fn apart(steps: Vec<Step>) -> (Vec<Value>, Vec<Value>) {
    let (mut sent, mut told) = (Vec::new(), Vec::new());
    for step in steps {
        match step {
            Step::Send(message) => sent.push(message),
            Step::Tell(line) => told.push(line),
            Step::Do { .. } | Step::Alive | Step::Over => {}
        }
    }
    (sent, told)
}

fn hear(client: &mut Client, message: &Value) -> Vec<Step> {
    client.hear(&message.to_string())
}

/// A client whose prompt is under way; the id of that request.
fn at_work(errand: Errand) -> (Client, Value) {
    let mut client = Client::new(errand);
    client.begin();
    hear(&mut client, &json!({"id": 0, "result": {"protocolVersion": 1}}));
    let (sent, _) = apart(hear(&mut client, &json!({"id": 1, "result": {"sessionId": "s"}})));
    assert_eq!(sent[0]["method"], "session/prompt");
    (client, sent[0]["id"].clone())
}

fn report(make: Make, told: &[Value]) -> (TurnReport, Vec<String>) {
    let acp = AcpSpec { make, ..AcpSpec::default() };
    let spec = AgentSpec::of("it", AgentKind::Acp(acp));
    let mut stream = Stream::of(&spec.kind, Path::new(CWD));
    let notes = told.iter().flat_map(|line| stream.line(&line.to_string())).collect();
    let left = Left {
        output: None,
        stdout: b"",
        stderr_tail: "",
        heard: stream.heard(),
        before: Tally::default(),
    };
    (trial(&Room::default(), |ask| read(&spec, ask, &AgentEnd::Exited(0), &left)), notes)
}

const RECORDED: [(Make, &str); 5] = [
    (Make::Claude, include_str!("../recorded/acp-claude.jsonl")),
    (Make::Codex, include_str!("../recorded/acp-codex.jsonl")),
    (Make::Gemini, include_str!("../recorded/acp-gemini.jsonl")),
    (Make::Opencode, include_str!("../recorded/acp-opencode.jsonl")),
    (Make::Goose, include_str!("../recorded/acp-goose.jsonl")),
];

#[test]
fn a_recorded_turn_of_each_program_is_read_whole() {
    for (make, lines) in RECORDED {
        let mut client = Client::new(errand(make, Session::New));
        let mut steps = client.begin();
        for line in lines.lines() {
            steps.extend(client.hear(line));
        }
        assert_eq!(steps.last(), Some(&Step::Over), "{make:?}");
        let (report, notes) = report(make, &apart(steps).1);
        let claim = report.claim.unwrap_or_else(|fault| panic!("{make:?}: {fault}"));
        let wanted = Claim::TestsWritten {
            test_file_path: Some("tests/test_slug.py".to_owned()),
            notes: "one test".to_owned(),
        };
        assert_eq!(claim, wanted, "{make:?}");
        assert_eq!(report.usage.tokens, 2100, "{make:?}");
        let known = !matches!(make, Make::Opencode | Make::Goose);
        assert_eq!(report.usage.source == UsageSource::Reported, known, "{make:?}");
        let note = "edits tests/test_slug.py";
        assert!(notes.iter().any(|said| said == note), "{make:?}: {notes:?}");
    }
}

#[test]
fn a_turn_without_its_last_answer_is_not_good() {
    for (make, lines) in RECORDED {
        let mut client = Client::new(errand(make, Session::New));
        let mut steps = client.begin();
        let lines: Vec<&str> = lines.lines().collect();
        for line in &lines[..lines.len() - 1] {
            steps.extend(client.hear(line));
        }
        let (report, _) = report(make, &apart(steps).1);
        assert!(matches!(report.claim, Err(AgentFault::Died { .. })), "{make:?}");
    }
}

#[test]
fn a_session_is_gone_on_with_as_the_agent_can() {
    let resume = || Session::Resume { id: "old".to_owned() };
    let fork = || Session::Fork { id: "old".to_owned() };
    for (make, session, can, method) in [
        (Make::Other, resume(), json!({"sessionCapabilities": {"resume": {}}}), "session/resume"),
        (Make::Other, resume(), json!({"loadSession": true}), "session/load"),
        (Make::Other, fork(), json!({"sessionCapabilities": {"fork": {}}}), "session/fork"),
        (Make::Goose, fork(), json!({"loadSession": true}), "session/fork"),
    ] {
        let mut client = Client::new(errand(make, session));
        client.begin();
        let about = json!({"protocolVersion": 1, "agentCapabilities": can});
        let (sent, _) = apart(hear(&mut client, &json!({"id": 0, "result": about})));
        assert_eq!(sent[0]["method"], method);
        assert_eq!(sent[0]["params"]["sessionId"], "old");
        // What is replayed is no news.
        let old = json!({"sessionUpdate": "agent_message_chunk", "content": {"text": "old"}});
        let replayed = json!({"method": "session/update", "params": {"update": old}});
        assert_eq!(hear(&mut client, &replayed), [Step::Alive]);
        let fault = json!({"code": -32002, "message": "Resource not found"});
        let (_, told) = apart(hear(&mut client, &json!({"id": 1, "error": fault})));
        let (report, _) = report(make, &told);
        assert!(matches!(report.claim, Err(AgentFault::SessionGone { .. })), "{method}");
    }
    let mut client = Client::new(errand(Make::Other, resume()));
    client.begin();
    let (_, told) = apart(hear(&mut client, &json!({"id": 0, "result": {"protocolVersion": 1}})));
    assert!(matches!(report(Make::Other, &told).0.claim, Err(AgentFault::SessionGone { .. })));
}

#[test]
fn an_error_means_what_it_says() {
    let told = |make: Make, answer: &Value| {
        let (mut client, id) = at_work(errand(make, Session::New));
        let mut message = answer.clone();
        message["id"] = id;
        report(make, &apart(hear(&mut client, &message)).1).0
    };
    let failed = |code: i64, message: &str, data: Value| {
        told(Make::Claude, &json!({"error": {"code": code, "message": message, "data": data}}))
    };
    let login = failed(-32000, "Authentication required", Value::Null).claim;
    assert!(matches!(login, Err(AgentFault::NoLogin { .. })), "{login:?}");
    let limit = failed(
        -32603,
        "Internal error",
        json!({"errorKind": "rate_limit", "details": "try again in 34s"}),
    );
    assert!(limit.limited.is_some_and(|limit| limit.why.contains("34s")));
    let limit = failed(-32603, "Internal error", json!("HTTP 429 Too Many Requests"));
    assert!(limit.limited.is_some());
    let other = failed(
        -32603,
        "Internal error",
        json!({"errorKind": "server_error", "details": "a bad day"}),
    )
    .claim;
    assert!(other.is_err_and(|fault| fault.to_string().contains("a bad day")));
    for (stop, words) in [
        ("refusal", "refused"),
        ("max_tokens", "too long"),
        ("max_turn_requests", "limit of calls"),
    ] {
        let claim = told(Make::Other, &json!({"result": {"stopReason": stop}})).claim;
        assert!(claim.is_err_and(|fault| fault.to_string().contains(words)), "{stop}");
    }
}

#[test]
fn what_a_program_says_when_its_provider_failed_is_no_answer() {
    let says = |make: Make, words: &str| {
        let (mut client, id) = at_work(errand(make, Session::New));
        let chunk = json!({"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": words}});
        let mut steps =
            hear(&mut client, &json!({"method": "session/update", "params": {"update": chunk}}));
        steps.extend(hear(
            &mut client,
            &json!({"id": id, "result": {"stopReason": "end_turn", "usage": null}}),
        ));
        report(make, &apart(steps).1).0
    };
    assert!(says(Make::Goose, "Ran into this error: Rate limit exceeded").limited.is_some());
    assert!(
        says(Make::Codex, "exceeded retry limit, last status: 429 Too Many Requests")
            .limited
            .is_some()
    );
    let object = says(Make::Codex, "{\"error\": {\"message\": \"a bad day\"}}").claim;
    assert!(object.is_err_and(|fault| fault.to_string().contains("failed: {\"error\"")));
    let claim = says(Make::Other, "Ran into this error: Rate limit exceeded").claim;
    assert_eq!(claim, Err(AgentFault::NoAnswer));
}

#[test]
fn an_agent_that_stops_at_a_refusal_is_told_the_reason() {
    let (mut client, mut id) = at_work(errand(Make::Other, Session::New));
    for round in 0..3 {
        let call =
            json!({"toolCallId": "t", "kind": "edit", "rawInput": {"path": "tests/test_a.py"}});
        let options = json!([
            {"optionId": "always", "kind": "allow_always"}, {"optionId": "yes", "kind": "allow_once"},
            {"optionId": "never", "kind": "reject_always"}, {"optionId": "no", "kind": "reject_once"},
        ]);
        let asked = json!({"id": "p", "method": "session/request_permission",
            "params": {"toolCall": call, "options": options}});
        let (sent, told) = apart(hear(&mut client, &asked));
        assert_eq!(sent[0]["result"]["outcome"]["optionId"], "no");
        assert_eq!(told.last().unwrap()["event"], "refused");
        let (sent, told) =
            apart(hear(&mut client, &json!({"id": id, "result": {"stopReason": "end_turn"}})));
        if round == 2 {
            assert_eq!(told.last().unwrap()["event"], "end", "it is not told for ever");
            return;
        }
        let words = sent[0]["params"]["prompt"][0]["text"].as_str().unwrap();
        assert!(words.contains("tests/test_a.py is sealed in this phase"), "{words}");
        id = sent[0]["id"].clone();
    }
}

#[test]
fn what_can_only_be_allowed_for_ever_is_not_allowed() {
    let (mut client, _) = at_work(errand(Make::Other, Session::New));
    let asked = json!({"id": 5, "method": "session/request_permission", "params": {
        "toolCall": {"toolCallId": "t", "kind": "edit", "rawInput": {"path": "a.py"}},
        "options": [{"optionId": "always", "kind": "allow_always"}],
    }});
    let (sent, _) = apart(hear(&mut client, &asked));
    assert_eq!(sent[0]["result"]["outcome"], json!({"outcome": "cancelled"}));
}

#[test]
fn a_turn_that_we_stop_says_nothing_about_why() {
    let (mut client, id) = at_work(errand(Make::Other, Session::New));
    let (sent, _) = apart(client.cancel());
    assert_eq!(sent[0]["method"], "session/cancel");
    let (_, told) =
        apart(hear(&mut client, &json!({"id": id, "result": {"stopReason": "cancelled"}})));
    assert!(told.iter().all(|line| line["event"] == "usage"), "{told:?}");
}

#[test]
fn a_shell_line_and_a_command_with_arguments_both_run_in_a_terminal() {
    let (mut client, _) = at_work(errand(Make::Other, Session::New));
    let mut start = |params: Value| {
        let steps =
            hear(&mut client, &json!({"id": 7, "method": "terminal/create", "params": params}));
        match steps.into_iter().find(|step| matches!(step, Step::Do { .. })) {
            Some(Step::Do { deed: Deed::Start { argv, cwd, env, .. }, .. }) => (argv, cwd, env),
            other => panic!("{other:?}"),
        }
    };
    let (argv, cwd, _) = start(json!({"command": "ls | wc"}));
    assert_eq!((argv[2].as_str(), cwd), ("exec 2>&1\nls | wc", PathBuf::from(CWD)));
    let (argv, _, env) =
        start(json!({"command": "echo", "args": ["a b"], "env": [{"name": "N", "value": "v"}]}));
    assert_eq!(argv[3..], ["echo", "a b"]);
    assert_eq!(env["N"], "v");
    let (sent, _) = apart(hear(
        &mut client,
        &json!({"id": 8, "method": "terminal/create", "params": {"command": "ls", "cwd": "/etc"}}),
    ));
    assert!(sent[0]["error"]["message"].as_str().unwrap().contains("outside of the worktree"));
}

#[test]
fn a_model_and_a_mode_are_chosen_as_they_are_offered() {
    let opened = json!({"sessionId": "s",
        "configOptions": [
            {"id": "m", "category": "model", "currentValue": "a", "options": [{"name": "group", "options": [{"value": "b"}]}]}],
        "modes": {"currentModeId": "x", "availableModes": [{"id": "x"}, {"id": "y"}]}});
    let wish = |model: &str, mode: Wish| Errand {
        model: Some(model.to_owned()),
        mode: Some(mode),
        ..errand(Make::Other, Session::New)
    };
    let open = |errand: Errand| {
        let mut client = Client::new(errand);
        client.begin();
        hear(&mut client, &json!({"id": 0, "result": {"protocolVersion": 1}}));
        let steps = hear(&mut client, &json!({"id": 1, "result": opened}));
        (client, apart(steps))
    };
    let (mut client, (sent, _)) = open(wish("b", Wish::Must("y".to_owned())));
    assert_eq!(
        (&sent[0]["method"], &sent[0]["params"]["modeId"]),
        (&json!("session/set_mode"), &json!("y"))
    );
    let (sent, _) = apart(hear(&mut client, &json!({"id": 2, "result": {}})));
    assert_eq!(sent[0]["method"], "session/set_config_option");
    assert_eq!(
        (&sent[0]["params"]["configId"], &sent[0]["params"]["value"]),
        (&json!("m"), &json!("b"))
    );
    let (sent, _) = apart(hear(&mut client, &json!({"id": 3, "result": {}})));
    assert_eq!(sent[0]["method"], "session/prompt");
    let (_, (sent, _)) = open(wish("a", Wish::May("z".to_owned())));
    assert_eq!(sent[0]["method"], "session/prompt", "what is chosen already is left");
    let (_, (_, told)) = open(wish("c", Wish::May("x".to_owned())));
    assert!(told[0]["said"].as_str().unwrap().contains("it has no model `c`\nhint: it offers b"));
}
