//! The audit from outside: the project's own linters, commands of its own, and an auditor. What they find goes back to the
//! coder; what was there before, or is not the coder's to change, does not.

use super::rows::{CALC, Desk, ONCE, QUICK, SUB_TEST, coder, tester, with_sub};
use proctor_testkit::{Scenario, missing_file};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The folder that holds ruff and nothing else.
fn ruff() -> Option<PathBuf> {
    let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/tools/ruff/bin");
    (!missing_file("ruff", &place.join("ruff"))).then(|| place.canonicalize().unwrap())
}

fn path_with(folder: &Path) -> String {
    format!("{}:{}", folder.display(), std::env::var("PATH").unwrap())
}

fn findings(event: &Value) -> Vec<&str> {
    event["findings"].as_array().unwrap().iter().map(|f| f.as_str().unwrap()).collect()
}

const RULES: &str = "[tool.ruff.lint]\nselect = [\"F\"]\n";

#[test]
fn what_the_projects_linter_says_anew_goes_back_and_what_it_said_before_does_not() {
    let Some(place) = ruff() else { return };
    let Some(desk) = Desk::with(&format!("{ONCE}[audit]\nlinters = [\"ruff\"]\n")) else { return };
    let old = format!("import os\n{CALC}");
    desk.repo.file("calc.py", &old).file("ruff.toml", &RULES.replace("tool.ruff.", ""));
    desk.repo.commit("a linter, and what it says of old code");
    let body = |head: &str| format!("{head}{}", with_sub("return a - b"));
    let unused =
        "import json\nfrom calc import sub\n\n\ndef test_sub():\n    assert sub(7, 3) == 4\n";
    let scenario = Scenario::new()
        .turn(tester(1, &json!({"tests/test_new.py": unused}), &[]))
        // Rules that would hide it are not the coder's to make.
        .turn(coder(
            1,
            &json!({"calc.py": body("import os\nimport sys\n"), "ruff.toml": "[lint]\nselect = []\n"}),
            &[],
        ))
        .turn(coder(2, &json!({"calc.py": body("import os\n")}), &["ruff.toml"]))
        .review_ok();
    let args = [&["add", "sub"][..], QUICK, &["--format", "json"]].concat();
    let call = desk.call(&args).env("PATH", path_with(&place)).mock(&scenario);
    let story = desk.told(call.run()).ends("SUCCESS", 0);
    let audits = story.named("audited");
    assert_eq!(audits.len(), 2, "{}", story.ran);
    assert_eq!(findings(&audits[0]), ["calc.py:2: `sys` imported but unused (ruff F401)"]);
    assert_eq!(findings(&audits[1]), Vec::<&str>::new());
    let note = "tests/test_new.py:1: `json` imported but unused (ruff F401)";
    assert_eq!(audits[0]["notes"], json!([note]), "a sealed test is not the coder's to change");
    let prompt = story.prompt("implement 2.1");
    assert!(prompt.contains("calc.py:2: `sys` imported but unused (ruff F401)"), "{prompt}");
    assert!(prompt.contains("fixing attempt 1 of 3"), "{prompt}");
    let log = std::fs::read_to_string(story.folder().join(".process/audit.sarif")).unwrap();
    let log: Value = serde_json::from_str(&log).unwrap();
    assert_eq!(log["version"], "2.1.0");
}

#[test]
fn a_command_of_the_projects_own_speaks_sarif_and_a_tool_that_is_missing_is_named() {
    let Some(desk) = Desk::with("") else { return };
    let checker = r#"
import json, sys
results = [{"ruleId": "T1", "message": {"text": "no TODO"}, "locations": [{"physicalLocation":
    {"artifactLocation": {"uri": "calc.py"}, "region": {"startLine": n}}}]}
    for n, line in enumerate(open("calc.py"), 1) if "TODO" in line]
json.dump({"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "todo"}}, "results": results}]}, sys.stdout)
"#;
    let config = format!(
        "{ONCE}[audit]\nlinters = [\"mypy\"]\n[[audit.command]]\nname = \"todo\"\nrun = \"python3 checks/todo.py\"\n"
    );
    desk.repo.file("proctor.toml", &config).file("checks/todo.py", checker);
    desk.repo.file("mypy.ini", "[mypy]\n").file("calc.py", &format!("# TODO: more\n{CALC}"));
    desk.repo.commit("a checker");
    let with = |body: &str| json!({"calc.py": format!("# TODO: more\n{}", with_sub(body))});
    let scenario = Scenario::new()
        .turn(tester(1, &json!({"tests/test_new.py": SUB_TEST}), &[]))
        .turn(coder(1, &with("return a - b  # TODO"), &[]))
        .turn(coder(2, &with("return a - b"), &[]))
        .review_ok();
    let story = desk.played(&scenario, &[&["add", "sub"], QUICK]).ends("SUCCESS", 0);
    let audits = story.named("audited");
    assert_eq!(findings(&audits[0]), ["calc.py:11: no TODO (todo T1)"], "{}", story.ran);
    assert_eq!(findings(&audits[1]), Vec::<&str>::new());
    let note = "mypy: the project uses it (mypy.ini), and it was not found here";
    assert_eq!(audits[1]["notes"], json!([note]));
}

#[test]
fn s4_23_an_auditor_sends_work_back_and_what_is_only_worth_knowing_does_not() {
    let config =
        format!("{ONCE}[roles]\nauditor = \"careful\"\n[agents.careful]\ncommand = [\"true\"]\n");
    let Some(desk) = Desk::with(&config) else { return };
    let audit = |attempt: u32, severity: &str| {
        json!({
            "phase": "audit", "attempt": attempt, "write": {"calc.py": "ruined\n"},
            "output": {
                "findings": [{"severity": severity, "file": "calc.py", "line": 9, "message": "no bounds"}],
                "summary": "looked",
            },
        })
    };
    let sub = |body: &str| json!({"calc.py": with_sub(body)});
    let scenario = Scenario::new()
        .turn(tester(1, &json!({"tests/test_new.py": SUB_TEST}), &[]))
        .turn(coder(1, &sub("return a - b"), &[]))
        .turn(coder(2, &sub("return (a - b)"), &[]))
        .turn(audit(1, "high"))
        .turn(audit(2, "info"))
        .review_ok();
    let story = desk.played(&scenario, &[&["add", "sub"], QUICK]).ends("SUCCESS", 0);
    let heard = story.named("auditor-heard");
    assert_eq!(findings(&heard[0]), ["calc.py:9: no bounds (high)"], "{}", story.ran);
    assert_eq!(findings(&heard[1]), Vec::<&str>::new());
    assert_eq!(heard[1]["notes"], json!(["calc.py:9: no bounds (info)"]));
    let prompt = story.prompt("audit 1.1");
    for part in ["You are the auditor", "+def sub(a, b):", "You only read"] {
        assert!(prompt.contains(part), "{part}: {prompt}");
    }
    assert!(story.prompt("implement 2.1").contains("calc.py:9: no bounds (high)"));
    let put_back = &story.turns("audit")[0]["put_back"];
    assert!(put_back.to_string().contains("calc.py"), "it may not write: {put_back}");
    assert_eq!(desk.repo.git(&["show", "main:calc.py"]).trim(), with_sub("return (a - b)").trim());
}

#[test]
fn a_linter_that_is_not_known_is_refused_with_the_nearest_name() {
    let Some(desk) = Desk::with("[audit]\nlinters = [\"rufff\"]\n") else { return };
    let ran = desk.call(&["add", "sub", "--agent-cmd", "true"]).run();
    assert_eq!(ran.code, 2, "{ran}");
    assert!(ran.stderr.contains("[audit] linters: `rufff` is not known"), "{ran}");
    assert!(ran.stderr.contains("did you mean `ruff`?"), "{ran}");
}
