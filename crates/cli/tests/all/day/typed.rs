//! The question at the end, asked at a real terminal.

use crate::rows::{Desk, ONCE, honest};
use std::process::Command;

/// Plays a person at a terminal: what is typed before the question, then at each question. Prints what was shown.
const PERSON: &str = r#"
import json, os, pty, select, sys, time

early, words, argv = sys.argv[1], json.loads(sys.argv[2]), sys.argv[3:]
pid, fd = pty.fork()
if pid == 0:
    os.execv(argv[0], argv)
os.write(fd, early.encode())
seen, asked, until = b"", 0, time.time() + 120
while time.time() < until:
    if select.select([fd], [], [], 0.1)[0]:
        try:
            part = os.read(fd, 65536)
        except OSError:
            break
        if not part:
            break
        seen += part
    elif seen.count(b"Type approve") > asked:
        time.sleep(0.3)
        os.write(fd, (words[min(asked, len(words) - 1)] + "\n").encode())
        asked += 1
_, status = os.waitpid(pid, 0)
sys.stdout.write(seen.decode(errors="replace"))
print("\nexit:", os.waitstatus_to_exitcode(status))
"#;

fn person(desk: &Desk, (early, words): (&str, &[&str]), args: &[&str], scenario: &str) -> String {
    let words = serde_json::to_string(words).unwrap();
    let ran = Command::new("python3")
        .args(["-c", PERSON, early, &words, env!("CARGO_BIN_EXE_proctor")])
        .args(args)
        .current_dir(desk.repo.path())
        .env_clear()
        .envs(desk.env.vars().iter().map(|(name, value)| (name, value)))
        .env("PROCTOR_MOCK", scenario)
        .env("PAGER", "cat")
        .output()
        .unwrap();
    String::from_utf8_lossy(&ran.stdout).into_owned()
}

#[test]
fn what_is_typed_before_the_question_does_not_answer_it_and_d_shows_the_change() {
    let Some(desk) = Desk::with(ONCE) else { return };
    let scenario = honest().save(desk.env.user_home().join("scenario.json"));
    let scenario = scenario.to_str().unwrap();
    let args = ["add", "sub", "--no-refactor"];
    let said = person(&desk, ("approve\n", &["d", "no"]), &args, scenario);
    assert!(said.contains("exit: 3"), "{said}");
    assert!(said.contains("    return a - b"), "the change was asked for: {said}");
    assert!(said.contains("the whole suite passes") && said.contains("replay"), "{said}");
    let book = include_str!("../../../../../docs/getting-started.md");
    let question = book.lines().find(|line| line.starts_with("Type approve")).unwrap();
    assert!(said.contains(question), "the book asks otherwise: {said}");
    assert_eq!(desk.repo.git(&["log", "--format=%s", "-1"]), "proctor.toml");
    let said = person(&desk, ("", &["approve"]), &args, scenario);
    assert!(said.contains("exit: 0"), "{said}");
}
