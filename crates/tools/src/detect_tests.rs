use super::*;
use proctor_lang::tree::MemoryTree;

fn whys(files: &[(&str, &str)], subdir: &str) -> Vec<String> {
    let tree: MemoryTree = files.iter().map(|(p, t)| (*p, *t)).collect();
    detect(&tree, subdir).into_iter().map(|f| f.why).collect()
}

fn command(text: &str) -> Result<UserCommand, UnknownCommand> {
    let argv: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    from_command(&argv)
}

#[test]
fn a_tool_is_found_by_its_files_and_the_file_is_named() {
    assert_eq!(whys(&[("Cargo.toml", "")], ""), ["cargo: Cargo.toml"]);
    assert_eq!(
        whys(&[("pyproject.toml", "[tool.pytest.ini_options]\n")], ""),
        ["pytest: pyproject.toml has [tool.pytest.ini_options]"]
    );
    assert_eq!(whys(&[("tests/test_a.py", "")], ""), ["pytest: tests/test_a.py"]);
    assert_eq!(whys(&[("a/conftest.py", ""), ("a/b_test.py", "")], ""), ["pytest: a/conftest.py"]);
    assert_eq!(whys(&[("pyproject.toml", "[project]\n")], ""), ["pytest: pyproject.toml"]);
    assert_eq!(
        whys(&[("setup.cfg", "[tool:pytest]\n")], ""),
        ["pytest: setup.cfg has [tool:pytest]"]
    );
}

#[test]
fn both_tools_are_given_where_both_fit_and_none_where_none_does() {
    assert_eq!(
        whys(&[("Cargo.toml", ""), ("pytest.ini", "")], ""),
        ["cargo: Cargo.toml", "pytest: pytest.ini"]
    );
    assert!(whys(&[("README.md", ""), ("other/test_a.py", "")], "sub").is_empty());
    assert_eq!(
        whys(&[("sub/Cargo.toml", ""), ("test_a.py", "")], "sub"),
        ["cargo: sub/Cargo.toml"]
    );
}

#[test]
fn a_users_command_is_understood() {
    let given = command("pytest -x tests").unwrap();
    assert_eq!(
        (given.runner, given.program, given.extra_args),
        ("pytest", None, vec!["-x".to_owned(), "tests".to_owned()])
    );
    let given = command("/venv/bin/python3 -m pytest tests").unwrap();
    assert_eq!((given.runner, given.program), ("pytest", Some(PathBuf::from("/venv/bin/python3"))));
    let given = command("cargo nextest run -p a --features=x -v").unwrap();
    assert_eq!((given.runner, given.extra_args.join(" ").as_str()), ("cargo", "-p a --features=x"));
    assert_eq!(command("cargo test --workspace --release").unwrap().extra_args.len(), 2);
}

#[test]
fn a_command_that_can_not_be_read_is_refused_with_what_is_accepted() {
    for text in ["make test", "sh -c pytest", "npm test", "cargo build", "python3 -m nose"] {
        let said = command(text).unwrap_err().to_string();
        assert!(said.contains(text) && said.contains("hint: `pytest"), "{said}");
    }
    for text in
        ["cargo test some_filter", "cargo test -- --ignored", "cargo nextest run --retries 3"]
    {
        assert!(matches!(command(text), Err(UnknownCommand::Argument { .. })), "{text}");
    }
    assert_eq!(from_command(&[]), Err(UnknownCommand::Empty));
}

#[test]
fn a_tool_is_given_by_its_name() {
    for name in ["pytest", "cargo"] {
        assert_eq!(by_name(name).map(|r| r.name()), Some(name));
    }
    assert!(by_name("make").is_none());
}

#[test]
fn python_without_a_test_is_still_python_and_nothing_is_found_in_plain_text() {
    let tree = |paths: &[&str]| {
        paths.iter().map(|p| ((*p).to_owned(), b"x = 1\n".to_vec())).collect::<MemoryTree>()
    };
    let found = detect(&tree(&["README.md", "calc.py"]), "");
    assert_eq!((found[0].runner, found.len()), ("pytest", 1));
    assert!(found[0].why.contains("calc.py is Python"), "{}", found[0].why);
    assert!(detect(&tree(&["a/calc.py", "b/notes.txt"]), "b").is_empty());
    assert!(detect(&tree(&["README.md"]), "").is_empty());
}
