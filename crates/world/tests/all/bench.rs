//! A user's repository and a home of Proctor's in a temporary folder, with the few moves that tests share.

use proctor_core::words::{CommitId, Millis, TreeId};
use proctor_world::listing::Listing;
use proctor_world::objects::CommitText;
use proctor_world::repo::UserRepo;
use proctor_world::shadow::Shadow;
use proctor_world::snapshot::{BaseTree, snapshot};
use proctor_world::tree::materialise;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

pub const AUTHOR: &str = "Ada <ada@example.org>";

pub struct Bench {
    pub temp: TempDir,
    pub repo: PathBuf,
    pub home: PathBuf,
}

/// Runs git the way a person would, without this machine's configuration.
pub fn git(dir: &Path, args: &[&str]) -> String {
    let (ok, out) = try_git(dir, args);
    assert!(ok, "git {args:?}: {out}");
    out
}

pub fn try_git(dir: &Path, args: &[&str]) -> (bool, String) {
    let output = Command::new("git")
        .current_dir(dir)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .args(["-c", "user.name=Ada", "-c", "user.email=ada@example.org"])
        .args(["-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main"])
        .args(args)
        .output()
        .unwrap();
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        text.push_str(&String::from_utf8_lossy(&output.stderr));
    }
    (output.status.success(), text.trim_end().to_owned())
}

impl Bench {
    /// A repository with one commit that holds `a.txt`.
    pub fn new() -> Self {
        let bench = Self::without_commits();
        bench.write("a.txt", "one\n");
        bench.commit_all("first");
        bench
    }

    pub fn without_commits() -> Self {
        let temp = tempfile::tempdir().unwrap();
        let top = temp.path().canonicalize().unwrap();
        let (repo, home) = (top.join("repo"), top.join("home"));
        fs::create_dir_all(&repo).unwrap();
        git(&repo, &["init", "-q"]);
        Self { temp, repo, home }
    }

    pub fn git(&self, args: &[&str]) -> String {
        git(&self.repo, args)
    }

    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        write(&self.repo, path, text);
    }

    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.repo.join(path)).unwrap()
    }

    pub fn commit_all(&self, message: &str) -> CommitId {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-qm", message]);
        self.tip("HEAD")
    }

    pub fn tip(&self, rev: &str) -> CommitId {
        CommitId(self.git(&["rev-parse", rev]))
    }

    pub fn user(&self) -> UserRepo {
        UserRepo::find(&self.repo).unwrap()
    }

    pub fn shadow(&self, base: &CommitId) -> Shadow {
        Shadow::open(&self.home, &self.user().git_dir, base).unwrap()
    }

    /// A new folder beside the repository.
    pub fn folder(&self, name: &str) -> PathBuf {
        let folder = self.temp.path().canonicalize().unwrap().join(name);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    /// The base written out into a folder.
    pub fn written_out(
        &self,
        shadow: &Shadow,
        base: &CommitId,
        name: &str,
    ) -> (std::sync::Arc<BaseTree>, PathBuf) {
        let tree = shadow.tree_of(base).unwrap();
        let base = BaseTree::read(shadow, &tree).unwrap();
        let dir = self.folder(name);
        materialise(shadow, &base.listing, &dir).unwrap();
        (base, dir)
    }
}

pub fn write(dir: &Path, path: &str, text: impl AsRef<[u8]>) {
    let path = dir.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

pub fn text(message: &str) -> CommitText<'_> {
    CommitText { message, author: AUTHOR, at: Millis(1_700_000_000_000) }
}

/// A commit in the shadow on top of `parent`, with these files written and these removed.
pub fn step(
    shadow: &Shadow,
    parent: &CommitId,
    message: &str,
    written: &[(&str, &str)],
    removed: &[&str],
) -> CommitId {
    let mut listing = (*shadow.list(&shadow.tree_of(parent).unwrap()).unwrap()).clone();
    for (path, bytes) in written {
        let oid = shadow.write_blob(bytes.as_bytes()).unwrap();
        let mode = proctor_world::listing::Mode::File;
        let entry = proctor_world::listing::Entry { mode, oid };
        listing.insert((*path).to_owned(), entry);
    }
    for path in removed {
        listing.remove(*path);
    }
    let tree = shadow.write_tree(&listing).unwrap();
    shadow.commit(&tree, &[parent], &text(message)).unwrap()
}

/// Snapshots a folder, stores it and writes its tree.
pub fn stored(shadow: &Shadow, dir: &Path, base: &BaseTree) -> (Listing, TreeId) {
    let now = snapshot(dir, base).unwrap();
    assert_eq!(now.odd, Vec::<String>::new());
    shadow.store(dir, &now.listing, &base.listing).unwrap();
    let tree = shadow.write_tree(&now.listing).unwrap();
    (now.listing, tree)
}
