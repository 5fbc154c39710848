//! What came of the newest commits, as a table of the book and as JSON. It judges nothing.

use super::truth::Truth;
use super::{Line, Tried};
use crate::corpus::verify::Answer;
use serde_json::{Value, json};
use std::fmt::{self, Display, Write};

/// An honest commit that is refuted, or a library that could not be tried.
pub fn wrong(tried: &[Tried]) -> bool {
    tried.iter().any(|one| one.lines.is_err())
        || answers(tried).any(|answer| matches!(answer.verdict.as_str(), "refuted" | ""))
}

fn answers(tried: &[Tried]) -> impl Iterator<Item = &Answer> {
    tried
        .iter()
        .filter_map(|one| one.lines.as_ref().ok())
        .flatten()
        .filter_map(|line| line.answer.as_ref())
}

pub fn markdown(tried: &[Tried]) -> String {
    let mut text =
        String::from("| library | language | tests | commit | verdict | seconds | why not |\n");
    text.push_str("| --- | --- | --- | --- | --- | --- | --- |\n");
    let mut aside = String::new();
    for Tried { library, lines } in tried {
        let lines = match lines {
            Ok(lines) => lines,
            Err(why) => {
                let _ = write!(aside, "\n- {}: {why}", library.name);
                continue;
            }
        };
        for line in lines {
            let Some(answer) = &line.answer else {
                let _ = write!(aside, "\n- {} `{}`: {}", library.name, line.short(), line.truth);
                continue;
            };
            let why = if answer.verdict == "proven" { String::new() } else { cell(&answer.why) };
            let _ = writeln!(
                text,
                "| {} | {} | {} | `{}` | {} | {} | {why} |",
                library.name,
                library.language,
                library.tests,
                line.short(),
                verdict(answer),
                line.took.as_secs()
            );
        }
    }
    let count = |wanted: &str| answers(tried).filter(|answer| answer.verdict == wanted).count();
    let _ = write!(
        text,
        "\n{} commits: {} proven, {} inconclusive, {} refuted, {} without an answer\n",
        answers(tried).count(),
        count("proven"),
        count("inconclusive"),
        count("refuted"),
        count("")
    );
    text.push_str(&aside);
    text
}

fn verdict(answer: &Answer) -> &str {
    if answer.verdict.is_empty() { "no answer" } else { &answer.verdict }
}

/// A text that may stand in a cell of a table.
fn cell(text: &str) -> String {
    text.trim().replace('|', "\\|").replace('\n', "; ")
}

pub fn json(tried: &[Tried]) -> Value {
    let libraries = tried.iter().map(|Tried { library, lines }| {
        let rows = lines.as_ref().map(|lines| lines.iter().map(row).collect::<Vec<_>>());
        json!({
            "library": library.name,
            "language": library.language,
            "commits": rows.as_ref().ok(),
            "error": rows.as_ref().err(),
        })
    });
    json!({"libraries": libraries.collect::<Vec<_>>()})
}

fn row(line: &Line) -> Value {
    json!({
        "commit": line.commit.id,
        "subject": line.commit.subject,
        "truth": line.truth == Truth::Honest,
        "verdict": line.answer.as_ref().map(|answer| &answer.verdict),
        "why": line.answer.as_ref().map_or_else(|| line.truth.to_string(), |answer| answer.why.clone()),
        "seconds": line.took.as_secs_f64(),
    })
}

impl Line {
    fn short(&self) -> &str {
        self.commit.id.get(..9).unwrap_or_default()
    }
}

impl Display for Line {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (id, seconds) = (self.short(), self.took.as_secs());
        match &self.answer {
            None => write!(out, "{id} {}", self.truth),
            Some(answer) if answer.verdict == "proven" => write!(out, "{id} proven {seconds} s"),
            Some(answer) => {
                let why = answer.why.trim().replace('\n', "\n          ");
                write!(out, "{id} {} {seconds} s\n          {why}", verdict(answer))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Library;
    use super::super::rule::Commit;
    use super::*;
    use std::time::Duration;

    fn tried(verdict: &str) -> Tried {
        let commit =
            Commit { id: "0123456789".to_owned(), subject: "add".to_owned(), paths: Vec::new() };
        let answer = Answer { verdict: verdict.to_owned(), why: "one\ntwo | three".to_owned() };
        let line = Line {
            commit,
            truth: Truth::Honest,
            answer: Some(answer),
            took: Duration::from_secs(7),
        };
        let library = Library {
            name: "a".to_owned(),
            repo: "o+a".to_owned(),
            language: "go".to_owned(),
            tests: "go test".to_owned(),
            prepare: Vec::new(),
            check: String::new(),
        };
        Tried { library, lines: Ok(vec![line]) }
    }

    #[test]
    fn what_is_not_proven_stands_in_one_row_with_its_reasons() {
        let text = markdown(&[tried("inconclusive")]);
        let row = "| a | go | go test | `012345678` | inconclusive | 7 | one; two \\| three |";
        assert!(text.contains(row), "{text}");
        assert!(text.contains("1 commits: 0 proven, 1 inconclusive, 0 refuted"), "{text}");
    }

    #[test]
    fn an_honest_commit_that_is_refuted_is_wrong_and_one_that_asks_is_not() {
        assert!(wrong(&[tried("refuted")]));
        assert!(!wrong(&[tried("inconclusive")]));
        assert!(wrong(&[Tried { lines: Err("no clone".to_owned()), ..tried("proven") }]));
    }
}
