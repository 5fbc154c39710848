//! The parsers that are tried, each with samples that it takes and how large a share of the inputs it gets.

use super::{judged, scene};
use anyhow::Result;
use proctor_agents::acp::{Client, Errand};
use proctor_agents::api::{Dialect, Sse};
use proctor_agents::claude;
use proctor_agents::conversation::{Conversation, Step};
use proctor_agents::known::{KNOWN, Known};
use proctor_agents::{AgentEnd, Heard, Left, Room, Stream, TurnAsk, read};
use proctor_core::agent::{AcpSpec, CliSpec, Make, Tally};
use proctor_core::brief::{AgentKind, AgentSpec};
use proctor_core::event::Event;
use proctor_core::run::Run;
use proctor_core::secret::{Redactor, scan};
use proctor_core::words::{Phase, RunId, TaskId, TaskType};
use proctor_lang::{deciding_part, split_rust, zone};
use proctor_testkit::Target;
use proctor_world::keeper::Verdict;
use std::path::Path;

pub fn targets() -> Result<Vec<Target>> {
    let fixtures = crate::tree::root()?.join("crates/tools/tests/fixtures");
    let mut targets = scene::of_runners(&fixtures)?;
    targets.extend([
        agent(),
        claim_on_stdout(),
        verdict(),
        journal(),
        secrets(),
        manifests(),
        sources(),
        answers_of_models(),
    ]);
    targets.extend(judged::targets());
    let recorded = crate::tree::root()?.join("crates/agents/src/recorded");
    for agent in KNOWN {
        targets.push(stream(agent, &recorded)?);
    }
    targets.push(over_acp(&recorded)?);
    targets.push(over_control(&recorded)?);
    Ok(targets)
}

fn samples(texts: &[&str]) -> Vec<Vec<Vec<u8>>> {
    texts.iter().map(|text| vec![text.as_bytes().to_vec()]).collect()
}

fn first(inputs: &[Vec<u8>]) -> &[u8] {
    inputs.first().map(Vec::as_slice).unwrap_or_default()
}

const ANSWERS: [&str; 10] = [
    r#"{"status": "PREPARED_FOR_FIX", "test_file_path": "tests/test_a.py", "notes": "n"}"#,
    r#"{"status": "READY_FOR_REVIEW", "fix_description": "d", "notes": "n", "usage": {"input_tokens": 12, "output_tokens": 3.5, "cost_usd": 0.01}}"#,
    r#"{"rate_limited": true, "retry_after": "5m", "reason": "quota"}"#,
    r#"{"rate_limited": true, "retry_at": "2026-01-01T00:00:00Z"}"#,
    r#"text before {"a": {"b": [1, 2, {"c": "}"}]}} and {"status": "SUCCESS", "reason": null, "notes": ""} after"#,
    r#"{"root_cause": "r", "strategy": "s", "notes": "n"}"#,
    r#"{"findings": [{"file": "a.py", "line": 3, "severity": "major", "message": "m"}], "summary": "s"}"#,
    r#"{"entrypoints": ["src/a.py", "src/b.rs"], "reasoning": "r"}"#,
    r#"{"bugs": [{"short_description": "d", "details": "x", "severity": "high", "relevant_files": ["a.py"]}], "exploration_summary": "e"}"#,
    r#"{"reproducibility_approach": "UNIT_TEST", "reproducibility_chance": "HIGH", "reasoning": "r"}"#,
];

fn turn(output: Option<&[u8]>, stdout: &[u8]) {
    let spec = AgentSpec::of("a", AgentKind::Command { argv: Vec::new() });
    let (run, task) = (RunId::new("r"), TaskId::new("t"));
    let room = Room::default();
    for phase in Phase::ALL {
        let ask = TurnAsk {
            run: &run,
            task: &task,
            kind: TaskType::BugFix,
            phase,
            attempt: 1,
            ask: 1,
            worktree: Path::new("/w"),
            scratch: Path::new("/s"),
            prompt: "p",
            own_program: Path::new("/p"),
            room: &room,
        };
        let (heard, before) = (Heard::default(), Tally::default());
        let left = Left { output, stdout, stderr_tail: "", heard: &heard, before };
        let _ = read(&spec, &ask, &AgentEnd::Exited(0), &left);
    }
}

fn agent() -> Target {
    Target {
        name: "agent output file".to_owned(),
        share: 10,
        samples: samples(&ANSWERS),
        feed: Box::new(|inputs| turn(Some(first(inputs)), b"")),
    }
}

fn claim_on_stdout() -> Target {
    Target {
        name: "agent stdout".to_owned(),
        share: 10,
        samples: samples(&ANSWERS),
        feed: Box::new(|inputs| turn(None, first(inputs))),
    }
}

/// The events of a coding agent's own program, as one of it was recorded.
fn stream(agent: Known, recorded: &Path) -> Result<Target> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(recorded)? {
        let path = entry?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        if name.is_some_and(|name| name.starts_with(agent.name)) {
            found.push(vec![std::fs::read(&path)?]);
        }
    }
    let kind = agent.kind(CliSpec::default());
    Ok(Target {
        name: format!("events of {}", agent.name),
        share: 5,
        samples: found,
        feed: Box::new(move |inputs| {
            let mut stream = Stream::of(&kind, Path::new("/w"));
            for line in String::from_utf8_lossy(first(inputs)).lines() {
                let _ = stream.line(line);
                let _ = stream.error_line(line);
            }
        }),
    })
}

/// What comes over the wire from a model's API.
fn answers_of_models() -> Target {
    const ANTHROPIC: &str = "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":9}}}\n\nevent: x\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"read\",\"input\":{}}}\n\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"{}\"}}\n\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"},\"usage\":{\"output_tokens\":3}}\n\ndata: {\"type\":\"message_stop\"}\n\n";
    const CHAT: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"hi\",\"tool_calls\":[{\"index\":0,\"id\":\"c\",\"function\":{\"name\":\"read\",\"arguments\":\"{}\"}}]},\"finish_reason\":\"tool_calls\"}]}\n\ndata: {\"choices\":[],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":1}}\n\ndata: [DONE]\n\n";
    Target {
        name: "answers of models".to_owned(),
        share: 5,
        samples: samples(&[ANTHROPIC, CHAT]),
        feed: Box::new(|inputs| {
            for dialect in [Dialect::Anthropic, Dialect::Chat] {
                let (mut sse, mut reader) = (Sse::default(), dialect.reader());
                for event in sse.take(first(inputs)).unwrap_or_default() {
                    let _ = reader.take(&event);
                }
                let _ = reader.finish();
            }
        }),
    }
}

/// What an agent says over the Agent Client Protocol, and what our client makes of it.
fn over_acp(recorded: &Path) -> Result<Target> {
    let makes = [Make::Other, Make::Claude, Make::Codex, Make::Gemini, Make::Opencode, Make::Goose];
    let mut found = Vec::new();
    for make in makes.iter().filter_map(|make| make.driver()) {
        found.push(vec![std::fs::read(recorded.join(format!("acp-{make}.jsonl")))?]);
    }
    let mut turn = 0;
    Ok(Target {
        name: "words over acp".to_owned(),
        share: 10,
        samples: found,
        feed: Box::new(move |inputs| {
            turn += 1;
            let make = makes[turn % makes.len()];
            let mut client = Client::new(Errand { make, ..Errand::default() });
            let kind = AgentKind::Acp(AcpSpec { make, ..AcpSpec::default() });
            let mut stream = Stream::of(&kind, Path::new("/w"));
            let mut steps = client.begin();
            for line in String::from_utf8_lossy(first(inputs)).lines() {
                steps.extend(client.hear(line));
            }
            steps.extend(client.cancel());
            for step in steps {
                if let Step::Tell(line) = step {
                    let _ = stream.line(&line.to_string());
                }
            }
        }),
    })
}

/// What Claude Code says and asks over its control protocol.
fn over_control(recorded: &Path) -> Result<Target> {
    Ok(Target {
        name: "words of claude".to_owned(),
        share: 5,
        samples: vec![vec![std::fs::read(recorded.join("claude-two-way.jsonl"))?]],
        feed: Box::new(|inputs| {
            let mut talk = claude::Talk::new(claude::Errand::default());
            let kind = AgentKind::Claude(CliSpec::default());
            let mut stream = Stream::of(&kind, Path::new("/w"));
            let mut steps = talk.begin();
            for line in String::from_utf8_lossy(first(inputs)).lines() {
                steps.extend(talk.hear(line));
            }
            steps.extend(talk.cancel());
            for step in steps {
                if let Step::Tell(line) = step {
                    let _ = stream.line(&line.to_string());
                }
            }
        }),
    })
}

fn verdict() -> Target {
    Target {
        name: "keeper answer".to_owned(),
        share: 10,
        samples: samples(&[
            r#"{"Exited":0}"#,
            r#"{"Signalled":9}"#,
            r#"{"CouldNotStart":"no such file"}"#,
            r#"{"LeftBehind":[12,13]}"#,
            r#"{"Unfit":"x"}"#,
        ]),
        feed: Box::new(|inputs| {
            let _ = serde_json::from_slice::<Verdict>(first(inputs));
        }),
    }
}

pub const BRIEF: &str = r#"{"event":"created","brief":{"task":"t","kind":"bug_fix","description":"d","details":"","relevant_files":[],"context":[],"targets":[],"brought_tests":[],"test_count":null,"repo":{"root":"/r","git_dir":"/r/.git","base":"b","subdir":""},"rules":{"strict_red":false,"refactor":"wanted","on_regression":"halt","changed_tests":"need-a-person","repeats":2},"limits":{"red":3,"green":3,"review":3,"asks":3,"agent_calls":60,"wall_ms":null,"tokens":null,"micro_usd":null,"turn_ms":1,"test_ms":1},"landing":{"mode":"squash","onto":"main","branch":"x","approval":"person","author":"a <a@b>"},"agents":{},"runner":{"name":null,"command":null},"setup":{"copy":[],"run":[],"env_pass":[]}}}"#;

fn journal() -> Target {
    let rest = [
        r#"{"event":"effect-began","no":1,"effect":{"effect":"prepare"}}"#,
        r#"{"event":"effect-ended","no":1,"took_ms":3}"#,
        r#"{"event":"stumbled","why":"w"}"#,
        r#"{"event":"checkout-moved","moved":["HEAD changed"]}"#,
        r#"{"event":"closed","ending":"blocked","reason":"r"}"#,
        r#"{"event":"resumed"}"#,
        r#"{"event":"interrupted"}"#,
    ];
    Target {
        name: "journal lines".to_owned(),
        share: 10,
        samples: vec![[BRIEF].iter().chain(&rest).map(|line| line.as_bytes().to_vec()).collect()],
        feed: Box::new(|inputs| {
            let events: Vec<Event> =
                inputs.iter().filter_map(|line| serde_json::from_slice(line).ok()).collect();
            let _ = Run::replay(&events);
        }),
    }
}

fn secrets() -> Target {
    let header = ["-----BEGIN RSA ", "PRIVATE KEY-----"].concat();
    let texts = [
        format!("{header}\nMIIEpAIBAAKCAQEA7\nAAAABBBBCCCCDDDD=\n"),
        ["postgres://app:", "k9Xv2mQz7@db.internal/app\npassword = \"Xk9", "mPq2vLz77aB3\""]
            .concat(),
        ["eyJ", "hbGciOiJIUzI1NiJ9.", "eyJzdWIiOiIxMjM0NTY3ODkwIn0.", "aB3dE5gH1jK7mN9pQ2"]
            .concat(),
        ["Server=x;Password=", "k9Xv2mQz7;AccountKey=", &"aB3d".repeat(20)].concat(),
    ];
    Target {
        name: "secrets".to_owned(),
        share: 10,
        samples: texts.iter().map(|text| vec![text.clone().into_bytes()]).collect(),
        feed: Box::new(|inputs| {
            let text = first(inputs);
            let _ = scan(text);
            let mut stream = Redactor::default().stream();
            for piece in text.chunks(97) {
                let _ = stream.push(piece);
            }
            let _ = stream.finish();
        }),
    }
}

fn manifests() -> Target {
    const FILES: [(&str, &str); 6] = [
        ("Cargo.toml", "[package]\nname = \"a\"\n[lib]\ntest = false\n[dependencies]\nb = \"1\"\n"),
        (
            "pyproject.toml",
            "[project]\nname = \"a\"\n[tool.pytest.ini_options]\naddopts = \"-q\"\n",
        ),
        ("setup.cfg", "[metadata]\nname = a\n[tool:pytest]\naddopts = -q\n"),
        ("package.json", "{\"name\": \"a\", \"scripts\": {\"test\": \"jest\"}, \"jest\": {}}"),
        ("go.mod", "module a\n\ngo 1.22\n\nreplace b => ../b\n"),
        (
            "pom.xml",
            "<project><build><plugins><plugin><artifactId>x</artifactId></plugin></plugins></build></project>",
        ),
    ];
    Target {
        name: "manifests".to_owned(),
        share: 6,
        samples: FILES
            .iter()
            .map(|(name, text)| vec![name.as_bytes().to_vec(), text.as_bytes().to_vec()])
            .collect(),
        feed: Box::new(|inputs| {
            let name = String::from_utf8_lossy(first(inputs)).into_owned();
            let _ = zone(&name);
            let _ = deciding_part(&name, inputs.get(1).map(Vec::as_slice).unwrap_or_default());
        }),
    }
}

fn sources() -> Target {
    const RUST: &str = "pub fn f() -> u8 { 1 }\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn one() { assert_eq!(super::f(), 1); }\n}\n";
    Target {
        name: "rust sources".to_owned(),
        share: 1,
        samples: samples(&[RUST]),
        feed: Box::new(|inputs| {
            let _ = split_rust(&String::from_utf8_lossy(first(inputs)));
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_samples_are_good_before_they_are_damaged() {
        let journal = journal();
        let events: Vec<Event> = journal.samples[0]
            .iter()
            .map(|line| serde_json::from_slice(line).expect("a sample is no event"))
            .collect();
        assert!(Run::replay(&events).is_some());
    }
}
