use super::*;
use serde_json::json;

fn coder() -> Policy {
    let sealed = vec!["tests/test_a.py".to_owned(), "src/a.test.ts".to_owned()];
    Policy { top: "/tree".into(), ..Policy::of(Hands::Free, Path::new("/tree/pkg"), &sealed) }
}

fn call(kind: &str, input: &Value) -> Call {
    let mut call = Call::default();
    call.learn(&json!({"title": "t", "kind": kind, "rawInput": input}));
    call
}

#[test]
fn a_command_that_writes_a_sealed_file_is_refused_and_one_that_reads_it_is_not() {
    for line in [
        "rm tests/test_a.py",
        "cd . && rm -f ./tests/test_a.py",
        "echo x > tests/test_a.py",
        "echo x >>tests/test_a.py",
        "cat a | tee 'tests/test_a.py'",
        "sed -i s/a/b/ tests/test_a.py",
        "FORCE=1 /bin/mv x /tree/pkg/tests/test_a.py",
        "git checkout -- src/a.test.ts",
        "cp x src/../src/a.test.ts",
    ] {
        let why = coder().command(line).unwrap_err();
        assert!(why.contains("is sealed in this phase"), "{line}: {why}");
        let asked = call("execute", &json!({"command": line}));
        assert!(coder().refuses(&asked).is_some(), "{line}");
    }
    for line in [
        "pytest tests/test_a.py",
        "pytest tests/test_a.py > out.txt",
        "cat tests/test_a.py",
        "sed -n 1p tests/test_a.py",
        "rm tests/test_b.py",
        "diff tests/test_a.py x; rm x",
    ] {
        assert_eq!(coder().command(line), Ok(()), "{line}");
    }
}

#[test]
fn an_edit_is_judged_by_every_path_that_it_names() {
    for said in [
        json!({"kind": "edit", "rawInput": {"file_path": "/tree/pkg/tests/test_a.py"}}),
        json!({"kind": "delete", "locations": [{"path": "/tree/pkg/a"}, {"path": "tests/test_a.py"}]}),
        json!({"kind": "edit", "content": [{"type": "diff", "path": "/tree/pkg/src/a.test.ts"}]}),
        json!({"kind": "edit", "rawInput": {"changes": {"/tree/pkg/src/a.test.ts": {}}}}),
        json!({"rawInput": {"path": "tests/test_a.py"}}),
    ] {
        let mut call = Call::default();
        call.learn(&said);
        assert!(coder().refuses(&call).is_some(), "{said}");
    }
    let input = json!({"file_path": "/tree/pkg/a.py"});
    assert_eq!(coder().refuses(&call("edit", &input)), None);
    let input = json!({"file_path": "/tree/pkg/tests/test_a.py"});
    assert_eq!(coder().refuses(&call("read", &input)), None);
}

#[test]
fn a_role_that_reads_may_neither_write_nor_run_nor_do_what_nobody_knows() {
    let reviewer = Policy::of(Hands::Tied, Path::new("/tree"), &[]);
    for kind in ["edit", "delete", "move", "execute", "switch_mode", "other", "", "new_kind"] {
        assert!(reviewer.refuses(&call(kind, &Value::Null)).is_some(), "{kind}");
    }
    for kind in ["read", "search", "think", "fetch"] {
        assert_eq!(reviewer.refuses(&call(kind, &Value::Null)), None, "{kind}");
    }
    assert!(reviewer.command("ls").is_err());
    assert!(reviewer.file(Path::new("/tree/a"), Touch::Write).is_err());
    assert!(reviewer.file(Path::new("/tree/a"), Touch::Read).is_ok());
}

#[test]
fn a_file_is_one_of_the_worktree() {
    let coder = coder();
    for path in ["/etc/passwd", "/tree/../etc/passwd", "../../x", "/treetop/a"] {
        assert!(coder.file(Path::new(path), Touch::Read).is_err(), "{path}");
    }
    for (path, full) in [("a.py", "/tree/pkg/a.py"), ("/tree/other/./b.py", "/tree/other/b.py")] {
        assert_eq!(coder.file(Path::new(path), Touch::Write), Ok(PathBuf::from(full)));
    }
    assert!(coder.file(Path::new("tests/test_a.py"), Touch::Write).is_err());
    assert!(coder.file(Path::new("tests/test_a.py"), Touch::Read).is_ok());
}
