//! A place of the matrix as a repository of two commits, put before the real binary or before the language's own test
//! tool. It writes temporary folders only, and judges nothing.

use super::make::{Made, made};
use super::spot::{Language, Spot};
use crate::corpus::pair::Files;
use crate::corpus::trial::Trials;
use crate::corpus::verify::Answer;
use anyhow::{Context, Result, bail};
use proctor_testkit::RepoBuilder;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Where all places of one command are tried.
pub struct Repos {
    trials: Trials,
    check: Option<String>,
    answers: Option<PathBuf>,
}

impl Repos {
    pub fn new(proctor: PathBuf, check: Option<String>, answers: Option<PathBuf>) -> Result<Self> {
        let own = std::env::current_exe().context("this program's own path is not known")?;
        // The tests of this crate stand one folder deeper than its binary.
        let found = own.ancestors().map(|folder| folder.join("tools/js/node_modules"));
        let packages = found.into_iter().find(|folder| folder.is_dir()).unwrap_or_default();
        Ok(Self { trials: Trials::new(proctor, packages)?, check, answers })
    }

    fn laid_out(&self, spot: &Spot, made: &Made) -> Result<RepoBuilder> {
        let repo = RepoBuilder::new();
        put(&repo, &made.base);
        if spot.language == Language::TypeScript {
            self.trials.link_packages(repo.path())?;
        }
        repo.commit("base");
        repo.git(&["checkout", "--quiet", "-b", "work"]);
        put(&repo, &made.tests);
        Ok(repo)
    }

    /// What `proctor verify` says, and why.
    pub fn asked(&self, spot: &Spot) -> Result<(String, String)> {
        let made = made(spot)?;
        let repo = self.laid_out(spot, &made)?;
        put(&repo, &made.head);
        repo.commit("tests and work");
        let kept = tempfile::tempdir().context("no folder for an answer")?;
        let file = match &self.answers {
            Some(folder) => folder.join(format!("{}.json", spot.title().replace('/', "-"))),
            None => kept.path().join("answer.json"),
        };
        let output = format!("json={}", file.display());
        let mut words = vec!["--base", "main", "--head", "work", "--output", &output];
        if let Some(check) = &self.check {
            words.extend(["--only", check]);
        }
        let mut command = Command::new(self.trials.proctor());
        command.env_clear().envs(self.trials.vars());
        let answer = Answer::of(&mut command, repo.path(), &words)?;
        let Some(check) = &self.check else {
            return Ok((answer.verdict, answer.why));
        };
        let text = std::fs::read_to_string(&file).with_context(|| answer.why.clone())?;
        let said: Value = serde_json::from_str(&text).context("the answer is no JSON")?;
        Ok((one_check(&said, check), answer.why))
    }

    /// Whether the base fails the new tests and the work passes all of them, by the language's own tool.
    pub fn bare(&self, spot: &Spot) -> Result<(String, String)> {
        let made = made(spot)?;
        let repo = self.laid_out(spot, &made)?;
        if self.tests(spot.language, repo.path())?.is_none() {
            bail!("the base passes the new tests");
        }
        put(&repo, &made.head);
        if let Some(said) = self.tests(spot.language, repo.path())? {
            bail!("the work fails:\n{said}");
        }
        Ok(("right".to_owned(), String::new()))
    }

    /// What the test tool says where a test fails.
    fn tests(&self, language: Language, folder: &Path) -> Result<Option<String>> {
        let words: &[&str] = match language {
            Language::Python => &["python3", "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider"],
            Language::JavaScript => &["node", "--test", "tests/"],
            Language::TypeScript => &["node", "node_modules/vitest/vitest.mjs", "run"],
            Language::Go => &["go", "test", "./..."],
            Language::Rust => &["cargo", "test", "--quiet", "--offline"],
        };
        let out = Command::new(words[0])
            .args(&words[1..])
            .current_dir(folder)
            .env_clear()
            .envs(self.trials.vars())
            .env("CI", "1")
            .stdin(Stdio::null())
            .output()
            .with_context(|| format!("{} did not start", words[0]))?;
        let said = [out.stdout, out.stderr].concat();
        Ok((!out.status.success()).then(|| String::from_utf8_lossy(&said).into_owned()))
    }
}

fn put(repo: &RepoBuilder, files: &Files) {
    for (path, text) in files {
        repo.file(path, text);
    }
}

/// What one check alone would make of a branch of which all others think well.
fn one_check(said: &Value, check: &str) -> String {
    let own = said["checks"].as_array().into_iter().flatten().find(|own| own["name"] == check);
    let Some(own) = own else { return String::new() };
    let weighs = |weight: &str| {
        let details = own["details"].as_array().into_iter().flatten();
        details.filter(|detail| detail["weight"] == weight).count() > 0
    };
    let verdict = match own["status"].as_str() {
        Some("fail") => "refuted",
        Some("error") => "inconclusive",
        Some("skip") | None => "",
        _ if weighs("needs-person") => "inconclusive",
        _ => "proven",
    };
    verdict.to_owned()
}
