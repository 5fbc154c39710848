//! One exercise as two commits, judged by `proctor verify`: no agent, and nothing but the answer is looked at. Work that
//! is right must be proven, other work must not.

use super::known;
use super::pair::{Pair, Wanted};
use super::trial::{Outcome, Trials, Verdict, Work, settings, tail};
use anyhow::{Context, Result};
use proctor_testkit::RepoBuilder;
use serde_json::Value;
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// What `proctor verify` answered, as far as it is needed to judge it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// `proven`, `refuted`, `inconclusive`, or empty where there was no answer.
    pub verdict: String,
    /// The checks that did not simply pass, each with its line.
    pub why: String,
}

impl Trials {
    pub fn verify(&self, pair: &Pair, work: Work) -> Outcome {
        let began = Instant::now();
        let verdict = match self.place(pair) {
            Ok((pair, repo)) => match self.asked(&pair, work, &repo) {
                Ok(answer) => judge(&pair, work, &answer),
                Err(why) => Verdict::Wrong { why: format!("{why:#}") },
            },
            Err(why) => Verdict::Skipped { why: format!("{why:#}") },
        };
        Outcome { verdict, took: began.elapsed() }
    }

    fn asked(&self, pair: &Pair, work: Work, repo: &RepoBuilder) -> Result<Answer> {
        repo.git(&["checkout", "--quiet", "-b", "work"]);
        for (path, text) in pair.tests.iter().chain(&pair.work(work)) {
            repo.file(path, text);
        }
        repo.commit("tests and work");
        let mut words = vec!["--base", "main", "--head", "work"];
        match pair.wanted {
            Wanted::Fix => words.extend(["--type", "bug_fix"]),
            Wanted::Add => {}
            Wanted::Tidy => words.extend(["--type", "refactor"]),
        }
        let mut command = Command::new(&self.proctor);
        command
            .env_clear()
            .envs(self.vars())
            .env("PROCTOR_CONFIG", self.folder.path().join(settings(pair.ending)));
        Answer::of(&mut command, repo.path(), &words)
    }
}

impl Answer {
    /// Asks a prepared call of the binary about two commits.
    pub fn of(command: &mut Command, folder: &Path, words: &[impl AsRef<OsStr>]) -> Result<Self> {
        let command = command.args(["verify", "--format", "json"]).args(words);
        let out = command
            .current_dir(folder)
            .stdin(Stdio::null())
            .output()
            .context("proctor did not start")?;
        Ok(Self::read(&out.stdout, &String::from_utf8_lossy(&out.stderr)))
    }

    fn read(stdout: &[u8], stderr: &str) -> Self {
        let Ok(said) = serde_json::from_slice::<Value>(stdout) else {
            return Self { verdict: String::new(), why: tail(stderr) };
        };
        let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let odd = |check: &&Value| !matches!(check["status"].as_str(), Some("pass" | "skip"));
        let lines: Vec<String> = said["checks"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(odd)
            .map(|check| {
                let summary = check["summary"].as_str().unwrap_or_default();
                format!("{} {}: {summary}", word(&check["name"]), word(&check["status"]))
            })
            .collect();
        let why = if lines.is_empty() { word(&said["reason"]) } else { lines.join("\n") };
        Self { verdict: word(&said["verdict"]), why }
    }
}

fn judge(pair: &Pair, work: Work, answer: &Answer) -> Verdict {
    let Some(why) = wrong(work, answer) else {
        return Verdict::Right;
    };
    match known::of_verify(&pair.title(), &why) {
        Some(known) if work == Work::Solved => Verdict::Known { why: known.to_owned() },
        _ => Verdict::Wrong { why },
    }
}

/// What is wrong with an answer, if anything is.
fn wrong(work: Work, answer: &Answer) -> Option<String> {
    match (work, answer.verdict.as_str()) {
        (_, "") => Some(format!("there was no answer: {}", answer.why)),
        (Work::Solved, "proven") | (Work::Idle | Work::ByHeart, "refuted" | "inconclusive") => None,
        (Work::Solved, other) => Some(format!("honest work is {other}\n{}", answer.why)),
        (Work::Idle | Work::ByHeart, other) => Some(format!("bad work is {other}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_honest_work_may_be_proven() {
        let proven = Answer::read(b"{\"verdict\": \"proven\", \"reason\": \"all\"}", "");
        assert_eq!(wrong(Work::Solved, &proven), None);
        assert_eq!(wrong(Work::Idle, &proven).as_deref(), Some("bad work is proven"));
        let refuted = Answer::read(
            b"{\"verdict\": \"refuted\", \"checks\": [{\"name\": \"green\", \"status\": \"fail\", \"summary\": \"1 fails\"},
              {\"name\": \"source\", \"status\": \"pass\", \"summary\": \"\"}]}",
            "",
        );
        assert_eq!(wrong(Work::ByHeart, &refuted), None);
        let why = "honest work is refuted\ngreen fail: 1 fails";
        assert_eq!(wrong(Work::Solved, &refuted).as_deref(), Some(why));
    }

    #[test]
    fn no_answer_is_wrong_for_every_work() {
        let none = Answer::read(b"", "error: no test tool\n");
        for work in [Work::Solved, Work::Idle, Work::ByHeart] {
            assert!(wrong(work, &none).is_some_and(|why| why.contains("no test tool")));
        }
    }
}
