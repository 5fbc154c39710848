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

#[cfg(test)]
mod tests {
    use super::super::spot::{Form, Way, spots};
    use super::*;
    use proctor_testkit::missing;
    use std::collections::BTreeSet;

    /// Some places, by the language's own tool.
    fn hold(language: Language, problem: &str, form: Form, ways: &[Way]) {
        let repos = Repos::new(PathBuf::new(), None, None).unwrap();
        let all = spots(language, true);
        let fits = |spot: &&Spot| spot.problem.name == problem && spot.form == form;
        for spot in all.iter().filter(fits).filter(|spot| ways.contains(&spot.way)) {
            if let Err(why) = repos.bare(spot) {
                panic!("{}: {why:#}", spot.title());
            }
        }
    }

    #[test]
    fn the_base_fails_and_the_work_passes_in_python() {
        if !missing("pytest") {
            hold(Language::Python, "net", Form::Rows, &[Way::Honest, Way::Table]);
            hold(Language::Python, "merge", Form::File, &[Way::Honest, Way::Names]);
        }
    }

    #[test]
    fn the_base_fails_and_the_work_passes_in_javascript() {
        if !missing("node") {
            hold(Language::JavaScript, "label", Form::Loop, &[Way::Honest, Way::Shape]);
            hold(Language::JavaScript, "port", Form::Raises, &[Way::Honest, Way::Part]);
        }
    }

    #[test]
    fn one_check_is_judged_by_its_weightiest_finding() {
        let said = |status: &str, weight: &str| {
            let details = serde_json::json!([{"weight": weight}]);
            let check = serde_json::json!({"name": "a", "status": status, "details": details});
            one_check(&serde_json::json!({"checks": [check]}), "a")
        };
        assert_eq!(said("warn", "needs-person"), "inconclusive");
        assert_eq!(said("warn", "warning"), "proven");
        assert_eq!(said("fail", "refutes"), "refuted");
        assert_eq!(said("skip", "note"), "");
    }

    #[test]
    fn no_two_inputs_of_a_problem_are_known_by_the_same() {
        for spot in spots(Language::Python, true) {
            if !matches!(spot.way, Way::Part | Way::Shape | Way::Names) {
                continue;
            }
            let text = &made(&spot).unwrap().head["shop.py"];
            let own = text.split_once(&format!("def {}(", spot.problem.name)).unwrap().1;
            let arms: Vec<&str> = own.lines().filter(|line| line.starts_with("    if ")).collect();
            let different: BTreeSet<&&str> = arms.iter().collect();
            assert_eq!((arms.len(), different.len()), (spot.cases().len(), arms.len()), "{own}");
        }
    }

    mod slow {
        use super::*;

        #[test]
        fn the_base_fails_and_the_work_passes_in_typescript_go_and_rust() {
            let every = Way::ALL;
            if !missing("go") {
                hold(Language::Go, "seconds", Form::Helper, every);
                hold(Language::Go, "merge", Form::Fixture, every);
            }
            if !missing("cargo") {
                hold(Language::Rust, "totals", Form::Rows, every);
                hold(Language::Rust, "merge", Form::Snapshot, &[Way::Data]);
            }
            let repos = Repos::new(PathBuf::new(), None, None).unwrap();
            if repos.trials.has_packages() {
                hold(Language::TypeScript, "slugify", Form::Snapshot, &[Way::Honest, Way::Table]);
            }
        }
    }
}
