//! Secrets from outside: what an agent or a test prints is nowhere on the disk, and what is sent holds none.

use proctor_testkit::{RepoBuilder, TestEnv, missing};
use std::path::Path;

/// An agent that does its job, and says its key and a token in every way that it can.
const AGENT: &str = r#"
import base64, json, os, sys, time
phase, out, here = os.environ["PROCTOR_PHASE"], os.environ["PROCTOR_OUTPUT"], os.getcwd()
key = os.environ["MODEL_API_KEY"]
token = "gh" + "p_" + "aB3dE5gH1jK7mN9pQ2sT4vW6yZ8bC0dF2hJ4"
prompt = sys.stdin.read()
print("my key is", key, "and", base64.b64encode(key.encode()).decode())
sys.stdout.write("half of it " + key[:7]); sys.stdout.flush(); time.sleep(0.2)
print(key[7:], "and half of it", token)
print("to stderr", key, token, file=sys.stderr)
def done(**answer):
    with open(out, "w") as file:
        json.dump(answer, file)
test = "import os\nfrom calc import slugify\n\n\ndef test_slug():\n    assert slugify('A B') == 'a-b', 'gh' + 'p_' + 'aB3dE5gH1jK7mN9pQ2sT4vW6yZ8bC0dF2hJ4'\n"
if phase == "write_tests":
    with open(os.path.join(here, "tests", "test_slug.py"), "w") as file:
        file.write(test)
    done(status="PREPARED_FOR_FIX", test_file_path="tests/test_slug.py", notes="key " + key)
elif phase == "implement":
    wrong = os.environ["PROCTOR_ATTEMPT"] == "1"
    with open(os.path.join(here, "calc.py"), "a") as file:
        if wrong:
            file.write("\n\ndef slugify(text):\n    return text\n")
        else:
            file.write("\n\ndef slugify(text):\n    return text.lower().replace(' ', '-')\n")
    done(status="READY_FOR_REVIEW", fix_description="d " + token, notes="n")
elif phase == "refactor":
    done(refactored=False, notes="n")
else:
    done(status="SUCCESS", reason=None, notes="n " + key)
"#;

fn everything_below(folder: &Path, look: &mut dyn FnMut(&Path, &[u8])) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            everything_below(&entry.path(), look);
        } else if kind.is_file() {
            look(&entry.path(), &std::fs::read(entry.path()).unwrap());
        }
    }
}

fn holds(bytes: &[u8], part: &str) -> bool {
    bytes.windows(part.len()).any(|window| window == part.as_bytes())
}

#[test]
fn what_children_print_of_secrets_is_nowhere_on_the_disk_and_in_no_output() {
    if missing("pytest") {
        return;
    }
    let env = TestEnv::new(env!("CARGO_BIN_EXE_proctor"));
    let repo = RepoBuilder::python_calc();
    let agent = env.user_home().join("agent.py");
    std::fs::write(&agent, AGENT).unwrap();
    let config = format!(
        "[agents.mine]\ncommand = [\"python3\", \"{}\"]\nenv = [\"MODEL_API_KEY\"]\n",
        agent.display()
    );
    repo.file("proctor.toml", &config).commit("settings");
    let key = "plain-words-no-scanner-would-see";
    let args = ["add", "a slugify function", "--id", "slug", "--yes", "--no-refactor"];
    let ran = env.call(repo.path()).args(&args).env("MODEL_API_KEY", key).run();
    let run = "slug";
    let shown: Vec<String> = [["show", run], ["log", run], ["evidence", run]]
        .iter()
        .map(|args| env.call(repo.path()).args(args).env("MODEL_API_KEY", key).run())
        .map(|ran| format!("{}{}", ran.stdout, ran.stderr))
        .chain([ran.to_string()])
        .collect();
    let token = ["gh", "p_", "aB3dE5gH1jK7mN9pQ2sT4vW6yZ8bC0dF2hJ4"].concat();
    for secret in [key, &token, "cGxhaW4td29yZHMtbm8tc2Nhbm5lci13b3VsZC1zZW"] {
        for text in &shown {
            assert!(!text.contains(secret), "{secret} is shown:\n{text}");
        }
        everything_below(&env.home().join("runs"), &mut |path, bytes| {
            assert!(!holds(bytes, secret), "{secret} is in {}", path.display());
        });
        let journal = std::fs::read(env.home().join("journal.db")).unwrap();
        assert!(!holds(&journal, secret), "{secret} is in the journal");
    }
    let log = &shown[1];
    assert!(log.contains("[redacted: value of MODEL_API_KEY]"), "{log}");
    assert!(
        log.contains(
            "half of it [redacted: value of MODEL_API_KEY] and half of it [redacted: GitHub token]"
        ),
        "{log}"
    );
    assert!(ran.to_string().contains("SUCCESS") || log.contains("SUCCESS"), "{ran}");
}
