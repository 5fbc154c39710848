//! Agents that speak the Agent Client Protocol: `proctor acp FILE PROGRAM ARG…`, started by Proctor itself in an agent's place and bounds,
//! holds one turn with it; `proctor acp-greet PROGRAM ARG…` only meets it. What is said and allowed is decided by `Client`.

use crate::agent_loop::conversation::{PARTING, exit_of, hold, read_errand, settle};
use crate::out;
use anyhow::{Context, Result};
use proctor_agents::acp::{Client, Errand, answer_to_hello, hello};
use proctor_desk::told::USAGE;
use proctor_world::partner::{Partner, Word};
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;
use std::sync::mpsc;

pub fn acp(file: &Path, argv: &[OsString]) -> ExitCode {
    exit_of(turn(file, argv))
}

fn turn(file: &Path, argv: &[OsString]) -> Result<u8> {
    let mut errand: Errand = read_errand(file)?;
    settle(&mut errand.policy, &errand.cwd);
    let (cwd, logs, policy) = (errand.cwd.clone(), errand.logs.clone(), errand.policy.clone());
    let ending = hold(Box::new(Client::new(errand)), argv, &cwd, (&logs, policy))?;
    Ok(ending.code)
}

/// Meets an agent and parts again: what it says about itself, in words.
pub fn greet(argv: &[OsString]) -> ExitCode {
    match met(argv) {
        Ok(words) => {
            out::data(&words);
            ExitCode::SUCCESS
        }
        Err(error) => {
            out::error(&format!("{error:#}"));
            ExitCode::from(USAGE)
        }
    }
}

fn met(argv: &[OsString]) -> Result<String> {
    // Not where it could find settings of a repository.
    let place = std::env::temp_dir().join(format!("proctor-greet-{}", std::process::id()));
    std::fs::create_dir_all(&place)?;
    let (sender, words) = mpsc::channel();
    let partner = Partner::start(argv, &place, move |word| sender.send(word).is_ok());
    let answer = partner.map_err(anyhow::Error::from).and_then(|mut partner| {
        partner.say(&hello().to_string())?;
        let mut answers = words.iter().map_while(|word| match word {
            Word::Line(line) => Some(line),
            Word::Silent => None,
        });
        let answer = answers.find_map(|line| answer_to_hello(&line));
        let _ = partner.part(PARTING);
        answer.context("it ended without an answer")?.map_err(anyhow::Error::msg)
    });
    let _ = std::fs::remove_dir_all(&place);
    let about = answer?;
    let can =
        [(about.load || about.resume, "goes on with sessions"), (about.fork, "branches them off")];
    let can: Vec<&str> = can.iter().filter(|(can, _)| *can).map(|(_, what)| *what).collect();
    let can = if can.is_empty() { "each turn begins afresh".to_owned() } else { can.join(", ") };
    Ok(format!("{} {}; {can}", about.name, about.version))
}
