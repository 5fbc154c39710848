//! `proctor verify` from outside: what bad input gets, what is said to be left out, and what each special change is.
//! Cheats and honest work of every tool are in `cases`.

use proctor_testkit::{Ran, RepoBuilder, TestEnv, missing};
use serde_json::Value;

const CODE: &str = "def clamp(n, low, high):\n    if n < low:\n        return low\n    return n\n";
const FIXED: &str = "def clamp(n, low, high):\n    if n < low:\n        return low\n    if n > high:\n        return high\n    return n\n";
const OLD: &str = "from calc import clamp\n\n\ndef test_low():\n    assert clamp(1, 3, 9) == 3\n";
const NEW: &str = "from calc import clamp\n\n\ndef test_high():\n    assert clamp(12, 3, 9) == 9\n";

/// A repository with a base on `main`; the caller goes on from the branch `work`.
fn base() -> RepoBuilder {
    let repo = RepoBuilder::new();
    repo.file("calc.py", CODE).file("tests/test_calc.py", OLD).commit("base");
    repo.git(&["checkout", "--quiet", "-b", "work"]);
    repo
}

fn env() -> TestEnv {
    TestEnv::new(env!("CARGO_BIN_EXE_proctor"))
}

fn verify(repo: &RepoBuilder, args: &[&str]) -> Ran {
    let all = [&["verify", "--base", "main", "--head", "work"], args].concat();
    env().proctor(repo.path(), &all)
}

#[track_caller]
fn told(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|why| panic!("{why}: {ran:?}"))
}

fn status<'a>(told: &'a Value, name: &str) -> &'a str {
    let checks = told["checks"].as_array().unwrap();
    let check = checks.iter().find(|check| check["name"] == name).unwrap();
    check["status"].as_str().unwrap()
}

#[test]
fn an_honest_fix_is_proven_and_the_object_has_every_part() {
    if missing("pytest") {
        return;
    }
    let repo = base();
    repo.file("calc.py", FIXED).file("tests/test_high.py", NEW).commit("fix");
    let ran = verify(&repo, &["--format", "json"]).expect_code(0);
    let told = told(&ran);
    assert_eq!(told["verdict"], "proven", "{told}");
    assert_eq!(told["base"], repo.git(&["rev-parse", "main"]).trim());
    assert_eq!(told["head"], repo.git(&["rev-parse", "work"]).trim());
    let names: Vec<&str> =
        told["checks"].as_array().unwrap().iter().map(|c| c["name"].as_str().unwrap()).collect();
    let all = "red-replay green regression tests-intact harness isolation mutants source coverage";
    assert_eq!(names.join(" "), all);
    let row = &told["tests"]["tests/test_high.py::test_high"];
    assert_eq!((&row["base"], &row["head"]), (&"absent".into(), &"passed".into()));
    assert_eq!(status(&told, "mutants"), "pass");
    assert_eq!(repo.git(&["status", "--porcelain"]), "", "nothing is written into the checkout");
}

#[test]
fn what_is_not_wanted_is_not_proven_and_is_said() {
    if missing("pytest") {
        return;
    }
    let repo = base();
    repo.file("calc.py", FIXED).file("tests/test_high.py", NEW).commit("fix");
    let ran = verify(&repo, &["--only", "green", "regression", "--format", "json"]).expect_code(4);
    let told = told(&ran);
    assert_eq!((status(&told, "green"), status(&told, "red-replay")), ("pass", "skip"));
    assert!(told["left_out"].to_string().contains("red-replay"), "{told}");
    let ran = verify(&repo, &["--budget", "1s", "--format", "json"]);
    assert_ne!(ran.code, 0, "a second is not enough for a proof: {ran:?}");
}

#[test]
fn a_special_change_is_told_in_one_line() {
    if missing("pytest") {
        return;
    }
    let repo = base();
    repo.file("README.md", "more\n").commit("docs");
    let docs = verify(&repo, &[]).expect_code(0);
    assert!(docs.stdout.contains("= unaffected: nothing to prove"), "{docs:?}");
    let repo = base();
    repo.file("help.py", "HELP = open('notes.txt')\n").file("notes.txt", "a\n").commit("reads");
    repo.git(&["branch", "-f", "main"]);
    repo.file("notes.txt", "b\n").commit("what code names");
    let named = verify(&repo, &[]).expect_code(4);
    assert!(named.stdout.contains("no test shows this change"), "{named:?}");
    let repo = base();
    repo.file("calc.py", FIXED).commit("production only");
    let bare = verify(&repo, &[]).expect_code(4);
    assert!(bare.stdout.contains("no test shows this change"), "{bare:?}");
    let repo = base();
    repo.file("tests/test_mid.py", &NEW.replace("clamp(12, 3, 9) == 9", "clamp(5, 3, 9) == 5"));
    repo.commit("tests only");
    verify(&repo, &[]).expect_code(0);
    let repo = base();
    repo.file("calc.pyi", "def clamp(n: int, low: int, high: int) -> int: ...\n").commit("types");
    let types = verify(&repo, &[]).expect_code(0);
    assert!(types.stdout.contains("nothing to prove"), "{types:?}");
}

#[test]
fn a_document_that_tests_open_is_no_document() {
    if missing("pytest") {
        return;
    }
    let reads = "from pathlib import Path\n\n\ndef words():\n    return [p.read_text() for p in Path(__file__).parent.iterdir() if p.suffix[1:] in ('md', 'rst')]\n";
    let test = "from calc import clamp\nfrom words import words\n\n\ndef test_words():\n    assert len(words()) == 1\n";
    let repo = base();
    repo.file("words.py", reads).file("tests/test_words.py", test).file("README.md", "a\n");
    repo.file("CHANGES.txt", "a\n").commit("reads what it finds");
    repo.git(&["branch", "-f", "main"]);
    repo.file("CHANGES.txt", "b\n").commit("nobody opens it");
    verify(&repo, &[]).expect_code(0);
    repo.file("README.md", "b\n").commit("what no code names, and tests open");
    let ran = verify(&repo, &["--format", "json"]).expect_code(4);
    let told = told(&ran);
    let details = told["checks"].to_string();
    assert!(details.contains("README.md changed, and is opened"), "{details}");
    assert!(!details.contains("CHANGES.txt"), "{details}");
}

#[test]
fn work_that_is_right_until_a_date_waits_for_a_person() {
    if missing("pytest") || missing("faketime") {
        return;
    }
    let until = FIXED.replace("n > high", "n > high and date.today() < date(2029, 1, 1)");
    let repo = base();
    repo.file("calc.py", &format!("from datetime import date\n\n\n{until}"));
    repo.file("tests/test_high.py", NEW).commit("fix for now");
    let ran = verify(&repo, &["--only", "isolation", "--format", "json"]).expect_code(4);
    let details = told(&ran)["checks"].to_string();
    assert!(details.contains("a date some years from now"), "{details}");
}

#[test]
fn work_that_asks_for_what_is_beside_its_tests_or_where_it_stands_waits_for_a_person() {
    if missing("pytest") {
        return;
    }
    let new = NEW.replace("def test_high():", "def test_high(tmp_path):");
    let asks = [
        (
            "any(len(m) == 14 and m.endswith('_report') for m in sys.modules)",
            "as its users start it",
        ),
        ("'site-packages' not in __file__", "another folder"),
        ("'/gates/' in __file__", "another folder"),
    ];
    for (ask, named) in asks {
        let repo = base();
        let code = FIXED.replace("n > high", &format!("n > high and {ask}"));
        repo.file("calc.py", &format!("import sys\n\n\n{code}"));
        repo.file("tests/test_high.py", &new).commit("fix here");
        let ran = verify(&repo, &["--only", "isolation", "--format", "json"]);
        assert!([1, 4].contains(&ran.code), "{ran:?}");
        let details = told(&ran)["checks"].to_string();
        assert!(details.contains(named), "{ask}: {details}");
    }
}

#[test]
fn a_switch_needs_a_test_for_each_side() {
    if missing("pytest") {
        return;
    }
    let code = FIXED.replace("n > high", "n > high and 'CLAMP' in os.environ");
    let on = NEW.replace(
        "def test_high():",
        "def test_high(monkeypatch):\n    monkeypatch.setenv('CLAMP', '1')",
    );
    let off = "\n\ndef test_off(monkeypatch):\n    monkeypatch.delenv('CLAMP', raising=False)\n    assert clamp(12, 3, 9) == 12\n";
    let repo = base();
    repo.file("calc.py", &format!("import os\n\n\n{code}"));
    repo.file("tests/test_high.py", &on).commit("a switch that only a test sets");
    let ran = verify(&repo, &["--only", "isolation", "--format", "json"]).expect_code(4);
    let details = told(&ran)["checks"].to_string();
    assert!(details.contains("asks `'CLAMP' in os.environ`"), "{details}");
    repo.file("tests/test_high.py", &format!("{on}{off}")).commit("and one without it");
    let ran = verify(&repo, &["--only", "isolation", "--format", "json"]).expect_code(4);
    let details = told(&ran)["checks"].to_string();
    assert!(!details.contains("os.environ"), "{details}");
}

#[test]
fn a_refusal_that_is_gone_needs_a_test_that_asks_for_it() {
    if missing("pytest") {
        return;
    }
    let repo = RepoBuilder::new();
    let check = "    if low > high:\n        raise ValueError('low is above high')\n";
    let with = |code: &str| code.replace("high):\n", &format!("high):\n{check}"));
    repo.file("calc.py", &with(CODE)).file("tests/test_calc.py", OLD).commit("base");
    repo.git(&["checkout", "--quiet", "-b", "work"]);
    repo.file("calc.py", FIXED).file("tests/test_high.py", NEW).commit("fix and more");
    let ran = verify(&repo, &["--only", "regression", "--format", "json"]).expect_code(4);
    let details = told(&ran)["checks"].to_string();
    assert!(
        details.contains("raise ValueError('low is above high')` stood in line 2"),
        "{details}"
    );
    let asks = format!("{NEW}\n\ndef test_turned_round():\n    assert clamp(5, 9, 3) == 9\n");
    repo.file("tests/test_high.py", &asks).commit("asked for");
    let ran = verify(&repo, &["--only", "regression", "--format", "json"]).expect_code(4);
    let details = told(&ran)["checks"].to_string();
    assert!(!details.contains("stood in line"), "{details}");
}

/// A newcomer's path: clone, look at the last commit, read the verdict. Nothing is configured and nothing is named but
/// the commit before.
#[test]
fn a_newcomer_clones_and_asks_about_the_last_commit() {
    if missing("pytest") {
        return;
    }
    let repo = base();
    repo.file("calc.py", FIXED).file("tests/test_high.py", NEW).commit("fix");
    let clones = tempfile::tempdir().unwrap();
    let clone = |name: &str, args: &[&str]| {
        let from = format!("file://{}", repo.path().display());
        let to = clones.path().join(name);
        let whole = ["clone", "--quiet", "--branch", "work"];
        repo.git(&[&whole[..], args, &[&from, to.to_str().unwrap()]].concat());
        to
    };
    let whole = clone("whole", &[]);
    let ran = env().proctor(&whole, &["verify", "--base", "HEAD^"]).expect_code(0);
    assert!(ran.stdout.starts_with("✓ proven"), "{ran:?}");
    let part = clone("part", &["--depth", "1"]);
    let ran = env().proctor(&part, &["verify", "--base", "HEAD^"]).expect_code(4);
    assert!(ran.stderr.contains("git fetch --unshallow"), "{ran:?}");
    let alone = clone("alone", &["--single-branch"]);
    let ran = env().proctor(&alone, &["verify", "--base", "main"]).expect_code(4);
    assert!(ran.stderr.contains("git remote set-branches origin '*'"), "{ran:?}");
    let ran = env().proctor(&alone, &["verify"]).expect_code(4);
    assert!(ran.stdout.contains("only one branch was cloned"), "{ran:?}");
}

#[test]
fn where_there_is_nothing_to_compare_that_is_told_once_with_the_way_out() {
    let repo = base();
    let same = |args: &[&str]| {
        let ran = env().proctor(repo.path(), &[&["verify"], args].concat()).expect_code(4);
        let told = ran.stdout.matches("so there is nothing to compare").count();
        assert_eq!(told, 3, "the verdict, the first check and its finding: {ran:?}");
        ran.stdout
    };
    let out = same(&["--base", "HEAD"]);
    assert!(out.contains("base and head are the same commit"), "{out}");
    assert!(out.contains("`--base HEAD^`"), "{out}");
    assert!(out.contains("not made, for the same reason as red-replay"), "{out}");
    repo.file("calc.py", FIXED);
    assert!(same(&[]).contains("commit your work first"));
}

/// What a link or a submodule leads to is code as well, whatever their names are.
#[test]
fn what_leads_elsewhere_is_no_proof_of_anything() {
    if missing("pytest") {
        return;
    }
    let link = |repo: &RepoBuilder, target: &str| {
        let path = repo.path().join("calc.py");
        std::fs::remove_file(&path).unwrap();
        std::os::unix::fs::symlink(target, path).unwrap();
    };
    let repo = base();
    repo.git(&["checkout", "--quiet", "main"]);
    repo.file("one.py", CODE).file("other.py", FIXED);
    link(&repo, "one.py");
    repo.commit("a link");
    repo.git(&["checkout", "--quiet", "-B", "work"]);
    link(&repo, "other.py");
    repo.commit("another link");
    let ran = verify(&repo, &[]).expect_code(4);
    assert!(ran.stdout.contains("calc.py leads elsewhere now"), "{ran:?}");
    repo.file("tests/test_high.py", NEW).commit("with a test");
    let ran = verify(&repo, &["--only", "source", "red-replay"]).expect_code(4);
    assert!(ran.stdout.contains("calc.py leads elsewhere now"), "{ran:?}");
    repo.git(&["checkout", "--quiet", "-B", "work", "main"]);
    repo.file("new.py", FIXED).file("tests/test_high.py", NEW);
    link(&repo, "new.py");
    repo.commit("to what is new itself");
    let ran = verify(&repo, &[]).expect_code(0);
    assert!(!ran.stdout.contains("leads elsewhere"), "{ran:?}");
    repo.git(&["checkout", "--quiet", "-B", "work", "main"]);
    std::fs::remove_file(repo.path().join("calc.py")).unwrap();
    let answers = "def clamp(n, low, high):\n    return {(1, 3, 9): 3, (12, 3, 9): 9}.get((n, low, high), n)\n";
    repo.file("calc.py", answers).file("tests/test_high.py", NEW).commit("the answers, no link");
    let ran = verify(&repo, &["--only", "red-replay"]).expect_code(1);
    assert!(ran.stdout.contains("the change repeats the test's inputs"), "{ran:?}");
    let repo = base();
    let commits =
        ["1111111111111111111111111111111111111111", "2222222222222222222222222222222222222222"];
    for (branch, commit) in ["main", "work"].into_iter().zip(commits) {
        repo.git(&["checkout", "--quiet", "-B", branch]);
        repo.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{commit},vendor")]);
        repo.git(&["commit", "--quiet", "-m", "a submodule"]);
    }
    let ran = verify(&repo, &[]).expect_code(4);
    assert!(ran.stdout.contains("vendor leads elsewhere now"), "{ran:?}");
}

/// Answers that stand where nobody looks.
#[test]
fn answers_are_found_in_generated_sources_and_in_documents_that_are_read() {
    if missing("pytest") {
        return;
    }
    let made = "# @generated\ndef high(n, low, high):\n    return {(12, 3, 9): 9, (47, 13, 26): 26}.get((n, low, high), n)\n";
    let document = "{\"12 3 9\": 9, \"47 13 26\": 26}\n";
    let test = "from calc import high\n\n\ndef test_high():\n    assert high(12, 3, 9) == 9\n    assert high(47, 13, 26) == 26\n";
    let import = format!("{CODE}\n\nfrom made import high\n");
    let read = format!(
        "import json\nfrom pathlib import Path\n\n{CODE}\n\nKNOWN = json.loads(Path(__file__).with_name('LICENSE').read_text())\n\n\ndef high(n, low, high):\n    return KNOWN.get(f'{{n}} {{low}} {{high}}', n)\n"
    );
    for (path, text, code) in [("made.py", made, &import), ("LICENSE", document, &read)] {
        let repo = base();
        repo.file("calc.py", code).file(path, text).file("tests/test_high.py", test);
        repo.commit("work");
        let ran = verify(&repo, &["--only", "red-replay", "--format", "json"]).expect_code(1);
        let told = told(&ran)["checks"][0].to_string();
        let names = told.contains("the change repeats the test's inputs (`12`, ")
            || told.contains("as soon as `12, 13`") && told.contains("the change holds it");
        assert!(names, "{path}: {told}");
    }
}

/// Sources in other encodings can't be read line by line: nothing is proven, and nobody is accused.
#[test]
fn sources_in_another_encoding_wait_for_a_person() {
    if missing("pytest") {
        return;
    }
    let latin = |text: &str| [b"# -*- coding: latin-1 -*-\n# caf\xe9\n", text.as_bytes()].concat();
    let put = |repo: &RepoBuilder, path: &str, text: &str| {
        std::fs::write(repo.path().join(path), latin(text)).unwrap();
    };
    for path in ["calc.py", "tests/test_high.py"] {
        let repo = base();
        repo.file("calc.py", FIXED).file("tests/test_high.py", NEW);
        put(&repo, path, if path == "calc.py" { FIXED } else { NEW });
        repo.commit("fix");
        let ran = verify(&repo, &[]).expect_code(4);
        assert!(ran.stdout.contains(&format!("{path} is no UTF-8")), "{ran:?}");
    }
}

#[test]
fn a_head_that_does_not_build_is_refuted_with_the_place() {
    if missing("pytest") {
        return;
    }
    let repo = base();
    repo.file("calc.py", "def clamp(:\n").file("tests/test_high.py", NEW).commit("broken");
    let ran = verify(&repo, &[]).expect_code(1);
    assert!(ran.stdout.starts_with("✗ refuted: green: head does not build"), "{ran:?}");
}

#[test]
fn a_base_without_tests_can_get_its_first() {
    if missing("pytest") {
        return;
    }
    let repo = RepoBuilder::new();
    repo.file("calc.py", CODE).commit("base");
    repo.git(&["checkout", "--quiet", "-b", "work"]);
    repo.file("calc.py", FIXED).file("tests/test_high.py", NEW).commit("fix");
    let ran = verify(&repo, &["--format", "json"]);
    assert_eq!(told(&ran)["verdict"], "proven", "{ran:?}");
}

#[test]
fn no_merge_base_and_a_shallow_clone_can_not_be_judged_and_say_why() {
    let repo = base();
    repo.git(&["checkout", "--quiet", "--orphan", "work2"]);
    repo.commit("another beginning");
    let all = ["verify", "--base", "main", "--head", "work2"];
    let ran = env().proctor(repo.path(), &all).expect_code(4);
    assert!(ran.stdout.contains("have no commit in common"), "{ran:?}");
    assert!(ran.stdout.contains("hint:"), "{ran:?}");
}

#[test]
fn wrong_usage_is_told_apart_from_a_verdict() {
    let repo = base();
    for args in [&["--only", "nonsense"][..], &["--base", "nowhere"], &["--runner", "nonsense"]] {
        let mut all = vec!["verify"];
        if !args.contains(&"--base") {
            all.extend(["--base", "main"]);
        }
        all.extend(args);
        env().proctor(repo.path(), &all).expect_code(2);
    }
}

#[test]
fn every_format_is_written_in_one_run() {
    if missing("pytest") {
        return;
    }
    let repo = base();
    repo.file("README.md", "more\n").commit("docs");
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let formats = ["json", "markdown", "sarif", "junit", "html", "text"];
    let outputs: Vec<String> = formats.iter().map(|f| format!("{f}={}", path(f))).collect();
    let mut args = Vec::new();
    for output in &outputs {
        args.extend(["--output", output.as_str()]);
    }
    verify(&repo, &args).expect_code(0);
    for format in formats {
        let text = std::fs::read_to_string(path(format)).unwrap();
        assert!(text.contains("unaffected"), "{format}: {text}");
    }
}

#[test]
fn a_part_of_the_change_that_no_test_shows_is_named_with_its_lines() {
    if missing("pytest") {
        return;
    }
    let repo = base();
    let tail = "\n\ndef half(n):\n    return n / 2\n";
    repo.git(&["checkout", "--quiet", "main"]);
    repo.file("calc.py", &format!("{CODE}{tail}")).commit("half");
    repo.git(&["checkout", "--quiet", "-B", "work"]);
    repo.file("calc.py", &format!("{FIXED}{}", tail.replace('/', "//")));
    repo.file("tests/test_high.py", NEW).commit("fix");
    let told = told(&verify(&repo, &["--only", "red-replay", "--format", "json"]).expect_code(4));
    assert_eq!(status(&told, "red-replay"), "warn", "{told}");
    let findings = told["checks"][0]["details"].as_array().unwrap();
    let texts: Vec<&str> = findings.iter().filter_map(|f| f["text"].as_str()).collect();
    assert_eq!(texts.len(), 1, "the other part is shown by the new test: {told}");
    assert!(texts[0].starts_with("no test shows calc.py:10:"), "{told}");
    assert_eq!(findings[0]["diff"], "-    return n / 2\n+    return n // 2");
}

const LARGE: usize = 100 << 20;

#[cfg(test)]
mod slow {
    use super::*;

    /// A hundred megabytes of text in lines, of one line, and of no text at all.
    #[test]
    fn a_change_of_a_hundred_megabytes_gets_its_verdict_in_one_line() {
        if missing("pytest") {
            return;
        }
        let lines = "x = 'abcdefghijklmnopqrstuvwxyz'\n".repeat(LARGE / 33);
        let one = format!("TABLE = \"{}\"\n", "abcdefgh".repeat(LARGE / 8));
        let binary: String = "\u{0}\u{1}\u{2}x".repeat(LARGE / 4);
        for (path, text, code, said) in [
            ("notes.txt", &lines, 0, "proven"),
            ("data/blob.bin", &binary, 4, "data/blob.bin is too large to be read"),
            ("generated.py", &lines, 4, "generated.py is too large to be read"),
            ("table.py", &one, 4, "table.py is too large to be read"),
            ("tests/data.json", &one, 4, "tests/data.json is too large to be read"),
        ] {
            let repo = base();
            repo.file("calc.py", FIXED).file("tests/test_high.py", NEW).file(path, text);
            repo.commit("fix and a large file");
            let out = std::process::Command::new("sh")
                .args(["-c", "ulimit -v 3000000; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_proctor")])
                .args([
                    "verify", "--base", "main", "--head", "work", "--skip", "mutants", "coverage",
                ])
                .current_dir(repo.path())
                .env_clear()
                .envs(env().vars().iter().map(|(name, value)| (name, value)))
                .output()
                .unwrap();
            let told = String::from_utf8_lossy(&out.stdout);
            let first = told.lines().next().unwrap_or_default();
            assert!(first.contains(said), "{path}: {told}{}", String::from_utf8_lossy(&out.stderr));
            assert_eq!(out.status.code(), Some(code), "{path}: {told}");
        }
    }
}
