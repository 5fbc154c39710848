use super::*;
use serde_json::json;

fn coder() -> Policy {
    let sealed = vec!["tests/test_a.py".to_owned(), "src/a.test.ts".to_owned()];
    Policy {
        top: "/tree".into(),
        cwd: "/tree/pkg".into(),
        sealed,
        side: Side::Code,
        own: vec!["/own/of/it".into()],
        judge: Judge(whose),
        ..Policy::default()
    }
}

fn whose(path: &str) -> Whose {
    match path {
        "pkg/Makefile" => Whose::Nobodys,
        "pkg/lib.rs" => Whose::Shared,
        path if path.contains("test") => Whose::Testers,
        _ => Whose::Coders,
    }
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
    let reviewer =
        Policy { reads_only: true, top: "/tree".into(), cwd: "/tree".into(), ..Policy::default() };
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

#[test]
fn each_side_changes_its_own_files_and_nobody_what_decides_how_tests_run() {
    let edit = |side: Side, path: &str| {
        let asked = call("edit", &json!({"file_path": path}));
        Policy { side, ..coder() }.refuses(&asked).unwrap_or_default()
    };
    assert!(edit(Side::Tests, "a.py").contains("is not a test"));
    assert!(edit(Side::Code, "/tree/pkg/tests/test_new.py").contains("is sealed in this phase"));
    for side in [Side::Tests, Side::Code, Side::Both] {
        assert!(edit(side, "Makefile").contains("decides how tests run"), "{side:?}");
        assert_eq!(edit(side, "lib.rs"), "", "{side:?}");
        assert!(edit(side, "/etc/passwd").contains("outside of the worktree"), "{side:?}");
        assert!(edit(side, "../../x").contains("outside of the worktree"), "{side:?}");
        assert_eq!(edit(side, "/own/of/it/notes.md"), "", "{side:?}");
    }
    for (side, path) in [
        (Side::Tests, "tests/test_new.py"),
        (Side::Code, "a.py"),
        (Side::Both, "a.py"),
        (Side::Both, "tests/test_new.py"),
        (Side::Any, "Makefile"),
    ] {
        assert_eq!(edit(side, path), "", "{side:?} {path}");
    }
}

#[test]
fn a_command_that_writes_the_other_side_is_refused() {
    let tester = Policy { side: Side::Tests, sealed: Vec::new(), ..coder() };
    for line in ["echo x > a.py", "sed -i s/tests/x/ a.py", "pytest >out.txt"] {
        assert!(tester.command(line).unwrap_err().contains("is not a test"), "{line}");
    }
    for line in ["rm -rf __pycache__", "pytest 2> /dev/null", "echo > tests/x.py", "cp a b"] {
        assert_eq!(tester.command(line), Ok(()), "{line}");
    }
    assert_eq!(coder().command("sed -i s/tests/x/ a.py"), Ok(()));
    assert!(coder().command("echo > tests/x.py").is_err());
}

#[test]
fn a_file_is_known_by_the_real_path_of_the_worktree_too() {
    let linked = Policy { real: "/disk/tree".into(), ..coder() };
    let edit = |path: &str| linked.refuses(&call("edit", &json!({"file_path": path})));
    assert_eq!(edit("/disk/tree/pkg/a.py"), None);
    assert!(edit("/disk/tree/pkg/tests/test_a.py").unwrap().contains("is sealed"));
    assert!(edit("/disk/other").is_some());
}
