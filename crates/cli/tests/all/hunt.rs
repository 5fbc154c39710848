//! The hunt from outside: what is reported, what is not, and what is left after each cut.

use proctor_testkit::{Ran, RepoBuilder, Scenario, TestEnv, missing};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;

const KILLED: i32 = 137;

const STATS: &str = "\
def mean(xs):
    return sum(xs) / (len(xs) + 1)


def total(xs):
    return sum(xs)
";
const TEXTS: &str = "\
def last(words):
    return words[len(words)]


def loud(text):
    return text.upper()
";
const QUICK: &str = "[limits]\nred = 0\n[gates]\nprobe = \"off\"\n";

fn repo() -> RepoBuilder {
    let repo = RepoBuilder::python_calc();
    repo.file("stats.py", STATS).file("texts.py", TEXTS).file("proctor.toml", QUICK).commit("more");
    repo
}

fn env() -> TestEnv {
    TestEnv::new(env!("CARGO_BIN_EXE_proctor")).limit(Duration::from_mins(3))
}

fn bug(text: &str, file: &str) -> Value {
    json!({"short_description": text, "details": format!("{text}, in {file}"), "severity": "HIGH", "relevant_files": [file]})
}

fn scouts(scenario: Scenario, entry: &str, bugs: &[Value]) -> Scenario {
    scenario.turn(json!({
        "phase": "scout", "task": entry,
        "output": {"bugs": bugs, "exploration_summary": format!("read {entry}")},
    }))
}

fn classifies(scenario: Scenario) -> Scenario {
    scenario.turn(json!({
        "phase": "classify",
        "output": {"reproducibility_approach": "UNIT_TEST", "reproducibility_chance": "EASY", "reasoning": "call it"},
    }))
}

fn shows(scenario: Scenario, task: &str, file: &str, text: &str) -> Scenario {
    scenario.turn(json!({
        "phase": "write_tests", "task": task, "write": {file: text},
        "output": {"status": "PREPARED_FOR_FIX", "test_file_path": file, "notes": format!("shown for {task}")},
    }))
}

fn suggests(entries: &[&str]) -> Scenario {
    Scenario::new().turn(json!({"phase": "suggest", "output": {"entrypoints": entries, "reasoning": "all there is"}}))
}

fn mean_test(name: &str) -> String {
    format!("from stats import mean\n\n\ndef {name}():\n    assert mean([2, 4]) == 3\n")
}

fn last_test(name: &str) -> String {
    format!("from texts import last\n\n\ndef {name}():\n    assert last(['a', 'b']) == 'b'\n")
}

const FIXED_STATS: &str = "\
def mean(xs):
    return sum(xs) / len(xs)


def total(xs):
    return sum(xs)
";

fn hunt(env: &TestEnv, repo: &RepoBuilder, scenario: &Scenario, flags: &[&str]) -> Ran {
    env.call(repo.path()).mock(scenario).args(&["hunt", "--format", "json"]).args(flags).run()
}

fn last_line(ran: &Ran) -> Value {
    let events = ran.events();
    let last = events.last().cloned().unwrap_or_default();
    assert_eq!(last["event"], "hunt-finished", "{ran}");
    last
}

fn ids(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|bug| bug["id"].as_str().unwrap()).collect()
}

fn exported(env: &TestEnv, repo: &RepoBuilder) -> PathBuf {
    let folder = env.home().join("exported");
    env.proctor(repo.path(), &["hunt", "export", folder.to_str().unwrap()]).expect_code(0);
    folder
}

fn read(folder: &Path, name: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(folder.join(name)).unwrap()).unwrap()
}

/// A true bug, one that is none, a test that is unsteady, a crash, the same crash and the same words again.
fn mixed() -> Scenario {
    let stats = [
        bug("mean divides by one too many", "stats.py"),
        bug("total forgets the last one", "stats.py"),
        bug("total is not steady", "stats.py"),
    ];
    let texts = [
        bug("last breaks on every list", "texts.py"),
        bug("the end of a list can not be had", "texts.py"),
        bug("Mean divides by ONE too many.", "stats.py"),
    ];
    let flaky = "import random\nimport pytest\nfrom stats import total\n\n\n@pytest.mark.parametrize('n', range(30))\ndef test_total(n):\n    assert total([random.random()]) < 0.5\n";
    let fine = "from stats import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n";
    let scenario = suggests(&["stats.py", "./texts.py", "no/such.py"]);
    let scenario = scouts(scenario, "stats.py", &stats);
    let scenario = classifies(scouts(scenario, "texts.py", &texts));
    let scenario = shows(scenario, "bug-1", "tests/test_mean.py", &mean_test("test_mean"));
    let scenario = shows(scenario, "bug-2", "tests/test_total.py", fine);
    let scenario = shows(scenario, "bug-3", "tests/test_total.py", flaky);
    let scenario = shows(scenario, "bug-4", "tests/test_last.py", &last_test("test_last"));
    shows(scenario, "bug-5", "tests/test_end.py", &last_test("test_end"))
        .code(1, &[("texts.py", &TEXTS.replace("[len(words)]", "[-1]"))])
        .refactor_nothing()
        .review_ok()
}

#[test]
fn s2_26_s2_12_s0_49_a_hunt_reports_exactly_the_bugs_that_a_test_shows_on_the_clean_base() {
    if missing("pytest") {
        return;
    }
    let (env, repo) = (env(), repo());
    let page = env.home().join("hunt.html");
    let flags = ["--report-only", "--html", page.to_str().unwrap()];
    let ran = hunt(&env, &repo, &mixed(), &flags).expect_code(0);
    let end = last_line(&ran);
    assert_eq!(ids(&end["reported"]), ["bug-1", "bug-4"], "{end:#}");
    let why = |id: &str| {
        let rest = end["not_reported"].as_array().unwrap();
        let bug = rest.iter().find(|bug| bug["id"] == id).unwrap();
        (bug["status"].as_str().unwrap().to_owned(), bug["reason"].as_str().unwrap().to_owned())
    };
    assert_eq!(why("bug-2").0, "DISCARDED");
    assert_eq!(why("bug-3").0, "DISCARDED");
    assert!(why("bug-3").1.contains("different results"), "{:?}", why("bug-3"));
    assert_eq!(why("bug-5").0, "DUPLICATE");
    assert!(why("bug-5").1.contains("texts.py:2"), "{:?}", why("bug-5"));
    assert_eq!(
        why("bug-6"),
        ("DUPLICATE".into(), "the same text as bug-1 (PREPARED_FOR_FIX)".into())
    );
    // Nothing of it touches the user's work.
    assert_eq!(repo.git(&["log", "--oneline"]).lines().count(), 2);
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains("mean divides by one too many") && page.contains("test_last"), "{page}");

    // The notebook, as files.
    let folder = exported(&env, &repo);
    let bugs = read(&folder, "bugs.json");
    assert_eq!(ids(&bugs["bugs"]), ["bug-1", "bug-2", "bug-3", "bug-4", "bug-5", "bug-6"]);
    assert_eq!(bugs["bugs"][0]["status"], "PREPARED_FOR_FIX");
    assert_eq!(read(&folder, "entrypoints.json")["entrypoints"], json!([]));
    let text = std::fs::read_to_string(folder.join("bugs/bug-1.md")).unwrap();
    assert!(text.contains("## Reproduction Notes\n\n- fails on the clean base"), "{text}");

    // What a person gets.
    let listed = env.proctor(repo.path(), &["bugs", "list"]).expect_code(0).stdout;
    assert_eq!(listed.lines().count(), 2, "{listed}");
    let report = env.proctor(repo.path(), &["bugs", "report", "bug-4"]).expect_code(0).stdout;
    for words in [
        "python -m pytest tests/test_last.py::test_last",
        "IndexError",
        "It breaks at `texts.py:2`",
    ] {
        assert!(report.contains(words), "{words}:\n{report}");
    }
    let sarif =
        env.proctor(repo.path(), &["bugs", "report", "bug-4", "--sarif"]).expect_code(0).stdout;
    let sarif: Value = serde_json::from_str(&sarif).unwrap();
    let place = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "texts.py");
    env.proctor(repo.path(), &["bugs", "report", "bug-2"]).expect_code(2);

    // `proctor resume` does not set a proven bug going by itself.
    env.proctor(repo.path(), &["resume"]).expect_code(0);
    assert_eq!(
        env.proctor(repo.path(), &["bugs", "list", "--format", "json"]).events()[0]["status"],
        "PREPARED_FOR_FIX"
    );
}

/// The way of one bug through the whole loop, with a review that rejects once.
fn whole() -> Scenario {
    let scenario =
        scouts(Scenario::new(), "stats.py", &[bug("mean divides by one too many", "stats.py")]);
    let scenario =
        shows(classifies(scenario), "bug-1", "tests/test_mean.py", &mean_test("test_mean"));
    scenario
        .code(1, &[("stats.py", FIXED_STATS)])
        .code(2, &[("stats.py", &format!("{FIXED_STATS}\n\n# the length itself\n"))])
        .refactor_nothing()
        .review_rejects(1, "say why")
        .review_ok()
}

#[test]
fn s0_42_s0_44_s0_46_s0_47_s0_48_s2_23_a_bug_goes_through_the_whole_loop_and_is_written_down() {
    if missing("pytest") {
        return;
    }
    let (env, repo) = (env(), repo());
    let ran = hunt(&env, &repo, &whole(), &["--entry", "stats.py", "--yes"]).expect_code(0);
    let end = last_line(&ran);
    assert_eq!(end["messages"], json!(["bug-1 TDD complete: SUCCESS"]));
    assert_eq!((&end["fixed"], &end["proven"]), (&json!(1), &json!(1)));
    assert!(repo.git(&["log", "-1", "--format=%B"]).contains("bug-1"));
    assert!(repo.read("stats.py").contains("# the length itself"));

    let folder = exported(&env, &repo);
    let fixes = read(&folder, "fixes.json");
    assert_eq!(fixes["fixes"][0]["bug_id"], "bug-1");
    assert_eq!(fixes["fixes"][0]["status"], "SOLVED");
    assert_eq!(fixes["fixes"][0]["rejection_reasons"], json!(["say why"]));
    let text = std::fs::read_to_string(folder.join("bugs/bug-1.md")).unwrap();
    let places: Vec<usize> = [
        "## Details",
        "## Classification Summary",
        "## Reproduction Notes",
        "## Fix Notes",
        "## Review Notes",
        "## TDD Result\n\n- status: SUCCESS",
        "Rejection history:\n\n- say why",
    ]
    .iter()
    .map(|part| text.find(part).unwrap_or_else(|| panic!("{part}:\n{text}")))
    .collect();
    assert!(places.is_sorted(), "{text}");

    // A second hunt from the same place names the bug to the scout, and finds nothing new.
    let ran = hunt(&env, &repo, &whole(), &["--entry", "stats.py"]).expect_code(0);
    assert_eq!(last_line(&ran)["hunt"], 2);
    assert_eq!(last_line(&ran)["duplicates"], 1);
    let runs = std::fs::read_dir(env.home().join("runs")).unwrap();
    let prompts: Vec<String> = runs
        .filter_map(|run| {
            std::fs::read_to_string(run.unwrap().path().join("turns/0001/prompt.md")).ok()
        })
        .filter(|prompt| prompt.contains("You are the scout. Begin"))
        .collect();
    assert!(
        prompts[0].contains("- bug-1 (SOLVED): mean divides by one too many (stats.py)"),
        "{}",
        prompts[0]
    );
}

#[test]
fn s0_43_s2_4_in_a_folder_of_a_repository_agents_and_tests_work_there() {
    if missing("pytest") {
        return;
    }
    let (env, repo) = (env(), RepoBuilder::new());
    repo.file("part/stats.py", STATS)
        .file(
            "part/tests/test_stats.py",
            "from stats import total\n\n\ndef test_total():\n    assert total([1]) == 1\n",
        )
        .file("part/pyproject.toml", "[tool.pytest.ini_options]\npythonpath = [\".\"]\n")
        .file("proctor.toml", QUICK)
        .commit("a part");
    // Seen from where the scout works.
    let scenario = suggests(&["stats.py"]);
    let scenario =
        classifies(scouts(scenario, "part/stats.py", &[bug("mean is wrong", "stats.py")]));
    let scenario = shows(scenario, "bug-1", "tests/test_mean.py", &mean_test("test_mean"));
    let ran = hunt(&env, &repo, &scenario, &["--report-only", "--subdir", "part"]).expect_code(0);
    let end = last_line(&ran);
    assert_eq!(ids(&end["reported"]), ["bug-1"], "{end:#}");
    assert_eq!(end["reported"][0]["relevant_files"], json!(["part/stats.py"]));
}

#[test]
fn s2_7_s2_8_s2_9_a_scout_that_can_t_be_used_is_asked_three_times_and_loses_nothing() {
    let (env, repo) = (env(), repo());
    let odd = json!({"bugs": "none", "exploration_summary": 3});
    let scenario = Scenario::new()
        .turn(json!({"phase": "scout", "task": "stats.py", "output": odd}))
        .turn(json!({"phase": "scout", "task": "texts.py", "ask": 1, "stdout": "I looked at it."}))
        .turn(json!({"phase": "scout", "task": "texts.py", "write": {"texts.py": "broken"},
            "output": {"bugs": [bug("it is only small", "texts.py")], "exploration_summary": "x"}}))
        .turn(json!({"phase": "classify", "output": {"reproducibility_approach": "MANUAL", "reproducibility_chance": "HARD", "reasoning": "look"}}));
    let ran = hunt(&env, &repo, &scenario, &["--entry", "stats.py", "texts.py"]).expect_code(8);
    let end = last_line(&ran);
    assert_eq!((&end["queue"], &end["suspects"]), (&json!(1), &json!(1)));
    let fault = ran.events().into_iter().find(|e| e["event"] == "entrypoint-failed").unwrap();
    assert!(fault["why"].as_str().unwrap().contains("`bugs` must be a list"), "{fault}");
    assert!(ran.stderr.contains("asked again (3 of 3)"), "{ran}");
    let folder = exported(&env, &repo);
    assert_eq!(read(&folder, "entrypoints.json")["entrypoints"], json!(["stats.py"]));
    let bugs = read(&folder, "bugs.json");
    assert_eq!(bugs["bugs"][0]["status"], "IN_ANALYSIS");
    assert!(bugs["bugs"][0]["reason"].as_str().unwrap().contains("MANUAL"));
    // S2-4: what it wrote in its copy is nowhere.
    assert_eq!(repo.read("texts.py"), TEXTS);
    assert!(std::fs::read_dir(env.home().join("worktrees")).unwrap().next().is_none());
    // Wrong usage creates nothing.
    hunt(&env, &repo, &scenario, &["--entry", "nowhere.py"]).expect_code(2);
    env.proctor(repo.path(), &["bugs", "show", "bug-9"]).expect_code(2);
}

#[test]
fn s2_24_s2_27_a_hunt_that_is_cut_at_every_step_ends_with_the_same_notebook() {
    if missing("pytest") {
        return;
    }
    let scenario = mixed();
    let flags = ["--report-only", "--limit", "1"];
    let (whole_env, whole_repo) = (env(), repo());
    hunt(&whole_env, &whole_repo, &scenario, &flags).expect_code(0);

    let (cut, cut_repo) = (env(), repo());
    let seen = cut.home().join("seen");
    let mut cuts = 0;
    loop {
        let call = cut.call(cut_repo.path()).mock(&scenario).env("PROCTOR_CRASH_HUNT", &seen);
        let ran = call.args(&["hunt", "--format", "json"]).args(&flags).run();
        assert_eq!(ran.code, KILLED, "{ran}");
        cuts += 1;
        assert!(cuts < 60, "it never ends: {ran}");
        // Once its end is recorded, the next one would be another hunt.
        if std::fs::read_to_string(&seen).unwrap().contains("hunt-ended") {
            break;
        }
    }
    assert!(cuts >= 7, "{cuts} cuts");
    let plain = |env: &TestEnv, repo: &RepoBuilder| {
        let folder = exported(env, repo);
        let mut all = json!([
            read(&folder, "bugs.json"),
            read(&folder, "fixes.json"),
            read(&folder, "entrypoints.json")
        ]);
        forget(&mut all, &["created_at", "run", "at"]);
        let page = std::fs::read_to_string(folder.join("bugs/bug-1.md")).unwrap();
        (all, page)
    };
    assert_eq!(plain(&cut, &cut_repo), plain(&whole_env, &whole_repo));
}

fn forget(value: &mut Value, keys: &[&str]) {
    match value {
        Value::Object(object) => {
            for key in keys {
                object.remove(*key);
            }
            object.values_mut().for_each(|value| forget(value, keys));
        }
        Value::Array(list) => list.iter_mut().for_each(|value| forget(value, keys)),
        _ => {}
    }
}

#[cfg(test)]
mod slow {
    use super::*;

    mod cuts;
    mod languages;

    #[test]
    fn a_hunt_that_waits_for_approval_says_so_and_learns_of_it_later() {
        if missing("pytest") {
            return;
        }
        let (env, repo) = (env(), repo());
        let ran = hunt(&env, &repo, &whole(), &["--entry", "stats.py"]).expect_code(3);
        let end = last_line(&ran);
        let run = end["reported"][0]["run"].as_str().unwrap().to_owned();
        assert!(
            end["reported"][0]["reason"].as_str().unwrap().contains("proctor approve"),
            "{end:#}"
        );
        assert_eq!(
            read(&exported(&env, &repo), "fixes.json")["fixes"][0]["status"],
            "READY_FOR_REVIEW"
        );
        env.call(repo.path()).args(&["approve", &run]).run().expect_code(0);
        // It is landed wherever it is shown, before anybody hunts again.
        let page = std::fs::read_dir(env.home().join("hunts")).unwrap().flatten().next().unwrap();
        let page = std::fs::read_to_string(page.path().join("fixes.json")).unwrap();
        assert!(page.contains("SOLVED"), "{page}");
        // Where nothing is left to look at, the scout is asked where to look.
        let nothing = suggests(&[])
            .turn(json!({"phase": "scout", "output": {"bugs": [], "exploration_summary": ""}}));
        let ran = hunt(&env, &repo, &nothing, &[]).expect_code(0);
        assert_eq!(last_line(&ran)["fixed"], 1);
        let by: Vec<Value> =
            ran.events().into_iter().filter(|e| e["event"] == "entrypoints-added").collect();
        assert_eq!(by[0]["by"], "structure", "what the scout does not say, the sources do");
        let added: Vec<&str> =
            by[0]["entrypoints"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        assert!(
            added.contains(&"texts.py") && !added.iter().any(|path| path.contains("test")),
            "{added:?}"
        );
    }

    #[test]
    fn limits_ctrl_c_and_the_words_of_a_person_hold_across_hunts() {
        if missing("pytest") {
            return;
        }
        let (env, repo) = (env(), repo());
        let scenario = mixed();
        // One bug a hunt; the rest waits.
        let end = last_line(
            &hunt(&env, &repo, &scenario, &["--report-only", "--limit", "1"]).expect_code(0),
        );
        assert_eq!(
            (&end["suspects"], &end["queue"], &end["proven"]),
            (&json!(3), &json!(1), &json!(1))
        );
        env.proctor(repo.path(), &["bugs", "reject", "bug-1", "--why", "it is documented so"])
            .expect_code(0);
        assert_eq!(env.proctor(repo.path(), &["bugs", "list"]).expect_code(0).stdout, "");
        env.proctor(repo.path(), &["bugs", "reject", "bug-2", "--why", " "]).expect_code(2);
        // Ctrl-c while the scout is at work.
        let slow = Scenario::new().turn(
            json!({"phase": "classify", "sleep_ms": 60_000, "say": ["thinking"], "output": {}}),
        );
        let mut running =
            env.call(repo.path()).mock(&slow).args(&["hunt", "--report-only"]).spawn();
        running.until("the scout is at work", |_, err| err.contains("Hunt 2"));
        running.interrupt();
        running.wait().expect_code(130);
        // It goes on with the same hunt, two at once.
        let flags = ["--report-only", "--parallel", "2", "--limit", "2"];
        let end = last_line(&hunt(&env, &repo, &scenario, &flags).expect_code(0));
        assert_eq!(
            (&end["hunt"], &end["discarded"], &end["queue"]),
            (&json!(2), &json!(2), &json!(1))
        );
        // The next one takes what is left, and what was rejected does not come back.
        let end = last_line(&hunt(&env, &repo, &scenario, &["--report-only"]).expect_code(0));
        assert_eq!((&end["hunt"], ids(&end["reported"])), (&json!(3), vec!["bug-4"]), "{end:#}");
        let again = end["not_reported"]
            .as_array()
            .unwrap()
            .iter()
            .find(|bug| bug["id"] == "bug-6")
            .unwrap();
        assert_eq!(again["reason"], "the same text as bug-1 (REJECTED)");
        // A person may want it after all.
        env.proctor(repo.path(), &["bugs", "retry", "bug-1"]).expect_code(0);
        let end = last_line(&hunt(&env, &repo, &scenario, &["--report-only"]).expect_code(0));
        assert_eq!(ids(&end["reported"]), ["bug-1", "bug-4"], "{end:#}");
        // One of them is fixed by name: its run goes on from the proof.
        let ran = env
            .call(repo.path())
            .mock(&scenario)
            .args(&["bugs", "fix", "bug-4", "--format", "json"])
            .run();
        let bug = ran.expect_code(3).events().pop().unwrap();
        assert_eq!(
            (&bug["id"], &bug["run_status"]),
            (&json!("bug-4"), &json!("AWAITING_APPROVAL"))
        );
    }

    // S2-20
    #[test]
    fn s2_27_two_hunts_at_once_share_the_work_and_lose_nothing() {
        if missing("pytest") {
            return;
        }
        let (env, repo) = (env(), repo());
        let scenario = mixed();
        let call = || {
            env.call(repo.path()).mock(&scenario).args(&[
                "hunt",
                "--report-only",
                "--format",
                "json",
            ])
        };
        let (one, other) = (call().spawn(), call().spawn());
        let ends =
            [one.wait().expect_code(0), other.wait().expect_code(0)].map(|ran| last_line(&ran));
        for end in ends {
            let reported = ids(&end["reported"]);
            let shown = reported == ["bug-1", "bug-4"] || reported == ["bug-1", "bug-5"];
            assert!(shown && end["suspects"] == 6 && end["hunt"] == 1, "{end:#}");
        }
    }
}
