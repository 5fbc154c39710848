use super::*;
use crate::task::order::Crew;
use proctor_core::words::Phase;
use proctor_engine::Home;
use std::ffi::OsString;

fn around(dir: &Path, vars: &[(&str, &str)]) -> Surroundings {
    let mut env: BTreeMap<OsString, OsString> =
        vars.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
    env.entry("PATH".into()).or_insert_with(|| "/usr/bin:/bin".into());
    Surroundings { cwd: dir.to_owned(), env, home: Home::at(dir.join("home")) }
}

fn cast(
    config: &str,
    flags: &RunFlags,
    vars: &[(&str, &str)],
) -> Result<BTreeMap<Role, AgentSpec>, String> {
    crew(config, flags, vars, Crew::Run)
}

fn crew(
    config: &str,
    flags: &RunFlags,
    vars: &[(&str, &str)],
    crew: Crew,
) -> Result<BTreeMap<Role, AgentSpec>, String> {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("s.json"), "{}").unwrap();
    let config = Config::parse(config, "proctor.toml").unwrap();
    let around = around(dir.path(), vars);
    let casting = Casting {
        around: &around,
        config: &config,
        flags,
        root: dir.path(),
        built_in: None,
        tools: &[],
        session: None,
    };
    casting.crew(crew).map_err(|error| error.to_string())
}

const TWO: &str = "[agents.a]\ncommand = \"sh -c a\"\n[agents.b]\ncommand = [\"sh\", \"b\"]\n";

#[test]
fn without_any_agent_the_hint_shows_both_ways_to_one() {
    let fault = cast("", &RunFlags::default(), &[]).unwrap_err();
    assert!(fault.contains("--agent-cmd") && fault.contains("proctor.toml"), "{fault}");
}

#[test]
fn a_role_flag_wins_over_an_agent_flag_and_that_over_the_configuration() {
    let config = format!("default_agent = \"a\"\n[roles]\ncoder = \"a\"\n{TWO}");
    let flags = RunFlags {
        agent_cmd: Some("sh -c 'x y'".to_owned()),
        roles: vec!["reviewer=b".to_owned()],
        ..RunFlags::default()
    };
    let cast = cast(&config, &flags, &[]).unwrap();
    assert_eq!(cast[&Role::Coder].name, "sh");
    assert_eq!(cast[&Role::Reviewer].name, "b");
    let AgentKind::Command { argv } = &cast[&Role::Tester].kind else {
        panic!("not a command");
    };
    assert!(argv[0].ends_with("/sh") && argv[2] == "x y", "{argv:?}");
}

#[test]
fn one_agent_needs_no_default_and_two_do() {
    let one = cast("[agents.a]\ncommand = \"sh\"\n", &RunFlags::default(), &[]).unwrap();
    assert_eq!(one[&Role::Tester].name, "a");
    let fault = cast(TWO, &RunFlags::default(), &[]).unwrap_err();
    assert!(fault.contains("a, b") && fault.contains("--agent"), "{fault}");
}

#[test]
fn the_mock_takes_every_role() {
    let cast = cast(TWO, &RunFlags::default(), &[("PROCTOR_MOCK", "s.json")]).unwrap();
    assert!(
        cast.values().all(
            |spec| matches!(&spec.kind, AgentKind::Script { file } if file.ends_with("/s.json"))
        )
    );
    assert_eq!(cast.len(), 3);
}

#[test]
fn what_is_not_there_is_named_with_its_hint() {
    let agent = |name: &str| RunFlags { agent: Some(name.to_owned()), ..RunFlags::default() };
    let role = |text: &str| RunFlags { roles: vec![text.to_owned()], ..RunFlags::default() };
    let command =
        RunFlags { agent_cmd: Some("no-such-program-here".to_owned()), ..RunFlags::default() };
    let longer = "[agents.mine]\ncommand = \"sh\"\n";
    for (flags, part) in [
        (agent("mien"), "did you mean `mine`"),
        (role("codr=mine"), "did you mean `coder`"),
        (role("coder"), "ROLE=AGENT"),
        (command, "was not found"),
    ] {
        let fault = cast(longer, &flags, &[]).unwrap_err();
        assert!(fault.contains(part) && fault.contains("hint:"), "{fault}");
    }
    let fault = cast("", &RunFlags::default(), &[("PROCTOR_MOCK", "none.json")]).unwrap_err();
    assert!(fault.contains("none.json"), "{fault}");
}

#[test]
fn each_step_of_a_hunt_can_have_an_agent_of_its_own() {
    let config = format!("default_agent = \"a\"\n[hunt]\nclassify = \"b\"\n{TWO}");
    let scout = |step, flags: &RunFlags| {
        crew(&config, flags, &[], Crew::Hunt(step)).unwrap()[&Role::Scout].name.clone()
    };
    let plain = RunFlags::default();
    assert_eq!(scout(Phase::Scout, &plain), "a");
    assert_eq!(scout(Phase::Classify, &plain), "b");
    let typed = RunFlags { agent: Some("a".to_owned()), ..RunFlags::default() };
    assert_eq!(scout(Phase::Classify, &typed), "a", "what is typed wins");
}
