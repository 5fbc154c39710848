//! The two commits of a pack as a git bundle: the base without what came before it, and the proven work on top. The same
//! commits give the same bytes.

use super::scratch::Scratch;
use anyhow::{Context, Result};
use proctor_core::words::{CommitId, TreeId};
use proctor_engine::Shop;
use proctor_world::git::Git;
use std::path::{Path, PathBuf};

const BASE: &str = "refs/heads/base";
const PROVEN: &str = "refs/heads/proven";

/// Makes the bundle out of the repository that holds both.
pub fn make(shop: &Shop, from: &Path, base: &CommitId, proven: &CommitId) -> Result<Vec<u8>> {
    let scratch = Scratch::new(shop)?;
    let git = empty(&scratch.path().join("bare"), base)?
        // One object a file, none a difference to another, one thread: nothing that depends on chance.
        .with("transfer.unpackLimit=10000000")
        .with("pack.window=0")
        .with("pack.threads=1")
        .with("core.compression=6");
    let fetch = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head"];
    let first = git.call(&fetch).arg("--depth=1").arg(from).arg(format!("+{base}:{BASE}"));
    first.run().context("the base can't be packed")?;
    let second = git.call(&fetch).arg(from).arg(format!("+{proven}:{PROVEN}"));
    second.run().context("the proven commit can't be packed")?;
    let file = scratch.path().join("bundle");
    git.call(&["bundle", "create", "--quiet"]).arg(&file).arg(BASE).arg(PROVEN).run()?;
    std::fs::read(&file).with_context(|| format!("{} can't be read", file.display()))
}

/// A repository of its own that holds what a bundle brings.
pub fn open(scratch: &Scratch, bytes: &[u8], base: &CommitId) -> Result<PathBuf> {
    let dir = scratch.path().join("bare");
    let git = empty(&dir, base)?;
    // The bundle has nothing from before the base, and git is told so.
    std::fs::write(dir.join("shallow"), format!("{base}\n"))?;
    let file = scratch.path().join("bundle");
    std::fs::write(&file, bytes)?;
    git.call(&["fetch", "--quiet", "--no-tags", "--no-write-fetch-head"])
        .arg(&file)
        .args(&[BASE, PROVEN].map(|name| format!("+{name}:{name}")))
        .run()?;
    Ok(dir)
}

fn empty(dir: &Path, like: &CommitId) -> Result<Git> {
    std::fs::create_dir_all(dir)?;
    let format = if like.as_str().len() == 64 { "sha256" } else { "sha1" };
    Git::new(dir)
        .call(&["init", "--quiet", "--bare", "--template=", "--initial-branch=none"])
        .arg(format!("--object-format={format}"))
        .run()?;
    Ok(Git::on(dir))
}

/// The tree of a commit, where the repository has both.
pub fn tree_of(git_dir: &Path, commit: &CommitId) -> Option<TreeId> {
    let git = Git::on(git_dir);
    let call = git.call(&["rev-parse", "--verify", "--quiet", "--end-of-options"]);
    let answer = call.arg(format!("{commit}^{{tree}}")).answer().ok()?;
    let id = String::from_utf8_lossy(&answer.stdout).trim().to_owned();
    (answer.code == Some(0) && !id.is_empty()).then(|| TreeId::new(id))
}
