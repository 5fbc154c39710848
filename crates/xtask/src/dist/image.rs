//! The image: its Containerfile is linted, and built where this machine can.

use crate::dist::binary::Machine;
use crate::dist::{Facts, archive_name};
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::{Command, Stdio};

const FILE: &str = "packaging/Containerfile";

/// What was done, in a sentence.
pub fn image(facts: &Facts, machine: Machine, out: &Path, tools: &Path) -> Result<String> {
    let file = facts.root.join(FILE);
    let lint = Command::new(tools.join("hadolint")).arg(&file).status();
    if !lint.context("hadolint did not start\nhint: scripts/setup-dist installs it")?.success() {
        bail!("{FILE}: hadolint refuses it");
    }
    let archive = out.join(archive_name(machine));
    if !archive.is_file() {
        bail!("{} is not there\nhint: `cargo xtask dist archive image`", archive.display());
    }
    let works = |program: &&str| {
        let asked =
            Command::new(program).arg("info").stdout(Stdio::null()).stderr(Stdio::null()).status();
        asked.is_ok_and(|ended| ended.success())
    };
    let Some(program) = ["podman", "docker"].into_iter().find(works) else {
        return Ok(
            "image: linted; not built, since neither podman nor docker works here".to_owned()
        );
    };
    let tag = format!("proctor:{}", facts.version);
    let ended = Command::new(program)
        .args([
            "build",
            "--tag",
            &tag,
            "--build-arg",
            &format!("TRIPLE={}", machine.triple),
            "--file",
        ])
        .arg(&file)
        .arg(out)
        .status()?;
    if !ended.success() {
        bail!("{program} build failed");
    }
    Ok(format!("image: linted, and built as {tag}"))
}
