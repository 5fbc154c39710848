//! The shadow's objects: trees listed and written, blobs read and stored, commits made, differences shown. Every
//! commit is a function of what goes into it, so that to make it twice is to make it once.

use crate::cat_file::Object;
use crate::git::GitError;
use crate::listing::{
    Change, Entry, Listing, Mode, changes, is_lawful, on_disk, path_bytes, path_text,
};
use crate::shadow::{Shadow, ShadowError, io_at};
use proctor_core::words::{CommitId, Millis, TreeId};
use std::collections::HashSet;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What a difference is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiffFor {
    /// To be read: binary files are only named.
    Reading,
    /// To be applied with `git apply`: complete, binary files too.
    Applying,
}

/// What goes into a commit beside its tree.
#[derive(Clone, Debug)]
pub struct CommitText<'a> {
    pub message: &'a str,
    /// `Name <mail>`, author and committer alike.
    pub author: &'a str,
    pub at: Millis,
}

impl Shadow {
    pub fn tree_of(&self, commit: &CommitId) -> Result<TreeId, ShadowError> {
        if let Some(tree) = self.known.tree_of(commit) {
            return Ok(tree);
        }
        let rev = format!("{commit}^{{tree}}");
        let tree = TreeId(self.git().line(&["rev-parse", "--verify", "--quiet", &rev])?);
        self.known.learn_tree(commit, &tree);
        Ok(tree)
    }

    /// Every file of a tree. A path that would leave the checkout or enter `.git` is refused.
    pub fn list(&self, tree: &TreeId) -> Result<Arc<Listing>, ShadowError> {
        if let Some(listing) = self.known.listing(tree) {
            return Ok(listing);
        }
        let git = self.git();
        let call = git.call(&["ls-tree", "-r", "-z", "--full-tree", tree.as_str()]);
        let strange = |line: &[u8]| call.unreadable(String::from_utf8_lossy(line));
        let mut listing = Listing::new();
        let out = git.run(&["ls-tree", "-r", "-z", "--full-tree", tree.as_str()])?;
        for line in out.split(|byte| *byte == 0).filter(|line| !line.is_empty()) {
            let tab = line.iter().position(|byte| *byte == b'\t');
            let (about, path) = line.split_at(tab.ok_or_else(|| strange(line))?);
            let about = String::from_utf8_lossy(about);
            let mut words = about.split(' ');
            let (Some(mode), Some(oid)) = (words.next().and_then(Mode::from_octal), words.nth(1))
            else {
                return Err(strange(line).into());
            };
            let path = path_text(&path[1..]);
            if !is_lawful(&path) {
                let tree = tree.to_string();
                return Err(ShadowError::BadPath { tree, path });
            }
            let oid = oid.to_owned();
            listing.insert(path, Entry { mode, oid });
        }
        let listing = Arc::new(listing);
        self.known.learn_listing(tree, &listing);
        Ok(listing)
    }

    pub fn read_blob(&self, oid: &str) -> Result<Vec<u8>, ShadowError> {
        let mut all = self.read_blobs(&[oid])?;
        Ok(all.pop().unwrap_or_default())
    }

    /// Many blobs with one process, in the order asked for.
    pub fn read_blobs(&self, oids: &[&str]) -> Result<Vec<Vec<u8>>, ShadowError> {
        let mut all = vec![Vec::new(); oids.len()];
        let mut missing = None;
        self.each_blob(oids, &mut |at, object| {
            match object {
                Object::Missing => missing = Some(oids[at].to_owned()),
                Object::Found { bytes, .. } => {
                    bytes.read_to_end(&mut all[at])?;
                }
            }
            Ok(())
        })?;
        match missing {
            None => Ok(all),
            Some(oid) => Err(self.missing(oid)),
        }
    }

    /// The same, but what is larger is left where it is: none stands in its place.
    pub fn read_blobs_within(
        &self,
        oids: &[&str],
        most: u64,
    ) -> Result<Vec<Option<Vec<u8>>>, ShadowError> {
        let mut all = vec![None; oids.len()];
        let mut missing = None;
        self.each_blob(oids, &mut |at, object| {
            match object {
                Object::Missing => missing = Some(oids[at].to_owned()),
                Object::Found { size, .. } if size > most => {}
                Object::Found { bytes, .. } => {
                    let mut held = Vec::new();
                    bytes.read_to_end(&mut held)?;
                    all[at] = Some(held);
                }
            }
            Ok(())
        })?;
        match missing {
            None => Ok(all),
            Some(oid) => Err(self.missing(oid)),
        }
    }

    pub(crate) fn missing(&self, oid: String) -> ShadowError {
        let shadow = self.dir().to_owned();
        ShadowError::Missing { oid, shadow }
    }

    /// Many blobs, those that are known already from memory and the others with one process, in no certain order.
    pub(crate) fn each_blob(
        &self,
        oids: &[&str],
        each: &mut dyn FnMut(usize, Object<'_>) -> io::Result<()>,
    ) -> Result<(), GitError> {
        let git = self.git();
        let mut rest = Vec::new();
        for (at, oid) in oids.iter().enumerate() {
            let Some(bytes) = self.known.blob(oid) else {
                rest.push((at, *oid));
                continue;
            };
            each(at, Object::Found { size: bytes.len() as u64, bytes: &mut &bytes[..] })
                .map_err(|source| git.call(&["cat-file"]).broken(source))?;
        }
        let names: Vec<&str> = rest.iter().map(|(_, oid)| *oid).collect();
        git.read_objects(&names, &mut |n, object| {
            let (at, oid) = rest[n];
            match object {
                Object::Found { size, bytes } if self.known.wants(size) => {
                    let mut held = Vec::new();
                    bytes.read_to_end(&mut held)?;
                    self.known.learn_blob(oid, &held);
                    each(at, Object::Found { size, bytes: &mut &held[..] })
                }
                other => each(at, other),
            }
        })
    }

    /// Stores bytes as a blob.
    pub fn write_blob(&self, bytes: &[u8]) -> Result<String, ShadowError> {
        let git = self.git();
        let call = git.call(&["hash-object", "-w", "--no-filters", "--stdin"]);
        Ok(call.stdin(bytes).line()?)
    }

    /// Stores the files of `dir` that `listing` names and `known` (a tree that is here already) does not hold.
    /// A file that is no longer what the listing says is an error, so a late write can't slip in.
    pub fn store(&self, dir: &Path, listing: &Listing, known: &Listing) -> Result<(), ShadowError> {
        let held: HashSet<&str> = known.values().map(|entry| entry.oid.as_str()).collect();
        let mut names = Vec::new();
        let mut wanted = Vec::new();
        for (path, entry) in listing {
            if held.contains(entry.oid.as_str()) {
                continue;
            }
            let disk = on_disk(dir, path);
            match entry.mode {
                Mode::Submodule => {}
                Mode::Link => {
                    let target = fs::read_link(&disk).map_err(io_at("read", &disk))?;
                    if self.write_blob(target.as_os_str().as_bytes())? != entry.oid {
                        return Err(ShadowError::Moved { path: disk });
                    }
                }
                Mode::File | Mode::Exec => {
                    names.extend(quoted(disk.as_os_str().as_bytes()));
                    names.push(b'\n');
                    wanted.push((entry.oid.as_str(), disk));
                }
            }
        }
        if wanted.is_empty() {
            return Ok(());
        }
        let git = self.git();
        let call = git.call(&["hash-object", "-w", "--no-filters", "--stdin-paths"]);
        let stored = call.stdin(names).line()?;
        let mut stored = stored.lines();
        for (oid, disk) in wanted {
            if stored.next() != Some(oid) {
                return Err(ShadowError::Moved { path: disk });
            }
        }
        Ok(())
    }

    /// Writes the tree that a listing describes; all its blobs must be here.
    pub fn write_tree(&self, listing: &Listing) -> Result<TreeId, ShadowError> {
        let mut lines = Vec::new();
        for (path, entry) in listing {
            lines.extend_from_slice(entry.mode.octal().as_bytes());
            lines.push(b' ');
            lines.extend_from_slice(entry.oid.as_bytes());
            lines.push(b'\t');
            lines.extend_from_slice(&path_bytes(path));
            lines.push(0);
        }
        let index = Index::new(self.dir());
        // Names that only another system would trip over are the user's own business.
        let git = self.git().with("core.protectNTFS=false");
        git.call(&["update-index", "-z", "--index-info"])
            .env("GIT_INDEX_FILE", &index.path)
            .stdin(lines)
            .run()?;
        let call = git.call(&["write-tree"]);
        let tree = TreeId(call.env("GIT_INDEX_FILE", &index.path).line()?);
        self.known.learn_listing(&tree, &Arc::new(listing.clone()));
        Ok(tree)
    }

    /// Makes a commit; the same input gives the same commit.
    pub fn commit(
        &self,
        tree: &TreeId,
        parents: &[&CommitId],
        text: &CommitText<'_>,
    ) -> Result<CommitId, ShadowError> {
        let (name, mail) = name_and_mail(text.author);
        let date = format!("@{} +0000", text.at.0 / 1000);
        let git = self.git();
        let mut call = git.call(&["commit-tree", tree.as_str()]);
        for parent in parents {
            call = call.arg("-p").arg(parent.as_str());
        }
        let commit = call
            .env("GIT_AUTHOR_NAME", &name)
            .env("GIT_AUTHOR_EMAIL", &mail)
            .env("GIT_AUTHOR_DATE", &date)
            .env("GIT_COMMITTER_NAME", &name)
            .env("GIT_COMMITTER_EMAIL", &mail)
            .env("GIT_COMMITTER_DATE", &date)
            .stdin(text.message)
            .line()?;
        let commit = CommitId(commit);
        self.known.learn_tree(&commit, tree);
        Ok(commit)
    }

    /// The difference between two trees, as a unified diff. No paths: all of it.
    pub fn diff(
        &self,
        from: &TreeId,
        to: &TreeId,
        paths: &[String],
        purpose: DiffFor,
    ) -> Result<Vec<u8>, ShadowError> {
        let git = self.git();
        let mut call = git.call(&["--literal-pathspecs", "diff-tree", "-r", "-p", "--no-renames"]);
        for arg in ["--no-ext-diff", "--no-textconv", "--no-color"] {
            call = call.arg(arg);
        }
        call = match purpose {
            DiffFor::Reading => call,
            DiffFor::Applying => call.arg("--binary").arg("--full-index"),
        };
        call = call.arg(from.as_str()).arg(to.as_str()).arg("--");
        for path in paths {
            call = call.arg(std::ffi::OsStr::from_bytes(&path_bytes(path)));
        }
        Ok(call.run()?)
    }

    /// Which files differ between two trees, in order of path.
    pub fn changed(
        &self,
        from: &TreeId,
        to: &TreeId,
    ) -> Result<Vec<(String, Change)>, ShadowError> {
        Ok(changes(&*self.list(from)?, &*self.list(to)?))
    }
}

/// A path for `--stdin-paths`: quoted where a line break or a leading quote would mislead git.
fn quoted(path: &[u8]) -> Vec<u8> {
    if !path.contains(&b'\n') && path.first() != Some(&b'"') {
        return path.to_owned();
    }
    let mut quoted = vec![b'"'];
    for byte in path {
        match byte {
            b'\n' => quoted.extend_from_slice(b"\\n"),
            b'"' | b'\\' => quoted.extend([b'\\', *byte]),
            _ => quoted.push(*byte),
        }
    }
    quoted.push(b'"');
    quoted
}

fn name_and_mail(author: &str) -> (String, String) {
    let (name, mail) = author.split_once('<').unwrap_or((author, ""));
    let name = name.trim();
    let mail = mail.trim().trim_end_matches('>');
    let name = if name.is_empty() { "Proctor" } else { name };
    let mail = if mail.is_empty() { "proctor@localhost" } else { mail };
    (name.to_owned(), mail.to_owned())
}

/// An index file of one use, gone with its value.
struct Index {
    path: PathBuf,
}

impl Index {
    fn new(shadow: &Path) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let n = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = shadow.join(format!("proctor-index-{}-{n}", std::process::id()));
        // A process that had this id before may have left its file behind.
        let _ = fs::remove_file(&path);
        Self { path }
    }
}

impl Drop for Index {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}
