//! What a hook of the guard costs where nothing has to be run, with few and with many sealed files, beside a Proctor that
//! does nothing.

use super::Bench;
use super::figures::{Chapter, Role, Unit};
use super::process::{Look, time};
use anyhow::{Context, Result, bail};
use proctor_testkit::{RepoBuilder, TestEnv};
use serde_json::{Value, json};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

const FILES: usize = 10_000;
const SEALED: [usize; 3] = [1, 100, 5_000];
const ROUNDS: usize = 30;
const WARM_UP: usize = 3;
const GOAL_MS: f64 = 30.0;
const PATIENCE: Duration = Duration::from_mins(5);
const TEST: &str = "from calc import sub\n\n\ndef test_sub():\n    assert sub(5, 3) == 2\n";

pub fn measure(bench: &Bench) -> Result<Chapter> {
    let mut chapter = Chapter::new(format!("hooks in {FILES} files"), ROUNDS);
    for sealed in SEALED {
        let env = TestEnv::new(&bench.proctor).limit(PATIENCE);
        let repo = grown(sealed);
        let (proctor, told) = (bench.proctor.clone(), bench.scratch.join("hook.json"));
        let checkout = Checkout { proctor, env, repo, told };
        if sealed == SEALED[0] {
            checkout.hooks(&mut chapter, "none guarded", "PreToolUse")?;
        }
        checkout.seal(sealed)?;
        for (event, word) in [("PreToolUse", "before an edit"), ("PostToolUse", "after a shell")] {
            let name = format!("{sealed} sealed, {word}");
            let taken = checkout.hooks(&mut chapter, &name, event)?;
            chapter.goal(&name, Unit::Millis, taken, GOAL_MS);
        }
        if sealed == SEALED[SEALED.len() - 1] {
            let idle: Vec<f64> =
                (0..ROUNDS).map(|_| checkout.start(&["--version"])).collect::<Result<_>>()?;
            chapter.add("proctor --version", Role::Yardstick, Unit::Millis, &idle);
        }
    }
    Ok(chapter)
}

/// A project with so many test files, all but one of them old.
fn grown(tests: usize) -> RepoBuilder {
    let repo = RepoBuilder::new();
    repo.file("calc.py", "def add(a, b):\n    return a + b\n");
    for n in 1..tests {
        repo.file(
            &format!("tests/part{}/test_{n}.py", n % 50),
            "def test_it():\n    assert 1 + 1 == 2\n",
        );
    }
    for n in tests..FILES {
        repo.file(&format!("code/part{}/m{n}.py", n % 50), "ANSWER = 42\n");
    }
    repo.commit("much of it");
    repo
}

struct Checkout {
    proctor: PathBuf,
    env: TestEnv,
    repo: RepoBuilder,
    /// What an agent's program tells a hook.
    told: PathBuf,
}

impl Checkout {
    /// Opens a guarded task and proves red.
    fn seal(&self, wanted: usize) -> Result<()> {
        let call = |words: &[&str]| self.env.call(self.repo.path()).args(words).run();
        call(&["guard", "begin", "a sub function"]);
        self.repo.file("tests/test_sub.py", TEST);
        call(&["guard", "red"]);
        let standing = call(&["guard", "status", "--format", "json"]);
        let facts: Value = serde_json::from_str(&standing.stdout).context("guard status")?;
        let sealed = facts["guarded"]["sealed"].as_array().map_or(0, Vec::len);
        if sealed != wanted {
            bail!("{sealed} files are sealed, not {wanted}:\n{standing}");
        }
        Ok(())
    }

    fn hooks(&self, chapter: &mut Chapter, name: &str, event: &str) -> Result<Option<f64>> {
        let path = self.repo.path();
        let input = match event {
            "PreToolUse" => json!({"file_path": path.join("calc.py"), "content": ""}),
            _ => json!({"command": "ls"}),
        };
        let told =
            json!({"hook_event_name": event, "cwd": path, "tool_name": "x", "tool_input": input});
        std::fs::write(&self.told, told.to_string()).context("what a hook is told")?;
        let mut taken = Vec::new();
        for _ in 0..WARM_UP + ROUNDS {
            taken.push(self.start(&["guard", "hook"])?);
        }
        Ok(chapter.add(name, Role::Ours, Unit::Millis, &taken[WARM_UP..]))
    }

    fn start(&self, words: &[&str]) -> Result<f64> {
        let mut command = Command::new(&self.proctor);
        command
            .args(words)
            .current_dir(self.repo.path())
            .env_clear()
            .envs(self.env.vars().iter().cloned());
        let stdin = opened(&self.told)?;
        command.stdin(stdin).stdout(Stdio::null());
        let ended = time(&mut command, Look::AtTheEnd)?;
        if !ended.status.success() {
            bail!("`proctor {}` ended with {}", words.join(" "), ended.status);
        }
        Ok(ended.wall_ms)
    }
}

fn opened(file: &Path) -> Result<Stdio> {
    Ok(File::open(file).with_context(|| format!("{} can't be read", file.display()))?.into())
}
