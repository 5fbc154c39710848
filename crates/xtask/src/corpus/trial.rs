//! One pair put before the real binary: a repository of its own, a scripted agent that brings the tests and the work
//! of the corpus, and what the run said. It judges from outside, by events and exit code, and must not look inside.

use super::known;
use super::pair::{Ending, Language, Needs, Pair, Wanted};
use anyhow::{Context, Result, bail, ensure};
use proctor_testkit::{RepoBuilder, TestEnv};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// What came of a pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Right,
    /// Refused by a rule that is meant (see `known`).
    Known {
        why: String,
    },
    Wrong {
        why: String,
    },
    Skipped {
        why: String,
    },
}

/// Which work the scripted coder delivers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Work {
    /// The corpus' own: the run must succeed.
    Solved,
    /// A comment: the run must not succeed.
    Idle,
    /// The answers to the cases of the tests, by heart, in front of the wrong program.
    ByHeart,
}

#[derive(Clone, Debug)]
pub struct Outcome {
    pub verdict: Verdict,
    pub took: Duration,
}

/// Where all pairs of one command are tried: the binary, a `PROCTOR_HOME` that they share, and the packages.
pub struct Trials {
    pub(super) proctor: PathBuf,
    env: TestEnv,
    pub(super) folder: TempDir,
    packages: PathBuf,
}

/// How a run ended, as its lines of JSON and its exit code say.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Ended {
    code: Option<i32>,
    red: bool,
    why: String,
}

/// One refusal is enough: the scripted agent would bring the same again.
const LIMITS: &str = "[limits]\nred = 0\ngreen = 0\nreview = 1\n";
/// Long enough for the repaired programs on a busy machine; the wrong one takes all of it, each time.
const HANGS: &str = "test_time = \"20s\"\n";

impl Trials {
    pub fn new(proctor: PathBuf, packages: PathBuf) -> Result<Self> {
        let folder = tempfile::tempdir().context("no folder for the runs")?;
        for (ending, text) in
            [(Ending::Sure, LIMITS.to_owned()), (Ending::MayHang, format!("{LIMITS}{HANGS}"))]
        {
            let path = folder.path().join(settings(ending));
            std::fs::write(&path, text)
                .with_context(|| format!("could not write {}", path.display()))?;
        }
        Ok(Self { env: TestEnv::new(&proctor), proctor, folder, packages })
    }

    pub fn run(&self, pair: &Pair, work: Work) -> Outcome {
        let began = Instant::now();
        let verdict = match self.place(pair) {
            Ok((pair, repo)) => match self.ask(&pair, work, &repo) {
                Ok(ended) => judge(&pair, work, &ended),
                Err(why) => Verdict::Wrong { why: format!("{why:#}") },
            },
            Err(why) => Verdict::Skipped { why: format!("{why:#}") },
        };
        Outcome { verdict, took: began.elapsed() }
    }

    /// A pair that can be tried, in its repository. What is missing here is no fault of anybody.
    pub(super) fn place(&self, pair: &Pair) -> Result<(Pair, RepoBuilder)> {
        let refused = match self.laid_out(pair) {
            Ok(repo) => return Ok((pair.clone(), repo)),
            Err(why) => why,
        };
        let bare = pair.without_stub().ok_or(refused)?;
        let repo = self.laid_out(&bare)?;
        Ok((bare, repo))
    }

    /// The repository of a pair, with what its tool needs.
    fn laid_out(&self, pair: &Pair) -> Result<RepoBuilder> {
        let writes_go_tests = |text: &String| text.contains("\nfunc Test");
        if pair.language == Language::Go && !pair.tests.values().any(writes_go_tests) {
            bail!("it has no test: writing them is the exercise");
        }
        let repo = RepoBuilder::new();
        for (path, text) in &pair.base {
            repo.file(path, text);
        }
        let stub = "its stub does not compile";
        match pair.needs {
            Needs::Nothing => {}
            Needs::GoBuild => {
                self.tool(repo.path(), "go", &["build", "./..."], stub)?;
                // An example may need a newer Go than the one that is here, and may use what its tests define.
                let solved = RepoBuilder::new();
                for (path, text) in pair.base.iter().chain(&pair.tests).chain(&pair.solution) {
                    solved.file(path, text);
                }
                let compile = ["test", "-run=^$", "./..."];
                self.tool(solved.path(), "go", &compile, "its example does not compile")?;
            }
            // The lock file, and the crates that it names in cargo's cache: the gates work offline.
            Needs::Crates => {
                let trouble = "its crates can't be fetched";
                self.tool(repo.path(), "cargo", &["fetch", "--quiet"], trouble)?;
                let check = ["check", "--quiet", "--offline", "--lib"];
                self.tool(repo.path(), "cargo", &check, stub)?;
            }
            Needs::Packages => self.link_packages(repo.path())?,
        }
        repo.commit("base");
        Ok(repo)
    }

    #[cfg(test)]
    pub(super) fn has_packages(&self) -> bool {
        self.packages.is_dir()
    }

    /// Gives a checkout the packages of npm that were named.
    pub(super) fn link_packages(&self, folder: &Path) -> Result<()> {
        link(&self.packages, &folder.join("node_modules"))
    }

    fn tool(&self, folder: &Path, program: &str, args: &[&str], trouble: &str) -> Result<()> {
        let build = tempfile::tempdir_in(self.folder.path()).context("no folder for a build")?;
        let mut command = Command::new(program);
        let command = command.args(args).current_dir(folder).env_clear().envs(self.vars());
        let command = command.env("CARGO_TARGET_DIR", build.path()).stdin(Stdio::null());
        let out = command.output().with_context(|| format!("{program} did not start"))?;
        let said = String::from_utf8_lossy(&out.stderr);
        // What go says begins with the package's name.
        let mut lines = said.lines().filter(|line| !line.trim_start().starts_with('#'));
        ensure!(out.status.success(), "{trouble}: {}", lines.next().unwrap_or_default());
        Ok(())
    }

    pub(super) fn proctor(&self) -> &Path {
        &self.proctor
    }

    pub(super) fn vars(&self) -> impl Iterator<Item = (&std::ffi::OsString, &std::ffi::OsString)> {
        self.env.vars().iter().map(|(name, value)| (name, value))
    }

    fn ask(&self, pair: &Pair, work: Work, repo: &RepoBuilder) -> Result<Ended> {
        let own = tempfile::tempdir_in(self.folder.path()).context("no folder for a run")?;
        let script = own.path().join("scenario.json");
        std::fs::write(&script, scenario(pair, work).to_string()).context("no scenario")?;
        let mut command = Command::new(&self.proctor);
        command.arg(match pair.wanted {
            Wanted::Fix => "fix",
            Wanted::Add => "add",
            Wanted::Tidy => "tidy",
        });
        command
            .arg(&pair.name)
            .args(["--yes", "--no-refactor", "--land", "branch", "--format", "json"])
            .args(["--max-time", "20m"]);
        match pair.ending {
            Ending::Sure => {}
            Ending::MayHang => {
                command.arg("--hangs");
            }
        }
        let out = command
            .current_dir(repo.path())
            .env_clear()
            .envs(self.vars())
            .env("PROCTOR_MOCK", &script)
            .env("PROCTOR_CONFIG", self.folder.path().join(settings(pair.ending)))
            .stdin(Stdio::null())
            .output()
            .context("proctor did not start")?;
        let said = String::from_utf8_lossy(&out.stdout);
        Ok(Ended::read(&said, &String::from_utf8_lossy(&out.stderr), out.status.code()))
    }
}

pub(super) fn settings(ending: Ending) -> &'static str {
    match ending {
        Ending::Sure => "sure.toml",
        Ending::MayHang => "may-hang.toml",
    }
}

/// Gives a checkout its packages: a folder of its own with links, as package managers make it.
fn link(packages: &Path, to: &Path) -> Result<()> {
    let hint = "see docs/corpus.md for how they are installed";
    let listing = std::fs::read_dir(packages);
    let listing = listing.with_context(|| format!("the npm packages are not there; {hint}"))?;
    std::fs::create_dir(to).context("no node_modules")?;
    for entry in listing.flatten() {
        std::os::unix::fs::symlink(entry.path(), to.join(entry.file_name()))
            .context("a package could not be linked")?;
    }
    Ok(())
}

fn scenario(pair: &Pair, work: Work) -> Value {
    let code = pair.work(work);
    let first = pair.tests.keys().next();
    json!({"turns": [
        {"phase": "write_tests", "write": pair.tests, "output":
            {"status": "PREPARED_FOR_FIX", "test_file_path": first, "notes": "The tests of the corpus."}},
        {"phase": "implement", "write": code, "output":
            {"status": "READY_FOR_REVIEW", "fix_description": "Done.", "notes": ""}},
        {"phase": "review", "output": {"status": "SUCCESS", "reason": null, "notes": "fine"}},
    ]})
}

fn judge(pair: &Pair, work: Work, ended: &Ended) -> Verdict {
    let Some(why) = wrong(work, ended) else {
        return Verdict::Right;
    };
    match known::reason(&pair.title(), &why) {
        Some(known) if !ended.red => Verdict::Known { why: known.to_owned() },
        _ => Verdict::Wrong { why },
    }
}

/// What is wrong with a run, if anything is.
fn wrong(work: Work, ended: &Ended) -> Option<String> {
    Some(match (work, ended.red, ended.code) {
        (Work::Solved, true, Some(0)) | (Work::Idle | Work::ByHeart, true, Some(1)) => return None,
        (_, false, _) => format!("red was not proven: {}", ended.why),
        (Work::Solved, true, _) => format!("the example was refused: {}", ended.why),
        (Work::Idle | Work::ByHeart, true, Some(0)) => {
            "work that does nothing was let through".to_owned()
        }
        (Work::Idle | Work::ByHeart, true, _) => {
            format!("idle work did not end as failed: {}", ended.why)
        }
    })
}

impl Ended {
    fn read(stdout: &str, stderr: &str, code: Option<i32>) -> Self {
        let events: Vec<Value> =
            stdout.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let named = |name: &str| events.iter().find(|event| event["event"] == name);
        let reason = named("run-finished").and_then(|last| last["reason"].as_str());
        let why = reason.map_or_else(|| tail(stderr), str::to_owned);
        Self { code, red: named("red-proven").is_some(), why }
    }
}

/// The end of what was said to people, where a run did not even begin.
pub(super) fn tail(text: &str) -> String {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(4)..].join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROVEN: &str = "{\"event\":\"red-proven\"}\n";

    #[test]
    fn only_a_proven_red_and_a_success_are_right() {
        let end = "{\"event\":\"run-finished\",\"reason\":\"proven and landed\"}\n";
        let good = Ended::read(&format!("{PROVEN}{end}"), "", Some(0));
        assert_eq!(good, Ended { code: Some(0), red: true, why: "proven and landed".to_owned() });
        assert_eq!(wrong(Work::Solved, &good), None);
        let blind = Ended::read(end, "", Some(0));
        assert!(wrong(Work::Solved, &blind).is_some());
    }

    #[test]
    fn idle_work_is_right_only_where_the_run_failed_after_red() {
        let of = |code| wrong(Work::Idle, &Ended::read(PROVEN, "", Some(code)));
        assert_eq!(of(1), None);
        assert_eq!(of(0).as_deref(), Some("work that does nothing was let through"));
        assert!(of(70).is_some());
    }

    #[test]
    fn a_run_that_never_began_says_why() {
        let ended = Ended::read("", "error: no test tool\nhint: --runner\n", Some(4));
        assert_eq!(ended.why, "error: no test tool; hint: --runner");
    }
}
