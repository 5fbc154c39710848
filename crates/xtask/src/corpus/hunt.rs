//! One hunt over a corpus: a scout that suspects every program, the wrong ones and the repaired ones alike. What is
//! reported must be the wrong ones and nothing else. It looks from outside, at the last line of JSON.

use super::pair::{Files, Pair};
use anyhow::{Context, Result, bail};
use proctor_testkit::{RepoBuilder, TestEnv};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

/// One refusal is enough, and some of the wrong programs never end.
const SETTINGS: &str = "[limits]\nred = 0\ntest_time = \"20s\"\n[gates]\nprobe = \"off\"\n";
/// By which the tests of the corpus choose between the two versions.
const CHOICE: &str = "if pytest.use_correct:";

/// A program that the scout suspects, and the test that is brought for it.
struct Suspect {
    file: String,
    tests: Files,
}

pub fn run(proctor: &Path, pairs: &[Pair], jobs: usize) -> Result<ExitCode> {
    let repo = RepoBuilder::new();
    let (mut wrong, mut repaired) = (Vec::new(), Vec::new());
    for pair in pairs {
        for (path, text) in &pair.base {
            repo.file(path, text);
        }
        for (path, text) in &pair.solution {
            let file = format!("correct_{path}");
            repo.file(&file, text);
            repaired.push(Suspect { file, tests: for_the_repaired(&pair.tests) });
            wrong.push(Suspect { file: path.clone(), tests: pair.tests.clone() });
        }
    }
    repo.commit("base");
    let wanted: BTreeSet<String> = wrong.iter().map(|suspect| suspect.file.clone()).collect();
    let suspects: Vec<Suspect> = wrong.into_iter().chain(repaired).collect();
    let end = hunted(proctor, &repo, &suspects, jobs)?;
    let mut out = std::io::stdout().lock();
    let reported: BTreeSet<String> = files(&end["reported"]);
    for bug in end["not_reported"].as_array().into_iter().flatten() {
        let file = bug["relevant_files"][0].as_str().unwrap_or_default();
        if wanted.contains(file) {
            writeln!(out, "missed {file}: {} {}", bug["status"], bug["reason"])?;
        }
    }
    for file in reported.difference(&wanted) {
        writeln!(out, "reported, and it is right: {file}")?;
    }
    writeln!(
        out,
        "{} suspects, {} wrong programs, {} of them reported, {} right ones reported",
        suspects.len(),
        wanted.len(),
        reported.intersection(&wanted).count(),
        reported.difference(&wanted).count()
    )?;
    Ok(if reported == wanted { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The same tests for the repaired version, under a name of their own.
fn for_the_repaired(tests: &Files) -> Files {
    let other = |(path, text): (&String, &String)| {
        (path.replace("/test_", "/test_correct_"), text.replace(CHOICE, "if True:"))
    };
    tests.iter().map(other).collect()
}

fn files(bugs: &Value) -> BTreeSet<String> {
    let file = |bug: &Value| bug["relevant_files"][0].as_str().map(str::to_owned);
    bugs.as_array().into_iter().flatten().filter_map(file).collect()
}

/// The last line of a hunt.
fn hunted(proctor: &Path, repo: &RepoBuilder, suspects: &[Suspect], jobs: usize) -> Result<Value> {
    let folder = tempfile::tempdir().context("no folder for the hunt")?;
    let (script, settings) = (folder.path().join("scenario.json"), folder.path().join("own.toml"));
    std::fs::write(&script, scenario(suspects).to_string()).context("no scenario")?;
    std::fs::write(&settings, SETTINGS).context("no settings")?;
    let env = TestEnv::new(proctor);
    let out = Command::new(proctor)
        .args(["hunt", "--report-only", "--hangs", "--format", "json", "--parallel"])
        .arg(jobs.to_string())
        .arg("--entry")
        .args(suspects.iter().map(|suspect| &suspect.file))
        .current_dir(repo.path())
        .env_clear()
        .envs(env.vars().iter().map(|(name, value)| (name, value)))
        .env("PROCTOR_MOCK", &script)
        .env("PROCTOR_CONFIG", &settings)
        .stdin(Stdio::null())
        .output()
        .context("proctor did not start")?;
    let said = String::from_utf8_lossy(&out.stdout);
    let last = said.lines().last().and_then(|line| serde_json::from_str::<Value>(line).ok());
    match last {
        Some(end) if end["event"] == "hunt-finished" => Ok(end),
        _ => bail!("the hunt did not end: {}", String::from_utf8_lossy(&out.stderr)),
    }
}

/// The bugs are found one after the other, so each has the number of its program.
fn scenario(suspects: &[Suspect]) -> Value {
    let mut turns = vec![json!({"phase": "classify", "output": {
        "reproducibility_approach": "UNIT_TEST", "reproducibility_chance": "EASY", "reasoning": "it has a test"}})];
    for (suspect, number) in suspects.iter().zip(1..) {
        let file = &suspect.file;
        turns.push(json!({"phase": "scout", "task": file, "output": {
            "bugs": [{"short_description": format!("{file} is wrong"), "details": "", "severity": "HIGH",
                "relevant_files": [file]}],
            "exploration_summary": "suspects everything"}}));
        turns.push(json!({"phase": "write_tests", "task": format!("bug-{number}"), "write": suspect.tests,
            "output": {"status": "PREPARED_FOR_FIX", "test_file_path": suspect.tests.keys().next(), "notes": ""}}));
    }
    json!({"turns": turns})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tests_of_a_repaired_program_choose_it_and_have_another_name() {
        let tests = Files::from([("t/test_a.py".to_owned(), format!("{CHOICE}\n    import a\n"))]);
        let other = for_the_repaired(&tests);
        assert_eq!(other["t/test_correct_a.py"], "if True:\n    import a\n");
    }
}
