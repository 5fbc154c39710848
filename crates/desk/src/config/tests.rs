use super::*;
use proctor_core::brief::Percent;

fn fault(text: &str) -> String {
    Config::parse(text, "proctor.toml").unwrap_err().to_string()
}

// S4-4
#[test]
fn every_key_is_read() {
    let text = r#"
        runner = "pytest"
        test_cmd = "python -m pytest"
        report = "out.xml"
        subdir = "service"
        branch = "work/{task}-{run}"
        default_agent = "mine"
        [limits]
        red = 1
        green = 2
        review = 3
        tests = 2
        agent_calls = 4
        time = "1h30m"
        tokens = 5
        cost_usd = 2.5
        turn_time = "5m"
        test_time = "40s"
        [gates]
        strict_red = true
        repeats = 3
        baseline_runs = 2
        coverage = ">=85%"
        on_regression = "keep-green"
        [land]
        mode = "merge"
        onto = "main"
        [agents.mine]
        kind = "command"
        command = ["my-agent", "--fast"]
        [agents.played]
        kind = "script"
        file = "scenario.json"
        [roles]
        tester = "mine"
        [setup]
        copy = [".env.test"]
        run = ["npm ci", ["make", "deps"]]
        env_pass = ["DATABASE_URL"]
        env = { MODE = "test" }
        ports = 2
        [[project]]
        dir = "web"
        runner = "vitest"
        [[project]]
        dir = "."
        test_cmd = ["ctest"]
        report = ["a.xml", "b"]
        [context]
        max_tokens = 1000
        files = ["README.md"]
    "#;
    let config = Config::parse(text, "proctor.toml").unwrap();
    assert_eq!(config.limits.time, Some(Span(5_400_000)));
    assert_eq!(config.limits.cost_usd.map(Cost::micro_usd), Some(2_500_000));
    assert_eq!(config.gates.on_regression, Some(OnRegression::KeepGreen));
    assert_eq!(config.agents["played"].kind, AgentWord::Script);
    assert_eq!(config.gates.coverage, Some(Least(Percent(8500))));
    assert_eq!(config.project[1].report.as_ref().unwrap().list(), ["a.xml", "b"]);
    assert_eq!(config.setup.run.unwrap()[0].split("setup.run").unwrap(), ["npm", "ci"]);
}

#[test]
fn faults_name_line_key_and_the_nearest_known_one() {
    let faults = [
        "runner = \"pytest\"\nruner = 1\n",
        "[limits]\ngren = 2\n",
        "[gates]\ncoverage = \"most\"\n",
        "[[project]]\nrunner = \"go\"\n",
        "[land]\nmode = \"sqash\"\n",
        "[land]\nyes = true\n",
        "[limits]\ntime = \"5 minutes\"\n",
        "[limits]\ntime = 5\n",
        "[limits]\ncost_usd = -1\n",
        "[agents.x]\nkind = \"command\"\n",
        "[agents.x]\nkind = \"clade\"\n",
        "[agents.x]\nkind = \"claude\"\ncommand = \"claude -p\"\n",
        "[agents.x]\ncommand = \"x\"\nmodel = \"m\"\n",
        "[agents.x]\nkind = \"goose\"\nbase_url = \"http://127.0.0.1:1\"\n",
        "[agents.x]\nkind = \"script\"\nfile = \"a\"\ncommand = \"b\"\n",
        "[roles]\ncodr = \"x\"\n",
        "[gates]\nrepeats = 0\n",
        "runner = \n",
    ]
    .map(|text| format!("{text}--\n{}\n", fault(text)));
    insta::assert_snapshot!("config_faults", faults.join("\n"));
}

#[test]
fn a_model_by_its_api_says_what_it_lacks() {
    let api = "[agents.x]\nkind = \"api\"\n";
    let whole = format!("{api}provider = \"openai\"\nmodel = \"m\"\n");
    let good =
        format!("{whole}base_url = \"http://h\"\nkey_env = \"MINE\"\ncontext_tokens = 8000\n");
    let config = Config::parse(&good, "proctor.toml").unwrap();
    assert_eq!(config.agents["x"].api().context_tokens, Some(8000));
    for (text, told) in [
        (api.to_owned(), "needs `provider`"),
        (format!("{api}provider = \"gemini\"\nmodel = \"m\"\n"), "anthropic, or openai"),
        (format!("{api}provider = \"anthropic\"\n"), "needs `model`"),
        (format!("{whole}program = \"x\"\n"), "has no program of its own"),
        (format!("{whole}base_url = \"h:1\"\n"), "begins with http://"),
        (format!("{whole}context_tokens = 10\n"), "2000 at least"),
        ("[agents.x]\nkind = \"claude\"\nkey_env = \"K\"\n".to_owned(), "for the kind `api`"),
    ] {
        let said = fault(&text);
        assert!(said.contains(told), "{text}: {said}");
    }
}

#[test]
fn the_repository_lies_over_the_user_and_keeps_what_it_does_not_say() {
    let user = Config::parse(
        "default_agent = \"a\"\n[limits]\nred = 1\ngreen = 1\n[agents.a]\ncommand = \"a\"\n",
        "user",
    )
    .unwrap();
    let repo = Config::parse("[limits]\ngreen = 2\n[agents.b]\ncommand = \"b\"\n", "repo").unwrap();
    let both = user.under(repo);
    assert_eq!((both.limits.red, both.limits.green), (Some(1), Some(2)));
    assert_eq!(both.default_agent.as_deref(), Some("a"));
    assert_eq!(both.agents.len(), 2);
}

#[test]
fn the_shipped_schema_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/proctor.schema.json");
    let shipped = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        shipped == schema(),
        "docs/proctor.schema.json is not what `proctor schema` prints; write it anew with\n  cargo run -p proctor -- schema > docs/proctor.schema.json"
    );
}
