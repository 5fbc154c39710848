//! Which of some files are opened while something runs: the kernel tells, whoever opens them. Only files that are written out can be
//! watched; what is mounted over a checkout opens others.

#[cfg(target_os = "linux")]
use rustix::fs::inotify::{self, CreateFlags, Reader, WatchFlags};
#[cfg(target_os = "linux")]
use rustix::io::Errno;
#[cfg(target_os = "linux")]
use std::collections::BTreeMap;
use std::collections::BTreeSet;
#[cfg(target_os = "linux")]
use std::mem::MaybeUninit;
#[cfg(target_os = "linux")]
use std::os::fd::OwnedFd;
use std::path::Path;

/// Files that are watched for as long as this value lives.
pub struct Opened {
    #[cfg(target_os = "linux")]
    queue: OwnedFd,
    #[cfg(target_os = "linux")]
    watches: BTreeMap<i32, String>,
    /// What can't be watched counts as opened: nobody knows.
    unknown: BTreeSet<String>,
}

#[cfg(not(target_os = "linux"))]
impl Opened {
    /// Nothing tells here: every file that is there may have been opened.
    pub fn watch<'a>(
        root: &Path,
        paths: impl IntoIterator<Item = &'a String>,
    ) -> Result<Self, std::io::Error> {
        let there = paths.into_iter().filter(|path| root.join(path).exists());
        Ok(Self { unknown: there.cloned().collect() })
    }

    pub fn seen(&self) -> BTreeSet<String> {
        self.unknown.clone()
    }
}

#[cfg(target_os = "linux")]
impl Opened {
    /// Watches these files below a folder. What is not there is not opened.
    pub fn watch<'a>(
        root: &Path,
        paths: impl IntoIterator<Item = &'a String>,
    ) -> Result<Self, std::io::Error> {
        let queue = inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC)?;
        let (mut watches, mut unknown) = (BTreeMap::new(), BTreeSet::new());
        for path in paths {
            match inotify::add_watch(&queue, root.join(path), WatchFlags::OPEN) {
                Ok(watch) => drop(watches.insert(watch, path.clone())),
                Err(Errno::NOENT) => {}
                Err(_) => drop(unknown.insert(path.clone())),
            }
        }
        Ok(Self { queue, watches, unknown })
    }

    /// Those that were opened so far.
    pub fn seen(&self) -> BTreeSet<String> {
        let mut found = self.unknown.clone();
        let mut room = [MaybeUninit::uninit(); 4096];
        let mut events = Reader::new(&self.queue, &mut room);
        loop {
            match events.next() {
                Ok(event) => match self.watches.get(&event.wd()) {
                    Some(path) => drop(found.insert(path.clone())),
                    // Events were lost: any of them may have been opened.
                    None => found.extend(self.watches.values().cloned()),
                },
                Err(Errno::WOULDBLOCK) => return found,
                Err(Errno::INTR) => {}
                Err(_) => {
                    found.extend(self.watches.values().cloned());
                    return found;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_file_that_is_read_is_opened_and_one_that_is_only_listed_is_not() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["read.txt", "listed.txt"] {
            fs::write(folder.path().join(name), "x").unwrap();
        }
        let paths = ["read.txt", "listed.txt", "missing.txt"].map(str::to_owned);
        let opened = Opened::watch(folder.path(), &paths).unwrap();
        assert!(opened.seen().is_empty());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
        fs::metadata(folder.path().join("listed.txt")).unwrap();
        fs::read(folder.path().join("read.txt")).unwrap();
        assert_eq!(opened.seen(), BTreeSet::from(["read.txt".to_owned()]));
    }
}
