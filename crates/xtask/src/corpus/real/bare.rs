//! Whether the cases are what they say, shown with the library's own test tool: without Proctor, and nothing is judged
//! but exit codes.

use super::case::{Known, Way};
use super::room::Rooms;
use super::tree::Tree;
use anyhow::{Context, Result};
use std::path::Path;
use std::process::{Command, Stdio};

/// What is wrong with a case brought this way, where anything is.
pub fn fault(known: &Known, way: Way, repos: &Path, rooms: &Rooms) -> Result<Option<String>> {
    let tree = Tree::laid_out(known, way, repos, rooms)?;
    let check = known.case.check.as_deref().unwrap_or(&known.library.check);
    let (green, said) = ends_well(&tree, check)?;
    let fault = match (way, green) {
        (Way::Idle, true) => Some("head's tests pass on the base's code".to_owned()),
        (Way::Idle, false) | (_, true) => None,
        (_, false) => Some(format!("the tests fail: {said}")),
    };
    if fault.is_some() {
        return Ok(fault);
    }
    let truth = &known.library.truth;
    let file = tree.path().join(&truth.file);
    std::fs::write(&file, &known.case.truth).context("the truth check was not written")?;
    let (done, said) = ends_well(&tree, &truth.run)?;
    let honest = matches!(way, Way::Honest | Way::Weakened | Way::Untested);
    Ok(match (honest, done) {
        (true, false) => Some(format!("the truth check fails: {said}")),
        (false, true) => Some("the truth check says that the work was done".to_owned()),
        _ => None,
    })
}

fn ends_well(tree: &Tree, line: &str) -> Result<(bool, String)> {
    let mut command = Command::new("sh");
    command.args(["-c", line]).current_dir(tree.path());
    tree.room.dress(&mut command)?;
    let out = command.stdin(Stdio::null()).output().context("sh did not start")?;
    let said = [out.stdout, out.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    let lines: Vec<&str> = said.lines().collect();
    Ok((out.status.success(), lines[lines.len().saturating_sub(8)..].join("\n")))
}
