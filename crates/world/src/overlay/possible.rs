//! Whether an overlay can be mounted below a folder: found out by doing it, once for each folder and process. Owns what
//! it needs for that, and removes it. It must not guess from versions or rights.

use super::stand::{Kind, TREE};
use super::view::{Layers, Mounted, ask};
use crate::child::Keeper;
use crate::draft::Draft;
use crate::keeper::Task;
use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};

/// Whether, and how, overlays can be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Possible {
    Yes(Kind),
    No(String),
}

static KNOWN: LazyLock<Mutex<HashMap<PathBuf, Possible>>> = LazyLock::new(Mutex::default);

/// Whether trees below `home` can be overlays. The first call in a process tries it, with everything that a test run
/// needs of it.
pub fn possible(keeper: &Keeper, home: &Path) -> Possible {
    // Kept locked while it is tried: who asks at the same moment wants the same answer.
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.entry(home.to_owned()).or_insert_with(|| tried(keeper, home)).clone()
}

fn tried(keeper: &Keeper, home: &Path) -> Possible {
    let home = match fs::create_dir_all(home).and_then(|()| home.canonicalize()) {
        Ok(home) => home,
        Err(why) => return Possible::No(format!("{} can't be used: {why}", home.display())),
    };
    if crate::processes::is_without() {
        return Possible::No("the portable level mounts nothing".to_owned());
    }
    if let Err(why) = keeps_times(&home) {
        return Possible::No(why);
    }
    let kinds: &[Kind] = if rustix::process::geteuid().is_root() {
        &[Kind::Root, Kind::ContainerRoot]
    } else {
        &[Kind::User]
    };
    let mut refused = Vec::new();
    for kind in kinds {
        match attempt(keeper, &home, *kind) {
            Ok(()) => return Possible::Yes(*kind),
            Err(why) => refused.push(why),
        }
    }
    refused.dedup();
    Possible::No(refused.join("; "))
}

/// A changed file shows by its times: that must hold on this file system. In memory it does not, where a file that is
/// written through a memory map keeps them.
#[cfg(target_os = "linux")]
fn keeps_times(home: &Path) -> Result<(), String> {
    /// ext2 to ext4, xfs, btrfs, f2fs, bcachefs.
    const TRUSTED: [rustix::fs::FsWord; 5] =
        [0xef53, 0x5846_5342, 0x9123_683e, 0xf2f5_2010, 0xca45_1a4e];
    match rustix::fs::statfs(home).map(|about| about.f_type) {
        Ok(kind) if TRUSTED.contains(&kind) => Ok(()),
        Ok(_) => Err(format!("{} is on a file system that is not known to suit", home.display())),
        Err(why) => Err(format!("{} can't be looked at: {why}", home.display())),
    }
}

#[cfg(not(target_os = "linux"))]
fn keeps_times(_: &Path) -> Result<(), String> {
    Err("only Linux has overlay mounts".to_owned())
}

fn attempt(keeper: &Keeper, home: &Path, kind: Kind) -> Result<(), String> {
    let draft = Draft::beside(&home.join("overlay-probe")).map_err(|why| why.to_string())?;
    let (lower, spot) = (draft.dir().join("lower"), draft.dir().join("spot"));
    lay_out(&lower).map_err(|why| format!("could not lay out a trial: {why}"))?;
    let layers = Layers { kind, lower: &lower, spot: &spot, hide: &lower };
    let mounted = Mounted::make(keeper, &layers)?;
    go_through(mounted.tree(), &lower)
        .map_err(|why| format!("a mounted overlay does not do what it must: {why}"))?;
    ask(keeper, &Task::Enter(mounted.inside().clone(), spot.join(TREE).join("new").into()), |_| ())
}

fn lay_out(lower: &Path) -> io::Result<()> {
    fs::create_dir_all(lower.join("folder"))?;
    for path in ["kept", "gone", "folder/inner"] {
        fs::write(lower.join(path), path)?;
    }
    Ok(())
}

/// What writing out a tree does to an overlay: files change and go, and a folder is replaced by one of the same name.
fn go_through(tree: &Path, lower: &Path) -> io::Result<()> {
    fs::remove_file(tree.join("gone"))?;
    fs::remove_dir_all(tree.join("folder"))?;
    fs::create_dir(tree.join("folder"))?;
    fs::write(tree.join("folder/other"), "other")?;
    fs::write(tree.join("kept"), "changed")?;
    fs::write(tree.join("new"), "new")?;
    let names = |folder: &Path| -> io::Result<Vec<_>> {
        let mut names: Vec<_> =
            fs::read_dir(folder)?.map(|e| Ok(e?.file_name())).collect::<io::Result<_>>()?;
        names.sort();
        Ok(names)
    };
    let holds = names(tree)? == ["folder", "kept", "new"]
        && names(&tree.join("folder"))? == ["other"]
        && fs::read(tree.join("kept"))? == b"changed"
        && fs::read(lower.join("kept"))? == b"kept"
        && names(lower)? == ["folder", "gone", "kept"];
    if holds { Ok(()) } else { Err(io::Error::other("it shows or changes the wrong files")) }
}
