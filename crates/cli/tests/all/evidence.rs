//! The evidence of a run: told in every format without what is the machine's own, carried elsewhere and replayed, and
//! refuted where somebody changed it.

use proctor_testkit::{Ran, RepoBuilder, Scenario, TestEnv, missing};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const WORD: &str = "hunter2-and-more";
const GREETING: &str = "salutations-of-the-setup";

const TEST: &str = "import os\n\nfrom calc import slugify\n\n\ndef test_slug():\n    print(os.environ['API_WORD'], os.environ['GREETING'], os.getcwd())\n    assert slugify('A B') == 'a-b'\n";
const CODE: &str = "def add(a, b):\n    return a + b\n\n\ndef mul(a, b):\n    return a * b\n\n\ndef slugify(text):\n    return text.lower().replace(' ', '-')\n";
const RED: &str = "tests/test_slug.py::test_slug";

fn env() -> TestEnv {
    TestEnv::new(env!("CARGO_BIN_EXE_proctor")).limit(Duration::from_mins(5)).env("API_WORD", WORD)
}

/// How much a green gate tries: `full` with mutants, or `off`.
fn repo(probe: &str) -> RepoBuilder {
    let repo = RepoBuilder::python_calc();
    let settings = format!(
        "[setup]\nenv_pass = [\"API_WORD\"]\nenv = {{ GREETING = \"{GREETING}\" }}\n[gates]\nprobe = \"{probe}\"\n"
    );
    repo.file("proctor.toml", &settings).commit("settings");
    repo
}

/// A run that landed.
fn landed(env: &TestEnv, repo: &RepoBuilder) {
    let scenario = Scenario::new()
        .tests(1, &[("tests/test_slug.py", TEST)])
        .code(1, &[("calc.py", CODE)])
        .refactor_nothing()
        .review_ok();
    let call = env.call(repo.path()).mock(&scenario);
    call.args(&["add", "a slugify function", "--id", "slug", "--yes"]).run().expect_code(0);
}

fn tar(env: &TestEnv, repo: &RepoBuilder, name: &str) -> PathBuf {
    let file = env.user_home().join(name);
    let call = env.call(repo.path()).args(&["evidence", "slug", "--tar"]).arg(&file);
    let ran = call.run().expect_code(0);
    assert!(ran.stdout.contains(name), "{ran}");
    file
}

fn shell(folder: &Path, line: &str) -> String {
    let out = Command::new("sh").args(["-ec", line]).current_dir(folder).output().unwrap();
    assert!(out.status.success(), "{line}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8_lossy(&out.stdout).into_owned()
}

fn verified(env: &TestEnv, folder: &Path, pack: &Path) -> (Ran, Value) {
    verified_with(env, folder, pack, &[])
}

fn verified_with(env: &TestEnv, folder: &Path, pack: &Path, more: &[&str]) -> (Ran, Value) {
    let call = env.call(folder).arg("verify").arg(pack).args(&["--format", "json"]);
    let ran = call.args(more).run();
    let answer = serde_json::from_str(&ran.stdout).unwrap_or_else(|why| panic!("{why}: {ran}"));
    (ran, answer)
}

/// Nothing of the machine and no value of a variable.
fn assert_clean(what: &str, text: &str, env: &TestEnv, repo: &RepoBuilder) {
    let home = env.home().parent().unwrap().display().to_string();
    for own in [home.as_str(), &repo.path().display().to_string(), WORD, GREETING] {
        assert!(!text.contains(own), "{what} holds {own}");
    }
    let path = std::env::var("PATH").unwrap();
    assert!(!text.contains(&path), "{what} holds the value of PATH");
}

#[test]
fn a_run_is_told_in_every_format_and_nothing_of_the_machine_with_it() {
    if missing("pytest") {
        return;
    }
    let (env, repo) = (env(), repo("full"));
    landed(&env, &repo);
    let ran = env.proctor(repo.path(), &["evidence", "slug", "--json"]).expect_code(0);
    let pack: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&pack["schema"], &pack["verdict"]), (&1.into(), &"proven".into()));
    assert_eq!((&pack["status"], &pack["sealed"]["red"][0]), (&"SUCCESS".into(), &RED.into()));
    let commands = pack["commands"].as_array().unwrap();
    let of = |step: &str| commands.iter().find(|c| c["step"] == step && c["name"] != "agent");
    for step in ["red gate", "green gate"] {
        let command = of(step).unwrap_or_else(|| panic!("no command of the {step}"));
        assert!(command["argv"][0].as_str().unwrap().contains("python"), "{command}");
        assert!(command["cwd"].as_str().unwrap().starts_with("$PROCTOR_HOME/gates/"), "{command}");
        let names: Vec<&str> =
            command["env"].as_array().unwrap().iter().map(|n| n.as_str().unwrap()).collect();
        assert!(names.contains(&"API_WORD") && names.contains(&"GREETING"), "{names:?}");
        assert_eq!(command["stdout"]["sha256"].as_str().unwrap().len(), 64);
        assert!(command["exit"].is_i64() && command["took_ms"].is_u64(), "{command}");
    }
    assert!(commands.iter().any(|command| command["name"] == "agent"), "the agent's turns too");
    assert!(pack["tools"]["pytest"].as_str().unwrap().contains("pytest"), "{}", pack["tools"]);
    let killed = |mutant: &Value| mutant["fate"] == "killed";
    assert!(pack["mutants"].as_array().unwrap().iter().any(killed), "{}", pack["checks"]);
    let (tests, code) = (&pack["tests_diff"]["text"], &pack["code_diff"]["text"]);
    assert!(tests.as_str().unwrap().contains("+def test_slug"), "{tests}");
    assert!(code.as_str().unwrap().contains("+def slugify"), "{code}");
    assert!(!code.as_str().unwrap().contains("test_slug"), "{code}");
    assert_clean("the JSON", &ran.stdout, &env, &repo);

    let page = env.user_home().join("page.html");
    let call = env.call(repo.path()).args(&["evidence", "slug", "--html", "--output"]).arg(&page);
    assert_eq!(call.run().expect_code(0).stdout, "");
    let html = std::fs::read_to_string(&page).unwrap();
    assert!(html.contains("Change of the tests") && !html.contains("<script"), "{html}");
    assert_clean("the page", &html, &env, &repo);

    let ran = env.proctor(repo.path(), &["evidence", "slug"]).expect_code(0);
    for said in ["✓ proven", RED, "killed", "calc.py", "pytest"] {
        assert!(ran.stdout.contains(said), "{said:?} is missing:\n{ran}");
    }
    assert_clean("the summary", &ran.stdout, &env, &repo);
    packed(&env, &repo);
}

/// The same run as a tar: always the same bytes, nothing of the machine, and refuted once a file was touched.
fn packed(env: &TestEnv, repo: &RepoBuilder) {
    let first = tar(env, repo, "first.tar");
    let second = tar(env, repo, "second.tar");
    assert!(
        std::fs::read(&first).unwrap() == std::fs::read(&second).unwrap(),
        "not the same bytes"
    );
    let folder = env.user_home().join("unpacked");
    std::fs::create_dir(&folder).unwrap();
    let listed =
        shell(&folder, "tar -xf ../first.tar && find . -type f && sha256sum --quiet -c MANIFEST");
    for name in
        ["evidence.html", "red/", "green/", "outputs/", "tests.diff", "code.diff", "pack.bundle"]
    {
        assert!(listed.contains(name), "{name} is missing: {listed}");
    }
    for name in listed.lines().filter(|name| !name.ends_with("pack.bundle")) {
        let text = std::fs::read_to_string(folder.join(name)).unwrap();
        assert_clean(name, &text, env, repo);
    }
    // One byte of one file, as somebody might do it who does not know of the list.
    let mut bytes = std::fs::read(&first).unwrap();
    let at = bytes.windows(13).position(|w| w == b"+def slugify(").unwrap();
    bytes[at + 5] = b'S';
    let touched = env.user_home().join("touched.tar");
    std::fs::write(&touched, &bytes).unwrap();
    let (ran, answer) = verified(env, env.user_home(), &touched);
    assert_eq!((ran.code, &answer["verdict"]), (1, &"refuted".into()), "{ran}");
    assert!(answer["reason"].as_str().unwrap().contains("code.diff was changed"), "{ran}");
    bytes.truncate(bytes.len() / 2);
    std::fs::write(&touched, &bytes).unwrap();
    let (ran, answer) = verified(env, env.user_home(), &touched);
    assert_eq!((ran.code, &answer["verdict"]), (1, &"refuted".into()), "{ran}");
}

#[test]
fn an_honest_pack_is_proven_on_another_machine_and_a_forged_one_is_not() {
    if missing("pytest") {
        return;
    }
    let (here, repo) = (env(), repo("full"));
    landed(&here, &repo);
    let pack = tar(&here, &repo, "pack.tar");
    // Another home, no repository, and the values that the run handed on are its own.
    let there = env();
    let (ran, answer) = verified(&there, there.user_home(), &pack);
    assert_eq!((ran.code, &answer["verdict"]), (0, &"proven".into()), "{ran}");
    assert!(answer["reason"].as_str().unwrap().starts_with("the same came out"), "{ran}");
    let left = |name: &str| std::fs::read_dir(there.home().join(name)).map_or(0, Iterator::count);
    assert_eq!((left("packs"), left("repos")), (0, 0), "nothing of a replay stays");

    // The list is made anew by somebody who claims more than there was.
    let folder = here.user_home().join("forged");
    std::fs::create_dir(&folder).unwrap();
    let claim = format!(
        "s#{RED}#tests/test_calc.py::test_add_sums_two_numbers#; s#\"proctor\": \".*\"#\"proctor\": \"0.0.0\"#"
    );
    shell(&folder, &format!("tar -xf ../pack.tar; sed -i '{claim}' evidence.json"));
    shell(
        &folder,
        "rm MANIFEST; find . -type f -printf '%P\\n' | sort > ../names; sha256sum $(cat ../names) > MANIFEST",
    );
    shell(&folder, "echo MANIFEST >> ../names; tar --format=ustar -cf ../forged.tar -T ../names");
    let forged = here.user_home().join("forged.tar");
    // One check is enough to refute it.
    let only = ["--only", "red-replay"];
    let (ran, answer) = verified_with(&there, there.user_home(), &forged, &only);
    assert_eq!((ran.code, &answer["verdict"]), (1, &"refuted".into()), "{ran}");
    assert!(answer["reason"].as_str().unwrap().contains("is not red on replay"), "{ran}");
}

#[test]
fn what_was_never_proven_is_told_and_can_not_be_replayed() {
    if missing("pytest") {
        return;
    }
    let (env, repo) = (env(), repo("off"));
    let scenario = Scenario::new().discards(1, "it works here");
    let call = env.call(repo.path()).mock(&scenario);
    call.args(&["fix", "no bug at all", "--id", "slug", "--yes"]).run().expect_code(5);
    let ran = env.proctor(repo.path(), &["evidence", "slug"]).expect_code(0);
    assert!(ran.stdout.contains("inconclusive") && ran.stdout.contains("DISCARDED"), "{ran}");
    let pack = tar(&env, &repo, "nothing.tar");
    let (ran, answer) = verified(&env, env.user_home(), &pack);
    assert_eq!((ran.code, &answer["verdict"]), (4, &"inconclusive".into()), "{ran}");
}

#[test]
fn a_file_that_is_no_pack_is_wrong_usage() {
    let (env, repo) = (env(), RepoBuilder::python_calc());
    let ran = env.proctor(repo.path(), &["verify", "calc.py"]).expect_code(2);
    assert!(ran.stderr.contains("is no pack"), "{ran}");
    let ran = env.proctor(repo.path(), &["verify", "nowhere.tar"]).expect_code(2);
    assert!(ran.stderr.contains("can't be read"), "{ran}");
}

#[cfg(test)]
mod slow {
    use super::*;

    #[test]
    fn the_json_alone_is_replayed_where_the_repository_is_at_hand() {
        if missing("pytest") {
            return;
        }
        let (env, repo) = (env(), repo("off"));
        landed(&env, &repo);
        let file = env.user_home().join("evidence.json");
        let call =
            env.call(repo.path()).args(&["evidence", "slug", "--json", "--output"]).arg(&file);
        call.run().expect_code(0);
        let (ran, answer) = verified(&env, repo.path(), &file);
        assert_eq!((ran.code, &answer["verdict"]), (0, &"proven".into()), "{ran}");
        let (ran, answer) = verified(&env, env.user_home(), &file);
        assert_eq!((ran.code, &answer["verdict"]), (4, &"inconclusive".into()), "{ran}");
        assert!(ran.stdout.contains("--tar"), "{ran}");
    }
}
