//! How much is done at the same time on this machine: a number of places for each kind of work, shared by all processes of one
//! home. Owns who has a place and who comes next: files that are locked, so that the system lets go of what a dead process held.
//! It must not know what is done in a place.

use crate::child::Cancel;
use rustix::fs::{FlockOperation, flock};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime};

/// How often whoever waits looks again.
const BEAT: Duration = Duration::from_millis(20);
/// Below this much free memory nothing more begins while something of the same kind is at work.
const LEAST_FREE_KB: u64 = 512 * 1024;

/// The places for one kind of work.
#[derive(Clone, Debug)]
pub struct Slots {
    folder: PathBuf,
    count: usize,
}

/// A place, for as long as this value lives.
#[derive(Debug)]
pub struct Slot {
    _lock: File,
}

/// Somebody who waits, known by the name of a file that he holds: the oldest comes first.
struct Ticket {
    path: PathBuf,
    _lock: File,
}

impl Drop for Ticket {
    fn drop(&mut self) {
        // Whoever finds it left over removes it.
        let _ = fs::remove_file(&self.path);
    }
}

impl Slots {
    /// The places of a kind in `folder`, which all who are to share them must name.
    pub fn of(folder: PathBuf, count: usize) -> Self {
        Self { folder, count: count.max(1) }
    }

    /// A place, in the order of asking. `None` where the work was cancelled meanwhile. `waiting` is called once, when it takes
    /// longer than a moment.
    pub fn take(&self, cancel: &Cancel, waiting: &dyn Fn(usize)) -> io::Result<Option<Slot>> {
        let queue = self.folder.join("queue");
        fs::create_dir_all(&queue).map_err(|error| at(&queue, "make", &error))?;
        if first_of(&queue)?.is_none()
            && let Some(slot) = self.free()?
        {
            return Ok(Some(slot));
        }
        let mut ticket = draw(&queue)?;
        let (began, mut told) = (Instant::now(), false);
        loop {
            if cancel.is_cancelled() {
                return Ok(None);
            }
            if first_of(&queue)?.is_some_and(|first| first == ticket.path)
                && let Some(slot) = self.free()?
            {
                return Ok(Some(slot));
            }
            // Somebody took it for one that was left over, before it was locked.
            if !ticket.path.exists() {
                ticket = draw(&queue)?;
            }
            if !told && began.elapsed() > Duration::from_secs(2) {
                told = true;
                waiting(self.count);
            }
            std::thread::sleep(BEAT);
        }
    }

    /// A place that nobody has, where the machine has room for one more.
    fn free(&self) -> io::Result<Option<Slot>> {
        let mut found = None;
        let mut taken = false;
        for n in 0..self.count {
            let path = self.folder.join(format!("{n}.lock"));
            match locked(&path)? {
                Some(lock) if found.is_none() => found = Some(Slot { _lock: lock }),
                Some(_) => {}
                None => taken = true,
            }
        }
        Ok(found.filter(|_| !taken || free_kb().is_none_or(|free| free >= LEAST_FREE_KB)))
    }
}

/// Opens and locks a file; `None` where somebody else holds it.
fn locked(path: &Path) -> io::Result<Option<File>> {
    let file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .map_err(|error| at(path, "open", &error))?;
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(Some(file)),
        Err(error) if error == rustix::io::Errno::WOULDBLOCK => Ok(None),
        Err(error) => Err(at(path, "lock", &error.into())),
    }
}

fn draw(queue: &Path) -> io::Result<Ticket> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    loop {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let no = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("{:020}-{}-{no}", since.as_nanos(), std::process::id());
        let path = queue.join(name);
        if let Some(lock) = locked(&path)? {
            return Ok(Ticket { path, _lock: lock });
        }
    }
}

/// Who comes next. What a dead process left in the queue goes.
fn first_of(queue: &Path) -> io::Result<Option<PathBuf>> {
    let listed = fs::read_dir(queue).map_err(|error| at(queue, "read", &error))?;
    let mut waiting: Vec<PathBuf> = listed.flatten().map(|entry| entry.path()).collect();
    waiting.sort();
    for path in waiting {
        // One that is gone by now is not made again by looking.
        let Ok(file) = File::open(&path) else { continue };
        match flock(&file, FlockOperation::NonBlockingLockShared) {
            Ok(()) => {
                let _ = fs::remove_file(&path);
            }
            Err(_) => return Ok(Some(path)),
        }
    }
    Ok(None)
}

/// What the system says is free, where it says so.
fn free_kb() -> Option<u64> {
    told_of_memory("MemAvailable:")
}

/// How much memory the machine has, where it says so.
pub fn memory_kb() -> Option<u64> {
    told_of_memory("MemTotal:")
}

fn told_of_memory(what: &str) -> Option<u64> {
    let told = fs::read_to_string("/proc/meminfo").ok()?;
    let line = told.lines().find(|line| line.starts_with(what))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

fn at(path: &Path, what: &str, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("could not {what} {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;
    use std::sync::atomic::AtomicUsize;

    fn nobody(_: usize) {}

    #[test]
    fn no_more_work_at_once_than_there_are_places() {
        let folder = tempfile::tempdir().unwrap();
        let slots = Slots::of(folder.path().join("tools"), 2);
        let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let slot = slots.take(&Cancel::new(), &nobody).unwrap();
                    most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    std::thread::sleep(Duration::from_millis(5));
                    now.fetch_sub(1, Ordering::SeqCst);
                    drop(slot);
                });
            }
        });
        assert_eq!(most.load(Ordering::SeqCst), 2);
        assert_eq!(fs::read_dir(folder.path().join("tools/queue")).unwrap().count(), 0);
    }

    #[test]
    fn who_asked_first_comes_first() {
        let folder = tempfile::tempdir().unwrap();
        let slots = Slots::of(folder.path().to_owned(), 1);
        let held = slots.take(&Cancel::new(), &nobody).unwrap();
        let order = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for n in 0..4 {
                let (slots, order) = (&slots, &order);
                scope.spawn(move || {
                    let slot = slots.take(&Cancel::new(), &nobody).unwrap();
                    order.lock().unwrap().push(n);
                    drop(slot);
                });
                let queue = folder.path().join("queue");
                while fs::read_dir(&queue).unwrap().count() < n + 1 {
                    std::thread::yield_now();
                }
            }
            drop(held);
        });
        assert_eq!(*order.lock().unwrap(), [0, 1, 2, 3]);
    }

    #[test]
    fn a_ticket_of_the_dead_keeps_nobody_back() {
        let folder = tempfile::tempdir().unwrap();
        let slots = Slots::of(folder.path().to_owned(), 1);
        fs::create_dir(folder.path().join("queue")).unwrap();
        fs::write(folder.path().join("queue/00000000000000000001-1-0"), "").unwrap();
        assert!(slots.take(&Cancel::new(), &nobody).unwrap().is_some());
    }

    #[test]
    fn cancelled_work_waits_no_longer() {
        let folder = tempfile::tempdir().unwrap();
        let slots = Slots::of(folder.path().to_owned(), 1);
        let _held = slots.take(&Cancel::new(), &nobody).unwrap();
        let cancel = Cancel::new();
        cancel.cancel();
        assert!(slots.take(&cancel, &nobody).unwrap().is_none());
    }
}
