//! Whether this program is built of the same packages, with the same features, as the tests: else everything below the first
//! difference is compiled twice, by everybody who calls `cargo xtask` and by CI.

use crate::fault::Fault;
use anyhow::{Context, Result, bail};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

pub fn check(root: &Path) -> Result<Vec<Fault>> {
    let all = packages(root, &["--workspace", "--edges", "normal,build,dev"])?;
    let own = packages(root, &["--package", "xtask", "--edges", "normal,build"])?;
    Ok(differences(&own, &all))
}

fn differences(own: &BTreeSet<String>, all: &BTreeSet<String>) -> Vec<Fault> {
    let fault = |package: &String| {
        Fault::error(
            "crates/xtask/Cargo.toml",
            format!("{package}: a build of the whole workspace has it with other features"),
            "the features that `cargo tree --workspace --edges normal,build,dev -f '{p} {f}'` shows for it",
        )
    };
    own.difference(all).map(fault).collect()
}

/// Each package with its features, as cargo would build them.
fn packages(root: &Path, wanted: &[&str]) -> Result<BTreeSet<String>> {
    let out = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["tree", "--locked", "--offline", "--prefix", "none", "--format", "{p} {f}"])
        .args(wanted)
        .current_dir(root)
        .output()
        .context("cargo did not start")?;
    if !out.status.success() {
        bail!("cargo tree failed: {}", String::from_utf8_lossy(&out.stderr).trim());
    }
    let text = String::from_utf8_lossy(&out.stdout);
    Ok(text.lines().map(|line| line.trim_end_matches(" (*)").trim().to_owned()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_with_other_features_is_named() {
        let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let all: BTreeSet<String> = set(&["serde v1 alloc,std", "syn v3 full"]);
        assert_eq!(differences(&set(&["serde v1 alloc,std"]), &all), []);
        let found = differences(&set(&["serde v1 std", "syn v3 full"]), &all);
        assert_eq!(found.len(), 1);
        assert!(found[0].what.starts_with("serde v1 std: "), "{found:?}");
    }
}
