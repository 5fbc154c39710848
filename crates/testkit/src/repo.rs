//! A small git repository in a temporary folder. Every commit has the same author and a date that only
//! counts, so that the same steps make the same commit ids on every machine.

use crate::env::base_env;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use tempfile::TempDir;

/// The date of the first commit; each later one is a minute on.
const FIRST_COMMIT: u64 = 1_700_000_000;

#[derive(Debug)]
pub struct RepoBuilder {
    /// Held for its `Drop`.
    _root: TempDir,
    path: PathBuf,
    commits: AtomicU64,
}

impl Default for RepoBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl RepoBuilder {
    /// An empty repository on branch `main`.
    pub fn new() -> Self {
        let root = tempfile::Builder::new()
            .prefix("proctor-repo-")
            .tempdir()
            .expect("a temporary folder for the repository");
        let path =
            root.path().canonicalize().expect("the temporary folder has a real path").join("repo");
        std::fs::create_dir(&path).expect("the folder of the repository");
        let repo = Self { _root: root, path, commits: AtomicU64::new(0) };
        repo.git(&["init", "--quiet", "--initial-branch=main"]);
        for (key, value) in [
            ("user.name", "Test Person"),
            ("user.email", "test@example.com"),
            ("commit.gpgsign", "false"),
            ("tag.gpgsign", "false"),
            ("gc.auto", "0"),
        ] {
            repo.git(&["config", key, value]);
        }
        repo
    }

    /// A Python project with two functions and their tests, committed.
    pub fn python_calc() -> Self {
        let repo = Self::new();
        repo.file("calc.py", PYTHON_CALC)
            .file("tests/test_calc.py", PYTHON_TESTS)
            .file("pyproject.toml", PYTHON_PROJECT)
            .file(".gitignore", "__pycache__/\n.pytest_cache/\n")
            .commit("calc: add and mul");
        repo
    }

    /// A Rust library without dependencies, with an inline test and an integration test, committed.
    pub fn rust_calc() -> Self {
        let repo = Self::new();
        repo.file("Cargo.toml", RUST_MANIFEST)
            .file("Cargo.lock", RUST_LOCK)
            .file("src/lib.rs", RUST_LIB)
            .file("tests/api.rs", RUST_API)
            .file(".gitignore", "/target/\n")
            .commit("calc: add and mul");
        repo
    }

    /// Writes a file, and the folders above it.
    pub fn file(&self, path: &str, text: &str) -> &Self {
        let full = self.path.join(path);
        let folder = full.parent().expect("a file stands in a folder");
        std::fs::create_dir_all(folder).expect("the folder of a file");
        if let Err(why) = std::fs::write(&full, text) {
            panic!("{} was not written: {why}", full.display());
        }
        self
    }

    /// Writes a file that can be run.
    pub fn exec(&self, path: &str, text: &str) -> &Self {
        self.file(path, text);
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(self.path.join(path), mode).expect("the mode of a file");
        self
    }

    /// Commits everything that is there.
    pub fn commit(&self, message: &str) -> &Self {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--message", message]);
        self
    }

    /// Runs git in the repository and returns its output without the end of the last line. A failure fails
    /// the test.
    #[track_caller]
    pub fn git(&self, args: &[&str]) -> String {
        let turn =
            self.commits.fetch_add(u64::from(args.first() == Some(&"commit")), Ordering::Relaxed);
        let date = format!("{} +0000", FIRST_COMMIT + 60 * turn);
        let out = Command::new("git")
            .args(args)
            .current_dir(&self.path)
            .env_clear()
            .envs(base_env())
            .env("HOME", &self.path)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_AUTHOR_DATE", &date)
            .env("GIT_COMMITTER_DATE", &date)
            .env("LC_ALL", "C")
            .stdin(Stdio::null())
            .output();
        let out = match out {
            Ok(out) => out,
            Err(why) => panic!("git did not start: {why}"),
        };
        assert!(
            out.status.success(),
            "git {args:?} failed in {}:\n{}{}",
            self.path.display(),
            String::from_utf8_lossy(&out.stdout),
            String::from_utf8_lossy(&out.stderr)
        );
        String::from_utf8_lossy(&out.stdout).trim_end_matches('\n').to_owned()
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The full id of the commit that `HEAD` names.
    #[track_caller]
    pub fn head(&self) -> String {
        self.git(&["rev-parse", "HEAD"])
    }

    /// The text of a file in the checkout.
    #[track_caller]
    pub fn read(&self, path: &str) -> String {
        let full = self.path.join(path);
        match std::fs::read_to_string(&full) {
            Ok(text) => text,
            Err(why) => panic!("{} was not read: {why}", full.display()),
        }
    }
}

const PYTHON_CALC: &str = "\
def add(a, b):
    return a + b


def mul(a, b):
    return a * b
";

const PYTHON_TESTS: &str = "\
from calc import add, mul


def test_add_sums_two_numbers():
    assert add(2, 3) == 5


def test_mul_multiplies_two_numbers():
    assert mul(2, 3) == 6
";

const PYTHON_PROJECT: &str = r#"[project]
name = "calc"
version = "0.1.0"

[tool.pytest.ini_options]
pythonpath = ["."]
testpaths = ["tests"]
"#;

const RUST_MANIFEST: &str = r#"[package]
name = "calc"
version = "0.1.0"
edition = "2021"

[dependencies]
"#;

const RUST_LOCK: &str = r#"# This file is automatically @generated by Cargo.
# It is not intended for manual editing.
version = 4

[[package]]
name = "calc"
version = "0.1.0"
"#;

const RUST_LIB: &str = "\
pub fn add(a: i64, b: i64) -> i64 {
    a + b
}

pub fn mul(a: i64, b: i64) -> i64 {
    a * b
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn add_sums_two_numbers() {
        assert_eq!(add(2, 3), 5);
    }
}
";

const RUST_API: &str = "\
use calc::mul;

#[test]
fn mul_multiplies_two_numbers() {
    assert_eq!(mul(2, 3), 6);
}
";

#[cfg(test)]
mod tests {
    use super::RepoBuilder;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn the_same_steps_make_the_same_commit() {
        let heads = [RepoBuilder::python_calc(), RepoBuilder::python_calc()].map(|repo| {
            repo.exec("run.sh", "#!/bin/sh\n").commit("second");
            repo.head()
        });
        assert_eq!(heads[0], heads[1]);
        assert_eq!(heads[0].len(), 40);
    }

    #[test]
    fn a_repository_is_clean_and_on_main_after_its_commit() {
        let repo = RepoBuilder::rust_calc();
        assert_eq!(repo.git(&["status", "--porcelain"]), "");
        assert_eq!(repo.git(&["branch", "--show-current"]), "main");
        assert!(repo.read("src/lib.rs").contains("pub fn mul"));
    }

    #[test]
    fn an_executable_file_has_its_mode_in_git_too() {
        let repo = RepoBuilder::new();
        repo.exec("run.sh", "#!/bin/sh\n").commit("run");
        let mode = repo.path().join("run.sh").metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o755);
        assert!(repo.git(&["ls-files", "--stage", "run.sh"]).starts_with("100755 "));
    }
}
