//! A footprint of the user's checkout, cheap enough to be taken before and after every turn: files by their stat, and
//! by their bytes where the stat changed; of git what decides how it behaves and where branches stand. Only reads.

use crate::files::{hex, open_plain};
use crate::git::Git;
use ignore::{WalkBuilder, WalkState};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::mpsc;

/// Files whose bytes are known are told from those that were only touched. Larger ones are told by their stat alone.
const LARGEST_HASHED: u64 = 1024 * 1024;
const MOST_HASHED: u64 = 32 * 1024 * 1024;
/// With more files than this only git's own are watched.
const MOST_FILES: usize = 200_000;
/// Folders wait for the disk and for each other; more than this gains nothing.
const MOST_WALKERS: usize = 8;
/// How many changes are named.
const MOST_NAMED: usize = 20;

/// Where to look.
#[derive(Clone, Debug)]
pub struct Ground<'a> {
    /// The top of the checkout; for a bare repository the same as `git_dir`.
    pub root: &'a Path,
    /// The common git directory.
    pub git_dir: &'a Path,
    /// Our own folder, which may lie inside.
    pub home: &'a Path,
}

/// How a checkout stood.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    files: BTreeMap<PathBuf, Print>,
    too_many: bool,
    /// Settings, hooks, refs and the index, each by a name for people.
    git: BTreeMap<String, String>,
    index: Option<Stat>,
    /// How often a run of ours has written a user's repository.
    landings: u64,
}

/// How a checkout is different from what it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// Each in words; empty where nothing is.
    pub what: Vec<String>,
    pub sort: Sort,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// Nothing but commits on top of branches, with the files that they changed: ordinary work.
    Commits,
    Other,
}

#[derive(Default)]
struct Committed {
    branches: BTreeSet<String>,
    files: BTreeSet<PathBuf>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Print {
    stat: Stat,
    hash: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stat {
    size: u64,
    modified: (i64, i64),
    inode: u64,
    mode: u32,
}

impl Stat {
    fn of(about: &Metadata) -> Self {
        Self {
            size: about.len(),
            modified: (about.mtime(), about.mtime_nsec()),
            inode: about.ino(),
            mode: about.mode(),
        }
    }
}

/// Notes in our own folder that the user's repository is about to be written, by us.
pub fn note_landing(home: &Path) -> io::Result<()> {
    use std::io::Write;
    let file = fs::OpenOptions::new().create(true).append(true).open(landings(home))?;
    (&file).write_all(b".")
}

fn landings(home: &Path) -> PathBuf {
    home.join("landings")
}

impl Footprint {
    /// Takes a footprint. What `earlier` knows of files that did not change is not read again.
    pub fn take(ground: &Ground<'_>, earlier: &Self) -> io::Result<Self> {
        let own = own_git_dir(ground)?;
        let mut print = Self {
            landings: fs::metadata(landings(ground.home)).map_or(0, |about| about.len()),
            ..Self::default()
        };
        print.walk(ground, earlier)?;
        for name in ["config", "config.worktree", "info/exclude", "info/attributes", "info/grafts"]
        {
            print.settings(ground.git_dir, name);
        }
        if own != ground.git_dir {
            print.settings(&own, "config.worktree");
        }
        for entry in fs::read_dir(ground.git_dir.join("hooks")).into_iter().flatten().flatten() {
            let name = format!("hooks/{}", entry.file_name().to_string_lossy());
            print.settings(ground.git_dir, &name);
        }
        if let Ok(head) = read_small(&own.join("HEAD")) {
            print.git.insert("HEAD".to_owned(), String::from_utf8_lossy(&head).trim().to_owned());
        }
        print.refs(ground.git_dir);
        print.index(&own, earlier);
        Ok(print)
    }

    /// What is different later on.
    pub fn moved(&self, later: &Self, ground: &Ground<'_>) -> Moved {
        // Another run of ours landed meanwhile: files, index and branches followed it.
        let landed = self.landings != later.landings;
        let committed = if landed { None } else { self.committed(later, ground) };
        let (mut what, mut alarms) = (Vec::new(), false);
        for (name, old, new) in both(&self.git, &later.git) {
            let ours = name == "HEAD" || name == "index" || name.starts_with("refs/");
            if old != new && !(landed && ours) {
                what.push(format!("{name} {}", word(old.is_some(), new.is_some())));
                let known = |c: &Committed| name == "index" || c.branches.contains(name);
                alarms |= !committed.as_ref().is_some_and(known);
            }
        }
        if !landed && !self.too_many && !later.too_many {
            for (path, old, new) in both(&self.files, &later.files) {
                if !same(old, new) {
                    let known = |c: &Committed| c.files.contains(path);
                    alarms |= !committed.as_ref().is_some_and(known);
                    let path = path.display();
                    what.push(format!("{path} {}", word(old.is_some(), new.is_some())));
                }
            }
        }
        let more = what.len().saturating_sub(MOST_NAMED);
        what.truncate(MOST_NAMED);
        if more > 0 {
            what.push(format!("and {more} more"));
        }
        Moved { what, sort: if alarms { Sort::Other } else { Sort::Commits } }
    }

    /// Branches that only got commits on top, and the files that these commits changed.
    fn committed(&self, later: &Self, ground: &Ground<'_>) -> Option<Committed> {
        let git = Git::on(ground.git_dir);
        let mut committed = Committed::default();
        for (name, old, new) in both(&self.git, &later.git) {
            let (Some(old), Some(new), true) = (old, new, name.starts_with("refs/heads/")) else {
                continue;
            };
            let grew = || git.call(&["merge-base", "--is-ancestor", old, new]).run().is_ok();
            if old != new && grew() {
                let call = git.call(&["diff-tree", "-r", "-z", "--name-only", "--no-renames"]);
                let names = call.arg(old).arg(new).run().ok()?;
                let names = names.split(|byte| *byte == 0).filter(|name| !name.is_empty());
                committed.files.extend(names.map(|name| PathBuf::from(OsStr::from_bytes(name))));
                committed.branches.insert(name.clone());
            }
        }
        (!committed.branches.is_empty()).then_some(committed)
    }

    /// Files that git does not ignore. What is ignored changes all the time: build products, caches, editors.
    fn walk(&mut self, ground: &Ground<'_>, earlier: &Self) -> io::Result<()> {
        if ground.root == ground.git_dir {
            return Ok(());
        }
        fs::symlink_metadata(ground.root)?;
        let home = ground.home.to_owned();
        let walk = WalkBuilder::new(ground.root)
            .hidden(false)
            // Git knows of no such files: they would hide others from us.
            .ignore(false)
            .require_git(false)
            .threads(std::thread::available_parallelism().map_or(1, |n| n.get().min(MOST_WALKERS)))
            .filter_entry(move |entry| entry.file_name() != ".git" && entry.path() != home)
            .build_parallel();
        let (sender, seen) = mpsc::channel();
        walk.run(|| {
            let (sender, mut number) = (sender.clone(), 0);
            Box::new(move |entry| {
                let Ok(entry) = entry else { return WalkState::Continue };
                let Ok(about) = entry.path().symlink_metadata() else { return WalkState::Continue };
                if about.is_dir() {
                    return WalkState::Continue;
                }
                number += 1;
                let gone = sender.send((entry.into_path(), about)).is_err();
                if gone || number > MOST_FILES { WalkState::Quit } else { WalkState::Continue }
            })
        });
        drop(sender);
        let mut hashed = 0;
        for (whole, about) in seen {
            if self.files.len() >= MOST_FILES {
                self.too_many = true;
                return Ok(());
            }
            let stat = Stat::of(&about);
            let path = whole.strip_prefix(ground.root).unwrap_or(&whole).to_owned();
            let hash = match earlier.files.get(&path) {
                Some(known) if known.stat == stat => known.hash.clone(),
                _ if about.is_file() && stat.size <= LARGEST_HASHED && hashed < MOST_HASHED => {
                    hashed += stat.size;
                    read_small(&whole).ok().map(|bytes| digest(&bytes))
                }
                _ => None,
            };
            self.files.insert(path, Print { stat, hash });
        }
        Ok(())
    }

    fn settings(&mut self, dir: &Path, name: &str) {
        let path = dir.join(name);
        let Ok(about) = fs::symlink_metadata(&path) else { return };
        let bytes = if about.is_symlink() {
            fs::read_link(&path).map(|to| to.as_os_str().as_bytes().to_vec())
        } else {
            read_small(&path)
        };
        let digest = bytes.map_or_else(|_| "unreadable".to_owned(), |bytes| digest(&bytes));
        self.git.insert(name.to_owned(), format!("{:o} {digest}", about.mode()));
    }

    /// Branches, tags, the stash and the like, packed or loose. What was fetched is not watched: programs fetch by
    /// themselves.
    fn refs(&mut self, git_dir: &Path) {
        if let Ok(packed) = fs::read_to_string(git_dir.join("packed-refs")) {
            for line in packed.lines().filter(|line| !line.starts_with(['#', '^'])) {
                if let Some((id, name)) = line.split_once(' ') {
                    self.reference(name, id);
                }
            }
        }
        let mut folders = vec![PathBuf::from("refs")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(git_dir.join(&folder)).into_iter().flatten().flatten() {
                let path = folder.join(entry.file_name());
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    folders.push(path);
                } else if let Ok(id) = read_small(&entry.path())
                    && path.extension().is_none_or(|ending| ending != "lock")
                {
                    self.reference(&path.to_string_lossy(), String::from_utf8_lossy(&id).trim());
                }
            }
        }
    }

    fn reference(&mut self, name: &str, id: &str) {
        if !name.starts_with("refs/remotes/") && !name.starts_with("refs/prefetch/") {
            self.git.insert(name.to_owned(), id.to_owned());
        }
    }

    /// What is staged, without the times that any `git status` writes anew.
    fn index(&mut self, own: &Path, earlier: &Self) {
        let Ok(about) = fs::symlink_metadata(own.join("index")) else { return };
        let stat = Stat::of(&about);
        self.index = Some(stat);
        let known = earlier.git.get("index").filter(|_| earlier.index == Some(stat));
        let digest = match known {
            Some(digest) => digest.clone(),
            None => match Git::on(own).run(&["ls-files", "-s", "-v", "-z"]) {
                Ok(entries) => digest(&entries),
                // Another git may be writing it just now: not known is not changed.
                Err(_) => return,
            },
        };
        self.git.insert("index".to_owned(), digest);
    }
}

fn both<'a, K: Ord, V>(
    old: &'a BTreeMap<K, V>,
    new: &'a BTreeMap<K, V>,
) -> impl Iterator<Item = (&'a K, Option<&'a V>, Option<&'a V>)> {
    let gone = old.iter().map(|(key, value)| (key, Some(value), new.get(key)));
    let come = new.iter().filter(|(key, _)| !old.contains_key(*key));
    gone.chain(come.map(|(key, value)| (key, None, Some(value))))
}

fn same(old: Option<&Print>, new: Option<&Print>) -> bool {
    let (Some(old), Some(new)) = (old, new) else { return false };
    match (&old.hash, &new.hash) {
        (Some(one), Some(other)) => one == other && old.stat.mode == new.stat.mode,
        _ => old.stat == new.stat,
    }
}

fn word(was: bool, is: bool) -> &'static str {
    match (was, is) {
        (true, false) => "is gone",
        (false, _) => "is new",
        (true, true) => "changed",
    }
}

fn digest(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn read_small(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_plain(path)?.take(LARGEST_HASHED + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The git directory of this very checkout: HEAD and index are there.
fn own_git_dir(ground: &Ground<'_>) -> io::Result<PathBuf> {
    let dot = ground.root.join(".git");
    if ground.root == ground.git_dir || !dot.is_file() {
        return Ok(ground.git_dir.to_owned());
    }
    let text = fs::read_to_string(&dot)?;
    let to = text.trim().strip_prefix("gitdir: ").map(PathBuf::from);
    Ok(to.map_or_else(|| ground.git_dir.to_owned(), |to| ground.root.join(to)))
}
