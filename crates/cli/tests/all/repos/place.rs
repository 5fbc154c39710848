//! A repository, a `PROCTOR_HOME` and what a test asks of them: start a run, see what a user would see, prove that
//! nothing of theirs moved. Knows nothing of Proctor's inside.

use proctor_testkit::{Call, Ran, RepoBuilder, Scenario, TestEnv, missing, processes_left_after};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub const CALC: &str = "\
def add(a, b):
    return a + b


def mul(a, b):
    return a * b
";

pub const SUB_TEST: &str = "\
from calc import sub


def test_sub_takes_away():
    assert sub(5, 3) == 2
    assert sub(1, 4) == -3
";

pub const SUB: &str = "\n\ndef sub(a, b):\n    return a - b\n";

pub struct Place {
    pub env: TestEnv,
    pub repo: RepoBuilder,
}

impl Place {
    /// The Python project; none where pytest is missing.
    pub fn python() -> Option<Self> {
        Self::with(RepoBuilder::python_calc)
    }

    pub fn with(repo: impl FnOnce() -> RepoBuilder) -> Option<Self> {
        if missing("pytest") {
            return None;
        }
        Some(Self { env: TestEnv::new(env!("CARGO_BIN_EXE_proctor")), repo: repo() })
    }

    pub fn path(&self) -> &Path {
        self.repo.path()
    }

    /// A run of the feature `sub`, played by a script, started in the repository.
    pub fn add(&self, args: &[&str]) -> Call {
        self.add_in(self.path(), "", args)
    }

    /// The same, started in `folder`; the project lies in `below` (empty, or with a slash at its end).
    pub fn add_in(&self, folder: &Path, below: &str, args: &[&str]) -> Call {
        self.env
            .call(folder)
            .args(&["add", "a sub function", "--id", "T-1"])
            .args(args)
            .mock(&sub_scenario(below))
    }

    /// A `RUN`'s id, from the one run that there is.
    #[track_caller]
    pub fn run_id(&self) -> String {
        let ran = self.proctor(&["list", "--all", "--format", "json"]);
        let rows = ran.events();
        assert_eq!(rows.len(), 1, "one run was expected:\n{ran}");
        rows[0]["run"].as_str().expect("a run has an id").to_owned()
    }

    pub fn proctor(&self, args: &[&str]) -> Ran {
        self.env.proctor(self.path(), args)
    }

    /// Our own bare clone of the user's repository.
    pub fn shadow(&self) -> PathBuf {
        let repos = std::fs::read_dir(self.env.home().join("repos")).expect("the shadows");
        repos
            .map(|entry| entry.expect("a shadow").path())
            .find(|path| path.extension().is_some_and(|end| end == "git"))
            .expect("a shadow")
    }

    /// The refs of the shadow that begin with this.
    pub fn shadow_refs(&self, pattern: &str) -> String {
        let shadow = self.shadow();
        let shadow = shadow.to_str().expect("a path in UTF-8");
        self.repo.git(&["--git-dir", shadow, "for-each-ref", "--format=%(refname)", pattern])
    }

    pub fn worktrees(&self) -> Vec<String> {
        names_in(&self.env.home().join("worktrees"))
    }

    /// After a run: no process and no worktree is left.
    #[track_caller]
    pub fn assert_quiet(&self) {
        let left = processes_left_after(self.env.home(), Duration::from_secs(5));
        assert!(left.is_empty(), "processes are left: {left:?}");
    }

    /// Everything of the user's that a run must not change.
    pub fn mine(&self) -> Mine {
        Mine::of(&self.repo, self.path())
    }

    /// Nothing at all was created: no run, no worktree, no branch.
    #[track_caller]
    pub fn assert_nothing_created(&self, before: &Mine) {
        assert_eq!(names_in(self.env.home()), Vec::<String>::new());
        assert_eq!(self.mine(), *before);
    }
}

pub fn sub_scenario(below: &str) -> Scenario {
    scenario_of(
        &json!({format!("{below}tests/test_sub.py"): SUB_TEST}),
        &json!({format!("{below}calc.py"): SUB}),
    )
}

/// The tester writes `tests`, the coder appends `code`, the rest agrees.
pub fn scenario_of(tests: &serde_json::Value, code: &serde_json::Value) -> Scenario {
    Scenario::new()
        .turn(json!({
            "phase": "write_tests",
            "write": tests,
            "output": {"status": "PREPARED_FOR_FIX", "test_file_path": null, "notes": "Tests written."},
        }))
        .turn(json!({
            "phase": "implement",
            "append": code,
            "output": {"status": "READY_FOR_REVIEW", "fix_description": "sub", "notes": "Code written."},
        }))
        .refactor_nothing()
        .review_ok()
}

/// The names in a folder, sorted; none where there is no folder.
pub fn names_in(folder: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// What is the user's own in a checkout: files, index, stash, refs, HEAD, settings and hooks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mine {
    pub status: String,
    pub stash: String,
    pub index: String,
    pub refs: String,
    pub head: String,
    pub config: String,
    pub files: BTreeMap<String, Vec<u8>>,
}

impl Mine {
    pub fn of(repo: &RepoBuilder, at: &Path) -> Self {
        let at_text = at.to_str().expect("a path in UTF-8");
        let git = |args: &[&str]| repo.git(&[&["-C", at_text], args].concat());
        let mut files = BTreeMap::new();
        collect(at, "", &mut files);
        Self {
            status: git(&["status", "--porcelain", "--untracked-files=all", "--ignored"]),
            stash: git(&["stash", "list"]),
            index: git(&["ls-files", "--stage"]),
            refs: git(&["for-each-ref"]),
            head: git(&["rev-parse", "--symbolic-full-name", "HEAD"]),
            config: git(&["config", "--local", "--list"]),
            files,
        }
    }
}

fn collect(folder: &Path, prefix: &str, into: &mut BTreeMap<String, Vec<u8>>) {
    for entry in std::fs::read_dir(folder).expect("a folder of the user's") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let shown = format!("{prefix}{name}");
        let about = path.symlink_metadata().expect("a file of the user's");
        if about.is_symlink() {
            let to = path.read_link().expect("a link of the user's");
            into.insert(shown, to.to_string_lossy().into_owned().into_bytes());
        } else if about.is_dir() {
            if name != ".git" {
                collect(&path, &format!("{shown}/"), into);
            }
        } else {
            into.insert(shown, std::fs::read(&path).expect("a file of the user's"));
        }
    }
}
