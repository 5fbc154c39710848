//! Streams of the real programs, recorded with a model that was played: what is heard, shown, answered and billed.

use crate::launch::Room;
use crate::limit::LimitEnd;
use crate::report::{AgentEnd, AgentFault, Left, TurnReport, read};
use crate::stream::Stream;
use crate::trial::trial;
use crate::usage::UsageSource;
use crate::{LaunchPlan, TurnAsk, plan};
use proctor_core::agent::{AgentKind, AgentSpec, CliSpec, Price, Tally};
use proctor_core::turn::Claim;
use proctor_core::words::Phase;
use std::path::Path;

fn kind(name: &str) -> AgentKind {
    let price = Some(Price { input: 2_000_000, output: 10_000_000, cached: Some(200_000) });
    let cli = CliSpec { price, ..CliSpec::default() };
    crate::known::Known::by_name(name).unwrap().kind(cli)
}

/// One recorded turn, read line by line.
struct Read {
    notes: Vec<String>,
    session: Option<String>,
    total: Tally,
    report: TurnReport,
}

fn read_as(agent: &str, lines: &str, end: &AgentEnd, phase: Phase, before: Tally) -> Read {
    let spec = AgentSpec::of(agent, kind(agent));
    let mut stream = Stream::of(&spec.kind, Path::new("/path/to/worktrees/run-1/"));
    let notes = lines.lines().flat_map(|line| stream.line(line)).collect();
    let left = Left {
        output: None,
        stdout: lines.as_bytes(),
        stderr_tail: "",
        heard: stream.heard(),
        before,
    };
    let report = trial(&Room::default(), |ask| read(&spec, &TurnAsk { phase, ..*ask }, end, &left));
    let (session, total) = (stream.heard().session.clone(), stream.heard().bill.total(before));
    Read { notes, session, total, report }
}

fn good(agent: &str, lines: &str) -> Read {
    read_as(agent, lines, &AgentEnd::Exited(0), Phase::WriteTests, Tally::default())
}

const GOOD: [(&str, &str); 5] = [
    ("claude", include_str!("recorded/claude-good.jsonl")),
    ("codex", include_str!("recorded/codex-good.jsonl")),
    ("gemini", include_str!("recorded/gemini-good.jsonl")),
    ("opencode", include_str!("recorded/opencode-good.jsonl")),
    ("goose", include_str!("recorded/goose-good.jsonl")),
];

#[test]
fn a_good_turn_is_read_whole() {
    for (agent, lines) in GOOD {
        let Read { notes, session, report, .. } = good(agent, lines);
        let claim = report.claim.unwrap_or_else(|fault| panic!("{agent}: {fault}"));
        let wanted = Claim::TestsWritten {
            test_file_path: Some("tests/test_slug.py".to_owned()),
            notes: "one test".to_owned(),
        };
        assert_eq!(claim, wanted, "{agent}");
        // goose is told the name of its session.
        assert_eq!(session.is_some(), agent != "goose", "{agent}");
        assert!(notes.iter().any(|note| note.contains("tests/test_slug.py")), "{agent}: {notes:?}");
        assert!(notes.iter().all(|note| !note.contains("/path/to")), "{agent}: {notes:?}");
        let tokens = report.usage.tokens;
        assert!((2100..=2210).contains(&tokens), "{agent}: {tokens}");
    }
}

#[test]
fn without_its_last_event_no_turn_is_good() {
    for (agent, lines) in GOOD {
        let cut: Vec<&str> = lines.lines().collect();
        let cut = cut[..cut.len() - 1].join("\n");
        let fault = good(agent, &cut).report.claim.unwrap_err();
        assert!(matches!(fault, AgentFault::Died { .. }), "{agent}: {fault}");
    }
}

#[test]
fn a_good_event_and_a_bad_exit_code_are_no_good_turn() {
    for (agent, lines) in GOOD {
        let end = AgentEnd::Exited(1);
        let read = read_as(agent, lines, &end, Phase::WriteTests, Tally::default());
        assert!(matches!(read.report.claim, Err(AgentFault::Died { .. })), "{agent}");
        let stayed =
            read_as(agent, lines, &AgentEnd::Lingered, Phase::WriteTests, Tally::default());
        assert!(stayed.report.claim.is_ok(), "{agent}: one that only stayed is");
    }
}

#[test]
fn what_a_program_sums_up_becomes_what_the_turn_cost() {
    for (agent, lines, before, tokens) in [
        ("codex", include_str!("recorded/codex-resumed.jsonl"), 2100, 1050),
        ("goose", include_str!("recorded/goose-resumed.jsonl"), 2100, 1050),
        ("claude", include_str!("recorded/claude-resumed.jsonl"), 0, 1050),
    ] {
        let before = Tally { tokens: before, micro_usd: 7_500 };
        let read = read_as(agent, lines, &AgentEnd::Exited(0), Phase::Refactor, before);
        assert!(read.report.claim.is_ok(), "{agent}");
        assert_eq!(read.report.usage.tokens, tokens, "{agent}");
        if agent == "claude" {
            assert_eq!((read.total.micro_usd, read.report.usage.micro_usd), (11_250, 3_750));
        } else {
            assert_eq!(read.total.tokens, 3150, "{agent}");
        }
    }
}

#[test]
fn money_that_a_program_does_not_say_is_estimated_by_the_price() {
    let gemini = good("gemini", GOOD[2].1).report.usage;
    // 1600 fresh, 500 seen before, 110 out.
    assert_eq!((gemini.micro_usd, gemini.source), (3200 + 100 + 1100, UsageSource::Estimated));
    let claude = good("claude", GOOD[0].1).report.usage;
    assert_eq!((claude.micro_usd, claude.source), (11_250, UsageSource::Reported));
}

#[test]
fn a_key_that_is_not_known_is_told_with_its_remedy() {
    for (agent, lines, code) in [
        ("claude", include_str!("recorded/claude-401.jsonl"), 1),
        ("codex", include_str!("recorded/codex-401.jsonl"), 1),
        ("gemini", include_str!("recorded/gemini-401.jsonl"), 145),
        ("opencode", include_str!("recorded/opencode-401.jsonl"), 1),
        ("goose", include_str!("recorded/goose-401.jsonl"), 0),
    ] {
        let end = AgentEnd::Exited(code);
        let read = read_as(agent, lines, &end, Phase::WriteTests, Tally::default());
        let fault = read.report.claim.unwrap_err();
        assert!(matches!(fault, AgentFault::NoLogin { .. }), "{agent}: {fault}");
        assert!(fault.to_string().contains("hint: run `"), "{agent}: {fault}");
    }
}

#[test]
fn a_rate_limit_is_a_limit_and_no_fault() {
    for (agent, lines, end, until) in [
        ("claude", include_str!("recorded/claude-429.jsonl"), AgentEnd::Waited, 40_000),
        ("codex", include_str!("recorded/codex-429.jsonl"), AgentEnd::Exited(1), 60_000),
        ("gemini", include_str!("recorded/gemini-429.jsonl"), AgentEnd::Exited(173), 60_000),
        ("goose", include_str!("recorded/goose-429.jsonl"), AgentEnd::Lingered, 60_000),
    ] {
        let read = read_as(agent, lines, &end, Phase::WriteTests, Tally::default());
        let limited = read.report.limited.unwrap_or_else(|| panic!("{agent}"));
        assert_eq!(limited.until, LimitEnd::After(until), "{agent}: {}", limited.why);
    }
}

#[test]
fn opencode_says_in_its_log_alone_that_it_waits() {
    let mut stream = Stream::of(&kind("opencode"), Path::new("/w"));
    let line = "level=ERROR message=\"stream error\" error.error=\"AI_APICallError: too many requests, says the played model\"";
    assert_eq!(stream.error_line(line).len(), 1);
    assert!(stream.heard().wait.is_some());
    let mut other = Stream::of(&kind("opencode"), Path::new("/w"));
    assert!(other.error_line("level=ERROR error.error=\"AI_APICallError: bad\"").is_empty());
}

#[test]
fn what_a_program_says_beside_its_events_is_heard_when_there_are_none() {
    let lines = "error: No provider configured. Run 'goose configure' first.\n";
    let end = AgentEnd::Exited(1);
    let read = read_as("goose", lines, &end, Phase::WriteTests, Tally::default());
    let fault = read.report.claim.unwrap_err();
    assert!(matches!(fault, AgentFault::NoLogin { .. }), "{fault}");
    // A model may say such words too, and means nothing by it.
    let lines = "{\"type\":\"message\",\"x\":\"Run 'goose configure'\"}\n";
    let read = read_as("goose", lines, &end, Phase::WriteTests, Tally::default());
    assert!(matches!(read.report.claim, Err(AgentFault::Died { .. })));
}

#[test]
fn lines_that_are_no_events_do_no_harm() {
    for (agent, _) in GOOD {
        let mut stream = Stream::of(&kind(agent), Path::new("/w"));
        for line in ["", "Warning: x", "{", "[1]", "{}", "{\"type\":7}", "{\"type\":\"new\"}"] {
            let _ = stream.line(line);
        }
        assert!(stream.heard().end.is_none(), "{agent}");
    }
}

#[test]
fn a_program_without_lines_that_mean_something_is_shown_as_it_is() {
    let kind = AgentKind::Command { argv: Vec::new() };
    let mut stream = Stream::of(&kind, Path::new("/w"));
    assert_eq!(stream.line("{\"a\": 1}"), ["{\"a\": 1}"]);
    let spec = AgentSpec::of("a", kind);
    let plan: LaunchPlan = trial(&Room::default(), |ask| plan(&spec, ask));
    assert!(plan.aside.is_empty() && plan.logins.is_empty());
}
