//! Real commits of a repository that changed both tests and code, each judged by `proctor verify` as it stands. Their
//! authors were people, and others took the work over: what is not proven is looked at one by one. It judges nothing.

use super::verify::Answer;
use super::{binary, number};
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Larger commits are mostly merges of many things, or new formatting.
const MOST_FILES: usize = 15;
const COUNT: usize = 10;
const BUDGET: &str = "10m";

/// What was asked for on the command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wish {
    repo: PathBuf,
    count: Option<usize>,
    every: Option<usize>,
    from: Option<String>,
    only: Vec<String>,
    budget: Option<String>,
    /// Checks that are left out, for a quick look.
    skip: Vec<String>,
    proctor: Option<PathBuf>,
    json: bool,
}

/// A commit that fits, with the first line of its message.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Commit {
    id: String,
    subject: String,
}

struct Line {
    commit: Commit,
    answer: Answer,
    took: Duration,
}

impl Wish {
    pub fn read(words: &[&str]) -> Result<Self, String> {
        let mut wish = Self::default();
        let mut words = words.iter().copied().peekable();
        while let Some(word) = words.next() {
            if word == "--json" {
                wish.json = true;
                continue;
            }
            let Some(value) = words.next_if(|next| !next.starts_with("--")) else {
                return Err(format!(
                    "corpus history knows no `{word}`, or a value is missing after it"
                ));
            };
            match word {
                "--repo" => wish.repo = value.into(),
                "--count" => wish.count = Some(number(value)?),
                "--every" => wish.every = Some(number(value)?),
                "--from" => wish.from = Some(value.to_owned()),
                "--budget" => wish.budget = Some(value.to_owned()),
                "--proctor" => wish.proctor = Some(value.into()),
                "--only" | "--skip" => {
                    let list = if word == "--only" { &mut wish.only } else { &mut wish.skip };
                    list.push(value.to_owned());
                    while let Some(name) = words.next_if(|next| !next.starts_with("--")) {
                        list.push(name.to_owned());
                    }
                }
                other => return Err(format!("corpus history knows no `{other}`")),
            }
        }
        if wish.repo.as_os_str().is_empty() {
            return Err("corpus history needs `--repo DIR`".to_owned());
        }
        Ok(wish)
    }

    fn picked(&self, all: Vec<Commit>) -> Vec<Commit> {
        let named = |commit: &Commit| {
            self.only.is_empty() || self.only.iter().any(|id| commit.id.starts_with(id.as_str()))
        };
        let fitting = all.into_iter().filter(named).step_by(self.every.unwrap_or(1));
        fitting.take(self.count.unwrap_or(COUNT)).collect()
    }
}

pub fn run(wish: &Wish) -> Result<ExitCode> {
    let folder = tempfile::tempdir().context("no folder for the repository")?;
    let repo = folder.path().join("repo");
    let source = wish.repo.canonicalize();
    let source = source.with_context(|| format!("{} is not there", wish.repo.display()))?;
    git(folder.path(), &["clone", "--quiet", "--shared", "--", &source.to_string_lossy(), "repo"])?;
    let from = wish.from.as_deref().unwrap_or("HEAD");
    let form = ["log", "--no-merges", "--format=%x00%H %s", "--name-only", from];
    let commits = wish.picked(fitting(&git(&repo, &form)?));
    if commits.is_empty() {
        bail!("no commit of {} changed both tests and code", wish.repo.display());
    }
    let proctor = binary(wish.proctor.as_deref(), folder.path())?;
    let home = tempfile::tempdir().context("no folder for what is kept")?;
    let mut lines = Vec::new();
    for commit in commits {
        let line = tried(&proctor, &repo, &home, wish, commit)?;
        writeln!(std::io::stderr(), "{}", line.told())?;
        lines.push(line);
    }
    let mut out = std::io::stdout().lock();
    if wish.json {
        writeln!(out, "{}", as_json(&lines))?;
    } else {
        writeln!(out, "{}", counted(&lines))?;
    }
    let refuted = lines.iter().any(|line| line.answer.verdict == "refuted");
    Ok(if refuted { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The environment is the caller's: a library's own dependencies are where the caller installed them. Its maintainers
/// are the people who accepted that old tests expect something else.
fn tried(proctor: &Path, repo: &Path, home: &TempDir, wish: &Wish, commit: Commit) -> Result<Line> {
    git(repo, &["checkout", "--quiet", "--detach", "--force", &commit.id])?;
    let began = Instant::now();
    let base = format!("{}^", commit.id);
    let budget = wish.budget.as_deref().unwrap_or(BUDGET);
    let mut words =
        vec!["--base", &base, "--head", &commit.id, "--allow-changed-tests", "--budget", budget];
    if !wish.skip.is_empty() {
        words.push("--skip");
        words.extend(wish.skip.iter().map(String::as_str));
    }
    let answer = Answer::of(Command::new(proctor).env("PROCTOR_HOME", home.path()), repo, &words)?;
    Ok(Line { commit, answer, took: began.elapsed() })
}

fn git(folder: &Path, args: &[&str]) -> Result<String> {
    let out = Command::new("git").args(args).current_dir(folder).stdin(Stdio::null()).output();
    let out = out.context("git did not start")?;
    if !out.status.success() {
        bail!("git {}: {}", args.join(" "), String::from_utf8_lossy(&out.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&out.stdout).into_owned())
}

/// The commits of a log that changed tests and code of one language, newest first.
fn fitting(log: &str) -> Vec<Commit> {
    let mut found = Vec::new();
    for entry in log.split('\0').skip(1) {
        let mut lines = entry.lines().filter(|line| !line.is_empty());
        let Some((id, subject)) = lines.next().and_then(|head| head.split_once(' ')) else {
            continue;
        };
        let paths: Vec<&str> = lines.collect();
        let both = ["py", "go", "rs", "js", "ts"].iter().any(|ending| {
            let mut own = paths.iter().filter(|path| is_source(path, ending));
            let mut tests = own.clone();
            tests.any(|path| is_test(path)) && own.any(|path| !is_test(path))
        });
        if both && paths.len() <= MOST_FILES {
            found.push(Commit { id: id.to_owned(), subject: subject.to_owned() });
        }
    }
    found
}

fn is_source(path: &str, ending: &str) -> bool {
    const ASIDE: [&str; 6] = ["docs", "doc", "benches", "benchmark", "examples", "scripts"];
    let first = path.split('/').next().unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or_default();
    let config =
        ["setup.py", "noxfile.py", "build.rs"].contains(&name) || name.contains(".config.");
    path.rsplit_once('.').is_some_and(|(_, last)| last == ending)
        && !ASIDE.contains(&first)
        && !config
}

fn is_test(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    stem.starts_with("test_")
        || stem.ends_with("_test")
        || stem.rsplit_once('.').is_some_and(|(_, last)| matches!(last, "test" | "spec"))
        || path.split('/').any(|part| matches!(part, "tests" | "test" | "__tests__"))
}

impl Line {
    fn told(&self) -> String {
        let id = self.commit.id.get(..10).unwrap_or_default();
        let Answer { verdict, why } = &self.answer;
        let verdict = if verdict.is_empty() { "no answer" } else { verdict };
        let seconds = self.took.as_secs();
        let head = format!("{verdict:13} {id} {seconds} s {}", self.commit.subject);
        if verdict == "proven" {
            return head;
        }
        format!("{head}\n          {}", why.trim().replace('\n', "\n          "))
    }
}

fn counted(lines: &[Line]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for line in lines {
        *counts.entry(&line.answer.verdict).or_default() += 1;
    }
    let of = |verdict: &str| counts.get(verdict).copied().unwrap_or_default();
    let took: Duration = lines.iter().map(|line| line.took).sum();
    let mut text = format!(
        "{} commits: {} proven, {} inconclusive, {} refuted, {} without an answer; {} s",
        lines.len(),
        of("proven"),
        of("inconclusive"),
        of("refuted"),
        of(""),
        took.as_secs()
    );
    for line in lines.iter().filter(|line| line.answer.verdict != "proven") {
        text.push('\n');
        text.push_str(&line.told());
    }
    text
}

fn as_json(lines: &[Line]) -> Value {
    let rows = lines.iter().map(|line| {
        json!({
            "commit": line.commit.id,
            "subject": line.commit.subject,
            "verdict": line.answer.verdict,
            "why": line.answer.why,
            "seconds": line.took.as_secs_f64(),
        })
    });
    json!({"commits": rows.collect::<Vec<_>>()})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_commits_that_changed_tests_and_code_of_one_language_fit() {
        let log = "\0aaa both\n\nsrc/a.py\ntests/test_a.py\n\0bbb tests only\n\ntests/test_a.py\n\
                   \0ccc two languages\n\na.go\ntests/test_a.py\n\0ddd docs\n\ndocs/conf.py\ntests/test_a.py\n\
                   \0eee go\n\na.go\na_test.go\n\0fff script\n\nsrc/a.ts\ntest/a.test.ts\n";
        let found = fitting(log);
        let ids: Vec<&str> = found.iter().map(|commit| commit.id.as_str()).collect();
        assert_eq!(ids, ["aaa", "eee", "fff"]);
    }

    #[test]
    fn a_wish_needs_a_repository_and_knows_every_word() {
        assert!(Wish::read(&["--count", "3"]).is_err());
        assert!(Wish::read(&["--repo", "r", "--colour", "red"]).is_err());
        let wish = Wish::read(&["--repo", "r", "--count", "2", "--every", "2"]).unwrap();
        let commit = |id: &str| Commit { id: id.to_owned(), subject: String::new() };
        let all = ["a", "b", "c", "d", "e"].map(commit).to_vec();
        assert_eq!(wish.picked(all), [commit("a"), commit("c")]);
    }
}
