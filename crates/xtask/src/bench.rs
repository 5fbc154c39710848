//! `cargo xtask bench`: what Proctor itself costs, each time beside a yardstick measured in the same rounds on the
//! same machine. It builds what it measures and prints what it found. It must not judge: a goal is shown as met or
//! not, and never decides the exit code, because a noisy machine would.

mod agents;
mod exercise;
mod faces;
mod figures;
mod guard;
mod journal;
mod lives;
mod mutants;
mod process;
pub mod prompts;
pub mod real;
mod run;
mod runners;
mod sandbox;
mod secrets;
mod start;
mod suites;
mod trees;
mod verify;

use crate::tree::root;
use anyhow::{Context, Result, bail};
use figures::Chapter;
use serde_json::{Map, Value};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// What was asked for on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wish {
    part: Part,
    form: Form,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Start,
    Run,
    Journal,
    Runners,
    Secrets,
    Trees,
    Sandbox,
    Mutants,
    Verify,
    Agents,
    Faces,
    Guard,
    All,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Table,
    Json,
}

impl Wish {
    pub fn read(words: &[&str]) -> Result<Self, String> {
        let mut wish = Self { part: Part::All, form: Form::Table };
        let mut named = false;
        for word in words {
            let part = match *word {
                "--json" => {
                    wish.form = Form::Json;
                    continue;
                }
                "start" => Part::Start,
                "run" => Part::Run,
                "journal" => Part::Journal,
                "runners" => Part::Runners,
                "secrets" => Part::Secrets,
                "trees" => Part::Trees,
                "sandbox" => Part::Sandbox,
                "mutants" => Part::Mutants,
                "verify" => Part::Verify,
                "agents" => Part::Agents,
                "faces" => Part::Faces,
                "guard" => Part::Guard,
                "all" => Part::All,
                other => return Err(format!("bench knows no `{other}`")),
            };
            if named {
                return Err("bench measures one part or all".to_owned());
            }
            named = true;
            wish.part = part;
        }
        Ok(wish)
    }

    fn words(self) -> Vec<&'static str> {
        let part = match self.part {
            Part::Start => "start",
            Part::Run => "run",
            Part::Journal => "journal",
            Part::Runners => "runners",
            Part::Secrets => "secrets",
            Part::Trees => "trees",
            Part::Sandbox => "sandbox",
            Part::Mutants => "mutants",
            Part::Verify => "verify",
            Part::Agents => "agents",
            Part::Faces => "faces",
            Part::Guard => "guard",
            Part::All => "all",
        };
        match self.form {
            Form::Table => vec![part],
            Form::Json => vec![part, "--json"],
        }
    }
}

/// What is measured, and where.
struct Bench {
    proctor: PathBuf,
    /// Build products and the folders that are written to while measuring: on the disk of the workspace, because a
    /// temporary folder is often in memory, where an fsync costs nothing.
    scratch: PathBuf,
}

pub fn run(wish: Wish) -> Result<ExitCode> {
    let root = root()?;
    let own = std::env::current_exe().context("this program's own path is not known")?;
    let target = own.ancestors().nth(2).context("this program is in no target folder")?;
    // The journal is measured inside this process, and only an optimised build says what a release costs.
    if cfg!(debug_assertions) {
        cargo_build(&root, "xtask")?;
        return hand_over(&target.join("release/xtask"), wish);
    }
    let bench = Bench { proctor: target.join("release/proctor"), scratch: target.join("bench") };
    std::fs::create_dir_all(&bench.scratch)
        .with_context(|| format!("could not make {}", bench.scratch.display()))?;
    match wish.part {
        Part::Journal | Part::Runners | Part::Secrets => {}
        Part::Start
        | Part::Run
        | Part::Sandbox
        | Part::Mutants
        | Part::Verify
        | Part::Agents
        | Part::Faces
        | Part::Guard => cargo_build(&root, "proctor")?,
        Part::Trees => cargo_build(&root, "proctor-world")?,
        Part::All => {
            cargo_build(&root, "proctor")?;
            cargo_build(&root, "proctor-world")?;
        }
    }
    report(&bench, wish)
}

fn report(bench: &Bench, wish: Wish) -> Result<ExitCode> {
    let mut out = std::io::stdout().lock();
    let mut all = Map::new();
    let mut code = ExitCode::SUCCESS;
    for measure in parts(wish.part) {
        let chapter = match measure(bench) {
            Ok(chapter) => chapter,
            // What else was asked for can still be measured.
            Err(why) => {
                writeln!(std::io::stderr(), "error: {why:#}")?;
                code = ExitCode::FAILURE;
                continue;
            }
        };
        match wish.form {
            Form::Table => writeln!(out, "{chapter}\n")?,
            Form::Json => {
                all.insert(chapter.name.clone(), chapter.json());
            }
        }
    }
    if wish.form == Form::Json {
        writeln!(out, "{}", Value::Object(all))?;
    }
    Ok(code)
}

type Measure = fn(&Bench) -> Result<Chapter>;

fn parts(part: Part) -> Vec<Measure> {
    match part {
        Part::Start => vec![start::measure],
        Part::Run => vec![run::python, run::rust],
        Part::Journal => vec![journal::measure],
        Part::Runners => vec![runners::measure],
        Part::Secrets => vec![secrets::measure],
        Part::Trees => vec![trees::measure],
        Part::Sandbox => vec![sandbox::measure],
        Part::Mutants => vec![mutants::python, mutants::rust],
        Part::Verify => vec![verify::python, verify::rust, verify::go, verify::node],
        Part::Agents => vec![agents::measure],
        Part::Faces => vec![faces::measure],
        Part::Guard => vec![guard::measure],
        Part::All => vec![
            start::measure,
            run::python,
            run::rust,
            journal::measure,
            runners::measure,
            secrets::measure,
            trees::measure,
            sandbox::measure,
            mutants::python,
            mutants::rust,
            verify::python,
            verify::rust,
            verify::go,
            verify::node,
            agents::measure,
            faces::measure,
            guard::measure,
        ],
    }
}

/// One package at a time: built together, cargo would give Proctor features that only this program asked for.
pub fn cargo_build(root: &Path, package: &str) -> Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--release", "--quiet", "--package", package])
        .current_dir(root)
        .status()
        .context("cargo did not start")?;
    if !status.success() {
        bail!("`cargo build --release --package {package}` failed");
    }
    Ok(())
}

fn hand_over(program: &Path, wish: Wish) -> Result<ExitCode> {
    let status = Command::new(program)
        .arg("bench")
        .args(wish.words())
        .status()
        .with_context(|| format!("{} did not start", program.display()))?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_measured_when_no_part_is_named() {
        assert_eq!(Wish::read(&[]), Ok(Wish { part: Part::All, form: Form::Table }));
        let journal = Wish { part: Part::Journal, form: Form::Json };
        assert_eq!(Wish::read(&["--json", "journal"]), Ok(journal));
        assert_eq!(Wish::read(&journal.words()), Ok(journal));
    }

    #[test]
    fn a_word_that_bench_does_not_know_is_named() {
        assert_eq!(Wish::read(&["speed"]), Err("bench knows no `speed`".to_owned()));
        assert!(Wish::read(&["start", "run"]).is_err());
    }
}
