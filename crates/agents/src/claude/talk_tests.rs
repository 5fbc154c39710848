use super::*;
use crate::launch::{Room, Side};
use crate::policy::{Judge, Whose};
use crate::report::{AgentEnd, Left, read};
use crate::stream::Stream;
use crate::trial::trial;
use proctor_core::agent::{AgentKind, AgentSpec, CliSpec, Tally};
use proctor_core::words::Phase;
use std::path::Path;

fn talk() -> Talk {
    let policy = Policy {
        top: "/tree".into(),
        cwd: "/tree".into(),
        sealed: vec!["tests/test_a.py".to_owned()],
        side: Side::Code,
        judge: Judge(|_| Whose::Coders),
        ..Policy::default()
    };
    Talk::new(Errand { prompt: "do it".to_owned(), policy, ..Errand::default() })
}

fn ask(talk: &mut Talk, tool: &str, input: &Value) -> Vec<Step> {
    let request =
        json!({"subtype": "can_use_tool", "tool_name": tool, "input": input, "tool_use_id": "t1"});
    talk.hear(
        &json!({"type": "control_request", "request_id": "r1", "request": request}).to_string(),
    )
}

fn sent(steps: &[Step]) -> &Value {
    let sent = steps.iter().find_map(|step| match step {
        Step::Send(message) => Some(message),
        _ => None,
    });
    sent.unwrap()
}

#[test]
fn a_turn_begins_with_the_prompt_and_is_over_with_the_result() {
    let mut talk = talk();
    let begin = talk.begin();
    assert_eq!(sent(&begin)["message"], json!({"role": "user", "content": "do it"}));
    let init = json!({"type": "system", "subtype": "init", "session_id": "s"});
    assert_eq!(talk.hear(&init.to_string()), [Step::Tell(init)]);
    assert_eq!(talk.hear(r#"{"type":"control_response","response":{}}"#), [Step::Alive]);
    let result = json!({"type": "result", "subtype": "success"});
    assert_eq!(talk.hear(&result.to_string()), [Step::Tell(result), Step::Over]);
    assert!(talk.cancel().is_empty() && talk.hear("{}").is_empty());
}

#[test]
fn a_sealed_file_is_refused_with_the_reason_and_another_is_allowed_as_it_was_asked() {
    let mut talk = talk();
    let input = json!({"file_path": "/tree/tests/test_a.py", "old_string": "a", "new_string": "b"});
    let steps = ask(&mut talk, "Edit", &input);
    let answer = &sent(&steps)["response"];
    assert_eq!(
        (&answer["request_id"], &answer["response"]["behavior"]),
        (&json!("r1"), &json!("deny"))
    );
    let why = answer["response"]["message"].as_str().unwrap();
    assert!(why.contains("tests/test_a.py is sealed in this phase"), "{why}");
    let Step::Tell(told) = &steps[0] else { panic!("{steps:?}") };
    assert_eq!((&told["subtype"], &told["message"]), (&json!("permission_denied"), &json!(why)));
    for (tool, input) in [
        ("Bash", json!({"command": "rm tests/test_a.py"})),
        ("Write", json!({"file_path": "/elsewhere", "content": ""})),
        ("NotebookEdit", json!({"notebook_path": "/tree/tests/test_a.py"})),
    ] {
        let steps = ask(&mut talk, tool, &input);
        assert_eq!(sent(&steps)["response"]["response"]["behavior"], "deny", "{tool}");
    }
    let input = json!({"file_path": "/tree/calc.py", "content": "x"});
    let steps = ask(&mut talk, "Write", &input);
    let allowed = json!({"behavior": "allow", "updatedInput": input});
    assert_eq!(sent(&steps)["response"]["response"], allowed);
    assert_eq!(steps[0], Step::Alive);
}

#[test]
fn a_role_that_reads_is_refused_everything_else() {
    let mut talk = talk();
    talk.errand.policy.reads_only = true;
    for (tool, wanted) in
        [("Read", "allow"), ("Grep", "allow"), ("Bash", "deny"), ("mcp__x", "deny")]
    {
        let steps = ask(&mut talk, tool, &json!({}));
        assert_eq!(sent(&steps)["response"]["response"]["behavior"], wanted, "{tool}");
    }
}

#[test]
fn it_is_interrupted_in_its_own_words_and_what_nobody_knows_is_answered() {
    let mut talk = talk();
    assert_eq!(sent(&talk.cancel())["request"]["subtype"], "interrupt");
    let odd =
        json!({"type": "control_request", "request_id": 7, "request": {"subtype": "mcp_message"}});
    let steps = talk.hear(&odd.to_string());
    assert_eq!(sent(&steps)["response"]["subtype"], "error");
    // Whoever stopped it knows why.
    let result = json!({"type": "result", "subtype": "error_during_execution", "is_error": true,
        "usage": {"input_tokens": 5, "output_tokens": 1}});
    let mut stream = Stream::of(&AgentKind::Claude(CliSpec::default()), Path::new("/tree"));
    let steps = talk.hear(&result.to_string());
    let Step::Tell(told) = &steps[0] else { panic!("{steps:?}") };
    stream.line(&told.to_string());
    assert_eq!(stream.heard().end, None);
    assert_eq!(stream.heard().bill.tokens.map(crate::stream::Tokens::all), Some(6));
    assert_eq!(steps[1], Step::Over);
}

#[test]
fn what_is_no_event_is_told_as_it_is() {
    let mut talk = talk();
    assert!(matches!(&talk.hear("not json")[0], Step::Tell(noise) if noise["text"] == "not json"));
}

/// Recorded with 2.1.325 and a model that was played.
#[test]
fn a_recorded_turn_is_answered_and_read_whole() {
    let cwd = "/path/to/worktrees/run-1";
    let policy = Policy {
        top: cwd.into(),
        cwd: cwd.into(),
        sealed: vec!["tests/t.py".to_owned()],
        side: Side::Code,
        ..Policy::default()
    };
    let mut talk = Talk::new(Errand { policy, ..Errand::default() });
    let spec = AgentSpec::of("it", AgentKind::Claude(CliSpec::default()));
    let mut stream = Stream::of(&spec.kind, Path::new(cwd));
    let (mut notes, mut behaviours) = (Vec::new(), Vec::new());
    for line in include_str!("../recorded/claude-two-way.jsonl").lines() {
        for step in talk.hear(line) {
            match step {
                Step::Tell(line) => notes.extend(stream.line(&line.to_string())),
                Step::Send(sent) => {
                    behaviours.push(text(&sent["response"]["response"], "behavior").to_owned());
                }
                Step::Alive | Step::Over | Step::Do { .. } => {}
            }
        }
    }
    assert_eq!(behaviours, ["deny", "allow", "deny"], "{notes:?}");
    for note in [
        "was refused Bash: tests/t.py is sealed in this phase",
        "was refused Write: /etc/zzz is outside of the worktree",
        "runs python3 -c 'print(1)'",
        "reads tests/t.py",
    ] {
        assert!(notes.iter().any(|said| said.starts_with(note)), "{note} in {notes:?}");
    }
    let left = Left {
        output: None,
        stdout: b"",
        stderr_tail: "",
        heard: stream.heard(),
        before: Tally::default(),
    };
    let report = trial(&Room::default(), |ask| {
        read(&spec, &TurnAsk { phase: Phase::Implement, ..*ask }, &AgentEnd::Exited(0), &left)
    });
    assert!(report.claim.is_ok(), "{:?}", report.claim);
    assert_eq!(stream.heard().session.as_deref(), Some("f110207b-44f9-4d57-9187-7cfbb6ffa60d"));
}
