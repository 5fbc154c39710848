use super::*;
use crate::launch::Room;
use crate::limit::{LimitEnd, UNSAID_MS};
use crate::usage::UsageSource;
use proctor_core::brief::AgentKind;
use proctor_core::words::{Millis, Phase, RunId, TaskId, TaskType};
use std::path::Path;

const GOOD: &str = r#"{"status": "SUCCESS", "reason": null, "notes": "fine"}"#;

fn spec() -> AgentSpec {
    AgentSpec {
        name: "helper".to_owned(),
        env: Vec::new(),
        read: Vec::new(),
        copy: Vec::new(),
        kind: AgentKind::Command { argv: vec!["helper".to_owned()] },
    }
}

fn turn(end: &AgentEnd, file: Option<&str>, stdout: &str, stderr: &str) -> TurnReport {
    let (run, task) = (RunId::new("r1"), TaskId::new("t1"));
    let ask = TurnAsk {
        run: &run,
        task: &task,
        kind: TaskType::Feature,
        phase: Phase::Review,
        attempt: 1,
        ask: 1,
        worktree: Path::new("/w"),
        scratch: Path::new("/s"),
        prompt: "12345678",
        own_program: Path::new("/bin/proctor"),
        room: &Room::default(),
    };
    let left = Left {
        output: file.map(str::as_bytes),
        stdout: stdout.as_bytes(),
        stderr_tail: stderr,
        heard: &Heard::default(),
        before: Tally::default(),
    };
    read(&spec(), &ask, end, &left)
}

fn passed() -> Claim {
    Claim::ReviewPassed { notes: "fine".to_owned() }
}

#[test]
fn the_output_file_counts_before_stdout() {
    let report = turn(
        &AgentEnd::Exited(0),
        Some(GOOD),
        r#"{"status": "REJECTED", "reason": "no", "notes": ""}"#,
        "",
    );
    assert_eq!(report.claim, Ok(passed()));
    assert_eq!(report.limited, None);
}

#[test]
fn without_a_file_or_with_an_empty_one_the_last_object_on_stdout_counts() {
    for file in [None, Some(""), Some(" \n")] {
        let report = turn(&AgentEnd::Exited(0), file, &format!("{{\"a\":1}}\n{GOOD}\nbye"), "");
        assert_eq!(report.claim, Ok(passed()), "{file:?}");
    }
}

#[test]
fn a_fence_or_a_mark_in_the_file_is_forgiven() {
    for file in [format!("```json\n{GOOD}\n```\n"), format!("\u{feff}{GOOD}")] {
        let report = turn(&AgentEnd::Exited(0), Some(&file), "", "");
        assert_eq!(report.claim, Ok(passed()), "{file}");
    }
}

#[test]
fn a_broken_file_is_bad_output_whatever_stdout_says() {
    for file in ["{\"status\": \"SUCC", "nonsense", "[1]", "\"text\""] {
        let report = turn(&AgentEnd::Exited(0), Some(file), GOOD, "");
        let fault = report.claim.unwrap_err();
        assert!(matches!(fault, AgentFault::BadOutput { .. }), "{file}: {fault}");
        assert!(fault.to_string().contains("hint: "), "{fault}");
    }
}

#[test]
fn faults_of_the_object_are_named_for_the_agent() {
    let report = turn(&AgentEnd::Exited(0), Some(r#"{"status": "MAYBE"}"#), "", "");
    let text = report.claim.unwrap_err().to_string();
    for word in ["`notes` is missing", "`reason` is missing", "SUCCESS or REJECTED"] {
        assert!(text.contains(word), "{text}");
    }
}

#[test]
fn no_object_at_all_is_no_output() {
    let report = turn(&AgentEnd::Exited(0), None, "I am done.\n", "");
    assert_eq!(report.claim, Err(AgentFault::NoOutput));
}

#[test]
fn a_non_zero_exit_is_a_fault_whatever_was_written() {
    let report = turn(&AgentEnd::Exited(3), Some(GOOD), GOOD, "no\nkey \x1b[31mset\x07\n");
    let text = report.claim.unwrap_err().to_string();
    assert!(text.contains("agent helper exited with code 3"), "{text}");
    assert!(text.contains("it said:\nno\nkey \u{fffd}[31mset\u{fffd}"), "{text}");
    let killed = turn(&AgentEnd::Signalled(9), Some(GOOD), "", "").claim.unwrap_err();
    assert!(killed.to_string().contains("signal 9"), "{killed}");
}

#[test]
fn a_long_stderr_is_cut_to_its_end() {
    let stderr = format!("{}\nlast words", "x".repeat(9000));
    let AgentFault::Died { stderr, .. } =
        turn(&AgentEnd::Exited(1), None, "", &stderr).claim.unwrap_err()
    else {
        panic!("not died");
    };
    assert!(stderr.ends_with("last words") && stderr.len() == 2000);
}

#[test]
fn a_time_limit_and_a_failed_start_are_faults_of_their_own() {
    let limit = r#"{"rate_limited": true}"#;
    let report = turn(&AgentEnd::TimedOut, Some(limit), "", "");
    assert_eq!(report.claim, Err(AgentFault::TimedOut));
    assert_eq!(report.limited, None);
    let report = turn(&AgentEnd::CouldNotStart("no such file".to_owned()), None, "", "");
    assert!(report.claim.unwrap_err().to_string().contains("no such file"));
    assert_eq!(report.usage.tokens, 0);
}

#[test]
fn reported_usage_counts_and_is_marked() {
    let file = r#"{"usage": {"input_tokens": 1200, "output_tokens": 34, "cost_usd": 0.0123}}"#;
    let usage = turn(&AgentEnd::Exited(1), Some(file), "", "").usage;
    assert_eq!(usage, Usage { tokens: 1234, micro_usd: 12_300, source: UsageSource::Reported });
}

#[test]
fn usage_that_is_not_reported_is_estimated_from_the_bytes() {
    for file in [
        None,
        Some(r#"{"usage": "lots"}"#),
        Some(r#"{"usage": {"input_tokens": "many", "output_tokens": -3}}"#),
    ] {
        let usage = turn(&AgentEnd::Exited(0), file, "12345678", "").usage;
        assert_eq!((usage.tokens, usage.source), (4, UsageSource::Estimated), "{file:?}");
    }
    let paid = turn(&AgentEnd::Exited(0), Some(r#"{"usage": {"cost_usd": 2}}"#), "", "").usage;
    assert_eq!((paid.micro_usd, paid.source), (2_000_000, UsageSource::Estimated));
}

#[test]
fn a_usage_limit_is_read_in_every_spelling() {
    for (rest, until) in [
        (r#""retry_after": "40s""#, LimitEnd::After(40_000)),
        (r#""retry_after": "5m""#, LimitEnd::After(300_000)),
        (r#""retry_after": 90"#, LimitEnd::After(90_000)),
        (r#""retry_after": 1.5"#, LimitEnd::After(1_500)),
        (r#""retry_after": "30""#, LimitEnd::After(30_000)),
        (r#""retry_at": 1700000000"#, LimitEnd::At(Millis(1_700_000_000_000))),
        (r#""retry_at": "2023-11-14T22:13:20Z""#, LimitEnd::At(Millis(1_700_000_000_000))),
        (r#""retry_at": "2023-11-14T23:13:20+01:00""#, LimitEnd::At(Millis(1_700_000_000_000))),
        (r#""retry_at": null"#, LimitEnd::After(UNSAID_MS)),
        (r#""retry_after": "soon""#, LimitEnd::After(UNSAID_MS)),
        (r#""retry_after": -4"#, LimitEnd::After(UNSAID_MS)),
        (r#""retry_at": "inf""#, LimitEnd::After(UNSAID_MS)),
    ] {
        let object = format!(r#"{{"rate_limited": true, {rest}, "reason": "too many requests"}}"#);
        for end in [AgentEnd::Exited(0), AgentEnd::Exited(1), AgentEnd::Signalled(15)] {
            let limited = turn(&end, None, &object, "").limited.unwrap();
            assert_eq!(limited.until, until, "{rest}");
            assert!(limited.why.starts_with("too many requests"), "{}", limited.why);
        }
    }
}

#[test]
fn a_limit_that_is_not_true_is_none() {
    for object in [r#"{"rate_limited": false}"#, r#"{"rate_limited": "yes"}"#, GOOD] {
        assert_eq!(turn(&AgentEnd::Exited(0), Some(object), "", "").limited, None);
    }
}
