//! Tests that the coder is not shown (`[gates] held_out`): it never finds a word of them in its worktree, its prompt or its
//! failures; the gates run them all, and what lands has them all.

use crate::rows::{Desk, QUICK, Story};
use proctor_testkit::{RepoBuilder, Scenario, TestEnv, missing};
use serde_json::Value;
use std::path::Path;

/// The tester runs its tests and commits them, as agents do. The coder looks everywhere for words that begin with `MARK_`:
/// files of any kind, every object of its git, what it was told.
const SPY: &str = r#"
import json, os, pathlib, re, subprocess, sys

env = os.environ
phase, attempt = env["PROCTOR_PHASE"], int(env["PROCTOR_ATTEMPT"])
told = sys.stdin.read()
plan = json.loads(pathlib.Path(__file__).with_name("plan.json").read_text())

def answer(**fields):
    pathlib.Path(env["PROCTOR_OUTPUT"]).write_text(json.dumps(fields))

def write(files):
    for path, text in files.items():
        path = pathlib.Path(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("SHOWN", shown()))

def shown():
    known = re.findall(r"assert price\((\d+), (\d+)\) == (\d+)", told)
    return ", ".join(f"({a}, {b}): {c}" for a, b, c in known)

def found():
    git = subprocess.run(["git", "cat-file", "--batch-all-objects", "--batch"], capture_output=True)
    pieces = [told.encode(), git.stdout, json.dumps(dict(env)).encode()]
    for root in [".", os.path.dirname(env["PROCTOR_PROMPT"])]:
        for folder, _, names in os.walk(root):
            for name in names:
                path = os.path.join(folder, name)
                pieces.append(path.encode())
                if os.path.isfile(path):
                    pieces.append(open(path, "rb").read())
    return sorted({w.decode() for p in pieces for w in re.findall(rb"MARK_[a-z]+", p)})

if phase == "write_tests":
    write(plan["tests"])
    for line in plan["run"]:
        subprocess.run(line, capture_output=True)
    subprocess.run(["git", "add", "--all", "--force"])
    subprocess.run(["git", "commit", "--quiet", "--message", "MARK_commit"])
    answer(status="PREPARED_FOR_FIX", test_file_path=None, notes="")
elif phase == "review":
    words = " ".join(re.findall(r"\w*MARK_[a-z]+", told))
    if attempt == 1:
        answer(status="REJECTED", reason="say more\nabout " + words, notes="")
    else:
        answer(status="SUCCESS", reason=None, notes=json.dumps({"found": found(), "told": ""}))
else:
    notes = json.dumps({"found": found(), "told": told})
    if phase == "implement":
        write(plan["code"][attempt - 1])
        answer(status="READY_FOR_REVIEW", fix_description="", notes=notes)
    else:
        answer(refactored=False, notes=notes)
"#;

fn spied(desk: &Desk, plan: &Value, more: &[&str]) -> Story {
    let words = desk.agent(SPY);
    let folder = desk.env.user_home().join("agent");
    std::fs::write(folder.join("plan.json"), plan.to_string()).unwrap();
    let args = ["fix", "pieces don't count", "--yes", "--format", "json", "--agent-cmd", &words];
    desk.told(desk.call(&args).args(more).run())
}

/// What each turn of a phase reported: the marks it found, and what it was told.
fn reports(story: &Story, phase: &str) -> Vec<Value> {
    let turns = story.named("turned");
    let of_phase = turns.iter().filter(|event| event["turn"]["phase"] == phase);
    of_phase
        .filter_map(|event| serde_json::from_str(event["turn"]["claim"]["notes"].as_str()?).ok())
        .collect()
}

fn held_out(story: &Story) -> Vec<String> {
    let red = &story.named("red-proven")[0]["anchor"]["held_out"];
    let tests = red["tests"].as_array().cloned().unwrap_or_default();
    tests.iter().map(|id| id.as_str().unwrap().to_owned()).collect()
}

/// `MARK_b` of `tests/test_price.py::test_MARK_b`.
fn marks(tests: &[String]) -> Vec<String> {
    let mark = |id: &String| id.get(id.find("MARK_")?..).map(str::to_owned);
    tests.iter().filter_map(mark).collect()
}

fn python_test(name: &str, amount: u8, pieces: u8) -> String {
    format!(
        "\n\n# about MARK_{name}\ndef test_MARK_{name}():\n    \"\"\"MARK_{name}\"\"\"\n    assert price({amount}, {pieces}) == {}, 'MARK_{name}'\n",
        amount * pieces
    )
}

fn shop(config: &str) -> RepoBuilder {
    let repo = RepoBuilder::new();
    let old = "from shop import price\n\n\ndef test_one():\n    assert price(3, 1) == 3\n";
    repo.file("shop.py", "def price(amount, pieces):\n    return amount\n")
        .file("tests/test_shop.py", old)
        .file(".gitignore", "__pycache__/\n.pytest_cache/\n")
        .file("proctor.toml", config)
        .commit("base");
    repo
}

const HALF: &str = "[gates]\nheld_out = \"50%\"\nrepeats = 1\n";
const RIGHT: &str = "def price(amount, pieces):\n    return amount * pieces\n";

fn python_plan() -> Value {
    let import = "from shop import price\n";
    let three = format!(
        "{import}{}{}{}",
        python_test("a", 4, 3),
        python_test("b", 5, 2),
        python_test("c", 6, 7)
    );
    let one = format!("{import}{}", python_test("d", 9, 2));
    serde_json::json!({
        "tests": {"tests/test_price.py": three, "tests/test_more.py": one},
        "run": [["python3", "-m", "pytest", "-q"]],
        "code": [
            {"shop.py": "def price(amount, pieces):\n    return amount + pieces\n"},
            {"shop.py": RIGHT},
            {"shop.py": format!("{RIGHT}# more\n"), "tests/test_price.py": "cheat", "tests/test_more.py": "cheat"},
        ],
    })
}

#[test]
fn a_coder_finds_no_word_of_the_tests_that_are_held_out() {
    let Some(desk) = Desk::over(shop(HALF)) else { return };
    let story = spied(&desk, &python_plan(), &[]).ends("SUCCESS", 0);
    let hidden = marks(&held_out(&story));
    assert_eq!(hidden.len(), 2, "{hidden:?}");
    let mut coder = reports(&story, "implement");
    coder.extend(reports(&story, "refactor"));
    assert_eq!(coder.len(), 5, "{coder:?}");
    for report in &coder {
        let found: Vec<&str> =
            report["found"].as_array().unwrap().iter().map(|m| m.as_str().unwrap()).collect();
        assert!(!found.iter().any(|mark| hidden.iter().any(|h| h == mark)), "{found:?} {hidden:?}");
        assert!(found.len() >= 2, "the others are shown: {found:?}");
        assert!(!found.contains(&"MARK_commit"), "commits of the tester are gone");
    }
    let second = coder[1]["told"].as_str().unwrap();
    assert!(second.contains("2 of 2 held-out tests fail"), "{second}");
    let third = coder[2]["told"].as_str().unwrap();
    assert!(third.contains("say more"), "what the reviewer said beside that is told: {third}");
    let reviewer = reports(&story, "review").pop();
    assert!(
        reviewer.is_none_or(|r| r["found"].as_array().unwrap().len() >= 4),
        "a reviewer sees all"
    );
    for mark in ["MARK_a", "MARK_b", "MARK_c", "MARK_d"] {
        let landed = desk.repo.git(&["grep", "-l", mark, "main"]);
        assert!(!landed.is_empty(), "{mark} landed");
    }
}

#[test]
fn with_one_new_test_nothing_is_held_out() {
    let Some(desk) = Desk::over(shop(HALF)) else { return };
    let test = format!("from shop import price\n{}", python_test("a", 4, 3));
    let scenario = Scenario::new()
        .tests(1, &[("tests/test_price.py", &test)])
        .code(1, &[("shop.py", RIGHT)])
        .review_ok();
    let story = desk.played(&scenario, &[&["fix", "pieces don't count"], QUICK]).ends("SUCCESS", 0);
    let red = &story.named("red-proven")[0]["anchor"]["held_out"];
    assert!(red["note"].as_str().unwrap().contains("nothing is held out"), "{red}");
    assert_eq!(held_out(&story), Vec::<String>::new());
}

#[cfg(test)]
mod slow {
    use super::*;

    #[test]
    fn only_how_many_fail_is_told_where_the_shown_tests_pass() {
        let Some(desk) = Desk::over(shop(HALF)) else { return };
        let mut plan = python_plan();
        // Right for the inputs that it is shown, and for no other: the agent fills them in.
        plan["code"][0] = serde_json::json!({"shop.py": "KNOWN = {SHOWN}\n\n\ndef price(amount, pieces):\n    return KNOWN.get((amount, pieces), amount)\n"});
        let story = spied(&desk, &plan, &["--no-refactor"]).ends("SUCCESS", 0);
        let refused = &story.named("green-refused")[0];
        let told = refused["told"].to_string();
        assert!(told.contains("\"failed\":2") && told.contains("\"of\":2"), "{told}");
        for mark in marks(&held_out(&story)) {
            assert!(!told.contains(&mark), "{told}");
            assert!(refused["faults"].to_string().contains(&mark), "a person sees all: {refused}");
        }
    }

    #[test]
    fn inline_rust_tests_are_cut_out_and_come_back() {
        if missing("cargo") {
            return;
        }
        let repo = RepoBuilder::rust_calc();
        let lib = repo.read("src/lib.rs");
        repo.file("proctor.toml", HALF).commit("proctor.toml");
        let desk = Desk { env: TestEnv::new(env!("CARGO_BIN_EXE_proctor")), repo };
        let base =
            format!("{lib}\npub fn price(amount: u32, _pieces: u32) -> u32 {{\n    amount\n}}\n");
        desk.repo.file("src/lib.rs", &base).commit("price");
        let test = |name: &str, amount: u8, pieces: u8| {
            format!(
                "    /// MARK_{name}\n    #[test]\n    fn mark_{name}() {{\n        assert_eq!(super::price({amount}, {pieces}), {}, \"MARK_{name}\");\n    }}\n",
                amount * pieces
            )
        };
        let tests =
            format!("\n#[cfg(test)]\nmod prices {{\n{}\n{}}}\n", test("a", 4, 3), test("b", 5, 2));
        let with = |code: &str| base.replace("_pieces", "pieces").replace("    amount\n", code);
        let plan = serde_json::json!({
            "tests": {"src/lib.rs": format!("{base}{tests}")},
            "run": [["cargo", "test", "--quiet", "--offline"]],
            "code": [{"src/lib.rs": with("    amount * pieces\n")}, {"src/lib.rs": with("    amount * pieces // more\n")}],
        });
        let story = spied(&desk, &plan, &["--no-refactor"]).ends("SUCCESS", 0);
        let held = held_out(&story);
        assert_eq!(held.len(), 1, "{held:?}");
        let hidden = if held[0].ends_with("mark_a") { "MARK_a" } else { "MARK_b" };
        for report in reports(&story, "implement") {
            let found = report["found"].to_string();
            assert!(!found.contains(hidden) && found.contains("MARK_"), "{found} {hidden}");
        }
        let landed = desk.repo.git(&["show", "main:src/lib.rs"]);
        assert!(landed.contains("MARK_a") && landed.contains("MARK_b"), "{landed}");
        assert!(landed.contains("amount * pieces"), "{landed}");
    }

    /// kill -9 at every point: the same tests stay held out, and the same lands.
    #[test]
    fn a_run_that_is_cut_everywhere_holds_out_the_same_tests() {
        let Some(desk) = Desk::over(shop(HALF)) else { return };
        let seen = desk.env.home().join("seen");
        let words = desk.agent(SPY);
        let folder = desk.env.user_home().join("agent");
        let mut plan = python_plan();
        plan["run"] = serde_json::json!([]);
        plan["code"] =
            serde_json::json!([{"shop.py": RIGHT}, {"shop.py": format!("{RIGHT}# more\n")}]);
        std::fs::write(folder.join("plan.json"), plan.to_string()).unwrap();
        let mut cuts = 0;
        loop {
            let begun = Path::new(&desk.env.home().join("runs")).exists();
            let args: &[&str] = if begun {
                &["resume", "--format", "json"]
            } else {
                &[
                    "fix",
                    "pieces don't count",
                    "--yes",
                    "--no-refactor",
                    "--format",
                    "json",
                    "--agent-cmd",
                    &words,
                ]
            };
            let ran = desk.call(args).env("PROCTOR_CRASH_ONCE", &seen).run();
            if ran.code != 137 {
                assert_eq!(ran.code, 0, "{ran}");
                break;
            }
            cuts += 1;
            assert!(cuts < 200, "it never ends: {ran}");
        }
        assert!(cuts >= 20, "{cuts} cuts");
        let list = desk.json(&["list", "--all"]);
        let run = list.ran.events()[0]["run"].as_str().unwrap().to_owned();
        let log = desk.json(&["log", &run]);
        let hidden = marks(&held_out(&log));
        assert_eq!(hidden.len(), 2);
        for report in reports(&log, "implement") {
            let found = report["found"].to_string();
            assert!(hidden.iter().all(|mark| !found.contains(mark.as_str())), "{found} {hidden:?}");
        }
        for mark in ["MARK_a", "MARK_b", "MARK_c", "MARK_d"] {
            assert!(!desk.repo.git(&["grep", "-l", mark, "main"]).is_empty(), "{mark} landed");
        }
    }
}
