use super::*;
use crate::decide::decide;
use crate::event::{Event, Input, Refusal};
use crate::evolve::evolve;
use crate::proof::tests::brief;
use crate::words::TaskType;

fn run(policy: SessionPolicy) -> Run {
    let mut brief = brief(TaskType::Feature);
    let cli = CliSpec { session: policy, ..CliSpec::default() };
    for role in [Role::Tester, Role::Coder, Role::Reviewer] {
        let spec = AgentSpec::of("it", AgentKind::Claude(cli.clone()));
        brief.agents.insert(role, spec);
    }
    Run::new(brief)
}

fn marked(run: Run, phase: Phase, attempt: u32, id: &str, tokens: u64) -> Run {
    let total = Tally { tokens, micro_usd: 0 };
    let mark = SessionMark { agent: "it".into(), id: id.into(), phase, attempt, total };
    evolve(run, &Event::SessionMarked { mark })
}

fn resume(id: &str) -> Session {
    Session::Resume { id: id.into() }
}

#[test]
fn each_role_goes_on_in_its_own_session() {
    let run = marked(run(SessionPolicy::Resume), Phase::WriteTests, 1, "t", 0);
    assert_eq!(run.session_for(Phase::WriteTests, 2), resume("t"));
    assert_eq!(run.session_for(Phase::Implement, 1), Session::New);
    let run = marked(run, Phase::Implement, 1, "c", 40);
    assert_eq!(run.session_for(Phase::Refactor, 1), resume("c"));
    assert_eq!(run.session_for(Phase::Review, 1), Session::New);
    assert_eq!(run.tally_of(Role::Coder, &resume("c")).tokens, 40);
    assert_eq!(run.tally_of(Role::Coder, &resume("nobody")), Tally::default());
    let fork = Session::Fork { id: "c".into() };
    assert_eq!(run.tally_of(Role::Reviewer, &fork).tokens, 40);
    let run = marked(run, Phase::Review, 1, "c", 7);
    assert_eq!(run.tally_of(Role::Coder, &resume("c")).tokens, 40);
    assert_eq!(run.tally_of(Role::Reviewer, &resume("c")).tokens, 7);
    assert_eq!(run.tally_of(Role::Reviewer, &Session::New), Tally::default());
}

#[test]
fn a_turn_that_was_cut_off_goes_on_whatever_the_policy() {
    let run = marked(run(SessionPolicy::New), Phase::Implement, 2, "c", 0);
    assert_eq!(run.session_for(Phase::Implement, 2), resume("c"));
    assert_eq!(run.session_for(Phase::Implement, 3), Session::New);
}

#[test]
fn a_role_branches_off_the_latest_session_once() {
    let run = marked(run(SessionPolicy::Fork), Phase::WriteTests, 1, "t", 0);
    assert_eq!(run.session_for(Phase::Implement, 1), Session::Fork { id: "t".into() });
    let run = marked(run, Phase::Implement, 1, "c", 0);
    assert_eq!(run.session_for(Phase::Implement, 2), resume("c"));
    assert_eq!(run.session_for(Phase::Review, 1), Session::Fork { id: "c".into() });
    assert_eq!(run.session_for(Phase::WriteTests, 2), resume("t"));
}

#[test]
fn what_no_session_carries_is_told() {
    let told = |policy| {
        let mut run = run(policy);
        run.told.push(Told {
            agent: "it".into(),
            phase: Phase::WriteTests,
            attempt: 1,
            notes: "n".into(),
        });
        run
    };
    let fork = Session::Fork { id: "t".into() };
    let count =
        |policy, session: &Session| told(policy).history_for(Phase::Implement, session).len();
    assert_eq!(count(SessionPolicy::MergeFork, &fork), 1);
    assert_eq!(count(SessionPolicy::Fork, &fork), 0);
    assert_eq!(count(SessionPolicy::Fork, &Session::New), 1);
    assert_eq!(count(SessionPolicy::Resume, &Session::New), 0);
    assert_eq!(told(SessionPolicy::MergeFork).history_for(Phase::WriteTests, &fork).len(), 0);
}

#[test]
fn a_session_of_an_effect_that_is_over_is_refused() {
    let mark = SessionMark {
        agent: "it".into(),
        id: "x".into(),
        phase: Phase::Review,
        attempt: 1,
        total: Tally::default(),
    };
    let answer = decide(&run(SessionPolicy::Resume), &Input::Session { no: 9, mark });
    assert_eq!(answer, Err(Refusal::StaleEffect));
}

#[test]
fn an_older_brief_is_still_read() {
    let old = r#"{"name": "mine", "kind": "command", "argv": ["/bin/mine"]}"#;
    let spec: AgentSpec = serde_json::from_str(old).unwrap();
    assert_eq!(spec.kind.name(), "command");
    let new = AgentSpec {
        kind: AgentKind::Goose(CliSpec { program: "/bin/goose".into(), ..CliSpec::default() }),
        ..spec
    };
    let text = serde_json::to_string(&new).unwrap();
    assert!(text.contains(r#""kind":"goose""#), "{text}");
    assert_eq!(serde_json::from_str::<AgentSpec>(&text).unwrap(), new);
}
