//! A control group for one child: the memory and the number of processes of all that it starts, counted together. Owns the
//! group from its making to its removal. Where none can be made, limits of each process have to do.

use super::Caps;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

const ROOT: &str = "/sys/fs/cgroup";
const NAME: &str = "proctor-";

/// How long a group may stand empty before others may think that its keeper is gone.
const UNUSED: Duration = Duration::from_mins(1);

/// The file that lists the processes of a group.
const MEMBERS: &str = "cgroup.procs";

/// A group: one folder, or one a controller on older systems.
#[derive(Debug)]
pub(super) struct Group {
    places: Vec<Place>,
    memory: bool,
}

#[derive(Debug)]
struct Place {
    folder: PathBuf,
    /// Where this process was before.
    before: PathBuf,
}

static MADE: AtomicU32 = AtomicU32::new(0);

impl Group {
    pub(super) fn make(caps: &Caps) -> Option<Self> {
        let own = fs::read_to_string("/proc/self/cgroup").ok()?;
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let name = format!("{NAME}{}-{number}", std::process::id());
        unified(&own, &name, caps).or_else(|| apart(&own, &name, caps))
    }

    pub(super) fn counts_memory(&self) -> bool {
        self.memory
    }

    /// Puts this process into the group, so that what it starts is in there from its first moment on.
    pub(super) fn enter(&self) -> Result<(), String> {
        for place in &self.places {
            fs::write(place.folder.join(MEMBERS), "0")
                .map_err(|why| format!("could not enter its control group: {why}"))?;
        }
        Ok(())
    }

    /// Goes back to where this process was.
    pub(super) fn leave(&self) {
        for place in &self.places {
            // One that can't leave is counted as well, and its group is removed by the next keeper.
            let _ = fs::write(place.before.join(MEMBERS), "0");
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        for place in &self.places {
            // Empty by now. What is left is found by the next one that is made here.
            let _ = fs::remove_dir(&place.folder);
        }
    }
}

/// One hierarchy for all controllers: the nearest folder above our own that gives both to its children.
fn unified(own: &str, name: &str, caps: &Caps) -> Option<Group> {
    let path = own.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let here = Path::new(ROOT).join(path);
    let parent = here.ancestors().take_while(|folder| folder.starts_with(ROOT)).find(|folder| {
        fs::read_to_string(folder.join("cgroup.subtree_control")).is_ok_and(|given| {
            ["memory", "pids"].iter().all(|c| given.split_whitespace().any(|g| g == *c))
        })
    })?;
    sweep(parent);
    let folder = parent.join(name);
    fs::create_dir(&folder).ok()?;
    let group = Group {
        places: vec![Place { folder: folder.clone(), before: here.clone() }],
        memory: true,
    };
    fs::write(folder.join("memory.max"), caps.memory.to_string()).ok()?;
    fs::write(folder.join("pids.max"), caps.processes.to_string()).ok()?;
    // Where there is swap it must not make up for the limit.
    let _ = fs::write(folder.join("memory.swap.max"), "0");
    Some(group)
}

/// A hierarchy for each controller.
fn apart(own: &str, name: &str, caps: &Caps) -> Option<Group> {
    let mut group = Group { places: Vec::new(), memory: false };
    for (controller, file, most) in
        [("memory", "memory.limit_in_bytes", caps.memory), ("pids", "pids.max", caps.processes)]
    {
        let below = own.lines().find_map(|line| {
            let (_, rest) = line.split_once(':')?;
            let (names, path) = rest.split_once(':')?;
            names.split(',').any(|n| n == controller).then(|| path.trim_start_matches('/'))
        });
        let Some(below) = below else { continue };
        let parent = Path::new(ROOT).join(controller).join(below);
        sweep(&parent);
        let folder = parent.join(name);
        if fs::create_dir(&folder).is_err() {
            continue;
        }
        let set = fs::write(folder.join(file), most.to_string()).is_ok();
        if set && controller == "memory" {
            group.memory = true;
        }
        group.places.push(Place { folder, before: parent });
    }
    (!group.places.is_empty()).then_some(group)
}

/// Removes the groups of keepers that were killed. One that is in use can't be removed, and one that was made just now may
/// be a keeper's that can't be seen from here: it has to stay until its child is in it.
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
