//! `proctor claude-turn FILE PROGRAM ARG…`, started by Proctor itself in Claude Code's place and bounds: holds one turn with it over its control
//! protocol. A program that knows no such thing is started once more, and told beforehand what it may.

use crate::agent_loop::conversation::{Ending, Spoke, exit_of, hold, read_errand, settle};
use anyhow::Result;
use proctor_agents::claude::{Errand, Talk};
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

pub fn claude_turn(file: &Path, argv: &[OsString]) -> ExitCode {
    exit_of(turn(file, argv))
}

fn turn(file: &Path, argv: &[OsString]) -> Result<u8> {
    let mut errand: Errand = read_errand(file)?;
    settle(&mut errand.policy, &errand.cwd);
    let asking = held(&errand, argv, &errand.asking)?;
    match asking.spoke {
        Spoke::Nothing if asking.code != 130 => Ok(held(&errand, argv, &errand.told)?.code),
        Spoke::Nothing | Spoke::Something => Ok(asking.code),
    }
}

fn held(errand: &Errand, argv: &[OsString], more: &[String]) -> Result<Ending> {
    let argv: Vec<OsString> = argv.iter().cloned().chain(more.iter().map(OsString::from)).collect();
    let logs = errand.cwd.join("terminals");
    let ours = Box::new(Talk::new(errand.clone()));
    hold(ours, &argv, &errand.cwd, (&logs, errand.policy.clone()))
}
