use super::*;
use crate::launch::{Room, plan};
use crate::stream::Stream;
use crate::trial::trial;
use proctor_core::agent::{AgentKind, AgentSpec, CliSpec, Price};
use proctor_core::words::Phase;
use serde_json::json;
use std::path::Path;

fn spec() -> ApiSpec {
    let cli = CliSpec {
        provider: Some("anthropic".into()),
        model: Some("claude".into()),
        max_turns: Some(7),
        price: Some(Price { input: 3_000_000, output: 15_000_000, cached: None }),
        ..CliSpec::default()
    };
    ApiSpec { cli, context_tokens: Some(9000), ..ApiSpec::default() }
}

fn planned(spec: ApiSpec, room: &Room, phase: Phase) -> (String, LaunchPlan) {
    let spec = AgentSpec::of("it", AgentKind::Api(spec));
    let plan = trial(room, |ask| plan(&spec, &TurnAsk { phase, ..*ask }));
    let words: Vec<_> = plan.argv.iter().map(|word| word.to_string_lossy()).collect();
    (words.join(" "), plan)
}

#[test]
fn the_loop_is_our_own_program_and_its_key_is_in_a_file_and_no_environment() {
    let room = Room {
        home: "/own".into(),
        set: ["ANTHROPIC_API_KEY".to_owned()].into(),
        money_left: Some(1_500_000),
        sealed: vec!["tests/a.py".into()],
        ..Room::default()
    };
    let (words, plan) = planned(spec(), &room, Phase::Implement);
    assert!(
        words.starts_with(
            "/bin/proctor agent-loop --format json --provider anthropic --model claude"
        ),
        "{words}"
    );
    for wanted in [
        "--key-file /scratch/key",
        "--schema /scratch/schema.json",
        "--sealed /scratch/sealed.json",
        "--sessions /own/sessions --session r1-implement-2-3",
        "--max-turns 7 --context-tokens 9000",
        "--price 3.000000,15.000000,3.000000",
        "--max-cost 1.500000",
    ] {
        assert!(words.contains(wanted), "{wanted} in {words}");
    }
    assert!(!words.contains("--read-only") && !words.contains("--base-url"), "{words}");
    assert_eq!(plan.keys, [("ANTHROPIC_API_KEY".to_owned(), "/scratch/key".into())]);
    assert!(!plan.pass.iter().any(|name| name.contains("KEY")), "{:?}", plan.pass);
    assert!(plan.needs.write.contains(&"/own".into()));
    let own = ApiSpec { key_env: Some("MINE".into()), ..spec() };
    let (words, plan) = planned(own, &room, Phase::Review);
    assert!(words.contains("--read-only") && !words.contains("--key-file"), "{words}");
    assert_eq!(plan.keys, []);
}

#[test]
fn a_session_is_gone_on_with_or_branched_off() {
    let room = |session| Room { session, home: "/own".into(), ..Room::default() };
    let (words, _) = planned(spec(), &room(Session::Resume { id: "s1".into() }), Phase::Implement);
    assert!(words.contains("--resume s1") && !words.contains("--session "), "{words}");
    let (words, _) = planned(spec(), &room(Session::Fork { id: "s1".into() }), Phase::Implement);
    assert!(words.contains("--resume s1 --session r1-implement-2-3"), "{words}");
}

#[test]
fn the_lines_of_the_loop_are_read_as_it_prints_them() {
    let mut stream = Stream::of(&AgentKind::Api(spec()), Path::new("/tree"));
    let mut notes = Vec::new();
    let good =
        Ending::Good { object: json!({"notes": "n"}).as_object().cloned(), text: String::new() };
    let input = json!({"path": "/tree/a.py"});
    for tale in [
        Tale::Session { id: "s".into() },
        Tale::Thinking { text: "hm".into() },
        Tale::Tool { name: "read".into(), input },
        Tale::Refused { tool: "write".into(), why: "tests/a.py is sealed".into() },
        Tale::Waits { ms: 1200, why: "it answered 500".into() },
        Tale::Progress,
        Tale::Usage { input: 10, cached: 2, output: 3, usd: Some(0.5) },
        good.tale(),
    ] {
        notes.extend(stream.line(&serde_json::to_string(&tale).unwrap()));
    }
    assert_eq!(
        notes,
        [
            "thinks hm",
            "reads a.py",
            "was refused write: tests/a.py is sealed",
            "waits: it answered 500, tries again in 2 s"
        ]
    );
    let heard = stream.heard();
    assert_eq!(heard.session.as_deref(), Some("s"));
    assert_eq!(heard.bill.tokens, Some(Tokens { input: 10, cached: 2, output: 3 }));
    assert_eq!((heard.bill.usd, &heard.end), (Some(0.5), &Some(StreamEnd::Good)));
    assert_eq!(heard.object.as_ref().unwrap()["notes"], "n");
}

#[test]
fn every_failure_comes_through() {
    for failure in [
        Failure::Limited(Limited { until: LimitEnd::After(5), why: "w".into() }),
        Failure::Limited(Limited { until: LimitEnd::At(Millis(7)), why: "w".into() }),
        Failure::NoLogin { said: "s".into() },
        Failure::SessionGone,
        Failure::Other { said: "s".into() },
    ] {
        let mut stream = Stream::of(&AgentKind::Api(spec()), Path::new("/tree"));
        stream.line(&serde_json::to_string(&Ending::Failed(failure.clone()).tale()).unwrap());
        assert_eq!(stream.heard().end, Some(StreamEnd::Failed(failure)));
    }
}
