//! A mounted tree as Proctor itself sees it. The mount is in a namespace that only open files of this process keep alive:
//! when they are closed, or this process ends in whatever way, it is gone. A link at the tree's path leads through one
//! of these files, so that the same path means the same tree inside and outside. It must not know what the tree holds.

use super::stand::{INSIDE, Inside, Kind, Stand, Stood, TREE, UPPER, WORK};
use crate::child::{self, Keeper};
use crate::keeper::Task;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::os::fd::AsRawFd;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// What is mounted where.
pub(super) struct Layers<'a> {
    pub(super) kind: Kind,
    pub(super) lower: &'a Path,
    /// A folder of its own, by a path without links in it. `upper` in it may be filled already.
    pub(super) spot: &'a Path,
    pub(super) hide: &'a Path,
}

#[derive(Debug)]
pub(super) struct Mounted {
    inside: Inside,
    tree: PathBuf,
    /// What keeps the namespaces and the mount alive.
    _held: [Option<File>; 3],
}

impl Mounted {
    pub(super) fn make(keeper: &Keeper, layers: &Layers<'_>) -> Result<Self, String> {
        let spot = layers.spot;
        let make = |dir: PathBuf| {
            fs::create_dir_all(&dir)
                .map_err(|why| format!("could not make {}: {why}", dir.display()))
        };
        make(spot.join(UPPER))?;
        make(spot.join(WORK))?;
        make(spot.join(INSIDE).join(TREE))?;
        let stand = Stand {
            kind: layers.kind,
            lower: layers.lower.into(),
            spot: spot.into(),
            hide: layers.hide.into(),
        };
        let tree = spot.join(TREE);
        ask(keeper, &Task::Stand(stand), |pid| {
            Self::take(pid, layers.kind, tree)
                .map_err(|why| format!("could not reach the mounted tree: {why}"))
        })?
    }

    /// Takes hold of what the process `pid` has made. It is not reaped yet, so its number is its own.
    fn take(pid: u32, kind: Kind, tree: PathBuf) -> io::Result<Self> {
        let own = |file: &File| format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd());
        let user = match kind {
            Kind::Root | Kind::ContainerRoot => None,
            Kind::User => Some(File::open(format!("/proc/{pid}/ns/user"))?),
        };
        let mounts = File::open(format!("/proc/{pid}/ns/mnt"))?;
        let below = tree.strip_prefix("/").map_err(io::Error::other)?;
        let top = File::open(Path::new(&format!("/proc/{pid}/root")).join(below))?;
        if !is_overlay(&top)? {
            return Err(io::Error::other("something else is mounted there"));
        }
        symlink(own(&top), &tree)?;
        let inside =
            Inside { user: user.as_ref().map(|f| own(f).into()), mount: own(&mounts).into() };
        Ok(Self { inside, tree, _held: [user, Some(mounts), Some(top)] })
    }

    pub(super) fn tree(&self) -> &Path {
        &self.tree
    }

    pub(super) fn inside(&self) -> &Inside {
        &self.inside
    }
}

/// Has a keeper do what only a process with one thread can, and takes hold of it before the keeper goes.
pub(super) fn ask<T>(
    keeper: &Keeper,
    task: &Task,
    take: impl FnOnce(u32) -> T,
) -> Result<T, String> {
    let mut process =
        keeper.spare_or_new().map_err(|why| format!("could not start a keeper: {why}"))?;
    let answer = match (&mut process.stdin, &mut process.stdout) {
        (Some(channel), Some(out)) => task.send(channel).and_then(|()| {
            let mut line = String::new();
            BufReader::new(out).read_line(&mut line)?;
            Ok(serde_json::from_str(&line)?)
        }),
        _ => Err(io::Error::other("it can't be spoken to")),
    };
    let taken = match answer {
        Ok(Stood::Ready) => Ok(take(process.id())),
        Ok(Stood::Refused(why)) => Err(why),
        Err(why) => Err(format!("a keeper gave no answer: {why}")),
    };
    // Its channel closes: that is all it waits for.
    drop(process.stdin.take());
    child::see_off(&mut process);
    keeper.start_spare();
    taken
}

#[cfg(target_os = "linux")]
fn is_overlay(folder: &File) -> io::Result<bool> {
    const OVERLAY: rustix::fs::FsWord = 0x794c_7630;
    Ok(rustix::fs::fstatfs(folder)?.f_type == OVERLAY)
}

#[cfg(not(target_os = "linux"))]
fn is_overlay(_: &File) -> io::Result<bool> {
    Ok(false)
}
