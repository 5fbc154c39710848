use super::*;
use serde_json::json;

fn env(phase: Phase, attempt: u32, ask: u32, cwd: &Path) -> PlayEnv {
    PlayEnv { phase, task: String::new(), attempt, ask, cwd: cwd.to_owned(), output: None }
}

fn chosen(scenario: &Value, phase: Phase, attempt: u32, ask: u32) -> Result<String, PlayError> {
    let env = env(phase, attempt, ask, Path::new("/"));
    play(scenario.to_string().as_bytes(), &env).map(|played| played.turn.stdout)
}

#[test]
fn the_first_turn_that_fits_is_played() {
    let scenario = json!({"turns": [
        {"phase": "implement", "attempt": 1, "ask": 2, "stdout": "again"},
        {"phase": "implement", "attempt": 1, "stdout": "first"},
        {"phase": "review", "stdout": "review"},
        {"phase": "implement", "stdout": "later"},
        {"phase": "implement", "attempt": 3, "stdout": "never"},
    ]});
    for (phase, attempt, ask, text) in [
        (Phase::Implement, 1, 1, "first"),
        (Phase::Implement, 1, 2, "again"),
        (Phase::Implement, 2, 2, "later"),
        (Phase::Implement, 3, 1, "later"),
        (Phase::Review, 7, 3, "review"),
    ] {
        assert_eq!(chosen(&scenario, phase, attempt, ask).unwrap(), text);
    }
}

#[test]
fn a_turn_that_is_not_there_is_named() {
    let error = chosen(&json!({"turns": []}), Phase::Refactor, 2, 1).unwrap_err();
    assert_eq!(error.exit_code(), 3);
    let text = error.to_string();
    assert!(text.contains("phase refactor, attempt 2"), "{text}");
}

#[test]
fn every_unknown_key_and_wrong_value_is_named() {
    let scenario = json!({"turn": 1, "turns": [
        {"phase": "review", "writes": {}, "exits": 1},
        {"phase": "dance"},
        {"phase": "review", "attempt": 0},
        {"phase": "review", "exit": 300},
        7,
        {},
    ]});
    let error = chosen(&scenario, Phase::Review, 1, 1).unwrap_err();
    assert_eq!(error.exit_code(), 2);
    let text = error.to_string();
    for word in [
        "the scenario has the unknown key `turn`",
        "turn 1 has the unknown key `writes`",
        "turn 1 has the unknown key `exits`",
        "turn 2: unknown variant `dance`",
        "turn 3: ",
        "turn 4: ",
        "turn 5: ",
        "turn 6: missing field `phase`",
    ] {
        assert!(text.contains(word), "{word} is not in {text}");
    }
}

#[test]
fn what_is_no_scenario_is_refused() {
    for bytes in [&b""[..], b"[]", b"{}", b"{\"turns\": {}}", b"\xff"] {
        let error = play(bytes, &env(Phase::Review, 1, 1, Path::new("/"))).unwrap_err();
        assert!(matches!(error, PlayError::Scenario { .. }), "{error}");
    }
}

fn performed(turn: &Value, env: &PlayEnv) -> (Result<u8, PlayError>, String) {
    let scenario = json!({"turns": [turn]}).to_string();
    let played = play(scenario.as_bytes(), env).unwrap();
    let mut stdout = Vec::new();
    let end = perform(&played, env, &mut stdout);
    (end, String::from_utf8(stdout).unwrap())
}

#[test]
fn a_turn_changes_files_talks_and_leaves_its_object() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("old.txt"), "1\n").unwrap();
    fs::write(folder.path().join("gone.txt"), "").unwrap();
    fs::create_dir(folder.path().join("gone")).unwrap();
    let mut env = env(Phase::Implement, 1, 1, folder.path());
    env.output = Some(folder.path().join("out.json"));
    let (end, stdout) = performed(
        &json!({
            "phase": "implement", "write": {"a/b.txt": "new"}, "append": {"old.txt": "2\n", "c/d": "x"},
            "delete": ["gone.txt", "gone"], "say": ["one", "two"], "sleep_ms": 1, "stdout": "raw",
            "output": {"status": "READY_FOR_REVIEW"}, "exit": 4
        }),
        &env,
    );
    assert_eq!(end.unwrap(), 4);
    assert_eq!(stdout, "one\ntwo\nraw");
    let text = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(text("a/b.txt"), "new");
    assert_eq!(text("old.txt"), "1\n2\n");
    assert_eq!(text("c/d"), "x");
    assert_eq!(text("out.json"), "{\"status\":\"READY_FOR_REVIEW\"}\n");
    assert!(!folder.path().join("gone.txt").exists() && !folder.path().join("gone").exists());
}

#[test]
fn without_an_output_file_the_object_goes_to_stdout() {
    let folder = tempfile::tempdir().unwrap();
    let env = env(Phase::Review, 1, 1, folder.path());
    let (end, stdout) = performed(&json!({"phase": "review", "output": {"a": 1}}), &env);
    assert_eq!((end.unwrap(), stdout.as_str()), (0, "{\"a\":1}\n"));
    let (_, stdout) = performed(&json!({"phase": "review", "output": null}), &env);
    assert_eq!(stdout, "");
}

#[test]
fn a_path_that_leads_out_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let env = env(Phase::Review, 1, 1, folder.path());
    for path in ["../x", "/x", "a/../../x", "", "."] {
        let (end, _) = performed(&json!({"phase": "review", "write": {path: ""}}), &env);
        assert!(matches!(end, Err(PlayError::Outside { .. })), "{path:?}");
    }
}

#[test]
fn a_missing_file_to_delete_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let env = env(Phase::Review, 1, 1, folder.path());
    let (end, _) = performed(&json!({"phase": "review", "delete": ["nope.txt"]}), &env);
    assert!(end.unwrap_err().to_string().contains("nope.txt"));
}

#[test]
fn the_environment_is_read_by_name() {
    let vars = |list: &'static [(&str, &str)]| {
        move |name: &str| list.iter().find(|(n, _)| *n == name).map(|(_, v)| (*v).into())
    };
    let read = PlayEnv::read(
        "/w".into(),
        vars(&[("PROCTOR_PHASE", "review"), ("PROCTOR_ATTEMPT", "2"), ("PROCTOR_OUTPUT", "/o")]),
    )
    .unwrap();
    let mut wanted = env(Phase::Review, 2, 1, Path::new("/w"));
    wanted.output = Some("/o".into());
    assert_eq!(read, wanted);
    for (list, name) in [
        (&[][..], "PROCTOR_PHASE is not set"),
        (&[("PROCTOR_PHASE", "dance")], "PROCTOR_PHASE names no phase"),
        (&[("PROCTOR_PHASE", "review"), ("PROCTOR_ASK", "x")], "PROCTOR_ASK must be a number"),
    ] {
        let error = PlayEnv::read("/w".into(), vars(list)).unwrap_err().to_string();
        assert!(error.contains(name), "{error}");
    }
}
