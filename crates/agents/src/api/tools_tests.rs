use super::*;
use crate::api::Dialect;
use crate::launch::Side;
use crate::policy::{Judge, Policy, Whose};

fn rules(hands: Hands) -> Rules {
    Rules {
        dialect: Dialect::Chat,
        model: "m".to_owned(),
        elsewhere: true,
        root: "/tree".into(),
        hands,
        policy: Policy {
            top: "/tree".into(),
            cwd: "/tree".into(),
            sealed: vec!["tests/test_a.py".to_owned()],
            judge: Judge(
                |path| if path.starts_with("tests/") { Whose::Testers } else { Whose::Coders },
            ),
            ..Policy::default()
        },
        schema: Some(json!({"type": "object", "required": ["notes"]})),
        max_calls: 10,
        max_output: None,
        context: 1000,
        price: None,
        money: None,
    }
}

fn read(name: &str, arguments: &Value) -> Result<Deed, String> {
    let call = Call { id: "c".into(), name: name.into(), arguments: arguments.to_string() };
    deed(&rules(Hands::Free), &call)
}

#[test]
fn a_path_stays_below_the_folder_however_it_is_written() {
    for path in ["src/a.py", "./src//a.py", "/tree/src/a.py"] {
        let wanted = Deed::Read { path: "src/a.py".into(), from: 1, lines: None };
        assert_eq!(read("read", &json!({"path": path})), Ok(wanted), "{path}");
    }
    for path in ["../a", "src/../../a", "/etc/passwd", "/tree/../etc/passwd", "/treetop/a"] {
        let told = read("read", &json!({"path": path})).unwrap_err();
        assert!(told.contains("not below the project folder"), "{path}: {told}");
    }
    assert_eq!(read("list", &json!({})), Ok(Deed::List { path: String::new() }));
}

#[test]
fn a_sealed_file_and_gits_own_are_refused_with_the_reason() {
    for (tool, rest) in
        [("write", json!({"content": "x"})), ("edit", json!({"old": "a", "new": "b"}))]
    {
        for (path, why) in
            [("./tests/test_a.py", "is sealed"), (".git/config", "Git's own"), ("", "no file")]
        {
            let mut input = rest.clone();
            input["path"] = json!(path);
            let told = read(tool, &input).unwrap_err();
            assert!(told.contains(why), "{tool} {path}: {told}");
        }
    }
    assert!(read("read", &json!({"path": "tests/test_a.py"})).is_ok());
    assert!(read("write", &json!({"path": "tests/test_b.py", "content": ""})).is_ok());
}

#[test]
fn code_is_refused_to_a_turn_that_is_there_for_tests() {
    let mut rules = rules(Hands::Free);
    rules.policy.side = Side::Tests;
    let write = |path: &str| {
        let arguments = json!({"path": path, "content": "x"}).to_string();
        deed(&rules, &Call { id: "c".into(), name: "write".into(), arguments })
    };
    assert!(write("tests/test_b.py").is_ok());
    let told = write("src/a.py").unwrap_err();
    assert!(told.contains("src/a.py"), "{told}");
}

#[test]
fn what_can_not_be_read_is_told() {
    let call = Call { id: "c".into(), name: "write".into(), arguments: "{\"path\": \"a".into() };
    let told = deed(&rules(Hands::Free), &call).unwrap_err();
    assert!(told.contains("not a whole JSON object") && told.contains("smaller parts"), "{told}");
    for (tool, input, why) in [
        ("fly", json!({}), "no tool `fly`. There are read, list, search, write, edit, run, finish"),
        ("read", json!({}), "`read` needs `path`"),
        ("read", json!({"path": 3}), "must be a text"),
        ("read", json!({"path": "a", "from": "x"}), "must be a whole number"),
        ("run", json!({"command": " "}), "is empty"),
    ] {
        let told = read(tool, &input).unwrap_err();
        assert!(told.contains(why), "{tool}: {told}");
    }
}

#[test]
fn a_command_is_a_line_for_the_shell_or_a_list_of_words() {
    let line = read("run", &json!({"command": "ls | wc", "seconds": 9000}));
    let argv = ["sh", "-c", "ls | wc"].map(str::to_owned).to_vec();
    assert_eq!(line, Ok(Deed::Run { argv, seconds: 600 }));
    let list = read("run", &json!({"command": ["ls", "-l"]}));
    assert_eq!(list, Ok(Deed::Run { argv: vec!["ls".into(), "-l".into()], seconds: 120 }));
}

#[test]
fn tied_hands_only_read() {
    let names: Vec<&str> = offered(&rules(Hands::Tied)).iter().map(|tool| tool.name).collect();
    assert_eq!(names, ["read", "list", "search", "finish"]);
    for tool in ["write", "edit", "run"] {
        let call = Call { id: "c".into(), name: tool.into(), arguments: "{}".into() };
        let told = deed(&rules(Hands::Tied), &call).unwrap_err();
        assert!(told.contains("it only reads"), "{told}");
    }
}
