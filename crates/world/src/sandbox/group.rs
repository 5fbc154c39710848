//! A control group for one keeper: the memory and the number of processes of all that it starts, counted together. Owns the
//! group from its making to its removal. Where none can be made, limits of each process have to do.
//!
//! To enter or leave a group can take the system many milliseconds, to remove an empty one takes none. So a keeper enters
//! while it waits for its order and stays, and whoever started the keeper removes its group when it has ended.

use super::Caps;
use super::rules::Memory;
use rustix::process::{Pid, getpid, getppid};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

const ROOT: &str = "/sys/fs/cgroup";
const NAME: &str = "proctor-";

/// How long a group may stand empty before others may think that its keeper is gone.
const UNUSED: Duration = Duration::from_mins(1);

/// The file that lists the processes of a group.
const MEMBERS: &str = "cgroup.procs";

/// A group that this process is in: one folder, or one a controller on older systems.
#[derive(Debug)]
pub(crate) struct Group {
    places: Vec<Place>,
    /// Who removes it, as long as it lives.
    parent: Option<Pid>,
}

#[derive(Debug)]
struct Place {
    folder: PathBuf,
    home: Home,
}

/// Where a group can be made.
#[derive(Debug)]
struct Home {
    parent: PathBuf,
    /// Where this process was before.
    before: PathBuf,
    /// What is limited here: its file, and by which of the caps.
    files: &'static [(&'static str, What)],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Memory,
    /// Where there is swap it must not make up for the limit.
    Swap,
    Processes,
}

impl Group {
    /// Makes a group and enters it, where that can be done.
    pub(crate) fn join() -> Option<Self> {
        // The first process of a pid namespace is in the group of its outer half, and must not get out of it.
        if getpid().is_init() {
            return None;
        }
        let mut group = Self { places: Vec::new(), parent: getppid() };
        for home in homes() {
            sweep(&home.parent);
            let folder = home.parent.join(name(std::process::id()));
            if fs::create_dir(&folder).is_err() {
                continue;
            }
            let entered = fs::write(folder.join(MEMBERS), "0").is_ok();
            group.places.push(Place { folder, home });
            if !entered {
                // One that was entered in part is left again.
                group.leave();
                return None;
            }
        }
        (!group.places.is_empty()).then_some(group)
    }

    /// Sets its limits, and says by what memory is counted from now on.
    pub(crate) fn limit(&self, caps: &Caps) -> Memory {
        let mut memory = Memory::Process;
        for place in &self.places {
            for (file, what) in place.home.files {
                let most = match what {
                    What::Memory => caps.memory,
                    What::Swap => 0,
                    What::Processes => caps.processes,
                };
                let set = fs::write(place.folder.join(file), most.to_string()).is_ok();
                if set && *what == What::Memory {
                    memory = Memory::Group;
                }
            }
        }
        memory
    }

    /// Goes back to where this process was, and removes it.
    pub(crate) fn leave(&mut self) {
        for place in self.places.drain(..) {
            // What stays, because this process can't go back, is removed by a later keeper.
            let _ = fs::write(place.home.before.join(MEMBERS), "0");
            let _ = fs::remove_dir(&place.folder);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if getppid() != self.parent {
            self.leave();
        }
    }
}

/// Removes the group of a keeper that this process has started, once it has ended. What can't be removed yet is removed
/// by a later keeper.
pub(crate) fn remove(keeper: u32) {
    static HOMES: LazyLock<Vec<Home>> = LazyLock::new(homes);
    for home in HOMES.iter() {
        let _ = fs::remove_dir(home.parent.join(name(keeper)));
    }
}

fn name(keeper: u32) -> String {
    format!("{NAME}{keeper}")
}

/// Where groups are made for what this process starts.
fn homes() -> Vec<Home> {
    let Ok(own) = fs::read_to_string("/proc/self/cgroup") else { return Vec::new() };
    unified(&own).map_or_else(|| apart(&own), |home| vec![home])
}

/// One hierarchy for all controllers: the nearest folder above our own that gives both to its children.
fn unified(own: &str) -> Option<Home> {
    let path = own.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let before = Path::new(ROOT).join(path);
    let gives = |folder: &&Path| {
        let given = fs::read_to_string(folder.join("cgroup.subtree_control")).unwrap_or_default();
        ["memory", "pids"].iter().all(|wanted| given.split_whitespace().any(|name| name == *wanted))
    };
    let parent =
        before.ancestors().take_while(|folder| folder.starts_with(ROOT)).find(gives)?.to_owned();
    let files = &[
        ("memory.max", What::Memory),
        ("memory.swap.max", What::Swap),
        ("pids.max", What::Processes),
    ];
    Some(Home { parent, before, files })
}

/// A hierarchy for each controller.
fn apart(own: &str) -> Vec<Home> {
    const CONTROLLERS: [(&str, &[(&str, What)]); 2] = [
        ("memory", &[("memory.limit_in_bytes", What::Memory)]),
        ("pids", &[("pids.max", What::Processes)]),
    ];
    let home = |(controller, files): (&str, &'static [(&'static str, What)])| {
        let below = own.lines().find_map(|line| {
            let (_, rest) = line.split_once(':')?;
            let (names, path) = rest.split_once(':')?;
            names.split(',').any(|n| n == controller).then(|| path.trim_start_matches('/'))
        })?;
        let before = Path::new(ROOT).join(controller).join(below);
        Some(Home { parent: before.clone(), before, files })
    };
    CONTROLLERS.into_iter().filter_map(home).collect()
}

/// Removes the groups of keepers that were killed. One that is in use can't be removed, and one that was made just now may
/// be a keeper's that can't be seen from here: it has to stay until that keeper is in it.
fn sweep(parent: &Path) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(owner) = name.to_str().and_then(|name| name.strip_prefix(NAME)) else { continue };
        let owner = owner.split('-').next().unwrap_or_default();
        let age = entry.metadata().and_then(|about| about.modified());
        let is_old = age.is_ok_and(|at| at.elapsed().is_ok_and(|age| age > UNUSED));
        if is_old && !Path::new("/proc").join(owner).exists() {
            let _ = fs::remove_dir(entry.path());
        }
    }
}
