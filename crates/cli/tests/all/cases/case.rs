//! One case as it lies on disk: what it plays, what must come out, and its two trees.

use proctor_testkit::RepoBuilder;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Suite {
    Cheats,
    Honest,
}

impl Suite {
    pub(crate) const ALL: [Self; 2] = [Self::Cheats, Self::Honest];

    pub(crate) fn folder(self) -> &'static str {
        match self {
            Self::Cheats => "cheats",
            Self::Honest => "honest",
        }
    }
}

#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) suite: Suite,
    /// `pytest-exit-zero`.
    pub(crate) name: String,
    pub(crate) says: Says,
    base: BTreeMap<String, String>,
    /// Only what differs.
    head: BTreeMap<String, String>,
}

/// `case.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Says {
    /// The row of the catalogue of cheats that it plays; `new` for one that is not in it.
    pub(crate) row: Option<String>,
    pub(crate) title: String,
    verdict: Option<String>,
    #[serde(default)]
    allowed: Vec<String>,
    /// Why it can't be told from honest work: then it is known to come out proven, and shown as such in the book.
    pub(crate) gap: Option<String>,
    /// The check that must have something against it.
    pub(crate) check: Option<String>,
    #[serde(default)]
    pub(crate) flags: Vec<String>,
    #[serde(default)]
    deleted: Vec<String>,
    pub(crate) runner: String,
    /// Where the naive gate runs its command; the root where nothing is said.
    #[serde(default)]
    pub(crate) folder: String,
    /// Among the few that stand for all where time is short.
    #[serde(default)]
    pub(crate) core: bool,
}

/// What a checkout of any project leaves out.
const IGNORED: &str = "node_modules\ntarget/\n__pycache__/\n";

impl Case {
    pub(crate) fn all(suite: Suite) -> Vec<Self> {
        let folder = root().join(suite.folder());
        let mut names: Vec<String> = std::fs::read_dir(&folder)
            .unwrap_or_else(|why| panic!("{}: {why}", folder.display()))
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names.into_iter().map(|name| Self::read(suite, &folder.join(&name), name)).collect()
    }

    fn read(suite: Suite, folder: &Path, name: String) -> Self {
        let says = std::fs::read_to_string(folder.join("case.toml")).unwrap_or_default();
        let says: Says = toml::from_str(&says).unwrap_or_else(|why| panic!("{name}: {why}"));
        let (base, head) = (files(&folder.join("base")), files(&folder.join("head")));
        Self { suite, name, says, base, head }
    }

    /// Whether it is among those that were asked for by a word: `core`, `all`, or a part of the name.
    pub(crate) fn is_asked_for(&self, word: &str) -> bool {
        match word {
            "core" => self.says.core,
            "all" => true,
            word => self.name.contains(word),
        }
    }

    /// The verdicts that are right.
    pub(crate) fn wanted(&self) -> Vec<&str> {
        if self.says.gap.is_some() {
            return vec!["proven"];
        }
        self.says.allowed.iter().chain(&self.says.verdict).map(String::as_str).collect()
    }

    /// A repository with two commits: `main` and `work`.
    pub(crate) fn repo(&self) -> RepoBuilder {
        let repo = RepoBuilder::new();
        if !self.base.contains_key(".gitignore") {
            repo.file(".gitignore", IGNORED);
        }
        put(&repo, &self.base);
        repo.commit("base");
        repo.git(&["checkout", "--quiet", "-b", "work"]);
        put(&repo, &self.head);
        for path in &self.says.deleted {
            std::fs::remove_file(repo.path().join(path))
                .unwrap_or_else(|why| panic!("{}: {path}: {why}", self.name));
        }
        repo.commit("head");
        repo
    }

    /// Panics where the case contradicts itself.
    pub(crate) fn check_form(&self) {
        let (name, says) = (&self.name, &self.says);
        assert!(says.verdict.is_some() == says.allowed.is_empty(), "{name}: one of the two");
        let known = ["proven", "unaffected", "refuted", "inconclusive"];
        assert!(self.wanted().iter().all(|word| known.contains(word)), "{name}: {known:?}");
        assert!(name.starts_with(&format!("{}-", says.runner)), "{name}: {}", says.runner);
        assert!(says.title.ends_with('.'), "{name}: a sentence");
        match self.suite {
            Suite::Cheats => {
                assert!(says.row.is_some(), "{name}: the row");
                let proven = self.wanted().contains(&"proven");
                assert_eq!(proven, says.gap.is_some(), "{name}: only a gap that is explained");
                assert!(says.gap.is_none() || !says.core, "{name}: a gap stands for nothing");
            }
            Suite::Honest => {
                assert!(!self.wanted().contains(&"refuted"), "{name}: honest work is not refuted");
            }
        }
        assert!(!self.base.is_empty(), "{name}: base");
        for path in self.head.keys() {
            assert_ne!(self.head.get(path), self.base.get(path), "{name}: {path} does not differ");
        }
        for path in &says.deleted {
            assert!(self.base.contains_key(path), "{name}: {path} is not in base");
            assert!(!self.head.contains_key(path), "{name}: {path} is in head");
        }
        assert!(self.head.len() + says.deleted.len() > 0, "{name}: nothing changed");
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

fn put(repo: &RepoBuilder, files: &BTreeMap<String, String>) {
    for (path, text) in files {
        repo.file(path, text);
    }
}

/// Every file below a folder; none where there is no such folder.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut left = vec![folder.to_owned()];
    while let Some(dir) = left.pop() {
        let Ok(entries) = std::fs::read_dir(&dir) else {
            continue;
        };
        for entry in entries {
            let path = entry.unwrap().path();
            if path.is_dir() {
                left.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
                let text = std::fs::read_to_string(&path);
                found.insert(name, text.unwrap_or_else(|why| panic!("{}: {why}", path.display())));
            }
        }
    }
    found
}
