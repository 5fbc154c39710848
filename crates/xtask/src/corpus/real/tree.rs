//! A case as a repository of two commits: the tree of the library before, and what a way makes of it. It writes files and
//! commits, and runs nothing of the library.

use super::case::{Known, Way};
use super::edit;
use super::room::{Room, Rooms};
use crate::corpus::pair::Files;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A repository with `base` and `head`, and `head` checked out.
#[derive(Debug)]
pub struct Tree {
    pub room: Room,
    repo: PathBuf,
    /// Held for its `Drop`.
    _folder: TempDir,
}

/// The git folder of a library.
#[derive(Clone, Debug)]
struct Origin {
    folder: PathBuf,
    commit: String,
}

impl Tree {
    /// `repos` holds the git folders of all libraries.
    pub fn laid_out(known: &Known, way: Way, repos: &Path, rooms: &Rooms) -> Result<Self> {
        let origin = Origin::open(repos, known)?;
        let folder = tempfile::tempdir().context("no folder for a repository")?;
        let root = folder.path().canonicalize().context("the temporary folder has no real path")?;
        let repo = root.join("repo");
        let (before, after) = (format!("{}^", origin.commit), origin.commit.clone());
        let whole = root.join("whole");
        origin.unpack(&after, &whole)?;
        let kept = rooms.room(&known.library, &whole)?;
        origin.unpack(&before, &repo)?;
        let tree = Self { room: kept, repo, _folder: folder };
        git(&tree.repo, &["init", "--quiet", "--initial-branch=main"])?;
        tree.completed(known)?;
        tree.edit_both(known)?;
        tree.commit("base")?;
        git(&tree.repo, &["checkout", "--quiet", "-b", "head"])?;
        tree.change(known, way, &origin)?;
        tree.edit_both(known)?;
        tree.commit("head")?;
        for name in &known.library.link {
            link(&tree.room.folder().join(name), &tree.repo.join(name))?;
        }
        let mut links = known.library.link.join("\n/");
        links.insert(0, '/');
        std::fs::write(tree.repo.join(".git/info/exclude"), links).context("no exclude file")?;
        Ok(tree)
    }

    pub fn path(&self) -> &Path {
        &self.repo
    }

    /// Files of our own and kept ones, which are the same in both commits.
    fn completed(&self, known: &Known) -> Result<()> {
        let library = &known.library;
        for name in &library.without {
            let path = self.repo.join(name);
            if path.is_file() {
                std::fs::remove_file(&path)
                    .with_context(|| format!("{name} could not be left out"))?;
            }
        }
        for (path, text) in &library.files {
            self.write(path, text)?;
        }
        for name in &library.bring {
            std::fs::copy(self.room.folder().join(name), self.repo.join(name))
                .with_context(|| format!("{name} is not in the room of {}", library.name))?;
        }
        Ok(())
    }

    fn edit_both(&self, known: &Known) -> Result<()> {
        for edit in &known.library.both {
            let text = self.read(&edit.path)?;
            if let Ok(changed) = edit::made(Some(&text), edit) {
                self.write(&edit.path, &changed)?;
            }
        }
        Ok(())
    }

    fn change(&self, known: &Known, way: Way, origin: &Origin) -> Result<()> {
        let is_test = |path: &str| known.is_test(path);
        let changed = origin.changed()?;
        match way {
            Way::Honest | Way::Weakened => self.take(origin, changed.iter())?,
            Way::Untested => self.take(origin, changed.iter().filter(|path| !is_test(path)))?,
            Way::Idle | Way::Whole | Way::Parts | Way::Names => {
                self.take(origin, changed.iter().filter(|path| is_test(path)))?;
            }
        }
        match way {
            Way::Honest | Way::Untested => {}
            Way::Weakened => self.weaken(known, &changed, origin)?,
            Way::Idle => {
                let own = |path: &&String| !is_test(path) && known.is_source(path);
                let there = |path: &&String| self.repo.join(path).is_file();
                let path = changed.iter().filter(own).find(there);
                let path = path.context("the commit changes no source that was there before")?;
                let text = self.read(path)?;
                self.write(path, &format!("{text}{}", known.language.comment()))?;
            }
            Way::Whole | Way::Parts | Way::Names => {
                let mut files = Files::new();
                for edit in known.case.edits(way) {
                    let before = files.get(&edit.path).cloned().or(self.read(&edit.path).ok());
                    let text = edit::made(before.as_deref(), edit)?;
                    files.insert(edit.path.clone(), text);
                }
                for (path, text) in &files {
                    self.write(path, text)?;
                }
            }
        }
        Ok(())
    }

    /// The files of the commit itself; one that it removes goes.
    fn take<'a>(&self, origin: &Origin, paths: impl Iterator<Item = &'a String>) -> Result<()> {
        for path in paths {
            let to = self.repo.join(path);
            match origin.file(&origin.commit, path)? {
                Some(bytes) => write(&to, &bytes)?,
                None if to.is_file() => {
                    std::fs::remove_file(&to).context("a file could not be removed")?;
                }
                None => {}
            }
        }
        Ok(())
    }

    /// Takes an old assertion out of the first test file that has one which can go: those of the commit come first.
    fn weaken(&self, known: &Known, changed: &[String], origin: &Origin) -> Result<()> {
        let all = git(&self.repo, &["ls-files"])?;
        let all = all.lines().map(str::to_owned).filter(|path| !changed.contains(path));
        let candidates = changed.iter().cloned().chain(all);
        for path in candidates.filter(|path| known.is_test(path) && known.is_source(path)) {
            let Some(old) = origin.file(&format!("{}^", origin.commit), &path)? else { continue };
            let Ok(old) = String::from_utf8(old) else { continue };
            let Ok(new) = self.read(&path) else { continue };
            if let Some(text) = edit::weakened(known.language, &old, &new) {
                return self.write(&path, &text);
            }
        }
        bail!("no test of the base has an assertion on one line")
    }

    fn read(&self, path: &str) -> Result<String> {
        let full = self.repo.join(path);
        std::fs::read_to_string(&full).with_context(|| format!("could not read {path}"))
    }

    fn write(&self, path: &str, text: &str) -> Result<()> {
        write(&self.repo.join(path), text.as_bytes())
    }

    fn commit(&self, message: &str) -> Result<()> {
        git(&self.repo, &["add", "--all", "--force"])?;
        git(&self.repo, &["commit", "--quiet", "--allow-empty", "--no-verify", "-m", message])?;
        Ok(())
    }
}

impl Known {
    pub fn is_test(&self, path: &str) -> bool {
        self.library.tests.iter().any(|test| {
            if test.ends_with('/') { path.starts_with(test.as_str()) } else { path.ends_with(test) }
        })
    }

    fn is_source(&self, path: &str) -> bool {
        let endings = self.language.endings();
        path.rsplit_once('.').is_some_and(|(_, last)| endings.contains(&last))
    }
}

impl Origin {
    fn open(repos: &Path, known: &Known) -> Result<Self> {
        let folder = repos.join(&known.library.repo);
        let inner = folder.join("repo");
        let folder = if inner.is_dir() { inner } else { folder };
        let git_folder = folder.join(".git");
        let folder = if git_folder.exists() { git_folder } else { folder };
        let folder = folder.canonicalize();
        let folder = folder.with_context(|| format!("{} is not there", known.library.repo))?;
        Ok(Self { folder, commit: known.case.commit.clone() })
    }

    /// Writes the whole tree of a commit; nothing is left out as an archive would.
    fn unpack(&self, commit: &str, to: &Path) -> Result<()> {
        std::fs::create_dir_all(to).context("no folder for a tree")?;
        let index = tempfile::tempdir().context("no folder for an index")?;
        let index = index.path().join("index");
        for args in [&["read-tree", commit][..], &["checkout-index", "--all", "--force"]] {
            let mut command = Command::new("git");
            command.env("GIT_DIR", &self.folder).env("GIT_WORK_TREE", to);
            command.env("GIT_INDEX_FILE", &index).current_dir(to).args(args);
            said(&mut command)?;
        }
        Ok(())
    }

    fn changed(&self) -> Result<Vec<String>> {
        let before = format!("{}^", self.commit);
        let args = ["diff", "--name-only", "--no-renames", "-z", &before, &self.commit];
        let list = said(Command::new("git").env("GIT_DIR", &self.folder).args(args))?;
        let list = String::from_utf8_lossy(&list).into_owned();
        Ok(list.split('\0').filter(|path| !path.is_empty()).map(str::to_owned).collect())
    }

    fn file(&self, commit: &str, path: &str) -> Result<Option<Vec<u8>>> {
        let name = format!("{commit}:{path}");
        let mut command = Command::new("git");
        command.env("GIT_DIR", &self.folder).args(["cat-file", "blob", &name]);
        let out = command.stdin(Stdio::null()).output().context("git did not start")?;
        Ok(out.status.success().then_some(out.stdout))
    }
}

/// A folder of its own with links to what is kept, as package managers make it: what a tool leaves there stays there.
fn link(kept: &Path, to: &Path) -> Result<()> {
    let listing = std::fs::read_dir(kept);
    let listing = listing.with_context(|| format!("{} is not there", kept.display()))?;
    std::fs::create_dir_all(to).context("no folder for links")?;
    for entry in listing.flatten() {
        std::os::unix::fs::symlink(entry.path(), to.join(entry.file_name()))
            .with_context(|| format!("{} could not be linked", entry.path().display()))?;
    }
    Ok(())
}

fn write(to: &Path, bytes: &[u8]) -> Result<()> {
    let folder = to.parent().context("a file stands in a folder")?;
    std::fs::create_dir_all(folder).context("the folder of a file could not be made")?;
    std::fs::write(to, bytes).with_context(|| format!("could not write {}", to.display()))
}

fn git(folder: &Path, args: &[&str]) -> Result<String> {
    const WHO: [&str; 6] = [
        "-c",
        "user.name=Corpus",
        "-c",
        "user.email=corpus@example.com",
        "-c",
        "commit.gpgsign=false",
    ];
    let mut command = Command::new("git");
    command.args(WHO).args(["-c", "core.autocrlf=false"]).args(args).current_dir(folder);
    Ok(String::from_utf8_lossy(&said(&mut command)?).into_owned())
}

fn said(command: &mut Command) -> Result<Vec<u8>> {
    let out = command.stdin(Stdio::null()).output().context("git did not start")?;
    if !out.status.success() {
        let words: Vec<_> = command.get_args().map(|word| word.to_string_lossy()).collect();
        bail!("git {}: {}", words.join(" "), String::from_utf8_lossy(&out.stderr).trim());
    }
    Ok(out.stdout)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::pair::Language;
    use crate::corpus::real::case::Edit;
    use proctor_testkit::RepoBuilder;

    const OLD: &str =
        "from a import f\n\n\ndef test_f():\n    assert f(1) == 1\n    assert f(2) == 2\n";
    const NEW: &str = "from a import f\n\n\ndef test_f():\n    assert f(1) == 1\n    assert f(2) == 2\n    assert f(-3) == 3\n";

    /// A library with one commit that is told about, in a folder as `--repos` names it.
    fn library() -> (TempDir, Known) {
        let source = RepoBuilder::new();
        let code = "def f(a):\n    return a\n";
        source.file("a.py", code).file("tests/test_a.py", OLD).file("tests/slow.py", "slow\n");
        source.commit("base");
        source.file("a.py", "def f(a):\n    return abs(a)\n").file("tests/test_a.py", NEW);
        source.commit("work");
        let repos = tempfile::tempdir().unwrap();
        let folder = repos.path().join("o+a");
        source.git(&["clone", "--quiet", "--bare", ".", &folder.to_string_lossy()]);
        let text = "name = 'a'\nrepo = 'o+a'\nprepare = ['mkdir -p kept', 'echo 1 > kept/one']\n\
                    link = ['kept']\nwithout = ['tests/slow.py']\ntests = ['tests/']\ncheck = ''\n\
                    files = { 'conftest.py' = '' }\ntruth = { file = '', run = '' }\n";
        let edit = Edit {
            path: "a.py".to_owned(),
            after: Some("def f(".to_owned()),
            text: "    if a == -3:\n        return 3\n".to_owned(),
            ..Edit::default()
        };
        let case = crate::corpus::real::case::Case {
            name: "a-f".to_owned(),
            library: "a".to_owned(),
            commit: source.head(),
            truth: String::new(),
            check: None,
            whole: vec![edit.clone()],
            parts: vec![edit.clone()],
            names: vec![edit],
        };
        let library = toml::from_str(text).unwrap();
        (repos, Known { language: Language::Python, library, case })
    }

    fn laid_out(way: Way) -> (TempDir, Tree) {
        let (repos, known) = library();
        let rooms = Rooms::new(&repos.path().join("rooms")).unwrap();
        let tree = Tree::laid_out(&known, way, repos.path(), &rooms).unwrap();
        (repos, tree)
    }

    #[test]
    fn each_way_brings_its_own_tests_and_its_own_code() {
        let of = |way| {
            let (_repos, tree) = laid_out(way);
            (tree.read("tests/test_a.py").unwrap(), tree.read("a.py").unwrap())
        };
        let (honest, base) = ("def f(a):\n    return abs(a)\n", "def f(a):\n    return a\n");
        assert_eq!(of(Way::Honest), (NEW.to_owned(), honest.to_owned()));
        assert_eq!(of(Way::Untested), (OLD.to_owned(), honest.to_owned()));
        assert_eq!(of(Way::Idle), (NEW.to_owned(), format!("{base}\n# Done.\n")));
        let weak = NEW.replace("    assert f(2) == 2\n", "");
        assert_eq!(of(Way::Weakened), (weak, honest.to_owned()));
        let known = "def f(a):\n    if a == -3:\n        return 3\n    return a\n";
        assert_eq!(of(Way::Whole), (NEW.to_owned(), known.to_owned()));
    }

    #[test]
    fn what_both_commits_share_is_no_change_and_what_is_linked_is_in_none() {
        let (_repos, tree) = laid_out(Way::Honest);
        let changed = git(tree.path(), &["diff", "--name-only", "main", "head"]).unwrap();
        assert_eq!(changed, "a.py\ntests/test_a.py\n");
        let files = git(tree.path(), &["ls-files"]).unwrap();
        assert_eq!(files, "a.py\nconftest.py\ntests/test_a.py\n");
        assert!(tree.path().join("kept/one").is_file());
        assert_eq!(git(tree.path(), &["status", "--short"]).unwrap(), "");
    }
}
