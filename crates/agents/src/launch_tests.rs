use super::*;
use crate::trial::{ask_of, trial};

fn planned(kind: AgentKind) -> LaunchPlan {
    let spec = AgentSpec::of("a", kind);
    trial(&Room::default(), |ask| plan(&spec, ask))
}

#[test]
fn a_command_gets_the_whole_contract() {
    let argv = vec!["helper".to_owned(), "-x y".to_owned()];
    let plan = planned(AgentKind::Command { argv });
    assert_eq!(plan.argv, ["helper", "-x y"]);
    assert_eq!(plan.cwd, Path::new("/tree/sub"));
    assert_eq!(plan.stdin_file, Path::new("/scratch/prompt.md"));
    let env: Vec<_> = plan
        .env
        .iter()
        .map(|(name, value)| format!("{}={}", name.display(), value.display()))
        .collect();
    assert_eq!(
        env,
        [
            "PROCTOR_ASK=3",
            "PROCTOR_ATTEMPT=2",
            "PROCTOR_OUTPUT=/scratch/output.json",
            "PROCTOR_PHASE=write_tests",
            "PROCTOR_PROMPT=/scratch/prompt.md",
            "PROCTOR_RUN=r1",
            "PROCTOR_SCHEMA=/scratch/schema.json",
            "PROCTOR_TASK=t1",
        ]
    );
}

#[test]
fn the_output_file_is_emptied_before_the_start() {
    let plan = planned(AgentKind::Command { argv: Vec::new() });
    assert_eq!(plan.files[0], ("/scratch/prompt.md".into(), b"do it".to_vec()));
    let schema: serde_json::Value = serde_json::from_slice(&plan.files[1].1).unwrap();
    assert_eq!(schema, turn::schema(Phase::WriteTests, TaskType::BugFix));
    assert_eq!(plan.files[2], (plan.output_file, Vec::new()));
}

#[test]
fn a_script_is_played_by_our_own_program() {
    let file = "/x/demo.json".to_owned();
    let plan = planned(AgentKind::Script { file });
    assert_eq!(plan.argv, ["/bin/proctor", "play", "/x/demo.json"]);
    assert_eq!(plan.needs.network, Network::NotNeeded);
}

#[test]
fn a_program_is_let_in_with_what_belongs_to_it() {
    assert_eq!(installed(Path::new("/opt/x/bin/goose")), Path::new("/opt/x"));
    assert_eq!(installed(Path::new("/opt/claude/claude")), Path::new("/opt/claude"));
    let room = Room::default();
    let (run, task) = (RunId::new("r1"), TaskId::new("t1"));
    let ask = ask_of(&run, &task, &room);
    assert_eq!(ask.hands(), Hands::Free);
    assert_eq!(Phase::Review.hands(), Hands::Tied);
}
