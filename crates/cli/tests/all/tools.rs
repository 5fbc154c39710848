//! The whole loop with each test tool, from outside: found by its files, red for the right reason, green, landed; and a
//! repository that holds several.

use proctor_testkit::{Ran, RepoBuilder, Scenario, TestEnv, missing};
use serde_json::Value;
use std::path::{Path, PathBuf};

pub(crate) fn env() -> TestEnv {
    TestEnv::new(env!("CARGO_BIN_EXE_proctor"))
}

/// Where `scripts/setup` puts the JavaScript packages that tests use.
fn packages() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/tools/js/node_modules")
}

/// Where `scripts/setup-more` puts those that only slow tests use.
fn more_packages() -> PathBuf {
    packages().join("../../js-more/node_modules")
}

pub(crate) fn has_more_packages() -> bool {
    let there = more_packages().is_dir();
    if !there {
        println!("skipped: the tools of scripts/setup-more are not installed");
    }
    there
}

/// A feature that an honest agent brings, in one call.
fn added(env: &TestEnv, repo: &RepoBuilder, files: [(&str, &str); 2], more: &[&str]) -> Ran {
    let [test, code] = files;
    let scenario =
        Scenario::new().tests(1, &[test]).code(1, &[code]).refactor_nothing().review_ok();
    let args: Vec<&str> = ["add", "subtract", "--yes", "--format", "json"]
        .into_iter()
        .chain(more.iter().copied())
        .collect();
    env.call(repo.path()).args(&args).mock(&scenario).run()
}

/// What the run proved with, and that its work landed.
fn landed(ran: Ran) -> Value {
    let ran = ran.expect_code(0);
    assert_eq!(ran.finished()["status"], "SUCCESS");
    ran.events_named("prepared")[0]["baseline"].clone()
}

fn red_ids(ran: &Ran) -> Vec<String> {
    let proven = ran.events_named("red-proven");
    let ids = proven[0]["anchor"]["red"].as_array().unwrap();
    ids.iter().map(|id| id.as_str().unwrap().to_owned()).collect()
}

const GO_CALC: &str = "package calc\n\nfunc Add(a, b int) int { return a + b }\n";
const GO_SUB: &str = "package calc\n\nfunc Add(a, b int) int { return a + b }\n\nfunc Sub(a, b int) int { return a - b }\n";
const GO_TEST: &str = "package calc\n\nimport \"testing\"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Fatal(\"wrong\")\n\t}\n}\n";
const GO_NEW: &str = "package calc\n\nimport \"testing\"\n\nfunc TestSub(t *testing.T) {\n\tt.Run(\"small\", func(t *testing.T) {\n\t\tif got := Sub(3, 2); got != 1 {\n\t\t\tt.Fatalf(\"got %d\", got)\n\t\t}\n\t})\n}\n";

fn go_repo() -> RepoBuilder {
    let repo = RepoBuilder::new();
    repo.file("go.mod", "module example.com/calc\n\ngo 1.19\n")
        .file("calc.go", GO_CALC)
        .file("calc_test.go", GO_TEST)
        .commit("calc");
    repo
}

#[test]
fn a_go_module_goes_through_the_whole_loop() {
    if missing("go") {
        return;
    }
    let (env, repo) = (env(), go_repo());
    let ran = added(&env, &repo, [("sub_test.go", GO_NEW), ("calc.go", GO_SUB)], &[]);
    assert_eq!(red_ids(&ran), ["example.com/calc TestSub"], "{}", ran.stderr);
    let baseline = landed(ran);
    assert_eq!(baseline["projects"][0]["runner"], "go");
    assert_eq!(baseline["counts"]["passed"], 1);
    assert_eq!(repo.read("calc.go"), GO_SUB);
}

const JS_ADD: &str = "export const add = (a, b) => a + b;\n";
const JS_SUB: &str = "export const add = (a, b) => a + b;\nexport const sub = (a, b) => a - b;\n";

/// A package with one test in the words of one tool.
fn js_repo(package: &str, head: &str) -> RepoBuilder {
    let repo = RepoBuilder::new();
    repo.file("package.json", package)
        .file(".gitignore", "node_modules\n")
        .file("src/calc.js", JS_ADD)
        .file(
            "src/calc.test.js",
            &format!(
                "{head}import {{ add }} from './calc.js';\ntest('adds', () => {{ {} }});\n",
                check(head, "add(1, 2)", "3")
            ),
        )
        .commit("calc");
    repo
}

fn check(head: &str, call: &str, wanted: &str) -> String {
    if head.contains("node:assert") {
        format!("assert.equal({call}, {wanted})")
    } else {
        format!("expect({call}).toBe({wanted})")
    }
}

fn js_new(head: &str) -> String {
    let check = check(head, "sub(3, 2)", "1");
    format!("{head}import {{ sub }} from './calc.js';\ntest('subtracts', () => {{ {check} }});\n")
}

pub(crate) fn has_packages() -> bool {
    let there = packages().join("vitest").is_dir() && packages().join("jest").is_dir();
    assert!(
        there || std::env::var_os("CI").is_none(),
        "vitest and jest are not installed\nhint: scripts/setup"
    );
    if !there {
        println!("skipped: vitest and jest are not installed");
    }
    there
}

#[test]
fn node_test_needs_no_package_at_all() {
    if missing("node") {
        return;
    }
    let head = "import test from 'node:test';\nimport assert from 'node:assert/strict';\n";
    let package =
        "{\"name\": \"calc\", \"type\": \"module\", \"scripts\": {\"test\": \"node --test\"}}\n";
    let (env, repo) = (env(), js_repo(package, head));
    let new = js_new(head);
    let ran = added(&env, &repo, [("src/sub.test.js", &new), ("src/calc.js", JS_SUB)], &[]);
    assert_eq!(red_ids(&ran), ["src/sub.test.js > subtracts"], "{}", ran.stderr);
    assert_eq!(landed(ran)["projects"][0]["runner"], "node");
}

#[test]
fn vitest_runs_with_the_checkouts_packages_and_writes_nothing_into_them() {
    if missing("node") || !has_packages() {
        return;
    }
    let head = "import { test, expect } from 'vitest';\n";
    let package =
        "{\"name\": \"calc\", \"type\": \"module\", \"devDependencies\": {\"vitest\": \"*\"}}\n";
    let (env, repo) = (env(), js_repo(package, head));
    installed(&repo, "jest");
    let before = top_of(&repo.path().join("node_modules"));
    let new = js_new(head);
    let ran = added(&env, &repo, [("src/sub.test.js", &new), ("src/calc.js", JS_SUB)], &[]);
    assert_eq!(red_ids(&ran), ["src/sub.test.js > subtracts"], "{}", ran.stderr);
    assert_eq!(landed(ran)["projects"][0]["runner"], "vitest");
    assert_eq!(top_of(&repo.path().join("node_modules")), before, "the checkout's packages");
}

/// Gives a checkout the packages: a folder of its own with links, as package managers make it.
pub(crate) fn installed(repo: &RepoBuilder, runner: &str) {
    let folder = repo.path().join("node_modules");
    std::fs::create_dir(&folder).unwrap();
    let more = crate::cases::MORE.contains(&runner);
    let from = if more { more_packages() } else { packages() };
    for entry in std::fs::read_dir(from).unwrap().flatten() {
        let to = folder.join(entry.file_name());
        std::os::unix::fs::symlink(entry.path().canonicalize().unwrap(), to).unwrap();
    }
}

fn top_of(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn jest_goes_through_the_whole_loop() {
    if missing("node") || !has_packages() {
        return;
    }
    let repo = RepoBuilder::new();
    let test = |name: &str, call: &str, wanted: u8| {
        format!(
            "const calc = require('./calc');\ntest('{name}', () => {{ expect({call}).toBe({wanted}); }});\n"
        )
    };
    repo.file("package.json", "{\"name\": \"calc\", \"devDependencies\": {\"jest\": \"*\"}}\n")
        .file(".gitignore", "node_modules\n")
        .file("src/calc.js", "exports.add = (a, b) => a + b;\n")
        .file("src/calc.test.js", &test("adds", "calc.add(1, 2)", 3))
        .commit("calc");
    installed(&repo, "vitest");
    let new = test("subtracts", "calc.sub(3, 2)", 1);
    let code = "exports.add = (a, b) => a + b;\nexports.sub = (a, b) => a - b;\n";
    let env = env();
    let ran = added(&env, &repo, [("src/sub.test.js", &new), ("src/calc.js", code)], &[]);
    assert_eq!(red_ids(&ran), ["src/sub.test.js > subtracts"], "{}", ran.stderr);
    assert_eq!(landed(ran)["projects"][0]["runner"], "jest");
}

/// Debian's own Maven packages, which need no network.
const MAVEN_REPOSITORY: &str = "/usr/share/maven-repo";

pub(crate) const POM: &str = "<project xmlns=\"http://maven.apache.org/POM/4.0.0\"><modelVersion>4.0.0</modelVersion>\n<groupId>a</groupId><artifactId>shop</artifactId><version>1</version>\n<properties><maven.compiler.source>11</maven.compiler.source><maven.compiler.target>11</maven.compiler.target></properties>\n<dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.x</version><scope>test</scope></dependency></dependencies></project>\n";

pub(crate) fn java_test(class: &str, check: &str) -> String {
    format!(
        "package shop;\nimport org.junit.Test;\nimport static org.junit.Assert.*;\npublic class {class} {{ @Test public void works() {{ {check} }} }}\n"
    )
}

/// None where no Maven can run.
pub(crate) fn maven_env() -> Option<TestEnv> {
    let surefire =
        Path::new(MAVEN_REPOSITORY).join("org/apache/maven/plugins/maven-surefire-plugin");
    if missing("mvn") || !surefire.is_dir() {
        return None;
    }
    let limit = std::time::Duration::from_mins(10);
    Some(env().env("MAVEN_REPO_LOCAL", MAVEN_REPOSITORY).limit(limit))
}

/// What the replay says of a change with a test that gives two whole inputs, of a shop whose `net` is wrong.
fn net_verified(env: &TestEnv, body: &str) -> Value {
    let shop = |body: &str| {
        format!(
            "package shop;\npublic class Shop {{\n  public int net(int gross, int percent) {{\n    {body}\n  }}\n}}\n"
        )
    };
    let old = java_test("OldTest", "assertEquals(100, new Shop().net(100, 0));");
    let new =
        "assertEquals(180, new Shop().net(200, 10)); assertEquals(45, new Shop().net(50, 10));";
    let repo = RepoBuilder::new();
    repo.file("pom.xml", POM)
        .file(".gitignore", "target\n")
        .file("src/main/java/shop/Shop.java", &shop("return gross - percent;"))
        .file("src/test/java/shop/OldTest.java", &old)
        .commit("base");
    repo.git(&["checkout", "--quiet", "-b", "work"]);
    repo.file("src/main/java/shop/Shop.java", &shop(body))
        .file("src/test/java/shop/NetTest.java", &java_test("NetTest", new))
        .commit("net");
    let args = ["verify", "--base", "main", "--head", "work", "--only", "red-replay"];
    let ran = env.proctor(repo.path(), &[&args[..], &["--format", "json"]].concat());
    serde_json::from_str(&ran.stdout).unwrap_or_else(|why| panic!("{why}: {ran:?}"))
}

const RUN_TESTS: &str = "import sys, pathlib, xml.etree.ElementTree as ET\nimport calc\nsuite = ET.Element('testsuite')\nfailed = 0\nfor line in pathlib.Path('checks.txt').read_text().split('\\n'):\n    if not line: continue\n    case = ET.SubElement(suite, 'testcase', classname='checks', name=line)\n    name, a, b, wanted = line.split()\n    if getattr(calc, name)(int(a), int(b)) != int(wanted):\n        failed += 1\n        ET.SubElement(case, 'failure', type='AssertionError', message='wrong').text = line\nsuite.set('tests', str(len(suite)))\nsuite.set('failures', str(failed))\nET.ElementTree(suite).write(sys.argv[1])\nsys.exit(1 if failed else 0)\n";

#[test]
fn any_command_that_writes_junit_works_by_configuration() {
    let repo = RepoBuilder::new();
    repo.file("proctor.toml", "runner = \"junit\"\ntest_cmd = [\"python3\", \"tests/run.py\", \"{report}\"]\nreport = \"{report}\"\n[setup]\nenv = { PYTHONPATH = \".\" }\n")
        .file("tests/run.py", &RUN_TESTS.replace("'checks.txt'", "'tests/checks.txt'"))
        .file("tests/checks.txt", "add 1 2 3\n")
        .file("calc.py", "def add(a, b): return a + b\ndef sub(a, b): return 0\n")
        .commit("calc");
    let env = env();
    let code = "def add(a, b): return a + b\ndef sub(a, b): return a - b\n";
    let ran = added(
        &env,
        &repo,
        [("tests/checks.txt", "add 1 2 3\nsub 3 2 1\n"), ("calc.py", code)],
        &["--allow-changed-tests"],
    );
    assert_eq!(red_ids(&ran), ["checks::sub 3 2 1"], "{}", ran.stderr);
    let baseline = landed(ran);
    assert_eq!(
        (&baseline["projects"][0]["runner"], &baseline["counts"]["passed"]),
        (&"junit".into(), &1.into())
    );
}

#[test]
fn junit_without_a_place_for_reports_is_refused_with_what_to_write() {
    let repo = RepoBuilder::python_calc();
    repo.file("proctor.toml", "runner = \"junit\"\ntest_cmd = \"make check\"\n").commit("config");
    let ran = env().proctor(repo.path(), &["add", "x", "--agent-cmd", "true"]).expect_code(2);
    assert!(ran.stderr.contains("report = "), "{}", ran.stderr);
}

#[test]
fn doctor_says_which_tools_were_found_and_why() {
    let repo = RepoBuilder::new();
    repo.file("go.mod", "module example.com/calc\n")
        .file("package.json", "{\"devDependencies\": {\"vitest\": \"*\"}}\n")
        .file("tests/test_a.py", "def test_a():\n    assert True\n")
        .commit("three");
    let said = env().proctor(repo.path(), &["doctor"]).stdout;
    for words in
        ["test tool: go: go.mod", "test tool: pytest: tests/test_a.py", "package.json", "npm ci"]
    {
        assert!(said.contains(words), "no {words:?} in\n{said}");
    }
}

#[cfg(test)]
mod slow {
    use super::*;

    #[test]
    fn hard_coded_work_in_maven_is_told_apart_from_honest_work() {
        let Some(env) = maven_env() else { return };
        let cheat = "if (gross == 200) return 180;\n    if (gross == 50) return 45;\n    return gross - percent;";
        let told = net_verified(&env, cheat);
        let check = &told["checks"][0];
        assert_ne!(check["status"], "pass", "{told:#}");
        let said = check.to_string();
        assert!(said.contains("as soon as") && said.contains("`50`"), "{told:#}");
        let told = net_verified(&env, "return gross - gross * percent / 100;");
        assert_eq!(told["checks"][0]["status"], "pass", "{told:#}");
        assert!(told["observations"].to_string().contains("differs"), "{told:#}");
    }

    #[test]
    fn a_maven_project_goes_through_the_whole_loop() {
        let Some(env) = maven_env() else { return };
        let repo = RepoBuilder::new();
        let cart = |more: &str| {
            format!(
                "package shop;\npublic class Cart {{\n  public int add(int a, int b) {{ return a + b; }}\n{more}}}\n"
            )
        };
        repo.file("pom.xml", POM)
            .file(".gitignore", "target\n")
            .file("src/main/java/shop/Cart.java", &cart(""))
            .file(
                "src/test/java/shop/CartTest.java",
                &java_test("CartTest", "assertEquals(3, new Cart().add(1, 2));"),
            )
            .commit("cart");
        let test = java_test("SubTest", "assertEquals(1, new Cart().sub(3, 2));");
        let code = cart("  public int sub(int a, int b) { return a - b; }\n");
        let files = [
            ("src/test/java/shop/SubTest.java", test.as_str()),
            ("src/main/java/shop/Cart.java", code.as_str()),
        ];
        let ran = added(&env, &repo, files, &["--no-refactor"]);
        assert_eq!(red_ids(&ran), ["shop.SubTest::works"], "{}", ran.stderr);
        assert_eq!(landed(ran)["projects"][0]["runner"], "maven");
    }

    #[test]
    fn a_repository_of_several_projects_is_tested_whole_and_ids_say_where() {
        if missing("go") || missing("pytest") {
            return;
        }
        let (env, repo) = (env(), RepoBuilder::new());
        repo.file("api/go.mod", "module example.com/calc\n\ngo 1.19\n")
            .file("api/calc.go", GO_CALC)
            .file("api/calc_test.go", GO_TEST)
            .file(
                "tools/pyproject.toml",
                "[project]\nname = \"tools\"\nversion = \"1\"\n[tool.pytest.ini_options]\n",
            )
            .file("tools/calc.py", "def add(a, b):\n    return a + b\n")
            .file(
                "tools/tests/test_calc.py",
                "import calc\n\n\ndef test_add():\n    assert calc.add(1, 2) == 3\n",
            )
            .commit("two projects");
        let ran = added(&env, &repo, [("api/sub_test.go", GO_NEW), ("api/calc.go", GO_SUB)], &[]);
        assert_eq!(red_ids(&ran), ["api: example.com/calc TestSub"], "{}", ran.stderr);
        let baseline = landed(ran);
        let dirs: Vec<&str> = baseline["projects"]
            .as_array()
            .unwrap()
            .iter()
            .map(|p| p["dir"].as_str().unwrap())
            .collect();
        assert_eq!(dirs, ["api", "tools"]);
        assert_eq!(baseline["counts"]["passed"], 2);
        // A change in one project that breaks the other does not land.
        let broken =
            [("api/mul_test.go", GO_NEW), ("tools/calc.py", "def add(a, b):\n    return a\n")];
        let new = broken[0]
            .1
            .replace("TestSub", "TestMul")
            .replace("Sub(3, 2); got != 1", "Mul(3, 2); got != 6");
        let mul = format!("{GO_SUB}\nfunc Mul(a, b int) int {{ return a * b }}\n");
        let scenario = Scenario::new()
            .tests(1, &[("api/mul_test.go", &new)])
            .code(1, &[("api/calc.go", &mul), broken[1]])
            .refactor_nothing()
            .review_ok();
        repo.file("proctor.toml", "[limits]\ngreen = 0\n").commit("one try");
        let ran = env
            .call(repo.path())
            .args(&["add", "multiply", "--yes", "--format", "json"])
            .mock(&scenario)
            .run();
        let ran = ran.expect_code(1);
        let reason = ran.finished()["reason"].as_str().unwrap().to_owned();
        assert!(reason.contains("tools: tools/tests/test_calc.py::test_add"), "{reason}");
    }

    #[test]
    fn a_subdir_and_a_project_table_say_what_is_tested() {
        if missing("go") {
            return;
        }
        let (env, repo) = (env(), RepoBuilder::new());
        repo.file("api/go.mod", "module example.com/calc\n\ngo 1.19\n")
            .file("api/calc.go", GO_CALC)
            .file("api/calc_test.go", GO_TEST)
            .file("web/package.json", "{\"devDependencies\": {\"vitest\": \"*\"}}\n")
            .file("web/a.test.js", "import { test } from 'vitest';\ntest('a', () => {});\n")
            .commit("two projects");
        // vitest is not installed here: the whole can't be tested, one folder can.
        let ran = env.proctor(
            repo.path(),
            &["add", "x", "--yes", "--agent-cmd", "true", "--format", "json"],
        );
        let ran = ran.expect_code(4);
        let reason = ran.finished()["reason"].as_str().unwrap().to_owned();
        assert!(reason.contains("web") && reason.contains("vitest"), "{reason}");
        // An agent works in the folder that is named.
        let files = [("sub_test.go", GO_NEW), ("calc.go", GO_SUB)];
        let ran = added(&env, &repo, files, &["--subdir", "api", "--land", "branch"]);
        assert_eq!(red_ids(&ran), ["example.com/calc TestSub"], "{}", ran.stderr);
        landed(ran);
        repo.file("proctor.toml", "[[project]]\ndir = \"api\"\n").commit("config");
        let said = env.proctor(repo.path(), &["doctor"]).stdout;
        assert!(said.contains("test tool: go: api/go.mod in api"), "{said}");
        assert!(!said.contains("vitest"), "{said}");
        let files = [("api/sub_test.go", GO_NEW), ("api/calc.go", GO_SUB)];
        landed(added(&env, &repo, files, &["--land", "branch"]));
    }
}
