//! Honest work as projects really have it, with nothing configured: what surprised `proctor verify` in libraries that nobody
//! wrote for it. Each is a small repository with the cause alone.

mod slow {
    use proctor_testkit::{Ran, RepoBuilder, TestEnv, missing};

    const CODE: &str =
        "def clamp(n, low, high):\n    if n < low:\n        return low\n    return n\n";
    const FIXED: &str = "def clamp(n, low, high):\n    if n < low:\n        return low\n    if n > high:\n        return high\n    return n\n";
    const OLD: &str =
        "from calc import clamp\n\n\ndef test_low():\n    assert clamp(1, 3, 9) == 3\n";
    const NEW: &str =
        "from calc import clamp\n\n\ndef test_high():\n    assert clamp(12, 3, 9) == 9\n";

    type Files<'a> = &'a [(&'a str, &'a str)];

    /// A repository of two commits that fix a function and test it, with these files besides.
    fn fixed(before: Files<'_>, after: Files<'_>) -> RepoBuilder {
        let repo = RepoBuilder::new();
        let put = |files: Files<'_>| {
            for (path, text) in files {
                repo.file(path, text);
            }
        };
        repo.file("calc.py", CODE).file("tests/test_calc.py", OLD);
        put(before);
        repo.commit("base");
        repo.file("calc.py", FIXED).file("tests/test_high.py", NEW);
        put(after);
        repo.commit("fix");
        repo
    }

    fn asked(repo: &RepoBuilder) -> Ran {
        let env = TestEnv::new(env!("CARGO_BIN_EXE_proctor"));
        env.proctor(repo.path(), &["verify", "--base", "HEAD^"])
    }

    #[test]
    fn words_for_a_spelling_checker_are_no_part_of_the_work() {
        if missing("pytest") {
            return;
        }
        let repo = fixed(&[(".spell-dict", "calc\n")], &[(".spell-dict", "calc\nclamp\n")]);
        let ran = asked(&repo).expect_code(0);
        assert!(!ran.stdout.contains("spell-dict"), "{ran:?}");
    }

    #[test]
    fn data_that_the_code_names_is_part_of_the_work() {
        if missing("pytest") {
            return;
        }
        let code = format!("{CODE}\n\ndef words():\n    return open('words.lst').read()\n");
        let after = format!("{FIXED}\n\ndef words():\n    return open('words.lst').read()\n");
        let repo = fixed(
            &[("calc.py", &code), ("words.lst", "a\n")],
            &[("calc.py", &after), ("words.lst", "a\nb\n")],
        );
        let ran = asked(&repo).expect_code(4);
        assert!(ran.stdout.contains("words.lst"), "{ran:?}");
    }

    /// The class has its tests from a function of another module, which is what the tool says they stand in.
    #[test]
    fn tests_that_a_class_is_given_hold_as_the_tools_users_start_them() {
        if missing("pytest") {
            return;
        }
        let given = "def give(cls):\n    def made(self, n):\n        assert self.asks(n) == 3\n    for n in range(3):\n        setattr(cls, f'test_made_{n}', lambda self, n=n: made(self, n))\n";
        let made = "from calc import clamp\nfrom tests import give\n\n\nclass TestMade:\n    def asks(self, n):\n        return clamp(n, 3, 9)\n\n\ngive(TestMade)\n";
        let more = made.replace("range(3)", "range(4)")
            + "\n\ndef test_high():\n    assert clamp(12, 3, 9) == 9\n";
        let repo = fixed(
            &[("tests/__init__.py", given), ("tests/test_made.py", made)],
            &[("tests/test_made.py", &more)],
        );
        let ran = asked(&repo).expect_code(0);
        assert!(!ran.stdout.contains("it was not run"), "{ran:?}");
    }

    /// The tool numbers rows that have no name of their own, and a new one in front moves all others.
    #[test]
    fn a_row_in_front_of_others_changes_none_of_them() {
        if missing("pytest") {
            return;
        }
        let rows = |rows: &str| {
            format!(
                "import pytest\nfrom calc import clamp\n\n\n@pytest.mark.parametrize('given, wanted', [\n{rows}])\ndef test_rows(given, wanted):\n    assert clamp(*given) == wanted[0]\n"
            )
        };
        let old = "    ([1, 3, 9], [3]),\n    ([4, 3, 9], [4]),\n";
        let repo = fixed(
            &[("tests/test_rows.py", &rows(old))],
            &[("tests/test_rows.py", &rows(&format!("    ([12, 3, 9], [9]),\n{old}")))],
        );
        asked(&repo).expect_code(0);
    }

    #[test]
    fn a_module_that_a_build_writes_and_git_ignores_comes_from_the_checkout() {
        if missing("pytest") {
            return;
        }
        let code = |text: &str| format!("from built import STEP\n\n\n{text}");
        let repo = fixed(
            &[("calc.py", &code(CODE)), (".gitignore", "built.py\n")],
            &[("calc.py", &code(FIXED))],
        );
        std::fs::write(repo.path().join("built.py"), "STEP = 1\n").unwrap();
        let ran = asked(&repo).expect_code(0);
        assert!(ran.stderr.contains("built.py comes from the checkout"), "{ran:?}");
    }
    #[test]
    fn tests_that_load_what_a_script_builds_are_run_after_it() {
        if missing("node") {
            return;
        }
        let test = |name: &str, asks: &str| {
            format!(
                "const test = require('node:test');\nconst assert = require('node:assert');\nconst {{ clamp }} = require('../dist/calc.js');\n\ntest('{name}', () => {{\n  assert.strictEqual({asks});\n}});\n"
            )
        };
        let repo = RepoBuilder::new();
        let manifest = "{\"name\": \"calc\", \"scripts\": {\"pretest\": \"cp -r src dist\", \"test\": \"node --test test\"}}\n";
        repo.file("package.json", manifest).file(".gitignore", "dist\n");
        repo.file("src/calc.js", "exports.clamp = (n, low) => n;\n");
        repo.file("test/low.test.js", &test("low", "clamp(4, 3), 4")).commit("base");
        repo.file("src/calc.js", "exports.clamp = (n, low) => Math.max(n, low);\n");
        repo.file("test/high.test.js", &test("high", "clamp(1, 3), 3")).commit("fix");
        let ran = asked(&repo).expect_code(0);
        assert!(ran.stderr.contains("`npm run pretest` makes"), "{ran:?}");
        assert!(ran.stdout.contains("killed"), "mutants are built too: {ran:?}");
    }
}
