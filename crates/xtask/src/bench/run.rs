//! What Proctor adds to a whole scripted run on a tiny repository. Each round is three runs in turn: Proctor alone,
//! Proctor with the kernel writing down who lives (see `lives`), and the bare commands that the same work would take
//! by hand. It must not change how Proctor works: the binary, its journal, its sandbox and its gates are the real ones.

use super::Bench;
use super::figures::{Chapter, Role, Unit};
use super::lives::Lives;
use super::process::{Ended, Look, millis, time};
use anyhow::{Context, Result, bail};
use proctor_testkit::RepoBuilder;
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

const ROUNDS: usize = 5;
const GOAL_ADDED_MS: f64 = 50.0;
const GOAL_TIMES: f64 = 1.10;
const GOAL_PEAK_MB: f64 = 15.0;

/// The language of the tiny repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Language {
    Python,
    Rust,
}

pub fn python(bench: &Bench) -> Result<Chapter> {
    measure(bench, Language::Python)
}

pub fn rust(bench: &Bench) -> Result<Chapter> {
    measure(bench, Language::Rust)
}

fn measure(bench: &Bench, language: Language) -> Result<Chapter> {
    if let Some(tool) = language.tool() {
        return chapter(bench, language, &tool);
    }
    let mut skipped = Chapter::new(language.title(), 0);
    skipped.remarks.push(format!("skipped: {} is not here", language.needs()));
    Ok(skipped)
}

fn chapter(bench: &Bench, language: Language, tool: &str) -> Result<Chapter> {
    let mut chapter = Chapter::new(language.title(), ROUNDS);
    let traced = answers(Command::new("perf").arg("--version"));
    let (mut plain, mut lives, mut bare) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let place = Place::make(language)?;
        plain.push(place.proctor(bench, Look::AtMemory)?);
        if traced {
            let place = Place::make(language)?;
            lives.push(place.traced(bench)?);
        }
        bare.push(Place::make(language)?.by_hand(tool)?);
    }
    let ours = |list: Vec<Option<f64>>| list.into_iter().flatten().collect::<Vec<f64>>();
    let wall: Vec<f64> = plain.iter().map(|ended| ended.wall_ms).collect();
    chapter.add("a whole run", Role::Ours, Unit::Millis, &wall);
    chapter.add("the same work by hand", Role::Yardstick, Unit::Millis, &bare);
    let cpu = ours(plain.iter().map(|ended| ended.cpu_ms).collect());
    chapter.add("CPU time of Proctor's process", Role::Ours, Unit::Millis, &cpu);
    let peak = ours(plain.iter().map(|ended| ended.peak_mb).collect());
    let peak = chapter.add("memory of Proctor's process", Role::Ours, Unit::Megabytes, &peak);
    add_lives(&mut chapter, &lives);
    chapter.goal("memory of Proctor's process", Unit::Megabytes, peak, GOAL_PEAK_MB);
    if !traced {
        let remark = "what Proctor adds was not measured: it takes `perf`, which is not here";
        chapter.remarks.push(remark.to_owned());
    }
    Ok(chapter)
}

fn add_lives(chapter: &mut Chapter, lives: &[Lives]) {
    let each = |value: fn(&Lives) -> f64| lives.iter().map(value).collect::<Vec<f64>>();
    let (ours, ms) = (Role::Ours, Unit::Millis);
    chapter.add("a whole run, recorded by perf", ours, ms, &each(|lives| lives.whole_ms));
    let added = chapter.add("  Proctor adds", ours, ms, &each(Lives::added_ms));
    chapter.add("    of which keepers", ours, ms, &each(|lives| lives.keeping_ms));
    chapter.add("  git", Role::Yardstick, ms, &each(|lives| lives.git_ms));
    chapter.add("  agent and test tool", Role::Yardstick, ms, &each(|lives| lives.kept_ms));
    let count = Unit::Count;
    chapter.add("  calls of git", ours, count, &each(|lives| f64::from(lives.git_calls)));
    chapter.add(
        "  calls of agent and tool",
        ours,
        count,
        &each(|lives| f64::from(lives.kept_calls)),
    );
    let times = each(|lives| lives.whole_ms / lives.floor_ms());
    let times = chapter.add("  run to its commands", ours, Unit::Times, &times);
    chapter.goal("Proctor adds to a run", ms, added, GOAL_ADDED_MS);
    chapter.goal("a run to the commands in it", Unit::Times, times, GOAL_TIMES);
}

/// A new repository and a new home, so that every run does the same.
struct Place {
    repo: RepoBuilder,
    folder: tempfile::TempDir,
    language: Language,
}

impl Place {
    fn make(language: Language) -> Result<Self> {
        // Not below the workspace: cargo would take a crate in there for a lost member of it.
        let folder = tempfile::tempdir().context("no folder for a run")?;
        let script = folder.path().join("scenario.json");
        std::fs::write(&script, language.scenario().to_string())
            .with_context(|| format!("could not write {}", script.display()))?;
        let repo = match language {
            Language::Python => RepoBuilder::python_calc(),
            Language::Rust => RepoBuilder::rust_calc(),
        };
        Ok(Self { repo, folder, language })
    }

    fn proctor(&self, bench: &Bench, look: Look) -> Result<Ended> {
        let mut command = Command::new(&bench.proctor);
        self.ask(&mut command);
        self.land(&mut command, look)
    }

    fn traced(&self, bench: &Bench) -> Result<Lives> {
        let record = self.folder.path().join("perf.data");
        let mut command = Command::new("perf");
        // An event that never happens: wanted are the records of forks, execs and exits that come with any.
        command.args(["record", "--quiet", "--event=dummy:u", "--output"]).arg(&record).arg("--");
        command.arg(&bench.proctor);
        self.ask(&mut command);
        self.land(&mut command, Look::AtTheEnd)?;
        let out = Command::new("perf")
            .args(["script", "--show-task-events", "--input"])
            .arg(&record)
            .output()
            .context("perf did not start")?;
        if !out.status.success() {
            bail!("perf script failed: {}", String::from_utf8_lossy(&out.stderr).trim());
        }
        let name = bench.proctor.file_name().and_then(OsStr::to_str).unwrap_or_default();
        Lives::read(&String::from_utf8_lossy(&out.stdout), name)
    }

    fn ask(&self, command: &mut Command) {
        command
            .args(["add", "Add slugify", "--yes", "--format", "json"])
            .current_dir(self.repo.path())
            .env("PROCTOR_HOME", self.folder.path().join("home"))
            .env("PROCTOR_MOCK", self.folder.path().join("scenario.json"));
    }

    /// Runs it and makes sure that the work is there afterwards: a run that failed early would look fast.
    fn land(&self, command: &mut Command, look: Look) -> Result<Ended> {
        let log = self.folder.path().join("log");
        let file = std::fs::File::create(&log).context("no log for a run")?;
        let again = file.try_clone().context("no log for a run")?;
        let ended = time(command.stdin(Stdio::null()).stdout(file).stderr(again), look)?;
        let landed = self.repo.path().join(self.language.test().0).is_file();
        if !ended.status.success() || !landed {
            let said = std::fs::read_to_string(&log).unwrap_or_default();
            let lines: Vec<&str> = said.lines().collect();
            let tail = lines[lines.len().saturating_sub(5)..].join("\n  ");
            bail!("a scripted run did not land ({}):\n  {tail}", ended.status);
        }
        Ok(ended)
    }

    /// What a careful person would run for the same work: the suite before, the new test red, the suite green.
    fn by_hand(&self, tool: &str) -> Result<f64> {
        let tree = self.folder.path().join("worktree");
        let (test, test_text) = self.language.test();
        let (code, code_text) = self.language.code();
        let suite = |wanted: Suite| suite(&tree, self.language, tool, wanted);
        let began = Instant::now();
        git(
            self.repo.path(),
            &[OsStr::new("worktree"), "add".as_ref(), "-bwork".as_ref(), tree.as_ref()],
        )?;
        suite(Suite::Green)?;
        put(&tree.join(test), test_text)?;
        suite(Suite::Red)?;
        let before = std::fs::read_to_string(tree.join(code)).context("the code is gone")?;
        put(&tree.join(code), &format!("{before}{code_text}"))?;
        suite(Suite::Green)?;
        git(&tree, &["add".as_ref(), "--all".as_ref()])?;
        git(&tree, &["commit".as_ref(), "--message=Add slugify".as_ref()])?;
        git(self.repo.path(), &["merge".as_ref(), "--ff-only".as_ref(), "work".as_ref()])?;
        git(
            self.repo.path(),
            &["worktree".as_ref(), "remove".as_ref(), "--force".as_ref(), tree.as_ref()],
        )?;
        Ok(millis(began.elapsed()))
    }
}

/// How the suite is to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Suite {
    Red,
    Green,
}

fn suite(tree: &Path, language: Language, tool: &str, wanted: Suite) -> Result<()> {
    let mut command = Command::new(tool);
    match language {
        Language::Python => command.args(["-m", "pytest", "-q"]),
        Language::Rust => command.args(["test", "--quiet", "--offline"]),
    };
    let status =
        quiet(command.current_dir(tree)).status().context("the test tool did not start")?;
    let ended = if status.success() { Suite::Green } else { Suite::Red };
    if ended != wanted {
        bail!("the suite run by hand was {ended:?}, not {wanted:?} ({status})");
    }
    Ok(())
}

fn git(folder: &Path, args: &[&OsStr]) -> Result<()> {
    let status = quiet(Command::new("git").args(args).current_dir(folder)).status();
    let status = status.context("git did not start")?;
    if !status.success() {
        bail!("git {args:?} ended with {status}");
    }
    Ok(())
}

fn put(path: &Path, text: &str) -> Result<()> {
    std::fs::write(path, text).with_context(|| format!("could not write {}", path.display()))
}

fn quiet(command: &mut Command) -> &mut Command {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null())
}

fn answers(command: &mut Command) -> bool {
    quiet(command).status().is_ok_and(|status| status.success())
}

impl Language {
    fn title(self) -> &'static str {
        match self {
            Self::Python => "run python",
            Self::Rust => "run rust",
        }
    }

    fn needs(self) -> &'static str {
        match self {
            Self::Python => "python3 with pytest",
            Self::Rust => "cargo",
        }
    }

    /// The program that runs the tests, where it is there. Asked of Python itself: what stands first on the path
    /// may be a script that looks for the real one each time.
    fn tool(self) -> Option<String> {
        match self {
            Self::Python => {
                let ask = ["-c", "import sys, pytest; print(sys.executable)"];
                let out = Command::new("python3").args(ask).output().ok()?;
                let path = String::from_utf8(out.stdout).ok()?;
                out.status.success().then(|| path.trim().to_owned())
            }
            Self::Rust => {
                answers(Command::new("cargo").arg("--version")).then(|| "cargo".to_owned())
            }
        }
    }

    /// The new test: its path and text.
    fn test(self) -> (&'static str, &'static str) {
        match self {
            Self::Python => (
                "tests/test_slug.py",
                "from calc import slugify\n\n\ndef test_slug():\n    assert slugify('A B') == 'a-b'\n",
            ),
            Self::Rust => (
                "tests/slug.rs",
                "use calc::slugify;\n\n#[test]\nfn slugs() {\n    assert_eq!(slugify(\"A B\"), \"a-b\");\n}\n",
            ),
        }
    }

    /// What makes it pass: the path of the code and what is added to it.
    fn code(self) -> (&'static str, &'static str) {
        match self {
            Self::Python => {
                ("calc.py", "\n\ndef slugify(text):\n    return text.lower().replace(' ', '-')\n")
            }
            Self::Rust => (
                "src/lib.rs",
                "\npub fn slugify(text: &str) -> String {\n    text.to_lowercase().replace(' ', \"-\")\n}\n",
            ),
        }
    }

    /// An agent that does everything right at the first try.
    fn scenario(self) -> Value {
        let (test, test_text) = self.test();
        let (code, code_text) = self.code();
        json!({"turns": [
            {"phase": "write_tests", "write": {test: test_text}, "output":
                {"status": "PREPARED_FOR_FIX", "test_file_path": test, "notes": "one test"}},
            {"phase": "implement", "append": {code: code_text}, "output":
                {"status": "READY_FOR_REVIEW", "fix_description": "adds slugify", "notes": ""}},
            {"phase": "refactor", "output": {"refactored": false, "notes": "nothing to tidy"}},
            {"phase": "review", "output": {"status": "SUCCESS", "reason": null, "notes": "fine"}},
        ]})
    }
}
