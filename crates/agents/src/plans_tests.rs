//! How each coding agent is started: what keeps the repository's own settings out, what a role may do, how a turn begins.

use crate::launch::{LaunchPlan, Room, Side, TurnAsk, Walls, plan};
use crate::trial::trial;
use proctor_core::agent::{AcpSpec, AgentKind, AgentSpec, CliSpec, Make, ProjectSettings, Session};
use proctor_core::words::Phase;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;

fn cli() -> CliSpec {
    CliSpec { program: "/opt/bin/it".to_owned(), ..CliSpec::default() }
}

fn room() -> Room {
    Room { home: "/own".into(), user_home: "/user".into(), ..Room::default() }
}

fn planned(kind: AgentKind, room: &Room, phase: Phase) -> LaunchPlan {
    let spec = AgentSpec::of("it", kind);
    trial(room, |ask| plan(&spec, &TurnAsk { phase, ..*ask }))
}

fn words(plan: &LaunchPlan) -> String {
    let words: Vec<_> = plan.argv.iter().map(|word| word.to_string_lossy()).collect();
    words.join(" ")
}

fn var<'a>(plan: &'a LaunchPlan, name: &str) -> &'a str {
    plan.env.get(&OsString::from(name)).and_then(|value| value.to_str()).unwrap_or_default()
}

fn kinds(cli: &CliSpec) -> [AgentKind; 5] {
    [
        AgentKind::Claude(cli.clone()),
        AgentKind::Codex(cli.clone()),
        AgentKind::Gemini(cli.clone()),
        AgentKind::Opencode(cli.clone()),
        AgentKind::Goose(cli.clone()),
    ]
}

/// What `proctor claude-turn` is sent out with.
fn errand_of(plan: &LaunchPlan) -> serde_json::Value {
    let file = plan.files.iter().find(|(path, _)| path.ends_with("claude.json")).unwrap();
    serde_json::from_slice(&file.1).unwrap()
}

#[test]
fn claude_is_asked_with_its_control_protocol_and_one_without_it_is_told_beforehand() {
    let room = Room { side: Side::Code, sealed: vec!["tests/a.py".to_owned()], ..room() };
    let plan = planned(AgentKind::Claude(cli()), &room, Phase::Implement);
    let argv = words(&plan);
    assert!(argv.contains("claude-turn /scratch/claude.json /opt/bin/it -p"), "{argv}");
    assert!(
        argv.contains("--input-format stream-json") && !argv.contains("--permission"),
        "{argv}"
    );
    let errand = errand_of(&plan);
    assert!(errand["asking"].to_string().contains(r#""--permission-prompt-tool","stdio""#));
    let told = errand["told"].to_string();
    assert!(told.contains("acceptEdits") && told.contains("claude-settings.json"), "{told}");
    assert_eq!(errand["policy"]["side"], "code");
    assert_eq!(errand["policy"]["sealed"], serde_json::json!(["tests/a.py"]));
}

#[test]
fn every_program_has_a_home_of_its_own_and_reads_its_prompt_from_a_file() {
    for kind in kinds(&cli()) {
        let name = kind.name();
        let plan = planned(kind, &room(), Phase::Implement);
        // Claude is spoken with by our own program, in its place.
        let at = if name == "claude" { 3 } else { 0 };
        assert_eq!(plan.argv[at], "/opt/bin/it", "{name}");
        assert_eq!(var(&plan, "HOME"), "/own", "{name}");
        assert_eq!(var(&plan, "TMPDIR"), "/own/tmp", "{name}");
        assert_eq!(plan.stdin_file, Path::new("/scratch/prompt.md"), "{name}");
        assert!(plan.withhold.contains(&"XDG_CONFIG_HOME"), "{name}");
        assert!(plan.needs.write.contains(&"/own".into()), "{name}");
        assert_eq!(plan.needs.read, [Path::new("/opt")], "{name}");
        assert!(plan.folders.contains(&"/own/tmp".into()), "{name}");
    }
}

#[test]
fn what_a_repository_brings_starts_nothing_unless_that_is_allowed() {
    let ignored = |kind| planned(kind, &room(), Phase::Implement);
    let used = CliSpec { project_settings: ProjectSettings::Used, ..cli() };
    let used = |kind: fn(CliSpec) -> AgentKind| ignored(kind(used.clone()));
    let claude = words(&ignored(AgentKind::Claude(cli())));
    assert!(claude.contains("--setting-sources  --strict-mcp-config"), "{claude}");
    let claude = words(&used(AgentKind::Claude));
    assert!(claude.contains("--setting-sources project") && !claude.contains("strict"), "{claude}");
    let codex = ignored(AgentKind::Codex(cli()));
    assert!(words(&codex).contains("\"/tree/sub\"={trust_level=\"untrusted\"}"), "{codex:?}");
    assert_eq!(codex.aside, [".codex"]);
    assert!(used(AgentKind::Codex).aside.is_empty());
    let gemini = ignored(AgentKind::Gemini(cli()));
    assert!(words(&gemini).contains("--skip-trust"), "{gemini:?}");
    assert_eq!(var(&gemini, "GEMINI_CLI_TRUST_WORKSPACE"), "");
    let opencode = ignored(AgentKind::Opencode(cli()));
    assert_eq!(var(&opencode, "OPENCODE_DISABLE_PROJECT_CONFIG"), "1");
    assert_eq!(opencode.aside, [".opencode"]);
    assert!(used(AgentKind::Opencode).aside.is_empty());
}

#[test]
fn s2_6_a_reviewer_and_a_scout_get_no_tool_that_writes() {
    let scout = words(&planned(AgentKind::Claude(cli()), &room(), Phase::Scout));
    assert!(scout.contains("--tools Read,Grep,Glob"), "{scout}");
    let review = |kind| planned(kind, &room(), Phase::Review);
    let claude = review(AgentKind::Claude(cli()));
    assert!(words(&claude).contains("--tools Read,Grep,Glob"), "{claude:?}");
    let errand = errand_of(&claude);
    assert_eq!(errand["policy"]["reads_only"], true);
    assert!(errand["told"].to_string().contains("dontAsk"), "{errand}");
    assert!(words(&review(AgentKind::Codex(cli()))).contains("-s read-only"));
    assert!(words(&review(AgentKind::Gemini(cli()))).contains("--approval-mode default"));
    let opencode = review(AgentKind::Opencode(cli()));
    let config: serde_json::Value =
        serde_json::from_str(var(&opencode, "OPENCODE_CONFIG_CONTENT")).unwrap();
    assert_eq!(
        (&config["permission"]["edit"], &config["permission"]["bash"]),
        (&"deny".into(), &"deny".into())
    );
    let goose = review(AgentKind::Goose(cli()));
    let recipe = goose.files.iter().find(|(path, _)| path.ends_with("goose-recipe.json")).unwrap();
    let recipe: serde_json::Value = serde_json::from_slice(&recipe.1).unwrap();
    let tools = recipe["extensions"][0]["available_tools"].to_string();
    assert!(
        !tools.contains("shell") && !tools.contains("write") && !tools.contains("edit"),
        "{tools}"
    );
}

#[test]
fn sealed_files_are_named_to_those_that_can_refuse_them() {
    let room = Room { sealed: vec!["tests/test_a.py".to_owned()], ..room() };
    let with = |kind| planned(kind, &room, Phase::Implement);
    let text = |plan: &LaunchPlan, file: &str| {
        let found = plan.files.iter().find(|(path, _)| path.ends_with(file));
        String::from_utf8(found.unwrap().1.clone()).unwrap()
    };
    let claude = text(&with(AgentKind::Claude(cli())), "claude-settings.json");
    assert!(claude.contains("Edit(tests/test_a.py)"), "{claude}");
    let codex = words(&with(AgentKind::Codex(cli())));
    assert!(codex.contains("\"tests/test_a.py\"=\"read\"") && !codex.contains("-s "), "{codex}");
    let held = Room { walls: Walls::Strong, ..room.clone() };
    let codex = words(&planned(AgentKind::Codex(cli()), &held, Phase::Implement));
    assert!(codex.contains("-s danger-full-access"), "no sandbox within a sandbox: {codex}");
    let gemini = text(&with(AgentKind::Gemini(cli())), "gemini-policy.toml");
    assert!(gemini.contains("argsPattern = \"tests/test_a\\\\.py\""), "{gemini}");
    let opencode = with(AgentKind::Opencode(cli()));
    assert!(var(&opencode, "OPENCODE_CONFIG_CONTENT").contains("\"tests/test_a.py\":\"deny\""));
}

#[test]
fn a_turn_begins_as_it_is_told() {
    let id = || "s-1".to_owned();
    let of = |session: Session, kind: fn(CliSpec) -> AgentKind| {
        words(&planned(kind(cli()), &Room { session, ..room() }, Phase::Implement))
    };
    let resume = |kind| of(Session::Resume { id: id() }, kind);
    let fork = |kind| of(Session::Fork { id: id() }, kind);
    assert!(resume(AgentKind::Claude).contains("--resume s-1"));
    assert!(fork(AgentKind::Claude).contains("--resume s-1 --fork-session"));
    assert!(resume(AgentKind::Codex).ends_with("resume s-1 -"));
    assert!(fork(AgentKind::Codex).ends_with("fork s-1 -"));
    assert!(resume(AgentKind::Gemini).contains("--resume s-1"));
    assert!(resume(AgentKind::Opencode).contains("--session s-1"));
    assert!(fork(AgentKind::Opencode).contains("--session s-1 --fork"));
    assert!(resume(AgentKind::Goose).contains("-n s-1 --resume"));
    assert!(!of(Session::New, AgentKind::Goose).contains("--resume"));
}

#[test]
fn a_login_is_copied_only_where_no_key_is_set() {
    for (kind, key) in [
        (AgentKind::Claude(cli()), "ANTHROPIC_API_KEY"),
        (AgentKind::Codex(cli()), "CODEX_API_KEY"),
        (AgentKind::Gemini(cli()), "GEMINI_API_KEY"),
    ] {
        let name = kind.name();
        let without = planned(kind.clone(), &room(), Phase::Implement);
        let (own, copy) = &without.logins[0];
        assert!(own.starts_with("/user") && copy.starts_with("/own"), "{name}");
        let set = Room { set: BTreeSet::from([key.to_owned()]), ..room() };
        let with = planned(kind, &set, Phase::Implement);
        assert!(with.logins.is_empty() && with.pass.contains(&key), "{name}");
    }
    let goose = CliSpec { provider: Some("anthropic".to_owned()), ..cli() };
    assert_eq!(
        planned(AgentKind::Goose(goose), &room(), Phase::Implement).pass,
        ["ANTHROPIC_API_KEY"]
    );
}

#[test]
fn money_and_turns_are_passed_on_where_the_program_takes_them() {
    let spec = CliSpec { max_turns: Some(7), ..cli() };
    let room = Room { money_left: Some(1_250_000), ..room() };
    let claude = words(&planned(AgentKind::Claude(spec.clone()), &room, Phase::Implement));
    assert!(claude.contains("--max-turns 7 --max-budget-usd 1.250000"), "{claude}");
    assert!(
        words(&planned(AgentKind::Goose(spec), &room, Phase::Implement)).contains("--max-turns 7")
    );
}

#[test]
fn an_agent_over_acp_is_spoken_with_by_our_own_program_and_shut_off_as_by_its_driver() {
    let planned = |make: Make, phase: Phase| {
        let program = "/opt/node_modules/x/it.js".to_owned();
        let args = vec!["--acp".to_owned()];
        let cli = CliSpec { program, args, model: Some("m".to_owned()), ..CliSpec::default() };
        let room = Room { sealed: vec!["tests/a.py".to_owned()], ..room() };
        let plan = planned(AgentKind::Acp(AcpSpec { cli, mode: None, make }), &room, phase);
        let errand = plan.files.iter().find(|(path, _)| path.ends_with("acp.json")).unwrap();
        let errand: crate::acp::Errand = serde_json::from_slice(&errand.1).unwrap();
        (plan, errand)
    };
    for (make, set, word) in [
        (Make::Claude, ("ANTHROPIC_MODEL", "m"), "--acp"),
        (Make::Codex, ("CODEX_HOME", "/own/.codex"), "--acp"),
        (Make::Gemini, ("GEMINI_CLI_HOME", "/own"), "--acp --skip-trust -m m"),
        (Make::Opencode, ("OPENCODE_DISABLE_PROJECT_CONFIG", "1"), "--acp --pure"),
        (Make::Goose, ("GOOSE_MODEL", "m"), "--acp --with-builtin developer"),
        (Make::Other, ("HOME", "/own"), "--acp"),
    ] {
        let (plan, errand) = planned(make, Phase::Implement);
        let begin = "/bin/proctor acp /scratch/acp.json /opt/node_modules/x/it.js";
        assert!(words(&plan).starts_with(&format!("{begin} {word}")), "{}", words(&plan));
        assert_eq!(var(&plan, set.0), set.1, "{make:?}");
        assert_eq!(var(&plan, "HOME"), "/own", "{make:?}");
        assert!(plan.needs.read.contains(&"/opt/node_modules".into()), "{make:?}");
        assert_eq!(errand.prompt, "do it");
        assert_eq!(errand.policy.sealed, ["tests/a.py"], "{make:?}");
        assert_eq!(errand.model.is_some(), make == Make::Other, "the others are told otherwise");
        let (_, errand) = planned(make, Phase::Review);
        assert!(errand.policy.reads_only && !errand.offers.write && !errand.offers.terminal);
    }
    let (plan, errand) = planned(Make::Claude, Phase::Review);
    assert_eq!(errand.meta["claudeCode"]["options"]["settingSources"], serde_json::json!([]));
    assert_eq!(errand.meta["claudeCode"]["options"]["tools"][0], "Read");
    assert!(!errand.meta.to_string().contains("Bash"), "{plan:?}");
    let (plan, _) = planned(Make::Codex, Phase::Implement);
    let settings = plan.files.iter().find(|(path, _)| path.ends_with("config.toml")).unwrap();
    let settings = String::from_utf8_lossy(&settings.1);
    for line in
        ["features.plugins = false", "analytics.enabled = false", "untrusted", "model = \"m\""]
    {
        assert!(settings.contains(line), "{line}\n{settings}");
    }
}

#[test]
fn a_program_that_speaks_acp_is_known_by_the_words_of_its_command() {
    for (command, make) in [
        ("gemini --acp", Make::Gemini),
        ("/usr/bin/goose acp", Make::Goose),
        ("npx -y @google/gemini-cli@0.61.0 --acp", Make::Gemini),
        ("node /x/claude-agent-acp.js", Make::Claude),
        ("npx @agentclientprotocol/codex-acp", Make::Codex),
        ("/path/to/goose/bin/mine --like=gemini", Make::Other),
        ("my-gemini", Make::Other),
    ] {
        let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
        assert_eq!(crate::acp::make_of(&words), make, "{command}");
    }
}
