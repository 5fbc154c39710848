use super::*;
use crate::ask::StepEnd;
use proctor_lang::tree::MemoryTree;

/// A project with one file in a folder, and what a linter printed about it.
fn said(linter: Linter, code: i32, stdout: &str, stderr: &str) -> Result<Vec<String>, String> {
    let tree = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(tree.path().join("sub/src")).unwrap();
    std::fs::write(tree.path().join("sub/src/a.py"), "import os\nx = 1\ny = 2\n").unwrap();
    let top = tree.path().to_string_lossy().into_owned();
    let ask = LintAsk {
        tree: tree.path().to_owned(),
        dir: "sub".to_owned(),
        files: vec!["sub/src/a.py".to_owned()],
        program: linter.name().into(),
    };
    let done = StepOutput {
        label: linter.name().to_owned(),
        end: StepEnd::Exited(code),
        stdout: stdout.replace("{top}", &top).into_bytes(),
        stderr: stderr.replace("{top}", &top).into_bytes(),
    };
    let shown = |remark: &Remark| format!("{remark} | {}", remark.text);
    linter.read(&ask, &done).map(|all| all.iter().map(shown).collect())
}

#[test]
fn ruff_is_read_as_json() {
    let out = r#"[{"cell":null,"code":"F401","filename":"{top}/sub/src/a.py","location":{"column":8,"row":1},
        "message":"`os` imported but unused"}]"#;
    let wanted = ["sub/src/a.py:1: `os` imported but unused (ruff F401) | import os".to_owned()];
    assert_eq!(said(Linter::Ruff, 1, out, "").unwrap(), wanted);
    let broken = said(Linter::Ruff, 2, "", "ruff failed\n  Cause: no such rule").unwrap_err();
    assert_eq!(broken, "exit code 2: ruff failed\n  Cause: no such rule");
}

#[test]
fn both_forms_of_ruffs_formatter_are_read() {
    let wanted =
        ["sub/src/a.py: is not formatted as the project's formatter would (ruff-format) | "
            .to_owned()];
    let old = "Would reformat: src/a.py\n1 file would be reformatted\n";
    assert_eq!(said(Linter::RuffFormat, 1, old, "").unwrap(), wanted);
    let new = "unformatted: File would be reformatted\n --> src/a.py:2:1\n  |\n1 | import os\n";
    assert_eq!(said(Linter::RuffFormat, 1, new, "").unwrap(), wanted);
}

#[test]
fn lines_with_places_are_read_with_and_without_columns_and_codes() {
    let mypy =
        "src/a.py:2: error: Incompatible types  [assignment]\nsrc/a.py:2: note: see the docs\n";
    assert_eq!(
        said(Linter::Mypy, 1, mypy, "").unwrap(),
        ["sub/src/a.py:2: Incompatible types (mypy assignment) | x = 1"]
    );
    let flake = "{top}/sub/src/a.py:3:7: E201 whitespace after '('\n";
    assert_eq!(
        said(Linter::Flake8, 1, flake, "").unwrap(),
        ["sub/src/a.py:3: whitespace after '(' (flake8 E201) | y = 2"]
    );
    let vet = "# x\n./src/a.py:3:13: fmt.Printf format %d has arg of wrong type\n";
    assert_eq!(
        said(Linter::GoVet, 1, "", vet).unwrap(),
        ["sub/src/a.py:3: fmt.Printf format %d has arg of wrong type (go-vet) | y = 2"]
    );
    let tsc = "src/a.py(1,7): error TS2322: Type 'number' is not assignable.\n";
    assert_eq!(
        said(Linter::Tsc, 1, tsc, "").unwrap(),
        ["sub/src/a.py:1: Type 'number' is not assignable. (tsc TS2322) | import os"]
    );
}

#[test]
fn eslint_is_read_without_what_it_says_of_itself() {
    let out = r#"[{"filePath":"{top}/sub/src/a.py","messages":[
        {"ruleId":"no-unused-vars","severity":2,"message":"'x' is never used.","line":2},
        {"ruleId":null,"fatal":false,"severity":1,"message":"File ignored"}]}]"#;
    assert_eq!(
        said(Linter::Eslint, 1, out, "").unwrap(),
        ["sub/src/a.py:2: 'x' is never used. (eslint no-unused-vars) | x = 1"]
    );
}

#[test]
fn clippy_says_each_thing_once() {
    let one = r#"{"reason":"compiler-message","message":{"level":"warning","message":"length comparison to zero",
        "code":{"code":"clippy::len_zero"},"spans":[{"file_name":"src/a.py","is_primary":true,"line_start":2}]}}"#
        .replace('\n', " ");
    let out = format!("{one}\n{one}\n{{\"reason\":\"build-finished\",\"success\":true}}\n");
    assert_eq!(
        said(Linter::Clippy, 0, &out, "").unwrap(),
        ["sub/src/a.py:2: length comparison to zero (clippy clippy::len_zero) | x = 1"]
    );
    assert!(said(Linter::Clippy, 101, "", "error: no such command: `clippy`").is_err());
}

#[test]
fn a_formatters_list_of_files_is_read() {
    let wanted = ["sub/src/a.py: is not formatted as the project's formatter would (gofmt) | "];
    assert_eq!(said(Linter::Gofmt, 0, "{top}/sub/src/a.py\n", "").unwrap(), wanted);
    assert_eq!(said(Linter::Gofmt, 0, "", "").unwrap(), Vec::<String>::new());
}

#[test]
fn a_projects_own_tool_speaks_sarif() {
    let tree = tempfile::tempdir().unwrap();
    let ask = LintAsk {
        tree: tree.path().to_owned(),
        dir: String::new(),
        files: Vec::new(),
        program: "mine".into(),
    };
    let log = r#"{"version":"2.1.0","runs":[{"results":[
        {"ruleId":"R1","level":"error","message":{"text":"no"},
         "locations":[{"physicalLocation":{"artifactLocation":{"uri":"a.c"},"region":{"startLine":4}}}]},
        {"ruleId":"R2","level":"none","message":{"text":"fine"}}]}]}"#;
    let remarks = sarif("mine", &ask, log).unwrap();
    assert_eq!(
        remarks.iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["a.c:4: no (mine R1)"]
    );
    assert_eq!(sarif("mine", &ask, "oh").unwrap_err(), "what it printed is no SARIF");
}

#[test]
fn a_project_uses_what_its_own_files_speak_of() {
    let tree: MemoryTree = [
        ("pyproject.toml", "[tool.ruff]\nline-length = 100\n[tool.black]\n"),
        ("setup.cfg", "[mypy]\nstrict = true\n"),
        ("web/package.json", r#"{"prettier": {}}"#),
        ("web/tsconfig.json", "{}"),
        ("web/.eslintrc.json", "{}"),
        ("core/Cargo.toml", "[package]\nname = \"core\"\n[lints.clippy]\npedantic = \"warn\"\n"),
        ("tool/go.mod", "module tool\n"),
        ("bare/Cargo.toml", ""),
        ("bare/go.mod", ""),
        ("tool/Makefile", "check:\n\tgofmt -l .\n"),
        (".github/workflows/ci.yml", "steps:\n  - run: cargo fmt --check\n  - run: npx tsc\n"),
    ]
    .into_iter()
    .collect();
    let used = |dir: &str| {
        let all = Linter::ALL.into_iter().filter(|linter| linter.used_by(&tree, dir).is_some());
        all.map(Linter::name).collect::<Vec<_>>()
    };
    assert_eq!(used(""), ["ruff", "black", "mypy"]);
    assert_eq!(used("web"), ["eslint", "prettier", "tsc"]);
    assert_eq!(used("core"), ["clippy", "rustfmt"]);
    assert_eq!(used("tool"), ["gofmt"]);
    assert_eq!(
        used("bare"),
        ["rustfmt"],
        "that a language has a linter does not mean that it is used"
    );
    assert_eq!(Linter::Ruff.used_by(&tree, "").unwrap(), "[tool.ruff] in pyproject.toml");
}
